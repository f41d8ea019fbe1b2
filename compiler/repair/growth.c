/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* growth.c - hides integers with huge expression trees from libNVVM, which takes exponential time.
 *
 * libNVVM 13.0 unrolls loops, and its pass scev-cgp then walks over what an integer is made of, and
 * doesn't remember which values it has seen. The tree of `r = r * r + v` doubles in each iteration,
 * because both operands of the product are the same value. That takes hours for 40 iterations.
 * This repair passes an integer whose tree has more than TREE_MAX nodes through a `mov` of inline
 * PTX, which scev-cgp doesn't look into, so that the tree behind it has one node again.
 *
 * needs   libNVVM's module, its loops not unrolled yet; at -O0 nothing is done
 * gives   the same module with the `mov`s, one behind each instruction that is hidden
 * keeps   every value and the control flow
 * fails   never: after STEPS_MAX steps it leaves the rest of the kernel as it is
 *
 *     for (i in 0..40) r = r * r + v;
 *
 *     iteration        1   2   3   4   ...   14     15       the loop's code afterwards:
 *     size of r * r    2   6  14  30      32766  65534         %2 = mul i32 %r1, %r2
 *     size of r        3   7  15  31      32767      2         %3 = call i32 asm "mov..." (%2)
 *                                               hidden         %4 = add i32 %3, %v
 *
 * A walk over what each kernel does, calls included, computes these sizes without unrolling. It
 * gives each instruction a size from those of its operands, and each variable (alloca) the size of
 * what was stored last. It walks over a loop's blocks again and again, as the iterations would,
 * whatever the trip count is, until nothing changes or, from iteration ROUNDS_MIN on, the largest
 * size doesn't grow faster than in the iteration before: `r = r + v` grows by 1 and is harmless.
 *
 * A size counts what scev-cgp looks into (size_of_result), of unsigned x and constant n:
 *
 *   a + b, a - b, a * b, a & b, a | b    both operands
 *   min(a, b), max(a, b)                 both operands, also as a choice or as `if (a < v) v = a;`
 *   x / n, x >> n                        x, but four times x if x is a sum or a product: of
 *                                        (r + 5) / 7 it visits r + 5 again and again
 *   x % n                                twice x: it is x - x / n * n
 *   c ? a + b : a                        a: it is a + (c ? b : 0)
 *   c ? a : b                            the larger of a and b if c is made of constants and loop
 *                                        counters, since unrolling decides it then
 *   any other choice (a select, a phi, a store under a condition), a ^ b, a load from memory,
 *   a quotient of two variables          1: it does not look into them
 */
#include "repair_private.h"

#include <string.h>

/* Limits, of which only TREE_MAX decides what is hidden. The others end the analysis early. */
enum {
  TREE_MAX = 1 << 15,       /* the largest tree that libNVVM may walk */
  TREE_SATURATED = 1 << 24, /* larger sizes aren't distinguished, so that sums don't overflow */
  ROUNDS_MIN = 6,           /* of a loop: the growth of the first rounds may be irregular */
  ROUNDS_MAX = 64,
  STEPS_MAX = 100000, /* interpreted instructions of a kernel */
  CALLS_MAX = 64,     /* nested calls */
  COMPARE_DEPTH = 6   /* of operands that are compared to see that two values are the same */
};

typedef struct Body {
  LLVMBasicBlockRef *blocks;
  uint32_t count;
  bool is_open; /* being interpreted (detects recursion) */
} Body;

typedef struct Tree {
  uint32_t size;
  bool is_sum;     /* a sum or product: its quotient by a constant is expensive */
  bool is_counted; /* computed from constants and loop counters: a constant after unrolling */
} Tree;

typedef struct Entry {
  LLVMValueRef key;
  Tree tree;             /* of an integer or a variable */
  uint32_t place;        /* a block's index in the order */
  bool is_marked;        /* an integer: is it hidden? a block: is it in the order? */
  LLVMValueRef variable; /* the variable that a pointer parameter points to, or NULL */
  Body *body;            /* of a function */
} Entry;

/* A variable with a store under a condition. After the condition ends it has a new value, a
 * choice. */
typedef struct Choice {
  LLVMValueRef variable;
  uint32_t before; /* its size before the condition */
  Tree behind;
} Choice;

/* When is an instruction executed? */
typedef enum When { ALWAYS, IN_SOME_ITERATIONS, UNDER_A_CONDITION } When;

typedef struct Trees {
  Session *c;
  Entry *entries;
  uint32_t count, room, steps, calls;
  uint32_t most;   /* the largest size in this round of a loop */
  Tree returned;   /* the tree of the function's result */
  bool is_changed; /* a tree changed in this round */
  VEC(LLVMValueRef) hidden;
  VEC(Choice) choices; /* choices whose conditions haven't ended yet */
} Trees;

static uint32_t max(uint32_t a, uint32_t b)
{
  return a > b ? a : b;
}

/* ---- what is known of a value ---- */

static Entry *slot_of(Trees *self, LLVMValueRef key)
{
  size_t i = (size_t)((uintptr_t)key >> 4) * 0x9E3779B97F4A7C15u >> 20;
  for (;; ++i) {
    Entry *entry = &self->entries[i & (self->room - 1)];
    if (!entry->key || entry->key == key) return entry;
  }
}

static void make_room(Trees *self)
{
  Entry *old = self->entries;
  uint32_t room = self->room;
  self->room = room ? 2 * room : 256;
  self->entries = NEW_ARRAY(&self->c->scratch, Entry, self->room);
  for (uint32_t i = 0; i < room; ++i)
    if (old[i].key) *slot_of(self, old[i].key) = old[i];
}

static Entry *entry_of(Trees *self, LLVMValueRef key)
{
  if (2 * self->count >= self->room) make_room(self);
  Entry *entry = slot_of(self, key);
  if (!entry->key) *entry = (Entry){.key = key, .tree.size = 1}, ++self->count;
  return entry;
}

static Tree tree_of(Trees *self, LLVMValueRef value)
{
  Entry *entry = slot_of(self, value);
  return entry->key ? entry->tree : (Tree){1, false, LLVMIsConstant(value)};
}

static uint32_t size_of(Trees *self, LLVMValueRef value)
{
  return tree_of(self, value).size;
}

static void set_tree(Trees *self, LLVMValueRef value, Tree tree)
{
  Tree old = tree_of(self, value);
  tree.size = tree.size < TREE_SATURATED ? tree.size : TREE_SATURATED;
  if (tree.size == old.size && tree.is_sum == old.is_sum && tree.is_counted == old.is_counted)
    return;
  entry_of(self, value)->tree = tree;
  self->is_changed = true;
}

/* Does the address depend on an index that is only known inside the loop? */
static bool has_variable_index(LLVMValueRef address)
{
  for (; LLVMIsAGetElementPtrInst(address); address = LLVMGetOperand(address, 0))
    for (int i = 1; i < LLVMGetNumOperands(address); ++i)
      if (!LLVMIsAConstantInt(LLVMGetOperand(address, (unsigned)i))) return true;
  return false;
}

/* The variable (alloca) that contains the address, or NULL. */
static LLVMValueRef variable_of(Trees *self, LLVMValueRef address)
{
  while (LLVMIsAGetElementPtrInst(address) || LLVMIsAAddrSpaceCastInst(address))
    address = LLVMGetOperand(address, 0);
  if (LLVMIsAAllocaInst(address)) return address;
  return LLVMIsAArgument(address) ? slot_of(self, address)->variable : NULL;
}

/* Orders the blocks so that those of a loop are contiguous, and the code after it follows: reverse
 * postorder, with the second of two successors visited first. */
static void order_blocks(Trees *self, Body *body, LLVMBasicBlockRef entry)
{
  Arena *arena = &self->c->scratch;
  uint32_t room = body->count, left = room, depth = 0;
  LLVMBasicBlockRef *path = NEW_ARRAY(arena, LLVMBasicBlockRef, room);
  /* number of successors that aren't visited yet */
  unsigned *successors = NEW_ARRAY(arena, unsigned, room);
  for (LLVMBasicBlockRef next = entry; next || depth;) {
    if (next) {
      entry_of(self, LLVMBasicBlockAsValue(next))->is_marked = true;
      path[depth] = next;
      successors[depth++] = LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(next));
      next = NULL;
    }
    LLVMBasicBlockRef block = path[depth - 1];
    if (!successors[depth - 1]) {
      body->blocks[--left] = block;
      --depth;
      continue;
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, --successors[depth - 1]);
    if (!slot_of(self, LLVMBasicBlockAsValue(to))->is_marked) next = to;
  }
  body->blocks += left;
  body->count -= left;
}

static Body *body_of(Trees *self, LLVMValueRef function)
{
  Entry *entry = entry_of(self, function);
  if (entry->body) return entry->body;
  Body *body = entry->body = NEW(&self->c->scratch, Body);
  body->count = LLVMCountBasicBlocks(function);
  body->blocks = NEW_ARRAY(&self->c->scratch, LLVMBasicBlockRef, body->count);
  order_blocks(self, body, LLVMGetEntryBasicBlock(function));
  for (uint32_t i = 0; i < body->count; ++i)
    entry_of(self, LLVMBasicBlockAsValue(body->blocks[i]))->place = i;
  return body;
}

static uint32_t place_of(Trees *self, LLVMBasicBlockRef block)
{
  return slot_of(self, LLVMBasicBlockAsValue(block))->place;
}

/* ---- an instruction ---- */

static void walk_function(Trees *self, Body *body);

static uint32_t operand_size(Trees *self, LLVMValueRef instruction, unsigned i)
{
  return size_of(self, LLVMGetOperand(instruction, i));
}

static bool has_constant(LLVMValueRef instruction)
{
  return LLVMIsAConstantInt(LLVMGetOperand(instruction, 1)) != NULL;
}

static bool has_same_operands(LLVMValueRef a, LLVMValueRef b, unsigned depth);

/* Are they very likely the same value: two loads of a variable, two extracts of a field and so
 * on? */
static bool is_same(LLVMValueRef a, LLVMValueRef b, unsigned depth)
{
  if (a == b) return true;
  if (!depth || !LLVMIsAInstruction(a) || !LLVMIsAInstruction(b)) return false;
  if (LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b)) return false;
  switch (LLVMGetInstructionOpcode(a)) {
  case LLVMExtractValue:
    return LLVMGetNumIndices(a) == LLVMGetNumIndices(b) &&
           !memcmp(LLVMGetIndices(a), LLVMGetIndices(b),
                   LLVMGetNumIndices(a) * sizeof *LLVMGetIndices(a)) &&
           has_same_operands(a, b, depth);
  case LLVMLoad:
  case LLVMGetElementPtr:
  case LLVMExtractElement:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc: return has_same_operands(a, b, depth);
  default: return false;
  }
}

static bool has_same_operands(LLVMValueRef a, LLVMValueRef b, unsigned depth)
{
  int count = LLVMGetNumOperands(a);
  if (LLVMGetNumOperands(b) != count) return false;
  for (int i = 0; i < count; ++i)
    if (!is_same(LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i), depth - 1))
      return false;
  return true;
}

/* Does the condition compare exactly these two? Then the choice is a minimum or maximum. */
static bool is_of_both(LLVMValueRef test, LLVMValueRef a, LLVMValueRef b)
{
  if (!test || !LLVMIsAICmpInst(test)) return false;
  LLVMValueRef left = LLVMGetOperand(test, 0), right = LLVMGetOperand(test, 1);
  return (is_same(a, left, COMPARE_DEPTH) && is_same(b, right, COMPARE_DEPTH)) ||
         (is_same(a, right, COMPARE_DEPTH) && is_same(b, left, COMPARE_DEPTH));
}

/* Is it an operation on the other one? `c ? a + b : a` is a + (c ? b : 0). */
static bool is_operation_on(LLVMValueRef value, LLVMValueRef other)
{
  if (!LLVMIsABinaryOperator(value)) return false;
  return is_same(LLVMGetOperand(value, 0), other, COMPARE_DEPTH) ||
         is_same(LLVMGetOperand(value, 1), other, COMPARE_DEPTH);
}

/* test ? a : b */
static uint32_t size_of_choice(Trees *self, LLVMValueRef test, LLVMValueRef a, LLVMValueRef b)
{
  if (is_of_both(test, a, b)) return size_of(self, a) + size_of(self, b);
  if (test && tree_of(self, test).is_counted) return max(size_of(self, a), size_of(self, b));
  return 1 + max(is_operation_on(b, a) ? size_of(self, a) : 0,
                 is_operation_on(a, b) ? size_of(self, b) : 0);
}

/* The condition of the branch in a block's only predecessor, or NULL. */
static LLVMValueRef test_before(LLVMBasicBlockRef block)
{
  LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
  LLVMValueRef jump = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
  return jump && LLVMIsABranchInst(jump) && LLVMIsConditional(jump) ? LLVMGetCondition(jump) : NULL;
}

/* Is the phi's second value that of the previous iteration? */
static bool is_counter(Trees *self, LLVMValueRef phi)
{
  return LLVMCountIncoming(phi) == 2 && place_of(self, LLVMGetIncomingBlock(phi, 1)) >=
                                            place_of(self, LLVMGetInstructionParent(phi));
}

/* A loop counter is a constant once the loop is unrolled. */
static uint32_t size_of_phi(Trees *self, LLVMValueRef phi)
{
  if (LLVMCountIncoming(phi) != 2 || is_counter(self, phi)) return 1;
  return size_of_choice(self, test_before(LLVMGetIncomingBlock(phi, 0)),
                        LLVMGetIncomingValue(phi, 0), LLVMGetIncomingValue(phi, 1));
}

static uint32_t size_of_call(Trees *self, LLVMValueRef call)
{
  LLVMValueRef function = LLVMGetCalledValue(call);
  unsigned count = LLVMGetNumArgOperands(call);
  uint32_t sum = 0;
  if (!LLVMIsAFunction(function)) return 1;
  if (LLVMIsDeclaration(function)) {
    const char *name = LLVMGetValueName(function);
    bool is_looked_into = !strncmp(name, "llvm.", 5) && strncmp(name, "llvm.nvvm.", 10) != 0;
    for (unsigned i = 0; i < count && is_looked_into; ++i) sum += operand_size(self, call, i);
    return max(sum, 1);
  }
  Body *body = body_of(self, function);
  if (body->is_open || self->calls == CALLS_MAX) return 1;
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef arg = LLVMGetOperand(call, i), param = LLVMGetParam(function, i);
    if (LLVMGetTypeKind(LLVMTypeOf(arg)) == LLVMPointerTypeKind)
      entry_of(self, param)->variable = variable_of(self, arg);
    else set_tree(self, param, tree_of(self, arg));
  }
  walk_function(self, body);
  return self->returned.size;
}

static uint32_t size_of_load(Trees *self, LLVMValueRef load)
{
  LLVMValueRef address = LLVMGetOperand(load, 0), variable = variable_of(self, address);
  return variable && !has_variable_index(address) ? size_of(self, variable) : 1;
}

/* A dividend that is a sum is walked more than three times. */
static uint32_t size_of_quotient(Trees *self, LLVMValueRef quotient)
{
  if (!has_constant(quotient)) return 1;
  LLVMValueRef dividend = LLVMGetOperand(quotient, 0);
  return tree_of(self, dividend).is_sum ? 4 * size_of(self, dividend) : size_of(self, dividend) + 1;
}

static uint32_t size_of_result(Trees *self, LLVMValueRef instruction)
{
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMAnd:
  case LLVMOr: return operand_size(self, instruction, 0) + operand_size(self, instruction, 1);
  case LLVMSelect:
    return size_of_choice(self, LLVMGetOperand(instruction, 0), LLVMGetOperand(instruction, 1),
                          LLVMGetOperand(instruction, 2));
  case LLVMLShr:
  case LLVMUDiv: return size_of_quotient(self, instruction);
  case LLVMShl:
  case LLVMXor: return has_constant(instruction) ? operand_size(self, instruction, 0) + 1 : 1;
  case LLVMURem: /* x - x / n * n */
    return has_constant(instruction) ? 2 * operand_size(self, instruction, 0) + 1 : 1;
  case LLVMSRem: return operand_size(self, instruction, 0) + 1;
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc:
  case LLVMBitCast:
  case LLVMFreeze:
  case LLVMExtractElement:
  case LLVMExtractValue: return operand_size(self, instruction, 0);
  case LLVMInsertElement:
  case LLVMInsertValue:
  case LLVMShuffleVector:
    return max(operand_size(self, instruction, 0), operand_size(self, instruction, 1));
  case LLVMPHI: return size_of_phi(self, instruction);
  case LLVMCall: return size_of_call(self, instruction);
  case LLVMLoad: return size_of_load(self, instruction);
  default: return 1;
  }
}

static bool is_any_sum(Trees *self, LLVMValueRef instruction, unsigned first, unsigned count)
{
  for (unsigned i = first; i < first + count; ++i)
    if (tree_of(self, LLVMGetOperand(instruction, i)).is_sum) return true;
  return false;
}

static bool is_sum_result(Trees *self, LLVMValueRef instruction)
{
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul: return true;
  case LLVMShl:
  case LLVMXor: return has_constant(instruction); /* a shift is a product; ~x is -1 - x */
  case LLVMAnd: return has_constant(instruction) && is_any_sum(self, instruction, 0, 1);
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc:
  case LLVMBitCast:
  case LLVMFreeze:
  case LLVMExtractElement:
  case LLVMExtractValue: return is_any_sum(self, instruction, 0, 1);
  case LLVMInsertElement:
  case LLVMInsertValue:
  case LLVMShuffleVector: return is_any_sum(self, instruction, 0, 2);
  case LLVMSelect:
    return tree_of(self, LLVMGetOperand(instruction, 0)).is_counted &&
           is_any_sum(self, instruction, 1, 2);
  case LLVMPHI: {
    LLVMValueRef test = test_before(LLVMGetIncomingBlock(instruction, 0));
    return test && tree_of(self, test).is_counted &&
           is_any_sum(self, instruction, 0, LLVMCountIncoming(instruction));
  }
  default: return false;
  }
}

static bool is_counted_result(Trees *self, LLVMValueRef instruction)
{
  int first = LLVMIsASelectInst(instruction) ? 1 : 0;
  int end = LLVMGetNumOperands(instruction);
  if (LLVMIsAPHINode(instruction) && is_counter(self, instruction)) end = 1;
  for (int i = first; i < end; ++i)
    if (!tree_of(self, LLVMGetOperand(instruction, (unsigned)i)).is_counted) return false;
  return true;
}

static Tree tree_of_result(Trees *self, LLVMValueRef instruction)
{
  Tree tree = {size_of_result(self, instruction), false, false};
  if (LLVMIsALoadInst(instruction)) {
    LLVMValueRef variable = variable_of(self, LLVMGetOperand(instruction, 0));
    if (variable) tree.is_sum = tree_of(self, variable).is_sum;
    tree.is_counted = variable && tree_of(self, variable).is_counted;
  } else if (LLVMIsACallInst(instruction)) {
    LLVMValueRef function = LLVMGetCalledValue(instruction);
    bool is_walked = LLVMIsAFunction(function) && !LLVMIsDeclaration(function);
    tree.is_sum = is_walked && self->returned.is_sum;
  } else {
    tree.is_sum = is_sum_result(self, instruction);
    tree.is_counted = is_counted_result(self, instruction);
  }
  return tree;
}

static bool is_load_of(LLVMValueRef value, LLVMValueRef address)
{
  return LLVMIsALoadInst(value) && is_same(LLVMGetOperand(value, 0), address, COMPARE_DEPTH);
}

/* `if (a < v) v = a;` is a minimum. */
static bool is_minimum(LLVMValueRef store)
{
  LLVMValueRef value = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1),
               test = test_before(LLVMGetInstructionParent(store));
  if (!test || !LLVMIsAICmpInst(test)) return false;
  for (unsigned i = 0; i < 2; ++i)
    if (is_load_of(LLVMGetOperand(test, i), address))
      return is_same(value, LLVMGetOperand(test, 1 - i), COMPARE_DEPTH);
  return false;
}

static bool is_operation_on_variable(LLVMValueRef value, LLVMValueRef address)
{
  if (!LLVMIsABinaryOperator(value)) return false;
  return is_load_of(LLVMGetOperand(value, 0), address) ||
         is_load_of(LLVMGetOperand(value, 1), address);
}

static Choice *choice_of(Trees *self, LLVMValueRef variable)
{
  for (uint32_t i = self->choices.count; i > 0; --i)
    if (self->choices.at[i - 1].variable == variable) return &self->choices.at[i - 1];
  Tree tree = tree_of(self, variable);
  Choice choice = {variable, tree.size, {1, false, tree.is_counted}};
  vec_push(&self->c->scratch, &self->choices, choice);
  return &self->choices.at[self->choices.count - 1];
}

static void visit_store(Trees *self, LLVMValueRef store, When when)
{
  LLVMValueRef value = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1),
               variable = variable_of(self, address);
  if (!variable) return;
  Tree tree = tree_of(self, value), old = tree_of(self, variable);
  if (LLVMIsAGetElementPtrInst(address) || when == IN_SOME_ITERATIONS) {
    if (!has_variable_index(address)) tree.size = max(tree.size, old.size);
    tree.is_sum |= old.is_sum;
    tree.is_counted &= old.is_counted;
  } else if (when == UNDER_A_CONDITION && is_minimum(store)) {
    tree.size += old.size;
  } else if (when == UNDER_A_CONDITION) {
    Choice *choice = choice_of(self, variable);
    if (is_operation_on_variable(value, address)) choice->behind.size = choice->before + 1;
    choice->behind.is_counted &= tree.is_counted;
  }
  set_tree(self, variable, tree);
}

static bool may_be_hidden(LLVMTypeRef type)
{
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return false;
  unsigned width = LLVMGetIntTypeWidth(type);
  return width >= 8 && width <= 64;
}

static void visit(Trees *self, LLVMValueRef instruction, When when)
{
  ++self->steps;
  if (LLVMIsAAllocaInst(instruction) || LLVMIsATerminatorInst(instruction)) return;
  if (LLVMIsAStoreInst(instruction)) {
    visit_store(self, instruction, when);
    return;
  }
  Tree tree = tree_of_result(self, instruction);
  LLVMTypeRef type = LLVMTypeOf(instruction);
  if (slot_of(self, instruction)->is_marked) return;
  if (tree.size > TREE_MAX && may_be_hidden(type)) {
    vec_push(&self->c->scratch, &self->hidden, instruction);
    entry_of(self, instruction)->is_marked = true;
    tree = (Tree){1, false, false};
  }
  set_tree(self, instruction, tree);
  self->most = max(self->most, tree.size);
}

/* ---- the way through a function ---- */

static bool is_counted_jump(Trees *self, LLVMValueRef jump)
{
  return LLVMIsABranchInst(jump) && LLVMIsConditional(jump) &&
         tree_of(self, LLVMGetCondition(jump)).is_counted;
}

/* The block at which the code under the condition of block i's branch ends; 0 if there is none. */
static uint32_t end_of_choice(Trees *self, Body *body, uint32_t i)
{
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(body->blocks[i]);
  if (!LLVMIsABranchInst(jump) || !LLVMIsConditional(jump) ||
      LLVMIsAConstantInt(LLVMGetCondition(jump)))
    return 0;
  uint32_t a = place_of(self, LLVMGetSuccessor(jump, 0)),
           b = place_of(self, LLVMGetSuccessor(jump, 1));
  uint32_t first = a < b ? a : b, end = max(a, b);
  if (first <= i) return 0;
  jump = LLVMGetBasicBlockTerminator(body->blocks[end - 1]);
  if (LLVMGetNumSuccessors(jump) != 1) return end;
  uint32_t to = place_of(self, LLVMGetSuccessor(jump, 0));
  return to <= i ? 0 : max(end, to); /* a back edge: the test of a loop */
}

static void end_choices(Trees *self, uint32_t first)
{
  for (uint32_t i = first; i < self->choices.count; ++i)
    set_tree(self, self->choices.at[i].variable, self->choices.at[i].behind);
  self->choices.count = first;
}

static void walk(Trees *self, Body *body, uint32_t first, uint32_t last, bool is_loop);

static void walk_loop(Trees *self, Body *body, uint32_t first, uint32_t last)
{
  uint32_t outer = self->most, before = self->most, gain = 0, hidden = self->hidden.count;
  bool was_changed = self->is_changed;
  for (unsigned rounds = 1; rounds < ROUNDS_MAX && self->steps < STEPS_MAX; ++rounds) {
    self->most = 0;
    self->is_changed = false;
    walk(self, body, first, last, true);
    was_changed |= self->is_changed;
    outer = max(outer, self->most);
    uint32_t more = self->most > before ? self->most - before : 0;
    bool is_new = self->hidden.count != hidden;
    if (!self->is_changed || (rounds >= ROUNDS_MIN && more <= gain && !is_new)) break;
    before = self->most;
    gain = is_new ? 0 : more;
    hidden = self->hidden.count;
  }
  self->most = outer;
  self->is_changed = was_changed;
}

static void return_tree(Trees *self, Tree tree)
{
  self->returned.size = max(self->returned.size, tree.size);
  self->returned.is_sum |= tree.is_sum;
}

/* Interprets blocks first..last. If is_loop, the caller handles the back edge from the last to the
 * first. */
static void walk(Trees *self, Body *body, uint32_t first, uint32_t last, bool is_loop)
{
  uint32_t choice_end = 0, counted_end = 0, choices = self->choices.count;
  for (uint32_t i = first; i <= last && self->steps < STEPS_MAX; ++i) {
    LLVMBasicBlockRef block = body->blocks[i];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    When when = i < choice_end ? UNDER_A_CONDITION : i < counted_end ? IN_SOME_ITERATIONS : ALWAYS;
    if (i >= choice_end) end_choices(self, choices);
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each;
         each = LLVMGetNextInstruction(each))
      visit(self, each, when);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); ++k) {
      uint32_t to = place_of(self, LLVMGetSuccessor(end, k));
      if (to <= i && to >= first && !(is_loop && to == first && i == last))
        walk_loop(self, body, to, i);
    }
    if (is_counted_jump(self, end)) counted_end = max(counted_end, end_of_choice(self, body, i));
    else choice_end = max(choice_end, end_of_choice(self, body, i));
    if (LLVMIsAReturnInst(end) && LLVMGetNumOperands(end))
      return_tree(self, tree_of(self, LLVMGetOperand(end, 0)));
  }
  end_choices(self, choices);
}

static void walk_function(Trees *self, Body *body)
{
  ++self->calls;
  body->is_open = true;
  self->returned = (Tree){.size = 1};
  walk(self, body, 0, body->count - 1, false);
  body->is_open = false;
  --self->calls;
}

static void hide(Gen *g, LLVMValueRef value)
{
  llvm_place_behind(g->builder, value);
  LLVMValueRef hidden = llvm_hidden_int(g, value), first = hidden;
  while (LLVMGetOperand(first, 0) != value) first = LLVMGetOperand(first, 0);
  LLVMReplaceAllUsesWith(value, hidden);
  LLVMSetOperand(first, 0, value);
}

void repair_growth(Repair *r)
{
  Trees self = {.c = r->c};
  if (r->c->options.opt_level == CK_OPT_0) return;
  make_room(&self);
  for (LLVMValueRef f = LLVMGetFirstFunction(r->g->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) == LLVMInternalLinkage) continue;
    self.steps = 0;
    walk_function(&self, body_of(&self, f));
  }
  for (uint32_t i = 0; i < self.hidden.count; ++i) hide(r->g, self.hidden.at[i]);
  r->has_changed |= self.hidden.count != 0;
}
