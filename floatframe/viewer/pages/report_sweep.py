"""The report of a sweep: how it went, maps and curves of its columns, all numbers, what failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from floatframe.io import FAILED, SweepResult, grid_points
from floatframe.viewer.pages.report_page import Page, Section, drawn
from floatframe.viewer.plots import plot_sweep, plot_sweep_frequencies, plot_sweep_map

MOST_PLOTS = 16
MOST_ROWS = 1000
SLICES = 6  # maps of one column, where more than two parameters vary

Figure = tuple[str, str]  # caption, data address


def sweep_page(
    result: SweepResult,
    name: str,
    file: str,
    columns: Sequence[str] = (),
    report: Callable[[int, int], None] | None = None,
) -> Page:
    """Return the report of a sweep; columns: those to draw, all by default; report: (pictures done, wanted)."""
    page = Page(name, f"sweep, {file}")
    _summary(page.section("Summary"), result)
    _failures(page.section("Failures"), result, file)
    if result.samples:
        page.section("Statistics of the samples").table("", [one.row() for one in result.statistics()])
    _pictures(page, result, columns, report)
    _extremes(page.section("Minimum and maximum values"), result)
    table = page.section("All points")
    rows = [
        row | ({"status": FAILED} if state == FAILED else {})  # the reasons stand above
        for row, state in zip(result.rows(MOST_ROWS), result.states, strict=False)
    ]
    table.table("", rows)
    _note_the_rest(table, len(result.states), "points", file)
    page.section("Model").text("the model file", result.model)
    return page


def _summary(section: Section, result: SweepResult) -> None:
    section.note(result.status, "bad" if result.nfailed else "warning" if result.nwaiting else "good")
    seconds = result.seconds[np.isfinite(result.seconds)]
    section.lines(
        {
            "study": result.study,
            "points": len(result.states),
            **{f"{name} varies": _values(values) for name, values in result.parameters.items()},
            "computing time of all points [s]": float(seconds.sum()),
            "shortest and longest point [s]": [float(seconds.min()), float(seconds.max())] if len(seconds) else [],
        }
    )
    settings = {key: value for key, value in result.settings.items() if key not in ("study", "system")}
    section.lines({key.replace("_", " "): value for key, value in settings.items()})
    warned = Counter(
        piece.removeprefix("warning: ")
        for sentence in result.sentences
        for piece in sentence.split("; ")
        if piece.startswith("warning: ")
    )
    for sentence, count in warned.items():
        section.note(f"{sentence} (at {count} points)", "warning")


def _failures(section: Section, result: SweepResult, file: str) -> None:
    section.table("", [{**point, "status": sentence} for point, sentence in result.failures[:MOST_ROWS]])
    _note_the_rest(section, result.nfailed, "failed points", file)


def _note_the_rest(section: Section, count: int, what: str, file: str) -> None:
    if count > MOST_ROWS:
        section.note(f"{MOST_ROWS} of {count} {what} are shown; `floatframe plot {file} --csv table.csv` writes all.")


def _pictures(
    page: Page, result: SweepResult, columns: Sequence[str], report: Callable[[int, int], None] | None
) -> None:
    """Frequencies of a linear study over its parameters, maps and curves of the columns."""
    if not result.ok.any():
        return
    varying = [name for name, values in result.parameters.items() if len(values) > 1]
    if result.study == "linear" and not columns and len(varying) < 2:
        linear = page.section("Natural frequencies")
        if varying:
            linear.figures([("frequencies", drawn(lambda path: plot_sweep_frequencies(result, path)))], wide=True)
            damping = [column.name for column in result.columns if column.name.startswith("damping.")]
            linear.figures([("damping ratios", drawn(lambda path: plot_sweep(result, damping, path)))], wide=True)
        return
    section = page.section("Maps" if len(varying) > 1 else "Curves")
    names = list(columns) or [column.name for column in result.columns if np.isfinite(result[column.name]).any()]
    for done, column in enumerate(names[:MOST_PLOTS], start=1):
        section.figures(_drawn_column(result, column, varying), wide=True)
        if report is not None:
            report(done, min(len(names), MOST_PLOTS))
    if len(names) > MOST_PLOTS:
        section.note(f"{MOST_PLOTS} of {len(names)} columns are drawn; choose others with --channel.")


def _drawn_column(result: SweepResult, column: str, varying: Sequence[str]) -> Iterator[Figure]:
    """A curve, a map, or some maps over the last two parameters at values of the others."""
    if len(varying) < 2:
        yield column, drawn(lambda path: plot_sweep(result, [column], path))
        return
    others = {name: result.parameters[name] for name in varying[:-2]}
    slices = grid_points(others)
    for fixed in slices[:SLICES]:
        part = result.where(fixed)
        where = ", ".join(f"{name} = {result.word(name, value)}" for name, value in fixed.items())
        if np.isfinite(part[column]).any():
            more = f" (one of {len(slices)} such maps)" if len(slices) > SLICES else ""
            caption = " at ".join(filter(None, (column, where))) + more
            yield caption, drawn(lambda path, part=part: plot_sweep_map(part, column, path))  # type: ignore[misc]


def _extremes(section: Section, result: SweepResult) -> None:
    rows, points = [], result.points
    for number, column in enumerate(result.columns):
        values = result.values[:, number]
        if not np.isfinite(values).any():
            continue
        row: dict[str, Any] = {"column": column.name, "unit": column.unit}
        for word, place in (("least", np.nanargmin(values)), ("greatest", np.nanargmax(values))):
            row |= {word: float(values[place]), f"{word} at": _place(result, points[int(place)])}
        rows.append(row)
    section.table("", rows)


def _place(result: SweepResult, point: dict[str, float]) -> str:
    return ", ".join(f"{name} = {result.word(name, value)}" for name, value in point.items())


def _values(values: tuple[float, ...]) -> str:
    shown = [f"{value:g}" for value in values]
    return ", ".join(shown if len(shown) <= 24 else [*shown[:12], "…", *shown[-3:]]) + f" ({len(shown)} values)"
