/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* explain.c - the long form of a diagnostic, for `ckc explain ID`. */
#include "ck/compile.h"

#include "base.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *id, *cause, *example, *remedy, *right;
} rows[] = {
#define EXPLAIN(id, cause, example, remedy, right) {#id, cause, example, remedy, right},
#include "text/explain.def"
};

/* One buffer for each thread: callers print the text at once. */
static _Thread_local char text[2048];

const char *ck_explain(const char *diagnostic_id)
{
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    if (strcmp(rows[i].id, diagnostic_id) != 0) continue;
    const char *example = rows[i].example, *remedy = rows[i].remedy, *right = rows[i].right;
    snprintf(text, sizeof text, "%s\n%s%s%s%s%s%s%s%s%s", rows[i].cause, *example ? "\n    " : "",
             example, *example ? "\n" : "", *remedy ? "\n" : "", remedy, *remedy ? "\n" : "",
             *right ? "\n    " : "", right, *right ? "\n" : "");
    return text;
  }
  return NULL;
}

const char *ck_diagnostic_id(size_t index)
{
  return index < COUNT_OF(rows) ? rows[index].id : NULL;
}
