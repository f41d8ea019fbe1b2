/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* link_time.c - tests linking CK and CUDA C++ into one kernel: functions of each language are
 * called from the other, and inlined.
 *
 * Modelled on cuda.core's jit_lto_fractal.py: a kernel of a library (CK) colours each pixel with a
 * function that its user writes (CUDA C++), which in turn calls a function of the library. Linking
 * needs no GPU; with one ($CK_DEVICE) the result is run.
 */
#include "both.h"

static const char library[] =
    "import fn colour(steps: i32, limit: i32) -> f32;\n"
    "import fn note(counts: ptr<i32>, at: u64);\n"
    "export fn fraction(steps: i32, limit: i32) -> f32 = f32(steps) / f32(limit);\n"
    "fn escape(cx: f32, cy: f32, limit: i32) -> i32\n"
    "{\n"
    "    var x = 0.0; var y = 0.0;\n"
    "    for (i in 0..limit) {\n"
    "        let next = x * x - y * y + cx;\n"
    "        y = 2.0 * x * y + cy;\n"
    "        x = next;\n"
    "        if (x * x + y * y > 4.0) return i;\n"
    "    }\n"
    "    return limit;\n"
    "}\n"
    "kernel fractal(h: u32, w: u32, limit: i32, counts: inout i32[1], image: out f32[h, w])\n"
    "    launch(block = (16, 16), grid = (ceil_div(w, 16), ceil_div(h, 16)))\n"
    "{\n"
    "    let (r, c) = (block.id.y * 16 + thread.y, block.id.x * 16 + thread.x);\n"
    "    if (r >= h || c >= w) return;\n"
    "    let steps = escape(f32(c) / f32(w) * 3.0 - 2.0, f32(r) / f32(h) * 2.0 - 1.0, limit);\n"
    "    image[r, c] = colour(steps, limit);\n"
    "    note(address(counts[0]), 0u64);\n"
    "}\n";

static const char user[] =
    "extern \"C\" __device__ float fraction(int steps, int limit);\n"
    "extern \"C\" __device__ float colour(int steps, int limit)\n"
    "{\n"
    "  return steps == limit ? -1.0f : 1000.0f + fraction(steps, limit);\n"
    "}\n"
    "extern \"C\" __device__ void note(int *counts, size_t at) { atomicAdd(counts + at, 1); }\n"
    "extern \"C\" __global__ void halves(float *out) { *out = fraction(1, 2); }\n";

/* The expected result of escape() and colour(). */
static float expected(unsigned r, unsigned c, unsigned h, unsigned w, int limit)
{
  float cx = (float)c / (float)w * 3 - 2, cy = (float)r / (float)h * 2 - 1, x = 0, y = 0;
  for (int i = 0; i < limit; ++i) {
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    if (x * x + y * y > 4) return 1000 + (float)i / (float)limit;
  }
  return -1;
}

/* Compiles both pieces for a target, in a form; false, with the reason printed, if a tool is
 * missing. */
static bool make_pieces(const char *target, ck_emit_t form, ck_object_code_t **out_pieces)
{
  ck_compile_options_t ck = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_program_options_t cuda = CK_OPTIONS_INIT(ck_program_options_t);
  ck_program_t *programs[2] = {NULL, NULL};
  ck_status_t status = CK_OK;
  ck.target = cuda.target = target;
  ck.emit = cuda.emit = form;
  ck.backend = form == CK_EMIT_LTOIR ? CK_BACKEND_LIBNVVM : CK_BACKEND_AUTO;
  cuda.relocatable_device_code = CK_ON;
  cuda.name = "colour.cu";
  CHECK_OK(ck_program_create(library, strlen(library), &ck, &programs[0]));
  CHECK_OK(ck_program_from_source(CK_PROGRAM_CUDA, user, strlen(user), &cuda, &programs[1]));
  for (int i = 0; i < 2; ++i) {
    out_pieces[i] = NULL;
    if (status == CK_OK) status = ck_program_compile(programs[i], NULL, &out_pieces[i]);
    if (status != CK_OK && status != CK_UNAVAILABLE) CHECK_OK(status);
    ck_program_release(programs[i]);
  }
  return status == CK_OK;
}

static ck_object_code_t *link_pieces(const char *target, ck_emit_t form, ck_object_code_t **pieces)
{
  ck_linker_options_t options = CK_OPTIONS_INIT(ck_linker_options_t);
  ck_linker_t *linker;
  ck_object_code_t *linked = NULL;
  options.target = target;
  options.name = "fractal";
  CHECK_OK(ck_linker_create(NULL, &options, &linker));
  for (int i = 0; i < 2; ++i) CHECK_OK(ck_linker_add_code(linker, pieces[i]));
  if (!CHECK_OK(ck_linker_link(linker, form, &linked)))
    fprintf(stderr, "%s\n", ck_linker_error_log(linker));
  ck_linker_release(linker);
  return linked;
}

static void release_pieces(ck_object_code_t **pieces)
{
  ck_object_code_release(pieces[0]);
  ck_object_code_release(pieces[1]);
}

/* The result is one kernel without a call in it. */
TEST(functions_are_inlined)
{
  ck_object_code_t *pieces[2], *linked = NULL;
  if (make_pieces("sm_80", CK_EMIT_LTOIR, pieces))
    linked = link_pieces("sm_80", CK_EMIT_PTX, pieces);
  if (linked) {
    const char *text = ck_object_code_bytes(linked, NULL);
    CHECK(strstr(text, ".entry fractal(") && strstr(text, ".entry halves("));
    CHECK(!strstr(text, "call"));
    CHECK(ck_object_code_kernel_count(linked) == 1);
  }
  ck_object_code_release(linked);
  release_pieces(pieces);
}

/* PTX of both is linked too; calls are not inlined then. */
TEST(ptx_is_linked)
{
  ck_object_code_t *pieces[2], *linked = NULL;
  if (make_pieces("sm_80", CK_EMIT_PTX, pieces))
    linked = link_pieces("sm_80", CK_EMIT_CUBIN, pieces);
  if (linked) CHECK(!strcmp(ck_object_code_kernel_name(linked, 0), "fractal"));
  ck_object_code_release(linked);
  release_pieces(pieces);
}

/* One piece alone: no device loads it, and the error names the missing function. */
TEST(one_piece_alone)
{
  ck_object_code_t *pieces[2], *none;
  ck_linker_options_t options = CK_OPTIONS_INIT(ck_linker_options_t);
  ck_linker_t *linker;
  options.target = "sm_80";
  if (make_pieces("sm_80", CK_EMIT_LTOIR, pieces)) {
    CHECK_OK(ck_linker_create(NULL, &options, &linker));
    CHECK_OK(ck_linker_add_code(linker, pieces[0]));
    CHECK_FAILS(ck_linker_link(linker, CK_EMIT_CUBIN, &none), CK_COMPILE);
    CHECK_ERROR("colour");
    ck_linker_release(linker);
  }
  release_pieces(pieces);
}

static void run_on_gpu(ck_emit_t form)
{
  enum { H = 50, W = 70, LIMIT = 30 };
  static float image[H * W];
  ck_object_code_t *pieces[2];
  const char *target = ck_device_target(device);
  if (make_pieces(target, form, pieces)) code = link_pieces(target, CK_EMIT_CUBIN, pieces);
  release_pieces(pieces);
  if (!code) return;
  ck_kernel_t *fractal = kernel("fractal"), *halves = kernel("halves");
  ck_buffer_t *counts = zeros(4), *out = zeros(sizeof image);
  CHECK_OK(ck_launch(stream, NULL, fractal, (uint32_t)H, (uint32_t)W, LIMIT, counts, out));
  CHECK_OK(ck_buffer_read(out, 0, image, sizeof image, stream));
  CHECK(read_i32(counts, 0) == H * W);
  int wrong = 0;
  for (unsigned i = 0; i < H * W; ++i) {
    float want = expected(i / W, i % W, H, W, LIMIT), off = image[i] - want;
    wrong += off > 0.1f || off < -0.1f; /* with fma a few pixels may escape one step earlier */
  }
  CHECK(wrong <= H * W / 50);
  /* The launch of CK's kernel is checked; of the other kernel no parameters are known. */
  CHECK_FAILS(ck_launch(stream, NULL, fractal, (uint32_t)H, (uint32_t)W, LIMIT, counts),
              CK_INVALID_ARGUMENT);
  ck_launch_config_t one = CK_OPTIONS_INIT(ck_launch_config_t);
  for (int i = 0; i < 3; ++i) one.grid[i] = one.block[i] = 1;
  float half = 0;
  CHECK(!ck_kernel_has_manifest(halves));
  CHECK_OK(ck_launch(stream, &one, halves, out));
  CHECK_OK(ck_buffer_read(out, 0, &half, sizeof half, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(half == 0.5f);
  ck_buffer_release(counts);
  ck_buffer_release(out);
  ck_kernel_release(fractal);
  ck_kernel_release(halves);
  ck_object_code_release(code);
  code = NULL;
}

TEST(linked_kernels_run)
{
  if (ck_device_is_host(device)) return;
  run_on_gpu(CK_EMIT_LTOIR);
  run_on_gpu(CK_EMIT_PTX);
}

int main(void)
{
  ck_object_code_t *pieces[2];
  CHECK_OK(ck_device_open_auto(&device));
  CHECK_OK(ck_stream_create(device, NULL, &stream));
  bool is_there = make_pieces("sm_80", CK_EMIT_LTOIR, pieces);
  release_pieces(pieces);
  if (!is_there) printf("0 passed, 0 failed: %s\n", ck_last_error());
  if (!is_there) {
    ck_stream_release(stream);
    ck_device_release(device);
    return failed ? 1 : 77;
  }
  run_all();
  return close_both();
}
