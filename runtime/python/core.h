/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* core.h - what the files of the Python extension `cokernel._core` share.
 *
 * The extension is written against CPython's stable ABI of 3.10, so that one file serves all later
 * versions. It knows the runtime by its public headers alone. What is not in a hurry is written in
 * Python, in the package around it: messages become exceptions there, dtypes are read there, and
 * texts are compiled from there.
 *
 *   core.c      module, errors, devices, streams, events
 *   array.c     arrays: ours, and how those of other libraries are read
 *   scalar.c    Python's numbers to arguments
 *   code.c      compiled code
 *   kernel.c    kernels, launches
 *   recipe.c    functions that launch calls like earlier ones without Python
 *   graph.c     graphs by capture
 *   allocator.c memory from functions in Python
 */
#ifndef CK_PYTHON_CORE_H
#define CK_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <structmember.h>

#include "ck/ck.h"

/* Parts of CPython's ABI that are in its stable headers only since 3.11 and 3.12, but have been the
 * same since 3.8. */
typedef PyObject *(*VectorCall)(PyObject *self, PyObject *const *args, size_t count_and_flag,
                                PyObject *keywords);
#define HAVE_VECTORCALL (1UL << 11)
#define IS_METHOD       (1UL << 17) /* Py_TPFLAGS_METHOD_DESCRIPTOR */
#define CALL_COUNT(n)   ((Py_ssize_t)((n) & ~((size_t)1 << (8 * sizeof(size_t) - 1))))

/* DLPack's structs: include/ck/view.h has its versions. The layout is dlpack.h's. */
typedef struct Tensor {
  void *data;
  int32_t device_type, device_id;
  int32_t rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *extents, *strides; /* strides: NULL if dense */
  uint64_t byte_offset;
} Tensor;
enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_CUDA_MANAGED = 13 };
enum { DL_INT, DL_UINT, DL_FLOAT, DL_OPAQUE, DL_BFLOAT, DL_COMPLEX, DL_BOOL };

/* ---- core.c ---------------------------------------------------------------------------------- */

enum { SLOT_HOST = 0, SLOT_COUNT = 65 }; /* the host device, then the GPUs by ordinal */

typedef struct StreamState StreamState;

typedef struct Device {
  PyObject_HEAD ck_device_t *device;
  int slot;
  StreamState *stream; /* the default stream, made when it is first needed */
} Device;

/* A stream, ours or another library's, with the Python objects that its work uses. */
struct StreamState {
  unsigned references;
  ck_stream_t *stream;
  Device *device; /* a reference */
  void *native;   /* of another library's stream; else NULL */
  PyObject
      *graph; /* while a graph captures the stream: the list of what the graph keeps; or NULL */
  PyObject **kept;                      /* what launches use, the oldest first */
  size_t kept_count, kept_room, marked; /* the first `marked` are before the event */
  size_t kept_bytes;                    /* of those behind the event */
  ck_event_t *event;                    /* or NULL: nothing is marked */
};

typedef struct Stream {
  PyObject_HEAD StreamState *state;
} Stream;

typedef struct Event {
  PyObject_HEAD ck_event_t *event;
} Event;

extern PyTypeObject *device_type, *stream_type, *event_type;
extern PyObject *helpers; /* the module cokernel._helpers */

/* Sets the exception of a failed call; returns NULL. `place` is the kernel whose text is named in
 * the traceback, or NULL. */
PyObject *fail(ck_status_t status, PyObject *place);
/* Sets an ArgumentError, or one of the kinds "type" and "range", with a text. */
PyObject *fail_text(const char *kind, PyObject *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Sets an exception that a helper has made, with its traceback; takes the reference. NULL. */
PyObject *set_exception(PyObject *error);
/* Calls a function of cokernel._helpers; a new reference. */
PyObject *helper_call(const char *name, const char *format, ...);

/* The device of a slot, opened at the first call: a borrowed reference; NULL with an exception. */
Device *device_by_slot(int slot);
Device *device_auto(void);
/* A device from what a caller may give: a Device, "host", "cuda:1", a number, None. Borrowed. */
Device *device_of(PyObject *given);

/* After the fault of a kernel the host device is of no use until all that refers to it is gone.
 * What this module holds is given up at the next use of the device. */
extern bool host_is_dead;
void host_begin_anew(void);

StreamState *stream_default(Device *device);               /* borrowed; NULL: exception */
StreamState *stream_foreign(Device *device, void *native); /* likewise */
/* A stream from what a caller may give; device: the one meant, or NULL. Borrowed. */
StreamState *stream_of(PyObject *given, Device *device);
StreamState *stream_current(void); /* of `with stream:`; or NULL without an exception. Borrowed */
void stream_retain(StreamState *state);
void stream_release(StreamState *state);
/* Keeps an object until the work that is in the stream now has finished. */
int stream_hold(StreamState *state, PyObject *object, size_t bytes);
/* To be called behind a launch whose objects are kept. */
int stream_mark(StreamState *state);
/* Waits for the stream with the interpreter released, and drops what it kept. */
ck_status_t stream_sync(StreamState *state);
PyObject *stream_object(StreamState *state);                 /* a new Stream */
PyObject *stream_adopt(Device *device, ck_stream_t *stream); /* likewise; takes the reference */

/* ---- array.c --------------------------------------------------------------------------------- */

typedef struct Array {
  PyObject_HEAD Tensor tensor; /* extents and strides point into this struct */
  int64_t extents[CK_MAX_RANK], strides[CK_MAX_RANK];
  uint32_t flags;       /* CK_VIEW_* */
  int source;           /* whose current stream a launch uses, SOURCE_* */
  const void *exchange; /* the table of SOURCE_EXCHANGE */
  size_t bytes;         /* of all elements */
  ck_buffer_t *buffer;  /* ours, or NULL */
  StreamState *stream;  /* in which it was made or last used; or NULL */
  PyObject *owner;      /* what keeps the memory alive, or NULL */
  PyObject *layout;     /* of structs: the text that manifests have; or NULL */
} Array;

/* Where an argument comes from, which decides on the stream. */
enum {
  SOURCE_OWN,
  SOURCE_HOST,
  SOURCE_TORCH,
  SOURCE_CUPY,
  SOURCE_OTHER,
  SOURCE_EXCHANGE,
  SOURCE_JAX /* of a type alone: its arrays are SOURCE_OTHER, and read-only */
};

/* An address and a number of elements, for callers that have checked the rest: the package's own.
 * */
typedef struct Raw {
  PyObject_HEAD uint64_t address, count;
  int slot;
} Raw;
extern PyTypeObject *raw_type;

/* What was read from a Python object that is an array. */
typedef struct Given {
  Tensor tensor;
  int64_t extents[CK_MAX_RANK], strides[CK_MAX_RANK];
  uint32_t flags;
  int source;
  size_t bytes;
  PyObject *layout;      /* borrowed or in `held` */
  PyObject *held;        /* a reference of our own that keeps the tensor readable, or NULL */
  const void *exchange;  /* its table, of SOURCE_EXCHANGE */
  void *producer_stream; /* of a CUDA array interface that names one; or NULL */
} Given;

extern PyTypeObject *array_type, *numpy_bool; /* numpy_bool: numpy.bool_ */

/* Reads an array: 1; 0 if the object is none, without an exception; -1 with one. `consumer` is the
 * handle of the stream that the caller will use, 1 for the default one; DLPack's producers wait for
 * it. */
int given_read(PyObject *object, Given *out, long long consumer);
void given_drop(Given *given);
/* Reads an array of NumPy, or of a type derived from it, whose elements lie without gaps; the dtype
 * is borrowed. False if it has gaps. */
bool numpy_dense(PyObject *array, PyObject **dtype, uint64_t *address, uint64_t *count,
                 bool is_written);
/* The current stream of the library that the array comes from, on its device: a handle. -1 with an
 * exception; 0 if the library has none. */
int given_stream(const Given *given, void **out_native);

/* Work in the stream comes before whoever reads the array next. */
void array_set_stream(Array *array, StreamState *stream);
/* A dense array of our own. `layout` of structs, or NULL. */
PyObject *array_make(Device *device, StreamState *stream, uint8_t code, uint8_t bits,
                     uint16_t lanes, int rank, const int64_t *extents, PyObject *layout);

/* ---- scalar.c -------------------------------------------------------------------------------- */

/* Makes an argument for a scalar of a parameter; -1 with an exception. `held` is a new reference
 * that has to live until the launch has been made, or NULL. */
int scalar_read(PyObject *value, const ck_param_t *param, uint32_t index, PyObject *kernel,
                PyObject *place, ck_arg_t *out, PyObject **held);

/* ---- code.c ---------------------------------------------------------------------------------- */

typedef struct Code {
  PyObject_HEAD ck_object_code_t *code;
} Code;

/* ---- kernel.c -------------------------------------------------------------------------------- */

extern PyTypeObject *code_type, *kernel_type;
/* Launches a kernel that has been called before, with an argument for each parameter, its result
 * among them, in a stream or, if that is NULL, where a call without one is made. What the arguments
 * point to is kept alive by the caller. */
bool kernel_launch(PyObject *kernel, Device *device, PyObject *stream, ck_arg_t *args);
uint32_t kernel_param_count(PyObject *kernel);
const ck_param_t *kernel_param(PyObject *kernel, uint32_t index);
void kernels_forget(int slot); /* all kernels are opened again on that device */
extern PyTypeObject *graph_type;

/* Adds the types and functions of a file to the module. */
int core_add(PyObject *module);
int array_add(PyObject *module);
int code_add(PyObject *module);
int kernel_add(PyObject *module);
int recipe_add(PyObject *module);
int graph_add(PyObject *module);
int allocator_add(PyObject *module);

#endif
