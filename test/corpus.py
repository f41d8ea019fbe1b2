# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus.py - compares ckc's messages for the broken programs of test/corpus with those checked in.

    corpus.py CKC FOLDER            compares with NAME.txt beside each NAME.ck, byte for byte
    corpus.py CKC FOLDER --write    writes NAME.txt: read each before you check it in
"""
import difflib
import glob
import os
import re
import sys

from messages import Messages


def output(messages, folder, name):
    with open(f"{folder}/{name}", "rb") as file:
        is_right, log = messages.of(file.read(), "check", name)
    if is_right:
        return f"it compiles\n{log}"
    return re.sub(r"^(lib/\w+\.ck):\d+:", r"\1:N:", log, flags=re.M)


def main(ckc, folder, *options):
    names = sorted(os.path.basename(path) for path in glob.glob(folder + "/*.ck"))
    with Messages(ckc) as messages:
        texts = [output(messages, folder, name) for name in names]
    failed = 0
    for name, text in zip(names, texts):
        path = f"{folder}/{name[:-3]}.txt"
        if "--write" in options:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            continue
        with open(path, encoding="utf-8") as file:
            wanted = file.read()
        if text == wanted:
            continue
        failed += 1
        sys.stdout.writelines(difflib.unified_diff(
            wanted.splitlines(True), text.splitlines(True), path, "ckc's"))
    print(f"{len(names) - failed} as expected, {failed} not")
    return 1 if failed or len(names) < 150 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
