/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tensor_map.c - makes tensor maps from views, for tiled boxes and for im2col.
 *
 * The driver reports every mistake as CUDA_ERROR_INVALID_VALUE, so its rules are checked here
 * first, with a message for each. The driver counts axes from the innermost, a view from the
 * outermost; axes are reversed when the view is read.
 *
 * source  CUDA Driver API, cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col
 */
#include <inttypes.h>
#include <stdalign.h>
#include <string.h>

#include "memory_private.h"
#include "view.h"

static void tensor_map_destroy(ck_tensor_map_t *map)
{
  memory_free(map->native);
  ck_buffer_release(map->buffer);
  ck_device_release(map->device);
  object_free(map);
}

OBJECT(tensor_map, ck_tensor_map_t);

/* The numbers of the public enumerations are cuda.h's. */
_Static_assert((int)CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ + 1 == CK_TENSOR_TF32_FTZ, "");
_Static_assert((int)CU_TENSOR_MAP_INTERLEAVE_32B == CK_INTERLEAVE_32B, "");
_Static_assert((int)CU_TENSOR_MAP_SWIZZLE_128B == CK_SWIZZLE_128B, "");
_Static_assert((int)CU_TENSOR_MAP_L2_PROMOTION_L2_256B == CK_L2_FETCH_256B, "");
_Static_assert((int)CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA == CK_FILL_NAN, "");
_Static_assert(sizeof(CUtensorMap) == CK_TENSOR_MAP_BYTES, "");

/* For each tensor type its size, and the element type of views that it belongs to. */
static const struct {
  char name[9];
  uint8_t bytes;
  bool is_float;
} types[] = {
    [CK_TENSOR_U8] = {"u8", 1, false},
    [CK_TENSOR_U16] = {"u16", 2, false},
    [CK_TENSOR_U32] = {"u32", 4, false},
    [CK_TENSOR_I32] = {"i32", 4, false},
    [CK_TENSOR_U64] = {"u64", 8, false},
    [CK_TENSOR_I64] = {"i64", 8, false},
    [CK_TENSOR_F16] = {"f16", 2, true},
    [CK_TENSOR_F32] = {"f32", 4, true},
    [CK_TENSOR_F64] = {"f64", 8, true},
    [CK_TENSOR_BF16] = {"bf16", 2, true},
    [CK_TENSOR_F32_FTZ] = {"f32_ftz", 4, true},
    [CK_TENSOR_TF32] = {"tf32", 4, true},
    [CK_TENSOR_TF32_FTZ] = {"tf32_ftz", 4, true},
};

static ck_tensor_type_t type_of(ck_dtype_t dtype)
{
  switch (dtype) {
  case CK_BOOL:
  case CK_I8:
  case CK_U8: return CK_TENSOR_U8;
  case CK_I16:
  case CK_U16: return CK_TENSOR_U16;
  case CK_I32: return CK_TENSOR_I32;
  case CK_U32: return CK_TENSOR_U32;
  case CK_I64: return CK_TENSOR_I64;
  case CK_U64: return CK_TENSOR_U64;
  case CK_F16: return CK_TENSOR_F16;
  case CK_BF16: return CK_TENSOR_BF16;
  case CK_F32: return CK_TENSOR_F32;
  case CK_F64: return CK_TENSOR_F64;
  case CK_NONE:
  case CK_DTYPE_FORCE_INT: break;
  }
  return CK_TENSOR_OF_VIEW;
}

const char *tensor_map_type_name(const ck_tensor_map_t *map)
{
  return types[map->type].name;
}

bool tensor_map_is_of(const ck_tensor_map_t *map, ck_dtype_t dtype)
{
  return type_of(dtype) == map->type || (dtype == CK_F32 && map->type >= CK_TENSOR_F32_FTZ);
}

/* The fields that tiled and im2col maps have in common, with axes innermost first. */
typedef struct Plan {
  const char *function;
  uint32_t rank;
  ck_tensor_type_t type;
  ck_tensor_interleave_t interleave;
  ck_tensor_swizzle_t swizzle;
  ck_tensor_l2_t l2;
  ck_tensor_fill_t fill;
  uint64_t extents[CK_TENSOR_MAX_RANK], strides[CK_TENSOR_MAX_RANK]; /* strides[k]: of axis k + 1 */
  uint32_t element_strides[CK_TENSOR_MAX_RANK];
} Plan;

static size_t alignment_of(const Plan *plan)
{
  return plan->interleave == CK_INTERLEAVE_32B ? 32 : 16;
}

static ck_status_t check_reached(const ck_buffer_t *buffer, const char *function)
{
  if (ck_buffer_flags(buffer) & CK_MEMORY_DEVICE) return CK_OK;
  return error_argument("%s: the buffer is no memory of a device", function);
}

/* Checks the options against each other, by the driver's rules. */
static ck_status_t check_words(const Plan *plan)
{
  if ((unsigned)plan->interleave > CK_INTERLEAVE_32B || (unsigned)plan->swizzle > CK_SWIZZLE_128B ||
      (unsigned)plan->l2 > CK_L2_FETCH_256B || (unsigned)plan->fill > CK_FILL_NAN)
    return error_argument("%s: interleave %d, swizzle %d, l2 %d, fill %d", plan->function,
                          (int)plan->interleave, (int)plan->swizzle, (int)plan->l2,
                          (int)plan->fill);
  if (plan->fill == CK_FILL_NAN && !types[plan->type].is_float)
    return error_argument("%s: CK_FILL_NAN is for floats, the tensor is of %s", plan->function,
                          types[plan->type].name);
  if (plan->interleave && plan->rank < 3)
    return error_argument("%s: an interleaved tensor has 3 axes or more, this one has %u",
                          plan->function, plan->rank);
  if (plan->interleave == CK_INTERLEAVE_32B && plan->swizzle != CK_SWIZZLE_32B)
    return error_argument("%s: CK_INTERLEAVE_32B goes with CK_SWIZZLE_32B, the swizzle is %d",
                          plan->function, (int)plan->swizzle);
  return CK_OK;
}

static ck_status_t check_address(const Plan *plan, uint64_t address)
{
  if (address % alignment_of(plan) == 0) return CK_OK;
  return error_argument("%s: the address 0x%" PRIx64 " is no multiple of %zu", plan->function,
                        address, alignment_of(plan));
}

/* Reads extents and strides of the view in reverse order. */
static ck_status_t read_axes(const ck_view_t *view, Plan *plan)
{
  const uint64_t MOST = UINT64_C(1) << 32, MOST_STRIDE = UINT64_C(1) << 40;
  for (uint32_t k = 0; k < plan->rank; ++k) {
    uint32_t axis = plan->rank - 1 - k;
    int64_t extent = view->extents[axis], stride = view->strides[axis];
    if (extent < 1 || (uint64_t)extent > MOST)
      return error_argument("%s: an extent is 1 to 2^32, that of axis %u is %" PRId64,
                            plan->function, axis, extent);
    plan->extents[k] = (uint64_t)extent;
    if (k == 0) {
      if (stride != 1 && extent > 1)
        return error_argument("%s: the last axis is dense, its stride is %" PRId64 " elements",
                              plan->function, stride);
      continue;
    }
    uint64_t bytes;
    if (stride < 0 || __builtin_mul_overflow((uint64_t)stride, types[plan->type].bytes, &bytes) ||
        bytes >= MOST_STRIDE || bytes % alignment_of(plan))
      return error_argument(
          "%s: a stride is a multiple of %zu bytes below 2^40, that of axis %u is "
          "%" PRId64 " elements of %u bytes",
          plan->function, alignment_of(plan), axis, stride, types[plan->type].bytes);
    plan->strides[k - 1] = bytes;
  }
  return CK_OK;
}

static ck_status_t read_element_strides(const uint32_t *given, Plan *plan)
{
  for (uint32_t k = 0; k < plan->rank; ++k) {
    uint32_t axis = plan->rank - 1 - k;
    plan->element_strides[k] = given[axis] ? given[axis] : 1;
    if (plan->element_strides[k] > 8)
      return error_argument("%s: an element stride is 1 to 8, that of axis %u is %u",
                            plan->function, axis, given[axis]);
  }
  return CK_OK;
}

/* Bytes in a row of each swizzle. */
static const size_t spans[] = {
    [CK_SWIZZLE_32B] = 32, [CK_SWIZZLE_64B] = 64, [CK_SWIZZLE_128B] = 128};

/* Checks the innermost extent of a box. */
static ck_status_t check_inner(const Plan *plan, uint32_t elements, const char *what)
{
  size_t bytes = elements * types[plan->type].bytes;
  if (bytes % 16)
    return error_argument("%s: %s, %u of %s, is no multiple of 16 bytes", plan->function, what,
                          elements, types[plan->type].name);
  if (!plan->interleave && plan->swizzle && bytes > spans[plan->swizzle])
    return error_argument("%s: %s has %zu bytes, the swizzle takes at most %zu", plan->function,
                          what, bytes, spans[plan->swizzle]);
  return CK_OK;
}

/* Checks that a box fits into shared memory. */
static ck_status_t check_room(const ck_device_t *device, const Plan *plan, size_t bytes,
                              const char *what)
{
  size_t most = (size_t)device->limits.shared_bytes_optin;
  if (bytes <= most) return CK_OK;
  return error_argument("%s: %s has %zu bytes, a block on '%s' has at most %zu of shared memory",
                        plan->function, what, bytes, device->name, most);
}

/* Checks a view for a tensor map, and converts its type, extents and strides. */
static ck_status_t read_view(const ck_view_t *view, ck_tensor_type_t type,
                             const uint32_t *element_strides, uint32_t least_rank, Plan *plan)
{
  CK_TRY(view_check(view, plan->function));
  CK_TRY(check_reached(view->buffer, plan->function));
  ck_device_t *device = view->buffer->device;
  int has_maps = 0;
  if (device->driver->cuTensorMapEncodeTiled)
    CK_TRY(ck_device_get_attribute(device, CK_DEVICE_TENSOR_MAP_ACCESS_SUPPORTED, &has_maps));
  if (!has_maps)
    return error_unsupported("%s: '%s' (%s) has no tensor maps, sm_90 and newer have",
                             plan->function, device->name, device->target);
  if (view->rank < least_rank || view->rank > CK_TENSOR_MAX_RANK)
    return error_argument("%s: the tensor has %u to %d axes, the view %u", plan->function,
                          least_rank, CK_TENSOR_MAX_RANK, view->rank);
  if (view->components != 1)
    return error_argument("%s: elements of %u components: make them an axis", plan->function,
                          view->components);
  if (view->dtype == CK_NONE)
    return error_argument("%s: elements are structures: ck_view_cast makes them "
                          "elements of CK_U8",
                          plan->function);
  plan->rank = view->rank;
  plan->type = type ? type : type_of(view->dtype);
  if ((unsigned)plan->type >= COUNT_OF(types))
    return error_argument("%s: the type is %d", plan->function, (int)plan->type);
  if (types[plan->type].bytes != ck_dtype_bytes(view->dtype))
    return error_argument("%s: %s has %u bytes, the view's %s has %zu", plan->function,
                          types[plan->type].name, types[plan->type].bytes,
                          ck_dtype_name(view->dtype), ck_dtype_bytes(view->dtype));
  CK_TRY(check_words(plan));
  CK_TRY(check_address(plan, ck_view_native(view)));
  CK_TRY(read_axes(view, plan));
  return read_element_strides(element_strides, plan);
}

/* Makes the object of a map, without the driver's 128 bytes. */
static ck_tensor_map_t *tensor_map_new(const ck_view_t *view, const Plan *plan)
{
  ck_tensor_map_t *map = object_new(sizeof *map);
  if (!map) return NULL;
  map->device = ck_device_retain(view->buffer->device);
  map->buffer = ck_buffer_retain(view->buffer);
  map->rank = plan->rank;
  map->type = plan->type;
  map->alignment = alignment_of(plan);
  map->reach = types[plan->type].bytes * plan->extents[0];
  for (uint32_t k = 1; k < plan->rank; ++k)
    map->reach += (plan->extents[k] - 1) * plan->strides[k - 1];
  map->native = memory_new_aligned(sizeof *map->native, alignof(CUtensorMap));
  if (map->native) {
    memset(map->native, 0, sizeof *map->native);
    return map;
  }
  tensor_map_destroy(map);
  memory_lacks(sizeof *map->native);
  return NULL;
}

static void *native_address(uint64_t address)
{
  return (void *)(uintptr_t)address;
}

/* boxes -------------------------------------------------------------------------------------- */

static ck_status_t read_box(const ck_tensor_map_options_t *options, const Plan *plan,
                            uint32_t box[CK_TENSOR_MAX_RANK])
{
  for (uint32_t k = 0; k < plan->rank; ++k) {
    uint32_t axis = plan->rank - 1 - k;
    box[k] = options->box[axis];
    if (box[k] < 1 || box[k] > 256)
      return error_argument(
          "%s: a box has 1 to 256 elements along an axis, along axis %u it has %u", plan->function,
          axis, box[k]);
  }
  return check_inner(plan, box[0], "the box's last axis");
}

static size_t bytes_of_box(const Plan *plan, const uint32_t box[CK_TENSOR_MAX_RANK])
{
  size_t bytes = types[plan->type].bytes * box[0];
  for (uint32_t k = 1; k < plan->rank; ++k)
    bytes *= (box[k] + plan->element_strides[k] - 1) / plan->element_strides[k];
  return bytes;
}

ck_status_t ck_tensor_map_from_view(const ck_view_t *view, const ck_tensor_map_options_t *options,
                                    ck_tensor_map_t **out_map)
{
  CK_NEED_OUT(out_map, NULL, view, options);
  CK_READ_OPTIONS(ck_tensor_map_options_t, own, options);
  Plan plan = {.function = __func__,
               .interleave = own.interleave,
               .swizzle = own.swizzle,
               .l2 = own.l2,
               .fill = own.fill};
  uint32_t box[CK_TENSOR_MAX_RANK];
  CK_TRY(read_view(view, own.type, own.element_strides, 1, &plan));
  CK_TRY(read_box(&own, &plan, box));
  size_t bytes = bytes_of_box(&plan, box);
  CK_TRY(check_room(view->buffer->device, &plan, bytes, "the box"));
  ck_tensor_map_t *map = tensor_map_new(view, &plan);
  if (!map) return CK_OUT_OF_MEMORY;
  map->box_bytes = bytes;
  map->has_gaps =
      !plan.interleave && plan.swizzle && box[0] * types[plan.type].bytes < spans[plan.swizzle];
  ck_status_t status = DEVICE_STATUS(
      map->device,
      cuTensorMapEncodeTiled(map->native, (CUtensorMapDataType)(plan.type - 1), plan.rank,
                             native_address(ck_view_native(view)), plan.extents, plan.strides, box,
                             plan.element_strides, (CUtensorMapInterleave)plan.interleave,
                             (CUtensorMapSwizzle)plan.swizzle, (CUtensorMapL2promotion)plan.l2,
                             (CUtensorMapFloatOOBfill)plan.fill));
  return GIVE(status, map, out_map, tensor_map_destroy);
}

/* im2col ------------------------------------------------------------------------------------- */

static ck_status_t check_columns(const ck_device_t *device, const ck_im2col_options_t *options,
                                 const Plan *plan)
{
  if (options->channels < 1 || options->channels > 256)
    return error_argument("%s: a pixel has 1 to 256 channels, not %u", plan->function,
                          options->channels);
  bool is_128 = options->mode == CK_IM2COL_WIDE_128;
  if (!is_128 && (options->pixels < 1 || options->pixels > 1024))
    return error_argument("%s: a column has 1 to 1024 pixels, not %u", plan->function,
                          options->pixels);
  CK_TRY(check_inner(plan, options->channels, "a pixel's channels"));
  size_t pixels = is_128 ? 128 : options->pixels;
  return check_room(device, plan, pixels * options->channels * types[plan->type].bytes, "a column");
}

/* Reads `count` corners, innermost first. In an interleaved tensor the channels are slices after
 * the last axis. Coordinates share 32 bits, hence the limits. */
static ck_status_t read_corners(const ck_im2col_options_t *options, const Plan *plan,
                                uint32_t count, int lower[3], int upper[3])
{
  static const int mosts[] = {[1] = 32767, [2] = 127, [3] = 15};
  int most = mosts[count];
  uint32_t first = plan->interleave ? 0 : 1;
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t axis = plan->rank - 1 - first - k;
    int64_t extent = (int64_t)plan->extents[first + k];
    lower[k] = options->lower[count - 1 - k];
    upper[k] = options->upper[count - 1 - k];
    if (lower[k] < -most - 1 || lower[k] > most || upper[k] < -most - 1 || upper[k] > most)
      return error_argument(
          "%s: the corners of %u axes are %d to %d, those of axis %u are %d and %d", plan->function,
          count, -most - 1, most, axis, lower[k], upper[k]);
    if (extent + upper[k] - lower[k] < 1)
      return error_argument(
          "%s: the box of corners %d and %d is empty along axis %u, whose extent is "
          "%" PRId64,
          plan->function, lower[k], upper[k], axis, extent);
    if (extent + upper[k] > INT32_MAX)
      return error_argument("%s: the box ends at %" PRId64 " along axis %u, at most at 2^31 - 1",
                            plan->function, extent + upper[k], axis);
  }
  return CK_OK;
}

static ck_status_t encode_im2col(const ck_view_t *view, const ck_im2col_options_t *own,
                                 const Plan *plan, const int *lower, const int *upper,
                                 ck_tensor_map_t *map)
{
  const Driver *driver = map->device->driver;
  if (own->mode == CK_IM2COL_BOX) {
    DRV(driver, cuTensorMapEncodeIm2col(
                    map->native, (CUtensorMapDataType)(plan->type - 1), plan->rank,
                    native_address(ck_view_native(view)), plan->extents, plan->strides, lower,
                    upper, own->channels, own->pixels, plan->element_strides,
                    (CUtensorMapInterleave)plan->interleave, (CUtensorMapSwizzle)plan->swizzle,
                    (CUtensorMapL2promotion)plan->l2, (CUtensorMapFloatOOBfill)plan->fill));
    return CK_OK;
  }
  DRV(driver, cuTensorMapEncodeIm2colWide(
                  map->native, (CUtensorMapDataType)(plan->type - 1), plan->rank,
                  native_address(ck_view_native(view)), plan->extents, plan->strides, lower[0],
                  upper[0], own->channels, own->pixels, plan->element_strides,
                  (CUtensorMapInterleave)plan->interleave,
                  (CUtensorMapIm2ColWideMode)(own->mode - CK_IM2COL_WIDE),
                  (CUtensorMapSwizzle)plan->swizzle, (CUtensorMapL2promotion)plan->l2,
                  (CUtensorMapFloatOOBfill)plan->fill));
  return CK_OK;
}

/* The wide modes need sm_100 and one of the two largest swizzles. */
static ck_status_t check_wide(const ck_view_t *view, const Plan *plan)
{
  enum { FIRST_MAJOR = 10 };
  ck_device_t *device = view->buffer->device;
  int major, minor;
  DRV_NEED(device->driver, cuTensorMapEncodeIm2colWide);
  CK_TRY(ck_device_get_compute_capability(device, &major, &minor));
  if (major < FIRST_MAJOR)
    return error_unsupported("%s: '%s' (%s) has no wide im2col, sm_100 and newer have",
                             plan->function, device->name, device->target);
  if (plan->swizzle >= CK_SWIZZLE_64B) return CK_OK;
  return error_argument(
      "%s: wide im2col goes with CK_SWIZZLE_64B or CK_SWIZZLE_128B, the swizzle is %d",
      plan->function, (int)plan->swizzle);
}

ck_status_t ck_tensor_map_from_im2col(const ck_view_t *view, const ck_im2col_options_t *options,
                                      ck_tensor_map_t **out_map)
{
  CK_NEED_OUT(out_map, NULL, view, options);
  CK_READ_OPTIONS(ck_im2col_options_t, own, options);
  Plan plan = {.function = __func__,
               .interleave = own.interleave,
               .swizzle = own.swizzle,
               .l2 = own.l2,
               .fill = own.fill};
  int lower[3] = {0}, upper[3] = {0};
  if ((unsigned)own.mode > CK_IM2COL_WIDE_128)
    return error_argument("%s: the mode is %d", __func__, (int)own.mode);
  CK_TRY(read_view(view, own.type, own.element_strides, 3, &plan));
  CK_TRY(check_columns(view->buffer->device, &own, &plan));
  if (own.mode != CK_IM2COL_BOX) CK_TRY(check_wide(view, &plan));
  CK_TRY(read_corners(&own, &plan, own.mode == CK_IM2COL_BOX ? plan.rank - 2 : 1, lower, upper));
  ck_tensor_map_t *map = tensor_map_new(view, &plan);
  if (!map) return CK_OUT_OF_MEMORY;
  ck_status_t status = IN_DEVICE(map->device, encode_im2col(view, &own, &plan, lower, upper, map));
  return GIVE(status, map, out_map, tensor_map_destroy);
}

/* -------------------------------------------------------------------------------------------- */

ck_status_t ck_tensor_map_set_buffer(ck_tensor_map_t *map, ck_buffer_t *buffer, size_t offset)
{
  CK_NEED_ARGS(map, buffer);
  if (!device_same(map->device, buffer->device))
    return error_argument("%s: the buffer is of '%s', the map of '%s'", __func__,
                          buffer->device->name, map->device->name);
  CK_TRY(check_reached(buffer, __func__));
  CK_TRY(buffer_check_range(buffer, offset, map->reach, __func__));
  uint64_t address = buffer->address + offset;
  if (address % map->alignment)
    return error_argument("%s: the address 0x%" PRIx64 " is no multiple of %zu", __func__, address,
                          map->alignment);
  ck_status_t status =
      DEVICE_STATUS(map->device, cuTensorMapReplaceAddress(map->native, native_address(address)));
  if (status != CK_OK) return status;
  ck_buffer_retain(buffer);
  ck_buffer_release(map->buffer);
  map->buffer = buffer;
  return CK_OK;
}

GETTER(ck_device_t *, tensor_map, device);
GETTER(const void *, tensor_map, native);
GETTER(uint32_t, tensor_map, rank);
GETTER(ck_tensor_type_t, tensor_map, type);
GETTER(size_t, tensor_map, box_bytes);
