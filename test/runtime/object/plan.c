/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* plan.c - tests algorithms of several kernels.
 *
 * Persistent memory is the stream's, a captured launch has its own, and nothing is launched if a
 * step can't be. On the host device or a GPU: $CK_DEVICE.
 */
#define _GNU_SOURCE /* mkdtemp, setenv */
#include "fixture.h"

#include "plan.ck.text"

#include <dirent.h>
#include <unistd.h>

static const char forms[] =
    "fn one(n: u64, y: inout u64[]) { y[0] = n + 1; }\n"
    "fn two(n: u64, y: inout u64[]) { y[0] *= 2; }\n"
    "algorithm form(n: u64, y: inout u64[2]) {\n"
    "    if (n <= 100) { launch one(block = 1, grid = 1, n, y); }\n"
    "    else { launch one(block = 1, grid = 1, n, y); launch two(block = 1, grid = 1, n, y); }\n"
    "}\n";

static Bench bench;
static ck_kernel_t *step, *total;

/* Launches on a stream; gives y[0] and y[1]. */
static void launch(ck_stream_t *stream, ck_buffer_t *y, uint64_t m, uint64_t k, uint64_t out[2])
{
  CHECK_OK(ck_launch(stream, NULL, step, m, k, y));
  CHECK_OK(ck_buffer_read(y, 0, out, 16, stream));
  CHECK_OK(ck_stream_sync(stream));
}

static ck_buffer_t *zeroes(void)
{
  ck_buffer_t *y = bench_buffer(&bench, 16);
  CHECK_OK(ck_buffer_fill(y, 0, 16, 0, 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  return y;
}

TEST(persistent_memory_is_kept_for_the_stream)
{
  ck_stream_t *other;
  ck_buffer_t *y = zeroes();
  uint64_t got[2];
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  launch(bench.stream, y, 100, 5, got);
  CHECK(got[0] == 5 && got[1] == 100);
  launch(bench.stream, y, 7, 6, got);
  CHECK(got[0] == 11 && got[1] == 107);
  launch(other, y, 100, 1, got); /* another stream has its own */
  CHECK(got[0] == 1);
  launch(bench.stream, y, 100000, 1, got); /* more bytes: new ones, zeroed */
  CHECK(got[0] == 1 && got[1] == 100207);
  launch(bench.stream, y, 100, 1, got); /* another number of bytes: zeroed again */
  CHECK(got[0] == 1);
  ck_stream_release(other);
  ck_buffer_release(y);
}

/* More of them than a device has slots for (device.h). */
TEST(each_of_many_streams_has_memory_of_its_own)
{
  enum { STREAMS = 40 };
  ck_stream_t *streams[STREAMS];
  ck_buffer_t *y = zeroes();
  uint64_t got[2];
  for (int i = 0; i < STREAMS; ++i) CHECK_OK(ck_stream_create(bench.device, NULL, &streams[i]));
  for (uint64_t m = 100; m <= 100000; m *= 1000) /* in a slot, and too many bytes for one */
    for (uint64_t k = 1; k <= 2; ++k)
      for (uint64_t i = 0; i < STREAMS; ++i) {
        launch(streams[i], y, m, k * i, got);
        CHECK(got[0] == (k == 1 ? i : 3 * i));
      }
  for (int i = 0; i < STREAMS; ++i) ck_stream_release(streams[i]);
  ck_buffer_release(y);
}

TEST(persistent_memory_of_users_is_kept_for_each_algorithm)
{
  ck_buffer_t *y = zeroes();
  uint64_t got[2];
  launch(bench.stream, y, 100, 0, got);
  launch(bench.stream, y, 100, 5, got);
  uint64_t before = got[0];
  for (int round = 0; round < 3; ++round) { /* a new algorithm takes the memory of one that went */
    ck_kernel_t *again = bench_kernel(&bench, "again");
    for (uint64_t i = 1; i < 3; ++i) {
      CHECK_OK(ck_launch(bench.stream, NULL, again, (uint64_t)2, y));
      CHECK_OK(ck_buffer_read(y, 0, got, 16, bench.stream));
      CHECK_OK(ck_stream_sync(bench.stream));
      CHECK(got[0] == 2 * i);
    }
    ck_kernel_release(again);
  }
  launch(bench.stream, y, 100, 1, got);
  CHECK(got[0] == before + 1);
  ck_buffer_release(y);
}

TEST(large_scratch_memory_is_allocated_for_the_launch)
{
  ck_buffer_t *y = zeroes();
  uint64_t got[2];
  launch(bench.stream, y, 1 << 22, 0, got);
  CHECK(got[1] == 1 << 22);
  ck_buffer_release(y);
}

TEST(a_captured_launch_has_memory_of_its_own)
{
  ck_graph_builder_t *builder;
  ck_graph_t *graph;
  ck_buffer_t *y = zeroes(), *z = zeroes();
  uint64_t got[2];
  CHECK_OK(ck_graph_builder_create(bench.device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  ck_stream_t *captured = ck_graph_builder_stream(builder);
  CHECK_OK(ck_launch(captured, NULL, step, (uint64_t)70, (uint64_t)3, y));
  CHECK_OK(ck_launch(captured, NULL, step, (uint64_t)(1 << 18), (uint64_t)2, z));
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  for (int i = 0; i < 3; ++i) CHECK_OK(ck_graph_launch(graph, bench.stream));
  CHECK_OK(ck_buffer_read(y, 0, got, 16, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(got[0] == 9 && got[1] == 210);
  CHECK_OK(ck_buffer_read(z, 0, got, 16, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(got[0] == 6 && got[1] == 3 << 18);
  ck_graph_release(graph);
  ck_buffer_release(y);
  ck_buffer_release(z);
}

/* Executable graphs of one definition may run at a time: each counts in memory of its own. */
TEST(executable_graphs_have_memory_of_their_own)
{
  ck_graph_builder_t *builder;
  ck_graph_t *graphs[3];
  ck_buffer_t *y = zeroes();
  uint64_t got[2];
  CHECK_OK(ck_graph_builder_create(bench.device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, step, (uint64_t)70, (uint64_t)3, y));
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_definition_t *definition = ck_graph_builder_definition(builder);
  for (int i = 0; i < 3; ++i) CHECK_OK(ck_graph_create(definition, NULL, &graphs[i]));
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k <= i; ++k) CHECK_OK(ck_graph_launch(graphs[i], bench.stream));
  CHECK_OK(ck_buffer_read(y, 0, got, 16, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(got[0] == 9 && got[1] == 6 * 70); /* the last graph was launched three times */
  CHECK_OK(ck_graph_update(graphs[1], definition));
  CHECK_OK(ck_graph_launch(graphs[1], bench.stream));
  CHECK_OK(ck_graph_launch(graphs[0], bench.stream));
  CHECK_OK(ck_buffer_read(y, 0, got, 16, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(got[0] == 6);
  for (int i = 0; i < 3; ++i) ck_graph_release(graphs[i]);
  ck_graph_builder_release(builder);
  ck_buffer_release(y);
}

TEST(a_launch_gives_no_shape_and_an_algorithm_has_none_of_its_own)
{
  ck_buffer_t *y = zeroes();
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  int value, blocks;
  config.grid[0] = 4;
  CHECK_STATUS(ck_launch(bench.stream, &config, step, (uint64_t)4, (uint64_t)1, y),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("'step' is an algorithm of 2 kernels");
  CHECK_STATUS(ck_kernel_get_attribute(step, CK_KERNEL_REGISTERS, &value), CK_UNSUPPORTED);
  CHECK_ERROR("'step' is an algorithm of 2 kernels, which have no common attributes");
  CHECK_STATUS(ck_kernel_get_occupancy(step, 64, 0, &blocks), CK_UNSUPPORTED);
  CHECK(!ck_kernel_native(step));
  CHECK(ck_kernel_param_count(step) == 3 && ck_kernel_result_part_count(total) == 1);
  ck_buffer_release(y);
}

TEST(nothing_is_launched_if_a_step_cannot_be)
{
  ck_buffer_t *y = zeroes();
  uint64_t got[2];
  launch(bench.stream, y, 1, 0, got);
  uint64_t before = got[0];
  CHECK_STATUS(ck_launch(bench.stream, NULL, step, UINT64_MAX, (uint64_t)9, y),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'step.1.count'");
  CHECK_STATUS(ck_launch(bench.stream, NULL, step, (uint64_t)1, y), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_launch(bench.stream, NULL, total, (uint64_t)10, y, y), CK_INVALID_ARGUMENT);
  launch(bench.stream, y, 1, 0, got);
  CHECK(got[0] == before);
  ck_buffer_release(y);
}

TEST(scratch_memory_that_there_is_not_launches_nothing)
{
  ck_kernel_t *much = bench_kernel(&bench, "much");
  ck_buffer_t *y = zeroes();
  uint64_t got[2];
  CHECK(ck_launch(bench.stream, NULL, much, (uint64_t)1 << 50, y) != CK_OK);
  CHECK_ERROR("algorithm 'much': scratch memory");
  CHECK_OK(ck_launch(bench.stream, NULL, much, (uint64_t)1 << 10, y));
  CHECK_OK(ck_buffer_read(y, 0, got, 16, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(got[1] == 2);
  ck_kernel_release(much);
  ck_buffer_release(y);
}

TEST(an_output_that_is_too_short_is_refused)
{
  ck_kernel_t *running = bench_kernel(&bench, "running");
  ck_buffer_t *x = zeroes(), *y = zeroes();
  const uint64_t in[2] = {3, 4};
  uint64_t got[2];
  CHECK_OK(ck_buffer_write(x, 0, in, 16, bench.stream));
  for (uint64_t m = 2; m-- > 0;) { /* also after a call that was right */
    CHECK_OK(ck_launch(bench.stream, NULL, running, (uint64_t)2, (uint64_t)2, x, y));
    CHECK_OK(ck_buffer_fill(y, 0, 16, 0, 4, bench.stream));
    CHECK_STATUS(ck_launch(bench.stream, NULL, running, (uint64_t)2, m, x, y), CK_INVALID_ARGUMENT);
    CHECK_ERROR("'to' of 'inclusive_scan(x, y, +)' in line");
    CHECK_OK(ck_buffer_read(y, 0, got, 16, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    CHECK(got[0] == 0 && got[1] == 0);
  }
  ck_kernel_release(running);
  ck_buffer_release(x);
  ck_buffer_release(y);
}

TEST(a_stream_of_another_device_is_refused)
{
  ck_device_t *other;
  ck_stream_t *there;
  ck_buffer_t *y = zeroes();
  uint64_t got[2];
  CHECK_OK(
      device_open(driver_of_gpu(bench.device->driver), ck_device_ordinal(bench.device), &other));
  CHECK_OK(ck_stream_create(other, NULL, &there));
  CHECK_STATUS(ck_launch(there, NULL, step, (uint64_t)5, (uint64_t)1, y), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the stream is of");
  CHECK_OK(ck_buffer_read(y, 0, got, 16, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(got[0] == 0 && got[1] == 0);
  ck_stream_release(there);
  ck_device_release(other);
  ck_buffer_release(y);
}

static void *launch_often(void *y)
{
  for (uint64_t i = 1; i <= 50; ++i)
    if (ck_launch(bench.stream, NULL, step, 64 * i, (uint64_t)1, (ck_buffer_t *)y))
      atomic_fetch_add(&thread_failures, 1);
  return NULL;
}

/* The steps of two launches don't alternate, so each adds its own parts. */
static ck_buffer_t *together;
static void *launch_together(void *data)
{
  (void)data;
  return launch_often(together);
}

TEST(threads_launch_on_one_stream)
{
  uint64_t got[2];
  together = zeroes();
  run_threads(launch_together);
  CHECK(!atomic_load(&thread_failures));
  CHECK_OK(ck_buffer_read(together, 0, got, 16, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(got[1] == 6 * 64 * (50 * 51 / 2));
  ck_buffer_release(together);
}

/* The files that are complete: one that is still written has more behind the suffix. */
static int entries(void)
{
  int count = 0;
  DIR *folder = opendir(getenv("CK_CACHE_DIR"));
  for (struct dirent *item; folder && (item = readdir(folder));) {
    const char *suffix = strstr(item->d_name, ".ckcode");
    count += suffix && !strcmp(suffix, ".ckcode");
  }
  if (folder) closedir(folder);
  return count;
}

static void fill(ck_kernel_t *form, uint64_t n, uint64_t expected, ck_buffer_t *y)
{
  uint64_t got[2];
  CHECK_OK(ck_launch(bench.stream, NULL, form, n, y));
  CHECK_OK(ck_buffer_read(y, 0, got, 16, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(got[0] == expected);
}

/* The cache gets an entry for the program, and one for each kernel when it is compiled. */
TEST(a_form_is_compiled_when_it_is_launched)
{
  ck_program_t *program;
  ck_object_code_t *code, *again;
  ck_kernel_t *form;
  ck_buffer_t *y = zeroes();
  char folder[] = "/tmp/ck-plan-XXXXXX";
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  options.opt_level = CK_OPT_3; /* nothing in the background */
  if (!CHECK(mkdtemp(folder) != NULL)) return;
  setenv("CK_CACHE_DIR", folder, 1);
  CHECK_OK(ck_program_create(forms, strlen(forms), &options, &program));
  if (!CHECK_OK(ck_program_compile(program, bench.device, &code))) return;
  CHECK_OK(ck_kernel_from_code(code, bench.device, "form", &form));
  CHECK(entries() == 1);
  fill(form, 5, 6, y);
  CHECK(entries() == 2);
  fill(form, 500, 1002, y);
  CHECK(entries() == 4);
  ck_cache_clear();
  ck_kernel_release(form);
  ck_object_code_release(code);
  CHECK_OK(ck_program_compile(program, bench.device, &again)); /* from the folder */
  CHECK_OK(ck_kernel_from_code(again, bench.device, "form", &form));
  fill(form, 500, 1002, y);
  CHECK(entries() == 4);
  size_t bytes;
  const void *all = ck_object_code_bytes(again, &bytes); /* compiles all as one */
  CHECK(entries() == 5 && ck_object_code_form(again) != CK_EMIT_MANIFEST);
  CHECK_OK(ck_object_code_from_bytes(all, bytes, &code));
  ck_kernel_release(form);
  CHECK_OK(ck_kernel_from_code(code, bench.device, "form", &form));
  fill(form, 5, 6, y);
  CHECK_OK(ck_cache_remove_program(program, bench.device));
  CHECK(rmdir(folder) == 0);
  ck_object_code_release(code);
  ck_object_code_release(again);
  ck_kernel_release(form);
  ck_program_release(program);
  ck_buffer_release(y);
}

static PartForm form_of(const ck_kernel_t *plan)
{
  ck_kernel_t *first = atomic_load(&plan->steps[0]);
  return first ? first->code->part_form : PART_FORMS;
}

/* Makes the folder, by mkdtemp's rules, which has the cache from now on. */
static bool use_empty_cache(char *folder)
{
  if (!CHECK(mkdtemp(folder) != NULL)) return false;
  setenv("CK_CACHE_DIR", folder, 1);
  return true;
}

static void wait_for_entries(int count)
{
  for (int i = 0; i < 3000 && entries() < count; ++i) usleep(10000);
  CHECK(entries() == count);
}

/* The cache gets the program, quick code, and thorough code from the second launch on. */
TEST(first_launches_have_quick_code_and_later_ones_do_not)
{
  ck_program_t *program;
  ck_object_code_t *code;
  ck_kernel_t *form;
  ck_buffer_t *y = zeroes();
  char folder[] = "/tmp/ck-plan-XXXXXX";
  if (!use_empty_cache(folder)) return;
  CHECK_OK(ck_program_create(forms, strlen(forms), NULL, &program));
  if (!CHECK_OK(ck_program_compile(program, bench.device, &code))) return;
  for (int round = 0; round < 2; ++round) { /* quick code of the folder is used, if nothing else */
    CHECK_OK(ck_kernel_from_code(code, bench.device, "form", &form));
    fill(form, 5, 6, y);
    CHECK(form_of(form) == (round ? PART_thorough : PART_quick_sums));
    if (!round) CHECK(entries() == 2);
    fill(form, 6, 7, y);
    wait_for_entries(3);
    for (int i = 0; i < 3000 && parts_version(code) < 1; ++i) usleep(10000);
    fill(form, 7, 8, y);
    CHECK(form_of(form) == PART_thorough);
    ck_kernel_release(form);
    ck_cache_clear();
    ck_object_code_release(code);
    CHECK_OK(ck_program_compile(program, bench.device, &code));
  }
  CHECK_OK(ck_cache_remove_program(program, bench.device));
  CHECK(rmdir(folder) == 0);
  ck_object_code_release(code);
  ck_program_release(program);
  ck_buffer_release(y);
}

/* A process that finds quick code in the cache isn't the first one. */
TEST(quick_code_of_an_earlier_process_is_replaced)
{
  ck_program_t *program;
  ck_object_code_t *code;
  ck_kernel_t *form;
  ck_buffer_t *y = zeroes();
  char folder[] = "/tmp/ck-plan-XXXXXX";
  if (!use_empty_cache(folder)) return;
  CHECK_OK(ck_program_create(forms, strlen(forms), NULL, &program));
  for (int round = 0; round < 2; ++round) {
    if (!CHECK_OK(ck_program_compile(program, bench.device, &code))) return;
    CHECK_OK(ck_kernel_from_code(code, bench.device, "form", &form));
    fill(form, 5, 6, y);
    CHECK(form_of(form) == PART_quick_sums);
    wait_for_entries(2 + round);
    ck_kernel_release(form);
    ck_cache_clear();
    ck_object_code_release(code);
  }
  CHECK_OK(ck_cache_remove_program(program, bench.device));
  CHECK(rmdir(folder) == 0);
  ck_program_release(program);
  ck_buffer_release(y);
}

TEST(captured_launches_have_thorough_code)
{
  ck_program_t *program;
  ck_object_code_t *code;
  ck_kernel_t *form;
  ck_graph_builder_t *builder;
  ck_buffer_t *y = zeroes();
  char folder[] = "/tmp/ck-plan-XXXXXX";
  if (!use_empty_cache(folder)) return;
  CHECK_OK(ck_program_create(forms, strlen(forms), NULL, &program));
  if (!CHECK_OK(ck_program_compile(program, bench.device, &code))) return;
  CHECK_OK(ck_kernel_from_code(code, bench.device, "form", &form));
  fill(form, 5, 6, y);
  CHECK(form_of(form) == PART_quick_sums);
  CHECK_OK(ck_graph_builder_create(bench.device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, form, (uint64_t)5, y));
  CHECK(form_of(form) == PART_thorough);
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_builder_release(builder);
  fill(form, 9, 10, y);
  ck_kernel_release(form);
  ck_object_code_release(code);
  CHECK_OK(ck_cache_remove_program(program, bench.device));
  CHECK(rmdir(folder) == 0);
  ck_program_release(program);
  ck_buffer_release(y);
}

int main(void)
{
  const char *build = getenv("CK_BUILD");
  char path[4096];
  snprintf(path, sizeof path, "%s/lib/libckc.so", build ? build : ".");
  if (build && !getenv("CK_LIBCKC")) setenv("CK_LIBCKC", path, 1);
  bench_open_any(&bench);
  ck_program_t *program;
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  options.file_name = "plan.ck";
  options.opt_level = CK_OPT_3; /* nothing in the background */
  if (ck_program_create(plan_ck, strlen(plan_ck), &options, &program) ||
      ck_program_compile(program, bench.device, &bench.code)) {
    printf("%s\n", ck_last_error());
    return strstr(ck_last_error(), "CK_UNAVAILABLE") ? 77 : 1;
  }
  step = bench_kernel(&bench, "step");
  total = bench_kernel(&bench, "total");
  run_all();
  ck_kernel_release(step);
  ck_kernel_release(total);
  ck_program_release(program);
  bench_close(&bench);
  return tests_report();
}
