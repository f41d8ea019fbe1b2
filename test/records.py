# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""records.py - structs, tuples, arrays and vectors for run_test.py, as NumPy's structured arrays.

A manifest describes a record by a layout such as `{x:f32@0,at:(i32@4,i32@8)}`: each scalar with its
offset. Two structured types are built from it: `stored` has the same offsets and is for files;
`wide` is for expressions, and has f32 for bf16. The fields of tuples are named f0, f1 and so on;
arrays in records become the last axes. Values in test lines (lists, dictionaries, tuples) are
matched with the tree of the layout.
"""
import itertools
import math
import re

import numpy as np

import values

TOKEN = re.compile(r"[{(\[\])},]|[A-Za-z_]\w*(?=:)|:|(\w+)@(\d+)")
CLOSING = {"{": "}", "(": ")", "[": "]"}
WRITTEN = {"{": (dict, tuple), "(": (tuple, list), "[": (list,)}  # accepted Python types
STEP = re.compile(r"\.([A-Za-z_]\w*)|\[\s*(['\"])([A-Za-z_]\w*)\2\s*\]|\[([^]]*)\]")


class Node:
    """A node of a layout: a scalar with a `kind`, or a bracket with `parts`, which have names."""

    def __init__(self, bracket, parts, kind, offset):
        self.bracket, self.parts, self.kind, self.offset = bracket, parts, kind, offset

    def inner(self):
        """The element type inside all arrays."""
        return self.parts[0][1].inner() if self.bracket == "[" else self

    def extents(self):
        """The extents of nested arrays, outermost first."""
        return (len(self.parts),) + self.parts[0][1].extents() if self.bracket == "[" else ()

    def leaves(self):
        return [self] if not self.bracket else [leaf for _, part in self.parts for leaf in part.leaves()]

    def field(self, name):
        return dict(self.parts)[name].inner() if self.bracket in ("{", "(") else self


def parse(layout):
    tokens = list(TOKEN.finditer(layout))
    at = 0

    def node():
        nonlocal at
        token = tokens[at]
        at += 1
        if token[1]:
            return Node(None, [], token[1], int(token[2]))
        parts = []
        while tokens[at][0] != CLOSING[token[0]]:
            at += tokens[at][0] == ","
            name = f"f{len(parts)}"
            if tokens[at + 1][0] == ":":
                name = tokens[at][0]
                at += 2
            parts.append((name, node()))
        at += 1
        return Node(token[0], parts, None, parts[0][1].offset if parts else 0)

    return node()


def build(node, width=None):
    """Builds the structured type of a tree with the offsets in memory; `width` is its size in
    bytes."""
    if not node.bracket:
        return np.dtype(values.DTYPES[node.kind])
    parts = [part for _, part in node.parts]
    if node.bracket == "[":
        stride = parts[1].offset - parts[0].offset if len(parts) > 1 else width
        return np.dtype((build(parts[0], stride), (len(parts),)))
    formats = [build(part) for part in parts]
    offsets = [part.offset - node.offset for part in parts]
    end = max((offset + kind.itemsize for offset, kind in zip(offsets, formats)), default=0)
    return np.dtype({"names": [name for name, _ in node.parts], "formats": formats, "offsets": offsets,
                     "itemsize": width or end})


def build_wide(node):
    """Builds the structured type to compute with."""
    if not node.bracket:
        return np.dtype(np.float32 if node.kind == "bf16" else values.DTYPES[node.kind])
    if node.bracket == "[":
        return np.dtype((build_wide(node.parts[0][1]), (len(node.parts),)))
    return np.dtype([(name, build_wide(part)) for name, part in node.parts])


class Records(np.ndarray):
    """Structured arrays whose fields are attributes before those of NumPy are: p.size."""

    def __getattribute__(self, name):
        names = np.ndarray.dtype.__get__(self).names
        return self[name] if names and name in names else super().__getattribute__(name)

    def __getitem__(self, at):
        part = super().__getitem__(at)
        if isinstance(part, np.void):
            return np.asarray(part).view(Records)
        is_plain = isinstance(part, np.ndarray) and not np.ndarray.dtype.__get__(part).names
        return part.view(np.ndarray) if is_plain else part


class Struct(dict):
    """A struct that is one value: p.x, p['x']."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error


class Places(tuple):
    """A tuple or a vector that is one value: p.f0."""

    def __getattr__(self, name):
        if not re.fullmatch(r"f\d+", name) or int(name[1:]) >= len(self):
            raise AttributeError(name)
        return self[int(name[1:])]


class Layout:
    def __init__(self, text, width):
        self.tree = parse(text)
        self.width, self.extents = width, self.tree.extents()
        self.stored, self.wide = build(self.tree, width), build_wide(self.tree)

    def zeros(self, shape, dtype=None):
        """Records of zeros; for arrays of arrays the inner extents become the last axes."""
        dtype = self.wide if dtype is None else dtype
        return np.zeros(shape + self.extents, dtype.subdtype[0] if dtype.subdtype else dtype)

    def make(self, value):
        """Records of what a test line says."""
        return make(self.tree, value, self.zeros)

    def made(self, what, shape):
        """Records from zeros:N and the like."""
        return made(self.tree, what, shape, self.zeros)

    def widen(self, stored):
        """Converts records from a file to compute with. The fields are the layout's, since those of
        a tuple may have any names in the file."""
        wide = self.zeros(stored.shape[:stored.ndim - len(self.extents)])
        if wide.shape != stored.shape:
            raise ValueError(f"arrays of {self.extents} are needed, not of {stored.shape}")
        convert(self.tree.inner(), stored, wide, values.load)
        return wide

    def narrow(self, wide):
        """Converts records to the form in files."""
        stored = self.zeros(wide.shape[:wide.ndim - len(self.extents)], self.stored)
        convert(self.tree.inner(), wide, stored, values.store)
        return stored


def made(tree, what, shape, zeros):
    """Generates zeros:N and the like for each scalar separately."""
    array, scalar = zeros(shape), itertools.count()

    def draw(node, part):
        if not node.bracket:
            numbers = what.numbers(node.kind, math.prod(shape), next(scalar))
            part[...] = values.load(numbers, node.kind).reshape(shape)
        for i, (name, inner) in enumerate(node.parts):
            draw(inner, part[(slice(None),) * len(shape) + (i, ...)] if node.bracket == "[" else part[name])

    draw(tree, array)
    return array


def convert(node, source, target, change):
    """Copies each scalar. `node` is not an array: arrays have become axes of both."""
    if not node.bracket:
        if not target.dtype.names and source.dtype.names:
            raise ValueError("a number is needed, not a struct")
        target[...] = change(source, node.kind)
        return
    names = source.dtype.names or ()
    is_same = len(names) == len(node.parts) and \
        (node.bracket == "(" or list(names) == [name for name, _ in node.parts])
    if not is_same:
        raise ValueError(f"the fields are {names}, not {tuple(name for name, _ in node.parts)}")
    for theirs, (name, part) in zip(names, node.parts):
        convert(part.inner(), source[theirs], target[name], change)


def depth_of(value):
    """How many lists are nested around the first other value."""
    depth = 0
    while isinstance(value, list):
        depth += 1
        value = value[0] if value else None
    return depth


def make(tree, value, zeros):
    """Builds records from a value in a test line: a list, or a record whose parts are arrays."""
    if isinstance(value, np.ndarray):
        if tree.inner().bracket and not np.ndarray.dtype.__get__(value).names:
            raise ValueError(f"'{value}': '{tree.inner().bracket}' is missing")
        array = zeros(value.shape[:value.ndim - len(tree.extents())])
        array[...] = np.asarray(value)
        return array
    depth = depth_of(value) - len(tree.extents())
    if depth <= 0:
        shape = shape_of(tree, value)
        array = zeros(shape)
        fill(tree, array, value, len(shape))
        return array
    shape, row = [], value
    for _ in range(depth):
        shape.append(len(row))
        row = row[0] if row else []
    array = zeros(tuple(shape))
    for at in np.ndindex(*shape):
        item = value
        for extent, i in zip(shape[1:] + [0], at):
            item = item[i]
            if extent and (not isinstance(item, list) or len(item) != extent):
                raise ValueError("this row has another shape than the first one")
        fill(tree, array[at + (...,)], item, 0)
    return array


def check(node, value):
    if not isinstance(value, WRITTEN[node.bracket]):
        raise ValueError(f"'{value}': '{node.bracket}' is missing")
    if len(value) != len(node.parts):
        raise ValueError(f"there are {'fewer' if len(value) < len(node.parts) else 'more'} values than it has")
    for theirs, (name, _) in zip(value if isinstance(value, dict) else (), node.parts):
        if theirs != name:
            raise ValueError(f"'{theirs}' stands where '{name}' is")
    return list(value.values()) if isinstance(value, dict) else value


def shape_of(node, value):
    """The common extents of the arrays that are parts of a record."""
    if isinstance(value, np.ndarray):
        return value.shape[:value.ndim - len(node.extents())]
    if not node.bracket:
        return np.shape(value)
    return np.broadcast_shapes(*[shape_of(part, item)
                                 for item, (_, part) in zip(check(node, value), node.parts)])


def fill(node, array, value, outer):
    """Writes a record to an array whose first `outer` axes are over records; the record's own axes
    follow."""
    if isinstance(value, np.ndarray) or not node.bracket:
        array[...] = np.asarray(value)
        return
    for i, (item, (name, part)) in enumerate(zip(check(node, value), node.parts)):
        own = array[(slice(None),) * outer + (i, ...)] if node.bracket == "[" else array[name]
        fill(part, own, item, outer)


def one(node, value):
    """Converts one struct for expressions: its arrays become NumPy's."""
    if not node.bracket:
        return value
    items = [one(part, item) for item, (_, part) in zip(check(node, value), node.parts)]
    if node.bracket == "{":
        return Struct(zip([name for name, _ in node.parts], items))
    return Places(items) if node.bracket == "(" or node.inner().bracket else np.array(items)


def columns(node, array, place):
    """Returns (place, kind, numbers) for each scalar."""
    if not node or not node.bracket:
        return [(place, node.kind if node else None, array)]
    return [column for name, part in node.parts
            for column in columns(part.inner(), array[name], f"{place}.{name}")]


def steps(text):
    """Splits `p.x['y'][1]` into its root and the steps, (name, None) or (None, index)."""
    root = re.match(r"\w*", text)[0]
    result, at = [], len(root)
    while at < len(text):
        found = STEP.match(text, at)
        if not found:
            raise ValueError(f"'{text[at:]}' is no field and no element")
        result.append((found[1] or found[3], found[4]))
        at = found.end()
    return root, result


def follow(value, node, path, evaluate):
    """Returns the value at a path of steps, and its node; evaluate(text, names) evaluates an index.
    """
    for name, index in path:
        if index is not None:
            value = evaluate(f"value_[{index}]", {"value_": value})
        elif isinstance(value, (tuple, list)):
            value = value[int(name[1:])]
        else:
            value, node = value[name], node and node.field(name)
    return value, node


def node_of(value):
    """Builds the tree of a struct that has no layout; its numbers are f64."""
    if isinstance(value, dict):
        return Node("{", [(name, node_of(part)) for name, part in value.items()], None, 0)
    if isinstance(value, (tuple, list)):
        bracket = "(" if isinstance(value, tuple) else "["
        return Node(bracket, [(f"f{i}", node_of(part)) for i, part in enumerate(value)], None, 0)
    return Node(None, [], "bool" if isinstance(value, bool) else "f64", 0)


def plain(value):
    """Converts a value without a type for expressions: lists of numbers become NumPy's arrays."""
    first = value
    while isinstance(first, list):
        first = first[0] if first else None
    if not isinstance(first, (dict, tuple)):
        return np.array(value) if isinstance(value, list) else value
    node = node_of(first)
    if not isinstance(value, list):
        return one(node, value)
    dtype = build_wide(node)
    return make(node, value, lambda shape: np.zeros(shape, dtype)).view(Records)
