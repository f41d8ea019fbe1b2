/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* edits.c - counts the edits that make one word of another, for "did you mean".
 *
 * Letters are inserted, dropped, changed, and swapped with their neighbours. The count is Damerau's
 * and Levenshtein's distance, by a table with a row for each beginning of the one word and a column
 * for each of the other. A cell needs the three cells around it, and for a swap the cell two rows
 * and columns before it, so three rows are kept:
 *
 *           ""  f  l  o  a  t
 *       ""   0  1  2  3  4  5
 *       f    1  0  1  2  3  4
 *       o    2  1  1  1  2  3
 *       l    3  2  1  1  2  3      fol -> flo is one swap
 */
#include "base.h"

#include <string.h>

unsigned edit_distance(const char *a, const char *b)
{
  enum { WORD_MAX = 63 }; /* longer words get no suggestion */
  size_t a_len = strlen(a), b_len = strlen(b);
  unsigned rows[3][WORD_MAX + 1];
  if (a_len > WORD_MAX || b_len > WORD_MAX) return WORD_MAX;
  for (size_t j = 0; j <= b_len; ++j) rows[0][j] = (unsigned)j;
  for (size_t i = 1; i <= a_len; ++i) {
    unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= b_len; ++j) {
      unsigned best = above[j - 1] + (a[i - 1] != b[j - 1]);
      if (above[j] + 1 < best) best = above[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap && above2[j - 2] + 1 < best) best = above2[j - 2] + 1;
      row[j] = best;
    }
  }
  return rows[a_len % 3][b_len];
}
