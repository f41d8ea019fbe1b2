#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python_compute.py - what a call of cokernel.compute costs, beside C, CuPy and cuda.compute.

    python_compute.py [--json FILE] [--n COUNT]

The first table has calls whose kernel does next to nothing: the least time of one call of a batch, in some
rounds. `over C` is what Python adds to ck_launch_args of the same program with the same arguments. The stream
is waited for outside of the measured time; on the host device the calls are inside of `with stream:` for it.

The second one is 1 - 2 + 3 - ..., by transform and counting iterators: the milliseconds until the sum is
known. The first calls are those of new processes, which have opened the device already, with empty caches
and with the caches on disk that the one before has left. A second program in the same process takes what
isn't spent once for the process alone.
"""
import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

for folder in ("../../build/python", "../../python"):
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import numpy as np  # noqa: E402

BATCH, ROUNDS, PROCESSES, LATER = 200, 40, 5, 50
SMALL = 64


def negated(v):
    return -v if v % 2 == 0 else v


def negated_too(v):  # the same of another text: another program
    return v if v % 2 != 0 else -v


def add(a, b):
    return a + b


class Place:
    """Arrays on the GPU, by CuPy, or else NumPy's on the host device; and how to wait."""

    def __init__(self):
        import cokernel as ck
        self.ck, self.is_gpu = ck, ck.device_count() > 0 and os.environ.get("CK_DEVICE") != "host"
        if self.is_gpu:
            import cupy
            self.arrays, self.wait = cupy, cupy.cuda.Device().synchronize
        else:
            self.stream = ck.Stream("host")
            self.arrays, self.wait = np, self.stream.sync
        self.device = ck.Device(0 if self.is_gpu else "host")


def measure(call, wait):
    """The least seconds of a call."""
    best = 1.0
    call()
    for _ in range(ROUNDS):
        wait()
        start = time.perf_counter()
        for _ in range(BATCH):
            call()
        best = min(best, (time.perf_counter() - start) / BATCH)
    wait()
    return best


# ---- later calls ------------------------------------------------------------------------------------


class Launch:
    """The program of a call, and the arguments that its launch has."""

    def __init__(self, place, cls, **given):
        from cokernel.compute import _engine, algorithms
        builder = _engine.Builder()
        program = algorithms.program_of(builder, cls.write(builder, **given))
        self.rows, self.result = builder.arguments(place.device.slot)
        self.kernel, self.options = program.kernel, {}
        if self.result is not None:
            self.options["result"] = self.result
        self.options["stream"] = place.ck.Stream.from_handle(0, place.device) if place.is_gpu else place.stream

    def __call__(self):
        self.kernel(*self.rows, **self.options)

    def of_c(self, wait):
        best = 1.0
        for _ in range(ROUNDS):
            best = min(best, self.kernel.measure(BATCH, *self.rows, **self.options))
            wait()
        return best


def rows_of(place, name, cls, given, **calls):
    """The C call, the launch of its program, and calls of cokernel.compute."""
    launch = Launch(place, cls, **given)
    base = launch.of_c(place.wait)
    yield f"{name}: the C call", base, base
    yield f"{name}: _core.Kernel, addresses given", measure(launch, place.wait), base
    for what, call in calls.items():
        yield f"{name}: {what.replace('_', ' ')}", measure(call, place.wait), base


def later_calls(place):
    from cokernel import compute
    from cokernel.compute import CountingIterator, OpKind, TransformIterator, ZipIterator, algorithms
    x, y, out = (place.arrays.zeros(SMALL, "i4") for _ in range(3))
    sum_, init, zero = place.arrays.zeros(1, "i8"), np.zeros(1, "i8"), np.zeros(1, "i4")
    one, small, scratch = np.int64(1), SMALL, place.arrays.zeros(1, "u1")
    given = {"d_in": x, "d_out": out, "num_items": SMALL, "op": OpKind.PLUS, "h_init": zero}
    reducer = compute.make_reduce_into(d_in=x, d_out=out, op=OpKind.PLUS, h_init=zero)
    yield from rows_of(
        place, "reduce_into", algorithms.Reduce, given,
        one_shot=lambda: compute.reduce_into(d_in=x, d_out=out, num_items=small, op=OpKind.PLUS, h_init=zero),
        a_lambda=lambda: compute.reduce_into(d_in=x, d_out=out, num_items=small, op=lambda a, b: a + b, h_init=zero),
        an_object=lambda: reducer(temp_storage=scratch, d_in=x, d_out=out, num_items=small, op=OpKind.PLUS,
                                  h_init=zero))
    kept = TransformIterator(CountingIterator(one), negated)
    given = {"d_in": kept, "d_out": sum_, "num_items": SMALL, "op": OpKind.PLUS, "h_init": init}
    yield from rows_of(
        place, "1 - 2 + 3 - ...", algorithms.Reduce, given,
        iterators_kept=lambda: compute.reduce_into(d_in=kept, d_out=sum_, num_items=small, op=OpKind.PLUS,
                                                   h_init=init),
        iterators_made_anew=lambda: compute.reduce_into(
            d_in=TransformIterator(CountingIterator(np.int64(1)), negated), d_out=sum_, num_items=small,
            op=OpKind.PLUS, h_init=init))
    given = {"d_in": ZipIterator(x, y), "d_out": out, "num_items": SMALL, "op": lambda p: p[0] + p[1]}
    scale = 3
    yield from rows_of(
        place, "unary_transform of two", algorithms.UnaryTransform, given,
        ZipIterator_made_anew=lambda: compute.unary_transform(
            d_in=ZipIterator(x, y), d_out=out, num_items=small, op=lambda p: p[0] + p[1]),
        a_captured_number_too=lambda: compute.unary_transform(
            d_in=ZipIterator(x, y), d_out=out, num_items=small, op=lambda p: p[0] + p[1] * scale))
    given = {"d_in": x, "d_out": out, "num_items": SMALL, "op": OpKind.PLUS, "init_value": zero}
    yield from rows_of(
        place, "exclusive_scan", algorithms.ExclusiveScan, given,
        one_shot=lambda: compute.exclusive_scan(d_in=x, d_out=out, num_items=small, op=OpKind.PLUS, init_value=zero))


def peers_later(place):
    """The same calls of cuda.compute and CuPy."""
    cupy = place.arrays
    x, out, total = cupy.zeros(SMALL, "i4"), cupy.zeros(1, "i4"), cupy.zeros((), "i4")
    yield "peer: CuPy, x.sum()", measure(lambda: x.sum(out=total, dtype="i4"), place.wait), None
    from cuda import compute
    zero, sum_, init = np.zeros(1, "i4"), cupy.zeros(1, "i8"), np.zeros(1, "i8")
    yield "peer: cuda.compute, reduce_into one-shot", measure(
        lambda: compute.reduce_into(d_in=x, d_out=out, num_items=SMALL, op=compute.OpKind.PLUS, h_init=zero),
        place.wait), None
    yield "peer: cuda.compute, iterators made anew", measure(
        lambda: compute.reduce_into(
            d_in=compute.TransformIterator(compute.CountingIterator(np.int64(1)), negated), d_out=sum_,
            num_items=SMALL, op=compute.OpKind.PLUS, h_init=init), place.wait), None


# ---- the founding example ---------------------------------------------------------------------------


def founding(package, place, n, op):
    """A function that gives the sum."""
    arrays = place.arrays
    if package == "cupy":
        def call():
            x = arrays.arange(1, n + 1, dtype="i8")
            return int(arrays.where(x % 2 == 0, -x, x).sum())
        return call
    if package == "cokernel":
        from cokernel import compute
    else:
        from cuda import compute
    out, init = arrays.empty(1, "i8"), np.zeros(1, "i8")

    def call():
        it = compute.TransformIterator(compute.CountingIterator(np.int64(1)), op)
        compute.reduce_into(d_in=it, d_out=out, num_items=n, op=compute.OpKind.PLUS, h_init=init)
        return int(out[0])
    return call


def one_process(package, n):
    """Prints the seconds of the first call, of later ones, and of the first call of a second program."""
    place = Place()
    call = founding(package, place, n, negated)
    place.arrays.zeros(1, "i8")[0].item()  # the device is open
    seconds = []
    for _ in range(1 + LATER):
        start = time.perf_counter()
        result = call()
        seconds.append(time.perf_counter() - start)
    want = -(n // 2) if n % 2 == 0 else (n + 1) // 2
    assert result == want, f"{package}: {result} instead of {want}"
    start = time.perf_counter()
    founding(package, place, n, negated_too)()
    second = time.perf_counter() - start
    print(json.dumps([seconds[0], statistics.median(seconds[1:]), second]))


def processes(package, n):
    """Milliseconds: the first call with empty caches, with those on disk, a later call, and the first calls of
    a second program."""
    first, disk, later, seconds = [], [], [], ([], [])
    for _ in range(PROCESSES):
        with tempfile.TemporaryDirectory() as cache:
            names = ("CK_CACHE_DIR", "CUDA_CACHE_PATH", "CUPY_CACHE_DIR", "NUMBA_CACHE_DIR")
            environment = {**os.environ, **{name: os.path.join(cache, name) for name in names}}
            for times, second in zip((first, disk), seconds):
                run = subprocess.run([sys.executable, __file__, "--process", package, "--n", str(n)], env=environment,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
                if run.returncode:
                    raise RuntimeError(run.stderr.strip().splitlines()[-1])
                one = json.loads(run.stdout.splitlines()[-1])
                times.append(one[0])
                later.append(one[1])
                second.append(one[2])
    return [1e3 * statistics.median(s) for s in (first, disk, later, *seconds)]


# -----------------------------------------------------------------------------------------------------


def attempt(rows):
    """The rows up to the first that fails, which is said."""
    try:
        yield from rows
    except Exception as error:  # pylint: disable=broad-except
        print(f"({type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--json", help="writes the rows to a file")
    parser.add_argument("--n", type=int, default=10**7, help="elements of the founding example")
    parser.add_argument("--process", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.process:
        return one_process(options.process, options.n)
    place = Place()
    print(f"{place.device.name}: microseconds a call\n{'':56} {'a call':>8} {'over C':>8}")
    found = {"device": place.device.name, "calls": [], "founding": []}
    with contextlib.nullcontext() if place.is_gpu else place.stream:
        for source in (later_calls, peers_later) if place.is_gpu else (later_calls,):
            for name, seconds, base in attempt(source(place)):
                over = None if base is None or seconds == base else 1e6 * (seconds - base)
                found["calls"].append({"name": name, "us": 1e6 * seconds, "over_c_us": over})
                print(f"{name:56} {1e6 * seconds:8.2f} {'' if over is None else f'{over:8.2f}'}")
    print(f"\n1 - 2 + 3 - ... of {options.n} numbers: milliseconds\n{'':24} {'first call':>12} {'cached on disk':>15} "
          f"{'later':>10} {'2nd program':>12} {'on disk':>8}")
    for package in ("cokernel", "cuda.compute", "cupy") if place.is_gpu else ("cokernel", "cupy"):
        name = package if place.is_gpu or package != "cupy" else "numpy"
        for times in attempt(processes(package, options.n) for _ in range(1)):
            found["founding"].append(dict(zip(("first_ms", "disk_ms", "later_ms", "second_ms", "second_disk_ms"), times),
                                          name=name))
            print(f"{name:24} {times[0]:12.2f} {times[1]:15.2f} {times[2]:10.4f} {times[3]:12.2f} {times[4]:8.2f}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
