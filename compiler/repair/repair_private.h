/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* repair_private.h - what the files of compiler/repair share: the state of a repair, helpers for
 * LLVM's module (llvm.c), and PTX as lines (ptx.c, address.c).
 */
#ifndef CK_REPAIR_PRIVATE_H
#define CK_REPAIR_PRIVATE_H

#include "gen/gen.h"
#include "repair/repair.h"

typedef struct Repair {
  Session *c;
  Gen *g; /* the module; NULL for repairs of PTX */
  RepairTime when;
  const char *why;  /* for REPAIR_retry: the tool's message */
  bool has_changed; /* set by the repair */
} Repair;

typedef void RepairFunction(Repair *r);
#define REPAIR(name, where, toolkits, text) RepairFunction repair_##name;
#include "repair.def"

/* ---- llvm.c ---- */

/* Calls `visit` for each instruction of the module. It may insert others before the instruction,
 * and erase it. */
void llvm_each(Repair *r, void (*visit)(Repair *r, LLVMValueRef instruction));
/* Replaces all uses of an instruction by another value, and erases it. */
void llvm_replace(Repair *r, LLVMValueRef instruction, LLVMValueRef by);
/* Positions the builder after an instruction, and after the phis that follow it. */
void llvm_place_behind(LLVMBuilderRef builder, LLVMValueRef value);
/* Passes an integer of up to 64 bits through inline PTX, which optimisers can't look through. */
LLVMValueRef llvm_hidden_int(Gen *g, LLVMValueRef value);
/* Passes operands that are float constants through inline PTX, if `is_hidden` selects them. */
void llvm_hide_operands(Repair *r, LLVMValueRef instruction,
                        bool (*is_hidden)(double number, unsigned bytes));
/* The size of a scalar type in bytes; 0 for other types. */
unsigned llvm_bytes(LLVMTypeRef type);
/* The alignment of an address `at` bytes after one that is aligned to `align`. */
unsigned llvm_align_at(unsigned align, uint64_t at);
bool llvm_is_vector(LLVMTypeRef type);
/* Expands a binary operation on vectors into operations on components. */
LLVMValueRef llvm_by_component(Gen *g, LLVMValueRef instruction);

/* ---- ptx.c ---- */

/* An operand: a register, a number or an address, up to the comma or the semicolon. */
typedef struct Operand {
  const char *text;
  size_t len;
} Operand;

enum { OPERANDS_MAX = 3 };

typedef struct PtxLine {
  const char *text, *end;
  const char *word, *word_end; /* the instruction; empty if there is none */
  Operand operands[OPERANDS_MAX];
  unsigned count;
  bool is_asm;     /* it is between "// begin inline asm" and its end */
  const char *now; /* the replacement by a repair, or NULL */
} PtxLine;

/* A table indexed by a register's number. */
typedef VEC(uint32_t) PtxTable;

/* A function of the text, and what one repair has found out about it. */
typedef struct PtxFunction {
  Repair *r;
  PtxLine *lines;
  uint32_t count;
  PtxTable known[8]; /* empty at the function's start; a repair says what it keeps in them */
  bool has_bases;    /* known[0] has the bases of addresses (address.c) */
} PtxFunction;

typedef void PtxFollow(PtxFunction *f, const PtxLine *line);
typedef void PtxChange(PtxFunction *f, PtxLine *line);

/* Calls, for each function, `follow` (or NULL) with every line, then `change` with every line. Both
 * get the lines as the code generator wrote them. If the text contains none of the words, which end
 * with NULL, nothing is done. */
void ptx_run(Repair *r, PtxFollow *follow, PtxChange *change, ...);
void ptx_put(Session *c, Buf *out); /* the text with all replacements */

/* Sets a line's replacement, which includes the end of line, unless another repair has set one. */
void ptx_replace(PtxFunction *f, PtxLine *line, const char *format, ...) PRINTF_LIKE(3, 4);
bool ptx_starts(const char *at, const char *word);
bool ptx_is_same(Operand a, Operand b);
bool ptx_ends_in_f32(const PtxLine *line);
/* N of `%fN`, for the prefix `%f`; UINT32_MAX for other operands. */
uint32_t ptx_number(Operand operand, const char *prefix);
/* The table's entry for a register's number, or 0. */
uint32_t ptx_get(const PtxTable *table, uint32_t number);
void ptx_set(PtxFunction *f, PtxTable *table, uint32_t number, uint32_t value);
/* Reads the operands of `{%rs1, %rs2}, %r1;`. Returns the text after them, or NULL if it has
 * another form. */
const char *ptx_halves(const char *at, Operand halves[3]);
/* Replaces a 16-bit instruction by 32-bit ones: short_negate and short_min. */
void ptx_in_32_bits(PtxFunction *f, PtxLine *line);

/* 16-bit registers: NVPTX uses one kind, libNVVM a second one for f16. A word is a pair of one
 * kind. */
enum { HALVES = 2 };
extern const char *const ptx_half_prefix[HALVES], *const ptx_word_prefix[HALVES];

#define LEN(operand) (int)(operand).len, (operand).text /* for "%.*s" */

#endif
