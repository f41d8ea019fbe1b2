/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* checkpoint_gpu.c - locks, checkpoints, restores and unlocks a process with memory on a GPU from
 * another process, and checks its bytes afterwards: cuda.core's test_checkpoint.py in C.
 *
 * This program is both processes: "checkpoint_gpu target N" is the target. They talk through a
 * socket, which is the target's standard input. Every wait has a time limit: a call that does not
 * return ends the program, and with it the target.
 *
 * Without a GPU, or if the driver or the system refuses, it says why, and is skipped. checkpoint.c
 * uses a fake driver.
 */
#define _GNU_SOURCE /* SOCK_CLOEXEC */
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "both.h"

enum {
  BYTES = 1 << 20,
  UUID = 16,
  MOST_GPUS = 16,
  CALL_SECONDS = 60,    /* limit for a call */
  TARGET_SECONDS = 600, /* after which a target ends in any case */
  ANSWER_MS = 30000,
  QUIET_MS = 300, /* no answer for so long: it is blocked */
};

/* CUresults (cuda.h) of a system that forbids the call, and of a driver that refuses rows of GPUs.
 */
enum { INVALID_VALUE = 1, OPERATING_SYSTEM = 304, NOT_PERMITTED = 800 };

/* the target --------------------------------------------------------------------------------- */

static unsigned char bytes[BYTES];

static void fill(unsigned round)
{
  for (size_t i = 0; i < BYTES; ++i) bytes[i] = (unsigned char)(i * 31 + i / 251 + round * 17);
}

static int is_filled(unsigned round)
{
  for (size_t i = 0; i < BYTES; ++i)
    if (bytes[i] != (unsigned char)(i * 31 + i / 251 + round * 17)) return 0;
  return 1;
}

static ck_status_t put(ck_buffer_t *buffer, unsigned round)
{
  fill(round);
  ck_status_t status = ck_buffer_write(buffer, 0, bytes, BYTES, stream);
  return status == CK_OK ? ck_stream_sync(stream) : status;
}

static ck_status_t take(ck_buffer_t *buffer)
{
  memset(bytes, 0, BYTES);
  ck_status_t status = ck_buffer_read(buffer, 0, bytes, BYTES, stream);
  return status == CK_OK ? ck_stream_sync(stream) : status;
}

/* Answers each byte on the socket: 'c' with 'y' if the GPU memory has the expected bytes, after
 * which it writes others; 'u' with the UUID of its GPU. */
static int run_target(int ordinal)
{
  ck_buffer_t *buffer = NULL;
  unsigned char uuid[UUID], command;
  unsigned round = 0;
  alarm(TARGET_SECONDS);
  ck_status_t status = ck_device_open(ordinal, &device);
  if (status == CK_OK) status = ck_stream_create(device, NULL, &stream);
  if (status == CK_OK) status = ck_buffer_create(device, BYTES, stream, &buffer);
  if (status == CK_OK) status = put(buffer, round);
  if (status == CK_OK) status = ck_device_get_uuid(device, uuid);
  if (status == CK_OK && write(0, uuid, UUID) != UUID) return 3;
  while (status == CK_OK && read(0, &command, 1) == 1) {
    if (command == 'u') {
      status = ck_device_get_uuid(device, uuid);
      if (status == CK_OK && write(0, uuid, UUID) != UUID) return 3;
    } else {
      status = take(buffer);
      char answer = status == CK_OK && is_filled(round) ? 'y' : 'n';
      if (status == CK_OK) status = put(buffer, ++round);
      if (write(0, &answer, 1) != 1) return 3;
    }
  }
  if (status != CK_OK) fprintf(stderr, "the target: %s\n", ck_last_error());
  ck_buffer_release(buffer);
  ck_stream_release(stream);
  ck_device_release(device);
  return status == CK_OK ? 0 : 2;
}

/* the other process -------------------------------------------------------------------------- */

typedef struct Target {
  pid_t pid;
  int socket;
  unsigned char uuid[UUID]; /* of its GPU at the start */
} Target;

static int first_gpu;        /* the ordinal that $CK_DEVICE names */
static unsigned refused;     /* tests refused by the driver or the system */
static pid_t running_target; /* for the signal handler; 0: none */
static const char *under_way = "";

static void end_by_alarm(int number)
{
  static const char text[] = "it does not come back in time: ";
  (void)number;
  if (running_target > 0) kill(running_target, SIGKILL);
  ssize_t done = write(2, text, sizeof text - 1);
  done += write(2, under_way, strlen(under_way));
  done += write(2, "\n", 1);
  _exit(done > 0 ? 1 : 2);
}

static void start_clock(const char *call)
{
  under_way = call;
  alarm(CALL_SECONDS);
}

static ck_status_t stop_clock(ck_status_t status)
{
  alarm(0);
  return status;
}

#define IN_TIME(call) (start_clock(#call), stop_clock(call))

/* Whether a call succeeded. A refusal by the driver or the system is printed and ends the test; any
 * other failure fails it. */
static int passes(ck_status_t status, const char *call, int line)
{
  int error = ck_last_driver_error();
  int is_refused = status == CK_UNSUPPORTED ||
                   (status == CK_DRIVER && (error == NOT_PERMITTED || error == OPERATING_SYSTEM));
  if (!is_refused) return check(status == CK_OK, call, __FILE__, line);
  printf("%s: left out: %s\n", current_test, ck_last_error());
  ++refused;
  return 0;
}

#define PASSES(call) passes(IN_TIME(call), #call, __LINE__)

static int receive(const Target *target, void *out, size_t count, int ms)
{
  struct pollfd wait = {.fd = target->socket, .events = POLLIN};
  for (char *at = out; count;) {
    if (poll(&wait, 1, ms) != 1) return 0;
    ssize_t got = read(target->socket, at, count);
    if (got <= 0) return 0;
    at += got;
    count -= (size_t)got;
  }
  return 1;
}

static int tell(const Target *target, char command)
{
  return send(target->socket, &command, 1, MSG_NOSIGNAL) == 1;
}

/* Ends the target. If it runs, it ends itself and reports success. */
static void stop(Target *target, int is_running)
{
  int status = -1;
  pid_t ended = 0;
  close(target->socket);
  for (int i = 0; is_running && !ended && i < ANSWER_MS / 10; ++i) {
    ended = waitpid(target->pid, &status, WNOHANG);
    if (!ended) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  if (!ended) {
    kill(target->pid, SIGKILL);
    start_clock("the end of a target that was killed");
    waitpid(target->pid, &status, 0);
    stop_clock(CK_OK);
  }
  running_target = 0;
  if (is_running) CHECK(ended == target->pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Starts a target that has written its bytes to a GPU. */
static int start(Target *target, int ordinal)
{
  int sockets[2];
  char number[16];
  snprintf(number, sizeof number, "%d", ordinal);
  if (!CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0)) return 0;
  fflush(NULL);
  target->pid = fork();
  if (target->pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* it does not outlive this process */
    dup2(sockets[1], 0);
    execl("/proc/self/exe", "checkpoint_gpu", "target", number, (char *)NULL);
    _exit(126);
  }
  close(sockets[1]);
  target->socket = sockets[0];
  if (!CHECK(target->pid > 0)) {
    close(target->socket);
    return 0;
  }
  running_target = target->pid;
  if (CHECK(receive(target, target->uuid, UUID, ANSWER_MS))) return 1;
  stop(target, 0);
  return 0;
}

static int has_its_bytes(const Target *target)
{
  char answer = 0;
  return tell(target, 'c') && receive(target, &answer, 1, ANSWER_MS) && answer == 'y';
}

static int is_in(const Target *target, ck_checkpoint_state_t wanted)
{
  ck_checkpoint_state_t state = CK_CHECKPOINT_FAILED;
  CHECK_OK(IN_TIME(ck_checkpoint_get_state(target->pid, &state)));
  if (state != wanted) printf("%s: it is %s\n", current_test, ck_checkpoint_state_name(state));
  return state == wanted;
}

TEST(initial_state_is_running)
{
  Target target;
  ck_checkpoint_state_t state = CK_CHECKPOINT_FAILED;
  if (!start(&target, first_gpu)) return;
  if (PASSES(ck_checkpoint_get_state(target.pid, &state))) CHECK(state == CK_CHECKPOINT_RUNNING);
  stop(&target, 1);
}

TEST(restore_thread_id_is_positive)
{
  Target target;
  int thread = 0;
  char path[64];
  if (!start(&target, first_gpu)) return;
  if (PASSES(ck_checkpoint_get_restore_thread(target.pid, &thread))) {
    CHECK(thread > 0);
    snprintf(path, sizeof path, "/proc/%d/task/%d", (int)target.pid, thread);
    if (access(path, F_OK)) printf("%s: there is no %s\n", current_test, path);
  }
  stop(&target, 1);
}

/* Without a time limit. A call that the target makes while locked continues after the unlock. */
TEST(lock_unlock)
{
  Target target;
  char answer = 0;
  if (!start(&target, first_gpu)) return;
  int is_running = 0;
  if (PASSES(ck_checkpoint_lock(target.pid, 0))) {
    CHECK(is_in(&target, CK_CHECKPOINT_LOCKED));
    CHECK(tell(&target, 'c') && !receive(&target, &answer, 1, QUIET_MS));
    is_running = PASSES(ck_checkpoint_unlock(target.pid));
    if (is_running) {
      CHECK(is_in(&target, CK_CHECKPOINT_RUNNING));
      CHECK(answer == 'y' || (receive(&target, &answer, 1, ANSWER_MS) && answer == 'y'));
    }
  }
  stop(&target, is_running);
}

TEST(lock_with_timeout)
{
  Target target;
  if (!start(&target, first_gpu)) return;
  int is_running = 0;
  if (PASSES(ck_checkpoint_lock(target.pid, 5))) {
    CHECK(is_in(&target, CK_CHECKPOINT_LOCKED));
    is_running = PASSES(ck_checkpoint_unlock(target.pid));
    if (is_running) CHECK(has_its_bytes(&target));
  }
  stop(&target, is_running);
}

/* Twice, since bytes written after the first restore must survive the second. */
TEST(full_cycle_no_migration)
{
  Target target;
  if (!start(&target, first_gpu)) return;
  int is_running = 1;
  for (int i = 0; i < 2 && is_running; ++i) {
    is_running = 0;
    if (!PASSES(ck_checkpoint_lock(target.pid, 5))) break;
    CHECK(is_in(&target, CK_CHECKPOINT_LOCKED));
    if (!PASSES(ck_checkpoint_save(target.pid))) break;
    CHECK(is_in(&target, CK_CHECKPOINT_CHECKPOINTED));
    if (!PASSES(ck_checkpoint_restore(target.pid, NULL, 0))) break;
    CHECK(is_in(&target, CK_CHECKPOINT_LOCKED));
    if (!PASSES(ck_checkpoint_unlock(target.pid))) break;
    is_running = 1;
    CHECK(is_in(&target, CK_CHECKPOINT_RUNNING));
    CHECK(has_its_bytes(&target));
    CHECK(has_its_bytes(&target));
  }
  stop(&target, is_running);
}

TEST(states_that_are_wrong)
{
  Target target;
  if (!start(&target, first_gpu)) return;
  int is_running = 1;
  CHECK_FAILS(IN_TIME(ck_checkpoint_unlock(target.pid)), CK_INVALID_ARGUMENT);
  CHECK_ERROR("is running, it has to be locked");
  CHECK_FAILS(IN_TIME(ck_checkpoint_save(target.pid)), CK_INVALID_ARGUMENT);
  CHECK_ERROR("is running, it has to be locked");
  CHECK_FAILS(IN_TIME(ck_checkpoint_restore(target.pid, NULL, 0)), CK_INVALID_ARGUMENT);
  CHECK_ERROR("is running, it has to be checkpointed");
  if (PASSES(ck_checkpoint_lock(target.pid, 5))) {
    CHECK_FAILS(IN_TIME(ck_checkpoint_lock(target.pid, 5)), CK_INVALID_ARGUMENT);
    CHECK_ERROR("is locked, it has to be running");
    CHECK_FAILS(IN_TIME(ck_checkpoint_restore(target.pid, NULL, 0)), CK_INVALID_ARGUMENT);
    CHECK_ERROR("is locked, it has to be checkpointed");
    is_running = PASSES(ck_checkpoint_unlock(target.pid));
    if (is_running) CHECK(has_its_bytes(&target));
  }
  stop(&target, is_running);
}

/* The driver's error for a process without CUDA; it is printed. */
TEST(processes_that_are_none)
{
  ck_checkpoint_state_t state = CK_CHECKPOINT_FAILED;
  fflush(NULL);
  pid_t other = fork();
  if (other == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execl("/bin/sleep", "sleep", "100", (char *)NULL);
    _exit(126);
  }
  if (!CHECK(other > 0)) return;
  ck_status_t status = IN_TIME(ck_checkpoint_get_state(other, &state));
  printf("%s: without CUDA: %s\n", current_test,
         status == CK_OK ? ck_checkpoint_state_name(state) : ck_last_error());
  kill(other, SIGKILL);
  CHECK(waitpid(other, NULL, 0) == other);
  CHECK_FAILS(IN_TIME(ck_checkpoint_get_state(other, &state)), CK_NOT_FOUND);
  CHECK_ERROR("there is no process");
}

/* several GPUs ------------------------------------------------------------------------------- */

typedef struct Gpus {
  int count;
  unsigned char uuid[MOST_GPUS][UUID];
  char name[MOST_GPUS][96];
} Gpus;

static void list_gpus(Gpus *gpus)
{
  gpus->count = ck_device_count() < MOST_GPUS ? ck_device_count() : MOST_GPUS;
  for (int i = 0; i < gpus->count; ++i) {
    ck_device_t *gpu = NULL;
    CHECK_OK(ck_device_open(i, &gpu));
    CHECK_OK(ck_device_get_uuid(gpu, gpus->uuid[i]));
    snprintf(gpus->name[i], sizeof gpus->name[i], "%s", ck_device_name(gpu));
    ck_device_release(gpu);
  }
}

/* Replaces GPU i by to[i]. 1: done, and the process runs; 0: this driver refuses the rows, which is
 * printed, and the process runs as before; -1: it does not run. */
static int move(Target *target, const Gpus *gpus, const int *to)
{
  ck_checkpoint_gpu_t rows[MOST_GPUS];
  for (int i = 0; i < gpus->count; ++i) {
    memcpy(rows[i].from, gpus->uuid[i], UUID);
    memcpy(rows[i].to, gpus->uuid[to[i]], UUID);
  }
  if (!PASSES(ck_checkpoint_lock(target->pid, 5))) return -1;
  if (!PASSES(ck_checkpoint_save(target->pid))) return -1;
  ck_status_t status = IN_TIME(ck_checkpoint_restore(target->pid, rows, (size_t)gpus->count));
  int moved = status == CK_OK;
  if (!moved) {
    printf("%s: left out: %s\n", current_test, ck_last_error());
    CHECK(status == CK_UNSUPPORTED ||
          (status == CK_DRIVER && ck_last_driver_error() == INVALID_VALUE));
    if (!PASSES(ck_checkpoint_restore(target->pid, NULL, 0))) return -1;
  }
  return PASSES(ck_checkpoint_unlock(target->pid)) ? moved : -1;
}

static int is_on(const Target *target, const unsigned char uuid[UUID])
{
  unsigned char now[UUID];
  return CHECK(tell(target, 'u') && receive(target, now, UUID, ANSWER_MS)) &&
         !memcmp(now, uuid, UUID);
}

/* Rows that change nothing. */
TEST(restore_onto_the_same_gpus)
{
  Target target;
  Gpus gpus;
  int to[MOST_GPUS];
  list_gpus(&gpus);
  for (int i = 0; i < gpus.count; ++i) to[i] = i;
  if (!start(&target, first_gpu)) return;
  int moved = move(&target, &gpus, to);
  if (moved >= 0) {
    CHECK(is_on(&target, target.uuid));
    CHECK(has_its_bytes(&target));
  }
  stop(&target, moved >= 0);
}

/* Two GPUs of the same name; false, having said so, if there are none. */
static int find_pair(const Gpus *gpus, int *one, int *other)
{
  if (getenv("CUDA_VISIBLE_DEVICES")) {
    printf("%s: left out: CUDA_VISIBLE_DEVICES may hide a GPU, and each needs a row\n",
           current_test);
    return 0;
  }
  for (*one = 0; *one < gpus->count; ++*one)
    for (*other = *one + 1; *other < gpus->count; ++*other)
      if (!strcmp(gpus->name[*one], gpus->name[*other])) return 1;
  printf("%s: left out: it takes two GPUs of a kind\n", current_test);
  return 0;
}

/* Whether the process has moved; a driver may accept the rows and not move it, which is printed. */
static int is_moved(const Target *target, const unsigned char from[UUID],
                    const unsigned char to[UUID])
{
  CHECK(has_its_bytes(target));
  if (is_on(target, to)) return 1;
  CHECK(is_on(target, from));
  printf("%s: left out: the driver took the GPUs, and used none of them\n", current_test);
  return 0;
}

TEST(rotation_migrates_context)
{
  Target target;
  Gpus gpus;
  int to[MOST_GPUS], one, other, moved = 1;
  list_gpus(&gpus);
  if (!find_pair(&gpus, &one, &other) || !start(&target, 0)) return;
  for (int i = 0; i < gpus.count; ++i) to[i] = (i + 1) % gpus.count;
  for (int i = 0; i < gpus.count && moved == 1; ++i) {
    moved = move(&target, &gpus, to);
    if (moved == 1) moved = is_moved(&target, gpus.uuid[i], gpus.uuid[to[i]]);
  }
  if (moved == 1) CHECK(is_on(&target, target.uuid));
  stop(&target, moved >= 0);
}

TEST(swap_identical_gpus)
{
  Target target;
  Gpus gpus;
  int to[MOST_GPUS], one, other;
  list_gpus(&gpus);
  if (!find_pair(&gpus, &one, &other) || !start(&target, one)) return;
  for (int i = 0; i < gpus.count; ++i) to[i] = i == one ? other : i == other ? one : i;
  CHECK(!memcmp(target.uuid, gpus.uuid[one], UUID));
  int moved = move(&target, &gpus, to);
  if (moved == 1) is_moved(&target, gpus.uuid[one], gpus.uuid[other]);
  stop(&target, moved >= 0);
}

int main(int argc, char **argv)
{
  if (argc == 3 && !strcmp(argv[1], "target")) return run_target(atoi(argv[2]));
  const char *named = getenv("CK_DEVICE");
  if ((named && !strcmp(named, "host")) || ck_device_count() == 0) {
    printf("0 passed, 0 failed: it needs a GPU\n");
    return 77;
  }
  if (getenv("CK_SANITIZER")) {
    printf("0 passed, 0 failed: a tool watches this process, and holds what it would give back\n");
    return 77;
  }
  if (named) sscanf(named, "cuda:%d", &first_gpu);
  signal(SIGALRM, end_by_alarm);
  RUN(initial_state_is_running);
  if (!refused) {
    RUN(restore_thread_id_is_positive);
    RUN(lock_unlock);
  }
  if (!refused) { /* these tests lock */
    RUN(lock_with_timeout);
    RUN(full_cycle_no_migration);
    RUN(states_that_are_wrong);
    RUN(processes_that_are_none);
  }
  if (!refused) { /* these tests checkpoint */
    RUN(restore_onto_the_same_gpus);
    RUN(rotation_migrates_context);
    RUN(swap_identical_gpus);
  }
  int wrong = close_both();
  return wrong ? wrong : refused ? 77 : 0;
}
