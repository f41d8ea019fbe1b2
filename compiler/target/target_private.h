/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* target_private.h - what the back ends share on which LLVM makes the code. */
#ifndef CK_TARGET_PRIVATE_H
#define CK_TARGET_PRIVATE_H

#include "repair/repair.h"
#include "target/target.h"

#include <llvm-c/TargetMachine.h>

/* opt.c */
void llvm_open(void);
LLVMTargetMachineRef llvm_machine(Session *c); /* the caller disposes of it */
bool llvm_emit(Session *c, LLVMCodeGenFileType type, Buf *out);
bool llvm_run(Session *c, const char *passes, LLVMTargetMachineRef machine);

/* nvptx.c: links libdevice where it is called */
bool nvptx_link_libdevice(Session *c);

/* host.c: makes suspensions of ck.suspend calls */
void host_split(Session *c);

#endif
