/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compiler.c - opens libckc when it is first needed: $CK_LIBCKC; otherwise lib/ beside this
 * program's folder; otherwise where the loader finds it.
 */
#include <stdlib.h>
#include <string.h>

#include "ckc.h"

static const char *find_library(Arena *arena)
{
  const char *own = getenv("CK_LIBCKC");
  if (own && *own) return own;
  const char *folder = path_of_code(arena, (const void *)(uintptr_t)find_library);
  const char *path = folder ? arena_printf(arena, "%s/../lib/" LIBCKC_FILE, folder) : NULL;
  return path && file_exists(path) ? path : LIBCKC_FILE;
}

const Compiler *compiler_load(Arena *arena)
{
  static Compiler compiler;
  static const char symbols[] = {
#define COMPILER_FN(name) #name "\0"
#include "compiler.def"
  };
  void *functions[sizeof compiler / sizeof(void *)];
  const char *names[] = {find_library(arena), NULL};
  Buf why = BUF(arena);
  void *library = dl_open(names, NULL, &why);
  if (!library) {
    fail(EXIT_ENVIRONMENT, "the compiler is not installed: %s", buf_text(&why));
    return NULL;
  }
  const char *missing = dl_fill(library, symbols, functions, COUNT_OF(functions));
  if (missing) {
    fail(EXIT_ENVIRONMENT, "%s is no compiler of this version: it lacks %s", names[0], missing);
    return NULL;
  }
  memcpy(&compiler, functions, sizeof compiler);
  return &compiler;
}
