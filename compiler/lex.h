/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* lex.h - between the lexer, the parser and the token dump. */
#ifndef CK_LEX_H
#define CK_LEX_H

#include "ast.h"

typedef struct Compile Compile;

typedef struct Lexer {
  Compile *c;
  const Source *source;
  const char *cur;
  uint32_t prev_hi;  /* where the token before ended */
  int prev;          /* the token before */
  bool in_head;      /* between `kernel`, `fn`, ... and the "(" or "{" that ends the head */
  bool in_name;      /* between `fn` and the end of the function's name */
  uint32_t angles;   /* open <...> lists */
  uint32_t brackets; /* open ( and [ inside the innermost of them */
  uint32_t braces;   /* open { */
  bool is_skipping;  /* behind an error outside braces: the rest of the item is passed over */
} Lexer;

typedef struct List {
  Node *first, *last;
} List;

/* Text that has been opened by ck_lexer_open is UTF-8 without NUL bytes. */
bool lexer_open(Lexer *lexer, Compile *c, const Source *source);
bool lex_is_generic(const Lexer *lexer); /* does the "<" before `cur` open a <...> list? */

#endif
