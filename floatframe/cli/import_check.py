"""`floatframe import-check FOLDER`: which files of an archive can be read, and why others cannot."""

from __future__ import annotations

import csv
import html
import io as streams
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    Drop,
    Json,
    Verbose,
    complain,
    console,
    positive,
    progress,
    show_json,
    table,
    with_suffix,
)

if TYPE_CHECKING:
    from floatframe.io import Checked

EXAMPLES = """
floatframe import-check archive
floatframe import-check archive --jobs 4 --timeout 20 -o archive.html
floatframe import-check archive --json > archive.json
floatframe import-check archive --drop CGAP
"""
_STATES = {"lossy": "with losses", "mesh": "mesh only", "unclaimed": "no known format"}  # as they are shown
_COUNTED = ("read", "lossy", "mesh", "refused", "unclaimed")
_IN_FILES = ("opens with", "warnings")  # columns that are too wide for a terminal
_SHOWN = 100  # characters of a reason in the table of a terminal


def run_command(
    folder: Annotated[
        Path, typer.Argument(exists=True, file_okay=False, help="A folder; its subfolders are included.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", callback=with_suffix(".csv", ".html", ".htm"), help="Write the table to this file."
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=256, help="Files to read in parallel (default: number of cores).")
    ] = None,
    timeout: Annotated[
        float, typer.Option(callback=positive, metavar="SECONDS", help="Time limit per file [s].")
    ] = 60.0,
    drop: Drop = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Read every file of other programs in a folder tree and print which can be read, with losses or not, and why.

    Compressed files (.gz) are unpacked for the check, which other commands do not do; files that others include are
    named, not read alone. Warnings, such as doubtful units, are in full in the file of -o and in JSON. Ctrl-C shows
    what is done so far. The exit code is 0 when the check ran, whatever it found.
    """
    from floatframe import io

    entries: list[Checked] = []
    interrupted = False
    with progress(f"reading {folder}") as show_progress:
        files, included = io.files_to_check(folder)
        entries += [io.Checked(path, "included", why=f"{other.name} includes it") for path, other in included.items()]
        total = len(files) + len(entries)
        show_progress(len(entries), total)
        try:
            for entry in io.check_files(files, min(jobs or os.cpu_count() or 1, max(total, 1)), timeout, drop or ()):
                entries.append(entry)
                show_progress(len(entries), total, entry.file.name)
        except KeyboardInterrupt:
            interrupted = True
    entries.sort(key=lambda entry: entry.file)
    rows = _rows(entries, folder)
    if output is not None:
        text = _page(rows, entries) if output.suffix.lower() != ".csv" else _csv(rows)
        with io.complete_file(output) as temporary:
            temporary.write_text(text, encoding="utf-8")
    if as_json:
        content = {"files": [entry.describe() for entry in entries], **_summary(entries), "interrupted": interrupted}
        show_json("floatframe-import-check/1", content)
    else:
        _show(rows, entries, total)
    if interrupted:
        complain(f"{len(entries)} of {total} files were read")
        raise KeyboardInterrupt


def _rows(entries: list[Checked], folder: Path) -> list[dict[str, str]]:
    return [
        {
            "file": str(entry.file.relative_to(folder)),
            "format": entry.format,
            "state": _STATES.get(entry.state, entry.state),
            "elements": _count(entry.elements),
            "nodes": _count(entry.nodes),
            "dofs": _count(entry.dofs),
            "s": f"{entry.seconds:.2f}",
            "why": entry.why,
            "opens with": f"--drop {entry.drop}" if entry.drop else "",
            "warnings": " ".join(entry.warnings),
        }
        for entry in entries
    ]


def _count(value: int | None) -> str:
    return "" if value is None else str(value)


def _summary(entries: list[Checked]) -> dict[str, Any]:
    from floatframe import io

    states = {state: sum(entry.state == state for entry in entries) for state in _COUNTED}
    reasons = io.refusal_reasons(entries).most_common()
    return {"states": states, "reasons": [{"reason": reason, "file_count": count} for reason, count in reasons]}


def _show(rows: list[dict[str, str]], entries: list[Checked], total: int) -> None:
    out = console()
    if not rows and not total:
        out.print("no file here has a known format", markup=False)
    if not rows:
        return
    shown = [
        {**row, "why": row["why"] if len(row["why"]) <= _SHOWN else row["why"][: _SHOWN - 1] + "…"} for row in rows
    ]
    out.print(table("files", {name: [row[name] for row in shown] for name in rows[0] if name not in _IN_FILES}))
    summary = _summary(entries)
    out.print()
    out.print(_counts(summary), markup=False)
    if warned := sum(bool(entry.warnings) for entry in entries):
        out.print(f"files with warnings: {warned}; info or -o table.html shows them", markup=False)
    for row in summary["reasons"]:
        out.print(f"{row['file_count']:6d}  {row['reason']}", markup=False, soft_wrap=True)
    for entry in entries:
        if entry.drop:
            out.print(f"opens with: {entry.file} --drop {entry.drop}", markup=False, soft_wrap=True)


def _counts(summary: dict[str, Any]) -> str:
    return ", ".join(f"{_STATES.get(state, state)} {count}" for state, count in summary["states"].items())


def _csv(rows: list[dict[str, str]]) -> str:
    text = streams.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["file"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _page(rows: list[dict[str, str]], entries: list[Checked]) -> str:
    summary = _summary(entries)
    why = "\n".join(
        f"<tr><td>{row['file_count']}</td><td>{html.escape(row['reason'])}</td></tr>" for row in summary["reasons"]
    )
    reasons = f"<table><tr><th>files</th><th>why not, or only with losses</th></tr>\n{why}\n</table>\n" if why else ""
    headings = list(rows[0]) if rows else ["file"]
    head = "".join(f"<th>{html.escape(name)}</th>" for name in headings)
    body = "\n".join(
        f'<tr class="{row["state"].split()[0]}">'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in row.values())
        + "</tr>"
        for row in rows
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>Import check</title>\n'
        "<style>body{font:14px sans-serif}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:2px 6px;"
        "text-align:left;vertical-align:top}.refused td{background:#fdd}.with td{background:#ffd}"
        "table{margin-bottom:1em}</style>\n"
        f"<h1>Import check</h1>\n<p>{html.escape(_counts(summary))}</p>\n{reasons}"
        f"<table><tr>{head}</tr>\n{body}\n</table></html>\n"
    )
