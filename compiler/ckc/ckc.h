/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ckc.h - what the files of the command line share: options, exit statuses, messages.
 *
 * libckc is opened when it is first needed (compiler.c), because it brings in LLVM: `ckc run` of a
 * kernel that is in the cache starts without it.
 */
#ifndef CK_CKC_H
#define CK_CKC_H

#include <stdio.h>

#include "base.h"
#include "ck/compile.h"

/* The exit status of ckc; other programs rely on the numbers. */
typedef enum Exit {
  EXIT_OK = 0,
  EXIT_INPUT = 1,       /* the input is at fault: source, data, a kernel that failed */
  EXIT_USAGE = 2,       /* the command line can't be understood */
  EXIT_ENVIRONMENT = 3, /* no driver, no toolkit, no room on the disk */
  EXIT_INTERNAL = 70    /* a mistake in Cokernel */
} Exit;

/* text.c ------------------------------------------------------------------------------------ */

/* Prints text for a terminal: control characters are escaped. */
void put_shown(FILE *file, const char *format, ...) PRINTF_LIKE(2, 3);
/* Writes "error: ..." to standard error and returns `exit`. */
Exit fail(Exit exit, const char *format, ...) PRINTF_LIKE(2, 3);
/* What a status of the libraries means for the process. */
Exit exit_of_status(ck_status_t status);
/* The name that was probably meant by `word`, or NULL if none is near. */
const char *closest(const char *word, const char *const *names, size_t count);
/* "; did you mean 'NAME'?", or "". */
const char *did_you_mean(Arena *arena, const char *word, const char *const *names, size_t count);
/* Reads a source; "-" is standard input. */
Exit read_source(Arena *arena, const char *path, char **out_text, size_t *out_bytes);
/* the name of a source in messages */
const char *source_name(const char *path);

/* options.c --------------------------------------------------------------------------------- */

typedef enum Command {
  COMMAND_COMPILE,
  COMMAND_RUN,
  COMMAND_TEST,
  COMMAND_BENCH,
  COMMAND_TUNE,
  COMMAND_INFO,
  COMMAND_EXPLAIN,
  COMMAND_COUNT
} Command;

typedef enum OptionId {
#define OPTION(id, ...) OPTION_##id,
#include "options.def"
  OPTION_COUNT
} OptionId;

/* How an option takes a value; options.def explains it. */
typedef enum OptionForm { FORM_FLAG, FORM_VALUE, FORM_LIST, FORM_JOINED } OptionForm;

typedef struct OptionRow {
  const char *commands, *spelling, *argument, *text;
  OptionForm form;
} OptionRow;

typedef struct CommandRow {
  char letter; /* in the table's column of commands */
  const char *name, *usage, *text;
} CommandRow;

extern const OptionRow option_rows[OPTION_COUNT];
extern const CommandRow command_rows[COMMAND_COUNT];

typedef VEC(const char *) Words;

typedef struct Options {
  Arena *arena;
  Command command;
  Words given[OPTION_COUNT]; /* the values of each option, "" for flags */
  Words words;               /* words that are no option */
} Options;

/* Reads the command line into `out`, whose arena and command are set. */
Exit options_read(Options *out, int count, char **words);
void options_help(Command command, FILE *out);
const char *option_spelling(OptionId id); /* "--grid" */
bool option_has(const Options *options, OptionId id);
const char *option_value(const Options *options, OptionId id); /* the last one, or NULL */
/* Sets the compiler's options that several commands share. */
Exit options_for_compiler(const Options *options, ck_compile_options_t *out);

/* pages.c ----------------------------------------------------------------------------------- */

/* Writes the manual page ("man"), or the completion of a shell; false for another name. */
bool page_write(const char *name, FILE *out);

/* command_file.c ---------------------------------------------------------------------------- */

/* Runs one command, whose words do not include "ckc". */
typedef Exit CommandRunner(Arena *arena, int count, char **words);
/* Runs the file's lines in order, up to the first that fails, and gives its status. */
Exit command_file(Arena *arena, const char *path, CommandRunner *run);

/* compiler.c -------------------------------------------------------------------------------- */

/* libckc's functions. */
typedef struct Compiler {
#define COMPILER_FN(name) __typeof__(name) *name;
#include "compiler.def"
} Compiler;

/* Opens libckc; NULL, after a message, if it isn't there. */
const Compiler *compiler_load(Arena *arena);

/* One file a command; each returns the exit status. ------------------------------------------ */

Exit compile_command(const Options *options);
Exit run_command(const Options *options);
Exit test_command(const Options *options);
Exit bench_command(const Options *options);
Exit tune_command(const Options *options);
Exit info_command(const Options *options);
Exit explain_command(const Options *options);

/* The folder of the cache, as runtime/code/cache.c has it; NULL: there is none (info.c). */
const char *cache_folder(Arena *arena);

struct ck_device;
/* Opens the device that --device names; prints a message if that fails (device.c). */
Exit open_device(const Options *options, struct ck_device **out_device);
/* Releases the device that stays open between two commands. */
void close_device(void);

#endif
