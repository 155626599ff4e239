"""The text of an ANSYS input file: a place in it, its commands, and the values of APDL parameters.

Only what a model file needs of APDL is understood: assignments, *SET, *IF … *ENDIF and arithmetic. A parameter that was
never set counts as zero in a condition, as in ANSYS, and is refused where a model needs its value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from floatframe.arrays import AnyArray
from floatframe.errors import ReadError
from floatframe.io.ansys_branches import Branches
from floatframe.io.import_log import ImportLog

_TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[EeDd][+-]?\d+)?|\.\d+(?:[EeDd][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/()]))")
_ASSIGNMENT = re.compile(r"^([A-Za-z_]\w*)\s*=\s*(.*)$")
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "SQRT": math.sqrt,
    "SIN": math.sin,
    "COS": math.cos,
    "TAN": math.tan,
    "ABS": abs,
    "EXP": math.exp,
}
_DEEPEST = 40  # brackets inside brackets
_LARGEST = 2**31 - 1  # numbers of nodes and elements are four-byte integers in ANSYS


@dataclass(frozen=True)
class Command:
    """One command: its name in capitals, its fields without blanks, and the line it stands in."""

    name: str
    fields: tuple[str, ...]
    line: int

    def field(self, index: int) -> str:
        """Return field `index` (0 is the first after the name), empty if it is not there."""
        return self.fields[index] if index < len(self.fields) else ""

    def word(self, index: int) -> str:
        """Return a field in capitals."""
        return self.field(index).upper()


@dataclass
class Text:
    """The bytes of a file and a place in them."""

    path: Path
    data: bytes
    log: ImportLog
    position: int = 0
    line: int = 0  # of the line read last
    parameters: dict[str, float | str] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path, log: ImportLog) -> Text:
        data = path.read_bytes()
        start = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        return cls(path, data, log, start)

    @property
    def bytes_view(self) -> AnyArray:
        return np.frombuffer(self.data, dtype=np.uint8)

    def error(self, sentence: str, line: int | None = None) -> ReadError:
        """Return the error to raise, naming the file and the present or the given line."""
        return self.log.error(sentence, self.line if line is None else line)

    def next_line(self) -> str | None:
        """Return the next line without its end, or None at the end of the file."""
        if self.position >= len(self.data):
            return None
        end = self.data.find(b"\n", self.position)
        end = len(self.data) if end < 0 else end
        raw = self.data[self.position : end]
        self.position = end + 1
        self.line += 1
        # comments may be in any encoding; commands are plain ASCII
        return raw.decode("latin-1").rstrip("\r\n \t\x00")

    def peek_line(self) -> str:
        """Return the next line without moving on; empty at the end of the file."""
        position, line = self.position, self.line
        found = self.next_line()
        self.position, self.line = position, line
        return "" if found is None else found

    def skip_to(self, position: int, lines: int) -> None:
        """Move on past lines that were read by other means."""
        self.position = position
        self.line += lines

    # commands

    def commands(self) -> Iterator[Command]:
        """Yield the commands one by one; blocks are read by whoever handles the command that opens them."""
        branches = Branches(lambda word: self.number(word, unknown=0.0), self.log.warn)
        while (line := self.next_line()) is not None:
            for part in _parts(line):
                fields = [piece.strip() for piece in part.split(",")]
                name = fields[0].split()[0].upper() if fields[0] else ""
                if not branches.take(name, fields[1:]) and branches.active and not self._assigns(part, fields):
                    yield Command(name, tuple(fields[1:]), self.line)

    def _assigns(self, part: str, fields: list[str]) -> bool:
        """Carry out an assignment; return whether the command was one."""
        if fields[0].upper() == "*SET" and len(fields) >= 2:
            name, text = fields[1], fields[2] if len(fields) > 2 else ""
        elif match := _ASSIGNMENT.match(part.strip()):
            name, text = match.groups()
        else:
            # elements of arrays hold tables of loads
            return "=" in part and "(" in fields[0] and not fields[0].startswith(("/", "*"))
        if text.startswith("'"):
            self.parameters[name.upper()] = text.strip("'").strip()
        elif not text:
            self.parameters.pop(name.upper(), None)
        else:
            try:
                self.parameters[name.upper()] = self.number(text)
            except ReadError:
                self.parameters.pop(name.upper(), None)  # refused later, if anything asks for it
        return True

    # values

    def number(self, text: str, unknown: float | None = None) -> float:
        """Return the value of a number, parameter or expression; empty is zero."""
        try:
            value = float(text) if text else 0.0
        except ValueError:
            value = _Expression(self, text, unknown).value()
        if not math.isfinite(value):
            raise self.error(f"'{text}' is not a finite number.")
        return value

    def integer(self, text: str, what: str = "number") -> int:
        """Return a whole number; empty is zero."""
        try:
            value: float = int(text) if text else 0
        except ValueError:
            value = self.number(text)
        if abs(value) > _LARGEST or value != int(value):
            raise self.error(f"the {what} '{text[:30]}' is not a whole number within the range of ANSYS.")
        return int(value)


def _parts(line: str) -> list[str]:
    """Return the commands of a line: comments cut off, parts between $ signs."""
    bare = line
    if "!" in line:
        outside = True
        for place, c in enumerate(line):
            outside ^= c == "'"
            if c == "!" and outside:
                bare = line[:place]
                break
    bare = bare.strip()
    if not bare or bare.startswith(("(", "C***")):
        return []
    if bare[:1] == "/" or "$" not in bare:
        return [bare]
    return [part.strip() for part in bare.split("$") if part.strip()]


class _Expression:
    """Arithmetic on numbers and parameters by descent; ** before * and / before + and -."""

    def __init__(self, text: Text, source: str, unknown: float | None) -> None:
        self.text, self.source, self.unknown = text, source, unknown
        self.tokens: list[str] = []
        self.depth = 0
        place = 0
        while place < len(source.rstrip()):
            match = _TOKEN.match(source, place)
            if match is None:
                raise text.error(f"'{source}' is neither a number nor an expression of numbers and parameters.")
            self.tokens.append(match.group().strip())
            place = match.end()
        self.tokens.reverse()

    def value(self) -> float:
        try:
            result = self._sum()
        except (ZeroDivisionError, OverflowError, ValueError) as error:
            raise self.text.error(f"the expression '{self.source}' has no value: {error}.") from None
        if self.tokens or isinstance(result, complex):
            raise self._broken()
        return result

    def _broken(self) -> ReadError:
        return self.text.error(f"the expression '{self.source}' cannot be understood.")

    def _next(self) -> str:
        return self.tokens[-1] if self.tokens else ""

    def _sum(self) -> float:
        total = self._product()
        while self._next() in ("+", "-"):
            total += self._product() if self.tokens.pop() == "+" else -self._product()
        return total

    def _product(self) -> float:
        total = self._power()
        while self._next() in ("*", "/"):
            total = total * self._power() if self.tokens.pop() == "*" else total / self._power()
        return total

    def _power(self) -> float:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self._broken()
        sign = 1.0
        while self._next() in ("+", "-"):
            sign = -sign if self.tokens.pop() == "-" else sign
        base = self._atom()
        if self._next() == "**":
            self.tokens.pop()
            base = base ** self._power()
        self.depth -= 1
        return sign * base

    def _atom(self) -> float:
        token = self.tokens.pop() if self.tokens else ""
        if token == "(":
            inner = self._sum()
            if not self.tokens or self.tokens.pop() != ")":
                raise self._broken()
            return inner
        if token[:1].isdigit() or token[:1] == ".":
            return float(token.upper().replace("D", "E"))
        if token.upper() in _FUNCTIONS and self._next() == "(":
            return float(_FUNCTIONS[token.upper()](self._atom()))
        value = self.text.parameters.get(token.upper())
        if isinstance(value, float | int):
            return value
        if token and self.unknown is not None and not token.startswith(("*", "/", ")")):
            return self.unknown
        if not token or not (token[0].isalpha() or token[0] == "_"):
            raise self._broken()
        raise self.text.error(
            f"the value of '{token}' is not known here; write the model with CDWRITE, which has plain numbers."
        )
