/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* session.h - what one compilation is: its options, its target, the texts that it reads, and all
 * that it makes. The stages hand it on:
 *
 *   caller   options, the source
 *   front    sources, modules, the tree with its names resolved
 *   check    types and constants in the tree; kernels, calls, where memory lies
 *   gen      a module of LLVM
 *   target   IR, PTX, the object
 *   output   the manifest
 *
 * Two sessions share nothing but tables and the CUDA libraries. Each stage includes this header, so
 * that it knows no stage: what a stage makes is named here and declared in that stage's header.
 */
#ifndef CK_SESSION_H
#define CK_SESSION_H

#include "ck/compile.h"
#include "text/text.h"

typedef struct Session Session;
typedef struct Check Check;             /* check/check_private.h */
typedef struct Gen Gen;                 /* gen/gen.h */
typedef struct Module Module;           /* front/front.h */
typedef struct Node Node;               /* front/ast.h */
typedef struct PtxText PtxText;         /* repair/ptx.c */
typedef struct Scope Scope;             /* front/resolve.c */
typedef struct SharedFrame SharedFrame; /* check/shared.c */
typedef struct Target Target;           /* front/target.h */
typedef struct Type Type;               /* front/type.h */
typedef struct Types Types;             /* front/type.h */

/* A call from one function to another, for what spreads along calls. */
typedef struct CallEdge {
  Node *caller, *callee;
} CallEdge;

/* What a kernel takes of the machine, as the target's linker says. */
typedef struct Resources {
  const Node *kernel;
  uint32_t registers, barriers;
  uint32_t shared_bytes; /* of a block, static */
  uint32_t local_bytes;  /* of a thread: the stack frame, and in it what is spilled */
  uint32_t spill_store_bytes, spill_load_bytes;
} Resources;

/* A kernel's scratch memory, in bytes, as an expression of the manifest. */
typedef struct Scratch {
  const Node *kernel;
  const char *bytes;
} Scratch;

/* What a kernel's launch contract says of every launch. Functions that ask for it are checked and
 * generated for each shape, so that the answers are constants. */
typedef struct Shape {
  uint32_t dim[3];    /* threads of a block along x, y, z; 0: not known */
  uint32_t grid_rank; /* the grid has one block along the others; 0: not known */
} Shape;

/* An instance that was asked for, and its name as it was written: `k<raking>` of `k<2>`. */
typedef struct Asked {
  const Node *kernel;
  Span span;
} Asked;

#define MANIFEST_END "\n}\n" /* the manifest's last bytes */

struct Session {
  Arena unit_arena; /* holds this struct too */
  Arena *unit;      /* lives as long as the result */
  Arena scratch;    /* lives as long as one pass */
  ck_compile_options_t options;
  Target *target;

  Names names;
  Sources sources;
  Diag diag;
  Types *types;
  const Source *source;    /* the user's file */
  Node *module;            /* the user's */
  VEC(Module *) modules;   /* the user's, then those imported */
  VEC(const char *) files; /* that were read: imports, and what stands for lib/ */
  VEC(const char *) tried; /* where imports were looked for, as they were asked for */
  Node *library;           /* items of lib/ */
  Buf digits;              /* of the number at hand: lexer, fold */
  bool is_repairing;       /* the text is at fault: what is CUDA C++ in it is read as CK */
  bool is_read;            /* the parser found nothing wrong: the first reading's, when repairing */
  VEC(const char *) wanted; /* names that a suggestion was sought for; likewise */
  bool is_too_deep;         /* the nesting limit was passed: the rest of the text is not read */

  Scope *scope;              /* the program's names */
  Check *check;              /* while check runs */
  VEC(Node *) kernels;       /* what gen makes entries of */
  VEC(CallEdge) calls;       /* that are in the program's code */
  VEC(Scratch) scratches;    /* of kernels that have some */
  VEC(SharedFrame *) frames; /* of shared memory, by address of the function */

  Gen *gen;
  uint64_t repairs;  /* the bit of each row of repair/repair.def that is needed */
  PtxText *ptx_text; /* `ptx` as lines, while it is repaired; in `scratch` */
  Buf ir;            /* NVVM IR */
  Buf ptx;           /* or LTO-IR */
  Buf object;        /* cubin or host object */
  Buf manifest;      /* JSON */
  Buf contract;      /* its part that a launcher relies on: names, parameters, launch */
  Buf log, times;
  VEC(Asked) asked;         /* what `export` and --instance name */
  VEC(Resources) resources; /* of the kernels that the linker spoke of */
  Buf report;               /* the same as text */
  const void *output;
  size_t output_bytes;
  ck_emit_t form;
  bool is_unavailable; /* a part of the toolkit is missing: the log names it */
};

static inline void session_free(Session *session)
{
  Arena arena = session->unit_arena; /* it lies in it */
  arena_free(&arena);
}

#endif
