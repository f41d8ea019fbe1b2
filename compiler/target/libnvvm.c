/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* libnvvm.c - makes PTX or LTO-IR from NVVM IR by libNVVM.
 *
 * needs   c->ir, in the dialect (nvvm.c)
 * gives   c->ptx
 * keeps   c->ir, but for an attribute on a second try (leave_scalars)
 * fails   with DIAG_libnvvm_failed and libNVVM's own log; DIAG_libnvvm_crashed with
 *         CK_COMPILE_ISOLATE; DIAG_ptx_leftover where libNVVM took an unknown intrinsic for a
 *         function, which only ptxas would notice
 *
 * With CK_COMPILE_ISOLATE libNVVM runs in a child process (base/process.c), since it aborts on some
 * input. libdevice is added lazily (nvvmLazyAddModuleToProgram), and only if something calls it:
 * that takes 13 to 20 ms instead of 55 to 170.
 */
#include "check/check.h"
#include "front/target.h"
#include "nvidia.h"
#include "repair/repair.h"
#include "target/target.h"

#include <string.h>

bool libnvvm_is_available(void)
{
  return nvvm_open(NULL) != NULL;
}

static bool open_once(Session *c)
{
  const char *why;
  if (nvvm_open(&why)) return true;
  buf_printf(&c->log,
             "error: libNVVM is not found; --backend=nvptx needs no toolkit. Looked at:\n%s", why);
  c->is_unavailable = true;
  return false;
}

static const char *program_log(Session *c, const Nvvm *nvvm, void *program)
{
  size_t bytes = 0;
  if (nvvm->nvvmGetProgramLogSize(program, &bytes) || bytes <= 1) return "";
  char *text = arena_alloc(c->unit, bytes + 1);
  nvvm->nvvmGetProgramLog(program, text);
  while (*text && strchr("\n ", text[strlen(text) - 1])) text[strlen(text) - 1] = 0;
  return text;
}

/* Appends the result to `out`, or the reason to `why`. */
static bool compile(Session *c, Buf *out, Buf *why)
{
  const Nvvm *nvvm = nvvm_open(NULL);
  const char *options[8];
  int count = 0;
  void *program = NULL;
  options[count++] = arena_printf(&c->scratch, "-arch=compute_%s", c->target->name + strlen("sm_"));
  options[count++] = c->options.opt_level == CK_OPT_0 ? "-opt=0" : "-opt=3";
  /* Not by `contract` on the instructions: libNVVM would then also reassociate additions. */
  options[count++] = "-fma=1";
  if (c->options.flags & CK_COMPILE_DEBUG) options[count++] = "-g";
  else if (c->options.flags & CK_COMPILE_LINEINFO) options[count++] = "-generate-line-info";
  if (c->options.emit == CK_EMIT_LTOIR) options[count++] = "-gen-lto";
  int result = nvvm->nvvmCreateProgram(&program);
  if (!result)
    result = nvvm->nvvmAddModuleToProgram(program, c->ir.data, c->ir.len, c->source->name);
  size_t libdevice_bytes = 0;
  bool needs_libdevice = strstr(c->ir.data, "@__nv_") != NULL;
  const char *libdevice = needs_libdevice ? libdevice_open(&libdevice_bytes, NULL) : NULL;
  if (!result && needs_libdevice && !libdevice) {
    buf_puts(why, "the program calls functions of libdevice, and libdevice.10.bc is not found");
    nvvm->nvvmDestroyProgram(&program);
    return false;
  }
  if (!result && needs_libdevice)
    result = nvvm->nvvmLazyAddModuleToProgram(program, libdevice, libdevice_bytes, "libdevice");
  if (!result) result = nvvm->nvvmCompileProgram(program, count, options);
  size_t bytes = 0;
  if (!result) result = nvvm->nvvmGetCompiledResultSize(program, &bytes);
  if (!result && bytes) {
    buf_reserve(out, bytes);
    result = nvvm->nvvmGetCompiledResult(program, out->data);
    bool is_text = c->options.emit != CK_EMIT_LTOIR;
    out->len = is_text ? bytes - 1 : bytes;
    out->data[out->len] = 0;
  }
  const char *log = program ? program_log(c, nvvm, program) : "";
  if (result) buf_printf(why, "%s%s%s", nvvm->nvvmGetErrorString(result), *log ? ": " : "", log);
  if (program) nvvm->nvvmDestroyProgram(&program);
  return !result;
}

/* The work of the child process. Its answer is one byte, 1 for success, then the result or the
 * reason. */
static void work_apart(void *user, Buf *answer)
{
  Session *c = user;
  Buf out = BUF(c->unit), why = BUF(c->unit);
  bool is_good = compile(c, &out, &why);
  buf_putc(answer, (char)is_good);
  buf_bytes(answer, is_good ? out.data : why.data, is_good ? out.len : why.len);
}

/* Compiles in a child process: libNVVM aborts on some input, and that must not end this process. */
static bool compile_apart(Session *c, Buf *out, Buf *why)
{
  Child child;
  ChildEnd end;
  Buf answer = BUF(c->unit), said = BUF(&c->scratch);
  if (!child_start(&child, work_apart, c)) return compile(c, out, why);
  if (!child_finish(&child, &answer, &said, &end) || !answer.len)
    return diag_at(&c->diag, DIAG_libnvvm_crashed, (Span){0, 0}, end.signal);
  bool is_good = answer.data[0];
  buf_bytes(is_good ? out : why, answer.data + 1, answer.len - 1);
  return is_good;
}

/* Looks for faults in the PTX that libNVVM doesn't report: an unknown intrinsic is left as a call,
 * and a kernel may be missing. */
static bool scan_ptx(Session *c)
{
  const char *ptx = c->ptx.data, *call = ptx;
  while ((call = strstr(call, "call"))) {
    const char *end = call + strcspn(call, "\n;"), *name = strstr(call, "llvm.");
    if (name && name < end) {
      diag_at(&c->diag, DIAG_ptx_leftover, (Span){0, 0},
              arena_strndup(&c->scratch, name, strcspn(name, " ,\n;(")));
      return false;
    }
    call = end;
  }
  for (uint32_t i = 0; i < c->kernels.count; ++i) {
    if (!kernel_has_code(c, c->kernels.at[i])) continue;
    const char *symbol = kernel_symbol(c, c->kernels.at[i]);
    const char *entry = arena_printf(&c->scratch, ".entry %s(", symbol);
    if (strstr(ptx, entry)) continue;
    return diag_at(&c->diag, DIAG_ptx_entry, c->kernels.at[i]->span, symbol);
  }
  return true;
}

static bool compile_somewhere(Session *c, Buf *why)
{
  bool is_apart = c->options.flags & CK_COMPILE_ISOLATE;
  return is_apart ? compile_apart(c, &c->ptx, why) : compile(c, &c->ptx, why);
}

bool pass_libnvvm(Session *c)
{
  if (!open_once(c)) return false;
  Buf why = BUF(&c->scratch);
  bool is_good = compile_somewhere(c, &why);
  if (!is_good && why.len && repairs_retry(c, PASS_libnvvm, buf_text(&why))) {
    why = BUF(&c->scratch);
    is_good = compile_somewhere(c, &why);
  }
  if (!is_good) {
    if (why.len) diag_at(&c->diag, DIAG_libnvvm_failed, (Span){0, 0}, buf_text(&why));
    return false;
  }
  return c->options.emit == CK_EMIT_LTOIR || scan_ptx(c);
}
