/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* intrinsic.c - generates intrinsics by their rows in front/builtin.def, and print, assert and
 * trap.
 *
 * A row has a text for GPUs and one for the host: the name of an LLVM intrinsic or of a function;
 * `ptx` and a template of inline PTX; `wide` and a function of libm that is called with more
 * precision; or `@` and a word that is handled here (special), among them how a thread of the host
 * device reads its indices and waits.
 *
 *     __clz32       llvm.ctlz.i32              both targets
 *     __thread_x    llvm.nvvm.read.ptx.sreg.tid.x     host: @thread0, a load from ck_host_thread_t
 */
#include "front/builtin.h"
#include "gen/gen_private.h"

#include <stddef.h>
#include <string.h>

enum { LANES = 32 };

LLVMValueRef gen_call_named(Gen *g, const char *name, LLVMTypeRef result, LLVMValueRef *args,
                            unsigned count)
{
  LLVMValueRef function = LLVMGetNamedFunction(g->module, name);
  if (!function) {
    enum { ARGS_MAX = 8 };
    LLVMTypeRef types[ARGS_MAX];
    for (unsigned i = 0; i < count; ++i) types[i] = LLVMTypeOf(args[i]);
    function = LLVMAddFunction(g->module, name, LLVMFunctionType(result, types, count, false));
    bool is_intrinsic = !strncmp(name, "llvm.", 5);
    if (!is_intrinsic) gen_attribute(g, function, LLVMAttributeFunctionIndex, "nounwind");
  }
  return LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, args, count, "");
}

/* ---- the host's threads ---- */

LLVMValueRef gen_field(Gen *g, LLVMValueRef object, size_t offset)
{
  LLVMValueRef at = gen_int(g, g->i64, offset);
  return LLVMBuildInBoundsGEP2(g->builder, g->i8, object, &at, 1, "");
}

LLVMValueRef gen_load_field(Gen *g, LLVMValueRef object, size_t offset, LLVMTypeRef type,
                            const char *name)
{
  return LLVMBuildLoad2(g->builder, type, gen_field(g, object, offset), name);
}

static LLVMValueRef host_word(Gen *g, const char *word)
{
  static const struct {
    const char *word;
    bool is_block;
    size_t offset;
  } rows[] = {
      {"thread", false, offsetof(ck_host_thread_t, id)},
      {"block", true, offsetof(ck_host_block_t, id)},
      {"dim", true, offsetof(ck_host_block_t, dim)},
      {"grid", true, offsetof(ck_host_block_t, grid_dim)},
      {"cluster_dim", true, offsetof(ck_host_block_t, cluster_dim)},
      {"cluster_id", true, offsetof(ck_host_block_t, cluster_id)},
      {"cluster_rank", true, offsetof(ck_host_block_t, cluster_rank)},
      {"cluster_size", true, offsetof(ck_host_block_t, cluster_size)},
  };
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    size_t len = strlen(rows[i].word);
    if (strncmp(word, rows[i].word, len) != 0) continue;
    size_t axis = word[len] ? (size_t)(word[len] - '0') : 0;
    LLVMValueRef object = g->state->thread;
    if (rows[i].is_block)
      object = gen_load_field(g, object, offsetof(ck_host_thread_t, block), g->ptr, "block");
    return gen_load_field(g, object, rows[i].offset + 4 * axis, g->i32, word);
  }
  die("no host intrinsic '%s'", word);
}

void gen_thread_store(Gen *g, size_t offset, LLVMValueRef value)
{
  LLVMBuildStore(g->builder, value, gen_field(g, g->state->thread, offset));
}

/* Maps an address to another block of the cluster. Addresses are integers here, as for PTX's
 * mapa. */
static LLVMValueRef host_map(Gen *g, LLVMValueRef address, LLVMValueRef rank)
{
  LLVMValueRef args[] = {g->state->thread, LLVMBuildIntToPtr(g->builder, address, g->ptr, ""),
                         rank};
  LLVMValueRef mapped = gen_call_named(g, "ck_host_map", g->ptr, args, 3);
  return LLVMBuildPtrToInt(g->builder, mapped, g->i64, "");
}

/* Suspends a host thread. It stores what it waits for, then calls two marks that target/host.c
 * turns into a suspension: ck.suspend gives 0 when the thread is resumed; otherwise ck.leave
 * returns to the host device. */
void gen_host_wait(Gen *g, const Node *call, ck_host_wait_t wait, LLVMValueRef mask)
{
  if (wait == CK_HOST_WAIT_BLOCK || wait == CK_HOST_WAIT_CLUSTER) gen_check_wait(g, call);
  /* the program's block.sync(), not the library's line */
  if (g->state->inline_depth) call = g->state->inline_site;
  uint32_t line, col;
  source_at(&g->c->sources, call->span.lo, &line, &col);
  if (!gen_is_users(g, call)) line = 0; /* a line of the library's text would mislead */
  gen_thread_store(g, offsetof(ck_host_thread_t, wait), gen_int(g, g->i32, wait));
  gen_thread_store(g, offsetof(ck_host_thread_t, wait_mask), mask);
  gen_thread_store(g, offsetof(ck_host_thread_t, wait_line), gen_int(g, g->i32, line));
  LLVMValueRef is_back =
      LLVMBuildICmp(g->builder, LLVMIntEQ, gen_call_named(g, "ck.suspend", g->i8, NULL, 0),
                    gen_int(g, g->i8, 0), "back");
  LLVMBasicBlockRef leave = gen_block(g, "leave"), next = gen_block(g, "next");
  LLVMBuildCondBr(g->builder, is_back, next, leave);
  gen_at(g, leave);
  gen_call_named(g, "ck.leave", g->nothing, NULL, 0);
  LLVMBuildUnreachable(g->builder);
  gen_at(g, next);
}

/* Waits for the warps of a role, or of a part of it: the first warp, how many there are, which is a
 * constant, and the number of the barrier. */
static LLVMValueRef wait_for_part(Gen *g, const Node *call, LLVMValueRef *args)
{
  uint64_t warps = LLVMConstIntGetZExtValue(args[1]);
  if (!g->target->has_ptx) {
    LLVMValueRef first = LLVMBuildShl(g->builder, args[0], gen_int(g, g->i32, 8), "");
    gen_check_fence(g);
    gen_host_wait(g, call, CK_HOST_WAIT_PART,
                  LLVMBuildOr(g->builder, first, gen_int(g, g->i32, warps), "part"));
    gen_check_fence(g);
    return NULL;
  }
  PtxAsm ptx = {.is_volatile = true, .is_memory = true, .is_convergent = true};
  asm_input(g, &ptx, args[2]);
  asm_input(g, &ptx, gen_int(g, g->i32, warps * LANES));
  static const char text[] = "bar.sync $0, $1;";
  asm_call(g, &ptx, text, sizeof text - 1);
  return NULL;
}

/* The thread's index in its warp. */
static LLVMValueRef host_lane(Gen *g)
{
  LLVMValueRef rank =
      gen_load_field(g, g->state->thread, offsetof(ck_host_thread_t, rank), g->i32, "rank");
  return LLVMBuildAnd(g->builder, rank, gen_int(g, g->i32, LANES - 1), "lane");
}

static LLVMValueRef wait_for_all(Gen *g, const Node *call, ck_host_wait_t wait)
{
  gen_host_wait(g, call, wait, gen_int(g, g->i32, 0));
  return NULL;
}

/* Generates a word behind '@'. */
static LLVMValueRef special(Gen *g, Node *call, const char *word, LLVMValueRef *args,
                            unsigned count)
{
  if (!strcmp(word, "nothing")) return NULL;
  if (!strncmp(word, "step_", 5)) return gen_step_word(g, word + 5);
  if (!strcmp(word, "same")) return args[count - 1];
  if (!strcmp(word, "bits"))
    return LLVMBuildBitCast(g->builder, args[0], gen_type(g, call->type), "");
  if (!strncmp(word, "exchange_", 9)) return gen_lane_exchange(g, call, word + 9, args, count);
  if (!strcmp(word, "check_block")) return gen_check_block(g, call, args[0]);
  if (!strcmp(word, "none")) die("'%s' is not for the host", call->builtin->name);
  if (!strcmp(word, "self"))
    return LLVMBuildShl(g->builder, gen_int(g, g->i32, 1), host_lane(g), "self");
  if (!strcmp(word, "lane")) return host_lane(g);
  if (!strcmp(word, "rsqrt")) {
    bool is_f64 = call->type->kind == TYPE_f64;
    LLVMValueRef root =
        gen_call_named(g, is_f64 ? "llvm.sqrt.f64" : "llvm.sqrt.f32", LLVMTypeOf(args[0]), args, 1);
    return LLVMBuildFDiv(g->builder, LLVMConstReal(LLVMTypeOf(args[0]), 1), root, "");
  }
  if (!strcmp(word, "wait_block")) return wait_for_all(g, call, CK_HOST_WAIT_BLOCK);
  if (!strcmp(word, "wait_poll")) return wait_for_all(g, call, CK_HOST_WAIT_POLL);
  if (!strcmp(word, "wait_cluster")) return wait_for_all(g, call, CK_HOST_WAIT_CLUSTER);
  if (!strcmp(word, "wait_grid")) return wait_for_all(g, call, CK_HOST_WAIT_GRID);
  if (!strcmp(word, "wait_warp")) {
    gen_host_wait(g, call, CK_HOST_WAIT_WARP, args[0]);
    return NULL;
  }
  if (!strcmp(word, "wait_part")) return wait_for_part(g, call, args);
  if (!strcmp(word, "wait_phase")) {
    gen_thread_store(g, offsetof(ck_host_thread_t, value), args[0]);
    gen_host_wait(g, call, CK_HOST_WAIT_PHASE, args[1]);
    return NULL;
  }
  if (!strcmp(word, "note_phase")) {
    gen_check_phase(g, args[0]);
    return NULL;
  }
  if (!strcmp(word, "note_bulk")) {
    gen_check_bulk(g, call, args);
    return NULL;
  }
  if (!strcmp(word, "cluster_map")) return host_map(g, args[0], args[1]);
  return host_word(g, word);
}

/* The constant that the launch contract gives for "dim0", "thread1", "block2" or "grid1"; NULL:
 * none. */
static LLVMValueRef shape_word(Gen *g, const char *word)
{
  const Shape *shape = &g->state->shape;
  unsigned axis = (unsigned)(word[strlen(word) - 1] - '0');
  bool is_flat = shape->grid_rank && axis >= shape->grid_rank;
  if (*word == 'd' && shape->dim[axis]) return gen_int(g, g->i32, shape->dim[axis]);
  if (*word == 't' && shape->dim[axis] == 1) return gen_int(g, g->i32, 0);
  if (*word == 'b' && is_flat) return gen_int(g, g->i32, 0);
  if (*word == 'g' && is_flat) return gen_int(g, g->i32, 1);
  return NULL;
}

/* Calls libm's function of the next wider type: f64 for an f32, x86's long double for an f64.
 * Rounded once more, the result is nearly always correctly rounded. */
static LLVMValueRef gen_wide(Gen *g, const char *name, LLVMTypeRef type, LLVMValueRef x)
{
  bool is_f64 = type == g->f64;
  LLVMTypeRef wide = is_f64 ? LLVMX86FP80TypeInContext(g->context) : g->f64;
  LLVMValueRef value = LLVMBuildFPExt(g->builder, x, wide, "wide");
  if (is_f64) name = arena_printf(&g->c->scratch, "%sl", name);
  return LLVMBuildFPTrunc(g->builder, gen_call_named(g, name, wide, &value, 1), type, "");
}

LLVMValueRef gen_intrinsic(Gen *g, Node *call)
{
  if (call->builtin->effect == EFFECT_SHAPE) {
    LLVMValueRef known = shape_word(g, call->builtin->host + 1);
    if (known) return known;
  }
  check_target_sm(g->c, call->builtin->name, call->builtin->sm, call->span);
  enum { ARGS_MAX = 8 };
  LLVMValueRef args[ARGS_MAX];
  unsigned count = 0;
  for (Node *arg = call->b; arg; arg = arg->next) args[count++] = gen_expr(g, arg);
  const char *name =
      g->target->has_ptx ? builtin_gpu(call->builtin, g->state->is_fast) : call->builtin->host;
  gen_debug_at(g, call);
  if (!strcmp(name, "@fma")) return gen_half_fma(g, call->type, args);
  if (!strncmp(name, "@extreme ", 9)) return gen_half_extreme(g, name + 9, call->type, args);
  if (*name == '@' && gen_is_bits(name + 1)) return gen_bits(g, name + 1, args);
  if (*name == '@') return special(g, call, name + 1, args, count);
  if (!strncmp(name, "wide ", 5)) return gen_wide(g, name + 5, gen_type(g, call->type), args[0]);
  if (!strncmp(name, "ptx ", 4)) return gen_ptx(g, call, name + 4, args, count);
  bool is_count_zeros = !strncmp(name, "llvm.ctlz.", 10) || !strncmp(name, "llvm.cttz.", 10);
  if (is_count_zeros) args[count++] = gen_int(g, g->i1, 0); /* of 0 the result is the width */
  return gen_call_named(g, name, gen_type(g, call->type), args, count);
}

/* ---- print, assert, trap ---- */

static LLVMValueRef source_file(Gen *g, const Node *node, uint32_t *out_line)
{
  uint32_t col;
  const Source *source = source_at(&g->c->sources, node->span.lo, out_line, &col);
  return gen_string(g, source->name, strlen(source->name));
}

/* Writes printf's conversion for one {...}: "{:8.3}" of an f32 is "%8.3g". */
static void put_conversion(Buf *out, const char *spec, size_t len, const Type *type)
{
  char last = len ? spec[len - 1] : 0;
  bool has_letter = last >= 'a' && last <= 'z';
  buf_putc(out, '%');
  buf_bytes(out, spec, len - has_letter);
  if (type->kind == TYPE_bool) {
    buf_putc(out, 's');
  } else if (type_is_float(type)) {
    /* Without a precision: enough digits to tell any two values apart. */
    if (!memchr(spec, '.', len))
      buf_puts(out, type->kind == TYPE_f64   ? ".17"
                    : type->kind == TYPE_f32 ? ".9"
                    : type->kind == TYPE_f16 ? ".5"
                                             : ".4");
    buf_putc(out, has_letter ? last : 'g');
  } else {
    if (type->bits == 64) buf_puts(out, "ll");
    buf_putc(out, last == 'x' ? 'x' : type_is_signed(type) ? 'd' : 'u');
  }
}

/* Writes the conversions for a value: {x: 1, y: 2} of a struct, (1, 2) of tuples and vectors, [1,
 * 2] of arrays. Each scalar has the same conversion. */
static void put_conversions(Buf *out, const char *spec, size_t len, const Type *type)
{
  bool is_array = type->kind == TYPE_array, is_struct = type->kind == TYPE_struct;
  if (type->kind == TYPE_pointer) {
    buf_puts(out, "0x%llx");
    return;
  }
  if (!is_array && !is_struct && type->kind != TYPE_tuple && type->kind != TYPE_vector) {
    put_conversion(out, spec, len, type);
    return;
  }
  const Node *field = is_struct ? type->decl->b : NULL;
  buf_putc(out, is_array ? '[' : is_struct ? '{' : '(');
  for (uint32_t i = 0; i < type->count; ++i) {
    if (i) buf_puts(out, ", ");
    while (field && field->kind != NODE_field) field = field->next;
    if (field) buf_printf(out, "%s: ", field->name->text);
    if (field) field = field->next;
    put_conversions(out, spec, len, type->elements ? type->elements[i] : type->element);
  }
  buf_putc(out, is_array ? ']' : is_struct ? '}' : ')');
}

static void put_format(Buf *out, const Node *format)
{
  const Node *value = format->next;
  for (const char *p = format->text, *end = p + format->text_bytes; p < end; ++p) {
    if (*p == '%') {
      buf_puts(out, "%%");
    } else if ((*p == '{' || *p == '}') && p + 1 < end && p[1] == *p) {
      buf_putc(out, *p++);
    } else if (*p == '{') {
      const char *close = memchr(p, '}', (size_t)(end - p)), *spec = p + 1 < close ? p + 2 : close;
      put_conversions(out, spec, (size_t)(close - spec), value->type);
      value = value->next;
      p = close;
    } else {
      buf_putc(out, *p);
    }
  }
  buf_putc(out, '\n');
}

typedef struct Printed {
  LLVMValueRef values[PRINTED_MAX];
  LLVMTypeRef types[PRINTED_MAX];
  unsigned count;
} Printed;

/* Is the value with this index printed by {:x}? */
static bool is_hex(const Node *format, unsigned index)
{
  const char *p = format->text, *end = p + format->text_bytes;
  for (; (p = memchr(p, '{', (size_t)(end - p))); ++p) {
    if (p[1] == '{') ++p;
    else if (index-- == 0) return ((const char *)memchr(p, '}', (size_t)(end - p)))[-1] == 'x';
  }
  return false;
}

/* Converts a scalar as C passes it to a variadic function. For {:x}, small integers are
 * zero-extended, so that -1i8 prints as ff. */
static LLVMValueRef promote(Gen *g, LLVMValueRef value, Type *type, bool is_in_hex)
{
  if (type->kind == TYPE_bool)
    return LLVMBuildSelect(g->builder, value, gen_string(g, "true", 4), gen_string(g, "false", 5),
                           "");
  if (type_is_half(type)) return gen_convert(g, value, type, g->c->types->type_f64);
  if (type->kind == TYPE_f32) return LLVMBuildFPExt(g->builder, value, g->f64, "");
  if (type->kind == TYPE_pointer) return gen_convert(g, value, type, g->c->types->type_u64);
  if ((type_is_int(type) || type_is_enum(type)) && type->bits < 32)
    return type_is_signed(type) && !is_in_hex ? LLVMBuildSExt(g->builder, value, g->i32, "")
                                              : LLVMBuildZExt(g->builder, value, g->i32, "");
  return value;
}

/* Collects the scalars of a printed value. */
static void take_printed(Gen *g, LLVMValueRef value, Type *type, bool is_in_hex, Printed *out)
{
  bool is_vector = type->kind == TYPE_vector;
  if (!is_vector && type->kind != TYPE_array && type->kind != TYPE_struct &&
      type->kind != TYPE_tuple) {
    out->values[out->count] = promote(g, value, type, is_in_hex);
    out->types[out->count] = LLVMTypeOf(out->values[out->count]);
    ++out->count;
    return;
  }
  for (uint32_t i = 0; i < type->count; ++i) {
    Type *part = type->elements ? type->elements[i] : type->element;
    take_printed(g, is_vector ? gen_component(g, value, i) : gen_part(g, value, type, i, ""), part,
                 is_in_hex, out);
  }
}

static void gen_print(Gen *g, Node *call)
{
  Printed printed = {.count = 0};
  unsigned index = 0;
  for (Node *arg = call->b->next; arg; arg = arg->next)
    take_printed(g, gen_expr(g, arg), arg->type, is_hex(call->b, index++), &printed);
  unsigned count = printed.count;
  LLVMValueRef *values = printed.values;
  Buf format = BUF(&g->c->scratch);
  put_format(&format, call->b);
  LLVMTypeRef type = LLVMStructTypeInContext(g->context, printed.types, count, false);
  LLVMValueRef packed = LLVMConstNull(g->ptr);
  if (count) {
    packed = gen_alloca_type(g, type, "print.values");
    LLVMSetAlignment(packed, 8);
  }
  for (unsigned i = 0; i < count; ++i)
    LLVMBuildStore(g->builder, values[i], LLVMBuildStructGEP2(g->builder, type, packed, i, ""));
  LLVMValueRef text = gen_string(g, buf_text(&format), format.len);
  LLVMValueRef gpu[] = {text, packed}, host[] = {g->state->thread, text, packed};
  if (g->target->has_ptx) gen_call_named(g, "vprintf", g->i32, gpu, 2);
  else gen_call_named(g, "ck_host_print", g->nothing, host, 3);
}

static void gen_assert(Gen *g, Node *call)
{
  LLVMValueRef holds = gen_expr(g, call->b);
  LLVMBasicBlockRef fail = gen_block(g, "assert.fail"), end = gen_block(g, "assert.end");
  LLVMBuildCondBr(g->builder, holds, end, fail);
  gen_at(g, fail);
  const Node *message = call->b->next, *condition = call->b;
  uint32_t line;
  LLVMValueRef file = source_file(g, call, &line), text;
  if (message) text = gen_string(g, message->text, message->text_bytes);
  else
    text = gen_string(g, source_text(&g->c->sources, condition->span),
                      condition->span.hi - condition->span.lo);
  LLVMValueRef name = gen_string(g, g->state->item->name->text, g->state->item->name->len),
               number = gen_int(g, g->i32, line);
  LLVMValueRef gpu[] = {text, file, number, name, gen_int(g, g->i64, 1)},
               host[] = {g->state->thread, text, file, number, name};
  LLVMValueRef made = g->target->has_ptx ? gen_call_named(g, "__assertfail", g->nothing, gpu, 5)
                                         : gen_call_named(g, "ck_host_assert", g->nothing, host, 5);
  gen_attribute(g, LLVMGetCalledValue(made), LLVMAttributeFunctionIndex, "noreturn");
  LLVMBuildUnreachable(g->builder);
  gen_at(g, end);
}

static void gen_trap(Gen *g, const Node *call)
{
  if (!g->target->has_ptx) {
    uint32_t line;
    LLVMValueRef file = source_file(g, call, &line),
                 args[] = {g->state->thread, file, gen_int(g, g->i32, line)};
    LLVMValueRef made = gen_call_named(g, "ck_host_trap", g->nothing, args, 3);
    gen_attribute(g, LLVMGetCalledValue(made), LLVMAttributeFunctionIndex, "noreturn");
  } else {
    gen_call_named(g, "llvm.trap", g->nothing, NULL, 0);
  }
  LLVMBuildUnreachable(g->builder);
  gen_at(g, gen_block(g, "trap.end"));
}

static LLVMValueRef gen_address(Gen *g, Node *call)
{
  Place place = gen_place(g, call->b);
  return gen_cast_address(g, place.address, place.space, gen_space(g, call->type->space));
}

LLVMValueRef gen_form(Gen *g, Node *call)
{
  switch (call->builtin->form) {
  case FORM_address: return gen_address(g, call);
  case FORM_print: gen_print(g, call); break;
  case FORM_assert: gen_assert(g, call); break;
  case FORM_trap: gen_trap(g, call); break;
  case FORM__apart:
  case FORM__stores:
  case FORM__in_step:
  case FORM__fits: break; /* check/scratch.c has looked at it */
  case FORM__shares:
  case FORM__shares_none: /* the host launches a step only where its condition holds */
    return gen_int(g, g->i1, 1);
  case FORM__any: return LLVMGetUndef(gen_type(g, call->type));
  case FORM__below:
  case FORM__some: return gen_check_tested(g, call);
  case FORM_intrinsic:
  case FORM__memory:
  case FORM__place:
  case FORM__sort_key:
  case FORM__zero:
  case FORM_alignof:
  case FORM_asm:
  case FORM_bit_cast:
  case FORM_element_of:
  case FORM_inf:
  case FORM_nan:
  case FORM_ptr:
  case FORM_range:
  case FORM_resident:
  case FORM_sizeof:
  case FORM_tune:
  case FORM_vec:
  case FORM_vec_load:
  case FORM_vec_store: die("no code for '%s' here", call->builtin->name);
  }
  return NULL;
}
