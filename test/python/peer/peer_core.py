# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""peer_core.py - a stand-in for cuda.core: what the tests' device arrays need, over NumPy or CuPy."""
import ctypes
import types

import numpy as np

from cokernel import _core

try:
    import cupy
    _HAS_GPU = hasattr(cupy, "cuda")
except ImportError:
    _HAS_GPU = False

_CUDA, _LTOIR, _COPY_DEFAULT = 1, 6, 4


class Stream:
    """A stream of a device."""

    def __init__(self, device, stream=None):
        self.device, self._stream = device, stream

    def __cuda_stream__(self):
        return (0, self._stream.ptr if self._stream is not None else 0)

    @property
    def handle(self):
        return self.__cuda_stream__()[1]

    def sync(self):
        if self._stream is not None:
            self._stream.synchronize()
        elif _HAS_GPU:
            cupy.cuda.runtime.deviceSynchronize()

    def close(self):
        pass


class Buffer:
    """Memory: of a device, or somebody's on the host."""

    def __init__(self, address, size, owner):
        self.handle, self.size, self._owner = address, size, owner

    @staticmethod
    def from_handle(ptr, size, owner=None, mr=None):
        del mr
        return Buffer(ptr, size, owner)

    def _copy(self, to, source, stream):
        size = min(self.size, to.size if to is not self else source.size)
        if _HAS_GPU:
            cupy.cuda.runtime.memcpyAsync(to.handle, source.handle, size, _COPY_DEFAULT, stream.handle)
        else:
            ctypes.memmove(to.handle, source.handle, size)

    def copy_from(self, source, *, stream):
        self._copy(self, source, stream)

    def copy_to(self, to, *, stream):
        self._copy(to, self, stream)


class Device:
    """The device."""

    def __init__(self, device_id=0):
        self.device_id = device_id

    @property
    def compute_capability(self):
        if not _HAS_GPU:
            return (9, 0)
        text = cupy.cuda.Device(self.device_id).compute_capability
        return (int(text[:-1]), int(text[-1]))

    @property
    def default_stream(self):
        return Stream(self)

    def set_current(self):
        if _HAS_GPU:
            cupy.cuda.Device(self.device_id).use()

    def create_stream(self):
        return Stream(self, cupy.cuda.Stream(non_blocking=True) if _HAS_GPU else None)

    def allocate(self, size, stream=None):
        del stream
        if _HAS_GPU:
            memory = cupy.cuda.alloc(max(1, size))
            return Buffer(memory.ptr, size, memory)
        memory = np.zeros(size + 64, np.uint8)  # aligned as a device's memory is
        return Buffer((memory.ctypes.data + 63) // 64 * 64, size, memory)

    def sync(self):
        if _HAS_GPU:
            cupy.cuda.runtime.deviceSynchronize()


class ProgramOptions:
    """The options that the tests give."""

    def __init__(self, **options):
        self.__dict__.update(options)


class Program:
    """A program in CUDA C++."""

    def __init__(self, source, kind, options=None):
        del kind
        self._source, self._options = source, options

    def compile(self, form):
        assert form == "ltoir"
        folders = getattr(self._options, "include_path", None) or []
        code, _ = _core.compile_source(_CUDA, self._source, None, target=self._options.arch, emit=_LTOIR,
                                       include_paths=[str(f) for f in ([folders] if isinstance(folders, str) else folders)])
        return types.SimpleNamespace(code=code.bytes())


def install(module):
    """Makes the modules cuda.core and cuda.core.system."""
    module("cuda.core", Buffer=Buffer, Device=Device, Program=Program, ProgramOptions=ProgramOptions,
           Stream=Stream).__path__ = []
    module("cuda.core.system", get_num_devices=lambda: cupy.cuda.runtime.getDeviceCount() if _HAS_GPU else 1)
