"""Reading every file of a folder tree that a reader may claim, and an account of each: the archive before the decision.

for entry in ff.io.check_imports("archive"):
    print(entry.file, entry.state, entry.why)

Files are read in worker processes, so that one that hangs, crashes or wants all memory costs only itself.
"""

from __future__ import annotations

import gzip
import multiprocessing
import os
import re
import shutil
import signal
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Literal

from floatframe.errors import FloatframeError
from floatframe.fem import FEModel, MatrixModel
from floatframe.io.deck import beside
from floatframe.io.format import PathLike
from floatframe.io.meshes import NAME as MESH, read_mesh
from floatframe.io.registry import format_of, formats, read_with_report

State = Literal["read", "lossy", "mesh", "included", "unclaimed", "refused"]
_LARGEST_UNPACKED = 1 << 31  # bytes of a compressed file
_LEAST_MEMORY = 4 << 30  # bytes of addresses that libraries take without using them
_LOOK = 1 << 26  # bytes in which an included file may be named
_INCLUDES = re.compile(
    rb"^\s*\*INCLUDE\s*,\s*INPUT\s*=\s*([^\r\n,]+)|^\s*INCLUDE\s+['\"]?([^'\"\r\n]+)|^\s*/INP\w*\s*,\s*([^\r\n!]+)"
    rb"|^\s*\*USE\s*,\s*([^\r\n!,]+)",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True)
class Checked:
    """The account of one file.

    state: "read"; "lossy": it reads with the option in `drop`; "mesh": it needs a side-car with properties; "included":
    another file includes it; "unclaimed": its content is of no known format; "refused".
    why: the reason in words; warnings: what the reading warns of, such as doubtful units; seconds: how long it took.
    """

    file: Path
    state: State
    format: str = ""
    elements: int | None = None
    nodes: int | None = None
    dofs: int | None = None
    why: str = ""
    drop: str = ""
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0

    def describe(self) -> dict[str, Any]:
        """Return the entry as plain data, the keys of `--json` (docs/reference/json.md)."""
        return {
            "file": str(self.file),
            "state": self.state,
            "format": self.format or None,
            "element_count": self.elements,
            "node_count": self.nodes,
            "dof_count": self.dofs,
            "reason": self.why or None,
            "drop": self.drop or None,
            "warnings": list(self.warnings),
            "reading_time_s": self.seconds,
        }


def check_imports(
    folder: PathLike,
    jobs: int = 1,
    timeout: float = 60.0,
    drop: Iterable[str] = (),
    memory: float | None = None,
) -> Iterator[Checked]:
    """Yield the account of every file of a folder tree as it is done.

    jobs: worker processes; timeout: seconds for one file; drop: what to leave out, as in `read`; memory: bytes a worker
    may use (its share of what the machine has, if not given; without effect where the system has no such limit).
    """
    files, included = files_to_check(Path(folder))
    for path, other in included.items():
        yield Checked(path, "included", why=f"{other.name} includes it")
    yield from check_files(files, jobs, timeout, drop, memory)


def check_files(
    files: Sequence[Path], jobs: int, timeout: float, drop: Iterable[str] = (), memory: float | None = None
) -> Iterator[Checked]:
    """Yield the account of each of these files as it is done; see `check_imports`."""
    waiting = list(reversed(files))
    team: list[_Worker] = []
    share = int(memory or max(_memory() / max(jobs, 1), _LEAST_MEMORY))
    try:
        while waiting or any(worker.file for worker in team):
            while waiting and len(team) < max(jobs, 1):
                team.append(_Worker(tuple(drop), share))
            due = [worker.begun + timeout for worker in team if worker.file]
            ready = wait([worker.connection for worker in team], max(0.0, min(due) - time.monotonic()) if due else None)
            for worker in list(team):
                answer = worker.answer(worker.connection in ready, timeout)
                if isinstance(answer, Checked):
                    yield answer
                if worker.gone:
                    team.remove(worker)
                elif worker.idle and waiting:
                    worker.give(waiting.pop())
    finally:
        for worker in team:
            worker.stop()


def files_to_check(folder: Path) -> tuple[list[Path], dict[Path, Path]]:
    """Return the files that a reader of another program's format may claim, and those that others include."""
    suffixes = {suffix for format in formats() if format.load is not None for suffix in format.suffixes}
    found = []
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            bare = name.lower().removesuffix(".gz")
            path = Path(root, name)
            # pipes and the like would wait for ever
            if any(bare.endswith(suffix) for suffix in suffixes) and not name.startswith(".") and path.is_file():
                found.append(path)
    included: dict[Path, Path] = {}
    known = {path.resolve(): path for path in found}
    for path in found:
        for named in _included(path):
            place = known.get((path.parent / named).resolve())
            if place is not None and place != path:
                included.setdefault(place, path)
    return [path for path in found if path not in included], included


def _included(path: Path) -> Iterator[str]:
    """Yield the names of files that a deck includes."""
    if path.suffix.lower() not in (".inp", ".dat", ".bdf", ".nas", ".cdb", ".ans", ".mac", ".pch"):
        return
    try:
        with path.open("rb") as file:
            text = file.read(_LOOK)
    except OSError:
        return
    for match in _INCLUDES.finditer(text):
        words = next(filter(None, match.groups())).decode("utf-8", errors="replace").strip().replace("\\", "/")
        name = words.strip("'\" ")
        parts = [part.strip(" '\"") for part in name.split(",")] if match[3] else [name]
        with suppress(ValueError):
            yield parts[0]
            if match[4]:
                yield f"{name}.mac"
            if len(parts) > 1 and parts[1]:
                yield f"{parts[0]}.{parts[1]}"


def check_file(path: Path, drop: Iterable[str] = ()) -> Checked:
    """Read one file in this process and return the account of it."""
    begun = time.perf_counter()
    found: dict[str, Any] = {"state": "unclaimed"}
    try:
        with tempfile.TemporaryDirectory() as folder:
            plain = _unpacked(path, Path(folder)) if path.name.lower().endswith(".gz") else path
            found |= {"format": format_of(plain).name, "state": "refused"}
            found |= _read(plain, found["format"], drop)
    except FloatframeError as error:
        found["why"] = _reason(str(error), path)
    except MemoryError:
        found["why"] = "it needs more memory than there is"
    except OSError as error:
        found["why"] = f"it cannot be opened: {error.strerror or error}"
    except Exception as error:  # a mistake of ours must not end the check
        found["why"] = f"a bug in Floatframe, please report it: {type(error).__name__}: {error}"
    return Checked(path, seconds=time.perf_counter() - begun, **found)


def _read(path: Path, format: str, drop: Iterable[str]) -> dict[str, Any]:
    """Return the entries of the account of a file that can be read."""
    if format == MESH and not beside(path).is_file():
        mesh = read_mesh(path)
        top = max(cells.dimension for cells in mesh.cells)
        count = sum(len(cells.nodes) for cells in mesh.cells if cells.dimension == top)
        why = f"a mesh; `floatframe info {path.name} --template` writes a file for its properties"
        return {"state": "mesh", "elements": count, "nodes": len(mesh.points), "why": why}
    imported = read_with_report(path, drop=drop, refuse=False)
    model, report = imported.model, imported.report
    found: dict[str, Any] = {"state": "read", "warnings": tuple(report.warnings)}
    if isinstance(model, FEModel | MatrixModel):
        found |= {"nodes": model.nnode, "dofs": model.ndof}
    if isinstance(model, FEModel):
        found["elements"] = model.nelement
    if report.refused:
        found["state"] = "lossy"
        found["why"] = "; ".join(map(str, report.refused))
        found["drop"] = ",".join(dict.fromkeys(entry.key for entry in report.refused))
    elif report.lost:
        found["why"] = "left out: " + ", ".join(dict.fromkeys(entry.card for entry in report.lost))
    return found


def _unpacked(path: Path, folder: Path) -> Path:
    target = folder / path.name[: -len(".gz")]
    try:
        with gzip.open(path, "rb") as packed, target.open("wb") as file:
            left = _LARGEST_UNPACKED
            while piece := packed.read(1 << 20):
                left -= len(piece)
                if left < 0:
                    raise OSError(f"it has more than {_LARGEST_UNPACKED >> 30} GiB unpacked; unpack it yourself")
                file.write(piece)
    except (EOFError, OSError, zlib.error) as error:
        raise OSError(f"it cannot be unpacked ({error})") from error
    side_car = beside(path.with_suffix(""))
    if side_car.is_file():
        shutil.copy(side_car, folder)
    return target


def _reason(text: str, path: Path) -> str:
    """Return an error without the name of the file, which stands beside it."""
    name = re.escape(path.name.removesuffix(".gz"))
    return re.sub(rf"^'[^']*{name}'[,:]? ?", "", text) or text


def refusal_reasons(entries: Iterable[Checked]) -> Counter[str]:
    """Return how often files were refused for which reason; lines, names and numbers do not make another one."""
    plain: Counter[str] = Counter()
    for entry in entries:
        if entry.state in ("refused", "lossy"):
            text = re.sub(r"^line \d+: ", "", entry.why.split(". ")[0])
            text = re.sub(r" \([^)]*\)", "", text.removeprefix("it holds what cannot be read: "))
            text = re.sub(r"'[^']*'", "'…'", text)
            plain[re.sub(r"\b\d+\b", "…", text)[:160]] += 1
    return plain


# workers


class _Worker:
    """A process that reads one file after the other."""

    def __init__(self, drop: tuple[str, ...], memory: int) -> None:
        self.file: Path | None = None  # the one it is at
        self.begun = 0.0
        self.idle = self.gone = False
        context = multiprocessing.get_context("spawn")  # a fork would copy threads of BLAS in the middle of their work
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, drop, memory), daemon=True)
        self._process.start()
        theirs.close()

    def give(self, path: Path) -> None:
        self.file, self.begun, self.idle = path, time.monotonic(), False
        with suppress(OSError):  # it has died; the answer will say so
            self.connection.send(path)

    def answer(self, ready: bool, timeout: float) -> Checked | None:
        """Return what it has found, or how it ended; None if there is nothing yet."""
        seconds = time.monotonic() - self.begun
        if not ready:
            if self.file is None or seconds < timeout:
                return None
            why = f"it was not read within {timeout:g} s; --timeout allows more"
        else:
            try:
                message = self.connection.recv()
                self.idle, self.file = True, None
                return message if isinstance(message, Checked) else None
            except (EOFError, OSError):
                self._process.join()
                why = f"reading it ended the process (code {self._process.exitcode}); too little memory?"
        ended = None if self.file is None else Checked(self.file, "refused", why=why, seconds=seconds)
        self.stop()
        return ended

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self.gone, self.file = True, None
        self.connection.close()
        self._process.kill()
        self._process.join()


def _serve(connection: Connection, drop: tuple[str, ...], memory: int) -> None:
    """Read the files that come through a connection until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process stops the others
    with suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (memory if hard == resource.RLIM_INFINITY else min(memory, hard), hard))
    connection.send("ready")
    while True:
        try:
            path = connection.recv()
        except (EOFError, OSError):
            return
        connection.send(check_file(path, drop))


def _memory() -> float:
    """Return the bytes of memory of the machine, or a guess."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return float(8 << 30)
