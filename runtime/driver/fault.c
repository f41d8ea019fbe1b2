/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fault.c - the fault-injecting driver: a table of thunks, one for each row of driver.def.
 *
 * The functions have different signatures, so the thunks are written in assembly and don't touch
 * arguments. A thunk loads its index and jumps to fault_common:
 *
 *   caller -> thunk i -> fault_common   saves the six argument registers
 *                          fault_decide(i)   counts the call, and decides
 *                          restores the registers
 *                          jumps to the real function, or returns the error in eax
 *
 * x86-64, System V ABI. Arguments on the stack are untouched, since the thunk leaves the stack as
 * it found it.
 */
#include "fault.h"

#include <string.h>

static Driver table;
static const Driver *below;
static atomic_uint counts[DRIVER_FN_COUNT];
static atomic_uint total;
static int armed_function;
static unsigned armed_nth;
static CUresult armed_result;
static atomic_int fired;

static const char *const names[] = {
#define DRIVER_FN(name, version, need, parameters) #name,
#include "driver.def"
};

/* The return value of fault_decide, in rax and rdx. */
typedef struct Decision {
  void *target; /* address to jump to; NULL: return `result` */
  uint64_t result;
} Decision;

Decision fault_decide(uint32_t index);
Decision fault_decide(uint32_t index)
{
  unsigned count = atomic_fetch_add(&counts[index], 1) + 1;
  unsigned all = atomic_fetch_add(&total, 1) + 1;
  bool is_chosen = armed_nth && (armed_function == FAULT_ANY
                                     ? all == armed_nth
                                     : armed_function == (int)index && count == armed_nth);
  if (is_chosen) {
    atomic_store(&fired, (int)index);
    return (Decision){NULL, (uint64_t)armed_result};
  }
  void *target;
  memcpy(&target, (const char *)below + index * sizeof(void *), sizeof target);
  return (Decision){target, 0};
}

/* clang-format off */
#define THUNK(label)                                                                               \
  __asm__(label ": mov $fault_index, %eax\n jmp fault_common\n.set fault_index, fault_index + 1\n");
__asm__(".text\n"
        "fault_common:\n"
        "  push %rdi\n push %rsi\n push %rdx\n push %rcx\n push %r8\n push %r9\n"
        "  sub $8, %rsp\n" /* 16-byte alignment: six registers, the return address, and this */
        "  mov %eax, %edi\n"
        "  call fault_decide\n"
        "  mov %rax, %r11\n"
        "  mov %rdx, %rax\n"
        "  add $8, %rsp\n"
        "  pop %r9\n pop %r8\n pop %rcx\n pop %rdx\n pop %rsi\n pop %rdi\n"
        "  test %r11, %r11\n"
        "  jz 1f\n"
        "  jmp *%r11\n"
        "1: ret\n"
        ".set fault_index, 0\n");
#define DRIVER_FN(name, version, need, parameters) THUNK("fault_thunk_" #name)
#include "driver.def"
#define DRIVER_FN(name, version, need, parameters) void fault_thunk_##name(void);
#include "driver.def"
/* clang-format on */

static void (*const thunks[])(void) = {
#define DRIVER_FN(name, version, need, parameters) fault_thunk_##name,
#include "driver.def"
};

const Driver *fault_driver(const Driver *other)
{
  _Static_assert(sizeof thunks == offsetof(Driver, label), "the functions come first, as a row");
  below = other;
  table = *other;
  for (size_t i = 0; i < DRIVER_FN_COUNT; ++i) { /* functions that are missing stay NULL */
    char *row = (char *)&table + i * sizeof(void *);
    void (*function)(void);
    memcpy(&function, row, sizeof function);
    if (function) memcpy(row, &thunks[i], sizeof thunks[i]);
  }
  memset(counts, 0, sizeof counts);
  fault_arm(FAULT_ANY, 0, CUDA_SUCCESS);
  return &table;
}

void fault_arm(int function, unsigned nth, CUresult result)
{
  armed_function = function;
  armed_nth = nth ? nth + (function == FAULT_ANY ? atomic_load(&total) : fault_count(function)) : 0;
  armed_result = result;
  atomic_store(&fired, -1);
}

const char *fault_fired(void)
{
  int function = atomic_load(&fired);
  return function < 0 ? NULL : names[function];
}

unsigned fault_count(int function)
{
  return atomic_load(&counts[function]);
}

const char *fault_name(int function)
{
  return names[function];
}
