/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory.c - finds rows of memory.def by name. */
#include "front/memory.h"

#include <string.h>

static const struct {
  const char *name, *operands;
} rows[] = {
#define MEMORY(name, operands, ...) {#name, operands},
#include "front/memory.def"
};

static const struct {
  const char *option, *word;
  uint64_t value;
} words[] = {
#define WORD(option, word, value) {#option, #word, value},
#include "front/memory.def"
};

MemoryOp memory_named(const char *name)
{
  MemoryOp op = 0;
  while (op < MEMORY_COUNT && strcmp(rows[op].name, name) != 0) ++op;
  return op;
}

const char *memory_operands(MemoryOp op)
{
  return rows[op].operands;
}

bool memory_word(const char *option, const char *word, uint64_t *out_value)
{
  for (size_t i = 0; i < COUNT_OF(words); ++i) {
    if (strcmp(words[i].option, option) != 0 || strcmp(words[i].word, word) != 0) continue;
    *out_value = words[i].value;
    return true;
  }
  return false;
}

const char *memory_words(Arena *arena, const char *option)
{
  Buf text = BUF(arena);
  for (size_t i = 0; i < COUNT_OF(words); ++i)
    if (!strcmp(words[i].option, option))
      buf_printf(&text, "%s%s", text.len ? " " : "", words[i].word);
  return buf_text(&text);
}
