/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* old_nvjitlink.c - an nvJitLink like that of CUDA 12.0, which has no function for its version; it
 * links nothing. */

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
