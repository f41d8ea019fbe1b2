/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* walk.c - goes through the operands of a call: once for the key and the arguments, and again, for
 * a key that is new, with the text of the algorithm as well.
 *
 * Both are one recursion, so that the parameters of the text are in the order of the arguments:
 *
 *     ck_reduce of        key                          arguments        text
 *       transform         transform                                     x.map(op0(x_1))
 *         array f32       | array f32, read            | its span       x: in f32[]
 *         "|v| v * a"     | "|v| v * a", a f32         | a              x_1: f32
 *       "+"               "+"                                           +
 *       constant f32      constant f32                 the value        init: f32
 *
 * The key has kinds, types and texts, never an address, a length or a value. One thing about
 * addresses is part of it: an array that is written and stands in two places with the same address
 * and length is one parameter, since CK assumes that different spans don't overlap.
 */
#include <string.h>

#include "call.h"

/* ---- operations ---- */

static bool is_lambda(const ck_op_t *op)
{
  const char *text = op->text;
  while (*text == ' ' || *text == '\n') ++text;
  return (*text == '|' && text[1]) || op->state_count || strchr(text, '(');
}

/* Writes the function that makes a lambda of its state, "fn op0(least: f32) =\n|v| v < least;". */
static ck_status_t write_lambda(Call *call, const ck_op_t *op)
{
  Writer *writer = call->writer;
  if (writer->op_count == OPS_MAX)
    return call_fail(call, CK_UNSUPPORTED, "more than %d operations", OPS_MAX);
  OpPlace *place = &writer->places[writer->op_count];
  Buf *outer = writer->out, types = BUF(&writer->arena);
  buf_printf(outer, "op%u_(", writer->op_count);
  buf_printf(&types, "fn op%u_(", writer->op_count++);
  for (size_t i = 0; i < op->state_count; ++i) {
    const ck_op_state_t *state = &op->state[i];
    unsigned access = (unsigned)state->access & 3;
    if (i) buf_puts(outer, ", ");
    if (access) CK_TRY(param_add_array(call, state->type, state->value, access));
    else CK_TRY(param_add_value(call, state->type, state->value));
    static const char *const words[] = {"", "in ", "out ", "inout "};
    buf_printf(&types, "%s%s: %s", i ? ", " : "", state->name ? state->name : "", words[access]);
    CK_TRY(type_write(call, &types, state->type));
    if (access) buf_puts(&types, "[]");
  }
  buf_puts(outer, ")");
  buf_puts(&types, ") =\n");
  buf_bytes(&writer->ops, types.data, types.len);
  /* Lines are counted within `ops`; what is declared ahead of it is added at the end. */
  *place = (OpPlace){.line = text_lines(writer->ops.data) + 1,
                     .lines = text_lines(op->text) + 1,
                     .operand = call->operand};
  buf_puts(&writer->ops, op->text);
  buf_puts(&writer->ops, ";\n");
  return CK_OK;
}

static ck_status_t walk_op(Call *call, const ck_op_t *op)
{
  if (!op || !op->text)
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s' needs an operation",
                     call_operand(call));
  if (op->state_count && !op->state)
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s': %zu states, but no list",
                     call_operand(call), op->state_count);
  call_put_number(call, 'f');
  call_put_text(call, op->text);
  call_put_text(call, op->source);
  call_put_number(call, (uint32_t)op->state_count);
  for (size_t i = 0; i < op->state_count; ++i) call_put_text(call, op->state[i].name);
  if (UNLIKELY(op->ltoir)) {
    Digest digest = digest_of(op->ltoir, op->ltoir_bytes);
    call_put(call, &digest, sizeof digest);
    if (call->linked_count == OPS_MAX)
      return call_fail(call, CK_UNSUPPORTED, "more than %d operations", OPS_MAX);
    call->linked[call->linked_count++] = op;
  }
  if (call->writer) {
    if (op->source) CK_TRY(text_declare(call, op->source));
    if (is_lambda(op)) return write_lambda(call, op);
    buf_puts(call->writer->out, op->text);
    return CK_OK;
  }
  for (size_t i = 0; i < op->state_count; ++i) {
    const ck_op_state_t *state = &op->state[i];
    unsigned access = (unsigned)state->access & 3;
    if (access) CK_TRY(param_add_array(call, state->type, state->value, access));
    else CK_TRY(param_add_value(call, state->type, state->value));
  }
  return CK_OK;
}

/* ---- iterators ---- */

static const char *const kind_names[] = {
    "nothing",    "an array",  "a view",       "a count",
    "a constant", "tabulate",  "a transform",  "a transform on output",
    "a zip",      "enumerate", "gather",       "reverse",
    "strided",    "take",      "drop",         "a window",
    "discard",    "a shuffle", "a cached load"};

/* What access to it needs that the kind can't give. */
static ck_status_t check_access(Call *call, const ck_iterator_t *it, unsigned access)
{
  bool can_read = true, can_write = true;
  switch (it->kind) {
  case CK_ITERATOR_ARRAY:
  case CK_ITERATOR_VIEW:
  case CK_ITERATOR_ZIP:
  case CK_ITERATOR_GATHER:
  case CK_ITERATOR_REVERSE:
  case CK_ITERATOR_STRIDED:
  case CK_ITERATOR_TAKE:
  case CK_ITERATOR_DROP: return CK_OK;
  case CK_ITERATOR_TRANSFORM_OUTPUT:
  case CK_ITERATOR_DISCARD: can_read = false; break;
  case CK_ITERATOR_COUNT:
  case CK_ITERATOR_CONSTANT:
  case CK_ITERATOR_TABULATE:
  case CK_ITERATOR_TRANSFORM:
  case CK_ITERATOR_ENUMERATE:
  case CK_ITERATOR_WINDOW:
  case CK_ITERATOR_SHUFFLE:
  case CK_ITERATOR_CACHED: can_write = false; break;
  default:
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s': %u is no kind of iterator",
                     call_operand(call), it->kind);
  }
  if (!can_read && (access & CK_ACCESS_IN))
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s' is read, and %s can't be",
                     call_operand(call), kind_names[it->kind]);
  if (!can_write && (access & CK_ACCESS_OUT))
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s' is written, and %s can't be",
                     call_operand(call), kind_names[it->kind]);
  return CK_OK;
}

/* Is it an array, or a part of one by `take` and `drop` that the host knows? Its span then. */
static bool is_span(const ck_iterator_t *it, ck_arg_t *out_span, ck_value_type_t *out_type)
{
  if (it->kind == CK_ITERATOR_ARRAY) {
    *out_span = it->value;
    *out_type = it->type;
    return true;
  }
  bool is_take = it->kind == CK_ITERATOR_TAKE;
  if ((!is_take && it->kind != CK_ITERATOR_DROP) || it->number > 1 || !it->parts[0] ||
      it->parts[0]->kind == it->kind || !is_span(it->parts[0], out_span, out_type))
    return false;
  size_t bytes = ck_value_type_bytes(*out_type);
  uint64_t n = it->value.value.u;
  if (!bytes) return false;
  if (out_span->kind == CK_ARG_BUFFER && out_span->value.buffer)
    *out_span = ck_span(out_span->value.buffer, 0, ck_buffer_bytes(out_span->value.buffer) / bytes);
  if (out_span->kind == CK_ARG_ADDRESS && out_span->count == CK_COUNT_UNKNOWN && !is_take)
    return false;
  if (is_take) {
    if (n < out_span->count) out_span->count = n;
    return true;
  }
  if (n > out_span->count) n = out_span->count;
  out_span->count -= n;
  if (out_span->kind == CK_ARG_ADDRESS) out_span->value.u += n * bytes;
  else out_span->offset += n;
  return true;
}

static ck_status_t walk_iterator(Call *call, const ck_iterator_t *it, unsigned access);

static void write(const Call *call, const char *text)
{
  if (call->writer) buf_puts(call->writer->out, text);
}

/* The elements from `lowest` on, in elements from the first one of the view, to the greatest. */
static ck_arg_t view_span(const ck_view_t *view, int64_t lowest, uint64_t count, size_t bytes)
{
  int64_t start = (int64_t)view->offset + lowest * (int64_t)bytes;
  if (start % (int64_t)bytes == 0) return ck_span(view->buffer, (uint64_t)start / bytes, count);
  return ck_address_span(ck_buffer_native(view->buffer) + (uint64_t)start, count);
}

/* A view of several axes that aren't one: the element's index becomes its place. */
static ck_status_t walk_axes(Call *call, const ck_view_t *view, ck_value_type_t type, size_t bytes,
                             unsigned access)
{
  int64_t lowest = 0, highest = 0;
  for (uint32_t k = 0; k < view->rank; ++k) {
    int64_t reach = (view->extents[k] - 1) * view->strides[k];
    *(reach < 0 ? &lowest : &highest) += reach;
  }
  call_put_number(call, 'x');
  call_put_number(call, view->rank);
  CK_TRY(param_add_array(call, type,
                         view_span(view, lowest, (uint64_t)(highest - lowest) + 1, bytes), access));
  write(call, ".gather(count<u64>().take(");
  CK_TRY(param_add_number(call, ck_view_count(view)));
  if (call->writer) {
    Buf *ops = &call->writer->ops;
    buf_printf(call->writer->out, ").map(axes%u_(", call->writer->op_count);
    buf_printf(ops, "fn axes%u_(first: u64", call->writer->op_count++);
    for (uint32_t k = 0; k < view->rank; ++k) buf_printf(ops, ", e%u: u64, s%u: i64", k, k);
    buf_puts(ops, ") = |i: u64| { var at = i64(first); var rest = i;");
    for (uint32_t k = view->rank; k-- > 0;)
      buf_printf(ops, " at += i64(rest %% e%u) * s%u; rest /= e%u;", k, k, k);
    buf_puts(ops, " return u64(at); };\n");
  }
  CK_TRY(param_add_number(call, (uint64_t)-lowest));
  for (uint32_t k = 0; k < view->rank; ++k) {
    write(call, ", ");
    CK_TRY(param_add_number(call, (uint64_t)view->extents[k]));
    write(call, ", ");
    CK_TRY(param_add_value(call, ck_type_scalar(CK_I64), ck_i64(view->strides[k])));
  }
  write(call, ")))");
  return CK_OK;
}

static ck_status_t walk_view(Call *call, const ck_iterator_t *it, unsigned access)
{
  ck_view_t flat;
  size_t bytes = ck_value_type_bytes(it->type);
  if (!it->view || !it->view->buffer)
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s': a view without a buffer",
                     call_operand(call));
  if ((access & CK_ACCESS_OUT) && (it->view->flags & CK_VIEW_READ_ONLY))
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s' is written, but is read-only",
                     call_operand(call));
  if (!bytes || bytes != ck_view_element_bytes(it->view))
    return call_fail(call, CK_INVALID_ARGUMENT,
                     "argument '%s': elements of the view have %zu bytes, the type has %zu",
                     call_operand(call), ck_view_element_bytes(it->view), bytes);
  uint64_t count = ck_view_count(it->view);
  if (!count || !it->view->rank)
    return param_add_array(call, it->type, view_span(it->view, 0, count, bytes), access);
  CK_TRY(ck_view_flatten(it->view, 1, &flat));
  if (flat.rank > 1) return walk_axes(call, &flat, it->type, bytes, access);
  int64_t stride = flat.rank ? flat.strides[0] : 1;
  if (count == 1 || stride == 1)
    return param_add_array(call, it->type, view_span(&flat, 0, count, bytes), access);
  uint64_t reach = (count - 1) * (uint64_t)(stride < 0 ? -stride : stride);
  if (!stride) {
    if (access & CK_ACCESS_OUT)
      return call_fail(call, CK_INVALID_ARGUMENT,
                       "argument '%s' is written, but all its elements are one place",
                       call_operand(call));
    call_put_number(call, 'z');
    write(call, "constant(");
    CK_TRY(param_add_array(call, it->type, view_span(&flat, 0, 1, bytes), access));
    write(call, "[0]).take(");
    CK_TRY(param_add_number(call, count));
    write(call, ")");
    return CK_OK;
  }
  call_put_number(call, stride < 0 ? 'r' : 's');
  CK_TRY(param_add_array(call, it->type,
                         view_span(&flat, stride < 0 ? -(int64_t)reach : 0, reach + 1, bytes),
                         access));
  write(call, stride < 0 ? ".reverse().strided(" : ".strided(");
  CK_TRY(param_add_number(call, (uint64_t)(stride < 0 ? -stride : stride)));
  write(call, ")");
  return CK_OK;
}

static ck_status_t walk_parts(Call *call, const ck_iterator_t *it, unsigned access)
{
  for (uint32_t i = 0; i < it->number; ++i) {
    if (i) write(call, ", ");
    CK_TRY(walk_iterator(call, it->parts[i], access));
  }
  return CK_OK;
}

static ck_status_t walk_source(Call *call, const ck_iterator_t *it)
{
  Buf *out = call->writer ? call->writer->out : NULL;
  switch (it->kind) {
  case CK_ITERATOR_COUNT:
    if (out) {
      buf_puts(out, "count<");
      CK_TRY(type_write(call, out, it->type));
      buf_puts(out, ">(");
    }
    CK_TRY(param_add_value(call, it->type, it->value));
    break;
  case CK_ITERATOR_CONSTANT:
    write(call, "constant(");
    CK_TRY(param_add_value(call, it->type, it->value));
    break;
  case CK_ITERATOR_TABULATE:
    write(call, "tabulate(");
    CK_TRY(walk_op(call, it->op));
    break;
  case CK_ITERATOR_DISCARD:
    call_put_type(call, it->type, 0);
    if (out) {
      buf_puts(out, "discard<");
      CK_TRY(type_write(call, out, it->type));
      buf_puts(out, ">(");
    }
    break;
  default: /* CK_ITERATOR_SHUFFLE */
    write(call, "shuffle(");
    CK_TRY(param_add_number(call, it->value.value.u));
    write(call, ", ");
    CK_TRY(param_add_number(call, it->seed));
    break;
  }
  write(call, ")");
  return CK_OK;
}

/* Methods of parts[0]. */
static ck_status_t walk_method(Call *call, const ck_iterator_t *it, unsigned access)
{
  static const char *const modes[] = {"all", "global", "streaming", "volatile"};
  CK_TRY(walk_iterator(call, it->parts[0], access));
  switch (it->kind) {
  case CK_ITERATOR_TRANSFORM:
    write(call, ".map(");
    CK_TRY(walk_op(call, it->op));
    break;
  case CK_ITERATOR_TRANSFORM_OUTPUT:
    write(call, ".map_store(");
    CK_TRY(walk_op(call, it->op));
    break;
  case CK_ITERATOR_ENUMERATE: write(call, ".enumerate("); break;
  case CK_ITERATOR_REVERSE: write(call, ".reverse("); break;
  case CK_ITERATOR_GATHER:
    write(call, ".gather(");
    CK_TRY(walk_iterator(call, it->parts[1], CK_ACCESS_IN));
    break;
  case CK_ITERATOR_STRIDED:
    write(call, ".strided(");
    CK_TRY(param_add_number(call, it->value.value.u));
    break;
  case CK_ITERATOR_DROP:
    write(call, ".drop(");
    CK_TRY(param_add_number(call, it->value.value.u));
    break;
  case CK_ITERATOR_TAKE:
    write(call, ".take(");
    if (it->number == 1) CK_TRY(param_add_number(call, it->value.value.u));
    if (it->number == 1) break;
    write(call, "u64(");
    CK_TRY(walk_iterator(call, it->parts[1], CK_ACCESS_IN));
    write(call, "[0])");
    break;
  case CK_ITERATOR_WINDOW:
    call_put_number(call, it->number);
    if (call->writer) buf_printf(call->writer->out, ".window<%u>(", it->number);
    break;
  default: /* CK_ITERATOR_CACHED */
    call_put_number(call, it->number);
    if (it->number >= COUNT_OF(modes))
      return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s': %u is no ck_cache_mode_t",
                       call_operand(call), it->number);
    if (call->writer) buf_printf(call->writer->out, ".cached(cache = %s", modes[it->number]);
    break;
  }
  write(call, ")");
  return CK_OK;
}

static ck_status_t walk_kind(Call *call, const ck_iterator_t *it, unsigned access)
{
  ck_arg_t span;
  ck_value_type_t type;
  if (is_span(it, &span, &type)) return param_add_array(call, type, span, access);
  call_put_number(call, it->kind << 8 | it->number << 16);
  switch (it->kind) {
  case CK_ITERATOR_VIEW: return walk_view(call, it, access);
  case CK_ITERATOR_COUNT:
  case CK_ITERATOR_CONSTANT:
  case CK_ITERATOR_TABULATE:
  case CK_ITERATOR_DISCARD:
  case CK_ITERATOR_SHUFFLE: return walk_source(call, it);
  case CK_ITERATOR_ZIP:
    if (it->number < 2 || it->number > 4)
      return call_fail(call, CK_INVALID_ARGUMENT,
                       "argument '%s': a zip of %u iterators, not 2 to 4", call_operand(call),
                       it->number);
    write(call, "zip(");
    CK_TRY(walk_parts(call, it, access));
    write(call, ")");
    return CK_OK;
  default: return walk_method(call, it, access);
  }
}

static ck_status_t walk_iterator(Call *call, const ck_iterator_t *it, unsigned access)
{
  if (!it)
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s': an iterator is NULL",
                     call_operand(call));
  if (call->depth == DEPTH_MAX)
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s': iterators nest more than %d deep",
                     call_operand(call), DEPTH_MAX);
  CK_TRY(check_access(call, it, access));
  ++call->depth;
  ck_status_t status = walk_kind(call, it, access);
  --call->depth;
  return status;
}

/* A matrix, where the step wants one: a span of two extents. */
static ck_status_t walk_matrix(Call *call, const ck_iterator_t *it, unsigned access)
{
  const ck_view_t *view = it->view;
  uint32_t rows, columns, param;
  size_t bytes = ck_value_type_bytes(it->type);
  if (!bytes || bytes != ck_view_element_bytes(view) || !ck_view_is_dense(view))
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s': a matrix has to be dense",
                     call_operand(call));
  if ((access & CK_ACCESS_OUT) && (view->flags & CK_VIEW_READ_ONLY))
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s' is written, but is read-only",
                     call_operand(call));
  call_put_number(call, 'm' | access << 8);
  call_put_type(call, it->type, 0);
  ck_value_type_t number = ck_type_scalar(CK_U64);
  bool is_first = call->is_first;
  call->is_first = false;
  CK_TRY(param_add(call, number, ck_u64((uint64_t)view->extents[0]), &rows));
  CK_TRY(param_add(call, number, ck_u64((uint64_t)view->extents[1]), &columns));
  call->is_first = is_first;
  CK_TRY(param_add(call, it->type, view_span(view, 0, ck_view_count(view), bytes), &param));
  Param *own = &call->params[param];
  own->access = (uint8_t)access;
  if (!call->writer) return CK_OK;
  uint32_t extents[2] = {rows, columns};
  for (int k = 0; k < 2; ++k) {
    Buf name = BUF(&call->writer->arena);
    param_write_name(call, &name, extents[k]);
    own->extents[k] = buf_text(&name);
  }
  param_write_name(call, call->writer->out, param);
  return CK_OK;
}

/* ---- operands ---- */

static unsigned access_of(const Call *call, uint32_t role)
{
  if (!(role & ROLE_SORT)) return role & ROLE_INOUT;
  for (uint32_t i = 0; i < call->row->count; ++i)
    if (!strcmp(call->row->operands[i].name, "to"))
      return call->operands[i] ? CK_ACCESS_IN : CK_ACCESS_INOUT;
  return CK_ACCESS_INOUT;
}

static ck_status_t walk_value(Call *call, const ck_iterator_t *it)
{
  if (it->kind == CK_ITERATOR_CONSTANT) {
    call_put_number(call, 'c');
    return param_add_value(call, it->type, it->value);
  }
  CK_TRY(walk_iterator(call, it, CK_ACCESS_IN));
  write(call, "[0]");
  return CK_OK;
}

static ck_status_t walk_operand(Call *call, uint32_t index)
{
  const Operand *operand = &call->row->operands[index];
  const void *given = call->operands[index];
  uint32_t role = operand->role;
  call->operand = (uint8_t)index;
  call->is_first = true;
  call_put_number(call, given ? 'o' : 'n');
  if (!given) {
    if (role & ROLE_MAYBE) return CK_OK;
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s' is NULL", operand->name);
  }
  if (role & ROLE_OP) return walk_op(call, given);
  const ck_iterator_t *it = given;
  if (role & ROLE_VALUE) return walk_value(call, it);
  unsigned access = access_of(call, role);
  if ((role & ROLE_TWO) && it->kind == CK_ITERATOR_VIEW && it->view && it->view->rank == 2)
    return walk_matrix(call, it, access);
  return walk_iterator(call, it, access);
}

/* The result of the step as the last argument: an array, of which one value is written. */
static ck_status_t add_result(Call *call, ck_arg_t span, ck_value_type_t type)
{
  uint64_t address, count;
  uint32_t param, parts = row_parts(call->row);
  CK_TRY(param_read_span(call, &span, type, &address, &count));
  size_t bytes = ck_value_type_bytes(type);
  uint64_t values = type.dtype == CK_NONE ? 1 : parts; /* elements that are one result */
  if (address && count < values)
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s' has %llu elements, but gets %llu",
                     call_operand(call), (unsigned long long)count, (unsigned long long)values);
  if (span.kind != CK_ARG_BUFFER) {
    uint64_t offset = span.kind == CK_ARG_SPAN ? span.offset : 1;
    if (offset % values) span = ck_address_span(address, 1);
    else if (span.kind == CK_ARG_SPAN) span = ck_span(span.value.buffer, offset / values, 1);
    else span = ck_address_span(address, 1);
  }
  (void)bytes;
  call_put_number(call, 'R');
  call_put_type(call, type, 0);
  CK_TRY(param_add(call, type, span, &param));
  call->has_result = true;
  return CK_OK;
}

/* The type of the elements of what isn't an array is not known: the value is stored as it is. */
ck_value_type_t iterator_stored_type(const ck_iterator_t *it)
{
  while (it && it->kind != CK_ITERATOR_ARRAY && it->kind != CK_ITERATOR_VIEW &&
         it->kind != CK_ITERATOR_ZIP && it->kind != CK_ITERATOR_TRANSFORM_OUTPUT)
    it = it->parts[0];
  if (it && (it->kind == CK_ITERATOR_ARRAY || it->kind == CK_ITERATOR_VIEW)) return it->type;
  return ck_type_scalar(CK_NONE);
}

int call_result(const Call *call)
{
  for (uint32_t i = 0; i < call->row->count; ++i)
    if ((call->row->operands[i].role & ROLE_RESULT) && call->operands[i]) return (int)i;
  return -1;
}

/* Notes what call_check_counts compares. 64 bits have room for each number, and floats round. */
static void note_result(Call *call, uint32_t operand, ck_value_type_t type)
{
  call->result = (uint8_t)operand;
  call->result_type = type;
  call->is_narrow =
      type.dtype < CK_U64 && type.dtype != CK_I64 && call->row->kind != CK_ALGORITHM_REDUCE;
}

ck_status_t call_walk(Call *call, Buf *out)
{
  const Row *row = call->row;
  Writer *writer = call->writer;
  Texts texts;
  int to = call_result(call);
  ck_arg_t span;
  ck_value_type_t type = ck_type_scalar(CK_NONE);
  if (writer) {
    memset(&texts, 0, sizeof texts);
    for (uint32_t i = 0; i < row->count; ++i) texts.operand[i] = BUF(&writer->arena);
    writer->declared = writer->ops = BUF(&writer->arena);
  }
  for (uint32_t i = 0; i < row->count; ++i) {
    if ((int)i == to) continue;
    if (writer) writer->out = &texts.operand[i];
    CK_TRY(walk_operand(call, i));
  }
  if (to >= 0) { /* the last, as the result of an algorithm is its last parameter */
    const ck_iterator_t *it = call->operands[to];
    call->operand = (uint8_t)to;
    call->is_first = true;
    if (is_span(it, &span, &type)) {
      CK_TRY(add_result(call, span, type));
    } else {
      if (writer) writer->out = &texts.operand[to];
      CK_TRY(walk_iterator(call, it, CK_ACCESS_OUT));
      type = iterator_stored_type(it);
    }
    note_result(call, (uint32_t)to, type);
  } else if (row->kind == CK_ALGORITHM_LOWER_BOUND || row->kind == CK_ALGORITHM_UPPER_BOUND) {
    note_result(call, 2, iterator_stored_type(call->operands[2]));
  }
  return writer ? text_write_module(call, out, &texts, type) : CK_OK;
}
