/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fill.c - fills: with a value, with an element of any size, and of two-dimensional boxes.
 *
 * The driver refuses a fill that crosses two pieces of virtual memory on the host (virtual.c). So
 * each fill of such memory is split at the piece boundaries, and an element that lies across a
 * boundary is filled by bytes or words.
 */
#include <string.h>

#include "memory_private.h"

/* The target of a fill; the context is current. */
typedef struct Fill {
  const ck_buffer_t *dst;
  const VirtualRange *range; /* split at its pieces; NULL: not split */
  size_t skipped;            /* offset of dst in the range */
  CUstream stream;
} Fill;

static Fill fill_of(const ck_buffer_t *dst, const ck_stream_t *stream)
{
  const ck_buffer_t *owner = dst;
  while (owner->parent) owner = owner->parent;
  bool is_cut = owner->range && owner->flags & CK_MEMORY_HOST;
  return (Fill){dst, is_cut ? owner->range : NULL, dst->address - owner->address,
                stream_native(stream)};
}

/* The bytes from an offset on that a single driver call can fill. */
static size_t room_at(const Fill *fill, size_t offset)
{
  size_t left = fill->range ? virtual_piece_left(fill->range, fill->skipped + offset) : 0;
  return left ? left : SIZE_MAX;
}

static ck_status_t check_value(size_t value_bytes, const char *function)
{
  if (value_bytes == 1 || value_bytes == 2 || value_bytes == 4) return CK_OK;
  return error_argument("%s: a value has 1, 2 or 4 bytes, not %zu", function, value_bytes);
}

/* runs --------------------------------------------------------------------------------------- */

static ck_status_t fill_piece(const Fill *fill, size_t offset, size_t bytes, uint32_t value,
                              size_t value_bytes)
{
  const Driver *driver = fill->dst->device->driver;
  CUdeviceptr to = fill->dst->address + offset;
  if (value_bytes == 1)
    return DRV_STATUS(driver, cuMemsetD8Async(to, (unsigned char)value, bytes, fill->stream));
  if (value_bytes == 2)
    return DRV_STATUS(driver, cuMemsetD16Async(to, (unsigned short)value, bytes / 2, fill->stream));
  return DRV_STATUS(driver, cuMemsetD32Async(to, value, bytes / 4, fill->stream));
}

static ck_status_t fill_run(const Fill *fill, size_t offset, size_t bytes, uint32_t value,
                            size_t value_bytes)
{
  while (bytes) {
    size_t room = room_at(fill, offset), count = room < bytes ? room : bytes;
    CK_TRY(fill_piece(fill, offset, count, value, value_bytes));
    offset += count;
    bytes -= count;
  }
  return CK_OK;
}

ck_status_t ck_buffer_fill(ck_buffer_t *dst, size_t offset, size_t bytes, uint32_t value,
                           size_t value_bytes, ck_stream_t *stream)
{
  CK_NEED_ARG(dst);
  CK_TRY(buffer_check_range(dst, offset, bytes, __func__));
  CK_TRY(stream_check(stream, dst->device));
  CK_TRY(check_value(value_bytes, __func__));
  if (offset % value_bytes || bytes % value_bytes)
    return error_argument("%s: offset %zu and size %zu are to be multiples of %zu", __func__,
                          offset, bytes, value_bytes);
  if (!bytes) return CK_OK;
  Fill fill = fill_of(dst, stream);
  CK_TRY(stream_enter(stream, dst->device));
  ck_status_t status = fill_run(&fill, offset, bytes, value, value_bytes);
  stream_leave(stream, dst->device);
  if (status == CK_OK) status = stream_keep_buffer(stream, dst);
  return status;
}

/* elements ----------------------------------------------------------------------------------- */

enum { MAX_ELEMENT_BYTES = 64 };

static bool is_repeated(const void *element, size_t element_bytes, size_t unit)
{
  for (size_t i = unit; i < element_bytes; i += unit)
    if (memcmp(element, (const char *)element + i, unit)) return false;
  return true;
}

static uint32_t word_of(const void *element, size_t i)
{
  uint32_t word;
  memcpy(&word, (const char *)element + 4 * i, sizeof word);
  return word;
}

/* Fills an element as columns: word i of all elements is a box of one word per row, whose rows are
 * the elements. */
static ck_status_t fill_columns(const Fill *fill, size_t offset, const void *element, size_t words,
                                size_t count)
{
  for (size_t i = 0; i < words; ++i)
    DRV(fill->dst->device->driver,
        cuMemsetD2D32Async(fill->dst->address + offset + 4 * i, 4 * words, word_of(element, i), 1,
                           count, fill->stream));
  return CK_OK;
}

static ck_status_t fill_elements(const Fill *fill, size_t offset, const void *element, size_t words,
                                 size_t count)
{
  while (count) {
    size_t fit = room_at(fill, offset) / (4 * words);
    if (fit > count) fit = count;
    if (fit) CK_TRY(fill_columns(fill, offset, element, words, fit));
    for (size_t i = 0; i < words && !fit; ++i)
      CK_TRY(fill_run(fill, offset + 4 * i, 4, word_of(element, i), 4));
    if (!fit) fit = 1;
    offset += 4 * words * fit;
    count -= fit;
  }
  return CK_OK;
}

ck_status_t ck_buffer_fill_elements(ck_buffer_t *dst, size_t offset, size_t count,
                                    const void *element, size_t element_bytes, ck_stream_t *stream)
{
  CK_NEED_ARGS(dst, element);
  size_t bytes, unit = element_bytes < 4 ? element_bytes : 4;
  if (!element_bytes || element_bytes > MAX_ELEMENT_BYTES || element_bytes == 3 ||
      (element_bytes > 4 && element_bytes % 4))
    return error_argument("%s: an element of %zu bytes", __func__, element_bytes);
  if (__builtin_mul_overflow(count, element_bytes, &bytes))
    return error_argument("%s: %zu elements of %zu bytes", __func__, count, element_bytes);
  CK_TRY(buffer_check_range(dst, offset, bytes, __func__));
  if (offset % unit)
    return error_argument("%s: offset %zu is to be a multiple of %zu", __func__, offset, unit);
  if (is_repeated(element, element_bytes, unit)) {
    uint32_t value = 0;
    memcpy(&value, element, unit);
    return ck_buffer_fill(dst, offset, bytes, value, unit, stream);
  }
  CK_TRY(stream_check(stream, dst->device));
  if (!count) return CK_OK;
  Fill fill = fill_of(dst, stream);
  ck_status_t status =
      IN_DEVICE(dst->device, fill_elements(&fill, offset, element, element_bytes / 4, count));
  if (status == CK_OK) status = stream_keep_buffer(stream, dst);
  return status;
}

/* boxes -------------------------------------------------------------------------------------- */

typedef struct Box {
  size_t row_bytes, width, height; /* width in values */
  uint32_t value;
  size_t value_bytes;
} Box;

static ck_status_t fill_rows(const Fill *fill, size_t offset, const Box *box, size_t height)
{
  const Driver *driver = fill->dst->device->driver;
  CUdeviceptr to = fill->dst->address + offset;
  if (box->value_bytes == 1)
    return DRV_STATUS(driver, cuMemsetD2D8Async(to, box->row_bytes, (unsigned char)box->value,
                                                box->width, height, fill->stream));
  if (box->value_bytes == 2)
    return DRV_STATUS(driver, cuMemsetD2D16Async(to, box->row_bytes, (unsigned short)box->value,
                                                 box->width, height, fill->stream));
  return DRV_STATUS(
      driver, cuMemsetD2D32Async(to, box->row_bytes, box->value, box->width, height, fill->stream));
}

static ck_status_t fill_box(const Fill *fill, size_t offset, const Box *box)
{
  size_t bytes = box->width * box->value_bytes, height = box->height;
  while (height) {
    size_t room = room_at(fill, offset), fit = room < bytes ? 0 : (room - bytes) / box->row_bytes;
    if (room >= bytes && fit < height) ++fit;
    if (fit > height) fit = height;
    if (fit) CK_TRY(fill_rows(fill, offset, box, fit));
    else CK_TRY(fill_run(fill, offset, bytes, box->value, box->value_bytes));
    if (!fit) fit = 1;
    offset += fit * box->row_bytes;
    height -= fit;
  }
  return CK_OK;
}

ck_status_t ck_buffer_fill_box(ck_buffer_t *dst, size_t offset, size_t row_bytes, size_t width,
                               size_t height, uint32_t value, size_t value_bytes,
                               ck_stream_t *stream)
{
  CK_NEED_ARG(dst);
  CK_TRY(stream_check(stream, dst->device));
  CK_TRY(check_value(value_bytes, __func__));
  if (!width || !height) return CK_OK;
  size_t columns;
  Box box = {row_bytes, width, height, value, value_bytes};
  if (__builtin_mul_overflow(width, value_bytes, &columns)) columns = SIZE_MAX;
  size_t bytes = box_bytes(columns, height, 1, row_bytes, height);
  if (bytes == SIZE_MAX)
    return error_argument("%s: %zu values in %zu rows", __func__, width, height);
  if (offset % value_bytes || row_bytes % value_bytes ||
      (height > 1 && row_bytes < width * value_bytes))
    return error_argument("%s: offset %zu, rows of %zu bytes for %zu values of %zu", __func__,
                          offset, row_bytes, width, value_bytes);
  CK_TRY(buffer_check_range(dst, offset, bytes, __func__));
  if (height == 1) box.row_bytes = width * value_bytes; /* the driver checks it even for one row */
  Fill fill = fill_of(dst, stream);
  ck_status_t status = IN_DEVICE(dst->device, fill_box(&fill, offset, &box));
  if (status == CK_OK) status = stream_keep_buffer(stream, dst);
  return status;
}
