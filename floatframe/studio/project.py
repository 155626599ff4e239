"""The folder that Studio works in: its files, what they hold, whether they are up to date."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from floatframe.errors import ModelError, ReadError
from floatframe.studio.origins import Origin, origin_of, text_sum

MOST_FILES = 2000
MOST_LEVELS = 6
STUDIED = ("machine", "network")
_PICTURES = (".png", ".svg", ".gif", ".mp4", ".webm")
_TEXTS = (".csv", ".txt", ".md", ".py", ".pdf", ".html")


@dataclass(frozen=True)
class Entry:
    """A file of the project: its path from the folder on, what it holds, its state, its size."""

    name: str  # with "/" between folders
    kind: str  # model, body, machine, run, sweep, network, modes, track, picture, page, other
    state: str  # "current", "older", "missing", "incomplete", or "" for what is made of nothing else
    because: str  # what it is older than, or what is missing
    size: int  # bytes
    changed: float  # seconds since 1970
    made_of: str = ""  # the file of the folder that it was computed from, "" where that is not known
    depth: int = 0  # how many files it was made of one after another

    @property
    def folder(self) -> str:
        """The folder that it lies in, "" at the top."""
        return self.name.rpartition("/")[0]


class Project:
    """A folder and the files in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        if not self.folder.is_dir():
            raise ReadError(f"folder '{folder}' does not exist; create it first")
        self._known: dict[tuple[str, int, int], Origin] = {}
        self._sums: dict[tuple[str, int, int], frozenset[str]] = {}

    def inside(self, name: str) -> Path:
        """Return the path of a file in the folder; a name that leads out of it is refused."""
        if not name or "\0" in name:
            raise ModelError("a file must have a name")
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder) or path == self.folder:
            raise ModelError(f"'{name}' is not in the project folder; Studio reads and writes files in it only")
        return path

    def name_of(self, path: Path) -> str:
        """Return the name of a file in the folder."""
        return path.relative_to(self.folder).as_posix()

    def new_name(self, name: str, suffix: str) -> str:
        """Return a name that no file of the folder has yet, made of another: beam.h5 → beam-2.h5."""
        stem, number = name, 1
        while self.inside(f"{name}{suffix}").exists():
            number += 1
            name = f"{stem}-{number}"
        return f"{name}{suffix}"

    def entries(self) -> list[Entry]:
        """Return what is in the folder as a tree: by folders and names, behind each file what was made of it."""
        origins, found = dict(self._origins()), []
        for path, origin in origins.items():
            with suppress(FileNotFoundError):  # deleted meanwhile
                found.append(self._entry(path, origin, origins))
        return list(_tree(found))

    def of_kind(self, *kinds: str) -> list[str]:
        """Return the names of the files of some kinds."""
        return [self.name_of(path) for path, origin in self._origins() if origin.kind in kinds]

    def source(self, name: str) -> str:
        """Return the name of the file that a body was reduced from, "" if it is not in the folder."""
        path, origins = self.inside(name), dict(self._origins())
        found = self._sources(path, self._origin(path), origins)
        return self.name_of(found[0]) if found else ""

    def kind(self, name: str) -> str:
        """Return what a file holds."""
        path = self.inside(name)
        if not path.is_file():
            raise ReadError(f"file '{name}' does not exist in the project; look again")
        return self._origin(path).kind

    def _paths(self) -> Iterator[Path]:
        """Yield files whose names do not begin with a dot; links that lead out of the folder are left out."""
        found = 0
        for folder, folders, files in os.walk(self.folder):
            depth = len(Path(folder).relative_to(self.folder).parts)
            folders[:] = sorted(f for f in folders if not f.startswith((".", "__")) and depth < MOST_LEVELS)
            for file in sorted(files):
                path = Path(folder) / file
                if file.startswith(".") or not path.is_file() or not path.resolve().is_relative_to(self.folder):
                    continue
                found += 1
                if found > MOST_FILES:
                    return
                yield path

    def _origins(self) -> Iterator[tuple[Path, Origin]]:
        for path in self._paths():
            with suppress(FileNotFoundError):  # deleted meanwhile
                yield path, self._origin(path)

    def _stamp(self, path: Path) -> tuple[str, int, int]:
        status = path.stat()
        return str(path), status.st_mtime_ns, status.st_size

    def _origin(self, path: Path) -> Origin:
        stamp = self._stamp(path)
        if stamp not in self._known:
            self._known[stamp] = _by_suffix(path) or origin_of(path)
        return self._known[stamp]

    def _holds(self, path: Path, content: str) -> bool:
        """Whether this is the SHA-256 of a file; of a model file also that of its text with other line breaks."""
        stamp = self._stamp(path)
        if stamp not in self._sums:
            with path.open("rb") as file:
                found = {hashlib.file_digest(file, "sha256").hexdigest()}
            if self._origin(path).kind in STUDIED:
                found.add(text_sum(path.read_text(encoding="utf-8", errors="replace")))
            self._sums[stamp] = frozenset(found)
        return content in self._sums[stamp]

    def _entry(self, path: Path, origin: Origin, origins: dict[Path, Origin]) -> Entry:
        status = path.stat()
        sources = self._sources(path, origin, origins)
        sums = dict(origin.used)
        used = [(one.parent / name, sums.get(name, "")) for one in sources for name in sums or origins[one].uses]

        def changed(one: Path, content: str) -> bool:  # a copy of a file is as good as the file
            return not self._holds(one, content) if content else one.stat().st_mtime > status.st_mtime

        made = [(one, origin.source_sum) for one in sources]
        newer = [one.name for one, content in [*made, *used] if one.is_file() and changed(one, content)]
        missing = [one.name for one, _ in used if not one.is_file()]
        unbroken = "incomplete" if origin.incomplete else "current" if sources else ""
        state = "older" if newer else "missing" if missing else unbroken
        made_of = self.name_of(sources[0]) if sources else ""
        because = next(iter(newer or missing), "")
        return Entry(self.name_of(path), origin.kind, state, because, status.st_size, status.st_mtime, made_of)

    def _sources(self, path: Path, origin: Origin, origins: dict[Path, Origin]) -> list[Path]:
        """Return the files that something was made of: the one that it names, else those with the same content.

        Runs that do not say are of the models with their name. What is beside them goes before what is elsewhere.
        """
        studied = origin.kind in ("run", "sweep")
        possible = [one for one, other in origins.items() if not studied or other.kind in STUDIED]
        named = Path(os.path.normpath(path.parent / origin.source))
        if origin.source and named in possible:
            return [named]
        if not studied:  # decks are large: only those of the name are read
            possible = [one for one in possible if one.name == origin.source]
        found = [one for one in possible if origin.source_sum and self._holds(one, origin.source_sum)]
        # sweeps keep the name of their file, not its folder
        if not found and (origin.kind == "sweep" or (studied and not origin.source)):
            found = [one for one in possible if origins[one].name == origin.name]
        return [one for one in found if one.parent == path.parent] or found


def _tree(entries: list[Entry]) -> Iterator[Entry]:
    """Yield entries by folders and names, each with what was made of it behind it and one level deeper."""
    made: dict[str, list[Entry]] = {}
    names = {entry.name for entry in entries}
    for entry in sorted(entries, key=lambda one: (one.folder, one.name)):
        made.setdefault(entry.made_of if entry.made_of in names - {entry.name} else "", []).append(entry)

    def below(name: str, depth: int) -> Iterator[Entry]:
        for entry in made.pop(name, []):
            yield replace(entry, depth=depth)
            yield from below(entry.name, depth + 1)

    yield from below("", 0)
    while made:  # what was made of each other in a circle
        yield from below(next(iter(made)), 0)


def _by_suffix(path: Path) -> Origin | None:
    suffix = path.suffix.lower()
    if suffix in _PICTURES:
        return Origin("picture")
    if suffix in _TEXTS:
        return Origin("page" if suffix == ".html" else "other")
    return None
