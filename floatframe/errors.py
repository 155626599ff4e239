"""The errors a user may see. Every message names the thing, what was found, what was expected and the cure.

What an error is about does not have to be read from its sentence: it carries the thing (`subject`) and the argument or
key of it (`field`). Sentences can be reworded freely; the line of a model file follows from subject and field.

where = Where.of("joint", "A")
raise where.key("axis").error("found an axis of length zero, expected a direction such as (0, 0, 1)")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MOST_SHOWN = 20  # of several mistakes


@dataclass(frozen=True)
class Subject:
    """The thing that an error is about.

    kind: body, joint, force, stage, subsystem (an instance of one), parameter, table, model, record or simulate;
    name: that of the thing, as a path if it is inside a subsystem: front.wheel.
    """

    kind: str
    name: str = ""

    @property
    def own_name(self) -> str:
        """The name without the path of the subsystem: wheel of front.wheel."""
        return self.name.rpartition(".")[2]


class FloatframeError(Exception):
    """Base of all errors raised on purpose; the command line prints its text as one line."""

    def __init__(self, *text: object, subject: Subject | None = None, field: str = "", missing: str = "") -> None:
        super().__init__(*text)
        self._about = (subject, field, missing)

    @property
    def subject(self) -> Subject | None:
        """The thing that the error is about, if it is one of a model."""
        return self._about[0]

    @property
    def field(self) -> str:
        """The argument of the thing as Python names it, with dots inside another: axis, a.node, terms.0.joint."""
        return self._about[1]

    @property
    def missing(self) -> str:
        """The name that was looked for and is not there."""
        return self._about[2]

    @property
    def problems(self) -> tuple[FloatframeError, ...]:
        """The mistakes that were found, one error each; more than one where several are reported together."""
        return (self,)


class ModelError(FloatframeError):
    """A model, or a request about it, makes no sense (wrong name, impossible value, missing property)."""


class TooManyModes(ModelError):
    """More modes were asked for than a structure has; `there` are so many."""

    def __init__(self, text: str, there: int) -> None:
        super().__init__(text)
        self.there = there


class ModelErrors(ModelError):
    """Several mistakes of one model, see `problems`; the text has the first of them, one in a line."""

    def __init__(self, problems: Sequence[FloatframeError]) -> None:
        super().__init__(several(problems))
        self._problems = tuple(problems)

    @property
    def problems(self) -> tuple[FloatframeError, ...]:
        return self._problems


def several(problems: Sequence[FloatframeError]) -> str:
    """Return the texts of mistakes, one in a line; of many the first, and how many more there are."""
    return "\n".join(shown_problems(problems))


def shown_problems(problems: Sequence[FloatframeError]) -> list[str]:
    """Return the texts of mistakes that are shown, and how many more there are."""
    left = len(problems) - MOST_SHOWN
    more = [f"and {left} more mistake{'s' if left > 1 else ''}"] if left > 0 else []
    return [str(problem) for problem in problems[:MOST_SHOWN]] + more


class ReadError(FloatframeError):
    """A file cannot be read: it is broken, truncated or of a kind that is not supported.

    `path` and `line` say where, if they are known apart from the text.
    """

    def __init__(
        self,
        *text: object,
        subject: Subject | None = None,
        field: str = "",
        missing: str = "",
        path: Path | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(*text, subject=subject, field=field, missing=missing)
        self._place = (path, line)

    @property
    def path(self) -> Path | None:
        """The file."""
        return self._place[0]

    @property
    def line(self) -> int | None:
        """The line in it, from 1."""
        return self._place[1]


class WriteError(FloatframeError):
    """A result cannot be written in the wanted form or place."""


class NotConverged(FloatframeError):
    """An iteration ended without reaching its tolerance."""


class MissingDependency(FloatframeError, ImportError):
    """An optional package or system library is needed; the text holds the line that installs it."""


@dataclass(frozen=True)
class Where:
    """What is being checked: a thing, a field of it, and the words that open the messages about it."""

    words: str = ""  # joint 'A', axis
    subject: Subject | None = None
    field: str = ""

    @classmethod
    def of(cls, kind: str, name: str, called: str = "") -> Where:
        """Return the place of a thing; `called`: what messages say for its kind, such as joint_torque for a force."""
        return cls(f"{called or kind} '{name}'", Subject(kind, name))

    def __str__(self) -> str:
        return self.words

    def key(self, field: str, called: str = "") -> Where:
        """Return the place of a field, which the words name too."""
        return Where(f"{self.words}, {called or field}", self.subject, self._inside(field))

    def at(self, field: str | int) -> Where:
        """Return the place of a field; the words stay as they are."""
        return Where(self.words, self.subject, self._inside(field))

    def _inside(self, field: str | int) -> str:
        return f"{self.field}.{field}" if self.field else str(field)

    def error(self, text: str, *, missing: str = "", after: str = ": ") -> ModelError:
        """Return the error that says so; `missing`: a name that was looked for; `after`: between words and text."""
        whole = f"{self.words}{after}{text}" if self.words else text
        return ModelError(whole, subject=self.subject, field=self.field, missing=missing)
