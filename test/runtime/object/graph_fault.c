/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_fault.c - makes each driver call fail in turn: captured graphs, and graphs made of nodes.
 */
#define _GNU_SOURCE /* setenv */
#include <errno.h>

#include "faults.h"
#include "graph/graph.h"

static int kept; /* references that graphs hold */

static void do_nothing(void *data)
{
  (void)data;
}

static void give_back(void *data)
{
  (void)data;
  --kept;
}

typedef struct Parts {
  ck_device_t *device;
  ck_stream_t *stream;
  ck_object_code_t *code;
  ck_kernel_t *saxpy;
  ck_buffer_t *a, *b;
  ck_event_t *event;
} Parts;

static ck_status_t capture(Parts *p)
{
  ck_graph_builder_t *builder = NULL, *fork = NULL, *bodies[2] = {NULL, NULL};
  ck_memory_resource_t *memory = NULL;
  ck_buffer_t *scratch = NULL;
  ck_graph_definition_t *child = NULL;
  ck_graph_t *graph = NULL;
  ck_status_t status;
  uint64_t condition;
  uint32_t one = 1;
  STEP(ck_graph_definition_create(p->device, &child));
  STEP(ck_memory_resource_create_graph(p->device, &memory));
  STEP(ck_graph_builder_create(p->device, &builder));
  STEP(ck_graph_builder_begin(builder, CK_CAPTURE_GLOBAL));
  ck_stream_t *to = ck_graph_builder_stream(builder);
  STEP(ck_launch(to, NULL, p->saxpy, 64, 1.0f, p->a, p->a, p->b));
  STEP(ck_graph_builder_split(builder, 1, &fork));
  STEP(ck_buffer_fill(p->a, 0, 64, 1, 4, ck_graph_builder_stream(fork)));
  STEP(ck_graph_builder_join(builder, &fork, 1));
  STEP(ck_graph_builder_launch_host(builder, do_nothing, NULL, give_back));
  ++kept;
  STEP(ck_graph_builder_embed(builder, child));
  STEP(ck_graph_builder_create_condition(builder, &one, &condition));
  STEP(ck_graph_builder_add_if_else(builder, condition, &bodies[0], &bodies[1]));
  STEP(ck_graph_builder_begin(bodies[0], CK_CAPTURE_RELAXED));
  STEP(ck_buffer_copy(p->a, 0, p->b, 0, 64, ck_graph_builder_stream(bodies[0])));
  STEP(ck_graph_builder_end(bodies[0]));
  STEP(ck_memory_resource_create_buffer(memory, 64, to, &scratch));
  STEP(ck_buffer_fill(scratch, 0, 64, 1, 1, to));
  ck_buffer_release(scratch);
  scratch = NULL;
  STEP(ck_graph_builder_end(builder));
  ck_graph_options_t options = CK_OPTIONS_INIT(ck_graph_options_t);
  options.upload_stream = p->stream;
  STEP(ck_graph_builder_create_graph(builder, &options, &graph));
  STEP(ck_graph_upload(graph, p->stream));
  STEP(ck_graph_launch(graph, p->stream));
  STEP(ck_graph_launch(graph, NULL));
  STEP(ck_device_sync(p->device));
done:
  ck_buffer_release(scratch);
  for (int i = 0; i < 2; ++i) ck_graph_builder_release(bodies[i]);
  ck_graph_builder_release(fork);
  ck_graph_builder_release(builder);
  ck_graph_definition_release(child);
  ck_graph_release(graph);
  ck_memory_resource_release(memory);
  return status;
}

enum { KINDS = 10 };

static ck_status_t read_back(ck_graph_definition_t *d, ck_graph_node_t **nodes)
{
  ck_node_params_t seen = ck_node_empty();
  ck_graph_node_t *some[KINDS], *others[KINDS];
  size_t count, bytes;
  ck_status_t status = CK_OK;
  for (int i = 0; i < KINDS; ++i) STEP(ck_graph_node_get_params(nodes[i], &seen));
  STEP(ck_graph_definition_get_nodes(d, some, KINDS, &count));
  STEP(ck_graph_definition_get_edges(d, some, others, KINDS, &count));
  STEP(ck_graph_node_get_dependencies(nodes[1], some, KINDS, &count));
  STEP(ck_graph_node_get_dependents(nodes[1], some, KINDS, &count));
  STEP(ck_graph_definition_save_dot(d, "/dev/null", CK_DOT_VERBOSE));
  STEP(ck_graph_memory_get(ck_graph_definition_device(d), CK_GRAPH_MEMORY_USED, &bytes));
  STEP(ck_graph_memory_reset(ck_graph_definition_device(d), CK_GRAPH_MEMORY_USED_HIGH));
  STEP(ck_graph_memory_trim(ck_graph_definition_device(d)));
done:
  return status;
}

static atomic_bool is_open;

/* Waits with a time limit: if there is no memory to defer a release, a change waits for the launch.
 */
static void wait_at_gate(void *data)
{
  (void)data;
  for (int i = 0; i < 200 && !atomic_load(&is_open); ++i)
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

/* Changes a graph without allocations, during a launch and after it. */
static ck_status_t change(Parts *p)
{
  ck_graph_definition_t *d = NULL, *other = NULL, *innermost = NULL, *inner;
  ck_graph_t *graph = NULL;
  ck_graph_node_t *first, *second, *child;
  ck_status_t status;
  int is_enabled;
  const ck_arg_t args[] = {ck_u64(64), ck_f32(1), ck_whole(p->a), ck_whole(p->a), ck_whole(p->b)};
  ck_node_params_t launch = ck_node_kernel(NULL, p->saxpy, args, 5),
                   fill = ck_node_fill(ck_at(p->a, 0), 1, 4, 4);
  STEP(ck_graph_definition_create(p->device, &d));
  STEP(ck_graph_definition_create(p->device, &other));
  STEP(ck_graph_definition_add(d, NULL, 0, &launch, &first));
  STEP(ck_graph_definition_add(d, &first, 1, &fill, &second));
  STEP(ck_graph_create(d, NULL, &graph));
  STEP(ck_graph_node_set_params(second, &fill));
  STEP(ck_graph_update_node(graph, first, &launch));
  atomic_store(&is_open, false);
  STEP(ck_stream_launch_host(p->stream, wait_at_gate, NULL));
  STEP(ck_graph_launch(graph, p->stream));
  STEP(ck_graph_update_node(graph, first, &launch));
  atomic_store(&is_open, true);
  STEP(ck_stream_sync(p->stream));
  STEP(ck_graph_launch(graph, p->stream));
  STEP(ck_stream_sync(p->stream));
  STEP(ck_graph_update_node(graph, first, &launch));
  STEP(ck_graph_set_enabled(graph, second, 0));
  STEP(ck_graph_get_enabled(graph, second, &is_enabled));
  STEP(ck_graph_update(graph, d));
  STEP(ck_graph_definition_remove_edges(d, &first, &second, 1));
  STEP(ck_graph_definition_add_edges(d, &second, &first, 1));
  STEP(ck_graph_node_remove(first));
  ck_node_params_t put = ck_node_child(other), call = ck_node_host(do_nothing, NULL, give_back);
  STEP(ck_graph_definition_create(p->device, &innermost));
  STEP(ck_graph_definition_add(innermost, NULL, 0, &call, NULL));
  ++kept;
  ck_node_params_t nest = ck_node_child(innermost);
  STEP(ck_graph_definition_add(other, NULL, 0, &nest, NULL));
  STEP(ck_graph_definition_add(d, NULL, 0, &put, &child));
  STEP(ck_graph_node_get_graph(child, 0, &inner));
  STEP(ck_graph_definition_add(inner, NULL, 0, &call, NULL));
  ++kept;
  STEP(ck_graph_node_set_params(child, &put));
  STEP(ck_graph_node_get_graph(child, 0, &inner));
  STEP(ck_graph_definition_add(inner, NULL, 0, &call, NULL));
  ++kept;
  STEP(ck_graph_node_remove(child));
  STEP(ck_stream_sync(p->stream));
done:
  atomic_store(&is_open, true);
  if (status != CK_OK) ck_stream_sync(p->stream); /* so that each try makes the same calls */
  ck_graph_release(graph);
  ck_graph_definition_release(d);
  ck_graph_definition_release(other);
  ck_graph_definition_release(innermost);
  return status;
}

static ck_status_t explicit_nodes(Parts *p)
{
  ck_graph_definition_t *d = NULL, *child = NULL, *inner;
  ck_graph_node_t *nodes[KINDS];
  ck_graph_t *graph = NULL;
  ck_status_t status;
  uint64_t condition;
  const ck_arg_t args[] = {ck_u64(64), ck_f32(1), ck_whole(p->a), ck_whole(p->a), ck_whole(p->b)};
  const ck_memory_op_t op = {CK_MEMORY_OP_WRITE_32, CK_MEMORY_AT_LEAST, ck_at(p->a, 0), 1};
  STEP(ck_graph_definition_create(p->device, &d));
  STEP(ck_graph_definition_create(p->device, &child));
  STEP(ck_graph_definition_create_condition(d, NULL, &condition));
  ck_node_params_t params[KINDS] = {ck_node_kernel(NULL, p->saxpy, args, 5),
                                    ck_node_copy(ck_at(p->a, 0), ck_at(p->b, 0), 64),
                                    ck_node_fill(ck_at(p->a, 0), 1, 4, 4),
                                    ck_node_host(do_nothing, NULL, give_back),
                                    ck_node_child(child),
                                    ck_node_record(p->event),
                                    ck_node_wait(p->event),
                                    ck_node_alloc(64),
                                    ck_node_memory_ops(&op, 1),
                                    ck_node_condition(CK_CONDITION_IF, condition, 1)};
  for (int i = 0; i < KINDS; ++i) {
    STEP(ck_graph_definition_add(d, i ? &nodes[i - 1] : NULL, i > 0, &params[i], &nodes[i]));
    kept += i == 3;
  }
  ck_node_params_t last = ck_node_free(params[7].of.alloc.address);
  ck_graph_node_t *freeing;
  STEP(ck_graph_definition_add(d, &nodes[9], 1, &last, &freeing));
  STEP(ck_graph_node_get_params(freeing, &last));
  STEP(ck_graph_node_get_graph(nodes[4], 0, &inner));
  STEP(read_back(d, nodes));
  STEP(ck_graph_create(d, NULL, &graph));
  STEP(ck_graph_launch(graph, p->stream));
  STEP(ck_stream_sync(p->stream));
done:
  ck_graph_release(graph);
  ck_graph_definition_release(child);
  ck_graph_definition_release(d);
  return status;
}

/* Launch attributes: launched, captured, added, and read back. */
static ck_status_t attributes(Parts *p)
{
  ck_graph_definition_t *d = NULL;
  ck_graph_builder_t *builder = NULL;
  ck_graph_node_t *node;
  ck_graph_t *graph = NULL;
  ck_status_t status;
  size_t count;
  ck_launch_attribute_t all[] = {
      ck_with_priority(-1), ck_with_memory_domain(1), ck_with_shared_mode(CK_PORTABLE_OR_MORE),
      ck_with_access_window(p->a, 0, 64, 0.5f, CK_L2_PERSISTING, CK_L2_NORMAL),
      ck_with_launch_event(p->event)};
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.attributes = all;
  config.attribute_count = COUNT_OF(all);
  const ck_arg_t args[] = {ck_u64(64), ck_f32(1), ck_whole(p->a), ck_whole(p->a), ck_whole(p->b)};
  STEP(ck_launch_args(p->stream, &config, p->saxpy, args, 5));
  STEP(ck_graph_builder_create(p->device, &builder));
  STEP(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  STEP(ck_launch_args(ck_graph_builder_stream(builder), &config, p->saxpy, args, 5));
  STEP(ck_graph_builder_end(builder));
  STEP(ck_graph_definition_get_nodes(ck_graph_builder_definition(builder), &node, 1, &count));
  ck_node_params_t params = ck_node_empty();
  STEP(ck_graph_node_get_params(node, &params));
  CHECK(params.of.kernel.config.attribute_count == 4);
  --config.attribute_count;
  params = ck_node_kernel(&config, p->saxpy, args, 5);
  STEP(ck_graph_definition_create(p->device, &d));
  STEP(ck_graph_definition_add(d, NULL, 0, &params, &node));
  STEP(ck_graph_node_set_params(node, &params));
  STEP(ck_graph_create(d, NULL, &graph));
  STEP(ck_graph_update_node(graph, node, &params));
  STEP(ck_stream_set_attribute(p->stream, &all[1]));
  STEP(ck_stream_get_attribute(p->stream, CK_LAUNCH_MEM_SYNC_DOMAIN, &all[1]));
  STEP(ck_buffer_close(p->a, NULL)); /* which the graph uses */
done:
  ck_graph_release(graph);
  ck_graph_definition_release(d);
  ck_graph_builder_release(builder);
  return status;
}

static ck_status_t use_graphs(ck_device_t *device, ck_stream_t *stream)
{
  Parts p = {.device = device, .stream = stream};
  ck_status_t status;
  STEP(compile_stub("any", device, &p.code));
  STEP(ck_kernel_from_code(p.code, device, "saxpy", &p.saxpy));
  STEP(ck_buffer_create(device, 256, stream, &p.a));
  STEP(ck_buffer_create(device, 256, stream, &p.b));
  STEP(ck_event_create(device, NULL, &p.event));
  STEP(capture(&p));
  STEP(explicit_nodes(&p));
  STEP(change(&p));
  STEP(attributes(&p));
  STEP(ck_device_sync(device));
done:
  if (status != CK_OK) ck_device_sync(device); /* a launch may be under way */
  ck_event_release(p.event);
  ck_buffer_release(p.a);
  ck_buffer_release(p.b);
  ck_kernel_release(p.saxpy);
  ck_object_code_release(p.code);
  return status;
}

/* Disables and enables fills the way it is done on GPUs, for device and page-locked memory. */
static ck_status_t switches(ck_device_t *host, ck_stream_t *stream)
{
  ck_device_t *device = NULL; /* the library takes it for a GPU */
  ck_memory_resource_t *pinned = NULL;
  ck_buffer_t *x[2] = {NULL, NULL};
  ck_graph_definition_t *d = NULL;
  ck_graph_t *graph = NULL;
  ck_graph_node_t *nodes[2];
  ck_status_t status;
  int is_enabled;
  (void)stream;
  STEP(device_open(driver_of_gpu(host->driver), 0, &device));
  STEP(ck_memory_resource_create_pinned(device, &pinned));
  STEP(ck_buffer_create(device, 64, NULL, &x[0]));
  STEP(ck_memory_resource_create_buffer(pinned, 64, NULL, &x[1]));
  STEP(ck_graph_definition_create(device, &d));
  for (int i = 0; i < 2; ++i) {
    ck_node_params_t fill = ck_node_fill(ck_at(x[i], 0), 1, 4, 4);
    STEP(ck_graph_definition_add(d, nodes, (size_t)i, &fill, &nodes[i]));
  }
  STEP(ck_graph_create(d, NULL, &graph));
  for (int i = 0; i < 2; ++i) {
    ck_node_params_t fill = ck_node_fill(ck_at(x[i], 0), 2, 4, 4);
    STEP(ck_graph_set_enabled(graph, nodes[i], 0));
    STEP(ck_graph_update_node(graph, nodes[i], &fill));
    STEP(ck_graph_get_enabled(graph, nodes[i], &is_enabled));
  }
  STEP(ck_graph_launch(graph, NULL));
  STEP(ck_graph_set_enabled(graph, nodes[0], 1));
  STEP(ck_device_sync(device));
done:
  if (status != CK_OK && device) ck_device_sync(device); /* a launch may be under way */
  ck_graph_release(graph);
  ck_graph_definition_release(d);
  for (int i = 0; i < 2; ++i) ck_buffer_release(x[i]);
  ck_memory_resource_release(pinned);
  ck_device_release(device);
  return status;
}

/* Driver calls whose failure is not reported. For graphs: the first five determine whether
 * references may still be in use, which is clean-up; the next one, whether a kernel has another
 * name; the last three, which node holds what, and if that fails the whole graph holds it. A file
 * that can't be written is CK_IO. */
static const Scenario scenarios[] = {
    {"graphs", .run = use_graphs,
     .quiet = {"cuEventQuery", "cuEventSynchronize", "cuStreamQuery", "cuStreamIsCapturing",
               "cuEventRecord", "cuKernelGetFunction", "cuStreamGetCaptureInfo",
               "cuGraphNodeFindInClone", "cuGraphChildGraphNodeGetGraph"},
     .other_status = CK_IO, .kept = &kept},
    {"switches", .run = switches, .quiet = {"cuEventQuery", "cuEventRecord"}}};

TEST(every_call_fails_in_turn)
{
  CHECK(faults_try(scenarios, COUNT_OF(scenarios)) > 400);
}

TEST(every_allocation_fails_in_turn)
{
  CHECK(faults_try_allocations(scenarios, COUNT_OF(scenarios)) > 400);
}

static ck_graph_definition_t *watched;
static int locked_calls, unlocked_calls;

static void see_lock(void)
{
  if (pthread_mutex_trylock(&watched->mutex) == EBUSY) ++locked_calls;
  else {
    ++unlocked_calls;
    pthread_mutex_unlock(&watched->mutex);
  }
}

static CUresult get_fill(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *out)
{
  see_lock();
  return driver_host()->cuGraphMemsetNodeGetParams(node, out);
}

static CUresult set_params(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params)
{
  see_lock();
  return driver_host()->cuGraphExecNodeSetParams(exec, node, params);
}

static CUresult set_enabled(CUgraphExec exec, CUgraphNode node, unsigned is_enabled)
{
  see_lock();
  return driver_host()->cuGraphNodeSetEnabled(exec, node, is_enabled);
}

static CUresult get_enabled(CUgraphExec exec, CUgraphNode node, unsigned *out)
{
  see_lock();
  return driver_host()->cuGraphNodeGetEnabled(exec, node, out);
}

/* Other threads may read a definition while a graph of it is changed. The driver does not order
 * these calls, so they are made under the definition's lock. */
TEST(changes_lock_the_definition)
{
  Driver driver = *driver_host();
  driver.cuGraphMemsetNodeGetParams = get_fill;
  driver.cuGraphExecNodeSetParams = set_params;
  driver.cuGraphNodeSetEnabled = set_enabled;
  driver.cuGraphNodeGetEnabled = get_enabled;
  ck_device_t *device; /* the library takes it for a GPU */
  ck_buffer_t *x;
  ck_graph_node_t *nodes[2];
  ck_graph_t *graph;
  int is_enabled;
  CHECK_OK(device_open(driver_of_gpu(&driver), 0, &device));
  CHECK_OK(ck_buffer_create(device, 64, NULL, &x));
  CHECK_OK(ck_graph_definition_create(device, &watched));
  ck_node_params_t params[] = {ck_node_fill(ck_at(x, 0), 1, 4, 4),
                               ck_node_copy(ck_at(x, 0), ck_at(x, 32), 32)};
  for (int i = 0; i < 2; ++i)
    CHECK_OK(ck_graph_definition_add(watched, NULL, 0, &params[i], &nodes[i]));
  CHECK_OK(ck_graph_create(watched, NULL, &graph));
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(ck_graph_set_enabled(graph, nodes[i], 0));
    CHECK_OK(ck_graph_get_enabled(graph, nodes[i], &is_enabled));
    CHECK_OK(ck_graph_update_node(graph, nodes[i], &params[i]));
  }
  CHECK(locked_calls == 7 && unlocked_calls == 0);
  ck_graph_release(graph);
  ck_graph_definition_release(watched);
  ck_buffer_release(x);
  ck_device_release(device);
}

/* A node that the driver changed except for an attribute keeps its present operation. */
TEST(half_a_change)
{
  Parts p = {.device = NULL};
  ck_graph_definition_t *d;
  ck_graph_node_t *node;
  ck_graph_t *graph;
  ck_memory_resource_t *pool;
  size_t used, high;
  ck_launch_attribute_t attribute = ck_with_priority(-1);
  CHECK_OK(device_open(fault_driver(driver_host()), 0, &p.device));
  CHECK_OK(compile_stub("any", p.device, &p.code));
  CHECK_OK(ck_kernel_from_code(p.code, p.device, "saxpy", &p.saxpy));
  CHECK_OK(ck_memory_resource_create_device(p.device, NULL, &pool));
  CHECK_OK(ck_memory_resource_create_buffer(pool, 1 << 16, NULL, &p.a));
  CHECK_OK(ck_memory_resource_create_buffer(pool, 1 << 16, NULL, &p.b));
  const ck_arg_t args[] = {ck_u64(64), ck_f32(1), ck_whole(p.a), ck_whole(p.a),
                           ck_span(p.a, 256, 64)};
  const ck_arg_t others[] = {ck_u64(64), ck_f32(1), ck_whole(p.b), ck_whole(p.b),
                             ck_span(p.b, 256, 64)};
  ck_node_params_t params = ck_node_kernel(NULL, p.saxpy, args, 5);
  CHECK_OK(ck_graph_definition_create(p.device, &d));
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  params = ck_node_kernel(NULL, p.saxpy, others, 5);
  params.of.kernel.config.attributes = &attribute;
  params.of.kernel.config.attribute_count = 1;
  params.of.kernel.config.struct_size = sizeof params.of.kernel.config;
  fault_arm(DRIVER_cuGraphKernelNodeSetAttribute, 1, CUDA_ERROR_INVALID_VALUE);
  CHECK_STATUS(ck_graph_node_set_params(node, &params), CK_DRIVER);
  ck_buffer_release(p.a);
  ck_buffer_release(p.b);
  CHECK_OK(ck_memory_resource_get_usage(pool, &used, &high));
  CHECK(used >= 2 << 16);
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, NULL));
  CHECK_OK(ck_device_sync(p.device));
  ck_graph_release(graph);
  ck_graph_definition_release(d);
  ck_memory_resource_release(pool);
  ck_kernel_release(p.saxpy);
  ck_object_code_release(p.code);
  ck_device_release(p.device);
}

/* A refused change does not change the node, even for a cluster that only its mode allows. */
TEST(attributes_are_put_back)
{
  Parts p = {.device = NULL};
  ck_graph_definition_t *d;
  ck_graph_node_t *node;
  ck_launch_attribute_t mode = ck_with_cluster_mode(CK_PORTABLE_OR_MORE);
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  CUlaunchAttributeValue cluster = {{0}};
  const Driver *driver = fault_driver(driver_host());
  config.cluster[0] = 16, config.grid[0] = 32;
  config.attributes = &mode, config.attribute_count = 1;
  CHECK_OK(device_open(driver, 0, &p.device));
  CHECK_OK(compile_stub("any", p.device, &p.code));
  CHECK_OK(ck_kernel_from_code(p.code, p.device, "empty", &p.saxpy));
  ck_node_params_t params = ck_node_kernel(&config, p.saxpy, NULL, 0);
  CHECK_OK(ck_graph_definition_create(p.device, &d));
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  params = ck_node_kernel(NULL, p.saxpy, NULL, 0);
  fault_arm(DRIVER_cuGraphNodeSetParams, 1, CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_STATUS(ck_graph_node_set_params(node, &params), CK_OUT_OF_MEMORY);
  driver->cuGraphKernelNodeGetAttribute(ck_graph_node_native(node),
                                        CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &cluster);
  CHECK(cluster.clusterDim.x == 16);
  CHECK_OK(ck_graph_node_set_params(node, &params));
  driver->cuGraphKernelNodeGetAttribute(ck_graph_node_native(node),
                                        CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &cluster);
  CHECK(cluster.clusterDim.x == 0);
  ck_graph_definition_release(d);
  ck_kernel_release(p.saxpy);
  ck_object_code_release(p.code);
  ck_device_release(p.device);
}

/* A driver that is too old for graphs. */
TEST(old_driver)
{
  static Driver old;
  ck_device_t *device;
  ck_graph_definition_t *d;
  ck_graph_builder_t *builder;
  old = *driver_host();
  old.cuGraphAddNode = NULL;
  CHECK_OK(device_open(&old, 0, &device));
  CHECK_STATUS(ck_graph_definition_create(device, &d), CK_UNSUPPORTED);
  CHECK_ERROR("lacks cuGraphAddNode: graphs need CUDA 12.3");
  CHECK_STATUS(ck_graph_builder_create(device, &builder), CK_UNSUPPORTED);
  ck_device_release(device);
}

static CUresult play_version(int *out_version)
{
  *out_version = 13000;
  return CUDA_SUCCESS;
}

/* A driver that is too old for some attributes. */
TEST(driver_without_modes)
{
  static Driver old;
  Parts p = {.device = NULL};
  ck_launch_attribute_t attribute = ck_with_shared_mode(CK_PORTABLE_ALONE);
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.attributes = &attribute;
  config.attribute_count = 1;
  old = *driver_host();
  old.cuDriverGetVersion = play_version;
  CHECK_OK(device_open(&old, 0, &p.device));
  CHECK_OK(compile_stub("any", p.device, &p.code));
  CHECK_OK(ck_kernel_from_code(p.code, p.device, "saxpy", &p.saxpy));
  CHECK_OK(ck_buffer_create(p.device, 256, NULL, &p.a));
  CHECK_OK(ck_buffer_create(p.device, 256, NULL, &p.b));
  CHECK_STATUS(ck_launch(NULL, &config, p.saxpy, 64, 1.0f, p.a, p.a, p.b), CK_UNSUPPORTED);
  CHECK_ERROR("the host device is of CUDA 13.0, mode of shared memory came with 13.2");
  ck_buffer_release(p.a);
  ck_buffer_release(p.b);
  ck_kernel_release(p.saxpy);
  ck_object_code_release(p.code);
  CHECK_OK(ck_device_sync(p.device));
  ck_device_release(p.device);
}

int main(void)
{
  setenv("CK_CACHE", "off", 1); /* cached code would stay loaded */
  RUN(every_call_fails_in_turn);
  RUN(every_allocation_fails_in_turn);
  RUN(changes_lock_the_definition);
  RUN(half_a_change);
  RUN(attributes_are_put_back);
  RUN(old_driver);
  RUN(driver_without_modes);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
