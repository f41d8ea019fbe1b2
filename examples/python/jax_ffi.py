#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""jax_ffi.py - a CK kernel inside of jax.jit, without copies, with a gradient.

    jax_ffi.py [FOLDER]     FOLDER: of libckrt.so; otherwise that of the build folder or package

jax_ffi.cc has the handlers of XLA's foreign function interface. They are compiled here, with a C++
compiler and the headers that jaxlib brings. On a machine without a GPU the kernel runs on the host device.
"""
import ctypes
import os
import subprocess
import sys
import tempfile

import jax
import jax.numpy as jnp
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
for folder in ("../../build/python", "../../python"):  # a build folder's, an unpacked package's
    sys.path.append(os.path.join(HERE, folder))
import cokernel as ck  # noqa: E402

m = ck.compile("""
// z = a * x * y, element by element.
kernel scaled_product(n: u64, a: f32, x: in f32[n], y: in f32[n], z: out f32[n])
    launch(block = 256, grid = ceil_div(n, 256))
{
    let i = grid.thread_rank;
    if (i < n) z[i] = a * x[i] * y[i];
}
""", name="jax_ffi.ck")
PLATFORM = jax.default_backend().replace("gpu", "CUDA")
DEVICE = ck.Device("host" if PLATFORM == "cpu" else 0)


def load_handlers(libraries):
    """Compiles jax_ffi.cc, and makes its handler the target `ck_launch`."""
    with tempfile.TemporaryDirectory() as folder_of_handlers:
        path = os.path.join(folder_of_handlers, "handlers.so")
        subprocess.run([os.environ.get("CXX", "c++"), "-std=c++17", "-O2", "-shared", "-fPIC", "-o", path,
                        os.path.join(HERE, "jax_ffi.cc"), f"-I{TOP}/include", "-isystem", jax.ffi.include_dir(),
                        f"-L{libraries}", "-lckrt"], check=True)
        handlers = ctypes.CDLL(path)
    function = handlers.ck_launch_cpu if PLATFORM == "cpu" else handlers.ck_launch_cuda
    jax.ffi.register_ffi_target("ck_launch", jax.ffi.pycapsule(function), platform=PLATFORM)


def call(kernel, results, *arrays, **numbers):
    """A kernel in JAX: arrays for its `in` spans, the shapes and types of its `out` spans, scalars by name."""
    opened = kernel.open(DEVICE)
    scalars = {name: np.int64(v) if isinstance(v, int) else np.float64(v) for name, v in numbers.items()}
    return jax.ffi.ffi_call("ck_launch", results)(*arrays, kernel=np.int64(opened._ck_kernel), **scalars)


@jax.custom_vjp
def product(x, y):
    return call(m.scaled_product, jax.ShapeDtypeStruct(x.shape, x.dtype), x, y, a=2)


product.defvjp(lambda x, y: (product(x, y), (x, y)),
               lambda kept, g: (product(g, kept[1]), product(g, kept[0])))


def main(libraries=None):
    if libraries is None:
        libraries = next(folder for folder in (f"{TOP}/build/lib", f"{TOP}/lib") if os.path.isdir(folder))
    load_handlers(libraries)
    x, y = jnp.arange(1000, dtype="float32"), jnp.full(1000, 3, "float32")
    z = jax.jit(lambda x, y: product(x + 1, y) - 1)(x, y)
    gradient = jax.jit(jax.grad(lambda x: product(x, y).sum()))(x)
    is_right = np.allclose(z, 2 * (np.arange(1000) + 1) * 3 - 1) and np.allclose(gradient, 6)
    try:
        call(m.scaled_product, jax.ShapeDtypeStruct((5,), x.dtype), x, y, a=2).block_until_ready()
        is_refused = False
    except Exception as error:  # pylint: disable=broad-except
        is_refused = "argument 5 'z': expected extent n = 1000" in str(error)
    print(f"scaled_product in JAX on {DEVICE.name}: {'right' if is_right and is_refused else 'WRONG'}")
    return 0 if is_right and is_refused else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
