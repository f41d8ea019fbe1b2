/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* program_nvvm.c - compiles NVVM IR to PTX or LTO-IR with libNVVM.
 *
 * libNVVM aborts the process on some malformed input. nvvmVerifyProgram, which is called first,
 * finds most of it.
 */
#include <string.h>

#include "foreign.h"

static void read_log(const Nvvm *nvvm, void *program, Buf *log)
{
  size_t bytes = 0;
  if (nvvm->nvvmGetProgramLogSize(program, &bytes) || bytes <= 1) return;
  buf_reserve(log, bytes);
  if (nvvm->nvvmGetProgramLog(program, log->data)) return;
  log->len = strlen(log->data);
}

static ck_status_t open_library(const Nvvm **out_nvvm)
{
  const char *why;
  *out_nvvm = nvvm_open(&why);
  return *out_nvvm ? CK_OK : error_set(CK_UNAVAILABLE, "libNVVM is not found. Looked at:\n%s", why);
}

/* Reports a refusal, with the first lines of the log if there is one. */
static ck_status_t refused(const Nvvm *nvvm, int result, const Foreign *foreign, const char *log)
{
  return error_set(CK_COMPILE, "libNVVM: %s, of '%s'%s%.*s", nvvm->nvvmGetErrorString(result),
                   foreign->options.name, *log ? "\n" : "", first_lines(log), log);
}

ck_status_t nvvm_complete(const Foreign *foreign, void *program)
{
  const ck_program_options_t *options = &foreign->options;
  const char *why, *libdevice = NULL;
  size_t libdevice_bytes = 0;
  const Nvvm *nvvm;
  CK_TRY(open_library(&nvvm));
  bool needs_libdevice = options->use_libdevice == CK_ON;
  if (needs_libdevice && !(libdevice = libdevice_open(&libdevice_bytes, &why)))
    return error_set(CK_UNAVAILABLE, "libdevice is not found. Looked at:\n%s", why);
  int result = 0;
  for (size_t i = 0; !result && i < options->extra_source_count; ++i) {
    const ck_program_source_t *extra = &options->extra_sources[i];
    result = nvvm->nvvmAddModuleToProgram(program, extra->text, extra->bytes, extra->name);
  }
  if (!result && libdevice)
    result = nvvm->nvvmLazyAddModuleToProgram(program, libdevice, libdevice_bytes, "libdevice");
  return result ? refused(nvvm, result, foreign, "") : CK_OK;
}

void nvvm_destroy(void *program)
{
  nvvm_open(NULL)->nvvmDestroyProgram(&program);
}

ck_status_t nvvm_create(const Foreign *foreign, void **out_program)
{
  const Nvvm *nvvm;
  *out_program = NULL;
  CK_TRY(open_library(&nvvm));
  ck_status_t status = CK_OK;
  int result = nvvm->nvvmCreateProgram(out_program);
  if (!result)
    result = nvvm->nvvmAddModuleToProgram(*out_program, foreign->source, foreign->bytes,
                                          foreign->options.name);
  if (result) status = refused(nvvm, result, foreign, "");
  if (status == CK_OK) status = nvvm_complete(foreign, *out_program);
  if (status == CK_OK) return CK_OK;
  if (*out_program) nvvm_destroy(*out_program);
  *out_program = NULL;
  return status;
}

static int compile(const Nvvm *nvvm, Words *words, void *program, Buf *image, bool is_text)
{
  int count = (int)words->count;
  int result = nvvm->nvvmVerifyProgram ? nvvm->nvvmVerifyProgram(program, count, words->at) : 0;
  if (!result) result = nvvm->nvvmCompileProgram(program, count, words->at);
  size_t bytes = 0;
  if (!result) result = nvvm->nvvmGetCompiledResultSize(program, &bytes);
  if (result) return result;
  buf_reserve(image, bytes);
  result = nvvm->nvvmGetCompiledResult(program, image->data);
  image->len = is_text && bytes ? bytes - 1 : bytes;
  image->data[image->len] = 0;
  return result;
}

ck_status_t nvvm_compile(const Foreign *foreign, const char *target, ForeignResult *result)
{
  const Nvvm *nvvm;
  CK_TRY(open_library(&nvvm));
  Arena *arena = result->image.arena;
  Words words = {.arena = arena};
  if (strncmp(target, "sm_", 3)) return error_argument("'%s' is no target of a GPU", target);
  vec_push(arena, &words, arena_printf(arena, "-arch=compute_%s", target + strlen("sm_")));
  foreign_words(foreign, TOOL_nvvm, &words);
  bool is_ltoir = foreign->options.link_time_optimization == CK_ON;
  void *program = foreign->native;
  if (!program) CK_TRY(nvvm_create(foreign, &program));
  int answer = compile(nvvm, &words, program, &result->image, !is_ltoir);
  read_log(nvvm, program, &result->log);
  if (!foreign->native) nvvm_destroy(program);
  result->form = is_ltoir ? CK_EMIT_LTOIR : CK_EMIT_PTX;
  return answer ? refused(nvvm, answer, foreign, buf_text(&result->log)) : CK_OK;
}

void nvvm_make_ltoir(const char *ir, size_t bytes, const char *target, Buf *out)
{
  const Nvvm *nvvm = nvvm_open(NULL);
  Words words = {.arena = out->arena};
  void *program;
  if (!nvvm || nvvm->nvvmCreateProgram(&program)) return;
  vec_push(out->arena, &words,
           arena_printf(out->arena, "-arch=compute_%s", target + strlen("sm_")));
  vec_push(out->arena, &words, "-gen-lto");
  int result = nvvm->nvvmAddModuleToProgram(program, ir, bytes, "text");
  if (!result) result = compile(nvvm, &words, program, out, false);
  if (result) out->len = 0;
  nvvm->nvvmDestroyProgram(&program);
}
