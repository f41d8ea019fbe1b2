/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm.c - calls of algorithms, and the table of those that are compiled.
 *
 * A call is walked once for its key and its arguments (walk.c), which allocates nothing. The table
 * has an entry for each key and device:
 *
 *     bucket -> | key, device, kernel | -> | key, device, kernel | -> ...
 *
 * Entries are added at the front and never removed, so that readers need no lock: they see an entry
 * whole or not at all. For a key that is new, the call is walked again with a writer, and the text
 * is compiled. Threads that want the same entry wait for the one that compiles it; other entries
 * are compiled at the same time. A failure leaves the entry empty, and the next call tries again,
 * so that it gets the message too.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "call.h"

/* Chains stay short up to some thousand kinds of calls. */
enum { BUCKETS = 1024 };

static _Atomic(Entry *) buckets[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* adding entries, and is_busy */
static pthread_cond_t is_done = PTHREAD_COND_INITIALIZER;
static Arena entries; /* guarded by the lock */

static Entry *find(Digest key, const ck_device_t *device)
{
  Entry *entry = atomic_load_explicit(&buckets[key.lo % BUCKETS], memory_order_acquire);
  while (entry && (entry->key.lo != key.lo || entry->key.hi != key.hi || entry->device != device))
    entry = entry->next;
  return entry;
}

/* The entry of a key that has no kernel yet; the caller compiles it, or waits. */
static ck_status_t make_entry(Call *call, Digest key, ck_device_t *device, Entry **out_entry)
{
  ck_kernel_t *kernel = NULL;
  ck_object_code_t *code = NULL;
  ck_status_t status = CK_OK;
  pthread_mutex_lock(&lock);
  Entry *entry = find(key, device);
  if (!entry) {
    entry = NEW(&entries, Entry);
    _Atomic(Entry *) *bucket = &buckets[key.lo % BUCKETS];
    entry->key = key;
    entry->device = device;
    entry->next = atomic_load_explicit(bucket, memory_order_relaxed);
    atomic_store_explicit(bucket, entry, memory_order_release);
  }
  while (entry->is_busy) pthread_cond_wait(&is_done, &lock);
  if (!atomic_load(&entry->kernel)) {
    entry->is_busy = true;
    pthread_mutex_unlock(&lock);
    status = call_compile(call, device, NULL, &code);
    if (status == CK_OK) status = call_open(call, code, device, &kernel);
    pthread_mutex_lock(&lock);
    if (kernel) entry->code = ck_object_code_retain(code);
    atomic_store_explicit(&entry->kernel, kernel, memory_order_release);
    entry->is_busy = false;
    pthread_cond_broadcast(&is_done);
  }
  pthread_mutex_unlock(&lock);
  ck_object_code_release(code);
  *out_entry = entry;
  return status;
}

ck_status_t call_find(Call *call, ck_device_t *device, Entry **out_entry)
{
  Digest key = call_digest(call);
  Entry *entry = find(key, device);
  if (LIKELY(entry && atomic_load_explicit(&entry->kernel, memory_order_acquire))) {
    *out_entry = entry;
    return CK_OK;
  }
  return make_entry(call, key, device, out_entry);
}

ck_status_t call_launch(Call *call, const Entry *entry, ck_stream_t *stream)
{
  const ck_algorithm_options_t *options = &call->options;
  if (call->is_narrow) CK_TRY(call_check_counts(call));
  ck_launch_config_t config, *used = NULL;
  if (options->scratch || options->scratch_resource) {
    memset(&config, 0, sizeof config);
    config.struct_size = sizeof config;
    config.scratch = options->scratch;
    config.scratch_offset = options->scratch_offset;
    config.scratch_resource = options->scratch_resource;
    used = &config;
  }
  ck_status_t status =
      ck_launch_args(stream, used, atomic_load(&entry->kernel), call->args, call->param_count);
  if (UNLIKELY(status != CK_OK)) call_fault(call, status, "");
  return status;
}

ck_status_t ck_launch_algorithm(ck_stream_t *stream, ck_algorithm_kind_t kind,
                                const void *const *operands, size_t count,
                                const ck_algorithm_options_t *options)
{
  Call call;
  Entry *entry;
  CK_TRY(call_begin(&call, kind, operands, count, options));
  if (!stream) return call_fail(&call, CK_INVALID_ARGUMENT, "stream is NULL");
  CK_TRY(call_walk(&call, NULL));
  CK_TRY(call_find(&call, ck_stream_device(stream), &entry));
  return call_launch(&call, entry, stream);
}
