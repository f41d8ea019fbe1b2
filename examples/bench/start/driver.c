/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* driver.c - the same program as ckrt.c, with the driver's functions only. */
#include <cuda.h>

#include "scale.ck.h" /* the image */

#include <stdio.h>

enum { COUNT = 1 << 20 };

static float x[COUNT];

#define TRY(call)                                                                                  \
  if ((call) != CUDA_SUCCESS) return fprintf(stderr, "%s fails\n", #call), 1

int main(void)
{
  CUdevice device;
  CUcontext context;
  CUstream stream;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr address;
  uint64_t count = COUNT;
  float factor = 2;
  void *args[] = {&count, &factor, &address};
  for (int i = 0; i < COUNT; ++i) x[i] = (float)i;
  TRY(cuInit(0));
  TRY(cuDeviceGet(&device, 0));
  TRY(cuDevicePrimaryCtxRetain(&context, device));
  TRY(cuCtxSetCurrent(context));
  TRY(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  TRY(cuMemAllocAsync(&address, sizeof x, stream));
  TRY(cuMemcpyHtoDAsync(address, x, sizeof x, stream));
  TRY(cuModuleLoadData(&module, scale_ck_gpu));
  TRY(cuModuleGetFunction(&kernel, module, KERNEL));
  TRY(cuLaunchKernel(kernel, COUNT / 256, 1, 1, 256, 1, 1, 0, stream, args, NULL));
  TRY(cuMemcpyDtoHAsync(x, address, sizeof x, stream));
  TRY(cuStreamSynchronize(stream));
  TRY(cuModuleUnload(module));
  TRY(cuMemFreeAsync(address, stream));
  TRY(cuStreamDestroy(stream));
  TRY(cuDevicePrimaryCtxRelease(device));
  return x[COUNT - 1] != 2.0f * (COUNT - 1);
}
