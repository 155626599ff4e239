"""The errors a user may see. Every message names the thing, what was found, what was expected and the cure."""

from __future__ import annotations

from collections.abc import Sequence

MOST_SHOWN = 20  # of several mistakes


class FloatframeError(Exception):
    """Base of all errors raised on purpose; the command line prints its text as one line."""

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
    """A file cannot be read: it is broken, truncated or of a kind that is not supported."""


class WriteError(FloatframeError):
    """A result cannot be written in the wanted form or place."""


class NotConverged(FloatframeError):
    """An iteration ended without reaching its tolerance."""


class MissingDependency(FloatframeError, ImportError):
    """An optional package or system library is needed; the text holds the line that installs it."""
