#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch_softmax.py - the peer of softmax_rows in kernels.c: PyTorch's softmax of 65536 rows of 4096.

Needs PyTorch and a GPU. Timed as kernels.c does: 10 calls between two events, the median of 15.
Prints CSV: peer,kernel,shape,median_us.
"""
import statistics

import torch

ROWS, COLUMNS, BATCH, ROUNDS = 65536, 4096, 10, 15


def batch(x):
    """Microseconds of one call."""
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(BATCH):
        torch.softmax(x, 1)
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1e3 / BATCH


def main():
    x = torch.rand(ROWS, COLUMNS, device="cuda")
    for _ in range(3):
        batch(x)
    print("peer,kernel,shape,median_us")
    median = statistics.median(batch(x) for _ in range(ROUNDS))
    print(f"torch,softmax_rows,{ROWS}x{COLUMNS},{median:.3f}")


if __name__ == "__main__":
    main()
