/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* array.c - arrays: our own type, and how those of other libraries are read.
 *
 * Whatever an array is, it becomes a `Given`: a DLTensor, and what the launch has to know besides.
 * How a type is read is found out once, by cokernel._helpers, and remembered in a table by type:
 *
 *   READ_ARRAY     our own: the tensor is in the object
 *   READ_NUMPY     fields of the object, which are the same from NumPy 1.7 to 2.x
 *   READ_EXCHANGE  a call of DLPack's C exchange interface: PyTorch 2.9 and newer
 *   READ_DLPACK    a call of __dlpack__; the capsule is held, and never consumed
 *   READ_CUDA      the dictionary __cuda_array_interface__
 *   READ_HOST      the dictionary __array_interface__
 *   READ_BUFFER    Python's buffer protocol, by way of NumPy
 *   READ_CUPY      attributes: data.ptr, data.device_id, dtype, shape, strides
 *
 * Nothing is copied, and no element is touched.
 */
#include "core.h"

#include <string.h>

enum {
  READ_NONE,
  READ_ARRAY,
  READ_NUMPY,
  READ_EXCHANGE,
  READ_DLPACK,
  READ_CUDA,
  READ_HOST,
  READ_BUFFER,
  READ_CUPY
};

PyTypeObject *array_type, *numpy_bool;

/* DLPack's C structs --------------------------------------------------------------------------- */

typedef struct Managed {
  Tensor tensor;
  void *context;
  void (*deleter)(struct Managed *self);
} Managed;

typedef struct ManagedVersioned {
  uint32_t major, minor;
  void *context;
  void (*deleter)(struct ManagedVersioned *self);
  uint64_t flags; /* 1: read-only, 2: copied */
  Tensor tensor;
} ManagedVersioned;

/* DLPackExchangeAPI of version 1.3. */
typedef struct Exchange {
  uint32_t major, minor;
  struct Exchange *previous;
  void *allocate, *from_object, *to_object;
  int (*tensor_of_object)(void *object, Tensor *out);
  int (*current_stream)(int device_type, int32_t device_id, void **out_stream);
} Exchange;

/* the table of types --------------------------------------------------------------------------- */

typedef struct Known {
  PyTypeObject *type; /* a reference, so that the address isn't used again */
  int how, source;
  bool is_old; /* its __dlpack__ has no max_version */
  const Exchange *exchange;
} Known;

enum { KNOWN_COUNT = 128 };
static Known known[KNOWN_COUNT];
static unsigned known_count;
static bool numpy_is_known; /* the fields of its arrays are where we look */
static PyTypeObject *numpy_array;

static Known *remember(PyObject *object, Known *entry)
{
  PyObject *capsule = NULL;
  PyTypeObject *type = Py_TYPE(object);
  PyObject *answer = helper_call("how_to_read", "(O)", object);
  if (!answer) return NULL;
  *entry = (Known){.type = type};
  int ok = PyArg_ParseTuple(answer, "iiO", &entry->how, &entry->source, &capsule);
  if (ok && entry->how == READ_EXCHANGE) {
    const Exchange *exchange = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
    while (exchange && exchange->major != 1) exchange = exchange->previous;
    PyErr_Clear();
    entry->exchange = exchange;
    if (!exchange || !exchange->tensor_of_object) entry->how = READ_DLPACK;
  }
  Py_DECREF(answer);
  if (!ok) return NULL;
  if (entry->how == READ_NUMPY && !numpy_is_known) entry->how = READ_HOST;
  if (entry->how == READ_CUPY && !numpy_is_known) entry->how = READ_DLPACK;
  Py_INCREF(type);
  return entry;
}

static Known *look_up(PyObject *object)
{
  static Known none;
  PyTypeObject *type = Py_TYPE(object);
  unsigned place = (unsigned)((uintptr_t)type >> 4) % KNOWN_COUNT;
  while (known[place].type) {
    if (known[place].type == type) return &known[place];
    place = (place + 1) % KNOWN_COUNT;
  }
  if (4 * known_count >= 3 * KNOWN_COUNT) { /* programs that make many types begin anew */
    for (unsigned i = 0; i < KNOWN_COUNT; ++i) Py_CLEAR(known[i].type);
    known_count = 0;
    place = (unsigned)((uintptr_t)type >> 4) % KNOWN_COUNT;
  }
  Known entry;
  if (!remember(object, &entry)) return NULL;
  if (entry.how == READ_NONE && entry.source) { /* another object of the type may be an array */
    Py_DECREF(type);
    return &none;
  }
  while (known[place].type) place = (place + 1) % KNOWN_COUNT; /* the helper may have added some */
  known[place] = entry;
  ++known_count;
  return &known[place];
}

/* NumPy ---------------------------------------------------------------------------------------- */

typedef struct NumpyType {
  PyObject_HEAD PyTypeObject *scalar;
  char kind, type, byte_order, flags;
  int number;
} NumpyType;

typedef struct NumpyArray {
  PyObject_HEAD char *data;
  int rank;
  Py_ssize_t *extents, *strides; /* bytes */
  PyObject *base;
  NumpyType *dtype;
  int flags;
} NumpyArray;

enum {
  NUMPY_DENSE = 1,
  NUMPY_DENSE_FORTRAN = 2,
  NUMPY_ALIGNED = 0x100,
  NUMPY_WRITEABLE = 0x400,
  NUMPY_VOID = 20
};

static const struct {
  uint8_t code, bits; /* bits 0: no type of ours */
} numpy_types[] = {
    {DL_BOOL, 8},   {DL_INT, 8},  {DL_UINT, 8},     {DL_INT, 16},
    {DL_UINT, 16},  {DL_INT, 32}, {DL_UINT, 32},    {DL_INT, 64},
    {DL_UINT, 64},  {DL_INT, 64}, {DL_UINT, 64},    {DL_FLOAT, 32},
    {DL_FLOAT, 64}, {0, 0},       {DL_COMPLEX, 64}, {DL_COMPLEX, 128},
    {0, 0},         {0, 0},       {0, 0},           {0, 0},
    {0, 0},         {0, 0},       {0, 0},           {DL_FLOAT, 16},
};

/* Types that are looked up by the helper: structs, and those that other packages add. */
static int numpy_other_type(PyObject *dtype, Given *out)
{
  int code, bits, lanes;
  PyObject *layout;
  PyObject *answer = helper_call("numpy_type", "(O)", dtype);
  if (!answer) return -1;
  int ok = PyArg_ParseTuple(answer, "iiiO", &code, &bits, &lanes, &layout);
  if (ok) {
    out->tensor.code = (uint8_t)code;
    out->tensor.bits = (uint8_t)bits;
    out->tensor.lanes = (uint16_t)lanes;
    out->layout = layout == Py_None ? NULL : layout; /* lives in the helper's table */
  }
  Py_DECREF(answer);
  return ok ? 1 : -1;
}

/* Converts strides from bytes to elements. */
static int set_strides(Given *out, int rank, const Py_ssize_t *strides, size_t element)
{
  for (int i = 0; i < rank; ++i) {
    if (strides[i] % (Py_ssize_t)element) {
      if (out->tensor.extents[i] == 1) {
        out->strides[i] = 1;
        continue;
      }
      fail_text("argument", NULL,
                "axis %d of the array has a stride of %zd bytes, which is no whole number of "
                "elements of %zu bytes: pass a contiguous copy",
                i, strides[i], element);
      return -1;
    }
    out->strides[i] = strides[i] / (Py_ssize_t)element;
  }
  out->tensor.strides = out->strides;
  return 0;
}

static size_t element_bytes(const Tensor *tensor)
{
  return (size_t)(tensor->bits / 8) * tensor->lanes;
}

static size_t count_bytes(const Tensor *tensor)
{
  size_t bytes = element_bytes(tensor);
  for (int i = 0; i < tensor->rank; ++i) bytes *= (size_t)tensor->extents[i];
  return bytes;
}

/* The element type of a dtype. */
static int read_dtype(const NumpyType *dtype, Given *out)
{
  int number = dtype->number;
  if (number < 0 || number >= (int)(sizeof numpy_types / sizeof *numpy_types) ||
      !numpy_types[number].bits || dtype->byte_order == '>')
    return numpy_other_type((PyObject *)dtype, out);
  out->tensor.code = numpy_types[number].code;
  out->tensor.bits = numpy_types[number].bits;
  return 1;
}

static int refuse_rank(Py_ssize_t rank)
{
  fail_text("argument", NULL, "the array has %d axes, at most %d can be passed", (int)rank,
            CK_MAX_RANK);
  return -1;
}

static int read_numpy(PyObject *object, Given *out)
{
  const NumpyArray *array = (const NumpyArray *)object;
  Tensor *tensor = &out->tensor;
  *tensor = (Tensor){.data = array->data,
                     .device_type = DL_CPU,
                     .rank = array->rank,
                     .lanes = 1,
                     .extents = (int64_t *)array->extents};
  out->source = SOURCE_HOST;
  out->flags = array->flags & NUMPY_WRITEABLE ? 0 : CK_VIEW_READ_ONLY;
  out->layout = NULL;
  if (read_dtype(array->dtype, out) < 0) return -1;
  if (array->rank > CK_MAX_RANK) return refuse_rank(array->rank);
  if (!(array->flags & NUMPY_DENSE) &&
      set_strides(out, array->rank, array->strides, element_bytes(tensor)) < 0)
    return -1;
  out->bytes = count_bytes(tensor);
  return 1;
}

bool numpy_dense(PyObject *object, PyObject **dtype, uint64_t *address, uint64_t *count,
                 bool is_written)
{
  const NumpyArray *array = (const NumpyArray *)object;
  if (!numpy_is_known || !(array->flags & (NUMPY_DENSE | NUMPY_DENSE_FORTRAN))) return false;
  if (is_written && !(array->flags & NUMPY_WRITEABLE)) return false;
  *dtype = (PyObject *)array->dtype;
  *address = (uint64_t)(uintptr_t)array->data;
  *count = 1;
  for (int i = 0; i < array->rank; ++i) *count *= (uint64_t)array->extents[i];
  return true;
}

/* set_numpy(ndarray, bool_, array, address): the array has shape (2, 3), type int16 and a stride of
 * 8 and 2 bytes; it shows whether the fields are where we look. */
static PyObject *set_numpy(PyObject *unused, PyObject *args)
{
  PyObject *type, *boolean, *array;
  Py_ssize_t address;
  (void)unused;
  if (!PyArg_ParseTuple(args, "OOOn", &type, &boolean, &array, &address)) return NULL;
  Py_INCREF(boolean);
  Py_XDECREF((PyObject *)numpy_bool);
  numpy_bool = (PyTypeObject *)boolean;
  const NumpyArray *probe = (const NumpyArray *)array;
  numpy_is_known = probe->data == (char *)address && probe->rank == 2 && probe->extents[0] == 2 &&
                   probe->extents[1] == 3 && probe->strides[0] == 8 && probe->strides[1] == 2 &&
                   probe->dtype->kind == 'i' && probe->dtype->number == 3 &&
                   !(probe->flags & NUMPY_DENSE) && probe->flags & NUMPY_WRITEABLE;
  Py_INCREF(type);
  Py_XDECREF((PyObject *)numpy_array);
  numpy_array = (PyTypeObject *)type;
  return PyBool_FromLong(numpy_is_known);
}

/* CuPy ----------------------------------------------------------------------------------------- */

static PyObject *name_data, *name_ptr, *name_device, *name_dtype, *name_shape, *name_strides,
    *name_dense;

static long long attribute_number(PyObject *object, PyObject *name)
{
  PyObject *value = PyObject_GetAttr(object, name);
  long long number = value ? (long long)PyLong_AsUnsignedLongLongMask(value) : -1;
  Py_XDECREF(value);
  return number;
}

/* The numbers of a tuple that is an attribute: how many, -1 with an exception. */
static Py_ssize_t attribute_numbers(PyObject *object, PyObject *name, int64_t *out)
{
  PyObject *tuple = PyObject_GetAttr(object, name);
  Py_ssize_t count = tuple ? PyTuple_Size(tuple) : -1;
  if (count > CK_MAX_RANK) count = refuse_rank(count);
  for (Py_ssize_t i = 0; i < count; ++i) out[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
  Py_XDECREF(tuple);
  return PyErr_Occurred() ? -1 : count;
}

/* DLPack's protocol takes some microseconds of CuPy, its attributes a fraction of one. */
static int read_cupy(PyObject *object, Given *out)
{
  PyObject *data = PyObject_GetAttr(object, name_data);
  if (!data) return -1;
  out->tensor = (Tensor){.data = (void *)(uintptr_t)attribute_number(data, name_ptr),
                         .device_type = DL_CUDA,
                         .device_id = (int32_t)attribute_number(data, name_device),
                         .lanes = 1,
                         .extents = out->extents};
  Py_DECREF(data);
  out->source = SOURCE_CUPY;
  out->flags = 0;
  out->layout = NULL;
  PyObject *dtype = PyErr_Occurred() ? NULL : PyObject_GetAttr(object, name_dtype);
  int found = dtype ? read_dtype((const NumpyType *)dtype, out) : -1;
  Py_XDECREF(dtype);
  Py_ssize_t rank = found < 0 ? -1 : attribute_numbers(object, name_shape, out->extents);
  if (rank < 0) return -1;
  out->tensor.rank = (int32_t)rank;
  if (!attribute_number(object, name_dense)) {
    int64_t bytes[CK_MAX_RANK];
    Py_ssize_t strides[CK_MAX_RANK];
    if (attribute_numbers(object, name_strides, bytes) != rank) return -1;
    for (Py_ssize_t i = 0; i < rank; ++i) strides[i] = (Py_ssize_t)bytes[i];
    if (set_strides(out, (int)rank, strides, element_bytes(&out->tensor)) < 0) return -1;
  }
  out->bytes = count_bytes(&out->tensor);
  return PyErr_Occurred() ? -1 : 1;
}

/* dictionaries --------------------------------------------------------------------------------- */

/* The helper has read the dictionary: (data, read_only, shape, strides or None, code, bits, lanes,
 * layout, stream or None, pinned or managed). */
static int read_dictionary(PyObject *object, Given *out, bool is_cuda)
{
  PyObject *shape, *strides, *layout, *stream;
  unsigned long long data;
  int is_read_only, code, bits, lanes, kind, ordinal;
  PyObject *answer = helper_call(is_cuda ? "read_cuda" : "read_host", "(O)", object);
  if (!answer) return -1;
  out->held = answer; /* lends the layout, and the object that has the memory */
  PyObject *owner;
  if (!PyArg_ParseTuple(answer, "KpOOiiiOOiiO", &data, &is_read_only, &shape, &strides, &code,
                        &bits, &lanes, &layout, &stream, &kind, &ordinal, &owner))
    return -1;
  Py_ssize_t rank = PyTuple_Size(shape);
  if (rank < 0) return -1;
  if (rank > CK_MAX_RANK) return refuse_rank(rank);
  out->tensor = (Tensor){.data = (void *)(uintptr_t)data,
                         .device_type = kind,
                         .device_id = ordinal,
                         .rank = (int32_t)rank,
                         .code = (uint8_t)code,
                         .bits = (uint8_t)bits,
                         .lanes = (uint16_t)lanes,
                         .extents = out->extents};
  Py_ssize_t bytes[CK_MAX_RANK];
  for (Py_ssize_t i = 0; i < rank; ++i) {
    out->extents[i] = PyLong_AsLongLong(PyTuple_GetItem(shape, i));
    bytes[i] = strides == Py_None ? 0 : PyLong_AsSsize_t(PyTuple_GetItem(strides, i));
  }
  if (PyErr_Occurred()) return -1;
  if (strides != Py_None && set_strides(out, (int)rank, bytes, element_bytes(&out->tensor)) < 0)
    return -1;
  out->source = is_cuda ? SOURCE_OTHER : SOURCE_HOST;
  out->flags = is_read_only ? CK_VIEW_READ_ONLY : 0;
  out->layout = layout == Py_None ? NULL : layout;
  out->producer_stream = stream == Py_None ? NULL : PyLong_AsVoidPtr(stream);
  out->bytes = count_bytes(&out->tensor);
  return PyErr_Occurred() ? -1 : 1;
}

/* DLPack --------------------------------------------------------------------------------------- */

static int read_exchange(PyObject *object, Given *out, const Known *how)
{
  out->tensor.data = NULL;
  if (how->exchange->tensor_of_object(object, &out->tensor) != 0) return -1;
  out->source = SOURCE_EXCHANGE;
  out->exchange = how->exchange;
  out->flags = 0;
  out->layout = NULL;
  out->bytes = count_bytes(&out->tensor);
  return 1;
}

/* Calls __dlpack__ with the newest version that it knows. */
static PyObject *call_dlpack(PyObject *object, Known *how, long long consumer)
{
  PyObject *answer = helper_call("call_dlpack", "(OiLi)", object, how->source,
                                 consumer ? consumer : 1LL, (int)how->is_old);
  PyObject *capsule;
  int is_old;
  if (!answer) return NULL;
  if (!PyArg_ParseTuple(answer, "Oi", &capsule, &is_old)) {
    Py_DECREF(answer);
    return NULL;
  }
  how->is_old = is_old;
  Py_INCREF(capsule);
  Py_DECREF(answer);
  return capsule;
}

static int read_dlpack(PyObject *object, Given *out, Known *how, long long consumer)
{
  PyObject *capsule = call_dlpack(object, how, consumer);
  if (!capsule) return -1;
  out->held = capsule;
  /* JAX's arrays never change, which its capsules, of DLPack before version 1, can't say. */
  out->source = how->source == SOURCE_JAX ? SOURCE_OTHER : how->source;
  out->flags = how->source == SOURCE_JAX ? CK_VIEW_READ_ONLY : 0;
  out->layout = NULL;
  if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    const ManagedVersioned *managed = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    if (managed->major != 1) {
      fail_text("argument", NULL, "DLPack's version is %u.%u, not 1", managed->major,
                managed->minor);
      return -1;
    }
    out->tensor = managed->tensor;
    if (managed->flags & 1) out->flags = CK_VIEW_READ_ONLY;
  } else {
    const Managed *managed = PyCapsule_GetPointer(capsule, "dltensor");
    if (!managed) return -1;
    out->tensor = managed->tensor;
  }
  if (out->tensor.device_type == DL_CPU) out->source = SOURCE_HOST;
  out->bytes = count_bytes(&out->tensor);
  return 1;
}

/* -------------------------------------------------------------------------------------------- */

static int read_own(PyObject *object, Given *out)
{
  const Array *array = (const Array *)object;
  if (!array->tensor.extents) {
    fail_text("argument", NULL, "the array is closed, and its memory freed: use it before close()");
    return -1;
  }
  out->tensor = array->tensor;
  out->flags = array->flags;
  out->source = array->source;
  out->exchange = array->exchange;
  out->bytes = array->bytes;
  out->layout = array->layout;
  return 1;
}

int given_read(PyObject *object, Given *out, long long consumer)
{
  PyTypeObject *type = Py_TYPE(object);
  out->held = NULL;
  out->producer_stream = NULL;
  out->exchange = NULL;
  if (type == numpy_array && numpy_is_known) return read_numpy(object, out);
  if (type == array_type) return read_own(object, out);
  if (type == &PyLong_Type || type == &PyFloat_Type || type == &PyBool_Type) return 0;
  Known *how = look_up(object);
  if (!how) return -1;
  int result = 0;
  switch (how->how) {
  case READ_NONE: return 0;
  case READ_ARRAY: return read_own(object, out);
  case READ_NUMPY: return read_numpy(object, out);
  case READ_CUPY: return read_cupy(object, out);
  case READ_EXCHANGE: result = read_exchange(object, out, how); break;
  case READ_DLPACK: result = read_dlpack(object, out, how, consumer); break;
  case READ_CUDA: result = read_dictionary(object, out, true); break;
  default: result = read_dictionary(object, out, false); break;
  }
  if (result < 0) given_drop(out);
  return result;
}

void given_drop(Given *given)
{
  Py_CLEAR(given->held);
}

int given_stream(const Given *given, void **out_native)
{
  *out_native = NULL;
  if (given->tensor.device_type == DL_CPU) return 0;
  if (given->producer_stream) {
    *out_native = given->producer_stream;
    return 1;
  }
  if (given->source == SOURCE_EXCHANGE) {
    const Exchange *exchange = given->exchange;
    if (given->tensor.device_type != DL_CUDA || !exchange || !exchange->current_stream) return 0;
    return exchange->current_stream(given->tensor.device_type, given->tensor.device_id,
                                    out_native) == 0
               ? 1
               : -1;
  }
  if (given->source != SOURCE_TORCH && given->source != SOURCE_CUPY) return 0;
  PyObject *handle =
      helper_call("current_stream", "(ii)", given->source, (int)given->tensor.device_id);
  if (!handle) return -1;
  *out_native = PyLong_AsVoidPtr(handle);
  Py_DECREF(handle);
  return PyErr_Occurred() ? -1 : 1;
}

/* our own arrays ------------------------------------------------------------------------------- */

static Array *array_new(const Tensor *tensor)
{
  Array *self = PyObject_New(Array, array_type);
  if (!self) return NULL;
  self->tensor = *tensor;
  for (int i = 0; i < tensor->rank; ++i) {
    self->extents[i] = tensor->extents[i];
    if (tensor->strides) self->strides[i] = tensor->strides[i];
  }
  self->tensor.extents = self->extents;
  if (tensor->strides) self->tensor.strides = self->strides;
  self->flags = 0;
  self->source = SOURCE_OWN;
  self->exchange = NULL;
  self->bytes = count_bytes(&self->tensor);
  self->buffer = NULL;
  self->stream = NULL;
  self->owner = NULL;
  self->layout = NULL;
  return self;
}

void array_set_stream(Array *array, StreamState *stream)
{
  if (array->stream == stream) return;
  StreamState *old = array->stream;
  if (stream) stream_retain(stream);
  array->stream = stream;
  stream_release(old);
}

PyObject *array_make(Device *device, StreamState *stream, uint8_t code, uint8_t bits,
                     uint16_t lanes, int rank, const int64_t *extents, PyObject *layout)
{
  Tensor tensor = {.device_type = device->slot == SLOT_HOST ? DL_CPU : DL_CUDA,
                   .device_id = device->slot == SLOT_HOST ? 0 : device->slot - 1,
                   .rank = rank,
                   .code = code,
                   .bits = bits,
                   .lanes = lanes,
                   .extents = (int64_t *)extents};
  Array *self = array_new(&tensor);
  if (!self) return NULL;
  ck_status_t status =
      ck_buffer_create(device->device, self->bytes, stream ? stream->stream : NULL, &self->buffer);
  if (status != CK_OK) {
    self->buffer = NULL;
    Py_DECREF(self);
    return fail(status, NULL);
  }
  self->tensor.data = (void *)(uintptr_t)ck_buffer_native(self->buffer);
  array_set_stream(self, stream);
  Py_XINCREF(layout);
  self->layout = layout;
  return (PyObject *)self;
}

static void array_dealloc(PyObject *self)
{
  Array *array = (Array *)self;
  PyTypeObject *type = Py_TYPE(self);
  ck_buffer_release(array->buffer);
  array_set_stream(array, NULL);
  Py_XDECREF(array->owner);
  Py_XDECREF(array->layout);
  PyObject_Free(self);
  Py_DECREF(type);
}

/* view(object): an array that refers to the memory of another one. */
static PyObject *array_view(PyObject *unused, PyObject *object)
{
  Given given;
  (void)unused;
  int found = given_read(object, &given, 1);
  if (found < 0) return NULL;
  if (!found)
    return fail_text("type", NULL,
                     "a view is made of an array of NumPy, CuPy, PyTorch or another "
                     "library with DLPack; this is none");
  Array *self = array_new(&given.tensor);
  if (self) {
    self->flags = given.flags;
    self->source = given.source;
    self->exchange = given.exchange;
    self->owner = given.held ? given.held : object;
    Py_INCREF(self->owner);
    Py_XINCREF(given.layout);
    self->layout = given.layout;
  }
  given_drop(&given);
  return (PyObject *)self;
}

/* empty(device, stream or None, code, bits, lanes, shape, layout or None) */
static PyObject *array_empty(PyObject *unused, PyObject *args)
{
  PyObject *device_given, *stream_given, *shape, *layout;
  int code, bits, lanes;
  int64_t extents[CK_MAX_RANK];
  (void)unused;
  if (!PyArg_ParseTuple(args, "OOiiiOO", &device_given, &stream_given, &code, &bits, &lanes, &shape,
                        &layout))
    return NULL;
  Device *device = device_of(device_given);
  if (!device) return NULL;
  StreamState *stream =
      stream_given == Py_None ? stream_current() : stream_of(stream_given, device);
  if (!stream && PyErr_Occurred()) return NULL;
  if (stream && stream->device != device) stream = NULL;
  if (!stream) stream = stream_default(device);
  Py_ssize_t rank = stream ? PyTuple_Size(shape) : -1;
  if (rank < 0) return NULL;
  if (rank > CK_MAX_RANK)
    return fail_text("argument", NULL, "shape: %d axes are given, at most %d are possible",
                     (int)rank, CK_MAX_RANK);
  size_t bytes = (size_t)bits / 8 * (size_t)lanes;
  for (Py_ssize_t i = 0; i < rank; ++i) {
    extents[i] = PyLong_AsLongLong(PyTuple_GetItem(shape, i));
    if (extents[i] == -1 && PyErr_Occurred()) return NULL;
    if (extents[i] < 0 || __builtin_mul_overflow(bytes, (size_t)extents[i], &bytes))
      return fail_text("argument", NULL,
                       "shape: axis %d has an extent of %lld: it is too large, or negative", (int)i,
                       (long long)extents[i]);
  }
  return array_make(device, stream, (uint8_t)code, (uint8_t)bits, (uint16_t)lanes, (int)rank,
                    extents, layout == Py_None ? NULL : layout);
}

/* transfer(array, host address, stream or None, to_host): a copy of all bytes, which is waited for.
 * */
static PyObject *array_transfer(PyObject *unused, PyObject *args)
{
  PyObject *object, *stream_given;
  unsigned long long host;
  int to_host;
  (void)unused;
  if (!PyArg_ParseTuple(args, "OKOp", &object, &host, &stream_given, &to_host)) return NULL;
  if (Py_TYPE(object) != array_type) return PyErr_Format(PyExc_TypeError, "an Array is expected");
  Array *array = (Array *)object;
  if (!array->tensor.extents)
    return fail_text("argument", NULL, "the array is closed, and its memory freed");
  Device *device = device_by_slot(array->tensor.device_type == DL_CUDA ? array->tensor.device_id + 1
                                                                       : SLOT_HOST);
  if (!device) return NULL;
  StreamState *stream = NULL;
  if (stream_given != Py_None) {
    stream = stream_of(stream_given, device);
    if (!stream) return NULL;
  } else {
    stream = array->stream ? array->stream : stream_current();
    if (!stream || stream->device != device) stream = stream_default(device);
    if (!stream) return NULL;
  }
  if (array->stream && array->stream != stream) { /* what was written there comes first */
    ck_status_t ordered = ck_stream_wait_stream(stream->stream, array->stream->stream);
    if (ordered != CK_OK) return fail(ordered, NULL);
  }
  if (!array->bytes) Py_RETURN_NONE;
  ck_buffer_t *buffer;
  ck_status_t status = ck_buffer_from_native(
      device->device, (uint64_t)(uintptr_t)array->tensor.data + array->tensor.byte_offset,
      array->bytes, NULL, NULL, &buffer);
  if (status != CK_OK) return fail(status, NULL);
  if (to_host)
    status = ck_buffer_read(buffer, 0, (void *)(uintptr_t)host, array->bytes, stream->stream);
  else
    status =
        ck_buffer_write(buffer, 0, (const void *)(uintptr_t)host, array->bytes, stream->stream);
  if (status == CK_OK) status = stream_sync(stream);
  ck_buffer_release(buffer);
  if (status != CK_OK) return fail(status, NULL);
  Py_RETURN_NONE;
}

/* fields --------------------------------------------------------------------------------------- */

static PyObject *tuple_of(const int64_t *numbers, int count)
{
  PyObject *tuple = PyTuple_New(count);
  for (int i = 0; tuple && i < count; ++i) {
    PyObject *number = PyLong_FromLongLong(numbers[i]);
    if (!number || PyTuple_SetItem(tuple, i, number) < 0) Py_CLEAR(tuple);
  }
  return tuple;
}

static PyObject *array_shape(PyObject *self, void *unused)
{
  (void)unused;
  return tuple_of(((Array *)self)->extents, ((Array *)self)->tensor.rank);
}

static PyObject *array_strides(PyObject *self, void *unused)
{
  const Array *array = (const Array *)self;
  int64_t strides[CK_MAX_RANK], dense = 1;
  (void)unused;
  for (int i = array->tensor.rank - 1; i >= 0; --i) {
    strides[i] = array->tensor.strides ? array->strides[i] : dense;
    dense *= array->extents[i];
  }
  return tuple_of(strides, array->tensor.rank);
}

static PyObject *array_ndim(PyObject *self, void *unused)
{
  (void)unused;
  return PyLong_FromLong(((Array *)self)->tensor.rank);
}
static PyObject *array_nbytes(PyObject *self, void *unused)
{
  (void)unused;
  return PyLong_FromSize_t(((Array *)self)->bytes);
}
static PyObject *array_ptr(PyObject *self, void *unused)
{
  const Tensor *tensor = &((Array *)self)->tensor;
  (void)unused;
  return PyLong_FromVoidPtr(tensor->data ? (char *)tensor->data + tensor->byte_offset : NULL);
}
static PyObject *array_read_only(PyObject *self, void *unused)
{
  (void)unused;
  return PyBool_FromLong(((Array *)self)->flags & CK_VIEW_READ_ONLY);
}
static PyObject *array_get_device(PyObject *self, void *unused)
{
  const Tensor *tensor = &((Array *)self)->tensor;
  (void)unused;
  PyObject *device = (PyObject *)device_by_slot(
      tensor->device_type == DL_CUDA ? tensor->device_id + 1 : SLOT_HOST);
  Py_XINCREF(device);
  return device;
}
/* (code, bits, lanes, layout, is dense) */
static PyObject *array_type_parts(PyObject *self, void *unused)
{
  const Array *array = (const Array *)self;
  (void)unused;
  return Py_BuildValue("(iiiOi)", array->tensor.code, array->tensor.bits, array->tensor.lanes,
                       array->layout ? array->layout : Py_None, !array->tensor.strides);
}
static PyObject *array_owner(PyObject *self, void *unused)
{
  PyObject *owner = ((Array *)self)->owner;
  (void)unused;
  if (!owner) owner = Py_None;
  Py_INCREF(owner);
  return owner;
}
static PyObject *array_get_stream(PyObject *self, void *unused)
{
  StreamState *stream = ((Array *)self)->stream;
  (void)unused;
  if (stream) return stream_object(stream);
  Py_RETURN_NONE;
}
static PyObject *array_by_helper(PyObject *self, void *name)
{
  return helper_call(name, "(O)", self);
}

/* DLPack out ----------------------------------------------------------------------------------- */

static void drop(void *memory, void *context)
{
  PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF((PyObject *)context);
  PyMem_Free(memory);
  PyGILState_Release(state);
}
static void delete_plain(Managed *self)
{
  drop(self, self->context);
}
static void delete_versioned(ManagedVersioned *self)
{
  drop(self, self->context);
}
static void capsule_plain(PyObject *capsule)
{
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;
  Managed *managed = PyCapsule_GetPointer(capsule, "dltensor");
  managed->deleter(managed);
}
static void capsule_versioned(PyObject *capsule)
{
  if (!PyCapsule_IsValid(capsule, "dltensor_versioned")) return;
  ManagedVersioned *managed = PyCapsule_GetPointer(capsule, "dltensor_versioned");
  managed->deleter(managed);
}

static PyObject *array_to_dlpack(PyObject *self, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
  PyObject *stream = Py_None, *version = Py_None, *place = Py_None, *copy = Py_None, *capsule;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO:__dlpack__", names, &stream, &version,
                                   &place, &copy))
    return NULL;
  Array *array = (Array *)self;
  if (!array->tensor.extents) return PyErr_Format(PyExc_BufferError, "the array is closed");
  PyObject *ready = helper_call("before_export", "(OOOO)", self, stream, place, copy);
  if (!ready) return NULL;
  Py_DECREF(ready);
  if (version == Py_None && array->flags & CK_VIEW_READ_ONLY)
    return PyErr_Format(PyExc_BufferError, "the array is read-only, which DLPack can say since "
                                           "version 1: pass max_version=(1, 0)");
  void *memory = PyMem_Malloc(sizeof(ManagedVersioned));
  if (!memory) return PyErr_NoMemory();
  if (version != Py_None) {
    ManagedVersioned *managed = memory;
    *managed = (ManagedVersioned){.major = 1,
                                  .context = self,
                                  .deleter = delete_versioned,
                                  .flags = array->flags & CK_VIEW_READ_ONLY ? 1 : 0,
                                  .tensor = array->tensor};
    if (!managed->tensor.strides) managed->tensor.strides = array->strides;
    capsule = PyCapsule_New(managed, "dltensor_versioned", capsule_versioned);
  } else {
    Managed *managed = memory;
    *managed = (Managed){array->tensor, self, delete_plain};
    if (!managed->tensor.strides) managed->tensor.strides = array->strides;
    capsule = PyCapsule_New(managed, "dltensor", capsule_plain);
  }
  if (!array->tensor.strides) { /* version 1.2 wants strides */
    int64_t dense = 1;
    for (int i = array->tensor.rank - 1; i >= 0; --i) {
      array->strides[i] = dense;
      dense *= array->extents[i];
    }
  }
  if (!capsule) {
    PyMem_Free(memory);
    return NULL;
  }
  Py_INCREF(self);
  return capsule;
}

static PyObject *array_dlpack_device(PyObject *self, PyObject *unused)
{
  const Tensor *tensor = &((Array *)self)->tensor;
  (void)unused;
  return Py_BuildValue("(ii)", tensor->device_type, tensor->device_id);
}

static Py_ssize_t array_length(PyObject *self)
{
  const Array *array = (const Array *)self;
  if (array->tensor.rank) return (Py_ssize_t)array->extents[0];
  PyErr_Format(PyExc_TypeError, "an array without axes has no length");
  return -1;
}

/* Frees the memory in stream order, or gives up the array that this one shows. */
static PyObject *array_close(PyObject *self, PyObject *unused)
{
  Array *array = (Array *)self;
  (void)unused;
  if (array->buffer) ck_buffer_release(array->buffer);
  array->buffer = NULL;
  array->tensor = (Tensor){.device_type = array->tensor.device_type,
                           .device_id = array->tensor.device_id,
                           .code = array->tensor.code,
                           .bits = array->tensor.bits,
                           .lanes = array->tensor.lanes};
  array->bytes = 0;
  array_set_stream(array, NULL);
  Py_CLEAR(array->owner);
  Py_RETURN_NONE;
}

static PyObject *array_item(PyObject *self, PyObject *unused)
{
  (void)unused;
  return helper_call("array_item", "(O)", self);
}
static PyObject *array_numpy(PyObject *self, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"stream", NULL};
  PyObject *stream = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:numpy", names, &stream)) return NULL;
  return helper_call("array_numpy", "(OO)", self, stream);
}
static PyObject *array_copy_from(PyObject *self, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"source", "stream", NULL};
  PyObject *source, *stream = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:copy_from", names, &source, &stream))
    return NULL;
  return helper_call("array_copy_from", "(OOO)", self, source, stream);
}
static PyObject *number_of(PyObject *self, PyObject *(*convert)(PyObject *))
{
  PyObject *item = helper_call("array_item", "(O)", self);
  PyObject *number = item ? convert(item) : NULL;
  Py_XDECREF(item);
  return number;
}
static PyObject *array_float(PyObject *self)
{
  return number_of(self, PyNumber_Float);
}
static PyObject *array_int(PyObject *self)
{
  return number_of(self, PyNumber_Long);
}
static PyObject *array_index(PyObject *self)
{
  return number_of(self, PyNumber_Index);
}
static int array_bool(PyObject *self)
{
  PyObject *item = helper_call("array_item", "(O)", self);
  int answer = item ? PyObject_IsTrue(item) : -1;
  Py_XDECREF(item);
  return answer;
}
static PyObject *array_repr(PyObject *self)
{
  return helper_call("array_repr", "(O)", self);
}

static PyGetSetDef array_fields[] = {
    {"shape", array_shape, NULL, "The extents.", NULL},
    {"strides", array_strides, NULL, "The strides, in elements.", NULL},
    {"ndim", array_ndim, NULL, "The number of axes.", NULL},
    {"size", array_by_helper, NULL, "The number of elements.", "array_size"},
    {"nbytes", array_nbytes, NULL, "The bytes of all elements.", NULL},
    {"ptr", array_ptr, NULL, "The address of the first element.", NULL},
    {"readonly", array_read_only, NULL, "Whether a kernel that writes refuses it.", NULL},
    {"device", array_get_device, NULL, "Where the memory is.", NULL},
    {"stream", array_get_stream, NULL, "The stream of the last launch that used it, or None.",
     NULL},
    {"owner", array_owner, NULL, "The array of another library that this one shows, or None.",
     NULL},
    {"dtype", array_by_helper, NULL, "NumPy's dtype of the elements; of bf16, uint16.",
     "array_dtype"},
    {"_type", array_type_parts, NULL, NULL, NULL},
    {"__cuda_array_interface__", array_by_helper, NULL, NULL, "array_cuda_interface"},
    {"__array_interface__", array_by_helper, NULL, NULL, "array_host_interface"},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef array_methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))array_to_dlpack, METH_VARARGS | METH_KEYWORDS,
     NULL},
    {"__dlpack_device__", array_dlpack_device, METH_NOARGS, NULL},
    {"numpy", (PyCFunction)(void (*)(void))array_numpy, METH_VARARGS | METH_KEYWORDS,
     "numpy(stream=None): a copy as NumPy's array, behind the work in the stream."},
    {"copy_from", (PyCFunction)(void (*)(void))array_copy_from, METH_VARARGS | METH_KEYWORDS,
     "copy_from(source, stream=None): copies NumPy's array of the same shape and dtype into it."},
    {"close", array_close, METH_NOARGS,
     "Frees the memory behind the work in its stream; launches refuse the array from then on."},
    {"item", array_item, METH_NOARGS, "The only element, as a Python number."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot array_slots[] = {
    {Py_tp_doc, "An array of the device, or a view of another library's array. It goes to other "
                "libraries by DLPack, by __cuda_array_interface__ and, of the host, by NumPy's "
                "interface; made by cokernel.empty, zeros, asarray and view."},
    {Py_tp_dealloc, array_dealloc},
    {Py_tp_repr, array_repr},
    {Py_tp_getset, array_fields},
    {Py_tp_methods, array_methods},
    {Py_sq_length, array_length},
    {Py_nb_float, array_float},
    {Py_nb_int, array_int},
    {Py_nb_index, array_index},
    {Py_nb_bool, array_bool},
    {0, NULL}};
static PyType_Spec array_spec = {"cokernel.Array", sizeof(Array), 0, Py_TPFLAGS_DEFAULT,
                                 array_slots};

/* Raw(address, count, slot) */
static PyObject *raw_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  unsigned long long address, count;
  int slot;
  (void)keywords;
  if (!PyArg_ParseTuple(args, "KKi:Raw", &address, &count, &slot)) return NULL;
  Raw *self = PyObject_New(Raw, type);
  if (!self) return NULL;
  self->address = address;
  self->count = count;
  self->slot = slot;
  return (PyObject *)self;
}
static void raw_dealloc(PyObject *self)
{
  PyTypeObject *type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}
static PyMemberDef raw_members[] = {
    {"address", T_ULONGLONG, offsetof(Raw, address), 0, "The device address."},
    {"count", T_ULONGLONG, offsetof(Raw, count), 0, "The number of elements."},
    {"slot", T_INT, offsetof(Raw, slot), READONLY, "Of the device."},
    {NULL, 0, 0, 0, NULL}};
static PyType_Slot raw_slots[] = {
    {Py_tp_doc, "Raw(address, count, slot): elements whose type the caller has checked, and whose "
                "memory it keeps alive; slot is 0 for the host device, 1 + the ordinal of a GPU."},
    {Py_tp_new, raw_new},
    {Py_tp_dealloc, raw_dealloc},
    {Py_tp_members, raw_members},
    {0, NULL}};
static PyType_Spec raw_spec = {"cokernel._core.Raw", sizeof(Raw), 0, Py_TPFLAGS_DEFAULT, raw_slots};
PyTypeObject *raw_type;

/* The slot of the GPU whose context is current on this thread. */
static PyObject *current_slot(PyObject *unused, PyObject *nothing)
{
  ck_device_t *device;
  (void)unused;
  (void)nothing;
  ck_status_t status = ck_device_open_current(&device);
  if (status != CK_OK) return fail(status, NULL);
  int ordinal = ck_device_ordinal(device);
  ck_device_release(device);
  return PyLong_FromLong(ordinal + 1);
}

static PyMethodDef functions[] = {
    {"current_slot", current_slot, METH_NOARGS, "For the package alone."},
    {"set_numpy", set_numpy, METH_VARARGS, "For the package alone."},
    {"view", array_view, METH_O,
     "view(array): the array with all that a launch asks of it read once. Launches with views are "
     "the quickest; the view keeps the array alive."},
    {"empty", array_empty, METH_VARARGS, "For the package alone."},
    {"transfer", array_transfer, METH_VARARGS, "For the package alone."},
    {NULL, NULL, 0, NULL}};

int array_add(PyObject *module)
{
  static const struct {
    PyObject **name;
    const char *text;
  } names[] = {{&name_data, "data"},          {&name_ptr, "ptr"},     {&name_device, "device_id"},
               {&name_dtype, "dtype"},        {&name_shape, "shape"}, {&name_strides, "strides"},
               {&name_dense, "_c_contiguous"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!(*names[i].name = PyUnicode_InternFromString(names[i].text))) return -1;
  array_type = (PyTypeObject *)PyType_FromSpec(&array_spec);
  if (!array_type || PyModule_AddObjectRef(module, "Array", (PyObject *)array_type) < 0) return -1;
  raw_type = (PyTypeObject *)PyType_FromSpec(&raw_spec);
  if (!raw_type || PyModule_AddObjectRef(module, "Raw", (PyObject *)raw_type) < 0) return -1;
  return PyModule_AddFunctions(module, functions);
}
