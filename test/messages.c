/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* messages.c - prints the compiler's messages for many texts in one process, for messages.py.
 *
 * in    `compile PASS BYTES NAME`, a line, and BYTES of text: it is compiled for the host, up to a
 *       pass of passes.def, as a file of that name. `json PASS BYTES NAME`: the same, with messages
 *       as JSON. Or `explain ID`
 * out   `STATUS BYTES`, a line (STATUS is a ck_status_t), and BYTES of text: messages, or the page
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ck/compile.h"

enum { NAME_BYTES = 4096, PASS_BYTES = 32 };

static void answer(ck_status_t status, const char *text)
{
  printf("%d %zu\n%s", (int)status, strlen(text), text);
  fflush(stdout);
}

static void compile(const char *pass, const char *name, size_t bytes, bool is_json)
{
  char *text = malloc(bytes + 1);
  if (!text || fread(text, 1, bytes, stdin) != bytes) {
    fprintf(stderr, "messages: %zu bytes of text are missing\n", bytes);
    exit(1);
  }
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  options.file_name = name;
  options.stop_after = pass;
  if (is_json) options.flags |= CK_COMPILE_JSON;
  ck_compilation_t *result = NULL;
  ck_status_t status = ck_compile(text, bytes, &options, &result);
  answer(status, ck_compilation_log(result));
  ck_compilation_release(result);
  free(text);
}

int main(void)
{
  char line[PASS_BYTES + NAME_BYTES + PASS_BYTES], word[8], pass[PASS_BYTES], name[NAME_BYTES];
  size_t bytes;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "%7s %31s %zu %4095[^\n]", word, pass, &bytes, name) == 4) {
      compile(pass, name, bytes, !strcmp(word, "json"));
    } else if (sscanf(line, "explain %4095s", name) == 1) {
      const char *page = ck_explain(name);
      answer(page ? CK_OK : CK_NOT_FOUND, page ? page : "");
    } else {
      fprintf(stderr, "messages: no request: %s", line);
      return 1;
    }
  }
  return 0;
}
