# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_magic.py - the cell magic %%ck of notebooks.

    %%ck [NAME] [-D N=256] [--check] [--debug] [--lineinfo] [--device=host]

compiles the cell. With a NAME, the module is stored in that variable; else each kernel and algorithm is
stored in a variable of its own name. Errors are shown as the compiler shows them.
"""
import shlex

from . import _core, _modules, errors


def read_line(line):
    """(name or None, options) of the line behind %%ck."""
    name, options, words = None, {}, shlex.split(line)
    while words:
        word = words.pop(0)
        if word == "-D" and words:
            key, _, value = words.pop(0).partition("=")
            options.setdefault("defines", {})[key] = value
        elif word in ("--check", "--debug", "--lineinfo"):
            options[word[2:]] = True
        elif word.startswith("--device="):
            options["device"] = word[len("--device="):]
        elif word.isidentifier() and name is None:
            name = word
        else:
            raise errors.ArgumentError(f"%%ck: '{word}' is neither a name nor an option: -D NAME=VALUE, "
                                       "--check, --debug, --lineinfo, --device=DEVICE")
    return name, options


def compile_cell(line, cell, variables, number=0):
    """Compiles a cell, and stores what it declares in `variables`."""
    name, options = read_line(line)
    module = _modules.compile(cell, name=f"<cell {number}>" if number else "<cell>", **options)
    # Mistakes show now, not at the first call.
    device = module._device or _core.Device()
    module._code(device)
    if module.log:
        print(module.log, end="")
    if name:
        variables[name] = module
    else:
        variables.update((kernel, getattr(module, kernel)) for kernel in module._names)
    return module


def register(shell):
    """Adds the magic to a shell of IPython."""
    def ck(line, cell):
        try:
            compile_cell(line, cell, shell.user_ns, getattr(shell, "execution_count", 0))
        except errors.CompileError as error:
            print(error.log, end="")
        except errors.ArgumentError as error:
            print(error)
    shell.register_magic_function(ck, magic_kind="cell", magic_name="ck")
