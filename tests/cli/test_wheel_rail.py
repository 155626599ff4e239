"""`floatframe conicity` and `floatframe wheel-rail`: tables, pictures and JSON."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe.cli.main import run
from tests.cli.json_page import undocumented

FILES = Path(__file__).parents[1] / "reference" / "wheel_rail"
BENCHMARK = ["--wheel", str(FILES / "MBench_S1002_v3.prw"), "--rail", str(FILES / "MBench_UIC60_v3.prr")]


def test_conicity_of_en_15302(capsys, tmp_path):
    """Example E1: 0.125, 0.188 and 0.303 at 1, 3 and 6 mm."""
    picture = tmp_path / "conicity.png"
    words = [
        "conicity",
        "--wheel",
        "EN15302-A",
        "--rail",
        "EN15302-A",
        "--gauge",
        "1.43516",
        "--json",
        "-o",
        str(picture),
    ]
    assert run(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert not undocumented(found)
    assert_allclose(
        np.interp([1e-3, 3e-3, 6e-3], found["amplitude_m"], found["conicity"]), [0.125, 0.188, 0.303], atol=2e-3
    )
    assert found["conicity_at_3_mm"] == pytest.approx(0.188, abs=1e-3)
    assert picture.stat().st_size > 20_000


def test_conicity_of_unequal_wheels(capsys):
    """Wheels of 920 and 918 mm run on one side."""
    assert (
        run(["conicity", "--wheel", "EN15302-B", "--rail", "EN15302-A", "--left-radius", "0.459", "--gauge", "1.43516"])
        == 0
    )
    said = capsys.readouterr().out
    assert "EN15302-B on EN15302-A" in said
    assert "mm to the left of the middle" in said


def test_a_case_of_the_manchester_benchmark(capsys, tmp_path):
    """3 mm and 7.2 mrad: contact at -20.56 mm, forces of -418 and -2902 N by CONTACT; 1 % of the limit of friction."""
    picture = tmp_path / "contact.png"
    words = ["wheel-rail", *BENCHMARK, "--lateral", "3e-3", "--yaw", "7.2e-3", "--load", "1e4"]
    assert run([*words, "--json", "-o", str(picture)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert not undocumented(found)
    (patch,) = found["patches"]
    assert patch["rail_y_m"] == pytest.approx(-20.56e-3, abs=5e-5)
    assert patch["force_along_n"] == pytest.approx(-417.5, abs=30.0)
    assert patch["force_across_n"] == pytest.approx(-2902.0, abs=30.0)
    assert found["vertical_force_n"] == pytest.approx(1e4)
    assert picture.stat().st_size > 20_000
    assert run(words) == 0
    assert "-20.56" in capsys.readouterr().out


def test_two_patches(capsys):
    assert run(["wheel-rail", *BENCHMARK, "--lateral", "5e-3", "--yaw", "12e-3", "--load", "1e4", "--json"]) == 0
    flange, tread = json.loads(capsys.readouterr().out)["patches"]
    assert flange["rail_y_m"] == pytest.approx(-33.9e-3, abs=2e-4)
    assert tread["rail_y_m"] == pytest.approx(-23.8e-3, abs=2e-4)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--lateral", "0.2", "--load", "1e4"], "leaves rail '60E1': shifted by 200.00 mm"),
        (["--load", "1e12"], "cross by more than 5 mm"),
    ],
)
def test_what_no_wheel_can_do(words, sentence, capsys):
    assert run(["wheel-rail", *words]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert sentence in line


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--wheel", "cone:nan"], "wheel 'cone:nan': found 'nan', expected a number behind 'cone:'"),
        (["--inclination", "nan"], "Invalid value for '--inclination': nan must be finite"),
        (["--amplitude", "1e-9"], "must be greater than or equal to 0.0001"),
        (["--amplitude", "inf"], "must be less than or equal to 0.1"),
    ],
)
def test_numbers_that_are_none(capsys, words, sentence):
    assert run(["conicity", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_angles_must_be_finite(capsys):
    for option in ("--lateral", "--yaw", "--roll", "--rotation"):
        assert run(["wheel-rail", "--load", "1e4", option, "inf"]) == 2
        assert f"'{option}': inf must be finite" in capsys.readouterr().err


def test_a_table_of_three_columns_does_not_say_which_are_y_and_z(capsys, tmp_path):
    path = tmp_path / "numbered.csv"
    path.write_text("".join(f"{k},{k - 60:g},{-0.05 * (k - 60):g}\n" for k in range(120)))
    assert run(["conicity", "--wheel", str(path)]) == 1
    assert "line 1: found 3 columns, expected two, y and z; remove the others" in capsys.readouterr().err
