/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/checkpoint.h - another process's GPU state: stopped, taken off the GPUs, put back on them.
 *
 *   ck_checkpoint_lock(pid, 10);            running      -> locked: its calls of CUDA wait
 *   ck_checkpoint_checkpoint(pid);          locked       -> checkpointed: it is on no GPU
 *   ck_checkpoint_restore(pid, NULL, 0);    checkpointed -> locked
 *   ck_checkpoint_unlock(pid);              locked       -> running
 *
 * A checkpoint brings the process's memory of GPUs into its memory of the host, and gives all that
 * it has of the driver's back; addresses and handles are the same after it is restored. Nothing is
 * written to a file: that is for a tool that saves whole processes, such as CRIU, which finds a
 * checkpointed process to be like any other.
 *
 * All of it is the CUDA driver's of 12.8 and newer, on Linux: it needs the driver here, but no
 * device and no context, and the process may use CUDA with or without this library. The system may
 * ask for a debugger's rights, or root's. What the driver can't take off a GPU fails with its own
 * word for that. A process whose calls wait can't unlock itself.
 *
 * pid      of a process in this process's namespace
 * threads  any; calls for one process need the caller's order
 * fails    CK_INVALID_ARGUMENT for a pid below 1, and for a process in another state than the one
 *          that a call needs: the text has both; CK_NOT_FOUND: there is no such process;
 *          CK_UNAVAILABLE without a driver; CK_UNSUPPORTED if the driver is older, or can't do it
 *          here; CK_DRIVER: it is no process with CUDA, or the system does not let this one near it
 */
#ifndef CK_CHECKPOINT_H
#define CK_CHECKPOINT_H

#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With the numbers of cuda.h. */
typedef enum ck_checkpoint_state {
  CK_CHECKPOINT_RUNNING = 0,
  CK_CHECKPOINT_LOCKED = 1,       /* its calls of CUDA wait */
  CK_CHECKPOINT_CHECKPOINTED = 2, /* nothing of it is on a GPU */
  CK_CHECKPOINT_FAILED = 3,       /* a checkpoint or its way back failed for good */
  CK_CHECKPOINT_STATE_FORCE_INT = 0x7fffffff
} ck_checkpoint_state_t;

/* The state that a process is in.
 *
 * fails    CK_UNSUPPORTED also for a state that only newer drivers have
 */
CK_API ck_status_t ck_checkpoint_get_state(int pid, ck_checkpoint_state_t *out_state);

/* "running" and so on; NULL for a number that is no state. */
CK_API const char *ck_checkpoint_state_name(ck_checkpoint_state_t state);

/* The thread of the process in which the driver does what is asked here. A tool that stops the
 * process lets this one run while it restores. */
CK_API ck_status_t ck_checkpoint_get_restore_thread(int pid, int *out_thread);

/* Makes the process's further calls of CUDA wait: running, then locked.
 *
 * seconds  at most, in steps of a millisecond, up to 4294967; 0: as long as that takes
 * fails    CK_NOT_READY after that time: the process is running as before
 */
CK_API ck_status_t ck_checkpoint_lock(int pid, double seconds);

/* Takes the process off its GPUs: locked, then checkpointed. The host needs room for its memory. */
CK_API ck_status_t ck_checkpoint_checkpoint(int pid);

/* A GPU and the one that takes its place, by the bytes of ck_device_get_uuid. */
typedef struct ck_checkpoint_gpu {
  unsigned char from[16]; /* of the checkpoint */
  unsigned char to[16];
} ck_checkpoint_gpu_t;

/* Puts the process back: checkpointed, then locked.
 *
 * gpus     NULL: onto the same GPUs. Otherwise a row for every GPU that the process was on, and
 *          with today's drivers for every GPU of the machine, also of those that stay and those
 *          that CUDA_VISIBLE_DEVICES hides; `to` is of the same chip, with room for the memory
 * count    of rows; 0 is NULL
 * fails    CK_UNSUPPORTED for rows if the driver is older than CUDA 13.0; CK_DRIVER for rows that
 * it does not take: the process is checkpointed as before, and can be restored without
 */
CK_API ck_status_t ck_checkpoint_restore(int pid, const ck_checkpoint_gpu_t *gpus, size_t count);

/* Lets the process's calls go on: locked, then running. */
CK_API ck_status_t ck_checkpoint_unlock(int pid);

#ifdef __cplusplus
}
#endif
#endif
