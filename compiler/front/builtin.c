/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* builtin.c - finds the rows of builtin.def by name, by binary search. */
#include "front/builtin.h"
#include "front/front.h"

#include <stdlib.h>
#include <string.h>

static const Builtin forms[] = {
#define FORM(id, name, arguments, text) {name, FORM_##id, arguments, "", EFFECT_PURE, 0, "", ""},
#include "front/builtin.def"
};

static const Builtin intrinsics[] = {
#define INTRINSIC(name, signature, effect, sm, gpu, host)                                          \
  {name, FORM_intrinsic, "", signature, EFFECT_##effect, sm, gpu, host},
#include "front/builtin.def"
};

typedef struct Fast {
  const char *name, *gpu;
} Fast;

static const Fast fasts[] = {
#define FAST(name, gpu) {name, gpu},
#include "front/builtin.def"
};

static int by_name(const void *key, const void *row)
{
  return strcmp(key, ((const Builtin *)row)->name);
}

const Builtin *builtin_named(const Name *name)
{
  if (!strncmp(name->text, "__", 2)) {
    const Builtin *found =
        bsearch(name->text, intrinsics, COUNT_OF(intrinsics), sizeof *intrinsics, by_name);
    if (found) return found;
  }
  return bsearch(name->text, forms, COUNT_OF(forms), sizeof *forms, by_name);
}

static int by_fast_name(const void *key, const void *row)
{
  return strcmp(key, ((const Fast *)row)->name);
}

const char *builtin_gpu(const Builtin *builtin, bool is_fast)
{
  const Fast *fast = NULL;
  if (is_fast) fast = bsearch(builtin->name, fasts, COUNT_OF(fasts), sizeof *fasts, by_fast_name);
  return fast ? fast->gpu : builtin->gpu;
}

const Builtin *builtin_form(FormId form)
{
  return &forms[form - 1];
}

Type *builtin_type(const Types *types, char letter)
{
  switch (letter) {
  case 'b': return types->type_bool;
  case 'i': return types->type_i32;
  case 'u': return types->type_u32;
  case 'l': return types->type_i64;
  case 'w': return types->type_u64;
  case 'h': return types->type_f16;
  case 'k': return types->type_bf16;
  case 'f': return types->type_f32;
  case 'd': return types->type_f64;
  default: return types->none;
  }
}
