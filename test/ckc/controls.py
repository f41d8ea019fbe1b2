#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""controls.py - checks that no message of ckc contains a control character that a terminal would
execute.

Usage: controls.py CKC FOLDER. Each command has ESC, U+009B and U+202E in a name, a text or a file
that a message repeats. Python runs the commands, since lit's files can't contain such bytes.
"""
import os
import re
import subprocess
import sys

EVIL = "\x1b[31m\x9b31m\u202e\x7f\x08"
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
KERNEL = "kernel k(x: inout f32[4]) launch(block = 4, grid = 1) "
TEXTS = {
    "import": f'import "{EVIL}.ck";',
    "static_assert": f'static_assert(1 == 2, "{EVIL}");',
    "stray": f"const {EVIL} = 1;",
    "text": f'kernel k() {{ let x = "{EVIL}"; }}',
    "comment": f"/* {EVIL} */ const A: u8 = 300;",
}
TESTS = {
    "name": f"// NAME: {EVIL}\n// CALL: k(x=ones:4)\n// EXPECT: x = 5\n" + KERNEL + "{ }",
    "call": f"// CALL: k(x={EVIL})\n" + KERNEL + "{ }",
    "word": f"// EXPECT {EVIL}\n" + KERNEL + "{ }",
    "assert": "// CALL: k(x=ones:4)\n" + KERNEL + f'{{ assert(x[0] == 2, "{EVIL}"); }}',
    "output": "// CALL: k(x=ones:4)\n// EXPECT-OUTPUT: no\n" + KERNEL + f'{{ print("{EVIL}\\n"); }}',
}


def main():
    ckc, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "k.ck")
    commands = [(["%s.ck" % EVIL], None), (["run", path, EVIL], KERNEL + "{ }"), (["--%s" % EVIL], None),
                (["run", path, "k", "x=" + EVIL, "--device=host"], KERNEL + "{ }"),
                (["run", path, "k", f"{EVIL}=1", "--device=host"], KERNEL + "{ }"), ([EVIL], None),
                ([path, "--emit=" + EVIL], KERNEL + "{ }"), ([path, f"-DA{EVIL}=1"], KERNEL + "{ }"),
                (["explain", EVIL], None), ([path, f"-W{EVIL}"], KERNEL + "{ }"),
                (["run", path, "k", "x=@%s/e.npy" % folder, "--device=host"], KERNEL + "{ }")]
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (4,), }" % EVIL
    data = head.encode().ljust(117) + b"\n"
    with open(folder + "/e.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(data).to_bytes(2, "little") + data + bytes(16))
    commands += [([path, "--stop-after=check"], text) for text in TEXTS.values()]
    commands += [(["test", path, "--device=host", "--verbose"], text) for text in TESTS.values()]
    failed = 0
    for words, text in commands:
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text + "\n")
        run = subprocess.run([ckc] + words, capture_output=True, timeout=60)
        said = (run.stderr + run.stdout).decode("utf-8", "replace")
        if CONTROL.search(said) or not run.returncode or not said:
            failed += 1
            print(f"{words!r}: exit {run.returncode}, {said!r}")
    print(f"{len(commands) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
