/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_run.c - runs one case: makes the call of a test line by the functions of `ckc run`, and
 * checks its results against the lines that follow.
 *
 * What the process prints to standard output and standard error meanwhile goes to two files, since
 * a kernel's output and error messages are compared as text.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "tune.h"

/* capture ------------------------------------------------------------------------------------ */

const char *capture_text(Arena *arena, int fd)
{
  enum { TEXT_MAX = 1 << 20 }; /* more is not compared */
  off_t bytes = lseek(fd, 0, SEEK_END);
  if (bytes <= 0) return "";
  size_t size = bytes < TEXT_MAX ? (size_t)bytes : TEXT_MAX;
  char *text = arena_alloc(arena, size + 1);
  ssize_t got = pread(fd, text, size, 0);
  text[got > 0 ? got : 0] = 0;
  return text;
}

void capture_clear(const Capture *capture)
{
  const int fds[] = {capture->out, capture->err};
  for (size_t i = 0; i < COUNT_OF(fds); ++i)
    if (ftruncate(fds[i], 0) == 0) lseek(fds[i], 0, SEEK_SET);
}

/* options ------------------------------------------------------------------------------------ */

/* Options that only affect compilation. */
static const OptionId inherited[] = {
    OPTION_opt_level, OPTION_debug, OPTION_lineinfo, OPTION_check, OPTION_define,
    OPTION_import,    OPTION_lib,   OPTION_tuning,   OPTION_size,  OPTION_quick};

Exit case_options(Options *out, Arena *arena, const Test *call, const Options *given)
{
  static const OptionId foreign[] = {OPTION_print, OPTION_save,   OPTION_repeat,  OPTION_time,
                                     OPTION_set,   OPTION_device, OPTION_backend, OPTION_help};
  const Words *words = &call->options;
  *out = (Options){.arena = arena, .command = COMMAND_RUN};
  char **list = NEW_ARRAY(arena, char *, words->count + 1);
  for (uint32_t i = 0; i < words->count; ++i) list[i] = arena_strdup(arena, words->at[i]);
  Exit exit = options_read(out, (int)words->count, list);
  if (exit != EXIT_OK) return exit;
  if (out->words.count) return fail(EXIT_USAGE, "'%s' is no option", out->words.at[0]);
  for (size_t i = 0; i < COUNT_OF(foreign); ++i)
    if (option_has(out, foreign[i]))
      return fail(EXIT_USAGE, "'%s' says nothing in a test line", option_spelling(foreign[i]));
  for (size_t i = 0; i < COUNT_OF(inherited); ++i)
    if (!option_has(out, inherited[i])) out->given[inherited[i]] = given->given[inherited[i]];
  return EXIT_OK;
}

bool case_compiles_alike(const Options *a, const Options *b)
{
  for (size_t i = 0; i < COUNT_OF(inherited); ++i) {
    const Words *x = &a->given[inherited[i]], *y = &b->given[inherited[i]];
    if (x->count != y->count) return false;
    for (uint32_t j = 0; j < x->count; ++j)
      if (strcmp(x->at[j], y->at[j]) != 0) return false;
  }
  const Words *x = &a->given[OPTION_instance], *y = &b->given[OPTION_instance];
  return !x->count && !y->count;
}

/* Merges options: the call's own come before those of the CALL before a THEN and of the command
 * line. */
static Exit merge_options(Options *out, const CaseRun *run, const Options *given,
                          const char *device)
{
  Exit exit = case_options(out, run->arena, run->call, given);
  if (exit != EXIT_OK) return exit;
  vec_push(run->arena, &out->given[OPTION_device], device);
  if (run->one->backend) vec_push(run->arena, &out->given[OPTION_backend], run->one->backend);
  if (!run->one->tune || run->before) return EXIT_OK;
  Words *defines = &out->given[OPTION_define], all = {0};
  const Words *own = &run->one->tune->defines;
  for (uint32_t i = 0; i < defines->count; ++i) vec_push(run->arena, &all, defines->at[i]);
  for (uint32_t i = 0; i < own->count; ++i) vec_push(run->arena, &all, own->at[i]);
  *defines = all;
  return EXIT_OK;
}

/* a call ------------------------------------------------------------------------------------- */

static void bind(CaseRun *run, Binding binding)
{
  vec_push(run->arena, &run->bindings.names, binding);
}

static void bind_value(CaseRun *run, const Value *value, ck_dtype_t dtype)
{
  ck_arg_t arg;
  int64_t integer;
  uint64_t element = 0;
  Buf why = BUF(run->arena);
  const Param *param = run_param(&run->run, value->name);
  const char *layout = param ? param->info.layout : NULL;
  for (uint32_t i = run->bindings.names.count; value->shared && i-- > 0;) {
    Binding binding = run->bindings.names.at[i];
    if (strcmp(binding.name, value->shared->info.name) != 0) continue;
    binding.name = value->name;
    bind(run, binding);
    return;
  }
  if (value->data)
    bind(run, (Binding){value->name, 0, value->data, &value->shape, dtype, layout,
                        layout ? param->info.bytes : 0, NULL});
  if (value->kind != VALUE_NUMBER || layout ||
      !number_read(value->text, dtype, &arg, &integer, &why))
    return;
  /* little-endian: a value of any width is at the start */
  memcpy(&element, &arg.value, sizeof element);
  bind(run,
       (Binding){.name = value->name, .number = number_wide(dtype, &element, 0), .dtype = dtype});
}

static const char *folder_of(Arena *arena, const char *path)
{
  return arena_strndup(arena, path, (size_t)(path_base(path) - path));
}

/* The array of the previous launch that a bare name means: the buffer itself, not a copy of its
 * elements. */
static const Param *shared_array(CaseRun *run, const Param *param, const TestValue *value)
{
  bool is_expr = value->kind == VALUE_NUMBER && value->expr;
  const char *name = is_expr ? expr_is_name(value->expr) : NULL;
  return name ? run_kept_array(&run->run, param, name) : NULL;
}

/* The values of the call's arguments, for expressions as well. */
static Exit make_values(CaseRun *run)
{
  const Test *test = run->call;
  bool needs_data = test->kind == TEST_CALL || test->expects.count;
  ValueMaker maker = {run->arena, &run->bindings, folder_of(run->arena, run->one->file->path),
                      needs_data, false,          NULL,
                      false};
  /* Bindings point to the values, which therefore must not move. */
  run->run.values.at = NEW_ARRAY(run->arena, Value, test->args.count + 1);
  run->run.values.room = test->args.count + 1;
  for (uint32_t i = 0; i < test->args.count; ++i) {
    const TestArg *arg = &test->args.at[i];
    Param *param = run_param(&run->run, arg->name);
    Buf why = BUF(run->arena);
    bool is_good = !param || test_image_type(param, &arg->value, &why);
    ck_dtype_t dtype = param ? param->info.dtype : CK_F32; /* run_read_arguments reports it */
    maker.param = param;
    Value *value = &run->run.values.at[run->run.values.count++];
    const Param *shared = param ? shared_array(run, param, &arg->value) : NULL;
    if (shared)
      *value = (Value){
          .name = arg->name, .text = arg->value.text, .kind = VALUE_SHARED, .shared = shared};
    if (shared) is_good = test_image_setup(&maker, &arg->value, value, &why);
    else is_good = is_good && test_value_make(&maker, &arg->value, arg->name, dtype, value, &why);
    if (!is_good) return fail(EXIT_INPUT, "'%s': %s", arg->name, buf_text(&why));
    bind_value(run, value, dtype);
  }
  return EXIT_OK;
}

/* Binds the scalars that were inferred from arrays. */
static void bind_inferred(CaseRun *run)
{
  for (size_t i = 0; i < run->run.count; ++i) {
    const Param *param = &run->run.params[i];
    if (param->info.kind == CK_PARAM_SCALAR && param->told_by)
      bind(run, (Binding){.name = param->info.name,
                          .number = (Wide)run->run.names[i].value,
                          .dtype = CK_I64});
  }
}

static Exit bind_before(CaseRun *run, CaseRun *from);

/* Uses the compiled code of the previous launch, unless the options or the kernels differ. */
static void share_code(CaseRun *run)
{
  CaseRun *before = run->before;
  if (!before || option_has(&run->options, OPTION_instance)) return;
  for (size_t i = 0; i < COUNT_OF(inherited); ++i)
    if (run->options.given[inherited[i]].at != before->options.given[inherited[i]].at) return;
  if (strchr(run->run.kernel_name, '<') || strchr(before->run.kernel_name, '<')) return;
  run->run.device = ck_device_retain(before->run.device);
  run->run.program = ck_program_retain(before->run.program);
  run->run.code = ck_object_code_retain(before->run.code);
}

/* Values of the SET lines: for expressions, and as -D in front of those that the options name. */
static Exit set_constants(CaseRun *run)
{
  const Test *test = run->one->test;
  ValueMaker maker = {run->arena, &run->bindings, "", true, false, NULL, false};
  if (run->before) run->defines = run->before->defines;
  for (uint32_t i = 0; i < test->sets.count && !run->before; ++i) {
    const TestArg *set = &test->sets.at[i];
    Binding binding;
    const char *define;
    Buf why = BUF(run->arena);
    if (!test_constant_make(&maker, &set->value, set->name, &binding, &define, &why))
      return fail(EXIT_INPUT, "'%s': %s", set->name, buf_text(&why));
    bind(run, binding);
    vec_push(run->arena, &run->defines, define);
  }
  Words *given = &run->options.given[OPTION_define], all = {0};
  bool is_same = run->before && given->at == run->before->options.given[OPTION_define].at;
  if (!run->defines.count || is_same) return EXIT_OK;
  for (uint32_t i = 0; i < run->defines.count; ++i) vec_push(run->arena, &all, run->defines.at[i]);
  for (uint32_t i = 0; i < given->count; ++i) vec_push(run->arena, &all, given->at[i]);
  *given = all;
  return EXIT_OK;
}

/* `before`: the launch before, or NULL. */
static Exit case_open(CaseRun *out, const Case *one, const Test *call, CaseRun *before,
                      const Options *options, const char *device, Arena *arena, bool is_repeated)
{
  *out = (CaseRun){.one = one, .call = call, .before = before, .arena = arena};
  Exit exit = merge_options(&out->options, out, before ? &before->options : options, device);
  if (exit != EXIT_OK) return exit;
  out->run = (Run){.options = &out->options, .arena = arena, .path = one->file->path};
  out->run.kernel_name = call->kernel ? call->kernel : "";
  out->run.before = before ? &before->run : NULL;
  for (uint32_t i = 0; i < one->test->loops.count; ++i)
    bind(out,
         (Binding){.name = one->test->loops.at[i].name, .number = one->loops[i], .dtype = CK_F64});
  exit = set_constants(out);
  if (exit != EXIT_OK) return exit;
  share_code(out);
  if (!out->run.code) exit = run_compile(&out->run);
  if (exit != EXIT_OK || (call->kind == TEST_COMPILE && !call->kernel)) return exit;
  exit = run_find_kernel(&out->run);
  if (exit != EXIT_OK || call->kind == TEST_COMPILE) return exit;
  if (before) exit = bind_before(out, before);
  if (exit == EXIT_OK) exit = make_values(out);
  if (exit == EXIT_OK) exit = run_read_arguments(&out->run);
  if (exit != EXIT_OK) return exit;
  bind_inferred(out);
  out->is_known = one->tune && !call->then && tune_is_known(out);
  if (out->is_known) return EXIT_OK;
  return run_prepare(&out->run, is_repeated);
}

/* Launches, and waits. */
static Exit case_launch(CaseRun *run)
{
  Run *call = &run->run;
  ck_status_t status =
      ck_launch_args(call->stream, &call->config, call->kernel, call->args, call->count);
  run->is_faulted = status != CK_OK && status != CK_INVALID_ARGUMENT;
  if (status == CK_OK) {
    status = ck_stream_sync(call->stream);
    run->is_faulted = status != CK_OK;
  }
  return run_status(status);
}

static void case_close(CaseRun *run)
{
  for (; run; run = run->before) {
    if (run->host) run_release(&run->host->run);
    run_release(&run->run);
  }
}

/* `result` of several numbers of one type. */
static Exit read_numbers(CaseRun *run, const char *bytes, Result *out)
{
  const Run *call = &run->run;
  size_t count = ck_kernel_result_part_count(call->kernel);
  *out = (Result){.name = "result", .shape = {.rank = 1}};
  Buf data = BUF(run->arena);
  for (size_t i = 0; i < count; ++i) {
    ck_result_part_t part;
    ck_kernel_get_result_part(call->kernel, i, &part);
    if (out->shape.count++ && part.dtype != out->dtype)
      return fail(EXIT_INPUT, "'result' has several types: write (value, value) or {field: value}");
    out->dtype = part.dtype;
    buf_bytes(&data, bytes + part.offset, ck_dtype_bytes(part.dtype));
  }
  out->data = buf_text(&data);
  out->shape.at[0] = out->shape.count;
  return EXIT_OK;
}

/* The newest launch with an array or result of this name; NULL: none. */
static CaseRun *owner_of(CaseRun *run, const char *name)
{
  for (; run; run = run->before) {
    if (!strcmp(name, "result") && ck_kernel_result_part_count(run->run.kernel)) return run;
    const Param *param = run_param(&run->run, name);
    if (param && param->info.kind != CK_PARAM_SCALAR) return run;
  }
  return NULL;
}

/* Reads an array after the call, or its result. */
static Exit read_root(CaseRun *run, const char *name, Result *out)
{
  Run *call = &run->run;
  bool is_result = !strcmp(name, "result") && ck_kernel_result_part_count(call->kernel);
  Param *param = is_result ? &call->params[call->count - 1] : run_param(call, name);
  const char *layout = param->info.layout, *data;
  Exit fetched = image_fetch(call, param);
  if (fetched != EXIT_OK) return fetched;
  Shape shape = is_result ? (Shape){.count = 1} : run_stored_shape(param);
  size_t width = layout ? param->info.bytes : ck_dtype_bytes(param->info.dtype);
  *out = (Result){name, param->info.dtype, shape, NULL, layout, layout ? width : 0};
  if (is_result) {
    Exit exit = result_read(call, run->arena, &data);
    out->data = data;
    return exit;
  }
  void *copy = arena_alloc(run->arena, shape.count * width + 1);
  out->data = copy;
  ck_status_t status = ck_buffer_read(param->buffer, 0, copy, shape.count * width, call->stream);
  if (status == CK_OK) status = ck_stream_sync(call->stream);
  return status == CK_OK ? EXIT_OK : fail_status(status);
}

static Exit bind_root(CaseRun *run, CaseRun *from, const char *name)
{
  Result root;
  Exit exit = read_root(from, name, &root);
  if (exit != EXIT_OK) return exit;
  Shape *shape = NEW(run->arena, Shape);
  *shape = root.shape;
  bind(run, (Binding){name, 0, root.data, shape, root.dtype, root.layout, root.width, NULL});
  return EXIT_OK;
}

/* Binds the names of a THEN line: arguments of the previous launches, and the present contents of
 * their arrays. */
static Exit bind_before(CaseRun *run, CaseRun *from)
{
  Exit exit = from->before ? bind_before(run, from->before) : EXIT_OK;
  for (uint32_t i = 0; i < from->bindings.names.count; ++i) bind(run, from->bindings.names.at[i]);
  for (size_t i = 0; i < from->run.count && exit == EXIT_OK; ++i) {
    const Param *param = &from->run.params[i];
    if (run_is_result(&from->run, param)) exit = bind_root(run, from, "result");
    else if (param->info.kind != CK_PARAM_SCALAR) exit = bind_root(run, from, param->info.name);
  }
  return exit;
}

/* Reads what an EXPECT line names: an array, a result, or a field of one. */
static Exit read_result(CaseRun *run, const Expectation *expect, Result *out)
{
  Result root;
  CaseRun *owner = owner_of(run, expect->root);
  if (!owner) return fail(EXIT_INPUT, "%s has no array '%s'", run->run.kernel_name, expect->root);
  Exit exit = read_root(owner, expect->root, &root);
  if (exit != EXIT_OK) return exit;
  bool is_plain = expect->root == expect->name, is_result = !strcmp(expect->root, "result");
  bool is_list = !expect->is_host && !expect->value.record && expect->value.kind == VALUE_NUMBER;
  *out = root;
  if (is_plain && is_result && is_list && ck_kernel_result_part_count(owner->run.kernel) > 1)
    return read_numbers(owner, root.data, out);
  if (is_plain && !root.layout) return EXIT_OK;
  ExprData data;
  Buf why = BUF(run->arena);
  Binding binding = {expect->root, 0,           root.data,  &root.shape,
                     root.dtype,   root.layout, root.width, NULL};
  Bindings bindings = {{&binding, 1, 1}, NULL};
  if (!expr_bind_data(expect->target, &bindings, &data, &why) || !data.data)
    return fail(EXIT_INPUT, "'%s': %s", expect->name,
                why.len ? buf_text(&why) : "it is no field and no element");
  out->name = expect->name;
  out->shape = data.shape;
  out->dtype = data.dtype;
  out->layout = data.layout;
  out->width = data.layout ? root.width : 0;
  out->data = expr_gather(&data, data.layout ? root.width : ck_dtype_bytes(data.dtype), run->arena);
  return EXIT_OK;
}

/* checks ------------------------------------------------------------------------------------- */

/* The same launches on the host device, up to this one. */
static Exit ask_host(CaseRun *run, const Options *options)
{
  if (run->host) return EXIT_OK;
  Exit exit = run->before ? ask_host(run->before, options) : EXIT_OK;
  if (exit != EXIT_OK) return exit;
  run->host = NEW(run->arena, CaseRun);
  exit = case_open(run->host, run->one, run->call, run->before ? run->before->host : NULL, options,
                   "host", run->arena, false);
  return exit == EXIT_OK ? case_launch(run->host) : exit;
}

static bool check_records(const ValueMaker *maker, const Result *got, const Expectation *expect,
                          const Tolerance *tolerance, Buf *why)
{
  Shape shape;
  void *data;
  Value value;
  const TestValue *wanted = &expect->value;
  if (wanted->record)
    return test_records_make(maker, wanted->record, got->layout, got->width, &shape, &data, why) &&
           test_compare_records(got, &shape, data, tolerance, why);
  Param like = {.info = {.kind = CK_PARAM_SPAN, .layout = got->layout, .bytes = got->width}};
  ValueMaker own = *maker;
  own.param = &like;
  own.is_expected = true;
  return test_value_make(&own, wanted, expect->name, CK_NONE, &value, why) &&
         test_compare_records(got, &value.shape, value.data, tolerance, why);
}

static bool check_host(CaseRun *host, const Result *got, const Expectation *expect,
                       const Tolerance *tolerance, Buf *why)
{
  Result oracle;
  if (read_result(host, expect, &oracle) != EXIT_OK) return false;
  return got->layout ? test_compare_records(got, &oracle.shape, oracle.data, tolerance, why)
                     : test_compare(got, &oracle.shape, oracle.data, NULL, tolerance, why);
}

static bool check_one(CaseRun *run, const Expectation *expect, Buf *why)
{
  Result got;
  Value value;
  Shape shape = {.rank = 0};
  TestValue wanted = expect->value;
  const Tolerance *tolerance = &run->call->tolerance;
  CaseRun *owner = owner_of(run, expect->root);
  ValueMaker maker = {
      run->arena, &run->bindings, folder_of(run->arena, run->one->file->path),
      true,       false,          owner ? run_param(&owner->run, expect->root) : NULL,
      false};
  /* it is the oracle itself */
  if (expect->is_host && ck_device_is_host(run->run.device)) return true;
  if (read_result(run, expect, &got) != EXIT_OK) return false;
  if (expect->is_host) return check_host(run->host, &got, expect, tolerance, why);
  if (got.layout) return check_records(&maker, &got, expect, tolerance, why);
  bool is_part = expect->root != expect->name;
  if (maker.param && (is_part || maker.param->info.layout)) maker.param = NULL; /* plain numbers */
  if (wanted.kind == VALUE_NUMBER && !wanted.record)
    return expr_bind(wanted.expr, &run->bindings, &shape, why) &&
           test_compare(&got, &shape, NULL, wanted.expr, tolerance, why);
  return test_value_make(&maker, &wanted, expect->name, got.dtype, &value, why) &&
         test_compare(&got, &value.shape, value.data, NULL, tolerance, why);
}

/* Checks the EXPECT lines of a launch against what the buffers hold now; false with *out_line and
 * `why`. */
static bool case_check(CaseRun *run, const Options *options, uint32_t *out_line, Buf *why)
{
  bool needs_host = false, is_good = true;
  for (uint32_t i = 0; i < run->call->expects.count; ++i)
    needs_host |= run->call->expects.at[i].is_host && !ck_device_is_host(run->run.device);
  if (needs_host && ask_host(run, options) != EXIT_OK)
    return buf_fail(why, "the host device, which is to tell what is expected, fails");
  for (uint32_t i = 0; is_good && i < run->call->expects.count; ++i) {
    const Expectation *expect = &run->call->expects.at[i];
    *out_line = expect->line;
    is_good = check_one(run, expect, why);
  }
  return is_good;
}

/* Removes one whole line from a text, if it is there. */
static bool take_line(char *text, const char *line)
{
  size_t len = strlen(line);
  for (char *at = text; (at = strstr(at, line)) != NULL; ++at) {
    if ((at > text && at[-1] != '\n') || (at[len] && at[len] != '\n')) continue;
    memmove(at, at + len, strlen(at + len) + 1);
    return true;
  }
  return false;
}

/* Checks printed lines, in any order, since threads print in any order. */
static bool check_output(const Test *test, Arena *arena, const char *text, uint32_t *out_line,
                         Buf *why)
{
  char *rest = arena_strdup(arena, text);
  for (uint32_t i = 0; i < test->outputs.count; ++i) {
    *out_line = test->outputs.at[i].line;
    if (take_line(rest, test->outputs.at[i].text)) continue;
    return buf_fail(why, "no line '%s' is printed; it prints:\n%s", test->outputs.at[i].text, text);
  }
  return true;
}

static bool check_errors(const Test *test, Exit exit, const char *out, const char *err,
                         uint32_t *out_line, Buf *why)
{
  *out_line = test->errors.at[0].line;
  if (exit == EXIT_OK)
    return buf_fail(why, "expected an error with '%s', there is none", test->errors.at[0].text);
  for (uint32_t i = 0; i < test->errors.count; ++i) {
    const char *text = test->errors.at[i].text;
    if (strstr(out, text) || strstr(err, text)) continue;
    *out_line = test->errors.at[i].line;
    return buf_fail(why, "expected an error with '%s', got:\n%s%s", text, out, err);
  }
  return true;
}

/* cases -------------------------------------------------------------------------------------- */

const char *case_loops(Arena *arena, const Case *one)
{
  Buf text = BUF(arena);
  for (uint32_t i = 0; i < one->test->loops.count; ++i)
    buf_printf(&text, "%s%s = %s", i ? ", " : "with ", one->test->loops.at[i].name,
               number_wide_text(arena, one->loops[i]));
  return buf_text(&text);
}

bool test_has_tag(const Test *test, const char *tag)
{
  for (uint32_t i = 0; i < test->tags.count; ++i)
    if (!strcmp(test->tags.at[i], tag)) return true;
  return false;
}

/* The reason to skip a case on its device; NULL: none. */
static const char *reason_to_skip(const Case *one, const Options *options)
{
  ck_device_t *device;
  Options own = {.arena = options->arena, .command = COMMAND_RUN};
  vec_push(options->arena, &own.given[OPTION_device], one->device);
  if (!test_has_tag(one->test, "no_gpu") && !test_has_tag(one->test, "no_host")) return NULL;
  if (open_device(&own, &device) != EXIT_OK) return NULL;
  bool is_host = ck_device_is_host(device);
  ck_device_release(device);
  if (test_has_tag(one->test, is_host ? "no_host" : "no_gpu"))
    return is_host ? "no_host" : "no_gpu";
  return NULL;
}

/* The reason why a call with expectations was compared with nothing; NULL: it was compared. */
static const char *why_unchecked(const Test *test, bool is_host)
{
  bool is_checked = test->errors.count || test->outputs.count, is_expected = false;
  for (const Test *call = test; call; call = call->then) {
    for (uint32_t i = 0; i < call->expects.count; ++i)
      is_checked |= !(call->expects.at[i].is_host && is_host);
    is_expected |= call->expects.count > 0;
  }
  return is_checked || !is_expected ? NULL : "the host device would be compared with itself";
}

bool case_judge(const Test *test, Exit exit, const Capture *capture, Arena *arena,
                uint32_t *out_line, Buf *why)
{
  fflush(stdout);
  const char *out = capture_text(arena, capture->out), *err = capture_text(arena, capture->err);
  if (test->errors.count) return check_errors(test, exit, out, err, out_line, why);
  if (exit != EXIT_OK) buf_printf(why, "%s%s", out, err);
  return exit == EXIT_OK && check_output(test, arena, out, out_line, why);
}

/* Opens, launches and checks the calls of a test in order, up to the first that fails. *out_run is
 * the last one that was opened. */
static Exit run_calls(Case *result, const Options *options, Arena *arena, CaseRun **out_run,
                      bool *out_is_good, Buf *why)
{
  const Test *test = result->test;
  Exit exit = EXIT_OK;
  *out_is_good = true;
  for (const Test *call = test; call && exit == EXIT_OK && *out_is_good; call = call->then) {
    CaseRun *run = NEW(arena, CaseRun);
    result->line = call->line;
    exit = case_open(run, result, call, *out_run, options, result->device, arena,
                     test->kind == TEST_BENCH);
    *out_run = run;
    if (exit != EXIT_OK || test->kind == TEST_COMPILE || run->is_known) break;
    exit = case_launch(run);
    if (exit == EXIT_OK && !test->errors.count)
      *out_is_good = case_check(run, options, &result->line, why);
  }
  return exit;
}

bool case_run(Case *result, const Options *options, const Capture *capture, Arena *arena)
{
  CaseRun *run = NULL;
  const Test *test = result->test;
  double start = seconds_now();
  capture_clear(capture);
  const char *skip = result->tune ? tune_reason_to_skip(result->tune) : NULL;
  if (!skip) skip = reason_to_skip(result, options);
  if (skip) {
    result->verdict = VERDICT_SKIPPED;
    result->text = arena_strdup(arena, skip);
    return true;
  }
  Buf why = BUF(arena);
  bool is_good;
  Exit exit = run_calls(result, options, arena, &run, &is_good, &why);
  if (is_good) is_good = case_judge(test, exit, capture, arena, &result->line, &why);
  if (!is_good && !why.len) buf_puts(&why, capture_text(arena, capture->err));
  result->verdict = is_good ? VERDICT_PASSED : VERDICT_FAILED;
  if (is_good) result->line = test->line;
  else result->text = buf_text(&why);
  bool is_host = run->run.device && ck_device_is_host(run->run.device);
  const char *unchecked = is_good && test->kind == TEST_CALL ? why_unchecked(test, is_host) : NULL;
  if (unchecked) {
    result->verdict = VERDICT_UNCHECKED;
    result->text = unchecked;
  }
  if (test->kind == TEST_BENCH && result->verdict == VERDICT_PASSED &&
      options->command == COMMAND_BENCH && bench_run(run, options, result) != EXIT_OK) {
    result->verdict = VERDICT_FAILED;
    result->text = capture_text(arena, capture->err);
  }
  if (result->tune && result->verdict == VERDICT_PASSED && !run->is_known &&
      tune_measure(run) != EXIT_OK) {
    result->verdict = VERDICT_FAILED;
    result->text = capture_text(arena, capture->err);
  }
  bool is_faulted = run->is_faulted;
  case_close(run);
  result->seconds = seconds_now() - start;
  return !is_faulted;
}
