"""The sample of the beam in five supports: the table, no further from theory than the published one."""

from __future__ import annotations

import pytest

from floatframe.samples.five_beams import study
from tests.reference.beams import bending_frequency

SUPPORTS = {
    "free": "free-free",
    "clamped_clamped": "clamped-clamped",
    "clamped_free": "clamped-free",
    "hinged_hinged": "pinned-pinned",
    "clamped_hinged": "clamped-pinned",
}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    return study.run(tmp_path_factory.mktemp("five") / "beams")


def test_rows_are_those_of_the_published_table(outcome):
    assert [(row.beam, row.published) for row in outcome.rows] == [
        (beam, printed) for beam, column in study.PUBLISHED.items() for printed in column
    ]
    for row in outcome.rows:
        exact = bending_frequency(SUPPORTS[row.beam], row.mode, 2.1e11 * 0.02**4 / 12.0, 7800.0 * 0.02**2, 2.0)
        assert row.theory == pytest.approx(exact, rel=1e-9)
        digits = len(row.published.split(".")[1])
        for found in row.found:
            # compared as printed: the last digit of the published values is all that is known of them
            assert abs(round(found, digits) - exact) <= abs(float(row.published) - exact)


def test_table_and_files(outcome):
    lines = study.table(outcome).splitlines()
    assert len(lines) == 1 + len(outcome.rows)
    assert all("%" in line for line in lines[1:])
    assert {path.name for path in outcome.files} == {"input.fum", "five_beams.toml", "frequencies.csv"}
    assert all(path.exists() for path in outcome.files)
