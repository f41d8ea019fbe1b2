/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* built.c - algorithms as objects: built once, launched often, saved with code for several targets.
 *
 * An object refers to an entry of the table of algorithms, as calls do. One that was saved has code
 * in sections, of which a device loads one:
 *
 *     | magic, keys, options | host | code ... | sm_80 | code ... | sm_90 | code ... |
 *
 * Code for sm_90 runs on devices of the same major version and a later minor one; with several such
 * sections the latest is taken. What is read is checked: sizes, texts, the digest of all.
 */
#include <stdlib.h>
#include <string.h>

#include "call.h"

enum { SECTIONS_MAX = 16, TARGET_BYTES = 24 };

static const char magic[8] = {'C', 'K', 'A', 'L', 'G', 'O', '0', '1'};

typedef struct Section {
  char target[TARGET_BYTES];
  uint64_t bytes;
} Section;

/* The head of a saved algorithm. */
typedef struct Head {
  char magic[8];
  Digest whole; /* of everything behind it */
  Digest key, separate;
  uint32_t kind, section_count;
  uint32_t flags, determinism, begin_bit, end_bit, channels, compile_flags, largest_segment, zero;
  uint64_t problem_size;
  uint64_t tuning_bytes; /* of tuning_file behind the head, with its NUL; 0: none */
} Head;

struct ck_algorithm {
  atomic_size_t references;
  Arena arena;     /* of this object */
  Entry *entry;    /* NULL: code for targets alone */
  Digest key;      /* of the operands that it was made of */
  Digest separate; /* the same, if no array stands in two places */
  ck_algorithm_options_t options;
  uint32_t kind;
  uint32_t section_count;
  char targets[SECTIONS_MAX][TARGET_BYTES];
  ck_object_code_t *codes[SECTIONS_MAX]; /* retained */
  Entry own;                             /* of what was read back */
  atomic_flag is_making;
  Buf bytes; /* as it is saved; guarded by is_making */
};

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

static ck_algorithm_t *algorithm_new(void)
{
  Arena arena = {0};
  ck_algorithm_t *algorithm = NEW(&arena, ck_algorithm_t);
  algorithm->arena = arena;
  algorithm->bytes = BUF(&algorithm->arena);
  atomic_init(&algorithm->references, 1);
  atomic_flag_clear(&algorithm->is_making);
  return algorithm;
}

/* An object of a call that has been walked. */
static ck_algorithm_t *algorithm_of(const Call *call, Digest key, Digest separate)
{
  ck_algorithm_t *algorithm = algorithm_new();
  algorithm->key = key;
  algorithm->separate = separate;
  algorithm->kind = call->row->kind;
  algorithm->options = call->options;
  algorithm->options.scratch = NULL; /* it is each launch's */
  algorithm->options.scratch_offset = 0;
  algorithm->options.scratch_resource = NULL;
  if (call->options.tuning_file)
    algorithm->options.tuning_file = arena_strdup(&algorithm->arena, call->options.tuning_file);
  return algorithm;
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
  ck_kernel_release(atomic_load(&algorithm->own.kernel));
  ck_object_code_release(algorithm->own.code);
  for (uint32_t i = 0; i < algorithm->section_count; ++i)
    ck_object_code_release(algorithm->codes[i]);
  Arena arena = algorithm->arena;
  arena_free(&arena);
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
  CK_TRY(call_find(&call, device, &entry));
  *out_algorithm = algorithm_of(&call, key, separate);
  (*out_algorithm)->entry = entry;
  return CK_OK;
}

ck_status_t ck_algorithm_create_for_targets(const char *const *targets, size_t target_count,
                                            ck_algorithm_kind_t kind, const void *const *operands,
                                            size_t count, const ck_algorithm_options_t *options,
                                            ck_algorithm_t **out_algorithm)
{
  Call call;
  Digest key, separate;
  if (!out_algorithm) return call_fail(NULL, CK_INVALID_ARGUMENT, "out_algorithm is NULL");
  *out_algorithm = NULL;
  if (!target_count || target_count > SECTIONS_MAX || !targets)
    return call_fail(NULL, CK_INVALID_ARGUMENT,
                     "ck_algorithm_create_for_targets: %zu targets, not 1 to %d", target_count,
                     SECTIONS_MAX);
  CK_TRY(walk_for(&call, kind, operands, count, options, true, &separate));
  CK_TRY(walk_for(&call, kind, operands, count, options, false, &key));
  ck_algorithm_t *algorithm = algorithm_of(&call, key, separate);
  for (size_t i = 0; i < target_count; ++i) {
    ck_status_t status = CK_OK;
    if (!targets[i] || strlen(targets[i]) >= TARGET_BYTES)
      status = call_fail(&call, CK_INVALID_ARGUMENT, "target %zu is none", i);
    if (status == CK_OK) status = call_compile(&call, NULL, targets[i], &algorithm->codes[i]);
    if (status != CK_OK) {
      ck_algorithm_release(algorithm);
      return status;
    }
    strcpy(algorithm->targets[i], targets[i]);
    ++algorithm->section_count;
  }
  *out_algorithm = algorithm;
  return CK_OK;
}

/* ---- launches ---- */

static bool is_equal(Digest a, Digest b)
{
  return a.lo == b.lo && a.hi == b.hi;
}

/* Walks the operands of a launch, and finds the entry for them. */
static ck_status_t walk_launch(Call *call, ck_algorithm_t *algorithm, ck_stream_t *stream,
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
  if (!algorithm->entry)
    return call_fail(call, CK_INVALID_ARGUMENT,
                     "the algorithm was made for targets; ck_algorithm_from_bytes loads it");
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
  return call_find(call, algorithm->entry->device, out_entry);
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
  return call_launch(&call, entry, stream);
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
  ck_status_t status = ck_kernel_get_scratch_bytes(atomic_load(&entry->kernel), stream, call.args,
                                                   call.param_count, out_bytes);
  return status == CK_OK ? CK_OK : call_fault(&call, status, "");
}

/* ---- saving ---- */

static bool put_section(Buf *out, const char *target, const ck_object_code_t *code)
{
  Section section = {.bytes = 0};
  size_t bytes;
  const void *data = ck_object_code_bytes(code, &bytes);
  if (!data) return false;
  strcpy(section.target, target);
  section.bytes = bytes;
  buf_bytes(out, &section, sizeof section);
  buf_bytes(out, data, bytes);
  return true;
}

static bool make_bytes(ck_algorithm_t *algorithm)
{
  const ck_algorithm_options_t *options = &algorithm->options;
  Buf *out = &algorithm->bytes;
  const Entry *entry = algorithm->entry;
  Head head = {.key = algorithm->key,
               .separate = algorithm->separate,
               .kind = algorithm->kind,
               .section_count = entry ? 1 : algorithm->section_count,
               .flags = options->flags,
               .determinism = (uint32_t)options->determinism,
               .begin_bit = options->begin_bit,
               .end_bit = options->end_bit,
               .channels = options->channels,
               .compile_flags = options->compile_flags,
               .largest_segment = options->largest_segment,
               .problem_size = options->problem_size};
  memcpy(head.magic, magic, sizeof magic);
  if (options->tuning_file) head.tuning_bytes = strlen(options->tuning_file) + 1;
  buf_bytes(out, &head, sizeof head);
  if (options->tuning_file) buf_bytes(out, options->tuning_file, head.tuning_bytes);
  bool is_good = true;
  if (entry) is_good = put_section(out, ck_device_target(entry->device), entry->code);
  for (uint32_t i = 0; !entry && is_good && i < algorithm->section_count; ++i)
    is_good = put_section(out, algorithm->targets[i], algorithm->codes[i]);
  if (!is_good) {
    buf_clear(out);
    return false;
  }
  size_t from = offsetof(Head, whole) + sizeof head.whole;
  head.whole = digest_of(out->data + from, out->len - from);
  memcpy(out->data + offsetof(Head, whole), &head.whole, sizeof head.whole);
  return true;
}

const void *ck_algorithm_bytes(ck_algorithm_t *algorithm, size_t *out_bytes)
{
  *out_bytes = 0;
  while (atomic_flag_test_and_set_explicit(&algorithm->is_making, memory_order_acquire)) continue;
  bool is_good = algorithm->bytes.len || make_bytes(algorithm);
  atomic_flag_clear_explicit(&algorithm->is_making, memory_order_release);
  if (!is_good) return NULL;
  *out_bytes = algorithm->bytes.len;
  return algorithm->bytes.data;
}

ck_status_t ck_algorithm_save(ck_algorithm_t *algorithm, const char *path)
{
  if (!algorithm || !path)
    return call_fail(NULL, CK_INVALID_ARGUMENT, "ck_algorithm_save: %s is NULL",
                     algorithm ? "path" : "algorithm");
  size_t bytes;
  const void *data = ck_algorithm_bytes(algorithm, &bytes);
  if (!data) return CK_COMPILE; /* recorded by ck_object_code_bytes */
  if (file_write(path, data, bytes)) return CK_OK;
  return call_fail(NULL, CK_IO, "ck_algorithm_save: %s can't be written", path);
}

/* ---- reading back ---- */

/* How well code for a target fits a device: 0 not at all, and more for later versions. */
static int fitness(const char *target, const char *wanted)
{
  int have, want;
  char *end, *wanted_end;
  if (!strcmp(target, wanted)) return 1 << 20;
  if (strncmp(target, "sm_", 3) || strncmp(wanted, "sm_", 3)) return 0;
  have = (int)strtol(target + 3, &end, 10);
  want = (int)strtol(wanted + 3, &wanted_end, 10);
  return !*end && have / 10 == want / 10 && have <= want ? have : 0;
}

static ck_status_t lacks_target(const Head *head, const unsigned char *data, size_t bytes,
                                const char *wanted)
{
  Arena arena = {0};
  Buf names = BUF(&arena);
  for (uint32_t i = 0; i < head->section_count && bytes >= sizeof(Section); ++i) {
    Section section;
    memcpy(&section, data, sizeof section);
    buf_printf(&names, "%s%s", i ? ", " : "", section.target);
    data += sizeof section + section.bytes;
    bytes -= sizeof section + section.bytes;
  }
  ck_status_t status =
      call_fail(NULL, CK_UNSUPPORTED, "ck_algorithm_from_bytes: code for %s, but the device is %s",
                buf_text(&names), wanted);
  arena_free(&arena);
  return status;
}

/* The section for a device; *out_code NULL if there is none. False for a malformed text. */
static bool find_section(const Head *head, const unsigned char *data, size_t bytes,
                         const char *wanted, const unsigned char **out_code, size_t *out_bytes)
{
  int best = 0;
  *out_code = NULL;
  for (uint32_t i = 0; i < head->section_count; ++i) {
    Section section;
    if (bytes < sizeof section) return false;
    memcpy(&section, data, sizeof section);
    data += sizeof section;
    bytes -= sizeof section;
    if (!memchr(section.target, 0, TARGET_BYTES) || section.bytes > bytes) return false;
    int fits = fitness(section.target, wanted);
    if (fits > best) {
      best = fits;
      *out_code = data;
      *out_bytes = section.bytes;
    }
    data += section.bytes;
    bytes -= section.bytes;
  }
  return !bytes;
}

ck_status_t ck_algorithm_from_bytes(ck_device_t *device, const void *data, size_t bytes,
                                    ck_algorithm_t **out_algorithm)
{
  Head head;
  const unsigned char *all = data, *found;
  size_t found_bytes, from = offsetof(Head, whole) + sizeof head.whole;
  if (!out_algorithm) return call_fail(NULL, CK_INVALID_ARGUMENT, "out_algorithm is NULL");
  *out_algorithm = NULL;
  if (!device || !data)
    return call_fail(NULL, CK_INVALID_ARGUMENT, "ck_algorithm_from_bytes: %s is NULL",
                     device ? "data" : "device");
  const char *wanted = ck_device_target(device);
  if (bytes < sizeof head || memcmp(data, magic, sizeof magic))
    return call_fail(NULL, CK_INVALID_ARGUMENT,
                     "ck_algorithm_from_bytes: no saved algorithm of this version");
  memcpy(&head, data, sizeof head);
  if (!is_equal(head.whole, digest_of(all + from, bytes - from)) || !row_of(head.kind) ||
      head.tuning_bytes > bytes - sizeof head)
    return call_fail(NULL, CK_INVALID_ARGUMENT,
                     "ck_algorithm_from_bytes: the saved algorithm is damaged");
  const unsigned char *sections = all + sizeof head + head.tuning_bytes;
  size_t rest = bytes - sizeof head - head.tuning_bytes;
  if ((head.tuning_bytes && sections[-1]) ||
      !find_section(&head, sections, rest, wanted, &found, &found_bytes))
    return call_fail(NULL, CK_INVALID_ARGUMENT,
                     "ck_algorithm_from_bytes: what is saved is malformed");
  if (!found) return lacks_target(&head, sections, rest, wanted);
  Call call = {.row = row_of(head.kind)};
  ck_object_code_t *code = NULL;
  ck_kernel_t *kernel = NULL;
  ck_status_t status = ck_object_code_from_bytes(found, found_bytes, &code);
  if (status != CK_OK) return call_fault(&call, status, "");
  status = call_open(&call, code, device, &kernel);
  if (status != CK_OK) {
    ck_object_code_release(code);
    return status;
  }
  call.options = (ck_algorithm_options_t){.struct_size = sizeof call.options,
                                          .flags = head.flags,
                                          .determinism = (ck_determinism_t)head.determinism,
                                          .begin_bit = head.begin_bit,
                                          .end_bit = head.end_bit,
                                          .channels = head.channels,
                                          .compile_flags = head.compile_flags,
                                          .largest_segment = head.largest_segment,
                                          .problem_size = head.problem_size};
  if (head.tuning_bytes) call.options.tuning_file = (const char *)all + sizeof head;
  ck_algorithm_t *algorithm = algorithm_of(&call, head.key, head.separate);
  algorithm->own.code = code;
  algorithm->own.device = device;
  atomic_store(&algorithm->own.kernel, kernel);
  algorithm->entry = &algorithm->own;
  *out_algorithm = algorithm;
  return CK_OK;
}

ck_status_t ck_algorithm_from_file(ck_device_t *device, const char *path,
                                   ck_algorithm_t **out_algorithm)
{
  Arena arena = {0};
  char *data;
  size_t bytes;
  if (out_algorithm) *out_algorithm = NULL;
  if (!path) return call_fail(NULL, CK_INVALID_ARGUMENT, "ck_algorithm_from_file: path is NULL");
  if (!file_read(&arena, path, FILE_REGULAR, &data, &bytes)) {
    arena_free(&arena);
    return call_fail(NULL, CK_IO, "ck_algorithm_from_file: %s can't be read", path);
  }
  ck_status_t status = ck_algorithm_from_bytes(device, data, bytes, out_algorithm);
  arena_free(&arena);
  return status;
}
