/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kernel.c - kernels and algorithms as callables.
 *
 * A call of a kernel goes through these steps:
 *
 *   names       positions and keywords become values by parameter, and options of the launch
 *   read        arrays become DLTensors, numbers scalars of the parameter's type
 *   device      that of the arrays, of the stream, or the default one; its kernel is opened at the
 *               first call, by a function of the package that compiles
 *   stream      the one given, that of `with stream:`, the current one of the arrays' library, the
 *               device's default stream
 *   launch      ck_launch_args checks the arguments against the manifest
 *   after       the arrays are kept until the stream has done the work; on the host device without
 *               a stream, the call waits instead
 *
 * The texts of types, shapes, strides, devices and permissions that don't fit are the runtime's
 * (runtime/launch/tensor.c). What is checked here is what only Python has: names, counts of
 * arguments, and numbers without a type.
 */
#include "core.h"

#include <string.h>
#include <time.h>

PyTypeObject *kernel_type;

/* kernels -------------------------------------------------------------------------------------- */

enum { MANY_ARGS = 48 };

typedef struct Param {
  PyObject *name; /* interned */
  ck_param_t info;
  bool is_inferable; /* an integer that an extent reads */
  bool is_result;
} Param;

typedef struct Kernel {
  PyObject_HEAD VectorCall call;
  struct Kernel *next, **link; /* all kernels */
  PyObject *resolve;           /* resolve(device) returns Code */
  PyObject *code;              /* the first one, which has the texts of `params` */
  PyObject *name;
  PyObject *place;        /* (file, line, name, text) of it in CK, for tracebacks; or None */
  PyObject *fields;       /* what Python adds: __doc__, __signature__ */
  int slot;               /* the device that it is fixed to, or -1 */
  Param *params;          /* NULL: not opened yet */
  uint32_t count, needed; /* needed: those that can't be left out */
  bool has_result;
  ck_kernel_t *kernels[SLOT_COUNT];
} Kernel;

static Kernel *all_kernels;

void kernels_forget(int slot)
{
  for (Kernel *kernel = all_kernels; kernel; kernel = kernel->next) {
    ck_kernel_release(kernel->kernels[slot]);
    kernel->kernels[slot] = NULL;
  }
}

static PyObject *option_names[8];
enum {
  OPTION_stream,
  OPTION_grid,
  OPTION_block,
  OPTION_cluster,
  OPTION_shared,
  OPTION_cooperative,
  OPTION_programmatic,
  OPTION_unchecked,
  OPTION_COUNT
};

/* Whether a name is a token of an expression of the manifest. */
static bool has_token(const char *text, const char *name)
{
  size_t len = strlen(name);
  for (const char *at = text; at; at = strchr(at, ' '), at = at ? at + 1 : NULL) {
    const char *word = *at == '@' ? at + 1 : at;
    if (strncmp(word, name, len) == 0 && (word[len] == ' ' || !word[len])) return true;
  }
  return false;
}

static int read_params(Kernel *self, ck_kernel_t *kernel)
{
  size_t count = ck_kernel_param_count(kernel);
  Param *params = PyMem_Calloc(count ? count : 1, sizeof *params);
  if (!params) {
    PyErr_NoMemory();
    return -1;
  }
  for (size_t i = 0; i < count; ++i) {
    ck_kernel_get_param(kernel, i, &params[i].info);
    params[i].name = PyUnicode_InternFromString(params[i].info.name);
    if (!params[i].name) return -1;
  }
  self->has_result = ck_kernel_result_part_count(kernel) != 0;
  if (self->has_result) params[count - 1].is_result = true;
  self->needed = 0;
  for (size_t i = 0; i < count; ++i) {
    const ck_param_t *info = &params[i].info;
    bool is_integer =
        info->kind == CK_PARAM_SCALAR && info->dtype >= CK_BOOL && info->dtype <= CK_U64;
    for (size_t s = 0; is_integer && s < count && !params[i].is_inferable; ++s)
      for (uint32_t e = 0; params[s].info.kind == CK_PARAM_SPAN && e < params[s].info.extent_count;
           ++e)
        params[i].is_inferable |= has_token(params[s].info.extents[e], info->name);
    self->needed += !params[i].is_inferable && !params[i].is_result;
  }
  self->count = (uint32_t)count;
  self->params = params;
  return 0;
}

/* Opens the kernel on a device. */
static ck_kernel_t *kernel_open(Kernel *self, Device *device)
{
  ck_kernel_t *kernel = self->kernels[device->slot];
  if (kernel) return kernel;
  PyObject *code = PyObject_CallFunctionObjArgs(self->resolve, (PyObject *)device, NULL);
  if (!code) return NULL;
  const char *name = PyUnicode_AsUTF8AndSize(self->name, NULL);
  ck_status_t status = CK_INVALID_ARGUMENT;
  if (name && Py_TYPE(code) == code_type) {
    PyThreadState *thread = PyEval_SaveThread();
    status = ck_kernel_from_code(((Code *)code)->code, device->device, name, &kernel);
    PyEval_RestoreThread(thread);
  }
  if (status != CK_OK) {
    Py_DECREF(code);
    fail(status, self->place);
    return NULL;
  }
  if (self->params) {
    Py_DECREF(code);
  } else if (read_params(self, kernel) < 0) {
    Py_DECREF(code);
    ck_kernel_release(kernel);
    return NULL;
  } else {
    self->code = code;
  }
  if (self->kernels[device->slot]) ck_kernel_release(kernel); /* another thread was quicker */
  else self->kernels[device->slot] = kernel;
  return self->kernels[device->slot];
}

/* a call --------------------------------------------------------------------------------------- */

typedef struct Call {
  Kernel *kernel;
  PyObject *options[OPTION_COUNT];
  uint32_t count;    /* parameters */
  PyObject **values; /* by parameter; NULL: left out. Borrowed */
  ck_arg_t *args;    /* likewise */
  Given *given;      /* of spans */
  PyObject **held;   /* of struct scalars, or NULL */
  uint8_t *is_array; /* by parameter: given[i] was read */
} Call;

static bool same_text(PyObject *a, PyObject *b)
{
  return a == b || PyUnicode_Compare(a, b) == 0;
}

/* "n, a, x, y", for messages */
static PyObject *list_params(const Kernel *self)
{
  PyObject *text = PyUnicode_FromString("");
  for (uint32_t i = 0; text && i < self->count; ++i) {
    PyObject *more = PyUnicode_FromFormat("%U%s%U", text, i ? ", " : "", self->params[i].name);
    Py_DECREF(text);
    text = more;
  }
  return text;
}

static int count_fault(const Kernel *self, Py_ssize_t given)
{
  PyObject *names = list_params(self);
  const char *text = names ? PyUnicode_AsUTF8AndSize(names, NULL) : NULL;
  uint32_t all = self->count - self->has_result;
  if (self->needed == all)
    fail_text("type", self->place, "kernel '%s' takes %u arguments (%s), got %zd",
              PyUnicode_AsUTF8AndSize(self->name, NULL), all, text ? text : "?", given);
  else
    fail_text("type", self->place,
              "kernel '%s' takes %u arguments (%s), or %u without those that shapes determine, got "
              "%zd",
              PyUnicode_AsUTF8AndSize(self->name, NULL), all, text ? text : "?", self->needed,
              given);
  Py_XDECREF(names);
  return -1;
}

static int take_keyword(Call *call, PyObject *name, PyObject *value, uint32_t guess)
{
  const Kernel *self = call->kernel;
  uint32_t place = UINT32_MAX;
  for (uint32_t i = 0; i < call->count && place == UINT32_MAX; ++i) {
    uint32_t at = guess + i < call->count ? guess + i : guess + i - call->count;
    if (self->params[at].name == name) place = at;
  }
  for (int o = 0; o < OPTION_COUNT && place == UINT32_MAX; ++o)
    if (option_names[o] == name) {
      call->options[o] = value;
      return -1;
    }
  for (uint32_t i = 0; i < call->count && place == UINT32_MAX; ++i)
    if (same_text(self->params[i].name, name)) place = i;
  for (int o = 0; o < OPTION_COUNT && place == UINT32_MAX; ++o)
    if (same_text(option_names[o], name)) {
      call->options[o] = value;
      return -1;
    }
  if (place == UINT32_MAX) {
    PyObject *text = helper_call("unknown_name", "(OON)", self->name, name, list_params(self));
    if (text) fail_text("type", self->place, "%s", PyBytes_AsString(text));
    Py_XDECREF(text);
    return -2;
  }
  if (call->values[place]) {
    fail_text("type", self->place, "kernel '%s': argument '%s' is given twice",
              PyUnicode_AsUTF8AndSize(self->name, NULL), self->params[place].info.name);
    return -2;
  }
  call->values[place] = value;
  return (int)place;
}

/* Positions stand for all parameters in order, or for those that can't be left out, whichever fits
 * the number of arguments. */
static int take_positions(Call *call, PyObject *const *args, Py_ssize_t count, Py_ssize_t named)
{
  const Kernel *self = call->kernel;
  uint32_t all = self->count - self->has_result;
  bool is_short = count + named != (Py_ssize_t)all && count + named != (Py_ssize_t)self->count;
  uint32_t place = 0;
  for (Py_ssize_t i = 0; i < count; ++i, ++place) {
    while (is_short && place < self->count &&
           (self->params[place].is_inferable || call->values[place]))
      ++place;
    if (place >= self->count || (is_short && self->params[place].is_result))
      return count_fault(self, count + named);
    if (call->values[place]) {
      fail_text(
          "type", self->place, "kernel '%s': argument %u '%s' is given by position and by name",
          PyUnicode_AsUTF8AndSize(self->name, NULL), place + 1, self->params[place].info.name);
      return -1;
    }
    call->values[place] = args[i];
  }
  return 0;
}

static int no_array_fault(const Call *call, uint32_t i)
{
  const Param *param = &call->kernel->params[i];
  PyObject *value = helper_call("describe_value", "(O)", call->values[i]);
  if (!value) return -1;
  fail_text(
      "type", call->kernel->place,
      "kernel '%s', argument %u '%s': expected an array of %s, got %s: pass an array of NumPy, "
      "CuPy, PyTorch or another library with DLPack",
      PyUnicode_AsUTF8AndSize(call->kernel->name, NULL), i + 1, param->info.name,
      param->info.dtype == CK_NONE ? "structs" : ck_dtype_name(param->info.dtype),
      PyBytes_AsString(value));
  Py_DECREF(value);
  return -1;
}

static int missing_fault(const Call *call, uint32_t i)
{
  fail_text("type", call->kernel->place,
            "kernel '%s', argument %u '%s': it is missing: pass it as %s=...",
            PyUnicode_AsUTF8AndSize(call->kernel->name, NULL), i + 1,
            call->kernel->params[i].info.name, call->kernel->params[i].info.name);
  return -1;
}

/* Names the argument in the message of an exception that came from its library. */
static int name_argument(const Call *call, uint32_t i)
{
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  PyObject *error =
      helper_call("error_in_argument", "(OOIsO)", value ? value : Py_None, call->kernel->name,
                  (unsigned)(i + 1), call->kernel->params[i].info.name, call->kernel->place);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  set_exception(error);
  return -1;
}

/* A struct of NumPy has to have the layout of the parameter's. */
static int check_layout(const Call *call, uint32_t i)
{
  const Given *given = &call->given[i];
  const ck_param_t *info = &call->kernel->params[i].info;
  if (info->dtype != CK_NONE || !given->layout || !info->layout) return 0;
  PyObject *answer = helper_call("layouts_match", "(Os)", given->layout, info->layout);
  if (!answer) return -1;
  int fits = PyObject_IsTrue(answer);
  Py_DECREF(answer);
  if (fits) return 0;
  fail_text(
      "type", call->kernel->place,
      "kernel '%s', argument %u '%s': expected structs of layout %s, got %s: make the dtype with "
      "these fields",
      PyUnicode_AsUTF8AndSize(call->kernel->name, NULL), i + 1, info->name, info->layout,
      PyUnicode_AsUTF8AndSize(given->layout, NULL));
  return -1;
}

static int read_value(Call *call, uint32_t i, long long consumer)
{
  const Param *param = &call->kernel->params[i];
  PyObject *value = call->values[i];
  call->is_array[i] = 0;
  call->held[i] = NULL;
  if (!value) {
    if (param->is_inferable) call->args[i] = ck_inferred();
    else if (!param->is_result) return missing_fault(call, i);
    return 0;
  }
  if (param->info.kind == CK_PARAM_SCALAR) {
    if (scalar_read(value, &param->info, i, call->kernel->name, call->kernel->place, &call->args[i],
                    &call->held[i]) == 0)
      return 0;
    return -1;
  }
  if (param->info.kind != CK_PARAM_SPAN) {
    fail_text(
        "unsupported", call->kernel->place,
        "kernel '%s', argument %u '%s': textures, surfaces and tensor maps can be passed from "
        "C, not from Python",
        PyUnicode_AsUTF8AndSize(call->kernel->name, NULL), i + 1, param->info.name);
    return -1;
  }
  if (Py_TYPE(value) == raw_type) {
    call->args[i] = ck_address_span(((Raw *)value)->address, ((Raw *)value)->count);
    return 0;
  }
  int found = given_read(value, &call->given[i], consumer);
  if (found < 0) return name_argument(call, i);
  if (!found) return no_array_fault(call, i);
  call->is_array[i] = 1;
  if (param->info.dtype == CK_NONE && check_layout(call, i) < 0) return -1;
  call->args[i] = ck_dltensor(&call->given[i].tensor, call->given[i].flags);
  return 0;
}

/* The slot of the device that arrays are on: a GPU's before the host's; -1: any. */
static int slot_of_arrays(const Call *call)
{
  int slot = -1;
  for (uint32_t i = 0; i < call->count; ++i) {
    if (call->values[i] && Py_TYPE(call->values[i]) == raw_type)
      return ((Raw *)call->values[i])->slot;
    if (!call->is_array[i]) continue;
    const Tensor *tensor = &call->given[i].tensor;
    if (tensor->device_type == DL_CUDA && tensor->device_id >= 0 &&
        tensor->device_id < SLOT_COUNT - 1)
      return tensor->device_id + 1;
    if (tensor->device_type == DL_CPU) slot = SLOT_HOST;
  }
  return slot;
}

/* x, (x,), (x, y) or (x, y, z) */
static int read_dims(PyObject *given, const char *what, uint32_t out[3], PyObject *place)
{
  if (PyLong_Check(given)) {
    unsigned long x = PyLong_AsUnsignedLong(given);
    if (!PyErr_Occurred() && x && x <= UINT32_MAX) {
      out[0] = (uint32_t)x;
      return 0;
    }
  } else if (PySequence_Check(given) && !PyUnicode_Check(given)) {
    Py_ssize_t count = PySequence_Size(given);
    for (Py_ssize_t i = 0; i < count && count <= 3; ++i) {
      PyObject *item = PySequence_GetItem(given, i);
      unsigned long x = item && PyLong_Check(item) ? PyLong_AsUnsignedLong(item) : 0;
      Py_XDECREF(item);
      if (PyErr_Occurred() || !x || x > UINT32_MAX) break;
      out[i] = (uint32_t)x;
      if (i == count - 1) return 0;
    }
  }
  PyErr_Clear();
  PyObject *shown = PyObject_Repr(given);
  const char *text = shown ? PyUnicode_AsUTF8AndSize(shown, NULL) : NULL;
  PyErr_Clear();
  fail_text("type", place,
            "%s has to be a positive number or a tuple of one to three of them, not %s", what,
            text ? text : "this");
  Py_XDECREF(shown);
  return -1;
}

static int read_flag(const Call *call, int option, uint32_t flag, ck_launch_config_t *out)
{
  int is_true = call->options[option] ? PyObject_IsTrue(call->options[option]) : 0;
  if (is_true > 0) out->flags |= flag;
  return is_true < 0 ? -1 : 0;
}

static int read_config(const Call *call, ck_launch_config_t *out)
{
  PyObject *place = call->kernel->place;
  *out = (ck_launch_config_t)CK_OPTIONS_INIT(ck_launch_config_t);
#define GIVEN(name) (call->options[OPTION_##name] && call->options[OPTION_##name] != Py_None)
  if (GIVEN(grid) && read_dims(call->options[OPTION_grid], "grid", out->grid, place) < 0) return -1;
  if (GIVEN(block) && read_dims(call->options[OPTION_block], "block", out->block, place) < 0)
    return -1;
  if (GIVEN(cluster) &&
      read_dims(call->options[OPTION_cluster], "cluster", out->cluster, place) < 0)
    return -1;
  if (GIVEN(shared)) {
    out->dynamic_shared_bytes = PyLong_AsSize_t(call->options[OPTION_shared]);
    if (PyErr_Occurred()) {
      PyErr_Clear();
      fail_text("type", place, "shared has to be a number of bytes, 0 or more");
      return -1;
    }
  }
  return read_flag(call, OPTION_cooperative, CK_LAUNCH_COOPERATIVE, out) < 0 ||
                 read_flag(call, OPTION_programmatic, CK_LAUNCH_PROGRAMMATIC, out) < 0 ||
                 read_flag(call, OPTION_unchecked, CK_LAUNCH_UNCHECKED, out) < 0
             ? -1
             : 0;
}

/* The stream of a launch. *out_is_theirs: the arrays' own library orders its memory by this stream,
 * so that nothing has to be kept. */
static StreamState *choose_stream(const Call *call, Device *device, bool *out_is_theirs)
{
  void *native;
  *out_is_theirs = false;
  StreamState *state = NULL;
  if (call->options[OPTION_stream] && call->options[OPTION_stream] != Py_None) {
    state = stream_of(call->options[OPTION_stream], device);
    if (!state || !state->native) return state;
  } else {
    state = stream_current();
    if (state && state->device == device) return state;
    state = NULL;
  }
  const Given *first = NULL;
  bool is_same = true;
  for (uint32_t i = 0; device->slot != SLOT_HOST && i < call->count; ++i) {
    if (!call->is_array[i]) continue;
    if (!first) first = &call->given[i];
    else is_same &= call->given[i].source == first->source;
  }
  if (first) {
    int found = given_stream(first, &native);
    if (found < 0) return NULL;
    *out_is_theirs =
        found && is_same && first->source != SOURCE_OTHER && (!state || state->native == native);
    if (found && !state) return stream_foreign(device, native);
  }
  return state ? state : stream_default(device);
}

/* What was written in another stream, which the array names, comes before the launch. */
static int wait_for_producers(const Call *call, StreamState *stream)
{
  for (uint32_t i = 0; i < call->count; ++i) {
    if (!call->is_array[i] || !call->given[i].producer_stream) continue;
    StreamState *other = stream_foreign(stream->device, call->given[i].producer_stream);
    if (!other) return -1;
    if (other == stream) continue;
    ck_status_t status = ck_stream_wait_stream(stream->stream, other->stream);
    if (status != CK_OK) {
      fail(status, NULL);
      return -1;
    }
  }
  return 0;
}

/* Arrays of our own remember the stream, so that whoever reads them waits for it. */
static void note_stream(const Call *call, StreamState *stream)
{
  for (uint32_t i = 0; i < call->count; ++i)
    if (call->is_array[i] && call->given[i].source == SOURCE_OWN &&
        Py_TYPE(call->values[i]) == array_type &&
        call->kernel->params[i].info.access != CK_ACCESS_IN)
      array_set_stream((Array *)call->values[i], stream);
}

static int keep_arrays(const Call *call, StreamState *stream)
{
  for (uint32_t i = 0; i < call->count; ++i) {
    if (!call->is_array[i]) continue;
    PyObject *object = call->given[i].held ? call->given[i].held : call->values[i];
    if (stream_hold(stream, object, call->given[i].bytes) < 0) return -1;
  }
  return stream_mark(stream);
}

/* Makes the array of an algorithm's result, and its argument. */
static PyObject *make_result(Call *call, Device *device, StreamState *stream)
{
  uint32_t i = call->count - 1;
  const ck_param_t *info = &call->kernel->params[i].info;
  static const uint8_t codes[] = {0,        DL_BOOL,   DL_INT,   DL_INT,  DL_INT,
                                  DL_INT,   DL_UINT,   DL_UINT,  DL_UINT, DL_UINT,
                                  DL_FLOAT, DL_BFLOAT, DL_FLOAT, DL_FLOAT};
  PyObject *layout = info->layout ? PyUnicode_FromString(info->layout) : NULL, *array;
  if (info->dtype == CK_NONE)
    array = array_make(device, stream, DL_OPAQUE, 8, (uint16_t)info->bytes, 0, NULL, layout);
  else
    array =
        array_make(device, stream, codes[info->dtype], (uint8_t)(8 * ck_dtype_bytes(info->dtype)),
                   (uint16_t)info->components, 0, NULL, NULL);
  Py_XDECREF(layout);
  if (!array && stream->graph) {
    PyErr_Clear();
    return fail_text("argument", NULL,
                     "'%s' returns a value, for which a graph allocates no array: pass one of one "
                     "element as %s=",
                     PyUnicode_AsUTF8AndSize(call->kernel->name, NULL), info->name);
  }
  if (!array) return NULL;
  call->args[i] = ck_address_span((uint64_t)(uintptr_t)((Array *)array)->tensor.data, 1);
  return array;
}

static long measured_calls; /* of Kernel.measure: the calls that it makes; 0: none is being made */

/* Seconds that one of the C calls of a launch takes, with the wait for it if it has one. */
static PyObject *measure_calls(const Call *call, ck_kernel_t *kernel, const StreamState *stream,
                               bool is_now)
{
  struct timespec start, end;
  ck_status_t status = CK_OK;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (long i = 0; i < measured_calls && status == CK_OK; ++i) {
    status = ck_launch_args(stream->stream, NULL, kernel, call->args, call->count);
    if (status == CK_OK && is_now) status = ck_stream_sync(stream->stream);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  if (status != CK_OK) return fail(status, call->kernel->place);
  return PyFloat_FromDouble(
      ((double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec)) /
      (double)measured_calls);
}

/* What comes behind a launch that was made: arrays are kept, and the result is given back. `result`
 * is the array that was made for it, or NULL; its reference is taken. */
static PyObject *finish(const Call *call, StreamState *stream, PyObject *result, bool is_now,
                        bool is_theirs)
{
  bool has_made = result != NULL;
  if (!is_now && !stream->graph) note_stream(call, stream);
  bool must_keep = !is_now && (!is_theirs || stream->graph);
  if ((must_keep && keep_arrays(call, stream) < 0) ||
      (has_made && stream->graph && stream_hold(stream, result, 0) < 0)) {
    Py_XDECREF(result);
    return NULL;
  }
  if (has_made && is_now) return helper_call("result_value", "(N)", result);
  if (has_made) return result;
  result = call->kernel->has_result ? call->values[call->count - 1] : Py_None;
  Py_INCREF(result);
  return result;
}

/* Everything behind the reading of values. */
static PyObject *launch(Call *call, Device *device, ck_kernel_t *kernel)
{
  bool is_theirs,
      has_stream = call->options[OPTION_stream] && call->options[OPTION_stream] != Py_None;
  StreamState *stream = choose_stream(call, device, &is_theirs);
  if (!stream) return NULL;
  bool is_now = device->slot == SLOT_HOST && !has_stream && stream == device->stream;
  ck_launch_config_t config, *used = NULL;
  for (int o = OPTION_grid; o < OPTION_COUNT; ++o)
    if (call->options[o]) used = &config;
  if (used && read_config(call, &config) < 0) return NULL;
  if (wait_for_producers(call, stream) < 0) return NULL;
  if (measured_calls) return measure_calls(call, kernel, stream, is_now);
  PyObject *result = NULL;
  bool has_made = call->kernel->has_result && !call->values[call->count - 1];
  if (has_made && !(result = make_result(call, device, stream))) return NULL;
  stream_retain(stream); /* in case another thread lets the device begin anew */
  ck_kernel_retain(kernel);
  PyThreadState *thread = is_now ? PyEval_SaveThread() : NULL;
  ck_status_t status = ck_launch_args(stream->stream, used, kernel, call->args, call->count);
  if (status == CK_OK && is_now) status = ck_stream_sync(stream->stream);
  if (thread) PyEval_RestoreThread(thread);
  ck_kernel_release(kernel);
  if (status != CK_OK) {
    Py_XDECREF(result);
    fail(status, call->kernel->place);
    stream_release(stream);
    return NULL;
  }
  PyObject *answer = finish(call, stream, result, is_now, is_theirs);
  stream_release(stream);
  return answer;
}

uint32_t kernel_param_count(PyObject *kernel)
{
  return ((Kernel *)kernel)->count;
}

const ck_param_t *kernel_param(PyObject *kernel, uint32_t index)
{
  return &((Kernel *)kernel)->params[index].info;
}

bool kernel_launch(PyObject *object, Device *device, PyObject *stream, ck_arg_t *args)
{
  Kernel *self = (Kernel *)object;
  PyObject *values[MANY_ARGS];
  uint8_t is_array[MANY_ARGS] = {0};
  Call call = {.kernel = self,
               .count = self->count,
               .values = values,
               .args = args,
               .is_array = is_array,
               .options = {[OPTION_stream] = stream}};
  if (self->count) values[self->count - 1] = Py_None; /* stands for the result, which has a place */
  ck_kernel_t *kernel = self->count <= MANY_ARGS ? kernel_open(self, device) : NULL;
  PyObject *answer = kernel ? launch(&call, device, kernel) : NULL;
  Py_XDECREF(answer);
  return answer != NULL;
}

static int read_device(const Call *call, Device **out)
{
  int slot = call->kernel->slot >= 0 ? call->kernel->slot : slot_of_arrays(call);
  PyObject *stream = call->options[OPTION_stream];
  if (call->kernel->slot < 0 && stream && Py_TYPE(stream) == stream_type)
    slot = ((Stream *)stream)->state->device->slot;
  else if (slot < 0 && stream_current()) slot = stream_current()->device->slot;
  *out = slot < 0 ? device_auto() : device_by_slot(slot);
  return *out ? 0 : -1;
}

/* The first call of a kernel: its parameters are known once it has been opened on the device of the
 * arrays, or else of the stream. */
static int open_first(Kernel *self, PyObject *const *args, Py_ssize_t count)
{
  Given given[1];
  int slot = self->slot;
  for (Py_ssize_t i = 0; i < count && slot < 0; ++i) {
    if (Py_TYPE(args[i]) == stream_type) {
      slot = ((Stream *)args[i])->state->device->slot;
      break;
    }
    if (Py_TYPE(args[i]) == raw_type) {
      slot = ((Raw *)args[i])->slot;
      break;
    }
    int found = given_read(args[i], given, 1);
    if (found < 0) PyErr_Clear(); /* it is reported when the argument is read */
    if (found <= 0) continue;
    if (given->tensor.device_type == DL_CUDA) slot = given->tensor.device_id + 1;
    if (given->tensor.device_type == DL_CPU) slot = SLOT_HOST;
    given_drop(given);
  }
  Device *device = slot < 0 || slot >= SLOT_COUNT ? device_auto() : device_by_slot(slot);
  return device && kernel_open(self, device) ? 0 : -1;
}

static PyObject *kernel_call(PyObject *object, PyObject *const *args, size_t count_and_flag,
                             PyObject *keywords)
{
  Kernel *self = (Kernel *)object;
  Py_ssize_t count = CALL_COUNT(count_and_flag), named = keywords ? PyTuple_Size(keywords) : 0;
  if (!self->params && open_first(self, args, count + named) < 0) return NULL;
  PyObject *few_values[MANY_ARGS], *few_held[MANY_ARGS];
  ck_arg_t few_args[MANY_ARGS];
  Given few_given[MANY_ARGS];
  uint8_t few_kinds[MANY_ARGS];
  Call call = {.kernel = self,
               .count = self->count,
               .values = few_values,
               .args = few_args,
               .given = few_given,
               .held = few_held,
               .is_array = few_kinds};
  void *memory = NULL;
  if (self->count > MANY_ARGS) {
    size_t each = sizeof(PyObject *) * 2 + sizeof(ck_arg_t) + sizeof(Given) + 8;
    char *at = memory = PyMem_Malloc(self->count * each);
    if (!memory) return PyErr_NoMemory();
    call.given = (Given *)at;
    call.args = (ck_arg_t *)(call.given + self->count);
    call.values = (PyObject **)(call.args + self->count);
    call.held = call.values + self->count;
    call.is_array = (uint8_t *)(call.held + self->count);
  }
  PyObject *result = NULL;
  uint32_t read = 0, guess = (uint32_t)count;
  Py_ssize_t of_params = 0;
  for (uint32_t i = 0; i < self->count; ++i) call.values[i] = NULL;
  for (Py_ssize_t i = 0; i < named; ++i) {
    int place = take_keyword(&call, PyTuple_GetItem(keywords, i), args[count + i],
                             guess < self->count ? guess : 0);
    if (place == -2) goto done;
    if (place >= 0) {
      guess = (uint32_t)place + 1;
      ++of_params;
    }
  }
  if (count && take_positions(&call, args, count, of_params) < 0) goto done;
  long long consumer = 1;
  PyObject *stream = call.options[OPTION_stream];
  if (stream && stream != Py_None) {
    if (Py_TYPE(stream) != stream_type && !PyLong_Check(stream)) {
      /* Asked for once: what follows takes the number. */
      stream = helper_call("stream_handle", "(O)", stream);
      if (!stream) goto done;
      call.options[OPTION_stream] = stream;
    } else {
      Py_INCREF(stream);
    }
    consumer = Py_TYPE(stream) == stream_type
                   ? (long long)(intptr_t)ck_stream_native(((Stream *)stream)->state->stream)
                   : PyLong_AsLongLong(stream);
  } else {
    stream = NULL;
  }
  for (; read < self->count; ++read)
    if (read_value(&call, read, consumer) < 0) {
      if (call.is_array[read]) given_drop(&call.given[read]);
      break;
    }
  if (read == self->count) {
    Device *device;
    ck_kernel_t *kernel;
    if (read_device(&call, &device) == 0 && (kernel = kernel_open(self, device)))
      result = launch(&call, device, kernel);
  }
  for (uint32_t i = 0; i < read; ++i) {
    if (call.is_array[i]) Py_XDECREF(call.given[i].held);
    Py_XDECREF(call.held[i]);
  }
  Py_XDECREF(stream);
done:
  PyMem_Free(memory);
  return result;
}

/* The same from a tuple and a dictionary, for callers that have those. */
static PyObject *kernel_call_tuple(PyObject *self, PyObject *args, PyObject *keywords)
{
  Py_ssize_t count = PyTuple_Size(args), named = keywords ? PyDict_Size(keywords) : 0, at = 0;
  PyObject **all = PyMem_Malloc((size_t)(count + named + 1) * sizeof *all), *key, *value;
  PyObject *names = named ? PyTuple_New(named) : NULL, *result = NULL;
  if (!all || (named && !names)) {
    PyMem_Free(all);
    Py_XDECREF(names);
    return PyErr_NoMemory();
  }
  for (Py_ssize_t i = 0; i < count; ++i) all[i] = PyTuple_GetItem(args, i);
  for (Py_ssize_t i = 0; named && PyDict_Next(keywords, &at, &key, &value); ++i) {
    all[count + i] = value;
    Py_INCREF(key);
    PyTuple_SetItem(names, i, key);
  }
  result = kernel_call(self, all, (size_t)count, names);
  Py_XDECREF(names);
  PyMem_Free(all);
  return result;
}

/* the object ----------------------------------------------------------------------------------- */

static PyObject *kernel_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"resolve", "name", "place", "device", "fields", NULL};
  PyObject *resolve, *name, *place = Py_None, *device_given = Py_None, *fields = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OU|OOO:Kernel", names, &resolve, &name, &place,
                                   &device_given, &fields))
    return NULL;
  Device *device = NULL;
  if (device_given != Py_None && !(device = device_of(device_given))) return NULL;
  Kernel *self = PyObject_GC_New(Kernel, type);
  if (!self) return NULL;
  memset((char *)self + sizeof(PyObject), 0, sizeof *self - sizeof(PyObject));
  self->call = kernel_call;
  Py_INCREF(resolve);
  Py_INCREF(name);
  Py_INCREF(place);
  Py_INCREF(fields);
  self->resolve = resolve;
  self->name = name;
  self->place = place;
  self->fields = fields;
  self->slot = device ? device->slot : -1;
  self->next = all_kernels;
  self->link = &all_kernels;
  if (all_kernels) all_kernels->link = &self->next;
  all_kernels = self;
  PyObject_GC_Track(self);
  return (PyObject *)self;
}

static int kernel_traverse(PyObject *object, visitproc visit, void *arg)
{
  Kernel *self = (Kernel *)object;
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->resolve);
  Py_VISIT(self->place);
  Py_VISIT(self->fields);
  return 0;
}

static int kernel_clear(PyObject *object)
{
  Kernel *self = (Kernel *)object;
  Py_CLEAR(self->resolve);
  Py_CLEAR(self->fields);
  return 0;
}

static void kernel_dealloc(PyObject *object)
{
  Kernel *self = (Kernel *)object;
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  *self->link = self->next;
  if (self->next) self->next->link = self->link;
  kernel_clear(object);
  Py_XDECREF(self->place);
  Py_XDECREF(self->name);
  for (uint32_t i = 0; i < self->count; ++i) Py_XDECREF(self->params[i].name);
  PyMem_Free(self->params);
  for (int i = 0; i < SLOT_COUNT; ++i) ck_kernel_release(self->kernels[i]);
  Py_XDECREF(self->code);
  PyObject_GC_Del(object);
  Py_DECREF(type);
}

static PyObject *kernel_repr(PyObject *self)
{
  return PyUnicode_FromFormat("<cokernel.Kernel '%U'>", ((Kernel *)self)->name);
}

/* open(device=None): compiles and loads the kernel before its first call. */
static PyObject *kernel_do_open(PyObject *object, PyObject *args)
{
  PyObject *given = Py_None;
  Kernel *self = (Kernel *)object;
  if (!PyArg_ParseTuple(args, "|O:open", &given)) return NULL;
  Device *device =
      given == Py_None && self->slot >= 0 ? device_by_slot(self->slot) : device_of(given);
  if (!device || !kernel_open(self, device)) return NULL;
  Py_INCREF(object);
  return object;
}

/* attribute(name, device=None) */
static PyObject *kernel_attribute(PyObject *object, PyObject *args)
{
  const char *name;
  PyObject *given = Py_None;
  Kernel *self = (Kernel *)object;
  if (!PyArg_ParseTuple(args, "s|O:attribute", &name, &given)) return NULL;
  Device *device =
      given == Py_None && self->slot >= 0 ? device_by_slot(self->slot) : device_of(given);
  ck_kernel_t *kernel = device ? kernel_open(self, device) : NULL;
  if (!kernel) return NULL;
  for (int i = 0; i < 32; ++i) {
    const char *known = ck_kernel_attribute_name((ck_kernel_attribute_t)i);
    int value;
    if (!known || strcmp(known, name) != 0) continue;
    ck_status_t status = ck_kernel_get_attribute(kernel, (ck_kernel_attribute_t)i, &value);
    return status == CK_OK ? PyLong_FromLong(value) : fail(status, self->place);
  }
  return PyErr_Format(PyExc_AttributeError, "kernels have no attribute '%s'", name);
}

/* occupancy(block, shared=0, device=None) */
static PyObject *kernel_occupancy(PyObject *object, PyObject *args)
{
  unsigned block;
  Py_ssize_t shared = 0;
  PyObject *given = Py_None;
  Kernel *self = (Kernel *)object;
  if (!PyArg_ParseTuple(args, "I|nO:occupancy", &block, &shared, &given)) return NULL;
  Device *device =
      given == Py_None && self->slot >= 0 ? device_by_slot(self->slot) : device_of(given);
  ck_kernel_t *kernel = device ? kernel_open(self, device) : NULL;
  int blocks;
  if (!kernel) return NULL;
  ck_status_t status = ck_kernel_get_occupancy(kernel, block, (size_t)shared, &blocks);
  return status == CK_OK ? PyLong_FromLong(blocks) : fail(status, self->place);
}

/* measure(calls, *args, **options): the seconds of one C call, without Python: for benchmarks. */
static PyObject *kernel_measure(PyObject *object, PyObject *args, PyObject *keywords)
{
  Py_ssize_t count = PyTuple_Size(args);
  long calls = count > 0 ? PyLong_AsLong(PyTuple_GetItem(args, 0)) : -1;
  if (calls <= 0)
    return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "calls has to be positive");
  PyObject *rest = PyTuple_GetSlice(args, 1, count);
  if (!rest) return NULL;
  measured_calls = calls;
  PyObject *result = kernel_call_tuple(object, rest, keywords);
  measured_calls = 0;
  Py_DECREF(rest);
  return result;
}

/* The object as a routine, so that help() documents it and not its type. */
static PyObject *kernel_bind(PyObject *self, PyObject *owner, PyObject *type)
{
  (void)owner;
  (void)type;
  Py_INCREF(self);
  return self;
}

static PyObject *kernel_get_name(PyObject *self, void *unused)
{
  (void)unused;
  Py_INCREF(((Kernel *)self)->name);
  return ((Kernel *)self)->name;
}
static PyObject *kernel_get_field(PyObject *self, void *name)
{
  PyObject *fields = ((Kernel *)self)->fields;
  PyObject *value = fields && fields != Py_None ? PyMapping_GetItemString(fields, name) : NULL;
  if (value) return value;
  PyErr_Clear();
  Py_RETURN_NONE;
}
static PyObject *kernel_get_handle(PyObject *object, void *unused)
{
  Kernel *self = (Kernel *)object;
  (void)unused;
  Device *device = self->slot >= 0 ? device_by_slot(self->slot) : device_auto();
  ck_kernel_t *kernel = device ? kernel_open(self, device) : NULL;
  return kernel ? PyLong_FromVoidPtr(kernel) : NULL;
}

static PyGetSetDef kernel_fields[] = {
    {"name", kernel_get_name, NULL, "As it is written in CK.", NULL},
    {"__name__", kernel_get_name, NULL, NULL, NULL},
    {"__qualname__", kernel_get_name, NULL, NULL, NULL},
    {"__module__", kernel_get_field, NULL, NULL, "module"},
    {"__doc__", kernel_get_field, NULL, NULL, "doc"},
    {"__signature__", kernel_get_field, NULL, NULL, "signature"},
    {"params", kernel_get_field, NULL, "The parameters, as the manifest describes them.", "params"},
    {"_ck_kernel", kernel_get_handle, NULL, "The ck_kernel_t of the default device, as a number.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef kernel_methods[] = {
    {"open", kernel_do_open, METH_VARARGS,
     "open(device=None): compiles and loads the kernel before its first call."},
    {"attribute", kernel_attribute, METH_VARARGS,
     "attribute(name, device=None): such as 'registers' or 'shared_bytes'."},
    {"measure", (PyCFunction)(void (*)(void))kernel_measure, METH_VARARGS | METH_KEYWORDS,
     "measure(calls, *args, **options): the seconds that one C call of this launch takes."},
    {"occupancy", kernel_occupancy, METH_VARARGS,
     "occupancy(block, shared=0, device=None): blocks that one multiprocessor runs at a time."},
    {NULL, NULL, 0, NULL}};
static PyMemberDef kernel_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Kernel, call), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}};
static PyType_Slot kernel_slots[] = {{Py_tp_new, kernel_new},
                                     {Py_tp_dealloc, kernel_dealloc},
                                     {Py_tp_traverse, kernel_traverse},
                                     {Py_tp_clear, kernel_clear},
                                     {Py_tp_repr, kernel_repr},
                                     {Py_tp_call, kernel_call_tuple},
                                     {Py_tp_descr_get, kernel_bind},
                                     {Py_tp_getset, kernel_fields},
                                     {Py_tp_methods, kernel_methods},
                                     {Py_tp_members, kernel_members},
                                     {0, NULL}};
static PyType_Spec kernel_spec = {"cokernel.Kernel", sizeof(Kernel), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | HAVE_VECTORCALL,
                                  kernel_slots};

int kernel_add(PyObject *module)
{
  static const char *const names[] = {"stream", "grid",        "block",        "cluster",
                                      "shared", "cooperative", "programmatic", "unchecked"};
  for (int i = 0; i < OPTION_COUNT; ++i)
    if (!(option_names[i] = PyUnicode_InternFromString(names[i]))) return -1;
  kernel_type = (PyTypeObject *)PyType_FromSpec(&kernel_spec);
  if (!kernel_type) return -1;
  return PyModule_AddObjectRef(module, "Kernel", (PyObject *)kernel_type);
}
