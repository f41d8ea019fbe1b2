/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* front.h - from text to a tree with resolved names: what later stages call of the front end, file
 * by file. ast.h declares the tree and type.h its types; builtin.h, memory.h and target.h declare
 * rows of tables.
 */
#ifndef CK_FRONT_H
#define CK_FRONT_H

#include "front/ast.h"
#include "front/type.h"
#include "session.h"

/* Limits: parameters of a function or kernel or of <...>, and values of a print. */
enum { PARAMS_MAX = 64, PRINTED_MAX = 32 }; /* that of CUDA's printf */

/* parse.y, lex.re */
Node *parse_source(Session *c, const Source *source);
/* Parses a function again that was parsed without errors; its attributes are left out. */
Node *parse_again(Session *c, const Node *function);
void lex_dump(Session *c, const Source *source, Buf *out);

/* scalar.c: the values of scalar types */
/* The low bits of the type, sign- or zero-extended to 64 bits. */
uint64_t scalar_wrap(const Type *type, uint64_t bits);
double scalar_nearest(const Type *type, double value); /* the nearest value of the float type */
/* Like it, with a rounding mode, a WORD_round of memory.def; scalar_whole() rounds to an
 * integer. */
double scalar_round(const Type *type, double value, uint64_t word);
double scalar_whole(double value, uint64_t word);
uint64_t scalar_bf16_bits(double value);              /* its bits as bf16 */
uint64_t scalar_bits(const Type *type, double value); /* its bits as the float type */
double scalar_of_bits(const Type *type, uint64_t bits);
double scalar_of_int(uint64_t magnitude, bool is_negative, const Type *type, uint64_t word);
uint64_t scalar_to_int(double value, const Type *type); /* of an integral value */
/* Converts the text of a number with one rounding. */
double scalar_read(const char *text, const Type *type, const char **out_end);
double scalar_read_rounded(const char *text, const Type *type, uint64_t word);
bool scalar_fits(const Node *literal, const Type *type);
const char *scalar_text(Session *c, const Node *constant);

/* library.c: lib/, which is embedded in the compiler */
void library_load(Session *c);
/* The tuning table of lib/, or NULL. */
const char *library_tuning(Session *c, size_t *out_bytes);
/* Has a folder files of a library? Some alone replace others, or are in addition. */
bool library_is_in(Session *c, const char *folder);

/* module.c: the files of a program */
typedef struct Import {
  Module *module;
  const Node *node; /* the import */
} Import;
struct Module {
  const Source *source;
  const char *path; /* the canonical path; NULL if the text isn't a file */
  Node *tree;
  VEC(Import) imports;
  uint32_t index;         /* in Session.modules */
  bool is_loading;        /* its imports are being loaded (to detect cycles) */
  const Module *importer; /* the module that imported it first, and where */
  Span importer_span;
};

void modules_load(Session *c);
const Module *module_of(const Session *c, Span span); /* NULL: the library's */
bool module_sees(const Session *c, const Module *from, const Node *item);

/* algorithm.c */
#define GRID_GIVE  "__give"       /* grid's method that stores the result of an algorithm */
#define GRID_ENTER "__enter_step" /* grid's method that a step of an algorithm begins with */
/* Requests the items of the library that algorithms use implicitly. */
void algorithm_words(Session *c);
/* A node of a kind with a name and one child, or NULL. */
Node *node_named(Session *c, NodeKind kind, Span span, const char *name, Node *a);

/* resolve.c */
bool pass_resolve(Session *c);
/* resolves an instance, a fresh copy of a generic item */
void resolve_copy(Session *c, Node *item);
/* The first method of that name, such as `sync` of block or `len` of a struct, that is visible from
 * `at`; or NULL. */
Node *resolve_method(Session *c, const Type *type, const Name *name, Span at);
/* Reports that two modules declare a name that is used at `at`. */
void resolve_clash(Session *c, Span at, const Node *item, const Node *other);
/* The next function of the same name that is visible from `at`; or NULL. */
Node *resolve_overload(const Session *c, const Node *function, Span at);
bool name_is_operator(const Name *name); /* is it that of an operator function, fn +(a: P, b: P)? */
/* The functions of a name that are visible from `at`: chains of the user's and the library's.
 * Returns the number of chains. */
Node *resolve_library_function(const Name *name); /* the first of its chain, or NULL */
unsigned resolve_functions(const Session *c, const Name *name, Span at, Node *out[2]);

/* cuda.c */
/* adds a hint: the CK spelling for a foreign one */
bool cuda_hint(Session *c, const Name *name, Span span);

/* suggest.c, and resolve.c for the names of a program */
typedef struct Suggestion {
  const char *wanted, *best; /* best is NULL if no name is similar */
  unsigned least, rank;      /* the best candidate's edit distance and scope distance */
} Suggestion;
Suggestion suggest_for(const char *wanted);
void suggest_offer(Suggestion *suggestion, const char *candidate, unsigned rank);
bool suggest_give(Session *c, const Suggestion *suggestion, Span span); /* adds a hint and a fix */
bool suggest_words(Session *c, const Name *wanted, Span span, const char *words);
void suggest_methods(Session *c, const Type *type, const Name *wanted, Span span); /* x.f() */
void suggest_members(Session *c, const Type *type, const Name *wanted, Span span);

#endif
