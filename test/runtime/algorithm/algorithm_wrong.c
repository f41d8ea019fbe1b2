/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm_wrong.c - wrong calls of algorithms: each is an error that says which argument of which
 * call is wrong, and what to do. */
#include "algorithm.h"

static ck_buffer_t *dx, *dy;
static ck_iterator_t ix, iy, zero;
static ck_op_t plus, less;

#define WRONG(call, part)   CHECK_STATUS(call, CK_INVALID_ARGUMENT, part)
#define REFUSED(call, part) CHECK_STATUS(call, CK_COMPILE, part)

static void open_arrays(void)
{
  dx = array_new(400, NULL);
  dy = array_new(400, NULL);
  ix = ck_iterator_array(ck_whole(dx), CK_F32);
  iy = ck_iterator_array(ck_whole(dy), CK_F32);
  zero = ck_iterator_constant(ck_f32(0));
  plus = ck_op("+");
  less = ck_op("<");
}

static void close_arrays(void)
{
  ck_buffer_release(dx);
  ck_buffer_release(dy);
}

TEST(arguments_that_are_missing)
{
  open_arrays();
  const void *operands[4] = {&ix, &plus, &zero, &iy};
  ck_op_t none = {0};
  WRONG(ck_reduce(NULL, &ix, &plus, &zero, &iy, NULL), "ck_reduce: stream is NULL");
  WRONG(ck_reduce(stream, NULL, &plus, &zero, &iy, NULL), "ck_reduce: argument 'x' is NULL");
  WRONG(ck_reduce(stream, &ix, &plus, NULL, &iy, NULL), "argument 'init' is NULL");
  WRONG(ck_reduce(stream, &ix, &plus, &zero, NULL, NULL), "argument 'to' is NULL");
  WRONG(ck_reduce(stream, &ix, &none, &zero, &iy, NULL), "argument 'f' needs an operation");
  WRONG(ck_launch_algorithm(stream, (ck_algorithm_kind_t)63000, operands, 4, NULL),
        "63000 is no ck_algorithm_kind_t");
  WRONG(ck_launch_algorithm(stream, (ck_algorithm_kind_t)0, operands, 4, NULL), "0 is no");
  WRONG(ck_launch_algorithm(stream, CK_ALGORITHM_REDUCE, operands, 3, NULL),
        "ck_reduce: 3 operands, but it has 4");
  ck_iterator_t part = ck_iterator_transform(NULL, &less), zip = ck_iterator_zip(&ix, NULL);
  WRONG(ck_transform(stream, &part, &iy, &less, NULL), "argument 'x': an iterator is NULL");
  WRONG(ck_transform(stream, &zip, &iy, &less, NULL), "argument 'x': an iterator is NULL");
  close_arrays();
}

TEST(arrays_that_cannot_be)
{
  open_arrays();
  ck_iterator_t open_end = ck_iterator_array(ck_address(4096), CK_F32);
  ck_iterator_t scalar = ck_iterator_array(ck_f32(1), CK_F32);
  ck_iterator_t none = ck_iterator_array(ck_whole(dx), CK_NONE);
  ck_iterator_t odd = ck_iterator_array(ck_whole(dx), (ck_dtype_t)99), strange = ix;
  ck_iterator_t outside = ck_iterator_array(ck_span(dx, 90, 20), CK_F32);
  ck_iterator_t few = ck_iterator_array(ck_span(dy, 0, 3), CK_F32), self = ix;
  strange.kind = 77;
  self.kind = CK_ITERATOR_REVERSE;
  self.parts[0] = &self;
  WRONG(ck_inclusive_scan(stream, &open_end, &iy, &plus, NULL, NULL),
        "ck_inclusive_scan: argument 'x': an array of unknown length; ck_address_span says it");
  WRONG(ck_inclusive_scan(stream, &scalar, &iy, &plus, NULL, NULL), "argument 'x' is no span");
  WRONG(ck_inclusive_scan(stream, &none, &iy, &plus, NULL, NULL), "argument 'x' has no type");
  WRONG(ck_inclusive_scan(stream, &odd, &iy, &plus, NULL, NULL), "argument 'x' has no type");
  WRONG(ck_inclusive_scan(stream, &strange, &iy, &plus, NULL, NULL), "77 is no kind of iterator");
  WRONG(ck_inclusive_scan(stream, &self, &iy, &plus, NULL, NULL), "nest more than 32 deep");
  WRONG(ck_inclusive_scan(stream, &outside, &iy, &plus, NULL, NULL), "ck_inclusive_scan: ");
  WRONG(ck_inclusive_scan(stream, &ix, &few, &plus, NULL, NULL), "has 3 elements, but needs 100");
  WRONG(ck_merge_sort(stream, &few, &less, &outside, NULL), "ck_merge_sort: ");
  close_arrays();
}

TEST(what_can_not_be_read_or_written)
{
  open_arrays();
  ck_op_t f = ck_op("|v| v");
  ck_iterator_t count = ck_iterator_count(ck_f32(0)), map = ck_iterator_transform(&iy, &f);
  ck_iterator_t out = ck_iterator_transform_output(&iy, &f);
  ck_iterator_t none = ck_iterator_discard(ck_type_scalar(CK_F32));
  ck_view_t view;
  WRONG(ck_inclusive_scan(stream, &ix, &count, &plus, NULL, NULL),
        "argument 'to' is written, and a count can't be");
  WRONG(ck_inclusive_scan(stream, &ix, &map, &plus, NULL, NULL), "a transform can't be");
  WRONG(ck_inclusive_scan(stream, &out, &iy, &plus, NULL, NULL),
        "argument 'x' is read, and a transform on output can't be");
  WRONG(ck_inclusive_scan(stream, &none, &iy, &plus, NULL, NULL), "discard can't be");
  WRONG(ck_merge_sort(stream, &map, &less, NULL, NULL), "argument 'x' is written");
  CHECK_OK(ck_view_from_buffer(dy, 0, CK_F32, 1, 1, (int64_t[]){100}, NULL, &view));
  view.flags |= CK_VIEW_READ_ONLY;
  ck_iterator_t fixed = ck_iterator_view(&view);
  WRONG(ck_inclusive_scan(stream, &ix, &fixed, &plus, NULL, NULL),
        "argument 'to' is written, but is read-only");
  view.flags = 0;
  view.strides[0] = 0;
  WRONG(ck_inclusive_scan(stream, &ix, &fixed, &plus, NULL, NULL),
        "all its elements are one place");
  fixed.type = ck_type_scalar(CK_F64);
  WRONG(ck_inclusive_scan(stream, &ix, &fixed, &plus, NULL, NULL), "have 4 bytes, the type has 8");
  close_arrays();
}

TEST(values_and_types)
{
  open_arrays();
  double pair[2] = {0, 0};
  ck_field_t fields[] = {{"a", ck_type_scalar(CK_F32), 0}, {"b", ck_type_scalar(CK_F64), 0}};
  ck_field_t bad[] = {{"a b", ck_type_scalar(CK_F32), 0}}, loop[] = {{"me", {0, 1, NULL}, 0}};
  ck_struct_type_t type = {"Pair", fields, 2, 12}, named = {"1x", fields, 2, 0};
  ck_struct_type_t odd = {"Odd", bad, 1, 0}, endless = {"Endless", loop, 1, 0};
  loop[0].type.fields = &endless;
  ck_iterator_t wrong = ck_iterator_constant_of(ck_f32(0), ck_type_scalar(CK_F64));
  WRONG(ck_reduce(stream, &ix, &plus, &wrong, &iy, NULL),
        "argument 'init': the value isn't of its");
  wrong = ck_iterator_constant_of(ck_struct(pair, 8), ck_type_struct(&type));
  WRONG(ck_reduce(stream, &ix, &plus, &wrong, &iy, NULL), "a value of 8 bytes, not 16");
  wrong = ck_iterator_constant_of(ck_struct(pair, 16), ck_type_struct(&type));
  WRONG(ck_reduce(stream, &ix, &plus, &wrong, &iy, NULL),
        "'Pair' has 12 bytes, but its fields need 16");
  wrong = ck_iterator_array_of(ck_whole(dx), ck_type_struct(&named));
  WRONG(ck_fill(stream, &wrong, &zero, NULL), "'1x' can't be the name of a struct");
  wrong = ck_iterator_array_of(ck_whole(dx), ck_type_struct(&odd));
  WRONG(ck_fill(stream, &wrong, &zero, NULL), "'a b' can't be the name of a field of 'Odd'");
  wrong = ck_iterator_array_of(ck_whole(dx), ck_type_struct(&endless));
  WRONG(ck_fill(stream, &wrong, &zero, NULL), "argument 'to' has no type of an element");
  wrong = ck_iterator_array_of(ck_whole(dx), ck_type_vector(CK_F32, 77));
  WRONG(ck_fill(stream, &wrong, &zero, NULL), "has no type of an element");
  WRONG(ck_argmin(stream, &ix, NULL, &wrong, NULL), "ck_argmin: argument 'to' has no type");
  close_arrays();
}

TEST(options_that_do_not_belong)
{
  open_arrays();
  ck_algorithm_options_t options = CK_OPTIONS_INIT(ck_algorithm_options_t);
  options.flags = CK_ALGORITHM_DESCENDING;
  WRONG(ck_reduce(stream, &ix, &plus, &zero, &iy, &options),
        "ck_reduce: it has no option CK_ALGORITHM_DESCENDING");
  options.flags = 1u << 20;
  WRONG(ck_reduce(stream, &ix, &plus, &zero, &iy, &options), "flags 0x100000 aren't");
  options.flags = 0;
  options.channels = 3;
  WRONG(ck_reduce(stream, &ix, &plus, &zero, &iy, &options), "it has no option channels");
  options.channels = 0;
  options.determinism = (ck_determinism_t)9;
  WRONG(ck_reduce(stream, &ix, &plus, &zero, &iy, &options), "9 is no ck_determinism_t");
  options.determinism = CK_DETERMINISM_GPU_TO_GPU;
  CHECK_STATUS(ck_inclusive_scan(stream, &ix, &iy, &plus, NULL, &options), CK_UNSUPPORTED,
               "ck_inclusive_scan: argument 'f' rounds");
  options.struct_size = 3;
  WRONG(ck_reduce(stream, &ix, &plus, &zero, &iy, &options), "struct_size is 3");
  close_arrays();
}

TEST(operations_with_errors)
{
  open_arrays();
  ck_op_t unknown = ck_op("plus"), open_text = ck_op("|a, b| a + (b"), three = ck_op("|a| a");
  ck_op_t inside = ck_op("|v| v.nothing"), state = ck_op_with_state("|v| v + k", NULL, 2);
  ck_iterator_t map = ck_iterator_transform(&ix, &inside);
  REFUSED(ck_reduce(stream, &ix, &unknown, &zero, &iy, NULL), "'plus'");
  REFUSED(ck_reduce(stream, &ix, &open_text, &zero, &iy, NULL),
          "ck_reduce: the operation of argument 'f':\n");
  REFUSED(ck_reduce(stream, &ix, &three, &zero, &iy, NULL), "ck_reduce: ");
  REFUSED(ck_inclusive_scan(stream, &map, &iy, &plus, NULL, NULL),
          "ck_inclusive_scan: the operation of argument 'x':\n");
  CHECK(strstr(ck_last_error(), "|v| v.nothing"));
  WRONG(ck_reduce(stream, &ix, &state, &zero, &iy, NULL), "argument 'f': 2 states, but no list");
  for (int i = 0; i < 2; ++i) /* a failure is found again */
    REFUSED(ck_reduce(stream, &ix, &unknown, &zero, &iy, NULL), "'plus'");
  close_arrays();
}

int main(void)
{
  return run_tests();
}
