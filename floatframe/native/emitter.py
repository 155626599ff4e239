"""LLVM code of one function as text: registers, blocks, memory, conversions between numbers."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence

from floatframe.native.kinds import (
    FLOAT,
    TRUTH,
    WHOLE,
    Array,
    Bundle,
    KernelError,
    Kind,
    Record,
    Tuple,
    Value,
    joined,
    split,
)

# numbers of different types do not overlap in memory, and lists of places never change
NOTES = {"double": ", !tbaa !1", "i64": ", !tbaa !2", "ptr": ""}
FIXED = ", !invariant.load !3"
# of functions whose innermost loops may do their turns in any order: their accesses, and the ends of these loops
APART, PARALLEL = ", !llvm.access.group !6", ", !llvm.loop !7"
METADATA = """!0 = !{!"kernels"}
!1 = !{!4, !4, i64 0}
!2 = !{!5, !5, i64 0}
!3 = !{}
!4 = !{!"double", !0}
!5 = !{!"i64", !0}
!6 = distinct !{}
!7 = distinct !{!7, !8}
!8 = !{!"llvm.loop.parallel_accesses", !6}
"""


def checks_indices() -> bool:
    """Whether kernels check their indices, which takes time."""
    return bool(os.environ.get("FLOATFRAME_CHECK_INDICES"))


def number(value: float) -> Value:
    """A number that is known beforehand."""
    if isinstance(value, bool):
        return Value(TRUTH, ("true" if value else "false",), value)
    if isinstance(value, int):
        return Value(WHOLE, (str(value),), value)
    bits = struct.unpack(">Q", struct.pack(">d", value))[0]
    return Value(FLOAT, (f"0x{bits:016X}",), float(value))


class Emitter:
    """Writes the code of one function."""

    def __init__(self, fast: Sequence[str] = ()) -> None:
        self.lines: list[str] = []
        self.allocated: list[str] = []
        self.closed = False  # whether the present block has ended
        self.block = "start"
        self._count = 0
        self._flags = "".join(f"{flag} " for flag in fast if flag != "apart")
        self.apart = "apart" in fast

    def name(self, stem: str) -> str:
        self._count += 1
        return f"{stem}{self._count}"

    def op(self, code: str) -> str:
        """A new register with the result of an instruction."""
        register = f"%{self.name('r')}"
        self.lines.append(f"  {register} = {code}")
        return register

    def do(self, code: str) -> None:
        """An instruction without a result."""
        self.lines.append(f"  {code}")

    def begin(self, label: str) -> None:
        """Begin a block; what comes before goes on into it unless it has ended."""
        if not self.closed:
            self.lines.append(f"  br label %{label}")
        self.lines.append(f"{label}:")
        self.block, self.closed = label, False

    def jump(self, label: str, note: str = "") -> None:
        if not self.closed:
            self.lines.append(f"  br label %{label}{note}")
        self.closed = True

    def branch(self, condition: Value, yes: str, no: str) -> None:
        self.lines.append(f"  br i1 {self.truth(condition)}, label %{yes}, label %{no}")
        self.closed = True

    def room(self, machine: str) -> str:
        """A place on the stack."""
        place = f"%{self.name('v')}"
        self.allocated.append(f"  {place} = alloca {machine}")
        return place

    def load(self, machine: str, place: str, note: str | None = None) -> str:
        return self.op(f"load {machine}, ptr {place}{NOTES[machine] if note is None else note}{self._group(machine)}")

    def store(self, machine: str, value: str, place: str) -> None:
        self.do(f"store {machine} {value}, ptr {place}{NOTES[machine]}{self._group(machine)}")

    def _group(self, machine: str) -> str:
        return APART if self.apart and machine != "ptr" else ""

    def moved(self, place: str, machine: str, count: str) -> str:
        """The place a number of elements further on."""
        return place if count == "0" else self.op(f"getelementptr inbounds {machine}, ptr {place}, i64 {count}")

    # whole numbers

    def whole(self, what: str, a: str, b: str) -> str:
        """a + b, a - b or a * b of whole numbers, which do not overflow."""
        if a.lstrip("-").isdigit() and b.lstrip("-").isdigit():
            x, y = int(a), int(b)
            return str({"add": x + y, "sub": x - y, "mul": x * y}[what])
        if (what, b) in (("add", "0"), ("sub", "0"), ("mul", "1")):
            return a
        if (what, a) in (("add", "0"), ("mul", "1")):
            return b
        return self.op(f"{what} nsw i64 {a}, {b}")

    def floating(self, what: str, a: str, b: str) -> Value:
        return Value(FLOAT, (self.op(f"{what} {self._flags}double {a}, {b}"),))

    def negative(self, a: str) -> Value:
        return Value(FLOAT, (self.op(f"fneg {self._flags}double {a}"),))

    # conversions

    def truth(self, value: Value) -> str:
        """Whether a number is not zero."""
        if value.kind == TRUTH:
            return value.parts[0]
        if value.kind == WHOLE:
            return self.op(f"icmp ne i64 {value.parts[0]}, 0")
        return self.op(f"fcmp une double {value.parts[0]}, 0.0")

    def converted(self, value: Value, kind: Kind) -> Value:
        """A value as another kind, which `unified` gave."""
        if value.kind == kind:
            return value
        if isinstance(kind, Tuple) and isinstance(value.kind, Tuple):
            pairs = zip(split(value), kind.kinds, strict=True)
            return joined([self.converted(one, own) for one, own in pairs])
        if isinstance(kind, Array) and isinstance(value.kind, Array):
            lengths = zip(kind.shape, self.lengths(value), strict=True)
            return Value(kind, (value.parts[0], *(length for known, length in lengths if known is None)))
        if isinstance(value.known, int):
            return number(float(value.known) if kind == FLOAT else int(value.known))
        (operand,) = value.parts
        if kind == WHOLE:
            return Value(WHOLE, (self.op(f"zext i1 {operand} to i64"),))
        how = "uitofp i1" if value.kind == TRUTH else "sitofp i64"
        return Value(FLOAT, (self.op(f"{how} {operand} to double"),))

    def lengths(self, value: Value) -> list[str]:
        """The lengths of an array."""
        if not isinstance(value.kind, Array):
            raise KernelError("a length is asked of something that is not an array")
        unknown = iter(value.parts[1:])
        return [next(unknown) if length is None else str(length) for length in value.kind.shape]

    # memory

    def require_inside(self, index: str, length: str) -> None:
        """End the process where an index is outside, if indices are checked: for finding mistakes in kernels."""
        if not checks_indices():
            return
        good, bad = self.name("inside"), self.name("outside")
        self.branch(Value(TRUTH, (self.op(f"icmp ult i64 {index}, {length}"),)), good, bad)
        self.begin(bad)
        self.do("call void @llvm.trap()")
        self.do("unreachable")
        self.closed = True
        self.begin(good)

    def fetched(self, kind: Kind, place: tuple[str, ...]) -> Value:
        """What lies at a place: a number is loaded; records and arrays are their places."""
        if isinstance(kind, (Record, Array)):
            return Value(kind, place)
        return Value(kind, (self.load(kind.machine[0], place[0]),))

    def member(self, kind_of: Bundle, place: str, name: str) -> Value | None:
        """An array or record of a bundle at a place."""
        at = 0
        for own, kind in kind_of.fields:
            if own == name:
                places = [self.moved(place, "i64", str(at + k)) for k in range(len(kind.machine))]
                parts = zip(kind.machine, places, strict=True)
                return Value(kind, tuple(self.load(machine, place, FIXED) for machine, place in parts))
            at += len(kind.machine)
        return None
