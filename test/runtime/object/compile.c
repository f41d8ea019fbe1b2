/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compile.c - compiles CK text with the real compiler and runs it, on the host device and on a GPU.
 *
 * Skipped without libckc. Uses only libckrt's public headers.
 */
#define _GNU_SOURCE /* setenv, mkdtemp */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ck/ck.h"

static unsigned passed, failed;
#define CHECK(condition)                                                                           \
  ((condition) ? (void)++passed                                                                    \
               : (void)(++failed, fprintf(stderr, "compile.c:%d: failed: %s; %s\n", __LINE__,      \
                                          #condition, ck_last_error())))

static const char source[] =
    "kernel saxpy(n: u64, a: f32, x: in f32[n], y: in f32[n], z: out f32[n])\n"
    "    launch(block = 256, grid = ceil_div(n, 256))\n"
    "{\n"
    "    let i = grid.thread_rank;\n"
    "    if (i < n) z[i] = a * x[i] + y[i];\n"
    "}\n"
    "kernel reverse(x: in u32[], y: out u32[])\n"
    "    launch(block = 128, grid = ceil_div(x.len, 128))\n"
    "{\n"
    "    shared tile: u32[128];\n"
    "    let base = u64(block.id.x) * 128;\n"
    "    if (base + thread.x < x.len) tile[thread.x] = x[base + thread.x];\n"
    "    block.sync();\n"
    "    let from = 127 - thread.x;\n"
    "    if (base + from < x.len) y[base + thread.x] = tile[from];\n"
    "}\n"
    "struct Row { on: bool; d: f64; h: i16; v: f32[3]; }\n"
    "kernel rows(n: u32, q: Row, x: in Row[n], y: out Row[n], p: u64) launch(block = n, grid = 1)\n"
    "{\n"
    "    let i = thread.x;\n"
    "    var r = x[i];\n"
    "    r.on = q.on != r.on;\n"
    "    r.v[i % 3] += q.v[2];\n"
    "    r.h += q.h;\n"
    "    y[i] = r;\n"
    "    ptr<Row>(p)[i].d = q.d;\n"
    "}\n";

/* The C layout of the CK struct Row. */
typedef struct Row {
  _Bool on;
  double d;
  int16_t h;
  float v[3];
} Row;

/* A struct by value, spans of structs, and one through a pointer. */
static void run_rows(ck_device_t *device, ck_stream_t *stream, ck_object_code_t *code)
{
  enum { N = 5 };
  Row in[N], out[N], q = {1, 2.5, -3, {0, 0, 10}};
  ck_kernel_t *rows = NULL;
  ck_buffer_t *x = NULL, *y = NULL;
  memset(in, 0, sizeof in);
  for (int i = 0; i < N; ++i) in[i] = (Row){i & 1, i, (int16_t)i, {1, 2, 3}};
  CHECK(ck_kernel_from_code(code, device, "rows", &rows) == CK_OK);
  CHECK(ck_buffer_create(device, sizeof in, stream, &x) == CK_OK);
  CHECK(ck_buffer_create(device, sizeof in, stream, &y) == CK_OK);
  if (!rows || !x || !y) return;
  CHECK(ck_buffer_write(x, 0, in, sizeof in, stream) == CK_OK);
  CHECK(ck_launch(stream, NULL, rows, N, ck_struct(&q, sizeof q), x, y,
                  (uint64_t)ck_buffer_native(y)) == CK_OK);
  CHECK(ck_buffer_read(y, 0, out, sizeof out, stream) == CK_OK);
  CHECK(ck_stream_sync(stream) == CK_OK);
  int wrong = 0;
  for (int i = 0; i < N; ++i) {
    in[i].v[i % 3] += 10;
    wrong += out[i].on != !(i & 1) || out[i].d != 2.5 || out[i].h != i - 3 ||
             memcmp(out[i].v, in[i].v, sizeof in[i].v) != 0;
  }
  CHECK(wrong == 0);
  CHECK(ck_launch(stream, NULL, rows, N, ck_struct(&q, sizeof q - 1), x, y, 0ull) ==
        CK_INVALID_ARGUMENT);
  CHECK(strstr(ck_last_error(), "expected Row, a value of 32 bytes, got a value of 31 bytes"));
  CHECK(ck_launch(stream, NULL, rows, N, 1.0f, x, y, 0ull) == CK_INVALID_ARGUMENT);
  CHECK(ck_launch(stream, NULL, rows, N, ck_struct(&q, sizeof q), x, 1, 0ull) ==
        CK_INVALID_ARGUMENT);
  CHECK(strstr(ck_last_error(), "argument 4 'y': expected a span of Row, got i32 1"));
  ck_buffer_release(x);
  ck_buffer_release(y);
  ck_kernel_release(rows);
}

/* Damaged host images are refused as a whole, since host code is executed in this process. */
static void load_damaged(ck_device_t *device, const ck_object_code_t *code)
{
  size_t bytes;
  const char *image = ck_object_code_bytes(code, &bytes);
  ck_object_code_t *damaged = NULL;
  ck_kernel_t *kernel;
  char *copy = malloc(bytes);
  CHECK(copy != NULL);
  if (!copy) return;
  memcpy(copy, image, bytes);
  copy[bytes / 4] ^= 4;
  CHECK(ck_object_code_from_bytes(copy, bytes, &damaged) == CK_OK);
  CHECK(ck_kernel_from_code(damaged, device, "saxpy", &kernel) == CK_INVALID_ARGUMENT);
  CHECK(strstr(ck_last_error(), "the image is damaged, its digest is"));
  ck_object_code_release(damaged);
  free(copy);
}

static void run_on(ck_device_t *device)
{
  enum { N = 12800 };
  static float x[N], z[N];
  static uint32_t u[N], v[N];
  ck_stream_t *stream = NULL;
  ck_program_t *program;
  ck_object_code_t *code = NULL;
  ck_kernel_t *saxpy = NULL, *reverse = NULL;
  ck_buffer_t *a = NULL, *b = NULL;
  for (uint32_t i = 0; i < N; ++i) x[i] = (float)i, u[i] = i;
  CHECK(ck_stream_create(device, NULL, &stream) == CK_OK);
  CHECK(ck_program_create(source, sizeof source - 1, NULL, &program) == CK_OK);
  CHECK(ck_program_compile(program, device, &code) == CK_OK);
  if (!code) fprintf(stderr, "%s\n", ck_program_log(program));
  if (!code) goto done;
  CHECK(ck_object_code_kernel_count(code) == 3);
  CHECK(ck_kernel_from_code(code, device, "saxpy", &saxpy) == CK_OK);
  CHECK(ck_kernel_from_code(code, device, "reverse", &reverse) == CK_OK);
  CHECK(ck_buffer_create(device, sizeof x, stream, &a) == CK_OK);
  CHECK(ck_buffer_create(device, sizeof x, stream, &b) == CK_OK);
  if (!saxpy || !reverse || !a || !b) goto done;
  CHECK(ck_buffer_write(a, 0, x, sizeof x, stream) == CK_OK);
  CHECK(ck_launch(stream, NULL, saxpy, N, 2.0f, a, a, b) == CK_OK);
  CHECK(ck_buffer_read(b, 0, z, sizeof z, stream) == CK_OK);
  CHECK(ck_buffer_write(a, 0, u, sizeof u, stream) == CK_OK);
  CHECK(ck_launch(stream, NULL, reverse, a, b) == CK_OK);
  CHECK(ck_buffer_read(b, 0, v, sizeof v, stream) == CK_OK);
  CHECK(ck_stream_sync(stream) == CK_OK);
  int wrong = 0;
  for (uint32_t i = 0; i < N; ++i)
    wrong += z[i] != 3 * x[i] || v[i] != i / 128 * 128 + 127 - i % 128;
  CHECK(wrong == 0);
  run_rows(device, stream, code);
  if (ck_device_is_host(device)) load_damaged(device, code);
  CHECK(ck_launch(stream, NULL, saxpy, N + 1, 2.0f, a, a, b) == CK_INVALID_ARGUMENT);
done:
  ck_buffer_release(a);
  ck_buffer_release(b);
  ck_kernel_release(saxpy);
  ck_kernel_release(reverse);
  ck_object_code_release(code);
  ck_program_release(program);
  ck_stream_release(stream);
}

/* An error in the source is reported with its place. */
static void fail_on(ck_device_t *device)
{
  static const char text[] = "kernel k(x: out f32[1]) launch(block = 1, grid = 1) { x[0] = y; }\n";
  ck_program_t *program;
  ck_object_code_t *code;
  CHECK(ck_program_create(text, sizeof text - 1, NULL, &program) == CK_OK);
  CHECK(ck_program_compile(program, device, &code) == CK_COMPILE && !code);
  CHECK(strstr(ck_program_log(program), "kernel.ck:1:"));
  ck_program_release(program);
}

int main(void)
{
  ck_device_t *device;
  ck_program_t *program;
  ck_object_code_t *code = NULL;
  setenv("CK_CACHE", "off", 1);
  CHECK(ck_device_open_host(&device) == CK_OK);
  CHECK(ck_program_create("", 0, NULL, &program) == CK_OK);
  ck_status_t status = ck_program_compile(program, device, &code);
  ck_program_release(program);
  ck_object_code_release(code);
  if (status == CK_UNAVAILABLE) {
    printf("0 passed, 0 failed: %s\n", ck_last_error());
    ck_device_release(device);
    return 77; /* skipped */
  }
  run_on(device);
  fail_on(device);
  ck_device_release(device);
  if (ck_device_count() > 0) {
    CHECK(ck_device_open(0, &device) == CK_OK);
    run_on(device);
    ck_device_release(device);
  }
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}
