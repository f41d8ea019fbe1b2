# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows.py - every construct of the language with its holes, and every function of lib/.

A hole `{kind}` is filled from names.py with something of that kind, or, as a misfit, with anything
else. `{any}` takes anything; `{stmt}` a statement. The library's rows are made from the compiler's
list of its functions (heads.py), so that a new function becomes a row automatically.
"""
import os
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import heads  # pylint: disable=wrong-import-position

STATEMENTS = [
    "let {new} = {any};", "var {new} = {any};", "let {new}: {type} = {any};", "var {new}: {type} = {any};",
    "var {new}: {type};", "let ({new}, {new}) = {tuple};", "var ({new}, {new}) = {any};", "const {new} = {any};",
    "const {new}: {type} = {any};", "shared {new}: {type};", "shared {new}: {type}[{int}];",
    "shared {new}: f32[dyn {int}];", "shared union { {new}: {type}[{int}]; {new}: {type}; }",
    "scratch {new}: {type}[{int}];", "type {new} = {type};",
    "static_assert({bool}, \"why\");", "static_assert({any});", "if ({bool}) {stmt} else {stmt}",
    "comptime if ({any}) {stmt} else {stmt}", "while ({bool}) { {stmt} break; }", "for (i in {range}) {stmt}",
    "for (i in {iter}) {stmt}", "for (i: {type} in {range}) {stmt}", "unroll for (i in 0..{int}) {stmt}",
    "unroll({int}) for (i in {range}) {stmt}", "for (i in {any}) { y[0] = f32(i); }",
    "unroll for (i in {any}) {stmt}",
    "switch ({int}) { case {int}: {stmt} case {int}..{int}: {stmt} default: {stmt} }",
    "switch ({enum}) { case E.one: {stmt} case E.two, E.four: {stmt} }", "switch ({any}) { case {any}: {stmt} default: {stmt} }",
    "{place} = {num};", "{place} += {num};", "{place} -= {any};", "{place} <<= {int};", "{place} &= {any};", "{place}++;",
    "--{any};", "{any} = {any};", "{any} *= {any};", "({place}, {place}) = ({any}, {any});", "({any}, {any}) = {any};", "{any};",
    "return;", "return {any};", "break;", "continue;", "{ {stmt} {stmt} }", "{nothing};",
    "print(\"{{}} {{}}\", {any}, {num});", "print(\"{{:x}}\", {int});", "print(\"{{:.3}}\", {float});",
    "print({text});", "print(\"{{:8}}\", {any});", "assert({bool}, \"m\");", "assert({bool});", "assert({any}, {any});",
    "let {new} = |a| { {stmt} return {any}; };", "let {new} = |a: {type}| {any}; {new}({any});",
    "let {new} = {fun}; y[0] = {new}({any});", "let {new} = {fun}; y[0] = {new}({any}, {any});",
    "fast { {stmt} }", "{any}.f1();", "x[{int}] = {any};", "p.a = {any};", "lp.b = {any};", "lt[{int}] = {any};",
    "for (i in {iter}) for (j in {range}) {stmt}", "let {new} = {any}; {new}[0] = {any};", "{any}[{any}] = {any};",
    "let {new} = ({any}, {any}); let {new} = [{any}, {any}];",
]

EXPRESSIONS = [
    "{any} + {any}", "{any} - {any}", "{any} * {any}", "{any} / {any}", "{any} % {any}", "{any} << {any}", "{any} >> {any}",
    "{any} < {any}", "{any} >= {any}", "{any} == {any}", "{any} != {any}", "{any} & {any}", "{any} ^ {any}", "{any} | {any}",
    "{any} && {any}", "{any} || {any}", "{bool} ? {any} : {any}", "{any} ? {any} : {any}", "{any}..{any}", "-{any}", "+{any}",
    "!{any}", "~{any}", "({any})", "{any}[{any}]", "{any}[{any}, {any}]", "{any}[{any}..{any}]", "{any}.len", "{any}.x",
    "{any}.xy", "{any}.a", "{any}.extent({any})", "{any}.load<{int}>({int})", "{any}.load<4>({any})", "{any}.store({any}, {any})",
    "{any}.load<{any}>({any}, {any})", "{any}.store({any}, {any}, {any})", "{any}.step({any})", "{any}.reverse()",
    "{type}({any})", "{type}({any}, {any})", "{type}({any}, round = {word})", "{type}({any}, round = {any})",
    "f32x4({any}, {any})", "f32x4({any}, {any}, {any}, {any})", "vec<f32, {any}>({any})", "P({any})", "P({any}, {any})",
    "P(b = {any}, a = {any})", "G({any}, {any})", "G<{any}>({any})", "N<{any}>({any})", "E({any})", "Q({any}, {any}, {any})",
    "({any}, {any})", "[{any}, {any}]", "[{any}]", "[[{any}, {any}], [{any}, {any}]]", "{fun}({any})", "{any}({any})", "{any}()",
    "f1({any})", "f1(a = {any})", "f2({any}, b = {any})", "g1({any})", "g1<{type}>({any})", "g2({any}, {any})", "gi({any})",
    "gi<{any}, {any}>({any})", "gi({any}, M = {any})", "gf({any}, {any})", "gff({any})({any})", "ga({any})", "gs({any})",
    "gd({any})", "fs({any})", "fm({any})", "fo({any})", "fp({any})", "fc({any}, {any})", "fr({any})", "fl({any}, {any})",
    "fe({any})", "over({any})", "rec({any})", "imp({any}, {any})", "expo({any})", "wait({any})", "address({any})", "address({place})",
    "ptr<{type}>({any})", "ptr<{type}, {word}>({any})", "sizeof({any})", "sizeof<{any}>", "sizeof<{type}>", "alignof<{type}>",
    "alignof({any})", "bit_cast<{type}>({any})", "bit_cast<{any}>({any})", "inf<{type}>", "nan<{any}>", "fast { {any} }",
    "asm<{type}>(\"mov.u32 $0, $1;\", {int})", "asm<u32>(\"mov.u32 $0, $1;\", {any})", "asm(\"membar.gl;\", memory = {any})",
    "asm<(u32, {type})>(\"mov.b64 {{$0, $1}, $2;\", {any})", "asm<u32>({text})", "asm<{any}>({any}, {any}, volatile = {any})",
    "warp.tile<{any}>.sum({any})", "warp.tile<{int}>.{any}", "tl.shuffle({any}, {any})", "tl.size", "block.{any}", "{any}.{new}",
    "{group}.x", "{group}.sync()", "{group}.uniform({any})", "{group}.sum({any})", "{group}.any({any})", "{group}.stride({any})",
    "{group}.size", "{group}.rank", "{any}.plus({any})", "{any}.less({any})", "{any}.half", "{any}.up", "{any}.both", "{any}.max({any})",
    "select({any}, {any}, {any})", "sum({any})", "dot({any}, {any})", "any({any})", "all({any})", "target.{any}", "cluster.map({any}, {any})",
    "min({any}, {any})", "clamp({any}, {any}, {any})", "resident", "E.{any}", "{type}.{any}", "{word}", "{any}.map({any}).map({any})",
    "|a| {any}", "(|a, b| {any})({any}, {any})", "(|a: {type}| a)({any})", "{any}.wzyx", "{any}[0][0]", "{any}.next[0].v",
    "atomic.compare_exchange({place}, {any}, {any})", "load({any}, cache = {word})", "store({any}, {any}, cache = {any})",
    "memcpy_async<{any}>({any}, {any})", "memcpy_async({place}, {place}, valid = {any})", "block.memcpy_async({any}, {any}, {any}, {any})",
    "block.memcpy_async(sh2, m, {any}, {any})", "block.load_tensor({any}, {any}, {any}, {any})", "block.wait({any})", "block.init({any})",
    "pipeline.wait(prior = {any})", "{any}.fetch({any}, {any})", "{any}.sample({any}, {any})", "reduce({any}, {any}, {any})",
    "grid.reduce({any}, {any}, {any})", "grid.select({any}, {any}, {any})", "grid.radix_sort({any})", "set_condition({any}, {any})",
]

ITEMS = [
    "const {new} = {any};", "const {new}: {type} = {any};", "static_assert({any}, \"why\");", "struct {new} { a: {type}; }",
    "struct {new} { a: {type} = {any}; b: {type}; fn m -> {type} = {any}; }", "struct {new}<T: {type}> { a: T; }",
    "struct {new}<const M: {type} = {any}> { a: f32[M]; }", "enum {new}: {type} { r, s = {any} }", "type {new} = {type};",
    "fn {new}(a: {type}) -> {type} = {any};", "fn {new}(a: {type}, b: {type} = {any}) = a;", "fn {new}<T: {type}>(a: T) -> T = {any};",
    "fn {new}<T: {type} = {type}>(a: T) -> {type} { return {any}; }", "fn {new}(const a: {type} = {any}) { }",
    "fn {new}<const M: {type} = {any}>() -> f32[M] { var r: f32[M]; return r; }", "fn +(a: {type}, b: {type}) -> {type} = {any};",
    "fn [](a: {type}, i: {type}) -> {type} = {any};", "fn []=(a: {type}, i: {type}, v: {type}) { {stmt} }", "fn {type}.m9(a: {type}) = {any};",
    "fn {type}.m8 -> {type} = {any};", "export {any};", "export gk<{any}>;", "export fn {new}(a: {type}) -> {type} = {any};",
    "import fn {new}(a: {type}) -> {type};", "@require(sm >= {any}) fn {new}() { }", "@require({any}) fn {new}() { }",
    "@registers({any}) kernel {new}() { }", "@blocks_per_sm({any}) kernel {new}() launch(block = 32) { }", "@{new}({any}) kernel {new}() { }",
    "kernel {new}(a: {type}, b: {type}) { }", "kernel {new}(a: u32, b: in f32[{any}]) { }", "kernel {new}(a: u32) launch(block = {any}) { }",
    "kernel {new}(n: u32, x: in f32[n]) launch(block = {int}, grid = {any}) { {stmt} }", "kernel {new}() launch(block = ({any}, {any}), grid = 1) { }",
    "kernel {new}(n: u32) launch(block = 32, grid = ceil_div({any}, {any})) { }", "kernel {new}() launch(block = 32, grid = {any}, cluster = {any}) { }",
    "kernel {new}<T: {type} = {type}, const B: {type} = {any}>(a: in T[4]) launch(block = B) { {stmt} }", "kernel {new}() launch({any}) { }",
    "algorithm {new}(n: u64, x: in f32[n]) -> {type} = {any};", "algorithm {new}(n: u64, x: in f32[n]) { {stmt} }",
    "algorithm {new}(n: u64, x: in {type}[n]) -> f32 = reduce(x, {any}, {any});", "algorithm {new}(x: in f32[], y: out f32[]) -> u64 = select(x, {any}, {any});",
    "algorithm {new}(n: u64, y: inout {type}[n]) { radix_sort({any}); }", "import {text};", "import \"{new}.ck\";",
]

def hole(name, kind, generics):
    """Returns the hole for a parameter of the library."""
    constraint = generics.get(kind.split("[")[0].split(" ")[-1])
    if constraint == "fn" or kind == "F":
        return "{fun}"
    if "barrier" in kind:
        return "{object}"
    if kind.startswith(("in ", "inout ", "out ")):
        return "{place}" if "__place" in kind else "{span}"
    if "[" in kind:
        return "{arr}"
    if constraint == "type" and name in ("it", "x", "sorted", "index", "to", "a", "b", "c", "d"):
        return "{iter}"
    if kind == "bool":
        return "{bool}"
    if kind.startswith(("vec", "T9")) or "x4" in kind:
        return "{vec}"
    if kind.startswith("ptr"):
        return "{ptr}"
    return {"float": "{float}", "int": "{int}", "half": "{float}", "f32": "{float}", "f64": "{float}",
            "u32": "{int}", "i32": "{int}", "u64": "{int}", "number": "{num}"}.get(constraint or kind, "{any}")


def owner(name):
    """Returns the object that a method is called on."""
    first = name.split(".")[0]
    if first in ("block", "warp", "thread", "grid", "cluster", "atomic", "pipeline", "mbarrier", "bulk"):
        return name.replace("warp.tile.", "{group}.").replace("block.part.", "block.part<0, 4, 1>.")
    if "." not in name:
        return name
    kind = {"texture": "{object}", "texture_array": "{object}", "surface": "{object}",
            "surface_array": "{object}"}.get(first, "{any}")
    return kind + "." + name.split(".", 1)[1]


def library(folder):
    """Returns a row for each public function, with and without its optional arguments."""
    rows = set()
    for head in heads.heads(heads.find_ckc(), folder, refused=True):
        if head.structure or head.is_property or not head.name[0].islower():
            continue
        kinds = {one.name: one.type for one in head.templates if not one.is_const}
        has_word = any(one.name in ("how", "to", "cache") for one in head.templates if one.is_const)
        args, needed, call = [], 0, owner(head.name)
        for at, param in enumerate(head.arguments()):
            fill = hole(param.name, f"{param.access} {param.type}".strip(), kinds)
            args.append(fill if at < 2 else f"{param.name} = {fill}")
            needed += not param.has_default
        for count in {needed, len(args)}:
            rows.add(f"{call}({', '.join(args[:count])})")
            if has_word:
                rows.add(f"{call}<{{word}}>({', '.join(args[:count])})")
        if head.receiver == "atomic":
            rows.update((f"{head.name}({{place}}, {{num}})", f"{head.name}({{any}}, {{any}}, order = {{word}})",
                         f"{head.name}({{place}}, {{any}}, {{any}}, scope = {{word}})"))
    return sorted(rows)


# For grid.py: fillings that make rows correct whose holes take anything, but in which little is
# correct.
RIGHT = {
    "static_assert({any});": ["C == 4"],
    "switch ({int}) { case {int}: {stmt} case {int}..{int}: {stmt} default: {stmt} }": ["n", "1", "2", "8"],
    "({any}, {any}) = {any};": ["lf", "li", "(1.5, 2)"],
    "return {any};": ["fv(s)"],
    "assert({any}, {any});": ["n > 1", '"text"'],
    "x[{int}] = {any};": ["0", "s"],
    "p.a = {any};": ["s"],
    "{type}({any}, round = {any})": ["f16", "s", "up"],
    "f32x4({any}, {any})": ["vv.xy", "vv.zw"],
    "f32x4({any}, {any}, {any}, {any})": ["s", "1", "2", "lf"],
    "G<{any}>({any})": ["f32", "1, 2"],
    "Q({any}, {any}, {any})": ["p", "f32x2(1)", "[1, 2]"],
    "[[{any}, {any}], [{any}, {any}]]": ["s", "lf", "1.5", "2"],
    "f2({any}, b = {any})": ["ki", "2"],
    "gi<{any}, {any}>({any})": ["i32", "2", "ki"],
    "gff({any})({any})": ["|a| a + 1", "s"],
    "fm({any})": ["ym"],
    "fl({any}, {any})": ["p", "(1, 2.5)"],
    "imp({any}, {any})": ["ki", "pf"],
    "ptr<{type}, {word}>({any})": ["f32", "shared", "nl"],
    "bit_cast<{any}>({any})": ["u32", "s"],
    "nan<{any}>": ["f64"],
    'asm("membar.gl;", memory = {any})': ["true"],
    "asm<u32>({text})": ['"mov.u32 $0, 1;"'],
    "asm<{any}>({any}, {any}, volatile = {any})": ["u32", '"mov.u32 $0, $1;"', "n", "true"],
    "warp.tile<{int}>.{any}": ["8", "rank"],
    "dot({any}, {any})": ["vv", "vv"],
    "all({any})": ["vb"],
    "target.{any}": ["is_host"],
    "E.{any}": ["two"],
    "{type}.{any}": ["E", "two"],
    "store({any}, {any}, cache = {any})": ["yf[0]", "s", "streaming"],
    "memcpy_async<{any}>({any}, {any})": ["4", "sh[0]", "x[0]"],
    "memcpy_async({place}, {place}, valid = {any})": ["sh[0]", "x[0]", "1"],
    "block.memcpy_async({any}, {any}, {any}, {any})": ["sh", "x", "0", "32"],
    "block.load_tensor({any}, {any}, {any}, {any})": ["sh2", "tm", "0", "0"],
    "block.wait({any})": ["address(bar)"],
    "block.init({any})": ["address(bar)"],
    "mbarrier.init(bar: __place<barrier, shared>, arrivals: u32)": ["mbarrier", "bar", "1"],
    "mbarrier.arrive(bar: __place<barrier, shared>)": ["mbarrier", "bar"],
    "mbarrier.arrive(bar: __place<barrier, shared>, bytes: u32)": ["mbarrier", "bar", "16"],
    "mbarrier.expect(bar: __place<barrier, shared>, bytes: u32)": ["mbarrier", "bar", "16"],
    "mbarrier.try_wait(bar: __place<barrier, shared>, parity: u32)": ["mbarrier", "bar", "1"],
    "mbarrier.wait(bar: __place<barrier, shared>, parity: u32)": ["mbarrier", "bar", "1"],
    "bulk.load<T: type>(tile: out T[], x: in T[], base: u64, count: u32, bar: __place<barrier, shared>)": ["bulk", "sh", "x", "0", "4", "bar"],
    "block.part.registers<const FIRST: u32, const WARPS: u32, const ID: u32, const COUNT: u32>()": ["block.part<0, 4, 1>", "32"],
    "grid.reduce({any}, {any}, {any})": ["x", "+", "0"],
    "grid.select({any}, {any}, {any})": ["x", "|a| a > 1", "y"],
    "struct {new} { a: {type} = {any}; b: {type}; fn m -> {type} = {any}; }": ["f32", "1", "u32", "f32", "2.5"],
    "fn {new}(a: {type}) -> {type} = {any};": ["f32", "f32", "a + 1"],
    "fn {new}(a: {type}, b: {type} = {any}) = a;": ["f32", "i32", "2"],
    "fn +(a: {type}, b: {type}) -> {type} = {any};": ["P", "P", "P", "a"],
    "fn [](a: {type}, i: {type}) -> {type} = {any};": ["P", "u32", "f32", "a.a"],
    "fn []=(a: {type}, i: {type}, v: {type}) { {stmt} }": ["P", "u32", "f32"],
    "export {any};": ["k2"],
    "export gk<{any}>;": ["f32"],
    "export fn {new}(a: {type}) -> {type} = {any};": ["f32", "f32", "a"],
    "@require({any}) fn {new}() { }": ["sm >= 80"],
    "@{new}({any}) kernel {new}() { }": ["32"],
    "kernel {new}(n: u32, x: in f32[n]) launch(block = {int}, grid = {any}) { {stmt} }": ["32", "n"],
    "kernel {new}() launch(block = ({any}, {any}), grid = 1) { }": ["32", "2"],
    "kernel {new}(n: u32) launch(block = 32, grid = ceil_div({any}, {any})) { }": ["n", "32"],
    "kernel {new}() launch(block = 32, grid = {any}, cluster = {any}) { }": ["4", "2"],
    "kernel {new}<T: {type} = {type}, const B: {type} = {any}>(a: in T[4]) launch(block = B) { {stmt} }": ["number", "f32", "u32", "32"],
    "kernel {new}() launch({any}) { }": ["block = 32"],
    "algorithm {new}(n: u64, x: in {type}[n]) -> f32 = reduce(x, {any}, {any});": ["f32", "+", "0"],
    "algorithm {new}(x: in f32[], y: out f32[]) -> u64 = select(x, {any}, {any});": ["|a| a > 1", "y"],
}
