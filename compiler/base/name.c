/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* name.c - interned strings, so that equal names are equal pointers.
 *
 * A hash table with chaining (FNV-1a) that doubles when it has as many names as slots. Names are
 * never removed. `first` and `later` also link them in the order in which they were made.
 */
#include "base.h"

#include <string.h>

enum { FIRST_TABLE = 256 };

void names_init(Names *names, Arena *arena)
{
  *names = (Names){.arena = arena, .mask = FIRST_TABLE - 1};
  names->table = NEW_ARRAY(arena, Name *, FIRST_TABLE);
}

static void names_double(Names *names)
{
  uint32_t mask = 2 * names->mask + 1;
  Name **table = NEW_ARRAY(names->arena, Name *, mask + 1u);
  for (uint32_t i = 0; i <= names->mask; ++i) {
    for (Name *name = names->table[i], *next; name; name = next) {
      next = name->next;
      name->next = table[name->hash & mask];
      table[name->hash & mask] = name;
    }
  }
  names->table = table;
  names->mask = mask;
}

static uint32_t hash_name(const char *text, size_t len)
{
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < len; ++i) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  return hash;
}

static Name *find(const Names *names, uint32_t hash, const char *text, size_t len)
{
  Name *name = names->table[hash & names->mask];
  while (name && !(name->hash == hash && name->len == len && !memcmp(name->text, text, len)))
    name = name->next;
  return name;
}

const Name *name_of(Names *names, const char *text, size_t len)
{
  uint32_t hash = hash_name(text, len);
  Name *known = find(names, hash, text, len);
  if (known) return known;
  if (names->count > names->mask) names_double(names);
  Name *name = arena_alloc(names->arena, sizeof *name + len + 1);
  name->len = (uint32_t)len;
  name->hash = hash;
  memcpy(name->text, text, len);
  name->next = names->table[hash & names->mask];
  names->table[hash & names->mask] = name;
  ++names->count;
  if (names->last) names->last->later = name;
  else names->first = name;
  return names->last = name;
}
