/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* opt.c - runs LLVM's optimiser and code generator, for the targets whose code LLVM makes.
 *
 * needs   a module that verifies
 * gives   pass_layout: the module's data layout; pass_inline: calls inlined, for NVPTX libdevice
 *         linked in; pass_opt: the module optimised, on the host kernels that wait split into
 *         coroutines
 * keeps   what the program computes
 * fails   with DIAG_target_failed
 *
 *     host     inline what waits, drop dead code, split at waits (host.c), then default<On>
 *     NVPTX    link libdevice, inline, infer address spaces, then default<On>
 *
 * Around these passes run the repairs of compiler/repair, at the points that they need.
 */
#include "front/target.h"
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

/* The PTX version that lib/ needs: 8.1 has atomic additions of vectors. */
static unsigned ptx_version(const Session *c)
{
  enum { PTX = 78, PTX_OF_SM_90 = 81 };
  unsigned least = c->target->sm >= 90 ? PTX_OF_SM_90 : PTX;
  return c->target->ptx < least ? least : c->target->ptx;
}

static LLVMTargetMachineRef make_machine(Session *c, LLVMCodeGenOptLevel level)
{
  llvm_open();
  LLVMTargetRef target;
  char *message = NULL;
  const char *triple = c->target->triple, *cpu = c->target->name, *features = "";
  if (LLVMGetTargetFromTriple(triple, &target, &message)) die("LLVM lacks %s: %s", triple, message);
  /* every x86-64 CPU since 2006 has it */
  if (c->target->has_levels) cpu = host_cpu(), features = "+cx16";
  else features = arena_printf(&c->scratch, "+ptx%u", ptx_version(c));
  return LLVMCreateTargetMachine(target, triple, cpu, features, level, LLVMRelocPIC,
                                 LLVMCodeModelDefault);
}

LLVMTargetMachineRef llvm_machine(Session *c)
{
  static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelAggressive, LLVMCodeGenLevelNone,
                                               LLVMCodeGenLevelLess, LLVMCodeGenLevelDefault,
                                               LLVMCodeGenLevelAggressive};
  Gen *g = c->gen;
  LLVMCodeGenOptLevel level = g->is_quick ? LLVMCodeGenLevelNone : levels[c->options.opt_level];
  if (g->machine && g->machine_level == level) return g->machine;
  if (g->machine) LLVMDisposeTargetMachine(g->machine);
  g->machine_level = level;
  return g->machine = make_machine(c, level);
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

bool pass_layout(Session *c)
{
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(llvm_machine(c));
  LLVMSetModuleDataLayout(c->gen->module, layout);
  LLVMDisposeTargetData(layout);
  return true;
}

/* On the host, what is not reached goes before a thread is cut into pieces. On a GPU, a span that a
 * lambda or a function holds is a generic pointer. Where it is global memory is found out before
 * the rest of the optimiser runs, so that what that sees is what the index expression by hand is.
 * */
static const char *inline_pipeline(const Session *c)
{
  bool is_plain = c->options.opt_level == CK_OPT_0;
  if (c->target->has_coroutines)
    return is_plain ? "always-inline" : "always-inline,function(sroa,sccp,simplifycfg)";
  return is_plain ? NULL : "always-inline,function(sroa,early-cse,infer-address-spaces)";
}

bool pass_inline(Session *c)
{
  const char *pipeline = inline_pipeline(c);
  if (c->target->has_ptx && !nvptx_link_libdevice(c)) return false;
  if (pipeline && !llvm_run(c, pipeline, llvm_machine(c))) return false;
  c->is_refused = c->is_quick && !quick_has_same_bits(c);
  return !c->is_refused;
}

bool pass_opt(Session *c)
{
  static const char *const pipelines[] = {"default<O3>", "default<O0>", "default<O1>",
                                          "default<O2>", "default<O3>"};
  const char *pipeline = pipelines[c->options.opt_level];
  LLVMModuleRef module = c->gen->module;
  LLVMTargetMachineRef machine = llvm_machine(c); /* of the level that is_quick has not lowered */
  if (c->target->has_coroutines) host_split(c);
  if (c->target->has_coroutines && c->options.opt_level != CK_OPT_0)
    c->gen->is_quick = c->options.opt_level == CK_OPT_1 || is_huge(module);
  if (c->gen->is_quick) pipeline = host_quick;
  bool is_plain = !c->is_quick || !c->target->has_ptx;
  bool is_good = is_plain ? llvm_run(c, pipeline, machine) : quick_optimise(c, machine);
  if (c->target->has_spaces) is_good = is_good && gen_check_optimized(c->gen);
  return is_good && !c->diag.error_count;
}

bool llvm_emit(Session *c, LLVMCodeGenFileType type, Buf *out)
{
  LLVMMemoryBufferRef buffer = NULL;
  char *message = NULL;
  bool is_good = !LLVMTargetMachineEmitToMemoryBuffer(llvm_machine(c), c->gen->module, type,
                                                      &message, &buffer);
  if (is_good) buf_bytes(out, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
  else diag_at(&c->diag, DIAG_target_failed, (Span){0, 0}, c->target->name, message);
  if (message) LLVMDisposeMessage(message);
  if (buffer) LLVMDisposeMemoryBuffer(buffer);
  return is_good && !c->diag.error_count;
}
