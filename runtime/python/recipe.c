/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* recipe.c - functions that launch calls which are like earlier ones without running their Python.
 *
 * Recipes(function, built, answer) is called as the function is. A recipe belongs to calls with as
 * many positional arguments and the same names of the others. It has guards, which say whether a
 * call is like the one that it was made of, and rows, which say how its operands become arguments
 * of the kernel:
 *
 *   reduce_into(d_in=TransformIterator(CountingIterator(5), f), num_items=9,
 *               h_init=numpy.array([7]), ...)
 *
 *   slots    0: d_in   1: num_items   2: h_init   3: d_in._underlying   4: d_in._underlying._start
 *   guards   type 0 TransformIterator; attribute 0 _underlying -> 3; type 3 CountingIterator;
 *            attribute 3 _start -> 4; type 4 int64; integer 1; numpy 2 int64; ...
 *   rows     number 1, number 4, memory 2 (its first element)
 *
 * The guards are tried one after the other, and the first that fails ends the try: the next recipe
 * is tried, and behind the last one the function is called. Whatever it returns is what the caller
 * gets, but for an object of the type `built`: then a call has been launched, built.recipe(names,
 * values) describes a recipe of it or is None, built.finish() does what follows, and the caller
 * gets `answer`. Guards and rows are made in Python (cokernel/compute/_recipe.py); what they mean
 * is said at their tables below.
 *
 * A recipe that was used is moved to the front; the last of MANY_RECIPES makes room for a new one.
 * A guard may run Python's code, and so another thread, which may change the list of recipes: a
 * recipe is an object with a reference count, and the list is read again after each try.
 *
 * Nothing is launched, and no Exception is set, by a call that a recipe doesn't fit.
 */
#include "core.h"

#include <string.h>

enum { MANY_RECIPES = 64, MANY_SLOTS = 64, MANY_ROWS = 48, MANY_SPANS = 16 };

/* What a guard asks of the object in its slot. */
typedef enum GuardKind {
  GUARD_same,      /* it is this object */
  GUARD_given,     /* it isn't None */
  GUARD_type,      /* its type is this one, not one derived from it */
  GUARD_equal,     /* it has this object's type, and is equal to it */
  GUARD_again,     /* it is what slot `to` has */
  GUARD_attribute, /* it has this attribute; slot `to` gets its value */
  GUARD_items,     /* a tuple or list of `number` items, which are put into slot `to` and after */
  GUARD_integer,   /* a whole number, up to `number` if that isn't 0 */
  GUARD_function,  /* a function of this code (see same_function) */
  GUARD_global,    /* a function whose module has this name; slot `to` gets its value */
  GUARD_absent,    /* a function whose module doesn't have this name */
  GUARD_numpy,     /* an array of NumPy of this dtype, without gaps; `number`: to be written */
  GUARD_cupy,      /* likewise of CuPy: data.ptr, dtype, size and flags */
  GUARD_interface, /* an array with dtype, flags and __cuda_array_interface__ */
  GUARD_tensor,    /* an array that array.c reads without Python, with the element of `number` */
  GUARD_next,      /* an array, and the one in slot `to`: whether that begins an element later */
  GUARD_reaches,   /* an array with as many elements as the number in slot `to` (see reaches) */
  GUARD_holds,     /* object(it, what slot `to` has) is true */
  GUARD_COUNT
} GuardKind;
static const char *const guard_names[GUARD_COUNT] = {
    "same",   "given",  "type",  "equal", "again",     "attribute", "items", "integer", "function",
    "global", "absent", "numpy", "cupy",  "interface", "tensor",    "next",  "reaches", "holds"};

/* How an argument is made. */
typedef enum RowKind {
  ROW_number,   /* a number of Python or NumPy */
  ROW_memory,   /* the first element of an array in the host's memory */
  ROW_call,     /* object(operand) is a number, or the bytes of a struct */
  ROW_constant, /* object is the number or the bytes */
  ROW_span,     /* an array, from element slots[more] on if `more` isn't -1 */
  ROW_before,   /* the elements of an array up to the one of that number */
  ROW_limits,   /* as ROW_span, but one more element than the number in the slot `object` */
  ROW_set,      /* no argument: object, an attribute's name and value, is set after the launch */
  ROW_COUNT
} RowKind;
static const char *const row_names[ROW_COUNT] = {"number", "memory", "call",   "constant",
                                                 "span",   "before", "limits", "set"};

typedef struct Guard {
  GuardKind kind;
  int slot, to;
  Py_ssize_t number;
  PyObject *object;
} Guard;

typedef struct Row {
  RowKind kind;
  int argument, slot, more; /* argument: of spans; two of one argument are one memory */
  uint32_t bytes;           /* of an element, of spans */
  int other;                /* ROW_limits: the slot in `object` */
  PyObject *object;
} Row;

typedef struct Recipe {
  PyObject_HEAD Py_ssize_t positions, named;
  PyObject *names; /* a tuple of interned strings */
  Guard *guards;
  Row *rows;
  int guard_count, row_count, slot_count;
  int stream_slot; /* of the operand `stream`, or -1 */
  int device_slot;
  bool has_result;  /* the last argument is where the result goes */
  PyObject *stream; /* for calls without one, on a GPU; or None */
  PyObject *kernel;
} Recipe;

typedef struct Recipes {
  PyObject_HEAD VectorCall call;
  PyObject *function, *built, *answer;
  int count;
  Recipe *list[MANY_RECIPES];
} Recipes;

/* The operands of a call: those before `borrowed` are the caller's references. */
typedef struct Try {
  PyObject *slots[MANY_SLOTS];
  uint64_t addresses[MANY_SLOTS], counts[MANY_SLOTS]; /* of arrays */
  uint8_t is_filled[MANY_SLOTS];                      /* with a reference of ours */
} Try;

static PyTypeObject *recipe_type, *recipes_type, *function_type;
static PyObject *name_code, *name_defaults, *name_globals, *name_data, *name_ptr, *name_dtype,
    *name_size, *name_flags, *name_c, *name_f, *name_own_c, *name_own_f, *name_interface,
    *name_shape, *method_type;

/* guards --------------------------------------------------------------------------------------- */

static bool is_equal(PyObject *a, PyObject *b)
{
  return a == b || (Py_TYPE(a) == Py_TYPE(b) && PyObject_RichCompareBool(a, b, Py_EQ) == 1);
}

static bool attribute_is(PyObject *object, PyObject *name, PyObject *wanted)
{
  PyObject *value = PyObject_GetAttr(object, name);
  bool fits = value && is_equal(value, wanted);
  Py_XDECREF(value);
  return fits;
}

static bool attribute_is_true(PyObject *object, PyObject *name)
{
  PyObject *value = PyObject_GetAttr(object, name);
  bool fits = value && PyObject_IsTrue(value) == 1;
  Py_XDECREF(value);
  return fits;
}

static bool attribute_number(PyObject *object, PyObject *name, uint64_t *out)
{
  PyObject *value = PyObject_GetAttr(object, name);
  *out = value && PyLong_Check(value) ? PyLong_AsUnsignedLongLong(value) : 0;
  bool fits = value && PyLong_Check(value) && !PyErr_Occurred();
  Py_XDECREF(value);
  return fits;
}

/* wanted: (code, globals, ((name, value), ...), (name, ...)): a function of this code has no
 * defaults, and finds these values in its module, and nothing by the other names. Then it means
 * the same as the function that the recipe was made of. */
static bool same_function(PyObject *object, PyObject *wanted)
{
  if (Py_TYPE(object) != function_type ||
      !attribute_is(object, name_code, PyTuple_GetItem(wanted, 0)) ||
      !attribute_is(object, name_defaults, Py_None))
    return false;
  PyObject *scope = PyTuple_GetItem(wanted, 1), *found = PyObject_GetAttr(object, name_globals);
  Py_XDECREF(found);
  if (found != scope) return false;
  PyObject *present = PyTuple_GetItem(wanted, 2), *absent = PyTuple_GetItem(wanted, 3);
  for (Py_ssize_t i = 0, n = PyTuple_Size(present); i < n; ++i) {
    PyObject *pair = PyTuple_GetItem(present, i);
    if (PyDict_GetItemWithError(scope, PyTuple_GetItem(pair, 0)) != PyTuple_GetItem(pair, 1))
      return false;
  }
  for (Py_ssize_t i = 0, n = PyTuple_Size(absent); i < n; ++i)
    if (PyDict_GetItemWithError(scope, PyTuple_GetItem(absent, i))) return false;
  return true;
}

static bool is_contiguous(PyObject *array, PyObject *c, PyObject *f)
{
  if (attribute_is_true(array, c)) return true;
  return !PyErr_Occurred() && attribute_is_true(array, f);
}

static bool has_flags(PyObject *array)
{
  PyObject *flags = PyObject_GetAttr(array, name_flags);
  bool fits = flags && is_contiguous(flags, name_c, name_f);
  Py_XDECREF(flags);
  return fits;
}

/* CuPy's arrays have their flags as fields too, which are read more quickly; `has_fields` says it.
 */
static bool read_cupy(PyObject *array, bool has_fields, uint64_t *address, uint64_t *count)
{
  PyObject *data = PyObject_GetAttr(array, name_data);
  bool fits = data && attribute_number(data, name_ptr, address);
  Py_XDECREF(data);
  return fits && attribute_number(array, name_size, count) &&
         (has_fields ? is_contiguous(array, name_own_c, name_own_f) : has_flags(array));
}

static bool read_interface(PyObject *array, uint64_t *address, uint64_t *count)
{
  if (!has_flags(array)) return false;
  PyObject *interface = PyObject_GetAttr(array, name_interface);
  bool is_dict = interface && PyDict_Check(interface);
  PyObject *data = is_dict ? PyDict_GetItemWithError(interface, name_data) : NULL;
  PyObject *shape = is_dict ? PyDict_GetItemWithError(interface, name_shape) : NULL;
  bool fits = data && PyTuple_Check(data) && PyTuple_Size(data) == 2 && shape &&
              PyTuple_Check(shape) && PyLong_Check(PyTuple_GetItem(data, 0));
  if (fits) *address = PyLong_AsUnsignedLongLong(PyTuple_GetItem(data, 0));
  *count = 1;
  for (Py_ssize_t i = 0; fits && i < PyTuple_Size(shape); ++i)
    *count *= PyLong_AsUnsignedLongLong(PyTuple_GetItem(shape, i));
  Py_XDECREF(interface);
  return fits && !PyErr_Occurred();
}

/* The code, bits and lanes of an element in one number, as Python describes them too. */
static Py_ssize_t element_number(const Tensor *tensor)
{
  return (Py_ssize_t)tensor->code << 24 | (Py_ssize_t)tensor->bits << 16 | tensor->lanes;
}

static bool is_dense(const Tensor *tensor)
{
  int64_t wanted = 1;
  for (int i = tensor->rank - 1; tensor->strides && i >= 0; --i) {
    if (tensor->extents[i] != 1 && tensor->strides[i] != wanted) return false;
    wanted *= tensor->extents[i];
  }
  return true;
}

static bool read_tensor(PyObject *array, int device_slot, Py_ssize_t element, uint64_t *address,
                        uint64_t *count)
{
  Given given;
  if (given_read(array, &given, 1) != 1) return false;
  const Tensor *tensor = &given.tensor;
  int slot = tensor->device_type == DL_CPU    ? SLOT_HOST
             : tensor->device_type == DL_CUDA ? tensor->device_id + 1
                                              : -1;
  bool fits = slot == device_slot && element_number(tensor) == element && is_dense(tensor);
  *address = (uint64_t)(uintptr_t)tensor->data + tensor->byte_offset;
  *count = 1;
  for (int i = 0; i < tensor->rank; ++i) *count *= (uint64_t)tensor->extents[i];
  given_drop(&given);
  return fits;
}

/* What a function's module has by a name: a new reference, or NULL without an exception. */
static PyObject *global_of(PyObject *function, PyObject *name)
{
  PyObject *scope = PyObject_GetAttr(function, name_globals);
  PyObject *value = scope ? PyDict_GetItemWithError(scope, name) : NULL;
  Py_XINCREF(value);
  Py_XDECREF(scope);
  return value;
}

static void put(Try *try, int slot, PyObject *object)
{
  try->slots[slot] = object;
  try->is_filled[slot] = 1;
}

static bool take_items(Try *try, const Guard *guard, PyObject *sequence)
{
  if (!PyTuple_Check(sequence) && !PyList_Check(sequence)) return false;
  if (PySequence_Size(sequence) != guard->number) return false;
  for (Py_ssize_t i = 0; i < guard->number; ++i) {
    PyObject *item = PySequence_GetItem(sequence, i);
    if (!item) return false;
    put(try, guard->to + (int)i, item);
  }
  return true;
}

/* The element of an array that an operand begins with, by the slot of its number, or -1. */
static bool begin_of(const Try *try, PyObject *facts, Py_ssize_t which, long long *out)
{
  long slot = PyLong_AsLong(PyTuple_GetItem(facts, which));
  PyObject *offset = slot < 0 ? NULL : try->slots[slot];
  *out = offset && PyLong_Check(offset) ? PyLong_AsLongLong(offset) : 0;
  return !PyErr_Occurred();
}

/* facts: (slot of the first one's offset, slot of the second one's, whether it follows) */
static bool lies_as(const Guard *guard, const Try *try)
{
  long long first, second;
  PyObject *facts = guard->object;
  if (!begin_of(try, facts, 0, &first) || !begin_of(try, facts, 1, &second)) return false;
  uint64_t wanted = try->addresses[guard->slot] + (uint64_t)((first + 1) * guard->number);
  bool follows = try->addresses[guard->to] + (uint64_t)(second * guard->number) == wanted;
  return follows == (PyTuple_GetItem(facts, 2) == Py_True);
}

/* facts: (slot of the element's number that the operand begins with, or -1; a count, or -1 for the
 * number in slot `to`; whether the operand goes backwards) */
static bool reaches(const Guard *guard, const Try *try)
{
  long long begin, wanted = PyLong_AsLongLong(PyTuple_GetItem(guard->object, 1));
  if (!begin_of(try, guard->object, 0, &begin)) return false;
  if (wanted < 0) {
    PyObject *number = PyNumber_Index(try->slots[guard->to]);
    wanted = number ? PyLong_AsLongLong(number) : -1;
    Py_XDECREF(number);
  }
  if (PyErr_Occurred() || wanted < 0 || begin < -1) return false;
  uint64_t count = try->counts[guard->slot], ahead = (uint64_t)begin;
  if (PyTuple_GetItem(guard->object, 2) == Py_True)
    return begin + 1 >= wanted && (begin < 0 || ahead < count);
  return begin >= 0 && ahead <= count && count - ahead >= (uint64_t)wanted;
}

static bool is_integer(PyObject *object, Py_ssize_t most)
{
  if (!most) return PyLong_Check(object) || (PyIndex_Check(object) && object != Py_None);
  if (!PyIndex_Check(object)) return false;
  Py_ssize_t value = PyNumber_AsSsize_t(object, NULL); /* of too great a number the greatest */
  if (value != -1 || !PyErr_Occurred()) return value <= most;
  PyErr_Clear();
  return false;
}

static bool holds(const Guard *guard, const Try *try)
{
  PyObject *answer = PyObject_CallFunctionObjArgs(guard->object, try->slots[guard->slot],
                                                  try->slots[guard->to], NULL);
  bool fits = answer && PyObject_IsTrue(answer) == 1;
  Py_XDECREF(answer);
  return fits;
}

static bool guard_fits(const Recipe *recipe, const Guard *guard, Try *try)
{
  PyObject *object = try->slots[guard->slot], *value, *dtype;
  uint64_t *address = &try->addresses[guard->slot], *count = &try->counts[guard->slot];
  switch (guard->kind) {
  case GUARD_same: return object == guard->object;
  case GUARD_given: return object != Py_None;
  case GUARD_type: return (PyObject *)Py_TYPE(object) == guard->object;
  case GUARD_equal: return is_equal(object, guard->object);
  case GUARD_again: return object == try->slots[guard->to];
  case GUARD_attribute:
    value = PyObject_GetAttr(object, guard->object);
    if (value) put(try, guard->to, value);
    return value != NULL;
  case GUARD_items: return take_items(try, guard, object);
  case GUARD_integer: return is_integer(object, guard->number);
  case GUARD_function: return same_function(object, guard->object);
  case GUARD_global:
    value = global_of(object, guard->object);
    if (value) put(try, guard->to, value);
    return value != NULL;
  case GUARD_absent:
    value = global_of(object, guard->object);
    Py_XDECREF(value);
    return !value;
  case GUARD_numpy:
    return numpy_dense(object, &dtype, address, count, guard->number) &&
           is_equal(dtype, guard->object);
  case GUARD_cupy:
    return attribute_is(object, name_dtype, guard->object) &&
           read_cupy(object, guard->number != 0, address, count);
  case GUARD_interface:
    return attribute_is(object, name_dtype, guard->object) &&
           read_interface(object, address, count);
  case GUARD_tensor: return read_tensor(object, recipe->device_slot, guard->number, address, count);
  case GUARD_next: return lies_as(guard, try);
  case GUARD_reaches: return reaches(guard, try);
  case GUARD_holds: return holds(guard, try);
  case GUARD_COUNT: break;
  }
  return false;
}

/* Whether a call is like the recipe's; then all slots are filled. */
static bool recipe_fits(const Recipe *recipe, PyObject *const *values, Try *try)
{
  Py_ssize_t given = recipe->positions + recipe->named;
  memcpy(try->slots, values, (size_t)given * sizeof *values);
  memset(try->is_filled, 0, (size_t)recipe->slot_count);
  for (int i = 0; i < recipe->guard_count; ++i)
    if (!guard_fits(recipe, &recipe->guards[i], try)) return false;
  return true;
}

static void try_end(const Recipe *recipe, Try *try)
{
  for (int i = (int)(recipe->positions + recipe->named); i < recipe->slot_count; ++i)
    if (try->is_filled[i]) Py_DECREF(try->slots[i]);
}

/* rows ----------------------------------------------------------------------------------------- */

/* An argument of the parameter's type from the bytes of one element. */
static bool argument_of_bytes(const void *bytes, const ck_param_t *param, ck_arg_t *out)
{
  union {
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    float f32;
    double f64;
  } value;
  if (param->dtype == CK_NONE) {
    *out = ck_struct(bytes, param->bytes);
    return true;
  }
  size_t size = ck_dtype_bytes(param->dtype);
  if (size > sizeof value) return false;
  memcpy(&value, bytes, size);
  switch (param->dtype) {
  case CK_BOOL: *out = ck_bool(value.u8); return true;
  case CK_I8: *out = ck_i8(value.i8); return true;
  case CK_I16: *out = ck_i16(value.i16); return true;
  case CK_I32: *out = ck_i32(value.i32); return true;
  case CK_I64: *out = ck_i64(value.i64); return true;
  case CK_U8: *out = ck_u8(value.u8); return true;
  case CK_U16: *out = ck_u16(value.u16); return true;
  case CK_U32: *out = ck_u32(value.u32); return true;
  case CK_U64: *out = ck_u64(value.u64); return true;
  case CK_F16: *out = ck_f16(value.u16); return true;
  case CK_BF16: *out = ck_bf16(value.u16); return true;
  case CK_F32: *out = ck_f32(value.f32); return true;
  case CK_F64: *out = ck_f64(value.f64); return true;
  default: return false;
  }
}

static bool argument_of_value(PyObject *value, const ck_param_t *param, ck_arg_t *out)
{
  char *bytes;
  Py_ssize_t size;
  PyObject *held;
  if (PyBytes_Check(value))
    return PyBytes_AsStringAndSize(value, &bytes, &size) == 0 && size == (Py_ssize_t)param->bytes &&
           argument_of_bytes(bytes, param, out);
  if (param->dtype == CK_NONE) return false;
  return scalar_read(value, param, 0, Py_None, Py_None, out, &held) == 0;
}

/* The address and the number of elements of a span. */
static bool read_span(const Row *row, const Try *try, uint64_t *address, uint64_t *count)
{
  *address = try->addresses[row->slot];
  *count = try->counts[row->slot];
  if (!*address) return false;
  if (row->more < 0) return true;
  PyObject *offset = try->slots[row->more];
  if (!PyLong_Check(offset)) return false;
  long long begin = PyLong_AsLongLong(offset);
  if (PyErr_Occurred()) return false;
  if (row->kind == ROW_before) {
    *count = (uint64_t)begin + 1;
    return begin >= -1;
  }
  *address += (uint64_t)begin * row->bytes;
  *count -= (uint64_t)begin;
  return begin <= (long long)try->counts[row->slot];
}

static bool read_limits(const Row *row, const Try *try, uint64_t *count)
{
  PyObject *number = PyNumber_Index(try->slots[row->other]);
  *count = number ? PyLong_AsUnsignedLongLong(number) + 1 : 0;
  Py_XDECREF(number);
  return !PyErr_Occurred();
}

typedef struct Spans {
  int count;
  int arguments[MANY_SPANS];
  uint64_t addresses[MANY_SPANS];
} Spans;

/* Two operands are one argument if they were one memory when the recipe was made: they have to be
 * again, and others mustn't be, as the text is another one then. */
static bool add_span(Spans *spans, const Row *row, const Try *try, ck_arg_t *out)
{
  uint64_t address, count;
  if (spans->count == MANY_SPANS || !read_span(row, try, &address, &count)) return false;
  if (row->kind == ROW_limits && !read_limits(row, try, &count)) return false;
  bool is_first = true;
  for (int i = 0; i < spans->count; ++i) {
    bool is_same = spans->arguments[i] == row->argument;
    if (is_same != (spans->addresses[i] == address)) return false;
    is_first &= !is_same;
  }
  if (is_first || out->count < count) *out = ck_address_span(address, count);
  spans->arguments[spans->count] = row->argument;
  spans->addresses[spans->count++] = address;
  return true;
}

/* Makes the arguments; `held` are objects whose bytes they point to. */
static bool make_arguments(const Recipe *recipe, const Try *try, ck_arg_t *args, PyObject **held)
{
  Spans spans;
  spans.count = 0;
  uint32_t count = kernel_param_count(recipe->kernel);
  for (int i = 0; i < recipe->row_count; ++i) {
    const Row *row = &recipe->rows[i];
    ck_arg_t *out = &args[row->argument];
    uint64_t address, elements;
    bool fits = true;
    if (row->kind == ROW_set) continue;
    const ck_param_t *param = kernel_param(recipe->kernel, (uint32_t)row->argument);
    switch (row->kind) {
    case ROW_number: fits = argument_of_value(try->slots[row->slot], param, out); break;
    case ROW_memory:
      fits = try->counts[row->slot] > 0 && row->bytes == param->bytes &&
             argument_of_bytes((const void *)(uintptr_t)try->addresses[row->slot], param, out);
      break;
    case ROW_call:
      held[row->argument] = PyObject_CallFunctionObjArgs(row->object, try->slots[row->slot], NULL);
      fits = held[row->argument] && argument_of_value(held[row->argument], param, out);
      break;
    case ROW_constant: fits = argument_of_value(row->object, param, out); break;
    default:
      if (!recipe->has_result || (uint32_t)row->argument + 1 < count)
        fits = add_span(&spans, row, try, out);
      else if ((fits = read_span(row, try, &address, &elements)))
        *out = ck_address_span(address, 1);
      break;
    }
    if (!fits) return false;
  }
  return true;
}

/* What a call without a stream, or with one, gives to the launch; false if the stream has to be
 * read by the function. A call on the host device waits, whatever its stream is. */
static bool choose_stream(const Recipe *recipe, const Try *try, PyObject **out)
{
  PyObject *given = recipe->stream_slot < 0 ? Py_None : try->slots[recipe->stream_slot];
  *out = NULL;
  if (recipe->device_slot == SLOT_HOST) {
    if (given == Py_None || Py_TYPE(given) == stream_type) return true;
    PyObject *number = helper_call("stream_handle", "(O)", given);
    Py_XDECREF(number);
    return number != NULL;
  }
  *out = given == Py_None ? recipe->stream : given;
  return !PyLong_Check(*out); /* the function refuses numbers */
}

static bool set_attributes(const Recipe *recipe, const Try *try)
{
  for (int i = 0; i < recipe->row_count; ++i) {
    const Row *row = &recipe->rows[i];
    if (row->kind == ROW_set &&
        PyObject_SetAttr(try->slots[row->slot], PyTuple_GetItem(row->object, 0),
                         PyTuple_GetItem(row->object, 1)) < 0)
      return false;
  }
  return true;
}

/* Launches a call: 1; 0 if it isn't like the recipe's, -1 with an exception if the launch failed.
 * Without `is_real`, only says whether it would be launched. */
static int recipe_run(const Recipe *recipe, PyObject *const *values, bool is_real)
{
  Try try;
  ck_arg_t args[MANY_ROWS];
  PyObject *held[MANY_ROWS], *stream;
  uint32_t count = kernel_param_count(recipe->kernel);
  memset(held, 0, count * sizeof *held);
  int result = recipe_fits(recipe, values, &try) && make_arguments(recipe, &try, args, held) &&
               choose_stream(recipe, &try, &stream);
  if (!result) {
    bool is_fault = PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception);
    if (is_fault) result = -1; /* such as KeyboardInterrupt */
    else PyErr_Clear();
  } else if (is_real) {
    Device *device = device_by_slot(recipe->device_slot);
    bool is_launched = device && kernel_launch(recipe->kernel, device, stream, args);
    if (!is_launched && PyErr_ExceptionMatches(PyExc_ValueError)) {
      PyErr_Clear(); /* a wrong argument: the function's exception names the operand */
      result = 0;
    } else {
      result = is_launched && set_attributes(recipe, &try) ? 1 : -1;
    }
  }
  for (uint32_t i = 0; i < count; ++i) Py_XDECREF(held[i]);
  try_end(recipe, &try);
  return result;
}

/* recipes -------------------------------------------------------------------------------------- */

static bool same_names(const Recipe *recipe, PyObject *names)
{
  for (Py_ssize_t i = 0; i < recipe->named; ++i) {
    PyObject *mine = PyTuple_GetItem(recipe->names, i), *theirs = PyTuple_GetItem(names, i);
    if (mine != theirs && PyUnicode_Compare(mine, theirs) != 0) return false;
  }
  return true;
}

static int kind_of(const char *const *names, int count, const char *name)
{
  for (int i = 0; i < count; ++i)
    if (strcmp(names[i], name) == 0) return i;
  PyErr_Format(PyExc_ValueError, "'%s' is no part of a recipe", name);
  return -1;
}

static int read_guards(Recipe *self, PyObject *list)
{
  Py_ssize_t count = PyList_Size(list);
  self->guards = count < 0 ? NULL : PyMem_Calloc((size_t)count + 1, sizeof *self->guards);
  for (Py_ssize_t i = 0; self->guards && i < count; ++i) {
    Guard *guard = &self->guards[i];
    const char *name;
    PyObject *object;
    int slot, to, kind;
    Py_ssize_t number;
    if (!PyArg_ParseTuple(PyList_GetItem(list, i), "siiOn", &name, &slot, &to, &object, &number) ||
        (kind = kind_of(guard_names, GUARD_COUNT, name)) < 0)
      return -1;
    *guard = (Guard){(GuardKind)kind, slot, to, number, object};
    Py_INCREF(object);
    self->guard_count = (int)i + 1;
    int last = kind == GUARD_items ? to + (int)number : to + 1;
    if (slot < 0 || slot >= self->slot_count || to < 0 || last > self->slot_count) {
      PyErr_Format(PyExc_ValueError, "a guard has slot %d or %d of %d", slot, to, self->slot_count);
      return -1;
    }
  }
  return self->guards ? 0 : -1;
}

static int read_rows(Recipe *self, PyObject *list)
{
  Py_ssize_t count = PyList_Size(list);
  uint32_t params = kernel_param_count(self->kernel);
  self->rows = count < 0 ? NULL : PyMem_Calloc((size_t)count + 1, sizeof *self->rows);
  for (Py_ssize_t i = 0; self->rows && i < count; ++i) {
    Row *row = &self->rows[i];
    const char *name;
    PyObject *object;
    int argument, slot, more, bytes, kind;
    if (!PyArg_ParseTuple(PyList_GetItem(list, i), "siiiiO", &name, &argument, &slot, &more, &bytes,
                          &object) ||
        (kind = kind_of(row_names, ROW_COUNT, name)) < 0)
      return -1;
    *row = (Row){(RowKind)kind, argument, slot, more, (uint32_t)bytes, 0, object};
    Py_INCREF(object);
    self->row_count = (int)i + 1;
    if (kind == ROW_limits) row->other = (int)PyLong_AsLong(object);
    if (PyErr_Occurred() || row->other < 0 || row->other >= self->slot_count) return -1;
    if (argument < 0 || argument >= (int)params || slot < 0 || slot >= self->slot_count ||
        more >= self->slot_count) {
      PyErr_Format(PyExc_ValueError, "a row has argument %d of %u", argument, params);
      return -1;
    }
  }
  return self->rows ? 0 : -1;
}

/* Makes a recipe of its description: (positions, names, slots, guards, rows, stream slot, kernel,
 * has_result, device slot, stream or None). */
static Recipe *recipe_make(PyObject *description)
{
  Py_ssize_t positions;
  PyObject *names, *guards, *rows, *kernel, *stream;
  int slots, stream_slot, has_result, device_slot;
  if (!PyArg_ParseTuple(description, "nO!iO!O!iO!piO", &positions, &PyTuple_Type, &names, &slots,
                        &PyList_Type, &guards, &PyList_Type, &rows, &stream_slot, kernel_type,
                        &kernel, &has_result, &device_slot, &stream))
    return NULL;
  Recipe *self = PyObject_GC_New(Recipe, recipe_type);
  if (!self) return NULL;
  memset((char *)self + sizeof(PyObject), 0, sizeof *self - sizeof(PyObject));
  self->positions = positions;
  self->named = PyTuple_Size(names);
  Py_INCREF(names);
  Py_INCREF(kernel);
  Py_INCREF(stream);
  self->names = names;
  self->kernel = kernel;
  self->stream = stream;
  self->slot_count = slots;
  self->stream_slot = stream_slot;
  self->device_slot = device_slot;
  self->has_result = has_result != 0;
  PyObject_GC_Track(self);
  if (slots > MANY_SLOTS || kernel_param_count(kernel) > MANY_ROWS || positions < 0 ||
      positions + self->named > slots || stream_slot >= slots)
    PyErr_Format(PyExc_ValueError, "a recipe has %d slots", slots);
  else if (read_guards(self, guards) == 0 && read_rows(self, rows) == 0) return self;
  Py_DECREF(self);
  return NULL;
}

static int recipe_traverse(PyObject *object, visitproc visit, void *arg)
{
  Recipe *self = (Recipe *)object;
  Py_VISIT(Py_TYPE(object));
  for (int i = 0; i < self->guard_count; ++i) Py_VISIT(self->guards[i].object);
  for (int i = 0; i < self->row_count; ++i) Py_VISIT(self->rows[i].object);
  Py_VISIT(self->kernel);
  Py_VISIT(self->stream);
  Py_VISIT(self->names);
  return 0;
}

/* It has no tp_clear: what makes cycles through a recipe is cut at its list. */
static void recipe_dealloc(PyObject *object)
{
  Recipe *self = (Recipe *)object;
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  for (int i = 0; i < self->guard_count; ++i) Py_XDECREF(self->guards[i].object);
  for (int i = 0; i < self->row_count; ++i) Py_XDECREF(self->rows[i].object);
  PyMem_Free(self->guards);
  PyMem_Free(self->rows);
  Py_XDECREF(self->names);
  Py_XDECREF(self->kernel);
  Py_XDECREF(self->stream);
  PyObject_GC_Del(object);
  Py_DECREF(type);
}

/* Puts a recipe in front; takes the reference. */
static void recipes_add(Recipes *self, Recipe *recipe)
{
  Recipe *last = self->count == MANY_RECIPES ? self->list[--self->count] : NULL;
  memmove(self->list + 1, self->list, (size_t)self->count * sizeof *self->list);
  self->list[0] = recipe;
  ++self->count;
  Py_XDECREF(last);
}

static void recipes_use(Recipes *self, const Recipe *recipe)
{
  for (int i = 1; i < self->count; ++i) {
    if (self->list[i] != recipe) continue;
    Recipe *moved = self->list[i];
    memmove(self->list + 1, self->list, (size_t)i * sizeof *self->list);
    self->list[0] = moved;
    return;
  }
}

static PyObject *call_function(Recipes *self, PyObject *const *args, Py_ssize_t count,
                               PyObject *names)
{
  Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  PyObject *positions = PyTuple_New(count), *keywords = PyDict_New(), *result = NULL;
  for (Py_ssize_t i = 0; positions && i < count; ++i) {
    Py_INCREF(args[i]);
    PyTuple_SetItem(positions, i, args[i]);
  }
  bool is_ready = positions && keywords;
  for (Py_ssize_t i = 0; is_ready && i < named; ++i)
    is_ready = PyDict_SetItem(keywords, PyTuple_GetItem(names, i), args[count + i]) == 0;
  if (is_ready) result = PyObject_Call(self->function, positions, keywords);
  Py_XDECREF(positions);
  Py_XDECREF(keywords);
  return result;
}

/* Makes a recipe of a call that was launched. One that the call itself doesn't fit is not kept. */
static int learn(Recipes *self, PyObject *built, PyObject *const *args, Py_ssize_t count,
                 PyObject *names)
{
  Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  PyObject *values = PyTuple_New(count + named), *all = PyTuple_New(named), *description = NULL;
  for (Py_ssize_t i = 0; values && i < count + named; ++i) {
    Py_INCREF(args[i]);
    PyTuple_SetItem(values, i, args[i]);
  }
  for (Py_ssize_t i = 0; all && i < named; ++i) {
    PyObject *name = PyTuple_GetItem(names, i);
    Py_INCREF(name);
    PyUnicode_InternInPlace(&name);
    PyTuple_SetItem(all, i, name);
  }
  if (values && all) description = PyObject_CallMethod(built, "recipe", "(OO)", all, values);
  Py_XDECREF(values);
  Py_XDECREF(all);
  if (!description) return -1;
  Recipe *made = description == Py_None ? NULL : recipe_make(description);
  int result = description == Py_None || made ? 0 : -1;
  Py_DECREF(description);
  int fits = made ? recipe_run(made, args, false) : 0;
  if (fits == 1) recipes_add(self, made);
  else Py_XDECREF((PyObject *)made);
  return fits < 0 ? -1 : result;
}

static PyObject *recipes_call(PyObject *object, PyObject *const *args, size_t count_and_flag,
                              PyObject *names)
{
  Recipes *self = (Recipes *)object;
  Py_ssize_t count = CALL_COUNT(count_and_flag), named = names ? PyTuple_Size(names) : 0;
  for (int i = 0; i < self->count; ++i) {
    Recipe *recipe = self->list[i];
    if (recipe->positions != count || recipe->named != named || !same_names(recipe, names))
      continue;
    Py_INCREF(recipe);
    int result = recipe_run(recipe, args, true);
    if (result == 1 && i) recipes_use(self, recipe);
    Py_DECREF(recipe);
    if (result < 0) return NULL;
    if (result) {
      Py_INCREF(self->answer);
      return self->answer;
    }
  }
  PyObject *result = call_function(self, args, count, names);
  if (!result || (PyObject *)Py_TYPE(result) != self->built) return result;
  PyObject *nothing = learn(self, result, args, count, names) < 0
                          ? NULL
                          : PyObject_CallMethod(result, "finish", NULL);
  Py_DECREF(result);
  if (!nothing) return NULL;
  Py_DECREF(nothing);
  Py_INCREF(self->answer);
  return self->answer;
}

/* The same from a tuple and a dictionary. */
static PyObject *recipes_call_tuple(PyObject *self, PyObject *args, PyObject *keywords)
{
  Py_ssize_t count = PyTuple_Size(args), named = keywords ? PyDict_Size(keywords) : 0, at = 0;
  PyObject **all = PyMem_Malloc((size_t)(count + named + 1) * sizeof *all), *key, *value;
  PyObject *names = PyTuple_New(named), *result = NULL;
  for (Py_ssize_t i = 0; all && i < count; ++i) all[i] = PyTuple_GetItem(args, i);
  for (Py_ssize_t i = 0; all && names && named && PyDict_Next(keywords, &at, &key, &value); ++i) {
    all[count + i] = value;
    Py_INCREF(key);
    PyTuple_SetItem(names, i, key);
  }
  if (!all) PyErr_NoMemory();
  else if (names) result = recipes_call(self, all, (size_t)count, names);
  Py_XDECREF(names);
  PyMem_Free(all);
  return result;
}

/* Recipes(function, built, answer) */
static PyObject *recipes_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"function", "built", "answer", NULL};
  PyObject *function, *built, *answer = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|O:Recipes", names, &function, &built,
                                   &answer))
    return NULL;
  Recipes *self = PyObject_GC_New(Recipes, type);
  if (!self) return NULL;
  memset((char *)self + sizeof(PyObject), 0, sizeof *self - sizeof(PyObject));
  self->call = recipes_call;
  Py_INCREF(function);
  Py_INCREF(built);
  Py_INCREF(answer);
  self->function = function;
  self->built = built;
  self->answer = answer;
  PyObject_GC_Track(self);
  return (PyObject *)self;
}

static void drop_all(Recipes *self)
{
  while (self->count) Py_DECREF(self->list[--self->count]);
}

static int recipes_traverse(PyObject *object, visitproc visit, void *arg)
{
  Recipes *self = (Recipes *)object;
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->function);
  Py_VISIT(self->built);
  Py_VISIT(self->answer);
  for (int i = 0; i < self->count; ++i) Py_VISIT(self->list[i]);
  return 0;
}

static int recipes_clear(PyObject *object)
{
  drop_all((Recipes *)object);
  return 0;
}

static void recipes_dealloc(PyObject *object)
{
  Recipes *self = (Recipes *)object;
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  drop_all(self);
  Py_XDECREF(self->function);
  Py_XDECREF(self->built);
  Py_XDECREF(self->answer);
  PyObject_GC_Del(object);
  Py_DECREF(type);
}

static PyObject *recipes_forget(PyObject *self, PyObject *nothing)
{
  (void)nothing;
  drop_all((Recipes *)self);
  Py_RETURN_NONE;
}

/* As an attribute of a class it is a method. */
static PyObject *recipes_bind(PyObject *self, PyObject *owner, PyObject *type)
{
  (void)type;
  if (owner && owner != Py_None)
    return PyObject_CallFunctionObjArgs(method_type, self, owner, NULL);
  Py_INCREF(self);
  return self;
}

/* What it doesn't have is the function's: __name__, __signature__ and others. */
static PyObject *recipes_attribute(PyObject *self, PyObject *name)
{
  PyObject *found = PyObject_GenericGetAttr(self, name);
  if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
  PyErr_Clear();
  return PyObject_GetAttr(((Recipes *)self)->function, name);
}

static PyObject *recipes_of_function(PyObject *self, void *name)
{
  return PyObject_GetAttrString(((Recipes *)self)->function, name);
}

static PyObject *recipes_length(PyObject *self, void *unused)
{
  (void)unused;
  return PyLong_FromLong(((Recipes *)self)->count);
}

static PyObject *recipes_reduce(PyObject *self, PyObject *nothing)
{
  (void)nothing;
  return PyObject_GetAttrString(((Recipes *)self)->function, "__qualname__");
}

static PyObject *recipes_repr(PyObject *self)
{
  PyObject *name = PyObject_GetAttrString(((Recipes *)self)->function, "__qualname__");
  PyObject *text = name ? PyUnicode_FromFormat("<function %U of cokernel.compute>", name) : NULL;
  Py_XDECREF(name);
  return text;
}

static PyGetSetDef recipes_fields[] = {
    {"__doc__", recipes_of_function, NULL, NULL, "__doc__"},
    {"__module__", recipes_of_function, NULL, NULL, "__module__"},
    {"known", recipes_length, NULL, "How many recipes there are.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef recipes_methods[] = {
    {"forget", recipes_forget, METH_NOARGS, "forget(): drops all recipes."},
    {"__reduce__", recipes_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};
static PyMemberDef recipes_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Recipes, call), READONLY, NULL},
    {"__wrapped__", T_OBJECT, offsetof(Recipes, function), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}};
static PyType_Slot recipes_slots[] = {{Py_tp_new, recipes_new},
                                      {Py_tp_dealloc, recipes_dealloc},
                                      {Py_tp_traverse, recipes_traverse},
                                      {Py_tp_clear, recipes_clear},
                                      {Py_tp_repr, recipes_repr},
                                      {Py_tp_call, recipes_call_tuple},
                                      {Py_tp_getattro, recipes_attribute},
                                      {Py_tp_descr_get, recipes_bind},
                                      {Py_tp_getset, recipes_fields},
                                      {Py_tp_methods, recipes_methods},
                                      {Py_tp_members, recipes_members},
                                      {0, NULL}};
static PyType_Spec recipes_spec = {
    "cokernel._core.Recipes", sizeof(Recipes), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | HAVE_VECTORCALL | IS_METHOD, recipes_slots};

static PyType_Slot recipe_slots[] = {
    {Py_tp_dealloc, recipe_dealloc}, {Py_tp_traverse, recipe_traverse}, {0, NULL}};
static PyType_Spec recipe_spec = {"cokernel._core.Recipe", sizeof(Recipe), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, recipe_slots};

int recipe_add(PyObject *module)
{
  static const struct {
    PyObject **name;
    const char *text;
  } names[] = {{&name_code, "__code__"},
               {&name_defaults, "__defaults__"},
               {&name_globals, "__globals__"},
               {&name_data, "data"},
               {&name_ptr, "ptr"},
               {&name_dtype, "dtype"},
               {&name_size, "size"},
               {&name_flags, "flags"},
               {&name_c, "c_contiguous"},
               {&name_f, "f_contiguous"},
               {&name_own_c, "_c_contiguous"},
               {&name_own_f, "_f_contiguous"},
               {&name_shape, "shape"},
               {&name_interface, "__cuda_array_interface__"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!(*names[i].name = PyUnicode_InternFromString(names[i].text))) return -1;
  PyObject *types = PyImport_ImportModule("types");
  function_type = types ? (PyTypeObject *)PyObject_GetAttrString(types, "FunctionType") : NULL;
  method_type = types ? PyObject_GetAttrString(types, "MethodType") : NULL;
  Py_XDECREF(types);
  recipe_type = (PyTypeObject *)PyType_FromSpec(&recipe_spec);
  recipes_type = (PyTypeObject *)PyType_FromSpec(&recipes_spec);
  if (!function_type || !method_type || !recipe_type || !recipes_type) return -1;
  return PyModule_AddObjectRef(module, "Recipes", (PyObject *)recipes_type);
}
