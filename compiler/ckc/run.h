/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* run.h - what the files of `ckc run` share: values of the command line, arrays, extents.
 *
 *     words of the command line     n=100 x=rand:100           Value: what to make
 *     parameters of the kernel      n: u64, x: in f32[n], ...  Param: its type, its Value
 *     extents of the manifest       "n * 2"                    Extent: known, or linear in a name
 *     buffers                       filled from the values, then launched, printed or saved
 */
#ifndef CK_RUN_H
#define CK_RUN_H

#include "ck/ck.h"
#include "ckc.h"
#include "expr.h"

enum { EXTENTS_MAX = 5 }; /* a file has one more for the components of vectors */

/* The extents of an array, outermost first. */
typedef struct Shape {
  uint64_t at[EXTENTS_MAX];
  uint32_t rank;
  uint64_t count; /* elements: their product */
} Shape;

bool shape_is_same(const Shape *a, const Shape *b);
bool shape_set_count(Shape *shape);                       /* false: the product does not fit */
const char *shape_text(Arena *arena, const Shape *shape); /* "3x4" */

/* npy.c ------------------------------------------------------------------------------------- */

/* An open .npy file, mapped so that its data are read only when needed. */
typedef struct Npy {
  Shape shape;
  const char *data;
  void *map; /* what to unmap, or NULL */
  size_t map_bytes;
} Npy;

/* Opens a file whose elements are numbers of a type. If `layout` is not NULL, they are structs,
 * tuples or arrays with that layout (docs/manifest.md), of `width` bytes each. False with one line
 * in `why`. */
bool npy_open(Npy *npy, Arena *arena, const char *path, ck_dtype_t dtype, const char *layout,
              size_t width, Buf *why);
void npy_close(Npy *npy);
/* The name of a type in a file: "<f4". */
const char *npy_type(ck_dtype_t dtype);
/* The bytes of a file before its data; `descr`: npy_type, or npy_fields_text. */
void npy_header(Buf *out, const char *descr, const Shape *shape);

/* npy_fields.c ------------------------------------------------------------------------------ */

/* A copy of bytes from a record in a file to one in memory. */
typedef struct NpyMove {
  size_t from, to, bytes;
} NpyMove;

typedef struct NpyFields {
  Arena *arena;
  VEC(NpyMove) moves;
  size_t bytes;        /* of the file's element type */
  size_t record_bytes; /* of the file, for each record, to which the last `axes` extents belong */
  uint32_t axes;
} NpyFields;

/* Matches the type of a file's elements, "<f4" or "[('x', '<f4'), ...]", with a layout. */
bool npy_match_fields(NpyFields *out, const char *descr, const Shape *shape, const char *layout,
                      Buf *why);
/* The type of a layout, as a file has it. An array is its element's type, and extents of the file.
 */
const char *npy_fields_text(Arena *arena, const char *layout, size_t width, Shape *io_shape);

/* number.c ---------------------------------------------------------------------------------- */

/* Reads a number of a type into `out`; an integer also into *out_integer. False with one line in
 * `why`. */
bool number_read(const char *text, ck_dtype_t dtype, ck_arg_t *out, int64_t *out_integer, Buf *why);
/* Writes an element with the fewest digits from which number_read gives the same bits. */
enum { NUMBER_TEXT_BYTES = 32 };
void number_text(char out[NUMBER_TEXT_BYTES], ck_dtype_t dtype, const void *element);
/* The f16 and bf16 nearest to a value, ties to even. */
uint16_t f16_of(double value);
uint16_t bf16_of(double value);
/* Values of tests: its 64 bits of precision hold every element of every type exactly. */
typedef long double Wide;
/* The type with a name of `len` bytes. */
bool number_type(const char *name, size_t len, ck_dtype_t *out);
bool number_is_integer(ck_dtype_t dtype); /* or bool */
/* An integer with all its digits; another number with the fewest from which it can be read back. */
const char *number_wide_text(Arena *arena, Wide value);
Wide number_wide(ck_dtype_t dtype, const void *data, uint64_t i);
/* Rounds a value to element i. False: the element is an integer, and the value is none or doesn't
 * fit. */
bool number_store(ck_dtype_t dtype, void *data, uint64_t i, Wide value);

/* value.c ----------------------------------------------------------------------------------- */

typedef enum ValueKind {
  VALUE_NUMBER,
  VALUE_FILE,
  VALUE_ZEROS,
  VALUE_ONES,
  VALUE_IOTA,
  VALUE_RAND,
  VALUE_DATA,  /* elements in memory */
  VALUE_SHARED /* the buffer of an array of the previous launch itself */
} ValueKind;

/* One NAME=VALUE. */
typedef struct Value {
  const char *name, *text;
  /* of `ckc run`: the value as written, before it is made for its parameter */
  const struct TestValue *written;
  ValueKind kind;
  Shape shape; /* of generated arrays */
  uint64_t seed;
  bool has_range; /* VALUE_RAND: from lo to hi, hi itself for integers only */
  double lo, hi;
  const void *data; /* VALUE_DATA: in the parameter's type; of one struct or tuple too; borrowed */
  const struct Param *shared;     /* VALUE_SHARED: whose buffer it is */
  const struct ImageSetup *setup; /* texture(...); or NULL */
} Value;

/* How a texture reads its array. */
typedef struct ImageSetup {
  ck_texture_options_t options;
  bool is_buffer;      /* rows of a buffer, no array */
  const Value *levels; /* of a mipmap, behind the first: VALUE_DATA */
  uint32_t level_count;
} ImageSetup;

bool value_check_range(const Value *value); /* lo..hi holds a number, and no more than 2^53 */
/* Makes elements first to first + count of an array. */
void value_fill(const Value *value, ck_dtype_t dtype, uint64_t first, size_t count, void *out);

/* extent.c ---------------------------------------------------------------------------------- */

/* A name in an extent: a scalar's value or a span's length. */
typedef struct ExtentName {
  const char *name;
  bool is_span;
  bool is_known;
  bool is_u64; /* `value` is its bits */
  int64_t value;
} ExtentName;

/* An extent, as far as it is known: offset + scale * names[unknown], or just offset if unknown is
 * -1. */
typedef struct Extent {
  bool is_linear;  /* false: it has several unknown names, or isn't linear in its one */
  ExprError error; /* with is_linear: the reason why it has no value */
  int64_t offset, scale;
  int unknown;
} Extent;

Extent extent_read(const char *expression, const ExtentName *names, size_t count);
/* The expression in infix form: "n * 2". */
const char *extent_text(Arena *arena, const char *expression);
bool extent_mentions(const char *expression, const char *name);

/* array.c ----------------------------------------------------------------------------------- */

/* Copies between a buffer and a file or standard output in pieces. */
/* `layout`: of structs, tuples and arrays, of `width` bytes; NULL: numbers of a type. */
Exit array_fill(ck_buffer_t *buffer, const Value *value, const Npy *npy, ck_dtype_t dtype,
                const char *layout, size_t width, uint64_t count, ck_stream_t *stream);
Exit array_save(ck_buffer_t *buffer, const char *descr, uint64_t bytes, const Shape *shape,
                const char *path, ck_stream_t *stream);
/* "NAME = [...]", at most `limit` elements of the parameter's type. */
Exit array_print(ck_buffer_t *buffer, const ck_param_t *info, const Shape *shape, uint64_t limit,
                 bool says_more, ck_stream_t *stream);

/* record.c ---------------------------------------------------------------------------------- */

/* The end of one part of a layout (docs/manifest.md): its ',', its bracket or the end of the
 * text. */
const char *record_skip(const char *layout);
/* The first scalar of a layout. False: it is damaged. */
bool record_first(const char *layout, ck_dtype_t *out_dtype, size_t *out_offset);
/* Part `index` of a struct, tuple or array, and its name in a struct (0 bytes: it has none). NULL:
 * it has fewer. */
const char *record_item(const char *layout, uint32_t index, const char **out_name,
                        size_t *out_bytes);
/* The next part of the same struct, tuple or array, so that a large array is walked in linear time.
 * NULL: it was the last. */
const char *record_next(const char *part, const char **out_name, size_t *out_bytes);
/* The part with a name: a field's, or f0, f1 ... of a tuple. NULL: there is none. */
const char *record_field(const char *layout, const char *name);
/* The scalars of a layout in their order, each with its name behind the record's, as ".y[1]". */
typedef struct RecordPart {
  const char *name;
  ck_dtype_t dtype;
  size_t offset;
} RecordPart;
typedef VEC(RecordPart) RecordParts;
RecordParts record_parts(Arena *arena, const char *layout, size_t size);
/* The bytes of a record up to the end of its last scalar: a part of a greater record may be the
 * last thing in memory, so that no more of it can be read. */
size_t record_end(const char *layout, size_t size);
/* Generates records first to first + count of zeros:N, ones:N, iota:N or rand:N, each scalar of a
 * record by itself. */
void record_fill(const Value *value, const char *layout, size_t width, uint64_t first, size_t count,
                 void *out);
/* Writes the text of a record, as {x: 1, at: (2, 3)}. */
void record_print(const char *layout, const void *bytes, size_t size);

/* run.c ------------------------------------------------------------------------------------- */

/* A parameter of the kernel, and its argument as far as it is known. */
typedef struct Param {
  ck_param_t info;
  const Value *value;  /* NULL: none is given */
  const char *told_by; /* of scalars: the array whose shape gave its value, or NULL */
  bool is_kept;        /* of scalars: it has the value of the previous launch */
  ck_arg_t arg;
  Shape shape; /* of spans */
  Npy npy;
  ck_buffer_t *buffer;
  ck_buffer_t *initial; /* the initial contents of an inout array, if there are several launches */
  /* Of textures and surfaces: */
  ck_dtype_t reads; /* the kernel; info.dtype is the type of the elements */
  ck_array_t *array;
  ck_texture_t *texture;
  ck_surface_t *surface;
  ck_buffer_t *rows; /* of a texture of a buffer */
} Param;

/* A call of a kernel, with all that it owns until run_release. */
typedef struct Run Run;
struct Run {
  const Options *options;
  Arena *arena;
  const char *path, *kernel_name;
  VEC(Value) values;
  ck_device_t *device;
  ck_program_t *program;
  ck_object_code_t *code;
  ck_kernel_t *kernel;
  ck_stream_t *stream;
  Param *params;
  ExtentName *names; /* of the parameters, in their order */
  size_t count;
  ck_launch_config_t config;
  ck_arg_t *args;
  const Run *before; /* the previous launch, whose arrays and scalars it may use; NULL: none */
};

/* Each step prints the reason to standard error if it fails. */
Exit run_compile(Run *run);        /* opens the device as well */
Exit run_find_kernel(Run *run);    /* and its parameters */
Exit run_read_arguments(Run *run); /* matches `values` with them and computes the others */
/* Makes and fills the buffers and the launch's arguments. is_repeated: run_restore will be
 * called. */
Exit run_prepare(Run *run, bool is_repeated);
ck_status_t run_restore(Run *run);            /* restores inout arrays to their initial contents */
Exit run_status(ck_status_t status);          /* of a launch: prints why it failed */
Param *run_param(Run *run, const char *name); /* NULL: there is none */
/* The array of this name in the newest previous launch, which a parameter may use; NULL: none. */
const Param *run_kept_array(const Run *run, const Param *param, const char *name);
uint32_t run_components(const Param *param); /* numbers that an element has in memory and files */
Shape run_stored_shape(const Param *param);  /* the components of vectors are the last axis */
/* The bytes of arrays that a launch moves: each is read or written once, `inout` both. */
double run_span_bytes(const Run *run);
void run_release(Run *run);

/* image.c ---------------------------------------------------------------------------------- */

bool param_is_image(const Param *param); /* a texture or surface */
const char *image_text(Arena *arena, const Param *param);
/* Sets the type of the elements. False: the kernel can't read them. */
bool image_set_type(Param *param, ck_dtype_t dtype);
Exit image_check(Run *run, const Param *param); /* its shape */
/* Makes the texture or surface from the buffer, and the launch's argument. */
Exit image_make(Run *run, Param *param);
ck_status_t image_restore(const Run *run, const Param *param); /* restores its initial contents */
/* copies its elements to the buffer */
Exit image_fetch(const Run *run, Param *param);
void image_release(Param *param);

/* result.c --------------------------------------------------------------------------------- */

bool run_is_result(const Run *run, const Param *param); /* is it the result of an algorithm? */
Exit result_read(const Run *run, Arena *arena, const char **out_bytes);
Exit result_print(const Run *run); /* "result = V"; nothing if there is none */

/* device.c --------------------------------------------------------------------------------- */

/* Prints why a call of libckrt failed. */
Exit fail_status(ck_status_t status);

#endif
