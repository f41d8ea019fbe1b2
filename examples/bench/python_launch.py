#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python_launch.py - what a launch of a kernel with three arrays costs from Python, beside other libraries.

    python_launch.py [--json FILE]

Each row is the time of one call that puts a kernel into a stream: the least of some rounds, in each of which
the calls of a batch are made, and then the stream is waited for outside of the measured time. On a GPU the
peers are cuda.core, CuPy's RawKernel, Triton and Numba, as far as they are installed; without one, the rows
are those of the host device. `over C` is what Python adds to the call of the C library.
"""
import argparse
import json
import os
import sys
import time

for folder in ("../../build/python", "../../python"):
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import cokernel as ck  # noqa: E402

BATCH, ROUNDS = 500, 30
CK = """
kernel add(x: in f32[], y: in f32[], z: out f32[]) launch(block = 256, grid = ceil_div(x.len, 256))
{
    let i = grid.thread_rank;
    if (i < x.len) z[i] = x[i] + y[i];
}
kernel add_n(n: u64, x: in f32[n], y: in f32[n], z: out f32[n]) launch(block = 256, grid = ceil_div(n, 256))
{
    let i = grid.thread_rank;
    if (i < n) z[i] = x[i] + y[i];
}
"""
CUDA = r"""
extern "C" __global__ void add(const float *x, const float *y, float *z, unsigned long long n)
{
    unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}
"""
N = 256


def measure(call, wait):
    """The least seconds of a call."""
    best = 1.0
    call()
    wait()
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(BATCH):
            call()
        best = min(best, (time.perf_counter() - start) / BATCH)
        wait()
    return best


def own_rows(device):
    """Views made beforehand, with the C call as the first row."""
    m = ck.compile(CK, device=device)
    x, y, z = (ck.view(ck.zeros(N, "f32", device=device)) for _ in range(3))
    stream = ck.Stream(device)
    base = 1.0
    for _ in range(ROUNDS):
        base = min(base, m.add.measure(BATCH, x, y, z, stream=stream))
        stream.sync()
    yield "the C call, ck_launch_args", base, base
    add, add_n, wait = m.add, m.add_n, stream.sync
    yield "views, by position", measure(lambda: add(x, y, z, stream=stream), wait), base
    yield "views, by name", measure(lambda: add(x=x, y=y, z=z, stream=stream), wait), base
    yield "views, n from the shapes", measure(lambda: add_n(x=x, y=y, z=z, stream=stream), wait), base
    with stream:
        yield "views, `with stream:`", measure(lambda: add(x, y, z), wait), base
    with ck.graph(device) as g:
        add(x, y, z)
    yield "a graph of one launch", measure(lambda: g.launch(stream), wait), base


def numpy_rows():
    import numpy as np
    m = ck.compile(CK)
    x, y, z = (np.zeros(0, "f4") for _ in range(3))
    stream = ck.Stream("host")
    base = m.add.measure(100 * BATCH, x, y, z, stream=stream)
    add = m.add
    yield "NumPy, no elements: the C call", base, base
    yield "NumPy, no elements", measure(lambda: add(x, y, z, stream=stream), stream.sync), base


def torch_rows():
    import torch
    x, y, z = (torch.zeros(N, device="cuda") for _ in range(3))
    m = ck.compile(CK)
    add, wait = m.add, torch.cuda.synchronize
    add(x, y, z)
    base = min(m.add.measure(BATCH, x, y, z) for _ in range(ROUNDS))
    wait()
    has_exchange = hasattr(torch.Tensor, "__dlpack_c_exchange_api__")
    yield f"tensors of PyTorch {torch.__version__}" + ("" if has_exchange else ", by __dlpack__"), \
        measure(lambda: add(x, y, z), wait), base
    import cokernel.torch  # noqa: F401
    functional = ck.torch.operator("bench::add", m.add_n)
    yield "the same as a custom operator, with its output", measure(lambda: functional(x, y), wait), base


def cupy_rows():
    import cupy as cp
    x, y, z = (cp.zeros(N, "f4") for _ in range(3))
    m = ck.compile(CK)
    add, wait = m.add, cp.cuda.get_current_stream().synchronize
    add(x, y, z)
    base = min(m.add.measure(BATCH, x, y, z) for _ in range(ROUNDS))
    wait()
    yield f"arrays of CuPy {cp.__version__}", measure(lambda: add(x, y, z), wait), base
    raw = cp.RawKernel(CUDA, "add")
    n = cp.uint64(N)
    yield "peer: CuPy's RawKernel", measure(lambda: raw((1,), (256,), (x, y, z, n)), wait), None


def cuda_core_rows():
    try:
        from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch
    except ImportError:
        from cuda.core.experimental import Device, LaunchConfig, Program, ProgramOptions, launch
    import ctypes
    device = Device()
    device.set_current()
    stream = device.create_stream()
    options = ProgramOptions(std="c++17", arch=f"sm_{device.arch}")
    kernel = Program(CUDA, code_type="c++", options=options).compile("cubin").get_kernel("add")
    x, y, z = (device.allocate(4 * N, stream=stream) for _ in range(3))
    config, n = LaunchConfig(grid=1, block=256), ctypes.c_uint64(N)
    yield "peer: cuda.core, its buffers", measure(lambda: launch(stream, config, kernel, x, y, z, n),
                                                  stream.sync), None


def triton_rows():
    import torch
    import triton
    import triton.language as tl

    @triton.jit
    def add(x, y, z, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(z + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)

    x, y, z = (torch.zeros(N, device="cuda") for _ in range(3))
    grid = (1,)
    yield f"peer: Triton {triton.__version__}", measure(lambda: add[grid](x, y, z, N, BLOCK=256),
                                                        torch.cuda.synchronize), None


def numba_rows():
    import numpy as np
    from numba import cuda

    @cuda.jit
    def add(x, y, z):
        i = cuda.grid(1)
        if i < x.size:
            z[i] = x[i] + y[i]

    x, y, z = (cuda.to_device(np.zeros(N, "f4")) for _ in range(3))
    configured = add[1, 256]
    yield "peer: Numba", measure(lambda: configured(x, y, z), cuda.synchronize), None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--json", help="writes the rows to a file")
    options = parser.parse_args()
    is_gpu = ck.device_count() > 0
    device = ck.Device(0) if is_gpu else ck.Device("host")
    print(f"{device.name}: microseconds a launch\n{'':48} {'a call':>8} {'over C':>8}")
    rows = []
    sources = [own_rows, *((lambda _, f=f: f()) for f in (
        (torch_rows, cupy_rows, cuda_core_rows, triton_rows, numba_rows) if is_gpu else (numpy_rows,)))]
    for source in sources:
        try:
            for name, seconds, base in source(device):
                rows.append({"name": name, "us": 1e6 * seconds,
                             "over_c_us": None if base is None else 1e6 * (seconds - base)})
                over = "" if base is None or seconds == base else f"{1e6 * (seconds - base):8.2f}"
                print(f"{name:48} {1e6 * seconds:8.2f} {over}")
        except Exception as error:  # pylint: disable=broad-except
            print(f"({type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''})")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"device": device.name, "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
