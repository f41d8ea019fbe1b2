#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""links_test.py - checks the links in documents.

Usage: links_test.py FILE.md...: every [text](path#heading) that is not a web address has to name an
existing file, and a heading in it.
"""
import os
import re
import sys


def read(path):
    """Returns the text without code blocks."""
    with open(path, encoding="utf-8") as file:
        return re.sub(r"(?ms)^```.*?^```", "", file.read())


def anchors(path):
    """Returns the anchors that hosting sites create for headings: lower case, no punctuation, - for
    blanks."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
            for heading in re.findall(r"(?m)^#+ (.*)$", read(path))}


def main(*documents):
    wrong = 0
    for document in documents:
        for target in re.findall(r"\]\(([^)\s]+)\)", read(document)):
            if re.match(r"\w+:", target):
                continue
            path, _, anchor = target.partition("#")
            path = os.path.join(os.path.dirname(document), path) if path else document
            if not os.path.exists(path) or anchor and anchor not in anchors(path):
                print(f"{document}: '{target}' leads nowhere")
                wrong += 1
    print(f"{wrong} links lead nowhere")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
