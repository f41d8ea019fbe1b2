/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* constant.c - puts constants that are arrays, tuples, structs or vectors into read-only memory.
 *
 * On a GPU that is constant memory (address space 4), whose cache serves a warp in one access if
 * all threads read the same address. It has 64 KB; constants that don't fit go to global memory. On
 * the host they are in the code's read-only data.
 */
#include "gen/gen_private.h"

static LLVMValueRef data_of(Gen *g, Node *node);

static LLVMValueRef *data_list(Gen *g, Node *list, unsigned *out_count)
{
  LLVMValueRef *values = NEW_ARRAY(&g->c->scratch, LLVMValueRef, node_count(list) + 1);
  *out_count = 0;
  for (Node *item = list; item; item = item->next) values[(*out_count)++] = data_of(g, item);
  return values;
}

/* The constant of a vector; the builder folds constant operands. */
static LLVMValueRef vector_data(Gen *g, Node *node)
{
  LLVMValueRef value = gen_expr(g, node);
  if (node->type->element->kind == TYPE_bool)
    value = LLVMBuildZExt(g->builder, value, gen_memory_type(g, node->type), "");
  if (!LLVMIsConstant(value)) die("a constant vector is not constant");
  return value;
}

/* A constant in its layout in memory, where a bool is a byte. The type has the layout of
 * gen_memory_type(), but need not be the same type. */
static LLVMValueRef data_of(Gen *g, Node *node)
{
  unsigned count;
  LLVMValueRef *parts;
  switch ((NodeKind)node->kind) {
  case NODE_bool: return gen_int(g, g->i8, node->bits);
  case NODE_int:
  case NODE_float: return gen_expr(g, node);
  case NODE_name: return data_of(g, node->decl->b);
  case NODE_list:
    parts = data_list(g, node->a, &count);
    return LLVMConstArray2(count ? LLVMTypeOf(parts[0]) : gen_memory_type(g, node->type->element),
                           parts, count);
  case NODE_tuple:
    parts = data_list(g, node->a, &count);
    return LLVMConstStructInContext(g->context, parts, count, false);
  default:
    if (node->type->kind == TYPE_vector) return vector_data(g, node);
    parts = data_list(g, node->b, &count);
    return LLVMConstStructInContext(g->context, parts, count, false);
  }
}

Slot *gen_constant_slot(Gen *g, Node *constant)
{
  enum { BYTES_MAX = 64 << 10 };
  if (constant->gen) return constant->gen;
  uint64_t bytes = (type_bytes(constant->type) + 15) / 16 * 16;
  bool is_small = g->state->constant_bytes + bytes <= BYTES_MAX;
  unsigned space = !g->target->has_spaces ? SPACE_GENERIC
                   : is_small             ? SPACE_CONSTANT
                                          : SPACE_GLOBAL;
  if (is_small) g->state->constant_bytes += bytes;
  LLVMValueRef data = data_of(g, constant->b);
  const char *name = arena_printf(&g->c->scratch, "ck.const%u", g->state->string_count++);
  LLVMValueRef global = LLVMAddGlobalInAddressSpace(g->module, LLVMTypeOf(data), name, space);
  LLVMSetInitializer(global, data);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  LLVMSetAlignment(global, 16);
  return gen_slot(g, constant, (Slot){.kind = SLOT_memory, .value = global, .space = space});
}
