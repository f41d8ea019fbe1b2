/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* front.h - from text to a tree whose names are resolved: what later stages ask of the front end,
 * file by file. The tree is in ast.h, its types in type.h; rows of tables in builtin.h, memory.h
 * and target.h. */
#ifndef CK_FRONT_H
#define CK_FRONT_H

#include "front/ast.h"
#include "front/type.h"
#include "session.h"

/* Parameters of a function or kernel, and of <...>; values of a print. */
enum { PARAMS_MAX = 64, PRINTED_MAX = 32 }; /* CUDA's printf takes 32 values */

/* parse.y, lex.re */
Node *parse_source(Session *c, const Source *source);
/* A function that was read before and whose text has no faults, as it was then; without what
 * stands before its name. */
Node *parse_again(Session *c, const Node *function);
void lex_dump(Session *c, const Source *source, Buf *out);

/* scalar.c: the values of scalar types */
/* The low bits of the type, extended by its sign. */
uint64_t scalar_wrap(const Type *type, uint64_t bits);
double scalar_nearest(const Type *type, double value); /* rounded to the float type */
/* The same with a WORD_round of memory.def; scalar_whole() to a value without a fraction. */
double scalar_round(const Type *type, double value, uint64_t word);
double scalar_whole(double value, uint64_t word);
uint64_t scalar_bf16_bits(double value);              /* of a bf16 */
uint64_t scalar_bits(const Type *type, double value); /* of a float */
double scalar_of_bits(const Type *type, uint64_t bits);
double scalar_of_int(uint64_t magnitude, bool is_negative, const Type *type, uint64_t word);
uint64_t scalar_to_int(double value, const Type *type); /* of a value without a fraction */
/* The number in the text, rounded once. */
double scalar_read(const char *text, const Type *type, const char **out_end);
double scalar_read_rounded(const char *text, const Type *type, uint64_t word);
bool scalar_fits(const Node *literal, const Type *type);
const char *scalar_text(Session *c, const Node *constant);

/* library.c: lib/, which is part of this compiler */
void library_load(Session *c);

/* module.c: the files of a program */
typedef struct Import {
  Module *module;
  const Node *node; /* the import */
} Import;
struct Module {
  const Source *source;
  const char *path; /* as the file system resolves it; NULL for a text that is no file */
  Node *tree;
  VEC(Import) imports;
  uint32_t index;         /* in Session.modules */
  bool is_loading;        /* its imports are being loaded */
  const Module *importer; /* the first one, and where */
  Span importer_span;
};

void modules_load(Session *c);
const Module *module_of(const Session *c, Span span); /* NULL: the library's */
bool module_sees(const Session *c, const Module *from, const Node *item);

/* algorithm.c */
#define GRID_GIVE "__give"        /* grid's method that stores the result of an algorithm */
void algorithm_words(Session *c); /* of the library, that algorithms do not write themselves */

/* resolve.c */
bool pass_resolve(Session *c);
void resolve_copy(Session *c, Node *item); /* an instance: a fresh copy of a generic item */
/* `sync` of block, `len` of a struct, as it is seen from `at`: the first of that name, or NULL. */
Node *resolve_method(Session *c, const Type *type, const Name *name, Span at);
/* Reports that two modules declare what `at` sees under one name. */
void resolve_clash(Session *c, Span at, const Node *item, const Node *other);
/* The function of the same name that follows and that is seen from `at`; or NULL. */
Node *resolve_overload(const Session *c, const Node *function, Span at);
bool name_is_operator(const Name *name); /* of a function: fn +(a: P, b: P) */
/* Functions of a name that are seen from `at`: the user's, and the library's. How many chains. */
Node *resolve_library_function(const Name *name); /* the first of its chain, or NULL */
unsigned resolve_functions(const Session *c, const Name *name, Span at, Node *out[2]);

/* cuda.c */
bool cuda_hint(Session *c, const Name *name, Span span); /* hints how CK says such a spelling */

/* suggest.c, and resolve.c for the names of a program */
typedef struct Suggestion {
  const char *wanted, *best; /* best: NULL if nothing is near */
  unsigned least, rank;      /* of the best: its edits, how far away it is declared */
} Suggestion;
Suggestion suggest_for(const char *wanted);
void suggest_offer(Suggestion *suggestion, const char *candidate, unsigned rank);
bool suggest_give(Session *c, const Suggestion *suggestion, Span span); /* as a hint and a fix */
bool suggest_words(Session *c, const Name *wanted, Span span, const char *words);
void suggest_methods(Session *c, const Type *type, const Name *wanted, Span span); /* x.f() */
void suggest_members(Session *c, const Type *type, const Name *wanted, Span span);

#endif
