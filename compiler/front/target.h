/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* target.h - the properties of a target. */
#ifndef CK_FRONT_TARGET_H
#define CK_FRONT_TARGET_H

#include "base.h"

typedef struct Target {
  const char *name; /* "sm_90a", "host" */
  bool is_host;
  unsigned sm;        /* 90; 0 for the host */
  char suffix;        /* 'a', 'f' or 0 */
  unsigned ptx;       /* the lowest PTX version that supports it, 78 for 7.8 */
  bool is_typed;      /* libNVVM expects LLVM 7's dialect (typed pointers) for it */
  bool is_nvptx;      /* LLVM 19's NVPTX supports it */
  unsigned lib_sm;    /* what lib/ gets for __sm(): the host does all that sm_80 can */
  const char *triple; /* as LLVM has it */
  const char *prefix; /* of a kernel's symbol: a kernel `printf` isn't the C library's function */
#define TRAIT(name, gpu, host, text) bool name;
#include "front/target.def"
  unsigned shared_bytes; /* static shared memory of a block */
  unsigned shared_most;  /* maximum per block, as dynamic shared memory */
} Target;

/* False if there is no such target. */
bool target_named(const char *name, Target *out);
void target_list(Buf *out); /* "sm_75, sm_80, ..." */

#endif
