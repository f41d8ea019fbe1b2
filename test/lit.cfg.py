# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit.cfg.py - lit's configuration: the substitutions in RUN lines, and the features of the
machine.

CK_BUILD is the build folder or unpacked package under test. Without it, this is the folder above
test/ if it has bin/ckc (a package), or else build-dev or build. `.ci/lit` sets the rest.
"""
import ctypes
import glob
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys

test = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(test)
sys.path.append(test)

import two_builds


def find_build():
    named = os.environ.get("CK_BUILD")
    for folder in [named] if named else [top, top + "/build-dev", top + "/build"]:
        if os.path.exists(folder + "/bin/ckc"):
            return os.path.abspath(folder)
    return os.path.abspath(named or top + "/build")


def find_part(*names):
    """Finds a file of the CUDA toolkit: the first that exists. compiler/base/toolkit.c has the full
    search."""
    only = os.environ.get("CK_CUDA_HOME")
    if only == "":
        return None
    roots = [only, build + "/cuda/nvidia/cu13"]
    if "VIRTUAL_ENV" in os.environ:
        roots += glob.glob(os.environ["VIRTUAL_ENV"] + "/lib/python3*/site-packages/nvidia/cu13")
    if "CK_SITE_PACKAGES" in os.environ:
        roots += [os.environ["CK_SITE_PACKAGES"] + "/nvidia/cu13"]
    roots += [os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda"]
    for root in roots:
        for name in names:
            if root and os.path.exists(os.path.join(root, name)):
                return os.path.join(root, name)
    return None


def count_gpus():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        count = ctypes.c_int(0)
        if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
            return 0
        return count.value
    except (OSError, AttributeError):
        return 0


build = find_build()


def is_sanitized():
    """Whether the build has AddressSanitizer, which makes NVIDIA's libraries slow."""
    try:
        with open(build + "/CMakeCache.txt", encoding="utf-8") as cache:
            return "CK_SANITIZE:BOOL=ON" in cache.read()
    except OSError:
        return False


config.name = "cokernel"
config.test_format = two_builds.Format("CI" in os.environ and not is_sanitized())
config.suffixes = [".ck", ".test"]
config.excludes = ["Inputs", "unit", "runtime", "fuzz", "corpus"]
config.test_source_root = test
config.test_exec_root = os.path.join(build, "test-out")

llvm = os.environ.get("LLVM_BIN", "/usr/lib/llvm-19/bin")
config.environment["PATH"] = os.pathsep.join([build + "/bin", llvm, os.environ["PATH"]])
config.environment["XDG_CACHE_HOME"] = config.test_exec_root + "/cache"
# intercept_tls_get_addr: ASan guesses the size of a thread's thread-local blocks from the bytes
# before them. At some addresses it reads other bytes, and its leak check crashes.
config.environment["ASAN_OPTIONS"] = ("protect_shadow_gap=0:detect_odr_violation=0:abort_on_error=1:"
                                      "intercept_tls_get_addr=0:quarantine_size_mb=4:thread_local_quarantine_size_kb=64:malloc_context_size=4")
config.environment["LSAN_OPTIONS"] = f"suppressions={test}/lsan.supp:print_suppressions=0"
config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1:abort_on_error=1"
for name in os.environ:
    if name.startswith(("CK_", "CUDA_")) or name in ("VIRTUAL_ENV", "CONDA_PREFIX", "CI"):
        config.environment[name] = os.environ[name]

ptxas = find_part("bin/ptxas")
nvdisasm = os.environ.get("CK_NVDISASM") or find_part("bin/nvdisasm") or shutil.which("nvdisasm")


def ptxas_version():
    """Of ptxas, such as 13.0; the empty text if there is none."""
    if not ptxas:
        return ""
    text = subprocess.run([ptxas, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"release (\d+\.\d+)", text)
    return found[1] if found else ""


# Tests that are slow under sanitizers are left out, except in continuous integration.
is_quick = is_sanitized() and "CI" not in os.environ
found = {
    "ckc": os.path.exists(build + "/bin/ckc"),
    "accuracy": os.path.exists(build + "/bin/tests/accuracy"),
    "optimized": not is_sanitized(),
    "ci": "CI" in os.environ,
    "once": "CI" not in os.environ or not is_sanitized(),  # what sanitizers can't find faults in
    "library-index": os.path.exists(build + "/bin/library-index"),
    "host": platform.machine() == "x86_64",
    "gpu": count_gpus() > 0,
    "ptxas": ptxas and not is_quick,
    # Machine code of the version whose faults test/repair/ shows.
    "sass": nvdisasm and not is_quick and ptxas_version() == "13.0",
    "fatbinary": find_part("bin/fatbinary"),
    "libdevice": find_part("nvvm/libdevice/libdevice.10.bc"),
    "cuda-headers": find_part("include/cuda.h"),
    "gdb": shutil.which("gdb"),
    "vim": shutil.which("vim") and b"+syntax" in subprocess.run(["vim", "--version"], capture_output=True, check=False).stdout,
    "man": shutil.which("man") and shutil.which("col"),
    "zsh": shutil.which("zsh"),
    "fish": shutil.which("fish"),
    "python-package": os.path.exists(build + "/python/cokernel/_core.abi3.so"),
    "torch": importlib.util.find_spec("torch"),
    "cupy": importlib.util.find_spec("cupy"),
    "jax": importlib.util.find_spec("jax"),
    "nvvm": not is_quick and find_part("lib/libnvvm.so.4", "lib64/libnvvm.so.4",
                                       "nvvm/lib64/libnvvm.so.4"),
    "nvjitlink": not is_quick and find_part("lib/libnvJitLink.so.13", "lib64/libnvJitLink.so.13",
                                            "lib64/libnvJitLink.so.12"),
}
for feature, there in found.items():
    if there:
        config.available_features.add(feature)

python = os.environ.get("CK_PYTHON") or sys.executable
backends = ["nvptx"] + (["libnvvm"] if found["nvvm"] else [])
# What %run-test does with a file. Under sanitizers it runs on the host device; the release build makes
# cubins, which are slow under sanitizers, and in continuous integration it also runs everything with
# -check, at -O1: checked code takes four times as long to compile at -O3, and checks the same. With a GPU, both builds run on the host device and on the GPU by each back end.
level = "-O1" if is_quick else ""  # the fastest to compile for the host
instances = "" if found["ci"] else "--instances=1"
by = "--backend=" + ",".join(backends)


def run_words(compiled_by):
    """The options of each call of `ckc test`; compiled_by: those of machine code for absent GPUs."""
    if found["gpu"]:
        return [f"--device=host {level}", f"--device=cuda:0 {by}"]
    if not found["nvjitlink"] or is_sanitized():
        return [f"--device=host {level}"]
    checked = ["--device=host -check -O1"] if found["ci"] else []
    return checked + [f"--compile=sm_90 {compiled_by} {instances}"]


def run_lines(compiled_by):
    return " && ".join(fr"{build}/bin/ckc test {words} \1" for words in run_words(compiled_by))


# In continuous integration all random programs, library calls and operations on constants.
programs = 8 if is_sanitized() else 200 if found["ci"] else 24
operations = 16 if is_sanitized() else 400 if found["ci"] else 48
configurations = 4 if is_sanitized() else 200 if found["ci"] else 24
cells = 40 if is_sanitized() else 1500 if found["ci"] else 300
config.substitutions += [
    (r"%ckc\b", f"{build}/bin/ckc"),
    (r"%host-level\b", level),
    # What test/repair_test.py turns off, to see that a test of test/repair/ fails.
    (r"%repair\b", f"--no-repair={os.environ['CK_NO_REPAIR']}" if "CK_NO_REPAIR" in os.environ else ""),
    (r"%sass\b", f"{python} {test}/sass.py {ptxas} {nvdisasm}"),
    (r"%run-test\s+(\S+)", run_lines(by)),
    # Examples by the default back end: test/run has every algorithm by both.
    (r"%run-examples\s+(\S+)", run_lines("")),
    (r"%programs\b", str(programs)),
    (r"%configurations\b", str(configurations)),
    (r"%cells\b", str(cells)),
    (r"%operations\b", str(operations)),
    (r"%ptxas-verify\b", f"{python} {test}/ptxas_verify.py {ptxas or 'ptxas'}"),
    (r"%accuracy\b", f"{build}/bin/tests/accuracy --count={8192 if found['ci'] or found['gpu'] else 2048}"),
    (r"%python\b", python),
    (r"%nvjitlink\b", found["nvjitlink"] or "libnvJitLink.so"),
    (r"%cuda-headers\b", os.path.dirname(found["cuda-headers"] or "")),
    (r"%fatbinary\b", found["fatbinary"] or "fatbinary"),
    (r"%bin\b", f"{build}/bin"),
    (r"%top\b", top),
]
