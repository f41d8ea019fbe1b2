/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* library_private.h - lib/ as tables, which library_index.c makes when the compiler is built.
 *
 * An item of a file that is always visible waits for words: those of its own name (`warp` and `sum`
 * of `fn warp.sum`), and the names of the library's structures among its parameter types. It is
 * read once the program, with the library items read so far, contains all of them.
 */
#ifndef CK_LIBRARY_PRIVATE_H
#define CK_LIBRARY_PRIVATE_H

#include "base.h"

typedef struct LibraryFile {
  const char *name;
  const unsigned char *text; /* followed by a NUL */
  uint32_t bytes;
} LibraryFile;

typedef struct LibraryItem {
  uint32_t lo, hi; /* range in its file's text */
  uint16_t file;   /* in library_files */
  uint16_t words;  /* number of words it waits for */
} LibraryItem;

typedef struct LibraryWord {
  const char *text;
  uint16_t len;
  uint16_t first, count; /* the items that wait for it, in library_waiting */
} LibraryWord;

extern const LibraryFile library_files[];
extern const LibraryItem library_items[]; /* by file, then by place */
extern const LibraryWord library_words[]; /* by bucket: a name's hash & library_mask */
extern const uint16_t library_waiting[];
extern const uint16_t
    library_buckets[]; /* where each bucket's words start; one more, for the end */
extern const uint32_t library_file_count, library_item_count, library_mask;
extern const uint32_t library_always_count; /* files that are always there: the first ones */

#endif
