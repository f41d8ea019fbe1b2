/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* source_lines.c - tests the source that debuggers show for CUDA C++ compiled from memory: the
 * program and the code are released before the kernel is launched, and the temporary source file
 * has to live as long as the kernel.
 *
 * test/gpu/tools.py stops cuda-gdb in the kernel and lists that file. Without a GPU ($CK_DEVICE)
 * there is nothing to launch.
 */
#include "fixture.h"

#include "nvidia.h"

static const char text[] = "extern \"C\" __global__ void nvrtc_lines(int *out)\n"
                           "{\n"
                           "  int i = (int)threadIdx.x;\n"
                           "  out[i] = 2 * i + 1; // the line that a debugger lists\n"
                           "}\n";

enum { THREADS = 32 };

static void launch(Bench *bench, ck_kernel_t *kernel)
{
  int values[THREADS] = {0}, wrong = 0;
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.block[0] = THREADS;
  config.grid[0] = config.block[1] = config.block[2] = config.grid[1] = config.grid[2] = 1;
  ck_buffer_t *out = bench_buffer(bench, sizeof values);
  CHECK_OK(ck_launch(bench->stream, &config, kernel, out));
  CHECK_OK(ck_buffer_read(out, 0, values, sizeof values, bench->stream));
  CHECK_OK(ck_stream_sync(bench->stream));
  for (int i = 0; i < THREADS; ++i) wrong += values[i] != 2 * i + 1;
  CHECK(wrong == 0);
  ck_buffer_release(out);
}

TEST(cuda_gdb_shows_nvrtc_debug_source_lines)
{
  Bench bench;
  bench_open_any(&bench);
  ck_program_options_t options = CK_OPTIONS_INIT(ck_program_options_t);
  ck_program_t *program;
  ck_object_code_t *code = NULL;
  ck_kernel_t *kernel = NULL;
  char path[512] = "";
  options.debug = CK_ON;
  CHECK_OK(ck_program_from_source(CK_PROGRAM_CUDA, text, sizeof text - 1, &options, &program));
  CHECK_OK(ck_program_compile(program, bench.device, &code));
  if (code) snprintf(path, sizeof path, "%s", code->manifest->source);
  if (code) CHECK_OK(ck_kernel_from_code(code, bench.device, "nvrtc_lines", &kernel));
  ck_program_release(program);
  ck_object_code_release(code);
  ck_cache_clear();
  CHECK(file_exists(path));
  if (kernel) launch(&bench, kernel);
  ck_kernel_release(kernel);
  CHECK(!file_exists(path));
  bench_close(&bench);
}

int main(void)
{
  ck_device_t *device;
  if (ck_device_open_auto(&device) != CK_OK) return 77;
  bool is_host = ck_device_is_host(device);
  ck_device_release(device);
  if (is_host || !nvrtc_open(NULL)) {
    puts("there is no GPU, or no NVRTC");
    return 77;
  }
  use_private_cache();
  RUN(cuda_gdb_shows_nvrtc_debug_source_lines);
  return tests_report();
}
