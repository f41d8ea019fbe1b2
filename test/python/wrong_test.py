# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wrong_test.py - wrong calls as a table: each is an exception of its kind that says what is wrong, of which
argument, and what to do. None crashes, and none launches.

A row is (what, call, kind, regular expression of the text). `what` counts them in the last line.
"""
import array
import collections
import os
import sys
import unittest

import numpy as np

import cokernel as ck

TYPES = ("bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bf16")
NUMPY = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "u2")
NUMPY_NAMES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
               "float16", "float32", "float64", "uint16")
TEXT = "\n".join(
    f"kernel span_{t}(n: u64, x: in {t}[n], y: out {t}[n]) launch(block = 32, grid = ceil_div(n, 32))"
    f" {{ if (grid.thread_rank < n) y[grid.thread_rank] = x[grid.thread_rank]; }}\n"
    f"kernel scalar_{t}(v: {t}, y: out {t}[1]) launch(block = 1, grid = 1) {{ y[0] = v; }}"
    for t in TYPES) + """
struct Pair { lo: f32; hi: i32; }
kernel saxpy(n: u64, a: f32, x: in f32[n], y: inout f32[n]) launch(block = 256, grid = ceil_div(n, 256))
{ if (grid.thread_rank < n) y[grid.thread_rank] = a * x[grid.thread_rank]; }
kernel rows(r: u32, n: u32, x: in f32[r, n], y: out f32[r]) launch(block = 32, grid = r)
{ y[block.id.x] = x[block.id.x, 0u32]; }
kernel cube(x: in f32[2, 3, 4], y: out f32[2]) launch(block = 1, grid = 2) { y[block.id.x] = x[block.id.x, 0, 0]; }
kernel four(n: u64, x: in f32x4[n], y: out f32[n]) launch(block = 1, grid = n) { y[block.id.x] = x[block.id.x].x; }
kernel pairs(n: u64, x: in Pair[n], y: out f32[n]) launch(block = 1, grid = n) { y[block.id.x] = x[block.id.x].lo; }
kernel pair(p: Pair, y: out f32[1]) launch(block = 1, grid = 1) { y[0] = p.lo; }
kernel open(x: in i32[], y: out i32[1]) launch(block = 1, grid = 1) { y[0] = i32(x.len); }
kernel shape(y: out f32[1]) { y[0] = 1; }
kernel sized<T: number>(n: u64, y: out T[n]) launch(block = 1, grid = n) { y[block.id.x] = T(1); }
export sized<f32>, sized<f64>;
algorithm total(x: in f32[]) -> f32 = reduce(x, +, 0.0f32);
"""
m = ck.compile(TEXT, name="wrong.ck")

ARGUMENT, TYPE, RANGE = ck.ArgumentError, ck.ArgumentTypeError, ck.RangeError


def zeros(*shape, dtype="f4"):
    return np.zeros(shape, dtype)


def captured(call):
    with ck.graph("host"):
        call()


class Stream:
    """Another library's, whose protocol gives this."""

    def __init__(self, answer):
        self.__cuda_stream__ = lambda: answer


class Foreign:
    """An array of a GPU that this machine has not."""

    __cuda_array_interface__ = {"shape": (1,), "typestr": "<f4", "data": (0x7f0000000000, False), "version": 3,
                                "strides": None}


def read_only(*shape):
    made = zeros(*shape)
    made.flags.writeable = False
    return made


def closed():
    made = ck.empty(8, device="host")
    made.close()
    return made


def rows_of_dtypes():
    """Every element type against every other one, as input and as output."""
    for ck_type, own in zip(TYPES, NUMPY):
        kernel = getattr(m, f"span_{ck_type}")
        for numpy_type, name in zip(NUMPY[:12], NUMPY_NAMES):
            if numpy_type == own:
                continue
            yield ("dtype", lambda k=kernel, a=own, b=numpy_type: k(x=zeros(8, dtype=b), y=zeros(8, dtype=a)),
                   ARGUMENT, rf"argument 2 'x': expected elements of {ck_type}, got an array of {name}: convert it")


def rows_of_ranges():
    """Numbers just outside of each integer type, and floats that would be infinite."""
    for ck_type, dtype in zip(TYPES, NUMPY):
        kernel = getattr(m, f"scalar_{ck_type}")
        call = lambda v, k=kernel, d=dtype: k(v, zeros(1, dtype=d))  # noqa: E731
        if ck_type in ("f32", "f16", "bf16", "f64"):
            values = {"f32": (3.5e38, -1e39, 10**39), "f16": (65520, -1e5), "bf16": (3.4e38, -1e39), "f64": (10**400,)}[ck_type]
        elif ck_type == "bool":
            values = (2, -1, 10**30)
        else:
            info = np.iinfo(dtype)
            values = (int(info.min) - 1, int(info.max) + 1, 10**30, -10**30)
        for value in values:
            yield ("overflow", lambda c=call, v=value: c(v), RANGE,
                   rf"kernel 'scalar_{ck_type}', argument 1 'v': .* is out of the range of {ck_type}, .*\d")
        for value, name in ((None, "None"), ("1", "str '1'"), ([1], r"list \[1\]"), (1j, "complex 1j"), ({}, "dict"), (b"1", "bytes")):
            yield ("scalar", lambda c=call, v=value: c(v), TYPE,
                   rf"kernel 'scalar_{ck_type}', argument 1 'v': expected {ck_type}, got {name}.*: pass a")
        if ck_type[0] in "iub" and ck_type != "bf16":
            for value in (1.0, np.float32(1), np.nan, zeros(2)):
                yield ("scalar", lambda c=call, v=value: c(v), TYPE, rf"argument 1 'v': expected {ck_type}, got")


STRIDED = zeros(8, 8)
ROWS = [
    # what, call, kind, text
    ("rank", lambda: m.saxpy(a=1, x=zeros(2, 4), y=zeros(8)), ARGUMENT, r"argument 3 'x': expected 1 axis \[n\], got an array of shape \(2, 4\): reshape it"),
    ("rank", lambda: m.saxpy(a=1, x=zeros(8), y=zeros(2, 4)), ARGUMENT, r"argument 4 'y': expected 1 axis"),
    ("rank", lambda: m.saxpy(a=1, x=zeros(1, 1, 1), y=zeros(1)), ARGUMENT, r"argument 3 'x'.*\(1, 1, 1\)"),
    ("rank", lambda: m.rows(x=zeros(8), y=zeros(8)), ARGUMENT, r"argument 3 'x': expected 2 axes \[r, n\], got an array of shape \(8,\): reshape it"),
    ("rank", lambda: m.rows(x=zeros(2, 2, 2), y=zeros(2)), ARGUMENT, r"argument 3 'x': expected 2 axes"),
    ("rank", lambda: m.rows(x=np.zeros((), 'f4'), y=zeros(1)), ARGUMENT, r"argument 3 'x': expected 2 axes .* shape \(\)"),
    ("rank", lambda: m.cube(x=zeros(24), y=zeros(2)), ARGUMENT, r"argument 1 'x': expected 3 axes \[2, 3, 4\]"),
    ("rank", lambda: m.cube(x=zeros(6, 4), y=zeros(2)), ARGUMENT, r"argument 1 'x': expected 3 axes"),
    ("rank", lambda: m.open(x=zeros(2, 2, dtype="i4"), y=zeros(1, dtype="i4")), ARGUMENT, r"argument 1 'x': expected an array of one axis, .*: flatten it"),
    ("rank", lambda: m.open(x=np.zeros((), "i4"), y=zeros(1, dtype="i4")), ARGUMENT, r"argument 1 'x': expected an array of one axis"),
    ("rank", lambda: m.four(x=zeros(8), y=zeros(2)), ARGUMENT, r"argument 2 'x': expected 2 axes with the elements' components \[n\]"),
    ("rank", lambda: m.four(x=zeros(2, 2, 4), y=zeros(2)), ARGUMENT, r"argument 2 'x': expected 2 axes"),
    ("rank", lambda: m.saxpy(a=1, x=np.zeros((1,) * 9, "f4"), y=zeros(1)), ARGUMENT, r"argument 3 'x': the array has 9 axes, at most 8"),
    ("rank", lambda: m.total(x=zeros(2, 2)), ARGUMENT, r"argument 1 'x': expected an array of one axis"),
    ("shape", lambda: m.saxpy(a=1, x=zeros(8), y=zeros(7)), ARGUMENT, r"argument 4 'y': expected extent n = 8 on axis 0 of \[n\], got an array of shape \(7,\)"),
    ("shape", lambda: m.saxpy(a=1, x=zeros(7), y=zeros(8)), ARGUMENT, r"argument 4 'y': expected extent n = 7"),
    ("shape", lambda: m.saxpy(n=9, a=1, x=zeros(8), y=zeros(9)), ARGUMENT, r"argument 3 'x': expected extent n = 9"),
    ("shape", lambda: m.saxpy(a=1, x=zeros(0), y=zeros(1)), ARGUMENT, r"argument 4 'y': expected extent n = 0"),
    ("shape", lambda: m.rows(x=zeros(3, 4), y=zeros(4)), ARGUMENT, r"argument 4 'y': expected extent r = 3"),
    ("shape", lambda: m.rows(r=3, n=4, x=zeros(3, 5), y=zeros(3)), ARGUMENT, r"argument 3 'x': expected extent n = 4 on axis 1"),
    ("shape", lambda: m.rows(r=4, n=4, x=zeros(3, 4), y=zeros(4)), ARGUMENT, r"argument 3 'x': expected extent r = 4"),
    ("shape", lambda: m.cube(x=zeros(2, 3, 5), y=zeros(2)), ARGUMENT, r"argument 1 'x': expected extent 4 on axis 2"),
    ("shape", lambda: m.cube(x=zeros(2, 4, 4), y=zeros(2)), ARGUMENT, r"argument 1 'x': expected extent 3 on axis 1"),
    ("shape", lambda: m.cube(x=zeros(1, 3, 4), y=zeros(2)), ARGUMENT, r"argument 1 'x': expected extent 2 on axis 0"),
    ("shape", lambda: m.cube(x=zeros(2, 3, 4), y=zeros(1)), ARGUMENT, r"argument 2 'y': expected extent 2 on axis 0"),
    ("shape", lambda: m.four(x=zeros(2, 3), y=zeros(2)), ARGUMENT, r"argument 2 'x': expected 2 axes with the elements' components"),
    ("shape", lambda: m.shape(zeros(0), block=1, grid=1), ARGUMENT, r"argument 1 'y': expected extent 1 on axis 0"),
    ("stride", lambda: m.saxpy(a=1, x=STRIDED[:, 0], y=zeros(8)), ARGUMENT, r"argument 3 'x': .* stride of 8 elements, not 1: pass a contiguous copy"),
    ("stride", lambda: m.saxpy(a=1, x=zeros(8), y=STRIDED[:, 0]), ARGUMENT, r"argument 4 'y': .* stride of 8"),
    ("stride", lambda: m.saxpy(a=1, x=zeros(8)[::-1], y=zeros(8)), ARGUMENT, r"argument 3 'x': .* stride of -1"),
    ("stride", lambda: m.saxpy(a=1, x=zeros(16)[::2], y=zeros(8)), ARGUMENT, r"argument 3 'x': .* stride of 2"),
    ("stride", lambda: m.saxpy(a=1, x=np.broadcast_to(np.float32(1), 8), y=zeros(8)), ARGUMENT, r"argument 3 'x': .* stride of 0"),
    ("stride", lambda: m.rows(x=STRIDED.T[:, :4], y=zeros(8)), ARGUMENT, r"argument 3 'x': .* not dense in row-major order"),
    ("stride", lambda: m.rows(x=STRIDED[:, :4], y=zeros(8)), ARGUMENT, r"argument 3 'x': .* axis 0 has a stride of 8 elements, not 4"),
    ("stride", lambda: m.rows(x=np.asfortranarray(STRIDED), y=zeros(8)), ARGUMENT, r"argument 3 'x': .* not dense"),
    ("stride", lambda: m.cube(x=zeros(4, 3, 2).T, y=zeros(2)), ARGUMENT, r"argument 1 'x': .* not dense"),
    ("stride", lambda: m.four(x=zeros(4, 2).T, y=zeros(2)), ARGUMENT, r"argument 2 'x': .* not dense"),
    ("stride", lambda: m.saxpy(a=1, x=np.zeros(8, "f4,i1")["f0"], y=zeros(8)), ARGUMENT, r"argument 3 'x': axis 0 .* stride of 5 bytes, which is no whole number .*: pass a contiguous copy"),
    ("stride", lambda: m.open(x=np.zeros(8, "i4,i4")["f1"], y=zeros(1, dtype="i4")), ARGUMENT, r"argument 1 'x': .* stride of 2"),
    ("alignment", lambda: m.saxpy(a=1, x=np.zeros(33, "u1")[1:].view("f4"), y=zeros(8)), ARGUMENT, r"argument 3 'x': the address 0x.* is not a multiple of 4, the alignment of an element: pass a copy"),
    ("alignment", lambda: m.four(x=zeros(9)[1:].reshape(2, 4), y=zeros(2)), ARGUMENT, r"argument 2 'x': the address 0x.* is not a multiple of 16|^$"),
    ("read-only", lambda: m.saxpy(a=1, x=zeros(8), y=read_only(8)), ARGUMENT, r"argument 4 'y': the kernel writes it, and the array is read-only: pass a writable one"),
    ("read-only", lambda: m.rows(x=zeros(2, 2), y=read_only(2)), ARGUMENT, r"argument 4 'y': the kernel writes it"),
    ("read-only", lambda: m.saxpy(a=1, x=zeros(1), y=np.frombuffer(b"\0" * 4, "f4")), ARGUMENT, r"argument 4 'y': the kernel writes it"),
    ("read-only", lambda: m.saxpy(a=1, x=zeros(8), y=ck.view(read_only(8))), ARGUMENT, r"argument 4 'y': the kernel writes it"),
    ("read-only", lambda: m.total(x=zeros(8), result=read_only(1)), ARGUMENT, r"argument 2 'result': the kernel writes it"),
    ("overlap", lambda: (lambda a: m.saxpy(a=1, x=a, y=a))(zeros(8)), ARGUMENT, r"argument 4 'y': it is written, and overlaps argument 3 'x'.*: pass a copy of one"),
    ("overlap", lambda: (lambda a: m.saxpy(a=1, x=a[:8], y=a[4:12]))(zeros(16)), ARGUMENT, r"argument 4 'y': it is written, and overlaps"),
    ("freed", lambda: m.saxpy(a=1, x=closed(), y=zeros(8)), ARGUMENT, r"kernel 'saxpy', argument 3 'x': the array is closed, and its memory freed: use it before close\(\)"),
    ("freed", lambda: m.saxpy(a=1, x=zeros(8), y=closed()), ARGUMENT, r"argument 4 'y': the array is closed"),
    ("freed", lambda: m.total(x=closed()), ARGUMENT, r"argument 1 'x': the array is closed"),
    ("freed", lambda: closed().numpy(), ARGUMENT, r"the array is closed"),
    ("freed", lambda: closed().__dlpack__(), BufferError, r"the array is closed"),
    ("freed", lambda: ck.view(closed()), ARGUMENT, r"the array is closed"),
    ("array", lambda: m.saxpy(a=1, x=[1.0, 2.0], y=zeros(2)), TYPE, r"kernel 'saxpy', argument 3 'x': expected an array of f32, got list \[1\.0, 2\.0\]: pass an array of NumPy"),
    ("array", lambda: m.saxpy(a=1, x=None, y=zeros(2)), TYPE, r"argument 3 'x': expected an array of f32, got None"),
    ("array", lambda: m.saxpy(a=1, x=1.0, y=zeros(2)), TYPE, r"argument 3 'x': .* got float 1\.0"),
    ("array", lambda: m.saxpy(a=1, x=True, y=zeros(2)), TYPE, r"argument 3 'x': .* got bool True"),
    ("array", lambda: m.saxpy(a=1, x="text", y=zeros(2)), TYPE, r"argument 3 'x': .* got str 'text'"),
    ("array", lambda: m.saxpy(a=1, x=zeros(2), y=(1, 2)), TYPE, r"argument 4 'y': .* got tuple"),
    ("array", lambda: m.saxpy(a=1, x=np.float32(1), y=zeros(1)), TYPE, r"argument 3 'x': .* got float32"),
    ("array", lambda: m.saxpy(a=1, x=object(), y=zeros(1)), TYPE, r"argument 3 'x': .* got object"),
    ("array", lambda: m.saxpy(a=1, x=range(2), y=zeros(2)), TYPE, r"argument 3 'x': .* got range"),
    ("array", lambda: m.saxpy(a=1, x=np.ndarray, y=zeros(2)), TYPE, r"argument 3 'x': .* got type"),
    ("array", lambda: m.saxpy(a=1, x=array.array("d", [1, 2]), y=zeros(2)), ARGUMENT, r"argument 3 'x': expected elements of f32, got an array of float64"),
    ("array", lambda: m.saxpy(a=1, x=bytearray(8), y=zeros(2)), ARGUMENT, r"argument 3 'x': expected elements of f32, got an array of uint8"),
    ("array", lambda: m.saxpy(a=1, x=np.array(["a", "b"]), y=zeros(2)), TYPE, r"argument 3 'x': no type of CK is the dtype <U1: convert it to numbers"),
    ("array", lambda: m.saxpy(a=1, x=np.array([None, 1]), y=zeros(2)), TYPE, r"argument 3 'x': no type of CK is the dtype object"),
    ("array", lambda: m.saxpy(a=1, x=zeros(2, dtype="g"), y=zeros(2)), TYPE, r"argument 3 'x': no type of CK is the dtype float128"),
    ("array", lambda: m.saxpy(a=1, x=zeros(2, dtype="M8[s]"), y=zeros(2)), TYPE, r"argument 3 'x': no type of CK is the dtype datetime64"),
    ("array", lambda: m.saxpy(a=1, x=zeros(2, dtype=">f4"), y=zeros(2)), TYPE, r"argument 3 'x': .* bytes in the other order: x\.astype"),
    ("array", lambda: m.saxpy(a=1, x=zeros(2, dtype="c8"), y=zeros(2)), ARGUMENT, r"argument 3 'x': expected elements of f32, got an array of complex64"),
    ("array", lambda: m.pairs(x=zeros(2), y=zeros(2)), ARGUMENT, r"argument 2 'x': expected elements of Pair, got an array of float32"),
    ("array", lambda: m.pairs(x=np.zeros(2, "f4,i4,i4"), y=zeros(2)), TYPE, r"argument 2 'x': expected structs of layout \{lo:f32@0,hi:i32@4\}, got .*: make the dtype with these fields"),
    ("array", lambda: m.pairs(x=np.zeros(2, "f4,f4"), y=zeros(2)), TYPE, r"argument 2 'x': expected structs of layout"),
    ("array", lambda: m.pairs(x=np.zeros(2, [("hi", "f4"), ("lo", "i4")]), y=zeros(2)), TYPE, r"argument 2 'x': expected structs of layout"),
    ("array", lambda: m.saxpy(a=1, x=np.zeros(2, "f4,i4"), y=zeros(2)), ARGUMENT, r"argument 3 'x': expected elements of f32, got an array of structs of 8 bytes"),
    ("struct", lambda: m.pair(1.0, zeros(1)), TYPE, r"kernel 'pair', argument 1 'p': expected a struct \{lo: f32, hi: i32\}, got float 1\.0: pass a record"),
    ("struct", lambda: m.pair((1.0,), zeros(1)), TYPE, r"argument 1 'p': expected a struct \{lo: f32, hi: i32\}, got tuple"),
    ("struct", lambda: m.pair((1.0, "x"), zeros(1)), TYPE, r"argument 1 'p': expected a struct"),
    ("struct", lambda: m.pair({"lo": 1}, zeros(1)), TYPE, r"argument 1 'p': expected a struct \{lo: f32, hi: i32\}, got dict"),
    ("struct", lambda: m.pair(b"123", zeros(1)), TYPE, r"argument 1 'p': expected a struct \{lo: f32, hi: i32\}, got bytes"),
    ("struct", lambda: m.pair(np.zeros((), "f4,f4")[()], zeros(1)), TYPE, r"argument 1 'p': expected a struct \{lo: f32, hi: i32\}, got void"),
    ("name", lambda: m.saxpy(b=1, x=zeros(1), y=zeros(1)), TYPE, r"kernel 'saxpy' has no argument 'b' \(it has n, a, x, y;"),
    ("name", lambda: m.saxpy(a=1, x=zeros(1), yy=zeros(1)), TYPE, r"no argument 'yy'.*did you mean 'y'"),
    ("name", lambda: m.saxpy(a=1, x=zeros(1), y=zeros(1), gird=1), TYPE, r"no argument 'gird'.*did you mean 'grid'"),
    ("name", lambda: m.saxpy(1, zeros(1), zeros(1), streem=1), TYPE, r"did you mean 'stream'"),
    ("name", lambda: m.saxpy(1, 1, zeros(1), zeros(1), y=zeros(1)), TYPE, r"takes 4 arguments \(n, a, x, y\)|by position and by name"),
    ("name", lambda: m.saxpy(1, zeros(1), zeros(1), a=1), TYPE, r"by position and by name|got|missing"),
    ("name", lambda: m.saxpyy, AttributeError, r"'saxpyy' is no kernel or algorithm of wrong\.ck, which has .*saxpy"),
    ("name", lambda: m["saxpyy"], ck.NotFoundError, r"'saxpyy' is no kernel or algorithm of wrong\.ck"),
    ("name", lambda: m["sized<f33>"](y=zeros(1)), ck.Error, r"f33|sized"),
    ("name", lambda: m["saxpy<f32>"](a=1, x=zeros(1), y=zeros(1)), ck.Error, r"saxpy"),
    ("name", lambda: m.sized(y=zeros(1, dtype="i4")), TYPE, r"'sized': no instance fits arrays of i32; the file exports .*: name one, such as m\["),
    ("name", lambda: m.sized(), TYPE, r"'sized': several instances fit .*: name one"),
    ("missing", lambda: m.saxpy(x=zeros(1), y=zeros(1)), TYPE, r"kernel 'saxpy', argument 2 'a': it is missing: pass it as a=\.\.\."),
    ("missing", lambda: m.saxpy(a=1, y=zeros(1)), TYPE, r"argument 3 'x': it is missing"),
    ("missing", lambda: m.saxpy(a=1, x=zeros(1)), TYPE, r"argument 4 'y': it is missing"),
    ("missing", lambda: m.saxpy(), TYPE, r"argument 2 'a': it is missing"),
    ("missing", lambda: m.saxpy(1), TYPE, r"argument 3 'x': it is missing"),
    ("missing", lambda: m.total(), TYPE, r"argument 1 'x': it is missing"),
    ("missing", lambda: m.scalar_i32(y=zeros(1, dtype="i4")), TYPE, r"argument 1 'v': it is missing"),
    ("count", lambda: m.saxpy(1, 2, zeros(1), zeros(1), 5), TYPE, r"takes 4 arguments \(n, a, x, y\), or 3 without those that shapes determine, got 5"),
    ("count", lambda: m.scalar_i32(1, zeros(1, dtype="i4"), 2), TYPE, r"takes 2 arguments \(v, y\), got 3"),
    ("count", lambda: m.open(*[zeros(1, dtype="i4")] * 60), TYPE, r"got 60"),
    ("stream", lambda: m.saxpy(a=1, x=zeros(1), y=zeros(1), stream="0"), TYPE, r"stream has to be a cokernel\.Stream, an object with __cuda_stream__, or a handle, not '0'"),
    ("stream", lambda: m.saxpy(a=1, x=zeros(1), y=zeros(1), stream=1.5), TYPE, r"stream has to be"),
    ("stream", lambda: m.saxpy(a=1, x=zeros(1), y=zeros(1), stream=object()), TYPE, r"stream has to be"),
    ("stream", lambda: m.saxpy(a=1, x=zeros(1), y=zeros(1), stream=ck.Device("host")), TYPE, r"stream has to be"),
    ("stream", lambda: m.saxpy(a=1, x=zeros(1), y=zeros(1), stream=12345), ck.DriverError, r"CUDA_ERROR_INVALID_HANDLE"),
    ("stream", lambda: ck.Stream.from_handle(12345, "host"), ck.DriverError, r"CUDA_ERROR_INVALID_HANDLE"),
    ("stream", lambda: m.saxpy(a=1, x=zeros(1), y=zeros(1), stream=Stream((1, 5))), ck.UnsupportedError, r"version 1 of __cuda_stream__ is unknown"),
    ("stream", lambda: m.saxpy(a=1, x=zeros(1), y=zeros(1), stream=Stream((0, 5))), ck.DriverError, r"CUDA_ERROR_INVALID_HANDLE"),
    ("stream", lambda: m.saxpy(a=1, x=zeros(1), y=zeros(1), stream=Stream(5)), TYPE, r"stream has to be an object whose __cuda_stream__ gives two numbers, not 5"),
    ("made", lambda: ck.asarray(["a"], device="host"), TYPE, r"no type of CK"),
    ("made", lambda: ck.empty(4, device="host").copy_from(zeros(5)), TYPE, r"copy_from: expected shape \(4,\) of float32, got \(5,\) of float32"),
    ("made", lambda: ck.empty(4, device="host").copy_from(zeros(4, dtype="f8")), TYPE, r"copy_from: expected shape \(4,\) of float32, got \(4,\) of float64"),
    ("made", lambda: ck.view(read_only(4)).copy_from(zeros(4)), ARGUMENT, r"copy_from: the array is read-only: copy into a writable one"),
    ("made", lambda: float(ck.empty(4, device="host")), ARGUMENT, r"item: the array has 4 elements, not 1: numpy\(\) has all of them"),
    ("made", lambda: len(ck.empty((), device="host")), TypeError, r"no length"),
    ("made", lambda: ck.view(read_only(4)).__dlpack__(), BufferError, r"read-only.*max_version"),
    ("made", lambda: ck.empty(4, device="host").__dlpack__(copy=True), BufferError, r"numpy\(\) makes one"),
    ("made", lambda: ck.empty(4, device="host").__cuda_array_interface__, AttributeError, r"on the host device"),
    ("graph", lambda: captured(lambda: m.total(x=zeros(4))), ARGUMENT, r"'total' returns a value, for which a graph allocates no array: pass one of one element as result="),
    ("graph", lambda: ck.graph("host").launch(), ARGUMENT, r"hasn't been captured: `with graph:` does it"),
    ("graph", lambda: ck.Event("host") - ck.Event("host"), ARGUMENT, r"an event keeps no time: make both by Stream\.record\(timing=True\)"),
    ("graph", lambda: ck.Stream("host").wait("x"), TYPE, r"stream has to be"),
    ("graph", lambda: ck.Stream("host").record("x"), TypeError, r"event has to be an Event"),
]


# An address that claims to be a GPU's, and an array that is one's.
ROWS += [
    ("device", lambda: m.saxpy(a=1, x=zeros(1), y=ck.empty(1, device="cuda:0")), ck.Error, r"argument [34] '[xy]': .*(GPU|CPU|device)"),
] if ck.device_count() else [
    ("device", lambda: m.saxpy(a=1, x=zeros(1), y=Foreign()), ck.Error, r"argument 4 'y': .*(driver|device)"),
    ("device", lambda: m.saxpy(a=1, x=Foreign(), y=Foreign()), ck.Error, r"argument 3 'x': .*(driver|device)"),
]


class Wrong(unittest.TestCase):
    def test_table(self):
        counts = collections.Counter()
        for what, call, kind, text in [*ROWS, *rows_of_dtypes(), *rows_of_ranges()]:
            counts[what] += 1
            with self.subTest(what=what, text=text):
                try:
                    result = call()
                except Exception as error:  # pylint: disable=broad-except
                    self.assertIsInstance(error, kind, f"{error!r} instead of {text}")
                    self.assertRegex(str(error), text)
                    self.assertNotIsInstance(error, (SystemError, ck.InternalError))
                else:
                    if not text.endswith("|^$"):  # memory that happens to be aligned
                        self.fail(f"returned {result!r} instead of {text}")
        print(f"{sum(counts.values())} wrong calls:", ", ".join(f"{n} {w}" for w, n in counts.items()))
        self.assertGreaterEqual(sum(counts.values()), 300)

    def test_the_device_works_afterwards(self):
        y = zeros(8)
        m.saxpy(a=2, x=np.arange(8, dtype="f4"), y=y)
        self.assertEqual(y[3], 6)


if __name__ == "__main__":
    os.environ.setdefault("CK_DEVICE", "host")
    sys.exit(unittest.main())
