/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* run.c - ckc run: launches one kernel with arguments from the command line, and prints or saves
 * its results.
 *
 * The steps: compile; match the words with the parameters; tell scalars from arrays; solve extents
 * for scalars that were left out; fill buffers; launch; write results. All of it goes through
 * libckrt, which opens libckc only if the code isn't in the cache.
 *
 *     x=@x.npy with x: in f32[n, 4]    shape 100x4, so n = 100 (infer_one)
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

/* words -------------------------------------------------------------------------------------- */

/* Reads NAME=VALUE. A value is read as in test lines; one that can't be is kept as text, for the
 * parameter's own reader to refuse. */
static bool read_word(Arena *arena, const char *word, Value *out, Buf *why)
{
  const char *equals = strchr(word, '=');
  if (!equals || equals == word) return buf_fail(why, "'%s' is not NAME=VALUE", word);
  TestValue *value = NEW(arena, TestValue);
  Reader reader = {.arena = arena, .at = equals + 1, .end = equals + strlen(equals)};
  *out = (Value){.name = arena_strndup(arena, word, (size_t)(equals - word)), .text = equals + 1};
  if (out->text[0] == '@') { /* to the end, with blanks */
    *value = (TestValue){.kind = VALUE_FILE, .text = out->text + 1};
    out->written = value;
    return true;
  }
  bool is_good = test_value_read(&reader, value);
  reader_skip(&reader);
  if (is_good && reader.at < reader.end)
    is_good = reader_fail(&reader, reader.at, "nothing more fits here");
  bool is_number = value->kind == VALUE_NUMBER && !strchr("[{(", out->text[0]);
  if (is_good) out->written = value;
  if (is_good || is_number) return true;
  buf_printf(why, "'%s': %s", word, reader.error);
  if (*reader.error_at) buf_printf(why, ", at '%s'", reader.error_at);
  return false;
}

static Exit read_words(Run *run)
{
  const Words *words = &run->options->words;
  if (words->count < 2 || strchr(words->at[1], '='))
    return fail(EXIT_USAGE, "ckc run needs FILE.ck and the name of a kernel; "
                            "ckc run --help says more");
  run->path = words->at[0];
  run->kernel_name = words->at[1];
  for (uint32_t i = 2; i < words->count; ++i) {
    Value value;
    Buf why = BUF(run->arena);
    if (!read_word(run->arena, words->at[i], &value, &why))
      return fail(EXIT_USAGE, "%s", buf_text(&why));
    for (uint32_t j = 0; j < run->values.count; ++j)
      if (!strcmp(value.name, run->values.at[j].name))
        return fail(EXIT_USAGE, "'%s' is given twice", value.name);
    vec_push(run->arena, &run->values, value);
  }
  return EXIT_OK;
}

/* the kernel --------------------------------------------------------------------------------- */

Exit run_compile(Run *run)
{
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  char *source;
  size_t bytes;
  Exit exit = options_for_compiler(run->options, &options);
  if (exit == EXIT_OK) exit = read_source(run->arena, run->path, &source, &bytes);
  if (exit == EXIT_OK) exit = open_device(run->options, &run->device);
  if (exit != EXIT_OK) return exit;
  options.file_name = source_name(run->path);
  if (strchr(run->kernel_name, '<') && !options.instance_count) {
    options.instances = &run->kernel_name;
    options.instance_count = 1;
    options.flags |= CK_COMPILE_ONLY;
  }
  ck_status_t status = ck_program_create(source, bytes, &options, &run->program);
  if (status != CK_OK) return fail_status(status);
  status = ck_program_compile(run->program, run->device, &run->code);
  const char *log = ck_program_log(run->program);
  fputs(log, stderr);
  if (status == CK_OK) return EXIT_OK;
  return *log ? exit_of_status(status) : fail_status(status);
}

/* Is it the name of a generic kernel? Without <...>, the compiler can't infer its parameters. */
static bool is_generic(Run *run)
{
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  char *source;
  size_t bytes;
  ck_program_t *program;
  ck_object_code_t *code = NULL;
  if (!strcmp(run->path, "-") || options_for_compiler(run->options, &options) != EXIT_OK ||
      read_source(run->arena, run->path, &source, &bytes) != EXIT_OK)
    return false;
  options.file_name = source_name(run->path);
  options.instances = &run->kernel_name;
  options.instance_count = 1;
  options.flags |= CK_COMPILE_ONLY;
  if (ck_program_create(source, bytes, &options, &program) != CK_OK) return false;
  bool is_refused = ck_program_compile(program, run->device, &code) == CK_COMPILE;
  bool is_found = is_refused && strstr(ck_program_log(program), "[no_inference]");
  ck_object_code_release(code);
  ck_program_release(program);
  return is_found;
}

static Exit no_kernel(Run *run)
{
  if (is_generic(run))
    return fail(EXIT_USAGE,
                "'%s' of %s is generic: name an instance, as '%s<f32>', with a type or a number "
                "for each of its parameters",
                run->kernel_name, source_name(run->path), run->kernel_name);
  size_t count = ck_object_code_kernel_count(run->code);
  const char **names = NEW_ARRAY(run->arena, const char *, count + 1);
  Buf list = BUF(run->arena);
  for (size_t i = 0; i < count; ++i) {
    names[i] = ck_object_code_kernel_name(run->code, i);
    buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
  }
  return fail(EXIT_USAGE, "%s has no kernel '%s'%s; it has %s", source_name(run->path),
              run->kernel_name, did_you_mean(run->arena, run->kernel_name, names, count),
              count ? buf_text(&list) : "none");
}

Exit run_find_kernel(Run *run)
{
  ck_status_t status = ck_kernel_from_code(run->code, run->device, run->kernel_name, &run->kernel);
  if (status == CK_NOT_FOUND) return no_kernel(run);
  if (status == CK_OK) status = ck_stream_create(run->device, NULL, &run->stream);
  if (status != CK_OK) return fail_status(status);
  run->count = ck_kernel_param_count(run->kernel);
  run->params = NEW_ARRAY(run->arena, Param, run->count + 1);
  run->names = NEW_ARRAY(run->arena, ExtentName, run->count + 1);
  for (size_t i = 0; i < run->count; ++i) {
    Param *param = &run->params[i];
    status = ck_kernel_get_param(run->kernel, i, &param->info);
    if (status != CK_OK) return fail_status(status);
    bool is_span = param->info.kind == CK_PARAM_SPAN;
    param->reads = param->info.dtype;
    if (param->info.kind == CK_PARAM_TENSOR_MAP)
      return fail(
          EXIT_USAGE,
          "'%s' of %s is a tensor map: a program that has one launches it (ck/tensor_map.h)",
          param->info.name, run->kernel_name);
    if (param_is_image(param))
      param->info.bytes = (uint32_t)ck_dtype_bytes(param->reads) * param->info.components;
    if (param->info.dtype == CK_NONE && !param->info.layout)
      return fail(EXIT_USAGE,
                  "'%s' of %s is made of structs, tuples or arrays, and its object code is too old "
                  "to say which",
                  param->info.name, run->kernel_name);
    run->names[i] = (ExtentName){
        .name = param->info.name,
        .is_span = is_span,
        .is_u64 = !is_span && param->info.dtype == CK_U64,
    };
  }
  return EXIT_OK;
}

/* A parameter as CK writes it: "x: in f32[n]". */
static const char *param_text(Arena *arena, const Param *param)
{
  static const char *const access[] = {
      [CK_ACCESS_IN] = "in", [CK_ACCESS_OUT] = "out", [CK_ACCESS_INOUT] = "inout"};
  const ck_param_t *info = &param->info;
  const char *type = info->layout ? info->layout : ck_dtype_name(info->dtype);
  if (info->components > 1) type = arena_printf(arena, "%sx%u", type, info->components);
  if (info->kind == CK_PARAM_SCALAR) return arena_printf(arena, "%s: %s", info->name, type);
  if (param_is_image(param)) return image_text(arena, param);
  Buf text = BUF(arena);
  buf_printf(&text, "%s: %s %s[", info->name, access[info->access], type);
  for (uint32_t i = 0; i < info->extent_count; ++i)
    buf_printf(&text, "%s%s", i ? ", " : "", extent_text(arena, info->extents[i]));
  buf_putc(&text, ']');
  return buf_text(&text);
}

Param *run_param(Run *run, const char *name)
{
  for (size_t i = 0; i < run->count; ++i)
    if (!strcmp(run->params[i].info.name, name)) return &run->params[i];
  return NULL;
}

/* What the newest previous launch has under a name that fits a parameter: a scalar, a span, or the
 * array of a texture or surface. */
static const Param *find_kept(const Run *run, const char *name, const Param *kept_for)
{
  for (const Run *before = run->before; before; before = before->before)
    for (size_t i = 0; i < before->count; ++i) {
      const Param *param = &before->params[i];
      bool is_image = param_is_image(kept_for), is_same = param->info.kind == kept_for->info.kind;
      bool is_good = is_image ? param_is_image(param) : is_same && !run_is_result(before, param);
      if (is_good && !strcmp(param->info.name, name)) return param;
    }
  return NULL;
}

const Param *run_kept_array(const Run *run, const Param *param, const char *name)
{
  return param->info.kind == CK_PARAM_SCALAR ? NULL : find_kept(run, name, param);
}

static Exit no_param(Run *run, const char *name)
{
  const char **names = NEW_ARRAY(run->arena, const char *, run->count + 1);
  Buf list = BUF(run->arena);
  for (size_t i = 0; i < run->count; ++i) {
    names[i] = run->params[i].info.name;
    buf_printf(&list, "%s%s", i ? ", " : "", param_text(run->arena, &run->params[i]));
  }
  return fail(EXIT_USAGE, "%s has no parameter '%s'%s; it takes (%s)", run->kernel_name, name,
              did_you_mean(run->arena, name, names, run->count), buf_text(&list));
}

/* values and extents ------------------------------------------------------------------------- */

static Exit set_scalar(Run *run, Param *param, const char *text)
{
  Buf why = BUF(run->arena);
  ExtentName *name = &run->names[param - run->params];
  if (!number_read(text, param->info.dtype, &param->arg, &name->value, &why))
    return fail(param->told_by ? EXIT_INPUT : EXIT_USAGE, "'%s': %s%s%s", param->info.name,
                buf_text(&why), param->told_by ? "; it is taken from " : "",
                param->told_by ? param->told_by : "");
  name->is_known = true;
  return EXIT_OK;
}

uint32_t run_components(const Param *param)
{
  if (param->info.layout) return 1;
  return param->info.components == 3 ? 4 : param->info.components;
}

Shape run_stored_shape(const Param *param)
{
  Shape shape = param->shape;
  uint32_t width = run_components(param);
  if (width == 1 || shape.rank == EXTENTS_MAX) return shape;
  shape.at[shape.rank++] = width;
  shape.count *= width;
  return shape;
}

static bool is_same_type(const Param *a, const Param *b)
{
  const char *one = a->info.layout, *other = b->info.layout;
  if (param_is_image(a))
    return a->info.rank == b->info.rank && !a->info.is_layered == !b->info.is_layered &&
           a->info.components == b->info.components;
  if (one || other) return one && other && !strcmp(one, other) && a->info.bytes == b->info.bytes;
  return a->info.dtype == b->info.dtype && run_components(a) == run_components(b);
}

static Exit share_array(Run *run, Param *param, const Param *from)
{
  param->shape = from->shape;
  bool is_readable = !param_is_image(param) || image_set_type(param, from->info.dtype);
  if (is_readable && is_same_type(param, from)) return EXIT_OK;
  return fail(EXIT_USAGE, "'%s' is another array than '%s' of the launch before",
              param_text(run->arena, param), param_text(run->arena, from));
}

static Exit set_array(Run *run, Param *param, const Value *value)
{
  if (value->kind == VALUE_SHARED) return share_array(run, param, value->shared);
  param->shape = value->shape;
  if (value->kind != VALUE_FILE && value->kind != VALUE_DATA)
    return param_is_image(param) ? image_check(run, param) : EXIT_OK;
  Buf why = BUF(run->arena);
  const ck_param_t *info = &param->info;
  if (value->kind == VALUE_FILE) {
    if (!npy_open(&param->npy, run->arena, value->text, info->dtype, info->layout, info->bytes,
                  &why))
      return fail(EXIT_INPUT, "'%s': '%s': %s", info->name, value->text, buf_text(&why));
    param->shape = param->npy.shape;
  }
  uint32_t width = run_components(param);
  if (width == 1) return param_is_image(param) ? image_check(run, param) : EXIT_OK;
  if (param->shape.rank < 2 || param->shape.at[param->shape.rank - 1] != width)
    return fail(EXIT_INPUT, "'%s' is of vectors: the last axis of '%s' has to have %u elements",
                info->name, value->text, width);
  --param->shape.rank;
  param->shape.count /= width;
  return param_is_image(param) ? image_check(run, param) : EXIT_OK;
}

/* Makes a value of the command line for its parameter. Files are not read yet. */
static Exit make_value(Run *run, Param *param, Value *value)
{
  static const Bindings none;
  const TestValue *written = value->written;
  ValueMaker maker = {run->arena, &none, "", false, true, param, false};
  const char *text = value->text;
  Buf why = BUF(run->arena);
  if (!written) return EXIT_OK;
  if (!test_image_type(param, written, &why))
    return fail(EXIT_USAGE, "'%s': %s", value->name, buf_text(&why));
  if (written->kind == VALUE_FILE && !written->image) {
    value->kind = VALUE_FILE;
    value->text = written->text;
    return EXIT_OK;
  }
  bool is_number = written->kind == VALUE_NUMBER && !written->record && !param->info.layout;
  bool is_made = test_value_make(&maker, written, value->name, param->info.dtype, value, &why);
  if (is_number && value->kind == VALUE_NUMBER && (!is_made || expr_is_number(written->expr)))
    value->text = text; /* its digits are read once, in its parameter's type */
  if (is_made || (is_number && value->kind == VALUE_NUMBER)) return EXIT_OK;
  return fail(EXIT_USAGE, "'%s': %s", value->name, buf_text(&why));
}

static Exit set_value(Run *run, Param *param, const Value *value)
{
  const char *name = param->info.name, *layout = param->info.layout,
             *type = layout ? layout : ck_dtype_name(param->info.dtype);
  bool is_span = param->info.kind != CK_PARAM_SCALAR, is_one = value->kind == VALUE_NUMBER;
  param->value = value;
  if (is_span && is_one)
    return fail(EXIT_USAGE,
                "'%s' is an array of %s: write %s=[1, 2], %s=@FILE.npy or %s=zeros:N, not '%s'",
                name, type, name, name, name, value->text);
  if (!is_span && !is_one)
    return fail(EXIT_USAGE, "'%s' is one %s, '%s' is an array", name, type, value->text);
  if (is_span) return set_array(run, param, value);
  if (!layout) return set_scalar(run, param, value->text);
  param->arg = ck_struct(value->data, param->info.bytes);
  return EXIT_OK;
}

static Exit match_values(Run *run)
{
  for (uint32_t i = 0; i < run->values.count; ++i) {
    Value *value = &run->values.at[i];
    Param *param = run_param(run, value->name);
    if (!param) return no_param(run, value->name);
    if (run_is_result(run, param))
      return fail(EXIT_USAGE, "'%s' is what %s gives", value->name, run->kernel_name);
    Exit exit = make_value(run, param, value);
    if (exit == EXIT_OK) exit = set_value(run, param, value);
    if (exit != EXIT_OK) return exit;
  }
  return EXIT_OK;
}

/* Arguments that are left out are those of the previous launch under the same name, but for `out`
 * arrays, which are new. */
static Exit keep_arrays(Run *run)
{
  for (size_t i = 0; i < run->count; ++i) {
    Param *param = &run->params[i];
    const Param *from = run_kept_array(run, param, param->info.name);
    bool is_new = param->info.access == CK_ACCESS_OUT || param->info.kind == CK_PARAM_SCALAR;
    if (!from || is_new || param->value) continue;
    Value *value = NEW(run->arena, Value);
    *value = (Value){.name = param->info.name, .kind = VALUE_SHARED, .shared = from};
    Exit exit = set_value(run, param, value);
    if (exit != EXIT_OK) return exit;
  }
  return EXIT_OK;
}

static void keep_scalars(Run *run)
{
  for (size_t i = 0; i < run->count; ++i) {
    Param *param = &run->params[i];
    const Param *from = find_kept(run, param->info.name, param);
    bool is_scalar = param->info.kind == CK_PARAM_SCALAR && !param->value && !param->told_by;
    if (!from || !is_scalar || !is_same_type(param, from)) continue;
    param->arg = from->arg;
    param->is_kept = true;
    if (param->info.layout) continue;
    for (const Run *before = run->before; before; before = before->before)
      if (from >= before->params && from < before->params + before->count)
        run->names[i].value = before->names[from - before->params].value;
    run->names[i].is_known = true;
  }
}

/* The length along an extent, if the array's shape has it. */
static bool shape_along(const Param *param, uint32_t extent, int64_t *out)
{
  if (param->info.extent_count == 1) *out = (int64_t)param->shape.count;
  else if (param->info.extent_count == param->shape.rank) *out = (int64_t)param->shape.at[extent];
  else return false;
  return true;
}

/* Solves one extent for its unknown scalar; sets *out_more if that gave a value. */
static Exit infer_one(Run *run, const Param *param, uint32_t index, bool *out_more)
{
  const char *text = param->info.extents[index];
  Extent extent = extent_read(text, run->names, run->count);
  int64_t length, rest;
  if (!extent.is_linear || extent.unknown < 0 || !shape_along(param, index, &length))
    return EXIT_OK;
  Param *scalar = &run->params[extent.unknown];
  if (__builtin_sub_overflow(length, extent.offset, &rest) || rest % extent.scale)
    return fail(EXIT_INPUT, "'%s' has %lld elements along %s: no '%s' gives that", param->info.name,
                (long long)length, extent_text(run->arena, text), scalar->info.name);
  scalar->told_by = arena_printf(run->arena, "'%s'", param->info.name);
  *out_more = true;
  return set_scalar(run, scalar,
                    arena_printf(run->arena, "%lld", (long long)(rest / extent.scale)));
}

static Exit infer_scalars(Run *run)
{
  for (bool is_more = true; is_more;) {
    is_more = false;
    for (size_t i = 0; i < run->count; ++i) {
      Param *param = &run->params[i];
      if (param->info.kind == CK_PARAM_SCALAR || !param->value) continue;
      run->names[i].is_known = true;
      run->names[i].value = (int64_t)param->shape.count;
      for (uint32_t j = 0; j < param->info.extent_count; ++j) {
        Exit exit = infer_one(run, param, j, &is_more);
        if (exit != EXIT_OK) return exit;
      }
    }
  }
  return EXIT_OK;
}

/* An `out` array that is left out has the shape of its extents. False: they aren't known. */
static bool complete_array(Run *run, Param *param)
{
  if (param->info.access != CK_ACCESS_OUT || !param->info.extent_count) return false;
  param->shape.rank = param->info.extent_count;
  for (uint32_t i = 0; i < param->shape.rank; ++i) {
    Extent extent = extent_read(param->info.extents[i], run->names, run->count);
    if (!extent.is_linear || extent.error || extent.unknown >= 0 || extent.offset < 0) return false;
    param->shape.at[i] = (uint64_t)extent.offset;
  }
  return shape_set_count(&param->shape);
}

/* Refuses an array of another rank than its parameter's: it can't give values for scalars in
 * extents. */
static Exit check_ranks(Run *run)
{
  static const char *const examples[] = {"8", "2x4", "2x2x2", "2x2x2x2"};
  for (size_t i = 0; i < run->count; ++i) {
    const Param *param = &run->params[i];
    uint32_t rank = param->value ? param->shape.rank : 0, wanted = param->info.extent_count;
    if (param->info.kind == CK_PARAM_SCALAR || !rank || wanted < 2 || rank == wanted) continue;
    return fail(EXIT_USAGE, "'%s' has %u extent%s, '%s' has %u; an array of that is zeros:%s",
                param->info.name, rank, rank == 1 ? "" : "s", param_text(run->arena, param), wanted,
                examples[wanted - 1]);
  }
  return EXIT_OK;
}

static Exit complete(Run *run)
{
  Buf list = BUF(run->arena);
  for (size_t i = 0; i < run->count; ++i) {
    Param *param = &run->params[i];
    bool is_span = param->info.kind == CK_PARAM_SPAN;
    bool is_there = is_span ? param->value || complete_array(run, param)
                            : param->value || param->told_by || param->is_kept;
    if (!is_there) buf_printf(&list, "%s'%s'", list.len ? ", " : "", param_text(run->arena, param));
  }
  if (!list.len) return EXIT_OK;
  Exit exit = check_ranks(run);
  if (exit != EXIT_OK) return exit;
  return fail(EXIT_USAGE, "%s needs values for %s", run->kernel_name, buf_text(&list));
}

/* The origins of the scalars in an array's extents: "n = 3 from 'x'". */
static const char *origins(Run *run, const Param *param)
{
  Buf text = BUF(run->arena);
  for (size_t i = 0; i < run->count; ++i) {
    bool is_used = false;
    for (uint32_t j = 0; j < param->info.extent_count; ++j)
      is_used |= extent_mentions(param->info.extents[j], run->names[i].name);
    if (!is_used) continue;
    const char *told_by = run->params[i].told_by;
    buf_printf(&text, "%s%s = %lld%s%s", text.len ? ", " : "", run->names[i].name,
               (long long)run->names[i].value, told_by ? " from " : "", told_by ? told_by : "");
  }
  return text.len ? arena_printf(run->arena, " (%s)", buf_text(&text)) : "";
}

/* Checks that a given array has the length of its extents. */
static Exit check_array(Run *run, Param *param)
{
  Shape want = {.rank = param->info.extent_count};
  if (!want.rank || !param->value) return EXIT_OK;
  bool is_same = true;
  for (uint32_t i = 0; i < want.rank; ++i) {
    Extent extent = extent_read(param->info.extents[i], run->names, run->count);
    int64_t length = 0;
    if (extent.error || !extent.is_linear || extent.offset < 0)
      return fail(EXIT_INPUT, "'%s': its extent %s %s%s", param->info.name,
                  extent_text(run->arena, param->info.extents[i]),
                  extent.error       ? expr_error_text(extent.error)
                  : extent.is_linear ? "is negative"
                                     : "can't be worked out",
                  origins(run, param));
    want.at[i] = (uint64_t)extent.offset;
    is_same &= !shape_along(param, i, &length) || length == extent.offset;
  }
  /* only the number of elements is compared */
  bool is_flat = param->shape.rank <= 1 || want.rank == 1;
  is_same &= shape_set_count(&want) && want.count == param->shape.count;
  is_same &= is_flat || param->shape.rank == want.rank;
  if (!is_same)
    return fail(EXIT_INPUT, "'%s' has %s elements, '%s' needs %s%s", param->info.name,
                shape_text(run->arena, &param->shape), param_text(run->arena, param),
                shape_text(run->arena, &want), origins(run, param));
  param->shape = want;
  return EXIT_OK;
}

Exit run_read_arguments(Run *run)
{
  Exit exit = match_values(run);
  if (exit == EXIT_OK) exit = keep_arrays(run);
  if (exit == EXIT_OK) exit = infer_scalars(run);
  keep_scalars(run);
  if (exit == EXIT_OK) exit = infer_scalars(run); /* scalars that are in an extent with those */
  if (exit == EXIT_OK) exit = complete(run);
  for (size_t i = 0; i < run->count && exit == EXIT_OK; ++i)
    exit = check_array(run, &run->params[i]);
  return exit;
}

/* launch ------------------------------------------------------------------------------------- */

static Exit read_dims(Run *run, OptionId option, const char *spelling, uint32_t out[3])
{
  const char *text = option_value(run->options, option);
  for (int i = 0; text && i < 3; ++i) {
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    bool is_good = *text >= '1' && *text <= '9' && !errno && value <= UINT32_MAX;
    if (!is_good || (*end && (*end != ',' || i == 2)))
      return fail(EXIT_USAGE, "%s=%s: one to three numbers from 1 are needed, as 8,4,1", spelling,
                  option_value(run->options, option));
    out[i] = (uint32_t)value;
    text = *end ? end + 1 : NULL;
  }
  return EXIT_OK;
}

static Exit read_repeat(const Options *options, uint32_t *out)
{
  enum { REPEAT_MAX = 1000000 };
  const char *text = option_value(options, OPTION_repeat);
  *out = 1;
  if (!text) return EXIT_OK;
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  if (*text < '1' || *text > '9' || *end || value > REPEAT_MAX)
    return fail(EXIT_USAGE, "--repeat=%s: a number from 1 to %d is needed", text, REPEAT_MAX);
  *out = (uint32_t)value;
  return EXIT_OK;
}

static Exit fill_buffers(Run *run, bool is_repeated)
{
  for (size_t i = 0; i < run->count; ++i) {
    Param *param = &run->params[i];
    if (param->info.kind == CK_PARAM_SCALAR) continue;
    uint64_t count = param->shape.count;
    const char *layout = param->info.layout;
    size_t width = layout ? param->info.bytes : ck_dtype_bytes(param->info.dtype);
    uint64_t numbers = count * run_components(param);
    size_t bytes = numbers * width;
    bool is_shared = param->value && param->value->kind == VALUE_SHARED;
    if (is_shared && param_is_image(param)) {
      Exit exit = image_make(run, param);
      if (exit != EXIT_OK) return exit;
    } else if (is_shared) {
      param->buffer = ck_buffer_retain(param->value->shared->buffer);
      param->arg = ck_span(param->buffer, 0, count);
    }
    if (is_shared) continue;
    ck_status_t status = ck_buffer_create(run->device, bytes, run->stream, &param->buffer);
    if (status != CK_OK) return fail_status(status);
    param->arg = ck_span(param->buffer, 0, count);
    Exit exit = array_fill(param->buffer, param->value, &param->npy, param->info.dtype, layout,
                           width, numbers, run->stream);
    npy_close(&param->npy);
    if (exit == EXIT_OK && param_is_image(param)) exit = image_make(run, param);
    if (exit != EXIT_OK) return exit;
    if (!is_repeated || param->info.access != CK_ACCESS_INOUT) continue;
    status = ck_buffer_create(run->device, bytes, run->stream, &param->initial);
    if (status == CK_OK)
      status = ck_buffer_copy(param->initial, 0, param->buffer, 0, bytes, run->stream);
    if (status != CK_OK) return fail_status(status);
  }
  return EXIT_OK;
}

Exit run_prepare(Run *run, bool is_repeated)
{
  run->config = (ck_launch_config_t)CK_OPTIONS_INIT(ck_launch_config_t);
  Exit exit = read_dims(run, OPTION_grid, "--grid", run->config.grid);
  if (exit == EXIT_OK) exit = read_dims(run, OPTION_block, "--block", run->config.block);
  if (exit == EXIT_OK) exit = read_dims(run, OPTION_cluster, "--cluster", run->config.cluster);
  if (exit == EXIT_OK) exit = fill_buffers(run, is_repeated);
  run->args = NEW_ARRAY(run->arena, ck_arg_t, run->count + 1);
  for (size_t i = 0; i < run->count; ++i) run->args[i] = run->params[i].arg;
  return exit;
}

Exit run_status(ck_status_t status)
{
  if (status == CK_OK) return EXIT_OK;
  fail_status(status);
  /* An argument that the launch refuses is a fault of the input. */
  return status == CK_INVALID_ARGUMENT ? EXIT_INPUT : exit_of_status(status);
}

ck_status_t run_restore(Run *run)
{
  ck_status_t status = CK_OK;
  for (size_t i = 0; i < run->count && status == CK_OK; ++i)
    if (run->params[i].initial && param_is_image(&run->params[i]))
      status = image_restore(run, &run->params[i]);
    else if (run->params[i].initial)
      status = ck_buffer_copy(run->params[i].buffer, 0, run->params[i].initial, 0,
                              ck_buffer_bytes(run->params[i].initial), run->stream);
  return status;
}

static int compare_doubles(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double run_span_bytes(const Run *run)
{
  double bytes = 0;
  for (size_t i = 0; i < run->count; ++i) {
    const Param *param = &run->params[i];
    if (param->info.kind == CK_PARAM_SCALAR) continue;
    size_t width = param->info.layout ? param->info.bytes : ck_dtype_bytes(param->info.dtype);
    double once = (double)(run_stored_shape(param).count * width);
    bytes += once * (param->info.access == CK_ACCESS_INOUT ? 2 : 1);
  }
  return bytes;
}

static void show_times(const Run *run, double *seconds, size_t count)
{
  double bytes = run_span_bytes(run);
  qsort(seconds, count, sizeof *seconds, compare_doubles);
  double median = (seconds[(count - 1) / 2] + seconds[count / 2]) / 2;
  fprintf(stderr, "%s on %s: median %.3f us, min %.3f us of %zu launches", run->kernel_name,
          ck_device_name(run->device), 1e6 * median, 1e6 * seconds[0], count);
  fprintf(stderr, "; %.0f bytes in spans, %.2f GB/s\n", bytes,
          median > 0 ? 1e-9 * bytes / median : 0);
}

typedef struct Launcher {
  Run *run;
  ck_event_t *start, *end;
} Launcher;

/* One launch and, if *out_seconds is wanted, its time. */
static ck_status_t launch_once(Launcher *launcher, double *out_seconds)
{
  Run *run = launcher->run;
  ck_status_t status = run_restore(run);
  if (status == CK_OK && out_seconds) status = ck_stream_record(run->stream, launcher->start);
  if (status == CK_OK)
    status = ck_launch_args(run->stream, &run->config, run->kernel, run->args, run->count);
  if (status == CK_OK && out_seconds) status = ck_stream_record(run->stream, launcher->end);
  if (status == CK_OK) status = ck_stream_sync(run->stream);
  if (status == CK_OK && out_seconds)
    status = ck_event_get_elapsed(launcher->start, launcher->end, out_seconds);
  return status;
}

static ck_status_t launch_timed(Launcher *launcher, uint32_t repeat)
{
  Run *run = launcher->run;
  ck_event_options_t timing = CK_OPTIONS_INIT(ck_event_options_t);
  timing.flags = CK_EVENT_TIMING;
  double *seconds = NEW_ARRAY(run->arena, double, repeat);
  ck_status_t status = ck_event_create(run->device, &timing, &launcher->start);
  if (status == CK_OK) status = ck_event_create(run->device, &timing, &launcher->end);
  if (status == CK_OK) status = launch_once(launcher, NULL); /* loads the code: not timed */
  for (uint32_t i = 0; i < repeat && status == CK_OK; ++i)
    status = launch_once(launcher, &seconds[i]);
  ck_event_release(launcher->start);
  ck_event_release(launcher->end);
  if (status == CK_OK) show_times(run, seconds, repeat);
  return status;
}

static Exit launch_all(Launcher *launcher, uint32_t repeat, bool is_timed)
{
  ck_status_t status = CK_OK;
  if (is_timed) status = launch_timed(launcher, repeat);
  for (uint32_t i = 0; i < repeat && status == CK_OK && !is_timed; ++i)
    status = launch_once(launcher, NULL);
  return run_status(status);
}

static Exit launch(Run *run)
{
  Launcher launcher = {.run = run};
  uint32_t repeat;
  bool is_timed = option_has(run->options, OPTION_time);
  Exit exit = read_repeat(run->options, &repeat);
  if (exit == EXIT_OK) exit = run_prepare(run, repeat > 1 || is_timed);
  return exit == EXIT_OK ? launch_all(&launcher, repeat, is_timed) : exit;
}

/* results ------------------------------------------------------------------------------------ */

/* One NAME:REST of --print or --save. */
static Exit read_result(Run *run, const char *option, const char *text, Param **out_param,
                        const char **out_rest)
{
  const char *colon = strchr(text, ':');
  const char *name = arena_strndup(run->arena, text, strcspn(text, ":"));
  Param *param = run_param(run, name);
  *out_param = param;
  *out_rest = colon ? colon + 1 : NULL;
  if (!param) return no_param(run, name);
  if (run_is_result(run, param))
    return fail(EXIT_USAGE, "%s=%s: the result is printed in any case", option, text);
  if (param->info.kind == CK_PARAM_SCALAR)
    return fail(EXIT_USAGE, "%s=%s: '%s' is a scalar, a kernel can't change it", option, text,
                name);
  return EXIT_OK;
}

static Exit print_array(Run *run, Param *param, uint64_t limit, bool says_more)
{
  const ck_param_t *info = &param->info;
  Shape shape = run_stored_shape(param);
  Exit exit = image_fetch(run, param);
  if (exit != EXIT_OK) return exit;
  return array_print(param->buffer, info, &shape, limit, says_more, run->stream);
}

static Exit print_one(Run *run, const char *text, bool is_trial)
{
  const char *rest;
  char *end;
  Param *param;
  Exit exit = read_result(run, "--print", text, &param, &rest);
  if (exit != EXIT_OK) return exit;
  uint64_t limit = rest ? strtoull(rest, &end, 10) : UINT64_MAX;
  if (rest && (*rest < '0' || *rest > '9' || *end))
    return fail(EXIT_USAGE, "--print=%s: behind ':' stands a number of elements", text);
  if (is_trial) return EXIT_OK;
  return print_array(run, param, limit, false);
}

static Exit save_one(Run *run, const char *text, bool is_trial)
{
  const char *path;
  Param *param;
  Exit exit = read_result(run, "--save", text, &param, &path);
  if (exit != EXIT_OK) return exit;
  if (!path || !*path) return fail(EXIT_USAGE, "--save=%s: write NAME:FILE.npy", text);
  if (is_trial) return EXIT_OK;
  exit = image_fetch(run, param);
  if (exit != EXIT_OK) return exit;
  Shape shape = run_stored_shape(param);
  const ck_param_t *info = &param->info;
  uint64_t bytes = shape.count * (info->layout ? info->bytes : ck_dtype_bytes(info->dtype));
  const char *descr = info->layout ? npy_fields_text(run->arena, info->layout, info->bytes, &shape)
                                   : npy_type(info->dtype);
  return array_save(param->buffer, descr, bytes, &shape, path, run->stream);
}

/* Writes the results. A trial only checks the options, so that wrong ones are refused before the
 * launch. */
static Exit write_results(Run *run, bool is_trial)
{
  enum { FIRST_ELEMENTS = 16 };
  const Words *prints = &run->options->given[OPTION_print];
  const Words *saves = &run->options->given[OPTION_save];
  Exit exit = EXIT_OK;
  for (uint32_t i = 0; i < saves->count && exit == EXIT_OK; ++i)
    exit = save_one(run, saves->at[i], is_trial);
  for (uint32_t i = 0; i < prints->count && exit == EXIT_OK; ++i)
    exit = print_one(run, prints->at[i], is_trial);
  bool is_quiet = saves->count || prints->count || option_has(run->options, OPTION_time);
  for (size_t i = 0; i < run->count && !is_quiet && !is_trial && exit == EXIT_OK; ++i) {
    Param *param = &run->params[i];
    if (param->info.kind == CK_PARAM_SPAN && !param->value && !run_is_result(run, param))
      exit = print_array(run, param, FIRST_ELEMENTS, true);
  }
  if (exit == EXIT_OK && !is_trial) exit = result_print(run);
  return exit;
}

/* -------------------------------------------------------------------------------------------- */

void run_release(Run *run)
{
  for (size_t i = 0; i < run->count; ++i) {
    npy_close(&run->params[i].npy);
    image_release(&run->params[i]);
    ck_buffer_release(run->params[i].buffer);
    ck_buffer_release(run->params[i].initial);
  }
  ck_stream_release(run->stream);
  ck_kernel_release(run->kernel);
  ck_object_code_release(run->code);
  ck_program_release(run->program);
  ck_device_release(run->device);
}

/* Turns each --set into a -D, in front of the given ones. */
static Exit set_constants(Options *options)
{
  static const Bindings none;
  Arena *arena = options->arena;
  ValueMaker maker = {arena, &none, "", true, true, NULL, false};
  const Words *sets = &options->given[OPTION_set];
  Words *given = &options->given[OPTION_define], all = {0};
  for (uint32_t i = 0; i < sets->count; ++i) {
    Value value;
    Binding binding;
    const char *define = sets->at[i]; /* of numbers that an option's own reader refuses */
    Buf why = BUF(arena);
    if (!read_word(arena, define, &value, &why))
      return fail(EXIT_USAGE, "--set: %s", buf_text(&why));
    if (value.written &&
        !test_constant_make(&maker, value.written, value.name, &binding, &define, &why))
      return fail(EXIT_USAGE, "--set: '%s': %s", value.name, buf_text(&why));
    vec_push(arena, &all, define);
  }
  for (uint32_t i = 0; i < given->count; ++i) vec_push(arena, &all, given->at[i]);
  *given = all;
  return EXIT_OK;
}

Exit run_command(const Options *options)
{
  Options own = *options;
  Run run = {.options = &own, .arena = options->arena};
  Exit exit = read_words(&run);
  if (exit == EXIT_OK) exit = set_constants(&own);
  if (exit == EXIT_OK) exit = run_compile(&run);
  if (exit == EXIT_OK) exit = run_find_kernel(&run);
  if (exit == EXIT_OK) exit = run_read_arguments(&run);
  if (exit == EXIT_OK) exit = write_results(&run, true);
  if (exit == EXIT_OK) exit = launch(&run);
  if (exit == EXIT_OK) exit = write_results(&run, false);
  run_release(&run);
  return exit;
}
