#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""apply.py - follows the recipes of docs/adding.md: each NAME.txt here adds one thing to a copy of the tree.

    apply.py check              looks whether each step has its place in the tree as it is; quick
    apply.py apply TOP [NAME]   makes the steps of a recipe, or of all, in the tree TOP
    apply.py build FOLDER       copies the tree to FOLDER, applies all, builds it and runs their tests: minutes

A recipe's file begins with what it adds, in a sentence. Its steps follow the rows of docs/adding.md:

    ==== PATH after TEXT        the lines below go behind the line of PATH in which TEXT stands
    ==== PATH before TEXT       or in front of it
    ==== PATH in TEXT           TEXT, which may have several lines up to a line `----`, becomes what is below
    ==== PATH                   a new file
"""
import glob
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))


class Step:
    """One step: where it goes, and its text."""

    def __init__(self, head, text):
        found = re.fullmatch(r"(\S+)(?: (after|before|in)(?: (.*))?)?", head)
        self.path, self.how, self.anchor, self.text = found[1], found[2], found[3], text
        if self.how == "in" and not self.anchor:
            self.anchor, _, self.text = text.partition("----\n")
            self.anchor = self.anchor.rstrip("\n")

    def wrong(self, top):
        """Why the step can't be made in this tree, or None."""
        path = os.path.join(top, self.path)
        if not self.how:
            return f"{self.path} is there already" if os.path.exists(path) else None
        if not os.path.exists(path):
            return f"there is no {self.path}"
        with open(path, encoding="utf-8") as file:
            count = file.read().count(self.anchor)
        return None if count == 1 else f"'{self.anchor}' stands {count} times in {self.path}"

    def make(self, top):
        path = os.path.join(top, self.path)
        if not self.how:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            text = self.text
        else:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            at = text.index(self.anchor)
            if self.how == "in":
                text = text.replace(self.anchor, self.text.rstrip("\n"))
            else:
                at = text.index("\n", at) + 1 if self.how == "after" else text.rfind("\n", 0, at) + 1
                text = text[:at] + self.text + text[at:]
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def steps_of(name):
    with open(f"{HERE}/{name}.txt", encoding="utf-8") as file:
        pieces = re.split(r"(?m)^==== (.*)\n", file.read())
    return [Step(head, text) for head, text in zip(pieces[1::2], pieces[2::2])]


def names():
    return sorted(os.path.basename(path)[:-4] for path in glob.glob(HERE + "/*.txt"))


def apply(top, which):
    """Makes the steps; what is wrong, as texts."""
    wrong = []
    for name in which:
        for step in steps_of(name):
            why = step.wrong(top)
            if why:
                wrong.append(f"{name}: {why}")
            else:
                step.make(top)
    return wrong


def check():
    """Each recipe by itself, and each step in a tree that has those before it."""
    wrong, count = [], 0
    for name in names():
        made = {}  # the files that steps before have changed
        for step in steps_of(name):
            count += 1
            why = step.wrong(TOP) if step.path not in made else None
            made[step.path] = True
            if why:
                wrong.append(f"test/adding/{name}.txt: {why}")
    print("\n".join(wrong + [f"{len(names())} recipes, {count} steps, {len(wrong)} wrong"]))
    return len(wrong) > 0


def build(folder):
    shutil.copytree(TOP, folder, ignore=shutil.ignore_patterns("build", "build-*", ".git", "__pycache__"), symlinks=True)
    wrong = apply(folder, names())
    print("\n".join(wrong))
    tests = [step.path for name in names() for step in steps_of(name)
             if not step.how and re.match(r"test/.*\.(ck|test)$", step.path)]
    programs = ["runtime-" + os.path.basename(step.path)[:-2] for name in names() for step in steps_of(name)
                if not step.how and re.match(r"test/runtime/.*\.c$", step.path)]
    commands = [["cmake", "--preset", "release", f"-DCK_PYTHON={sys.executable}"],
                ["cmake", "--build", "build", "--target", "ckc", "messages", "unit-tables", *programs],
                ["ctest", "--test-dir", "build", "-R", f"^({'|'.join(['unit-tables', *programs])})$"],
                [".ci/lit", "--build=build", "-v", *tests]]
    for command in commands:
        if subprocess.run(command, cwd=folder, check=False).returncode:
            return 1
    return len(wrong) > 0


def main(what, *rest):
    if what == "check":
        return check()
    if what == "build":
        return build(*rest)
    wrong = apply(rest[0], rest[1:] or names())
    print("\n".join(wrong))
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
