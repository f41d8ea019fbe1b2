# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""moves.py - loads, stores, exchanges; shuffles; compaction and expansion of items."""
from configuration import BINS, SPAN, SPANS, THREADS
from elements import BYTES, INTS, NUMBERS, TYPES

# A prime above the number of items of a group: i * FAR is a different position for each i.
FAR = 7919


def _place(c, is_striped, l="l", k="k"):
    """Returns the position of item k of lane l among the items of the group."""
    return f"({l} + {k} * lanes)" if is_striped else f"({l} * {c.items} + {k})"


def _each(c, *lines):
    """Loops over the items of the group."""
    c.say(f"for (l in 0..lanes) for (k in 0..{c.items}u32) {{")
    for line in lines:
        c.say("    " + line)
    c.say("}")


def _draw_span(c, types=SPANS):
    """Draws a part of a span, and where the tile starts in it: the tile may reach beyond its end,
    or start there."""
    c.draw_type(types)
    c.draw_shape(powers=c.chance(0.3))
    low = c.pick([0, 0, c.rng.randint(0, 40)])
    c.length = c.pick([SPAN - low, min(SPAN - low, c.total), c.rng.randint(0, SPAN - low)])
    c.start = c.pick([0, 16, c.rng.randint(0, 64), c.rng.randint(0, c.length)])
    c.low = low
    group = f" + GROUP * {c.lanes * c.items}" if c.group.kind != "block" else ""
    first = f"zero + {c.start}{group}"
    return c.pick([first, f"u64({first})", f"i32({first})"])


def _set_lanes(c, how):
    """Lets the oracle run warp by warp for warp-striped arrangements."""
    if how == "warp_striped":
        c.lanes = 32


def _element(c):
    """Returns the element for item k of lane l: counted from the block's start, warp by warp."""
    is_striped = "striped" in c.variant
    group = f"base * {c.items} + " if c.group.kind == "block" else f"GROUP * {c.lanes * c.items} + "
    return f"{c.start} + {group}{_place(c, is_striped)}"


def load(c):
    """load: from a span or an iterator."""
    first = _draw_span(c)
    n, how = c.items, f"<{c.variant}>" if c.variant else ""
    has_valid = c.group.kind == "block" and c.draw_valid(0)
    is_endless = c.type in INTS and c.chance(0.1, "of an iterator")
    c.params = [f"in_{c.type}: in {c.type}[{SPAN}]"]
    words = [f"it, {first}, {n}"]
    default, is_literal = "nothing", False
    if c.chance(0.5, "default"):
        is_literal = c.type in INTS and c.rng.random() < 0.5
        default = "3" if is_literal else f"in_{c.type}[7]"
        words.append(f"default = {default}")
    words += ["valid = n"] if has_valid else []
    span = f"in_{c.type}[zero + {c.low}..zero + {c.low + c.length}]"
    c.call(f"let it = count<{c.type}>({c.type}(from));" if is_endless else f"let it = {span};")
    c.call(f"let r = {c.group.text}.load{how}({', '.join(words)});")
    c.put_items()
    _set_lanes(c, c.variant)
    inside = [] if is_endless else [f"e < {c.length}"]
    inside += [f"e < {c.start} + n"] if has_valid else []
    there = f"{c.type}(from + e)" if is_endless else f"in_{c.type}[{c.low} + e]"
    c.say(f"var nothing: {c.type};")
    default = f"{c.type}(3)" if is_literal else default
    _each(c, f"let e = {_element(c)};", f"var r = {default};",
          f"if ({' && '.join(inside) or 'true'}) r = {there};",
          f"put(y, (base + l) * {n} + k, bits_of(r));")


def prefetch(c):
    """prefetch: changes nothing, whatever address it gets."""
    first = _draw_span(c)
    c.params = [f"in_{c.type}: in {c.type}[{SPAN}]"]
    c.call(f"let it = in_{c.type}[zero + {c.low}..zero + {c.low + c.length}];")
    c.call(f"block.prefetch(it, {first}, zero + {c.pick([0, 1, c.total, SPAN])});")
    c.call(f"let r = block.load(it, {first}, {c.items});")
    c.put_items()
    _each(c, f"let e = {_element(c)};", f"var r: {c.type};",
          f"if (e < {c.length}) r = in_{c.type}[{c.low} + e];",
          f"put(y, (base + l) * {c.items} + k, bits_of(r));")


COPIED = [name for name in SPANS if 16 % BYTES[name] == 0]


def copy(c):
    """memcpy_async: copies a part of a span to a part of a tile, with or without a barrier of its
    own."""
    first = _draw_span(c, COPIED)
    c.params = [f"in_{c.type}: in {c.type}[{SPAN}]"]
    offset = c.pick([0, 0, 16, c.rng.randint(0, min(40, c.total))])
    count = c.pick([c.total, c.rng.randint(0, c.total)])
    c.call(f"shared tile: {c.type}[{offset + c.total}];")
    c.call(f"let it = in_{c.type}[zero + {c.low}..zero + {c.low + c.length}];")
    c.call(f"var one: {c.type};")
    c.call(f"one = in_{c.type}[7];")
    c.call(f"for (i in block.stride({offset + c.total}u32)) tile[i] = one;")
    words = f"tile[{offset}..{offset + count}], it, u64({first}), zero + {count}"
    if c.variant == "barrier":
        c.call("shared bar: barrier;")
        c.call("block.init(address(bar));")
        c.call(f"block.memcpy_async({words}, address(bar));")
        c.call("block.wait(address(bar));")
    else:
        c.call("block.sync();")
        c.call(f"block.memcpy_async({words});")
        c.call("pipeline.wait();")
        c.call("block.sync();")
    c.call(f"for (i in block.stride({c.total}u32)) put(y, i, bits_of(tile[{offset} + i]));")
    c.call("block.sync();")
    c.say(f"for (i in 0..{c.total}u32) {{")
    c.say(f"    var r: {c.type};")
    c.say(f"    if (i >= {count}) r = in_{c.type}[7];")
    c.say(f"    else if ({c.start} + i < {c.length}) r = in_{c.type}[{c.low} + {c.start} + i];")
    c.say("    put(y, i, bits_of(r));")
    c.say("}")


def wide(c):
    """thread.store and thread.load: eight runs of items in a shared tile, with the swizzle or without."""
    c.draw_type([name for name in SPANS if name in NUMBERS])
    c.draw_shape(most_items=1)
    each, runs, is_swizzled = 16 // BYTES[c.type], 8, c.variant == "swizzle"
    rows = c.pick([1, 2, 4, 8] if is_swizzled else [1, 2, 3, 4, 5, 8])
    items, word = each * rows, f"swizzle = {'true' if is_swizzled else 'false'}"
    place = f"thread.swizzled<{rows}>(i / {each})" if is_swizzled else f"i / {each}"
    c.params = [f"in_{c.type}: in {c.type}[{SPAN}]"]
    c.call(f"shared tile: {c.type}[{runs * items}];")
    c.call(f"for (r in (thread.rank..{runs}u32).step(block.size)) {{")
    c.call(f"    var v: {c.type}[{items}];")
    c.call(f"    for (k in 0..{items}u32) v[k] = in_{c.type}[r * {items} + k];")
    c.call(f"    thread.store(tile, r, v, {word});")
    c.call("}")
    c.call("block.sync();")
    c.call(f"for (r in (thread.rank..{runs}u32).step(block.size)) {{")
    c.call(f"    let v = thread.load<{items}>(tile, {runs - 1} - r, {word});")
    c.call(f"    for (k in 0..{items}u32) put(y, r * {items} + k, bits_of(v[k]));")
    c.call("}")
    c.call(f"for (i in block.stride({runs * items}u32)) "
           f"put(y, {runs * items} + i, bits_of(tile[{place} * {each} + i % {each}]));")
    c.call("block.sync();")
    c.say(f"for (i in 0..{runs * items}u32) {{")
    c.say(f"    put(y, i, bits_of(in_{c.type}[({runs - 1} - i / {items}) * {items} + i % {items}]));")
    c.say(f"    put(y, {runs * items} + i, bits_of(in_{c.type}[i]));")
    c.say("}")


def copy_rows(c):
    """memcpy_async of a tile of two extents."""
    c.draw_type(COPIED)
    c.draw_shape(most_items=1)
    height, width = c.pick([1, 3, 8]), c.pick([1, 5, 16, 32])
    wide = c.pick([48, 64, 36, 9])  # columns of the span: all divide SPAN
    rows = SPAN // wide
    row, column = c.rng.randint(0, rows + 2), c.pick([0, 16, 32, c.rng.randint(0, wide + 2)])
    c.params = [f"in_{c.type}: in {c.type}[{rows}, {wide}]"]
    c.call(f"shared tile: {c.type}[{height}, {width}];")
    c.call(f"block.memcpy_async(tile, in_{c.type}, u64(zero + {row}), u64(zero + {column}));")
    c.call("pipeline.wait();")
    c.call("block.sync();")
    c.call(f"for (i in block.stride({height * width}u32)) put(y, i, bits_of(tile[i / {width}, i % {width}]));")
    c.call("block.sync();")
    c.say(f"for (i in 0..{height * width}u32) {{")
    c.say(f"    let (p, q) = ({row} + i / {width}, {column} + i % {width});")
    c.say(f"    var r: {c.type};")
    c.say(f"    if (p < {rows} && q < {wide}) r = in_{c.type}[p, q];")
    c.say("    put(y, i, bits_of(r));")
    c.say("}")


def store(c):
    """store: and no other element is written."""
    first = _draw_span(c)
    n, how = c.items, f"<{c.variant}>" if c.variant else ""
    has_valid = c.group.kind == "block" and c.draw_valid(0)
    c.params = [f"out_{c.type}: inout {c.type}[{SPAN}]"]
    c.read_items()
    c.call(f"let it = out_{c.type}[zero + {c.low}..zero + {c.low + c.length}];")
    c.call(f"{c.group.text}.store{how}(it, {first}, v{', valid = n' if has_valid else ''});")
    c.call("block.sync();")
    c.call(f"for (i in block.stride({SPAN}u32)) put(y, i, bits_of(out_{c.type}[i]));")
    c.call("block.sync();")
    _set_lanes(c, c.variant)
    inside = f"e < {c.length}" + (f" && e < {c.start} + n" if has_valid else "")
    _each(c, f"let e = {_element(c)};",
          f"if ({inside}) out_{c.type}[{c.low} + e] = {c.item(f'(base + l) * {n} + k')};")
    c.say(f"if (base + lanes == {c.size}) {{")
    c.say(f"    for (i in 0..{SPAN}u32) put(y, i, bits_of(out_{c.type}[i]));")
    c.say("}")


def exchange(c):
    """From one arrangement to another."""
    c.draw_type(TYPES)
    how, _, way = c.variant.partition(" ")
    if way == "by shuffle":
        c.draw_shape(most_items=c.group.lanes, powers=True, whole=c.group.lanes)
    else:
        c.draw_shape()
    n = c.items
    words = ", timesliced = true" if c.group.kind == "block" and c.chance(0.3, "timesliced") else ""
    words = {"by shuffle": ", shuffle = true", "by memory": ", shuffle = false"}.get(way, words)
    c.read_items()
    c.call(f"let r = {c.group.text}.exchange<{how}>(v{words});")
    c.put_items()
    given, _, wanted = how.partition("_to_")
    _set_lanes(c, "warp_striped" if "warp" in c.variant else "")
    c.say(f"var at: u32[{min(c.lanes, c.size) * n}];")
    _each(c, f"at[{_place(c, 'striped' in given)}] = (base + l) * {n} + k;")
    place = f"at[{_place(c, 'striped' in wanted)}]"
    _each(c, f"put(y, (base + l) * {n} + k, bits_of({c.item(place)}));")


def scatter(c):
    """To given ranks: all positions, or some of them."""
    c.draw_type(TYPES)
    c.draw_shape()
    n, is_block = c.items, c.group.kind == "block"
    kind = c.pick(["all", "valid", "negative"] if is_block else ["all", "valid"])
    c.aspects.append(kind)
    sliced = ", timesliced = true" if is_block and c.chance(0.3, "timesliced") else ""
    rare, shift = c.pick([0, 1, 1, 7, (1 << 40) - 1]), c.rng.randrange(5000)
    rank = f"({{}} * {FAR} + {shift}) % (lanes * {n})"
    is_there = f"flag(x, from + {{}}, {rare})"
    if is_block:
        c.call(f"let lanes = {c.size}u32;")
    c.read_items()
    c.call(f"var ranks: {'i32' if kind == 'negative' else 'u32'}[{n}];")
    c.call(f"var valid: bool[{n}];")
    c.call(f"shared got: bool[{c.total}];")
    c.call(f"for (k in 0..{n}u32) got[t * {n} + k] = false;")
    c.call("block.sync();")
    c.call(f"for (k in 0..{n}u32) {{")
    c.call(f"    let i = (t - base) * {n} + k;")
    c.call("    valid[k] = " + ("true;" if kind == "all" else is_there.format(f"base * {n} + i") + ";"))
    number = rank.format("i")
    c.call(f"    ranks[k] = " + (f"valid[k] ? i32({number}) : -1 - i32(i);" if kind == "negative" else f"{number};"))
    c.call(f"    if (valid[k]) got[base * {n} + {number}] = true;")
    c.call("}")
    c.call("block.sync();")
    flags = ", valid = valid" if kind == "valid" else ""
    c.call(f"let r = {c.group.text}.exchange<{c.variant}>(v, ranks{flags}{sliced});")
    is_striped = "striped" in c.variant
    c.call(f"for (k in 0..{n}u32) {{")
    c.call(f"    let is_there = got[base * {n} + {_place(c, is_striped, '(t - base)')}];")
    c.call(f"    if (is_there) put(y, t * {n} + k, bits_of(r[k]));")
    c.call("}")
    c.call("block.sync();")
    c.say(f"var at: u32[{min(c.lanes, c.size) * n}];")
    c.say(f"for (i in 0..lanes * {n}) {{")
    test = f"if ({is_there.format(f'base * {n} + i')}) " if kind != "all" else ""
    c.say(f"    {test}at[{rank.format('i')}] = base * {n} + i + 1;")
    c.say("}")
    _each(c, f"let i = at[{_place(c, is_striped)}];",
          f"if (i > 0) put(y, (base + l) * {n} + k, bits_of({c.item('i - 1')}));")


# ---- lanes ----


def shuffle_lanes(c):
    """shuffle, shuffle_up, shuffle_down, shuffle_xor, broadcast."""
    most = c.group.lanes
    c.draw_type(TYPES)
    c.draw_shape(most_items=1)
    c.is_scalar = True
    how = c.pick(["shuffle", "shuffle_up", "shuffle_down", "shuffle_xor", "broadcast"])
    c.aspects.append(how)
    d, far = c.rng.randrange(min(most, 31) + 1), c.rng.randrange(5000)
    if how == "shuffle_xor":
        d %= most
    given, lane = {
        "shuffle": (f"(t * {FAR} + {far}) % 67", f"((base + l) * {FAR} + {far}) % 67 % {most}"),
        "shuffle_up": (f"zero + {d}", f"l >= {d} ? l - {d} : l"),
        "shuffle_down": (f"zero + {d}", f"l + {d}"),
        "shuffle_xor": (f"zero + {d}", f"l ^ {d}"),
        "broadcast": (f"min({d}, lanes - 1)", f"min({d}, lanes - 1)"),
    }[how]
    c.read_items()
    c.call(f"let r = {c.group.text}.{how}(v, {given});")
    c.put_items()
    c.say("for (l in 0..lanes) {")
    c.say(f"    let other = {lane};")
    c.say(f"    put(y, base + l, bits_of({c.item('base + (other < lanes ? other : l)')}));")
    c.say("}")


def flag_lanes(c):
    """any, all, ballot, match_any, match_all."""
    how = c.pick(["any", "all", "ballot", "match_any", "match_all"])
    c.aspects.append(how)
    c.draw_type(NUMBERS + ["bool"])
    c.draw_shape(most_items=1)
    c.draw_few(0.8)
    c.is_scalar = True
    rare = c.pick([0, 1, 31, (1 << 40) - 1])
    is_match = how.startswith("match")
    c.read_items()
    given = "v" if is_match else f"flag(x, from + t, {rare})"
    c.call(f"let r = {c.group.text}.{how}({given});")
    c.put_all("u64(r)")
    own = c.item("base + j")
    same = f"bits_of({c.item('base + l')}) == bits_of({own})" if is_match else f"flag(x, from + base + l, {rare})"
    c.say("for (j in 0..lanes) {")
    c.say("    var r = 0u32;")
    c.say(f"    for (l in 0..lanes) r |= u32({same}) << l;")
    whole = {"any": "u64(r != 0)", "ballot": "u64(r)", "match_any": "u64(r)"}
    c.say(f"    put(y, {THREADS} + base + j, {whole.get(how, 'u64(r == ~0u32 >> (32 - lanes))')});")
    c.say("}")


def flag_threads(c):
    """any, all and count of the block; twice, since it also has to act as a barrier between a write
    and a read."""
    how = c.row.method
    c.draw_type(NUMBERS)
    c.draw_shape(most_items=1)
    c.is_scalar = True
    rare = c.pick([0, 1, 31, (1 << 40) - 1])
    c.read_items()
    c.call(f"shared given: u32[{c.size}];")
    c.call(f"given[t] = u32(flag(x, from + t, {rare}));")
    c.call(f"let first = block.{how}(given[t] != 0);")
    c.call(f"let r = u32(first) + 2048 * u32(block.{how}(given[{c.size - 1} - t] == 0));")
    c.put_all("u64(r)")
    c.say("var n = 0u32;")
    c.say(f"for (l in 0..lanes) n += u32(flag(x, from + base + l, {rare}));")
    value = {"any": "u32(n > 0) + 2048 * u32(n < lanes)", "all": "u32(n == lanes) + 2048 * u32(n == 0)",
             "count": "n + 2048 * (lanes - n)"}[how]
    c.say(f"for (j in 0..lanes) put(y, {THREADS} + base + j, u64({value}));")


# ---- neighbours ----

RELATIONS = [("!=", "{} != {}"), ("|a, b| bits_of(a) < bits_of(b)", "bits_of({}) < bits_of({})"),
             ("|a, b| (bits_of(a) & 1) != 0", "(bits_of({}) & 1) != 0")]


def shuffle(c):
    """shuffle: from any thread, or from none."""
    c.draw_type(TYPES)
    c.draw_shape(most_items=1)
    c.is_scalar = True
    far, most = c.rng.randrange(5000), c.size + c.pick([0, 1, 40])
    c.read_items()
    c.call(f"let r = block.shuffle(v, (t * {FAR} + {far}) % {most});")
    c.put_items()
    c.say("for (t in 0..lanes) {")
    c.say(f"    let rank = (t * {FAR} + {far}) % {most};")
    c.say(f"    put(y, t, bits_of({c.item(f'(rank < {c.size} ? rank : t)')}));")
    c.say("}")


def move(c):
    """shuffle_up and shuffle_down; with the item that leaves the block."""
    c.draw_type(TYPES)
    c.draw_shape()
    is_up, has_edge = "up" in c.row.method, c.chance(0.5, "an edge")
    leaves = c.row.method.endswith(("last", "first"))
    words = f"v, {'before' if is_up else 'after'} = {c.item('9001')}" if has_edge else "v"
    c.read_items()
    c.call(f"let {'(r, gone)' if leaves else 'r'} = block.{c.row.method}({words});")
    c.put_items()
    if leaves:
        c.put_all("bits_of(gone)")
    last = c.total - 1
    edge = c.item("9001") if has_edge else c.item("0" if is_up else last)
    c.say(f"for (i in 0..{c.total}u32) {{")
    if is_up:
        c.say(f"    put(y, i, bits_of(i > 0 ? {c.item('i - 1')} : {edge}));")
    else:
        c.say(f"    put(y, i, bits_of(i < {last} ? {c.item('i + 1')} : {edge}));")
    c.say("}")
    if leaves:
        c.say_all(f"bits_of({c.item(last if is_up else 0)})")


def flags(c):
    """heads, tails, heads_and_tails."""
    c.draw_type([name for name in TYPES if name not in ("u32x4", "f32x4")])
    c.draw_shape()
    c.draw_few()
    text, applied = c.pick(RELATIONS)
    method, last = c.row.method, c.total - 1
    before = "heads" in method and c.chance(0.4, "before")
    after = "tails" in method and c.chance(0.4, "after")
    words = [f"before = {c.item('9001')}"] if before else []
    words += [f"after = {c.item('9002')}"] if after else []
    c.read_items()
    both = method == "heads_and_tails"
    c.call(f"let {'(r, s)' if both else 'r'} = block.{method}({', '.join(['v', text] + words)});")
    c.put_items()
    if both:
        c.put_items("s")
    c.say(f"for (i in 0..{c.total}u32) {{")
    if "heads" in method:
        head = applied.format(c.item("(i > 0 ? i - 1 : 9001)"), c.item("i"))
        c.say(f"    let is_head = {head};")
        c.say("    put(y, i, bits_of(" + ("is_head" if before else "is_head || i == 0") + "));")
    if "tails" in method:
        tail = applied.format(c.item("i"), c.item(f"(i < {last} ? i + 1 : 9002)"))
        c.say(f"    let is_tail = {tail};")
        c.say("    put(y, i, bits_of(" + ("is_tail" if after else f"is_tail || i == {last}") + "));")
    c.say("}")


def difference(c):
    """adjacent_difference, and the one to the right."""
    is_right, n = c.row.method.endswith("right"), None
    c.draw_operator()
    text, of = c.op.text, c.op.of
    if c.type in INTS and c.chance(0.6, "-"):
        text, of = "-", "{} - {}".format
    c.draw_shape()
    n, last = c.total, c.total - 1
    has_valid = c.draw_valid(0)
    edge = "after" if is_right else "before"
    has_edge = not (is_right and has_valid) and c.chance(0.5, edge)
    words = ["v", text] + (["valid = n"] if has_valid else [])
    words += [f"{edge} = {c.item('9001')}"] if has_edge else []
    c.read_items()
    c.call(f"let r = block.{c.row.method}({', '.join(words)});")
    c.put_items()
    c.say(f"for (i in 0..{n}u32) {{")
    c.say(f"    var r = {c.item('i')};")
    if is_right:
        other = c.item(f"(i < {last} ? i + 1 : 9001)")
        has = "i + 1 < n" if has_valid else "true" if has_edge else f"i < {last}"
    else:
        other = c.item("(i > 0 ? i - 1 : 9001)")
        has = " && ".join((["i < n"] if has_valid else []) + ([] if has_edge else ["i > 0"])) or "true"
    c.say(f"    if ({has}) r = {of(c.item('i'), other)};")
    c.say("    put(y, i, bits_of(r));")
    c.say("}")


# ---- fewer items, or more ----


def compact(c):
    """compact: keeps the items whose flag is set."""
    c.draw_type(TYPES)
    c.draw_shape()
    n, rare, total = c.items, c.pick([0, 1, 7, 63, (1 << 40) - 1]), f"lanes * {c.items}"
    c.read_items()
    if c.group.kind == "block":
        c.call(f"let lanes = {c.size}u32;")
    c.call(f"var keep: bool[{n}];")
    c.call(f"for (k in 0..{n}u32) keep[k] = flag(x, from + t * {n} + k, {rare});")
    how = f"<{c.variant}>" if c.variant else ""
    c.call(f"let (r, count) = {c.group.text}.compact{how}(v, keep);")
    c.call(f"for (k in 0..{n}u32) {{")
    c.call(f"    let i = {_place(c, bool(c.variant), '(t - base)')};")
    c.call(f"    if (i < count) put(y, base * {n} + i, bits_of(r[k]));")
    c.call("}")
    c.put_all("u64(count)")
    c.say("var count = 0u32;")
    c.say(f"for (i in 0..{total}) {{")
    c.say(f"    if (flag(x, from + base * {n} + i, {rare})) {{")
    c.say(f"        put(y, base * {n} + count, bits_of({c.item(f'base * {n} + i')}));")
    c.say("        count += 1;")
    c.say("    }")
    c.say("}")
    c.say_all("u64(count)")


def histogram(c):
    """histogram: in a shared array, or in a span."""
    c.draw_type(INTS)
    most = min(BINS, 1 << (8 * BYTES[c.type] - (c.type[0] == "i")))
    bins = c.pick([1, 2, 3, 10, most, c.rng.randint(1, most)])
    c.made = f"{c.type}(w % {c.pick([bins, bins, min(bins, 3)])})"
    c.draw_shape()
    is_shared, clear = c.chance(0.5, "shared array"), c.chance(0.5, "clear")
    c.read_items()
    if is_shared:
        c.call(f"shared mine: u32[{bins}];")
        c.call(f"for (i in block.stride({bins}u32)) mine[i] = i;")
    else:
        c.params = [f"counts: inout u32[{BINS}]"]
        c.call(f"let mine = counts[zero..zero + {bins}];")
    c.call("block.sync();")
    word = f"<{c.variant}>" if c.variant else ""
    c.call(f"block.histogram{word}(v, mine{', clear = true' if clear else ''});")
    c.call("block.sync();")
    c.call(f"for (i in block.stride({bins}u32)) put(y, i, u64(mine[i]));")
    c.call("block.sync();")
    if is_shared:
        c.say(f"var mine: u32[{bins}];")
        c.say(f"for (i in 0..{bins}u32) mine[i] = i;")
    else:
        c.say(f"let mine = counts[0..{bins}];")
    if clear:
        c.say(f"for (i in 0..{bins}u32) mine[i] = 0;")
    c.say(f"for (i in 0..{c.total}u32) mine[{c.item('i')}] += 1;")
    c.say(f"for (i in 0..{bins}u32) put(y, i, u64(mine[i]));")


def run_lengths(c):
    """run_length_decode: a window of the decoded runs."""
    c.draw_type(TYPES)
    c.draw_shape(most_items=16, all_items=2048, extra=4)
    n, longest = c.items, c.pick([1, 2, 5, 40])
    m = c.rng.randint(1, max(1, min(16, 4096 // c.size)))
    start = c.pick([0, c.rng.randint(0, c.total * longest // 2), c.rng.randint(0, 3 * c.total)])
    length = f"u32(x[(from + {{}} + 17) % 4093] >> 13) % {longest + 1}"
    c.read_items()
    c.call(f"var lengths: u32[{n}];")
    c.call(f"for (k in 0..{n}u32) lengths[k] = {length.format(f't * {n} + k')};")
    c.call(f"let start = zero + {start};")
    if c.variant:
        c.call("let (starts, total) = block.exclusive_scan_total(lengths, +);")
        c.call(f"let (r, offsets) = block.run_length_decode(v, start, {m}, offsets = starts);")
    else:
        c.call(f"let (r, offsets, total) = block.run_length_decode(v, lengths, start, {m});")
    c.call(f"for (k in 0..{m}u32) {{")
    c.call(f"    let i = t * {m} + k;")
    c.call("    if (start + i < total) put(y, i, mixed(bits_of(r[k]), u64(offsets[k])));")
    c.call("}")
    c.put_all("u64(total)")
    c.say("var total = 0u32;")
    c.say(f"for (i in 0..{c.total}u32) {{")
    c.say(f"    for (j in 0..{length.format('i')}) {{")
    c.say(f"        let at = total - {start};")
    c.say(f"        if (at < {c.size * m}) put(y, at, mixed(bits_of({c.item('i')}), u64(j)));")
    c.say("        total += 1;")
    c.say("    }")
    c.say("}")
    c.say_all("u64(total)")
