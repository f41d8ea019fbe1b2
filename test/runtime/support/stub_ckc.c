/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stub_ckc.c - a libckc for the runtime's tests: fixed kernels, written in C, behind the compiler's
 * API.
 *
 * For any source, ck_compile creates an empty x86-64 ELF object (or PTX for sm_90) whose manifest
 * lists all kernels below. Words in the source change that: "syntax_error" fails,
 * "import_list=PATH" lists an import, "no_list" omits the list, "pad=N" makes the manifest N bytes
 * longer. Each compilation appends a line to $STUB_LOG, so that tests can count them.
 */
#define _GNU_SOURCE /* asprintf */
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ck/compile.h"

static void *(*host_frame)(void *frame, uint32_t bytes);
static void (*host_print)(const ck_host_thread_t *, const char *, const void *);
static void (*host_assert)(const ck_host_thread_t *, const char *, const char *, uint32_t,
                           const char *);
static void (*host_trap)(const ck_host_thread_t *, const char *, uint32_t);

#define ARG(type, i) (*(type *)args[i])

/* kernels ------------------------------------------------------------------------------------ */

static void empty(void **args, const ck_host_block_t *block)
{
  (void)args, (void)block;
}

static void saxpy(void **args, const ck_host_block_t *block)
{
  uint64_t n = ARG(uint64_t, 0);
  float a = ARG(float, 1), *z = ARG(float *, 4);
  const float *x = ARG(const float *, 2), *y = ARG(const float *, 3);
  for (uint32_t t = 0; t < block->size; ++t) {
    uint64_t i = (uint64_t)block->id[0] * block->size + t;
    if (i < n) z[i] = a * x[i] + y[i];
  }
}

static void fill2d(void **args, const ck_host_block_t *block)
{
  uint32_t h = ARG(uint32_t, 0), w = ARG(uint32_t, 1), *out = ARG(uint32_t *, 2);
  for (uint32_t y = 0; y < block->dim[1]; ++y)
    for (uint32_t x = 0; x < block->dim[0]; ++x) {
      uint32_t r = block->id[1] * block->dim[1] + y, c = block->id[0] * block->dim[0] + x;
      if (r < h && c < w) out[(size_t)r * w + c] = r * 1000 + c;
    }
}

static void last_byte(void **args, const ck_host_block_t *block)
{
  (void)block;
  ARG(uint8_t *, 1)[ARG(uint64_t, 0) - 1] = 42;
}

/* Writes its scalars one after the other. */
static void scalars(void **args, const ck_host_block_t *block)
{
  static const size_t bytes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};
  uint8_t *out = ARG(uint8_t *, 13);
  (void)block;
  for (int i = 0; i < 13; out += bytes[i++]) memcpy(out, args[i], bytes[i]);
}

static void check_less(void **args, const ck_host_block_t *block)
{
  uint32_t limit = ARG(uint32_t, 0);
  for (uint32_t i = 0; i < block->size; ++i) {
    ck_host_thread_t thread = {.block = block, .id = {i, 0, 0}, .rank = i};
    if (i >= limit) host_assert(&thread, "i < limit", "stub.ck", 7, "check_less");
  }
}

static void always_trap(void **args, const ck_host_block_t *block)
{
  ck_host_thread_t thread = {.block = block};
  (void)args;
  host_trap(&thread, "stub.ck", 9);
}

static void hello(void **args, const ck_host_block_t *block)
{
  struct {
    int d;
    unsigned u;
    double f;
    const char *s;
    long long lld;
    int c;
    unsigned x;
    double g;
    int width, value;
    unsigned long zu;
  } values = {-5, 7, 2.5, "text", -1234567890123, 'z', 0xabc, 0.1f, 4, 9, 77};
  (void)args, (void)block;
  host_print(NULL, "%d %u %.2f %s %lld %c %#x %g [%*d] %zu 100%%\n", &values);
}

static void dynamic_sum(void **args, const ck_host_block_t *block)
{
  uint32_t k = ARG(uint32_t, 0), sum = 0, *shared = (uint32_t *)block->dynamic;
  for (uint32_t i = 0; i < k; ++i) shared[i] = i;
  for (uint32_t i = 0; i < k; ++i) sum += shared[i];
  *ARG(uint32_t *, 1) = block->dynamic_bytes == 4 * (uint64_t)k ? sum : 0;
}

/* Counts its blocks. */
static void resident(void **args, const ck_host_block_t *block)
{
  (void)block;
  __atomic_fetch_add(ARG(uint32_t *, 0), 1, __ATOMIC_RELAXED);
}

/* coroutines: a frame with a state, advanced by hand ------------------------------------------ */

typedef struct Frame {
  void (*resume)(void *frame); /* NULL: the thread has ended */
  void **args;
  ck_host_thread_t *thread;
  uint32_t stride;
  uint32_t *large; /* from host_frame */
} Frame;

static void wait_at(ck_host_thread_t *thread, ck_host_wait_t wait, uint32_t mask, uint32_t line)
{
  thread->wait = wait;
  thread->wait_mask = mask;
  thread->wait_line = line;
}

/* The sum of a span of f32 by a tree in shared memory, in one block. */
static void block_sum_next(void *data)
{
  Frame *frame = data;
  ck_host_thread_t *thread = frame->thread;
  float *shared = (float *)thread->block->shared;
  if (frame->stride == 0) {
    if (thread->rank == 0) *(*(float **)frame->args[2]) = shared[0];
    frame->resume = NULL;
    return;
  }
  if (thread->rank < frame->stride) shared[thread->rank] += shared[thread->rank + frame->stride];
  frame->stride /= 2;
  wait_at(thread, CK_HOST_WAIT_BLOCK, 0, 21);
}

static void *block_sum(void *data, void **args, ck_host_thread_t *thread)
{
  Frame *frame = data;
  *frame = (Frame){
      .resume = block_sum_next, .args = args, .thread = thread, .stride = thread->block->size / 2};
  const float *x = ARG(const float *, 0);
  int64_t n = ARG(int64_t, 1);
  float sum = 0;
  for (int64_t i = thread->rank; i < n; i += thread->block->size) sum += x[i];
  ((float *)thread->block->shared)[thread->rank] = sum;
  wait_at(thread, CK_HOST_WAIT_BLOCK, 0, 20);
  return frame;
}

/* The sum of a warp in 5 butterfly steps through shared memory. */
static void warp_sum_next(void *data)
{
  Frame *frame = data;
  ck_host_thread_t *thread = frame->thread;
  const uint32_t wide = 64; /* two halves of shared memory: each step reads one and writes the
                             * other */
  uint32_t *shared = (uint32_t *)thread->block->shared;
  uint32_t from = frame->stride % 2 * wide, to = wide - from, lane = thread->rank;
  shared[to + lane] = shared[from + lane] + shared[from + (lane ^ 1u << frame->stride)];
  if (++frame->stride == 5) {
    (*(uint32_t **)frame->args[0])[lane] = shared[to + lane];
    frame->resume = NULL;
    return;
  }
  wait_at(thread, CK_HOST_WAIT_WARP, 0xffffffff, 31);
}

static void *warp_sum(void *data, void **args, ck_host_thread_t *thread)
{
  Frame *frame = data;
  *frame = (Frame){.resume = warp_sum_next, .args = args, .thread = thread};
  ((uint32_t *)thread->block->shared)[thread->rank] = thread->rank;
  wait_at(thread, CK_HOST_WAIT_WARP, 0xffffffff, 30);
  return frame;
}

static void end_of_thread(void *data)
{
  ((Frame *)data)->resume = NULL;
}

/* Half of the threads end before the barrier, which is allowed. */
static void *early_exit(void *data, void **args, ck_host_thread_t *thread)
{
  Frame *frame = data;
  frame->resume = thread->rank % 2 ? NULL : end_of_thread;
  __atomic_fetch_add(ARG(uint32_t *, 0), 1, __ATOMIC_RELAXED);
  if (frame->resume) wait_at(thread, CK_HOST_WAIT_BLOCK, 0, 40);
  return frame;
}

/* A deadlock: thread 0 waits for its block, the others wait for their warp, which includes thread
 * 0. */
static void *divergent(void *data, void **args, ck_host_thread_t *thread)
{
  Frame *frame = data;
  (void)args;
  frame->resume = end_of_thread;
  if (thread->rank == 0) wait_at(thread, CK_HOST_WAIT_BLOCK, 0, 50);
  else wait_at(thread, CK_HOST_WAIT_WARP, 0xffffffff, 52);
  return frame;
}

static void large_frame_end(void *data)
{
  Frame *frame = data;
  if (frame->thread->block->id[0] == 0)
    (*(uint32_t **)frame->args[0])[frame->thread->rank] = frame->large[999];
  frame->resume = NULL;
}

static void *large_frame(void *data, void **args, ck_host_thread_t *thread)
{
  Frame *frame = data;
  *frame = (Frame){
      .resume = large_frame_end, .args = args, .thread = thread, .large = host_frame(data, 4000)};
  for (uint32_t i = 0; i < 1000; ++i) frame->large[i] = thread->rank + i;
  wait_at(thread, CK_HOST_WAIT_BLOCK, 0, 60);
  return frame;
}

/* Parts of the manifest, as string literals that are joined. */
/* clang-format off */
#define SCALAR(name, type) "{\"name\":\"" name "\",\"kind\":\"scalar\",\"type\":\"" type "\"}"
#define LONG_SPAN(name, type, access)                                                              \
  "{\"name\":\"" name "\",\"kind\":\"span\",\"type\":\"" type "\",\"access\":\"" access "\"}"
#define SPAN(name, type, access, extents)                                                          \
  "{\"name\":\"" name "\",\"kind\":\"span\",\"type\":\"" type "\",\"access\":\"" access            \
  "\",\"extents\":[" extents "]}"
#define PARAMS(list) "\"params\":[" list "]"
#define BLOCK(block) ",\"launch\":{\"block\":[" block "]}"
#define LAUNCH(block, grid) ",\"launch\":{\"block\":[" block "],\"grid\":[" grid "]}"
#define ONE LAUNCH("\"1\"", "\"1\"")
#define COROUTINE(shared) ",\"shared_bytes\":" shared ",\"coroutine\":true"

/* Symbol, code, and the rest of the kernel's entry in the manifest. */
static const struct {
  const char *symbol;
  void *code;
  const char *json;
} kernels[] = {
  {"empty", (void *)empty, PARAMS("") ONE},
  {"saxpy", (void *)saxpy,
   PARAMS(SCALAR("n", "u64") "," SCALAR("a", "f32") "," SPAN("x", "f32", "in", "\"n\"") ","
          SPAN("y", "f32", "in", "\"n\"") "," SPAN("z", "f32", "out", "\"n\""))
   LAUNCH("\"256\"", "\"n 256 ceil_div\"")},
  {"fill2d", (void *)fill2d,
   PARAMS(SCALAR("h", "u32") "," SCALAR("w", "u32") "," SPAN("out", "u32", "out", "\"h\",\"w\""))
   LAUNCH("\"16\",\"4\"", "\"w 16 ceil_div\",\"h 4 ceil_div\"")},
  {"last_byte", (void *)last_byte,
   PARAMS(SCALAR("n", "u64") "," SPAN("x", "u8", "inout", "\"n\"")) ONE},
  {"scalars", (void *)scalars,
   PARAMS(SCALAR("b", "bool") "," SCALAR("i8", "i8") "," SCALAR("i16", "i16") ","
          SCALAR("i32", "i32") "," SCALAR("i64", "i64") "," SCALAR("u8", "u8") ","
          SCALAR("u16", "u16") "," SCALAR("u32", "u32") "," SCALAR("u64", "u64") ","
          SCALAR("h", "f16") "," SCALAR("bh", "bf16") "," SCALAR("f", "f32") ","
          SCALAR("d", "f64") "," SPAN("out", "u8", "out", "\"64\"")) ONE},
  {"check_less", (void *)check_less, PARAMS(SCALAR("limit", "u32")) BLOCK("\"32\"")},
  {"always_trap", (void *)always_trap, PARAMS("") BLOCK("\"1\"")},
  {"hello", (void *)hello, PARAMS("") ONE},
  {"dynamic_sum", (void *)dynamic_sum,
   PARAMS(SCALAR("k", "u32") "," SPAN("out", "u32", "out", "\"1\"")) ONE
   ",\"dynamic_shared\":\"k 4 *\""},
  {"block_sum", (void *)block_sum,
   PARAMS(LONG_SPAN("x", "f32", "in") "," SPAN("y", "f32", "out", "\"1\""))
   LAUNCH("\"256\"", "\"1\"") COROUTINE("1024")},
  {"warp_sum", (void *)warp_sum,
   PARAMS(SPAN("out", "u32", "out", "\"32\"")) LAUNCH("\"32\"", "\"1\"") COROUTINE("512")},
  {"early_exit", (void *)early_exit,
   PARAMS(SPAN("count", "u32", "inout", "\"1\"")) BLOCK("\"64\"") COROUTINE("0")},
  {"divergent", (void *)divergent, PARAMS("") BLOCK("\"32\"") COROUTINE("0")},
  {"large_frame", (void *)large_frame,
   PARAMS(SPAN("out", "u32", "out", "\"128\"")) BLOCK("\"128\"") COROUTINE("0")},
  {"resident", (void *)resident,
   PARAMS(SPAN("count", "u32", "inout", "\"1\"")) LAUNCH("\"64\"", "\"grid.resident\"")},
  {"generic_f32_2", (void *)empty, PARAMS("") ONE},
};
/* clang-format on */

/* the compiler's API -------------------------------------------------------------------------- */

struct ck_compilation {
  char *output;
  size_t bytes;
  const char *log;
};

static void write_manifest(FILE *out, const char *source, const char *file_name, const char *target)
{
  const char *list = strstr(source, "import_list="), *pad = strstr(source, "pad=");
  fprintf(out, "{\"manifest\":1,\"compiler\":\"stub\",\"source\":\"%s\",\"target\":\"%s\",",
          file_name, target);
  if (list) {
    list += strlen("import_list=");
    fprintf(out, "\"imports\":[\"%.*s\"],", (int)strcspn(list, " \n"), list);
  } else if (!strstr(source, "no_list")) {
    fprintf(out, "\"imports\":[],");
  }
  if (pad) fprintf(out, "\"options\":{\"defines\":[\"%0*d\"]},", atoi(pad + 4), 0);
  fprintf(out, "\"kernels\":[");
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i) {
    const char *name = !strcmp(kernels[i].symbol, "generic_f32_2") ? "generic<f32, 2>" : NULL;
    fprintf(out, "%s{\"name\":\"%s\",\"symbol\":\"%s\",\"line\":%zu,%s}", i ? "," : "",
            name ? name : kernels[i].symbol, kernels[i].symbol, i + 1, kernels[i].json);
  }
  fprintf(out, "]}");
}

ck_status_t ck_compile(const char *source, size_t bytes, const ck_compile_options_t *options,
                       ck_compilation_t **out_result)
{
  char *text = strndup(source, bytes);
  const char *name = options && options->file_name ? options->file_name : "kernel.ck";
  const char *target = options && options->target ? options->target : "host";
  const char *log_path = getenv("STUB_LOG");
  FILE *log = log_path ? fopen(log_path, "a") : NULL;
  if (log) fprintf(log, "%s\n", target), fclose(log);
  ck_compilation_t *result = calloc(1, sizeof *result);
  *out_result = result;
  result->log = "";
  ck_status_t status = CK_OK;
  if (strstr(text, "syntax_error")) {
    result->log = "kernel.ck:1:1: error: expected ';' [missing_semi]\n  syntax_error\n  ^\n";
    status = CK_COMPILE;
  } else if (strcmp(target, "host") && strcmp(target, "sm_90")) {
    result->log = "error: 'sm_1' is no target [unknown_target]\n";
    status = CK_INVALID_ARGUMENT;
  } else {
    FILE *out = open_memstream(&result->output, &result->bytes);
    bool is_host = !strcmp(target, "host");
    if (is_host) {
      Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
                           .e_type = ET_REL,
                           .e_machine = EM_X86_64,
                           .e_ehsize = sizeof header};
      fwrite(&header, sizeof header, 1, out);
    } else {
      fprintf(out, "// made by a stub\n.version 8.0\n.target sm_90\n//ck: ");
    }
    fflush(out);
    size_t start = result->bytes;
    write_manifest(out, text, name, target);
    fflush(out);
    uint64_t length = result->bytes - start;
    if (is_host) fwrite(&length, sizeof length, 1, out), fwrite("CKMANIF1", 8, 1, out);
    else fputc('\n', out);
    fclose(out);
  }
  free(text);
  return status;
}

void ck_compilation_release(ck_compilation_t *result)
{
  if (result) free(result->output);
  free(result);
}

const void *ck_compilation_output(const ck_compilation_t *result, size_t *out_bytes)
{
  *out_bytes = result->bytes;
  return result->output;
}

const char *ck_compilation_log(const ck_compilation_t *result)
{
  return result->log;
}

/* So the runtime compiles the text. */
ck_status_t ck_compile_kernels(ck_compilation_t *checked, const ck_compile_options_t *options)
{
  (void)checked;
  (void)options;
  return CK_INVALID_ARGUMENT;
}

int ck_compilation_is_quick(const ck_compilation_t *result)
{
  (void)result;
  return 0;
}

struct ck_host_code {
  int nothing;
};

ck_status_t ck_host_code_from_bytes(const void *image, size_t bytes,
                                    const ck_host_symbol_t *symbols, size_t symbol_count,
                                    ck_host_code_t **out, const char **out_error)
{
  (void)image;
  *out_error = "the image is not an ELF header's size";
  if (bytes != sizeof(Elf64_Ehdr)) return CK_INVALID_ARGUMENT;
  for (size_t i = 0; i < symbol_count; ++i) {
    void *address = symbols[i].address;
    if (!strcmp(symbols[i].name, "ck_host_frame")) memcpy(&host_frame, &address, sizeof address);
    if (!strcmp(symbols[i].name, "ck_host_print")) memcpy(&host_print, &address, sizeof address);
    if (!strcmp(symbols[i].name, "ck_host_assert")) memcpy(&host_assert, &address, sizeof address);
    if (!strcmp(symbols[i].name, "ck_host_trap")) memcpy(&host_trap, &address, sizeof address);
  }
  *out = calloc(1, sizeof **out);
  return CK_OK;
}

void *ck_host_code_find(const ck_host_code_t *code, const char *symbol)
{
  (void)code;
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i)
    if (!strcmp(kernels[i].symbol, symbol)) return kernels[i].code;
  return NULL;
}

void ck_host_code_release(ck_host_code_t *code)
{
  free(code);
}
