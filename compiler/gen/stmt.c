/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stmt.c - generates statements as basic blocks.
 *
 * A for loop tests at its end, by the distance that is left, which can't overflow as `i + step <
 * hi` could. A loop that counts down is the mirror image. Nothing is emitted behind a return, break
 * or continue.
 *
 *          br lo < hi, body, end
 *     body: i = phi(lo, i + step); ...          continue: br next    break: br end
 *     next: br hi - i > step, body, end
 *     end:
 */
#include "gen/gen_private.h"

#include <string.h>

static Slot *new_slot(Gen *g, Node *decl, LLVMValueRef value, bool is_memory, unsigned space)
{
  Slot made = {.kind = is_memory ? SLOT_memory : SLOT_value, .value = value, .space = space};
  Slot *slot = gen_slot(g, decl, made);
  if (value) gen_debug_variable(g, decl, slot, 0);
  return slot;
}

static bool is_in_memory(const Type *type)
{
  return type->has_array || gen_is_large(type);
}

static void bind_array(Gen *g, Node *decl, Node *value)
{
  Place place = gen_local(g, decl->type, decl->name->text);
  gen_store_node(g, &place, value);
  new_slot(g, decl, place.address, true, SPACE_GENERIC);
}

/* Binds a value to a declaration: as a value, or in memory if it is a `var`, an array or large. */
static void bind_value(Gen *g, Node *decl, LLVMValueRef value)
{
  if (decl->kind != NODE_var && !is_in_memory(decl->type)) {
    new_slot(g, decl, value, false, SPACE_GENERIC);
    return;
  }
  new_slot(g, decl, gen_variable(g, decl->type, decl->name->text, value), true, SPACE_GENERIC);
}

static void gen_binding(Gen *g, Node *node)
{
  if (node->type->kind == TYPE_group) return; /* another name for a tile: no code */
  if (node->kind == NODE_let && node->type->kind == TYPE_span) {
    Slot *slot = new_slot(g, node, NULL, false, SPACE_GENERIC);
    slot->kind = SLOT_view;
    slot->view = gen_view(g, node->b);
    gen_debug_variable(g, node, slot, 0);
    return;
  }
  if (is_in_memory(node->type)) {
    bind_array(g, node, node->b);
    return;
  }
  struct Chain *chain = NULL;
  bind_value(g, node,
             node->b ? gen_check_let(g, node, &chain) : LLVMConstNull(gen_type(g, node->type)));
  ((Slot *)node->gen)->chain = chain;
}

static void gen_unpack(Gen *g, Node *node)
{
  LLVMValueRef value = gen_expr(g, node->b);
  unsigned i = 0;
  for (Node *decl = node->a; decl; decl = decl->next, ++i)
    bind_value(g, decl, gen_part(g, value, node->b->type, i, decl->name->text));
}

static bool is_swizzle(const Node *target)
{
  return target->kind == NODE_member && target->type->kind == TYPE_vector &&
         target->a->type->kind == TYPE_vector;
}

static void gen_assign(Gen *g, Node *node)
{
  if (node->a->kind == NODE_tuple) {
    LLVMValueRef value = gen_expr(g, node->b);
    unsigned i = 0;
    for (Node *target = node->a->a; target; target = target->next, ++i) {
      if (is_swizzle(target)) {
        gen_swizzle_store(g, target, gen_part(g, value, node->b->type, i, ""));
        continue;
      }
      Place place = gen_place(g, target);
      gen_store(g, &place, gen_part(g, value, node->b->type, i, ""));
    }
    return;
  }
  Place place;
  LLVMValueRef value;
  if (is_in_memory(node->a->type) && gen_is_place(node->b)) {
    Place from = gen_place(g, node->b);
    place = gen_place(g, node->a);
    gen_copy(g, &place, &from);
    return;
  }
  if (is_swizzle(node->a)) {
    value = gen_expr(g, node->b);
    LLVMValueRef old = node->op ? gen_swizzle(g, node->a) : NULL;
    if (op_takes(node->op) == TAKES_SHIFT)
      value = gen_shift(g, node->op, node->a->type, old, value, node->b->type, false);
    else if (node->op) value = gen_binary(g, node->op, node->a->type, old, value);
    gen_swizzle_store(g, node->a, value);
    return;
  }
  if (node->a->type->kind == TYPE_array && node->b->kind == NODE_list) {
    place = gen_place(g, node->a);
    gen_store_node(g, &place, node->b);
    return;
  }
  if (node->c) { /* p op= v by an operator function, which takes the old value */
    place = gen_place(g, node->a);
    bind_value(g, node->c, gen_load(g, &place, ""));
    value = gen_expr(g, node->b);
  } else if (!node->op) {
    value = gen_expr(g, node->b);
    place = gen_place(g, node->a);
  } else {
    place = gen_place(g, node->a);
    if (place.type->kind == TYPE_pointer) {
      gen_store(g, &place,
                gen_pointer_sum(g, node->op, place.type, gen_load(g, &place, ""), node->b));
      return;
    }
    LLVMValueRef right = gen_expr(g, node->b), left = gen_load(g, &place, "");
    bool is_shift = op_takes(node->op) == TAKES_SHIFT;
    value = is_shift ? gen_shift(g, node->op, place.type, left, right, node->b->type,
                                 node->b->kind == NODE_int)
                     : gen_binary(g, node->op, place.type, left, right);
  }
  gen_debug_at(g, node);
  gen_store(g, &place, value);
}

static void gen_if(Gen *g, Node *node)
{
  /* The step of a plan is launched only where its conditions are met (check/scratch.c). */
  Node *taken = node->flags & FLAG_holds ? node->b : node->flags & FLAG_fails ? node->c : node;
  if (taken != node && !(node->flags & FLAG_open)) {
    if (taken) gen_statement(g, taken);
    return;
  }
  LLVMValueRef condition = gen_expr(g, node->a);
  LLVMBasicBlockRef then = gen_block(g, "if.then"),
                    otherwise = node->c ? gen_block(g, "if.else") : NULL,
                    end = gen_block(g, "if.end");
  LLVMBuildCondBr(g->builder, condition, then, otherwise ? otherwise : end);
  gen_at(g, then);
  gen_statement(g, node->b);
  gen_branch(g, end);
  if (otherwise) {
    gen_at(g, otherwise);
    gen_statement(g, node->c);
    gen_branch(g, end);
  }
  gen_at(g, end);
}

static void gen_body(Gen *g, Node *body, LLVMBasicBlockRef on_break, LLVMBasicBlockRef on_continue)
{
  LLVMBasicBlockRef outer_break = g->state->on_break, outer_continue = g->state->on_continue;
  g->state->on_break = on_break;
  g->state->on_continue = on_continue;
  gen_statement(g, body);
  gen_branch(g, on_continue);
  g->state->on_break = outer_break;
  g->state->on_continue = outer_continue;
}

void gen_mark(Gen *g, LLVMValueRef instruction, const char *mark)
{
  LLVMMetadataRef node = LLVMMDNodeInContext2(g->context, NULL, 0);
  LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(g->context, mark, (unsigned)strlen(mark)),
                  LLVMMetadataAsValue(g->context, node));
}

bool gen_is_marked(Gen *g, LLVMValueRef instruction, const char *mark)
{
  unsigned kind = LLVMGetMDKindIDInContext(g->context, mark, (unsigned)strlen(mark));
  return LLVMGetMetadata(instruction, kind) != NULL;
}

/* Modules for LLVM's own optimiser don't need the marks of loops and have none. */
static void mark_loop(Gen *g, LLVMValueRef branch, const char *mark)
{
  if (g->c->options.backend == CK_BACKEND_LIBNVVM) gen_mark(g, branch, mark);
}

static void gen_while(Gen *g, Node *node)
{
  LLVMBasicBlockRef test = gen_block(g, "while.test"), body = gen_block(g, "while.body"),
                    end = gen_block(g, "while.end");
  gen_go(g, test);
  mark_loop(g, LLVMBuildCondBr(g->builder, gen_expr(g, node->a), body, end), GEN_MARK_while);
  gen_at(g, body);
  gen_body(g, node->b, end, test);
  gen_at(g, end);
}

/* May no loop of the function be unrolled? A host kernel that waits is split at its waits, and
 * each piece is a copy of the kernel with what it reaches: the cost of repeated code is
 * quadratic there. */
static bool is_kept(const Gen *g)
{
  return g->target->has_coroutines && g->state->item->flags & FLAG_waits;
}

/* !{!self, !{!"llvm.loop.unroll.full"}} on the loop's back branch. */
void gen_mark_unroll(Gen *g, LLVMValueRef branch, const char *how, uint64_t count)
{
  const char *name = arena_printf(&g->c->scratch, "llvm.loop.unroll.%s", how);
  LLVMMetadataRef words[2] = {LLVMMDStringInContext2(g->context, name, strlen(name)), NULL};
  if (count) words[1] = LLVMValueAsMetadata(gen_int(g, g->i32, count));
  LLVMMetadataRef hint = LLVMMDNodeInContext2(g->context, words, count ? 2 : 1);
  LLVMMetadataRef self = LLVMTemporaryMDNode(g->context, NULL, 0), parts[2] = {self, hint};
  LLVMMetadataRef loop = LLVMMDNodeInContext2(g->context, parts, 2);
  LLVMMetadataReplaceAllUsesWith(self, loop);
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(g->context, "llvm.loop", 9),
                  LLVMMetadataAsValue(g->context, loop));
}

static LLVMValueRef is_below(Gen *g, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
  return LLVMBuildICmp(g->builder, is_signed ? LLVMIntSLT : LLVMIntULT, a, b, "");
}

/* The last number of a range that is not empty: lo + (hi - 1 - lo) / step * step. */
static LLVMValueRef last_of(Gen *g, LLVMValueRef lo, LLVMValueRef hi, LLVMValueRef step,
                            bool is_one)
{
  LLVMValueRef one = gen_int(g, LLVMTypeOf(lo), 1), last = LLVMBuildSub(g->builder, hi, one, "");
  if (is_one) return last;
  LLVMValueRef way = LLVMBuildSub(g->builder, last, lo, ""); /* unsigned, whatever the type */
  return LLVMBuildSub(g->builder, last, LLVMBuildURem(g->builder, way, step, ""), "");
}

/* Does quick code have the loop as a loop? With fewer rounds the optimiser decides, by the size of
 * the code. */
static bool is_long(const Gen *g, LLVMValueRef lo, LLVMValueRef hi)
{
  enum { ROUNDS_MAX = 4 };
  if (!g->c->is_quick) return false;
  if (!LLVMIsAConstantInt(lo) || !LLVMIsAConstantInt(hi)) return true;
  return LLVMConstIntGetZExtValue(hi) - LLVMConstIntGetZExtValue(lo) > ROUNDS_MAX;
}

/* The body of a loop for one number, up to `next`; `end` is behind the loop. */
static void gen_one_round(Gen *g, Node *node, LLVMValueRef number, LLVMBasicBlockRef end,
                          LLVMBasicBlockRef next)
{
  DebugPlace outer = gen_debug_block(g, node);
  new_slot(g, node, number, false, SPACE_GENERIC);
  gen_body(g, node->b, end, next);
  gen_debug_block_end(g, outer);
  gen_debug_at(g, node);
  gen_at(g, next);
}

static void gen_for(Gen *g, Node *node)
{
  LLVMValueRef lo, hi, step;
  gen_range(g, node->a, &lo, &hi, &step);
  if (node->flags & FLAG_plan) { /* the step of a plan is one round of the loop around its launch */
    LLVMBasicBlockRef behind = gen_block(g, "round.end");
    gen_one_round(g, node, lo, behind, behind);
    return;
  }
  Type *type = node->type;
  RangeOrder order = node->a->type->rank;
  bool is_signed = type_is_signed(type);
  if (!LLVMIsAConstantInt(step)) { /* a step below 1 counts as 1, so that the loop ends */
    LLVMValueRef one = gen_int(g, LLVMTypeOf(step), 1);
    LLVMValueRef is_step =
        LLVMBuildICmp(g->builder, is_signed ? LLVMIntSGT : LLVMIntUGT, step, one, "");
    step = LLVMBuildSelect(g->builder, is_step, step, one, "");
  }
  bool is_one = LLVMIsAConstantInt(step) && LLVMConstIntGetZExtValue(step) == 1;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder), body = gen_block(g, "for.body"),
                    next = gen_block(g, "for.next"), end = gen_block(g, "for.end");
  LLVMValueRef is_some =
      order == RANGE_down ? is_below(g, is_signed, hi, lo) : is_below(g, is_signed, lo, hi);
  LLVMValueRef first = order == RANGE_reversed ? last_of(g, lo, hi, step, is_one) : lo;
  LLVMBuildCondBr(g->builder, is_some, body, end);
  gen_at(g, body);
  LLVMValueRef i = LLVMBuildPhi(g->builder, gen_type(g, type), node->name->text);
  gen_one_round(g, node, i, end, next);
  LLVMValueRef more, on = order == RANGE_up ? LLVMBuildAdd(g->builder, i, step, "")
                                            : LLVMBuildSub(g->builder, i, step, "");
  if (order == RANGE_reversed) { /* lo is one of the numbers, hi is none */
    more = LLVMBuildICmp(g->builder, LLVMIntNE, i, lo, "");
  } else if (is_one) {
    more = LLVMBuildICmp(g->builder, LLVMIntNE, on, hi, "");
  } else {
    LLVMValueRef left = order == RANGE_up ? LLVMBuildSub(g->builder, hi, i, "")
                                          : LLVMBuildSub(g->builder, i, hi, "");
    more = LLVMBuildICmp(g->builder, LLVMIntUGT, left, step, "");
  }
  LLVMValueRef branch = LLVMBuildCondBr(g->builder, more, body, end);
  mark_loop(g, branch, GEN_MARK_for);
  gen_incoming(i, first, before, on, next);
  if (is_kept(g) || is_long(g, lo, hi)) gen_mark_unroll(g, branch, "disable", 0);
  else if (node->op == OP_unroll && !g->c->is_quick)
    gen_mark_unroll(g, branch, node->c ? "count" : "full", node->c ? node->c->bits : 0);
  gen_at(g, end);
}

static void gen_return(Gen *g, Node *node)
{
  LLVMValueRef value = NULL;
  g->state->is_tail = node->a && node->a->kind == NODE_call;
  if (node->a) value = gen_expr(g, node->a);
  gen_debug_at(g, node);
  if (g->state->on_return) LLVMBuildBr(g->builder, g->state->on_return);
  else if (value && g->state->result) {
    Place place = {g->state->result, SPACE_GENERIC, g->state->item->type, false, NULL};
    gen_store(g, &place, value);
    LLVMBuildRetVoid(g->builder);
  } else if (value && g->state->item->type != g->c->types->none) LLVMBuildRet(g->builder, value);
  else LLVMBuildRetVoid(g->builder);
}

/* Returns from a copy of a plan, whose launch has been executed. What follows is of the host, or of
 * other launches; its values are not to be read yet. */
void gen_leave(Gen *g)
{
  const Type *type = g->state->item->type;
  LLVMBuilderRef b = g->builder;
  bool has_value =
      g->state->item->kind == NODE_function && type != g->c->types->none && !g->state->result;
  if (g->state->on_return) LLVMBuildBr(b, g->state->on_return);
  else if (has_value) LLVMBuildRet(b, LLVMGetUndef(gen_type(g, (Type *)(uintptr_t)type)));
  else LLVMBuildRetVoid(b);
  gen_at(g, gen_block(g, "launched"));
}

void gen_statement(Gen *g, Node *node)
{
  if (gen_is_ended(g)) return;
  gen_debug_at(g, node);
  switch ((NodeKind)node->kind) {
  case NODE_block: {
    DebugPlace outer = gen_debug_block(g, node);
    for (Node *statement = node->a; statement; statement = statement->next)
      gen_statement(g, statement);
    gen_debug_block_end(g, outer);
    return;
  }
  case NODE_constant:
  case NODE_alias:
  case NODE_static_assert: return;
  case NODE_let:
  case NODE_var: gen_binding(g, node); return;
  case NODE_shared: gen_shared(g, node); return;
  case NODE_scratch: gen_scratch(g, node); return;
  case NODE_unpack: gen_unpack(g, node); return;
  case NODE_assign: gen_assign(g, node); return;
  case NODE_if: gen_if(g, node); return;
  case NODE_while: gen_while(g, node); return;
  case NODE_for: gen_for(g, node); return;
  case NODE_break: LLVMBuildBr(g->builder, g->state->on_break); return;
  case NODE_continue: LLVMBuildBr(g->builder, g->state->on_continue); return;
  case NODE_return: gen_return(g, node); return;
  case NODE_launch:
  case NODE_evaluate:
    g->state->unused = node->a;
    gen_unused(g, gen_expr(g, node->a));
    if (node->kind == NODE_launch) gen_leave(g);
    return;
  default: die("no code for a '%s'", node_kind_name(node->kind));
  }
}
