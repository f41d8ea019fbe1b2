# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_serialize.py - built objects as bytes: serialize(object), deserialize(bytes).

    b"CKCOMPUTE1\\n", the length of a JSON text, the JSON text, then the code of each target

The JSON text has the algorithm's name, its text in CK and what the object was made with, and for
each target its name and the length of its code. A loaded object compiles nothing as long as it is
called for operands of the kind that it was built for. Nothing of the bytes is executed but the code
of the targets, which the runtime checks as it does a file's.
"""
import json

from .. import _core
from ..errors import ArgumentError, ArgumentTypeError
from . import algorithms, sorts, steps, tables
from ._engine import default_device, host_device
from .algorithms import Algorithm, SortOrder
from .determinism import Determinism

_MAGIC = b"CKCOMPUTE1\n"


def _classes():
    found, waiting = {}, [Algorithm]
    while waiting:
        for cls in waiting.pop().__subclasses__():
            found[cls.__name__] = cls
            waiting.append(cls)
    return found


def serialize(algorithm):
    """The object as bytes, with the code of its targets."""
    if not isinstance(algorithm, Algorithm):
        raise ArgumentTypeError(f"serialize() takes what make_* gives, not {type(algorithm).__name__}")
    program = algorithm.program
    parts = []
    if algorithm.targets:
        for target in algorithm.targets:
            code = program.compile(None, f"sm_{target}")
            parts.append((f"sm_{target}", code.bytes()))
    else:
        device = host_device() if algorithm.on_host else default_device()
        parts.append(("", program.code_for(device).bytes()))
    fixed = {name: algorithm._given.get(name) for name in algorithm.fixed}
    if fixed["order"]:
        fixed["order"] = fixed["order"].name
    header = json.dumps({
        "algorithm": type(algorithm).__name__, "text": program.source, "fixed": fixed,
        "determinism": int(algorithm.determinism), "targets": list(algorithm.targets), "on_host": algorithm.on_host,
        "parts": [[target, len(code)] for target, code in parts]}).encode()
    return _MAGIC + len(header).to_bytes(8, "little") + header + b"".join(code for _, code in parts)


def deserialize(data):
    """The object of such bytes. Fails with ValueError if they are something else."""
    try:
        data = bytes(memoryview(data))
    except TypeError:
        raise ArgumentTypeError(f"deserialize() takes the bytes that serialize() gave, not {type(data).__name__}") from None
    size = int.from_bytes(data[len(_MAGIC):len(_MAGIC) + 8], "little")
    begin = len(_MAGIC) + 8
    if not data.startswith(_MAGIC) or begin + size > len(data):
        raise ArgumentError("these bytes are no serialized algorithm of cokernel.compute")
    try:
        header = json.loads(data[begin:begin + size])
        cls = _classes()[header["algorithm"]]
        fixed = {name: header["fixed"][name] for name in cls.fixed}
        if fixed["order"]:
            fixed["order"] = SortOrder[fixed["order"]]
        made = cls(fixed, tuple(header["targets"]), Determinism(header["determinism"]))
        lengths = [int(length) for _, length in header["parts"]]
    except (KeyError, ValueError, TypeError) as problem:
        raise ArgumentError(f"the serialized algorithm is damaged: {problem}") from None
    if begin + size + sum(lengths) != len(data):
        raise ArgumentError("the serialized algorithm is cut off")
    made.program, made.on_host = algorithms.program_of_text(header["text"]), header["on_host"]
    device = host_device() if made.on_host else default_device()
    begin += size
    for (target, _), length in zip(header["parts"], lengths):
        if not target or target.rstrip("af") == device.target.rstrip("af"):
            made.program.codes.setdefault(device.slot, _core.code_from_bytes(data[begin:begin + length]))
        begin += length
    return made


assert sorts and steps and tables  # their classes are algorithms too
