"""What a click does, as a command line and as Python, and the pieces that both are made of."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Action:
    """A command by its words, without the program, and the Python that does the same."""

    words: tuple[str, ...]
    python: str

    @property
    def command(self) -> str:
        """The line to type."""
        return shlex.join(("floatframe", *self.words))


def _left_out(value: object) -> bool:
    return value is None or value is False or value in ("", [])  # the number 0 is a value


def file_word(file: str) -> str:
    """Return a name of a file that no command takes for an option."""
    return f"./{file}" if file.startswith("-") else file


def page_of(file: str) -> str:
    """Return the name of the page that shows a file."""
    return f"{file.rpartition('.')[0] or file}.html"


def options_of(given: Mapping[str, Any]) -> list[str]:
    """Return options that have a value: True for a flag, a list for one that is repeated."""
    words = []
    for option, value in given.items():
        if value is True:
            words.append(option)
        elif isinstance(value, list | tuple):
            words += [word for one in value for word in (option, str(one))]
        elif not _left_out(value):
            words += [option, str(value)]
    return words


def script_of(*lines: str) -> str:
    return "\n".join(["import floatframe as ff", "", *lines])


def arguments_of(**given: Any) -> str:
    """Return arguments of a call, those that are left out not among them."""
    return ", ".join(f"{name}={value!r}" for name, value in given.items() if not _left_out(value))


def parameters_of(values: Sequence[str]) -> str:
    """Return the second argument of `read_model` for NAME=VALUE words."""
    if not values:
        return ""
    pairs = []
    for word in values:
        name, _, value = word.partition("=")
        try:
            pairs.append(f"{name!r}: {float(value)!r}")
        except ValueError:
            pairs.append(f"{name!r}: {value!r}")
    return f", {{{', '.join(pairs)}}}"
