/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* scalar.c - Python's numbers as scalar arguments: integers by range, floats with rounding, structs
 * by their bytes.
 *
 * The argument gets the parameter's own type, which is what a launch reads without a conversion. A
 * number that the type can't have is an error; a float is rounded to f32, f16 and bf16 as NumPy
 * rounds it, and only one that would become infinite is refused.
 */
#include "core.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char *const ranges[] = {
    [CK_BOOL] = "0 or 1",
    [CK_I8] = "-128 to 127",
    [CK_I16] = "-32768 to 32767",
    [CK_I32] = "-2147483648 to 2147483647",
    [CK_I64] = "-9223372036854775808 to 9223372036854775807",
    [CK_U8] = "0 to 255",
    [CK_U16] = "0 to 65535",
    [CK_U32] = "0 to 4294967295",
    [CK_U64] = "0 to 18446744073709551615",
    [CK_F16] = "up to 65504",
    [CK_BF16] = "up to 3.3895e38",
    [CK_F32] = "up to 3.4028e38",
    [CK_F64] = "up to 1.7977e308",
};

static int wrong_type(PyObject *value, const ck_param_t *param, uint32_t index, PyObject *kernel,
                      PyObject *place)
{
  PyErr_Clear();
  PyObject *name = helper_call("describe_value", "(O)", value), *layout = NULL;
  if (param->dtype == CK_NONE && param->layout)
    layout = helper_call("describe_layout", "(s)", param->layout);
  fail_text("type", place, "kernel '%s', argument %u '%s': expected %s%s, got %s: pass a %s",
            PyUnicode_AsUTF8AndSize(kernel, NULL), index + 1, param->name,
            param->dtype == CK_NONE ? "a struct" : ck_dtype_name(param->dtype),
            layout ? PyBytes_AsString(layout) : "", name ? PyBytes_AsString(name) : "another type",
            param->dtype == CK_NONE   ? "record of NumPy, a tuple or bytes"
            : param->dtype >= CK_F16  ? "number"
            : param->dtype == CK_BOOL ? "bool"
                                      : "whole number");
  Py_XDECREF(layout);
  Py_XDECREF(name);
  return -1;
}

static int out_of_range(PyObject *value, const ck_param_t *param, uint32_t index, PyObject *kernel,
                        PyObject *place)
{
  PyErr_Clear();
  PyObject *name = helper_call("describe_value", "(O)", value);
  fail_text("range", place, "kernel '%s', argument %u '%s': %s is out of the range of %s, %s",
            PyUnicode_AsUTF8AndSize(kernel, NULL), index + 1, param->name,
            name ? PyBytes_AsString(name) : "the number", ck_dtype_name(param->dtype),
            ranges[param->dtype]);
  Py_XDECREF(name);
  return -1;
}

static uint16_t half_bits(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
  if (isnan(value)) return sign | 0x7e00;
  double size = fabs(value);
  if (isinf(value) || size >= 65520) return sign | 0x7c00;
  if (size < 0x1p-14) return sign | (uint16_t)nearbyint(size * 0x1p24);
  int exponent;
  double fraction = frexp(size, &exponent); /* 0.5 <= fraction < 1 */
  uint32_t mantissa = (uint32_t)nearbyint(fraction * 2048);
  return sign | (uint16_t)(((uint32_t)(exponent + 14) << 10) + mantissa - 1024);
}

static uint16_t bfloat_bits(double value)
{
  float narrow = (float)value;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof bits);
  if (isnan(value)) return (uint16_t)(bits >> 16 | 0x40);
  /* Rounded once: what the conversion to f32 cut off decides between two equally near ones. */
  double exact = narrow;
  uint32_t half = bits & 0xffff, up = bits >> 16 & 1;
  if (half > 0x8000) up = 1;
  else if (half < 0x8000) up = 0;
  else if (exact != value) up = fabs(value) > fabs(exact);
  return (uint16_t)((bits >> 16) + up);
}

static int read_integer(PyObject *value, const ck_param_t *param, uint32_t index, PyObject *kernel,
                        PyObject *place, ck_arg_t *out)
{
  PyObject *number = value;
  if (Py_TYPE(value) == numpy_bool) {
    *out = ck_arg_signed(PyObject_IsTrue(value) > 0, param->dtype);
    return 0;
  }
  if (!PyLong_Check(value)) {
    if (PyFloat_Check(value) || !(number = PyNumber_Index(value)))
      return wrong_type(value, param, index, kernel, place);
  } else {
    Py_INCREF(number);
  }
  ck_dtype_t dtype = param->dtype;
  int over;
  long long low = PyLong_AsLongLongAndOverflow(number, &over);
  bool fits = !over;
  if (over > 0 && dtype == CK_U64) {
    unsigned long long high = PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    if (PyErr_Occurred()) return out_of_range(value, param, index, kernel, place);
    *out = ck_arg_unsigned(high, CK_U64);
    return 0;
  }
  Py_DECREF(number);
  unsigned bits = 8 * (unsigned)ck_dtype_bytes(dtype);
  if (dtype == CK_BOOL) fits = fits && (low == 0 || low == 1);
  else if (dtype >= CK_U8) fits = fits && low >= 0 && (bits == 64 || low >> bits == 0);
  else if (bits < 64) fits = fits && low >= -(1LL << (bits - 1)) && low < 1LL << (bits - 1);
  if (!fits) return out_of_range(value, param, index, kernel, place);
  *out = ck_arg_signed(low, dtype);
  return 0;
}

static int read_float(PyObject *value, const ck_param_t *param, uint32_t index, PyObject *kernel,
                      PyObject *place, ck_arg_t *out)
{
  double number;
  if (PyFloat_Check(value)) number = PyFloat_AsDouble(value);
  else {
    if (PyUnicode_Check(value) || PyBytes_Check(value))
      return wrong_type(value, param, index, kernel, place);
    number = PyFloat_AsDouble(value);
    if (number == -1 && PyErr_Occurred())
      return PyErr_ExceptionMatches(PyExc_OverflowError)
                 ? out_of_range(value, param, index, kernel, place)
                 : wrong_type(value, param, index, kernel, place);
  }
  bool is_infinite = false;
  switch (param->dtype) {
  case CK_F64: *out = ck_f64(number); break;
  case CK_F32:
    *out = ck_f32((float)number);
    is_infinite = isinf((float)number);
    break;
  case CK_F16:
    *out = ck_f16(half_bits(number));
    is_infinite = (out->value.u & 0x7fff) == 0x7c00;
    break;
  default:
    *out = ck_bf16(bfloat_bits(number));
    is_infinite = (out->value.u & 0x7fff) == 0x7f80;
    break;
  }
  return is_infinite && !isinf(number) ? out_of_range(value, param, index, kernel, place) : 0;
}

int scalar_read(PyObject *value, const ck_param_t *param, uint32_t index, PyObject *kernel,
                PyObject *place, ck_arg_t *out, PyObject **held)
{
  *held = NULL;
  if (param->dtype >= CK_F16) return read_float(value, param, index, kernel, place, out);
  if (param->dtype != CK_NONE) return read_integer(value, param, index, kernel, place, out);
  PyObject *bytes =
      helper_call("struct_bytes", "(OsI)", value, param->layout ? param->layout : "", param->bytes);
  if (!bytes) return -1;
  if (!PyBytes_Check(bytes)) {
    Py_DECREF(bytes);
    return wrong_type(value, param, index, kernel, place);
  }
  *held = bytes;
  *out = ck_struct(PyBytes_AsString(bytes), param->bytes);
  return 0;
}
