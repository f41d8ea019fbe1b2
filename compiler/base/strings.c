/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* strings.c - constant lists of strings without pointers.
 *
 * A list is one string literal, in which each string ends with a NUL:
 *
 *     static const char colors[] = "red\0" "green\0" "blue\0";     strings_at(colors, 1) is "green"
 *
 * In a shared library an array of pointers to strings costs 32 bytes for each string more than its
 * characters: 8 for the pointer, and 24 for the relocation by which the loader writes the pointer
 * in every process. A list costs neither. Finding string i takes time in proportion to the
 * characters before it, so lists are for messages and for what happens once in a process.
 */
#include "base.h"

#include <string.h>

const char *strings_next(const char *at)
{
  return at + strlen(at) + 1;
}

const char *strings_at(const char *list, size_t index)
{
  for (; index; --index) list = strings_next(list);
  return list;
}
