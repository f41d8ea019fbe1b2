/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* command_file.c - ckc @FILE: runs the commands of a file, one in each line, in one process.
 *
 * The process, the driver and a tool that watches the process thus start once for all of them. With
 * @- the commands come from standard input, and each runs as soon as its line has arrived.
 */
#include <errno.h>
#include <string.h>

#include "ckc.h"

typedef VEC(char *) Line;

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

/* Takes one word from `*at`, in place. Blanks end it, except between quotes of either kind, which
 * may be anywhere in it. NULL: a quote isn't closed. */
static char *next_word(char **at)
{
  char *in = *at, *word = in, *out = in;
  while (*in && !is_blank(*in)) {
    if (*in != '\'' && *in != '"') {
      *out++ = *in++;
      continue;
    }
    char *end = strchr(in + 1, *in);
    if (!end) return NULL;
    memmove(out, in + 1, (size_t)(end - in - 1));
    out += end - in - 1;
    in = end + 1;
  }
  *at = *in ? in + 1 : in;
  *out = '\0';
  return word;
}

static Exit split(Arena *arena, char *text, Line *out)
{
  for (;;) {
    while (is_blank(*text)) ++text;
    if (!*text) return EXIT_OK;
    char *word = next_word(&text);
    if (!word) return fail(EXIT_USAGE, "a quote stays open");
    vec_push(arena, out, word);
  }
}

/* Prints a comment line to both outputs, so that readers can tell the commands' output apart. */
static void echo(const char *text)
{
  printf("%s\n", text);
  fflush(stdout);
  fprintf(stderr, "%s\n", text);
}

static Exit run_line(char *text, CommandRunner *run)
{
  Arena arena = {0};
  Line line = {0};
  Exit exit = split(&arena, text, &line);
  if (exit == EXIT_OK && line.count) exit = run(&arena, (int)line.count, line.at);
  fflush(stdout);
  arena_free(&arena);
  return exit;
}

static Exit run_numbered(char *text, const char *path, uint32_t number, CommandRunner *run)
{
  Exit exit = EXIT_OK;
  if (*text == '#') echo(text);
  else exit = run_line(text, run);
  if (exit != EXIT_OK) fprintf(stderr, "at %s:%u\n", source_name(path), number);
  return exit;
}

/* Runs each line of standard input as it arrives, since the writer may wait for its result. */
static Exit run_stream(const char *path, CommandRunner *run)
{
  Exit exit = EXIT_OK;
  for (uint32_t number = 1; !feof(stdin) && exit == EXIT_OK; ++number) {
    Arena arena = {0};
    Buf line = BUF(&arena);
    int c;
    while ((c = getchar()) != EOF && c != '\n') buf_putc(&line, (char)c);
    int error = errno; /* of a read that failed */
    buf_putc(&line, '\0');
    bool is_text = strlen(line.data) + 1 == line.len;
    if (ferror(stdin))
      exit = fail(EXIT_INPUT, "'%s' can't be read: %s", source_name(path), strerror(error));
    else if (!is_text) exit = fail(EXIT_INPUT, "'%s' is no text", source_name(path));
    else exit = run_numbered(line.data, path, number, run);
    arena_free(&arena);
  }
  return exit;
}

Exit command_file(Arena *arena, const char *path, CommandRunner *run)
{
  if (!strcmp(path, "-")) return run_stream(path, run);
  char *text, *end;
  size_t bytes;
  Exit exit = read_source(arena, path, &text, &bytes);
  if (exit != EXIT_OK) return exit;
  if (memchr(text, '\0', bytes)) return fail(EXIT_INPUT, "'%s' is no text", source_name(path));
  for (uint32_t number = 1; *text && exit == EXIT_OK; text = end, ++number) {
    end = strchr(text, '\n');
    if (end) *end++ = '\0';
    else end = text + strlen(text);
    exit = run_numbered(text, path, number, run);
  }
  return exit;
}
