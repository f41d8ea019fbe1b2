/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* manifest_random.c - changes host object code at random, and checks that it is refused or still
 * gives the right results.
 *
 *   manifest_random [COUNT [SEED]]    COUNT random changes of bytes in the image and the manifest
 *
 * There are three rounds, each in child processes. If a child crashes or hangs, its change is
 * printed, and the next child continues after it:
 *
 *   single   every key and every value of the manifest is changed in every way, one at a time
 *   forged   the same, with both digests computed anew, so that only the readers' checks are left.
 *            Such code is opened, but not launched: extents are known only to the compiler
 *   bytes    random bytes, most of them in the tables of the image and in lengths
 */
#include "fixture.h"

#include <elf.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "manifest_random.ck.text"
#include "random.h"

enum { N = 100, TRAILER = 16, PATIENCE = 60, BIAS = 4 };

static Arena arena;
static const char *image, *json; /* of the unchanged object */
static size_t image_bytes, json_bytes;
static ck_device_t *device;
static ck_stream_t *stream;

/* launches ------------------------------------------------------------------------------------ */

static float x[N], y[N];
static ck_buffer_t *from, *to;
static unsigned refused; /* calls that failed */

static bool is_refused(ck_status_t status)
{
  refused += status != CK_OK;
  return status != CK_OK;
}

/* Whether y is the result of all of these kernels: twice x. */
static bool is_right(size_t count)
{
  if (is_refused(ck_buffer_read(to, 0, y, sizeof y, stream)) || is_refused(ck_stream_sync(stream)))
    return true;
  for (size_t i = 0; i < count; ++i)
    if (y[i] != 2 * x[i]) return false;
  return true;
}

static bool launch(ck_object_code_t *code, const char *name)
{
  const struct {
    float a;
    int32_t at;
    uint8_t last[4];
  } pair = {2, 0, {0}};
  ck_kernel_t *kernel;
  ck_status_t status;
  if (is_refused(ck_kernel_from_code(code, device, name, &kernel))) return true;
  ck_buffer_fill(to, 0, sizeof y, 0, 1, stream);
  if (!strcmp(name, "plain")) status = ck_launch(stream, NULL, kernel, N, 2.0f, from, to);
  else if (!strcmp(name, "carried")) status = ck_launch(stream, NULL, kernel, from, to);
  else if (!strcmp(name, "record"))
    status = ck_launch(stream, NULL, kernel, N / 2, ck_struct(&pair, 12), from, to);
  else status = ck_launch(stream, NULL, kernel, N, from, to);
  bool is_good = is_refused(status) || is_right(N);
  ck_kernel_release(kernel);
  return is_good;
}

static bool sum(ck_object_code_t *code)
{
  struct {
    float sum;
    uint64_t n;
  } result = {0, 0};
  ck_kernel_t *kernel;
  if (is_refused(ck_kernel_from_code(code, device, "total", &kernel))) return true;
  ck_status_t status = ck_launch(stream, NULL, kernel, N, from, ck_span(to, 0, 1));
  if (!status) status = ck_buffer_read(to, 0, &result, sizeof result, stream);
  if (!status) status = ck_stream_sync(stream);
  ck_kernel_release(kernel);
  return is_refused(status) || (result.sum == N * (N - 1) / 2 && result.n == N);
}

/* Queries of a program before a launch. */
static void look_at(ck_object_code_t *code)
{
  for (size_t i = 0; i < ck_object_code_kernel_count(code); ++i) {
    ck_kernel_t *kernel;
    if (ck_kernel_from_code(code, device, ck_object_code_kernel_name(code, i), &kernel)) continue;
    ck_param_t param;
    ck_result_part_t part;
    size_t offset, bytes;
    int blocks;
    for (size_t k = 0; k < ck_kernel_param_count(kernel); ++k) {
      ck_kernel_get_param(kernel, k, &param);
      ck_kernel_get_param_place(kernel, k, &offset, &bytes);
    }
    for (size_t k = 0; k < ck_kernel_result_part_count(kernel); ++k)
      ck_kernel_get_result_part(kernel, k, &part);
    ck_kernel_get_occupancy(kernel, 64, 0, &blocks);
    ck_kernel_release(kernel);
  }
}

/* Whether an object is refused, or works correctly. */
static bool use(const void *bytes, size_t count, bool is_launched)
{
  static const char *const names[] = {"plain", "turn", "carried", "dynamic", "record", "together"};
  ck_object_code_t *code;
  bool is_good = true;
  if (is_refused(ck_object_code_from_bytes(bytes, count, &code))) return true;
  look_at(code);
  for (size_t i = 0; is_launched && i < COUNT_OF(names); ++i) is_good &= launch(code, names[i]);
  if (is_launched) is_good &= sum(code);
  ck_object_code_release(code);
  return is_good;
}

/* changes ------------------------------------------------------------------------------------- */

/* The manifest's text with [start, end) replaced. */
typedef struct Change {
  size_t start, end;
  const char *text;
} Change;

static VEC(Change) changes;

static void change(size_t start, size_t end, const char *text)
{
  vec_push(&arena, &changes, ((Change){start, end, text}));
}

static const char *part(size_t start, size_t end)
{
  return arena_strndup(&arena, json + start, end - start);
}

static size_t skip_blanks(size_t at)
{
  return at + strspn(json + at, " \n");
}

/* Returns the offset after a string's closing quote. */
static size_t skip_string(size_t at)
{
  for (++at; json[at] != '"'; ++at) at += json[at] == '\\';
  return at + 1;
}

static void change_string(size_t start, size_t end)
{
  static const char *const others[] = {"\"\"",
                                       "null",
                                       "7",
                                       "[]",
                                       "{}",
                                       "\"n\"",
                                       "\"1\"",
                                       "\"0\"",
                                       "\"-1\"",
                                       "\"f64\"",
                                       "\"scalar\"",
                                       "\"\\u0000\"",
                                       "\"9223372036854775807\"",
                                       "\"%n%s\"",
                                       "\"\xff\xfe\""};
  for (size_t i = 0; i < COUNT_OF(others); ++i) change(start, end, others[i]);
  for (size_t at = start + 1; at < end - 1; ++at) { /* one letter at a time */
    char *text = arena_strndup(&arena, json + start, end - start);
    text[at - start] ^= 1;
    if (at == start + 1 || at == end - 2 || (text[at - start] >= '0' && text[at - start] <= '9'))
      change(start, end, text);
  }
  change(start, end, arena_printf(&arena, "%.*sx\"", (int)(end - start - 1), json + start));
}

static void change_number(size_t start, size_t end)
{
  static const char *const others[] = {"0",
                                       "-1",
                                       "1",
                                       "7",
                                       "2147483647",
                                       "4294967296",
                                       "9223372036854775807",
                                       "1e300",
                                       "0.5",
                                       "99999999999999999999",
                                       "\"1\"",
                                       "null",
                                       "true",
                                       "[]",
                                       "{}",
                                       "01",
                                       "+1",
                                       ".5",
                                       "-"};
  long long value = strtoll(json + start, NULL, 10);
  for (size_t i = 0; i < COUNT_OF(others); ++i) change(start, end, others[i]);
  change(start, end, arena_printf(&arena, "%lld", value + 1));
  change(start, end, arena_printf(&arena, "%lld", value * 2 + 128));
}

static size_t change_value(size_t at);

/* Removes, duplicates and changes each member or element. Returns the offset after the closing
 * bracket. */
static size_t change_items(size_t at, char closing)
{
  static const char *const keys[] = {"\"\"", "\"name\"", "\"extents\"", "\"X\"", "7"};
  for (at = skip_blanks(at + 1); json[at] != closing; at = skip_blanks(at)) {
    size_t start = at;
    if (closing == '}') {
      size_t end = skip_string(at);
      for (size_t i = 0; i < COUNT_OF(keys); ++i) change(at, end, keys[i]);
      char *text = arena_strndup(&arena, json + at, end - at);
      text[end - at - 2] ^= 0x20;
      change(at, end, text);
      at = skip_blanks(skip_blanks(end) + 1);
    }
    at = change_value(at);
    const char *item = part(start, at);
    change(start, at, arena_printf(&arena, "%s,%s", item, item));
    bool is_last = json[skip_blanks(at)] != ',';
    size_t before = start;
    while (is_last && strchr(" \n,", json[before - 1])) --before;
    if (!is_last) at = skip_blanks(at) + 1;
    change(before, at, "");
  }
  return at + 1;
}

/* Changes a value in every way. Returns the offset after it. */
static size_t change_value(size_t at)
{
  static const char *const words[] = {"true", "false", "null", "1", "\"true\"", "[]", "{}"};
  static const char *const others[] = {"[]",    "{}",   "null",   "0",
                                       "\"x\"", "[[]]", "[null]", "[\"1\"]"};
  size_t end = at;
  if (json[at] == '"') {
    change_string(at, end = skip_string(at));
  } else if (json[at] == '[' || json[at] == '{') {
    end = change_items(at, json[at] == '[' ? ']' : '}');
    for (size_t i = 0; i < COUNT_OF(others); ++i) change(at, end, others[i]);
  } else if (json[at] == 't' || json[at] == 'f') {
    end += strspn(json + at, "truefals");
    for (size_t i = 0; i < COUNT_OF(words); ++i) change(at, end, words[i]);
  } else {
    change_number(at, end += strspn(json + at, "-0123456789"));
  }
  return end;
}

/* objects ------------------------------------------------------------------------------------- */

static void put_object(Buf *out, const char *own_image, const char *text, size_t bytes)
{
  uint64_t length = bytes;
  buf_bytes(out, own_image, image_bytes);
  buf_bytes(out, text, bytes);
  buf_bytes(out, &length, sizeof length);
  buf_puts(out, "CKMANIF1");
}

/* Computes both digests anew, if the text still ends as it did. */
static void forge(char *own_image, Buf *text)
{
  Digest old = digest_of(json, manifest_prefix(json, json_bytes));
  size_t prefix = manifest_prefix(text->data, text->len);
  char *place = own_image;
  if (!prefix) return;
  while (memcmp(place, &old, sizeof old) != 0) ++place;
  Digest digest = digest_of(text->data, prefix);
  memcpy(place, &digest, sizeof digest);
  char digits[DIGEST_TEXT_BYTES];
  digest_text(digest_of(own_image, image_bytes), digits);
  memcpy(text->data + text->len - strlen("\"\n}\n") - strlen(digits), digits, strlen(digits));
}

static bool try_change(size_t index, bool is_forged)
{
  Arena own = {0};
  Buf text = BUF(&own), object = BUF(&own);
  const Change *one = &changes.at[index];
  char *copy = arena_strndup(&own, image, image_bytes);
  buf_bytes(&text, json, one->start);
  buf_puts(&text, one->text);
  buf_bytes(&text, json + one->end, json_bytes - one->end);
  if (is_forged) forge(copy, &text);
  put_object(&object, copy, text.data, text.len);
  bool is_good = use(object.data, object.len, !is_forged);
  arena_free(&own);
  return is_good;
}

static bool try_single(size_t index)
{
  return try_change(index, false);
}

static bool try_forged(size_t index)
{
  return try_change(index, true);
}

/* Picks a byte to change: in the header, the section table, the trailer, or anywhere. */
static size_t any_place(size_t bytes)
{
  Elf64_Ehdr head;
  memcpy(&head, image, sizeof head);
  switch (below(BIAS)) {
  case 0: return below(sizeof head);
  case 1: return head.e_shoff + below((uint64_t)head.e_shnum * sizeof(Elf64_Shdr));
  case 2: return bytes - 1 - below(TRAILER);
  default: return below(bytes);
  }
}

/* The unchanged object runs correctly. */
static bool try_whole(size_t index)
{
  Buf object = BUF(&arena);
  (void)index;
  put_object(&object, image, json, json_bytes);
  return use(object.data, object.len, true) && !refused;
}

static bool try_bytes(size_t index)
{
  Arena own = {0};
  Buf object = BUF(&own);
  random_state = random_seed + index;
  put_object(&object, image, json, json_bytes);
  for (uint32_t i = 0, count = 1 + below(3); i < count; ++i) {
    char *place = &object.data[any_place(object.len)];
    *place = one_in(2) ? (char)(*place ^ 1 << below(8)) : (char)random_bits();
  }
  size_t bytes = one_in(8) ? below(object.len + 1) : object.len;
  /* So that reads beyond its end are detected. */
  char *exact = memcpy(malloc(bytes + !bytes), object.data, bytes);
  bool is_good = use(exact, bytes, true);
  free(exact);
  arena_free(&own);
  return is_good;
}

/* children ------------------------------------------------------------------------------------ */

typedef struct Progress {
  volatile size_t at; /* the current change */
  volatile bool is_bad;
} Progress;

_Noreturn static void run_child(bool (*attempt)(size_t), size_t count, Progress *progress)
{
  if (ck_device_open_host(&device) || ck_stream_create(device, NULL, &stream) ||
      ck_buffer_create(device, sizeof x, stream, &from) ||
      ck_buffer_create(device, sizeof y, stream, &to) ||
      ck_buffer_write(from, 0, x, sizeof x, stream))
    _exit(2);
  for (; progress->at < count; ++progress->at) {
    alarm(PATIENCE);
    if (!attempt(progress->at)) progress->is_bad = true;
    if (progress->is_bad) _exit(3);
  }
  _exit(0);
}

static void describe(const char *round, size_t at, int status)
{
  const Change *one = at < changes.count ? &changes.at[at] : NULL;
  fprintf(stderr, "%s %zu: status 0x%x", round, at, (unsigned)status);
  if (one && strcmp(round, "bytes") != 0)
    fprintf(stderr, ": '%.*s' is '%s', behind '%.*s'", (int)(one->end - one->start),
            json + one->start, one->text, one->start < 40 ? (int)one->start : 40,
            json + (one->start < 40 ? 0 : one->start - 40));
  else fprintf(stderr, ": seed %llu", (unsigned long long)(random_seed + at));
  fputc('\n', stderr);
}

/* Returns how many changes crash, hang or give wrong results. */
static size_t run_round(const char *round, bool (*attempt)(size_t), size_t count)
{
  Progress *progress =
      mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  size_t bad = 0;
  for (progress->at = 0; progress->at < count; ++progress->at) {
    int status = 0;
    progress->is_bad = false;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) run_child(attempt, count, progress);
    if (!CHECK(child > 0 && waitpid(child, &status, 0) == child)) break;
    if (!status) break;
    ++bad;
    describe(round, progress->at, status);
  }
  munmap(progress, sizeof *progress);
  printf("%s: %zu changes, %zu bad\n", round, count, bad);
  return bad;
}

/* In a child too, so that the compiler is not loaded here: its threads would not exist in later
 * children. */
static bool compile(void)
{
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_program_t *program;
  ck_object_code_t *code;
  size_t bytes;
  options.target = "host";
  options.file_name = "manifest_random.ck";
  if (ck_program_create(manifest_random_ck, strlen(manifest_random_ck), &options, &program) ||
      ck_program_compile(program, NULL, &code)) {
    printf("%s\n", ck_last_error());
    return false;
  }
  image = memcpy(arena_alloc(&arena, code->bytes), code->data, bytes = code->bytes);
  image_bytes = code->image_bytes;
  json_bytes = bytes - image_bytes - TRAILER;
  json = arena_strndup(&arena, image + image_bytes, json_bytes);
  ck_object_code_release(code);
  ck_program_release(program);
  return true;
}

int main(int argc, char **argv)
{
  const char *build = getenv("CK_BUILD");
  random_open(argc, argv, 1000);
  if (build && !getenv("CK_LIBCKC"))
    setenv("CK_LIBCKC", arena_printf(&arena, "%s/lib/libckc.so", build), 1);
  setenv("CK_CACHE", "off", 1);
  for (int i = 0; i < N; ++i) x[i] = (float)i;
  if (!compile()) return strstr(ck_last_error(), "CK_UNAVAILABLE") ? 77 : 1;
  size_t bad = run_round("whole", try_whole, 1);
  change_value(0);
  bad += run_round("single", try_single, changes.count);
  bad += run_round("forged", try_forged, changes.count);
  bad += run_round("bytes", try_bytes, random_count);
  arena_free(&arena);
  return bad != 0;
}
