/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* old_nvjitlink.c - an nvJitLink as CUDA 12.0's, which can't say its version; it links nothing. */

#define REFUSES(name)                                                                              \
  int __##name##_12_0(void);                                                                       \
  int __##name##_12_0(void)                                                                        \
  {                                                                                                \
    return 1;                                                                                      \
  }

REFUSES(nvJitLinkCreate)
REFUSES(nvJitLinkDestroy)
REFUSES(nvJitLinkAddData)
REFUSES(nvJitLinkComplete)
REFUSES(nvJitLinkGetLinkedCubinSize)
REFUSES(nvJitLinkGetLinkedCubin)
REFUSES(nvJitLinkGetErrorLogSize)
REFUSES(nvJitLinkGetErrorLog)
REFUSES(nvJitLinkGetInfoLogSize)
REFUSES(nvJitLinkGetInfoLog)
