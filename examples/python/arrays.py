#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""arrays.py - a CK kernel on the arrays of other libraries, without copies, in their stream.

    arrays.py numpy|torch|cupy|jax|numba

NumPy's arrays, and JAX's without a GPU, run on the host device; the others on their GPU, PyTorch's also
inside a graph that it captures. The package is that of the build folder, or the installed one.
"""
import os
import sys

for folder in ("../../build/python", "../../python"):  # a build folder's, an unpacked package's
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import cokernel as ck  # noqa: E402

m = ck.compile("""
kernel saxpy(n: u64, a: f32, x: in f32[n], y: inout f32[n]) launch(block = 256, grid = ceil_div(n, 256))
{
    let i = grid.thread_rank;
    if (i < n) y[i] = a * x[i] + y[i];
}
""", name="arrays.ck")


def with_numpy():
    import numpy as np
    x, y = np.arange(1000, dtype="f4"), np.ones(1000, "f4")
    m.saxpy(a=2, x=x, y=y)  # n is the length of x and y
    return (y == 2 * x + 1).all()


def with_torch():
    import torch
    x, y = torch.arange(1000.0, device="cuda"), torch.ones(1000, device="cuda")
    m.saxpy(a=2, x=x, y=y)  # in PyTorch's current stream
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        m.saxpy(a=1, x=x, y=y)
    graph.replay()
    graph.replay()
    return (y == 4 * x + 1).all()


def with_cupy():
    import cupy as cp
    x, y = cp.arange(1000, dtype="f4"), cp.ones(1000, "f4")
    with cp.cuda.Stream() as theirs:
        m.saxpy(a=2, x=x, y=y)
        theirs.synchronize()
    m.saxpy(a=1, x=x, y=y, stream=cp.cuda.get_current_stream())
    return (y == 3 * x + 1).all()


def with_jax():
    import jax.numpy as jnp
    import numpy as np
    x = jnp.arange(1000, dtype="float32")  # JAX's arrays can be read, and never written
    y = ck.asarray(np.ones(1000, "f4"), device=ck.view(x).device)
    m.saxpy(a=2, x=x, y=y)
    try:
        m.saxpy(a=2, x=y, y=x)
        return False
    except ck.ArgumentError:
        return (y.numpy() == 2 * np.asarray(x) + 1).all()


def with_numba():
    import numpy as np
    from numba import cuda
    x, y = cuda.to_device(np.arange(1000, dtype="f4")), cuda.to_device(np.ones(1000, "f4"))
    m.saxpy(a=2, x=x, y=y)
    return (y.copy_to_host() == 2 * x.copy_to_host() + 1).all()


def main(kind):
    is_right = {"numpy": with_numpy, "torch": with_torch, "cupy": with_cupy, "jax": with_jax,
                "numba": with_numba}[kind]()
    print(f"saxpy on arrays of {kind}: {'right' if is_right else 'WRONG'}")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
