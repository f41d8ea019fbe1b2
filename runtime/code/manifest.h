/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* manifest.h - the manifest of object code (docs/manifest.md), prepared for checking launches.
 *
 * The JSON is parsed once, when object code is made. Expressions are compiled to short lists of
 * operations, so that a launch evaluates one in a few nanoseconds without allocating.
 */
#ifndef CK_MANIFEST_H
#define CK_MANIFEST_H

#include "base.h"
#include "ck/kernel.h"
#include "expr.h"

struct yyjson_val;

/* Limits of this reader. A manifest that exceeds them is refused. */
enum { MAX_PARAMS = 256, MAX_EXPR_DEPTH = 32, MAX_LOOPS = 4 };

/* The variables of expressions: a number for each parameter, then those of the launch. */
enum {
  NUMBER_resident = MAX_PARAMS, /* blocks that are resident on the device at a time */
  NUMBER_grid,                  /* x, y, z */
  NUMBER_block = NUMBER_grid + 3,
  NUMBER_loop = NUMBER_block + 3, /* the loops around the step of an algorithm, outermost first */
  NUMBER_COUNT = NUMBER_loop + MAX_LOOPS
};

typedef enum ExprKind {
  EXPR_constant, /* value */
  EXPR_param,    /* the number of parameter `value`, which is not a u64 */
  EXPR_ops       /* run ops */
} ExprKind;

typedef struct ExprOp {
  int32_t op;     /* ExprId, or an operation of expr.c */
  int32_t param;  /* the parameter that is read */
  Integer number; /* the constant */
} ExprOp;

typedef struct Expr {
  ExprKind kind;
  uint32_t op_count;
  int64_t value;
  const ExprOp *ops;
  const char *text; /* as in the manifest; NULL: no expression */
} Expr;

typedef struct ManifestParam {
  const char *name;
  ck_param_kind_t kind;
  const char *type; /* as CK writes it: type of the scalar, or of the elements */
  ck_dtype_t dtype;
  ck_access_t access;
  uint32_t components; /* components of a vector element; 1: a scalar */
  uint32_t element_bytes, element_align;
  const char *layout;    /* of a struct, tuple or array; or NULL */
  uint32_t extent_count; /* 0 for a span: it has its own length */
  bool is_in_expr;       /* it occurs in an expression */
  uint32_t rank;         /* of a texture, surface or tensor map */
  bool is_layered;       /* likewise */
  /* Index of the driver's parameter; a length, or the bytes of a tensor map's box, are the next
   * one. */
  uint32_t slot;
  Expr extents[4];
} ManifestParam;

/* The part of a parameter that most launches need; contiguous for the parameters of a kernel. */
typedef struct ManifestRow {
  uint32_t dtype; /* of a scalar that occurs in no expression: its argument is passed unchanged */
  uint32_t slot;
} ManifestRow;

enum { ROW_OTHER = UINT32_MAX }; /* not a dtype: any other parameter */

/* A scalar in an algorithm's result. */
typedef struct ManifestPart {
  const char *name;
  ck_dtype_t dtype;
  uint32_t offset;
} ManifestPart;

/* A loop around the step of an algorithm. */
typedef struct ManifestLoop {
  int64_t id;    /* equal for the steps in one loop */
  Expr from, to; /* its first number, and the first behind the last */
} ManifestLoop;

/* What has to hold for the launch of an algorithm: where the condition holds, `has` is at least
 * `needs`, or not 0; or a number of a type. */
typedef struct ManifestNeed {
  const char *what; /* of which they are the numbers of elements; what is wrong if it is 0 */
  Expr condition;   /* text NULL: always */
  Expr has, needs;  /* needs: may have no text */
  ck_dtype_t dtype; /* which has the number `needs`; CK_NONE: `has` is compared */
} ManifestNeed;

/* A kernel, or an algorithm of several kernels, its steps. */
typedef struct ManifestKernel {
  const char *name, *symbol;
  const char **written; /* its other names: an instance as it was written */
  uint32_t written_count;
  uint32_t line;
  uint32_t param_count, slot_count;
  ManifestParam *params;
  const ManifestRow *rows;               /* for each parameter */
  const uint32_t *spans, *written_spans; /* indices of the parameters that are */
  uint32_t span_count, written_span_count;
  bool has_values;                    /* has structs or tensor maps, which are passed by address */
  Expr block[3], grid[3], cluster[3]; /* text of [0] NULL: given by the launch */
  Expr dynamic_shared;
  Expr scratch_bytes;         /* its address is the last parameter */
  const ManifestPart *result; /* of an algorithm, where it is the last parameter; NULL: none */
  uint32_t result_count;
  uint32_t shared_bytes;
  bool is_coroutine;
  bool needs_resident; /* the grid depends on the number of resident blocks */
  bool is_cooperative; /* it synchronises the grid */
  bool is_dependent;   /* it waits for the previous launch (grid.wait_dependencies) */
  /* Of the step of an algorithm: */
  bool is_step;
  Expr kept_bytes;  /* its persistent memory; the address is the parameter behind scratch memory */
  bool is_kept_own; /* no other algorithm may write it */
  Expr condition;   /* text NULL: always launched */
  ManifestLoop loops[MAX_LOOPS]; /* around it; their numbers are the last parameters */
  uint32_t loop_count;
  /* Of an algorithm: its steps in order, with the same parameters. */
  const struct ManifestKernel **steps;
  uint32_t step_count;
  const ManifestNeed *needs;
  uint32_t need_count;
} ManifestKernel;

/* Another name of a kernel or variable: a name expression of C++. */
typedef struct ManifestSymbol {
  const char *name, *symbol;
} ManifestSymbol;

typedef struct Manifest {
  const char *source, *target, *backend;
  const char *cpu;   /* for host code: the CPU level it needs; "": not stated */
  const char *image; /* for host code: the digest of the image; "": not stated */
  ManifestSymbol *symbols;
  uint32_t symbol_count;
  bool has_foreign; /* the code has kernels that are not listed */
  ManifestKernel *kernels;
  uint32_t kernel_count;
  const char **imports; /* absolute paths of imported files; NULL: not stated */
  uint32_t import_count;
  const char **looked_for; /* paths at which imports were searched; some don't exist */
  uint32_t looked_for_count;
} Manifest;

/* What an expression may read besides parameters, by when it is evaluated. */
typedef enum ExprReads { READS_params, READS_resident, READS_shape } ExprReads;

/* Compiles an expression of a kernel; the lengths of the parameters before `known_params` can be
 * used. False with the reason in `why`. */
bool expr_compile(Arena *arena, ManifestKernel *kernel, uint32_t known_params, ExprReads reads,
                  const char *text, Expr *out, Buf *why);

/* Evaluates an expression. numbers[i] is scalar parameter i (for a u64 its bits), or the length of
 * span i. */
ExprError expr_run(const Expr *expr, const int64_t *numbers, int64_t *out);

/* Whether the expression reads the number of the parameter. */
bool expr_reads(const Expr *expr, uint32_t param);

static inline ExprError expr_eval(const Expr *expr, const int64_t *numbers, int64_t *out)
{
  if (expr->kind == EXPR_param) *out = numbers[expr->value];
  else if (expr->kind == EXPR_constant) *out = expr->value;
  else return expr_run(expr, numbers, out);
  return EXPR_fine;
}

/* manifest_check.c: checks all keys and values against manifest_keys.def. On failure, `why` has the
 * first that is wrong, with its path. */
bool manifest_check(struct yyjson_val *root, Buf *why);

/* Finds the JSON in object code: behind an image, where *out_image_bytes is the end of the image;
 * in PTX joined from comment lines, in `arena`. False if there is none; then *out_image_bytes is
 * `bytes`. */
bool manifest_locate(Arena *arena, const void *data, size_t bytes, const char **out_json,
                     size_t *out_json_bytes, size_t *out_image_bytes);

/* Parses a manifest; NULL with the reason in `why`. Everything is in `arena`. */
const Manifest *manifest_parse(Arena *arena, const char *json, size_t bytes, Buf *why);

/* Size and alignment of a driver parameter: a parameter, an address, a span's length, the bytes of
 * a tensor map's box, scratch memory. */
uint32_t manifest_slot_bytes(const ManifestKernel *kernel, uint32_t slot);
uint32_t manifest_slot_align(const ManifestKernel *kernel, uint32_t slot);

/* The length of a host manifest up to its last key, which is "image": the part of which the image
 * has a digest (CK_HOST_MANIFEST_SECTION). 0 if it does not end with that key. */
size_t manifest_prefix(const char *json, size_t bytes);

/* Finds a kernel by its name, ignoring blanks, or by its symbol; NULL if there is none. Trailing
 * compile-time arguments may be left out if that matches one kernel only. */
const ManifestKernel *manifest_find(const Manifest *manifest, const char *name);

/* The symbol of a name, ignoring blanks; NULL if there is none. */
const char *manifest_symbol(const Manifest *manifest, const char *name);

/* manifest_write.c -------------------------------------------------------------------------- */

/* The contents of a manifest for code that other compilers made, or that was linked. */
typedef struct ManifestParts {
  const char *source, *target, *backend;
  const char *const *jsons; /* manifests of the linked pieces */
  size_t json_count;
  const ManifestSymbol *symbols;
  size_t symbol_count;
  bool has_foreign;
  bool has_functions; /* the result keeps the functions of the pieces for a later link */
} ManifestParts;

/* Writes the JSON. False with the reason in `why` if the manifest of a piece is malformed. */
bool manifest_write(Buf *out, const ManifestParts *parts, Buf *why);

/* Inserts a manifest at the place for this form of code. */
void manifest_attach(Buf *code, ck_emit_t form, const char *json, size_t bytes);

#endif
