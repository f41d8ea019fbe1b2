/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* scratch.c - generates scratch memory: a bump allocator in the grid's allocation.
 *
 * A kernel with scratch memory has the address of its allocation as a last parameter. Each
 * declaration takes the next bytes and moves the top, a variable of the thread. All threads of the
 * grid execute the same declarations in the same order, so their tops agree without communication.
 * A function with scratch memory takes the address, and the address of the top, as hidden
 * parameters. The size of the allocation is check/scratch.c's; offsets must be computed here
 * exactly as the size is there.
 *
 *     scratch a: u32[n]; scratch b: f32[m];      | a, rounded up to 256 | b, rounded up to 256 |
 *                                               scratch               top after a      top after b
 */
#include "gen/gen_private.h"

void gen_scratch_open(Gen *g, const Node *kernel, LLVMValueRef address)
{
  (void)kernel;
  g->state->scratch = address;
  g->state->scratch_top = address ? gen_alloca(g, g->c->types->type_u64, "scratch_top") : NULL;
}

static Place top_place(Gen *g)
{
  return (Place){g->state->scratch_top, SPACE_GENERIC, g->c->types->type_u64, false, NULL};
}

void gen_scratch_start(Gen *g)
{
  if (!g->state->scratch) return;
  Place top = top_place(g);
  gen_store(g, &top, gen_int(g, g->i64, 0));
}

void gen_scratch(Gen *g, Node *node)
{
  LLVMBuilderRef b = g->builder;
  View view = {.space = g->global_space, .rank = node->type->rank};
  LLVMValueRef bytes = gen_int(g, g->i64, type_bytes(node->type->element));
  unsigned k = 0;
  for (Node *extent = node->a->b; extent; extent = extent->next) {
    view.extents[k] = gen_i64(g, extent);
    bytes = LLVMBuildMul(b, bytes, view.extents[k++], "");
  }
  Place top = top_place(g);
  LLVMValueRef at = gen_load(g, &top, ""),
               mask = gen_int(g, g->i64, ~(uint64_t)(SCRATCH_ALIGNMENT - 1));
  view.address = LLVMBuildInBoundsGEP2(b, g->i8, g->state->scratch, &at, 1, node->name->text);
  bytes = LLVMBuildAdd(b, bytes, gen_int(g, g->i64, SCRATCH_ALIGNMENT - 1), "");
  gen_store(g, &top, LLVMBuildAdd(b, at, LLVMBuildAnd(b, bytes, mask, ""), ""));
  Slot *slot = NEW(g->c->unit, Slot);
  *slot = (Slot){.kind = SLOT_view, .view = view};
  node->gen = slot;
}
