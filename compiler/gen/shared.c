/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* shared.c - gives shared variables their addresses, at the offsets of check/shared.c.
 *
 * GPU    A kernel's outermost variables are global variables: one for each, so that LLVM knows
 *        that they don't alias, or one for each room of variables that share bytes, named after
 *        the first of them. The rest of the kernel's frame is one more, `KERNEL.shared`. If a
 *        kernel needs more than static shared memory holds, all of it is dynamic shared memory.
 * host   All of it lies in the block's memory, at its offset.
 *
 * A function with a frame takes the frame's address as a hidden parameter. Variables with dynamic
 * extents come behind, in dynamic shared memory, one after the other.
 */
#include "gen/gen_private.h"

#include <stddef.h>

enum { ALIGNMENT = 16 };

static LLVMValueRef at_offset(Gen *g, LLVMValueRef base, LLVMValueRef offset, const char *name)
{
  return LLVMBuildInBoundsGEP2(g->builder, g->i8, base, &offset, 1, name);
}

static LLVMValueRef block_field(Gen *g, LLVMValueRef block, size_t offset, const char *name)
{
  LLVMValueRef at = at_offset(g, block, gen_int(g, g->i64, offset), "");
  return LLVMBuildLoad2(g->builder, g->ptr, at, name);
}

/* The dynamic shared memory, whose size the launch gives (.extern .shared). There is one for the
 * module, with the largest alignment that any kernel needs. */
static LLVMValueRef dynamic_global(Gen *g)
{
  static const char name[] = "ck_dynamic_shared";
  LLVMValueRef global = LLVMGetNamedGlobal(g->module, name);
  LLVMTypeRef type = LLVMArrayType2(g->i8, 0);
  unsigned alignment = shared_dynamic_alignment(g->state->item);
  if (!global) global = LLVMAddGlobalInAddressSpace(g->module, type, name, SPACE_SHARED);
  if (LLVMGetAlignment(global) < alignment) LLVMSetAlignment(global, alignment);
  return global;
}

/* An atomic operation of 8 or 16 bits accesses the aligned 4 bytes around the value, so variables
 * are padded to whole words. */
static LLVMTypeRef whole_words(Gen *g, LLVMTypeRef type, uint64_t bytes)
{
  if (bytes % 4 == 0) return type;
  LLVMTypeRef parts[2] = {type, LLVMArrayType2(g->i8, 4 - bytes % 4)};
  return LLVMStructTypeInContext(g->context, parts, 2, false);
}

static const char *symbol(Gen *g, const char *variable)
{
  /* ptxas refuses a dot in what debug sections name. */
  const char *form = gen_debug_is_full(g) ? "%s$%s" : "%s.%s";
  return arena_printf(&g->c->scratch, form, generic_symbol(g->c, g->state->item->name->text),
                      variable);
}

static LLVMValueRef shared_global(Gen *g, LLVMTypeRef type, const char *variable)
{
  const char *name = symbol(g, variable);
  LLVMValueRef global = LLVMAddGlobalInAddressSpace(g->module, type, name, SPACE_SHARED);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  LLVMSetInitializer(global, LLVMGetUndef(type));
  LLVMSetAlignment(global, ALIGNMENT);
  return global;
}

/* Rounds up to where the next variable with dynamic extents may begin. */
static LLVMValueRef round_up(Gen *g, LLVMValueRef bytes)
{
  uint64_t last = shared_dynamic_alignment(g->state->item) - 1;
  LLVMValueRef beyond = LLVMBuildAdd(g->builder, bytes, gen_int(g, g->i64, last), "");
  return LLVMBuildAnd(g->builder, beyond, gen_int(g, g->i64, ~last), "");
}

void gen_shared_open(Gen *g, Node *kernel, LLVMValueRef block)
{
  uint64_t bytes = shared_bytes(g->c, kernel), own = shared_own_bytes(g->c, kernel);
  bool is_large = shared_is_large(g->c, kernel);
  g->state->frame_from = 0;
  g->state->has_globals = g->target->has_shared && !is_large;
  g->state->dynamic_base = g->state->frame = NULL;
  g->state->dynamic_top = round_up(g, gen_int(g, g->i64, is_large ? bytes : 0));
  if (!g->target->has_shared) {
    g->state->dynamic_base = block_field(g, block, offsetof(ck_host_block_t, dynamic), "dynamic");
    g->state->frame = is_large ? g->state->dynamic_base
                               : block_field(g, block, offsetof(ck_host_block_t, shared), "shared");
  } else if (is_large) {
    g->state->frame = dynamic_global(g);
  } else if (bytes > own) {
    g->state->frame = shared_global(g, LLVMArrayType2(g->i8, bytes - own), "shared");
    g->state->frame_from = own;
  }
}

LLVMValueRef gen_frame_at(Gen *g, const Node *offset)
{
  uint64_t at = offset->bits - g->state->frame_from;
  return at_offset(g, g->state->frame, gen_int(g, g->i64, at), "");
}

LLVMValueRef gen_extents(Gen *g, const Node *node, View *view)
{
  LLVMValueRef bytes = gen_int(g, g->i64, type_bytes(node->type->element));
  unsigned k = 0;
  for (Node *extent = node->a->b; extent; extent = extent->next) {
    view->extents[k] = gen_i64(g, extent);
    bytes = LLVMBuildMul(g->builder, bytes, view->extents[k++], "");
  }
  return bytes;
}

static void gen_dynamic(Gen *g, Node *node)
{
  View view = {.space = g->shared_space, .rank = node->type->rank};
  LLVMValueRef base = g->target->has_shared ? dynamic_global(g) : g->state->dynamic_base,
               bytes = gen_extents(g, node, &view);
  view.address = at_offset(g, base, g->state->dynamic_top, node->name->text);
  g->state->dynamic_top = LLVMBuildAdd(g->builder, g->state->dynamic_top, round_up(g, bytes), "");
  gen_slot(g, node, (Slot){.kind = SLOT_view, .view = view});
}

/* The address of a kernel's outermost variable: its global variable, or its place in its room's. */
static LLVMValueRef outermost_value(Gen *g, const Node *node)
{
  const SharedRoom *room = shared_room(g->c, g->state->item, node->b->bits);
  bool is_common = room->count > 1;
  LLVMValueRef global = room->first != node
                            ? LLVMGetNamedGlobal(g->module, symbol(g, room->first->name->text))
                            : NULL;
  if (!global) {
    LLVMTypeRef type = is_common
                           ? LLVMArrayType2(g->i8, room->hi - room->lo)
                           : whole_words(g, gen_memory_type(g, node->type), type_bytes(node->type));
    global = shared_global(g, type, room->first->name->text);
    LLVMSetAlignment(global, room->alignment);
  }
  if (!is_common) return global;
  return at_offset(g, global, gen_int(g, g->i64, node->b->bits - room->lo), node->name->text);
}

void gen_shared(Gen *g, Node *node)
{
  if (node->type->kind == TYPE_span) {
    gen_dynamic(g, node);
    return;
  }
  if (node->c) gen_expr(g, node->c); /* the barrier: other threads may still access these bytes */
  Slot *slot = NEW(g->c->unit, Slot);
  *slot = (Slot){.kind = SLOT_memory, .space = g->shared_space};
  bool is_own = g->state->item->kind == NODE_kernel &&
                node->b->bits < shared_own_bytes(g->c, g->state->item),
       is_global = g->state->has_globals && is_own;
  if (is_global) {
    slot->value = outermost_value(g, node);
  } else {
    LLVMValueRef offset = gen_int(g, g->i64, node->b->bits - g->state->frame_from);
    slot->value = at_offset(g, g->state->frame, offset, node->name->text);
    if (!is_own) gen_check_shared(g, slot->value, type_bytes(node->type));
  }
  if (is_global || !g->target->has_shared) gen_debug_variable(g, node, slot, 0);
  node->gen = slot;
  for (Node *part = node->d; part; part = part->next) gen_shared(g, part);
}
