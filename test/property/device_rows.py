# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""device_rows.py - the table of the device-wide algorithms, and how NumPy computes each.

A row's function draws a configuration `c`: it writes the algorithm that makes the call, and returns a
function of (rng, n) that draws arguments for n elements and returns the Call with NumPy's results.
"""
import numpy as np

from device_values import (FLOATS, INTS, KEYS, OPERATORS, STRUCTS, TYPES, Sink, Source, draw, dtype, is_float,
                           literal, sort_order, spoken)


class Call:
    """Arguments of a call, and what the arrays hold afterwards; result: text of the value."""

    def __init__(self, scalars=None, arrays=None, after=None, result=None):
        self.scalars, self.arrays, self.after = scalars or {}, arrays or {}, after or {}
        self.result = result
        self.only = {}  # the part of an array that is compared, where it isn't the whole one

    def source(self, rng, source, values):
        self.arrays.update(source.arrays(rng, values))

    def sink(self, rng, sink, room, values):
        before, after = sink.arrays(rng, room, values)
        self.arrays.update(before)
        self.after.update(after)

    def in_place(self, rng, sink, values, results):
        """The array of `sink` holds the values before, and the results afterwards."""
        extra, before = sink.arrays(rng, len(values), values)
        after = before[sink.name].copy()
        after[sink.places(len(values), extra)[:len(results)]] = results
        self.arrays.update({**extra, **before})
        self.after[sink.name] = after


def _how(kind):
    return "sums" if is_float(kind) or kind in STRUCTS else "any"


def _operator(c, kind=None):
    operator = c.pick([one for one in OPERATORS if kind is None or kind in one.types])
    c.aspect(f"f = {operator.text}")
    return operator, kind or c.pick(operator.types)


def _with_init(operator, init, values):
    """All values up to each place, behind `init` if that is not None."""
    if init is None:
        return operator.accumulate(values)
    return operator.accumulate(np.concatenate([init, values]))


def _runs(rng, n, mean):
    """Returns the places where runs begin, and the number of the run of each element."""
    begins = rng.random(n) < 1 / mean
    begins[:1] = True
    return np.flatnonzero(begins), np.cumsum(begins) - 1


def reduce(c):
    operator, kind = _operator(c)
    x = Source(c, "x", kind, how="nan")
    init = draw(c.rng, kind, 1, _how(kind))
    if is_float(kind):
        init[:] = 2
    order = c.pick(["", ", determinism = gpu_to_gpu"]) if operator.text in "+ & | ^ min max".split() else ""
    c.algorithm(x.params, f"= reduce({x.text}, {operator.text}, {spoken(kind, init[0])}{order})", kind)

    def make(rng, n):
        values = draw(rng, kind, n, _how(kind))
        call = Call(result=literal(kind, _with_init(operator, init, values)[-1]))
        call.source(rng, x, values)
        return call
    return make


def extremes(c):
    kind, name = c.pick(INTS + FLOATS), c.variant
    x = Source(c, "x", kind)
    value = f"({kind}, u64)"
    returns = f"({value}, {value})" if name == "argminmax" else value
    by = c.pick(["", ", |a, b| a < b" if not is_float(kind) else ""])
    c.algorithm(x.params, f"= {name}({x.text}{by})", returns)

    def make(rng, n):
        values = draw(rng, kind, n, rng.choice(["few", "any"]))

        def place(largest):
            if not n:
                return literal(kind, np.zeros(1, dtype(kind))[0]), 2**64 - 1
            there = values == values  # not NaN
            if not there.any():
                return literal(kind, values[0]), 0
            wanted = values[there].max() if largest else values[there].min()
            at = int(np.flatnonzero(values == wanted)[0])
            return literal(kind, values[at]), at
        found = [f"({place(largest)[0]}, {place(largest)[1]})" for largest in (False, True)]
        result = {"argmin": found[0], "argmax": found[1], "argminmax": f"({found[0]}, {found[1]})"}[name]
        call = Call(result=result)
        call.source(rng, x, values)
        return call
    return make


def scan(c):
    operator, kind = _operator(c)
    is_exclusive = c.variant == "exclusive_scan"
    init = draw(c.rng, kind, 1, _how(kind)) if is_exclusive or c.pick([0, 1]) else None
    if init is not None and is_float(kind):
        init[:] = 1
    words = f", {spoken(kind, init[0])}" if init is not None else ""
    in_place = c.pick([0, 0, 1])
    if in_place:
        c.aspect("in place")
        x, y = None, Sink(c, "y", kind, readable=True, exact=True)
        c.algorithm(y.params, f"{{ {c.variant}({y.text}, {y.text}, {operator.text}{words}); }}")
    else:
        x, y = Source(c, "x", kind, how="nan"), Sink(c, "y", kind, exact=True)
        c.algorithm(x.params + y.params, f"{{ {c.variant}({x.text}, {y.text}, {operator.text}{words}); }}")

    def make(rng, n):
        values = draw(rng, kind, n, _how(kind))
        all_ = _with_init(operator, init, values)
        results = all_[:n] if is_exclusive else all_ if init is None else all_[1:]
        call = Call()
        if x:
            call.source(rng, x, values)
            call.sink(rng, y, n, results)
        else:
            call.in_place(rng, y, values, results)
        return call
    return make


def stores(c):
    """fill and generate."""
    kind = c.pick(INTS + FLOATS)
    y = Sink(c, "y", kind, exact=True)
    text = f"fill({y.text}, s)" if c.variant == "fill" else f"generate({y.text}, |i| {kind}(u32(i) & 63) + s)"
    c.algorithm([f"s: {kind}"] + y.params, f"{{ {text}; }}")

    def make(rng, n):
        s = draw(rng, kind, 1, "few")[0]
        values = (np.arange(n) & 63).astype(dtype(kind)) + s if c.variant == "generate" else np.repeat(s, n)
        call = Call({"s": literal(kind, s)})
        call.sink(rng, y, n, values.astype(dtype(kind)))
        return call
    return make


def transform(c):
    kind = c.pick(INTS + FLOATS)
    other = c.pick(TYPES) if c.variant == "transform" else "u8"
    f = "-p[0]" if is_float(kind) else "p[0] * 3"
    apply = (lambda v: -v) if is_float(kind) else (lambda v: v * dtype(kind).type(3))
    x, w, y = Source(c, "x", kind), Source(c, "w", other), Sink(c, "y", kind, exact=c.variant != "transform")
    condition = c.pick(["p[1] > 128", "(p[1] & 1) == 0"])
    words = f", |p| {condition}" if c.variant == "transform_if" else ""
    c.algorithm(x.params + w.params + y.params,
                f"{{ {c.variant}(zip({x.text}, {w.text}), {y.text}, |p| {f}{words}); }}")

    def make(rng, n):
        values, others = draw(rng, kind, n, "any"), draw(rng, w.type, n, "any")
        call = Call()
        call.source(rng, x, values)
        call.source(rng, w, others)
        if c.variant == "transform":
            call.sink(rng, y, n, apply(values))
            return call
        holds = others > 128 if ">" in condition else (others & 1) == 0
        before, full = y.arrays(rng, n, apply(values))
        place, after = y.places(n, before), before["y"].copy()
        after[place[holds]] = full["y"][place[holds]]
        call.arrays.update(before)
        call.after = {"y": after}
        return call
    return make


def difference(c):
    kind = c.pick(INTS + FLOATS)
    right = c.variant == "right"
    x, y = Source(c, "x", kind), Sink(c, "y", kind, exact=True)
    f = c.pick(["-", "|a, b| b"])
    c.algorithm(x.params + y.params,
                f"{{ adjacent_difference({x.text}, {y.text}, {f}{', right = true' if right else ''}); }}")

    def make(rng, n):
        values = draw(rng, kind, n, "few" if is_float(kind) else "any")
        results = values.copy()
        if n:
            a, b = (values[:-1], values[1:]) if right else (values[1:], values[:-1])
            results[slice(0, n - 1) if right else slice(1, n)] = a - b if f == "-" else b
        call = Call()
        call.source(rng, x, values)
        call.sink(rng, y, n, results)
        return call
    return make


def histogram(c):
    kind = c.pick(["u8", "i8", "u16", "i32", "u32", "i64", "f32", "f64"])
    bins, counter = c.pick([1, 7, 64, 256, 257, 1000, 2048, 9001]), c.pick(["u32", "i32", "u64"])
    x = Source(c, "x", kind)
    lo, hi = {"u8": (0, 256), "i8": (-128, 128), "f32": (-4, 4), "f64": (-4, 4)}.get(kind, (0, 60000))
    span = hi - lo
    if is_float(kind):
        bins = c.pick([1, 8, 256, 2048])  # widths that are powers of two, so that the division is exact
    c.aspect(f"{bins} bins")
    counts = f"counts: inout {counter}[{bins}]"
    params = x.params + [counts]
    levels = None
    if c.variant == "histogram":
        text = f"histogram({x.text}, counts, {lo}, {hi})"
        if is_float(kind):
            point = c.pick([".0", ""])  # integers are bounds of floats too
            text = f"histogram({x.text}, counts, {lo}{point}, {hi}{point})"
    elif c.variant == "histogram_range":
        if is_float(kind):
            levels = np.sort(c.rng.uniform(lo, hi, bins + 1)).astype(dtype(kind))
        else:
            levels = np.sort(c.rng.integers(lo, min(hi, np.iinfo(dtype(kind)).max), bins + 1)).astype(dtype(kind))
        params = params + [f"levels: in {kind}[{bins + 1}]"]
        text = f"histogram_range({x.text}, counts, levels)"
    else:
        text = f"histogram_by({x.text}, counts, |v| u32({'abs(v)' if is_float(kind) else 'v & 31'}))"
    c.algorithm(params, f"{{ {text}; }}")

    def make(rng, n):
        if is_float(kind):
            values = np.where(rng.random(n) < 0.02, rng.choice([np.nan, np.inf, -np.inf, hi, lo]),
                              rng.uniform(lo - 1, hi + 1, n)).astype(dtype(kind))
        elif dtype(kind).itemsize == 1:
            values = draw(rng, kind, n, "any")
        else:
            values = rng.integers(0 if kind[0] == "u" else -99, 65000, n).astype(dtype(kind))
        with np.errstate(invalid="ignore"):
            wide = values.astype(np.float64)
            if c.variant == "histogram":
                inside = (wide >= lo) & (wide < hi)
                kept = values[inside]
                # Floats are subtracted in their own type, which may round up to the next bin.
                bin_ = np.floor((kept - dtype(kind).type(lo)).astype(np.float64) * bins / span) if is_float(kind) else \
                    (kept.astype(np.int64) - lo) * bins // span
            elif c.variant == "histogram_range":
                inside = (values >= levels[0]) & (values < levels[-1])
                bin_ = np.searchsorted(levels, values[inside], side="right") - 1
            elif is_float(kind):
                values = np.where(np.isfinite(values), values, 0).astype(dtype(kind))
                bin_ = np.abs(values).astype(np.int64)
            else:
                bin_ = (values & dtype(kind).type(31)).astype(np.int64)
        bin_ = bin_.astype(np.int64)
        counted = np.bincount(bin_[bin_ < bins], minlength=bins).astype(dtype(counter))
        call = Call(arrays={"counts": draw(rng, counter, bins, "any")}, after={"counts": counted})
        if levels is not None:
            call.arrays["levels"] = levels
        call.source(rng, x, values)
        return call
    return make


# A predicate of the first value and of the second one, of keys: text and NumPy.
def _predicate(c, kind):
    if kind in STRUCTS:
        field = STRUCTS[kind][1][0]
        return c.pick([(f"|v| (v.{field} & 3) == 0", lambda v: (v[field] & 3) == 0),
                       ("|v| true", lambda v: np.ones(len(v), bool)), ("|v| false", lambda v: np.zeros(len(v), bool))])
    if is_float(kind):
        return c.pick([("|v| v > 0", lambda v: v > 0), ("|v| v != v", lambda v: v != v),
                       ("|v| v == v", lambda v: v == v)])
    return c.pick([("|v| (v & 1) == 1", lambda v: (v & 1) == 1), ("|v| v % 7 < 3", lambda v: np.fmod(v, 7) < 3),
                   ("|v| v > 100", lambda v: v > 100), ("|v| true", lambda v: np.ones(len(v), bool))])


def select(c):
    kind = c.pick(TYPES)
    x, name = Source(c, "x", kind), c.variant
    sinks = [Sink(c, f"y{i}", kind) for i in range({"partition": 2, "partition in three": 3}.get(name, 1))]
    predicates = [_predicate(c, kind) for _ in sinks]
    outs = ", ".join(sink.text for sink in sinks)
    params = x.params + [param for sink in sinks for param in sink.params]
    if name == "select_flagged":
        flags = c.pick(["u8", "bool", "i32"])
        params.append(f"flags: in {flags}[n]")
        c.algorithm(params, f"= select_flagged({x.text}, flags, {outs})", "u64")
    elif name == "in place":
        y = sinks[0] = Sink(c, "y0", kind, forms=["plain", "offset"])
        params = y.params
        c.algorithm(params, f"= select({y.text}, {predicates[0][0]}, {y.text})", "u64")
    else:
        asked = ", ".join(text for text, _ in predicates[:max(1, len(sinks) - 1)])
        c.algorithm(params, f"= {name.split()[0]}({x.text}, {asked}, {outs})",
                    "(u64, u64)" if len(sinks) == 3 else "u64")

    def make(rng, n):
        values, call = draw(rng, kind, n, rng.choice(["few", "any"])), Call()
        with np.errstate(invalid="ignore"):
            ways = np.zeros(n, int) if len(sinks) == 3 else None
            holds = predicates[0][1](values)
            if len(sinks) == 3:
                second = predicates[1][1](values)
                ways = np.where(holds, 0, np.where(second, 1, 2))
        if name == "select_flagged":
            holds = rng.random(n) < rng.choice([0, 0.1, 0.5, 1])
            call.arrays["flags"] = (holds * rng.integers(1, 99, n) if flags == "i32" else holds).astype(
                {"u8": np.uint8, "bool": bool, "i32": np.int32}[flags])
        if name == "in place":
            kept, first = values[holds], sinks[0].extra if sinks[0].form == "offset" else 0
            call.in_place(rng, sinks[0], values, kept)
            # What stands behind the kept ones is not specified.
            call.only = {"y0": (first, first + len(kept))}
            call.result = str(len(kept))
            return call
        call.source(rng, x, values)
        parts = [values[holds]] if len(sinks) == 1 else [values[holds], values[~holds]]
        if len(sinks) == 3:
            parts = [values[ways == way] for way in range(3)]
        for sink, part in zip(sinks, parts):
            call.sink(rng, sink, n, part)
        call.result = f"({len(parts[0])}, {len(parts[1])})" if len(sinks) == 3 else str(len(parts[0]))
        return call
    return make


def runs(c):
    kind, name = c.pick(INTS + ["f32", "f64"]), c.variant
    x = Source(c, "x", kind, how="nan")
    counter, other = c.pick(["u32", "u64", "i32"]), c.pick(TYPES)
    tenths = c.pick([False, True]) and not is_float(kind)
    same = ", |a, b| a / 10 == b / 10" if tenths else ""
    keys = Sink(c, "y", kind)
    w, v = Source(c, "w", other), Sink(c, "v", other)
    lengths, offsets = Sink(c, "l", counter, readable=True), Sink(c, "o", "u64")
    mean = c.pick([1, 2, 5, 100, 5000])
    c.aspect(f"runs of {mean}")
    used = {"unique": [x, keys], "unique_by_key": [x, w, keys, v], "run_length_encode": [x, keys, lengths],
            "nontrivial_runs": [x, offsets, lengths]}[name]
    c.algorithm([param for one in used for param in one.params],
                f"= {name}({', '.join(one.text for one in used)}{same})", "u64")

    def make(rng, n):
        _, run = _runs(rng, n, mean)
        values = (run * 5 % 120).astype(dtype(kind))
        of = np.floor_divide(values, 10) if tenths else values
        first = np.flatnonzero(np.concatenate([[True], of[1:] != of[:-1]])) if n else np.zeros(0, int)
        length = np.diff(np.concatenate([first, [n]])).astype(dtype(counter))
        call = Call(result=str(len(first)))
        call.source(rng, x, values)
        if name == "nontrivial_runs":
            first, length = first[length > 1], length[length > 1]
            call.result = str(len(first))
            call.sink(rng, offsets, n, first.astype(np.uint64))
        else:
            call.sink(rng, keys, n, values[first])
        if name == "unique_by_key":
            others = draw(rng, other, n, "any")
            call.source(rng, w, others)
            call.sink(rng, v, n, others[first])
        elif name != "unique":
            call.sink(rng, lengths, n, length)
        return call
    return make


def by_key(c):
    operator, kind = _operator(c)
    key, name = c.pick(INTS + ["f32"]), c.variant
    k, x = Source(c, "k", key, how="nan"), Source(c, "x", kind, how="nan")
    keys, y = Sink(c, "l", key), Sink(c, "y", kind)
    mean = c.pick([1, 2, 5, 100, 5000])
    c.aspect(f"runs of {mean}")
    init = draw(c.rng, kind, 1, _how(kind)) if name.startswith("exclusive") else None
    if init is not None and is_float(kind):
        init[:] = 1
    if name == "reduce_by_key":
        c.algorithm(k.params + x.params + keys.params + y.params,
                    f"= reduce_by_key({k.text}, {x.text}, {operator.text}, {keys.text}, {y.text})", "u64")
    else:
        words = f", {spoken(kind, init[0])}" if init is not None else ""
        c.algorithm(k.params + x.params + y.params,
                    f"{{ {name}({k.text}, {x.text}, {y.text}, {operator.text}{words}); }}")

    def make(rng, n):
        _, run = _runs(rng, n, max(mean, n // 20000))
        marks = (run * 3 % 120).astype(dtype(key))
        values = draw(rng, kind, n, _how(kind))
        first = np.flatnonzero(np.concatenate([[True], marks[1:] != marks[:-1]])) if n else np.zeros(0, int)
        call = Call()
        call.source(rng, k, marks)
        call.source(rng, x, values)
        all_ = [_with_init(operator, init, part) for part in np.split(values, first[1:])] if n else []
        if name == "reduce_by_key":
            last = np.array([one[-1] for one in all_], dtype(kind))
            call.result = str(len(first))
            call.sink(rng, keys, n, marks[first])
            call.sink(rng, y, n, last)
            return call
        parts = [one[:-1] if init is not None else one for one in all_]
        call.sink(rng, y, n, np.concatenate(parts) if parts else values)
        return call
    return make


def merge_sort(c):
    kind = c.pick([kind for kind in TYPES if kind != "f16"] + ["f16"])
    falling = c.pick([0, 1])
    sign = ">" if falling else "<"
    a, b = ("p.a", "q.a") if kind in STRUCTS else ("p", "q")
    # Orders that compare keys become radix sorts; an order that says so in another way is merged.
    less = c.pick([f"|p, q| {a} {sign} {b}", f"|p, q| {a} {sign} {b} && true"])
    copies = c.variant == "to"
    y = Sink(c, "y", kind, readable=True, exact=True)
    if copies:
        x, y = Source(c, "x", kind, how="nan"), Sink(c, "y", kind, exact=True)
        c.algorithm(x.params + y.params, f"{{ merge_sort({x.text}, {y.text}, {less}); }}")
    else:
        c.algorithm(y.params, f"{{ merge_sort({y.text}, {less}); }}")

    def make(rng, n):
        values = draw(rng, kind, n, rng.choice(["few", "any"]))
        if is_float(kind):
            values[values != values] = np.inf
        keys = sort_order(f"u{values['a'].dtype.itemsize * 8}", np.ascontiguousarray(values["a"])) \
            if kind in STRUCTS else sort_order(kind, values)
        order = np.argsort(~keys if falling else keys, kind="stable")
        call = Call()
        if copies:
            call.source(rng, x, values)
            call.sink(rng, y, n, values[order])
        else:
            call.in_place(rng, y, values, values[order])
        return call
    return make


def _window(c, bits):
    if c.pick([0, 0, 1]):
        begin = int(c.rng.integers(0, bits))
        end = int(c.rng.integers(begin + 1, bits + 1))
        c.aspect("a window of bits")
        return f", begin_bit = {begin}, end_bit = {end}", begin, end
    return "", 0, bits


def _digits(keys, begin, end, falling):
    """The window of bits of unsigned keys, in the order that is wanted."""
    wide = keys.astype(np.uint64) >> np.uint64(begin)
    if end - begin < 64:
        wide &= np.uint64((1 << (end - begin)) - 1)
    return ~wide if falling else wide


def radix_sort(c):
    kind, other = c.pick(KEYS), c.pick(TYPES)
    falling = c.pick([0, 1])
    window, begin, end = _window(c, 8 * dtype(kind).itemsize)
    words = (", descending = true" if falling else "") + window
    copies, pairs, by = "to" in c.variant, "pairs" in c.variant, "by" in c.variant
    keys = Sink(c, "y", kind, readable=True, exact=True)
    values = Sink(c, "v", other, readable=True, exact=True)
    k, w = Source(c, "k", kind), Source(c, "w", other)
    sources, sinks = ([k, w] if pairs else [k]), ([keys, values] if pairs else [keys])
    if by:
        records = "(u32, u64)"
        field = c.pick(["u8", "u16", "i16", "i32"])
        c.algorithm(["x: in u32[n]", f"y: inout {records}[n]"],
                    f"{{ radix_sort(x.enumerate().map(|p| (p[1], p[0])), by = |r| ({field}(r[0]), u8(r[0] >> 16)), "
                    f"to = y{', descending = true' if falling else ''}); }}")
    elif copies:
        to = f", to = {keys.text}" + (f", to_values = {values.text}" if pairs else "")
        c.algorithm([param for one in sources + sinks for param in one.params],
                    f"{{ radix_sort({', '.join(one.text for one in sources)}{to}{words}); }}")
    else:
        c.algorithm([param for one in sinks for param in one.params],
                    f"{{ radix_sort({', '.join(one.text for one in sinks)}{words}); }}")

    def make(rng, n):
        call = Call()
        if by:
            x = draw(rng, "u32", n, rng.choice(["few", "any"]))
            first = sort_order(field, x.astype(dtype(field))).astype(np.uint64)
            key = first << np.uint64(8) | (x >> np.uint32(16) & np.uint32(255)).astype(np.uint64)
            order = np.argsort(~key if falling else key, kind="stable")
            records = np.zeros(n, np.dtype([("f0", "<u4"), ("f1", "<u8")], align=True))
            call.arrays = {"x": x, "y": records.copy()}
            records["f0"], records["f1"] = x[order], order
            call.after = {"y": records}
            return call
        drawn = draw(rng, kind, n, rng.choice(["few", "any"]))
        moved = draw(rng, other, n, "any")
        order = np.argsort(_digits(sort_order(kind, drawn), begin, end, falling), kind="stable")
        for source, sink, all_ in ((k, keys, drawn), (w, values, moved))[:len(sinks)]:
            if copies:
                call.source(rng, source, all_)
                call.sink(rng, sink, n, all_[order])
            else:
                call.in_place(rng, sink, all_, all_[order])
        return call
    return make


def top_k(c):
    kind, other = c.pick(KEYS), c.pick(TYPES)
    least = c.pick([0, 1])
    pairs, is_sorted = c.variant == "pairs", c.pick([0, 1, 1])
    k, w = Source(c, "x", kind), Source(c, "w", other)
    words = (", descending = false" if least else "") + ("" if is_sorted else ", sorted = false")
    outs = ["y: inout {}[m]".format(kind)] + (["v: inout {}[m]".format(other)] if pairs else [])
    text = f"top_k({k.text}, {w.text + ', ' if pairs else ''}y{', v' if pairs else ''}{words});"
    if not is_sorted:  # equal elements are in order all the same: a stable sort gives the sorted result
        text += f" radix_sort(y.take(n){', v' if pairs else ''}{'' if least else ', descending = true'});"
    c.algorithm(["m: u64"] + k.params + (w.params if pairs else []) + outs, f"{{ {text} }}")

    def make(rng, n):
        m = int(rng.choice([0, 1, 5, n // 2, n, n + 3, 100]))
        drawn, moved = draw(rng, kind, n, rng.choice(["few", "any"])), draw(rng, other, n, "any")
        keys = _digits(sort_order(kind, drawn), 0, 8 * dtype(kind).itemsize, not least)
        order = np.argsort(keys, kind="stable")[:m]
        call = Call({"m": m})
        call.source(rng, k, drawn)
        if pairs:
            call.source(rng, w, moved)
        for name, one, all_ in (("y", kind, drawn), ("v", other, moved))[:2 if pairs else 1]:
            call.arrays[name] = draw(rng, one, m, "few")
            call.after[name] = call.arrays[name].copy()
            call.after[name][:len(order)] = all_[order]
        return call
    return make


def top_k_rows(c):
    kind = c.pick(KEYS)
    least = c.pick([0, 1])
    places = c.pick([0, 1])
    words = ", descending = false" if least else ""
    c.algorithm(["r: u64", "m: u64", f"x: in {kind}[r, n]", f"y: inout {kind}[r, m]"] +
                (["at: inout u32[r, m]"] if places else []),
                f"{{ top_k(x, y{', at' if places else ''}{words}); }}")

    def make(rng, n):
        r, m = int(rng.choice([1, 3, 40])), min(int(rng.choice([1, 2, 30, 300])), n)
        r = 1 if n > 100000 else r
        drawn = draw(rng, kind, n * r, rng.choice(["few", "any"])).reshape(r, n)
        keys = _digits(sort_order(kind, drawn), 0, 8 * dtype(kind).itemsize, not least)
        order = np.argsort(keys, kind="stable", axis=1)[:, :m]
        call = Call({"r": r, "m": m}, {"x": drawn, "y": np.zeros((r, m), dtype(kind))})
        call.after = {"y": np.take_along_axis(drawn, order, axis=1)}
        if places:
            call.arrays["at"] = np.zeros((r, m), np.uint32)
            call.after["at"] = order.astype(np.uint32)
        return call
    return make


def _offsets(rng, n, mean):
    """Ends of segments, some of them empty, from the first element to the last one or not quite."""
    count = max(1, int(n / mean))
    edges = np.sort(rng.integers(0, n + 1, count + 1))
    if rng.random() < 0.5:
        edges[0], edges[-1] = 0, n
    return edges


def segmented_scan(c):
    name, mean = c.variant, c.pick([2, 30, 300, 5000])
    c.aspect(f"segments of {mean}")
    index, (operator, kind) = c.pick(["u32", "u64", "i32"]), _operator(c)
    x, y = Source(c, "x", kind, how="nan"), Sink(c, "y", kind, exact=True)
    init = draw(c.rng, kind, 1, _how(kind)) if name.startswith("exclusive") else None
    if init is not None and is_float(kind):
        init[:] = 1
    words = f", {spoken(kind, init[0])}" if init is not None else ""
    c.algorithm(["m: u64"] + x.params + [f"at: in {index}[m]"] + y.params,
                f"{{ {name}({x.text}, at, {y.text}, {operator.text}{words}); }}")

    def make(rng, n):
        at = _offsets(rng, n, max(mean, n // 20000))
        at[0], at[-1] = 0, n
        values = draw(rng, kind, n, _how(kind))
        parts = [_with_init(operator, init, values[lo:hi]) for lo, hi in zip(at, at[1:]) if lo < hi]
        parts = [one[:-1] if init is not None else one for one in parts]
        call = Call({"m": len(at)}, {"at": at.astype(dtype(index))})
        call.source(rng, x, values)
        call.sink(rng, y, n, np.concatenate(parts) if parts else values)
        return call
    return make


def segmented(c):
    name, mean = c.variant, c.pick([2, 30, 300, 5000])
    c.aspect(f"segments of {mean}")
    index = c.pick(["u32", "u64", "i32"])
    falling = c.pick([0, 1])
    if name == "segmented_reduce":
        operator, kind = _operator(c)
        x, y = Source(c, "x", kind, how="nan"), Sink(c, "y", kind, room="m - 1", exact=True)
        init = draw(c.rng, kind, 1, _how(kind))
        if is_float(kind):
            init[:] = 2
        c.algorithm(["m: u64"] + x.params + [f"at: in {index}[m]"] + y.params,
                    f"{{ segmented_reduce({x.text}, at, {y.text}, {operator.text}, {spoken(kind, init[0])}); }}")
    else:
        kind = c.pick(KEYS if "radix" in name else INTS + FLOATS)
        other, y = c.pick(TYPES), Sink(c, "y", kind, readable=True, exact=True)
        window, begin, end = "", 0, 8 * dtype(kind).itemsize
        has_values = "radix" in name and c.pick([0, 1])
        v = Sink(c, "v", other, readable=True, exact=True)
        if "radix" in name:
            window, begin, end = _window(c, end)
            text = f"segmented_radix_sort({y.text}, {v.text + ', ' if has_values else ''}at{', descending = true' if falling else ''}{window})"
        else:
            text = f"segmented_sort({y.text}, at, {'>' if falling else '<'})"
        c.algorithm(["m: u64"] + y.params + (v.params if has_values else []) + [f"at: in {index}[m]"], f"{{ {text}; }}")

    def make(rng, n):
        at = _offsets(rng, n, max(mean, n // 20000))
        call = Call({"m": len(at)}, {"at": at.astype(dtype(index))})
        if name == "segmented_reduce":
            values = draw(rng, kind, n, _how(kind))
            results = [_with_init(operator, init, values[lo:hi])[-1] for lo, hi in zip(at, at[1:])]
            call.source(rng, x, values)
            call.sink(rng, y, len(at) - 1, np.array(results, dtype(kind)))
            return call
        values, moved = draw(rng, kind, n, rng.choice(["few", "any"])), draw(rng, other, n, "any")
        if "radix" not in name and is_float(kind):
            values[values != values] = np.inf
        keys = _digits(sort_order(kind, values), begin, end, falling)
        order = np.arange(n)
        for lo, hi in zip(at, at[1:]):
            order[lo:hi] = lo + np.argsort(keys[lo:hi], kind="stable")
        call.in_place(rng, y, values, values[order])
        if has_values:
            call.in_place(rng, v, moved, moved[order])
        return call
    return make


def batched_copy(c):
    kind, index = c.pick(TYPES), c.pick(["u32", "u64"])
    x, y = Source(c, "x", kind), Sink(c, "y", kind, room="r")
    c.algorithm(["r: u64", "m: u64"] + x.params + [f"{name}: in {index}[m]" for name in ("begins", "lengths", "places")] +
                y.params, f"{{ batched_copy({x.text}, begins, lengths, {y.text}, places); }}")
    mean = c.pick([1, 7, 300])

    def make(rng, n):
        m = int(rng.choice([0, 1, 3, 100, 2000])) if n else 0
        lengths = np.minimum(rng.integers(0, 2 * mean + 1, m), n)
        if m and rng.random() < 0.5:
            lengths[rng.integers(0, m)] = n
        begins = (rng.random(m) * (n - lengths + 1)).astype(np.int64)
        gaps = rng.integers(0, 3, m)
        starts = np.cumsum(lengths + gaps) - lengths
        room = int((lengths + gaps).sum()) + 2
        order = rng.permutation(m)
        values = draw(rng, kind, n, "any")
        call = Call({"r": room, "m": m})
        call.source(rng, x, values)
        for name, all_ in (("begins", begins), ("lengths", lengths), ("places", starts)):
            call.arrays[name] = all_[order].astype(dtype(index))
        before, _ = y.arrays(rng, room, np.zeros(0, dtype(kind)))
        place, after = y.places(room, before), before["y"].copy()
        picture = np.concatenate([np.arange(b, b + l) for b, l in zip(begins, lengths)]) if m else np.zeros(0, int)
        there = np.concatenate([np.arange(s, s + l) for s, l in zip(starts, lengths)]) if m else np.zeros(0, int)
        after[place[there.astype(int)]] = y.stored(values[picture.astype(int)])
        call.arrays.update(before)
        call.after = {"y": after}
        return call
    return make


def find(c):
    kind, name = c.pick(INTS + FLOATS), c.variant
    x, w = Source(c, "x", kind, how="nan"), Source(c, "w", kind, count="m", how="nan")
    if name in ("mismatch", "equal"):
        c.algorithm(["m: u64"] + x.params + w.params, f"= {name}({x.text}, {w.text})", "u64" if name == "mismatch" else "bool")
    elif name == "find_if":
        c.algorithm([f"s: {kind}"] + x.params, f"= find_if({x.text}, |v| v == s)", "u64")
    else:
        c.algorithm(x.params, f"= is_sorted({x.text}, {c.pick(['<', '|a, b| a < b'])})", "bool")

    def make(rng, n):
        values, call = draw(rng, kind, n, "few"), Call()
        if name in ("mismatch", "equal"):
            m = int(rng.choice([n, n, max(n - 1, 0), n + 1]))
            others = np.concatenate([values, values[:1] if n else draw(rng, kind, 1, "few")])[:m]
            m = len(others)
            if m and rng.random() < 0.5:
                others[rng.integers(0, m)] = dtype(kind).type(9)
            common = min(n, m)
            differ = np.flatnonzero(values[:common] != others[:common])
            at = int(differ[0]) if len(differ) else common
            call.scalars["m"] = m
            call.source(rng, w, others)
            call.result = str(at) if name == "mismatch" else str(int(n == m and at == n))
        elif name == "find_if":
            values = np.where(values == 3, 4, values).astype(dtype(kind))
            if n and rng.random() < 0.7:
                values[rng.integers(0, n)] = 3
            found = np.flatnonzero(values == 3)
            call.scalars["s"] = 3
            call.result = str(int(found[0]) if len(found) else n)
        else:
            values = np.sort(values)
            if n > 1 and rng.random() < 0.5:
                values[rng.integers(0, n)] = 5
            call.result = str(int((values[1:] >= values[:-1]).all()))
        call.source(rng, x, values)
        return call
    return make


def sorted_pair(c):
    """merge and the set operations, of values whose origin is visible in their second field."""
    name = c.variant
    pairs = c.pick([0, 1])
    kind = "(u32, u32)" if pairs else c.pick(INTS + FLOATS)
    falling = c.pick([0, 1])
    sign = ">" if falling else "<"
    key = "u32" if pairs else kind
    x, w = Source(c, "x", key, how="nan"), Source(c, "w", key, count="m", how="nan")
    y = Sink(c, "y", key, room="n + m")
    v = Sink(c, "v", "u32", room="n + m")
    less = f"|a, b| a[0] {sign} b[0]" if pairs else c.pick([sign, f"|a, b| a {sign} b"])
    to = f"zip({y.text}, {v.text})" if pairs else y.text
    a = f"zip({x.text}, count<u32>())" if pairs else x.text
    b = f"zip({w.text}, count<u32>(1000000))" if pairs else w.text
    text = f"{name}({a}, {b}, {to}, {less})"
    c.algorithm(["m: u64"] + x.params + w.params + y.params + (v.params if pairs else []),
                f"{{ {text}; }}" if name == "merge" else f"= {text}", None if name == "merge" else "u64")

    def make(rng, n):
        m = int(rng.choice([0, 1, n, n // 2, n + 77]))
        how = rng.choice(["few", "any"])
        parts = []
        for count in (n, m):
            drawn = draw(rng, key, count, how)
            if is_float(key):
                drawn[drawn != drawn] = np.inf
            order = sort_order(key, drawn)
            order = ~order if falling else order
            place = np.argsort(order, kind="stable")
            parts.append((drawn[place], order[place]))
        (xs, xk), (ws, wk) = parts
        values, keys = np.concatenate([xs, ws]), np.concatenate([xk, wk])
        origin = np.concatenate([np.arange(n), 1000000 + np.arange(m)]).astype(np.uint32)
        place = np.argsort(keys, kind="stable")
        if name != "merge":
            def rank(k):  # the number of an element among its equals
                return np.arange(len(k)) - np.searchsorted(k, k, side="left")

            def times(k, other):  # how often each element is in the other sequence
                return np.searchsorted(other, k, side="right") - np.searchsorted(other, k, side="left")
            both_x, both_w = rank(xk) < times(xk, wk), rank(wk) < times(wk, xk)
            keep_x = {"set_union": np.ones(n, bool), "set_intersection": both_x}.get(name, ~both_x)
            keep_w = np.zeros(m, bool) if name in ("set_intersection", "set_difference") else ~both_w
            place = place[np.concatenate([keep_x, keep_w])[place]]
        call = Call({"m": m}, result=None if name == "merge" else str(len(place)))
        call.source(rng, x, xs)
        call.source(rng, w, ws)
        call.sink(rng, y, n + m, values[place])
        if pairs:
            call.sink(rng, v, n + m, origin[place])
        return call
    return make


def search(c):
    kind, name = c.pick(INTS + ["f32", "f64"]), c.variant
    x, w, y = Source(c, "x", kind, how="nan"), Source(c, "w", kind, count="m", how="nan"), Sink(c, "y", "u64", room="m", exact=True)
    c.algorithm(["m: u64"] + x.params + w.params + y.params,
                f"{{ transform({w.text}, {y.text}, |a| {name}({x.text}, a)); }}")

    def make(rng, n):
        m = int(rng.choice([0, 1, 500, n]))
        xs, ws = np.sort(draw(rng, kind, n, "few")), draw(rng, kind, m, "few")
        call = Call({"m": m})
        call.source(rng, x, xs)
        call.source(rng, w, ws)
        side = "left" if name == "lower_bound" else "right"
        call.sink(rng, y, m, np.searchsorted(xs, ws, side=side).astype(np.uint64))
        return call
    return make


# Rows: the algorithms, the function that draws a call, its variants (by default the algorithms).
SETS = ("set_union", "set_intersection", "set_difference", "set_symmetric_difference")
ROWS = [
    (("reduce",), reduce, ("",)),
    (("argmin", "argmax", "argminmax"), extremes, None),
    (("inclusive_scan", "exclusive_scan"), scan, None),
    (("transform", "transform_if"), transform, None),
    (("fill", "generate"), stores, None),
    (("adjacent_difference",), difference, ("", "right")),
    (("histogram", "histogram_range", "histogram_by"), histogram, None),
    (("select", "select_flagged", "partition"), select,
     ("select", "select_flagged", "in place", "partition", "partition in three")),
    (("unique", "unique_by_key", "run_length_encode", "nontrivial_runs"), runs, None),
    (("reduce_by_key", "inclusive_scan_by_key", "exclusive_scan_by_key"), by_key, None),
    (("merge_sort",), merge_sort, ("", "to")),
    (("radix_sort",), radix_sort, ("keys", "pairs", "keys to", "pairs to", "by")),
    (("top_k",), top_k, ("keys", "pairs")),
    (("top_k",), top_k_rows, ("rows",)),
    (("segmented_reduce", "segmented_sort", "segmented_radix_sort"), segmented, None),
    (("inclusive_segmented_scan", "exclusive_segmented_scan"), segmented_scan, None),
    (("batched_copy",), batched_copy, ("",)),
    (("find_if", "mismatch", "equal", "is_sorted"), find, None),
    (("merge",) + SETS, sorted_pair, None),
    (("lower_bound", "upper_bound"), search, None),
]
PAIRS = [(function, variant) for names, function, variants in ROWS for variant in variants or names]
# for_each writes nothing but what its function writes: test/run/device-transform-if.ck.
NAMES = {name for names, _, _ in ROWS for name in names} | {"for_each"}
assert set(FLOATS) < set(TYPES)
