/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* session.h - one compilation: its options, its target, the texts it reads, and everything it
 * produces. The stages pass it on, and each adds what later ones need:
 *
 *   caller   options, the source
 *   front    sources, modules, the syntax tree with resolved names
 *   check    types and constants in the tree; kernels, calls, addresses of shared memory
 *   gen      a module of LLVM
 *   target   IR, PTX, the object
 *   output   the manifest
 *
 * Two sessions share only constant tables and the opened CUDA libraries, so they can run in two
 * threads. Every stage includes this header; so that it depends on no stage, the types that a stage
 * defines are only named here.
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
typedef struct SharedFrame SharedFrame; /* check/shared_frame.h */
typedef struct Target Target;           /* front/target.h */
typedef struct Type Type;               /* front/type.h */
typedef struct TuningFile TuningFile;   /* check/tune.c */
typedef struct Types Types;             /* front/type.h */

/* An edge of the call graph, along which effects propagate. */
typedef struct CallEdge {
  Node *caller, *callee;
} CallEdge;

/* A kernel's resources, as reported by the target's linker. */
typedef struct Resources {
  const Node *kernel;
  uint32_t registers, barriers;
  uint32_t shared_bytes; /* static, per block */
  uint32_t local_bytes;  /* per thread: the stack frame, spilled registers included */
  uint32_t spill_store_bytes, spill_load_bytes;
} Resources;

/* The size of a kernel's scratch memory in bytes: an expression as in the manifest. */
typedef struct Scratch {
  const Node *kernel;
  const char *bytes;
  const char *kept; /* the bytes of persistent scratch memory */
  bool is_kept_own; /* some of it is declared outside of the library */
} Scratch;

/* An algorithm that launches kernels, and one of its steps. Expressions are as in the manifest. */
typedef struct Plan {
  const Node *item; /* the algorithm's function */
  Type *result;     /* or NULL */
  bool in_place;    /* the steps write the result where the caller wants it */
} Plan;
enum { PLAN_LOOPS_MAX = 4 };
typedef struct PlanLoop {
  const char *from, *to; /* its first number, and the first behind the last */
  uint32_t id;           /* equal for the steps in one loop */
} PlanLoop;
typedef struct PlanStep {
  const Plan *plan;
  Node *kernel;
  const char *grid[3]; /* x first; NULL: one block along the axis */
  const char *cluster[3];
  const char *condition;          /* NULL: always */
  PlanLoop loops[PLAN_LOOPS_MAX]; /* around it, outermost first */
  uint32_t loop_count;
  bool is_never; /* its condition is false for each launch; check/scratch.c drops it */
} PlanStep;

/* What has to hold for an algorithm's launch: `has` is at least `needs`, `type` has the number
 * `needs`, or, without `needs`, `has` isn't 0. */
typedef struct PlanNeed {
  const Plan *plan;
  const char *condition;   /* where it has to hold; NULL: always */
  const char *has, *needs; /* either may be NULL */
  const Type *type;        /* NULL: `has` is compared */
  const char *what;        /* of which it is the number of elements; what is wrong without it */
} PlanNeed;

/* A constant that is declared as `tune(...)`, and the value that it has. Values are as text. */
typedef struct Tuning {
  const Node *constant;
  const char *value;
  const char *values; /* all of them, in quotes and with commas */
  const char *from;   /* the table that chose the value, or "default" */
} Tuning;

/* What a kernel's launch contract guarantees for every launch. Functions that ask for these values
 * are checked and generated once for each shape, so that the answers are constants. */
typedef struct Shape {
  uint32_t dim[3];    /* threads of a block along x, y, z; 0: unknown */
  uint32_t grid_rank; /* axes along which the grid may have more than one block; 0: unknown */
} Shape;

/* A requested instance, and its name as written: `k<raking>` for k<2>. */
typedef struct Asked {
  const Node *kernel;
  Span span;
} Asked;

/* The last bytes of the manifest; image.c replaces them to append a field. */
#define MANIFEST_END "\n}\n"

struct Session {
  Arena unit_arena; /* also holds this struct */
  /* Memory that lives as long as the result. */
  Arena *unit;
  Arena scratch; /* memory of one pass */
  ck_compile_options_t options;
  Target *target;

  Names names;
  Sources sources;
  Diag diag;
  Types *types;
  const Source *source;     /* the user's file */
  Node *module;             /* the user's */
  VEC(Module *) modules;    /* the user's, then those imported */
  VEC(const char *) files;  /* files that were read: imports, and those that replace lib/ */
  VEC(const char *) tried;  /* paths where imports were searched, as requested */
  Node *library;            /* the items of lib/ that are used */
  Buf digits;               /* digits of the current number: lexer, fold */
  bool is_repairing;        /* the text has errors: CUDA C++ in it is translated to CK */
  bool is_read;             /* the parser found no error; when repairing, in its first run */
  VEC(const char *) wanted; /* names for which suggestions were searched; likewise */
  bool is_too_deep;         /* the nesting limit was exceeded: the rest of the text is skipped */

  Scope *scope;           /* the names that are visible in the program */
  Check *check;           /* while check runs */
  VEC(Node *) kernels;    /* the kernels to generate */
  VEC(CallEdge) calls;    /* the call graph */
  VEC(Scratch) scratches; /* the kernels that have scratch memory */
  VEC(Plan *) plans;      /* the algorithms that launch kernels */
  VEC(PlanStep) steps;    /* their steps, in order */
  VEC(PlanNeed) needs;    /* what has to hold for their launches */
  VEC(Tuning) tunings;    /* the tuning parameters that were needed */
  VEC(TuningFile *) tuning_files;
  VEC(SharedFrame *) frames; /* frames of shared memory, sorted by the function's address */

  Gen *gen;
  uint64_t repairs;  /* a bit for each row of repair/repair.def that is needed */
  PtxText *ptx_text; /* `ptx` as lines, while it is repaired; in `scratch` */
  Buf ir;            /* NVVM IR */
  Buf ptx;           /* or LTO-IR */
  Buf object;        /* cubin or host object */
  Buf manifest;      /* JSON */
  /* the part of the manifest that a launcher relies on: names, parameters, launch */
  Buf contract;
  Buf log, times;
  VEC(Asked) asked;         /* instances named by `export` and --instance */
  VEC(Resources) resources; /* of the kernels in the linker's report */
  Buf report;               /* the linker's report as text */
  const void *output;
  size_t output_bytes;
  ck_emit_t form;
  bool is_unavailable;  /* a part of the toolkit is missing: the log names it */
  bool is_quick;        /* the code is made in less time (target/quick.c) */
  bool has_asked_quick; /* a constant depends on is_quick */
  bool is_checked;      /* a manifest was asked for, and made: ck_compile_kernels may go on */
  bool is_refused;      /* it can't be, since it might compute other bits */
};

static inline void session_free(Session *session)
{
  Arena arena = session->unit_arena; /* a copy: the arena holds the session itself */
  arena_free(&arena);
}

#endif
