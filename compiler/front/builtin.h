/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* builtin.h - the rows of builtin.def: forms, each with its own checking code, and intrinsics. */
#ifndef CK_BUILTIN_H
#define CK_BUILTIN_H

#include "front/type.h"

typedef enum FormId {
  FORM_intrinsic, /* the row is an intrinsic */
#define FORM(id, ...) FORM_##id,
#include "front/builtin.def"
} FormId;

typedef enum Effect {
  EFFECT_PURE,
  EFFECT_WAIT,
  EFFECT_BLOCK,
  EFFECT_SHAPE,
  EFFECT_STATE,
  EFFECT_GRID,
  EFFECT_AHEAD,
  EFFECT_STEP
} Effect;

struct Builtin {
  const char *name;
  FormId form;
  const char *arguments; /* of a form: the number of arguments, for messages */
  const char *signature; /* of an intrinsic: result, then parameters */
  Effect effect;
  unsigned sm;
  const char *gpu, *host;
};

const Builtin *builtin_named(const Name *name); /* or NULL */
const char *builtin_gpu(const Builtin *builtin, bool is_fast);
const Builtin *builtin_form(FormId form);
Type *builtin_type(const Types *types, char letter);

#endif
