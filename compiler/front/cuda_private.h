/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cuda_private.h - a scanner for C, C++, Python and Rust, with which cuda.c looks ahead of the
 * lexer. It finds where tokens end, and knows nothing of their meaning.
 */
#ifndef CK_CUDA_PRIVATE_H
#define CK_CUDA_PRIVATE_H

#include "base.h"

typedef enum Mark {
  MARK_END,
  MARK_NAME,
  MARK_NUMBER,
  MARK_STRING,
  MARK_ASSIGN_OP, /* += and its like */
  MARK_INCREMENT,
  MARK_DECREMENT,
  MARK_LE,
  MARK_GE,
  MARK_EQ,
  MARK_NE,
  MARK_PAIR, /* && || << >> -> :: .. */
  MARK_CHAR  /* any other character, in `c` */
} Mark;

typedef struct Tok {
  const char *lo, *hi;
  Mark form;
  char c; /* of MARK_CHAR */
} Tok;

/* An expression: up to the first of `stops` outside brackets. */
typedef struct Part {
  const char *lo, *hi;
  Tok stop;
  bool has_loose; /* has an operator of lower precedence than + */
  uint32_t count; /* of tokens */
} Part;

const char *tok_skip_space(const char *p, const char *end); /* and comments */
Tok tok_scan(const char *p, const char *end); /* the token that starts at p or behind it */
bool tok_is_char(Tok tok, char c);
bool tok_is_word(Tok tok, const char *word);
bool tok_is_one_of(Tok tok, const char *words); /* separated by blanks */
bool tok_is_pair(Tok tok, const char *pair);
/* The token that closes the bracket that was opened before p. */
Tok tok_close(const char *p, const char *end);
Part tok_part(const char *p, const char *end, const char *stops);

#endif
