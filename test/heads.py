# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heads.py - the heads of the library's functions, as the compiler reads them.

    for head in heads(ckc, library): head.name, head.params, ...

`ckc --dump=parse` prints a file's tree, a node a line, indented by its depth. Names that begin with `__` are
no program's, and are left out, and so are functions that refuse what they are given (their body is an error).
"""
import glob
import os
import subprocess


class Node:
    """A line of the dump: its words without the letter of its place, the letter, what is below it."""

    def __init__(self, line):
        words = line.split()
        self.place = words.pop(0) if len(words) > 1 and len(words[0]) == 1 else ""
        self.kind, self.words, self.below = words[0], words[1:], []

    def at(self, place):
        return [node for node in self.below if node.place == place]

    def find(self, kind):
        """Nodes of a kind, itself and below."""
        return ([self] if self.kind == kind else []) + [
            found for node in self.below for found in node.find(kind)]

    def text(self):
        """A type as it is written, as far as tests ask for it."""
        parts = [node.text() for node in self.below]
        if self.kind == "name":
            return self.words[0]
        if self.kind == "index":
            return f"{parts[0]}[{', '.join(parts[1:])}]"
        if self.kind == "instance":
            return f"{parts[0]}<{', '.join(parts[1:])}>"
        if self.kind == "tuple":
            return f"({', '.join(parts)})"
        return {"open": ""}.get(self.kind, "...")


def tree(ckc, path):
    run = subprocess.run([ckc, path, "--dump=parse", "--stop-after=parse"], capture_output=True, check=True)
    stack = []
    for line in run.stdout.decode().splitlines():
        node, depth = Node(line), (len(line) - len(line.lstrip())) // 2
        del stack[depth:]
        if stack:
            stack[-1].below.append(node)
        stack.append(node)
    return stack[0]


class Param:
    """A parameter: its name, `in`, `out`, `inout` or "", its type's text, whether it has a default."""

    def __init__(self, node):
        self.name, self.access = node.words[-1], node.words[0] if len(node.words) > 1 else ""
        self.type = node.at("a")[0].text() if node.at("a") else ""
        self.has_default = bool(node.at("b"))


class Head:
    """A function. name: with its receiver, as warp.tile.reduce, or its struct, as Map.[]. generics: names to
    what they are (type, fn, number, or the type of a constant); defaults: names of those that have one;
    constants: names of those that are passed as an argument, with their place there."""

    def __init__(self, node, path, structure=None):
        self.file, self.structure = path, structure and structure.words[0]
        receiver = [below.words[0] for below in node.at("b") if below.kind == "receiver"]
        self.receiver = receiver[0] if receiver else ""
        self.method = node.words[-1]
        self.name = ".".join([self.receiver or self.structure or ""] + [self.method]).lstrip(".")
        self.params = [Param(below) for below in node.at("b") if below.kind == "param"]
        self.generics, self.defaults, self.constants = {}, set(), {}
        for below in node.at("a"):
            if below.kind not in ("type_param", "const_param"):
                continue
            name, inner = below.words[-1], below.below
            self.generics[name] = inner[0].text() if inner else "type"
            if [one for one in inner if one.place == "b"]:
                self.defaults.add(name)
            if [one for one in inner if one.place == "c"]:
                self.constants[name] = int([one for one in inner if one.place == "c"][0].words[0])
        result = node.at("c")
        self.result = result[0].text() if result else ""
        # A body that is a static_assert of `false`.
        block = node.at("d")
        first = block[0].below[0] if block and block[0].below else None
        self.is_refused = bool(first and first.kind == "static_assert" and first.below[0].words == ["false"])

    def functions(self):
        """Parameters that are the program's functions."""
        return [param for param in self.params if self.generics.get(param.type) == "fn"]

    def __repr__(self):
        return f"{self.name}({', '.join(f'{param.name}: {param.type}' for param in self.params)})"


def heads(ckc, library):
    """Those of a library's folder; methods of structs behind the functions of the file."""
    paths = sorted(glob.glob(library + "/**/*.ck", recursive=True))
    found = []
    for path in paths:
        short, top = os.path.relpath(path, library), tree(ckc, path)
        for node in top.below:
            if node.kind == "function":
                found.append(Head(node, short))
            elif node.kind == "structure" and not node.words[0].startswith("__"):
                found += [Head(below, short, node) for below in node.below if below.kind == "function"]
    return [head for head in found if not head.method.startswith("__") and not head.is_refused]
