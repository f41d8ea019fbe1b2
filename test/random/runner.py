# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""runner.py - runs generated kernels in several configurations, and compares the bits of all
results.

The generator is a Python module `programs` with
    kernels(seed)   names of the kernels of a seed, which must all have the same results
    module(seeds)   the text of a CK module with the kernels of several seeds
    inputs(seed)    {parameter: bytes} of a run
    name(seed)      the name that --filter matches, if the command line has that option
A CK module holds --batch seeds. Processes of `serve` (serve.c) compile and run the modules.
"""
import argparse
import concurrent.futures
import itertools
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time

CHECK = 4  # CK_COMPILE_CHECK
# name, device, back end, level, flags: as serve.c reads them
CHECKED = [("host -check", "host", "none", 1, CHECK)]
BACKENDS = ["libnvvm", "nvptx"]
PROGRESS = 5  # seconds between two lines of progress
QUICK = 5  # time limit for a shortened program, whose loops may be endless


class Stopped(Exception):
    """The time limit is reached."""


class Failure(Exception):
    """A module that did not compile, or a kernel that did not run; the text is the reason."""


class Clock:
    """The time limit, and the processes to kill then."""

    def __init__(self, seconds):
        self.start = time.monotonic()
        self.end = self.start + seconds
        self.lock, self.processes, self.is_over = threading.Lock(), set(), False

    def now(self):
        return time.monotonic() - self.start

    def left(self):
        return 0 if self.is_over else self.end - time.monotonic()

    def add(self, process):
        with self.lock:
            if self.is_over:
                process.kill()
            self.processes.add(process)

    def remove(self, process):
        with self.lock:
            self.processes.discard(process)

    def stop(self):
        with self.lock:
            self.is_over = True
            for process in self.processes:
                process.kill()


class Server:
    """A process of `serve`, which is started when needed, and again after it has ended."""

    def __init__(self, command, folder, timeout, clock):
        self.command, self.folder, self.timeout, self.clock = command, folder, timeout, clock
        self.process, self.rest, self.times = None, b"", {}

    def close(self):
        if self.process:
            self.process.kill()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.wait()
            self.clock.remove(self.process)
        self.process, self.rest = None, b""

    def lines(self, timeout):
        """Yields the lines of the answer, up to the last one."""
        limit = time.monotonic() + timeout
        while True:
            while b"\n" in self.rest:
                line, _, self.rest = self.rest.partition(b"\n")
                yield line.decode(errors="replace")
            left = min(limit - time.monotonic(), self.clock.left())
            ready = left > 0 and select.select([self.process.stdout], [], [], left)[0]
            if self.clock.left() <= 0:
                raise Stopped
            if not ready:
                self.close()
                raise Failure(f"error: took over {timeout} s")
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                status = self.process.wait()
                self.close()
                if self.clock.left() <= 0:
                    raise Stopped
                raise Failure(f"error: ended with {status}")
            self.rest += piece

    def run(self, text, configuration, timeout=None):
        """Runs a module. Returns {kernel: digest}."""
        name, device, backend, level, flags = configuration
        path = f"{self.folder}/{threading.get_ident()}.ck"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if not self.process:
            self.process = subprocess.Popen(self.command, bufsize=0, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.clock.add(self.process)
        try:
            self.process.stdin.write(f"{device} {backend} {level} {flags} {path}\n".encode())
            self.process.stdin.flush()
        except OSError:
            pass  # the process has ended, and with it the answer
        results, message = {}, []
        for line in self.lines(timeout or self.timeout):
            word, _, rest = line.partition(" ")
            if word == "|":
                message.append(rest)
            elif word == "failed":
                self.close()  # after a fault the context is unusable
                raise Failure("\n".join(message))
            elif word == "done":
                compiled, ran = self.times.get(name, (0, 0))
                times = [float(number) for number in rest.split()]
                self.times[name] = compiled + times[0], ran + times[1]
                return results
            else:  # a kernel's name may contain blanks
                kernel, _, digest = line.rpartition(" ")
                results[kernel.partition("<")[0]] = digest
        return results


def kind_of(failure):
    """Returns the kind of a failure, for comparison: the message without its position and names."""
    lines = failure.splitlines() or ["error"]
    first = next((line for line in lines if "error" in line), lines[0])
    return re.sub(r"^\S+?:\d+:\d+: |'[^']*'|\d+", "", first)


def compare(server, text, seeds, configurations, kernels, timeout=None):
    """Compares the results. Returns {seed: failure}, a short text that distinguishes kinds of
    failures. Raises Failure if a kernel is not run."""
    wrong, first = {}, None
    for configuration in configurations:
        try:
            results = server.run(text, configuration, timeout)
        except Failure as failure:
            raise Failure(f"{configuration[0]}: {failure}") from failure
        first = first or results
        for seed in seeds:
            names = kernels(seed)
            want = first.get(names[0])
            for name in names:
                if results.get(name) != want and seed not in wrong:
                    wrong[seed] = difference(configurations[0][0], names[0], configuration[0], name)
    return wrong


def difference(place, kernel, other_place, other):
    if place == other_place:
        return f"{kernel} and {other} differ on {place}"
    if kernel == other:
        return f"{place} and {other_place} differ"
    return f"{kernel} on {place} and {other} on {other_place} differ"


def verdict(server, text, seed, configurations, kernels, timeout=None):
    """Returns None if all results agree; otherwise the failure, and its message in full."""
    try:
        wrong = compare(server, text, [seed], configurations, kernels, timeout).get(seed)
        return wrong and (wrong, wrong)
    except Failure as failure:
        place, _, rest = str(failure).partition(": ")
        return f"{place}: {kind_of(rest)}", str(failure)


def block_end(lines, first):
    """Returns the last line of the statement that starts here: the same line, or the } of its {.
    None for a }."""
    depth = 0
    for at in range(first, len(lines)):
        depth += lines[at].count("{") - lines[at].count("}")
        if depth <= 0:
            return at if depth == 0 else None
    return None


def attempts(lines, at, count):
    """Yields what may be removed from line `at` on: `count` lines; or its block, or only the lines
    around the block."""
    if count > 1:
        yield lines[:at] + lines[at + count:]
        return
    last = block_end(lines, at)
    if last is not None:
        yield lines[:at] + lines[last + 1:]
        if last > at + 1:
            yield lines[:at] + lines[at + 1:last] + lines[last + 1:]


def is_valid(server, text, configurations):
    """Whether checked builds run to the end; their results do not matter."""
    try:
        for configuration in configurations:
            server.run(text, configuration, QUICK)
    except Failure:
        return False
    return True


def reduce(server, text, seed, configurations, checked, kernels, wrong, seconds):
    """Removes from the text what is not needed for the same verdict, from its end, in several
    passes."""
    lines, end, before = text.splitlines(), time.monotonic() + seconds, None
    while before != lines:
        before = lines
        for count in (32, 8, 1):
            at = len(lines)
            while at > 0:
                at = max(0, at - count)
                for some in attempts(lines, at, count):
                    if time.monotonic() > end:
                        return "\n".join(lines) + "\n"
                    text = "\n".join(some) + "\n"
                    found = verdict(server, text, seed, configurations, kernels, QUICK)
                    if found and found[0] == wrong and is_valid(server, text, checked):
                        lines = some
                        break
    return "\n".join(lines) + "\n"


class Runner:
    """Runs everything: gives batches of seeds to idle servers, and collects the results."""

    def __init__(self, args, folder, programs, host):
        self.args, self.folder, self.programs = args, folder, programs
        self.clock = Clock(args.seconds)
        self.lock, self.free, self.servers = threading.Lock(), [], []
        self.agree, self.differ = 0, 0
        self.configurations = host + (CHECKED if args.check else [])
        for backend in (args.backend or BACKENDS) if args.gpu else []:
            self.configurations.append((backend, args.device, backend, 3, 0))

    def server(self):
        with self.lock:
            if self.free:
                return self.free.pop()
            command = [self.args.serve, self.folder]
            self.servers.append(Server(command, self.folder, self.args.timeout, self.clock))
            return self.servers[-1]

    def say(self, text):
        with self.lock:
            print(text, flush=True)

    def keep(self, name, text):
        if self.args.keep:
            os.makedirs(self.args.keep, exist_ok=True)
            with open(f"{self.args.keep}/{name}", "w", encoding="utf-8") as file:
                file.write(text)

    def found(self, server, seed, text, wrong):
        """Reports a failed program, then looks for a shorter one."""
        with self.lock:
            self.differ += 1
        self.say(f"seed {seed}: {wrong[1]}\n"
                 f"  run.py --seed={seed} --count=1 --inputs={self.args.inputs}")
        self.keep(f"seed-{seed}.ck", text)
        if self.args.reduce > 0:
            first = self.configurations[0]
            needed = [one for one in self.configurations if one[0] in wrong[0] or one == first]
            # A checked build stops programs that read uninitialised memory.
            checked = CHECKED if is_valid(server, text, CHECKED) else []
            text = reduce(server, text, seed, needed, checked, self.programs.kernels, wrong[0],
                          self.args.reduce)
            self.keep(f"seed-{seed}.reduced.ck", text)
            self.say(f"seed {seed}, reduced: {wrong[0]}\n{text}")

    def alone(self, server, seeds, suspects, text, why):
        """Runs each suspect of a module separately."""
        count = 0
        for seed in suspects:
            single = self.programs.module([seed])
            wrong = verdict(server, single, seed, self.configurations, self.programs.kernels)
            if wrong:
                count += 1
                self.found(server, seed, single, wrong)
        with self.lock:
            self.agree += len(suspects) - (count or 1)
            self.differ += not count
        if not count:
            self.keep(f"seeds-{seeds[0]}-{seeds[-1]}.ck", text)
            self.say(f"seeds {seeds[0]} to {seeds[-1]}, as one module only: {why}")

    def batch(self, seeds):
        server = self.server()
        try:
            text = self.programs.module(seeds)
            try:
                wrong = compare(server, text, seeds, self.configurations, self.programs.kernels)
                suspects, why = list(wrong), "; ".join(f"{s}: {w}" for s, w in wrong.items())
            except Failure as failure:
                suspects, why = seeds, str(failure)
            with self.lock:
                self.agree += len(seeds) - len(suspects)
            if suspects:
                self.alone(server, seeds, suspects, text, why)
        except Stopped:
            pass
        finally:
            with self.lock:
                self.free.append(server)

    def progress(self):
        args = self.args
        return f"{self.clock.now():6.1f} s: {self.agree} agree, {self.differ} differ, of {args.count}"

    def run(self):
        args = self.args
        pool = concurrent.futures.ThreadPoolExecutor(args.jobs)
        seeds = range(args.seed, args.seed + args.count)
        if args.filter:
            wanted = (seed for seed in itertools.count(args.seed) if args.filter == self.programs.name(seed))
            seeds = list(itertools.islice(wanted, args.count))
        batches = [seeds[at:at + args.batch] for at in range(0, args.count, args.batch)]
        waiting = {pool.submit(self.batch, seeds) for seeds in batches}
        failure, last = None, 0.0
        try:
            while waiting and self.clock.left() > 0:
                done, waiting = concurrent.futures.wait(
                    waiting, max(0.0, min(PROGRESS, self.clock.left())),
                    concurrent.futures.FIRST_COMPLETED)
                failure = failure or next((one.exception() for one in done if one.exception()), None)
                if self.clock.now() >= last + PROGRESS:
                    last = self.clock.now()
                    self.say(self.progress())
        except KeyboardInterrupt:
            self.say("interrupted")
        self.clock.stop()
        pool.shutdown(cancel_futures=True)
        for server in self.servers:
            server.close()
        if failure:
            raise failure
        left = self.report()
        return 1 if self.differ or (left and args.complete) else 0

    def report(self):
        for name, *_ in self.configurations:
            pairs = [server.times[name] for server in self.servers if name in server.times]
            compiled, ran = (sum(pair[i] for pair in pairs) for i in (0, 1))
            print(f"{name}: {compiled:.1f} s compiling, {ran:.1f} s running, of all processes")
        left = self.args.count - self.agree - self.differ
        print(f"{self.clock.now():.1f} s, {self.args.jobs} processes, seed {self.args.seed}")
        print(f"{self.agree} agree, {self.differ} differ" + (f", {left} not run" if left else ""),
              flush=True)
        return left


def interrupt(*_):
    raise KeyboardInterrupt


def options(what, batch, reduction):
    """The command-line options of a run of `what`."""
    parser = argparse.ArgumentParser()
    parser.set_defaults(filter=None)
    parser.add_argument("--ckc", default="ckc", help="serve is looked for beside it")
    parser.add_argument("--serve", help="the program that runs modules")
    parser.add_argument("--seed", type=int, default=1, help=f"of the first of the {what}; then one more each")
    parser.add_argument("--inputs", type=int, help="seed of what the kernels read; default: --seed")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--batch", type=int, default=batch, help=f"{what} in a module")
    parser.add_argument("--gpu", action="store_true", help="also on the GPU, by both back ends")
    parser.add_argument("--device", default="cuda:0", help="the GPU")
    parser.add_argument("--backend", action="append", help="libnvvm or nvptx; both without it")
    parser.add_argument("--check", action="store_true", help="also a checked build for the host")
    parser.add_argument("--seconds", type=float, default=1e9, help="end after that in any case")
    parser.add_argument("--complete", action="store_true", help="what is not run then is a failure")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one module")
    parser.add_argument("--reduce", type=float, default=reduction,
                        help="seconds for making one shorter")
    parser.add_argument("--keep", metavar="FOLDER", help="for what went wrong")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser


def run(args, programs, host):
    """Runs what the command line requests, with these configurations of the host device. Returns
    the exit status."""
    args.serve = args.serve or f"{os.path.dirname(os.path.abspath(args.ckc))}/tests/random/serve"
    if not os.access(args.serve, os.X_OK):
        sys.exit(f"{args.serve} is no program")
    signal.signal(signal.SIGTERM, interrupt)
    with tempfile.TemporaryDirectory(prefix="ck-random-") as folder:
        args.inputs = args.seed if args.inputs is None else args.inputs
        for name, data in programs.inputs(args.inputs).items():
            with open(f"{folder}/{name}.bin", "wb") as file:
                file.write(data)
        return Runner(args, folder, programs, host).run()
