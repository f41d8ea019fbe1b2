/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* opt.c - LLVM's optimiser and code generator, for the targets whose code LLVM makes.
 *
 * needs   a module that verifies
 * gives   the module optimised; on the host, threads split at their waits; for NVPTX, libdevice in
 * fails   with DIAG_target_failed
 */
#include "target/target_private.h"

#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <string.h>

static void initialise(void)
{
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
}

void llvm_open(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  MemoryEscape *escape = memory_escape_suspend();
  pthread_once(&once, initialise);
  memory_escape_resume(escape);
}

/* What lib/ asks for: 8.1 adds vectors to memory. */
static unsigned ptx_version(const Session *c)
{
  enum { PTX = 78, PTX_OF_SM_90 = 81 };
  unsigned least = c->target->sm >= 90 ? PTX_OF_SM_90 : PTX;
  return c->target->ptx < least ? least : c->target->ptx;
}

LLVMTargetMachineRef llvm_machine(Session *c)
{
  static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelAggressive, LLVMCodeGenLevelNone,
                                               LLVMCodeGenLevelLess, LLVMCodeGenLevelDefault,
                                               LLVMCodeGenLevelAggressive};
  llvm_open();
  LLVMTargetRef target;
  char *message = NULL;
  const char *triple = c->target->is_host ? "x86_64-pc-linux-gnu" : "nvptx64-nvidia-cuda",
             *cpu = c->target->name, *features = "";
  if (LLVMGetTargetFromTriple(triple, &target, &message)) die("LLVM lacks %s: %s", triple, message);
  if (c->target->is_host) cpu = host_cpu(), features = "+cx16"; /* as every CPU since 2006 */
  else features = arena_printf(&c->scratch, "+ptx%u", ptx_version(c));
  LLVMCodeGenOptLevel level = c->is_quick ? LLVMCodeGenLevelNone : levels[c->options.opt_level];
  return LLVMCreateTargetMachine(target, triple, cpu, features, level, LLVMRelocPIC,
                                 LLVMCodeModelDefault);
}

bool llvm_run(Session *c, const char *passes, LLVMTargetMachineRef machine)
{
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(c->gen->module, passes, machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return true;
  char *message = LLVMGetErrorMessage(error);
  diag_at(&c->diag, DIAG_target_failed, (Span){0, 0}, c->target->name, message);
  LLVMDisposeErrorMessage(message);
  return false;
}

/* Several of LLVM's passes take time in squares of a function's blocks. On the host, whose programs
 * are there to be tested, one of so many is compiled as -O1 does. */
static bool is_huge(LLVMModuleRef module)
{
  enum { BLOCKS_MAX = 1500 };
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (LLVMCountBasicBlocks(f) > BLOCKS_MAX) return true;
  return false;
}

/* The host's -O1: what is cheap, once on each side of the waits, and LLVM's quick way to choose
 * instructions and registers. A quarter of the time of -O2; loops over arrays that fit into
 * registers take up to thirty times as long. instcombine's own check of itself would end the
 * process. */
static const char host_quick[] =
    "coro-early,function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg),"
    "cgscc(coro-split),coro-cleanup,globaldce,function(sroa,early-cse,simplifycfg)";

/* LLVM's slp-vectorizer takes `uitofp(sext x)` of narrow integers for one of unsigned ones, and is
 * part of what `default<O2>` is, whatever its options say. It leaves such functions alone. */
static void set_packing(Session *c, bool is_on)
{
  static const char name[] = "noimplicitfloat";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  LLVMAttributeRef attribute = LLVMCreateEnumAttribute(c->gen->context, kind, 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(c->gen->module); f; f = LLVMGetNextFunction(f))
    if (is_on) LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
    else LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
}

bool pass_opt(Session *c)
{
  static const char *const pipelines[] = {"default<O3>", "default<O0>", "default<O1>",
                                          "default<O2>", "default<O3>"};
  const char *pipeline = pipelines[c->options.opt_level];
  LLVMModuleRef module = c->gen->module;
  LLVMTargetMachineRef machine = llvm_machine(c);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
  LLVMSetTarget(module, c->target->is_host ? "x86_64-pc-linux-gnu" : "nvptx64-nvidia-cuda");
  bool is_good = true;
  repair_records(c);
  if (c->target->is_host) {
    /* What is not reached goes before a thread is cut into pieces. */
    bool is_plain = c->options.opt_level == CK_OPT_0;
    is_good = llvm_run(
        c, is_plain ? "always-inline" : "always-inline,function(sroa,sccp,simplifycfg)", machine);
    if (is_good && !is_plain) {
      repair_vectors(c);
      is_good = llvm_run(c, "function(scalarizer)", machine);
    }
    if (is_good) host_split(c);
  } else {
    /* A span that a lambda or a function holds is a generic pointer. Where it is global memory is
     * found out first, so that what the rest sees is what the index expression by hand is. */
    repair_conversions(c);
    is_good = nvptx_link_libdevice(c) &&
              (c->options.opt_level == CK_OPT_0 ||
               llvm_run(c, "always-inline,function(sroa,early-cse,infer-address-spaces)", machine));
  }
  if (c->target->is_host && c->options.opt_level != CK_OPT_0)
    c->is_quick = c->options.opt_level == CK_OPT_1 || is_huge(module);
  if (c->is_quick) pipeline = host_quick;
  if (c->target->is_host) set_packing(c, false);
  is_good = is_good && llvm_run(c, pipeline, machine);
  if (c->target->is_host) set_packing(c, true);
  else is_good = is_good && gen_check_optimized(c->gen);
  LLVMDisposeTargetMachine(machine);
  return is_good && !c->diag.error_count;
}

bool llvm_emit(Session *c, LLVMCodeGenFileType type, Buf *out)
{
  LLVMTargetMachineRef machine = llvm_machine(c);
  LLVMMemoryBufferRef buffer = NULL;
  char *message = NULL;
  bool is_good =
      !LLVMTargetMachineEmitToMemoryBuffer(machine, c->gen->module, type, &message, &buffer);
  if (is_good) buf_bytes(out, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
  else diag_at(&c->diag, DIAG_target_failed, (Span){0, 0}, c->target->name, message);
  if (message) LLVMDisposeMessage(message);
  if (buffer) LLVMDisposeMemoryBuffer(buffer);
  LLVMDisposeTargetMachine(machine);
  return is_good && !c->diag.error_count;
}
