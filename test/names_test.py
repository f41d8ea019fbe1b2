# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""names_test.py - checks that no message mentions internal names of the library or the compiler.

    names_test.py CKC FOLDER...    the .ck files of the folders, correct and broken ones

Internal names of the library begin with two underscores; names that the compiler makes up begin
with a dot or a dollar sign. A message may repeat such a name if the program contains it. The last
line is `N files, N wrong lines`.
"""
import glob
import re
import sys

from messages import Messages

INTERNAL = re.compile(r"__\w+|(?<![\w.)\]'\"/])\.(?!ck\b)[a-z_]\w*|\$\w+|\bck\.(?!h\b)\w+")


def main(ckc, *folders):
    files = wrong = 0
    with Messages(ckc) as messages:
        for path in sorted(path for folder in folders
                           for path in glob.glob(f"{folder}/**/*.ck", recursive=True)):
            with open(path, "rb") as file:
                text = file.read()
            files += 1
            own = text.decode(errors="replace")
            for line in messages.of(text, "uniform", path)[1].split("\n"):
                names = [name for name in INTERNAL.findall(line) if name not in own and line not in own]
                if names:
                    wrong += 1
                    print(f"{path}: {', '.join(names)}: {line}")
    print(f"{files} files, {wrong} wrong lines")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
