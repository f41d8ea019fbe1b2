# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""signatures.py - the public functions of lib/, the builtins and the types, read from their sources.

A function is read token by token up to its body: its name (of a method, with the receiver), its
generics and its parameters, as (name, type, is_constant, default). What begins with two underscores
is no business of a program. Builtins are the FORM rows of front/builtin.def, operators the rows of front/op.def,
scalar types those of type.def.
"""
import collections
import glob
import os
import re

import generate

Param = collections.namedtuple("Param", "name type is_const default")
Function = collections.namedtuple("Function", "name owner generics params")


def close(tokens, at, open_, close_):
    """Behind the bracket that closes the one at `at`."""
    depth = 0
    while at < len(tokens):
        token = tokens[at]
        depth += (token == open_) - (token == close_)
        if token == ">>" and open_ == "<":
            depth -= 2
        at += 1
        if depth <= 0:
            return at
    raise ValueError("a bracket stays open: " + "".join(tokens[-20:]))


def parts_of(tokens):
    """A list's parts, at the commas outside of brackets."""
    parts, depth = [[]], 0
    for token in tokens:
        depth += (token in "<([{") - (token in ">)]}") - 2 * (token == ">>")
        if token == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return ["".join(p).strip() for p in parts if "".join(p).strip()]


def param_of(text):
    is_const = text.startswith("const ")
    name, _, kind = text.removeprefix("const ").partition(":")
    kind, _, default = kind.partition(" = ")
    return Param(name.strip(), kind.strip(), is_const, default.strip())


def functions_of(text):
    """All functions of a text in order, whose names don't begin with two underscores."""
    tokens = generate.tokens_of(text)
    found, owners, depth, at = [], [], 0, 0
    while at < len(tokens):
        token = tokens[at]
        depth += (token == "{") - (token == "}")
        if owners and depth <= owners[-1][1] and token == "}":
            owners.pop()
        if token == "struct":
            owner = tokens[at + 2]
            end = at
            while tokens[end] not in "{;":
                end += 1
            if tokens[end] == "{":
                owners.append((owner, depth))
            at = end
            continue
        if token == "fn" and starts_item(tokens, at):
            function, at = function_of(tokens, at + 1, owners[-1][0] if owners else "")
            if not any(p.startswith("__") for p in function.name.split(".")) and not function.owner.startswith("__"):
                found.append(function)
            continue
        at += 1
    return found


def starts_item(tokens, at):
    before = at - 1
    while before >= 0 and tokens[before].isspace() and "\n" not in tokens[before]:
        before -= 1
    return before < 0 or "\n" in tokens[before] or tokens[before] in "{};)"


def function_of(tokens, at, owner):
    while tokens[at].isspace():
        at += 1
    name = ""
    if tokens[at] == "[":                       # fn [](...), fn []=(...)
        while tokens[at] not in ("(", "<"):
            name += tokens[at]
            at += 1
    elif not (tokens[at][0].isalpha() or tokens[at][0] == "_"):
        name, at = tokens[at], at + 1
    else:
        while tokens[at][0].isalpha() or tokens[at][0] in "_.":
            name += tokens[at]
            at += 1
    generics, params = [], []
    if tokens[at] == "<":
        end = close(tokens, at, "<", ">")
        generics, at = [param_of(p) for p in parts_of(tokens[at + 1:end - 1])], end
    if tokens[at] == "(":
        end = close(tokens, at, "(", ")")
        params, at = [param_of(p) for p in parts_of(tokens[at + 1:end - 1])], end
    else:
        params = None                           # a property
    return Function(name, owner, generics, params), at


def library(folder):
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.ck"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            found += functions_of(re.sub(r"//[^\n]*", "", file.read()))
    return found


def constants(folder):
    """The words of the library: its public constants."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.ck"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            found += re.findall(r"^const ([a-z]\w*)", file.read(), re.M)
    return sorted(set(found))


def structs(folder):
    """(name, generics, fields) of the public structs."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.ck"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            for name, generics, body in re.findall(r"^struct ([A-Za-z]\w*)(<[^{]*>)? \{(.*?)(?:^\}|\}$)", file.read(), re.M | re.S):
                body = re.sub(r"//[^\n]*", "", body)
                fields = re.findall(r"(?:^|;|\{)\s*(\w+): [^;()]+(?=;)", body)
                found.append((name, len(parts_of(generate.tokens_of(generics[1:-1]))), len(fields)))
    return found


def table(path, row):
    with open(path, encoding="utf-8") as file:
        return re.findall(rf"^{row}\((.*)\)", file.read(), re.M)


def forms(folder):
    """(name, the counts of arguments that it takes, at most 4)."""
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
    """(spelling, whether it is unary)"""
    found = []
    with open(os.path.join(folder, "front/op.def"), encoding="utf-8") as file:
        for spelling, place in re.findall(r'^OP\(\w+,\s*"([^"]*)",\s*(\w+),', file.read(), re.M):
            found.append((spelling, place == "PREFIX"))
    return found
