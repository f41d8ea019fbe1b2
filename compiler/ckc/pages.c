/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* pages.c - writes what packages need about the command line: the manual page, and the completions
 * of bash, zsh and fish.
 *
 *     ckc help man | man -l -          ckc help fish > ~/.config/fish/completions/ckc.fish
 *
 * All of them are loops over the tables of options.c, so that none can lack an option. An option's
 * value is completed by the words of VALUES, by files if its argument is a file or a folder, and
 * otherwise by nothing. Each format has a function that writes a text with what is special there
 * escaped.
 */
#include <string.h>

#include "ckc.h"

/* The words that a value can be; of others, the user says what he likes. */
static const char *values_of(OptionId id)
{
  switch ((int)id) {
  case OPTION_emit: return option_rows[id].text; /* says just that */
  case OPTION_backend: return "libnvvm nvptx";
  case OPTION_device: return "auto host cuda:0";
  case OPTION_target: return "host sm_75 sm_80 sm_86 sm_89 sm_90 sm_90a sm_100a sm_103a sm_120a";
  case OPTION_opt_level: return "0 1 2 3";
  case OPTION_diagnostics: return "text json";
  default: return NULL;
  }
}

static bool is_file(OptionId id)
{
  const char *argument = option_rows[id].argument;
  return !strcmp(argument, "FILE") || !strcmp(argument, "FOLDER") || !strcmp(argument, "OUT");
}

/* What stands between an option and its value. */
static const char *link_of(OptionId id)
{
  const OptionRow *row = &option_rows[id];
  if (row->form == FORM_FLAG || row->form == FORM_JOINED) return "";
  return row->spelling[1] == '-' ? "=" : " ";
}

/* Writes `text` with `mark` before each character of `special`. */
static void put(FILE *out, const char *text, const char *special, const char *mark)
{
  for (; *text; ++text) {
    if (strchr(special, *text)) fputs(mark, out);
    fputc(*text, out);
  }
}

/* the manual page ---------------------------------------------------------------------------- */

/* A line of running text or of an example: a dot or quote at its start would be a request. */
static void man_text(FILE *out, const char *text)
{
  for (bool is_start = true; *text; ++text) {
    if (is_start && (*text == '.' || *text == '\'')) fputs("\\&", out);
    if (*text == '\\') fputs("\\e", out);
    else if (*text == '-') fputs("\\-", out);
    else fputc(*text, out);
    is_start = *text == '\n';
  }
}

static void man_command(FILE *out, Command command)
{
  const CommandRow *row = &command_rows[command];
  fprintf(out, ".SS \"%s\"\n.nf\n", row->name);
  man_text(out, row->text);
  fputs(".fi\n", out);
  fputs(".PP\nOptions:", out);
  for (int i = 0; i < OPTION_COUNT; ++i) {
    if (!strchr(option_rows[i].commands, row->letter)) continue;
    fputs("\n.B ", out);
    man_text(out, option_rows[i].spelling);
  }
  fputc('\n', out);
}

static void write_man(FILE *out)
{
  fprintf(out, ".TH CKC 1 \"\" \"Cokernel %s\" \"User Commands\"\n.SH NAME\n", CK_VERSION_TEXT);
  fputs("ckc \\- compiler of CK, a CUDA kernel language\n.SH SYNOPSIS\n.nf\n", out);
  man_text(out, command_rows[COMMAND_COMPILE].usage);
  fputs(".fi\n.SH COMMANDS\n", out);
  for (int i = 0; i < COMMAND_COUNT; ++i) man_command(out, (Command)i);
  fputs(".SH OPTIONS\n", out);
  for (int i = 0; i < OPTION_COUNT; ++i) {
    fputs(".TP\n.B ", out);
    man_text(out, option_rows[i].spelling);
    fputs(link_of((OptionId)i), out);
    man_text(out, option_rows[i].argument);
    fputc('\n', out);
    man_text(out, option_rows[i].text);
    fputc('\n', out);
  }
  fputs(
      ".SH EXIT STATUS\n0: all is well. 1: an error in a source or a test. 2: the command line is\n"
      "wrong. 3: the machine lacks something.\n.SH SEE ALSO\nThe folder docs of the package.\n",
      out);
}

/* bash --------------------------------------------------------------------------------------- */

static void bash_options(FILE *out, Command command)
{
  for (int i = 0; i < OPTION_COUNT; ++i)
    if (strchr(option_rows[i].commands, command_rows[command].letter))
      fprintf(out, " %s%s", option_rows[i].spelling, *link_of((OptionId)i) == '=' ? "=" : "");
}

static void write_names(FILE *out, const char *between)
{
  for (int i = COMMAND_RUN; i < COMMAND_COUNT; ++i)
    fprintf(out, "%s%s", i == COMMAND_RUN ? "" : between, strchr(command_rows[i].name, ' ') + 1);
}

static void write_bash(FILE *out)
{
  fputs(
      "# Completion of ckc for bash, written by `ckc help bash`.\n_ckc() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options files=0\n"
      "  # bash makes three words of --emit=p\n"
      "  if [[ $word == = ]]; then word=\n"
      "  elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
      "  case ${COMP_WORDS[1]} in\n",
      out);
  for (int i = COMMAND_RUN; i < COMMAND_COUNT; ++i) {
    fprintf(out, "    %s) options='", strchr(command_rows[i].name, ' ') + 1);
    bash_options(out, (Command)i);
    fputs("' ;;\n", out);
  }
  fputs("    *) options='", out);
  bash_options(out, COMMAND_COMPILE);
  fputs("' ;;\n  esac\n  COMPREPLY=()\n  case $before in\n", out);
  for (int i = 0; i < OPTION_COUNT; ++i) {
    const char *values = values_of((OptionId)i);
    if (values)
      fprintf(out, "    %s) COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n",
              option_rows[i].spelling, values);
    else if (is_file((OptionId)i)) fprintf(out, "    %s) files=1 ;;\n", option_rows[i].spelling);
  }
  fputs("  esac\n  if ((files)); then COMPREPLY=($(compgen -f -- \"$word\"))\n"
        "  elif [[ $word == -* ]]; then\n"
        "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
        "    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null\n"
        "  else\n"
        "    COMPREPLY=($(compgen -d -- \"$word\") $(compgen -f -X '!*.ck' -- \"$word\"))\n"
        "    ((COMP_CWORD > 1)) || COMPREPLY+=($(compgen -W '",
        out);
  write_names(out, " ");
  fputs("' -- \"$word\"))\n  fi\n  return 0\n}\ncomplete -F _ckc ckc\n", out);
}

/* zsh ---------------------------------------------------------------------------------------- */

static void zsh_options(FILE *out, Command command)
{
  for (int i = 0; i < OPTION_COUNT; ++i) {
    const OptionRow *row = &option_rows[i];
    if (!strchr(row->commands, command_rows[command].letter)) continue;
    bool is_flag = row->form == FORM_FLAG, is_equals = *link_of((OptionId)i) == '=';
    fprintf(out, "    '*%s%s[", row->spelling,
            is_flag                    ? ""
            : is_equals                ? "="
            : row->form == FORM_JOINED ? "+"
                                       : "");
    for (const char *at = row->text; *at; ++at) {
      if (strchr("[]:\\", *at)) fputc('\\', out);
      if (*at == '\'') fputs("'\\''", out);
      else fputc(*at, out);
    }
    fputc(']', out);
    const char *values = values_of((OptionId)i);
    if (!is_flag) fprintf(out, ":value:");
    if (values) {
      fputc('(', out);
      put(out, values, ":", "\\");
      fputc(')', out);
    } else if (is_file((OptionId)i)) fputs("_files", out);
    fputs("'\n", out);
  }
}

static void write_zsh(FILE *out)
{
  fputs("#compdef ckc\n# Completion of ckc for zsh, written by `ckc help zsh`.\n_ckc() {\n"
        "  local -a options\n  local command=$words[2]\n  case $command in\n",
        out);
  for (int i = COMMAND_RUN; i <= COMMAND_COUNT; ++i) {
    bool is_last = i == COMMAND_COUNT;
    fprintf(out, "  %s) options=(\n", is_last ? "*" : strchr(command_rows[i].name, ' ') + 1);
    zsh_options(out, is_last ? COMMAND_COMPILE : (Command)i);
    fputs("    ) ;;\n", out);
  }
  fputs("  esac\n  if ((CURRENT == 2)); then\n"
        "    _arguments $options '1: :_alternative \"commands\\:command\\:(",
        out);
  write_names(out, " ");
  fputs(")\" \"files\\:file\\:_files -g \\\"*.ck\\\"\"'\n  else\n", out);
  fputs("    _arguments $options '*:file:_files'\n  fi\n}\n_ckc \"$@\"\n", out);
}

/* fish --------------------------------------------------------------------------------------- */

static void fish_option(FILE *out, OptionId id)
{
  const OptionRow *row = &option_rows[id];
  const char *values = values_of(id), *name = row->spelling + 1 + (row->spelling[1] == '-');
  fputs("complete -c ckc -n '", out);
  const char *before = "";
  for (int i = COMMAND_RUN; i < COMMAND_COUNT; ++i) {
    if (!strchr(row->commands, command_rows[i].letter)) continue;
    fprintf(out, "%s__fish_seen_subcommand_from %s", before, strchr(command_rows[i].name, ' ') + 1);
    before = "; or ";
  }
  if (strchr(row->commands, command_rows[COMMAND_COMPILE].letter)) {
    fprintf(out, "%snot __fish_seen_subcommand_from ", before);
    write_names(out, " ");
  }
  fprintf(out, "' -%s %s", row->spelling[1] == '-' ? "l" : name[1] ? "o" : "s", name);
  if (row->form != FORM_FLAG) fputs(" -r", out);
  if (row->form != FORM_FLAG && !is_file(id)) fputs(" -f", out);
  if (values) fprintf(out, " -a '%s'", values);
  fputs(" -d '", out);
  put(out, row->text, "'\\", "\\");
  fputs("'\n", out);
}

static void write_fish(FILE *out)
{
  fputs("# Completion of ckc for fish, written by `ckc help fish`.\n", out);
  for (int i = COMMAND_RUN; i < COMMAND_COUNT; ++i)
    fprintf(out, "complete -c ckc -n __fish_use_subcommand -a %s -d '%s'\n",
            strchr(command_rows[i].name, ' ') + 1, command_rows[i].name);
  for (int i = 0; i < OPTION_COUNT; ++i) fish_option(out, (OptionId)i);
}

bool page_write(const char *name, FILE *out)
{
  static const struct {
    const char *name;
    void (*write)(FILE *out);
  } rows[] = {{"man", write_man}, {"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    if (strcmp(rows[i].name, name) != 0) continue;
    rows[i].write(out);
    return true;
  }
  return false;
}
