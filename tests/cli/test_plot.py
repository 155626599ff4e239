"""`floatframe plot`: pictures, numbers and complaints, from a result file with known signals."""

from __future__ import annotations

import json
import math
import warnings

import numpy as np
import pytest

from floatframe import viewer
from floatframe.cli.main import run
from floatframe.io import Channel, ResultMeta, ResultWriter

CHANNELS = (Channel("A.force", "N", ("x", "y", "z")), Channel("crank.angle", "rad"))
PNG = b"\x89PNG"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Two seconds at 1 ms; A.force is 3, 0 and 4 N at 50 Hz, the crank turns at 2 rad/s."""
    path = tmp_path_factory.mktemp("plot") / "run.h5"
    t = np.arange(2001) * 1e-3
    force = np.sin(2 * np.pi * 50 * t)[:, None] * [3.0, 0.0, 4.0]
    meta = ResultMeta(nq=0, nv=0, statistics=())
    with ResultWriter.create(path, CHANNELS, meta) as writer:
        nothing = np.empty((len(t), 0))
        writer.append(t, nothing, nothing, np.column_stack([force, 2 * t]), nothing)
    return path


@pytest.mark.parametrize("kind", [[], ["--spectrum"], ["--psd", "--segment", "0.5"], ["--spectrum", "--up-to", "80"]])
def test_pictures(results, tmp_path, kind, capsys):
    picture = tmp_path / "plot.png"
    assert run(["plot", str(results), "A.force", "crank.angle", *kind, "-o", str(picture)]) == 0
    assert picture.read_bytes().startswith(PNG)
    assert f"written: {picture}" in capsys.readouterr().out.replace("\n", "")


def test_runs_in_one_diagram(results, tmp_path, capsys):
    other = tmp_path / "later.h5"
    t = np.arange(1001) * 2e-3
    with ResultWriter.create(other, CHANNELS, ResultMeta(nq=0, nv=0, statistics=())) as writer:
        nothing = np.empty((len(t), 0))
        writer.append(t, nothing, nothing, np.column_stack([np.zeros((len(t), 3)), 3 * t]), nothing)
    picture, table = tmp_path / "both.svg", tmp_path / "both.csv"
    words = ["plot", str(results), str(other), "crank.angle", "--rms"]
    assert run([*words, "-o", str(picture), "--json"]) == 0
    found = {row["signal"]: row["largest"] for row in json.loads(capsys.readouterr().out)["signals"]}
    assert found == {"run: crank.angle": pytest.approx(4.0), "later: crank.angle": pytest.approx(6.0)}
    assert picture.stat().st_size > 1000
    assert run([*words, "--csv", str(table)]) == 2
    assert "records at different times; give a common --step" in " ".join(capsys.readouterr().err.split())
    assert run([*words, "--csv", str(table), "--step", "0.01"]) == 0
    assert table.read_text().splitlines()[0] == "t [s],run: crank.angle [rad],later: crank.angle [rad]"
    for broken, said in (([str(results)], "named twice"), ([], "name the channels that 'run.h5' and the other")):
        assert run(["plot", str(results), *(broken or [str(other)]), *(broken and ["crank.angle"]), "--rms"]) == 2
        assert said in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_spectrogram(results, tmp_path, suffix):
    picture = tmp_path / f"plot{suffix}"
    assert run(["plot", str(results), "A.force.x", "--spectrogram", "-o", str(picture)]) == 0
    assert picture.stat().st_size > 1000


def test_rms_and_largest_value(results, capsys):
    assert run(["plot", str(results), "A.force", "crank.angle", "--rms", "--to", "1.0", "--json"]) == 0
    found = {row["signal"]: row for row in json.loads(capsys.readouterr().out)["signals"]}
    assert found["A.force.x"]["rms"] == pytest.approx(3 / math.sqrt(2), rel=1e-12)  # exact over whole periods
    assert found["A.force.z"]["largest"] == pytest.approx(4.0)
    assert found["A.force.z"]["time_s"] == pytest.approx(0.005)
    assert found["crank.angle"]["largest"] == pytest.approx(2.0)
    assert run(["plot", str(results), "A.force.z", "--rms"]) == 0
    assert "2.82843" in capsys.readouterr().out


def test_measures_and_expressions(results, tmp_path, capsys):
    texts = ["A.force.x - 2*A.force.z:highpass(5):rms,line(50)", "A.force.z:crest", "crank.angle:end"]
    picture = tmp_path / "sum.png"
    assert run(["plot", str(results), *texts, "-o", str(picture), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["measures"]
    found = {(row["signal"], row["measure"]): (row["value"], row["unit"]) for row in rows}
    whole = "A.force.x - 2*A.force.z:highpass(5)"
    assert found[whole, "line(50)"] == (pytest.approx(5.0, rel=3e-3), "N")  # the filter swings in
    assert found[whole, "rms"] == (pytest.approx(5.0 / math.sqrt(2), rel=3e-3), "N")
    assert found["A.force.z", "crest"] == (pytest.approx(math.sqrt(2), rel=1e-3), "")
    assert found["crank.angle", "end"] == (pytest.approx(4.0), "rad")
    assert picture.read_bytes().startswith(PNG)
    assert run(["plot", str(results), "A.force.z:peak"]) == 0
    assert "peak" in capsys.readouterr().out
    assert run(["plot", str(results), "A.force.z + crank.angle:peak"]) == 2
    assert "N and rad" in " ".join(capsys.readouterr().err.split())


def test_numbers_as_csv(results, tmp_path):
    numbers = tmp_path / "out.csv"
    arguments = ["plot", str(results), "crank.angle", "A.force.z", "--csv", str(numbers)]
    assert run([*arguments, "--from", "1.5"]) == 0
    lines = numbers.read_text().splitlines()
    assert lines[0] == "t [s],crank.angle [rad],A.force.z [N]"
    assert len(lines) == 502
    assert float(lines[1].split(",")[1]) == 3.0
    assert run([*arguments, "--step", "0.01"]) == 0
    assert len(numbers.read_text().splitlines()) == 202


def test_channels_are_listed(results, capsys):
    assert run(["plot", str(results)]) == 0
    text = capsys.readouterr().out
    assert "2001 records" in text
    assert "crank.angle" in text
    assert run(["plot", str(results), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["channels"][0]["components"] == ["x", "y", "z"]


def test_info_tells_about_results(results, capsys):
    assert run(["info", str(results), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["record_count"] == 2001
    assert (found["status"], found["message"]) == ("finished", "finished at t = 2 s")
    assert run(["info", str(results)]) == 0


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["A.forse", "--rms"], 2, "channel 'A.forse' does not exist in these results; did you mean"),
        (["A.force"], 2, "nothing to do"),
        (["--rms"], 2, "name the channels"),
        (["A.force", "--psd", "--spectrum", "-o", "a.png"], 2, "choose one"),
        (["A.force", "--spectrogram", "-o", "a.png"], 2, "found 3: A.force.x, A.force.y, A.force.z"),
        (["A.force", "-o", "a.gif"], 2, "must end in .png or .svg or .pdf"),
        (["A.force", "--rms", "--from", "7"], 2, "the run covers 0 … 2 s"),
        (["A.force", "--psd", "--segment", "9", "-o", "a.png"], 1, "a segment of 9 s does not suit"),
        (["A.force", "--psd", "-o", "nowhere/a.png"], 2, "does not exist; create it first"),
        (["A.force", "--csv", "nowhere/a.csv"], 2, "cannot be written"),
    ],
)
def test_complaints_are_one_line(results, tmp_path, monkeypatch, capsys, arguments, code, sentence):
    monkeypatch.chdir(tmp_path)
    assert run(["plot", str(results), *arguments]) == code
    words = capsys.readouterr().err
    assert sentence in words
    assert words.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_unequal_steps_need_resampling(tmp_path, capsys):
    path = tmp_path / "run.h5"
    t = np.linspace(0, 1, 300) ** 2
    nothing = np.empty((300, 0))
    with ResultWriter.create(path, (Channel("x", "m"),), ResultMeta(nq=0, nv=0, statistics=())) as writer:
        writer.append(t, nothing, nothing, np.sin(t)[:, None], nothing)
    picture = tmp_path / "x.png"
    assert run(["plot", str(path), "x", "--psd", "-o", str(picture)]) == 1
    assert "resample" in capsys.readouterr().err
    assert run(["plot", str(path), "x", "--psd", "--step", "0.01", "-o", str(picture)]) == 0
    assert run(["plot", str(path), "x", "-o", str(picture)]) == 0


def test_other_files_are_refused(tmp_path, beam, capsys):
    from floatframe import io

    io.write(tmp_path / "beam.h5", beam)
    assert run(["plot", str(tmp_path / "beam.h5"), "x", "--rms"]) == 1
    assert "expected results of a simulation" in capsys.readouterr().err


def test_a_model_file_is_sent_to_simulate_first(tmp_path, capsys):
    model = tmp_path / "crank.toml"
    model.write_text('format = "floatframe-model/1"\n')
    assert run(["plot", str(model), "A.force", "-o", str(tmp_path / "plot.png")]) == 2
    assert "floatframe simulate crank.toml -o crank.h5" in capsys.readouterr().err


def test_what_the_model_of_a_run_warns_of_is_one_line(results, capsys, monkeypatch):
    curves = viewer.span_curves

    def warning(*arguments):
        warnings.warn("body 'rod': its position was changed", stacklevel=1)
        return curves(*arguments)

    monkeypatch.setattr(viewer, "span_curves", warning)
    assert run(["plot", str(results), "A.force", "--rms"]) == 0
    assert capsys.readouterr().err == "floatframe: run.h5: body 'rod': its position was changed\n"
