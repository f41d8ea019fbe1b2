/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* serve.c - compiles texts for run.py, thousands per second in one process.
 *
 *     serve SECONDS
 *
 * in    `TARGET BACKEND EMIT PASS FLAGS BYTES`, a line, and BYTES of text: it is compiled for that
 *       target, by that back end (`nvptx`, `libnvvm`), to the form EMIT (a number of ck/compile.h),
 *       up to that pass of passes.def (`-`: all of them). FLAGS is a number of ck/compile.h
 * out   `STATUS LOG OUTPUT`, a line (STATUS is a ck_status_t), LOG bytes of messages, and OUTPUT
 *       bytes of PTX, if there is any
 *
 * A text that takes more than SECONDS of processor time ends the process with SIGVTALRM, and a
 * crash ends it with its own signal: run.py starts another.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "ck/compile.h"

enum { WORD_BYTES = 32, LINE_BYTES = 256 };

static void limit(double seconds)
{
  struct itimerval time = {0};
  time.it_value.tv_sec = (time_t)seconds;
  time.it_value.tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6);
  setitimer(ITIMER_VIRTUAL, &time, NULL);
}

int main(int argc, char **argv)
{
  char line[LINE_BYTES], target[WORD_BYTES], backend[WORD_BYTES], pass[WORD_BYTES];
  int emit;
  unsigned flags;
  size_t bytes;
  if (argc != 2) {
    fprintf(stderr, "usage: serve SECONDS, with requests on standard input\n");
    return 2;
  }
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "%31s %31s %d %31s %u %zu", target, backend, &emit, pass, &flags, &bytes) !=
        6) {
      fprintf(stderr, "serve: no request: %s", line);
      return 1;
    }
    char *text = malloc(bytes + 1);
    if (!text || fread(text, 1, bytes, stdin) != bytes) {
      fprintf(stderr, "serve: %zu bytes of text are missing\n", bytes);
      return 1;
    }
    ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
    options.target = target;
    options.backend = !strcmp(backend, "nvptx") ? CK_BACKEND_NVPTX : CK_BACKEND_LIBNVVM;
    options.emit = (ck_emit_t)emit;
    options.stop_after = strcmp(pass, "-") ? pass : NULL;
    options.flags = flags;
    options.file_name = "misfit.ck";
    ck_compilation_t *result = NULL;
    limit(atof(argv[1]));
    ck_status_t status = ck_compile(text, bytes, &options, &result);
    limit(0);
    size_t output = 0;
    const char *log = ck_compilation_log(result);
    const void *made = ck_compilation_output(result, &output);
    if (options.emit != CK_EMIT_PTX || options.stop_after) output = 0;
    printf("%d %zu %zu\n%s", (int)status, strlen(log), output, log);
    fwrite(made ? made : "", 1, made ? output : 0, stdout);
    fflush(stdout);
    ck_compilation_release(result);
    free(text);
  }
  return 0;
}
