/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fault.c - the failing driver: one thunk per row of driver.def, so that no signature is retyped.
 *
 * A thunk loads its index and jumps to fault_common, which keeps the argument registers, asks
 * fault_decide() what is to happen, and either jumps to the function below, whose arguments are
 * still where the caller put them, or returns the error in eax. x86-64, System V.
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
#define DRIVER_FN(name, version, need) #name,
#include "driver.def"
};

/* What fault_common does next: rax and rdx. */
typedef struct Decision {
  void *target; /* jump there; NULL: return `result` */
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
        "  sub $8, %rsp\n" /* aligned to 16 again: six registers, the return address, and this */
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
#define DRIVER_FN(name, version, need) THUNK("fault_thunk_" #name)
#include "driver.def"
#define DRIVER_FN(name, version, need) void fault_thunk_##name(void);
#include "driver.def"
/* clang-format on */

static void (*const thunks[])(void) = {
#define DRIVER_FN(name, version, need) fault_thunk_##name,
#include "driver.def"
};

const Driver *fault_driver(const Driver *other)
{
  _Static_assert(sizeof thunks == offsetof(Driver, label), "the functions come first, as a row");
  below = other;
  table = *other;
  for (size_t i = 0; i < DRIVER_FN_COUNT; ++i) { /* what is not there stays away */
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
