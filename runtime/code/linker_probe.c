/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* linker_probe.c - checks whether LTO-IR, fatbins, objects and libraries match CK's declarations of
 * their functions.
 *
 * These forms can't be read: NVIDIA's LTO-IR is encrypted, and the others may contain it. When
 * nvJitLink links LTO-IR of CK and of CUDA C++, it does not compare parameters, so a call with
 * wrong parameters reads undefined values. With PTX it does compare them. So the unreadable pieces
 * are linked once more, with PTX that declares what CK declares:
 *
 *   import fn other(x: f32) -> f32;      .extern .func (.param .b32 r) other(.param .b32 p0);
 *                                        .visible .entry ck_probe_calls() { ... call other; }
 *   export fn back(n: i32) { ... }       .visible .func back(.param .b32 p0) { ret; }
 *   kernel k(...) { ... }                .visible .entry k() { ret; }
 *
 * nvJitLink's messages about these names are the mismatches. It drops a function of LTO-IR that no
 * kernel there calls, unless some LTO-IR calls an undefined function; a piece that libNVVM makes
 * has such a call. So this link always fails, and its output is not used. It runs in a child
 * process, since nvJitLink may crash: concurrently with the real link if that would not report
 * mismatches, otherwise after it if it crashed, to find the name.
 */
#include <string.h>

#include "core/json.h"
#include "linker.h"

#define UNKNOWN "ck_probe_unknown"

bool probe_is_needed(const LinkProbe *probe)
{
  bool has_own = false, has_unread = false;
  for (uint32_t i = 0; i < probe->count; ++i) {
    const LinkPiece *piece = &probe->pieces[i];
    has_unread |= piece->is_unread;
    has_own |= !piece->is_foreign && piece->kind == CK_LINK_LTOIR;
  }
  return has_own && has_unread;
}

/* CK's declaration of a name. */
typedef struct Said {
  const char *name, *piece;
  const char *type;      /* "fn(f32)"; NULL for a kernel */
  const char *signature; /* "(.b32) -> ()" */
  bool is_imported;
} Said;

typedef struct SaidList {
  Said *at;
  uint32_t count, room;
} SaidList;

/* Adds a declaration, once for each name: definitions before calls. */
static void say(Names *names, SaidList *list, Said said)
{
  Name *name =
      /* Cast: `bound` is for the table's user. */
      (Name *)(uintptr_t)name_of(names, said.name, strlen(said.name));
  if (name->bound) return;
  name->bound = name;
  vec_push(names->arena, list, said);
}

static void say_functions(Names *names, SaidList *list, const LinkPiece *piece, yyjson_val *root,
                          bool is_imported)
{
  yyjson_arr_iter items = yyjson_arr_iter_with(yyjson_obj_get(root, "functions"));
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
    Said said = {.name = yyjson_get_str(yyjson_obj_get(item, "name")),
                 .piece = piece->name,
                 .type = yyjson_get_str(yyjson_obj_get(item, "type")),
                 .is_imported = is_imported};
    if (yyjson_is_true(yyjson_obj_get(item, "imported")) != is_imported) continue;
    if (said.type) said.signature = link_signature(names->arena, said.type);
    if (said.name && *said.name && said.signature) say(names, list, said);
  }
}

static void say_kernels(Names *names, SaidList *list, const LinkPiece *piece, yyjson_val *root)
{
  yyjson_arr_iter items = yyjson_arr_iter_with(yyjson_obj_get(root, "kernels"));
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
    const Said said = {.name = yyjson_get_str(yyjson_obj_get(item, "symbol")),
                       .piece = piece->name};
    if (said.name && *said.name) say(names, list, said);
  }
}

static SaidList collect(const LinkProbe *probe, Arena *arena)
{
  SaidList list = {0};
  Names names;
  names_init(&names, arena);
  for (int is_imported = 0; is_imported < 2; ++is_imported)
    for (uint32_t i = 0; i < probe->count; ++i) {
      const LinkPiece *piece = &probe->pieces[i];
      Buf why = BUF(arena);
      if (!piece->json || piece->is_foreign) continue;
      yyjson_val *root = json_parse(arena, piece->json, strlen(piece->json), &why);
      if (!root) continue;
      if (!is_imported) say_kernels(&names, &list, piece, root);
      say_functions(&names, &list, piece, root, is_imported);
    }
  return list;
}

/* ---- the piece of PTX ---- */

/* Writes the parameters of "(.b32,.b64) -> (.b32)" as declarations; returns how many. */
static unsigned put_params(Buf *out, const char *signature, const char *between)
{
  unsigned count = 0;
  for (const char *at = signature + 1; *at && *at != ')'; at += strspn(at, ",")) {
    size_t len = strcspn(at, ",)");
    buf_printf(out, "%s.param %.*s p%u", count ? between : "", (int)len, at, count);
    at += len;
    ++count;
  }
  return count;
}

/* The result type of a signature, ".b32"; NULL: none. */
static const char *result_of(const char *signature, int *out_len)
{
  const char *result = strstr(signature, "-> (") + strlen("-> (");
  *out_len = (int)strcspn(result, ")");
  return *out_len ? result : NULL;
}

static void put_head(Buf *out, const Said *said, const char *linkage, const char *end)
{
  int len;
  const char *result = result_of(said->signature, &len);
  buf_printf(out, "%s .func ", linkage);
  if (result) buf_printf(out, "(.param %.*s r) ", len, result);
  buf_printf(out, "%s(", said->name);
  put_params(out, said->signature, ", ");
  buf_printf(out, ")%s\n", end);
}

static void put_call(Buf *out, const Said *said)
{
  int len;
  const char *result = result_of(said->signature, &len);
  buf_puts(out, "{ ");
  if (result) buf_printf(out, ".param %.*s r; ", len, result);
  unsigned count = put_params(out, said->signature, "; ");
  buf_printf(out, "%scall.uni %s%s, (", count ? "; " : "", result ? "(r), " : "", said->name);
  for (unsigned i = 0; i < count; ++i) buf_printf(out, "%sp%u", i ? ", " : "", i);
  buf_puts(out, "); }\n");
}

static void put_ptx(Buf *out, const SaidList *list)
{
  buf_puts(out, ".version 6.3\n.target sm_75\n.address_size 64\n");
  for (uint32_t i = 0; i < list->count; ++i) {
    const Said *said = &list->at[i];
    if (!said->type) buf_printf(out, ".visible .entry %s() { ret; }\n", said->name);
    else if (said->is_imported) put_head(out, said, ".extern", ";");
    else put_head(out, said, ".visible", " { ret; }");
  }
  buf_puts(out, ".visible .entry ck_probe_calls()\n{\n");
  for (uint32_t i = 0; i < list->count; ++i)
    if (list->at[i].is_imported) put_call(out, &list->at[i]);
  buf_puts(out, "ret;\n}\n");
}

/* ---- the piece of LTO-IR ---- */

static const char unknown_ir[] =
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-"
    "f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n"
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "declare void @" UNKNOWN "()\n"
    "define void @ck_probe_kernel() { call void @" UNKNOWN "() ret void }\n"
    "@llvm.used = appending global [1 x i8*] [i8* bitcast (void ()* @ck_probe_kernel to i8*)], "
    "section \"llvm.metadata\"\n"
    "!nvvm.annotations = !{!0}\n"
    "!0 = !{void ()* @ck_probe_kernel, !\"kernel\", i32 1}\n"
    "!nvvmir.version = !{!1}\n"
    "!1 = !{i32 2, i32 0}\n";

/* ---- the link ---- */

static void put_log(const NvJitLink *library, void *link, Buf *out)
{
  size_t bytes = 0;
  if (library->nvJitLinkGetErrorLogSize(link, &bytes) || bytes <= 1) return;
  char *log = arena_alloc(out->arena, bytes + 1);
  if (!library->nvJitLinkGetErrorLog(link, log)) buf_puts(out, log);
}

/* Runs in the child. Its output to standard error is read as well. */
static void work(void *user, Buf *out)
{
  const LinkProbe *probe = user;
  NvJitLink anew;
  const NvJitLink *library = probe->library;
  if (!library && !nvjitlink_open_anew(&anew)) return;
  if (!library) library = &anew;
  Buf ptx = BUF(out->arena), ltoir = BUF(out->arena);
  const SaidList list = collect(probe, out->arena);
  const char *options[] = {arena_printf(out->arena, "-arch=%s", probe->target), "-lto", "-O0",
                           "-no-cache"};
  void *link = NULL;
  put_ptx(&ptx, &list);
  nvvm_make_ltoir(unknown_ir, sizeof unknown_ir - 1, probe->target, &ltoir);
  if (library->nvJitLinkCreate(&link, COUNT_OF(options), options)) {
    link = NULL; /* an old version has no such option */
    if (library->nvJitLinkCreate(&link, COUNT_OF(options) - 1, options)) return;
  }
  int result = library->nvJitLinkAddData(link, NVJITLINK_INPUT_ptx, ptx.data, ptx.len, "ck");
  if (!result && ltoir.len)
    result = library->nvJitLinkAddData(link, NVJITLINK_INPUT_ltoir, ltoir.data, ltoir.len, "ck2");
  for (uint32_t i = 0; !result && i < probe->count; ++i) {
    const LinkPiece *piece = &probe->pieces[i];
    if (piece->is_unread)
      result = library->nvJitLinkAddData(link, link_kind_of_nvjitlink(piece->kind), piece->data,
                                         piece->bytes, piece->name);
  }
  if (!result) library->nvJitLinkComplete(link);
  put_log(library, link, out);
}

bool probe_start(LinkProbe *probe)
{
  nvvm_open(NULL); /* once here, so that children inherit it */
  return child_start(&probe->child, work, probe);
}

/* ---- the answer ---- */

static const struct {
  char words[28], means[56];
  bool is_of_kernels; /* also of kernels */
} phrases[] = {
    {"Prototype doesn't match", "has other parameters or another result", false},
    {"Memory space doesn't match", "is a variable", true},
    {"Size doesn't match", "is a variable", true},
    {"not declared __global__", "is a kernel on one side, and a function on the other", true}};

/* The name of the unreadable piece; NULL: there are several. */
static const char *other_piece(const LinkProbe *probe)
{
  const char *name = NULL;
  for (uint32_t i = 0; i < probe->count; ++i) {
    if (!probe->pieces[i].is_unread) continue;
    if (name) return NULL;
    name = probe->pieces[i].name;
  }
  return name;
}

static ck_status_t judge_line(const LinkProbe *probe, const SaidList *list, const char *line)
{
  const char *blank = strstr(line, " '"), *start = blank ? blank + 1 : NULL;
  const char *end = start ? strchr(start + 1, '\'') : NULL;
  const char *piece = other_piece(probe);
  for (size_t k = 0; end && k < COUNT_OF(phrases); ++k) {
    if (!strstr(line, phrases[k].words)) continue;
    for (uint32_t i = 0; i < list->count; ++i) {
      const Said *said = &list->at[i];
      size_t len = strlen(said->name);
      if (len != (size_t)(end - start - 1) || strncmp(start + 1, said->name, len)) continue;
      if (!said->type && !phrases[k].is_of_kernels) continue;
      return error_set(CK_COMPILE, "'%s' %s%s%s: '%s' says %s", said->name, phrases[k].means,
                       piece ? " in " : "", piece ? piece : "", said->piece,
                       said->type ? said->type : "that it is a kernel");
    }
  }
  return CK_OK;
}

ck_status_t probe_finish(LinkProbe *probe, Arena *scratch)
{
  Buf text = BUF(scratch), said = BUF(scratch);
  ChildEnd end;
  child_finish(&probe->child, &text, &said, &end); /* its output before a crash counts too */
  buf_puts(&text, "\n");
  buf_puts(&text, buf_text(&said));
  const SaidList list = collect(probe, scratch);
  for (const char *at = buf_text(&text); *at; at += strcspn(at, "\n"), at += *at == '\n')
    CK_TRY(judge_line(probe, &list, arena_strndup(scratch, at, strcspn(at, "\n"))));
  return CK_OK;
}
