# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""two_types.py - no function of the library cuts a value down to the elements' type.

    two_types.py CKC LIBRARY

Every public function of the library that takes elements (T[N], a span, an iterator or a T) and, beside them, a
value that it keeps or compares (default, init, before, after, value, expected, lo, hi) is called with
elements of u8 and a value of u32, of i8 and i32, of f32 and f64. It is refused, or its result has the
wider type. A function with such a parameter that no row calls is an error: rows are CALLS.
"""
import re
import subprocess
import sys
import glob

VALUES = ("default", "init", "before", "after", "value", "expected", "lo", "hi")
PAIRS = (("u8", "u32"), ("i8", "i32"), ("f32", "f64"))
CALLS = {
    "block.load": ["block.load(x, 0, 2, default = w)[0]", "block.load(x, 0, 2, default = w, valid = 7)[0]"],
    "warp.load": ["warp.load(x, 0, 2, default = w)[0]"],
    "warp.tile.load": ["warp.tile<8>.load(x, 0, 2, default = w)[0]"],
    "lower_bound": ["lower_bound(x, w)"], "upper_bound": ["upper_bound(x, w)"],
    "block.shuffle_up": ["block.shuffle_up([e, e], before = w)[0]"],
    "block.shuffle_down": ["block.shuffle_down([e, e], after = w)[0]"],
    "block.shuffle_up_last": ["block.shuffle_up_last([e, e], before = w)[1]"],
    "block.shuffle_down_first": ["block.shuffle_down_first([e, e], after = w)[1]"],
    "block.heads": ["block.heads([e, e], !=, before = w)[0]"], "block.tails": ["block.tails([e, e], !=, after = w)[0]"],
    "block.heads_and_tails": ["block.heads_and_tails([e, e], !=, before = w)[0][0]",
                              "block.heads_and_tails([e, e], !=, before = e, after = w)[0][0]"],
    "block.adjacent_difference": ["block.adjacent_difference([e, e], -, before = w)[0]"],
    "block.adjacent_difference_right": ["block.adjacent_difference_right([e, e], -, after = w)[0]"],
    "clamp": ["clamp(e, w, w)"], "constant": ["constant(w)[0u64]"],
    "store": ["store(o[0], w)"], "atomic.store": ["atomic.store(s[0], w)"],
    "grid.reduce": ["grid.reduce(x, max, w)"],
}
for scope in ("block", "warp", "warp.tile"):
    group = "warp.tile<8>" if scope == "warp.tile" else scope
    for name in ("inclusive_scan", "exclusive_scan", "inclusive_scan_total", "exclusive_scan_total"):
        last = "[1]" if name.endswith("total") else ""
        CALLS[f"{scope}.{name}"] = [f"{group}.{name}([e, e], max, init = w)" + (last or "[0]"), f"{group}.{name}(e, max, init = w){last}"]
    for name in ("segmented_inclusive_scan", "segmented_exclusive_scan"):
        CALLS[f"{scope}.{name}"] = [f"{group}.{name}(e, e > 0, max, init = w)"]
for name in ("exchange", "add", "sub", "min", "max", "and", "or", "xor", "inc", "dec"):
    CALLS[f"atomic.{name}"] = [f"atomic.{name}(s[0], w)"]
CALLS["atomic.compare_exchange"] = ["atomic.compare_exchange(s[0], w, w)"]
CALLS["atomic.try_exchange"] = ["atomic.try_exchange(s[0], w, w)[0]"]


def takes_value(head):
    """Is there a parameter of the words whose type is a type parameter, beside something of elements?"""
    depth, at = 0, 0
    for at, sign in enumerate(head):
        depth += (sign == "<") - (sign == ">")
        if sign == "(" and not depth:
            break
    generics = set(re.findall(r"(\w+): (?:type|number|int|float)", head[:at]))
    params = re.findall(r"(\w+): ((?:in |out |inout )?[^,()]*)", head[at:])
    values = [name for name, kind in params if name in VALUES and kind.split(" =")[0] in generics]
    return bool(values) and (len(params) > 1 or "constant" in head)


def public(library):
    for path in sorted(glob.glob(library + "/**/*.ck", recursive=True)):
        with open(path, encoding="utf-8") as file:
            for line in file:
                found = re.match(r"fn ([a-z][\w.]*)(<.*|\(.*)", line)
                if found and "__" not in found.group(1) and takes_value(found.group(2)):
                    yield found.group(1), path


def verdict(ckc, call, narrow, wide):
    """'' if the call is refused, or its value is as wide as `wide`; else what it is."""
    width = {"u32": 4, "i32": 4, "f64": 8}[wide]
    text = (f"kernel k(x: in {narrow}[64], o: out {narrow}[64], w: {wide}, y: out u64[1]) launch(block = 64, grid = 1) {{\n"
            f"    shared s: {narrow}[4]; let e = x[thread.x]; const GOOD = sizeof({call}) >= {width};\n"
            f"    y[0] = u64(sizeof({call})); }}\n")
    def compiled(program):
        return subprocess.run([ckc, "-", "--stop-after=check"], input=program.encode(),
                              capture_output=True, check=False)

    run = compiled(text)
    if run.returncode == 1:
        return ""
    if run.returncode:
        return f"ckc ends with {run.returncode}"
    other = text.replace(f"const GOOD = sizeof({call}) >= {width};", f"static_assert(sizeof({call}) >= {width}, \"cut\");")
    run = compiled(other)
    is_flag = re.match(r"(block\.(heads|tails)|lower_bound|upper_bound)", call)
    return "" if is_flag or run.returncode == 0 else "it is cut down"


def main(ckc, library):
    wrong = count = 0
    names = {name: path for name, path in public(library)}
    for name, path in names.items():
        if name not in CALLS:
            wrong += 1
            print(f"{path}: no row of CALLS calls {name}")
        for call in CALLS.get(name, []):
            for narrow, wide in PAIRS:
                count += 1
                found = verdict(ckc, call, narrow, wide)
                if found:
                    wrong += 1
                    print(f"{call} of {narrow} and {wide}: {found}")
    print(f"{count} calls, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
