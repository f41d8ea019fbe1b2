/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* system_gpu.c - prints everything that the machine's NVML reports of its GPUs, and checks
 * relations between the values: cuda.core's tests of `system` in C. Skipped, with the reason,
 * without NVML; system.c uses an NVML of its own. */
#include "both.h"

static ck_system_device_t *gpu; /* each GPU in turn */
static uint32_t gpu_index, gpu_count;

static void show_numbers(void)
{
  static const ck_system_query_t all[] = {
#define CK_SYSTEM_QUERY(name, value, unit, per, call) CK_SYSTEM_##name,
#include "ck/system_queries.def"
  };
  unsigned answered = 0, lacking = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    uint32_t count = ck_system_query_count(gpu, all[i]);
    for (uint32_t k = 0; k < count; ++k) {
      int64_t value;
      ck_status_t status = ck_system_device_get(gpu, all[i], k, &value);
      answered += status == CK_OK;
      lacking += status == CK_UNSUPPORTED;
      if (!CHECK(status == CK_OK || status == CK_UNSUPPORTED)) continue;
      printf("  %s", ck_system_query_name(all[i]));
      if (count > 1) printf("[%u]", k);
      if (status == CK_OK) printf(": %lld %s\n", (long long)value, ck_system_query_unit(all[i]));
      else printf(": -\n");
    }
  }
  printf("  %u numbers, %u that it has not\n", answered, lacking);
  CHECK(answered > 40);
}

static void show_texts(void)
{
  static const ck_system_text_t all[] = {
#define CK_SYSTEM_TEXT(name, value, call) CK_SYSTEM_TEXT_##name,
#include "ck/system_queries.def"
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    char text[96];
    ck_status_t status = ck_system_device_get_text(gpu, all[i], text, sizeof text);
    CHECK(status == CK_OK || status == CK_UNSUPPORTED);
    printf("  %s: %s\n", ck_system_text_name(all[i]), status == CK_OK ? text : "-");
  }
}

static void show_lists(void)
{
  uint32_t clocks[256];
  ck_system_process_t processes[64];
  size_t count;
  if (ck_system_device_get_clocks(gpu, 0, clocks, 256, &count) == CK_OK)
    for (size_t i = 0; i < count && i < 4; ++i) {
      size_t of_cores = 0;
      ck_system_device_get_clocks(gpu, clocks[i], NULL, 0, &of_cores);
      printf("  memory at %u MHz: %zu clocks\n", clocks[i], of_cores);
    }
  for (int kind = CK_PROCESS_COMPUTE; kind <= CK_PROCESS_MPS; ++kind) {
    if (ck_system_device_get_processes(gpu, (ck_process_kind_t)kind, processes, 64, &count)) {
      printf("  processes of kind %d: %s\n", kind, ck_last_error());
      continue;
    }
    printf("  %zu processes of kind %d\n", count, kind);
    for (size_t i = 0; i < count && i < 64; ++i) {
      char name[64] = "?";
      ck_system_get_process_name(processes[i].pid, name, sizeof name);
      printf("    %u %s: %lld bytes\n", processes[i].pid, name, (long long)processes[i].memory);
    }
  }
}

static void show_place(void)
{
  uint64_t cpus[4], nodes[1];
  if (ck_system_device_get_affinity(gpu, 0, cpus, 4) == CK_OK)
    printf("  cpus: %016llx %016llx\n", (unsigned long long)cpus[1], (unsigned long long)cpus[0]);
  if (ck_system_device_get_affinity(gpu, 1, nodes, 1) == CK_OK)
    printf("  nodes: %llx\n", (unsigned long long)nodes[0]);
  uint32_t links = ck_system_query_count(gpu, CK_SYSTEM_NVLINK_STATE);
  for (uint32_t i = 0; i < links; ++i) {
    char text[32];
    if (ck_system_device_get_link_bus_id(gpu, i, text, sizeof text) == CK_OK)
      printf("  link %u to %s\n", i, text);
  }
}

static void show_pair(uint32_t a, uint32_t b)
{
  ck_system_device_t *one = NULL, *two = NULL;
  ck_topology_t topology;
  int status;
  CHECK_OK(ck_system_device_open(a, &one));
  CHECK_OK(ck_system_device_open(b, &two));
  if (ck_system_device_get_topology(one, two, &topology) == CK_OK)
    printf("GPUs %u and %u: topology %d\n", a, b, (int)topology);
  if (ck_system_device_get_peer_status(one, two, CK_PEER_NVLINK, &status) == CK_OK)
    printf("GPUs %u and %u: NVLink %d\n", a, b, status);
  ck_system_device_release(one);
  ck_system_device_release(two);
}

/* Queries a number. False: the GPU lacks it, and the error says so correctly. */
static bool has_of(ck_system_query_t query, uint32_t index, int64_t *out_value)
{
  ck_status_t status = ck_system_device_get(gpu, query, index, out_value);
  if (!CHECK(status == CK_OK || status == CK_UNSUPPORTED))
    fprintf(stderr, "%s\n", ck_system_query_name(query));
  return status == CK_OK;
}

static bool has(ck_system_query_t query, int64_t *out_value)
{
  return has_of(query, 0, out_value);
}

/* If the GPU has the number, it lies in least..most. */
static void check_range(ck_system_query_t query, int64_t least, int64_t most)
{
  int64_t value;
  if (has(query, &value) && !CHECK(value >= least && value <= most))
    fprintf(stderr, "%s is %lld\n", ck_system_query_name(query), (long long)value);
}

/* Empty where the GPU has it not. */
static bool has_text(ck_system_text_t query, char text[96])
{
  ck_status_t status = ck_system_device_get_text(gpu, query, text, 96);
  CHECK(status == CK_OK || (status == CK_UNSUPPORTED && !*text));
  return status == CK_OK;
}

/* tests per GPU ------------------------------------------------------------------------------ */

TEST(show)
{
  printf("GPU %u: %s\n", gpu_index, ck_system_device_name(gpu));
  show_texts();
  show_numbers();
  show_lists();
  show_place();
}

TEST(device_architecture)
{
  check_range(CK_SYSTEM_ARCHITECTURE, 2, 0xffffffff);
}

TEST(device_bar1_memory)
{
  int64_t total, free_bytes, used;
  if (!has(CK_SYSTEM_BAR1_TOTAL, &total)) return;
  CHECK(has(CK_SYSTEM_BAR1_FREE, &free_bytes) && has(CK_SYSTEM_BAR1_USED, &used));
  CHECK(free_bytes >= 0 && used >= 0 && total > 0);
}

/* The parts come from one call each, and others may allocate in between. */
TEST(device_memory)
{
  int64_t total, free_bytes, used, reserved;
  if (!has(CK_SYSTEM_MEMORY_TOTAL, &total)) return;
  CHECK(has(CK_SYSTEM_MEMORY_FREE, &free_bytes) && has(CK_SYSTEM_MEMORY_USED, &used));
  CHECK(has(CK_SYSTEM_MEMORY_RESERVED, &reserved));
  CHECK(free_bytes >= 0 && used >= 0 && reserved >= 0 && total > 0);
  int64_t difference = free_bytes + used + reserved - total;
  CHECK(difference < total / 4 && difference > -(total / 4));
}

TEST(affinity)
{
  uint64_t cpus[16] = {0}, nodes[4] = {0}, any = 0;
  ck_status_t status = ck_system_device_get_affinity(gpu, 0, cpus, 16);
  CHECK(status == CK_OK || status == CK_UNSUPPORTED);
  for (int i = 0; i < 16; ++i) any |= cpus[i];
  CHECK(status != CK_OK || any);
  status = ck_system_device_get_affinity(gpu, 1, nodes, 4);
  CHECK(status == CK_OK || status == CK_UNSUPPORTED);
}

TEST(numa_node_id)
{
  check_range(CK_SYSTEM_NUMA_NODE, -1, INT32_MAX);
}

TEST(device_cuda_compute_capability)
{
  check_range(CK_SYSTEM_COMPUTE_MAJOR, 3, 99);
  check_range(CK_SYSTEM_COMPUTE_MINOR, 0, 9);
}

TEST(device_name)
{
  char text[96];
  CHECK(has_text(CK_SYSTEM_TEXT_NAME, text) && *text);
  CHECK(!strcmp(text, ck_system_device_name(gpu)));
}

/* The numbers are those in the text, "00000000:3B:00.0". */
TEST(device_pci_info)
{
  char text[96];
  int64_t domain, bus, slot;
  unsigned long read[4] = {0};
  CHECK(has_text(CK_SYSTEM_TEXT_PCI_BUS_ID, text));
  char *at = text;
  for (int i = 0; i < 4; ++i) {
    read[i] = strtoul(at, &at, 16);
    CHECK(i == 3 ? !*at : *at == (i < 2 ? ':' : '.'));
    if (*at) ++at;
  }
  CHECK(has(CK_SYSTEM_PCI_DOMAIN, &domain) && (unsigned long)domain == read[0]);
  CHECK(has(CK_SYSTEM_PCI_BUS, &bus) && (unsigned long)bus == read[1] && bus <= 0xff);
  CHECK(has(CK_SYSTEM_PCI_DEVICE, &slot) && (unsigned long)slot == read[2] && slot <= 0xff);
  check_range(CK_SYSTEM_PCI_DEVICE_ID, 0, 0xffffffff);
  check_range(CK_SYSTEM_PCI_SUBSYSTEM_ID, 0, 0xffffffff);
  check_range(CK_SYSTEM_PCIE_GENERATION, 0, 0xff);
  check_range(CK_SYSTEM_PCIE_GENERATION_MAX, 0, 0xff);
  check_range(CK_SYSTEM_PCIE_WIDTH, 0, 0xff);
  check_range(CK_SYSTEM_PCIE_WIDTH_MAX, 0, 0xff);
  check_range(CK_SYSTEM_PCIE_SENT, 0, 0xffffffff);
  check_range(CK_SYSTEM_PCIE_RECEIVED, 0, 0xffffffff);
  check_range(CK_SYSTEM_PCIE_REPLAYS, 0, 0xffffffff);
}

TEST(device_serial)
{
  char text[96];
  if (has_text(CK_SYSTEM_TEXT_SERIAL, text)) CHECK(*text);
}

TEST(uuid)
{
  char text[96];
  CHECK(has_text(CK_SYSTEM_TEXT_UUID, text));
  CHECK(!strncmp(text, "GPU-", 4) || !strncmp(text, "MIG-", 4));
  CHECK(strlen(text) == 4 + 36);
}

/* The same GPU is found by index, UUID and bus id. */
TEST(device_pci_bus_id)
{
  ck_system_device_t *other = NULL;
  char text[96];
  CHECK(has_text(CK_SYSTEM_TEXT_UUID, text));
  CHECK_OK(ck_system_device_open_uuid(text, &other));
  CHECK(other && ck_system_device_native(other) == ck_system_device_native(gpu));
  ck_system_device_release(other);
  CHECK(has_text(CK_SYSTEM_TEXT_PCI_BUS_ID, text));
  CHECK_OK(ck_system_device_open_bus_id(text, &other));
  CHECK(other && ck_system_device_native(other) == ck_system_device_native(gpu));
  ck_system_device_release(other);
  CHECK(ck_system_device_open_uuid("GPU-00000000-0000-0000-0000-000000000000", &other) != CK_OK);
}

/* No event happens, so none arrives. */
TEST(register_events)
{
  ck_system_events_t *events;
  ck_system_event_t event;
  int64_t kinds = 0;
  has(CK_SYSTEM_EVENTS_SUPPORTED, &kinds);
  CHECK_OK(ck_system_events_create(&events));
  /* No device has been added. */
  CHECK_FAILS(ck_system_events_wait(events, 0.01, &event), CK_NOT_READY);
  if (kinds & CK_SYSTEM_EVENT_XID) {
    ck_status_t status = ck_system_events_add(events, gpu, CK_SYSTEM_EVENT_XID);
    CHECK(status == CK_OK || status == CK_UNSUPPORTED);
    if (status == CK_OK) CHECK_FAILS(ck_system_events_wait(events, 0.05, &event), CK_NOT_READY);
  }
  ck_system_events_release(events);
}

/* Waits for a GPU that is unbound, of which there is none. NVML accepts such events once per
 * process. */
TEST(register_machine_events)
{
  ck_machine_events_t *events;
  ck_machine_event_t event;
  size_t count;
  ck_status_t status = ck_machine_events_create(CK_MACHINE_EVENT_UNBIND, &events);
  if (status == CK_OK) {
    CHECK_FAILS(ck_machine_events_wait(events, 0.05, &event, 1, &count), CK_NOT_READY);
    ck_machine_events_release(events);
  } else {
    printf("the machine's events: %s\n", ck_last_error());
    CHECK(status == CK_UNSUPPORTED || status == CK_DRIVER);
  }
}

TEST(device_brand)
{
  check_range(CK_SYSTEM_BRAND, 0, 100);
}

TEST(device_attributes)
{
  check_range(CK_SYSTEM_MIG_MULTIPROCESSORS, 1, 100000);
  check_range(CK_SYSTEM_MIG_MEMORY, 1, INT64_MAX);
  check_range(CK_SYSTEM_MIG_COPY_ENGINES, 0, 1000);
  check_range(CK_SYSTEM_MIG_DECODERS, 0, 1000);
  check_range(CK_SYSTEM_MIG_ENCODERS, 0, 1000);
  check_range(CK_SYSTEM_MIG_JPEG_ENGINES, 0, 1000);
  check_range(CK_SYSTEM_MIG_OPTICAL_FLOW_ENGINES, 0, 1000);
  check_range(CK_SYSTEM_MIG_GPU_SLICES, 0, 1000);
  check_range(CK_SYSTEM_MIG_COMPUTE_SLICES, 0, 1000);
}

/* Settings that are on or off. */
TEST(modes)
{
  check_range(CK_SYSTEM_C2C_MODE, 0, 1);
  check_range(CK_SYSTEM_PERSISTENCE_MODE, 0, 1);
  check_range(CK_SYSTEM_DISPLAY_MODE, 0, 1);
  check_range(CK_SYSTEM_DISPLAY_ACTIVE, 0, 1);
  check_range(CK_SYSTEM_AUTO_BOOST, 0, 1);
  check_range(CK_SYSTEM_AUTO_BOOST_DEFAULT, 0, 1);
  check_range(CK_SYSTEM_REPAIR_CHANNELS_PENDING, 0, 1);
  check_range(CK_SYSTEM_REPAIR_TPCS_PENDING, 0, 1);
  check_range(CK_SYSTEM_ADDRESSING_MODE, 0, 2);
}

/* NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION never decreases. */
TEST(field_values)
{
  enum { TOTAL_ENERGY = 83 };
  double before, after;
  ck_status_t status = ck_system_device_get_field(gpu, TOTAL_ENERGY, 0, &before);
  if (!CHECK(status == CK_OK || status == CK_UNSUPPORTED) || status != CK_OK) return;
  CHECK_OK(ck_system_device_get_field(gpu, TOTAL_ENERGY, 0, &after));
  CHECK(before >= 0 && after >= before);
}

TEST(index)
{
  int64_t value;
  CHECK(has(CK_SYSTEM_INDEX, &value) && (uint32_t)value == gpu_index);
}

TEST(module_id)
{
  check_range(CK_SYSTEM_MODULE_ID, 0, 0xffffffff);
}

TEST(get_minor_number)
{
  check_range(CK_SYSTEM_MINOR_NUMBER, 0, 0xffffffff);
}

TEST(get_inforom_version)
{
  char text[96];
  if (has_text(CK_SYSTEM_TEXT_INFOROM_IMAGE, text)) CHECK(*text);
  if (has_text(CK_SYSTEM_TEXT_INFOROM_OEM, text)) CHECK(*text);
  has_text(CK_SYSTEM_TEXT_PART_NUMBER, text);
  check_range(CK_SYSTEM_INFOROM_CHECKSUM, 0, 0xffffffff);
}

TEST(clock)
{
  enum { MHZ = 1 << 20 };
  check_range(CK_SYSTEM_CLOCK_GRAPHICS, 0, MHZ);
  check_range(CK_SYSTEM_CLOCK_SM, 0, MHZ);
  check_range(CK_SYSTEM_CLOCK_MEMORY, 0, MHZ);
  check_range(CK_SYSTEM_CLOCK_VIDEO, 0, MHZ);
  check_range(CK_SYSTEM_CLOCK_GRAPHICS_MAX, 0, MHZ);
  check_range(CK_SYSTEM_CLOCK_SM_MAX, 0, MHZ);
  check_range(CK_SYSTEM_CLOCK_MEMORY_MAX, 0, MHZ);
  check_range(CK_SYSTEM_CLOCK_VIDEO_MAX, 0, MHZ);
  check_range(CK_SYSTEM_CLOCK_GRAPHICS_BOOST_MAX, 0, MHZ);
}

TEST(clock_event_reasons)
{
  check_range(CK_SYSTEM_THROTTLE_REASONS, 0, INT64_MAX);
  check_range(CK_SYSTEM_THROTTLE_REASONS_SUPPORTED, 0, INT64_MAX);
}

TEST(fan)
{
  uint32_t fans = ck_system_query_count(gpu, CK_SYSTEM_FAN_SPEED);
  int64_t least, most, value;
  if (has(CK_SYSTEM_FAN_SPEED_MIN, &least) && has(CK_SYSTEM_FAN_SPEED_MAX, &most))
    CHECK(least >= 0 && least <= most);
  for (uint32_t i = 0; i < fans; ++i) {
    if (has_of(CK_SYSTEM_FAN_SPEED, i, &value)) CHECK(value >= 0 && value <= 200);
    if (has_of(CK_SYSTEM_FAN_SPEED_TARGET, i, &value)) CHECK(value >= 0 && value <= 200);
    if (has_of(CK_SYSTEM_FAN_TURNS, i, &value)) CHECK(value >= 0);
    has_of(CK_SYSTEM_FAN_POLICY, i, &value);
  }
}

TEST(temperature)
{
  check_range(CK_SYSTEM_TEMPERATURE, 0, 150);
  check_range(CK_SYSTEM_TEMPERATURE_SHUTDOWN, 0, 200);
  check_range(CK_SYSTEM_TEMPERATURE_SLOWDOWN, 0, 200);
  check_range(CK_SYSTEM_TEMPERATURE_MEMORY_MAX, 0, 200);
  check_range(CK_SYSTEM_TEMPERATURE_GPU_MAX, 0, 200);
  check_range(CK_SYSTEM_TEMPERATURE_MARGIN, -50, 200);
}

/* The current state is one of the supported ones. */
TEST(pstates)
{
  int64_t state, states;
  if (!has(CK_SYSTEM_PERFORMANCE_STATE, &state)) return;
  CHECK(state >= 0 && state <= 32);
  if (has(CK_SYSTEM_PERFORMANCE_STATES, &states) && state < 16)
    CHECK(states > 0 && states >> 16 == 0);
}

TEST(compute_running_processes)
{
  ck_system_process_t processes[64];
  size_t count;
  int64_t is_mig = 0;
  has(CK_SYSTEM_IS_MIG_DEVICE, &is_mig);
  ck_status_t status =
      ck_system_device_get_processes(gpu, CK_PROCESS_COMPUTE, processes, 64, &count);
  CHECK(status == CK_OK || status == CK_UNSUPPORTED);
  for (size_t i = 0; status == CK_OK && i < count && i < 64; ++i) CHECK(processes[i].pid > 0);
}

TEST(nvlink)
{
  uint32_t links = ck_system_query_count(gpu, CK_SYSTEM_NVLINK_STATE);
  CHECK(links <= 36);
  for (uint32_t i = 0; i < links; ++i) {
    int64_t state, version;
    if (!has_of(CK_SYSTEM_NVLINK_STATE, i, &state)) continue;
    CHECK(state == 0 || state == 1);
    if (state && has_of(CK_SYSTEM_NVLINK_VERSION, i, &version)) CHECK(version > 0);
  }
}

TEST(utilization)
{
  check_range(CK_SYSTEM_GPU_LOAD, 0, 100);
  check_range(CK_SYSTEM_MEMORY_LOAD, 0, 100);
}

TEST(mig)
{
  int64_t most = 0;
  check_range(CK_SYSTEM_IS_MIG_DEVICE, 0, 1);
  check_range(CK_SYSTEM_MIG_MODE, 0, 1);
  check_range(CK_SYSTEM_MIG_MODE_PENDING, 0, 1);
  if (!has(CK_SYSTEM_MIG_MAX_DEVICES, &most)) return;
  CHECK(most >= 0 && most < 64);
  for (uint32_t i = 0; i < (uint32_t)most; ++i) {
    ck_system_device_t *part = NULL;
    ck_status_t status = ck_system_device_open_mig(gpu, i, &part);
    CHECK((status == CK_OK) == (part != NULL));
    ck_system_device_release(part);
  }
}

/* tests of the machine ----------------------------------------------------------------------- */

/* Such as "580.65.06", and for NVML "13.580.65.06". */
TEST(driver_versions)
{
  ck_system_versions_t versions;
  CHECK_OK(ck_system_get_versions(&versions));
  unsigned long driver = strtoul(versions.driver, NULL, 10);
  CHECK(driver >= 400 && driver < 1000);
  const char *dot = strchr(versions.nvml, '.');
  CHECK(strtoul(versions.nvml, NULL, 10) >= 10);
  CHECK(dot && strtoul(dot + 1, NULL, 10) >= 400 && strtoul(dot + 1, NULL, 10) < 1000);
  CHECK(versions.cuda >= 12000 && versions.cuda < 100000);
}

TEST(get_driver_branch)
{
  char branch[80];
  ck_status_t status = ck_system_get_driver_branch(branch, sizeof branch);
  CHECK(status == CK_OK || status == CK_UNSUPPORTED);
  if (status == CK_OK) CHECK(*branch);
  printf("branch %s\n", branch);
}

/* A GPU that is listed for a CPU has the CPU in its affinity mask. */
TEST(get_all_devices_with_cpu_affinity)
{
  for (uint32_t cpu = 0; cpu < 64; ++cpu) {
    uint32_t indices[64];
    size_t count = 0;
    ck_status_t status = ck_system_get_devices_of_cpu(cpu, indices, 64, &count);
    CHECK(status != CK_OK || count <= gpu_count);
    if (status != CK_OK) break; /* after the last CPU, or unknown */
    for (size_t i = 0; i < count; ++i) {
      uint64_t cpus[16] = {0};
      ck_system_device_t *near = NULL;
      CHECK_OK(ck_system_device_open(indices[i], &near));
      CHECK_OK(ck_system_device_get_affinity(near, 0, cpus, 16));
      CHECK(cpus[0] >> cpu & 1);
      ck_system_device_release(near);
    }
  }
}

TEST(get_nearest_gpus)
{
  for (uint32_t i = 0; i < gpu_count; ++i) {
    ck_system_device_t *one = NULL;
    uint32_t indices[64];
    size_t count = 0;
    CHECK_OK(ck_system_device_open(i, &one));
    ck_status_t status =
        ck_system_device_get_nearest(one, CK_TOPOLOGY_ONE_SWITCH, indices, 64, &count);
    CHECK(status == CK_OK || status == CK_UNSUPPORTED);
    for (size_t k = 0; k < count && k < 64; ++k) CHECK(indices[k] < gpu_count);
    ck_system_device_release(one);
  }
}

TEST(get_process_name)
{
  char name[128];
  ck_status_t status = ck_system_get_process_name((uint32_t)getpid(), name, sizeof name);
  CHECK(status == CK_OK || status == CK_NOT_FOUND); /* not found in another PID namespace */
  if (status == CK_OK) CHECK(*name);
}

TEST(device_count)
{
  ck_system_device_t *beyond;
  CHECK(gpu_count >= (uint32_t)ck_device_count()); /* CUDA_VISIBLE_DEVICES may hide some from
                                                    * CUDA */
  CHECK(ck_system_device_open(gpu_count, &beyond) != CK_OK && !beyond);
}

TEST(get_topology_common_ancestor)
{
  for (uint32_t i = 1; i < gpu_count; ++i) {
    ck_system_device_t *one = NULL, *two = NULL;
    ck_topology_t topology = (ck_topology_t)-1;
    CHECK_OK(ck_system_device_open(0, &one));
    CHECK_OK(ck_system_device_open(i, &two));
    ck_status_t status = ck_system_device_get_topology(one, two, &topology);
    CHECK(status == CK_OK || status == CK_UNSUPPORTED);
    if (status == CK_OK)
      CHECK(topology >= CK_TOPOLOGY_SAME_BOARD && topology <= CK_TOPOLOGY_SYSTEM);
    ck_system_device_release(one);
    ck_system_device_release(two);
  }
}

TEST(get_p2p_status)
{
  for (uint32_t i = 1; i < gpu_count; ++i) {
    ck_system_device_t *one = NULL, *two = NULL;
    CHECK_OK(ck_system_device_open(0, &one));
    CHECK_OK(ck_system_device_open(i, &two));
    for (int ability = CK_PEER_READ; ability <= CK_PEER_PCI; ++ability) {
      int of_pair = -1;
      ck_status_t status =
          ck_system_device_get_peer_status(one, two, (ck_peer_ability_t)ability, &of_pair);
      CHECK(status == CK_OK || status == CK_UNSUPPORTED);
      if (status == CK_OK) CHECK(of_pair >= 0 && of_pair < 16);
    }
    show_pair(0, i);
    ck_system_device_release(one);
    ck_system_device_release(two);
  }
}

/* From a CUDA device to NVML's GPU and back gives the same device; a GPU that CUDA does not list is
 * not found. */
TEST(to_cuda_device_and_back)
{
  for (uint32_t i = 0; i < gpu_count; ++i) {
    ck_system_device_t *one, *again;
    ck_device_t *own;
    if (!CHECK_OK(ck_system_device_open(i, &one))) continue;
    ck_status_t status = ck_device_from_system_device(one, &own);
    CHECK(status == CK_OK || status == CK_NOT_FOUND || status == CK_UNAVAILABLE);
    CHECK((own != NULL) == (status == CK_OK));
    if (own && CHECK_OK(ck_system_device_from_device(own, &again))) {
      char text[96], same[96];
      CHECK_OK(ck_system_device_get_text(one, CK_SYSTEM_TEXT_UUID, text, sizeof text));
      CHECK_OK(ck_system_device_get_text(again, CK_SYSTEM_TEXT_UUID, same, sizeof same));
      CHECK(!strcmp(text, same) && !ck_device_is_host(own));
      ck_system_device_release(again);
    }
    ck_device_release(own);
    ck_system_device_release(one);
  }
}

/* CUDA and NVML agree about the device. */
TEST(to_cuda_device)
{
  ck_system_device_t *same = NULL;
  int major = 0, minor = 0;
  size_t free_bytes, total_bytes;
  int64_t value;
  if (ck_device_open_auto(&device) != CK_OK || ck_device_is_host(device)) return;
  if (CHECK_OK(ck_system_device_from_device(device, &same))) {
    CHECK(!strcmp(ck_system_device_name(same), ck_device_name(device)));
    CHECK_OK(ck_device_get_compute_capability(device, &major, &minor));
    CHECK_OK(ck_system_device_get(same, CK_SYSTEM_COMPUTE_MAJOR, 0, &value));
    CHECK(value == major);
    CHECK_OK(ck_device_get_memory(device, &free_bytes, &total_bytes));
    CHECK_OK(ck_system_device_get(same, CK_SYSTEM_MEMORY_TOTAL, 0, &value));
    CHECK((size_t)value >= total_bytes);
    ck_device_t *back = NULL;
    CHECK_OK(ck_device_from_system_device(same, &back));
    CHECK(back && ck_device_ordinal(back) == ck_device_ordinal(device));
    ck_device_release(back);
  }
  ck_system_device_release(same);
}

static void run_each(void)
{
  RUN(show);
  RUN(device_architecture);
  RUN(device_bar1_memory);
  RUN(device_memory);
  RUN(affinity);
  RUN(numa_node_id);
  RUN(device_cuda_compute_capability);
  RUN(device_name);
  RUN(device_pci_info);
  RUN(device_serial);
  RUN(uuid);
  RUN(device_pci_bus_id);
  RUN(register_events);
  RUN(register_machine_events);
  RUN(device_brand);
  RUN(device_attributes);
  RUN(modes);
  RUN(field_values);
  RUN(index);
  RUN(module_id);
  RUN(get_minor_number);
  RUN(get_inforom_version);
  RUN(clock);
  RUN(clock_event_reasons);
  RUN(fan);
  RUN(temperature);
  RUN(pstates);
  RUN(compute_running_processes);
  RUN(nvlink);
  RUN(utilization);
  RUN(mig);
}

int main(void)
{
  ck_system_versions_t versions;
  if (ck_system_get_versions(&versions) == CK_UNAVAILABLE) {
    printf("0 passed, 0 failed: %s\n", ck_last_error());
    return 77;
  }
  printf("driver %s, NVML %s, CUDA %d.%d\n", versions.driver, versions.nvml, versions.cuda / 1000,
         versions.cuda % 1000 / 10);
  CHECK_OK(ck_system_get_device_count(&gpu_count));
  for (gpu_index = 0; gpu_index < gpu_count; ++gpu_index) {
    if (!CHECK_OK(ck_system_device_open(gpu_index, &gpu))) continue;
    run_each();
    ck_system_device_release(gpu);
  }
  RUN(driver_versions);
  RUN(get_driver_branch);
  RUN(get_all_devices_with_cpu_affinity);
  RUN(get_nearest_gpus);
  RUN(get_process_name);
  RUN(device_count);
  RUN(get_topology_common_ancestor);
  RUN(get_p2p_status);
  RUN(to_cuda_device);
  RUN(to_cuda_device_and_back);
  return close_both();
}
