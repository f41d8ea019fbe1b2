# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""explain_test.py - examples of `ckc explain` give the messages that they explain.

    explain_test.py CKC

An example is a module, statements of a kernel, the kernel's words behind its parameters, or a
value: one of these readings gives the id. What is no program by itself is listed here.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

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
# Not a program: bytes, limits, options of the command line, what another program says.
NO_EXAMPLE = {"nesting", "define_unknown", "symbol_clash", "import_read", "import_cycle",
              "import_clash", "needs_sm"}


def gives(ckc, reading, example, diagnostic):
    text = reading.format(example).encode()
    run = subprocess.run([ckc, "-", "--stop-after=uniform", "--target=host"], input=text, check=False,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return b"error: " in run.stderr and f"[{diagnostic}]".encode() in run.stderr


def check(ckc, diagnostic):
    page = subprocess.run([ckc, "explain", diagnostic], check=True, stdout=subprocess.PIPE)
    lines = page.stdout.decode().split("\n")
    if len(lines) < 3:
        return "no page"
    example = "\n".join(line[4:] for line in lines if line.startswith("    "))
    example = re.sub(r" {3,}// .*", "", example)
    if not example or diagnostic in NO_EXAMPLE:
        return None
    if any(gives(ckc, reading, example, diagnostic) for reading in READINGS):
        return None
    return f"the example does not give it: {example}"


def main(ckc):
    table = subprocess.run([ckc, "explain"], check=True, stdout=subprocess.PIPE).stdout.decode()
    names = [line.split()[0] for line in table.splitlines()]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda name: check(ckc, name), names))
    for name, text in zip(names, found):
        if text:
            print(f"{name}: {text}")
    print(f"{found.count(None)} as expected, {len(found) - found.count(None)} not")
    return 1 if any(found) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
