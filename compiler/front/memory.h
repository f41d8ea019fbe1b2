/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory.h - the rows of memory.def: operations on memory and the words of their options. */
#ifndef CK_MEMORY_H
#define CK_MEMORY_H

#include "base.h"

typedef enum MemoryOp {
#define MEMORY(name, ...) MEMORY_##name,
#include "front/memory.def"
  MEMORY_COUNT
} MemoryOp;

#define WORD(option, word, value) WORD_##option##_##word = (value),
enum MemoryWord {
#include "front/memory.def"
};

/* MEMORY_COUNT if there is no such row. */
MemoryOp memory_named(const char *name);
const char *memory_operands(MemoryOp op);
/* The value of `word` as the argument `option`; false if it is none. */
bool memory_word(const char *option, const char *word, uint64_t *out_value);
/* all words of an option, separated by blanks */
const char *memory_words(Arena *arena, const char *option);

#endif
