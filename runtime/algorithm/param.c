/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* param.c - the key of a call, and the parameters of the algorithm that it stands for.
 *
 * The key is a digest of words and texts that walk.c puts one after the other. A parameter is a
 * value or an array; its argument, in the same place of another list, is what the launch gets:
 *
 *     params   x: in f32[]        x_1: f32     init: f32
 *     args     span of a buffer   3            0
 */
#include <string.h>

#include "call.h"

/* ---- the key ---- */

void call_put(Call *call, const void *data, size_t bytes)
{
  if (UNLIKELY(bytes > KEY_BYTES - call->key_bytes)) {
    call->digest = digest_more(call->digest, call->key, call->key_bytes);
    call->key_bytes = 0;
    if (bytes > KEY_BYTES) {
      call->digest = digest_more(call->digest, data, bytes);
      return;
    }
  }
  memcpy(call->key + call->key_bytes, data, bytes);
  call->key_bytes += (uint32_t)bytes;
}

void call_put_number(Call *call, uint32_t number)
{
  call_put(call, &number, sizeof number);
}

void call_put_text(Call *call, const char *text)
{
  size_t bytes = text ? strlen(text) + 1 : 0;
  call_put_number(call, (uint32_t)bytes);
  call_put(call, text ? text : "", bytes);
}

void call_put_type(Call *call, ck_value_type_t type, int depth)
{
  uint32_t pair[2] = {type.dtype, type.components ? type.components : 1};
  call_put(call, pair, sizeof pair);
  if (LIKELY(type.dtype != CK_NONE || !type.fields) || depth > 16) return;
  call_put_text(call, type.fields->name);
  call_put_number(call, (uint32_t)type.fields->field_count);
  for (size_t i = 0; type.fields->fields && i < type.fields->field_count; ++i) {
    call_put_text(call, type.fields->fields[i].name);
    call_put_number(call, type.fields->fields[i].count);
    call_put_type(call, type.fields->fields[i].type, depth + 1);
  }
}

Digest call_digest(Call *call)
{
  return digest_more(call->digest, call->key, call->key_bytes);
}

const char *call_operand(const Call *call)
{
  return call->row->operands[call->operand].name;
}

/* ---- parameters ---- */

void param_write_name(const Call *call, Buf *out, uint32_t param)
{
  const Param *own = &call->params[param];
  const char *name = call->row->operands[own->operand].name;
  if (own->is_first) buf_puts(out, name);
  else buf_printf(out, "%s_%u", name, param);
}

ck_status_t param_add(Call *call, ck_value_type_t type, ck_arg_t arg, uint32_t *out_param)
{
  if (call->param_count == PARAMS_MAX)
    return call_fail(call, CK_UNSUPPORTED, "more than %d arrays and values", PARAMS_MAX);
  Param *param = &call->params[call->param_count];
  *param = (Param){.type = type, .operand = call->operand, .is_first = call->is_first};
  call->args[call->param_count] = arg;
  call->is_first = false;
  *out_param = call->param_count++;
  return CK_OK;
}

/* A value; with a writer its name is appended. */
ck_status_t param_add_value(Call *call, ck_value_type_t type, ck_arg_t arg)
{
  uint32_t param;
  if (arg.kind == CK_ARG_SCALAR ? !type_is_scalar(type) || arg.dtype != type.dtype
                                : arg.kind != CK_ARG_BYTES || type_is_scalar(type))
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s': the value isn't of its type",
                     call_operand(call));
  if (arg.kind == CK_ARG_BYTES && arg.count != ck_value_type_bytes(type))
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s': a value of %llu bytes, not %zu",
                     call_operand(call), (unsigned long long)arg.count, ck_value_type_bytes(type));
  call_put_number(call, 'v');
  call_put_type(call, type, 0);
  CK_TRY(param_add(call, type, arg, &param));
  if (call->writer) param_write_name(call, call->writer->out, param);
  return CK_OK;
}

ck_status_t param_add_number(Call *call, uint64_t number)
{
  return param_add_value(call, ck_type_scalar(CK_U64), ck_u64(number));
}

/* The address and the number of elements of a span. */
ck_status_t param_read_span(Call *call, const ck_arg_t *span, ck_value_type_t type,
                            uint64_t *out_address, uint64_t *out_count)
{
  size_t bytes = type.dtype != CK_NONE
                     ? ck_dtype_bytes((ck_dtype_t)type.dtype) * (type.components <= 1 ? 1 : 0)
                     : 0;
  if (!bytes) bytes = ck_value_type_bytes(type);
  *out_address = *out_count = 0;
  if (!bytes)
    return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s' has no type of an element",
                     call_operand(call));
  switch (span->kind) {
  case CK_ARG_BUFFER:
  case CK_ARG_SPAN:
    if (!span->value.buffer) break;
    *out_address = ck_buffer_native(span->value.buffer) + span->offset * bytes;
    *out_count =
        span->kind == CK_ARG_SPAN ? span->count : ck_buffer_bytes(span->value.buffer) / bytes;
    return CK_OK;
  case CK_ARG_ADDRESS:
    if (span->count == CK_COUNT_UNKNOWN)
      return call_fail(call, CK_INVALID_ARGUMENT,
                       "argument '%s': an array of unknown length; ck_address_span says it",
                       call_operand(call));
    *out_address = span->value.u;
    *out_count = span->count;
    return CK_OK;
  default: break;
  }
  return call_fail(call, CK_INVALID_ARGUMENT, "argument '%s' is no span of a buffer or an address",
                   call_operand(call));
}

/* Is the parameter this array, and may both be one parameter? What is written whole may be longer
 * than what is read, of which as many elements are written. */
static bool is_same_array(const Call *call, uint32_t param, ck_value_type_t type, uint64_t address,
                          uint64_t count, unsigned access)
{
  const Param *other = &call->params[param];
  bool has_room = count > other->count && access == CK_ACCESS_OUT &&
                  other->access == CK_ACCESS_IN && call->depth <= 1;
  return other->access && address && other->address == address && !call->is_unaliased &&
         !other->extents[0] && (other->count == count || has_room) &&
         ((other->access | access) & CK_ACCESS_OUT) && type_is_same(other->type, type);
}

/* An array. One that stands elsewhere already becomes the same parameter, if either is written. */
ck_status_t param_add_array(Call *call, ck_value_type_t type, ck_arg_t span, unsigned access)
{
  uint64_t address, count;
  uint32_t param = 0;
  CK_TRY(param_read_span(call, &span, type, &address, &count));
  call_put_number(call, 'a' | access << 8);
  call_put_type(call, type, 0);
  while (param < call->param_count && !is_same_array(call, param, type, address, count, access))
    ++param;
  if (param < call->param_count) {
    call->params[param].access |= (uint8_t)access;
    call_put_number(call, param + 1);
  } else {
    call_put_number(call, 0);
    CK_TRY(param_add(call, type, span, &param));
    Param *own = &call->params[param];
    own->access = (uint8_t)access;
    own->address = address;
    own->count = count;
  }
  if (call->writer) param_write_name(call, call->writer->out, param);
  return CK_OK;
}
