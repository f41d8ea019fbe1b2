/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_lines.c - fuzz target: reads arbitrary bytes as the test lines of a file. They have to be
 * read, or refused with a position.
 *
 * What can be read is also evaluated: expressions over a few arrays, and records for a layout,
 * which the last byte selects. This covers everything that a file, or a value on the command line
 * of `ckc run`, can do before a kernel is launched.
 */
#include <string.h>

#include "test.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t bytes);

static const char *const layouts[] = {"{x:f32@0,at:(i32@4,i32@8)}",
                                      "[[f32@0,f32@4],[f32@8,f32@12]]",
                                      "(u8@0,[{a:i8@1,b:i8@2},{a:i8@3,b:i8@4}])"};
enum { LAYOUT_BYTES = 16, ELEMENTS = 12 };

/* Binds the arrays a, b, x and p, and the numbers k and n. */
static void bind_all(Bindings *out, Arena *arena, const char *layout)
{
  static const float numbers[ELEMENTS * LAYOUT_BYTES / sizeof(float)] = {1, 2, 3, -1.5f, 7};
  static const Shape shapes[] = {
      {{12}, 1, 12}, {{3, 4}, 2, 12}, {{2, 1, 6}, 3, 12}, {{4, 3}, 2, 12}};
  static const char *const names[] = {"a", "b", "x", "p"};
  for (size_t i = 0; i < COUNT_OF(names); ++i) {
    Binding binding = {names[i], 0, numbers, &shapes[i], CK_F32, NULL, 0};
    if (*names[i] == 'p') binding.layout = layout, binding.width = LAYOUT_BYTES;
    vec_push(arena, &out->names, binding);
  }
  vec_push(arena, &out->names, ((Binding){"k", 3, NULL, NULL, CK_F64, NULL, 0}));
  vec_push(arena, &out->names, ((Binding){"n", 5, NULL, NULL, CK_F64, NULL, 0}));
}

static void evaluate(Expr *expr, const Bindings *bindings, Arena *arena)
{
  Shape shape;
  Buf why = BUF(arena);
  if (!expr || !expr_bind(expr, bindings, &shape, &why)) {
    if (expr && !why.len) __builtin_trap();
    return;
  }
  uint64_t count = shape.rank ? shape.count : 1;
  for (uint64_t i = 0; i < count && i < 1000; ++i) (void)expr_value(expr, i);
  if (count) (void)expr_value(expr, count - 1);
}

static void make(const TestValue *value, const Bindings *bindings, Arena *arena, const char *layout)
{
  ValueMaker maker = {arena, bindings, "", true, false, NULL, false};
  Shape shape;
  void *records;
  Buf why = BUF(arena);
  evaluate(value->expr, bindings, arena);
  if (!value->record) return;
  if (!test_records_make(&maker, value->record, layout, LAYOUT_BYTES, &shape, &records, &why) &&
      !why.len)
    __builtin_trap();
}

static void use_launch(const Test *test, const Bindings *bindings, Arena *arena, const char *layout)
{
  for (uint32_t j = 0; j < test->args.count; ++j)
    make(&test->args.at[j].value, bindings, arena, layout);
  for (uint32_t j = 0; j < test->sets.count; ++j)
    make(&test->sets.at[j].value, bindings, arena, layout);
  for (uint32_t j = 0; j < test->expects.count; ++j) {
    ExprData data;
    Buf why = BUF(arena);
    make(&test->expects.at[j].value, bindings, arena, layout);
    if (expr_bind_data(test->expects.at[j].target, bindings, &data, &why) && data.data)
      expr_gather(&data, data.layout ? LAYOUT_BYTES : ck_dtype_bytes(data.dtype), arena);
  }
}

static void use(const TestFile *file, Arena *arena, const char *layout)
{
  Bindings bindings = {0};
  bind_all(&bindings, arena, layout);
  for (uint32_t i = 0; i < file->tests.count; ++i)
    for (const Test *test = &file->tests.at[i]; test; test = test->then)
      use_launch(test, &bindings, arena, layout);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t bytes)
{
  Arena arena = {0};
  TestFile file;
  test_parse(&file, &arena, "fuzz.ck", (const char *)data, bytes);
  for (uint32_t i = 0; i < file.problems.count; ++i) {
    const TestProblem *problem = &file.problems.at[i];
    if (!problem->line || !problem->column || problem->column > strlen(problem->source) + 1)
      __builtin_trap();
  }
  if (bytes) use(&file, &arena, layouts[data[bytes - 1] % COUNT_OF(layouts)]);
  arena_free(&arena);
  return 0;
}
