"""The text of a model or network file while it is edited: its things, forms of them, changes that keep comments."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from floatframe.errors import FloatframeError, ModelError, WriteError
from floatframe.hybrid import TableRule, model_tables, read_model_text
from floatframe.io import complete_file
from floatframe.network import is_network_text, network_of, network_tables
from floatframe.studio.forms import Field, field_of, value_of
from floatframe.studio.texts import sentence
from floatframe.tomlfile import literal, with_table, with_value, without_table, without_value
from floatframe.userfiles import file_text

MOST_STEPS = 100  # that can be undone
BEGUN = """\
# Lengths in m, masses in kg, times in s.
format = "floatframe-model/1"
name = {name}
gravity = [0, 0, -9.81]

[[body]]
name = "body_1"
mass = 1.0
inertia = [0.01, 0.01, 0.01]
"""  # the least that is a machine
_SUBJECTS = {"flexible": "body"}  # what errors call a thing, where its table is called otherwise


@dataclass(frozen=True)
class Mistake:
    """What is wrong, and with which thing and key; both are "" for the file as a whole."""

    text: str
    table: str = ""
    name: str = ""
    key: str = ""
    line: int | None = None


def begin_machine(path: Path) -> None:
    """Write the smallest machine, one body, as a file that is not there yet."""
    if path.exists():
        raise WriteError(f"'{path.name}' is in the folder already; choose another name, or open it")
    with complete_file(path) as temporary:
        temporary.write_text(BEGUN.format(name=literal(path.stem)), encoding="utf-8")


class Document:
    """A model or network file that is edited; nothing is written before `save`."""

    def __init__(self, path: Path, text: str | None = None) -> None:
        self.path = path
        self.text = _text_of(path) if text is None else text
        self._saved = self._found = self.text  # the latter: what the file held when it was looked at last
        self._past: list[str] = []
        self._future: list[str] = []
        self._content = _parsed(self.text)

    @property
    def rules(self) -> dict[str, TableRule]:
        """The tables that a model file may have."""
        return network_tables() if self.network else model_tables()

    @property
    def network(self) -> bool:
        """Whether it is a network, not a machine."""
        return is_network_text(self.text)

    @property
    def changed(self) -> bool:
        """Whether it has changes that are not in the file."""
        return self.text != self._saved

    # what it holds

    def things(self) -> dict[str, list[str]]:
        """Return the names of the things of every table that has some."""
        found = {}
        for table, rule in self.rules.items():
            if rule.many and (things := _tables(self._content.get(table))):
                found[table] = [str(one.get("name", f"{table} {k + 1}")) for k, one in enumerate(things)]
        return found

    def parameters(self) -> dict[str, Any]:
        """Return the numbers and expressions under [parameters]."""
        return self._table("parameters", 0)

    def type_of(self, table: str, index: int) -> str:
        """Return the type of a thing, "" where its table has none."""
        return str(self._table(table, index).get(self.rules[table].typed_by, ""))

    def values(self, table: str, index: int = 0) -> dict[str, Any]:
        """Return the keys of a thing as they stand in the file."""
        return self._table(table, index)

    def fields(self, table: str, index: int = 0) -> list[Field]:
        """Return the form of a thing: every key it may have, and those it has though it may not."""
        rule, given = self.rules[table], self.values(table, index)
        if table == "parameters":
            return []
        keys = rule.keys_of(str(given.get(rule.typed_by, "")))
        found = [
            field_of(name, key, given.get(name), tuple(rule.types) if name == rule.typed_by else ())
            for name, key in keys.items()
        ]
        unknown = [name for name in given if name not in keys]
        return [*found, *(Field(n, "", "", "", False, "value", given=True, shown=str(given[n])) for n in unknown)]

    # changes

    def set(self, table: str, index: int, key: str, words: str) -> None:
        """Give a key the value that was typed; nothing takes it out of the file."""
        rule = self.rules[table]
        keys = rule.keys_of(self.type_of(table, index))
        widget = "number" if table == "parameters" else field_of(key, keys[key]).widget if key in keys else "value"
        value, place = value_of(words, widget), (table, index) if rule.many else (table,)
        if value is not None:
            self._take(with_value(self.text, place, key, value))
        elif key in self._table(table, index):
            self._take(without_value(self.text, place, key))

    def add(self, table: str, kind: str = "", name: str = "") -> int:
        """Add a thing with its name and type; returns its place in the table."""
        rules = list(self.rules)
        taken = {one for names in self.things().values() for one in names}
        name = name or next(n for k in range(1, 10_000) if (n := f"{kind or table}_{k}") not in taken)
        typed = {self.rules[table].typed_by: kind} if self.rules[table].types else {}
        self._take(with_table(self.text, table, {"name": name, **typed}, rules[: rules.index(table)]))
        return len(self._content[table]) - 1

    def remove(self, table: str, index: int) -> None:
        """Take a thing out."""
        self._table(table, index)
        self._take(without_table(self.text, table, index))

    def replace_text(self, text: str) -> None:
        """Take a text that was edited as a whole."""
        self._take(text)

    def undo(self) -> bool:
        """Take the last change back; False if there is none."""
        return self._step(self._past, self._future)

    def redo(self) -> bool:
        """Make the change again that was taken back last."""
        return self._step(self._future, self._past)

    def save(self) -> bool:
        """Write the file, whole or not at all, if it has changes; True when all is in the file.

        What another program has written meanwhile is refused once, and written over when it is saved again.
        """
        if not self.changed:
            return True  # it stays as old as it is
        if self.path.exists() and (found := _text_of(self.path)) != self._found:
            self._found = found
            raise WriteError(
                f"'{self.path.name}' was changed by another program since it was opened here; save again to write over "
                "that, or undo the changes made here and open it again"
            )
        with complete_file(self.path) as temporary:
            text = self.text
            temporary.write_text(text, encoding="utf-8")
        self._saved = self._found = text
        return True

    # what is wrong

    def mistakes(self) -> list[Mistake]:
        """Return what is wrong with the model, by the reader that every command uses."""
        try:
            if self.network:
                network_of(self.text.encode(), self.path).compile()
            else:
                read_model_text(self.text, self.path).model.compile()
        except FloatframeError as error:
            return [self._mistake(one) for one in error.problems]
        return []

    def _mistake(self, error: FloatframeError) -> Mistake:
        line = getattr(error, "line", None)
        words = sentence(str(error)).removeprefix(f"{self.path}:{line}: " if line else f"{self.path}: ")
        about = error.subject
        if about is None:
            return Mistake(words, line=line)
        tables = [t for t, names in self.things().items() if about.name in names and _SUBJECTS.get(t, t) == about.kind]
        key = error.field.partition(".")[0]
        if not tables:
            table = about.kind if about.kind in self.rules else ""
            return Mistake(words, table, about.name, key or about.name, line)
        keys = self.rules[tables[0]].keys_of(self.type_of(tables[0], self.things()[tables[0]].index(about.name)))
        key = key if key in keys else {"a": "place", "b": "against"}.get(key, key)
        return Mistake(words, tables[0], about.name, key, line)

    def _table(self, table: str, index: int) -> dict[str, Any]:
        """Return the content of a table, empty if the file does not have it."""
        content = self._content.get(table)
        if not self.rules[table].many:
            return dict(content) if isinstance(content, dict) else {}
        found = _tables(content)
        if not 0 <= index < len(found):
            raise ModelError(f"the file has no {table} {index + 1}; open it again")
        return dict(found[index])

    def _take(self, text: str) -> None:
        content = _parsed(text)
        if text != self.text:
            self._past = [*self._past, self.text][-MOST_STEPS:]
            self._future.clear()
        self.text, self._content = text, content

    def _step(self, source: list[str], target: list[str]) -> bool:
        if not source:
            return False
        target.append(self.text)
        self.text = source.pop()
        self._content = _parsed(self.text)
        return True


def _text_of(path: Path) -> str:
    return file_text(path, encoding="utf-8-sig")


def _tables(content: Any) -> list[dict[str, Any]]:
    """Return a list of tables; what is none, like `[body]` for `[[body]]`, has no things: the reader says so."""
    sound = isinstance(content, list) and all(isinstance(one, dict) for one in content)
    return content if sound else []


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ModelError(f"the text is not TOML: {error}") from None
    except RecursionError:
        raise ModelError("the text has too many brackets inside each other; write it flatter") from None
