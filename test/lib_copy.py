# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lib_copy.py - copies lib/ with changes, for ckc's --lib.

edited(FOLDER, EDITS) copies lib/, or a package's share/cokernel/lib/, to FOLDER and makes each edit, (regular
expression, replacement), in the files of device/. It ends the program if the library has no place for one.
"""
import glob
import os
import re
import shutil
import sys


def edited(folder, edits):
    top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    library = next(path for path in (top + "/lib", top + "/share/cokernel/lib") if os.path.exists(path + "/core.ck"))
    shutil.copytree(library, folder, dirs_exist_ok=True)
    found = [0] * len(edits)
    for path in glob.glob(os.path.join(folder, "device", "*.ck")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for i, (what, by) in enumerate(edits):
            text, count = re.subn(what, by, text)
            found[i] += count
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    missing = [what for (what, _), count in zip(edits, found) if not count]
    if missing:
        sys.exit(f"the library has no {' and no '.join(missing)}")
