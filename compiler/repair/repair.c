/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* repair.c - chooses the repairs that a compilation needs, and runs them.
 *
 * A row of repair.def has a set of places in the pipeline, one bit for each pass and time, and up
 * to two ranges of versions:
 *
 *     where      bit REPAIR_TIMES * pass + time
 *     toolkits   {TOOL_libnvvm, 13000, 13000}: libNVVM of CUDA 13.0 alone has the bug
 *
 * repairs_choose() reduces the table to the bits of c->repairs. A repair that is not among them
 * costs one test of a bit. A toolkit's version is looked up only for rows whose range ends.
 */
#include "front/target.h"
#include "repair_private.h"

#include <limits.h>
#include <llvm/Config/llvm-config.h>
#include <pthread.h>
#include <string.h>

_Static_assert(REPAIR_COUNT <= 64, "Session.repairs has a bit for each row");
_Static_assert(REPAIR_TIMES *PASS_COUNT <= 64, "so has the set of places");

enum { TOOLS_MAX = 2, FIRST = 0, LAST = INT_MAX };

typedef enum Tool { TOOL_none, TOOL_llvm, TOOL_x86, TOOL_nvptx, TOOL_libnvvm, TOOL_ptxas } Tool;

typedef struct ToolRange {
  Tool tool;
  int first, last;
} ToolRange;

#define AT(pass, when) (UINT64_C(1) << (REPAIR_TIMES * PASS_##pass + REPAIR_##when))
#define BEFORE(pass)   AT(pass, before)
#define BEHIND(pass)   AT(pass, behind)
#define RETRY(pass)    AT(pass, retry)
#define BY(...)                                                                                    \
  {                                                                                                \
    __VA_ARGS__                                                                                    \
  }
#define LLVM(first, last)                                                                          \
  {                                                                                                \
    TOOL_llvm, first, last                                                                         \
  }
#define X86(first, last)                                                                           \
  {                                                                                                \
    TOOL_x86, first, last                                                                          \
  }
#define NVPTX(first, last)                                                                         \
  {                                                                                                \
    TOOL_nvptx, first, last                                                                        \
  }
#define LIBNVVM(first, last)                                                                       \
  {                                                                                                \
    TOOL_libnvvm, first, last                                                                      \
  }
#define PTXAS(first, last)                                                                         \
  {                                                                                                \
    TOOL_ptxas, first, last                                                                        \
  }

static const struct {
  const char *name;
  RepairFunction *run;
  uint64_t where;
  ToolRange tools[TOOLS_MAX];
} rows[] = {
#define REPAIR(name, where, toolkits, text) {#name, repair_##name, where, toolkits},
#include "repair.def"
};

const char *repair_name(RepairId id)
{
  return rows[id].name;
}

static const char all[] = "all";

bool repair_exists(const char *name)
{
  for (size_t i = 0; i < REPAIR_COUNT; ++i)
    if (!strcmp(rows[i].name, name)) return true;
  return !strcmp(name, all);
}

void repair_list(Buf *out)
{
  for (size_t i = 0; i < REPAIR_COUNT; ++i) buf_printf(out, "%s%s", i ? ", " : "", rows[i].name);
}

/* ---- which ones ---- */

/* Versions of the toolkit that was found; 0 if unknown, which counts as a version with the bug. */
static int libnvvm_version, ptxas_version;

static int version_of(ToolkitPart part)
{
  Arena arena = {0};
  ToolkitVersion version = {0};
  const char *path = toolkit_find(part, &arena, NULL);
  bool is_known = path && toolkit_version(path, &arena, &version);
  arena_free(&arena);
  return is_known ? version.number : 0;
}

static void find_versions(void)
{
  libnvvm_version = version_of(TOOLKIT_libnvvm);
  ptxas_version = version_of(TOOLKIT_nvjitlink);
}

/* The version of a tool that makes this compilation's code; 0: not known; -1: it makes none of it.
 * */
static int version_in_use(const Session *c, Tool tool)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  bool is_gpu = c->target->has_ptx, is_nvptx = c->options.backend == CK_BACKEND_NVPTX;
  bool is_used = false;
  switch (tool) {
  case TOOL_none: return -1;
  case TOOL_llvm: is_used = !is_gpu || is_nvptx; break;
  case TOOL_x86: is_used = !is_gpu; break;
  case TOOL_nvptx: is_used = is_gpu && is_nvptx; break;
  case TOOL_libnvvm: is_used = is_gpu && !is_nvptx; break;
  case TOOL_ptxas: is_used = is_gpu; break;
  }
  if (!is_used) return -1;
  if (tool < TOOL_libnvvm) return LLVM_VERSION_MAJOR;
  pthread_once(&once, find_versions);
  if (tool == TOOL_libnvvm) return libnvvm_version;
  return c->options.emit == CK_EMIT_CUBIN ? ptxas_version : 0;
}

static bool has_bug(const Session *c, const ToolRange *range)
{
  int version = version_in_use(c, range->tool);
  return version >= 0 && (!version || (version >= range->first && version <= range->last));
}

static bool is_left_out(const Session *c, const char *name)
{
  for (size_t i = 0; i < c->options.no_repair_count; ++i) {
    const char *given = c->options.no_repairs[i];
    if (!strcmp(given, name) || !strcmp(given, all)) return true;
  }
  return false;
}

void repairs_choose(Session *c)
{
  c->repairs = 0;
  for (unsigned id = 0; id < REPAIR_COUNT; ++id) {
    bool is_needed = false;
    for (unsigned i = 0; i < TOOLS_MAX; ++i) is_needed |= has_bug(c, &rows[id].tools[i]);
    if (is_needed && !is_left_out(c, rows[id].name)) c->repairs |= UINT64_C(1) << id;
  }
}

/* ---- running ---- */

bool repair_is_at(const Session *c, RepairId id, PassId pass, RepairTime when)
{
  uint64_t place = UINT64_C(1) << (REPAIR_TIMES * (unsigned)pass + (unsigned)when);
  return c->repairs >> id & 1 && rows[id].where & place;
}

bool repair_run(Session *c, RepairId id, RepairTime when, const char *why)
{
  Repair repair = {.c = c, .g = c->gen, .when = when, .why = why};
  rows[id].run(&repair);
  return repair.has_changed;
}

bool repairs_retry(Session *c, PassId pass, const char *why)
{
  bool has_changed = false;
  for (RepairId id = 0; id < REPAIR_COUNT; ++id)
    if (repair_is_at(c, id, pass, REPAIR_retry))
      has_changed |= repair_run(c, id, REPAIR_retry, why);
  return has_changed;
}

void repair_dump(Session *c, RepairId id, Buf *out)
{
  if (rows[id].where & BEFORE(repair)) ptx_put(c, out);
  else if (rows[id].where & RETRY(libnvvm)) buf_puts(out, buf_text(&c->ir));
  else gen_dump(c, out);
}
