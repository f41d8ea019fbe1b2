# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_arguments.py - arrays and streams of other libraries: address, dtype, extent, order, handle.

An array has `__cuda_array_interface__`, is NumPy's or a cokernel.Array, or has `__dlpack__` alone, as
PyTorch's and JAX's in the host's memory: then a cokernel.view of it is what is used. Only what lies
without gaps is taken, in C's or Fortran's order: its elements are a sequence. Nothing is copied.
"""
import numpy as np

from .. import _core
from ..errors import ArgumentError, ArgumentTypeError

NOT_CONTIGUOUS = ("Non-contiguous arrays are not supported. Copy the array first, or gather from it with a "
                  "PermutationIterator.")
NOT_ROWS = ("An array of several axes that a function captures has to be contiguous and row-major. Copy it first, with "
            "ascontiguousarray().")


def is_array(obj):
    if isinstance(obj, (np.ndarray, _core.Array)):
        return True
    if isinstance(obj, (type, np.generic)):
        return False
    for one in type(obj), obj:  # the type first: to ask an array of CuPy makes its interface, a dictionary
        if hasattr(one, "__cuda_array_interface__") or hasattr(one, "__dlpack__"):
            return True
    return False


def plain(array):
    """The array itself, or a view of one that only DLPack describes."""
    if isinstance(array, (np.ndarray, _core.Array)) or hasattr(getattr(array, "data", None), "ptr") or \
            not hasattr(array, "__dlpack__") or hasattr(array, "__cuda_array_interface__"):
        return array
    return _core.view(array)


def dtype_of(array):
    """The dtype of an array, a struct's value or a scalar."""
    dtype = getattr(array, "dtype", None)
    if isinstance(dtype, np.dtype):
        return dtype
    try:
        return np.dtype(array.dtype)
    except (AttributeError, TypeError):
        pass
    array = plain(array)
    if isinstance(array, _core.Array):
        return array.dtype
    interface = array.__cuda_array_interface__
    text = interface["typestr"]
    return np.dtype([tuple(d) for d in interface["descr"]]) if text[1] == "V" else np.dtype(text)


def address_of(array):
    """The address of the first element."""
    if isinstance(array, np.ndarray):
        return array.__array_interface__["data"][0]
    if isinstance(array, _core.Array):
        return array.ptr
    data = getattr(array, "data", None)
    pointer = getattr(data, "ptr", None)  # CuPy: quicker than its interface
    if pointer is not None:
        return pointer
    return array.__cuda_array_interface__["data"][0]


def shape_of(array):
    shape = getattr(array, "shape", None)
    return tuple(shape if shape is not None else array.__cuda_array_interface__["shape"])


def count_of(array):
    count = 1
    for extent in shape_of(array):
        count *= extent
    return count


def strides_of(array):
    if isinstance(array, np.ndarray):
        return array.strides
    if isinstance(array, _core.Array):
        return tuple(n * array.dtype.itemsize for n in array.strides)
    return array.__cuda_array_interface__.get("strides")


def check_order(array, is_by_index=False):
    """Fails with ValueError if the elements of an array don't follow each other in memory.

    is_by_index  the array is read by several indices, so that only C's order is right
    """
    if getattr(array, "_c_contiguous", 0) == 1:  # CuPy's: quicker than its flags
        return
    if isinstance(array, _core.Array) and not array.ptr and array.size:
        raise ArgumentError("the array is closed, and its memory freed: use it before close()")
    flags = getattr(array, "flags", None)
    if getattr(flags, "c_contiguous", False) or not is_by_index and getattr(flags, "f_contiguous", False):
        return
    strides = strides_of(array)
    if strides is None:
        return
    shape, size = shape_of(array), dtype_of(array).itemsize
    if 0 in shape:
        return
    for order in (range(len(shape) - 1, -1, -1), range(len(shape)))[:1 if is_by_index else 2]:
        wanted = size
        for axis in order:
            if shape[axis] > 1 and strides[axis] != wanted:
                break
            wanted *= shape[axis]
        else:
            return
    raise ArgumentError(NOT_ROWS if is_by_index else NOT_CONTIGUOUS)


def is_on_host(array):
    return isinstance(array, np.ndarray) or isinstance(array, _core.Array) and array.device.is_host


def stream_handle(stream):
    """The handle of a stream with `__cuda_stream__`; 0, the default stream, for None."""
    if stream is None:
        return 0
    get = getattr(stream, "__cuda_stream__", None)
    if get is None:
        pointer = getattr(stream, "ptr", getattr(stream, "cuda_stream", None))  # CuPy and PyTorch before the protocol
        if isinstance(pointer, int):
            return pointer
        raise ArgumentTypeError(f"stream argument {stream!r} does not implement the '__cuda_stream__' protocol: pass a "
                                "cokernel.Stream, or a stream of CuPy or PyTorch")
    answer = get() if callable(get) else get
    try:
        version, handle, *_ = answer
    except (TypeError, ValueError):
        raise ArgumentTypeError(f"could not obtain __cuda_stream__ protocol version and handle from {answer!r}") from None
    if version != 0:
        raise ArgumentTypeError(f"unsupported __cuda_stream__ version {version}")
    if not isinstance(handle, int):
        raise ArgumentTypeError(f"invalid stream handle {handle!r}")
    return handle
