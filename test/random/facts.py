# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""facts.py - the types, and the table of what random programs have to contain: rows are operators,
columns are types."""
from collections import Counter

SIGNED = ["i8", "i16", "i32", "i64"]
UNSIGNED = ["u8", "u16", "u32", "u64"]
INTS = SIGNED + UNSIGNED
FLOATS = ["f16", "bf16", "f32", "f64"]
NUMBERS = INTS + FLOATS
SCALARS = ["bool"] + NUMBERS
SIZES = [2, 3, 4, 8, 16]
WIDTH = {"bool": 8, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}
WIDTH.update({name: int(name[1:]) for name in INTS})
NARROWER = {"i16": ["i8"], "i32": ["i8", "i16"], "i64": ["i8", "i16", "i32"], "u16": ["u8"],
            "u32": ["u8", "u16"], "u64": ["u8", "u16", "u32"], "f32": ["f16", "bf16"],
            "f64": ["f16", "bf16", "f32"]}
ROUNDS = ["nearest", "zero", "up", "down"]
LARGE = ["i32", "i64", "u32", "u64"]
ATOMIC = INTS + ["f32", "f64"]
CONVERSIONS = [f"{kind}(x)" for kind in SCALARS]
# Elements of spans: (access, scalar, number of components).
VECTOR_SPANS = [("in ", "bool", 8), ("in ", "i8", 16), ("in ", "u8", 4), ("in ", "u16", 2),
                ("in ", "f16", 8), ("in ", "u32", 3), ("in ", "f32", 4), ("in ", "i64", 2),
                ("inout ", "i8", 8), ("inout ", "u8", 2), ("inout ", "i16", 4), ("inout ", "bf16", 2),
                ("inout ", "i32", 4), ("inout ", "u64", 2), ("inout ", "f64", 4)]

# row of the table -> the types for which it exists
OPERATORS = {}


def _rows(names, kinds):
    OPERATORS.update({name: list(kinds) for name in names})


_rows(["-x", "+x", "+", "-", "*", "/", "<", "<=", ">", ">="], NUMBERS)
_rows(["~x", "%", "<<", ">>"], INTS)
_rows(["!x", "&&", "||"], ["bool"])
_rows(["==", "!=", "c ? a : b"], SCALARS)
_rows(["&", "^", "|"], INTS + ["bool"])
_rows(["="], SCALARS)
_rows(["+=", "-=", "*=", "/="], NUMBERS)
_rows(["%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"], INTS)
_rows(CONVERSIONS, SCALARS)
_rows([f"round = {word}" for word in ROUNDS], NUMBERS)
_rows(["bit_cast"], NUMBERS)
_rows(["min", "max", "abs", "clamp"], NUMBERS)
_rows(["ceil_div", "popcount", "clz", "ctz", "brev", "add_sat", "sub_sat"], INTS)
_rows(["bswap"], [kind for kind in INTS if WIDTH[kind] > 8])
_rows(["rotate_left", "rotate_right"], UNSIGNED)
_rows(["funnel_left", "funnel_right"], ["u32", "u64"])
_rows(["mul_hi"], LARGE)
_rows(["byte_perm"], ["u32"])
_rows(["dp4a"], ["i32", "u32"])
_rows(["sqrt", "floor", "ceil", "trunc", "rint", "round", "copysign", "fmod", "fma", "is_nan",
       "is_inf"], FLOATS)
_rows(["vec -x", "vec +", "vec -", "vec *", "vec /", "vec <", "vec min", "vec convert"], NUMBERS)
_rows(["vec ~x", "vec %", "vec <<", "vec >>", "vec sum", "vec dot"], INTS)
_rows(["vec &", "vec ^", "vec |"], INTS + ["bool"])
_rows(["vec any", "vec all"], ["bool"])
_rows(["vec ==", "vec select", "vec swizzle", "vec [i]", "vec [i], shared", "vec .x = "], SCALARS)
_rows([f"vec<T, {size}>" for size in SIZES], SCALARS)
_rows(["vec load", "vec store"], NUMBERS)
_rows(["vec span"], [kind for _, kind, _ in VECTOR_SPANS])
_rows(["struct", "struct in struct", "tuple", "tuple of struct", "array", "array of struct"],
      SCALARS)
_rows(["T[2, 2]", "T[2, 2, 2]", "T[2, 2, 2, 2]", "==, whole"], SCALARS)
_rows(["struct +", "struct -x", "struct <", "struct ==", "struct []", "method", "property"], SCALARS)
_rows(["call", "call, generic", "call, default", "call, named", "recursion", "lambda", "capture",
       "fn value"], SCALARS)
_rows(["in span", "out span", "inout span", "slice", "pointer"], SCALARS)
_rows(["span, rank 2", "span, rank 3", "span, rank 4"], NUMBERS)
_rows(["kernel <T>"], NUMBERS)
_rows(["comptime if", "let", "var"], SCALARS)
_rows(["for", "for, step", "unroll for", "unroll(2) for"], INTS)
_rows(["for each", "iterator"], NUMBERS)
_rows(["break", "continue", "while", "return"], ["bool"])
_rows(["shuffle", "shuffle_up", "shuffle_down", "shuffle_xor", "broadcast", "shared", "block.sync",
       "shared in fn"], SCALARS)
_rows(["warp.any", "warp.all", "ballot", "uniform if"], ["bool"])
_rows(["match_any", "match_all"], LARGE + ["bool"])
_rows(["warp.sum", "warp.min", "warp.max"], NUMBERS)
_rows(["warp.and", "warp.or", "warp.xor", "reduce", "inclusive_scan", "exclusive_scan"], INTS)
_rows(["atomic.load", "atomic.store", "atomic.exchange", "atomic.add", "atomic.sub", "atomic.min",
       "atomic.max"], ATOMIC)
_rows(["atomic.compare_exchange", "atomic.try_exchange", "atomic.and", "atomic.or", "atomic.xor"],
      INTS)
_rows(["atomic.inc", "atomic.dec"], UNSIGNED)
_rows(["atomic, shared"], INTS)


class Coverage(Counter):
    """Counts how often each (row, type) occurs."""

    def note(self, row, kind):
        assert kind in OPERATORS[row], (row, kind)
        self[row, kind] += 1

    def missing(self):
        return [f"{row} of {kind}" for row, kinds in OPERATORS.items() for kind in kinds
                if not self[row, kind]]

    def table(self):
        lines = [" " * 24 + "".join(f"{kind:>6}" for kind in SCALARS)]
        for row, kinds in OPERATORS.items():
            cells = [str(self[row, kind]) if kind in kinds else "" for kind in SCALARS]
            lines.append(f"{row:24}" + "".join(f"{cell:>6}" for cell in cells).rstrip())
        return "\n".join(lines)
