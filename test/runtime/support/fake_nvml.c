/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fake_nvml.c - an NVML for tests: it answers every function of nvml.def, and fails when told to.
 *
 * Each row gets a thunk, so that no signature has to be written twice: it stores the argument
 * registers in an array and calls fake_call(), which finds out what they are from the row's
 * parameters, which are text there. A number is answered with 1000 times the row plus the position
 * of the parameter. Works for x86-64 with the System V calling convention.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "system/nvml.h"

enum { PROCESSES = 3, CLOCKS = 4, WORDS = 6 };

static const struct {
  const char *name, *parameters;
} rows[] = {
#define NVML_FN(name, parameters) {#name, #parameters},
#include "system/nvml.def"
};

static unsigned fail_in; /* calls until one fails; 0: none fails */
static NvmlResult fail_with;
static int has_event;
/* Of the machine: sets; kinds registered; events to come. */
static unsigned machine_sets, machine_kinds, machine_events;

/* Called by the test: the n-th call from now fails. */
CK_API void fake_nvml_fail(unsigned nth, int result);
CK_API void fake_nvml_fail(unsigned nth, int result)
{
  fail_in = nth;
  fail_with = (NvmlResult)result;
}

CK_API void fake_nvml_send_event(void);
CK_API void fake_nvml_send_event(void)
{
  has_event = 1;
}

/* Other answers of an NVML: the number of processes; the number of GPUs when it counts them, and
 * then when it lists them; strings without an end. */
static unsigned processes = PROCESSES, counted = 2, named = 2;
static int has_no_ends;
CK_API void fake_nvml_say(unsigned some_processes, unsigned first, unsigned then, int no_ends);
CK_API void fake_nvml_say(unsigned some_processes, unsigned first, unsigned then, int no_ends)
{
  processes = some_processes;
  counted = first;
  named = then;
  has_no_ends = no_ends;
}

/* Returns how many sets of system events exist; `count` events will arrive. */
CK_API unsigned fake_nvml_send_machine_events(unsigned count);
CK_API unsigned fake_nvml_send_machine_events(unsigned count)
{
  machine_events += count;
  return machine_sets;
}

/* The number that a function answers for a parameter. */
CK_API unsigned fake_nvml_number(const char *name, unsigned parameter);
CK_API unsigned fake_nvml_number(const char *name, unsigned parameter)
{
  for (unsigned i = 0; i < COUNT_OF(rows); ++i)
    if (!strcmp(rows[i].name, name)) return 1000 * i + parameter;
  return 0;
}

CK_API const char *nvmlErrorString(NvmlResult result);
const char *nvmlErrorString(NvmlResult result)
{
  return result == NVML_not_supported ? "Not Supported" : "Some Error";
}

static int is_type(const char *text, const char *type)
{
  return !strncmp(text, type, strlen(type));
}

typedef union Out {
  void *any;
  unsigned *u;
  unsigned long *ul;
  unsigned long long *q;
  char *text;
  NvmlMemory *memory;
  NvmlMargin *margin;
  NvmlTurns *turns;
  NvmlParts *parts;
  NvmlBranch *branch;
  NvmlAddressing *addressing;
  NvmlRepair *repair;
  NvmlPci *pci;
  NvmlProcess *process;
  NvmlField *field;
  NvmlEvent *event;
  NvmlMachineSet *machine;
  NvmlMachineKinds *kinds;
  NvmlMachineWait *wait;
} Out;

static struct NvmlMachineSetObject *const machine_set = (void *)(uintptr_t)0x5e7;

/* A call creates the set if it does not exist, and frees it if it does. */
static NvmlResult answer_machine(const char *type, Out out)
{
  if (is_type(type, "NvmlMachineSet")) {
    if (out.machine->version != 0x1000010) return NVML_argument_version_mismatch;
    if (out.machine->set && out.machine->set != machine_set) return NVML_invalid_argument;
    machine_sets += out.machine->set ? -1u : 1u;
    out.machine->set = machine_set;
    return NVML_success;
  }
  if (is_type(type, "NvmlMachineKinds")) {
    if (out.kinds->version != 0x1000018) return NVML_argument_version_mismatch;
    machine_kinds = (unsigned)out.kinds->kinds;
    return out.kinds->set == machine_set ? NVML_success : NVML_invalid_argument;
  }
  if (out.wait->version != 0x1000020) return NVML_argument_version_mismatch;
  if (out.wait->set != machine_set) return NVML_invalid_argument;
  out.wait->count = 0;
  for (; machine_events && out.wait->count < out.wait->room; --machine_events)
    out.wait->events[out.wait->count++] = (NvmlMachineEvent){machine_kinds, 0x3b00};
  /* Without a timeout the call returns at once, which is not a failure. */
  return out.wait->count || !out.wait->milliseconds ? NVML_success : NVML_timeout;
}

static NvmlResult list(unsigned *count, unsigned most)
{
  unsigned room = *count;
  *count = most;
  return room < most ? NVML_insufficient_size : NVML_success;
}

static NvmlResult answer_struct(const char *type, Out out, unsigned number, const uint64_t *args)
{
  if (is_type(type, "NvmlMachine")) return answer_machine(type, out);
  if (is_type(type, "NvmlMemory")) {
    if (out.memory->version != NVML_VERSION(NvmlMemory, 2)) return NVML_argument_version_mismatch;
    *out.memory = (NvmlMemory){out.memory->version, number, number + 1, number + 2, number + 3};
  } else if (is_type(type, "NvmlMargin")) {
    if (out.margin->version != 0x1000008) return NVML_argument_version_mismatch;
    out.margin->degrees = -5;
  } else if (is_type(type, "NvmlTurns")) {
    if (out.turns->version != 0x100000c) return NVML_argument_version_mismatch;
    out.turns->speed = number + out.turns->fan;
  } else if (is_type(type, "NvmlBranch")) {
    if (out.branch->version != 0x1000054) return NVML_argument_version_mismatch;
    strcpy(out.branch->text, "r580_00");
  } else if (is_type(type, "NvmlAddressing")) {
    if (out.addressing->version != 0x1000008) return NVML_argument_version_mismatch;
    out.addressing->mode = 2;
  } else if (is_type(type, "NvmlRepair")) {
    if (out.repair->version != 0x100000c) return NVML_argument_version_mismatch;
    out.repair->channels = 0, out.repair->tpcs = 1;
  } else if (is_type(type, "NvmlParts")) {
    for (unsigned i = 0; i < 8; ++i) out.u[i] = number + i;
    out.parts->memory_mib = number + 8;
  } else if (is_type(type, "NvmlPci")) {
    *out.pci = (NvmlPci){"0000:3B:00.0", 0, 0x3b, 0, 0x233510de, 0x18be10de, "00000000:3B:00.0"};
  } else if (is_type(type, "NvmlField")) {
    out.field->type = out.field->id % 8;
    out.field->value.ull = 77;
    if (out.field->type == 0) out.field->value.d = 1.5;
    out.field->result = out.field->id >= 1000 ? NVML_not_supported : NVML_success;
  } else if (is_type(type, "NvmlEvent ")) {
    if (!has_event) return NVML_timeout;
    has_event = 0;
    *out.event = (NvmlEvent){(NvmlDevice)(uintptr_t)1, 8, 31, UINT32_MAX, UINT32_MAX};
  } else if (is_type(type, "NvmlBar1") || is_type(type, "NvmlViolation")) {
    for (unsigned i = 0; i < (is_type(type, "NvmlBar1") ? 3u : 2u); ++i) out.q[i] = number + i;
  } else if (is_type(type, "NvmlLoad") || is_type(type, "NvmlBanks")) {
    for (unsigned i = 0; i < (is_type(type, "NvmlLoad") ? 2u : 5u); ++i) out.u[i] = number + i;
  } else { /* handles: the number by which they were requested */
    *(uint64_t *)out.any = is_type(type, "NvmlEventSet") ? 0xe : 1 + (args[0] & 0xff);
  }
  return NVML_success;
}

static NvmlResult answer_list(const char *name, const uint64_t *args, NvmlResult *out_result)
{
  Out at[WORDS];
  for (int i = 0; i < WORDS; ++i) at[i].any = (void *)(uintptr_t)args[i];
  if (strstr(name, "SupportedMemoryClocks")) *out_result = list(at[1].u, CLOCKS);
  else if (strstr(name, "SupportedGraphicsClocks")) *out_result = list(at[2].u, CLOCKS);
  else if (strstr(name, "SupportedPerformanceStates")) { /* states 0, 2 and 8, then no more */
    static const unsigned states[] = {0, 2, 8, 32};
    *out_result = args[2] < sizeof states ? NVML_insufficient_size : NVML_success;
    if (*out_result == NVML_success) memcpy(at[1].u, states, sizeof states);
    return 1;
  } else if (strstr(name, "NearestGpus") || strstr(name, "TopologyGpuSet")) {
    int place = strstr(name, "NearestGpus") ? 2 : 1;
    uint64_t *handles = at[place + 1].any;
    unsigned room = *at[place].u;
    *at[place].u = room ? named : counted;
    for (unsigned i = 0; handles && i < room && i < named; ++i) handles[i] = i + 1;
    *out_result = NVML_success;
    return 1;
  } else if (strstr(name, "RetiredPages_v2")) *out_result = list(at[2].u, 2);
  else if (strstr(name, "RunningProcesses")) *out_result = list(at[1].u, processes);
  else return 0;
  for (unsigned i = 0; *out_result == NVML_success && i < processes + CLOCKS; ++i) {
    if (strstr(name, "Clocks") && i >= CLOCKS) break;
    if (strstr(name, "SupportedMemoryClocks")) at[2].u[i] = 2000 - i;
    else if (strstr(name, "SupportedGraphicsClocks")) at[3].u[i] = 1000 - i;
    else if (i < processes)
      at[2].process[i] = (NvmlProcess){100 + i, 1 << 20, UINT32_MAX, UINT32_MAX};
  }
  return 1;
}

unsigned fake_call(unsigned index, const uint64_t *args);
unsigned fake_call(unsigned index, const uint64_t *args)
{
  if (fail_in && --fail_in == 0) return fail_with;
  NvmlResult result = NVML_success;
  if (answer_list(rows[index].name, args, &result)) return result;
  const char *text = rows[index].parameters + 1;
  for (unsigned i = 0; text && result == NVML_success; ++i) {
    const char *end = strchr(text, ','), *star = strchr(text, '*');
    unsigned number = 1000 * index + i;
    Out out = {(void *)(uintptr_t)(i < WORDS ? args[i] : 0)};
    if (star && (!end || star < end) && !is_type(text, "const") && out.any) {
      if (is_type(text, "unsigned long long")) *out.q = number;
      else if (is_type(text, "unsigned long")) *out.ul = number;
      else if (is_type(text, "unsigned") || is_type(text, "int")) *out.u = number;
      else if (is_type(text, "char") && has_no_ends)
        memset(out.text, 'x', end ? args[i + 1] : NVML_GSP_VERSION_BYTES);
      else if (is_type(text, "char") && !end) strcpy(out.text, "gsp");
      else if (is_type(text, "char")) {
        if (strlen(rows[index].name) >= args[i + 1]) return NVML_insufficient_size;
        strcpy(out.text, rows[index].name);
      } else result = answer_struct(text, out, number, args);
    }
    text = end ? end + 2 : NULL;
  }
  return result;
}

/* clang-format off */
__asm__(".text\n"
        "fake_common:\n"
        "  push %r9\n push %r8\n push %rcx\n push %rdx\n push %rsi\n push %rdi\n"
        "  mov %eax, %edi\n"
        "  mov %rsp, %rsi\n"
        "  sub $8, %rsp\n" /* aligns the stack to 16 bytes */
        "  call fake_call@PLT\n"
        "  add $56, %rsp\n"
        "  ret\n"
        ".set fake_index, 0\n");
#define NVML_FN(name, parameters)                                                                  \
  __asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n"                             \
          " mov $fake_index, %eax\n jmp fake_common\n.set fake_index, fake_index + 1\n");
#include "system/nvml.def"
