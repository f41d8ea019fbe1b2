# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_helpers.py - what the extension `_core` leaves to Python, because it isn't in a hurry: exceptions, how
the arrays of a type are read, dictionaries of array interfaces, copies to NumPy.

Functions whose text goes into a message return bytes.
"""
import difflib
import linecache
import numbers
import re
import sys

import numpy as np

from . import _core, _dtypes, errors

READ_NONE, READ_ARRAY, READ_NUMPY, READ_EXCHANGE, READ_DLPACK, READ_CUDA, READ_HOST, \
    READ_BUFFER, READ_CUPY = range(9)
SOURCE_OWN, SOURCE_HOST, SOURCE_TORCH, SOURCE_CUPY, SOURCE_OTHER, SOURCE_EXCHANGE, SOURCE_JAX = range(7)
CPU, CUDA = 1, 2  # DLPack's devices

# ---- exceptions -----------------------------------------------------------------------------------


def _place_trace(error, place):
    """Gives the exception a traceback of one frame, which is in the CK text: a line of an empty code
    object that has the file's name and the kernel's."""
    if not place:
        return error
    file, line, name, text = place
    if text and file.startswith("<"):  # texts without a name share one: the last that fails is shown
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    code = compile("\n" * (max(line, 1) - 1) + "raise error", file, "exec")
    changes = {"co_name": name}
    if hasattr(code, "co_qualname"):
        changes["co_qualname"] = name
    try:
        exec(code.replace(**changes), {"error": error})  # pylint: disable=exec-used
    except errors.Error as raised:
        raised.__traceback__ = raised.__traceback__.tb_next
    return error


def _without_status(text):
    return re.sub(r"^CK_\w+: ", "", text)


def error_of_status(status, text, code, place):
    kind = errors.BY_STATUS[status] if 0 < status < len(errors.BY_STATUS) else errors.InternalError
    error = kind(_without_status(text))
    if kind is errors.DriverError:
        error.code = code
    if kind is errors.KernelFault and place:  # the message has the line of the fault
        found = re.search(re.escape(place[0]) + r":(\d+):\d+: ", text)
        place = (place[0], int(found[1]), *place[2:]) if found else place
    return _place_trace(error, place)


KINDS = {"argument": errors.ArgumentError, "type": errors.ArgumentTypeError,
         "range": errors.RangeError, "unsupported": errors.UnsupportedError}


def error_of_text(kind, text, place):
    return _place_trace(KINDS[kind](text), place)


def error_of_compile(log, file, text):
    error = errors.CompileError(f"{file} can't be compiled\n{log.rstrip()}")
    error.log = log
    place = re.match(r"(.*?):(\d+):(\d+): ", log)
    error.file, error.line = (place[1], int(place[2])) if place else (file, 0)
    return _place_trace(error, (error.file, error.line, "<text>", text if error.file == file else ""))


def error_in_argument(error, kernel, number, name, place):
    if isinstance(error, errors.Error):
        made = type(error)(f"kernel '{kernel}', argument {number} '{name}': {error}")
    else:
        kind = errors.ArgumentTypeError if isinstance(error, TypeError) else errors.ArgumentError
        made = kind(f"kernel '{kernel}', argument {number} '{name}': {error}")
        made.__cause__ = error
    return _place_trace(made, place)


def describe_value(value):
    text = repr(value)
    if isinstance(value, np.generic) and text.startswith("np."):  # NumPy 2 writes np.float32(1.0)
        text = text.partition("(")[2][:-1]
    if len(text) > 60:
        text = text[:57] + "..."
    kind = type(value).__name__
    return (text if value is None else f"{kind} {text}").encode()


def describe_layout(layout):
    """The fields of a struct: {lo:f32@0,hi:i32@4} is ' {lo: f32, hi: i32}'."""
    return (" " + re.sub(r"@\d+", "", layout).replace(":", ": ").replace(",", ", ")).encode()


def unknown_name(kernel, name, params):
    near = difflib.get_close_matches(name, [p for p in params.split(", ") if p] +
                                     ["stream", "grid", "block", "cluster", "shared"], 1)
    hint = f": did you mean '{near[0]}'?" if near else ""
    return (f"kernel '{kernel}' has no argument '{name}' (it has {params}; and stream, grid, block, "
            f"cluster, shared, cooperative, programmatic, unchecked){hint}").encode()


# ---- devices, streams -----------------------------------------------------------------------------


def slot_of_device(given):
    """0 for the host device, 1 + the ordinal for a GPU."""
    if isinstance(given, str):
        if given in ("host", "cpu"):
            return 0
        match = re.fullmatch(r"(?:cuda|gpu)(?::(\d+))?", given)
        if match:
            return 1 + int(match[1] or 0)
        raise errors.ArgumentError(f"no device is called '{given}': it is 'host' or 'cuda:N'")
    kind = getattr(given, "type", None)  # torch.device
    if kind in ("cpu", "cuda"):
        return 0 if kind == "cpu" else 1 + (given.index or 0)
    for name in ("device_id", "id"):  # cuda.core's and CuPy's
        number = getattr(given, name, None)
        if isinstance(number, int):
            return 1 + number
    raise errors.ArgumentTypeError(f"a device is 'host', 'cuda:N', a number or an object that names "
                                   f"one, not {given!r}")


def stream_handle(given):
    """The CUstream of another library's object, as a number."""
    protocol = getattr(given, "__cuda_stream__", None)
    if protocol is not None:
        answer = protocol() if callable(protocol) else protocol
        try:
            version, handle = answer
        except (TypeError, ValueError):
            raise errors.ArgumentTypeError("stream has to be an object whose __cuda_stream__ gives two numbers, not "
                                           f"{answer!r}") from None
        if version != 0:
            raise errors.UnsupportedError(f"version {version} of __cuda_stream__ is unknown")
        return int(handle)
    for name in ("cuda_stream", "ptr", "handle"):  # PyTorch's, CuPy's, Numba's
        handle = getattr(given, name, None)
        if handle is not None:
            return int(getattr(handle, "value", handle) or 0)
    raise errors.ArgumentTypeError("stream has to be a cokernel.Stream, an object with "
                                   f"__cuda_stream__, or a handle, not {given!r}")


def current_stream(source, ordinal):
    if source == SOURCE_TORCH:
        return sys.modules["torch"].cuda.current_stream(ordinal).cuda_stream
    return sys.modules["cupy"].cuda.get_current_stream().ptr


# ---- arrays of other libraries --------------------------------------------------------------------

NO_ARRAYS = (numbers.Number, np.generic, str, list, tuple, dict, set, type(None), type)
BUFFERS = {"builtins.bytearray", "builtins.bytes", "builtins.memoryview", "array.array", "mmap.mmap"}


def _source(kind):
    package = kind.__module__.partition(".")[0]
    return {"torch": SOURCE_TORCH, "cupy": SOURCE_CUPY, "jax": SOURCE_JAX, "jaxlib": SOURCE_JAX}.get(package, SOURCE_OTHER)


def _has_fields(array):
    """Whether an array has the attributes by which CuPy's are read."""
    data, fields = getattr(array, "data", None), ("shape", "strides")
    return isinstance(getattr(array, "dtype", None), np.dtype) and \
        isinstance(getattr(array, "_c_contiguous", None), int) and \
        all(isinstance(getattr(data, name, None), int) for name in ("ptr", "device_id")) and \
        all(isinstance(getattr(array, name, None), tuple) for name in fields)


def how_to_read(array):
    """(READ_*, SOURCE_*, capsule or None) for the objects of a type. READ_NONE with a source of 1 is for
    this object alone."""
    kind = type(array)
    if issubclass(kind, np.ndarray):
        return READ_NUMPY, SOURCE_HOST, None
    if issubclass(kind, NO_ARRAYS):
        return READ_NONE, 0, None
    capsule = getattr(kind, "__dlpack_c_exchange_api__", None)
    if type(capsule).__name__ == "PyCapsule":
        return READ_EXCHANGE, SOURCE_EXCHANGE, capsule
    source = _source(kind)
    if source == SOURCE_CUPY and _has_fields(array):
        return READ_CUPY, source, None
    if hasattr(kind, "__dlpack__") and not kind.__module__.startswith("numba"):
        return READ_DLPACK, source, None
    if hasattr(array, "__cuda_array_interface__"):
        return READ_CUDA, source, None
    if hasattr(array, "__array_interface__") or hasattr(array, "__array_struct__"):
        return READ_HOST, SOURCE_HOST, None
    if f"{kind.__module__}.{kind.__qualname__}" in BUFFERS or hasattr(kind, "__buffer__"):
        return READ_BUFFER, SOURCE_HOST, None
    return READ_NONE, 1, None


def call_dlpack(array, source, consumer, is_old):
    """(capsule, whether __dlpack__ has no max_version). The arrays of PyTorch and CuPy are used in
    their own current stream, so that nobody has to wait; others wait for the consumer's."""
    options = {}
    if array.__dlpack_device__()[0] != CPU:
        options["stream"] = -1 if source in (SOURCE_TORCH, SOURCE_CUPY) else consumer
    if not is_old:
        try:
            return array.__dlpack__(max_version=(1, 0), **options), 0
        except TypeError as error:
            if "max_version" not in str(error):
                raise
    return array.__dlpack__(**options), 1


def numpy_type(dtype):
    return _dtypes.codes_of_numpy(dtype)


def _type_of_interface(interface):
    """A dtype from `typestr` and `descr`."""
    text = interface["typestr"]
    if text[1] == "V" and interface.get("descr") and interface["descr"] != [("", text)]:
        return np.dtype([tuple(row) for row in interface["descr"]])
    return np.dtype(text)


def _read_interface(interface, kind, ordinal, owner):
    if interface.get("mask") is not None:
        raise errors.UnsupportedError("the array has a mask, which kernels don't know")
    data, is_read_only = interface["data"]
    stream = interface.get("stream")
    return (data or 0, bool(is_read_only), tuple(interface["shape"]), interface.get("strides"),
            *_dtypes.codes_of_numpy(_type_of_interface(interface)), stream, kind, ordinal, owner)


def _ordinal(array):
    device = getattr(array, "device", None)
    for name in ("id", "device_id", "index"):
        number = getattr(device, name, None)
        if isinstance(number, int):
            return number
    return _core.current_slot() - 1


def read_cuda(array):
    return _read_interface(array.__cuda_array_interface__, CUDA, _ordinal(array), array)


def read_host(array):
    interface = getattr(array, "__array_interface__", None)
    if interface is None:
        array = np.asarray(array if hasattr(array, "__array_struct__") else memoryview(array))
        interface = array.__array_interface__
    if not isinstance(interface.get("data"), tuple):
        array = np.asarray(array)
        interface = array.__array_interface__
    return _read_interface(interface, CPU, 0, array)


# ---- our own arrays -------------------------------------------------------------------------------


def array_dtype(array):
    return _dtypes.numpy_of_codes(*array._type[:4])


def array_size(array):
    size = 1
    for extent in array.shape:
        size *= extent
    return size


def _interface(array):
    if not array.ptr and array_size(array):
        raise AttributeError("the array is closed")
    dtype = array_dtype(array)
    shape = array.shape
    if dtype.subdtype:
        shape, dtype = shape + dtype.subdtype[1], dtype.subdtype[0]
    strides = None
    if not array._type[4]:
        size = array_dtype(array).itemsize
        strides = tuple(size * stride for stride in array.strides)
        if len(shape) > len(strides):
            strides += (dtype.itemsize,)
    made = {"version": 3, "typestr": dtype.str, "shape": shape, "data": (array.ptr, array.readonly),
            "strides": strides}
    if dtype.fields:
        made["descr"] = dtype.descr
    return made


def array_cuda_interface(array):
    if array.device.is_host:
        raise AttributeError("the array is on the host device: __array_interface__ has it")
    stream = array.stream
    return {**_interface(array), "stream": (stream.handle or 1) if stream else None}


def array_host_interface(array):
    if not array.device.is_host:
        raise AttributeError("the array is on a GPU: x.numpy() copies it")
    return _interface(array)


def array_numpy(array, stream):
    if not array._type[4]:
        if array.device.is_host:
            return np.array(array)
        raise errors.UnsupportedError("the array isn't dense: copy it with the library that it is of")
    dtype = array_dtype(array)
    out = np.empty(array.shape, dtype)
    _core.transfer(array, out.ctypes.data, stream, True)
    return out


def array_copy_from(array, source, stream):
    dtype = array_dtype(array)
    source = np.asarray(source)
    base, extra = dtype.subdtype or (dtype, ())
    if source.dtype != base or source.shape != array.shape + extra:
        raise errors.ArgumentTypeError(
            f"copy_from: expected shape {array.shape + extra} of {base}, got {source.shape} of "
            f"{source.dtype}")
    if array.readonly:
        raise errors.ArgumentError("copy_from: the array is read-only: copy into a writable one")
    if not array._type[4]:
        raise errors.ArgumentError("copy_from: the array is not dense in row-major order: copy into one that is")
    source = np.ascontiguousarray(source)
    _core.transfer(array, source.ctypes.data, stream, False)
    return array


def array_item(array):
    if array_size(array) != 1:
        raise errors.ArgumentError(f"item: the array has {array_size(array)} elements, not 1: numpy() has all of them")
    value = array_numpy(array, None).reshape(-1)[0]
    return value.item() if value.dtype.fields is None else value


def array_repr(array):
    if not array.ptr and array_size(array) and array.ndim == 0:
        return "<Array, closed>"
    code = array._type
    name = _dtypes.type_name(*code[:4])
    where = "host" if array.device.is_host else f"cuda:{array.device.device_id}"
    return f"<Array {array.shape} of {name} on {where}>"


def before_export(array, stream, place, copy):
    """What __dlpack__ checks first. Work in our default stream comes before that in the consumer's."""
    if copy is True:
        raise BufferError("an Array is exported without a copy: numpy() makes one")
    if place is not None and tuple(place) != array.__dlpack_device__():
        raise BufferError(f"an Array is exported where it is, on {array.device!r}")
    if array.__dlpack_device__()[0] != CPU and stream not in (None, -1):
        handle = 0 if stream in (0, 1) else stream
        ours = array.stream or array.device.default_stream
        if handle != ours.handle:
            _core.Stream.from_handle(handle, array.device).wait(ours)
    return True


def result_value(array):
    """The value of an algorithm, of an array of the host device: NumPy's scalar."""
    return np.array(array)[()]


# ---- scalars --------------------------------------------------------------------------------------


def struct_bytes(value, layout, size):
    """The bytes of a struct parameter, or None: NumPy's record of that layout, a tuple or dictionary of
    numbers, bytes of that size, a ctypes structure."""
    if isinstance(value, (np.void, np.ndarray)) and value.dtype.fields and value.shape == ():
        if not layout or not _dtypes.layouts_match(_dtypes.layout_of_numpy(value.dtype, 0), layout):
            return None
        data = value.tobytes()
        return data if len(data) == size else data.ljust(size, b"\0")[:size]
    if isinstance(value, complex):
        value = (value.real, value.imag)
    if isinstance(value, (tuple, list, dict)) and layout:
        record = np.zeros((), _dtypes.numpy_of_layout(layout, size))
        if isinstance(value, dict):
            if set(value) != set(record.dtype.names or ()):
                return None
            value = [value[name] for name in record.dtype.names]
        try:
            if record.dtype.names:
                record[()] = tuple(value)
            else:
                record[()] = value
        except (TypeError, ValueError):
            return None
        return record.tobytes()
    try:
        view = memoryview(value)
    except TypeError:
        return None
    return bytes(view) if view.nbytes == size and view.contiguous else None


def layouts_match(given, wanted):
    return _dtypes.layouts_match(given, wanted)


def begin():
    """Tells the extension about this module and about NumPy's arrays."""
    _core.set_helpers(sys.modules[__name__])
    probe = np.zeros((2, 4), np.int16)[:, :3]
    _core.set_numpy(np.ndarray, np.bool_, probe, probe.ctypes.data)
