/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* explain.c - ckc explain: what a message means. The ids are those of the compiler's table; the
 * pages are libckc's. */
#include <string.h>

#include "ckc.h"
#include "diag.h"

static const struct {
  const char *id, *format;
  Severity severity;
} rows[] = {
#define DIAG(id, severity, format) {#id, format, SEVERITY_##severity},
#include "diag.def"
};

static Exit list_all(void)
{
  for (size_t i = 0; i < COUNT_OF(rows); ++i)
    if (rows[i].severity == SEVERITY_ERROR) printf("%-20s %s\n", rows[i].id, rows[i].format);
  return EXIT_OK;
}

Exit explain_command(const Options *options)
{
  if (options->words.count == 0) return list_all();
  if (options->words.count > 1)
    return fail(EXIT_USAGE, "one id at a time; '%s' is the second", options->words.at[1]);
  const char *id = options->words.at[0], *names[COUNT_OF(rows)], *format = NULL;
  if (id[0] == '[') id = arena_strndup(options->arena, id + 1, strcspn(id + 1, "]"));
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    names[i] = rows[i].id;
    if (!strcmp(id, rows[i].id)) format = rows[i].format;
  }
  if (!format)
    return fail(EXIT_USAGE, "there is no message '%s'%s", id,
                did_you_mean(options->arena, id, names, COUNT_OF(rows)));
  const Compiler *compiler = compiler_load(options->arena);
  if (!compiler) return EXIT_ENVIRONMENT;
  const char *page = compiler->ck_explain(id);
  printf("%s: %s\n", id, format);
  if (page) printf("\n%s", page);
  return EXIT_OK;
}
