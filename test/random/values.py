# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""values.py - random expressions of any type, over the names in scope.

A type is a Kind. A scope is a list of (expression, Kind, whether it can be assigned). What an
expression contains is counted in a Coverage; its result has the same bits on every target
(generate.py says how).
"""
import random

from facts import (FLOATS, INTS, LARGE, NARROWER, NUMBERS, ROUNDS, SCALARS, SIZES, UNSIGNED, WIDTH)

MAX_LEAVES = 6  # most leaves of a compound variable that expressions name


class Kind:
    """A type: its text, and (suffix, Kind) of its parts; a scalar has none."""

    def __init__(self, text, shape="scalar", parts=(), rows=()):
        self.text, self.shape, self.parts, self.rows = text, shape, list(parts), rows

    def leaves(self):
        """Yields (suffix, name of the scalar, rows of the coverage table on the way)."""
        if not self.parts:
            return [("", self.text, ())]
        return [(suffix + inner, name, (*self.rows, *rows)) for suffix, part in self.parts
                for inner, name, rows in part.leaves()]

    def scalar(self):
        return self.leaves()[0][1]


KINDS = {name: Kind(name) for name in SCALARS}


def vector(name, size):
    text = f"{name}x{size}"
    if text not in KINDS:
        KINDS[text] = Kind(text, "vector", [(f"[{i}]", KINDS[name]) for i in range(size)],
                           (f"vec<T, {size}>",))
    return KINDS[text]


def array(element, extents):
    text = f"{element.text}[{', '.join(map(str, extents))}]"
    if text not in KINDS:
        places = [()]
        for extent in extents:
            places = [(*place, i) for place in places for i in range(extent)]
        row = {1: "array"}.get(len(extents), f"T[{', '.join(['2'] * len(extents))}]")
        rows = (row, "array of struct") if element.shape == "struct" else (row,)
        KINDS[text] = Kind(text, "array", [("[" + ", ".join(map(str, place)) + "]", element)
                                           for place in places], rows)
        KINDS[text].extents = extents
    return KINDS[text]


def tuple_of(parts):
    text = f"({', '.join(part.text for part in parts)})"
    if text not in KINDS:
        rows = ("tuple", "tuple of struct") if any(p.shape == "struct" for p in parts) else ("tuple",)
        KINDS[text] = Kind(text, "tuple", [(f"[{i}]", part) for i, part in enumerate(parts)], rows)
    return KINDS[text]


class Values:
    """Random choices and expressions. A Program (program.py) adds statements and declarations."""

    def __init__(self, seed, coverage):
        self.rng, self.coverage = random.Random(seed), coverage
        self.seed, self.turns = seed, {}
        self.products = self.rng.random() < 0.5  # otherwise sums: nothing can be fused
        self.scopes, self.names, self.functions, self.structs = [], 0, [], []
        self.seeds = []  # scalars in a function's scope with values unknown to the compiler

    # ---- choices -----------------------------------------------------------------------------

    def chance(self, share):
        return self.rng.random() < share

    def pick(self, values):
        return self.rng.choice(values)

    def note(self, row, kind):
        self.coverage.note(row, kind)

    def turn(self, key, cells, each=1):
        """Returns the next of these in turn. Programs of consecutive seeds start `each` further."""
        self.turns[key] = self.turns.get(key, self.seed * each) + 1
        return cells[self.turns[key] % len(cells)]

    def name(self, letter="v"):
        self.names += 1
        return f"{letter}{self.names}"

    def scalar(self):
        return KINDS[self.pick(SCALARS)]

    def number(self):
        return KINDS[self.pick(NUMBERS)]

    def kind(self, depth=2):
        """Draws any type with a few leaves."""
        way = self.rng.randint(0, 9 if depth else 5)
        if way <= 2:
            return self.scalar()
        if way <= 5:
            return vector(self.pick(SCALARS), self.pick(SIZES))
        if way == 6 and self.structs and self.chance(0.4):
            return tuple_of([self.scalar(), self.pick(self.structs)])
        if way == 6:
            return tuple_of([self.kind(depth - 1) for _ in range(self.rng.randint(2, 3))])
        if way == 7 and self.structs:
            return self.pick(self.structs)
        extents = self.pick([(2,), (3,), (4,), (2, 2), (2, 3), (2, 2, 2), (2, 2, 2, 2), (2, 1, 2, 3)])
        element = self.pick(self.structs) if self.structs and len(extents) == 1 and self.chance(0.4) \
            else self.scalar()
        return array(element, extents)

    # ---- scope -------------------------------------------------------------------------------

    def declare(self, text, kind, changes=False):
        """Declares a variable, and some of the scalars inside it."""
        self.scopes[-1].append((text, kind, changes))
        if kind.parts:
            leaves = kind.leaves()
            for suffix, name, rows in self.rng.sample(leaves, min(len(leaves), MAX_LEAVES)):
                for row in rows:
                    self.note(row, name)
                if sum(row == "struct" for row in rows) > 1:
                    self.note("struct in struct", name)
                self.scopes[-1].append((text + suffix, KINDS[name], changes))

    def variables(self, kind, changes=False):
        return [text for scope in self.scopes for text, type_, can in scope
                if type_ is kind and (can or not changes)]

    def literal(self, kind):
        rng, name = self.rng, kind.text
        if name == "bool":
            return self.pick(["true", "false"])
        if name in FLOATS:
            value = self.pick(["0.5", "1.0", "2.0", "3.0", "0.25", "100.0", "1.5", "7.0"])
            return self.pick(["", "-"]) + value + name
        width = WIDTH[name]
        top = (1 << (width - (name[0] == "i"))) - 1
        value = self.pick([0, 1, 2, 3, 5, 7, top, top - 1, top >> 1, rng.randint(0, top)])
        text = hex(value) if self.chance(0.2) else str(value)
        return f"(-{text}{name})" if name[0] == "i" and self.chance(0.3) else text + name

    def leaf(self, kind):
        known = self.variables(kind)
        if known and self.chance(0.85):
            return self.pick(known)
        return self.literal(kind) if not kind.parts else self.made(kind, 0)

    def runtime(self, kind):
        """Returns a scalar whose value the compiler does not know: dividing by a constant 0 is an
        error."""
        source, name = self.pick(self.seeds)
        return source if name == kind.text else f"{kind.text}({source})"

    def index(self, extent):
        """Returns an index below a constant extent."""
        if extent == 1 or self.chance(0.4):
            return str(self.rng.randint(0, extent - 1))
        kind = KINDS[self.pick(UNSIGNED)]
        return f"{self.value(kind, 1)} % {extent}"

    # ---- any type ----------------------------------------------------------------------------

    def value(self, kind, depth):
        if depth <= 0 or self.chance(0.1):
            return self.leaf(kind)
        if kind.parts:
            way = self.vector if kind.shape == "vector" else self.compound
            return way(kind, depth - 1)
        own = self.boolean if kind.text == "bool" else \
            self.real if kind.text in FLOATS else self.whole
        other = self.pick([self.choice, self.call, self.converted, self.of_aggregate])
        return (own if self.chance(0.65) else other)(kind, depth - 1)

    def choice(self, kind, depth):
        self.note("c ? a : b", kind.scalar())
        bool_ = KINDS["bool"]
        return f"({self.value(bool_, depth)} ? {self.value(kind, depth)} : {self.value(kind, depth)})"

    def call(self, kind, depth, called=None):
        fitting = [called] if called else [one for one in self.functions if one.result is kind]
        if not fitting:
            return self.leaf(kind)
        called = self.pick(fitting)
        for row in called.rows:
            self.note(row, kind.scalar())
        arguments = [self.value(param, depth - 1) for param in called.params]
        if called.defaults and self.chance(0.5):
            arguments.pop()
            self.note("call, default", kind.scalar())
        elif called.is_named and self.chance(0.5):
            named = [f"a{i} = {text}" for i, text in enumerate(arguments)]
            first = self.rng.randint(0, len(named) - 1)
            arguments = arguments[:first] + named[first:]
            self.note("call, named", kind.scalar())
        return f"{called.name}({', '.join(arguments)})"

    def made(self, kind, depth):
        """Returns a compound value built from its parts."""
        texts = [self.value(part, depth) for _, part in kind.parts]
        if kind.shape == "tuple":
            return f"({', '.join(self.typed(p, t) for (_, p), t in zip(kind.parts, texts))})"
        if kind.shape == "struct":
            if self.chance(0.3):
                pairs = list(zip(kind.parts, texts))
                self.rng.shuffle(pairs)
                texts = [f"{suffix[1:]} = {text}" for (suffix, _), text in pairs]
            return f"{kind.text}({', '.join(texts)})"
        if kind.shape == "vector":
            if self.chance(0.3):
                texts = texts[:1]
            return f"{kind.text}({', '.join(self.typed(kind.parts[0][1], t) for t in texts)})"
        texts[0] = self.typed(kind.parts[0][1], texts[0])
        for extent in reversed(kind.extents):
            texts = [f"[{', '.join(texts[i:i + extent])}]" for i in range(0, len(texts), extent)]
        return texts[0]

    def typed(self, kind, text):
        """Returns the text, with a type where literals alone would get another one."""
        return text if kind.parts else f"{kind.text}({text})"

    def compound(self, kind, depth):
        way = self.rng.randint(0, 5)
        operators = getattr(kind, "operators", ())
        if operators and self.chance(0.5):
            operator = self.pick(operators)
            if operator in ("+", "-x"):
                for _, name, _ in kind.leaves():
                    self.note("struct " + operator, name)
                one = self.value(kind, depth)
                return f"({one} + {self.value(kind, depth)})" if operator == "+" else f"(-{one})"
        if way == 0:
            return self.choice(kind, depth)
        if way == 1:
            return self.call(kind, depth)
        return self.made(kind, depth)

    # ---- scalars -----------------------------------------------------------------------------

    def converted(self, kind, depth):
        source = self.scalar()
        name, word = kind.text, self.pick(ROUNDS)
        is_rounded = name != "bool" and source.text != "bool" and \
            (name in FLOATS or source.text in FLOATS)
        text = self.value(source, depth)
        if is_rounded and self.chance(0.3):
            self.note(f"round = {word}", name)
            return f"{name}({self.typed(source, text)}, round = {word})"
        self.note(f"{name}(x)", source.text)
        return f"{name}({self.typed(source, text)})"

    def of_aggregate(self, kind, depth):
        """A part of a compound value that is built for it."""
        name, way = kind.text, self.rng.randint(0, 8)
        one, two = self.typed(kind, self.value(kind, depth - 1)), self.value(kind, depth - 1)
        if way == 0:
            return f"Both<{name}, i32>({one}, {self.value(KINDS['i32'], 0)}).swapped.b"
        if way == 1:
            self.note("tuple", name)
            return f"({one}, {self.value(self.scalar(), 0)})[0]"
        if way == 2:
            return f"[{one}, {two}][{self.index(2)}]"
        if way == 3:
            self.note("lambda", name)
            lam = self.name("a")
            self.scopes.append([(lam, kind, False)])
            body = self.value(kind, depth - 1)
            self.scopes.pop()
            return f"twice({one}, |{lam}: {name}| {self.typed(kind, body)})"
        if way == 4 and name in INTS:
            self.note("fn value", name)
            return f"folded([{one}, {two}, {one}], {self.pick(['+', '^', 'max', '|p, q| p - q'])})"
        if way == 5:
            return self.member(kind, depth)
        return self.of_vector(kind, depth)

    def member(self, kind, depth):
        """A member of a struct with this type: a property, a method, []."""
        known = [(one, row, text) for one in self.structs for row, text, result in one.members
                 if result is kind]
        return self.of_member(kind, depth, *self.pick(known)) if known else self.choice(kind, depth)

    def of_member(self, kind, depth, struct, row, text):
        self.note(row, kind.text)
        text = text.replace("$i", self.index(2))
        if "$o" in text:
            text = text.replace("$o", self.value(struct, depth - 1))
        return f"{self.value(struct, depth - 1)}{text}"

    def of_vector(self, kind, depth):
        name, size = kind.text, self.pick(SIZES)
        of = vector(name, size)
        one = self.value(of, depth)
        self.note(f"vec<T, {size}>", name)
        way = self.rng.randint(0, 4)
        if way == 0 and name in INTS:
            self.note("vec sum", name)
            return f"sum({one})"
        if way == 1 and name in INTS:
            self.note("vec dot", name)
            return f"dot({one}, {self.value(of, depth)})"
        if way == 2 and name in FLOATS and not self.products:
            return f"sum({one})"
        if way == 3:
            self.note("vec swizzle", name)
            return f"{one}.{self.pick('xyzw'[:min(size, 4)])}"
        self.note("vec [i]", name)
        return f"{one}[{self.index(size)}]"

    def boolean(self, kind, depth):
        way = self.rng.randint(0, 9)
        if way == 0:
            self.note("!x", "bool")
            return f"!{self.value(kind, depth)}"
        if way <= 2:
            op = self.pick(["&&", "||", "&", "|", "^", "==", "!="])
            self.note(op, "bool")
            return f"({self.value(kind, depth)} {op} {self.value(kind, depth)})"
        if way == 3:
            word, of = self.pick(["any", "all"]), vector("bool", self.pick(SIZES))
            self.note("vec " + word, "bool")
            return f"{word}({self.value(of, depth)})"
        if way == 4:
            return self.equal(self.kind(1), depth)
        if way == 5 and self.structs:
            return self.equal(self.pick(self.structs), depth)
        other = self.number()
        name = other.text
        if way == 6:
            real = KINDS[self.pick(FLOATS)]
            word = self.pick(["is_nan", "is_inf"])
            self.note(word, real.text)
            return f"{word}({self.value(real, depth)})"
        op = self.pick(["<", "<=", ">", ">=", "==", "!="])
        self.note(op, name)
        return f"({self.value(other, depth)} {op} {self.value(other, depth)})"

    def equal(self, kind, depth):
        """== or != of whole values, or < of structs."""
        if kind.shape == "vector" or kind.shape == "scalar":
            kind = array(KINDS[kind.scalar()], (2,))
        one, other = self.variables(kind), self.value(kind, depth)
        text = self.pick(one) if one else self.value(kind, depth)
        op = self.pick(["==", "!="])
        if "<" in getattr(kind, "operators", ()) and self.chance(0.5):
            op = self.pick(["<", "<=", ">", ">="])
        row = "struct <" if op[0] in "<>" else \
            "struct ==" if "==" in getattr(kind, "operators", ()) else "==, whole"
        for _, name, _ in kind.leaves():
            self.note(row, name)
        if kind.shape == "array":  # a list has no type of its own
            return f"same<{kind.text}>({text}, {other})" if op == "==" else \
                f"!same<{kind.text}>({text}, {other})"
        return f"({text} {op} {other})"

    def whole(self, kind, depth):
        way, name = self.rng.randint(0, 15), kind.text
        one = self.value(kind, depth)
        if way == 0:
            op = self.pick("-~+")
            self.note(op + "x", name)
            return f"{op}({one})"
        if way in (1, 2):
            op = self.pick("/%")
            self.note(op, name)
            return f"({one} {op} ({self.value(kind, depth)} ^ {self.runtime(kind)}))"
        if way in (3, 4):
            op = self.pick(["<<", ">>"])
            self.note(op, name)
            count = str(self.rng.randint(0, WIDTH[name] - 1)) if self.chance(0.5) \
                else self.runtime(kind)
            return f"({one} {op} {count})"
        if way <= 8:
            return self.bits(kind, depth, one)
        if way == 9:
            real = self.pick(FLOATS)
            return f"{name}(bits_of({self.value(KINDS[real], depth)}))"
        if way == 10:
            return self.cast(kind, depth)
        other = self.value(kind, depth)
        if name in NARROWER and self.chance(0.2):
            narrow = KINDS[self.pick(NARROWER[name])]
            other = self.pick(self.variables(narrow) or [self.runtime(narrow)])
        op = self.pick("+-*&|^+-*")
        self.note(op, name)
        return f"({one} {op} {other})"

    def bits(self, kind, depth, one):
        """A function of the library."""
        name = kind.text
        words = ["min", "max", "add_sat", "sub_sat", "abs", "clamp", "popcount", "clz", "ctz", "brev",
                 "ceil_div"]
        words += ["bswap"] if WIDTH[name] > 8 else []
        words += ["rotate_left", "rotate_right"] if name in UNSIGNED else []
        words += ["mul_hi"] if name in LARGE else []
        words += ["funnel_left", "funnel_right"] if name in ("u32", "u64") else []
        words += ["byte_perm"] if name == "u32" else []
        words += ["dp4a"] if name in ("u32", "i32") else []
        word = self.pick(words)
        self.note(word, name)
        two = self.value(kind, depth)
        if word in ("popcount", "clz", "ctz"):
            return f"{name}({word}({one}))"
        if word in ("abs", "brev", "bswap"):
            return f"{word}({one})"
        if word in ("rotate_left", "rotate_right"):
            return f"{word}({one}, {self.value(KINDS['u32'], depth)})"
        if word in ("funnel_left", "funnel_right"):
            return f"{word}({one}, {two}, {self.value(KINDS['u32'], depth)})"
        if word in ("clamp", "byte_perm", "dp4a"):
            return f"{word}({one}, {two}, {self.value(kind, depth)})"
        if word == "ceil_div":
            return f"ceil_div({one}, {two} ^ {self.runtime(kind)})"
        return f"{word}({one}, {two})"

    def cast(self, kind, depth):
        """A bit cast from another number or a vector; a NaN gets fixed bits."""
        name = kind.text
        self.note("bit_cast", name)
        width = WIDTH[name]
        same = [other for other in NUMBERS if WIDTH[other] == width]
        if self.chance(0.5) and width > 8:
            part = self.pick([p for p in ("u8", "i16", "u16", "i32", "u32") if WIDTH[p] < width
                              and width // WIDTH[p] in SIZES])
            return f"bit_cast<{name}>({self.value(vector(part, width // WIDTH[part]), depth)})"
        other = self.pick(same)
        text = self.value(KINDS[other], depth)
        return f"bit_cast<{name}>({'plain' if other in FLOATS else other}({text}))"

    def real(self, kind, depth):
        way, name = self.rng.randint(0, 9), kind.text
        one, other = self.value(kind, depth), self.value(kind, depth)
        if way == 0:
            op = self.pick("-+")
            self.note(op + "x", name)
            return f"{op}({one})"
        if way == 1:
            word = self.pick(["min", "max", "clamp"])
            self.note(word, name)
            third = f", plus_zero({self.value(kind, depth)})" if word == "clamp" else ""
            return f"{word}(plus_zero({one}), plus_zero({other}){third})"
        if way == 2:
            word = self.pick(["sqrt", "abs"])
            self.note(word, name)
            return f"{word}({one})"
        if way == 3:
            word = self.pick(["floor", "ceil", "trunc", "rint", "round"])
            self.note(word, name)
            return f"{word}({one})"
        if way == 4:
            word = self.pick(["copysign", "fmod"])
            self.note(word, name)
            return f"{word}({one}, plain({other}))"
        if way == 5:
            return self.cast(kind, depth)
        if self.products:
            if way == 6:
                self.note("fma", name)
                # Written directly, a product here could be fused: fma(1, x, y * z), fma(1, x * y,
                # z).
                one, other, third = (f"plus_zero({value})"
                                     for value in (one, other, self.value(kind, depth)))
                return f"fma({one}, {other}, {third})"
            op = self.pick("*/")
        else:
            op = self.pick("+-")
        self.note(op, name)
        return f"({one} {op} {other})"

    # ---- vectors -----------------------------------------------------------------------------

    def vector(self, kind, depth):
        name, size = kind.scalar(), len(kind.parts)
        self.note(f"vec<T, {size}>", name)
        way = self.rng.randint(0, 9)
        if way == 0:
            return self.made(kind, depth)
        if way == 1:
            return self.selected(kind, name, size, depth)
        if way == 2:
            return self.rearranged(kind, name, size, depth)
        if way == 3:
            return self.call(kind, depth) if self.chance(0.5) else self.choice(kind, depth)
        if name == "bool":
            return self.mask(kind, size, depth)
        if way == 4:
            source = self.number().text
            self.note("vec convert", name)
            return f"{kind.text}({self.value(vector(source, size), depth)})"
        one = self.value(kind, depth)
        if way == 5:
            op = self.pick("-~") if name in INTS else "-"
            self.note(f"vec {op}x", name)
            return f"({op}{one})"
        other = self.value(kind if self.chance(0.6) else KINDS[name], depth)
        if way == 6:
            word = self.pick(["min", "max"])
            self.note("vec min", name)
            return f"{word}(plus_zero({one}), plus_zero({other}))" if name in FLOATS \
                else f"{word}({one}, {other})"
        if name in FLOATS:
            op = self.pick("*/" if self.products else "+-")
        else:
            op = self.pick(["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"])
        self.note("vec " + op, name)
        if op in ("/", "%", "<<", ">>") and name in INTS:
            other = f"({other} ^ {self.runtime(KINDS[name])})"
        return f"({one} {op} {other})"

    def vector_operator(self, row, name, depth):
        """A row such as `vec +` of the coverage table: (expression, its Kind)."""
        kind, op = vector(name, self.pick(SIZES)), row[4:]
        one, other = self.value(kind, depth), self.value(kind, depth)
        self.note(row, name)
        if op[-1] == "x":
            return f"({op[0]}{one})", kind
        if op == "min":
            if name in FLOATS:
                one, other = f"plus_zero({one})", f"plus_zero({other})"
            return f"{self.pick(['min', 'max'])}({one}, {other})", kind
        if op in ("/", "%", "<<", ">>") and name in INTS:
            other = f"({other} ^ {self.runtime(KINDS[name])})"
        return f"({one} {op} {other})", vector("bool", len(kind.parts)) if op in ("<", "==") else kind

    def mask(self, kind, size, depth):
        other = self.number().text
        of = vector(other, size)
        way = self.rng.randint(0, 3)
        if way == 0:
            op = self.pick(["&", "|", "^", "==", "!="])
            self.note("vec ==" if op in ("==", "!=") else "vec " + op, "bool")
            return f"({self.value(kind, depth)} {op} {self.value(kind, depth)})"
        if way == 1:
            return f"(!{self.value(kind, depth)})"
        op = self.pick(["<", "<=", ">", ">=", "==", "!="])
        self.note("vec ==" if op in ("==", "!=") else "vec <", other)
        return f"({self.value(of, depth)} {op} {self.value(of, depth)})"

    def selected(self, kind, name, size, depth):
        self.note("vec select", name)
        mask = self.value(vector("bool", size), depth)
        return f"select({mask}, {self.value(kind, depth)}, {self.value(kind, depth)})"

    def rearranged(self, kind, name, size, depth):
        if size > 4:
            half = vector(name, size // 2)
            return f"{kind.text}({self.value(half, depth)}, {self.value(half, depth)})"
        self.note("vec swizzle", name)
        source = self.pick([2, 3, 4, 8])
        letters = "".join(self.pick("xyzw"[:min(source, 4)]) for _ in range(size))
        return f"{self.value(vector(name, source), depth)}.{letters}"
