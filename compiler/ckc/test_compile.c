/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_compile.c - ckc test --compile: compiles what the tests of a file call to machine code for
 * targets, so that a machine without a GPU finds what a back end or the assembler refuses.
 *
 * Nothing is launched, so arguments and FOR lines don't matter. The CALL and THEN lines with the
 * same options make one set: a single compilation of the module and of all instances that they
 * name. COMPILE lines, and calls of instances that are expected to fail, stand alone.
 *
 *     CALL: k<1>(...)        set 1: the module, k<1>, k<2>        1 case for each target and
 *     CALL: k<2>(...) -O1    set 2: the module with -O1, k<2>     back end
 *     THEN: k<2>(...) -O3
 *     COMPILE: k<3>          set 3: k<3> alone
 *     TAGS: no_gpu           skipped
 *
 * No device may be opened here.
 */
#include <string.h>

#include "test.h"

/* What the cases of one target and back end are made from. */
typedef struct Adder {
  CaseList *list;
  const Options *given;
  const char *target, *backend;
  uint32_t first; /* of its cases in the list */
  uint32_t most;  /* instances of one kernel */
  Words named;    /* a kernel's name for each of its instances so far */
} Adder;

static bool is_instance(const char *kernel)
{
  return kernel && strchr(kernel, '<');
}

static Case *add_case(Adder *adder, const Test *test, const Options *options, bool is_only)
{
  Arena *arena = adder->given->arena;
  CompileSet *set = NEW(arena, CompileSet);
  *set = (CompileSet){.options = options, .is_only = is_only};
  Case one = {.file = adder->list->file, .test = test, .device = adder->target};
  one.backend = adder->backend;
  one.compiled = set;
  one.loops = NEW_ARRAY(arena, Wide, test->loops.count + 1);
  vec_push(arena, &adder->list->cases, one);
  return &adder->list->cases.at[adder->list->cases.count - 1];
}

/* The case whose set takes calls of the test with these options; NULL: none. Calls that are
 * expected to fail have sets of their own, since the module itself may be what fails. */
static Case *find_case(const Adder *adder, const Test *test, const Options *options)
{
  for (uint32_t i = adder->first; i < adder->list->cases.count; ++i) {
    Case *one = &adder->list->cases.at[i];
    bool takes_more = one->test->kind == TEST_CALL && !one->compiled->is_only &&
                      !one->test->errors.count == !test->errors.count &&
                      !test_has_tag(one->test, "no_gpu");
    if (takes_more && case_compiles_alike(one->compiled->options, options)) return one;
  }
  return NULL;
}

/* Adds an instance to a set, unless it has it, or its kernel has had enough of them. */
static void add_instance(Adder *adder, Words *instances, const char *kernel)
{
  Arena *arena = adder->given->arena;
  const char *name = arena_strndup(arena, kernel, strcspn(kernel, "<"));
  uint32_t count = 0;
  for (uint32_t i = 0; i < instances->count; ++i)
    if (!strcmp(instances->at[i], kernel)) return;
  for (uint32_t i = 0; i < adder->named.count; ++i) count += !strcmp(adder->named.at[i], name);
  if (count >= adder->most) return;
  vec_push(arena, &adder->named, name);
  vec_push(arena, instances, kernel);
}

static Exit add_call(Adder *adder, const Test *test, const Test *call, const Options *before,
                     const Options **out_options)
{
  Options *options = NEW(adder->given->arena, Options);
  Exit exit = case_options(options, adder->given->arena, call, before);
  *out_options = options;
  if (exit != EXIT_OK) return exit;
  bool is_alone = call->kind == TEST_COMPILE || (test->errors.count && is_instance(call->kernel));
  Case *one = is_alone ? NULL : find_case(adder, test, options);
  if (!one) one = add_case(adder, test, options, is_alone && call->kernel);
  CompileSet *set = one->compiled;
  if (is_alone && call->kernel) vec_push(adder->given->arena, &set->instances, call->kernel);
  else if (is_instance(call->kernel)) add_instance(adder, &set->instances, call->kernel);
  return EXIT_OK;
}

Exit compile_add_cases(CaseList *list, const Test *const *tests, uint32_t count,
                       const Options *given, const char *target, const char *backend, uint32_t most)
{
  Adder adder = {list, given, target, backend, list->cases.count, most, {0}};
  for (uint32_t i = 0; i < count; ++i) {
    const Options *before = given;
    if (tests[i]->kind == TEST_BENCH) continue;
    if (test_has_tag(tests[i], "no_gpu")) {
      add_case(&adder, tests[i], given, true);
      continue;
    }
    for (const Test *call = tests[i]; call; call = call->then) {
      Exit exit = add_call(&adder, tests[i], call, before, &before);
      if (exit != EXIT_OK) return exit;
    }
  }
  return EXIT_OK;
}

static Exit compile_set(const Case *one, Arena *arena)
{
  const CompileSet *set = one->compiled;
  Options options = *set->options;
  ck_compile_options_t compile = CK_OPTIONS_INIT(ck_compile_options_t);
  char *source;
  size_t bytes;
  options.arena = arena;
  options.given[OPTION_backend] = (Words){.count = 0};
  if (one->backend) vec_push(arena, &options.given[OPTION_backend], one->backend);
  const Compiler *compiler = compiler_load(arena);
  if (!compiler) return EXIT_ENVIRONMENT;
  Words instances = options.given[OPTION_instance], all = {0};
  for (uint32_t i = 0; i < instances.count; ++i) vec_push(arena, &all, instances.at[i]);
  for (uint32_t i = 0; i < set->instances.count; ++i) vec_push(arena, &all, set->instances.at[i]);
  options.given[OPTION_instance] = all;
  Exit exit = options_for_compiler(&options, &compile);
  if (exit == EXIT_OK) exit = read_source(arena, one->file->path, &source, &bytes);
  if (exit != EXIT_OK) return exit;
  compile.file_name = source_name(one->file->path);
  compile.emit = CK_EMIT_CUBIN;
  compile.target = one->device;
  if (set->is_only) compile.flags |= CK_COMPILE_ONLY;
  ck_compilation_t *result = NULL;
  ck_status_t status = compiler->ck_compile(source, bytes, &compile, &result);
  if (!result) return fail(exit_of_status(status), "out of memory");
  fputs(compiler->ck_compilation_log(result), stderr);
  compiler->ck_compilation_release(result);
  return exit_of_status(status);
}

void compile_case_run(Case *result, const Capture *capture, Arena *arena)
{
  const Test *test = result->test;
  double start = seconds_now();
  Buf why = BUF(arena);
  capture_clear(capture);
  result->line = test->line;
  if (test_has_tag(test, "no_gpu")) {
    result->verdict = VERDICT_SKIPPED;
    result->text = "no_gpu";
    return;
  }
  Exit exit = compile_set(result, arena);
  /* A call's error may come from its launch, and its output does. */
  bool is_launch = test->kind == TEST_CALL && exit == EXIT_OK;
  bool is_good = is_launch || case_judge(test, exit, capture, arena, &result->line, &why);
  result->verdict = is_good ? VERDICT_PASSED : VERDICT_FAILED;
  if (is_good) result->line = test->line;
  else result->text = buf_text(&why);
  result->seconds = seconds_now() - start;
}
