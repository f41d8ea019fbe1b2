# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""all_targets.py - compiles FILE to a cubin for every GPU of front/target.def, with every back end.

Usage: all_targets.py CKC target.def FILE BACKEND...
"""
import concurrent.futures
import re
import subprocess
import sys


def compile_one(job):
    target, backend = job
    command = [sys.argv[1], sys.argv[3], "--emit=cubin", f"--target={target}",
               f"--backend={backend}", "-o", f"{sys.argv[4]}.{target}.{backend}"]
    return job, subprocess.run(command, capture_output=True, text=True, check=False)


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        rows = re.findall(r"(?m)^TARGET\((\d+),\s*(?:0|'(\w)'),\s*\d+,\s*\w+,\s*(\w+),\s*\d+\)", file.read())
    jobs = [(f"sm_{sm}{suffix}", backend) for sm, suffix, nvptx in rows
            for backend in sys.argv[5:] if backend == "libnvvm" or nvptx == "YES"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(compile_one, jobs))
    for (target, backend), result in results:
        if result.returncode:
            print(f"{target} by {backend}: {result.stderr}")
    failed = sum(result.returncode != 0 for _, result in results)
    print(f"{len(jobs) - failed} compiled, {failed} failed")
    return 1 if failed or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
