# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tools.py - tests NVIDIA's tools with CK programs, and with CUDA C++ that a program compiles at
run time: compute-sanitizer, ncu, cuda-gdb. Also tests kernels on arrays of other Python libraries.

Each test is a function of (ckc, device, folder, timeout) that returns (result, text), with a result
as in suite.py: passed, failed, or skipped if the tool is not installed.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

BEYOND = """\
fn store(y: out f32[], i: u64) {
    y[i] = 1;
}
kernel beyond(n: u64, y: out f32[]) launch(block = 32, grid = 1)
{
    store(y, grid.thread_rank + n);
}
"""
INVERSE = """\
fn store(y: out f32[], i: u64) {
    y[i] = 1 / f32(i + 1);
}
kernel inverse(n: u64, y: out f32[n]) launch(block = 32, grid = 1)
{
    store(y, thread.rank);
}
"""
STEPS = """\
kernel steps(n: u64, x: in f32[n], y: out f32[n]) launch(block = 32, grid = 1)
{
    shared tile: f32[32];
    let i = thread.rank;
    var k = 7;
    tile[i] = x[i];
    block.sync();
    k += 1;
    y[i] = tile[31 - i] + f32(k);
}
"""


def find_tool(name):
    return shutil.which(name) or next(
        (p for p in sorted(glob.glob(f"/usr/local/cuda*/**/{name}", recursive=True))
         if os.access(p, os.X_OK) and os.path.isfile(p)), None)


def source(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def tool_run(words, folder, timeout, **variables):
    """The exit status of a command, None where it took too long, and what it printed."""
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"), **variables)
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=timeout, env=environment,
                              check=False)
    except subprocess.TimeoutExpired as late:
        return None, f"$ {' '.join(words)}\ntook over {timeout} s\n{late.output or ''}"
    return done.returncode, f"$ {' '.join(words)}\n" + done.stdout.decode(errors="replace")


def tool_output(words, folder, timeout, **variables):
    return tool_run(words, folder, timeout, **variables)[1]


def missing(text, wanted):
    return [word for word in wanted if word not in text]


def sanitizer_lines(ckc, device, folder, timeout, backend):
    """compute-sanitizer reports the .ck file and line of an access outside of an allocation."""
    tool = find_tool("compute-sanitizer")
    if not tool:
        return "skipped", "no compute-sanitizer"
    path = source(folder, f"beyond-{backend}.ck", BEYOND)
    text = tool_output([tool, ckc, "run", path, "beyond", "n=1048576", "y=zeros:32", "-lineinfo",
                        "--device=" + device, "--backend=" + backend], folder, timeout)
    lost = missing(text, ["Invalid __global__ write", f"beyond-{backend}.ck:2"])
    return ("failed" if lost else "passed"), text + "".join(f"no '{word}'\n" for word in lost)


def profiler_lines(ckc, device, folder, timeout, backend):
    """ncu shows the lines of a .ck file beside their instructions, with counts."""
    tool = find_tool("ncu")
    if not tool:
        return "skipped", "no ncu"
    path = source(folder, f"inverse-{backend}.ck", INVERSE)
    text = tool_output([tool, "--clock-control=none", "--section=SourceCounters",
                        "--import-source=yes", "--page=source", "--print-source=cuda,sass", "--csv",
                        ckc, "run", path, "inverse", "y=zeros:32", "-lineinfo",
                        "--device=" + device, "--backend=" + backend], folder, timeout)
    if "ERR_NVGPUCTRPERM" in text:
        return "skipped", text  # users may not read performance counters here
    # A row of a line: its number, its text, and then the counts of its instructions.
    store = next((line for line in text.split("\n") if line.startswith('"2","y[i] = 1 / f32(')), "")
    lost = missing(text, [f"inverse-{backend}.ck\"", '"Function Name","inverse"', "STG.E"])
    lost += missing(store, ['"Global","Store","32"'])
    return ("failed" if lost else "passed"), text + "".join(f"no '{word}'\n" for word in lost)


def debugger_stops(ckc, device, folder, timeout, backend):
    """cuda-gdb stops at a line of a kernel, prints variables of each kind, and steps."""
    tool = find_tool("cuda-gdb")
    if not tool:
        return "skipped", "no cuda-gdb"
    path = source(folder, f"steps-{backend}.ck", STEPS)
    script = ["set breakpoint pending on", f"break steps-{backend}.ck:8", "run", "info args",
              "info locals", "print tile[3]", "print x.len", "print x.data[2]", "next", "print k"]
    words = [tool, "-nx", "-batch"]
    for line in script:
        words += ["-ex", line]
    words += ["--args", ckc, "run", path, "steps", "x=iota:32", "-g", "--device=" + device,
              "--backend=" + backend]
    text = tool_output(words, folder, timeout)
    lost = missing(text, [f"steps-{backend}.ck:8", "n = 32", "k = 7", "i = 0", "$1 = 3", "$2 = 32",
                          "$3 = 2", "$4 = 8"])
    return ("failed" if lost else "passed"), text + "".join(f"no '{word}'\n" for word in lost)


def debugger_lists(ckc, device, folder, timeout, _backend):
    """cuda-gdb stops in CUDA C++ that was compiled from memory, and lists it from the temporary
    file."""
    tool = find_tool("cuda-gdb")
    if not tool:
        return "skipped", "no cuda-gdb"
    folder = os.path.abspath(folder)
    program = os.path.join(os.path.dirname(ckc), "tests", "runtime", "source_lines")
    if not os.access(program, os.X_OK):
        return "skipped", f"no {program}"
    words = [tool, "-nx", "-batch"]
    for line in ["set breakpoint pending on", "break nvrtc_lines", "run", "info source", "list",
                 "next", "print i"]:
        words += ["-ex", line]
    text = tool_output(words + ["--args", program], folder, timeout, CK_DEVICE=device,
                       TMPDIR=folder)
    if "no GPU, or no NVRTC" in text:
        return "skipped", text
    lost = missing(text, ["nvrtc_lines<<<", os.path.join(folder, "ck-"), ".cu:",
                          "out[i] = 2 * i + 1; // the line that a debugger lists", "$1 = 0"])
    found = [word for word in ["No such file or directory"] if word in text]
    return ("failed" if lost or found else "passed"), text + "".join(
        f"no '{word}'\n" for word in lost) + "".join(f"'{word}'\n" for word in found)


def root_folder():
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def package_folder(ckc):
    """The folder of the Python package, for PYTHONPATH."""
    return os.path.join(os.path.dirname(os.path.dirname(ckc)), "python")


def kernel_on_arrays(kind):
    """Runs the Python example's kernels on a library's arrays in its stream, and on PyTorch's in a
    graph that PyTorch captures."""
    def test(ckc, _device, folder, timeout, _backend):
        text = tool_output([sys.executable, os.path.join(root_folder(), "examples/python/arrays.py"),
                            kind], folder, timeout, PYTHONPATH=package_folder(ckc))
        if re.search(rf"No module named '({kind}|cokernel)", text):
            return "skipped", text
        return ("passed" if f"arrays of {kind}: right" in text else "failed"), text
    return test


def python_program(name):
    """Runs a program of test/python, whose arrays are on the GPU where a library with some is
    installed."""
    def test(ckc, _device, folder, timeout, _backend):
        if not os.path.isdir(package_folder(ckc)):
            return "skipped", "no Python package"
        code, text = tool_run([sys.executable, os.path.join(root_folder(), "test/python", name)], folder,
                              timeout, PYTHONPATH=package_folder(ckc))
        return {0: "passed", 77: "skipped"}.get(code, "failed"), text
    return test


TESTS = [("compute-sanitizer", sanitizer_lines), ("ncu", profiler_lines),
         ("cuda-gdb", debugger_stops)]
# Tests without any code of CK's back ends: once per device.
ONCE = [("cuda-gdb on CUDA C++", debugger_lists)]
ONCE += [(f"arrays of {kind}", kernel_on_arrays(kind))
         for kind in ("numpy", "torch", "cupy", "jax", "numba")]
ONCE += [(f"python {name[:-8]}", python_program(name))
         for name in sorted(os.listdir(os.path.join(root_folder(), "test/python")))
         if name.endswith("_test.py")]
