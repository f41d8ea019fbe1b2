# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_allocators.py - memory of devices from the pools of other libraries: CuPy's, PyTorch's, or functions."""
from . import _core, errors


def _torch(device):
    from torch import cuda  # pylint: disable=import-outside-toplevel,import-error
    ordinal = device.device_id

    def allocate(size, handle):
        return cuda.caching_allocator_alloc(size, ordinal, handle)
    return allocate, cuda.caching_allocator_delete


def _cupy(device):
    import cupy  # pylint: disable=import-outside-toplevel,import-error
    memory = {}  # address: the memory, which CuPy frees when it is forgotten

    def allocate(size, handle):
        with cupy.cuda.Device(device.device_id), cupy.cuda.ExternalStream(handle, device.device_id):
            made = cupy.cuda.alloc(size)
        memory[made.ptr] = made
        return made.ptr

    def deallocate(address):
        del memory[address]
    return allocate, deallocate


def use_allocator(source, device=None):
    """Lets the runtime take a device's memory from elsewhere: results, scratch memory of algorithms, and
    arrays that cokernel.empty makes. Memory that exists stays where it is.

    source  "cupy" or "torch": the pool of that library; a pair of functions, allocate(size, stream) which
            returns an address, and deallocate(address); None: the driver's pool again
    """
    device = _core.Device(device)
    if source is None:
        functions = None, None
    elif source in ("torch", "cupy"):
        if device.is_host:
            raise errors.UnsupportedError(f"{source} has memory of GPUs, and {device!r} is none")
        functions = {"torch": _torch, "cupy": _cupy}[source](device)
    else:
        functions = source
        if not (isinstance(source, tuple) and len(source) == 2 and all(map(callable, source))):
            raise errors.ArgumentTypeError(
                "source has to be 'cupy', 'torch', a pair of functions or None, not "
                f"{source!r}")
    _core.set_allocator(device, *functions)
