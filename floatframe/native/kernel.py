"""Kernels as Python sees them: functions of a small part of Python, translated and made machine code when first called.

A room of kernels is a folder: whatever changes in it has all its kernels compiled again.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache, cached_property
from hashlib import sha256
from operator import index
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from floatframe.native import machine
from floatframe.native.kinds import FLOAT, Array, Bundle, Kind, Number, Record, Tuple

_Function = TypeVar("_Function", bound=Callable[..., Any])
_C = {"ptr": ctypes.c_void_p, "i64": ctypes.c_int64, "i1": ctypes.c_int64, "double": ctypes.c_double}
_MOST_LISTS = 24  # they keep the arrays in memory
MOST_RETURNED = 8  # numbers that a kernel may return
_lists: dict[int, tuple[Any, Any, Any]] = {}  # places and lengths of the arrays of named tuples, by identity
_pointer_at = ctypes.c_size_t.from_address
_HEAD = object.__basicsize__  # bytes before the place of the data in an array: the first field of NumPy's structure


class Room:
    """A folder of kernels, with other folders that they call functions from."""

    def __init__(self, *folders: Path) -> None:
        self.folders = folders

    def part(self, function: _Function) -> _Function:
        """A function that only kernels call; it stays a function of Python."""
        function.kernel_options = ()  # type: ignore[attr-defined]
        return function

    def reordered(self, function: _Function) -> _Function:
        """As `part`, with sums that may be reordered, so that they are vector operations."""
        function.kernel_options = ("reassoc", "contract", "nsz")  # type: ignore[attr-defined]
        return function

    def apart(self, function: _Function) -> _Function:
        """As `reordered`, where no turn of an innermost loop reads or writes what another turn writes."""
        function.kernel_options = ("reassoc", "contract", "nsz", "apart")  # type: ignore[attr-defined]
        return function

    def piece(self, *signature: Kind) -> Callable[[Callable[..., Any]], Piece]:
        """A decorator for large functions that several kernels call: a piece of machine code of its own."""
        return lambda function: Piece(self, function, signature)

    def entry(self, *signature: Kind, keeps_lock: bool = False) -> Callable[[Callable[..., Any]], Entry]:
        """A decorator for kernels that Python calls.

        keeps_lock: other threads do not run meanwhile. It pays for what takes some microseconds: a thread that lets
        others run waits for its turn afterwards.
        """
        return lambda function: Entry(self, function, signature, keeps_lock)

    @cached_property
    def digest(self) -> bytes:
        return sha256(machine.compiler_digest() + b"".join(map(machine.sources_digest, self.folders))).digest()


class Compiled(ABC):
    """A function with a signature, which becomes machine code."""

    def __init__(self, room: Room, function: Callable[..., Any], signature: tuple[Kind, ...]) -> None:
        function.kernel_options = ()  # type: ignore[attr-defined]
        self.room, self.function, self.signature = room, function, signature
        self.__name__, self.__doc__, self.__module__ = function.__name__, function.__doc__, function.__module__
        self.symbol_name = f"{function.__module__}.{function.__name__}".replace(".", "_").strip("_")

    @cached_property
    def path(self) -> Path:
        """Where its machine code is kept."""
        own = sha256(self.room.digest + repr(self.signature).encode()).hexdigest()
        return machine.path_of(self.symbol_name, own)

    def is_compiled(self) -> bool:
        """Whether its machine code lies on the disk, made from the sources as they are, with all that it calls."""
        found = machine.kept(self.path)
        return found is not None and all(_PIECES[needed].is_compiled() for needed in found[0].split()[1:])

    def load(self) -> str:
        """Load its machine code, which is made first if need be; returns what is noted with it."""
        return str(machine.locked(lambda: self._note))

    @cached_property
    def _note(self) -> str:
        found = machine.kept(self.path)
        if found is None:
            say_compiling()
            found = self.make()
            machine.keep(self.path, *found)
        note, code = found
        for needed in note.split()[1:]:
            _PIECES[needed].load()
        machine.load(code)
        return note.split()[0]

    def make(self) -> tuple[str, bytes]:
        """Translate it: what to note, and machine code."""
        from floatframe.native.unit import Unit

        unit = Unit()
        result = self._add(unit)
        return " ".join((_noted(result), *unit.needed)), machine.object_code(unit.text())

    @abstractmethod
    def _add(self, unit: Any) -> Kind:
        """Translate it into a unit; returns the kind of what it returns."""


class Piece(Compiled):
    """A large function that several kernels call."""

    def __init__(self, room: Room, function: Callable[..., Any], signature: tuple[Kind, ...]) -> None:
        super().__init__(room, function, signature)
        self.symbol = self.symbol_name
        _PIECES[self.symbol] = self

    @property
    def address(self) -> int:
        """Where its machine code lies, for `call_at` and `call_with`."""
        self.load()
        return machine.address(self.symbol)

    def __call__(self, *arguments: Any) -> Any:
        """Python runs it as plain Python."""
        return self.function(*arguments)

    def _add(self, unit: Any) -> Kind:
        result: Kind = unit.add_piece(self.function, self.symbol, self.signature)
        if result.machine:
            raise TypeError(f"{self.__name__} returns a value; a piece that others call by its symbol cannot")
        return result


_PIECES: dict[str, Piece] = {}


class Entry(Compiled):
    """A kernel that Python calls."""

    def __init__(
        self, room: Room, function: Callable[..., Any], signature: tuple[Kind, ...], keeps_lock: bool = False
    ) -> None:
        super().__init__(room, function, signature)
        self._prototype = ctypes.PYFUNCTYPE if keeps_lock else ctypes.CFUNCTYPE

    def _add(self, unit: Any) -> Kind:
        result: Kind = unit.add_entry(self.function, self.symbol_name, self.signature)
        if len(result.machine) > MOST_RETURNED:
            raise TypeError(f"{self.__name__} returns {len(result.machine)} numbers, expected {MOST_RETURNED} at most")
        return result

    @cached_property
    def machine_call(self) -> tuple[Any, str]:
        """The machine code as a function of addresses and numbers, and what is noted with it."""
        note = self.load()
        types = [_C[part] for kind in self.signature for part in kind.machine]
        return self._prototype(None, *types, ctypes.c_void_p)(machine.address(self.symbol_name)), note

    def __call__(self, *arguments: Any) -> Any:
        call, note = self.machine_call
        flat: list[Any] = []
        alive = [
            _pack(kind, argument, flat, self.__name__) for kind, argument in zip(self.signature, arguments, strict=True)
        ]
        out = (ctypes.c_int64 * MOST_RETURNED)()
        call(*flat, ctypes.addressof(out))
        del alive
        return _returned(note, out)

    def bound(self, *arguments: Any) -> Callable[..., Any]:
        """The kernel with its first arguments put in, which must stay where they are in memory; numbers follow."""
        call, note = self.machine_call
        flat: list[Any] = []
        kinds = self.signature[: len(arguments)]
        alive = [_pack(kind, one, flat, self.__name__) for kind, one in zip(kinds, arguments, strict=True)]
        out = (ctypes.c_int64 * MOST_RETURNED)()
        place = ctypes.addressof(out)

        def bound(*rest: float, held: Any = (alive, out)) -> Any:
            call(*flat, *rest, place)
            return _returned(note, out)

        return bound


@cache
def say_compiling() -> None:
    """Say once that kernels are compiled to those who wait: on a terminal or in a notebook, not in a pipe."""
    if sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel"):
        sys.stderr.write("floatframe: compiling kernels once, some seconds\n")
        sys.stderr.flush()


def _noted(kind: Kind) -> str:
    """What a kernel returns, as it is noted beside its machine code."""
    if isinstance(kind, Tuple):
        return f"({''.join(map(_noted, kind.kinds))})"
    return {"double": "d", "i64": "i", "i1": "b"}[kind.machine[0]] if kind.machine else "-"


def _returned(note: str, out: Any) -> Any:
    """What a kernel has returned."""
    if note == "-":
        return None
    values = [
        struct.unpack("d", struct.pack("q", out[k]))[0] if one == "d" else bool(out[k]) if one == "b" else out[k]
        for k, one in enumerate(note.strip("()"))
    ]
    return tuple(values) if note.startswith("(") else values[0]


def _pack(kind: Kind, argument: Any, flat: list[Any], name: str) -> Any:
    """Add the machine values of an argument; returns what must stay alive meanwhile."""
    if isinstance(kind, Bundle):
        held = _list_of(kind, argument)
        flat.append(held[2])
        return held
    if isinstance(kind, Number):
        flat.append(float(argument) if kind == FLOAT else index(argument))
        return None
    places, held = _places(kind, argument, name)
    flat.extend(places)
    return held


def _places(kind: Kind, thing: Any, name: str) -> tuple[list[int], Any]:
    """The place of an array with its lengths, or of a record; and what must stay alive for them."""
    if type(kind) is Array and _fits(kind, thing):
        return [_place(thing), *thing.shape], thing
    if isinstance(kind, Record):
        held = np.frombuffer(thing, np.uint8)
        if held.size != kind.dtype.itemsize:
            raise TypeError(f"{name}: found a record of {held.size} bytes, expected {kind.dtype.itemsize}")
        return [_place(held)], held
    if not isinstance(kind, Array):
        raise TypeError(f"{name}: kernels cannot take {kind} from Python")
    raise TypeError(
        f"{name}: found an array of {thing.dtype} with {thing.ndim} dimensions, expected a contiguous one of "
        f"{kind.dtype} with {len(kind.shape)}"
    )


def _fits(kind: Array, array: Any) -> bool:
    """Whether an array is of a kind."""
    same = array.dtype is kind.dtype or array.dtype == kind.dtype  # comparing records takes long
    return same and array.ndim == len(kind.shape) and array.flags.c_contiguous


def _place(array: Any) -> int:
    """Where the data of an array lie; `array.ctypes.data` says the same in ten times the time."""
    place: int = _pointer_at(id(array) + _HEAD).value
    return place


def placed(kind: Bundle, thing: Any) -> tuple[int, Any]:
    """The place of a named tuple as `call_with` takes it, and what must stay alive for it."""
    held = _list_of(kind, thing)
    return held[2], held


def _list_of(kind: Bundle, thing: Any) -> tuple[Any, Any, Any]:
    """The named tuple, the list of the places and lengths of its arrays, and the place of that list."""
    found = _lists.pop(id(thing), None)
    if found is not None and found[0] is thing:
        _lists[id(thing)] = found  # those used last stay longest
        return found
    if type(thing).__name__ != kind.name:
        raise TypeError(f"found {type(thing).__name__}, expected {kind.name}")
    places: list[int] = []
    held = []
    for (name, own), (dtype, ndim), value in zip(kind.fields, kind.arrays, thing, strict=True):
        if value.dtype is dtype and value.ndim == ndim and value.flags.c_contiguous:  # most are, and there are many
            places += _pointer_at(id(value) + _HEAD).value, *value.shape
            continue
        more, alive = _places(own, value, name)
        places += more
        held.append(alive)
    listed = np.array(places, np.int64)
    found = thing, (listed, held), _place(listed)
    if kind.lasting:
        _lists[id(thing)] = found
    while len(_lists) > _MOST_LISTS:
        _lists.pop(list(_lists)[0], None)  # not by an iterator, which other threads would disturb  # noqa: RUF015
    return found
