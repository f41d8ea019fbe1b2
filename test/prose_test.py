#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""prose_test.py - documents have short sentences and no history.

Usage: prose_test.py FILE.md...: reports each sentence of more than 30 words, and each commit id and date
(the change log may have dates). Code between backquotes counts as one word. Blocks of code, tables and
lists of links are left out.
"""
import re
import sys

WORDS_MAX = 30
COMMIT = re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b")
DATE = re.compile(r"\b20\d\d-\d\d-\d\d\b")


def paragraphs(text):
    """Of the prose, with blanks for everything else, so that lines keep their numbers."""
    text = re.sub(r"(?ms)^```.*?^```", lambda m: "\n" * m[0].count("\n"), text)
    lines = ["" if re.match(r"\||#|    ", line) else line for line in text.split("\n")]
    start, kept = 0, []
    for number, line in enumerate(lines + [""], 1):
        if not line.strip() or re.match(r"\s*(- |\d+\. )", line):
            if kept:
                yield start, " ".join(kept)
            kept = []
        if line.strip():
            start = start if kept else number
            kept.append(line.strip())


def main(*documents):
    wrong = 0
    for document in documents:
        with open(document, encoding="utf-8") as file:
            text = file.read()
        for number, line in enumerate(text.split("\n"), 1):
            named = COMMIT.search(re.sub(r"`[^`]*`|\]\([^)]*\)", "", line))
            dated = DATE.search(line) if not document.endswith("CHANGELOG.md") else None
            for match in filter(None, (named, dated)):
                print(f"{document}:{number}: '{match[0]}' is history")
                wrong += 1
        for number, paragraph in paragraphs(text):
            paragraph = re.sub(r"\[[^\]]*\]\([^)]*\)", "LINK", re.sub(r"`[^`]*`", "CODE", paragraph))
            for sentence in re.split(r"(?<=[.!?:])\s+(?=[A-Z0-9*(])", paragraph):
                words = len(sentence.split())
                if words > WORDS_MAX and sentence.count("LINK") + sentence.count("CODE") < words // 3:
                    print(f"{document}:{number}: {words} words: {sentence[:70]}...")
                    wrong += 1
    print(f"{wrong} places are too long, or history")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
