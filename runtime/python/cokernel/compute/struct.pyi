# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The types of struct.py. A class that gpu_struct makes has constructors that no annotation can say, so
# it is Any.
from collections.abc import Mapping
from typing import Any

import numpy as np

class Struct:
    dtype: Any
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

def is_struct_type(obj: object) -> bool: ...
def gpu_struct(field_dict: Mapping[str, Any] | np.dtype[Any] | type[Any],
               name: str = "AnonymousStruct") -> Any: ...
