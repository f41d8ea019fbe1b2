/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* repair_private.h - what the files of repairs share: what a repair is told, helpers for LLVM's
 * module (llvm.c), and PTX as lines (ptx.c, ptx_address.c).
 */
#ifndef CK_REPAIR_PRIVATE_H
#define CK_REPAIR_PRIVATE_H

#include "gen/gen.h"
#include "repair/repair.h"

typedef struct Repair {
  Session *c;
  Gen *g; /* the module; NULL once it is text */
  RepairTime when;
  const char *why;  /* of REPAIR_retry: what the tool said */
  bool has_changed; /* the repair says so */
} Repair;

typedef void RepairFunction(Repair *r);
#define REPAIR(name, where, toolkits, text) RepairFunction repair_##name;
#include "repair.def"

/* ---- llvm.c ---- */

/* Calls `visit` for each instruction of the module. It may put others before the one that it is
 * given, and take that one away. */
void llvm_each(Repair *r, void (*visit)(Repair *r, LLVMValueRef instruction));
/* Gives all uses of an instruction another value, and erases it. */
void llvm_replace(Repair *r, LLVMValueRef instruction, LLVMValueRef by);
/* The builder goes behind an instruction, and behind the phis that follow it. */
void llvm_place_behind(LLVMBuilderRef builder, LLVMValueRef value);
/* The integer, of up to 64 bits, through inline PTX, which no optimiser sees through. */
LLVMValueRef llvm_hidden_int(Gen *g, LLVMValueRef value);
/* Constants of floats that `is_hidden` names go through inline PTX wherever they are operands. */
void llvm_hide_operands(Repair *r, LLVMValueRef instruction,
                        bool (*is_hidden)(double number, unsigned bytes));
/* Of a number; 0: it is none that has whole bytes. */
unsigned llvm_bytes(LLVMTypeRef type);
/* What is known of an address `at` bytes behind one that is aligned to `align`. */
unsigned llvm_align_at(unsigned align, uint64_t at);
bool llvm_is_vector(LLVMTypeRef type);
/* A binary operation on vectors, done for one component after the other. */
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
  const char *word, *word_end; /* the instruction; empty: there is none */
  Operand operands[OPERANDS_MAX];
  unsigned count;
  bool is_asm;     /* stands between "// begin inline asm" and its end */
  const char *now; /* what a repair has put in its place, or NULL */
} PtxLine;

/* By the number of a register. */
typedef VEC(uint32_t) PtxTable;

/* The function at hand, and what a repair knows of it. */
typedef struct PtxFunction {
  Repair *r;
  PtxLine *lines;
  uint32_t count;
  void *seen; /* zeroed at its beginning; PtxRule says how many bytes */
} PtxFunction;

/* One repair of PTX. For each function, `follow` sees every line, then `repair` does, both as the
 * back end wrote it. */
typedef struct PtxRule {
  const char *const *words; /* text that a line to repair has, up to NULL; none: nothing is done */
  size_t seen_bytes;
  void (*follow)(PtxFunction *f, const PtxLine *line);
  void (*repair)(PtxFunction *f, PtxLine *line);
} PtxRule;

void ptx_run(Repair *r, const PtxRule *rule);
void ptx_put(Session *c, Buf *out); /* the text, with all that was repaired */

/* What takes the line's place, with its end of line, unless another repair has changed it. */
void ptx_replace(PtxFunction *f, PtxLine *line, const char *format, ...) PRINTF_LIKE(3, 4);
bool ptx_starts(const char *at, const char *word);
bool ptx_is_same(Operand a, Operand b);
bool ptx_ends_in_f32(const PtxLine *line);
/* N of `%fN`, for the prefix `%f`; UINT32_MAX: something else. */
uint32_t ptx_number(Operand operand, const char *prefix);
/* What a table has for a register's number; 0 where it has nothing. */
uint32_t ptx_get(const PtxTable *table, uint32_t number);
void ptx_set(PtxFunction *f, PtxTable *table, uint32_t number, uint32_t value);
/* The operands of `{%rs1, %rs2}, %r1;`; what follows them, or NULL: something else. */
const char *ptx_halves(const char *at, Operand halves[3]);
/* A line of 16 bits is done in 32: short_negate and short_min. */
void ptx_in_32_bits(PtxFunction *f, PtxLine *line);

/* Registers of 16 bits: NVPTX has one kind, libNVVM another for f16. Words are two of that kind. */
enum { HALVES = 2 };
extern const char *const ptx_half_prefix[HALVES], *const ptx_word_prefix[HALVES];

#define LEN(operand) (int)(operand).len, (operand).text /* for "%.*s" */

/* ---- ptx_address.c ---- */

/* What the address in a register %rdN is made of. */
typedef enum PtxBase { PTX_BASE_unknown, PTX_BASE_shared, PTX_BASE_mixed } PtxBase;

typedef struct PtxAddresses {
  PtxTable bases;
  bool is_followed, is_changed;
} PtxAddresses;

/* The first time, follows the addresses of the whole function. */
PtxBase ptx_base(PtxFunction *f, PtxAddresses *addresses, Operand address);

#endif
