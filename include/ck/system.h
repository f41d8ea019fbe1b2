/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/system.h - reads the state of GPUs from NVIDIA's management library (NVML): load, memory,
 * power, temperature, clocks, errors, links, processes, events.
 *
 *   ck_system_device_open(0, &device);
 *   ck_system_device_get(device, CK_SYSTEM_POWER, 0, &milliwatts);
 *
 * Functions here only read: none changes clocks, power limits, modes or MIG, or resets a GPU.
 * libnvidia-ml.so.1 is opened at its first use and never linked; it needs neither a context nor
 * CUDA. A query that the GPU, the machine or the driver does not support is CK_UNSUPPORTED with its
 * name, and so is one for which the process lacks the rights. Without the library all functions are
 * CK_UNAVAILABLE. The host device has no NVML device. Any function may be called on any thread.
 *
 * source  NVML API Reference
 */
#ifndef CK_SYSTEM_H
#define CK_SYSTEM_H

#include "ck/device.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A GPU, or a MIG device, as NVML knows it. */
typedef struct ck_system_device ck_system_device_t;
typedef struct ck_system_events ck_system_events_t;

/* ---- the machine --------------------------------------------------------------------------- */

typedef struct ck_system_versions {
  char driver[80]; /* "580.82.07" */
  char nvml[80];   /* "13.580.82.07" */
  int cuda;        /* CUDA version of the driver: 13000 is 13.0 */
} ck_system_versions_t;

CK_API ck_status_t ck_system_get_versions(ck_system_versions_t *out_versions);

/* The branch of the driver, such as "r580_00", truncated to `room` bytes.
 *
 * fails    CK_UNSUPPORTED with an older driver
 */
CK_API ck_status_t ck_system_get_driver_branch(char *text, size_t room);

/* The number of GPUs in the machine, including those that CUDA_VISIBLE_DEVICES hides. */
CK_API ck_status_t ck_system_get_device_count(uint32_t *out_count);

/* The name of a process, truncated to `room` bytes.
 *
 * fails    CK_NOT_FOUND: there is no such process
 */
CK_API ck_status_t ck_system_get_process_name(uint32_t pid, char *text, size_t room);

/* ---- devices ------------------------------------------------------------------------------- */

/* Opens a device by NVML's index, which follows the PCI bus order and can differ from CUDA's
 * ordinal; by UUID, "GPU-..." or "MIG-..."; or by PCI address, "00000000:3B:00.0" or "3b:00.0".
 *
 * fails    CK_NOT_FOUND, CK_INVALID_ARGUMENT: there is no such device; CK_UNAVAILABLE
 */
CK_API ck_status_t ck_system_device_open(uint32_t index, ck_system_device_t **out_device);
CK_API ck_status_t ck_system_device_open_uuid(const char *uuid, ck_system_device_t **out_device);
CK_API ck_status_t ck_system_device_open_bus_id(const char *bus_id,
                                                ck_system_device_t **out_device);

/* Opens a MIG device of a GPU. The indices have gaps and are below CK_SYSTEM_MIG_MAX_DEVICES. */
CK_API ck_status_t ck_system_device_open_mig(ck_system_device_t *parent, uint32_t index,
                                             ck_system_device_t **out_device);

/* Opens the NVML device of a device of the runtime, by its UUID. CK_UNSUPPORTED for the host
 * device. */
CK_API ck_status_t ck_system_device_from_device(ck_device_t *device,
                                                ck_system_device_t **out_device);

/* Opens the runtime's device of a GPU or a MIG device, by its UUID. The caller owns it, as for
 * ck_device_open.
 *
 * fails    CK_NOT_FOUND: CUDA does not show the device, for example because CUDA_VISIBLE_DEVICES
 *          hides it or because it is split by MIG; CK_UNAVAILABLE without CUDA's driver; as
 *          ck_device_open
 */
CK_API ck_status_t ck_device_from_system_device(ck_system_device_t *device,
                                                ck_device_t **out_device);

CK_API ck_system_device_t *ck_system_device_retain(ck_system_device_t *device);
CK_API void ck_system_device_release(ck_system_device_t *device);

CK_API const char *ck_system_device_name(const ck_system_device_t *device);
CK_API void *ck_system_device_native(const ck_system_device_t *device); /* the nvmlDevice_t */

/* ---- numbers and strings ------------------------------------------------------------------- */

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

/* Bits of CK_SYSTEM_THROTTLE_REASONS: why clocks are below their maximum. */
#define CK_THROTTLE_IDLE           0x001u
#define CK_THROTTLE_APPLICATION    0x002u /* limited by requested application clocks */
#define CK_THROTTLE_POWER          0x004u /* the power limit */
#define CK_THROTTLE_HARDWARE       0x008u /* temperature limit, or the power brake */
#define CK_THROTTLE_SYNC_BOOST     0x010u
#define CK_THROTTLE_THERMAL        0x020u /* temperature limit, by the driver */
#define CK_THROTTLE_THERMAL_HARD   0x040u /* temperature limit, by the hardware */
#define CK_THROTTLE_POWER_BRAKE    0x080u
#define CK_THROTTLE_DISPLAY_CLOCKS 0x100u

/* Queries a number.
 *
 * index      of a fan or link, for queries of these; 0 otherwise
 * out_value  in the unit that ck_system_query_unit names
 * fails      CK_INVALID_ARGUMENT: there is no such query or index; CK_UNSUPPORTED; CK_UNAVAILABLE
 *            after the GPU has fallen off the bus
 */
CK_API ck_status_t ck_system_device_get(ck_system_device_t *device, ck_system_query_t query,
                                        uint32_t index, int64_t *out_value);

/* Queries a text; with its NUL it has at most `room` bytes.
 *
 * fails      CK_INVALID_ARGUMENT if it does not fit: 96 bytes are enough for each; CK_UNSUPPORTED
 */
CK_API ck_status_t ck_system_device_get_text(ck_system_device_t *device, ck_system_text_t query,
                                             char *text, size_t room);

/* The name and the unit of a query, such as "power_limit" and "mW"; NULL for a number that is no
 * query. A name is valid until the next call on this thread. */
CK_API const char *ck_system_query_name(ck_system_query_t query);
CK_API const char *ck_system_query_unit(ck_system_query_t query);
CK_API const char *ck_system_text_name(ck_system_text_t query);

/* The number of indices of a query on a device: its fans or links, else 1; 0 if the device has
 * none. */
CK_API uint32_t ck_system_query_count(ck_system_device_t *device, ck_system_query_t query);

/* Queries one of NVML's numbered fields (NVML_FI_*), such as link counters and power samples.
 *
 * scope      the link or sensor, for fields that have one; 0 otherwise
 * out_value  in NVML's unit; integers up to 2^53 are exact
 */
CK_API ck_status_t ck_system_device_get_field(ck_system_device_t *device, uint32_t field,
                                              uint32_t scope, double *out_value);

/* ---- lists --------------------------------------------------------------------------------- */

/* The supported clocks, in MHz, largest first: of the memory, or of the multiprocessors with memory
 * at `memory_mhz`.
 *
 * memory_mhz  0: those of the memory
 * clocks      room for `room`; NULL with 0 to count
 * out_count   how many there are, even if there is room for fewer
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

/* The processes that have a context on the device, including the calling one. */
CK_API ck_status_t ck_system_device_get_processes(ck_system_device_t *device,
                                                  ck_process_kind_t kind,
                                                  ck_system_process_t *processes, size_t room,
                                                  size_t *out_count);

/* ---- affinity and topology ----------------------------------------------------------------- */

/* The CPUs, or with `is_memory` the NUMA nodes, that are closest to the device: bit i of word i /
 * 64. */
CK_API ck_status_t ck_system_device_get_affinity(ck_system_device_t *device, int is_memory,
                                                 uint64_t *words, size_t word_count);

/* The connection between two GPUs; the numbers are NVML's. */
typedef enum ck_topology {
  CK_TOPOLOGY_SAME_BOARD = 0,
  CK_TOPOLOGY_ONE_SWITCH = 10, /* one PCIe switch */
  CK_TOPOLOGY_SWITCHES = 20,
  CK_TOPOLOGY_HOST_BRIDGE = 30,
  CK_TOPOLOGY_NODE = 40,   /* within one NUMA node */
  CK_TOPOLOGY_SYSTEM = 50, /* across the link between NUMA nodes */
  CK_TOPOLOGY_FORCE_INT = 0x7fffffff
} ck_topology_t;

CK_API ck_status_t ck_system_device_get_topology(ck_system_device_t *device,
                                                 ck_system_device_t *other,
                                                 ck_topology_t *out_topology);

/* The GPUs at distance `level` from a GPU, and the GPUs that are close to a CPU, by NVML's indices.
 *
 * indices    room for `room` numbers; NULL and 0 to count
 * out_count  how many there are, which can exceed `room`
 * fails      CK_UNSUPPORTED
 */
CK_API ck_status_t ck_system_device_get_nearest(ck_system_device_t *device, ck_topology_t level,
                                                uint32_t *indices, size_t room, size_t *out_count);
CK_API ck_status_t ck_system_get_devices_of_cpu(uint32_t cpu, uint32_t *indices, size_t room,
                                                size_t *out_count);

/* How one GPU can access the memory of another; the numbers are NVML's. */
typedef enum ck_peer_ability {
  CK_PEER_READ = 0,
  CK_PEER_WRITE = 1,
  CK_PEER_NVLINK = 2,
  CK_PEER_ATOMICS = 3,
  CK_PEER_PCI = 4,
  CK_PEER_FORCE_INT = 0x7fffffff
} ck_peer_ability_t;

/* Whether a GPU has an ability on the memory of another.
 *
 * out_status  0: yes; otherwise NVML_P2P_STATUS_*, the reason why not
 */
CK_API ck_status_t ck_system_device_get_peer_status(ck_system_device_t *device,
                                                    ck_system_device_t *other,
                                                    ck_peer_ability_t ability, int *out_status);

/* The PCI address of the device at the other end of an NVLink; 32 bytes are enough. */
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

/* Makes an empty set of events to wait for. */
CK_API ck_status_t ck_system_events_create(ck_system_events_t **out_events);
CK_API ck_system_events_t *ck_system_events_retain(ck_system_events_t *events);
CK_API void ck_system_events_release(ck_system_events_t *events);

/* Adds kinds of events of a device to the set.
 *
 * kinds    among CK_SYSTEM_EVENTS_SUPPORTED
 * fails    CK_UNSUPPORTED if the device lacks one of them
 */
CK_API ck_status_t ck_system_events_add(ck_system_events_t *events, ck_system_device_t *device,
                                        uint32_t kinds);

/* Waits for the next event.
 *
 * seconds  time limit; 0 or less: does not wait
 * fails    CK_NOT_READY if there was no event, which leaves ck_last_error() unchanged;
 *          CK_UNAVAILABLE after a GPU has fallen off the bus
 * threads  one at a time
 */
CK_API ck_status_t ck_system_events_wait(ck_system_events_t *events, double seconds,
                                         ck_system_event_t *out_event);

/* ---- events of the machine ----------------------------------------------------------------- */

#define CK_MACHINE_EVENT_UNBIND 1u /* the driver releases a GPU */
#define CK_MACHINE_EVENT_BIND   2u /* the driver takes over a GPU */

typedef struct ck_machine_event {
  uint32_t kind;   /* a CK_MACHINE_EVENT_* */
  uint32_t pci_id; /* of the GPU, in NVML's encoding */
} ck_machine_event_t;

typedef struct ck_machine_events ck_machine_events_t;

/* Starts to watch GPUs that are bound to and unbound from the driver.
 *
 * kinds    CK_MACHINE_EVENT_*
 * fails    CK_UNSUPPORTED where NVML has no such events: older versions, and WSL; CK_DRIVER if the
 *          process has called it before, since NVML allows it once
 */
CK_API ck_status_t ck_machine_events_create(uint32_t kinds, ck_machine_events_t **out_events);
CK_API ck_machine_events_t *ck_machine_events_retain(ck_machine_events_t *events);
CK_API void ck_machine_events_release(ck_machine_events_t *events);

/* Waits for the next events.
 *
 * seconds    time limit; 0 or less: does not wait
 * found      room for 1 or more; events that don't fit are kept for the next call
 * out_count  how many were stored
 * fails      CK_NOT_READY if there was no event, which leaves ck_last_error() unchanged
 * threads    one at a time
 */
CK_API ck_status_t ck_machine_events_wait(ck_machine_events_t *events, double seconds,
                                          ck_machine_event_t *found, size_t room,
                                          size_t *out_count);

#ifdef __cplusplus
}
#endif
#endif
