/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* library.c - code for the host device: loading images through libckc, kernels, their attributes,
 * occupancy.
 *
 * An image is an x86-64 ELF object followed by its manifest:
 *
 *   | ELF object | JSON manifest | its length, 8 bytes | "CKMANIF1" |
 *
 * cuLibraryLoadData gets a pointer and no length, so the end of the ELF object is computed from its
 * section table; object_code.c has verified that the image is complete.
 *
 * Every launch that may still run holds a reference to the library, so that its code is not
 * unmapped too early.
 */
#include <elf.h>
#include <string.h>

#include "code/code.h"
#include "host.h"

struct HostLibrary {
  atomic_uint references; /* one of the program until it unloads, and one for each launch */
  Arena arena;
  const Compiler *compiler;
  ck_host_code_t *code;
  const Manifest *manifest;
  HostKernel *kernels; /* one for each kernel of the manifest */
};

/* Finds the end of the JSON after an image. The JSON does not end with a NUL, but the length after
 * it contains one, so strlen exceeds the JSON by at most 8 bytes. */
static bool find_trailer(const char *text, size_t *out_json_bytes)
{
  size_t len = strlen(text);
  for (size_t json = len > 8 ? len - 8 : 0; json <= len; ++json) {
    uint64_t said;
    memcpy(&said, text + json, sizeof said);
    if (said != json || memcmp(text + json + sizeof said, "CKMANIF1", 8)) continue;
    *out_json_bytes = json;
    return true;
  }
  return false;
}

static CUresult find_kernels(HostLibrary *library)
{
  const Manifest *manifest = library->manifest;
  library->kernels = NEW_ARRAY(&library->arena, HostKernel, manifest->kernel_count + 1);
  for (uint32_t i = 0; i < manifest->kernel_count; ++i) {
    HostKernel *kernel = &library->kernels[i];
    kernel->library = library;
    kernel->info = &manifest->kernels[i];
    atomic_init(&kernel->carveout, -1);
    if (kernel->info->step_count) continue; /* an algorithm: its steps are kernels */
    kernel->entry = library->compiler->ck_host_code_find(library->code, kernel->info->symbol);
    if (!kernel->entry) return CUDA_ERROR_INVALID_IMAGE;
  }
  return CUDA_SUCCESS;
}

/* Loads the object code; the symbols are the functions of the runtime that host code calls. */
static CUresult open_code(HostLibrary *library, const void *image, size_t bytes)
{
  ck_host_symbol_t symbols[32];
  size_t count = 0;
#define SYMBOL(function)                                                                           \
  symbols[count++] = (ck_host_symbol_t){#function, (void *)(uintptr_t)function}
  SYMBOL(ck_host_frame);
  SYMBOL(ck_host_print);
  SYMBOL(ck_host_assert);
  SYMBOL(ck_host_trap);
  SYMBOL(ck_host_map);
  SYMBOL(ck_host_check);
  SYMBOL(ck_host_access);
  SYMBOL(ck_host_fence);
  SYMBOL(ck_host_wait);
  SYMBOL(ck_host_copy);
  SYMBOL(ck_host_bulk);
  SYMBOL(ck_host_phase);
  SYMBOL(ck_host_copy_commit);
  SYMBOL(ck_host_copy_wait);
  SYMBOL(ck_host_set_condition);
  SYMBOL(ck_host_launch_graph);
  SYMBOL(ck_host_texture_sample);
  SYMBOL(ck_host_texture_fetch);
  SYMBOL(ck_host_tensor_element);
  SYMBOL(ck_host_tensor_place);
  SYMBOL(ck_host_surface_load);
  SYMBOL(ck_host_surface_store);
#undef SYMBOL
  const char *why = NULL;
  ck_status_t status = library->compiler->ck_host_code_from_bytes(image, bytes, symbols, count,
                                                                  &library->code, &why);
  if (status == CK_OK) return CUDA_SUCCESS;
  log_line(LOG_compile, "host code: %s", why ? why : ck_status_text(status));
  library->code = NULL;
  return status == CK_OUT_OF_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_IMAGE;
}

void host_library_retain(HostLibrary *library)
{
  atomic_fetch_add_explicit(&library->references, 1, memory_order_relaxed);
}

void host_library_release(HostLibrary *library)
{
  if (atomic_fetch_sub(&library->references, 1) != 1) return;
  if (library->code) library->compiler->ck_host_code_release(library->code);
  arena_free(&library->arena);
  memory_free(library);
}

/* The image is an x86-64 ELF object, followed by its manifest. The driver's function gets no
 * length, so both lengths are taken from the data, which the caller has checked
 * (object_code_check). */
CUresult host_cuLibraryLoadData(CUlibrary *out_library, const void *image,
                                CUjit_option *jit_options, void **jit_values, unsigned jit_count,
                                CUlibraryOption *library_options, void **library_values,
                                unsigned library_count)
{
  (void)jit_options, (void)jit_values, (void)library_options, (void)library_values;
  if (jit_count || library_count) return CUDA_ERROR_NOT_SUPPORTED;
  Elf64_Half machine;
  if (memcmp(image, ELFMAG, SELFMAG)) return CUDA_ERROR_INVALID_IMAGE;
  memcpy(&machine, (const char *)image + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
  if (machine != EM_X86_64) return CUDA_ERROR_NO_BINARY_FOR_GPU;
  size_t image_bytes = (size_t)object_code_elf_end(image, SIZE_MAX), json_bytes;
  const char *json = (const char *)image + image_bytes;
  if (!find_trailer(json, &json_bytes)) return CUDA_ERROR_INVALID_IMAGE;

  HostLibrary *library = memory_new(sizeof *library);
  if (!library) return CUDA_ERROR_OUT_OF_MEMORY;
  atomic_init(&library->references, 1);
  Buf why = BUF(&library->arena);
  CUresult result = CUDA_ERROR_INVALID_IMAGE;
  library->manifest = manifest_parse(&library->arena, json, json_bytes, &why);
  if (!library->manifest) goto fail;
  result = CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
  if (compiler_open(&library->compiler) != CK_OK) goto fail;
  if ((result = open_code(library, image, image_bytes)) != CUDA_SUCCESS) goto fail;
  if ((result = find_kernels(library)) != CUDA_SUCCESS) goto fail;
  atomic_fetch_add(&host_live_objects, 1);
  *out_library = (CUlibrary)(void *)library;
  return CUDA_SUCCESS;
fail:
  host_library_release(library);
  return result;
}

/* Launches that are queued, or are nodes of graphs, keep the code. Waiting for them here could be a
 * deadlock, since they may wait for the caller. */
CUresult host_cuLibraryUnload(CUlibrary native)
{
  UNSAFE_IN_CAPTURES();
  host_library_release((HostLibrary *)(void *)native);
  atomic_fetch_sub(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

CUresult host_cuLibraryGetKernel(CUkernel *out_kernel, CUlibrary native, const char *symbol)
{
  HostLibrary *library = (HostLibrary *)(void *)native;
  for (uint32_t i = 0; i < library->manifest->kernel_count; ++i) {
    if (strcmp(library->kernels[i].info->symbol, symbol)) continue;
    *out_kernel = (CUkernel)(void *)&library->kernels[i];
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_NOT_FOUND;
}

/* There are no modules, which are a context's copies of a library. CK has no variables in device
 * memory: its constants are part of the code. */
CUresult host_cuLibraryGetModule(CUmodule *out_module, CUlibrary library)
{
  (void)out_module, (void)library;
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult host_cuLibraryGetGlobal(CUdeviceptr *out_address, size_t *out_bytes, CUlibrary library,
                                 const char *name)
{
  (void)out_address, (void)out_bytes, (void)library, (void)name;
  return CUDA_ERROR_NOT_SUPPORTED;
}

/* There is no linker: host code is a single object. */
CUresult host_cuLinkCreate(unsigned count, CUjit_option *options, void **values,
                           CUlinkState *out_state)
{
  (void)count, (void)options, (void)values, (void)out_state;
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult host_cuLinkAddData(CUlinkState state, CUjitInputType kind, void *data, size_t bytes,
                            const char *name, unsigned count, CUjit_option *options, void **values)
{
  (void)state, (void)kind, (void)data, (void)bytes;
  (void)name, (void)count, (void)options, (void)values;
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult host_cuLinkComplete(CUlinkState state, void **out_image, size_t *out_bytes)
{
  (void)state, (void)out_image, (void)out_bytes;
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult host_cuLinkDestroy(CUlinkState state)
{
  (void)state;
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult host_cuKernelGetParamInfo(CUkernel native, size_t index, size_t *out_offset,
                                   size_t *out_bytes)
{
  const ManifestKernel *info = ((HostKernel *)(void *)native)->info;
  if (index >= info->slot_count) return CUDA_ERROR_INVALID_VALUE;
  size_t end = 0;
  for (uint32_t slot = 0; slot <= index; ++slot) {
    *out_bytes = manifest_slot_bytes(info, slot);
    size_t align = manifest_slot_align(info, slot);
    *out_offset = (end + align - 1) / align * align;
    end = *out_offset + *out_bytes;
  }
  return CUDA_SUCCESS;
}

CUresult host_cuKernelGetParamCount(CUkernel native, size_t *out_count)
{
  *out_count = ((HostKernel *)(void *)native)->info->slot_count;
  return CUDA_SUCCESS;
}

CUresult host_cuKernelGetFunction(CUfunction *out_function, CUkernel native)
{
  *out_function = (CUfunction)(void *)native; /* there is one context, so kernel and function are
                                               * the same */
  return CUDA_SUCCESS;
}

CUresult host_cuKernelGetAttribute(int *out_value, CUfunction_attribute attribute, CUkernel native,
                                   CUdevice device)
{
  HostKernel *kernel = (HostKernel *)(void *)native;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  *out_value = 0;
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) *out_value = 1024;
  else if (attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
    *out_value = (int)kernel->info->shared_bytes;
  else if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    *out_value = atomic_load(&kernel->max_dynamic_bytes);
  else if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
    *out_value = atomic_load(&kernel->may_exceed_cluster);
  else if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
    *out_value = atomic_load(&kernel->carveout);
  else if (attribute == CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE)
    *out_value = atomic_load(&kernel->cluster_policy);
  else if (attribute < 0 || attribute >= CU_FUNC_ATTRIBUTE_MAX) return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

CUresult host_cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel native,
                                   CUdevice device)
{
  HostKernel *kernel = (HostKernel *)(void *)native;
  int most = 0;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) {
    atomic_store(&kernel->may_exceed_cluster, value != 0);
    return CUDA_SUCCESS;
  }
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT ||
      attribute == CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE) {
    bool is_carveout = attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
    atomic_store(is_carveout ? &kernel->carveout : &kernel->cluster_policy, value);
    return CUDA_SUCCESS;
  }
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_ERROR_NOT_SUPPORTED;
  host_cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device);
  if (value < 0 || value > most - (int)kernel->info->shared_bytes) return CUDA_ERROR_INVALID_VALUE;
  atomic_store(&kernel->max_dynamic_bytes, value);
  return CUDA_SUCCESS;
}

/* The dynamic shared memory that a block can have besides its static one. */
static size_t dynamic_room(const HostKernel *kernel)
{
  int most = 0;
  host_cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0);
  return kernel->info->shared_bytes < (size_t)most ? (size_t)most - kernel->info->shared_bytes : 0;
}

CUresult host_cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out_blocks, CUfunction native,
                                                          int block_size, size_t dynamic_bytes)
{
  if (block_size < 1) return CUDA_ERROR_INVALID_VALUE;
  *out_blocks =
      block_size <= 1024 && dynamic_bytes <= dynamic_room((const HostKernel *)(void *)native);
  return CUDA_SUCCESS;
}

/* A core executes one block at a time, so the largest block that fits is the best. */
CUresult host_cuOccupancyMaxPotentialBlockSize(int *out_grid, int *out_block, CUfunction native,
                                               CUoccupancyB2DSize dynamic_of, size_t dynamic_bytes,
                                               int most)
{
  enum { MOST_THREADS = 1024, WARP = 32 };
  if (most < 0) return CUDA_ERROR_INVALID_VALUE;
  int block = most && most < MOST_THREADS ? most : MOST_THREADS;
  for (; block > 0; block -= block > WARP ? WARP : 1) {
    int fits = 0;
    host_cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &fits, native, block, dynamic_of ? dynamic_of(block) : dynamic_bytes);
    if (!fits) continue;
    *out_block = block;
    *out_grid = (int)host_core_count();
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult host_cuOccupancyAvailableDynamicSMemPerBlock(size_t *out_bytes, CUfunction native,
                                                      int blocks, int block_size)
{
  if (blocks != 1 || block_size < 1 || block_size > 1024) return CUDA_ERROR_INVALID_VALUE;
  *out_bytes = dynamic_room((const HostKernel *)(void *)native);
  return CUDA_SUCCESS;
}

CUresult host_cuOccupancyMaxPotentialClusterSize(int *out_blocks, CUfunction native,
                                                 const CUlaunchConfig *config)
{
  enum { PORTABLE = 8, MOST = 16 };
  const HostKernel *kernel = (const HostKernel *)(void *)native;
  (void)config;
  *out_blocks = atomic_load(&kernel->may_exceed_cluster) ? MOST : PORTABLE;
  return CUDA_SUCCESS;
}

/* The blocks of a cluster are executed alternately on one core. */
CUresult host_cuOccupancyMaxActiveClusters(int *out_clusters, CUfunction native,
                                           const CUlaunchConfig *config)
{
  int most = 0;
  host_cuOccupancyMaxPotentialClusterSize(&most, native, config);
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    if (config->attrs[i].id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) continue;
    const unsigned dim[3] = {config->attrs[i].value.clusterDim.x,
                             config->attrs[i].value.clusterDim.y,
                             config->attrs[i].value.clusterDim.z};
    uint64_t blocks = 1; /* at most `most` before each multiplication, so 64 bits can't overflow */
    for (int k = 0; k < 3; ++k)
      if ((blocks *= dim[k]) > (unsigned)most) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  }
  *out_clusters = (int)host_core_count();
  return CUDA_SUCCESS;
}
