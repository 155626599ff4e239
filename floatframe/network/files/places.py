"""Where things of a network stand in its file, so that errors have their lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from floatframe.errors import FloatframeError, Subject
from floatframe.tomlfile import ModelFileError, gathered

# the line of a field of a thing
Line = Callable[[str], int | None]


@dataclass
class Places:
    """Lines of things, by kind and name, and the mistakes found so far."""

    path: Path
    lines: dict[tuple[str, str], Line] = field(default_factory=dict)
    mistakes: list[FloatframeError] = field(default_factory=list)
    starts: set[tuple[str, str]] = field(default_factory=set)  # of nodes: XN or VN, and the node

    def located(self, error: FloatframeError) -> FloatframeError:
        """Return an error with file and line; one that has them stays."""
        if isinstance(error, ModelFileError):
            return error
        subject = error.subject or Subject("model")
        line_of = self.lines.get((subject.kind, subject.name))
        line = None if line_of is None else line_of(error.field)
        return ModelFileError(
            self.path, line, str(error), subject=error.subject, field=error.field, missing=error.missing
        )

    def raise_mistakes(self) -> None:
        """Raise all mistakes in one go, if there are any."""
        if self.mistakes:
            raise gathered([self.located(error) for error in self.mistakes], self.path)
