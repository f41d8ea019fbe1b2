# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wrong_compute_test.py - wrong calls of cokernel.compute as a table: each is an exception of its kind that
says what is wrong, of which argument, and what to do. None launches anything.

A row is (what, call, kind, a part of the text). `what` counts them in the last line.
"""
import collections
import os
import sys
import tempfile
import unittest

import numpy as np

import cokernel as ck
from cokernel import compute
from cokernel.compute import ConstantIterator, CountingIterator, Determinism, OpKind, PermutationIterator, \
    ProxyArray, RawOp, ReverseIterator, ShuffleIterator, SortOrder, TransformIterator, TransformOutputIterator, \
    ZipIterator, gpu_struct

ARGUMENT, TYPE, RANGE, BUILD = ck.ArgumentError, ck.ArgumentTypeError, ck.RangeError, compute.BuildError
x, y, one, floats = np.arange(8, dtype="i4"), np.zeros(8, "i4"), np.zeros(1, "i4"), np.zeros(8, "f4")
many, more, bytes_ = np.zeros(300, "i4"), np.zeros(600, "i4"), np.zeros(300, "u1")
short, strided, table = np.zeros(4, "i4"), np.zeros((8, 2), "i4")[:, 0], np.arange(3)
fixed = np.zeros(8, "i4")
fixed.flags.writeable = False
Pair = gpu_struct({"a": np.int32, "b": np.int32}, "Pair")


class Foreign:
    """An array of a GPU that this machine may not have."""

    __cuda_array_interface__ = {"shape": (8,), "typestr": "<i4", "data": (0x7f0000000000, False), "version": 3,
                                "strides": None}


def closed():
    made = ck.empty(8, "i4", device="host")
    made.close()
    return made


def reduced(**given):
    compute.reduce_into(**{"d_in": x, "d_out": one, "num_items": 8, "op": OpKind.PLUS, "h_init": one, **given})


def mapped(op, **given):
    compute.unary_transform(**{"d_in": x, "d_out": y, "op": op, "num_items": 8, **given})


def sorted_(**given):
    compute.radix_sort(**{"d_in_keys": x, "d_out_keys": y, "num_items": 8, "order": SortOrder.ASCENDING, **given})


def segments(**given):
    compute.segmented_reduce(**{"d_in": x, "d_out": one, "num_segments": 1, "start_offsets_in": one, "end_offsets_in": one,
                                "op": OpKind.PLUS, "h_init": one, **given})


def counted(**given):
    compute.histogram_even(**{"d_samples": x, "d_histogram": y, "num_output_levels": 9, "lower_level": 0, "upper_level": 8,
                              "num_samples": 8, **given})


def runs(**given):
    compute.run_length_encode(**{"d_in": many, "d_unique_out": many, "d_counts_out": many, "d_num_runs_out": one,
                                 "num_items": 256, **given})


def either(call, count):
    call(d_in1=many, d_in2=many, d_out=more, d_num_out=np.zeros(1, "u1"), op=OpKind.LESS, num_items=count,
         num_items2=count)


def makes(**given):
    return compute.make_reduce_into(**{"d_in": x, "d_out": one, "op": OpKind.PLUS, "h_init": one, **given})


def rows(**given):
    compute.top_k_rows(**{"d_in": np.zeros((3, 4), "i4"), "d_out": np.zeros((3, 2), "i4"), **given})


def pixels(call=compute.histogram_by, **given):
    call(**{"d_samples": np.zeros((8, 3), "i4"), "d_histogram": np.zeros((2, 8), "i4"), "op": lambda v: v, "num_items": 8,
            "channels": 2, **given})


def several(**given):
    compute.nary_transform(**{"d_ins": (x, x), "d_out": y, "op": lambda a, b: a + b, "num_items": 8, **given})


def parts(**given):
    compute.segmented_radix_sort(**{"d_in_keys": x, "d_out_keys": y, "offsets_in": np.array([0, 8]), "num_items": 8, **given})


def by(**given):
    compute.radix_sort_by(**{"d_in": x, "d_out": y, "op": lambda v: -v, "num_items": 8, **given})


ROWS = [
    # what, call, kind, text
    ("array", lambda: reduced(d_in=[1, 2]), TYPE, "reduce_into: argument 'd_in': an array on a device or an iterator is needed, not list: pass an array of NumPy"),
    ("array", lambda: reduced(d_in=None), TYPE, "argument 'd_in': an array on a device or an iterator is needed, not NoneType"),
    ("array", lambda: reduced(d_out=3), TYPE, "argument 'd_out': an array on a device or an iterator is needed, not int"),
    ("array", lambda: reduced(d_in="abc"), TYPE, "argument 'd_in': an array on a device or an iterator is needed, not str"),
    ("array", lambda: makes(d_in=(1, 2)), TYPE, "argument 'd_in': an array on a device or an iterator is needed, not tuple"),
    ("array", lambda: sorted_(d_in_values=[1]), TYPE, "radix_sort: argument 'd_in_values': an array on a device"),
    ("array", lambda: reduced(d_in=ProxyArray(np.int32)), ARGUMENT, "argument 'd_in' is a ProxyArray, which has no memory: pass an array"),
    ("dtype", lambda: reduced(d_in=np.array(["a"] * 8)), TYPE, "argument 'd_in': there is no type in CK for elements of <U1"),
    ("dtype", lambda: reduced(d_in=np.array([None] * 8)), TYPE, "argument 'd_in': there is no type in CK for elements of object"),
    ("dtype", lambda: reduced(h_init=np.array("a")), TYPE, "reduce_into: there is no type in CK for elements of <U1"),
    ("dtype", lambda: reduced(h_init=Pair(1, 2)), TYPE, "reduce_into dtype mismatch: input dtype int32 != accumulator dtype"),
    ("dtype", lambda: reduced(op=OpKind.BIT_AND, d_in=floats, h_init=np.zeros(1, "f4")), TYPE, "OpKind.BIT_AND of float32, float32 is not defined: floats have no '&'"),
    ("dtype", lambda: sorted_(d_in_keys=np.zeros(8, "c8"), d_out_keys=np.zeros(8, "c8")), TYPE, "radix_sort: argument 'd_in_keys': numbers are sorted, not complex64: merge_sort"),
    ("dtype", lambda: segments(start_offsets_in=floats, end_offsets_in=floats), TYPE, "segmented_reduce: argument 'start_offsets_in': offsets are integers, not float32"),
    ("dtype", lambda: counted(d_histogram=floats), TYPE, "histogram_even: argument 'd_histogram': counts are integers, not float32"),
    ("dtype", lambda: PermutationIterator(x, floats), TYPE, "PermutationIterator: indices are integers, not float32: convert them"),
    ("dtype", lambda: CountingIterator("a"), TYPE, "there is no type in CK for elements of <U1"),
    ("stride", lambda: reduced(d_in=strided), ARGUMENT, "argument 'd_in': Non-contiguous arrays are not supported. Copy the array first"),
    ("stride", lambda: mapped(lambda v: v, d_out=strided), ARGUMENT, "unary_transform: argument 'd_out': Non-contiguous arrays"),
    ("stride", lambda: mapped(lambda v: strided[0]), ARGUMENT, "unary_transform: the array 'strided' of the operator: Non-contiguous arrays"),
    ("read-only", lambda: mapped(lambda v: v, d_out=fixed), ARGUMENT, "unary_transform: argument 'd_out': the array is read-only: pass a writable one"),
    ("read-only", lambda: reduced(d_out=fixed), ARGUMENT, "reduce_into: argument 'd_out': the array is read-only"),
    ("read-only", lambda: sorted_(d_out_keys=fixed), ARGUMENT, "radix_sort: argument 'd_out_keys': the array is read-only"),
    ("read-only", lambda: sorted_(d_in_keys=compute.DoubleBuffer(x, fixed), d_out_keys=None), ARGUMENT, "radix_sort: argument 'd_in_keys': the array is read-only"),
    ("read-only", lambda: counted(d_histogram=fixed), ARGUMENT, "histogram_even: argument 'd_histogram': the array is read-only"),
    ("read-only", lambda: mapped(lambda v: compute.atomic.add(fixed, 0, v)), ARGUMENT, "an array that the operator writes: the array is read-only"),
    ("read-only", lambda: mapped(lambda v: v, d_out=ck.view(fixed)), ARGUMENT, "argument 'd_out': the array is read-only"),
    ("device", lambda: mapped(lambda v: v, d_out=Foreign()), ARGUMENT, "unary_transform: argument 'd_in' is in the host's memory, and argument 'd_out' on a GPU: copy one of them"),
    ("device", lambda: reduced(d_in=ZipIterator(x, Foreign())), ARGUMENT, "argument 'd_in' is in the host's memory, and argument 'd_in' on a GPU"),
    ("device", lambda: makes(d_in=Foreign()), ARGUMENT, "argument 'd_out' is in the host's memory, and argument 'd_in' on a GPU"),
    ("freed", lambda: mapped(lambda v: v, d_in=closed()), ARGUMENT, "unary_transform: argument 'd_in': the array is closed"),
    ("freed", lambda: reduced(d_out=closed()), ARGUMENT, "reduce_into: argument 'd_out': the array is closed"),
    ("overlap", lambda: compute.inclusive_scan(d_in=x[:7], d_out=x[1:], op=OpKind.PLUS, num_items=7), ARGUMENT, "inclusive_scan: argument 'd_out': it is written, and overlaps argument 'd_in'"),
    ("length", lambda: reduced(num_items=9), ARGUMENT, "reduce_into: argument 'd_in' has 8 elements, and num_items is 9: pass a longer array"),
    ("count", lambda: compute.unique(d_in=np.zeros(256, "i4"), d_out=np.zeros(256, "i4"), d_num_selected_out=np.zeros(1, "u1"), num_items=256), ARGUMENT, "unique: argument 'd_num_selected_out': uint8 counts to 255, and num_items is 256: pass an array of a larger type"),
    ("count", lambda: compute.find_if(d_in=CountingIterator(np.int32(0)), d_out=one, cond=lambda v: v < 0, num_items=2**31), ARGUMENT, "find_if: argument 'd_out': int32 counts to 2147483647, and num_items is 2147483648"),
    ("count", lambda: runs(d_counts_out=bytes_), ARGUMENT, "run_length_encode: argument 'd_counts_out': uint8 counts to 255, and num_items is 256"),
    ("count", lambda: compute.nontrivial_runs(d_in=many, d_offsets_out=many, d_lengths_out=bytes_, d_num_runs_out=one, num_items=256), ARGUMENT, "nontrivial_runs: argument 'd_lengths_out': uint8 counts to 255"),
    ("count", lambda: compute.nontrivial_runs(d_in=many, d_offsets_out=bytes_, d_lengths_out=many, d_num_runs_out=one, num_items=258), ARGUMENT, "nontrivial_runs: argument 'd_offsets_out': uint8 counts to 255, and num_items - 2 is 256"),
    ("count", lambda: compute.argmax(d_in=many, d_out=np.zeros(1, np.dtype("i4,u1", align=True)), num_items=257), ARGUMENT, "argmax: argument 'd_out': uint8 counts to 255, and num_items - 1 is 256"),
    ("count", lambda: either(compute.set_union, 128), ARGUMENT, "set_union: argument 'd_num_out': uint8 counts to 255, and num_items + num_items2 is 256"),
    ("count", lambda: either(compute.set_intersection, 256), ARGUMENT, "set_intersection: argument 'd_num_out': uint8 counts to 255, and min(num_items, num_items2) is 256"),
    ("count", lambda: counted(d_samples=CountingIterator(np.int32(0)), num_samples=2**31), ARGUMENT, "histogram_even: argument 'd_histogram': int32 counts to 2147483647, and num_samples is 2147483648"),
    ("count", lambda: rows(d_in=np.zeros((3, 257), "i4"), d_places_out=np.zeros((3, 2), "u1")), ARGUMENT, "top_k_rows: argument 'd_places_out': uint8 counts to 255, and the last place of a row is 256: pass an array of a larger type"),
    ("axes", lambda: rows(d_in=x), ARGUMENT, "top_k_rows: argument 'd_in': an array of two axes in C's order is needed, got one of shape (8,): reshape it"),
    ("axes", lambda: rows(d_in=np.zeros((4, 3), "i4").T), ARGUMENT, "argument 'd_in': an array of two axes in C's order is needed"),
    ("axes", lambda: rows(d_in=CountingIterator(np.int32(0))), TYPE, "argument 'd_in': an array of two axes is needed, not CountingIterator"),
    ("axes", lambda: rows(d_out=np.zeros((2, 2), "i4")), ARGUMENT, "argument 'd_out' has 2 rows, and 'd_in' has 3: pass a longer array"),
    ("axes", lambda: rows(d_out=np.zeros((3, 2), "f4")), TYPE, "argument 'd_out': elements of int32 are needed, not float32"),
    ("axes", lambda: rows(d_in=np.zeros((3, 4), "c8")), TYPE, "argument 'd_in': numbers are chosen, not complex64"),
    ("axes", lambda: rows(d_places_out=np.zeros((3, 3), "i4")), ARGUMENT, "argument 'd_places_out' has the shape (3, 3), and 'd_out' has (3, 2)"),
    ("axes", lambda: rows(d_places_out=np.zeros((3, 2), "f4")), TYPE, "argument 'd_places_out': places are integers, not float32"),
    ("axes", lambda: rows(order="up"), TYPE, "top_k_rows: argument 'order': expected SortOrder.ASCENDING or"),
    ("axes", lambda: rows(sorted=False), TYPE, "top_k_rows: there is no argument 'sorted'"),
    ("channels", lambda: pixels(channels=4), RANGE, "histogram_by: argument 'channels': 4 is out of range, 1 to 3, the columns of 'd_samples'"),
    ("channels", lambda: pixels(channels=0), RANGE, "argument 'channels': 0 is out of range"),
    ("channels", lambda: pixels(channels="2"), TYPE, "argument 'channels': expected a whole number, got str '2'"),
    ("channels", lambda: pixels(channels=3), ARGUMENT, "argument 'd_histogram' has 2 rows, and channels is 3: pass an array with a row for each channel"),
    ("channels", lambda: pixels(num_items=9), ARGUMENT, "argument 'd_samples' has 8 rows, and num_items is 9: pass a longer array"),
    ("channels", lambda: pixels(d_samples=x), ARGUMENT, "argument 'd_samples': an array of two axes in C's order is needed"),
    ("channels", lambda: pixels(d_histogram=y), ARGUMENT, "argument 'd_histogram': an array of two axes in C's order is needed"),
    ("channels", lambda: counted(d_samples=np.zeros((8, 3), "i4"), d_histogram=np.zeros((2, 4), "i4"), channels=2), ARGUMENT, "argument 'd_histogram' has rows of 4 elements, and num_output_levels - 1 is 8: pass an array with as many columns"),
    ("channels", lambda: compute.histogram_by(d_samples=x, d_histogram=floats, op=lambda v: v, num_items=8), TYPE, "histogram_by: argument 'd_histogram': counts and places are integers, not float32"),
    ("several", lambda: several(d_ins=x), TYPE, "nary_transform: argument 'd_ins': a tuple of arrays and iterators is needed, not ndarray"),
    ("several", lambda: several(d_ins=()), ARGUMENT, "nary_transform: argument 'd_ins' has 0 sequences, 1 to 8 are possible"),
    ("several", lambda: several(d_ins=(x,) * 9), ARGUMENT, "argument 'd_ins' has 9 sequences, 1 to 8 are possible: zip some of them"),
    ("several", lambda: several(d_ins=(x, 5)), TYPE, "argument 'd_ins': an array on a device or an iterator is needed, not int"),
    ("several", lambda: several(d_ins=(x, short)), ARGUMENT, "argument 'd_ins' has 4 elements, and num_items is 8"),
    ("several", lambda: several(d_ins=(x, x, x)), TYPE, "the function takes 2 arguments, but 3 are given"),
    ("sort", lambda: by(op=lambda v: None), TYPE, "radix_sort_by: argument 'op': it gives a None, where a number or a tuple of up to 8 numbers is needed"),
    ("sort", lambda: by(op=lambda v: (v, v * 1j)), TYPE, "argument 'op': it gives a (int32, complex128), where a number"),
    ("sort", lambda: by(op=lambda v: (v, v, v, v, v, v, v, v, v)), TYPE, "where a number or a tuple of up to 8 numbers is needed"),
    ("sort", lambda: by(op=lambda v: (v, v), end_bit=65), RANGE, "0 and 65 are no bits of (int32, int32), 0 to 64"),
    ("structs", lambda: compute.argminmax(d_in=x, d_out=one, num_items=8), TYPE, "argminmax: a value of (int32, uint64, int32, uint64) stands where one of int32 is asked for"),
    ("sort", lambda: by(end_bit=33), RANGE, "radix_sort_by: arguments 'begin_bit' and 'end_bit': 0 and 33 are no bits of int32"),
    ("sort", lambda: by(d_out=short), ARGUMENT, "radix_sort_by: argument 'd_out' has 4 elements"),
    ("sort", lambda: parts(d_out_keys=floats), TYPE, "segmented_radix_sort: argument 'd_out_keys': elements of int32 are needed, not float32"),
    ("sort", lambda: parts(d_in_values=x), TYPE, "argument 'd_out_values' is missing: pass values in and out, or neither"),
    ("sort", lambda: parts(d_out_values=x), TYPE, "argument 'd_in_values' is missing"),
    ("sort", lambda: parts(offsets_in=floats), TYPE, "argument 'offsets_in': offsets are integers, not float32"),
    ("sort", lambda: parts(begin_bit=-1), RANGE, "segmented_radix_sort: arguments 'begin_bit' and 'end_bit': -1 and 32 are no bits"),
    ("sort", lambda: parts(d_in_keys=np.zeros(8, "c8"), d_out_keys=np.zeros(8, "c8")), TYPE, "argument 'd_in_keys': numbers are sorted, not complex64"),
    ("count", lambda: compute.merge(d_in1=x, d_in2=x, d_out=short, op="<", num_items=8), TYPE, "merge() is missing the argument 'num_items2'"),
    ("length", lambda: mapped(lambda v: v, num_items=9), ARGUMENT, "unary_transform: argument 'd_in' has 8 elements"),
    ("length", lambda: mapped(lambda v: v, d_out=short), ARGUMENT, "unary_transform: argument 'd_out' has 4 elements, and num_items is 8"),
    ("length", lambda: reduced(d_out=np.zeros(0, "i4")), ARGUMENT, "argument 'd_out' has 0 elements, and the least is 1"),
    ("length", lambda: reduced(h_init=np.zeros(0, "i4")), ARGUMENT, "reduce_into: an array of one element is needed, got an empty one"),
    ("length", lambda: reduced(d_in=ZipIterator(x, short), d_out=np.zeros(1, Pair.dtype), h_init=Pair(0, 0), op="|a, b| a"), ARGUMENT, "argument 'd_in' has 4 elements"),
    ("length", lambda: reduced(d_in=TransformIterator(short, lambda v: v + 1)), ARGUMENT, "argument 'd_in' has 4 elements"),
    ("length", lambda: reduced(d_in=PermutationIterator(x, short)), ARGUMENT, "argument 'd_in' has 4 elements"),
    ("length", lambda: reduced(d_in=ReverseIterator(short)), ARGUMENT, "argument 'd_in' has 4 elements"),
    ("length", lambda: reduced(d_in=compute.iterators.PointerIterator(x) + 2), ARGUMENT, "argument 'd_in' has 6 elements"),
    ("length", lambda: compute.top_k(d_in_keys=x, d_out_keys=short, num_items=8, k=5), ARGUMENT, "top_k: argument 'd_out_keys' has 4 elements, and k is 5"),
    ("length", lambda: segments(num_segments=2), ARGUMENT, "segmented_reduce: argument 'd_out' has 1 elements, and num_segments is 2"),
    ("length", lambda: counted(d_histogram=short), ARGUMENT, "histogram_even: argument 'd_histogram' has 4 elements, and num_output_levels - 1 is 8"),
    ("length", lambda: compute.lower_bound(d_data=x, num_items=8, d_values=x, num_values=8, d_out=np.zeros(4, np.uintp)), ARGUMENT, "lower_bound: argument 'd_out' has 4 elements, and num_values is 8"),
    ("length", lambda: compute.fill(d_out=short, value=1, num_items=8), ARGUMENT, "fill: argument 'd_out' has 4 elements"),
    ("length", lambda: compute.generate(d_out=short, op=lambda i: i, num_items=8), ARGUMENT, "generate: argument 'd_out' has 4 elements"),
    ("length", lambda: compute.merge(d_in1=x, d_in2=short, d_out=np.zeros(16, "i4"), op=OpKind.LESS, num_items=8, num_items2=8), ARGUMENT, "merge: argument 'd_in2' has 4 elements, and num_items2 is 8"),
    ("range", lambda: reduced(num_items=-1), RANGE, "reduce_into: argument 'num_items': -1 is out of range, 0 to"),
    ("range", lambda: reduced(num_items=2**70), RANGE, "reduce_into: argument 'num_items': 1180591620717411303424 is out of range"),
    ("range", lambda: segments(num_segments=-1), RANGE, "segmented_reduce: argument 'num_segments': -1 is out of range"),
    ("range", lambda: compute.top_k(d_in_keys=x, d_out_keys=y, num_items=8, k=-1), RANGE, "top_k: argument 'k': -1 is out of range"),
    ("range", lambda: sorted_(begin_bit=40), RANGE, "radix_sort: arguments 'begin_bit' and 'end_bit': 40 and 32 are no bits of int32, 0 to 32"),
    ("range", lambda: sorted_(end_bit=33), RANGE, "arguments 'begin_bit' and 'end_bit': 0 and 33 are no bits of int32"),
    ("range", lambda: compute.fill(d_out=x, value=2**40, num_items=8), RANGE, "fill: argument 'value': int64 1099511627776 is out of the range of i32"),
    ("range", lambda: mapped(lambda v: 2**100 + v), TYPE, "the Python integer 1267650600228229401496703205376 is out of bounds for int32"),
    ("range", lambda: ShuffleIterator(0), ARGUMENT, "num_items must be > 0"),
    ("type", lambda: reduced(num_items=1.5), TYPE, "reduce_into: argument 'num_items': expected a whole number, got float 1.5"),
    ("type", lambda: reduced(num_items="8"), TYPE, "argument 'num_items': expected a whole number, got str '8'"),
    ("type", lambda: reduced(num_items=None), TYPE, "argument 'num_items': expected a whole number, got None"),
    ("type", lambda: reduced(h_init=None), TYPE, "reduce_into: could not determine the accumulator's dtype from h_init; a NumPy array or a gpu_struct is needed"),
    ("type", lambda: reduced(h_init=0), TYPE, "could not determine the accumulator's dtype from h_init"),
    ("type", lambda: compute.exclusive_scan(d_in=x, d_out=y, op=OpKind.PLUS, init_value=None, num_items=8), ARGUMENT, "an exclusive scan needs an initial value"),
    ("type", lambda: compute.fill(d_out=x, value="a", num_items=8), TYPE, "fill: argument 'value': expected i32, got str_ 'a': pass a whole number"),
    ("type", lambda: compute.fill(d_out=x, value=None, num_items=8), TYPE, "fill: a value of int32 is needed, got None"),
    ("type", lambda: sorted_(order="up"), TYPE, "radix_sort: argument 'order': expected SortOrder.ASCENDING or SortOrder.DESCENDING, got str 'up'"),
    ("type", lambda: reduced(determinism="all"), TYPE, "reduce_into: argument 'determinism': expected Determinism.NOT_GUARANTEED or"),
    ("type", lambda: ConstantIterator([1, 2]), TYPE, "ConstantIterator: one value is needed, got an array of shape (2,)"),
    ("type", lambda: ReverseIterator(5), TYPE, "an array on a device or an iterator is needed, not int"),
    ("type", lambda: TransformIterator(5, lambda v: v), TYPE, "an array on a device or an iterator is needed, not int"),
    ("type", lambda: compute.CacheModifiedInputIterator(x, "fast"), ARGUMENT, "Unknown modifier: fast. Must be one of"),
    ("type", ZipIterator, ARGUMENT, "ZipIterator requires at least one iterator"),
    ("stream", lambda: reduced(stream=5), TYPE, "stream argument 5 does not implement the '__cuda_stream__' protocol: pass a cokernel.Stream"),
    ("stream", lambda: reduced(stream="s"), TYPE, "stream argument 's' does not implement"),
    ("stream", lambda: reduced(stream=ck.Device("host")), TYPE, "stream argument Device('host') does not implement"),
    ("direction", lambda: mapped(lambda v: v, d_out=CountingIterator(np.int32(0))), ARGUMENT, "argument 'd_out': This iterator does not support output operations"),
    ("direction", lambda: mapped(lambda v: v, d_out=ShuffleIterator(8)), ARGUMENT, "argument 'd_out': This iterator does not support output operations"),
    ("direction", lambda: mapped(lambda v: v, d_out=ZipIterator(y, ConstantIterator(np.int32(0)))), ARGUMENT, "argument 'd_out': This iterator does not support output"),
    ("direction", lambda: mapped(lambda v: v, d_in=TransformOutputIterator(x, lambda v: v)), ARGUMENT, "This iterator does not support input operations"),
    ("name", lambda: reduced(stram=None), TYPE, "reduce_into: there is no argument 'stram': there are d_in, d_out, num_items, op, h_init"),
    ("name", lambda: compute.argmin(d_in=x, d_outt=one, num_items=8), TYPE, "argmin() is missing the argument 'd_out'; it takes d_in, d_out, op, num_items"),
    ("name", lambda: compute.argmin(d_in=x, d_out=one, num_items=8, less=0), TYPE, "argmin() has no argument 'less'; it takes"),
    ("name", lambda: compute.argmni, AttributeError, "has no attribute 'argmni'"),
    ("missing", lambda: compute.argmin(d_in=x), TYPE, "argmin() is missing the argument 'd_out', 'num_items'"),
    ("missing", lambda: compute.reduce_into(d_in=x), TypeError, "reduce_into() missing 4 required keyword-only arguments: 'd_out', 'num_items', 'op', and 'h_init'"),
    ("missing", lambda: compute.top_k(d_in_keys=x, d_out_keys=y, num_items=8), TypeError, "top_k() missing 1 required keyword-only argument: 'k'"),
    ("missing", lambda: compute.reduce_into(x, one), TypeError, "reduce_into() takes 0 positional arguments but 2 were given"),
    ("missing", lambda: RawOp(name="f"), TypeError, "missing 1 required keyword-only argument: 'ltoir'"),
    ("operator", lambda: reduced(op=None), TYPE, "None is no operator: give a Python function, an OpKind, a RawOp or CK text"),
    ("operator", lambda: reduced(op=int), TYPE, "<class 'int'> is no operator"),
    ("operator", lambda: reduced(op=OpKind.STATELESS), ARGUMENT, "OpKind.STATELESS is not a well-known operation: use OpKind.PLUS"),
    ("operator", lambda: reduced(op=lambda a: a), TYPE, "the function takes 1 arguments, but 2 are given"),
    ("operator", lambda: reduced(op=lambda a, b, c: a), TYPE, "argument 'c' is missing: 2 are given"),
    ("operator", lambda: reduced(op=np.sin), TYPE, "the function takes 1 arguments, but 2 are given"),
    ("operator", lambda: reduced(op="|a, b| a +"), BUILD, "reduce_into can't be compiled\nck_call.ck:3:52: error: expected a value"),
    ("operator", lambda: reduced(op="nothing"), BUILD, "error: 'nothing' is not declared"),
    ("operator", lambda: reduced(op="|a| a"), BUILD, "error: '|a| a' takes 1 argument, 2 are given"),
    ("operator", lambda: reduced(determinism=Determinism.GPU_TO_GPU, op=lambda a, b: a * b + a), BUILD, "determinism = gpu_to_gpu is for sums"),
    ("operator", lambda: reduced(op=RawOp(ltoir=b"abc", name="f")), BUILD, "an operator of LTO-IR runs on a GPU: for the host device"),
    ("struct", lambda: gpu_struct({"a b": np.int32}), ARGUMENT, "gpu_struct: the field name 'a b' is not a valid Python identifier"),
    ("struct", lambda: gpu_struct({"a": "nothing"}), TYPE, "gpu_struct: the field 'a' has no type of NumPy"),
    ("struct", lambda: gpu_struct(5), TYPE, "gpu_struct: fields are a dict, a structured dtype or an annotated class, not 5"),
    ("struct", lambda: Pair(1), TYPE, "Pair has 2 fields, 1 values are given"),
    ("struct", lambda: Pair(c=1), TYPE, "Pair has the fields a, b"),
    ("bytes", lambda: compute.serialize(5), TYPE, "serialize() takes what make_* gives, not int"),
    ("bytes", lambda: compute.deserialize(b"abc"), ARGUMENT, "these bytes are no serialized algorithm of cokernel.compute"),
    ("bytes", lambda: compute.deserialize("abc"), TYPE, "deserialize() takes the bytes that serialize() gave, not str"),
    ("bytes", lambda: compute.deserialize(compute.serialize(makes())[:-5]), ARGUMENT, "the serialized algorithm is cut off"),
    ("target", lambda: makes(compute_capability=[]), ARGUMENT, "compute_capability list is empty"),
    ("target", lambda: makes(compute_capability="x"), ARGUMENT, "compute_capability 'x' is none: write 90, \"9.0\" or (9, 0)"),
    ("target", lambda: compute.serialize(makes(compute_capability=13)), BUILD, "there is no target 'sm_13'; there are host, sm_75"),
]

# What can't be translated: statements of a function of v, and a part of the text.
PYTHON = [
    ("return undefined(v)", "the name 'undefined' is not defined"),
    ("return [v][0]", "a list can't be translated to a kernel: use a tuple, or an array from outside"),
    ("return {1: v}[1]", "a dict can't be translated to a kernel: use a tuple, or an array"),
    ("return {v}", "a set can't be translated to a kernel: use a tuple, or an array"),
    ("return sum(v for _ in range(3))", "a generator can't be translated to a kernel: use a tuple, or an array"),
    ("return [i for i in range(3)][0]", "a list can't be translated"),
    ("return 'text'", "'text' can't be translated to a kernel: a kernel has numbers, tuples"),
    ("return f'{v}'", "a string can't be translated to a kernel: a kernel has numbers"),
    ("return v == 'a'", "'a' can't be translated to a kernel"),
    ("yield v", "yield can't be translated to a kernel: return a value"),
    ("try:\n        return v\n    except ValueError:\n        return 0", "'try' can't be translated to a kernel: test for what could go wrong"),
    ("with open('x'):\n        return v", "'with' can't be translated to a kernel"),
    ("class A: pass\n    return v", "'class' can't be translated to a kernel: define it outside, with gpu_struct"),
    ("import math\n    return v", "'import' can't be translated to a kernel: import it outside of the function"),
    ("global G\n    G = v\n    return v", "'global' can't be translated to a kernel: return it"),
    ("assert v > 0\n    return v", "'assert' can't be translated to a kernel: write a mark"),
    ("raise ValueError", "'raise' can't be translated to a kernel: write a mark"),
    ("del v", "'del' can't be translated to a kernel"),
    ("print(v)\n    return v", "'print' can't be translated to a kernel: functions in Python, of math, and ufuncs"),
    ("match v:\n        case 1: return v", "'match' can't be translated to a kernel: use 'if' and 'elif'"),
    ("return f(v - 1) if v > 0 else 0", "a function that calls itself can't be translated: write a loop"),
    ("return (None, v)", "None can't be translated to a kernel"),
    ("pass", "'f' returns nothing, where a value is needed"),
    ("return v @ v", "'@' can't be translated to a kernel: write the sum as a loop"),
    ("return v is None", "'in', 'not in' and 'is' can't be translated to a kernel: compare by == and !="),
    ("return v in (1, 2)", "'in', 'not in' and 'is' can't be translated"),
    ("return table[1:3][0]", "a slice can't be translated to a kernel: index the elements one by one"),
    ("return table[v, 0]", "the array has 1 dimensions, but 2 indices are given"),
    ("return table", "an array can be used by its elements, its len() and in a loop only"),
    ("return v[0]", "a value of int32 has no elements"),
    ("return v()", "a value of int32 can't be called"),
    ("return v.real.foo", "a value of int32 has no 'foo'"),
    ("return np.linalg.norm(v)", "ufuncs"),
    ("return np.sin(v, v)", "'sin' doesn't take 2 arguments"),
    ("return np.nothing(v)", "there is no 'nothing' in 'numpy'"),
    ("return max(v)", "max() takes several numbers or a tuple, not one int32"),
    ("return len(v)", "len() takes a captured array or a tuple"),
    ("return round(v, 2)", "round() to a number of digits can't be translated: scale, round and scale back"),
    ("return compute.atomic.add(y, 0)", "atomic.add takes an array, an index and a value"),
    ("return compute.atomic.nothing(y, 0, v)", "there is no atomic 'nothing': there are add"),
    ("if v > 0:\n        return (1, 2)\n    return 1", "the function returns a int here and a (int64, int64) elsewhere"),
    ("for i in table:\n        v += i\n    else:\n        v = 0\n    return v", "'else' of a loop can't be translated"),
    ("return v + 1j", "complex"),
]


def python_rows(folder):
    """The functions of PYTHON, from files: each by its number, so that Python finds its source."""
    for index, (body, text) in enumerate(PYTHON):
        path = os.path.join(folder, f"f{index}.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"def f(v):\n    {body}\n")
        scope = {"np": np, "compute": compute, "table": table, "y": y}
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec"), scope)  # pylint: disable=exec-used
        yield "translation", lambda f=scope["f"]: mapped(f), TYPE, text


class Wrong(unittest.TestCase):
    def test_table(self):
        counts = collections.Counter()
        before = [a.copy() for a in (x, y, one, fixed)]
        with tempfile.TemporaryDirectory() as folder:
            for what, call, kind, text in [*ROWS, *python_rows(folder)]:
                counts[what] += 1
                with self.subTest(what=what, text=text):
                    try:
                        result = call()
                    except Exception as error:  # pylint: disable=broad-except
                        self.assertIsInstance(error, kind, f"{error!r} instead of {text}")
                        self.assertIn(text, str(error))
                    else:
                        self.fail(f"returned {result!r} instead of {text}")
        for array, old in zip((x, y, one, fixed), before):
            np.testing.assert_array_equal(array, old)
        print(f"{sum(counts.values())} wrong calls:", ", ".join(f"{n} {w}" for w, n in counts.items()))

    def test_later_calls(self):
        """Also where a right call of the same form has gone before, and its recipe is known."""
        target = np.zeros(8, "i4")
        for wrong, text in (({"d_out": short}, "'d_out' has 4"), ({"d_out": fixed}, "read-only"), ({"d_in": short}, "'d_in' has 4"),
                            ({"num_items": 9}, "has 8 elements"), ({"num_items": -1}, "out of range"),
                            ({"d_in": target[:7], "d_out": target[1:], "num_items": 7}, "overlaps argument 'd_in'")):
            for _ in range(3):
                mapped(lambda v: v + 1, d_out=target)
            for _ in range(2):
                with self.assertRaisesRegex(ARGUMENT, text):
                    mapped(lambda v: v + 1, **{"d_out": target, **wrong})
        bins = np.zeros(8, "i4")
        for levels in (9, 9, 5, 9):
            counted(d_histogram=bins, num_output_levels=levels)
        known = compute.histogram_even.known
        counted(d_histogram=bins, num_output_levels=7)
        self.assertEqual(compute.histogram_even.known, known)
        for _ in range(2):
            with self.assertRaisesRegex(ARGUMENT, "'d_histogram' has 8 elements, and num_output_levels - 1 is 9"):
                counted(d_histogram=bins, num_output_levels=10)
        self.assertEqual((short.any(), fixed.any(), target.tolist()), (False, False, list(range(1, 9))))


if __name__ == "__main__":
    os.environ.setdefault("CK_DEVICE", "host")
    sys.exit(unittest.main())
