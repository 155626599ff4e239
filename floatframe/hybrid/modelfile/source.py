"""The text of a model file, and the spots in it that mistakes are reported at."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from floatframe.errors import FloatframeError, ModelError, ReadError, several
from floatframe.hybrid.expressions import Table
from floatframe.hybrid.modelfile.lines import TomlPath, toml_lines

_INSTANCE = re.compile(r"'(?:\w+\.)+(\w+)'")  # a name with the path of an instance before it
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
# what usually is behind a complaint of the TOML parser
_HINTS = {
    "Invalid value": "; texts and expressions stand in quotation marks",
    "Expected newline": "; one key on a line, numbers with a decimal point",
    "Cannot overwrite": "; the same key or table stands here twice",
    "Cannot declare": "; a table stands once, unless every one is opened by double brackets as in [[body]]",
}


class ModelFileError(ModelError):
    """A mistake in a model file; `path` and `line` say where."""

    def __init__(self, path: Path, line: int | None, text: str) -> None:
        super().__init__(f"{path}:{line}: {text}" if line else f"{path}: {text}")
        self.path = path
        self.line = line


class ModelFileErrors(ModelFileError):
    """Several mistakes in a model file and its parts, by lines, see `problems`; `path` and `line` are of the first."""

    def __init__(self, problems: Sequence[FloatframeError]) -> None:
        FloatframeError.__init__(self, several(problems))
        self.path, self.line = place_of(problems[0])
        self._problems = tuple(problems)

    @property
    def problems(self) -> tuple[FloatframeError, ...]:
        return self._problems


def place_of(error: FloatframeError) -> tuple[Path, int | None]:
    """Return file and line of an error; one that could not read a file has them in its text only."""
    if isinstance(error, ModelFileError):
        return error.path, error.line
    found = re.match(r"(.*?)(?::(\d+))?: ", str(error))
    return (Path(found[1]), int(found[2]) if found[2] else None) if found else (Path(), None)


def gathered(problems: Sequence[FloatframeError], first: Path | None = None) -> FloatframeError:
    """Return one error for all problems, by files and lines, those of the file `first` at the top.

    What is wrong in a part is said once, however many instances it has.
    """
    known: dict[tuple[Any, ...], FloatframeError] = {}
    for problem in (one for error in problems for one in error.problems):
        known.setdefault((*place_of(problem), _INSTANCE.sub(r"'\1'", str(problem))), problem)

    def order(problem: FloatframeError) -> tuple[bool, str, int]:
        path, line = place_of(problem)
        return path != first, str(path), line or 0

    found = sorted(known.values(), key=order)
    return found[0] if len(found) == 1 else ModelFileErrors(found)


@dataclass(frozen=True, eq=False)
class Source:
    """A TOML file: its text and parsed content, and the line of every path in it."""

    path: Path
    text: str
    sha256: str  # of the bytes in the file
    content: Mapping[str, Any]
    lines: Mapping[TomlPath, int]
    files: Mapping[str, Path] = field(default_factory=dict)  # those it names that are not beside it

    def line(self, path: TomlPath) -> int | None:
        """Return the line of a path or of the nearest table around it."""
        while path:
            if path in self.lines:
                return self.lines[path]
            path = path[:-1]
        return None

    @property
    def root(self) -> Spot:
        """The whole file."""
        return Spot(self, (), self.content)


@dataclass(frozen=True, eq=False)
class Spot:
    """A table, key or entry of a file: its value and how to speak about it."""

    source: Source
    path: TomlPath
    value: Any
    label: str = ""  # opens messages: joint 'A'
    tables: Mapping[str, Table] = field(default_factory=dict)  # those that can be named here

    @property
    def line(self) -> int | None:
        return self.source.line(self.path)

    @property
    def key(self) -> str:
        """The name of the key, or of the list that the value is an entry of."""
        return next((str(part) for part in reversed(self.path) if isinstance(part, str)), "")

    def inside(self, key: str | int) -> Spot:
        """Return what is under a key or at a place of the list."""
        return Spot(self.source, (*self.path, key), self.value[key], self.label, self.tables)

    def entries(self) -> list[Spot]:
        """Return the entries of a list."""
        return [self.inside(number) for number in range(len(self.value))]

    def error(self, text: str) -> ModelFileError:
        """Return the error that says so about this spot."""
        return ModelFileError(self.source.path, self.line, f"{self.label}: {text}" if self.label else text)

    def wrong(self, expected: str) -> ModelFileError:
        """Return the error about a value of the wrong type."""
        return self.error(f"{self.key} is {shown(self.value)}, expected {expected}")

    def leaves(self) -> Iterator[Spot]:
        """Yield this spot and everything inside, outermost first."""
        yield self
        if isinstance(self.value, dict):
            for key in self.value:
                yield from self.inside(key).leaves()
        elif isinstance(self.value, list):
            for entry in self.entries():
                yield from entry.leaves()


def shown(value: Any) -> str:
    """Return a value as it would stand in a file, shortened."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def read_source(path: str | Path) -> Source:
    """Read and parse a TOML file."""
    path = Path(path)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise ReadError(f"{path}: there is no such file") from None
    except OSError as error:
        raise ReadError(f"{path}: cannot be read: {error.strerror or error}") from None
    return parsed_source(path, raw)


def parsed_source(path: Path, raw: bytes) -> Source:
    """Parse TOML that stands in a file, or did when it was stored elsewhere; files it names are beside `path`."""
    # line breaks as tomllib sees them
    text = _decoded(path, raw).replace("\r\n", "\n")
    try:
        content = tomllib.loads(text)
        lines = toml_lines(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(path, text, str(error)) from None
    except RecursionError:
        raise ReadError(f"{path}: its lists or tables are nested too deeply") from None
    return Source(path, text, hashlib.sha256(raw).hexdigest(), content, lines)


def _decoded(path: Path, raw: bytes) -> str:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ReadError(f"{path}: is UTF-16 text, expected UTF-8; save it as UTF-8")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if b"\0" in raw:
            raise ReadError(f"{path}: is no text file, expected a model file in TOML") from None
        line = raw.count(b"\n", 0, error.start) + 1
        raise ReadError(
            f"{path}:{line}: found the byte 0x{raw[error.start]:02x}, which is no UTF-8; "
            "the file is in another encoding (Windows-1251, Latin-1 …): save it as UTF-8"
        ) from None


def _syntax_error(path: Path, text: str, complaint: str) -> ReadError:
    """Return the complaint of the TOML parser with its line and a caret below the place."""
    place = _TOML_PLACE.search(complaint)
    problem = complaint[: place.start()] if place else complaint
    hint = next((hint for start, hint in _HINTS.items() if problem.startswith(start)), "")
    rows = text.split("\n")
    line = int(place[1]) if place and place[1] else len(rows) - (rows[-1] == "" and len(rows) > 1)
    column = int(place[2]) if place and place[2] else len(rows[line - 1]) + 1
    # a complaint about the end of a line may name the first column of the next
    start = max(0, column - 61)
    row = rows[line - 1].replace("\t", " ")[start : start + 100]
    return ReadError(
        f"{path}:{line}: no valid TOML: {problem} (column {column}){hint}\n    {row}\n    {' ' * (column - 1 - start)}^"
    )


# finding the spot a message is about

_SUBJECT = re.compile(r"^[\w ]*'([^']+)'(?:, (\w+))?")
# names in messages that stand under other keys in a file
_KEYS = {
    "axis": ("axis", "axis_b", "normal"),
    "limit": ("force",),
    **dict.fromkeys(("fx", "fy", "fz"), ("force",)),
    **dict.fromkeys(("tx", "ty", "tz"), ("torque",)),
    "step": ("steps",),
    "factor": ("factor", "ratio", "radius"),
}


def subject(message: str) -> str:
    """Return the name that a message opens with: front.axle of "joint 'front.axle', axis: found …"."""
    found = _SUBJECT.match(message)
    return found[1] if found else ""


def narrowed(spot: Spot, message: str) -> Spot:
    """Return the spot inside an element that a message about it means, the element itself if that is not clear."""
    found = _SUBJECT.match(message)
    word = found[2] if found else None
    inner = list(spot.leaves())[1:]
    for key in _KEYS.get(word, (word,)) if word else ():
        for leaf in inner:
            if leaf.path[-1] == key:
                return leaf
    # the wrong word comes last among those that a message quotes
    for quoted in reversed(re.findall(r"'([^']+)'", message)[1:]):
        for leaf in inner:
            if quoted in (leaf.value, leaf.path[-1]) and leaf.path[-1] != "name":
                return leaf
    return spot


def located(spot: Spot, error: FloatframeError) -> FloatframeError:
    """Return an error of an element with its file and line; one that has them already stays as it is."""
    if len(error.problems) > 1:
        return gathered([located(spot, problem) for problem in error.problems], spot.source.path)
    if isinstance(error, ModelFileError):
        return error
    place = narrowed(spot, str(error))
    found = ModelFileError(place.source.path, place.line, str(error))
    return ReadError(str(found)) if isinstance(error, ReadError) else found
