/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fork.c - keeps the host device usable in a child of fork().
 *
 * A child has a copy of its parent's memory but none of its threads. So no thread executes the work
 * of a stream that the parent made, and no event of the parent is ever reached: using them is
 * CUDA_ERROR_NOT_INITIALIZED, as with libcuda. Memory and code exist as copies, and streams that
 * the child makes can use them. Three handlers of pthread_atfork do the work:
 *
 *   prepare   takes all mutexes of the host device, so that no other thread is within a change
 *   parent    releases them
 *   child     initialises them anew, and discards what only threads of the parent would complete
 *
 * Other threads take several of these mutexes in orders that are not known here, so prepare never
 * waits for one mutex while it holds another: it tries all of them, and releases what it has if one
 * is taken.
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

/* A recursive mutex belongs to a thread of the parent, even in the child, which therefore can't
 * unlock it. So all are initialised anew. */
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
