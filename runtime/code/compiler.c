/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compiler.c - loads libckc at its first use; it is never closed.
 *
 * The library is searched as $CK_LIBCKC (then nowhere else), in the folder of libckrt, and by the
 * loader. Opening it loads LLVM, which takes time, so cache keys are made without opening it: from
 * the identities (path, size, times) of its file and of the toolkit's files.
 */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "code_private.h"

static Compiler compiler;
static once_flag compiler_once = ONCE_FLAG_INIT;
static char compiler_why[1024]; /* why it could not be opened; empty if it was */

/* The path of libckc, or NULL if only the loader may find it. */
static const char *find_file(Arena *arena)
{
  const char *own = getenv("CK_LIBCKC");
  if (own && *own) return own;
  const char *folder = path_of_code(arena, &compiler);
  const char *path = folder ? arena_printf(arena, "%s/" LIBCKC_FILE, folder) : NULL;
  return path && file_exists(path) ? path : NULL;
}

/* Runs once: finds libckc and all of its functions; otherwise compiler_why keeps the reason. */
static void open_library(void)
{
  static const char symbols[] = {
#define COMPILER_FN(name) #name "\0"
#include "compiler_fns.def"
  };
  Arena scratch = {0};
  Buf why = BUF(&scratch);
  const char *file = find_file(&scratch);
  const char *names[] = {file ? file : LIBCKC_FILE, NULL};
  double start = seconds_now();
  void *library = dl_open(names, NULL, &why);
  void *functions[sizeof compiler / sizeof(void *)];
  const char *missing = library ? dl_fill(library, symbols, functions, COUNT_OF(functions)) : NULL;
  if (!library)
    snprintf(compiler_why, sizeof compiler_why, "the compiler is not installed: %s",
             buf_text(&why));
  else if (missing)
    snprintf(compiler_why, sizeof compiler_why, "%s is no compiler of this version: it lacks %s",
             names[0], missing);
  else memcpy(&compiler, functions, sizeof compiler);
  log_line(LOG_compile, "open %s: %s, %.3f ms", names[0], *compiler_why ? compiler_why : "ok",
           1e3 * (seconds_now() - start));
  arena_free(&scratch);
}

ck_status_t compiler_open(const Compiler **out_compiler)
{
  *out_compiler = NULL;
  call_once(&compiler_once, open_library);
  if (*compiler_why) return error_set(CK_UNAVAILABLE, "%s", compiler_why);
  *out_compiler = &compiler;
  return CK_OK;
}

static once_flag toolkit_once = ONCE_FLAG_INIT;
static Digest toolkit_digest;

static void make_toolkit_digest(void)
{
  Arena scratch = {0};
  toolkit_digest = toolkit_identity(&scratch);
  arena_free(&scratch);
}

Digest toolkit_identity_now(void)
{
  call_once(&toolkit_once, make_toolkit_digest);
  return toolkit_digest;
}

static once_flag identity_once = ONCE_FLAG_INIT;
static Digest library_identity, with_toolkit_identity;
static bool has_identity;

static void make_identity(void)
{
  Arena scratch = {0};
  const char *file = find_file(&scratch);
  const Compiler *open;
  Dl_info info;
  if (!file && compiler_open(&open) == CK_OK &&
      dladdr((const void *)(uintptr_t)open->ck_compile, &info))
    file = info.dli_fname;
  has_identity = file && file_exists(file);
  if (has_identity) {
    library_identity = file_identity((Digest){0, 0}, file);
    Digest toolkit = toolkit_identity_now();
    with_toolkit_identity = digest_more(library_identity, &toolkit, sizeof toolkit);
  }
  arena_free(&scratch);
}

bool compiler_identity(bool with_toolkit, Digest *out)
{
  call_once(&identity_once, make_identity);
  *out = with_toolkit ? with_toolkit_identity : library_identity;
  return has_identity;
}
