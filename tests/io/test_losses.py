"""A stiffness, mass, support or coupling that cannot be read ends an import, unless the user drops it by name."""

from __future__ import annotations

import pytest

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.io import ImportLog


def _log(drop=()):
    log = ImportLog("deck.cdb", "ansys", drop=drop)
    log.lose("PIPE16", "stiffness", "this element is not supported", line=12, count=3)
    log.lose("PIPE16", "stiffness", "this element is not supported", line=40)
    log.lose("*TIE, CYCLIC SYMMETRY", "coupling", "cyclic symmetry is not applied", line=50)
    return log


def test_losses_are_refused_together_with_count_line_reason_and_cure():
    with pytest.raises(ReadError) as refused:
        _log().finish()
    text = str(refused.value)
    assert "'deck.cdb'" in text
    assert "PIPE16 (4, first in line 12) carries stiffness: this element is not supported" in text
    assert "*TIE, CYCLIC SYMMETRY (1, first in line 50) carries a coupling" in text
    assert '--drop PIPE16,TIE-CYCLIC-SYMMETRY (Python: drop=("PIPE16", "TIE-CYCLIC-SYMMETRY"))' in text


@pytest.mark.parametrize(
    "drop",
    [
        ("PIPE16", "TIE-CYCLIC-SYMMETRY"),
        ("pipe16,*tie",),
        "pipe16, tie",
        ("all",),
        ("PIPE16", "*TIE  CYCLIC SYMMETRY"),
    ],
)
def test_what_is_dropped_by_name_is_left_out_and_reported(drop):
    report = _log(drop).finish(strict=True)
    assert [entry.dropped for entry in report.lost] == [True, True]
    assert not report.warnings
    assert not report.refusal
    assert "left out by --drop" in str(report)
    assert [entry["drop"] for entry in report.describe()["lost"]] == ["PIPE16", "TIE-CYCLIC-SYMMETRY"]


def test_a_part_of_a_word_drops_nothing_and_a_drop_without_loss_is_said():
    with pytest.raises(ReadError, match="--drop PIPE16 "):
        _log(("TIE", "PIPE")).finish()
    report = ImportLog("deck.cdb", drop=("PIPE16", "all")).finish()
    assert report.warnings == tuple(
        f"--drop {name} has no effect: nothing of that name was lost." for name in ("PIPE16", "all")
    )


def test_the_account_can_be_had_without_refusal():
    report = _log(("PIPE16",)).finish(refuse=False)
    assert [entry.card for entry in report.refused] == ["*TIE, CYCLIC SYMMETRY"]
    assert "lost, so that modes and the other commands refuse the file" in str(report)


def test_elements_over_several_lines_are_counted_once(tmp_path):
    path = tmp_path / "deck.inp"
    path.write_text(
        "*NODE\n1,0,0,0\n*ELEMENT,TYPE=CAX8,ELSET=A\n1,1,2,3,4,\n5,6,7,8\n2,1,2,3,4,\n5,6,7,8\n"
        "*ELEMENT,TYPE=MASS,ELSET=M\n3,1\n*MASS,ELSET=M\n2.\n*SOLID SECTION,ELSET=A,MATERIAL=S\n"
    )
    with pytest.raises(ReadError, match=r"CAX8 \(2, first in line 3\) carries stiffness: an axisymmetric element"):
        ff.io.read(path)
    assert ff.io.read(path, drop="CAX8").mass_properties().mass == 2.0
