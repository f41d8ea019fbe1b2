/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* link_mismatch.c - tests that a mismatch between declarations in CK and CUDA C++ is CK_COMPILE
 * with the name, and never a crash: each direction, each mismatch, each form of both pieces.
 *
 * NVRTC makes cubins, PTX and LTO-IR. Fat binaries are assembled here; objects and libraries are
 * made by nvcc, if there is one, for a few cases, since each takes a second.
 */
#include <stdint.h>
#include <unistd.h>

#include "both.h"

enum { TARGET_SM = 90 };
#define TARGET "sm_90"

/* The CK side, for each direction. */
static const char *const ck_texts[] = {
    "import fn name(x: f32, n: i32) -> f32;\n"
    "kernel k(y: inout f32[1]) launch(block = 1, grid = 1) { y[0] = name(y[0], 3); }\n",
    "export fn name(x: f32, n: i32) -> f32 { return x * f32(n); }\n"
    "kernel k(y: inout f32[1]) launch(block = 1, grid = 1) { y[0] = name(y[0], 3); }\n",
    "kernel name(y: inout f32[1]) launch(block = 1, grid = 1) { y[0] = 3; }\n"};

typedef enum Direction { CK_CALLS, CUDA_CALLS, CUDA_CALLS_KERNEL } Direction;

#define DEFINE(result, params, value)                                                              \
  "extern \"C\" __device__ " result " name(" params ") { return " value "; }\n"
#define USE(declaration, value)                                                                    \
  "extern \"C\" __device__ " declaration ";\n"                                                     \
  "extern \"C\" __global__ void user(float *y) { " value "; }\n"

static const struct {
  const char *what;
  Direction direction;
  bool fits, is_for_nvcc; /* made by nvcc too */
  const char *cuda;
} rows[] = {
    {"right", CK_CALLS, true, true, DEFINE("float", "float x, int n", "x * n")},
    {"beside a kernel", CK_CALLS, true, false,
     DEFINE("float", "float x, int n", "x * n") "__global__ void other(float *y) { *y = 1; }\n"},
    {"fewer parameters", CK_CALLS, false, false, DEFINE("float", "float x", "x")},
    {"fewer, beside a kernel", CK_CALLS, false, false,
     DEFINE("float", "float x", "x") "__global__ void other(float *y) { *y = 1; }\n"},
    {"more parameters", CK_CALLS, false, false, DEFINE("float", "float x, int n, int m", "x * m")},
    {"a wider parameter", CK_CALLS, false, false, DEFINE("float", "double x, int n", "float(x)")},
    {"a wider result", CK_CALLS, false, false, DEFINE("double", "float x, int n", "x * n")},
    {"no result", CK_CALLS, false, false, DEFINE("void", "float x, int n", "")},
    {"a struct", CK_CALLS, false, false,
     "struct S { int a[3]; };" DEFINE("float", "S s, int n", "s.a[0]")},
    {"a variable", CK_CALLS, false, true, "extern \"C\" __device__ float name = 3;\n"},
    {"a constant", CK_CALLS, false, false, "extern \"C\" __constant__ float name[4] = {3};\n"},
    {"a kernel", CK_CALLS, false, false, "extern \"C\" __global__ void name(float x, int n) {}\n"},
    {"right", CUDA_CALLS, true, false, USE("float name(float, int)", "*y = name(*y, 2)")},
    {"fewer parameters", CUDA_CALLS, false, true, USE("float name(float)", "*y = name(*y)")},
    {"more parameters", CUDA_CALLS, false, false,
     USE("float name(float, int, int)", "*y = name(*y, 2, 3)")},
    {"a wider parameter", CUDA_CALLS, false, false,
     USE("float name(double, int)", "*y = name(*y, 2)")},
    {"a wider result", CUDA_CALLS, false, false,
     USE("double name(float, int)", "*y = name(*y, 2)")},
    {"no result", CUDA_CALLS, false, false, USE("void name(float, int)", "name(*y, 2)")},
    {"a variable", CUDA_CALLS, false, false, USE("float name", "*y = name")},
    {"a function", CUDA_CALLS_KERNEL, false, false, USE("void name(float *)", "name(y)")},
    {"a variable", CUDA_CALLS_KERNEL, false, false, USE("float name", "*y = name")}};

typedef enum Form {
  CUBIN,
  PTX,
  LTOIR,
  FATBIN,
  NVCC_FATBIN,
  OBJECT,
  LIBRARY,
  LTO_OBJECT,
  FORMS
} Form;

static const struct {
  const char *name;
  ck_emit_t emit;   /* NVRTC's form */
  const char *nvcc; /* nvcc's options; NULL: made by NVRTC */
} forms[FORMS] = {
    [CUBIN] = {"cubin", CK_EMIT_CUBIN, NULL},
    [PTX] = {"PTX", CK_EMIT_PTX, NULL},
    [LTOIR] = {"LTO-IR", CK_EMIT_LTOIR, NULL},
    [FATBIN] = {"fatbin", CK_EMIT_CUBIN, NULL},
    [NVCC_FATBIN] = {"nvcc's fatbin", CK_EMIT_CUBIN, "-arch=" TARGET " -fatbin"},
    [OBJECT] = {"object", CK_EMIT_CUBIN, "-arch=" TARGET},
    [LIBRARY] = {"library", CK_EMIT_CUBIN, "-arch=" TARGET},
    [LTO_OBJECT] = {"object of LTO-IR", CK_EMIT_CUBIN, "-gencode arch=compute_90,code=lto_90"}};

/* A piece of a link: object code, or bytes. */
typedef struct Piece {
  ck_object_code_t *code;
  void *bytes;
  size_t count;
} Piece;

static void release(Piece *piece)
{
  ck_object_code_release(piece->code);
  free(piece->bytes);
  *piece = (Piece){0};
}

/* False where a part of the toolkit is missing. */
static bool compile_ck(const char *text, ck_emit_t emit, Piece *out)
{
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_program_t *program;
  options.target = TARGET;
  options.emit = emit;
  options.file_name = "piece.ck";
  if (!CHECK_OK(ck_program_create(text, strlen(text), &options, &program))) return false;
  ck_status_t status = ck_program_compile(program, NULL, &out->code);
  ck_program_release(program);
  return status != CK_UNAVAILABLE && CHECK_OK(status);
}

/* Wraps a cubin in the container that nvcc -fatbin --no-compress makes. */
static void wrap(Piece *piece)
{
  size_t count;
  const void *cubin = ck_object_code_bytes(piece->code, &count);
  size_t filled = (count + 7) & ~(size_t)7;
  uint64_t head[2] = {0xBA55ED50u | 1ull << 32 | 16ull << 48, 64 + filled};
  uint64_t entry[8] = {2 | 0x101 << 16 | 64ull << 32, filled, 0, 8 | (uint64_t)TARGET_SM << 32};
  entry[3] = 7 | 1ull << 16 | (uint64_t)TARGET_SM << 32;
  entry[5] = 0x11; /* 64 bits, Linux */
  char *bytes = calloc(1, sizeof head + sizeof entry + filled);
  memcpy(bytes, head, sizeof head);
  memcpy(bytes + sizeof head, entry, sizeof entry);
  memcpy(bytes + sizeof head + sizeof entry, cubin, count);
  release(piece);
  piece->bytes = bytes;
  piece->count = sizeof head + sizeof entry + filled;
}

static bool compile_cuda(const char *text, Form form, Piece *out)
{
  ck_program_options_t options = CK_OPTIONS_INIT(ck_program_options_t);
  ck_program_t *program;
  options.target = TARGET;
  options.emit = forms[form].emit;
  options.name = "piece.cu";
  options.relocatable_device_code = CK_ON;
  ck_status_t status =
      ck_program_from_source(CK_PROGRAM_CUDA, text, strlen(text), &options, &program);
  if (!CHECK_OK(status)) return false;
  status = ck_program_compile(program, NULL, &out->code);
  ck_program_release(program);
  if (status == CK_UNAVAILABLE || !CHECK_OK(status)) return false;
  if (form == FATBIN) wrap(out);
  return true;
}

/* False without nvcc, or where it has no compiler for the host. */
static bool compile_by_nvcc(const char *text, Form form, Piece *out)
{
  const char *archive = form == LIBRARY ? "&& ar rc piece.a piece.o && mv piece.a piece.o" : "";
  char folder[] = "/tmp/link_mismatch.XXXXXX", command[1024], source[64], result[64];
  bool is_good = false;
  if (!CHECK(mkdtemp(folder) != NULL)) return false;
  snprintf(source, sizeof source, "%s/piece.cu", folder);
  snprintf(result, sizeof result, "%s/piece.o", folder);
  snprintf(command, sizeof command,
           "cd %s && PATH=$PATH:/usr/local/cuda/bin; (nvcc -dc %s -o piece.o piece.cu %s) "
           ">/dev/null 2>&1",
           folder, forms[form].nvcc, archive);
  FILE *file = fopen(source, "w");
  if (file) fputs(text, file), fclose(file);
  if (file && system(command) == 0 && (file = fopen(result, "r"))) {
    enum { MOST = 1 << 20 };
    out->bytes = malloc(MOST);
    out->count = fread(out->bytes, 1, MOST, file);
    is_good = fclose(file) == 0 && out->count > 0;
  }
  unlink(source);
  unlink(result);
  rmdir(folder);
  return is_good;
}

static ck_status_t add(ck_linker_t *linker, const Piece *piece)
{
  if (piece->code) return ck_linker_add_code(linker, piece->code);
  return ck_linker_add(linker, CK_LINK_ANY, piece->bytes, piece->count, "piece.cu");
}

/* Links both, and compares the result with the case. Forms that can be read are linked in both
 * orders, others, which take longer, in one. */
static void link_both(size_t row, ck_emit_t ck_form, Form form, const Piece *ck, const Piece *cuda)
{
  bool is_read = form == CUBIN || form == PTX;
  for (int order = 0; order < 2; ++order) {
    if (!is_read && order != (int)((row + (ck_form == CK_EMIT_PTX)) & 1)) continue;
    ck_linker_options_t options = CK_OPTIONS_INIT(ck_linker_options_t);
    ck_linker_t *linker = NULL;
    ck_object_code_t *linked = NULL;
    unsigned before = failed;
    options.target = TARGET;
    if (form == LTO_OBJECT) options.link_time_optimization = CK_ON;
    CHECK_OK(ck_linker_create(NULL, &options, &linker));
    CHECK_OK(add(linker, order ? cuda : ck));
    CHECK_OK(add(linker, order ? ck : cuda));
    ck_status_t status = ck_linker_link(linker, CK_EMIT_CUBIN, &linked);
    /* nvJitLink keeps no function of LTO-IR with a kernel for other forms, and reports that. */
    bool is_mixed = (ck_form == CK_EMIT_LTOIR) != (form == LTOIR || form == LTO_OBJECT);
    bool is_dropped = rows[row].fits && is_mixed && status == CK_COMPILE &&
                      strstr(ck_last_error(), "of LTO-IR with kernels");
    if (rows[row].fits && !is_dropped) CHECK_OK(status);
    else if (is_dropped) CHECK_ERROR("name");
    else if (CHECK(status == CK_COMPILE)) CHECK_ERROR("name");
    if (failed != before)
      fprintf(stderr, "%s, direction %d, CK's %s, %s, order %d: %s\n", rows[row].what,
              rows[row].direction, ck_form == CK_EMIT_PTX ? "PTX" : "LTO-IR", forms[form].name,
              order, status ? ck_last_error() : "linked");
    ck_object_code_release(linked);
    ck_linker_release(linker);
  }
}

static bool run_row(size_t row, Form form)
{
  static const ck_emit_t ck_forms[] = {CK_EMIT_PTX, CK_EMIT_LTOIR};
  Piece cuda = {0};
  bool is_there = forms[form].nvcc ? compile_by_nvcc(rows[row].cuda, form, &cuda)
                                   : compile_cuda(rows[row].cuda, form, &cuda);
  for (int i = 0; i < 2 && is_there; ++i) {
    Piece ck = {0};
    is_there = compile_ck(ck_texts[rows[row].direction], ck_forms[i], &ck);
    if (is_there) link_both(row, ck_forms[i], form, &ck, &cuda);
    release(&ck);
  }
  release(&cuda);
  return is_there;
}

int main(void)
{
  setenv("CK_CACHE", "off", 1);
  for (Form form = 0; form < FORMS; ++form) {
    unsigned before = passed;
    for (size_t row = 0; row < sizeof rows / sizeof *rows; ++row) {
      if (forms[form].nvcc && !rows[row].is_for_nvcc) continue;
      if (run_row(row, form)) continue;
      if (failed) return 1;
      if (!forms[form].nvcc) return 77;
      break;
    }
    printf("%s: %u passed\n", forms[form].name, passed - before);
  }
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}
