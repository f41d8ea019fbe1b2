/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvidia.c - opens NVIDIA's compiler libraries once per process, where toolkit.c finds them.
 *
 * Each library is a table of functions (nvidia.h), filled from the rows of a .def file. A function
 * that an old version lacks is NULL if its row says OPTIONAL. CUDA 12's nvJitLink has versioned
 * names, which are tried from the newest on.
 */
#define _GNU_SOURCE /* memfd_create */
#include "nvidia.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

/* The functions of each library: a mark, NEEDED or OPTIONAL, and the name. */
#define NEEDED   "!"
#define OPTIONAL "?"

static const char nvvm_symbols[] = {
#define NVVM_FN(result, name, parameters, need) need #name "\0"
#include "libnvvm.def"
};

static const char nvjitlink_symbols[] = {
#define NVJITLINK_FN(name, parameters, need) need #name "\0"
#include "nvjitlink.def"
};

static const char nvrtc_symbols[] = {
#define NVRTC_FN(result, name, parameters, need) need #name "\0"
#include "nvrtc.def"
};

enum { MAX_SYMBOLS = 32 };

/* A library or file that is opened once. */
typedef struct Part {
  pthread_once_t once;
  bool is_open;
  Arena arena;
  Buf why;
} Part;

static Part nvvm_part = {.once = PTHREAD_ONCE_INIT};
static Part nvjitlink_part = {.once = PTHREAD_ONCE_INIT};
static Part nvrtc_part = {.once = PTHREAD_ONCE_INIT};
static Part libdevice_part = {.once = PTHREAD_ONCE_INIT};
static Nvvm nvvm;
static NvJitLink nvjitlink;
static Nvrtc nvrtc;
static char *libdevice;
static size_t libdevice_bytes;

/* Fills a table from the names with `suffix`. Gives the first function that is needed and missing.
 * Optional ones may also have the plain name, as nvJitLinkVersion of CUDA 12.3. */
static const char *fill(Part *part, void *handle, const char *symbols, size_t count,
                        const char *suffix, void *table)
{
  void *functions[MAX_SYMBOLS];
  for (size_t i = 0; i < count; ++i, symbols = strings_next(symbols)) {
    bool is_needed = *symbols == *NEEDED;
    const char *plain = symbols + 1, *name = plain;
    if (*suffix) name = arena_printf(&part->arena, "__%s%s", plain, suffix);
    const char *missing = dl_fill(handle, name, &functions[i], 1);
    if (missing && *suffix && !is_needed) dl_fill(handle, plain, &functions[i], 1);
    if (missing && is_needed) return plain;
  }
  memcpy(table, functions, count * sizeof *functions);
  return NULL;
}

/* CUDA 12's nvJitLink exports one set of names for each version that it supports. */
static const char suffixes[][6] = {"", "_12_9", "_12_8", "_12_6", "_12_4", "_12_3", "_12_0"};

static void open_file(Part *part, ToolkitPart which, const char *path, const char *symbols,
                      size_t count, void *table)
{
  const char *names[] = {path, NULL}, *missing = NULL;
  void *handle = path ? dl_open(names, NULL, &part->why) : NULL;
  if (!handle) return;
  size_t ways = which == TOOLKIT_nvjitlink ? COUNT_OF(suffixes) : 1;
  for (size_t i = 0; i < ways && !part->is_open; ++i) {
    const char *lacks = fill(part, handle, symbols, count, suffixes[i], table);
    part->is_open = !lacks;
    if (!missing) missing = lacks;
  }
  if (!part->is_open) buf_printf(&part->why, "%s: no function %s\n", path, missing);
}

static void open_part(Part *part, ToolkitPart which, const char *symbols, size_t count, void *table)
{
  if (count > MAX_SYMBOLS) die("%zu functions", count);
  part->why = BUF(&part->arena);
  const char *path = toolkit_find(which, &part->arena, &part->why);
  open_file(part, which, path, symbols, count, table);
}

/* Copies a library to memory: the loader takes the copy for another library. */
static int copy_to_memory(const char *path)
{
  int from = open(path, O_RDONLY | O_CLOEXEC), to = memfd_create("library", MFD_CLOEXEC);
  struct stat info;
  bool is_good = from >= 0 && to >= 0 && fstat(from, &info) == 0;
  for (off_t at = 0; is_good && at < info.st_size;)
    is_good = sendfile(to, from, &at, (size_t)(info.st_size - at)) > 0;
  if (from >= 0) close(from);
  if (is_good || to < 0) return to;
  close(to);
  return -1;
}

bool nvjitlink_open_anew(NvJitLink *out)
{
  Part part = {.arena = {0}};
  part.why = BUF(&part.arena);
  const char *path = toolkit_find(TOOLKIT_nvjitlink, &part.arena, &part.why);
  int copy = path ? copy_to_memory(path) : -1;
  if (copy < 0) return false;
  open_file(&part, TOOLKIT_nvjitlink, arena_printf(&part.arena, "/proc/self/fd/%d", copy),
            nvjitlink_symbols, sizeof(NvJitLink) / sizeof(void *), out);
  close(copy);
  return part.is_open;
}

static void open_nvvm(void)
{
  open_part(&nvvm_part, TOOLKIT_libnvvm, nvvm_symbols, sizeof(Nvvm) / sizeof(void *), &nvvm);
}

static void open_nvjitlink(void)
{
  open_part(&nvjitlink_part, TOOLKIT_nvjitlink, nvjitlink_symbols,
            sizeof(NvJitLink) / sizeof(void *), &nvjitlink);
}

static void open_nvrtc(void)
{
  open_part(&nvrtc_part, TOOLKIT_nvrtc, nvrtc_symbols, sizeof(Nvrtc) / sizeof(void *), &nvrtc);
}

static void open_libdevice(void)
{
  Part *part = &libdevice_part;
  part->why = BUF(&part->arena);
  const char *path = toolkit_find(TOOLKIT_libdevice, &part->arena, &part->why);
  if (path && !file_read(&part->arena, path, FILE_REGULAR, &libdevice, &libdevice_bytes))
    buf_printf(&part->why, "%s: %s\n", path, file_why(errno));
}

static bool is_open(Part *part, void (*open)(void), const char **out_why)
{
  MemoryEscape *escape = memory_escape_suspend();
  pthread_once(&part->once, open);
  memory_escape_resume(escape);
  if (out_why) *out_why = buf_text(&part->why);
  return part->is_open;
}

const Nvvm *nvvm_open(const char **out_why)
{
  return is_open(&nvvm_part, open_nvvm, out_why) ? &nvvm : NULL;
}

const NvJitLink *nvjitlink_open(const char **out_why)
{
  return is_open(&nvjitlink_part, open_nvjitlink, out_why) ? &nvjitlink : NULL;
}

const Nvrtc *nvrtc_open(const char **out_why)
{
  return is_open(&nvrtc_part, open_nvrtc, out_why) ? &nvrtc : NULL;
}

const char *libdevice_open(size_t *out_bytes, const char **out_why)
{
  is_open(&libdevice_part, open_libdevice, out_why);
  *out_bytes = libdevice_bytes;
  return libdevice;
}
