/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* checkpoint.c - tests checkpoints with a fake libcuda (support/fake_cuda.c): which functions are
 * called, with which arguments, and every failure. checkpoint_gpu.c uses a real process. */
#define _GNU_SOURCE /* setenv, fork */
#include <dlfcn.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_cuda.h"
#include "fixture.h"

static FakeCuda *fake;
static int process; /* any existing process: this one */

/* A call of the API with any process. */
typedef struct Call {
  const char *function;
  ck_status_t (*make)(int pid);
  CUprocessState needed, then;
} Call;

static ck_status_t lock(int pid)
{
  return ck_checkpoint_lock(pid, 0);
}

static ck_status_t restore(int pid)
{
  return ck_checkpoint_restore(pid, NULL, 0);
}

static const Call calls[] = {
    {"cuCheckpointProcessLock", lock, CU_PROCESS_STATE_RUNNING, CU_PROCESS_STATE_LOCKED},
    {"cuCheckpointProcessCheckpoint", ck_checkpoint_save, CU_PROCESS_STATE_LOCKED,
     CU_PROCESS_STATE_CHECKPOINTED},
    {"cuCheckpointProcessRestore", restore, CU_PROCESS_STATE_CHECKPOINTED, CU_PROCESS_STATE_LOCKED},
    {"cuCheckpointProcessUnlock", ck_checkpoint_unlock, CU_PROCESS_STATE_LOCKED,
     CU_PROCESS_STATE_RUNNING}};

static const char *const state_names[] = {"running", "locked", "checkpointed", "failed"};

static bool is_in(ck_checkpoint_state_t state)
{
  ck_checkpoint_state_t now = CK_CHECKPOINT_FAILED;
  CHECK_OK(ck_checkpoint_get_state(process, &now));
  return now == state;
}

/* Checks that every function fails alike for a process. */
static void all_fail(int pid, ck_status_t status, const char *why)
{
  ck_checkpoint_state_t state = CK_CHECKPOINT_FAILED;
  int thread = 7;
  CHECK_STATUS(ck_checkpoint_get_state(pid, &state), status);
  CHECK_ERROR(why);
  CHECK(state == CK_CHECKPOINT_RUNNING);
  CHECK_STATUS(ck_checkpoint_get_restore_thread(pid, &thread), status);
  CHECK_ERROR(why);
  CHECK(thread == 0);
  for (size_t i = 0; i < COUNT_OF(calls); ++i) {
    CHECK_STATUS(calls[i].make(pid), status);
    CHECK_ERROR(why);
  }
}

TEST(process_rejects_invalid_pid)
{
  all_fail(0, CK_INVALID_ARGUMENT, "process 0: they are counted from 1");
  all_fail(-1, CK_INVALID_ARGUMENT, "process -1: they are counted from 1");
  CHECK_STATUS(ck_checkpoint_get_state(process, NULL), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_checkpoint_get_restore_thread(process, NULL), CK_INVALID_ARGUMENT);
}

TEST(initial_state_is_running)
{
  CHECK(is_in(CK_CHECKPOINT_RUNNING));
}

TEST(restore_thread_id_is_positive)
{
  int thread = 0;
  CHECK_OK(ck_checkpoint_get_restore_thread(process, &thread));
  CHECK(thread == FAKE_THREAD);
}

TEST(names)
{
  for (int i = 0; i < (int)COUNT_OF(state_names); ++i)
    CHECK(!strcmp(ck_checkpoint_state_name((ck_checkpoint_state_t)i), state_names[i]));
  CHECK(ck_checkpoint_state_name((ck_checkpoint_state_t)4) == NULL);
  CHECK(ck_checkpoint_state_name((ck_checkpoint_state_t)-1) == NULL);
}

TEST(full_cycle)
{
  CHECK_OK(ck_checkpoint_lock(process, 5));
  CHECK(fake->lock_ms == 5000);
  CHECK(is_in(CK_CHECKPOINT_LOCKED));
  CHECK_OK(ck_checkpoint_save(process));
  CHECK(is_in(CK_CHECKPOINT_CHECKPOINTED));
  CHECK_OK(ck_checkpoint_restore(process, NULL, 0));
  CHECK(!fake->had_pairs);
  CHECK(is_in(CK_CHECKPOINT_LOCKED));
  CHECK_OK(ck_checkpoint_unlock(process));
  CHECK(is_in(CK_CHECKPOINT_RUNNING));
}

/* Milliseconds are rounded up, so that a short time does not become 0, which is none. */
TEST(times_of_a_lock)
{
  static const struct {
    double seconds;
    unsigned ms;
  } rows[] = {{0, 0},
              {1e-9, 1},
              {0.001, 1},
              {0.0011, 2},
              {2.5, 2500},
              {4294967, 4294967000u},
              {4294966.9995, 4294967000u}};
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    fake->lock_ms = 77;
    CHECK_OK(ck_checkpoint_lock(process, rows[i].seconds));
    CHECK(fake->lock_ms == rows[i].ms);
    CHECK_OK(ck_checkpoint_unlock(process));
  }
  CHECK_STATUS(ck_checkpoint_lock(process, -0.5), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_checkpoint_lock: -0.5 seconds, they are 0 to 4294967");
  CHECK_STATUS(ck_checkpoint_lock(process, NAN), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_checkpoint_lock(process, 4294968), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_checkpoint_lock(process, INFINITY), CK_INVALID_ARGUMENT);
  CHECK(is_in(CK_CHECKPOINT_RUNNING));
}

TEST(lock_that_takes_too_long)
{
  fake->is_busy = 1;
  CHECK_STATUS(ck_checkpoint_lock(process, 0.25), CK_NOT_READY);
  CHECK_ERROR("CUDA_ERROR_NOT_READY (its text) from cuCheckpointProcessLock(pid, &args)");
  CHECK(is_in(CK_CHECKPOINT_RUNNING));
  CHECK_OK(ck_checkpoint_lock(process, 0)); /* 0: no limit */
  CHECK_OK(ck_checkpoint_unlock(process));
  fake->is_busy = 0;
}

/* Each call in each state in which it is not allowed. */
TEST(states_that_are_wrong)
{
  char text[96];
  for (size_t i = 0; i < COUNT_OF(calls); ++i) {
    for (int state = 0; state < (int)COUNT_OF(state_names); ++state) {
      fake->state = (CUprocessState)state;
      if (fake->state == calls[i].needed) {
        CHECK_OK(calls[i].make(process));
        CHECK(fake->state == calls[i].then);
        continue;
      }
      CHECK_STATUS(calls[i].make(process), CK_INVALID_ARGUMENT);
      snprintf(text, sizeof text, "process %d is %s, it has to be %s", process, state_names[state],
               state_names[calls[i].needed]);
      CHECK_ERROR(text);
      CHECK(fake->state == (CUprocessState)state);
    }
  }
  fake->state = CU_PROCESS_STATE_RUNNING;
}

/* A driver that is newer than this library may have more states. */
TEST(state_of_a_newer_driver)
{
  ck_checkpoint_state_t state = CK_CHECKPOINT_FAILED;
  fake->state = (CUprocessState)9;
  CHECK_STATUS(ck_checkpoint_get_state(process, &state), CK_UNSUPPORTED);
  CHECK(state == CK_CHECKPOINT_RUNNING);
  CHECK_ERROR("is in state 9, this library (" CK_VERSION_TEXT ") knows 4");
  CHECK_STATUS(ck_checkpoint_unlock(process), CK_INVALID_ARGUMENT);
  CHECK_ERROR("is in a state of a newer driver, it has to be locked");
  fake->state = CU_PROCESS_STATE_RUNNING;
}

TEST(process_that_is_not_there)
{
  char text[64];
  int status;
  pid_t gone = fork();
  if (gone == 0) _exit(0);
  CHECK(gone > 0 && waitpid(gone, &status, 0) == gone);
  snprintf(text, sizeof text, "CK_NOT_FOUND: there is no process %d", (int)gone);
  all_fail(gone, CK_NOT_FOUND, text);
}

/* The driver's error for a process without CUDA is passed on, with the process id. */
TEST(process_without_cuda)
{
  int thread;
  char text[96];
  pid_t other = fork();
  if (other == 0) {
    alarm(60);
    pause();
    _exit(0);
  }
  CHECK_STATUS(ck_checkpoint_unlock(other), CK_DRIVER);
  CHECK(ck_last_driver_error() == CUDA_ERROR_INVALID_VALUE);
  snprintf(text, sizeof text,
           "CK_DRIVER: process %d: CUDA_ERROR_INVALID_VALUE (its text) from "
           "cuCheckpointProcessGetState(",
           (int)other);
  CHECK_ERROR(text);
  CHECK_STATUS(ck_checkpoint_get_restore_thread(other, &thread), CK_DRIVER);
  CHECK_ERROR("from cuCheckpointProcessGetRestoreThreadId(");
  CHECK(other > 0 && kill(other, SIGKILL) == 0 && waitpid(other, NULL, 0) == other);
}

TEST(restore_onto_other_gpus)
{
  ck_checkpoint_gpu_t gpus[3];
  for (int i = 0; i < 3; ++i) {
    memset(gpus[i].from, 0x10 + i, sizeof gpus[i].from);
    memset(gpus[i].to, 0x10 + (i + 1) % 3, sizeof gpus[i].to);
  }
  fake->state = CU_PROCESS_STATE_CHECKPOINTED;
  CHECK_STATUS(ck_checkpoint_restore(process, NULL, 3), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_checkpoint_restore: gpus is NULL, count is 3");
  CHECK_STATUS(ck_checkpoint_restore(process, gpus, (size_t)UINT32_MAX + 1), CK_INVALID_ARGUMENT);
  CHECK(fake->state == CU_PROCESS_STATE_CHECKPOINTED);
  CHECK_OK(ck_checkpoint_restore(process, gpus, 3));
  CHECK(fake->state == CU_PROCESS_STATE_LOCKED && fake->had_pairs && fake->pair_count == 3);
  for (int i = 0; i < 3; ++i) {
    CHECK(!memcmp(fake->pairs[i].oldUuid.bytes, gpus[i].from, 16));
    CHECK(!memcmp(fake->pairs[i].newUuid.bytes, gpus[i].to, 16));
  }
  fake->state = CU_PROCESS_STATE_CHECKPOINTED;
  CHECK_OK(ck_checkpoint_restore(process, gpus, 0));
  CHECK(!fake->had_pairs);
  CHECK_OK(ck_checkpoint_unlock(process));
}

/* Checks a failure's message: the process, the driver's error and the call. The state is unchanged.
 */
static void fails_at(ck_status_t status, CUprocessState before)
{
  char text[32];
  CHECK_STATUS(status, CK_DRIVER);
  CHECK(fake->failed != NULL);
  CHECK_ERROR("CUDA_ERROR_NOT_PERMITTED (its text) from ");
  CHECK_ERROR(fake->failed ? fake->failed : "?");
  CHECK(ck_last_driver_error() == CUDA_ERROR_NOT_PERMITTED && fake->state == before);
  snprintf(text, sizeof text, "process %d: ", process);
  if (fake->failed && strcmp(fake->failed, "cuDriverGetVersion") != 0) CHECK_ERROR(text);
  fake->failed = NULL;
}

static void fail_in(unsigned nth, CUresult result)
{
  fake->fail_in = nth;
  fake->fail_with = result;
}

TEST(every_call_fails_in_turn)
{
  ck_checkpoint_state_t state = CK_CHECKPOINT_FAILED;
  ck_checkpoint_gpu_t gpu = {{1}, {2}};
  int thread = 7;
  fail_in(1, CUDA_ERROR_NOT_PERMITTED);
  fails_at(ck_checkpoint_get_state(process, &state), CU_PROCESS_STATE_RUNNING);
  fail_in(1, CUDA_ERROR_NOT_PERMITTED);
  fails_at(ck_checkpoint_get_restore_thread(process, &thread), CU_PROCESS_STATE_RUNNING);
  CHECK(state == CK_CHECKPOINT_RUNNING && thread == 0);
  for (size_t i = 0; i < COUNT_OF(calls); ++i) {
    fake->state = calls[i].needed;
    for (unsigned nth = 1; nth <= 2; ++nth) {
      fail_in(nth, CUDA_ERROR_NOT_PERMITTED);
      const char *function = nth == 2 ? calls[i].function : "cuCheckpointProcessGetState";
      ck_status_t status = calls[i].make(process);
      CHECK(fake->failed && !strcmp(fake->failed, function));
      fails_at(status, calls[i].needed);
    }
    CHECK_OK(calls[i].make(process));
  }
  fake->state = CU_PROCESS_STATE_CHECKPOINTED;
  for (unsigned nth = 1; nth <= 3; ++nth) {
    fail_in(nth, CUDA_ERROR_NOT_PERMITTED);
    fails_at(ck_checkpoint_restore(process, &gpu, 1), CU_PROCESS_STATE_CHECKPOINTED);
  }
  CHECK_OK(ck_checkpoint_restore(process, &gpu, 1));
  CHECK_OK(ck_checkpoint_unlock(process));
}

/* The state changes between the query and the call. */
TEST(another_was_faster)
{
  fail_in(2, CUDA_ERROR_ILLEGAL_STATE);
  CHECK_STATUS(ck_checkpoint_lock(process, 0), CK_DRIVER);
  CHECK_ERROR("CUDA_ERROR_ILLEGAL_STATE (its text) from cuCheckpointProcessLock(");
  fail_in(2, CUDA_ERROR_NOT_SUPPORTED);
  CHECK_STATUS(ck_checkpoint_lock(process, 0), CK_UNSUPPORTED);
  CHECK(is_in(CK_CHECKPOINT_RUNNING));
}

/* A host device has no state on a GPU. */
TEST(host_device)
{
  const Driver *host = driver_host();
  CHECK(!host->cuCheckpointProcessGetState && !host->cuCheckpointProcessGetRestoreThreadId);
  CHECK(!host->cuCheckpointProcessLock && !host->cuCheckpointProcessCheckpoint);
  CHECK(!host->cuCheckpointProcessRestore && !host->cuCheckpointProcessUnlock);
}

/* A process opens the driver once, so each test with another driver runs in a child. */
static void in_child(void (*test)(void))
{
  int status = -1;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    process = getpid();
    test();
    _exit(tests_report());
  }
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void without_a_driver(void)
{
  setenv("CK_LIBCUDA", "/nonexistent/libcuda.so.1", 1);
  all_fail(process, CK_UNAVAILABLE,
           "CK_UNAVAILABLE: the CUDA driver is not installed: /nonexistent/libcuda.so.1: cannot");
}

static void with_cuda_12_7(void)
{
  fake->version = 12070;
  fake->pid = process;
  all_fail(process, CK_UNSUPPORTED, "CK_UNSUPPORTED: the CUDA driver has no cuCheckpointProcess");
  all_fail(process, CK_UNSUPPORTED, ", which is for GPUs and came with CUDA 12.8");
  for (size_t i = 0; i < COUNT_OF(calls); ++i) {
    CHECK_STATUS(calls[i].make(process), CK_UNSUPPORTED);
    CHECK_ERROR(calls[i].function);
  }
}

TEST(checkpoint_available_policy)
{
  in_child(without_a_driver);
  in_child(with_cuda_12_7);
}

static void with_cuda_12_8(void)
{
  ck_checkpoint_gpu_t gpu = {{1}, {2}};
  fake->version = 12080;
  fake->pid = process;
  CHECK_OK(ck_checkpoint_lock(process, 0));
  CHECK_OK(ck_checkpoint_save(process));
  CHECK_STATUS(ck_checkpoint_restore(process, &gpu, 1), CK_UNSUPPORTED);
  CHECK_ERROR("the CUDA driver is of CUDA 12.8, other GPUs to restore onto came with 13.0");
  CHECK(is_in(CK_CHECKPOINT_CHECKPOINTED));
  CHECK_OK(ck_checkpoint_restore(process, NULL, 0));
  CHECK_OK(ck_checkpoint_unlock(process));
}

TEST(other_gpus_with_an_older_driver)
{
  in_child(with_cuda_12_8);
}

/* Loads the fake library first, so that its answers can be set before it is opened. */
static bool open_fake(void)
{
  Arena scratch = {0};
  const char *folder = path_of_code(&scratch, &fake);
  const char *path = arena_printf(&scratch, "%s/libcuda_fake.so", folder ? folder : ".");
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  FakeCudaOf *get = NULL;
  if (library) *(void **)&get = dlsym(library, "fake_cuda");
  else fprintf(stderr, "%s\n", dlerror());
  setenv("CK_LIBCUDA", path, 1);
  arena_free(&scratch);
  fake = get ? get() : NULL;
  if (fake) fake->pid = process = getpid();
  return CHECK(fake != NULL);
}

int main(void)
{
  if (!open_fake()) return tests_report();
  RUN(checkpoint_available_policy); /* its children open their own drivers, before this process */
  RUN(other_gpus_with_an_older_driver);
  RUN(process_rejects_invalid_pid);
  RUN(initial_state_is_running);
  RUN(restore_thread_id_is_positive);
  RUN(names);
  RUN(full_cycle);
  RUN(times_of_a_lock);
  RUN(lock_that_takes_too_long);
  RUN(states_that_are_wrong);
  RUN(state_of_a_newer_driver);
  RUN(process_that_is_not_there);
  RUN(process_without_cuda);
  RUN(restore_onto_other_gpus);
  RUN(every_call_fails_in_turn);
  RUN(another_was_faster);
  RUN(host_device);
  return tests_report();
}
