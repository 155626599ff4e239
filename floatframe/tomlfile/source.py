"""The text of a model file, and the spots in it that mistakes are reported at."""

from __future__ import annotations

import hashlib
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from floatframe.errors import FloatframeError, ModelError, ReadError, Subject, several
from floatframe.expressions import Table
from floatframe.tomlfile.lines import TomlPath, toml_lines
from floatframe.userfiles import file_bytes, require_regular

_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_OURS = "floatframe-"  # in the format that all our files state
_DEEPEST = 64  # parts of a key, for each of which the parser looks at all before it
_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*"""
_DEEP_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*(?:{_PART}\.[ \t]*){{{_DEEPEST}}}", re.MULTILINE)
_MANY_DIGITS = re.compile(r"[0-9A-Fa-f_]{250}")  # the largest number of 64 bits has 309
_STATED = re.compile(r"""\ufeff?\s*format\s*=\s*["']([^"']*)["']""")
# what usually is behind a complaint of the TOML parser
_HINTS = {
    "Invalid value": "; write texts and expressions in quotation marks",
    "Expected newline": "; one key on a line, numbers with a decimal point",
    "Cannot overwrite": "; the same key or table appears twice",
    "Cannot declare": "; a table may appear once only, unless each is opened by double brackets as in [[body]]",
}


class ModelFileError(ModelError):
    """A mistake in a model file; `path` and `line` say where, `field` is a key of the thing that it is about."""

    def __init__(
        self,
        path: Path,
        line: int | None,
        text: str,
        *,
        subject: Subject | None = None,
        field: str = "",
        missing: str = "",
    ) -> None:
        whole = f"{path}:{line}: {text}" if line else f"{path}: {text}"
        super().__init__(whole, subject=subject, field=field, missing=missing)
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
    """Return file and line of an error."""
    if isinstance(error, ModelFileError | ReadError):
        return error.path or Path(), error.line
    return Path(), None


def gathered(problems: Sequence[FloatframeError], first: Path | None = None) -> FloatframeError:
    """Return one error for all problems, by files and lines, those of the file `first` at the top.

    What is wrong in a part is said once, however many instances it has.
    """
    known: dict[tuple[Any, ...], FloatframeError] = {}
    for problem in (one for error in problems for one in error.problems):
        about = problem.subject
        thing = (about.kind, about.own_name, problem.field, problem.missing) if about else (str(problem),)
        known.setdefault((*place_of(problem), *thing), problem)

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
        return Spot(self, (), self.content, subject=Subject("model"))


@dataclass(frozen=True, eq=False)
class Spot:
    """A table, key or entry of a file: its value and how to speak about it."""

    source: Source
    path: TomlPath
    value: Any
    label: str = ""  # opens messages: joint 'A'
    tables: Mapping[str, Table] = field(default_factory=dict)  # those that can be named here
    subject: Subject | None = None  # the thing it belongs to
    depth: int = 0  # length of the path of that thing

    @property
    def line(self) -> int | None:
        return self.source.line(self.path)

    @property
    def key(self) -> str:
        """The name of the key, or of the list that the value is an entry of."""
        return next((str(part) for part in reversed(self.path) if isinstance(part, str)), "")

    def inside(self, key: str | int) -> Spot:
        """Return what is under a key or at a place of the list."""
        return replace(self, path=(*self.path, key), value=self.value[key])

    def of(self, kind: str, name: str, label: str = "") -> Spot:
        """Return the same spot as that of a thing of its own; label: opens messages about it."""
        return replace(self, subject=Subject(kind, name), depth=len(self.path), label=label)

    @property
    def field(self) -> str:
        """The keys that lead from the thing to this spot."""
        return ".".join(map(str, self.path[self.depth :]))

    @property
    def thing(self) -> Spot:
        """The thing that this spot belongs to."""
        value: Any = self.source.content
        for key in self.path[: self.depth]:
            value = value[key]
        return replace(self, path=self.path[: self.depth], value=value)

    def entries(self) -> list[Spot]:
        """Return the entries of a list."""
        return [self.inside(number) for number in range(len(self.value))]

    def error(self, text: str, key: str = "", missing: str = "") -> ModelFileError:
        """Return the error that says so about this spot; key: one that is not there; missing: a name that is not."""
        return ModelFileError(
            self.source.path,
            self.line,
            f"{self.label}: {text}" if self.label else text,
            subject=self.subject,
            field=".".join(filter(None, (self.field, key))),
            missing=missing,
        )

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
        raw = file_bytes(path)
    except FileNotFoundError:
        raise ReadError(f"{path}: the file does not exist", path=path) from None
    except OSError as error:
        raise ReadError(f"{path}: cannot be read: {error.strerror or error}", path=path) from None
    return parsed_source(path, raw)


def stated_format(path: str | Path) -> str:
    """Return the format that a TOML file states before its first table, without reading it as a whole; "" for none."""
    try:
        require_regular(Path(path))
        with open(path, encoding="utf-8", errors="replace") as file:
            return format_in(file)
    except OSError:
        return ""


def format_in(lines: Iterable[str]) -> str:
    """Return the format that lines of TOML state before their first table; "" for none."""
    for line in lines:
        if found := _STATED.match(line):
            return found[1]
        if line.lstrip().startswith("["):
            break
    return ""


def parsed_source(path: Path, raw: bytes) -> Source:
    """Parse TOML that stands in a file, or did when it was stored elsewhere; files it names are beside `path`."""
    # line breaks as tomllib sees them
    text = _decoded(path, raw).replace("\r\n", "\n")
    if deep := _DEEP_KEY.search(text):
        line = text.count("\n", 0, deep.start() + 1) + 1
        raise ReadError(f"{path}:{line}: a key has more than {_DEEPEST} parts; use shorter keys", path=path, line=line)
    try:
        content = tomllib.loads(text)
        lines = toml_lines(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(path, text, str(error)) from None
    except ValueError:  # of a whole number with more digits than Python takes
        raise ReadError(f"{path}: it has a number of thousands of digits; write it as 1.2e3", path=path) from None
    except RecursionError:
        raise ReadError(f"{path}: its lists or tables are nested too deeply", path=path) from None
    source = Source(path, text, hashlib.sha256(raw).hexdigest(), content, lines)
    if _MANY_DIGITS.search(text):
        _require_range(source)
    return source


def _require_range(source: Source) -> None:
    """Refuse whole numbers for which there are no floating ones."""
    for spot in source.root.leaves():
        if isinstance(spot.value, int) and abs(spot.value) > sys.float_info.max:
            raise spot.error(f"{spot.key} is a number of more than 300 digits, expected a smaller one")


def _decoded(path: Path, raw: bytes) -> str:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ReadError(f"{path}: is UTF-16 text, expected UTF-8; save it as UTF-8", path=path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if b"\0" in raw:
            raise ReadError(f"{path}: is not a text file, expected a model file in TOML", path=path) from None
        line = raw.count(b"\n", 0, error.start) + 1
        raise ReadError(
            f"{path}:{line}: found the byte 0x{raw[error.start]:02x}, which is not UTF-8; "
            "the file is in another encoding (Windows-1251, Latin-1 …): save it as UTF-8",
            path=path,
            line=line,
        ) from None


def files_in(content: Any) -> Iterator[str]:
    """Yield the names that stand under "file" anywhere in the content of a text."""
    if isinstance(content, dict):
        for key, value in content.items():
            if key == "file" and isinstance(value, str):
                yield value
            yield from files_in(value)
    elif isinstance(content, list):
        for value in content:
            yield from files_in(value)


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
    caret = " " * (column - 1 - start) + "^"
    # a model of somebody else may name any file of the user, whose text is not shown
    shown = f"\n    {row}\n    {caret}" if _OURS in text else ""
    return ReadError(
        f"{path}:{line}: invalid TOML: {problem} (column {column}){hint}{shown}",
        path=path,
        line=line,
    )
