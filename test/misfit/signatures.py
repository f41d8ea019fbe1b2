# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""signatures.py - the public functions of lib/, the builtins and the types, read from their
sources.

The compiler lists the library's declarations (heads.py): a function's name (of a method, with the
receiver), its generics and its parameters, as (name, type, is_constant, default). Names that begin
with two underscores are internal and left out. Builtins are the FORM rows of front/builtin.def,
operators the rows of front/op.def, scalar types the rows of type.def.
"""
import collections
import os
import re
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# pylint: disable=wrong-import-position
import generate
import heads

Param = collections.namedtuple("Param", "name type is_const default")
Function = collections.namedtuple("Function", "name owner generics params")


def parts_of(tokens):
    """Splits a list at the commas outside of brackets."""
    parts, depth = [[]], 0
    for token in tokens:
        depth += (token in "<([{") - (token in ">)]}") - 2 * (token == ">>")
        if token == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return ["".join(p).strip() for p in parts if "".join(p).strip()]


def param_of(one):
    access = one.access + " " if one.access else ""
    return Param(one.name, access + one.type, one.is_const, one.default)


def function_of(head):
    name = head.method if head.structure else head.name
    generics = [param_of(one) for one in head.templates if one.place is None]
    params = None if head.is_property else [param_of(one) for one in head.arguments()]
    return Function(name, head.structure or "", generics, params)


def library(folder):
    return [function_of(head) for head in heads.heads(heads.find_ckc(), folder, refused=True)]


def items(folder, kind):
    files = heads.declared(heads.find_ckc(), heads.library_files(folder))
    return [one for file in files for one in file["items"] if one["kind"] == kind and not one["name"].startswith("__")]


def constants(folder):
    """Returns the library's keywords: its public constants."""
    return sorted({one["name"] for one in items(folder, "constant") if one["name"][0].islower()})


def structs(folder):
    """Returns (name, generics, fields) of the public structs."""
    return [(one["name"], len(one.get("generics", [])), sum(member["kind"] == "field" for member in one["members"]))
            for one in items(folder, "structure")]


def table(path, row):
    with open(path, encoding="utf-8") as file:
        return re.findall(rf"^{row}\((.*)\)", file.read(), re.M)


def forms(folder):
    """Returns (name, the possible numbers of arguments, at most 4)."""
    found = []
    for row in table(os.path.join(folder, "front/builtin.def"), "FORM"):
        name, counts = re.match(r'\w+,\s*"([\w.]+)",\s*"([^"]*)"', row).groups()
        if name.startswith("__"):
            continue
        numbers = [int(n) for n in re.findall(r"\d+", counts)]
        found.append((name, sorted({min(n, 4) for n in range(numbers[0], numbers[-1] + 1)})))
    return found


def scalars(folder):
    return [row.split(",")[0].strip() for row in table(os.path.join(folder, "front/type.def"), "TYPE") if "kind" not in row]


def operators(folder):
    """Returns (spelling, whether it is unary)."""
    found = []
    with open(os.path.join(folder, "front/op.def"), encoding="utf-8") as file:
        for spelling, place in re.findall(r'^OP\(\w+,\s*"([^"]*)",\s*(\w+),', file.read(), re.M):
            found.append((spelling, place == "PREFIX"))
    return found
