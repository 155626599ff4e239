"""The table of `make verify`: every row is judged or says why not."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from benchmarks.verify.__main__ import show
from benchmarks.verify.elements import differences
from benchmarks.verify.rows import Row


def test_a_row_has_a_tolerance_or_a_reason() -> None:
    with pytest.raises(ValueError, match=r"'plate', 'mode 1' has neither"):
        Row("plate", "mode 1", 1.0, 1.0, None)
    with pytest.raises(ValueError, match="has both"):
        Row("plate", "mode 1", 1.0, 1.0, 0.1, why_not_judged="no target is known.")


def test_reasons_are_printed_below_the_table() -> None:
    judged = Row("plate", "mode 1", 1.0, 1.2, 0.1)
    out = StringIO()
    show([judged, judged.unjudged("the mesh is unknown."), judged.unjudged("no target.")], Console(file=out, width=160))
    text = out.getvalue()
    assert [mark in text for mark in ("NO", "– (1)", "– (2)")] == [True] * 3
    assert text.endswith("– (1) not judged: the mesh is unknown.\n– (2) not judged: no target.\n")


def test_a_page_of_elements_is_stale_when_a_printed_number_has_changed() -> None:
    page = "| beam | 0.993 | 1.002 | |\n"
    assert differences(page, page.replace("0.993", "0.994")) == 0  # round-off at the last digit
    assert differences(page, page.replace("0.993", "0.995")) == 1
    assert differences(page, page.replace("| |", "| 1.000 |")) == 1
    assert differences("", page) > 0
