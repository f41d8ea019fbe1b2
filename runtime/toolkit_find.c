/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* toolkit_find.c - the toolkit's parts for callers; the search is compiler/base/toolkit.c's. */
#include <stdio.h>
#include <string.h>

#include "error.h"

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
  return error_set(CK_INVALID_ARGUMENT, "the toolkit has no part '%s' that is looked for", name);
}

ck_status_t ck_toolkit_find(const char *part, const char **out_path, const char **out_place)
{
  static _Thread_local char found[4096];
  CK_NEED_ARG(out_path);
  *out_path = NULL;
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
