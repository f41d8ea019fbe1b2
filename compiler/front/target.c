/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* target.c - finds the row of target.def for a target's name. */
#include "front/target.h"

#include <stdio.h>
#include <string.h>

enum { TYPED, MODERN, NO = 0, YES = 1 };

static const struct {
  unsigned sm;
  char suffix;
  unsigned ptx;
  int dialect, is_nvptx;
  unsigned shared_kb;
} rows[] = {
#define TARGET(sm, suffix, ptx, dialect, nvptx, kb) {sm, suffix, ptx, dialect, nvptx, kb},
#include "front/target.def"
};

/* "sm_90a" */
static void row_name(size_t row, char out[16])
{
  snprintf(out, 16, "sm_%u%.1s", rows[row].sm, rows[row].suffix ? &rows[row].suffix : "");
}

bool target_named(const char *name, Target *out)
{
  enum { SHARED_BYTES = 48 << 10, HOST_BYTES = 227 << 10, HOST_SM = 80 };
  if (!strcmp(name, "host")) {
    *out = (Target){.name = "host",
                    .is_host = true,
                    .lib_sm = HOST_SM,
                    .triple = "x86_64-pc-linux-gnu",
                    .prefix = "kernel.",
#define TRAIT(trait, of_gpus, of_host, text) .trait = of_host,
#include "front/target.def"
                    .shared_bytes = SHARED_BYTES,
                    .shared_most = HOST_BYTES};
    return true;
  }
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    char row[16];
    row_name(i, row);
    if (strcmp(name, row) != 0) continue;
    *out = (Target){.name = name,
                    .sm = rows[i].sm,
                    .suffix = rows[i].suffix,
                    .ptx = rows[i].ptx,
                    .is_typed = rows[i].dialect == TYPED,
                    .is_nvptx = rows[i].is_nvptx,
                    .lib_sm = rows[i].sm,
                    .triple = "nvptx64-nvidia-cuda",
                    .prefix = "",
#define TRAIT(trait, of_gpus, of_host, text) .trait = of_gpus,
#include "front/target.def"
                    .shared_bytes = SHARED_BYTES,
                    .shared_most = rows[i].shared_kb << 10};
    return true;
  }
  return false;
}

void target_list(Buf *out)
{
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    char row[16];
    row_name(i, row);
    buf_printf(out, "%s%s", i ? ", " : "", row);
  }
}
