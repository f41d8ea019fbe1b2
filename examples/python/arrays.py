#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""arrays.py - a CK kernel on other libraries' arrays, without copies: DLPack in, their stream.

    arrays.py numpy|torch|cupy [LIBCKRT]

numpy runs on the host device, torch and cupy on the GPU of their arrays, torch also inside a graph
that it captures. Needs ctypes alone; LIBCKRT is libckrt.so.
"""
import ctypes
import os
import sys

SOURCE = b"""
kernel saxpy(n: u64, a: f32, x: in f32[n], y: inout f32[n]) launch(block = 256, grid = ceil_div(n, 256))
{
    let i = grid.thread_rank;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""
SCALAR, WHOLE, F32, U64 = 0, 1, 12, 9  # ck_arg_kind_t, ck_dtype_t


class Value(ctypes.Union):
    _fields_ = [("u", ctypes.c_uint64), ("f", ctypes.c_float), ("buffer", ctypes.c_void_p)]


class Arg(ctypes.Structure):  # ck_arg_t
    _fields_ = [("kind", ctypes.c_uint32), ("dtype", ctypes.c_uint32), ("value", Value),
                ("offset", ctypes.c_uint64), ("count", ctypes.c_uint64)]


class View(ctypes.Structure):  # ck_view_t
    _fields_ = [("buffer", ctypes.c_void_p), ("offset", ctypes.c_size_t),
                ("dtype", ctypes.c_int), ("components", ctypes.c_uint32), ("rank", ctypes.c_uint32),
                ("flags", ctypes.c_uint32), ("extents", ctypes.c_int64 * 8), ("strides", ctypes.c_int64 * 8)]


class Cokernel:
    """libckrt.so: a failed call raises its text."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.lib.ck_last_error.restype = ctypes.c_char_p

    def call(self, name, *args):
        if getattr(self.lib, name)(*args):
            raise RuntimeError(f"{name}: {self.lib.ck_last_error().decode()}")

    def make(self, name, *args):
        handle = ctypes.c_void_p()
        self.call(name, *args, ctypes.byref(handle))
        return handle

    def drop(self, kind, handle):
        getattr(self.lib, f"ck_{kind}_release")(handle)


def tensor_of(array):
    """The DLManagedTensor of an array, which now belongs to the caller."""
    get, name = ctypes.pythonapi.PyCapsule_GetPointer, b"dltensor"
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    rename = ctypes.pythonapi.PyCapsule_SetName
    rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
    capsule = array.__dlpack__()
    tensor = get(capsule, name)
    rename(capsule, b"used_dltensor")  # its destructor leaves the tensor alone
    return ctypes.c_void_p(tensor)


class Saxpy:
    """y = a * x + y."""

    def __init__(self, ck, device):
        self.ck, self.device = ck, device
        program = ck.make("ck_program_create", SOURCE, ctypes.c_size_t(len(SOURCE)), None)
        code = ck.make("ck_program_compile", program, device)
        self.kernel = ck.make("ck_kernel_from_code", code, device, b"saxpy")
        ck.drop("object_code", code)
        ck.drop("program", program)

    def view(self, array):
        buffer, view = ctypes.c_void_p(), View()
        self.ck.call("ck_view_from_dlpack_unversioned", self.device, tensor_of(array),
                     ctypes.byref(buffer), ctypes.byref(view))
        return buffer, view

    def __call__(self, stream, a, x, y):
        (dx, vx), (dy, _) = self.view(x), self.view(y)
        args = (Arg * 4)(Arg(SCALAR, U64, Value(u=vx.extents[0])), Arg(SCALAR, F32, Value(f=a)),
                         Arg(WHOLE, 0, Value(buffer=dx.value)), Arg(WHOLE, 0, Value(buffer=dy.value)))
        self.ck.call("ck_launch_args", stream, None, self.kernel, args, ctypes.c_size_t(4))
        self.ck.drop("buffer", dx)  # the arrays are the caller's, and stay
        self.ck.drop("buffer", dy)


def run_on(ck, device, native, saxpy, *args):
    """In the order of another library's stream."""
    stream = ck.make("ck_stream_from_native", device, ctypes.c_void_p(native), 0)
    saxpy(stream, *args)
    ck.drop("stream", stream)


def with_numpy(ck):
    import numpy as np  # pylint: disable=import-outside-toplevel
    device = ck.make("ck_device_open_host")
    stream = ck.make("ck_stream_create", device, None)
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, dtype=np.float32)
    Saxpy(ck, device)(stream, 2, x, y)
    ck.call("ck_stream_sync", stream)
    return bool((y == 2 * x + 1).all())


def with_torch(ck):
    import torch  # pylint: disable=import-outside-toplevel,import-error
    x = torch.arange(1000, dtype=torch.float32, device="cuda")
    y = torch.ones(1000, device="cuda")
    device = ck.make("ck_device_open", x.device.index)
    saxpy = Saxpy(ck, device)
    run_on(ck, device, torch.cuda.current_stream().cuda_stream, saxpy, 2, x, y)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        run_on(ck, device, torch.cuda.current_stream().cuda_stream, saxpy, 1, x, y)
    graph.replay()
    graph.replay()
    return bool((y == 4 * x + 1).all())


def with_cupy(ck):
    import cupy as cp  # pylint: disable=import-outside-toplevel,import-error
    x, y = cp.arange(1000, dtype=cp.float32), cp.ones(1000, dtype=cp.float32)
    device = ck.make("ck_device_open", x.device.id)
    with cp.cuda.Stream() as theirs:
        run_on(ck, device, theirs.ptr, Saxpy(ck, device), 2, x, y)
        theirs.synchronize()
    return bool((y == 2 * x + 1).all())


def main(kind, library=None):
    here = os.path.dirname(os.path.abspath(__file__))
    ck = Cokernel(library or f"{here}/../../build/lib/libckrt.so")
    is_right = {"numpy": with_numpy, "torch": with_torch, "cupy": with_cupy}[kind](ck)
    print(f"saxpy on arrays of {kind}: {'right' if is_right else 'WRONG'}")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
