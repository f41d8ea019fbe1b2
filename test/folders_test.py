# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""folders_test.py - checks that test/README.md has a row for each folder of test/, and that
everything named in docs/adding.md exists.

    folders_test.py TOP

A row of README.md begins with the folder's name in backquotes. In a recipe of adding.md each path
in backquotes has to exist below TOP, and each identifier in backquotes has to occur in the files of
its row. A word in capitals in a path, as in `operator-NAME.ck`, is a placeholder: only the folder
above it has to exist. The last line is `N names, N wrong`.
"""
import glob
import os
import re
import sys

CODE = re.compile(r"`([^`]+)`")
PATH = re.compile(r"[\w.*-]+(/[\w.*-]+)+/?|[\w*-]+\.(?:c|h|ck|def|py|re|y|md|txt|test)")
PLACE = re.compile(r"(?<![A-Za-z])[A-Z]{2,}(?![a-z])")


def folders_without_row(top):
    with open(f"{top}/test/README.md", encoding="utf-8") as file:
        rows = set(re.findall(r"(?m)^\| `([\w/]+)` \|", file.read()))
    there = {name for name in os.listdir(f"{top}/test")
             if os.path.isdir(f"{top}/test/{name}") and not name.startswith("__")}
    for name in sorted(there - rows):
        yield f"test/README.md: no row for the folder {name}"
    for name in sorted(name for name in rows if not os.path.isdir(f"{top}/test/{name}")):
        yield f"test/README.md: there is no folder {name}"


def found(top, path):
    """Returns the files that a path in a recipe names; for a path with a placeholder, those of the
    folder above it."""
    named = PLACE.search(path.rsplit(".", 1)[0])
    pattern = path[:named.start()].rpartition("/")[0] + "/*" if named else path
    return glob.glob(f"{top}/{pattern}", recursive=True)


def check_row(top, cells):
    """Checks a row. Returns (number of names, texts that say what is wrong)."""
    wrong, files, count = [], [], 0
    codes = [code for cell in cells for code in CODE.findall(cell)]
    for code in codes:
        path = code.split()[0]
        if not PATH.fullmatch(path):
            continue
        count += 1
        places = found(top, path)
        if "/" not in path:  # in the folder of the previous name
            places += [place for name in files for place in found(top, os.path.relpath(os.path.dirname(name), top) + "/" + path)]
        if not places:
            wrong.append(f"there is no {path}")
        files += places
    texts = ""
    for name in files:
        if os.path.isfile(name):
            with open(name, encoding="utf-8", errors="replace") as file:
                texts += file.read()
    for code in codes:
        symbol = re.fullmatch(r"([A-Za-z_]*[a-z]\w*)(\(\.*\))?", code)
        if symbol and texts and not os.path.isdir(f"{top}/{code}"):
            count += 1
            if not re.search(rf"\b{symbol[1]}\b", texts):
                wrong.append(f"'{symbol[1]}' does not stand in {', '.join(os.path.relpath(name, top) for name in files[:4])}")
    return count, wrong


def main(top):
    wrong, count = list(folders_without_row(top)), 0
    with open(f"{top}/docs/adding.md", encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            cells = line.strip().strip("|").split(" | ")
            if not line.startswith("|") or "---" in line or cells[0].strip() == "file":
                continue
            names, problems = check_row(top, cells)
            count += names
            wrong += [f"docs/adding.md:{number}: {problem}" for problem in problems]
    print("\n".join(wrong + [f"{count} names, {len(wrong)} wrong"]))
    return 1 if wrong or count < 40 else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
