# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""steps.py - the algorithms of CK's library that cuda.compute doesn't have, as a table.

A row has a name, the step (docs/algorithms.md), and the operands in the order of the call. `$name` in
the step is an operand; what stands in {...} is left out where an operand in it is None.

    IN name                 an array or iterator that is read, num_items of it (IN2: num_items2)
    OUT name like           one that is written with elements of another operand's type
    RAW name                one of integers that is written
    OP name (types) result  a function; types and result are operands, `bool`, or `u64`
    VALUE name like         a number or struct, or an array on the device
    COUNT name              one element, which gets the step's value, a number; PAIR: of two fields; FOUR: of two
                            pairs
    FLAG name               an option of the step that is false without it
    SAMPLES, BINS, CHANNELS of histograms (tables.py): with channels, arrays of two axes

A row makes three things: the call, make_<name> and the class of its objects. An operand with `?` may
be None, and may be left out. `@op(a, b)` calls a function.
"""
import inspect
import re

from .. import _types as T
from ..errors import ArgumentError, ArgumentTypeError
from . import _checks
from . import tables
from ._recipe import repeatable
from .algorithms import SCRATCH_BYTES, Algorithm, SortOrder, _input, _is_on_device, _output, _result, _size, _value
from .iterators import DiscardIterator, PointerIterator, ZipIterator, to_iterator
from .op import make_op

_LIKE = {"bool": T.BOOL, "u64": T.U64}

_ROWS = [
    ("unique", "unique($d_in, $d_out{, $op})",
     "IN d_in; OUT d_out d_in; COUNT d_num_selected_out; OP? op (d_in d_in) bool",
     "The first of each run of elements for which op(a, b) holds, == without op; how many."),
    ("run_length_encode", "run_length_encode($d_in, $d_unique_out, $d_counts_out{, $op})",
     "IN d_in; OUT d_unique_out d_in; RAW d_counts_out; COUNT d_num_runs_out; OP? op (d_in d_in) bool",
     "The first element of each run of equal ones and how many it has; how many runs."),
    ("nontrivial_runs", "nontrivial_runs($d_in, $d_offsets_out, $d_lengths_out{, $op})",
     "IN d_in; RAW d_offsets_out; RAW d_lengths_out; COUNT d_num_runs_out; OP? op (d_in d_in) bool",
     "Where runs of two or more equal elements begin, and how many they have; how many such runs."),
    ("reduce_by_key", "reduce_by_key($d_in_keys, $d_in_values, $op, $d_out_keys, $d_out_values{, $key_op})",
     "IN d_in_keys; IN d_in_values; OUT d_out_keys d_in_keys; OUT d_out_values d_in_values; COUNT d_num_runs_out; "
     "OP op (d_in_values d_in_values) d_in_values; OP? key_op (d_in_keys d_in_keys) bool",
     "The first key of each run of equal ones, and its values reduced; how many runs."),
    ("inclusive_scan_by_key", "inclusive_scan_by_key($d_in_keys, $d_in_values, $d_out, $op{, $key_op})",
     "IN d_in_keys; IN d_in_values; OUT d_out d_in_values; OP op (d_in_values d_in_values) d_in_values; "
     "OP? key_op (d_in_keys d_in_keys) bool",
     "The running values of each run of equal keys."),
    ("exclusive_scan_by_key", "exclusive_scan_by_key($d_in_keys, $d_in_values, $d_out, $op, $init_value{, $key_op})",
     "IN d_in_keys; IN d_in_values; OUT d_out d_in_values; OP op (d_in_values d_in_values) d_in_values; "
     "VALUE init_value d_in_values; OP? key_op (d_in_keys d_in_keys) bool",
     "The same, of init_value and the elements before each one."),
    ("select_flagged", "select_flagged($d_in, $d_flags, $d_out)",
     "IN d_in; IN d_flags; OUT d_out d_in; COUNT d_num_selected_out",
     "The elements whose flag isn't 0; how many."),
    ("partition", "partition($d_in, $op, $d_first_part_out, $d_rest_out)",
     "IN d_in; OUT d_first_part_out d_in; OUT d_rest_out d_in; COUNT d_num_first_out; OP op (d_in) bool",
     "Elements for which op(v) holds, and the others, in their order; how many are in the first part."),
    ("transform_if", "transform_if($d_in, $d_out, $op, $cond)",
     "IN d_in; OUT d_out d_out; OP op (d_in) d_out; OP cond (d_in) bool",
     "d_out[i] = op(d_in[i]) where cond(d_in[i]); elsewhere d_out[i] stays as it is."),
    ("for_each", "for_each($d_in, $op)", "IN d_in; OP op (d_in) none", "Calls op(d_in[i]) for its effects."),
    ("adjacent_difference", "adjacent_difference($d_in, $d_out, $op{$right})",
     "IN d_in; OUT d_out d_in; OP op (d_in d_in) d_in; FLAG? right",
     "d_out[0] = d_in[0], d_out[i] = op(d_in[i], d_in[i - 1]). With right=True each is compared with the one behind "
     "it: d_out[i] = op(d_in[i], d_in[i + 1]), and the last stays as it is."),
    ("find_if", "find_if($d_in, $cond)", "IN d_in; COUNT d_out; OP cond (d_in) bool",
     "d_out[0]: the least i for which cond(d_in[i]); num_items if there is none."),
    ("is_sorted", "u64(is_sorted($d_in, $op))", "IN d_in; COUNT d_out; OP op (d_in d_in) bool",
     "d_out[0]: 1 if no element comes before the one ahead of it, else 0."),
    ("equal", "u64(equal($d_in1, $d_in2))", "IN d_in1; IN d_in2; COUNT d_out",
     "d_out[0]: 1 if all elements are equal, else 0."),
    ("mismatch", "mismatch($d_in1, $d_in2)", "IN d_in1; IN d_in2; COUNT d_out",
     "d_out[0]: the least i for which the elements differ; num_items if there is none."),
    ("argmin", "argmin($d_in{, $op})", "IN d_in; PAIR d_out d_in; OP? op (d_in d_in) bool",
     "d_out[0], of two fields: the least element and where it is, the first of equals."),
    ("argmax", "argmax($d_in{, $op})", "IN d_in; PAIR d_out d_in; OP? op (d_in d_in) bool",
     "d_out[0], of two fields: the greatest element and where it is, the first of equals."),
    ("argminmax", "argminmax($d_in{, $op})", "IN d_in; FOUR d_out d_in; OP? op (d_in d_in) bool",
     "d_out[0], of four fields: the least element and where it is, the greatest element and where it is, the first of "
     "equals. Each element is read once."),
    ("batched_copy", "batched_copy($d_in, $d_begins, $d_lengths, $d_out, $d_places)",
     "ALL d_in; IN d_begins; IN d_lengths; IN d_places; OUT d_out d_in",
     "Copies num_items ranges: d_lengths[r] elements from d_in[d_begins[r]] on to d_out[d_places[r]] and on."),
    ("merge", "merge($d_in1, $d_in2, $d_out, $op)",
     "IN d_in1; IN2 d_in2; OUT d_out d_in1; OP op (d_in1 d_in1) bool",
     "The elements of two sorted sequences, sorted; of equal ones those of d_in1 first."),
    ("merge_pairs", "merge(zip($d_in1_keys, $d_in1_values), zip($d_in2_keys, $d_in2_values), "
     "zip($d_out_keys, $d_out_values), |a, b| @op(a[0], b[0]))",
     "IN d_in1_keys; IN d_in1_values; IN2 d_in2_keys; IN2 d_in2_values; OUT d_out_keys d_in1_keys; "
     "OUT d_out_values d_in1_values; OP op (d_in1_keys d_in1_keys) bool",
     "The same of keys, and of values with them."),
    *((name, f"{name}($d_in1, $d_in2, $d_out, $op)",
       "IN d_in1; IN2 d_in2; OUT d_out d_in1; COUNT d_num_out; OP op (d_in1 d_in1) bool",
       f"{what} of two sorted sequences, sorted; how many elements.")
      for name, what in (("set_union", "The union"), ("set_intersection", "The intersection"),
                         ("set_difference", "What the first has and the second has not"),
                         ("set_symmetric_difference", "What one has and the other has not"))),
    ("histogram_range", "histogram_range($d_samples, $d_histogram, $d_levels{$channels})",
     "SAMPLES d_samples; BINS d_histogram; ALL d_levels; CHANNELS? channels",
     "d_histogram[b]: how many samples are from d_levels[b] to below d_levels[b + 1]. With channels, the samples are the "
     "rows of an array of two axes, of which so many columns are counted apart: d_histogram[c, b]."),
    ("histogram_by", "histogram_by($d_samples, $d_histogram, $op{$channels})",
     "SAMPLES d_samples; BINS d_histogram; OP op (d_samples) u64; CHANNELS? channels",
     "d_histogram[b]: for how many samples op(v) is b. What falls into no bin is not counted. With channels as in "
     "histogram_range."),
    ("inclusive_segmented_scan", "inclusive_segmented_scan($d_in, $offsets_in, $d_out, $op{, $init_value})",
     "IN d_in; ALL offsets_in; OUT d_out d_in; OP op (d_in d_in) d_in; VALUE? init_value d_in",
     "The running values of each segment, offsets_in[s] to offsets_in[s + 1] - 1; of init_value before them, if it is "
     "given."),
    ("exclusive_segmented_scan", "exclusive_segmented_scan($d_in, $offsets_in, $d_out, $op, $init_value)",
     "IN d_in; ALL offsets_in; OUT d_out d_in; OP op (d_in d_in) d_in; VALUE init_value d_in",
     "The same, of init_value and the elements before each one."),
]


def _parse(operands):
    rows = []
    for text in operands.split(";"):
        role, name, rest = re.match(r"\s*(\S+) (\S+)(.*)", text).groups()
        arguments = re.search(r"\((.*)\)", rest)
        rows.append((role.rstrip("?"), name, "?" in role, arguments.group(1).split() if arguments else None,
                     rest.split()[-1] if rest.strip() else None))
    return rows


class Step(Algorithm):
    """An algorithm of a row."""

    step, rows = "", ()

    @classmethod
    def write(cls, builder, **given):
        counts = {"IN": _size(builder, given.get("num_items"))}
        if "IN2" in {r[0] for r in cls.rows}:
            counts["IN2"] = _size(builder, given.get("num_items2"))
        channels = given.get("channels")
        texts, types, result = {}, dict(_LIKE), None
        for role, name, _, _, like in cls.rows:
            if role == "SAMPLES":
                types[name] = types["d_levels"] = _type_of_bins(given[name], given.get("d_levels"))
            if role == "SAMPLES" and channels is not None:
                texts["d_histogram"] = tables.bins_with_channels(builder, given[name], given["d_histogram"], channels)
                texts[name] = tables.samples_with_channels(builder, given[name], (given.get("num_items"), "num_items"),
                                                           counts["IN"], types[name])
                texts["channels"] = f", channels = {channels}"
            elif role in ("IN", "IN2", "ALL", "SAMPLES"):
                count = counts.get("IN" if role == "SAMPLES" else role)
                texts[name], types[name] = _input(builder, given[name], count, types.get(name))
            elif role == "OUT" and like == name:
                types[name] = T.strong(to_iterator(given[name])._type)
        for role, name, _, arguments, like in cls.rows:
            value = given.get(name)
            if role == "OP" and value is not None:
                wanted = types.get(like)
                texts[name], _ = make_op(value).bind(builder, tuple(types[a] for a in arguments), wanted)
            elif role == "VALUE" and value is not None:
                texts[name] = f"{to_iterator(value).emit(builder)}[0]" if _is_on_device(value) \
                    else _value(builder, value, types[like])
            elif role == "FLAG" and value:
                texts[name] = f", {name} = true"
            elif role == "OUT":
                texts[name] = _output(builder, value, types[like])
            elif role == "RAW" or role == "BINS" and channels is None:
                texts[name] = _integers(builder, name, value)
            elif role in _RESULTS:
                result = (value, T.Tuple([*[types[like], T.U64] * _RESULTS[role]]) if _RESULTS[role] else T.U64)
        head, call = _filled(cls.step, texts)
        if "FOUR" in {r[0] for r in cls.rows}:
            head, call = f"{head}    let both = {call};\n", "(both[0][0], both[0][1], both[1][0], both[1][1])"
        return head + (_result(builder, result[0], call, result[1]) if result else f"    {call};\n")


def _type_of_bins(d_samples, d_levels):
    """The type in which samples are compared with levels, if there are some."""
    sample = T.strong(to_iterator(d_samples)._type)
    return sample if d_levels is None else T.promote(sample, T.strong(to_iterator(d_levels)._type))


_RESULTS = {"COUNT": 0, "PAIR": 1, "FOUR": 2}  # pairs of an element and its place


def _integers(builder, name, value):
    it = to_iterator(value)
    if isinstance(it, PointerIterator) and it._type.kind not in "iu":
        raise ArgumentTypeError(f"argument '{name}': counts and places are integers, not {it._type}")
    return it.emit(builder, is_written=True)


def _filled(step, texts):
    """What stands ahead of the step, and the step."""
    step = re.sub(r"\{([^}]*\$(\w+)[^}]*)\}", lambda m: m.group(1) if m.group(2) in texts else "", step)
    op = texts.get("op", "")
    step = re.sub(r"@op\(([^,]*), ([^)]*)\)", fr"call(\1, \2)" if op[:1] == "|" else fr"\1 {op} \2", step)
    head = f"    let call = {op};\n" if "call(" in step else ""
    return head, re.sub(r"\$(\w+)", lambda m: texts[m.group(1)], step)


def _call(self, *, temp_storage=None, stream=None, **given):
    kept = {name: self._given.get(name) for role, name, *_ in self.rows if role in ("FLAG", "CHANNELS")}
    for name, value in kept.items():
        if given.get(name, value) != value:
            raise ArgumentTypeError(f"{_checks.title_of(type(self), given)}: argument '{name}': the object was made with "
                                    f"{value}: make another one")
    return self.call(temp_storage, stream, {**given, **kept})


_AS_LONG = ("inclusive_scan_by_key", "exclusive_scan_by_key", "transform_if", "adjacent_difference",
            "inclusive_segmented_scan", "exclusive_segmented_scan")  # d_out has num_items elements


def _lengths(name, rows):
    """How many elements the operands need; of others only the result says it."""
    found = {"IN": "num_items", "SAMPLES": "num_items", "IN2": "num_items2", "COUNT": 1, "PAIR": 1, "FOUR": 1,
             "OUT": "num_items" * (name in _AS_LONG)}
    return {operand: found[role] for role, operand, *_ in rows if found.get(role)}


# The greatest count or place of a row, by its operand, where it isn't num_items.
_GREATEST = {
    ("set_union", "d_num_out"): "num_items + num_items2",
    ("set_symmetric_difference", "d_num_out"): "num_items + num_items2",
    ("set_intersection", "d_num_out"): "min(num_items, num_items2)",
    ("nontrivial_runs", "d_offsets_out"): "num_items - 2", ("nontrivial_runs", "d_num_runs_out"): "num_items // 2",
    ("argmin", "d_out"): "num_items - 1", ("argmax", "d_out"): "num_items - 1",
    ("argminmax", "d_out"): "num_items - 1"}


def _counts(name, rows):
    """What is stored of a row in operands that get counts and places."""
    return {operand: _GREATEST.get((name, operand), "num_items") for role, operand, *_ in rows
            if role in (*_RESULTS, "RAW", "BINS") and name not in ("is_sorted", "equal")}


def _made(name, step, operands, text):
    """The class, the maker and the call of a row."""
    rows = _parse(operands)
    sizes = ["num_items"] + (["num_items2"] if any(r[0] == "IN2" for r in rows) else [])
    cls = type("".join(w.capitalize() for w in name.split("_")), (Step,),
               {"__doc__": name, "step": step, "rows": rows, "sizes": tuple(sizes), "lengths": _lengths(name, rows),
                "counts": _counts(name, rows),
                "__call__": repeatable(SCRATCH_BYTES)(_call)})
    required = [r[1] for r in rows if not r[2]]
    optional = [r[1] for r in rows if r[2]]

    def checked(given, more):
        missing = [n for n in [*required, *more] if n not in given]
        unknown = [n for n in given if n not in required and n not in optional and n not in sizes]
        if missing or unknown:
            word, names = ("is missing the argument", missing) if missing else ("has no argument", unknown)
            raise ArgumentTypeError(f"{name}() {word} {', '.join(repr(n) for n in names)}; it takes "
                            f"{', '.join([*required, *optional, *sizes])}")
        return {**dict.fromkeys(optional), **given}

    def make(*, compute_capability=None, **given):
        return cls.make(checked(given, ()), compute_capability)

    def call(*, stream=None, **given):
        return cls.once(stream, {}, checked(given, sizes))

    def signature(names, last):
        keyword = inspect.Parameter.KEYWORD_ONLY
        return inspect.Signature([inspect.Parameter(n, keyword) for n in names] + [
            inspect.Parameter(n, keyword, default=None) for n in [*optional, last]])
    make.__name__ = make.__qualname__ = f"make_{name}"
    make.__doc__ = f"An object for {name}: {text}"
    make.__signature__ = signature(required, "compute_capability")
    call.__name__ = call.__qualname__ = name
    call.__doc__ = text
    call.__signature__ = signature([*required, *sizes], "stream")
    for function in (make, call):
        function.__module__ = __name__
    return make, repeatable()(call)


__all__ = ["fill", "generate", "make_nary_transform", "make_top_k", "nary_transform", "top_k"]
for _name, _step, _operands, _text in _ROWS:
    globals()[f"make_{_name}"], globals()[_name] = _made(_name, _step, _operands, _text)
    __all__ += [_name, f"make_{_name}"]


class TopK(Algorithm):
    """top_k"""

    lengths = {"d_in_keys": "num_items", "d_out_keys": "k", "d_in_values": "num_items", "d_out_values": "k"}

    @staticmethod
    def write(builder, d_in_keys, d_out_keys, num_items, k, order, d_in_values=None, d_out_values=None,
              is_sorted=True):
        count, wanted = _size(builder, num_items), _size(builder, k)
        keys, type_ = _input(builder, d_in_keys, count)
        options = ("" if order is SortOrder.DESCENDING else ", descending = false") + (
            "" if is_sorted else ", sorted = false")
        to = f"{_output(builder, d_out_keys, type_)}.take({wanted})"
        if d_in_values is None:
            return f"    top_k({keys}, {to}{options});\n"
        values, value_type = _input(builder, d_in_values, count)
        values_to = f"{_output(builder, d_out_values, value_type)}.take({wanted})"
        return f"    top_k({keys}, {values}, {to}, {values_to}{options});\n"

    @repeatable(SCRATCH_BYTES)
    def __call__(self, *, temp_storage, d_in_keys, d_out_keys, num_items, k, d_in_values=None, d_out_values=None,
                 stream=None):
        return self.call(temp_storage, stream, {
            "d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "num_items": num_items, "k": k,
            "order": self._given["order"], "d_in_values": d_in_values, "d_out_values": d_out_values,
            "is_sorted": self._given["is_sorted"]})


TopK.sizes = ("num_items", "k")


def make_top_k(*, d_in_keys, d_out_keys, order=SortOrder.DESCENDING, d_in_values=None, d_out_values=None,
               is_sorted=True, compute_capability=None):
    """An object that chooses the greatest or least numbers."""
    return TopK.make({"d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "order": order, "d_in_values": d_in_values,
                      "d_out_values": d_out_values, "is_sorted": is_sorted}, compute_capability)


@repeatable()
def top_k(*, d_in_keys, d_out_keys, num_items, k, order=SortOrder.DESCENDING, d_in_values=None, d_out_values=None,
          is_sorted=True, stream=None, **options):
    """The k greatest numbers (order=SortOrder.ASCENDING: the least), and values with them, sorted."""
    given = {"d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "order": order, "d_in_values": d_in_values,
             "d_out_values": d_out_values, "is_sorted": is_sorted}
    return TopK.once(stream, options, {**given, "num_items": num_items, "k": k})


class NaryTransform(Algorithm):
    """nary_transform"""

    lengths = {"d_ins": "num_items", "d_out": "num_items"}

    @staticmethod
    def write(builder, d_ins, d_out, op, num_items):
        if not 1 <= len(d_ins) <= 8:
            raise ArgumentError(f"argument 'd_ins' has {len(d_ins)} sequences, 1 to 8 are possible: zip some of them")
        items, types = _input(builder, ZipIterator(*d_ins), _size(builder, num_items))
        types = types.elements if len(d_ins) > 1 else [types]
        target = to_iterator(d_out)
        wanted = None if isinstance(target, DiscardIterator) and target._is_any else T.strong(target._type)
        function, made = make_op(op).bind(builder, tuple(types), wanted)
        out = _output(builder, d_out, wanted or made)
        values = [f"v[{i}]" for i in range(len(types))] if len(types) > 1 else ["v"]
        if function[0] != "|" and len(values) == 2 and not function[0].isalpha():
            return f"    transform({items}, {out}, |v| v[0] {function} v[1]);\n"
        return f"    let call = {function};\n    transform({items}, {out}, |v| call({', '.join(values)}));\n"

    @repeatable()
    def __call__(self, *, d_ins, d_out, op, num_items, stream=None):
        return self.once(stream, {}, {"d_ins": d_ins, "d_out": d_out, "op": op, "num_items": num_items})


def make_nary_transform(*, d_ins, d_out, op, compute_capability=None):
    """An object for d_out[i] = op(d_ins[0][i], d_ins[1][i], ...)."""
    return NaryTransform.make({"d_ins": d_ins, "d_out": d_out, "op": op}, compute_capability)


@repeatable()
def nary_transform(*, d_ins, d_out, op, num_items, stream=None, **options):
    """d_out[i] = op(d_ins[0][i], d_ins[1][i], ...) for i below num_items; d_ins is a tuple of up to 8 sequences."""
    return NaryTransform.once(stream, options, {"d_ins": d_ins, "d_out": d_out, "op": op, "num_items": num_items})


class Fill(Algorithm):
    """fill and generate"""

    lengths = {"d_out": "num_items"}

    @staticmethod
    def write(builder, d_out, num_items, value=None, op=None):
        count = _size(builder, num_items)
        type_ = T.strong(to_iterator(d_out)._type)
        to = f"{_output(builder, d_out, type_)}.take({count})"
        if op is None:
            return f"    fill({to}, {_value(builder, value, type_)});\n"
        function, _ = make_op(op).bind(builder, (T.I64,), type_)
        return f"    let call = {function};\n    generate({to}, |i| call(i64(i)));\n"


@repeatable()
def fill(*, d_out, value, num_items, stream=None):
    """d_out[i] = value for i below num_items."""
    return Fill.once(stream, {}, {"d_out": d_out, "num_items": num_items, "value": value})


@repeatable()
def generate(*, d_out, op, num_items, stream=None):
    """d_out[i] = op(i) for i below num_items; i is an int64."""
    return Fill.once(stream, {}, {"d_out": d_out, "num_items": num_items, "op": op})
