/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* text.c - the text of an algorithm: the row's template with the operands' expressions in it, and
 * around it the parameters, the result, and what the operations declare.
 *
 *     template   reduce($x, $f, $init)
 *     module     fn op0_(a: f32) =                                  a lambda, with its state
 *                |v| v * a;
 *                algorithm ck_reduce(x: in f32[], x_1: f32, init: f32) -> f32 =
 *                    f32(reduce(x.map(op0_(x_1)), +, init));
 *
 * A lambda stands on lines of its own in a function, so that it sees no names but its own, and an
 * error in it is found by its line.
 */
#include <string.h>

#include "call.h"

uint32_t text_lines(const char *text)
{
  uint32_t lines = 0;
  for (; *text; ++text) lines += *text == '\n';
  return lines;
}

/* Declares the source of an operation, once. */
ck_status_t text_declare(Call *call, const char *source)
{
  Writer *writer = call->writer;
  for (uint32_t i = 0; i < writer->source_count; ++i)
    if (!strcmp(writer->sources[i], source)) return CK_OK;
  if (writer->source_count == OPS_MAX)
    return call_fail(call, CK_UNSUPPORTED, "more than %d operations", OPS_MAX);
  writer->sources[writer->source_count++] = source;
  buf_puts(&writer->declared, source);
  buf_puts(&writer->declared, "\n");
  return CK_OK;
}

/* Up to so many elements of a segment a warp takes each: 32 for each lane. */
enum { SHORT_SEGMENT = 1024 };

/* A step that the library lacks: a block reduces a segment that begins and ends anywhere. Each
 * thread takes adjacent elements, so that f need not commute. */
static const char reduce_range[] =
    "fn reduce_range_<X: type, B: type, E: type, O: type, F: fn, T: type>(\n"
    "    x: X, begins: B, ends: E, to: O, f: F, init: T) {\n"
    "    let s = block.rank;\n"
    "    let low = u64(begins[s]);\n"
    "    let high = max(low, u64(ends[s]));\n"
    "    let each = max(1u64, ceil_div(high - low, u64(block.size)));\n"
    "    let first = min(low + u64(thread.rank) * each, high);\n"
    "    let last = min(first + each, high);\n"
    "    var v: T;\n"
    "    if (first < last) {\n"
    "        v = x[first];\n"
    "        for (i in first + 1..last) v = f(v, x[i]);\n"
    "    }\n"
    "    let all = block.reduce(v, f, valid = u32(max(1u64, ceil_div(high - low, each))));\n"
    "    if (thread.rank == 0) to[s] = low == high ? init : f(init, all);\n"
    "}\n";

static int find_operand(const Call *call, const char *name, size_t length)
{
  for (uint32_t i = 0; i < call->row->count; ++i)
    if (strlen(call->row->operands[i].name) == length &&
        !memcmp(call->row->operands[i].name, name, length))
      return (int)i;
  die("ck/algorithms.def: '%.*s' is no argument of %s", (int)length, name, call->row->name);
}

static size_t name_length(const char *text)
{
  size_t n = 0;
  while (char_is_letter(text[n]) || char_is_digit(text[n])) ++n;
  return n;
}

static void write_option(const Call *call, Buf *out, const char *name, size_t length)
{
  const ck_algorithm_options_t *options = &call->options;
  if (length == 5 && !memcmp(name, "right", 5)) {
    if (options->flags & CK_ALGORITHM_RIGHT) buf_puts(out, ", right = true");
  } else if (length == 5 && !memcmp(name, "radix", 5)) {
    if (options->flags & CK_ALGORITHM_DESCENDING) buf_puts(out, ", descending = true");
    if (options->begin_bit) buf_printf(out, ", begin_bit = %u", options->begin_bit);
    if (options->end_bit) buf_printf(out, ", end_bit = %u", options->end_bit);
  } else if (length == 7 && !memcmp(name, "segment", 7)) {
    bool is_short = options->largest_segment && options->largest_segment <= SHORT_SEGMENT;
    buf_printf(out, "%d", is_short ? 32 : 256);
  } else if (length == 11) { /* determinism */
    if (call->is_fixed) buf_puts(out, ", determinism = gpu_to_gpu");
    else if (options->determinism == CK_DETERMINISM_NONE)
      buf_puts(out, ", determinism = not_guaranteed");
  } else if (length == 3) { /* top */
    if (options->flags & CK_ALGORITHM_LEAST) buf_puts(out, ", descending = false");
    if (options->flags & CK_ALGORITHM_UNSORTED) buf_puts(out, ", sorted = false");
  } else if (options->channels) {
    buf_printf(out, ", channels = %u", options->channels);
  }
}

/* "@f(" begins a call of f with arguments: an operator stands between them, so a lambda that is
 * bound to a name takes its place. */
static void write_called(Call *call, Buf *out, const Buf *op)
{
  const char *text = buf_text(op);
  if (name_length(text)) {
    buf_puts(out, text);
    return;
  }
  /* A function that applies the operator. */
  Buf *ops = &call->writer->ops;
  uint32_t number = call->writer->op_count++;
  buf_printf(ops, "fn apply%u_<A: type, B: type>(a: A, b: B) = a %s b;\n", number, text);
  buf_printf(out, "apply%u_", number);
}

/* Writes the template up to `stop`. False if an argument that it names is NULL. */
static bool write_template(Call *call, Buf *out, const Texts *texts, const char **at, char stop)
{
  bool is_complete = true;
  const char *text = *at;
  for (; *text && *text != stop; ++text) {
    size_t length = name_length(text + 1);
    switch (*text) {
    case '$':
    case '@': {
      int index = find_operand(call, text + 1, length);
      const Buf *operand = &texts->operand[index];
      if (!call->operands[index]) is_complete = false;
      else if (*text == '@') write_called(call, out, operand);
      else buf_puts(out, buf_text(operand));
      text += length;
      break;
    }
    case '#': {
      const ck_iterator_t *it = call->operands[find_operand(call, text + 1, length)];
      ck_value_type_t type = iterator_stored_type(it);
      if (type_is_scalar(type)) buf_puts(out, ck_dtype_name((ck_dtype_t)type.dtype));
      text += length;
      break;
    }
    case '%':
      write_option(call, out, text + 1, length);
      text += length;
      break;
    case '{': {
      Buf group = BUF(&call->writer->arena);
      ++text;
      if (write_template(call, &group, texts, &text, '}')) buf_puts(out, buf_text(&group));
      break;
    }
    default: buf_putc(out, *text);
    }
  }
  *at = text;
  return is_complete;
}

static ck_status_t write_params(Call *call, Buf *out)
{
  static const char *const words[] = {"", "in ", "out ", "inout "};
  uint32_t count = call->param_count - (call->has_result ? 1 : 0);
  for (uint32_t i = 0; i < count; ++i) {
    const Param *param = &call->params[i];
    if (i) buf_puts(out, ", ");
    param_write_name(call, out, i);
    buf_printf(out, ": %s", words[param->access]);
    call->operand = param->operand;
    CK_TRY(type_write(call, out, param->type));
    if (param->extents[0]) buf_printf(out, "[%s, %s]", param->extents[0], param->extents[1]);
    else if (param->access) buf_puts(out, "[]");
  }
  return CK_OK;
}

/* Part `k` of the value `r_`: the text of the row's parts between commas. */
static void write_part(const Call *call, Buf *out, uint32_t k)
{
  const char *at = call->row->parts;
  if (!*at) at = "$";
  for (; k; ++at)
    if (*at == ',') --k;
  for (; *at && *at != ','; ++at) {
    if (*at == '$') buf_puts(out, "r_");
    else if (*at != ' ') buf_putc(out, *at);
  }
}

/* Part k, converted to a type, if that is a number. */
static ck_status_t write_converted(Call *call, Buf *out, uint32_t k, ck_value_type_t type)
{
  bool is_number = type_is_scalar(type);
  if (is_number) {
    CK_TRY(type_write(call, out, type));
    buf_puts(out, "(");
  }
  write_part(call, out, k);
  if (is_number) buf_puts(out, ")");
  return CK_OK;
}

/* A struct has a field for each part. */
static ck_status_t check_fields(const Call *call, ck_value_type_t type)
{
  uint32_t parts = row_parts(call->row);
  if (parts == 1 || !type.fields || type.fields->field_count == parts) return CK_OK;
  return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s': the result is a struct of %u fields",
                   call_operand(call), parts);
}

/* The type of the result, and the expression that `r_` becomes. */
static ck_status_t write_result(Call *call, Buf *type_out, Buf *out, ck_value_type_t type)
{
  uint32_t parts = row_parts(call->row);
  const ck_struct_type_t *fields = type.fields;
  if (type.dtype == CK_NONE && !fields) { /* not known: what is written converts it */
    if (parts > 1) buf_puts(out, "(");
    for (uint32_t k = 0; k < parts; ++k) {
      if (k) buf_puts(out, ", ");
      write_part(call, out, k);
    }
    if (parts > 1) buf_puts(out, ")");
    return CK_OK;
  }
  if (parts == 1) {
    CK_TRY(type_write(call, type_out, type));
    return write_converted(call, out, 0, type);
  }
  if (type.dtype != CK_NONE) {
    for (uint32_t k = 0; k < parts; ++k) {
      buf_puts(type_out, k ? ", " : "(");
      buf_puts(out, k ? ", " : "(");
      CK_TRY(type_write(call, type_out, type));
      CK_TRY(write_converted(call, out, k, type));
    }
    buf_puts(type_out, ")");
    buf_puts(out, ")");
    return CK_OK;
  }
  CK_TRY(type_write(call, type_out, type));
  if (fields->name) buf_puts(out, fields->name);
  for (uint32_t k = 0; k < parts; ++k) {
    buf_puts(out, k ? ", " : "(");
    CK_TRY(write_converted(call, out, k, fields->fields[k].type));
  }
  buf_puts(out, ")");
  return CK_OK;
}

/* The type of the elements of an iterator, as far as it shows without the compiler. */
static ck_value_type_t element_type(const ck_iterator_t *it)
{
  for (; it; it = it->parts[0]) switch (it->kind) {
    case CK_ITERATOR_ARRAY:
    case CK_ITERATOR_VIEW:
    case CK_ITERATOR_COUNT:
    case CK_ITERATOR_CONSTANT: return it->type;
    case CK_ITERATOR_SHUFFLE: return ck_type_scalar(CK_U64);
    case CK_ITERATOR_TAKE:
    case CK_ITERATOR_DROP:
    case CK_ITERATOR_REVERSE:
    case CK_ITERATOR_STRIDED:
    case CK_ITERATOR_GATHER:
    case CK_ITERATOR_CACHED: break;
    default: return ck_type_scalar(CK_NONE);
    }
  return ck_type_scalar(CK_NONE);
}

static bool is_u64(ck_value_type_t type)
{
  return type.dtype == CK_U64 && type_is_scalar(type);
}

/* Is the step's value stored as it is? Then the kernel that computes it stores it. A value of which
 * parts are converted takes one more launch. The parts are u64, or pairs of an element and a u64,
 * whose tuples are laid out as a struct of all parts. Where an element's type doesn't show, it is
 * taken to be the result's; the compiler compares. */
static bool is_stored_whole(const Call *call, ck_value_type_t type)
{
  uint32_t parts = row_parts(call->row);
  bool has_elements = !strncmp(call->row->name, "arg", 3);
  if (parts == 1 || type.dtype != CK_NONE) return parts == 1 || (is_u64(type) && !has_elements);
  ck_value_type_t element = element_type(call->operands[0]);
  for (uint32_t k = 0; k < parts; ++k) {
    ck_value_type_t field = type.fields->fields[k].type;
    bool is_element = has_elements && k % 2 == 0;
    if (type.fields->fields[k].count) return false;
    if (!is_element && !is_u64(field)) return false;
    if (is_element && (element.dtype != CK_NONE || element.fields) && !type_is_same(element, field))
      return false;
  }
  return true;
}

/* The step's own type: that of its one part, or a tuple, of pairs if there are four. */
static ck_status_t write_whole(Call *call, Buf *type_out, Buf *value, const Buf *step,
                               ck_value_type_t type)
{
  uint32_t parts = row_parts(call->row);
  if (parts == 1) {
    CK_TRY(type_write(call, type_out, type));
    bool is_number = type_is_scalar(type); /* a number of another type is converted */
    if (is_number) buf_printf(value, "%s(", ck_dtype_name((ck_dtype_t)type.dtype));
    buf_puts(value, buf_text(step));
    if (is_number) buf_puts(value, ")");
    return CK_OK;
  }
  for (uint32_t k = 0; k < parts; ++k) {
    buf_puts(type_out, k ? ", " : parts == 4 ? "((" : "(");
    if (parts == 4 && k == 2) buf_puts(type_out, "(");
    CK_TRY(type_write(call, type_out, type.dtype ? type : type.fields->fields[k].type));
    if (parts == 4 && k == 1) buf_puts(type_out, ")");
  }
  buf_puts(type_out, parts == 4 ? "))" : ")");
  buf_puts(value, buf_text(step));
  return CK_OK;
}

/* Makes the module of the expressions: declarations, operations, the algorithm. */
ck_status_t text_write_module(Call *call, Buf *out, const Texts *texts, ck_value_type_t type)
{
  Writer *writer = call->writer;
  Buf head = BUF(&writer->arena), step = BUF(&writer->arena), result = BUF(&writer->arena),
      value = BUF(&writer->arena);
  const char *text = call->row->text;
  int to = call_result(call);
  if (strstr(text, "reduce_range_")) CK_TRY(text_declare(call, reduce_range));
  write_template(call, &step, texts, &text, 0);
  CK_TRY(write_params(call, &head));
  bool is_whole = false;
  if (to >= 0) {
    call->operand = (uint8_t)to;
    CK_TRY(check_fields(call, type));
    is_whole = call->has_result && is_stored_whole(call, type);
    CK_TRY(is_whole ? write_whole(call, &result, &value, &step, type)
                    : write_result(call, &result, &value, type));
  }
  buf_bytes(out, buf_text(&writer->declared), writer->declared.len);
  uint32_t before = text_lines(buf_text(out));
  for (uint32_t i = 0; i < writer->op_count && i < OPS_MAX; ++i) writer->places[i].line += before;
  buf_bytes(out, buf_text(&writer->ops), writer->ops.len);
  buf_printf(out, "algorithm ck_%s(%s)", call->row->name, buf_text(&head));
  if (to < 0) {
    buf_printf(out, " {\n    %s;\n}\n", buf_text(&step));
  } else if (is_whole) {
    buf_printf(out, " -> %s =\n    %s;\n", buf_text(&result), buf_text(&value));
  } else if (call->has_result) {
    buf_printf(out, " -> %s {\n    let r_ = %s;\n    return %s;\n}\n", buf_text(&result),
               buf_text(&step), buf_text(&value));
  } else {
    buf_printf(out, " {\n    let r_ = %s;\n    fill(%s.take(1), %s);\n}\n", buf_text(&step),
               buf_text(&texts->operand[to]), buf_text(&value));
  }
  return CK_OK;
}
