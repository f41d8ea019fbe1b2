# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""struct.py - gpu_struct: classes whose values are elements of structured arrays.

    @gpu_struct
    class Pixel:                        Pixel.dtype is the aligned dtype of r, g, b
        r: np.int32
        g: np.int32                     Pixel(1, 2, 3), Pixel(r=1, g=2, b=3) and Pixel({"r": 1, ...})
        b: np.int32                     are values, on the host and in translated functions

A field's type is a NumPy type, another such class, or a dict of fields.
"""
import typing

import numpy as np

from ..errors import ArgumentError, ArgumentTypeError
from . import types


class Struct:
    """What gpu_struct makes classes of."""

    _field_spec = {}
    _type_descriptor = None
    dtype = None

    def __init__(self, *args, **kwargs):
        spec = self._field_spec
        if args and isinstance(args[0], dict):
            fields = args[0]
        elif args:
            if len(args) != len(spec):
                raise ArgumentTypeError(f"{type(self).__name__} has {len(spec)} fields, {len(args)} values are given")
            fields = dict(zip(spec, args))
        else:
            fields = kwargs
        if set(fields) != set(spec):
            raise ArgumentTypeError(f"{type(self).__name__} has the fields {', '.join(spec)}")
        self._fields = {name: _value_of(spec[name], fields[name]) for name in spec}
        for name, value in self._fields.items():
            setattr(self, name, value)
        self._data = np.asarray(np.void(_plain(self), dtype=self.dtype))
        self.__array_interface__ = self._data.__array_interface__

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{n}={v!r}' for n, v in self._fields.items())})"


def is_struct_type(obj):
    return isinstance(obj, type) and issubclass(obj, Struct)


def _plain(value):
    return tuple(_plain(v) if isinstance(v, Struct) else v for v in value._fields.values())


def _value_of(field, value):
    if isinstance(value, Struct):
        return value
    if is_struct_type(field):
        if isinstance(value, tuple):
            return field(*value)
        if isinstance(value, dict):
            return field(**value)
        raise ArgumentTypeError(f"{value!r} is no value of {field.__name__}")
    return _dtype_of(field).type(value)


def _dtype_of(field):
    return field.dtype if isinstance(field, types.TypeDescriptor) else np.dtype(field)


def _descriptor_of(field):
    if isinstance(field, types.TypeDescriptor):
        return field
    return field._type_descriptor if is_struct_type(field) else types.from_numpy_dtype(field)


def _checked(key, field):
    try:
        return _descriptor_of(field)
    except TypeError as problem:
        raise ArgumentTypeError(f"gpu_struct: the field '{key}' has no type of NumPy: {problem}") from None


def gpu_struct(field_dict, name="AnonymousStruct"):
    """A class of structs, from a dict of fields, a structured dtype or an annotated class."""
    if isinstance(field_dict, np.dtype):
        field_dict = {n: field_dict.fields[n][0] for n in field_dict.names or ()}
    elif isinstance(field_dict, type):
        name = field_dict.__name__
        try:
            field_dict = typing.get_type_hints(field_dict)
        except NameError:
            field_dict = field_dict.__annotations__
    if not hasattr(field_dict, "items"):
        raise ArgumentTypeError(f"gpu_struct: fields are a dict, a structured dtype or an annotated class, not {field_dict!r}")
    for key in field_dict:
        if not isinstance(key, str) or not key.isidentifier():
            raise ArgumentError(f"gpu_struct: the field name {key!r} is not a valid Python identifier")
    spec = {}
    for key, field in field_dict.items():
        if isinstance(field, dict):
            field = gpu_struct(field, key)
        elif isinstance(field, np.dtype) and field.names:
            field = gpu_struct(field, key)
        spec[key] = field
    descriptor = types.struct({key: _checked(key, field) for key, field in spec.items()}, name)
    return type(name, (Struct,), {"_field_spec": spec, "_type_descriptor": descriptor, "dtype": descriptor.dtype})
