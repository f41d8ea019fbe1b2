# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""peer_cupy.py - a stand-in for CuPy: NumPy's arrays with an array interface, on the host device."""
import math

import numpy as np


class ndarray(np.ndarray):
    """An array of NumPy that says it were a device's."""

    @property
    def __cuda_array_interface__(self):
        return dict(self.__array_interface__, strides=self.strides, version=3)

    def get(self):
        return np.array(self, subok=False)

    def set(self, values):
        self[...] = values


def _as_device(function):
    def call(*args, **kwargs):
        return np.asarray(function(*args, **kwargs)).view(ndarray)
    return call


def install(module):
    """Makes the modules cupy, cupy.testing and cupyx.scipy.special."""
    made = module("cupy", **{n: getattr(np, n) for n in dir(np) if not n.startswith("__")})
    made.__path__ = []
    for name in ("array", "asarray", "empty", "empty_like", "zeros", "zeros_like", "ones", "full", "arange", "linspace"):
        setattr(made, name, _as_device(getattr(np, name)))
    made.ndarray = ndarray
    made.asnumpy = lambda a: np.array(a, subok=False)
    made.double = np.double
    random = module("cupy.random", **{n: getattr(np.random, n) for n in dir(np.random) if not n.startswith("_")})
    for name in ("rand", "randn", "randint", "random", "normal"):
        setattr(random, name, _as_device(getattr(np.random, name)))
    module("cupy.testing", **{n: getattr(np.testing, n) for n in dir(np.testing) if not n.startswith("_")})
    for name in ("cupyx", "cupyx.scipy"):
        module(name).__path__ = []
    module("cupyx.scipy.special", loggamma=lambda x: np.vectorize(math.lgamma)(np.asarray(x)).view(ndarray))
