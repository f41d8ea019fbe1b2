/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* front_private.h - what the files of the front end share: the lexer, from which the parser pulls
 * tokens, and the translation of CUDA C++ in a text that is read as CK.
 */
#ifndef CK_FRONT_PRIVATE_H
#define CK_FRONT_PRIVATE_H

#include "front/front.h"

/* A segment of the lexer's input: a range of the source, or replacement text made by a fix
 * (cuda.c). The last segment reaches to the source's end. */
typedef struct Feed Feed;
struct Feed {
  Feed *next;
  const char *lo, *hi;
  Span span; /* of replacement text: the source text that it replaces */
  bool is_made;
};

typedef struct Lexer {
  Session *c;
  const Source *source;
  const char *cur;
  Feed *feed;       /* the segment with `cur`, and those that follow */
  uint32_t prev_hi; /* where the previous token ended */
  /* The end of the line with an unterminated string; 0 if there was none. */
  uint32_t torn_hi;
  int prev;           /* the previous token */
  bool in_head;       /* between `kernel`, `fn`, ... and the "(" or "{" that ends the head */
  bool in_name;       /* between `fn` and the end of the function's name */
  uint32_t angles;    /* open <...> lists */
  uint32_t brackets;  /* open ( and [ inside the innermost of them */
  uint32_t braces;    /* open { */
  uint32_t parens;    /* open ( since the list of parameters began */
  bool in_struct;     /* between `struct` and its "}" */
  bool is_struct_end; /* the last "}" was a struct's */
  VEC(Span) open;     /* braces that are open */
  uint64_t lambdas;   /* bits for the innermost 64 braces: is it the body of a lambda, |x| { }? */
  bool ends_lambda;   /* the last "}" closed a lambda */
  bool is_unopened;   /* the last "}" had no opening brace */
  bool in_params;     /* in the list of parameters of a function or kernel */
  bool is_skipping;   /* after an error outside braces: the rest of the item is skipped */
} Lexer;

typedef struct List {
  Node *first, *last;
} List;

/* Opens a source. False after a report if it isn't UTF-8, or has NUL bytes. */
bool lexer_open(Lexer *lexer, Session *c, const Source *source);
/* Opens bytes lo to hi of a source; both must be token boundaries. */
void lexer_open_piece(Lexer *lexer, Session *c, const Source *source, uint32_t lo, uint32_t hi);
/* cuda.c: does CUDA C++, Python or Rust start at this token? Then reports it, and the lexer
 * continues with the fixed text. */
bool cuda_rewrite(Lexer *lexer, int token, const char *tok);
/* Opens a function from its name on. The text before the name is replaced, so that the result is an
 * item in any context. */
void lexer_open_function(Lexer *lexer, Session *c, const Node *function);

/* parse.y: parses the part between two bytes of a text that is known to be well-formed. */
Node *parse_piece(Session *c, const Source *source, uint32_t lo, uint32_t hi);

/* scalar.c */
uint64_t scalar_literal(Session *c, Node *literal); /* reports what does not fit in its own type */

/* library.c */
bool library_import(Session *c, const char *name); /* false if lib/ has no such file */

/* split.c */
void split_words(Session *c); /* enters the words of the library that a split needs */
/* Rewrites a split as a block of ifs, in a kernel. `number`: the roles before it in the kernel. */
void split_lower(Session *c, Node *split, Node *item, uint32_t number);

/* algorithm.c */
void algorithm_lower(Session *c, Node *item); /* rewrites an algorithm as a kernel */
/* Does an algorithm launch kernels, itself or through another one? */
bool algorithm_is_plan(Session *c, const Node *item);
void algorithm_plan(Node *item); /* rewrites an algorithm as a function with launches */

/* cuda.c */
/* the language of a foreign spelling, such as "CUDA C++", or NULL */
const char *cuda_language(const Name *name);
/* Reports a spelling of another language. */
void cuda_report(Diag *diag, Span span, const char *text, const char *language);
/* cuda_hint() for a name after "owner.". */
bool cuda_member(Session *c, const char *owner, const Name *name, Span span);
/* Reports a foreign spelling that ends right before, or starts at, an unexpected token. */
bool cuda_spelling(Session *c, const Lexer *lexer, Span unexpected);

/* suggest.c */
bool suggest_is_near(const char *wanted, const char *candidate);
void suggest_builtins(Suggestion *suggestion);

#endif
