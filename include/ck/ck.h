/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/ck.h - the runtime of Cokernel (libckrt): devices, streams, memory, programs, launches.
 *
 * The conventions of every function:
 *
 * - Results and errors. A function that can fail returns ck_status_t; CK_OK is 0. Results come
 *   back through the last parameters, named out_*, and are NULL or 0 on failure.
 *   ck_last_error() has the text of this thread's last failure, until its next one;
 *   ck_last_driver_error() has the driver's code. Work in a stream fails later: the call that
 *   waits for it, or the next one on its device, reports it.
 * - Ownership. An object from ck_*_create, ck_*_open, ck_*_from_* or ck_*_compile is owned by the
 *   caller: ck_*_release() it. A child retains its parent, so the order of releases does not
 *   matter. Release accepts NULL, accessors do not. An object from one is borrowed: retain it to
 * keep it. Native handles are borrowed as well.
 * - Options. An options struct starts with `struct_size`; CK_OPTIONS_INIT(T) fills it in. A field
 *   that is zero has its default, and NULL stands for a struct of defaults.
 * - Units. Sizes are bytes (size_t), times are seconds (double), extents are elements, device
 *   addresses are uint64_t.
 * - Streams. Where a stream is a parameter, NULL is the default stream of the object's device. The
 *   functions ck_stream_* need a stream, since it is their object: ck_stream_open_default gives the
 *   default one as an object. So do those whose comments say it: batches, discards, which drivers
 *   refuse in the default stream, and what has no other object to name a device.
 * - Threads. Any function may be called on any thread. Two calls that change one object at the
 *   same time need the caller's order. The thread's current CUDA context is never changed.
 * - Versions. A minor version adds, a major version may break. Values of enums never change.
 */
#ifndef CK_CK_H
#define CK_CK_H

#include "ck/checkpoint.h"
#include "ck/context.h"
#include "ck/copy.h"
#include "ck/device.h"
#include "ck/embedded.h"
#include "ck/graph.h"
#include "ck/graphics.h"
#include "ck/ipc.h"
#include "ck/kernel.h"
#include "ck/launch_attribute.h"
#include "ck/linker.h"
#include "ck/managed.h"
#include "ck/memory.h"
#include "ck/nvtx.h"
#include "ck/program.h"
#include "ck/stream.h"
#include "ck/system.h"
#include "ck/tensor_map.h"
#include "ck/texture.h"
#include "ck/toolkit.h"
#include "ck/types.h"
#include "ck/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that runs, as "0.1"; CK_VERSION_TEXT is that of the headers. */
CK_API const char *ck_version(void);

#ifdef __cplusplus
}
#endif
#endif
