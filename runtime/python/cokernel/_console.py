# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_console.py - the source of functions that stand in no file.

Python 3.13 keeps what is typed at its prompt, earlier versions don't. They leave three places to look:

    prompt                    the lines that readline remembers: a statement is some adjacent ones
    python -c "..."           the program's own arguments
    python < FILE             the file, which is read a second time

What is found is compiled again, and taken only if one of its code objects equals the function's: same
instructions, constants, names and line numbers. So an older statement of the same look is never taken.
"""
import os
import stat
import sys

_MOST_LINES = 1000  # of the history; a statement has at most as many as _MOST_OF_ONE
_MOST_OF_ONE = 100


def _holds(made, code):
    """Whether a code object is one of those inside of another."""
    return any(one == code or _holds(one, code) for one in made.co_consts if hasattr(one, "co_code"))


def _fits(text, code, mode):
    try:
        return _holds(compile(text, code.co_filename, mode), code)
    except (SyntaxError, ValueError):
        return False


def _history():
    """What was typed, the oldest line first."""
    readline = sys.modules.get("readline")
    if readline is None:
        return []
    last = readline.get_current_history_length()
    return [readline.get_history_item(i) or "" for i in range(max(1, last - _MOST_LINES + 1), last + 1)]


def find_statement(code, history):
    """The lines of the newest statement of a history that has a code object; none if there is none."""
    word = "lambda" if code.co_name == "<lambda>" else code.co_name
    for start in range(len(history) - code.co_firstlineno, -1, -1):
        if word not in "".join(history[start:start + _MOST_OF_ONE]):
            continue
        for end in range(start + code.co_firstlineno, min(len(history), start + _MOST_OF_ONE) + 1):
            lines = [line + "\n" for line in history[start:end]]
            if _fits("".join(lines), code, "single"):
                return tuple(lines)
    return ()


def _argument():
    """The text behind -c."""
    words = sys.orig_argv[1:]
    for index, word in enumerate(words[:-1]):
        if word[:1] != "-" or word[:2] == "--":
            break
        if word.endswith("c"):
            return words[index + 1]
    return ""


def _input():
    """All of standard input, if it is a file."""
    try:
        size = os.fstat(0)
        return os.pread(0, size.st_size, 0).decode() if stat.S_ISREG(size.st_mode) else ""
    except (OSError, ValueError):
        return ""


def lines_of(code):
    """The lines of the statement or program that a code object is of; none if they can't be had."""
    if code.co_filename == "<string>":
        text, mode = _argument(), "exec"
    elif code.co_filename == "<stdin>":
        found = find_statement(code, _history())
        if found:
            return found
        text, mode = _input(), "exec"
        if text and not _fits(text, code, mode):  # with -i each statement begins at line 1
            return find_statement(code, text.splitlines())
    else:
        return ()
    return tuple(text.splitlines(True)) if text and _fits(text, code, mode) else ()
