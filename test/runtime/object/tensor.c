/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tensor.c - tests DLTensors as arguments of launches, and integers that shapes determine.
 *
 * On the host device. Each refusal is told apart by its text, which is what users of all bindings
 * see.
 */
#define _GNU_SOURCE /* setenv */
#include "fixture.h"

#include "memory/view.h"
#include "tensor.ck.text"

static Bench bench;
static ck_object_code_t *code;

static ck_kernel_t *kernel_of(const char *name)
{
  ck_kernel_t *kernel;
  CHECK_OK(ck_kernel_from_code(code, bench.device, name, &kernel));
  return kernel;
}

static DlTensor tensor_of(void *data, DlCode kind, uint8_t bits, int32_t rank, int64_t *extents)
{
  return (DlTensor){.data = data,
                    .device_type = DL_CPU,
                    .rank = rank,
                    .code = (uint8_t)kind,
                    .bits = bits,
                    .lanes = 1,
                    .extents = extents};
}

static ck_status_t launch(ck_kernel_t *kernel, const ck_arg_t *args, size_t count)
{
  CK_TRY(ck_launch_args(bench.stream, NULL, kernel, args, count));
  return ck_stream_sync(bench.stream);
}

TEST(shapes_determine_integers)
{
  float x[12], y[3];
  for (int i = 0; i < 12; ++i) x[i] = (float)i;
  DlTensor tx = tensor_of(x, DL_FLOAT, 32, 2, (int64_t[]){3, 4});
  DlTensor ty = tensor_of(y, DL_FLOAT, 32, 1, (int64_t[]){3});
  ck_kernel_t *rows = kernel_of("rows"), *matrices = kernel_of("matrices");
  ck_arg_t args[] = {ck_inferred(), ck_inferred(), ck_dltensor(&tx, 0), ck_dltensor(&ty, 0)};
  CHECK_OK(launch(rows, args, 4));
  CHECK(y[0] == 6 && y[1] == 22 && y[2] == 38);
  args[0] = ck_u32(2); /* a part, which is possible where nothing is left out */
  args[1] = ck_u32(4);
  CHECK_OK(launch(rows, args, 4));
  args[0] = ck_inferred();
  ty.extents[0] = 2;
  CHECK_STATUS(launch(rows, args, 4), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'rows', argument 4 'y': expected extent r = 3 on axis 0 of [r], got an array "
              "of shape (2,)");

  float m[48] = {[0] = 1, [16] = 2, [32] = 3};
  DlTensor tm = tensor_of(m, DL_FLOAT, 32, 1, (int64_t[]){48});
  ty.extents[0] = 3;
  ck_arg_t some[] = {ck_inferred(), ck_dltensor(&tm, 0), ck_dltensor(&ty, 0)};
  CHECK_OK(launch(matrices, some, 3));
  CHECK(y[0] == 1 && y[1] == 2 && y[2] == 3);
  tm.extents[0] = 47;
  CHECK_STATUS(launch(matrices, some, 3), CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 2 'm'");
  some[1] = ck_address((uint64_t)(uintptr_t)m);
  some[2] = ck_address((uint64_t)(uintptr_t)y);
  CHECK_STATUS(launch(matrices, some, 3), CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 1 'count': it is missing, and no shape of an array determines it");
  ck_kernel_release(rows);
  ck_kernel_release(matrices);
}

TEST(elements_are_scalars_vectors_and_structs)
{
  float x[8] = {[3] = 4, [7] = 8}, y[2];
  int64_t two[] = {2}, two_four[] = {2, 4};
  DlTensor ty = tensor_of(y, DL_FLOAT, 32, 1, two), tx = tensor_of(x, DL_FLOAT, 32, 2, two_four);
  ck_kernel_t *vectors = kernel_of("vectors"), *pairs = kernel_of("pairs"),
              *open = kernel_of("open");
  ck_arg_t args[] = {ck_inferred(), ck_dltensor(&tx, 0), ck_dltensor(&ty, 0)};
  CHECK_OK(launch(vectors, args, 3));
  CHECK(y[0] == 4 && y[1] == 8);
  tx.lanes = 4;
  tx.rank = 1;
  CHECK_OK(launch(vectors, args, 3));
  tx.lanes = 2;
  CHECK_STATUS(launch(vectors, args, 3), CK_INVALID_ARGUMENT);
  CHECK_ERROR("expected elements of f32x4, got an array of float32 of 2 lanes");

  struct {
    float lo;
    int hi;
  } p[2] = {{0.5f, 1}, {2, 3}};
  uint16_t bits[2];
  DlTensor tp = tensor_of(p, DL_OPAQUE, 8, 1, two), tb = tensor_of(bits, DL_UINT, 16, 1, two);
  tp.lanes = 8;
  ck_arg_t some[] = {ck_inferred(), ck_dltensor(&tp, 0), ck_dltensor(&tb, 0)};
  CHECK_OK(launch(pairs, some, 3));
  CHECK(bits[0] == 0x3fc0 && bits[1] == 0x40a0);
  tp.lanes = 12;
  CHECK_STATUS(launch(pairs, some, 3), CK_INVALID_ARGUMENT);
  CHECK_ERROR("got an array of structs of 12 bytes");

  int32_t z = 0, many[5];
  DlTensor tz = tensor_of(&z, DL_INT, 32, 0, NULL);
  DlTensor tn = tensor_of(many, DL_INT, 32, 1, (int64_t[]){5});
  ck_arg_t two_args[] = {ck_dltensor(&tn, 0), ck_dltensor(&tz, 0)};
  CHECK_OK(launch(open, two_args, 2)); /* an array without axes is one element */
  CHECK(z == 5);
  ck_kernel_release(vectors);
  ck_kernel_release(pairs);
  ck_kernel_release(open);
}

TEST(what_does_not_fit_is_refused)
{
  float x[8] = {0}, y[8] = {0};
  int64_t strides[] = {2}, extents[] = {4};
  ck_kernel_t *saxpy = kernel_of("saxpy");
  DlTensor good = tensor_of(x, DL_FLOAT, 32, 1, extents), tx = good, ty = good;
  ty.data = y;
  ck_arg_t args[] = {ck_inferred(), ck_f32(1), ck_dltensor(&tx, CK_VIEW_READ_ONLY),
                     ck_dltensor(&ty, 0)};
  CHECK_OK(launch(saxpy, args, 4));
  args[3].offset = CK_VIEW_READ_ONLY;
  CHECK_STATUS(launch(saxpy, args, 4), CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 4 'y': the kernel writes it, and the array is read-only");
  args[3].offset = 0;
  tx.strides = strides;
  CHECK_STATUS(launch(saxpy, args, 4), CK_INVALID_ARGUMENT);
  CHECK_ERROR("axis 0 has a stride of 2 elements, not 1: pass a contiguous copy");
  tx = good;
  tx.rank = 2;
  tx.extents = (int64_t[]){2, 2};
  CHECK_STATUS(launch(saxpy, args, 4), CK_INVALID_ARGUMENT);
  CHECK_ERROR("expected 1 axis [n], got an array of shape (2, 2): reshape it");
  tx = good;
  tx.code = DL_INT;
  CHECK_STATUS(launch(saxpy, args, 4), CK_INVALID_ARGUMENT);
  CHECK_ERROR("expected elements of f32, got an array of int32");
  tx = good;
  tx.device_type = DL_CUDA;
  CHECK_STATUS(launch(saxpy, args, 4), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the array is in GPU 0, the kernel runs on");
  tx = good;
  tx.byte_offset = 2;
  CHECK_STATUS(launch(saxpy, args, 4), CK_INVALID_ARGUMENT);
  CHECK_ERROR("is not a multiple of 4");
  tx = ty; /* the same memory */
  CHECK_STATUS(launch(saxpy, args, 4), CK_INVALID_ARGUMENT);
  CHECK_ERROR("it is written, and overlaps argument 3 'x'");
  args[2] = ck_dltensor(NULL, 0);
  CHECK_STATUS(launch(saxpy, args, 4), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the array is NULL");
  args[2] = ck_inferred();
  CHECK_STATUS(launch(saxpy, args, 4), CK_INVALID_ARGUMENT);
  CHECK_ERROR("expected a span of f32, got nothing");
  args[1] = ck_inferred();
  CHECK_STATUS(launch(saxpy, args, 4), CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 2 'a'");
  ck_kernel_release(saxpy);
}

int main(void)
{
  ck_program_t *program;
  const char *build = getenv("CK_BUILD");
  char path[4096];
  snprintf(path, sizeof path, "%s/lib/libckc.so", build ? build : ".");
  if (build && !getenv("CK_LIBCKC")) setenv("CK_LIBCKC", path, 1);
  CHECK_OK(ck_device_open_host(&bench.device));
  CHECK_OK(ck_stream_create(bench.device, NULL, &bench.stream));
  CHECK_OK(ck_program_create(tensor_ck, strlen(tensor_ck), NULL, &program));
  CHECK_OK(ck_program_compile(program, bench.device, &code));
  if (!code) return tests_report();
  run_all();
  ck_object_code_release(code);
  ck_program_release(program);
  ck_stream_release(bench.stream);
  ck_device_release(bench.device);
  return tests_report();
}
