/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* manifest.c - tests the manifest: its expressions, its JSON, and how object code of each form is
 * recognised and checked. */
#define _GNU_SOURCE /* mkstemp */
#include "fixture.h"

#include <elf.h>
#include <inttypes.h>
#include <unistd.h>

static Arena arena;

/* Parameters of the expressions below: n and m are scalars, x is a span with a length of its own.
 */
static ManifestParam params[] = {
    {.name = "n", .kind = CK_PARAM_SCALAR, .dtype = CK_U64},
    {.name = "m", .kind = CK_PARAM_SCALAR, .dtype = CK_I32},
    {.name = "x", .kind = CK_PARAM_SPAN, .dtype = CK_F32},
    {.name = "f", .kind = CK_PARAM_SCALAR, .dtype = CK_F32},
    {.name = "y", .kind = CK_PARAM_SPAN, .dtype = CK_F32, .extent_count = 1},
    {.name = "p", .kind = CK_PARAM_SCALAR, .dtype = CK_NONE, .element_bytes = 8},
};
static ManifestKernel kernel = {.params = params, .param_count = COUNT_OF(params)};

TEST(expressions)
{
  static const int64_t numbers[] = {1000, -7, 33, 0, 0, 0};
  static const struct {
    const char *text;
    int64_t value;
    ExprError error;
  } rows[] = {
      {"-12", -12, EXPR_fine},
      {"n", 1000, EXPR_fine},
      {"x.len", 33, EXPR_fine},
      {"n 256 ceil_div", 4, EXPR_fine},
      {"-7 2 ceil_div", -3, EXPR_fine},
      {"m 2 /", -3, EXPR_fine},
      {"m 2 %", -1, EXPR_fine},
      {"n m + 3 *", 2979, EXPR_fine},
      {"1 62 <<", (int64_t)1 << 62, EXPR_fine},
      {"1 63 <<", 0, EXPR_overflow},
      {"n 2 >>", 250, EXPR_fine},
      {"12 10 & 5 | 1 ^", 12, EXPR_fine},
      {"n 1000 ==", 1, EXPR_fine},
      {"n 3 != m 0 < &&", 1, EXPR_fine},
      {"m neg", 7, EXPR_fine},
      {"0 ~", -1, EXPR_fine},
      {"n !", 0, EXPR_fine},
      {"n m min", -7, EXPR_fine},
      {"n m max", 1000, EXPR_fine},
      {"n 0 > n m ?:", 1000, EXPR_fine},
      {"9223372036854775807 1 +", 0, EXPR_overflow},
      {"n 9223372036854775807 *", 0, EXPR_overflow},
      {"n 0 /", 0, EXPR_division_by_zero},
      {"n 0 %", 0, EXPR_division_by_zero},
      {"-9223372036854775808 -1 /", 0, EXPR_overflow},
      {"-9223372036854775808 neg", 0, EXPR_overflow},
      {"0 n 0 / 5 ?:", 5, EXPR_fine}, /* the branch that is not taken may divide by 0 */
      {"0 n 0 / &&", 0, EXPR_fine},
      {"1 n 0 / ||", 1, EXPR_fine},
      {"1 n 0 / &&", 0, EXPR_division_by_zero},
  };
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    Expr expr;
    Buf why = BUF(&arena);
    int64_t value = 0;
    if (!CHECK(expr_compile(&arena, &kernel, 3, READS_params, rows[i].text, &expr, &why))) continue;
    ExprError error = expr_eval(&expr, numbers, &value);
    if (!CHECK(error == rows[i].error && (error || value == rows[i].value)))
      fprintf(stderr, "'%s' is %" PRId64 ", error %d\n", rows[i].text, value, (int)error);
  }
}

static bool reads(ExprReads which, const char *text, Expr *expr)
{
  Buf why = BUF(&arena);
  return expr_compile(&arena, &kernel, COUNT_OF(params), which, text, expr, &why);
}

/* The numbers of a launch: grids may use the number of resident blocks, scratch memory the shape of
 * the grid and the block. */
TEST(launch_numbers)
{
  int64_t numbers[NUMBER_COUNT] = {[NUMBER_resident] = 264, [NUMBER_grid] = 5, [NUMBER_block] = 96};
  Expr expr;
  int64_t value = 0;
  kernel.needs_resident = false;
  CHECK(reads(READS_shape, "grid.x block.x * 4 +", &expr));
  CHECK(expr_eval(&expr, numbers, &value) == EXPR_fine && value == 484 && !kernel.needs_resident);
  CHECK(!reads(READS_resident, "grid.x", &expr) && !reads(READS_params, "block.z", &expr));
  CHECK(!reads(READS_shape, "grid.resident", &expr));
  CHECK(!reads(READS_params, "grid.resident", &expr) && !kernel.needs_resident);
  CHECK(reads(READS_resident, "grid.resident", &expr));
  CHECK(expr_eval(&expr, numbers, &value) == EXPR_fine && value == 264 && kernel.needs_resident);
}

/* An algorithm has a result, and its kernel a hidden parameter for scratch memory. */
TEST(algorithms)
{
#define KERNEL                                                                                     \
  "{\"manifest\": 1, \"kernels\": [{\"name\": \"a\", \"symbol\": \"a\", \"params\": [{\"name\": "  \
  "\"result\", \"kind\": \"span\", \"type\": \"P\", \"bytes\": 8, \"align\": 4, \"access\": "      \
  "\"out\", \"extents\": [\"1\"]}], \"scratch_bytes\": \"grid.x 8 *\"}], \"algorithms\": "         \
  "[{\"name\": \"a\", \"result\": [{\"name\": \".lo\", \"type\": \"f32\", \"offset\": "
  static const char good[] = KERNEL "4}]}]}", outside[] = KERNEL "5}]}]}";
  Buf why = BUF(&arena);
  const Manifest *manifest = manifest_parse(&arena, good, sizeof good - 1, &why);
  if (!CHECK(manifest != NULL)) return;
  const ManifestKernel *a = &manifest->kernels[0];
  CHECK(a->slot_count == 2 && a->scratch_bytes.text && a->result_count == 1);
  CHECK(!strcmp(a->result[0].name, ".lo") && a->result[0].offset == 4);
  CHECK(!manifest_parse(&arena, outside, sizeof outside - 1, &why));
  CHECK(strstr(buf_text(&why), "the result of 'a' has no '.lo'") != NULL);
}

TEST(broken_expressions)
{
  static const char *const rows[] = {"",          "+",     "1 2",    "1 +",
                                     "k",         "f",     "p",      "x",
                                     "y.len",     "n.len", "1  2 +", "99999999999999999999",
                                     "1 2 3 ?: +"};
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    Expr expr;
    Buf why = BUF(&arena);
    CHECK(!expr_compile(&arena, &kernel, 3, READS_params, rows[i], &expr, &why) && why.len > 0);
  }
}

static const Manifest *parse(const char *json, Buf *why)
{
  *why = BUF(&arena);
  return manifest_parse(&arena, json, strlen(json), why);
}

TEST(manifests)
{
  Buf why;
  const Manifest *manifest = parse(
      "{\"manifest\": 1, \"source\": \"a\\u00e9\\ud83d\\ude00\\n.ck\", \"foreign\": true,"
      "\"kernels\": [{\"name\": \"k<f32, 2>\", \"symbol\": \"k\", \"written\": [\"k<f32, TWO>\"], "
      "\"params\": ["
      "{\"name\": \"x\", \"kind\": \"span\", \"type\": \"bf16\", \"access\": \"inout\"},"
      "{\"name\": \"n\", \"kind\": \"scalar\", \"type\": \"u8\"}]}]}",
      &why);
  if (CHECK(manifest && manifest->kernel_count == 1)) {
    CHECK(!strcmp(manifest->source, "a\xc3\xa9\xf0\x9f\x98\x80\n.ck"));
    CHECK(manifest->kernels[0].slot_count == 3 && manifest->kernels[0].params[1].slot == 2);
    CHECK(manifest_find(manifest, "k<f32,2>") && manifest_find(manifest, "k"));
    CHECK(manifest_find(manifest, "k<f32>") && !manifest_find(manifest, "k<f3>"));
    CHECK(manifest_find(manifest, "k<f32,TWO>") && !manifest_find(manifest, "k<f32,ONE>"));
    CHECK(!manifest_find(manifest, "k<f32>x") && !manifest_find(manifest, "k<f32,2"));
  }
  static const struct {
    const char *json, *why;
  } broken[] = {
      {"", "byte 0: input length is 0"},
      {"{\"manifest\": 2, \"kernels\": []}", "its version is 2, this library reads 1"},
      {"{}", "it has no version"},
      {"{\"manifest\": 1} x", "byte 16: unexpected content after document"},
      {"{\"manifest\": 1, \"kernels\": [{}]}", "a kernel has no name or symbol"},
      {"{\"manifest\": \"", "byte 14: unexpected end of data"},
      {"{\"manifest\": 1, \"kernels\": [{\"name\":\"k\",\"symbol\":\"k\",\"params\":[{\"name\":"
       "\"n\",\"kind\":\"scalar\",\"type\":\"u7\"}]}]}",
       "'u7' is no type"},
      {"{\"manifest\": 1, \"kernels\": [{\"name\":\"k\",\"symbol\":\"k\",\"launch\":{\"grid\":["
       "\"q\"]}}]}",
       "'q' in 'q' is no operator and no known parameter"},
      {"{\"manifest\": 1, \"kernels\": [{\"name\":\"k\",\"symbol\":\"k\",\"launch\":{\"block\":["
       "\"grid.x\"]}}]}",
       "'grid.x' in 'grid.x' is no operator"},
      {"{\"manifest\": 1, \"kernels\": [{\"name\":\"k\",\"symbol\":\"k\",\"shared_bytes\":"
       "2147483648}]}",
       "kernels[0].shared_bytes: expected 0 to 2147483647, got 2147483648"},
  };
  for (size_t i = 0; i < COUNT_OF(broken); ++i) {
    CHECK(parse(broken[i].json, &why) == NULL);
    if (!CHECK(strstr(buf_text(&why), broken[i].why))) fprintf(stderr, "'%s'\n", buf_text(&why));
  }
  CHECK(parse("{\"manifest\": 1, \"source\": \"a\\\\\\u0000b\"}", &why) == NULL);
  CHECK(strstr(buf_text(&why), "byte 30: a NUL in a string"));
  char deep[300] = "";
  memset(deep, '[', 200);
  CHECK(parse(deep, &why) == NULL && strstr(buf_text(&why), "nested too deeply"));
}

/* A manifest with one kernel that has these keys, and a manifest with further keys of its own. */
#define OF_KERNEL(keys) "{\"manifest\":1,\"kernels\":[{\"name\":\"k\",\"symbol\":\"k\"," keys "}]}"
#define OF_PARAM(keys)  OF_KERNEL("\"params\":[{\"name\":\"p\"," keys "}]")
#define OF_NEED(keys)                                                                              \
  "{\"manifest\":1,\"algorithms\":[{\"name\":\"a\",\"steps\":[\"s\"],\"needs\":[{" keys "}]}]}"
#define OF_RECORD(layout)                                                                          \
  OF_PARAM("\"kind\":\"scalar\",\"type\":\"P\",\"bytes\":16,\"align\":8,\"layout\":\"" layout "\"")

/* Launches trust the manifest, so unknown keys, values of the wrong type or range, and values that
 * contradict each other are refused. */
TEST(refused_values)
{
  static const struct {
    const char *json, *why;
  } rows[] = {
      {"{\"manifest\":1,\"kernelS\":[]}", "kernelS: the key is unknown"},
      {"{\"manifest\":1,\"source\":\"a\",\"source\":\"b\"}", "source: the key stands twice"},
      {"{\"manifest\":1,\"image\":\"12\"}", "image: expected 32 to 32 bytes, got 2"},
      {"{\"manifest\":1,\"kernels\":{}}", "kernels: expected a list, got an object"},
      {"{\"manifest\":1,\"kernels\":[7]}", "kernels[0]: expected an object, got a number"},
      {"{\"manifest\":1,\"imports\":[\"/a\",null]}", "imports[1]: expected a string, got null"},
      {OF_KERNEL("\"coroutinE\":true"), "kernels[0].coroutinE: the key is unknown"},
      {OF_KERNEL("\"coroutine\":1"), "kernels[0].coroutine: expected a boolean, got a number"},
      {OF_KERNEL("\"shared_bytes\":-1"), "shared_bytes: expected 0 to 2147483647, got -1"},
      {OF_KERNEL("\"shared_bytes\":1.5"), "shared_bytes: expected an integer, got 1.5"},
      {OF_KERNEL("\"shared_bytes\":01"), "byte 65: number with leading zero is not allowed"},
      {OF_KERNEL("\"launch\":{\"block\":[]}"), "launch.block: expected 1 to 3 elements, got 0"},
      {OF_KERNEL("\"launch\":{\"blocks\":[\"1\"]}"), "launch.blocks: the key is unknown"},
      {OF_KERNEL("\"params\":[{\"kind\":\"scalar\"}]"), "parameter '' is of kind 'scalar'"},
      {OF_PARAM("\"kind\":\"scalar\",\"type\":\"u32\",\"access\":\"in\""), "has the key 'access'"},
      {OF_PARAM("\"kind\":\"span\",\"type\":\"u32\""), "span 'p' has the access ''"},
      {OF_PARAM("\"kind\":\"span\",\"type\":\"u32\",\"align\":4"), "has the key 'align'"},
      {OF_PARAM("\"kind\":\"texture\",\"type\":\"u8\",\"rank\":4"), "'p' has 4 dimensions"},
      {OF_PARAM("\"kind\":\"texture\",\"type\":\"u8\",\"rank\":6"),
       "params[0].rank: expected 1 to 5"},
      {OF_KERNEL("\"params\":[{\"name\":\"p\",\"kind\":\"scalar\",\"type\":\"u8\"},"
                 "{\"name\":\"p\",\"kind\":\"scalar\",\"type\":\"u8\"}]"),
       "two parameters are called 'p'"},
      {OF_KERNEL("\"line\":1},{\"name\":\"K\",\"symbol\":\"k\""),
       "two kernels have the symbol 'k'"},
      {"{\"manifest\":1,\"algorithms\":[{\"name\":\"a\"}]}", "no kernel of the algorithm 'a'"},
      {OF_NEED("\"what\":\"y\",\"needs\":\"1\""), "a need of 'a' is no comparison"},
      {OF_NEED("\"what\":\"y\",\"type\":\"u8\""), "a need of 'a' is no comparison"},
      {OF_NEED("\"what\":\"y\",\"type\":\"u7\",\"needs\":\"1\""), "'u7' is no type"},
      {OF_NEED("\"what\":\"y\",\"type\":\"f32\",\"needs\":\"1\""), "'f32' is no narrow integer"},
      {OF_NEED("\"what\":\"y\",\"type\":\"i64\",\"needs\":\"1\""), "'i64' is no narrow integer"},
      {OF_RECORD("{a:f32@0,b:(u8@4,f64@9)}"), "has the layout"},
      {OF_RECORD("{a:f32@0,b:(u8@4,f64@8}"), "has the layout"},
      {OF_RECORD("{a:f33@0}"), "has the layout"},
      {OF_RECORD("{f32@0}"), "has the layout"},
      {OF_RECORD("[f32@0]x"), "has the layout"},
  };
  Buf why;
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    CHECK(parse(rows[i].json, &why) == NULL);
    if (!CHECK(strstr(buf_text(&why), rows[i].why))) fprintf(stderr, "'%s'\n", buf_text(&why));
  }
  CHECK(parse(OF_RECORD("{a:[bf16@0,f16@2],b:(u8@4,f64@8)}"), &why) != NULL);
}

TEST(object_code)
{
  ck_object_code_t *code, *again;
  size_t bytes;
  CHECK_STATUS(ck_object_code_from_bytes("nothing", 7, &code), CK_INVALID_ARGUMENT);
  CHECK_ERROR("7 bytes that are no cubin, PTX, fatbin, LTO-IR or x86-64 object code");
  const char ptx[] = "//\n// comment\n.version 8.0\n.target sm_90\n"
                     "//ck: {\"manifest\":1,\"source\":\"a.ck\",\"target\":\"sm_90\",\n"
                     "//ck: \"kernels\":[{\"name\":\"k\",\"symbol\":\"k_1\"}]}\n";
  CHECK_OK(ck_object_code_from_bytes(ptx, sizeof ptx - 1, &code));
  CHECK(ck_object_code_form(code) == CK_EMIT_PTX && ck_object_code_kernel_count(code) == 1);
  CHECK(!strcmp(ck_object_code_kernel_name(code, 0), "k"));
  CHECK(ck_object_code_kernel_name(code, 1) == NULL);

  char path[] = "/tmp/ck-test-code-XXXXXX";
  int fd = mkstemp(path);
  close(fd);
  CHECK_OK(ck_object_code_save(code, path));
  CHECK_OK(ck_object_code_from_file(path, &again));
  CHECK(!memcmp(ck_object_code_bytes(again, &bytes), ptx, sizeof ptx - 1) &&
        bytes == sizeof ptx - 1);
  CHECK(!strcmp(ck_object_code_manifest(code), ck_object_code_manifest(again)));
  unlink(path);
  CHECK_STATUS(ck_object_code_save(code, "/nonexistent/code"), CK_IO);
  ck_object_code_release(again);
  ck_object_code_release(code);
  CHECK_STATUS(ck_object_code_from_file(path, &again), CK_NOT_FOUND);
  CHECK_ERROR(path);
  CHECK_STATUS(ck_object_code_from_file("/tmp", &again), CK_IO);

  Elf64_Ehdr cubin = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
                      .e_machine = EM_CUDA};
  CHECK_OK(ck_object_code_from_bytes(&cubin, sizeof cubin, &code));
  CHECK(ck_object_code_form(code) == CK_EMIT_CUBIN && !*ck_object_code_manifest(code));
  ck_object_code_release(code);
  struct {
    Elf64_Ehdr header;
    char json[8];
    uint64_t length;
    char magic[8];
  } damaged = {cubin, "{\"manif", 8, "CKMANIF1"};
  CHECK_STATUS(ck_object_code_from_bytes(&damaged, sizeof damaged, &code), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the manifest can't be read: byte ");
}

typedef struct Elf {
  Elf64_Ehdr head;
  Elf64_Shdr sections[2];
} Elf;

static Elf elf_of(Elf64_Half machine)
{
  return (Elf){.head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
                        .e_machine = machine,
                        .e_ehsize = sizeof(Elf64_Ehdr),
                        .e_shoff = offsetof(Elf, sections),
                        .e_shentsize = sizeof(Elf64_Shdr),
                        .e_shnum = 2},
               .sections = {{0}, {.sh_type = SHT_PROGBITS, .sh_offset = 64, .sh_size = 64}}};
}

static void refuse(const void *data, size_t bytes, const char *why)
{
  ck_object_code_t *code;
  CHECK_STATUS(ck_object_code_from_bytes(data, bytes, &code), CK_INVALID_ARGUMENT);
  CHECK_ERROR(why);
}

/* The driver and the linker get no length with an image, so a cut-off image must be refused before.
 */
TEST(parts_of_images)
{
  ck_object_code_t *code;
  Elf elf = elf_of(EM_CUDA);
  CHECK_OK(ck_object_code_from_bytes(&elf, sizeof elf, &code));
  ck_object_code_release(code);
  refuse(&elf, sizeof elf - 1, "the image says 192 bytes, there are 191");
  refuse(&elf, sizeof elf.head, "the image says 192 bytes, there are 64");
  elf.sections[1].sh_size = 129;
  refuse(&elf, sizeof elf, "the image says 193 bytes, there are 192");
  elf.sections[1].sh_type = SHT_NOBITS;
  CHECK_OK(ck_object_code_from_bytes(&elf, sizeof elf, &code));
  ck_object_code_release(code);
  elf = elf_of(EM_X86_64);
  elf.sections[1].sh_offset = UINT64_MAX;
  refuse(&elf, sizeof elf, "the image says more bytes than can be");
  elf.head.e_shoff = UINT64_MAX - 10;
  refuse(&elf, sizeof elf, "the image says more bytes than can be");
  elf = elf_of(EM_X86_64);
  elf.head.e_shentsize = 8;
  refuse(&elf, sizeof elf, "the image says more bytes than can be");
  const uint32_t fatbin[4] = {0xBA55ED50, 16 << 16 | 1, 64, 0};
  refuse(fatbin, sizeof fatbin, "the image says 80 bytes, there are 16");
  refuse(fatbin, 8, "the image says 16 bytes, there are 8");
}

/* Checks whether an image followed by some bytes is accepted: an ELF image, or a fatbin for machine
 * 0. */
static void try_tail(Elf64_Half machine, const char *tail, size_t tail_bytes, bool is_good)
{
  const uint32_t fatbin[4] = {0xBA55ED50, 16 << 16 | 1, 0, 0};
  const Elf elf = elf_of(machine);
  size_t bytes = machine ? sizeof elf : sizeof fatbin;
  char image[sizeof elf + 64], why[80];
  ck_object_code_t *code = NULL;
  memcpy(image, machine ? (const void *)&elf : fatbin, bytes);
  memcpy(image + bytes, tail, tail_bytes);
  ck_status_t status = ck_object_code_from_bytes(image, bytes + tail_bytes, &code);
  CHECK(status == (is_good ? CK_OK : CK_INVALID_ARGUMENT) && !code == !is_good);
  snprintf(why, sizeof why, "the %zu bytes behind the image are no manifest", tail_bytes);
  if (!is_good) CHECK_ERROR(why);
  ck_object_code_release(code);
}

/* Bytes that could be a cut-off manifest are refused, since without the manifest launches would not
 * be checked. Zeros are padding. */
TEST(parts_of_manifests)
{
  const struct {
    char json[27];
    char length[8], magic[8];
  } tail = {"{\"manifest\":1,\"kernels\":[]}", {27}, {'C', 'K', 'M', 'A', 'N', 'I', 'F', '1'}};
  const Elf64_Half machines[] = {EM_CUDA, EM_X86_64, 0};
  for (size_t i = 0; i < COUNT_OF(machines); ++i) {
    for (size_t n = 1; n < sizeof tail; ++n) try_tail(machines[i], (const char *)&tail, n, false);
    try_tail(machines[i], (const char *)&tail, sizeof tail, true);
    try_tail(machines[i], (const char *)&tail, 0, true);
    try_tail(machines[i], (const char[32]){0}, 32, true);
  }
}

/* The host device loads only code of CK's compiler. */
TEST(foreign_host_code)
{
  struct {
    Elf elf;
    char gap[8], json[64];
    uint64_t length;
    char magic[8];
  } image = {elf_of(EM_X86_64), "", "{\"manifest\":1,\"target\":\"host\",\"kernels\":[]}", 64,
             "CKMANIF1"};
  static const char newer[] =
      "{\"manifest\":1,\"target\":\"host\",\"cpu\":\"x86-64-v9\",\"kernels\":[]}";
  memset(image.json + strlen(image.json), ' ', sizeof image.json - strlen(image.json));
  ck_device_t *device;
  ck_object_code_t *code;
  void *library;
  CHECK_OK(ck_device_open_host(&device));
  CHECK_OK(ck_object_code_from_bytes(&image, sizeof image.elf, &code));
  CHECK_STATUS(ck_object_code_get_native(code, device, &library), CK_INVALID_ARGUMENT);
  CHECK_ERROR("x86-64 object code without a manifest");
  ck_object_code_release(code);
  CHECK_OK(ck_object_code_from_bytes(&image, sizeof image, &code));
  CHECK_STATUS(ck_object_code_get_native(code, device, &library), CK_INVALID_ARGUMENT);
  CHECK_ERROR("there are bytes between the image and its manifest");
  ck_object_code_release(code);
  memcpy(strstr(image.json, "host"), "sm_7", 4);
  CHECK_OK(ck_object_code_from_bytes(&image, sizeof image, &code));
  CHECK_STATUS(ck_object_code_get_native(code, device, &library), CK_INVALID_ARGUMENT);
  CHECK_ERROR("x86-64 object code without a manifest of host code");
  ck_object_code_release(code);
  memcpy(image.json, newer, sizeof newer - 1);
  CHECK_OK(ck_object_code_from_bytes(&image, sizeof image, &code));
  CHECK_STATUS(ck_object_code_get_native(code, device, &library), CK_INVALID_ARGUMENT);
  CHECK_ERROR("is for x86-64-v9, this CPU is x86-64");
  ck_object_code_release(code);
  ck_device_release(device);
}

/* LTO-IR contains its manifest before the body, and is passed to linkers unchanged. */
TEST(ltoir)
{
  const struct {
    uint32_t head[6];
    char json[8];
    uint64_t length;
    char magic[8];
    char body[8];
  } ltoir = {{0x7f4e43ed, 0, 0, 0, 0, 48}, "{\"a\": 1}", 8, "CKMANIF1", "body"};
  const char *json;
  size_t json_bytes, image_bytes;
  CHECK(manifest_locate(&arena, &ltoir, sizeof ltoir, &json, &json_bytes, &image_bytes));
  CHECK(json == ltoir.json && json_bytes == 8 && image_bytes == sizeof ltoir);
}

int main(void)
{
  run_all();
  arena_free(&arena);
  return tests_report();
}
