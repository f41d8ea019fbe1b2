/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm_linked.c - operations of CUDA C++ as LTO-IR in algorithms. They run on a GPU; without
 * one the code is made. Skipped without NVRTC. */
#include "algorithm.h"

static const char cuda[] = "extern \"C\" __device__ int twice(int v) { return 2 * v; }\n"
                           "extern \"C\" __device__ void add(void *a, void *b, void *to)\n"
                           "{ *(int *)to = *(int *)a + *(int *)b; }\n";

/* How a function that takes untyped pointers is called. */
static const char adapter[] = "import fn twice(v: i32) -> i32;\n"
                              "import fn add(a: ptr<i32>, b: ptr<i32>, to: ptr<i32>);\n"
                              "fn add_values(a: i32, b: i32) -> i32 {\n"
                              "    var x = a; var y = b; var r = 0;\n"
                              "    add(address(x), address(y), address(r));\n"
                              "    return r;\n"
                              "}\n";

static ck_object_code_t *code; /* of the text above; NULL: no NVRTC */
static ck_op_t twice, add;

static void open_operations(void)
{
  ck_program_options_t options = CK_OPTIONS_INIT(ck_program_options_t);
  ck_program_t *program;
  size_t bytes;
  options.emit = CK_EMIT_LTOIR;
  options.target = ck_device_is_host(device) ? "sm_90" : ck_device_target(device);
  CHECK_OK(ck_program_from_source(CK_PROGRAM_CUDA, cuda, sizeof cuda - 1, &options, &program));
  if (ck_program_compile(program, NULL, &code) != CK_OK) return;
  const void *ltoir = ck_object_code_bytes(code, &bytes);
  twice = ck_op_from_ltoir("twice", adapter, ltoir, bytes);
  add = ck_op_from_ltoir("add_values", adapter, ltoir, bytes);
  ck_program_release(program);
}

TEST(operations_of_cuda)
{
  enum { N = 3000 };
  int x[N], got, want = 7;
  for (int i = 0; i < N; ++i) want += 2 * (x[i] = i % 13);
  ck_buffer_t *in = array_new(sizeof x, x), *out = array_new(4, NULL);
  ck_iterator_t it = ck_iterator_array(ck_whole(in), CK_I32);
  ck_iterator_t to = ck_iterator_array(ck_whole(out), CK_I32);
  ck_iterator_t init = ck_iterator_constant(ck_i32(7)),
                doubled = ck_iterator_transform(&it, &twice);
  if (ck_device_is_host(device)) {
    const void *operands[] = {&doubled, &add, &init, &to};
    const char *targets[] = {"sm_90"};
    ck_algorithm_t *made;
    size_t bytes;
    CHECK_OK(
        ck_algorithm_create_for_targets(targets, 1, CK_ALGORITHM_REDUCE, operands, 4, NULL, &made));
    CHECK(ck_algorithm_bytes(made, &bytes) && bytes > 1000);
    ck_algorithm_release(made);
    CHECK_STATUS(ck_reduce(stream, &doubled, &add, &init, &to, NULL), CK_UNSUPPORTED,
                 "ck_reduce: operations as LTO-IR are for GPUs");
  } else {
    CHECK_OK(ck_reduce(stream, &doubled, &add, &init, &to, NULL));
    array_read(out, &got, 4);
    CHECK(got == want);
  }
  ck_buffer_release(in);
  ck_buffer_release(out);
}

int main(void)
{
  if (!tests_open()) return 1;
  open_operations();
  if (!code) {
    fprintf(stderr, "%s\n", ck_last_error());
    return 77;
  }
  int result = run_tests();
  return result;
}
