#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py - runs random programs (generate.py) on several configurations and compares all bits.

    run.py --ckc=build/bin/ckc --seed=1 --count=200 [--gpu] [--seconds=480] [--keep=FOLDER]

The host device at -O0 and -O2; with --gpu also the GPU by libNVVM and by NVPTX; with --check also a
checked build for the host, which says when a program has a race or leaves an extent. runner.py does it.

What differs or is not compiled is printed at once with its seed. Then lines and blocks that it does
not need are taken out, for at most --reduce seconds. --keep=FOLDER gets both texts. The last line is
`N agree, N differ`, with how many did not run when --seconds were over; exit 0 if none differs.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE]

# pylint: disable=wrong-import-position
import generate
import runner

# name, device, back end, level, flags: as serve.c reads them
HOST = [("host -O0", "host", "none", 0, 0), ("host -O2", "host", "none", 2, 0)]

if __name__ == "__main__":
    sys.exit(runner.run(runner.options("programs", 20, 60).parse_args(), generate, HOST))
