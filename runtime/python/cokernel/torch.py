# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.py - CK kernels as custom operators of PyTorch, in one call.

    import cokernel as ck, cokernel.torch
    softmax = ck.torch.operator("mine::softmax", m.softmax)
    y = softmax(x)                                   # y is allocated by PyTorch
    torch.compile(lambda x: softmax(2 * x))(x)       # and so under torch.compile and CUDA graphs

The operator's arguments are the kernel's parameters in order, without those that shapes determine and
without `out` spans: these are allocated with the shape that their extents have, and returned, several as a
tuple. An `inout` span is an argument that the operator changes. It runs in PyTorch's current stream. The
result has register_autograd(), as every custom operator has.
"""
import torch

from . import _core, _extents, _modules, errors

TYPES = {torch.bool: "bool", torch.int8: "i8", torch.int16: "i16", torch.int32: "i32",
         torch.int64: "i64", torch.uint8: "u8", torch.uint16: "u16", torch.uint32: "u32",
         torch.uint64: "u64", torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32",
         torch.float64: "f64"}
BY_NAME = {name: dtype for dtype, name in TYPES.items()}


class _Form:
    """What an operator has to know of a kernel: its parameters by role."""

    def __init__(self, name, params):
        self.name, self.params = name, params
        used = {n for p in params for text in p.get("extents", ()) for n in _extents.names_in(text)}
        self.arguments, self.outputs = [], []
        for param in params:
            if param["kind"] not in ("scalar", "span"):
                raise errors.UnsupportedError(
                    f"'{name}', parameter '{param['name']}': an operator of PyTorch has tensors and "
                    f"numbers, no {param['kind']}")
            if param["kind"] == "span" and param["access"] == "out":
                self.outputs.append(param)
            elif param["kind"] == "span" or param["name"] not in used or \
                    not self._is_determined(param["name"], params):
                self.arguments.append(param)

    @staticmethod
    def _is_determined(name, params):
        """Whether an input has the scalar in an extent."""
        return any(p["kind"] == "span" and p["access"] != "out" and
                   any(name in _extents.names_in(text) for text in p.get("extents", ()))
                   for p in params)

    def schema(self):
        words = []
        for index, param in enumerate(self.arguments):
            if param["kind"] == "span":
                kind = "Tensor" if param["access"] == "in" else f"Tensor(a{index}!)"
            else:
                kind = "bool" if param["type"] == "bool" else \
                    "float" if param["type"][0] in "fb" else "SymInt"
            words.append(f"{kind} {param['name']}")
        count = len(self.outputs)
        result = "()" if not count else "Tensor" if count == 1 else \
            "(" + ", ".join(["Tensor"] * count) + ")"
        return f"({', '.join(words)}) -> {result}"

    def changed(self):
        return [p["name"] for p in self.arguments if p["kind"] == "span" and p["access"] != "in"]

    def allocate(self, values, outputs):
        """Makes the outputs of a call: `values` by argument. `outputs` has the types, which those of an
        instance are."""
        shapes, numbers, first = {}, {}, None
        for param, value in values:
            if param["kind"] == "span":
                shapes[param["name"]] = value.shape
                first = first if first is not None else value
            else:
                numbers[param["name"]] = value
        _extents.solve(self.params, shapes, numbers)
        made = []
        for param in outputs:
            base, _, lanes = param["type"].partition("x")
            if base not in BY_NAME:
                raise errors.UnsupportedError(
                    f"'{self.name}', parameter '{param['name']}': PyTorch has no type for "
                    f"{param['type']}")
            try:
                shape = _extents.shape_of(param, numbers)
            except KeyError as error:
                raise errors.UnsupportedError(
                    f"'{self.name}', parameter '{param['name']}': the shapes of the inputs don't "
                    f"determine {error.args[0]}") from error
            if param is self.params[-1] and param["name"] == "result":
                shape = ()
            made.append(torch.empty(shape + ((4 if lanes == "3" else int(lanes),) if lanes else ()),
                                    dtype=BY_NAME[base],
                                    device=first.device if first is not None else None))
        return made


def _describe(kernel):
    """The module and the name of what is to be an operator."""
    if isinstance(kernel, _modules.Instances):
        return kernel._module, kernel.__name__
    if isinstance(kernel, _core.Kernel):
        return None, kernel.name
    raise errors.ArgumentTypeError(f"an operator is made of a kernel or an algorithm, not of {kernel!r}")


class _Instances:
    """The instance of a generic kernel that has the types of the tensors."""

    def __init__(self, module, name):
        self.module, self.name, self.forms = module, name, {}

    def rows(self):
        device = self.module._device or _core.Device()
        return [self.module._describe(n) for n in self.module._find(self.name, device)]

    def find(self, values):
        key = tuple(v.dtype for p, v in values if p["kind"] == "span")
        if key not in self.forms:
            fitting = []
            for row in self.rows():
                types = {p["name"]: p["type"].partition("x")[0] for p in row["params"]}
                if all(types[p["name"]] == TYPES.get(v.dtype) for p, v in values if p["kind"] == "span"):
                    fitting.append(row)
            if len(fitting) != 1:
                raise errors.ArgumentTypeError(
                    f"'{self.name}': {len(fitting)} instances fit tensors of "
                    f"{', '.join(str(d) for d in key)}: export one, or name it as "
                    f"m[\"{self.name}<...>\"]")
            row = fitting[0]
            self.forms[key] = self.module[row["name"]], _Form(row["name"], row["params"])
        return self.forms[key]


def operator(name, kernel):
    """Makes a custom operator of PyTorch from a kernel or an algorithm.

    name     "library::operator"
    kernel   m.softmax, or an instance, m["softmax<bf16,512>"]
    returns  a torch.library.CustomOpDef, which is called like a function, and is torch.ops.library.operator
    """
    module, kernel_name = _describe(kernel)
    if module is None:
        form, find = _Form(kernel_name, kernel.params), None
    else:
        find = _Instances(module, kernel_name)
        rows = find.rows()
        if not rows:
            raise errors.ArgumentError(f"'{kernel_name}' has no exported instance: name one, "
                                       f"m[\"{kernel_name}<...>\"]")
        form = _Form(kernel_name, rows[0]["params"])

    def prepare(args, options):
        values = list(zip(form.arguments, args))
        values += [(p, options[p["name"]]) for p in form.arguments[len(args):]]
        used, own = find.find(values) if find else (kernel, form)
        return used, values, own.allocate(values, own.outputs)

    def answer(made):
        return None if not made else made[0] if len(made) == 1 else tuple(made)

    def run(*args, **options):
        used, values, made = prepare(args, options)
        given = {p["name"]: v for p, v in values}
        given.update((p["name"], t) for p, t in zip(form.outputs, made))
        used(**given)
        return answer(made)

    def fake(*args, **options):
        return answer(prepare(args, options)[2])

    made = torch.library.custom_op(name, run, mutates_args=form.changed(), schema=form.schema())
    made.register_fake(fake)
    return made
