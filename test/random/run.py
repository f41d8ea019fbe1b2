#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py - runs random programs (generate.py) in several configurations, and compares the bits of
all results.

    run.py --ckc=build/bin/ckc --seed=1 --count=200 [--gpu] [--seconds=480] [--keep=FOLDER]

The configurations are the host device at -O0 and -O2; with --gpu also the GPU through libNVVM and
NVPTX; with --check also a checked build for the host, which detects data races and indices outside
of their extents. runner.py runs the programs.

Differences and compile errors are printed at once with their seed. Then, for at most --reduce
seconds, lines and blocks that are not needed for the failure are removed. --keep=FOLDER stores both
texts. The last line is `N agree, N differ`, with the number of those that were not run in
--seconds. Exit status 0 if none differs.
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
