/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tensor.c - arrays of other libraries, DLTensors, as arguments of a launch, and scalars that their
 * shapes determine.
 *
 * A DLTensor says more than a buffer does: its type, axes, strides and device. All of it is
 * compared with the parameter, so that a binding of another language passes what it is given and
 * has no checks of its own.
 *
 * A scalar that is left out is computed from an extent that has no other unknown. The extent `count
 * 16 *` of an array of 80 elements is evaluated for count = 1 and count = 2; both values are on a
 * line, and the point of the line at 80 is count = 5. Evaluating there confirms it: an extent that
 * is no linear function of the scalar does not determine it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch_private.h"
#include "memory/view.h"

/* "float32x4", "opaque type" */
COLD static const char *describe_type(const DlTensor *tensor, char *text, size_t room)
{
  static const char names[][8] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  if (tensor->code >= COUNT_OF(names)) snprintf(text, room, "code %u", tensor->code);
  else if (tensor->code == DL_BOOL) snprintf(text, room, "bool");
  else if (tensor->code == DL_OPAQUE) snprintf(text, room, "structs of %u bytes", tensor->lanes);
  else snprintf(text, room, "%s%u", names[tensor->code], tensor->bits);
  size_t len = strlen(text);
  if (tensor->lanes != 1 && tensor->code != DL_OPAQUE)
    snprintf(text + len, room - len, " of %u lanes", tensor->lanes);
  return text;
}

COLD static ck_status_t type_fault(const Launch *launch, uint32_t index, const DlTensor *tensor)
{
  char given[64];
  return launch_argument_fault(
      launch, index, "expected elements of %s, got an array of %s: convert it",
      launch->info->params[index].type, describe_type(tensor, given, sizeof given));
}

/* "(2, 3)" and, for one axis, "(2,)" */
COLD static const char *describe_shape(const DlTensor *tensor, char *text, size_t room)
{
  size_t len = (size_t)snprintf(text, room, "(");
  for (int32_t i = 0; i < tensor->rank && len < room; ++i)
    len +=
        (size_t)snprintf(text + len, room - len, "%s%" PRId64, i ? ", " : "", tensor->extents[i]);
  if (len < room) snprintf(text + len, room - len, tensor->rank == 1 ? ",)" : ")");
  return text;
}

/* "rows, n" */
COLD static const char *describe_extents(const ManifestParam *param, char *text, size_t room)
{
  size_t len = 0;
  text[0] = 0;
  for (uint32_t i = 0; i < param->extent_count && len < room; ++i)
    len += (size_t)snprintf(text + len, room - len, "%s%s", i ? ", " : "", param->extents[i].text);
  return text;
}

static ck_status_t check_device(const Launch *launch, uint32_t index, const DlTensor *tensor)
{
  const ck_device_t *device = launch->kernel->device;
  int32_t type = tensor->device_type;
  if (type == DL_CUDA_HOST || type == DL_CUDA_MANAGED) return CK_OK;
  bool is_host = device->driver->traits->has_cpu_memory;
  if (is_host ? type == DL_CPU : type == DL_CUDA && tensor->device_id == device->ordinal)
    return CK_OK;
  char place[32] = "the CPU's memory";
  if (type == DL_CUDA) snprintf(place, sizeof place, "GPU %d", tensor->device_id);
  else if (type != DL_CPU) snprintf(place, sizeof place, "DLPack's device type %d", type);
  return launch_argument_fault(launch, index,
                               "the array is in %s, the kernel runs on '%s': copy it there", place,
                               device->name);
}

/* Whether one scalar of the tensor is one of the element type, and how many such scalars it has. */
static bool type_matches(const ManifestParam *param, const DlTensor *tensor, uint32_t *out_scalars)
{
  uint32_t bits = tensor->bits, code = tensor->code;
  *out_scalars = tensor->lanes;
  if (param->dtype == CK_NONE) {
    *out_scalars = 1;
    return code == DL_OPAQUE && bits * tensor->lanes == 8 * param->element_bytes;
  }
  if (code == DL_COMPLEX) {
    *out_scalars *= 2;
    bits /= 2;
    code = DL_FLOAT;
  }
  if (bits != 8 * ck_dtype_bytes(param->dtype)) return false;
  switch (param->dtype) {
  case CK_BOOL: return code == DL_BOOL;
  case CK_I8:
  case CK_I16:
  case CK_I32:
  case CK_I64: return code == DL_INT;
  case CK_BF16: return code == DL_BFLOAT || (code == DL_UINT && tensor->lanes == 1);
  case CK_F16:
  case CK_F32:
  case CK_F64: return code == DL_FLOAT;
  default: return code == DL_UINT;
  }
}

COLD static ck_status_t rank_fault(const Launch *launch, uint32_t index, const DlTensor *tensor,
                                   uint32_t rank)
{
  const ManifestParam *param = &launch->info->params[index];
  char shape[128], extents[128];
  describe_shape(tensor, shape, sizeof shape);
  if (!param->extent_count)
    return launch_argument_fault(
        launch, index, "expected an array of one axis, got one of shape %s: flatten it", shape);
  return launch_argument_fault(
      launch, index, "expected %u ax%s%s [%s], got an array of shape %s: reshape it", rank,
      rank == 1 ? "is" : "es", rank > param->extent_count ? " with the elements' components" : "",
      describe_extents(param, extents, sizeof extents), shape);
}

COLD static ck_status_t stride_fault(const Launch *launch, uint32_t index, const DlTensor *tensor,
                                     int32_t axis, int64_t dense)
{
  char shape[128];
  return launch_argument_fault(
      launch, index,
      "the array of shape %s is not dense in row-major order: axis %d has a stride of %" PRId64
      " elements, not %" PRId64 ": pass a contiguous copy",
      describe_shape(tensor, shape, sizeof shape), axis, tensor->strides[axis], dense);
}

ck_status_t launch_read_tensor(Launch *launch, uint32_t index, const ManifestParam *param)
{
  const ck_arg_t *arg = &launch->args[index];
  const DlTensor *tensor = arg->value.dltensor;
  if (!tensor) return launch_argument_fault(launch, index, "the array is NULL");
  CK_TRY(check_device(launch, index, tensor));
  uint32_t scalars;
  if (!type_matches(param, tensor, &scalars)) return type_fault(launch, index, tensor);
  /* A vector of 3 is stored as 4. The components are lanes, or one more axis. */
  uint32_t components = param->dtype == CK_NONE  ? 1
                        : param->components == 3 ? 4
                                                 : param->components;
  bool has_axis = scalars == 1 && components > 1;
  if (!has_axis && scalars != components) return type_fault(launch, index, tensor);
  if (tensor->rank < 0 || tensor->rank > CK_MAX_RANK || (tensor->rank && !tensor->extents))
    return launch_argument_fault(launch, index, "the array has %d axes, at most %d can be passed",
                                 tensor->rank, CK_MAX_RANK);
  uint32_t rank = (param->extent_count ? param->extent_count : 1) + has_axis;
  bool is_single = !tensor->rank && rank == 1 && param->extent_count; /* one element, no axis */
  if ((uint32_t)tensor->rank != rank && !is_single) return rank_fault(launch, index, tensor, rank);
  if (has_axis && tensor->extents[rank - 1] != components)
    return rank_fault(launch, index, tensor, rank);
  int64_t dense = 1;
  int32_t uneven = -1;
  int64_t uneven_dense = 0;
  for (int32_t i = tensor->rank - 1; i >= 0; --i) {
    int64_t extent = tensor->extents[i];
    if (tensor->strides && extent != 1 && tensor->strides[i] != dense && uneven < 0) {
      uneven = i;
      uneven_dense = dense;
    }
    if (extent < 0 || __builtin_mul_overflow(dense, extent, &dense))
      return launch_argument_fault(launch, index, "the array has an extent of %" PRId64, extent);
  }
  if (uneven >= 0 && dense) return stride_fault(launch, index, tensor, uneven, uneven_dense);
  if (arg->offset & CK_VIEW_READ_ONLY && param->access & CK_ACCESS_OUT)
    return launch_argument_fault(launch, index,
                                 "the kernel writes it, and the array is read-only: pass a "
                                 "writable one");
  Range *range = &launch->ranges[index];
  range->start = (uint64_t)(uintptr_t)tensor->data + (tensor->data ? tensor->byte_offset : 0);
  if (__builtin_mul_overflow((uint64_t)dense * scalars / components, param->element_bytes,
                             &range->bytes))
    return launch_argument_fault(launch, index, "%" PRId64 " elements overflow 64 bits", dense);
  return CK_OK;
}

ck_status_t launch_check_axis(const Launch *launch, uint32_t index, uint32_t axis, int64_t extent)
{
  const DlTensor *tensor = launch->args[index].value.dltensor;
  const ManifestParam *param = &launch->info->params[index];
  int64_t given = tensor->rank ? tensor->extents[axis] : 1;
  if (given == extent || (axis == 0 && given > extent && !launch->inferred_count)) return CK_OK;
  char shape[128], extents[128];
  const char *text = param->extents[axis].text;
  bool is_number = *text >= '0' && *text <= '9' && strtoll(text, NULL, 10) == extent;
  return launch_argument_fault(
      launch, index, "expected extent %s%s%" PRId64 " on axis %u of [%s], got an array of shape %s",
      is_number ? "" : text, is_number ? "" : " = ", extent, axis,
      describe_extents(param, extents, sizeof extents),
      describe_shape(tensor, shape, sizeof shape));
}

/* Finds the only unknown that the expression reads; false if it reads none, or several. */
static bool find_unknown(const Launch *launch, const Expr *expr, const bool *is_known,
                         uint32_t *out_param)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < launch->info->param_count && count < 2; ++i)
    if (!is_known[i] && expr_reads(expr, i)) {
      *out_param = i;
      ++count;
    }
  return count == 1;
}

/* Solves expr = value for the parameter, whose number is set; false: it has no solution. */
static bool solve(Launch *launch, const Expr *expr, int64_t value, uint32_t param)
{
  int64_t *number = &launch->numbers[param], at[2], check, difference, slope;
  for (int i = 0; i < 2; ++i) {
    *number = i + 1;
    if (expr_eval(expr, launch->numbers, &at[i]) != EXPR_fine) return false;
  }
  if (__builtin_sub_overflow(at[1], at[0], &slope) || !slope ||
      __builtin_sub_overflow(value, at[0], &difference) || difference % slope)
    return false;
  *number = 1 + difference / slope;
  return expr_eval(expr, launch->numbers, &check) == EXPR_fine && check == value;
}

COLD static ck_status_t unknown_fault(const Launch *launch, uint32_t index)
{
  return launch_argument_fault(
      launch, index, "it is missing, and no shape of an array determines it: give its value");
}

ck_status_t launch_infer(Launch *launch)
{
  const ManifestKernel *info = launch->info;
  bool is_known[MAX_PARAMS], has_found = true;
  for (uint32_t i = 0; i < info->param_count; ++i)
    is_known[i] = launch->args[i].kind != CK_ARG_INFERRED;
  for (uint32_t s = 0; s < info->span_count; ++s) { /* lengths, in case an extent reads them */
    uint32_t span = info->spans[s];
    launch->numbers[span] =
        (int64_t)(launch->ranges[span].bytes / info->params[span].element_bytes);
  }
  for (uint32_t left = launch->inferred_count; left && has_found;) {
    has_found = false;
    for (uint32_t s = 0; s < info->span_count; ++s) {
      uint32_t span = info->spans[s], param = 0;
      const DlTensor *tensor = launch->args[span].value.dltensor;
      if (launch->args[span].kind != CK_ARG_DLTENSOR) continue;
      for (uint32_t e = 0; e < info->params[span].extent_count; ++e) {
        const Expr *expr = &info->params[span].extents[e];
        int64_t extent = tensor->rank ? tensor->extents[e] : 1;
        if (!find_unknown(launch, expr, is_known, &param) || !solve(launch, expr, extent, param))
          continue;
        is_known[param] = has_found = true;
        --left;
      }
    }
  }
  for (uint32_t i = 0; i < info->param_count; ++i) {
    const ManifestParam *param = &info->params[i];
    if (launch->args[i].kind != CK_ARG_INFERRED) continue;
    if (!is_known[i]) return unknown_fault(launch, i);
    ck_arg_t value = ck_arg_signed(launch->numbers[i], CK_I64);
    if (!launch_integer_fits(&value, param->dtype))
      return launch_argument_fault(launch, i,
                                   "the shapes of the arrays make it %" PRId64 ", which is no %s",
                                   launch->numbers[i], param->type);
    launch->values[param->slot] = (uint64_t)launch->numbers[i];
  }
  return CK_OK;
}
