/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* program_nvvm.c - NVVM IR to PTX or LTO-IR, by libNVVM.
 *
 * libNVVM ends the process on some text that is no NVVM IR; nvvmVerifyProgram, which is called
 * first, finds most of that.
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

static int add_modules(const Nvvm *nvvm, const Foreign *foreign, void *program,
                       const char *libdevice, size_t libdevice_bytes)
{
  const ck_program_options_t *options = &foreign->options;
  int result =
      nvvm->nvvmAddModuleToProgram(program, foreign->source, foreign->bytes, options->name);
  for (size_t i = 0; !result && i < options->extra_source_count; ++i) {
    const ck_program_source_t *extra = &options->extra_sources[i];
    result = nvvm->nvvmAddModuleToProgram(program, extra->text, extra->bytes, extra->name);
  }
  if (result || !libdevice) return result;
  return nvvm->nvvmLazyAddModuleToProgram(program, libdevice, libdevice_bytes, "libdevice");
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
  const char *why, *libdevice = NULL;
  const Nvvm *nvvm = nvvm_open(&why);
  if (!nvvm) return error_set(CK_UNAVAILABLE, "libNVVM is not found. Looked at:\n%s", why);
  size_t libdevice_bytes = 0;
  bool needs_libdevice = foreign->options.use_libdevice == CK_ON;
  if (needs_libdevice && !(libdevice = libdevice_open(&libdevice_bytes, &why)))
    return error_set(CK_UNAVAILABLE, "libdevice is not found. Looked at:\n%s", why);
  Arena *arena = result->image.arena;
  Words words = {.arena = arena};
  if (strncmp(target, "sm_", 3))
    return error_set(CK_INVALID_ARGUMENT, "'%s' is no target of a GPU", target);
  vec_push(arena, &words, arena_printf(arena, "-arch=compute_%s", target + strlen("sm_")));
  foreign_words(foreign, TOOL_nvvm, &words);
  bool is_ltoir = foreign->options.link_time_optimization == CK_ON;
  void *program = NULL;
  int answer = nvvm->nvvmCreateProgram(&program);
  if (!answer) answer = add_modules(nvvm, foreign, program, libdevice, libdevice_bytes);
  if (!answer) answer = compile(nvvm, &words, program, &result->image, !is_ltoir);
  if (program) read_log(nvvm, program, &result->log);
  if (program) nvvm->nvvmDestroyProgram(&program);
  result->form = is_ltoir ? CK_EMIT_LTOIR : CK_EMIT_PTX;
  if (!answer) return CK_OK;
  const char *log = buf_text(&result->log);
  return error_set(CK_COMPILE, "libNVVM: %s, of '%s'%s%.*s", nvvm->nvvmGetErrorString(answer),
                   foreign->options.name, *log ? "\n" : "", first_lines(log), log);
}
