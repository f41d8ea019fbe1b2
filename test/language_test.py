#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""language_test.py - checks that every sentence of docs/language.md is covered by a test.

    language_test.py DOCUMENT INDEX            compares
    language_test.py DOCUMENT INDEX --write    updates the index, with "?" where a test has to be
                                               named

The index contains each sentence and each table row of the document, under its heading. Below it,
indented, stands its evidence:

    PATH: TEXT      the test PATH under test/, which contains TEXT: its description, or the line
                    that matters
    example: TEXT   an example of the same chapter that contains TEXT; it is compiled, and its CALLs
                    are run
    - WHY           no behaviour to test: it `says` what follows or how to read, or is `advice`

A changed sentence counts as a new one, so that its tests are looked at again. At least one of the
names in backquotes in a sentence has to occur in its evidence.
"""
import difflib
import os
import re
import sys

REASONS = {"says", "advice"}
KEYWORDS = {"in", "out", "let", "var", "fn", "x", "y", "n", "a", "b", "v", "p", "i", "f", "s"}


def sentences_of(text):
    """Returns (chapter, sentence) in order, and the code blocks of each chapter."""
    chapter, found, blocks, paragraph = "", [], {}, []

    def flush():
        if paragraph:
            found.extend((chapter, one) for one in split(" ".join(paragraph)))
            paragraph.clear()

    lines = iter(text.split("\n"))
    for line in lines:
        stripped = line.strip()
        if stripped.startswith("```"):
            flush()
            code = []
            for inner in lines:
                if inner.startswith("```"):
                    break
                code.append(inner)
            if stripped.startswith("```ck"):
                blocks.setdefault(chapter, []).append("\n".join(code))
        elif line.startswith("#"):
            flush()
            chapter = line.lstrip("# ")
        elif stripped.startswith("|"):
            flush()
            cells = [cell.strip() for cell in stripped.strip("|").split(" | ")]
            if re.fullmatch(r"[|\s]*---[-|\s]*", stripped):
                found.pop()  # the row above was the table's head
            else:
                found.append((chapter, ("| " + " | ".join(cells)).rstrip()))
        elif not stripped:
            flush()
        else:
            if line.startswith("- "):
                flush()
                stripped = stripped[2:]
            paragraph.append(stripped)
    flush()
    return found, blocks


def split(text):
    """Splits text into sentences: after a full stop and a blank, but not inside code."""
    codes = []
    text = re.sub(r"`[^`]*`", lambda m: codes.append(m.group(0)) or f"\0{len(codes) - 1}\0", text)
    parts = re.split(r"(?<=[.?!])\s+(?=[A-Z\0\[*0-9])|(?<=:)\s+(?=[A-Z])", text)
    return [re.sub(r"\0(\d+)\0", lambda m: codes[int(m.group(1))], part) for part in parts]


def read_index(path):
    """Returns rows of (chapter, sentence, [evidence])."""
    rows, chapter = [], ""
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith("# "):
                chapter = line[2:]
            elif line.startswith("    "):
                rows[-1][2].append(line.strip())
            elif line and not line.startswith("//"):
                rows.append((chapter, line, []))
    return rows


def words_of(sentence):
    codes = " ".join(re.findall(r"`([^`]*)`", sentence))
    return {w for w in re.findall(r"[A-Za-z_]\w+", codes) if not w.isupper()} - KEYWORDS


def read_test(path):
    """Returns the text of a lit test, of the table that a test reads, of a ctest program, or of a
    broken program with its messages."""
    if not path.endswith((".ck", ".test", ".c", ".def")) or not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if "/corpus/" in path:
        with open(path[:-2] + "txt", encoding="utf-8") as file:
            return text + file.read()
    return text if path.endswith(".def") or "RUN:" in text or "TEST(" in text or "RUN(" in text else None


def wrong_with(row, folder, blocks):
    """Returns what is wrong with a row's evidence, as a text, or None."""
    chapter, sentence, evidence = row
    if not evidence or "?" in evidence:
        return "no test is named"
    seen = ""
    for one in evidence:
        kind, _, quote = one.partition(": ")
        if one.startswith("- "):
            if one[2:].split()[0] not in REASONS:
                return f"'{one[2:]}' is no reason: {', '.join(sorted(REASONS))}"
            return None
        if kind == "example":
            text = "\n".join(blocks.get(chapter, []))
        else:
            text = read_test(os.path.join(folder, kind))
            if text is None:
                return f"there is no test {kind}"
        if not quote or quote not in text:
            return f"'{quote}' does not stand in {kind}"
        seen += text
    words = words_of(sentence)
    if words and not any(word in seen for word in words):
        return f"none of {' '.join(sorted(words))} stands in {evidence[0]}"
    return None


def write(path, wanted, rows):
    """Writes the index: unchanged sentences keep their evidence, a changed one keeps it after a ?.
    """
    old = {row[:2]: row[2] for row in rows}
    texts = [row[1] for row in rows]
    lines, last = ["// What shows each sentence of docs/language.md: see language_test.py."], None
    for chapter, sentence in wanted:
        if chapter != last:
            lines += ["", f"# {chapter}"]
            last = chapter
        lines.append(sentence)
        evidence = old.get((chapter, sentence))
        if evidence is None:
            near = difflib.get_close_matches(sentence, texts, 1, 0.7)
            evidence = ["?"] + (next(r[2] for r in rows if r[1] == near[0]) if near else [])
        lines += ["    " + one for one in evidence]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main(document, index, *options):
    with open(document, encoding="utf-8") as file:
        wanted, blocks = sentences_of(file.read())
    rows = read_index(index) if os.path.exists(index) else []
    if "--write" in options:
        write(index, wanted, rows)
        return 0
    failed = 0
    have = {row[:2] for row in rows}
    for chapter, sentence in wanted:
        if (chapter, sentence) not in have:
            failed += 1
            print(f"{document}: {chapter}: no test is named for: {sentence}")
    for row in rows:
        why = "is no sentence any more" if row[:2] not in wanted else \
            wrong_with(row, os.path.dirname(index), blocks)
        if why:
            failed += 1
            print(f"{index}: {row[0]}: {row[1][:60]}...: {why}")
    if failed:
        print(f"run {sys.argv[0]} {document} {index} --write, and name a test at each ?")
    print(f"{len(wanted)} sentences, {failed} wrong")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
