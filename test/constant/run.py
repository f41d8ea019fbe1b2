#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py - compares constants with what kernels compute: operators, conversions, functions.

    run.py --ckc=build/bin/ckc --seed=0 --count=1400 [--gpu] [--seconds=480] [--keep=FOLDER]

generate.py writes the kernels of a seed, which must store the same bits: computed at run time, as
constants of several kinds, and by Python. They run on the host device at -O0 and -O2, and with
--gpu also on the GPU through libNVVM and NVPTX. test/random/runner.py runs them, and has further
options. Seeds 0 to N - 1 are the N operations (generate.py --coverage says how many) in order,
seeds from N on the same ones with other operands.

Differences and compile errors are printed at once with their seed: generate.py --seed=S writes its
text. The last line is `N agree, N differ`, in operations. Exit status 0 if none differs.
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
HOST = [("host -O0", "host", "none", 0, 0), ("host -O2", "host", "none", 2, 0)]

if __name__ == "__main__":
    options = runner.options("operations", 20, 20)
    options.add_argument("--filter", metavar="NAME", help="of this operation alone, as `f16(x, round = up)`")
    sys.exit(runner.run(options.parse_args(), generate, HOST))
