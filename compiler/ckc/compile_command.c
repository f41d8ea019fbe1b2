/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compile_command.c - ckc FILE: compiles a file and writes the output.
 *
 * Without -o, a text form that --emit names goes to standard output; code goes to a file with the
 * name of the source and the extension of the form.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ck/device.h"
#include "ck/system.h"
#include "ckc.h"

static const struct {
  ck_emit_t emit;
  const char *name, *extension;
  bool is_text, is_gpu;
} forms[] = {
    {CK_EMIT_TOKENS, "tokens", "tokens", true, false},
    {CK_EMIT_AST, "ast", "ast", true, false},
    {CK_EMIT_LLVM, "llvm", "ll", true, false},
    {CK_EMIT_NVVM, "nvvm", "nvvm.ll", true, true},
    {CK_EMIT_PTX, "ptx", "ptx", true, true},
    {CK_EMIT_LTOIR, "ltoir", "ltoir", false, true},
    {CK_EMIT_CUBIN, "cubin", "cubin", false, true},
    {CK_EMIT_FATBIN, "fatbin", "fatbin", false, true},
    {CK_EMIT_HOST, "host", "o", false, false},
    {CK_EMIT_HEADER, "header", "ck.h", true, false},
    {CK_EMIT_MANIFEST, "manifest", "json", true, false},
    {CK_EMIT_HEADS, "heads", "heads.json", true, false},
};

static Exit read_emit(const Options *options, ck_compile_options_t *compile)
{
  const char *name = option_value(options, OPTION_emit), *names[COUNT_OF(forms)];
  if (!name) return EXIT_OK;
  Buf list = BUF(options->arena);
  for (size_t i = 0; i < COUNT_OF(forms); ++i) {
    names[i] = forms[i].name;
    buf_printf(&list, " %s", names[i]);
    if (!strcmp(name, names[i])) compile->emit = forms[i].emit;
  }
  if (compile->emit) return EXIT_OK;
  return fail(EXIT_USAGE, "there is no form '%s'%s; there are%s", name,
              did_you_mean(options->arena, name, names, COUNT_OF(forms)), buf_text(&list));
}

/* Colours are for terminals; https://no-color.org says how to do without. */
static Exit read_diagnostics(const Options *options, ck_compile_options_t *compile)
{
  const char *form = option_value(options, OPTION_diagnostics), *no_color = getenv("NO_COLOR");
  bool is_color = isatty(STDERR_FILENO) && !(no_color && *no_color);
  if (form && !strcmp(form, "json")) compile->flags |= CK_COMPILE_JSON;
  else if (form && strcmp(form, "text") != 0)
    return fail(EXIT_USAGE, "there are no diagnostics as '%s'; there are text, json", form);
  else if (is_color) compile->flags |= CK_COMPILE_COLOR;
  return EXIT_OK;
}

/* 90 for sm_90; 0 if NVML does not say. */
static int64_t capability_of(uint32_t index)
{
  ck_system_device_t *device;
  int64_t major, minor;
  if (ck_system_device_open(index, &device) != CK_OK) return 0;
  bool is_known = ck_system_device_get(device, CK_SYSTEM_COMPUTE_MAJOR, 0, &major) == CK_OK &&
                  ck_system_device_get(device, CK_SYSTEM_COMPUTE_MINOR, 0, &minor) == CK_OK;
  ck_system_device_release(device);
  return is_known ? 10 * major + minor : 0;
}

/* The target of all GPUs, if they are alike, from NVML, which starts ten times as fast as CUDA.
 * NULL: they differ, or one is chosen by CUDA's numbering, or there is no NVML. */
static const char *common_target(Arena *arena)
{
  uint32_t count;
  int64_t first = 0;
  if (getenv("CK_DEVICE") || getenv("CUDA_VISIBLE_DEVICES")) return NULL;
  if (ck_system_get_device_count(&count) != CK_OK) return NULL;
  for (uint32_t i = 0; i < count; ++i) {
    int64_t capability = capability_of(i);
    if (!capability || (first && capability != first)) return NULL;
    first = capability;
  }
  return first ? arena_printf(arena, "sm_%lld", (long long)first) : NULL;
}

/* The first GPU's target, or NULL. */
static const char *gpu_target(Arena *arena)
{
  char target[CK_TARGET_BYTES];
  int ordinal;
  const char *common = common_target(arena);
  if (common) return common;
  if (ck_device_find_auto(&ordinal, target) != CK_OK || ordinal < 0) return NULL;
  return arena_strdup(arena, target);
}

/* The default target: the machine's GPU, even if CUDA isn't installed; without one, the target
 * that can run here. PTX and similar forms are then made for the oldest GPU, since its PTX runs
 * on all. */
static const char *default_target(const Options *options, ck_emit_t emit)
{
  if (emit == CK_EMIT_TOKENS || emit == CK_EMIT_AST || emit == CK_EMIT_HEADS ||
      emit == CK_EMIT_HOST)
    return "host";
  const char *target = gpu_target(options->arena);
  if (target) return target;
  return emit == CK_EMIT_PTX || emit == CK_EMIT_NVVM || emit == CK_EMIT_LTOIR ||
                 emit == CK_EMIT_FATBIN
             ? "sm_75"
             : "host";
}

static Exit read_target(const Options *options, ck_compile_options_t *compile)
{
  compile->target = option_value(options, OPTION_target);
  if (!compile->target) compile->target = default_target(options, compile->emit);
  if (strchr(compile->target, ',') && compile->emit != CK_EMIT_FATBIN &&
      compile->emit != CK_EMIT_HEADER)
    return fail(EXIT_USAGE, "--target=%s: several targets need --emit=fatbin or --emit=header",
                compile->target);
  return EXIT_OK;
}

static void show_times(const char *times)
{
  char pass[32];
  double seconds, sum = 0;
  int len;
  fprintf(stderr, "%-10s %10s\n", "pass", "ms");
  for (; sscanf(times, "%31s %lf\n%n", pass, &seconds, &len) == 2; times += len) {
    fprintf(stderr, "%-10s %10.3f\n", pass, 1e3 * seconds);
    sum += seconds;
  }
  fprintf(stderr, "%-10s %10.3f\n", "all", 1e3 * sum);
}

static const char *with_extension(Arena *arena, const char *path, const char *extension)
{
  size_t len = strlen(path), ck = sizeof ".ck" - 1;
  if (len > ck && !strcmp(path + len - ck, ".ck")) len -= ck;
  return arena_printf(arena, "%.*s.%s", (int)len, path, extension);
}

/* Writes a path as make and ninja read it. */
static void put_path(Buf *out, const char *path)
{
  for (; *path; ++path) {
    if (strchr(" #\\", *path)) buf_putc(out, '\\');
    if (*path == '$') buf_putc(out, '$');
    buf_putc(out, *path);
  }
}

/* Writes "OUT: FILE.ck IMPORT...", and an empty rule for each import, so that a removed import
 * doesn't stop the build. */
static Exit write_depfile(const Options *options, const Compiler *compiler,
                          const ck_compilation_t *result, const char *source)
{
  const char *path = option_value(options, OPTION_depfile), *file;
  const char *output = option_value(options, OPTION_output);
  if (!path) return EXIT_OK;
  if (!output || !strcmp(output, "-"))
    return fail(EXIT_USAGE, "--depfile says what the file OUT is made from: give -o OUT");
  Buf text = BUF(options->arena), rules = BUF(options->arena);
  put_path(&text, output);
  buf_putc(&text, ':');
  if (strcmp(source, "-") != 0) {
    buf_putc(&text, ' ');
    put_path(&text, source);
  }
  for (size_t i = 0; (file = compiler->ck_compilation_file(result, i)); ++i) {
    buf_puts(&text, " \\\n  ");
    put_path(&text, file);
    put_path(&rules, file);
    buf_puts(&rules, ":\n");
  }
  buf_printf(&text, "\n%s", buf_text(&rules));
  if (file_write(path, text.data, text.len)) return EXIT_OK;
  return fail(EXIT_ENVIRONMENT, "cannot write '%s': %s", path, file_why(errno));
}

static Exit write_output(const Options *options, const char *source, ck_emit_t form,
                         const void *output, size_t bytes)
{
  const char *path = option_value(options, OPTION_output);
  bool is_asked = option_has(options, OPTION_emit) || option_has(options, OPTION_stop_after);
  for (size_t i = 0; !path && i < COUNT_OF(forms); ++i) {
    if (forms[i].emit != form) continue;
    bool is_text = forms[i].is_text || option_has(options, OPTION_stop_after);
    if (is_asked && is_text) path = "-";
    else if (!strcmp(source, "-"))
      return fail(EXIT_USAGE, "where to? Give -o OUT; - is standard output");
    else path = with_extension(options->arena, source, forms[i].extension);
  }
  if (!strcmp(path, "-")) {
    fwrite(output, 1, bytes, stdout); /* main() checks standard output for errors */
    return EXIT_OK;
  }
  if (file_write(path, output, bytes)) return EXIT_OK;
  return fail(EXIT_ENVIRONMENT, "cannot write '%s': %s", path, file_why(errno));
}

Exit compile_command(const Options *options)
{
  if (options->words.count == 0) {
    options_help(COMMAND_COMPILE, stderr);
    return EXIT_USAGE;
  }
  if (options->words.count > 1)
    return fail(EXIT_USAGE, "one file at a time; '%s' is the second", options->words.at[1]);
  const char *path = options->words.at[0];
  char *source;
  size_t source_bytes, bytes;
  ck_compile_options_t compile = CK_OPTIONS_INIT(ck_compile_options_t);
  Exit exit = options_for_compiler(options, &compile);
  if (exit == EXIT_OK) exit = read_diagnostics(options, &compile);
  if (exit == EXIT_OK) exit = read_emit(options, &compile);
  if (exit == EXIT_OK) exit = read_source(options->arena, path, &source, &source_bytes);
  if (exit == EXIT_OK) exit = read_target(options, &compile);
  if (exit != EXIT_OK) return exit;
  compile.file_name = source_name(path);
  compile.dump = option_value(options, OPTION_dump);
  compile.stop_after = option_value(options, OPTION_stop_after);
  if (option_has(options, OPTION_time)) compile.flags |= CK_COMPILE_TIME;

  const Compiler *compiler = compiler_load(options->arena);
  if (!compiler) return EXIT_ENVIRONMENT;
  ck_compilation_t *result = NULL;
  ck_status_t status = compiler->ck_compile(source, source_bytes, &compile, &result);
  exit = exit_of_status(status);
  if (!result) return fail(exit, "out of memory");
  fputs(compiler->ck_compilation_log(result), stderr);
  if (option_has(options, OPTION_time)) {
    show_times(compiler->ck_compilation_times(result));
    fputs(compiler->ck_compilation_resources(result), stderr);
  }
  const void *output = compiler->ck_compilation_output(result, &bytes);
  if (exit == EXIT_OK) exit = write_depfile(options, compiler, result, path);
  if (exit == EXIT_OK)
    exit = write_output(options, path, compiler->ck_compilation_form(result), output, bytes);
  compiler->ck_compilation_release(result);
  return exit;
}
