# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""explain_test.py - checks that the examples of `ckc explain` cause the messages that they explain,
and that the correction below each of them compiles.

    explain_test.py CKC FOLDER      FOLDER has diag.def and explain.def: one row per error, in the
                                    same order

An example is a module, statements of a kernel, the part of a kernel's declaration after its
parameters, or an expression: in one of these readings it causes the message, and the correction
compiles in the same reading. Messages whose examples are not programs are listed here.
"""
import re
import sys

from messages import Messages

KERNEL = "kernel k_(n: u32, b: bool, a: f32, x: in f32[n], y: out f32[n], m: in f32[n, n])"
READINGS = [
    "{}",
    KERNEL + " {{ {} }}",
    KERNEL + " {{ let v_ = {}; }}",
    KERNEL + " {} {{ }}",
    "kernel k_(n: u32, a: u32, b: u32, c: u32, d: u32, e: u32, {}) {{ }}",
    "kernel saxpy(n: u32) {{ }} export {};",
    "fn zero<T: number>() -> T = 0; " + KERNEL + " {{ let v_ = {}; }}",
]
# Not caused by a program text: bytes, limits, command-line options, messages of other programs.
NO_EXAMPLE = {"export_lost", "no_kernels", "nesting", "define_unknown", "tuning_row", "tuning_read", "tuning_stale", "symbol_clash", "import_read", "import_cycle",
              "import_clash", "needs_sm"}
# The correction is outside of the program text.
NO_WAY_OUT = NO_EXAMPLE | {"import_missing"}


def check(messages, diagnostic):
    page = messages.page(diagnostic)
    if not page:
        return "no page"
    codes = [re.sub(r" {3,}// .*", "", line[4:]) for line in page.split("\n")
             if line.startswith("    ")]
    if not codes or diagnostic in NO_EXAMPLE:
        return None
    if diagnostic not in NO_WAY_OUT and len(codes) != 2:
        return f"{len(codes)} lines of code: one that gives it and one that is right are needed"
    wrong = f"the example does not give it: {codes[0]}"
    for reading in READINGS:
        log = messages.of(reading.format(codes[0]), "uniform")[1]
        if not ("error: " in log or "warning: " in log) or f"[{diagnostic}]" not in log:
            continue
        if diagnostic in NO_WAY_OUT:
            return None
        is_right, log = messages.of(reading.format(codes[1]), "uniform")
        if is_right and f"[{diagnostic}]" not in log:
            return None
        wrong = f"what should be right does not compile: {codes[1]}\n{log}"
    return wrong


def ids_of(path, macro):
    with open(path, encoding="utf-8") as file:
        return re.findall(rf"(?m)^{macro}\((\w+),\s*(\w*)", file.read())


def main(ckc, folder):
    names = [name for name, kind in ids_of(f"{folder}/diag.def", "DIAG") if kind in ("ERROR", "WARNING")]
    pages = [name for name, _ in ids_of(f"{folder}/explain.def", "EXPLAIN")]
    if names != pages:
        at = next((a or b for a, b in zip(names + [""], pages + [""]) if a != b), "")
        print(f"explain.def has not diag.def's errors in their order, from '{at}' on")
        return 1
    with Messages(ckc) as messages:
        found = [check(messages, name) for name in names]
    for name, text in zip(names, found):
        if text:
            print(f"{name}: {text}")
    print(f"{found.count(None)} as expected, {len(found) - found.count(None)} not")
    return 1 if any(found) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
