#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""grid.py - fills every position of the language and the library with every kind of thing.

    grid.py --seed=S --count=N               prints the programs of these seeds
    grid.py --ckc=CKC --search=N             searches for bases, with N tries per row, and writes
                                             bases.json
    grid.py --coverage                       lists what has no row, and the rows without a base

A *row* is a text with holes: a construct from rows.py, a call of a library function (each overload:
with the required arguments, with all arguments, with its generics, as a method), a builtin, an
operator, or a type. The last four are read from the sources by signatures.py, so that new ones
become rows automatically. A *position* is a hole of a row. A *filling* is a text for a hole:
names.py has one for each kind of thing in the language. A *cell* is a position with a filling:

    row       block.reduce({0}, {1})
    base      la, +                      fillings with which the program is correct, found by trial
    cell      position 1, filling `x[0..2]`
    program   kernel k(n: u32, x: in f32[n], y: out f32[n]) { var la: f32[4]; let r =
              block.reduce(la, x[0..2]); }

The other holes of the row have the base's fillings. Seed S is cell S * STEP modulo the number of
cells, so that consecutive seeds are a mixture.
"""
import argparse
import collections
import json
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE]

# pylint: disable=wrong-import-position
import generate
import names
import rows
import signatures

TOP = generate.TOP
BASES = os.path.join(HERE, "bases.json")
STEP = 15485863                     # a prime: consecutive seeds are far apart
BASES_EACH = 2                      # bases of a row that accepts more than one kind of thing
HEADS = generate.HEADS
# How an expression is used: first as its base was found, or in another way, depending on the seed.
USES = ["let r = @;", "@;", "y[0] = f32(@);", "let q = |a| @; let r = q(1);", "let r = (@, @);", "y[thread.x] = @;",
        "if (block.size > 4) { let r = @; }", "for (i in 0..4) { let r = @; }", "shared r: f32[@];", "let r = [@, @];",
        "let r = fast { @ };", "return @;"]
WHOLE = 2                           # uses in which a base is searched for

Row = collections.namedtuple("Row", "name form parts kinds")


# ---- fillings ----

def flat(row, rng, depth=0):
    """Returns a row of names.py with its holes filled: each with the first of its kind, or, with
    rng, with any."""
    def fill(match):
        kind = match.group(1)
        if kind == "any":
            kind = "float" if rng is None else rng.choice(names.VALUES)
        choices = [c for c in names.KINDS[kind] if "{" not in c.replace("{{", "") or depth < 2] or names.KINDS[kind]
        return flat(choices[0] if rng is None else rng.choice(choices), rng, depth + 1)
    return generate.HOLE.sub(fill, row)


def flattened(kind):
    """Returns the fillings for a hole of that kind."""
    rng, found = random.Random(kind), []
    for row in names.KINDS[kind]:
        found += [flat(row, None), flat(row, rng)] if generate.HOLE.search(row) else [row]
    return list(dict.fromkeys(found))


KINDS = {kind: flattened(kind) for kind in names.KINDS}


names.VALUES_FLAT = [f for kind in names.VALUES for f in KINDS[kind]]


# Texts that are not an expression, or more than one, or a named argument.
ODD = ["", "1, 2", "zz = 1", "x = s", "a = s", "n = 4", "in x", "const 1", "{ }", "{ 1 }", "return", "y: f32", "<f32>", "..", "0..", "dyn n",
       "null", "NULL", "nullptr", "None", "self", "comptime 1", "unroll", "let q = 1", "f32[]", "f32[,]", "()", "(1,)", "[]", "[1,]", "|", "||",
       "|a|", "|a, a| a", "'a'", "0x", "1e", "1_000", "99999999999999999999", "1e999", "-", "- -1", "!", "@", "#", "$", "\\", "a b", "1 2",
       "f1(", ")", "]", "}", ";", "1;", "//", "/*", "<<", "x[", "x.", ".x", "x..y", "?", "bl ? 1", ":", "=", "==", "1 = 2", "li = 2", "li++"]


def fillings(functions, scalars, words):
    found = [f for kind in names.VALUES + names.OTHERS for f in KINDS[kind]]
    for name in scalars:
        found += [f"{name}(1)", f"{name}x2(1)", f"{name}x4(1)", f"{name}x3(1)", name, f"{name}x2", f"ptr<{name}>(0)"]
    found += sorted({f.name for f in functions if f.params is not None and not f.owner and f.name[0].isalpha()})
    found += words + ODD
    return list(dict.fromkeys(found))


# ---- what fits a parameter of the library ----

SPANS = {"f32": ["x", "yf", "la", "sh", "x[0..2]"], "i32": ["xi", "yi", "lai"], "u32": ["xu", "yu", "shu"], "f64": ["xd", "yd"],
         "f16": ["xh"], "u64": ["yl"], "u8": ["x1", "y1"], "bool": ["yb"], "P": ["xp", "yp", "shp"]}
PLANES = {"f32": ["m", "ym", "sh2"]}
BOXES = {"f32": ["sh3"]}
ARRAYS = {"f32": ["la", "ar", "[1.5, 2, 3, 4]"], "i32": ["lai", "[1, 2, 3, 4]"], "u32": ["[1u32, 2, 3, 4]"], "f64": ["[1.5f64, 2, 3, 4]"],
          "bool": ["[true, false, true, false]"], "u8": ["[1u8, 2, 3, 4]"], "P": ["lz"], "u64": ["[1u64, 2, 3, 4]"]}
SCALARS = {"f32": ["s", "lf"], "i32": ["ki", "li"], "u32": ["n", "2u32"], "u64": ["nl"], "f64": ["d"], "f16": ["hh"], "bf16": ["kb"],
           "bool": ["bl", "true"], "u8": ["u1"], "i8": ["i1"], "i16": ["i2"], "i64": ["il"], "u16": ["u2"], "P": ["p"]}
FUNCTIONS = ["+", "|a, b| a + b", "|a, b| a < b", "|a| a", "max", "|a| a > 1", "|i| x[i]", "|a| u32(a)", "|a| (a.a, a.b)",
             "|a, b| a.a < b.a", "|| 4", "|i, a| a", "|a, b, c| a", "<", "f1", "|a| { }"]
ITERATORS = ["x", "xi", "yi", "yf", "it", "zi", "xu", "yu", "x.map(|a| a * 2)", "count(0)", "m", "ym"]
PLACES = {"f32": ["yf[0]", "sh[0]"], "i32": ["yi[0]"], "u32": ["yu[0]", "shu[0]"], "u64": ["yl[0]"], "f16x2": ["yh[0]"], "f64": ["yd[0]"]}
STRUCTS = {"Count": "count<u32>(2)", "Constant": "constant(2.5)", "Tabulate": "tabulate(|i| f32(i))", "Discard": "discard<f32>()",
           "Shuffle": "shuffle(16, 1)", "Map": "x.map(|a| a * 2)", "MapStore": "yf.map_store(|a| a)", "Zip": "zip(yf, yi)",
           "Zip3": "zip(yf, yi, yu)", "Zip4": "zip(yf, yi, yu, yd)", "Gather": "yf.gather(xu)", "Reverse": "yf.reverse()",
           "Strided": "yf.strided(2)",
           "Strided2": "yf.strided((2, 2), (1, 2))", "Strided3": "yf.strided((1, 2, 2), (1, 1, 2))",
           "Strided4": "yf.strided((1, 1, 2, 2), (1, 1, 1, 2))", "TabulateStore": "tabulate_store(|i, v| { yf[i] = v; })", "Take": "yf.take(4)", "Drop": "yf.drop(1)", "Column": "ym.column(1)", "Row": "ym.row(1)",
           "Region": "ym.region(0, 1, 2, 2)",
           "Window": "x.window<3>()", "Enumerate": "yf.enumerate()", "Cached": "x.cached(cache = last)", "ActiveLanes": "warp.active()",
           "barrier": "bar", "range": "0..n"}
OBJECTS = {"texture": ["tx", "t3", "t1"], "texture_array": ["txa", "txa2"], "surface": ["sf", "sf1", "sf3"],
           "surface_array": ["sfa", "sfa2"], "tensor_map": ["tm", "tm1", "tm3"]}
WORDS = {"how": ["striped", "blocked", "transpose", "vectorized", "match", "memoize", "striped_to_blocked", "blocked_to_striped",
                 "scatter_to_blocked", "scatter_to_striped", "basic", "sort"], "to": ["striped", "blocked"], "cache": ["streaming", "last"],
         "method": ["raking", "warp_reductions", "warp_scans", "raking_commutative_only", "sort", "0"], "order": ["relaxed", "acquire", "0"],
         "scope": ["block", "device", "1"], "scan": ["raking", "warp_scans", "0"]}
TYPES = ["f32", "i32", "u32", "f64", "f16", "u8", "u64", "bool", "P", "bf16"]


class Fit:
    """Chooses arguments for the parameters of one call, with the same type for the same generic."""

    def __init__(self, rng, function):
        self.rng = rng
        self.generics_text = str(function.params)
        self.generics = {g.name: g for g in function.generics}
        self.element = rng.choice(["f32", "f32", "i32", "u32", rng.choice(TYPES)])
        self.bound = {}

    def element_of(self, kind):
        generic = self.generics.get(kind)
        if generic is None:
            return kind
        if kind not in self.bound:
            allowed = {"int": ["i32", "u32", "u64", "u8"], "float": ["f32", "f64"], "half": ["f16", "bf16"],
                       "number": ["f32", "i32", "u32", "f64"]}.get(generic.type)
            same = allowed is None or self.element in allowed
            self.bound[kind] = self.element if same and self.rng.random() < 0.8 else self.rng.choice(allowed or TYPES)
        return self.bound[kind]

    def pick(self, choices):
        """Prefers the first choices."""
        return choices[min(int(self.rng.expovariate(1) * len(choices) / 2), len(choices) - 1)]

    def param(self, param):
        kind, rng = param.type.split(" = ")[0], self.rng
        if param.is_const and param.name in WORDS:
            return rng.choice(WORDS[param.name])
        if param.is_const:
            return "true" if kind == "bool" else self.pick(["4", "2", "1", "32", "8"])
        if param.name in self.generics and self.generics[param.name].type == param.type:
            return self.element_of(param.name)
        match = re.match(r"(?:(in|inout|out) )?(.*)$", kind)
        access, kind = match.groups()
        match = re.match(r"__place<(.*)>$", kind)
        if match:
            parts = signatures.parts_of(generate.tokens_of(match.group(1)))
            if "shared" in parts:
                return self.pick(["sh[0]", "shu[0]"])
            if "global" in parts:
                return self.pick(["x[0]", "xu[0]", "yf[0]"])
            return self.pick(PLACES.get(self.element_of(parts[0]), ["yf[0]", "yu[0]"]))
        match = re.match(r"(.*)\[([^\[]*)\]$", kind)
        if match:
            element, extents = match.groups()
            element = self.element_of(element)
            if access:
                return self.pick((BOXES if ",," in extents else PLANES if "," in extents else SPANS).get(element, ["x"]))
            return self.pick(ARRAYS.get(element, ["la"]))
        generic = self.generics.get(kind)
        if generic and generic.type == "fn":
            return rng.choice(FUNCTIONS)
        if generic and generic.type == "type" and param.name in ("it", "x", "sorted", "index", "to", "a", "b", "c", "d", "m", "values", "z", "g"):
            return self.pick(ITERATORS)
        match = re.match(r"(\w+)<(.*)>$", kind)
        if match:
            name, inside = match.groups()
            if name == "vec":
                element, count = signatures.parts_of(generate.tokens_of(inside))
                element = self.element_of(element)
                return f"{element}x{count if count.isdigit() else 4}(1)"
            if name == "ptr":
                return self.pick(["address(bar)", "ad", "address(sh[0])"] if "shared" in inside or "barrier" in inside else ["ad", "pf"])
            if name in OBJECTS:
                return self.pick(OBJECTS[name])
            if name in STRUCTS:
                return STRUCTS[name]
        if kind.startswith("("):
            return self.pick(["(1, 2.5)", "lt", "(1u32, 2u32)"])
        if generic and generic.type == "type" and "Zip" in self.generics_text:
            return self.pick(["(1.5, 2)", "(1.5, 2, 3u32)", "(1.5, 2, 3u32, 1)"])
        element = self.element_of(kind)
        if re.match(r"[a-z]+\d*x\d+$", element):
            return f"{element}(1)"
        return self.pick(SCALARS.get(element, ["n"]) + ["1", "0"] + (ITERATORS[:3] if element == "P" else []))

    def hole(self, kind):
        if isinstance(kind, signatures.Param):
            return self.param(kind)
        if isinstance(kind, tuple):
            return self.pick(kind) if len(kind) < 50 or self.rng.random() < 0.5 else self.rng.choice(kind)
        return self.rng.choice(KINDS[kind])


# ---- rows ----

GENERIC = re.compile(r"\{(\w+)\}")
RECEIVERS = ("block", "warp", "thread", "grid", "cluster", "atomic", "pipeline", "mbarrier", "bulk", "target")


def row_of(text, form):
    """Converts a row of rows.py: {new} and {stmt} are not positions, {any} takes a value."""
    parts, kinds, end, count = [""], [], 0, 0
    for match in generate.HOLE.finditer(text):
        parts[-1] += text[end:match.start()]
        end = match.end()
        kind = match.group(1)
        if kind == "new":
            count += 1
            parts[-1] += f"v{(count + 1) // 2 if 'let {new} = {fun}' in text or '{new}({any})' in text or '{new}[0]' in text else count}"
        elif kind == "stmt":
            parts[-1] += "y[1] = 1;"
        else:
            kinds.append(tuple(names.VALUES_FLAT) if kind == "any" else kind)
            parts.append("")
    parts[-1] += text[end:]
    return Row(text, form, [p.replace("{{", "{").replace("}}", "}") for p in parts], kinds)


def signature(function):
    generics = ", ".join(("const " if g.is_const else "") + f"{g.name}: {g.type}" for g in function.generics)
    params = "" if function.params is None else "(" + ", ".join(f"{p.name}: {p.type}" for p in function.params) + ")"
    owner = function.owner + "." if function.owner else ""
    return owner + function.name + (f"<{generics}>" if generics else "") + params


def holes(texts):
    """Returns (parts, kinds) for a list of texts and holes."""
    parts, kinds = [""], []
    for text in texts:
        if isinstance(text, str):
            parts[-1] += text
        else:
            kinds.append(text[0])
            parts.append("")
    return parts, kinds


def argument_list(params, named):
    texts = []
    for at, param in enumerate(params):
        texts.append(", " if at else "")
        if at >= named:
            texts.append(param.name + " = ")
        texts.append([param])
    return texts


def rows_of(function):
    """Returns the ways to call a function, each a list of texts and holes."""
    params = function.params or []
    needed = [p for p in params if not p.default]
    name, generics = function.name, [g for g in function.generics if g.type != "fn"]
    first = name.split(".")[0]
    if function.owner:
        receiver = [(STRUCTS.get(function.owner, "it"),)]
        head = [[receiver[0]], "." + name]
    elif name[0] == "[" or not name[0].isalpha():
        head = []
    elif first in OBJECTS:
        head = [[tuple(OBJECTS[first])], "." + name.split(".", 1)[1]]
    elif name.startswith("warp.tile."):
        head = [[("warp.tile<8>", "warp.tile<16>")], "." + name.split(".", 2)[2]]
        generics = [g for g in generics if g.name not in ("G", "N") or not g.is_const or "N" in str(params)]
        generics = [g for g in generics if g.name != "G"]
    elif name.startswith("block.part."):  # a role of a split
        head = [[("block.part<0, 4, 1>",)], "." + name.split(".", 2)[2]]
        generics = [g for g in generics if g.name not in ("FIRST", "WARPS", "ID")]
    elif first in RECEIVERS and "." in name:
        head = [[(first,)], "." + name.split(".", 1)[1]]
    elif "." in name:
        head = [[tuple(SCALARS.get(first, STRUCTS.get(first, "x").split()))], "." + name.split(".", 1)[1]]
    else:
        head = [name]
    if name == "[]":
        if function.owner:
            return [[head[0], "[", [params[0]], "]"]]
        return [[[params[0]], "["] + argument_list(params[1:], 9) + ["]"]]
    if name == "[]=":
        return [[[params[0]], "["] + argument_list(params[1:-1], 9) + ["] = ", [params[-1]], ";"]]
    if not name[0].isalpha():
        return [[[params[0]], f" {name} ", [params[1]]] if len(params) == 2 else [name, [params[0]]]]
    if function.params is None:
        return [head]
    calls = [head + ["("] + argument_list(needed, 9) + [")"]]
    if len(params) > len(needed):
        calls.append(head + ["("] + argument_list(params, 1 if needed else 0) + [")"])
    if generics:
        inside = []
        for at, generic in enumerate(generics):
            kind = signatures.Param(generic.name, generic.type, generic.is_const, "")
            inside += [", " if at else "", [kind]]
            if generic.is_const:
                calls.append(head + ["<"] + inside + [">("] + argument_list(needed, 9) + [")"])
        if not generics[-1].is_const:
            calls.append(head + ["<"] + inside + [">("] + argument_list(needed, 9) + [")"])
    if head == [name] and needed and "." not in name:
        calls.append([[needed[0]], "." + name + "("] + argument_list(needed[1:], 9) + [")"])
    return calls


class Grid:
    def __init__(self, bases=BASES):
        library = os.path.join(TOP, "lib")
        compiler = os.path.join(TOP, "compiler")
        self.functions = signatures.library(library)
        self.scalars = signatures.scalars(compiler)
        self.words = signatures.constants(library)
        self.forms = signatures.forms(compiler)
        self.operators = signatures.operators(compiler)
        self.structs = signatures.structs(library)
        self.fillings = fillings(self.functions, self.scalars, self.words)
        self.rows, self.of = [], {}
        self.make_rows()
        self.starts, total = [], 0
        for row in self.rows:
            self.starts.append(total)
            total += len(row.kinds) * len(self.fillings)
        self.cells = total
        self.bases = {}
        if bases and os.path.exists(bases):
            with open(bases, encoding="utf-8") as file:
                self.bases = json.load(file)

    def add(self, source, form, parts, kinds):
        name = "".join(p + ("{" + (k if isinstance(k, str) else k.name if isinstance(k, signatures.Param) else k[0] if len(k) < 4 else "any")
                            + "}" if k else "") for p, k in zip(parts, kinds + [""]))
        if source and name in self.of:
            name = f"{name}  // {source}"
        if name not in self.of:
            self.of[name] = source
            self.rows.append(Row(name, form, parts, kinds))

    def make_rows(self):
        for form, table in (("statement", rows.STATEMENTS), ("expression", rows.EXPRESSIONS), ("item", rows.ITEMS)):
            for text in table:
                row = row_of(text, form)
                if row.kinds:
                    self.add(text, form, row.parts, row.kinds)
        for function in self.functions:
            for texts in rows_of(function):
                parts, kinds = holes(texts)
                self.add(signature(function), "statement" if function.name == "[]=" else "expression", parts, kinds)
        any_ = tuple(names.VALUES_FLAT)
        for name, counts in self.forms:
            for count in counts:
                method = name.startswith("vec.")
                head = [[("x", "y")], "." + name[4:]] if method else [name]
                for generic in ([], ["<", [("4", "2")] if method else [("f32", "u32")], ">"]):
                    texts = head + generic
                    if count or name in ("trap",):
                        first = ['"{} {}"'] if name == "print" else [[any_]] if name not in ("asm",) else ['"mov.u32 $0, $1;"']
                        texts = texts + ["("] + sum([[", ", [any_]] for _ in range(count - 1)], first if count else []) + [")"]
                    self.add("builtin " + name, "expression", *holes(texts))
        for spelling, is_unary in self.operators:
            texts = [spelling, [any_]] if is_unary else [[any_], f" {spelling} ", [any_]]
            self.add("operator " + spelling, "expression", *holes(texts))
            if not is_unary and spelling not in ("==", "!=", "<", "<=", ">", ">=", "&&", "||"):
                self.add("operator " + spelling, "statement", *holes([["place"], f" {spelling}= ", [any_], ";"]))
            self.add("operator " + spelling, "expression", *holes([[("la", "lai")], ".ga2(", spelling, ", ", [any_], ")"]))
        for name in self.scalars:
            for count in ("", "x2", "x4"):
                self.add("type " + name, "expression", *holes([f"{name}{count}(", [any_], ")"]))
            self.add("type " + name, "expression", *holes([f"bit_cast<{name}>(", [any_], ")"]))
            self.add("type " + name, "statement", *holes([f"let r: {name} = ", [any_], ";"]))
            self.add("type " + name, "statement", *holes([f"var r: {name}[4]; r[1] = ", [any_], ";"]))
        for name, generics, fields in self.structs:
            texts = [name, "("] + sum([[", ", [any_]] for _ in range(fields)], [])[1:] + [")"]
            self.add("struct " + name, "expression", *holes(texts))
            if generics:
                inside = sum([[", ", ["type"]] for _ in range(generics)], [])[1:]
                self.add("struct " + name, "expression", *holes([name, "<"] + inside + [">("] + texts[2:]))
                self.add("struct " + name, "statement", *holes(["var r: " + name, "<"] + inside + [">;"]))
                self.add("struct " + name, "item", *holes([f"kernel q1(a: {name}", "<"] + inside + [">) { }"]))

    # ---- programs ----

    def text(self, row, fills, head=0, use=0, methods=None):
        body = "".join(p + f for p, f in zip(row.parts, list(fills) + [""]))
        own = []
        if row.form == "item":
            own, body = [body], ""
        elif row.form == "expression":
            body = USES[use].replace("@", body)
        items, params, local = generate.declared("\n".join(own + [body]), methods or NoMethods())
        lines = items + own + [f"kernel k({', '.join(params)}) {HEADS[head]}", "{"] + local + [body] + ["}"]
        return "\n".join(lines).replace("{{", "{").replace("}}", "}") + "\n"

    def base(self, row, rng):
        """Returns (fillings, head, use, whether the program is correct)."""
        found = self.bases.get(row.name)
        if found:
            fills, head, use = rng.choice(found)
            if len(fills) == len(row.kinds):
                return fills, head, use, True
        fit = Fit(rng, self.function_of(row))
        return [fit.hole(k) for k in row.kinds], 0, 0, False

    def function_of(self, row):
        if not hasattr(self, "signed"):
            self.signed = {signature(f): f for f in self.functions}
        return self.signed.get(self.of[row.name], signatures.Function("", "", [], []))

    def cell(self, seed):
        """Returns (row, position, filling)."""
        number = seed * STEP % self.cells
        at = self.row_at(number)
        position, filling = divmod(number - self.starts[at], len(self.fillings))
        return self.rows[at], position, self.fillings[filling]

    def row_at(self, number):
        lo, hi = 0, len(self.rows)
        while hi - lo > 1:
            middle = (lo + hi) // 2
            if self.starts[middle] <= number:
                lo = middle
            else:
                hi = middle
        while not self.rows[lo].kinds:
            lo -= 1
        return lo

    def right(self, number):
        """Returns the program of a base, by its number among all."""
        if not hasattr(self, "all_bases"):
            self.all_bases = [(row, base) for row in self.rows for base in self.bases.get(row.name, [])]
        row, (fills, head, use) = self.all_bases[number % len(self.all_bases)]
        return self.text(row, fills, head, use)

    def program(self, seed):
        row, position, filling = self.cell(seed)
        rng = random.Random(seed)
        fills, head, use, _ = self.base(row, rng)
        fills = list(fills)
        if not re.fullmatch(r"[\w.]+", filling) and rng.random() < 0.6:
            if row.parts[position + 1][:1] in (".", "[") or re.search(r"[-+*/%&|^<>=!~] $", row.parts[position]):
                filling = f"({filling})"
        fills[position] = filling
        if rng.random() < 0.4:
            use = rng.randrange(len(USES))
        return self.text(row, fills, head, use, rng)


class NoMethods:
    """Replaces the random generator where a program gets no methods of its own."""

    @staticmethod
    def random():
        return 1.0


def search(grid, compiler, tries, bases):
    """Searches for a base for each row that has none. Returns the rows without one."""
    first = [("host", "nvptx", 9, "gen", 0), ("sm_90", "nvptx", 5, "gen", 0)]
    missing = []
    for at, row in enumerate(grid.rows):
        found = [b for b in bases.get(row.name, []) if len(b[0]) == len(row.kinds)]
        rng, wanted = random.Random(row.name), BASES_EACH if row.kinds else 1
        count = 0
        while len(found) < wanted and count < tries:
            fit = Fit(rng, grid.function_of(row))
            fills = [fit.hole(k) for k in row.kinds]
            right = rows.RIGHT.get(grid.of[row.name], ())
            if len(right) == len(row.kinds) and 0 < count < 9:  # with several uses
                fills = right
            head = 0 if rng.random() < 0.7 else rng.randrange(len(HEADS))
            use = rng.randrange(WHOLE) if row.form == "expression" else 0
            count += 1
            if any(b[0] == fills for b in found):
                continue
            text = grid.text(row, fills, head, use)
            for way in first[:1] if count % 4 else first:
                failure, status, _, _ = compiler.server.ask(way, text)
                if not failure and not status:
                    found.append([fills, head, use])
                    break
        if found:
            bases[row.name] = found
        else:
            missing.append(row.name)
        if at % 100 == 0:
            print(f"{at} of {len(grid.rows)} rows, {len(missing)} without a base", flush=True)
    return missing


# Functions that no correct program calls: an endless iterator has no length, and a private struct of the
# library is named nowhere else.
NEVER = {"Count.len", "Constant.len", "Tabulate.len", "TabulateStore.len", "Discard.len",
         "[]=<O: type, J: int, T: type>(m: __StoreInside<O>, i: J, p: (u32, T))"}


def coverage(grid):
    """Lists public functions without a row or without a correct call, builtins, operators and types
    without a row, and bases of rows that no longer exist."""
    rows_of_source = collections.defaultdict(list)
    for row in grid.rows:
        rows_of_source[grid.of[row.name]].append(row)
    sources = [signature(f) for f in grid.functions]
    others = ["builtin " + name for name, _ in grid.forms] + ["operator " + o for o, _ in grid.operators]
    others += ["type " + name for name in grid.scalars] + ["struct " + name for name, _, _ in grid.structs]
    without = [s for s in sources + others if s not in rows_of_source]
    wrong = [s for s in sources if s not in NEVER and not any(r.name in grid.bases for r in rows_of_source[s])]
    known = {row.name for row in grid.rows}
    print("without a row: " + (", ".join(without) or "nothing"))
    print("without a right call: " + (", ".join(wrong) or "nothing"))
    print("bases of no row: " + (", ".join(name for name in grid.bases if name not in known) or "nothing"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--bases", default=BASES)
    parser.add_argument("--search", type=int, default=0)
    parser.add_argument("--limit", type=float, default=1)
    parser.add_argument("--ckc")
    parser.add_argument("--coverage", action="store_true")
    options = parser.parse_args()
    grid = Grid(options.bases)
    for seed in range(options.seed, options.seed + options.count):
        sys.stdout.write(grid.program(seed))
    if options.search:
        import run  # pylint: disable=import-outside-toplevel
        names_ = {row.name for row in grid.rows}
        bases = {name: found for name, found in grid.bases.items() if name in names_}
        options.ptxas, options.libnvvm, options.all = None, 0, False
        missing = search(grid, run.Compiler(options), options.search, bases)
        with open(options.bases, "w", encoding="utf-8") as file:
            file.write("{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(bases[name])}" for name in sorted(bases)) + "\n}\n")
        for name in missing:
            print("no base:", name)
    if options.coverage:
        coverage(grid)
    print(f"{len(grid.rows)} rows, {sum(len(r.kinds) for r in grid.rows)} positions, {len(grid.fillings)} fillings, {grid.cells} cells, "
          f"{sum(r.name in grid.bases for r in grid.rows)} rows with a base")
    return 0


if __name__ == "__main__":
    sys.exit(main())
