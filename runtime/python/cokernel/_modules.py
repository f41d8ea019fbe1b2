# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_modules.py - CK texts as Python modules: what they declare, and the kernels as callables.

    Module       a text with the options of its compilation; compiled for each device that it is used on
    Kernel       the extension's, a callable; compiled when it is called
    Instances    a generic name whose instances are told apart by the element types of the arrays

The names of a text are found with a regular expression, so that reading a file costs nothing; a name
that is not found this way is asked of the compiler.
"""
import inspect
import json
import os
import re
import sys
import types

from . import _core, _dtypes, _extents, _helpers, errors

DECLARATION = re.compile(r"^(?:@[^\n]*\n)?(?:export\s+)?(kernel|algorithm)\s+(\w+)\s*(<?)", re.M)
FLAGS = {"debug": 1, "lineinfo": 2, "check": 4}


def plain(name):
    """A name without blanks."""
    return re.sub(r"\s+", "", name)


class Fields:
    """What help() shows of a kernel, found out when it is asked for."""

    def __init__(self, module, name):
        self.module, self.name = module, name
        self.declaration = name.partition("<")[0]

    def __getitem__(self, field):
        return getattr(self, "_" + field)()

    def _module(self):
        return self.module.__name__

    def _params(self):
        return self.module._describe(self.name)["params"]

    def _doc(self):
        parts = [self.module._comment(self.declaration)]
        try:
            parts.append(contract(self.module._describe(self.name)))
        except errors.Error as error:
            parts.append(f"(it can't be compiled here: {error})")
        return "\n\n".join(part for part in parts if part)

    def _signature(self):
        return signature(self.module._describe(self.name))


def signature(kernel):
    """An inspect.Signature of a kernel in a manifest."""
    names = {token.lstrip("@") for param in kernel["params"] for extent in param.get("extents", ())
             for token in extent.split()}
    made = []
    for param in kernel["params"]:
        can_be_left_out = (param["kind"] == "scalar" and param["name"] in names) or \
            param is kernel["params"][-1] and kernel.get("result")
        text = param["type"]
        if param["kind"] == "span":
            text = f"{param['access']} {text}[{', '.join(map(_extents.spelled, param.get('extents', ())))}]"
        made.append(inspect.Parameter(
            param["name"], inspect.Parameter.POSITIONAL_OR_KEYWORD if param["name"].isidentifier()
            else inspect.Parameter.POSITIONAL_ONLY, annotation=text,
            default=None if can_be_left_out else inspect.Parameter.empty))
    first = next((i for i, p in enumerate(made) if p.default is None), len(made))
    made[first:] = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in made[first:]]
    made += [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
             for name in ("stream", "grid", "block")
             if name not in [param["name"] for param in kernel["params"]]]
    return inspect.Signature(made)


def contract(kernel):
    """The parameters and the launch contract, as lines."""
    lines = []
    for param in kernel["params"]:
        text = param["type"]
        if param["kind"] == "span":
            text = f"{param['access']} {text}[{', '.join(map(_extents.spelled, param.get('extents', ())))}]"
        lines.append(f"{param['name']}: {text}")
    for what, values in (kernel.get("launch") or {}).items():
        lines.append(f"{what} = {', '.join(map(_extents.spelled, values))}")
    return "\n".join(lines)


class Module(types.ModuleType):
    """A CK text: its kernels and algorithms are attributes, and instances of generic ones are found
    by m["softmax<bf16,512>"]."""

    def __init__(self, text, file, name, options, device):
        super().__init__(name, self._head(text))
        self.__file__ = file
        self._text, self._options, self._device = text, options, device
        self._names = {match[2]: (match[1], bool(match[3]), match.start())
                       for match in DECLARATION.finditer(text)}
        self._codes, self._kernels = {}, {}
        self.log = ""  # of the last compilation: warnings

    @staticmethod
    def _head(text):
        lines = []
        for line in text.splitlines():
            if not line.startswith("//"):
                break
            line = line[2:].strip()
            if not line.startswith(("SPDX", "CALL:", "EXPECT:", "FOR:", "BENCH:", "TOLERANCE:")):
                lines.append(line)
        return "\n".join(lines)

    def _comment(self, name):
        """The comment right before a declaration, or that at the head of the file."""
        place = self._names.get(name)
        lines = []
        for line in reversed(self._text[:place[2]].splitlines() if place else ()):
            if not line.startswith("//"):
                break
            lines.insert(0, line)
        return self._head("\n".join(lines)) or self.__doc__

    def _code(self, device, instance=None):
        """The code for a device; with an instance, code that has that alone."""
        key = device.slot, instance
        if key not in self._codes:
            options = dict(self._options)
            if instance:
                options["instances"] = options.get("instances", []) + [instance]
            self._codes[key], self.log = _core.compile(self._text, device, file_name=self.__file__,
                                                       **options)
        return self._codes[key]

    def _find(self, name, device):
        """The names of the code that a name stands for."""
        names = self._code(device).names
        wanted = plain(name)
        exact = [n for n in names if plain(n) == wanted]
        if exact or ">" not in wanted:
            return exact or [n for n in names if plain(n).partition("<")[0] == wanted]
        return [n for n in names if plain(n).startswith(wanted[:-1] + ",")]

    def _resolve(self, name):
        def resolve(device):
            if "<" in name and not self._find(name, device):
                return self._code(device, name)
            return self._code(device)
        return resolve

    def _describe(self, name):
        """A kernel or algorithm as the manifest has it."""
        device = self._device or _core.Device()
        code = self._resolve(name)(device)
        manifest = json.loads(code.manifest)
        rows = {plain(row["name"]): row for row in
                manifest["kernels"] + manifest.get("algorithms", [])}
        wanted = plain(name)
        for key, row in rows.items():
            if key == wanted or wanted in [plain(w) for w in row.get("written", ())]:
                return row
        for key, row in rows.items():
            if key.startswith((wanted + "<", wanted[:-1] + ",")):
                return row
        raise errors.NotFoundError(f"'{name}' is no kernel of {self.__file__}")

    def _kernel(self, name):
        made = self._kernels.get(name)
        if made is None:
            base = name.partition("<")[0].strip()
            start = self._names[base][2] if base in self._names else 0
            line = self._text.count("\n", 0, start) + 1
            place = (self.__file__, line, base, self._text)
            made = self._kernels[name] = _core.Kernel(self._resolve(name), name, place, self._device,
                                                      Fields(self, name))
        return made

    def __getitem__(self, name):
        base = name.partition("<")[0].strip()
        if base not in self._names:
            device = self._device or _core.Device()
            if not self._find(base, device):
                raise errors.NotFoundError(
                    f"'{base}' is no kernel or algorithm of {self.__file__}, which has "
                    f"{', '.join(self._names) or 'none'}")
        return self._kernel(name)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._names:
            device = self._device or _core.Device()
            if not self._find(name, device):
                raise AttributeError(f"'{name}' is no kernel or algorithm of {self.__file__}, which "
                                     f"has {', '.join(self._names) or 'none'}", name=name, obj=self)
        if self._names.get(name, ("", False))[1]:
            made = Instances(self, name)
        else:
            made = self._kernel(name)
        setattr(self, name, made)
        return made

    def __dir__(self):
        return sorted({*super().__dir__(), *self._names})

    def __repr__(self):
        return f"<cokernel.Module {self.__name__!r}: {', '.join(self._names)}>"

    def save(self, path, device=None):
        """Writes the code for a device to a file, for cokernel.load or ck_object_code_from_file."""
        self._code(_core.Device(device)).save(os.fspath(path))


class CompiledModule(Module):
    """The kernels and algorithms of a file of compiled code, for the devices that can load it."""

    def __init__(self, path, name, device):
        code = _core.code_from_file(path)
        super().__init__("", path, name, {}, device)
        self._loaded = code
        for kernel in code.names:
            self._names.setdefault(plain(kernel).partition("<")[0], ("kernel", "<" in kernel, 0))

    def _code(self, device, instance=None):
        if instance:
            raise errors.NotFoundError(f"'{instance}' is not in {self.__file__}, which has "
                                       f"{', '.join(self._loaded.names) or 'no kernels'}")
        return self._loaded


class Instances:
    """A generic kernel or algorithm by its name alone. A call takes the only instance that the file
    exports, or the one whose element types are those of the arrays."""

    def __init__(self, module, name):
        self._module, self.__name__ = module, name
        self._chosen = {}

    @property
    def __doc__(self):
        """The comment, and the contract of the first instance that the file exports."""
        module, parts = self._module, [self._module._comment(self.__name__)]
        try:
            names = module._find(self.__name__, module._device or _core.Device())
            if names:
                parts.append(f"{plain(names[0])}\n" + contract(module._describe(names[0])))
            parts.append(f"instances: {', '.join(map(plain, names))}" if names else
                         f"no instance is exported: m[\"{self.__name__}<...>\"] makes one")
        except errors.Error as error:
            parts.append(f"(it can't be compiled here: {error})")
        return "\n\n".join(part for part in parts if part)

    def __getitem__(self, arguments):
        """m.softmax["bf16", 512] is m["softmax<bf16,512>"]."""
        if not isinstance(arguments, tuple):
            arguments = (arguments,)
        words = []
        for word in arguments:
            if not isinstance(word, (str, int)):
                word = _dtypes.type_name(*_dtypes.codes(word))
            words.append(str(word).lower() if isinstance(word, bool) else str(word))
        return self._module[f"{self.__name__}<{','.join(words)}>"]

    def __call__(self, *args, **options):
        key = tuple(self._type(value) for value in args), \
            tuple((name, self._type(value)) for name, value in options.items())
        kernel = self._chosen.get(key)
        if kernel is None:
            kernel = self._chosen[key] = self._choose(args, options)
        return kernel(*args, **options)

    @staticmethod
    def _type(value):
        dtype = getattr(value, "dtype", None)
        return (type(value), dtype) if dtype is not None else None

    def _device_of(self, values):
        for value in values:
            if isinstance(value, _core.Stream):
                return value.device
        for value in values:
            try:
                return _core.view(value).device
            except (TypeError, errors.Error):
                continue
        return _core.Device()

    def _choose(self, args, options):
        module = self._module
        device = module._device or self._device_of([*options.values(), *args])
        names = module._find(self.__name__, device)
        if len(names) == 1:
            return module[names[0]]
        given = []
        for name, value in [*((None, v) for v in args), *options.items()]:
            try:
                given.append((name, _dtypes.type_name(*_core.view(value)._type[:4])))
            except (TypeError, errors.Error):
                continue
        fitting = [n for n in names if self._fits(module._describe(n), given)]
        if len(fitting) == 1:
            return module[fitting[0]]
        what = "no instance fits" if not fitting else "several instances fit"
        raise errors.ArgumentTypeError(
            f"'{self.__name__}': {what} arrays of {', '.join(t for _, t in given) or 'nothing'}; the "
            f"file exports {', '.join(fitting or names) or 'none'}: name one, such as "
            f"m[\"{(fitting or names or [self.__name__ + '<f32>'])[0]}\"]")

    @staticmethod
    def _fits(kernel, given):
        spans = {p["name"]: p["type"] for p in kernel["params"] if p["kind"] == "span"}
        named = {name: dtype for name, dtype in given if name}
        if any(spans.get(name, dtype) != dtype for name, dtype in named.items()):
            return False
        rest = [dtype for name, dtype in spans.items() if name not in named]
        return all(a == b for (name, a), b in zip([g for g in given if not g[0]], rest))

    def __repr__(self):
        return f"<cokernel.Instances of '{self.__name__}'>"


def _options(options):
    made = {"flags": 0}
    for name, value in options.items():
        if value is None:
            continue
        if name in FLAGS:
            made["flags"] |= FLAGS[name] if value else 0
        elif name == "defines":
            made["defines"] = [f"{key}={str(v).lower() if isinstance(v, bool) else v}"
                               for key, v in value.items()]
        elif name == "instances":
            made["instances"] = [value] if isinstance(value, str) else list(value)
        elif name == "import_folders":
            made["import_folders"] = [os.fspath(folder) for folder in value]
        elif name == "tuning_file":
            made["tuning_file"] = os.fspath(value)
        elif name == "opt_level":
            made["opt_level"] = int(value) + 1
        elif name == "problem_size":
            made["problem_size"] = int(value)
        else:
            raise errors.ArgumentTypeError(f"no option is called '{name}': there are debug, lineinfo, check, defines, "
                            "instances, import_folders, tuning_file, opt_level, problem_size")
    return made


def _make(text, file, name, device, options):
    device = None if device is None else _core.Device(device)
    return Module(text, file, name, _options(options), device)


def compile(text, *, name="<ck>", device=None, **options):  # pylint: disable=redefined-builtin
    """Makes a module of CK text. Nothing is compiled until a kernel is called, or asked about.

    name     for messages and tracebacks
    device   the module's kernels run there alone; None: where their arrays are
    options  debug, lineinfo, check: switches; defines: {"N": 256}, constants of the text; instances:
             names such as "softmax<f16>"; import_folders, tuning_file, opt_level, problem_size: as in
             ck/compile.h
    """
    if not isinstance(text, str):
        raise errors.ArgumentTypeError(f"the text has to be a str, not {type(text).__name__}")
    return _make(text, name, "ck", device, options)


def load(path, *, device=None, **options):
    """Makes a module of a .ck file, with the options of compile(); or of compiled code: what `ckc -o`,
    Module.save and ck_object_code_save write."""
    path = os.fspath(path)
    name = os.path.splitext(os.path.basename(path))[0]
    if not path.endswith(".ck") and os.path.isfile(path):
        if options:
            raise errors.ArgumentError(f"'{path}' is compiled code: it has no options")
        return CompiledModule(path, name, None if device is None else _core.Device(device))
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except FileNotFoundError as error:
        raise errors.NotFoundError(f"there is no file '{path}'") from error
    return _make(text, path, name, device, options)


def import_module(name, *, device=None, **options):
    """Imports a .ck file by its path, or by a name that is looked for along sys.path, and keeps it in
    sys.modules: import_module("kernels.softmax") finds kernels/softmax.ck."""
    name = os.fspath(name)
    if name in sys.modules:
        return sys.modules[name]
    if name.endswith(".ck"):
        module = load(name, device=device, **options)
        return module
    relative = name.replace(".", os.sep) + ".ck"
    for folder in sys.path:
        path = os.path.join(folder, relative)
        if os.path.isfile(path):
            module = load(path, device=device, **options)
            module.__name__ = name
            sys.modules[name] = module
            return module
    raise ModuleNotFoundError(f"no file {relative} along sys.path", name=name)


_helpers.begin()
