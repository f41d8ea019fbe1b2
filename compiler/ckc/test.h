/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test.h - what the files of `ckc test` and `ckc bench` share: expressions, test lines, cases.
 *
 * docs/tests.md has the format of test lines. The lines of a file are read once, into an arena that
 * all its cases share; each case runs in a child process with an arena of its own.
 *
 *     test_parse.c     lines -> Test (CALL, its arguments, its expectations)
 *     test_command.c   Test x values of FOR x devices -> Case
 *     test_pool.c      Case -> a child process
 *     test_run.c       launch, compare (test_compare.c) -> Verdict
 *     test_compile.c   --compile: compile -> Verdict
 */
#ifndef CK_TEST_H
#define CK_TEST_H

#include "run.h"

/* test_expr.c ------------------------------------------------------------------------------- */

struct Cell; /* a name that an expression gives a value: v := x */

/* The rest of a line, and the place and reason of the first error. */
typedef struct Reader {
  Arena *arena;
  const char *at, *end;
  const char *error_at; /* NULL: no error */
  const char *error;
  int depth;
  bool is_constant;         /* no names, no arrays */
  bool is_extent;           /* 0x4 are two numbers */
  VEC(struct Cell *) cells; /* of the expression that is being read */
} Reader;

/* Report an error; the one returns false, the other NULL, so that a function can end with them. */
bool reader_fail(Reader *reader, const char *at, const char *format, ...) PRINTF_LIKE(3, 4);
void *reader_none(Reader *reader, const char *at, const char *format, ...) PRINTF_LIKE(3, 4);
void reader_skip(Reader *reader);                     /* blanks */
bool reader_accept(Reader *reader, const char *text); /* skips blanks and `text`, if it is next */
const char *reader_name(Reader *reader);              /* a name, or NULL if none is next */
bool reader_expect(Reader *reader, const char *text, const char *after);

/* An expression over numbers and arrays, element by element. */
typedef struct Expr Expr;

/* The value of a name. */
typedef struct Binding {
  const char *name;
  Wide number;
  const void *data;   /* NULL: it is a number */
  const Shape *shape; /* of `data` */
  ck_dtype_t dtype;   /* of `data` */
  const char *layout; /* of which `data` are records, of `width` bytes; NULL: they are numbers */
  size_t width;
  Wide *values; /* of an array that is computed; or NULL */
} Binding;

/* Names with their values; those of `outer` count where a name is not among them. */
typedef struct Bindings Bindings;
struct Bindings {
  VEC(Binding) names;
  const Bindings *outer;
};

Expr *expr_read(Reader *reader);         /* NULL: the reader has the error */
Expr *expr_of(Arena *arena, Wide value); /* a number */
Expr *expr_name(Arena *arena, const char *name);
Expr *expr_member(Arena *arena, Expr *of, const char *name);
/* Reads all .x, ['x'] and [i] behind an operand. NULL: the reader has the error. */
Expr *expr_postfix(Reader *reader, Expr *operand);
/* [A, B]; NULL: the reader has the error. */
Expr *expr_list(Reader *reader, Expr *const *items, uint32_t count);
/* The word that a number is written as, such as "true" or "inf"; or NULL. */
const char *expr_word(const Expr *expr);
bool expr_is_bool(const Expr *expr);        /* true, false, or a list of them */
const char *expr_is_name(const Expr *expr); /* the name that it is, or NULL */
bool expr_is_number(const Expr *expr);      /* a literal, with a sign or without */
/* Binds the names and computes the shape of the result: rank 0 for a number. False with one line in
 * `why`. */
bool expr_bind(Expr *expr, const Bindings *bindings, Shape *out_shape, Buf *why);
/* Describes an expression that is an array in memory, or a field of one: what its elements are. For
 * records *out_layout is not NULL. False with one line in `why`. */
typedef struct ExprData {
  Shape shape;
  const char *layout;
  ck_dtype_t dtype;
  const char *data;           /* NULL: it isn't in memory */
  int64_t pitch[EXTENTS_MAX]; /* bytes along each axis */
} ExprData;

bool expr_bind_data(Expr *expr, const Bindings *bindings, ExprData *out, Buf *why);
/* Copies its elements to contiguous memory, `width` bytes apart. Of a record only the bytes up to
 * the end of its last scalar are set. */
void *expr_gather(const ExprData *from, size_t width, Arena *arena);
/* NumPy's broadcasting: the element of `from` that belongs to each one of `to`, as distances along
 * its axes. False: they do not go together. */
bool shape_spread(const Shape *from, const Shape *to, int64_t *out_strides);
/* The sum of the index of element i along each axis times the distances. */
int64_t shape_at(const Shape *shape, uint64_t i, const int64_t *strides);
/* The value of element i, once the expression is bound. */
Wide expr_value(Expr *expr, uint64_t i);
/* A number as text that number_read reads as the same number. */
const char *test_number_text(Arena *arena, const Expr *written, Wide value);
/* Of an expression that is a number. False with one line in `why`. */
bool expr_number(Expr *expr, const Bindings *bindings, Wide *out, Buf *why);

/* test_parse.c ------------------------------------------------------------------------------ */

/* A struct, tuple or array as it is written: {x: 1, at: (k, 3)}. */
typedef struct Record Record;
typedef VEC(Record *) Records;
struct Record {
  char open;        /* '{', '(' or '['; 0: it is `expr` */
  const char *name; /* of a field; NULL: by position */
  Records items;
  Expr *expr;
};

typedef struct TestImage TestImage;

/* A value as it is written. */
typedef struct TestValue {
  ValueKind kind;   /* VALUE_NUMBER: `record`, or `expr`, which may be an array */
  Record *record;   /* of structs and tuples, and arrays of them */
  const char *text; /* as written; a file's path */
  Expr *expr;
  Expr *extents[EXTENTS_MAX];
  uint32_t rank;
  Expr *seed, *lo, *hi; /* may be NULL */
  TestImage *image;     /* texture(...) of it; or NULL */
} TestValue;

/* texture(VALUE, VALUE..., OPTION=...): the values behind the first are levels of a mipmap. */
struct TestImage {
  VEC(TestValue) levels;
  ck_texture_options_t options; /* but for the numbers: */
  Expr *border[4], *anisotropy, *level_bias, *min_level, *max_level;
  ck_dtype_t dtype; /* of the elements; CK_NONE: what the kernel reads */
  bool is_buffer;
};

/* Reads a value. False: the reader has the error. */
bool test_value_read(Reader *reader, TestValue *out);

/* NAME=VALUE of a call. */
typedef struct TestArg {
  const char *name;
  TestValue value;
} TestArg;

/* One value, or a range of them, of a FOR line. */
typedef struct LoopItem {
  Wide lo, hi;
  bool is_range;
} LoopItem;

typedef struct TestLoop {
  const char *name;
  VEC(LoopItem) items;
} TestLoop;

/* |got - expected| <= absolute + relative * max(|expected|, floor). */
typedef struct Tolerance {
  bool is_given, is_exact;
  double relative, absolute, floor;
} Tolerance;

typedef struct Expectation {
  uint32_t line;
  const char *root; /* a parameter, or "result" */
  const char *name; /* with the path to a field or element: "p.at.x", "p[0]" */
  Expr *target;     /* the same */
  bool is_host;     /* the expected value is what the host device computes; otherwise `value` */
  TestValue value;
} Expectation;

typedef struct ExpectText {
  uint32_t line;
  const char *text;
} ExpectText;

typedef enum TestKind { TEST_CALL, TEST_COMPILE, TEST_BENCH } TestKind;

typedef struct Test Test;
struct Test {
  TestKind kind;
  uint32_t line;
  const char *name;   /* NAME, else the call as written */
  const char *kernel; /* NULL: TEST_COMPILE of the module as it is */
  Words options, tags;
  VEC(TestArg) args;
  VEC(TestArg) sets; /* of constants of the module */
  VEC(TestLoop) loops;
  VEC(Expectation) expects;
  VEC(ExpectText) outputs;
  VEC(ExpectText) errors;
  Tolerance tolerance;
  Expr *bytes, *flops; /* TEST_BENCH; may be NULL */
  Test *then;          /* THEN: the next launch, which uses the arrays of this one; or NULL */
};

/* A line that can't be read; a warning: one that looks like a mistake. */
typedef struct TestProblem {
  uint32_t line, column;
  bool is_warning;
  const char *message, *source; /* the line of text */
} TestProblem;

typedef struct TestFile {
  const char *path;
  VEC(Test) tests;
  VEC(TestProblem) problems;
} TestFile;

/* Reads the test lines of a text; all lives in the arena. */
void test_parse(TestFile *out, Arena *arena, const char *path, const char *text, size_t bytes);

/* image_parse.c ----------------------------------------------------------------------------- */

/* Reads what follows "texture(", up to its ")". */
bool test_image_read(Reader *reader, TestValue *out);

/* image.c ----------------------------------------------------------------------------------- */

/* Sets the type of a texture's elements, if the value names one; nothing of other parameters. */
bool test_image_type(Param *param, const TestValue *from, Buf *why);

/* test_value.c ------------------------------------------------------------------------------ */

/* Makes the argument for a parameter. needs_data: its elements in memory. Relative files are in
 * `folder`. False with one line in `why`. */
typedef struct ValueMaker {
  Arena *arena;
  const Bindings *bindings;
  const char *folder;
  bool needs_data;
  bool is_command;    /* of `ckc run`: random numbers start from seed 0 */
  const Param *param; /* NULL: it takes numbers */
  bool is_expected;   /* of an EXPECT line: one record is compared with all of them */
} ValueMaker;

/* VALUE_NUMBER if the parameter is no array: its text, or its bytes if it is made of several. */
bool test_value_make(const ValueMaker *maker, const TestValue *from, const char *name,
                     ck_dtype_t dtype, Value *out, Buf *why);
/* Makes the options and levels of texture(...), in out->setup; nothing of other values. */
bool test_image_setup(const ValueMaker *maker, const TestValue *from, Value *out, Buf *why);

/* constant.c -------------------------------------------------------------------------------- */

/* Makes a value of a constant of the module: what expressions see, and -D's NAME=VALUE. */
bool test_constant_make(const ValueMaker *maker, const TestValue *from, const char *name,
                        Binding *out, const char **out_define, Buf *why);

/* test_record.c ----------------------------------------------------------------------------- */

/* Makes records of a layout, `width` bytes each, of what is written. An array of them is [V, V], or
 * one V whose parts are arrays: {x: [1, 2], y: 0} is two. *out_shape has rank 0 if it is one. */
bool test_records_make(const ValueMaker *maker, const Record *from, const char *layout,
                       size_t width, Shape *out_shape, void **out_data, Buf *why);
/* Of a layout that is arrays of numbers alone, "[[f32@0,f32@4],...]": appends their extents. */
bool test_layout_is_array(const char *layout, Shape *io_shape, ck_dtype_t *out_dtype);

/* test_compare.c ---------------------------------------------------------------------------- */

/* The contents of an array after a launch. */
typedef struct Result {
  const char *name;
  ck_dtype_t dtype;
  Shape shape;
  const void *data;
  const char *layout; /* of which `data` are records, of `width` bytes; NULL: they are numbers */
  size_t width;
} Result;

/* Compares with the elements of `data`, if there are any, or else of an expression. `shape` is what
 * is expected. False with "z[3]: expected 1, got 2 (3 of 9 differ)" in `why`. */
bool test_compare(const Result *got, const Shape *shape, const void *data, Expr *expr,
                  const Tolerance *tolerance, Buf *why);

/* The same of structs, tuples and arrays: each of `data`, or one for all of them. */
bool test_compare_records(const Result *got, const Shape *shape, const void *data,
                          const Tolerance *tolerance, Buf *why);

/* test_run.c -------------------------------------------------------------------------------- */

typedef enum Verdict {
  VERDICT_NONE,
  VERDICT_PASSED,
  VERDICT_FAILED,
  VERDICT_SKIPPED,
  VERDICT_UNCHECKED /* it ran, but none of its expectations could be compared */
} Verdict;

/* What one compilation of --compile makes: a module, and instances of its generic kernels. */
typedef struct CompileSet {
  const Options *options; /* of the call, and of the command line */
  Words instances;
  bool is_only; /* the instances alone */
} CompileSet;

/* A test with values of its FOR variables, on one device. */
typedef struct Case {
  const TestFile *file;
  const Test *test;
  const char *device, *backend; /* backend NULL: the default */
  Wide *loops;                  /* by the test's loops */
  CompileSet *compiled;         /* it is compiled for `device`, a target, and not run; or NULL */
  const struct TuneCase *tune;  /* of `ckc tune`: its part in the search; or NULL */
  /* What came out: */
  Verdict verdict;
  double seconds;
  uint32_t line;    /* the line that failed */
  const char *text; /* of failures, skips and benches */
  const char *json; /* members of benches, each with a comma in front */
} Case;

/* A file that a child's standard output or standard error goes to. */
typedef struct Capture {
  int out, err;
} Capture;

const char *capture_text(Arena *arena, int fd);
void capture_clear(const Capture *capture);

/* Runs a case in this process, whose output is captured. False: the device can't be used any more.
 * Everything that `result` points to is in the arena. */
bool case_run(Case *result, const Options *options, const Capture *capture, Arena *arena);
/* "with k = 3, seed = 1", or "". */
const char *case_loops(Arena *arena, const Case *one);
bool test_has_tag(const Test *test, const char *tag); /* in a TAGS line */

/* A call in a case, through all its stages. */
typedef struct CaseRun CaseRun;
struct CaseRun {
  const Case *one;
  const Test *call; /* the case's test, or a THEN of it */
  CaseRun *before;  /* the launch before this one, or NULL */
  CaseRun *host;    /* the same on the host device, if an EXPECT line asked for it */
  Options options;
  Words defines; /* of the SET lines */
  Arena *arena;
  Run run;
  Bindings bindings;
  Npy *files; /* behind values */
  bool is_faulted;
  bool is_known; /* of `ckc tune`: nothing has to be launched */
};

/* Reads the options of a call into `out`: those that say how to compile and are not among them are
 * taken from `given`. */
Exit case_options(Options *out, Arena *arena, const Test *call, const Options *given);
/* The same options that say how to compile. */
bool case_compiles_alike(const Options *a, const Options *b);
/* Checks what the process printed, as far as lines of the test mention it. False with the line that
 * was not met and `why`. */
bool case_judge(const Test *test, Exit exit, const Capture *capture, Arena *arena,
                uint32_t *out_line, Buf *why);

/* The cases of one file. */
typedef struct CaseList {
  const TestFile *file;
  VEC(Case) cases;
} CaseList;

/* test_compile.c ---------------------------------------------------------------------------- */

/* Adds a case for each module and set of options that the tests of a list need, for one target.
 * `most`: how many instances of each generic kernel. */
Exit compile_add_cases(CaseList *list, const Test *const *tests, uint32_t count,
                       const Options *given, const char *target, const char *backend,
                       uint32_t most);
/* Compiles a case's set in this process, whose output is captured. */
void compile_case_run(Case *result, const Capture *capture, Arena *arena);

/* test_command.c ---------------------------------------------------------------------------- */

/* The BENCH lines of a file as cases, for one device, and the seconds that each may take. */
Exit bench_cases(const Options *options, const char *path, CaseList *out, double *out_timeout);

/* test_pool.c ------------------------------------------------------------------------------- */

typedef struct Pool {
  Arena *arena;
  const Options *options;
  uint32_t jobs;                                 /* 0: cases run in this process */
  double timeout;                                /* seconds for one case */
  void (*file_done)(void *data, CaseList *list); /* called in the order of the files */
  void *data;
} Pool;

/* The device that `auto` means, found out in a child process: "host", "cuda:0"; "auto" if using it
 * will fail. */
const char *pool_device(Arena *arena);
/* Runs all cases, in a child process for each file, so that a crash fails only its case. */
void pool_run(const Pool *pool, CaseList *lists, uint32_t count);

/* stats.c ----------------------------------------------------------------------------------- */

/* The median of a sample, and the interval that holds the true one in 95 of 100 samples. */
typedef struct Median {
  double value, low, high;
} Median;

Median median_of(const double *sorted, size_t count);
void sort_doubles(double *values, size_t count);

/* bench.c ----------------------------------------------------------------------------------- */

/* --seconds; EXIT_USAGE for what is no number of them. */
Exit bench_limit(const Options *options, double *out_seconds);
/* Times an open case; case_run calls it for TEST_BENCH. */
Exit bench_run(CaseRun *run, const Options *options, Case *result);

/* The time of a launch. */
typedef struct BenchTime {
  Median median; /* seconds */
  uint32_t runs;
  bool is_hopeless; /* it was stopped early */
} BenchTime;

/* Times an open case for `limit` seconds at most, and less if its median is above `hopeless`
 * seconds, unless that is 0. */
Exit bench_time(CaseRun *run, double limit, double hopeless, BenchTime *out);

/* bench_compare.c --------------------------------------------------------------------------- */

/* ckc bench --compare OLD.json NEW.json. */
Exit bench_compare(const Options *options);

#endif
