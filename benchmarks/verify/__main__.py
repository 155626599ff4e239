"""Run all published problems and print target, ours and error: `python -m benchmarks.verify [NAME ...]`."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
import time
from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.markup import escape
from rich.table import Table

import benchmarks.verify
from benchmarks.verify.rows import Row


def module_names() -> list[str]:
    """Return the modules of this folder that hold problems."""
    names = (module.name for module in pkgutil.iter_modules(benchmarks.verify.__path__))
    return [name for name in names if not name.startswith("_") and name != "rows"]


def rows(wanted: Iterable[str]) -> Iterator[Row]:
    """Yield the rows of the modules named by the words; words that name no module pick problems; no words: all."""
    words = [word.lower() for word in wanted]
    named = [name for name in module_names() if any(word in name.lower() for word in words)]
    for name in named or module_names():
        module = importlib.import_module(f"benchmarks.verify.{name}")
        if not hasattr(module, "problems"):
            continue
        for row in module.problems():
            if named or not words or any(word in row.problem.lower() for word in words):
                yield row


def show(found: list[Row], console: Console) -> None:
    """Print the table, the name of a problem only where it changes, and below it why rows are not judged."""
    reasons = list(dict.fromkeys(row.why_not_judged for row in found if not row.judged))
    table = Table(title="verification")
    for heading in ("problem", "quantity", "mesh"):
        table.add_column(heading, overflow="fold")
    for heading in ("target", "ours", "error", "tolerance"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("ok", no_wrap=True)
    previous = ""
    for row in found:
        if row.problem != previous and previous:
            table.add_section()
        tight = row.target == 0 or (row.tolerance is not None and row.tolerance < 1e-5)
        error = f"{row.error:+.1e}" if tight else f"{100 * row.error:+.3f} %"
        bound = "" if row.tolerance is None else f"{row.tolerance:.0e}" if tight else f"{100 * row.tolerance:.3g} %"
        table.add_row(
            escape(row.problem) if row.problem != previous else "",
            escape(row.quantity),
            escape(row.mesh),
            f"{row.target:.6g}",
            f"{row.ours:.6g}",
            error,
            bound,
            _verdict(row, reasons),
        )
        previous = row.problem
    console.print(table)
    for k, reason in enumerate(reasons, 1):
        console.print(f"– ({k}) not judged: {reason}", markup=False, highlight=False)


def _verdict(row: Row, reasons: list[str]) -> str:
    """Return yes, no, or the number of the reason why the row is not judged."""
    if not row.judged:
        return f"– ({reasons.index(row.why_not_judged) + 1})"
    return "[green]yes[/]" if row.ok else "[bold red]NO[/]"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verify", description=__doc__)
    parser.add_argument("name", nargs="*", help="only the modules, or else the problems, whose name contains this")
    parser.add_argument("--list", action="store_true", help="print the names of the modules")
    arguments = parser.parse_args(argv)
    if arguments.list:
        sys.stdout.write("\n".join(module_names()) + "\n")
        return 0
    # in a pipe there is no width to respect: let no number be folded
    console = Console(width=None if sys.stdout.isatty() else 160)
    start = time.perf_counter()
    found = list(rows(arguments.name))
    if not found:
        sys.stderr.write(f"no problem matches {' '.join(arguments.name)!r}; modules: {', '.join(module_names())}\n")
        return 2
    show(found, console)
    judged = [row for row in found if row.judged]
    bad = [row for row in judged if not row.ok]
    problems = len({row.problem for row in found})
    console.print(
        f"{len(judged) - len(bad)} of {len(judged)} numbers within tolerance, "
        f"{len(found) - len(judged)} shown for comparison only, {problems} problems, "
        f"{time.perf_counter() - start:.1f} s",
        highlight=False,
    )
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
