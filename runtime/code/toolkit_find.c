/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* toolkit_find.c - the public functions that find parts of the CUDA toolkit and check their
 * versions; base/toolkit.c searches, and toolkit_version.c compares. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ck/system.h"
#include "ck/toolkit.h"
#include "core/error.h"

const char *ck_toolkit_part(size_t index)
{
  return index < TOOLKIT_COUNT ? toolkit_part_name((ToolkitPart)index) : NULL;
}

static ck_status_t part_named(const char *name, ToolkitPart *out_part)
{
  for (ToolkitPart part = 0; part < TOOLKIT_COUNT; ++part)
    if (!strcmp(toolkit_part_name(part), name)) {
      *out_part = part;
      return CK_OK;
    }
  return error_argument("the toolkit has no part '%s' that is looked for", name);
}

ck_status_t ck_toolkit_find(const char *part, const char **out_path, const char **out_place)
{
  static _Thread_local char found[4096];
  CK_NEED_OUT(out_path, NULL);
  if (out_place) *out_place = NULL;
  CK_NEED_ARG(part);
  ToolkitPart which = TOOLKIT_COUNT;
  CK_TRY(part_named(part, &which));
  Arena scratch = {0};
  Buf why = BUF(&scratch);
  const char *step, *path = toolkit_locate(which, &scratch, &why, &step);
  ck_status_t status = CK_OK;
  if (path && strlen(path) < sizeof found) {
    *out_path = strcpy(found, path);
    if (out_place) *out_place = step;
  } else {
    status = error_set(CK_NOT_FOUND, "%s is not found. Looked at:\n%s", part, buf_text(&why));
  }
  arena_free(&scratch);
  return status;
}

/* Keeps a text until the next call on this thread. */
static const char *keep(const char *text)
{
  static _Thread_local char kept[4096];
  snprintf(kept, sizeof kept, "%s", text);
  return kept;
}

ck_status_t ck_toolkit_get_version(const char *part, int *out_major, int *out_minor,
                                   const char **out_source)
{
  const char *path;
  if (out_major) *out_major = 0;
  if (out_minor) *out_minor = 0;
  if (out_source) *out_source = NULL;
  CK_NEED_ARG(part);
  CK_TRY(ck_toolkit_find(part, &path, NULL));
  Arena scratch = {0};
  ToolkitVersion version;
  ck_status_t status = CK_OK;
  if (!toolkit_version(path, &scratch, &version))
    status =
        error_set(CK_NOT_FOUND,
                  "%s (%s): no version.json, cuda.h or wheel says of which CUDA it is", part, path);
  if (status == CK_OK && out_major) *out_major = version.number / 1000;
  if (status == CK_OK && out_minor) *out_minor = version.number % 1000 / 10;
  if (status == CK_OK && out_source) *out_source = keep(version.source);
  arena_free(&scratch);
  return status;
}

/* Reads the versions of this machine's driver from NVML; leaves them unset without a driver. */
static void read_driver(ToolkitLimits *limits)
{
  ck_system_versions_t versions;
  if (ck_system_get_versions(&versions) != CK_OK) return;
  limits->driver = versions.cuda;
  if (!limits->branch) limits->branch = atoi(versions.driver);
}

ck_status_t ck_toolkit_check(const ck_toolkit_options_t *options, const char **out_report)
{
  if (out_report) *out_report = "";
  CK_READ_OPTIONS(ck_toolkit_options_t, own, options);
  if (own.flags & ~CK_TOOLKIT_STRICT || own.driver_version < -1 || own.driver_branch < 0 ||
      own.least_version < 0 || own.below_version < 0)
    return error_argument(
        "%s: flags 0x%x, driver %d of branch %d, versions from %d below %d: a version "
        "is a number such as 13000",
        __func__, own.flags, own.driver_version, own.driver_branch, own.least_version,
        own.below_version);
  ToolkitLimits limits = {.driver = own.driver_version > 0 ? own.driver_version : 0,
                          .branch = own.driver_branch,
                          .least = own.least_version,
                          .below = own.below_version,
                          .is_strict = (own.flags & CK_TOOLKIT_STRICT) != 0};
  if (!own.driver_version) read_driver(&limits);
  Arena scratch = {0};
  Buf why = BUF(&scratch), notes = BUF(&scratch);
  ToolkitSurvey survey;
  ck_status_t status = CK_OK;
  toolkit_survey(&scratch, &survey);
  if (toolkit_judge(&survey, &limits, &why, &notes))
    status = error_unsupported("the toolkit's parts do not fit:\n%s", buf_text(&why));
  if (out_report) *out_report = keep(buf_text(&notes));
  arena_free(&scratch);
  return status;
}
