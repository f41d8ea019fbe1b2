/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx_tool.c - a profiling tool for tests, loaded through NVTX_INJECTION64_PATH: it prints every
 * call that it gets.
 *
 * It declares what it gets by itself, and compares that with NVTX's headers.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <nvtx3/nvToolsExt.h>
_Static_assert(sizeof(nvtxEventAttributes_t) == 48 &&
                   offsetof(nvtxEventAttributes_t, payload) == 24 &&
                   offsetof(nvtxEventAttributes_t, message) == 40 && NVTX_VERSION == 3,
               "NVTX's events");
_Static_assert(NVTX_CBID_CORE2_DomainCreateA == 12 && NVTX_CBID_CORE2_SIZE == 16 &&
                   NVTX_CBID_CORE_SIZE == 16 && NVTX_CBID_CUDA_SIZE == 9 &&
                   NVTX_CB_MODULE_CORE2 == 5 && NVTX_ETID_CALLBACKS == 1,
               "NVTX's numbers");

#define PUBLIC __attribute__((visibility("default")))

typedef struct Event {
  uint16_t version, size;
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type, reserved;
  uint64_t payload;
  int32_t message_type;
  const char *message;
} Event;

typedef void (*Function)(void);
typedef struct Callbacks {
  size_t struct_size;
  int (*get_table)(int module, Function ***out_table, unsigned *out_size);
} Callbacks;

static char record[4096];

PUBLIC const char *nvtx_tool_record(void);
const char *nvtx_tool_record(void)
{
  return record;
}

PUBLIC void nvtx_tool_clear(void);
void nvtx_tool_clear(void)
{
  *record = 0;
}

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
  size_t len = strlen(record);
  va_list values;
  va_start(values, format);
  vsnprintf(record + len, sizeof record - len, format, values);
  va_end(values);
}

static void put_event(const char *what, void *domain, const Event *event)
{
  put("%s %d '%s'", what, (int)(intptr_t)domain,
      event->version == 3 && event->size == 48 && event->message_type == 1 ? event->message : "?");
  if (event->color_type) put(" color %x", event->color);
  if (event->category) put(" category %u", event->category);
  if (event->payload_type)
    put(" payload %d %llx", event->payload_type, (unsigned long long)event->payload);
  put("\n");
}

static void mark(void *domain, const Event *event)
{
  put_event("mark", domain, event);
}

static uint64_t start(void *domain, const Event *event)
{
  put_event("start", domain, event);
  return 77;
}

static void end(void *domain, uint64_t range)
{
  put("end %d %d\n", (int)(intptr_t)domain, (int)range);
}

static int push(void *domain, const Event *event)
{
  put_event("push", domain, event);
  return 0;
}

static int pop(void *domain)
{
  put("pop %d\n", (int)(intptr_t)domain);
  return 0;
}

static void name_category(void *domain, uint32_t category, const char *name)
{
  put("category %d %u '%s'\n", (int)(intptr_t)domain, category, name);
}

static void *create(const char *name)
{
  static intptr_t last;
  put("create '%s' %d\n", name, (int)++last);
  return (void *)last;
}

static void destroy(void *domain)
{
  put("destroy %d\n", (int)(intptr_t)domain);
}

PUBLIC int InitializeInjectionNvtx2(const void *(*get_export_table)(uint32_t which));
int InitializeInjectionNvtx2(const void *(*get_export_table)(uint32_t which))
{
  const Callbacks *callbacks = get_export_table(1);
  Function **table;
  unsigned size;
  if (!callbacks || callbacks->struct_size < sizeof *callbacks) return 0;
  if (!get_export_table(3) || get_export_table(2)) return 0;
  for (int module = 1; module <= 2; ++module)
    if (!callbacks->get_table(module, &table, &size) || size < 9 || table[0]) return 0;
  if (!callbacks->get_table(5, &table, &size)) return 0;
  if (size != 16 || table[0]) return 0;
  *table[1] = (Function)mark;
  *table[2] = (Function)start;
  *table[3] = (Function)end;
  *table[4] = (Function)push;
  *table[5] = (Function)pop;
  *table[8] = (Function)name_category;
  *table[12] = (Function)create;
  *table[14] = (Function)destroy;
  return 1;
}
