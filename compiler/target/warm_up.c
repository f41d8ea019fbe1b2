/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* warm_up.c - opens nvJitLink in a thread, while the first compilation of a process parses.
 *
 * Opening the library and its first link take 11 ms (CUDA 13.0, Xeon of an H200's host) that later
 * links don't: it is loaded, relocated, and sets up tables. So the thread also links a kernel that
 * does nothing.
 *
 *     compilation   | parse | check | generate | libNVVM or LLVM | link |
 *     thread        | open, link `ret` |
 *
 * A process that exits meanwhile waits for the thread, since the library's destructors would run
 * under it. Functions that are registered last run first at an exit, so that is registered when the
 * library is open, and the compilation ends after that. nvJitLink's cache is off here: it would
 * open the driver.
 */
#include "front/target.h"
#include "nvidia.h"
#include "target/target.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char option[32] = "-arch=";
static pthread_t thread;
static pid_t process;
static atomic_bool is_running;

/* A forked process has no such thread. */
static void wait_for_thread(void)
{
  if (getpid() == process && atomic_exchange(&is_running, false)) pthread_join(thread, NULL);
}

static void *work(void *data)
{
  static const char ptx[] = ".version 7.8\n.target sm_75\n.address_size 64\n"
                            ".visible .entry warm_up()\n{\n\tret;\n}\n";
  const char *options[] = {option, "-O3", "-no-cache"};
  const NvJitLink *link = nvjitlink_open(NULL);
  void *handle = NULL;
  (void)data;
  if (!link || link->nvJitLinkCreate(&handle, COUNT_OF(options), options)) return NULL;
  if (!link->nvJitLinkAddData(handle, NVJITLINK_INPUT_ptx, ptx, sizeof ptx - 1, "warm-up"))
    link->nvJitLinkComplete(handle);
  link->nvJitLinkDestroy(&handle);
  return NULL;
}

void link_warm_up(const Session *c)
{
  static atomic_flag is_done = ATOMIC_FLAG_INIT;
  size_t used = strlen("-arch=");
  if (atomic_flag_test_and_set(&is_done)) return;
  process = getpid();
  snprintf(option + used, sizeof option - used, "%s", c->target->name);
  if (!pthread_create(&thread, NULL, work, NULL)) atomic_store(&is_running, true);
}

void link_warmed_up(void)
{
  static atomic_flag is_done = ATOMIC_FLAG_INIT;
  if (!atomic_load(&is_running) || atomic_flag_test_and_set(&is_done)) return;
  nvjitlink_open(NULL); /* waits until it is open */
  atexit(wait_for_thread);
}
