# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""device_values.py - what random calls of device-wide algorithms work on, as CK text and as NumPy
arrays: types, values, operators, and the iterators that read and write them.

A Source lays given values out for a random iterator. Values [a, b] read by `x[1..n + 1]` are the
array [junk, a, b]; by `x.reverse()` they are [b, a]. A Sink is the same for results. It knows what
the whole array holds after the algorithm has written, junk between and behind the elements included.
"""
import numpy as np

STRUCTS = {
    "Affine": [("a", "<u4"), ("b", "<u4")],
    "Odd": [("a", "u1"), ("b", "u1"), ("c", "u1")],
    "Twelve": [("a", "<u4"), ("b", "<u4"), ("c", "<u4")],
    "Wide": [("a", "<u8"), ("b", "<u8"), ("c", "<u8")],
}
COMMON = """\
struct Affine { a: u32; b: u32; }
struct Odd { a: u8; b: u8; c: u8; }
struct Twelve { a: u32; b: u32; c: u32; }
struct Wide { a: u64; b: u64; c: u64; }
// The composition of x -> a * x + b, whose a is odd; c counts on its own.
fn then(f: Affine, g: Affine) -> Affine = Affine(f.a * g.a, f.b * g.a + g.b);
fn then(f: Odd, g: Odd) -> Odd = Odd(f.a * g.a, f.b * g.a + g.b, f.c + g.c);
fn then(f: Twelve, g: Twelve) -> Twelve = Twelve(f.a * g.a, f.b * g.a + g.b, f.c + g.c);
fn then(f: Wide, g: Wide) -> Wide = Wide(f.a * g.a, f.b * g.a + g.b, f.c + g.c);
"""
SIGNED = ["i8", "i16", "i32", "i64"]
UNSIGNED = ["u8", "u16", "u32", "u64"]
INTS = SIGNED + UNSIGNED
FLOATS = ["f16", "f32", "f64"]
KEYS = INTS + FLOATS + ["bf16"]  # NumPy has no bf16: its arrays hold the bits
TYPES = INTS + FLOATS + list(STRUCTS)


def dtype(name):
    """Returns NumPy's type of the elements of a file."""
    if name in STRUCTS:
        return np.dtype(STRUCTS[name], align=True)
    return np.dtype("<u2" if name == "bf16" else f"<{name[0]}{int(name[1:]) // 8}")


def is_float(name):
    return name in FLOATS or name == "bf16"


def mapped(kind, values):
    """Returns what `-v` of floats or `v ^ 1` of integers gives, which is the inverse as well."""
    return -values if kind in FLOATS else values ^ dtype(kind).type(0x8000 if kind == "bf16" else 1)


def draw(rng, name, n, how):
    """Returns n values. how: "any" of all bits; "sums" whose sums are exact in any order; "few"
    different ones."""
    kind = dtype(name)
    if name in STRUCTS:
        made = np.zeros(n, kind)
        for field in kind.names:
            made[field] = draw(rng, f"u{kind[field].itemsize * 8}", n, how)
        made["a"] |= 1
        return made
    if how == "few":
        if name == "bf16":
            return (0x3f80 + rng.integers(0, 8, n)).astype(kind)
        return rng.integers(0 if name[0] == "u" else -3, 5, n).astype(kind)
    bits = rng.integers(0, 2**63, n, dtype=np.uint64) * np.uint64(2) + rng.integers(0, 2, n, dtype=np.uint64)
    if not is_float(name):
        return bits.astype(kind)
    if how == "sums":
        made = rng.integers(-2, 3, n)
        if name == "f16":  # few of them, so that sums of 2^20 elements are below 2048
            made = np.sign(made) * (rng.random(n) < 0.2)
        made = made.astype(kind)
        if rng.random() < 0.3 and n:  # infinities and a NaN, each seldom
            for value in (np.inf, -np.inf, np.nan):
                if rng.random() < 0.4:
                    made[rng.integers(0, n)] = value
        return made
    made = bits.astype(f"<u{kind.itemsize}").view(kind)
    special = rng.random(n)
    small = rng.integers(-3, 4, n)
    if name == "bf16":
        return np.where(special < 0.6, np.where(small < 0, 0xbf80, 0x3f80) + abs(small), made).astype(kind)
    made = np.where(special < 0.5, small.astype(kind), made)
    made = np.where((special > 0.5) & (special < 0.53), np.array(-0.0, kind), made)
    return np.where(made != made, np.copysign(np.array(np.nan, kind), made), made).astype(kind)


def sort_order(name, values):
    """Returns unsigned integers in the order of radix_sort: -0 and 0 are equal, a NaN is at the end
    that its sign says."""
    unsigned = np.dtype(f"<u{values.dtype.itemsize}")
    top = unsigned.type(1 << (8 * unsigned.itemsize - 1))
    bits = values.view(unsigned).copy()
    if name[0] == "u":
        return bits
    if name[0] == "i":
        return bits ^ top
    bits[bits == top] = 0
    return np.where(bits & top, ~bits, bits | top).astype(unsigned)


def literal(name, value):
    """Returns a value as text of an EXPECT line."""
    if name in STRUCTS:
        return "{" + ", ".join(f"{field}: {value[field]}" for field in value.dtype.names) + "}"
    return repr(float(value)) if is_float(name) else str(int(value))


def spoken(name, value):
    """Returns a value as CK text."""
    if name in STRUCTS:
        return f"{name}(" + ", ".join(str(value[field]) for field in value.dtype.names) + ")"
    if is_float(name):
        return f"{name}({float(value)})"
    return f"{name}({int(value)})" if int(value) >= 0 else f"-{-int(value)}{name}"


class Source:
    """An iterator of `count` elements of a type, and the arrays that make it give these values."""

    FORMS = ["plain"] * 4 + ["offset"] * 4 + ["reverse", "strided", "take", "drop", "gather", "tabulate",
                                               "enumerate", "column", "map", "zip", "cached"]

    def __init__(self, c, name, kind, count="n", how=None, plain=False):
        self.name, self.type, self.count = name, kind, count
        form = "offset" if plain and c.pick([0, 1]) else "plain" if plain else c.pick(self.FORMS)
        if form in ("map", "zip", "cached") and kind in STRUCTS or form == "map" and how == "nan":
            form = "plain"
        self.form = form
        self.extra = c.pick(range(1, 10))
        c.aspect(f"{form} input")
        x, n, k = name, count, self.extra
        texts = {
            "plain": (f"{n}", x), "offset": (f"{n} + {k}", f"{x}[{k}..{n} + {k}]"),
            "reverse": (n, f"{x}.reverse()"), "strided": (f"{k} * ({n})", f"{x}.strided({k})"),
            "take": (f"{n} + {k}", f"{x}.take({n})"), "drop": (f"{n} + {k}", f"{x}.drop({k})"),
            "gather": (f"{n} + {k}", f"{x}.gather({x}_at)"), "tabulate": (n, f"tabulate(|i| {x}[i]).take({n})"),
            "enumerate": (n, f"{x}.enumerate().map(|p| p[1])"), "column": (f"{n}, {k}", f"{x}.column({k - 1})"),
            "map": (n, f"{x}.map(|v| {'-v' if is_float(kind) else 'v ^ 1'})"),
            "zip": (n, f"zip({x}, {x}_at).map(|p| p[0])"), "cached": (n, f"{x}.cached(cache = streaming)"),
        }
        extent, self.text = texts[form]
        self.params = [f"{x}: in {kind}[{extent}]"]
        if form in ("gather", "zip"):
            self.params.append(f"{x}_at: in u32[{n}]")

    def arrays(self, rng, values):
        n, k, form = len(values), self.extra, self.form
        if form == "map":
            values = mapped(self.type, values)
        made = {self.name: values}
        if form == "offset" or form == "drop":
            made[self.name] = np.concatenate([draw(rng, self.type, k, "any"), values])
        elif form == "take":
            made[self.name] = np.concatenate([values, draw(rng, self.type, k, "any")])
        elif form == "reverse":
            made[self.name] = values[::-1]
        elif form == "strided":
            made[self.name] = draw(rng, self.type, n * k, "any")
            made[self.name][::k] = values
        elif form == "column":
            made[self.name] = draw(rng, self.type, n * k, "any").reshape(n, k)
            made[self.name][:, k - 1] = values
        elif form == "gather":
            at = rng.permutation(n + k)[:n].astype(np.uint32)
            made[self.name] = draw(rng, self.type, n + k, "any")
            made[self.name][at] = values
            made[self.name + "_at"] = at
        elif form == "zip":
            made[self.name + "_at"] = rng.integers(0, 2**32, n, dtype=np.uint32)
        return made


class Sink:
    """An iterator with room for `room` results, and what its array holds before and after."""

    FORMS = ["plain"] * 4 + ["offset"] * 4 + ["reverse", "strided", "scatter", "larger"]

    def __init__(self, c, name, kind, room="n", readable=False, exact=False, forms=None):
        self.name, self.type = name, kind
        forms = forms or self.FORMS + ([] if readable or kind in STRUCTS else ["map_store"])
        self.form = form = c.pick([form for form in forms if not exact or form != "larger"])
        self.extra = c.pick(range(1, 10))
        c.aspect(f"{form} output")
        y, n, k = name, room, self.extra
        texts = {
            "plain": (n, y), "offset": (f"{n} + {k}", f"{y}[{k}..{n} + {k}]"), "reverse": (n, f"{y}.reverse()"),
            "strided": (f"{k} * ({n})", f"{y}.strided({k})"), "scatter": (n, f"{y}.scatter({y}_at)"),
            "larger": (f"{n} + {k}", y), "map_store": (n, f"{y}.map_store(|v| {'-v' if is_float(kind) else 'v ^ 1'})"),
        }
        extent, self.text = texts[form]
        self.params = [f"{y}: inout {kind}[{extent}]"]
        if form == "scatter":
            self.params.append(f"{y}_at: in u32[{n}]")

    def places(self, room, arrays):
        """Returns where the elements stand in the array."""
        at = np.arange(room)
        return {"offset": at + self.extra, "strided": at * self.extra, "reverse": room - 1 - at,
                "scatter": arrays.get(self.name + "_at")}.get(self.form, at)

    def stored(self, values):
        """Returns what the array holds when these values are written."""
        if self.form != "map_store":
            return values
        return mapped(self.type, values)

    def arrays(self, rng, room, values):
        """Returns the arrays before, and those after: the first elements are the values."""
        size = {"offset": room + self.extra, "larger": room + self.extra, "strided": room * self.extra}.get(self.form, room)
        before = {self.name: draw(rng, self.type, size, "any")}
        if self.form == "scatter":
            before[self.name + "_at"] = rng.permutation(room).astype(np.uint32)
        after = before[self.name].copy()
        after[self.places(room, before)[:len(values)]] = self.stored(values)
        return before, {self.name: after}


def inverse(a):
    """Returns the inverses of odd numbers: each step of Newton's method doubles the right bits."""
    r = a.copy()
    for _ in range(6):
        r *= a.dtype.type(2) - a * r
    return r


class Operator:
    """A function: its text, types and how NumPy computes it of all values up to each place."""

    def __init__(self, text, types, accumulate, commutes=True):
        self.text, self.types, self.accumulate, self.commutes = text, types, accumulate, commutes


def of_ufunc(ufunc):
    return lambda v: ufunc.accumulate(v, dtype=v.dtype) if len(v) else v


def composed(v):
    """All compositions of the first maps. With A the product of the first a, b is A times the sum
    of b / A, since the b before are multiplied by the a behind them."""
    made = v.copy()
    a = np.multiply.accumulate(v["a"], dtype=v["a"].dtype)
    made["a"] = a
    made["b"] = a * np.add.accumulate(v["b"] * inverse(a), dtype=a.dtype)
    if "c" in v.dtype.names:
        made["c"] = np.add.accumulate(v["c"], dtype=v["c"].dtype)
    return made


def filled(v):
    """The last value up to each place that is not 0; the first one if there is none."""
    place = np.maximum.accumulate(np.where(v != 0, np.arange(len(v)), 0)) if len(v) else np.zeros(0, int)
    return v[place]


OPERATORS = [
    Operator("+", INTS + FLOATS, of_ufunc(np.add)),
    Operator("|a, b| a + b", INTS + FLOATS, of_ufunc(np.add)),
    Operator("*", INTS, of_ufunc(np.multiply)),
    Operator("&", INTS, of_ufunc(np.bitwise_and)),
    Operator("|", INTS, of_ufunc(np.bitwise_or)),
    Operator("^", INTS, of_ufunc(np.bitwise_xor)),
    Operator("min", INTS + FLOATS, of_ufunc(np.fmin)),
    Operator("max", INTS + FLOATS, of_ufunc(np.fmax)),
    Operator("|a, b| b != 0 ? b : a", INTS, filled, commutes=False),
    Operator("|a, b| b", TYPES, lambda v: v, commutes=False),
    Operator("|a, b| a", TYPES, lambda v: np.repeat(v[:1], len(v)), commutes=False),
    Operator("then", list(STRUCTS), composed, commutes=False),
]
