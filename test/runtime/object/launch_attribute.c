/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* launch_attribute.c - tests launch attributes: checked, captured, read back; and programmatic
 * launches, which overlap. On the host device or a GPU: $CK_DEVICE. */
#include "both.h"

/* `ahead` lets the next launch start, and then waits, with a limit, for what that does before its
 * own wait; `behind` reads what is written at the end of `ahead`. */
static const char source[] =
    "kernel add(n: u32, x: inout i32[n]) launch(block = 32, grid = n)\n"
    "{ if (thread.x == 0) x[block.id.x] += 1; }\n"
    "kernel ahead(most: u32, started: inout u32[1], seen: inout i32[1], out_: inout i32[1])\n"
    "    launch(block = 32, grid = 1) {\n"
    "    grid.launch_dependents();\n"
    "    if (thread.x != 0) return;\n"
    "    var i = 0u32;\n"
    "    while (i < most && atomic.load(started[0], order = relaxed) == 0) i += 1;\n"
    "    seen[0] = i < most ? 1 : 0;\n"
    "    out_[0] = 7;\n"
    "}\n"
    "kernel behind(started: inout u32[1], in_: in i32[1], out_: inout i32[1])\n"
    "    launch(block = 32, grid = 1) {\n"
    "    if (thread.x == 0) atomic.store(started[0], 1, order = relaxed);\n"
    "    grid.wait_dependencies();\n"
    "    if (thread.x == 0) out_[0] = in_[0] * 6;\n"
    "}\n";

enum { BLOCKS = 8, WIDE = 16, MOST_TURNS = 200000 };

static ck_kernel_t *add, *ahead, *behind;
static ck_buffer_t *x, *wide;

static ck_launch_config_t config_of(const ck_launch_attribute_t *attributes, size_t count)
{
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.attributes = attributes;
  config.attribute_count = count;
  return config;
}

static int attribute_of_device(ck_device_attribute_t attribute)
{
  int value = 0;
  CHECK_OK(ck_device_get_attribute(device, attribute, &value));
  return value;
}

static ck_status_t launch_with(ck_launch_attribute_t attribute)
{
  ck_launch_config_t config = config_of(&attribute, 1);
  return ck_launch(stream, &config, add, BLOCKS, x);
}

static bool has_clusters(void)
{
  return attribute_of_device(CK_DEVICE_CLUSTER_LAUNCH);
}

/* Each attribute out of its range, with the message. */
TEST(out_of_range)
{
  ck_event_options_t timed = CK_OPTIONS_INIT(ck_event_options_t);
  ck_event_t *event, *clock;
  timed.flags = CK_EVENT_TIMING;
  CHECK_OK(ck_event_create(device, NULL, &event));
  CHECK_OK(ck_event_create(device, &timed, &clock));
  ck_launch_attribute_t foreign = {.kind = 15};
  size_t bytes = ck_buffer_bytes(x);
  const struct {
    ck_launch_attribute_t attribute;
    const char *message;
  } cases[] = {
      {ck_with_priority(1), "kernel 'add': priority: 1 is not in -5 to 0"},
      {ck_with_priority(-99), "priority: -99 is not in -5 to 0"},
      {ck_with_carveout(101), "shared memory carveout: 101 is not in 0 to 100"},
      {ck_with_carveout(-1), "shared memory carveout: -1 is not in 0 to 100"},
      {ck_with_nvlink_scheduling(2), "NVLink-centric scheduling: 2 is not in 0 to 1"},
      {ck_with_access_window(x, 0, bytes + 1, 1, CK_L2_NORMAL, CK_L2_NORMAL), "access window"},
      {ck_with_access_window(x, 0, bytes, 1.5f, CK_L2_NORMAL, CK_L2_NORMAL),
       "access window: a ratio of 1.5 is not in 0 to 1"},
      {ck_with_access_window(x, 0, bytes, 1, (ck_l2_use_t)3, CK_L2_NORMAL),
       "access window: 3 is not in 0 to 2"},
      {ck_with_access_window(x, 0, bytes, 1, (ck_l2_use_t)65536, CK_L2_NORMAL), "access window"},
      {ck_with_access_window(x, 0, bytes, 1, CK_L2_NORMAL, CK_L2_PERSISTING),
       "access window: 2 is not in 0 to 1"},
      {ck_with_launch_event(NULL), "launch completion event: the event is NULL"},
      {ck_with_launch_event(clock),
       "launch completion event: the event was made with CK_EVENT_TIMING"},
      {ck_with_programmatic_event(clock, 1),
       "programmatic event: the event was made with CK_EVENT_TIMING"},
      {ck_with_sync_policy(CK_SYNC_SPIN),
       "synchronization policy: it is a stream's, a launch has none"},
      {foreign, "there is no attribute 15"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CHECK_FAILS(launch_with(cases[i].attribute), CK_INVALID_ARGUMENT);
    CHECK_ERROR(cases[i].message);
  }
  if (has_clusters()) {
    CHECK_FAILS(launch_with(ck_with_cluster_policy((ck_cluster_policy_t)3)), CK_INVALID_ARGUMENT);
    CHECK_ERROR("cluster scheduling policy: 3 is not in 0 to 2");
    CHECK_FAILS(launch_with(ck_with_preferred_cluster(2, 1, 1)), CK_INVALID_ARGUMENT);
    CHECK_ERROR("preferred cluster: the launch has no clusters");
  }
  if (attribute_of_device(CK_DEVICE_MEM_SYNC_DOMAIN_COUNT)) {
    CHECK_FAILS(launch_with(ck_with_memory_domain(2)), CK_INVALID_ARGUMENT);
    CHECK_ERROR("memory domain: 2 is not in 0 to 1");
    CHECK_FAILS(launch_with(ck_with_memory_domain_map(0, 99)), CK_INVALID_ARGUMENT);
    CHECK_ERROR("map of memory domains: 99 is not in 0 to");
  }
  const ck_launch_attribute_t twice[] = {ck_with_carveout(1), ck_with_carveout(2)};
  ck_launch_config_t config = config_of(twice, 2);
  CHECK_FAILS(ck_launch(stream, &config, add, BLOCKS, x), CK_INVALID_ARGUMENT);
  CHECK_ERROR("shared memory carveout: it is given twice");
  config = config_of(NULL, 1);
  CHECK_FAILS(ck_launch(stream, &config, add, BLOCKS, x), CK_INVALID_ARGUMENT);
  CHECK(!strcmp(ck_launch_attribute_name(CK_LAUNCH_PRIORITY), "priority"));
  CHECK(!strcmp(ck_launch_attribute_name((ck_launch_attribute_kind_t)99), "?"));
  ck_event_release(event);
  ck_event_release(clock);
}

/* The preferred cluster must match the cluster and the grid. */
TEST(preferred_cluster)
{
  if (!has_clusters()) return;
  const struct {
    uint32_t x, z;
    const char *message;
  } cases[] = {
      {3, 1, "preferred cluster: x is 3, the cluster's 2, the grid's 8: it has to be a multiple"},
      {16, 1, "preferred cluster: x is 16, the cluster's 2, the grid's 8"},
      {4, 2,
       "preferred cluster: z is 2, the cluster's 1, the grid's 1: it has to be the cluster's"},
  };
  ck_launch_attribute_t attribute = ck_with_preferred_cluster(4, 1, 1);
  ck_launch_config_t config = config_of(&attribute, 1);
  config.cluster[0] = 2;
  ck_status_t status = ck_launch(stream, &config, add, BLOCKS, x);
  printf("a preferred cluster: %s\n", status == CK_OK ? "taken" : ck_last_error());
  CHECK(status == CK_OK || strstr(ck_last_error(), "preferred cluster"));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    attribute = ck_with_preferred_cluster(cases[i].x, 1, cases[i].z);
    CHECK_FAILS(ck_launch(stream, &config, add, BLOCKS, x), CK_INVALID_ARGUMENT);
    CHECK_ERROR(cases[i].message);
  }
  CHECK_OK(ck_stream_sync(stream));
}

/* A graph with one captured launch, and its node. */
static ck_graph_builder_t *capture(const ck_launch_config_t *config, ck_status_t *out_status,
                                   ck_graph_node_t **out_node)
{
  ck_graph_builder_t *builder;
  size_t count = 0;
  *out_node = NULL;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  *out_status = ck_launch(ck_graph_builder_stream(builder), config, add, BLOCKS, x);
  if (*out_status != CK_OK) return builder;
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(
      ck_graph_definition_get_nodes(ck_graph_builder_definition(builder), out_node, 1, &count));
  CHECK(count == 1);
  return builder;
}

/* Whether two attributes are equal; a window is read back by its address. */
static bool is_same(const ck_launch_attribute_t *a, const ck_launch_attribute_t *b)
{
  if (a->kind != b->kind) return false;
  if (a->kind != CK_LAUNCH_ACCESS_POLICY_WINDOW) return !memcmp(a, b, sizeof *a);
  uint64_t start = ck_buffer_native(a->value.window.buffer) + a->value.window.offset;
  return start == b->value.window.offset && a->value.window.bytes == b->value.window.bytes &&
         a->value.window.hit_ratio == b->value.window.hit_ratio &&
         a->value.window.hit == b->value.window.hit && a->value.window.miss == b->value.window.miss;
}

static bool is_read_back(ck_graph_node_t *node, const ck_launch_attribute_t *attribute)
{
  ck_node_params_t seen = ck_node_empty();
  if (!CHECK_OK(ck_graph_node_get_params(node, &seen))) return false;
  const ck_launch_config_t *config = &seen.of.kernel.config;
  for (size_t i = 0; i < config->attribute_count; ++i)
    if (is_same(attribute, &config->attributes[i])) return true;
  return false;
}

/* Setting a plain launch removes the attribute from the node, and the next one sets it again. */
static void change_node(ck_graph_node_t *node, const ck_launch_config_t *with)
{
  ck_launch_config_t plain = *with;
  plain.attribute_count = 0;
  const ck_arg_t args[] = {ck_u32(BLOCKS), ck_whole(x)};
  ck_node_params_t params = ck_node_kernel(&plain, add, args, 2), seen = ck_node_empty();
  CHECK_OK(ck_graph_node_set_params(node, &params));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.of.kernel.config.attribute_count == 0);
  params.of.kernel.config = *with;
  CHECK_OK(ck_graph_node_set_params(node, &params));
  CHECK(is_read_back(node, with->attributes));
  CHECK_OK(ck_graph_node_get_params(node, &seen)); /* set unchanged, repeatedly */
  params.of.kernel.config = seen.of.kernel.config;
  for (int round = 0; round < 3; ++round) CHECK_OK(ck_graph_node_set_params(node, &params));
  CHECK(is_read_back(node, with->attributes));
}

/* Launched, captured, and added as a node; read back from both nodes. */
static void go_round(ck_launch_attribute_t attribute)
{
  const char *name = ck_launch_attribute_name((ck_launch_attribute_kind_t)attribute.kind);
  ck_launch_config_t config = config_of(&attribute, 1);
  ck_graph_node_t *node;
  ck_graph_t *graph;
  ck_status_t status;
  int before = read_i32(x, 0);
  if (attribute.kind == CK_LAUNCH_CLUSTER_SCHEDULING_POLICY_PREFERENCE) config.cluster[0] = 2;
  if (!CHECK_OK(ck_launch(stream, &config, add, BLOCKS, x))) return;
  ck_graph_builder_t *builder = capture(&config, &status, &node);
  if (CHECK(status == CK_OK) && CHECK(is_read_back(node, &attribute))) {
    CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
    CHECK_OK(ck_graph_launch(graph, stream));
    /* A node of an executable graph keeps its attributes, and accepts no others. */
    const ck_arg_t args[] = {ck_u32(BLOCKS), ck_whole(x)};
    ck_node_params_t params = ck_node_kernel(&config, add, args, 2);
    CHECK_OK(ck_graph_update_node(graph, node, &params));
    CHECK_OK(ck_graph_launch(graph, stream));
    ck_launch_attribute_t other =
        attribute.kind == CK_LAUNCH_PRIORITY ? ck_with_carveout(10) : ck_with_priority(-2);
    params.of.kernel.config.attributes = &other;
    CHECK_FAILS(ck_graph_update_node(graph, node, &params), CK_UNSUPPORTED);
    CHECK_ERROR("attributes stay as the definition has them");
    ck_graph_release(graph);
    CHECK(read_i32(x, 0) == before + 3);
  } else {
    fprintf(stderr, "%s is not read back from a captured launch\n", name);
  }
  ck_graph_builder_release(builder);

  ck_graph_definition_t *definition;
  const ck_arg_t args[] = {ck_u32(BLOCKS), ck_whole(x)};
  ck_node_params_t params = ck_node_kernel(&config, add, args, 2);
  CHECK_OK(ck_graph_definition_create(device, &definition));
  if (CHECK_OK(ck_graph_definition_add(definition, NULL, 0, &params, &node)))
    if (!CHECK(is_read_back(node, &attribute))) fprintf(stderr, "%s of a node is not\n", name);
  /* Set on a node that was added without them. */
  params.of.kernel.config.attribute_count = 0;
  CHECK_OK(ck_graph_definition_add(definition, NULL, 0, &params, &node));
  CHECK(!is_read_back(node, &attribute));
  params.of.kernel.config.attribute_count = 1;
  CHECK_OK(ck_graph_node_set_params(node, &params));
  CHECK(is_read_back(node, &attribute));
  change_node(node, &config);
  ck_graph_definition_release(definition);
}

TEST(round_trips)
{
  int domains = attribute_of_device(CK_DEVICE_MEM_SYNC_DOMAIN_COUNT);
  go_round(ck_with_priority(-1));
  go_round(ck_with_carveout(50));
  if (attribute_of_device(CK_DEVICE_MAX_ACCESS_POLICY_WINDOW_SIZE))
    go_round(
        ck_with_access_window(x, 0, ck_buffer_bytes(x), 0.5f, CK_L2_PERSISTING, CK_L2_STREAMING));
  if (has_clusters()) go_round(ck_with_cluster_policy(CK_CLUSTER_BALANCE));
  if (domains > 0) go_round(ck_with_memory_domain(1));
  if (domains > 1) go_round(ck_with_memory_domain_map(1, 0));
  if (ck_device_is_host(device)) go_round(ck_with_nvlink_scheduling(1));
  else CHECK_OK(launch_with(ck_with_nvlink_scheduling(1))); /* the driver does not report it */
}

/* Drivers before CUDA 13.2 know no modes. */
static bool has_modes(void)
{
  ck_status_t status = launch_with(ck_with_shared_mode(CK_PORTABLE_ALONE));
  if (status != CK_UNSUPPORTED) return CHECK_OK(status);
  CHECK(!ck_device_is_host(device));
  CHECK_ERROR("kernel 'add': the CUDA driver is of CUDA ");
  CHECK_ERROR(", mode of shared memory came with 13.2");
  return false;
}

static ck_status_t launch_clusters(uint32_t blocks, ck_portable_mode_t mode)
{
  ck_launch_attribute_t attribute = ck_with_cluster_mode(mode);
  ck_launch_config_t config = config_of(&attribute, 1);
  config.cluster[0] = blocks;
  return ck_launch(stream, &config, add, WIDE, wide);
}

/* A launch decides whether it is portable. */
TEST(modes)
{
  if (!has_modes()) return;
  go_round(ck_with_shared_mode(CK_PORTABLE_OR_MORE));
  CHECK_FAILS(launch_with(ck_with_shared_mode((ck_portable_mode_t)3)), CK_INVALID_ARGUMENT);
  CHECK_ERROR("mode of shared memory: 3 is not in 0 to 2");
  ck_launch_attribute_t attribute = ck_with_shared_mode(CK_PORTABLE_ALONE);
  ck_launch_config_t config = config_of(&attribute, 1);
  config.dynamic_shared_bytes = (size_t)attribute_of_device(CK_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK);
  CHECK_OK(ck_launch(stream, &config, add, BLOCKS, x));
  config.dynamic_shared_bytes += 1024;
  if (attribute_of_device(CK_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) >=
      (int)config.dynamic_shared_bytes)
    CHECK(ck_launch(stream, &config, add, BLOCKS, x) != CK_OK);
  if (!has_clusters()) return;
  go_round(ck_with_cluster_mode(CK_PORTABLE_ALONE));
  CHECK_OK(launch_clusters(8, CK_PORTABLE_ALONE));
  CHECK(launch_clusters(16, CK_PORTABLE_AS_KERNEL) != CK_OK);
  CHECK(launch_clusters(16, CK_PORTABLE_ALONE) != CK_OK);
  ck_status_t status = launch_clusters(16, CK_PORTABLE_OR_MORE);
  printf("a cluster of 16: %s\n", status == CK_OK ? "taken" : ck_last_error());
  CHECK(status == CK_OK || !ck_device_is_host(device));
  /* A node too. */
  ck_graph_definition_t *definition;
  ck_graph_node_t *node;
  const ck_arg_t args[] = {ck_u32(WIDE), ck_whole(wide)};
  attribute = ck_with_cluster_mode(CK_PORTABLE_OR_MORE);
  config = config_of(&attribute, 1);
  config.cluster[0] = status == CK_OK ? 16 : 8;
  ck_node_params_t params = ck_node_kernel(&config, add, args, 2);
  CHECK_OK(ck_graph_definition_create(device, &definition));
  CHECK_OK(ck_graph_definition_add(definition, NULL, 0, &params, &node));
  CHECK(is_read_back(node, &attribute));
  ck_graph_definition_release(definition);
  CHECK_OK(ck_stream_sync(stream));
}

static void show(const ck_node_params_t *seen)
{
  for (size_t i = 0; i < seen->of.kernel.config.attribute_count; ++i) {
    const ck_launch_attribute_t *one = &seen->of.kernel.config.attributes[i];
    fprintf(stderr, "  %s: %llx %llx\n",
            ck_launch_attribute_name((ck_launch_attribute_kind_t)one->kind),
            (unsigned long long)one->value.words[0], (unsigned long long)one->value.words[1]);
  }
}

/* Several in one launch; CK_LAUNCH_IGNORE is skipped. */
TEST(together)
{
  const ck_launch_attribute_t all[] = {ck_with_carveout(25), ck_with_priority(-3),
                                       ck_with_number(CK_LAUNCH_IGNORE, 0),
                                       ck_with_nvlink_scheduling(0)};
  ck_launch_config_t config = config_of(all, 4);
  ck_graph_node_t *node;
  ck_status_t status;
  ck_node_params_t seen = ck_node_empty();
  ck_graph_builder_t *builder = capture(&config, &status, &node);
  CHECK(status == CK_OK);
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  if (!CHECK(seen.of.kernel.config.attribute_count == 2)) show(&seen);
  CHECK(is_read_back(node, &all[0]) && is_read_back(node, &all[1]));
  ck_graph_builder_release(builder);
}

/* The event is recorded once the kernel has started; another stream waits for it. */
TEST(launch_events)
{
  ck_event_t *event;
  ck_stream_t *other;
  CHECK_OK(ck_event_create(device, NULL, &event));
  CHECK_OK(ck_stream_create(device, NULL, &other));
  CHECK_OK(launch_with(ck_with_launch_event(event)));
  CHECK_OK(ck_stream_wait(other, event));
  CHECK_OK(ck_event_sync(event));
  CHECK_OK(ck_stream_sync(other));
  if (has_clusters()) {
    CHECK_OK(launch_with(ck_with_programmatic_event(event, 1)));
    CHECK_OK(ck_stream_wait(other, event));
    CHECK_OK(ck_stream_sync(other));
  }
  CHECK_OK(ck_stream_sync(stream));
  /* Nodes have none. */
  ck_launch_attribute_t attribute = ck_with_launch_event(event);
  ck_launch_config_t config = config_of(&attribute, 1);
  const ck_arg_t args[] = {ck_u32(BLOCKS), ck_whole(x)};
  ck_node_params_t params = ck_node_kernel(&config, add, args, 2);
  ck_graph_definition_t *definition;
  CHECK_OK(ck_graph_definition_create(device, &definition));
  CHECK_FAILS(ck_graph_definition_add(definition, NULL, 0, &params, NULL), CK_UNSUPPORTED);
  CHECK_ERROR("a node has no launch completion event: capture it");
  ck_graph_definition_release(definition);
  ck_stream_release(other);
  ck_event_release(event);
}

TEST(device_updatable_nodes)
{
  void *handle = NULL;
  ck_launch_attribute_t attribute = ck_with_device_node(&handle);
  ck_launch_config_t config = config_of(&attribute, 1);
  ck_graph_node_t *node;
  ck_status_t status;
  ck_node_params_t seen = ck_node_empty();
  if (ck_device_is_host(device)) {
    CHECK_FAILS(launch_with(attribute), CK_UNSUPPORTED);
    CHECK_ERROR("device-updatable node: 'host device' (host) has none");
    return;
  }
  CHECK(launch_with(attribute) != CK_OK); /* only in a graph */
  CHECK_ERROR("device-updatable node");
  ck_graph_builder_t *builder = capture(&config, &status, &node);
  if (CHECK(status == CK_OK && handle)) {
    CHECK_OK(ck_graph_node_get_params(node, &seen));
    if (!CHECK(seen.of.kernel.config.attribute_count == 1 &&
               seen.of.kernel.config.attributes[0].value.updatable.node == handle))
      show(&seen);
  }
  ck_graph_builder_release(builder);
  const ck_arg_t args[] = {ck_u32(BLOCKS), ck_whole(x)};
  ck_node_params_t params = ck_node_kernel(&config, add, args, 2);
  ck_graph_definition_t *definition;
  handle = NULL;
  CHECK_OK(ck_graph_definition_create(device, &definition));
  CHECK_OK(ck_graph_definition_add(definition, NULL, 0, &params, NULL));
  CHECK(handle != NULL);
  ck_graph_definition_release(definition);
}

TEST(streams)
{
  ck_launch_attribute_t attribute = ck_with_sync_policy(CK_SYNC_YIELD), seen;
  CHECK_OK(ck_stream_set_attribute(stream, &attribute));
  CHECK_OK(ck_stream_get_attribute(stream, CK_LAUNCH_SYNCHRONIZATION_POLICY, &seen));
  CHECK(seen.value.number == CK_SYNC_YIELD);
  attribute = ck_with_sync_policy(CK_SYNC_AUTO);
  CHECK_OK(ck_stream_set_attribute(stream, &attribute));
  attribute = ck_with_sync_policy((ck_sync_policy_t)9);
  CHECK_FAILS(ck_stream_set_attribute(stream, &attribute), CK_INVALID_ARGUMENT);
  CHECK_ERROR("synchronization policy: 9 is not in 1 to 4");
  attribute = ck_with_carveout(50);
  CHECK_FAILS(ck_stream_set_attribute(stream, &attribute), CK_INVALID_ARGUMENT);
  CHECK_ERROR("shared memory carveout: it is a launch's, a stream has none");
  CHECK_FAILS(ck_stream_get_attribute(stream, CK_LAUNCH_LAUNCH_COMPLETION_EVENT, &seen),
              CK_INVALID_ARGUMENT);
  if (attribute_of_device(CK_DEVICE_MEM_SYNC_DOMAIN_COUNT) > 0) {
    attribute = ck_with_memory_domain(1);
    CHECK_OK(ck_stream_set_attribute(stream, &attribute));
    CHECK_OK(ck_stream_get_attribute(stream, CK_LAUNCH_MEM_SYNC_DOMAIN, &seen));
    CHECK(is_same(&attribute, &seen));
    attribute = ck_with_memory_domain(0);
    CHECK_OK(ck_stream_set_attribute(stream, &attribute));
  }
  CHECK_OK(ck_stream_get_attribute(stream, CK_LAUNCH_PRIORITY, &seen));
  CHECK(seen.kind == CK_LAUNCH_PRIORITY && seen.value.number == 0);
}

/* Programmatic launches ----------------------------------------------------------------------- */

typedef struct Pair {
  ck_buffer_t *started, *seen, *between, *out;
} Pair;

static Pair new_pair(void)
{
  return (Pair){zeros(4), zeros(4), zeros(4), zeros(4)};
}

/* Checks that `behind` has run, and what it read; returns whether it started during `ahead`. */
static bool end_pair(Pair *pair)
{
  bool has_overlapped = read_i32(pair->seen, 0) == 1;
  CHECK(read_i32(pair->out, 0) == 42);
  ck_buffer_release(pair->started);
  ck_buffer_release(pair->seen);
  ck_buffer_release(pair->between);
  ck_buffer_release(pair->out);
  return has_overlapped;
}

static void put_pair(ck_stream_t *first, const ck_launch_config_t *one, ck_event_t *event,
                     ck_stream_t *second, uint32_t flags, const Pair *pair)
{
  ck_launch_config_t two = CK_OPTIONS_INIT(ck_launch_config_t);
  two.flags = flags;
  CHECK_OK(ck_launch(first, one, ahead, MOST_TURNS, pair->started, pair->seen, pair->between));
  if (event) CHECK_OK(ck_stream_wait(second, event));
  CHECK_OK(ck_launch(second, &two, behind, pair->started, pair->between, pair->out));
}

/* In one stream: without the flag one after the other; with it, the second starts during the first.
 */
TEST(programmatic)
{
  Pair plain = new_pair();
  put_pair(stream, NULL, NULL, stream, 0, &plain);
  CHECK(!end_pair(&plain));
  if (!has_clusters()) return;
  Pair pair = new_pair();
  put_pair(stream, NULL, NULL, stream, CK_LAUNCH_PROGRAMMATIC, &pair);
  bool has_overlapped = end_pair(&pair);
  printf("a programmatic launch %s\n", has_overlapped ? "overlaps" : "does not overlap");
  /* compute-sanitizer serialises kernels. */
  CHECK(has_overlapped || ck_device_is_host(device) || getenv("CK_SANITIZER"));
}

/* A kernel without the wait can't be launched so by mistake. */
TEST(programmatic_without_wait)
{
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.flags = CK_LAUNCH_PROGRAMMATIC;
  if (!has_clusters()) {
    CHECK_FAILS(ck_launch(stream, &config, add, BLOCKS, x), CK_UNSUPPORTED);
    CHECK_ERROR("has no programmatic launches");
    return;
  }
  CHECK_FAILS(ck_launch(stream, &config, add, BLOCKS, x), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'add': a programmatic launch, but it never calls grid.wait_dependencies()");
  config.flags |= CK_LAUNCH_UNCHECKED;
  CHECK_OK(ck_launch(stream, &config, add, BLOCKS, x));
  CHECK_OK(ck_stream_sync(stream));
}

/* Across streams, through an event that launch_dependents() of the first kernel triggers. */
TEST(programmatic_event)
{
  if (!has_clusters()) return;
  ck_event_t *event;
  ck_stream_t *other;
  CHECK_OK(ck_event_create(device, NULL, &event));
  CHECK_OK(ck_stream_create(device, NULL, &other));
  ck_launch_attribute_t attribute = ck_with_programmatic_event(event, 0);
  ck_launch_config_t one = config_of(&attribute, 1);
  Pair pair = new_pair();
  put_pair(stream, &one, event, other, CK_LAUNCH_PROGRAMMATIC, &pair);
  CHECK_OK(ck_stream_sync(other));
  printf("across streams it %s\n", end_pair(&pair) ? "overlaps" : "does not overlap");
  ck_stream_release(other);
  ck_event_release(event);
}

/* The same in a graph, in one stream and across streams. */
TEST(programmatic_graphs)
{
  if (!has_clusters()) return;
  ck_graph_builder_t *builder, *fork;
  ck_graph_t *graph;
  ck_event_t *event;
  CHECK_OK(ck_event_create(device, NULL, &event));
  for (int is_forked = 0; is_forked < 2; ++is_forked) {
    Pair pair = new_pair();
    ck_launch_attribute_t attribute = ck_with_programmatic_event(event, 0);
    ck_launch_config_t one = config_of(&attribute, 1);
    CHECK_OK(ck_graph_builder_create(device, &builder));
    CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
    ck_stream_t *first = ck_graph_builder_stream(builder), *second = first;
    if (is_forked) {
      CHECK_OK(ck_graph_builder_split(builder, 1, &fork));
      second = ck_graph_builder_stream(fork);
    }
    put_pair(first, is_forked ? &one : NULL, is_forked ? event : NULL, second,
             CK_LAUNCH_PROGRAMMATIC, &pair);
    if (is_forked) {
      CHECK_OK(ck_graph_builder_join(builder, &fork, 1));
      ck_graph_builder_release(fork);
    }
    CHECK_OK(ck_graph_builder_end(builder));
    CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
    CHECK_OK(ck_graph_launch(graph, stream));
    CHECK_OK(ck_stream_sync(stream));
    printf("in a graph%s it %s\n", is_forked ? ", across streams," : "",
           end_pair(&pair) ? "overlaps" : "does not overlap");
    ck_graph_release(graph);
    ck_graph_builder_release(builder);
  }
  ck_event_release(event);
}

/* An edge made by a programmatic launch can be removed, and added again as a plain edge. */
TEST(programmatic_edge_is_removed)
{
  if (!has_clusters()) return;
  ck_graph_builder_t *builder;
  ck_graph_node_t *from, *to;
  size_t count = 0;
  Pair pair = new_pair();
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  ck_stream_t *own = ck_graph_builder_stream(builder);
  put_pair(own, NULL, NULL, own, CK_LAUNCH_PROGRAMMATIC, &pair);
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_definition_t *d = ck_graph_builder_definition(builder);
  CHECK_OK(ck_graph_definition_get_edges(d, &from, &to, 1, &count));
  CHECK(count == 1);
  CHECK_OK(ck_graph_definition_remove_edges(d, &from, &to, 1));
  CHECK_OK(ck_graph_definition_get_edges(d, NULL, NULL, 0, &count));
  CHECK(count == 0);
  CHECK_OK(ck_graph_definition_add_edges(d, &from, &to, 1));
  ck_graph_t *graph;
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(!end_pair(&pair));
  ck_graph_release(graph);
  ck_graph_builder_release(builder);
}

int main(void)
{
  int missing = open_both(source);
  if (missing) return missing;
  add = kernel("add");
  ahead = kernel("ahead");
  behind = kernel("behind");
  x = zeros(4 * BLOCKS);
  wide = zeros(4 * WIDE);
  run_all();
  ck_buffer_release(x);
  ck_buffer_release(wide);
  ck_kernel_release(add);
  ck_kernel_release(ahead);
  ck_kernel_release(behind);
  return close_both();
}
