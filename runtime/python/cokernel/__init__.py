# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""__init__.py - the package cokernel: CK kernels and algorithms from Python.

    import cokernel as ck, numpy as np
    m = ck.compile('''
    kernel saxpy(n: u64, a: f32, x: in f32[n], y: inout f32[n]) launch(block = 256, grid = ceil_div(n, 256))
    {
        let i = grid.thread_rank;
        if (i < n) y[i] = a * x[i] + y[i];
    }''')
    x, y = np.arange(4, dtype="f4"), np.ones(4, "f4")
    m.saxpy(a=2, x=x, y=y)          # n comes from the shapes; y is [1, 3, 5, 7]

Arrays of NumPy run on the host device, those of CuPy, PyTorch, JAX and Numba on their GPU. docs/python.md
is the tour.
"""
from . import _core, _dtypes, _modules, errors
from ._allocators import use_allocator
from ._core import Array, Code, Device, Event, Graph, Kernel, Stream, cache_clear, cache_stats, \
    current_stream, device_count, version, view
from ._tune import tune
from ._modules import Instances, Module, compile, import_module, load  # noqa: A004
from .errors import ArgumentError, ArgumentTypeError, CompileError, DriverError, Error, FileError, \
    InternalError, KernelFault, NotFoundError, NotReadyError, OutOfMemoryError, RangeError, \
    UnavailableError, UnsupportedError

__version__ = version()


def empty(shape, dtype="f32", *, device=None, stream=None):
    """An array of a device, with undefined contents.

    dtype   NumPy's, or a type of CK: "bf16", "f32x4"
    stream  the memory is allocated and freed in its order; None: the current or the default stream
    """
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    code, bits, lanes, layout = _dtypes.codes(dtype)
    return _core.empty(device, stream, code, bits, lanes, shape, layout)


def zeros(shape, dtype="f32", *, device=None, stream=None):
    """The same, filled with zeros."""
    import numpy as np  # pylint: disable=import-outside-toplevel
    array = empty(shape, dtype, device=device, stream=stream)
    return array.copy_from(np.zeros(array.shape, array.dtype), stream)


def asarray(source, dtype=None, *, device=None, stream=None):
    """A copy of NumPy's array, or of what NumPy makes one of, on a device."""
    import numpy as np  # pylint: disable=import-outside-toplevel
    source = np.asarray(source)
    kind = source.dtype if dtype is None else dtype
    array = empty(source.shape, kind, device=device, stream=stream)
    return array.copy_from(source.astype(array.dtype, copy=False), stream)


def graph(device=None):
    """`with ck.graph() as g:` captures the launches of this thread on the device; g.launch() runs
    them."""
    return Graph(device)


def load_ipython_extension(shell):
    """`%load_ext cokernel` in a notebook: the cell magic %%ck."""
    from ._magic import register  # pylint: disable=import-outside-toplevel
    register(shell)


__all__ = ["Array", "ArgumentError", "ArgumentTypeError", "Code", "CompileError", "Device",
           "DriverError", "Error", "Event", "FileError", "Graph", "Instances", "InternalError",
           "Kernel", "KernelFault", "Module", "NotFoundError", "NotReadyError", "OutOfMemoryError",
           "RangeError", "Stream", "UnavailableError", "UnsupportedError", "asarray", "cache_clear",
           "cache_stats", "compile", "current_stream", "device_count", "empty", "errors", "graph",
           "import_module", "load", "tune", "use_allocator", "version", "view", "zeros"]
