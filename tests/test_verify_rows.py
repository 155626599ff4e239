"""The table of `make verify`: every row is judged or says why not."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from benchmarks.verify.__main__ import show
from benchmarks.verify._triangles import PUBLISHED, standing_in
from benchmarks.verify.elements import differences
from benchmarks.verify.rows import Row
from benchmarks.verify.shell_vibration import NAFEMS, found, square
from benchmarks.verify.shells import patch_tests
from floatframe.fem import ShellSection
from floatframe.fem.elements import Batch


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


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_triangles_pass_what_they_were_published_with(name: str) -> None:
    """The patch test in bending, six rigid motions, any order of nodes; the clamped plate of Leissa (1973)."""
    with standing_in(name):
        errors = [row.ours for row in patch_tests("shell3", True) if row.quantity == "bending displacement error"]
        frequency = found(square(16, 0.05, "shell3"), "CCCC", 1)[0]
    assert errors[0] < 1e-10
    D = NAFEMS.E * 0.05**3 / (12.0 * (1.0 - NAFEMS.nu**2))
    assert frequency == pytest.approx(35.985 / (2e2 * np.pi) * np.sqrt(D / (NAFEMS.rho * 0.05)), rel=0.01)
    corners = np.array([[[0, 0, 0], [1, 0.1, 0], [0.3, 0.8, 0]]], dtype=float)
    K = PUBLISHED[name].stiffness(Batch(corners, NAFEMS, ShellSection(0.05)))[0]
    values = np.linalg.eigvalsh(K)
    assert np.abs(values[:6]).max() < 1e-12 * values[-1] < 1e-3 * values[6]
    order = (6 * np.array([[1], [2], [0]]) + np.arange(6)).ravel()
    turned = PUBLISHED[name].stiffness(Batch(corners[:, [1, 2, 0]], NAFEMS, ShellSection(0.05)))[0]
    assert np.abs(turned - K[np.ix_(order, order)]).max() < 1e-11 * np.abs(K).max()
