# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""folds.py - reductions and scans."""
from configuration import THREADS
from elements import INTS, NUMBERS, OPERATORS


SIGNS = {"sum": "+", "and": "&", "or": "|", "xor": "^"}
ATOMIC = ("+", "min", "max", "&", "|", "^")  # operators on numbers with an atomic instruction


def _word(c):
    return f"<{c.variant}>" if c.variant else ""


def _draw(c):
    if c.variant == "warp_reductions_nondeterministic":
        c.draw_operator(commutes=True, only=ATOMIC)
    else:
        c.draw_operator(commutes=c.variant == "raking_commutative_only")
    c.draw_shape(scalar=True)
    return c.draw_valid(1)


def _count(c, has_valid):
    most = f"lanes * {c.items}"
    return f"min(n, {most})" if has_valid else most


def fold(c):
    """reduce: all threads of the group get the result."""
    has_valid = _draw(c)
    c.read_items()
    valid = ", valid = n" if has_valid else ""
    c.call(f"let r = {c.group.text}.reduce{_word(c)}(v, {c.op.text}{valid});")
    c.put_all()
    c.fold("r", _count(c, has_valid))
    c.say_all()


def to_one(c):
    """reduce_to: one thread gets the result."""
    has_valid = _draw(c)
    rank = c.pick([c.rng.randrange(c.size), c.size - 1])
    c.read_items()
    valid = ", valid = n" if has_valid else ""
    c.call(f"let r = block.reduce_to{_word(c)}(zero + {rank}, v, {c.op.text}{valid});")
    c.call(f"if (t == {rank}) put(y, {THREADS} + t, bits_of(r));")
    c.fold("r", _count(c, has_valid))
    c.say(f"put(y, {THREADS + rank}, bits_of(r));")


def votes(c):
    """sum, min and max of numbers in a warp; and, or and xor of integers."""
    is_bits = c.row.method == "and"
    name = c.pick(["and", "or", "xor"]) if is_bits else c.row.method
    c.draw_type(INTS if is_bits else NUMBERS)
    c.op = next(op for op in OPERATORS if op.name == SIGNS.get(name, name))
    c.draw_shape(most_items=1)
    c.is_scalar = True
    has_valid = not is_bits and c.draw_valid(1)
    c.read_items()
    c.call(f"let r = {c.group.text}.{name}(v{', valid = n' if has_valid else ''});")
    c.put_all()
    c.fold("r", _count(c, has_valid))
    c.say_all()


def batched(c):
    """reduce_batched: one result for each item of a thread."""
    is_block = c.group.kind == "block"
    c.draw_operator()
    c.draw_shape(most_items=12 if is_block else 40 if c.variant else min(c.group.lanes, 12))
    n = c.items
    c.read_items()
    c.call(f"let r = {c.group.text}.reduce_batched{_word(c)}(v, {c.op.text});")
    c.say(f"for (k in 0..{n}u32) {{")
    c.say(f"    var r = {c.item(f'base * {n} + k')};")
    c.say(f"    for (l in 1..lanes) r = {c.op.of('r', c.item(f'(base + l) * {n} + k'))};")
    if is_block:
        c.call(f"for (k in 0..{n}u32) {{")
        c.call(f"    put(y, {THREADS} + t, bits_of(r[k]));")
        c.call("}")
        c.say(f"    for (l in 0..lanes) put(y, {THREADS} + base + l, bits_of(r));")
    elif c.variant:  # the position of a result is that of an item: base * n + k
        each = -(-n // c.group.lanes)
        place = f"j * {c.group.lanes} + l" if c.variant == "striped" else f"l * {each} + j"
        c.call(f"for (j in 0..{each}u32) {{")
        c.call("    let l = t - base;")
        c.call(f"    let k = {place};")
        c.call(f"    if (k < {n}) put(y, base * {n} + k, bits_of(r[j]));")
        c.call("}")
        inside = f"k % {c.group.lanes}" if c.variant == "striped" else f"k / {each}"
        c.say(f"    if ({inside} < lanes) put(y, base * {n} + k, bits_of(r));")
    else:
        c.call(f"if (t - base < {n}) put(y, {THREADS} + t, bits_of(r));")
        c.say(f"    if (k < lanes) put(y, {THREADS} + base + k, bits_of(r));")
    c.say("}")


def scan(c):
    """inclusive_scan, exclusive_scan, each with its total."""
    method, is_block = c.row.method, c.group.kind == "block"
    is_inclusive, has_total = method.startswith("inclusive"), method.endswith("total")
    c.draw_operator()
    c.draw_shape(scalar=True)
    n = c.items
    start = c.pick(["", "init", "prefix"] if is_block and not has_total else ["", "init"])
    c.aspects += [start] if start else []
    has_valid = not is_block and c.draw_valid(1)
    c.read_items()
    words = [c.op.text]
    if start == "init":
        words.append(f"init = {c.item('9001')}")
    if start == "prefix":
        c.call(f"let outside = {c.item('9001')};")
        words.append(f"prefix = |s| {c.op.of('s', 'outside')}")
    words += ["valid = n"] if has_valid else []
    c.call(f"let {'(r, total)' if has_total else 'r'} = {c.group.text}.{method}{_word(c)}(v, {', '.join(words)});")
    c.put_items("r", "i < n" if has_valid else "")
    count = _count(c, has_valid)
    if start == "prefix" or has_total:
        c.fold("total", count)
    if has_total:
        c.put_all("bits_of(total)")
        c.say_all("bits_of(total)")
    c.say(f"var upto: {c.type};")
    if start:
        c.say(f"upto = {c.item('9001')};")
    if start == "prefix":
        c.say(f"upto = {c.op.of('total', 'upto')};")
    c.say(f"for (i in 0..{count}) {{")
    c.say(f"    let v = {c.item(f'base * {n} + i')};")
    c.say("    let old = upto;")
    joined = c.op.of("old", "v")
    c.say(f"    upto = {joined};" if start else f"    upto = i > 0 ? {joined} : v;")
    c.say(f"    put(y, base * {n} + i, bits_of({'upto' if is_inclusive else 'old'}));")
    c.say("}")


def _flag(c, i):
    """Whether a segment starts at, or ends with, item i."""
    return f"flag(x, from + {i}, {c.rare})"


def _draw_segments(c, **shape):
    c.draw_operator()
    c.draw_shape(**shape)
    c.rare = c.pick([0, 1, 3, 7, 31, (1 << 40) - 1])  # how rare segment starts are


def _read_flags(c, name):
    n = c.items
    if c.is_scalar:
        c.call(f"let {name} = {_flag(c, 't')};")
        return
    c.call(f"var {name}: bool[{n}];")
    c.call(f"for (k in 0..{n}u32) {name}[k] = {_flag(c, f't * {n} + k')};")


def segmented_scan(c):
    """segmented_inclusive_scan, segmented_exclusive_scan."""
    is_block, method = c.group.kind == "block", c.row.method
    if is_block:
        _draw_segments(c, scalar=True)
    else:
        _draw_segments(c, most_items=1)
        c.is_scalar = True
    n = c.items
    has_init = c.chance(0.5, "init")
    c.read_items()
    _read_flags(c, "heads")
    init = f", init = {c.item('9001')}" if has_init else ""
    c.call(f"let r = {c.group.text}.{method}{_word(c)}(v, heads, {c.op.text}{init});")
    c.put_items()
    c.say(f"var upto: {c.type};")
    c.say(f"for (i in 0..lanes * {n}) {{")
    c.say(f"    let v = {c.item(f'base * {n} + i')};")
    c.say(f"    let starts = i == 0 || {_flag(c, f'base * {n} + i')};")
    if has_init:
        c.say(f"    if (starts) upto = {c.item('9001')};")
        c.say("    let old = upto;")
        c.say(f"    upto = {c.op.of('old', 'v')};")
    else:
        c.say(f"    var old: {c.type};")
        c.say("    if (!starts) old = upto;")
        c.say(f"    upto = starts ? v : {c.op.of('old', 'v')};")
    result = "upto" if "inclusive" in method else "old"
    c.say(f"    put(y, base * {n} + i, bits_of({result}));")
    c.say("}")


def segmented_reduce(c):
    """segmented_reduce of the block: the result is at the first item of a segment, elsewhere zero.
    """
    _draw_segments(c, scalar=True)
    n = c.items
    c.read_items()
    _read_flags(c, "heads")
    c.call(f"let r = block.segmented_reduce{_word(c)}(v, heads, {c.op.text});")
    c.put_items()
    _say_segments(c, _flag(c, "j"))
    c.say(f"    var nothing: {c.type};")
    c.say(f"    put(y, i, bits_of(i == 0 || {_flag(c, 'i')} ? r : nothing));")
    c.say("}")


def _say_segments(c, ends):
    """r: from item i and the items after it in its segment; ends: whether item j after it belongs
    to another segment."""
    c.say(f"for (i in base * {c.items}..(base + lanes) * {c.items}) {{")
    c.say(f"    var r = {c.item('i')};")
    c.say("    var j = i + 1;")
    c.say(f"    while (j < (base + lanes) * {c.items} && !({ends})) {{")
    c.say(f"        r = {c.op.of('r', c.item('j'))};")
    c.say("        j += 1;")
    c.say("    }")


def segmented_lanes(c):
    """segmented_reduce of a warp: each lane gets f of its value and the later ones of its segment.
    """
    _draw_segments(c, most_items=1)
    c.is_scalar = True
    c.read_items()
    _read_flags(c, c.variant)
    flags = {"heads": f"v, heads, {c.op.text}", "tails": f"v, {c.op.text}, tails = tails"}[c.variant]
    c.call(f"let r = {c.group.text}.segmented_reduce({flags});")
    c.put_items()
    _say_segments(c, _flag(c, "j" if c.variant == "heads" else "j - 1"))
    c.say("    put(y, i, bits_of(r));")
    c.say("}")
