#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate.py - writes random CK programs: typed, terminating, free of data races.

    generate.py --seed 7 --count 4 > four.ck

Program S is a function `p0` that all threads of a block call. What it works out goes into its row
of y; threads write nothing but their own elements, and meet at the function's outermost level.
Results are the same bits on every target, by construction:

- A program has either products and quotients of floats or sums of them, so that nothing is fused.
- No function of libm; the bits of a NaN are never looked at, nor the sign of a zero from min, max.
- Atomic operations commute, and the value from before is not used.
"""
import argparse
import random

INTS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
SCALARS = ["bool"] + INTS + FLOATS
THREADS, BLOCK = 128, 64
WIDTH = {"bool": 8, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}
WIDTH.update({name: int(name[1:]) for name in INTS})
BITS = {8: "u8", 16: "u16", 32: "u32", 64: "u64"}
NARROWER = {"i16": ["i8"], "i32": ["i8", "i16"], "i64": ["i8", "i16", "i32"], "u16": ["u8"],
            "u32": ["u8", "u16"], "u64": ["u8", "u16", "u32"], "f32": ["f16", "bf16"],
            "f64": ["f16", "bf16", "f32"]}
# Parameters that each program has, handed on by name.
SPANS = [(f"x_{name}", "in", name, "[]") for name in SCALARS] + [
    ("m2", "in", "i32", "[,]"), ("m3", "in", "u8", "[,,]"), ("z", "inout", "u32", "[]"),
    ("zf", "inout", "f32", "[]"), ("acc", "inout", "u32", "[]"), ("y", "inout", "u64", "[,]")]
EXTENTS = {"m2": "[128, 4]", "m3": "[4, 8, 4]"}

COMMON = """\
fn bits_of(x: bool) -> u64 = u64(x);
fn bits_of<T: int>(x: T) -> u64 = u64(x);
fn bits_of(x: f16) -> u64 = x != x ? 1 : u64(bit_cast<u16>(x));
fn bits_of(x: bf16) -> u64 = x != x ? 1 : u64(bit_cast<u16>(x));
fn bits_of(x: f32) -> u64 = x != x ? 1 : u64(bit_cast<u32>(x));
fn bits_of(x: f64) -> u64 = x != x ? 1 : bit_cast<u64>(x);
fn plus_zero<T: float>(x: T) -> T = x == 0 || x != x ? T(0) : x;
fn mixed(h: u64, v: u64) -> u64 = rotate_left(h, 7) * 0x9E3779B97F4A7C15 + v;
fn twice<T: type, F: fn>(a: T, f: F) -> T = f(f(a));
fn folded<T: type, const N: u32, F: fn>(v: T[N], f: F) -> T {
    var r = v[0];
    for (i in 1..N) r = f(r, v[i]);
    return r;
}
struct Both<A: type, B: type> {
    a: A;
    b: B;
    fn swapped -> Both<B, A> = Both(self.b, self.a);
}
"""


class Program:
    """One program's text. A scope is a list of (expression, type, can be assigned)."""

    def __init__(self, seed, index):
        self.rng = random.Random(seed)
        self.index, self.prefix = index, f"p{index}_"
        self.products = self.rng.random() < 0.5
        self.lines, self.scopes, self.names = [], [], 0
        self.functions, self.structs = [], []
        self.indent = 0

    # ---- text --------------------------------------------------------------------------------

    def line(self, text):
        self.lines.append("    " * self.indent + text)

    def open(self, text):
        self.line(text + " {")
        self.indent += 1
        self.scopes.append([])

    def close(self):
        self.scopes.pop()
        self.indent -= 1
        self.line("}")

    def name(self, letter="v"):
        self.names += 1
        return f"{letter}{self.names}"

    def chance(self, share):
        return self.rng.random() < share

    def pick(self, values):
        return self.rng.choice(values)

    def declare(self, name, kind, changes=False):
        self.scopes[-1].append((name, kind, changes))

    # ---- types -------------------------------------------------------------------------------

    def scalar(self):
        return self.pick(SCALARS)

    def literal(self, kind):
        rng = self.rng
        if kind == "bool":
            return self.pick(["true", "false"])
        if kind in FLOATS:
            value = self.pick(["0.5", "1.0", "2.0", "3.0", "0.25", "100.0", "1.5", "7.0"])
            return self.pick(["", "-"]) + value + kind
        width = WIDTH[kind]
        top = (1 << (width - (kind[0] == "i"))) - 1
        value = self.pick([0, 1, 2, 3, 5, 7, top, top - 1, top >> 1, rng.randint(0, top)])
        text = hex(value) if self.chance(0.2) else str(value)
        return f"(-{text}{kind})" if kind[0] == "i" and self.chance(0.3) else text + kind

    def variables(self, kind, changes=False):
        return [name for scope in self.scopes for name, type_, can in scope
                if type_ == kind and (can or not changes)]

    def leaf(self, kind):
        known = self.variables(kind)
        if known and self.chance(0.8):
            return self.pick(known)
        return self.literal(kind)

    def runtime(self, kind):
        """A value that the compiler does not know: a constant 0 as a divisor is an error."""
        return f"x_{kind}[(t + {self.rng.randint(0, THREADS - 1)}) % {THREADS}]"

    # ---- expressions -------------------------------------------------------------------------

    def value(self, kind, depth):
        if depth <= 0 or self.chance(0.1):
            return self.leaf(kind)
        ways = [self.choice, self.call, self.converted, self.of_aggregate]
        own = self.boolean if kind == "bool" else self.real if kind in FLOATS else self.whole
        way = own if self.chance(0.65) else self.pick(ways)
        return way(kind, depth - 1)

    def choice(self, kind, depth):
        return f"({self.value('bool', depth)} ? {self.value(kind, depth)} : {self.value(kind, depth)})"

    def call(self, kind, depth):
        fitting = [f for f in self.functions if f[2] == kind]
        if not fitting:
            return self.leaf(kind)
        name, params, _ = self.pick(fitting)
        arguments = [f"{p}({self.value(p, depth - 1)})" if self.chance(0.2) else
                     self.value(p, depth - 1) for p in params]
        return f"{name}({', '.join(arguments)})"

    def converted(self, kind, depth):
        source = self.scalar()
        return f"{kind}({self.value(source, depth)})"

    def of_aggregate(self, kind, depth):
        way = self.rng.randint(0, 7)
        one, two = self.value(kind, depth - 1), self.value(kind, depth - 1)
        index = f"{self.value('u32', depth - 1)} & 1"
        if way == 0:
            return f"Both<{kind}, i32>({one}, {self.value('i32', 0)}).swapped.b"
        if way == 1:
            return f"({one}, {self.value(self.scalar(), 0)})[0]"
        if way == 2 and kind != "bool":
            return f"vec<{kind}, 2>({one}, {two}).{self.pick(['x', 'y', 'yx.x', 'xyxy.w'])}"
        if way == 3 and kind != "bool":
            return f"vec<{kind}, 4>(vec<{kind}, 2>({one}), {two}, {one})[{self.rng.randint(0, 3)}]"
        if way == 4:
            return f"[{kind}({one}), {two}][{index}]"
        if way == 5:
            lam = self.name("a")
            self.scopes.append([(lam, kind, False)])
            body = self.value(kind, depth - 1)
            self.scopes.pop()
            return f"twice({kind}({one}), |{lam}: {kind}| {kind}({body}))"
        if way == 6 and kind != "bool":
            return (f"select(vec<{kind}, 2>({one}, {two}) < vec<{kind}, 2>({two}), "
                    f"vec<{kind}, 2>({one}), vec<{kind}, 2>({two})).x")
        return self.choice(kind, depth)

    def boolean(self, kind, depth):
        way = self.rng.randint(0, 7)
        if way == 0:
            return f"!{self.value(kind, depth)}"
        if way == 1:
            op = self.pick(["&&", "||", "&", "|", "^", "==", "!="])
            return f"({self.value(kind, depth)} {op} {self.value(kind, depth)})"
        if way == 2:
            other = self.pick(INTS + FLOATS)
            word = self.pick(["any", "all"])
            return (f"{word}(vec<{other}, 2>({self.value(other, depth)}, {self.value(other, depth)})"
                    f" < {self.runtime(other)})")
        other = self.pick(INTS + FLOATS)
        op = self.pick(["<", "<=", ">", ">=", "==", "!="])
        return f"({self.value(other, depth)} {op} {self.value(other, depth)})"

    def whole(self, kind, depth):
        way = self.rng.randint(0, 13)
        one = self.value(kind, depth)
        if way == 0:
            return f"{self.pick('-~+')}({one})"
        if way in (1, 2):
            return f"({one} {self.pick('/%')} ({self.value(kind, depth)} ^ {self.runtime(kind)}))"
        if way in (3, 4):
            count = self.pick(INTS)
            if self.chance(0.5):
                return f"({one} {self.pick(['<<', '>>'])} {self.rng.randint(0, WIDTH[kind] - 1)})"
            return f"({one} {self.pick(['<<', '>>'])} {kind}({self.runtime(count)}))"
        if way == 5:
            word = self.pick(["min", "max", "add_sat", "sub_sat"])
            return f"{word}({one}, {self.value(kind, depth)})"
        if way == 6:
            return f"clamp({one}, {self.value(kind, depth)}, {self.value(kind, depth)})" \
                if False else f"abs({one})"
        if way == 7:
            return f"{kind}({self.pick(['popcount', 'clz', 'ctz'])}({one}))"
        if way == 8:
            if kind[0] == "u":
                return f"{self.pick(['rotate_left', 'rotate_right'])}({one}, {self.value('u32', depth)})"
            return f"brev({one})"
        if way == 9 and WIDTH[kind] > 8:
            return f"bswap({one})"
        if way == 10 and WIDTH[kind] >= 32:
            return f"mul_hi({one}, {self.value(kind, depth)})"
        if way == 11:
            floating = self.pick(FLOATS)
            return f"{kind}(bits_of({self.value(floating, depth)}))"
        other = self.value(kind, depth)
        if kind in NARROWER and self.chance(0.2):
            narrow = self.pick(NARROWER[kind])
            other = self.pick(self.variables(narrow) or [self.runtime(narrow)])
        return f"({one} {self.pick('+-*&|^+-*')} {other})"

    def real(self, kind, depth):
        way = self.rng.randint(0, 8)
        one, other = self.value(kind, depth), self.value(kind, depth)
        if way == 0:
            return f"-({one})"
        if way == 1:
            return f"{self.pick(['min', 'max'])}(plus_zero({one}), plus_zero({other}))"
        if way == 2:
            return f"abs({one})"
        if way == 3:
            return f"sqrt({one})"
        if way == 4:
            return f"{self.pick(['floor', 'ceil', 'trunc', 'rint'])}({one})"
        if self.products:
            if way == 5:
                return f"fma({one}, {other}, {self.value(kind, depth)})"
            return f"({one} {self.pick('*/')} {other})"
        return f"({one} {self.pick('+-')} {other})"

    # ---- statements --------------------------------------------------------------------------

    def block(self, count, depth):
        for _ in range(count):
            self.statement(depth)

    def statement(self, depth):
        ways = [self.binding] * 4 + [self.assignment] * 5 + [self.aggregate] * 2
        if depth > 0:
            ways += [self.condition, self.condition, self.loop, self.loop, self.fuelled]
        self.pick(ways)(depth)

    def binding(self, _):
        kind, changes = self.scalar(), self.chance(0.6)
        value = self.value(kind, 3)
        name = self.name()
        typed = f": {kind}" if changes or self.chance(0.3) else ""
        value = value if typed else f"{kind}({value})"
        self.line(f"{'var' if changes else 'let'} {name}{typed} = {value};")
        self.declare(name, kind, changes)

    def assignment(self, _):
        kind = self.scalar()
        known = self.variables(kind, True)
        if not known:
            return
        name, value = self.pick(known), self.value(kind, 3)
        if kind in INTS and self.chance(0.6):
            op = self.pick(["+", "-", "*", "&", "|", "^", "/", "%", "<<", ">>"])
            value = f"{value} ^ {self.runtime(kind)}" if op in ("/", "%", "<<", ">>") else value
            self.line(f"{name} {op}= {value};")
        elif kind in INTS and self.chance(0.2):
            self.line(f"{name}{self.pick(['++', '--'])};")
        elif kind in FLOATS and self.chance(0.4):
            self.line(f"{name} {self.pick('*/' if self.products else '+-')}= {value};")
        else:
            self.line(f"{name} = {value};")

    def aggregate(self, depth):
        way = self.rng.randint(0, 5)
        kind, name = self.pick(INTS + FLOATS), self.name()
        one, two, index = self.value(kind, 2), self.value(kind, 2), self.value("u32", 1)
        if way == 0:
            self.line(f"var {name} = [{kind}({one}), {two}, {self.value(kind, 1)}, {two}];")
            self.line(f"{name}[{index} & 3] = {self.value(kind, 2)};")
            self.declare(f"{name}[({index}) & 3]", kind)
            if kind in INTS:
                self.declare(f"folded({name}, {self.pick(['+', '^', 'max', '|p, q| p - q'])})", kind)
        elif way == 1:
            size = self.pick([2, 3, 4, 8, 16])
            self.line(f"var {name} = vec<{kind}, {size}>({one});")
            self.line(f"{name}.{self.pick(['xy = ', 'yx = '])}vec<{kind}, 2>({two}, {one});")
            op = self.pick("+-*&|^") if kind in INTS else self.pick("*/" if self.products else "+-")
            self.line(f"{name} {op}= {self.pick([name, kind + '(' + two + ')'])};")
            self.declare(f"{name}[{self.rng.randint(0, size - 1)}]", kind, True)
            if kind in INTS or not self.products:
                self.declare(f"sum({name})", kind)
        elif way == 2 and self.structs:
            struct, fields = self.pick(self.structs)
            values = [self.value(k, 2) for _, k in fields]
            self.line(f"var {name} = {self.prefix}{struct}({', '.join(values)});")
            for field, k in fields:
                self.declare(f"{name}.{field}", k, True)
        elif way == 3:
            other, second = self.scalar(), self.name()
            self.line(f"var ({name}, {second}) = ({kind}({one}), {other}({self.value(other, 2)}));")
            self.declare(name, kind, True)
            self.declare(second, other, True)
        elif way == 4:
            a, b = self.name("a"), self.name("a")
            self.scopes.append([(a, kind, False), (b, kind, False)])
            body = self.value(kind, 2)
            self.scopes.pop()
            self.line(f"let {name} = |{a}: {kind}, {b}: {kind}| {kind}({body});")
            self.declare(f"{name}({two}, {one})", kind)
        else:
            self.line(f"z[t] = {self.value('u32', 2)};")
            self.line(f"zf[t] = {self.value('f32', 2)};")
        del depth

    def condition(self, depth):
        self.open(f"if ({self.value('bool', 3)})")
        self.block(self.rng.randint(1, 3), depth - 1)
        self.close()
        if self.chance(0.5):
            self.open("else")
            self.block(self.rng.randint(1, 2), depth - 1)
            self.close()

    def loop(self, depth):
        counter, kind = self.name("c"), self.pick(INTS)
        low = self.rng.randint(0, 100)
        unroll = self.pick(["", "", "unroll ", "unroll(2) "])
        text = f"{low}{kind}..{low + self.rng.randint(0, 5)}{kind}"
        if unroll != "unroll " and self.chance(0.5):
            # 24 at most: the range of a type that narrow ends by itself.
            text = f"{low}{kind}..{kind}({low} + ({self.value('i32', 1)} & 7))"
        if self.chance(0.3):
            text = f"({text}).step({self.rng.randint(1, 4)})"
        self.open(f"{unroll}for ({counter} in {text})")
        self.declare(counter, kind)
        self.block(self.rng.randint(1, 3), depth - 1)
        if unroll != "unroll " and self.chance(0.3):
            self.line(f"if ({self.value('bool', 2)}) {self.pick(['break', 'continue'])};")
            self.statement(0)
        self.close()

    def fuelled(self, depth):
        fuel = self.name("fuel")
        self.line(f"var {fuel} = {self.rng.randint(1, 6)};")
        self.open(f"while ({fuel} > 0 && {self.value('bool', 2)})")
        self.line(f"{fuel}--;")
        self.block(self.rng.randint(1, 3), depth - 1)
        self.close()

    # ---- what threads do together, at the outermost level -------------------------------------

    def together(self):
        way, name = self.rng.randint(0, 5), self.name()
        kind = self.pick(INTS + FLOATS)
        value = self.value(kind, 2)
        if way == 0:
            own = self.name("mem")
            self.line(f"shared {own}: {kind}[{BLOCK}];")
            self.line(f"{own}[thread.x] = {value};")
            self.line("block.sync();")
            self.line(f"let {name} = {own}[(thread.x + {self.rng.randint(0, 99)}) % {BLOCK}];")
            self.line("block.sync();")
        elif way == 1:
            word = self.pick(["shuffle", "shuffle_up", "shuffle_down", "shuffle_xor", "broadcast"])
            self.line(f"let {name} = warp.{word}({kind}({value}), {self.rng.randint(0, 31)});")
        elif way == 2:
            kind = "u32"
            self.line(f"let {name} = warp.ballot({self.value('bool', 2)});")
        elif way == 3:
            kind = "bool"
            self.line(f"let {name} = warp.{self.pick(['any', 'all'])}({self.value('bool', 2)});")
        elif way == 4:
            kind = self.pick(INTS)
            word = self.pick(["sum", "min", "max", "and", "or", "xor"])
            group = self.pick(["warp", "warp.tile<8>", "warp.tile<2>"])
            self.line(f"let {name} = {group}.{word}({kind}({self.value(kind, 2)}));")
        else:
            word = self.rng.randint(0, 3)
            what = ["add", "xor", "min", "max"][word]
            self.line(f"atomic.{what}(acc[{4 * self.index + word}], {self.value('u32', 2)});")
            return
        self.declare(name, kind)

    # ---- the whole ---------------------------------------------------------------------------

    def helper(self):
        params = [self.scalar() for _ in range(self.rng.randint(1, 3))]
        result = self.scalar()
        # Of one name: functions with another number of parameters.
        name = f"{self.prefix}f"
        if any(f[0] == name and f[1] == params for f in self.functions):
            return
        if self.chance(0.3) or any(len(f[1]) == len(params) for f in self.functions if f[0] == name):
            name = self.prefix + self.name("f")
        self.open(f"fn {name}({', '.join(f'a{i}: {k}' for i, k in enumerate(params))}) -> {result}")
        for i, kind in enumerate(params):
            self.declare(f"a{i}", kind)
        runtime, self.runtime = self.runtime, lambda kind: f"{kind}(a0)"
        self.block(self.rng.randint(0, 3), 1)
        self.lines = [text for text in self.lines if "z[t]" not in text and "zf[t]" not in text]
        if self.chance(0.3):
            self.line(f"if ({self.value('bool', 2)}) return {self.value(result, 2)};")
        self.line(f"return {self.value(result, 3)};")
        self.runtime = runtime
        self.close()
        self.functions.append((name, params, result))

    def generic(self):
        name, kind = self.prefix + self.name("g"), self.pick(INTS)
        ops = [self.pick(["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"]) for _ in range(3)]
        self.line(f"fn {name}<T: int>(a: T, b: T) -> T = (a {ops[0]} b) {ops[1]} (b {ops[2]} a);")
        self.functions.append((name, [kind, kind], kind))

    def struct(self):
        name = self.name("S")
        fields = [(f"m{i}", self.scalar()) for i in range(self.rng.randint(1, 4))]
        self.line(f"struct {self.prefix}{name} {{ {' '.join(f'{f}: {k};' for f, k in fields)} }}")
        if self.structs and self.chance(0.6):
            inner, inside = self.pick(self.structs)
            outer = self.name("S")
            self.line(f"struct {self.prefix}{outer} {{ q: {self.prefix}{inner}; r: {self.prefix}{name}[2]; }}")
            del inside
        self.structs.append((name, fields))

    def text(self):
        for _ in range(self.rng.randint(1, 2)):
            self.struct()
        for _ in range(self.rng.randint(1, 3)):
            self.helper()
        self.generic()
        params = ", ".join(f"{n}: {a} {k}{e}" for n, a, k, e in SPANS)
        self.open(f"fn p{self.index}(t: u32, {params})")
        for kind in SCALARS:
            name = self.name()
            self.line(f"{self.pick(['let', 'var'])} {name} = x_{kind}[t];")
            self.declare(name, kind, self.lines[-1].strip().startswith("var"))
        self.declare(f"m2[t, {self.rng.randint(0, 3)}]", "i32")
        self.declare(f"m3[t / 32, (t / 4) % 8, {self.rng.randint(0, 3)}]", "u8")
        self.declare("z[t]", "u32", True)
        self.declare("zf[t]", "f32", True)
        for _ in range(self.rng.randint(2, 4)):
            self.block(self.rng.randint(1, 4), 2)
            self.together()
        self.line("var h = 0u64;")
        for name, kind, _ in self.scopes[-1]:
            if kind in SCALARS:
                self.line(f"h = mixed(h, bits_of({name}));")
        self.line(f"y[{self.index}, t] = h;")
        self.close()
        return "\n".join(self.lines) + "\n"


def kernel(programs):
    """The kernel that calls all programs, one after the other."""
    lines = ["kernel programs("]
    for name, access, kind, _ in SPANS:
        extents = EXTENTS.get(name, f"[{THREADS}]")
        extents = f"[{4 * programs}]" if name == "acc" else extents
        extents = f"[{programs}, {THREADS}]" if name == "y" else extents
        lines.append(f"    {name}: {access} {kind}{extents}{',' if name != 'y' else ')'}")
    lines += [f"    launch(block = {BLOCK}, grid = {THREADS // BLOCK})", "{",
              "    let t = u32(grid.thread_rank);"]
    names = ", ".join(span[0] for span in SPANS)
    lines += [f"    p{index}(t, {names});" for index in range(programs)]
    return "\n".join(lines + ["}"]) + "\n"


def generate(seeds):
    """A module with the programs of these seeds."""
    parts = [COMMON] + [Program(seed, index).text() for index, seed in enumerate(seeds)]
    return "\n".join(parts + [kernel(len(seeds))])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seed", type=int, default=1, help="of the first program; then one more each")
    parser.add_argument("--count", type=int, default=1, help="programs in the module")
    args = parser.parse_args()
    print(generate(range(args.seed, args.seed + args.count)), end="")


if __name__ == "__main__":
    main()
