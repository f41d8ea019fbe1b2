/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* guard.c - turns a crash of a kernel into an error of its launch instead of the end of the
 * process.
 *
 * A kernel on the host device may access any address, recurse without end, or divide by zero in
 * inline machine code. The CPU then raises SIGSEGV, SIGBUS, SIGFPE or SIGILL on the thread that
 * executes it. The signal handler does this:
 *
 *   state of the thread   the handler
 *   armed: kernel code    stores signal and address, ends the block by longjmp (block.c)
 *   not armed             calls the program's own handler, or lets the process end
 *
 * A thread is armed only while it executes kernel code. Functions of the runtime that kernel code
 * calls raise `holds` while they have a lock, because a longjmp would leave it locked for ever. The
 * handler runs on a signal stack, since the thread's own stack may be full. Threads that execute
 * kernels are made here, with a stack of known size and a guard area of protected pages below it;
 * functions with large frames touch each page in order (compiler/target/host.c), so that no access
 * jumps over the guard area.
 *
 * The program may install handlers at any time. Each grid checks that ours are installed, and puts
 * them in front of those that it finds. A program's handler may call ours, which it believes to be
 * the earlier one; that would be an endless loop. So a handler that is entered again for the signal
 * that it is handing on lets the process end.
 *
 * The handler must not allocate, lock or use thread-local variables that may be allocated lazily.
 */
#define _GNU_SOURCE /* pthread_getattr_np */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "host.h"

enum {
  STACK_BYTES = 8 << 20,         /* of threads that execute kernels: Linux's default */
  GUARD_BYTES = 256 << 10,       /* large: the runtime's own frames don't touch their pages in
                                  * order */
  SIGNAL_STACK_BYTES = 64 << 10, /* a handler of the program may run on it as well */
};

static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction previous[COUNT_OF(numbers)];
pthread_mutex_t host_install_mutex = PTHREAD_MUTEX_INITIALIZER;

_Thread_local HostGuard host_guard;

/* For threads that have executed kernels, &host_guard. The handler can't use that variable itself:
 * the first use of a thread-local variable in a shared library may allocate memory. (The TLS model
 * initial-exec would avoid that, but then the library can't be loaded by a running program.) */
static pthread_key_t guard_key;
static pthread_once_t guard_once = PTHREAD_ONCE_INIT;

/* The signals that are being handed on to a handler of the program: a hash table with a row for a
 * thread. Threads that share a row are told apart by the addresses of their signal frames. */
typedef struct ForwardedSignal {
  const siginfo_t *volatile info;
  const char *volatile frame;
} ForwardedSignal;

static ForwardedSignal *row_of_thread(void)
{
  enum { ROWS = 64, PAGE = 4096 };
  static ForwardedSignal rows[ROWS];
  return &rows[(uintptr_t)pthread_self() / PAGE % ROWS];
}

static void make_key(void)
{
  pthread_key_create(&guard_key, NULL);
}

static int index_of(int number)
{
  int i = 0;
  while (numbers[i] != number) ++i;
  return i;
}

/* Ends the process as if there were no handler: after the return, the faulting instruction is
 * executed again and the default action happens. A signal that was sent (kill) has no such
 * instruction and is raised again. */
static void give_up(int number, const siginfo_t *info)
{
  signal(number, SIG_DFL);
  if (info->si_code <= 0) raise(number);
}

static void forward_signal(int number, siginfo_t *info, void *context)
{
  const struct sigaction *next = &previous[index_of(number)];
  const char *frame = __builtin_frame_address(0);
  /* The same signal, deeper on the same stack: the program's handler has called this one. */
  ForwardedSignal *forwarded = row_of_thread();
  bool is_loop = forwarded->info == info && frame < forwarded->frame;
  bool is_sent = info->si_code <= 0;
  if (next->sa_handler == SIG_IGN && is_sent) return;
  if (is_loop || next->sa_handler == SIG_DFL || next->sa_handler == SIG_IGN) {
    give_up(number, info);
    return;
  }
  forwarded->info = info;
  forwarded->frame = frame;
  if (next->sa_flags & SA_SIGINFO) next->sa_sigaction(number, info, context);
  else next->sa_handler(number);
  forwarded->info = NULL;
}

static void handle(int number, siginfo_t *info, void *context)
{
  HostGuard *guard = pthread_getspecific(guard_key);
  bool is_sent = info->si_code <= 0;
  if (!guard || !guard->is_armed || guard->holds || is_sent) {
    int error = errno;
    forward_signal(number, info, context);
    errno = error;
    return;
  }
  guard->is_armed = false;
  guard->signal = number;
  /* A non-canonical address raises SIGSEGV without reporting the address. */
  guard->has_address = (number == SIGSEGV || number == SIGBUS) && info->si_code != SI_KERNEL;
  guard->address = (uintptr_t)info->si_addr;
  longjmp(*guard->escape, HOST_CRASHED);
}

static void install(void)
{
  struct sigaction ours = {.sa_sigaction = handle,
                           .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&ours.sa_mask);
  for (size_t i = 0; i < COUNT_OF(numbers); ++i) {
    struct sigaction now;
    if (sigaction(numbers[i], NULL, &now) || now.sa_sigaction == handle) continue;
    pthread_mutex_lock(&host_install_mutex);
    if (!sigaction(numbers[i], NULL, &now) && now.sa_sigaction != handle) {
      previous[i] = now;
      sigaction(numbers[i], &ours, NULL);
    }
    pthread_mutex_unlock(&host_install_mutex);
  }
}

/* Installs a signal stack, unless the thread has one: AddressSanitizer installs one for each. */
static void prepare_signal_stack(HostGuard *guard)
{
  stack_t now;
  if (sigaltstack(NULL, &now) || !(now.ss_flags & SS_DISABLE)) return;
  void *memory = mmap(NULL, SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t own = {.ss_sp = memory, .ss_size = SIGNAL_STACK_BYTES};
  if (sigaltstack(&own, NULL)) munmap(memory, SIGNAL_STACK_BYTES);
  else guard->signal_stack = memory;
}

static void prepare_thread(HostGuard *guard)
{
  pthread_attr_t attributes;
  void *low = NULL;
  size_t bytes = 0;
  sigset_t raised;
  guard->is_ready = true;
  pthread_once(&guard_once, make_key);
  pthread_setspecific(guard_key, guard);
  prepare_signal_stack(guard);
  if (!pthread_getattr_np(pthread_self(), &attributes)) {
    pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_destroy(&attributes);
  }
  guard->stack_low = (uintptr_t)low;
  sigemptyset(&raised); /* a new thread inherits the mask of its creator */
  for (size_t i = 0; i < COUNT_OF(numbers); ++i) sigaddset(&raised, numbers[i]);
  pthread_sigmask(SIG_UNBLOCK, &raised, NULL);
}

void host_guard_begin(void)
{
  HostGuard *guard = &host_guard;
  if (!guard->is_ready) prepare_thread(guard);
  install();
}

void host_guard_end_thread(void)
{
  HostGuard *guard = &host_guard;
  if (guard->signal_stack) {
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    munmap(guard->signal_stack, SIGNAL_STACK_BYTES);
  }
  if (guard->is_ready) pthread_setspecific(guard_key, NULL);
  *guard = (HostGuard){0};
}

void host_guard_report(const char *kernel, const uint32_t block[3])
{
  const HostGuard *guard = &host_guard;
  char text[512], what[96];
  /* Whether the stack's lowest address includes the guard area depends on the C library. */
  bool is_full = guard->has_address && guard->stack_low &&
                 guard->address - (guard->stack_low - GUARD_BYTES) < 2 * (uintptr_t)GUARD_BYTES;
  CUresult result = CUDA_ERROR_ILLEGAL_ADDRESS;
  if (is_full) {
    result = CUDA_ERROR_LAUNCH_FAILED;
    snprintf(text, sizeof text,
             "the kernel '%s' recurses too deep, in block [%u,%u,%u]: the stack of a thread is "
             "full, %d bytes",
             kernel, block[0], block[1], block[2], (int)STACK_BYTES);
    host_set_fault(result, text);
    return;
  }
  if (guard->has_address)
    snprintf(what, sizeof what, "at address 0x%llx", (unsigned long long)guard->address);
  else if (guard->signal == SIGFPE) snprintf(what, sizeof what, "by an arithmetic fault");
  else if (guard->signal == SIGILL) snprintf(what, sizeof what, "by an instruction that is none");
  else snprintf(what, sizeof what, "at an address that no memory can have");
  if (guard->signal == SIGFPE || guard->signal == SIGILL) result = CUDA_ERROR_LAUNCH_FAILED;
  snprintf(text, sizeof text, "the kernel '%s' crashed %s, in block [%u,%u,%u]%s", kernel, what,
           block[0], block[1], block[2],
           host_is_checked() ? "" : "; a build with -check finds the place");
  host_set_fault(result, text);
}

bool host_make_thread(pthread_t *out_thread, void *(*run)(void *data), void *data)
{
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes)) return false;
  pthread_attr_setstacksize(&attributes, STACK_BYTES + GUARD_BYTES);
  pthread_attr_setguardsize(&attributes, GUARD_BYTES);
  bool is_made = !pthread_create(out_thread, &attributes, run, data);
  pthread_attr_destroy(&attributes);
  return is_made;
}
