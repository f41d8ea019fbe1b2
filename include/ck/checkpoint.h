/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/checkpoint.h - moves the GPU state of another process into its host memory, and back onto
 * GPUs.
 *
 *   ck_checkpoint_lock(pid, 10);            running      -> locked: its CUDA calls block
 *   ck_checkpoint_save(pid);          locked       -> checkpointed: it uses no GPU
 *   ck_checkpoint_restore(pid, NULL, 0);    checkpointed -> locked
 *   ck_checkpoint_unlock(pid);              locked       -> running
 *
 * A checkpoint copies the process's GPU memory into its host memory and releases all its driver
 * resources; addresses and handles are the same after a restore. Nothing is written to a file: a
 * tool that saves whole processes, such as CRIU, does that, and can treat a checkpointed process as
 * an ordinary one.
 *
 * The work is done by the CUDA driver, 12.8 or newer, on Linux. The calling process needs the
 * driver, but no device and no context; the other process may use CUDA with or without this
 * library. The system may require the rights of a debugger (ptrace), or root. A resource that the
 * driver can't take off a GPU makes a call fail with the driver's message for it. A locked process
 * can't unlock itself.
 *
 * pid      of a process in the caller's PID namespace
 * threads  any; the caller orders calls for one process
 * fails    CK_INVALID_ARGUMENT for a pid below 1, and for a process in another state than the call
 *          requires: the message has both; CK_NOT_FOUND: there is no such process; CK_UNAVAILABLE
 *          without a driver; CK_UNSUPPORTED if the driver is too old, or can't do it on this
 *          system; CK_DRIVER: the process does not use CUDA, or the system does not allow this
 *          process to control it
 * source   CUDA Driver API, "Checkpointing"
 */
#ifndef CK_CHECKPOINT_H
#define CK_CHECKPOINT_H

#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state of a process, with the numbers of cuda.h. */
typedef enum ck_checkpoint_state {
  CK_CHECKPOINT_RUNNING = 0,
  CK_CHECKPOINT_LOCKED = 1,       /* its CUDA calls block */
  CK_CHECKPOINT_CHECKPOINTED = 2, /* it holds no resource of any GPU */
  CK_CHECKPOINT_FAILED = 3,       /* a checkpoint or a restore failed, which can't be undone */
  CK_CHECKPOINT_STATE_FORCE_INT = 0x7fffffff
} ck_checkpoint_state_t;

/* The state of a process.
 *
 * fails    CK_UNSUPPORTED also for a state that only newer drivers have
 */
CK_API ck_status_t ck_checkpoint_get_state(int pid, ck_checkpoint_state_t *out_state);

/* The name of a state, such as "running"; NULL for a number that is no state. */
CK_API const char *ck_checkpoint_state_name(ck_checkpoint_state_t state);

/* The thread of the process in which the driver performs a restore. A tool that has stopped the
 * process must let this thread run while it restores. */
CK_API ck_status_t ck_checkpoint_get_restore_thread(int pid, int *out_thread);

/* Makes further CUDA calls of the process block: running, then locked.
 *
 * seconds  time limit, in steps of a millisecond, up to 4294967; 0: none
 * fails    CK_NOT_READY after that time: the process is running as before
 */
CK_API ck_status_t ck_checkpoint_lock(int pid, double seconds);

/* Takes the process off its GPUs: locked, then checkpointed. Its GPU memory must fit into host
 * memory. */
CK_API ck_status_t ck_checkpoint_save(int pid);

/* A GPU and its replacement, by the bytes of ck_device_get_uuid. */
typedef struct ck_checkpoint_gpu {
  unsigned char from[16]; /* the GPU at the checkpoint */
  unsigned char to[16];
} ck_checkpoint_gpu_t;

/* Restores the process onto GPUs: checkpointed, then locked.
 *
 * gpus     NULL: onto the same GPUs. Otherwise a row for every GPU that the process used, and with
 *          today's drivers for every GPU of the machine, including those that don't change and
 *          those that CUDA_VISIBLE_DEVICES hides; `to` is a GPU of the same model, with enough free
 *          memory
 * count    number of rows; 0 is the same as NULL
 * fails    CK_UNSUPPORTED for rows if the driver is older than CUDA 13.0; CK_DRIVER for rows that
 *          the driver refuses: the process is still checkpointed, and can be restored without rows
 */
CK_API ck_status_t ck_checkpoint_restore(int pid, const ck_checkpoint_gpu_t *gpus, size_t count);

/* Lets the blocked CUDA calls of the process continue: locked, then running. */
CK_API ck_status_t ck_checkpoint_unlock(int pid);

#ifdef __cplusplus
}
#endif
#endif
