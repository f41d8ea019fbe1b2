/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* buffer.c - tests buffers of every kind of memory: copies, fills, the stream of the release,
 * closing. On the device that $CK_DEVICE names; cuda.core's tests of Buffer in C. */
#define _GNU_SOURCE /* setenv, dl_iterate_phdr */
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"

#include <pthread.h>

static Bench bench;

enum { BYTES = 1024, KIND_COUNT = 6 };
#define TOP ((size_t)1 << 63)

/* memory of the caller, and its release ------------------------------------------------------- */

typedef struct Ledger {
  unsigned given, taken;
  ck_stream_t *last_stream;
} Ledger;

static ck_status_t ledger_allocate(void *data, size_t bytes, ck_stream_t *stream,
                                   uint64_t *out_address, void **out_host)
{
  (void)stream;
  ++((Ledger *)data)->given;
  *out_host = memory_new(bytes);
  *out_address = (uintptr_t)*out_host;
  return *out_host ? CK_OK : CK_OUT_OF_MEMORY;
}

static void ledger_deallocate(void *data, uint64_t address, size_t bytes, ck_stream_t *stream)
{
  Ledger *ledger = data;
  (void)bytes;
  ++ledger->taken;
  ledger->last_stream = stream;
  /* Larger requests are only addresses. */
  if (address > BYTES) memory_free((void *)(uintptr_t)address);
}

static ck_memory_resource_t *make_ledger(Ledger *ledger)
{
  ck_memory_functions_t functions = CK_OPTIONS_INIT(ck_memory_functions_t);
  ck_memory_resource_t *resource = NULL;
  functions.allocate = ledger_allocate;
  functions.deallocate = ledger_deallocate;
  functions.data = ledger;
  functions.flags = CK_MEMORY_HOST;
  CHECK_OK(ck_memory_resource_from_functions(bench.device, &functions, &resource));
  return resource;
}

/* kinds of memory ---------------------------------------------------------------------------- */

/* Makes a resource of a kind; NULL if the device lacks it. */
static ck_memory_resource_t *make(int kind)
{
  ck_memory_resource_t *resource = NULL;
  ck_status_t status = CK_UNSUPPORTED;
  switch (kind) {
  case 0: status = ck_memory_resource_create_device(bench.device, NULL, &resource); break;
  case 1: status = ck_memory_resource_create_pinned(bench.device, &resource); break;
  case 2: status = ck_memory_resource_create_pinned_pool(bench.device, NULL, &resource); break;
  case 3: status = ck_memory_resource_create_legacy_managed(bench.device, &resource); break;
  case 4: status = ck_memory_resource_create_managed(bench.device, NULL, &resource); break;
  case 5: status = ck_memory_resource_create_virtual(bench.device, NULL, &resource); break;
  }
  if (status == CK_UNSUPPORTED) printf("not here: %s\n", ck_last_error());
  else CHECK_STATUS(status, CK_OK);
  return resource;
}

static ck_buffer_t *allocate(ck_memory_resource_t *resource, size_t bytes)
{
  ck_buffer_t *buffer = NULL;
  CHECK_OK(ck_memory_resource_create_buffer(resource, bytes, bench.stream, &buffer));
  return buffer;
}

/* Reads all bytes of a buffer. */
static void read_all(const ck_buffer_t *buffer, void *bytes)
{
  CHECK_OK(ck_buffer_read(buffer, 0, bytes, ck_buffer_bytes(buffer), bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
}

TEST(buffer_initialization)
{
  static const uint32_t flags[KIND_COUNT] = {
      CK_MEMORY_DEVICE,
      CK_MEMORY_DEVICE | CK_MEMORY_HOST,
      CK_MEMORY_DEVICE | CK_MEMORY_HOST,
      CK_MEMORY_DEVICE | CK_MEMORY_HOST | CK_MEMORY_MANAGED,
      CK_MEMORY_DEVICE | CK_MEMORY_HOST | CK_MEMORY_MANAGED,
      CK_MEMORY_DEVICE,
  };
  uint32_t own = ck_device_is_host(bench.device) ? CK_MEMORY_HOST : 0;
  for (int kind = 0; kind < KIND_COUNT; ++kind) {
    ck_memory_resource_t *resource = make(kind);
    if (!resource) continue;
    ck_buffer_t *buffer = allocate(resource, BYTES);
    CHECK(ck_buffer_native(buffer) != 0 && ck_buffer_bytes(buffer) == BYTES);
    CHECK(ck_buffer_memory_resource(buffer) == resource);
    CHECK(ck_buffer_device(buffer) == bench.device);
    CHECK(ck_memory_resource_flags(resource) == (flags[kind] | own));
    CHECK(ck_buffer_flags(buffer) == (flags[kind] | own)); /* not mapped, not closed */
    ck_buffer_release(buffer);
    ck_memory_resource_release(resource);
  }
}

/* Copies between two buffers of a kind, and between each kind and the device's. */
static void try_copies(bool is_to)
{
  ck_memory_resource_t *device = make(0);
  for (int kind = 0; kind < KIND_COUNT; ++kind) {
    ck_memory_resource_t *resource = make(kind);
    if (!resource) continue;
    for (int other = 0; other < 2; ++other) {
      unsigned char in[BYTES], out[BYTES];
      ck_buffer_t *mine = allocate(resource, BYTES);
      ck_buffer_t *theirs = allocate(other ? device : resource, BYTES);
      ck_buffer_t *src = is_to ? mine : theirs, *dst = is_to ? theirs : mine;
      for (int i = 0; i < BYTES; ++i) in[i] = (unsigned char)(i * 7 + kind);
      CHECK_OK(ck_buffer_write(src, 0, in, BYTES, bench.stream));
      CHECK_OK(ck_buffer_copy(dst, 0, src, 0, BYTES, bench.stream));
      read_all(dst, out);
      CHECK(!memcmp(in, out, BYTES));
      if (ck_buffer_host(dst)) CHECK(!memcmp(in, ck_buffer_host(dst), BYTES));
      ck_buffer_release(mine);
      ck_buffer_release(theirs);
    }
    ck_memory_resource_release(resource);
  }
  ck_memory_resource_release(device);
}

TEST(buffer_copy_to)
{
  try_copies(true);
}

TEST(buffer_copy_from)
{
  try_copies(false);
}

TEST(buffer_copy_size_mismatch)
{
  ck_memory_resource_t *device = make(0);
  ck_buffer_t *small = allocate(device, BYTES), *large = allocate(device, 2 * BYTES);
  CHECK_STATUS(ck_buffer_copy(small, 0, large, 0, 2 * BYTES, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("2048 bytes at offset 0, the buffer has 1024 bytes");
  CHECK_STATUS(ck_buffer_copy(large, 0, small, 0, 2 * BYTES, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_copy(large, 2 * BYTES, small, 0, 1, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_copy(large, SIZE_MAX, small, 0, BYTES, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_copy(large, 0, large, 512, BYTES, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("overlap");
  CHECK_STATUS(ck_buffer_copy(large, 512, large, 0, BYTES, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("overlap");
  CHECK_OK(ck_buffer_copy(large, BYTES, large, 0, BYTES, bench.stream));
  CHECK_OK(ck_buffer_copy(large, 2 * BYTES, small, BYTES, 0, bench.stream));
  ck_buffer_release(small);
  ck_buffer_release(large);
  ck_memory_resource_release(device);
}

TEST(buffer_copy_of_sizes_with_the_top_bit)
{
  static const struct {
    size_t dst_offset, src_offset, bytes;
  } rows[] = {{0, 0, SIZE_MAX},
              {1, 0, SIZE_MAX},
              {0, 0, TOP},
              {0, 0, TOP + 1},
              {0, 0, TOP - 1},
              {TOP, 0, 1},
              {0, TOP, 1},
              {TOP, TOP, TOP},
              {SIZE_MAX, 0, 0},
              {SIZE_MAX - BYTES, 0, 512},
              {0, SIZE_MAX, SIZE_MAX},
              {TOP - 1, TOP - 1, TOP - 1}};
  ck_memory_resource_t *device = make(0);
  ck_buffer_t *dst = allocate(device, BYTES), *src = allocate(device, BYTES);
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    CHECK_STATUS(ck_buffer_copy(dst, rows[i].dst_offset, src, rows[i].src_offset, rows[i].bytes,
                                bench.stream),
                 CK_INVALID_ARGUMENT);
    CHECK_ERROR("the buffer has 1024 bytes");
  }
  ck_buffer_release(dst);
  ck_buffer_release(src);
  ck_memory_resource_release(device);
}

TEST(buffer_fill)
{
  static const struct {
    size_t bytes, value_bytes;
    uint32_t value;
    bool is_good;
  } rows[] = {{64, 1, 0x42, true},       {64, 1, 0, true},          {64, 1, 0xff, true},
              {65, 1, 0x80, true},       {64, 2, 0x1234, true},     {64, 2, 0xffff, true},
              {64, 2, 0x8000, true},     {65, 2, 0x1234, false},    {64, 4, 0xdeadbeef, true},
              {64, 4, 0xffffffff, true}, {64, 4, 0x3f800000, true}, {66, 4, 0xdeadbeef, false},
              {64, 0, 1, false},         {64, 3, 1, false},         {64, 8, 1, false}};
  for (int kind = 0; kind < KIND_COUNT; ++kind) {
    ck_memory_resource_t *resource = make(kind);
    if (!resource) continue;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
      unsigned char out[66];
      ck_buffer_t *buffer = allocate(resource, rows[i].bytes);
      ck_status_t status = ck_buffer_fill(buffer, 0, rows[i].bytes, rows[i].value,
                                          rows[i].value_bytes, bench.stream);
      CHECK_STATUS(status, rows[i].is_good ? CK_OK : CK_INVALID_ARGUMENT);
      unsigned wrong = 0;
      if (rows[i].is_good) read_all(buffer, out);
      for (size_t k = 0; k < rows[i].bytes && rows[i].is_good; ++k)
        wrong += out[k] != (unsigned char)(rows[i].value >> 8 * (k % rows[i].value_bytes));
      CHECK(wrong == 0);
      ck_buffer_release(buffer);
    }
    ck_memory_resource_release(resource);
  }
}

TEST(memory_resource_alloc_zero_bytes)
{
  for (int kind = 0; kind < KIND_COUNT; ++kind) {
    ck_memory_resource_t *resource = make(kind);
    if (!resource) continue;
    ck_buffer_t *buffer = allocate(resource, 0);
    CHECK(ck_buffer_bytes(buffer) == 0 && ck_buffer_native(buffer) == 0);
    CHECK(ck_buffer_device(buffer) == bench.device);
    CHECK_OK(ck_buffer_fill(buffer, 0, 0, 1, 1, bench.stream));
    CHECK_OK(ck_buffer_copy(buffer, 0, buffer, 0, 0, bench.stream));
    CHECK_OK(ck_buffer_close(buffer, NULL));
    ck_buffer_release(buffer);
    ck_memory_resource_release(resource);
  }
}

/* Copies through device and page-locked memory in one sequence. */
TEST(memory_ops)
{
  ck_memory_resource_t *pinned = make(1);
  ck_buffer_t *device, *host, *view;
  CHECK_OK(ck_buffer_create(bench.device, BYTES, bench.stream, &device));
  host = allocate(pinned, BYTES);
  float *values = ck_buffer_host(host);
  for (int i = 0; i < BYTES / 4; ++i) values[i] = (float)i;
  CHECK_OK(ck_buffer_copy(device, 0, host, 0, BYTES, bench.stream));
  CHECK_OK(ck_buffer_create_view(device, BYTES / 2, BYTES / 2, &view));
  CHECK_OK(ck_buffer_fill(view, 0, BYTES / 2, 0, 4, bench.stream));
  CHECK_OK(ck_buffer_copy(host, 0, device, 0, BYTES, bench.stream));
  CHECK_OK(ck_buffer_close(device, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(values[127] == 127 && values[128] == 0 && values[255] == 0);
  ck_buffer_release(view);
  ck_buffer_release(device);
  ck_buffer_release(host);
  ck_memory_resource_release(pinned);
}

/* The caller's memory before it is page-locked, while it is, and afterwards. */
TEST(buffer_external_pinned_registered)
{
  unsigned char *bytes = memory_new_aligned(4096, 4096);
  ck_buffer_t *locked, *seen;
  int can = 0, all = 0;
  CHECK_OK(ck_device_get_attribute(bench.device, CK_DEVICE_HOST_REGISTER_SUPPORTED, &can));
  CHECK_OK(ck_device_get_attribute(bench.device, CK_DEVICE_PAGEABLE_MEMORY_ACCESS, &all));
  all |= ck_device_is_host(bench.device);
  for (int turn = 0; turn < 3; ++turn) {
    bool is_locked = turn == 1 && can;
    if (is_locked) CHECK_OK(ck_buffer_from_host(bench.device, bytes, 4096, 0, &locked));
    if (is_locked && !getenv("CK_NO_FAULTS")) {
      CHECK_STATUS(ck_buffer_from_host(bench.device, bytes, 4096, 0, &seen), CK_DRIVER);
      CHECK_ERROR("CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED (");
    }
    CHECK_OK(ck_buffer_from_native(bench.device, (uintptr_t)bytes, 20, NULL, NULL, &seen));
    CHECK(ck_buffer_host(seen) == bytes && ck_buffer_flags(seen) & CK_MEMORY_HOST);
    CHECK(!(ck_buffer_flags(seen) & CK_MEMORY_MANAGED));
    CHECK(!(ck_buffer_flags(seen) & CK_MEMORY_DEVICE) == !(is_locked || all));
    ck_buffer_release(seen);
    if (is_locked) ck_buffer_release(locked);
  }
  memory_free(bytes);
}

/* the stream of the release ------------------------------------------------------------------ */

TEST(buffer_deallocation_stream_configuration_paths)
{
  enum { BY_CREATION, BY_SETTER, BY_CLOSE };
  static const struct {
    int configuration;
    bool is_closed; /* otherwise released */
  } rows[] = {{BY_CREATION, true},
              {BY_CREATION, false},
              {BY_SETTER, true},
              {BY_SETTER, false},
              {BY_CLOSE, true}};
  ck_stream_t *initial, *target;
  CHECK_OK(ck_stream_create(bench.device, NULL, &initial));
  CHECK_OK(ck_stream_create(bench.device, NULL, &target));
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    Ledger ledger = {0};
    ck_memory_resource_t *resource = make_ledger(&ledger);
    ck_buffer_t *buffer;
    CHECK_OK(ck_memory_resource_create_buffer(
        resource, BYTES, rows[i].configuration == BY_CREATION ? target : initial, &buffer));
    uint64_t address = ck_buffer_native(buffer);
    if (rows[i].configuration == BY_SETTER) CHECK_OK(ck_buffer_set_stream(buffer, target));
    CHECK(ck_buffer_native(buffer) == address && ck_buffer_bytes(buffer) == BYTES);
    CHECK(ledger.given == 1 && ledger.taken == 0);
    if (rows[i].is_closed) {
      CHECK_OK(ck_buffer_close(buffer, rows[i].configuration == BY_CLOSE ? target : NULL));
      CHECK(ledger.taken == 1);
    }
    ck_buffer_release(buffer);
    CHECK(ledger.taken == 1 && ledger.last_stream == target);
    ck_memory_resource_release(resource);
  }
  ck_stream_release(initial);
  ck_stream_release(target);
}

/* NULL, the default stream, is accepted as the stream of the release too. */
TEST(set_deallocation_stream_rejects_closed_buffer)
{
  Ledger ledger = {0};
  ck_memory_resource_t *resource = make_ledger(&ledger);
  ck_buffer_t *buffer = allocate(resource, BYTES);
  CHECK_STATUS(ck_buffer_set_stream(NULL, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_buffer_set_stream(buffer, NULL));
  CHECK_OK(ck_buffer_close(buffer, NULL));
  CHECK(ledger.taken == 1 && ledger.last_stream == NULL);
  CHECK_STATUS(ck_buffer_set_stream(buffer, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the buffer is closed");
  ck_buffer_release(buffer);
  CHECK(ledger.taken == 1);
  ck_memory_resource_release(resource);
}

/* A stream of another device is refused. */
TEST(foreign_deallocation_stream_does_not_mutate_buffer)
{
  Driver other = *bench.device->driver;
  Ledger ledger = {0};
  ck_memory_resource_t *resource = make_ledger(&ledger);
  ck_buffer_t *buffer = allocate(resource, BYTES);
  ck_device_t *device;
  ck_stream_t *foreign;
  CHECK_OK(device_open(&other, 0, &device));
  CHECK_OK(ck_stream_create(device, NULL, &foreign));
  CHECK_STATUS(ck_buffer_set_stream(buffer, foreign), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_close(buffer, foreign), CK_INVALID_ARGUMENT);
  CHECK(!(ck_buffer_flags(buffer) & CK_MEMORY_CLOSED) && ledger.taken == 0);
  CHECK_OK(ck_buffer_close(buffer, NULL));
  CHECK(ledger.taken == 1 && ledger.last_stream == bench.stream);
  ck_buffer_release(buffer);
  ck_stream_release(foreign);
  ck_device_release(device);
  ck_memory_resource_release(resource);
}

TEST(closed_buffer_rejected_before_active_operations)
{
  ck_memory_resource_t *device = make(0);
  ck_buffer_t *closed = allocate(device, 16), *live = allocate(device, 16), *view;
  ck_stream_t *stream = bench.stream;
  ck_view_t all, part;
  ck_ipc_buffer_t handle;
  struct DLManagedTensorVersioned *tensor;
  char bytes[16];
  CHECK_OK(ck_view_from_buffer(closed, 0, CK_U8, 1, 1, (int64_t[]){16}, NULL, &all));
  CHECK_OK(ck_buffer_close(closed, NULL));
  CHECK(ck_buffer_flags(closed) & CK_MEMORY_CLOSED);
  CHECK_STATUS(ck_buffer_copy(closed, 0, live, 0, 16, stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_copy(live, 0, closed, 0, 16, stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_fill(closed, 0, 16, 0, 1, stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_read(closed, 0, bytes, 16, stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_write(closed, 0, bytes, 16, stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_create_view(closed, 0, 16, &view), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_to_dlpack(&all, &tensor), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_slice(&all, 0, 0, 8, 1, &part), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_export(closed, &handle), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_resize(closed, 32, stream), CK_INVALID_ARGUMENT);
  ck_buffer_release(closed);
  ck_buffer_release(live);
  ck_memory_resource_release(device);
}

/* Adopted memory is freed in the stream that it was adopted with, NULL included. */
TEST(from_handle_mr_records_stream)
{
  Ledger ledger = {0};
  ck_memory_resource_t *resource = make_ledger(&ledger);
  ck_stream_t *streams[] = {NULL, bench.stream};
  for (unsigned i = 0; i < 2; ++i) {
    ck_buffer_t *buffer;
    CHECK_OK(ck_buffer_from_resource(resource, 1, BYTES, streams[i], &buffer));
    ck_buffer_release(buffer);
    CHECK(ledger.taken == i + 1 && ledger.last_stream == streams[i]);
  }
  CHECK(ledger.given == 0);
  ck_memory_resource_release(resource);
}

/* A buffer is written in one stream and read in another one, which then frees it. */
TEST(buffer_deallocation_stream)
{
  ck_memory_resource_t *pinned = make(1);
  ck_stream_t *producer, *consumer;
  ck_event_t *ready;
  ck_buffer_t *buffer, *output = allocate(pinned, 4096);
  CHECK_OK(ck_stream_create(bench.device, NULL, &producer));
  CHECK_OK(ck_stream_create(bench.device, NULL, &consumer));
  CHECK_OK(ck_event_create(bench.device, NULL, &ready));
  CHECK_OK(ck_buffer_create(bench.device, 4096, producer, &buffer));
  CHECK_OK(ck_buffer_fill(buffer, 0, 4096, 42, 1, producer));
  CHECK_OK(ck_stream_record(producer, ready));
  CHECK_OK(ck_stream_wait(consumer, ready));
  CHECK_OK(ck_buffer_set_stream(buffer, consumer));
  CHECK_OK(ck_buffer_copy(output, 0, buffer, 0, 4096, consumer));
  ck_buffer_release(buffer);
  CHECK_OK(ck_stream_sync(consumer));
  unsigned char *bytes = ck_buffer_host(output);
  CHECK(bytes[0] == 42 && !memcmp(bytes, bytes + 1, 4095));
  ck_buffer_release(output);
  ck_event_release(ready);
  ck_stream_release(producer);
  ck_stream_release(consumer);
  ck_memory_resource_release(pinned);
}

/* Setting the stream of a view sets that of the memory. */
TEST(stream_of_a_view)
{
  Ledger ledger = {0};
  ck_memory_resource_t *resource = make_ledger(&ledger);
  ck_buffer_t *buffer, *view, *part;
  CHECK_OK(ck_buffer_from_resource(resource, 1, BYTES, NULL, &buffer));
  CHECK_OK(ck_buffer_create_view(buffer, 4, BYTES - 4, &view));
  CHECK_OK(ck_buffer_create_view(view, 4, 4, &part));
  ck_buffer_release(buffer);
  ck_buffer_release(view);
  CHECK_OK(ck_buffer_set_stream(part, bench.stream));
  CHECK(ledger.taken == 0);
  ck_buffer_release(part);
  CHECK(ledger.taken == 1 && ledger.last_stream == bench.stream);
  ck_memory_resource_release(resource);
}

/* Closing a view frees nothing and does not change the stream of its buffer. */
TEST(closed_view_in_another_stream)
{
  Ledger ledger = {0};
  ck_memory_resource_t *resource = make_ledger(&ledger);
  ck_stream_t *other;
  ck_buffer_t *buffer, *view;
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  CHECK_OK(ck_buffer_from_resource(resource, 1, BYTES, bench.stream, &buffer));
  CHECK_OK(ck_buffer_create_view(buffer, 4, BYTES - 4, &view));
  CHECK_OK(ck_buffer_close(view, other));
  ck_buffer_release(view);
  CHECK(ledger.taken == 0);
  ck_buffer_release(buffer);
  CHECK(ledger.taken == 1 && ledger.last_stream == bench.stream);
  ck_stream_release(other);
  ck_memory_resource_release(resource);
}

/* contexts ----------------------------------------------------------------------------------- */

/* Makes no context current, and checks that it stays so. */
static void leave_context(void)
{
  CHECK_OK(ck_context_set_current(bench.device, NULL));
}

static void check_no_context(void)
{
  CUcontext now = NULL;
  CHECK(bench.device->driver->cuCtxGetCurrent(&now) == CUDA_SUCCESS && !now);
}

TEST(mr_deallocation_without_current_context)
{
  for (int kind = 0; kind < KIND_COUNT; ++kind) {
    ck_memory_resource_t *resource = make(kind);
    if (!resource) continue;
    leave_context();
    ck_buffer_t *first = allocate(resource, BYTES), *second = allocate(resource, BYTES);
    CHECK_OK(ck_buffer_close(first, NULL));
    CHECK_OK(ck_buffer_close(second, bench.stream));
    ck_buffer_release(first);
    ck_buffer_release(second);
    check_no_context();
    ck_memory_resource_release(resource);
  }
}

/* In a stream and in the default one, for which no context must be current. */
TEST(pool_buffer_deallocates_without_current_context)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool;
  ck_stream_t *streams[] = {bench.stream, NULL};
  uint64_t used = 1;
  options.max_bytes = 2 << 20;
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, &pool));
  for (int i = 0; i < 2; ++i) {
    ck_buffer_t *buffer;
    leave_context();
    CHECK_OK(ck_memory_resource_create_buffer(pool, 256, streams[i], &buffer));
    CHECK_OK(ck_memory_resource_get_attribute(pool, CK_POOL_USED_BYTES, &used));
    CHECK(used >= 256);
    CHECK_OK(ck_buffer_close(buffer, streams[1 - i]));
    ck_buffer_release(buffer);
    CHECK_OK(ck_device_sync(bench.device));
    CHECK_OK(ck_memory_resource_get_attribute(pool, CK_POOL_USED_BYTES, &used));
    CHECK(used == 0);
    check_no_context();
  }
  ck_memory_resource_release(pool);
}

TEST(from_handle_host_only_mr_without_current_context)
{
  Ledger ledger = {0};
  ck_memory_resource_t *resource = make_ledger(&ledger);
  leave_context();
  ck_buffer_t *buffer = allocate(resource, 64);
  CHECK(ck_buffer_flags(buffer) & CK_MEMORY_HOST && ck_buffer_host(buffer));
  memset(ck_buffer_host(buffer), 3, 64);
  ck_buffer_release(buffer);
  CHECK(ledger.given == 1 && ledger.taken == 1);
  check_no_context();
  ck_memory_resource_release(resource);
}

/* These streams belong to the current context, so the buffers' context is made current and
 * restored. */
TEST(copy_in_default_streams_without_current_context)
{
  ck_memory_resource_t *device = make(0);
  ck_stream_t *streams[3] = {NULL};
  CHECK_OK(ck_stream_open_default(bench.device, &streams[1]));
  CHECK_OK(ck_stream_open_per_thread(bench.device, &streams[2]));
  for (int i = 0; i < 3; ++i) {
    unsigned char in[BYTES], out[BYTES] = {0};
    ck_buffer_t *src = allocate(device, BYTES), *dst = allocate(device, BYTES);
    memset(in, i + 1, BYTES);
    CHECK_OK(ck_buffer_write(src, 0, in, BYTES, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    leave_context();
    CHECK_OK(ck_buffer_copy(dst, 0, src, 0, BYTES, streams[i]));
    check_no_context();
    CHECK_OK(ck_device_sync(bench.device));
    read_all(dst, out);
    CHECK(!memcmp(in, out, BYTES));
    ck_buffer_release(src);
    ck_buffer_release(dst);
  }
  ck_stream_release(streams[1]);
  ck_stream_release(streams[2]);
  ck_memory_resource_release(device);
}

/* Counts the loaded libraries with this text in their name. */
typedef struct Loaded {
  const char *part;
  int count;
} Loaded;

static int count_loaded(struct dl_phdr_info *info, size_t bytes, void *data)
{
  Loaded *loaded = data;
  (void)bytes;
  loaded->count += info->dlpi_name && strstr(info->dlpi_name, loaded->part);
  return 0;
}

static int loaded(const char *part)
{
  Loaded it = {part, 0};
  dl_iterate_phdr(count_loaded, &it);
  return it.count;
}

/* In a child, with a library that is no driver as libcuda: it would show if it were loaded. Returns
 * the exit status. */
static int without_cuda(void)
{
  Arena scratch = {0};
  const char *folder = path_of_code(&scratch, &bench);
  setenv("CK_LIBCUDA", arena_printf(&scratch, "%s/libnvml_fake.so", folder ? folder : "."), 1);
  int before = loaded("libcuda");
  Ledger ledger = {0};
  CHECK_OK(ck_device_open_host(&bench.device));
  ck_memory_resource_t *resource = make_ledger(&ledger);
  ck_buffer_t *buffer = allocate(resource, 64), *adopted;
  char words[64] = {0};
  CHECK(ck_buffer_flags(buffer) & CK_MEMORY_HOST && ck_buffer_host(buffer));
  if (ck_buffer_host(buffer)) memset(ck_buffer_host(buffer), 3, 64);
  CHECK_OK(ck_buffer_read(buffer, 0, words, 64, NULL));
  CHECK_OK(ck_device_sync(bench.device));
  CHECK(words[0] == 3 && words[63] == 3);
  CHECK_OK(ck_buffer_from_resource(resource, BYTES, 64, NULL, &adopted)); /* an arbitrary address */
  CHECK((uintptr_t)ck_buffer_host(adopted) == BYTES);
  ck_buffer_release(adopted);
  ck_buffer_release(buffer);
  CHECK(ledger.given == 1 && ledger.taken == 2);
  ck_memory_resource_release(resource);
  ck_device_release(bench.device);
  CHECK(!loaded("libnvml_fake") && loaded("libcuda") == before);
  CHECK(ck_device_count() == 0 && loaded("libnvml_fake")); /* shows that the check detects a
                                                            * loaded library */
  arena_free(&scratch);
  return tests_report();
}

/* Host memory needs no driver: its resource is the host device's. */
TEST(from_handle_host_only_mr_without_cuda_init)
{
  int status = 1;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) _exit(without_cuda());
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* In a child with CK_LOG=driver, a copy writes its log line; `log` replaces standard error. */
static int logged_copy(int log)
{
  dup2(log, STDERR_FILENO);
  setenv("CK_LOG", "driver", 1);
  bench_open_any(&bench);
  ck_memory_resource_t *device = make(0);
  ck_buffer_t *dst = allocate(device, BYTES), *src = allocate(device, BYTES);
  CHECK_OK(ck_buffer_copy(dst, 0, src, 0, BYTES, bench.stream));
  ck_buffer_release(dst);
  ck_buffer_release(src);
  ck_memory_resource_release(device);
  bench_close(&bench);
  return tests_report();
}

TEST(copy_is_logged)
{
  int status = 1;
  FILE *log = tmpfile();
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) _exit(logged_copy(fileno(log)));
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  char line[512];
  int copies = 0;
  rewind(log);
  while (fgets(line, sizeof line, log))
    copies += strstr(line, "driver: cuMemcpyAsync(") && strstr(line, ": ok\n");
  CHECK(copies == 1);
  fclose(log);
}

/* A device without pools: cuMemAlloc. */
TEST(synchronous_memory_resource)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *plain, *none;
  ck_buffer_t *buffer, *too_large;
  bool has_pools = bench.device->limits.has_pools;
  bench.device->limits.has_pools = false;
  CHECK_STATUS(ck_memory_resource_create_device(bench.device, &options, &none), CK_UNSUPPORTED);
  CHECK_ERROR("has no memory pools");
  CHECK_OK(ck_memory_resource_create_device(bench.device, NULL, &plain));
  bench.device->limits.has_pools = has_pools;
  CHECK(ck_memory_resource_native(plain) == NULL);
  CHECK(ck_memory_resource_flags(plain) & CK_MEMORY_DEVICE);
  CHECK(ck_memory_resource_location(plain).place == CK_PLACE_DEVICE);
  leave_context();
  for (int i = 0; i < 3; ++i) {
    unsigned char out[64];
    CHECK_OK(ck_memory_resource_create_buffer(plain, 64, i ? bench.stream : NULL, &buffer));
    CHECK_OK(ck_buffer_fill(buffer, 0, 64, (uint32_t)i, 1, bench.stream));
    read_all(buffer, out);
    CHECK(out[0] == i && out[63] == i);
    CHECK_OK(ck_buffer_close(buffer, i == 2 ? bench.stream : NULL));
    ck_buffer_release(buffer);
    check_no_context();
  }
  CHECK_STATUS(ck_memory_resource_create_buffer(plain, (size_t)1 << 60, NULL, &too_large),
               CK_OUT_OF_MEMORY);
  CHECK(!too_large);
  check_no_context();
  ck_memory_resource_release(plain);
}

/* The GPU to which an address belongs; -1 for none. */
static int gpu_of(CUdeviceptr address)
{
  unsigned type = 0;
  int ordinal = -1;
  CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                 CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void *values[] = {&type, &ordinal};
  CHECK(bench.device->driver->cuPointerGetAttributes(2, which, values, address) == CUDA_SUCCESS);
  return type == CU_MEMORYTYPE_DEVICE ? ordinal : -1;
}

/* cuMemAlloc and cuMemFree use the current context, which must be the resource's, whatever was
 * current. */
TEST(synchronous_memory_resource_uses_its_context)
{
  ck_memory_resource_t *plain;
  ck_device_t *other;
  int is = -1;
  if (ck_device_is_host(bench.device) || ck_device_count() < 2) {
    printf("synchronous_memory_resource_uses_its_context: it needs two GPUs\n");
    return;
  }
  int own = ck_device_ordinal(bench.device);
  CHECK_OK(ck_device_open(own ? 0 : 1, &other));
  bool has_pools = bench.device->limits.has_pools;
  bench.device->limits.has_pools = false;
  CHECK_OK(ck_memory_resource_create_device(bench.device, NULL, &plain));
  bench.device->limits.has_pools = has_pools;
  CHECK_OK(ck_context_set_current(other, ck_device_context(other)));
  for (int with_stream = 0; with_stream < 2; ++with_stream) {
    ck_buffer_t *buffer;
    unsigned char out[64];
    CHECK_OK(
        ck_memory_resource_create_buffer(plain, 64, with_stream ? bench.stream : NULL, &buffer));
    CHECK_OK(ck_buffer_fill(buffer, 0, 64, 7, 1, bench.stream));
    read_all(buffer, out);
    CHECK(out[0] == 7 && out[63] == 7);
    ck_buffer_release(buffer);
    CHECK_OK(ck_memory_resource_create_buffer(plain, 1 << 30, with_stream ? bench.stream : NULL,
                                              &buffer));
    uint64_t address = ck_buffer_native(buffer);
    CHECK(gpu_of(address) == own);
    ck_buffer_release(buffer);
    CHECK(gpu_of(address) == -1);
    CHECK_OK(ck_context_get_current(ck_device_context(other), &is));
    CHECK(is == 1);
  }
  CHECK_OK(ck_context_set_current(other, NULL));
  ck_memory_resource_release(plain);
  ck_device_release(other);
}

/* spares of a thread --------------------------------------------------------------------------- */

static ck_stream_t *use_new_stream(size_t bytes)
{
  ck_stream_t *stream = NULL;
  ck_buffer_t *buffer = NULL;
  CHECK_OK(ck_stream_create(bench.device, NULL, &stream));
  CHECK_OK(ck_buffer_create(bench.device, bytes, stream, &buffer));
  ck_buffer_release(buffer);
  return stream;
}

static void *use_and_end(void *out_stream)
{
  *(ck_stream_t **)out_stream = use_new_stream(64);
  return NULL;
}

/* A spare buffer does not keep its stream alive: the stream is destroyed when it is released, or
 * when the thread ends. */
TEST(reserve_keeps_no_stream)
{
  size_t before = atomic_load(&host_live_objects);
  ck_stream_t *first = use_new_stream(64), *second = use_new_stream(64);
  ck_stream_release(second);
  ck_stream_release(first);
  CHECK(atomic_load(&host_live_objects) == before);
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, use_and_end, &first) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  ck_stream_release(first);
  CHECK(atomic_load(&host_live_objects) == before);
}

/* A reused buffer object has no state of the previous buffer. */
TEST(reserve_starts_anew)
{
  ck_buffer_t *buffer = NULL;
  ck_stream_t *stream = use_new_stream(64);
  CHECK_OK(ck_buffer_create(bench.device, 64, stream, &buffer));
  CHECK_OK(ck_buffer_close(buffer, NULL));
  ck_buffer_release(buffer);
  CHECK_OK(ck_buffer_create(bench.device, 0, stream, &buffer));
  CHECK(!(ck_buffer_flags(buffer) & CK_MEMORY_CLOSED) && ck_buffer_bytes(buffer) == 0);
  CHECK(ck_buffer_native(buffer) == 0 && ck_buffer_host(buffer) == NULL);
  ck_buffer_release(buffer);
  CHECK_OK(ck_buffer_create(bench.device, 32, stream, &buffer));
  CHECK(ck_buffer_bytes(buffer) == 32 && ck_buffer_native(buffer) != 0);
  CHECK_OK(ck_buffer_fill(buffer, 0, 32, 7, 1, stream));
  ck_buffer_release(buffer);
  ck_stream_release(stream);
}

int main(void)
{
  RUN(from_handle_host_only_mr_without_cuda_init); /* first: before this process opens a driver */
  RUN(copy_is_logged);                             /* likewise */
  bench_open_any(&bench);
  RUN(buffer_initialization);
  RUN(buffer_copy_to);
  RUN(buffer_copy_from);
  RUN(buffer_copy_size_mismatch);
  RUN(buffer_copy_of_sizes_with_the_top_bit);
  RUN(buffer_fill);
  RUN(memory_resource_alloc_zero_bytes);
  RUN(memory_ops);
  RUN(buffer_external_pinned_registered);
  RUN(buffer_deallocation_stream_configuration_paths);
  RUN(set_deallocation_stream_rejects_closed_buffer);
  RUN(foreign_deallocation_stream_does_not_mutate_buffer);
  RUN(closed_buffer_rejected_before_active_operations);
  RUN(from_handle_mr_records_stream);
  RUN(buffer_deallocation_stream);
  RUN(stream_of_a_view);
  RUN(closed_view_in_another_stream);
  RUN(mr_deallocation_without_current_context);
  RUN(pool_buffer_deallocates_without_current_context);
  RUN(from_handle_host_only_mr_without_current_context);
  RUN(copy_in_default_streams_without_current_context);
  RUN(synchronous_memory_resource);
  RUN(synchronous_memory_resource_uses_its_context);
  RUN(reserve_keeps_no_stream);
  RUN(reserve_starts_anew);
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
