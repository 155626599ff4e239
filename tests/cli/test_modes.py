"""Options of `floatframe modes`: which modes, the mass, substructures by planes and sets, the report."""

from __future__ import annotations

import pytest

import floatframe as ff
from floatframe.cli.main import run
from tests.cli.json_output import printed


@pytest.fixture(scope="module")
def plate(tmp_path_factory):
    """A plate of 1 m x 2 m, along y, with the set of its lower half."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    fe = ff.fem.plate_grid(1.0, 2.0, nx=6, ny=12, thickness=0.01, material=steel)
    path = tmp_path_factory.mktemp("modes") / "plate.h5"
    ff.io.write(path, fe.with_node_set("lower", lambda xyz: xyz[:, 1] < 1.05))
    return path


def frequencies(content):
    return [row["frequency_hz"] for row in content["modes"]]


def test_band_and_limit_pick_from_the_same_spectrum(plate, capsys):
    all_modes = frequencies(printed(capsys, "modes", plate, "-n", 16))
    low, high = all_modes[8] - 0.5, all_modes[12] + 0.5
    inside = [f for f in all_modes if low < f < high]
    assert frequencies(printed(capsys, "modes", plate, "--band", f"{low}:{high}")) == pytest.approx(inside, rel=1e-8)
    below = [f for f in all_modes if f < high]
    found = frequencies(printed(capsys, "modes", plate, "--below", f"{high}Hz"))
    assert found == pytest.approx(below, rel=1e-8, abs=1e-3)  # rigid motions come first


def test_lumped_is_the_lumped_mass(plate, capsys):
    lumped = printed(capsys, "modes", plate, "--lumped")
    assert lumped["mass_matrix"] == "lumped"
    assert frequencies(lumped) == frequencies(printed(capsys, "modes", plate, "--mass", "lumped"))


@pytest.mark.parametrize("cuts", ["y=0.55,1.05,1.55", "lower"])
@pytest.mark.parametrize("ordering", ["wave", "dissection"])
def test_division_changes_the_report_alone(plate, capsys, cuts, ordering):
    expected = frequencies(printed(capsys, "modes", plate))
    options = ("--cuts", cuts, "--ordering", ordering, "--block", 2, "--reorthogonalisation", "partial", "--report")
    content = printed(capsys, "modes", plate, *options)
    assert frequencies(content)[6:] == pytest.approx(expected[6:], rel=1e-8)
    report = content["solver"]
    sections = 1 if cuts == "lower" else 3
    assert report["substructure_count"] == sections + 1
    assert report["boundary_row_count"] == sections * 7 * 6
    assert report["boundary_profile_bytes"] > 0
    rows = report["substructures"]
    assert [row["substructure"] for row in rows] == list(range(1, sections + 2))
    for name in ("profile_bytes", "renumbered_profile_bytes"):
        assert sum(row[name] for row in rows) == report[name] > 0


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--cuts", "w=3"], "must be an axis and places on it"),
        (["--cuts", "x="], "must be an axis and places on it"),
        (["--cuts", "upper"], "node sets: corners, edges, lower"),
        (["--cuts", "y=0.5,9"], "makes 2 of 3 substructures, the others are empty; nodes lie from y = 0 to 2"),
        (["--band", "9:3"], "two rising frequencies"),
        (["--band", "9"], "two rising frequencies"),
        (["--below", "5", "-n", "3"], "one of -n, --below and --band"),
    ],
)
def test_wrong_options_name_the_cure(plate, capsys, options, word):
    assert run(["modes", str(plate), *options]) == 2
    assert word in " ".join(capsys.readouterr().err.split()).replace("│ ", "").replace(" │", "")
