/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* front_private.h - what the files of the front end share: the lexer, which the parser pulls tokens
 * from, and CUDA C++ in a text that is read as CK. */
#ifndef CK_FRONT_PRIVATE_H
#define CK_FRONT_PRIVATE_H

#include "front/front.h"

/* A piece of the text that the lexer reads: of the source, or text made by a fix (cuda.c). The last
 * piece reaches to the source's end. */
typedef struct Feed Feed;
struct Feed {
  Feed *next;
  const char *lo, *hi;
  Span span; /* of made text: the source text that it replaces */
  bool is_made;
};

typedef struct Lexer {
  Session *c;
  const Source *source;
  const char *cur;
  Feed *feed;       /* the piece with `cur`, and those that follow */
  uint32_t prev_hi; /* where the previous token ended */
  /* Where the line of a string without its closing quote ended; 0: there was none. */
  uint32_t torn_hi;
  int prev;           /* the previous token */
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
  bool is_skipping;   /* behind an error outside braces: the rest of the item is skipped */
} Lexer;

typedef struct List {
  Node *first, *last;
} List;

/* Opens a source. False after a report if it isn't UTF-8, or has NUL bytes. */
bool lexer_open(Lexer *lexer, Session *c, const Source *source);
/* Opens bytes lo to hi of a source; both have to be token boundaries. */
void lexer_open_piece(Lexer *lexer, Session *c, const Source *source, uint32_t lo, uint32_t hi);
/* cuda.c: does CUDA C++, Python or Rust start at this token? Then it is reported, and the lexer
 * reads the fixed text from there on. */
bool cuda_rewrite(Lexer *lexer, int token, const char *tok);
/* Reads a function again from its name on. What comes before the name is made text, so that it is
 * an item whatever surrounds it. */
void lexer_open_function(Lexer *lexer, Session *c, const Node *function);

/* parse.y: of a text that is known to be well-formed, what stands between two of its bytes. */
Node *parse_piece(Session *c, const Source *source, uint32_t lo, uint32_t hi);

/* scalar.c */
uint64_t scalar_literal(Session *c, Node *literal); /* reports what does not fit in its own type */

/* library.c */
bool library_import(Session *c, const char *name); /* false if lib/ has no such file */

/* algorithm.c */
void algorithm_lower(Session *c, Node *item); /* an algorithm becomes a kernel */

/* cuda.c */
const char *cuda_language(const Name *name); /* whose spelling it is, such as "CUDA C++", or NULL */
/* cuda_hint() for what stands behind "owner.". */
bool cuda_member(Session *c, const char *owner, const Name *name, Span span);
/* Reports the spelling that ends right before, or starts at, a token that does not fit. */
bool cuda_spelling(Session *c, const Lexer *lexer, Span unexpected);

/* suggest.c */
bool suggest_is_near(const char *wanted, const char *candidate);
void suggest_builtins(Suggestion *suggestion);

#endif
