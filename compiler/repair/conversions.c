/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* conversions.c - conversions of floats that saturate, or round to zero, are inline PTX.
 *
 * LLVM's optimiser folds llvm.nvvm.d2i.rz(x) and its like as fptosi, which is undefined where the
 * result doesn't fit, and takes d2i.rz(sitofp(x)) for x; but PTX's cvt.rzi saturates. It folds
 * llvm.nvvm.ll2d.rz(x) and its like, which round to zero, as sitofp, which rounds to nearest.
 *
 *     call i32 @llvm.nvvm.d2i.rz(double %x)   ->   asm "cvt.rzi.s32.f64 $0, $1;"
 */
#include "repair_private.h"

#include <string.h>

/* "d", "f", "i", "ui", "ll", "ull" as PTX has them; moves past it. */
static const char *type_word(const char **at)
{
  static const char *const words[][2] = {{"d", "f64"},  {"f", "f32"},  {"i", "s32"},
                                         {"ui", "u32"}, {"ll", "s64"}, {"ull", "u64"}};
  for (size_t i = 0; i < COUNT_OF(words); ++i) {
    size_t len = strlen(words[i][0]);
    if (strncmp(*at, words[i][0], len) != 0 || ((*at)[len] != '2' && (*at)[len] != '.')) continue;
    *at += len + 1;
    return words[i][1];
  }
  return NULL;
}

/* NULL: a function that is left alone. */
static const char *conversion_text(Session *c, const char *name)
{
  static const char prefix[] = "llvm.nvvm.";
  if (strncmp(name, prefix, sizeof prefix - 1) != 0) return NULL;
  const char *at = name + sizeof prefix - 1;
  const char *from = type_word(&at), *to = from ? type_word(&at) : NULL;
  if (!to || strcmp(at, "rz") != 0 || (*from == 'f') == (*to == 'f')) return NULL;
  return arena_printf(&c->scratch, "cvt.%s.%s.%s $0, $1;", *to == 'f' ? "rz" : "rzi", to, from);
}

void repair_conversions(Repair *r)
{
  Gen *g = r->g;
  for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f)) {
    size_t len;
    const char *text = conversion_text(r->c, LLVMGetValueName2(f, &len));
    for (LLVMUseRef use; text && (use = LLVMGetFirstUse(f));) {
      LLVMValueRef call = LLVMGetUser(use), value = LLVMGetOperand(call, 0);
      LLVMPositionBuilderBefore(g->builder, call);
      llvm_replace(r, call, gen_ptx_value(g, text, LLVMTypeOf(call), &value, 1));
    }
  }
}
