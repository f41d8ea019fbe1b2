/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* checked.c - tests that ck_compile_kernels makes the code that ck_compile makes. */
#include "ck/compile.h"

#include <string.h>

#undef NDEBUG /* release builds check too */
#include <assert.h>

static const char scan[] = "algorithm run(n: u64, x: in i32[n], y: out i32[n]) {\n"
                           "    inclusive_scan(x, y, +);\n"
                           "}\n";
static const char axpy[] = "kernel axpy(n: u64, a: f32, x: in f32[n], y: inout f32[n])\n"
                           "    launch(block = 32, grid = 1) {\n"
                           "    for (i in grid.stride(n)) y[i] += a * x[i];\n"
                           "}\n";

static ck_compilation_t *compile(const char *text, const ck_compile_options_t *options)
{
  ck_compilation_t *made;
  assert(ck_compile(text, strlen(text), options, &made) == CK_OK);
  return made;
}

static ck_compilation_t *manifest_of(const char *text, ck_compile_options_t options)
{
  options.emit = CK_EMIT_MANIFEST;
  options.kernel_count = 0;
  return compile(text, &options);
}

static void is_same(const char *text, const ck_compile_options_t *options)
{
  size_t bytes, others;
  ck_compilation_t *whole = compile(text, options), *checked = manifest_of(text, *options);
  assert(ck_compile_kernels(checked, options) == CK_OK);
  const void *output = ck_compilation_output(whole, &bytes);
  const void *other = ck_compilation_output(checked, &others);
  assert(bytes == others && !memcmp(output, other, bytes));
  assert(!strcmp(ck_compilation_manifest(whole), ck_compilation_manifest(checked)));
  assert(!strcmp(ck_compilation_log(whole), ck_compilation_log(checked)));
  assert(ck_compilation_is_quick(whole) == ck_compilation_is_quick(checked));
  assert(ck_compile_kernels(checked, options) == CK_INVALID_ARGUMENT); /* once */
  ck_compilation_release(whole);
  ck_compilation_release(checked);
}

static ck_compile_options_t options_for(const char *target)
{
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  options.target = target;
  if (strcmp(target, "host") != 0) options.backend = CK_BACKEND_NVPTX;
  if (strcmp(target, "host") != 0) options.emit = CK_EMIT_PTX;
  return options;
}

static void code_is_the_same(void)
{
  static const char *const kernels[] = {"run.1.scan_one", "run.2.scan_central"};
  ck_compile_options_t options = options_for("sm_90"), host = options_for("host");
  is_same(scan, &options);
  is_same(axpy, &options);
  is_same(scan, &host);
  is_same(axpy, &host);
  options.kernel_count = 1;
  for (int i = 0; i < 2; ++i) {
    options.kernels = &kernels[i];
    is_same(scan, &options);
  }
  options.flags = CK_COMPILE_QUICK;
  options.kernels = kernels; /* without calls, which NVPTX numbers on from module to module */
  is_same(scan, &options);
}

static void what_cannot_go_on_is_refused(void)
{
  static const char *const missing = "saxpy";
  ck_compile_options_t options = options_for("sm_90");
  ck_compilation_t *whole = compile(axpy, &options), *checked = manifest_of(axpy, options);
  assert(ck_compile_kernels(whole, &options) == CK_INVALID_ARGUMENT);
  assert(ck_compile_kernels(NULL, &options) == CK_INVALID_ARGUMENT);
  ck_compilation_release(whole);
  options.kernel_count = 1;
  options.kernels = &missing;
  assert(ck_compile_kernels(checked, &options) == CK_COMPILE);
  assert(strstr(ck_compilation_log(checked), "there is no kernel 'saxpy'"));
  assert(!ck_compilation_output(checked, NULL));
  ck_compilation_release(checked);
  options.kernel_count = 0;
  checked = manifest_of(axpy, options); /* quick or not, it is checked in the same way */
  options.flags = CK_COMPILE_QUICK;     /* a * x + y may be rounded once or twice */
  assert(ck_compile_kernels(checked, &options) == CK_COMPILE);
  ck_compilation_release(checked);
  checked = manifest_of(scan, options);
  options.flags = 0; /* the library's scans aren't */
  assert(ck_compile_kernels(checked, &options) == CK_INVALID_ARGUMENT);
  ck_compilation_release(checked);
}

int main(void)
{
  code_is_the_same();
  what_cannot_go_on_is_refused();
  return 0;
}
