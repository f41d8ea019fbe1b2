# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuda_abi.py - checks that the driver's ABI as declared in runtime/driver is that of a cuda.h.

    cuda_abi.py CC DRIVER_FOLDER CUDA_INCLUDE_FOLDER

One program prints numbers, sizes, signs and offsets; it is compiled with cuda_types.h and with
cuda.h, and has to print the same. Functions are assigned to pointers of the types in
driver.def. What is marked `CUDA 13.2` is left out for an older cuda.h, and so are OpenGL's
functions, whose header needs OpenGL's. The last line says how much was compared.
"""
import os
import re
import subprocess
import sys
import tempfile

TOKEN = re.compile(r"/\* CUDA (\d+)\.(\d+) \*/|/\*.*?\*/|^#[^\n]*$|(\w+)|(\S)", re.S | re.M)
NUMBER = 'printf("{0} %lld\\n", (long long)({1}));'
UNSIGNED = '(({0})-1 > 0)'


def tokens(text):
    """Returns (word, CUDA version marked right after it, or 0) without other comments."""
    words = []
    for match in TOKEN.finditer(text):
        if match[1]:
            words[-1] = (words[-1][0], int(match[1]) * 1000 + int(match[2]) * 10)
        elif match[3] or match[4]:
            words.append((match[3] or match[4], 0))
    return words


class Reader:
    """Reads cuda_types.h into rows (version, C code that prints a fact)."""

    def __init__(self, text):
        self.words, self.at, self.rows = tokens(text), 0, []
        self.newest = {}  # for each type: the CUDA version of its newest member
        for name in re.findall(r"^#define (CU\w+) +\S", text, re.M):
            self.fact(0, name, f"(intptr_t){name}")
        pending = 0
        while self.at < len(self.words):
            pending = self.declaration(pending)

    def next(self):
        self.at += 1
        return self.words[self.at - 1][0]

    def peek(self, ahead=0):
        return self.words[self.at + ahead][0]

    def mark(self):
        """The version marked after the last word."""
        return self.words[self.at - 1][1]

    def fact(self, version, name, value):
        self.rows.append((version, NUMBER.format(name, value)))

    def declaration(self, version):
        """Reads a declaration. `version` is marked before it; returns the one marked after it."""
        is_type = self.peek() == "typedef"
        if is_type:
            self.next()
        kind = self.next()
        if kind in ("enum", "struct", "union") and "{" in (self.peek(), self.peek(1)):
            tag = "" if self.peek() == "{" else self.next()
            if kind == "enum":
                self.constants(version)
            else:
                self.next()
                self.newest[tag] = self.members(tag, "", version)
            if is_type:
                assert self.next() == tag, tag
                self.fact(self.newest.get(tag, version), tag + " bytes", f"sizeof({tag})")
                self.fact(version, tag + " alignment", f"_Alignof({tag})")
                if kind == "enum":
                    self.fact(version, tag + " unsigned", UNSIGNED.format(tag))
            assert self.next() == ";"
            return self.mark()
        line = [kind]
        while self.peek() != ";":
            line.append(self.next())
        self.next()
        if "(" in line:  # a function pointer
            name = line[line.index("*", line.index("(")) + 1]
            self.fact(version, name + " bytes", f"sizeof({name})")
        elif "*" not in line:
            self.fact(version, line[-1] + " bytes", f"sizeof({line[-1]})")
            self.fact(version, line[-1] + " unsigned", UNSIGNED.format(line[-1]))
        return self.mark()

    def constants(self, version):
        assert self.next() == "{"
        newest = max(version, self.mark())
        while self.peek() != "}":
            name = self.next()
            while self.next() != ",":
                pass
            self.fact(max(newest, self.mark()), name, name)
        self.next()

    def members(self, tag, path, version):
        """Reads the members of a struct or union, up to its `}`. Returns the CUDA version of the
        newest."""
        last_version = version
        while self.peek() != "}":
            if self.peek() in ("struct", "union") and self.peek(1) == "{":
                at = self.at
                depth = 0
                while True:  # the name follows it
                    word = self.next()
                    depth += (word == "{") - (word == "}")
                    if word == "}" and not depth:
                        break
                name = "" if self.peek() == ";" else self.next()
                end = self.at
                self.at = at + 2
                inside = self.members(tag, path + name + "." if name else path, version)
                last_version = max(last_version, inside)
                self.at = end
                assert self.next() == ";"
                continue
            names, last, grown = [], None, self.newest.get(self.peek(), 0)
            while True:
                word = self.next()
                if word in (",", ";", "["):
                    names.append(last)
                    while word not in (",", ";"):
                        word = self.next()
                    if word == ";":
                        break
                last = word
            for name in names:
                newest = max(version, self.mark())
                last_version = max(last_version, newest, grown)
                self.fact(newest, f"{tag}.{path}{name} at", f"offsetof({tag}, {path}{name})")
                self.fact(max(newest, grown), f"{tag}.{path}{name} bytes", f"sizeof((({tag} *)0)->{path}{name})")
        self.next()
        return last_version


def expanded(text, include):
    """The text with the rows of the tables that enumerations include."""
    def rows(match):
        with open(os.path.join(include, match[3]), encoding="utf-8") as file:
            found = re.findall(match[1] + r"\((\w+), *(\d+)", file.read())
        return "".join(f"{match[2]}{name} = {value},\n" for name, value in found)
    return re.sub(r'#define (\w+)\(name, value.*?\) (\w+)##name = value,\n#include "([\w/.]+)"\n', rows, text)


def functions(text):
    """Yields (version, name, parameters) for each function of driver.def or cuda_functions.h."""
    text = re.sub(r"\s+", " ", text)
    for match in re.finditer(r"(?:DRIVER_FN\(|CUresult )(cu\w+)(?:, (\d+), \w+, )?\(([^)]*)\)", text):
        if not match[1].startswith("cuGraphicsGL"):
            yield int(match[2] or 0), match[1], match[3]


def run(compiler, folder, source, *flags):
    path = os.path.join(folder, "facts")
    with open(path + ".c", "w", encoding="utf-8") as file:
        file.write(source)
    subprocess.run([*compiler.split(), "-std=c11", "-Werror=incompatible-pointer-types", *flags, path + ".c",
                    "-o", path], check=True)
    return subprocess.run([path], check=True, capture_output=True, text=True).stdout.splitlines()


def main(compiler, driver, cuda):
    include = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../include")
    with open(os.path.join(cuda, "cuda.h"), encoding="utf-8", errors="replace") as file:
        version = int(re.search(r"^#define CUDA_VERSION (\d+)", file.read(), re.M)[1])
    with open(os.path.join(driver, "cuda_types.h"), encoding="utf-8") as file:
        text = expanded(file.read(), include)
    rows = [row for newest, row in Reader(text).rows if newest <= version]
    all_functions = []
    for name in ("driver.def", "cuda_functions.h"):
        if os.path.exists(os.path.join(driver, name)):
            with open(os.path.join(driver, name), encoding="utf-8") as file:
                all_functions += [row for row in functions(file.read()) if row[0] <= version]
    start = "#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include "
    end = "\nint main(void) {\n" + "\n".join(rows) + "\nreturn 0; }\n"
    pointers = "".join(f"CUresult (*type_of_{name})({types}); static void check_{name}(void) "
                       f"{{ type_of_{name} = &{name}; }}\n" for _, name, types in all_functions)
    with tempfile.TemporaryDirectory() as folder:
        ours = run(compiler, folder, start + '"cuda_types.h"' + end, "-I" + driver, "-I" + include)
        theirs = run(compiler, folder, start + "<cuda.h>" + end, "-I" + cuda)
        with open(os.path.join(folder, "functions.c"), "w", encoding="utf-8") as file:
            file.write("#include <stdint.h>\n#include <cuda.h>\n" + pointers)
        subprocess.run([*compiler.split(), "-std=c11", "-fsyntax-only", "-Werror=incompatible-pointer-types",
                        "-I" + cuda, os.path.join(folder, "functions.c")], check=True)
    wrong = [f"{our}: cuda.h has {their.rsplit(' ', 1)[1]}" for our, their in zip(ours, theirs)
             if our != their]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{len(ours)} facts, {len(all_functions)} functions, {len(wrong)} wrong")
    return 1 if wrong or not ours or not all_functions else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
