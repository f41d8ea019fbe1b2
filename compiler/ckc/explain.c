/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* explain.c - ckc explain: prints the meaning of a message. The ids are in the compiler's table,
 * the pages in libckc.
 */
#include <string.h>

#include "ckc.h"
#include "text/text.h"

static const struct {
  const char *id, *format;
  Severity severity;
} rows[] = {
#define DIAG(id, severity, format) {#id, format, SEVERITY_##severity},
#include "text/diag.def"
};

/* The format of a message with a placeholder for each value: N for a number, ... for a text. */
static const char *shown_format(Arena *arena, const char *format)
{
  Buf text = BUF(arena);
  for (const char *p = format; *p; ++p) {
    if (*p != '%' || p[1] == '%') {
      buf_putc(&text, *p);
      p += *p == '%';
      continue;
    }
    p += 1 + strspn(p + 1, "0123456789.*lhz");
    if (*p == 's') buf_puts(&text, "...");
    else buf_putc(&text, *p == 'c' ? 'C' : 'N');
  }
  return buf_text(&text);
}

static Exit list_all(Arena *arena)
{
  for (size_t i = 0; i < COUNT_OF(rows); ++i)
    if (rows[i].severity != SEVERITY_NOTE)
      printf("%-20s %s%s\n", rows[i].id, rows[i].severity == SEVERITY_WARNING ? "warning: " : "",
             shown_format(arena, rows[i].format));
  return EXIT_OK;
}

Exit explain_command(const Options *options)
{
  if (options->words.count == 0) return list_all(options->arena);
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
  printf("%s: %s\n", id, shown_format(options->arena, format));
  if (page) printf("\n%s", page);
  return EXIT_OK;
}
