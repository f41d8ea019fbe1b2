/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* link_symbols.c - tests how symbols of pieces are read: signatures, kinds, and cubins with random
 * changes, which must be read within their bounds.
 *
 *   link_symbols [COUNT [SEED]]
 */
#include "fixture.h"

#include "code/linker.h"
#include "nvidia.h"
#include "random.h"

static Arena arena;

TEST(signatures)
{
  static const struct {
    const char *type, *signature;
  } rows[] = {{"fn()", "() -> ()"},
              {"fn(i8)", "(.b32) -> ()"},
              {"fn(u16, i32, f32) -> u8", "(.b32,.b32,.b32) -> (.b32)"},
              {"fn(i64, u64, f64) -> f64", "(.b64,.b64,.b64) -> (.b64)"},
              {"fn(ptr<(i32, f32)>, i32) -> ptr<u8>", "(.b64,.b32) -> (.b64)"},
              {"fn(f16)", NULL},
              {"fn(i32", NULL},
              {"fn(i32) -> ", NULL},
              {"fn(i32) -> f32x4", NULL},
              {"fn(,)", NULL},
              {"fn", NULL},
              {"", NULL}};
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    const char *got = link_signature(&arena, rows[i].type);
    if (!CHECK(rows[i].signature ? got && !strcmp(got, rows[i].signature) : !got))
      fprintf(stderr, "%s: %s\n", rows[i].type, got ? got : "none");
  }
}

/* Links two pieces of PTX and expects a part of a message; NULL: success. */
static void expect(const char *one, const char *other, const char *message)
{
  LinkPiece pieces[] = {{.kind = CK_LINK_PTX, .data = one, .name = "one"},
                        {.kind = CK_LINK_PTX, .data = other, .name = "other"}};
  Names names;
  names_init(&names, &arena);
  ck_status_t status = link_define(&names, &pieces[0]);
  if (!status) status = link_define(&names, &pieces[1]);
  if (!status) status = link_compare(&names, &pieces[0]);
  if (!status) status = link_compare(&names, &pieces[1]);
  CHECK_STATUS(status, message ? CK_COMPILE : CK_OK);
  if (message) CHECK_ERROR(message);
}

TEST(ptx)
{
  static const char function[] = ".visible .func (.param .b32 r) f(.param .f32 x) { ret; }\n";
  static const char weak[] = ".weak .func (.param .b32 r) f(.param .f32 x) { ret; }\n";
  static const char kernel[] = ".visible .entry f(.param .f32 x) { ret; }\n";
  static const char variable[] = ".visible .global .align 4 .f32 f = 0f00000000;\n";
  static const char calls[] = ".extern .func (.param .u32 r) f(.param .b32 y);\n";
  expect(function, calls, NULL);
  expect(weak, calls, NULL);
  expect(calls, weak, NULL);
  expect(weak, function, NULL);
  expect(function, weak, NULL);
  expect(function, kernel, "'f' is defined by 'one' and by 'other'");
  expect(function, ".extern .func f(.param .b32 y);\n",
         "'f' of 'one' is (.b32) -> (.b32), and 'other' calls (.b32) -> ()");
  expect(weak, ".extern .func f();\n", "'other' calls () -> ()");
  expect(kernel, calls, "'f' of 'one' is a kernel, and for 'other' it is a function");
  expect(calls, variable, "'f' of 'other' is a variable, and for 'one' it is a function");
  expect(function, ".extern .global .align 4 .b8 f[4];\n", "and for 'other' it is a variable");
  expect(".visible .func f(.param .align 4 .b8 x[8]) { ret; }",
         ".extern .func f(.param .align 8 .b8 x[8]);", "'f' of 'one'");
}

static bool make_cubin(Buf *out)
{
  static const char source[] =
      "struct S { double d; char c; };\n"
      "extern \"C\" __device__ float f(float x, long long y) { return x + y; }\n"
      "extern \"C\" __device__ S s(S x, char c) { x.c = c; return x; }\n"
      "extern \"C\" __device__ void nothing() { }\n"
      "extern \"C\" __device__ int variable = 3;\n"
      "extern \"C\" __device__ int unknown(double);\n"
      "extern \"C\" __global__ void k(int *y) { *y = unknown(3); }\n";
  static const char *const options[] = {"-arch=sm_80", "-rdc=true"};
  const Nvrtc *nvrtc = nvrtc_open(NULL);
  void *program;
  size_t bytes;
  if (!nvrtc) return false;
  CHECK(!nvrtc->nvrtcCreateProgram(&program, source, "f.cu", 0, NULL, NULL));
  CHECK(!nvrtc->nvrtcCompileProgram(program, COUNT_OF(options), options));
  CHECK(!nvrtc->nvrtcGetCUBINSize(program, &bytes));
  buf_reserve(out, bytes);
  out->len = bytes;
  CHECK(!nvrtc->nvrtcGetCUBIN(program, out->data));
  nvrtc->nvrtcDestroyProgram(&program);
  return true;
}

/* Picks a byte to change: in the header, the section and symbol tables behind the code, or
 * anywhere. */
static size_t any_place(size_t bytes)
{
  enum { HEAD = 64, TABLES = 4096 };
  size_t from = one_in(2) && bytes > TABLES ? bytes - TABLES : 0;
  return one_in(4) && bytes > HEAD ? below(HEAD) : from + below(bytes - from);
}

static Buf found;

static ck_status_t list(void *user, const LinkSymbol *symbol)
{
  static const char *const kinds[] = {"function", "kernel", "variable"};
  (void)user;
  if (symbol->is_weak) return CK_OK;
  buf_printf(&found, "%s %s%s %s\n", kinds[symbol->kind], symbol->name,
             symbol->is_defined ? "" : "?", symbol->signature ? symbol->signature : "");
  return CK_OK;
}

TEST(cubin)
{
  static const char *const lines[] = {"function f (.b32,.b64) -> (.b32)\n",
                                      "function s (.b8[16],.b32) -> (.b8[16])\n",
                                      "function nothing () -> ()\n",
                                      "function unknown? (.b64) -> (.b32)\n",
                                      "variable variable \n",
                                      "kernel k \n"};
  Buf image = BUF(&arena);
  if (!make_cubin(&image)) return;
  found = BUF(&arena);
  CHECK_OK(cubin_visit(&arena, image.data, image.len, list, NULL));
  for (size_t i = 0; i < COUNT_OF(lines); ++i)
    if (!CHECK(strstr(buf_text(&found), lines[i]))) fprintf(stderr, "%s", buf_text(&found));
  random_state = random_seed;
  for (uint64_t i = 0; i < random_count; ++i) {
    Arena own = {0};
    size_t bytes = one_in(4) ? below(image.len + 1) : image.len;
    char *exact = memcpy(malloc(bytes + !bytes), image.data, bytes);
    found = BUF(&own);
    for (uint64_t k = below(8); bytes && k-- > 0;) exact[any_place(bytes)] = (char)random_bits();
    CHECK_OK(cubin_visit(&own, exact, bytes, list, NULL));
    free(exact);
    arena_free(&own);
  }
}

int main(int argc, char **argv)
{
  random_open(argc, argv, 3000);
  run_all();
  arena_free(&arena);
  return tests_report();
}
