/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* launch.c - the launch call, and the threads that execute the blocks of a grid.
 *
 * The thread of the stream executes blocks, and helper threads join it. Each takes the next few
 * clusters (a block is a cluster of one if the launch has no clusters) from an atomic counter until
 * there are none left:
 *
 *   next_cluster  0    4    8    12   16
 *                 | A  | B  | A  | C  |        A: thread of the stream; B, C: helpers
 *
 * The helpers are made at the first launch with more than one cluster, one fewer than there are
 * cores, and live as long as the process. A cooperative grid is executed by the stream's thread
 * alone (block.c).
 */
#include <stdlib.h>
#include <string.h>

#include "code/manifest.h"
#include "host.h"

/* A thread takes several clusters at a time, so that the shared counter is changed less often. */
enum { MOST_BLOCKS_AT_ONCE = 16, SHARED_ALIGNMENT = 128 };

/* The operation of a launch, with copies of its arguments. */
typedef struct LaunchOp {
  HostOp op;
  HostGrid grid;
  struct LaunchOp *next;         /* in the list `wanting` */
  unsigned helper_count;         /* helpers that execute its blocks */
  unsigned attribute_count;      /* number of `attributes` */
  CUlaunchAttribute *attributes; /* stored after the arguments */
  uint64_t values[];             /* argument values, then the pointers to them, then the
                                  * attributes */
} LaunchOp;

pthread_mutex_t host_helpers_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work_wanted = PTHREAD_COND_INITIALIZER;
static pthread_cond_t helper_left = PTHREAD_COND_INITIALIZER;
static LaunchOp *wanting;        /* grids that have blocks left */
static atomic_uint helper_total; /* helpers that exist */
static bool are_helpers_made;

static void run_blocks(HostGrid *grid)
{
  uint64_t share = grid->cluster_count / (8 * (uint64_t)(helper_total + 1));
  uint64_t at_once = share < 1 ? 1 : share > MOST_BLOCKS_AT_ONCE ? MOST_BLOCKS_AT_ONCE : share;
  for (;;) {
    uint64_t first = atomic_fetch_add(&grid->next_cluster, at_once);
    if (first >= grid->cluster_count) return;
    uint64_t end = first + at_once < grid->cluster_count ? first + at_once : grid->cluster_count;
    for (uint64_t index = first; index < end; ++index) {
      if (atomic_load_explicit(&grid->is_stopped, memory_order_relaxed)) return;
      if (!host_run_cluster(grid, index)) atomic_store(&grid->is_stopped, true);
    }
  }
}

/* With host_helpers_mutex held. */
static void stop_wanting(LaunchOp *launch)
{
  LaunchOp **link = &wanting;
  while (*link && *link != launch) link = &(*link)->next;
  if (*link) *link = launch->next;
}

static void *helper_main(void *data)
{
  (void)data;
  pthread_mutex_lock(&host_helpers_mutex);
  for (;;) {
    while (!wanting) pthread_cond_wait(&work_wanted, &host_helpers_mutex);
    LaunchOp *launch = wanting;
    ++launch->helper_count;
    pthread_mutex_unlock(&host_helpers_mutex);
    host_guard_begin();
    run_blocks(&launch->grid);
    pthread_mutex_lock(&host_helpers_mutex);
    stop_wanting(launch); /* all blocks have been taken */
    --launch->helper_count;
    pthread_cond_broadcast(&helper_left);
  }
  return NULL;
}

/* With host_helpers_mutex held. It is no error if fewer threads can be made. */
static void make_helpers(void)
{
  are_helpers_made = true;
  for (unsigned i = 1; i < host_core_count(); ++i) {
    pthread_t thread;
    if (!host_make_thread(&thread, helper_main, NULL)) return;
    pthread_detach(thread);
    ++helper_total;
  }
}

void host_helpers_forget(void)
{
  are_helpers_made = false;
  helper_total = 0;
  wanting = NULL;
  pthread_cond_init(&work_wanted, NULL); /* threads of the parent may have waited for them */
  pthread_cond_init(&helper_left, NULL);
}

static void run_launch(HostOp *op)
{
  LaunchOp own = {.grid = ((LaunchOp *)op)->grid},
           *launch = &own; /* a copy: launches of a graph share the operation */
  static atomic_uint_fast64_t launch_count;
  launch->grid.number = atomic_fetch_add(&launch_count, 1) + 1;
  host_guard_begin();
  if (launch->grid.kernel->info->is_cooperative) {
    host_run_grid(&launch->grid);
    return;
  }
  if (launch->grid.cluster_count > 1) {
    pthread_mutex_lock(&host_helpers_mutex);
    if (!are_helpers_made) make_helpers();
    launch->next = wanting;
    wanting = launch;
    pthread_cond_broadcast(&work_wanted);
    pthread_mutex_unlock(&host_helpers_mutex);
  }
  run_blocks(&launch->grid);
  if (launch->grid.cluster_count > 1) {
    pthread_mutex_lock(&host_helpers_mutex);
    stop_wanting(launch);
    while (launch->helper_count > 0) pthread_cond_wait(&helper_left, &host_helpers_mutex);
    pthread_mutex_unlock(&host_helpers_mutex);
  }
}

static void drop_launch(HostOp *op)
{
  host_library_release(((LaunchOp *)op)->grid.kernel->library);
}

/* All blocks of a cooperative kernel are in memory at once, so their number is limited. */
static bool host_fits_at_once(const CUlaunchConfig *config, const HostKernel *kernel)
{
  enum { MOST_THREADS = 1 << 20 };
  if (!kernel->info->is_cooperative) return true;
  uint64_t threads = (uint64_t)config->blockDimX * config->blockDimY * config->blockDimZ;
  return threads * config->gridDimX * config->gridDimY <= MOST_THREADS / config->gridDimZ;
}

bool host_has_attribute(CUlaunchAttributeID id, bool is_node)
{
  switch ((int)id) { /* other numbers are possible */
  case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
  case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
  case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
  case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
  case CU_LAUNCH_ATTRIBUTE_PRIORITY:
  case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
  case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
  case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
  case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
  case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING:
  case CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE:
  case CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE: return true;
  case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
  case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
  case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT: return !is_node;
  default: return false;
  }
}

enum { MODE_portable = 1, MODE_more };

/* The value of a mode attribute of a launch; 0: the kernel's attribute decides. */
static unsigned mode_of(const CUlaunchConfig *config, CUlaunchAttributeID id)
{
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id == id) return config->attrs[i].value.sharedMemoryMode;
  return 0;
}

static bool has_portable_memory(const CUlaunchConfig *config, const HostKernel *kernel)
{
  int most = 0;
  if (mode_of(config, CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE) != MODE_portable) return true;
  host_cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 0);
  return kernel->info->shared_bytes + config->sharedMemBytes <= (size_t)most;
}

/* Checks a launch like the CUDA driver. */
static CUresult check_launch(const CUlaunchConfig *config, const HostKernel *kernel)
{
  const unsigned dims[6] = {config->blockDimX, config->blockDimY, config->blockDimZ,
                            config->gridDimX,  config->gridDimY,  config->gridDimZ};
  for (int i = 0; i < 6; ++i) {
    int most = 0;
    host_cuDeviceGetAttribute(&most, (CUdevice_attribute)(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i),
                              0);
    if (dims[i] < 1 || dims[i] > (unsigned)most) return CUDA_ERROR_INVALID_VALUE;
  }
  if ((uint64_t)dims[0] * dims[1] * dims[2] > 1024) return CUDA_ERROR_INVALID_VALUE;
  unsigned plain = 48u << 10, bytes = config->sharedMemBytes;
  if (kernel->info->shared_bytes + (uint64_t)bytes > plain &&
      bytes > (unsigned)atomic_load(&kernel->max_dynamic_bytes))
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (!host_has_attribute(config->attrs[i].id, false)) return CUDA_ERROR_NOT_SUPPORTED;
  if (!has_portable_memory(config, kernel)) return CUDA_ERROR_INVALID_VALUE;
  return host_fits_at_once(config, kernel) ? CUDA_SUCCESS : CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
}

/* Sets up clusters from the attributes of a launch. */
static CUresult read_attributes(const CUlaunchConfig *config, const HostKernel *kernel,
                                LaunchOp *launch)
{
  /* As on sm_90: 8 blocks in any cluster, 16 if the kernel allows sizes that are not portable. */
  enum { PORTABLE = 8, MOST = 16 };
  HostGrid *grid = &launch->grid;
  for (int i = 0; i < 3; ++i) grid->cluster[i] = 1;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    if (config->attrs[i].id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) continue;
    if (!config->attrs[i].value.clusterDim.x) continue; /* zeros: no clusters */
    memcpy(grid->cluster, &config->attrs[i].value.clusterDim, sizeof grid->cluster);
  }
  unsigned mode = mode_of(config, CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE);
  bool may_exceed = mode ? mode == MODE_more : atomic_load(&kernel->may_exceed_cluster);
  uint64_t most = may_exceed ? MOST : PORTABLE, blocks = 1;
  for (int i = 0; i < 3; ++i) {
    if (!grid->cluster[i] || grid->cluster[i] > most) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    blocks *= grid->cluster[i];
  }
  if (blocks > most) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  grid->cluster_blocks = (uint32_t)blocks;
  for (int i = 0; i < 3; ++i) grid->clusters[i] = grid->grid_dim[i] / grid->cluster[i];
  grid->cluster_count = (uint64_t)grid->clusters[0] * grid->clusters[1] * grid->clusters[2];
  return CUDA_SUCCESS;
}

bool host_has_whole_clusters(const HostOp *op)
{
  const HostGrid *grid = &((const LaunchOp *)op)->grid;
  for (int i = 0; i < 3; ++i)
    if (grid->grid_dim[i] % grid->cluster[i]) return false;
  return true;
}

static size_t round_shared(size_t bytes)
{
  return (bytes + SHARED_ALIGNMENT - 1) / SHARED_ALIGNMENT * SHARED_ALIGNMENT;
}

CUresult host_make_launch(const CUlaunchConfig *config, CUfunction native, void **args,
                          HostOp **out_op)
{
  HostKernel *kernel = (HostKernel *)(void *)native;
  CUresult result = check_launch(config, kernel);
  if (result != CUDA_SUCCESS) return result;
  uint32_t slots = kernel->info->slot_count;
  size_t words = 0; /* a struct by value takes several */
  for (uint32_t i = 0; i < slots; ++i) words += (manifest_slot_bytes(kernel->info, i) + 7) / 8;
  LaunchOp *launch = memory_new(sizeof *launch + words * sizeof(uint64_t) + slots * sizeof(void *) +
                                config->numAttrs * sizeof(CUlaunchAttribute));
  if (!launch) return CUDA_ERROR_OUT_OF_MEMORY;
  launch->op =
      (HostOp){.run = run_launch, .drop = drop_launch, .is_work = true, .kind = HOST_OP_launch};
  launch->grid = (HostGrid){
      .kernel = kernel,
      .args = (void **)(launch->values + words),
      .dim = {config->blockDimX, config->blockDimY, config->blockDimZ},
      .grid_dim = {config->gridDimX, config->gridDimY, config->gridDimZ},
      .block_threads = config->blockDimX * config->blockDimY * config->blockDimZ,
      .dynamic_bytes = config->sharedMemBytes,
      .static_room = round_shared(kernel->info->shared_bytes),
  };
  launch->attribute_count = config->numAttrs;
  launch->attributes = (CUlaunchAttribute *)(void *)(launch->grid.args + slots);
  if (config->numAttrs)
    memcpy(launch->attributes, config->attrs, config->numAttrs * sizeof(CUlaunchAttribute));
  launch->grid.shared_room = launch->grid.static_room + round_shared(config->sharedMemBytes);
  result = read_attributes(config, kernel, launch);
  if (result != CUDA_SUCCESS) {
    memory_free(launch);
    return result;
  }
  const char *poison = getenv("CK_HOST_POISON");
  launch->grid.is_poisoned = poison && !strcmp(poison, "1");
  uint64_t *value = launch->values;
  for (uint32_t i = 0; i < slots; ++i) {
    uint32_t bytes = manifest_slot_bytes(kernel->info, i);
    memcpy(value, args[i], bytes);
    launch->grid.args[i] = value;
    value += (bytes + 7) / 8;
  }
  host_library_retain(kernel->library);
  *out_op = &launch->op;
  return CUDA_SUCCESS;
}

void host_read_launch(const HostOp *op, CUDA_KERNEL_NODE_PARAMS *out)
{
  const HostGrid *grid = &((const LaunchOp *)op)->grid;
  *out = (CUDA_KERNEL_NODE_PARAMS){.kern = (CUkernel)(uintptr_t)grid->kernel,
                                   .gridDimX = grid->grid_dim[0],
                                   .gridDimY = grid->grid_dim[1],
                                   .gridDimZ = grid->grid_dim[2],
                                   .blockDimX = grid->dim[0],
                                   .blockDimY = grid->dim[1],
                                   .blockDimZ = grid->dim[2],
                                   .sharedMemBytes = (unsigned)grid->dynamic_bytes,
                                   .kernelParams = grid->args};
}

void host_read_attributes(const HostOp *op, CUlaunchAttributeValue out[HOST_ATTRIBUTES])
{
  const LaunchOp *launch = (const LaunchOp *)op;
  for (unsigned i = 0; i < launch->attribute_count; ++i)
    if (host_has_attribute(launch->attributes[i].id, true))
      out[launch->attributes[i].id] = launch->attributes[i].value;
}

/* Records the events of a launch after its end. Both kinds are allowed to be that late. */
static CUresult record_events(const CUlaunchConfig *config)
{
  CUresult result = CUDA_SUCCESS;
  for (unsigned i = 0; i < config->numAttrs && result == CUDA_SUCCESS; ++i) {
    const CUlaunchAttributeValue *value = &config->attrs[i].value;
    if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT)
      result = host_cuEventRecord(value->programmaticEvent.event, config->hStream);
    else if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT)
      result = host_cuEventRecord(value->launchCompletionEvent.event, config->hStream);
  }
  return result;
}

CUresult host_cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction native, void **args,
                               void **extra)
{
  if (host_fault() != CUDA_SUCCESS) return host_fault();
  if (extra) return CUDA_ERROR_NOT_SUPPORTED;
  HostOp *op;
  CUresult result = host_make_launch(config, native, args, &op);
  if (result != CUDA_SUCCESS) return result;
  if (!host_has_whole_clusters(op)) {
    host_op_release(op);
    return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  }
  result = host_put(config->hStream, op);
  return result == CUDA_SUCCESS ? record_events(config) : result;
}
