#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh - runs all tests on this machine's GPU, with both back ends, and compares the results with each
# other, with the host device and with NumPy. Needs a build or both packages, a driver, and python3 with
# NumPy; suite.py --help lists the options.
exec "${CK_PYTHON:-python3}" "$(dirname "$0")/suite.py" "$@"
