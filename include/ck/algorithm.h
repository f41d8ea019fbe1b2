/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/algorithm.h - the algorithms of a whole device as calls: reduce, scan, sort, select, ...
 *
 * An input is an iterator, a plain struct that says where elements come from: an array, or what is
 * computed of others where it is read. An operation is text in CK. A call makes the text of a CK
 * `algorithm` (docs/algorithms.md), compiles it, and launches it in a stream:
 *
 *     ck_iterator_t x = ck_iterator_array(ck_whole(buffer), CK_F32);
 *     ck_iterator_t zero = ck_iterator_constant(ck_f32(0));
 *     ck_iterator_t sum = ck_iterator_array(ck_whole(out), CK_F32);
 *     ck_op_t square = ck_op("|v| v * v"), plus = ck_op("+");
 *     ck_iterator_t squares = ck_iterator_transform(&x, &square);
 *     ck_reduce(stream, &squares, &plus, &zero, &sum, NULL);
 *
 * The text depends on kinds, types and operations alone. Pointers, lengths, constants and the state
 * of operations are arguments of the launch, so that another array costs no compilation. Compiled
 * algorithms are kept in memory for each device, as long as the process, and in the cache of
 * compiled code. A call of a kind that is there costs its launch and some hundred nanoseconds.
 *
 * These functions are in libckalg, which uses libckrt and, to compile, libckc.
 */
#ifndef CK_ALGORITHM_H
#define CK_ALGORITHM_H

#include "ck/kernel.h"
#include "ck/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types of elements ----------------------------------------------------------------------- */

struct ck_struct_type;

/* The type of an element: a scalar, a vector, or a struct. */
typedef struct ck_value_type {
  uint32_t dtype;                      /* ck_dtype_t; CK_NONE: a struct */
  uint32_t components;                 /* of a vector, 2 to 16; 0 or 1: a scalar */
  const struct ck_struct_type *fields; /* of a struct; must live as long as the iterator */
} ck_value_type_t;

typedef struct ck_field {
  const char *name; /* a name in CK; in a tuple NULL */
  ck_value_type_t type;
  uint32_t count; /* of an array; 0: no array */
} ck_field_t;

/* A struct with the layout that C gives its fields. */
typedef struct ck_struct_type {
  const char *name; /* a name in CK, by which operations make values: "Pair(a, b)". NULL: a tuple,
                     * whose fields are v[0], v[1] and on */
  const ck_field_t *fields;
  size_t field_count;
  size_t bytes; /* sizeof in C, which is compared; 0: not */
} ck_struct_type_t;

static inline ck_value_type_t ck_type_scalar(ck_dtype_t dtype)
{
  ck_value_type_t type = {(uint32_t)dtype, 1, NULL};
  return type;
}
static inline ck_value_type_t ck_type_vector(ck_dtype_t dtype, uint32_t components)
{
  ck_value_type_t type = {(uint32_t)dtype, components, NULL};
  return type;
}
static inline ck_value_type_t ck_type_struct(const ck_struct_type_t *fields)
{
  ck_value_type_t type = {(uint32_t)CK_NONE, 1, fields};
  return type;
}

/* The size of a value in bytes; 0 for what is no type. */
CK_API size_t ck_value_type_bytes(ck_value_type_t type);

/* ---- operations ------------------------------------------------------------------------------ */

/* A value or an array that an operation uses beside its arguments. Each call passes it anew. */
typedef struct ck_op_state {
  const char *name; /* by which the text names it */
  ck_value_type_t type;
  ck_arg_t value;     /* a number or struct; of an array its span */
  ck_access_t access; /* of an array; 0: a value */
} ck_op_state_t;

/* A function of elements. */
typedef struct ck_op {
  /* An operator, "+"; a function of the library or of `source`, "min"; or a lambda, "|a, b| a +
   * b". The parameters of a lambda have the types of the elements. */
  const char *text;
  const char *source; /* declarations in CK that the text uses: functions, structs; or NULL */
  const ck_op_state_t *state;
  size_t state_count;
  /* LTO-IR that is linked, for functions that `source` declares by `import fn`; GPUs only */
  const void *ltoir;
  size_t ltoir_bytes;
} ck_op_t;

static inline ck_op_t ck_op(const char *text)
{
  ck_op_t op = {text, NULL, NULL, 0, NULL, 0};
  return op;
}
/* A function `name` of a program in CK, or a lambda that calls such functions. */
static inline ck_op_t ck_op_from_source(const char *name, const char *source)
{
  ck_op_t op = {name, source, NULL, 0, NULL, 0};
  return op;
}
/* A lambda that uses values or arrays by their names. */
static inline ck_op_t ck_op_with_state(const char *text, const ck_op_state_t *state, size_t count)
{
  ck_op_t op = {text, NULL, state, count, NULL, 0};
  return op;
}
/* A function of CUDA C++, `extern "C" __device__`, as LTO-IR.
 *
 * declaration  in CK: "import fn twice(x: f32) -> f32;"
 */
static inline ck_op_t ck_op_from_ltoir(const char *name, const char *declaration, const void *ltoir,
                                       size_t bytes)
{
  ck_op_t op = {name, declaration, NULL, 0, ltoir, bytes};
  return op;
}

/* ---- iterators ------------------------------------------------------------------------------- */

typedef enum ck_iterator_kind {
  CK_ITERATOR_ARRAY = 1,
  CK_ITERATOR_VIEW = 2,
  CK_ITERATOR_COUNT = 3,
  CK_ITERATOR_CONSTANT = 4,
  CK_ITERATOR_TABULATE = 5,
  CK_ITERATOR_TRANSFORM = 6,
  CK_ITERATOR_TRANSFORM_OUTPUT = 7,
  CK_ITERATOR_ZIP = 8,
  CK_ITERATOR_ENUMERATE = 9,
  CK_ITERATOR_GATHER = 10,
  CK_ITERATOR_REVERSE = 11,
  CK_ITERATOR_STRIDED = 12,
  CK_ITERATOR_TAKE = 13,
  CK_ITERATOR_DROP = 14,
  CK_ITERATOR_WINDOW = 15,
  CK_ITERATOR_DISCARD = 16,
  CK_ITERATOR_SHUFFLE = 17,
  CK_ITERATOR_CACHED = 18
} ck_iterator_kind_t;

/* How a cached load treats the caches, as `cache` of CK's load. */
typedef enum ck_cache_mode {
  CK_CACHE_ALL = 0,       /* in L1 and L2 */
  CK_CACHE_GLOBAL = 1,    /* in L2 alone */
  CK_CACHE_STREAMING = 2, /* accessed once */
  CK_CACHE_VOLATILE = 3
} ck_cache_mode_t;

/* Elements that an algorithm reads or writes. A value: nothing is allocated, and what it is made of
 * is borrowed, so that other iterators, operations, types and views must live until the call.
 * The functions below fill it in; the members are for bindings. */
typedef struct ck_iterator {
  uint32_t kind;                      /* ck_iterator_kind_t */
  uint32_t number;                    /* of parts; elements of a window; ck_cache_mode_t */
  ck_value_type_t type;               /* arrays, constants, counts, discard */
  ck_arg_t value;                     /* array: its span; count, constant: the value; take, drop,
                                       * strided, shuffle: a u64 */
  uint64_t seed;                      /* shuffle */
  const struct ck_iterator *parts[4]; /* what it is made of; take: parts[1] has the length */
  const ck_op_t *op;                  /* transform, tabulate */
  const ck_view_t *view;
} ck_iterator_t;

static inline ck_iterator_t ck_iterator_of(ck_iterator_kind_t kind, const ck_iterator_t *part)
{
  ck_iterator_t it = {0,    0,   {0, 0, NULL}, {0, 0, {0}, 0, 0}, 0, {NULL, NULL, NULL, NULL},
                      NULL, NULL};
  it.kind = (uint32_t)kind;
  it.parts[0] = part;
  it.number = part ? 1 : 0;
  return it;
}

/* The elements of an array: ck_whole(buffer), ck_span(buffer, offset, count) in elements,
 * ck_address_span(address, count). */
static inline ck_iterator_t ck_iterator_array_of(ck_arg_t span, ck_value_type_t type)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_ARRAY, NULL);
  it.value = span;
  it.type = type;
  return it;
}
static inline ck_iterator_t ck_iterator_array(ck_arg_t span, ck_dtype_t dtype)
{
  return ck_iterator_array_of(span, ck_type_scalar(dtype));
}
/* The elements of a view with any strides, the last axis fastest. Of two axes, it is a matrix where
 * an algorithm wants one: in histograms with channels and in top_k_rows. */
static inline ck_iterator_t ck_iterator_view(const ck_view_t *view)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_VIEW, NULL);
  it.view = view;
  it.type.dtype = (uint32_t)view->dtype;
  it.type.components = view->components;
  return it;
}
/* The same for a view of structs, which knows their size alone. */
static inline ck_iterator_t ck_iterator_view_of(const ck_view_t *view, ck_value_type_t type)
{
  ck_iterator_t it = ck_iterator_view(view);
  it.type = type;
  return it;
}
/* start, start + 1, ... without end; the type is that of start. */
static inline ck_iterator_t ck_iterator_count(ck_arg_t start)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_COUNT, NULL);
  it.value = start;
  it.type = ck_type_scalar((ck_dtype_t)start.dtype);
  return it;
}
/* One value without end. */
static inline ck_iterator_t ck_iterator_constant_of(ck_arg_t value, ck_value_type_t type)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_CONSTANT, NULL);
  it.value = value;
  it.type = type;
  return it;
}
static inline ck_iterator_t ck_iterator_constant(ck_arg_t value)
{
  return ck_iterator_constant_of(value, ck_type_scalar((ck_dtype_t)value.dtype));
}
/* f(0), f(1), ... of u64, without end. */
static inline ck_iterator_t ck_iterator_tabulate(const ck_op_t *f)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_TABULATE, NULL);
  it.op = f;
  return it;
}
/* f(x[i]). */
static inline ck_iterator_t ck_iterator_transform(const ck_iterator_t *x, const ck_op_t *f)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_TRANSFORM, x);
  it.op = f;
  return it;
}
/* What is stored in it goes to x[i] as f(v). */
static inline ck_iterator_t ck_iterator_transform_output(const ck_iterator_t *x, const ck_op_t *f)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_TRANSFORM_OUTPUT, x);
  it.op = f;
  return it;
}
/* (a[i], b[i]), as long as the shorter one. */
static inline ck_iterator_t ck_iterator_zip(const ck_iterator_t *a, const ck_iterator_t *b)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_ZIP, a);
  it.parts[1] = b;
  it.number = 2;
  return it;
}
static inline ck_iterator_t ck_iterator_zip_three(const ck_iterator_t *a, const ck_iterator_t *b,
                                                  const ck_iterator_t *c)
{
  ck_iterator_t it = ck_iterator_zip(a, b);
  it.parts[2] = c;
  it.number = 3;
  return it;
}
static inline ck_iterator_t ck_iterator_zip_four(const ck_iterator_t *a, const ck_iterator_t *b,
                                                 const ck_iterator_t *c, const ck_iterator_t *d)
{
  ck_iterator_t it = ck_iterator_zip_three(a, b, c);
  it.parts[3] = d;
  it.number = 4;
  return it;
}
/* (i, x[i]), i a u64. */
static inline ck_iterator_t ck_iterator_enumerate(const ck_iterator_t *x)
{
  return ck_iterator_of(CK_ITERATOR_ENUMERATE, x);
}
/* x[index[i]], as long as index; for reading (gather) and writing (scatter). */
static inline ck_iterator_t ck_iterator_gather(const ck_iterator_t *x, const ck_iterator_t *index)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_GATHER, x);
  it.parts[1] = index;
  it.number = 2;
  return it;
}
static inline ck_iterator_t ck_iterator_scatter(const ck_iterator_t *x, const ck_iterator_t *index)
{
  return ck_iterator_gather(x, index);
}
/* x[n - 1 - i]. */
static inline ck_iterator_t ck_iterator_reverse(const ck_iterator_t *x)
{
  return ck_iterator_of(CK_ITERATOR_REVERSE, x);
}
/* x[i * step]. */
static inline ck_iterator_t ck_iterator_strided(const ck_iterator_t *x, uint64_t step)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_STRIDED, x);
  it.value = ck_u64(step);
  return it;
}
/* The first n elements: what has no end gets one. */
static inline ck_iterator_t ck_iterator_take(const ck_iterator_t *x, uint64_t n)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_TAKE, x);
  it.value = ck_u64(n);
  return it;
}
/* The same with a number that the device computes: the first element of an array of integers. x
 * has an end, by which scratch memory and grids are sized. */
static inline ck_iterator_t ck_iterator_take_on_device(const ck_iterator_t *x,
                                                       const ck_iterator_t *n)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_TAKE, x);
  it.parts[1] = n;
  it.number = 2;
  return it;
}
/* All but the first n elements. */
static inline ck_iterator_t ck_iterator_drop(const ck_iterator_t *x, uint64_t n)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_DROP, x);
  it.value = ck_u64(n);
  return it;
}
/* Arrays of k elements, x[i] to x[i + k - 1]. Another k is another kind. */
static inline ck_iterator_t ck_iterator_window(const ck_iterator_t *x, uint32_t k)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_WINDOW, x);
  it.number = k;
  return it;
}
/* Takes elements of a type and forgets them. */
static inline ck_iterator_t ck_iterator_discard(ck_value_type_t type)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_DISCARD, NULL);
  it.type = type;
  return it;
}
/* The numbers from 0 to n - 1 as u64, each once, in an order that the seed decides. */
static inline ck_iterator_t ck_iterator_shuffle(uint64_t n, uint64_t seed)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_SHUFFLE, NULL);
  it.value = ck_u64(n);
  it.seed = seed;
  return it;
}
/* The elements of an array of scalars, loaded with a hint for the caches. */
static inline ck_iterator_t ck_iterator_cached(const ck_iterator_t *x, ck_cache_mode_t mode)
{
  ck_iterator_t it = ck_iterator_of(CK_ITERATOR_CACHED, x);
  it.number = (uint32_t)mode;
  return it;
}

/* ---- calls ----------------------------------------------------------------------------------- */

#define CK_ALGORITHM_DESCENDING 1u /* radix sorts */
#define CK_ALGORITHM_LEAST      2u /* top_k: the least ones instead of the greatest */
#define CK_ALGORITHM_UNSORTED   4u /* top_k: in no order */
#define CK_ALGORITHM_RIGHT      8u /* adjacent_difference: with the element behind */

typedef enum ck_determinism {
  CK_DETERMINISM_DEFAULT = 0, /* equal calls on one device give equal results */
  CK_DETERMINISM_NONE = 1,    /* no promise, where that is faster */
  CK_DETERMINISM_RUN_TO_RUN = 2,
  /* On all devices too. Floats are added so by ck_reduce alone, elsewhere they are
   * CK_UNSUPPORTED; what doesn't round is the same everywhere. */
  CK_DETERMINISM_GPU_TO_GPU = 3
} ck_determinism_t;

typedef struct ck_algorithm_options {
  size_t struct_size;
  uint32_t flags; /* CK_ALGORITHM_* */
  ck_determinism_t determinism;
  uint32_t begin_bit, end_bit; /* of the keys of radix sorts; end_bit 0: all */
  uint32_t channels;           /* histograms: of vectors; 0: of numbers */
  uint32_t largest_segment;    /* of segmented_reduce_ranges, in elements; 0: unknown */
  uint64_t problem_size;       /* for which the code is made, as in ck_compile_options_t; 0: any */
  const char *tuning_file;     /* as in ck_compile_options_t */
  uint32_t compile_flags;      /* CK_COMPILE_CHECK, CK_COMPILE_LINEINFO, CK_COMPILE_DEBUG */
  /* Scratch memory, as in ck_launch_config_t; no part of what is compiled. */
  const ck_buffer_t *scratch;
  size_t scratch_offset;
  ck_memory_resource_t *scratch_resource;
} ck_algorithm_options_t;

typedef enum ck_algorithm_kind {
#define CK_ALGORITHM2(id, name, value, ...) CK_ALGORITHM_##id = value,
#define CK_ALGORITHM3(id, name, value, ...) CK_ALGORITHM_##id = value,
#define CK_ALGORITHM4(id, name, value, ...) CK_ALGORITHM_##id = value,
#define CK_ALGORITHM5(id, name, value, ...) CK_ALGORITHM_##id = value,
#define CK_ALGORITHM6(id, name, value, ...) CK_ALGORITHM_##id = value,
#define CK_ALGORITHM7(id, name, value, ...) CK_ALGORITHM_##id = value,
#include "ck/algorithms.def"
  CK_ALGORITHM_FORCE_INT = 0x7fffffff
} ck_algorithm_kind_t;

/* Launches an algorithm in a stream; it is compiled first if this kind of call is new.
 *
 * kind      the row of ck/algorithms.def
 * operands  pointers to ck_iterator_t or ck_op_t in the order of the row; NULL where it allows that
 * stream    not NULL
 * options   NULL: defaults
 * async     yes; of operands, only the memory of arrays is used after the call
 * threads   any; two that compile the same kind compile it once
 * fails     CK_COMPILE: the message has the text of the operation at fault, with a caret, and says
 *           which argument of which call it is; CK_INVALID_ARGUMENT for operands that the algorithm
 *           can't have, and where a count or a place may be a number that the type of its element
 *           doesn't have, such as 256 in a u8; as ck_program_compile and ck_launch_args
 */
CK_API ck_status_t ck_launch_algorithm(ck_stream_t *stream, ck_algorithm_kind_t kind,
                                       const void *const *operands, size_t count,
                                       const ck_algorithm_options_t *options);

/* The text that a call compiles, for bindings and the curious. Valid until the next call on this
 * thread. */
CK_API ck_status_t ck_algorithm_get_text(ck_algorithm_kind_t kind, const void *const *operands,
                                         size_t count, const ck_algorithm_options_t *options,
                                         const char **out_text);

/* The functions, one for each row of ck/algorithms.def:
 *
 *   ck_status_t ck_reduce(ck_stream_t *stream, const ck_iterator_t *x, const ck_op_t *f,
 *                         const ck_iterator_t *init, const ck_iterator_t *to,
 *                         const ck_algorithm_options_t *options);
 */
/* clang-format off */
#define CK_ROLE_IN           const ck_iterator_t *
#define CK_ROLE_OUT          const ck_iterator_t *
#define CK_ROLE_INOUT        const ck_iterator_t *
#define CK_ROLE_SORT         const ck_iterator_t *
#define CK_ROLE_IN2          const ck_iterator_t *
#define CK_ROLE_OUT2         const ck_iterator_t *
#define CK_ROLE_VALUE        const ck_iterator_t *
#define CK_ROLE_RESULT       const ck_iterator_t *
#define CK_ROLE_OP           const ck_op_t *
#define CK_ROLE_MAYBE_IN     const ck_iterator_t *
#define CK_ROLE_MAYBE_OUT    const ck_iterator_t *
#define CK_ROLE_MAYBE_INOUT  const ck_iterator_t *
#define CK_ROLE_MAYBE_SORT   const ck_iterator_t *
#define CK_ROLE_MAYBE_OUT2   const ck_iterator_t *
#define CK_ROLE_MAYBE_VALUE  const ck_iterator_t *
#define CK_ROLE_MAYBE_RESULT const ck_iterator_t *
#define CK_ROLE_MAYBE_OP     const ck_op_t *
#define CK_CALL_(id, count, ...)                                                                   \
  {                                                                                                \
    const void *operands[] = {__VA_ARGS__};                                                        \
    return ck_launch_algorithm(stream, CK_ALGORITHM_##id, operands, count, options);               \
  }
#define CK_ALGORITHM2(id, name, value, parts, text, r1, a1, r2, a2)                                \
  static inline ck_status_t ck_##name(ck_stream_t *stream, CK_ROLE_##r1 a1, CK_ROLE_##r2 a2,       \
                                      const ck_algorithm_options_t *options)                       \
  CK_CALL_(id, 2, a1, a2)
#define CK_ALGORITHM3(id, name, value, parts, text, r1, a1, r2, a2, r3, a3)                        \
  static inline ck_status_t ck_##name(ck_stream_t *stream, CK_ROLE_##r1 a1, CK_ROLE_##r2 a2,       \
                                      CK_ROLE_##r3 a3, const ck_algorithm_options_t *options)      \
  CK_CALL_(id, 3, a1, a2, a3)
#define CK_ALGORITHM4(id, name, value, parts, text, r1, a1, r2, a2, r3, a3, r4, a4)                \
  static inline ck_status_t ck_##name(ck_stream_t *stream, CK_ROLE_##r1 a1, CK_ROLE_##r2 a2,       \
                                      CK_ROLE_##r3 a3, CK_ROLE_##r4 a4,                            \
                                      const ck_algorithm_options_t *options)                       \
  CK_CALL_(id, 4, a1, a2, a3, a4)
#define CK_ALGORITHM5(id, name, value, parts, text, r1, a1, r2, a2, r3, a3, r4, a4, r5, a5)        \
  static inline ck_status_t ck_##name(ck_stream_t *stream, CK_ROLE_##r1 a1, CK_ROLE_##r2 a2,       \
                                      CK_ROLE_##r3 a3, CK_ROLE_##r4 a4, CK_ROLE_##r5 a5,           \
                                      const ck_algorithm_options_t *options)                       \
  CK_CALL_(id, 5, a1, a2, a3, a4, a5)
#define CK_ALGORITHM6(id, name, value, parts, text, r1, a1, r2, a2, r3, a3, r4, a4, r5, a5, r6,    \
                      a6)                                                                          \
  static inline ck_status_t ck_##name(ck_stream_t *stream, CK_ROLE_##r1 a1, CK_ROLE_##r2 a2,       \
                                      CK_ROLE_##r3 a3, CK_ROLE_##r4 a4, CK_ROLE_##r5 a5,           \
                                      CK_ROLE_##r6 a6, const ck_algorithm_options_t *options)      \
  CK_CALL_(id, 6, a1, a2, a3, a4, a5, a6)
#define CK_ALGORITHM7(id, name, value, parts, text, r1, a1, r2, a2, r3, a3, r4, a4, r5, a5, r6,    \
                      a6, r7, a7)                                                                  \
  static inline ck_status_t ck_##name(ck_stream_t *stream, CK_ROLE_##r1 a1, CK_ROLE_##r2 a2,       \
                                      CK_ROLE_##r3 a3, CK_ROLE_##r4 a4, CK_ROLE_##r5 a5,           \
                                      CK_ROLE_##r6 a6, CK_ROLE_##r7 a7,                            \
                                      const ck_algorithm_options_t *options)                       \
  CK_CALL_(id, 7, a1, a2, a3, a4, a5, a6, a7)
/* clang-format on */
#include "ck/algorithms.def"

/* ---- built objects --------------------------------------------------------------------------- */

typedef struct ck_algorithm ck_algorithm_t;

/* Compiles an algorithm without launching it.
 *
 * operands  as in ck_launch_algorithm; kinds, types and operations count, arrays may be
 *           ck_address_span(0, 0)
 * fails     as ck_launch_algorithm
 */
CK_API ck_status_t ck_algorithm_create(ck_device_t *device, ck_algorithm_kind_t kind,
                                       const void *const *operands, size_t count,
                                       const ck_algorithm_options_t *options,
                                       ck_algorithm_t **out_algorithm);
/* The same for several targets, such as "host", "sm_80", "sm_90": nothing has to be there but the
 * compiler. Such an object is saved, and loaded where it is launched. Arrays that stand in two
 * places count as they are given here.
 *
 * target_count  1 to 16
 */
CK_API ck_status_t ck_algorithm_create_for_targets(const char *const *targets, size_t target_count,
                                                   ck_algorithm_kind_t kind,
                                                   const void *const *operands, size_t count,
                                                   const ck_algorithm_options_t *options,
                                                   ck_algorithm_t **out_algorithm);
CK_API ck_algorithm_t *ck_algorithm_retain(ck_algorithm_t *algorithm);
CK_API void ck_algorithm_release(ck_algorithm_t *algorithm);

/* Launches it with other arrays, lengths, constants and states.
 *
 * operands  of the kinds, types and operations that it was made of
 * options   of which the scratch memory counts; NULL: the stream's memory
 * fails     CK_INVALID_ARGUMENT for other ones; as ck_launch_args
 */
CK_API ck_status_t ck_algorithm_launch(ck_algorithm_t *algorithm, ck_stream_t *stream,
                                       const void *const *operands, size_t count,
                                       const ck_algorithm_options_t *options);

/* The bytes of scratch memory that such a launch needs; nothing is launched. */
CK_API ck_status_t ck_algorithm_get_scratch_bytes(ck_algorithm_t *algorithm, ck_stream_t *stream,
                                                  const void *const *operands, size_t count,
                                                  size_t *out_bytes);

/* The object as bytes, with code for its device or its targets. Valid until the last release. NULL
 * if code can't be made, with the failure recorded. */
CK_API const void *ck_algorithm_bytes(ck_algorithm_t *algorithm, size_t *out_bytes);
/* The same to a file.
 *
 * fails  CK_IO; CK_COMPILE
 */
CK_API ck_status_t ck_algorithm_save(ck_algorithm_t *algorithm, const char *path);

/* Loads a saved algorithm onto a device, without the compiler.
 *
 * fails  CK_INVALID_ARGUMENT for bytes that are no whole saved algorithm of this version;
 *        CK_UNSUPPORTED: there is no code for this device
 */
CK_API ck_status_t ck_algorithm_from_bytes(ck_device_t *device, const void *data, size_t bytes,
                                           ck_algorithm_t **out_algorithm);
/* The same from a file; CK_IO if it can't be read. */
CK_API ck_status_t ck_algorithm_from_file(ck_device_t *device, const char *path,
                                          ck_algorithm_t **out_algorithm);

#ifdef __cplusplus
}
#endif
#endif
