/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* program_kinds.c - tests programs in CUDA C++, PTX, NVVM IR and LTO-IR: cuda.core's tests of its
 * Program.
 *
 * NVRTC, libNVVM and nvJitLink need no GPU, so code is compiled wherever they are found; with a GPU
 * ($CK_DEVICE) it also runs. The errors of a machine without them are tested in child processes.
 */
#define _GNU_SOURCE /* setenv */
#include "fixture.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "code/foreign.h"

static const char saxpy[] =
    "template <typename T>\n"
    "__global__ void saxpy(T a, const T *x, const T *y, T *z, size_t n)\n"
    "{\n"
    "  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;\n"
    "  if (i < n) z[i] = a * x[i] + y[i];\n"
    "}\n"
    "__constant__ float table[4];\n"
    "extern \"C\" __global__ void plain(int *out) { *out = 42 + (int)table[0]; }\n";

static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                          ".visible .entry k(.param .u64 out) { .reg .b64 %d<2>;\n"
                          "  ld.param.u64 %d0, [out]; cvta.to.global.u64 %d1, %d0;\n"
                          "  st.global.u32 [%d1], 42; ret; }\n";

/* The LLVM 7 dialect, which libNVVM accepts for every target. */
#define NVVM_HEAD                                                                                  \
  "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-"   \
  "f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n"                   \
  "target triple = \"nvptx64-nvidia-cuda\"\n"
#define NVVM_TAIL                                                                                  \
  "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0, i32 3, i32 1}\n"                                  \
  "!nvvm.annotations = !{!1}\n!1 = !{void (float*)* @k, !\"kernel\", i32 1}\n"

static const char nvvm[] = NVVM_HEAD "declare float @__nv_sinf(float)\n"
                                     "declare float @twice(float)\n"
                                     "define void @k(float* %p) {\n"
                                     "  %a = load float, float* %p\n"
                                     "  %b = call float @__nv_sinf(float %a)\n"
                                     "  %c = call float @twice(float %b)\n"
                                     "  store float %c, float* %p\n  ret void\n}\n" NVVM_TAIL;
static const char nvvm_twice[] = NVVM_HEAD "define float @twice(float %x) {\n"
                                           "  %y = fadd float %x, %x\n  ret float %y\n}\n"
                                           "!nvvmir.version = !{!0}\n"
                                           "!0 = !{i32 2, i32 0, i32 3, i32 1}\n";
static const char nvvm_plain[] =
    NVVM_HEAD "define void @k(float* %p) {\n"
              "  store float 4.0, float* %p\n  ret void\n}\n" NVVM_TAIL;

static ck_program_options_t for_sm_80(ck_emit_t emit)
{
  ck_program_options_t options = CK_OPTIONS_INIT(ck_program_options_t);
  options.target = "sm_80";
  options.emit = emit;
  return options;
}

static uint64_t misses(void)
{
  ck_cache_stats_t stats;
  ck_cache_get_stats(&stats);
  return stats.misses;
}

/* Compiles; the log of a failure is in `out_log`, which may be NULL. */
static ck_status_t compile(ck_program_kind_t kind, const char *source,
                           const ck_program_options_t *options, ck_object_code_t **out_code,
                           ck_pch_status_t *out_pch)
{
  ck_program_t *program;
  *out_code = NULL;
  ck_status_t status = ck_program_from_source(kind, source, strlen(source), options, &program);
  if (status != CK_OK) return status;
  CHECK(ck_program_kind(program) == kind);
  status = ck_program_compile(program, NULL, out_code);
  if (out_pch) *out_pch = ck_program_pch_status(program);
  if (status == CK_COMPILE) CHECK(strlen(ck_program_log(program)) > 0);
  ck_program_release(program);
  return status;
}

/* Compiles and checks the code: its text contains `needle`, unless that is NULL. */
static void makes(ck_program_kind_t kind, const char *source, const ck_program_options_t *options,
                  const char *needle)
{
  ck_object_code_t *code;
  if (!CHECK_OK(compile(kind, source, options, &code, NULL))) return;
  CHECK(ck_object_code_form(code) == options->emit);
  if (needle) CHECK(strstr(ck_object_code_bytes(code, NULL), needle) != NULL);
  ck_object_code_release(code);
}

TEST(cuda_to_each_form)
{
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  makes(CK_PROGRAM_CUDA, saxpy, &options, ".entry plain");
  options.emit = CK_EMIT_CUBIN;
  makes(CK_PROGRAM_CUDA, saxpy, &options, NULL);
  options.emit = CK_EMIT_LTOIR;
  makes(CK_PROGRAM_CUDA, saxpy, &options, NULL);
  options.emit = CK_EMIT_AST;
  ck_object_code_t *code;
  CHECK_STATUS(compile(CK_PROGRAM_CUDA, saxpy, &options, &code, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("emit 2 is not made of CUDA C++");
}

/* Instances and variables are found by their C++ names, also after the code was saved to a file. */
TEST(name_expressions)
{
  static const char *const names[] = {"saxpy<float>", "saxpy<double>", "&table"};
  static const ck_emit_t forms[] = {CK_EMIT_CUBIN, CK_EMIT_PTX, CK_EMIT_LTOIR};
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.name_expressions = names;
  options.name_expression_count = COUNT_OF(names);
  for (size_t i = 0; i < COUNT_OF(forms); ++i) {
    ck_object_code_t *code, *again;
    const char *name;
    size_t bytes;
    options.emit = forms[i];
    if (!CHECK_OK(compile(CK_PROGRAM_CUDA, saxpy, &options, &code, NULL))) continue;
    const void *data = ck_object_code_bytes(code, &bytes);
    CHECK_OK(ck_object_code_from_bytes(data, bytes, &again));
    CHECK(ck_object_code_symbol_count(again) == 3 && again->manifest->has_foreign);
    CHECK(!strncmp(ck_object_code_symbol(again, 2, &name), "_Z5saxpyIf", 10)); /* sorted by name */
    CHECK(!strcmp(name, "saxpy<float>"));
    CHECK(manifest_symbol(again->manifest, "saxpy< double >") != NULL);
    CHECK(!manifest_symbol(again->manifest, "saxpy<int>"));
    ck_object_code_release(code);
    ck_object_code_release(again);
  }
  static const char *const wrong[] = {"no_such_kernel"};
  ck_object_code_t *code;
  options.name_expressions = wrong;
  options.name_expression_count = 1;
  CHECK_STATUS(compile(CK_PROGRAM_CUDA, saxpy, &options, &code, NULL), CK_COMPILE);
  CHECK_ERROR("no_such_kernel");
}

/* Every option of NVRTC is accepted. */
TEST(cuda_options)
{
  static const char *const ptxas[] = {"-v", "-O2"};
  static const char *const macros[] = {"ONE", "TWO=2"}, *const gone[] = {"ONE"};
  static const char *const folders[] = {"/tmp", "/"}, *const more[] = {"--maxrregcount=48"};
  static const int numbers[] = {177, 550};
#define ROWS(X)                                                                                    \
  X(o.relocatable_device_code = CK_ON)                                                             \
  X(o.relocatable_device_code = CK_OFF)                                                            \
  X(o.extensible_whole_program = CK_ON)                                                            \
  X(o.debug = CK_ON)                                                                               \
  X(o.lineinfo = CK_ON)                                                                            \
  X(o.debug = o.device_code_optimize = CK_ON)                                                      \
  X(o.device_code_optimize = CK_OFF)                                                               \
  X((o.ptxas_options = ptxas, o.ptxas_option_count = 2, o.emit = CK_EMIT_CUBIN))                   \
  X(o.max_registers = 32)                                                                          \
  X(o.ftz = CK_ON)                                                                                 \
  X(o.prec_sqrt = CK_OFF)                                                                          \
  X(o.prec_div = CK_OFF)                                                                           \
  X(o.fma = CK_OFF)                                                                                \
  X(o.use_fast_math = CK_ON)                                                                       \
  X(o.extra_device_vectorization = CK_ON)                                                          \
  X((o.link_time_optimization = CK_ON, o.emit = CK_EMIT_LTOIR))                                    \
  X((o.gen_opt_lto = CK_ON, o.emit = CK_EMIT_LTOIR))                                               \
  X((o.define_macros = macros, o.define_macro_count = 2))                                          \
  X((o.undefine_macros = gone, o.undefine_macro_count = 1))                                        \
  X((o.include_paths = folders, o.include_path_count = 2))                                         \
  X(o.no_source_include = CK_ON)                                                                   \
  X(o.std = "c++20")                                                                               \
  X(o.builtin_move_forward = CK_OFF)                                                               \
  X(o.builtin_initializer_list = CK_OFF)                                                           \
  X(o.disable_warnings = CK_ON)                                                                    \
  X(o.restrict_pointers = CK_ON)                                                                   \
  X(o.device_as_default_execution_space = CK_ON)                                                   \
  X(o.device_int128 = CK_ON)                                                                       \
  X((o.device_float128 = CK_ON, o.target = "sm_100"))                                              \
  X(o.optimization_info = "inline")                                                                \
  X(o.no_display_error_number = CK_ON)                                                             \
  X(o.brief_diagnostics = CK_ON)                                                                   \
  X((o.diag_error = numbers, o.diag_error_count = 1))                                              \
  X((o.diag_suppress = numbers, o.diag_suppress_count = 2))                                        \
  X((o.diag_warn = numbers, o.diag_warn_count = 2))                                                \
  X(o.time = time_file)                                                                            \
  X(o.split_compile = 2)                                                                           \
  X(o.split_compile = CK_SPLIT_ALL)                                                                \
  X(o.minimal = CK_ON)                                                                             \
  X(o.no_cache = CK_ON)                                                                            \
  X(o.fdevice_time_trace = trace_file)                                                             \
  X(o.frandom_seed = "seed")                                                                       \
  X(o.ofast_compile = "max")                                                                       \
  X((o.extra = more, o.extra_count = 1))
  Arena arena = {0};
  const char *folder = getenv("CK_CACHE_DIR");
  const char *time_file = arena_printf(&arena, "%s/times.csv", folder);
  const char *trace_file = arena_printf(&arena, "%s/trace", folder);
  size_t count = 0;
#define TRY(set_)                                                                                  \
  {                                                                                                \
    ck_program_options_t o = for_sm_80(CK_EMIT_PTX);                                               \
    ck_object_code_t *code;                                                                        \
    set_;                                                                                          \
    if (!CHECK_OK(compile(CK_PROGRAM_CUDA, saxpy, &o, &code, NULL)))                               \
      fprintf(stderr, "%s\n", #set_);                                                              \
    ck_object_code_release(code);                                                                  \
    ++count;                                                                                       \
  }
  ROWS(TRY)
#undef ROWS
  CHECK(count > 40 && file_exists(time_file));
  CHECK(file_exists(arena_printf(&arena, "%s.json", trace_file)));
  arena_free(&arena);
}

TEST(macros_reach_the_source)
{
  static const char source[] = "extern \"C\" __global__ void k(int *p) { *p = VALUE; }";
  static const char *const macros[] = {"VALUE=1234"};
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.define_macros = macros;
  options.define_macro_count = 1;
  makes(CK_PROGRAM_CUDA, source, &options, "1234");
}

TEST(cuda_mistakes)
{
  ck_object_code_t *code;
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.name = "wrong.cu";
  CHECK_STATUS(compile(CK_PROGRAM_CUDA, "__global__ void k( {", &options, &code, NULL), CK_COMPILE);
  CHECK_ERROR("wrong.cu(1): error");
  static const char *const extra[] = {"--no-such-option"};
  options.extra = extra;
  options.extra_count = 1;
  CHECK_STATUS(compile(CK_PROGRAM_CUDA, saxpy, &options, &code, NULL), CK_COMPILE);
  CHECK_ERROR("INVALID_OPTION");
  options.extra_count = 0;
  options.fdevice_syntax_only = CK_ON;
  CHECK_OK(compile(CK_PROGRAM_CUDA, saxpy, &options, &code, NULL));
  if (code) CHECK(!strstr(code->data, ".entry"));
  ck_object_code_release(code);
  static const char undefined[] = "extern \"C\" __global__ void k() { no_such_function(); }";
  options.fdevice_syntax_only = CK_OFF;
  CHECK_STATUS(compile(CK_PROGRAM_CUDA, undefined, &options, &code, NULL), CK_COMPILE);
  CHECK_ERROR("no_such_function");
}

/* Headers that NVRTC contains, without a toolkit; an older version reports that it has none. */
TEST(use_bundled_headers_installs_and_compiles)
{
  static const char source[] =
      "#include <cuda/std/type_traits>\n"
      "extern \"C\" __global__ void k(int *out) { *out = cuda::std::is_integral<int>::value; }\n";
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  ck_object_code_t *code;
  CHECK_STATUS(compile(CK_PROGRAM_CUDA, source, &options, &code, NULL), CK_COMPILE);
  CHECK_ERROR("could not open source file");
  options.use_bundled_headers = CK_ON;
  if (nvrtc_open(NULL)->nvrtcInstallBundledHeaders) {
    makes(CK_PROGRAM_CUDA, source, &options, ".entry k");
    return;
  }
  CHECK_STATUS(compile(CK_PROGRAM_CUDA, source, &options, &code, NULL), CK_UNSUPPORTED);
  CHECK_ERROR("'use_bundled_headers' needs NVRTC 13.3");
}

/* CUDA C++ to PTX, and that to a cubin: a device can load the kernel. */
TEST(program_compile_valid_target_type)
{
  static const char source[] = "extern \"C\" __global__ void my_kernel() {}";
  Bench bench;
  bench_open_any(&bench);
  bool is_host = ck_device_is_host(bench.device);
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  ck_object_code_t *codes[2] = {NULL, NULL};
  options.target = is_host ? "sm_80" : ck_device_target(bench.device);
  options.name = "42";
  CHECK_OK(compile(CK_PROGRAM_CUDA, source, &options, &codes[0], NULL));
  if (codes[0]) CHECK(!strcmp(codes[0]->manifest->source, "42"));
  options.emit = CK_EMIT_CUBIN;
  options.name = "24";
  if (codes[0] && nvjitlink_open(NULL))
    CHECK_OK(compile(CK_PROGRAM_PTX, codes[0]->data, &options, &codes[1], NULL));
  for (int i = 0; i < 2; ++i) {
    ck_kernel_t *kernel = NULL;
    if (!codes[i]) continue;
    ck_status_t status = ck_kernel_from_code(codes[i], bench.device, "my_kernel", &kernel);
    CHECK(status == (is_host ? CK_INVALID_ARGUMENT : CK_OK));
    ck_kernel_release(kernel);
    ck_object_code_release(codes[i]);
  }
  bench_close(&bench);
}

TEST(nvrtc_compile_with_logs_capture)
{
  static const char source[] = "#warning \"in the log\"\nextern \"C\" __global__ void k() {}";
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  ck_program_t *program;
  ck_object_code_t *code;
  CHECK_OK(ck_program_from_source(CK_PROGRAM_CUDA, source, sizeof source - 1, &options, &program));
  CHECK(!*ck_program_log(program));
  CHECK_OK(ck_program_compile(program, NULL, &code));
  CHECK(strstr(ck_program_log(program), "in the log") != NULL);
  ck_object_code_release(code);
  ck_program_release(program);
}

/* The program's name determines where #include "..." searches, with and without debugging, and no
 * file there is written. Without a name it is the current folder, even if the source is put into a
 * file elsewhere. */
TEST(nvrtc_debug_preserves_quoted_include_resolution)
{
  static const char source[] = "#include \"local.h\"\n"
                               "extern \"C\" __global__ void k(int *p) { *p = BUMP; }\n";
  static const char header[] = "#define BUMP 7321\n", own[] = "/* the caller's own */\n";
  Arena arena = {0};
  const char *folder = getenv("CK_CACHE_DIR");
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  char *text;
  size_t bytes;
  options.name = arena_printf(&arena, "%s/k.cu", folder);
  CHECK(file_write(arena_printf(&arena, "%s/local.h", folder), header, sizeof header - 1));
  makes(CK_PROGRAM_CUDA, source, &options, "7321");
  options.debug = CK_ON;
  makes(CK_PROGRAM_CUDA, source, &options, "7321");
  CHECK(!file_exists(options.name));
  CHECK(file_write(options.name, own, sizeof own - 1));
  makes(CK_PROGRAM_CUDA, source, &options, "7321");
  CHECK(file_read(&arena, options.name, FILE_REGULAR, &text, &bytes) &&
        !strncmp(text, own, sizeof own - 1));
  char *here = path_real(&arena, ".");
  options.name = NULL;
  CHECK(chdir(folder) == 0);
  makes(CK_PROGRAM_CUDA, source, &options, "7321");
  CHECK(chdir(here) == 0);
  arena_free(&arena);
}

/* ---- sources as files, for debuggers ---- */

static const char matmul[] = "extern \"C\" __global__ void matmul() {}";

/* A private folder for temporary files, and the number of files in it. */
static const char *use_temporary_folder(void)
{
  static char folder[512];
  snprintf(folder, sizeof folder, "%s/tmp-XXXXXX", getenv("CK_CACHE_DIR"));
  CHECK(mkdtemp(folder) != NULL);
  setenv("TMPDIR", folder, 1);
  return folder;
}

static bool is_empty(const char *folder)
{
  return rmdir(folder) == 0 && mkdir(folder, 0700) == 0;
}

static bool has_text(const char *path, const char *text)
{
  Arena arena = {0};
  char *data;
  size_t bytes;
  bool is_same = file_read(&arena, path, FILE_REGULAR, &data, &bytes) && !strcmp(data, text);
  arena_free(&arena);
  return is_same;
}

/* A program and its code; the caller releases both. The result is the source's name. */
static const char *compile_both(const ck_program_options_t *options, ck_program_t **out_program,
                                ck_object_code_t **out_code)
{
  *out_code = NULL;
  CHECK_OK(
      ck_program_from_source(CK_PROGRAM_CUDA, matmul, sizeof matmul - 1, options, out_program));
  if (!CHECK_OK(ck_program_compile(*out_program, NULL, out_code))) return "";
  return (*out_code)->manifest->source;
}

/* With line information the source is a file, which exists as long as the program or the code. */
TEST(nvrtc_debug_materializes_source_to_temp_file)
{
  const char *folder = use_temporary_folder();
  ck_program_t *program;
  ck_object_code_t *code;
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  CHECK(!strcmp(compile_both(&options, &program, &code), "default_program"));
  ck_program_release(program);
  ck_object_code_release(code);
  options.debug = CK_ON;
  options.name = "user_kernel.cu";
  CHECK(!strcmp(compile_both(&options, &program, &code), "user_kernel.cu"));
  CHECK(!file_exists("user_kernel.cu") && is_empty(folder));
  ck_program_release(program);
  ck_object_code_release(code);
  options.name = NULL;
  for (int round = 0; round < 3; ++round) {
    struct stat info;
    options.debug = round == 1 ? CK_UNSET : CK_ON;
    options.lineinfo = round == 1 ? CK_ON : CK_UNSET;
    options.emit = round == 2 ? CK_EMIT_CUBIN : CK_EMIT_PTX;
    const char *path = compile_both(&options, &program, &code);
    CHECK(!strncmp(path, folder, strlen(folder)) && has_text(path, matmul));
    CHECK(stat(path, &info) == 0 && (info.st_mode & 0777) == 0600);
    if (round < 2) CHECK(strstr(code->data, path) != NULL); /* where a debugger finds it */
    ck_program_release(program);
    CHECK(file_exists(path)); /* kernels may still run */
    ck_cache_clear();
    CHECK(file_exists(path));
    ck_object_code_release(code);
    CHECK(is_empty(folder));
  }
}

/* Such code is cached in memory with its file, and not on disk. */
TEST(debug_sources_and_the_cache)
{
  const char *folder = use_temporary_folder();
  ck_program_t *program, *other;
  ck_object_code_t *code, *again;
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.debug = CK_ON;
  uint64_t before = misses();
  const char *path = compile_both(&options, &program, &code);
  CHECK(compile_both(&options, &other, &again) == path && misses() == before + 1);
  ck_object_code_release(again);
  ck_program_release(other);
  CHECK_OK(ck_cache_remove_program(program, NULL));
  CHECK_STATUS(ck_cache_remove_program(program, NULL), CK_NOT_FOUND);
  CHECK(compile_both(&options, &other, &again) != path && misses() == before + 2);
  ck_cache_clear();
  ck_object_code_release(again);
  ck_program_release(other);
  ck_object_code_release(code);
  CHECK(!is_empty(folder)); /* the program retains it for its next compilation */
  ck_program_release(program);
  CHECK(is_empty(folder));
}

/* A child of fork() does not remove the files of its parent. */
TEST(debug_sources_and_fork)
{
  use_temporary_folder();
  ck_program_t *program;
  ck_object_code_t *code;
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.debug = CK_ON;
  const char *path = compile_both(&options, &program, &code);
  ck_cache_clear();
  pid_t child = fork();
  if (child == 0) {
    ck_program_release(program);
    ck_object_code_release(code);
    _exit(0);
  }
  CHECK(waitpid(child, NULL, 0) == child && file_exists(path));
  ck_program_release(program);
  ck_object_code_release(code);
}

static void falls_back(void)
{
  ck_program_t *program;
  ck_object_code_t *code;
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.debug = CK_ON;
  ck_cache_clear();
  CHECK(!strcmp(compile_both(&options, &program, &code), "default_program"));
  ck_program_release(program);
  ck_object_code_release(code);
  ck_cache_clear();
}

TEST(nvrtc_debug_falls_back_when_tmp_not_writable)
{
  setenv("TMPDIR", "/dev/null/nowhere", 1);
  falls_back();
  unsetenv("TMPDIR");
}

/* A full disk: the unfinished file is removed. */
TEST(nvrtc_debug_falls_back_when_temp_file_write_fails)
{
  const char *folder = use_temporary_folder();
  struct rlimit old, small = {10, 10};
  CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
  small.rlim_max = old.rlim_max;
  signal(SIGXFSZ, SIG_IGN);
  CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
  falls_back();
  CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
  CHECK(is_empty(folder));
}

/* Without a cache, so that each thread compiles. */
static void *compile_one(void *data)
{
  ck_program_t *program;
  ck_object_code_t *code = NULL;
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  (void)data;
  options.debug = CK_ON;
  if (ck_program_from_source(CK_PROGRAM_CUDA, matmul, sizeof matmul - 1, &options, &program) ||
      ck_program_compile(program, NULL, &code) || !has_text(code->manifest->source, matmul))
    ++thread_failures;
  char path[512];
  snprintf(path, sizeof path, "%s", code ? code->manifest->source : "/");
  ck_program_release(program);
  ck_object_code_release(code);
  thread_failures += file_exists(path); /* the file of this thread only */
  return NULL;
}

TEST(nvrtc_debug_concurrent_compile_uses_unique_temp_files)
{
  const char *folder = use_temporary_folder();
  setenv("CK_CACHE", "off", 1);
  thread_failures = 0;
  run_threads(compile_one);
  CHECK(thread_failures == 0 && is_empty(folder));
  ck_program_t *programs[2];
  ck_object_code_t *codes[2];
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.debug = CK_ON;
  const char *first = compile_both(&options, &programs[0], &codes[0]);
  const char *second = compile_both(&options, &programs[1], &codes[1]);
  CHECK(strcmp(first, second) != 0 && has_text(first, matmul) && has_text(second, matmul));
  unsetenv("CK_CACHE");
  for (int i = 0; i < 2; ++i) ck_program_release(programs[i]);
  for (int i = 0; i < 2; ++i) ck_object_code_release(codes[i]);
  CHECK(is_empty(folder));
  unsetenv("TMPDIR");
}

static int driver_version;

static CUresult play_version(int *out_version)
{
  *out_version = driver_version;
  return CUDA_SUCCESS;
}

/* PTX of an NVRTC that is newer than the driver: a warning, also on a cache hit. */
TEST(cache_hit_emits_ptx_loadability_warning_when_driver_too_old)
{
  static const char source[] = "extern \"C\" __global__ void warned() {}";
  static const int versions[] = {12000, 12000, 99000};
  Driver driver = *driver_host();
  ck_device_t *device;
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  driver.cuDriverGetVersion = play_version;
  CHECK_OK(device_open(driver_of_gpu(&driver), 0, &device));
  for (size_t i = 0; i < COUNT_OF(versions); ++i) {
    ck_program_t *program;
    ck_object_code_t *code = NULL;
    uint64_t before = misses();
    driver_version = versions[i];
    CHECK_OK(
        ck_program_from_source(CK_PROGRAM_CUDA, source, sizeof source - 1, &options, &program));
    CHECK_OK(ck_program_compile(program, device, &code));
    CHECK(misses() == before + (i == 0));
    bool is_warned = strstr(ck_program_log(program), "the driver is CUDA 12.0's") != NULL;
    CHECK(is_warned == (versions[i] == 12000));
    ck_object_code_release(code);
    ck_program_release(program);
  }
  ck_device_release(device);
}

TEST(precompiled_headers)
{
  Arena arena = {0};
  const char *folder = getenv("CK_CACHE_DIR");
  const char *header = arena_printf(&arena, "%s/part.h", folder);
  static const char text[] = "template <class T> __device__ T half_of(T x) { return x / 2; }\n";
  static const char source[] = "#include \"part.h\"\n"
                               "extern \"C\" __global__ void k(float *p) { *p = half_of(*p); }\n";
  CHECK(file_write(header, text, sizeof text - 1));
  ck_object_code_t *code;
  ck_pch_status_t pch;
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.include_paths = &folder;
  options.include_path_count = 1;
  CHECK_OK(compile(CK_PROGRAM_CUDA, source, &options, &code, &pch));
  CHECK(pch == CK_PCH_NONE);
  ck_object_code_release(code);
  if (nvrtc_open(NULL)->nvrtcGetPCHCreateStatus) {
    options.create_pch = arena_printf(&arena, "%s/part.pch", folder);
    options.pch_messages = CK_ON;
    CHECK_OK(compile(CK_PROGRAM_CUDA, source, &options, &code, &pch));
    CHECK(pch == CK_PCH_CREATED && file_exists(options.create_pch));
    ck_object_code_release(code);
    options.use_pch = options.create_pch;
    options.create_pch = NULL;
    options.pch_verbose = CK_ON;
    CHECK_OK(compile(CK_PROGRAM_CUDA, source, &options, &code, &pch));
    CHECK(pch == CK_PCH_NOT_ATTEMPTED);
    ck_object_code_release(code);
    options.use_pch = NULL;
    options.pch = CK_ON;
    options.pch_dir = folder;
    options.instantiate_templates_in_pch = CK_ON;
    CHECK_OK(compile(CK_PROGRAM_CUDA, source, &options, &code, &pch));
    CHECK(pch == CK_PCH_CREATED || pch == CK_PCH_NOT_ATTEMPTED);
    ck_object_code_release(code);
  }
  arena_free(&arena);
}

/* CUDA's own headers are found where the toolkit is. */
TEST(toolkit_headers)
{
  static const char source[] = "#include <cuda_fp16.h>\n"
                               "extern \"C\" __global__ void k(half *p) { *p = *p + *p; }\n";
  const char *path;
  if (ck_toolkit_find("headers", &path, NULL) != CK_OK) return;
  Arena arena = {0};
  const char *folder = arena_strndup(&arena, path, strlen(path) - strlen("/cuda_fp16.h"));
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.include_paths = &folder;
  options.include_path_count = 1;
  makes(CK_PROGRAM_CUDA, source, &options, ".entry k");
  arena_free(&arena);
}

TEST(nvvm_programs)
{
  const ck_program_source_t extra[] = {{"twice", nvvm_twice, sizeof nvvm_twice - 1}};
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  ck_object_code_t *code;
  makes(CK_PROGRAM_NVVM, nvvm_plain, &options, ".entry k");
  options.emit = CK_EMIT_FATBIN;
  CHECK_STATUS(compile(CK_PROGRAM_NVVM, nvvm_plain, &options, &code, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("is not made of NVVM IR");
  options.emit = CK_EMIT_LTOIR;
  makes(CK_PROGRAM_NVVM, nvvm_plain, &options, NULL);
  options.emit = CK_EMIT_PTX;
  options.extra_sources = extra;
  options.extra_source_count = 1;
  options.use_libdevice = CK_ON;
  options.debug = CK_OFF;
  options.ftz = CK_ON;
  options.prec_sqrt = options.prec_div = options.fma = CK_OFF;
  options.device_code_optimize = CK_ON;
  makes(CK_PROGRAM_NVVM, nvvm, &options, ".entry k");
  CHECK_OK(compile(CK_PROGRAM_NVVM, nvvm, &options, &code, NULL));
  if (code) CHECK(!strstr(code->data, "call")); /* twice and sinf are inlined */
  ck_object_code_release(code);
  options.device_code_optimize = CK_OFF;
  options.lineinfo = CK_ON;
  makes(CK_PROGRAM_NVVM, nvvm, &options, ".entry k");
  if (nvjitlink_open(NULL)) {
    options.emit = CK_EMIT_CUBIN;
    makes(CK_PROGRAM_NVVM, nvvm, &options, NULL);
  }
  ck_program_options_t plain = for_sm_80(CK_EMIT_PTX);
  CHECK_STATUS(compile(CK_PROGRAM_NVVM, "define nonsense", &plain, &code, NULL), CK_COMPILE);
  CHECK_ERROR("libNVVM: ");
}

/* Sources are as long as stated. */
TEST(nvvm_accepts_bytearray_input)
{
  Arena arena = {0};
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  ck_program_t *program;
  ck_object_code_t *code;
  const char *text = arena_printf(&arena, "%sand no end", nvvm_plain);
  CHECK_OK(
      ck_program_from_source(CK_PROGRAM_NVVM, text, sizeof nvvm_plain - 1, &options, &program));
  CHECK_OK(ck_program_compile(program, NULL, &code));
  CHECK(code && strstr(code->data, ".entry k"));
  ck_object_code_release(code);
  ck_program_release(program);
  arena_free(&arena);
}

TEST(nvvm_program_options)
{
  static const char *const targets[] = {"sm_90", "sm_100", "sm_120"};
  static const ck_emit_t forms[] = {CK_EMIT_PTX, CK_EMIT_LTOIR};
  for (size_t i = 0; i < COUNT_OF(targets); ++i)
    for (size_t form = 0; form < COUNT_OF(forms); ++form)
      for (int level = 0; level < 2; ++level) {
        ck_program_options_t options = for_sm_80(forms[form]);
        options.target = targets[i];
        options.device_code_optimize = level ? CK_ON : CK_OFF;
        options.ftz = options.fma = level ? CK_ON : CK_UNSET;
        options.prec_sqrt = options.prec_div = level ? CK_OFF : CK_UNSET;
        makes(CK_PROGRAM_NVVM, nvvm_plain, &options, form ? NULL : ".visible .entry k(");
      }
}

/* Several modules, one of them as bitcode: libdevice itself. */
TEST(nvvm_program_with_multiple_extra_sources)
{
  Arena arena = {0};
  const char *path;
  char *bitcode;
  size_t bytes;
  if (ck_toolkit_find("libdevice", &path, NULL) != CK_OK) return;
  CHECK(file_read(&arena, path, FILE_REGULAR, &bitcode, &bytes));
  const ck_program_source_t extra[] = {{"twice", nvvm_twice, sizeof nvvm_twice - 1},
                                       {"libdevice", bitcode, bytes}};
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.extra_sources = extra;
  options.extra_source_count = COUNT_OF(extra);
  makes(CK_PROGRAM_NVVM, nvvm, &options, ".entry k");
  options.emit = CK_EMIT_LTOIR;
  makes(CK_PROGRAM_NVVM, nvvm, &options, NULL);
  arena_free(&arena);
}

/* The program is bitcode, and its missing module is text. */
TEST(bitcode_format)
{
  Arena arena = {0};
  const char *path;
  char *bitcode;
  size_t bytes;
  ck_program_t *program;
  if (ck_toolkit_find("libdevice", &path, NULL) != CK_OK) return;
  CHECK(file_read(&arena, path, FILE_REGULAR, &bitcode, &bytes) && !strncmp(bitcode, "BC", 2));
  const ck_program_source_t extra[] = {{"k", nvvm, sizeof nvvm - 1},
                                       {"twice", nvvm_twice, sizeof nvvm_twice - 1}};
  static const ck_emit_t forms[] = {CK_EMIT_PTX, CK_EMIT_LTOIR};
  for (size_t i = 0; i < COUNT_OF(forms); ++i) {
    ck_program_options_t options = for_sm_80(forms[i]);
    ck_object_code_t *code = NULL;
    options.extra_sources = extra;
    options.extra_source_count = COUNT_OF(extra);
    CHECK_OK(ck_program_from_source(CK_PROGRAM_NVVM, bitcode, bytes, &options, &program));
    CHECK_OK(ck_program_compile(program, NULL, &code));
    CHECK(code && ck_object_code_form(code) == forms[i]);
    if (code && i == 0) CHECK(strstr(code->data, ".entry k") && !strstr(code->data, ".extern"));
    ck_object_code_release(code);
    ck_program_release(program);
  }
  arena_free(&arena);
}

/* libNVVM accepts options with one dash only; others are reported. */
TEST(nvvm_options_reject_double_dash)
{
  static const char *const words[] = {"--fma=1"};
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  ck_object_code_t *code;
  options.extra = words;
  options.extra_count = 1;
  CHECK_STATUS(compile(CK_PROGRAM_NVVM, nvvm_plain, &options, &code, NULL), CK_COMPILE);
  CHECK_ERROR("fma");
}

/* Every option of the linker for PTX, alone. */
TEST(ptx_program_with_various_options){
#define ROWS(X)                                                                                    \
  X(o.max_registers = 32)                                                                          \
  X(o.debug = CK_ON)                                                                               \
  X(o.lineinfo = CK_ON)                                                                            \
  X(o.ftz = CK_ON)                                                                                 \
  X(o.prec_div = CK_ON)                                                                            \
  X(o.prec_sqrt = CK_ON)                                                                           \
  X(o.fma = CK_ON)                                                                                 \
  X(o.time = "log")                                                                                \
  X(o.split_compile = 1)                                                                           \
  X(o.split_compile = CK_SPLIT_ALL)                                                                \
  X(o.numba_debug = CK_OFF)
#define TRY_PTX(set_)                                                                              \
  {                                                                                                \
    ck_program_options_t o = for_sm_80(CK_EMIT_CUBIN);                                             \
    set_;                                                                                          \
    makes(CK_PROGRAM_PTX, ptx, &o, NULL);                                                          \
  }
    ROWS(TRY_PTX)
#undef ROWS
}

TEST(linked_programs)
{
  ck_program_options_t options = for_sm_80(CK_EMIT_CUBIN);
  static const char *const ptxas[] = {"-v"};
  ck_object_code_t *code, *ltoir, *last;
  ck_program_t *program;
  options.name = "k.ptx";
  options.ptxas_options = ptxas;
  options.ptxas_option_count = 1;
  options.max_registers = 32;
  options.time = "log";
  options.no_cache = CK_ON;
  CHECK_OK(ck_program_from_source(CK_PROGRAM_PTX, ptx, sizeof ptx - 1, &options, &program));
  CHECK_OK(ck_program_compile(program, NULL, &code));
  CHECK(code && ck_object_code_form(code) == CK_EMIT_CUBIN);
  CHECK(strstr(ck_program_log(program), "registers") != NULL);
  ck_program_release(program);
  ck_object_code_release(code);
  options.emit = CK_EMIT_PTX;
  makes(CK_PROGRAM_PTX, ptx, &options, ".entry k");
  CHECK_STATUS(compile(CK_PROGRAM_PTX, ".version 7.0\nodd", &options, &code, NULL), CK_OK);
  ck_object_code_release(code);
  options.emit = CK_EMIT_CUBIN;
  CHECK_STATUS(compile(CK_PROGRAM_PTX, ".version 7.0\nodd", &options, &code, NULL), CK_COMPILE);

  ck_program_options_t cuda = for_sm_80(CK_EMIT_LTOIR);
  size_t bytes;
  if (!nvrtc_open(NULL)) return;
  CHECK_OK(compile(CK_PROGRAM_CUDA, saxpy, &cuda, &ltoir, NULL));
  const void *data = ck_object_code_bytes(ltoir, &bytes);
  ck_program_options_t link = for_sm_80(CK_EMIT_CUBIN);
  link.fma = CK_OFF;
  CHECK_OK(ck_program_from_source(CK_PROGRAM_LTOIR, data, bytes, &link, &program));
  CHECK_OK(ck_program_compile(program, NULL, &last));
  CHECK(last && ck_object_code_form(last) == CK_EMIT_CUBIN);
  ck_program_release(program);
  ck_object_code_release(ltoir);
  ck_object_code_release(last);
}

/* An option that a kind lacks is named. */
TEST(options_of_other_kinds)
{
  static const char *const texts[] = {"a"};
  static const ck_program_source_t sources[] = {{"a", "b", 1}};
  ck_object_code_t *code;
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.use_libdevice = CK_ON;
  CHECK_STATUS(compile(CK_PROGRAM_CUDA, saxpy, &options, &code, NULL), CK_UNSUPPORTED);
  CHECK_ERROR("programs in CUDA C++ have no option 'use_libdevice'");
  options = for_sm_80(CK_EMIT_PTX);
  options.extra_sources = sources;
  options.extra_source_count = 1;
  CHECK_STATUS(compile(CK_PROGRAM_CUDA, saxpy, &options, &code, NULL), CK_UNSUPPORTED);
  options = for_sm_80(CK_EMIT_PTX);
  options.std = "c++17";
  CHECK_STATUS(compile(CK_PROGRAM_NVVM, nvvm, &options, &code, NULL), CK_UNSUPPORTED);
  CHECK_ERROR("programs in NVVM IR have no option 'std'");
  options = for_sm_80(CK_EMIT_PTX);
  options.name_expressions = texts;
  options.name_expression_count = 1;
  CHECK_STATUS(compile(CK_PROGRAM_PTX, ptx, &options, &code, NULL), CK_UNSUPPORTED);
  CHECK_ERROR("programs in PTX have no option 'name_expressions'");
  options = for_sm_80(CK_EMIT_LTOIR);
  CHECK_STATUS(compile(CK_PROGRAM_LTOIR, ptx, &options, &code, NULL), CK_INVALID_ARGUMENT);
  CHECK_STATUS(compile(CK_PROGRAM_CK, ptx, NULL, &code, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_program_create is CK's");
  CHECK_STATUS(compile((ck_program_kind_t)9, ptx, NULL, &code, NULL), CK_INVALID_ARGUMENT);
  CHECK_STATUS(compile(CK_PROGRAM_PTX, ptx, NULL, &code, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("neither a device nor a target");
  options.struct_size = 1;
  CHECK_STATUS(compile(CK_PROGRAM_PTX, ptx, &options, &code, NULL), CK_INVALID_ARGUMENT);
}

TEST(host_device)
{
  ck_device_t *device;
  ck_program_t *program;
  ck_object_code_t *code;
  CHECK_OK(ck_device_open_host(&device));
  CHECK_OK(ck_program_from_source(CK_PROGRAM_CUDA, saxpy, sizeof saxpy - 1, NULL, &program));
  CHECK_STATUS(ck_program_compile(program, device, &code), CK_UNSUPPORTED);
  CHECK_ERROR("'default_program' is CUDA C++: the host device runs CK alone");
  ck_program_release(program);
  ck_device_release(device);
}

/* Code is cached; another option, source or name is another key; a source that includes is not
 * cached. */
TEST(kept_code)
{
  static const char *const one[] = {"A=1"}, *const two[] = {"A=2"};
  static const char source[] = "extern \"C\" __global__ void kept(int *p) { *p = A; }";
  static const char includes[] = "#include \"x.h\"\nextern \"C\" __global__ void k() {}";
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  ck_object_code_t *code;
  Digest key;
  options.define_macros = one;
  options.define_macro_count = 1;
  uint64_t before = misses();
  makes(CK_PROGRAM_CUDA, source, &options, "kept");
  makes(CK_PROGRAM_CUDA, source, &options, "kept");
  ck_cache_clear();
  makes(CK_PROGRAM_CUDA, source, &options, "kept"); /* from disk */
  CHECK(misses() == before + 1);
  options.define_macros = two;
  makes(CK_PROGRAM_CUDA, source, &options, "kept");
  options.name = "other.cu";
  makes(CK_PROGRAM_CUDA, source, &options, "kept");
  options.max_registers = 40;
  makes(CK_PROGRAM_CUDA, source, &options, "kept");
  options.target = "sm_90";
  makes(CK_PROGRAM_CUDA, source, &options, "kept");
  CHECK(misses() == before + 5);
  Arena arena = {0};
  Foreign *foreign;
  CHECK_OK(
      foreign_read(&arena, CK_PROGRAM_CUDA, includes, sizeof includes - 1, &options, &foreign));
  CHECK(!foreign_key(foreign, NULL, "sm_80", NULL, &key));
  options.time = "/nowhere/times";
  CHECK_OK(foreign_read(&arena, CK_PROGRAM_CUDA, source, sizeof source - 1, &options, &foreign));
  CHECK(!foreign_key(foreign, NULL, "sm_80", NULL, &key));
  CHECK_STATUS(compile(CK_PROGRAM_CUDA, source, &options, &code, NULL), CK_COMPILE);
  arena_free(&arena);
}

/* A source that includes is cached as long as the caller states that the files are unchanged. */
TEST(kept_with_extra_digest)
{
  static const char source[] = "#include \"kept.h\"\n"
                               "extern \"C\" __global__ void k(int *p) { *p = KEPT; }\n";
  static const struct {
    const char *header, *digest, *needle;
  } steps[] = {{"#define KEPT 4711\n", "1", "4711"},
               {"#define KEPT 4712\n", "1", "4711"},
               {"#define KEPT 4712\n", "2", "4712"}};
  Arena arena = {0};
  const char *folder = getenv("CK_CACHE_DIR");
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  ck_cache_options_t cache = CK_OPTIONS_INIT(ck_cache_options_t);
  options.name = arena_printf(&arena, "%s/k.cu", folder);
  for (size_t i = 0; i < COUNT_OF(steps); ++i) {
    ck_program_t *program;
    ck_object_code_t *code = NULL;
    const char *path = arena_printf(&arena, "%s/kept.h", folder);
    CHECK(file_write(path, steps[i].header, strlen(steps[i].header)));
    CHECK_OK(
        ck_program_from_source(CK_PROGRAM_CUDA, source, sizeof source - 1, &options, &program));
    cache.extra_digest = steps[i].digest;
    cache.extra_digest_bytes = 1;
    CHECK_OK(ck_program_set_cache(program, &cache));
    CHECK_OK(ck_program_compile(program, NULL, &code));
    CHECK(code && strstr(code->data, steps[i].needle));
    if (i == 2) CHECK_OK(ck_cache_remove_program(program, NULL));
    ck_object_code_release(code);
    ck_program_release(program);
  }
  arena_free(&arena);
}

/* ---- the tools' own objects ---- */

static ck_program_t *program_of(ck_program_kind_t kind, const char *source,
                                const ck_program_options_t *options)
{
  ck_program_t *program = NULL;
  CHECK_OK(ck_program_from_source(kind, source, strlen(source), options, &program));
  return program;
}

/* NVRTC's object stays the same, and has the results of later compilations. */
TEST(program_handle_property)
{
  static const char *const names[] = {"saxpy<float>"};
  const Nvrtc *nvrtc = nvrtc_open(NULL);
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.name_expressions = names;
  options.name_expression_count = 1;
  options.name = "handle.cu";
  ck_program_t *program = program_of(CK_PROGRAM_CUDA, saxpy, &options);
  void *native = NULL, *same = NULL;
  size_t bytes = 0;
  const char *symbol = NULL;
  ck_object_code_t *code = NULL, *again = NULL;
  if (!CHECK_OK(ck_program_get_native(program, NULL, &native)) || !CHECK(native != NULL)) return;
  CHECK_OK(ck_program_compile(program, NULL, &code));
  CHECK(!nvrtc->nvrtcGetPTXSize(native, &bytes) && code && bytes > 1);
  CHECK(!nvrtc->nvrtcGetLoweredName(native, names[0], &symbol));
  CHECK(symbol && !strcmp(symbol, ck_object_code_symbol(code, 0, NULL)));
  CHECK_OK(ck_cache_remove_program(program, NULL));
  CHECK_OK(ck_program_compile(program, NULL, &again)); /* once more */
  CHECK_OK(ck_program_get_native(program, NULL, &same));
  CHECK(same == native && again && nvrtc->nvrtcGetPTXSize(native, &bytes) == 0);
  char *text = calloc(bytes + 1, 1); /* of the second compilation: NVRTC may make other code each
                                      * time */
  CHECK(text && !nvrtc->nvrtcGetPTX(native, text) && again && strstr(again->data, text));
  free(text);
  ck_object_code_release(code);
  ck_object_code_release(again);
  ck_program_release(program);
}

/* With debugging it has the file's name; CK has no such object. */
TEST(native_programs)
{
  const char *folder = use_temporary_folder();
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.debug = CK_ON;
  ck_program_t *program = program_of(CK_PROGRAM_CUDA, matmul, &options);
  void *native = NULL;
  ck_object_code_t *code = NULL;
  CHECK_OK(ck_program_get_native(program, NULL, &native));
  CHECK_OK(ck_program_compile(program, NULL, &code));
  CHECK(native && code && !strncmp(code->manifest->source, folder, strlen(folder)));
  ck_object_code_release(code);
  ck_program_release(program);
  unsetenv("TMPDIR");
  CHECK_OK(ck_program_create("kernel k() {}", 13, NULL, &program));
  CHECK_OK(ck_program_get_native(program, NULL, &native));
  CHECK(native == NULL);
  ck_program_release(program);
}

TEST(nvvm_program_handle)
{
  const Nvvm *library = nvvm_open(NULL);
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.lineinfo = CK_ON; /* another key than that of other tests */
  ck_program_t *program = program_of(CK_PROGRAM_NVVM, nvvm_plain, &options);
  void *native = NULL, *same = NULL;
  size_t bytes = 0;
  ck_object_code_t *code = NULL, *again = NULL;
  if (!CHECK_OK(ck_program_get_native(program, NULL, &native)) || !CHECK(native != NULL)) return;
  CHECK_OK(ck_program_compile(program, NULL, &code));
  CHECK(!library->nvvmGetCompiledResultSize(native, &bytes) && code && bytes == code->bytes + 1);
  CHECK_OK(ck_cache_remove_program(program, NULL));
  CHECK_OK(ck_program_compile(program, NULL, &again));
  CHECK_OK(ck_program_get_native(program, NULL, &same));
  CHECK(same == native && again && !strcmp(again->data, code->data));
  ck_object_code_release(code);
  ck_object_code_release(again);
  ck_program_release(program);
}

TEST(ptx_program_handle_is_linker_handle)
{
  const NvJitLink *library = nvjitlink_open(NULL);
  ck_program_options_t options = for_sm_80(CK_EMIT_CUBIN);
  options.max_registers = 56; /* another key than that of other tests */
  ck_program_t *program = program_of(CK_PROGRAM_PTX, ptx, &options);
  void *native = NULL, *same = NULL;
  size_t bytes = 0;
  ck_object_code_t *code = NULL;
  if (!CHECK_OK(ck_program_get_native(program, NULL, &native)) || !CHECK(native != NULL)) return;
  CHECK_OK(ck_program_compile(program, NULL, &code));
  CHECK(!library->nvJitLinkGetLinkedCubinSize(native, &bytes));
  CHECK(code && bytes == code->image_bytes);
  CHECK_OK(ck_program_get_native(program, NULL, &same));
  CHECK(same == native);
  ck_object_code_release(code);
  ck_program_release(program);
  options.target = NULL;
  program = program_of(CK_PROGRAM_PTX, ptx, &options);
  CHECK_STATUS(ck_program_get_native(program, NULL, &native), CK_INVALID_ARGUMENT);
  CHECK_ERROR("neither a device nor a target");
  ck_program_release(program);
}

/* An NVRTC program of the caller: its names are found, it is not cached, and it is not destroyed.
 */
TEST(program_from_handle_nvrtc)
{
  static const char *const names[] = {"saxpy<double>"};
  const Nvrtc *nvrtc = nvrtc_open(NULL);
  void *native = NULL;
  ck_program_t *program;
  ck_object_code_t *code = NULL;
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.name_expressions = names;
  options.name_expression_count = 1;
  CHECK(!nvrtc->nvrtcCreateProgram(&native, saxpy, "mine.cu", 0, NULL, NULL));
  CHECK_OK(ck_program_from_native(CK_PROGRAM_CUDA, native, &options, &program));
  CHECK(ck_program_kind(program) == CK_PROGRAM_CUDA);
  uint64_t before = misses();
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(ck_program_compile(program, NULL, &code));
    CHECK(code && strstr(code->data, ".entry plain"));
    CHECK(!strncmp(ck_object_code_symbol(code, 0, NULL), "_Z5saxpyId", 10));
    ck_object_code_release(code);
  }
  CHECK(misses() == before);
  CHECK_STATUS(ck_cache_remove_program(program, NULL), CK_NOT_FOUND);
  void *same = NULL;
  CHECK_OK(ck_program_get_native(program, NULL, &same));
  CHECK(same == native);
  ck_program_release(program);
  size_t bytes = 0;
  CHECK(!nvrtc->nvrtcGetPTXSize(native, &bytes) && bytes > 0);
  CHECK(!nvrtc->nvrtcDestroyProgram(&native));
}

TEST(program_from_handle_nvvm)
{
  const ck_program_source_t extra[] = {{"twice", nvvm_twice, sizeof nvvm_twice - 1}};
  const Nvvm *library = nvvm_open(NULL);
  void *native = NULL;
  ck_program_t *program;
  ck_object_code_t *code = NULL;
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  options.extra_sources = extra;
  options.extra_source_count = 1;
  options.use_libdevice = CK_ON;
  CHECK(!library->nvvmCreateProgram(&native));
  CHECK(!library->nvvmAddModuleToProgram(native, nvvm, sizeof nvvm - 1, "mine"));
  CHECK_OK(ck_program_from_native(CK_PROGRAM_NVVM, native, &options, &program));
  CHECK_OK(ck_program_compile(program, NULL, &code));
  CHECK(code && strstr(code->data, ".entry k") && !strstr(code->data, ".extern"));
  ck_object_code_release(code);
  ck_program_release(program);
  CHECK(!library->nvvmDestroyProgram(&native));
}

TEST(program_from_handle_invalid_backend)
{
  static const ck_program_kind_t kinds[] = {CK_PROGRAM_CK, CK_PROGRAM_PTX, CK_PROGRAM_LTOIR,
                                            (ck_program_kind_t)9};
  ck_program_t *program;
  int object;
  for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
    CHECK_STATUS(ck_program_from_native(kinds[i], &object, NULL, &program), CK_INVALID_ARGUMENT);
    CHECK(program == NULL);
    CHECK_ERROR("an nvrtcProgram is CUDA C++, an nvvmProgram is NVVM IR");
  }
  CHECK_STATUS(ck_program_from_native(CK_PROGRAM_CUDA, NULL, NULL, &program), CK_INVALID_ARGUMENT);
}

/* ---- a machine without a toolkit ---- */

TEST(without_toolkit)
{
  ck_program_options_t options = for_sm_80(CK_EMIT_PTX);
  ck_linker_options_t link = CK_OPTIONS_INIT(ck_linker_options_t);
  ck_object_code_t *code;
  ck_linker_t *linker;
  link.target = "sm_80";
  CHECK_STATUS(compile(CK_PROGRAM_CUDA, saxpy, &options, &code, NULL), CK_UNAVAILABLE);
  CHECK_ERROR("NVRTC is not found. Looked at:\nCK_CUDA_HOME is empty");
  CHECK_STATUS(compile(CK_PROGRAM_NVVM, nvvm_plain, &options, &code, NULL), CK_UNAVAILABLE);
  CHECK_ERROR("libNVVM is not found");
  options.emit = CK_EMIT_CUBIN;
  CHECK_STATUS(compile(CK_PROGRAM_PTX, ptx, &options, &code, NULL), CK_UNAVAILABLE);
  CHECK_ERROR("nvJitLink is not found, and no GPU is given whose driver could link");
  CHECK_STATUS(ck_linker_create(NULL, &link, &linker), CK_UNAVAILABLE);
  link.backend = CK_LINK_NVJITLINK;
  CHECK_STATUS(ck_linker_create(NULL, &link, &linker), CK_UNAVAILABLE);
  static const ck_program_kind_t kinds[] = {CK_PROGRAM_CUDA, CK_PROGRAM_NVVM, CK_PROGRAM_PTX};
  for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
    ck_program_t *program = program_of(kinds[i], ptx, &options), *other;
    void *native = &options;
    CHECK_STATUS(ck_program_get_native(program, NULL, &native), CK_UNAVAILABLE);
    CHECK(native == NULL);
    ck_program_release(program);
    if (kinds[i] != CK_PROGRAM_PTX)
      CHECK_STATUS(ck_program_from_native(kinds[i], &link, NULL, &other), CK_UNAVAILABLE);
  }
}

TEST(no_toolkit)
{
  char self[4096];
  ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
  if (!CHECK(len > 0)) return;
  self[len] = 0;
  Arena arena = {0};
  CHECK(system(arena_printf(&arena, "CK_CACHE=off '%s' without", self)) == 0);
  arena_free(&arena);
}

/* ---- on a GPU ---- */

static void run_saxpy(Bench *bench, ck_object_code_t *code, const char *name, bool is_double)
{
  enum { N = 1000 };
  float f[N];
  double d[N];
  for (int i = 0; i < N; ++i) d[i] = f[i] = (float)i;
  size_t bytes = is_double ? sizeof d : sizeof f;
  ck_kernel_t *kernel = NULL;
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.block[0] = 256;
  config.grid[0] = 4;
  config.block[1] = config.block[2] = config.grid[1] = config.grid[2] = 1;
  ck_buffer_t *x = bench_buffer(bench, bytes), *z = bench_buffer(bench, bytes);
  CHECK_OK(ck_buffer_write(x, 0, is_double ? (void *)d : f, bytes, bench->stream));
  if (!CHECK_OK(ck_kernel_from_code(code, bench->device, name, &kernel))) return;
  CHECK(!ck_kernel_has_manifest(kernel));
  if (is_double) CHECK_OK(ck_launch(bench->stream, &config, kernel, 2.0, x, x, z, (uint64_t)N));
  else CHECK_OK(ck_launch(bench->stream, &config, kernel, 2.0f, x, x, z, (uint64_t)N));
  CHECK_OK(ck_buffer_read(z, 0, is_double ? (void *)d : f, bytes, bench->stream));
  CHECK_OK(ck_stream_sync(bench->stream));
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += (is_double ? d[i] : (double)f[i]) != 3.0 * i;
  CHECK(wrong == 0);
  ck_buffer_release(x);
  ck_buffer_release(z);
  ck_kernel_release(kernel);
}

TEST(code_runs)
{
  static const char *const names[] = {"saxpy<float>", "saxpy<double>"};
  static const ck_emit_t forms[] = {CK_EMIT_CUBIN, CK_EMIT_PTX};
  Bench bench;
  bench_open_any(&bench);
  for (size_t i = 0; i < COUNT_OF(forms) && !ck_device_is_host(bench.device); ++i) {
    ck_program_options_t options = CK_OPTIONS_INIT(ck_program_options_t);
    ck_program_t *program;
    ck_object_code_t *code = NULL;
    options.emit = forms[i];
    options.name_expressions = names;
    options.name_expression_count = COUNT_OF(names);
    CHECK_OK(ck_program_from_source(CK_PROGRAM_CUDA, saxpy, sizeof saxpy - 1, &options, &program));
    CHECK_OK(ck_program_compile(program, bench.device, &code));
    if (code) run_saxpy(&bench, code, names[0], false);
    if (code) run_saxpy(&bench, code, names[1], true);
    ck_object_code_release(code);
    ck_program_release(program);
  }
  bench_close(&bench);
}

/* Runs kernel `k`, which changes one number in device memory. */
static void run_on_number(Bench *bench, ck_program_kind_t kind, const char *source,
                          ck_program_options_t *options, void *number)
{
  ck_object_code_t *code = NULL;
  ck_kernel_t *kernel = NULL;
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  for (int i = 0; i < 3; ++i) config.grid[i] = config.block[i] = 1;
  options->target = NULL; /* that of the device, whose driver may link */
  ck_program_t *program = NULL;
  ck_buffer_t *buffer = bench_buffer(bench, 4);
  CHECK_OK(ck_buffer_write(buffer, 0, number, 4, bench->stream));
  CHECK_OK(ck_program_from_source(kind, source, strlen(source), options, &program));
  CHECK_OK(ck_program_compile(program, bench->device, &code));
  ck_program_release(program);
  if (code) CHECK_OK(ck_kernel_from_code(code, bench->device, "k", &kernel));
  if (kernel) CHECK_OK(ck_launch(bench->stream, &config, kernel, buffer));
  CHECK_OK(ck_buffer_read(buffer, 0, number, 4, bench->stream));
  CHECK_OK(ck_stream_sync(bench->stream));
  ck_buffer_release(buffer);
  ck_kernel_release(kernel);
  ck_object_code_release(code);
}

TEST(other_kinds_run)
{
  static const ck_emit_t forms[] = {CK_EMIT_PTX, CK_EMIT_CUBIN};
  const ck_program_source_t extra[] = {{"twice", nvvm_twice, sizeof nvvm_twice - 1}};
  Bench bench;
  bench_open_any(&bench);
  for (size_t i = 0; i < COUNT_OF(forms) && !ck_device_is_host(bench.device); ++i) {
    ck_program_options_t options = for_sm_80(forms[i]);
    int32_t answer = 0;
    run_on_number(&bench, CK_PROGRAM_PTX, ptx, &options, &answer);
    CHECK(answer == 42);
    if (!nvvm_open(NULL)) continue;
    float x = 0.5f;
    options.extra_sources = extra;
    options.extra_source_count = 1;
    options.use_libdevice = CK_ON;
    run_on_number(&bench, CK_PROGRAM_NVVM, nvvm, &options, &x);
    CHECK(x > 0.958850f && x < 0.958852f); /* 2 sin(0.5) */
  }
  bench_close(&bench);
}

int main(int argc, char **argv)
{
  if (argc > 1 && !strcmp(argv[1], "without")) {
    setenv("CK_CUDA_HOME", "",
           1); /* here: tools that watch a shell's children lose what is empty */
    RUN(without_toolkit);
    return tests_report();
  }
  use_private_cache();
  if (nvrtc_open(NULL)) {
    RUN(cuda_to_each_form);
    RUN(name_expressions);
    RUN(cuda_options);
    RUN(macros_reach_the_source);
    RUN(cuda_mistakes);
    RUN(use_bundled_headers_installs_and_compiles);
    RUN(program_compile_valid_target_type);
    RUN(nvrtc_compile_with_logs_capture);
    RUN(nvrtc_debug_preserves_quoted_include_resolution);
    RUN(nvrtc_debug_materializes_source_to_temp_file);
    RUN(debug_sources_and_the_cache);
    RUN(debug_sources_and_fork);
    RUN(nvrtc_debug_falls_back_when_tmp_not_writable);
    RUN(nvrtc_debug_falls_back_when_temp_file_write_fails);
    RUN(nvrtc_debug_concurrent_compile_uses_unique_temp_files);
    RUN(cache_hit_emits_ptx_loadability_warning_when_driver_too_old);
    RUN(precompiled_headers);
    RUN(toolkit_headers);
    RUN(kept_code);
    RUN(kept_with_extra_digest);
    RUN(program_handle_property);
    RUN(native_programs);
    RUN(program_from_handle_nvrtc);
    RUN(code_runs);
  }
  if (nvvm_open(NULL)) {
    RUN(nvvm_programs);
    RUN(nvvm_accepts_bytearray_input);
    RUN(nvvm_program_options);
    RUN(nvvm_program_with_multiple_extra_sources);
    RUN(bitcode_format);
    RUN(nvvm_options_reject_double_dash);
    RUN(nvvm_program_handle);
    RUN(program_from_handle_nvvm);
  }
  if (nvjitlink_open(NULL)) {
    RUN(linked_programs);
    RUN(ptx_program_handle_is_linker_handle);
    RUN(ptx_program_with_various_options);
  }
  RUN(other_kinds_run);
  RUN(options_of_other_kinds);
  RUN(program_from_handle_invalid_backend);
  RUN(host_device);
  RUN(no_toolkit);
  ck_cache_clear();
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
