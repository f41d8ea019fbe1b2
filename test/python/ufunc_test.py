# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ufunc_test.py - each ufunc of NumPy and function of `math` that is translated, for each type: the values and
the types that NumPy and Python give."""
import math
import unittest
import warnings

import numpy as np

from cokernel import _translate, _types, compute
from cokernel._operators import MATH, NUMPY

TYPES = ("i1", "u1", "i4", "u4", "i8", "f2", "f4", "f8", "?")
UNDEFINED = {"reciprocal"}  # of the integer 0


def called(function, arrays):
    out = np.zeros(6, "f8")
    if len(arrays) == 1:
        compute.unary_transform(d_in=arrays[0], d_out=out, op=function, num_items=6)
    else:
        compute.binary_transform(d_in1=arrays[0], d_in2=arrays[1], d_out=out, op=function, num_items=6)
    return out


class Tables(unittest.TestCase):
    """The rows of the tables."""

    def setUp(self):
        warnings.simplefilter("ignore")

    def test_numpy(self):
        compared = 0
        for name in NUMPY:
            function = getattr(np, name, None)
            if not isinstance(function, np.ufunc):
                continue
            for kind in TYPES:
                x = np.array([1, 2, 3, 1 if name in UNDEFINED else 0, 5, 7], kind)
                if kind[0] in "if":
                    x[2] = -3
                arrays = (x, np.array([3, 1, 2, 2, 0, 4], kind))[:function.nin]
                try:
                    wanted = function(*arrays)
                    made = _translate.translate(function, tuple(_types.from_dtype(a.dtype) for a in arrays)).result
                except TypeError:
                    continue  # one of the two refuses the type
                tolerance = 2e-3 if np.float16 in (wanted.dtype, x.dtype) else 1e-5
                with self.subTest(name=name, kind=kind):
                    np.testing.assert_allclose(called(function, arrays), wanted.astype("f8"), rtol=tolerance)
                    if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
                        self.assertEqual(_types.strong(made).dtype, wanted.dtype)
                compared += 1
        self.assertGreater(compared, 500)

    def test_math(self):
        compared = 0
        for name in MATH:
            function = getattr(math, name, None)
            for kind in ("i4", "f4", "f8"):
                x = np.array([1, 2, 3, 1, 5, 7], "f8") / (10 if name in ("acos", "asin", "atanh") else 1)
                arrays = (x.astype(kind), np.array([3, 1, 2, 2, 4, 4], kind))
                for count in (1, 2):
                    try:
                        wanted = [float(function(*(a[i].item() for a in arrays[:count]))) for i in range(6)]
                        made = called(_translate.of_builtin(function, count), arrays[:count])
                    except (TypeError, ValueError, ArithmeticError):
                        continue
                    with self.subTest(name=name, kind=kind, count=count):
                        np.testing.assert_allclose(made, wanted, rtol=1e-5)
                    compared += 1
        self.assertGreater(compared, 80)


if __name__ == "__main__":
    unittest.main()
