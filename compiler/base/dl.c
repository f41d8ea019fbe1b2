/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* dl.c - opens a shared library, and fills a table of functions from it. */
#include "base.h"

#include <dlfcn.h>

void *dl_open(const char *const *names, const char **out_name, Buf *why)
{
  for (; *names; ++names) {
    void *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    if (library) {
      if (out_name) *out_name = *names;
      return library;
    }
    if (why) buf_printf(why, "%s%s", why->len ? "\n" : "", dlerror());
  }
  return NULL;
}

const char *dl_fill(void *library, const char *symbols, void **out, size_t count)
{
  const char *missing = NULL;
  for (size_t i = 0; i < count; ++i, symbols = strings_next(symbols)) {
    out[i] = dlsym(library, symbols);
    if (!out[i] && !missing) missing = symbols;
  }
  return missing;
}
