"""All that is wrong with a model in one go; what only follows from something found already is left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from floatframe.errors import FloatframeError, ModelErrors

ANY = "?"  # among lost names: something whose name is not known
_NAME = re.compile(r"'([A-Za-z_]\w*(?:\.\w+)*)'")
_UNKNOWN = re.compile(r"there is no |unknown (name|parameter|table)|is not in the model|has nothing named")


class Mistakes:
    """Collects errors; things that could not be made are lost, and errors that name a lost thing are left out."""

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
        self.found += [problem for problem in error.problems if not self._follows(str(problem))]
        self.lost.update(names)

    def complete(self) -> None:
        """Raise what was found, if anything; something lost without an error is one of another collection."""
        if self.found:
            raise self.found[0] if len(self.found) == 1 else ModelErrors(self.found)

    def _follows(self, message: str) -> bool:
        if ANY in self.lost and _UNKNOWN.search(message):
            return True
        # the first name is that of the thing which complains
        return any(_ways(name) & self.lost for name in _NAME.findall(message)[1:])


def _ways(name: str) -> set[str]:
    """Return a path and all paths above it: front, front.wheel of front.wheel."""
    words = name.split(".")
    return {".".join(words[:count]) for count in range(1, len(words) + 1)}
