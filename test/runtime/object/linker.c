/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* linker.c - tests the linker: cuda.core's tests of its Linker.
 *
 * nvJitLink links without a GPU, so most of this runs wherever it is found. The driver's linker is
 * faked by functions of this file; on a GPU ($CK_DEVICE) the real one links too, and the results
 * run.
 */
#define _GNU_SOURCE /* setenv */
#include "faults.h"

#include <elf.h>
#include <unistd.h>

#include "code/linker.h"

/* A kernel that calls a function of another piece. */
static const char caller[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".extern .func (.param .b32 r) add_three(.param .b32 x);\n"
    ".visible .entry k(.param .u64 out, .param .u32 x) {\n"
    "  .reg .b32 %r<3>; .reg .b64 %d<2>;\n"
    "  ld.param.u32 %r0, [x]; ld.param.u64 %d0, [out]; cvta.to.global.u64 %d1, %d0;\n"
    "  { .param .b32 p; .param .b32 q; st.param.b32 [p], %r0;\n"
    "    call.uni (q), add_three, (p); ld.param.b32 %r1, [q]; }\n"
    "  st.global.u32 [%d1], %r1; ret;\n}\n";
static const char callee[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .func (.param .b32 r) add_three(.param .b32 x) {\n"
    "  .reg .b32 %r<2>; ld.param.b32 %r0, [x]; add.u32 %r1, %r0, 3; st.param.b32 [r], %r1; ret;\n"
    "}\n";

/* The manifest that a CK compiler would have written for `caller`. */
static const char caller_manifest[] =
    "//ck: "
    "{\"manifest\":1,\"source\":\"caller.ck\",\"target\":\"sm_75\",\"imports\":[\"/a/b.ck\"],\n"
    "//ck: \"kernels\":[{\"name\":\"k\",\"symbol\":\"k\",\"line\":7,\"params\":[\n"
    "//ck: "
    "{\"name\":\"out\",\"kind\":\"span\",\"type\":\"u32\",\"access\":\"out\",\"extents\":[\"1\"]},"
    "\n"
    "//ck: {\"name\":\"x\",\"kind\":\"scalar\",\"type\":\"u32\"}],\n"
    "//ck: \"launch\":{\"block\":[\"1\"],\"grid\":[\"1\"]}}],\n"
    "//ck: \"symbols\":[{\"name\":\"K<int>\",\"symbol\":\"k\"}]}\n";

static bool has_nvjitlink(void)
{
  const NvJitLink *library = nvjitlink_open(NULL);
  return library && library->nvJitLinkVersion; /* 12.3 or newer */
}

static bool nvjitlink_is(unsigned wanted_major, unsigned wanted_minor)
{
  unsigned major = 0, minor = 0;
  nvjitlink_open(NULL)->nvJitLinkVersion(&major, &minor);
  return major > wanted_major || (major == wanted_major && minor >= wanted_minor);
}

static ck_linker_options_t for_sm_80(void)
{
  ck_linker_options_t options = CK_OPTIONS_INIT(ck_linker_options_t);
  options.target = "sm_80";
  return options;
}

static ck_linker_t *linker_of(const ck_linker_options_t *options)
{
  ck_linker_t *linker = NULL;
  CHECK_OK(ck_linker_create(NULL, options, &linker));
  return linker;
}

static void add_both(ck_linker_t *linker)
{
  CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, caller, sizeof caller - 1, "caller.ptx"));
  CHECK_OK(ck_linker_add(linker, CK_LINK_ANY, callee, sizeof callee - 1, NULL));
}

/* LTO-IR of add_three, by NVRTC; false without NVRTC. */
static bool make_ltoir(Buf *out)
{
  static const char source[] =
      "extern \"C\" __device__ unsigned add_three(unsigned x) { return x + 3; }";
  static const char *const options[] = {"-arch=sm_80", "-dlto", "-rdc=true"};
  const Nvrtc *nvrtc = nvrtc_open(NULL);
  void *program;
  size_t bytes;
  if (!nvrtc) return false;
  CHECK(!nvrtc->nvrtcCreateProgram(&program, source, "callee.cu", 0, NULL, NULL));
  CHECK(!nvrtc->nvrtcCompileProgram(program, COUNT_OF(options), options));
  CHECK(!nvrtc->nvrtcGetLTOIRSize(program, &bytes));
  buf_reserve(out, bytes);
  out->len = bytes;
  CHECK(!nvrtc->nvrtcGetLTOIR(program, out->data));
  nvrtc->nvrtcDestroyProgram(&program);
  return true;
}

TEST(link_ptx_to_cubin)
{
  ck_linker_options_t options = for_sm_80();
  ck_linker_t *linker = linker_of(&options);
  ck_object_code_t *code = NULL, *again = NULL;
  CHECK(ck_linker_backend(linker) == CK_LINK_NVJITLINK);
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_CUBIN, &code), CK_INVALID_ARGUMENT);
  CHECK_ERROR("nothing to link");
  add_both(linker);
  CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
  CHECK(code && ck_object_code_form(code) == CK_EMIT_CUBIN && !*ck_object_code_manifest(code));
  CHECK(!*ck_linker_error_log(linker));
  CHECK(ck_linker_info_log(linker) == ck_linker_info_log(linker)); /* until the next link */
  CHECK_OK(ck_linker_link(linker, CK_EMIT_DEFAULT, &again));       /* repeatedly */
  CHECK(ck_linker_retain(linker) == linker);
  ck_linker_release(linker);
  ck_linker_release(linker);
  ck_linker_release(NULL);
  ck_object_code_release(code);
  ck_object_code_release(again);
}

/* nvJitLink's own handle: pieces that the caller adds are linked. */
TEST(linker_handle)
{
  ck_linker_options_t options = for_sm_80();
  ck_linker_t *linker = linker_of(&options);
  ck_object_code_t *code = NULL, *again;
  void *native = NULL, *same = NULL;
  size_t bytes = 0;
  CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, caller, sizeof caller - 1, "caller.ptx"));
  if (!CHECK_OK(ck_linker_get_native(linker, &native)) || !CHECK(native != NULL)) return;
  CHECK_OK(ck_linker_get_native(linker, &same));
  CHECK(same == native);
  const NvJitLink *library = nvjitlink_open(NULL);
  CHECK(!library->nvJitLinkAddData(native, NVJITLINK_INPUT_ptx, callee, sizeof callee - 1, "mine"));
  CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
  CHECK(!library->nvJitLinkGetLinkedCubinSize(native, &bytes)); /* its results stay in the handle */
  CHECK(code && bytes == code->image_bytes);
  /* Later links have the linker's own pieces only: here one, without add_three. */
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_CUBIN, &again), CK_COMPILE);
  CHECK_ERROR("add_three");
  ck_object_code_release(code);
  ck_linker_release(linker);
  /* All pieces added by the caller, and one that is refused. */
  linker = linker_of(&options);
  CHECK_OK(ck_linker_get_native(linker, &native));
  CHECK(!library->nvJitLinkAddData(native, NVJITLINK_INPUT_ptx, callee, sizeof callee - 1, "mine"));
  CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
  ck_object_code_release(code);
  ck_linker_release(linker);
  linker = linker_of(&options);
  CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, ".version 7.0\n.nonsense\n", 23, "odd"));
  CHECK_STATUS(ck_linker_get_native(linker, &native), CK_COMPILE);
  CHECK(!native);
  CHECK_ERROR("in odd");
  ck_linker_release(linker);
}

/* The manifests of the pieces are joined, with a mark if there are other kernels. */
TEST(manifests_are_joined)
{
  ck_linker_options_t options = for_sm_80();
  options.name = "both";
  ck_linker_t *linker = linker_of(&options);
  ck_object_code_t *code = NULL, *part = NULL;
  Arena arena = {0};
  char *text = arena_printf(&arena, "%s%s", caller, caller_manifest);
  CHECK_OK(ck_object_code_from_bytes(text, strlen(text), &part));
  CHECK_OK(ck_linker_add_code(linker, part));
  CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, callee, sizeof callee - 1, "callee"));
  CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
  CHECK(code && ck_object_code_kernel_count(code) == 1);
  CHECK(code && code->manifest->has_foreign && !strcmp(code->manifest->source, "both"));
  CHECK(code && !strcmp(code->manifest->target, "sm_80") && code->manifest->import_count == 1);
  CHECK(code && manifest_find(code->manifest, "k")->param_count == 2);
  const char *name;
  CHECK(code && !strcmp(ck_object_code_symbol(code, 0, &name), "k") && !strcmp(name, "K<int>"));
  CHECK(code && !ck_object_code_symbol(code, 1, &name) && !name);
  /* Linked code is a piece again, with its manifest. */
  ck_linker_t *next = linker_of(&options);
  ck_object_code_t *last = NULL;
  CHECK_OK(ck_linker_add_code(next, code));
  CHECK_OK(ck_linker_link(next, CK_EMIT_CUBIN, &last));
  CHECK(last && ck_object_code_kernel_count(last) == 1 && last->manifest->has_foreign);
  ck_linker_release(next);
  ck_object_code_release(last);
  ck_linker_release(linker);
  ck_object_code_release(code);
  ck_object_code_release(part);
  arena_free(&arena);
}

TEST(files)
{
  const char *folder = use_private_cache();
  Arena arena = {0};
  const char *path = arena_printf(&arena, "%s/callee.ptx", folder);
  ck_linker_options_t options = for_sm_80();
  ck_linker_t *linker = linker_of(&options);
  ck_object_code_t *code = NULL;
  CHECK(file_write(path, callee, sizeof callee - 1));
  CHECK_OK(ck_linker_add_file(linker, CK_LINK_ANY, path));
  CHECK_OK(ck_linker_add(linker, CK_LINK_ANY, caller, sizeof caller - 1, NULL));
  CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
  CHECK_STATUS(ck_linker_add_file(linker, CK_LINK_ANY, "/none.ptx"), CK_NOT_FOUND);
  /* A file is a piece as well, even if it changes afterwards. */
  ck_linker_t *other = linker_of(&options);
  ck_object_code_t *part = NULL, *linked = NULL;
  CHECK_OK(ck_object_code_from_file(path, &part));
  CHECK(unlink(path) == 0);
  CHECK_OK(ck_linker_add_code(other, part));
  CHECK_OK(ck_linker_add(other, CK_LINK_PTX, caller, sizeof caller - 1, NULL));
  CHECK_OK(ck_linker_link(other, CK_EMIT_CUBIN, &linked));
  ck_linker_release(other);
  ck_object_code_release(part);
  ck_object_code_release(linked);
  CHECK_STATUS(ck_linker_add_file(linker, CK_LINK_ANY, folder), CK_IO);
  CHECK_STATUS(ck_linker_add(linker, CK_LINK_ANY, "what?", 5, "it"), CK_INVALID_ARGUMENT);
  CHECK_ERROR("'it': 5 bytes that can't be linked");
  CHECK_STATUS(ck_linker_add(linker, (ck_link_input_t)99, "what?", 5, "it"), CK_INVALID_ARGUMENT);
  ck_linker_release(linker);
  ck_object_code_release(code);
  arena_free(&arena);
}

/* libcudadevrt.a, where there is one. */
TEST(library)
{
  const char *path;
  if (ck_toolkit_find("cudadevrt", &path, NULL) != CK_OK) return;
  ck_linker_options_t options = for_sm_80();
  ck_linker_t *linker = linker_of(&options);
  ck_object_code_t *code = NULL;
  CHECK_OK(ck_linker_add_file(linker, CK_LINK_ANY, path));
  add_both(linker);
  CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
  ck_linker_release(linker);
  ck_object_code_release(code);
}

/* The first object in an archive; NULL if there is none. */
static const char *first_object(const char *archive, size_t bytes, size_t *out_bytes)
{
  enum { HEAD = 60, SIZE_AT = 48 };
  for (size_t at = strlen("!<arch>\n"); at + HEAD < bytes;) {
    const char *data = archive + at + HEAD;
    *out_bytes = strtoul(archive + at + SIZE_AT, NULL, 10);
    if (!memcmp(data, ELFMAG, SELFMAG)) return data;
    at += HEAD + *out_bytes + *out_bytes % 2;
  }
  return NULL;
}

/* Objects and libraries made by nvcc, in memory and as files: they can be linked, and not loaded.
 */
TEST(object_code_load_object)
{
  const char *path;
  if (ck_toolkit_find("cudadevrt", &path, NULL) != CK_OK) return;
  static const struct {
    ck_link_input_t kind;
    bool is_file;
  } ways[] = {
      {CK_LINK_ANY, false}, {CK_LINK_OBJECT, false}, {CK_LINK_ANY, true}, {CK_LINK_OBJECT, true}};
  Arena arena = {0};
  char *archive;
  size_t bytes, object_bytes = 0;
  CHECK(file_read(&arena, path, FILE_REGULAR, &archive, &bytes));
  const char *object = first_object(archive, bytes, &object_bytes);
  const char *file = arena_printf(&arena, "%s/part.o", use_private_cache());
  if (!CHECK(object && file_write(file, object, object_bytes))) return;
  for (size_t i = 0; i < COUNT_OF(ways); ++i) {
    ck_linker_options_t options = for_sm_80();
    ck_linker_t *linker = linker_of(&options);
    ck_object_code_t *code = NULL;
    CHECK_OK(ways[i].is_file ? ck_linker_add_file(linker, ways[i].kind, file)
                             : ck_linker_add(linker, ways[i].kind, object, object_bytes, NULL));
    add_both(linker);
    CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
    ck_object_code_release(code);
    ck_linker_release(linker);
  }
  ck_object_code_t *code = NULL;
  CHECK_STATUS(ck_object_code_from_bytes(archive, bytes, &code), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_object_code_from_file(path, &code), CK_INVALID_ARGUMENT);
  CHECK_ERROR("bytes that are no cubin");
  arena_free(&arena);
}

/* nvJitLink trusts the sizes in an image, so truncated ones must be refused before. */
TEST(parts_of_pieces)
{
  const Elf64_Ehdr cubin = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
                            .e_machine = EM_CUDA,
                            .e_shoff = 64,
                            .e_shentsize = sizeof(Elf64_Shdr),
                            .e_shnum = 1};
  const uint32_t fatbin[4] = {0xBA55ED50, 16 << 16 | 1, 64, 0};
  ck_linker_options_t options = for_sm_80();
  ck_linker_t *linker = linker_of(&options);
  CHECK_STATUS(ck_linker_add(linker, CK_LINK_ANY, &cubin, sizeof cubin, "half"),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("'half': the image says 128 bytes, there are 64");
  CHECK_STATUS(ck_linker_add(linker, CK_LINK_FATBIN, fatbin, sizeof fatbin, "less"),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("'less': the image says 80 bytes, there are 16");
  const uint32_t cut[5] = {0xBA55ED50, 16 << 16 | 1, 0, 0, '{'}; /* the beginning of a manifest */
  CHECK_STATUS(ck_linker_add(linker, CK_LINK_FATBIN, cut, sizeof cut, "cut"), CK_INVALID_ARGUMENT);
  CHECK_ERROR("'cut': the 4 bytes behind the image are no manifest");
  ck_linker_release(linker);
}

TEST(object_code_load_library)
{
  const char *path;
  if (ck_toolkit_find("cudadevrt", &path, NULL) != CK_OK) return;
  Arena arena = {0};
  char *archive;
  size_t bytes;
  ck_linker_options_t options = for_sm_80();
  ck_linker_t *linker = linker_of(&options);
  ck_object_code_t *code = NULL;
  CHECK(file_read(&arena, path, FILE_REGULAR, &archive, &bytes));
  CHECK_OK(ck_linker_add(linker, CK_LINK_LIBRARY, archive, bytes, "cudadevrt"));
  add_both(linker);
  CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
  ck_object_code_release(code);
  ck_linker_release(linker);
  arena_free(&arena);
}

/* LTO-IR needs no option; linked PTX can be made of it. */
TEST(link_ltoir)
{
  Arena arena = {0};
  Buf ltoir = BUF(&arena);
  ck_linker_options_t options = for_sm_80();
  ck_linker_t *linker = linker_of(&options);
  ck_object_code_t *code = NULL, *part = NULL;
  if (make_ltoir(&ltoir)) {
    CHECK_OK(ck_object_code_from_bytes(ltoir.data, ltoir.len, &part));
    CHECK(part && ck_object_code_form(part) == CK_EMIT_LTOIR);
    CHECK_OK(ck_linker_add_code(linker, part));
    CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, caller, sizeof caller - 1, "caller"));
    CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
    ck_object_code_release(code);
    ck_linker_release(linker);
    linker = linker_of(&options);
    CHECK_OK(ck_linker_add(linker, CK_LINK_LTOIR, ltoir.data, ltoir.len, "callee"));
    CHECK_OK(ck_linker_link(linker, CK_EMIT_PTX, &code));
    CHECK(code && ck_object_code_form(code) == CK_EMIT_PTX);
    ck_object_code_release(code);
    /* No device can load it as it is. */
    ck_device_t *device;
    ck_kernel_t *kernel;
    CHECK_OK(ck_device_open_host(&device));
    CHECK_STATUS(ck_kernel_from_code(part, device, "k", &kernel), CK_INVALID_ARGUMENT);
    CHECK_ERROR("LTO-IR can't be loaded");
    ck_device_release(device);
  }
  ck_object_code_release(part);
  ck_linker_release(linker);
  arena_free(&arena);
}

/* Every option alone is accepted by nvJitLink. */
TEST(options)
{
  Arena arena = {0};
  Buf ltoir = BUF(&arena);
  bool has_ltoir = make_ltoir(&ltoir);
  static const char *const texts[] = {"k"};
  static const char *const ptxas[] = {"-v", "-O2"};
  static const char *const extra[] = {"-maxrregcount=64"};
  ck_linker_options_t all[24];
  size_t count = COUNT_OF(all);
  for (size_t i = 0; i < count; ++i) all[i] = for_sm_80();
  all[1].max_registers = 32;
  all[2].opt_level = CK_OPT_0;
  all[3].time = CK_ON;
  all[4].verbose = CK_ON;
  all[5].debug = CK_ON;
  all[6].lineinfo = CK_ON;
  all[7].no_cache = CK_ON;
  all[8].split_compile = 2;
  all[9].split_compile_extended = CK_SPLIT_ALL;
  all[10].ptxas_options = ptxas;
  all[10].ptxas_option_count = COUNT_OF(ptxas);
  all[10].no_cache = CK_ON; /* a cached result was reported when it was made */
  all[11].extra = extra;
  all[11].extra_count = 1;
  for (size_t i = 12; i < count; ++i) all[i].link_time_optimization = CK_ON;
  all[13].ftz = CK_ON;
  all[14].prec_div = CK_OFF;
  all[15].prec_sqrt = CK_OFF;
  all[16].fma = CK_OFF;
  all[17].kernels_used = texts;
  all[17].kernel_used_count = 1;
  all[18].variables_used = texts;
  all[18].variable_used_count = 1;
  all[19].optimize_unused_variables = CK_ON;
  all[20].split_compile = CK_SPLIT_ALL;
  all[21].lineinfo = CK_ON;
  all[22].debug = CK_OFF;
  all[23].time = CK_OFF;
  for (size_t i = 0; i < count; ++i) {
    bool needs_ltoir = i >= 12;
    if (needs_ltoir && !has_ltoir) break;
    ck_linker_t *linker = linker_of(&all[i]);
    ck_object_code_t *code = NULL;
    if (needs_ltoir) {
      CHECK_OK(ck_linker_add(linker, CK_LINK_ANY, ltoir.data, ltoir.len, NULL));
      CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, caller, sizeof caller - 1, NULL));
    } else add_both(linker);
    if (!CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code)))
      fprintf(stderr, "options %zu: %s\n", i, ck_linker_error_log(linker));
    if (i == 10) CHECK(strstr(ck_linker_info_log(linker), "registers") != NULL);
    ck_linker_release(linker);
    ck_object_code_release(code);
  }
  arena_free(&arena);
}

/* Mismatches that a back end would report unclearly, or not at all. */
TEST(pieces_that_do_not_fit)
{
  static const char wider[] =
      ".version 7.0\n.target sm_75\n.address_size 64\n"
      ".visible .func (.param .f32 r) add_three\n(\n\t.param .u64 x,\n\t.param .align 8 .b8 y[16]\n"
      ")\n{\n  ret;\n}\n";
  ck_linker_options_t options = for_sm_80();
  ck_linker_t *linker = linker_of(&options);
  ck_object_code_t *code;
  add_both(linker);
  CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, callee, sizeof callee - 1, "again.ptx"));
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_CUBIN, &code), CK_COMPILE);
  CHECK_ERROR("CK_COMPILE: 'add_three' is defined by 'piece 2' and by 'again.ptx'");
  ck_linker_release(linker);
  linker = linker_of(&options);
  CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, caller, sizeof caller - 1, "caller.ptx"));
  CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, wider, sizeof wider - 1, "wider.ptx"));
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_CUBIN, &code), CK_COMPILE);
  CHECK_ERROR(
      "'add_three' of 'wider.ptx' is (.b64,.align8.b8[16]) -> (.b32), and 'caller.ptx' calls "
      "(.b32) -> (.b32)");
  ck_linker_release(linker);
  static const char *const variables[] = {
      ".visible .global .align 4 .u32 v = 1;\n",
      ".visible .global .attribute(.managed) .align 16 .v4 .f32 v[2];\n",
      ".visible .const .u32 v = 2;\n"};
  for (size_t i = 0; i < COUNT_OF(variables); ++i) {
    Arena arena = {0};
    linker = linker_of(&options);
    for (size_t k = 0; k < 2; ++k) {
      const char *text = arena_printf(&arena, ".version 7.0\n.target sm_75\n.address_size 64\n%s",
                                      variables[k ? i : 0]);
      CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, text, strlen(text), k ? "b.ptx" : "a.ptx"));
    }
    CHECK_STATUS(ck_linker_link(linker, CK_EMIT_CUBIN, &code), CK_COMPILE);
    CHECK_ERROR("'v' is defined by 'a.ptx' and by 'b.ptx'");
    ck_linker_release(linker);
    arena_free(&arena);
  }
  options.link_time_optimization = CK_ON;
  linker = linker_of(&options);
  add_both(linker);
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_CUBIN, &code), CK_INVALID_ARGUMENT);
  CHECK_ERROR("link_time_optimization: no piece is LTO-IR");
  ck_linker_release(linker);
}

/* Matching pieces in other spellings: `caller` and `callee` written by another compiler. */
TEST(pieces_that_fit)
{
  static const char *const heads[] = {
      "/*\n.visible .func (.param .b32 r) add_three(.param .b32 x) { ret; }\n*/\n",
      ".extern .func (.param .b32 r) add_three( // of (x)\n  .param .b32 x /* a, b) */\n);\n",
      ".extern\n.func /* r */ (.param .s32 r) add_three\n// .b64\n(.param .align 4 .u32 x)\n;\n",
      ".file 1 \"/*.cu\" // \"\n.extern .func (.reg .u32 r) subtract(.reg .b32 x);\n"};
  ck_linker_options_t options = for_sm_80();
  const char *body = strstr(caller, ".extern");
  Arena arena = {0};
  for (size_t i = 0; i < COUNT_OF(heads); ++i) {
    ck_object_code_t *code = NULL;
    bool is_declared = i == 1 || i == 2;
    const char *rest = is_declared ? strchr(body, '\n') : body;
    const char *text =
        arena_printf(&arena, "%.*s%s%s", (int)(body - caller), caller, heads[i], rest);
    ck_linker_t *linker = linker_of(&options);
    CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, text, strlen(text), "caller.ptx"));
    CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, callee, sizeof callee - 1, "callee.ptx"));
    if (!CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code)))
      fprintf(stderr, "head %zu: %s\n", i, ck_linker_error_log(linker));
    ck_object_code_release(code);
    ck_linker_release(linker);
  }
  arena_free(&arena);
}

/* The text is read once, and not once for each line. */
TEST(ptx_that_is_long)
{
  enum { BYTES = 1 << 22 };
  static const char *const lines[] = {"\n", "\n.visible .func (", "\n/*", "\n.extern .func f(/"};
  ck_linker_options_t options = for_sm_80();
  Arena arena = {0};
  for (size_t i = 0; i < COUNT_OF(lines); ++i) {
    Buf text = BUF(&arena);
    ck_object_code_t *code;
    buf_puts(&text, callee);
    while (text.len < BYTES) buf_puts(&text, lines[i]);
    ck_linker_t *linker = linker_of(&options);
    CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, text.data, text.len, "long.ptx"));
    ck_status_t status = ck_linker_link(linker, CK_EMIT_CUBIN, &code);
    CHECK(status == (i ? CK_COMPILE : CK_OK));
    ck_object_code_release(code);
    ck_linker_release(linker);
  }
  arena_free(&arena);
}

/* Kernels of any form are known from the manifest; functions too, with their types. */
TEST(kernels_and_functions_of_two_pieces)
{
  ck_linker_options_t options = for_sm_80();
  Arena arena = {0};
  Buf ltoir = BUF(&arena), other = BUF(&arena), text = BUF(&arena);
  ck_object_code_t *code;
  static const char json[] = "{\"manifest\":1,\"source\":\"a.ck\",\"target\":\"sm_80\","
                             "\"kernels\":[{\"name\":\"k\",\"symbol\":\"k\",\"params\":[]}],"
                             "\"functions\":[{\"name\":\"f\",\"type\":\"fn(i32)\"}]}";
  static const char others[] = "{\"manifest\":1,\"source\":\"b.ck\",\"target\":\"sm_80\","
                               "\"kernels\":[],\"functions\":[{\"name\":\"f\","
                               "\"type\":\"fn(u32)\",\"imported\":true}]}";
  static const char functions[] = "{\"manifest\":1,\"source\":\"c.ck\",\"target\":\"sm_80\","
                                  "\"kernels\":[],\"functions\":[{\"name\":\"f\","
                                  "\"type\":\"fn(i32)\"}]}";
  if (make_ltoir(&ltoir)) {
    manifest_attach(&ltoir, CK_EMIT_LTOIR, json, sizeof json - 1);
    buf_puts(&text, caller);
    ck_linker_t *linker = linker_of(&options);
    CHECK_OK(ck_linker_add(linker, CK_LINK_ANY, ltoir.data, ltoir.len, "a.ltoir"));
    CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, text.data, text.len, "caller.ptx"));
    CHECK_STATUS(ck_linker_link(linker, CK_EMIT_CUBIN, &code), CK_COMPILE);
    CHECK_ERROR("'k' is defined by 'a.ltoir' and by 'caller.ptx'");
    ck_linker_release(linker);
    linker = linker_of(&options);
    CHECK(make_ltoir(&other));
    manifest_attach(&other, CK_EMIT_LTOIR, others, sizeof others - 1);
    CHECK_OK(ck_linker_add(linker, CK_LINK_ANY, other.data, other.len, "b.ltoir"));
    CHECK_OK(ck_linker_add(linker, CK_LINK_ANY, ltoir.data, ltoir.len, "a.ltoir"));
    CHECK_STATUS(ck_linker_link(linker, CK_EMIT_CUBIN, &code), CK_COMPILE);
    CHECK_ERROR("'f' of 'a.ltoir' is fn(i32), and 'b.ltoir' calls fn(u32)");
    ck_linker_release(linker);
    /* The kernels of a final link are known; its functions can't be used. */
    linker = linker_of(&options);
    CHECK_OK(ck_linker_add(linker, CK_LINK_ANY, ltoir.data, ltoir.len, "a.ltoir"));
    CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
    ck_linker_release(linker);
    linker = linker_of(&options);
    other.len = 0;
    CHECK(make_ltoir(&other));
    manifest_attach(&other, CK_EMIT_LTOIR, functions, sizeof functions - 1);
    CHECK_OK(ck_linker_add_code(linker, code));
    CHECK_OK(ck_linker_add(linker, CK_LINK_ANY, other.data, other.len, "a.ltoir"));
    ck_object_code_release(code);
    CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
    ck_object_code_release(code);
    ck_linker_release(linker);
  }
  arena_free(&arena);
}

TEST(opt_levels_that_are_refused)
{
  ck_linker_options_t options = for_sm_80();
  ck_linker_t *linker;
  options.opt_level = CK_OPT_1;
  CHECK_STATUS(ck_linker_create(NULL, &options, &linker), CK_INVALID_ARGUMENT);
  CHECK_ERROR("opt_level 2: a linker has CK_OPT_0 and CK_OPT_3");
  options.opt_level = (ck_opt_level_t)77;
  CHECK_STATUS(ck_linker_create(NULL, &options, &linker), CK_INVALID_ARGUMENT);
  CHECK_ERROR("opt_level 77");
}

TEST(options_that_are_refused)
{
  static const char *const wrong[] = {"-no-such-option"};
  ck_linker_options_t options = for_sm_80();
  ck_object_code_t *code;
  ck_linker_t *linker;
  options.backend = (ck_link_backend_t)77;
  CHECK_STATUS(ck_linker_create(NULL, &options, &linker), CK_INVALID_ARGUMENT);
  CHECK_ERROR("77 is no back end of a linker");
  options.backend = CK_LINK_AUTO;
  if (!nvjitlink_is(13, 2)) {
    options.incremental = CK_ON;
    CHECK_STATUS(ck_linker_create(NULL, &options, &linker), CK_UNSUPPORTED);
    CHECK_ERROR("'incremental' needs nvJitLink 13.2");
    options.incremental = CK_UNSET;
  }
  options.extra = wrong;
  options.extra_count = 1;
  linker = linker_of(&options);
  add_both(linker);
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_CUBIN, &code), CK_COMPILE);
  CHECK(code == NULL);
  CHECK_ERROR("nvJitLink: an option is not known");
  ck_linker_release(linker);
  options.extra_count = 0;
  options.target = "sm_77";
  linker = linker_of(&options);
  add_both(linker);
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_CUBIN, &code), CK_COMPILE);
  CHECK_ERROR("the target is not known");
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_AST, &code), CK_INVALID_ARGUMENT);
  ck_linker_release(linker);
  static const char *const targets[] = {"sm_7", "sm_90b", "sm_", "compute_90", "host", "sm_1000"};
  for (size_t i = 0; i < COUNT_OF(targets); ++i) {
    options.target = targets[i];
    CHECK_STATUS(ck_linker_create(NULL, &options, &linker), CK_INVALID_ARGUMENT);
    CHECK_ERROR("is no target of a GPU");
  }
  CHECK_STATUS(ck_linker_create(NULL, NULL, &linker), CK_INVALID_ARGUMENT);
  CHECK_ERROR("neither a device nor a target");
  static const char *const hole[] = {"k", NULL};
  options.target = "sm_80";
  options.kernels_used = hole;
  options.kernel_used_count = 2;
  CHECK_STATUS(ck_linker_create(NULL, &options, &linker), CK_INVALID_ARGUMENT);
  CHECK_ERROR("option 'kernels_used': text 1 of 2 is NULL");
}

TEST(error_log)
{
  ck_linker_options_t options = for_sm_80();
  ck_linker_t *linker = linker_of(&options);
  ck_object_code_t *code;
  CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, caller, sizeof caller - 1, "caller.ptx"));
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_CUBIN, &code), CK_COMPILE);
  CHECK_ERROR("add_three");
  CHECK(strstr(ck_linker_error_log(linker), "add_three") != NULL);
  ck_linker_release(linker);
  linker = linker_of(&options);
  CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, ".version 7.0\n.nonsense\n", 23, "odd"));
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_CUBIN, &code), CK_COMPILE);
  CHECK_ERROR("in odd");
  ck_linker_release(linker);
}

/* Links one piece or two. */
static ck_object_code_t *link_some(const ck_linker_options_t *options, ck_emit_t form,
                                   const ck_object_code_t *first, const ck_object_code_t *second)
{
  ck_linker_t *linker = linker_of(options);
  ck_object_code_t *code = NULL;
  CHECK_OK(ck_linker_add_code(linker, first));
  if (second) CHECK_OK(ck_linker_add_code(linker, second));
  CHECK_OK(ck_linker_link(linker, form, &code));
  CHECK(code && ck_object_code_form(code) == form);
  ck_linker_release(linker);
  return code;
}

/* Whether a cubin is relocatable, so that it can be linked again. */
static bool is_relocatable(const ck_object_code_t *code)
{
  return code && ((const Elf64_Ehdr *)ck_object_code_bytes(code, NULL))->e_type == ET_REL;
}

static void run_kernel(Bench *bench, ck_object_code_t *code);

/* Links a part, then all, then finally; on a GPU the result runs. */
TEST(incremental_cubin_round_trip)
{
  ck_linker_options_t whole = for_sm_80(), part = for_sm_80();
  if (!nvjitlink_is(13, 2)) return; /* options_that_are_refused tests the message */
  Bench bench;
  bench_open_any(&bench);
  if (!ck_device_is_host(bench.device)) whole.target = ck_device_target(bench.device);
  part.target = whole.target;
  part.incremental = CK_ON;
  ck_object_code_t *codes[5] = {NULL};
  CHECK_OK(ck_object_code_from_bytes(caller, sizeof caller - 1, &codes[0]));
  CHECK_OK(ck_object_code_from_bytes(callee, sizeof callee - 1, &codes[1]));
  codes[2] = link_some(&part, CK_EMIT_CUBIN, codes[0], NULL);
  if (codes[2]) codes[3] = link_some(&part, CK_EMIT_CUBIN, codes[2], codes[1]);
  if (codes[3]) codes[4] = link_some(&whole, CK_EMIT_CUBIN, codes[3], NULL);
  CHECK(is_relocatable(codes[2]) && !is_relocatable(codes[4]));
  if (codes[4]) run_kernel(&bench, codes[4]);
  /* PTX can't be linked any further. */
  ck_linker_t *linker = linker_of(&part);
  ck_object_code_t *none;
  add_both(linker);
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_PTX, &none), CK_INVALID_ARGUMENT);
  CHECK_ERROR("not with 'incremental'");
  ck_linker_release(linker);
  for (size_t i = 0; i < COUNT_OF(codes); ++i) ck_object_code_release(codes[i]);
  bench_close(&bench);
}

/* LTO-IR of LTO-IR gives the same code as the pieces. */
TEST(complete_ltoir_round_trip_matches_direct_cubin)
{
  static const char source[] =
      "extern \"C\" __device__ unsigned add_three(unsigned x);\n"
      "extern \"C\" __global__ void k(unsigned *out, unsigned x) { *out = add_three(x); }\n";
  Arena arena = {0};
  Buf ltoir = BUF(&arena);
  ck_linker_options_t options = for_sm_80(), part = for_sm_80();
  ck_program_options_t cuda = CK_OPTIONS_INIT(ck_program_options_t);
  ck_program_t *program;
  ck_object_code_t *first = NULL, *second = NULL, *none;
  if (!make_ltoir(&ltoir)) return;
  cuda.target = "sm_80";
  cuda.emit = CK_EMIT_LTOIR;
  CHECK_OK(ck_object_code_from_bytes(ltoir.data, ltoir.len, &second));
  CHECK_OK(ck_program_from_source(CK_PROGRAM_CUDA, source, sizeof source - 1, &cuda, &program));
  CHECK_OK(ck_program_compile(program, NULL, &first));
  ck_program_release(program);
  ck_linker_t *linker = linker_of(&options);
  CHECK_OK(ck_linker_add_code(linker, first));
  bool is_made = nvjitlink_is(13, 3);
  if (!is_made) CHECK_STATUS(ck_linker_link(linker, CK_EMIT_LTOIR, &none), CK_UNSUPPORTED);
  CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, callee, sizeof callee - 1, "callee.ptx"));
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_LTOIR, &none),
               is_made ? CK_INVALID_ARGUMENT : CK_UNSUPPORTED);
  CHECK_ERROR(is_made ? "linked LTO-IR is made of LTO-IR: 'callee.ptx' is PTX" : "older than 13.3");
  ck_linker_release(linker);
  if (is_made) {
    ck_object_code_t *whole = link_some(&options, CK_EMIT_LTOIR, first, second);
    ck_object_code_t *direct = link_some(&options, CK_EMIT_CUBIN, first, second);
    ck_object_code_t *around = link_some(&options, CK_EMIT_CUBIN, whole, NULL);
    CHECK(direct->image_bytes == around->image_bytes);
    part.incremental = CK_ON;
    ck_object_code_t *open = link_some(&part, CK_EMIT_LTOIR, first, NULL);
    ck_object_code_t *closed = link_some(&part, CK_EMIT_LTOIR, open, second);
    ck_object_code_t *last = link_some(&options, CK_EMIT_CUBIN, closed, NULL);
    ck_object_code_t *partial = link_some(&part, CK_EMIT_CUBIN, first, NULL);
    CHECK(is_relocatable(partial));
    ck_object_code_t *all[] = {whole, direct, around, open, closed, last, partial};
    for (size_t i = 0; i < COUNT_OF(all); ++i) ck_object_code_release(all[i]);
  }
  ck_object_code_release(first);
  ck_object_code_release(second);
  arena_free(&arena);
}

TEST(host_device)
{
  ck_device_t *device;
  ck_linker_t *linker;
  ck_object_code_t *code;
  CHECK_OK(ck_device_open_host(&device));
  CHECK_STATUS(ck_linker_create(device, NULL, &linker), CK_UNSUPPORTED);
  CHECK_ERROR("code for 'host device' is not linked: name a GPU's target");
  ck_linker_options_t options = CK_OPTIONS_INIT(ck_linker_options_t);
  options.backend = CK_LINK_DRIVER;
  CHECK_OK(ck_linker_create(device, &options, &linker));
  add_both(linker);
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_CUBIN, &code), CK_UNSUPPORTED);
  CHECK_ERROR("cuLinkCreate");
  ck_linker_release(linker);
  ck_device_release(device);
}

/* ---- the driver's linker ---- */

static unsigned seen_options, seen_pieces;
static uintptr_t seen_values[64]; /* indexed by CUjit_option */
static bool is_refused;           /* makes the link fail */
static int driver_version;

static CUresult play_create(unsigned count, CUjit_option *names, void **values,
                            CUlinkState *out_state)
{
  memset(seen_values, 0, sizeof seen_values);
  for (unsigned i = 0; i < count; ++i) {
    if (names[i] == CU_JIT_ERROR_LOG_BUFFER) strcpy(values[i], "played\n");
    if (CHECK(names[i] < COUNT_OF(seen_values) && !seen_values[names[i]]))
      seen_values[names[i]] = (uintptr_t)values[i];
  }
  seen_options = count;
  seen_pieces = 0;
  *out_state = (CUlinkState)(void *)&seen_options;
  atomic_fetch_add(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

static CUresult play_add(CUlinkState state, CUjitInputType kind, void *data, size_t bytes,
                         const char *name, unsigned count, CUjit_option *options, void **values)
{
  (void)state, (void)options, (void)values;
  bool is_ended = kind != CU_JIT_INPUT_PTX || !((char *)data)[bytes - 1];
  if (count || !name || !is_ended) return CUDA_ERROR_INVALID_VALUE;
  ++seen_pieces;
  return CUDA_SUCCESS;
}

static CUresult play_complete(CUlinkState state, void **out_image, size_t *out_bytes)
{
  static Elf64_Ehdr image = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
                             .e_machine = EM_CUDA};
  (void)state;
  *out_image = &image;
  *out_bytes = sizeof image;
  return is_refused ? CUDA_ERROR_INVALID_IMAGE : CUDA_SUCCESS;
}

static CUresult play_destroy(CUlinkState state)
{
  (void)state;
  atomic_fetch_sub(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

static CUresult play_version(int *out_version)
{
  *out_version = driver_version;
  return driver_version ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

static const Driver *playing_driver(void)
{
  static Driver driver;
  driver = *driver_host();
  driver.cuLinkCreate = play_create;
  driver.cuLinkAddData = play_add;
  driver.cuLinkComplete = play_complete;
  driver.cuLinkDestroy = play_destroy;
  driver.cuDriverGetVersion = play_version;
  return &driver;
}

static ck_status_t use_linker(ck_device_t *device, ck_stream_t *stream)
{
  ck_linker_options_t options = CK_OPTIONS_INIT(ck_linker_options_t);
  options.backend = CK_LINK_DRIVER;
  options.target = "sm_90a";
  options.max_registers = 40;
  options.verbose = CK_ON;
  options.no_cache = CK_ON;
  options.split_compile = 2;
  ck_linker_t *linker = NULL;
  ck_object_code_t *code = NULL;
  ck_status_t status;
  (void)stream;
  STEP(ck_linker_create(device, &options, &linker));
  STEP(ck_linker_add(linker, CK_LINK_PTX, caller, sizeof caller - 1, "caller"));
  STEP(ck_linker_add(linker, CK_LINK_PTX, callee, sizeof callee - 1, "callee"));
  STEP(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
  CHECK(seen_options == 9 && seen_pieces == 2 && !*ck_linker_info_log(linker));
  CHECK(!strcmp(ck_linker_error_log(linker), "played\n"));
done:
  ck_linker_release(linker);
  ck_object_code_release(code);
  return status;
}

/* The state is made at the first request, gets pieces added before and after, and is linked once.
 */
static ck_status_t use_native(ck_device_t *device, ck_stream_t *stream)
{
  ck_linker_options_t options = for_sm_80();
  options.backend = CK_LINK_DRIVER;
  ck_linker_t *linker = NULL;
  ck_object_code_t *code = NULL, *again = NULL;
  void *native, *same;
  ck_status_t status;
  (void)stream;
  STEP(ck_linker_create(device, &options, &linker));
  STEP(ck_linker_add(linker, CK_LINK_PTX, caller, sizeof caller - 1, "caller"));
  STEP(ck_linker_get_native(linker, &native));
  CHECK(native != NULL && seen_pieces == 1);
  STEP(ck_linker_add(linker, CK_LINK_PTX, callee, sizeof callee - 1, "callee"));
  STEP(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
  CHECK(seen_pieces == 2 && !strcmp(ck_linker_error_log(linker), "played\n"));
  STEP(ck_linker_get_native(linker, &same));
  CHECK(same == native);
  STEP(ck_linker_link(linker, CK_EMIT_CUBIN, &again));
  CHECK(seen_pieces == 2);
done:
  ck_linker_release(linker);
  ck_object_code_release(code);
  ck_object_code_release(again);
  return status;
}

TEST(driver_calls_fail_in_turn)
{
  const Scenario scenarios[] = {{"linker", .run = use_linker, .below = playing_driver()},
                                {"native", .run = use_native, .below = playing_driver()}};
  CHECK(faults_try(&scenarios[0], 1) > 4);
  CHECK(faults_try(&scenarios[1], 1) > 8);
}

/* Each option that the driver has, with its value. */
TEST(prepare_driver_options_all_supported)
{
  ck_device_t *device;
  ck_linker_t *linker;
  ck_object_code_t *code;
  ck_linker_options_t options = for_sm_80();
  options.backend = CK_LINK_DRIVER;
  options.max_registers = 32;
  options.opt_level = CK_OPT_0;
  options.verbose = options.debug = options.lineinfo = options.no_cache = CK_ON;
  options.split_compile = 4;
  CHECK_OK(device_open(playing_driver(), 0, &device));
  for (int round = 0; round < 2; ++round) { /* linkers share no state */
    CHECK_OK(ck_linker_create(device, &options, &linker));
    add_both(linker);
    CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
    CHECK(seen_options == 4 + 8 && seen_values[CU_JIT_TARGET] == CU_TARGET_COMPUTE_80);
    CHECK(seen_values[CU_JIT_MAX_REGISTERS] == 32 && seen_values[CU_JIT_LOG_VERBOSE] == 1);
    CHECK(seen_values[CU_JIT_OPTIMIZATION_LEVEL] == 0 && seen_values[CU_JIT_SPLIT_COMPILE] == 4);
    CHECK(seen_values[CU_JIT_GENERATE_DEBUG_INFO] == 1);
    CHECK(seen_values[CU_JIT_GENERATE_LINE_INFO] == 1);
    CHECK(seen_values[CU_JIT_CACHE_MODE] == CU_JIT_CACHE_OPTION_NONE);
    ck_linker_release(linker);
    ck_object_code_release(code);
  }
  ck_device_release(device);
}

/* The log of the driver's linker is in the message, and available until the next link. */
TEST(driver_linker_preserves_error_log)
{
  ck_device_t *device;
  ck_linker_t *linker;
  ck_object_code_t *code;
  ck_linker_options_t options = for_sm_80();
  options.backend = CK_LINK_DRIVER;
  CHECK_OK(device_open(playing_driver(), 0, &device));
  CHECK_OK(ck_linker_create(device, &options, &linker));
  add_both(linker);
  is_refused = true;
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_CUBIN, &code), CK_DRIVER);
  is_refused = false;
  CHECK_ERROR("CUDA_ERROR_INVALID_IMAGE");
  CHECK_ERROR("\nplayed");
  CHECK(!code && !strcmp(ck_linker_error_log(linker), "played\n"));
  CHECK(ck_last_driver_error() == CUDA_ERROR_INVALID_IMAGE);
  CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
  ck_object_code_release(code);
  ck_linker_release(linker);
  ck_device_release(device);
}

/* A driver may not load code of a newer nvJitLink, so then the driver links. */
TEST(choose_backend_returns_expected_backend)
{
  static const uint32_t ltoir[8] = {0x7f4e43ed, [5] = 24};
  static const struct {
    int driver; /* its version; 0: the query fails */
    ck_link_backend_t wish, want;
  } rows[] = {
      {12090, CK_LINK_AUTO, CK_LINK_DRIVER},    {12090, CK_LINK_NVJITLINK, CK_LINK_NVJITLINK},
      {99000, CK_LINK_AUTO, CK_LINK_NVJITLINK}, {99000, CK_LINK_DRIVER, CK_LINK_DRIVER},
      {0, CK_LINK_AUTO, CK_LINK_NVJITLINK},
  };
  ck_device_t *device;
  ck_linker_t *linker;
  ck_link_backend_t backend;
  int major, minor;
  if (!nvjitlink_is(13, 0)) return;
  CHECK_OK(device_open(driver_of_gpu(playing_driver()), 0, &device));
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    ck_linker_options_t options = for_sm_80();
    options.backend = rows[i].wish;
    driver_version = rows[i].driver;
    if (!CHECK_OK(ck_linker_create(device, &options, &linker))) continue;
    CHECK(ck_linker_backend(linker) == rows[i].want);
    bool is_linked = rows[i].want == CK_LINK_NVJITLINK;
    CHECK_STATUS(ck_linker_add(linker, CK_LINK_ANY, ltoir, sizeof ltoir, "it"),
                 is_linked ? CK_OK : CK_UNSUPPORTED);
    if (i == 0) CHECK_ERROR("nvJitLink does, which is of a newer CUDA than the driver");
    ck_linker_release(linker);
  }
  driver_version = 12090;
  CHECK_OK(ck_linker_find_backend(device, &backend, &major, &minor));
  CHECK(backend == CK_LINK_DRIVER && major == 12 && minor == 9);
  ck_linker_options_t options = for_sm_80();
  options.link_time_optimization = CK_ON;
  CHECK_STATUS(ck_linker_create(device, &options, &linker), CK_UNSUPPORTED);
  CHECK_ERROR("link_time_optimization");
  ck_device_release(device);
}

/* ---- without nvJitLink ---- */

TEST(without_nvjitlink)
{
  ck_device_t *device;
  ck_linker_t *linker;
  ck_object_code_t *code;
  ck_link_backend_t backend;
  ck_linker_options_t options = for_sm_80();
  driver_version = 13000;
  CHECK_OK(device_open(driver_of_gpu(playing_driver()), 0, &device));
  CHECK_OK(ck_linker_find_backend(device, &backend, NULL, NULL));
  CHECK(backend == CK_LINK_DRIVER);
  CHECK_OK(ck_linker_create(device, &options, &linker));
  add_both(linker);
  CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
  static const uint32_t ltoir[8] = {0x7f4e43ed, [5] = 24};
  CHECK_STATUS(ck_linker_add(linker, CK_LINK_ANY, ltoir, sizeof ltoir, "it"), CK_UNSUPPORTED);
  options.link_time_optimization = CK_ON;
  ck_linker_release(linker);
  CHECK_STATUS(ck_linker_create(device, &options, &linker), CK_UNSUPPORTED);
  CHECK_ERROR("nvJitLink, which has it, is not used");
  options.backend = CK_LINK_NVJITLINK;
  CHECK_STATUS(ck_linker_create(device, &options, &linker), CK_UNAVAILABLE);
  ck_object_code_release(code);
  ck_device_release(device);
}

/* In a separate process, since libraries are opened once per process. */
static void run_alone(const char *mode)
{
  char self[4096];
  ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
  if (!CHECK(len > 0)) return;
  self[len] = 0;
  Arena arena = {0};
  CHECK(system(arena_printf(&arena, "'%s' %s", self, mode)) == 0);
  arena_free(&arena);
}

TEST(which_backend_falls_back_when_dylib_missing)
{
  run_alone("without");
}

/* Uses a fake nvJitLink of CUDA 12.0 next to this program. */
static void use_old_nvjitlink(void)
{
  Arena arena = {0};
  const char *root = use_private_cache(), *beside = path_of_code(&arena, (void *)&driver_version);
  CHECK(file_make_folders(arena_printf(&arena, "%s/lib64", root)));
  CHECK(symlink(arena_printf(&arena, "%s/libnvjitlink_old.so", beside),
                arena_printf(&arena, "%s/lib64/libnvJitLink.so.12", root)) == 0);
  setenv("CK_CUDA_HOME", root, 1);
  CHECK(nvjitlink_open(NULL) && !has_nvjitlink()); /* CK's compiler can use it */
  arena_free(&arena);
}

TEST(decide_nvjitlink_or_driver_falls_back_when_nvjitlink_too_old)
{
  ck_device_t *gpu, *host;
  ck_linker_t *linker;
  ck_object_code_t *code;
  ck_linker_options_t options = for_sm_80();
  static const uint32_t ltoir[8] = {0x7f4e43ed, [5] = 24};
  driver_version = 12000;
  CHECK_OK(device_open(driver_of_gpu(playing_driver()), 0, &gpu));
  CHECK_OK(ck_linker_create(gpu, &options, &linker));
  CHECK(ck_linker_backend(linker) == CK_LINK_DRIVER && linker_is_driver(driver_version));
  CHECK_STATUS(ck_linker_add(linker, CK_LINK_ANY, ltoir, sizeof ltoir, "it"), CK_UNSUPPORTED);
  CHECK_ERROR("nvJitLink does, which is older than 12.3");
  add_both(linker);
  CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
  ck_linker_release(linker);
  ck_object_code_release(code);
  /* If no driver can link, or nvJitLink is requested. */
  CHECK_OK(ck_device_open_host(&host));
  CHECK_STATUS(ck_linker_create(host, &options, &linker), CK_UNAVAILABLE);
  CHECK_ERROR("nvJitLink is older than 12.3, and no GPU is given");
  options.backend = CK_LINK_NVJITLINK;
  CHECK_STATUS(ck_linker_create(gpu, &options, &linker), CK_UNAVAILABLE);
  CHECK_ERROR("nvJitLink is older than 12.3");
  ck_device_release(host);
  ck_device_release(gpu);
}

TEST(which_backend_when_nvjitlink_too_old)
{
  ck_device_t *device;
  ck_link_backend_t backend;
  int major, minor;
  driver_version = 12020;
  CHECK_OK(device_open(driver_of_gpu(playing_driver()), 0, &device));
  CHECK_OK(ck_linker_find_backend(device, &backend, &major, &minor));
  CHECK(backend == CK_LINK_DRIVER && major == 12 && minor == 2);
  ck_device_release(device);
}

TEST(which_backend_falls_back_when_nvjitlink_too_old)
{
  run_alone("old");
}

/* Options that only nvJitLink has are named. */
TEST(driver_lacks_options)
{
  static const char *const texts[] = {"a"};
  ck_device_t *device;
  ck_linker_t *linker;
  CHECK_OK(device_open(playing_driver(), 0, &device));
  const struct {
    const char *name;
    ck_linker_options_t options;
  } rows[] = {
#define ROW(field_, value_)                                                                        \
  {                                                                                                \
#field_,                                                                                       \
    {                                                                                              \
      .struct_size = sizeof(ck_linker_options_t), .backend = CK_LINK_DRIVER, .field_ = value_      \
    }                                                                                              \
  }
      ROW(time, CK_ON),
      ROW(link_time_optimization, CK_ON),
      ROW(ftz, CK_OFF),
      ROW(prec_div, CK_ON),
      ROW(prec_sqrt, CK_ON),
      ROW(fma, CK_ON),
      ROW(optimize_unused_variables, CK_ON),
      ROW(incremental, CK_ON),
      ROW(split_compile_extended, 2),
#undef ROW
  };
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    CHECK_STATUS(ck_linker_create(device, &rows[i].options, &linker), CK_UNSUPPORTED);
    CHECK_ERROR(rows[i].name);
  }
  ck_linker_options_t options = CK_OPTIONS_INIT(ck_linker_options_t);
  options.backend = CK_LINK_DRIVER;
  options.ptxas_options = texts;
  options.ptxas_option_count = 1;
  CHECK_STATUS(ck_linker_create(device, &options, &linker), CK_UNSUPPORTED);
  CHECK_ERROR("no option 'ptxas_options'");
  options.ptxas_option_count = 0;
  CHECK_STATUS(ck_linker_create(NULL, &options, &linker), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a device has to be given whose driver links");
  CHECK_OK(ck_linker_create(device, &options, &linker));
  static const uint32_t ltoir[8] = {0x7f4e43ed, [5] = 24};
  CHECK_STATUS(ck_linker_add(linker, CK_LINK_ANY, ltoir, sizeof ltoir, "it"), CK_UNSUPPORTED);
  CHECK_ERROR("'it' is LTO-IR: the driver does not link it");
  ck_object_code_t *code;
  add_both(linker);
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_PTX, &code), CK_UNSUPPORTED);
  ck_linker_release(linker);
  ck_device_release(device);
}

TEST(which_backend)
{
  ck_device_t *device;
  ck_link_backend_t backend;
  int major = 0, minor = -1;
  CHECK_OK(ck_device_open_host(&device));
  ck_status_t status = ck_linker_find_backend(device, &backend, &major, &minor);
  if (has_nvjitlink()) CHECK(status == CK_OK && backend == CK_LINK_NVJITLINK && major >= 12);
  else CHECK(status == CK_UNAVAILABLE && backend == CK_LINK_AUTO);
  ck_device_release(device);
}

/* ---- on a GPU ---- */

static void run_kernel(Bench *bench, ck_object_code_t *code)
{
  if (ck_device_is_host(bench->device)) return;
  ck_kernel_t *kernel = NULL;
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  for (int i = 0; i < 3; ++i) config.block[i] = config.grid[i] = 1;
  uint32_t result = 0;
  ck_buffer_t *buffer = bench_buffer(bench, sizeof result);
  CHECK_OK(ck_kernel_from_code(code, bench->device, "k", &kernel));
  CHECK_OK(ck_launch(bench->stream, &config, kernel, buffer, 39u));
  CHECK_OK(ck_buffer_read(buffer, 0, &result, sizeof result, bench->stream));
  CHECK_OK(ck_stream_sync(bench->stream));
  CHECK(result == 42);
  ck_kernel_release(kernel);
  ck_kernel_t *none;
  CHECK_STATUS(ck_kernel_from_code(code, bench->device, "none", &none), CK_NOT_FOUND);
  CHECK_ERROR("there is no kernel 'none'");
  ck_buffer_release(buffer);
}

static void run_linked(Bench *bench, ck_link_backend_t backend)
{
  ck_linker_options_t options = CK_OPTIONS_INIT(ck_linker_options_t);
  options.backend = backend;
  ck_linker_t *linker = NULL;
  ck_object_code_t *code = NULL;
  CHECK_OK(ck_linker_create(bench->device, &options, &linker));
  add_both(linker);
  CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
  if (code) run_kernel(bench, code);
  ck_object_code_release(code);
  ck_linker_release(linker);
}

/* With the back end's handle, requested between the pieces. */
static void run_native(Bench *bench, ck_link_backend_t backend)
{
  ck_linker_options_t options = CK_OPTIONS_INIT(ck_linker_options_t);
  options.backend = backend;
  ck_linker_t *linker = NULL;
  ck_object_code_t *code = NULL;
  void *native = NULL;
  CHECK_OK(ck_linker_create(bench->device, &options, &linker));
  CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, caller, sizeof caller - 1, "caller"));
  CHECK_OK(ck_linker_get_native(linker, &native));
  CHECK(native != NULL);
  CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, callee, sizeof callee - 1, "callee"));
  CHECK_OK(ck_linker_link(linker, CK_EMIT_CUBIN, &code));
  if (code) run_kernel(bench, code);
  ck_object_code_release(code);
  ck_linker_release(linker);
}

/* The real driver's message for a missing function. */
static void miss_by_driver(Bench *bench)
{
  ck_linker_options_t options = CK_OPTIONS_INIT(ck_linker_options_t);
  options.backend = CK_LINK_DRIVER;
  ck_linker_t *linker = NULL;
  ck_object_code_t *code;
  CHECK_OK(ck_linker_create(bench->device, &options, &linker));
  CHECK_OK(ck_linker_add(linker, CK_LINK_PTX, caller, sizeof caller - 1, "CBA"));
  CHECK_STATUS(ck_linker_link(linker, CK_EMIT_CUBIN, &code), CK_DRIVER);
  CHECK_ERROR("add_three");
  CHECK(!code && strstr(ck_linker_error_log(linker), "add_three"));
  ck_linker_release(linker);
}

TEST(linked_code_runs)
{
  Bench bench;
  bench_open_any(&bench);
  if (!ck_device_is_host(bench.device)) {
    run_linked(&bench, CK_LINK_DRIVER);
    miss_by_driver(&bench);
    run_linked(&bench, CK_LINK_DRIVER); /* after the first one is released */
    run_native(&bench, CK_LINK_DRIVER);
    if (has_nvjitlink()) run_linked(&bench, CK_LINK_NVJITLINK);
    if (has_nvjitlink()) run_native(&bench, CK_LINK_NVJITLINK);
  }
  bench_close(&bench);
}

int main(int argc, char **argv)
{
  if (argc > 1 && !strcmp(argv[1], "without")) {
    setenv("CK_CUDA_HOME", "",
           1); /* in this process: tools that watch a shell's children lose empty variables */
    RUN(without_nvjitlink);
    return tests_report();
  }
  if (argc > 1 && !strcmp(argv[1], "old")) {
    use_old_nvjitlink();
    RUN(decide_nvjitlink_or_driver_falls_back_when_nvjitlink_too_old);
    RUN(which_backend_when_nvjitlink_too_old);
    return tests_report();
  }
  use_private_cache();
  if (has_nvjitlink()) {
    RUN(link_ptx_to_cubin);
    RUN(linker_handle);
    RUN(manifests_are_joined);
    RUN(files);
    RUN(library);
    RUN(link_ltoir);
    RUN(options);
    RUN(pieces_that_do_not_fit);
    RUN(pieces_that_fit);
    RUN(ptx_that_is_long);
    RUN(kernels_and_functions_of_two_pieces);
    RUN(opt_levels_that_are_refused);
    RUN(options_that_are_refused);
    RUN(error_log);
    RUN(object_code_load_object);
    RUN(parts_of_pieces);
    RUN(object_code_load_library);
    RUN(incremental_cubin_round_trip);
    RUN(complete_ltoir_round_trip_matches_direct_cubin);
    RUN(choose_backend_returns_expected_backend);
    RUN(host_device);
  }
  RUN(which_backend_falls_back_when_dylib_missing);
  RUN(which_backend_falls_back_when_nvjitlink_too_old);
  RUN(prepare_driver_options_all_supported);
  RUN(driver_linker_preserves_error_log);
  RUN(driver_calls_fail_in_turn);
  RUN(driver_lacks_options);
  RUN(which_backend);
  RUN(linked_code_runs);
  ck_cache_clear();
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
