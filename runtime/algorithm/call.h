/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* call.h - one call of an algorithm while it is taken apart: its key, its arguments, its text.
 *
 * libckalg is built on the public functions of libckrt alone, and on base.
 */
#ifndef CK_CALL_H
#define CK_CALL_H

#include <stdatomic.h>

#include "base.h"
#include "ck/algorithm.h"

/* What an argument of an algorithm is. */
enum {
  ROLE_IN = 1, /* these two are bits of ck_access_t */
  ROLE_OUT = 2,
  ROLE_INOUT = 3,
  ROLE_MAYBE = 4, /* NULL is allowed */
  ROLE_SORT = 8,  /* ROLE_INOUT; ROLE_IN if there is an argument `to` */
  ROLE_TWO = 16,  /* a view of rank 2 is a span of two extents */
  ROLE_OP = 32,
  ROLE_VALUE = 64,
  ROLE_RESULT = 128
};

enum { OPERANDS_MAX = 7, PARAMS_MAX = 64, KEY_BYTES = 1024, OPS_MAX = 32, DEPTH_MAX = 32 };

typedef struct Operand {
  const char *name;
  uint32_t role;
} Operand;

/* A row of ck/algorithms.def. */
typedef struct Row {
  const char *name; /* "reduce" */
  uint32_t kind, count;
  const char *parts, *text;
  Operand operands[OPERANDS_MAX];
} Row;

/* A parameter of the algorithm that is made. */
typedef struct Param {
  ck_value_type_t type;
  uint64_t address; /* of an array, to find the same array in another place */
  uint64_t count;
  const char *extents[2]; /* of a span of two extents: the names of their parameters */
  uint8_t access;         /* ck_access_t of an array; 0: a value */
  uint8_t operand;        /* its index */
  bool is_first;          /* of its operand */
} Param;

/* An operation in the text, by which a message finds it. */
typedef struct OpPlace {
  uint32_t line, lines; /* of its text, from 1 */
  uint8_t operand;
} OpPlace;

/* What is written when the text is made; see walk.c. */
typedef struct Writer {
  Arena arena;
  Buf *out;     /* the expression that is being written */
  Buf declared; /* structs, and source of operations */
  Buf ops;      /* a function for each lambda, which gives it its state */
  OpPlace places[OPS_MAX];
  uint32_t op_count;
  const ck_struct_type_t *structs[OPS_MAX];
  uint32_t struct_count;
  const char *sources[OPS_MAX];
  uint32_t source_count;
} Writer;

typedef struct Call {
  const Row *row;
  const void *const *operands;
  ck_algorithm_options_t options;
  bool is_unaliased; /* the same array in two places is two parameters */
  Writer *writer;    /* NULL: only key and arguments */
  Digest digest;     /* of the bytes of the key that `key` had no room for */
  uint32_t key_bytes;
  uint32_t param_count;
  uint32_t depth;
  uint8_t operand; /* that is walked now */
  bool is_first;   /* it has no parameter yet */
  bool has_result; /* the last argument is the result */
  bool is_narrow;  /* what gets counts or places may have too small a type */
  uint8_t result;  /* the operand that gets them, and the type of its elements */
  ck_value_type_t result_type;
  bool is_fixed;                  /* floats are to be added in the same order on all devices */
  const ck_op_t *linked[OPS_MAX]; /* operations with LTO-IR */
  uint32_t linked_count;
  unsigned char key[KEY_BYTES];
  Param params[PARAMS_MAX];
  ck_arg_t args[PARAMS_MAX];
} Call;

/* error.c: records a failure of this thread; the text begins with the call's name. */
ck_status_t call_fail(const Call *call, ck_status_t status, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* table.c */
const Row *row_of(uint32_t kind);   /* NULL: there is none */
uint32_t row_parts(const Row *row); /* how many values its result has */

/* type.c */
bool type_is_ok(ck_value_type_t type);
/* Appends the type as CK writes it, and declares its structs first. */
ck_status_t type_write(Call *call, Buf *out, ck_value_type_t type);
bool type_is_same(ck_value_type_t a, ck_value_type_t b);
bool type_is_scalar(ck_value_type_t type);

/* param.c */

/* Each puts something into the key. */
void call_put(Call *call, const void *data, size_t bytes);
void call_put_number(Call *call, uint32_t number);
void call_put_text(Call *call, const char *text);
void call_put_type(Call *call, ck_value_type_t type, int depth);
const char *call_operand(const Call *call); /* the name of the one that is walked */
/* Adds a parameter with its argument; those of values and arrays check it, put it into the key and
 * with a writer append its name. */
ck_status_t param_add(Call *call, ck_value_type_t type, ck_arg_t arg, uint32_t *out_param);
ck_status_t param_add_value(Call *call, ck_value_type_t type, ck_arg_t arg);
ck_status_t param_add_number(Call *call, uint64_t number);
ck_status_t param_add_array(Call *call, ck_value_type_t type, ck_arg_t span, unsigned access);
void param_write_name(const Call *call, Buf *out, uint32_t param);
/* The address and the number of elements of a span. */
ck_status_t param_read_span(Call *call, const ck_arg_t *span, ck_value_type_t type,
                            uint64_t *out_address, uint64_t *out_count);

/* options.c */

/* Reads the options and checks them against the row. */
ck_status_t call_begin(Call *call, ck_algorithm_kind_t kind, const void *const *operands,
                       size_t count, const ck_algorithm_options_t *options);

/* walk.c */

/* Goes through all operands: afterwards params and args are complete, call_digest has the key, and
 * with a writer `out` gets the module's text. */
ck_status_t call_walk(Call *call, Buf *out);
Digest call_digest(Call *call);

/* The operand that gets the result; -1: none. */
int call_result(const Call *call);
/* The type of the elements of an array below it; no type for what isn't one. */
ck_value_type_t iterator_stored_type(const ck_iterator_t *it);

/* counts.c */

/* Fails if the result of a call that has been walked may be a number that its type hasn't. */
ck_status_t call_check_counts(Call *call);

/* text.c */

/* The expressions of the operands. */
typedef struct Texts {
  Buf operand[OPERANDS_MAX]; /* the expression of each */
  Buf result;                /* type of the result; empty: none */
} Texts;

uint32_t text_lines(const char *text);
/* Declares the source of an operation, once. */
ck_status_t text_declare(Call *call, const char *source);
/* Makes the module of the expressions; `type` is that of the result. */
ck_status_t text_write_module(Call *call, Buf *out, const Texts *texts, ck_value_type_t type);

/* compile.c */

/* Makes the text of a call that has been walked, and compiles it for a device or a target. */
ck_status_t call_compile(Call *call, ck_device_t *device, const char *target,
                         ck_object_code_t **out_code);
/* The algorithm in the code. */
ck_status_t call_open(Call *call, ck_object_code_t *code, ck_device_t *device,
                      ck_kernel_t **out_kernel);
/* Puts the call's name, and the operation whose text is at fault, ahead of a message that was
 * recorded. */
ck_status_t call_fault(const Call *call, ck_status_t status, const char *log);

/* algorithm.c */

/* An algorithm that is compiled for a device. */
typedef struct Entry {
  struct Entry *next; /* in its bucket */
  Digest key;
  ck_device_t *device;           /* retained by the kernel */
  _Atomic(ck_kernel_t *) kernel; /* retained; NULL: not compiled yet */
  ck_object_code_t *code;        /* retained */
  bool is_busy;                  /* a thread compiles it; guarded by the lock */
} Entry;

/* The entry of a call that has been walked; it is compiled if it is new. */
ck_status_t call_find(Call *call, ck_device_t *device, Entry **out_entry);
ck_status_t call_launch(Call *call, const Entry *entry, ck_stream_t *stream);

#define CK_TRY(status_)                                                                            \
  do {                                                                                             \
    ck_status_t try_status_ = (status_);                                                           \
    if (UNLIKELY(try_status_ != CK_OK)) return try_status_;                                        \
  } while (0)

#endif
