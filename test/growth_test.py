# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""growth_test.py - checks that the compile time grows with the size of a program, not with its
square.

    growth_test.py CKC [--target=TARGET] [--backend=B] [--only=NAME] [--size=N]

Each row of PROGRAMS grows in one respect: n statements, n levels of nesting, n functions that call
each other, a struct of n bytes. Each is compiled with n and with 4 n. It fails if n takes more than
LIMIT seconds, or 4 n more than RATIO times as long as n. A row that fails is measured again, up to
TRIES times, and the least time of each size counts: other processes can only make a compile slower.
The compiler may refuse a size with a message that has an id: a limit of the language. The last line
is `N grow, N wrong`.
"""
import argparse
import os
import resource
import subprocess
import sys

LIMIT, RATIO, SMALL = 4.0, 13.0, 0.25  # times below SMALL seconds are not compared
TRIES = 4


def kernel(body, before="", params="n: u32, x: inout f32[n], z: inout u32[n]"):
    return f"{before}\nkernel k({params}) launch(block = 32, grid = 1)\n{{\n{body}\n}}\n"


def calls_twice(n):
    """Each function calls the previous one twice: inlined without sharing, these would be 2^n
    calls. Of up to 16 functions all calls are inlined, so that growth counts from there."""
    last = n // 8 + 17
    text = "fn fun0(v: f32) -> f32 = v + 1.0;\n"
    for i in range(1, last + 1):
        text += f"fn fun{i}(v: f32) -> f32 = fun{i - 1}(v) * fun{i - 1}(v + {i}.0);\n"
    return kernel(f"x[0] = fun{last}(x[1]);", text)


PROGRAMS = {
    "statements": lambda n: kernel("\n".join(f"x[{i}] = x[{i + 1}] * 2.0;" for i in range(n))),
    "variables": lambda n: kernel("\n".join(f"let v{i} = x[{i}] + {i}.0;" for i in range(n)) +
                                  "x[0] = " + " + ".join(f"v{i}" for i in range(min(n, 900))) + ";"),
    "assignments": lambda n: kernel("var s = 0.0;" + "\n".join(f"s = s * 0.5 + x[{i}];" for i in range(n)) + "x[0] = s;"),
    "sum": lambda n: kernel("x[0] = " + " + ".join(f"x[{i}]" for i in range(n)) + ";"),
    "parentheses": lambda n: kernel("x[0] = " + "(" * n + "x[1]" + ")" * n + ";"),
    "negations": lambda n: kernel("x[0] = " + "-(" * n + "x[1]" + ")" * n + ";"),
    "products": lambda n: kernel("x[0] = " + "x[1] * (" * n + "x[1]" + ")" * n + ";"),
    "choices": lambda n: kernel("x[0] = " + "".join(f"n == {i} ? x[{i}] : " for i in range(n)) + "0.0;"),
    "ands": lambda n: kernel("if (" + " && ".join(f"x[{i}] > 0" for i in range(n)) + ") x[0] = 1;"),
    "ifs": lambda n: kernel("".join(f"if (z[{i}] > {i}) {{ z[{i}] += 1;\n" for i in range(n)) + "}" * n),
    "ifs-flat": lambda n: kernel("".join(f"if (z[{i}] > {i}) {{ z[{i}] += x[{i}] > 0 ? 1 : 2; }}\n" for i in range(n))),
    "loops": lambda n: kernel("".join(f"for (k{i} in 0..n) {{\n" for i in range(n // 8 + 1)) + "x[0] += 1;" + "}" * (n // 8 + 1)),
    "loops-flat": lambda n: kernel("".join(f"for (i in 0..n) x[i] += {i}.0;\n" for i in range(n))),
    "blocks": lambda n: kernel("{" * n + "x[0] = 1;" + "}" * n),
    "functions": lambda n: kernel("x[0] = " + " + ".join(f"fun{i}(x[{i}])" for i in range(min(n, 900))) + ";",
                                  "\n".join(f"fn fun{i}(v: f32) -> f32 = v * {i}.0;" for i in range(n))),
    "calls": lambda n: kernel(f"x[0] = fun{n}(x[1]);", "fn fun0(v: f32) -> f32 = v;\n" +
                              "\n".join(f"fn fun{i}(v: f32) -> f32 {{ return fun{i - 1}(v) + 1.0; }}" for i in range(1, n + 1))),
    "calls-twice": calls_twice,
    "recursion": lambda n: kernel("z[0] = f(z[1]);", "fn f(v: u32) -> u32 = v < 2 ? v : " +
                                  " + ".join(f"f(v - {1 + i % 2})" for i in range(n // 8 + 2)) + ";"),
    "unroll": lambda n: kernel(f"unroll for (i in 0..{n}) x[i] = x[i] * 2.0 + f32(i);"),
    "unroll-if": lambda n: kernel(f"var s = 0.0; unroll for (i in 0..{n}) {{ if (s > x[i]) s += x[i % 4]; }} x[0] = s;"),
    "unroll-nested": lambda n: kernel(f"unroll for (i in 0..16) {{ unroll for (j in 0..{n // 16 + 1}) x[i * 16 + j] += f32(i * j); }}"),
    "struct-bytes": lambda n: kernel(f"var p: P; p.b[z[0]] = 1; let q = f(p); z[1] = q.b[z[2]];",
                                     f"struct P {{ b: u8[{n}]; n: u32; }}\nfn f(p: P) -> P {{ var q = p; q.b[q.n] = 2; q.n += 1; return q; }}"),
    "struct-compared": lambda n: kernel("var p: P; var q: P; p.b[z[0]] = 1.0; q.b[z[1]] = 1.0; if (p == q) z[2] = 1;",
                                        f"struct P {{ b: f32[{n}]; n: u32; }}"),
    "array-passed": lambda n: kernel("z[0] = f(t(z[0]));", f"fn t(v: u32) -> u32[{n}] {{ var a: u32[{n}]; a[v] = v; return a; }}\n"
                                     f"fn f(a: u32[{n}]) -> u32 {{ return a[3] + a[4]; }}"),
    "array-captured": lambda n: kernel(f"var a: u32[{n}]; a[z[0]] = 2; let f = |i: u32| a[i] + 1; z[0] = f(z[1]) + f(z[2]);"),
    "list": lambda n: kernel("z[0] = t[z[1]];", "const t: u32[" + str(n) + "] = [" + ", ".join(str(i * i % 65536) for i in range(n)) + "];"),
    "list-local": lambda n: kernel("let t = [" + ", ".join(f"z[{i % 7}]" for i in range(n)) + "]; z[0] = t[z[1]];"),
    "switch": lambda n: kernel("switch (z[0]) {" + "".join(f"case {i}: z[1] = {i * 3};\n" for i in range(n)) + "default: z[1] = 0; }"),
    "enum": lambda n: kernel("z[0] = u32(E.v1);", "enum E: u32 {" + ", ".join(f"v{i}" for i in range(n)) + "}"),
    "constants": lambda n: kernel("z[0] = c1;", "\n".join(f"const c{i}: u32 = {i};" for i in range(n))),
    "comments": lambda n: kernel("x[0] = 1;", "/* c */ // d\n" * n),
    "lambdas": lambda n: kernel("\n".join(f"let fun{i} = |v: f32| v * {i}.0;" for i in range(n)) +
                                "x[0] = " + " + ".join(f"fun{i}(x[{i}])" for i in range(min(n, 900))) + ";"),
    "instances": lambda n: kernel("\n".join(f"z[{i}] = f<{i}>(z[0]);" for i in range(n)), "fn f<const N: u32>(v: u32) -> u32 { return v * N; }"),
    "generic-depth": lambda n: kernel(f"z[0] = f<{min(n // 16 + 1, 50)}>(z[0]);",
                                      "fn f<const N: u32>(v: u32) -> u32 { comptime if (N == 0) return v; else return f<N - 1>(v + N); }"),
    "shared": lambda n: kernel("".join(f"{{ shared s{i}: f32[32]; s{i}[thread.x] = x[{i}]; block.sync(); x[{i}] = s{i}[31 - thread.x]; block.sync(); }}\n" for i in range(n // 8 + 1))),
    "shared-outermost": lambda n: kernel("\n".join(f"shared s{i}: f32[32];" for i in range(n // 8 + 1)) +
                                         "".join(f"s{i}[thread.x] = x[{i}]; block.sync(); x[{i}] = s{i}[31 - thread.x]; block.sync();\n" for i in range(n // 8 + 1))),
    "shared-loops": lambda n: kernel("shared a: f32[32]; shared b: f32[32];" + "".join(f"for (k{i} in 0..n) {{ a[{i % 32}] = 1; block.sync();\n" for i in range(n // 8 + 1)) +
                                     "b[thread.x] = 1;" + "block.sync(); }" * (n // 8 + 1)),
    "barriers": lambda n: kernel("\n".join(f"x[thread.x + {i}] += 1.0; block.sync();" for i in range(n // 8 + 1))),
    "prints": lambda n: kernel("\n".join(f'print("{{}} {{}}", x[{i}], {i});' for i in range(n // 4))),
    "names": lambda n: kernel("x[0] = 1;", "\n".join(f"fn name_{i:0>60}(v: f32) -> f32 = v;" for i in range(n))),
    "long-name": lambda n: kernel(f"let {'a' * n} = 1.0; x[0] = {'a' * n};"),
    "overloads": lambda n: kernel("z[0] = f(z[0], z[1]);", "\n".join(f"struct S{i} {{ v: u32; }} fn f(a: u32, b: S{i}) -> u32 = a;" for i in range(n // 4)) + "fn f(a: u32, b: u32) -> u32 = a;"),
    "errors": lambda n: kernel("\n".join(f"x[{i}] = missing_{i};" for i in range(n))),
    "tuples": lambda n: kernel("let t = " + "(" * (n // 8) + "1.0" + ", 2.0)" * (n // 8) + ";"),
}


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compile_time(args, text, seconds):
    """Returns the processor time in seconds, which does not depend on other processes, and an error
    text."""
    start = cpu_seconds()
    try:
        command = [args.ckc, "-", f"--target={args.target}", "-o", os.devnull]
        if args.backend:
            command.append(f"--backend={args.backend}")
        run = subprocess.run(command, input=text.encode(), capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return seconds, "timeout"
    refused = run.returncode == 1 and b"[" in run.stderr
    status = "" if run.returncode == 0 else "refused" if refused else f"exit {run.returncode}: {run.stderr.decode()[-300:]}"
    return cpu_seconds() - start, status


def is_slow(small, large):
    return small >= LIMIT or (large > SMALL and large > RATIO * max(small, SMALL / RATIO))


def measure(args, program):
    """Returns the least seconds of both sizes, and the error text of each."""
    small = large = float("inf")
    for _ in range(TRIES):
        once, status = compile_time(args, program(args.size), LIMIT)
        small = min(small, once)
        once, more = compile_time(args, program(4 * args.size), RATIO * LIMIT) if status == "" else (0, "")
        large = min(large, once)
        if status or more or not is_slow(small, large):
            break
    return small, status, large, more


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ckc")
    parser.add_argument("--target", default="host")
    parser.add_argument("--backend", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    wrong = 0
    rows = [name for name in PROGRAMS if not args.only or name == args.only]
    for name in rows:
        small, status, large, more = measure(args, PROGRAMS[name])
        bad = status not in ("", "refused") or more not in ("", "refused")
        slow = is_slow(small, large if not more else 0)
        wrong += bad or slow
        if bad or slow or args.verbose:
            print(f"{name}: {small:.2f} s {status}, of 4 times the size {large:.2f} s {more}")
    print(f"{len(rows) - wrong} grow, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
