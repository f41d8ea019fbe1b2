/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* module.c - tests object code in the driver, and properties of kernels: cuda.core's tests of
 * ObjectCode and Kernel. On the device that $CK_DEVICE names. */
#include "faults.h"

#include <unistd.h>

#include "code/foreign.h"

static const char cuda[] = "__device__ int counter = 7;\n"
                           "template <typename T> __global__ void fill(T *out, T value, short "
                           "part) { *out = value + part; }\n"
                           "extern \"C\" __global__ void plain(int *out) { *out = counter; }\n";

static const char *const names[] = {"fill<double>", "&counter"};

/* Checks the driver's positions of a kernel's parameters. */
static void check_places(ck_kernel_t *kernel, const size_t (*places)[2], size_t count)
{
  size_t offset, bytes;
  for (size_t i = 0; i < count; ++i) {
    if (!CHECK_OK(ck_kernel_get_param_place(kernel, i, &offset, &bytes))) return;
    CHECK(offset == places[i][0] && bytes == places[i][1]);
  }
  CHECK_STATUS(ck_kernel_get_param_place(kernel, count, &offset, &bytes), CK_NOT_FOUND);
}

TEST(host_kernels)
{
  static const size_t saxpy[][2] = {{0, 8}, {8, 4}, {16, 8}, {24, 8}, {32, 8}};
  Bench bench;
  bench_open(&bench);
  ck_kernel_t *kernel = bench_kernel(&bench, "saxpy"), *foreign;
  void *native;
  uint64_t address;
  check_places(kernel, saxpy, COUNT_OF(saxpy));
  CHECK_OK(ck_object_code_get_native(bench.code, bench.device, &native));
  CHECK(native != NULL);
  CHECK_STATUS(ck_object_code_get_module(bench.code, bench.device, &native), CK_UNSUPPORTED);
  CHECK_ERROR("cuLibraryGetModule");
  CHECK_STATUS(ck_object_code_get_global(bench.code, bench.device, "g", &address, NULL),
               CK_UNSUPPORTED);
  CHECK_ERROR("cuLibraryGetGlobal");
  /* An adopted kernel is launched unchecked; here one of our own. */
  CHECK_OK(ck_kernel_from_native(bench.device, ck_kernel_native(kernel), bench.code, &foreign));
  ck_kernel_release(kernel);
  CHECK(!ck_kernel_has_manifest(foreign) && ck_kernel_param_count(foreign) == 0);
  check_places(foreign, saxpy, COUNT_OF(saxpy));
  ck_kernel_release(foreign);
  bench_close(&bench);
}

/* Code is loaded at the first request for a kernel, once for all of them. */
TEST(get_kernel)
{
  Bench bench;
  bench_open(&bench);
  ck_object_code_t *code;
  CHECK_OK(ck_object_code_from_bytes(bench.code->data, bench.code->bytes, &code));
  CHECK(!code->loaded);
  ck_kernel_t *first, *second, *none;
  CHECK_STATUS(ck_kernel_from_code(code, bench.device, "ABC", &none), CK_NOT_FOUND);
  CHECK_ERROR("there is no kernel 'ABC'");
  CHECK(!none && !code->loaded);
  CHECK_OK(ck_kernel_from_code(code, bench.device, "saxpy", &first));
  CHECK(code->loaded && ck_kernel_native(first) && !strcmp(ck_kernel_name(first), "saxpy"));
  CHECK_OK(ck_kernel_from_code(code, bench.device, "saxpy", &second));
  CHECK(ck_kernel_native(first) == ck_kernel_native(second) && !code->loaded->next);
  ck_object_code_release(code); /* retained by the kernels */
  ck_kernel_release(first);
  CHECK(!strcmp(ck_kernel_name(second), "saxpy"));
  ck_kernel_release(second);
  bench_close(&bench);
}

/* A kernel adopted with or without its code, repeatedly; a NULL handle is refused. */
TEST(kernel_from_handle)
{
  Bench bench;
  bench_open(&bench);
  ck_kernel_t *kernel = bench_kernel(&bench, "saxpy"), *foreign[3], *none;
  void *native = ck_kernel_native(kernel);
  int threads = 0;
  for (int i = 0; i < 3; ++i) {
    CHECK_OK(ck_kernel_from_native(bench.device, native, i ? bench.code : NULL, &foreign[i]));
    CHECK(ck_kernel_native(foreign[i]) == native);
    CHECK_OK(ck_kernel_get_attribute(foreign[i], CK_KERNEL_MAX_THREADS_PER_BLOCK, &threads));
    CHECK(threads > 0);
  }
  for (int i = 0; i < 3; ++i) ck_kernel_release(foreign[i]);
  CHECK_STATUS(ck_kernel_from_native(bench.device, NULL, bench.code, &none), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_kernel_from_native(NULL, native, NULL, &none), CK_INVALID_ARGUMENT);
  CHECK(none == NULL);
  ck_kernel_release(kernel);
  bench_close(&bench);
}

/* Parameters are known in any current context; errors of the driver are reported. */
TEST(num_args_error_handling)
{
  const Driver *driver = fault_driver(driver_host());
  ck_device_t *device;
  ck_object_code_t *code;
  ck_kernel_t *kernel;
  size_t offset = 1, bytes = 1;
  CHECK_OK(device_open(driver, 0, &device));
  CHECK_OK(compile_stub("any", device, &code));
  CHECK_OK(ck_kernel_from_code(code, device, "saxpy", &kernel));
  CHECK(!host_is_current());
  CHECK_OK(ck_kernel_get_param_place(kernel, 1, &offset, &bytes));
  CHECK(offset == 8 && bytes == 4 && !host_is_current());
  fault_arm(DRIVER_cuKernelGetParamInfo, 1, CUDA_ERROR_INVALID_CONTEXT);
  CHECK_STATUS(ck_kernel_get_param_place(kernel, 1, &offset, &bytes), CK_DRIVER);
  CHECK_ERROR("CUDA_ERROR_INVALID_CONTEXT");
  CHECK(offset == 0 && bytes == 0 && fault_fired());
  fault_arm(FAULT_ANY, 0, CUDA_SUCCESS);
  ck_kernel_release(kernel);
  ck_object_code_release(code);
  ck_device_release(device);
}

/* A file has everything that the object has. */
TEST(module_serialization_roundtrip)
{
  Bench bench;
  Arena arena = {0};
  bench_open(&bench);
  const char *path = arena_printf(&arena, "%s/saved", getenv("CK_CACHE_DIR"));
  ck_object_code_t *again;
  size_t bytes;
  CHECK_OK(ck_object_code_save(bench.code, path));
  CHECK_OK(ck_object_code_from_file(path, &again));
  CHECK(unlink(path) == 0);
  CHECK(!memcmp(ck_object_code_bytes(again, &bytes), bench.code->data, bench.code->bytes));
  CHECK(bytes == bench.code->bytes);
  CHECK(ck_object_code_form(again) == ck_object_code_form(bench.code));
  CHECK(!strcmp(ck_object_code_manifest(again), ck_object_code_manifest(bench.code)));
  CHECK(ck_object_code_kernel_count(again) == ck_object_code_kernel_count(bench.code));
  CHECK_STATUS(ck_object_code_save(again, "/no/such/folder/code"), CK_IO);
  ck_object_code_release(again);
  bench_close(&bench);
  arena_free(&arena);
}

static CUresult no_global(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
  (void)address, (void)bytes, (void)library, (void)name;
  return CUDA_ERROR_NOT_FOUND;
}

static CUresult one_managed(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                            const char *name)
{
  (void)library;
  if (strcmp(name, "moved")) return CUDA_ERROR_NOT_FOUND;
  *address = 0x5000;
  *bytes = 12;
  return CUDA_SUCCESS;
}

/* A symbol that is no global can be a managed variable; some drivers have none. */
TEST(managed_variable)
{
  Driver driver = *driver_host();
  ck_device_t *device;
  ck_object_code_t *code;
  uint64_t address = 1;
  size_t bytes = 1;
  driver.cuLibraryGetGlobal = no_global;
  CHECK_OK(device_open(&driver, 0, &device));
  CHECK_OK(compile_stub("any", device, &code));
  CHECK_STATUS(ck_object_code_get_global(code, device, "moved", &address, &bytes), CK_NOT_FOUND);
  CHECK_ERROR("there is no variable 'moved'");
  CHECK(address == 0 && bytes == 0);
  driver.cuLibraryGetManaged = one_managed;
  CHECK_OK(ck_object_code_get_global(code, device, "moved", &address, &bytes));
  CHECK(address == 0x5000 && bytes == 12);
  CHECK_STATUS(ck_object_code_get_global(code, device, "other", &address, &bytes), CK_NOT_FOUND);
  CHECK_ERROR("there is no variable 'other'");
  ck_object_code_release(code);
  ck_device_release(device);
}

/* Code has the name of its program; without a manifest it has none. */
TEST(names_of_code)
{
  static const char ptx[] = ".version 8.0\n.target sm_80\n.address_size 64\n";
  Bench bench;
  bench_open(&bench);
  ck_object_code_t *plain, *code = NULL;
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_program_t *program;
  options.file_name = "folder/named.ck";
  CHECK_OK(ck_program_create("any", 3, &options, &program));
  CHECK_OK(ck_program_compile(program, bench.device, &code));
  if (code) CHECK(!strcmp(ck_object_code_name(code), "folder/named.ck"));
  ck_object_code_release(code);
  ck_program_release(program);
  CHECK_OK(ck_object_code_from_bytes(ptx, sizeof ptx - 1, &plain));
  CHECK(!strcmp(ck_object_code_name(plain), ""));
  ck_object_code_release(plain);
  bench_close(&bench);
}

/* An embedded module whose count says that it has images, but which has none. */
TEST(embedded_without_images)
{
  Bench bench;
  bench_open(&bench);
  ck_embedded_t embedded = CK_OPTIONS_INIT(ck_embedded_t);
  ck_kernel_t *kernel;
  CHECK_STATUS(ck_embedded_get_kernel(&embedded, bench.stream, "k", &kernel), CK_NOT_FOUND);
  embedded.image_count = 2;
  CHECK_STATUS(ck_embedded_get_kernel(&embedded, bench.stream, "k", &kernel), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'k': 2 images at NULL");
  CHECK(kernel == NULL);
  ck_embedded_close(&embedded);
  bench_close(&bench);
}

static ck_status_t use_module(ck_device_t *device, ck_stream_t *stream)
{
  ck_object_code_t *code = NULL;
  ck_kernel_t *kernel = NULL, *foreign = NULL;
  ck_status_t status;
  (void)stream;
  STEP(compile_stub("any", device, &code));
  STEP(ck_kernel_from_code(code, device, "saxpy", &kernel));
  STEP(ck_kernel_from_native(device, ck_kernel_native(kernel), code, &foreign));
done:
  ck_kernel_release(foreign);
  ck_kernel_release(kernel);
  ck_object_code_release(code);
  return status;
}

TEST(every_call_fails_in_turn)
{
  const Scenario scenario = {"module", .run = use_module,
                             .quiet = {"cuKernelGetParamInfo", "cuKernelGetParamCount"}};
  CHECK(faults_try(&scenario, 1) > 10);
}

/* ---- of CUDA C++ ---- */

/* Object code of a form, from memory and from a file: bytes, names, and what can be loaded. The
 * host device can load none of it. */
static void load_form(ck_emit_t form)
{
  Bench bench;
  Arena arena = {0};
  bench_open_any(&bench);
  bool is_host = ck_device_is_host(bench.device);
  ck_program_options_t options = CK_OPTIONS_INIT(ck_program_options_t);
  ck_program_t *program;
  ck_object_code_t *codes[3] = {NULL, NULL, NULL};
  options.target = is_host ? "sm_80" : ck_device_target(bench.device);
  options.emit = form;
  options.name_expressions = names;
  options.name_expression_count = COUNT_OF(names);
  CHECK_OK(ck_program_from_source(CK_PROGRAM_CUDA, cuda, sizeof cuda - 1, &options, &program));
  CHECK_OK(ck_program_compile(program, NULL, &codes[0]));
  ck_program_release(program);
  if (codes[0]) {
    const char *path = arena_printf(&arena, "%s/loaded", getenv("CK_CACHE_DIR"));
    CHECK(file_write(path, codes[0]->data, codes[0]->bytes));
    CHECK_OK(ck_object_code_from_bytes(codes[0]->data, codes[0]->bytes, &codes[1]));
    CHECK_OK(ck_object_code_from_file(path, &codes[2]));
  }
  for (int i = 1; i < 3 && codes[i]; ++i) {
    ck_kernel_t *kernel;
    size_t bytes;
    CHECK(ck_object_code_form(codes[i]) == form);
    const void *data = ck_object_code_bytes(codes[i], &bytes);
    CHECK(bytes == codes[0]->bytes && !memcmp(data, codes[0]->data, bytes));
    CHECK(ck_object_code_symbol_count(codes[i]) == COUNT_OF(names));
    CHECK_STATUS(ck_kernel_from_code(codes[i], bench.device, "fill<double>", &kernel),
                 is_host || form == CK_EMIT_LTOIR ? CK_INVALID_ARGUMENT : CK_OK);
    if (!kernel) CHECK_ERROR(form == CK_EMIT_LTOIR ? "LTO-IR can't be loaded" : "can't run on");
    CHECK((kernel != NULL) == (codes[i]->loaded != NULL));
    ck_kernel_release(kernel);
  }
  for (int i = 0; i < 3; ++i) ck_object_code_release(codes[i]);
  bench_close(&bench);
  arena_free(&arena);
}

TEST(object_code_load_ptx)
{
  load_form(CK_EMIT_PTX);
}

TEST(object_code_load_cubin)
{
  load_form(CK_EMIT_CUBIN);
}

TEST(object_code_load_ltoir)
{
  load_form(CK_EMIT_LTOIR);
}

/* The symbols of name expressions survive saving and loading. */
TEST(symbols_of_saved_code)
{
  ck_program_options_t options = CK_OPTIONS_INIT(ck_program_options_t);
  Arena arena = {0};
  const char *path = arena_printf(&arena, "%s/symbols", getenv("CK_CACHE_DIR"));
  options.target = "sm_80";
  options.name_expressions = names;
  options.name_expression_count = COUNT_OF(names);
  for (int form = CK_EMIT_PTX; form <= CK_EMIT_CUBIN; ++form) {
    ck_program_t *program;
    ck_object_code_t *code = NULL, *again = NULL;
    options.emit = (ck_emit_t)form;
    CHECK_OK(ck_program_from_source(CK_PROGRAM_CUDA, cuda, sizeof cuda - 1, &options, &program));
    CHECK_OK(ck_program_compile(program, NULL, &code));
    ck_program_release(program);
    CHECK_OK(ck_object_code_save(code, path));
    if (!CHECK_OK(ck_object_code_from_file(path, &again))) break;
    CHECK(again != code && ck_object_code_form(again) == (ck_emit_t)form);
    CHECK(ck_object_code_symbol_count(again) == COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
      const char *name = NULL, *same = NULL, *symbol = ck_object_code_symbol(code, i, &name);
      CHECK(!strcmp(ck_object_code_symbol(again, i, &same), symbol) && !strcmp(same, name));
      CHECK(!strcmp(name, i ? "fill<double>" : "&counter") && symbol[0]);
    }
    CHECK(ck_object_code_symbol(again, COUNT_OF(names), NULL) == NULL);
    ck_object_code_release(code);
    ck_object_code_release(again);
  }
  arena_free(&arena);
}

/* ---- on a GPU ---- */

static ck_object_code_t *compile_cuda(Bench *bench, ck_emit_t form)
{
  ck_program_options_t options = CK_OPTIONS_INIT(ck_program_options_t);
  ck_program_t *program;
  ck_object_code_t *code = NULL;
  options.emit = form;
  options.name_expressions = names;
  options.name_expression_count = COUNT_OF(names);
  CHECK_OK(ck_program_from_source(CK_PROGRAM_CUDA, cuda, sizeof cuda - 1, &options, &program));
  CHECK_OK(ck_program_compile(program, bench->device, &code));
  ck_program_release(program);
  return code;
}

static void use_code(Bench *bench, ck_object_code_t *code)
{
  static const size_t fill[][2] = {{0, 8}, {8, 8}, {16, 2}};
  ck_kernel_t *kernel = NULL, *foreign = NULL;
  void *module, *library;
  uint64_t address;
  size_t bytes;
  int value;
  if (!CHECK_OK(ck_kernel_from_code(code, bench->device, "fill<double>", &kernel))) return;
  check_places(kernel, fill, COUNT_OF(fill));
  for (int a = CK_KERNEL_MAX_THREADS_PER_BLOCK; a <= CK_KERNEL_CLUSTER_SCHEDULING_POLICY; ++a)
    CHECK_OK(ck_kernel_get_attribute(kernel, (ck_kernel_attribute_t)a, &value));
  CHECK_OK(ck_object_code_get_native(code, bench->device, &library));
  CHECK_OK(ck_object_code_get_module(code, bench->device, &module));
  CHECK(library && module);
  CHECK_OK(ck_object_code_get_global(code, bench->device, "&counter", &address, &bytes));
  CHECK(address && bytes == sizeof(int));
  CHECK_STATUS(ck_object_code_get_global(code, bench->device, "none", &address, &bytes),
               CK_NOT_FOUND);
  CHECK_ERROR("there is no variable 'none'");
  CHECK_OK(ck_kernel_from_native(bench->device, ck_kernel_native(kernel), code, &foreign));
  ck_kernel_release(kernel);
  double result = 0;
  ck_buffer_t *out = bench_buffer(bench, sizeof result);
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  for (int i = 0; i < 3; ++i) config.grid[i] = config.block[i] = 1;
  CHECK_OK(ck_launch(bench->stream, &config, foreign, out, 40.5, (int16_t)2));
  CHECK_OK(ck_buffer_read(out, 0, &result, sizeof result, bench->stream));
  CHECK_OK(ck_stream_sync(bench->stream));
  CHECK(result == 42.5);
  ck_buffer_release(out);
  ck_kernel_release(foreign);
}

/* A managed variable is found by its symbol, and accessed by the CPU and a kernel. */
TEST(managed_variable_of_cuda)
{
  static const char text[] = "__managed__ int moved = 7;\n"
                             "extern \"C\" __global__ void add(int more) { moved += more; }\n";
  Bench bench;
  ck_program_t *program = NULL;
  ck_object_code_t *code = NULL;
  ck_kernel_t *kernel = NULL;
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  uint64_t address = 0;
  size_t bytes = 0;
  int has = 0;
  bench_open_any(&bench);
  CHECK_OK(ck_device_get_attribute(bench.device, CK_DEVICE_CONCURRENT_MANAGED_ACCESS, &has));
  if (has && !ck_device_is_host(bench.device)) {
    CHECK_OK(ck_program_from_source(CK_PROGRAM_CUDA, text, sizeof text - 1, NULL, &program));
    CHECK_OK(ck_program_compile(program, bench.device, &code));
    CHECK_OK(ck_object_code_get_global(code, bench.device, "moved", &address, &bytes));
    CHECK(address && bytes == sizeof(int));
    CHECK_OK(ck_kernel_from_code(code, bench.device, "add", &kernel));
    for (int i = 0; i < 3; ++i) config.grid[i] = config.block[i] = 1;
    CHECK_OK(ck_launch(bench.stream, &config, kernel, (int32_t)5));
    CHECK_OK(ck_stream_sync(bench.stream));
    if (address) CHECK(*(volatile int *)(uintptr_t)address == 12);
  }
  ck_kernel_release(kernel);
  ck_object_code_release(code);
  ck_program_release(program);
  bench_close(&bench);
}

TEST(code_from_memory_and_file)
{
  static const ck_emit_t forms[] = {CK_EMIT_CUBIN, CK_EMIT_PTX};
  Bench bench;
  Arena arena = {0};
  bench_open_any(&bench);
  const char *path = arena_printf(&arena, "%s/code", getenv("CK_CACHE_DIR"));
  for (size_t i = 0; i < COUNT_OF(forms) && !ck_device_is_host(bench.device); ++i) {
    ck_object_code_t *code = compile_cuda(&bench, forms[i]), *again = NULL;
    if (!code) continue;
    use_code(&bench, code);
    CHECK_OK(ck_object_code_save(code, path));
    ck_object_code_release(code);
    CHECK_OK(ck_object_code_from_file(path, &again));
    if (again) use_code(&bench, again);
    ck_object_code_release(again);
  }
  bench_close(&bench);
  arena_free(&arena);
}

int main(void)
{
  use_private_cache();
  RUN(host_kernels);
  RUN(get_kernel);
  RUN(kernel_from_handle);
  RUN(module_serialization_roundtrip);
  RUN(names_of_code);
  RUN(embedded_without_images);
  ck_cache_clear();
  setenv("CK_CACHE", "off", 1); /* cached code would stay loaded */
  RUN(managed_variable);
  RUN(num_args_error_handling);
  RUN(every_call_fails_in_turn);
  if (nvrtc_open(NULL)) {
    RUN(object_code_load_ptx);
    RUN(object_code_load_cubin);
    RUN(object_code_load_ltoir);
    RUN(symbols_of_saved_code);
    RUN(managed_variable_of_cuda);
    RUN(code_from_memory_and_file);
  }
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
