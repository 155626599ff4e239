"""The text of an ANSYS input file: a place in it, its commands, and the values of APDL parameters.

Commands come one by one after loops, branches, macros and included files were followed (`flow`). A parameter that
was never set counts as zero in a condition, as in ANSYS, and is refused where a model needs its value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np

from floatframe.arrays import AnyArray
from floatframe.errors import ReadError
from floatframe.io.ansys.apdl.expressions import Expression
from floatframe.io.import_log import ImportLog
from floatframe.userfiles import file_bytes, is_file

_LARGEST = 2**31 - 1  # numbers of nodes and elements are four-byte integers in ANSYS
_CARD, _SEQUENCE = 72, re.compile(rb"^\s*[A-Za-z]*(\d+)$")  # columns of data, and what may stand behind them
# commands with titles, comments and names of files, where $ is a letter
_OF_TEXT = (
    "/TIT",
    "/STI",
    "/COM",
    "/SYS",
    "/SYP",
    "/TLA",
    "/AXL",
    "/CWD",
    "/INP",
    "/OUT",
    "/DEL",
    "/COP",
    "/REN",
    "/WB,",
)
_ARCHIVED = re.compile(r"R\d+\.\d+$|UNBL")
_SAMPLE = 2000  # lines looked at

Inquiry = Callable[[str, tuple[float, ...]], float | None]


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

    @property
    def archived(self) -> bool:
        """Whether it is the form of archives, marked by a release such as R5.0 or, since 2022, by UNBL."""
        return _ARCHIVED.match(self.word(0)) is not None


@dataclass
class Text:
    """The bytes of a file and a place in them; an included file takes its place until it ends."""

    path: Path
    data: bytes
    log: ImportLog
    position: int = 0
    line: int = 0  # of the line read last
    parameters: dict[str, float | str] = field(default_factory=dict)
    arrays: dict[str, dict[tuple[int, ...], float]] = field(default_factory=dict)
    unanswered: set[str] = field(default_factory=set)  # parameters that a *GET asked for in vain
    degrees: bool = False
    inquire: Inquiry | None = None  # functions of the model such as NX(node)
    callers: list[tuple[Path, bytes, int, int]] = field(default_factory=list)

    @classmethod
    def open(cls, path: Path, log: ImportLog) -> Text:
        return cls(path, _read(path), log)

    @property
    def bytes_view(self) -> AnyArray:
        return np.frombuffer(self.data, dtype=np.uint8)

    def error(self, sentence: str, line: int | None = None) -> ReadError:
        """Return the error to raise, naming the file and the present or the given line."""
        return self.log.error(sentence, self.line if line is None else line, self.path if self.callers else None)

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

    def enter(self, path: Path, data: bytes | None = None) -> None:
        """Go on in another file, or in the text of a macro."""
        self.callers.append((self.path, self.data, self.position, self.line))
        self.path, self.data, self.position, self.line = path, _read(path) if data is None else data, 0, 0

    def leave(self) -> bool:
        """Go back to where a file was included; return whether there was such a place."""
        if not self.callers:
            return False
        self.path, self.data, self.position, self.line = self.callers.pop()
        return True

    # values

    def number(self, text: str, unknown: float | None = None) -> float:
        """Return the value of a number, parameter or expression; empty is zero."""
        try:
            value = float(text) if text else 0.0
        except ValueError:
            value = Expression(self, text, unknown).value()
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

    def element(self, name: str, index: tuple[float, ...]) -> float | None:
        """Return an element of an array, zero where nothing was put; None if there is no such array."""
        if name not in self.arrays:
            return None
        return self.arrays[name].get(place_in_array(index), 0.0)

    def inquiry(self, name: str, values: tuple[float, ...]) -> float | None:
        """Return what a function of the model answers, None if it is not known."""
        return None if self.inquire is None else self.inquire(name, values)


def place_in_array(index: tuple[float, ...]) -> tuple[int, ...]:
    """Return whole subscripts; those that are left out are 1."""
    whole = tuple(int(value) for value in index)
    return (*whole, *(1,) * (3 - len(whole)))


def fields_of(part: str) -> list[str]:
    """Return the fields of a command, its name first; commas in brackets and quotes do not divide."""
    if "(" not in part and "'" not in part:
        return [piece.strip() for piece in part.split(",")]
    fields, depth, quoted, start = [], 0, False, 0
    for place, c in enumerate(part):
        if c == "'":
            quoted = not quoted
        elif quoted:
            continue
        elif c == "(":
            depth += 1
        elif c == ")":
            depth = max(0, depth - 1)
        elif c == "," and not depth:
            fields.append(part[start:place].strip())
            start = place + 1
    return [*fields, part[start:].strip()]


def parts_of(line: str) -> list[str]:
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
    if not bare or bare.startswith(("(", "C***", "c***")):
        return []
    if "$" not in bare or bare[:4].upper() in _OF_TEXT:
        return [bare]
    return [part.strip() for part in bare.split("$") if part.strip()]


def beside(path: Path, name: str, extension: str) -> Path | None:
    """Return a file in the folder of another, whatever the case of its letters."""
    if not name:
        return None
    wanted = {f"{name}.{extension}".lower(), name.lower()} if extension else {name.lower()}
    wanted = {word.replace("\\", "/").rsplit("/", 1)[-1] for word in wanted}
    try:
        beside = sorted(other for other in path.parent.iterdir() if other.name.lower() in wanted)
        return next(filter(is_file, beside), None)
    except OSError:
        return None


def _read(path: Path) -> bytes:
    """Return the bytes of a file without a byte order mark and without sequence numbers in columns 73 to 80."""
    data = file_bytes(path)
    data = data[3:] if data.startswith(b"\xef\xbb\xbf") else data
    return _without_sequence(data)


def _without_sequence(data: bytes) -> bytes:
    """Cut columns 73 to 80 off card images: nearly every line is 80 wide and ends with a number that rises."""
    lines = [line.rstrip(b"\r") for line in data[: 82 * _SAMPLE].split(b"\n")[:_SAMPLE]]
    lines = [line for line in lines if line.strip()]
    if len(lines) < 3 or any(len(line) > _CARD + 8 for line in lines):
        return data
    marks = [_SEQUENCE.match(line[_CARD:]) for line in lines if len(line) == _CARD + 8]
    numbers = [int(mark[1]) for mark in marks if mark is not None]
    rising = all(a < b for a, b in pairwise(numbers))
    if len(numbers) < 0.6 * len(lines) or len(numbers) < len(marks) or not rising:
        return data
    return re.sub(rb"(?m)^([^\r\n]{72})[^\r\n]{1,8}(?=\r?$)", rb"\1", data)
