# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""__main__.py - `python -m cokernel` is the command ckc."""
import os
import sys


def find_ckc():
    """The program: beside the package in a wheel, in the build folder's bin/, or along PATH."""
    here = os.path.dirname(os.path.abspath(__file__))
    for path in (f"{here}/bin/ckc", f"{here}/../../bin/ckc"):
        if os.access(path, os.X_OK):
            return path
    return "ckc"


def main():
    os.execvp(find_ckc(), ["ckc", *sys.argv[1:]])


if __name__ == "__main__":
    main()
