/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* system.c - queries NVML: devices, numbers and texts by table, lists, topology, events.
 *
 * A row of system_queries.def contains the NVML call as a macro: U32(nvmlDeviceGetIndex), for
 * example. The macros are defined here. Each expands to an expression that makes one call, stores
 * its status and name in the Reading `r`, and has the queried number as its value.
 */
#include <stdio.h>
#include <string.h>

#include "ck/system.h"
#include "device/device.h"
#include "nvml.h"

/* NVML's constants: NVML_NVLINK_MAX_LINKS, NVML_MAX_GPU_PERF_PSTATES,
 * NVML_DEVICE_NAME_V2_BUFFER_SIZE and NVML_AFFINITY_SCOPE_NODE. */
enum { LINKS = 18, STATES_MOST = 16, NAME_BYTES = 96, CHOICE_MEMORY_SCOPE = 0 };

struct ck_system_device {
  Object object;
  const Nvml *nvml; /* borrowed: lives as long as the process */
  NvmlDevice native;
  char name[NAME_BYTES];
};

struct ck_system_events {
  Object object;
  const Nvml *nvml; /* borrowed */
  NvmlEventSet native;
};

/* One call of NVML: its arguments, result and status. */
typedef struct Reading {
  const Nvml *nvml;
  NvmlDevice device;
  NvmlResult result;
  NvmlFunction function;
  union {
    unsigned u[4];
    int i[2];
    unsigned long long q;
    NvmlMemory memory;
    NvmlBar1 bar1;
    NvmlLoad load;
    NvmlViolation violation;
    NvmlMargin margin;
    NvmlTurns turns;
    NvmlBanks banks;
    NvmlAddressing addressing;
    NvmlRepair repair;
    unsigned states[STATES_MOST];
    NvmlParts parts;
    NvmlPci pci;
  } out;
} Reading;

/* Calls an NVML function; one that the library lacks counts as not supported. */
#define CALL(fn, arguments)                                                                        \
  (r.function = NVML_##fn, r.result = r.nvml->fn ? r.nvml->fn arguments : NVML_function_not_found)

static ck_status_t fault(const Reading *r, const char *what)
{
  return nvml_report(r->nvml, r->result, what, r->function);
}

static ck_status_t end(const Reading *r, const char *what)
{
  return r->result == NVML_success ? CK_OK : fault(r, what);
}

/* The size of a caller's buffer, limited to what NVML's unsigned can hold. */
static unsigned text_room(size_t room)
{
  /* More than any string of NVML. */
  enum { MOST = 1 << 16 };
  return room < MOST ? (unsigned)room : MOST;
}

/* Terminates the text, whatever NVML wrote. */
static void end_text(char *text, size_t room)
{
  text[text_room(room) - 1] = 0;
}

/* Checks a caller's buffer, and empties it. */
static ck_status_t clear_text(const char *function, char *text, size_t room)
{
  CK_NEED_ARG_OF(function, text);
  if (!room) return error_argument("%s: room for 0 bytes", function);
  *text = 0;
  return CK_OK;
}

/* the machine -------------------------------------------------------------------------------- */

ck_status_t ck_system_get_versions(ck_system_versions_t *out)
{
  CK_NEED_ARG(out);
  memset(out, 0, sizeof *out);
  Reading r = {0};
  CK_TRY(nvml_open(&r.nvml));
  CALL(nvmlSystemGetDriverVersion, (out->driver, sizeof out->driver));
  CK_TRY(end(&r, "the driver's version"));
  CALL(nvmlSystemGetNVMLVersion, (out->nvml, sizeof out->nvml));
  CK_TRY(end(&r, "NVML's version"));
  end_text(out->driver, sizeof out->driver);
  end_text(out->nvml, sizeof out->nvml);
  CALL(nvmlSystemGetCudaDriverVersion_v2, (&out->cuda));
  return end(&r, "the driver's CUDA version");
}

ck_status_t ck_system_get_driver_branch(char *text, size_t room)
{
  CK_TRY(clear_text(__func__, text, room));
  Reading r = {0};
  NvmlBranch branch = {.version = NVML_VERSION(NvmlBranch, 1)};
  CK_TRY(nvml_open(&r.nvml));
  CALL(nvmlSystemGetDriverBranch, (&branch, sizeof branch.text));
  CK_TRY(end(&r, "the driver's branch"));
  snprintf(text, room, "%.*s", (int)sizeof branch.text, branch.text);
  return CK_OK;
}

ck_status_t ck_system_get_device_count(uint32_t *out_count)
{
  CK_NEED_OUT(out_count, 0);
  Reading r = {0};
  CK_TRY(nvml_open(&r.nvml));
  CALL(nvmlDeviceGetCount_v2, (&r.out.u[0]));
  CK_TRY(end(&r, "the number of GPUs"));
  *out_count = r.out.u[0];
  return CK_OK;
}

ck_status_t ck_system_get_process_name(uint32_t pid, char *text, size_t room)
{
  CK_TRY(clear_text(__func__, text, room));
  Reading r = {0};
  char what[48];
  CK_TRY(nvml_open(&r.nvml));
  snprintf(what, sizeof what, "the name of process %u", pid);
  CALL(nvmlSystemGetProcessName, (pid, text, text_room(room)));
  end_text(text, room);
  return r.result == NVML_insufficient_size ? CK_OK : end(&r, what);
}

/* devices ------------------------------------------------------------------------------------ */

static void system_device_destroy(ck_system_device_t *device)
{
  object_free(device);
}

OBJECT(system_device, ck_system_device_t);

/* Makes the object of a handle, with the name of the GPU. */
static ck_status_t make_device(Reading *handle, const char *what, ck_system_device_t **out_device)
{
  Reading r = *handle;
  CK_TRY(end(&r, what));
  ck_system_device_t *device = object_new(sizeof *device);
  if (!device) return CK_OUT_OF_MEMORY;
  device->nvml = r.nvml;
  device->native = r.device;
  CALL(nvmlDeviceGetName, (r.device, device->name, sizeof device->name));
  end_text(device->name, sizeof device->name);
  ck_status_t status = end(&r, what);
  return GIVE(status, device, out_device, object_free);
}

ck_status_t ck_system_device_open(uint32_t index, ck_system_device_t **out_device)
{
  CK_NEED_OUT(out_device, NULL);
  Reading r = {0};
  char what[24];
  snprintf(what, sizeof what, "GPU %u", index);
  CK_TRY(nvml_open(&r.nvml));
  CALL(nvmlDeviceGetHandleByIndex_v2, (index, &r.device));
  return make_device(&r, what, out_device);
}

ck_status_t ck_system_device_open_uuid(const char *uuid, ck_system_device_t **out_device)
{
  CK_NEED_OUT(out_device, NULL, uuid);
  Reading r = {0};
  char what[128];
  snprintf(what, sizeof what, "GPU '%s'", uuid);
  CK_TRY(nvml_open(&r.nvml));
  CALL(nvmlDeviceGetHandleByUUID, (uuid, &r.device));
  return make_device(&r, what, out_device);
}

ck_status_t ck_system_device_open_bus_id(const char *bus_id, ck_system_device_t **out_device)
{
  CK_NEED_OUT(out_device, NULL, bus_id);
  Reading r = {0};
  char what[64];
  snprintf(what, sizeof what, "the GPU at '%s'", bus_id);
  CK_TRY(nvml_open(&r.nvml));
  CALL(nvmlDeviceGetHandleByPciBusId_v2, (bus_id, &r.device));
  return make_device(&r, what, out_device);
}

ck_status_t ck_system_device_open_mig(ck_system_device_t *parent, uint32_t index,
                                      ck_system_device_t **out_device)
{
  CK_NEED_OUT(out_device, NULL, parent);
  Reading r = {.nvml = parent->nvml};
  char what[NAME_BYTES + 32];
  snprintf(what, sizeof what, "'%s', MIG device %u", parent->name, index);
  CALL(nvmlDeviceGetMigDeviceHandleByIndex, (parent->native, index, &r.device));
  return make_device(&r, what, out_device);
}

ck_status_t ck_system_device_from_device(ck_device_t *device, ck_system_device_t **out_device)
{
  CK_NEED_OUT(out_device, NULL, device);
  unsigned char b[16];
  char uuid[48];
  if (!device->driver->traits->has_nvml)
    return error_unsupported("'%s' is not of NVIDIA's: NVML does not know it", device->name);
  CK_TRY(ck_device_get_uuid(device, b));
  snprintf(uuid, sizeof uuid,
           "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
           b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14],
           b[15]);
  ck_status_t status = ck_system_device_open_uuid(uuid, out_device);
  if (status != CK_NOT_FOUND) return status;
  memcpy(uuid, "MIG", 3); /* CUDA's UUID of a MIG device; NVML's text starts with "MIG" instead
                           * of "GPU" */
  return ck_system_device_open_uuid(uuid, out_device);
}

/* Parses "GPU-12345678-..." or "MIG-..." into 16 bytes; false if it has another form. */
static bool read_uuid(const char *text, unsigned char out[16])
{
  static const char digits[] = "0123456789abcdef";
  size_t count = 0;
  memset(out, 0, 16);
  if (strncmp(text, "GPU-", 4) && strncmp(text, "MIG-", 4)) return false;
  for (const char *at = text + 4; *at; ++at) {
    if (*at == '-') continue;
    const char *digit = strchr(digits, *at | 0x20);
    if (!digit || count == 32) return false;
    out[count / 2] = (unsigned char)(out[count / 2] << 4 | (digit - digits));
    ++count;
  }
  return count == 32;
}

ck_status_t ck_device_from_system_device(ck_system_device_t *device, ck_device_t **out_device)
{
  CK_NEED_OUT(out_device, NULL, device);
  const Driver *driver;
  char text[NAME_BYTES];
  unsigned char uuid[16];
  CK_TRY(ck_system_device_get_text(device, CK_SYSTEM_TEXT_UUID, text, sizeof text));
  if (!read_uuid(text, uuid))
    return error_unsupported("'%s': '%s' is no UUID that CUDA has", device->name, text);
  CK_TRY(driver_open_cuda(&driver));
  ck_status_t status = device_open_uuid(driver, uuid, out_device);
  return status == CK_OK ? CK_OK : error_within(status, "'%s' (%s) in CUDA", device->name, text);
}

GETTER(const char *, system_device, name);
GETTER(void *, system_device, native);

/* numbers ------------------------------------------------------------------------------------ */

typedef enum Per { PER_ONE, PER_FAN, PER_LINK } Per;

typedef struct Query {
  unsigned char number, per; /* ck_system_query_t, Per */
} Query;

/* The queries, and, in the same order, their names and units. */
static const Query queries[] = {
#define CK_SYSTEM_QUERY(name, value, unit, per, call) {value, PER_##per},
#include "ck/system_queries.def"
};
static const char query_units[] = {
#define CK_SYSTEM_QUERY(name, value, unit, per, call) unit "\0"
#include "ck/system_queries.def"
};
static const char query_names[] = {
#define CK_SYSTEM_QUERY(name, value, unit, per, call) #name "\0"
#include "ck/system_queries.def"
};

/* The texts are numbered from 0 in the order of the table. */
static const char text_names[] = {
#define CK_SYSTEM_TEXT(name, value, call) #name "\0"
#include "ck/system_queries.def"
};
enum {
#define CK_SYSTEM_TEXT(name, value, call) TEXT_##name,
#include "ck/system_queries.def"
  TEXT_COUNT
};
#define CK_SYSTEM_TEXT(name, value, call)                                                          \
  _Static_assert(TEXT_##name == (value), "the order of the texts");
#include "ck/system_queries.def"

/* The row of a query, or NULL. */
static const Query *find_query(ck_system_query_t query)
{
  for (size_t i = 0; i < COUNT_OF(queries); ++i)
    if (queries[i].number == (int)query) return &queries[i];
  return NULL;
}

static const char *name_of_query(const Query *row)
{
  return name_in_lower_case(strings_at(query_names, (size_t)(row - queries)));
}

const char *ck_system_query_name(ck_system_query_t query)
{
  const Query *row = find_query(query);
  return row ? name_of_query(row) : NULL;
}

const char *ck_system_query_unit(ck_system_query_t query)
{
  const Query *row = find_query(query);
  return row ? strings_at(query_units, (size_t)(row - queries)) : NULL;
}

const char *ck_system_text_name(ck_system_text_t query)
{
  bool is_known = (size_t)query < TEXT_COUNT;
  return is_known ? name_in_lower_case(strings_at(text_names, (size_t)query)) : NULL;
}

/* Converts a list of states into a bit set; the list ends with a number that is no state. */
static int64_t state_bits(const unsigned states[STATES_MOST])
{
  int64_t bits = 0;
  for (int i = 0; i < STATES_MOST && states[i] < STATES_MOST; ++i) bits |= (int64_t)1 << states[i];
  return bits;
}

/* The calls that most rows make are functions, since each expansion in the switch is code. */
static int64_t get_u32(Reading *r, NvmlResult (*function)(NvmlDevice, unsigned *),
                       NvmlFunction number)
{
  r->function = number;
  r->result = function ? function(r->device, &r->out.u[0]) : NVML_function_not_found;
  return r->out.u[0];
}

/* A number of a part of the GPU, or of a kind. */
static int64_t get_u32_of(Reading *r, NvmlResult (*function)(NvmlDevice, unsigned, unsigned *),
                          NvmlFunction number, unsigned which)
{
  r->function = number;
  r->result = function ? function(r->device, which, &r->out.u[0]) : NVML_function_not_found;
  return r->out.u[0];
}

/* One of two numbers. */
static int64_t get_of_pair(Reading *r, NvmlResult (*function)(NvmlDevice, unsigned *, unsigned *),
                           NvmlFunction number, int which)
{
  r->function = number;
  r->result = function ? function(r->device, &r->out.u[0], &r->out.u[1]) : NVML_function_not_found;
  return r->out.u[which];
}

/* The macros of the table (see the head of this file). */
#define GOT(fn, arguments, value) (CALL(fn, arguments), (int64_t)(value))
#define U32(fn)                   get_u32(&r, r.nvml->fn, NVML_##fn)
#define U64(fn)                   GOT(fn, (r.device, &r.out.q), r.out.q)
#define INT(fn)                   GOT(fn, (r.device, &r.out.i[0]), r.out.i[0])
#define U32_OF(fn, which)         get_u32_of(&r, r.nvml->fn, NVML_##fn, which)
#define FIRST(fn)                 get_of_pair(&r, r.nvml->fn, NVML_##fn, 0)
#define SECOND(fn)                get_of_pair(&r, r.nvml->fn, NVML_##fn, 1)
#define FIRST_INT(fn)             GOT(fn, (r.device, &r.out.i[0], &r.out.i[1]), r.out.i[0])
#define SECOND_INT(fn)            GOT(fn, (r.device, &r.out.i[0], &r.out.i[1]), r.out.i[1])
/* clang-format off */
#define SESSIONS(fn)                                                                               \
  GOT(fn, (r.device, &r.out.u[0], &r.out.u[1], &r.out.u[2]), r.out.u[0])
/* clang-format on */
#define MEMORY(member)                                                                             \
  (r.out.memory.version = NVML_VERSION(NvmlMemory, 2),                                             \
   GOT(nvmlDeviceGetMemoryInfo_v2, (r.device, &r.out.memory), r.out.memory.member))
#define BAR1(member) GOT(nvmlDeviceGetBAR1MemoryInfo, (r.device, &r.out.bar1), r.out.bar1.member)
#define LOAD(member) GOT(nvmlDeviceGetUtilizationRates, (r.device, &r.out.load), r.out.load.member)
#define PART(member) GOT(nvmlDeviceGetAttributes_v2, (r.device, &r.out.parts), r.out.parts.member)
#define PCI(member)  GOT(nvmlDeviceGetPciInfo_v3, (r.device, &r.out.pci), r.out.pci.member)
#define BANKS(member)                                                                              \
  GOT(nvmlDeviceGetRowRemapperHistogram, (r.device, &r.out.banks), r.out.banks.member)
#define MARGIN(fn)                                                                                 \
  (r.out.margin.version = NVML_VERSION(NvmlMargin, 1),                                             \
   GOT(fn, (r.device, &r.out.margin), r.out.margin.degrees))
#define TURNS(fn)                                                                                  \
  (r.out.turns.version = NVML_VERSION(NvmlTurns, 1), r.out.turns.fan = index,                      \
   GOT(fn, (r.device, &r.out.turns), r.out.turns.speed))
#define ADDRESSING                                                                                 \
  (r.out.addressing.version = NVML_VERSION(NvmlAddressing, 1),                                     \
   GOT(nvmlDeviceGetAddressingMode, (r.device, &r.out.addressing), r.out.addressing.mode))
#define REPAIR(member)                                                                             \
  (r.out.repair.version = NVML_VERSION(NvmlRepair, 1),                                             \
   GOT(nvmlDeviceGetRepairStatus, (r.device, &r.out.repair), r.out.repair.member))
#define STATES                                                                                     \
  GOT(nvmlDeviceGetSupportedPerformanceStates, (r.device, r.out.states, sizeof r.out.states),      \
      state_bits(r.out.states))
#define VIOLATION(policy)                                                                          \
  GOT(nvmlDeviceGetViolationStatus, (r.device, policy, &r.out.violation), r.out.violation.violation)
#define ERRORS(error, counter)                                                                     \
  GOT(nvmlDeviceGetTotalEccErrors, (r.device, error, counter, &r.out.q), r.out.q)
#define ERRORS_IN(error, counter, where)                                                           \
  GOT(nvmlDeviceGetMemoryErrorCounter, (r.device, error, counter, where, &r.out.q), r.out.q)
#define REMAPPED(which)                                                                            \
  GOT(nvmlDeviceGetRemappedRows, (r.device, &r.out.u[0], &r.out.u[1], &r.out.u[2], &r.out.u[3]),   \
      r.out.u[which])
#define LINK_ERRORS(counter)                                                                       \
  GOT(nvmlDeviceGetNvLinkErrorCounter, (r.device, index, counter, &r.out.q), r.out.q)
/* Called without room for the pages, NVML returns their number. */
#define RETIRED(cause)                                                                             \
  (CALL(nvmlDeviceGetRetiredPages_v2, (r.device, cause, &r.out.u[0], NULL, NULL)),                 \
   r.result = r.result == NVML_insufficient_size ? NVML_success : r.result, (int64_t)r.out.u[0])

uint32_t ck_system_query_count(ck_system_device_t *device, ck_system_query_t query)
{
  const Query *row = find_query(query);
  if (!device || !row) return 0;
  if (row->per == PER_ONE) return 1;
  Reading r = {.nvml = device->nvml, .device = device->native};
  if (row->per == PER_FAN)
    return CALL(nvmlDeviceGetNumFans, (r.device, &r.out.u[0])) == NVML_success ? r.out.u[0] : 0;
  uint32_t links = 0;
  while (links < LINKS &&
         CALL(nvmlDeviceGetNvLinkState, (r.device, links, &r.out.u[0])) == NVML_success)
    ++links;
  return links;
}

ck_status_t ck_system_device_get(ck_system_device_t *device, ck_system_query_t query,
                                 uint32_t index, int64_t *out_value)
{
  CK_NEED_OUT(out_value, 0, device);
  const Query *row = find_query(query);
  if (!row) return error_argument("%s: there is no query %d", __func__, (int)query);
  if (index && row->per == PER_ONE)
    return error_argument("%s: there is one of it, not a number %u", name_of_query(row), index);
  Reading r = {.nvml = device->nvml, .device = device->native, .result = NVML_not_supported};
  int64_t value = 0;
  switch (query) {
/* clang-format off */
#define CK_SYSTEM_QUERY(name, number, unit, per, call) case CK_SYSTEM_##name: value = call; break;
#include "ck/system_queries.def"
  /* clang-format on */
  case CK_SYSTEM_QUERY_FORCE_INT: break;
  }
  if (r.result == NVML_success) {
    *out_value = value;
    return CK_OK;
  }
  bool is_mig = query == CK_SYSTEM_GPU_INSTANCE || query == CK_SYSTEM_COMPUTE_INSTANCE;
  bool is_fan = query == CK_SYSTEM_FAN_SPEED_MIN || query == CK_SYSTEM_FAN_SPEED_MAX;
  /* NVML's answer for a query of whole GPUs on a MIG device, and for a fan on a GPU without fans.
   */
  if ((is_mig || is_fan) && r.result == NVML_invalid_argument) r.result = NVML_not_supported;
  char what[NAME_BYTES + 80];
  snprintf(what, sizeof what, "'%s', %s", device->name, name_of_query(row));
  return fault(&r, what);
}

/* strings ------------------------------------------------------------------------------------ */

#define TEXT(fn)           CALL(fn, (r.device, text, text_room(room)))
#define TEXT_OF(fn, which) CALL(fn, (r.device, which, text, text_room(room)))
#define SHORT_TEXT(fn)     (is_short = true, CALL(fn, (r.device, shorter)))
#define BUS_ID(fn)         (is_bus_id = true, CALL(fn, (r.device, &r.out.pci)))

/* Copies the text in `found`, a buffer of `most` bytes, to the caller. */
static ck_status_t put_text(char *found, size_t most, const char *what, char *text, size_t room)
{
  end_text(found, most);
  if (strlen(found) >= room)
    return error_argument("%s: '%s' does not fit into %zu bytes", what, found, room);
  strcpy(text, found);
  return CK_OK;
}

ck_status_t ck_system_device_get_text(ck_system_device_t *device, ck_system_text_t query,
                                      char *text, size_t room)
{
  CK_TRY(clear_text(__func__, text, room));
  CK_NEED_ARG(device);
  if ((size_t)query >= TEXT_COUNT)
    return error_argument("%s: there is no text %d", __func__, (int)query);
  Reading r = {.nvml = device->nvml, .device = device->native, .result = NVML_not_supported};
  char shorter[NVML_GSP_VERSION_BYTES] = "", what[NAME_BYTES + 80];
  bool is_short = false, is_bus_id = false;
  switch (query) {
/* clang-format off */
#define CK_SYSTEM_TEXT(name, number, call) case CK_SYSTEM_TEXT_##name: call; break;
#include "ck/system_queries.def"
  /* clang-format on */
  case CK_SYSTEM_TEXT_FORCE_INT: break;
  }
  snprintf(what, sizeof what, "'%s', %s", device->name, ck_system_text_name(query));
  if (r.result == NVML_insufficient_size)
    return error_argument("%s: it does not fit into %zu bytes", what, room);
  CK_TRY(end(&r, what));
  if (is_short) return put_text(shorter, sizeof shorter, what, text, room);
  if (is_bus_id) return put_text(r.out.pci.bus_id, sizeof r.out.pci.bus_id, what, text, room);
  end_text(text, room);
  return CK_OK;
}

ck_status_t ck_system_device_get_field(ck_system_device_t *device, uint32_t field, uint32_t scope,
                                       double *out_value)
{
  CK_NEED_OUT(out_value, 0, device);
  Reading r = {.nvml = device->nvml};
  NvmlField value = {.id = field, .scope = scope};
  char what[NAME_BYTES + 48];
  snprintf(what, sizeof what, "'%s', field %u of %u", device->name, field, scope);
  CALL(nvmlDeviceGetFieldValues, (device->native, 1, &value));
  CK_TRY(end(&r, what));
  r.result = value.result;
  CK_TRY(end(&r, what));
  switch (value.type) {
  case 0: *out_value = value.value.d; return CK_OK;
  case 1: *out_value = value.value.u; return CK_OK;
  case 2: *out_value = (double)value.value.ul; return CK_OK;
  case 3: *out_value = (double)value.value.ull; return CK_OK;
  case 4: *out_value = (double)value.value.sll; return CK_OK;
  case 5: *out_value = value.value.i; return CK_OK;
  case 6: *out_value = value.value.us; return CK_OK;
  default: return error_unsupported("%s: its type %u is unknown", what, value.type);
  }
}

/* lists -------------------------------------------------------------------------------------- */

/* A list that NVML fills in, or reports as too small; it may grow between two calls, so the call is
 * repeated with more room. */
typedef struct List {
  void *rows; /* owned */
  unsigned room, count, tries;
} List;

/* Whether to call (again), after making room. False: done, or given up. */
static bool next_list(Reading *r, List *list, size_t row_bytes)
{
  /* Lists such as that of processes can grow between two calls: so there are several tries, with
   * twice the room that was needed last. */
  enum { FIRST = 64, TRIES = 6, MOST = 1 << 20 };
  if (list->tries && r->result != NVML_insufficient_size) return false;
  if (list->tries == TRIES || list->count > MOST) return false;
  unsigned more = list->count > list->room ? list->count : list->room;
  list->room = list->tries++ ? 2 * more : FIRST;
  memory_free(list->rows);
  list->rows = memory_take(list->room * row_bytes);
  list->count = list->room;
  return list->rows != NULL;
}

/* Ends a list and sets *out_count, which stays 0 on failure. */
static ck_status_t end_list(const Reading *r, const char *what, List *list, size_t *out_count)
{
  if (!list->rows) return CK_OUT_OF_MEMORY;
  CK_TRY(end(r, what));
  if (list->count > list->room) list->count = list->room;
  *out_count = list->count;
  return CK_OK;
}

ck_status_t ck_system_device_get_clocks(ck_system_device_t *device, uint32_t memory_mhz,
                                        uint32_t *clocks, size_t room, size_t *out_count)
{
  CK_NEED_OUT(out_count, 0, device);
  if (room) CK_NEED_ARG(clocks);
  Reading r = {.nvml = device->nvml};
  List list = {.rows = NULL};
  while (next_list(&r, &list, sizeof(unsigned)))
    if (memory_mhz)
      CALL(nvmlDeviceGetSupportedGraphicsClocks,
           (device->native, memory_mhz, &list.count, list.rows));
    else CALL(nvmlDeviceGetSupportedMemoryClocks, (device->native, &list.count, list.rows));
  ck_status_t status = end_list(&r, device->name, &list, out_count);
  const unsigned *found = list.rows;
  for (size_t i = 0; i < room && i < *out_count; ++i) clocks[i] = found[i];
  memory_free(list.rows);
  return status;
}

ck_status_t ck_system_device_get_processes(ck_system_device_t *device, ck_process_kind_t kind,
                                           ck_system_process_t *processes, size_t room,
                                           size_t *out_count)
{
  CK_NEED_OUT(out_count, 0, device);
  if (room) CK_NEED_ARG(processes);
  Reading r = {.nvml = device->nvml};
  List list = {.rows = NULL};
  if ((unsigned)kind > CK_PROCESS_MPS)
    return error_argument("%s: there is no kind %d", __func__, (int)kind);
  while (next_list(&r, &list, sizeof(NvmlProcess)))
    if (kind == CK_PROCESS_COMPUTE)
      CALL(nvmlDeviceGetComputeRunningProcesses_v3, (device->native, &list.count, list.rows));
    else if (kind == CK_PROCESS_GRAPHICS)
      CALL(nvmlDeviceGetGraphicsRunningProcesses_v3, (device->native, &list.count, list.rows));
    else CALL(nvmlDeviceGetMPSComputeRunningProcesses_v3, (device->native, &list.count, list.rows));
  ck_status_t status = end_list(&r, device->name, &list, out_count);
  const NvmlProcess *found = list.rows;
  for (size_t i = 0; i < room && i < *out_count; ++i)
    processes[i] = (ck_system_process_t){found[i].pid, found[i].gpu_instance,
                                         found[i].compute_instance, found[i].memory};
  memory_free(list.rows);
  return status;
}

/* affinity and topology ---------------------------------------------------------------------- */

ck_status_t ck_system_device_get_affinity(ck_system_device_t *device, int is_memory,
                                          uint64_t *words, size_t word_count)
{
  CK_NEED_ARGS(device, words);
  if (!word_count) return error_argument("%s: room for 0 words", __func__);
  memset(words, 0, word_count * sizeof *words);
  _Static_assert(sizeof(unsigned long) == sizeof(uint64_t), "NVML's words");
  Reading r = {.nvml = device->nvml};
  unsigned long *mask = (unsigned long *)(void *)words;
  if (is_memory)
    CALL(nvmlDeviceGetMemoryAffinity,
         (device->native, (unsigned)word_count, mask, CHOICE_MEMORY_SCOPE));
  else CALL(nvmlDeviceGetCpuAffinity, (device->native, (unsigned)word_count, mask));
  return end(&r, device->name);
}

ck_status_t ck_system_device_get_topology(ck_system_device_t *device, ck_system_device_t *other,
                                          ck_topology_t *out_topology)
{
  CK_NEED_OUT(out_topology, CK_TOPOLOGY_SAME_BOARD, device, other);
  Reading r = {.nvml = device->nvml};
  CALL(nvmlDeviceGetTopologyCommonAncestor, (device->native, other->native, &r.out.u[0]));
  CK_TRY(end(&r, device->name));
  *out_topology = (ck_topology_t)r.out.u[0];
  return CK_OK;
}

/* The GPUs of a CPU, or, with a level of the topology, those that a GPU reaches by it. */
static NvmlResult find_gpus(Reading *own, const NvmlDevice *device, unsigned which, List *list)
{
  Reading r = *own;
  if (device) CALL(nvmlDeviceGetTopologyNearestGpus, (*device, which, &list->count, list->rows));
  else CALL(nvmlSystemGetTopologyGpuSet, (which, &list->count, list->rows));
  *own = r;
  return r.result;
}

/* Lists GPUs by their NVML indices. NVML first counts and then fills, so there may be fewer by
 * then. */
static ck_status_t list_gpus(const Nvml *nvml, const NvmlDevice *device, unsigned which,
                             const char *what, uint32_t *indices, size_t room, size_t *out_count)
{
  Reading r = {.nvml = nvml};
  List list = {.rows = NULL};
  if (find_gpus(&r, device, which, &list) != NVML_success) return fault(&r, what);
  list.room = list.count;
  list.rows = memory_take((list.room + (size_t)1) * sizeof(NvmlDevice));
  if (!list.rows) return CK_OUT_OF_MEMORY;
  if (list.count) find_gpus(&r, device, which, &list);
  const NvmlDevice *gpus = list.rows;
  size_t count = list.count < list.room ? list.count : list.room;
  for (size_t i = 0; i < count && i < room && r.result == NVML_success; ++i)
    CALL(nvmlDeviceGetIndex, (gpus[i], &indices[i]));
  memory_free(list.rows);
  if (r.result == NVML_success) *out_count = count;
  return end(&r, what);
}

ck_status_t ck_system_device_get_nearest(ck_system_device_t *device, ck_topology_t level,
                                         uint32_t *indices, size_t room, size_t *out_count)
{
  CK_NEED_OUT(out_count, 0, device);
  if (room) CK_NEED_ARG(indices);
  return list_gpus(device->nvml, &device->native, (unsigned)level, device->name, indices, room,
                   out_count);
}

ck_status_t ck_system_get_devices_of_cpu(uint32_t cpu, uint32_t *indices, size_t room,
                                         size_t *out_count)
{
  CK_NEED_OUT(out_count, 0);
  if (room) CK_NEED_ARG(indices);
  const Nvml *nvml;
  char what[32];
  snprintf(what, sizeof what, "GPUs of CPU %u", cpu);
  CK_TRY(nvml_open(&nvml));
  return list_gpus(nvml, NULL, cpu, what, indices, room, out_count);
}

ck_status_t ck_system_device_get_peer_status(ck_system_device_t *device, ck_system_device_t *other,
                                             ck_peer_ability_t ability, int *out_status)
{
  CK_NEED_OUT(out_status, 0, device, other);
  Reading r = {.nvml = device->nvml};
  CALL(nvmlDeviceGetP2PStatus, (device->native, other->native, (unsigned)ability, &r.out.u[0]));
  CK_TRY(end(&r, device->name));
  *out_status = (int)r.out.u[0];
  return CK_OK;
}

ck_status_t ck_system_device_get_link_bus_id(ck_system_device_t *device, uint32_t link, char *text,
                                             size_t room)
{
  CK_TRY(clear_text(__func__, text, room));
  CK_NEED_ARG(device);
  Reading r = {.nvml = device->nvml};
  char what[NAME_BYTES + 32];
  snprintf(what, sizeof what, "'%s', NVLink %u", device->name, link);
  CALL(nvmlDeviceGetNvLinkRemotePciInfo_v2, (device->native, link, &r.out.pci));
  CK_TRY(end(&r, what));
  return put_text(r.out.pci.bus_id, sizeof r.out.pci.bus_id, what, text, room);
}

/* events ------------------------------------------------------------------------------------- */

static void system_events_destroy(ck_system_events_t *events)
{
  if (events->native && events->nvml->nvmlEventSetFree)
    events->nvml->nvmlEventSetFree(events->native);
  object_free(events);
}

OBJECT(system_events, ck_system_events_t);

ck_status_t ck_system_events_create(ck_system_events_t **out_events)
{
  CK_NEED_OUT(out_events, NULL);
  Reading r = {0};
  CK_TRY(nvml_open(&r.nvml));
  ck_system_events_t *events = object_new(sizeof *events);
  if (!events) return CK_OUT_OF_MEMORY;
  events->nvml = r.nvml;
  CALL(nvmlEventSetCreate, (&events->native));
  ck_status_t status = end(&r, "a set of events");
  return GIVE(status, events, out_events, object_free);
}

ck_status_t ck_system_events_add(ck_system_events_t *events, ck_system_device_t *device,
                                 uint32_t kinds)
{
  CK_NEED_ARGS(events, device);
  Reading r = {.nvml = events->nvml};
  char what[NAME_BYTES + 32];
  snprintf(what, sizeof what, "'%s', events 0x%x", device->name, kinds);
  CALL(nvmlDeviceRegisterEvents, (device->native, kinds, events->native));
  return end(&r, what);
}

static unsigned to_milliseconds(double seconds)
{
  double milliseconds = seconds > 0 ? 1e3 * seconds + 0.5 : 0;
  return milliseconds < 4e9 ? (unsigned)milliseconds : 4000000000u;
}

ck_status_t ck_system_events_wait(ck_system_events_t *events, double seconds,
                                  ck_system_event_t *out_event)
{
  CK_NEED_OUT(out_event, (ck_system_event_t){0}, events);
  Reading r = {.nvml = events->nvml};
  NvmlEvent event = {0};
  CALL(nvmlEventSetWait_v2, (events->native, &event, to_milliseconds(seconds)));
  if (r.result == NVML_timeout) return CK_NOT_READY;
  CK_TRY(end(&r, "events"));
  unsigned index = UINT32_MAX;
  if (CALL(nvmlDeviceGetIndex, (event.device, &index)) != NVML_success) index = UINT32_MAX;
  *out_event = (ck_system_event_t){index, (uint32_t)event.kind, event.data, event.gpu_instance,
                                   event.compute_instance};
  return CK_OK;
}

/* events of the machine ------------------------------------------------------------------------ */

struct ck_machine_events {
  Object object;
  const Nvml *nvml; /* borrowed */
  struct NvmlMachineSetObject *native;
};

static void machine_events_destroy(ck_machine_events_t *events)
{
  NvmlMachineSet request = {NVML_VERSION(NvmlMachineSet, 1), events->native};
  if (events->native && events->nvml->nvmlSystemEventSetFree)
    events->nvml->nvmlSystemEventSetFree(&request);
  object_free(events);
}

OBJECT(machine_events, ck_machine_events_t);

static ck_status_t watch(ck_machine_events_t *events, uint32_t kinds)
{
  Reading r = {.nvml = events->nvml};
  NvmlMachineSet set = {.version = NVML_VERSION(NvmlMachineSet, 1)};
  CALL(nvmlSystemEventSetCreate, (&set));
  CK_TRY(end(&r, "a set of the machine's events"));
  events->native = set.set;
  NvmlMachineKinds wanted = {NVML_VERSION(NvmlMachineKinds, 1), kinds, set.set};
  char what[48];
  snprintf(what, sizeof what, "the machine's events 0x%x", kinds);
  CALL(nvmlSystemRegisterEvents, (&wanted));
  return end(&r, what);
}

ck_status_t ck_machine_events_create(uint32_t kinds, ck_machine_events_t **out_events)
{
  CK_NEED_OUT(out_events, NULL);
  if (!kinds || kinds & ~(CK_MACHINE_EVENT_UNBIND | CK_MACHINE_EVENT_BIND))
    return error_argument("the machine's events are 0x%x: %s", kinds,
                          kinds ? "unknown bits are set" : "none is named");
  const Nvml *nvml;
  CK_TRY(nvml_open(&nvml));
  ck_machine_events_t *events = object_new(sizeof *events);
  if (!events) return CK_OUT_OF_MEMORY;
  events->nvml = nvml;
  ck_status_t status = watch(events, kinds);
  return GIVE(status, events, out_events, machine_events_destroy);
}

ck_status_t ck_machine_events_wait(ck_machine_events_t *events, double seconds,
                                   ck_machine_event_t *found, size_t room, size_t *out_count)
{
  enum { MOST = 64 };
  CK_NEED_OUT(out_count, 0, events, found);
  if (!room) return error_argument("%s: room for 0 events", __func__);
  Reading r = {.nvml = events->nvml};
  NvmlMachineEvent natives[MOST] = {{0}};
  NvmlMachineWait request = {.version = NVML_VERSION(NvmlMachineWait, 1),
                             .milliseconds = to_milliseconds(seconds),
                             .set = events->native,
                             .events = natives,
                             .room = room < MOST ? (unsigned)room : MOST};
  CALL(nvmlSystemEventSetWait, (&request));
  /* NVML may return before the time limit. */
  if (r.result == NVML_timeout || (r.result == NVML_success && !request.count)) return CK_NOT_READY;
  CK_TRY(end(&r, "the machine's events"));
  size_t count = request.count < request.room ? request.count : request.room;
  for (size_t i = 0; i < count; ++i)
    found[i] = (ck_machine_event_t){(uint32_t)natives[i].kind, natives[i].gpu_id};
  *out_count = count;
  return CK_OK;
}
