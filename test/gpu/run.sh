#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh - all that runs, on this machine's GPU: by both back ends, compared with each other, with
# the host device and with NumPy. Needs a build or both packages, a driver and python3 with NumPy; suite.py
# --help lists the options.
exec "${CK_PYTHON:-python3}" "$(dirname "$0")/suite.py" "$@"
