# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""abi.py - compares the binary interface of an installed tree with that of a release.

    abi.py FOLDER CC LIST [--write]

The interface is a list of lines, of which LIST has those of the release:

    symbol libckrt.so.0 ck_stream_create CK_0.1    an exported name and its version
    struct ck_launch_config_t 96 8                 a struct of the headers, its bytes and alignment
    field ck_launch_config_t grid 8 12             a field of it, its offset and bytes
    value CK_FEW 3                                 an enumerator

A line that is gone or has other numbers breaks programs that were linked with the release: that
fails. What is new breaks none, but for a struct that grows: one with a `struct_size` may. --write
makes the list anew, when a version is released.

Sizes come from the compiler: a program prints those of each struct that the headers define.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRUCT = re.compile(r"typedef (?:struct|union)(?: \w+)? ?\{((?:[^{}]|\{[^{}]*\})*)\} (\w+);")
ENUM = re.compile(r"enum(?: \w+)? ?\{([^{}]*)\}")


def symbols(folder):
    for path in sorted(glob.glob(folder + "/lib/libck*.so.[0-9]")):
        out = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True,
                             check=True).stdout
        for line in out.splitlines():
            name, _, version = line.split()[2].partition("@@")
            if version:
                yield f"symbol {os.path.basename(path)} {name} {version}"


def fields_of(body):
    """The names of the fields: the last name of each declarator."""
    body = re.sub(r"\{[^{}]*\}", "", body)
    for declaration in body.split(";"):
        pointer = re.search(r"\(\*(\w+)\)\s*\(", declaration)
        if pointer:
            yield pointer[1]
            continue
        for declarator in declaration.split(","):
            names = re.findall(r"\w+", re.sub(r"\[[^\]]*\]", "", declarator))
            if names:
                yield names[-1]


def layout(folder, compiler):
    headers = sorted(os.path.basename(path) for path in glob.glob(folder + "/include/ck/*.h"))
    lines = ["#include <stddef.h>", "#include <stdio.h>"] + [f"#include <ck/{h}>" for h in headers]
    lines.append("int main(void) {")
    for header in headers:
        with open(f"{folder}/include/ck/{header}", encoding="utf-8") as file:
            text = COMMENT.sub("", file.read())
        for body, name in STRUCT.findall(text):
            lines.append(f'printf("struct {name} %zu %zu\\n", sizeof({name}), _Alignof({name}));')
            lines += [f'printf("field {name} {field} %zu %zu\\n", offsetof({name}, {field}), '
                      f'sizeof((({name} *)0)->{field}));' for field in fields_of(body)]
        text = re.sub(r"(?m)^ *#.*$", "", text)  # rows of a .def have macros for names
        for body in ENUM.findall(text):
            for item in body.split(","):
                name = re.match(r"\s*(CK_\w+)\s*(?:=|$)", item)
                if name:
                    lines.append(f'printf("value {name[1]} %lld\\n", (long long){name[1]});')
    lines.append("return 0; }")
    with tempfile.TemporaryDirectory() as out:
        with open(out + "/layout.c", "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        subprocess.run([compiler, "-std=c11", "-w", "-I" + folder + "/include", out + "/layout.c", "-o",
                        out + "/layout"], check=True)
        return subprocess.run([out + "/layout"], capture_output=True, text=True,
                              check=True).stdout.splitlines()


def key_of(line):
    """What a line is about: all but its numbers."""
    return re.sub(r"( -?\d+)+$", "", line)


def main(folder, compiler, path, write=""):
    now = list(dict.fromkeys([*symbols(folder), *layout(folder, compiler)]))
    if write == "--write":
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(now) + "\n")
        return 0
    with open(path, encoding="utf-8") as file:
        then = file.read().splitlines()
    found = {key_of(line): line for line in now}
    may_grow = {line.split()[1] for line in now if re.match(r"field \w+ struct_size 0 ", line)}
    wrong = 0
    for line in then:
        other = found.get(key_of(line))
        words = line.split()
        if other == line or (other and words[0] == "struct" and words[1] in may_grow and
                             int(other.split()[2]) > int(words[2]) and other.split()[3] == words[3]):
            continue
        print(f"{os.path.basename(path)} has '{line}', now it is {repr(other) if other else 'gone'}")
        wrong += 1
    new = len({key_of(line) for line in now} - {key_of(line) for line in then})
    print(f"{len(then)} facts of {os.path.basename(path)}, {wrong} broken; {new} new")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__.split("\n\n")[1].strip())
    sys.exit(main(*sys.argv[1:]))
