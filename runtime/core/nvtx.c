/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx.c - marks and ranges of time for tools, by NVTX 3's headers (vendor/nvtx3).
 *
 * The headers are the whole of NVTX: the first call opens the library of the tool, which
 * NVTX_INJECTION64_PATH names, and lets it put its functions into a table. A function that the tool
 * doesn't put there stays NULL, so that a call without a tool is a load and a comparison.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT, which the headers use */
#include "nvtx.h"

#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <threads.h>

#include "ck/nvtx.h"
#include "object.h"

_Static_assert((int)CK_NVTX_U64 == NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 &&
                   (int)CK_NVTX_I64 == NVTX_PAYLOAD_TYPE_INT64 &&
                   (int)CK_NVTX_F64 == NVTX_PAYLOAD_TYPE_DOUBLE,
               "the numbers of the public enumeration are NVTX's");

static bool is_attached;
static nvtxDomainHandle_t own_domain; /* of the runtime */
static once_flag once = ONCE_FLAG_INIT;

/* NVTX doesn't say whether there is a tool: one that shows anything takes marks or ranges. */
static void attach(void)
{
  nvtxInitialize(NULL);
  is_attached = nvtxGlobals_v3.nvtxDomainMarkEx_impl_fnptr ||
                nvtxGlobals_v3.nvtxDomainRangePushEx_impl_fnptr ||
                nvtxGlobals_v3.nvtxDomainRangeStartEx_impl_fnptr;
  if (is_attached) own_domain = nvtxDomainCreateA("cokernel");
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

static nvtxDomainHandle_t native(ck_nvtx_domain_t *domain)
{
  return (nvtxDomainHandle_t)domain;
}

static nvtxEventAttributes_t event_of(const char *text, const ck_nvtx_options_t *options)
{
  nvtxEventAttributes_t event = {.version = NVTX_VERSION,
                                 .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                 .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                 .message.ascii = text ? text : ""};
  ck_nvtx_options_t own = {0};
  size_t given = options ? options->struct_size : 0; /* nothing here fails: what is known is read */
  memcpy(&own, options ? options : &own, given < sizeof own ? given : sizeof own);
  event.category = own.category;
  event.colorType = own.color ? NVTX_COLOR_ARGB : NVTX_COLOR_UNKNOWN;
  event.color = own.color;
  event.payloadType = (int32_t)own.payload;
  event.payload.ullValue = own.payload ? own.value.u : 0;
  return event;
}

int ck_nvtx_is_attached(void)
{
  return has_tool();
}

ck_nvtx_domain_t *ck_nvtx_domain_create(const char *name)
{
  return has_tool() && name ? (ck_nvtx_domain_t *)nvtxDomainCreateA(name) : NULL;
}

void ck_nvtx_domain_release(ck_nvtx_domain_t *domain)
{
  if (domain && has_tool()) nvtxDomainDestroy(native(domain));
}

void ck_nvtx_set_category_name(ck_nvtx_domain_t *domain, uint32_t category, const char *name)
{
  if (has_tool() && name) nvtxDomainNameCategoryA(native(domain), category, name);
}

void ck_nvtx_mark(ck_nvtx_domain_t *domain, const char *text, const ck_nvtx_options_t *options)
{
  if (!has_tool()) return;
  nvtxEventAttributes_t event = event_of(text, options);
  nvtxDomainMarkEx(native(domain), &event);
}

void ck_nvtx_push(ck_nvtx_domain_t *domain, const char *text, const ck_nvtx_options_t *options)
{
  if (!has_tool()) return;
  nvtxEventAttributes_t event = event_of(text, options);
  nvtxDomainRangePushEx(native(domain), &event);
}

void ck_nvtx_pop(ck_nvtx_domain_t *domain)
{
  if (has_tool()) nvtxDomainRangePop(native(domain));
}

uint64_t ck_nvtx_begin(ck_nvtx_domain_t *domain, const char *text, const ck_nvtx_options_t *options)
{
  if (!has_tool()) return 0;
  nvtxEventAttributes_t event = event_of(text, options);
  return nvtxDomainRangeStartEx(native(domain), &event);
}

void ck_nvtx_end(ck_nvtx_domain_t *domain, uint64_t range)
{
  if (has_tool()) nvtxDomainRangeEnd(native(domain), range);
}

/* the runtime's own -------------------------------------------------------------------------- */

bool nvtx_begin(const char *verb, const char *what)
{
  char text[160];
  if (!has_tool()) return false;
  snprintf(text, sizeof text, "%s %s", verb, what ? what : "");
  ck_nvtx_push((ck_nvtx_domain_t *)own_domain, text, NULL);
  return true;
}

void nvtx_end(bool has_begun)
{
  if (has_begun) ck_nvtx_pop((ck_nvtx_domain_t *)own_domain);
}
