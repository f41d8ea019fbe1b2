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
 * is busy while a thread compiles for it; who finds it busy, and no code that will do, waits. A
 * failure leaves it empty, so that whoever asks next gets the message as well.
 *
 * Code is compiled for a first launch in little time (compiler/target/quick.c) and thoroughly later
 * on, by a thread in the background. So a slot has code of several forms, of which the first one
 * in the order of PartForm is taken:
 *
 *     sort.4.sweep_pass:   | thorough: not yet | quick | quick, with sums |
 *
 * The thread must have ended when the process runs destructors: libNVVM and LLVM would go on with
 * what has been destroyed, and may never end. A function that atexit gets is too late, since these
 * libraries register destructors while they compile, and what is registered last runs first.
 * exit() calls the destructors of the calling thread's variables before all that. So the main
 * thread has such a destructor, which joins the thread behind the kernel that it is compiling.
 * Programs that another thread compiles have thorough code from the start.
 *
 * The compilation that gave the manifest is kept for the first part, which is made from it without
 * reading and checking the text again.
 *
 * The parts must be of the text that the manifest was made of. Programs with imports have no parts
 * therefore, and for all else program_compile_part compares the key.
 */
#define _GNU_SOURCE /* gettid */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "code_private.h"

typedef struct Slot {
  ck_object_code_t *codes[PART_FORMS]; /* retained, or NULL */
  bool is_busy;
} Slot;

struct Parts {
  ck_program_t *program; /* retained */
  char *target;
  Digest key;
  bool may_be_quick;
  atomic_uint version;       /* how many slots have become thorough */
  atomic_bool is_improved;   /* the thread in the background has been told, */
  ck_object_code_t *next;    /* and this is behind it in the thread's list */
  pthread_mutex_t lock;      /* guards what follows */
  ck_compilation_t *checked; /* owned; the manifest's, quick if that may be; NULL: used */
  pthread_cond_t is_done;
  Slot slots[]; /* of the manifest's kernels, then of the whole program */
};

/* ---- the thread in the background, and its end ---- */

static struct {
  pthread_mutex_t lock;           /* guards what follows */
  ck_object_code_t *first, *last; /* what is to be compiled, retained */
  bool is_running, is_ending, has_thread;
  pthread_t thread;   /* if has_thread: joined before another one is started, and at the end */
  atomic_int process; /* in which the thread is */
} background = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A forked process has no such thread, and perhaps a lock that nobody opens. */
static void end_background(void *unused)
{
  (void)unused;
  if (atomic_load(&background.process) != getpid()) return;
  pthread_mutex_lock(&background.lock);
  bool has_thread = background.has_thread;
  background.is_ending = true;
  background.has_thread = false;
  pthread_mutex_unlock(&background.lock);
  if (has_thread) pthread_join(background.thread, NULL);
}

/* What C++ compilers call for a `thread_local` variable with a destructor. */
int __cxa_thread_atexit_impl(void (*destroy)(void *), void *variable, void *library);
extern void *__dso_handle __attribute__((visibility("hidden"))); /* this library */

/* Makes the thread in the background end before the process does. False: it can't be known. */
static bool watch_end(void)
{
  static atomic_bool is_watched;
  if (atomic_load(&is_watched)) return true;
  if (gettid() != getpid()) return false;
  if (!atomic_exchange(&is_watched, true))
    __cxa_thread_atexit_impl(end_background, NULL, &__dso_handle);
  return true;
}

/* ---- parts ---- */

bool parts_will_be_quick(const ck_program_t *program)
{
  return program_may_be_quick(program) && watch_end();
}

ck_status_t parts_attach(ck_object_code_t *code, ck_program_t *program, const char *target,
                         Digest key, ck_compilation_t **checked)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  if (code->form != CK_EMIT_MANIFEST) return CK_OK;
  pthread_mutex_lock(&lock); /* the code may be that of the cache, which other threads have too */
  Parts *parts = code->parts;
  uint32_t count = code->manifest->kernel_count;
  if (!parts && (parts = memory_take(sizeof *parts + (count + 1) * sizeof *parts->slots))) {
    parts->program = ck_program_retain(program);
    parts->target = arena_strdup(&code->arena, target);
    parts->key = key;
    parts->may_be_quick = parts_will_be_quick(program);
    pthread_mutex_init(&parts->lock, NULL);
    pthread_cond_init(&parts->is_done, NULL);
    if (checked) parts->checked = *checked;
    if (checked) *checked = NULL;
    code->parts = parts;
  }
  pthread_mutex_unlock(&lock);
  return parts ? CK_OK : CK_OUT_OF_MEMORY;
}

void parts_free(ck_object_code_t *code)
{
  Parts *parts = code->parts;
  if (!parts) return;
  for (uint32_t i = 0; i <= code->manifest->kernel_count; ++i)
    for (int form = 0; form < PART_FORMS; ++form)
      ck_object_code_release(parts->slots[i].codes[form]);
  program_release_checked(parts->checked);
  ck_program_release(parts->program);
  pthread_mutex_destroy(&parts->lock);
  pthread_cond_destroy(&parts->is_done);
  memory_free(parts);
}

static ck_object_code_t *code_in(const Slot *slot, PartForm form)
{
  ck_object_code_t *code = slot->codes[PART_thorough];
  for (PartForm i = PART_quick; !code && i <= form; ++i) code = slot->codes[i];
  return code;
}

/* The manifest's compilation, for the first part of this form; or NULL. With the lock held. */
static ck_compilation_t *take_checked(Parts *parts, PartForm form)
{
  ck_compilation_t *checked = parts->checked;
  if (parts->may_be_quick != (form != PART_thorough)) return NULL;
  parts->checked = NULL;
  return checked;
}

/* The code of slot `i`, borrowed from the head. `form` will do. */
static ck_status_t slot_code(const ck_object_code_t *head, uint32_t i, PartForm form,
                             ck_object_code_t **out_code)
{
  Parts *parts = head->parts;
  Slot *slot = &parts->slots[i];
  ck_status_t status = CK_OK;
  bool is_whole = i == head->manifest->kernel_count;
  pthread_mutex_lock(&parts->lock);
  while (!code_in(slot, form) && slot->is_busy) pthread_cond_wait(&parts->is_done, &parts->lock);
  if (!code_in(slot, form)) {
    ck_object_code_t *code = NULL;
    slot->is_busy = true;
    ck_compilation_t *checked = take_checked(parts, form);
    pthread_mutex_unlock(&parts->lock);
    status = program_compile_part(parts->program, parts->target, parts->key,
                                  is_whole ? NULL : head->manifest->kernels[i].name, form, checked,
                                  &code);
    pthread_mutex_lock(&parts->lock);
    if (code) slot->codes[code->part_form] = code;
    if (code && !code->part_form) atomic_fetch_add(&parts->version, 1);
    slot->is_busy = false;
    pthread_cond_broadcast(&parts->is_done);
  }
  *out_code = code_in(slot, form);
  pthread_mutex_unlock(&parts->lock);
  return status;
}

static uint32_t slot_of(const ck_object_code_t *head, const ManifestKernel *kernel)
{
  return (uint32_t)(kernel - head->manifest->kernels);
}

ck_status_t object_code_of(const ck_object_code_t *code, const ManifestKernel *kernel,
                           PartForm form, ck_object_code_t **out_code)
{
  *out_code = (ck_object_code_t *)(uintptr_t)code;
  if (!code->parts) return CK_OK;
  return slot_code(code, slot_of(code, kernel), form, out_code);
}

ck_status_t object_code_whole(const ck_object_code_t *code, ck_object_code_t **out_code)
{
  *out_code = (ck_object_code_t *)(uintptr_t)code;
  if (!code->parts) return CK_OK;
  return slot_code(code, code->manifest->kernel_count, PART_thorough, out_code);
}

/* ---- several at a time ---- */

typedef struct Job {
  const ck_object_code_t *head;
  const PartWanted *wanted;
  uint32_t count;
  atomic_uint next;
} Job;

static void *work(void *data)
{
  Job *job = data;
  ck_object_code_t *code;
  for (uint32_t i; (i = atomic_fetch_add(&job->next, 1)) < job->count;)
    slot_code(job->head, slot_of(job->head, job->wanted[i].kernel), job->wanted[i].form, &code);
  return NULL;
}

void parts_prepare(const ck_object_code_t *head, const PartWanted *wanted_parts, uint32_t count)
{
  enum { THREADS_MAX = 16 };
  pthread_t threads[THREADS_MAX];
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  uint32_t started = 0, wanted = count < THREADS_MAX ? count : THREADS_MAX;
  Job job = {.head = head, .wanted = wanted_parts, .count = count};
  if (cores > 0 && wanted > (uint32_t)cores) wanted = (uint32_t)cores;
  /* The compiler forks then, which a process of several threads had better not. */
  if (program_is_isolated(head->parts->program)) wanted = 1;
  while (started + 1 < wanted && !pthread_create(&threads[started], NULL, work, &job)) ++started;
  work(&job);
  for (uint32_t i = 0; i < started; ++i) pthread_join(threads[i], NULL);
}

/* ---- thorough code, in the background ---- */

bool parts_may_be_quick(const ck_object_code_t *head)
{
  return head->parts && head->parts->may_be_quick;
}

uint32_t parts_version(const ck_object_code_t *head)
{
  return head->parts ? atomic_load_explicit(&head->parts->version, memory_order_relaxed) : 0;
}

bool parts_is_thorough(const ck_object_code_t *head, const ManifestKernel *kernel)
{
  Parts *parts = head->parts;
  if (!parts) return true;
  pthread_mutex_lock(&parts->lock);
  bool is_thorough = parts->slots[slot_of(head, kernel)].codes[PART_thorough] != NULL;
  pthread_mutex_unlock(&parts->lock);
  return is_thorough;
}

static bool is_ending(void)
{
  pthread_mutex_lock(&background.lock);
  bool result = background.is_ending;
  pthread_mutex_unlock(&background.lock);
  return result;
}

static bool is_quick_slot(Parts *parts, uint32_t i)
{
  const Slot *slot = &parts->slots[i];
  pthread_mutex_lock(&parts->lock);
  bool result = !slot->codes[PART_thorough] && code_in(slot, PART_quick_sums);
  pthread_mutex_unlock(&parts->lock);
  return result;
}

static void improve(const ck_object_code_t *head)
{
  ck_object_code_t *code;
  ck_status_t status = CK_OK;
  for (uint32_t i = 0; status == CK_OK && i < head->manifest->kernel_count && !is_ending(); ++i)
    if (is_quick_slot(head->parts, i)) status = slot_code(head, i, PART_thorough, &code);
  /* More slots may have become quick. After a failure, what is quick remains so. */
  if (status == CK_OK) atomic_store(&head->parts->is_improved, false);
}

static ck_object_code_t *take_first(void)
{
  pthread_mutex_lock(&background.lock);
  ck_object_code_t *head = background.first;
  if (head) background.first = head->parts->next;
  if (!background.first) background.last = NULL;
  if (!head) background.is_running = false;
  pthread_mutex_unlock(&background.lock);
  return head;
}

static void *work_in_background(void *data)
{
  (void)data;
  for (ck_object_code_t *head; (head = take_first()); ck_object_code_release(head)) improve(head);
  return NULL;
}

/* With the lock held. */
static void start_thread(void)
{
  if (background.is_running || background.is_ending) return;
  if (background.has_thread) pthread_join(background.thread, NULL); /* has nothing left to do */
  atomic_store(&background.process, getpid());
  background.has_thread = !pthread_create(&background.thread, NULL, work_in_background, NULL);
  background.is_running = background.has_thread;
}

void parts_improve(ck_object_code_t *head)
{
  Parts *parts = head->parts;
  if (atomic_exchange(&parts->is_improved, true)) return;
  pthread_mutex_lock(&background.lock);
  parts->next = NULL;
  if (background.last) background.last->parts->next = head;
  else background.first = head;
  background.last = ck_object_code_retain(head);
  start_thread();
  pthread_mutex_unlock(&background.lock);
}
