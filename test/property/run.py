#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py - compares the functions of lib/block and lib/warp with plain loops, in random
configurations.

    run.py --ckc=build/bin/ckc --seed=1 --count=2000 [--gpu] [--seconds=480] [--keep=FOLDER]

generate.py writes the two kernels of a configuration, the call and its oracle. Both run on the host
device at -O1, and with --gpu also on the GPU through libNVVM and NVPTX; all results must have the
same bits. test/random/runner.py runs them, and has further options.

Differences and compile errors are printed at once with their seed: generate.py --seed=S writes its
text. The last line is `N agree, N differ`, with the number of those that were not run in --seconds.
Exit status 0 if none differs.
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
