#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py - compares what lib/block and lib/warp do with plain loops, in random configurations.

    run.py --ckc=build/bin/ckc --seed=1 --count=2000 [--gpu] [--seconds=480] [--keep=FOLDER]

generate.py writes a configuration's two kernels, the call and its oracle. Both run on the host device
at -O1, with --gpu also on the GPU by libNVVM and by NVPTX; all results have to be the same bits.
test/random/runner.py does it, and has the other options.

What differs or is not compiled is printed at once with its seed: generate.py --seed=S is its text. The
last line is `N agree, N differ`, with how many did not run when --seconds were over; exit 0 if none
differs.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "random")]

# pylint: disable=wrong-import-position
import generate
import runner

# name, device, back end, level, flags: as serve.c reads them
HOST = [("host -O1", "host", "none", 1, 0)]

if __name__ == "__main__":
    options = runner.options("configurations", 10, 0)
    options.add_argument("--filter", metavar="NAME", choices=generate.names(), help="of this row alone")
    sys.exit(runner.run(options.parse_args(), generate, HOST))
