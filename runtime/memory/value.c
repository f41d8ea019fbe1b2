/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* value.c - values of 4 or 8 bytes that a stream writes to memory, and waits for there.
 *
 * A stream that waits goes on when the value at an address fulfils a condition, whoever wrote it: a
 * kernel, the CPU, another stream or another process. A batch hands several such operations to the
 * driver in one call.
 */
#include <string.h>

#include "memory_private.h"

/* Checks the place of a value of 4 or 8 bytes. */
static ck_status_t check_value(const ck_stream_t *stream, const ck_buffer_t *buffer, size_t offset,
                               size_t value_bytes, const char *function)
{
  if (value_bytes != 4 && value_bytes != 8)
    return error_argument("%s: a value has 4 or 8 bytes, not %zu", function, value_bytes);
  if (offset % value_bytes)
    return error_argument("%s: offset %zu is to be a multiple of %zu", function, offset,
                          value_bytes);
  CK_TRY(buffer_check_range(buffer, offset, value_bytes, function));
  return stream_check(stream, buffer->device);
}

ck_status_t ck_stream_write_value(ck_stream_t *stream, ck_buffer_t *buffer, size_t offset,
                                  uint64_t value, size_t value_bytes)
{
  CK_NEED_ARGS(stream, buffer);
  CK_TRY(check_value(stream, buffer, offset, value_bytes, __func__));
  const Driver *driver = stream->driver;
  CUdeviceptr to = buffer->address + offset;
  CUstream native = stream->native;
  ck_status_t status;
  CK_TRY(device_enter(stream->device));
  if (value_bytes == 8) status = DRV_STATUS(driver, cuStreamWriteValue64(native, to, value, 0));
  else status = DRV_STATUS(driver, cuStreamWriteValue32(native, to, (uint32_t)value, 0));
  device_leave(stream->device);
  return status == CK_OK ? stream_keep_buffer(stream, buffer) : status;
}

_Static_assert((int)CU_STREAM_WAIT_VALUE_GEQ == CK_WAIT_GREATER_EQUAL &&
                   (int)CU_STREAM_WAIT_VALUE_EQ == CK_WAIT_EQUAL &&
                   (int)CU_STREAM_WAIT_VALUE_AND == CK_WAIT_AND &&
                   (int)CU_STREAM_WAIT_VALUE_NOR == CK_WAIT_NOR,
               "the numbers of the public enumeration are cuda.h's");

ck_status_t ck_stream_wait_value(ck_stream_t *stream, const ck_buffer_t *buffer, size_t offset,
                                 uint64_t value, size_t value_bytes, ck_wait_t condition)
{
  CK_NEED_ARGS(stream, buffer);
  CK_TRY(check_value(stream, buffer, offset, value_bytes, __func__));
  if ((unsigned)condition > CK_WAIT_NOR)
    return error_argument("%s: there is no condition %d", __func__, (int)condition);
  const Driver *driver = stream->driver;
  CUdeviceptr at = buffer->address + offset;
  CUstream native = stream->native;
  unsigned flags = (unsigned)condition;
  ck_status_t status;
  CK_TRY(device_enter(stream->device));
  if (value_bytes == 8) status = DRV_STATUS(driver, cuStreamWaitValue64(native, at, value, flags));
  else status = DRV_STATUS(driver, cuStreamWaitValue32(native, at, (uint32_t)value, flags));
  device_leave(stream->device);
  return status == CK_OK ? stream_keep_buffer(stream, buffer) : status;
}

enum { MAX_VALUE_OPS = 256 };

/* Checks and converts operation `index` of a batch. */
static ck_status_t read_value_op(const ck_stream_t *stream, const ck_value_op_t *ops, size_t index,
                                 CUstreamBatchMemOpParams *out)
{
  const ck_value_op_t *op = &ops[index];
  if (!op->buffer) return error_argument("ck_stream_batch_values: ops[%zu].buffer is NULL", index);
  CK_TRY(check_value(stream, op->buffer, op->offset, op->value_bytes, "ck_stream_batch_values"));
  if (op->is_wait && (unsigned)op->condition > CK_WAIT_NOR)
    return error_argument("ck_stream_batch_values: there is no condition %d", (int)op->condition);
  memset(out, 0, sizeof *out);
  bool is_long = op->value_bytes == 8;
  CUdeviceptr address = op->buffer->address + op->offset;
  if (op->is_wait) {
    out->waitValue.operation =
        is_long ? CU_STREAM_MEM_OP_WAIT_VALUE_64 : CU_STREAM_MEM_OP_WAIT_VALUE_32;
    out->waitValue.address = address;
    out->waitValue.value64 = is_long ? op->value : (uint32_t)op->value;
    out->waitValue.flags = (unsigned)op->condition;
  } else {
    out->writeValue.operation =
        is_long ? CU_STREAM_MEM_OP_WRITE_VALUE_64 : CU_STREAM_MEM_OP_WRITE_VALUE_32;
    out->writeValue.address = address;
    out->writeValue.value64 = is_long ? op->value : (uint32_t)op->value;
  }
  return CK_OK;
}

ck_status_t ck_stream_batch_values(ck_stream_t *stream, const ck_value_op_t *ops, size_t count)
{
  CK_NEED_ARG(stream);
  if (!count) return CK_OK;
  CK_NEED_ARG(ops);
  if (count > MAX_VALUE_OPS)
    return error_argument("%s: %zu operations, %d are at most", __func__, count, MAX_VALUE_OPS);
  CUstreamBatchMemOpParams native[MAX_VALUE_OPS];
  for (size_t i = 0; i < count; ++i) CK_TRY(read_value_op(stream, ops, i, &native[i]));
  ck_status_t status =
      DEVICE_STATUS(stream->device, cuStreamBatchMemOp(stream->native, (unsigned)count, native, 0));
  for (size_t i = 0; i < count && status == CK_OK; ++i)
    status = stream_keep_buffer(stream, ops[i].buffer);
  return status;
}
