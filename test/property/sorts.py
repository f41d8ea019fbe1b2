# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sorts.py - sorting, ranking, searching and selecting the first items of an order."""
from configuration import THREADS
from elements import BYTES, INTS, ITEMS, KEYS, NUMBERS, ORDERED

MOST = 2048  # most items: the oracle uses insertion sort
VALUES = {"u8": "u8({})", "u32": "u32({}) * 3", "u64": "u64({}) << 30", "Matrix": "Matrix({0}, {0} + 1, 2, 3)"}
HOW = ["match", "match_early_counts_any", "basic", "memoize"]
SCANS = ["warp_scans", "raking", "raking_memoize"]
FIELDS = {"a": 8, "b": 32, "c": 8, "d": 16}  # fields of the struct Fields, and their bits


def _draw_values(c):
    """Draws the type of the values that move with the keys: none, or one of VALUES."""
    c.values = c.pick(list(VALUES)) if "pairs" in c.variant else None
    return BYTES[c.values] if c.values else 0


def _value(c, i):
    return VALUES[c.values].format(i)


def _read(c):
    n = c.items
    c.read_items()
    if c.values:
        c.call(f"var values: {c.values}[{n}];")
        c.call(f"for (k in 0..{n}u32) values[k] = {_value(c, f'(t * {n} + k)')};")


def _put(c, place, condition=""):
    """Stores the sorted items. place: the position of item k in the order of the block."""
    bits = "mixed(bits_of(r[k]), bits_of(s[k]))" if c.values else "bits_of(r[k])"
    c.call(f"for (k in 0..{c.items}u32) {{")
    c.call(f"    let i = {place};")
    c.call(f"    {f'if ({condition}) ' if condition else ''}put(y, i, {bits});")
    c.call("}")


def _say(c, less, count, shown):
    """Sorts the first `count` items of the group serially, and stores the first `shown`."""
    n = c.items
    c.say(f"var all: u32[{min(c.lanes, c.size) * n}];")
    c.say(f"for (i in 0..lanes * {n}) all[i] = base * {n} + i;")
    c.say(f"let count = {count};")
    c.say(f"sort_serial(all[0..count], |a, b| {less}({c.item('a')}, {c.item('b')}));")
    bits = f"bits_of({c.item('all[i]')})"
    bits = f"mixed({bits}, bits_of({_value(c, 'all[i]')}))" if c.values else bits
    c.say(f"for (i in 0..{shown}) put(y, base * {n} + i, {bits});")


def _result(c):
    return "(r, s)" if c.values else "r"


def _draw_window(c, bits):
    """Draws a range of the key's bits: (arguments, first bit, bit after the last one)."""
    if not c.chance(0.5, "a window of bits"):
        return [], 0, bits
    begin = c.pick([0, c.rng.randint(0, bits - 1)])
    end = c.pick([bits, c.rng.randint(begin, bits), c.rng.randint(begin, bits) + 1])
    words = [f"begin_bit = zero + {begin}"] if begin else []
    words += [f"end_bit = zero + {end}"] if end != bits else []
    return words, begin, min(end, bits)


def _draw_direction(c, default=False):
    """Draws the direction: (arguments, whether the largest come first)."""
    kind = c.pick(["", "true", "false", "zero == 0"])
    is_descending = default if not kind else kind != "false"
    c.aspects += ["descending"] if is_descending else []
    return [f"descending = {kind}"] if kind else [], is_descending


def _digits(value, begin, end):
    """Returns bits `begin` to `end` - 1 of a key."""
    mask = f" & {(1 << (end - begin)) - 1}u64" if end - begin < 64 else ""
    return f"(order_of({value}) >> {begin}{mask})"


def _place(c):
    if "striped" in c.variant:
        return f"t + k * {c.size}"
    return f"t * {c.items} + k"


def _draw_how(c):
    """Draws the words in <...>, and arguments for the way to rank. basic and memoize need a counter
    of 2 bytes for each thread and digit."""
    to = "striped" if "striped" in c.variant else ""
    how = c.pick(HOW) if c.chance(0.4, "how") else ""
    bits = c.rng.randint(1, 5 if how in ("basic", "memoize") else 8) if c.chance(0.3, "bits") else 0
    scan = c.pick(SCANS) if c.chance(0.2, "scan") else ""
    words = [f"bits = {bits}"] if bits else []
    words += [f"scan = {scan}"] if scan else []
    named = [to or "blocked", how] if how else [to] if to else []
    return f"<{', '.join(named)}>" if named else "", words


def radix(c):
    """radix_sort of keys, or of keys with values."""
    extra = _draw_values(c)
    c.draw_type(NUMBERS, KEYS)
    c.draw_shape(most_items=20, all_items=MOST, extra=extra)
    c.draw_few(0.3)
    words, begin, end = _draw_window(c, 8 * BYTES[c.type])
    direction, is_descending = _draw_direction(c)
    how, more = _draw_how(c)
    _read(c)
    words = ["v"] + (["values"] if c.values else []) + words + direction + more
    c.call(f"let {_result(c)} = block.radix_sort{how}({', '.join(words)});")
    _put(c, _place(c))
    sign = ">" if is_descending else "<"
    if end > begin:
        value = f"{_digits('p', begin, end)} {sign} {_digits('q', begin, end)}"
    else:
        value = "false"
    if c.type in INTS and begin == 0 and end == 8 * BYTES[c.type]:
        value = f"p {sign} q"
    c.helpers.append(f"fn l{c.seed}(p: {c.type}, q: {c.type}) -> bool = {value};")
    _say(c, f"l{c.seed}", f"{c.total}u32", "count")


def fields(c):
    """radix_sort of structs by some of their fields."""
    extra = _draw_values(c)
    c.draw_type(["Fields"])
    c.draw_shape(most_items=8, all_items=1024, extra=extra)
    names = [c.pick(list(FIELDS)) for _ in range(c.pick([1, 1, 2, 2, 3, 4, 8]))]
    listed = ", ".join(f"p.{name}" for name in names)
    by = listed if len(names) == 1 else f"({listed})"
    if len(names) == 2 and c.chance(0.3, "an array"):
        names, by = ["d", "a"], "[i32(p.d), i32(p.a)]"
        widths = [32, 32]
    else:
        widths = [FIELDS[name] for name in names]
    words, begin, end = _draw_window(c, sum(widths))
    direction, is_descending = _draw_direction(c)
    how, more = _draw_how(c)
    _read(c)
    words = ["v"] + (["values"] if c.values else []) + [f"by = |p| {by}"] + words + direction + more
    c.call(f"let {_result(c)} = block.radix_sort{how}({', '.join(words)});")
    _put(c, _place(c))
    sign, low = ">" if is_descending else "<", sum(widths)
    c.helpers.append(f"fn l{c.seed}(p: Fields, q: Fields) -> bool {{")
    for name, width in zip(names, widths):
        low -= width
        first, last = (min(max(bit - low, 0), width) for bit in (begin, end))
        if last > first:
            like = "i32({}." + name + ")" if "an array" in c.aspects else "{}." + name
            a, b = _digits(like.format("p"), first, last), _digits(like.format("q"), first, last)
            c.helpers.append(f"    if ({a} != {b}) return {a} {sign} {b};")
    c.helpers += ["    return false;", "}"]
    _say(c, f"l{c.seed}", f"{c.total}u32", "count")


def rank(c):
    """radix_rank and radix_rank_prefix: warp-striped items in and out; with counters, blocked."""
    is_blocked = c.variant in ("basic", "memoize")
    bits = c.rng.randint(1, 5 if is_blocked else 8)
    c.draw_type(["u32"])
    c.made = f"u32(w) & {(1 << bits) - 1}"
    c.draw_shape(most_items=16, all_items=MOST)
    c.draw_few(0.2)
    n, has_prefix = c.items, c.row.method == "radix_rank_prefix"
    has_counts = has_prefix and c.chance(0.5, "counts")
    direction, is_descending = _draw_direction(c)
    scan = [f"scan = {c.pick(SCANS)}"] if c.chance(0.2, "scan") else []
    c.read_items()
    sign, bins = ">" if is_descending else "<", 1 << bits
    each = -(-bins // c.size)
    counts = [f"counts = |c| told{c.seed}(told, c)"] if has_counts else []
    if has_counts:
        c.call(f"shared told: u32[{each * c.size}];")
        c.helpers += [f"fn told{c.seed}(told: inout u32[], c: u32[{each}]) {{",
                      f"    for (j in 0..{each}u32) told[thread.rank * {each} + j] = c[j];", "}"]
    words = ", ".join(["v"] + counts + direction + scan)
    how = f"{bits}, {c.variant}" if c.variant else str(bits)
    c.call(f"let {'(r, prefix)' if has_prefix else 'r'} = block.{c.row.method}<{how}>({words});")
    c.put_items()
    c.say(f"var all: u32[{c.total}];")
    if is_blocked:
        c.say(f"for (i in 0..{c.total}u32) all[i] = i;")
    else:
        c.say("var place = 0u32;")
        c.say(f"for (first in (0u32..{c.size}).step(32)) for (k in 0..{n}u32) {{")
        c.say(f"    for (t in first..min(first + 32, {c.size})) {{")
        c.say(f"        all[place] = t * {n} + k;")
        c.say("        place += 1;")
        c.say("    }")
        c.say("}")
    c.say(f"sort_serial(all, |a, b| {c.item('a')} {sign} {c.item('b')});")
    c.say(f"for (i in 0..{c.total}u32) put(y, all[i], u64(i));")
    if has_prefix:
        told = "mixed(u64(prefix[j]), u64(told[digit]))" if has_counts else "u64(prefix[j])"
        c.call(f"for (j in 0..{each}u32) {{")
        c.call(f"    let digit = t * {each} + j;")
        c.call(f"    if (digit < {bins}) put(y, {THREADS} + digit, {told});")
        c.call("}")
        c.say(f"for (digit in 0..{bins}u32) {{")
        c.say("    var before = 0u32;")
        c.say("    var told = 0u32;")
        c.say(f"    for (i in 0..{c.total}u32) {{")
        c.say(f"        before += u32({c.item('i')} {sign} digit);")
        c.say(f"        told += u32({c.item('i')} == digit);")
        c.say("    }")
        told = "mixed(u64(before), u64(told))" if has_counts else "u64(before)"
        c.say(f"    put(y, {THREADS} + digit, {told});")
        c.say("}")


def top(c):
    """top_k: the first items of an order."""
    extra, is_block = _draw_values(c), c.group.kind == "block"
    c.draw_type(NUMBERS, KEYS)
    c.draw_shape(most_items=12, all_items=MOST, extra=extra)
    c.draw_few(0.3)
    n, most = c.items, c.lanes * c.items
    k = c.pick([1, most, c.rng.randint(1, min(most, 12)), c.rng.randint(1, most)])
    each = -(-k // c.lanes)
    has_valid = c.draw_valid(0)
    direction, is_descending = _draw_direction(c, True)
    _read(c)
    words = ["v"] + (["values"] if c.values else []) + [str(k)] + direction
    words += ["valid = n"] if has_valid else []
    c.call(f"let {_result(c)} = {c.group.text}.top_k({', '.join(words)});")
    if is_block:
        c.call(f"let lanes = {c.size}u32;")
    there = f"min({k}, min({'n' if has_valid else most}, lanes * {n}))"
    bits = "mixed(bits_of(r[k]), bits_of(s[k]))" if c.values else "bits_of(r[k])"
    c.call(f"for (k in 0..{each}u32) {{")
    c.call(f"    let i = (t - base) * {each} + k;")
    c.call(f"    if (i < {there}) put(y, base * {n} + i, {bits});")
    c.call("}")
    sign = ">" if is_descending else "<"
    c.helpers.append(f"fn l{c.seed}(p: {c.type}, q: {c.type}) -> bool = order_of(p) {sign} order_of(q);")
    _say(c, f"l{c.seed}", f"min({'n' if has_valid else most}, lanes * {n})",
         f"min(min({k}, lanes * {each}), count)")


# text in the call, text in the oracle with p and q, types
STRUCTS = ["Affine", "Odd", "Holes", "Matrix"]
ORDERS = [
    ("<", "p < q", NUMBERS), (">", "p > q", NUMBERS), ("before", "before(p, q)", STRUCTS),
    ("|a, b| before(b, a)", "before(q, p)", STRUCTS),
]
WEAK = [
    ("|a, b| (a & 3) < (b & 3)", "(p & 3) < (q & 3)", INTS),
    ("|a, b| (a.b & 7) > (b.b & 7)", "(p.b & 7) > (q.b & 7)", STRUCTS),
    ("|a, b| false", "false", NUMBERS + STRUCTS),
]


def _draw_order(c, orders, made):
    text, value, types = c.pick(orders)
    c.draw_type(types, made)
    return text, f"fn l{c.seed}(p: {c.type}, q: {c.type}) -> bool = {value};"


def merge(c):
    """merge_sort: stable, with any order."""
    extra = _draw_values(c)
    text, less = _draw_order(c, ORDERS + WEAK, ORDERED)
    c.draw_shape(most_items=9, all_items=MOST, extra=extra + 4)
    c.draw_few(0.3)
    has_valid = c.draw_valid(0)
    _read(c)
    words = ["v"] + (["values"] if c.values else []) + [text] + (["valid = n"] if has_valid else [])
    c.call(f"let {_result(c)} = {c.group.text}.merge_sort({', '.join(words)});")
    most = f"lanes * {c.items}"
    _put(c, f"t * {c.items} + k", f"i - base * {c.items} < n" if has_valid else "")
    c.helpers.append(less)
    _say(c, f"l{c.seed}", f"min(n, {most})" if has_valid else most, "count")


def search(c):
    """lower_bound and upper_bound: for any value, in a sorted tile."""
    c.values = None
    text, less = _draw_order(c, ORDERS, ORDERED)
    c.draw_shape(most_items=16, all_items=MOST)
    c.draw_few(0.5)
    n = c.items
    c.read_items()
    c.call(f"shared tile: {c.type}[{c.total}];")
    c.call(f"block.store(tile[0..{c.total}], 0, block.merge_sort(v, {text}));")
    c.call("block.sync();")
    least = c.pick([0, c.total // 3])
    order = "" if text == "<" else f", {text}"
    c.call(f"for (k in 0..{n}u32) {{")
    c.call(f"    let at = {c.row.method}(tile[zero + {least}..{c.total}], {c.item(f'9000 + t * {n} + k')}{order});")
    c.call(f"    put(y, t * {n} + k, u64(at));")
    c.call("}")
    c.call("block.sync();")
    c.helpers.append(less)
    l = f"l{c.seed}"
    c.say(f"var all: u32[{c.total}];")
    c.say(f"for (i in 0..{c.total}u32) all[i] = i;")
    c.say(f"sort_serial(all, |a, b| {l}({c.item('a')}, {c.item('b')}));")
    c.say(f"for (i in 0..{c.total}u32) {{")
    c.say(f"    let v = {c.item('9000 + i')};")
    c.say("    var before = 0u32;")
    before = f"!{l}(v, {c.item('all[j]')})" if c.row.method == "upper_bound" else f"{l}({c.item('all[j]')}, v)"
    c.say(f"    for (j in {least}..{c.total}u32) before += u32({before});")
    c.say("    put(y, i, u64(before));")
    c.say("}")


def bitonic(c):
    """bitonic_sort, which is not stable: items that compare as equal are identical here."""
    c.values = None
    text, less = _draw_order(c, ORDERS, ITEMS)
    c.draw_shape(most_items=16, powers=True, scalar=True, all_items=MOST)
    c.draw_few(0.3)
    c.read_items()
    c.call(f"let r = {c.group.text}.bitonic_sort(v, {text});")
    c.put_items()
    c.helpers.append(less)
    _say(c, f"l{c.seed}", f"lanes * {c.items}", "count")
