/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpu.c - tests the public API on a GPU with handwritten PTX. Skipped without a GPU.
 *
 * Uses only libckrt's public headers, which shows that they suffice.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ck/ck.h"

static unsigned passed, failed;
#define CHECK(condition)                                                                           \
  ((condition) ? (void)++passed                                                                    \
               : (void)(++failed, fprintf(stderr, "gpu.c:%d: failed: %s; %s\n", __LINE__,          \
                                          #condition, ck_last_error())))

static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry saxpy(.param .u64 n, .param .f32 a, .param .u64 x, .param .u64 y,\n"
    "                      .param .u64 z) {\n"
    "  .reg .pred %p; .reg .f32 %f<4>; .reg .b32 %r<4>; .reg .b64 %d<8>;\n"
    "  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n"
    "  mul.wide.u32 %d0, %r0, %r1; cvt.u64.u32 %d1, %r2; add.u64 %d0, %d0, %d1;\n"
    "  ld.param.u64 %d1, [n]; setp.ge.u64 %p, %d0, %d1; @%p ret;\n"
    "  shl.b64 %d0, %d0, 2; ld.param.u64 %d2, [x]; ld.param.u64 %d3, [y];\n"
    "  ld.param.u64 %d4, [z]; ld.param.f32 %f0, [a];\n"
    "  add.u64 %d2, %d2, %d0; add.u64 %d3, %d3, %d0; add.u64 %d4, %d4, %d0;\n"
    "  ld.global.f32 %f1, [%d2]; ld.global.f32 %f2, [%d3]; fma.rn.f32 %f3, %f0, %f1, %f2;\n"
    "  st.global.f32 [%d4], %f3; ret;\n}\n"
    ".extern .shared .align 16 .b8 buf[];\n"
    ".visible .entry last(.param .u32 k, .param .u64 out) {\n"
    "  .reg .b32 %r<4>; .reg .b64 %d<2>;\n"
    "  ld.param.u32 %r0, [k]; mov.u32 %r1, buf; shl.b32 %r2, %r0, 2; add.u32 %r1, %r1, %r2;\n"
    "  st.shared.u32 [%r1 + -4], %r0; ld.shared.u32 %r3, [%r1 + -4];\n"
    "  ld.param.u64 %d0, [out]; st.global.u32 [%d0], %r3; ret;\n}\n"
    ".visible .entry boom() { trap; }\n"
    "//ck: {\"manifest\":1,\"source\":\"gpu.ck\",\"target\":\"sm_75\",\"kernels\":["
    "{\"name\":\"saxpy\",\"symbol\":\"saxpy\",\"params\":["
    "{\"name\":\"n\",\"kind\":\"scalar\",\"type\":\"u64\"},"
    "{\"name\":\"a\",\"kind\":\"scalar\",\"type\":\"f32\"},"
    "{\"name\":\"x\",\"kind\":\"span\",\"type\":\"f32\",\"access\":\"in\",\"extents\":[\"n\"]},\n"
    "//ck: "
    "{\"name\":\"y\",\"kind\":\"span\",\"type\":\"f32\",\"access\":\"in\",\"extents\":[\"n\"]},"
    "{\"name\":\"z\",\"kind\":\"span\",\"type\":\"f32\",\"access\":\"out\",\"extents\":[\"n\"]}],"
    "\"launch\":{\"block\":[\"256\"],\"grid\":[\"n 256 ceil_div\"]}},\n"
    "//ck: {\"name\":\"last\",\"symbol\":\"last\",\"params\":["
    "{\"name\":\"k\",\"kind\":\"scalar\",\"type\":\"u32\"},"
    "{\"name\":\"out\",\"kind\":\"span\",\"type\":\"u32\",\"access\":\"out\",\"extents\":[\"1\"]}],"
    "\"launch\":{\"block\":[\"1\"],\"grid\":[\"1\"]},\"dynamic_shared\":\"k 4 *\"},\n"
    "//ck: {\"name\":\"boom\",\"symbol\":\"boom\",\"params\":[],"
    "\"launch\":{\"block\":[\"1\"],\"grid\":[\"1\"]}}]}\n";

static ck_device_t *device;
static ck_stream_t *stream;
static ck_object_code_t *code;

/* Whether a GPU's primary context is active; -1: unknown. */
static int is_active(int ordinal)
{
  int (*get_state)(int ordinal, unsigned *flags, int *is_active) = NULL;
  unsigned flags;
  int active;
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library) *(void **)&get_state = dlsym(library, "cuDevicePrimaryCtxGetState");
  return get_state && get_state(ordinal, &flags, &active) == 0 ? active : -1;
}

/* Finding the device makes no context. */
static void find_device(void)
{
  char target[CK_TARGET_BYTES];
  int ordinal;
  CHECK(ck_device_find_auto(&ordinal, target) == CK_OK);
  if (ordinal < 0) return; /* $CK_DEVICE is the host */
  CHECK(is_active(ordinal) == 0);
  CHECK(ck_device_open_auto(&device) == CK_OK);
  CHECK(is_active(ordinal) == 1);
  CHECK(ck_device_ordinal(device) == ordinal && !strcmp(ck_device_target(device), target));
  ck_device_release(device);
}

static void show_device(void)
{
  int processors = 0, value = 0, known = 0;
  size_t free_bytes, total_bytes;
  CHECK(ck_device_get_attribute(device, CK_DEVICE_MULTIPROCESSOR_COUNT, &processors) == CK_OK);
  CHECK(ck_device_get_memory(device, &free_bytes, &total_bytes) == CK_OK);
  for (int i = 0; i < 200; ++i)
    known += ck_device_attribute_name((ck_device_attribute_t)i) &&
             ck_device_get_attribute(device, (ck_device_attribute_t)i, &value) == CK_OK;
  printf("%s, %s, %d multiprocessors, %zu MiB, %d attributes\n", ck_device_name(device),
         ck_device_target(device), processors, total_bytes >> 20, known);
}

static void run_saxpy(void)
{
  enum { N = 1000003 };
  float *x = malloc(N * sizeof *x), *z = malloc(N * sizeof *z);
  ck_buffer_t *a, *b;
  ck_kernel_t *saxpy;
  for (int i = 0; i < N; ++i) x[i] = (float)(i % 1000);
  CHECK(ck_kernel_from_code(code, device, "saxpy", &saxpy) == CK_OK);
  CHECK(ck_buffer_create(device, N * sizeof *x, stream, &a) == CK_OK);
  CHECK(ck_buffer_create(device, N * sizeof *x, stream, &b) == CK_OK);
  CHECK(ck_buffer_write(a, 0, x, N * sizeof *x, stream) == CK_OK);
  CHECK(ck_launch(stream, NULL, saxpy, N, 2.0f, a, a, b) == CK_OK);
  CHECK(ck_buffer_read(b, 0, z, N * sizeof *z, stream) == CK_OK);
  CHECK(ck_stream_sync(stream) == CK_OK);
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += z[i] != 3 * x[i];
  CHECK(wrong == 0);
  /* The default stream, and a thread without a current context. */
  CHECK(ck_launch(NULL, NULL, saxpy, N, -1.0f, a, a, b) == CK_OK);
  CHECK(ck_buffer_read(b, 0, z, N * sizeof *z, NULL) == CK_OK);
  CHECK(ck_device_sync(device) == CK_OK);
  wrong = 0;
  for (int i = 0; i < N; ++i) wrong += z[i] != 0;
  CHECK(wrong == 0);
  CHECK(ck_launch(stream, NULL, saxpy, N + 1, 2.0f, a, a, b) == CK_INVALID_ARGUMENT);
  CHECK(ck_launch(stream, NULL, saxpy, N, 2.0f, a, a, a) == CK_INVALID_ARGUMENT);
  ck_buffer_release(a);
  ck_buffer_release(b);
  ck_kernel_release(saxpy);
  free(x);
  free(z);
}

/* More than 2^31 elements: 8 GiB a span. */
static void run_large(void)
{
  uint64_t n = ((uint64_t)1 << 31) + 5;
  ck_buffer_t *x, *z;
  ck_kernel_t *saxpy;
  float last[5];
  CHECK(ck_kernel_from_code(code, device, "saxpy", &saxpy) == CK_OK);
  if (ck_buffer_create(device, n * sizeof(float), stream, &x) == CK_OK &&
      ck_buffer_create(device, n * sizeof(float), stream, &z) == CK_OK) {
    CHECK(ck_buffer_fill(x, 0, n * sizeof(float), 0x3f800000, 4, stream) == CK_OK);
    CHECK(ck_launch(stream, NULL, saxpy, n, 2.0f, x, x, z) == CK_OK);
    CHECK(ck_buffer_read(z, (n - 5) * sizeof(float), last, sizeof last, stream) == CK_OK);
    CHECK(ck_stream_sync(stream) == CK_OK);
    CHECK(last[0] == 3 && last[4] == 3);
    ck_buffer_release(z);
  }
  ck_buffer_release(x);
  ck_kernel_release(saxpy);
}

static void run_dynamic_shared(void)
{
  ck_kernel_t *last;
  ck_buffer_t *out;
  uint32_t got = 0;
  int most = 0;
  CHECK(ck_device_get_attribute(device, CK_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &most) ==
        CK_OK);
  CHECK(ck_kernel_from_code(code, device, "last", &last) == CK_OK);
  CHECK(ck_buffer_create(device, 4, stream, &out) == CK_OK);
  const uint32_t sizes[] = {100, 12288, 12289, (uint32_t)most / 4};
  for (int i = 0; i < 4; ++i) {
    CHECK(ck_launch(stream, NULL, last, sizes[i], out) == CK_OK);
    CHECK(ck_buffer_read(out, 0, &got, 4, stream) == CK_OK);
    CHECK(ck_stream_sync(stream) == CK_OK);
    CHECK(got == sizes[i]);
  }
  CHECK(ck_launch(stream, NULL, last, most / 4 + 1, out) == CK_INVALID_ARGUMENT);
  ck_buffer_release(out);
  ck_kernel_release(last);
}

static void run_events(void)
{
  ck_event_options_t options = CK_OPTIONS_INIT(ck_event_options_t);
  ck_event_t *start, *end;
  ck_stream_t *other;
  double seconds = -1;
  options.flags = CK_EVENT_TIMING;
  CHECK(ck_event_create(device, &options, &start) == CK_OK);
  CHECK(ck_event_create(device, &options, &end) == CK_OK);
  CHECK(ck_stream_create(device, NULL, &other) == CK_OK);
  if (!getenv("CK_NO_FAULTS")) /* not recorded yet */
    CHECK(ck_event_get_elapsed(start, end, &seconds) == CK_INVALID_ARGUMENT);
  CHECK(ck_stream_record(stream, start) == CK_OK);
  CHECK(ck_stream_record(stream, end) == CK_OK);
  CHECK(ck_stream_wait_stream(other, stream) == CK_OK);
  CHECK(ck_stream_sync(other) == CK_OK);
  CHECK(ck_event_get_elapsed(start, end, &seconds) == CK_OK && seconds >= 0 && seconds < 1);
  ck_event_release(start);
  ck_event_release(end);
  ck_stream_release(other);
}

static void run_memory(void)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool, *pinned;
  ck_buffer_t *a, *b;
  size_t used, held;
  options.max_bytes = 64 << 20;
  CHECK(ck_memory_resource_create_device(device, &options, &pool) == CK_OK);
  CHECK(ck_memory_resource_create_buffer(pool, 1 << 20, stream, &a) == CK_OK);
  CHECK(ck_memory_resource_get_usage(pool, &used, &held) == CK_OK && used >= 1 << 20);
  CHECK(ck_memory_resource_create_pinned(device, &pinned) == CK_OK);
  CHECK(ck_memory_resource_create_buffer(pinned, 1 << 20, stream, &b) == CK_OK);
  CHECK(ck_buffer_host(a) == NULL && ck_buffer_host(b) != NULL);
  CHECK(ck_buffer_fill(a, 0, 1 << 20, 0xab, 1, stream) == CK_OK);
  CHECK(ck_buffer_copy(b, 0, a, 0, 1 << 20, stream) == CK_OK);
  CHECK(ck_stream_sync(stream) == CK_OK);
  CHECK(((unsigned char *)ck_buffer_host(b))[(1 << 20) - 1] == 0xab);
  ck_buffer_release(a);
  ck_buffer_release(b);
  ck_memory_resource_release(pool);
  ck_memory_resource_release(pinned);
}

/* Last, since the context keeps the error. */
static void run_fault(void)
{
  ck_kernel_t *boom;
  CHECK(ck_kernel_from_code(code, device, "boom", &boom) == CK_OK);
  CHECK(ck_launch(stream, NULL, boom) == CK_OK);
  CHECK(ck_stream_sync(stream) == CK_KERNEL_FAULT);
  printf("%s\n", ck_last_error());
  ck_kernel_release(boom);
}

int main(void)
{
  if (ck_device_count() == 0) {
    printf("0 passed, 0 failed: no GPU\n");
    return 77; /* skipped */
  }
  find_device();
  CHECK(ck_device_open(99, &device) == CK_INVALID_ARGUMENT);
  CHECK(ck_device_open(0, &device) == CK_OK);
  CHECK(ck_stream_create(device, NULL, &stream) == CK_OK);
  CHECK(ck_object_code_from_bytes(ptx, sizeof ptx - 1, &code) == CK_OK);
  show_device();
  run_saxpy();
  run_large();
  run_dynamic_shared();
  run_events();
  run_memory();
  if (!getenv("CK_NO_FAULTS")) run_fault(); /* under compute-sanitizer, errors are counted */
  ck_object_code_release(code);
  ck_stream_release(stream);
  ck_device_release(device);
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}
