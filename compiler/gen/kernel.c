/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kernel.c - generates functions, and kernels with their calling conventions.
 *
 * GPU               void k(parameters): a span with extents is one pointer to global memory, a span
 *                   with its own length a pointer and an i64: what CUDA C++ has for the same
 *                   signature
 * host, plain       void k(void **args, block): a kernel that never waits loops over the threads
 *                   of the block: for z, for y, for x { body }
 * host, coroutine   void *k(frame, void **args, thread): one thread, which LLVM's switched-resume
 *                   coroutine passes split at its waits (target/host.c). Each call runs it to the
 *                   next wait; the host device resumes the threads of a block in turn
 *
 * ck/compile.h has the contract of host code. Extents are evaluated from the parameters at the
 * start; memory for variables is allocated in the entry block, where LLVM expects it.
 */
#include "front/target.h"
#include "gen/gen_private.h"

#include <stddef.h>
#include <string.h>

enum {
  PTX_KERNEL = 71,
  ABI_PARAMS_MAX = 2 * PARAMS_MAX + 2 + PLAN_LOOPS_MAX
}; /* LLVM's calling convention ptx_kernel */

static void open_function(Gen *g, Node *item, LLVMValueRef function)
{
  gen_check_body(g, item->d);
  g->state->item = item;
  g->state->function = function;
  g->state->caller = NULL;
  g->state->result = NULL;
  g->state->user_site = NULL;
  g->state->entry_end = NULL;
  g->state->inline_left = INLINE_MAX;
  g->state->on_return = g->state->on_break = g->state->on_continue = NULL;
  g->state->entry = gen_block(g, "entry");
  gen_at(g, g->state->entry);
}

/* Ends the entry block, which keeps all allocas, and starts the body. */
static void open_body(Gen *g, const char *name)
{
  LLVMBasicBlockRef body = gen_block(g, name);
  g->state->entry_end = LLVMBuildBr(g->builder, body);
  gen_at(g, body);
}

static Slot *value_slot(Gen *g, Node *param, LLVMValueRef value)
{
  return gen_slot(g, param, (Slot){.kind = SLOT_value, .value = value});
}

/* The next parameter of a function, which gets a name. */
static LLVMValueRef take_param(LLVMValueRef function, unsigned *io_index, const char *name)
{
  LLVMValueRef param = LLVMGetParam(function, (*io_index)++);
  LLVMSetValueName2(param, name, strlen(name));
  return param;
}

/* Declares the parameters to a debugger, at the start of the body. */
static void show_params(Gen *g, const Node *item)
{
  unsigned argument = 0;
  for (const Node *param = item->b; param; param = param->next)
    if (param->kind == NODE_param) gen_debug_variable(g, param, param->gen, ++argument);
}

/* ---- functions ---- */

void gen_function(Gen *g, Node *function, const Copy *copy)
{
  LLVMValueRef value = copy->value;
  g->state->shape = copy->shape;
  open_function(g, function, value);
  gen_debug_function(g, function);
  unsigned i = 0;
  if (g->target->has_coroutines) g->state->thread = take_param(value, &i, "thread");
  if (gen_check_has_caller(g, function)) g->state->caller = take_param(value, &i, "caller");
  g->state->frame_from = 0;
  g->state->frame = shared_bytes(g->c, function) ? take_param(value, &i, "frame") : NULL;
  if (function->flags & FLAG_scratch) {
    g->state->scratch = take_param(value, &i, "scratch");
    g->state->scratch_top = take_param(value, &i, "scratch_top");
  }
  if (gen_is_large(function->type)) g->state->result = take_param(value, &i, "result");
  for (Node *param = function->b; param; param = param->next) {
    if (param->kind != NODE_param) continue;
    LLVMValueRef given = take_param(value, &i, param->name->text);
    Slot *slot = value_slot(g, param, given);
    if (param->type->kind == TYPE_span) {
      slot->kind = SLOT_view;
      /* Not constant: a caller may pass an `inout` span for an `in` parameter. */
      slot->view = (View){.space = SPACE_GENERIC, .rank = param->type->rank};
      slot->view.address = LLVMBuildExtractValue(g->builder, given, 0, param->name->text);
      for (unsigned k = 0; k < slot->view.rank; ++k)
        slot->view.extents[k] = LLVMBuildExtractValue(g->builder, given, k + 1, "");
    } else if (param->type->kind == TYPE_place || gen_is_large(param->type)) {
      slot->kind = SLOT_memory; /* of a large type: a copy that nothing writes to */
      slot->space = SPACE_GENERIC;
    } else if (param->type->has_array) {
      slot->kind = SLOT_memory;
      slot->value = gen_variable(g, param->type, param->name->text, given);
    }
  }
  open_body(g, "body");
  show_params(g, function);
  gen_statement(g, function->d);
  if (gen_is_ended(g)) return;
  if (function->type == g->c->types->none) LLVMBuildRetVoid(g->builder);
  else LLVMBuildUnreachable(g->builder); /* check has found a return on every path */
}

/* ---- parameters of kernels ---- */

/* Can nothing else write to the kernel's spans while it runs? Not if it waits for the launch before
 * it (grid.wait_dependencies): then that launch's writes become visible during the kernel, so no
 * load may move above the wait or use the non-coherent cache. */
static bool is_lonely(const Node *kernel)
{
  return !(kernel->flags & FLAG_dependent);
}

static bool is_map(const Type *type)
{
  Handle handle;
  return handle_of(type, &handle) && handle.is_map;
}

/* A tensor map as a parameter: 128 bytes with an alignment of 128, as this vector has. */
static LLVMTypeRef map_type(Gen *g)
{
  return LLVMVectorType(g->i64, 16);
}

/* The address of a kernel's parameter in parameter space. LLVM IR can't name it; both back ends
 * call parameter i of kernel k `k_param_i` in PTX. */
static LLVMValueRef param_address(Gen *g, const Node *kernel, unsigned index)
{
  const char *text =
      arena_printf(&g->c->scratch, "mov.u64 $0, %s_param_%u;", kernel_symbol(g->c, kernel), index);
  PtxAsm ptx = {.results = {g->i64}, .result_count = 1};
  return LLVMBuildIntToPtr(g->builder, asm_call(g, &ptx, text, strlen(text)),
                           LLVMPointerTypeInContext(g->context, SPACE_PARAM), "");
}

/* The bulk copy engine reads a tensor map in parameter space, by its generic address. */
static LLVMValueRef map_address(Gen *g, const Node *kernel, unsigned index)
{
  LLVMValueRef address = param_address(g, kernel, index);
  return LLVMBuildPtrToInt(g->builder, gen_cast_address(g, address, SPACE_PARAM, SPACE_GENERIC),
                           g->i64, "");
}

/* The library's struct for a tensor map. */
static LLVMValueRef map_value(Gen *g, const Type *type, LLVMValueRef address, LLVMValueRef bytes)
{
  LLVMValueRef value = LLVMGetUndef(gen_type(g, (Type *)(uintptr_t)type));
  value = LLVMBuildInsertValue(g->builder, value, address, 0, "");
  return LLVMBuildInsertValue(g->builder, value, bytes, 1, "");
}

/* Makes the slots of all parameters from their values in ABI order, then evaluates the extents. */
static void bind_params(Gen *g, Node *kernel, LLVMValueRef *values)
{
  unsigned i = 0;
  for (Node *param = kernel->b; param; param = param->next) {
    LLVMValueRef value = values[i++];
    if (is_map(param->type)) {
      LLVMValueRef address = g->target->has_spaces ? map_address(g, kernel, i - 1) : value;
      value_slot(g, param, map_value(g, param->type, address, values[i++]));
      continue;
    }
    Slot *slot = value_slot(g, param, value);
    if (type_scalar_of(param->type)->kind == TYPE_bool)
      slot->value = LLVMBuildICmp(g->builder, LLVMIntNE, value, LLVMConstNull(LLVMTypeOf(value)),
                                  param->name->text);
    bool is_large = gen_is_large(param->type);
    if ((param->type->has_array || is_large) &&
        g->target->has_spaces) { /* so that an element with a variable index is one load */
      slot->kind = SLOT_memory;
      slot->space = SPACE_PARAM;
      slot->value = param_address(g, kernel, i - 1);
    } else if (is_large) { /* the launch's pointer may have any alignment */
      slot->kind = SLOT_memory;
      slot->space = SPACE_GENERIC;
      slot->value = gen_alloca(g, param->type, param->name->text);
      gen_copy_bytes(g, slot->value, value, param->type, 1);
    } else if (param->type->has_array) {
      slot->kind = SLOT_memory;
      slot->value = gen_variable(g, param->type, param->name->text, value);
    }
    if (param->type->kind != TYPE_span) continue;
    slot->kind = SLOT_view;
    slot->view = (View){.address = value,
                        .space = g->global_space,
                        .rank = param->type->rank,
                        .is_constant = is_lonely(kernel) && param->type->access == OP_in};
    if (!node_extents(param)) slot->view.extents[0] = values[i++];
  }
  for (Node *param = kernel->b; param; param = param->next) {
    if (param->type->kind != TYPE_span) continue;
    Slot *slot = param->gen;
    unsigned k = 0;
    for (Node *extent = node_extents(param); extent; extent = extent->next)
      slot->view.extents[k++] = gen_i64(g, extent);
  }
  gen_scratch_open(g, kernel, values + i);
}

/* out_large[i]: is parameter i a large value? NULL if the caller doesn't ask. */
static unsigned param_types(Gen *g, Node *kernel, LLVMTypeRef *types, bool *out_large)
{
  unsigned count = 0;
  for (Node *param = kernel->b; param; param = param->next) {
    if (param->type->kind != TYPE_span) {
      bool has_bytes = is_map(param->type);
      if (out_large) out_large[count] = gen_is_large(param->type);
      types[count++] = has_bytes ? map_type(g) : gen_memory_type(g, param->type);
      if (has_bytes) types[count++] = g->i64;
      continue;
    }
    types[count++] = LLVMPointerTypeInContext(g->context, g->global_space);
    if (!node_extents(param)) types[count++] = g->i64;
  }
  return count + gen_scratch_types(g, kernel, types + count);
}

/* ---- GPU ---- */

static void annotate(Gen *g, LLVMValueRef kernel, const char *key, uint64_t value)
{
  LLVMMetadataRef parts[3] = {LLVMValueAsMetadata(kernel),
                              LLVMMDStringInContext2(g->context, key, strlen(key)),
                              LLVMValueAsMetadata(gen_int(g, g->i32, value))};
  LLVMAddNamedMetadataOperand(
      g->module, "nvvm.annotations",
      LLVMMetadataAsValue(g->context, LLVMMDNodeInContext2(g->context, parts, 3)));
}

static void annotate_block(Gen *g, LLVMValueRef function)
{
  static const char *const keys[] = {"reqntidx", "reqntidy", "reqntidz"};
  const uint32_t *dim = g->state->shape.dim;
  for (unsigned i = 0; dim[0] && dim[1] && dim[2] && i < 3; ++i)
    annotate(g, function, keys[i], dim[i]);
}

/* @registers and @blocks_per_sm, as directives to ptxas: the first bounds the registers of a
 * thread, the second lets ptxas use only as many as allow that many blocks on an SM. */
static void annotate_limits(Gen *g, const Node *kernel, LLVMValueRef function)
{
  uint32_t registers = kernel_limit(kernel, "registers");
  uint32_t blocks = kernel_limit(kernel, "blocks_per_sm");
  if (registers) annotate(g, function, "maxnreg", registers);
  if (blocks) annotate(g, function, "minctasm", blocks);
}

/* A cluster with constant extents is compiled into the kernel. */
static void annotate_cluster(Gen *g, const Node *kernel, LLVMValueRef function)
{
  static const char *const keys[] = {"cluster_dim_x", "cluster_dim_y", "cluster_dim_z"};
  for (const Node *part = kernel->c; part; part = part->next) {
    if (strcmp(part->name->text, "cluster") != 0) continue;
    const Node *extents = part->a->kind == NODE_tuple ? part->a->a : part->a, *extent;
    for (extent = extents; extent && extent->kind == NODE_int;) extent = extent->next;
    if (extent) return;
    extent = extents;
    for (unsigned i = 0; i < 3; ++i, extent = extent ? extent->next : NULL)
      annotate(g, function, keys[i], extent ? extent->bits : 1);
  }
}

static void name_params(Node *kernel, LLVMValueRef function)
{
  unsigned i = 0;
  for (Node *param = kernel->b; param; param = param->next) {
    take_param(function, &i, param->name->text);
    if (param->type->kind == TYPE_span && !node_extents(param)) take_param(function, &i, "len");
    if (is_map(param->type)) take_param(function, &i, "bytes");
  }
  gen_scratch_names(kernel, function, i);
}

static void gen_gpu_kernel(Gen *g, Node *kernel)
{
  LLVMTypeRef types[ABI_PARAMS_MAX];
  unsigned count = param_types(g, kernel, types, NULL), i = 0;
  LLVMValueRef function = LLVMAddFunction(g->module, kernel_symbol(g->c, kernel),
                                          LLVMFunctionType(g->nothing, types, count, false));
  LLVMSetFunctionCallConv(function, PTX_KERNEL);
  gen_attribute(g, function, LLVMAttributeFunctionIndex, "nounwind");
  gen_attribute(g, function, LLVMAttributeFunctionIndex, "convergent");
  for (Node *param = kernel->b; param; param = param->next) {
    int index = (int)++i;
    if (is_map(param->type)) ++i;
    if (param->type->kind != TYPE_span) continue;
    if (is_lonely(kernel)) gen_attribute(g, function, index, "noalias");
    gen_attribute(g, function, index, "nocapture");
    if (is_lonely(kernel) && param->type->access == OP_in)
      gen_attribute(g, function, index, "readonly");
    if (!node_extents(param)) ++i;
  }
  if (kernel->flags & FLAG_scratch && is_lonely(kernel))
    gen_attribute(g, function, (int)i + 1, "noalias");
  annotate(g, function, "kernel", 1);
  annotate_block(g, function);
  annotate_limits(g, kernel, function);
  if (g->c->target->sm >= 90) annotate_cluster(g, kernel, function);
  name_params(kernel, function);
  open_function(g, kernel, function);
  gen_debug_function(g, kernel);
  LLVMValueRef values[ABI_PARAMS_MAX];
  LLVMGetParams(function, values);
  bind_params(g, kernel, values);
  gen_shared_open(g, kernel, NULL);
  open_body(g, "body");
  gen_check_launch(g, kernel);
  gen_scratch_start(g);
  show_params(g, kernel);
  gen_statement(g, kernel->d);
  if (!gen_is_ended(g)) LLVMBuildRetVoid(g->builder);
}

/* ---- host ---- */

/* Loads the parameters: args[i] points to the value of parameter i. */
static void load_params(Gen *g, Node *kernel, LLVMValueRef args)
{
  LLVMTypeRef types[ABI_PARAMS_MAX];
  LLVMValueRef values[ABI_PARAMS_MAX];
  bool are_large[ABI_PARAMS_MAX] = {false};
  unsigned count = param_types(g, kernel, types, are_large);
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef at =
        LLVMBuildLoad2(g->builder, g->ptr, gen_field(g, args, i * sizeof(void *)), "");
    if (types[i] == map_type(g)) { /* used in place, by its address */
      values[i] = LLVMBuildPtrToInt(g->builder, at, g->i64, "");
      continue;
    }
    if (are_large[i]) {
      values[i] = at;
      continue;
    }
    values[i] = LLVMBuildLoad2(g->builder, types[i], at, "");
    if (LLVMGetTypeKind(types[i]) == LLVMStructTypeKind) LLVMSetAlignment(values[i], 1);
  }
  bind_params(g, kernel, values);
}

typedef struct Loop {
  LLVMBasicBlockRef body, next, end;
  LLVMValueRef index;
} Loop;

/* Generates for (index = 0; index < bound; ++index), where bound > 0. The builder is left in the
 * body. */
static Loop open_loop(Gen *g, const char *name, LLVMValueRef bound)
{
  Loop loop = {gen_block(g, name), NULL, NULL, NULL};
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder);
  gen_go(g, loop.body);
  loop.index = LLVMBuildPhi(g->builder, g->i32, name);
  loop.next = gen_block(g, "thread.next");
  loop.end = gen_block(g, "thread.end");
  gen_at(g, loop.next);
  LLVMValueRef on = LLVMBuildAdd(g->builder, loop.index, gen_int(g, g->i32, 1), ""),
               zero = gen_int(g, g->i32, 0);
  LLVMBuildCondBr(g->builder, LLVMBuildICmp(g->builder, LLVMIntULT, on, bound, ""), loop.body,
                  loop.end);
  gen_incoming(loop.index, zero, before, on, loop.next);
  gen_at(g, loop.body);
  return loop;
}

static void gen_plain_kernel(Gen *g, Node *kernel)
{
  LLVMTypeRef types[] = {g->ptr, g->ptr};
  LLVMValueRef function = LLVMAddFunction(g->module, kernel_symbol(g->c, kernel),
                                          LLVMFunctionType(g->nothing, types, 2, false));
  open_function(g, kernel, function);
  gen_debug_function(g, kernel);
  LLVMValueRef args = LLVMGetParam(function, 0), block = LLVMGetParam(function, 1), dims[3];
  LLVMTypeRef bytes = LLVMArrayType2(g->i8, sizeof(ck_host_thread_t));
  g->state->thread = LLVMBuildAlloca(g->builder, bytes, "thread");
  LLVMSetAlignment(g->state->thread, 8);
  gen_thread_store(g, offsetof(ck_host_thread_t, block), block);
  for (unsigned i = 0; i < 3; ++i) {
    dims[i] = gen_int(g, g->i32, g->state->shape.dim[i]);
    if (!g->state->shape.dim[i])
      dims[i] = gen_load_field(g, block, offsetof(ck_host_block_t, dim) + 4 * i, g->i32, "dim");
  }
  gen_shared_open(g, kernel, block);
  load_params(g, kernel, args);
  open_body(g, "threads");
  Loop z = open_loop(g, "z", dims[2]), y = open_loop(g, "y", dims[1]),
       x = open_loop(g, "x", dims[0]);
  LLVMValueRef indices[3] = {x.index, y.index, z.index};
  for (unsigned i = 0; i < 3; ++i)
    gen_thread_store(g, offsetof(ck_host_thread_t, id) + 4 * i, indices[i]);
  LLVMValueRef rank = LLVMBuildMul(g->builder, z.index, dims[1], "");
  rank = LLVMBuildMul(g->builder, LLVMBuildAdd(g->builder, rank, y.index, ""), dims[0], "");
  rank = LLVMBuildAdd(g->builder, rank, x.index, "rank");
  gen_thread_store(g, offsetof(ck_host_thread_t, rank), rank);
  g->state->on_return = x.next;
  gen_scratch_start(g);
  show_params(g, kernel);
  gen_statement(g, kernel->d);
  gen_branch(g, x.next);
  gen_at(g, x.end);
  LLVMBuildBr(g->builder, y.next);
  gen_at(g, y.end);
  LLVMBuildBr(g->builder, z.next);
  gen_at(g, z.end);
  LLVMBuildRetVoid(g->builder);
}

/* %id = coro.id(128, ...); %handle = coro.begin(%id, ck_host_frame(frame, coro.size())). */
static void open_coroutine(Gen *g, LLVMValueRef frame)
{
  LLVMValueRef none = LLVMConstNull(g->ptr),
               id_args[] = {gen_int(g, g->i32, CK_HOST_FRAME_ALIGNMENT), none, none, none};
  LLVMValueRef id =
      gen_call_named(g, "llvm.coro.id", LLVMTokenTypeInContext(g->context), id_args, 4);
  LLVMValueRef frame_args[] = {frame, gen_call_named(g, "llvm.coro.size.i32", g->i32, NULL, 0)};
  LLVMValueRef begin_args[] = {id, gen_call_named(g, "ck_host_frame", g->ptr, frame_args, 2)};
  gen_call_named(g, "llvm.coro.begin", g->ptr, begin_args, 2);
}

/* A final suspension, after which the coroutine's state says that the thread has ended. */
static void close_coroutine(Gen *g)
{
  LLVMValueRef args[] = {LLVMConstNull(LLVMTokenTypeInContext(g->context)), gen_int(g, g->i1, 1)};
  gen_call_named(g, "llvm.coro.suspend", g->i8, args, 2);
  gen_call_named(g, "ck.leave", g->nothing, NULL, 0);
  LLVMBuildUnreachable(g->builder);
}

static void gen_coroutine_kernel(Gen *g, Node *kernel)
{
  LLVMTypeRef types[] = {g->ptr, g->ptr, g->ptr};
  LLVMValueRef function = LLVMAddFunction(g->module, kernel_symbol(g->c, kernel),
                                          LLVMFunctionType(g->ptr, types, 3, false));
  gen_attribute(g, function, LLVMAttributeFunctionIndex, "presplitcoroutine");
  open_function(g, kernel, function);
  gen_debug_function(g, kernel);
  LLVMValueRef frame = LLVMGetParam(function, 0), args = LLVMGetParam(function, 1);
  g->state->thread = LLVMGetParam(function, 2);
  open_coroutine(g, frame);
  LLVMValueRef block =
      gen_load_field(g, g->state->thread, offsetof(ck_host_thread_t, block), g->ptr, "block");
  gen_shared_open(g, kernel, block);
  load_params(g, kernel, args);
  open_body(g, "body");
  g->state->on_return = gen_block(g, "done");
  gen_scratch_start(g);
  show_params(g, kernel);
  gen_statement(g, kernel->d);
  gen_branch(g, g->state->on_return);
  gen_at(g, g->state->on_return);
  close_coroutine(g);
}

void gen_kernel(Gen *g, Node *kernel)
{
  g->state->shape = kernel_shape(kernel);
  if (!g->target->has_coroutines) gen_gpu_kernel(g, kernel);
  else if (kernel->flags & FLAG_waits) gen_coroutine_kernel(g, kernel);
  else gen_plain_kernel(g, kernel);
}
