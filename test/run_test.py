#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run_test.py - runs the CALL lines of .ck files, and compares the results with the EXPECT lines.

    // CALL: saxpy(n=4, a=2.0, x=[1, 2, 3, 4], y=ones:4, z=zeros:4)
    // EXPECT: z = [3, 5, 7, 9]

    // FOR: k in 1, 255, 256, 1..100000
    // CALL: saxpy(a=0.5, x=rand:k, y=rand:k:7, z=zeros:k) --block=128
    // EXPECT: z = a * x + y
    // TOLERANCE: 1e-6

docs/tests.md describes the format. Arguments are passed to `ckc run` as .npy files with the types
that the manifest names, and results are returned the same way, so that nothing is rounded in
between.
"""
import argparse
import collections
import copy
import glob
import itertools
import json
import math
import os
import random
import re
import selectors
import shlex
import subprocess
import sys
import tempfile
import time
import types

import numpy as np

import records
import values

LINE = re.compile(r"^\s*//\s*(CALL|EXPECT-ERROR|EXPECT-OUTPUT|EXPECT-NUMPY|EXPECT|TOLERANCE|FOR|"
                  r"BENCH|COMPILE|NAME|SET|TAGS|THEN):\s*(.*?)\s*$")
# A misspelt test line, which would otherwise be taken for a comment: see compiler/ckc/test_parse.c.
NEARLY = re.compile(r"^\s*//\s*(?:(?:CALL|EXPECT-ERROR|EXPECT-OUTPUT|EXPECT-NUMPY|EXPECT|TOLERANCE|FOR|BENCH|"
                    r"COMPILE|NAME|SET|TAGS|THEN)\s+:|(?:EXPECT(?:-NUMPY)?|SET)\s+[\w.]+(?:\[[^]]*\][\w.]*)*\s*=(?!=)|(?:CALL|BENCH|THEN)\s+\w+[(<]|"
                    r"EXPECT-(?:ERROR|OUTPUT)\s|FOR\s+\w+\s+in\s|TOLERANCE\s+(?:\d|exact$|relative |absolute ))")
MADE = re.compile(r"^(zeros|ones|iota|rand):([^:]+)(?::([^:]+)(?::(.+)\.\.(.+))?)?$")
LAUNCH = re.compile(r"--(grid|block|cluster|repeat|time|print|save|device|backend|shared)\b")
# Relative tolerances, which become absolute near 0: a few units in the last place.
TOLERANCES = {"f16": 2e-3, "bf16": 1.6e-2, "f32": 1e-6, "f64": 1e-13}
MAX_COMBINATIONS = 64
UNCHECKED = "unchecked: the host device would be compared with itself"  # no failure
MARK = "# ---- run_test.py: the next command ----"


class Failure(Exception):
    """A failed test; the text is the reason."""


class Case:
    """One CALL and its expected results, or one THEN of a CALL."""

    def __init__(self, path, line, text, loops, tolerance):
        self.path, self.line, self.text = path, line, text
        self.loops, self.tolerance, self.tags = list(loops), tolerance, []
        self.expect, self.errors, self.output, self.then, self.sets = [], [], [], [], []
        call = re.match(r"^([\w.]+\s*(?:<.*?>)?)\s*\((.*)\)((?:\s+--?[a-zA-Z]\S*)*)$", text)
        if not call:
            raise Failure(f"{path}:{line}: a call is written NAME(ARGUMENT=VALUE, ...) --OPTION")
        self.kernel, self.options = call[1].strip(), call[3].split()
        self.arguments = []
        for piece in split_commas(call[2]):
            name, equals, value = piece.partition("=")
            if not equals:
                raise Failure(f"{path}:{line}: '{piece}' is not NAME=VALUE")
            self.arguments.append((name.strip(), value.strip()))


    def calls(self):
        """The case itself, followed by its THENs."""
        return [self, *self.then]

    def add_then(self, line, text):
        before = self.calls()[-1]
        after = Case(self.path, line, text, [], before.tolerance)
        own = {word[:2] for word in after.options}
        after.options = [word for word in before.options
                         if not LAUNCH.match(word) and word[:2] not in own] + after.options
        self.then.append(after)


def split_commas(text):
    """Splits a text at the commas that are outside of brackets."""
    pieces, depth, piece = [], 0, ""
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            pieces.append(piece.strip())
            piece = ""
        else:
            piece += char
    return pieces + [piece.strip()] if piece.strip() else pieces


def read_tolerance(text):
    """(relative, absolute, floor): |got - wanted| <= absolute + relative * max(|wanted|, floor)."""
    if text == "exact":
        return 0.0, 0.0, 0.0
    parts = dict(re.findall(r"(relative|absolute)\s+(\S+)", text))
    limits = (float(parts.get("relative", 0)), float(parts.get("absolute", 0)), 0.0) if parts \
        else (float(text), 0.0, 1.0)
    if not all(0 <= limit < math.inf for limit in limits):
        raise Failure(f"TOLERANCE: {text}: a tolerance is finite, and not negative")
    return limits


def read_cases(path):
    """Reads the CALLs of a file. COMPILE and BENCH lines are only for `ckc test` and `ckc bench`.
    """
    cases, loops, sets, tags, tolerance, current = [], [], [], [], None, None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            found = LINE.match(line)
            if not found and NEARLY.match(line):
                raise Failure(f"{path}:{number}: a test line's word has its ':' right behind it")
            if not found:
                continue
            word, text = found.groups()
            if word in ("CALL", "COMPILE", "BENCH"):
                current = Case(path, number, text, loops, tolerance) if word == "CALL" else word
                if word == "CALL":
                    current.tags, current.sets = tags, sets
                    cases.append(current)
                loops, sets, tags = [], [], []
            elif word == "SET":
                name, _, value = text.partition("=")
                sets.append((name.strip(), value.strip()))
            elif word == "THEN" and (not isinstance(current, Case) or loops or sets or tags):
                raise Failure(f"{path}:{number}: THEN is one more launch of a CALL")
            elif word == "THEN":
                current.add_then(number, text)
            elif word == "FOR":
                name, _, values = text.partition(" in ")
                loops.append((name.strip(), split_commas(values)))
            elif word == "TAGS":
                tags = re.findall(r"\w+", text)
            elif word == "NAME" or isinstance(current, str):
                continue
            elif word == "TOLERANCE" and not current:
                tolerance = read_tolerance(text)
            elif not current:
                raise Failure(f"{path}:{number}: {word} before any CALL")
            elif word == "TOLERANCE":
                current.calls()[-1].tolerance = read_tolerance(text)
            elif word in ("EXPECT", "EXPECT-NUMPY"):
                name, _, value = text.partition("=")
                current.calls()[-1].expect.append((name.strip(), value.strip()))
            elif word == "EXPECT-OUTPUT":
                current.output.append(text)
            else:
                current.errors.append(text)
    return cases


def loop_values(values, samples, rng):
    """The values of a FOR variable: single values as written; for a..b both ends and samples
    between them."""
    result = []
    for value in values:
        low, dots, high = value.partition("..")
        if dots:
            low, high = int(evaluate(low, {})), int(evaluate(high, {}))
            result += [low, high]
            for _ in range(samples):  # evenly distributed over orders of magnitude
                at = rng.uniform(math.log(max(low, 1)), math.log(max(high, 1) + 1))
                result.append(min(max(int(math.exp(at)), low), high))
        else:
            result.append(evaluate(value, {}))
    return list(dict.fromkeys(result))


# ---- values ----------------------------------------------------------------------------------


def element_type(name):
    """Returns the scalar type of a parameter, and the number of scalars per element in files: f32x3
    has 4."""
    vector = re.match(r"^(\w+?)x(\d+)$", name)
    return (vector[1], 4 if vector[2] == "3" else int(vector[2])) if vector else (name, 1)


NAMES = {name: getattr(np, name) for name in (
    "inf nan pi abs arctan arctan2 cbrt cosh exp2 expm1 fmod hypot isinf isnan log10 log1p log2 rint "
    "sinh tanh trunc sqrt exp log sin cos tan floor ceil round minimum maximum where arange full "
    "amax amin any all mean sign cumprod newaxis zeros ones sum prod cumsum sort argsort unique concatenate repeat tile reshape transpose dot "
    "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64").split()}
NAMES.update({"np": np, "math": math, "true": True, "false": False, "min": min, "max": max, "pow": pow,
              "len": len, "bf16": values.bf16, "bin": bin, "range": range, "list": list, "int": int, "float": float, "zip": zip})


def add_up(items, *rest, **named):
    """NumPy's sum, or Python's for a generator, which NumPy refuses."""
    return sum(items) if isinstance(items, types.GeneratorType) else np.sum(items, *rest, **named)


NAMES["sum"] = add_up


def evaluate(text, names):
    """Evaluates a Python expression over NumPy; structs are given as {name: value}."""
    text = re.sub(r"([{,]\s*)([A-Za-z_]\w*)\s*:(?!=)", r'\1"\2":', text) if "{" in text else text
    try:
        with np.errstate(all="ignore"):
            # One dictionary for all names, since names inside comprehensions are looked up among
            # the globals. Some of NumPy's methods import modules when they are first called.
            builtins = {"__import__": __import__}
            return eval(text, {"__builtins__": builtins, **NAMES, **names})  # pylint: disable=eval-used
    except Exception as error:
        raise Failure(f"'{text}': {error}") from error


def made_of(name, text, names):
    """Parses zeros:N and the like. Returns (the generator, its extents); None for other values."""
    found = MADE.match(text)
    if not found:
        return None
    sides = re.split(r"\s+x\s+|(?<=[\d)])x(?=[\d(])", found[2])  # 3x4, or rows x (n + 1)
    shape = tuple(int(evaluate(side, names)) for side in sides)
    seed = int(evaluate(found[3], names)) if found[3] else values.seed_of(name)
    limits = [float(evaluate(side, names)) for side in found.group(4, 5)] if found[4] else None
    return values.Made(found[1], seed, limits), shape


def read_file(path, kind, layout):
    array = np.load(path)
    if layout:
        return layout.widen(array)
    if array.dtype != values.DTYPES[kind]:
        raise Failure(f"{path}: its elements are {array.dtype}, those of {kind} are not")
    return values.load(array, kind)


def make_array(text, kind, names, name, layout=None, folder=""):
    """Returns an array to compute with, or another value. kind: (type of its scalars, scalars per
    element)."""
    scalar, width = kind
    made = made_of(name, text, names)
    if text.startswith("@"):
        return read_file(os.path.join(folder, text[1:]), scalar, layout)
    if made and layout:
        return layout.made(*made)
    if made:
        what, shape = made[0], made[1] + ((width,) if width > 1 else ())
        return values.load(what.numbers(scalar, math.prod(shape)), scalar).reshape(shape)
    value = evaluate(text, names)
    if layout:
        return layout.make(value)
    if not isinstance(value, (list, tuple, np.ndarray)) or (isinstance(value, tuple) and width == 1):
        return value
    array = np.array(value, dtype=object if scalar in ("i64", "u64") else None)
    return values.load(values.store(array, scalar), scalar)


def as_text(value):
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {as_text(part)}" for name, part in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        text = ", ".join(as_text(part) for part in value)
        return f"[{text}]" if isinstance(value, list) else f"({text})"
    return repr(value.item() if isinstance(value, np.generic) else value)


def spreads(shape, wanted):
    """Whether an array can be broadcast to the whole of another one, by NumPy's rules."""
    try:
        return np.broadcast_shapes(shape, wanted) == wanted
    except ValueError:
        return False


def differences(name, expected, actual, kind, tolerance):
    """Returns None, or a text that describes the first element that differs."""
    if isinstance(expected, dict):
        if not isinstance(actual, dict) or not expected.keys() <= actual.keys():
            return f"{name}: expected {expected}, got {actual}"
        found = [differences(f"{name}.{key}", expected[key], actual[key], kind, tolerance)
                 for key in expected]
        return next((text for text in found if text), None)
    if isinstance(expected, tuple) and isinstance(actual, (dict, tuple)):
        parts = list(actual.values()) if isinstance(actual, dict) else actual
        if len(parts) != len(expected):
            return f"{name}: expected {expected}, got {actual}"
        found = [differences(f"{name}.f{i}", want, got, kind, tolerance)
                 for i, (want, got) in enumerate(zip(expected, parts))]
        return next((text for text in found if text), None)
    actual = np.asarray(actual)
    expected = np.asarray(expected)
    if expected.size == actual.size:
        expected = expected.reshape(actual.shape)
    elif not spreads(expected.shape, actual.shape):
        return f"{name}: expected {expected.size} elements, got {actual.size}"
    exact = kind not in TOLERANCES and actual.dtype.kind in "iub" and expected.dtype.kind in "iubO"
    if exact and expected.dtype.kind in "iubO":
        wrong = actual != expected
    else:
        wide = np.float64
        left, right = actual.astype(wide), np.broadcast_to(expected.astype(wide), actual.shape)
        relative, absolute, floor = tolerance or (TOLERANCES.get(kind, 1e-6), 0.0, 1.0)
        with np.errstate(all="ignore"):
            limit = absolute + relative * np.maximum(np.abs(right), floor)
            close = np.abs(left - right) <= limit
        wrong = ~(close | (left == right) | (np.isnan(left) & np.isnan(right)))
    if not wrong.any():
        return None
    at = tuple(int(i) for i in np.argwhere(wrong)[0]) if wrong.ndim else ()
    place = f"[{', '.join(map(str, at))}]" if at else ""
    want = np.broadcast_to(expected, actual.shape)[at]
    return (f"{name}{place}: expected {want!s}, got {actual[at]!s}"
            f" ({int(wrong.sum())} of {actual.size} differ)")


# ---- running ---------------------------------------------------------------------------------


class Slot:
    """An array of a run: its file, and its elements to compute with. For a texture or surface also
    the type of the elements, since a kernel may read another one."""

    def __init__(self, path, value, image_kind=None):
        self.path, self.value, self.image_kind = path, value, image_kind


def texture_word(name, path, rest):
    """The argument for a texture; rest: what follows the file in texture(...), or None."""
    return f"{name}=@{path}" if rest is None else f"{name}=texture(@{path}{rest})"


class Launch:
    """A CALL or THEN of a case, with the parameters of its kernel."""

    def __init__(self, case, params):
        self.case, self.params = case, params
        self.kinds = {name: param["type"] for name, param in params.items()}
        self.layouts = {name: records.Layout(param["layout"], param["bytes"])
                        for name, param in params.items() if "layout" in param}
        self.folder = os.path.dirname(case.path)
        self.roots = list(dict.fromkeys(records.steps(name)[0] for name, _ in case.expect))

    def is_array(self, name):
        param = self.params.get(name, {})
        return param.get("kind") in ("span", "texture", "surface") or "extents" in param

    def is_image(self, name):
        return self.params.get(name, {}).get("kind") in ("texture", "surface")

    def access(self, name):
        param = self.params.get(name, {})
        return {"texture": "in", "surface": "inout"}.get(param.get("kind")) or param.get("access")

    def kind(self, name):
        return element_type(self.kinds.get(name, "f32"))

    def scalar(self, name):
        return element_type(self.kinds.get(name, ""))[0]

    def load(self, name, array):
        layout = self.layouts.get(name)
        return layout.widen(array).view(records.Records) if layout else values.load(array, self.scalar(name))


class Stage:
    """One launch of a run: its command, the names for its EXPECT lines, and its output files."""

    def __init__(self, launch, names, before):
        self.launch, self.names, self.before = launch, names, before  # before: earlier arrays
        self.words, self.saved, self.result, self.outputs = [], {}, None, None


class Run:
    """One run of a case on one device, with a stage for each launch prepared so far."""

    def __init__(self, device, backend):
        self.device, self.backend = device, backend
        self.stages, self.slots, self.scalars, self.failure = [], {}, {}, None
        self.rests = {}  # of textures: see texture_word

    def where(self):
        return self.device + (f" by {self.backend}" if self.backend else "")


class Item:
    """A case with values for its FOR variables: its launches, and its runs."""

    def __init__(self, case, loops, params, folder):
        self.case, self.folder, self.names, self.sets = case, folder, dict(loops), []
        self.launches = [Launch(call, own) for call, own in zip(case.calls(), params)]
        self.runs, self.compared, self.made = [], 0, None
        self.loops = ", ".join(f"{name} = {value}" for name, value in loops.items())
        os.mkdir(folder)
        for name, text in case.sets:
            self.set_constant(name, text)

    def set_constant(self, name, text):
        """Sets a constant of the module: its value for expressions, and the argument of --set."""
        try:
            made = made_of(name, text, self.names)
            kind = "f32" if made and made[0].what == "rand" else "i64"
            value = made[0].numbers(kind, math.prod(made[1])).reshape(made[1]) if made \
                else evaluate(text, self.names)
            value = value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
            self.names[name] = records.plain(value)
        except (ValueError, KeyError, TypeError) as error:
            raise Failure(f"{name}: {text}: {error}") from error
        self.sets.append(f"--set={name}={as_text(value)}")

    def add_run(self, device, backend):
        run = Run(device, backend)
        self.prepare(run)
        self.runs.append(run)

    def arguments(self, stage, run):
        """Returns the command-line words for the arguments of a launch, and adds their values to
        the names of the stage."""
        launch, words = stage.launch, []
        for name, text in launch.case.arguments:
            try:
                words.append(self.argument(stage, run, name, text))
            except (ValueError, KeyError, TypeError, IndexError, OSError) as error:
                raise Failure(f"{name}: {text}: {error}") from error
        given = {name for name, _ in launch.case.arguments}
        extents = json.dumps([param.get("extents") for param in launch.params.values()])
        for name in launch.params:
            if name in given or not run.stages:
                continue
            if self.is_kept(stage, name, name) and launch.access(name) != "out":
                words.append(self.keep(stage, run, name, name, None))
            elif name in run.scalars and not launch.is_array(name) and not re.search(rf"\b{name}\b", extents):
                words.append(f"{name}={run.scalars[name]}")
        return words

    def argument(self, stage, run, name, text):
        launch = stage.launch
        layout, kind = launch.layouts.get(name), launch.kind(name)
        if layout and not launch.is_array(name):
            value = evaluate(text, stage.names)
            run.scalars[name] = as_text(value)
            stage.names[name] = records.one(layout.tree, value)
            return f"{name}={as_text(value)}"
        if self.is_kept(stage, name, text):  # the array itself, not a copy of its elements
            if [other for _, other in launch.case.arguments].count(text) > 1:
                raise ValueError("one array for two parameters is for ckc test alone")
            return self.keep(stage, run, name, text, None)
        if text.startswith("texture("):
            return self.texture(stage, run, name, text)
        value = make_array(text, kind, stage.names, name, layout, launch.folder)
        if not isinstance(value, np.ndarray):
            run.scalars[name] = as_text(value)
            stage.names[name] = value
            return f"{name}={as_text(value)}"
        path = f"{self.folder}/{len(run.stages)}-{name}.npy"
        np.save(path, layout.narrow(value) if layout else values.store(value, kind[0]))
        value = value.view(records.Records) if layout and value.dtype.names else value
        stage.names[name] = value
        run.slots[name] = Slot(path, value, kind[0] if launch.is_image(name) else None)
        return f"{name}=@{path}"

    @staticmethod
    def is_kept(stage, name, kept):
        """Whether this names an array of an earlier launch that the parameter can take."""
        slot = stage.before.get(kept)
        return slot is not None and stage.launch.is_array(name) and \
            (slot.image_kind is not None) == stage.launch.is_image(name)

    @staticmethod
    def keep(stage, run, name, kept, rest):
        """The word for an array of an earlier launch; rest: a texture's further options."""
        slot = run.slots[name] = stage.before[kept]
        stage.names[name] = slot.value
        rest = run.rests.get(kept) if rest is None else rest
        is_other = slot.image_kind not in (None, stage.launch.scalar(name))
        if is_other and "type=" not in (rest or ""):
            rest = (rest or "") + f", type={slot.image_kind}"
        run.rests[name] = rest
        return texture_word(name, slot.path, rest)

    def texture(self, stage, run, name, text):
        """Handles texture(VALUE, VALUE..., OPTION=...): writes the values to files, and evaluates
        numbers in options."""
        pieces = [re.match(r"(?:(\w+)\s*=(?!=)\s*)?(.*)", piece) for piece in split_commas(text[8:-1])]
        arrays = [piece[2] for piece in pieces if not piece[1]]
        options = {piece[1]: piece[2] for piece in pieces if piece[1]}
        scalar, width = stage.launch.kind(name)
        kind, paths = options.get("type", scalar), []
        for option, value in options.items():
            try:
                options[option] = as_text(evaluate(value, stage.names))
            except Failure:
                pass  # a keyword
        rest = "".join(f", {option}={value}" for option, value in options.items())
        if self.is_kept(stage, name, arrays[0]):
            return self.keep(stage, run, name, arrays[0], rest)
        for i, array in enumerate(arrays):
            level = make_array(array, (kind, width), stage.names, name, None, stage.launch.folder)
            paths.append(f"{self.folder}/{len(run.stages)}-{name}-{i}.npy")
            np.save(paths[i], values.store(level, kind))
            stage.names[name] = level if i == 0 else stage.names[name]
        run.rests[name] = "".join(f", @{path}" for path in paths[1:]) + rest
        run.slots[name] = Slot(paths[0], stage.names[name], kind)
        return texture_word(name, paths[0], run.rests[name])

    def prepare(self, run):
        """Prepares the next stage of a run; the arguments of the first one are the same on all
        devices."""
        index = len(run.stages)
        launch = self.launches[index]
        stage = Stage(launch, dict(run.stages[-1].names if index else self.names), dict(run.slots))
        stage.names.update((name, slot.value) for name, slot in run.slots.items())
        if index or not self.made:
            words = self.arguments(stage, run)
            if not index:
                self.made = words, dict(stage.names), dict(run.slots), dict(run.scalars), dict(run.rests)
        else:
            words, names, slots, scalars, rests = self.made
            stage.names, run.scalars, run.rests = dict(names), dict(scalars), dict(rests)
            run.slots = {name: copy.copy(slot) for name, slot in slots.items()}
        is_last = index + 1 == len(self.launches)
        saved = [name for name in launch.params if launch.is_array(name) and
                 (name in launch.roots or not (is_last or launch.access(name) == "in"))]
        saved += [name for name in launch.roots if not index and name != "result" and name not in saved]
        prefix = f"{self.folder}/{len(self.runs)}-{index}-"
        stage.saved = {name: f"{prefix}{name}.npy" for name in saved if name != "result"}
        stage.words = ["run", self.case.path, launch.case.kernel, *words, "--device=" + run.device]
        stage.words += ["--backend=" + run.backend] if run.backend and run.device != "host" else []
        stage.words += self.sets + launch.case.options + [f"--save={name}:{path}" for name, path in stage.saved.items()]
        run.stages.append(stage)

    def advance(self, run):
        """Reads the results of a run's last stage, and prepares the next one. Returns whether there
        is one."""
        stage = run.stages[-1]
        try:
            stage.outputs = self.read(run, stage)
            if stage.result.returncode == 0 and len(run.stages) < len(self.launches):
                self.prepare(run)
                return True
        except Failure as failure:
            run.failure = failure
        return False

    def read(self, run, stage):
        """Returns {name: array or scalar} of the results of a launch, and of the arrays of earlier
        launches."""
        result = stage.result
        if result.returncode != 0 and self.case.errors:
            return {}
        if result.returncode != 0:
            raise Failure(f"ckc run exits with {result.returncode}:\n{result.stderr[-4000:]}")
        for name, path in stage.saved.items():
            try:
                array = np.load(path)
            except (OSError, ValueError) as error:
                raise Failure(f"--save={name}:FILE left no array: {error}") from error
            slot = run.slots.setdefault(name, Slot(path, None))
            if name not in dict(stage.launch.case.arguments) and \
                    stage.launch.access(name) == "out":
                slot = run.slots[name] = Slot(path, None)  # may replace an older one
            slot.path = path
            slot.value = values.load(array, slot.image_kind) if slot.image_kind else stage.launch.load(name, array)
        outputs = {name: slot.value for name, slot in run.slots.items()}
        found = re.search(r"(?m)^result = (.*)$", result.stdout)
        if found:
            outputs["result"] = evaluate(found[1], {})
            run.slots["result"] = Slot(None, outputs["result"])
        elif "result" in stage.launch.roots and "result" not in outputs:
            raise Failure("nothing printed `result = ...`")
        return outputs

    def check_text(self, run):
        """Checks that the texts of EXPECT-ERROR and EXPECT-OUTPUT occur in what the launches
        printed."""
        results = [stage.result for stage in run.stages if stage.result]
        if self.case.errors and results[-1].returncode == 0:
            raise Failure("it ran, but an error was expected")
        for text in self.case.errors:
            if text not in results[-1].stdout + results[-1].stderr:
                raise Failure(f"no '{text}' in:\n{results[-1].stderr}")
        whole = "".join(result.stdout for result in results)
        printed = whole.splitlines()  # the order of lines of different threads is undefined
        for text in self.case.output:
            if text not in printed:
                raise Failure(f"no line '{text}' in:\n{whole}")
            printed.remove(text)

    def compare(self, stage, first, is_host):
        for name, text in stage.launch.case.expect:
            if text == "host" and is_host:
                continue
            self.compared += 1
            got, node, launch = self.part(stage, name, stage.outputs)
            try:
                expected = self.part(stage, name, first.outputs)[0] if text == "host" \
                    else self.expected(stage, name, text, got, node, launch)
                pairs = [(name, launch.scalar(records.steps(name)[0]), expected, got)]
                if node:
                    pairs = [(place, kind, want, have) for (place, kind, have), (_, _, want) in
                             zip(records.columns(node, got, name), records.columns(node, expected, name))]
                found = [differences(place, want, have, kind, stage.launch.case.tolerance)
                         for place, kind, want, have in pairs]
            except (TypeError, ValueError, KeyError) as error:
                raise Failure(f"{name}: {text}: {error}") from error
            wrong = next((text for text in found if text), None)
            if wrong:
                raise Failure(wrong)

    def part(self, stage, name, outputs):
        """Returns what an EXPECT line refers to, its node in the record layout, and the launch that
        produced it."""
        root, path = records.steps(name)
        past = self.launches[:self.launches.index(stage.launch) + 1]
        launch = next((launch for launch in reversed(past) if launch.is_array(root)), stage.launch)
        layout = launch.layouts.get(root)
        try:
            value = outputs[root]
            node = layout.tree.inner() if layout and isinstance(value, np.ndarray) else None
            value, node = records.follow(value, node, path,
                                         lambda text, names: evaluate(text, stage.names | names))
            return value, node, launch
        except (IndexError, KeyError, TypeError, ValueError, Failure) as error:
            raise Failure(f"there is no '{name}'") from error

    def expected(self, stage, name, text, got, node, launch):
        root, path = records.steps(name)
        if not node:
            kind = (launch.kind(root)[0], 1) if path else launch.kind(root)
            return make_array(text, kind, stage.names, name, folder=launch.folder) \
                if MADE.match(text) or text.startswith("@") else evaluate(text, stage.names)

        def zeros(shape):
            return np.zeros(shape, got.dtype)

        made = made_of(name, text, stage.names)
        if made and node.bracket:
            return records.made(node, *made, zeros)
        if made:
            return values.load(made[0].numbers(node.kind, math.prod(made[1])), node.kind).reshape(made[1])
        if text.startswith("@"):
            array = np.load(os.path.join(launch.folder, text[1:]))
            wanted = zeros(array.shape)
            records.convert(node, array, wanted, values.load)
            return wanted
        value = evaluate(text, stage.names)
        return records.make(node, value, zeros) if node.bracket else value

    def verdict(self, devices):
        """Returns None, UNCHECKED, or the text for the first run that failed."""
        first, has_expects = None, any(launch.case.expect for launch in self.launches)
        for run in self.runs:
            line = self.case.line
            try:
                for i, stage in enumerate(run.stages):
                    line = stage.launch.case.line
                    is_compared = stage.outputs is not None and not self.case.errors
                    if is_compared and (run.device, run.backend) in devices:
                        self.compare(stage, first and first.stages[i], run.device == "host")
                if run.failure:
                    raise run.failure
                self.check_text(run)
                first = first or run
            except Failure as failure:
                loops = " with " + self.loops if self.loops else ""
                return f"{self.case.path}:{line}: on {run.where()}{loops}: {failure}"
        is_empty = self.runs and has_expects and not self.compared
        return UNCHECKED if is_empty and not self.case.errors and not self.case.output else None


class Session:
    """A ckc process that is started once, and runs commands until one fails."""

    def __init__(self, ckc, timeout):
        self.timeout = timeout
        self.process = subprocess.Popen([*ckc, "@-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.ends, self.texts = selectors.DefaultSelector(), {}
        for stream in (self.process.stdout, self.process.stderr):
            self.ends.register(stream, selectors.EVENT_READ)
            self.texts[stream] = b""

    def run(self, words):
        """Runs one command. After a failure the session is over."""
        try:
            self.process.stdin.write(f"{shlex.join(words)}\n{MARK}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        end, late = f"{MARK}\n".encode(), time.monotonic() + self.timeout
        while not all(text.endswith(end) for text in self.texts.values()) and self.ends.get_map():
            left = max(late - time.monotonic(), 0)
            ready = self.ends.select(None if math.isinf(left) else left)
            if not ready:
                self.process.kill()
                late = math.inf
                self.texts[self.process.stderr] += f"took over {self.timeout} s\n".encode()
            for key, _ in ready:
                piece = os.read(key.fd, 1 << 16)
                self.texts[key.fileobj] += piece
                if not piece:
                    self.ends.unregister(key.fileobj)
        code = 0 if len(self.ends.get_map()) == 2 else self.process.wait()
        out, err = (text.removesuffix(end).decode(errors="replace") for text in self.texts.values())
        self.texts = {stream: b"" for stream in self.texts}
        return subprocess.CompletedProcess(words, code, out, err)

    def close(self):
        """Ends the process. Returns None, or what it reports at its end, such as leaks."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        said = self.process.stderr.read() if self.ends.get_map() else b""
        code = self.process.wait()
        return f"ckc @- exits with {code}:\n{said.decode(errors='replace')[-4000:]}" if code else None


class Runner:
    """Runs cases with one ckc on any number of configurations (device, backend)."""

    def __init__(self, ckc, wrap=(), timeout=300, log=None, host_level=None, instances=None,
                 has_session=False, is_checked=False):
        """host_level: the optimisation level N for -ON on the host where the test names none.
        instances: how many instances of a generic kernel compile() compiles to cubins; None for
        all. is_checked: code for the host is compiled with -check, except for launches that are
        expected to fail. has_session: commands that are expected to succeed run in one process,
        which close() ends."""
        self.has_session, self.session = has_session, None
        self.host_level, self.instances, self.is_checked = host_level, instances, is_checked
        self.ckc = [ckc] if os.path.exists(ckc) else shlex.split(ckc)
        self.wrap, self.timeout, self.log = list(wrap), timeout, log
        self.manifests, self.without = {}, {}  # without: ckc's message if there is no manifest

    def command(self, words, wrap=()):
        line = list(wrap) + self.ckc + words
        try:
            result = subprocess.run(line, capture_output=True, timeout=self.timeout, check=False)
        except subprocess.TimeoutExpired as error:
            said = (error.stderr or b"") + f"took over {self.timeout} s\n".encode()
            result = subprocess.CompletedProcess(line, "a time limit", error.stdout or b"", said)
        result.stdout = result.stdout.decode(errors="replace")
        result.stderr = result.stderr.decode(errors="replace")
        return result

    def show(self, words, result):
        if self.log:
            self.log(f"$ {' '.join(words)}\n{result.stdout}{result.stderr}[exit {result.returncode}]\n")

    def in_session(self, words):
        self.session = self.session or Session(self.ckc, self.timeout)
        result = self.session.run(words)
        if result.returncode != 0:
            self.session = None
        return result

    def close(self):
        """Ends the session. Returns None, or what was wrong with it."""
        session, self.session = self.session, None
        return session.close() if session else None

    def commands(self, lists, wrap=()):
        """Runs commands, in one process as long as they succeed. Returns their results in the same
        order."""
        results = []
        while len(results) < len(lists):
            results += [self.in_session(lists[len(results)])] if self.has_session and not wrap \
                else self.one_process(lists[len(results):], wrap)
        for words, result in zip(lists, results):
            self.show([*wrap, *self.ckc, *words], result)
        return results

    def one_process(self, lists, wrap):
        """Runs commands in one process. Returns the results up to the first failure."""
        if len(lists) == 1:
            return [self.command(lists[0], wrap)]
        with tempfile.NamedTemporaryFile("w", prefix="ck-commands-", encoding="utf-8") as file:
            file.writelines(f"{MARK}\n{shlex.join(words)}\n" for words in lists)
            file.flush()
            whole = self.command(["@" + file.name], wrap)
            has_failed = f"at {file.name}:" in whole.stderr
        # What a wrapping tool prints at its start belongs to the first command, what it prints at
        # its end to the last.
        outs, errs = (text.split(MARK + "\n")[1:] for text in (whole.stdout, whole.stderr))
        results = [subprocess.CompletedProcess(lists[i], 0, outs[i], errs[i] if i < len(errs) else "")
                   for i in range(len(outs))]
        if whole.returncode == 0 and len(results) == len(lists):
            return results
        if not results or (len(results) == len(lists) and not has_failed):
            # The process as a whole failed: find out which command does.
            return [self.command(words, wrap) for words in lists]
        results[-1].returncode = whole.returncode
        return results

    def read_manifests(self, cases):
        """Gets the manifests of all modules and instances that the cases need."""
        wanted = {}
        for case in cases:
            key = self.manifest_key(case)
            if key not in self.manifests:
                wanted[key] = list(key)
        for key, result in zip(wanted, self.commands(list(wanted.values()))):
            if result.returncode != 0:
                self.without[key] = f"{' '.join(key)} exits with {result.returncode}\n{result.stderr[-4000:]}"
            if isinstance(result.returncode, int) and result.returncode < 0:
                raise Failure(self.without[key])
            try:
                self.manifests[key] = json.loads(result.stdout) if result.returncode == 0 else {}
            except ValueError as error:
                raise Failure(f"the manifest is no JSON: {error}") from error

    @staticmethod
    def manifest_key(case):
        return (case.path, "--emit=manifest", *(["--instance=" + case.kernel] if "<" in case.kernel else []))

    def params(self, case):
        """Returns {name: parameter} from a kernel's manifest; empty without a manifest."""
        manifest = self.manifests[self.manifest_key(case)]

        def plain(name):
            return name.replace(" ", "")

        asked = plain(case.kernel)
        begins = asked[:-1] + "," if asked.endswith(">") else asked + "<"  # the rest is inferred
        items = [(plain(name), item) for item in manifest.get("kernels", []) + manifest.get("algorithms", [])
                 for name in [item["name"], *item.get("written", [])]]
        same = [item for name, item in items if name == asked]
        same += [item for name, item in items if name.startswith(begins)]
        return {param["name"]: param for param in same[0]["params"]} if same else {}

    def compile(self, cases, backends):
        """Compiles the called instances to cubins, for backends whose code runs on no GPU here."""
        modules, made = {}, collections.Counter()
        for case, tags in [(call, case.tags) for case in cases for call in case.calls()]:
            name, is_generic, _ = case.kernel.partition("<")
            if "no_gpu" in tags or made[name] == self.instances:
                continue
            options = tuple(word for word in case.options if not LAUNCH.match(word))
            kernels = modules.setdefault((case.path, options), {})
            word = "--instance=" + case.kernel
            if is_generic and word not in kernels:
                kernels[word] = True
                made[name] += 1
        with tempfile.TemporaryDirectory(prefix="ck-run-") as folder:
            lists = [[path, "--emit=cubin", "--target=sm_90", "--backend=" + backend,
                      "-o", f"{folder}/out.cubin", *instances, *options]
                     for backend in backends for (path, options), instances in modules.items()]
            for words, result in zip(lists, self.commands(lists)):
                if result.returncode != 0:
                    raise Failure(f"{' '.join(words)}\n{result.stderr[-4000:]}")

    def check(self, pairs, devices):
        """Runs (case, values) pairs on all configurations. Returns for each None on success, or the
        text of the first difference."""
        self.read_manifests([call for case, _ in pairs for call in case.calls()])
        with tempfile.TemporaryDirectory(prefix="ck-run-") as folder:
            items = [self.make_item(case, values, f"{folder}/{i}", devices)
                     for i, (case, values) in enumerate(pairs)]
            self.run_all([item for item in items if isinstance(item, Item)])
            return [item.verdict(devices) if isinstance(item, Item) else item for item in items]

    def level(self, run):
        has_own = any(word.startswith("-O") for word in run.stages[-1].words)
        wanted = self.host_level is not None and run.device == "host" and not has_own
        return [f"-O{self.host_level}"] if wanted else []

    def make_item(self, case, loops, folder, devices):
        wants_host = any(text == "host" for call in case.calls() for _, text in call.expect)
        try:
            item = Item(case, loops, [self.params(call) for call in case.calls()], folder)
            if wants_host and ("host", None) not in devices:
                item.add_run("host", None)
            for device, backend in devices:
                if ("no_host" if device == "host" else "no_gpu") not in case.tags:
                    item.add_run(device, backend)
            return item
        except Failure as failure:
            why = self.without.get(self.manifest_key(case), "")
            return f"{case.path}:{case.line}: {failure}" + (f"\n{why}" if why else "")

    def run_all(self, items):
        """Runs launch after launch, first on the host, then on the GPU, each in one process except
        for launches that are expected to fail."""
        left = [(item, run) for item in items for run in item.runs]
        while left:
            for is_host in (True, False):
                self.run_stages([(item, run) for item, run in left if (run.device == "host") == is_host],
                                () if is_host else self.wrap)
            left = [(item, run) for item, run in left if item.advance(run)]

    def run_stages(self, runs, wrap):
        together = [run for item, run in runs if not item.case.errors]
        lists = [run.stages[-1].words + self.level(run) for run in together]
        if self.is_checked:
            lists = [words + ["-check"] if "--device=host" in words else words for words in lists]
        for run, result in zip(together, self.commands(lists, wrap)):
            run.stages[-1].result = result
        for item, run in runs:
            if item.case.errors:
                words = run.stages[-1].words
                run.stages[-1].result = self.command(words + self.level(run), wrap)
                self.show([*wrap, *self.ckc, *words], run.stages[-1].result)


def combinations(case, samples=2, seed=1):
    """All combinations of the FOR variables' values, or MAX_COMBINATIONS of them."""
    rng = random.Random(seed)
    names = [name for name, _ in case.loops]
    lists = [loop_values(values, samples, rng) for _, values in case.loops]
    every = list(itertools.product(*lists))
    if len(every) > MAX_COMBINATIONS:
        every = rng.sample(every, MAX_COMBINATIONS)
    return [dict(zip(names, values)) for values in every]


def configurations(devices, backends):
    """The host once, and each other device with each backend."""
    result = []
    for device in devices:
        for backend in [None] if device == "host" or not backends else backends:
            result.append((device, backend))
    return sorted(result, key=lambda pair: pair[0] != "host")


def run_file(runner, path, devices, backends, samples=2, seed=1, may_be_empty=False):
    """Compiles the CALLs of a file to cubins with these backends, and runs them on these
    configurations. Returns a list with None for each success, or the text of the difference."""
    try:
        cases = read_cases(path)
        if not cases and not may_be_empty:
            raise Failure(f"{path}: has no CALL line")
        if backends:
            runner.compile(cases, backends)
        if not devices:
            return [None] * len(cases)
        return runner.check([(case, values) for case in cases
                             for values in combinations(case, samples, seed)], devices)
    except Failure as failure:
        return [str(failure)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ckc", default="ckc")
    parser.add_argument("--device", action="append", help="host, cuda:N or auto; again for more; "
                        "host, unless there is a --compile")
    parser.add_argument("--backend", action="append", help="libnvvm or nvptx; again for more")
    parser.add_argument("--compile", action="append", default=[], metavar="BACKEND",
                        help="also make a cubin for sm_90; needs no GPU; again for more")
    parser.add_argument("--instances", type=int, metavar="N",
                        help="of a kernel, that --compile makes cubins of; all without it")
    parser.add_argument("--check", action="store_true",
                        help="what runs on the host is compiled with -check")
    parser.add_argument("--samples", type=int, default=2, help="random values for each a..b")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--echo", action="store_true", help="show commands and what they print")
    parser.add_argument("files", nargs="+", metavar="FILE.ck|FOLDER")
    args = parser.parse_args()

    files = []
    for name in args.files:
        files += sorted(glob.glob(name + "/**/*.ck", recursive=True)) if os.path.isdir(name) \
            else [name]
    runner = Runner(args.ckc, log=(lambda text: print(text, end="")) if args.echo else None,
                    instances=args.instances, is_checked=args.check)
    devices = configurations(args.device or ([] if args.compile else ["host"]), args.backend)
    has_folder = any(os.path.isdir(name) for name in args.files)
    passed, failed, unchecked = 0, 0, 0
    for path in files:
        verdicts = run_file(runner, path, devices, args.compile, args.samples, args.seed, has_folder)
        passed += verdicts.count(None)
        unchecked += verdicts.count(UNCHECKED)
        wrong = [verdict for verdict in verdicts if verdict not in (None, UNCHECKED)]
        failed += len(wrong)
        for verdict in wrong:
            print(verdict, file=sys.stderr)
    print(f"{passed} passed, {failed} failed" + (f", {unchecked} unchecked" if unchecked else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
