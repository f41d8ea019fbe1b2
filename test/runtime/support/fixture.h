/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fixture.h - shared by the runtime's tests: CHECK, a device with kernels, a private cache folder.
 *
 *   TEST(stream_order) { CHECK(1 + 1 == 2); }
 *   int main(void) { run_all(); return tests_report(); }
 */
#ifndef CK_FIXTURE_H
#define CK_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ck/ck.h"
#include "driver/fault.h"
#include "host/host.h"
#include "launch/launch.h"
#include "test_list.h"

#define RUN(name) test_run(#name, test_##name)

/* A failed check is reported with file and line; the test continues. */
#define CHECK(condition)      check_true((condition), #condition, __FILE__, __LINE__)
#define CHECK_OK(status)      check_status((status), CK_OK, #status, __FILE__, __LINE__)
#define CHECK_STATUS(s, want) check_status((s), (want), #s, __FILE__, __LINE__)
/* The last error message contains `part`. */
#define CHECK_ERROR(part) check_error((part), __FILE__, __LINE__)

void test_run(const char *name, void (*test)(void));
static inline void run_all(void) /* the tests of the file */
{
  for (const Test *test = tests.first; test; test = test->next)
    test_run(test->name, test->function);
}
int tests_report(void);       /* prints "N passed, N failed"; returns the exit status */
bool tests_have_failed(void); /* so far, including the running test */
void tests_forget(void);      /* in a forked process: its report is only about its own tests */
bool check_true(bool is_true, const char *text, const char *file, int line);
bool check_status(ck_status_t got, ck_status_t want, const char *text, const char *file, int line);
bool check_error(const char *part, const char *file, int line);

/* The host device, a stream and the stub's code. */
typedef struct Bench {
  ck_device_t *device;
  ck_stream_t *stream;
  ck_object_code_t *code;
} Bench;

void bench_open(Bench *bench);
/* A copy of a table whose devices the runtime takes for GPUs. It lives as long as the process. */
const Driver *driver_of_gpu(const Driver *driver);

/* Opens the device that $CK_DEVICE names, or the first GPU, or the host device, with a stream and
 * no code. */
void bench_open_any(Bench *bench);
void bench_close(Bench *bench);
/* Opens another GPU; NULL if the bench's device is the host device or the machine's only GPU. */
ck_device_t *bench_open_second(Bench *bench);
ck_kernel_t *bench_kernel(Bench *bench, const char *name);
ck_buffer_t *bench_buffer(Bench *bench, size_t bytes);

ck_status_t compile_stub(const char *source, ck_device_t *device, ck_object_code_t **out_code);

/* Runs a function in six threads at once. It counts failures, since CHECK is for one thread only.
 */
extern atomic_int thread_failures;
void run_threads(void *(*function)(void *data));

/* Creates a folder, sets $CK_CACHE_DIR to it, and removes it at exit. */
const char *use_private_cache(void);

#endif
