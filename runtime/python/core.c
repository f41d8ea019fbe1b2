/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* core.c - the extension module `cokernel._core`: errors, devices, streams and events.
 *
 * Devices are opened once and live as long as the process. A stream's state is shared by its Python
 * object, by the table of other libraries' streams, and by launches; it keeps the Python objects
 * that work in the stream uses:
 *
 *   kept:  [ x, y, z, x, y, z | x, y, z ]
 *                             ^ marked: an event is recorded here
 *
 * When the event is done, what stands before it is dropped, and a new event is recorded behind the
 * next launches. So a launch costs a few stores, and an event for every 32 of them, or for every 64
 * MB of arrays. A wait for the stream drops everything.
 */
#include "core.h"

#include <stdarg.h>
#include <string.h>

PyTypeObject *device_type, *stream_type, *event_type;
PyObject *helpers;

enum { FOREIGN_MAX = 64, CURRENT_MAX = 32 };

static Device *devices[SLOT_COUNT];
static Device *automatic;
static StreamState *foreign[FOREIGN_MAX]; /* the most recently used first */
static void note_fault(void);

/* errors --------------------------------------------------------------------------------------- */

PyObject *helper_call(const char *name, const char *format, ...)
{
  PyObject *function = PyObject_GetAttrString(helpers, name), *args, *result = NULL;
  if (!function) return NULL;
  va_list values;
  va_start(values, format);
  args = Py_VaBuildValue(format, values);
  va_end(values);
  if (args) result = PyObject_CallObject(function, args);
  Py_XDECREF(args);
  Py_DECREF(function);
  return result;
}

/* The helper returns the exception with a traceback of its own: the place in CK. */
PyObject *set_exception(PyObject *error)
{
  if (!error) return NULL;
  PyObject *type = (PyObject *)Py_TYPE(error);
  PyObject *trace = PyObject_GetAttrString(error, "__traceback__");
  if (trace == Py_None) Py_CLEAR(trace);
  Py_INCREF(type);
  PyErr_Restore(type, error, trace);
  return NULL;
}

bool host_is_dead;

PyObject *fail(ck_status_t status, PyObject *place)
{
  if (PyErr_Occurred()) return NULL;
  PyObject *error = helper_call("error_of_status", "(isiO)", (int)status, ck_last_error(),
                                ck_last_driver_error(), place ? place : Py_None);
  if (status == CK_KERNEL_FAULT) note_fault();
  return set_exception(error);
}

PyObject *fail_text(const char *kind, PyObject *place, const char *format, ...)
{
  char text[1024];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return set_exception(helper_call("error_of_text", "(ssO)", kind, text, place ? place : Py_None));
}

/* devices -------------------------------------------------------------------------------------- */

/* After a fault every call on the context of the host device fails. */
static void note_fault(void)
{
  if (devices[SLOT_HOST] && ck_device_sync(devices[SLOT_HOST]->device) == CK_KERNEL_FAULT)
    host_is_dead = true;
}

void host_begin_anew(void)
{
  Device *device = devices[SLOT_HOST];
  StreamState *stream = device->stream;
  ck_device_t *fresh;
  host_is_dead = false;
  kernels_forget(SLOT_HOST);
  device->stream = NULL;
  stream_release(stream);
  for (int i = 0, left = 0; i < FOREIGN_MAX; ++i) {
    StreamState *state = foreign[i];
    foreign[i] = NULL;
    if (state && state->device == device) stream_release(state);
    else if (state) foreign[left++] = state;
  }
  /* It begins anew once nothing of it is left: the old one may be opened again. */
  ck_device_t *old = device->device;
  ck_device_release(old);
  device->device = NULL;
  if (ck_device_open_host(&fresh) == CK_OK) device->device = fresh;
}

static Device *device_adopt(ck_device_t *device)
{
  int slot = ck_device_is_host(device) ? SLOT_HOST : 1 + ck_device_ordinal(device);
  if (slot < SLOT_COUNT && devices[slot]) {
    if (!devices[slot]->device) devices[slot]->device = device;
    else ck_device_release(device);
    return devices[slot];
  }
  Device *self = slot < SLOT_COUNT ? PyObject_New(Device, device_type) : NULL;
  if (!self) {
    ck_device_release(device);
    if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "a GPU has ordinal %d", slot - 1);
    return NULL;
  }
  *self = (Device){.ob_base = self->ob_base, .device = device, .slot = slot};
  return devices[slot] = self;
}

Device *device_by_slot(int slot)
{
  ck_device_t *device;
  if (host_is_dead) host_begin_anew();
  if (slot >= 0 && slot < SLOT_COUNT && devices[slot] && devices[slot]->device)
    return devices[slot];
  ck_status_t status =
      slot == SLOT_HOST ? ck_device_open_host(&device) : ck_device_open(slot - 1, &device);
  if (status == CK_OK) return device_adopt(device);
  fail(status, NULL);
  return NULL;
}

Device *device_auto(void)
{
  ck_device_t *device;
  if (host_is_dead) host_begin_anew();
  if (automatic) return automatic;
  ck_status_t status = ck_device_open_auto(&device);
  if (status == CK_OK) return automatic = device_adopt(device);
  fail(status, NULL);
  return NULL;
}

Device *device_of(PyObject *given)
{
  if (!given || given == Py_None) return device_auto();
  if (Py_TYPE(given) == device_type) return (Device *)given;
  if (PyLong_Check(given)) {
    long ordinal = PyLong_AsLong(given);
    if (ordinal == -1 && PyErr_Occurred()) return NULL;
    if (ordinal >= 0 && ordinal < SLOT_COUNT - 1) return device_by_slot((int)ordinal + 1);
  }
  PyObject *slot = helper_call("slot_of_device", "(O)", given);
  long number = slot ? PyLong_AsLong(slot) : -1;
  Py_XDECREF(slot);
  return PyErr_Occurred() ? NULL : device_by_slot((int)number);
}

static PyObject *device_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"device", NULL};
  PyObject *given = NULL;
  (void)type;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:Device", names, &given)) return NULL;
  Device *device = device_of(given);
  Py_XINCREF(device);
  return (PyObject *)device;
}

static PyObject *device_repr(PyObject *self)
{
  Device *device = (Device *)self;
  if (device->slot == SLOT_HOST) return PyUnicode_FromString("Device('host')");
  return PyUnicode_FromFormat("Device('cuda:%d')", device->slot - 1);
}

static PyObject *device_get_name(PyObject *self, void *unused)
{
  (void)unused;
  return PyUnicode_FromString(ck_device_name(((Device *)self)->device));
}
static PyObject *device_get_target(PyObject *self, void *unused)
{
  (void)unused;
  return PyUnicode_FromString(ck_device_target(((Device *)self)->device));
}
static PyObject *device_get_is_host(PyObject *self, void *unused)
{
  (void)unused;
  return PyBool_FromLong(((Device *)self)->slot == SLOT_HOST);
}
static PyObject *device_get_id(PyObject *self, void *unused)
{
  (void)unused;
  return PyLong_FromLong(ck_device_ordinal(((Device *)self)->device));
}
static PyObject *device_get_slot(PyObject *self, void *unused)
{
  (void)unused;
  return PyLong_FromLong(((Device *)self)->slot);
}
static PyObject *device_get_default_stream(PyObject *self, void *unused)
{
  (void)unused;
  StreamState *state = stream_default((Device *)self);
  return state ? stream_object(state) : NULL;
}
static PyObject *device_get_compute_capability(PyObject *self, void *unused)
{
  int major, minor;
  (void)unused;
  ck_status_t status = ck_device_get_compute_capability(((Device *)self)->device, &major, &minor);
  return status == CK_OK ? Py_BuildValue("(ii)", major, minor) : fail(status, NULL);
}
static PyObject *device_get_handle(PyObject *self, void *unused)
{
  (void)unused;
  return PyUnicode_FromFormat("%zu", (size_t)(uintptr_t)((Device *)self)->device);
}

static PyObject *device_sync(PyObject *self, PyObject *unused)
{
  ck_status_t status;
  (void)unused;
  PyThreadState *thread = PyEval_SaveThread();
  status = ck_device_sync(((Device *)self)->device);
  PyEval_RestoreThread(thread);
  if (status != CK_OK) return fail(status, NULL);
  Py_RETURN_NONE;
}

static PyObject *device_memory(PyObject *self, PyObject *unused)
{
  size_t available, total;
  (void)unused;
  ck_status_t status = ck_device_get_memory(((Device *)self)->device, &available, &total);
  return status == CK_OK ? Py_BuildValue("(nn)", (Py_ssize_t)available, (Py_ssize_t)total)
                         : fail(status, NULL);
}

static PyObject *device_attribute(PyObject *self, PyObject *name)
{
  PyObject *bytes = PyUnicode_AsASCIIString(name);
  if (!bytes) return NULL;
  const char *wanted = PyBytes_AsString(bytes);
  for (int i = 0; i < 1024; ++i) {
    const char *known = ck_device_attribute_name((ck_device_attribute_t)i);
    if (!known || strcmp(known, wanted) != 0) continue;
    Py_DECREF(bytes);
    int value;
    ck_status_t status =
        ck_device_get_attribute(((Device *)self)->device, (ck_device_attribute_t)i, &value);
    return status == CK_OK ? PyLong_FromLong(value) : fail(status, NULL);
  }
  Py_DECREF(bytes);
  return PyErr_Format(PyExc_AttributeError, "devices have no attribute '%U'", name);
}

static PyGetSetDef device_fields[] = {
    {"name", device_get_name, NULL, "The name that the driver gives, or that of the CPU.", NULL},
    {"target", device_get_target, NULL, "What is compiled for: 'sm_90', or 'host'.", NULL},
    {"is_host", device_get_is_host, NULL, "Whether it is the host device.", NULL},
    {"device_id", device_get_id, NULL, "The GPU's ordinal; 0 for the host device.", NULL},
    {"slot", device_get_slot, NULL, "0 for the host device, else 1 + the ordinal.", NULL},
    {"default_stream", device_get_default_stream, NULL, "The stream of launches without one.",
     NULL},
    {"compute_capability", device_get_compute_capability, NULL, "(9, 0) for sm_90.", NULL},
    {"_as_parameter_", device_get_handle, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef device_methods[] = {
    {"sync", device_sync, METH_NOARGS, "Waits for all work on the device."},
    {"memory", device_memory, METH_NOARGS, "(free, total), in bytes."},
    {"attribute", device_attribute, METH_O,
     "The value of an attribute, such as 'multiprocessor_count'."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot device_slots[] = {
    {Py_tp_doc, "Device(device=None): a GPU by ordinal or as 'cuda:1', 'host', or the device that "
                "$CK_DEVICE names."},
    {Py_tp_new, device_new},
    {Py_tp_repr, device_repr},
    {Py_tp_getset, device_fields},
    {Py_tp_methods, device_methods},
    {0, NULL}};
static PyType_Spec device_spec = {"cokernel.Device", sizeof(Device), 0, Py_TPFLAGS_DEFAULT,
                                  device_slots};

/* what streams keep ---------------------------------------------------------------------------- */

enum { MARK_OBJECTS = 96, MARK_BYTES = 64 << 20 };

static _Thread_local StreamState *current[CURRENT_MAX]; /* of `with`, one around the other */
static _Thread_local int current_count;

void stream_retain(StreamState *state)
{
  ++state->references;
}

static void drop_kept(StreamState *state, size_t count)
{
  PyObject **taken = state->kept; /* a deallocation may call back */
  size_t left = state->kept_count - count;
  PyObject **rest = left ? PyMem_Malloc(left * sizeof *rest) : NULL;
  if (left && !rest) return;
  if (left) memcpy(rest, taken + count, left * sizeof *rest);
  state->kept = rest;
  state->kept_count = state->kept_room = left;
  state->marked = 0;
  for (size_t i = 0; i < count; ++i) Py_DECREF(taken[i]);
  PyMem_Free(taken);
}

ck_status_t stream_sync(StreamState *state)
{
  ck_status_t status;
  stream_retain(state);
  size_t count = state->kept_count;
  PyThreadState *thread = PyEval_SaveThread();
  status = ck_stream_sync(state->stream);
  PyEval_RestoreThread(thread);
  if (count && count <= state->kept_count) drop_kept(state, count);
  stream_release(state);
  return status;
}

void stream_release(StreamState *state)
{
  if (!state || --state->references) return;
  if (state->kept_count) {
    state->references = 1;
    stream_sync(state); /* an error of the work has been, or will be, somebody else's */
    state->references = 0;
  }
  if (state->kept_count) drop_kept(state, state->kept_count);
  ck_event_release(state->event);
  ck_stream_release(state->stream);
  Py_XDECREF(state->graph);
  Py_DECREF(state->device);
  PyMem_Free(state);
}

int stream_hold(StreamState *state, PyObject *object, size_t bytes)
{
  if (state->graph) return PyList_Append(state->graph, object);
  if (state->kept_count == state->kept_room) {
    size_t room = state->kept_room ? 2 * state->kept_room : 64;
    PyObject **kept = PyMem_Realloc(state->kept, room * sizeof *kept);
    if (!kept) {
      PyErr_NoMemory();
      return -1;
    }
    state->kept = kept;
    state->kept_room = room;
  }
  Py_INCREF(object);
  state->kept[state->kept_count++] = object;
  state->kept_bytes += bytes;
  return 0;
}

int stream_mark(StreamState *state)
{
  if (state->graph) return 0;
  if (state->marked && ck_event_query(state->event) == CK_OK) drop_kept(state, state->marked);
  if (state->marked || (state->kept_count < MARK_OBJECTS && state->kept_bytes < (size_t)MARK_BYTES))
    return 0;
  ck_status_t status = CK_OK;
  if (!state->event) status = ck_event_create(state->device->device, NULL, &state->event);
  if (status == CK_OK) status = ck_stream_record(state->stream, state->event);
  if (status != CK_OK) {
    fail(status, NULL);
    return -1;
  }
  state->marked = state->kept_count;
  state->kept_bytes = 0;
  return 0;
}

/* streams -------------------------------------------------------------------------------------- */

static StreamState *state_new(Device *device, ck_stream_t *stream, void *native)
{
  StreamState *state = PyMem_Calloc(1, sizeof *state);
  if (!state) {
    ck_stream_release(stream);
    PyErr_NoMemory();
    return NULL;
  }
  Py_INCREF(device);
  *state = (StreamState){.references = 1, .stream = stream, .device = device, .native = native};
  return state;
}

StreamState *stream_default(Device *device)
{
  ck_stream_t *stream;
  if (device->stream) return device->stream;
  /* The host device's is a stream of its own: a launch in it waits for that launch alone. */
  ck_status_t status = device->slot == SLOT_HOST ? ck_stream_create(device->device, NULL, &stream)
                                                 : ck_stream_open_default(device->device, &stream);
  if (status == CK_OK) return device->stream = state_new(device, stream, NULL);
  fail(status, NULL);
  return NULL;
}

/* Streams of other libraries are looked up by handle, so that the memory which algorithms keep for
 * a stream is found again. */
StreamState *stream_foreign(Device *device, void *native)
{
  int i = 0;
  if (!native && device) return stream_default(device);
  for (; i < FOREIGN_MAX && foreign[i]; ++i) {
    StreamState *state = foreign[i];
    if (state->native != native || (device && state->device != device)) continue;
    memmove(foreign + 1, foreign, (size_t)i * sizeof *foreign);
    return foreign[0] = state;
  }
  ck_stream_t *stream;
  ck_status_t status = ck_stream_from_native(device ? device->device : NULL, native, 0, &stream);
  if (status != CK_OK) {
    fail(status, NULL);
    return NULL;
  }
  Device *own = device_adopt(ck_device_retain(ck_stream_device(stream)));
  StreamState *state = own ? state_new(own, stream, native) : NULL;
  if (!state) return NULL;
  StreamState *last = i == FOREIGN_MAX ? foreign[FOREIGN_MAX - 1] : NULL;
  memmove(foreign + 1, foreign, (size_t)(i < FOREIGN_MAX ? i : FOREIGN_MAX - 1) * sizeof *foreign);
  foreign[0] = state;
  stream_release(last);
  return state;
}

StreamState *stream_current(void)
{
  return current_count ? current[current_count - 1] : NULL;
}

StreamState *stream_of(PyObject *given, Device *device)
{
  if (Py_TYPE(given) == stream_type) return ((Stream *)given)->state;
  PyObject *number =
      PyLong_Check(given) ? PyNumber_Index(given) : helper_call("stream_handle", "(O)", given);
  if (!number) return NULL;
  void *native = PyLong_AsVoidPtr(number);
  Py_DECREF(number);
  if (PyErr_Occurred()) return NULL;
  return stream_foreign(device, native);
}

PyObject *stream_object(StreamState *state)
{
  Stream *self = PyObject_New(Stream, stream_type);
  if (!self) return NULL;
  stream_retain(state);
  self->state = state;
  return (PyObject *)self;
}

PyObject *stream_adopt(Device *device, ck_stream_t *stream)
{
  StreamState *state = state_new(device, stream, NULL);
  if (!state) return NULL;
  PyObject *self = stream_object(state);
  stream_release(state);
  return self;
}

static PyObject *stream_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"device", "priority", "blocking", NULL};
  PyObject *given = NULL;
  int priority = 0, is_blocking = 0;
  (void)type;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O$ip:Stream", names, &given, &priority,
                                   &is_blocking))
    return NULL;
  Device *device = device_of(given);
  if (!device) return NULL;
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  options.priority = priority;
  options.flags = is_blocking ? CK_STREAM_BLOCKING : 0;
  ck_stream_t *stream;
  ck_status_t status = ck_stream_create(device->device, &options, &stream);
  return status == CK_OK ? stream_adopt(device, stream) : fail(status, NULL);
}

static PyObject *stream_from_handle(PyObject *unused, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"handle", "device", NULL};
  PyObject *handle, *given = NULL;
  (void)unused;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:from_handle", names, &handle, &given))
    return NULL;
  Device *device = given && given != Py_None ? device_of(given) : NULL;
  if (!device && PyErr_Occurred()) return NULL;
  StreamState *state = stream_of(handle, device);
  return state ? stream_object(state) : NULL;
}

static void stream_dealloc(PyObject *self)
{
  PyTypeObject *type = Py_TYPE(self);
  stream_release(((Stream *)self)->state);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *stream_repr(PyObject *self)
{
  StreamState *state = ((Stream *)self)->state;
  return PyUnicode_FromFormat("<Stream %p of %R>", ck_stream_native(state->stream), state->device);
}

static PyObject *stream_do_sync(PyObject *self, PyObject *unused)
{
  (void)unused;
  ck_status_t status = stream_sync(((Stream *)self)->state);
  if (status != CK_OK) return fail(status, NULL);
  Py_RETURN_NONE;
}

static PyObject *stream_query(PyObject *self, PyObject *unused)
{
  (void)unused;
  ck_status_t status = ck_stream_query(((Stream *)self)->state->stream);
  if (status != CK_OK && status != CK_NOT_READY) return fail(status, NULL);
  return PyBool_FromLong(status == CK_OK);
}

static PyObject *event_make(Device *device, uint32_t flags)
{
  ck_event_options_t options = CK_OPTIONS_INIT(ck_event_options_t);
  options.flags = flags;
  ck_event_t *event;
  ck_status_t status = ck_event_create(device->device, &options, &event);
  if (status != CK_OK) return fail(status, NULL);
  Event *self = PyObject_New(Event, event_type);
  if (self) self->event = event;
  else ck_event_release(event);
  return (PyObject *)self;
}

static PyObject *stream_record(PyObject *self, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"event", "timing", NULL};
  PyObject *event = NULL;
  int has_timing = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O$p:record", names, &event, &has_timing))
    return NULL;
  StreamState *state = ((Stream *)self)->state;
  if (event && event != Py_None) {
    if (Py_TYPE(event) != event_type)
      return PyErr_Format(PyExc_TypeError, "event has to be an Event, not %R", Py_TYPE(event));
    Py_INCREF(event);
  } else {
    event = event_make(state->device, has_timing ? CK_EVENT_TIMING : 0);
    if (!event) return NULL;
  }
  ck_status_t status = ck_stream_record(state->stream, ((Event *)event)->event);
  if (status == CK_OK) return event;
  Py_DECREF(event);
  return fail(status, NULL);
}

static PyObject *stream_wait(PyObject *self, PyObject *other)
{
  StreamState *state = ((Stream *)self)->state;
  ck_status_t status;
  if (Py_TYPE(other) == event_type) {
    status = ck_stream_wait(state->stream, ((Event *)other)->event);
  } else {
    StreamState *from = stream_of(other, NULL);
    if (!from) return NULL;
    status = ck_stream_wait_stream(state->stream, from->stream);
  }
  if (status != CK_OK) return fail(status, NULL);
  Py_RETURN_NONE;
}

static PyObject *stream_protocol(PyObject *self, PyObject *unused)
{
  (void)unused;
  return Py_BuildValue("(iN)", 0,
                       PyLong_FromVoidPtr(ck_stream_native(((Stream *)self)->state->stream)));
}

static PyObject *stream_enter(PyObject *self, PyObject *unused)
{
  (void)unused;
  if (current_count == CURRENT_MAX)
    return PyErr_Format(PyExc_RuntimeError, "%d streams are current, one in the other",
                        CURRENT_MAX);
  stream_retain(((Stream *)self)->state);
  current[current_count++] = ((Stream *)self)->state;
  Py_INCREF(self);
  return self;
}

static PyObject *stream_exit(PyObject *self, PyObject *args)
{
  (void)args;
  if (!current_count || current[current_count - 1] != ((Stream *)self)->state)
    return PyErr_Format(PyExc_RuntimeError, "this stream isn't the current one");
  stream_release(current[--current_count]);
  Py_RETURN_NONE;
}

static PyObject *stream_get_handle(PyObject *self, void *unused)
{
  (void)unused;
  return PyLong_FromVoidPtr(ck_stream_native(((Stream *)self)->state->stream));
}
static PyObject *stream_get_device(PyObject *self, void *unused)
{
  (void)unused;
  PyObject *device = (PyObject *)((Stream *)self)->state->device;
  Py_INCREF(device);
  return device;
}
static PyObject *stream_get_object(PyObject *self, void *unused)
{
  (void)unused;
  return PyLong_FromVoidPtr(((Stream *)self)->state->stream);
}

static PyGetSetDef stream_fields[] = {
    {"handle", stream_get_handle, NULL, "The CUstream, as a number.", NULL},
    {"device", stream_get_device, NULL, "The device of the stream.", NULL},
    {"_ck_stream", stream_get_object, NULL, "The ck_stream_t, as a number.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef stream_methods[] = {
    {"from_handle", (PyCFunction)(void (*)(void))stream_from_handle,
     METH_VARARGS | METH_KEYWORDS | METH_STATIC,
     "from_handle(handle, device=None): another library's stream, by its handle or as an object."},
    {"sync", stream_do_sync, METH_NOARGS, "Waits for all work in the stream."},
    {"query", stream_query, METH_NOARGS, "Whether all work in the stream has finished."},
    {"record", (PyCFunction)(void (*)(void))stream_record, METH_VARARGS | METH_KEYWORDS,
     "record(event=None, *, timing=False): marks the end of the work that is in the stream now."},
    {"wait", stream_wait, METH_O,
     "wait(event_or_stream): what is submitted from now on starts after that."},
    {"__cuda_stream__", stream_protocol, METH_NOARGS, NULL},
    {"__enter__", stream_enter, METH_NOARGS, NULL},
    {"__exit__", stream_exit, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};
static PyType_Slot stream_slots[] = {
    {Py_tp_doc,
     "Stream(device=None, *, priority=0, blocking=False): a stream, in which work runs in "
     "order.\n\n`with stream:` makes it the one in which launches of this thread run."},
    {Py_tp_new, stream_new},
    {Py_tp_dealloc, stream_dealloc},
    {Py_tp_repr, stream_repr},
    {Py_tp_getset, stream_fields},
    {Py_tp_methods, stream_methods},
    {0, NULL}};
static PyType_Spec stream_spec = {"cokernel.Stream", sizeof(Stream), 0, Py_TPFLAGS_DEFAULT,
                                  stream_slots};

/* events --------------------------------------------------------------------------------------- */

static PyObject *event_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"device", "timing", NULL};
  PyObject *given = NULL;
  int has_timing = 0;
  (void)type;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O$p:Event", names, &given, &has_timing))
    return NULL;
  Device *device = device_of(given);
  return device ? event_make(device, has_timing ? CK_EVENT_TIMING : 0) : NULL;
}

static void event_dealloc(PyObject *self)
{
  PyTypeObject *type = Py_TYPE(self);
  ck_event_release(((Event *)self)->event);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *event_sync(PyObject *self, PyObject *unused)
{
  ck_status_t status;
  (void)unused;
  PyThreadState *thread = PyEval_SaveThread();
  status = ck_event_sync(((Event *)self)->event);
  PyEval_RestoreThread(thread);
  if (status != CK_OK) return fail(status, NULL);
  Py_RETURN_NONE;
}

static PyObject *event_is_done(PyObject *self, void *unused)
{
  (void)unused;
  ck_status_t status = ck_event_query(((Event *)self)->event);
  if (status != CK_OK && status != CK_NOT_READY) return fail(status, NULL);
  return PyBool_FromLong(status == CK_OK);
}

static PyObject *event_handle(PyObject *self, void *unused)
{
  (void)unused;
  return PyLong_FromVoidPtr(ck_event_native(((Event *)self)->event));
}

static PyObject *event_subtract(PyObject *end, PyObject *start)
{
  double seconds;
  if (Py_TYPE(end) != event_type || Py_TYPE(start) != event_type) Py_RETURN_NOTIMPLEMENTED;
  ck_status_t status =
      ck_event_get_elapsed(((Event *)start)->event, ((Event *)end)->event, &seconds);
  if (status == CK_INVALID_ARGUMENT && strstr(ck_last_error(), "CK_EVENT_TIMING"))
    return fail_text("argument", NULL,
                     "an event keeps no time: make both by Stream.record(timing=True)");
  return status == CK_OK ? PyFloat_FromDouble(1e3 * seconds) : fail(status, NULL);
}

static PyGetSetDef event_fields[] = {
    {"is_done", event_is_done, NULL, "Whether the work that it marks has finished.", NULL},
    {"handle", event_handle, NULL, "The CUevent, as a number.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef event_methods[] = {
    {"sync", event_sync, METH_NOARGS, "Waits until the work that it marks has finished."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot event_slots[] = {
    {Py_tp_doc,
     "Event(device=None, *, timing=False): marks a point in a stream.\n\n`end - start` is "
     "the time between two recorded events in milliseconds."},
    {Py_tp_new, event_new},
    {Py_tp_dealloc, event_dealloc},
    {Py_tp_getset, event_fields},
    {Py_tp_methods, event_methods},
    {Py_nb_subtract, event_subtract},
    {0, NULL}};
static PyType_Spec event_spec = {"cokernel.Event", sizeof(Event), 0, Py_TPFLAGS_DEFAULT,
                                 event_slots};

/* module --------------------------------------------------------------------------------------- */

static PyObject *device_count(PyObject *unused, PyObject *nothing)
{
  (void)unused;
  (void)nothing;
  return PyLong_FromLong(ck_device_count());
}

static PyObject *version(PyObject *unused, PyObject *nothing)
{
  (void)unused;
  (void)nothing;
  return PyUnicode_FromString(ck_version());
}

static PyObject *get_current_stream(PyObject *unused, PyObject *nothing)
{
  (void)unused;
  (void)nothing;
  StreamState *state = stream_current();
  if (state) return stream_object(state);
  Py_RETURN_NONE;
}

static PyObject *cache_stats(PyObject *unused, PyObject *nothing)
{
  ck_cache_stats_t stats;
  (void)unused;
  (void)nothing;
  ck_cache_get_stats(&stats);
  return Py_BuildValue("{sKsKsKsK}", "memory_hits", (unsigned long long)stats.memory_hits,
                       "disk_hits", (unsigned long long)stats.disk_hits, "misses",
                       (unsigned long long)stats.misses, "rejected",
                       (unsigned long long)stats.rejected);
}

static PyObject *cache_clear(PyObject *unused, PyObject *nothing)
{
  (void)unused;
  (void)nothing;
  ck_cache_clear();
  Py_RETURN_NONE;
}

static PyObject *set_helpers(PyObject *unused, PyObject *module)
{
  (void)unused;
  Py_INCREF(module);
  Py_XDECREF(helpers);
  helpers = module;
  Py_RETURN_NONE;
}

int core_add(PyObject *module)
{
  device_type = (PyTypeObject *)PyType_FromSpec(&device_spec);
  stream_type = (PyTypeObject *)PyType_FromSpec(&stream_spec);
  event_type = (PyTypeObject *)PyType_FromSpec(&event_spec);
  if (!device_type || !stream_type || !event_type) return -1;
  if (PyModule_AddObjectRef(module, "Device", (PyObject *)device_type) < 0 ||
      PyModule_AddObjectRef(module, "Stream", (PyObject *)stream_type) < 0 ||
      PyModule_AddObjectRef(module, "Event", (PyObject *)event_type) < 0)
    return -1;
  return 0;
}

static PyMethodDef module_functions[] = {
    {"device_count", device_count, METH_NOARGS, "The number of GPUs."},
    {"version", version, METH_NOARGS, "The version of the runtime library."},
    {"current_stream", get_current_stream, METH_NOARGS,
     "The stream of the innermost `with stream:` of this thread, or None."},
    {"cache_stats", cache_stats, METH_NOARGS, "Counts of the cache of compiled code."},
    {"cache_clear", cache_clear, METH_NOARGS, "Drops the code that is cached in memory."},
    {"set_helpers", set_helpers, METH_O, "For the package alone."},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "cokernel._core",
    "The runtime of Cokernel: devices, streams, arrays, kernels, graphs.",
    -1,
    module_functions,
    NULL,
    NULL,
    NULL,
    NULL};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
  PyObject *module = PyModule_Create(&definition);
  if (!module) return NULL;
  if (core_add(module) < 0 || array_add(module) < 0 || code_add(module) < 0 ||
      kernel_add(module) < 0 || recipe_add(module) < 0 || graph_add(module) < 0 ||
      allocator_add(module) < 0) {
    Py_DECREF(module);
    return NULL;
  }
  return module;
}
