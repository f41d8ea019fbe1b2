# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_extents.py - expressions of manifests in Python: the shapes of outputs that aren't made yet.

An expression is in reverse Polish notation (docs/manifest.md): `rows n * 16 ceil_div`. Numbers may be
symbols of a compiler, such as torch.SymInt: only arithmetic is done with them, and nothing is compared as
long as each scalar is an extent by itself.
"""


def _divide(a, b):
    return a // b if not isinstance(a, int) or not isinstance(b, int) or (a < 0) == (b < 0) \
        else -(-a // b)


OPERATIONS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": _divide,
    "%": lambda a, b: a - b * _divide(a, b), "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b,
    "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
    "&&": lambda a, b: int(bool(a) and bool(b)), "||": lambda a, b: int(bool(a) or bool(b)),
    "==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b), "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b), ">": lambda a, b: int(a > b), ">=": lambda a, b: int(a >= b),
    "min": lambda a, b: a if a < b else b, "max": lambda a, b: a if a > b else b,
    "ceil_div": lambda a, b: (a + b - 1) // b,
}
PREFIX = {"neg": lambda a: -a, "~": lambda a: ~a, "!": lambda a: int(not a)}
FITS = {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"}


def evaluate(text, values):
    """The value of an expression; KeyError for a name that `values` doesn't have."""
    stack = []
    for token in text.split(" "):
        if token in OPERATIONS:
            b, a = stack.pop(), stack.pop()
            stack.append(OPERATIONS[token](a, b))
        elif token in PREFIX:
            stack.append(PREFIX[token](stack.pop()))
        elif token == "?:":
            c, b, a = stack.pop(), stack.pop(), stack.pop()
            stack.append(b if a else c)
        elif token in FITS:
            pass
        elif token.lstrip("-").isdigit():
            stack.append(int(token))
        else:
            stack.append(values[token.lstrip("@")])
    return stack[-1]


def spelled(text):
    """An expression as CK writes it: `rows n * 16 ceil_div` is ceil_div(rows * n, 16)."""
    stack = []  # (text, whether it needs parentheses in another expression)

    def closed(part):
        return f"({part[0]})" if part[1] else part[0]
    for token in text.split(" "):
        if token in OPERATIONS:
            b, a = stack.pop(), stack.pop()
            is_call = token.isidentifier()
            stack.append((f"{token}({a[0]}, {b[0]})" if is_call else f"{closed(a)} {token} {closed(b)}", not is_call))
        elif token in PREFIX:
            stack.append(({"neg": "-"}.get(token, token) + closed(stack.pop()), False))
        elif token == "?:":
            c, b, a = stack.pop(), stack.pop(), stack.pop()
            stack.append((f"{closed(a)} ? {closed(b)} : {closed(c)}", True))
        elif token not in FITS:
            stack.append((token.lstrip("@"), False))
    return stack[-1][0]


def names_in(text):
    return {token.lstrip("@") for token in text.split(" ")
            if token not in OPERATIONS and token not in PREFIX and token not in FITS
            and token != "?:" and not token.lstrip("-").isdigit()}


def solve(params, shapes, values):
    """Adds to `values` the scalars that the shapes of arrays determine, by name, and the lengths of
    spans. An extent with one unknown is solved as a linear function of it."""
    spans = [p for p in params if p["kind"] == "span" and p["name"] in shapes]
    for param in spans:
        size = 1
        for extent in shapes[param["name"]]:
            size = size * extent
        values.setdefault(param["name"] + ".len", size)
    has_found = True
    while has_found:
        has_found = False
        for param in spans:
            for text, extent in zip(param.get("extents", ()), shapes[param["name"]]):
                unknown = names_in(text) - values.keys()
                if len(unknown) != 1:
                    continue
                name = unknown.pop()
                if text.lstrip("@") == name:
                    values[name] = extent
                else:
                    one, two = (evaluate(text, {**values, name: at}) for at in (1, 2))
                    if two == one or (extent - one) % (two - one):
                        continue
                    values[name] = 1 + (extent - one) // (two - one)
                has_found = True
    return values


def shape_of(param, values):
    """The shape of a span, with an axis for the components of vectors."""
    return tuple(evaluate(text, values) for text in param.get("extents", ()))
