/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* system_gpu.c - prints all that the machine's NVML tells of its GPUs, and checks what has to hold.
 * Without NVML it says why, and is skipped; system.c has a library of its own. */
#include "both.h"

static void show_numbers(ck_system_device_t *gpu)
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

static void show_texts(ck_system_device_t *gpu)
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

static void show_lists(ck_system_device_t *gpu)
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

static void show_place(ck_system_device_t *gpu)
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

/* The same GPU by number, UUID and bus id. */
static void check_handles(ck_system_device_t *gpu)
{
  ck_system_device_t *other = NULL;
  char text[96];
  CHECK_OK(ck_system_device_get_text(gpu, CK_SYSTEM_TEXT_UUID, text, sizeof text));
  CHECK_OK(ck_system_device_open_uuid(text, &other));
  CHECK(other && ck_system_device_native(other) == ck_system_device_native(gpu));
  ck_system_device_release(other);
  CHECK_OK(ck_system_device_get_text(gpu, CK_SYSTEM_TEXT_PCI_BUS_ID, text, sizeof text));
  CHECK_OK(ck_system_device_open_bus_id(text, &other));
  CHECK(other && ck_system_device_native(other) == ck_system_device_native(gpu));
  ck_system_device_release(other);
  CHECK(ck_system_device_open_uuid("GPU-00000000-0000-0000-0000-000000000000", &other) != CK_OK);
}

static void check_events(ck_system_device_t *gpu)
{
  ck_system_events_t *events;
  ck_system_event_t event;
  int64_t kinds = 0;
  ck_system_device_get(gpu, CK_SYSTEM_EVENTS_SUPPORTED, 0, &kinds);
  CHECK_OK(ck_system_events_create(&events));
  ck_status_t status = ck_system_events_add(events, gpu, (uint32_t)kinds);
  printf("  events 0x%x: %s\n", (unsigned)kinds, status == CK_OK ? "ok" : ck_last_error());
  if (status == CK_OK) {
    status = ck_system_events_wait(events, 0.05, &event);
    CHECK(status == CK_OK || status == CK_NOT_READY);
  }
  ck_system_events_release(events);
}

/* What CUDA says of the device, NVML does. */
static void check_device(void)
{
  ck_system_device_t *gpu = NULL;
  int major = 0, minor = 0;
  size_t free_bytes, total_bytes;
  int64_t value;
  if (ck_device_open_auto(&device) != CK_OK || ck_device_is_host(device)) return;
  if (CHECK_OK(ck_system_device_from_device(device, &gpu))) {
    CHECK(!strcmp(ck_system_device_name(gpu), ck_device_name(device)));
    CHECK_OK(ck_device_get_compute_capability(device, &major, &minor));
    CHECK_OK(ck_system_device_get(gpu, CK_SYSTEM_COMPUTE_MAJOR, 0, &value));
    CHECK(value == major);
    CHECK_OK(ck_device_get_memory(device, &free_bytes, &total_bytes));
    CHECK_OK(ck_system_device_get(gpu, CK_SYSTEM_MEMORY_TOTAL, 0, &value));
    CHECK((size_t)value >= total_bytes);
  }
  ck_system_device_release(gpu);
}

int main(void)
{
  ck_system_versions_t versions;
  uint32_t count = 0;
  if (ck_system_get_versions(&versions) == CK_UNAVAILABLE) {
    printf("0 passed, 0 failed: %s\n", ck_last_error());
    return 77;
  }
  printf("driver %s, NVML %s, CUDA %d.%d\n", versions.driver, versions.nvml, versions.cuda / 1000,
         versions.cuda % 1000 / 10);
  CHECK_OK(ck_system_get_device_count(&count));
  for (uint32_t i = 0; i < count; ++i) {
    ck_system_device_t *gpu;
    if (!CHECK_OK(ck_system_device_open(i, &gpu))) continue;
    printf("GPU %u: %s\n", i, ck_system_device_name(gpu));
    show_texts(gpu);
    show_numbers(gpu);
    show_lists(gpu);
    show_place(gpu);
    check_handles(gpu);
    check_events(gpu);
    ck_system_device_release(gpu);
  }
  for (uint32_t i = 1; i < count; ++i) show_pair(0, i);
  check_device();
  return close_both();
}
