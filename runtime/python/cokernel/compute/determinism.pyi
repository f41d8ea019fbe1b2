# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The types of determinism.py.
import enum

class Determinism(enum.IntEnum):
    NOT_GUARANTEED = 0
    RUN_TO_RUN = 1
    GPU_TO_GPU = 2
