"""`floatframe track`: tables, picture, numbers and JSON of a railway track."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe.cli.main import run
from tests.cli.json_page import undocumented
from tests.cli.track_file import LINE


@pytest.fixture
def line(tmp_path):
    path = tmp_path / "line.toml"
    path.write_text(LINE, encoding="utf-8")
    return path


def test_json_and_numbers_in_a_file(line, capsys, tmp_path):
    places = tmp_path / "places.csv"
    assert run(["track", str(line), "--json", "--csv", str(places), "--every", "0.5"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert not undocumented(found)
    assert (found["length_m"], found["smallest_radius_m"], found["largest_cant_m"]) == (200.0, 300.0, 0.1)
    assert [row["type"] for row in found["sections"]] == ["straight", "transition", "curve"]
    assert [row["start_m"] for row in found["sections"]] == [0.0, 50.0, 100.0]
    for row in found["irregularities"]:
        assert_allclose(row["rms_m"], row["target_rms_m"], rtol=0.5)  # two of the longest waves
    table = np.genfromtxt(places, delimiter=",", skip_header=1)
    assert table.shape == (401, 13)
    assert_allclose(table[-1, 1:3], found["end_position_m"][:2], rtol=1e-8)
    assert_allclose(table[-1, 4], 50.0 / 600.0 + 100.0 / 300.0)  # half the turn of a curve as long, and the curve
    vertical = next(row for row in found["irregularities"] if row["quantity"] == "vertical")
    assert_allclose(np.sqrt(np.mean((0.5 * (table[:, 10] + table[:, 12])) ** 2)), vertical["rms_m"], rtol=0.01)


def test_picture_and_tables(line, capsys, tmp_path):
    picture = tmp_path / "line.png"
    assert run(["track", str(line), "-o", str(picture)]) == 0
    said = capsys.readouterr().out
    assert all(word in said for word in ("straight", "transition", "curve", "cross level", "written"))
    assert picture.stat().st_size > 20_000


def test_kilometres_and_a_warning(capsys, tmp_path):
    table = tmp_path / "line.csv"
    table.write_text("km,radius,cant [mm]\n1,0,0\n1.1,0,0\n1.1,-400,0\n1.2,-400,0\n")
    assert run(["track", str(table), "--json"]) == 0
    said = capsys.readouterr()
    assert [row["radius_m"] for row in json.loads(said.out)["sections"]] == [None, -400.0]
    assert "line.csv: line: the curvature jumps at 1100 m" in said.err


def test_mistakes_are_one_line_each(line, capsys):
    line.write_text(LINE.replace("50.0", "-50.0"), encoding="utf-8")
    assert run(["track", str(line)]) == 1
    said = capsys.readouterr().err.splitlines()
    assert [text.partition("line.toml:")[2].partition(":")[0] for text in said] == ["7", "11"]


def test_no_more_rows_than_anyone_reads(tmp_path, capsys):
    table = tmp_path / "line.csv"
    table.write_text("s,radius\n0,0\n400,0\n")
    assert run(["track", str(table), "--csv", str(tmp_path / "places.csv"), "--every", "1e-9"]) == 1
    assert "4e+11 rows every 1e-09 m, expected 5e+06 at most" in capsys.readouterr().err
    assert not (tmp_path / "places.csv").exists()


def test_waves_that_are_too_long_for_their_shortest(tmp_path, capsys):
    line = tmp_path / "line.toml"
    line.write_text(
        'format = "floatframe-track/1"\n'
        '[track]\nsection = [{ type = "straight", length = 100 }]\n'
        '[[track.irregularity]]\ntype = "class"\nquality = "ERRI low"\nwavelengths = [3, 1e6]\n'
    )
    assert run(["track", str(line)]) == 1
    assert "line.toml:7: found wavelengths from 3 to 1e+06 m on 100 m" in capsys.readouterr().err
