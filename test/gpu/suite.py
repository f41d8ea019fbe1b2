#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""suite.py - runs every run-test, example and runtime test on a GPU, and reports failures.

- `ckc test` runs each CALL of test/run and examples on the host device and on the GPU, through
  libNVVM and through LLVM's NVPTX back end. Each result is compared with its EXPECT line (numbers,
  an expression or the host device), so the three agree with each other too. FOR lines give sizes:
  also random ones, --samples=N for each range, from --seed.
- NVIDIA's tools, if installed, show lines and variables, and the Python example takes arrays of
  NumPy, PyTorch and CuPy (tools.py).
- Programs (bin/examples, bin/tests/runtime) run once on the GPU and once on the host device. Test
  programs also fail if they release a handle that the driver does not know (libcuda_watch.so).
- `ckc bench` runs the examples, with each back end.
- --random=N random programs give the same bits on the host device and with each back end
  (test/random); --property=N random calls of functions in lib/block and lib/warp equal plain loops
  (test/property).
- A fifth as many random calls of device-wide algorithms equal what NumPy computes
  (test/property/device.py), and with --huge algorithms of 2^31 + 5 and 2^32 + 9 elements what
  formulas give (huge.py).
- --constants=N operations on constants give what kernels compute, on the host device and with each
  back end (test/constant).
- Floating-point functions are as accurate as NVIDIA documents, on --accuracy=N inputs
  (test/accuracy).

The last line is `N passed, N failed`; the log folder has the output of everything that was run, and
jobs.txt, a line `passed SECONDS NAME` or `failed SECONDS NAME` for each process.

A GPU that is lent for some minutes runs the suite in several goes: --budget=SECONDS begins nothing
later than that, and --after=JOBS.TXT leaves out what passed in an earlier go. --gpu-only leaves out what
the host device runs by itself.
"""
import argparse
import concurrent.futures
import ctypes
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import all_lanes

try:
    import tools
except ImportError as error:
    sys.exit(f"python3 with NumPy is needed: {error}")

PROBE = "kernel probe(x: out f32[1]) launch(block = 1, grid = 1) { x[0] = 1.0; }\n"
# folder, what it generates, how many one process runs
GENERATED = [("property", "random calls of the library", 250), ("random", "random programs", None),
             ("constant", "operations on constants", 100)]
ALGORITHMS = 5  # one random call of an algorithm for as many of the library's functions
ALGORITHMS_PIECE = 10  # configurations that one process runs
ABSENT_PARTS = 16  # processes that share the functions of the library (property/absent.py)
# Programs with conditional nodes. When two processes run such graphs under memcheck at the same
# time, the tool of CUDA 13.0 reports errors in both, even in plain CUDA C++. So each of these has
# the GPU to itself.
CONDITIONAL = ("capture_random", "graph_capture", "graph_conditional", "graph_lifetime", "graph_lost",
               "graph_update", "thread_random")
FILE_TIMEOUTS = 12  # all tests of a file may take this many times as long as one
SLOWEST = 10  # jobs that are listed at the end
SKIPPED = 77  # exit status of a program when this machine lacks something


def find_bin():
    for folder in (TOP, TOP + "/build", TOP + "/build-dev"):
        if os.path.exists(folder + "/bin/ckc"):
            return folder + "/bin"
    sys.exit(f"no bin/ckc in {TOP} or its build folders")


# The message of libcuda_watch.so about the release of an unknown handle.
IN_VAIN = "given back in vain"
# The messages of ckc about a file without tests, such as one with BENCH lines alone.
NO_TESTS = ("has no test lines", "no test line was found")
# The message of compute-sanitizer about a program that never called the driver.
UNTOUCHED = "terminated before first instrumented API call"


def gpu_target(ordinal):
    """Returns sm_NN of a GPU as the driver reports it, or the reason why there is none."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        return None, str(error)
    device, major, minor = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    status = driver.cuInit(0) or driver.cuDeviceGet(ctypes.byref(device), ordinal)
    status = status or driver.cuDeviceGetAttribute(ctypes.byref(major), 75, device)
    status = status or driver.cuDeviceGetAttribute(ctypes.byref(minor), 76, device)
    if status:
        return None, f"the driver answers with error {status}"
    return f"sm_{major.value}{minor.value}", ""


class Suite:
    def __init__(self, args):
        self.args = args
        self.bin = args.bin or find_bin()
        self.lock = threading.Lock()
        self.passed, self.failed, self.skipped = 0, [], 0
        self.begin, self.not_begun, self.times = time.monotonic(), 0, []
        self.known = set()  # what passed in an earlier go
        for path in args.after:
            with open(path, encoding="utf-8") as file:
                words = [line.rstrip("\n").split(" ", 2) for line in file]
            self.known |= {name for verdict, _, name in words if verdict == "passed"}
        os.makedirs(args.log, exist_ok=True)
        self.library = []  # the option for another library
        if args.sanitizer == "racecheck":
            all_lanes.main(os.path.join(args.log, "lib"))
            self.library = [f"--lib={args.log}/lib"]

    def record(self, name, result, text, seconds):
        with self.lock:
            path = os.path.join(self.args.log, name.replace("/", "_") + ".log")
            with open(path, "a", encoding="utf-8") as file:
                file.write(text if text.endswith("\n") else text + "\n")
            if result == "passed":
                self.passed += 1
            elif result == "skipped":
                self.skipped += 1
            else:
                self.failed.append(name)
            if result != "passed" or self.args.verbose:
                print(f"{result.upper():8}{seconds:6.1f} s  {name}", flush=True)
                if result == "failed":
                    print("        " + "\n        ".join(text.strip().split("\n")[-12:]))

    def run_job(self, name, function, arguments):
        """Runs a job, unless the budget is spent, and notes in jobs.txt how it went."""
        start = time.monotonic()
        if self.args.budget and start - self.begin > self.args.budget:
            with self.lock:
                self.not_begun += 1
            return
        function(name, *arguments)
        seconds = time.monotonic() - start
        with self.lock, open(os.path.join(self.args.log, "jobs.txt"), "a", encoding="utf-8") as file:
            is_good = not any(one == name or one.startswith(name + ":") for one in self.failed)
            file.write(f"{'passed' if is_good else 'failed'} {seconds:.1f} {name}\n")
            self.times.append((seconds, name))

    def wrap(self):
        if not self.args.sanitizer:
            return []
        # Calls that a driver answers with an error are no faults: tests provoke them on purpose, and drivers
        # before CUDA 13.2 tell the number of a kernel's parameters by one.
        of_tool = ["--leak-check=no", "--report-api-errors=no"] if self.args.sanitizer == "memcheck" else ["--print-limit=20"]
        return [self.args.sanitizer_path, "--tool=" + self.args.sanitizer, "--error-exitcode=99", *of_tool]

    def environment(self, device):
        environment = dict(os.environ, CK_DEVICE=device)
        environment.setdefault("XDG_CACHE_HOME", os.path.join(self.args.log, "cache"))
        if self.args.sanitizer:
            environment["CK_NO_FAULTS"] = "1"  # programs leave out deliberate faults
            environment["CK_SANITIZER"] = self.args.sanitizer
        return environment

    def backends(self, target):
        """The back ends that can compile for the GPU here; for the others, the reason why not."""
        usable = []
        with tempfile.NamedTemporaryFile("w", suffix=".ck") as file:
            file.write(PROBE)
            file.flush()
            for backend in self.args.backend or ["libnvvm", "nvptx"]:
                result = subprocess.run(
                    [self.bin + "/ckc", file.name, "--emit=ptx", "--target=" + target,
                     "--backend=" + backend], capture_output=True, text=True, check=False)
                if result.returncode == 0:
                    usable.append(backend)
                elif result.returncode == 3:  # a fault of the environment
                    print(f"without {backend}: {result.stderr.strip()}")
                else:
                    self.record("backend-" + backend, "failed", result.stderr, 0)
        return usable

    def run_tests(self, name, path, configurations):
        """Runs `ckc test` on a file, on all configurations, and records each of its tests."""
        args, start = self.args, time.monotonic()
        report = os.path.join(args.log, name.replace("/", "_") + ".json")
        backends = list(dict.fromkeys(backend for _, backend in configurations if backend))
        words = [self.bin + "/ckc", "test", path, f"--json={report}",
                 "--device=" + ",".join(dict.fromkeys(device for device, _ in configurations)),
                 f"--samples={args.samples}", f"--seed={args.seed}", f"--timeout={int(args.timeout)}", *self.library]
        words += ["--backend=" + ",".join(backends)] if backends else []
        # A tool watches one process, and would report the deliberate faults.
        words += ["--jobs=0", "--tag=!error"] if args.sanitizer else ["--jobs=1", "--verbose"]
        words = self.wrap() + words
        if os.path.exists(report):
            os.remove(report)  # of an earlier run with the same folder for logs
        try:
            done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=args.timeout * FILE_TIMEOUTS, check=False)
            code, said = done.returncode, done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired as late:
            code, said = "a time limit", (late.stdout or b"").decode(errors="replace")
        results = []
        if os.path.exists(report):
            with open(report, encoding="utf-8") as file:
                results = json.load(file)["results"]
        text = f"$ {' '.join(words)}\n{said}[exit {code}]\n"
        for line in dict.fromkeys(one["test"] for one in results):
            self.record_test(f"{name}:{line}", [one for one in results if one["test"] == line], text)
            text = ""
        if not results and any(words in said for words in NO_TESTS):
            return
        if args.sanitizer and UNTOUCHED in said:
            self.record(name, "skipped", text, time.monotonic() - start)
        elif code != 0 and not any(one["status"] == "failed" for one in results):
            self.record(name, "failed", f"{said}[exit {code}]\n", time.monotonic() - start)

    def record_test(self, name, results, text):
        """Records a test by its results with all values of FOR, on all configurations."""
        states = {one["status"] for one in results}
        verdict = "failed" if "failed" in states else "skipped" if states == {"skipped"} else "passed"
        for one in results:
            if one["status"] == "failed":
                where = " by ".join(filter(None, (one["device"], one["backend"])))
                text += f"line {one['line']} on {where} with {one['with']}: {one['message']}\n"
        self.record(name, verdict, text, sum(one["elapsed"] for one in results))

    def run_program(self, name, path, device, words=()):
        start = time.monotonic()
        wrap = self.wrap() if device != "host" else []
        environment = self.environment(device)
        watch = os.path.join(os.path.dirname(path), "libcuda_watch.so")
        if device != "host" and not wrap and os.path.exists(watch):
            environment["CK_LIBCUDA"] = watch
            environment["MALLOC_PERTURB_"] = "165"  # freed memory is overwritten, the driver's too
        try:
            done = subprocess.run(wrap + [path, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=self.args.timeout,
                                  env=environment, cwd=TOP, check=False)
            text = done.stdout.decode(errors="replace") + f"[exit {done.returncode}]\n"
            result = {0: "passed", SKIPPED: "skipped"}.get(done.returncode, "failed")
            if IN_VAIN in text:
                result = "failed"
            if self.args.sanitizer and UNTOUCHED in text:
                result = "skipped"  # the program used the host device: nothing to check
        except subprocess.TimeoutExpired:
            text, result = f"took over {self.args.timeout} s\n", "failed"
        self.record(name, result, f"$ {path}\n" + text, time.monotonic() - start)

    def run_tool(self, name, test, device, backend):
        start = time.monotonic()
        folder = os.path.join(self.args.log, name.replace("/", "_"))
        os.makedirs(folder, exist_ok=True)
        result, text = test(self.bin + "/ckc", device, folder, self.args.timeout, backend)
        self.record(name, result, text, time.monotonic() - start)

    def generated(self, folder, what, piece, configurations):
        """Returns (name, function, arguments) for runs of test/FOLDER/run.py: in pieces, or all at
        once."""
        args, count = self.args, getattr(self.args, folder)
        for seed in range(args.seed, args.seed + count, piece or max(count, 1)):
            part = min(piece or count, args.seed + count - seed)
            words = [f"--seed={seed}", f"--count={part}", f"--jobs={1 if piece else args.jobs}"]
            words += ["--complete"] if piece else []
            yield self.run_of(folder, f"{part} {what}, seed {seed}", words, configurations)

    def huge(self, configurations):
        """Algorithms of more than 2^32 elements, which take the GPU's memory for themselves."""
        for _, backend in configurations[1:] if self.args.huge and not self.args.sanitizer else []:
            words = [f"{HERE}/huge.py", f"--ckc={self.bin}/ckc", f"--device={self.args.device}", f"--backend={backend}"]
            yield f"huge by {backend}", self.run_program, (sys.executable, "host", words)

    def algorithms(self, configurations):
        """Random calls of device-wide algorithms. Under a sanitizer, those of small lengths alone."""
        args, count = self.args, self.args.property // ALGORITHMS
        script = f"{TOP}/test/property/device.py"
        for seed in range(args.seed, args.seed + count, ALGORITHMS_PIECE):
            part = min(ALGORITHMS_PIECE, args.seed + count - seed)
            words = [script, f"--ckc={self.bin}/ckc", f"--seed={seed}", f"--count={part}"]
            words += [f"--seconds={args.timeout - 10}", f"--keep={args.log}/algorithms"]
            backends = [backend for _, backend in configurations if backend]
            words += ["--gpu", f"--device={args.device}"] if backends else []
            words += [f"--backend={backend}" for backend in backends]
            words += [f"--sanitizer={args.sanitizer_path} --tool={args.sanitizer}"] if args.sanitizer else []
            yield f"{part} random calls of algorithms, seed {seed}", self.run_program, (
                sys.executable, "host", words)

    def run_of(self, folder, name, words, configurations):
        args = self.args
        words = [f"{TOP}/test/{folder}/run.py", f"--ckc={self.bin}/ckc", *words]
        words += [f"--seconds={args.timeout - 10}", f"--keep={args.log}/{folder}"]
        backends = [backend for _, backend in configurations if backend]
        if backends:
            words += ["--gpu", f"--device={args.device}"]
            words += [f"--backend={backend}" for backend in backends]
        return name, self.run_program, (sys.executable, "host", words)

    def jobs(self, configurations, devices):
        """Returns (name, function, arguments) for everything there is to run."""
        for folder in ("test/run", "examples"):
            for path in sorted(glob.glob(os.path.join(TOP, folder, "**/*.ck"), recursive=True)):
                yield os.path.relpath(path, TOP), self.run_tests, (path, configurations)
        for device, backend in [] if self.args.sanitizer else configurations:
            for tool, test in tools.TESTS if device != "host" else []:
                yield f"{tool} by {backend}", self.run_tool, (test, device, backend)
        for device in [] if self.args.sanitizer else devices:
            for tool, test in tools.ONCE if device != "host" else []:
                yield f"{tool} on {device}", self.run_tool, (test, device, None)
        for folder in ("examples", "tests/runtime"):
            for path in sorted(glob.glob(f"{self.bin}/{folder}/*")):
                is_library = path.endswith(".so")  # the stub of libckc
                if os.access(path, os.X_OK) and os.path.isfile(path) and not is_library:
                    for device in devices:
                        name = f"{folder}/{os.path.basename(path)} on {device}"
                        yield name, self.run_program, (path, device)
        for device, backend in [] if self.args.sanitizer else configurations:
            words = [f"{TOP}/examples", f"--device={device}"]
            words += [f"--backend={backend}"] if backend else []
            name = f"on {device}" + (f" by {backend}" if backend else "")
            if device != "host":
                yield "ckc bench " + name, self.run_program, (
                    self.bin + "/ckc", device, ["bench", "--seconds=1", *words])

            if self.args.accuracy and os.access(self.bin + "/tests/accuracy", os.X_OK):
                words = [f"--count={self.args.accuracy}", f"--seed={self.args.seed}", *words[1:]]
                yield "accuracy " + name, self.run_program, (self.bin + "/tests/accuracy", device,
                                                             words)

        for device, backend in [] if self.args.sanitizer else configurations:
            where = [f"--device={device}"] + ([f"--backend={backend}"] if backend else [])
            name = f" on {device}" + (f" by {backend}" if backend else "")
            script = [f"{TOP}/test/property/absent.py", f"--ckc={self.bin}/ckc", *where, "--shapes=1"]
            for part in range(ABSENT_PARTS):
                yield f"what is not there, part {part}{name}", self.run_program, (
                    sys.executable, "host", [*script, f"--seed={part}", f"--parts={ABSENT_PARTS}"])
            yield "overlap" + name, self.run_program, (
                sys.executable, "host", [f"{TOP}/test/property/overlap.py", f"--ckc={self.bin}/ckc", *where, "--count=40"])

        yield from self.algorithms(configurations)
        for folder, what, piece in [] if self.args.sanitizer else GENERATED:
            yield from self.generated(folder, what, piece, configurations)

    def run(self):
        args, devices, configurations = self.args, ["host"], [("host", None)]
        if args.device != "host":
            ordinal = int(args.device.rpartition(":")[2]) if ":" in args.device else 0
            target, why = gpu_target(ordinal)
            if not target:
                print(f"no GPU {args.device}: {why}; --device=host runs on the host device alone")
                return 3
            backends = self.backends(target)
            print(f"{args.device}: {target}, by {' and '.join(backends) or 'nothing'}")
            devices.append(args.device)
            configurations += [(args.device, backend) for backend in backends]
        if args.sanitizer or args.gpu_only:  # there is nothing on the host device for a sanitizer to check
            configurations = configurations[1:]
            devices = devices[1:]
        os.environ.setdefault("XDG_CACHE_HOME", os.path.join(args.log, "cache"))
        alone = []
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for name, function, arguments in self.jobs(configurations, devices):
                if args.filter not in name or name in self.known:
                    continue
                if args.sanitizer and name.split("/")[-1].split(" ")[0] in CONDITIONAL:
                    alone.append((name, function, arguments))
                else:
                    pool.submit(self.run_job, name, function, arguments)
        alone += [job for job in self.huge(configurations) if args.filter in job[0] and job[0] not in self.known]
        for job in alone:
            self.run_job(*job)
        for seconds, name in sorted(self.times, reverse=True)[:SLOWEST]:
            print(f"slow    {seconds:6.1f} s  {name}")
        for name in sorted(self.failed):
            print("failed: " + name)
        if self.skipped:
            print(f"{self.skipped} skipped")
        if self.not_begun:
            print(f"{self.not_begun} not begun within {args.budget:g} s")
        print(f"logs: {args.log}")
        print(f"{self.passed} passed, {len(self.failed)} failed")
        return 1 if self.failed or self.not_begun or not (self.passed or self.known) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--device", default="cuda:0", help="cuda:N, or host for no GPU at all")
    parser.add_argument("--backend", action="append", help="libnvvm or nvptx; both without it")
    parser.add_argument("--filter", default="", help="only what has this text in its name")
    parser.add_argument("--samples", type=int, default=6, help="random shapes for each a..b")
    parser.add_argument("--seed", type=int, default=1, help="of random shapes and programs")
    parser.add_argument("--random", type=int, default=200, metavar="N", help="random programs")
    parser.add_argument("--property", type=int, default=2000, metavar="N",
                        help="random calls of the library")
    parser.add_argument("--huge", action="store_true",
                        help="algorithms of more than 2^32 elements: 40 GiB of the GPU's memory")
    parser.add_argument("--constants", type=int, default=400, metavar="N", dest="constant",
                        help="operations on constants")
    parser.add_argument("--accuracy", type=int, default=50000, metavar="N",
                        help="inputs for each function of floats")
    parser.add_argument("--sanitizer", nargs="?", const="memcheck", metavar="TOOL",
                        help="under compute-sanitizer: memcheck, racecheck, synccheck, initcheck")
    parser.add_argument("--log", help="folder for logs; a new one in /tmp without it")
    parser.add_argument("--bin", help="folder of ckc")
    parser.add_argument("--jobs", type=int, default=min(8, os.cpu_count() or 1))
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one process")
    parser.add_argument("--budget", type=float, metavar="SECONDS", help="begin nothing later than that")
    parser.add_argument("--after", action="append", default=[], metavar="FILE",
                        help="jobs.txt of an earlier go: what passed there is left out")
    parser.add_argument("--gpu-only", action="store_true", help="leave out what the host device runs by itself")
    parser.add_argument("--verbose", action="store_true", help="name what passed, too")
    args = parser.parse_args()
    args.log = os.path.abspath(args.log or tempfile.mkdtemp(prefix="ck-gpu-suite-"))
    if args.sanitizer:
        args.sanitizer_path = shutil.which("compute-sanitizer") or next(
            (p for p in glob.glob("/usr/local/cuda*/**/compute-sanitizer", recursive=True)
             if os.access(p, os.X_OK) and os.path.isfile(p)), None)
        if not args.sanitizer_path:
            sys.exit("compute-sanitizer is not on the path or below /usr/local/cuda")
    return Suite(args).run()


if __name__ == "__main__":
    sys.exit(main())
