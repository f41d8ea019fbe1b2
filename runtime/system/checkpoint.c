/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* checkpoint.c - locks, checkpoints, restores and unlocks other processes by process id.
 *
 * Each call queries the state of the process first, so that a call in the wrong state can name the
 * right one; if the state changes in between, the driver's error is reported. The driver keeps all
 * state, so there are no objects here.
 */
#include "ck/checkpoint.h"

#include <errno.h>
#include <signal.h>

#include "device/device.h"

/* The first version whose restore arguments have pairs of GPUs. */
enum { CUDA_WITH_GPU_PAIRS = 13000 };
static const double LOCK_MOST_SECONDS = 4294967; /* the driver has 32 bits of milliseconds */

static const char states[][13] = {"running", "locked", "checkpointed", "failed"};

/* The numbers of the public enumeration are cuda.h's, and a row is the driver's. */
_Static_assert((int)CU_PROCESS_STATE_RUNNING == CK_CHECKPOINT_RUNNING, "");
_Static_assert((int)CU_PROCESS_STATE_LOCKED == CK_CHECKPOINT_LOCKED, "");
_Static_assert((int)CU_PROCESS_STATE_CHECKPOINTED == CK_CHECKPOINT_CHECKPOINTED, "");
_Static_assert((int)CU_PROCESS_STATE_FAILED == CK_CHECKPOINT_FAILED, "");
_Static_assert(sizeof(ck_checkpoint_gpu_t) == sizeof(CUcheckpointGpuPair) &&
                   offsetof(ck_checkpoint_gpu_t, to) == offsetof(CUcheckpointGpuPair, newUuid),
               "rows are passed on as they are");

const char *ck_checkpoint_state_name(ck_checkpoint_state_t state)
{
  return (size_t)state < COUNT_OF(states) ? states[state] : NULL;
}

static ck_status_t open_driver(int pid, const Driver **out_driver)
{
  if (pid < 1) return error_argument("process %d: they are counted from 1", pid);
  return driver_open_cuda(out_driver);
}

static ck_status_t find_process(int pid)
{
  if (kill(pid, 0) && errno == ESRCH) return error_set(CK_NOT_FOUND, "there is no process %d", pid);
  return CK_OK;
}

/* Prefixes the driver's message with the process id. */
static ck_status_t of_process(ck_status_t status, int pid)
{
  return status == CK_OK ? CK_OK : error_within(status, "process %d", pid);
}

static ck_status_t read_state(const Driver *driver, int pid, CUprocessState *out_state)
{
  DRV_NEED(driver, cuCheckpointProcessGetState);
  CK_TRY(find_process(pid));
  return of_process(DRV_STATUS(driver, cuCheckpointProcessGetState(pid, out_state)), pid);
}

/* Fails for a process that is in another state than `needed`. */
static ck_status_t need_state(const Driver *driver, int pid, CUprocessState needed)
{
  CUprocessState state = needed;
  CK_TRY(read_state(driver, pid, &state));
  if (state == needed) return CK_OK;
  const char *name = ck_checkpoint_state_name((ck_checkpoint_state_t)state);
  return error_argument("process %d is %s, it has to be %s", pid,
                        name ? name : "in a state of a newer driver", states[needed]);
}

ck_status_t ck_checkpoint_get_state(int pid, ck_checkpoint_state_t *out_state)
{
  CK_NEED_OUT(out_state, CK_CHECKPOINT_RUNNING);
  const Driver *driver;
  CUprocessState state = CU_PROCESS_STATE_RUNNING;
  CK_TRY(open_driver(pid, &driver));
  CK_TRY(read_state(driver, pid, &state));
  if ((size_t)state >= COUNT_OF(states))
    return error_unsupported("process %d is in state %d, this library (%s) knows %zu", pid,
                             (int)state, CK_VERSION_TEXT, COUNT_OF(states));
  *out_state = (ck_checkpoint_state_t)state;
  return CK_OK;
}

ck_status_t ck_checkpoint_get_restore_thread(int pid, int *out_thread)
{
  CK_NEED_OUT(out_thread, 0);
  const Driver *driver;
  int thread = 0;
  CK_TRY(open_driver(pid, &driver));
  DRV_NEED(driver, cuCheckpointProcessGetRestoreThreadId);
  CK_TRY(find_process(pid));
  CK_TRY(of_process(DRV_STATUS(driver, cuCheckpointProcessGetRestoreThreadId(pid, &thread)), pid));
  *out_thread = thread;
  return CK_OK;
}

ck_status_t ck_checkpoint_lock(int pid, double seconds)
{
  if (!(seconds >= 0 && seconds <= LOCK_MOST_SECONDS))
    return error_argument("%s: %g seconds, they are 0 to %.0f", __func__, seconds,
                          LOCK_MOST_SECONDS);
  const Driver *driver;
  CUcheckpointLockArgs args = {.timeoutMs = (unsigned)(seconds * 1000)};
  if (args.timeoutMs < seconds * 1000) ++args.timeoutMs; /* rounded up, since 0 means no limit */
  CK_TRY(open_driver(pid, &driver));
  DRV_NEED(driver, cuCheckpointProcessLock);
  CK_TRY(need_state(driver, pid, CU_PROCESS_STATE_RUNNING));
  return of_process(DRV_STATUS(driver, cuCheckpointProcessLock(pid, &args)), pid);
}

ck_status_t ck_checkpoint_save(int pid)
{
  const Driver *driver;
  CK_TRY(open_driver(pid, &driver));
  DRV_NEED(driver, cuCheckpointProcessCheckpoint);
  CK_TRY(need_state(driver, pid, CU_PROCESS_STATE_LOCKED));
  return of_process(DRV_STATUS(driver, cuCheckpointProcessCheckpoint(pid, NULL)), pid);
}

ck_status_t ck_checkpoint_restore(int pid, const ck_checkpoint_gpu_t *gpus, size_t count)
{
  if (count && !gpus) return error_argument("%s: gpus is NULL, count is %zu", __func__, count);
  if (count > UINT32_MAX) return error_argument("%s: %zu rows of GPUs", __func__, count);
  const Driver *driver;
  CK_TRY(open_driver(pid, &driver));
  DRV_NEED(driver, cuCheckpointProcessRestore);
  /* An older driver would ignore the rows, and restore onto the same GPUs. */
  if (count) CK_TRY(driver_need_version(driver, CUDA_WITH_GPU_PAIRS, "other GPUs to restore onto"));
  CK_TRY(need_state(driver, pid, CU_PROCESS_STATE_CHECKPOINTED));
  CUcheckpointRestoreArgs args = {.gpuPairs = (CUcheckpointGpuPair *)(uintptr_t)gpus,
                                  .gpuPairsCount = (unsigned)count};
  CUcheckpointRestoreArgs *how = count ? &args : NULL;
  return of_process(DRV_STATUS(driver, cuCheckpointProcessRestore(pid, how)), pid);
}

ck_status_t ck_checkpoint_unlock(int pid)
{
  const Driver *driver;
  CK_TRY(open_driver(pid, &driver));
  DRV_NEED(driver, cuCheckpointProcessUnlock);
  CK_TRY(need_state(driver, pid, CU_PROCESS_STATE_LOCKED));
  return of_process(DRV_STATUS(driver, cuCheckpointProcessUnlock(pid, NULL)), pid);
}
