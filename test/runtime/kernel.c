/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kernel.c - what a kernel has, what can be set of it, and how much of it runs at a time. On the
 * host device or a GPU: $CK_DEVICE. */
#include "both.h"

static const char source[] =
    "kernel plain(n: u32, x: inout f32[n]) launch(block = 128, grid = ceil_div(n, 128)) {\n"
    "    let i = u32(grid.thread_rank);\n"
    "    if (i < n) x[i] += 1;\n"
    "}\n"
    "kernel tiles(n: u32, x: inout f32[n]) {\n"
    "    shared t: f32[256];\n"
    "    t[thread.x % 256] = x[thread.x % n];\n"
    "    block.sync();\n"
    "    x[thread.x % n] = t[(thread.x + 1) % 256];\n"
    "}\n";

static ck_kernel_t *plain, *tiles;

static int get(ck_kernel_t *kernel, ck_kernel_attribute_t attribute)
{
  int value = -100;
  CHECK_OK(ck_kernel_get_attribute(kernel, attribute, &value));
  return value;
}

static int of_device(ck_device_attribute_t attribute)
{
  int value = 0;
  CHECK_OK(ck_device_get_attribute(device, attribute, &value));
  return value;
}

TEST(all_attributes)
{
  for (int i = 0; i <= CK_KERNEL_CLUSTER_SCHEDULING_POLICY; ++i) {
    printf("%s: %d\n", ck_kernel_attribute_name((ck_kernel_attribute_t)i),
           get(tiles, (ck_kernel_attribute_t)i));
  }
  CHECK(!ck_kernel_attribute_name((ck_kernel_attribute_t)16));
  CHECK(get(tiles, CK_KERNEL_SHARED_BYTES) >= 1024 && get(plain, CK_KERNEL_SHARED_BYTES) < 1024);
  CHECK(get(plain, CK_KERNEL_MAX_THREADS_PER_BLOCK) >= 128);
  CHECK(!get(plain, CK_KERNEL_CLUSTER_SIZE_MUST_BE_SET));
  if (ck_device_is_host(device)) return;
  CHECK(get(plain, CK_KERNEL_REGISTERS) > 0 && get(plain, CK_KERNEL_BINARY_VERSION) >= 75);
}

TEST(settings)
{
  int most = of_device(CK_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_PREFERRED_SHARED_CARVEOUT, 50));
  CHECK(get(plain, CK_KERNEL_PREFERRED_SHARED_CARVEOUT) == 50);
  CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_PREFERRED_SHARED_CARVEOUT, -1));
  CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES, 65536));
  CHECK(get(plain, CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES) == 65536);
  if (of_device(CK_DEVICE_CLUSTER_LAUNCH)) {
    CHECK_OK(
        ck_kernel_set_attribute(plain, CK_KERNEL_CLUSTER_SCHEDULING_POLICY, CK_CLUSTER_SPREAD));
    CHECK(get(plain, CK_KERNEL_CLUSTER_SCHEDULING_POLICY) == CK_CLUSTER_SPREAD);
    CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_CLUSTER_SCHEDULING_POLICY, 0));
    CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
    CHECK(get(plain, CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) == 1);
    CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 0));
  }
  const struct {
    ck_kernel_attribute_t attribute;
    int value;
    const char *message;
  } cases[] = {
      {CK_KERNEL_REGISTERS, 10, "kernel 'tiles': attribute 4, registers, can't be set"},
      {CK_KERNEL_CLUSTER_SIZE_MUST_BE_SET, 1, "cluster_size_must_be_set, can't be set"},
      {(ck_kernel_attribute_t)99, 1, "attribute 99, which is unknown, can't be set"},
      {CK_KERNEL_PREFERRED_SHARED_CARVEOUT, 101, "101 is not in -1 to 100"},
      {CK_KERNEL_CLUSTER_SCHEDULING_POLICY, 3, "3 is not in 0 to 2"},
      {CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 2, "2 is not in 0 to 1"},
      {CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES, most, "max_dynamic_shared_bytes: "},
      {CK_KERNEL_REQUIRED_CLUSTER_WIDTH, -1, "required_cluster_width: -1 is not in 0 to"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CHECK_FAILS(ck_kernel_set_attribute(tiles, cases[i].attribute, cases[i].value),
                CK_INVALID_ARGUMENT);
    CHECK_ERROR(cases[i].message);
  }
}

static size_t bytes_of(int block_size)
{
  return 64 * (size_t)block_size;
}

TEST(occupancy)
{
  int blocks;
  uint32_t block, grid;
  size_t bytes;
  CHECK_OK(ck_kernel_get_occupancy(tiles, 256, 0, &blocks));
  CHECK(blocks >= 1);
  CHECK_OK(ck_kernel_get_best_block(tiles, 0, NULL, 0, &block, &grid));
  CHECK(block % 32 == 0 && block >= 128 && grid >= 1);
  CHECK_OK(ck_kernel_get_best_block(tiles, 0, NULL, 96, &block, NULL));
  CHECK(block >= 32 && block <= 96);
  CHECK_OK(ck_kernel_get_best_block(tiles, 0, bytes_of, 0, &block, &grid));
  CHECK(block >= 32);
  CHECK_OK(ck_kernel_get_available_shared(tiles, 1, 256, &bytes));
  CHECK(bytes >= 40000);
  CHECK_FAILS(ck_kernel_get_available_shared(tiles, 1, 0, &bytes), CK_DRIVER);
  CHECK(bytes == 0);
}

TEST(clusters)
{
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  uint32_t largest, active, wider;
  if (!of_device(CK_DEVICE_CLUSTER_LAUNCH)) {
    CHECK_FAILS(ck_kernel_get_largest_cluster(plain, NULL, &largest), CK_UNSUPPORTED);
    CHECK_ERROR("has no clusters");
    return;
  }
  CHECK_OK(ck_kernel_get_largest_cluster(plain, NULL, &largest));
  CHECK(largest == 8);
  CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
  CHECK_OK(ck_kernel_get_largest_cluster(plain, NULL, &wider));
  CHECK(wider >= largest);
  CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 0));
  config.cluster[0] = 4;
  CHECK_OK(ck_kernel_get_active_clusters(plain, &config, &active));
  CHECK(active >= 1);
  printf("clusters of %u at most, %u of 4 at a time\n", wider, active);
  CHECK_FAILS(ck_kernel_get_active_clusters(plain, NULL, &active), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'plain': give a cluster");
  CHECK_FAILS(ck_kernel_get_active_clusters(tiles, &config, &active), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'tiles': give a block");
  config.block[0] = 64;
  CHECK_OK(ck_kernel_get_active_clusters(tiles, &config, &active));
}

int main(void)
{
  int missing = open_both(source);
  if (missing) return missing;
  plain = kernel("plain");
  tiles = kernel("tiles");
  RUN(all_attributes);
  RUN(settings);
  RUN(occupancy);
  RUN(clusters);
  ck_kernel_release(plain);
  ck_kernel_release(tiles);
  return close_both();
}
