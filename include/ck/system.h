/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/system.h - what NVIDIA's management library (NVML) tells of GPUs: load, memory, power,
 * temperature, clocks, errors, links, processes, events.
 *
 *   ck_system_device_open(0, &device);
 *   ck_system_device_get(device, CK_SYSTEM_POWER, 0, &milliwatts);
 *
 * It reads, and nothing else: no function here changes clocks, power limits, modes or MIG, or
 * resets anything. libnvidia-ml.so.1 is opened when it is first needed, never linked; it needs
 * neither a context nor CUDA. What a GPU, a machine or an older driver does not have is
 * CK_UNSUPPORTED, with the name of it, and so is what needs rights that the process lacks. Without
 * the library: CK_UNAVAILABLE. The host device has none of this. Any function may be called on any
 * thread.
 */
#ifndef CK_SYSTEM_H
#define CK_SYSTEM_H

#include "ck/device.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A GPU, or a part of one by MIG, as NVML knows it. */
typedef struct ck_system_device ck_system_device_t;
typedef struct ck_system_events ck_system_events_t;

/* ---- the machine --------------------------------------------------------------------------- */

typedef struct ck_system_versions {
  char driver[80]; /* "580.82.07" */
  char nvml[80];   /* "13.580.82.07" */
  int cuda;        /* that the driver has: 13000 is 13.0 */
} ck_system_versions_t;

CK_API ck_status_t ck_system_get_versions(ck_system_versions_t *out_versions);

/* The branch of the driver, "r580_00" or the like, as far as it fits into `room` bytes.
 *
 * fails    CK_UNSUPPORTED with an older driver
 */
CK_API ck_status_t ck_system_get_driver_branch(char *text, size_t room);

/* GPUs of the machine, also those that CUDA_VISIBLE_DEVICES hides. */
CK_API ck_status_t ck_system_get_device_count(uint32_t *out_count);

/* The name of a process, as far as it fits into `room` bytes.
 *
 * fails    CK_NOT_FOUND: there is no such process
 */
CK_API ck_status_t ck_system_get_process_name(uint32_t pid, char *text, size_t room);

/* ---- devices ------------------------------------------------------------------------------- */

/* By NVML's number, which is in the order of the bus and need not be CUDA's; by "GPU-...", or
 * "MIG-..."; by a bus id as "00000000:3B:00.0" or "3b:00.0".
 *
 * fails    CK_NOT_FOUND, CK_INVALID_ARGUMENT: there is none; CK_UNAVAILABLE
 */
CK_API ck_status_t ck_system_device_open(uint32_t index, ck_system_device_t **out_device);
CK_API ck_status_t ck_system_device_open_uuid(const char *uuid, ck_system_device_t **out_device);
CK_API ck_status_t ck_system_device_open_bus_id(const char *bus_id,
                                                ck_system_device_t **out_device);

/* A MIG device of a GPU; there are gaps in the indices, below CK_SYSTEM_MIG_MAX_DEVICES. */
CK_API ck_status_t ck_system_device_open_mig(ck_system_device_t *parent, uint32_t index,
                                             ck_system_device_t **out_device);

/* The GPU that a device of the runtime is, by its UUID. CK_UNSUPPORTED for the host device. */
CK_API ck_status_t ck_system_device_from_device(ck_device_t *device,
                                                ck_system_device_t **out_device);

/* Opens the device of the runtime that a GPU, or a part of one by MIG, is, by its UUID: the other
 * way round. The caller's, as of ck_device_open.
 *
 * fails    CK_NOT_FOUND: CUDA has no such device, as of a GPU that CUDA_VISIBLE_DEVICES hides or
 *          that is split by MIG; CK_UNAVAILABLE without CUDA's driver; as ck_device_open
 */
CK_API ck_status_t ck_device_from_system_device(ck_system_device_t *device,
                                                ck_device_t **out_device);

CK_API ck_system_device_t *ck_system_device_retain(ck_system_device_t *device);
CK_API void ck_system_device_release(ck_system_device_t *device);

CK_API const char *ck_system_device_name(const ck_system_device_t *device);
CK_API void *ck_system_device_native(const ck_system_device_t *device); /* the nvmlDevice_t */

/* ---- numbers and texts --------------------------------------------------------------------- */

typedef enum ck_system_query {
/* clang-format off */
#define CK_SYSTEM_QUERY(name, value, unit, per, call) CK_SYSTEM_##name = value,
#include "ck/system_queries.def"
  /* clang-format on */
  CK_SYSTEM_QUERY_FORCE_INT = 0x7fffffff
} ck_system_query_t;

typedef enum ck_system_text {
/* clang-format off */
#define CK_SYSTEM_TEXT(name, value, call) CK_SYSTEM_TEXT_##name = value,
#include "ck/system_queries.def"
  /* clang-format on */
  CK_SYSTEM_TEXT_FORCE_INT = 0x7fffffff
} ck_system_text_t;

/* Bits of CK_SYSTEM_THROTTLE_REASONS: why clocks are below what they could be. */
#define CK_THROTTLE_IDLE           0x001u
#define CK_THROTTLE_APPLICATION    0x002u /* clocks that were asked for */
#define CK_THROTTLE_POWER          0x004u /* the power limit */
#define CK_THROTTLE_HARDWARE       0x008u /* temperature, or the power brake */
#define CK_THROTTLE_SYNC_BOOST     0x010u
#define CK_THROTTLE_THERMAL        0x020u /* temperature, by the driver */
#define CK_THROTTLE_THERMAL_HARD   0x040u /* temperature, by the hardware */
#define CK_THROTTLE_POWER_BRAKE    0x080u
#define CK_THROTTLE_DISPLAY_CLOCKS 0x100u

/* Asks for a number.
 *
 * index      of a fan or link, where the query is of one; 0 otherwise
 * out_value  in the unit that ck_system_query_unit says
 * fails      CK_INVALID_ARGUMENT: there is no such query or index; CK_UNSUPPORTED; CK_UNAVAILABLE
 *            once the GPU is lost
 */
CK_API ck_status_t ck_system_device_get(ck_system_device_t *device, ck_system_query_t query,
                                        uint32_t index, int64_t *out_value);

/* Asks for a text, with its NUL at most `room` bytes.
 *
 * fails      CK_INVALID_ARGUMENT if it does not fit: 96 bytes are enough for each; CK_UNSUPPORTED
 */
CK_API ck_status_t ck_system_device_get_text(ck_system_device_t *device, ck_system_text_t query,
                                             char *text, size_t room);

/* "power_limit", and "mW"; NULL for a foreign number. A name lives until the thread's next call. */
CK_API const char *ck_system_query_name(ck_system_query_t query);
CK_API const char *ck_system_query_unit(ck_system_query_t query);
CK_API const char *ck_system_text_name(ck_system_text_t query);

/* How many indices a query has on a device: its fans or links, else 1; 0 if it has none. */
CK_API uint32_t ck_system_query_count(ck_system_device_t *device, ck_system_query_t query);

/* One of NVML's fields (NVML_FI_*), of which there are hundreds: counters of links, samples of
 * power.
 *
 * scope      which link or sensor, for fields that have one; 0 otherwise
 * out_value  as NVML has it; whole numbers up to 2^53 exactly
 */
CK_API ck_status_t ck_system_device_get_field(ck_system_device_t *device, uint32_t field,
                                              uint32_t scope, double *out_value);

/* ---- lists --------------------------------------------------------------------------------- */

/* Clocks that can be chosen, in MHz, largest first: of the memory, or of the multiprocessors with
 * memory at `memory_mhz`.
 *
 * memory_mhz  0: the memory's
 * clocks      `room` of them; NULL with 0 to count
 * out_count   how many there are, also if there is room for fewer
 */
CK_API ck_status_t ck_system_device_get_clocks(ck_system_device_t *device, uint32_t memory_mhz,
                                               uint32_t *clocks, size_t room, size_t *out_count);

typedef enum ck_process_kind {
  CK_PROCESS_COMPUTE = 0,
  CK_PROCESS_GRAPHICS = 1,
  CK_PROCESS_MPS = 2 /* clients of MPS */
} ck_process_kind_t;

typedef struct ck_system_process {
  uint32_t pid;
  uint32_t gpu_instance, compute_instance; /* of MIG; UINT32_MAX: none */
  uint64_t memory;                         /* bytes of the device; UINT64_MAX: not known */
} ck_system_process_t;

/* Processes that have a context on the device; the process itself among them. */
CK_API ck_status_t ck_system_device_get_processes(ck_system_device_t *device,
                                                  ck_process_kind_t kind,
                                                  ck_system_process_t *processes, size_t room,
                                                  size_t *out_count);

/* ---- where it is --------------------------------------------------------------------------- */

/* The CPUs, or with `is_memory` the NUMA nodes, that are near the device: bit i of word i / 64. */
CK_API ck_status_t ck_system_device_get_affinity(ck_system_device_t *device, int is_memory,
                                                 uint64_t *words, size_t word_count);

/* What lies between two GPUs; the numbers are NVML's. */
typedef enum ck_topology {
  CK_TOPOLOGY_SAME_BOARD = 0,
  CK_TOPOLOGY_ONE_SWITCH = 10, /* of PCIe */
  CK_TOPOLOGY_SWITCHES = 20,
  CK_TOPOLOGY_HOST_BRIDGE = 30,
  CK_TOPOLOGY_NODE = 40,   /* one NUMA node */
  CK_TOPOLOGY_SYSTEM = 50, /* the link between nodes */
  CK_TOPOLOGY_FORCE_INT = 0x7fffffff
} ck_topology_t;

CK_API ck_status_t ck_system_device_get_topology(ck_system_device_t *device,
                                                 ck_system_device_t *other,
                                                 ck_topology_t *out_topology);

/* The GPUs that are `level` away from a GPU, and those that a CPU is near to, by NVML's numbers.
 *
 * indices    room for `room` numbers; NULL and 0: only counts
 * out_count  how many there are, more than `room` perhaps
 * fails      CK_UNSUPPORTED
 */
CK_API ck_status_t ck_system_device_get_nearest(ck_system_device_t *device, ck_topology_t level,
                                                uint32_t *indices, size_t room, size_t *out_count);
CK_API ck_status_t ck_system_get_devices_of_cpu(uint32_t cpu, uint32_t *indices, size_t room,
                                                size_t *out_count);

/* What one GPU can do with the memory of another; the numbers are NVML's. */
typedef enum ck_peer_ability {
  CK_PEER_READ = 0,
  CK_PEER_WRITE = 1,
  CK_PEER_NVLINK = 2,
  CK_PEER_ATOMICS = 3,
  CK_PEER_PCI = 4,
  CK_PEER_FORCE_INT = 0x7fffffff
} ck_peer_ability_t;

/* out_status  0: it can; otherwise NVML_P2P_STATUS_*, why not */
CK_API ck_status_t ck_system_device_get_peer_status(ck_system_device_t *device,
                                                    ck_system_device_t *other,
                                                    ck_peer_ability_t ability, int *out_status);

/* The bus id of what is at the other end of an NVLink; 32 bytes are enough. */
CK_API ck_status_t ck_system_device_get_link_bus_id(ck_system_device_t *device, uint32_t link,
                                                    char *text, size_t room);

/* ---- events -------------------------------------------------------------------------------- */

#define CK_SYSTEM_EVENT_ECC_SINGLE         0x0001u
#define CK_SYSTEM_EVENT_ECC_DOUBLE         0x0002u
#define CK_SYSTEM_EVENT_PERFORMANCE_STATE  0x0004u
#define CK_SYSTEM_EVENT_XID                0x0008u /* an error of a kernel or the hardware */
#define CK_SYSTEM_EVENT_CLOCK              0x0010u
#define CK_SYSTEM_EVENT_POWER_SOURCE       0x0080u
#define CK_SYSTEM_EVENT_MIG                0x0100u
#define CK_SYSTEM_EVENT_ECC_STORM          0x0200u
#define CK_SYSTEM_EVENT_RETIREMENT         0x0400u
#define CK_SYSTEM_EVENT_RETIREMENT_FAILURE 0x0800u

typedef struct ck_system_event {
  uint32_t device_index;                   /* NVML's number of the GPU; UINT32_MAX: not known */
  uint32_t kind;                           /* a CK_SYSTEM_EVENT_* */
  uint64_t data;                           /* the number of an XID */
  uint32_t gpu_instance, compute_instance; /* of MIG; UINT32_MAX: none */
} ck_system_event_t;

/* Makes a set of events of no device. */
CK_API ck_status_t ck_system_events_create(ck_system_events_t **out_events);
CK_API ck_system_events_t *ck_system_events_retain(ck_system_events_t *events);
CK_API void ck_system_events_release(ck_system_events_t *events);

/* Adds kinds of events of a device.
 *
 * kinds    of CK_SYSTEM_EVENTS_SUPPORTED
 * fails    CK_UNSUPPORTED if it has one of them not
 */
CK_API ck_status_t ck_system_events_add(ck_system_events_t *events, ck_system_device_t *device,
                                        uint32_t kinds);

/* Waits for the next event.
 *
 * seconds  at most; 0 or less looks whether there is one
 * fails    CK_NOT_READY if none came, which leaves ck_last_error() as it was; CK_UNAVAILABLE once a
 *          GPU is lost
 * threads  one at a time
 */
CK_API ck_status_t ck_system_events_wait(ck_system_events_t *events, double seconds,
                                         ck_system_event_t *out_event);

/* ---- events of the machine ----------------------------------------------------------------- */

#define CK_MACHINE_EVENT_UNBIND 1u /* the driver gives a GPU up */
#define CK_MACHINE_EVENT_BIND   2u /* the driver takes a GPU */

typedef struct ck_machine_event {
  uint32_t kind;   /* a CK_MACHINE_EVENT_* */
  uint32_t pci_id; /* of the GPU, as NVML has it */
} ck_machine_event_t;

typedef struct ck_machine_events ck_machine_events_t;

/* Watches the machine from now on.
 *
 * kinds    CK_MACHINE_EVENT_*
 * fails    CK_UNSUPPORTED where NVML has no such events, as an older one and that of WSL; CK_DRIVER
 *          if the process has watched already: NVML lets it do so once
 */
CK_API ck_status_t ck_machine_events_create(uint32_t kinds, ck_machine_events_t **out_events);
CK_API ck_machine_events_t *ck_machine_events_retain(ck_machine_events_t *events);
CK_API void ck_machine_events_release(ck_machine_events_t *events);

/* Waits for the next events.
 *
 * seconds    at most; 0 or less looks whether there are some
 * found      room for 1 or more; what is left is for the next call
 * out_count  how many came
 * fails      CK_NOT_READY if none came, which leaves ck_last_error() as it was
 * threads    one at a time
 */
CK_API ck_status_t ck_machine_events_wait(ck_machine_events_t *events, double seconds,
                                          ck_machine_event_t *found, size_t room,
                                          size_t *out_count);

#ifdef __cplusplus
}
#endif
#endif
