/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* system.c - tests ck/system.h with an NVML that answers every function, and fails when told to
 * (support/fake_nvml.c). system_gpu.c tests it with the machine's own NVML. */
#define _GNU_SOURCE /* setenv */
#include <dlfcn.h>

#include "fixture.h"
#include "system/nvml.h"

static void (*fail)(unsigned nth, int result);
static unsigned (*number)(const char *name, unsigned parameter);
static void (*send_event)(void);
static unsigned (*send_machine_events)(unsigned count);
static void (*say)(unsigned processes, unsigned counted, unsigned named, int has_no_ends);
static ck_system_device_t *gpu;

static const ck_system_query_t all_queries[] = {
#define CK_SYSTEM_QUERY(name, value, unit, per, call) CK_SYSTEM_##name,
#include "ck/system_queries.def"
};
static const ck_system_text_t all_texts[] = {
#define CK_SYSTEM_TEXT(name, value, call) CK_SYSTEM_TEXT_##name,
#include "ck/system_queries.def"
};

static int64_t get(ck_system_query_t query, uint32_t index)
{
  int64_t value = -1;
  CHECK_OK(ck_system_device_get(gpu, query, index, &value));
  return value;
}

TEST(the_machine)
{
  ck_system_versions_t versions;
  uint32_t count;
  char name[16];
  CHECK_OK(ck_system_get_versions(&versions));
  CHECK(!strcmp(versions.driver, "nvmlSystemGetDriverVersion"));
  CHECK(!strcmp(versions.nvml, "nvmlSystemGetNVMLVersion"));
  CHECK(versions.cuda == (int)number("nvmlSystemGetCudaDriverVersion_v2", 0));
  CHECK_OK(ck_system_get_device_count(&count));
  CHECK(count == number("nvmlDeviceGetCount_v2", 0));
  CHECK_OK(ck_system_get_process_name(1, name, sizeof name));
  CHECK_OK(ck_system_get_driver_branch(name, sizeof name));
  CHECK(!strcmp(name, "r580_00"));
  CHECK_OK(ck_system_get_driver_branch(name, 5));
  CHECK(!strcmp(name, "r580"));
  fail(1, NVML_function_not_found);
  CHECK_STATUS(ck_system_get_driver_branch(name, sizeof name), CK_UNSUPPORTED);
  CHECK_ERROR("the driver's branch: Some Error (13) from nvmlSystemGetDriverBranch");
  CHECK_STATUS(ck_system_get_driver_branch(name, 0), CK_INVALID_ARGUMENT);
  fail(1, NVML_not_found);
  CHECK_STATUS(ck_system_get_process_name(77, name, sizeof name), CK_NOT_FOUND);
  CHECK_ERROR("the name of process 77: Some Error (6) from nvmlSystemGetProcessName");
}

TEST(handles)
{
  ck_system_device_t *other;
  CHECK_OK(ck_system_device_open(3, &other));
  CHECK((uintptr_t)ck_system_device_native(other) == 4);
  CHECK(!strcmp(ck_system_device_name(other), "nvmlDeviceGetName"));
  CHECK(ck_system_device_retain(other) == other);
  ck_system_device_release(other);
  ck_system_device_release(other);
  CHECK_OK(ck_system_device_open_uuid("GPU-1", &other));
  ck_system_device_release(other);
  CHECK_OK(ck_system_device_open_bus_id("3b:00.0", &other));
  ck_system_device_release(other);
  CHECK_OK(ck_system_device_open_mig(gpu, 2, &other));
  ck_system_device_release(other);
  fail(1, NVML_not_found);
  CHECK_STATUS(ck_system_device_open_uuid("GPU-9", &other), CK_NOT_FOUND);
  CHECK(other == NULL);
  CHECK_ERROR("GPU 'GPU-9': Some Error (6) from nvmlDeviceGetHandleByUUID");
  fail(2, 15);
  CHECK_STATUS(ck_system_device_open(0, &other), CK_UNAVAILABLE);
  CHECK_ERROR("from nvmlDeviceGetName");
  ck_device_t *host;
  CHECK_OK(ck_device_open_host(&host));
  CHECK_STATUS(ck_system_device_from_device(host, &other), CK_UNSUPPORTED);
  CHECK_ERROR("'host device' is not of NVIDIA's: NVML does not know it");
  ck_device_release(host);
}

/* The GPU of a CUDA device is found by its UUID, and NVML's error explains why it is not. (The host
 * device plays an NVIDIA GPU here.) */
TEST(to_system_device)
{
  ck_device_t *device;
  ck_system_device_t *same = NULL;
  CHECK_OK(ck_device_open_host(&device));
  const Driver *host = device->driver;
  device->driver = driver_of_gpu(host);
  CHECK_OK(ck_system_device_from_device(device, &same));
  CHECK(same != NULL);
  ck_system_device_release(same);
  fail(1, NVML_not_supported);
  CHECK_STATUS(ck_system_device_from_device(device, &same), CK_UNSUPPORTED);
  CHECK(same == NULL);
  CHECK_ERROR("from nvmlDeviceGetHandleByUUID");
  fail(1, NVML_not_found); /* then it may be a MIG instance */
  CHECK_OK(ck_system_device_from_device(device, &same));
  ck_system_device_release(same);
  device->driver = host;
  ck_device_release(device);
}

static NvmlResult uuid_of_host(NvmlDevice device, char *text, unsigned room)
{
  (void)device;
  snprintf(text, room, "MIG-436f6b65-726e-656c-2E68-6F73742E3030");
  return NVML_success;
}

/* The CUDA device of a GPU is found by asking each device for its UUID. */
TEST(to_cuda_device)
{
  static const unsigned char host[17] = "Cokernel.host.00", other[17] = "Cokernel.host.01";
  const Nvml *nvml;
  ck_device_t *device;
  CHECK_STATUS(ck_device_from_system_device(gpu, &device), CK_UNSUPPORTED);
  CHECK_ERROR("'nvmlDeviceGetName': 'nvmlDeviceGetUUID' is no UUID that CUDA has");
  fail(1, NVML_not_supported);
  CHECK_STATUS(ck_device_from_system_device(gpu, &device), CK_UNSUPPORTED);
  CHECK_ERROR("from nvmlDeviceGetUUID");
  CHECK_OK(nvml_open(&nvml));
  Nvml *own = (Nvml *)(uintptr_t)nvml, kept = *nvml;
  own->nvmlDeviceGetUUID = uuid_of_host;
  ck_status_t status = ck_device_from_system_device(gpu, &device);
  CHECK(status == CK_UNAVAILABLE || status == CK_NOT_FOUND); /* without a driver; with one */
  CHECK(device == NULL);
  *own = kept;
  CHECK_STATUS(device_open_uuid(driver_host(), other, &device), CK_NOT_FOUND);
  CHECK_ERROR("none of the driver's 1 devices has the UUID");
  CHECK(device == NULL);
  CHECK_OK(device_open_uuid(driver_host(), host, &device));
  CHECK(device && !strcmp(ck_device_name(device), "host device"));
  ck_device_release(device);
}

/* NVLinks are counted until one does not answer; having none is not a failure. */
TEST(nvlink_zero_count)
{
  int64_t value;
  fail(1, NVML_not_supported);
  CHECK(ck_system_query_count(gpu, CK_SYSTEM_NVLINK_STATE) == 0);
  fail(5, NVML_not_supported);
  CHECK(ck_system_query_count(gpu, CK_SYSTEM_NVLINK_STATE) == 4);
  fail(1, NVML_unknown);
  CHECK_STATUS(ck_system_device_get(gpu, CK_SYSTEM_NVLINK_STATE, 0, &value), CK_DRIVER);
  CHECK_ERROR("nvlink_state");
}

/* Each query calls the function that the table names. */
TEST(numbers)
{
  CHECK(get(CK_SYSTEM_POWER, 0) == number("nvmlDeviceGetPowerUsage", 1));
  CHECK(get(CK_SYSTEM_ENERGY, 0) == number("nvmlDeviceGetTotalEnergyConsumption", 1));
  CHECK(get(CK_SYSTEM_POWER_LIMIT_MAX, 0) ==
        number("nvmlDeviceGetPowerManagementLimitConstraints", 2));
  CHECK(get(CK_SYSTEM_COMPUTE_MINOR, 0) == number("nvmlDeviceGetCudaComputeCapability", 2));
  CHECK(get(CK_SYSTEM_MEMORY_USED, 0) == number("nvmlDeviceGetMemoryInfo_v2", 1) + 3);
  CHECK(get(CK_SYSTEM_BAR1_FREE, 0) == number("nvmlDeviceGetBAR1MemoryInfo", 1) + 1);
  CHECK(get(CK_SYSTEM_MEMORY_LOAD, 0) == number("nvmlDeviceGetUtilizationRates", 1) + 1);
  CHECK(get(CK_SYSTEM_CLOCK_MEMORY_MAX, 0) == number("nvmlDeviceGetMaxClockInfo", 2));
  CHECK(get(CK_SYSTEM_ECC_UNCORRECTED, 0) == number("nvmlDeviceGetTotalEccErrors", 3));
  CHECK(get(CK_SYSTEM_VIOLATION_THERMAL, 0) == number("nvmlDeviceGetViolationStatus", 2) + 1);
  CHECK(get(CK_SYSTEM_REMAPPED_ROWS_FAILED, 0) == number("nvmlDeviceGetRemappedRows", 4));
  CHECK(get(CK_SYSTEM_REMAP_BANKS_NONE, 0) == number("nvmlDeviceGetRowRemapperHistogram", 1) + 4);
  CHECK(get(CK_SYSTEM_MIG_MEMORY, 0) == number("nvmlDeviceGetAttributes_v2", 1) + 8);
  CHECK(get(CK_SYSTEM_RETIRED_PAGES_CORRECTED, 0) == 2);
  CHECK(get(CK_SYSTEM_TEMPERATURE_MARGIN, 0) == -5);
  CHECK(get(CK_SYSTEM_ADDRESSING_MODE, 0) == 2);
  CHECK(get(CK_SYSTEM_C2C_MODE, 0) == number("nvmlDeviceGetC2cModeInfoV", 1));
  CHECK(get(CK_SYSTEM_REPAIR_CHANNELS_PENDING, 0) == 0 &&
        get(CK_SYSTEM_REPAIR_TPCS_PENDING, 0) == 1);
  CHECK(get(CK_SYSTEM_PERFORMANCE_STATES, 0) == (1 << 0 | 1 << 2 | 1 << 8));
  CHECK(get(CK_SYSTEM_FAN_SPEED_MAX, 0) == number("nvmlDeviceGetMinMaxFanSpeed", 2));
  CHECK(get(CK_SYSTEM_AUTO_BOOST_DEFAULT, 0) == number("nvmlDeviceGetAutoBoostedClocksEnabled", 2));
  CHECK(get(CK_SYSTEM_PCI_BUS, 0) == 0x3b);
  CHECK(get(CK_SYSTEM_FAN_TURNS, 1) == number("nvmlDeviceGetFanSpeedRPM", 1) + 1);
  CHECK(get(CK_SYSTEM_NVLINK_REPLAYS, 5) == number("nvmlDeviceGetNvLinkErrorCounter", 3));
  CHECK(!strcmp(ck_system_query_name(CK_SYSTEM_POWER_LIMIT), "power_limit"));
  CHECK(!strcmp(ck_system_query_unit(CK_SYSTEM_POWER_LIMIT), "mW"));
  CHECK(!ck_system_query_name((ck_system_query_t)15) &&
        !ck_system_query_unit((ck_system_query_t)-1));
  CHECK(ck_system_query_count(gpu, CK_SYSTEM_POWER) == 1);
  CHECK(ck_system_query_count(gpu, CK_SYSTEM_FAN_SPEED) == number("nvmlDeviceGetNumFans", 1));
  CHECK(ck_system_query_count(gpu, CK_SYSTEM_NVLINK_STATE) == 18);
  int64_t value;
  CHECK_STATUS(ck_system_device_get(gpu, CK_SYSTEM_POWER, 1, &value), CK_INVALID_ARGUMENT);
  CHECK_ERROR("power: there is one of it, not a number 1");
  CHECK_STATUS(ck_system_device_get(gpu, (ck_system_query_t)15, 0, &value), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_system_device_get(NULL, CK_SYSTEM_POWER, 0, &value), CK_INVALID_ARGUMENT);
}

/* Every query answers, and on failure names the function and the reason. */
TEST(every_query_fails)
{
  static const struct {
    int result;
    ck_status_t status;
  } kinds[] = {{NVML_not_supported, CK_UNSUPPORTED},
               {NVML_no_permission, CK_UNSUPPORTED},
               {NVML_function_not_found, CK_UNSUPPORTED},
               {NVML_invalid_argument, CK_INVALID_ARGUMENT},
               {15, CK_UNAVAILABLE},
               {NVML_unknown, CK_DRIVER}};
  for (size_t i = 0; i < COUNT_OF(all_queries); ++i) {
    get(all_queries[i], 0);
    for (size_t k = 0; k < COUNT_OF(kinds); ++k) {
      int64_t value = 5;
      ck_system_query_t query = all_queries[i];
      bool is_part = query == CK_SYSTEM_GPU_INSTANCE || query == CK_SYSTEM_COMPUTE_INSTANCE ||
                     query == CK_SYSTEM_FAN_SPEED_MIN || query == CK_SYSTEM_FAN_SPEED_MAX;
      /* The GPU has no such part. */
      bool is_whole = is_part && kinds[k].result == NVML_invalid_argument;
      fail(1, kinds[k].result);
      CHECK_STATUS(ck_system_device_get(gpu, all_queries[i], 0, &value),
                   is_whole ? CK_UNSUPPORTED : kinds[k].status);
      CHECK(value == 0);
      CHECK_ERROR(ck_system_query_name(all_queries[i]));
      CHECK_ERROR("'nvmlDeviceGetName', ");
      CHECK_ERROR(" from nvmlDevice");
    }
  }
  for (size_t i = 0; i < COUNT_OF(all_texts); ++i) {
    char text[96];
    CHECK_OK(ck_system_device_get_text(gpu, all_texts[i], text, sizeof text));
    CHECK(*text);
    fail(1, NVML_not_supported);
    CHECK_STATUS(ck_system_device_get_text(gpu, all_texts[i], text, sizeof text), CK_UNSUPPORTED);
    CHECK(!*text);
    CHECK_ERROR(ck_system_text_name(all_texts[i]));
    CHECK_STATUS(ck_system_device_get_text(gpu, all_texts[i], text, 2), CK_INVALID_ARGUMENT);
    CHECK_ERROR("does not fit into 2 bytes");
  }
}

/* An older library lacks a function. */
TEST(missing_functions)
{
  const Nvml *nvml;
  int64_t value;
  CHECK_OK(nvml_open(&nvml));
  Nvml *own = (Nvml *)(uintptr_t)nvml, kept = *nvml;
  own->nvmlDeviceGetPowerSource = NULL;
  CHECK_STATUS(ck_system_device_get(gpu, CK_SYSTEM_POWER_SOURCE, 0, &value), CK_UNSUPPORTED);
  CHECK_ERROR("power_source: Some Error (13) from nvmlDeviceGetPowerSource");
  ck_machine_events_t *events;
  own->nvmlSystemEventSetCreate = NULL;
  CHECK_STATUS(ck_machine_events_create(CK_MACHINE_EVENT_BIND, &events), CK_UNSUPPORTED);
  *own = kept;
}

TEST(lists)
{
  uint32_t clocks[8];
  ck_system_process_t processes[8];
  size_t count;
  CHECK_OK(ck_system_device_get_clocks(gpu, 0, clocks, 8, &count));
  CHECK(count == 4 && clocks[0] == 2000 && clocks[3] == 1997);
  CHECK_OK(ck_system_device_get_clocks(gpu, 2000, clocks, 1, &count));
  CHECK(count == 4 && clocks[0] == 1000);
  CHECK_OK(ck_system_device_get_clocks(gpu, 0, NULL, 0, &count));
  for (int kind = CK_PROCESS_COMPUTE; kind <= CK_PROCESS_MPS; ++kind) {
    CHECK_OK(ck_system_device_get_processes(gpu, (ck_process_kind_t)kind, processes, 8, &count));
    CHECK(count == 3 && processes[2].pid == 102 && processes[2].memory == 1 << 20 &&
          processes[2].gpu_instance == UINT32_MAX);
    fail(1, NVML_not_supported);
    CHECK_STATUS(ck_system_device_get_processes(gpu, (ck_process_kind_t)kind, NULL, 0, &count),
                 CK_UNSUPPORTED);
  }
  CHECK_STATUS(ck_system_device_get_processes(gpu, (ck_process_kind_t)3, NULL, 0, &count),
               CK_INVALID_ARGUMENT);
  fail(1, NVML_unknown);
  CHECK_STATUS(ck_system_device_get_clocks(gpu, 0, clocks, 8, &count), CK_DRIVER);
}

/* More processes than the first call has room for. */
TEST(many_processes)
{
  static ck_system_process_t processes[1000];
  size_t count;
  say(700, 2, 2, 0);
  CHECK_OK(ck_system_device_get_processes(gpu, CK_PROCESS_COMPUTE, processes, 1000, &count));
  CHECK(count == 700 && processes[0].pid == 100 && processes[699].pid == 799);
  CHECK_OK(ck_system_device_get_processes(gpu, CK_PROCESS_COMPUTE, NULL, 0, &count));
  CHECK(count == 700);
  say(3, 2, 2, 0);
}

/* GPUs that appear or vanish between two calls. */
TEST(changing_neighbours)
{
  static uint32_t indices[300];
  size_t count;
  say(3, 2, 100, 0);
  CHECK_OK(ck_system_device_get_nearest(gpu, CK_TOPOLOGY_NODE, indices, 300, &count));
  CHECK(count == 2);
  say(3, 2, 1, 0);
  CHECK_OK(ck_system_get_devices_of_cpu(1, indices, 300, &count));
  CHECK(count == 1);
  say(3, 200, 200, 0);
  CHECK_OK(ck_system_get_devices_of_cpu(1, indices, 300, &count));
  CHECK(count == 200 && indices[199] == number("nvmlDeviceGetIndex", 1));
  say(3, 2, 2, 0);
}

/* Strings without a terminating NUL end with their buffer. */
TEST(texts_without_an_end)
{
  char text[200];
  ck_system_versions_t versions;
  say(3, 2, 2, 1);
  CHECK_OK(ck_system_get_versions(&versions));
  CHECK(strlen(versions.driver) == sizeof versions.driver - 1);
  CHECK_OK(ck_system_device_get_text(gpu, CK_SYSTEM_TEXT_UUID, text, sizeof text));
  CHECK(strlen(text) == sizeof text - 1);
  CHECK_OK(ck_system_device_get_text(gpu, CK_SYSTEM_TEXT_GSP_VERSION, text, sizeof text));
  CHECK(strlen(text) == NVML_GSP_VERSION_BYTES - 1);
  say(3, 2, 2, 0);
  char *large = malloc(1 << 16);
  if (!CHECK(large != NULL)) return;
  CHECK_OK(ck_system_get_process_name(1, large, SIZE_MAX)); /* which is passed on as UINT_MAX or
                                                             * less */
  CHECK(!strcmp(large, "nvmlSystemGetProcessName"));
  free(large);
}

TEST(fields)
{
  double value;
  for (uint32_t id = 0; id < 7; ++id) {
    CHECK_OK(ck_system_device_get_field(gpu, id, 0, &value));
    CHECK(value == (id ? 77 : 1.5));
  }
  CHECK_STATUS(ck_system_device_get_field(gpu, 7, 0, &value), CK_UNSUPPORTED);
  CHECK_ERROR("field 7 of 0: its type 7 is unknown");
  CHECK_STATUS(ck_system_device_get_field(gpu, 1000, 2, &value), CK_UNSUPPORTED);
  CHECK_ERROR("field 1000 of 2: Not Supported (3) from nvmlDeviceGetFieldValues");
}

TEST(places)
{
  uint64_t words[2] = {9, 9};
  ck_topology_t topology;
  int status;
  char bus_id[32];
  CHECK_OK(ck_system_device_get_affinity(gpu, 0, words, 2));
  CHECK(words[0] == number("nvmlDeviceGetCpuAffinity", 2) && words[1] == 0);
  CHECK_OK(ck_system_device_get_affinity(gpu, 1, words, 2));
  CHECK(words[0] == number("nvmlDeviceGetMemoryAffinity", 2));
  CHECK_OK(ck_system_device_get_topology(gpu, gpu, &topology));
  CHECK((unsigned)topology == number("nvmlDeviceGetTopologyCommonAncestor", 2));
  CHECK_OK(ck_system_device_get_peer_status(gpu, gpu, CK_PEER_NVLINK, &status));
  CHECK((unsigned)status == number("nvmlDeviceGetP2PStatus", 3));
  CHECK_OK(ck_system_device_get_link_bus_id(gpu, 0, bus_id, sizeof bus_id));
  CHECK(!strcmp(bus_id, "00000000:3B:00.0"));
  CHECK_STATUS(ck_system_device_get_link_bus_id(gpu, 0, bus_id, 4), CK_INVALID_ARGUMENT);
  fail(1, NVML_not_supported);
  CHECK_STATUS(ck_system_device_get_affinity(gpu, 0, words, 2), CK_UNSUPPORTED);
  fail(1, NVML_not_supported);
  CHECK_STATUS(ck_system_device_get_topology(gpu, gpu, &topology), CK_UNSUPPORTED);
  fail(1, NVML_not_supported);
  CHECK_STATUS(ck_system_device_get_peer_status(gpu, gpu, CK_PEER_READ, &status), CK_UNSUPPORTED);
  fail(1, NVML_not_supported);
  CHECK_STATUS(ck_system_device_get_link_bus_id(gpu, 0, bus_id, 32), CK_UNSUPPORTED);
}

/* Lists of the GPUs near to a GPU, and to a CPU. */
TEST(neighbours)
{
  uint32_t indices[4] = {9, 9, 9, 9};
  unsigned index = number("nvmlDeviceGetIndex", 1);
  size_t count;
  CHECK_OK(ck_system_device_get_nearest(gpu, CK_TOPOLOGY_NODE, indices, 4, &count));
  CHECK(count == 2 && indices[0] == index && indices[1] == index && indices[2] == 9);
  indices[1] = 9;
  CHECK_OK(ck_system_get_devices_of_cpu(3, indices, 1, &count));
  CHECK(count == 2 && indices[0] == index && indices[1] == 9);
  CHECK_OK(ck_system_device_get_nearest(gpu, CK_TOPOLOGY_NODE, NULL, 0, &count));
  CHECK(count == 2);
  CHECK_OK(ck_system_get_devices_of_cpu(3, NULL, 0, &count));
  CHECK(count == 2);
  for (unsigned nth = 1; nth <= 3; ++nth) {
    fail(nth, NVML_not_supported);
    CHECK_STATUS(ck_system_device_get_nearest(gpu, CK_TOPOLOGY_NODE, indices, 4, &count),
                 CK_UNSUPPORTED);
    fail(nth, NVML_unknown);
    CHECK_STATUS(ck_system_get_devices_of_cpu(3, indices, 4, &count), CK_DRIVER);
    CHECK_ERROR("GPUs of CPU 3: ");
  }
  CHECK_STATUS(ck_system_device_get_nearest(gpu, CK_TOPOLOGY_NODE, NULL, 4, &count),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_system_get_devices_of_cpu(3, NULL, 4, &count), CK_INVALID_ARGUMENT);
}

TEST(events)
{
  ck_system_events_t *events;
  ck_system_event_t event;
  CHECK_OK(ck_system_events_create(&events));
  CHECK_OK(ck_system_events_add(events, gpu, CK_SYSTEM_EVENT_XID | CK_SYSTEM_EVENT_CLOCK));
  CHECK_STATUS(ck_system_events_wait(events, 0, &event), CK_NOT_READY);
  CHECK_STATUS(ck_system_events_wait(events, -1, &event), CK_NOT_READY); /* treated as 0 */
  send_event();
  CHECK_OK(ck_system_events_wait(events, 1e12, &event));
  CHECK(event.kind == CK_SYSTEM_EVENT_XID && event.data == 31 &&
        event.device_index == number("nvmlDeviceGetIndex", 1));
  fail(1, 15);
  CHECK_STATUS(ck_system_events_wait(events, 0.1, &event), CK_UNAVAILABLE);
  fail(1, NVML_not_supported);
  CHECK_STATUS(ck_system_events_add(events, gpu, 1u << 20), CK_UNSUPPORTED);
  CHECK_ERROR("events 0x100000: Not Supported (3) from nvmlDeviceRegisterEvents");
  CHECK(ck_system_events_retain(events) == events);
  ck_system_events_release(events);
  ck_system_events_release(events);
  fail(1, NVML_unknown);
  CHECK_STATUS(ck_system_events_create(&events), CK_DRIVER);
  CHECK(events == NULL);
}

TEST(machine_events)
{
  ck_machine_events_t *events;
  ck_machine_event_t found[2];
  size_t count = 9;
  CHECK_OK(ck_machine_events_create(CK_MACHINE_EVENT_UNBIND, &events));
  CHECK_STATUS(ck_machine_events_wait(events, 0.5, found, 2, &count), CK_NOT_READY);
  CHECK_STATUS(ck_machine_events_wait(events, 0, found, 2, &count), CK_NOT_READY);
  CHECK(count == 0);
  CHECK(send_machine_events(3) == 1);
  CHECK_OK(ck_machine_events_wait(events, 1e12, found, 2, &count));
  CHECK(count == 2 && found[1].kind == CK_MACHINE_EVENT_UNBIND && found[1].pci_id == 0x3b00);
  CHECK_OK(ck_machine_events_wait(events, 0, found, 2, &count));
  CHECK(count == 1);
  fail(1, NVML_unknown);
  CHECK_STATUS(ck_machine_events_wait(events, 0.1, found, 1, &count), CK_DRIVER);
  CHECK_ERROR("the machine's events: Some Error (999) from nvmlSystemEventSetWait");
  CHECK_STATUS(ck_machine_events_wait(events, 0.1, found, 0, &count), CK_INVALID_ARGUMENT);
  CHECK(ck_machine_events_retain(events) == events);
  ck_machine_events_release(events);
  ck_machine_events_release(events);
  CHECK(send_machine_events(0) == 0);
}

/* Events that NVML lacks, or accepts only once per process. */
TEST(machine_events_that_are_refused)
{
  ck_machine_events_t *events;
  CHECK_STATUS(ck_machine_events_create(0, &events), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_machine_events_create(5, &events), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the machine's events are 0x5: unknown bits are set");
  fail(2, NVML_not_supported);
  CHECK_STATUS(ck_machine_events_create(3, &events), CK_UNSUPPORTED);
  CHECK_ERROR("the machine's events 0x3: Not Supported (3) from nvmlSystemRegisterEvents");
  fail(2, NVML_unknown);
  CHECK_STATUS(ck_machine_events_create(3, &events), CK_DRIVER);
  CHECK(events == NULL && send_machine_events(0) == 0);
}

static void open_fake(void)
{
  Arena scratch = {0};
  const char *folder = path_of_code(&scratch, &gpu);
  const char *path = arena_printf(&scratch, "%s/libnvml_fake.so", folder ? folder : ".");
  setenv("CK_LIBNVML", path, 1);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    abort();
  }
  *(void **)&fail = dlsym(library, "fake_nvml_fail");
  *(void **)&number = dlsym(library, "fake_nvml_number");
  *(void **)&send_event = dlsym(library, "fake_nvml_send_event");
  *(void **)&say = dlsym(library, "fake_nvml_say");
  *(void **)&send_machine_events = dlsym(library, "fake_nvml_send_machine_events");
  arena_free(&scratch);
}

int main(void)
{
  open_fake();
  CHECK_OK(ck_system_device_open(0, &gpu));
  run_all();
  ck_system_device_release(gpu);
  return tests_report();
}
