/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph.c - graphs: what is submitted to a stream inside of `with graph:` is captured, and runs as
 * often as the graph is launched.
 *
 * While the capture lasts, the graph's stream is the current one of the thread. The runtime keeps
 * the kernels and buffers of a graph; the Python objects are in a list here, as long as the graph
 * is.
 */
#include "core.h"

PyTypeObject *graph_type;

typedef struct Graph {
  PyObject_HEAD Device *device; /* a reference */
  ck_graph_builder_t *builder;
  PyObject *stream;  /* the Stream that is captured */
  PyObject *kept;    /* a list */
  ck_graph_t *graph; /* NULL until the capture has ended */
} Graph;

static PyObject *graph_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"device", NULL};
  PyObject *given = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:Graph", names, &given)) return NULL;
  Device *device = device_of(given);
  ck_graph_builder_t *builder;
  if (!device) return NULL;
  ck_status_t status = ck_graph_builder_create(device->device, &builder);
  if (status != CK_OK) return fail(status, NULL);
  Graph *self = PyObject_New(Graph, type);
  if (!self) {
    ck_graph_builder_release(builder);
    return NULL;
  }
  Py_INCREF(device);
  self->device = device;
  self->builder = builder;
  self->graph = NULL;
  self->kept = PyList_New(0);
  self->stream =
      self->kept ? stream_adopt(device, ck_stream_retain(ck_graph_builder_stream(builder))) : NULL;
  if (self->stream) return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

static void graph_dealloc(PyObject *object)
{
  Graph *self = (Graph *)object;
  PyTypeObject *type = Py_TYPE(object);
  ck_graph_release(self->graph);
  ck_graph_builder_release(self->builder);
  if (self->stream) Py_CLEAR(((Stream *)self->stream)->state->graph);
  Py_XDECREF(self->stream);
  Py_XDECREF(self->kept);
  Py_DECREF(self->device);
  PyObject_Free(object);
  Py_DECREF(type);
}

static PyObject *graph_enter(PyObject *object, PyObject *unused)
{
  Graph *self = (Graph *)object;
  (void)unused;
  if (self->graph)
    return fail_text("argument", NULL, "the graph has been captured: make a new one");
  ck_status_t status = ck_graph_builder_begin(self->builder, CK_CAPTURE_RELAXED);
  if (status != CK_OK) return fail(status, NULL);
  PyObject *entered = PyObject_CallMethod(self->stream, "__enter__", NULL);
  if (!entered) return NULL;
  Py_DECREF(entered);
  Py_INCREF(self->kept);
  ((Stream *)self->stream)->state->graph = self->kept;
  Py_INCREF(object);
  return object;
}

static PyObject *graph_exit(PyObject *object, PyObject *args)
{
  Graph *self = (Graph *)object;
  PyObject *type = PyTuple_Size(args) > 0 ? PyTuple_GetItem(args, 0) : Py_None;
  bool is_fine = type == Py_None;
  Py_CLEAR(((Stream *)self->stream)->state->graph);
  PyObject *left =
      PyObject_CallMethod(self->stream, "__exit__", "(OOO)", Py_None, Py_None, Py_None);
  Py_XDECREF(left);
  ck_status_t status = ck_graph_builder_end(self->builder);
  if (status == CK_OK && is_fine)
    status = ck_graph_builder_create_graph(self->builder, NULL, &self->graph);
  if (!is_fine) Py_RETURN_FALSE; /* what went wrong inside is the error */
  if (status != CK_OK) return fail(status, NULL);
  if (!left) return NULL;
  Py_RETURN_FALSE;
}

/* launch(stream=None) */
static PyObject *graph_launch(PyObject *object, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"stream", NULL};
  PyObject *given = Py_None;
  Graph *self = (Graph *)object;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:launch", names, &given)) return NULL;
  if (!self->graph)
    return fail_text("argument", NULL, "the graph hasn't been captured: `with graph:` does it");
  StreamState *stream = given == Py_None ? stream_current() : stream_of(given, self->device);
  if (!stream && PyErr_Occurred()) return NULL;
  if (!stream || (given == Py_None && stream->device != self->device))
    stream = stream_default(self->device);
  if (!stream) return NULL;
  ck_status_t status = ck_graph_launch(self->graph, stream->stream);
  if (status != CK_OK) return fail(status, NULL);
  if (given == Py_None && stream == self->device->stream && self->device->slot == SLOT_HOST)
    status = stream_sync(stream);
  else if (stream_hold(stream, object, 0) < 0 || stream_mark(stream) < 0) return NULL;
  if (status != CK_OK) return fail(status, NULL);
  Py_RETURN_NONE;
}

static PyObject *graph_get_stream(PyObject *self, void *unused)
{
  (void)unused;
  Py_INCREF(((Graph *)self)->stream);
  return ((Graph *)self)->stream;
}

static PyGetSetDef graph_fields[] = {
    {"stream", graph_get_stream, NULL, "The stream that is captured.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef graph_methods[] = {{"launch", (PyCFunction)(void (*)(void))graph_launch,
                                       METH_VARARGS | METH_KEYWORDS,
                                       "launch(stream=None): runs what was captured."},
                                      {"__enter__", graph_enter, METH_NOARGS, NULL},
                                      {"__exit__", graph_exit, METH_VARARGS, NULL},
                                      {NULL, NULL, 0, NULL}};
static PyType_Slot graph_slots[] = {
    {Py_tp_doc,
     "Graph(device=None): `with graph:` captures the launches of this thread on the device; "
     "`graph.launch()` runs them."},
    {Py_tp_new, graph_new},
    {Py_tp_dealloc, graph_dealloc},
    {Py_tp_getset, graph_fields},
    {Py_tp_methods, graph_methods},
    {0, NULL}};
static PyType_Spec graph_spec = {"cokernel.Graph", sizeof(Graph), 0, Py_TPFLAGS_DEFAULT,
                                 graph_slots};

int graph_add(PyObject *module)
{
  graph_type = (PyTypeObject *)PyType_FromSpec(&graph_spec);
  if (!graph_type) return -1;
  return PyModule_AddObjectRef(module, "Graph", (PyObject *)graph_type);
}
