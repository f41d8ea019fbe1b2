/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* launch.c - launches: checks arguments against the manifest, the launch contract and the device's
 * limits, then calls the driver.
 *
 * The parameters are visited twice:
 *
 * 1. Read scalars, addresses and lengths. That gives the numbers on which expressions of the
 *    manifest depend (`n` in `x: in f32[n]`).
 * 2. Evaluate the extents of each span and compare them with the length of its argument.
 *
 * Then the ranges of `out` and `inout` spans are compared with all others for overlap, and grid,
 * block, cluster and shared memory are computed from the contract or checked against it.
 *
 * A launch should cost little more than the driver's call: everything is on the stack, no lock is
 * taken, facts that don't depend on arguments are precomputed in ManifestKernel, and the code that
 * makes messages is out of line (COLD).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "launch_private.h"

/* messages ----------------------------------------------------------------------------------- */

#define argument_fault launch_argument_fault
COLD ck_status_t launch_argument_fault(const Launch *launch, uint32_t index, const char *format,
                                       ...)
{
  char text[512];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return error_argument("kernel '%s', argument %u '%s': %s", launch->kernel->name, index + 1,
                        launch->info->params[index].name, text);
}

/* Describes an argument: "a buffer of 400 bytes", "i32 -1" and so on. */
COLD static const char *describe(const ck_arg_t *arg, char *text, size_t room)
{
  snprintf(text, room, "an argument of kind %" PRIu32 ", which is unknown", arg->kind);
  switch ((ck_arg_kind_t)arg->kind) {
  case CK_ARG_BUFFER:
    snprintf(text, room, "a buffer of %zu bytes", arg->value.buffer ? arg->value.buffer->bytes : 0);
    break;
  case CK_ARG_SPAN:
    snprintf(text, room, "a span of %" PRIu64 " elements from element %" PRIu64, arg->count,
             arg->offset);
    break;
  case CK_ARG_BYTES: snprintf(text, room, "a value of %" PRIu64 " bytes", arg->count); break;
  case CK_ARG_ADDRESS: snprintf(text, room, "the address 0x%" PRIx64, arg->value.u); break;
  case CK_ARG_TENSOR_MAP: snprintf(text, room, "a tensor map"); break;
  case CK_ARG_DLTENSOR: snprintf(text, room, "an array"); break;
  case CK_ARG_INFERRED: snprintf(text, room, "nothing, as if shapes determined it"); break;
  case CK_ARG_TEXTURE: snprintf(text, room, "a texture"); break;
  case CK_ARG_SURFACE: snprintf(text, room, "a surface"); break;
  case CK_ARG_SCALAR:
    if (arg->dtype == CK_F32 || arg->dtype == CK_F64)
      snprintf(text, room, "%s %.9g", ck_dtype_name((ck_dtype_t)arg->dtype),
               arg->dtype == CK_F32 ? (double)arg->value.f : arg->value.d);
    else if (arg->dtype >= CK_U8 && arg->dtype <= CK_BF16)
      snprintf(text, room, "%s %" PRIu64, ck_dtype_name((ck_dtype_t)arg->dtype), arg->value.u);
    else snprintf(text, room, "%s %" PRId64, ck_dtype_name((ck_dtype_t)arg->dtype), arg->value.i);
    break;
  }
  return text;
}

COLD static ck_status_t type_fault(const Launch *launch, uint32_t index)
{
  const ManifestParam *param = &launch->info->params[index];
  char given[128];
  describe(&launch->args[index], given, sizeof given);
  if (param->kind == CK_PARAM_SCALAR && param->dtype == CK_NONE)
    return argument_fault(launch, index, "expected %s, a value of %u bytes, got %s", param->type,
                          param->element_bytes, given);
  if (param->kind >= CK_PARAM_TEXTURE)
    return argument_fault(launch, index, "expected a %s, got %s",
                          param->kind == CK_PARAM_TEXTURE   ? "texture"
                          : param->kind == CK_PARAM_SURFACE ? "surface"
                                                            : "tensor map",
                          given);
  if (param->kind == CK_PARAM_SPAN)
    return argument_fault(launch, index, "expected a span of %s, got %s", param->type, given);
  return argument_fault(launch, index, "expected %s, got %s", param->type, given);
}

COLD ck_status_t launch_expr_fault(const Launch *launch, const Expr *expr, const char *what,
                                   ExprError error)
{
  return error_argument("kernel '%s': %s, '%s', %s", launch->info->name, what, expr->text,
                        expr_error_text(error));
}

COLD static ck_status_t count_fault(const Launch *launch, size_t given)
{
  Arena scratch = {0};
  Buf names = BUF(&scratch);
  for (uint32_t i = 0; i < launch->info->param_count; ++i)
    buf_printf(&names, "%s%s", i ? ", " : "", launch->info->params[i].name);
  error_argument("kernel '%s' takes %u arguments (%s), got %zu", launch->kernel->name,
                 launch->info->param_count, buf_text(&names), given);
  arena_free(&scratch);
  return CK_INVALID_ARGUMENT;
}

/* arguments ---------------------------------------------------------------------------------- */

static bool is_integer(uint32_t dtype)
{
  return dtype >= CK_BOOL && dtype <= CK_U64;
}

static bool is_signed(uint32_t dtype)
{
  return dtype >= CK_I8 && dtype <= CK_I64;
}

/* Whether the value of an integer argument can be represented in another type. */
bool launch_integer_fits(const ck_arg_t *arg, ck_dtype_t dtype)
{
  bool is_negative = is_signed(arg->dtype) && arg->value.i < 0;
  if (dtype == CK_BOOL) return !is_negative && arg->value.u <= 1;
  unsigned bits = 8 * (unsigned)ck_dtype_bytes(dtype);
  if (!is_signed(dtype)) return !is_negative && (bits == 64 || arg->value.u >> bits == 0);
  if (is_negative) return arg->value.i >= INT64_MIN >> (64 - bits);
  return arg->value.u <= (uint64_t)INT64_MAX >> (64 - bits);
}

COLD static ck_status_t foreign_fault(const Launch *launch, uint32_t index, const char *what,
                                      const ck_device_t *device)
{
  return argument_fault(launch, index, "the %s is of '%s', the kernel of '%s'", what, device->name,
                        launch->kernel->device->name);
}

static ck_status_t check_tensor_map(const Launch *launch, uint32_t index,
                                    const ck_tensor_map_t *map)
{
  if (!map) return argument_fault(launch, index, "the tensor map is NULL");
  if (device_same(map->device, launch->kernel->device)) return CK_OK;
  return foreign_fault(launch, index, "tensor map", map->device);
}

/* Describes a texture's shape: "a texture of 2 dimensions of f32x4", "one of 1 dimension with
 * layers of u8". */
COLD static const char *describe_shape(const ck_array_options_t *shape, ck_dtype_t dtype,
                                       char *text, size_t room)
{
  char channels[16] = "";
  if (shape->channels > 1) snprintf(channels, sizeof channels, "x%u", shape->channels);
  snprintf(text, room, "%u dimension%s%s%s of %s%s", array_rank(shape),
           array_rank(shape) > 1 ? "s" : "", shape->layers ? " with layers" : "",
           shape->flags & CK_ARRAY_CUBEMAP ? ", a cubemap," : "", ck_dtype_name(dtype), channels);
  return text;
}

COLD static ck_status_t shape_fault(const Launch *launch, uint32_t index,
                                    const ck_array_options_t *shape, ck_dtype_t dtype)
{
  const ManifestParam *param = &launch->info->params[index];
  const ck_array_options_t wanted = {.channels = param->components,
                                     .height = param->rank > 1,
                                     .depth = param->rank > 2,
                                     .layers = param->is_layered};
  char expected[64], given[64];
  return argument_fault(launch, index, "expected a %s of %s, got one of %s",
                        param->kind == CK_PARAM_TEXTURE ? "texture" : "surface",
                        describe_shape(&wanted, param->dtype, expected, sizeof expected),
                        describe_shape(shape, dtype, given, sizeof given));
}

/* Reads a tensor map. Its 128 bytes are passed from where they are; the size of its boxes is the
 * next argument. */
static ck_status_t read_map(Launch *launch, uint32_t index, const ManifestParam *param,
                            const ck_arg_t *arg)
{
  const ck_tensor_map_t *map = arg->value.tensor_map;
  if (arg->kind != CK_ARG_TENSOR_MAP) return type_fault(launch, index);
  CK_TRY(check_tensor_map(launch, index, map));
  if (map->rank != param->rank || !tensor_map_is_of(map, param->dtype) || !map->box_bytes)
    return argument_fault(launch, index,
                          "expected a tensor map of %u axes of %s, got one of %u axes of %s%s",
                          param->rank, ck_dtype_name(param->dtype), map->rank,
                          tensor_map_type_name(map), map->box_bytes ? "" : " by im2col");
  if (map->has_gaps)
    return argument_fault(launch, index,
                          "the tensor map's boxes are narrower than its swizzle, which leaves gaps "
                          "in shared memory: make the last axis as wide");
  launch->values[param->slot + 1] = map->box_bytes;
  return CK_OK;
}

/* Reads a texture or surface, which is passed as its handle. A u64 parameter accepts any handle,
 * unless the parameter occurs in an expression. */
static ck_status_t read_handle(Launch *launch, uint32_t index, const ManifestParam *param,
                               const ck_arg_t *arg)
{
  bool is_texture = arg->kind == CK_ARG_TEXTURE;
  bool fits = param->kind == CK_PARAM_SCALAR    ? param->dtype == CK_U64 && !param->is_in_expr
              : param->kind == CK_PARAM_TEXTURE ? is_texture
                                                : arg->kind == CK_ARG_SURFACE;
  if (!fits) return type_fault(launch, index);
  if (!arg->value.bytes)
    return argument_fault(launch, index, "the %s is NULL", is_texture ? "texture" : "surface");
  const ck_texture_t *texture = is_texture ? arg->value.texture : NULL;
  const ck_surface_t *surface = is_texture ? NULL : arg->value.surface;
  const ck_device_t *device = texture ? texture->device : surface->array->device;
  const ck_array_options_t *shape = texture ? &texture->shape : &surface->array->shape;
  if (!device_same(device, launch->kernel->device))
    return foreign_fault(launch, index, texture ? "texture" : "surface", device);
  const ck_array_t *array = texture ? texture->resource.array : surface->array;
  if (UNLIKELY(array && array->lender && lender_check_array(array) != CK_OK))
    return argument_fault(launch, index, "its image of OpenGL was unmapped");
  launch->values[param->slot] = texture ? texture->native : surface->native;
  ck_dtype_t dtype = texture ? texture_reads(texture) : shape->dtype;
  bool is_cubemap = shape->flags & CK_ARRAY_CUBEMAP; /* a surface has the faces as layers */
  bool is_layered = shape->layers || (surface && is_cubemap);
  if (param->kind == CK_PARAM_SCALAR ||
      (array_rank(shape) == param->rank && is_layered == param->is_layered &&
       shape->channels == param->components && dtype == param->dtype && !(texture && is_cubemap)))
    return CK_OK;
  return shape_fault(launch, index, shape, dtype);
}

static ck_status_t read_scalar(Launch *launch, uint32_t index, const ManifestParam *param,
                               const ck_arg_t *arg)
{
  if (param->dtype == CK_NONE) { /* a struct is passed from where it is */
    if (arg->kind == CK_ARG_BYTES && arg->count == param->element_bytes)
      return arg->value.bytes ? CK_OK : argument_fault(launch, index, "the struct is NULL");
    if (arg->kind == CK_ARG_TENSOR_MAP && param->element_bytes == CK_TENSOR_MAP_BYTES)
      return check_tensor_map(launch, index, arg->value.tensor_map);
    return type_fault(launch, index);
  }
  if (arg->kind == CK_ARG_TEXTURE || arg->kind == CK_ARG_SURFACE)
    return read_handle(launch, index, param, arg);
  /* A pointer is a u64 in the manifest. A u64 that occurs in an expression does not accept an
   * address. */
  if (arg->kind == CK_ARG_ADDRESS && param->dtype == CK_U64 && !param->is_in_expr &&
      arg->count == CK_COUNT_UNKNOWN) {
    launch->values[param->slot] = arg->value.u;
    return CK_OK;
  }
  if (arg->kind == CK_ARG_INFERRED && is_integer(param->dtype)) {
    ++launch->inferred_count;
    return CK_OK;
  }
  if (arg->kind != CK_ARG_SCALAR) return type_fault(launch, index);
  uint64_t *value = &launch->values[param->slot];
  *value = arg->value.u;
  if (arg->dtype != (uint32_t)param->dtype || param->is_in_expr) {
    if (is_integer(arg->dtype) && is_integer(param->dtype)) {
      if (!launch_integer_fits(arg, param->dtype)) return type_fault(launch, index);
    } else if (arg->dtype == CK_F32 && param->dtype == CK_F64) {
      double wide = arg->value.f;
      memcpy(value, &wide, sizeof wide);
    } else {
      return type_fault(launch, index);
    }
  }
  if (param->is_in_expr) launch->numbers[index] = arg->value.i;
  return CK_OK;
}

COLD static ck_status_t bounds_fault(const Launch *launch, uint32_t index, const ck_arg_t *arg,
                                     const ManifestParam *param)
{
  char given[128];
  return argument_fault(launch, index, "%s of %u bytes, the buffer has %zu bytes",
                        describe(arg, given, sizeof given), param->element_bytes,
                        arg->value.buffer->bytes);
}

/* Whether a buffer is closed; only buffers without bytes need the test. */
static bool is_closed(const ck_buffer_t *buffer)
{
  return !buffer->bytes && buffer->flags & CK_MEMORY_CLOSED;
}

/* Fails because a span with elements is at address 0. */
COLD static ck_status_t null_fault(const Launch *launch, uint32_t index)
{
  const ManifestParam *param = &launch->info->params[index];
  uint64_t elements = launch->ranges[index].bytes / param->element_bytes;
  return argument_fault(launch, index,
                        "the address is 0, and the span has %" PRIu64 " element%s of %s", elements,
                        elements == 1 ? "" : "s", param->type);
}

/* Reads the address and length of a span. */
static ck_status_t read_span(Launch *launch, uint32_t index, const ManifestParam *param,
                             const ck_arg_t *arg)
{
  Range *range = &launch->ranges[index];
  uint64_t element_bytes = param->element_bytes, count = CK_COUNT_UNKNOWN;
  if (arg->kind == CK_ARG_ADDRESS) {
    range->start = arg->value.u;
    count = arg->count;
    if (count == CK_COUNT_UNKNOWN) range->bytes = (uint64_t)UNKNOWN_BYTES;
    else if (__builtin_mul_overflow(count, element_bytes, &range->bytes))
      return argument_fault(launch, index, "%" PRIu64 " elements overflow 64 bits", count);
  } else if (arg->kind == CK_ARG_BUFFER || arg->kind == CK_ARG_SPAN) {
    const ck_buffer_t *buffer = arg->value.buffer;
    if (!buffer) return argument_fault(launch, index, "the buffer is NULL");
    if (UNLIKELY(is_closed(buffer))) return argument_fault(launch, index, "the buffer is closed");
    if (buffer->device->driver != launch->kernel->device->driver)
      return foreign_fault(launch, index, "buffer", buffer->device);
    *range = (Range){buffer->address, buffer->bytes};
    if (arg->kind == CK_ARG_SPAN) {
      uint64_t whole = buffer->bytes / element_bytes;
      if (arg->offset > whole || arg->count > whole - arg->offset)
        return bounds_fault(launch, index, arg, param);
      *range = (Range){buffer->address + arg->offset * element_bytes, arg->count * element_bytes};
    }
    count = range->bytes / element_bytes;
  } else if (arg->kind == CK_ARG_DLTENSOR) {
    CK_TRY(launch_read_tensor(launch, index, param));
    count = range->bytes / element_bytes;
  } else {
    return type_fault(launch, index);
  }
  if (range->start % param->element_align)
    return argument_fault(launch, index,
                          "the address 0x%" PRIx64 " is not a multiple of %u, the alignment of an "
                          "element: pass a copy",
                          range->start, param->element_align);
  launch->values[param->slot] = range->start;
  if (param->extent_count) return CK_OK;
  if (count == CK_COUNT_UNKNOWN)
    return argument_fault(launch, index, "the span carries its length: use ck_address_span");
  if (range->bytes % element_bytes)
    return argument_fault(launch, index,
                          "%" PRIu64 " bytes are no whole number of %s elements: use ck_span",
                          range->bytes, param->type);
  if (UNLIKELY(!range->start && range->bytes)) return null_fault(launch, index);
  launch->values[param->slot + 1] = count;
  launch->numbers[index] = (int64_t)count;
  return CK_OK;
}

COLD static ck_status_t extent_fault(const Launch *launch, uint32_t index, int64_t elements)
{
  const ManifestParam *param = &launch->info->params[index];
  char extents[256], given[128];
  size_t len = 0;
  for (uint32_t i = 0; i < param->extent_count && len < sizeof extents; ++i) {
    int64_t value = 0;
    expr_eval(&param->extents[i], launch->numbers, &value);
    len += (size_t)snprintf(extents + len, sizeof extents - len, "%s%s = %" PRId64, i ? ", " : "",
                            param->extents[i].text, value);
  }
  if (elements < 0)
    return argument_fault(launch, index, "negative or too large extents: %s", extents);
  return argument_fault(
      launch, index,
      "expected %" PRId64 " elements of %s (%" PRIu64 " bytes; %s), got %s (%" PRIu64 " bytes)",
      elements, param->type, (uint64_t)elements * param->element_bytes, extents,
      describe(&launch->args[index], given, sizeof given), launch->ranges[index].bytes);
}

/* Checks that a span's argument is as long as its extents need; afterwards its range has that
 * length. */
static ck_status_t check_extents(Launch *launch, uint32_t index, const ManifestParam *param)
{
  int64_t elements = 1, bytes;
  for (uint32_t i = 0; i < param->extent_count; ++i) {
    int64_t extent;
    ExprError error = expr_eval(&param->extents[i], launch->numbers, &extent);
    if (error) return launch_expr_fault(launch, &param->extents[i], "an extent", error);
    if (extent < 0 || __builtin_mul_overflow(elements, extent, &elements))
      return extent_fault(launch, index, -1);
    if (launch->args[index].kind == CK_ARG_DLTENSOR)
      CK_TRY(launch_check_axis(launch, index, i, extent));
  }
  if (__builtin_mul_overflow(elements, (int64_t)param->element_bytes, &bytes))
    return extent_fault(launch, index, -1);
  launch->numbers[index] = elements;
  if (launch->ranges[index].bytes < (uint64_t)bytes &&
      !(launch->config.flags & CK_LAUNCH_UNCHECKED))
    return extent_fault(launch, index, elements);
  launch->ranges[index].bytes = (uint64_t)bytes;
  if (UNLIKELY(!launch->ranges[index].start && bytes)) return null_fault(launch, index);
  return CK_OK;
}

/* Checks that no written span overlaps another span, which the compiler assumes (noalias). */
static ck_status_t check_overlap(const Launch *launch)
{
  const ManifestKernel *info = launch->info;
  for (uint32_t w = 0; w < info->written_span_count; ++w) {
    uint32_t i = info->written_spans[w];
    Range written = launch->ranges[i];
    for (uint32_t s = 0; s < info->span_count; ++s) {
      uint32_t j = info->spans[s];
      Range other = launch->ranges[j];
      if (j == i || !written.bytes || !other.bytes || written.start >= other.start + other.bytes ||
          other.start >= written.start + written.bytes)
        continue;
      return argument_fault(launch, i,
                            "it is written, and overlaps argument %u '%s': bytes 0x%" PRIx64
                            " to 0x%" PRIx64 " and 0x%" PRIx64 " to 0x%" PRIx64
                            ": pass a copy of one",
                            j + 1, info->params[j].name, written.start,
                            written.start + written.bytes, other.start, other.start + other.bytes);
    }
  }
  return CK_OK;
}

static ck_status_t read_argument(Launch *launch, uint32_t index)
{
  const ManifestParam *param = &launch->info->params[index];
  const ck_arg_t *arg = &launch->args[index];
  switch (param->kind) {
  case CK_PARAM_SCALAR: return read_scalar(launch, index, param, arg);
  case CK_PARAM_SPAN: return read_span(launch, index, param, arg);
  case CK_PARAM_TENSOR_MAP: return read_map(launch, index, param, arg);
  default: return read_handle(launch, index, param, arg);
  }
}

/* Converts and checks all arguments. The common case, a scalar of exactly the parameter's type, is
 * handled here, without a call. The extents are compared when all are known; then each written span
 * is checked for overlap. */
ck_status_t launch_read_arguments(Launch *launch)
{
  const ManifestKernel *info = launch->info;
  launch->inferred_count = 0;
  for (uint32_t i = 0; i < info->param_count; ++i) {
    ManifestRow row = info->rows[i];
    const ck_arg_t *arg = &launch->args[i];
    if (arg->kind == CK_ARG_SCALAR && arg->dtype == row.dtype)
      launch->values[row.slot] = arg->value.u;
    else CK_TRY(read_argument(launch, i));
  }
  if (launch->inferred_count) CK_TRY(launch_infer(launch));
  for (uint32_t s = 0; s < info->span_count; ++s) {
    const ManifestParam *param = &info->params[info->spans[s]];
    if (param->extent_count) CK_TRY(check_extents(launch, info->spans[s], param));
  }
  if (info->written_span_count && !(launch->config.flags & CK_LAUNCH_UNCHECKED))
    CK_TRY(check_overlap(launch));
  for (uint32_t i = 0; i < info->slot_count; ++i) launch->slots[i] = &launch->values[i];
  for (uint32_t i = 0; info->has_values && i < info->param_count; ++i) {
    const ck_arg_t *arg = &launch->args[i];
    if (arg->kind == CK_ARG_BYTES)
      launch->slots[info->params[i].slot] = (void *)(uintptr_t)arg->value.bytes;
    else if (arg->kind == CK_ARG_TENSOR_MAP)
      launch->slots[info->params[i].slot] = arg->value.tensor_map->native;
  }
  return CK_OK;
}

/* Why an argument can't be passed to a kernel without a manifest; NULL: it can. */
static const char *lack_of(const ck_arg_t *arg)
{
  if (arg->kind == CK_ARG_SPAN) return "a span needs a manifest, which has the type";
  if (arg->kind == CK_ARG_DLTENSOR)
    return "an array needs a manifest, which has its type: pass its address";
  if (arg->kind == CK_ARG_INFERRED) return "without a manifest all arguments have to be given";
  if (arg->kind == CK_ARG_BYTES && !arg->value.bytes) return "the struct is NULL";
  if (arg->kind == CK_ARG_TENSOR_MAP && !arg->value.tensor_map) return "the tensor map is NULL";
  if (arg->kind == CK_ARG_BUFFER && arg->value.buffer && is_closed(arg->value.buffer))
    return "the buffer is closed";
  return NULL;
}

/* Passes the arguments of a kernel without a manifest unchanged. The driver may know their number
 * and sizes. */
static ck_status_t pass_arguments(Launch *launch, size_t arg_count)
{
  const ck_kernel_t *kernel = launch->kernel;
  if (kernel->driver_param_count != SIZE_MAX && arg_count != kernel->driver_param_count)
    return error_argument("kernel '%s' takes %zu arguments, got %zu", kernel->name,
                          kernel->driver_param_count, arg_count);
  if (arg_count > MAX_PARAMS)
    return error_argument("kernel '%s': %zu arguments, a launch takes at most %d", kernel->name,
                          arg_count, (int)MAX_PARAMS);
  for (size_t i = 0; i < arg_count; ++i) {
    const ck_arg_t *arg = &launch->args[i];
    size_t bytes = arg->kind == CK_ARG_SCALAR       ? ck_dtype_bytes((ck_dtype_t)arg->dtype)
                   : arg->kind == CK_ARG_BYTES      ? arg->count
                   : arg->kind == CK_ARG_TENSOR_MAP ? CK_TENSOR_MAP_BYTES
                                                    : 8;
    const char *lack = lack_of(arg);
    if (lack) return error_argument("kernel '%s', argument %zu: %s", kernel->name, i + 1, lack);
    if (kernel->driver_param_count != SIZE_MAX && bytes != kernel->driver_param_bytes[i])
      return error_argument(
          "kernel '%s', argument %zu: expected a value of %zu bytes, got one of %zu", kernel->name,
          i + 1, kernel->driver_param_bytes[i], bytes);
    launch->values[i] = arg->value.u;
    if (arg->kind == CK_ARG_BUFFER)
      launch->values[i] = arg->value.buffer ? arg->value.buffer->address : 0;
    if (arg->kind == CK_ARG_TEXTURE && arg->value.texture)
      launch->values[i] = arg->value.texture->native;
    if (arg->kind == CK_ARG_SURFACE && arg->value.surface)
      launch->values[i] = arg->value.surface->native;
    launch->slots[i] = &launch->values[i];
    if (arg->kind == CK_ARG_BYTES) launch->slots[i] = (void *)(uintptr_t)arg->value.bytes;
    if (arg->kind == CK_ARG_TENSOR_MAP) launch->slots[i] = arg->value.tensor_map->native;
  }
  return CK_OK;
}

/* contract and limits ------------------------------------------------------------------------ */

COLD static ck_status_t axis_fault(const ck_kernel_t *kernel, const ck_launch_config_t *config)
{
  const uint32_t *const given[] = {config->grid, config->block, config->cluster};
  static const char names[][8] = {"grid", "block", "cluster"};
  size_t i = 0;
  while (given[i][0] || !(given[i][1] | given[i][2])) ++i;
  return error_argument("kernel '%s': %s.x is 0 in (%u, %u, %u): give x too, or 0 for all three",
                        kernel->name, names[i], given[i][0], given[i][1], given[i][2]);
}

static bool lacks_x(const uint32_t given[3])
{
  return !given[0] && (given[1] | given[2]);
}

ck_status_t launch_check_shapes(const ck_kernel_t *kernel, const ck_launch_config_t *config)
{
  if (UNLIKELY(lacks_x(config->grid) || lacks_x(config->block) || lacks_x(config->cluster)))
    return axis_fault(kernel, config);
  return CK_OK;
}

/* Fills out[] with the launch's three numbers, or else from the contract's expressions. False with
 * *out_status CK_OK if neither gives them. */
static bool read_dims(const Launch *launch, const uint32_t given[3], const Expr contract[3],
                      const char *what, int64_t out[3], ck_status_t *out_status)
{
  *out_status = CK_OK;
  if (given[0]) {
    for (int i = 0; i < 3; ++i) out[i] = given[i] ? given[i] : 1;
    return true;
  }
  if (!contract || !contract[0].text) return false;
  for (int i = 0; i < 3; ++i) {
    out[i] = 1;
    if (!contract[i].text) continue;
    ExprError error = expr_eval(&contract[i], launch->numbers, &out[i]);
    if (error) {
      *out_status = launch_expr_fault(launch, &contract[i], what, error);
      return false;
    }
  }
  return true;
}

COLD static ck_status_t limit_fault(const Launch *launch, const char *what, int axis, int64_t value,
                                    int64_t limit)
{
  return error_argument("kernel '%s': %s.%c is %" PRId64 ", '%s' takes %s%" PRId64,
                        launch->kernel->name, what, "xyz"[axis], value,
                        launch -> kernel -> device -> name, value < 0 ? "0 to " : "at most ",
                        limit);
}

COLD static ck_status_t contract_fault(const Launch *launch, const char *what,
                                       const uint32_t given[3], const int64_t contract[3])
{
  return error_argument("kernel '%s': it was compiled for a %s of (%" PRId64 ", %" PRId64
                        ", %" PRId64 "), got (%u, %u, %u)",
                        launch->kernel->name, what, contract[0], contract[1], contract[2], given[0],
                        given[1] ? given[1] : 1, given[2] ? given[2] : 1);
}

/* Reads block or cluster: if the launch gives it, it must equal the contract's. */
static ck_status_t read_fixed(const Launch *launch, const uint32_t given[3], const Expr contract[3],
                              const char *what, int64_t out[3])
{
  static const uint32_t nothing[3];
  ck_status_t status;
  if (!read_dims(launch, nothing, contract, what, out, &status)) {
    CK_TRY(status);
    if (!read_dims(launch, given, NULL, what, out, &status)) out[0] = 0;
    return CK_OK;
  }
  for (int i = 0; given[0] && i < 3; ++i)
    if ((given[i] ? given[i] : 1) != out[i]) return contract_fault(launch, what, given, out);
  return CK_OK;
}

/* Takes the block from the launch contract or the configuration, and checks it against the device's
 * limits. */
ck_status_t launch_read_block(Launch *launch)
{
  const DeviceLimits *limits = &launch->kernel->device->limits;
  int64_t block[3];
  CK_TRY(read_fixed(launch, launch->config.block, launch->info ? launch->info->block : NULL,
                    "block", block));
  if (block[0] == 0)
    return error_argument("kernel '%s' has no block in its launch contract: give one",
                          launch->kernel->name);
  for (int i = 0; i < 3; ++i)
    if (block[i] < 1 || block[i] > limits->block[i])
      return limit_fault(launch, "block", i, block[i], limits->block[i]);
  int64_t threads = block[0] * block[1] * block[2];
  if (threads > limits->block_threads)
    return error_argument("kernel '%s': %" PRId64 " threads in a block, '%s' takes %d",
                          launch->kernel->name, threads, launch->kernel->device->name,
                          limits->block_threads);
  launch->native.blockDimX = (unsigned)block[0];
  launch->native.blockDimY = (unsigned)block[1];
  launch->native.blockDimZ = (unsigned)block[2];
  return CK_OK;
}

/* The same for the grid, which may be empty. */
ck_status_t launch_read_grid(Launch *launch, bool *out_is_empty)
{
  const DeviceLimits *limits = &launch->kernel->device->limits;
  int64_t grid[3];
  ck_status_t status;
  bool is_known = read_dims(launch, launch->config.grid, launch->info ? launch->info->grid : NULL,
                            "grid", grid, &status);
  CK_TRY(status);
  if (!is_known)
    return error_argument("kernel '%s' has no grid in its launch contract: give one",
                          launch->kernel->name);
  for (int i = 0; i < 3; ++i)
    if (grid[i] < 0 || grid[i] > limits->grid[i])
      return limit_fault(launch, "grid", i, grid[i], limits->grid[i]);
  *out_is_empty = !grid[0] || !grid[1] || !grid[2];
  launch->native.gridDimX = (unsigned)grid[0];
  launch->native.gridDimY = (unsigned)grid[1];
  launch->native.gridDimZ = (unsigned)grid[2];
  return CK_OK;
}

static CUlaunchAttribute *add_attribute(Launch *launch, CUlaunchAttributeID id)
{
  CUlaunchAttribute *attribute = &launch->attributes[launch->native.numAttrs++];
  memset(attribute, 0, sizeof *attribute);
  attribute->id = id;
  launch->native.attrs = launch->attributes;
  return attribute;
}

/* The same for the cluster, which has to divide the grid. */
ck_status_t launch_read_cluster(Launch *launch)
{
  const ck_kernel_t *kernel = launch->kernel;
  int64_t cluster[3];
  if (!launch->config.cluster[0] && !(launch->info && launch->info->cluster[0].text)) return CK_OK;
  CK_TRY(read_fixed(launch, launch->config.cluster, launch->info ? launch->info->cluster : NULL,
                    "cluster", cluster));
  if (cluster[0] == 0) return CK_OK;
  if (!kernel->device->limits.has_clusters)
    return error_unsupported("kernel '%s': '%s' (%s) has no clusters", kernel->name,
                             kernel->device->name, kernel->device->target);
  unsigned grid[3] = {launch->native.gridDimX, launch->native.gridDimY, launch->native.gridDimZ};
  for (int i = 0; i < 3; ++i)
    if (cluster[i] < 1 || grid[i] % cluster[i])
      return error_argument("kernel '%s': grid.%c is %u, no multiple of the cluster's %" PRId64,
                            kernel->name, "xyz"[i], grid[i], cluster[i]);
  CUlaunchAttribute *attribute = add_attribute(launch, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  attribute->value.clusterDim.x = (unsigned)cluster[0];
  attribute->value.clusterDim.y = (unsigned)cluster[1];
  attribute->value.clusterDim.z = (unsigned)cluster[2];
  return CK_OK;
}

/* Takes the dynamic shared memory from the configuration, which has to be at least the contract's,
 * and raises the driver's limit for the kernel if necessary. */
ck_status_t launch_read_shared(Launch *launch)
{
  const ManifestKernel *info = launch->info;
  size_t bytes = launch->config.dynamic_shared_bytes;
  if (info && info->dynamic_shared.text) {
    int64_t contract;
    ExprError error = expr_eval(&info->dynamic_shared, launch->numbers, &contract);
    if (error)
      return launch_expr_fault(launch, &info->dynamic_shared, "dynamic shared memory", error);
    if (contract < 0 || (bytes && bytes < (uint64_t)contract))
      return error_argument("kernel '%s' needs %" PRId64 " bytes of dynamic shared memory, got %zu",
                            launch->kernel->name, contract, bytes);
    if (!bytes) bytes = (size_t)contract;
  }
  const NativeKernel *common = launch->kernel->common;
  if (bytes && bytes > atomic_load_explicit(&common->dynamic_limit, memory_order_relaxed))
    CK_TRY(kernel_allow_dynamic(launch->kernel, bytes));
  launch->native.sharedMemBytes = (unsigned)bytes;
  return CK_OK;
}

/* The multiprocessors that a stream can use; a green context has a part of the device's. */
static uint32_t multiprocessors_of(const ck_kernel_t *kernel, const ck_stream_t *stream)
{
  if (UNLIKELY(stream && stream->context)) return stream->context->sm_count;
  return (uint32_t)kernel->device->limits.multiprocessors;
}

static int64_t sensible_blocks(const ck_kernel_t *kernel, int64_t resident)
{
  int32_t most = kernel->device->driver->traits->cooperative_blocks;
  return kernel->info->is_cooperative && most && resident > most ? most : resident;
}

/* Computes how many blocks are resident at a time. The driver's answer for one multiprocessor is
 * cached for the last shape. */
ck_status_t launch_read_resident(Launch *launch, const ck_stream_t *stream)
{
  /* The cached shape: threads of a block from bit 32 on (up to 1024), bytes of dynamic shared
   * memory from bit 43 on; the lower 32 bits are the blocks. */
  enum { THREADS_SHIFT = 32, BYTES_SHIFT = 43 };
  CK_TRY(launch_read_shared(launch));
  ck_kernel_t *kernel = launch->kernel;
  const CUlaunchConfig *native = &launch->native;
  uint32_t threads = native->blockDimX * native->blockDimY * native->blockDimZ;
  uint64_t shape = (uint64_t)threads << THREADS_SHIFT | (uint64_t)native->sharedMemBytes
                                                            << BYTES_SHIFT;
  uint64_t known = atomic_load_explicit(&kernel->common->resident, memory_order_relaxed);
  if ((known & ~(uint64_t)UINT32_MAX) != shape) {
    int blocks;
    CK_TRY(ck_kernel_get_occupancy(kernel, threads, native->sharedMemBytes, &blocks));
    known = shape | (uint32_t)blocks;
    atomic_store_explicit(&kernel->common->resident, known, memory_order_relaxed);
  }
  launch->numbers[NUMBER_resident] =
      sensible_blocks(kernel, (int64_t)(known & UINT32_MAX) * multiprocessors_of(kernel, stream));
  if (launch->numbers[NUMBER_resident]) return CK_OK;
  return error_argument("kernel '%s': no block of %u threads fits on '%s'", kernel->name, threads,
                        kernel->device->name);
}

/* Allocates the scratch memory of the launch, in stream order. */
static ck_status_t take_scratch(Launch *launch, ck_memory_resource_t *resource, ck_stream_t *stream)
{
  const ManifestKernel *info = launch->info;
  const CUlaunchConfig *native = &launch->native;
  const unsigned dims[] = {native->gridDimX,  native->gridDimY,  native->gridDimZ,
                           native->blockDimX, native->blockDimY, native->blockDimZ};
  for (size_t i = 0; i < COUNT_OF(dims); ++i) launch->numbers[NUMBER_grid + i] = dims[i];
  int64_t bytes;
  ExprError error = expr_eval(&info->scratch_bytes, launch->numbers, &bytes);
  if (error) return launch_expr_fault(launch, &info->scratch_bytes, "scratch memory", error);
  if (bytes < 0)
    return error_argument("kernel '%s': %" PRId64 " bytes of scratch memory", launch->kernel->name,
                          bytes);
  CUdeviceptr address = 0;
  void *host;
  launch->scratch = 0;
  if (bytes) {
    ck_status_t status = memory_allocate(resource, (size_t)bytes, stream, &address, &host);
    if (status != CK_OK)
      return error_within(status, "kernel '%s': scratch memory", launch->kernel->name);
  }
  launch->scratch_bytes = (size_t)bytes;
  launch->scratch = launch->values[info->slot_count - 1] = address;
  return CK_OK;
}

static ck_status_t read_programmatic(Launch *launch)
{
  const ck_kernel_t *kernel = launch->kernel;
  if (!kernel->device->limits.has_clusters) /* they need sm_90, like clusters */
    return error_unsupported("kernel '%s': '%s' (%s) has no programmatic launches", kernel->name,
                             kernel->device->name, kernel->device->target);
  if (kernel->info && !kernel->info->is_dependent && !(launch->config.flags & CK_LAUNCH_UNCHECKED))
    return error_argument("kernel '%s': a programmatic launch, but it never calls "
                          "grid.wait_dependencies()",
                          kernel->name);
  add_attribute(launch, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
      ->value.programmaticStreamSerializationAllowed = 1;
  return CK_OK;
}

ck_status_t launch_read_flags(Launch *launch)
{
  uint32_t flags = launch->config.flags;
  const ck_kernel_t *kernel = launch->kernel;
  if (flags & ~(CK_LAUNCH_COOPERATIVE | CK_LAUNCH_PROGRAMMATIC | CK_LAUNCH_UNCHECKED))
    return error_argument("kernel '%s': launch flags are 0x%x, some are unknown", kernel->name,
                          flags);
  if (flags & CK_LAUNCH_COOPERATIVE) {
    if (!kernel->device->limits.has_cooperative)
      return error_unsupported("kernel '%s': '%s' has no cooperative launches", kernel->name,
                               kernel->device->name);
    add_attribute(launch, CU_LAUNCH_ATTRIBUTE_COOPERATIVE)->value.cooperative = 1;
  }
  return flags & CK_LAUNCH_PROGRAMMATIC ? read_programmatic(launch) : CK_OK;
}

COLD static ck_status_t read_attributes(Launch *launch)
{
  const ck_kernel_t *kernel = launch->kernel;
  launch->native.attrs = launch->attributes;
  ck_status_t status = launch_attributes_read(kernel->device, &launch->config, &launch->native);
  return status == CK_OK ? CK_OK : error_within(status, "kernel '%s'", kernel->name);
}

/* -------------------------------------------------------------------------------------------- */

/* Explains a cooperative launch that is too large: says how many blocks fit. */
COLD static ck_status_t explain_cooperative(const Launch *launch, const ck_stream_t *stream)
{
  ck_kernel_t *kernel = launch->kernel;
  const CUlaunchConfig *native = &launch->native;
  unsigned threads = native->blockDimX * native->blockDimY * native->blockDimZ;
  int blocks = 0;
  const Driver *driver = kernel->device->driver;
  if (!device_enter_quietly(kernel->device)) return CK_DRIVER;
  CUresult result = driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, (CUfunction)kernel->native, (int)threads, native->sharedMemBytes);
  device_leave(kernel->device);
  if (result != CUDA_SUCCESS) return CK_DRIVER;
  return error_within(CK_INVALID_ARGUMENT,
                      "all blocks of a cooperative grid run at once, and %d fit on each of the %d "
                      "multiprocessors of '%s'",
                      blocks, (int)multiprocessors_of(kernel, stream), kernel->device->name);
}

COLD static ck_status_t put_fault(const Launch *launch, const ck_stream_t *stream,
                                  ck_status_t status)
{
  char attributes[256];
  if (ck_last_driver_error() == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE)
    status = explain_cooperative(launch, stream);
  launch_attributes_list(&launch->config, attributes, sizeof attributes);
  return error_within(status, "kernel '%s', grid (%u, %u, %u), block (%u, %u, %u)%s",
                      launch->kernel->name, launch->native.gridDimX, launch->native.gridDimY,
                      launch->native.gridDimZ, launch->native.blockDimX, launch->native.blockDimY,
                      launch->native.blockDimZ, attributes);
}

COLD static void log_launch(const Launch *launch)
{
  const CUlaunchConfig *native = &launch->native;
  log_line(LOG_launch,
           "kernel '%s', grid (%u, %u, %u), block (%u, %u, %u), %u bytes of dynamic "
           "shared memory%s",
           launch->kernel->name, native->gridDimX, native->gridDimY, native->gridDimZ,
           native->blockDimX, native->blockDimY, native->blockDimZ, native->sharedMemBytes,
           launch->config.flags & CK_LAUNCH_PROGRAMMATIC ? ", behind the one ahead" : "");
}

ck_status_t launch_put_into_stream(Launch *launch, const ck_stream_t *stream)
{
  const ck_kernel_t *kernel = launch->kernel;
  const Driver *driver = kernel->device->driver;
  launch->native.hStream = stream_native(stream);
  if (log_wants(LOG_launch)) log_launch(launch);
  CK_TRY(stream_enter(stream, kernel->device));
  ck_status_t status = DRV_STATUS(
      driver, cuLaunchKernelEx(&launch->native, (CUfunction)kernel->native, launch->slots, NULL));
  stream_leave(stream, kernel->device);
  return status == CK_OK ? CK_OK : put_fault(launch, stream, status);
}

/* Launches with scratch memory, which in a captured stream is allocated by graph nodes. */
static ck_status_t put_with_scratch(Launch *launch, ck_stream_t *stream)
{
  const ck_kernel_t *kernel = launch->kernel;
  ck_memory_resource_t *resource = stream_keep(stream) ? kernel->graph_scratch : kernel->scratch;
  if (!resource)
    return error_unsupported("kernel '%s' has scratch memory: '%s' can't capture it", kernel->name,
                             kernel->device->name);
  CK_TRY(take_scratch(launch, resource, stream));
  ck_status_t status = launch_put_into_stream(launch, stream);
  if (launch->scratch) memory_deallocate(resource, launch->scratch, launch->scratch_bytes, stream);
  return status;
}

static ck_status_t read_config(Launch *launch, const ck_launch_config_t *config)
{
  ck_launch_config_t *own = &launch->config;
  if (config->struct_size == sizeof *own) *own = *config;
  else CK_TRY(options_read(own, sizeof *own, config, "ck_launch_config_t"));
  return launch_check_shapes(launch->kernel, own);
}

/* Checks everything and prepares the launch, except for scratch memory. For a graph node the stream
 * is NULL, since it is not known yet. */
static ck_status_t check(Launch *launch, const ck_stream_t *stream,
                         const ck_launch_config_t *config, ck_kernel_t *kernel,
                         const ck_arg_t *args, size_t arg_count, bool *out_is_empty)
{
  if (!kernel) return error_argument("the kernel is NULL");
  if (arg_count && !args)
    return error_argument("kernel '%s': %zu arguments at NULL", kernel->name, arg_count);
  launch->kernel = kernel;
  launch->info = kernel->info;
  launch->args = args;
  memset(&launch->config, 0, sizeof launch->config);
  launch->native.attrs = NULL;
  launch->native.numAttrs = 0;
  if (config) CK_TRY(read_config(launch, config));
  if (kernel->info) {
    if (arg_count != kernel->info->param_count) return count_fault(launch, arg_count);
    CK_TRY(launch_read_arguments(launch));
  } else {
    CK_TRY(pass_arguments(launch, arg_count));
  }
  if (kernel->steps) return CK_OK;
  if (UNLIKELY(launch->config.scratch || launch->config.scratch_resource))
    return error_argument("kernel '%s': only an algorithm of several kernels takes scratch memory",
                          kernel->name);
  CK_TRY(launch_read_block(launch));
  if (kernel->info && kernel->info->needs_resident && !launch->config.grid[0])
    CK_TRY(launch_read_resident(launch, stream));
  CK_TRY(launch_read_grid(launch, out_is_empty));
  if (*out_is_empty) return CK_OK;
  CK_TRY(launch_read_cluster(launch));
  CK_TRY(launch_read_shared(launch));
  if (kernel->info && kernel->info->is_cooperative) launch->config.flags |= CK_LAUNCH_COOPERATIVE;
  if (launch->config.flags) CK_TRY(launch_read_flags(launch));
  return launch->config.attribute_count ? read_attributes(launch) : CK_OK;
}

ck_status_t launch_check(const ck_launch_config_t *config, ck_kernel_t *kernel,
                         const ck_arg_t *args, size_t arg_count, LaunchUse *use, void *data,
                         bool *out_is_empty)
{
  Launch launch;
  *out_is_empty = false;
  if (kernel) CK_TRY(kernel_need_one(kernel, "node: capture a stream instead"));
  CK_TRY(check(&launch, NULL, config, kernel, args, arg_count, out_is_empty));
  return *out_is_empty ? CK_OK : use(&launch.native, launch.slots, data);
}

ck_status_t ck_launch_args(ck_stream_t *stream, const ck_launch_config_t *config,
                           ck_kernel_t *kernel, const ck_arg_t *args, size_t arg_count)
{
  Launch launch; /* not initialised: its arrays are large, and only a part is used */
  bool is_empty = false;
  CK_NEED_ARG(kernel);
  CK_TRY(stream_check(stream, kernel->device));
  CK_TRY(check(&launch, stream, config, kernel, args, arg_count, &is_empty));
  if (is_empty) return CK_OK;
  CK_TRY(kernel->steps     ? plan_launch(&launch, stream)
         : kernel->scratch ? put_with_scratch(&launch, stream)
                           : launch_put_into_stream(&launch, stream));
  GraphKeep *keep = stream_keep(stream);
  if (launch.config.attribute_count)
    CK_TRY(launch_attributes_done(&launch.config, &launch.native, keep));
  return keep ? graph_keep_launch(keep, NULL, kernel, args, arg_count) : CK_OK;
}

ck_status_t ck_kernel_get_scratch_bytes(ck_kernel_t *kernel, ck_stream_t *stream,
                                        const ck_arg_t *args, size_t arg_count, size_t *out_bytes)
{
  Launch launch;
  bool is_empty = false;
  CK_NEED_OUT(out_bytes, 0, kernel);
  CK_TRY(stream_check(stream, kernel->device));
  CK_TRY(check(&launch, stream, NULL, kernel, args, arg_count, &is_empty));
  return kernel->steps ? plan_scratch(&launch, stream, out_bytes) : CK_OK;
}
