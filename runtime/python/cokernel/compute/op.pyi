# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The types of op.py.
import enum
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeAlias

class _HasData(Protocol):  # what NVRTC's objects have
    @property
    def data(self) -> bytes: ...

class OpKind(enum.Enum):
    STATELESS = 0
    STATEFUL = 1
    PLUS = 2
    MINUS = 3
    MULTIPLIES = 4
    DIVIDES = 5
    MODULUS = 6
    EQUAL_TO = 7
    NOT_EQUAL_TO = 8
    GREATER = 9
    LESS = 10
    GREATER_EQUAL = 11
    LESS_EQUAL = 12
    LOGICAL_AND = 13
    LOGICAL_OR = 14
    LOGICAL_NOT = 15
    BIT_AND = 16
    BIT_OR = 17
    BIT_XOR = 18
    BIT_NOT = 19
    IDENTITY = 20
    NEGATE = 21
    MINIMUM = 22
    MAXIMUM = 23

class Op:
    def result_type(self, types: Any) -> Any: ...

class RawOp(Op):
    def __init__(self, *, ltoir: bytes | _HasData, name: str, state: bytes = b"",
                 state_alignment: int = 1,
                 extra_ltoirs: Iterable[bytes | _HasData] | None = None) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def ltoir(self) -> bytes: ...
    @property
    def state(self) -> bytes: ...
    def get_state(self) -> bytes: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

# A Python function or a ufunc, a well-known operator, code of another compiler, or CK text.
_Operator: TypeAlias = Callable[..., Any] | OpKind | Op | str
OpAdapter = Op

def make_op(op: _Operator) -> Op: ...
def make_op_adapter(op: _Operator) -> Op: ...
