/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* debug.c - generates debug information: lines (-lineinfo), and functions, variables and types
 * (-g).
 *
 * -lineinfo is DebugDirectivesOnly (NVVM's emission kind 3): line numbers for profilers and the
 * sanitizer at full optimisation. The kind LineTablesOnly would make the PTX a debug build, which
 * ptxas doesn't optimise. With -g each named value is in memory, where a debugger finds it.
 *
 * Each metadata node is made twice: by LLVM's DIBuilder for the module, and as a line of text in
 * LLVM 7's syntax, which target/nvvm.c prints behind the module. LLVM-C can make such nodes, but
 * can't read them back, so they can't be printed from the module.
 *
 *     LLVMDIBuilderCreateBasicType("u32", ...)      node
 *     add(g, node, "!DIBasicType(...)")             text "!7 = !DIBasicType(...)"; nodes[6] = node
 */
#include "gen/gen_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DEBUG_FULL = 1, DEBUG_DIRECTIVES_ONLY = 3, BITS = 8 };

/* The node made for a source, type or function, with its number in the text. */
typedef struct Known {
  const void *key;
  LLVMMetadataRef node;
  uint32_t number;
} Known;

typedef struct Declare {
  LLVMValueRef address; /* an alloca, or a global */
  const char *text;     /* what target/nvvm.c prints with it */
} Declare;

struct Debug {
  LLVMDIBuilderRef builder;
  LLVMMetadataRef unit, function, scope, inlined_at;
  uint32_t is_frozen; /* while not 0, code keeps the line of a call */
  bool is_full;
  VEC(LLVMMetadataRef) nodes; /* node i + 1; NULL: it exists only as text */
  VEC(Known) known;
  VEC(Declare) declares;
  uint32_t declare_cursor;
  Buf text, globals;
};

/* ---- nodes ---- */

static uint32_t add(Gen *g, LLVMMetadataRef node, const char *format, ...) PRINTF_LIKE(3, 4);
static uint32_t add(Gen *g, LLVMMetadataRef node, const char *format, ...)
{
  Debug *debug = g->debug;
  va_list values;
  vec_push(g->c->unit, &debug->nodes, node);
  buf_printf(&debug->text, "!%u = ", debug->nodes.count);
  va_start(values, format);
  buf_vprintf(&debug->text, format, values);
  va_end(values);
  buf_putc(&debug->text, '\n');
  return debug->nodes.count;
}

uint32_t gen_debug_number(Gen *g, LLVMMetadataRef node)
{
  const Debug *debug = g->debug;
  for (uint32_t i = debug->nodes.count; node && i > 0; --i)
    if (debug->nodes.at[i - 1] == node) return i;
  return 0;
}

static Known *known(Gen *g, const void *key)
{
  Debug *debug = g->debug;
  for (uint32_t i = 0; i < debug->known.count; ++i)
    if (debug->known.at[i].key == key) return &debug->known.at[i];
  return NULL;
}

static Known remember(Gen *g, const void *key, LLVMMetadataRef node, uint32_t number)
{
  Known made = {key, node, number};
  vec_push(g->c->unit, &g->debug->known, made);
  return made;
}

static const char *json(Gen *g, const char *text, size_t bytes)
{
  Buf out = BUF(&g->c->scratch);
  buf_json_string(&out, text, bytes);
  return buf_text(&out);
}

/* The node of a source file, with its full path, since tools open the file. */
static Known file_of(Gen *g, const Source *source)
{
  enum { PATH_BYTES = 4096 };
  Known *old = known(g, source);
  if (old) return *old;
  char folder[PATH_BYTES] = "";
  bool is_file = source->name[0] != '/' && !source->is_library;
  if (!is_file || !getcwd(folder, sizeof folder)) snprintf(folder, sizeof folder, "/");
  size_t name_len = strlen(source->name), folder_len = strlen(folder);
  LLVMMetadataRef node =
      LLVMDIBuilderCreateFile(g->debug->builder, source->name, name_len, folder, folder_len);
  return remember(g, source, node,
                  add(g, node, "!DIFile(filename: %s, directory: %s)",
                      json(g, source->name, name_len), json(g, folder, folder_len)));
}

/* ---- the unit ---- */

void gen_debug_open(Gen *g)
{
  uint32_t flags = g->c->options.flags;
  bool is_full = flags & CK_COMPILE_DEBUG;
  if (!is_full && (!(flags & CK_COMPILE_LINEINFO) || !g->target->has_lineinfo)) return;
  Debug *debug = g->debug = NEW(g->c->unit, Debug);
  debug->is_full = is_full;
  debug->text = debug->globals = BUF(g->c->unit);
  debug->builder = LLVMCreateDIBuilder(g->module);
  LLVMSetIsNewDbgInfoFormat(g->module, true);
  LLVMMetadataRef version = LLVMValueAsMetadata(gen_int(g, g->i32, LLVMDebugMetadataVersion()));
  LLVMAddModuleFlag(g->module, LLVMModuleFlagBehaviorWarning, "Debug Info Version", 18, version);
  Known file = file_of(g, g->c->source);
  LLVMDWARFEmissionKind kind = is_full ? DEBUG_FULL : (LLVMDWARFEmissionKind)DEBUG_DIRECTIVES_ONLY;
  debug->unit = LLVMDIBuilderCreateCompileUnit(debug->builder, LLVMDWARFSourceLanguageC99,
                                               file.node, "ckc", 3, !is_full, "", 0, 0, "", 0, kind,
                                               0, false, false, "", 0, "", 0);
  uint32_t empty = add(g, NULL, "!{}"), unit = empty + 1;
  add(g, debug->unit,
      "distinct !DICompileUnit(language: DW_LANG_C99, file: !%u, producer: \"ckc\", isOptimized: "
      "%s, runtimeVersion: 0, emissionKind: %s, enums: !%u, globals: !%u)",
      file.number, is_full ? "false" : "true", is_full ? "FullDebug" : "DebugDirectivesOnly", empty,
      unit + 1);
  vec_push(g->c->unit, &debug->nodes, NULL); /* the globals: their text is written last */
}

bool gen_debug_is_full(const Gen *g)
{
  return g->debug && g->debug->is_full;
}

void gen_debug_close(Gen *g)
{
  if (!g->debug) return;
  buf_printf(&g->debug->text, "!%u = !{%s}\n", gen_debug_number(g, g->debug->unit) + 1,
             buf_text(&g->debug->globals));
  LLVMDIBuilderFinalize(g->debug->builder);
}

void gen_debug_dispose(Gen *g)
{
  if (g->debug) LLVMDisposeDIBuilder(g->debug->builder);
}

/* Writes the nodes; returns how many there are. */
uint32_t gen_debug_text(Gen *g, Buf *out)
{
  if (!g->debug) return 0;
  uint32_t unit = gen_debug_number(g, g->debug->unit), count = g->debug->nodes.count;
  if (out)
    buf_printf(out,
               "%s!llvm.dbg.cu = !{!%u}\n!llvm.module.flags = !{!%u}\n!%u = !{i32 2, !\"Debug Info "
               "Version\", i32 3}\n",
               buf_text(&g->debug->text), unit, count + 1, count + 1);
  return count + 1;
}

/* ---- types ---- */

static Known type_of(Gen *g, Type *type);

static Known scalar_of(Gen *g, const Type *type)
{
  enum { BOOLEAN = 2, FLOAT = 4, SIGNED = 5, UNSIGNED = 7 };
  static const char *const words[] = {
      [BOOLEAN] = "boolean", [FLOAT] = "float", [SIGNED] = "signed", [UNSIGNED] = "unsigned"};
  unsigned code = type->kind == TYPE_bool ? BOOLEAN
                  : type_is_float(type)   ? FLOAT
                  : type_is_signed(type)  ? SIGNED
                                          : UNSIGNED;
  const char *name = type_text(type);
  uint64_t bits = BITS * type_bytes(type);
  LLVMMetadataRef node = LLVMDIBuilderCreateBasicType(g->debug->builder, name, strlen(name), bits,
                                                      code, LLVMDIFlagZero);
  return remember(g, type, node,
                  add(g, node, "!DIBasicType(name: \"%s\", size: %" PRIu64 ", encoding: DW_ATE_%s)",
                      name, bits, words[code]));
}

/* An array or vector: gdb shows both as {1, 2}. */
static Known array_of(Gen *g, Type *type)
{
  Known element = type_of(g, type->element);
  if (!element.node) return element;
  uint64_t bits = BITS * type_bytes(type);
  LLVMMetadataRef range = LLVMDIBuilderGetOrCreateSubrange(g->debug->builder, 0, type->count);
  LLVMMetadataRef node =
      LLVMDIBuilderCreateArrayType(g->debug->builder, bits, 0, element.node, &range, 1);
  uint32_t number = add(g, range, "!DISubrange(count: %u)", type->count);
  number = add(g, NULL, "!{!%u}", number);
  return remember(g, type, node,
                  add(g, node,
                      "!DICompositeType(tag: DW_TAG_array_type, baseType: !%u, size: %" PRIu64
                      ", elements: !%u)",
                      element.number, bits, number));
}

enum { MEMBERS_MAX = 32 };

typedef struct Member {
  const char *name;
  Known type;
  uint64_t bits, offset;
} Member;

static Known struct_of(Gen *g, const Type *type, const Member *members, unsigned count,
                       uint64_t bits)
{
  LLVMDIBuilderRef builder = g->debug->builder;
  const Source *source = g->c->source;
  Known file = file_of(g, source);
  LLVMMetadataRef nodes[MEMBERS_MAX];
  Buf list = BUF(&g->c->scratch);
  for (unsigned i = 0; i < count; ++i) {
    const Member *m = &members[i];
    nodes[i] =
        LLVMDIBuilderCreateMemberType(builder, g->debug->unit, m->name, strlen(m->name), file.node,
                                      0, m->bits, 0, m->offset, LLVMDIFlagZero, m->type.node);
    uint32_t number = add(g, nodes[i],
                          "!DIDerivedType(tag: DW_TAG_member, name: \"%s\", baseType: !%u, size: "
                          "%" PRIu64 ", offset: %" PRIu64 ")",
                          m->name, m->type.number, m->bits, m->offset);
    buf_printf(&list, "%s!%u", i ? ", " : "", number);
  }
  const char *name = type_text(type);
  LLVMMetadataRef node =
      LLVMDIBuilderCreateStructType(builder, g->debug->unit, name, strlen(name), file.node, 0, bits,
                                    0, LLVMDIFlagZero, NULL, nodes, count, 0, NULL, "", 0);
  uint32_t elements = add(g, NULL, "!{%s}", buf_text(&list));
  return remember(g, type, node,
                  add(g, node,
                      "!DICompositeType(tag: DW_TAG_structure_type, name: %s, file: !%u, size: "
                      "%" PRIu64 ", elements: !%u)",
                      json(g, name, strlen(name)), file.number, bits, elements));
}

/* A struct or tuple. The elements of a tuple are named e0, e1 and so on. */
static Known record_of(Gen *g, const Type *type)
{
  Member members[MEMBERS_MAX];
  const Node *field = type->kind == TYPE_struct ? type->decl->b : NULL;
  if (type->count > MEMBERS_MAX || type->has_closure) return (Known){NULL, NULL, 0};
  remember(g, type, NULL, 0); /* inside it, a pointer to the same type is void * */
  for (uint32_t i = 0; i < type->count; ++i) {
    Type *part = type->elements[i];
    while (field && field->kind != NODE_field) field = field->next;
    const char *name = field ? field->name->text : arena_printf(&g->c->scratch, "e%u", (unsigned)i);
    members[i] =
        (Member){name, type_of(g, part), BITS * type_bytes(part), BITS * type_offset(type, i)};
    if (!members[i].type.node) return (Known){NULL, NULL, 0};
    if (field) field = field->next;
  }
  Known made = struct_of(g, type, members, type->count, BITS * type_bytes(type));
  *known(g, type) = made;
  return made;
}

static Known pointer_of(Gen *g, const Type *type)
{
  enum { POINTER_BITS = 64 };
  Known element = type_of(g, type->element);
  LLVMMetadataRef node =
      LLVMDIBuilderCreatePointerType(g->debug->builder, element.node, POINTER_BITS, 0, 0, "", 0);
  const char *base = element.node ? arena_printf(&g->c->scratch, "!%u", element.number) : "null";
  return (Known){
      type, node,
      add(g, node, "!DIDerivedType(tag: DW_TAG_pointer_type, baseType: %s, size: 64)", base)};
}

/* A span, as a struct {data, len} or {data, extent0, ...}. */
static Known span_of(Gen *g, const Type *type)
{
  enum { WORD = 64 };
  static const char *const names[] = {"extent0", "extent1", "extent2", "extent3"};
  Known element = type_of(g, type->element), length = type_of(g, g->c->types->type_u64);
  if (!element.node) return element;
  LLVMMetadataRef node =
      LLVMDIBuilderCreatePointerType(g->debug->builder, element.node, WORD, 0, 0, "", 0);
  uint32_t number = add(
      g, node, "!DIDerivedType(tag: DW_TAG_pointer_type, baseType: !%u, size: 64)", element.number);
  Member members[5] = {{"data", {NULL, node, number}, WORD, 0}};
  for (unsigned i = 0; i < type->rank; ++i)
    members[i + 1] = (Member){type->rank == 1 ? "len" : names[i], length, WORD, WORD * (i + 1)};
  return struct_of(g, type, members, type->rank + 1u, WORD * (type->rank + 1u));
}

/* The node of a type; {NULL} for types without debug information. */
static Known type_of(Gen *g, Type *type)
{
  Known *old = known(g, type);
  if (old) return *old;
  if (type_is_scalar(type)) return scalar_of(g, type);
  if (type->kind == TYPE_array || type->kind == TYPE_vector) return array_of(g, type);
  if (type_is_record(type)) return record_of(g, type);
  if (type->kind == TYPE_pointer) return pointer_of(g, type);
  if (type->kind == TYPE_span) return span_of(g, type);
  return (Known){NULL, NULL, 0};
}

/* ---- functions and scopes ---- */

static Known function_of(Gen *g, const Node *item, const char *symbol)
{
  Debug *debug = g->debug;
  uint32_t line, col;
  Known file = file_of(g, source_at(&g->c->sources, item->span.lo, &line, &col));
  LLVMMetadataRef type =
      LLVMDIBuilderCreateSubroutineType(debug->builder, file.node, NULL, 0, LLVMDIFlagZero);
  bool is_kernel = item->kind == NODE_kernel;
  const char *name = item->name->text;
  LLVMMetadataRef node = LLVMDIBuilderCreateFunction(
      debug->builder, file.node, name, strlen(name), symbol, strlen(symbol), file.node, line, type,
      !is_kernel, true, line, LLVMDIFlagZero, !debug->is_full);
  uint32_t number = gen_debug_number(g, type);
  if (!number)
    number = add(g, type, "!DISubroutineType(types: !%u)", gen_debug_number(g, debug->unit) - 1);
  /* libNVVM names an inlined function by its linkage name, which tools print as it is. */
  const char *linkage = is_kernel ? symbol : name;
  number = add(g, node,
               "distinct !DISubprogram(name: %s, linkageName: %s, scope: !%u, file: !%u, line: %u, "
               "type: !%u, isLocal: %s, isDefinition: true, scopeLine: %u, isOptimized: %s, "
               "unit: !%u)",
               json(g, name, strlen(name)), json(g, linkage, strlen(linkage)), file.number,
               file.number, line, number, is_kernel ? "false" : "true", line,
               debug->is_full ? "false" : "true", gen_debug_number(g, debug->unit));
  return (Known){item, node, number};
}

void gen_debug_function(Gen *g, Node *item)
{
  if (!g->debug) return;
  size_t bytes;
  const char *symbol = LLVMGetValueName2(g->state->function, &bytes);
  g->debug->function = g->debug->scope = function_of(g, item, symbol).node;
  g->debug->inlined_at = NULL;
  LLVMSetSubprogram(g->state->function, g->debug->scope);
  gen_debug_at(g, item);
}

/* ---- lines ---- */

static LLVMMetadataRef location(Gen *g, const Node *node, uint32_t *out_line, uint32_t *out_col)
{
  if (!source_at(&g->c->sources, node->span.lo, out_line, out_col)) return NULL;
  return LLVMDIBuilderCreateDebugLocation(g->context, *out_line, *out_col, g->debug->scope,
                                          g->debug->inlined_at);
}

void gen_debug_at(Gen *g, const Node *node)
{
  uint32_t line, col;
  if (!g->debug || g->debug->is_frozen) return;
  LLVMMetadataRef place = location(g, node, &line, &col);
  if (place) LLVMSetCurrentDebugLocation2(g->builder, place);
}

/* Code of a function that gen inlines has the function's own lines, inlined at the call. LLVM 19's
 * NVPTX writes no inlining information into PTX: there, on the host, and in a full debug build,
 * code of the library has the line of its call. */
DebugPlace gen_debug_enter(Gen *g, const Node *call)
{
  Debug *debug = g->debug;
  if (!debug) return (DebugPlace){NULL, NULL};
  DebugPlace outer = {debug->scope, debug->inlined_at};
  const Source *source = source_of(&g->c->sources, call->decl->span.lo);
  bool has_chains = !debug->is_full && g->c->options.backend == CK_BACKEND_LIBNVVM;
  uint32_t line, col;
  if (debug->is_frozen || !source || (source->is_library && !has_chains)) {
    ++debug->is_frozen;
    return outer;
  }
  LLVMMetadataRef place = location(g, call, &line, &col);
  if (!gen_debug_number(g, place)) {
    uint32_t at = gen_debug_number(g, debug->inlined_at);
    const char *chain = at ? arena_printf(&g->c->scratch, ", inlinedAt: !%u", at) : "";
    add(g, place, "distinct !DILocation(line: %u, column: %u, scope: !%u%s)", line, col,
        gen_debug_number(g, debug->scope), chain);
  }
  Known *old = known(g, call->decl), function;
  if (old) {
    function = *old;
  } else {
    function = function_of(g, call->decl, call->decl->name->text);
    remember(g, call->decl, function.node, function.number);
  }
  debug->scope = function.node;
  debug->inlined_at = place;
  return outer;
}

void gen_debug_leave(Gen *g, DebugPlace outer)
{
  if (!g->debug) return;
  if (g->debug->is_frozen) --g->debug->is_frozen;
  g->debug->scope = outer.scope;
  g->debug->inlined_at = outer.inlined_at;
}

/* ---- scopes and variables, of a full build ---- */

DebugPlace gen_debug_block(Gen *g, const Node *node)
{
  if (!gen_debug_is_full(g)) return (DebugPlace){NULL, NULL};
  Debug *debug = g->debug;
  DebugPlace outer = {debug->scope, debug->inlined_at};
  uint32_t line, col;
  Known file = file_of(g, source_at(&g->c->sources, node->span.lo, &line, &col));
  debug->scope = LLVMDIBuilderCreateLexicalBlock(debug->builder, outer.scope, file.node, line, col);
  add(g, debug->scope, "distinct !DILexicalBlock(scope: !%u, file: !%u, line: %u, column: %u)",
      gen_debug_number(g, outer.scope), file.number, line, col);
  return outer;
}

void gen_debug_block_end(Gen *g, DebugPlace outer)
{
  if (gen_debug_is_full(g)) g->debug->scope = outer.scope;
}

/* `address` is an alloca with the variable, or with the address of shared memory if that isn't a
 * global of its own. */
static void declare(Gen *g, const Node *decl, LLVMValueRef address, Known type, unsigned argument)
{
  enum { DW_OP_deref = 6 };
  uint64_t deref = DW_OP_deref;
  bool is_shared = decl->kind == NODE_shared;
  Debug *debug = g->debug;
  uint32_t line, col;
  const char *name = decl->name->text;
  LLVMMetadataRef place = location(g, decl, &line, &col);
  Known file = file_of(g, source_of(&g->c->sources, decl->span.lo));
  LLVMMetadataRef node =
      argument
          ? LLVMDIBuilderCreateParameterVariable(debug->builder, debug->scope, name, strlen(name),
                                                 argument, file.node, line, type.node, true,
                                                 LLVMDIFlagZero)
          : LLVMDIBuilderCreateAutoVariable(debug->builder, debug->scope, name, strlen(name),
                                            file.node, line, type.node, true, LLVMDIFlagZero, 0);
  LLVMMetadataRef way = LLVMDIBuilderCreateExpression(debug->builder, &deref, is_shared);
  LLVMDIBuilderInsertDeclareRecordAtEnd(debug->builder, address, node, way, place,
                                        LLVMGetInsertBlock(g->builder));
  uint32_t scope = gen_debug_number(g, debug->scope);
  const char *arg = argument ? arena_printf(&g->c->scratch, "arg: %u, ", argument) : "";
  uint32_t variable =
      add(g, node, "!DILocalVariable(name: \"%s\", %sscope: !%u, file: !%u, line: %u, type: !%u)",
          name, arg, scope, file.number, line, type.number);
  uint32_t at = add(g, NULL, "!DILocation(line: %u, column: %u, scope: !%u)", line, col, scope);
  Declare made = {
      address,
      arena_printf(g->c->unit, "metadata !%u, metadata !DIExpression()), !dbg !%u", variable, at)};
  vec_push(g->c->unit, &debug->declares, made);
}

/* A shared variable of a GPU is a global one in DWARF's address class 8. */
static void declare_shared(Gen *g, const Node *decl, LLVMValueRef global, Known type)
{
  enum { CLASS = 8, DW_OP_constu = 0x10, DW_OP_swap = 0x16, DW_OP_xderef = 0x18 };
  Debug *debug = g->debug;
  uint64_t ops[] = {DW_OP_constu, CLASS, DW_OP_swap, DW_OP_xderef};
  const char *name = decl->name->text;
  uint32_t line, col;
  location(g, decl, &line, &col);
  Known file = file_of(g, source_of(&g->c->sources, decl->span.lo));
  LLVMMetadataRef expression = LLVMDIBuilderCreateExpression(debug->builder, ops, COUNT_OF(ops));
  LLVMMetadataRef node = LLVMDIBuilderCreateGlobalVariableExpression(
      debug->builder, debug->function, name, strlen(name), "", 0, file.node, line, type.node, true,
      expression, NULL, 0);
  LLVMGlobalSetMetadata(global, LLVMGetMDKindIDInContext(g->context, "dbg", 3), node);
  uint32_t variable =
      add(g, NULL,
          "distinct !DIGlobalVariable(name: \"%s\", scope: !%u, file: !%u, line: %u, type: !%u, "
          "isLocal: true, isDefinition: true)",
          name, gen_debug_number(g, debug->function), file.number, line, type.number);
  uint32_t number = add(g, NULL,
                        "!DIGlobalVariableExpression(var: !%u, expr: !DIExpression(DW_OP_constu, "
                        "%u, DW_OP_swap, DW_OP_xderef))",
                        variable, (unsigned)CLASS);
  buf_printf(&debug->globals, "%s!%u", debug->globals.len ? ", " : "", number);
  Declare made = {global, arena_printf(g->c->unit, ", !dbg !%u", number)};
  vec_push(g->c->unit, &debug->declares, made);
}

const char *gen_debug_declared(Gen *g, LLVMValueRef address)
{
  if (!g->debug) return NULL;
  Debug *debug = g->debug;
  for (uint32_t i = 0; i < debug->declares.count; ++i) {
    uint32_t at = (debug->declare_cursor + i) % debug->declares.count;
    if (debug->declares.at[at].address != address) continue;
    debug->declare_cursor = at + 1; /* they are usually looked up in their order */
    return debug->declares.at[at].text;
  }
  return NULL;
}

void gen_debug_variable(Gen *g, const Node *decl, Slot *slot, unsigned argument)
{
  if (!gen_debug_is_full(g) || g->state->inline_depth || !decl->name || !decl->type) return;
  Known type = type_of(g, decl->type);
  if (!type.node) return;
  bool is_global = slot->kind == SLOT_memory && LLVMIsAGlobalVariable(slot->value);
  if (is_global && !gen_debug_declared(g, slot->value)) {
    declare_shared(g, decl, slot->value, type);
    return;
  }
  LLVMValueRef address = slot->value;
  if (slot->kind != SLOT_memory) {
    address = gen_alloca(g, decl->type, decl->name->text);
  } else if (decl->kind == NODE_shared) {
    address = gen_alloca(g, g->c->types->type_u64, decl->name->text);
    LLVMValueRef generic = LLVMBuildAddrSpaceCast(g->builder, slot->value, g->ptr, "");
    LLVMBuildStore(g->builder, generic, address);
  }
  if (slot->kind == SLOT_view) LLVMBuildStore(g->builder, gen_view_value(g, slot->view), address);
  if (slot->kind == SLOT_value) {
    Place place = {address, SPACE_GENERIC, decl->type, false, NULL};
    gen_store(g, &place, slot->value);
    *slot = (Slot){.kind = SLOT_memory, .value = address};
  }
  declare(g, decl, address, type, argument);
}
