/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* lex.h - between the lexer, the parser and the token dump. */
#ifndef CK_LEX_H
#define CK_LEX_H

#include "front/ast.h"

typedef struct Compile Compile;

/* A piece of what the lexer reads: of the source, or made (cuda.c). The last one reaches to the
 * source's end. */
typedef struct Feed Feed;
struct Feed {
  Feed *next;
  const char *lo, *hi;
  Span span; /* of made text: what it stands for */
  bool is_made;
};

typedef struct Lexer {
  Compile *c;
  const Source *source;
  const char *cur;
  Feed *feed;         /* what `cur` points into, and what follows */
  uint32_t prev_hi;   /* where the token before ended */
  uint32_t torn_hi;   /* where the line of a text without its closing quote ended; 0: none yet */
  int prev;           /* the token before */
  bool in_head;       /* between `kernel`, `fn`, ... and the "(" or "{" that ends the head */
  bool in_name;       /* between `fn` and the end of the function's name */
  uint32_t angles;    /* open <...> lists */
  uint32_t brackets;  /* open ( and [ inside the innermost of them */
  uint32_t braces;    /* open { */
  uint32_t parens;    /* open ( since the list of parameters began */
  bool in_struct;     /* behind `struct`, to its "}" */
  bool is_struct_end; /* the last "}" was a struct's */
  VEC(Span) open;     /* braces that are open */
  uint64_t lambdas;   /* of the innermost 64 of them, as bits: |x| stands in front */
  bool ends_lambda;   /* the last "}" closes such a one */
  bool is_unopened;   /* the last "}" closes none of them */
  bool in_params;     /* in the list of parameters of a function or kernel */
  bool is_skipping;   /* behind an error outside braces: the rest of the item is passed over */
} Lexer;

typedef struct List {
  Node *first, *last;
} List;

/* Text that has been opened by ck_lexer_open is UTF-8 without NUL bytes. */
bool lexer_open(Lexer *lexer, Compile *c, const Source *source);
/* Reads from byte `lo` of the text to byte `hi`, between which tokens are whole. */
void lexer_open_piece(Lexer *lexer, Compile *c, const Source *source, uint32_t lo, uint32_t hi);
/* cuda.c: at a token, does CUDA C++ start here? Then it is reported, and the lexer has other text
 * to read, from its start. */
bool cuda_rewrite(Lexer *lexer, int token, const char *tok);
/* Reads a function from its name on, behind what stands before the name in a text of its own:
 * whatever surrounds it, it is an item. */
void lexer_open_function(Lexer *lexer, Compile *c, const Node *function);
bool lex_is_generic(const Lexer *lexer); /* does the "<" before `cur` open a <...> list? */

#endif
