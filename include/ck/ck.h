/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/ck.h - the whole C API of Cokernel's runtime (libckrt) in one include: devices, streams,
 * memory, programs, kernels, launches, graphs.
 *
 * The conventions that hold for every function:
 *
 * - Results and errors. A function that can fail returns ck_status_t; CK_OK is 0. Results are
 *   stored through the last parameters, named out_*, which are NULL or 0 after a failure.
 *   ck_last_error() has the text of this thread's last failure until its next one;
 *   ck_last_driver_error() has the CUDA driver's error code. Work in a stream fails asynchronously:
 *   the call that waits for it, or the next call on its device, reports the error.
 * - Ownership. The caller owns an object that a ck_*_create, ck_*_open, ck_*_from_* or ck_*_compile
 *   function returns, and gives it up with ck_*_release(). A child retains its parent, so that
 *   objects may be released in any order. Release functions accept NULL, accessors do not. An
 *   object from an accessor is borrowed: retain it to keep it. Native handles (CUstream and so on)
 *   are borrowed too.
 * - Names. The functions of ck/algorithm.h are named after algorithms: ck_reduce. Any other
 *   function is called ck_OBJECT_VERB, such as ck_stream_create, or ck_VERB if there is no
 *   one object, such as ck_copy_batch; what it acts on may follow: ck_context_create_stream. A name
 *   without a verb is an accessor: ck_buffer_bytes returns what the object knows, and can't fail.
 *   These are the verbs, one meaning a line; there are no others (.ci/check_style.py compares).
 *
 *     create                     makes a new thing; the caller owns it
 *     open                       makes an object for a thing of the machine, by its name
 *     from                       makes an object out of another thing that exists: adopts, imports
 *     retain release             one reference more; one less, and the last one destroys
 *     close                      gives the thing back now; the object stays and is empty
 *     get set                    reads or changes a property, by a call that can fail
 *     is has can                 answers a question with 0 or 1
 *     find                       looks something up
 *     check                      fails where something is not as it has to be
 *     add remove clear           puts a part into an object or takes it out again; takes out all
 *     read write                 copies between the memory of an object and the caller's
 *     copy fill                  copies, fills memory in a stream's order
 *     grow resize trim           changes how much memory an object has
 *     prefetch discard           says where memory is needed next, or that its contents are not
 *     map unmap                  borrows memory of another library, and gives it back
 *     export send receive to     gives an object to other processes and libraries
 *     save restore               writes out what can be read back
 *     lock unlock                stops a process's calls of CUDA, and lets them go on
 *     compile link explain       text to code, code to code, a message to its explanation
 *     launch record batch        puts work, an event, several operations into a stream
 *     wait                       lets a stream wait, or waits for something to happen
 *     sync query                 waits until the work is done; asks whether it is
 *     begin end                  starts and ends a capture, a range of time
 *     push pop mark              starts and ends a nested range of time; a point in time
 *     split join embed           divides an object, unites its parts, puts one into another
 *     update upload reset        replaces, sends ahead, sets back what an object has prepared
 *     broadcast cast flatten permute reshape slice      make a view of a view
 *
 * - Options. An options struct starts with `struct_size`; CK_OPTIONS_INIT(T) fills it in. A field
 *   that is zero has its default value, and NULL stands for a struct of defaults.
 * - Units. Sizes are bytes (size_t), times are seconds (double), extents are elements, device
 *   addresses are uint64_t.
 * - Streams. Where a stream is a parameter, NULL is the default stream of the object's device. The
 *   functions ck_stream_* don't accept NULL, since the stream is their object:
 *   ck_stream_open_default gives the default stream as an object. A few others don't either, and
 *   their comments say so: batches and discards, which CUDA refuses in the default stream, and
 *   functions that have no other object from which to take the device.
 * - Threads. Any function may be called on any thread. The caller orders calls that change one
 *   object at the same time. The thread's current CUDA context is never changed, except by
 *   ck_context_set_current.
 * - Versions. A minor version adds functions, a major version may break callers. Values of enums
 *   never change.
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

/* The version of the loaded library, such as "0.1"; CK_VERSION_TEXT is that of the headers. */
CK_API const char *ck_version(void);

#ifdef __cplusplus
}
#endif
#endif
