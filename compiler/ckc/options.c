/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* options.c - reads the command line by the table of options.def, and prints --help. */
#include <stdlib.h>
#include <string.h>

#include "ckc.h"

const OptionRow option_rows[OPTION_COUNT] = {
#define OPTION(id, commands, form, spelling, argument, text)                                       \
  {commands, spelling, argument, text, FORM_##form},
#include "options.def"
};

const CommandRow command_rows[COMMAND_COUNT] = {
    [COMMAND_COMPILE] =
        {'c', "ckc FILE",
         "ckc FILE.ck [OPTION...]\n"
         "       ckc run FILE.ck KERNEL NAME=VALUE... [OPTION...]\n"
         "       ckc test FILE.ck|FOLDER... [OPTION...]\n"
         "       ckc bench FILE.ck|FOLDER... [OPTION...]\n"
         "       ckc tune FILE.ck [PARAMETER...] [OPTION...]\n"
         "       ckc info [--device=DEVICE]\n"
         "       ckc explain [ID]\n"
         "       ckc @COMMANDS\n",
         "Compiles a CK module; FILE.ck may be - for standard input. Text goes to\n"
         "standard output, code to FILE.cubin and so on, if there is no -o.\n"
         "@COMMANDS is a file with a command in each line, as `run FILE.ck k n=1`:\n"
         "they run in one process, to the first that fails. Blanks that belong to a\n"
         "word stand in quotes; lines that begin with # are printed, on both outputs.\n"
         "@- runs the lines of standard input as they come.\n"
         "`ckc help bash`, zsh or fish writes that shell's completion, `ckc help man` a\n"
         "manual page.\n"},
    [COMMAND_RUN] =
        {'r', "ckc run", "ckc run FILE.ck KERNEL NAME=VALUE... [OPTION...]\n",
         "Launches one kernel, or an instance of it as 'softmax<bf16,512>': that one\n"
         "is compiled then, and none that the file exports. VALUE is\n"
         "  3  -2.5  true    a number\n"
         "  {x: 1, on: true} a struct; (1, 2.5) a tuple or vector, [1, 2] an array of any\n"
         "  @FILE.npy        an array from a file, in the parameter's element type\n"
         "                   (bf16: its bits, as uint16)\n"
         "  zeros:N  ones:N  iota:N (0, 1, 2, ...)\n"
         "  rand:N[:SEED]    uniform in [-1, 1); integers -100 to 100, unsigned ones\n"
         "                   0 to 200; the same on every machine; SEED is 0\n"
         "  rand:N:SEED:LO..HI   from LO to HI\n"
         "  texture(VALUE, filter=linear, address=wrap, normalized=true, ...)\n"
         "                   a texture's array, and how it is read (docs/tests.md)\n"
         "Of structs and tuples these fill each number. [{x: 1}, {x: 2}] is an array.\n"
         "N is a number of elements, or RxC and so on for more extents. A scalar that\n"
         "names an extent may be left out: the arrays tell it. So may an `out` array\n"
         "whose extents are known: it starts as zeros, and its first elements are\n"
         "printed if there is no --print and no --save. --set NAME=VALUE takes the same\n"
         "values: a constant may be a list of numbers or of structs.\n"},
    [COMMAND_TEST] = {'t', "ckc test", "ckc test FILE.ck|FOLDER... [OPTION...]\n",
                      "Runs the tests in comments of the files (docs/tests.md), as\n"
                      "  // CALL: saxpy(n=4, a=2.0, x=[1, 2, 3, 4], y=ones:4, z=zeros:4)\n"
                      "  // EXPECT: z = [3, 5, 7, 9]\n"
                      "and says where results differ. Ends with 1 if one fails.\n"},
    [COMMAND_BENCH] =
        {'b', "ckc bench",
         "ckc bench FILE.ck|FOLDER... [OPTION...]\n"
         "       ckc bench --compare OLD.json NEW.json\n",
         "Times the BENCH lines of the files (docs/tests.md), as\n"
         "  // BENCH: saxpy(a=2.0, x=rand:2**24, y=rand:2**24) bytes = 12 * n\n"
         "with --json for the other form, which ends with 1 if something got slower.\n"},
    [COMMAND_TUNE] =
        {'u', "ckc tune", "ckc tune FILE.ck [PARAMETER...] [OPTION...]\n",
         "Measures the BENCH lines of a file with the values of its tuning parameters\n"
         "  const ITEMS: u32 = tune(4, 8, 16);\n"
         "and of the library's that its benches need; shows what that gains, and writes\n"
         "the best values into FILE.tune, which later compilations read.\n"},
    [COMMAND_INFO] = {'i', "ckc info", "ckc info [--device=DEVICE]\n",
                      "Shows the version, devices, parts of the CUDA toolkit, and the cache; with\n"
                      "--device all that is known of one device.\n"},
    [COMMAND_EXPLAIN] = {'e', "ckc explain", "ckc explain [ID]\n",
                         "Shows what the message [ID] means; without ID, all messages.\n"},
};

static bool belongs(size_t option, Command command)
{
  return strchr(option_rows[option].commands, command_rows[command].letter) != NULL;
}

void options_help(Command command, FILE *out)
{
  enum { COLUMN = 28 };
  fprintf(out, "usage: %s\n%s\n", command_rows[command].usage, command_rows[command].text);
  for (size_t i = 0; i < OPTION_COUNT; ++i) {
    if (!belongs(i, command)) continue;
    const char *between = option_rows[i].form == FORM_FLAG || option_rows[i].form == FORM_JOINED
                              ? ""
                          : option_rows[i].spelling[1] == '-' ? "="
                                                              : " ";
    int width = fprintf(out, "  %s%s%s", option_rows[i].spelling, between, option_rows[i].argument);
    fprintf(out, "%*s%s\n", width < COLUMN ? COLUMN - width : 1, "", option_rows[i].text);
  }
}

/* Finds the option of a word, and its value if it is in the same word. */
static int find_option(const char *word, const char **out_value)
{
  *out_value = NULL;
  size_t len = strcspn(word, "=");
  for (size_t i = 0; i < OPTION_COUNT; ++i)
    if (!strcmp(word, option_rows[i].spelling)) return (int)i;
  for (size_t i = 0; i < OPTION_COUNT; ++i) {
    size_t own = strlen(option_rows[i].spelling);
    bool is_equals = word[1] == '-' && word[len] && own == len;
    bool is_joined = option_rows[i].form == FORM_JOINED && word[own < len ? own : len];
    if ((!is_equals && !is_joined) || strncmp(word, option_rows[i].spelling, own)) continue;
    *out_value = word + own + is_equals;
    return (int)i;
  }
  return -1;
}

static Exit unknown(const Options *out, const char *word)
{
  const char *names[OPTION_COUNT];
  size_t count = 0;
  for (size_t i = 0; i < OPTION_COUNT; ++i)
    if (belongs(i, out->command)) names[count++] = option_rows[i].spelling;
  const char *name = arena_strndup(out->arena, word, strcspn(word, "="));
  return fail(EXIT_USAGE, "unknown option '%s'%s", name,
              did_you_mean(out->arena, name, names, count));
}

Exit options_read(Options *out, int count, char **words)
{
  bool is_over = false; /* behind "--" */
  for (int i = 0; i < count; ++i) {
    const char *word = words[i], *value;
    if (is_over || word[0] != '-' || !word[1]) {
      vec_push(out->arena, &out->words, word);
      continue;
    }
    is_over = !strcmp(word, "--");
    if (is_over) continue;
    int option = find_option(word, &value);
    if (option < 0) return unknown(out, word);
    const char *name = option_rows[option].spelling;
    if (!belongs((size_t)option, out->command))
      return fail(EXIT_USAGE, "'%s' is no option of %s", name, command_rows[out->command].name);
    if (option_rows[option].form == FORM_FLAG && value)
      return fail(EXIT_USAGE, "'%s' takes no value, '%s' is given", name, value);
    if (option_rows[option].form == FORM_FLAG) value = "";
    if (!value && i + 1 < count) value = words[++i];
    if (!value)
      return fail(EXIT_USAGE, "'%s' needs a value: %s", name, option_rows[option].argument);
    vec_push(out->arena, &out->given[option], value);
  }
  return EXIT_OK;
}

const char *option_spelling(OptionId id)
{
  return option_rows[id].spelling;
}

bool option_has(const Options *options, OptionId id)
{
  return options->given[id].count > 0;
}

const char *option_value(const Options *options, OptionId id)
{
  const Words *given = &options->given[id];
  return given->count ? given->at[given->count - 1] : NULL;
}

/* The problem size of --size: 4096 or 2^12. */
static Exit read_size(const char *text, uint64_t *out)
{
  char *end;
  if (!text) return EXIT_OK;
  uint64_t power = 0;
  *out = strtoull(text, &end, 10);
  bool is_power = *end == '^' && *out == 2 && end[1] >= '0' && end[1] <= '9';
  if (is_power) power = strtoull(end + 1, &end, 10);
  if (is_power && power < 64) *out = UINT64_C(1) << power;
  if (*text >= '1' && *text <= '9' && !*end && power < 64) return EXIT_OK;
  return fail(EXIT_USAGE, "--size=%s: a number of elements is needed, as 2^20", text);
}

Exit options_for_compiler(const Options *options, ck_compile_options_t *out)
{
  const char *backend = option_value(options, OPTION_backend);
  if (backend && !strcmp(backend, "libnvvm")) out->backend = CK_BACKEND_LIBNVVM;
  else if (backend && !strcmp(backend, "nvptx")) out->backend = CK_BACKEND_NVPTX;
  else if (backend)
    return fail(EXIT_USAGE, "there is no back end '%s'; there are libnvvm, nvptx", backend);
  const char *level = option_value(options, OPTION_opt_level);
  if (level && (level[0] < '0' || level[0] > '3' || level[1]))
    return fail(EXIT_USAGE, "there is no -O%s; there are -O0, -O1, -O2, -O3", level);
  out->opt_level = CK_OPT_3; /* no other code for the first launches */
  if (level) out->opt_level = (ck_opt_level_t)(CK_OPT_0 + (level[0] - '0'));
  const Words *defines = &options->given[OPTION_define];
  for (uint32_t i = 0; i < defines->count; ++i)
    if (!strchr(defines->at[i], '='))
      return fail(EXIT_USAGE, "-D %s: a constant needs a value, as -D %s=1", defines->at[i],
                  defines->at[i]);
  out->defines = defines->at;
  out->define_count = defines->count;
  out->import_folders = options->given[OPTION_import].at;
  out->import_folder_count = options->given[OPTION_import].count;
  out->lib_folder = option_value(options, OPTION_lib);
  out->tuning_file = option_value(options, OPTION_tuning);
  Exit exit = read_size(option_value(options, OPTION_size), &out->problem_size);
  if (exit != EXIT_OK) return exit;
  out->instances = options->given[OPTION_instance].at;
  out->instance_count = options->given[OPTION_instance].count;
  out->kernels = options->given[OPTION_kernel].at;
  out->kernel_count = options->given[OPTION_kernel].count;
  out->warnings = options->given[OPTION_warning].at;
  out->warning_count = options->given[OPTION_warning].count;
  out->no_repairs = options->given[OPTION_no_repair].at;
  out->no_repair_count = options->given[OPTION_no_repair].count;
  out->flags = CK_COMPILE_ISOLATE;
  if (option_has(options, OPTION_debug)) out->flags |= CK_COMPILE_DEBUG;
  if (option_has(options, OPTION_quick)) out->flags |= CK_COMPILE_QUICK | CK_COMPILE_QUICK_SUMS;
  if (option_has(options, OPTION_lineinfo)) out->flags |= CK_COMPILE_LINEINFO;
  if (option_has(options, OPTION_confine)) out->flags |= CK_COMPILE_CONFINE;
  if (option_has(options, OPTION_check)) out->flags |= CK_COMPILE_CHECK;
  return EXIT_OK;
}
