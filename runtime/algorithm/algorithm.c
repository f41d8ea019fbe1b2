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

typedef struct Entry {
  struct Entry *next;
  Digest key;
  ck_device_t *device;           /* retained by the kernel */
  _Atomic(ck_kernel_t *) kernel; /* retained; NULL: not compiled yet */
  bool is_busy;                  /* a thread compiles it; guarded by the lock */
} Entry;

struct ck_algorithm {
  atomic_size_t references;
  Arena arena; /* of this object */
  Entry *entry;
  Digest key;      /* of the operands that it was made of */
  Digest separate; /* the same, if no array stands in two places */
  ck_algorithm_options_t options;
  uint32_t kind;
};

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

/* ---- options ---- */

/* Does the row's text have the option? */
static bool has_option(const Row *row, const char *name)
{
  return strstr(row->text, name) != NULL;
}

static ck_status_t check_options(const Call *call)
{
  const ck_algorithm_options_t *options = &call->options;
  const Row *row = call->row;
  const struct {
    bool is_set;
    const char *option, *name;
  } checks[] = {
      {options->flags & CK_ALGORITHM_DESCENDING, "%radix", "CK_ALGORITHM_DESCENDING"},
      {options->begin_bit || options->end_bit, "%radix", "begin_bit and end_bit"},
      {options->flags & CK_ALGORITHM_LEAST, "%top", "CK_ALGORITHM_LEAST"},
      {options->flags & CK_ALGORITHM_UNSORTED, "%top", "CK_ALGORITHM_UNSORTED"},
      {options->flags & CK_ALGORITHM_RIGHT, "%right", "CK_ALGORITHM_RIGHT"},
      {options->channels, "%channels", "channels"},
  };
  for (size_t i = 0; i < COUNT_OF(checks); ++i)
    if (checks[i].is_set && !has_option(row, checks[i].option))
      return call_fail(call, CK_INVALID_ARGUMENT, "it has no option %s", checks[i].name);
  if (options->flags & ~15u)
    return call_fail(call, CK_INVALID_ARGUMENT, "flags 0x%x aren't CK_ALGORITHM_*",
                     options->flags & ~15u);
  if ((unsigned)options->determinism > CK_DETERMINISM_GPU_TO_GPU)
    return call_fail(call, CK_INVALID_ARGUMENT, "%d is no ck_determinism_t",
                     (int)options->determinism);
  return CK_OK;
}

static ck_status_t read_options(Call *call, const ck_algorithm_options_t *options)
{
  size_t bytes = options->struct_size, known = sizeof call->options;
  if (bytes < sizeof bytes)
    return call_fail(call, CK_INVALID_ARGUMENT,
                     "options: struct_size is %zu; CK_OPTIONS_INIT sets it", bytes);
  for (size_t i = known; i < bytes; ++i)
    if (((const unsigned char *)options)[i])
      return call_fail(call, CK_UNSUPPORTED, "options of a newer version are set");
  memcpy(&call->options, options, bytes < known ? bytes : known);
  call->options.struct_size = known;
  CK_TRY(check_options(call));
  const ck_algorithm_options_t *own = &call->options;
  uint64_t numbers[] = {own->flags,    (uint64_t)own->determinism, own->begin_bit,    own->end_bit,
                        own->channels, own->problem_size,          own->compile_flags};
  call_put(call, numbers, sizeof numbers);
  if (own->tuning_file) call_put(call, own->tuning_file, strlen(own->tuning_file) + 1);
  return CK_OK;
}

ck_status_t call_begin(Call *call, ck_algorithm_kind_t kind, const void *const *operands,
                       size_t count, const ck_algorithm_options_t *options)
{
  memset(call, 0, offsetof(Call, key));
  call->row = row_of((uint32_t)kind);
  call->operands = operands;
  if (!call->row)
    return call_fail(NULL, CK_INVALID_ARGUMENT, "%d is no ck_algorithm_kind_t", (int)kind);
  if (count != call->row->count || !operands)
    return call_fail(call, CK_INVALID_ARGUMENT, "%zu operands, but it has %u", count,
                     call->row->count);
  call_put(call, &call->row->kind, sizeof call->row->kind);
  return options ? read_options(call, options) : CK_OK;
}

/* ---- compilation ---- */

/* The operation in whose text the first message of the log is; NULL: none. */
static const OpPlace *place_of(const Writer *writer, const char *log)
{
  const char *at = strstr(log, ">:");
  uint32_t line = 0;
  if (at)
    for (at += 2; char_is_digit(*at); ++at) line = line * 10 + (uint32_t)(*at - '0');
  for (uint32_t i = 0; i < writer->op_count && i < OPS_MAX; ++i)
    if (line >= writer->places[i].line && line - writer->places[i].line < writer->places[i].lines)
      return &writer->places[i];
  return NULL;
}

static ck_status_t compile_fault(const Call *call, ck_status_t status, const char *log)
{
  if (status != CK_COMPILE) { /* the message stays, with the call's name ahead */
    const char *text = ck_last_error(), *colon = strstr(text, ": ");
    Arena arena = {0};
    char *copy = arena_strdup(&arena, colon ? colon + 2 : text);
    call_fail(call, status, "%s", copy);
    arena_free(&arena);
    return status;
  }
  const OpPlace *place = place_of(call->writer, log);
  if (place)
    return call_fail(call, status, "the operation of argument '%s':\n%s",
                     call->row->operands[place->operand].name, log);
  return call_fail(call, status, "these operands can't be compiled:\n%s", log);
}

static ck_status_t compile_text(Call *call, const Buf *text, ck_device_t *device,
                                ck_kernel_t **out_kernel)
{
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  Arena *arena = &call->writer->arena;
  ck_program_t *program = NULL;
  ck_object_code_t *code = NULL;
  options.file_name = arena_printf(arena, "<ck_%s>", call->row->name);
  options.flags = call->options.compile_flags;
  options.tuning_file = call->options.tuning_file;
  options.problem_size = call->options.problem_size;
  ck_status_t status = ck_program_create(text->data, text->len, &options, &program);
  if (status == CK_OK) status = ck_program_compile(program, device, &code);
  if (status == CK_OK)
    status = ck_kernel_from_code(code, device, arena_printf(arena, "ck_%s", call->row->name),
                                 out_kernel);
  if (status != CK_OK) compile_fault(call, status, program ? ck_program_log(program) : "");
  ck_object_code_release(code);
  ck_program_release(program);
  return status;
}

/* Walks the call again, with a writer. */
static ck_status_t make_text(Call *call, ck_algorithm_kind_t kind, Writer *writer, Buf *out)
{
  const void *const *operands = call->operands;
  ck_algorithm_options_t options = call->options;
  bool is_unaliased = call->is_unaliased;
  CK_TRY(call_begin(call, kind, operands, call->row->count, options.struct_size ? &options : NULL));
  call->is_unaliased = is_unaliased;
  call->writer = writer;
  return call_walk(call, out);
}

static ck_status_t compile(Call *call, ck_device_t *device, ck_kernel_t **out_kernel)
{
  Writer *writer;
  Arena arena = {0};
  *out_kernel = NULL;
  writer = NEW(&arena, Writer);
  Buf text = BUF(&writer->arena);
  ck_status_t status = make_text(call, (ck_algorithm_kind_t)call->row->kind, writer, &text);
  if (status == CK_OK) status = compile_text(call, &text, device, out_kernel);
  call->writer = NULL;
  arena_free(&writer->arena);
  arena_free(&arena);
  return status;
}

/* The entry of a key that has no kernel yet; the caller compiles it, or waits. */
static ck_status_t make_entry(Call *call, Digest key, ck_device_t *device, Entry **out_entry)
{
  ck_kernel_t *kernel = NULL;
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
    status = compile(call, device, &kernel);
    pthread_mutex_lock(&lock);
    atomic_store_explicit(&entry->kernel, kernel, memory_order_release);
    entry->is_busy = false;
    pthread_cond_broadcast(&is_done);
  }
  pthread_mutex_unlock(&lock);
  *out_entry = entry;
  return status;
}

/* The entry of a call that has been walked. */
static ck_status_t find_entry(Call *call, ck_device_t *device, Entry **out_entry)
{
  Digest key = call_digest(call);
  Entry *entry = find(key, device);
  if (LIKELY(entry && atomic_load_explicit(&entry->kernel, memory_order_acquire))) {
    *out_entry = entry;
    return CK_OK;
  }
  return make_entry(call, key, device, out_entry);
}

static ck_status_t launch(Call *call, const Entry *entry, ck_stream_t *stream)
{
  const ck_algorithm_options_t *options = &call->options;
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
  if (UNLIKELY(status != CK_OK)) compile_fault(call, status, "");
  return status;
}

/* ---- the functions ---- */

ck_status_t ck_launch_algorithm(ck_stream_t *stream, ck_algorithm_kind_t kind,
                                const void *const *operands, size_t count,
                                const ck_algorithm_options_t *options)
{
  Call call;
  Entry *entry;
  CK_TRY(call_begin(&call, kind, operands, count, options));
  if (!stream) return call_fail(&call, CK_INVALID_ARGUMENT, "stream is NULL");
  CK_TRY(call_walk(&call, NULL));
  CK_TRY(find_entry(&call, ck_stream_device(stream), &entry));
  return launch(&call, entry, stream);
}

ck_status_t ck_algorithm_get_text(ck_algorithm_kind_t kind, const void *const *operands,
                                  size_t count, const ck_algorithm_options_t *options,
                                  const char **out_text)
{
  static _Thread_local Arena kept;
  Call call;
  if (!out_text) return call_fail(NULL, CK_INVALID_ARGUMENT, "out_text is NULL");
  *out_text = NULL;
  arena_free(&kept);
  CK_TRY(call_begin(&call, kind, operands, count, options));
  Writer *writer = NEW(&kept, Writer);
  Buf text = BUF(&writer->arena);
  ck_status_t status = make_text(&call, kind, writer, &text);
  if (status == CK_OK) *out_text = arena_strdup(&kept, buf_text(&text));
  arena_free(&writer->arena);
  return status;
}

/* ---- built objects ---- */

/* The keys of the operands, with and without arrays that stand in two places. */
static ck_status_t walk_for(Call *call, ck_algorithm_kind_t kind, const void *const *operands,
                            size_t count, const ck_algorithm_options_t *options, bool is_unaliased,
                            Digest *out_key)
{
  CK_TRY(call_begin(call, kind, operands, count, options));
  call->is_unaliased = is_unaliased;
  CK_TRY(call_walk(call, NULL));
  *out_key = call_digest(call);
  return CK_OK;
}

ck_status_t ck_algorithm_create(ck_device_t *device, ck_algorithm_kind_t kind,
                                const void *const *operands, size_t count,
                                const ck_algorithm_options_t *options,
                                ck_algorithm_t **out_algorithm)
{
  Call call;
  Digest key, separate;
  Entry *entry;
  if (!out_algorithm) return call_fail(NULL, CK_INVALID_ARGUMENT, "out_algorithm is NULL");
  *out_algorithm = NULL;
  if (!device) return call_fail(NULL, CK_INVALID_ARGUMENT, "ck_algorithm_create: device is NULL");
  CK_TRY(walk_for(&call, kind, operands, count, options, true, &separate));
  CK_TRY(walk_for(&call, kind, operands, count, options, false, &key));
  CK_TRY(find_entry(&call, device, &entry));
  Arena arena = {0};
  ck_algorithm_t *algorithm = NEW(&arena, ck_algorithm_t);
  atomic_init(&algorithm->references, 1);
  algorithm->entry = entry;
  algorithm->key = key;
  algorithm->separate = separate;
  algorithm->kind = (uint32_t)kind;
  algorithm->options = call.options;
  algorithm->options.scratch = NULL; /* it is each launch's */
  algorithm->options.scratch_offset = 0;
  algorithm->options.scratch_resource = NULL;
  if (call.options.tuning_file)
    algorithm->options.tuning_file = arena_strdup(&arena, call.options.tuning_file);
  algorithm->arena = arena;
  *out_algorithm = algorithm;
  return CK_OK;
}

ck_algorithm_t *ck_algorithm_retain(ck_algorithm_t *algorithm)
{
  if (algorithm) atomic_fetch_add_explicit(&algorithm->references, 1, memory_order_relaxed);
  return algorithm;
}

void ck_algorithm_release(ck_algorithm_t *algorithm)
{
  if (!algorithm || atomic_fetch_sub_explicit(&algorithm->references, 1, memory_order_acq_rel) != 1)
    return;
  Arena arena = algorithm->arena;
  arena_free(&arena);
}

static bool is_equal(Digest a, Digest b)
{
  return a.lo == b.lo && a.hi == b.hi;
}

/* Walks the operands of a launch, and finds the entry for them. */
static ck_status_t walk_launch(Call *call, const ck_algorithm_t *algorithm, ck_stream_t *stream,
                               const void *const *operands, size_t count, const char *function,
                               Entry **out_entry)
{
  Digest key;
  if (!algorithm || !stream)
    return call_fail(NULL, CK_INVALID_ARGUMENT, "%s: %s is NULL", function,
                     algorithm ? "stream" : "algorithm");
  const ck_algorithm_options_t *options =
      algorithm->options.struct_size ? &algorithm->options : NULL;
  ck_algorithm_kind_t kind = (ck_algorithm_kind_t)algorithm->kind;
  *out_entry = algorithm->entry;
  CK_TRY(walk_for(call, kind, operands, count, options, false, &key));
  if (ck_stream_device(stream) != algorithm->entry->device)
    return call_fail(call, CK_INVALID_ARGUMENT, "the stream is of another device");
  if (LIKELY(is_equal(key, algorithm->key))) return CK_OK;
  /* An array may stand in two places now: then it is another text, of the same operands. */
  CK_TRY(walk_for(call, kind, operands, count, options, true, &key));
  if (!is_equal(key, algorithm->separate))
    return call_fail(call, CK_INVALID_ARGUMENT,
                     "the operands are of other kinds, types or operations than those that the "
                     "algorithm was made of");
  CK_TRY(walk_for(call, kind, operands, count, options, false, &key));
  return find_entry(call, algorithm->entry->device, out_entry);
}

ck_status_t ck_algorithm_launch(ck_algorithm_t *algorithm, ck_stream_t *stream,
                                const void *const *operands, size_t count,
                                const ck_algorithm_options_t *options)
{
  Call call;
  Entry *entry;
  CK_TRY(walk_launch(&call, algorithm, stream, operands, count, "ck_algorithm_launch", &entry));
  if (options) {
    if (options->struct_size < sizeof call.options)
      return call_fail(&call, CK_INVALID_ARGUMENT,
                       "options: struct_size is %zu; CK_OPTIONS_INIT sets it",
                       options->struct_size);
    call.options.scratch = options->scratch;
    call.options.scratch_offset = options->scratch_offset;
    call.options.scratch_resource = options->scratch_resource;
  }
  return launch(&call, entry, stream);
}

ck_status_t ck_algorithm_get_scratch_bytes(ck_algorithm_t *algorithm, ck_stream_t *stream,
                                           const void *const *operands, size_t count,
                                           size_t *out_bytes)
{
  Call call;
  Entry *entry;
  if (!out_bytes) return call_fail(NULL, CK_INVALID_ARGUMENT, "out_bytes is NULL");
  *out_bytes = 0;
  CK_TRY(walk_launch(&call, algorithm, stream, operands, count, "ck_algorithm_get_scratch_bytes",
                     &entry));
  return ck_kernel_get_scratch_bytes(atomic_load(&entry->kernel), stream, call.args,
                                     call.param_count, out_bytes);
}
