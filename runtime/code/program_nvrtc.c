/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* program_nvrtc.c - compiles CUDA C++ to PTX, a cubin or LTO-IR with NVRTC. */
#include <stdlib.h>
#include <string.h>

#include "foreign.h"

/* The values of nvrtcResult that are used. */
enum { RESULT_compilation = 6, RESULT_no_pch_attempted = 13, RESULT_pch_heap_exhausted = 14 };

static ck_status_t refused(const Nvrtc *nvrtc, int result, const char *what, const Foreign *foreign)
{
  return error_set(CK_COMPILE, "NVRTC: %s: %s, of '%s'", what, nvrtc->nvrtcGetErrorString(result),
                   foreign->options.name);
}

static void read_log(const Nvrtc *nvrtc, void *program, Buf *log)
{
  size_t bytes = 0;
  buf_clear(log);
  if (nvrtc->nvrtcGetProgramLogSize(program, &bytes) || bytes <= 1) return;
  buf_reserve(log, bytes);
  if (nvrtc->nvrtcGetProgramLog(program, log->data)) return;
  log->len = strlen(log->data);
}

/* Adds the CUDA headers that NVRTC contains, unpacked once for each version. */
static ck_status_t add_bundled_headers(const Nvrtc *nvrtc, Words *words)
{
  int major = 0, minor = 0;
  const char *why = NULL, *tmp = getenv("TMPDIR"), *home = getenv("HOME");
  nvrtc->nvrtcVersion(&major, &minor);
  if (!nvrtc->nvrtcInstallBundledHeaders)
    return error_unsupported("'use_bundled_headers' needs NVRTC 13.3, this one is %d.%d", major,
                             minor);
  Arena *arena = words->arena;
  const char *own = getenv("CK_CACHE_DIR");
  const char *folder = own && *own     ? own
                       : home && *home ? arena_printf(arena, "%s/.cache/cokernel", home)
                                       : (tmp && *tmp ? tmp : "/tmp");
  folder = arena_printf(arena, "%s/nvrtc-%d.%d", folder, major, minor);
  if (!file_make_folders(folder)) return error_set(CK_IO, "%s can't be made", folder);
  int result = nvrtc->nvrtcInstallBundledHeaders(folder, 0, &why);
  if (result)
    return error_set(CK_IO, "NVRTC can't unpack its headers to %s: %s", folder,
                     why ? why : nvrtc->nvrtcGetErrorString(result));
  vec_push(arena, words, arena_printf(arena, "--include-path=%s", folder));
  vec_push(arena, words, arena_printf(arena, "--include-path=%s/cccl", folder));
  return CK_OK;
}

static ck_status_t open_library(const Nvrtc **out_nvrtc)
{
  const char *why;
  *out_nvrtc = nvrtc_open(&why);
  return *out_nvrtc ? CK_OK : error_set(CK_UNAVAILABLE, "NVRTC is not found. Looked at:\n%s", why);
}

ck_status_t nvrtc_complete(const Foreign *foreign, void *program)
{
  const Nvrtc *nvrtc;
  CK_TRY(open_library(&nvrtc));
  const ck_program_options_t *options = &foreign->options;
  for (size_t i = 0; i < options->name_expression_count; ++i) {
    int result = nvrtc->nvrtcAddNameExpression(program, options->name_expressions[i]);
    if (result) return refused(nvrtc, result, options->name_expressions[i], foreign);
  }
  return CK_OK;
}

void nvrtc_destroy(void *program)
{
  nvrtc_open(NULL)->nvrtcDestroyProgram(&program);
}

ck_status_t nvrtc_create(const Foreign *foreign, void **out_program)
{
  const Nvrtc *nvrtc;
  *out_program = NULL;
  CK_TRY(open_library(&nvrtc));
  int result =
      nvrtc->nvrtcCreateProgram(out_program, foreign->source, foreign->options.name, 0, NULL, NULL);
  if (result) return refused(nvrtc, result, "no program", foreign);
  ck_status_t status = nvrtc_complete(foreign, *out_program);
  if (status == CK_OK) return CK_OK;
  nvrtc_destroy(*out_program);
  *out_program = NULL;
  return status;
}

static ck_pch_status_t pch_status(const Nvrtc *nvrtc, const Foreign *foreign, void *program)
{
  const ck_program_options_t *o = &foreign->options;
  if (o->pch != CK_ON && !o->create_pch && !o->use_pch) return CK_PCH_NONE;
  if (!nvrtc->nvrtcGetPCHCreateStatus) return CK_PCH_NONE;
  int result = nvrtc->nvrtcGetPCHCreateStatus(program);
  if (result == RESULT_no_pch_attempted) return CK_PCH_NOT_ATTEMPTED;
  return result ? CK_PCH_FAILED : CK_PCH_CREATED;
}

/* Enlarges NVRTC's heap for precompiled headers to the size that they need. True: try again. */
static bool grow_pch_heap(const Nvrtc *nvrtc, void *program)
{
  size_t bytes;
  if (!nvrtc->nvrtcGetPCHCreateStatus || !nvrtc->nvrtcGetPCHHeapSizeRequired ||
      !nvrtc->nvrtcSetPCHHeapSize)
    return false;
  return nvrtc->nvrtcGetPCHCreateStatus(program) == RESULT_pch_heap_exhausted &&
         !nvrtc->nvrtcGetPCHHeapSizeRequired(program, &bytes) && !nvrtc->nvrtcSetPCHHeapSize(bytes);
}

static int read_image(const Nvrtc *nvrtc, void *program, ck_emit_t form, Buf *out)
{
  size_t bytes = 0;
  int result = form == CK_EMIT_PTX     ? nvrtc->nvrtcGetPTXSize(program, &bytes)
               : form == CK_EMIT_LTOIR ? nvrtc->nvrtcGetLTOIRSize(program, &bytes)
                                       : nvrtc->nvrtcGetCUBINSize(program, &bytes);
  if (result || !bytes) return result;
  buf_reserve(out, bytes);
  out->len = bytes;
  out->data[bytes] = 0;
  return form == CK_EMIT_PTX     ? nvrtc->nvrtcGetPTX(program, out->data)
         : form == CK_EMIT_LTOIR ? nvrtc->nvrtcGetLTOIR(program, out->data)
                                 : nvrtc->nvrtcGetCUBIN(program, out->data);
}

static ck_status_t read_symbols(const Nvrtc *nvrtc, const Foreign *foreign, void *program,
                                ForeignResult *result)
{
  Arena *arena = result->image.arena;
  size_t count = foreign->options.name_expression_count;
  result->symbols = NEW_ARRAY(arena, ManifestSymbol, count + 1);
  for (size_t i = 0; i < count; ++i) {
    const char *name = foreign->options.name_expressions[i], *symbol = NULL;
    int answer = nvrtc->nvrtcGetLoweredName(program, name, &symbol);
    if (answer) return refused(nvrtc, answer, name, foreign);
    result->symbols[i] = (ManifestSymbol){name, arena_strdup(arena, symbol)};
  }
  result->symbol_count = count;
  return CK_OK;
}

/* Compiles with NVRTC. If the heap for precompiled headers was too small, it is enlarged, and the
 * program compiled again. */
static ck_status_t compile(const Nvrtc *nvrtc, const Foreign *foreign, const Words *words,
                           void *program, ForeignResult *result)
{
  int answer = nvrtc->nvrtcCompileProgram(program, (int)words->count, words->at);
  if (!answer && grow_pch_heap(nvrtc, program))
    answer = nvrtc->nvrtcCompileProgram(program, (int)words->count, words->at);
  read_log(nvrtc, program, &result->log);
  const char *log = buf_text(&result->log);
  if (answer == RESULT_compilation && *log)
    return error_set(CK_COMPILE, "%.*s", first_lines(log), log);
  if (answer)
    return error_set(CK_COMPILE, "NVRTC: %s, of '%s'%s%.*s", nvrtc->nvrtcGetErrorString(answer),
                     foreign->options.name, *log ? "\n" : "", first_lines(log), log);
  result->pch = pch_status(nvrtc, foreign, program);
  result->form = foreign->options.emit;
  answer = read_image(nvrtc, program, result->form, &result->image);
  if (answer) return refused(nvrtc, answer, "no code", foreign);
  if (!result->image.len)
    return error_unsupported("NVRTC made no code of '%s' with these options",
                             foreign->options.name);
  return read_symbols(nvrtc, foreign, program, result);
}

ck_status_t nvrtc_compile(const Foreign *foreign, const char *target, ForeignResult *result)
{
  const Nvrtc *nvrtc;
  CK_TRY(open_library(&nvrtc));
  Arena *arena = result->image.arena;
  Words words = {.arena = arena};
  vec_push(arena, &words, arena_printf(arena, "--gpu-architecture=%s", target));
  /* #include "..." searches the folder of the program's name, which is the current folder for a
   * name without a path. The temporary file is elsewhere, so the current folder is added. */
  if (foreign->is_in_file && foreign->options.no_source_include != CK_ON)
    vec_push(arena, &words, "--include-path=.");
  foreign_words(foreign, TOOL_nvrtc, &words);
  if (foreign->options.use_bundled_headers == CK_ON) CK_TRY(add_bundled_headers(nvrtc, &words));
  void *program = foreign->native;
  if (!program) CK_TRY(nvrtc_create(foreign, &program));
  ck_status_t status = compile(nvrtc, foreign, &words, program, result);
  if (!foreign->native) nvrtc_destroy(program);
  return status;
}
