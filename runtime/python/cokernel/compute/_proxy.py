# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_proxy.py - stand-ins for arrays and values, to build algorithms with on a machine without a GPU."""
import numpy as np


class _Interface(dict):
    """An array interface without an address."""

    def __missing__(self, key):
        if key == "data":
            raise RuntimeError("ProxyArray has no GPU data: it stands for an array where an algorithm is built. "
                               "Pass an array when it is called.")
        raise KeyError(key)

    def get(self, key, default=None):
        return self[key] if key == "data" else super().get(key, default)


class ProxyArray:
    """Stands for an array of a dtype."""

    is_proxy = True

    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)

    @property
    def __cuda_array_interface__(self):
        return _Interface(shape=(1,), typestr=self.dtype.str, descr=self.dtype.descr, version=3, strides=None)

    def __repr__(self):
        return f"ProxyArray(dtype={self.dtype})"


class ProxyValue:
    """Stands for a value of a dtype."""

    is_proxy = True

    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)

    def __repr__(self):
        return f"ProxyValue(dtype={self.dtype})"


def is_proxy(obj):
    return getattr(obj, "is_proxy", False) is True
