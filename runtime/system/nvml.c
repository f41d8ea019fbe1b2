/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvml.c - loads NVML at its first use, and translates its errors. */
#include "nvml.h"

#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static Nvml nvml;
static once_flag nvml_once = ONCE_FLAG_INIT;
static char nvml_why[512]; /* why it could not be loaded; empty if it was */

/* The names of the members of Nvml, in their order. */
static const char functions[] = {
#define NVML_FN(name, parameters) #name "\0"
#include "nvml.def"
    "nvmlErrorString"};

static const char *text_of(const Nvml *self, NvmlResult result)
{
  const char *text = self->nvmlErrorString ? self->nvmlErrorString(result) : NULL;
  return text ? text : "unknown error";
}

static void open_library(void)
{
  Arena scratch = {0};
  Buf why = BUF(&scratch);
  const char *own = getenv("CK_LIBNVML");
  const char *names[] = {own && *own ? own : "libnvidia-ml.so.1", NULL};
  void *library = dl_open(names, NULL, &why);
  if (!library) {
    snprintf(nvml_why, sizeof nvml_why, "NVML is not installed: %s", buf_text(&why));
    arena_free(&scratch);
    return;
  }
  dl_fill(library, functions, (void **)(void *)&nvml, sizeof nvml / sizeof(void *));
  NvmlResult result = nvml.nvmlInit_v2 ? nvml.nvmlInit_v2() : NVML_function_not_found;
  if (result != NVML_success)
    snprintf(nvml_why, sizeof nvml_why, "NVML does not start: %s (%d) from nvmlInit_v2",
             text_of(&nvml, result), (int)result);
  log_line(LOG_driver, "open %s: %s", names[0], *nvml_why ? nvml_why : "ok");
  arena_free(&scratch);
}

ck_status_t nvml_open(const Nvml **out_nvml)
{
  *out_nvml = NULL;
  call_once(&nvml_once, open_library);
  if (*nvml_why) return error_set(CK_UNAVAILABLE, "%s", nvml_why);
  *out_nvml = &nvml;
  return CK_OK;
}

/* Maps an NVML error to what the caller can do about it. */
static ck_status_t status_of(NvmlResult result)
{
  enum { GPU_IS_LOST = 15, RESET_REQUIRED = 16 };
  switch ((int)result) {
  case NVML_invalid_argument: return CK_INVALID_ARGUMENT;
  case NVML_not_supported:
  case NVML_no_permission:
  case NVML_function_not_found:
  case NVML_argument_version_mismatch: return CK_UNSUPPORTED;
  case NVML_not_found:
  case NVML_gpu_not_found: return CK_NOT_FOUND;
  case NVML_driver_not_loaded:
  case NVML_library_not_found:
  case GPU_IS_LOST:
  case RESET_REQUIRED: return CK_UNAVAILABLE;
  case NVML_memory: return CK_OUT_OF_MEMORY;
  case NVML_timeout: return CK_NOT_READY;
  default: return CK_DRIVER;
  }
}

ck_status_t nvml_report(const Nvml *self, NvmlResult result, const char *what,
                        NvmlFunction function)
{
  return error_set(status_of(result), "%s: %s (%d) from %s", what, text_of(self, result),
                   (int)result, strings_at(functions, function));
}
