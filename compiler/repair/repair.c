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

static bool is_used(const Session *c, Tool tool)
{
  bool is_gpu = c->target->has_ptx, is_nvptx = c->options.backend == CK_BACKEND_NVPTX;
  switch (tool) {
  case TOOL_none: return false;
  case TOOL_llvm: return !is_gpu || is_nvptx;
  case TOOL_x86: return !is_gpu;
  case TOOL_nvptx: return is_gpu && is_nvptx;
  case TOOL_libnvvm: return is_gpu && !is_nvptx;
  case TOOL_ptxas: return is_gpu;
  }
  return false;
}

/* Versions of the toolkit that was found; 0 if unknown. */
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

static void find_libnvvm(void)
{
  libnvvm_version = version_of(TOOLKIT_libnvvm);
}

static void find_ptxas(void)
{
  ptxas_version = version_of(TOOLKIT_nvjitlink);
}

/* Of a tool that is used; 0: nobody knows. Finding a part of the toolkit may open a library of 100
 * MB, so that is done once in a process, and for an output that the part makes. */
static int version_in_use(const Session *c, Tool tool)
{
  static pthread_once_t libnvvm_once = PTHREAD_ONCE_INIT, ptxas_once = PTHREAD_ONCE_INIT;
  if (tool < TOOL_libnvvm) return LLVM_VERSION_MAJOR;
  if (tool == TOOL_libnvvm) pthread_once(&libnvvm_once, find_libnvvm);
  else if (c->options.emit == CK_EMIT_CUBIN) pthread_once(&ptxas_once, find_ptxas);
  else return 0;
  return tool == TOOL_libnvvm ? libnvvm_version : ptxas_version;
}

/* A version that nobody knows counts as one with the bug. */
static bool has_bug(const Session *c, const ToolRange *range)
{
  if (!is_used(c, range->tool)) return false;
  if (range->first == FIRST && range->last == LAST) return true;
  int version = version_in_use(c, range->tool);
  return !version || (version >= range->first && version <= range->last);
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
