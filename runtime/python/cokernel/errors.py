# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""errors.py - the exceptions of the package, one kind for each status of the runtime.

An exception that a kernel's call raises ends its traceback in the CK text, at the kernel.
"""


class Error(Exception):
    """Any error of Cokernel. `status` is the name of the runtime's status, such as
    "CK_INVALID_ARGUMENT"."""
    status = "CK_INTERNAL"


class ArgumentError(Error, ValueError):
    """An argument is at fault: mend the call."""
    status = "CK_INVALID_ARGUMENT"


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument has another type than the parameter, is missing, or has an unknown name."""


class RangeError(ArgumentError, OverflowError):
    """A number is out of the range of the parameter's type."""


class CompileError(Error):
    """The program is at fault. `log` has the compiler's messages, `file` and `line` the first one's
    place."""
    status = "CK_COMPILE"
    log, file, line = "", "", 0


class UnavailableError(Error, RuntimeError):
    """The machine lacks something: a driver, a toolkit, a device."""
    status = "CK_UNAVAILABLE"


class UnsupportedError(Error, NotImplementedError):
    """This device, driver or version can't do that."""
    status = "CK_UNSUPPORTED"


class NotFoundError(Error, LookupError):
    """There is no such name, file or entry."""
    status = "CK_NOT_FOUND"


class OutOfMemoryError(Error, MemoryError):
    """Host or device memory is out."""
    status = "CK_OUT_OF_MEMORY"


class NotReadyError(Error):
    """Work is still under way."""
    status = "CK_NOT_READY"


class FileError(Error, OSError):
    """A file could not be read or written."""
    status = "CK_IO"


class KernelFault(Error, RuntimeError):
    """A kernel trapped, failed an assertion or touched foreign memory."""
    status = "CK_KERNEL_FAULT"


class DriverError(Error, RuntimeError):
    """The CUDA driver refused; `code` is its error code."""
    status = "CK_DRIVER"
    code = 0


class InternalError(Error):
    """A mistake in Cokernel: report it."""


BY_STATUS = (None, ArgumentError, CompileError, UnavailableError, UnsupportedError, NotFoundError,
             OutOfMemoryError, NotReadyError, FileError, KernelFault, DriverError, InternalError)
