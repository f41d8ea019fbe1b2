/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kernel_crash.c - tests that a kernel that crashes on the host device is an error of its launch:
 * every kind of crash, in every form of kernel and build. The process continues, and the program's
 * own signal handlers are called for its own crashes only. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ck/ck.h"

static const char source[] =
    "fn deep(n: u64) -> u64 { if (n == 0) return 0; return 1 + deep(n - 1); }\n"
    "struct Wide { a: u64[512]; }\n"
    "fn wide(w: Wide, n: u64) -> u64 {\n"
    "    if (n == 0) return w.a[7];\n"
    "    var v = w;\n"
    "    v.a[n % 512] += 1;\n"
    "    return v.a[(n + 1) % 512] + wide(v, n - 1);\n"
    "}\n"
    "kernel load(a: u64, x: inout u64[1]) launch(block = 1, grid = 1) { x[0] = ptr<u64>(a)[0]; }\n"
    "kernel store(a: u64, x: inout u64[1]) launch(block = 32, grid = 64)\n"
    "{ if (thread.x == 31) ptr<u64>(a)[0] = 1; }\n"
    "kernel barrier(a: u64, x: inout u64[1]) launch(block = 64, grid = 8) {\n"
    "    block.sync();\n"
    "    if (thread.x == 33 && block.id.x == 5) ptr<u64>(a)[0] = 1;\n"
    "    block.sync();\n"
    "}\n"
    "kernel lanes(a: u64, x: inout u64[1]) launch(block = 64, grid = 1) {\n"
    "    let s = warp.reduce(u64(thread.x), +);\n"
    "    if (thread.x == 40) ptr<u64>(a)[0] = s;\n"
    "}\n"
    "kernel clusters(a: u64, x: inout u64[1]) launch(block = 32, grid = 4, cluster = 2) {\n"
    "    cluster.sync();\n"
    "    if (thread.x == 3) ptr<u64>(a)[0] = 1;\n"
    "    cluster.sync();\n"
    "}\n"
    "kernel grids(a: u64, x: inout u64[1]) launch(block = 32, grid = 4) {\n"
    "    grid.sync();\n"
    "    if (grid.thread_rank == 77) ptr<u64>(a)[0] = 1;\n"
    "    grid.sync();\n"
    "}\n"
    "kernel recursion(a: u64, x: inout u64[1]) launch(block = 1, grid = 1)\n"
    "{ x[0] = deep(a); x[0] += deep(a + 1); }\n"
    "kernel large(a: u64, x: inout u64[1]) launch(block = 1, grid = 1) {\n"
    "    var w: Wide;\n"
    "    for (i in 0..512) w.a[i] = x[0] + u64(i);\n"
    "    x[0] = wide(w, a);\n"
    "}\n"
    "kernel stops(a: u64, x: inout u64[1]) launch(block = 1, grid = 1) { if (a != 0) trap(); }\n"
    "kernel fine(a: u64, x: inout u64[1]) launch(block = 32, grid = 4)\n"
    "{ block.sync(); if (grid.thread_rank == 0) x[0] = a; }\n";

static int bad;

static void fail(const char *what, const char *more)
{
  fprintf(stderr, "%s: %s\n", what, more);
  bad = 1;
}

static void must(ck_status_t status, const char *what)
{
  if (status != CK_OK) fail(what, ck_last_error()), exit(1);
}

typedef struct Device {
  ck_device_t *device;
  ck_stream_t *stream, *other;
  ck_buffer_t *x;
} Device;

static void open_device(Device *d)
{
  must(ck_device_open_host(&d->device), "device");
  must(ck_stream_create(d->device, NULL, &d->stream), "stream");
  must(ck_stream_create(d->device, NULL, &d->other), "stream");
  must(ck_buffer_create(d->device, 8, d->stream, &d->x), "buffer");
  must(ck_buffer_fill(d->x, 0, 8, 0, 1, d->stream), "fill");
  must(ck_stream_sync(d->stream), "sync");
}

static void close_device(Device *d)
{
  ck_buffer_release(d->x);
  ck_stream_release(d->stream);
  ck_stream_release(d->other);
  ck_device_release(d->device);
}

static ck_status_t launch(const Device *d, ck_object_code_t *code, const char *name, uint64_t a)
{
  ck_kernel_t *kernel;
  must(ck_kernel_from_code(code, d->device, name, &kernel), name);
  ck_status_t status = ck_launch(d->stream, NULL, kernel, a, d->x);
  ck_kernel_release(kernel);
  return status ? status : ck_stream_sync(d->stream);
}

static ck_object_code_t *compile(uint32_t flags, const char *level)
{
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_program_t *program;
  ck_object_code_t *code;
  options.target = "host";
  options.flags = flags;
  if (level) options.opt_level = CK_OPT_0;
  must(ck_program_create(source, strlen(source), &options, &program), "program");
  must(ck_program_compile(program, NULL, &code), "compile");
  ck_program_release(program);
  return code;
}

static uint64_t nowhere; /* a page without access */

static const struct {
  const char *kernel;
  int what; /* 0: the inaccessible page; else a small number */
  uint64_t number;
  const char *text;
} cases[] = {
    {"load", 0, 0, "the kernel 'load' crashed at address 0x"},
    {"load", 1, 0, "the kernel 'load' crashed at address 0x0, in block [0,0,0]"},
    {"load", 1, 0xdead000000000000, "the kernel 'load' crashed at an address that no memory"},
    {"store", 0, 0, "the kernel 'store' crashed at address 0x"},
    {"barrier", 0, 0, "the kernel 'barrier' crashed at address 0x"},
    {"barrier", 0, 0, "in block [5,0,0]"},
    {"lanes", 0, 0, "the kernel 'lanes' crashed at address 0x"},
    {"clusters", 0, 0, "the kernel 'clusters' crashed at address 0x"},
    {"grids", 0, 0, "in block [2,0,0]"},
    {"recursion", 1, 100000000, "the stack of a thread is full, 8388608 bytes"},
    {"large", 1, 100000, "the stack of a thread is full, 8388608 bytes"},
    {"stops", 1, 1, "stops: block: [0,0,0], thread: [0,0,0] trap"}};

static int count_of(const char *text, const char *part)
{
  int count = 0;
  for (; (text = strstr(text, part)); ++text) ++count;
  return count;
}

static void try_build(const char *name, uint32_t flags, const char *level)
{
  ck_object_code_t *code = compile(flags, level);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Device d;
    char what[128], text[1024];
    uint64_t word = 0, a = cases[i].what ? cases[i].number : nowhere;
    int is_optimized = !level && !(flags & CK_COMPILE_DEBUG);
    int is_null = flags & CK_COMPILE_CHECK && cases[i].what && !cases[i].number;
    /* The compiler made a loop of it. */
    if (is_optimized && !strcmp(cases[i].kernel, "recursion")) continue;
    snprintf(what, sizeof what, "%s, %s(0x%llx)", name, cases[i].kernel, (unsigned long long)a);
    open_device(&d);
    ck_status_t status = launch(&d, code, cases[i].kernel, a);
    snprintf(text, sizeof text, "%s", ck_last_error());
    if (status != CK_KERNEL_FAULT) fail(what, "no fault");
    if (!strstr(text, is_null ? "which points at no memory" : cases[i].text)) fail(what, text);
    if ((!is_null && count_of(text, cases[i].kernel) != 1) || strstr(text, "CUDA") ||
        strstr(text, ".c:"))
      fail(what, text);
    if (strstr(text, "crashed") && !strstr(text, "-check") != !!(flags & CK_COMPILE_CHECK))
      fail(what, text);
    /* The error stays, as on a GPU, and nothing hangs. */
    if (ck_stream_sync(d.other) != CK_KERNEL_FAULT)
      fail(what, "the other stream knows of no fault");
    if (launch(&d, code, "fine", 5) != CK_KERNEL_FAULT) fail(what, "a launch behind it");
    close_device(&d);
    open_device(&d);
    if (launch(&d, code, "fine", 5)) fail(what, ck_last_error());
    must(ck_buffer_read(d.x, 0, &word, sizeof word, d.stream), "read");
    must(ck_stream_sync(d.stream), "sync");
    if (word != 5) fail(what, "a wrong result afterwards");
    close_device(&d);
  }
  ck_object_code_release(code);
}

/* The program's own handlers, each in a process of its own ----------------------------------- */

static sigjmp_buf back;
static volatile sig_atomic_t called;
static struct sigaction found;

static void jump(int number)
{
  (void)number;
  ++called;
  siglongjmp(back, 1);
}

static void chain(int number, siginfo_t *info, void *context)
{
  ++called;
  if (found.sa_flags & SA_SIGINFO) found.sa_sigaction(number, info, context);
  else signal(number, SIG_DFL);
}

static void crash(void)
{
  *(volatile char *)(uintptr_t)nowhere = 1;
}

static void set(void (*handler)(int number))
{
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGSEGV, &action, &found);
}

/* A crash of a kernel is an error of its launch; then the program itself crashes. */
static void launch_bad(ck_object_code_t *code)
{
  Device d;
  open_device(&d);
  if (launch(&d, code, "store", nowhere) != CK_KERNEL_FAULT) _exit(3);
  close_device(&d);
}

static int handler_before(ck_object_code_t *code)
{
  set(jump);
  launch_bad(code);
  for (int i = 0; i < 3; ++i)
    if (!sigsetjmp(back, 1)) crash();
  launch_bad(code);
  return called != 3;
}

static int handler_after(ck_object_code_t *code)
{
  launch_bad(code);
  set(jump);
  launch_bad(code);
  if (!sigsetjmp(back, 1)) crash();
  if (!sigsetjmp(back, 1)) raise(SIGSEGV);
  launch_bad(code);
  return called != 2;
}

/* A handler that calls the previous handler, ours, which calls this one: the process ends. */
static int handler_in_a_circle(ck_object_code_t *code)
{
  struct sigaction action = {.sa_sigaction = chain, .sa_flags = SA_SIGINFO};
  launch_bad(code);
  sigaction(SIGSEGV, &action, &found);
  launch_bad(code);
  crash();
  return 0;
}

static int no_handler(ck_object_code_t *code)
{
  launch_bad(code);
  crash();
  return 0;
}

static void alone(const char *name, int (*use)(ck_object_code_t *code), ck_object_code_t *code,
                  int dies)
{
  int status;
  fflush(NULL);
  pid_t pid = fork();
  if (!pid) {
    alarm(60);
    if (dies && !freopen("/dev/null", "w", stderr)) _exit(0);
    _exit(use(code));
  }
  waitpid(pid, &status, 0);
  int is_killed = WIFSIGNALED(status) && WTERMSIG(status) != SIGALRM;
  int is_dead = is_killed || (WIFEXITED(status) && WEXITSTATUS(status) && WEXITSTATUS(status) != 3);
  if (dies ? !is_dead : status != 0) fail(name, "the program's own handler");
}

int main(void)
{
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  setenv("CK_HOST_THREADS", "4", 1);
  nowhere = (uint64_t)(uintptr_t)mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_object_code_t *code = compile(0, NULL);
  alone("set before", handler_before, code, 0);
  alone("set afterwards", handler_after, code, 0);
  alone("a circle", handler_in_a_circle, code, 1);
  alone("none", no_handler, code, 1);
  ck_object_code_release(code);
  try_build("optimized", 0, NULL);
  try_build("-O0", 0, "0");
  try_build("-g", CK_COMPILE_DEBUG, NULL);
  try_build("-check", CK_COMPILE_CHECK, NULL);
  puts(bad ? "failed" : "ok");
  return bad;
}
