/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* scratch.c - generates scratch memory: bump allocators in the memory of the grid.
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
 *
 * The step of a plan (check/plan.c) has three kinds of hidden parameters: the address of the
 * scratch memory, that of the persistent one, and the index of each loop around the launch. They
 * are kept in an array of integers, whose first one is the top, so that functions take no more
 * parameters. All of these calls are inlined, and LLVM makes values of the array's elements.
 *
 *     state: | top | top of the persistent memory | result | depth | loops: 4 | persistent memory |
 */
#include "gen/gen_private.h"

#include <string.h>

enum State { TOP, KEPT_TOP, RESULT, DEPTH, LOOPS, KEPT = LOOPS + PLAN_LOOPS_MAX, STATE_COUNT };

unsigned gen_scratch_types(Gen *g, const Node *kernel, LLVMTypeRef *types)
{
  unsigned count = 0;
  LLVMTypeRef address = LLVMPointerTypeInContext(g->context, g->global_space);
  const PlanStep *step = kernel->flags & FLAG_plan ? plan_step(g->c, kernel) : NULL;
  if (kernel->flags & FLAG_scratch) types[count++] = address;
  if (step) types[count++] = address;
  for (uint32_t i = 0; step && i < step->loop_count; ++i) types[count++] = g->i64;
  return count;
}

/* Names the hidden parameters, of which the first has the index. */
void gen_scratch_names(const Node *kernel, LLVMValueRef function, unsigned index)
{
  static const char *const names[] = {"scratch", "kept", "loop"};
  unsigned count = kernel->flags & FLAG_scratch ? LLVMCountParams(function) - index : 0;
  for (unsigned i = 0; i < count; ++i) {
    const char *name = names[i < COUNT_OF(names) ? i : COUNT_OF(names) - 1];
    LLVMSetValueName2(LLVMGetParam(function, index + i), name, strlen(name));
  }
}

void gen_scratch_open(Gen *g, const Node *kernel, const LLVMValueRef *values)
{
  bool has_scratch = kernel->flags & FLAG_scratch, is_step = kernel->flags & FLAG_plan;
  Type *u64 = g->c->types->type_u64;
  Type *type = is_step ? type_array(g->c->types, u64, STATE_COUNT) : u64;
  g->state->scratch = has_scratch ? values[0] : NULL;
  g->state->scratch_top = has_scratch ? gen_alloca(g, type, "scratch_top") : NULL;
  uint32_t count = is_step ? 1 + plan_step(g->c, kernel)->loop_count : 0;
  for (uint32_t i = 0; i < count; ++i) g->state->step_values[i] = values[1 + i];
}

static Place state_place(Gen *g, LLVMValueRef index)
{
  LLVMValueRef at = LLVMBuildInBoundsGEP2(g->builder, g->i64, g->state->scratch_top, &index, 1, "");
  return (Place){at, SPACE_GENERIC, g->c->types->type_u64, false, NULL};
}

static LLVMValueRef state_load(Gen *g, enum State id)
{
  Place place = state_place(g, gen_int(g, g->i64, id));
  return gen_load(g, &place, "");
}

static void state_store(Gen *g, enum State id, LLVMValueRef value)
{
  Place place = state_place(g, gen_int(g, g->i64, id));
  gen_store(g, &place, value);
}

/* The address of the step's result, or 0. */
static LLVMValueRef result_address(Gen *g, const PlanStep *step)
{
  if (!step->plan->in_place) return gen_int(g, g->i64, 0);
  const Slot *slot = node_last(step->kernel->b)->gen;
  return LLVMBuildPtrToInt(g->builder, slot->view.address, g->i64, "");
}

void gen_scratch_start(Gen *g)
{
  if (!g->state->scratch) return;
  state_store(g, TOP, gen_int(g, g->i64, 0));
  const PlanStep *step = g->state->item->flags & FLAG_plan ? plan_step(g->c, g->state->item) : NULL;
  if (!step) return;
  const LLVMValueRef *values = g->state->step_values;
  state_store(g, KEPT_TOP, gen_int(g, g->i64, KEPT_HEAD));
  state_store(g, RESULT, result_address(g, step));
  state_store(g, DEPTH, gen_int(g, g->i64, 0));
  state_store(g, KEPT, LLVMBuildPtrToInt(g->builder, *values++, g->i64, ""));
  for (uint32_t i = 0; i < step->loop_count; ++i) state_store(g, LOOPS + i, *values++);
}

LLVMValueRef gen_scratch_call(Gen *g)
{
  LLVMValueRef outer = state_load(g, RESULT);
  state_store(g, RESULT, gen_int(g, g->i64, 0));
  return outer;
}

void gen_scratch_called(Gen *g, LLVMValueRef outer)
{
  state_store(g, RESULT, outer);
}

/* A loop around the launch asks once for its index, and once for the end of its only round. */
LLVMValueRef gen_step_word(Gen *g, const char *word)
{
  LLVMBuilderRef b = g->builder;
  LLVMValueRef one = gen_int(g, g->i64, 1);
  if (!strcmp(word, "kept")) return state_load(g, KEPT);
  bool is_end = !strcmp(word, "loop_end");
  LLVMValueRef depth = state_load(g, DEPTH), index = depth;
  if (is_end) index = LLVMBuildSub(b, depth, one, "");
  else state_store(g, DEPTH, LLVMBuildAdd(b, depth, one, ""));
  Place place = state_place(g, LLVMBuildAdd(b, index, gen_int(g, g->i64, LOOPS), ""));
  LLVMValueRef value = gen_load(g, &place, "");
  return is_end ? LLVMBuildAdd(b, value, one, "") : value;
}

static LLVMValueRef pointer_to(Gen *g, LLVMValueRef address)
{
  LLVMTypeRef type = LLVMPointerTypeInContext(g->context, g->global_space);
  return LLVMBuildIntToPtr(g->builder, address, type, "");
}

void gen_scratch(Gen *g, Node *node)
{
  LLVMBuilderRef b = g->builder;
  View view = {.space = g->global_space, .rank = node->type->rank};
  LLVMValueRef bytes = gen_extents(g, node, &view);
  bool is_kept = node->flags & FLAG_persistent;
  enum State top = is_kept ? KEPT_TOP : TOP;
  LLVMValueRef at = state_load(g, top),
               mask = gen_int(g, g->i64, ~(uint64_t)(SCRATCH_ALIGNMENT - 1)),
               base = is_kept ? pointer_to(g, state_load(g, KEPT)) : g->state->scratch;
  view.address = LLVMBuildInBoundsGEP2(b, g->i8, base, &at, 1, node->name->text);
  bytes = LLVMBuildAdd(b, bytes, gen_int(g, g->i64, SCRATCH_ALIGNMENT - 1), "");
  state_store(g, top, LLVMBuildAdd(b, at, LLVMBuildAnd(b, bytes, mask, ""), ""));
  if (node->flags & FLAG_plan) { /* where the caller wants the result, if it says so */
    LLVMValueRef result = state_load(g, RESULT),
                 is_given = LLVMBuildICmp(b, LLVMIntNE, result, gen_int(g, g->i64, 0), "");
    view.address = LLVMBuildSelect(b, is_given, pointer_to(g, result), view.address, "");
  }
  gen_slot(g, node, (Slot){.kind = SLOT_view, .view = view});
}
