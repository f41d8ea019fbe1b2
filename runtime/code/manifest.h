/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* manifest.h - what object code says of its kernels (docs/manifest.md), ready to check launches.
 *
 * Texts are parsed once, when code is made. Expressions become a short row of operations, so that
 * a launch evaluates one in a few nanoseconds and allocates nothing.
 */
#ifndef CK_MANIFEST_H
#define CK_MANIFEST_H

#include "base.h"
#include "ck/ck.h"
#include "expr.h"

struct Json;

/* Limits of this reader. A manifest beyond them is refused. */
enum { MAX_PARAMS = 256, MAX_EXPR_DEPTH = 32 };

/* What expressions read: a number for each parameter, then those of the launch. */
enum {
  NUMBER_resident = MAX_PARAMS, /* blocks that the device runs at a time */
  NUMBER_grid,                  /* x, y, z */
  NUMBER_block = NUMBER_grid + 3,
  NUMBER_COUNT = NUMBER_block + 3
};

typedef enum ExprKind {
  EXPR_constant, /* value */
  EXPR_param,    /* the number of parameter `value`, which is no u64 */
  EXPR_ops       /* run ops */
} ExprKind;

typedef struct ExprOp {
  int32_t op;     /* ExprId, or one of expr.c's own */
  int32_t param;  /* whose number it is */
  Integer number; /* of a constant */
} ExprOp;

typedef struct Expr {
  ExprKind kind;
  uint32_t op_count;
  int64_t value;
  const ExprOp *ops;
  const char *text; /* as in the manifest; NULL: there is no expression */
} Expr;

typedef struct ManifestParam {
  const char *name;
  ck_param_kind_t kind;
  const char *type; /* as CK writes it: of the scalar, or of the elements */
  ck_dtype_t dtype;
  ck_access_t access;
  uint32_t components; /* of an element that is a vector; 1: a scalar */
  uint32_t element_bytes, element_align;
  const char *layout;    /* of a struct, tuple or array; or NULL */
  uint32_t extent_count; /* 0 for a span: it carries its own length */
  bool is_in_expr;       /* some expression reads it */
  uint32_t rank;         /* of a texture, surface or tensor map */
  bool is_layered;       /* likewise */
  uint32_t slot; /* its place among the driver's parameters; a length, or the bytes of a tensor
                  * map's box, have the next one */
  Expr extents[4];
} ManifestParam;

/* What most launches read of a parameter: the rows of a kernel lie side by side. */
typedef struct ManifestRow {
  uint32_t dtype; /* of a scalar that no expression reads: its argument passes as it is */
  uint32_t slot;
} ManifestRow;

enum { ROW_OTHER = UINT32_MAX }; /* no such dtype: all else */

/* A number of an algorithm's result. */
typedef struct ManifestPart {
  const char *name;
  ck_dtype_t dtype;
  uint32_t offset;
} ManifestPart;

typedef struct ManifestKernel {
  const char *name, *symbol;
  const char **written; /* its other names: an instance as it was asked for */
  uint32_t written_count;
  uint32_t line;
  uint32_t param_count, slot_count;
  ManifestParam *params;
  const ManifestRow *rows;               /* of each parameter */
  const uint32_t *spans, *written_spans; /* which parameters are */
  uint32_t span_count, written_span_count;
  bool has_values; /* structs or tensor maps, which the driver reads where they lie */
  Expr block[3], grid[3], cluster[3]; /* text of [0] NULL: the launch gives it */
  Expr dynamic_shared;
  Expr scratch_bytes;         /* its address is the last slot */
  const ManifestPart *result; /* of an algorithm, whose last parameter it is; NULL: none */
  uint32_t result_count;
  uint32_t shared_bytes;
  bool is_coroutine;
  bool needs_resident; /* its grid is made of the blocks that run at a time */
  bool is_cooperative; /* it waits for all blocks of the grid */
  bool is_dependent;   /* it waits for the launch ahead of it */
} ManifestKernel;

/* A kernel or a variable by another name than its symbol: C++'s names of instances. */
typedef struct ManifestSymbol {
  const char *name, *symbol;
} ManifestSymbol;

typedef struct Manifest {
  const char *source, *target, *backend;
  const char *cpu;   /* of host code: the level that it is made for; "": not said */
  const char *image; /* likewise: the digest of what stands before the manifest; "": not said */
  ManifestSymbol *symbols;
  uint32_t symbol_count;
  bool has_foreign; /* the code has kernels besides those that are listed */
  ManifestKernel *kernels;
  uint32_t kernel_count;
  const char **imports; /* absolute paths of files that the source imports; NULL: not said */
  uint32_t import_count;
  const char **looked_for; /* paths as imports asked for them; not all of them are there */
  uint32_t looked_for_count;
} Manifest;

/* What an expression may read besides parameters: what is known when it is evaluated. */
typedef enum ExprReads { READS_params, READS_resident, READS_shape } ExprReads;

/* Compiles `text` for a kernel whose parameters before `known_params` have known lengths. False
 * with the reason in `why`. */
bool expr_compile(Arena *arena, ManifestKernel *kernel, uint32_t known_params, ExprReads reads,
                  const char *text, Expr *out, Buf *why);

/* numbers[i] is scalar parameter i, of a u64 its bits, or the length of span i. */
ExprError expr_run(const Expr *expr, const int64_t *numbers, int64_t *out);

static inline ExprError expr_eval(const Expr *expr, const int64_t *numbers, int64_t *out)
{
  if (expr->kind == EXPR_param) *out = numbers[expr->value];
  else if (expr->kind == EXPR_constant) *out = expr->value;
  else return expr_run(expr, numbers, out);
  return EXPR_fine;
}

/* manifest_check.c: whether all keys and values are such as manifest_keys.def has; else the first
 * that is not, with its place, in `why`. */
bool manifest_check(const struct Json *root, Buf *why);

/* Finds the JSON in object code. Behind an image: *out_image_bytes is where the image ends. In
 * PTX: the joined lines, in `arena`. False if there is none; then *out_image_bytes is `bytes`. */
bool manifest_locate(Arena *arena, const void *data, size_t bytes, const char **out_json,
                     size_t *out_json_bytes, size_t *out_image_bytes);

/* Parses. NULL with the reason in `why`. Everything lies in `arena`. */
const Manifest *manifest_parse(Arena *arena, const char *json, size_t bytes, Buf *why);

/* The bytes of one of the driver's parameters, and what its address is a multiple of: a parameter,
 * an address, a span's length, the bytes of a tensor map's box, scratch memory. */
uint32_t manifest_slot_bytes(const ManifestKernel *kernel, uint32_t slot);
uint32_t manifest_slot_align(const ManifestKernel *kernel, uint32_t slot);

/* The bytes of a host object's manifest in front of its last key, which is "image": those that the
 * image has a digest of (CK_HOST_MANIFEST_SECTION). 0 if the text does not end with that key. */
size_t manifest_prefix(const char *json, size_t bytes);

/* A kernel by its name, blanks ignored, or by its symbol; NULL if there is none. Compile-time
 * arguments may be left out at the end if one kernel alone fits then. */
const ManifestKernel *manifest_find(const Manifest *manifest, const char *name);

/* The symbol of a name, blanks ignored; NULL if there is none. */
const char *manifest_symbol(const Manifest *manifest, const char *name);

/* manifest_write.c -------------------------------------------------------------------------- */

/* What a manifest of code says that CK's compiler did not make, or did not make alone. */
typedef struct ManifestParts {
  const char *source, *target, *backend;
  const char *const *jsons; /* of what was linked */
  size_t json_count;
  const ManifestSymbol *symbols;
  size_t symbol_count;
  bool has_foreign;
  bool has_functions; /* those of the parts are there for a next link */
} ManifestParts;

/* Adds the JSON. False with the reason in `why` if a part can't be read. */
bool manifest_write(Buf *out, const ManifestParts *parts, Buf *why);

/* Puts a manifest where code of this form has it. */
void manifest_attach(Buf *code, ck_emit_t form, const char *json, size_t bytes);

#endif
