# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus.py - what ckc says to the broken programs of test/corpus.

    corpus.py CKC FOLDER            compares with NAME.txt beside each NAME.ck, byte for byte
    corpus.py CKC FOLDER --write    writes them: read each before it is checked in
"""
import concurrent.futures
import difflib
import glob
import os
import re
import subprocess
import sys


def output(ckc, folder, name):
    run = subprocess.run([ckc, name, "--target=host", "--stop-after=check"], cwd=folder, check=False,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if run.returncode != 1:
        return f"ckc ends with {run.returncode}\n{run.stderr.decode()}"
    return re.sub(r"^(lib/\w+\.ck):\d+:", r"\1:N:", run.stderr.decode(), flags=re.M)


def main(ckc, folder, *options):
    ckc = os.path.abspath(ckc)
    names = sorted(os.path.basename(path) for path in glob.glob(folder + "/*.ck"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        texts = list(pool.map(lambda name: output(ckc, folder, name), names))
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
