# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_checks.py - what is wrong with a call of an algorithm, before anything is compiled or launched.

Each operand is looked at by its name, so that an exception names it: reduce_into: argument 'd_in': ...
Arrays have to be long enough for the lengths of the call. An element of an iterator needs elements of
arrays:

    ZipIterator(x, TransformIterator(PointerIterator(y, 3), f)), 10 items      x: 10, y: 13

Lengths and permissions are a call's own: calls that follow are launched without this file, and
runtime/python/recipe.c compares them (guards `reaches`, and those of arrays that are written).
"""
import operator
import re

import numpy as np

from .. import _core
from .._source import TranslationError
from ..errors import ArgumentError, ArgumentTypeError, RangeError
from . import _arguments
from ._engine import Builder
from ._proxy import is_proxy
from .iterators import CacheModifiedInputIterator, IteratorBase, PermutationIterator, PointerIterator, \
    ReverseIterator, to_iterator


# Of sorts, some with a DoubleBuffer; of top_k_rows.
_OPTIONAL = ("d_in_values", "d_out_keys", "d_out_values", "d_places_out")


def title_of(cls, given):
    """The name of the call."""
    words = cls.__doc__.split()
    return words[-1] if given.get("op") is not None and words[0] == "fill" else words[0]


def length(title, name, value):
    """A number of elements as a whole number."""
    try:
        made = operator.index(value)
    except TypeError:
        raise ArgumentTypeError(f"{title}: argument '{name}': expected a whole number, got {_shown(value)}") from None
    if not 0 <= made < 2**63:
        raise RangeError(f"{title}: argument '{name}': {made} is out of range, 0 to 2^63 - 1")
    return made


def _shown(value):
    return "None" if value is None else f"{type(value).__name__} {str(value)[:60]!r}" if isinstance(value, str) else \
        f"{type(value).__name__} {value!r:.60}"


def _is_operand(name):
    return name.startswith("d_") or name in ("start_offsets_in", "end_offsets_in", "offsets_in")


def _is_written(name):
    return "_out" in name or name == "d_histogram"


def _parts(name, value):
    """The sequences of an operand: a DoubleBuffer has two, d_ins as many as there are."""
    return value if name == "d_ins" else getattr(value, "d_buffers", (value,))


def _plain(name, value):
    if name == "d_ins" and isinstance(value, (tuple, list)):
        return tuple(_plain("", one) for one in value)
    return _arguments.plain(value) if _arguments.is_array(value) else value


def look(cls, builder, given):
    """Looks at the operands of a call, and notes their names for later exceptions. Returns the operands,
    with views for arrays that only DLPack describes."""
    builder.title, names = title_of(cls, given), builder.names
    given = {n: _plain(n, v) if _is_operand(n) else v for n, v in given.items()}
    for name, value in given.items():
        names.setdefault(id(value), name)
        if name == "d_ins" and not isinstance(value, (tuple, list)):
            raise ArgumentTypeError(f"{builder.title}: argument 'd_ins': a tuple of arrays and iterators is needed, not "
                                    f"{type(value).__name__}")
        if not _is_operand(name) or value is None and name in _OPTIONAL:
            continue
        for part in _parts(name, value):
            try:
                it = to_iterator(part)
                if _is_written(name) and not _can_be_written(it):
                    raise ArgumentError("This iterator does not support output operations")
            except ArgumentError as problem:
                problem.args = (f"{builder.title}: argument '{name}': {problem}",)
                raise
            for one in _all(it):
                names.setdefault(id(one), name)
                if isinstance(one, PointerIterator):
                    names.setdefault(id(one._array), name)
    _compare_places(builder, given)
    for name, kind in cls.choices.items():
        if name in given and given[name] not in tuple(kind):
            words = " or ".join(f"{kind.__name__}.{word}" for word in kind.__members__)
            raise ArgumentTypeError(f"{builder.title}: argument '{name}': expected {words}, got {_shown(given[name])}")
    return given


def _compare_places(builder, given):
    """Fails if some operands are in the host's memory and some on a GPU."""
    places = {}  # whether on the host: a name
    for name, value in given.items():
        if not _is_operand(name) or value is None and name in _OPTIONAL:
            continue
        for part in _parts(name, value):
            for one in _all(to_iterator(part)):
                if isinstance(one, PointerIterator) and not is_proxy(one._array):
                    places.setdefault(_arguments.is_on_host(one._array), name)
    if len(places) == 2:
        raise ArgumentError(f"{builder.title}: argument '{places[True]}' is in the host's memory, and argument "
                            f"'{places[False]}' on a GPU: copy one of them")


def _all(it):
    yield it
    for child in (it._pointer,) if isinstance(it, CacheModifiedInputIterator) else it.children:
        yield from _all(child)


def _can_be_written(it):
    children = (it._values,) if isinstance(it, PermutationIterator) else it.children
    return it.is_output_iterator and all(_can_be_written(c) for c in children)


def _reached(it, is_backwards=False):
    """(pointer, whether it goes backwards) of the arrays that have an element for each one of an iterator."""
    if isinstance(it, PointerIterator):
        yield it, is_backwards
    elif isinstance(it, CacheModifiedInputIterator):
        yield it._pointer, is_backwards
    elif isinstance(it, ReverseIterator):
        yield from _reached(it._underlying, not is_backwards)
    elif isinstance(it, PermutationIterator):
        yield from _reached(it._indices, is_backwards)
    else:
        for child in it.children:
            yield from _reached(child, is_backwards)


def compare_lengths(cls, builder, given):
    """Fails with ArgumentError if an array is too short. Notes what has been compared in builder.reaches."""
    for name, wanted in cls.lengths.items():
        if given.get(name) is None:
            continue
        size = given[wanted] if isinstance(wanted, str) else wanted
        for part in _parts(name, given.get(name)):
            for pointer, is_backwards in _reached(to_iterator(part)):
                if is_proxy(pointer._array):
                    raise ArgumentError(f"{builder.title}: argument '{name}' is a ProxyArray, which has no memory: pass "
                                        "an array")
                count = _arguments.count_of(pointer._array)
                there = pointer._offset + 1 if is_backwards else count - pointer._offset
                if there < size or is_backwards and pointer._offset >= count:
                    raise ArgumentError(f"{builder.title}: argument '{name}' has {max(there, 0)} elements, and "
                                        f"{wanted if isinstance(wanted, str) else 'the least'} is {int(size)}: pass a "
                                        "longer array")
                builder.reaches.append((pointer, is_backwards, size))
    for name, greatest in cls.counts.items():
        _compare_count(builder, given, name, greatest)


def _compare_count(builder, given, name, greatest):
    """Fails with ArgumentError if the array of a count or place can't hold the greatest one, an expression of
    the lengths. Notes what lengths it holds for later calls."""
    if given.get(name) is None:
        return
    sizes = {n: int(given[n]) for n in re.findall(r"[a-z]\w+", greatest) if n in given}
    wanted = eval(greatest, {"min": min}, sizes)  # pylint: disable=eval-used  # of this package
    for pointer, _ in _reached(to_iterator(given[name])):
        whole = _arguments.dtype_of(pointer._array)
        # Of a struct the odd fields are places.
        for dtype in [whole[field] for field in whole.names[1::2]] if whole.names else [whole]:
            if dtype.kind not in "iu" or dtype.itemsize == 8:
                continue
            most = int(np.iinfo(dtype).max)
            if wanted > most:
                raise ArgumentError(f"{builder.title}: argument '{name}': {dtype} counts to {most}, and {greatest} is "
                                    f"{wanted}: pass an array of a larger type")
            for size in sizes:  # no expression is more than the sum of its lengths
                builder.most[size] = min(builder.most.get(size, most), most // len(sizes))


def is_read_only(array):
    """Whether an array says that it must not be written."""
    if isinstance(array, np.ndarray):
        return not array.flags.writeable
    if isinstance(array, _core.Array):
        return array.readonly
    if is_proxy(array) or hasattr(getattr(array, "data", None), "ptr"):
        return False
    return bool(array.__cuda_array_interface__["data"][1])


def refuse_read_only(builder, array):
    if is_read_only(array):
        name = builder.names.get(id(array))
        what = f"argument '{name}'" if name else "an array that the operator writes"
        raise ArgumentError(f"{builder.title}: {what}: the array is read-only: pass a writable one")


Builder.check_permission = refuse_read_only


def _operand_of(builder, parameter):
    """The operand that a parameter of the text was made of; None if that isn't known."""
    if parameter == "result":
        return builder.names.get(id(builder.result[2][0]))
    for row in builder.parameters:
        if row[0] == parameter:
            sources = row[6] if row[3] is None else [row[6]]
            for obj in (source[0] for source in sources or () if source):
                name = getattr(obj, "name", None) if isinstance(obj, int) else None
                name = name or builder.names.get(id(obj)) or builder.names.get(id(getattr(obj, "operand", obj)))
                if name:
                    return name
    return None


def name_operands(builder, problem):
    """Puts the names of the call and of its operands into an exception of the launch or the compiler."""
    def named(match):
        name = _operand_of(builder, match[1])
        return f"argument '{name}'" if name else "a value that the operator captures"
    text = str(problem).removeprefix("'ck_call': ")
    if text.startswith("kernel 'ck_call'"):
        text = re.sub(r"argument \d+ '(\w+)'", named, re.sub(r"^kernel 'ck_call'[,:]", f"{builder.title}:", text))
    elif text.startswith("the algorithm can't be compiled: "):
        text = f"{builder.title} can't be compiled:{text.partition(':')[2]}"
    elif isinstance(problem, TranslationError) or text.startswith(builder.title):
        return
    else:
        text = f"{builder.title}: {text}"
    problem.args = (text.replace(": ck_call.ck can't be compiled", ""),)
