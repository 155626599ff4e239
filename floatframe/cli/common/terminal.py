"""What the commands say and how: results on stdout, progress and errors on stderr, colours only on a terminal."""

from __future__ import annotations

import json
import math
import os
import re
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common.outputs import output
from floatframe.wording import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from floatframe.errors import FloatframeError


INTERRUPTED = 130  # exit code of Ctrl-C
WIDEST_NAME = 60  # letters of the first column of a table that are kept on one line
LONGEST_LINE = 2000  # letters of one line about a mistake; names in files may be longer


@dataclass
class Settings:
    verbose: bool = False
    complained: bool = False  # whether something was said to be wrong


settings = Settings()


def _set_verbose(wanted: bool) -> bool:
    # the option may stand before or after the command
    settings.verbose |= wanted
    return wanted


Verbose = Annotated[bool, typer.Option("--verbose", "-v", callback=_set_verbose, help="Show details and tracebacks.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object; keys: docs/reference/json.md.")]


def complain(sentence: str, error: BaseException | None = None) -> None:
    """Print one line on stderr, after the traceback when details are wanted; lines indented by four blanks stay below.

    Those show a piece of the user's text with a caret under the mistake.
    """
    settings.complained = True
    if error is not None and settings.verbose:
        traceback.print_exception(error)
    first, *shown = sentence.split("\n    ")
    lines = [f"floatframe: {' '.join(first.split())}", *map(str.rstrip, shown)]
    sys.stderr.write("\n    ".join(printable(_shortened(line)) for line in lines) + "\n")


def _shortened(line: str) -> str:
    half = LONGEST_LINE // 2
    return line if len(line) <= LONGEST_LINE else f"{line[:half]} … {line[-half:]}"


def problem_list(error: FloatframeError) -> dict[str, Any]:
    """Return what is wrong as JSON can hold it: for each mistake file and line, if known, and what it is about."""
    found = []
    for problem in error.problems:
        file, line = getattr(problem, "path", None), getattr(problem, "line", None)
        text = str(problem).removeprefix(f"{file}:{line}: " if line else f"{file}: ")
        about = problem.subject and {"kind": problem.subject.kind, "name": problem.subject.name}
        found.append(
            {
                "file": None if file is None else str(file),
                "line": line,
                "subject": about,
                "field": problem.field or None,
                "text": text,
            }
        )
    return {"problems": found}


def console() -> Console:
    """Return the console of stdout; in a pipe lines are as wide as they need to be. Control characters are shown."""
    from rich.console import Console

    class Plain(Console):
        def print(self, *objects: Any, **options: Any) -> None:
            super().print(*(printable(one) if isinstance(one, str) else one for one in objects), **options)

    return Plain(highlight=False, width=None if sys.stdout.isatty() else 120)


def show_json(format: str, content: Mapping[str, Any]) -> None:
    """Print one JSON object, its format and version first; NaN and infinity become null, which JSON lacks.

    format: "floatframe-modes/1"; the number grows when a key of that command goes or changes its meaning. Keys are
    documented in docs/reference/json.md.
    """
    escaped = (sys.stdout.encoding or "utf-8").lower().replace("-", "") != "utf8"
    text = json.dumps(_finite({"format": format, **content}), indent=2, allow_nan=False, ensure_ascii=escaped)
    # what turns the direction of writing, or cannot be seen, is escaped like the control characters
    typer.echo(re.sub("[^\n -~]", lambda sign: sign[0] if sign[0].isprintable() else json.dumps(sign[0])[1:-1], text))


def _finite(content: Any) -> Any:
    if isinstance(content, Mapping):
        return {key: _finite(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_finite(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content


def table(title: str, columns: Mapping[str, Sequence[str]]) -> Table:
    """Return a table of columns; those whose cells begin like numbers are aligned right.

    The first column, which names things, is as wide as they are; the others are broken into lines where it is narrow.
    """
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape  # units in brackets are not markup
    from rich.table import Table

    def text(words: str) -> str:
        return escape(printable(words))

    result = Table(title=text(title), title_justify="left", box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading, cells in columns.items():
        numeric = all(cell.lstrip("+-")[:1].isdigit() for cell in cells if cell.strip("-"))
        width = None if result.columns else min(max(map(len, cells), default=0), WIDEST_NAME)
        result.add_column(text(heading), justify="right" if numeric else "left", overflow="fold", min_width=width)
    for row in zip(*columns.values(), strict=True):
        result.add_row(*map(text, row))
    return result


@contextmanager
def progress(what: str) -> Iterator[Any]:
    """Show a bar on stderr while something is computed; nothing in a pipe. Yields a function (done, wanted, text).

    With FLOATFRAME_PROGRESS=lines a program that runs the command reads lines of JSON instead: [done, wanted, text].
    """
    if os.environ.get("FLOATFRAME_PROGRESS") == "lines":
        yield _line_writer(what)
        return
    if not sys.stderr.isatty():
        yield lambda done, wanted, text=what: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, wanted, text=what: bar.update(task, completed=done, total=wanted, description=text)


def shows_progress() -> bool:
    """Whether somebody sees how far a command is."""
    return sys.stderr.isatty() or os.environ.get("FLOATFRAME_PROGRESS") == "lines"


def _line_writer(what: str) -> Callable[..., None]:
    """Return what writes progress as lines, ten a second at most."""
    last = [0.0]

    def write(done: float, wanted: float | None, text: str = what) -> None:
        now = time.monotonic()
        if now - last[0] >= 0.1:
            last[0] = now
            sys.stderr.write(f"\x1eprogress {json.dumps([done, wanted, text])}\n")
            sys.stderr.flush()

    write(0.0, None)
    return write


def with_suffix(*allowed: str, marks: tuple[str, ...] = ()) -> Callable[[Path | None], Path | None]:
    """Refuse a file to be written before anything is computed: a wrong name, or a place that takes no file.

    marks: the HDF5 formats that the command writes; a file of another one is replaced with --force only.
    """

    def check(path: Path | None) -> Path | None:
        if path is None:
            return None
        if allowed and path.suffix.lower() not in allowed:
            raise typer.BadParameter(f"'{path.name}' must end in {' or '.join(allowed)}")
        if path.is_dir():
            raise typer.BadParameter(f"'{path}' is a folder; name a file in it")
        if not path.parent.is_dir():
            raise typer.BadParameter(
                f"'{path}' cannot be written: folder '{path.parent}' does not exist; create it first"
            )
        if not os.access(path.parent, os.W_OK):
            raise typer.BadParameter(f"'{path}' cannot be written: no write permission for folder '{path.parent}'")
        return path

    return output(check, *marks)


def positive(value: float | None) -> float | None:
    """Refuse zero, negative and infinite numbers."""
    if value is not None and not 0.0 < value < math.inf:
        raise typer.BadParameter(f"{value:g} must be {'positive' if value <= 0.0 else 'finite'}")
    return value


def finite(value: float | None) -> float | None:
    """Refuse infinite numbers and nan."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value:g} must be finite")
    return value


@contextmanager
def asked(option: str = "") -> Iterator[None]:
    """What the library says against a name or number from the command line is wrong use of it.

    Mistakes in a file that is named there are not.
    """
    from floatframe.errors import ModelError

    try:
        yield
    except ModelError as error:
        if getattr(error, "path", None) is not None:
            raise
        raise typer.BadParameter(f"{option}: {error}" if option else str(error)) from error
