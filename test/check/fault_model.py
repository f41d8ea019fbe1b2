# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fault_model.py - a model of the programs of one_fault.py: their results, and their faults.

A Machine runs the statements of a program (fault_statements.py), block by block. Each element of
memory has a value, a flag whether it has been written, and its accesses since the last barrier. The
model computes the final values of a program without a fault, and the faults of a program with some:

    index      an index or a slice is outside of its extent
    unwritten  shared memory is read before it is written
    race       two threads access an element, one of them writes, and nothing orders the accesses

A fault is stored with the sites of the accesses: objects that know their file and line once the
text of the program is written. The compiler may add barriers, so both possibilities are tracked: a
fault is `certain` if it remains with every barrier that the compiler may have added.
"""
WARP = 32
BITS = {"u8": 8, "u16": 16, "u32": 32, "u64": 64, "i16": 16, "i32": 32, "i64": 64}


def cut(value, kind):
    """Converts the value to a type: integers wrap around."""
    bits = BITS[kind]
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind[0] == "i" and value >> (bits - 1) else value


class Stop(Exception):
    """A statement of a thread failed: the index fault has been stored, and its value does not
    matter."""


class Event:
    """An access to an element. All accesses of one thread between two barriers are one event."""
    __slots__ = ("thread", "site", "is_write", "is_atomic", "warp", "most", "most_warp")

    def __init__(self, machine, site, is_write, is_atomic):
        self.thread, self.site, self.is_write, self.is_atomic = machine.t, site, is_write, is_atomic
        self.warp, self.most, self.most_warp = machine.warp, machine.most, machine.most_warp

    def key(self):
        return (self.thread, id(self.site), self.is_write, self.is_atomic, self.warp, self.most, self.most_warp)


class Element:
    """One element of memory, or one field of an element."""
    __slots__ = ("value", "is_written", "was_written", "epoch", "reads", "writes")

    def __init__(self, value, is_written):
        self.value, self.is_written, self.was_written = value, is_written, is_written
        self.epoch, self.reads, self.writes = -1, {}, {}

    def copy(self):
        other = Element(self.value, self.is_written)
        other.was_written, other.epoch = self.was_written, self.epoch
        other.reads, other.writes = dict(self.reads), dict(self.writes)
        return other


class Memory:
    """A span, a shared array, an array of a thread or a constant array; `where` says which. form:
    "struct" or "vector": the last extent counts the fields or components of an element."""

    def __init__(self, name, where, kind, extents, values=None, access="inout", form=None):
        self.name, self.where, self.kind, self.extents = name, where, kind, tuple(extents)
        self.values, self.access, self.form = values, access, form

    @property
    def count(self):
        count = 1
        for extent in self.extents:
            count *= extent
        return count


class Fault:
    """A fault that a report may name: `sites` are one or two accesses, each with its thread and
    block."""

    def __init__(self, kind, block, first, second=None, certain=True):
        self.kind, self.block, self.first, self.second, self.certain = kind, block, first, second, certain


class Machine:
    """The state of one block, and the faults so far."""

    def __init__(self, threads, block, globals_):
        self.threads, self.block, self.globals = threads, block, globals_
        self.epoch = self.warp = self.most = self.most_warp = 0
        self.shared, self.locals = {}, [{} for _ in range(threads)]
        self.variables = [{"acc": 0} for _ in range(threads)]
        self.faults, self.t = {}, 0

    def copy(self):
        other = Machine(self.threads, self.block, {m: list(v) for m, v in self.globals.items()})
        other.epoch, other.warp, other.most, other.most_warp = self.epoch, self.warp, self.most, self.most_warp
        other.globals = {m: [e.copy() for e in v] for m, v in self.globals.items()}
        other.shared = {m: [e.copy() for e in v] for m, v in self.shared.items()}
        other.locals = [{m: list(v) for m, v in one.items()} for one in self.locals]
        other.variables = [dict(one) for one in self.variables]
        other.faults = dict(self.faults)
        return other

    # ---- barriers ----

    def sync(self, is_certain=True):
        """A block.sync(), or a barrier that the compiler may add."""
        self.most += 1
        if is_certain:
            self.epoch += 1

    def sync_warp(self, is_certain=True):
        self.most_warp += 1
        if is_certain:
            self.warp += 1

    # ---- faults ----

    def note(self, kind, first, second=None, certain=True):
        """Stores a fault. If `certain` is None the fault is only possible, whatever was stored
        before."""
        places = (first, second) if second is None or first[1] <= second[1] else (second, first)
        key = (kind,) + tuple((id(p[0]), p[1]) if p else None for p in places)
        if key not in self.faults or certain is None or certain and not self.faults[key].certain:
            self.faults[key] = Fault(kind, self.block, places[0], places[1], bool(certain))

    def outside(self, site):
        self.note("index", (site, self.t))
        raise Stop

    # ---- accesses ----

    def elements(self, memory):
        if memory.where == "shared":
            return self.shared[memory]
        if memory.where == "local":
            return self.locals[self.t][memory]
        return self.globals[memory]

    def declare(self, memory):
        """A shared array has undefined values each time that its declaration is executed."""
        self.shared[memory] = [Element(0, False) for _ in range(memory.count)]

    def access(self, memory, at, site, is_write, is_atomic=False):
        """Records an access, and returns the element."""
        element = self.elements(memory)[at]
        if memory.access == "in" or memory.where == "local":
            return element
        if element.epoch != self.epoch:
            element.epoch, element.was_written = self.epoch, element.is_written
            element.reads.clear()
            element.writes.clear()
        event = Event(self, site, is_write, is_atomic)
        events, key = element.writes if is_write else element.reads, event.key()
        if key not in events:
            for other in element.writes.values():
                self.compare(memory, element, event, other)
            for other in element.reads.values() if is_write else ():
                self.compare(memory, element, event, other)
            events[key] = event
        if memory.where == "shared" and not element.is_written and (not is_write or is_atomic):
            self.note("unwritten", (site, self.t))
        element.is_written |= is_write
        return element

    def compare(self, memory, element, event, other):
        if event.thread == other.thread:
            return
        if event.is_atomic and other.is_atomic:  # no race, but the order is undefined
            self.note_unwritten(memory, element, event, other)
            return
        is_one_warp = event.thread // WARP == other.thread // WARP
        if is_one_warp and event.warp != other.warp:
            return
        certain = event.most == other.most and not (is_one_warp and event.most_warp != other.most_warp)
        self.note("race", (event.site, event.thread), (other.site, other.thread), certain)
        self.note_unwritten(memory, element, event, other)

    def note_unwritten(self, memory, element, event, other):
        """Of two unordered accesses, the read may come first or last."""
        if memory.where == "shared" and not element.was_written:
            for one in (event, other):
                if not one.is_write or one.is_atomic:
                    self.note("unwritten", (one.site, one.thread), certain=None)

    def read(self, memory, at, site):
        return self.access(memory, at, site, False).value

    def write(self, memory, at, site, value):
        self.access(memory, at, site, True).value = cut(value, memory.kind)
