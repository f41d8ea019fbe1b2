/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* dlpack.c - exports views as DLPack tensors, and imports DLPack tensors as buffers with views.
 *
 * No data is copied; the tensor and the buffer keep each other's memory alive:
 *
 *   export: tensor -> Export -> buffer; the tensor's deleter releases the buffer
 *   import: buffer -> tensor; the buffer's release function calls the tensor's deleter
 *
 * Strides may be negative, so an imported buffer covers the bytes from the lowest to the highest
 * element, and the view's offset is where the first element is in it. If an import fails, the
 * caller still owns the tensor.
 */
#include "memory/memory.h"
#include "memory/view.h"

static const struct {
  ck_dtype_t dtype;
  DlCode code;
} types[] = {
    {CK_BOOL, DL_BOOL},   {CK_I8, DL_INT},    {CK_I16, DL_INT},   {CK_I32, DL_INT},
    {CK_I64, DL_INT},     {CK_U8, DL_UINT},   {CK_U16, DL_UINT},  {CK_U32, DL_UINT},
    {CK_U64, DL_UINT},    {CK_F16, DL_FLOAT}, {CK_F32, DL_FLOAT}, {CK_F64, DL_FLOAT},
    {CK_BF16, DL_BFLOAT},
};

/* ---- out ---- */

/* An exported tensor with what it refers to. */
typedef struct Export {
  union {
    struct DLManagedTensor plain;
    struct DLManagedTensorVersioned versioned;
  } managed;           /* first member: the tensor has the address of this struct */
  ck_buffer_t *buffer; /* retained */
  int64_t extents[CK_MAX_RANK], strides[CK_MAX_RANK];
} Export;

static void drop(Export *made)
{
  ck_buffer_release(made->buffer);
  memory_free(made);
}

static void delete_plain(struct DLManagedTensor *self)
{
  if (self) drop(self->context);
}

static void delete_versioned(struct DLManagedTensorVersioned *self)
{
  if (self) drop(self->context);
}

static DlDevice device_type(const ck_buffer_t *buffer)
{
  uint32_t flags = ck_buffer_flags(buffer);
  bool is_cpu = !(flags & CK_MEMORY_DEVICE); /* from a resource of the caller's functions */
  if (buffer->device->driver->traits->has_cpu_memory || is_cpu) return DL_CPU;
  if (flags & CK_MEMORY_MANAGED) return DL_CUDA_MANAGED;
  return flags & CK_MEMORY_HOST ? DL_CUDA_HOST : DL_CUDA;
}

static ck_status_t check_export(const ck_view_t *view, const char *function)
{
  CK_TRY(view_check(view, function));
  if (!(ck_buffer_flags(view->buffer) & (CK_MEMORY_DEVICE | CK_MEMORY_HOST)))
    return error_argument("%s: neither a device nor the CPU reaches the buffer", function);
  if (view->dtype != CK_NONE) return CK_OK;
  return error_unsupported(
      "%s: DLPack has no type for structures of %u bytes: ck_view_cast makes them "
      "elements of CK_U8",
      function, view->components);
}

/* Makes the tensor of a checked view, with these arrays. */
static DlTensor tensor_of(const ck_view_t *view, int64_t *extents, int64_t *strides)
{
  DlDevice type = device_type(view->buffer);
  void *data = type == DL_CPU ? ck_buffer_host(view->buffer)
                              : (void *)(uintptr_t)ck_buffer_native(view->buffer);
  DlTensor tensor = {
      .data = data ? (char *)data + view->offset : NULL,
      .device_type = type,
      .device_id =
          type == DL_CPU || type == DL_CUDA_HOST ? 0 : ck_device_ordinal(view->buffer->device),
      .rank = (int32_t)view->rank,
      .bits = (uint8_t)(8 * ck_dtype_bytes(view->dtype)),
      .lanes = (uint16_t)view->components,
      .extents = extents,
      .strides = strides,
  };
  for (size_t i = 0; i < COUNT_OF(types); ++i)
    if (types[i].dtype == view->dtype) tensor.code = (uint8_t)types[i].code;
  return tensor;
}

static ck_status_t export_view(const ck_view_t *view, Export **out_made, DlTensor *out_tensor,
                               const char *function)
{
  CK_TRY(check_export(view, function));
  Export *made = memory_new(sizeof *made);
  if (!made) return error_set(CK_OUT_OF_MEMORY, "%s: out of memory", function);
  made->buffer = ck_buffer_retain(view->buffer);
  for (uint32_t i = 0; i < view->rank; ++i) {
    made->extents[i] = view->extents[i];
    made->strides[i] = view->strides[i];
  }
  *out_tensor = tensor_of(view, made->extents, made->strides);
  *out_made = made;
  return CK_OK;
}

ck_status_t ck_view_get_dltensor(ck_view_t *view, void *out_tensor)
{
  CK_NEED_ARG(out_tensor);
  DlTensor *tensor = out_tensor;
  *tensor = (DlTensor){0};
  CK_TRY(check_export(view, __func__));
  *tensor = tensor_of(view, view->extents, view->strides);
  return CK_OK;
}

ck_status_t ck_view_to_dlpack(const ck_view_t *view, struct DLManagedTensorVersioned **out_tensor)
{
  CK_NEED_OUT(out_tensor, NULL);
  Export *made;
  DlTensor tensor;
  CK_TRY(export_view(view, &made, &tensor, __func__));
  made->managed.versioned = (struct DLManagedTensorVersioned){
      .major = DL_VERSION,
      .context = made,
      .deleter = delete_versioned,
      .flags = view->flags & CK_VIEW_READ_ONLY ? DL_READ_ONLY : 0,
      .tensor = tensor,
  };
  *out_tensor = &made->managed.versioned;
  return CK_OK;
}

ck_status_t ck_view_to_dlpack_unversioned(const ck_view_t *view,
                                          struct DLManagedTensor **out_tensor)
{
  CK_NEED_OUT(out_tensor, NULL);
  Export *made;
  DlTensor tensor;
  if (view && view->flags & CK_VIEW_READ_ONLY)
    return error_unsupported("%s: a tensor without a version can't be read-only", __func__);
  CK_TRY(export_view(view, &made, &tensor, __func__));
  made->managed.plain = (struct DLManagedTensor){tensor, made, delete_plain};
  *out_tensor = &made->managed.plain;
  return CK_OK;
}

/* ---- in ---- */

static void release_plain(void *data)
{
  struct DLManagedTensor *tensor = data;
  if (tensor->deleter) tensor->deleter(tensor);
}

static void release_versioned(void *data)
{
  struct DLManagedTensorVersioned *tensor = data;
  if (tensor->deleter) tensor->deleter(tensor);
}

static ck_status_t check_place(const ck_device_t *device, const DlTensor *tensor)
{
  int32_t type = tensor->device_type;
  bool is_here = device->driver->traits->has_cpu_memory
                     ? type == DL_CPU
                     : type == DL_CUDA && tensor->device_id == device->ordinal;
  bool is_ours = type == DL_CUDA_HOST || type == DL_CUDA_MANAGED || is_here;
  if (is_ours) return CK_OK;
  return error_argument("DLPack's device (%d, %d) is not %s", type, tensor->device_id,
                        device->name);
}

static ck_status_t read_type(const DlTensor *tensor, ck_view_t *view)
{
  for (size_t i = 0; i < COUNT_OF(types) && view_takes_components(tensor->lanes); ++i) {
    if (types[i].code != tensor->code || 8 * ck_dtype_bytes(types[i].dtype) != tensor->bits)
      continue;
    view->dtype = types[i].dtype;
    view->components = tensor->lanes;
    return CK_OK;
  }
  return error_unsupported("DLPack's type (code %u, %u bits, %u lanes) is none of CK's",
                           tensor->code, tensor->bits, tensor->lanes);
}

/* Converts type, extents and strides of a tensor; without strides it is dense in row-major order.
 */
static ck_status_t read_tensor(const DlTensor *tensor, ck_view_t *view)
{
  *view = (ck_view_t){.rank = (uint32_t)tensor->rank};
  CK_TRY(read_type(tensor, view));
  if (tensor->rank < 0 || tensor->rank > CK_MAX_RANK)
    return error_unsupported("DLPack's tensor has %d axes, at most %d", tensor->rank, CK_MAX_RANK);
  if (tensor->rank && !tensor->extents)
    return error_argument("DLPack's tensor of %d axes has no extents", tensor->rank);
  for (uint32_t i = 0; i < view->rank; ++i) {
    view->extents[i] = tensor->extents[i];
    if (tensor->strides) view->strides[i] = tensor->strides[i];
    if (view->extents[i] < 0)
      return error_argument("DLPack's tensor has the extent %lld", (long long)view->extents[i]);
  }
  if (!tensor->strides) view_set_dense(view);
  return CK_OK;
}

/* Takes the kind of memory from the tensor: the driver does not report managed memory of pools as
 * managed. */
static void read_device(ck_buffer_t *buffer, const DlTensor *tensor)
{
  if (tensor->device_type == DL_CPU) return;
  buffer->flags |= CK_MEMORY_DEVICE;
  if (tensor->device_type == DL_CUDA) return;
  buffer->flags |=
      CK_MEMORY_HOST | (tensor->device_type == DL_CUDA_MANAGED ? CK_MEMORY_MANAGED : 0);
  if (!buffer->host) buffer->host = (void *)(uintptr_t)buffer->address;
}

/* Makes a buffer of exactly the bytes that the tensor's elements span. */
static ck_status_t adopt(ck_device_t *device, const DlTensor *tensor, void (*release)(void *data),
                         void *managed, ck_buffer_t **out_buffer, ck_view_t *out_view)
{
  ck_view_t view;
  int64_t lowest, highest, bytes;
  CK_TRY(check_place(device, tensor));
  CK_TRY(read_tensor(tensor, &view));
  if (!view_reach(&view, &lowest, &highest) || __builtin_sub_overflow(highest, lowest, &bytes))
    return error_argument("DLPack's tensor is larger than any memory");
  uint64_t first = (uint64_t)(uintptr_t)tensor->data + tensor->byte_offset + (uint64_t)lowest;
  if (!tensor->data) first = 0; /* only an empty tensor may have no data */
  CK_TRY(ck_buffer_from_native(device, first, (size_t)bytes, NULL, NULL, out_buffer));
  view.buffer = *out_buffer;
  view.offset = 0 - (size_t)lowest;
  ck_status_t status = view_check(&view, "DLPack's tensor");
  if (status != CK_OK) {
    ck_buffer_release(*out_buffer);
    *out_buffer = NULL;
    return status;
  }
  read_device(*out_buffer, tensor);
  (*out_buffer)->release = release; /* set last: after a failure the caller keeps the tensor */
  (*out_buffer)->data = managed;
  *out_view = view;
  return CK_OK;
}

#define NEED_OUT(device_, tensor_, buffer_, view_)                                                 \
  do {                                                                                             \
    CK_NEED_ARG(buffer_);                                                                          \
    *(buffer_) = NULL;                                                                             \
    CK_NEED_ARG(view_);                                                                            \
    *(view_) = (ck_view_t){0};                                                                     \
    CK_NEED_ARG(device_);                                                                          \
    CK_NEED_ARG(tensor_);                                                                          \
  } while (0)

ck_status_t ck_view_from_dlpack(ck_device_t *device, struct DLManagedTensorVersioned *tensor,
                                ck_buffer_t **out_buffer, ck_view_t *out_view)
{
  NEED_OUT(device, tensor, out_buffer, out_view);
  if (tensor->major != DL_VERSION)
    return error_unsupported("DLPack's version is %u.%u, not 1", tensor->major, tensor->minor);
  CK_TRY(adopt(device, &tensor->tensor, release_versioned, tensor, out_buffer, out_view));
  if (tensor->flags & DL_READ_ONLY) out_view->flags |= CK_VIEW_READ_ONLY;
  if (tensor->flags & DL_COPIED) out_view->flags |= CK_VIEW_COPIED;
  return CK_OK;
}

ck_status_t ck_view_from_dlpack_unversioned(ck_device_t *device, struct DLManagedTensor *tensor,
                                            ck_buffer_t **out_buffer, ck_view_t *out_view)
{
  NEED_OUT(device, tensor, out_buffer, out_view);
  return adopt(device, &tensor->tensor, release_plain, tensor, out_buffer, out_view);
}
