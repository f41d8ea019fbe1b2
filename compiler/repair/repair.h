/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* repair.h - what LLVM, libNVVM and ptxas get wrong is written another way. */
#ifndef CK_REPAIR_H
#define CK_REPAIR_H

#include "gen/gen.h"

#include <llvm-c/Target.h>

/* ptx_repair.c */
bool pass_repair(Session *c);

/* llvm_repair.c */
void llvm_place_behind(LLVMBuilderRef builder, LLVMValueRef value);
LLVMValueRef llvm_hidden_int(Gen *g, LLVMValueRef value); /* by inline PTX, of up to 64 bits */
void repair_conversions(Session *c);
void repair_halves(Session *c);
void repair_bools(Session *c);
void repair_numbers(Session *c);
void repair_loops(Session *c);
void repair_products(Session *c);
void repair_narrow(Session *c);
void repair_bytes(Session *c);
void repair_records(Session *c);
void repair_vectors(Session *c);
void repair_components(Session *c);
/* growth_repair.c */
void repair_growth(Session *c);

#endif
