# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""determinism.py - what equal calls promise: see docs/algorithms.md for what each algorithm keeps."""
import enum


class Determinism(enum.IntEnum):
    """Of reduce_into. NOT_GUARANTEED is run-to-run here: equal calls on one device give equal results."""

    NOT_GUARANTEED = 0
    RUN_TO_RUN = 1
    GPU_TO_GPU = 2
