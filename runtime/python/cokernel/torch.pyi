# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The types of torch.py. What operator() gives is a torch.library.CustomOpDef, which PyTorch doesn't type.
from typing import Any

from . import Instances, Kernel

def operator(name: str, kernel: Kernel | Instances) -> Any: ...
