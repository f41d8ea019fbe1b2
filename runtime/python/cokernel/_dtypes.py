# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_dtypes.py - NumPy's dtypes, CK's types, DLPack's codes, and the layouts of structs.

A layout is the text that manifests have for structs, tuples and arrays (docs/manifest.md):

    {x:f32@0,at:(i32@4,i32@8)}     x: f32 at byte 0, then a tuple of two i32

It is parsed into a tree of ("{", [(name, node)]), ("(", [...]), ("[", [...]) and (type, offset).
"""
import functools
import re

import numpy as np

from . import errors

INT, UINT, FLOAT, OPAQUE, BFLOAT, COMPLEX, BOOL = range(7)  # DLPack's codes

# CK's name: DLPack's code and bits, NumPy's type string
TYPES = {
    "bool": (BOOL, 8, "|b1"), "i8": (INT, 8, "|i1"), "i16": (INT, 16, "<i2"),
    "i32": (INT, 32, "<i4"), "i64": (INT, 64, "<i8"), "u8": (UINT, 8, "|u1"),
    "u16": (UINT, 16, "<u2"), "u32": (UINT, 32, "<u4"), "u64": (UINT, 64, "<u8"),
    "f16": (FLOAT, 16, "<f2"), "bf16": (BFLOAT, 16, "<u2"), "f32": (FLOAT, 32, "<f4"),
    "f64": (FLOAT, 64, "<f8"),
}
BY_CODE = {(code, bits): name for name, (code, bits, _) in TYPES.items()}
BY_STRING = {text: name for name, (_, _, text) in TYPES.items() if name != "bf16"}
VECTOR = re.compile(r"(\w+?)x(\d+)")


def name_of_numpy(dtype):
    """CK's name of a NumPy scalar dtype, or None."""
    if dtype.name == "bfloat16":
        return "bf16"
    return BY_STRING.get(dtype.str)


def codes(dtype):
    """(code, bits, lanes, layout) of NumPy's dtype, a type of CK ("bf16", "f32x4") or a layout."""
    if isinstance(dtype, str):
        if dtype in TYPES:
            return (*TYPES[dtype][:2], 1, None)
        vector = VECTOR.fullmatch(dtype)
        if vector and vector[1] in TYPES:
            return (*TYPES[vector[1]][:2], int(vector[2]), None)
        if dtype[:1] in ("{", "(", "["):
            return (OPAQUE, 8, numpy_of_layout(dtype).itemsize, dtype)
    try:
        return codes_of_numpy(np.dtype(dtype))
    except errors.Error:
        raise
    except TypeError:
        raise errors.ArgumentTypeError(f"{dtype!r} is no type of NumPy or CK, such as 'f4', 'f32', 'bf16', 'f32x4'") from None


@functools.lru_cache(maxsize=256)
def codes_of_numpy(dtype):
    """The same of a numpy.dtype. Raises TypeError for one that no type of CK is."""
    name = name_of_numpy(dtype)
    if name:
        return (*TYPES[name][:2], 1, None)
    if dtype.kind == "c" and dtype.isnative and dtype.itemsize <= 16:
        return (COMPLEX, 8 * dtype.itemsize, 1, None)
    if dtype.fields and dtype.itemsize < 65536:
        return (OPAQUE, 8, dtype.itemsize, layout_of_numpy(dtype, 0))
    if not dtype.isnative:
        raise errors.ArgumentTypeError(f"the dtype {dtype.str} has its bytes in the other order: "
                        "x.astype(x.dtype.newbyteorder('=')) has them in order")
    raise errors.ArgumentTypeError(f"no type of CK is the dtype {dtype}: convert it to numbers or to a struct")


def layout_of_numpy(dtype, offset):
    """The layout of a structured dtype, nested ones and arrays in it included."""
    if dtype.subdtype:
        base, shape = dtype.subdtype
        if not shape:
            return layout_of_numpy(base, offset)
        rest = np.dtype((base, shape[1:]))
        return "[" + ",".join(layout_of_numpy(rest, offset + i * rest.itemsize)
                              for i in range(shape[0])) + "]"
    if dtype.fields:
        return "{" + ",".join(f"{name}:{layout_of_numpy(field[0], offset + field[1])}"
                              for name, field in dtype.fields.items()) + "}"
    if dtype.kind == "c" and dtype.itemsize <= 16:
        half = dtype.itemsize // 2
        return f"(f{8 * half}@{offset},f{8 * half}@{offset + half})"
    name = name_of_numpy(dtype)
    if not name:
        raise errors.ArgumentTypeError(f"no type of CK is the dtype {dtype}: convert it to numbers or to a struct")
    return f"{name}@{offset}"


@functools.lru_cache(maxsize=256)
def parse_layout(text):
    node, end = _parse(text, 0)
    if end != len(text):
        raise ValueError(f"no layout: {text}")
    return node


def _parse(text, at):
    kind = text[at:at + 1]
    if kind not in ("{", "(", "["):
        scalar = re.compile(r"(\w+)@(\d+)").match(text, at)
        if not scalar:
            raise ValueError(f"no layout: {text}")
        return (scalar[1], int(scalar[2])), scalar.end()
    parts, at = [], at + 1
    while text[at] not in "})]":
        name = ""
        if kind == "{":
            name, at = text[at:text.index(":", at)], text.index(":", at) + 1
        node, at = _parse(text, at)
        parts.append((name, node))
        at += text[at] == ","
    return (kind, parts), at + 1


def scalars_of(node):
    """The (type, offset) of all scalars, in order."""
    if node[0] in ("{", "(", "["):
        return [scalar for _, part in node[1] for scalar in scalars_of(part)]
    return [node]


def _named(node):
    """Where the fields of a struct begin, by name."""
    return {name: scalars_of(part)[0][1] for name, part in node[1]} if node[0] == "{" else {}


def layouts_match(given, wanted):
    """Whether structs of one layout are those of the other. Fields of the same name have to be at
    the same place; uint16 may stand for bf16."""
    if given == wanted:
        return True
    given, wanted = parse_layout(given), parse_layout(wanted)
    names, others = _named(given), _named(wanted)
    if any(names[name] != others[name] for name in names.keys() & others.keys()):
        return False
    mine, theirs = sorted(scalars_of(given), key=lambda s: s[1]), sorted(scalars_of(wanted),
                                                                          key=lambda s: s[1])
    return len(mine) == len(theirs) and all(
        a[1] == b[1] and (a[0] == b[0] or (a[0], b[0]) == ("u16", "bf16"))
        for a, b in zip(mine, theirs))


@functools.lru_cache(maxsize=256)
def numpy_of_layout(text, size=0):
    """A structured dtype for a layout; `size` is that of an element, if it is known."""
    return _numpy_of_node(parse_layout(text), 0, size)


def _numpy_of_node(node, base, size):
    if node[0] not in ("{", "(", "["):
        return np.dtype(TYPES[node[0]][2])
    names, formats, offsets = [], [], []
    for index, (name, part) in enumerate(node[1]):
        start = scalars_of(part)[0][1]
        names.append(name or f"f{index}")
        formats.append(_numpy_of_node(part, start, 0))
        offsets.append(start - base)
    if node[0] == "[" and len({str(f) for f in formats}) == 1:
        return np.dtype((formats[0], (len(formats),)))
    align = max((np.dtype(TYPES[kind][2]).itemsize for kind, _ in scalars_of(node)), default=1)
    end = max((o + f.itemsize for o, f in zip(offsets, formats)), default=0)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets,
                     "itemsize": max(size, -(-end // align) * align)})


def numpy_of_codes(code, bits, lanes, layout):
    """NumPy's dtype for an element; a vector is a dtype with a shape."""
    if layout:
        return numpy_of_layout(layout, lanes)
    if code == COMPLEX:
        return np.dtype(f"c{bits // 8}")
    if code == OPAQUE:
        return np.dtype(f"V{lanes}")
    base = np.dtype(TYPES[BY_CODE[code, bits]][2])
    return base if lanes == 1 else np.dtype((base, (lanes,)))


def type_name(code, bits, lanes, layout):
    """As CK writes it."""
    if layout or code == OPAQUE:
        return layout or f"struct of {lanes} bytes"
    if code == COMPLEX:
        return f"f{bits // 2}x2"
    name = BY_CODE.get((code, bits), f"code {code} of {bits} bits")
    return name if lanes == 1 else f"{name}x{lanes}"
