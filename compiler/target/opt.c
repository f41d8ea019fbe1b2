/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* opt.c - runs LLVM's optimiser and code generator, for the targets whose code LLVM makes.
 *
 * needs   a module that verifies
 * gives   the module optimised; on the host, kernels that wait split into coroutines; for NVPTX,
 *         libdevice linked in
 * keeps   what the program computes
 * fails   with DIAG_target_failed
 *
 *     host     inline what waits, drop dead code, split at waits (host.c), then default<On>
 *     NVPTX    link libdevice, inline, infer address spaces, then default<On>
 *
 * Around these passes run the repairs of compiler/repair, at the points that they need.
 */
#include "gen/llvm_target.h"

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

/* The PTX version that lib/ needs: 8.1 has atomic additions of vectors. */
static unsigned ptx_version(const Compile *c)
{
  enum { PTX = 78, PTX_OF_SM_90 = 81 };
  unsigned least = c->target.sm >= 90 ? PTX_OF_SM_90 : PTX;
  return c->target.ptx < least ? least : c->target.ptx;
}

LLVMTargetMachineRef llvm_machine(Compile *c)
{
  static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelAggressive, LLVMCodeGenLevelNone,
                                               LLVMCodeGenLevelLess, LLVMCodeGenLevelDefault,
                                               LLVMCodeGenLevelAggressive};
  llvm_open();
  LLVMTargetRef target;
  char *message = NULL;
  const char *triple = c->target.is_host ? "x86_64-pc-linux-gnu" : "nvptx64-nvidia-cuda",
             *cpu = c->target.name, *features = "";
  if (LLVMGetTargetFromTriple(triple, &target, &message)) die("LLVM lacks %s: %s", triple, message);
  /* every x86-64 CPU since 2006 has it */
  if (c->target.is_host) cpu = host_cpu(), features = "+cx16";
  else features = arena_printf(&c->scratch, "+ptx%u", ptx_version(c));
  LLVMCodeGenOptLevel level = c->is_quick ? LLVMCodeGenLevelNone : levels[c->options.opt_level];
  return LLVMCreateTargetMachine(target, triple, cpu, features, level, LLVMRelocPIC,
                                 LLVMCodeModelDefault);
}

bool llvm_run(Compile *c, const char *passes, LLVMTargetMachineRef machine)
{
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(c->gen->module, passes, machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return true;
  char *message = LLVMGetErrorMessage(error);
  diag_at(&c->diag, DIAG_target_failed, (Span){0, 0}, c->target.name, message);
  LLVMDisposeErrorMessage(message);
  return false;
}

/* Several of LLVM's passes take time that is quadratic in a function's basic blocks. Host programs
 * are for tests, so a function with so many blocks is compiled as at -O1. */
static bool is_huge(LLVMModuleRef module)
{
  enum { BLOCKS_MAX = 1500 };
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (LLVMCountBasicBlocks(f) > BLOCKS_MAX) return true;
  return false;
}

/* The host's -O1: cheap passes, once before and once after the split at waits, and LLVM's fast
 * selection of instructions and registers. It takes a quarter of the time of -O2; loops over arrays
 * that would fit into registers run up to thirty times as long. instcombine must not verify its own
 * fixpoint, since a failure would end the process. */
static const char host_quick[] =
    "coro-early,function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg),"
    "cgscc(coro-split),coro-cleanup,globaldce,function(sroa,early-cse,simplifycfg)";

/* Turns LLVM's SLP vectorizer off or on, by an attribute with which it leaves a function alone. It
 * miscompiles `uitofp(sext x)` of narrow integers as unsigned, and is part of `default<O2>`
 * whatever the options say. */
static void set_packing(Compile *c, bool is_on)
{
  static const char name[] = "noimplicitfloat";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  LLVMAttributeRef attribute = LLVMCreateEnumAttribute(c->gen->context, kind, 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(c->gen->module); f; f = LLVMGetNextFunction(f))
    if (is_on) LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
    else LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
}

bool pass_opt(Compile *c)
{
  static const char *const pipelines[] = {"default<O3>", "default<O0>", "default<O1>",
                                          "default<O2>", "default<O3>"};
  const char *pipeline = pipelines[c->options.opt_level];
  LLVMModuleRef module = c->gen->module;
  LLVMTargetMachineRef machine = llvm_machine(c);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
  LLVMSetTarget(module, c->target.is_host ? "x86_64-pc-linux-gnu" : "nvptx64-nvidia-cuda");
  bool is_good = true;
  repair_records(c);
  if (c->target.is_host) {
    /* Dead code is removed before a kernel is split into pieces, each of which would copy it. */
    bool is_plain = c->options.opt_level == CK_OPT_0;
    is_good = llvm_run(
        c, is_plain ? "always-inline" : "always-inline,function(sroa,sccp,simplifycfg)", machine);
    if (is_good && !is_plain) {
      repair_vectors(c);
      is_good = llvm_run(c, "function(scalarizer)", machine);
    }
    if (is_good) host_split(c);
  } else {
    /* A span in a lambda or a function is a generic pointer. Finding out first which are global
     * memory lets the other passes see the same code as for an index written by hand. */
    repair_conversions(c);
    is_good = nvptx_link_libdevice(c) &&
              (c->options.opt_level == CK_OPT_0 ||
               llvm_run(c, "always-inline,function(sroa,early-cse,infer-address-spaces)", machine));
  }
  if (c->target.is_host && c->options.opt_level != CK_OPT_0)
    c->is_quick = c->options.opt_level == CK_OPT_1 || is_huge(module);
  if (c->is_quick) pipeline = host_quick;
  if (c->target.is_host) set_packing(c, false);
  is_good = is_good && llvm_run(c, pipeline, machine);
  if (c->target.is_host) set_packing(c, true);
  else is_good = is_good && gen_check_optimized(c->gen);
  LLVMDisposeTargetMachine(machine);
  return is_good && !c->diag.error_count;
}

bool llvm_emit(Compile *c, LLVMCodeGenFileType type, Buf *out)
{
  LLVMTargetMachineRef machine = llvm_machine(c);
  LLVMMemoryBufferRef buffer = NULL;
  char *message = NULL;
  bool is_good =
      !LLVMTargetMachineEmitToMemoryBuffer(machine, c->gen->module, type, &message, &buffer);
  if (is_good) buf_bytes(out, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
  else diag_at(&c->diag, DIAG_target_failed, (Span){0, 0}, c->target.name, message);
  if (message) LLVMDisposeMessage(message);
  if (buffer) LLVMDisposeMemoryBuffer(buffer);
  LLVMDisposeTargetMachine(machine);
  return is_good && !c->diag.error_count;
}
