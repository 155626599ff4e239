"""All that is wrong with a model in one go; what only follows from something found already is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from floatframe.errors import FloatframeError, ModelErrors

ANY = "?"  # among lost names: something whose name is not known


class Mistakes:
    """Collects errors; things that could not be made are lost, and errors that miss a lost thing are left out."""

    def __init__(self, lost: Iterable[str] = ()) -> None:
        self.found: list[FloatframeError] = []
        self.lost = set(lost)

    @contextmanager
    def of(self, *names: str) -> Iterator[None]:
        """Collect an error of a block that makes the things of these names."""
        try:
            yield
        except FloatframeError as error:
            self.add(error, *names)

    def add(self, error: FloatframeError, *names: str) -> None:
        """Take in an error, and the names of the things that are lost by it."""
        self.found += [problem for problem in error.problems if not self._follows(problem)]
        self.lost.update(names)

    def complete(self) -> None:
        """Raise what was found, if anything; something lost without an error is one of another collection."""
        if self.found:
            raise self.found[0] if len(self.found) == 1 else ModelErrors(self.found)

    def _follows(self, error: FloatframeError) -> bool:
        return bool(error.missing) and (ANY in self.lost or bool(_ways(error.missing) & self.lost))


def _ways(name: str) -> set[str]:
    """Return a path, all paths above it, and its words: front, front.wheel and wheel of front.wheel.

    What a part has lost is known by its name inside the part.
    """
    words = name.split(".")
    return {*words, *(".".join(words[:count]) for count in range(1, len(words) + 1))}
