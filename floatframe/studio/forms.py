"""Forms made of the keys of a table: what is asked, what it means, how the answer stands in the file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from floatframe.errors import ModelError
from floatframe.hybrid import Key
from floatframe.tomlfile import Choice, Spot, integer, literal, number, path, text, truth

_UNIT = re.compile(r"\[([^\]]*)\]")
_SYMBOLS = frozenset(
    {"1", "2", "3", "exponent", "m", "kg", "s", "rad", "N", "Pa", "J", "W", "K", "A", "V", "F", "H", "Ohm"}
)
_BY_READER: dict[Callable[[Spot], Any], str] = {
    number: "number",
    integer: "number",
    text: "text",
    truth: "truth",
    path: "file",
}


@dataclass(frozen=True)
class Field:
    """One key of a form. widget: number (or expression), text, truth, choice, file; value for lists and tables."""

    key: str
    meaning: str
    unit: str
    default: str
    required: bool
    widget: str
    choices: tuple[str, ...] = ()
    given: bool = False
    shown: str = ""  # its value as it is edited
    problem: str = ""

    def plain(self) -> dict[str, Any]:
        """Return it as a page takes it."""
        return {**asdict(self), "choices": list(self.choices)}


def field_of(name: str, key: Key, value: Any = None, choices: tuple[str, ...] = ()) -> Field:
    """Return the field of a key with its present value, None if it is not in the file."""
    widget = "choice" if choices or isinstance(key.read, Choice) else _widget(name, key)
    words = choices or (key.read.words if isinstance(key.read, Choice) else ())
    return Field(
        key=name,
        meaning=key.meaning,
        unit=unit_of(key.meaning),
        default=key.default,
        required=key.required,
        widget=widget,
        choices=words,
        given=value is not None,
        shown="" if value is None else shown(value, widget),
    )


def unit_of(meaning: str) -> str:
    """Return the unit that the meaning of a key gives its whole value, "" if it gives none.

    None stands in brackets that are not units, as "[track]", and where there are other values than numbers of one unit:
    a table, as "{ axis, angle [rad] }", a word in quotes, or one number over another.
    """
    found = _UNIT.findall(meaning)
    if len(found) != 1 or "{" in meaning or '"' in meaning:
        return ""
    return found[0] if _SYMBOLS.issuperset(re.findall(r"[A-Za-z]+|\d", found[0])) else ""


def _widget(name: str, key: Key) -> str:
    return "text" if name == "name" else _BY_READER.get(key.read, "value")


def shown(value: Any, widget: str = "value") -> str:
    """Return a value as it is edited: texts without quotation marks where a text is expected, others as in the file."""
    if isinstance(value, str) and widget != "value":
        return value
    return literal(value)


def value_of(words: str, widget: str) -> Any:
    """Return what an answer puts into the file, None for nothing; one that no value can be is refused."""
    words = words.strip()
    if not words:
        return None
    if widget == "truth":
        if words not in ("true", "false"):
            raise ModelError(f"'{words}' is not a truth; write true or false")
        return words == "true"
    if widget in ("text", "choice", "file"):
        return words
    if widget == "number":
        found = _parsed(words)
        return found if isinstance(found, int | float) else words  # an expression
    found = _parsed(words)
    if found is None:
        if words[0] in "[{\"'":
            raise ModelError(
                f"'{words}' is not complete; expected a list [1, 0, 0], a table {{ … }} or a text in quotes"
            )
        return words
    return found


def _parsed(words: str) -> Any:
    """Return the value that words are in TOML, None if they are none or more than one."""
    if "\n" in words:
        return None
    try:
        found = tomllib.loads(f"value = {words}")
    except tomllib.TOMLDecodeError:
        return None
    return found["value"] if set(found) == {"value"} else None
