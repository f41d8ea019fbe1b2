/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gen_debug.c - line tables: which line of the .ck file an instruction is for.
 *
 * -lineinfo is DebugDirectivesOnly (NVVM's emission kind 3): lines for profilers and the sanitizer,
 * full optimisation. LineTablesOnly would make the PTX a debug build, which ptxas does not
 * optimise.
 */
#include "gen.h"

#include <string.h>

enum { DEBUG_DIRECTIVES_ONLY = 3 };

static LLVMMetadataRef file_of(Gen *g, const Source *source)
{
  const char *base = path_base(source->name);
  size_t folder = (size_t)(base - source->name);
  return LLVMDIBuilderCreateFile(g->debug, base, strlen(base), folder ? source->name : ".",
                                 folder ? folder : 1);
}

void gen_debug_open(Gen *g)
{
  if (!(g->c->options.flags & (CK_COMPILE_LINEINFO | CK_COMPILE_DEBUG)) || g->is_host) return;
  g->debug = LLVMCreateDIBuilder(g->module);
  LLVMMetadataRef version = LLVMValueAsMetadata(gen_int(g, g->i32, LLVMDebugMetadataVersion()));
  LLVMAddModuleFlag(g->module, LLVMModuleFlagBehaviorWarning, "Debug Info Version", 18, version);
  g->debug_unit = LLVMDIBuilderCreateCompileUnit(
      g->debug, LLVMDWARFSourceLanguageC99, file_of(g, g->c->source), "ckc", 3, true, "", 0, 0, "",
      0, (LLVMDWARFEmissionKind)DEBUG_DIRECTIVES_ONLY, 0, false, false, "", 0, "", 0);
}

void gen_debug_function(Gen *g, Node *item)
{
  if (!g->debug) return;
  const Source *source = source_of(&g->c->sources, item->span.lo);
  uint32_t line, col;
  source_position(source, item->span.lo, &line, &col);
  size_t bytes;
  const char *symbol = LLVMGetValueName2(g->function, &bytes);
  LLVMMetadataRef file = file_of(g, source),
                  type = LLVMDIBuilderCreateSubroutineType(g->debug, file, NULL, 0, LLVMDIFlagZero);
  g->debug_scope = LLVMDIBuilderCreateFunction(
      g->debug, file, item->name->text, item->name->len, symbol, bytes, file, line, type,
      item->kind == NODE_function, true, line, LLVMDIFlagZero, true);
  LLVMSetSubprogram(g->function, g->debug_scope);
  gen_debug_at(g, item);
}

void gen_debug_at(Gen *g, const Node *node)
{
  /* What is worked out in place of a call is on the line of the call. */
  if (!g->debug || g->inline_depth) return;
  const Source *source = source_of(&g->c->sources, node->span.lo);
  if (!source) return;
  uint32_t line, col;
  source_position(source, node->span.lo, &line, &col);
  LLVMSetCurrentDebugLocation2(
      g->builder, LLVMDIBuilderCreateDebugLocation(g->context, line, col, g->debug_scope, NULL));
}

void gen_debug_close(Gen *g)
{
  if (g->debug) LLVMDIBuilderFinalize(g->debug);
}
