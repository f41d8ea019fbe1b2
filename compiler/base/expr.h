/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* expr.h - exact integers, and the operations of expr.def on them.
 *
 * Every evaluator of integers calls expr_apply: the compiler for constants with and without a type;
 * the runtime and ckc for expressions of the manifest. So their results can't differ.
 */
#ifndef CK_EXPR_H
#define CK_EXPR_H

#include "base.h"

typedef enum ExprId {
  EXPR_none, /* no operation: a number or a name */
#define EXPR_OP(id, ...) EXPR_##id,
#include "expr.def"
  EXPR_COUNT
} ExprId;

typedef enum ExprForm { EXPR_INFIX, EXPR_PREFIX, EXPR_CALL, EXPR_CHOICE, EXPR_FIT } ExprForm;
typedef enum ExprRange { EXPR_INSIDE, EXPR_LOWEST, EXPR_ANY } ExprRange;
enum { EXPR_OPERANDS_MAX = 3 };

/* The reasons why an expression has no value. */
typedef enum ExprError { EXPR_fine, EXPR_overflow, EXPR_division_by_zero } ExprError;

/* A number from -(2^64 - 1) to 2^64 - 1, which covers all types. 0 may have either sign. After an
 * overflow, integer_bits() still gives the lowest 64 bits of the exact value, so that wrapping
 * arithmetic is right. */
typedef struct Integer {
  uint64_t magnitude;
  bool is_negative;
  uint8_t error; /* ExprError */
} Integer;

Integer integer_of_signed(int64_t value);
Integer integer_of_unsigned(uint64_t value);
uint64_t integer_bits(Integer value);            /* the lowest 64, in two's complement */
bool integer_as_signed(Integer a, int64_t *out); /* false: it has an error or does not fit */
int integer_compare(Integer a, Integer b);       /* -1, 0 or 1 */

/* Applies an operation to as many operands as its row says. An error of an operand that is needed
 * is the result's. */
Integer expr_apply(ExprId id, const Integer *operands);
/* Does the first operand alone decide, because the row needs no other operand, or one of them only?
 * *out_which: the operand that is the result; 0: the result is *out. */
bool expr_decided(ExprId id, Integer first, uint32_t *out_which, Integer *out);

/* The number of operands of a row; 0 for EXPR_none. */
uint32_t expr_operands(ExprId id);
ExprForm expr_form(ExprId id);
ExprRange expr_range(ExprId id);
const char *expr_token(ExprId id);
const char *expr_error_text(ExprError error); /* "overflows", "divides by zero" */

/* A token of an expression in reverse Polish notation. */
typedef struct ExprToken {
  const char *text; /* of a name, behind its '@' */
  size_t len;
  ExprId id;
  bool is_number; /* `number` */
  Integer number;
} ExprToken;

/* Reads the next token and moves *at behind it and one blank; false: there is none. A missing token
 * between two blanks is empty; a token that is no operation is a number or a name. */
bool expr_next(const char **at, ExprToken *out);
/* The row of a token, or EXPR_none. */
ExprId expr_find(const char *text, size_t len);

#endif
