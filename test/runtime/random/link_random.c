/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* link_random.c - links random modules whose functions call each other with nvJitLink, in random
 * order: complete, with missing or duplicate pieces, and with mismatching functions.
 *
 *   link_random [seed [seconds]]    a seed is a link; the next seed follows while there is time
 *
 * Each link is a process of its own, so that a crash is reported with its seed. Nothing is
 * executed: the links end with a cubin.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>

#include "both.h"
#include "random.h"

enum { MODULES = 5, FUNCTIONS = 8, PARAMS = 4, TEXT_BYTES = 1 << 14, PATIENCE = 60 };

static const char *const types[] = {"i32", "u32", "i64", "u64", "f32", "f64", "i8", "u16"};
static const char *const targets[] = {"sm_75", "sm_80", "sm_90"};

typedef struct Function {
  int module, param_count;
  const char *params[PARAMS], *result; /* NULL: nothing */
  unsigned calls;                      /* bit set of earlier functions */
} Function;

typedef enum Twist { WHOLE, MISSING, TWICE, DIFFERENT, KERNEL_TWICE, FUNCTION_TWICE, TWISTS } Twist;

typedef struct Text {
  char at[TEXT_BYTES];
  size_t len;
} Text;

static unsigned seed;
static int module_count, function_count;
static Function functions[FUNCTIONS];
static Twist twist;
static int victim;       /* the function or module that is changed */
static bool is_imported; /* another module calls it */

static const char *any_type(void)
{
  return types[below(sizeof types / sizeof *types)];
}

static void put(Text *text, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  text->len += (size_t)vsnprintf(text->at + text->len, sizeof text->at - text->len, format, values);
  va_end(values);
}

/* modules -------------------------------------------------------------------------------------- */

static void make_functions(void)
{
  module_count = 2 + (int)below(MODULES - 1);
  function_count = module_count + (int)below(FUNCTIONS - MODULES + 1);
  for (int i = 0; i < function_count; ++i) {
    Function *one = &functions[i];
    *one = (Function){.module = i < module_count ? i : (int)below((unsigned)module_count)};
    one->param_count = (int)below(PARAMS + 1);
    for (int k = 0; k < one->param_count; ++k) one->params[k] = any_type();
    one->result = below(6) ? any_type() : NULL;
    for (int k = 0; k < i; ++k) one->calls |= below(2) << k;
  }
  functions[0].result = "i32";
}

/* "(a0: i32, a1: f32) -> u32" */
static void put_head(Text *text, const Function *one, bool is_different)
{
  put(text, "(");
  for (int k = 0; k < one->param_count; ++k)
    put(text, "%sa%d: %s", k ? ", " : "", k, one->params[k]);
  if (is_different) put(text, "%sbeside: f64", one->param_count ? ", " : "");
  put(text, ")");
  if (one->result) put(text, " -> %s", one->result);
}

/* Adds a call's value to `sum`. */
static void put_call(Text *text, int callee, bool is_different)
{
  const Function *one = &functions[callee];
  put(text, "    %sf%d(", one->result ? "sum += i32(" : "", callee);
  for (int k = 0; k < one->param_count; ++k) put(text, "%s%s(sum)", k ? ", " : "", one->params[k]);
  if (is_different) put(text, "%s1.0", one->param_count ? ", " : "");
  put(text, ")%s;\n", one->result ? ")" : "");
}

static void put_body(Text *text, int module, unsigned calls, const Function *one)
{
  put(text, "    var sum = helper(table[%u]);\n", below(4));
  for (int k = 0; one && k < one->param_count; ++k) put(text, "    sum += i32(a%d);\n", k);
  for (int k = 0; k < function_count; ++k)
    if (calls >> k & 1)
      put_call(text, k, twist == DIFFERENT && k == victim && functions[k].module != module);
}

/* The modules have constants, functions and structs of equal names. */
static void make_module(Text *text, int module)
{
  unsigned used = 0;
  text->len = 0;
  put(text, "const table: i32[4] = [%u, 2, 3, %d];\n", below(100), module);
  put(text, "fn helper(x: i32) -> i32 = x * %d;\nstruct Pair { a: i32; b: i32; }\n", module + 2);
  for (int i = 0; i < function_count; ++i) {
    const Function *one = &functions[i];
    if (one->module != module) continue;
    used |= one->calls;
    put(text, "export fn f%d", i);
    put_head(text, one, false);
    put(text, "\n{\n");
    put_body(text, module, one->calls, one);
    if (one->result) put(text, "    return %s(sum);\n", one->result);
    put(text, "}\n");
  }
  bool has_own = twist == FUNCTION_TWICE && module != functions[victim].module;
  if (has_own) {
    put(text, "export fn f%d", victim);
    put_head(text, &functions[victim], false);
    if (functions[victim].result) put(text, " = %s(99);\n", functions[victim].result);
    else put(text, " {}\n");
  }
  unsigned by_kernel = below(1u << function_count) | 1;
  used |= by_kernel;
  const char *name = twist == KERNEL_TWICE ? "same" : "k";
  put(text, "kernel %s%d(x: inout i32[64]) launch(block = 64, grid = 1)\n{\n", name,
      twist == KERNEL_TWICE ? 0 : module);
  put(text, "    shared all: i32[64];\n    all[thread.x] = x[thread.x];\n    block.sync();\n");
  put_body(text, module, by_kernel, NULL);
  put(text, "    let pair = Pair(sum, all[63 - thread.x]);\n    x[thread.x] = pair.a + pair.b;\n");
  if (below(3) == 0) put(text, "    print(\"module %d: {}\\n\", sum);\n", module);
  put(text, "}\nkernel g%d<T: number = i32>(x: inout T[1]) { x[0] += T(%d); }\n", module, module);
  put(text, "export g%d<f32>, g%d<u64>;\n", module, module);
  for (int i = 0; i < function_count; ++i) {
    if (!(used >> i & 1) || functions[i].module == module) continue;
    if (has_own && i == victim) continue;
    is_imported |= i == victim;
    put(text, "import fn f%d", i);
    put_head(text, &functions[i], twist == DIFFERENT && i == victim);
    put(text, ";\n");
  }
}

/* NULL, with the reason printed. */
static ck_object_code_t *compile(const Text *text, int module, const char *target, bool *out_can)
{
  static const ck_emit_t forms[] = {CK_EMIT_LTOIR, CK_EMIT_PTX, CK_EMIT_PTX};
  static const ck_backend_t backends[] = {CK_BACKEND_LIBNVVM, CK_BACKEND_LIBNVVM, CK_BACKEND_NVPTX};
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_program_t *program = NULL;
  ck_object_code_t *piece = NULL;
  char name[32];
  unsigned way = below(3);
  snprintf(name, sizeof name, "m%d.ck", module);
  options.file_name = name;
  options.target = target;
  options.emit = forms[way];
  options.backend = backends[way];
  options.opt_level = below(3) ? CK_OPT_DEFAULT : CK_OPT_0;
  if (below(4) == 0) options.flags = below(2) ? CK_COMPILE_LINEINFO : CK_COMPILE_CHECK;
  ck_status_t status = ck_program_create(text->at, text->len, &options, &program);
  if (status == CK_OK) status = ck_program_compile(program, NULL, &piece);
  *out_can = status != CK_UNAVAILABLE;
  if (status != CK_OK && *out_can)
    fprintf(stderr, "%s\n%s\n%s\n", ck_last_error(), program ? ck_program_log(program) : "",
            text->at);
  ck_program_release(program);
  return piece;
}

/* links ---------------------------------------------------------------------------------------- */

static void any_options(ck_linker_options_t *options, const char *target)
{
  static const char *const kernels[] = {"k0", "k*"};
  options->target = target;
  options->name = "random";
  if (below(3) == 0) options->opt_level = below(2) ? CK_OPT_0 : CK_OPT_3;
  if (below(4) == 0) options->lineinfo = CK_ON;
  if (options->opt_level == CK_OPT_0 && below(2)) options->debug = CK_ON;
  if (below(4) == 0) options->verbose = CK_ON;
  if (below(4) == 0) options->ftz = CK_ON;
  if (below(4) == 0) options->fma = CK_OFF;
  if (below(6) == 0) options->max_registers = 32 + below(32);
  if (below(6) == 0) options->split_compile = 1 + below(3);
  if (below(6) == 0) options->split_compile_extended = 1 + below(3);
  if (below(6) == 0) options->optimize_unused_variables = CK_ON;
  if (below(8) || twist != WHOLE) return;
  options->kernels_used = kernels;
  options->kernel_used_count = 1 + below(2);
}

static void check_linked(ck_status_t status, const ck_object_code_t *linked, bool is_mixed,
                         unsigned kernels)
{
  char name[16], piece[16];
  snprintf(name, sizeof name, "f%d", victim);
  snprintf(piece, sizeof piece, "m%d.ck", functions[victim].module);
  bool is_dropped = is_mixed && status == CK_COMPILE && strstr(ck_last_error(), "of LTO-IR with");
  switch (twist) {
  case WHOLE:
    CHECK(status == CK_OK || is_dropped);
    if (linked) CHECK(ck_object_code_kernel_count(linked) == kernels);
    break;
  case MISSING:
    CHECK(status == CK_COMPILE);
    CHECK_ERROR("'f0'");
    break;
  case TWICE:
    CHECK(status == CK_COMPILE);
    CHECK_ERROR(piece);
    break;
  case FUNCTION_TWICE:
    CHECK(status == CK_COMPILE);
    CHECK_ERROR(name);
    break;
  case KERNEL_TWICE:
    CHECK(status == CK_COMPILE);
    CHECK_ERROR("'same0' is defined by 'm");
    break;
  default:
    CHECK(is_imported ? status == CK_COMPILE : status == CK_OK || is_dropped);
    if (is_imported) CHECK_ERROR(name);
  }
}

/* Links all pieces in random order, except the one that is left out. */
static void link_pieces(ck_object_code_t *const *pieces, const char *target)
{
  ck_linker_options_t options = CK_OPTIONS_INIT(ck_linker_options_t);
  ck_linker_t *linker = NULL;
  ck_object_code_t *linked = NULL;
  int order[MODULES + 1], count = 0, ltoir_count = 0;
  unsigned kernels = 0;
  for (int i = 0; i < module_count; ++i) {
    if (twist == MISSING && i == functions[victim].module) continue;
    int k = (int)below((unsigned)count + 1);
    order[count++] = order[k];
    order[k] = i;
    ltoir_count += ck_object_code_form(pieces[i]) == CK_EMIT_LTOIR;
    kernels += (unsigned)ck_object_code_kernel_count(pieces[i]);
  }
  if (twist == TWICE) order[count++] = functions[victim].module;
  any_options(&options, target);
  if (below(6) == 0 && ltoir_count) options.link_time_optimization = CK_ON;
  CHECK_OK(ck_linker_create(NULL, &options, &linker));
  for (int i = 0; i < count; ++i) CHECK_OK(ck_linker_add_code(linker, pieces[order[i]]));
  ck_status_t status = ck_linker_link(linker, CK_EMIT_CUBIN, &linked);
  check_linked(status, linked, ltoir_count && ltoir_count < module_count, kernels);
  ck_object_code_release(linked);
  ck_linker_release(linker);
}

/* 77 where a part of the toolkit is missing. */
static int one_link(void)
{
  static Text text;
  ck_object_code_t *pieces[MODULES] = {NULL};
  const char *target = targets[below(sizeof targets / sizeof *targets)];
  bool can = true, has_all = true;
  make_functions();
  is_imported = false;
  twist = below(2) ? WHOLE : (Twist)below(TWISTS);
  victim = (int)below((unsigned)function_count);
  if (twist == MISSING) victim = 0; /* every kernel calls it */
  for (int i = 0; i < module_count && can; ++i) {
    make_module(&text, i);
    pieces[i] = compile(&text, i, target, &can);
    has_all &= pieces[i] != NULL;
  }
  CHECK(has_all || !can);
  if (has_all) link_pieces(pieces, target);
  for (int i = 0; i < module_count; ++i) ck_object_code_release(pieces[i]);
  return can ? failed != 0 : 77;
}

static bool is_missing;

static void link_alone(void)
{
  int status = 1;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    passed = failed = 0;
    alarm(PATIENCE);
    random_state = seed;
    setenv("CK_CACHE", "off", 1); /* nothing repeats */
    exit(one_link());
  }
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  is_missing = WIFEXITED(status) && WEXITSTATUS(status) == 77;
  if (!CHECK(status == 0 || is_missing))
    fprintf(stderr, "seed %u: status 0x%x\n", seed, (unsigned)status);
}

int main(int argc, char **argv)
{
  seed = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
  time_t end = time(NULL) + (argc > 2 ? strtol(argv[2], NULL, 10) : 2);
  printf("seeds from %u on\n", seed);
  do {
    link_alone();
    ++seed;
  } while (!is_missing && time(NULL) < end);
  printf("%u passed, %u failed\n", passed, failed);
  return is_missing ? 77 : failed != 0;
}
