# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""records.py - arrays of structs, tuples and arrays for run_test.py, as NumPy's structured arrays.

A manifest describes a record by a layout, `{x:f32@0,at:(i32@4,i32@8)}`: each scalar with its offset. It
becomes a structured type with the same offsets; fields of tuples are f0, f1 and so on.
"""
import re

import numpy as np

TOKEN = re.compile(r"[{(\[\])},]|[A-Za-z_]\w*(?=:)|:|(\w+)@(\d+)")
CLOSING = {"{": "}", "(": ")", "[": "]"}
KINDS = {"f2": "f16", "f4": "f32", "f8": "f64"}


class Struct(dict):
    """A struct that is one value: p.x."""

    def __getattr__(self, name):
        try:
            part = self[name]
            return Struct(part) if isinstance(part, dict) else part
        except KeyError as error:
            raise AttributeError(name) from error


def parse(layout, types):
    """The tree of a layout: (None, type, offset) or (bracket, [(name, node), ...], first offset)."""
    tokens = list(TOKEN.finditer(layout))
    at = 0

    def node():
        nonlocal at
        token = tokens[at]
        at += 1
        if token[1]:
            return None, np.dtype(types[token[1]]), int(token[2])
        parts = []
        while tokens[at][0] != CLOSING[token[0]]:
            at += tokens[at][0] == ","
            name = f"f{len(parts)}"
            if tokens[at + 1][0] == ":":
                name = tokens[at][0]
                at += 2
            parts.append((name, node()))
        at += 1
        return token[0], parts, parts[0][1][2] if parts else 0

    return node()


def build(node, width=None):
    """The structured type of a tree, which takes `width` bytes."""
    bracket, parts, first = node
    if not bracket:
        return parts
    if bracket == "[":
        stride = parts[1][1][2] - parts[0][1][2] if len(parts) > 1 else width
        return np.dtype((build(parts[0][1], stride), (len(parts),)))
    formats = [build(part) for _, part in parts]
    offsets = [part[2] - first for _, part in parts]
    end = max((offset + kind.itemsize for offset, kind in zip(offsets, formats)), default=0)
    return np.dtype({"names": [name for name, _ in parts], "formats": formats, "offsets": offsets,
                     "itemsize": width or end})


def dtype_of(layout, width, types):
    return build(parse(layout, types), width)


def shape_of(value, depth):
    """The extents of what is written: of lists, or of the arrays that are a record's parts. `depth`:
    how many lists are an element's own."""
    if isinstance(value, np.ndarray):
        return value.shape if value.dtype.names else value.shape[:value.ndim - depth]
    if isinstance(value, (dict, tuple)):
        parts = value.values() if isinstance(value, dict) else value
        return np.broadcast_shapes(*[np.shape(part) if isinstance(part, (list, np.ndarray)) and
                                     not any(isinstance(item, (dict, tuple)) for item in part)
                                     else shape_of(part, 0) for part in parts])
    shape, first = [], value
    while isinstance(first, list):
        shape.append(len(first))
        first = first[0] if first else None
    return tuple(shape[:len(shape) - depth])


def fill(array, value):
    """Writes what is written into an array of records, or a field of one."""
    if isinstance(value, np.ndarray) or not isinstance(value, (dict, tuple, list)):
        array[...] = value
    elif array.dtype.names and isinstance(value, dict):
        for name, part in value.items():
            fill(array[name], part)
    elif array.dtype.names and isinstance(value, tuple):
        if len(value) != len(array.dtype.names):
            raise ValueError(f"{len(value)} values for {len(array.dtype.names)} fields")
        for name, part in zip(array.dtype.names, value):
            fill(array[name], part)
    elif array.dtype.names:
        for i, part in enumerate(value):
            fill(array[i] if array.ndim > 1 else array[i:i + 1], part)
    else:
        array[...] = value


def random(array, draw):
    """Fills each scalar for itself: draw(kind, shape)."""
    if array.dtype.names:
        for name in array.dtype.names:
            random(array[name], draw)
    else:
        array[...] = draw(array.dtype, array.shape)


def columns(array, name):
    """(name, numbers) of each scalar."""
    if not array.dtype.names:
        return [(name, array)]
    return [column for field in array.dtype.names for column in columns(array[field], f"{name}.{field}")]


def kind_of(array):
    return KINDS.get(array.dtype.str[1:])


def field(value, path):
    """value.x.f0 of arrays of records, dictionaries and tuples."""
    for name in path:
        if isinstance(value, dict):
            value = value[name]
        elif isinstance(value, (tuple, list)):
            value = value[int(name[1:])]
        else:
            value = value[name]
    return value
