/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvml.h - the part of NVML's interface that is used, so that a build needs no header of NVIDIA's.
 *
 * Layouts are those that NVIDIA documents for NVML 12 and 13.0. A struct with a version field has
 * its size in the low 24 bits of that field, and the version in the bits above.
 */
#ifndef CK_NVML_H
#define CK_NVML_H

#include "core/error.h"

typedef struct NvmlDeviceObject *NvmlDevice;
typedef struct NvmlEventSetObject *NvmlEventSet;

typedef enum NvmlResult {
  NVML_success = 0,
  NVML_invalid_argument = 2,
  NVML_not_supported = 3,
  NVML_no_permission = 4,
  NVML_not_found = 6,
  NVML_insufficient_size = 7,
  NVML_driver_not_loaded = 9,
  NVML_timeout = 10,
  NVML_library_not_found = 12,
  NVML_function_not_found = 13,
  NVML_memory = 20,
  NVML_argument_version_mismatch = 25,
  NVML_gpu_not_found = 28,
  NVML_unknown = 999
} NvmlResult;

#define NVML_VERSION(type, number) ((unsigned)(sizeof(type) | (number) << 24))

typedef struct NvmlMemory { /* nvmlMemory_v2_t */
  unsigned version;
  unsigned long long total, reserved, free, used; /* bytes */
} NvmlMemory;

typedef struct NvmlBar1 {
  unsigned long long total, free, used; /* bytes */
} NvmlBar1;

typedef struct NvmlLoad {
  unsigned gpu, memory; /* percent */
} NvmlLoad;

typedef struct NvmlViolation {
  unsigned long long reference, violation; /* microseconds since the epoch; nanoseconds */
} NvmlViolation;

typedef struct NvmlMargin { /* nvmlMarginTemperature_v1_t */
  unsigned version;
  int degrees;
} NvmlMargin;

typedef struct NvmlTurns { /* nvmlFanSpeedInfo_v1_t */
  unsigned version, fan, speed;
} NvmlTurns;

typedef struct NvmlBranch { /* nvmlSystemDriverBranchInfo_v1_t */
  unsigned version;
  char text[80];
} NvmlBranch;

typedef struct NvmlAddressing { /* nvmlDeviceAddressingMode_v1_t */
  unsigned version, mode;
} NvmlAddressing;

typedef struct NvmlRepair {         /* nvmlRepairStatus_v1_t */
  unsigned version, channels, tpcs; /* pending: 0 or 1 */
} NvmlRepair;

typedef struct NvmlBanks {
  unsigned max, high, partial, low, none;
} NvmlBanks;

typedef struct NvmlParts { /* nvmlDeviceAttributes_t */
  unsigned multiprocessors, copy_engines, decoders, encoders, jpegs, ofas, gpu_slices,
      compute_slices;
  unsigned long long memory_mib;
} NvmlParts;

enum { NVML_BUS_ID_BYTES = 32, NVML_GSP_VERSION_BYTES = 64 };

typedef struct NvmlPci {
  char legacy_bus_id[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[NVML_BUS_ID_BYTES];
} NvmlPci;

typedef struct NvmlProcess { /* nvmlProcessInfo_v2_t, which _v3 functions have as well */
  unsigned pid;
  unsigned long long memory; /* bytes; all ones: not known */
  unsigned gpu_instance, compute_instance;
} NvmlProcess;

typedef struct NvmlField {
  unsigned id, scope;
  long long timestamp, latency; /* microseconds */
  unsigned type;                /* of the value: 0 double, 1 unsigned, ... 6 unsigned short */
  NvmlResult result;
  union {
    double d;
    unsigned u;
    unsigned long ul;
    unsigned long long ull;
    long long sll;
    int i;
    unsigned short us;
  } value;
} NvmlField;

typedef struct NvmlEvent {
  NvmlDevice device;
  unsigned long long kind, data;
  unsigned gpu_instance, compute_instance;
} NvmlEvent;

typedef struct NvmlMachineSet { /* nvmlSystemEventSetCreateRequest_v1_t, ...FreeRequest_v1_t */
  unsigned version;
  struct NvmlMachineSetObject *set;
} NvmlMachineSet;

typedef struct NvmlMachineKinds { /* nvmlSystemRegisterEventRequest_v1_t */
  unsigned version;
  unsigned long long kinds;
  struct NvmlMachineSetObject *set;
} NvmlMachineKinds;

typedef struct NvmlMachineEvent { /* nvmlSystemEventData_v1_t */
  unsigned long long kind;
  unsigned gpu_id;
} NvmlMachineEvent;

typedef struct NvmlMachineWait { /* nvmlSystemEventSetWaitRequest_v1_t */
  unsigned version, milliseconds;
  struct NvmlMachineSetObject *set;
  NvmlMachineEvent *events;
  unsigned room, count;
} NvmlMachineWait;

_Static_assert(sizeof(NvmlMachineSet) == 16 && sizeof(NvmlMachineKinds) == 24 &&
                   sizeof(NvmlMachineEvent) == 16 && sizeof(NvmlMachineWait) == 32,
               "NVML's layouts of the machine's events");
_Static_assert(sizeof(NvmlMemory) == 40 && sizeof(NvmlPci) == 68 && sizeof(NvmlProcess) == 24 &&
                   sizeof(NvmlField) == 40 && sizeof(NvmlEvent) == 32 && sizeof(NvmlParts) == 40,
               "NVML's layouts");

typedef struct Nvml {
#define NVML_FN(name, parameters) NvmlResult(*name) parameters;
#include "nvml.def"
  const char *(*nvmlErrorString)(NvmlResult result); /* or NULL */
} Nvml;

/* The functions by number. */
typedef enum NvmlFunction {
#define NVML_FN(name, parameters) NVML_##name,
#include "nvml.def"
} NvmlFunction;

/* Opens and initialises the library at the first call; it is never closed. $CK_LIBNVML names
 * another library than libnvidia-ml.so.1. CK_UNAVAILABLE without the library or the driver. */
ck_status_t nvml_open(const Nvml **out_nvml);

/* Records a failed call of `function` about `what`. */
ck_status_t nvml_report(const Nvml *nvml, NvmlResult result, const char *what,
                        NvmlFunction function);

#endif
