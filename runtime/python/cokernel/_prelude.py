# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_prelude.py - CK functions with Python's and NumPy's meaning, where CK's operators have C's.

A translation takes along what it calls. Of integers, division by zero gives 0, as in NumPy; shifts
by the width or more give 0, or the sign. The floats' `//` and `%` are NumPy's npy_divmod, whose
result is exact where a quotient rounds to the next integer. Complex division is Smith's method,
which doesn't overflow on the way (R. L. Smith, "Algorithm 116: Complex division", 1962).
"""

FUNCTIONS = {
    "py_floordiv_i": """fn py_floordiv_i<T: int>(a: T, b: T) -> T {
    if (b == 0) return 0;
    let q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}""",
    "py_mod_i": """fn py_mod_i<T: int>(a: T, b: T) -> T {
    if (b == 0) return 0;
    let r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}""",
    "py_floordiv_u": "fn py_floordiv_u<T: int>(a: T, b: T) -> T { if (b == 0) return 0; return a / b; }",
    "py_mod_u": "fn py_mod_u<T: int>(a: T, b: T) -> T { if (b == 0) return 0; return a % b; }",
    "py_floordiv_f": """fn py_floordiv_f<T: float>(a: T, b: T) -> T {
    if (b == 0) return a / b;
    var r = fmod(a, b);
    var q = (a - r) / b;
    if (r != 0 && (b < 0) != (r < 0)) q -= 1;
    if (q == 0) return copysign(T(0), a / b);
    let whole = floor(q);
    return q - whole > T(0.5) ? whole + 1 : whole;
}""",
    "py_mod_f": """fn py_mod_f<T: float>(a: T, b: T) -> T {
    let r = fmod(a, b);
    if (b == 0 || is_nan(r)) return r;
    if (r == 0) return copysign(T(0), b);
    return (b < 0) != (r < 0) ? r + b : r;
}""",
    "py_pow_i": """fn py_pow_i<T: int>(a: T, b: T) -> T {
    if (b < 0) return a == 1 ? 1 : a == T(0) - 1 ? (b % 2 == 0 ? 1 : a) : 0;
    var r: T = 1;
    var x = a;
    var n = b;
    while (n != 0) {
        if (n % 2 != 0) r *= x;
        n /= 2;
        if (n != 0) x *= x;
    }
    return r;
}""",
    "py_shl": "fn py_shl<T: int>(a: T, n: T) -> T { if (u64(n) < u64(8 * sizeof<T>)) return a << n; return 0; }",
    "py_shr_i": """fn py_shr_i<T: int>(a: T, n: T) -> T {
    if (u64(n) < u64(8 * sizeof<T>)) return a >> n;
    return a < 0 ? T(0) - 1 : 0;
}""",
    "py_shr_u": "fn py_shr_u<T: int>(a: T, n: T) -> T { if (u64(n) < u64(8 * sizeof<T>)) return a >> n; return 0; }",
    "py_lt_iu": "fn py_lt_iu(a: i64, b: u64) -> bool = a < 0 || u64(a) < b;",
    "py_lt_ui": "fn py_lt_ui(a: u64, b: i64) -> bool = b >= 0 && a < u64(b);",
    "py_eq_iu": "fn py_eq_iu(a: i64, b: u64) -> bool = a >= 0 && u64(a) == b;",
    "py_min": "fn py_min<T: number>(a: T, b: T) -> T = b < a ? b : a;",
    "py_max": "fn py_max<T: number>(a: T, b: T) -> T = b > a ? b : a;",
    "np_minimum": "fn np_minimum<T: float>(a: T, b: T) -> T = a < b || is_nan(a) ? a : b;",
    "np_maximum": "fn np_maximum<T: float>(a: T, b: T) -> T = a > b || is_nan(a) ? a : b;",
    "np_sign": "fn np_sign<T: float>(a: T) -> T = is_nan(a) ? a : a > 0 ? 1 : a < 0 ? T(0) - 1 : 0;",
    "np_sign_i": "fn np_sign_i<T: int>(a: T) -> T = a > 0 ? 1 : a == 0 ? 0 : T(0) - 1;",
    "np_sign_u": "fn np_sign_u<T: int>(a: T) -> T = a == 0 ? 0 : 1;",
    "np_logaddexp": """fn np_logaddexp<T: float>(a: T, b: T) -> T {
    if (a == b) return a + log(T(2));
    return a > b ? a + log1p(exp(b - a)) : a < b ? b + log1p(exp(a - b)) : a + b;
}""",
    "py_gcd": """fn py_gcd<T: int>(a: T, b: T) -> T {
    var x = a;
    var y = b;
    while (y != 0) (x, y) = (y, x % y);
    return x < 0 ? T(0) - x : x;
}""",
    "py_round": """fn py_round(a: f64) -> f64 = rint(a);""",
    "py_add_c": "fn py_add_c<T: float>(a: (T, T), b: (T, T)) -> (T, T) = (a[0] + b[0], a[1] + b[1]);",
    "py_sub_c": "fn py_sub_c<T: float>(a: (T, T), b: (T, T)) -> (T, T) = (a[0] - b[0], a[1] - b[1]);",
    "py_mul_c": """fn py_mul_c<T: float>(a: (T, T), b: (T, T)) -> (T, T) =
    (a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]);""",
    "py_div_c": """fn py_div_c<T: float>(a: (T, T), b: (T, T)) -> (T, T) {
    if (abs(b[0]) >= abs(b[1])) {
        if (b[0] == 0 && b[1] == 0) return (a[0] / abs(b[0]), a[1] / abs(b[0]));
        let r = b[1] / b[0];
        let s = 1 / (b[0] + b[1] * r);
        return ((a[0] + a[1] * r) * s, (a[1] - a[0] * r) * s);
    }
    let r = b[0] / b[1];
    let s = 1 / (b[1] + b[0] * r);
    return ((a[0] * r + a[1]) * s, (a[1] * r - a[0]) * s);
}""",
    "py_neg_c": "fn py_neg_c<T: float>(a: (T, T)) -> (T, T) = (-a[0], -a[1]);",
    "py_conj_c": "fn py_conj_c<T: float>(a: (T, T)) -> (T, T) = (a[0], -a[1]);",
    "py_abs_c": "fn py_abs_c<T: float>(a: (T, T)) -> T = hypot(a[0], a[1]);",
    "py_eq_c": "fn py_eq_c<T: float>(a: (T, T), b: (T, T)) -> bool = a[0] == b[0] && a[1] == b[1];",
}


def text_of(names):
    """The functions of these names; none calls another one."""
    return "".join(FUNCTIONS[name] + "\n" for name in sorted(names))
