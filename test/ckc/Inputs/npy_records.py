# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""npy_records.py - writes p.npy: nested structs with other padding than a kernel's."""
import sys

import numpy as np

inner = np.dtype({"names": ["v", "size"], "formats": [[("x", "<f4"), ("y", "<f4")], "<u2"],
                  "offsets": [3, 17], "itemsize": 24})
outer = np.dtype([("lo", "<i4"), ("ins", inner, (2,)), ("flag", "?"), ("w", "<f8", (3,))], align=False)
array = np.zeros(3, outer)
array["lo"] = [1, 2, 3]
array["ins"]["v"]["x"] = [[1, 2], [3, 4], [5, 6]]
array["ins"]["size"] = 300
array["flag"] = [True, False, True]
array["w"] = np.arange(9).reshape(3, 3)
np.save(sys.argv[1], array)
