# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""two_types.py - checks that no function of the library silently converts a value to the elements'
narrower type.

    two_types.py CKC LIBRARY [COUNT]

This is about every public function of the library with a parameter of a type parameter, and beside
it another argument from which the same type can be inferred (elements T[N], a span, an iterator,
another T). Each is called with elements of one type and a value of another: PAIRS. Either the two
have a common type, and the result has that type and equals that of the same call with elements of
it; or the call is refused with a message id. COUNT of the accepted calls are run on the host
device. A function of this kind that is called by no row of CALLS is an error.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]

# pylint: disable=wrong-import-position
from heads import heads
from messages import Messages

# type of the elements, type of the value; a value that the elements' type can't hold. None: the two
# have no common type.
PAIRS = {
    ("i8", "i32"): "1000", ("u8", "u32"): "1000", ("f16", "f32"): "100000.5", ("f32", "f64"): "0.1",
    ("i32", "i64"): "10000000000", ("u8", "i32"): None, ("i32", "u32"): None, ("i32", "f32"): None, ("u64", "f64"): None,
}
WIDTHS = {"i32": 4, "u32": 4, "f32": 4, "i64": 8, "f64": 8}
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
    "clamp": ["clamp(e, w, w)"], "min": ["min(e, w)", "min(w, e)"], "max": ["max(e, w)", "max(w, e)"],
    "ceil_div": ["ceil_div(w, e + 1)"], "select": ["select(e > 2, e, w)", "select(e > 2, w, e)"],
    "ActiveLanes.exclusive_scan": ["warp.active().exclusive_scan(e, max, init = w)"],
    "[]=": [f"{it}[0u64] = w" for it in ("o.take(9)", "o.reverse()", "o.strided(2)", "o.drop(1)", "o.map_store(|v| v)",
                                         "zip(o, discard<u8>()).map_store(|v| (v, 1u8))", "scatter(o, count())")],
    "grid.select": ["grid.select(X, |v| v > 0, o)"],
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


INDEX_ONLY = re.compile(r"texture.*|surface.*\.load|.*load_tensor|block.prefetch|zip|gather|scatter")  # coordinates, iterators


def takes_value(head):
    """Whether there is a parameter of a type parameter, and another one from whose type, or
    elements, the same type is inferred."""
    free = {name for name, kind in head.generics.items() if kind in ("type", "number", "int", "float")}
    words = {param.name: set(re.findall(r"\w+", param.type)) & free for param in head.params}
    for param in head.params:
        if param.type not in free or param.name in ("it", "sorted"):
            continue
        is_index = head.generics[param.type] == "int" and not any(
            param.type in words[other.name] for other in head.params if other is not param)
        if not is_index and any(words[other.name] for other in head.params if other is not param):
            return True
    return False


def kernel(name, call, narrow, wide, value=None):
    """A kernel that makes the call; value: and the same call with elements of the wider type, to
    compare."""
    is_statement = re.search(r"[^=<>!]=[^=]", re.sub(r"\([^()]*\)|\([^()]*\([^()]*\)[^()]*\)", "", call))
    text = (f"kernel {name}(x: in {narrow}[64], X: in {wide}[64], o: out {narrow}[64], w: {wide}, y: inout u64[1]) launch(block = 64, grid = 1) {{\n"
            f"    shared s: {narrow}[4]; let e = x[thread.x]; let E = X[thread.x];\n")
    if is_statement:
        return text + f"    {call};\n}}\n"
    text += f"    let a = {call};\n"
    if value:
        other = re.sub(r"\bx\b", "X", re.sub(r"\be\b", "E", call))
        text += f"    let b = {other};\n    static_assert(sizeof(a) == sizeof(b), \"cut\");\n    if (a != b) atomic.max(y[0], 1u64);\n"
    return text + "}\n"


def main(ckc, library, most="1000"):
    wrong, count, runs = [], 0, []
    names = {head.name: head.file for head in heads(ckc, library) if takes_value(head)}
    wrong += [f"{path}: no row of CALLS calls {name}" for name, path in names.items()
              if name not in CALLS and not INDEX_ONLY.fullmatch(name)]
    wrong += [f"no function of the library is {name}" for name in CALLS if name not in names]
    with Messages(ckc) as messages:
        for name, calls in CALLS.items():
            for call in calls:
                for (narrow, wide), value in PAIRS.items():
                    count += 1
                    is_right, log = messages.of(kernel("k", call, narrow, wide), "check")
                    if not is_right:
                        if not re.search(r"error: .*\[\w+\]$", log, re.MULTILINE):
                            wrong.append(f"{call} of {narrow} and {wide}: no error with an id: {log}")
                    elif value is None:
                        wrong.append(f"{call} of {narrow} and {wide}: accepted, which have no common type")
                    else:
                        runs.append((call, narrow, wide, value))
    step = -(-len(runs) // int(most))
    text = "".join(kernel(f"k{i}", *run) + f"// CALL: k{i}(x=arange(64) % 5, X=arange(64) % 5, o=zeros:64, w={run[3]}, y=[0]) -O1\n// EXPECT: y = [0]\n"
                   for i, run in enumerate(runs) if i % step == 0)
    with tempfile.NamedTemporaryFile("w", suffix=".ck") as file:
        file.write(text)
        file.flush()
        tested = subprocess.run([ckc, "test", file.name, "--device=host"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if tested.returncode:
        wrong.append(text + tested.stdout.decode())
    print("\n".join(wrong + [tested.stdout.decode().splitlines()[-1], f"{len(names)} functions, {count} calls, {len(runs)} accepted, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
