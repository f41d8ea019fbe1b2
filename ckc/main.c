/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* main.c - the command line's first word picks a command. */
#include <string.h>

#include "ckc.h"

static const struct {
  const char *name;
  Exit (*run)(const Options *options);
} commands[] = {
    [COMMAND_COMPILE] = {"", compile_command},  [COMMAND_RUN] = {"run", run_command},
    [COMMAND_INFO] = {"info", info_command},    [COMMAND_TEST] = {"test", test_command},
    [COMMAND_BENCH] = {"bench", bench_command}, [COMMAND_EXPLAIN] = {"explain", explain_command},
};

static Exit run(Arena *arena, int count, char **words)
{
  Options options = {.arena = arena, .command = COMMAND_COMPILE};
  for (size_t i = COMMAND_RUN; count && i < COUNT_OF(commands); ++i)
    if (!strcmp(words[0], commands[i].name)) options.command = (Command)i;
  int skip = options.command != COMMAND_COMPILE;
  Exit exit = options_read(&options, count - skip, words + skip);
  if (exit != EXIT_OK) return exit;
  if (option_has(&options, OPTION_help)) {
    options_help(options.command, stdout);
    return EXIT_OK;
  }
  if (option_has(&options, OPTION_version)) {
    printf("ckc %s (LLVM %s)\n", CK_VERSION_TEXT, CK_LLVM_VERSION);
    return EXIT_OK;
  }
  return commands[options.command].run(&options);
}

int main(int count, char **words)
{
  Arena arena = {0};
  bool is_file = count == 2 && words[1][0] == '@' && words[1][1];
  Exit exit = is_file ? command_file(&arena, words[1] + 1, run) : run(&arena, count - 1, words + 1);
  close_device();
  if (fflush(stdout) != 0 || ferror(stdout))
    exit = fail(EXIT_ENVIRONMENT, "cannot write to standard output");
  arena_free(&arena);
  return (int)exit;
}
