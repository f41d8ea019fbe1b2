/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* two_gpus.c - tests what needs two GPUs: contexts, streams that wait for each other, copies, and
 * access to pools. cuda.core's test_memory_peer_access.py and its cases with two devices, in C.
 * Skipped, with a message, on machines with fewer GPUs. */
#define _GNU_SOURCE /* pthread_barrier_t, strcasecmp */
#include <pthread.h>

#include "both.h"

enum { COUNT = 50000, BYTES = 1024, MOST_GPUS = 16 };

static const char source[] = "kernel add(n: u64, a: in f32[n], b: in f32[n], c: out f32[n])\n"
                             "    launch(block = 256, grid = ceil_div(n, 256)) {\n"
                             "    let i = grid.thread_rank;\n"
                             "    if (i < n) c[i] = a[i] + b[i];\n"
                             "}\n"
                             "kernel subtract(n: u64, a: in f32[n], b: in f32[n], c: out f32[n])\n"
                             "    launch(block = 256, grid = ceil_div(n, 256)) {\n"
                             "    let i = grid.thread_rank;\n"
                             "    if (i < n) c[i] = a[i] - b[i];\n"
                             "}\n";

/* `device`, `stream` and `code` belong to GPU 0. */
static ck_device_t *peer;
static ck_stream_t *peer_stream;
static ck_object_code_t *peer_code;

static int is_current(ck_device_t *of)
{
  int is = -1;
  CHECK_OK(ck_context_get_current(ck_device_context(of), &is));
  return is;
}

/* Whether GPU 0 and GPU 1 can access each other's memory. A test that needs that is skipped
 * otherwise. */
static int are_peers(void)
{
  int one = 0, other = 0;
  CHECK_OK(ck_device_can_access_peer(device, peer, &one));
  CHECK_OK(ck_device_can_access_peer(peer, device, &other));
  if (!one || !other) printf("%s: the two GPUs can't access each other\n", current_test);
  return one && other;
}

TEST(device_inequality_different_id)
{
  unsigned char uuid[2][16];
  char bus[2][CK_PCI_BUS_ID_BYTES];
  CHECK(ck_device_ordinal(device) == 0 && ck_device_ordinal(peer) == 1);
  CHECK(ck_device_native(device) != ck_device_native(peer));
  CHECK(ck_context_native(ck_device_context(device)) != ck_context_native(ck_device_context(peer)));
  CHECK_OK(ck_device_get_uuid(device, uuid[0]));
  CHECK_OK(ck_device_get_uuid(peer, uuid[1]));
  CHECK(memcmp(uuid[0], uuid[1], 16));
  CHECK_OK(ck_device_get_pci_bus_id(device, bus[0]));
  CHECK_OK(ck_device_get_pci_bus_id(peer, bus[1]));
  CHECK(strcmp(bus[0], bus[1]) != 0);
}

/* Calls for one GPU leave the current context of the other unchanged. */
TEST(context_manager_nesting_different_devices)
{
  ck_stream_t *made;
  ck_buffer_t *buffer;
  size_t stack;
  CHECK_OK(ck_context_set_current(device, ck_device_context(device)));
  CHECK(is_current(device) == 1 && is_current(peer) == 0);
  CHECK_OK(ck_stream_create(peer, NULL, &made));
  CHECK_OK(ck_buffer_create(peer, BYTES, made, &buffer));
  CHECK_OK(ck_buffer_fill(buffer, 0, BYTES, 1, 4, made));
  CHECK_OK(ck_stream_sync(made));
  CHECK_OK(ck_context_get_limit(ck_device_context(peer), CK_LIMIT_STACK, &stack));
  CHECK(is_current(device) == 1);
  ck_buffer_release(buffer);
  ck_stream_release(made);
  CHECK_OK(ck_device_sync(peer));
  CHECK(is_current(device) == 1 && is_current(peer) == 0);
  CHECK_OK(ck_context_set_current(device, NULL));
}

TEST(context_manager_deep_nesting_multi_gpu)
{
  ck_device_t *const order[] = {device, peer, device, peer, device};
  for (size_t i = 0; i < sizeof order / sizeof *order; ++i) {
    ck_device_t *current = NULL;
    CHECK_OK(ck_context_set_current(order[i], ck_device_context(order[i])));
    CHECK_OK(ck_device_sync(order[i] == device ? peer : device));
    CHECK(is_current(order[i]) == 1);
    CHECK_OK(ck_device_open_current(&current));
    CHECK(ck_device_ordinal(current) == ck_device_ordinal(order[i]));
    ck_device_release(current);
  }
  CHECK_OK(ck_context_set_current(device, NULL));
}

/* A device that was opened as the current one can be made current again, whatever was current in
 * between. */
TEST(context_manager_set_current_inside)
{
  ck_device_t *before = NULL, *inside = NULL;
  CHECK_OK(ck_context_set_current(peer, ck_device_context(peer)));
  CHECK_OK(ck_device_open_current(&before));
  CHECK_OK(ck_context_set_current(device, ck_device_context(device)));
  CHECK_OK(ck_stream_sync(peer_stream));
  CHECK_OK(ck_device_open_current(&inside));
  CHECK(ck_device_ordinal(inside) == 0 && is_current(device) == 1 && is_current(peer) == 0);
  CHECK_OK(ck_context_set_current(device, NULL));
  CHECK(is_current(device) == 0 && is_current(peer) == 0);
  CHECK_OK(ck_context_set_current(before, ck_device_context(before)));
  CHECK(ck_device_ordinal(before) == 1 && is_current(peer) == 1 && is_current(device) == 0);
  CHECK_OK(ck_context_set_current(peer, NULL));
  ck_device_release(inside);
  ck_device_release(before);
}

TEST(context_of_the_other_device)
{
  CHECK_FAILS(ck_context_set_current(device, ck_device_context(peer)), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the context is of '");
  CHECK(is_current(device) == 0 && is_current(peer) == 0);
}

static pthread_barrier_t barrier;

/* Returns the error as text; NULL for none. */
static void *use_one(void *data)
{
  int ordinal = (int)(intptr_t)data, is = 0;
  ck_device_t *own = NULL;
  ck_buffer_t *buffer = NULL;
  const char *wrong = NULL;
  if (ck_device_open(ordinal, &own) != CK_OK) wrong = "it can't be opened";
  else if (ck_context_set_current(own, ck_device_context(own)) != CK_OK) wrong = "is not current";
  pthread_barrier_wait(&barrier);
  if (!wrong && ck_buffer_create(own, BYTES, NULL, &buffer) != CK_OK) wrong = "has no memory";
  if (!wrong && ck_context_get_current(ck_device_context(own), &is) == CK_OK && !is)
    wrong = "is current no more";
  ck_buffer_release(buffer);
  ck_device_release(own);
  return (void *)(uintptr_t)wrong;
}

TEST(context_manager_thread_safety)
{
  pthread_t threads[MOST_GPUS];
  int count = ck_device_count();
  if (count > MOST_GPUS) count = MOST_GPUS;
  pthread_barrier_init(&barrier, NULL, (unsigned)count);
  for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, use_one, (void *)(intptr_t)i);
  for (int i = 0; i < count; ++i) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    if (!CHECK(!wrong)) fprintf(stderr, "GPU %d: %s\n", i, (const char *)wrong);
  }
  pthread_barrier_destroy(&barrier);
}

/* Objects of one GPU are refused by the other. */
TEST(objects_of_the_other_device)
{
  ck_kernel_t *add = NULL;
  ck_buffer_t *there;
  CHECK_OK(ck_kernel_from_code(peer_code, peer, "add", &add));
  CHECK_OK(ck_buffer_create(peer, BYTES, peer_stream, &there));
  CHECK_FAILS(ck_buffer_fill(there, 0, BYTES, 0, 4, stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the stream is of '");
  CHECK_FAILS(ck_launch(stream, NULL, add, 1, there, there, there), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_stream_sync(peer_stream));
  ck_buffer_release(there);
  ck_kernel_release(add);
}

/* An operation on one GPU: c = a + b or a - b, after the work in the stream that wrote a and b. */
static void operate(ck_device_t *on, ck_object_code_t *compiled, const char *name, float sign)
{
  ck_stream_t *writes, *works;
  ck_kernel_t *operation = NULL;
  ck_buffer_t *a, *b, *c;
  float *host = calloc(3 * COUNT, sizeof *host);
  for (int i = 0; host && i < COUNT; ++i) {
    host[i] = (float)(i % 1013);
    host[COUNT + i] = 0.5f * (float)(i % 509);
  }
  CHECK_OK(ck_kernel_from_code(compiled, on, name, &operation));
  CHECK_OK(ck_stream_create(on, NULL, &writes));
  CHECK_OK(ck_stream_create(on, NULL, &works));
  CHECK_OK(ck_buffer_create(on, COUNT * sizeof *host, writes, &a));
  CHECK_OK(ck_buffer_create(on, COUNT * sizeof *host, writes, &b));
  CHECK_OK(ck_buffer_create(on, COUNT * sizeof *host, writes, &c));
  CHECK_OK(ck_buffer_write(a, 0, host, COUNT * sizeof *host, writes));
  CHECK_OK(ck_buffer_write(b, 0, host + COUNT, COUNT * sizeof *host, writes));
  CHECK_OK(ck_stream_wait_stream(works, writes));
  CHECK_OK(ck_launch(works, NULL, operation, (uint64_t)COUNT, a, b, c));
  CHECK_OK(ck_buffer_read(c, 0, host + 2 * COUNT, COUNT * sizeof *host, works));
  CHECK_OK(ck_stream_sync(works));
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i) wrong += host[2 * COUNT + i] != host[i] + sign * host[COUNT + i];
  CHECK(wrong == 0);
  ck_buffer_release(a);
  ck_buffer_release(b);
  ck_buffer_release(c);
  CHECK_OK(ck_stream_sync(writes));
  ck_stream_release(writes);
  ck_stream_release(works);
  ck_kernel_release(operation);
  free(host);
}

TEST(simple_multi_gpu_example)
{
  operate(device, code, "add", 1);
  operate(peer, peer_code, "subtract", -1);
}

/* Submits work for one GPU while the other's context is current. */
TEST(work_with_the_other_context_current)
{
  CHECK_OK(ck_context_set_current(peer, ck_device_context(peer)));
  operate(device, code, "add", 1);
  CHECK(is_current(peer) == 1);
  CHECK_OK(ck_context_set_current(device, ck_device_context(device)));
  operate(peer, peer_code, "subtract", -1);
  CHECK(is_current(device) == 1);
  CHECK_OK(ck_context_set_current(device, NULL));
}

/* A stream of one GPU waits for an event, and for a stream, of the other GPU. */
TEST(stream_wait_event_of_the_other_device)
{
  ck_event_t *event;
  ck_buffer_t *here = zeros(BYTES), *there;
  CHECK_OK(ck_event_create(device, NULL, &event));
  CHECK_OK(ck_buffer_create(peer, BYTES, peer_stream, &there));
  CHECK_OK(ck_buffer_fill(here, 0, BYTES, 7, 4, stream));
  CHECK_OK(ck_stream_record(stream, event));
  CHECK_OK(ck_stream_wait(peer_stream, event));
  CHECK_OK(ck_buffer_fill(there, 0, BYTES, 8, 4, peer_stream));
  CHECK_OK(ck_stream_sync(peer_stream));
  CHECK_OK(ck_event_query(event));
  CHECK_OK(ck_stream_wait_stream(stream, peer_stream));
  CHECK_OK(ck_stream_sync(stream));
  ck_buffer_release(here);
  ck_buffer_release(there);
  ck_event_release(event);
}

/* pools -------------------------------------------------------------------------------------- */

static ck_memory_resource_t *own_pool(ck_device_t *of)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool = NULL;
  CHECK_OK(ck_memory_resource_create_device(of, &options, &pool));
  return pool;
}

static int may_use(ck_memory_resource_t *pool, ck_device_t *who)
{
  ck_permission_t permission = CK_PERMIT_READ;
  CHECK_OK(ck_memory_resource_get_access(pool, who, &permission));
  CHECK(permission == CK_PERMIT_NONE || permission == CK_PERMIT_READ_WRITE);
  return permission == CK_PERMIT_READ_WRITE;
}

static void allow(ck_memory_resource_t *pool, ck_device_t *who, int is_allowed)
{
  CHECK_OK(
      ck_memory_resource_set_access(pool, who, is_allowed ? CK_PERMIT_READ_WRITE : CK_PERMIT_NONE));
  CHECK(may_use(pool, who) == is_allowed);
}

static int32_t first_of(const ck_buffer_t *buffer, ck_stream_t *in)
{
  int32_t value = -1;
  CHECK_OK(ck_buffer_read(buffer, 0, &value, sizeof value, in));
  CHECK_OK(ck_stream_sync(in));
  return value;
}

/* GPU 0 can copy to and from GPU 1's pool while it has access, and not before or after. */
TEST(peer_access_basic)
{
  if (!are_peers()) return;
  ck_memory_resource_t *pool = own_pool(peer);
  ck_buffer_t *zero = zeros(BYTES), *one = zeros(BYTES), *there;
  CHECK_OK(ck_buffer_fill(one, 0, BYTES, 0x01010101, 4, stream));
  CHECK_OK(ck_memory_resource_create_buffer(pool, BYTES, peer_stream, &there));
  CHECK_OK(ck_stream_sync(peer_stream));
  CHECK_OK(ck_stream_sync(stream));
  for (int round = 0; round < 2; ++round) {
    CHECK(!may_use(pool, device));
    if (!getenv("CK_NO_FAULTS")) {
      CHECK_FAILS(ck_buffer_copy(there, 0, one, 0, BYTES, stream), CK_DRIVER);
      CHECK_ERROR("CUDA_ERROR_INVALID_VALUE");
      CHECK_FAILS(ck_buffer_copy(zero, 0, there, 0, BYTES, stream), CK_DRIVER);
    }
    if (round) break;
    allow(pool, device, 1);
    CHECK(first_of(zero, stream) == 0);
    CHECK_OK(ck_buffer_copy(there, 0, one, 0, BYTES, stream));
    CHECK_OK(ck_buffer_copy(zero, 0, there, 0, BYTES, stream));
    CHECK(first_of(zero, stream) == 0x01010101);
    allow(pool, device, 0);
  }
  ck_buffer_release(zero);
  ck_buffer_release(one);
  ck_buffer_release(there);
  CHECK_OK(ck_stream_sync(peer_stream));
  ck_memory_resource_release(pool);
}

/* The access that is set is the access that is read, however often. */
TEST(peer_access_property_x2)
{
  if (!are_peers()) return;
  static const int order[] = {0, 1, 1, 0, 0, 1, 0, 1};
  ck_memory_resource_t *pool = own_pool(device);
  CHECK(!may_use(pool, peer));
  for (size_t i = 0; i < sizeof order / sizeof *order; ++i) {
    allow(pool, peer, order[i]);
    CHECK(may_use(pool, device)); /* its own GPU always has access */
  }
  ck_memory_resource_release(pool);
}

/* Granting access to the owner changes nothing for the others. */
TEST(peer_accessible_by_silently_ignores_owner)
{
  if (!are_peers()) return;
  ck_memory_resource_t *pool = own_pool(device);
  CHECK_OK(ck_memory_resource_set_access(pool, device, CK_PERMIT_READ_WRITE));
  CHECK(!may_use(pool, peer));
  allow(pool, peer, 1);
  CHECK_OK(ck_memory_resource_set_access(pool, device, CK_PERMIT_READ_WRITE));
  CHECK(may_use(pool, peer));
  allow(pool, peer, 0);
  ck_memory_resource_release(pool);
}

/* Every transition between sets of peers: of one peer with two GPUs, of two peers with three. */
TEST(peer_access_transitions)
{
  if (!are_peers()) return;
  ck_device_t *others[2] = {peer, NULL};
  ck_stream_t *streams[2] = {peer_stream, NULL};
  ck_memory_resource_t *pool = own_pool(device), *pools[2];
  ck_buffer_t *here, *there[2];
  int count = 1, can = 0;
  if (ck_device_count() > 2) {
    CHECK_OK(ck_device_open(2, &others[1]));
    CHECK_OK(ck_device_can_access_peer(others[1], device, &can));
    CHECK_OK(ck_stream_create(others[1], NULL, &streams[1]));
    if (can) count = 2;
  }
  CHECK_OK(ck_memory_resource_create_buffer(pool, BYTES, stream, &here));
  for (int i = 0; i < count; ++i) {
    pools[i] = own_pool(others[i]);
    CHECK_OK(ck_memory_resource_create_buffer(pools[i], BYTES, streams[i], &there[i]));
    CHECK_OK(ck_stream_sync(streams[i]));
  }
  int32_t seed = 100;
  for (int from = 0; from < 1 << count; ++from)
    for (int to = 0; to < 1 << count; ++to)
      for (int step = 0; from != to && step < 2; ++step) {
        int state = step ? to : from;
        for (int i = 0; i < count; ++i) allow(pool, others[i], state >> i & 1);
        CHECK_OK(ck_buffer_fill(here, 0, BYTES, (uint32_t)++seed, 4, stream));
        CHECK_OK(ck_stream_sync(stream));
        for (int i = 0; i < count; ++i) {
          if (state >> i & 1) {
            CHECK_OK(ck_buffer_copy(there[i], 0, here, 0, BYTES, streams[i]));
            CHECK(first_of(there[i], streams[i]) == seed);
          } else if (!getenv("CK_NO_FAULTS")) {
            CHECK_FAILS(ck_buffer_copy(there[i], 0, here, 0, BYTES, streams[i]), CK_DRIVER);
          }
        }
      }
  for (int i = 0; i < count; ++i) {
    ck_buffer_release(there[i]);
    CHECK_OK(ck_stream_sync(streams[i]));
    ck_memory_resource_release(pools[i]);
  }
  ck_buffer_release(here);
  CHECK_OK(ck_stream_sync(stream));
  ck_memory_resource_release(pool);
  if (others[1]) ck_stream_release(streams[1]);
  ck_device_release(others[1]);
}

/* Access is kept in the driver: every resource of the same pool reports the same. */
TEST(peer_access_shared_pool_queries_driver)
{
  if (!are_peers()) return;
  ck_memory_resource_t *resources[3];
  for (int i = 0; i < 3; ++i)
    CHECK_OK(ck_memory_resource_create_device(device, NULL, &resources[i]));
  int at_first = may_use(resources[0], peer);
  for (int writer = 0; writer < 3; ++writer)
    for (int is_allowed = 1; is_allowed >= 0; --is_allowed) {
      allow(resources[writer], peer, is_allowed);
      for (int i = 0; i < 3; ++i) CHECK(may_use(resources[i], peer) == is_allowed);
    }
  allow(resources[0], peer, at_first);
  for (int i = 0; i < 3; ++i) ck_memory_resource_release(resources[i]);
}

TEST(peer_accessible_by_rejects_invalid_inputs)
{
  ck_memory_resource_t *pool = own_pool(device);
  ck_device_t *nobody;
  ck_permission_t permission;
  CHECK_FAILS(ck_device_open(ck_device_count(), &nobody), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_device_open(-1, &nobody), CK_INVALID_ARGUMENT);
  CHECK(nobody == NULL);
  CHECK_FAILS(ck_memory_resource_set_access(pool, NULL, CK_PERMIT_READ), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_memory_resource_get_access(pool, NULL, &permission), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_memory_resource_set_access(pool, peer, (ck_permission_t)2), CK_INVALID_ARGUMENT);
  CHECK_ERROR("there is no permission 2");
  CHECK(!may_use(pool, peer));
  ck_memory_resource_release(pool);
}

/* Memory is allocated and freed on its own GPU, whichever context is current, and that context
 * stays current. */
TEST(deallocation_with_foreign_context)
{
  ck_memory_resource_t *resources[4];
  size_t used = 1, held;
  resources[0] = own_pool(device);
  CHECK_OK(ck_memory_resource_create_pinned(device, &resources[1]));
  CHECK_OK(ck_memory_resource_create_legacy_managed(device, &resources[2]));
  CHECK_OK(ck_memory_resource_create_virtual(device, NULL, &resources[3]));
  CHECK_OK(ck_context_set_current(peer, ck_device_context(peer)));
  for (int i = 0; i < 4; ++i)
    for (int with_stream = 0; with_stream < 2; ++with_stream) {
      ck_buffer_t *buffer;
      CHECK_OK(ck_memory_resource_create_buffer(resources[i], BYTES, with_stream ? stream : NULL,
                                                &buffer));
      CHECK_OK(ck_device_sync(device));
      CHECK(ck_buffer_device(buffer) == device);
      CHECK_OK(ck_buffer_fill(buffer, 0, BYTES, 0x05050505, 4, stream));
      CHECK(first_of(buffer, stream) == 0x05050505);
      if (with_stream) CHECK_OK(ck_buffer_close(buffer, NULL));
      ck_buffer_release(buffer);
      CHECK(is_current(peer) == 1 && is_current(device) == 0);
    }
  CHECK_OK(ck_device_sync(device));
  CHECK_OK(ck_memory_resource_get_usage(resources[0], &used, &held));
  CHECK(used == 0);
  for (int i = 0; i < 4; ++i) ck_memory_resource_release(resources[i]);
  CHECK(is_current(peer) == 1);
  CHECK_OK(ck_context_set_current(peer, NULL));
}

/* Managed memory of GPU 1 can have tensor maps, and replace memory of its pool. */
TEST(tensor_maps_of_managed_memory_on_gpu_1)
{
  int major, minor;
  CHECK_OK(ck_device_get_compute_capability(peer, &major, &minor));
  if (major < 9) return;
  ck_tensor_map_options_t options = CK_OPTIONS_INIT(ck_tensor_map_options_t);
  options.box[0] = options.box[1] = 8;
  ck_memory_resource_t *managed;
  ck_buffer_t *plain, *shared;
  ck_view_t views[2];
  ck_tensor_map_t *maps[2];
  CHECK_OK(ck_memory_resource_create_legacy_managed(peer, &managed));
  CHECK_OK(ck_buffer_create(peer, BYTES, peer_stream, &plain));
  CHECK_OK(ck_memory_resource_create_buffer(managed, BYTES, peer_stream, &shared));
  CHECK_OK(ck_view_from_buffer(plain, 0, CK_F32, 1, 2, (int64_t[]){16, 16}, NULL, &views[0]));
  CHECK_OK(ck_view_from_buffer(shared, 0, CK_F32, 1, 2, (int64_t[]){16, 16}, NULL, &views[1]));
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(ck_tensor_map_from_view(&views[i], &options, &maps[i]));
    CHECK(ck_tensor_map_device(maps[i]) == peer);
  }
  CHECK(memcmp(ck_tensor_map_native(maps[0]), ck_tensor_map_native(maps[1]), 128) != 0);
  CHECK_OK(ck_tensor_map_set_buffer(maps[0], shared, 0));
  CHECK(!memcmp(ck_tensor_map_native(maps[0]), ck_tensor_map_native(maps[1]), 128));
  for (int i = 0; i < 2; ++i) ck_tensor_map_release(maps[i]);
  ck_buffer_release(plain);
  ck_buffer_release(shared);
  ck_memory_resource_release(managed);
}

static int open_peer(void)
{
  ck_program_t *program = NULL;
  CHECK_OK(ck_device_open(1, &peer));
  CHECK_OK(ck_stream_create(peer, NULL, &peer_stream));
  CHECK_OK(ck_program_create(source, strlen(source), NULL, &program));
  CHECK_OK(ck_program_compile(program, peer, &peer_code));
  ck_program_release(program);
  return failed == 0;
}

int main(void)
{
  const char *named = getenv("CK_DEVICE");
  if ((named && !strcmp(named, "host")) || ck_device_count() < 2) {
    printf("0 passed, 0 failed: it needs two GPUs\n");
    return 77;
  }
  setenv("CK_DEVICE", "cuda:0", 1);
  int missing = open_both(source);
  if (missing) return missing;
  if (open_peer()) {
    run_all();
  }
  ck_object_code_release(peer_code);
  ck_stream_release(peer_stream);
  ck_device_release(peer);
  return close_both();
}
