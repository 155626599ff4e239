"""Where in a TOML text every table, key and list entry stands; `tomllib` does not report it.

The text is known to be valid, so that a short scan is enough: it steps over strings, lists and inline tables, and
follows the headers [a.b] and [[a.b]] to the same paths that the parsed content has.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from typing import NamedTuple, TypeAlias

TomlPath: TypeAlias = tuple[str | int, ...]  # ("joint", 0, "place", "body")

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
# three quotation marks may follow on up to two that belong to the text
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?""""{0,2}' r"|'''.*?''''{0,2}" r'|"(?:\\.|[^"\\])*"' r"|'[^']*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}\n#]+")


def toml_lines(text: str) -> dict[TomlPath, int]:
    """Return the line, from 1, of every path in a valid TOML text."""
    return _Scan(text).lines


class Span(NamedTuple):
    """Where a key and its value stand: the key from `start`, the value from `value` to `end`."""

    start: int
    value: int
    end: int


class Places(NamedTuple):
    """Where pairs key = value and headers [table] begin, in the order of the text."""

    pairs: dict[TomlPath, Span]
    headers: list[tuple[TomlPath, int]]


def toml_places(text: str) -> Places:
    """Return where the pairs and headers of a valid TOML text stand."""
    scan = _Scan(text)
    return Places(scan.pairs, scan.headers)


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.breaks = [found.start() for found in re.finditer("\n", text)]
        self.lines: dict[TomlPath, int] = {}
        self.counts: dict[TomlPath, int] = {}  # tables so far in each [[list]]
        self.pairs: dict[TomlPath, Span] = {}
        self.headers: list[tuple[TomlPath, int]] = []
        table: TomlPath = ()
        while self.skip_blank():
            if text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)

    def skip_blank(self) -> bool:
        """Step over white space and comments; False at the end of the text."""
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.at < len(self.text)

    def take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        word = found[0] if found else self.text[self.at]
        self.at += len(word)
        return word

    def note(self, path: TomlPath) -> None:
        """Remember where a path, and the tables it implies, are first named."""
        line = bisect_right(self.breaks, self.at - 1) + 1
        for length in range(len(path), 0, -1):
            self.lines.setdefault(path[:length], line)

    def header(self) -> TomlPath:
        """Read [a.b] or [[a.b]] and return the path of the table it opens."""
        double, start = self.text.startswith("[[", self.at), self.at
        self.at += 1 + double
        keys = self.keys()
        path: TomlPath = ()
        for depth, key in enumerate(keys):
            path += (key,)
            if double and depth == len(keys) - 1:
                self.counts[path] = self.counts.get(path, 0) + 1
            if path in self.counts:
                path += (self.counts[path] - 1,)
        self.note(path)
        self.headers.append((path, start))
        self.at += 1 + double
        return path

    def keys(self) -> TomlPath:
        """Read a dotted key."""
        keys: list[str] = []
        while True:
            self.skip_blank()
            quoted = self.text[self.at] in "\"'"
            word = self.take(_STRING if quoted else _BARE_KEY)
            keys.append(tomllib.loads(f"k = {word}")["k"] if quoted else word)
            self.skip_blank()
            if self.text[self.at] != ".":
                return tuple(keys)
            self.at += 1

    def pair(self, table: TomlPath) -> None:
        """Read key = value."""
        start = self.at
        path = table + self.keys()
        self.at, end = start, self.at
        self.note(path)
        self.at = end + 1
        self.skip_blank()
        value = self.at
        self.value(path)
        self.pairs[path] = Span(start, value, value + len(self.text[value : self.at].rstrip()))

    def value(self, path: TomlPath) -> None:
        self.skip_blank()
        first = self.text[self.at]
        if first in "\"'":
            self.take(_STRING)
        elif first == "[":
            self.at += 1
            entry = 0
            while not self.closed("]"):
                self.note((*path, entry))
                self.value((*path, entry))
                entry += 1
        elif first == "{":
            self.at += 1
            while not self.closed("}"):
                self.pair(path)
        else:
            self.take(_SCALAR)

    def closed(self, bracket: str) -> bool:
        """Step over blanks and a comma, and over the closing bracket if it is next."""
        self.skip_blank()
        if self.text[self.at] == ",":
            self.at += 1
            self.skip_blank()
        closed = self.text[self.at] == bracket
        self.at += closed
        return closed
