#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""inside_test.py - checks that the files, folders and functions that docs/inside.md names exist.

Usage: inside_test.py TOP. Three things are checked, in words between backquotes:

- a path with a slash, such as `compiler/front/lex.re`, exists;
- a function, such as `check_params()`, is defined in a file that the same section names, or, if it
  names none, anywhere in the source;
- every folder of compiler/ and of runtime/ has a heading or a row.

Blocks of code are left out: test/doc_blocks.py runs the commands in them.
"""
import glob
import os
import re
import sys

SOURCES = ("compiler/**/*.[ch]", "compiler/**/*.re", "compiler/**/*.y", "runtime/**/*.[ch]", "include/ck/*.h")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main(top):
    wrong = []
    texts = {os.path.relpath(path, top): read(path)
             for pattern in SOURCES for path in glob.glob(os.path.join(top, pattern), recursive=True)}
    text = re.sub(r"(?ms)^```.*?^```", "", read(os.path.join(top, "docs/inside.md")))
    for path in re.findall(r"`([\w.]+/[\w./-]*)`", text):
        if re.match(r"(compiler|runtime|lib|include|docs|test|\.ci)/", path) \
                and not os.path.exists(os.path.join(top, path)):
            wrong.append(f"no file '{path}'")
    for section in re.split(r"(?m)^#+ ", text):
        files = [path for path in re.findall(r"`([\w./]+\.(?:c|re|y|h))`", section) if path in texts]
        for name in re.findall(r"`(\w+)\(\)`", section):
            definition = re.compile(r"(?m)^\w[^;{}()=]*\b" + name + r"\(")
            if not any(definition.search(texts[path]) for path in files or texts):
                wrong.append(f"no function '{name}' in {' or '.join(files) or 'the source'}")
    for folder in ("compiler", "runtime"):
        for name in sorted(os.listdir(os.path.join(top, folder))):
            if os.path.isdir(os.path.join(top, folder, name)) and f"\n### {name}: " not in text:
                wrong.append(f"no heading '### {name}: ...' for {folder}/{name}/")
    print("\n".join(wrong + [f"{len(wrong)} names of docs/inside.md are wrong"]))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
