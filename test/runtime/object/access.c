/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* access.c - tests that operations in a stream which access virtual memory without permission are
 * sticky errors of the context on the host device, as on a GPU. Each case has a context of its own.
 */
#include "fixture.h"

enum { WORDS = 64 };

static Bench bench;
static size_t piece;
static ck_memory_resource_t *resource;  /* of read-only memory */
static ck_buffer_t *read_only, *nobody; /* one piece each; read-only, and inaccessible */
static ck_buffer_t *plain;
static CUdeviceptr hole;
static uint32_t words[WORDS];

static const Driver *driver(void)
{
  return bench.device->driver;
}

static void open_case(void)
{
  ck_virtual_options_t options = CK_OPTIONS_INIT(ck_virtual_options_t);
  options.access = CK_PERMIT_READ;
  CHECK_OK(ck_device_open_host(&bench.device));
  CHECK_OK(ck_stream_create(bench.device, NULL, &bench.stream));
  CHECK_OK(ck_memory_resource_create_virtual(bench.device, &options, &resource));
  CHECK_OK(ck_memory_resource_get_granularity(resource, &piece));
  CHECK_OK(ck_memory_resource_create_buffer(resource, piece, bench.stream, &read_only));
  plain = bench_buffer(&bench, 4 * piece);
  CHECK(driver()->cuMemAddressReserve(&hole, piece, 0, 0, 0) == CUDA_SUCCESS);
  CHECK_OK(ck_buffer_from_native(bench.device, hole, piece, NULL, NULL, &nobody));
}

/* Checks that the stream's work failed with a message, and opens the device anew. */
static void close_case(const char *message)
{
  CHECK_STATUS(ck_stream_sync(bench.stream), CK_KERNEL_FAULT);
  CHECK(ck_last_driver_error() == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_ERROR(message);
  CHECK_STATUS(ck_buffer_fill(plain, 0, 64, 0, 1, bench.stream), CK_KERNEL_FAULT);
  ck_buffer_release(nobody);
  CHECK(driver()->cuMemAddressFree(hole, piece) == CUDA_SUCCESS);
  ck_buffer_release(plain);
  ck_buffer_release(read_only);
  ck_memory_resource_release(resource);
  ck_stream_release(bench.stream);
  ck_device_release(bench.device);
  CHECK_OK(ck_device_open_host(&bench.device));
  CHECK_OK(ck_device_sync(bench.device));
  ck_device_release(bench.device);
}

static const char *const fill_text = "a fill writes to 0x",
                         *const copy_text = "a copy writes to 0x",
                         *const read_text = "a copy reads from 0x";

TEST(fills)
{
  for (int bytes = 1; bytes <= 4; bytes *= 2) {
    open_case();
    CHECK_OK(ck_buffer_fill(read_only, 64, 64, 1, (size_t)bytes, bench.stream));
    close_case(fill_text);
  }
  open_case();
  CHECK_OK(ck_buffer_fill_box(read_only, 0, 256, 16, 16, 1, 1, bench.stream));
  close_case(fill_text);
}

TEST(copies)
{
  open_case();
  CHECK_OK(ck_buffer_write(read_only, 0, words, sizeof words, bench.stream));
  close_case(copy_text);
  open_case();
  CHECK_OK(ck_buffer_copy(read_only, 0, plain, 0, 4, bench.stream));
  close_case(copy_text);
  open_case();
  CHECK_OK(ck_buffer_copy(plain, 0, read_only, 0, piece, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_OK(ck_buffer_copy(plain, 0, nobody, 0, 4, bench.stream));
  close_case(read_text);
  open_case();
  CHECK_OK(ck_buffer_read(nobody, piece - 4, words, 4, bench.stream));
  close_case(read_text);
}

/* In a box only the rows that are copied are checked, not the gaps between them. */
TEST(boxes)
{
  open_case();
  ck_copy_box_t box = CK_OPTIONS_INIT(ck_copy_box_t);
  box.dst.buffer = plain;
  box.src.buffer = read_only;
  box.dst.row_bytes = box.src.row_bytes = 64;
  box.width = 32;
  box.height = 4;
  box.depth = 2;
  CHECK_OK(ck_copy_box(&box, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  box.dst.buffer = read_only;
  box.src.buffer = plain;
  CHECK_OK(ck_copy_box(&box, bench.stream));
  close_case(copy_text);
}

TEST(batches)
{
  ck_copy_range_t ranges[2];
  memset(ranges, 0, sizeof ranges);
  open_case();
  for (size_t i = 0; i < 2; ++i) {
    ranges[i].dst = i ? read_only : plain;
    ranges[i].src = i ? plain : read_only;
    ranges[i].bytes = 128;
  }
  CHECK_OK(ck_copy_batch(ranges, 2, NULL, bench.stream));
  close_case(copy_text);
}

TEST(values)
{
  open_case();
  CHECK_OK(ck_stream_write_value(bench.stream, read_only, 8, 1, 4));
  close_case("a write of a value writes to 0x");
  open_case();
  CHECK_OK(ck_stream_write_value(bench.stream, read_only, 8, 1, 8));
  close_case("a write of a value writes to 0x");
  open_case();
  CHECK_OK(ck_stream_wait_value(bench.stream, read_only, 0, 0, 4, CK_WAIT_EQUAL));
  CHECK_OK(ck_stream_wait_value(bench.stream, nobody, 0, 0, 4, CK_WAIT_EQUAL));
  close_case("a wait for a value reads from 0x");
}

/* The same operations as graph nodes. */
TEST(nodes)
{
  const char *messages[] = {fill_text, copy_text, "a write of a value writes to 0x", read_text};
  for (int way = 0; way < 4; ++way) {
    ck_graph_definition_t *definition;
    ck_graph_t *graph;
    ck_memory_op_t op = {0};
    ck_node_params_t params;
    open_case();
    CHECK_OK(ck_graph_definition_create(bench.device, &definition));
    op.kind = CK_MEMORY_OP_WRITE_32;
    op.place = ck_at(read_only, 0);
    op.value = 1;
    if (way == 0) params = ck_node_fill(ck_at(read_only, 0), 1, 4, 8);
    if (way == 1) params = ck_node_copy(ck_at(read_only, 0), ck_at_host(words), 64);
    if (way == 2) params = ck_node_memory_ops(&op, 1);
    if (way == 3) params = ck_node_copy(ck_at(plain, 0), ck_at(nobody, 0), 64);
    CHECK_OK(ck_graph_definition_add(definition, NULL, 0, &params, NULL));
    CHECK_OK(ck_graph_create(definition, NULL, &graph));
    CHECK_OK(ck_graph_launch(graph, bench.stream));
    ck_graph_release(graph);
    ck_graph_definition_release(definition);
    close_case(messages[way]);
  }
}

/* Memory next to such memory, and ranges that span pieces, stay accessible. */
TEST(beside)
{
  CUmemAccessDesc both = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  ck_memory_resource_t *all;
  ck_buffer_t *grown;
  open_case();
  CHECK_OK(ck_memory_resource_create_virtual(bench.device, NULL, &all));
  CHECK_OK(ck_memory_resource_create_buffer(all, piece, bench.stream, &grown));
  for (size_t n = 2; n <= 9; ++n) CHECK_OK(ck_buffer_resize(grown, n * piece, bench.stream));
  CHECK_OK(ck_buffer_fill(grown, 0, 9 * piece, 7, 4, bench.stream));
  CHECK_OK(ck_buffer_copy(grown, piece - 8, read_only, 0, 16, bench.stream));
  CHECK_OK(ck_buffer_read(grown, piece - 8, words, 16, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(!words[0] && !words[3]);
  /* Access can be set for whole pieces that are mapped. */
  CHECK_OK(device_enter(bench.device));
  CUdeviceptr first = ck_buffer_native(grown);
  CHECK(driver()->cuMemSetAccess(hole, piece, &both, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(driver()->cuMemSetAccess(first, piece / 2, &both, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(driver()->cuMemSetAccess(first, 9 * piece, &both, 1) == CUDA_SUCCESS);
  CHECK(driver()->cuMemAddressFree(first, piece) == CUDA_ERROR_INVALID_VALUE);
  device_leave(bench.device);
  CHECK_OK(ck_buffer_fill(read_only, piece - 4, 4, 7, 4, bench.stream));
  ck_buffer_release(grown);
  ck_memory_resource_release(all);
  close_case(fill_text);
}

int main(void)
{
  run_all();
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
