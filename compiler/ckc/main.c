/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* main.c - runs the command that the first word of the command line names.
 *
 *     ckc run FILE.ck ...     run: its row of options.c, its function in a file of its own
 *     ckc FILE.ck ...         no command: compile
 *     ckc @FILE               the commands of a file (command_file.c)
 *     ckc help bash           what packages need (pages.c)
 */
#include <string.h>
#include <unistd.h>

#include "ckc.h"

static const struct {
  const char *name;
  Exit (*run)(const Options *options);
} commands[] = {
    [COMMAND_COMPILE] = {"", compile_command},        [COMMAND_RUN] = {"run", run_command},
    [COMMAND_INFO] = {"info", info_command},          [COMMAND_TEST] = {"test", test_command},
    [COMMAND_BENCH] = {"bench", bench_command},       [COMMAND_TUNE] = {"tune", tune_command},
    [COMMAND_EXPLAIN] = {"explain", explain_command},
};

/* Replaces `ckc help run`, `ckc version`, -h and -V by the options that they mean. */
static void spell_out(Arena *arena, int *count, char **words)
{
  static const struct {
    const char *word, *option;
  } rows[] = {{"-h", "--help"}, {"-V", "--version"}, {"help", "--help"}, {"version", "--version"}};
  for (int i = 0; i < *count; ++i)
    for (size_t k = 0; k < COUNT_OF(rows); ++k)
      if (!strcmp(words[i], rows[k].word) && (k < 2 || i == 0))
        words[i] = arena_strdup(arena, rows[k].option);
  if (*count < 2 || strcmp(words[0], "--help") != 0) return;
  char *command = words[1]; /* the command comes first, the option behind it */
  words[1] = words[0];
  words[0] = command;
  *count = 2;
}

/* Reports a word that is no file but resembles a command. */
static Exit check_command(Arena *arena, const char *word)
{
  const char *names[COUNT_OF(commands)];
  size_t name_count = 0;
  for (size_t i = COMMAND_RUN; i < COUNT_OF(commands); ++i) names[name_count++] = commands[i].name;
  bool is_name = *word != '-' && !strpbrk(word, "./");
  const char *near =
      is_name && access(word, F_OK) ? did_you_mean(arena, word, names, name_count) : "";
  return *near ? fail(EXIT_USAGE, "there is no command and no file '%s'%s", word, near) : EXIT_OK;
}

static Exit run(Arena *arena, int count, char **words)
{
  Options options = {.arena = arena, .command = COMMAND_COMPILE};
  if (count == 2 && !strcmp(words[0], "help") && page_write(words[1], stdout)) return EXIT_OK;
  spell_out(arena, &count, words);
  for (size_t i = COMMAND_RUN; count && i < COUNT_OF(commands); ++i)
    if (!strcmp(words[0], commands[i].name)) options.command = (Command)i;
  int skip = options.command != COMMAND_COMPILE;
  Exit exit = count && !skip ? check_command(arena, words[0]) : EXIT_OK;
  if (exit != EXIT_OK) return exit;
  exit = options_read(&options, count - skip, words + skip);
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

/* Runs the command; if memory runs out, prints a message and ends the process. */
static Exit run_or_escape(Arena *arena, int count, char **words)
{
  MemoryEscape escape;
  bool is_file = count == 2 && words[1][0] == '@' && words[1][1];
  memory_escape_enter(&escape);
  if (setjmp(escape.at) != 0) {
    fprintf(stderr, "error: out of memory: %zu bytes more were needed\n", escape.bytes);
    fflush(stdout);
    _exit(EXIT_ENVIRONMENT); /* other threads may be at work */
  }
  Exit exit = is_file ? command_file(arena, words[1] + 1, run) : run(arena, count - 1, words + 1);
  memory_escape_leave(&escape);
  return exit;
}

int main(int count, char **words)
{
  Arena arena = {0};
  Exit exit = run_or_escape(&arena, count, words);
  close_device();
  if (fflush(stdout) != 0 || ferror(stdout))
    exit = fail(EXIT_ENVIRONMENT, "cannot write to standard output");
  arena_free(&arena);
  return (int)exit;
}
