# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heads.py - the declarations in CK files, as the compiler lists them with `ckc --emit=heads`
(compiler/output/heads.c).

    declared(ckc, paths)        for each file a dictionary: its head comment, its items
    heads(ckc, library)         the functions in a library's folder: head.name, head.params, ...
    find_ckc(), find_library()  those of this build or package, for scripts that get neither as an
                                argument

Names that begin with `__` are not for programs and are left out, and so are functions that exist
only to refuse arguments (their body begins with a static_assert of false).
"""
import glob
import json
import os
import shlex
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def find_ckc():
    """Finds the ckc that lit runs, or else one of a package or a build."""
    named = os.environ.get("CK_BUILD")
    folders = [named] if named else []
    folders += [TOP, TOP + "/build-dev", TOP + "/build"]
    return next(folder + "/bin/ckc" for folder in folders if os.path.exists(folder + "/bin/ckc"))


def find_library():
    """Finds the library's folder, in the sources or in a package."""
    return next(filter(os.path.isdir, (TOP + "/lib", TOP + "/share/cokernel/lib")))


def library_files(library):
    return sorted(glob.glob(library + "/**/*.ck", recursive=True))


def declared(ckc, paths):
    """Returns the declarations of each file. One process reads all of them."""
    commands = "".join(f"{shlex.quote(path)} --emit=heads\n" for path in paths)
    run = subprocess.run([ckc, "@-"], input=commands.encode(), capture_output=True, check=False)
    if run.returncode:
        raise ValueError(run.stderr.decode())
    found, text, decoder = [], run.stdout.decode(), json.JSONDecoder()
    while text:
        one, end = decoder.raw_decode(text)
        found.append(one)
        text = text[end:].lstrip()
    return found


class Param:
    """A parameter: its name; `in`, `out`, `inout` or ""; the text of its type; that of its default,
    or "". A generic parameter has no access; `is_const` says whether it is a constant. place: of a
    constant, its position among the arguments."""

    def __init__(self, item):
        self.name, self.access = item["name"], item.get("access", "")
        self.is_const, self.place = item["kind"] == "const_param", item.get("place")
        self.type = item.get("type", "" if item["kind"] == "param" else "type")
        self.default = item.get("default", "")
        self.has_default = "default" in item


class Head:
    """A function. name: with its receiver, as in warp.tile.reduce, or with its struct, as in
    Map.[]. generics: from a name to what it is (type, fn, number, or the type of a constant);
    defaults: the names that have one; constants: the names that are passed as arguments, with their
    positions."""

    def __init__(self, item, path, structure=None):
        self.file, self.structure = path, structure and structure["name"]
        self.receiver, self.method = item.get("receiver", ""), item["name"]
        self.name = ".".join([self.receiver or self.structure or ""] + [self.method]).lstrip(".")
        self.params = [Param(one) for one in item.get("params", [])]
        self.templates = [Param(one) for one in item.get("generics", [])]
        self.generics = {one.name: one.type for one in self.templates}
        self.defaults = {one.name for one in self.templates if one.has_default}
        self.constants = {one.name: one.place for one in self.templates if one.place is not None}
        self.result, self.is_property = item.get("result", ""), "is_property" in item
        self.is_refused = "is_refusal" in item

    def arguments(self):
        """What a call passes in (...): the parameters, and the constants among them."""
        found = list(self.params)
        for one in sorted((one for one in self.templates if one.place is not None), key=lambda one: one.place):
            found.insert(one.place, one)
        return found

    def functions(self):
        """The parameters that are functions of the program."""
        return [param for param in self.params if self.generics.get(param.type) == "fn"]

    def __repr__(self):
        return f"{self.name}({', '.join(f'{param.name}: {param.type}' for param in self.params)})"


def heads(ckc, library, refused=False):
    """The functions of a library's folder; methods are listed where their struct is. refused: also
    functions that only refuse arguments."""
    paths, found = library_files(library), []
    for path, file in zip(paths, declared(ckc, paths)):
        short = os.path.relpath(path, library)
        for item in file["items"]:
            if item["kind"] == "function":
                found.append(Head(item, short))
            elif item["kind"] == "structure" and not item["name"].startswith("__"):
                found += [Head(one, short, item) for one in item["members"] if one["kind"] == "function"]
    return [head for head in found if not any(part.startswith("__") for part in (head.receiver, head.method)) and
            (refused or not head.is_refused)]
