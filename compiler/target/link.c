/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* link.c - makes a cubin from PTX by nvJitLink.
 *
 * needs   c->ptx
 * gives   c->object; c->resources, and the manifest with them
 * keeps   c->ptx
 * fails   with DIAG_nvjitlink_failed and nvJitLink's log
 */
#include "check/check.h"
#include "front/target.h"
#include "nvidia.h"
#include "target/target.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool link_is_available(void)
{
  return nvjitlink_open(NULL) != NULL;
}

static const char *link_log(Session *c, const NvJitLink *library, void *link)
{
  size_t bytes = 0;
  if (library->nvJitLinkGetErrorLogSize(link, &bytes) || bytes <= 1) return "no reason is given";
  char *text = arena_alloc(c->unit, bytes + 1);
  library->nvJitLinkGetErrorLog(link, text);
  while (*text && strchr("\n ", text[strlen(text) - 1])) text[strlen(text) - 1] = 0;
  return text;
}

/* ---- the resources of kernels, read from ptxas's output ----
 *
 *   ptxas info    : Compiling entry function 'k' for 'sm_90'
 *   ptxas info    : Function properties for k
 *   ptxas         .     8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
 *   ptxas info    : Used 40 registers, used 1 barriers, 1200 bytes smem
 */

/* The number in front of `unit`, or 0. */
static uint32_t number_of(const char *line, const char *unit)
{
  const char *p = strstr(line, unit);
  if (!p) return 0;
  while (p > line && p[-1] == ' ') --p;
  while (p > line && p[-1] >= '0' && p[-1] <= '9') --p;
  return (uint32_t)strtoul(p, NULL, 10);
}

static const Node *kernel_named(Session *c, const char *symbol)
{
  for (uint32_t i = 0; i < c->kernels.count; ++i)
    if (!strcmp(kernel_symbol(c, c->kernels.at[i]), symbol)) return c->kernels.at[i];
  return NULL;
}

static void read_resources(Session *c, const char *log)
{
  static const char entry[] = "Compiling entry function '", properties[] = "properties for ";
  Resources *now = NULL;
  bool is_own = false; /* the properties are the kernel's, not those of a function that it calls */
  for (const char *at = log, *p; *at; at += strcspn(at, "\n"), at += *at == '\n') {
    const char *line = arena_strndup(&c->scratch, at, strcspn(at, "\n"));
    if ((p = strstr(line, entry))) {
      p += strlen(entry);
      Resources row = {.kernel = kernel_named(c, arena_strndup(&c->scratch, p, strcspn(p, "'")))};
      now = NULL;
      if (!row.kernel) continue;
      vec_push(c->unit, &c->resources, row);
      now = &c->resources.at[c->resources.count - 1];
    } else if (now && (p = strstr(line, properties))) {
      is_own = !strcmp(p + strlen(properties), kernel_symbol(c, now->kernel));
    } else if (now && is_own && strstr(line, "bytes stack frame")) {
      now->local_bytes = number_of(line, "bytes stack frame");
      now->spill_store_bytes = number_of(line, "bytes spill stores");
      now->spill_load_bytes = number_of(line, "bytes spill loads");
    } else if (now && strstr(line, "Used ")) {
      now->registers = number_of(line, "registers");
      now->barriers = number_of(line, "barriers");
      now->shared_bytes = number_of(line, "bytes smem");
    }
  }
}

static void write_report(Session *c)
{
  if (!c->resources.count) return;
  buf_printf(&c->report, "%-24s %-8s %9s %8s %8s %8s\n", "kernel", "target", "registers", "shared",
             "local", "spilled");
  for (uint32_t i = 0; i < c->kernels.count; ++i) /* in the program's order, not the linker's */
    for (uint32_t k = 0; k < c->resources.count; ++k) {
      const Resources *row = &c->resources.at[k];
      if (row->kernel != c->kernels.at[i]) continue;
      /* of static variables; the launch gives the dynamic size */
      uint64_t bytes = row->shared_bytes;
      if (shared_is_large(c, row->kernel)) bytes += shared_bytes(c, row->kernel);
      uint32_t most = kernel_limit(row->kernel, "registers");
      const char *registers = most ? arena_printf(&c->scratch, "%u of %u", row->registers, most)
                                   : arena_printf(&c->scratch, "%u", row->registers);
      buf_printf(&c->report, "%-24s %-8s %9s %8" PRIu64 " %8u %8u\n", row->kernel->name->text,
                 c->target->name, registers, bytes, row->local_bytes,
                 row->spill_store_bytes + row->spill_load_bytes);
    }
}

static void take_resources(Session *c, const NvJitLink *library, void *link)
{
  size_t bytes = 0;
  if (library->nvJitLinkGetInfoLogSize(link, &bytes) || bytes <= 1) return;
  char *text = arena_alloc(&c->scratch, bytes + 1);
  if (library->nvJitLinkGetInfoLog(link, text)) return;
  read_resources(c, text);
  write_report(c);
}

/* ptxas has -Ofast-compile since CUDA 12.9 at the latest; 13.0 is what it was tried with. */
static const char *level_option(const Session *c, const NvJitLink *link)
{
  unsigned major = 0, minor = 0;
  if (c->options.opt_level == CK_OPT_0) return "-O0";
  if (!c->is_quick || !link->nvJitLinkVersion) return "-O3";
  return !link->nvJitLinkVersion(&major, &minor) && major >= 13 ? "-Ofc=max" : "-O3";
}

bool pass_link(Session *c)
{
  const char *why;
  const NvJitLink *link = nvjitlink_open(&why);
  if (!link) {
    buf_printf(&c->log,
               "error: nvJitLink is not found; --emit=ptx needs none, and the driver takes PTX. "
               "Looked at:\n%s",
               why);
    c->is_unavailable = true;
    return false;
  }
  const char *options[8];
  uint32_t count = 0;
  void *handle = NULL;
  options[count++] = arena_printf(&c->scratch, "-arch=%s", c->target->name);
  options[count++] = level_option(c, link);
  options[count++] = "-Xptxas=-v";
  if (c->options.flags & CK_COMPILE_DEBUG) options[count++] = "-g";
  else if (c->options.flags & CK_COMPILE_LINEINFO) options[count++] = "-lineinfo";
  /* nvJitLink's own cache opens the driver, which takes 0.1 to 0.2 s in a process that hasn't done
   * so. The runtime has a cache of all that it compiles (runtime/code/cache.c). */
  options[count++] = "-no-cache";
  int result = link->nvJitLinkCreate(&handle, count, options);
  if (!result)
    result = link->nvJitLinkAddData(handle, NVJITLINK_INPUT_ptx, c->ptx.data, c->ptx.len,
                                    c->source->name);
  if (!result) result = link->nvJitLinkComplete(handle);
  size_t bytes = 0;
  if (!result) result = link->nvJitLinkGetLinkedCubinSize(handle, &bytes);
  if (!result) {
    buf_reserve(&c->object, bytes);
    result = link->nvJitLinkGetLinkedCubin(handle, c->object.data);
    c->object.len = bytes;
    c->object.data[bytes] = 0;
  }
  if (result)
    diag_at(&c->diag, DIAG_nvjitlink_failed, (Span){0, 0},
            handle ? link_log(c, link, handle)
                   : arena_printf(&c->scratch, "result %d for %s", result, options[0]));
  if (!result) take_resources(c, link, handle);
  if (handle) link->nvJitLinkDestroy(&handle);
  return !result;
}
