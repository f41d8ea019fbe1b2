#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_style.py - checks the rules of docs/style.md that a program can check.

Usage: check_style.py [--fix] [--junit=FILE] [FILE...]: all files of the repository, or those named.
--fix first formats the C files and removes white space at the ends of lines. Prints `file:line:
message` for each finding; exits with 1 if there is one.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import xml.sax.saxutils as xml

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

MAX_LINES = 1500
MAX_COLUMNS = 100
MAX_TEST_LINES = 40
SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"

# Files that may call the C library's allocator directly, and which functions.
ALLOCATORS = {
    "compiler/base/arena.c": "malloc calloc realloc free",
    "runtime/core/object.c": "malloc calloc realloc free",
    "runtime/core/object.h": "malloc calloc realloc free",
    "compiler/base/file.c": "free",  # frees realpath's result
}
# Files that may end the process, and how.
ENDINGS = {
    "compiler/base/arena.c": "abort",  # die(): internal errors
    "compiler/base/process.c": "_exit",  # in the child process, in which a library may crash
}
# Files of others, which are kept unchanged.
VENDORED = re.compile(r"^(vendor/|LICENSE$)")

CODE = re.compile(r"\.(c|h|re|y|py)$")
C_LIKE = re.compile(r"\.(c|h|re|y|def)$")
MACHINE_PATH = re.compile(r"(?<![\w.$}])/(?:wo" r"rk|ro" r"ot|ho" r"me)/\w")
BUILT = re.compile(rb"\x7fELF|!<arch>\n")
OPEN_END = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b(?!.*#\d)")

FORBIDDEN = [  # words, folders in which they are forbidden, exceptions, reason
    (re.compile(r"\bLLVM[A-Z]\w*"), r"^(compiler|runtime)/",
     r"^compiler/(gen|repair|target)/",
     "LLVM is called in compiler/gen/, repair/ and target/ alone"),
    (re.compile(r"\bcu[A-Z]\w*"), r"^(compiler|include)/", r"^$",
     "the driver is called in runtime/ alone"),
    (re.compile(r"\bnvvm[A-Z]\w*"), r"^(compiler|runtime)/",
     r"^(compiler/base/\w+\.def|compiler/target/(lib)?nvvm\.(c|def)|runtime/code/program_nvvm\.c)$",
     "libNVVM is called in compiler/target/libnvvm.c and runtime/code/program_nvvm.c alone"),
]


# The folders of each library, and the compiler's files outside of folders, in the order in which
# they may include: each may include those before it. ck is include/ck.
STAGES = {
    "compiler": ["ck", "base", "text", "session.h", "front", "check", "gen", "repair", "target",
                 "output", "compile.c", "ckc"],
    "runtime": ["core", "driver", "device", "memory", "code", "launch", "graph", "interop",
                "system", "host", "algorithm", "python"],
}
STAGE = re.compile(r"(compiler|runtime)/(?:(\w+)/\w+|(\w+))\.(?:c|h|re|y|cpp)$")
DEFINITION = re.compile(r"^((?:\w[^\n;={}()]*)?[ *])(\w+)\((?:[^;{}]*)\)\n\{", re.M)
# A section of a runtime header, up to the next section: functions that a later folder defines for it.
INTERFACE = re.compile(r"^/\* Implemented in (\w+)/: .*?(?=^/\* (?:Implemented in|-{4}|\w+/ -{4})|\Z)",
                       re.M | re.S)
PROTOTYPE = re.compile(r"^(?!static|typedef)(?:\w[^\n;={}()]*[ *])(\w+)\([^;{}]*;", re.M)


# What the names of public functions begin with besides objects, which have a type ck_OBJECT_t.
MODULES = ["cache", "checkpoint", "embedded", "error", "graph_memory", "nvtx", "nvtx_domain", "sm_resource",
           "system", "toolkit", "view", "workqueue_resource"]


def list_files():
    try:
        listed = subprocess.run(
            ["git", "-C", TOP, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True, check=True).stdout.decode()
        names = [name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = []
    if not names:  # not a repository, but an unpacked archive
        for folder, folders, files in os.walk(TOP):
            folders[:] = [f for f in folders if f not in (".git", "__pycache__")
                          and not f.startswith("build")]
            names += [os.path.relpath(os.path.join(folder, f), TOP) for f in files]
    return sorted(n for n in set(names) if os.path.isfile(os.path.join(TOP, n)))


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def without_comments(text):
    """Returns C text in which comments and the contents of strings are blank; line numbers are
    kept."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


class Checker:
    def __init__(self, names):
        self.names = names
        self.findings = {}  # rule -> list of text
        self.text, self.built_files = {}, []
        for name in names:
            with open(os.path.join(TOP, name), "rb") as file:
                data = file.read()
            if b"\0" not in data:
                self.text[name] = data.decode("utf-8", errors="replace")
            elif BUILT.match(data):
                self.built_files.append(name)

    def find(self, rule, name, line, message):
        self.findings.setdefault(rule, []).append(f"{name}:{line}: {message}")

    def each_match(self, rule, name, text, pattern, message):
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            self.find(rule, name, line, message.format(match[0].strip()))

    def built(self):
        for name in self.built_files:
            self.find("built", name, 1, "an object file: what a build makes is not kept")

    def heads(self):
        """Files begin with the licence, then a comment that says what the file is."""
        for name, text in self.text.items():
            if VENDORED.match(name) or not C_LIKE.search(name) and not name.endswith(".py"):
                continue
            lines = text.split("\n")[:6]
            stem = os.path.basename(name)
            if not name.endswith(".def") and not any(SPDX in line for line in lines):
                self.find("heads", name, 1, f"no line '{SPDX}'")
            head = re.compile(r'^(/\*|""")\s*(ck/)?' + re.escape(stem) + r" - ", re.M)
            if not head.search("\n".join(lines)):
                self.find("heads", name, 1, f"no head comment '{stem} - what the file does'")
            if name.endswith(".h") and not re.search(r"(?m)^#ifndef CK_\w+_H$", text):
                self.find("heads", name, 1, "no guard CK_<NAME>_H")
            if name.endswith(".def") and not re.search(r"(?m)^#undef ", text):
                self.find("heads", name, 1, "no #undef of the row macro at the end")

    def sizes(self):
        for name, text in self.text.items():
            lines = text.count("\n")
            if CODE.search(name) and not VENDORED.match(name) and lines > MAX_LINES:
                self.find("sizes", name, lines, f"{lines} lines; {MAX_LINES} is the limit")
            golden = "update_checks" in text[:200]
            # The kernels of a C program, beside it in test/runtime, are no test of their own.
            if re.match(r"test/(?!runtime/).*\.(ck|test)$", name) and "/Inputs/" not in name and not golden \
                    and lines > MAX_TEST_LINES:
                self.find("sizes", name, lines, f"{lines} lines; a test has {MAX_TEST_LINES}")

    def calls(self):
        """Only certain files may allocate, end the process, or call LLVM, the driver or libNVVM."""
        for name, text in self.text.items():
            if not C_LIKE.search(name) or VENDORED.match(name) \
                    or not re.match(r"(compiler|runtime|ckc|include)/", name):
                continue
            code = without_comments(text)
            allowed = ALLOCATORS.get(name, "").split()
            for word in ("malloc", "calloc", "realloc", "free"):
                if word not in allowed:
                    self.each_match("calls", name, code, re.compile(rf"(?<![\w.>]){word}\s*\("),
                                    f"'{word}': memory comes from arenas or object.c")
            allowed = ENDINGS.get(name, "").split()
            for word in ("exit", "_exit", "abort"):
                if word not in allowed and not name.startswith("compiler/ckc/"):
                    self.each_match("calls", name, code, re.compile(rf"(?<![\w.>]){word}\s*\("),
                                    f"'{word}': a library never ends its process")
            for pattern, folders, files, reason in FORBIDDEN:
                if re.match(folders, name) and not re.match(files, name):
                    self.each_match("calls", name, code, pattern, "'{}': " + reason)

    def stages(self):
        """A folder may include headers of folders before it, and its own, and call their functions.
        In the runtime, a header may ask a later folder for functions, in a section that says why:
        /* Implemented in graph/: ... */. They are declared there, or named if they are public. What a folder offers to others is declared in its headers;
        what others must not use is in headers named private."""
        for library, stages in STAGES.items():
            code, stage_of, made, own, asked = {}, {}, {}, {}, {}
            for name, text in self.text.items():
                found = STAGE.match(name)
                stage = found and (found[2] or os.path.basename(name))
                if found and found[1] == library and stage in stages:
                    code[name], stage_of[name] = without_comments(text), stages.index(stage)
                    for section in INTERFACE.finditer(text if library == "runtime" else ""):
                        words = [found[1] for found in PROTOTYPE.finditer(without_comments(section[0]))]
                        words += re.findall(r"\bck_\w+", section[0].split("*/")[0])
                        for word in words:
                            asked[word] = min(stages.index(stage), asked.get(word, len(stages)))
            for name, stage in stage_of.items():
                for found in DEFINITION.finditer(code[name]):
                    if "static" in found[1].split():
                        own.setdefault(name, set()).add(found[2])
                    elif stages[stage] != "ckc":  # a program of its own
                        made.setdefault(found[2], set()).add(stage)
            for word, stage in asked.items():
                made.setdefault(word, set()).add(stage)
            for name, stage in stage_of.items():
                self.stage(name, code[name], stages, stage, {
                    word: places for word, places in made.items() if word not in own.get(name, ())})

    def stage(self, name, code, stages, stage, made):
        """Checks one file: `made` has the functions that folders define, and which folder defines
        them."""
        for number, line in enumerate(self.text[name].split("\n"), 1):
            found = re.match(r'#include "(?:(\w+)/)?([\w.]+)"', line)
            other = found and (found[1] or found[2])
            if other not in stages:
                continue
            if stages.index(other) > stage:
                self.find("stages", name, number, f"'{other}' is no stage before this one")
            if other != stages[stage] and found[2].endswith("_private.h"):
                self.find("stages", name, number, f"'{found[2]}' is private to '{other}'")
        for number, line in enumerate(code.split("\n"), 1):
            for word in re.findall(r"(?<![\w.>])([a-z]\w+)\(", line):
                if min(made.get(word, [0])) > stage:
                    self.find("stages", name, number, f"'{word}' is of "
                              f"'{stages[min(made[word])]}', no stage before this one")
        for found in PROTOTYPE.finditer(code):
            places = made.get(found[1], {stage})
            if name.endswith(".h") and stage not in places and stages[stage] != "ckc":
                line = code.count("\n", 0, found.start(1)) + 1
                self.find("stages", name, line, f"'{found[1]}' is of '{stages[min(places)]}', "
                                                "whose header is the place of its prototype")

    def verbs(self):
        """Exported functions are named after an object and a verb of the list in ck/ck.h."""
        listed = re.search(r"\* - Names\..*?\n \*\n(.*?)\n \*\n", self.text.get("include/ck/ck.h", ""),
                           re.S)
        if not listed:
            return
        verbs = {word for line in listed[1].split("\n")
                 for word in re.split(r"\s{2,}", line[1:].strip(" *"))[0].split()}
        headers = {name: without_comments(text) for name, text in self.text.items()
                   if re.match(r"include/ck/\w+\.h$", name)}
        objects = set(MODULES)
        for text in headers.values():
            objects |= set(re.findall(r"typedef struct ck_(\w+) ck_\1_t;", text))
        for name, text in headers.items():
            for found in re.finditer(r"CK_API\s+(ck_status_t |void (?!\*))?[\w \*]*?\bck_(\w+)\(", text):
                words = found[2].split("_")
                owner = max((i for i in range(len(words)) if "_".join(words[:i]) in objects),
                            default=0)
                if found[1] and words[owner] not in verbs:
                    self.find("verbs", name, text.count("\n", 0, found.start()) + 1,
                              f"'{words[owner]}' of ck_{found[2]} is no verb of ck/ck.h")

    def messages(self):
        """Messages may mention only what callers know: public functions, and errors that have a
        name."""
        function = re.compile(r"^(\w[^\n;{}]*(?:\n[^\n;{}]+)*)\n\{\n(.*?)^\}", re.M | re.S)
        errors = self.text.get("runtime/host/errors.def", "")
        named = set(re.findall(r"HOST_ERROR\((CUDA_\w+)", errors))
        for name, text in self.text.items():
            if re.match(r"runtime/\w+/\w+\.c$", name):
                for found in function.finditer(without_comments(text)):
                    is_public = re.search(r"(?<!\w)ck_\w+\(", found[1])
                    if not is_public and re.search(r"CK_NEED_(ARGS?|OUT)\(", found[2]):
                        self.find("messages", name, text.count("\n", 0, found.start()) + 1,
                                  "CK_NEED_ARG names this function, which no caller knows")
            if named and re.match(r"runtime/host/\w+\.[ch]$", name):
                for error in sorted(set(re.findall(r"\bCUDA_ERROR_\w+", text)) - named):
                    self.find("messages", name, text.count("\n", 0, text.index(error)) + 1,
                              f"'{error}' has no text in runtime/host/errors.def")

    def tables(self):
        """.def files whose head comment says that they are sorted have to be."""
        for name, text in self.text.items():
            if not name.endswith(".def") or not re.search(r"\b[Ss]orted\b", text.split("*/")[0]):
                continue
            last = {}
            for number, line in enumerate(text.split("\n"), 1):
                row = re.match(r'^([A-Z_0-9]+)\(\s*"?([^,")]+)', line)
                if row:
                    if last.get(row[1], "") > row[2]:
                        self.find("tables", name, number, f"'{row[2]}' stands after "
                                                          f"'{last[row[1]]}', the table is sorted")
                    last[row[1]] = row[2]

    def diagnostics(self):
        """Every message of text/diag.def has to be expected by a test."""
        table = self.text.get("compiler/text/diag.def")
        if table is None:
            return
        tests = "\n".join(text for name, text in self.text.items() if name.startswith("test/"))
        expected = {found[1] or found[2]
                    for found in re.finditer(r"\[(\w+)\\?\]|\bDIAG_(\w+)", tests)}
        for number, line in enumerate(table.split("\n"), 1):
            row = re.match(r"^DIAG\(\s*(\w+)\s*,\s*(\w+)", line)
            if row and row[1] not in expected \
                    and not (row[2] in ("NOTE", "HINT") and self.note_is_tested(line, tests)):
                self.find("diagnostics", "compiler/text/diag.def", number,
                          f"no test expects [{row[1]}]")

    @staticmethod
    def note_is_tested(line, tests):
        """Notes are printed without an id: their longest piece of text identifies them."""
        text = re.search(r'"((?:\\.|[^"\\])*)"', line)
        pieces = re.split(r"%[-.*\d]*(?:ll|l|z)?[a-z]", text[1]) if text else [""]
        return max(pieces, key=len).strip(" '") in tests

    def text_form(self):
        for name, text in self.text.items():
            if VENDORED.match(name):
                continue
            if text and not text.endswith("\n"):
                self.find("text", name, text.count("\n") + 1, "no newline at the end")
            if text.endswith("\n\n"):
                self.find("text", name, text.count("\n"), "empty lines at the end")
            for number, line in enumerate(text.split("\n"), 1):
                if line != line.rstrip():
                    self.find("text", name, number, "white space at the end of the line")
                if re.search(r"\.(c|h)$", name) and len(line) > MAX_COLUMNS:
                    self.find("text", name, number, f"{len(line)} columns; {MAX_COLUMNS} fit")
                if C_LIKE.search(name) and "\t" in line:
                    self.find("text", name, number, "a tab")
                if OPEN_END.search(line):
                    self.find("text", name, number, "an open end without an issue's number")
                if MACHINE_PATH.search(line):
                    self.find("text", name, number, "a path of one machine")

    def formatting(self):
        tool = shutil.which("clang-format-14") or shutil.which("clang-format")
        names = [n for n in self.text if re.search(r"\.(c|h)$", n) and not VENDORED.match(n)]
        if not names:
            return
        version = tool and subprocess.run([tool, "--version"], capture_output=True, text=True,
                                          check=False).stdout
        if not version or " 14." not in version:
            self.find("formatting", ".clang-format", 1, "clang-format 14 is not installed")
            return

        def check(some):
            return subprocess.run([tool, "--dry-run", "--ferror-limit=3"] + some, cwd=TOP,
                                  capture_output=True, text=True, check=False).stderr

        chunks = [names[i::8] for i in range(8) if names[i::8]]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for output in pool.map(check, chunks):
                for found in re.finditer(r"(?m)^(\S+?):(\d+):\d+: (?:warning|error): code", output):
                    self.find("formatting", found[1], found[2],
                              "not as clang-format 14 lays it out")


def fix(names):
    names = [n for n in names if not VENDORED.match(n)]
    for name, text in Checker(names).text.items():
        mended = re.sub(r"[ \t]+$", "", text, flags=re.M).rstrip("\n") + "\n"
        if text and mended != text:
            with open(os.path.join(TOP, name), "w", encoding="utf-8") as file:
                file.write(mended)
    code = [n for n in names if re.search(r"\.(c|h)$", n)]
    if code:
        subprocess.run(["clang-format-14", "-i"] + code, cwd=TOP, check=True)


RULES = {"built": Checker.built, "heads": Checker.heads, "sizes": Checker.sizes,
         "calls": Checker.calls, "tables": Checker.tables, "diagnostics": Checker.diagnostics,
         "messages": Checker.messages, "stages": Checker.stages, "verbs": Checker.verbs,
         "text": Checker.text_form, "formatting": Checker.formatting}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--junit", help="also write results to this file")
    parser.add_argument("--fix", action="store_true", help="mend what can be mended")
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    if args.fix:
        fix([os.path.relpath(os.path.abspath(n), TOP) for n in args.files] or list_files())
    checker = Checker(list_files())
    only = {os.path.relpath(os.path.abspath(name), TOP) for name in args.files}
    rows, count = [], 0
    for rule, check in RULES.items():
        check(checker)
        found = [text for text in checker.findings.get(rule, [])
                 if not only or text.split(":", 1)[0] in only]
        count += len(found)
        for text in found:
            print(text)
        inner = f"<failure message={xml.quoteattr(chr(10).join(found))}/>" if found else ""
        rows.append(f'<testcase name="{rule}">{inner}</testcase>')
    if args.junit:
        with open(args.junit, "w", encoding="utf-8") as file:
            file.write("<testsuite>" + "".join(rows) + "</testsuite>\n")
    print(f"{len(checker.text)} files, {count} findings")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
