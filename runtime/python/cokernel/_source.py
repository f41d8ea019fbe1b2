# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_source.py - the syntax tree of a Python function, and errors that underline its source.

A function's code object names its file and first line. The statement of the module around it is
parsed once, or else the whole file, and the nodes that begin at that line are candidates: several
lambdas may. They are told apart by the code object: its positions (Python 3.11 and newer) lie in one
node only, the innermost; before, each candidate is compiled, and its byte code and constants compared.

    key=lambda x: x + 1, by=lambda x: x * 2       two candidates of one line
        ^^^^^^^^^^^^^^^                            where the instructions of the first stand
"""
import ast
import collections
import functools
import inspect
import linecache

from . import _console
from .errors import ArgumentTypeError

NO_SOURCE = "put it into a file, or give the operator as CK text, such as \"|a, b| a + b\""


class TranslationError(ArgumentTypeError):
    """Python code that can't be translated; the text shows where, and what to do."""

    def __init__(self, message, file=None, line=None, column=None, end=None, text=None):
        self.message, self.file, self.line, self.column = message, file, line, column
        shown = f"{file}:{line}:{column + 1}: {message}" if file else message
        if text:
            width = max(1, (end or len(text)) - column)
            shown += f"\n  {text.rstrip()}\n  {' ' * column}^{'~' * (width - 1)}"
        super().__init__(shown)


@functools.lru_cache(maxsize=256)
def _tree(_file, lines, start=0, end=None):
    """The tree of some lines of a file."""
    return ast.increment_lineno(ast.parse("".join(lines[start:end])), start)


def _is_begin(text):
    """Whether a line looks as if a statement of a module began there."""
    return text[:1] not in (*" \t\r\n\f#)]}\\", "") and not text.startswith(("else", "elif", "except", "finally", "case"))


def _block(lines, line):
    """Where the statement of a module that has a line begins and ends, by how its lines look."""
    start = line - 1
    while start > 0 and not _is_begin(lines[start]):
        start -= 1
    while start > 0 and lines[start - 1][:1] == "@":
        start -= 1
    end = line
    while end < len(lines) and (not _is_begin(lines[end]) or lines[end - 1][:1] == "@"):
        end += 1
    return start, end


def _trees(code, lines):
    """The tree of the statement that a function stands in, which is quick, and that of the file."""
    try:
        yield _tree(code.co_filename, lines, *_block(lines, code.co_firstlineno))
    except (SyntaxError, IndexError):
        pass  # a string of many lines, or a bracket, may look like a statement
    yield _tree(code.co_filename, lines)


def lines_of(code):
    """The lines of a code object's file, notebook's cell, or statement at the prompt."""
    return tuple(linecache.getlines(code.co_filename)) or _console.lines_of(code)


def _begins_at(node):
    decorated = getattr(node, "decorator_list", None)
    return decorated[0].lineno if decorated else node.lineno


def _at_line(tree, line):
    """The nodes that stand at a line, and those around them."""
    waiting = collections.deque([tree])
    while waiting:
        node = waiting.popleft()
        yield node
        waiting.extend(child for child in ast.iter_child_nodes(node)
                       if not hasattr(child, "lineno") or _begins_at(child) <= line <= child.end_lineno)


def _covers(node, code):
    """How many instructions of a code object stand inside a node."""
    body = node.body if isinstance(node.body, list) else [node.body]
    first, last = (body[0].lineno, body[0].col_offset), (body[-1].end_lineno, body[-1].end_col_offset)
    places = [p for p in code.co_positions() if None not in p]
    inside = [p for p in places if first <= (p[0], p[2]) and (p[1], p[3]) <= last]
    return len(inside)


def _shape(code):
    """What two code objects of one meaning have in common, wherever they stand."""
    consts = tuple(_shape(c) if hasattr(c, "co_code") else (type(c), repr(c)) for c in code.co_consts
                   if not (isinstance(c, str) and "<locals>" in c))  # the full name of a function inside
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, consts


def _same_code(node, code):
    """Whether a lambda has this code, when the variables that it captures are those of a function around it."""
    names = [ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None)) for name in code.co_freevars]
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    outer = ast.FunctionDef("outer", nothing, [*names, ast.Return(node)], [])
    made = compile(ast.fix_missing_locations(ast.Module([outer], [])), code.co_filename, "exec")
    for _ in range(2):
        made = next(c for c in made.co_consts if hasattr(c, "co_code"))
    return _shape(made) == _shape(code)


@functools.lru_cache(maxsize=1024)
def _find(code, lines):
    wanted = ast.Lambda if code.co_name == "<lambda>" else ast.FunctionDef
    parameters, nodes = code.co_varnames[:code.co_argcount], []
    for tree in _trees(code, lines):
        nodes = [n for n in _at_line(tree, code.co_firstlineno)
                 if isinstance(n, wanted) and _begins_at(n) == code.co_firstlineno
                 and (wanted is ast.Lambda or n.name == code.co_name)
                 and tuple(a.arg for a in n.args.posonlyargs + n.args.args) == parameters]
        if nodes:
            break
    if len(nodes) > 1 and hasattr(code, "co_positions"):
        best = max(_covers(n, code) for n in nodes)
        nodes = [n for n in nodes if _covers(n, code) == best]
        size = min((len(ast.dump(n)) for n in nodes), default=0)  # a lambda inside of a lambda
        nodes = [n for n in nodes if len(ast.dump(n)) == size]
    elif len(nodes) > 1:
        nodes = [n for n in nodes if wanted is ast.Lambda and _same_code(n, code)]
    return nodes[0] if nodes else None


def find(function):
    """The FunctionDef or Lambda of a function, and the lines of its file."""
    code = function.__code__
    if (function.__module__ or "").partition(".")[0] == "numpy":
        raise TranslationError(f"NumPy's '{function.__name__}' is no ufunc: kernels have ufuncs, np.where and np.clip")
    if inspect.iscoroutinefunction(function):
        raise TranslationError(f"'{function.__name__}' is a coroutine: use a function without async")
    lines = lines_of(code)
    node = None
    if lines:
        try:
            node = _find(code, lines)
        except SyntaxError:
            node = None
    if node is None:
        raise TranslationError(f"Python has no source of '{function.__name__}' ({code.co_filename}): {NO_SOURCE}")
    return node, lines


def error(function_code, lines, node, message):
    """A TranslationError that underlines a node."""
    line = getattr(node, "lineno", None)
    if line is None:
        return TranslationError(message)
    text = lines[line - 1] if line <= len(lines) else None
    column = len(text.encode()[:node.col_offset].decode(errors="replace")) if text else node.col_offset
    end = None
    if text and node.end_lineno == line:
        end = len(text.encode()[:node.end_col_offset].decode(errors="replace"))
    return TranslationError(message, function_code.co_filename, line, column,
                            end if end is not None else len(text.rstrip()) if text else None, text)
