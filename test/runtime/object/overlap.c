/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* overlap.c - tests launches with overlapping spans: refused if one of them is written, correct if
 * both are read.
 *
 * For each kernel and algorithm of overlap.ck, every pair of spans gets the same memory, or memory
 * that begins an element before or after the other's. If one is written and they share a byte, the
 * launch must be refused, naming both, before anything runs. Otherwise the outputs must be those of
 * a launch in which the second span has a copy of its elements elsewhere. On the host device or a
 * GPU: $CK_DEVICE.
 */
#include "fixture.h"

#include "overlap.ck.text"

enum { N = 64, SPANS = 6, ROOM = 4096, PLACE = 2048, BYTES = 2 * (SPANS + 1) * ROOM };

static Bench bench;
static ck_buffer_t *memory;
static unsigned char first[BYTES], apart[BYTES];
static size_t refused, accepted;

typedef struct Span {
  size_t index; /* among the parameters */
  ck_param_t param;
  size_t bytes;
} Span;

static void fill(unsigned char *bytes)
{
  for (size_t i = 0; i < BYTES; ++i) bytes[i] = (unsigned char)(i * 7 + i / 251);
}

/* Launches with span k at `places[k]` of the memory, whose contents are `bytes` before and
 * afterwards. */
static ck_status_t launch(ck_kernel_t *kernel, const Span *spans, size_t span_count,
                          const size_t *places, unsigned char *bytes)
{
  ck_arg_t args[SPANS + 2];
  for (size_t i = 0; i < ck_kernel_param_count(kernel); ++i) args[i] = ck_arg_unsigned(N, CK_U64);
  for (size_t k = 0; k < span_count; ++k)
    args[spans[k].index] = ck_address_span(ck_buffer_native(memory) + places[k],
                                           spans[k].bytes / spans[k].param.bytes);
  CHECK_OK(ck_buffer_write(memory, 0, bytes, BYTES, bench.stream));
  ck_status_t status =
      ck_launch_args(bench.stream, NULL, kernel, args, ck_kernel_param_count(kernel));
  if (status) return status;
  CHECK_OK(ck_buffer_read(memory, 0, bytes, BYTES, bench.stream));
  return ck_stream_sync(bench.stream);
}

static bool is_written(const Span *span)
{
  return span->param.access != CK_ACCESS_IN;
}

static void try_pair(ck_kernel_t *kernel, const Span *spans, size_t count, size_t i, size_t j,
                     int shift)
{
  size_t places[SPANS], own[SPANS];
  for (size_t k = 0; k < count; ++k) places[k] = own[k] = k * ROOM + PLACE / 2;
  size_t step =
      spans[j].param.bytes > spans[i].param.bytes ? spans[j].param.bytes : spans[i].param.bytes;
  places[j] = places[i] + (size_t)((ptrdiff_t)step * shift);
  bool overlap = places[j] < places[i] + spans[i].bytes && places[i] < places[j] + spans[j].bytes;
  fill(first);
  ck_status_t status = launch(kernel, spans, count, places, first);
  if (overlap && (is_written(&spans[i]) || is_written(&spans[j]))) {
    char names[2][64];
    CHECK(status == CK_INVALID_ARGUMENT);
    snprintf(names[0], sizeof names[0], "'%s'", spans[i].param.name);
    snprintf(names[1], sizeof names[1], "'%s'", spans[j].param.name);
    CHECK_ERROR("it is written, and overlaps argument");
    CHECK_ERROR(names[0]);
    CHECK_ERROR(names[1]);
    CHECK_OK(ck_stream_sync(bench.stream)); /* which may still be copying */
    ++refused;
    return;
  }
  CHECK_OK(status);
  ++accepted;
  fill(apart);
  memcpy(apart + own[j], apart + places[j], spans[j].bytes); /* a copy of the elements elsewhere */
  CHECK_OK(launch(kernel, spans, count, own, apart));
  for (size_t k = 0; k < count; ++k)
    if (is_written(&spans[k])) CHECK(!memcmp(first + places[k], apart + own[k], spans[k].bytes));
}

TEST(each_pair_of_spans)
{
  for (size_t k = 0; k < ck_object_code_kernel_count(bench.code); ++k) {
    ck_kernel_t *kernel;
    const char *name = ck_object_code_kernel_name(bench.code, k);
    CHECK_OK(ck_kernel_from_code(bench.code, bench.device, name, &kernel));
    Span spans[SPANS];
    size_t count = 0;
    for (size_t i = 0; i < ck_kernel_param_count(kernel); ++i) {
      Span *span = &spans[count];
      CHECK_OK(ck_kernel_get_param(kernel, span->index = i, &span->param));
      if (span->param.kind != CK_PARAM_SPAN) continue;
      const ck_param_t *param = &span->param;
      bool is_one = param->extent_count == 1 && !strcmp(param->extents[0], "1");
      span->bytes = param->bytes * (is_one ? 1 : N) * (param->extent_count == 2 ? 2 : 1);
      ++count;
    }
    for (size_t i = 0; i < count; ++i)
      for (size_t j = 0; j < count; ++j)
        for (int shift = -1; shift <= 1 && i != j; ++shift)
          try_pair(kernel, spans, count, i, j, shift);
    ck_kernel_release(kernel);
  }
  printf("%zu refused, %zu right\n", refused, accepted);
  CHECK(refused > 20 && accepted > 10);
}

int main(void)
{
  const char *build = getenv("CK_BUILD");
  char path[ROOM];
  snprintf(path, sizeof path, "%s/lib/libckc.so", build ? build : ".");
  if (build && !getenv("CK_LIBCKC")) setenv("CK_LIBCKC", path, 1);
  bench_open_any(&bench);
  ck_program_t *program;
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  options.file_name = "overlap.ck";
  if (ck_program_create(overlap_ck, strlen(overlap_ck), &options, &program) ||
      ck_program_compile(program, bench.device, &bench.code)) {
    printf("%s\n", ck_last_error());
    return strstr(ck_last_error(), "CK_UNAVAILABLE") ? 77 : 1;
  }
  memory = bench_buffer(&bench, BYTES);
  RUN(each_pair_of_spans);
  ck_buffer_release(memory);
  ck_program_release(program);
  bench_close(&bench);
  return tests_report();
}
