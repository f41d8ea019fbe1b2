/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kernel.c - kernels: by name from object code, parameters, attributes, occupancy. */
#include <string.h>

#include "runtime.h"

static void kernel_destroy(ck_kernel_t *kernel)
{
  ck_object_code_release(kernel->code);
  ck_memory_resource_release(kernel->scratch);
  ck_memory_resource_release(kernel->graph_scratch);
  ck_device_release(kernel->device);
  memory_free(kernel->own_name);
  object_free(kernel);
}

OBJECT(kernel, ck_kernel_t);

/* Says which kernels there are. */
static ck_status_t not_found(const Manifest *manifest, const char *name)
{
  Arena scratch = {0};
  Buf names = BUF(&scratch);
  for (uint32_t i = 0; i < manifest->kernel_count; ++i)
    buf_printf(&names, "%s'%s'", i ? ", " : "", manifest->kernels[i].name);
  error_set(CK_NOT_FOUND, "there is no kernel '%s' in '%s': it has %s", name, manifest->source,
            names.len ? buf_text(&names) : "none");
  arena_free(&scratch);
  return CK_NOT_FOUND;
}

/* What the driver knows of the parameters of code without a manifest. */
static void ask_params(ck_kernel_t *kernel)
{
  const Driver *driver = kernel->device->driver;
  kernel->driver_param_count = SIZE_MAX;
  if (!driver->cuKernelGetParamInfo) return;
  size_t count = 0, offset;
  while (count < MAX_PARAMS &&
         driver->cuKernelGetParamInfo(kernel->native, count, &offset,
                                      &kernel->driver_param_bytes[count]) == CUDA_SUCCESS)
    ++count;
  kernel->driver_param_count = count;
}

static ck_status_t open_kernel(ck_kernel_t *kernel, const char *symbol)
{
  const Driver *driver = kernel->device->driver;
  CUlibrary library;
  CK_TRY(object_code_load(kernel->code, kernel->device, &library));
  CK_TRY(device_enter(kernel->device));
  int shared = 0;
  ck_status_t status = DRV_STATUS(driver, cuLibraryGetKernel(&kernel->native, library, symbol));
  if (status == CK_OK)
    status = DRV_STATUS(driver, cuKernelGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
                                                     kernel->native, kernel->device->native));
  kernel->static_shared_bytes = (size_t)shared;
  if (status == CK_OK && !kernel->info) ask_params(kernel);
  device_leave(kernel->device);
  return status;
}

static ck_status_t open_scratch(ck_kernel_t *kernel)
{
  CK_TRY(ck_memory_resource_create_device(kernel->device, NULL, &kernel->scratch));
  if (!kernel->device->limits.has_pools) return CK_OK;
  return ck_memory_resource_create_graph(kernel->device, &kernel->graph_scratch);
}

ck_status_t ck_kernel_from_code(ck_object_code_t *code, ck_device_t *device, const char *name,
                                ck_kernel_t **out_kernel)
{
  CK_NEED_ARG(out_kernel);
  *out_kernel = NULL;
  CK_NEED_ARG(code);
  CK_NEED_ARG(device);
  CK_NEED_ARG(name);
  const ManifestKernel *info = code->manifest ? manifest_find(code->manifest, name) : NULL;
  if (code->manifest && !info) return not_found(code->manifest, name);
  ck_kernel_t *kernel = object_new(sizeof *kernel);
  if (!kernel) return CK_OUT_OF_MEMORY;
  kernel->code = ck_object_code_retain(code);
  kernel->device = ck_device_retain(device);
  kernel->info = info;
  ck_status_t status = CK_OK;
  if (!info) {
    kernel->own_name = memory_new(strlen(name) + 1);
    if (kernel->own_name) strcpy(kernel->own_name, name);
    else status = error_set(CK_OUT_OF_MEMORY, "host memory is out");
  }
  kernel->name = info ? info->name : kernel->own_name;
  if (status == CK_OK && info && info->scratch_bytes.text) status = open_scratch(kernel);
  if (status == CK_OK) status = open_kernel(kernel, info ? info->symbol : name);
  if (status != CK_OK) {
    kernel_destroy(kernel);
    return status;
  }
  /* More than this has to be asked for, in all: static and dynamic. */
  size_t plain = (size_t)device->limits.shared_bytes;
  atomic_init(&kernel->dynamic_limit,
              plain > kernel->static_shared_bytes ? plain - kernel->static_shared_bytes : 0);
  *out_kernel = kernel;
  return CK_OK;
}

const char *ck_kernel_name(const ck_kernel_t *kernel)
{
  return kernel->name;
}

ck_device_t *ck_kernel_device(const ck_kernel_t *kernel)
{
  return kernel->device;
}

void *ck_kernel_native(const ck_kernel_t *kernel)
{
  return kernel->native;
}

int ck_kernel_has_manifest(const ck_kernel_t *kernel)
{
  return kernel->info != NULL;
}

size_t ck_kernel_param_count(const ck_kernel_t *kernel)
{
  return kernel->info ? kernel->info->param_count : 0;
}

ck_status_t ck_kernel_get_param(const ck_kernel_t *kernel, size_t index, ck_param_t *out_param)
{
  CK_NEED_ARG(out_param);
  *out_param = (ck_param_t){0};
  CK_NEED_ARG(kernel);
  if (index >= ck_kernel_param_count(kernel))
    return error_set(CK_INVALID_ARGUMENT, "kernel '%s' has %zu parameters, there is no number %zu",
                     kernel->name, ck_kernel_param_count(kernel), index);
  const ManifestParam *param = &kernel->info->params[index];
  *out_param = (ck_param_t){.name = param->name,
                            .kind = param->kind,
                            .dtype = param->dtype,
                            .access = param->access,
                            .extent_count = param->extent_count,
                            .components = param->components,
                            .rank = param->rank,
                            .is_layered = param->is_layered,
                            .layout = param->layout,
                            .bytes = param->element_bytes};
  for (uint32_t i = 0; i < param->extent_count; ++i) out_param->extents[i] = param->extents[i].text;
  return CK_OK;
}

size_t ck_kernel_result_part_count(const ck_kernel_t *kernel)
{
  return kernel->info ? kernel->info->result_count : 0;
}

ck_status_t ck_kernel_get_result_part(const ck_kernel_t *kernel, size_t index,
                                      ck_result_part_t *out_part)
{
  CK_NEED_ARG(out_part);
  *out_part = (ck_result_part_t){0};
  CK_NEED_ARG(kernel);
  if (index >= ck_kernel_result_part_count(kernel))
    return error_set(CK_INVALID_ARGUMENT,
                     "the result of '%s' has %zu parts, there is no number %zu", kernel->name,
                     ck_kernel_result_part_count(kernel), index);
  const ManifestPart *part = &kernel->info->result[index];
  *out_part = (ck_result_part_t){part->name, part->dtype, part->offset};
  return CK_OK;
}

ck_status_t ck_kernel_get_attribute(ck_kernel_t *kernel, ck_kernel_attribute_t attribute,
                                    int *out_value)
{
  CK_NEED_ARG(kernel);
  CK_NEED_ARG(out_value);
  *out_value = 0;
  CK_TRY(device_enter(kernel->device));
  ck_status_t status = DRV_STATUS(kernel->device->driver,
                                  cuKernelGetAttribute(out_value, (CUfunction_attribute)attribute,
                                                       kernel->native, kernel->device->native));
  device_leave(kernel->device);
  return status;
}

ck_status_t ck_kernel_set_attribute(ck_kernel_t *kernel, ck_kernel_attribute_t attribute, int value)
{
  CK_NEED_ARG(kernel);
  CK_TRY(device_enter(kernel->device));
  ck_status_t status = DRV_STATUS(kernel->device->driver,
                                  cuKernelSetAttribute((CUfunction_attribute)attribute, value,
                                                       kernel->native, kernel->device->native));
  device_leave(kernel->device);
  if (status == CK_OK && attribute == CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES)
    atomic_store(&kernel->dynamic_limit, (size_t)value);
  return status;
}

ck_status_t kernel_allow_dynamic(ck_kernel_t *kernel, size_t bytes)
{
  size_t most = (size_t)kernel->device->limits.shared_bytes_optin;
  if (kernel->static_shared_bytes + bytes > most)
    return error_set(CK_INVALID_ARGUMENT,
                     "kernel '%s': %zu bytes of dynamic and %zu of static shared memory per block, "
                     "'%s' has %zu",
                     kernel->name, bytes, kernel->static_shared_bytes, kernel->device->name, most);
  /* All that there is, so that this happens once however the sizes of launches grow. */
  return ck_kernel_set_attribute(kernel, CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES,
                                 (int)(most - kernel->static_shared_bytes));
}

ck_status_t ck_kernel_get_occupancy(ck_kernel_t *kernel, uint32_t block_size,
                                    size_t dynamic_shared_bytes, int *out_blocks)
{
  CK_NEED_ARG(out_blocks);
  *out_blocks = 0;
  CK_NEED_ARG(kernel);
  CK_TRY(device_enter(kernel->device));
  ck_status_t status = DRV_STATUS(
      kernel->device->driver,
      cuOccupancyMaxActiveBlocksPerMultiprocessor(out_blocks, (CUfunction)kernel->native,
                                                  (int)block_size, dynamic_shared_bytes));
  device_leave(kernel->device);
  return status;
}
