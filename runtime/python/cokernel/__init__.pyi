# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The types of the package.
import os
from types import ModuleType
from typing import Any, Callable

from . import errors as errors
from ._core import Array as Array, Code as Code, Device as Device, Event as Event, Graph as Graph
from ._core import Kernel as Kernel, Stream as Stream, cache_clear as cache_clear
from ._core import cache_stats as cache_stats, current_stream as current_stream
from ._core import device_count as device_count, version as version, view as view
from .errors import ArgumentError as ArgumentError, ArgumentTypeError as ArgumentTypeError
from .errors import CompileError as CompileError, DriverError as DriverError, Error as Error
from .errors import FileError as FileError, InternalError as InternalError
from .errors import KernelFault as KernelFault, NotFoundError as NotFoundError
from .errors import NotReadyError as NotReadyError, OutOfMemoryError as OutOfMemoryError
from .errors import RangeError as RangeError, UnavailableError as UnavailableError
from .errors import UnsupportedError as UnsupportedError

__version__: str

class Module(ModuleType):
    log: str
    def __getitem__(self, name: str) -> Kernel: ...
    def __getattr__(self, name: str) -> Any: ...
    def save(self, path: str | os.PathLike[str], device: Any = None) -> None: ...

class Instances:
    def __getitem__(self, arguments: Any) -> Kernel: ...
    def __call__(self, *args: Any, **options: Any) -> Any: ...

def compile(text: str, *, name: str = "<ck>", device: Any = None, debug: bool = False,
            lineinfo: bool = False, check: bool = False, defines: dict[str, Any] | None = None,
            instances: str | list[str] | None = None,
            import_folders: list[str | os.PathLike[str]] | None = None,
            tuning_file: str | os.PathLike[str] | None = None, opt_level: int | None = None,
            problem_size: int | None = None) -> Module: ...
def load(path: str | os.PathLike[str], *, device: Any = None, **options: Any) -> Module: ...
def import_module(name: str | os.PathLike[str], *, device: Any = None, **options: Any) -> Module: ...
def empty(shape: int | tuple[int, ...], dtype: Any = "f32", *, device: Any = None,
          stream: Any = None) -> Array: ...
def zeros(shape: int | tuple[int, ...], dtype: Any = "f32", *, device: Any = None,
          stream: Any = None) -> Array: ...
def asarray(source: Any, dtype: Any = None, *, device: Any = None, stream: Any = None) -> Array: ...
def graph(device: Any = None) -> Graph: ...
def use_allocator(source: str | tuple[Callable[[int, int], int], Callable[[int], None]] | None,
                  device: Any = None) -> None: ...
def tune(path: str | os.PathLike[str], *parameters: str, device: Any = None, budget: float = 60,
         progress: bool = True, options: list[str] | tuple[str, ...] = ()) -> str: ...
