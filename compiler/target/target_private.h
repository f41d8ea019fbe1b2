/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* target_private.h - what the files of the targets whose code LLVM makes share. */
#ifndef CK_TARGET_PRIVATE_H
#define CK_TARGET_PRIVATE_H

#include "gen/gen.h"
#include "target/target.h"

#include <llvm-c/TargetMachine.h>

/* target/opt.c */
void llvm_open(void);
LLVMTargetMachineRef llvm_machine(Session *c); /* the module's: valid until the next call */
bool llvm_emit(Session *c, LLVMCodeGenFileType type, Buf *out);
bool llvm_run(Session *c, const char *passes, LLVMTargetMachineRef machine);

/* target/nvptx.c: links libdevice where it is called */
bool nvptx_link_libdevice(Session *c);
/* target/host.c: makes suspensions of ck.suspend calls */
void host_split(Session *c);

#endif
