"""Results by name, from files and from memory; what to record."""

from __future__ import annotations

import csv
import math

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import floatframe as ff
from floatframe.hybrid import MemoryWriter, Record, Results
from floatframe.io import Channel, ResultMeta, ResultWriter

CHANNELS = (
    Channel("A.force", "N", ("x", "y", "z")),
    Channel("energy.total", "J"),
    Channel("count"),
    Channel("A.force.z", "kN"),  # a channel named like a component of another
)
KEPT = tuple(Channel(name) for name in ("step", "iterations", "constraint_drift", "energy_balance"))
META = ResultMeta(nq=2, nv=1, settings={"step": 0.1}, statistics=KEPT)
RNG = np.random.default_rng(3)
T = np.arange(11) * 0.1
Q, V, VALUES, STATISTICS = (RNG.normal(size=(11, n)) for n in (2, 1, 6, 4))


@pytest.fixture(params=["file", "memory"])
def result(request, tmp_path):
    writer = MemoryWriter(CHANNELS, META) if request.param == "memory" else None
    writer = writer or ResultWriter.create(tmp_path / "run.h5", CHANNELS, META)
    for part in (slice(0, 4), slice(4, 4), slice(4, 11)):
        writer.append(T[part], Q[part], V[part], VALUES[part], STATISTICS[part])
    writer.checkpoint({"h": 0.1})
    writer.flush()
    writer.finish("failed", "Newton did not converge.", t=1.05, cured_by="Use a smaller step.")
    return Results(writer) if isinstance(writer, MemoryWriter) else Results.open(tmp_path / "run.h5")


def test_everything_by_name(result):
    assert_array_equal(result.t, T)
    assert_array_equal(result.q, Q)
    assert_array_equal(result.v, V)
    assert_array_equal(result["A.force"], VALUES[:, :3])
    assert_array_equal(result["A.force.y"], VALUES[:, 1])
    assert_array_equal(result["energy.total"], VALUES[:, 3])
    assert_array_equal(result["A.force.z"], VALUES[:, 5])  # channels go before components
    assert_array_equal(result.statistics["constraint_drift"], STATISTICS[:, 2])
    assert result.unit("A.force.y") == "N"
    assert result.channels == CHANNELS
    assert result.meta == META
    assert "A.force.x" in result
    assert "A.force.w" not in result
    assert len(result) == 11
    assert repr(result) == "Results(11 records, t = 0 … 1 s, 4 channels, failed)"
    assert result.status == ff.hybrid.Status("failed", "Newton did not converge.", 1.05, "Use a smaller step.")
    assert not result.status.ok
    assert str(result.status) == "failed at t = 1.05 s: Newton did not converge. Use a smaller step."


@pytest.mark.parametrize(
    ("name", "near"), [("A.forec", "A.force"), ("energy.totl", "energy.total"), ("A.force.v", "A.force.x")]
)
def test_unknown_channels_name_the_nearest(result, name, near):
    with pytest.raises(ff.ModelError, match=f"channel '{name}' does not exist.*did you mean.*{near}"):
        result[name]


def test_csv_reads_back_exactly(result, tmp_path):
    path = tmp_path / "out.csv"
    result.to_csv(path, ["A.force", "count"])
    with open(path, newline="") as file:
        heading, *rows = csv.reader(file)
    assert heading == ["t [s]", "A.force.x [N]", "A.force.y [N]", "A.force.z [N]", "count"]
    assert_array_equal(np.array(rows, dtype=float), np.column_stack([T, VALUES[:, :3], VALUES[:, 4]]))
    result.to_csv(path)
    assert len(path.read_text().splitlines()[0].split(",")) == 7
    with pytest.raises(ff.ModelError, match="does not exist in these results"):
        result.to_csv(path, ["nothing"])


def test_no_records():
    writer = MemoryWriter((), ResultMeta(nq=0, nv=0, statistics=()))
    result = Results(writer)
    assert (result.t.shape, result.q.shape, len(result)) == ((0,), (0, 0), 0)
    assert repr(result) == "Results(0 records, 0 channels, running)"
    writer.finish()
    assert math.isnan(result.status.t)


def test_other_files_are_no_results(tmp_path, beam):
    ff.io.write(tmp_path / "beam.h5", beam)
    with pytest.raises(ff.ReadError, match=r"beam\.h5' holds floatframe-fe-model, expected results of a simulation"):
        Results.open(tmp_path / "beam.h5")


def test_a_file_is_opened_by_open(tmp_path, result):
    with pytest.raises(ff.ModelError, match=r'ff\.hybrid\.Results\.open\("run\.h5"\)'):
        Results("run.h5")
    if (tmp_path / "run.h5").exists():
        with pytest.raises(ff.ReadError, match=r"no channel 'A\.force'.*ff\.hybrid\.Results\.open"):
            ff.io.read(tmp_path / "run.h5")["A.force"]


def test_record_picks_by_name_group_and_star():
    available = ["A.force", "A.torque", "B.force", "energy.total", "energy.kinetic", "rod.node[101].displacement"]
    assert Record().pick(available) == tuple(available)
    assert Record(channels=()).pick(available) == ()
    assert Record(channels=("energy", "A.force")).pick(available) == ("A.force", "energy.total", "energy.kinetic")
    assert Record(channels=("*.force",)).pick(available) == ("A.force", "B.force")
    assert Record(channels=("rod.node[101].displacement",)).pick(available) == (available[-1],)
    assert Record().pick([]) == ()
    with pytest.raises(ff.ModelError, match=r"did you mean A\.force"):
        Record(channels=("A.forse",)).pick(available)


@pytest.mark.parametrize(
    "wrong",
    [{"every": 0.0}, {"every": math.inf}, {"start": math.nan}, {"channels": "A.force"}, {"checkpoint_every": 0}],
)
def test_records_that_make_no_sense(wrong):
    with pytest.raises(ff.ModelError, match=f"record: {next(iter(wrong))}"):
        Record(**wrong)
