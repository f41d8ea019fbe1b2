/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* strings.c - tests constant lists of strings, which are found by walking the list. */
#include "base.h"

#include <string.h>

#undef NDEBUG /* release builds check too */
#include <assert.h>

int main(void)
{
  static const char list[] = "red\0"
                             "\0"
                             "dark green\0";
  assert(!strcmp(strings_at(list, 0), "red"));
  assert(!*strings_at(list, 1)); /* an empty string is one like the others */
  assert(!strcmp(strings_at(list, 2), "dark green"));
  assert(strings_next(list) == strings_at(list, 1));
  assert(strings_next(strings_at(list, 2)) == list + sizeof list - 1);
  return 0;
}
