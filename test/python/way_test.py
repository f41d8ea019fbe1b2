# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""way_test.py - a new user's way: the wheel in a clean virtual environment, with NumPy from the package
registry and nothing else. Types what docs/tour.md shows under "From Python", compares all output, times the
steps, and then runs docs/python.md there. The oldest and the newest Python of this machine do it.

Exits with 77 in a package, for a build that sanitizers watch, which is no release, and where NumPy can't be had.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("CK_BUILD", os.path.join(TOP, "build"))
TYPE = """import doctest, sys, time
globals_, failed = {"__name__": "tour"}, 0
for path in sys.argv[1:]:
    start = time.perf_counter()
    found = doctest.DocTestParser().get_doctest(open(path, encoding="utf-8").read(), globals_, path, path, 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(found, clear_globs=False)
    globals_, failed = found.globs, failed + result.failed
    print(f"STEP {time.perf_counter() - start:.2f}")
sys.exit(failed != 0)
"""


def pythons():
    """The oldest and the newest Python from 3.10 on: {version: path}."""
    found = {}
    for path in [sys.executable, *glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin/python3")),
                 *glob.glob("/usr/bin/python3.[0-9]*"), *glob.glob("/usr/local/bin/python3.[0-9]*")]:
        if not re.search(r"python3?(\.\d+)?$", path):
            continue
        done = subprocess.run([path, "-c", "import sys, venv, ensurepip; print(*sys.version_info[:3])"],
                              capture_output=True, text=True, check=False)
        version = tuple(map(int, done.stdout.split()))
        if version >= (3, 10):
            found.setdefault(version, path)
    return {v: found[v] for v in sorted(found)[:1] + sorted(found)[-1:]}


def blocks(text, word):
    return re.findall(rf"(?ms)^```{word}\n(.*?)^```", text)


class Failed(Exception):
    """A step that prints something else than the page."""


def type_commands(text, folder, environment):
    """Runs the commands of the page, and returns how long each took."""
    steps = []
    for part in re.split(r"(?m)^\$ ", text)[1:]:
        command, *expected = part.rstrip("\n").split("\n")
        start = time.monotonic()
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        word = command.split(" ")[0].rpartition("/")[2]
        steps.append(({"python3": "venv", "pip": "install"}.get(word, word), time.monotonic() - start))
        if done.returncode and steps[-1][0] == "install":
            alone = subprocess.run(["bash", "-c", command.replace("install ", "install --no-deps ", 1)], cwd=folder,
                                   env=environment, capture_output=True, check=False)
            if alone.returncode == 0:  # the wheel is right, and NumPy can't be had
                print(done.stdout)
                sys.exit(77)
        if done.returncode or done.stdout.split() != " ".join(expected).split():
            raise Failed(f"$ {command}\n{done.stdout}")
    return steps


def way(python, wheel, folder):
    """One new user. Prints a line with the times."""
    with open(os.path.join(TOP, "docs/tour.md"), encoding="utf-8") as file:
        tour = file.read()
    with open(os.path.join(folder, "scale.ck"), "w", encoding="utf-8") as file:
        file.write(next(b for b in blocks(tour, "ck") if b.startswith("// scale.ck")))
    os.symlink(wheel, os.path.join(folder, os.path.basename(wheel)))
    os.makedirs(os.path.join(folder, "bin"))
    os.symlink(python, os.path.join(folder, "bin/python3"))
    environment = {n: v for n, v in os.environ.items() if not n.startswith(("CK_", "LD_", "PYTHON", "ASAN"))}
    environment.update(PATH=f"{folder}/bin:{environment['PATH']}", XDG_CACHE_HOME=f"{folder}/cache")
    section = tour[tour.index("## From Python"):]
    section = section[:section.index("\n## ", 4)]
    steps = type_commands(blocks(section, "shell")[0], folder, environment)
    files = []
    for index, block in enumerate(blocks(section, "python")):
        files.append(os.path.join(folder, f"step{index}"))
        with open(files[-1], "w", encoding="utf-8") as file:
            file.write(block)
    ours = os.path.join(folder, "try/bin/python")
    done = subprocess.run([ours, "-c", TYPE, *files], cwd=folder, env=environment, capture_output=True, text=True,
                          check=False)
    times = [float(t) for t in re.findall(r"(?m)^STEP (.*)$", done.stdout)]
    steps += zip(("kernel", "mistake", "algorithm"), times)
    if done.returncode:
        raise Failed(done.stdout + done.stderr)
    done = subprocess.run([ours, os.path.join(TOP, "test/python/tour_test.py")], cwd=folder, env=environment,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(done.stdout + done.stderr)
    versions = subprocess.run([ours, "-c", "import sys, numpy; print('Python', sys.version.split()[0] + ', NumPy',"
                               " numpy.__version__)"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"{versions}: " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in steps))


def main():
    if not os.path.exists(os.path.join(BUILD, "lib/libckrt.so")):
        print("no build folder to make a wheel of")
        return 77
    with open(os.path.join(BUILD, "lib/libckrt.so"), "rb") as file:
        if b"__asan_init" in file.read():
            print("the build has sanitizers")
            return 77
    with tempfile.TemporaryDirectory() as out:
        run = subprocess.run([sys.executable, os.path.join(TOP, "runtime/python/wheel.py"), BUILD, out],
                             capture_output=True, text=True, check=True)
        for path in pythons().values():
            with tempfile.TemporaryDirectory() as folder:
                way(path, run.stdout.strip(), folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
