# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""terminal.py - runs a command on a terminal of its own, and copies what it writes."""
import pty
import sys

pty.spawn(sys.argv[1:])
