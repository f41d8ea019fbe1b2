/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* foreign.c - programs in CUDA C++, PTX, NVVM IR and LTO-IR: their options, cache keys, and
 * compilation.
 *
 * The table program_options.def describes each option: its field, its form, and its spelling for
 * each tool (NVRTC, libNVVM, linker). Copies of the options, checks, command lines and the cache
 * key are all made by loops over this table.
 */
#include "foreign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

typedef enum Form { SWITCH, CHOICE, LEVEL, NUMBER, TEXT, TEXTS, NUMBERS, SOURCES } Form;
typedef enum Reads { NOTHING, READS, WRITES, BY_WORD } Reads;

static const struct {
  uint8_t form, reads;           /* Form, Reads */
  uint16_t offset, count_offset; /* offsets of the field, and of its element count */
} rows[] = {
#define OFFSET(field) offsetof(ck_program_options_t, field)
#define PROGRAM_OPTION(form, reads, field, count, nvrtc, nvvm, linker)                             \
  {form, reads, OFFSET(field), OFFSET(count)},
#include "program_options.def"
};

/* The name of each row, and its words: one for each tool. */
static const char names[] = {
#define PROGRAM_OPTION(form, reads, field, count, nvrtc, nvvm, linker) #field "\0"
#include "program_options.def"
};
#define LACKS "-"
static const char words[] = {
#define PROGRAM_OPTION(form, reads, field, count, nvrtc, nvvm, linker)                             \
  nvrtc "\0" nvvm "\0" linker "\0"
#include "program_options.def"
};
_Static_assert(TOOL_nvrtc == 0 && TOOL_nvvm == 1 && TOOL_linker == 2, "the order of the words");

static bool has_option(Tool tool, size_t row)
{
  return strcmp(strings_at(words, TOOL_COUNT * row + tool), LACKS) != 0;
}

static const struct {
  char name[10];
  bool makes_ltoir;
  Tool tool;
  ck_link_input_t input; /* the linker's kind */
} kinds[] = {
    [CK_PROGRAM_CUDA] = {"CUDA C++", true, TOOL_nvrtc, CK_LINK_ANY},
    [CK_PROGRAM_PTX] = {"PTX", false, TOOL_linker, CK_LINK_PTX},
    [CK_PROGRAM_NVVM] = {"NVVM IR", true, TOOL_nvvm, CK_LINK_ANY},
    [CK_PROGRAM_LTOIR] = {"LTO-IR", false, TOOL_linker, CK_LINK_LTOIR},
};

/* The value of an option, in the member for its form, and the number of elements; 0: not set. */
typedef struct Value {
  ck_choice_t choice;
  uint32_t number;
  const char *text;
  const char *const *texts;
  const int *numbers;
  const ck_program_source_t *sources;
  size_t count;
} Value;

static Value value_of(const ck_program_options_t *options, size_t row)
{
  const char *field = (const char *)options + rows[row].offset;
  Value value = {.choice = CK_UNSET};
  switch ((Form)rows[row].form) {
  case SWITCH:
  case CHOICE:
  case LEVEL:
    memcpy(&value.choice, field, sizeof value.choice);
    /* The same for a switch. */
    if (rows[row].form == SWITCH && value.choice == CK_OFF) value.choice = CK_UNSET;
    value.count = value.choice != CK_UNSET;
    return value;
  case NUMBER:
    memcpy(&value.number, field, sizeof value.number);
    value.count = value.number != 0;
    return value;
  case TEXT:
    memcpy(&value.text, field, sizeof value.text);
    value.count = value.text != NULL;
    return value;
  case TEXTS: memcpy(&value.texts, field, sizeof value.texts); break;
  case NUMBERS: memcpy(&value.numbers, field, sizeof value.numbers); break;
  case SOURCES: memcpy(&value.sources, field, sizeof value.sources); break;
  }
  memcpy(&value.count, (const char *)options + rows[row].count_offset, sizeof value.count);
  return value;
}

static void *copy_bytes(Arena *arena, const void *data, size_t bytes)
{
  return memcpy(arena_alloc(arena, bytes), data, bytes);
}

static const ck_program_source_t *copy_sources(Arena *arena, const ck_program_source_t *sources,
                                               size_t count)
{
  ck_program_source_t *copies = NEW_ARRAY(arena, ck_program_source_t, count);
  for (size_t i = 0; i < count; ++i)
    copies[i] = (ck_program_source_t){copy_text(arena, sources[i].name),
                                      arena_strndup(arena, sources[i].text, sources[i].bytes),
                                      sources[i].bytes};
  return copies;
}

static void copy_field(Arena *arena, ck_program_options_t *options, size_t row)
{
  Value value = value_of(options, row);
  const void *copy;
  if (!value.count) return;
  switch ((Form)rows[row].form) {
  case SWITCH:
  case CHOICE:
  case LEVEL:
  case NUMBER: return;
  case TEXT: copy = copy_text(arena, value.text); break;
  case TEXTS: copy = copy_texts(arena, value.texts, value.count); break;
  case NUMBERS: copy = copy_bytes(arena, value.numbers, value.count * sizeof(int)); break;
  case SOURCES: copy = copy_sources(arena, value.sources, value.count); break;
  default: return;
  }
  memcpy((char *)options + rows[row].offset, &copy, sizeof copy);
}

/* Checks a value: a choice is valid, a list has all its elements, and no source is empty. */
static ck_status_t check_value(const ck_program_options_t *options, size_t row, const char *name)
{
  Value value = value_of(options, row);
  CK_TRY(check_choice(name, value.choice)); /* CK_UNSET if the option is no choice */
  if (rows[row].form == TEXTS) return check_texts(name, value.texts, value.count);
  if (rows[row].form == NUMBERS && value.count && !value.numbers)
    return error_argument("option '%s': %zu numbers at NULL", name, value.count);
  if (rows[row].form != SOURCES) return CK_OK;
  for (size_t i = 0; i < value.count; ++i)
    if (!value.sources || !value.sources[i].text || !value.sources[i].bytes)
      return error_argument("option '%s': source %zu of %zu is empty", name, i, value.count);
  return CK_OK;
}

/* Checks the output form: with link-time optimisation NVRTC and libNVVM make LTO-IR and nothing
 * else, except that a cubin of NVVM IR can be made from its LTO-IR. */
static ck_status_t check_form(ck_program_kind_t kind, const ck_program_options_t *options)
{
  ck_choice_t lto = options->link_time_optimization;
  bool is_ltoir = options->emit == CK_EMIT_LTOIR;
  bool is_cubin_of_nvvm = kind == CK_PROGRAM_NVVM && options->emit != CK_EMIT_PTX;
  if (!kinds[kind].makes_ltoir) return CK_OK;
  if (is_ltoir && lto == CK_OFF)
    return error_argument(
        "emit is CK_EMIT_LTOIR, and link_time_optimization CK_OFF: leave one out");
  if (is_ltoir || lto != CK_ON || is_cubin_of_nvvm) return CK_OK;
  return error_argument("link_time_optimization makes LTO-IR, emit is another form: "
                        "ask for CK_EMIT_LTOIR, or leave it to the linker");
}

static ck_status_t check(ck_program_kind_t kind, const ck_program_options_t *options)
{
  for (size_t i = 0; i < COUNT_OF(rows); ++i)
    if (value_of(options, i).count && !has_option(kinds[kind].tool, i))
      return error_unsupported("programs in %s have no option '%s'", kinds[kind].name,
                               strings_at(names, i));
  const char *name = names;
  for (size_t i = 0; i < COUNT_OF(rows); ++i, name = strings_next(name))
    CK_TRY(check_value(options, i, name));
  ck_emit_t emit = options->emit;
  bool is_made = emit == CK_EMIT_DEFAULT || emit == CK_EMIT_CUBIN || emit == CK_EMIT_PTX ||
                 (emit == CK_EMIT_LTOIR && kinds[kind].makes_ltoir);
  if (!is_made) return error_argument("emit %d is not made of %s", (int)emit, kinds[kind].name);
  return check_form(kind, options);
}

static int by_text(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

ck_status_t foreign_read(Arena *arena, ck_program_kind_t kind, const char *source, size_t bytes,
                         const ck_program_options_t *options, Foreign **out_foreign)
{
  if (kind == CK_PROGRAM_CK || (size_t)kind >= COUNT_OF(kinds))
    return error_argument("kind %d is none of another language%s", (int)kind,
                          kind == CK_PROGRAM_CK ? ": ck_program_create is CK's" : "");
  Foreign *foreign = NEW(arena, Foreign);
  foreign->options.struct_size = sizeof foreign->options;
  ck_program_options_t *own = &foreign->options;
  CK_TRY(options_read(own, sizeof *own, options, "ck_program_options_t"));
  CK_TRY(check(kind, own));
  own->struct_size = sizeof *own;
  bool has_lines = own->debug == CK_ON || own->lineinfo == CK_ON;
  foreign->wants_file = kind == CK_PROGRAM_CUDA && has_lines && !own->name;
  own->name = copy_text(arena, own->name ? own->name : "default_program");
  own->target = copy_text(arena, own->target);
  for (size_t i = 0; i < COUNT_OF(rows); ++i) copy_field(arena, own, i);
  if (own->emit == CK_EMIT_DEFAULT) own->emit = CK_EMIT_CUBIN;
  if (own->emit == CK_EMIT_LTOIR && !own->link_time_optimization)
    own->link_time_optimization = CK_ON;
  bool is_cuda = kind == CK_PROGRAM_CUDA;
  if (own->emit == CK_EMIT_LTOIR && is_cuda && !own->relocatable_device_code)
    own->relocatable_device_code = CK_ON;
  /* Sorted, since the order makes no difference: one order gives one key. */
  if (own->name_expression_count)
    qsort((void *)own->name_expressions, own->name_expression_count, sizeof(char *), by_text);
  foreign->kind = kind;
  foreign->source = arena_strndup(arena, source, bytes);
  foreign->bytes = bytes;
  *out_foreign = foreign;
  return CK_OK;
}

static void add_word(Words *out, const char *format, const char *value)
{
  const char *mark = strstr(format, "%");
  const char *word =
      mark ? arena_printf(out->arena, "%.*s%s", (int)(mark - format), format, value) : format;
  vec_push(out->arena, out, word);
}

static void add_number(Words *out, const char *format, long long number)
{
  char text[32];
  snprintf(text, sizeof text, "%lld", number);
  add_word(out, format, text);
}

void foreign_words(const Foreign *foreign, Tool tool, Words *out)
{
  /* The words of each tool for yes and no, and for levels of optimisation. NVRTC's --dopt has a
   * single value: a program for debugging is not optimised without it, and every other program is.
   */
  static const char yes_no[][2][6] = {{"false", "true"}, {"0", "1"}, {"0", "1"}};
  static const char levels[][2][3] = {{"", "on"}, {"0", "3"}, {"0", "3"}};
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    Value value = value_of(&foreign->options, i);
    if (!value.count || !has_option(tool, i)) continue;
    const char *format = strings_at(words, TOOL_COUNT * i + tool);
    if (!*format) continue;
    bool is_on = value.choice == CK_ON;
    switch ((Form)rows[i].form) {
    case SWITCH: add_word(out, format, ""); break;
    case CHOICE: add_word(out, format, yes_no[tool][is_on]); break;
    case LEVEL:
      if (*levels[tool][is_on]) add_word(out, format, levels[tool][is_on]);
      break;
    case NUMBER: add_number(out, format, value.number == UINT32_MAX ? 0 : value.number); break;
    case TEXT: add_word(out, format, value.text); break;
    case TEXTS:
      for (size_t k = 0; k < value.count; ++k) add_word(out, format, value.texts[k]);
      break;
    case NUMBERS:
      for (size_t k = 0; k < value.count; ++k) add_number(out, format, value.numbers[k]);
      break;
    case SOURCES: break;
    }
  }
}

/* ---- the cache's key ---- */

static Digest digest_value(Digest digest, const Value *value, Form form)
{
  uint32_t plain[] = {(uint32_t)value->choice, value->number};
  digest = digest_more(digest, plain, sizeof plain);
  digest = digest_more(digest, &value->count, sizeof value->count);
  if (form == TEXT && value->text) digest = digest_more(digest, value->text, strlen(value->text));
  for (size_t i = 0; i < value->count; ++i) {
    if (form == TEXTS) digest = digest_more(digest, value->texts[i], strlen(value->texts[i]));
    if (form == NUMBERS) digest = digest_more(digest, &value->numbers[i], sizeof(int));
    if (form != SOURCES) continue;
    const ck_program_source_t *source = &value->sources[i];
    if (source->name) digest = digest_more(digest, source->name, strlen(source->name));
    digest = digest_more(digest, source->text, source->bytes);
  }
  return digest;
}

/* The version of the driver if it links; code linked by nvJitLink does not depend on the driver. 0:
 * no driver takes part, -1: unknown. */
static int linking_driver(const Foreign *foreign, const ck_device_t *device)
{
  int version = 0;
  bool is_linked = foreign->kind != CK_PROGRAM_CUDA && foreign->options.emit == CK_EMIT_CUBIN;
  if (!is_linked || !device || !device->driver->traits->takes_ptx) return 0;
  if (device->driver->cuDriverGetVersion(&version) != CUDA_SUCCESS) return -1;
  return linker_is_driver(version) ? version : 0;
}

/* Whether an option in a tool's own syntax reads or writes files. It may have one dash or two, and
 * its value after `=`, a blank, nothing, or in the next word. */
static Reads reads_by_word(const char *word)
{
  static const struct {
    char start[20];
    Reads reads;
  } known[] = {{"I", READS},
               {"include", READS}, /* also include-path */
               {"pre-include", READS},
               {"use-pch", READS},
               {"pch", READS}, /* also pch-dir */
               {"options-file", READS},
               {"optf", READS},
               {"create-pch", WRITES},
               {"fdevice-time-trace", WRITES},
               {"time", WRITES}};
  if (*word == '@') return READS;
  const char *name = word + strspn(word, "-");
  for (size_t i = 0; name > word && i < COUNT_OF(known); ++i)
    if (!strncmp(name, known[i].start, strlen(known[i].start))) return known[i].reads;
  return NOTHING;
}

/* The strongest effect of the words of an option. */
static Reads reads_of(size_t row, const Value *value)
{
  Reads reads = NOTHING;
  if (!value->count || rows[row].reads != BY_WORD)
    return value->count ? (Reads)rows[row].reads : NOTHING;
  for (size_t i = 0; i < value->count; ++i) {
    Reads word = reads_by_word(value->texts[i]);
    if (word > reads) reads = word;
  }
  return reads;
}

/* The output of NVIDIA's tools depends on the toolkit's files and on what this library appends to
 * it. This number stands for the latter, and is incremented when that changes. */
enum { KEY_SCHEMA = 2 };

bool foreign_key(const Foreign *foreign, const ck_device_t *device, const char *target,
                 const Digest *extra, Digest *out)
{
  Tool tool = kinds[foreign->kind].tool;
  bool is_cuda = foreign->kind == CK_PROGRAM_CUDA;
  if (foreign->is_adopted) return false;
  if (is_cuda && !extra && strstr(foreign->source, "include")) return false;
  uint32_t numbers[] = {KEY_SCHEMA, (uint32_t)foreign->kind, (uint32_t)foreign->options.emit,
                        (uint32_t)linking_driver(foreign, device), extra != NULL};
  Digest toolkit = toolkit_identity_now();
  Digest digest = digest_more(toolkit, numbers, sizeof numbers);
  if (extra) digest = digest_more(digest, extra, sizeof *extra);
  digest = digest_more(digest, foreign->source, foreign->bytes);
  digest = digest_more(digest, target, strlen(target));
  digest = digest_more(digest, foreign->options.name, strlen(foreign->options.name));
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    Value value = value_of(&foreign->options, i);
    Reads reads = reads_of(i, &value);
    if (reads == READS && !extra) return false;
    if (reads == WRITES && is_cuda) return false;
    /* For a linker it only matters whether there is a text. */
    if (tool == TOOL_linker && rows[i].form == TEXT) value.text = NULL;
    digest = digest_value(digest, &value, (Form)rows[i].form);
  }
  *out = digest;
  return true;
}

/* ---- compile ---- */

/* The options that a program and a linker have in common. */
static ck_linker_options_t linker_options(const Foreign *foreign, const char *target)
{
  const ck_program_options_t *o = &foreign->options;
  ck_linker_options_t link = CK_OPTIONS_INIT(ck_linker_options_t);
  link.name = o->name;
  link.target = target;
  link.max_registers = o->max_registers;
  link.time = o->time ? CK_ON : CK_UNSET;
  link.link_time_optimization = o->link_time_optimization;
  link.debug = o->debug;
  link.lineinfo = o->lineinfo;
  link.ftz = o->ftz;
  link.prec_div = o->prec_div;
  link.prec_sqrt = o->prec_sqrt;
  link.fma = o->fma;
  link.no_cache = o->no_cache;
  link.split_compile = o->split_compile;
  link.ptxas_options = o->ptxas_options;
  link.ptxas_option_count = o->ptxas_option_count;
  link.extra = o->extra;
  link.extra_count = o->extra_count;
  return link;
}

static void read_logs(const ck_linker_t *linker, Buf *log)
{
  const char *info = ck_linker_info_log(linker), *error = ck_linker_error_log(linker);
  buf_printf(log, "%s%s%s", error, *error && *info ? "\n" : "", info);
}

static ck_status_t link_image(const ck_linker_options_t *options, ck_link_input_t kind,
                              const char *data, size_t bytes, const char *name, ck_emit_t form,
                              ck_device_t *device, Buf *log, ck_object_code_t **out_code)
{
  ck_linker_t *linker;
  CK_TRY(ck_linker_create(device, options, &linker));
  ck_status_t status = ck_linker_add(linker, kind, data, bytes, name);
  if (status == CK_OK) status = ck_linker_link(linker, form, out_code);
  read_logs(linker, log);
  ck_linker_release(linker);
  return status;
}

/* Links PTX or LTO-IR, with the linker that the caller has the handle of if its device and target
 * match. */
static ck_status_t link_source(const Foreign *foreign, const char *target, ck_device_t *device,
                               Buf *log, ck_object_code_t **out_code)
{
  ck_linker_options_t options = linker_options(foreign, target);
  if (foreign->linker && device == foreign->linker_device &&
      !strcmp(target, foreign->linker_target)) {
    ck_status_t status = ck_linker_link(foreign->linker, foreign->options.emit, out_code);
    read_logs(foreign->linker, log);
    return status;
  }
  return link_image(&options, kinds[foreign->kind].input, foreign->source, foreign->bytes,
                    options.name, foreign->options.emit, device, log, out_code);
}

void foreign_compare_versions(const Foreign *foreign, const ck_device_t *device, Buf *log)
{
  bool is_ptx = foreign->kind == CK_PROGRAM_CUDA && foreign->options.emit == CK_EMIT_PTX;
  const Nvrtc *nvrtc;
  int driver = 0, major = 0, minor = 0;
  if (!is_ptx || !device || !device->driver->traits->takes_ptx) return;
  if (!(nvrtc = nvrtc_open(NULL))) return;
  if (device->driver->cuDriverGetVersion(&driver) != CUDA_SUCCESS) return;
  nvrtc->nvrtcVersion(&major, &minor);
  if (1000 * major + 10 * minor <= driver) return;
  buf_printf(log,
             "%swarning: this PTX is NVRTC %d.%d's, and the driver is CUDA %d.%d's, which may not "
             "know all of it\n",
             log->len ? "\n" : "", major, minor, driver / 1000, driver % 1000 / 10);
}

/* Makes object code; for NVRTC with a manifest of the names under which its kernels are found. */
static ck_status_t make_code(const Foreign *foreign, const char *target, ForeignResult *result,
                             ck_object_code_t **out_code)
{
  Arena *arena = result->image.arena;
  Buf json = BUF(arena), why = BUF(arena);
  const ManifestParts parts = {.source = foreign->options.name,
                               .target = target,
                               .backend = "nvrtc",
                               .symbols = result->symbols,
                               .symbol_count = result->symbol_count,
                               .has_foreign = true};
  if (foreign->kind == CK_PROGRAM_CUDA && manifest_write(&json, &parts, &why))
    manifest_attach(&result->image, result->form, json.data, json.len);
  return ck_object_code_from_bytes(result->image.data, result->image.len, out_code);
}

ck_status_t foreign_compile(const Foreign *foreign, ck_device_t *device, const char *target,
                            ForeignResult *result, ck_object_code_t **out_code)
{
  const char *name = foreign->options.name;
  ck_emit_t form = foreign->options.emit;
  if (!strcmp(target, "host"))
    return error_unsupported("'%s' is %s: the host device runs CK alone", name,
                             kinds[foreign->kind].name);
  ck_linker_options_t link;
  switch (foreign->kind) {
  case CK_PROGRAM_CUDA:
    CK_TRY(nvrtc_compile(foreign, target, result));
    foreign_compare_versions(foreign, device, &result->log);
    return make_code(foreign, target, result, out_code);
  case CK_PROGRAM_NVVM:
    CK_TRY(nvvm_compile(foreign, target, result));
    if (form != CK_EMIT_CUBIN) return make_code(foreign, target, result, out_code);
    /* without the options that libNVVM has applied already */
    link = (ck_linker_options_t){.struct_size = sizeof link,
                                 .name = name,
                                 .target = target,
                                 .debug = foreign->options.debug,
                                 .lineinfo = foreign->options.lineinfo};
    return link_image(&link, CK_LINK_ANY, result->image.data, result->image.len, name, form, device,
                      &result->log, out_code);
  case CK_PROGRAM_PTX:
    if (form == CK_EMIT_PTX)
      return ck_object_code_from_bytes(foreign->source, foreign->bytes, out_code);
    return link_source(foreign, target, device, &result->log, out_code);
  case CK_PROGRAM_LTOIR: return link_source(foreign, target, device, &result->log, out_code);
  case CK_PROGRAM_CK: break;
  }
  return error_set(CK_INTERNAL, "a program of CK among others");
}

/* ---- the tools' own objects ---- */

static ck_status_t make_linker(Foreign *foreign, ck_device_t *device, const char *target)
{
  ck_linker_options_t options = linker_options(foreign, target);
  ck_linker_t *linker;
  CK_TRY(ck_linker_create(device, &options, &linker));
  ck_status_t status = ck_linker_add(linker, kinds[foreign->kind].input, foreign->source,
                                     foreign->bytes, options.name);
  void *native;
  if (status == CK_OK) status = ck_linker_get_native(linker, &native);
  if (status != CK_OK) {
    ck_linker_release(linker);
    return status;
  }
  foreign->linker = linker;
  foreign->linker_device = device;
  foreign->linker_target = target;
  return CK_OK;
}

ck_status_t foreign_get_native(Foreign *foreign, ck_device_t *device, const char *target,
                               void **out_native)
{
  if (foreign->native) *out_native = foreign->native;
  else if (kinds[foreign->kind].tool == TOOL_nvrtc) CK_TRY(nvrtc_create(foreign, out_native));
  else if (kinds[foreign->kind].tool == TOOL_nvvm) CK_TRY(nvvm_create(foreign, out_native));
  if (kinds[foreign->kind].tool != TOOL_linker) {
    foreign->native = *out_native;
    return CK_OK;
  }
  if (!foreign->linker) CK_TRY(make_linker(foreign, device, target));
  return ck_linker_get_native(foreign->linker, out_native);
}

ck_status_t foreign_adopt(Foreign *foreign, void *native)
{
  bool is_nvrtc = foreign->kind == CK_PROGRAM_CUDA;
  foreign->native = native;
  foreign->is_adopted = true;
  foreign->wants_file = false;
  return is_nvrtc ? nvrtc_complete(foreign, native) : nvvm_complete(foreign, native);
}

void foreign_close(Foreign *foreign)
{
  ck_linker_release(foreign->linker);
  if (!foreign->native || foreign->is_adopted) return;
  if (foreign->kind == CK_PROGRAM_CUDA) nvrtc_destroy(foreign->native);
  else nvvm_destroy(foreign->native);
}
