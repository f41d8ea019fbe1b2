/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* watch_cuda.c - a libcuda that passes calls on to the machine's own, and reports failed releases.
 *
 * The runtime ignores the result of a release, since there is nobody to report it to. But a handle
 * that the driver does not know was released twice, or the driver itself had destroyed it, and the
 * next such call may crash. With this library as $CK_LIBCUDA, each such call prints a line to
 * standard error. Errors of kernels, which every later call repeats, and of captures do not count.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "driver/cuda_functions.h"

#define GIVE_BACKS                                                                                 \
  ONE(cuArrayDestroy, CUarray)                                                                     \
  ONE(cuDevicePrimaryCtxRelease, CUdevice)                                                         \
  ONE(cuEventDestroy, CUevent)                                                                     \
  ONE(cuGraphDestroy, CUgraph)                                                                     \
  ONE(cuGraphExecDestroy, CUgraphExec)                                                             \
  ONE(cuGraphicsUnregisterResource, CUgraphicsResource)                                            \
  ONE(cuGreenCtxDestroy, CUgreenCtx)                                                               \
  ONE(cuLibraryUnload, CUlibrary)                                                                  \
  ONE(cuLinkDestroy, CUlinkState)                                                                  \
  TWO(cuMemAddressFree, CUdeviceptr, size_t)                                                       \
  ONE(cuMemFree, CUdeviceptr)                                                                      \
  TWO(cuMemFreeAsync, CUdeviceptr, CUstream)                                                       \
  ONE(cuMemFreeHost, void *)                                                                       \
  ONE(cuMemHostUnregister, void *)                                                                 \
  ONE(cuMemPoolDestroy, CUmemoryPool)                                                              \
  ONE(cuMemRelease, CUmemGenericAllocationHandle)                                                  \
  TWO(cuMemUnmap, CUdeviceptr, size_t)                                                             \
  ONE(cuMipmappedArrayDestroy, CUmipmappedArray)                                                   \
  ONE(cuStreamDestroy, CUstream)                                                                   \
  ONE(cuSurfObjectDestroy, CUsurfObject)                                                           \
  ONE(cuTexObjectDestroy, CUtexObject)

static CUresult watch(const char *name, CUresult result)
{
  if (result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_INVALID_HANDLE ||
      result == CUDA_ERROR_INVALID_CONTEXT)
    fprintf(stderr, "given back in vain: %s returns %d\n", name, (int)result);
  return result;
}

#define ONE(name, A)                                                                               \
  static __typeof__(name) *real_##name;                                                            \
  static CUresult watch_##name(A a)                                                                \
  {                                                                                                \
    return watch(#name, real_##name(a));                                                           \
  }
#define TWO(name, A, B)                                                                            \
  static __typeof__(name) *real_##name;                                                            \
  static CUresult watch_##name(A a, B b)                                                           \
  {                                                                                                \
    return watch(#name, real_##name(a, b));                                                        \
  }
GIVE_BACKS
#undef ONE
#undef TWO

/* Replaces the driver's function by the one here. */
#define ONE(function, A)                                                                           \
  if (!strcmp(name, #function)) {                                                                  \
    __typeof__(function) *own = watch_##function;                                                  \
    memcpy(&real_##function, out_function, sizeof real_##function);                                \
    memcpy(out_function, &own, sizeof own);                                                        \
  }
#define TWO(function, A, B) ONE(function, A)

__typeof__(cuGetProcAddress) cuGetProcAddress_v2;
CUresult cuGetProcAddress_v2(const char *name, void **out_function, int version, uint64_t flags,
                             CUdriverProcAddressQueryResult *out_found)
{
  __typeof__(cuGetProcAddress) *get = NULL;
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library) *(void **)&get = dlsym(library, "cuGetProcAddress_v2");
  if (!get) return CUDA_ERROR_NOT_FOUND;
  CUresult result = get(name, out_function, version, flags, out_found);
  if (result != CUDA_SUCCESS || !*out_function) return result;
  GIVE_BACKS
  return result;
}
