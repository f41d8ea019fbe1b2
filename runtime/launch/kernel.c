/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kernel.c - kernels: lookup by name in object code, parameters, attributes, occupancy.
 *
 * Several ck_kernel_t may refer to one CUkernel. State of the CUkernel, such as the dynamic shared
 * memory that it is allowed, is shared by them (NativeKernel, a hash table by handle).
 */
#include <pthread.h>
#include <string.h>

#include "ck/graph.h"
#include "launch.h"

enum { NATIVE_BUCKETS = 64 };
static NativeKernel *natives[NATIVE_BUCKETS];
/* Guards the table, and changes of attributes. */
static pthread_mutex_t natives_mutex = PTHREAD_MUTEX_INITIALIZER;

static NativeKernel **bucket_of(CUkernel kernel)
{
  return &natives[((uintptr_t)kernel >> 6) % NATIVE_BUCKETS];
}

static bool is_of(const NativeKernel *common, const ck_kernel_t *kernel)
{
  return common->kernel == kernel->native && common->driver == kernel->device->driver &&
         common->device == kernel->device->native;
}

/* Finds the shared state of the native kernel, or makes it. */
static ck_status_t share_native(ck_kernel_t *kernel, size_t dynamic_limit)
{
  NativeKernel **bucket = bucket_of(kernel->native);
  pthread_mutex_lock(&natives_mutex);
  NativeKernel *common = *bucket;
  while (common && !is_of(common, kernel)) common = common->next;
  if (!common && (common = memory_take(sizeof *common))) {
    common->next = *bucket;
    common->driver = kernel->device->driver;
    common->device = kernel->device->native;
    common->kernel = kernel->native;
    atomic_init(&common->dynamic_limit, dynamic_limit);
    *bucket = common;
  }
  if (common) ++common->references;
  pthread_mutex_unlock(&natives_mutex);
  kernel->common = common;
  return common ? CK_OK : CK_OUT_OF_MEMORY;
}

static void release_native(NativeKernel *common)
{
  if (!common) return;
  pthread_mutex_lock(&natives_mutex);
  bool is_last = --common->references == 0;
  NativeKernel **link = bucket_of(common->kernel);
  while (is_last && *link != common) link = &(*link)->next;
  if (is_last) *link = common->next;
  pthread_mutex_unlock(&natives_mutex);
  if (is_last) memory_free(common);
}

static void kernel_destroy(ck_kernel_t *kernel)
{
  for (uint32_t i = 0; kernel->steps && i < kernel->info->step_count; ++i)
    ck_kernel_release(kernel->steps[i]);
  if (kernel->info && kernel->info->step_count) kept_forget(kernel);
  memory_free(kernel->steps);
  for (ck_kernel_t *old = atomic_load(&kernel->replaced), *next; old; old = next) {
    next = old->next_replaced;
    ck_kernel_release(old);
  }
  plan_schedule_release(kernel->schedule);
  release_native(kernel->common);
  ck_object_code_release(kernel->code);
  ck_memory_resource_release(kernel->scratch);
  ck_memory_resource_release(kernel->graph_scratch);
  ck_device_release(kernel->device);
  memory_free(kernel->own_name);
  object_free(kernel);
}

OBJECT(kernel, ck_kernel_t);

/* The driver reads a kernel back as a CUkernel, or as its CUfunction in the context. */
static bool has_native(const void *object, const void *native)
{
  const ck_kernel_t *kernel = object;
  CUfunction function = NULL;
  if (kernel->native == native) return true;
  return kernel->device->driver->cuKernelGetFunction(&function, kernel->native) == CUDA_SUCCESS &&
         function == native;
}

REF_KIND(kernel, has_native);

/* Reports that a name is unknown, with the names that exist. */
static ck_status_t not_found(const Manifest *manifest, const char *name)
{
  Arena scratch = {0};
  Buf names = BUF(&scratch);
  for (uint32_t i = 0; i < manifest->kernel_count; ++i)
    buf_printf(&names, "%s'%s'", i ? ", " : "", manifest->kernels[i].name);
  for (uint32_t i = 0; i < manifest->symbol_count; ++i)
    buf_printf(&names, "%s'%s'", names.len ? ", " : "", manifest->symbols[i].name);
  error_set(CK_NOT_FOUND, "there is no kernel '%s' in '%s': it has %s", name, manifest->source,
            names.len ? buf_text(&names) : "none");
  arena_free(&scratch);
  return CK_NOT_FOUND;
}

/* Reads the parameters from the driver. One that doesn't say their number answers with an error
 * after the last one, which compute-sanitizer reports. */
static void ask_params(ck_kernel_t *kernel)
{
  const Driver *driver = kernel->device->driver;
  if (!driver->cuKernelGetParamInfo) return;
  size_t count = 0, most = SIZE_MAX, offset, bytes;
  CUresult result = CUDA_SUCCESS;
  if (driver->cuKernelGetParamCount) result = driver->cuKernelGetParamCount(kernel->native, &most);
  for (; !result && count < most; count += !result) {
    result = driver->cuKernelGetParamInfo(kernel->native, count, &offset, &bytes);
    if (!result && count < MAX_PARAMS) kernel->driver_param_bytes[count] = bytes;
  }
  bool is_end = most == SIZE_MAX ? result == CUDA_ERROR_INVALID_VALUE : !result;
  if (is_end) kernel->driver_param_count = count;
}

/* Checks the manifest against the driver. A launch passes as many arguments as the manifest has
 * parameters, but the driver reads as many as the code has. */
static ck_status_t compare_params(const ck_kernel_t *kernel)
{
  const ManifestKernel *info = kernel->info;
  size_t count = kernel->driver_param_count;
  if (!info || count == SIZE_MAX) return CK_OK;
  if (count != info->slot_count)
    return error_argument("kernel '%s': the code has %zu parameters, its manifest says %u",
                          kernel->name, count, info->slot_count);
  for (uint32_t i = 0; i < info->slot_count && i < MAX_PARAMS; ++i)
    if (manifest_slot_bytes(info, i) != kernel->driver_param_bytes[i])
      return error_argument(
          "kernel '%s': parameter %u of the code has %zu bytes, its manifest says %u", kernel->name,
          i + 1, kernel->driver_param_bytes[i], manifest_slot_bytes(info, i));
  return CK_OK;
}

/* Reads what launches need to know about the kernel. */
static ck_status_t ask_driver(ck_kernel_t *kernel)
{
  int shared = 0, dynamic = 0;
  const Driver *driver = kernel->device->driver;
  CK_TRY(device_enter(kernel->device));
  ck_status_t status =
      DRV_STATUS(driver, cuKernelGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
                                              kernel->native, kernel->device->native));
  if (status == CK_OK)
    status = DRV_STATUS(
        driver, cuKernelGetAttribute(&dynamic, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                     kernel->native, kernel->device->native));
  kernel->driver_param_count = SIZE_MAX;
  if (status == CK_OK && (!kernel->info || driver->traits->takes_ptx)) ask_params(kernel);
  device_leave(kernel->device);
  CK_TRY(status);
  CK_TRY(compare_params(kernel));
  kernel->static_shared_bytes = (size_t)shared;
  /* The dynamic shared memory that needs no opt-in: 48 KB less the static shared memory, or less if
   * an attribute of the kernel reduced it. */
  size_t plain = (size_t)kernel->device->limits.shared_bytes;
  plain = plain > kernel->static_shared_bytes ? plain - kernel->static_shared_bytes : 0;
  bool is_less = driver->traits->takes_ptx && dynamic >= 0 && (size_t)dynamic < plain;
  return share_native(kernel, is_less ? (size_t)dynamic : plain);
}

static ck_status_t open_kernel(ck_kernel_t *kernel, const char *symbol)
{
  CUlibrary library;
  CK_TRY(object_code_load(kernel->code, kernel->device, &library));
  ck_status_t status =
      DEVICE_STATUS(kernel->device, cuLibraryGetKernel(&kernel->native, library, symbol));
  if (status == CK_NOT_FOUND) error_within(status, "there is no kernel '%s'", kernel->name);
  return status == CK_OK ? ask_driver(kernel) : status;
}

static ck_status_t open_scratch(ck_kernel_t *kernel)
{
  CK_TRY(ck_memory_resource_create_device(kernel->device, NULL, &kernel->scratch));
  if (!kernel->device->limits.has_pools) return CK_OK;
  return ck_memory_resource_create_graph(kernel->device, &kernel->graph_scratch);
}

ck_status_t kernel_need_one(const ck_kernel_t *kernel, const char *what)
{
  if (!kernel->steps) return CK_OK;
  return error_unsupported("'%s' is an algorithm of %u kernels, which have no common %s",
                           kernel->name, kernel->info->step_count, what);
}

static ck_status_t from_code(ck_object_code_t *code, ck_device_t *device, const char *name,
                             PartForm form, ck_kernel_t **out_kernel);

bool kernel_step_will_do(const ck_kernel_t *plan, const ck_kernel_t *step, uint32_t i,
                         PartForm form)
{
  PartForm has = step ? step->code->part_form : PART_FORMS;
  if (has > form) return false;
  return !has || !parts_is_thorough(plan->code, plan->info->steps[i]);
}

/* Launches that other threads make at this time may use the old step, and so may schedules, so it
 * lives as long as the algorithm. */
static void keep_replaced(ck_kernel_t *plan, ck_kernel_t *old)
{
  if (!old) return;
  old->next_replaced = atomic_load(&plan->replaced);
  while (!atomic_compare_exchange_weak(&plan->replaced, &old->next_replaced, old)) {
  }
}

ck_status_t kernel_step(ck_kernel_t *plan, uint32_t i, PartForm form, ck_kernel_t **out_step)
{
  ck_kernel_t *made, *there = atomic_load(&plan->steps[i]);
  *out_step = there;
  if (kernel_step_will_do(plan, there, i, form)) return CK_OK;
  /* The launch may be captured, and code is loaded nevertheless. */
  const Driver *driver = plan->device->driver;
  CUstreamCaptureMode mode = capture_relax(driver);
  ck_status_t status = from_code(plan->code, plan->device, plan->info->steps[i]->name, form, &made);
  capture_restore(driver, mode);
  if (status != CK_OK) return error_within(status, "algorithm '%s'", plan->name);
  *out_step = made;
  if (atomic_compare_exchange_strong(&plan->steps[i], &there, made)) {
    keep_replaced(plan, there);
    return CK_OK;
  }
  ck_kernel_release(made); /* another thread was first */
  *out_step = there;
  return CK_OK;
}

/* Opens the kernels of an algorithm, unless they are compiled when they are needed. */
static ck_status_t open_steps(ck_kernel_t *kernel)
{
  const ManifestKernel *info = kernel->info;
  kernel->steps = memory_take(info->step_count * sizeof *kernel->steps);
  if (!kernel->steps) return CK_OUT_OF_MEMORY;
  CK_TRY(open_scratch(kernel));
  ck_kernel_t *step;
  for (uint32_t i = 0; i < info->step_count && !kernel->code->parts; ++i)
    CK_TRY(kernel_step(kernel, i, PART_thorough, &step));
  return CK_OK;
}

static ck_status_t from_code(ck_object_code_t *code, ck_device_t *device, const char *name,
                             PartForm form, ck_kernel_t **out_kernel)
{
  const ManifestKernel *info = code->manifest ? manifest_find(code->manifest, name) : NULL;
  const char *symbol = info ? info->symbol : name;
  if (code->manifest && !info) {
    symbol = manifest_symbol(code->manifest, name);
    if (!symbol && !code->manifest->has_foreign) return not_found(code->manifest, name);
    if (!symbol) symbol = name;
  }
  bool is_plan = info && info->step_count;
  if (info && !is_plan) CK_TRY(object_code_of(code, info, form, &code));
  if (info) info = manifest_find(code->manifest, info->name); /* that of the part */
  ck_kernel_t *kernel = object_new(sizeof *kernel);
  if (!kernel) return CK_OUT_OF_MEMORY;
  kernel->code = ck_object_code_retain(code);
  kernel->device = ck_device_retain(device);
  kernel->info = info;
  ck_status_t status = CK_OK;
  if (!info) {
    kernel->own_name = memory_take(strlen(name) + 1);
    if (kernel->own_name) strcpy(kernel->own_name, name);
    else status = CK_OUT_OF_MEMORY;
  }
  kernel->name = info ? info->name : kernel->own_name;
  if (status == CK_OK && info && info->scratch_bytes.text) status = open_scratch(kernel);
  if (status == CK_OK) status = is_plan ? open_steps(kernel) : open_kernel(kernel, symbol);
  return GIVE(status, kernel, out_kernel, kernel_destroy);
}

ck_status_t ck_kernel_from_code(ck_object_code_t *code, ck_device_t *device, const char *name,
                                ck_kernel_t **out_kernel)
{
  CK_NEED_OUT(out_kernel, NULL, code, device);
  CK_NEED_ARG(name);
  return from_code(code, device, name, PART_thorough, out_kernel);
}

ck_status_t ck_kernel_from_native(ck_device_t *device, void *native, ck_object_code_t *code,
                                  ck_kernel_t **out_kernel)
{
  CK_NEED_OUT(out_kernel, NULL, device, native);
  ck_kernel_t *kernel = object_new(sizeof *kernel);
  if (!kernel) return CK_OUT_OF_MEMORY;
  kernel->code = ck_object_code_retain(code);
  kernel->device = ck_device_retain(device);
  kernel->native = native;
  kernel->name = "foreign kernel";
  ck_status_t status = ask_driver(kernel);
  return GIVE(status, kernel, out_kernel, kernel_destroy);
}

GETTER(const char *, kernel, name);
GETTER(ck_device_t *, kernel, device);
GETTER(void *, kernel, native);

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
  CK_NEED_OUT(out_param, (ck_param_t){0}, kernel);
  if (index >= ck_kernel_param_count(kernel))
    return error_argument("kernel '%s' has %zu parameters, there is no number %zu", kernel->name,
                          ck_kernel_param_count(kernel), index);
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

ck_status_t ck_kernel_get_param_place(const ck_kernel_t *kernel, size_t index, size_t *out_offset,
                                      size_t *out_bytes)
{
  size_t offset = 0, bytes = 0;
  if (out_offset) *out_offset = 0;
  if (out_bytes) *out_bytes = 0;
  CK_NEED_ARG(kernel);
  CK_TRY(kernel_need_one(kernel, "layout of parameters"));
  const Driver *driver = kernel->device->driver;
  DRV_NEED(driver, cuKernelGetParamInfo);
  CK_TRY(device_enter(kernel->device));
  CUresult result = driver->cuKernelGetParamInfo(kernel->native, index, &offset, &bytes);
  bool is_none = result == CUDA_ERROR_INVALID_VALUE; /* the driver's answer for a parameter that
                                                      * does not exist */
  ck_status_t status =
      is_none ? CK_OK
              : driver_result(driver, result, "cuKernelGetParamInfo(kernel->native, index, ...)",
                              __FILE_NAME__, __LINE__);
  device_leave(kernel->device);
  CK_TRY(status);
  if (is_none)
    return error_set(CK_NOT_FOUND, "kernel '%s' has no parameter number %zu", kernel->name, index);
  if (out_offset) *out_offset = offset;
  if (out_bytes) *out_bytes = bytes;
  return CK_OK;
}

size_t ck_kernel_result_part_count(const ck_kernel_t *kernel)
{
  return kernel->info ? kernel->info->result_count : 0;
}

ck_status_t ck_kernel_get_result_part(const ck_kernel_t *kernel, size_t index,
                                      ck_result_part_t *out_part)
{
  CK_NEED_OUT(out_part, (ck_result_part_t){0}, kernel);
  if (index >= ck_kernel_result_part_count(kernel))
    return error_argument("the result of '%s' has %zu parts, there is no number %zu", kernel->name,
                          ck_kernel_result_part_count(kernel), index);
  const ManifestPart *part = &kernel->info->result[index];
  *out_part = (ck_result_part_t){part->name, part->dtype, part->offset};
  return CK_OK;
}

ck_status_t ck_kernel_get_attribute(ck_kernel_t *kernel, ck_kernel_attribute_t attribute,
                                    int *out_value)
{
  CK_NEED_ARG(kernel);
  CK_TRY(kernel_need_one(kernel, "attributes"));
  CK_NEED_OUT(out_value, 0);
  ck_status_t status =
      DEVICE_STATUS(kernel->device, cuKernelGetAttribute(out_value, (CUfunction_attribute)attribute,
                                                         kernel->native, kernel->device->native));
  if (status == CK_OK || ck_last_driver_error() != CUDA_ERROR_INVALID_VALUE) return status;
  return error_within(CK_INVALID_ARGUMENT, "%s does not know attribute %d of kernels",
                      kernel->device->driver->label, (int)attribute);
}

const char *ck_kernel_attribute_name(ck_kernel_attribute_t attribute)
{
  enum { COUNT = 16 };
  static const char names[] = {"max_threads_per_block\0"
                               "shared_bytes\0"
                               "const_bytes\0"
                               "local_bytes\0"
                               "registers\0"
                               "ptx_version\0"
                               "binary_version\0"
                               "cache_mode_ca\0"
                               "max_dynamic_shared_bytes\0"
                               "preferred_shared_carveout\0"
                               "cluster_size_must_be_set\0"
                               "required_cluster_width\0"
                               "required_cluster_height\0"
                               "required_cluster_depth\0"
                               "non_portable_cluster_size_allowed\0"
                               "cluster_scheduling_policy\0"};
  return (size_t)attribute < COUNT ? strings_at(names, (size_t)attribute) : NULL;
}

/* Checks the value of an attribute that is to be set. */
static ck_status_t check_setting(const ck_kernel_t *kernel, ck_kernel_attribute_t attribute,
                                 int value)
{
  const char *name = ck_kernel_attribute_name(attribute);
  int low = 0, high = INT32_MAX;
  switch (attribute) {
  case CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES:
    high = kernel->device->limits.shared_bytes_optin - (int)kernel->static_shared_bytes;
    break;
  case CK_KERNEL_PREFERRED_SHARED_CARVEOUT: low = -1, high = 100; break;
  case CK_KERNEL_REQUIRED_CLUSTER_WIDTH:
  case CK_KERNEL_REQUIRED_CLUSTER_HEIGHT:
  case CK_KERNEL_REQUIRED_CLUSTER_DEPTH: break;
  case CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: high = 1; break;
  case CK_KERNEL_CLUSTER_SCHEDULING_POLICY: high = CK_CLUSTER_BALANCE; break;
  default:
    return error_argument("kernel '%s': attribute %d, %s, can't be set", kernel->name,
                          (int)attribute, name ? name : "which is unknown");
  }
  if (value >= low && value <= high) return CK_OK;
  return error_argument("kernel '%s': %s: %d is not in %d to %d", kernel->name, name, value, low,
                        high);
}

ck_status_t ck_kernel_set_attribute(ck_kernel_t *kernel, ck_kernel_attribute_t attribute, int value)
{
  CK_NEED_ARG(kernel);
  CK_TRY(kernel_need_one(kernel, "attributes"));
  CK_TRY(check_setting(kernel, attribute, value));
  CK_TRY(device_enter(kernel->device));
  pthread_mutex_lock(&natives_mutex); /* so that the stored limit is the one that was set last */
  ck_status_t status = DRV_STATUS(kernel->device->driver,
                                  cuKernelSetAttribute((CUfunction_attribute)attribute, value,
                                                       kernel->native, kernel->device->native));
  if (status == CK_OK && attribute == CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES)
    atomic_store(&kernel->common->dynamic_limit, (size_t)value);
  if (status == CK_OK) atomic_store(&kernel->common->resident, 0);
  pthread_mutex_unlock(&natives_mutex);
  device_leave(kernel->device);
  return status;
}

ck_status_t kernel_allow_dynamic(ck_kernel_t *kernel, size_t bytes)
{
  size_t most = (size_t)kernel->device->limits.shared_bytes_optin;
  if (kernel->static_shared_bytes > most || bytes > most - kernel->static_shared_bytes)
    return error_argument(
        "kernel '%s': %zu bytes of dynamic and %zu of static shared memory per block, "
        "'%s' has %zu",
        kernel->name, bytes, kernel->static_shared_bytes, kernel->device->name, most);
  /* Allow the maximum at once, so that launches of growing sizes do this only once. */
  return ck_kernel_set_attribute(kernel, CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES,
                                 (int)(most - kernel->static_shared_bytes));
}

ck_status_t ck_kernel_get_occupancy(ck_kernel_t *kernel, uint32_t block_size,
                                    size_t dynamic_shared_bytes, int *out_blocks)
{
  CK_NEED_OUT(out_blocks, 0, kernel);
  CK_TRY(kernel_need_one(kernel, "occupancy"));
  return DEVICE_STATUS(kernel->device, cuOccupancyMaxActiveBlocksPerMultiprocessor(
                                           out_blocks, (CUfunction)kernel->native, (int)block_size,
                                           dynamic_shared_bytes));
}

ck_status_t ck_kernel_get_best_block(ck_kernel_t *kernel, size_t dynamic_shared_bytes,
                                     size_t (*dynamic_of)(int block_size), uint32_t most,
                                     uint32_t *out_block, uint32_t *out_grid)
{
  CK_NEED_OUT(out_block, 0);
  if (out_grid) *out_grid = 0;
  CK_NEED_ARG(kernel);
  CK_TRY(kernel_need_one(kernel, "block"));
  int block = 0, grid = 0, limit = most > INT32_MAX ? INT32_MAX : (int)most;
  CK_TRY(DEVICE_STATUS(kernel->device,
                       cuOccupancyMaxPotentialBlockSize(&grid, &block, (CUfunction)kernel->native,
                                                        dynamic_of, dynamic_shared_bytes, limit)));
  *out_block = (uint32_t)block;
  if (out_grid) *out_grid = (uint32_t)grid;
  return CK_OK;
}

ck_status_t ck_kernel_get_available_shared(ck_kernel_t *kernel, uint32_t blocks,
                                           uint32_t block_size, size_t *out_bytes)
{
  CK_NEED_OUT(out_bytes, 0, kernel);
  CK_TRY(kernel_need_one(kernel, "shared memory"));
  return DEVICE_STATUS(
      kernel->device, cuOccupancyAvailableDynamicSMemPerBlock(out_bytes, (CUfunction)kernel->native,
                                                              (int)blocks, (int)block_size));
}

/* Reads three numbers from a launch, or else from the contract. If the contract needs arguments for
 * them, out[0] is 0. */
static ck_status_t read_shape(const ck_kernel_t *kernel, const char *what, const uint32_t given[3],
                              const Expr *contract, const int *most, unsigned out[3])
{
  bool is_contract = !given[0] && contract && contract[0].text;
  for (int i = 0; i < 3; ++i) {
    int64_t value = given[0] ? given[i] : 0, limit = most ? most[i] : INT32_MAX;
    if (is_contract && contract[i].text)
      value = contract[i].kind == EXPR_constant ? contract[i].value : 0;
    if (value < 0 || value > limit)
      return error_argument("kernel '%s': %s.%c is %lld, at most %lld are taken", kernel->name,
                            what, "xyz"[i], (long long)value, (long long)limit);
    bool needs_arguments = is_contract && contract[i].text && value == 0;
    if (needs_arguments || (i == 0 && value == 0)) {
      out[0] = 0;
      return CK_OK;
    }
    out[i] = value ? (unsigned)value : 1;
  }
  return CK_OK;
}

/* Reads the dynamic shared memory of a launch, or of the contract, and allows it in the driver. */
static ck_status_t read_dynamic(ck_kernel_t *kernel, size_t given, unsigned *out)
{
  const Expr *contract = kernel->info ? &kernel->info->dynamic_shared : NULL;
  bool is_contract = !given && contract && contract->text;
  if (is_contract && contract->kind != EXPR_constant)
    return error_argument(
        "kernel '%s': its dynamic shared memory is '%s', which needs arguments: give "
        "dynamic_shared_bytes",
        kernel->name, contract->text);
  if (is_contract) given = contract->value > 0 ? (size_t)contract->value : 0;
  if (given > atomic_load(&kernel->common->dynamic_limit))
    CK_TRY(kernel_allow_dynamic(kernel, given));
  *out = (unsigned)given;
  return CK_OK;
}

/* Makes the launch configuration for queries about clusters; *attribute is its cluster. */
static ck_status_t read_cluster_launch(ck_kernel_t *kernel, const ck_launch_config_t *config,
                                       bool needs_cluster, CUlaunchConfig *native,
                                       CUlaunchAttribute *attribute)
{
  ck_launch_config_t own = {0};
  const ManifestKernel *info = kernel->info;
  unsigned block[3], cluster[3] = {1, 1, 1}, grid[3], dynamic = 0;
  CK_TRY(options_read(&own, sizeof own, config, "ck_launch_config_t"));
  CK_TRY(launch_check_shapes(kernel, &own));
  if (!kernel->device->limits.has_clusters)
    return error_unsupported("kernel '%s': '%s' (%s) has no clusters", kernel->name,
                             kernel->device->name, kernel->device->target);
  CK_TRY(read_shape(kernel, "block", own.block, info ? info->block : NULL,
                    kernel->device->limits.block, block));
  if (!block[0]) return error_argument("kernel '%s': give a block", kernel->name);
  CK_TRY(read_shape(kernel, "cluster", own.cluster, info ? info->cluster : NULL, NULL, cluster));
  if (!cluster[0] && needs_cluster)
    return error_argument("kernel '%s': give a cluster", kernel->name);
  CK_TRY(read_dynamic(kernel, own.dynamic_shared_bytes, &dynamic));
  /* The query for the largest cluster uses a grid that any cluster size divides. */
  const unsigned least[3] = {needs_cluster ? cluster[0] : 16, cluster[1], cluster[2]};
  for (int i = 0; i < 3; ++i) grid[i] = own.grid[0] ? (own.grid[i] ? own.grid[i] : 1) : least[i];
  *attribute = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
  memcpy(&attribute->value.clusterDim, cluster, sizeof cluster);
  *native = (CUlaunchConfig){grid[0],      grid[1],  grid[2],
                             block[0],     block[1], block[2],
                             dynamic,      NULL,     needs_cluster ? attribute : NULL,
                             needs_cluster};
  return CK_OK;
}

/* Queries the largest cluster, or the number of active clusters. */
static ck_status_t ask_clusters(ck_kernel_t *kernel, const ck_launch_config_t *config,
                                bool is_largest, uint32_t *out)
{
  const Driver *driver = kernel->device->driver;
  CUfunction function = (CUfunction)kernel->native;
  CUlaunchConfig native;
  CUlaunchAttribute attribute;
  int count = 0;
  CK_TRY(read_cluster_launch(kernel, config, !is_largest, &native, &attribute));
  ck_status_t status = IN_DEVICE(
      kernel->device,
      is_largest ? DRV_STATUS(driver, cuOccupancyMaxPotentialClusterSize(&count, function, &native))
                 : DRV_STATUS(driver, cuOccupancyMaxActiveClusters(&count, function, &native)));
  if (status == CK_OK) *out = (uint32_t)count;
  return status;
}

ck_status_t ck_kernel_get_largest_cluster(ck_kernel_t *kernel, const ck_launch_config_t *config,
                                          uint32_t *out_blocks)
{
  CK_NEED_OUT(out_blocks, 0, kernel);
  CK_TRY(kernel_need_one(kernel, "cluster"));
  return ask_clusters(kernel, config, true, out_blocks);
}

ck_status_t ck_kernel_get_active_clusters(ck_kernel_t *kernel, const ck_launch_config_t *config,
                                          uint32_t *out_clusters)
{
  CK_NEED_OUT(out_clusters, 0, kernel);
  CK_TRY(kernel_need_one(kernel, "cluster"));
  return ask_clusters(kernel, config, false, out_clusters);
}
