/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* parts.c - object code of a program with algorithms: each kernel is compiled when it is first
 * needed.
 *
 * An algorithm has a form for each range of sizes, and each form has kernels of its own. A call
 * needs those of one form, and optimising a kernel takes longer than all that comes before it. So
 * ck_program_compile checks the program and gives its manifest. A kernel's code is a part: object
 * code of its own, compiled from the program's text and cached under a key of its own.
 *
 *     head: | manifest of all kernels |      part: | image of sort.3.sweep_count | manifest |
 *       |                                    part: | image of sort.4.sweep_pass  | manifest |
 *       +--> program, target                 ...
 *            slots: | kernel 0 | kernel 1 | ... | the whole program |
 *
 * parts_prepare compiles several kernels at a time, each in a thread. Whoever asks for the code
 * itself (its bytes, a file, a link) gets the whole program, which is compiled as one then. A slot
 * is empty, busy while a thread compiles it, or has code; who finds it busy waits. A failure leaves
 * it empty, so that whoever asks next gets the message as well.
 *
 * The parts must be of the text that the manifest was made of. Programs with imports have no parts
 * therefore, and for all else program_compile_part compares the key.
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "code_private.h"

typedef struct Slot {
  ck_object_code_t *code; /* retained */
  bool is_busy;
} Slot;

struct Parts {
  ck_program_t *program; /* retained */
  char *target;
  Digest key;
  pthread_mutex_t lock; /* guards the slots */
  pthread_cond_t is_done;
  Slot slots[]; /* of the manifest's kernels, then of the whole program */
};

ck_status_t parts_attach(ck_object_code_t *code, ck_program_t *program, const char *target,
                         Digest key)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  if (code->form != CK_EMIT_MANIFEST) return CK_OK;
  pthread_mutex_lock(&lock); /* the code may be that of the cache, which other threads have too */
  Parts *parts = code->parts;
  uint32_t count = code->manifest->kernel_count;
  if (!parts && (parts = memory_new(sizeof *parts + (count + 1) * sizeof *parts->slots))) {
    parts->program = ck_program_retain(program);
    parts->target = arena_strdup(&code->arena, target);
    parts->key = key;
    pthread_mutex_init(&parts->lock, NULL);
    pthread_cond_init(&parts->is_done, NULL);
    code->parts = parts;
  }
  pthread_mutex_unlock(&lock);
  return parts ? CK_OK : error_set(CK_OUT_OF_MEMORY, "host memory is out");
}

void parts_free(ck_object_code_t *code)
{
  Parts *parts = code->parts;
  if (!parts) return;
  for (uint32_t i = 0; i <= code->manifest->kernel_count; ++i)
    ck_object_code_release(parts->slots[i].code);
  ck_program_release(parts->program);
  pthread_mutex_destroy(&parts->lock);
  pthread_cond_destroy(&parts->is_done);
  memory_free(parts);
}

/* The code of slot `i`, borrowed from the head. */
static ck_status_t slot_code(const ck_object_code_t *head, uint32_t i, ck_object_code_t **out_code)
{
  Parts *parts = head->parts;
  Slot *slot = &parts->slots[i];
  ck_status_t status = CK_OK;
  bool is_whole = i == head->manifest->kernel_count;
  pthread_mutex_lock(&parts->lock);
  while (slot->is_busy) pthread_cond_wait(&parts->is_done, &parts->lock);
  if (!slot->code) {
    ck_object_code_t *code = NULL;
    slot->is_busy = true;
    pthread_mutex_unlock(&parts->lock);
    status = program_compile_part(parts->program, parts->target, parts->key,
                                  is_whole ? NULL : head->manifest->kernels[i].name, &code);
    pthread_mutex_lock(&parts->lock);
    slot->code = code;
    slot->is_busy = false;
    pthread_cond_broadcast(&parts->is_done);
  }
  *out_code = slot->code;
  pthread_mutex_unlock(&parts->lock);
  return status;
}

static uint32_t slot_of(const ck_object_code_t *head, const ManifestKernel *kernel)
{
  return (uint32_t)(kernel - head->manifest->kernels);
}

ck_status_t object_code_of(const ck_object_code_t *code, const ManifestKernel *kernel,
                           ck_object_code_t **out_code)
{
  *out_code = (ck_object_code_t *)(uintptr_t)code;
  if (!code->parts) return CK_OK;
  return slot_code(code, slot_of(code, kernel), out_code);
}

ck_status_t object_code_whole(const ck_object_code_t *code, ck_object_code_t **out_code)
{
  *out_code = (ck_object_code_t *)(uintptr_t)code;
  if (!code->parts) return CK_OK;
  return slot_code(code, code->manifest->kernel_count, out_code);
}

/* ---- several at a time ---- */

typedef struct Job {
  const ck_object_code_t *head;
  const ManifestKernel *const *kernels;
  uint32_t count;
  atomic_uint next;
} Job;

static void *work(void *data)
{
  Job *job = data;
  ck_object_code_t *code;
  for (uint32_t i; (i = atomic_fetch_add(&job->next, 1)) < job->count;)
    slot_code(job->head, slot_of(job->head, job->kernels[i]), &code);
  return NULL;
}

void parts_prepare(const ck_object_code_t *head, const ManifestKernel *const *kernels,
                   uint32_t count)
{
  enum { THREADS_MAX = 16 };
  pthread_t threads[THREADS_MAX];
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  uint32_t started = 0, wanted = count < THREADS_MAX ? count : THREADS_MAX;
  Job job = {.head = head, .kernels = kernels, .count = count};
  if (cores > 0 && wanted > (uint32_t)cores) wanted = (uint32_t)cores;
  /* The compiler forks then, which a process of several threads had better not. */
  if (program_is_isolated(head->parts->program)) wanted = 1;
  while (started + 1 < wanted && !pthread_create(&threads[started], NULL, work, &job)) ++started;
  work(&job);
  for (uint32_t i = 0; i < started; ++i) pthread_join(threads[i], NULL);
}
