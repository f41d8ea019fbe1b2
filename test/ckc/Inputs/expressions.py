#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""expressions.py - compares the values of random expressions in test lines with NumPy's: CKC FOLDER
COUNT.

Each expression is generated over arrays of 0 to 3 dimensions, with NumPy's broadcasting, indices,
matrix products, sums along an axis and so on, and evaluated by NumPy. A kernel copies NumPy's
value, and an EXPECT line compares it with the expression, so `ckc test` evaluates the expression
too. What NumPy refuses has to be refused. Numbers are small integers and halves, so that both
calculate exactly. Names are NumPy's, or types of CK that NumPy has under another name.
"""
import json
import os
import random
import subprocess
import sys
import types
import warnings

import numpy as np

ckc, folder, count = sys.argv[1:-2], sys.argv[-2], int(sys.argv[-1])
warnings.simplefilter("error", DeprecationWarning)
warnings.simplefilter("ignore", SyntaxWarning)
rng = random.Random(4711)
ARRAYS = {"a": (3,), "b": (2, 3), "c": (3, 2), "d": (2, 1), "e": (2, 2, 3), "f": (1,), "s": ()}
values = np.random.default_rng(5)
NAMES = {name: values.integers(-4, 5, shape) * 0.5 for name, shape in ARRAYS.items()}
NAMES["s"] = float(NAMES["s"])


class Type:
    """A type of numbers: f16(x) converts, and x.view(f16) reads `dtype`."""

    def __init__(self, code):
        self.dtype = np.dtype(code)

    def __call__(self, items):
        return np.asarray(items).astype(self.dtype)


KNOWN = {name: getattr(np, name) for name in (
    "abs sign floor maximum minimum where arange amax amin any all prod cumsum sort argsort unique bincount").split()}
KNOWN["bincount"] = lambda items, **named: np.bincount(np.asarray(items).astype(int), **named)
KNOWN |= {"np": np, "range": range}
for name, code in {"f16": "f2", "f32": "f4", "f64": "f8", "u16": "u2", "u32": "u4", "i16": "i2", "i32": "i4",
                   "i64": "i8"}.items():
    KNOWN[name] = Type(code)
KNOWN["sum"] = lambda items, *rest, **named: sum(items) if isinstance(items, types.GeneratorType) \
    else np.sum(items, *rest, **named)


def index():
    items = []
    for _ in range(rng.randint(1, 3)):
        bound = lambda: rng.choice(["", "", str(rng.randint(-3, 3))])  # noqa: E731
        items.append(rng.choice([str(rng.randint(-2, 2)), "None", ":", f"{bound()}:{bound()}",
                                 f"{bound()}:{bound()}:{rng.choice(['1', '2', '-1'])}"]))
    return "[" + ", ".join(items) + "]"


def draw(depth):
    if depth == 0:
        return rng.choice(list(ARRAYS) + ["2", "0.5", "0x3", "arange(3)", "arange(1, 3)"])
    kind = rng.randrange(21)
    one = lambda: draw(depth - 1)  # noqa: E731
    if kind < 3:
        operator = rng.choice(["+", "-", "*", "<", ">=", "==", "!="])
        return f"({one()} {operator} {one()})" + ("" if operator in "+-*" else " * 1")
    if kind == 3:
        return f"({one()} @ {one()})"
    if kind == 4:
        axis = rng.choice(["", "", ", axis=0", ", axis=1", ", axis=-1", ", axis=0, keepdims=True", ", 1"])
        name = rng.choice(["sum", "np.sum", "prod", "amax", "np.max", "amin", "any", "all"])
        return f"{name}({one()}{axis})" + (" * 1" if name in ("any", "all") else "")
    if kind == 5:
        return f"{rng.choice(['abs', 'floor', 'sign', '-', '+'])}({one()})"
    if kind == 6:
        return f"{rng.choice(['maximum', 'minimum'])}({one()}, {one()})"
    if kind == 7:
        return f"where({one()} > 0, {one()}, {one()})"
    if kind == 8:
        return f"({one()}){index()}"
    if kind == 9:
        return f"({one()}).{rng.choice(['T', 'sum(axis=0)', 'max()', 'reshape(-1)', 'reshape(2, 3)', 'reshape(3, -1)'])}"
    if kind == 10:
        return f"cumsum({one()}{rng.choice(['', ', axis=0', ', axis=-1'])})"
    if kind == 11:
        return rng.choice([f"sort({one()})", f"argsort(cumsum({one()}), kind='stable')"])
    if kind == 12:
        return f"np.array([{rng.choice(['v', f'v * 2 + {one()}', 'sum(v)', '[v, v]'])} for v in ({one()})])"
    if kind == 13:
        return f"sum(v * {rng.choice(['2', '0.5', 'v'])} for v in ({one()}))"
    if kind == 14:
        condition = rng.choice([f"sum({one()}) > 0", f"-1 <= sum({one()}) < 2", f"not sum({one()})",
                                f"sum({one()}) > 0 and s > 0", f"s > 0 or sum({one()}) < 1"])
        return f"({one()} if {condition} else {one()})"
    if kind == 15:
        return f"np.array([{rng.randint(0, 3)}, s] * {rng.randint(0, 3)} + [v + 1 for v in range(3) if v % 2 == 0])"
    if kind == 16:
        indices = rng.choice(["[0, -1]", "[[1], [0]]", "[2, 2, 0]", "arange(2)", "abs(np.array([-1, 0]))"])
        items = f"np.array([*({one()})])"
        mask = rng.choice([f"{items} > 0", f"~({items} > 0)", f"({items} < 0) | ({items} == 0.5)",
                           f"{items} > {one()}", f"[v > 0 for v in {items}.reshape(-1)]", "[True, False, True]"])
        return rng.choice([f"np.array({one()})[{indices}]", f"{items}[{mask}]"])
    if kind == 17:
        return rng.choice([f"unique({one()})", f"bincount(floor(abs(({one()}).reshape(-1))))",
                           f"bincount(floor(abs(({one()}).reshape(-1))), minlength=9)"])
    if kind == 18:
        whole, real, bits = rng.choice([("i32", "f32", "u32"), ("u16", "f16", "i16"), ("i16", "f16", "u16")])
        return "f64(" + rng.choice([f"{real}({one()} + 2.0**-12 * s)", f"{whole}(i64(300 * floor(({one()}) * 1) % 70000))",
                                    f"{real}({one()}).view({bits})",
                                    f"{bits}(abs(floor({one()} * 1)) % 99).view({real})"]) + ")"
    if kind == 19:
        return rng.choice([f"np.array([v := {one()}, *[v := v * 2 - {one()} for i in range({rng.randint(0, 3)})]])",
                           f"((w := {one()}) + w * 2)", f"(np.array([w := i + sum({one()}) for i in range(3)]) + w)"])
    return rng.choice([f"np.concatenate([v for v in ({one()})])", f"np.concatenate([{one()}, {one()}])",
                       f"np.array([*({one()}), *({one()})])"])


def evaluate(text):
    """Returns NumPy's value; None if extents or indices are wrong; False if only Python's types are
    wrong."""
    try:
        with np.errstate(all="ignore"):
            value = np.asarray(eval(text, KNOWN | NAMES), np.float64)  # pylint: disable=eval-used
    except (ValueError, IndexError, DeprecationWarning):  # AxisError is both of the first
        return None
    except Exception:  # pylint: disable=broad-except
        return False
    return value if value.ndim <= 4 and value.size else False


os.makedirs(folder, exist_ok=True)
parameters = ", ".join(f"{name}: in f64[{', '.join(map(str, shape))}]" for name, shape in ARRAYS.items() if shape)
arguments = []
for name, shape in ARRAYS.items():
    arguments.append(f"{name}={np.asarray(NAMES[name]).tolist()}")
text = (f"kernel k(n: u32, s: f64, {parameters}, r: in f64[n], y: out f64[n])\n"
        "    launch(block = 1, grid = 1) { for (i in 0..n) y[i] = r[i]; }\n")
wrong, refused = [], 0
for number in range(count):
    expression = draw(rng.choice([1, 2, 2, 3]))
    value = evaluate(expression)
    is_refused = value is None
    refused += is_refused
    if value is False:
        continue
    data = np.zeros(4) if is_refused else value.ravel()
    np.save(f"{folder}/{number}.npy", data)
    text += f"// NAME: {number}\n// CALL: k({', '.join(arguments)}, r=@{number}.npy)\n// EXPECT: y = {expression}\n"
    if is_refused:
        wrong.append(number)
path = folder + "/expressions.ck"
with open(path, "w", encoding="utf-8") as file:
    file.write(text)
result = subprocess.run([*ckc, "test", path, "--device=host", f"--json={folder}/out.json"],
                        capture_output=True, text=True, check=False)
with open(f"{folder}/out.json", encoding="utf-8") as file:
    results = {int(one["name"]): one for one in json.load(file)["results"]}
bad = 0
for number, one in results.items():
    is_right = one["status"] == ("failed" if number in wrong else "passed")
    if number in wrong and "expected " in one["message"].split(":")[-1]:
        is_right = False
    if not is_right and bad < 10:
        print(number, text.split(f"NAME: {number}\n")[1].split("EXPECT: y = ")[1].split("\n")[0],
              "-> NumPy refuses" if number in wrong else "", one["status"], one["message"])
    bad += not is_right
if not results:
    sys.exit(result.stdout + result.stderr)
print(f"{len(results) - bad} agree, {bad} differ; NumPy refuses {refused}")
sys.exit(bool(bad))
