# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""peer_plugin.py - a pytest plugin that runs the tests of cuda.compute against cokernel.compute.

    PYTHONPATH=build/python:test/python/peer pytest -p peer_plugin -p no:cacheprovider CCCL/python/cuda_cccl/tests/...

The tests are NVIDIA's, and run unchanged. The plugin puts cokernel.compute where they import
cuda.compute, and small modules where they import what only serves tests: of cuda.compute's own
files, of cuda.core (devices, streams, buffers, NVRTC), and of numba.cuda (atomics). Where CuPy is
missing, a stand-in over NumPy runs them on the host device (peer_cupy.py).
"""
import functools
import glob
import importlib
import importlib.machinery
import importlib.util
import os
import sys
import types

import numpy as np

from cokernel import _core, compute
from cokernel.compute import _arguments, _identity, algorithms, determinism, iterators, op, struct
from cokernel.compute import types as element_types


def _module(name, **contents):
    made = types.ModuleType(name)
    made.__spec__ = importlib.machinery.ModuleSpec(name, None)
    made.__dict__.update(contents)
    sys.modules[name] = made
    parent, _, last = name.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], last, made)
    return made


def _has(name):
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError, AttributeError):
        return False


if not _has("cupy"):
    import peer_cupy
    peer_cupy.install(_module)
if _has("cuda") and "cuda" not in sys.modules:
    importlib.import_module("cuda")
elif "cuda" not in sys.modules:
    _module("cuda").__path__ = []
if not _has("cuda.core"):
    import peer_core
    peer_core.install(_module)


# ---- numba.cuda -----------------------------------------------------------------------------------

if not _has("numba"):
    def _jit(function=None, **options):
        if function is None:
            return functools.partial(_jit, **options)
        return types.SimpleNamespace(py_func=function)

    _module("numba", types=types.SimpleNamespace()).__path__ = []
    _module("numba.cuda", atomic=compute.atomic, jit=_jit)


# ---- cuda.compute ---------------------------------------------------------------------------------


class TempStorageBuffer:
    """Scratch memory of the caller, which cokernel takes and doesn't need."""

    def __init__(self, size, stream=None):
        del stream
        self.nbytes, self._memory = size, np.zeros(max(1, size), np.uint8)

    @property
    def __cuda_array_interface__(self):
        return {"data": (self._memory.ctypes.data, False), "shape": (self.nbytes,), "strides": (1,),
                "typestr": "|u1", "version": 3}


class CachableFunction:
    """A function that equals those of the same code that capture equal values."""

    def __init__(self, function):
        self._key = (_identity.of_function(function), function.__name__, self._values(function))

    @staticmethod
    def _values(function):
        found = [c.cell_contents for c in function.__closure__ or ()]
        found += [function.__globals__.get(n) for n in function.__code__.co_names]
        return tuple(_make_hashable(v) for v in found if isinstance(v, (int, float, np.generic)))

    def __eq__(self, other):
        return self._key == other._key

    def __hash__(self):
        return hash(self._key)


def _make_hashable(value):
    if isinstance(value, np.generic):
        return (value.dtype.str, value.tobytes())
    return (type(value).__name__, value)


def _strides(shape, itemsize):
    made = []
    for extent in reversed(shape):
        made.insert(0, itemsize)
        itemsize *= extent
    return tuple(made)


def _include_paths():
    found = []
    for folder in sys.path + ["/usr/local/cuda"]:
        found += glob.glob(os.path.join(folder, "nvidia", "*", "include", "cccl"))
        found += glob.glob(os.path.join(folder, "nvidia", "*", "include"))
        found += glob.glob(os.path.join(folder, "include", "cccl")) + glob.glob(os.path.join(folder, "include"))
    return [f for f in found if os.path.exists(os.path.join(f, "cuda", "std", "algorithm"))
            or os.path.exists(os.path.join(f, "cuda_runtime.h"))]


@functools.lru_cache
def _compiled(source):
    """The LTO-IR of CUDA C++; of an iterator's kind, nothing: it counts what is compiled twice."""
    if not isinstance(source, str):
        return source
    target = _core.Device(None).target
    return _core.compile_source(1, source, None, target=target if target != "host" else "sm_90", emit=6,
                                include_paths=_include_paths())[0].bytes()


for _op in ("get_advance_op", "get_input_deref_op", "get_output_deref_op"):
    setattr(iterators.IteratorBase, _op, lambda self: _compiled(self.kind))
iterators.IteratorBase.state = property(lambda self: b"")
algorithms.Algorithm.op_cccl = property(lambda self: types.SimpleNamespace(ltoir=self.program.source.encode()))
algorithms.Algorithm.d_in_cccl = property(lambda self: types.SimpleNamespace(is_kind_iterator=lambda: True))

sys.modules["cuda.compute"] = compute
sys.modules["cuda"].compute = compute
compute.__path__ = list(compute.__path__)
for _name, _contents in {"iterators": iterators, "op": op, "types": element_types, "struct": struct,
                         "algorithms": algorithms, "determinism": determinism}.items():
    sys.modules[f"cuda.compute.{_name}"] = _contents
_module("cuda.compute._build_info", USING_V2=False)
_module("cuda.compute._cccl_interop", _check_sass=False)
_module("cuda.compute._caching", CachableFunction=CachableFunction, _make_hashable=_make_hashable)
_module("cuda.compute._cpp_compile", compile_cpp_op_code=_compiled, _get_include_paths=_include_paths)
_module("cuda.compute._utils").__path__ = []
_module("cuda.compute._utils.temp_storage_buffer", TempStorageBuffer=TempStorageBuffer)
_module("cuda.compute._utils.protocols", compute_c_contiguous_strides_in_bytes=_strides,
        get_dtype=_arguments.dtype_of, get_data_pointer=_arguments.address_of, is_device_array=_arguments.is_array)
_here = os.path.dirname(os.path.abspath(__file__))
_folders = [os.path.join(_here, "scripts"), _here, *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(f for f in _folders if f))
assert _core
