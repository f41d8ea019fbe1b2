/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fixture.c - checks, counts of failures, and a device with kernels for the runtime's tests. */
#define _GNU_SOURCE /* mkdtemp, nftw */
#include "fixture.h"

#include <ftw.h>
#include <unistd.h>

#include "crash.h"

const Driver *driver_of_gpu(const Driver *driver)
{
  enum { TABLE_COUNT = 16 };
  static Driver tables[TABLE_COUNT];
  static size_t count;
  Driver copy = *driver;
  copy.traits = &driver_cuda_traits;
  for (size_t i = 0; i < count; ++i)
    if (!memcmp(&tables[i], &copy, sizeof copy)) return &tables[i];
  if (!CHECK(count < TABLE_COUNT)) return driver;
  tables[count] = copy;
  return &tables[count++];
}

static unsigned passed, failed;
static bool is_failing;

bool check_true(bool is_true, const char *text, const char *file, int line)
{
  if (is_true) return true;
  fprintf(stderr, "%s:%d: failed: %s\n", file, line, text);
  is_failing = true;
  return false;
}

bool check_status(ck_status_t got, ck_status_t want, const char *text, const char *file, int line)
{
  if (got == want) return true;
  fprintf(stderr, "%s:%d: failed: %s is %s, expected %s; last error: %s\n", file, line, text,
          ck_status_name(got), ck_status_name(want), ck_last_error());
  is_failing = true;
  return false;
}

bool check_error(const char *part, const char *file, int line)
{
  if (strstr(ck_last_error(), part)) return true;
  fprintf(stderr, "%s:%d: failed: '%s' is not in '%s'\n", file, line, part, ck_last_error());
  is_failing = true;
  return false;
}

/* The stub library is in the folder of the test programs. */
static void use_stub(void)
{
  Arena scratch = {0};
  const char *folder = path_of_code(&scratch, &passed);
  setenv("CK_LIBCKC", arena_printf(&scratch, "%s/libckc_stub.so", folder ? folder : "."), 0);
  arena_free(&scratch);
}

void test_run(const char *name, void (*test)(void))
{
  const char *only = getenv("CK_TEST");
  if (only && strcmp(only, name) != 0) return;
  use_stub();
  is_failing = false;
  crash_watch(name);
  test();
  fflush(stdout);
  if (is_failing) fprintf(stderr, "test %s failed\n", name);
  if (is_failing) ++failed;
  else ++passed;
  is_failing = false;
}

bool tests_have_failed(void)
{
  return failed || is_failing;
}

void tests_forget(void)
{
  passed = failed = 0;
  is_failing = false;
}

int tests_report(void)
{
  if (is_failing) ++failed; /* outside of a test, for example a leak at the end */
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}

ck_status_t compile_stub(const char *source, ck_device_t *device, ck_object_code_t **out_code)
{
  ck_program_t *program;
  use_stub();
  ck_status_t status = ck_program_create(source, strlen(source), NULL, &program);
  if (status != CK_OK) return status;
  status = ck_program_compile(program, device, out_code);
  ck_program_release(program);
  return status;
}

void bench_open(Bench *bench)
{
  CHECK_OK(ck_device_open_host(&bench->device));
  CHECK_OK(ck_stream_create(bench->device, NULL, &bench->stream));
  CHECK_OK(compile_stub("any", bench->device, &bench->code));
}

void bench_open_any(Bench *bench)
{
  *bench = (Bench){0};
  CHECK_OK(ck_device_open_auto(&bench->device));
  CHECK_OK(ck_stream_create(bench->device, NULL, &bench->stream));
}

void bench_close(Bench *bench)
{
  ck_object_code_release(bench->code);
  ck_stream_release(bench->stream);
  ck_device_release(bench->device);
}

ck_device_t *bench_open_second(Bench *bench)
{
  ck_device_t *second = NULL;
  if (!ck_device_is_host(bench->device) && ck_device_count() > 1)
    CHECK_OK(ck_device_open(ck_device_ordinal(bench->device) == 0, &second));
  return second;
}

ck_kernel_t *bench_kernel(Bench *bench, const char *name)
{
  ck_kernel_t *kernel;
  CHECK_OK(ck_kernel_from_code(bench->code, bench->device, name, &kernel));
  return kernel;
}

ck_buffer_t *bench_buffer(Bench *bench, size_t bytes)
{
  ck_buffer_t *buffer;
  CHECK_OK(ck_buffer_create(bench->device, bytes, bench->stream, &buffer));
  return buffer;
}

atomic_int thread_failures;

void run_threads(void *(*function)(void *data))
{
  enum { THREADS = 6 };
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, function, NULL);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  CHECK(atomic_exchange(&thread_failures, 0) == 0);
}

static char cache_folder[64];

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
  (void)info, (void)kind, (void)walk;
  return remove(path);
}

static void remove_cache(void)
{
  nftw(cache_folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *use_private_cache(void)
{
  if (*cache_folder) remove_cache();
  strcpy(cache_folder, "/tmp/ck-test-XXXXXX");
  if (!mkdtemp(cache_folder)) abort();
  setenv("CK_CACHE_DIR", cache_folder, 1);
  static bool is_registered;
  if (!is_registered) atexit(remove_cache);
  is_registered = true;
  return cache_folder;
}
