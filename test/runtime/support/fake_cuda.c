/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fake_cuda.c - a libcuda for tests of checkpoints: it plays a driver with one other process that
 * uses CUDA, which can be locked, checkpointed and restored as cuda.h describes.
 *
 * It exports every function, but only those of checkpoints, errors and versions do anything. Calls
 * that are counted can be made to fail (fake_cuda.h).
 */
#include "fake_cuda.h"

#include <string.h>

static FakeCuda fake = {.pid = 1, .version = 13000};

FakeCuda *fake_cuda(void);
FakeCuda *fake_cuda(void)
{
  return &fake;
}

/* Whether this call has to fail. */
static int fails(const char *name)
{
  if (!fake.fail_in || --fake.fail_in) return 0;
  fake.failed = name;
  return 1;
}

static CUresult turn(const char *name, int pid, CUprocessState from, CUprocessState to)
{
  if (fails(name)) return fake.fail_with;
  if (pid != fake.pid) return CUDA_ERROR_INVALID_VALUE;
  if (fake.state != from) return CUDA_ERROR_ILLEGAL_STATE;
  fake.state = to;
  return CUDA_SUCCESS;
}

static CUresult get_state(int pid, CUprocessState *state)
{
  if (fails("cuCheckpointProcessGetState")) return fake.fail_with;
  if (pid != fake.pid) return CUDA_ERROR_INVALID_VALUE;
  *state = fake.state;
  return CUDA_SUCCESS;
}

static CUresult get_restore_thread(int pid, int *thread)
{
  if (fails("cuCheckpointProcessGetRestoreThreadId")) return fake.fail_with;
  if (pid != fake.pid) return CUDA_ERROR_INVALID_VALUE;
  *thread = FAKE_THREAD;
  return CUDA_SUCCESS;
}

static CUresult lock(int pid, CUcheckpointLockArgs *args)
{
  static const CUcheckpointLockArgs zeros;
  CUcheckpointLockArgs rest = *args;
  rest.timeoutMs = 0;
  if (memcmp(&rest, &zeros, sizeof rest) != 0) return CUDA_ERROR_INVALID_VALUE;
  fake.lock_ms = args->timeoutMs;
  if (fake.is_busy && args->timeoutMs) return CUDA_ERROR_NOT_READY;
  return turn("cuCheckpointProcessLock", pid, CU_PROCESS_STATE_RUNNING, CU_PROCESS_STATE_LOCKED);
}

static CUresult checkpoint(int pid, CUcheckpointCheckpointArgs *args)
{
  if (args) return CUDA_ERROR_INVALID_VALUE;
  return turn("cuCheckpointProcessCheckpoint", pid, CU_PROCESS_STATE_LOCKED,
              CU_PROCESS_STATE_CHECKPOINTED);
}

static CUresult restore(int pid, CUcheckpointRestoreArgs *args)
{
  static const CUcheckpointRestoreArgs zeros;
  CUcheckpointRestoreArgs rest = args ? *args : zeros;
  rest.gpuPairs = NULL, rest.gpuPairsCount = 0;
  if (memcmp(rest.reserved, zeros.reserved, sizeof rest.reserved) != 0 || rest.reserved1)
    return CUDA_ERROR_INVALID_VALUE;
  fake.had_pairs = args != NULL;
  fake.pair_count = args ? args->gpuPairsCount : 0;
  for (unsigned i = 0; i < fake.pair_count && i < FAKE_PAIRS; ++i)
    fake.pairs[i] = args->gpuPairs[i];
  return turn("cuCheckpointProcessRestore", pid, CU_PROCESS_STATE_CHECKPOINTED,
              CU_PROCESS_STATE_LOCKED);
}

static CUresult unlock(int pid, CUcheckpointUnlockArgs *args)
{
  if (args) return CUDA_ERROR_INVALID_VALUE;
  return turn("cuCheckpointProcessUnlock", pid, CU_PROCESS_STATE_LOCKED, CU_PROCESS_STATE_RUNNING);
}

static CUresult init(unsigned flags)
{
  return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult get_version(int *version)
{
  if (fails("cuDriverGetVersion")) return fake.fail_with;
  *version = fake.version;
  return CUDA_SUCCESS;
}

static CUresult get_error_name(CUresult result, const char **name)
{
  switch ((int)result) {
  case CUDA_ERROR_INVALID_VALUE: *name = "CUDA_ERROR_INVALID_VALUE"; break;
  case CUDA_ERROR_ILLEGAL_STATE: *name = "CUDA_ERROR_ILLEGAL_STATE"; break;
  case CUDA_ERROR_NOT_READY: *name = "CUDA_ERROR_NOT_READY"; break;
  case CUDA_ERROR_NOT_PERMITTED: *name = "CUDA_ERROR_NOT_PERMITTED"; break;
  case CUDA_ERROR_NOT_SUPPORTED: *name = "CUDA_ERROR_NOT_SUPPORTED"; break;
  default: *name = NULL; return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

static CUresult get_error_text(CUresult result, const char **text)
{
  (void)result;
  *text = "its text";
  return CUDA_SUCCESS;
}

/* Any other function. */
static CUresult refuse(void)
{
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuGetProcAddress_v2(const char *, void **, int, uint64_t,
                             CUdriverProcAddressQueryResult *);

CUresult cuGetProcAddress_v2(const char *name, void **out_function, int version, uint64_t flags,
                             CUdriverProcAddressQueryResult *out_found)
{
  static const struct {
    const char *name;
    void (*function)(void);
  } rows[] = {
      {"cuInit", (void (*)(void))init},
      {"cuDriverGetVersion", (void (*)(void))get_version},
      {"cuGetErrorName", (void (*)(void))get_error_name},
      {"cuGetErrorString", (void (*)(void))get_error_text},
      {"cuCheckpointProcessGetState", (void (*)(void))get_state},
      {"cuCheckpointProcessGetRestoreThreadId", (void (*)(void))get_restore_thread},
      {"cuCheckpointProcessLock", (void (*)(void))lock},
      {"cuCheckpointProcessCheckpoint", (void (*)(void))checkpoint},
      {"cuCheckpointProcessRestore", (void (*)(void))restore},
      {"cuCheckpointProcessUnlock", (void (*)(void))unlock},
  };
  (void)flags;
  void (*function)(void) = (void (*)(void))refuse;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (!strcmp(name, rows[i].name)) function = rows[i].function;
  int is_there = version <= fake.version;
  *out_function = NULL;
  if (is_there) memcpy(out_function, &function, sizeof function);
  *out_found = is_there ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
  return is_there ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
