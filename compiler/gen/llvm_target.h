/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* llvm_target.h - between target/opt.c, repair/llvm_repair.c, repair/growth_repair.c,
 * target/nvptx.c, target/nvvm.c and target/host.c: the ways on which LLVM makes the code. */
#ifndef CK_LLVM_TARGET_H
#define CK_LLVM_TARGET_H

#include "gen/gen.h"

#include <llvm-c/TargetMachine.h>

/* target/opt.c */
void llvm_open(void);
LLVMTargetMachineRef llvm_machine(Compile *c); /* the caller disposes of it */
bool llvm_emit(Compile *c, LLVMCodeGenFileType type, Buf *out);
bool llvm_run(Compile *c, const char *passes, LLVMTargetMachineRef machine);

/* target/nvptx.c: links libdevice where it is called */
bool nvptx_link_libdevice(Compile *c);
/* repair/llvm_repair.c */
void llvm_place_behind(LLVMBuilderRef builder, LLVMValueRef value);
LLVMValueRef llvm_hidden_int(Gen *g, LLVMValueRef value); /* by inline PTX, of up to 64 bits */
void repair_conversions(Compile *c);
void repair_halves(Compile *c);
void repair_bools(Compile *c);
void repair_numbers(Compile *c);
void repair_loops(Compile *c);
void repair_products(Compile *c);
void repair_narrow(Compile *c);
void repair_bytes(Compile *c);
void repair_records(Compile *c);
void repair_vectors(Compile *c);
void repair_components(Compile *c);
/* repair/growth_repair.c */
void repair_growth(Compile *c);
/* target/host.c: makes suspensions of ck.suspend calls */
void host_split(Compile *c);

#endif
