# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""elements.py - types of items and operators on them, as CK text.

An item is computed from 64 random bits `w`. Floats are small integers, so that sums are exact in
any order. The operator that does not commute is `then`: the composition of maps x -> a * x + b with
integers that wrap around. a is odd, so the map is invertible and every earlier item affects the
result.
"""
from bits import BITS

COMMON = BITS + """\
struct Affine { a: u32; b: u32; }
struct Odd { a: u8; b: u8; c: u8; }
struct Holes { a: u64; b: u8; c: u32; }
struct Wide { a: u64; b: u64; c: u64; }
struct Matrix { a: u32; b: u32; c: u32; d: u32; }
struct Many { v: u32[9]; }
struct Fields { a: i8; b: f32; c: bool; d: u16; }

fn bits_of(x: Affine) -> u64 = mixed(u64(x.a), u64(x.b));
fn bits_of(x: Odd) -> u64 = u64(x.a) << 16 | u64(x.b) << 8 | u64(x.c);
fn bits_of(x: Holes) -> u64 = mixed(mixed(x.a, u64(x.b)), u64(x.c));
fn bits_of(x: Wide) -> u64 = mixed(mixed(x.a, x.b), x.c);
fn bits_of(x: Matrix) -> u64 = mixed(mixed(mixed(u64(x.a), u64(x.b)), u64(x.c)), u64(x.d));
fn bits_of(x: u32x4) -> u64 = mixed(mixed(mixed(u64(x.x), u64(x.y)), u64(x.z)), u64(x.w));
fn bits_of(x: f32x4) -> u64 = mixed(mixed(mixed(bits_of(x.x), bits_of(x.y)), bits_of(x.z)), bits_of(x.w));
fn bits_of(x: Many) -> u64 { var h = 0u64; for (i in 0..9) h = mixed(h, u64(x.v[i])); return h; }
fn bits_of(x: Fields) -> u64 = mixed(mixed(u64(x.a), bits_of(x.b)), u64(x.d) << 1 | u64(x.c));
fn bits_of(x: (u32, u64)) -> u64 = mixed(u64(x[0]), x[1]);
fn put(y: inout u64[], at: u32, v: u64) { y[at] = mixed(y[at], v); }
fn flag(x: in u64[], i: u32, mask: u64) -> bool = (x[(i * 5 + 3) % 4091] >> 20 & mask) == 0;

// Maps of integers of half as many bits, in one integer.
fn then<T: int>(f: T, g: T) -> T {
    const HALF: u32 = 4 * sizeof<T>;
    let (p, q, low) = (u64(f), u64(g), (1u64 << HALF) - 1);
    return T((p * q & low) | ((((p >> HALF) * q + (q >> HALF)) & low) << HALF));
}
fn then(f: Affine, g: Affine) -> Affine = Affine(f.a * g.a, f.b * g.a + g.b);
fn then(f: Odd, g: Odd) -> Odd = Odd(f.a * g.a, f.b * g.a + g.b, f.c + g.c);
fn then(f: Holes, g: Holes) -> Holes = Holes(f.a * g.a, f.b * u8(g.a) + g.b, f.c * u32(g.a) + g.c);
fn then(f: Wide, g: Wide) -> Wide = Wide(f.a * g.a, f.b * g.a + g.b, f.c * g.a + g.c);
fn then(f: (u32, u64), g: (u32, u64)) -> (u32, u64) = (f[0] * u32(g[1]) + g[0], f[1] * g[1]);
fn then(f: Matrix, g: Matrix) -> Matrix =
    Matrix(f.a * g.a + f.b * g.c, f.a * g.b + f.b * g.d, f.c * g.a + f.d * g.c, f.c * g.b + f.d * g.d);
fn then(f: Many, g: Many) -> Many {
    var r = Many([f.v[0] * g.v[0], 0, 0, 0, 0, 0, 0, 0, 0]);
    for (i in 1..9) r.v[i] = f.v[i] * g.v[0] + g.v[i];
    return r;
}
fn first<T: type>(a: T, b: T) -> T = a;
fn last<T: type>(a: T, b: T) -> T = b;

// One of determinant 1.
fn matrix(w: u64) -> Matrix = (w & 1) == 0 ? Matrix(1, u32(w >> 8), 0, 1) : Matrix(1, 0, u32(w >> 8), 1);
fn many(w: u64) -> Many {
    var r: Many;
    for (i in 0..9) r.v[i] = u32(rotate_left(w, 7 * u32(i))) | 1;
    return r;
}

// Keys of floats: any bits, zeros of both signs, one NaN of either sign.
fn key<T: float, B: int>(like: T, w: B, quiet: B) -> T {
    const TOP = B(1) << (8 * sizeof<T> - 1);
    let r = bit_cast<T>(w);
    return r == r ? r : bit_cast<T>((w & TOP) | quiet);
}
fn small<T: float>(like: T, w: u64) -> T = (w & 1) == 0 ? T(i32(w >> 1 & 3)) : -T(i32(w >> 1 & 3));
fn key_f16(w: u64) -> f16 = (w & 8) == 0 ? small(f16(0), w) : key(f16(0), u16(w >> 16), u16(0x7e00));
fn key_bf16(w: u64) -> bf16 = (w & 8) == 0 ? small(bf16(0), w) : key(bf16(0), u16(w >> 16), u16(0x7fc0));
fn key_f32(w: u64) -> f32 = (w & 8) == 0 ? small(f32(0), w) : key(f32(0), u32(w >> 16), 0x7fc00000u32);
fn key_f64(w: u64) -> f64 = (w & 8) == 0 ? small(f64(0), w) : key(f64(0), w, 0x7ff8000000000000u64);

// Numbers whose order is that of the keys; -0 is 0.
fn order_of(k: u8) -> u64 = u64(k);
fn order_of(k: u16) -> u64 = u64(k);
fn order_of(k: u32) -> u64 = u64(k);
fn order_of(k: u64) -> u64 = k;
fn order_of(k: i8) -> u64 = u64(i32(k) + 128);
fn order_of(k: i16) -> u64 = u64(i32(k) + 32768);
fn order_of(k: i32) -> u64 = u64(i64(k) + (1i64 << 31));
fn order_of(k: i64) -> u64 = u64(k) + (1u64 << 63);
fn order_of(k: bool) -> u64 = u64(k);
fn signed(bits: u64, top: u64) -> u64 = bits == top ? top : bits < top ? bits + top : 2 * top - 1 - bits;
fn order_of(k: f16) -> u64 = signed(u64(bit_cast<u16>(k)), 1u64 << 15);
fn order_of(k: bf16) -> u64 = signed(u64(bit_cast<u16>(k)), 1u64 << 15);
fn order_of(k: f32) -> u64 = signed(u64(bit_cast<u32>(k)), 1u64 << 31);
fn order_of(k: f64) -> u64 {
    let bits = bit_cast<u64>(k);
    return bits >> 63 == 0 || bits << 1 == 0 ? bits | (1u64 << 63) : ~bits;
}

fn before(p: Odd, q: Odd) -> bool = bits_of(p) < bits_of(q);
fn before(p: Affine, q: Affine) -> bool = p.b != q.b ? p.b < q.b : p.a < q.a;
fn before(p: Holes, q: Holes) -> bool = p.b != q.b ? p.b < q.b : p.c != q.c ? p.c > q.c : p.a < q.a;
fn before(p: Matrix, q: Matrix) -> bool = bits_of(p) < bits_of(q);

// Stable, by insertion.
fn sort_serial<F: fn>(at: inout u32[], less: F) {
    for (i in 1..at.len) {
        let v = at[i];
        var j = i;
        while (j > 0 && less(v, at[j - 1])) {
            at[j] = at[j - 1];
            j -= 1;
        }
        at[j] = v;
    }
}
"""

SIGNED = ["i8", "i16", "i32", "i64"]
UNSIGNED = ["u8", "u16", "u32", "u64"]
INTS = SIGNED + UNSIGNED
FLOATS = ["f16", "bf16", "f32", "f64"]
NUMBERS = INTS + FLOATS
STRUCTS = ["Affine", "Odd", "Holes", "Wide", "Matrix", "Many", "(u32, u64)"]
VECTORS = ["u32x4", "f32x4"]
TYPES = NUMBERS + STRUCTS + VECTORS + ["bool"]
BYTES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "Affine": 8, "Odd": 3, "Holes": 16, "Wide": 24,
         "Matrix": 16, "(u32, u64)": 16, "u32x4": 16, "f32x4": 16, "Fields": 12, "Many": 36,
         "bool": 1}
BYTES.update({name: int(name[1:]) // 8 for name in INTS})

# An item from the bits w. Sums of 4096 items are exact in their type, or almost certainly so.
ITEMS = {name: f"{name}(w)" for name in INTS}
ITEMS.update({
    "f16": "f16(i32(w % 7) - 3)",
    "bf16": "bf16(i32(w % 3) - 1)",
    "f32": "f32(i32(w % 2001) - 1000)",
    "f64": "f64(i32(w % 2001) - 1000)",
    "Affine": "Affine(u32(w) | 1, u32(w >> 32))",
    "Odd": "Odd(u8(w) | 1, u8(w >> 8), u8(w >> 16))",
    "Holes": "Holes(w | 1, u8(w >> 24), u32(w >> 32))",
    "Wide": "Wide(w | 1, rotate_left(w, 17), ~w)",
    "Matrix": "matrix(w)",
    "Many": "many(w)",
    "bool": "(w & 1) == 0",
    "(u32, u64)": "(u32(w >> 20), w | 1)",
    "u32x4": "u32x4(u32(w), u32(w >> 32), u32(w >> 16), u32(w >> 8))",
    "f32x4": "f32x4(f32(u32(w & 255)), f32(u32(w >> 8 & 255)), f32(u32(w >> 16 & 255)), 1)",
})
# A key from the bits w.
ITEMS["Fields"] = "Fields(i8(w), key_f32(w >> 6), (w >> 2 & 1) == 0, u16(w >> 40) & 7)"
KEYS = {name: f"{name}(w)" for name in INTS}
KEYS.update({name: f"key_{name}(w)" for name in FLOATS})
# The types that < orders; with zeros of both signs.
ORDERED = dict(ITEMS, **{name: f"small({name}(0), w)" for name in FLOATS})


class Operator:
    """An operator: its text in a call, and as the oracle applies it."""

    def __init__(self, name, types, text=None, applied=None, commutes=True):
        self.name, self.types, self.commutes = name, types, commutes
        self.text, self.applied = text or name, applied or f"{name}({{}}, {{}})"

    def of(self, a, b):
        return self.applied.format(a, b)


SUMS = NUMBERS + VECTORS
BITS = INTS + ["u32x4", "bool"]
OPERATORS = [
    Operator("+", SUMS, applied="{} + {}"),
    Operator("sum", SUMS, "|a, b| a + b", "{} + {}"),
    Operator("*", INTS, applied="{} * {}"),
    Operator("&", BITS, applied="{} & {}"),
    Operator("|", BITS, applied="{} | {}"),
    Operator("^", BITS, applied="{} ^ {}"),
    Operator("min", NUMBERS),
    Operator("max", NUMBERS),
    Operator("largest", NUMBERS, "|a, b| b > a ? b : a", "max({}, {})"),
    Operator("then", INTS + STRUCTS, commutes=False),
    Operator("first", TYPES, commutes=False),
    Operator("last", TYPES, commutes=False),
]
