/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* library_private.h - the tables of lib/, which library_index.c generates when the compiler is
 * built.
 *
 * The library has thousands of items, of which a program needs few; so an item is parsed only when
 * needed. It waits for words: those of its own name (`warp` and `sum` of `fn warp.sum`), and the
 * library's structures among its parameter types. It is parsed once the program, with the library
 * items parsed so far, contains all of these words. This holds for files that need no import.
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
extern const LibraryItem library_items[]; /* sorted by file, then by position */
extern const LibraryWord library_words[]; /* a hash table: bucket = hash & library_mask */
extern const uint16_t library_waiting[];
extern const uint16_t library_buckets[]; /* start of each bucket's words, and the end */
extern const uint32_t library_file_count, library_item_count, library_mask;
extern const uint32_t library_always_count; /* the first files, which need no import */

#endif
