/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* target_private.h - what the files share that generate code with LLVM. */
#ifndef CK_TARGET_PRIVATE_H
#define CK_TARGET_PRIVATE_H

#include "gen/gen.h"
#include "target/target.h"

#include <llvm-c/TargetMachine.h>

/* target/opt.c */
void llvm_open(void);
/* for the module's target; valid until the next call */
LLVMTargetMachineRef llvm_machine(Session *c);
bool llvm_emit(Session *c, LLVMCodeGenFileType type, Buf *out);
bool llvm_run(Session *c, const char *passes, LLVMTargetMachineRef machine);

/* target/quick.c: optimises quick code for a GPU; and says whether it computes what other code
 * computes, bit for bit */
bool quick_optimise(Session *c, LLVMTargetMachineRef machine);
bool quick_has_same_bits(Session *c);

/* target/nvptx.c: links libdevice if the module calls it */
bool nvptx_link_libdevice(Session *c);
/* target/host.c: replaces calls of ck.suspend by suspensions of the coroutine */
void host_split(Session *c);

#endif
