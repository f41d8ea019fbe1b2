#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare_outputs.py - compares the output of two compilers for every program in the tree.

    compare_outputs.py --before=CKC --after=CKC [--lib=FOLDER] [--jobs=2] [--show=10] [FILE...]

Each .ck file of examples/, lib/ and test/, or the files named, is compiled by both to every form
below. Output, messages and exit status are compared byte for byte, except for the time and the
compiler's name. For each form the table shows how many files gave the same bytes, were refused with
the same messages, and differ; --show of those that differ are named. Exit status 0 if none differs.

Messages and line tables name lines of the library. --lib gives both the same one, so that a comment
in lib/ makes no difference.
"""
import argparse
import concurrent.futures
import glob
import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FORMS = {
    "host LLVM IR": ["--target=host", "--emit=llvm"],
    "GPU LLVM IR": ["--target=sm_90", "--backend=nvptx", "--emit=llvm"],
    "NVVM IR": ["--target=sm_90", "--backend=libnvvm", "--emit=nvvm"],
    "PTX, NVPTX": ["--target=sm_90", "--backend=nvptx", "--emit=ptx"],
    "PTX, libNVVM": ["--target=sm_90", "--backend=libnvvm", "--emit=ptx"],
    "manifest": ["--target=sm_90", "--emit=manifest"],
    "header": ["--target=sm_90", "--emit=header"],
}


def compiled(ckc, path, options):
    """Returns exit status, output and messages of one compilation."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        run = subprocess.run([ckc, path, *options, "-o", out], capture_output=True, cwd=TOP, check=False)
        data = b""
        if os.path.exists(out):
            with open(out, "rb") as file:
                data = file.read()
        clean = [part.replace(os.fsencode(folder), b"").replace(os.fsencode(ckc), b"ckc")
                 for part in (data, run.stdout, run.stderr)]
        return run.returncode, clean


def compare(options, path):
    """For each form: "same", "refused" or "differs"."""
    found = {}
    for form, words in FORMS.items():
        before, after = (compiled(ckc, path, words + options.lib) for ckc in (options.before, options.after))
        found[form] = "differs" if before != after else "refused" if before[0] else "same"
    return path, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--before", required=True, type=os.path.abspath)
    parser.add_argument("--after", required=True, type=os.path.abspath)
    parser.add_argument("--lib", type=lambda folder: ["--lib=" + os.path.abspath(folder)], default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=10)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    files = options.files or sorted(
        os.path.relpath(path, TOP) for folder in ("examples", "lib", "test")
        for path in glob.glob(os.path.join(TOP, folder, "**", "*.ck"), recursive=True))
    counts = {form: {"same": 0, "refused": 0, "differs": 0} for form in FORMS}
    different = {form: [] for form in FORMS}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, found in pool.map(lambda path: compare(options, path), files):
            for form, what in found.items():
                counts[form][what] += 1
                if what == "differs":
                    different[form].append(path)
    print(f"{len(files)} files{'':14} same  refused  differs")
    for form, count in counts.items():
        print(f"{form:24}{count['same']:8}{count['refused']:9}{count['differs']:9}")
    for form, paths in different.items():
        for path in paths[:options.show]:
            print(f"{form}: {path}")
    return 1 if any(different.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
