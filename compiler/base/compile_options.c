/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compile_options.c - checks each field of ck_compile_options_t that can be wrong by itself. */
#include "compile_options.h"

enum {
  ALL_FLAGS = CK_COMPILE_DEBUG | CK_COMPILE_LINEINFO | CK_COMPILE_CHECK | CK_COMPILE_ISOLATE |
              CK_COMPILE_TIME | CK_COMPILE_JSON | CK_COMPILE_COLOR | CK_COMPILE_ONLY |
              CK_COMPILE_CONFINE | CK_COMPILE_QUICK | CK_COMPILE_QUICK_SUMS
};

/* The values of an enumeration are 0 to that of its last name. */
static const char *number_fault(Arena *arena, const char *field, int value, int last,
                                const char *last_name)
{
  if (value >= 0 && value <= last) return NULL;
  return arena_printf(arena, "option '%s' is %d: it is 0 to %d (%s)", field, value, last,
                      last_name);
}

static const char *texts_fault(Arena *arena, const char *field, const char *const *texts,
                               size_t count)
{
  for (size_t i = 0; i < count; ++i)
    if (!texts || !texts[i])
      return arena_printf(arena, "option '%s': text %zu of %zu is NULL", field, i, count);
  return NULL;
}

const char *compile_options_fault(Arena *arena, const ck_compile_options_t *options)
{
  const ck_compile_options_t *o = options;
  const char *fault = number_fault(arena, "emit", (int)o->emit, CK_EMIT_HEADS, "CK_EMIT_HEADS");
  if (!fault)
    fault = number_fault(arena, "backend", (int)o->backend, CK_BACKEND_NVPTX, "CK_BACKEND_NVPTX");
  if (!fault) fault = number_fault(arena, "opt_level", (int)o->opt_level, CK_OPT_3, "CK_OPT_3");
  if (!fault && o->flags & ~(uint32_t)ALL_FLAGS)
    fault = arena_printf(arena, "option 'flags' is 0x%x: it has bits of 0x%x (CK_COMPILE_*)",
                         o->flags, (unsigned)ALL_FLAGS);
  if (!fault) fault = texts_fault(arena, "defines", o->defines, o->define_count);
  if (!fault) fault = texts_fault(arena, "instances", o->instances, o->instance_count);
  if (!fault)
    fault = texts_fault(arena, "import_folders", o->import_folders, o->import_folder_count);
  if (!fault) fault = texts_fault(arena, "no_repairs", o->no_repairs, o->no_repair_count);
  if (!fault) fault = texts_fault(arena, "kernels", o->kernels, o->kernel_count);
  return fault;
}
