/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx.c - NVTX 3's side of a program, so that it needs no header of NVIDIA's.
 *
 * The tool's library, which NVTX_INJECTION64_PATH names, is opened by the first call, unless it is
 * in the process already and has InitializeInjectionNvtx2Preinject. Its InitializeInjectionNvtx2 is
 * given a function that hands out tables of slots; it puts its own functions into those that it
 * wants to see called. The layouts are those of NVTX 3.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "nvtx.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

#include "ck/nvtx.h"
#include "object.h"

enum { NVTX_VERSION_NUMBER = 3, COLOR_ARGB = 1, MESSAGE_ASCII = 1 };

typedef struct Event { /* nvtxEventAttributes_t */
  uint16_t version, size;
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type, reserved;
  uint64_t payload;
  int32_t message_type;
  const char *message;
} Event;

_Static_assert(sizeof(Event) == 48, "NVTX's layout");

/* The slots of module CORE2, by their numbers; those of other modules are for the tool alone. */
typedef struct Tool {
  void (*unused)(void);
  void (*mark)(ck_nvtx_domain_t *domain, const Event *event);
  uint64_t (*start)(ck_nvtx_domain_t *domain, const Event *event);
  void (*end)(ck_nvtx_domain_t *domain, uint64_t range);
  int (*push)(ck_nvtx_domain_t *domain, const Event *event);
  int (*pop)(ck_nvtx_domain_t *domain);
  void (*others)(void);
  void (*others_2)(void);
  void (*name_category)(ck_nvtx_domain_t *domain, uint32_t category, const char *name);
  void (*others_3[3])(void);
  ck_nvtx_domain_t *(*create)(const char *name);
  void (*create_wide)(void);
  void (*destroy)(ck_nvtx_domain_t *domain);
  void (*initialize)(const void *reserved);
} Tool;

enum { MODULE_CORE = 1, MODULE_CUDA = 2, MODULE_CORE2 = 5, TABLE_CALLBACKS = 1, TABLE_VERSION = 3 };
enum { CORE_SLOTS = 16, CUDA_SLOTS = 9, CORE2_SLOTS = 16 };
_Static_assert(sizeof(Tool) == CORE2_SLOTS * sizeof(void *), "a slot for each number");

typedef void (*Function)(void);

typedef struct Callbacks { /* NvtxExportTableCallbacks */
  size_t struct_size;
  int (*get_table)(int module, Function ***out_table, unsigned *out_size);
} Callbacks;

typedef struct Version { /* NvtxExportTableVersionInfo */
  size_t struct_size;
  uint32_t version, reserved;
  void (*set_version)(uint32_t version);
} Version;

static Tool tool; /* as the tool fills it in; what it leaves alone is NULL */
static bool is_attached;
static ck_nvtx_domain_t *own_domain; /* of the runtime */
static once_flag once = ONCE_FLAG_INIT;

/* The addresses of a module's slots, by number: the first one is none. */
static int get_table(int module, Function ***out_table, unsigned *out_size)
{
  static Function plain[CORE_SLOTS + CUDA_SLOTS];
  static Function *core[CORE_SLOTS + 1], *cuda[CUDA_SLOTS + 1], *core2[CORE2_SLOTS + 1];
  for (int i = 1; i < CORE_SLOTS; ++i) core[i] = &plain[i];
  for (int i = 1; i < CUDA_SLOTS; ++i) cuda[i] = &plain[CORE_SLOTS + i];
  for (int i = 1; i < CORE2_SLOTS; ++i) core2[i] = (Function *)(void *)&tool + i;
  Function **table = module == MODULE_CORE    ? core
                     : module == MODULE_CUDA  ? cuda
                     : module == MODULE_CORE2 ? core2
                                              : NULL;
  if (!table) return 0;
  if (out_table) *out_table = table;
  if (out_size)
    *out_size = module == MODULE_CORE   ? CORE_SLOTS
                : module == MODULE_CUDA ? CUDA_SLOTS
                                        : CORE2_SLOTS;
  return 1;
}

static void set_version(uint32_t version)
{
  (void)version;
}

static const void *get_export_table(uint32_t which)
{
  static const Callbacks callbacks = {sizeof callbacks, get_table};
  static const Version version = {sizeof version, NVTX_VERSION_NUMBER, 0, set_version};
  if (which == TABLE_CALLBACKS) return &callbacks;
  return which == TABLE_VERSION ? &version : NULL;
}

static void attach(void)
{
  const char *path = getenv("NVTX_INJECTION64_PATH");
  void *library = path && *path ? dlopen(path, RTLD_LAZY) : NULL;
  if (path && *path && !library) return;
  int (*initialize)(const void *(*get)(uint32_t which));
  *(void **)&initialize = library ? dlsym(library, "InitializeInjectionNvtx2")
                                  : dlsym(RTLD_DEFAULT, "InitializeInjectionNvtx2Preinject");
  if (!initialize || !initialize(get_export_table)) {
    if (library) dlclose(library);
    return;
  }
  is_attached = true;
  if (tool.initialize) tool.initialize(NULL);
  if (tool.create) own_domain = tool.create("cokernel");
}

/* 1 without a tool; 2 with one. Read first: call_once is slower. */
static atomic_int state;

static bool has_tool(void)
{
  int now = atomic_load_explicit(&state, memory_order_acquire);
  if (now) return now == 2;
  call_once(&once, attach);
  atomic_store_explicit(&state, is_attached ? 2 : 1, memory_order_release);
  return is_attached;
}

static Event event_of(const char *text, const ck_nvtx_options_t *options)
{
  Event event = {.version = NVTX_VERSION_NUMBER,
                 .size = sizeof event,
                 .message_type = MESSAGE_ASCII,
                 .message = text ? text : ""};
  ck_nvtx_options_t own = {0};
  size_t given = options ? options->struct_size : 0; /* nothing here fails: what is known is read */
  memcpy(&own, options ? options : &own, given < sizeof own ? given : sizeof own);
  event.category = own.category;
  event.color_type = own.color ? COLOR_ARGB : 0;
  event.color = own.color;
  event.payload_type = (int32_t)own.payload;
  event.payload = own.payload ? own.value.u : 0;
  return event;
}

int ck_nvtx_is_attached(void)
{
  return has_tool();
}

ck_nvtx_domain_t *ck_nvtx_domain_create(const char *name)
{
  return has_tool() && tool.create && name ? tool.create(name) : NULL;
}

void ck_nvtx_domain_release(ck_nvtx_domain_t *domain)
{
  if (domain && has_tool() && tool.destroy) tool.destroy(domain);
}

void ck_nvtx_set_category_name(ck_nvtx_domain_t *domain, uint32_t category, const char *name)
{
  if (has_tool() && tool.name_category && name) tool.name_category(domain, category, name);
}

void ck_nvtx_mark(ck_nvtx_domain_t *domain, const char *text, const ck_nvtx_options_t *options)
{
  if (!has_tool() || !tool.mark) return;
  Event event = event_of(text, options);
  tool.mark(domain, &event);
}

void ck_nvtx_push(ck_nvtx_domain_t *domain, const char *text, const ck_nvtx_options_t *options)
{
  if (!has_tool() || !tool.push) return;
  Event event = event_of(text, options);
  tool.push(domain, &event);
}

void ck_nvtx_pop(ck_nvtx_domain_t *domain)
{
  if (has_tool() && tool.pop) tool.pop(domain);
}

uint64_t ck_nvtx_begin(ck_nvtx_domain_t *domain, const char *text, const ck_nvtx_options_t *options)
{
  if (!has_tool() || !tool.start) return 0;
  Event event = event_of(text, options);
  return tool.start(domain, &event);
}

void ck_nvtx_end(ck_nvtx_domain_t *domain, uint64_t range)
{
  if (has_tool() && tool.end) tool.end(domain, range);
}

/* the runtime's own -------------------------------------------------------------------------- */

bool nvtx_begin(const char *verb, const char *what)
{
  char text[160];
  if (!has_tool()) return false;
  snprintf(text, sizeof text, "%s %s", verb, what ? what : "");
  ck_nvtx_push(own_domain, text, NULL);
  return true;
}

void nvtx_end(bool has_begun)
{
  if (has_begun) ck_nvtx_pop(own_domain);
}
