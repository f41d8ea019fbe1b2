/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fork.c - the host device in a child of fork().
 *
 * A child has the memory of its parent, and none of its threads. So a stream of the parent has
 * nobody who would do its work, and an event is reached by nobody: their use is
 * CUDA_ERROR_NOT_INITIALIZED, as with libcuda. Memory and code are there as copies, and a stream
 * that the child makes works on them.
 *
 *   prepare   all mutexes of the host device are taken, so that no other thread is within a change
 *   parent    they are released
 *   child     they are initialised anew, and what only threads that are gone would end is forgotten
 *
 * The order in which other threads take two of the mutexes is not known here. So prepare takes none
 * while it waits for another one: it tries all, and gives back what it has if one is taken.
 */
#define _GNU_SOURCE /* PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP */
#include <pthread.h>
#include <sched.h>

#include "graph.h"

unsigned host_generation;

static pthread_mutex_t *const mutexes[] = {
    &host_context_mutex, &host_graph_mutex,  &host_helpers_mutex, &host_install_mutex,
    &host_pending_mutex, &host_pieces_mutex, &host_ranges_mutex,  &host_streams_mutex};

static bool try_all(void)
{
  for (size_t i = 0; i < COUNT_OF(mutexes); ++i) {
    if (!pthread_mutex_trylock(mutexes[i])) continue;
    while (i-- > 0) pthread_mutex_unlock(mutexes[i]);
    return false;
  }
  return true;
}

static void prepare(void)
{
  while (!try_all()) sched_yield();
}

static void release_all(void)
{
  for (size_t i = COUNT_OF(mutexes); i-- > 0;) pthread_mutex_unlock(mutexes[i]);
}

/* A recursive mutex belongs to a thread of the parent, also in the child: it can only be made anew.
 */
static void renew_all(void)
{
  static const pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER,
                               recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  for (size_t i = 0; i < COUNT_OF(mutexes); ++i)
    *mutexes[i] = mutexes[i] == &host_graph_mutex ? recursive : plain;
}

static void begin_child(void)
{
  ++host_generation;
  host_streams_forget();
  host_helpers_forget();
  host_frees_forget();
  renew_all();
}

static void watch(void)
{
  pthread_atfork(prepare, release_all, begin_child);
}

void host_fork_watch(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch);
}
