/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* virtual.c - tests virtual memory: buffers that grow, their locations and permissions, and
 * captures; on the device that $CK_DEVICE names. cuda.core's tests of VirtualMemoryResource in C.
 */
#include <unistd.h>

#include "fixture.h"

static Bench bench;
static size_t piece; /* granularity without options; 0: the device has no virtual memory */

/* Fills a part of a buffer with a word. */
static void fill(ck_buffer_t *buffer, size_t offset, size_t bytes, uint32_t value)
{
  CHECK_OK(ck_buffer_fill(buffer, offset, bytes, value, 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
}

static uint32_t read_word(ck_buffer_t *buffer, size_t offset)
{
  uint32_t word = 0xbad;
  CHECK_OK(ck_buffer_read(buffer, offset, &word, 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  return word;
}

/* Fills a buffer, and checks both ends. */
static void works(ck_buffer_t *buffer, uint32_t value)
{
  size_t bytes = ck_buffer_bytes(buffer) / 4 * 4;
  fill(buffer, 0, bytes, value);
  CHECK(read_word(buffer, 0) == value && read_word(buffer, bytes - 4) == value);
}

/* NULL, with the reason printed, if the device lacks what the options request. */
static ck_memory_resource_t *make(const ck_virtual_options_t *options)
{
  ck_memory_resource_t *resource = NULL;
  ck_status_t status = ck_memory_resource_create_virtual(bench.device, options, &resource);
  if (status == CK_UNSUPPORTED) printf("not here: %s\n", ck_last_error());
  else CHECK_STATUS(status, CK_OK);
  return resource;
}

static ck_memory_resource_t *make_at(uint64_t address)
{
  ck_virtual_options_t options = CK_OPTIONS_INIT(ck_virtual_options_t);
  options.address = address;
  return make(&options);
}

static ck_buffer_t *allocate(ck_memory_resource_t *resource, size_t bytes)
{
  ck_buffer_t *buffer = NULL;
  CHECK_OK(ck_memory_resource_create_buffer(resource, bytes, bench.stream, &buffer));
  return buffer;
}

/* A buffer of one piece with `more` free pieces behind it, which are occupied if a wall is
 * requested. NULL if the driver places it elsewhere. */
static ck_buffer_t *in_free_hole(size_t more, bool has_wall, ck_buffer_t **out_wall)
{
  ck_memory_resource_t *resource = make_at(0), *here, *behind;
  ck_buffer_t *probe = allocate(resource, (1 + more) * piece), *buffer;
  uint64_t hole = ck_buffer_native(probe);
  ck_buffer_release(probe);
  ck_memory_resource_release(resource);
  here = make_at(hole);
  behind = make_at(hole + piece);
  buffer = allocate(here, piece);
  *out_wall = has_wall ? allocate(behind, piece) : NULL;
  ck_memory_resource_release(here);
  ck_memory_resource_release(behind);
  bool is_there = ck_buffer_native(buffer) == hole &&
                  (!has_wall || ck_buffer_native(*out_wall) == hole + piece);
  if (is_there) return buffer;
  printf("the driver put it elsewhere\n");
  ck_buffer_release(buffer);
  ck_buffer_release(*out_wall);
  *out_wall = NULL;
  return NULL;
}

/* Whether an address is mapped. On the host device, freed addresses may be reused at once, so the
 * name of the mapping is checked. */
static bool is_mapped(uint64_t address)
{
  CUpointer_attribute which = CU_POINTER_ATTRIBUTE_RANGE_SIZE;
  size_t bytes = 0;
  void *out = &bytes;
  if (!ck_device_is_host(bench.device)) {
    CHECK_OK(device_enter(bench.device));
    bench.device->driver->cuPointerGetAttributes(1, &which, &out, address);
    device_leave(bench.device);
    return bytes != 0;
  }
  char line[512];
  bool is_ours = false;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && !is_ours && fgets(line, sizeof line, maps)) {
    unsigned long long first = 0, end = 0;
    is_ours = sscanf(line, "%llx-%llx", &first, &end) == 2 && address >= first && address < end &&
              strstr(line, "cokernel-memory");
  }
  if (maps) fclose(maps);
  return is_ours;
}

/* The same after a driver's thread has released a graph. */
static bool becomes_unmapped(uint64_t address)
{
  for (int i = 0; i < 200 && is_mapped(address); ++i) {
    usleep(10000);
    CHECK_OK(ck_device_sync(bench.device));
  }
  return !is_mapped(address);
}

TEST(vmm_allocator_basic_allocation)
{
  ck_memory_resource_t *resource = make(NULL);
  ck_buffer_t *buffers[5];
  CHECK(piece >= 4096 && !(piece & (piece - 1)));
  CHECK(ck_memory_resource_device(resource) == bench.device);
  CHECK(ck_memory_resource_flags(resource) & CK_MEMORY_DEVICE);
  CHECK(!(ck_memory_resource_flags(resource) & CK_MEMORY_IPC));
  CHECK(ck_memory_resource_location(resource).place == CK_PLACE_DEVICE);
  for (size_t i = 0; i < 5; ++i) {
    buffers[i] = allocate(resource, i == 4 ? 3 * piece + 4 : 1024 * (i + 1));
    CHECK(ck_buffer_memory_resource(buffers[i]) == resource);
    CHECK(ck_buffer_bytes(buffers[i]) == (i == 4 ? 3 * piece + 4 : 1024 * (i + 1)));
    CHECK(ck_buffer_native(buffers[i]) % piece == 0);
    works(buffers[i], 4);
  }
  CHECK_OK(ck_buffer_close(buffers[0], NULL));
  CHECK(ck_buffer_bytes(buffers[0]) == 0);
  for (size_t i = 0; i < 5; ++i) ck_buffer_release(buffers[i]);
  ck_memory_resource_release(resource);
}

TEST(vmm_allocator_policy_configuration)
{
  ck_virtual_options_t options = CK_OPTIONS_INIT(ck_virtual_options_t);
  ck_memory_resource_t *resource;
  ck_buffer_t *buffer;
  size_t recommended;
  options.flags = CK_VIRTUAL_RECOMMENDED;
  options.alignment = 4 << 20;
  resource = make(&options);
  CHECK_OK(ck_memory_resource_get_granularity(resource, &recommended));
  CHECK(recommended >= piece);
  buffer = allocate(resource, 4096);
  CHECK(ck_buffer_native(buffer) % options.alignment == 0);
  works(buffer, 2);
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
  options = (ck_virtual_options_t)CK_OPTIONS_INIT(ck_virtual_options_t);
  options.access = CK_PERMIT_READ;
  resource = make(&options);
  buffer = allocate(resource, 4096);
  read_word(buffer, 0); /* its contents are undefined */
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
}

static void refuse(ck_virtual_options_t options, const char *part)
{
  ck_memory_resource_t *none;
  CHECK_STATUS(ck_memory_resource_create_virtual(bench.device, &options, &none),
               CK_INVALID_ARGUMENT);
  CHECK(!none);
  CHECK_ERROR(part);
}

TEST(vmm_options_that_are_refused)
{
  const ck_virtual_options_t plain = CK_OPTIONS_INIT(ck_virtual_options_t);
  ck_virtual_options_t options = plain;
  ck_device_t *peers[17] = {0};
  options.alignment = 3 << 20;
  refuse(options, "is no power of two");
  options = plain;
  options.flags = 64;
  refuse(options, "unknown bits");
  options = plain;
  options.peers = peers;
  options.peer_count = 17;
  refuse(options, "17 peers, 16 fit");
  options.peer_count = 1;
  refuse(options, "CK_INVALID_ARGUMENT: peers[0] is NULL");
  options.peers = NULL;
  refuse(options, "CK_INVALID_ARGUMENT: peers is NULL, peer_count is 1");
  options = plain;
  options.struct_size = 7;
  refuse(options, "ck_virtual_options_t");
}

/* A GPU of another driver can't be a peer. */
TEST(vmm_peer_of_another_driver)
{
  Driver driver = *driver_host();
  ck_virtual_options_t options = CK_OPTIONS_INIT(ck_virtual_options_t);
  ck_memory_resource_t *none;
  ck_device_t *stranger;
  CHECK_OK(device_open(&driver, 0, &stranger));
  options.peers = &stranger;
  options.peer_count = 1;
  CHECK_STATUS(ck_memory_resource_create_virtual(bench.device, &options, &none), CK_UNSUPPORTED);
  CHECK_ERROR("can't use memory of");
  ck_device_release(stranger);
}

/* Invalid places and permissions. */
TEST(vmm_access_and_location_values)
{
  const ck_virtual_options_t plain = CK_OPTIONS_INIT(ck_virtual_options_t);
  ck_virtual_options_t options = plain;
  options.access = (ck_permission_t)2;
  refuse(options, "there is no permission 2");
  options = plain;
  options.peer_access = (ck_permission_t)9;
  refuse(options, "there is no permission 9");
  options = plain;
  options.flags = CK_VIRTUAL_NO_ACCESS;
  options.access = CK_PERMIT_READ;
  refuse(options, "CK_VIRTUAL_NO_ACCESS, and access 1");
  options = plain;
  options.location = (ck_location_t){(ck_place_t)77, 5};
  refuse(options, "there is no place 77");
  options.location = (ck_location_t){CK_PLACE_DEVICE, 99};
  refuse(options, "there is no device 99");
}

TEST(vmm_wrapped_pointer_is_refused)
{
  ck_memory_resource_t *resource = make(NULL);
  ck_buffer_t *none;
  CHECK_STATUS(ck_buffer_from_resource(resource, piece, piece, NULL, &none), CK_INVALID_ARGUMENT);
  CHECK_ERROR("knows its own alone");
  ck_memory_resource_release(resource);
}

/* growing ------------------------------------------------------------------------------------ */

/* Grows step by step, in place or not, and keeps the contents. */
TEST(vmm_allocator_grow_allocation)
{
  ck_memory_resource_t *resource = make(NULL);
  ck_buffer_t *buffer = allocate(resource, piece), *wall, *plain;
  fill(buffer, 0, piece, 0xabcd);
  wall = allocate(resource, piece); /* perhaps behind it */
  for (uint32_t i = 2; i <= 6; ++i) {
    CHECK_OK(ck_buffer_resize(buffer, i * piece, bench.stream));
    CHECK(ck_buffer_bytes(buffer) == i * piece);
    fill(buffer, (i - 1) * piece, piece, i);
    CHECK(read_word(buffer, 0) == 0xabcd && read_word(buffer, i * piece - 4) == i);
  }
  CHECK_OK(ck_buffer_resize(buffer, 8, bench.stream)); /* smaller */
  CHECK(ck_buffer_bytes(buffer) == 8);
  CHECK_OK(ck_buffer_resize(buffer, 6 * piece, bench.stream));
  CHECK(read_word(buffer, 6 * piece - 4) == 6);
  works(buffer, 12);
  ck_buffer_release(wall);
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
  CHECK_OK(ck_buffer_create(bench.device, 4096, bench.stream, &plain));
  CHECK_STATUS(ck_buffer_resize(plain, 8192, bench.stream), CK_UNSUPPORTED);
  ck_buffer_release(plain);
}

TEST(vmm_grow_in_place_keeps_pointer)
{
  ck_buffer_t *wall, *buffer = in_free_hole(2, false, &wall);
  if (!buffer) return;
  uint64_t address = ck_buffer_native(buffer);
  fill(buffer, 0, piece, 16);
  CHECK_OK(ck_buffer_resize(buffer, 2 * piece, bench.stream));
  CHECK(ck_buffer_native(buffer) == address && ck_buffer_bytes(buffer) == 2 * piece);
  CHECK(read_word(buffer, 0) == 16);
  works(buffer, 17);
  ck_buffer_release(buffer);
}

TEST(vmm_grow_moves_when_adjacent_range_is_taken)
{
  ck_buffer_t *wall, *buffer = in_free_hole(2, true, &wall);
  if (!buffer) return;
  uint64_t address = ck_buffer_native(buffer);
  fill(buffer, 0, piece, 0x5a5a);
  fill(wall, 0, piece, 0xaaaa);
  CHECK_OK(ck_buffer_resize(buffer, 2 * piece, bench.stream));
  CHECK(ck_buffer_native(buffer) != address && ck_buffer_bytes(buffer) == 2 * piece);
  CHECK(read_word(buffer, 0) == 0x5a5a && read_word(buffer, piece - 4) == 0x5a5a);
  works(buffer, 3);
  CHECK(read_word(wall, 0) == 0xaaaa && !is_mapped(address));
  ck_buffer_release(buffer);
  ck_buffer_release(wall);
}

/* A graph keeps using its addresses when the buffer moves; once it is destroyed, they are free. */
TEST(graphs_keep_old_addresses)
{
  ck_buffer_t *wall, *buffer = in_free_hole(1, true, &wall);
  if (!buffer) return;
  ck_graph_builder_t *builder;
  ck_graph_t *graph;
  uint64_t old = ck_buffer_native(buffer);
  CHECK_OK(ck_graph_builder_create(bench.device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_buffer_fill(buffer, 0, piece, 7, 4, ck_graph_builder_stream(builder)));
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  for (uint32_t i = 2; i < 40; i += 12) {
    fill(buffer, 0, 4, 1);
    CHECK_OK(ck_buffer_resize(buffer, i * piece, bench.stream));
    CHECK(ck_buffer_native(buffer) != old);
    CHECK_OK(ck_graph_launch(graph, bench.stream));
    CHECK(read_word(buffer, 0) == 7);
  }
  ck_buffer_release(wall);
  ck_graph_release(graph);
  works(buffer, 3);
  ck_buffer_release(buffer);
}

/* A node that is changed but keeps its address still retains the memory there, although the buffer
 * has moved. */
TEST(nodes_keep_old_addresses)
{
  ck_buffer_t *wall, *buffer = in_free_hole(1, true, &wall);
  if (!buffer) return;
  ck_graph_definition_t *definition;
  ck_graph_node_t *node;
  ck_graph_t *graph;
  ck_node_params_t fill = ck_node_fill(ck_at(buffer, 0), 1, 4, piece / 4);
  CHECK_OK(ck_graph_definition_create(bench.device, &definition));
  CHECK_OK(ck_graph_definition_add(definition, NULL, 0, &fill, &node));
  CHECK_OK(ck_buffer_resize(buffer, 2 * piece, bench.stream));
  for (uint32_t value = 2; value < 5; ++value) {
    CHECK_OK(ck_graph_node_get_params(node, &fill));
    fill.of.fill.value = value;
    CHECK_OK(ck_graph_node_set_params(node, &fill));
  }
  ck_buffer_release(wall);
  ck_buffer_t *view;
  CHECK_OK(ck_buffer_create_view(buffer, 0, piece, &view));
  ck_buffer_release(buffer);
  CHECK_OK(ck_graph_create(definition, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, bench.stream));
  CHECK(read_word(view, 0) == 4 && read_word(view, piece - 4) == 4);
  ck_buffer_release(view); /* retained by the graph only */
  CHECK_OK(ck_graph_launch(graph, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_graph_release(graph);
  ck_graph_definition_release(definition);
}

TEST(vmm_unaligned_and_repeated_grow)
{
  ck_memory_resource_t *resource = make(NULL);
  ck_buffer_t *buffer = allocate(resource, 4);
  fill(buffer, 0, 4, 0x77);
  CHECK_OK(ck_buffer_resize(buffer, piece, bench.stream)); /* within the piece */
  CHECK_OK(ck_buffer_resize(buffer, piece + 4, bench.stream));
  CHECK_OK(ck_buffer_resize(buffer, 2 * piece, bench.stream));
  CHECK_OK(ck_buffer_resize(buffer, 3 * piece - 4, bench.stream));
  CHECK(ck_buffer_bytes(buffer) == 3 * piece - 4 && read_word(buffer, 0) == 0x77);
  works(buffer, 5);
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
}

static ck_memory_resource_t *shared_resource;

/* Each thread has its own buffer; resource and addresses are shared. */
static void *grow_some(void *data)
{
  (void)data;
  for (size_t round = 0; round < 4; ++round) {
    ck_buffer_t *buffer;
    bool is_good = ck_memory_resource_create_buffer(shared_resource, piece, NULL, &buffer) == CK_OK;
    for (size_t i = 2; i < 6 && is_good; ++i)
      is_good = ck_buffer_resize(buffer, i * piece, NULL) == CK_OK &&
                ck_buffer_bytes(buffer) == i * piece;
    ck_buffer_release(buffer);
    if (!is_good) atomic_fetch_add(&thread_failures, 1);
  }
  return NULL;
}

/* A driver that refuses fills across pieces, as libcuda does for host memory. */
static const Driver *below;
static size_t unit;

static bool is_across(CUdeviceptr dst, size_t pitch, size_t width, size_t height)
{
  return dst / unit != (dst + (height - 1) * pitch + width - 1) / unit;
}

#define FILL_RUN(name_, type_)                                                                     \
  static CUresult strict_##name_(CUdeviceptr dst, type_ value, size_t count, CUstream stream)      \
  {                                                                                                \
    if (is_across(dst, 0, count * sizeof value, 1)) return CUDA_ERROR_INVALID_VALUE;               \
    return below->name_(dst, value, count, stream);                                                \
  }
#define FILL_BOX(name_, type_)                                                                     \
  static CUresult strict_##name_(CUdeviceptr dst, size_t pitch, type_ value, size_t width,         \
                                 size_t height, CUstream stream)                                   \
  {                                                                                                \
    if (is_across(dst, pitch, width * sizeof value, height)) return CUDA_ERROR_INVALID_VALUE;      \
    return below->name_(dst, pitch, value, width, height, stream);                                 \
  }
FILL_RUN(cuMemsetD8Async, unsigned char)
FILL_RUN(cuMemsetD32Async, unsigned)
FILL_BOX(cuMemsetD2D8Async, unsigned char)
FILL_BOX(cuMemsetD2D32Async, unsigned)

/* The same device over that driver. */
static ck_device_t *open_strict(Driver *driver)
{
  ck_device_t *device = NULL;
  below = bench.device->driver;
  *driver = *below;
  driver->cuMemsetD8Async = strict_cuMemsetD8Async;
  driver->cuMemsetD32Async = strict_cuMemsetD32Async;
  driver->cuMemsetD2D8Async = strict_cuMemsetD2D8Async;
  driver->cuMemsetD2D32Async = strict_cuMemsetD2D32Async;
  CHECK_OK(device_open(driver, ck_device_ordinal(bench.device), &device));
  return device;
}

/* All kinds of fills of a buffer with pieces of `unit` bytes, or of a view that starts inside one.
 */
static void fill_across(ck_buffer_t *buffer, size_t before)
{
  const uint32_t triple[3] = {1, 2, 3};
  /* The boundary of the first two pieces. */
  size_t bytes = ck_buffer_bytes(buffer), meet = unit - before;
  const unsigned char *at = ck_buffer_host(buffer);
  uint32_t words[6];
  CHECK_OK(ck_buffer_fill(buffer, 0, bytes, 0x11111111, 4, NULL));
  CHECK_OK(ck_buffer_fill_elements(buffer, meet + 2 * unit - 16, 2, triple, 12, NULL));
  CHECK_OK(ck_buffer_fill_box(buffer, meet - 620, 100, 50, 12, 7, 1, NULL));
  CHECK_OK(ck_buffer_fill_box(buffer, meet + 1000, 16, 3, unit / 16, 9, 4, NULL));
  CHECK_OK(ck_device_sync(ck_buffer_device(buffer)));
  memcpy(words, at + meet + 2 * unit - 16, sizeof words);
  CHECK(words[0] == 1 && words[2] == 3 && words[3] == 1 && words[5] == 3);
  CHECK(at[meet - 20] == 7 && at[meet + 29] == 7 && at[meet + 30] == 0x11 && at[meet + 480] == 7);
  CHECK(at[meet + 1000] == 9 && at[meet + 1012] == 0x11 && at[meet + unit + 984] == 9);
}

/* Fills of host memory that has grown, also through a view of a view. */
TEST(vmm_fills_across_pieces)
{
  Driver driver;
  ck_virtual_options_t options = CK_OPTIONS_INIT(ck_virtual_options_t);
  ck_device_t *device = open_strict(&driver);
  ck_memory_resource_t *resource;
  ck_buffer_t *buffer, *outer, *inner;
  options.location.place = CK_PLACE_HOST;
  if (ck_memory_resource_create_virtual(device, &options, &resource) == CK_OK) {
    CHECK_OK(ck_memory_resource_get_granularity(resource, &unit));
    CHECK_OK(ck_memory_resource_create_buffer(resource, unit, NULL, &buffer));
    for (size_t i = 2; i <= 4; ++i) CHECK_OK(ck_buffer_resize(buffer, i * unit, NULL));
    CHECK_OK(ck_buffer_create_view(buffer, 64, 3 * unit, &outer));
    CHECK_OK(ck_buffer_create_view(outer, 64, 3 * unit - 64, &inner));
    fill_across(buffer, 0);
    fill_across(inner, 128);
    ck_buffer_release(inner);
    ck_buffer_release(outer);
    ck_buffer_release(buffer);
    ck_memory_resource_release(resource);
  } else printf("not here: %s\n", ck_last_error());
  ck_device_release(device);
}

TEST(vmm_concurrent_grows)
{
  shared_resource = make(NULL);
  atomic_store(&thread_failures, 0);
  run_threads(grow_some);
  CHECK(atomic_load(&thread_failures) == 0);
  ck_memory_resource_release(shared_resource);
}

TEST(vmm_resize_rejects_foreign_or_closed_buffers)
{
  ck_memory_resource_t *resource = make(NULL), *pinned;
  ck_buffer_t *closed = allocate(resource, 4096), *foreign;
  CHECK_OK(ck_buffer_close(closed, NULL));
  CHECK_STATUS(ck_buffer_resize(closed, 8192, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the buffer is closed");
  CHECK_OK(ck_memory_resource_create_pinned(bench.device, &pinned));
  foreign = allocate(pinned, 64);
  CHECK_STATUS(ck_buffer_resize(foreign, 4096, bench.stream), CK_UNSUPPORTED);
  CHECK_ERROR("only a buffer of a virtual memory resource");
  CHECK_STATUS(ck_buffer_resize(NULL, 4096, bench.stream), CK_INVALID_ARGUMENT);
  ck_buffer_release(closed);
  ck_buffer_release(foreign);
  ck_memory_resource_release(pinned);
  ck_memory_resource_release(resource);
}

static void refuse_growth(ck_buffer_t *buffer, ck_virtual_options_t options, ck_status_t status,
                          const char *part)
{
  CHECK_STATUS(ck_buffer_grow(buffer, 2 * piece, &options, bench.stream), status);
  CHECK_ERROR(part);
}

/* Invalid options are refused without changing the buffer, also if it would not have to grow. */
TEST(vmm_grow_validates_per_call_config)
{
  const ck_virtual_options_t plain = CK_OPTIONS_INIT(ck_virtual_options_t);
  ck_memory_resource_t *resource = make(NULL), *pinned;
  ck_buffer_t *buffer = allocate(resource, piece), *foreign;
  uint64_t address = ck_buffer_native(buffer);
  ck_virtual_options_t options = plain;
  int has = 0;
  fill(buffer, 0, piece, 0x5c);
  options.alignment = 3 << 20;
  refuse_growth(buffer, options, CK_INVALID_ARGUMENT, "is no power of two");
  CHECK_STATUS(ck_buffer_grow(buffer, 8, &options, bench.stream), CK_INVALID_ARGUMENT);
  options = plain;
  options.flags = 64;
  refuse_growth(buffer, options, CK_INVALID_ARGUMENT, "unknown bits");
  options.flags = CK_MEMORY_IPC;
  refuse_growth(buffer, options, CK_INVALID_ARGUMENT, "without CK_MEMORY_IPC");
  options = plain;
  options.location.place = CK_PLACE_HOST;
  refuse_growth(buffer, options, CK_INVALID_ARGUMENT, "a buffer is in one place");
  options.location = (ck_location_t){CK_PLACE_DEVICE, 63};
  refuse_growth(buffer, options, CK_INVALID_ARGUMENT, "place 1, 63 behind memory of place 1, ");
  options = plain;
  options.struct_size = 7;
  refuse_growth(buffer, options, CK_INVALID_ARGUMENT, "ck_virtual_options_t");
  options = plain;
  options.flags = CK_VIRTUAL_RDMA;
  CHECK_OK(ck_device_get_attribute(bench.device, CK_DEVICE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED,
                                   &has));
  if (!has) refuse_growth(buffer, options, CK_UNSUPPORTED, "has no GPUDirect RDMA");
  CHECK(ck_buffer_bytes(buffer) == piece && ck_buffer_native(buffer) == address);
  CHECK(read_word(buffer, 0) == 0x5c && read_word(buffer, piece - 4) == 0x5c);
  CHECK_OK(ck_memory_resource_create_pinned(bench.device, &pinned));
  foreign = allocate(pinned, 64);
  CHECK_STATUS(ck_buffer_grow(foreign, 128, &plain, bench.stream), CK_UNSUPPORTED);
  CHECK_STATUS(ck_buffer_grow(NULL, 128, &plain, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_buffer_close(buffer, NULL));
  CHECK_STATUS(ck_buffer_grow(buffer, 2 * piece, &plain, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the buffer is closed");
  ck_buffer_release(foreign);
  ck_buffer_release(buffer);
  ck_memory_resource_release(pinned);
  ck_memory_resource_release(resource);
}

/* Each piece keeps its own options, also when the buffer moves later. */
TEST(vmm_grow_with_options_of_its_own)
{
  ck_virtual_options_t options = CK_OPTIONS_INIT(ck_virtual_options_t);
  for (int way = 0; way < 2; ++way) {
    ck_buffer_t *wall, *buffer = in_free_hole(3, way == 1, &wall);
    if (!buffer) continue;
    fill(buffer, 0, piece, 0x11);
    CHECK_OK(ck_buffer_grow(buffer, piece / 2, &options, bench.stream)); /* large enough already */
    CHECK(ck_buffer_bytes(buffer) == piece);
    options.access = CK_PERMIT_READ;
    CHECK_OK(ck_buffer_grow(buffer, 2 * piece, &options, bench.stream));
    CHECK(ck_buffer_bytes(buffer) == 2 * piece);
    fill(buffer, 0, piece, 0x12);
    read_word(buffer, piece);
    options.access = CK_PERMIT_READ_WRITE;
    options.flags = CK_VIRTUAL_RECOMMENDED;
    options.alignment = 8 << 20;
    CHECK_OK(ck_buffer_grow(buffer, 2 * piece + 4, &options, bench.stream));
    fill(buffer, 2 * piece, 4, 0x13);
    CHECK_OK(ck_buffer_grow(buffer, 9 * piece, NULL, bench.stream));
    fill(buffer, 8 * piece, piece, 0x14);
    CHECK(read_word(buffer, 0) == 0x12 && read_word(buffer, 2 * piece) == 0x13);
    CHECK(read_word(buffer, 9 * piece - 4) == 0x14);
    options = (ck_virtual_options_t)CK_OPTIONS_INIT(ck_virtual_options_t);
    ck_buffer_release(buffer);
    ck_buffer_release(wall);
  }
  ck_memory_resource_t *resource = make(NULL);
  ck_buffer_t *buffer = allocate(resource, 0);
  options.alignment = 8 << 20;
  CHECK_OK(ck_buffer_grow(buffer, 4096, &options, bench.stream)); /* it was empty */
  CHECK(ck_buffer_native(buffer) % options.alignment == 0);
  works(buffer, 7);
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
}

TEST(vmm_allocate_zero_size)
{
  ck_memory_resource_t *resource = make(NULL);
  ck_buffer_t *buffer = allocate(resource, 0);
  CHECK(ck_buffer_bytes(buffer) == 0 && ck_buffer_native(buffer) == 0);
  CHECK_OK(ck_buffer_resize(buffer, 0, bench.stream));
  CHECK_OK(ck_buffer_resize(buffer, 4096, bench.stream));
  CHECK(ck_buffer_bytes(buffer) == 4096 && ck_buffer_native(buffer) % piece == 0);
  works(buffer, 9);
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
}

TEST(vmm_allocate_without_access_descriptors)
{
  ck_virtual_options_t options = CK_OPTIONS_INIT(ck_virtual_options_t);
  options.flags = CK_VIRTUAL_NO_ACCESS;
  ck_memory_resource_t *resource = make(&options);
  CHECK((resource == NULL) == ck_device_is_host(bench.device)); /* it has no peers */
  if (!resource) return;
  ck_buffer_t *buffer = allocate(resource, 4096);
  CHECK(ck_buffer_native(buffer) % piece == 0 && !(ck_buffer_flags(buffer) & CK_MEMORY_DEVICE));
  CHECK_OK(ck_buffer_resize(buffer, 2 * piece, bench.stream));
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
}

TEST(vmm_failed_grow_leaves_input_intact)
{
  ck_memory_resource_t *resource = make(NULL);
  ck_buffer_t *buffer = allocate(resource, piece);
  uint64_t address = ck_buffer_native(buffer);
  fill(buffer, 0, piece, 0x5c);
  CHECK_STATUS(ck_buffer_resize(buffer, (size_t)1 << 62, bench.stream), CK_OUT_OF_MEMORY);
  CHECK(ck_buffer_bytes(buffer) == piece && ck_buffer_native(buffer) == address);
  CHECK(read_word(buffer, 0) == 0x5c && read_word(buffer, piece - 4) == 0x5c);
  ck_buffer_release(buffer);
  CHECK(!is_mapped(address));
  ck_memory_resource_release(resource);
}

TEST(vmm_size_rounding_overflow)
{
  ck_memory_resource_t *resource = make(NULL);
  ck_buffer_t *buffer = allocate(resource, 4096), *none;
  CHECK_STATUS(ck_memory_resource_create_buffer(resource, SIZE_MAX, NULL, &none), CK_OUT_OF_MEMORY);
  CHECK(!none);
  CHECK_STATUS(ck_buffer_resize(buffer, SIZE_MAX, bench.stream), CK_OUT_OF_MEMORY);
  CHECK(ck_buffer_bytes(buffer) == 4096);
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
}

/* streams and captures ----------------------------------------------------------------------- */

static void count_up(void *data)
{
  usleep(50000);
  ++*(int *)data;
}

/* The last release waits for the stream that the buffer has at that time. */
TEST(vmm_close_synchronizes_recorded_stream)
{
  ck_memory_resource_t *resource = make(NULL);
  ck_stream_t *other;
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  for (int way = 0; way < 3; ++way) {
    ck_buffer_t *buffer = allocate(resource, 4096);
    int done = 0;
    if (way == 1) CHECK_OK(ck_buffer_set_stream(buffer, other));
    CHECK_OK(ck_stream_launch_host(way ? other : bench.stream, count_up, &done));
    if (way == 2) CHECK_OK(ck_buffer_close(buffer, other));
    ck_buffer_release(buffer);
    CHECK(done == 1);
    CHECK_OK(ck_stream_sync(other));
    CHECK_OK(ck_stream_sync(bench.stream));
  }
  ck_stream_release(other);
  ck_memory_resource_release(resource);
}

static ck_graph_builder_t *begin(ck_capture_mode_t mode)
{
  ck_graph_builder_t *builder = NULL;
  CHECK_OK(ck_graph_builder_create(bench.device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, mode));
  return builder;
}

/* Ends a capture, which must still be valid. */
static void end(ck_graph_builder_t *builder)
{
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_builder_release(builder);
}

/* Closing it in a captured stream is refused; a release is deferred to the end of the capture's
 * graphs. */
TEST(vmm_close_on_capturing_stream)
{
  ck_memory_resource_t *resource = make(NULL);
  ck_buffer_t *buffer = allocate(resource, piece);
  uint64_t address = ck_buffer_native(buffer);
  ck_graph_builder_t *builder = begin(CK_CAPTURE_RELAXED);
  ck_stream_t *captured = ck_graph_builder_stream(builder);
  CHECK_STATUS(ck_buffer_close(buffer, captured), CK_INVALID_ARGUMENT);
  CHECK_ERROR("virtual memory is not freed in a captured stream");
  CHECK(ck_buffer_native(buffer) == address);
  CHECK_OK(ck_buffer_set_stream(buffer, captured));
  CHECK_STATUS(ck_buffer_close(buffer, NULL), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_resize(buffer, 4 * piece, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the stream is captured");
  ck_buffer_t *empty = allocate(resource, 0);
  CHECK_STATUS(ck_buffer_resize(empty, 64, captured), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_grow(empty, 64, NULL, captured), CK_INVALID_ARGUMENT);
  CHECK(!ck_buffer_native(empty) && !ck_buffer_bytes(empty));
  CHECK_OK(ck_buffer_resize(empty, 64, bench.stream));
  CHECK_OK(ck_buffer_resize(empty, 32, captured)); /* no new memory */
  ck_buffer_release(empty);
  ck_buffer_release(buffer);
  CHECK(is_mapped(address));
  end(builder);
  CHECK(becomes_unmapped(address));
  ck_memory_resource_release(resource);
}

TEST(vmm_close_during_unrelated_capture_keeps_capture_valid)
{
  ck_memory_resource_t *resource = make(NULL), *pinned;
  CHECK_OK(ck_memory_resource_create_pinned(bench.device, &pinned));
  for (int mode = CK_CAPTURE_RELAXED; mode <= CK_CAPTURE_GLOBAL; ++mode) {
    ck_buffer_t *buffer = allocate(resource, 4096), *locked = allocate(pinned, 64);
    uint64_t address = ck_buffer_native(buffer);
    ck_graph_builder_t *builder = begin((ck_capture_mode_t)mode);
    ck_buffer_release(buffer);
    ck_buffer_release(locked);
    CHECK(!is_mapped(address) || !ck_device_is_host(bench.device));
    end(builder);
  }
  ck_memory_resource_release(pinned);
  ck_memory_resource_release(resource);
}

TEST(vmm_release_on_default_stream_during_blocking_capture)
{
  ck_memory_resource_t *resource = make(NULL);
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  options.flags = CK_STREAM_BLOCKING;
  ck_stream_t *blocking;
  ck_graph_builder_t *builder;
  ck_buffer_t *buffer;
  CHECK_OK(ck_stream_create(bench.device, &options, &blocking));
  CHECK_OK(ck_memory_resource_create_buffer(resource, 4096, NULL, &buffer));
  CHECK_OK(ck_graph_builder_from_stream(blocking, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_buffer_close(buffer, NULL));
  end(builder);
  ck_buffer_release(buffer);
  ck_stream_release(blocking);
  ck_memory_resource_release(resource);
}

TEST(vmm_allocate_close_does_not_leak)
{
  ck_memory_resource_t *resource = make(NULL);
  size_t before = atomic_load(&host_live_objects);
  for (int way = 0; way < 3; ++way) {
    ck_buffer_t *wall = NULL;
    ck_buffer_t *buffer = way < 2 ? allocate(resource, piece) : in_free_hole(2, true, &wall);
    if (!buffer) continue;
    uint64_t first = ck_buffer_native(buffer);
    if (way) CHECK_OK(ck_buffer_resize(buffer, 2 * piece, bench.stream));
    uint64_t last = ck_buffer_native(buffer);
    CHECK(is_mapped(last));
    ck_buffer_release(buffer);
    CHECK(!is_mapped(first) && !is_mapped(last));
    ck_buffer_release(wall);
  }
  CHECK(atomic_load(&host_live_objects) == before);
  ck_memory_resource_release(resource);
}

/* locations ---------------------------------------------------------------------------------- */

TEST(vmm_allocator_rdma_unsupported)
{
  ck_virtual_options_t options = CK_OPTIONS_INIT(ck_virtual_options_t);
  ck_memory_resource_t *resource = NULL;
  ck_buffer_t *buffer;
  int has = 0;
  options.flags = CK_VIRTUAL_RDMA;
  CHECK_OK(ck_device_get_attribute(bench.device, CK_DEVICE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED,
                                   &has));
  ck_status_t status = ck_memory_resource_create_virtual(bench.device, &options, &resource);
  if (!has) {
    CHECK_STATUS(status, CK_UNSUPPORTED);
    CHECK_ERROR("has no GPUDirect RDMA");
    return;
  }
  CHECK_STATUS(status, CK_OK);
  buffer = allocate(resource, 8192);
  works(buffer, 1);
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
}

/* Host memory, accessible to the CPU; made and freed without a current context. */
TEST(vmm_host_location_types)
{
  static const ck_place_t places[] = {CK_PLACE_HOST, CK_PLACE_HOST_NUMA};
  ck_virtual_options_t options = CK_OPTIONS_INIT(ck_virtual_options_t);
  ck_memory_resource_t *none;
  int has = 0;
  options.location.place = CK_PLACE_HOST;
  options.flags = CK_MEMORY_IPC;
  refuse(options, "memory for other processes is of a node of the host");
  options.flags = 0;
  options.location.place = CK_PLACE_HOST_NUMA_CURRENT;
  CHECK_STATUS(ck_memory_resource_create_virtual(bench.device, &options, &none), CK_UNSUPPORTED);
  CHECK_ERROR("a node that has a name: CK_PLACE_HOST_NUMA");
  CHECK_OK(ck_device_get_attribute(bench.device, CK_DEVICE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                                   &has));
  if (!has && !ck_device_is_host(bench.device)) return; /* a driver before CUDA 13.0 */
  for (size_t i = 0; i < COUNT_OF(places); ++i) {
    ck_memory_resource_t *resource;
    ck_buffer_t *buffer;
    size_t step;
    options.location.place = places[i];
    if (ck_memory_resource_create_virtual(bench.device, &options, &resource) != CK_OK) {
      printf("place %d: %s\n", (int)places[i], ck_last_error());
      CHECK(places[i] != CK_PLACE_HOST);
      continue;
    }
    CHECK(ck_memory_resource_flags(resource) & CK_MEMORY_HOST);
    CHECK(ck_memory_resource_location(resource).place == places[i]);
    CHECK_OK(ck_memory_resource_get_granularity(resource, &step));
    CHECK_OK(ck_context_set_current(bench.device, NULL));
    buffer = allocate(resource, 4096);
    int *words = ck_buffer_host(buffer);
    if (words) words[0] = 11;
    CHECK_OK(ck_buffer_resize(buffer, 2 * step, bench.stream));
    CHECK_OK(ck_buffer_resize(buffer, 3 * step, bench.stream));
    words = ck_buffer_host(buffer);
    if (CHECK(words != NULL)) CHECK(words[0] == 11);
    works(buffer, 12);
    if (words) CHECK(words[1] == 12);
    ck_buffer_release(buffer);
    ck_memory_resource_release(resource);
  }
}

/* Buffers of several sizes, with a copy between them, all freed. */
TEST(vmm_memory_example)
{
  static const size_t sizes[] = {1024, 4096, 1 << 20};
  ck_memory_resource_t *resource = make(NULL), *before;
  ck_buffer_t *buffers[3];
  CHECK_OK(ck_device_set_memory_resource(bench.device, resource));
  for (int i = 0; i < 3; ++i) {
    CHECK_OK(ck_buffer_create(bench.device, sizes[i], bench.stream, &buffers[i]));
    CHECK(ck_buffer_memory_resource(buffers[i]) == resource);
    CHECK(ck_buffer_device(buffers[i]) == bench.device);
  }
  CHECK_OK(ck_device_set_memory_resource(bench.device, NULL));
  CHECK_OK(ck_device_get_memory_resource(bench.device, &before));
  CHECK(before != resource);
  fill(buffers[0], 0, 1024, 31);
  fill(buffers[1], 0, 4096, 32);
  CHECK_OK(ck_buffer_copy(buffers[1], 0, buffers[0], 0, 1024, bench.stream));
  CHECK(read_word(buffers[1], 1020) == 31 && read_word(buffers[1], 1024) == 32);
  for (int i = 0; i < 3; ++i) ck_buffer_release(buffers[i]);
  ck_memory_resource_release(resource);
}

int main(void)
{
  bench_open_any(&bench);
  int has = 0;
  CHECK_OK(
      ck_device_get_attribute(bench.device, CK_DEVICE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, &has));
  if (!has) {
    bench_close(&bench);
    return 77;
  }
  ck_memory_resource_t *resource = make(NULL);
  CHECK_OK(ck_memory_resource_get_granularity(resource, &piece));
  ck_memory_resource_release(resource);
  run_all();
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
