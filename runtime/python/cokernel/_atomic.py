# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_atomic.py - `atomic.add(array, index, value)` for translated functions.

In a kernel each is one indivisible step and gives the value from before. Called by Python itself,
they do the same for NumPy's arrays, one after the other.
"""


class _Atomics:
    """The namespace `atomic`."""

    __ck_atomic__ = True

    @staticmethod
    def _change(array, index, make):
        old = array[index]
        array[index] = make(old)
        return old

    def add(self, array, index, value):
        return self._change(array, index, lambda old: old + value)

    def sub(self, array, index, value):
        return self._change(array, index, lambda old: old - value)

    def min(self, array, index, value):
        return self._change(array, index, lambda old: min(old, value))

    def max(self, array, index, value):
        return self._change(array, index, lambda old: max(old, value))

    def and_(self, array, index, value):
        return self._change(array, index, lambda old: old & value)

    def or_(self, array, index, value):
        return self._change(array, index, lambda old: old | value)

    def xor(self, array, index, value):
        return self._change(array, index, lambda old: old ^ value)

    def exchange(self, array, index, value):
        return self._change(array, index, lambda old: value)


atomic = _Atomics()


def is_atomic(obj):
    return getattr(obj, "__ck_atomic__", False) is True
