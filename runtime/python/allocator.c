/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* allocator.c - lets a device take its memory from functions in Python, such as the pools of CuPy
 * and PyTorch.
 *
 * The runtime calls the functions in stream order, as it would call a pool's. An exception becomes
 * CK_OUT_OF_MEMORY, and is shown as an exception that nobody could be told of.
 */
#include "core.h"

typedef struct Functions {
  PyObject *allocate, *deallocate; /* allocate(bytes, handle) -> address; deallocate(address) */
} Functions;

static ck_status_t do_allocate(void *data, size_t bytes, ck_stream_t *stream, uint64_t *out_address,
                               void **out_host)
{
  const Functions *functions = data;
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *handle = PyLong_FromVoidPtr(stream ? ck_stream_native(stream) : NULL);
  PyObject *size = PyLong_FromSize_t(bytes), *address = NULL;
  if (handle && size)
    address = PyObject_CallFunctionObjArgs(functions->allocate, size, handle, NULL);
  *out_address = address ? PyLong_AsUnsignedLongLong(address) : 0;
  *out_host = NULL;
  ck_status_t status = CK_OK;
  if (PyErr_Occurred()) {
    PyErr_WriteUnraisable(functions->allocate);
    status = CK_OUT_OF_MEMORY;
  }
  Py_XDECREF(address);
  Py_XDECREF(size);
  Py_XDECREF(handle);
  PyGILState_Release(state);
  return status;
}

static void do_deallocate(void *data, uint64_t address, size_t bytes, ck_stream_t *stream)
{
  const Functions *functions = data;
  (void)bytes;
  (void)stream;
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *number = PyLong_FromUnsignedLongLong(address);
  PyObject *done =
      number ? PyObject_CallFunctionObjArgs(functions->deallocate, number, NULL) : NULL;
  if (!done) PyErr_WriteUnraisable(functions->deallocate);
  Py_XDECREF(done);
  Py_XDECREF(number);
  PyGILState_Release(state);
}

static void do_destroy(void *data)
{
  Functions *functions = data;
  PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF(functions->allocate);
  Py_DECREF(functions->deallocate);
  PyMem_Free(functions);
  PyGILState_Release(state);
}

/* set_allocator(device, allocate, deallocate): None for both: the device's own pool. */
static PyObject *set_allocator(PyObject *unused, PyObject *args)
{
  PyObject *device_given, *allocate, *deallocate;
  (void)unused;
  if (!PyArg_ParseTuple(args, "OOO", &device_given, &allocate, &deallocate)) return NULL;
  Device *device = device_of(device_given);
  if (!device) return NULL;
  ck_memory_resource_t *resource = NULL;
  ck_status_t status = CK_OK;
  if (allocate != Py_None) {
    Functions *functions = PyMem_Malloc(sizeof *functions);
    if (!functions) return PyErr_NoMemory();
    Py_INCREF(allocate);
    Py_INCREF(deallocate);
    *functions = (Functions){allocate, deallocate};
    const ck_memory_functions_t table = {.struct_size = sizeof table,
                                         .allocate = do_allocate,
                                         .deallocate = do_deallocate,
                                         .destroy = do_destroy,
                                         .data = functions,
                                         .flags = CK_MEMORY_DEVICE |
                                                  (device->slot == SLOT_HOST ? CK_MEMORY_HOST : 0)};
    status = ck_memory_resource_from_functions(device->device, &table, &resource);
    if (status != CK_OK) do_destroy(functions);
  }
  if (status == CK_OK) status = ck_device_set_memory_resource(device->device, resource);
  ck_memory_resource_release(resource);
  if (status != CK_OK) return fail(status, NULL);
  Py_RETURN_NONE;
}

static PyMethodDef functions_[] = {
    {"set_allocator", set_allocator, METH_VARARGS, "For the package alone."},
    {NULL, NULL, 0, NULL}};

int allocator_add(PyObject *module)
{
  return PyModule_AddFunctions(module, functions_);
}
