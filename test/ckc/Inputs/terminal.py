# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""terminal.py - runs a command in a pseudo-terminal, and copies its output."""
import pty
import sys

pty.spawn(sys.argv[1:])
