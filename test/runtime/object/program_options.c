/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* program_options.c - tests the options of programs in other languages: command lines of the tools,
 * refused options, and cache keys; cuda.core's tests of ProgramOptions and make_program_cache_key.
 * Nothing is compiled, so no tool is needed. */
#define _GNU_SOURCE /* setenv */
#include "fixture.h"

#include "code/foreign.h"

static const char plain[] = "extern \"C\" __global__ void k() {}";

static ck_program_options_t defaults(ck_emit_t emit)
{
  ck_program_options_t options = CK_OPTIONS_INIT(ck_program_options_t);
  options.emit = emit;
  return options;
}

/* The command line of a tool. */
static Words words_of(Arena *arena, ck_program_kind_t kind, Tool tool,
                      const ck_program_options_t *options)
{
  Words words = {.arena = arena};
  Foreign *foreign;
  if (CHECK_OK(foreign_read(arena, kind, plain, sizeof plain - 1, options, &foreign)))
    foreign_words(foreign, tool, &words);
  return words;
}

static bool has_word(const Words *words, const char *word)
{
  for (uint32_t i = 0; i < words->count; ++i)
    if (!strcmp(words->at[i], word)) return true;
  fprintf(stderr, "there is no %s\n", word);
  return false;
}

TEST(program_options_as_bytes_nvrtc)
{
  static const char *const ptxas[] = {"-v"}, *const headers[] = {"a.h", "b.h"};
  static const char *const expected[] = {
      "--device-debug",      "--generate-line-info", "--ftz=true",         "--ptxas-options=-v",
      "--pre-include=a.h",   "--pre-include=b.h",    "--device-float128",  "--diag-warn=1000",
      "--diag-warn=1001",    "--time=timing.csv",    "--split-compile=2",  "--pch-dir=pch-cache",
      "--numba-debug",       "--fmad=false",         "--std=c++20",        "--Ofast-compile=min",
      "--frandom-seed=seed", "--maxrregcount=32",    "--use-pch=used.pch", "--create-pch=made.pch"};
  static const int numbers[] = {1000, 1001};
  Arena arena = {0};
  ck_program_options_t o = defaults(CK_EMIT_PTX);
  o.debug = o.lineinfo = o.ftz = o.device_float128 = o.numba_debug = CK_ON;
  o.fma = CK_OFF;
  o.ptxas_options = ptxas, o.ptxas_option_count = 1;
  o.pre_includes = headers, o.pre_include_count = 2;
  o.diag_warn = numbers, o.diag_warn_count = 2;
  o.time = "timing.csv";
  o.split_compile = 2;
  o.pch_dir = "pch-cache";
  o.use_pch = "used.pch";
  o.create_pch = "made.pch";
  o.std = "c++20";
  o.ofast_compile = "min";
  o.frandom_seed = "seed";
  o.max_registers = 32;
  Words words = words_of(&arena, CK_PROGRAM_CUDA, TOOL_nvrtc, &o);
  for (size_t i = 0; i < COUNT_OF(expected); ++i) CHECK(has_word(&words, expected[i]));
  CHECK(words.count == COUNT_OF(expected));
  arena_free(&arena);
}

/* All with one dash, since libNVVM accepts no other form. */
TEST(program_options_as_bytes_nvvm)
{
  static const char *const expected[] = {"-g",     "-numba-debug", "-opt=3",
                                         "-ftz=1", "-prec-sqrt=1", "-prec-div=0",
                                         "-fma=1", "-gen-lto",     "-generate-line-info"};
  Arena arena = {0};
  ck_program_options_t o = defaults(CK_EMIT_LTOIR);
  o.debug = o.numba_debug = o.device_code_optimize = o.ftz = o.prec_sqrt = o.fma = CK_ON;
  o.lineinfo = CK_ON;
  o.prec_div = CK_OFF;
  Words words = words_of(&arena, CK_PROGRAM_NVVM, TOOL_nvvm, &o);
  for (size_t i = 0; i < COUNT_OF(expected); ++i) CHECK(has_word(&words, expected[i]));
  CHECK(words.count == COUNT_OF(expected));
  for (uint32_t i = 0; i < words.count; ++i) CHECK(strncmp(words.at[i], "--", 2) != 0);
  arena_free(&arena);
}

/* --dopt has no value for "off": without -G NVRTC optimises anyway. */
TEST(device_code_optimize_off_is_no_word)
{
  Arena arena = {0};
  ck_program_options_t o = defaults(CK_EMIT_PTX);
  o.device_code_optimize = CK_OFF;
  CHECK(words_of(&arena, CK_PROGRAM_CUDA, TOOL_nvrtc, &o).count == 0);
  Words words = words_of(&arena, CK_PROGRAM_NVVM, TOOL_nvvm, &o);
  CHECK(words.count == 1 && has_word(&words, "-opt=0"));
  arena_free(&arena);
}

/* Each option that libNVVM lacks is refused by its name. */
TEST(nvvm_options_reject_each_unsupported_flag)
{
  static const char *const texts[] = {"a"};
  static const int numbers[] = {1};
#define ROWS(X)                                                                                    \
  X(relocatable_device_code, o.relocatable_device_code = CK_ON)                                    \
  X(extensible_whole_program, o.extensible_whole_program = CK_ON)                                  \
  X(ptxas_options, (o.ptxas_options = texts, o.ptxas_option_count = 1))                            \
  X(max_registers, o.max_registers = 32)                                                           \
  X(use_fast_math, o.use_fast_math = CK_ON)                                                        \
  X(extra_device_vectorization, o.extra_device_vectorization = CK_ON)                              \
  X(gen_opt_lto, o.gen_opt_lto = CK_ON)                                                            \
  X(define_macros, (o.define_macros = texts, o.define_macro_count = 1))                            \
  X(undefine_macros, (o.undefine_macros = texts, o.undefine_macro_count = 1))                      \
  X(include_paths, (o.include_paths = texts, o.include_path_count = 1))                            \
  X(use_bundled_headers, o.use_bundled_headers = CK_ON)                                            \
  X(pre_includes, (o.pre_includes = texts, o.pre_include_count = 1))                               \
  X(no_source_include, o.no_source_include = CK_ON)                                                \
  X(std, o.std = "c++17")                                                                          \
  X(builtin_move_forward, o.builtin_move_forward = CK_OFF)                                         \
  X(builtin_initializer_list, o.builtin_initializer_list = CK_OFF)                                 \
  X(disable_warnings, o.disable_warnings = CK_ON)                                                  \
  X(restrict_pointers, o.restrict_pointers = CK_ON)                                                \
  X(device_as_default_execution_space, o.device_as_default_execution_space = CK_ON)                \
  X(device_int128, o.device_int128 = CK_ON)                                                        \
  X(optimization_info, o.optimization_info = "inline")                                             \
  X(no_display_error_number, o.no_display_error_number = CK_ON)                                    \
  X(diag_error, (o.diag_error = numbers, o.diag_error_count = 1))                                  \
  X(diag_suppress, (o.diag_suppress = numbers, o.diag_suppress_count = 1))                         \
  X(diag_warn, (o.diag_warn = numbers, o.diag_warn_count = 1))                                     \
  X(brief_diagnostics, o.brief_diagnostics = CK_ON)                                                \
  X(time, o.time = "timing.csv")                                                                   \
  X(split_compile, o.split_compile = 2)                                                            \
  X(fdevice_syntax_only, o.fdevice_syntax_only = CK_ON)                                            \
  X(minimal, o.minimal = CK_ON)
#define REFUSED(name_, set_)                                                                       \
  {                                                                                                \
    ck_program_options_t o = defaults(CK_EMIT_PTX);                                                \
    ck_program_t *program;                                                                         \
    set_;                                                                                          \
    CHECK_STATUS(ck_program_from_source(CK_PROGRAM_NVVM, plain, sizeof plain - 1, &o, &program),   \
                 CK_UNSUPPORTED);                                                                  \
    CHECK_ERROR("programs in NVVM IR have no option '" #name_ "'");                                \
  }
  ROWS(REFUSED)
#undef ROWS
}

/* An option for debugging NVVM IR and CUDA C++ is none of PTX; it is accepted if unset. */
TEST(ptx_program_numba_debug)
{
  ck_program_options_t options = defaults(CK_EMIT_CUBIN);
  ck_program_t *program;
  options.numba_debug = CK_ON;
  CHECK_STATUS(ck_program_from_source(CK_PROGRAM_PTX, plain, sizeof plain - 1, &options, &program),
               CK_UNSUPPORTED);
  CHECK_ERROR("programs in PTX have no option 'numba_debug'");
  options.numba_debug = CK_OFF;
  CHECK_OK(ck_program_from_source(CK_PROGRAM_PTX, plain, sizeof plain - 1, &options, &program));
  ck_program_release(program);
}

/* Lists that are NULL although their counts are not 0. */
TEST(program_options_bad_lists)
{
  static const char *const hole[] = {"ONE=1", NULL};
  static const ck_program_source_t empty[] = {{"a", "text", 4}, {"mod", "", 0}};
  ck_program_options_t options = defaults(CK_EMIT_PTX);
  ck_program_t *program;
  options.define_macros = hole;
  options.define_macro_count = 2;
  CHECK_STATUS(ck_program_from_source(CK_PROGRAM_CUDA, plain, 1, &options, &program),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("option 'define_macros': text 1 of 2 is NULL");
  options = defaults(CK_EMIT_PTX);
  options.diag_warn_count = 3;
  CHECK_STATUS(ck_program_from_source(CK_PROGRAM_CUDA, plain, 1, &options, &program),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("option 'diag_warn': 3 numbers at NULL");
  options = defaults(CK_EMIT_PTX);
  options.extra_sources = empty;
  options.extra_source_count = 2;
  CHECK_STATUS(ck_program_from_source(CK_PROGRAM_NVVM, plain, 1, &options, &program),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("option 'extra_sources': source 1 of 2 is empty");
  ck_compile_options_t ck = CK_OPTIONS_INIT(ck_compile_options_t);
  ck.instances = hole;
  ck.instance_count = 2;
  CHECK_STATUS(ck_program_create("", 0, &ck, &program), CK_INVALID_ARGUMENT);
  CHECK_ERROR("option 'instances': text 1 of 2 is NULL");
  CHECK(program == NULL);
}

/* A choice is unset, on or off, in the options of programs and of linkers. */
TEST(choices_that_there_are_not)
{
  ck_program_options_t options = defaults(CK_EMIT_PTX);
  ck_linker_options_t links = CK_OPTIONS_INIT(ck_linker_options_t);
  ck_program_t *program;
  ck_linker_t *linker;
  options.ftz = (ck_choice_t)7;
  CHECK_STATUS(ck_program_from_source(CK_PROGRAM_CUDA, plain, 1, &options, &program),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("option 'ftz' is 7: it is CK_UNSET, CK_ON or CK_OFF, 0 to 2");
  options = defaults(CK_EMIT_PTX);
  options.debug = (ck_choice_t)-1;
  CHECK_STATUS(ck_program_from_source(CK_PROGRAM_NVVM, plain, 1, &options, &program),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("option 'debug' is -1");
  CHECK(program == NULL);
  links.target = "sm_90";
  links.prec_div = (ck_choice_t)3;
  CHECK_STATUS(ck_linker_create(NULL, &links, &linker), CK_INVALID_ARGUMENT);
  CHECK_ERROR("option 'prec_div' is 3");
  links.prec_div = CK_UNSET;
  links.verbose = (ck_choice_t)9;
  CHECK_STATUS(ck_linker_create(NULL, &links, &linker), CK_INVALID_ARGUMENT);
  CHECK_ERROR("option 'verbose' is 9");
  CHECK(linker == NULL);
}

/* Names and sources of arbitrary bytes are copied. */
TEST(prepare_extra_sources_bytes)
{
  static const char bytes[] = {0, 1, 'm', 0, 'b'};
  char text[] = "as text", name[] = "mod_s";
  const ck_program_source_t sources[] = {{name, text, sizeof text - 1},
                                         {NULL, bytes, sizeof bytes}};
  Arena arena = {0};
  Foreign *foreign;
  ck_program_options_t options = defaults(CK_EMIT_PTX);
  options.extra_sources = sources;
  options.extra_source_count = 2;
  CHECK_OK(foreign_read(&arena, CK_PROGRAM_NVVM, plain, 1, &options, &foreign));
  text[0] = name[0] = '?';
  const ck_program_source_t *own = foreign->options.extra_sources;
  CHECK(!strcmp(own[0].name, "mod_s") && !strcmp(own[0].text, "as text") && own[0].bytes == 7);
  CHECK(!own[1].name && own[1].bytes == 5 && !memcmp(own[1].text, bytes, 5));
  arena_free(&arena);
}

/* ---- the cache's keys ---- */

typedef struct Key {
  bool is_kept; /* false: not cached */
  Digest digest;
} Key;

static Key key_with(ck_device_t *device, ck_program_kind_t kind, const char *source,
                    const ck_program_options_t *options, const Digest *extra)
{
  Arena arena = {0};
  Foreign *foreign;
  Key key = {0};
  const char *target = options->target ? options->target : "sm_80";
  if (CHECK_OK(foreign_read(&arena, kind, source, strlen(source), options, &foreign)))
    key.is_kept = foreign_key(foreign, device, target, extra, &key.digest);
  arena_free(&arena);
  return key;
}

static Key key_for(ck_device_t *device, ck_program_kind_t kind, const char *source,
                   const ck_program_options_t *options)
{
  return key_with(device, kind, source, options, NULL);
}

static Key key_of(ck_program_kind_t kind, const char *source, const ck_program_options_t *options)
{
  return key_for(NULL, kind, source, options);
}

static bool same(Key a, Key b)
{
  return a.is_kept && b.is_kept && a.digest.lo == b.digest.lo && a.digest.hi == b.digest.hi;
}

/* Both are cached, under different keys. */
static bool differ(Key a, Key b)
{
  return a.is_kept && b.is_kept && !same(a, b);
}

TEST(make_program_cache_key_is_deterministic)
{
  ck_program_options_t options = defaults(CK_EMIT_CUBIN);
  CHECK(same(key_of(CK_PROGRAM_CUDA, plain, &options), key_of(CK_PROGRAM_CUDA, plain, &options)));
  CHECK(same(key_of(CK_PROGRAM_PTX, plain, &options), key_of(CK_PROGRAM_PTX, plain, &options)));
  CHECK(differ(key_of(CK_PROGRAM_CUDA, plain, &options), key_of(CK_PROGRAM_PTX, plain, &options)));
}

/* The key depends on the bytes, not on their address or on what follows them. */
TEST(make_program_cache_key_accepts_bytes_code)
{
  static const char once[] = {'a', 0, 'b'}, longer[] = {'a', 0, 'b', 'c'};
  ck_program_options_t options = defaults(CK_EMIT_PTX);
  Arena arena = {0};
  Digest keys[3];
  const char *const sources[] = {once, longer, longer};
  const size_t bytes[] = {3, 3, 4};
  for (int i = 0; i < 3; ++i) {
    Foreign *foreign;
    CHECK_OK(foreign_read(&arena, CK_PROGRAM_NVVM, sources[i], bytes[i], &options, &foreign));
    CHECK(foreign_key(foreign, NULL, "sm_80", NULL, &keys[i]));
  }
  CHECK(keys[0].lo == keys[1].lo && keys[0].lo != keys[2].lo);
  arena_free(&arena);
}

TEST(make_program_cache_key_differs_on)
{
  static const char *const one[] = {"f"}, *const two[] = {"f", "g"}, *const fg[] = {"fg"};
  static const int numbers[] = {1, 2};
  const ck_program_options_t base = defaults(CK_EMIT_CUBIN);
  Key first = key_of(CK_PROGRAM_CUDA, plain, &base);
  CHECK(differ(first, key_of(CK_PROGRAM_CUDA, "extern \"C\" __global__ void l() {}", &base)));
#define DIFFERS(set_)                                                                              \
  {                                                                                                \
    ck_program_options_t o = base;                                                                 \
    set_;                                                                                          \
    if (!CHECK(differ(first, key_of(CK_PROGRAM_CUDA, plain, &o)))) fprintf(stderr, "%s\n", #set_); \
  }
  DIFFERS(o.emit = CK_EMIT_PTX)
  DIFFERS(o.target = "sm_90")
  DIFFERS(o.name = "kernel-b")
  DIFFERS(o.use_fast_math = CK_ON)
  DIFFERS(o.fma = CK_OFF)
  DIFFERS(o.fma = CK_ON)
  DIFFERS(o.std = "")
  DIFFERS(o.max_registers = 32)
  DIFFERS((o.name_expressions = one, o.name_expression_count = 1))
  DIFFERS((o.define_macros = one, o.define_macro_count = 1))
  DIFFERS((o.diag_warn = numbers, o.diag_warn_count = 1))
  DIFFERS((o.extra = one, o.extra_count = 1))
#undef DIFFERS
  ck_program_options_t a = base, b = base;
  a.define_macros = two, a.define_macro_count = 2;
  b.define_macros = fg, b.define_macro_count = 1;
  CHECK(differ(key_of(CK_PROGRAM_CUDA, plain, &a), key_of(CK_PROGRAM_CUDA, plain, &b)));
  b = base;
  b.undefine_macros = two, b.undefine_macro_count = 2;
  CHECK(differ(key_of(CK_PROGRAM_CUDA, plain, &a), key_of(CK_PROGRAM_CUDA, plain, &b)));
}

/* The order of name expressions does not matter; another name is another key. */
TEST(make_program_cache_key_name_expressions_order_insensitive)
{
  static const char *const ab[] = {"a", "b"}, *const ba[] = {"b", "a"}, *const ac[] = {"a", "c"};
  ck_program_options_t one = defaults(CK_EMIT_CUBIN), other = one;
  one.name_expressions = ab, other.name_expressions = ba;
  one.name_expression_count = other.name_expression_count = 2;
  CHECK(same(key_of(CK_PROGRAM_CUDA, plain, &one), key_of(CK_PROGRAM_CUDA, plain, &other)));
  other.name_expressions = ac;
  CHECK(differ(key_of(CK_PROGRAM_CUDA, plain, &one), key_of(CK_PROGRAM_CUDA, plain, &other)));
}

/* A switch that is off equals one that is unset, and an empty list equals no list. */
TEST(make_program_cache_key_ptx_linker_equivalent_options_hash_same)
{
  static const char *const none[] = {"-v"};
  const ck_program_options_t base = defaults(CK_EMIT_CUBIN);
  ck_program_options_t off = base;
  off.debug = off.lineinfo = off.link_time_optimization = off.no_cache = CK_OFF;
  off.ptxas_options = none;
  CHECK(same(key_of(CK_PROGRAM_PTX, plain, &base), key_of(CK_PROGRAM_PTX, plain, &off)));
  off = base;
  off.debug = CK_ON;
  CHECK(differ(key_of(CK_PROGRAM_PTX, plain, &base), key_of(CK_PROGRAM_PTX, plain, &off)));
  off = base;
  off.ptxas_options = none;
  off.ptxas_option_count = 1;
  CHECK(differ(key_of(CK_PROGRAM_PTX, plain, &base), key_of(CK_PROGRAM_PTX, plain, &off)));
}

TEST(make_program_cache_key_ptx_driver_ignored_fields_still_matter_under_nvjitlink)
{
  ck_program_options_t on = defaults(CK_EMIT_CUBIN), off = on;
  on.ftz = CK_ON;
  off.ftz = CK_OFF;
  CHECK(differ(key_of(CK_PROGRAM_PTX, plain, &on), key_of(CK_PROGRAM_PTX, plain, &off)));
}

TEST(make_program_cache_key_nvvm_use_libdevice_false_equals_none)
{
  ck_program_options_t none = defaults(CK_EMIT_PTX), off = none, on = none;
  off.use_libdevice = CK_OFF;
  on.use_libdevice = CK_ON;
  CHECK(same(key_of(CK_PROGRAM_NVVM, plain, &none), key_of(CK_PROGRAM_NVVM, plain, &off)));
  CHECK(differ(key_of(CK_PROGRAM_NVVM, plain, &none), key_of(CK_PROGRAM_NVVM, plain, &on)));
}

/* Another version of any part of the toolkit is another key: libdevice, then libNVVM. */
TEST(make_program_cache_key_nvvm_library_version_changes_key)
{
  Arena arena = {0};
  const char *folder = use_private_cache();
  static const char *const files[] = {"nvvm/libdevice/libdevice.10.bc", "nvvm/lib64/libnvvm.so.4"};
  setenv("CK_CUDA_HOME", folder, 1);
  Digest before = toolkit_identity(&arena);
  for (size_t i = 0; i < COUNT_OF(files); ++i) {
    for (size_t bytes = 1; bytes <= 2; ++bytes) {
      const char *path = arena_printf(&arena, "%s/%s", folder, files[i]);
      char *parent = arena_strdup(&arena, path);
      *strrchr(parent, '/') = 0;
      CHECK(file_make_folders(parent) && file_write(path, "xy", bytes));
      Digest now = toolkit_identity(&arena), again = toolkit_identity(&arena);
      CHECK(now.lo != before.lo && now.lo == again.lo);
      before = now;
    }
  }
  unsetenv("CK_CUDA_HOME");
  arena_free(&arena);
}

/* The digest of the files is part of the key. */
static bool is_kept_with_digest(const char *source, const ck_program_options_t *options)
{
  const Digest one = digest_of("1", 1), two = digest_of("2", 1);
  Key first = key_with(NULL, CK_PROGRAM_CUDA, source, options, &one);
  Key again = key_with(NULL, CK_PROGRAM_CUDA, source, options, &one);
  Key other = key_with(NULL, CK_PROGRAM_CUDA, source, options, &two);
  Key none = key_of(CK_PROGRAM_CUDA, source, options);
  return same(first, again) && differ(first, other) && !same(first, none);
}

/* Code that depends on files is compiled each time. */
TEST(make_program_cache_key_rejects_external_content_without_extra_digest)
{
  static const char *const texts[] = {"include"};
#define ROWS(X)                                                                                    \
  X((o.include_paths = texts, o.include_path_count = 1))                                           \
  X((o.pre_includes = texts, o.pre_include_count = 1))                                             \
  X(o.pch = CK_ON)                                                                                 \
  X(o.pch_dir = "pch-cache")                                                                       \
  X(o.pch_dir = "")                                                                                \
  X(o.use_pch = "")                                                                                \
  X(o.use_bundled_headers = CK_ON)
#define NOT_KEPT(set_)                                                                             \
  {                                                                                                \
    ck_program_options_t o = defaults(CK_EMIT_CUBIN);                                              \
    set_;                                                                                          \
    if (!CHECK(!key_of(CK_PROGRAM_CUDA, plain, &o).is_kept)) fprintf(stderr, "%s\n", #set_);       \
  }
  ROWS(NOT_KEPT)
  ck_program_options_t options = defaults(CK_EMIT_CUBIN);
  CHECK(!key_of(CK_PROGRAM_CUDA, "#include \"x.h\"\n", &options).is_kept);
}

/* The output form can be stated twice, and must be the same. */
TEST(forms_that_contradict)
{
  static const struct {
    ck_program_kind_t kind;
    ck_emit_t emit;
    ck_choice_t lto;
    const char *why;
  } rows[] = {{CK_PROGRAM_CUDA, CK_EMIT_LTOIR, CK_OFF, "link_time_optimization CK_OFF"},
              {CK_PROGRAM_NVVM, CK_EMIT_LTOIR, CK_OFF, "link_time_optimization CK_OFF"},
              {CK_PROGRAM_NVVM, CK_EMIT_PTX, CK_ON, "emit is another form"},
              {CK_PROGRAM_CUDA, CK_EMIT_PTX, CK_ON, "emit is another form"},
              {CK_PROGRAM_NVVM, CK_EMIT_CUBIN, CK_ON, NULL},
              {CK_PROGRAM_NVVM, CK_EMIT_PTX, CK_OFF, NULL},
              {CK_PROGRAM_PTX, CK_EMIT_CUBIN, CK_ON, NULL}};
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    ck_program_options_t options = defaults(rows[i].emit);
    ck_program_t *program;
    options.link_time_optimization = rows[i].lto;
    CHECK_STATUS(ck_program_from_source(rows[i].kind, plain, strlen(plain), &options, &program),
                 rows[i].why ? CK_INVALID_ARGUMENT : CK_OK);
    if (rows[i].why) CHECK_ERROR(rows[i].why);
    ck_program_release(program);
  }
}

/* The same options in the tool's own syntax. */
TEST(keys_of_words_that_name_files)
{
  static const char *const reading[] = {"-Ifolder",         "--include-path=folder",
                                        "-include",         "--pre-include=v.h",
                                        "-use-pch=x",       "--pch",
                                        "--pch-dir=x",      "@words",
                                        "--options-file=x", "-optf"},
                           *const writing[] = {"--create-pch=x", "-time=x",
                                               "-fdevice-time-trace=x"},
                           *const other[] = {"--device-debug", "time", "I"};
  const char *words[] = {"--fmad=false", NULL};
  ck_program_options_t options = defaults(CK_EMIT_CUBIN);
  const Digest extra = digest_of("1", 1);
  options.extra = words, options.extra_count = 2;
  for (size_t i = 0; i < COUNT_OF(reading); ++i) {
    words[1] = reading[i];
    CHECK(!key_of(CK_PROGRAM_CUDA, plain, &options).is_kept);
    CHECK(!key_of(CK_PROGRAM_PTX, plain, &options).is_kept);
    CHECK(is_kept_with_digest(plain, &options));
  }
  for (size_t i = 0; i < COUNT_OF(writing); ++i) {
    words[1] = writing[i];
    CHECK(!key_with(NULL, CK_PROGRAM_CUDA, plain, &options, &extra).is_kept);
    CHECK(key_of(CK_PROGRAM_PTX, plain, &options).is_kept);
  }
  for (size_t i = 0; i < COUNT_OF(other); ++i) {
    words[1] = other[i];
    CHECK(key_of(CK_PROGRAM_CUDA, plain, &options).is_kept);
  }
}

/* With a digest of these files it is cached. */
TEST(make_program_cache_key_accepts_external_content_with_extra_digest)
{
  static const char *const texts[] = {"include"};
#define KEPT(set_)                                                                                 \
  {                                                                                                \
    ck_program_options_t o = defaults(CK_EMIT_CUBIN);                                              \
    set_;                                                                                          \
    if (!CHECK(is_kept_with_digest(plain, &o))) fprintf(stderr, "%s\n", #set_);                    \
  }
  ROWS(KEPT)
#undef KEPT
#undef ROWS
  ck_program_options_t options = defaults(CK_EMIT_CUBIN);
  CHECK(is_kept_with_digest("#include \"x.h\"\n", &options) &&
        is_kept_with_digest(plain, &options));
}

/* Sources that include are searched in the folder of the program's name; for other sources the
 * folder does not matter. */
TEST(make_program_cache_key_rejects_nvrtc_name_with_dir_component)
{
  static const char *const names[] = {"kernels/foo.cu", "/abs/foo.cu", "../parent/foo.cu", "foo.cu",
                                      ""};
  for (size_t i = 0; i < COUNT_OF(names); ++i) {
    ck_program_options_t options = defaults(CK_EMIT_CUBIN);
    options.name = names[i];
    CHECK(!key_of(CK_PROGRAM_CUDA, "# include \"neighbour.h\"\n", &options).is_kept);
    CHECK(key_of(CK_PROGRAM_CUDA, plain, &options).is_kept);
  }
}

TEST(make_program_cache_key_accepts_nvrtc_name_with_dir_when_extra_digest_supplied)
{
  static const char *const names[] = {"kernels/foo.cu", "/abs/foo.cu", "../parent/foo.cu"};
  for (size_t i = 0; i < COUNT_OF(names); ++i) {
    ck_program_options_t options = defaults(CK_EMIT_CUBIN);
    options.name = names[i];
    CHECK(is_kept_with_digest("# include \"neighbour.h\"\n", &options));
  }
}

TEST(make_program_cache_key_accepts_empty_external_content)
{
  static const char *const texts[] = {"include"};
  ck_program_options_t options = defaults(CK_EMIT_CUBIN), none = options;
  options.include_paths = options.pre_includes = texts;
  options.pch = options.use_bundled_headers = CK_OFF;
  CHECK(same(key_of(CK_PROGRAM_CUDA, plain, &options), key_of(CK_PROGRAM_CUDA, plain, &none)));
}

/* A cached result would not write the file, so such a program is never cached. */
TEST(make_program_cache_key_rejects_side_effect_options_nvrtc)
{
  const Digest extra = digest_of("1", 1);
#define ROWS(X)                                                                                    \
  X(o.create_pch = "out.pch")                                                                      \
  X(o.create_pch = "")                                                                             \
  X(o.time = "timing.csv")                                                                         \
  X(o.fdevice_time_trace = "trace")
  ROWS(NOT_KEPT)
#undef NOT_KEPT
#define NOT_KEPT(set_)                                                                             \
  {                                                                                                \
    ck_program_options_t o = defaults(CK_EMIT_CUBIN);                                              \
    set_;                                                                                          \
    CHECK(!key_with(NULL, CK_PROGRAM_CUDA, plain, &o, &extra).is_kept);                            \
  }
  ROWS(NOT_KEPT)
#undef ROWS
#undef NOT_KEPT
}

/* The linker writes its timings to the log, not to a file, so any text is the same key. */
TEST(make_program_cache_key_accepts_side_effect_options_for_ptx)
{
  ck_program_options_t options = defaults(CK_EMIT_CUBIN), other = options, none = options;
  options.time = "log";
  other.time = "whatever.csv";
  CHECK(same(key_of(CK_PROGRAM_PTX, plain, &options), key_of(CK_PROGRAM_PTX, plain, &other)));
  CHECK(differ(key_of(CK_PROGRAM_PTX, plain, &options), key_of(CK_PROGRAM_PTX, plain, &none)));
}

/* foreign.c compiled again with another library version: its keys are the same. */
bool next_version_key(ck_program_kind_t kind, const char *source, ck_emit_t emit, Digest *out);

TEST(make_program_cache_key_survives_cuda_core_version_change)
{
  static const struct {
    ck_program_kind_t kind;
    ck_emit_t emit;
  } rows[] = {{CK_PROGRAM_CUDA, CK_EMIT_CUBIN},
              {CK_PROGRAM_PTX, CK_EMIT_CUBIN},
              {CK_PROGRAM_NVVM, CK_EMIT_PTX}};
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    ck_program_options_t options = defaults(rows[i].emit);
    Key next = {0};
    next.is_kept = next_version_key(rows[i].kind, plain, rows[i].emit, &next.digest);
    CHECK(same(key_of(rows[i].kind, plain, &options), next));
  }
}

TEST(make_program_cache_key_rejects)
{
  ck_program_options_t options = defaults(CK_EMIT_AST);
  ck_program_t *program;
  CHECK_STATUS(ck_program_from_source(CK_PROGRAM_CUDA, plain, 1, &options, &program),
               CK_INVALID_ARGUMENT);
  options.emit = CK_EMIT_LTOIR;
  CHECK_STATUS(ck_program_from_source(CK_PROGRAM_PTX, plain, 1, &options, &program),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("is not made of PTX");
  CHECK_STATUS(ck_program_from_source((ck_program_kind_t)5, plain, 1, NULL, &program),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_program_from_source(CK_PROGRAM_CUDA, NULL, 0, NULL, &program),
               CK_INVALID_ARGUMENT);
  CHECK(program == NULL);
}

/* ---- who links ---- */

static int driver_version;

static CUresult play_version(int *out_version)
{
  *out_version = driver_version;
  return driver_version ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

/* A fake GPU whose driver has the version `driver_version`; 0: the query fails. */
static ck_device_t *open_played(void)
{
  static Driver driver;
  ck_device_t *device = NULL;
  driver = *driver_host();
  driver.traits = &driver_cuda_traits;
  driver.cuDriverGetVersion = play_version;
  CHECK_OK(device_open(&driver, 0, &device));
  return device;
}

/* A driver may link PTX; it takes no part in what NVRTC and libNVVM make. */
TEST(make_program_cache_key_ptx_linker_probe_changes)
{
  ck_device_t *device = open_played();
  ck_program_options_t cubin = defaults(CK_EMIT_CUBIN), ptx = defaults(CK_EMIT_PTX);
  static const int versions[] = {12090, 13000, 0};
  Key linked[COUNT_OF(versions)], made[COUNT_OF(versions)], text[COUNT_OF(versions)];
  for (size_t i = 0; i < COUNT_OF(versions); ++i) {
    driver_version = versions[i];
    linked[i] = key_for(device, CK_PROGRAM_PTX, plain, &cubin);
    made[i] = key_for(device, CK_PROGRAM_CUDA, plain, &cubin);
    text[i] = key_for(device, CK_PROGRAM_NVVM, plain, &ptx);
    CHECK(same(linked[i], key_for(device, CK_PROGRAM_PTX, plain, &cubin)));
  }
  CHECK(differ(linked[0], linked[1]) && differ(linked[1], linked[2]));
  CHECK(same(made[0], made[1]) && same(made[1], made[2]));
  CHECK(same(text[0], text[1]) && same(text[1], text[2]));
  ck_device_release(device);
}

/* nvJitLink's output does not depend on the driver, as long as that can load it. */
TEST(make_program_cache_key_driver_version_does_not_perturb_ptx_under_nvjitlink)
{
  ck_device_t *device = open_played();
  ck_program_options_t options = defaults(CK_EMIT_CUBIN);
  const NvJitLink *library = nvjitlink_open(NULL);
  bool is_linked = library && library->nvJitLinkVersion;
  driver_version = 98000;
  Key first = key_for(device, CK_PROGRAM_PTX, plain, &options);
  driver_version = 99010;
  Key second = key_for(device, CK_PROGRAM_PTX, plain, &options);
  CHECK(is_linked ? same(first, second) : differ(first, second));
  ck_device_release(device);
}

int main(void)
{
  run_all();
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
