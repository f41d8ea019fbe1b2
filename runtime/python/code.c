/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* code.c - compiled code: from CK text, from CUDA C++ and other languages, by linking pieces, and
 * from files.
 *
 * The functions here take what ck/compile.h, ck/program.h and ck/linker.h take, nearly as it is;
 * the package has the functions for users. The interpreter is released while something is compiled.
 */
#include "core.h"

PyTypeObject *code_type;

static PyObject *code_wrap(ck_object_code_t *code)
{
  Code *self = PyObject_New(Code, code_type);
  if (self) self->code = code;
  else ck_object_code_release(code);
  return (PyObject *)self;
}

/* Reads a list of str into an array of texts that the list lends. */
static int read_texts(PyObject *list, const char ***out, size_t *out_count)
{
  Py_ssize_t count = list && list != Py_None ? PyList_Size(list) : 0;
  *out = NULL;
  *out_count = 0;
  if (count < 0) return -1;
  if (!count) return 0;
  const char **texts = PyMem_Malloc((size_t)count * sizeof *texts);
  if (!texts) {
    PyErr_NoMemory();
    return -1;
  }
  *out = texts;
  for (Py_ssize_t i = 0; i < count; ++i) {
    texts[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
    if (!texts[i]) return -1;
  }
  *out_count = (size_t)count;
  return 0;
}

/* Sets the exception of a compilation that failed; returns NULL. */
static PyObject *compile_fault(ck_status_t status, const ck_program_t *program, const char *file,
                               const char *text, Py_ssize_t bytes)
{
  if (status != CK_COMPILE || !program || !*ck_program_log(program)) return fail(status, NULL);
  return set_exception(helper_call("error_of_compile", "(sss#)", ck_program_log(program),
                                   file ? file : "kernel.ck", text, bytes));
}

/* Compiles a program whose creation gave `status`, and releases it: (Code, log), or NULL with an
 * exception set. `text` is the source, for the lines that the exception shows. */
static PyObject *compile_program(ck_status_t status, ck_program_t *program, Device *device,
                                 const char *name, const char *text, Py_ssize_t bytes)
{
  ck_object_code_t *code = NULL;
  if (status == CK_OK) {
    PyThreadState *thread = PyEval_SaveThread();
    status = ck_program_compile(program, device ? device->device : NULL, &code);
    PyEval_RestoreThread(thread);
  }
  PyObject *result = status == CK_OK
                         ? Py_BuildValue("(Ns)", code_wrap(code), ck_program_log(program))
                         : compile_fault(status, program, name, text, bytes);
  ck_program_release(program);
  return result;
}

/* compile(text, device or None, *, file_name, target, defines, instances, import_folders,
 * tuning_file, flags, opt_level, backend, problem_size) */
static PyObject *compile(PyObject *unused, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"text",      "device",         "file_name",   "target", "defines",
                          "instances", "import_folders", "tuning_file", "flags",  "opt_level",
                          "backend",   "problem_size",   "emit",        NULL};
  const char *text, *file_name = NULL, *target = NULL, *tuning = NULL;
  Py_ssize_t bytes;
  PyObject *device_given, *defines = NULL, *instances = NULL, *folders = NULL;
  unsigned flags = 0;
  int level = 0, backend = 0, emit = 0;
  unsigned long long size = 0;
  (void)unused;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "s#O|$zzOOOzIiiKi:compile", names, &text, &bytes,
                                   &device_given, &file_name, &target, &defines, &instances,
                                   &folders, &tuning, &flags, &level, &backend, &size, &emit))
    return NULL;
  Device *device = NULL;
  if (device_given != Py_None && !(device = device_of(device_given))) return NULL;
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  options.file_name = file_name;
  options.target = target;
  options.tuning_file = tuning;
  options.flags = flags;
  options.opt_level = (ck_opt_level_t)level;
  options.backend = (ck_backend_t)backend;
  options.emit = (ck_emit_t)emit;
  options.problem_size = size;
  const char **lists[3] = {NULL, NULL, NULL};
  PyObject *result = NULL;
  if (read_texts(defines, &lists[0], &options.define_count) == 0 &&
      read_texts(instances, &lists[1], &options.instance_count) == 0 &&
      read_texts(folders, &lists[2], &options.import_folder_count) == 0) {
    options.defines = lists[0];
    options.instances = lists[1];
    options.import_folders = lists[2];
    ck_program_t *program = NULL;
    ck_status_t status = ck_program_create(text, (size_t)bytes, &options, &program);
    result = compile_program(status, program, device, file_name, text, bytes);
  }
  for (int i = 0; i < 3; ++i) PyMem_Free(lists[i]);
  return result;
}

static PyObject *code_from_file(PyObject *unused, PyObject *path)
{
  const char *text = PyUnicode_AsUTF8AndSize(path, NULL);
  ck_object_code_t *code;
  (void)unused;
  if (!text) return NULL;
  ck_status_t status = ck_object_code_from_file(text, &code);
  return status == CK_OK ? code_wrap(code) : fail(status, NULL);
}

static void code_dealloc(PyObject *self)
{
  PyTypeObject *type = Py_TYPE(self);
  ck_object_code_release(((Code *)self)->code);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *code_names(PyObject *self, void *unused)
{
  const ck_object_code_t *code = ((Code *)self)->code;
  size_t count = ck_object_code_kernel_count(code);
  (void)unused;
  PyObject *names = PyTuple_New((Py_ssize_t)count);
  for (size_t i = 0; names && i < count; ++i) {
    PyObject *name = PyUnicode_FromString(ck_object_code_kernel_name(code, i));
    if (!name || PyTuple_SetItem(names, (Py_ssize_t)i, name) < 0) Py_CLEAR(names);
  }
  return names;
}

static PyObject *code_manifest(PyObject *self, void *unused)
{
  (void)unused;
  return PyUnicode_FromString(ck_object_code_manifest(((Code *)self)->code));
}

static PyObject *code_bytes(PyObject *self, PyObject *unused)
{
  size_t bytes;
  const void *data;
  (void)unused;
  PyThreadState *thread = PyEval_SaveThread();
  data = ck_object_code_bytes(((Code *)self)->code, &bytes);
  PyEval_RestoreThread(thread);
  if (!data) return fail(CK_COMPILE, NULL);
  return PyBytes_FromStringAndSize(data, (Py_ssize_t)bytes);
}

static PyObject *code_save(PyObject *self, PyObject *path)
{
  const char *text = PyUnicode_AsUTF8AndSize(path, NULL);
  if (!text) return NULL;
  ck_status_t status = ck_object_code_save(((Code *)self)->code, text);
  if (status != CK_OK) return fail(status, NULL);
  Py_RETURN_NONE;
}

static PyGetSetDef code_fields[] = {
    {"names", code_names, NULL, "The names of the kernels and algorithms.", NULL},
    {"manifest", code_manifest, NULL, "The manifest, as JSON.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef code_methods[] = {
    {"bytes", code_bytes, METH_NOARGS, "The code with its manifest."},
    {"save", code_save, METH_O, "save(path): writes the code with its manifest to a file."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot code_slots[] = {{Py_tp_doc, "Compiled code."},
                                   {Py_tp_dealloc, code_dealloc},
                                   {Py_tp_getset, code_fields},
                                   {Py_tp_methods, code_methods},
                                   {0, NULL}};
static PyType_Spec code_spec = {"cokernel.Code", sizeof(Code), 0, Py_TPFLAGS_DEFAULT, code_slots};

/* compile_source(kind, text, device, *, name, target, emit, name_expressions, include_paths, std):
 * (Code, log); `kind` is a ck_program_kind_t. */
static PyObject *compile_source(PyObject *unused, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"kind",   "text", "device",           "name",
                          "target", "emit", "name_expressions", "include_paths",
                          "std",    NULL};
  const char *text, *name = NULL, *target = NULL, *standard = NULL;
  Py_ssize_t bytes;
  int kind, emit = 0;
  PyObject *device_given, *expressions = NULL, *folders = NULL, *result = NULL;
  (void)unused;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "is#O|$zziOOz:compile_source", names, &kind,
                                   &text, &bytes, &device_given, &name, &target, &emit,
                                   &expressions, &folders, &standard))
    return NULL;
  Device *device = NULL;
  if (device_given != Py_None && !(device = device_of(device_given))) return NULL;
  ck_program_options_t options = CK_OPTIONS_INIT(ck_program_options_t);
  options.name = name;
  options.target = target;
  options.emit = (ck_emit_t)emit;
  options.std = standard;
  const char **lists[2] = {NULL, NULL};
  if (read_texts(expressions, &lists[0], &options.name_expression_count) == 0 &&
      read_texts(folders, &lists[1], &options.include_path_count) == 0) {
    options.name_expressions = lists[0];
    options.include_paths = lists[1];
    ck_program_t *program = NULL;
    ck_status_t status =
        ck_program_from_source((ck_program_kind_t)kind, text, (size_t)bytes, &options, &program);
    result = compile_program(status, program, device, name, text, bytes);
  }
  for (int i = 0; i < 2; ++i) PyMem_Free(lists[i]);
  return result;
}

/* link(pieces, device, emit=0): Code of Codes and bytes. */
static PyObject *link_pieces(PyObject *unused, PyObject *args)
{
  PyObject *pieces, *device_given;
  int emit = 0;
  (void)unused;
  if (!PyArg_ParseTuple(args, "OO|i:link", &pieces, &device_given, &emit)) return NULL;
  Device *device = device_of(device_given);
  ck_linker_t *linker;
  if (!device) return NULL;
  ck_status_t status = ck_linker_create(device->device, NULL, &linker);
  if (status != CK_OK) return fail(status, NULL);
  Py_ssize_t count = PySequence_Size(pieces);
  for (Py_ssize_t i = 0; i < count && status == CK_OK && !PyErr_Occurred(); ++i) {
    PyObject *piece = PySequence_GetItem(pieces, i);
    char *data;
    Py_ssize_t bytes;
    if (piece && Py_TYPE(piece) == code_type)
      status = ck_linker_add_code(linker, ((Code *)piece)->code);
    else if (piece && PyBytes_AsStringAndSize(piece, &data, &bytes) == 0)
      status = ck_linker_add(linker, CK_LINK_ANY, data, (size_t)bytes, NULL);
    Py_XDECREF(piece);
  }
  ck_object_code_t *code = NULL;
  if (status == CK_OK && !PyErr_Occurred()) {
    PyThreadState *thread = PyEval_SaveThread();
    status = ck_linker_link(linker, (ck_emit_t)emit, &code);
    PyEval_RestoreThread(thread);
  }
  PyObject *result = status == CK_OK && code ? code_wrap(code) : fail(status, NULL);
  ck_linker_release(linker);
  return result;
}

static PyObject *code_from_bytes(PyObject *unused, PyObject *data)
{
  char *bytes;
  Py_ssize_t size;
  ck_object_code_t *code;
  (void)unused;
  if (PyBytes_AsStringAndSize(data, &bytes, &size) < 0) return NULL;
  ck_status_t status = ck_object_code_from_bytes(bytes, (size_t)size, &code);
  return status == CK_OK ? code_wrap(code) : fail(status, NULL);
}

static PyMethodDef functions[] = {
    {"compile", (PyCFunction)(void (*)(void))compile, METH_VARARGS | METH_KEYWORDS,
     "compile(text, device, *, options): (Code, log); for the package."},
    {"compile_source", (PyCFunction)(void (*)(void))compile_source, METH_VARARGS | METH_KEYWORDS,
     "compile_source(kind, text, device, *, options): (Code, log); for the package."},
    {"link", link_pieces, METH_VARARGS, "link(pieces, device, emit=0): Code."},
    {"code_from_file", code_from_file, METH_O, "code_from_file(path): Code."},
    {"code_from_bytes", code_from_bytes, METH_O, "code_from_bytes(data): Code."},
    {NULL, NULL, 0, NULL}};

int code_add(PyObject *module)
{
  code_type = (PyTypeObject *)PyType_FromSpec(&code_spec);
  if (!code_type || PyModule_AddObjectRef(module, "Code", (PyObject *)code_type) < 0) return -1;
  return PyModule_AddFunctions(module, functions);
}
