"""Result files: exact contents, reading while writing, kills at random moments, resuming."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import floatframe as ff
from floatframe.io import Channel, ResultMeta, ResultWriter
from floatframe.io.results import writer as results_writer
from floatframe.io.results.slots import SlotWriter, create_slots, read_slots

CHANNELS = (
    Channel("A.force", "N", ("x", "y", "z")),
    Channel("energy.total", "J"),
    Channel("rod.w", "m", tuple(str(k) for k in range(1, 41))),  # wider than a chunk
)
STATISTICS = tuple(Channel(name) for name in ("step", "iterations", "constraint_drift", "energy_balance"))
META = ResultMeta(
    nq=5,
    nv=4,
    model="gravity = [0, 0, -9.81]\n",
    settings={"step": 1e-3, "method": "α"},
    statistics=STATISTICS,
)
# a fresh interpreter would take longer than the run it is killed in
fork = multiprocessing.get_context("fork" if hasattr(os, "fork") else None)
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be copied here")


def records(
    first: int, stop: int, channels: tuple[Channel, ...] = CHANNELS, meta: ResultMeta = META
) -> list[np.ndarray]:
    """The records first … stop-1, each number a function of its place: whatever is read can be checked."""
    k = np.arange(first, stop)
    widths = (meta.nq, meta.nv, sum(c.width for c in channels), sum(c.width for c in meta.statistics))
    arrays = [np.sin(k[:, None] * (1 + np.arange(width)) + place) for place, width in enumerate(widths)]
    return [k * 1e-3, *arrays]


def assert_records_right(file: ff.io.ResultFile) -> None:
    t, q, v, values, statistics = records(0, file.nrecord, file.channels, file.meta)
    assert_array_equal(file.t, t)
    assert_array_equal(file.q, q)
    assert_array_equal(file.v, v)
    assert_array_equal(file.columns(0, values.shape[1]), values)
    for column, (name, found) in zip(statistics.T, file.statistics.items(), strict=True):
        assert_array_equal(found, column, err_msg=name)


def test_everything_comes_back_exactly(tmp_path):
    path = tmp_path / "run.h5"
    with ResultWriter.create(path, CHANNELS, META) as writer:
        for first, stop in ((0, 1), (1, 300), (300, 300), (300, 1500)):
            writer.append(*records(first, stop))
        writer.finish("stopped by event", "The slider met the wall.", t=1.4995)
    file = ff.io.read(path)
    assert isinstance(file, ff.io.ResultFile)
    assert len(file) == 1500
    assert file.channels == CHANNELS
    assert file.meta == META
    assert file.status == ff.io.Status("stopped by event", "The slider met the wall.", 1.4995)
    assert file.checkpoint is None
    assert_records_right(file)


def test_a_finished_file_is_plain_hdf5(tmp_path):
    path = tmp_path / "run.h5"
    with ResultWriter.create(path, CHANNELS, META) as writer:
        writer.append(*records(0, 10))
    with h5py.File(path, "r") as file:
        assert file["t"].shape == (10,)
        assert file["q"].shape == (10, 5)
        assert file["channels/name"][0] == b"A.force"
        assert file["source/model"][0].decode() == META.model
        assert json.loads(file["source/settings"][0]) == META.settings
        # as the program sha256sum prints it
        assert file.attrs["model_sha256"] == b"4520d848b16889c2cb5440ce7295508b2c23a2af53cb76e9f2c5ec0007cb04ba"


@pytest.mark.parametrize("nq", [0, 3])
def test_no_channels_no_coordinates_no_statistics_no_records(tmp_path, nq):
    path = tmp_path / "empty.h5"
    meta = ResultMeta(nq=nq, nv=0, statistics=())
    with ResultWriter.create(path, (), meta) as writer:
        writer.append(*records(0, 0, (), meta))
    file = ff.io.read(path)
    assert (len(file), file.q.shape, file.v.shape, file.columns(0, 0).shape) == (0, (0, nq), (0, 0), (0, 0))
    assert math.isnan(file.status.t)
    with ResultWriter.create(path, (), meta) as writer:
        writer.append(*records(0, 7, (), meta))
    assert_records_right(ff.io.read(path))


def test_thousands_of_channels_one_record_at_a_time(tmp_path, monkeypatch):
    """9000 columns; records are gathered, so that a file is not flushed once per record."""
    monkeypatch.setattr(results_writer, "FLUSH_EVERY", math.inf)  # whatever else the machine is doing
    channels = tuple(Channel(f"body{k}.position", "m", ("x", "y", "z")) for k in range(3000))
    meta = ResultMeta(nq=0, nv=0, statistics=STATISTICS)
    path = tmp_path / "wide.h5"
    with ResultWriter.create(path, channels, meta) as writer:
        for k in range(120):
            writer.append(*records(k, k + 1, channels, meta))
    assert_records_right(ff.io.read(path))
    with h5py.File(path, "r") as file:
        journal_entries = read_slots(file, "journal")[0]
    # 120 * 9005 numbers in parts of a million: 1 flush and the rest, besides the first in both slots and the last entry
    assert journal_entries == 5


def test_chunks_that_are_not_counted_yet_are_not_there(tmp_path, monkeypatch):
    """Full chunks are written before the journal counts their records; a copy is what a kill would leave."""
    monkeypatch.setattr(results_writer, "FLUSH_EVERY", math.inf)
    monkeypatch.setattr(results_writer, "CHUNK_VALUES", 1)
    meta, path = ResultMeta(nq=3, nv=0, statistics=STATISTICS), tmp_path / "run.h5"
    with ResultWriter.create(path, (), meta) as writer:
        for first in range(0, 4000, 500):
            writer.append(*records(first, first + 500, (), meta))
            if first == 2000:  # chunks of coordinates hold 2730 records
                writer.flush()
        left = Path(shutil.copy(path, tmp_path / "left.h5"))
    assert_records_right(ff.io.read(path))
    killed = ff.io.read(left)
    assert len(killed) == 2500
    assert_records_right(killed)


OTHER_PROCESS = """
import sys, numpy, floatframe as ff
for line in sys.stdin:
    file = ff.io.read(line.strip())
    k = numpy.arange(file.nrecord)
    right = (file.t == k * 1e-3).all() and (file.q == numpy.sin(k[:, None] * (1 + numpy.arange(5)))).all()
    print(file.nrecord, file.status.reason, bool(right), flush=True)
"""


def test_another_process_reads_while_it_is_written(tmp_path):
    path = tmp_path / "run.h5"
    command = [sys.executable, "-c", OTHER_PROCESS]
    with (
        ResultWriter.create(path, CHANNELS, META) as writer,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader,
    ):
        for stop in (0, 100, 5000):
            writer.append(*records(len(writer), stop))
            writer.flush()
            reader.stdin.write(f"{path}\n")
            reader.stdin.flush()
            assert reader.stdout.readline() == f"{stop} running True\n"
        # so does the process that writes; what was opened before stays as it was
        file = ff.io.read(path)
        writer.append(*records(5000, 5001))
        writer.flush()
        assert_records_right(file)
        assert (file.nrecord, file.refreshed().nrecord) == (5000, 5001)


def write_forever(path: Path, resume: bool, steps: Any) -> None:
    """Append blocks of changing length, with a checkpoint of growing size now and then, until killed."""
    writer = ResultWriter.resume(path) if resume else ResultWriter.create(path, CHANNELS, META)
    rng = random.Random(len(writer))
    while True:
        n = rng.choice([1, 7, 200])
        writer.append(*records(len(writer), len(writer) + n))
        if rng.random() < 0.5:
            writer.flush()
        if rng.random() < 0.3:
            writer.checkpoint(checkpoint_after(len(writer)))
        steps.value += 1


def checkpoint_after(count: int) -> dict[str, object]:
    return {"count": count, "h": 1 / count, "history": np.cos(np.arange(min(count, 20_000))), "flags": np.arange(3) > 1}


@forks
def test_a_kill_at_any_moment_leaves_a_valid_file_that_resumes(tmp_path):
    """25 writers killed by SIGKILL, from the first moment on; each goes on where the one before was killed."""
    path = tmp_path / "run.h5"
    rng = random.Random(7)
    resumed = 0
    for _ in range(25):
        before = ff.io.read(path) if path.exists() else None
        resume = before is not None and before.checkpoint is not None
        steps = fork.RawValue("l", 0)
        child = fork.Process(target=write_forever, args=(path, resume, steps))
        child.start()
        wanted = rng.choice([0, 0, 5, 10, 15])
        while steps.value < wanted and child.is_alive():
            time.sleep(0.001)
        time.sleep(rng.uniform(0.0, 0.01 if wanted else 0.04))
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        assert child.exitcode == -signal.SIGKILL, "the writer ended by itself"
        if not path.exists():
            continue  # killed before the file had its name
        file = ff.io.read(path)
        assert file.status.reason == "running"
        assert_records_right(file)
        if file.checkpoint is not None:
            assert file.checkpoint.records <= file.nrecord
            expected = checkpoint_after(file.checkpoint.records)
            assert file.checkpoint.content.keys() == expected.keys()
            for name, value in expected.items():
                assert_array_equal(file.checkpoint.content[name], value)
        if resume:
            resumed += 1
            assert file.nrecord >= before.checkpoint.records
            assert file.checkpoint.records >= before.checkpoint.records
    assert resumed >= 8
    assert ff.io.read(path).nrecord > 1000
    with ResultWriter.resume(path) as writer:
        writer.append(*records(len(writer), len(writer) + 10))
    assert_records_right(ff.io.read(path))
    assert ff.io.read(path).status.reason == "finished"


def test_resuming_gives_the_same_file_as_never_stopping(tmp_path):
    whole, parts = tmp_path / "whole.h5", tmp_path / "parts.h5"
    with ResultWriter.create(whole, CHANNELS, META) as writer:
        writer.append(*records(0, 900))
    with ResultWriter.create(parts, CHANNELS, META) as writer:
        writer.append(*records(0, 400))
        writer.checkpoint(
            {"step": np.float64(0.1), "order": np.int64(2), "acceleration": np.array([1 / 3, -0.0, np.nan])}
        )
        writer.append(*records(400, 650))  # lost on resuming
        writer.finish("failed", "Newton did not converge.", cured_by="Use a smaller step.")
    with ResultWriter.resume(parts) as writer:
        assert len(writer) == 400
        content = writer.resumed_from.content
        assert (content["step"], content["order"]) == (0.1, 2)
        assert content["acceleration"].tobytes() == np.array([1 / 3, -0.0, np.nan]).tobytes()
        writer.append(*records(400, 900))
    one, other = ff.io.read(whole), ff.io.read(parts)
    assert_records_right(other)
    assert (one.status, one.meta, one.channels) == (other.status, other.meta, other.channels)
    assert other.checkpoint.records == 400


def test_a_file_without_checkpoint_is_not_resumed(tmp_path):
    with ResultWriter.create(tmp_path / "run.h5", CHANNELS, META) as writer:
        writer.append(*records(0, 3))
    with pytest.raises(ff.ReadError, match="no checkpoint"):
        ResultWriter.resume(tmp_path / "run.h5")
    assert ff.io.read(tmp_path / "run.h5").nrecord == 3


def test_interrupt_and_failure_leave_valid_files(tmp_path):
    path = tmp_path / "run.h5"

    def run_until(error):
        with ResultWriter.create(path, CHANNELS, META) as writer:
            writer.append(*records(0, 12))
            raise error

    with pytest.raises(KeyboardInterrupt):
        run_until(KeyboardInterrupt())
    assert ff.io.read(path).status.reason == "interrupted"
    assert_records_right(ff.io.read(path))
    with pytest.raises(ff.NotConverged):
        run_until(ff.NotConverged("joint 'A' cannot be closed"))
    assert str(ff.io.read(path).status) == "failed at t = 0.011 s: joint 'A' cannot be closed"
    assert ff.io.read(path).nrecord == 12


def interrupted_writer(path: Path, steps: Any) -> None:
    with ResultWriter.create(path, CHANNELS, META) as writer:
        while True:
            writer.append(*records(len(writer), len(writer) + 20))
            writer.flush()
            steps.value += 1


@forks
def test_ctrl_c_in_the_middle_of_writing(tmp_path):
    """SIGINT, as from the keyboard, at five moments, mostly inside HDF5."""
    for k in range(5):
        path = tmp_path / f"run{k}.h5"
        steps = fork.RawValue("l", 0)
        child = fork.Process(target=interrupted_writer, args=(path, steps))
        child.start()
        while steps.value < 3 and child.is_alive():
            time.sleep(0.001)
        time.sleep(0.0007 * k)
        os.kill(child.pid, signal.SIGINT)
        child.join()
        file = ff.io.read(path)
        assert file.status.reason == "interrupted"
        assert file.nrecord >= 60
        assert_records_right(file)


def test_only_result_files_are_replaced(tmp_path, beam):
    path = tmp_path / "beam.h5"
    ff.io.write(path, beam)
    before = path.read_bytes()
    with pytest.raises(ff.WriteError, match="does not hold results"):
        ResultWriter.create(path, CHANNELS, META)
    assert path.read_bytes() == before
    with pytest.raises(ff.WriteError, match="cannot be written"):
        ResultWriter.create(tmp_path / "nowhere" / "run.h5", CHANNELS, META)
    for _ in range(2):
        ResultWriter.create(tmp_path / "run.h5", CHANNELS, META).finish()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["beam.h5", "run.h5"]


def test_wrong_blocks_are_refused_and_change_nothing(tmp_path):
    path = tmp_path / "run.h5"
    good = records(0, 4)
    with ResultWriter.create(path, CHANNELS, META) as writer:
        writer.append(*good)
        for place, sentence in ((1, r"q of shape \(4, 4\), expected \(4, 5\)"), (3, "channels/values of shape")):
            bad = list(records(4, 8))
            bad[place] = bad[place][:, 1:]
            with pytest.raises(ff.ModelError, match=sentence):
                writer.append(*bad)
        with pytest.raises(ff.ModelError, match="follow each other in time"):
            writer.append(*good)
        with pytest.raises(ff.ModelError, match="only numbers"):
            writer.checkpoint({"names": np.array(["a"])})
        with pytest.raises(ff.ModelError, match="plain JSON"):
            writer.checkpoint({"thing": object()})
    with pytest.raises(ff.WriteError, match="is finished"):
        writer.append(*records(4, 5))
    assert_records_right(ff.io.read(path))


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Channel(""), "must not be empty"),
        (lambda: Channel("a", "m", ("x", "x")), "not all different"),
        (lambda: ff.io.column_slices([Channel("a"), Channel("a")]), "given twice"),
        (lambda: ResultMeta(nq=-1, nv=0), "0 or more"),
        (lambda: ResultMeta(nq=0, nv=0, settings={"a": math.nan}), "plain JSON"),
        (lambda: ff.io.Status("done"), "unknown"),
    ],
)
def test_nonsense_is_named(make, sentence):
    with pytest.raises(ff.ModelError, match=sentence):
        make()


def test_a_torn_slot_leaves_the_other(tmp_path):
    """Every byte of the newer slot is damaged in turn; the older content is always found."""
    with h5py.File(tmp_path / "slots.h5", "w") as file:
        create_slots(file, "pair")
        assert read_slots(file, "pair") == (0, None)
        writer = SlotWriter(file, "pair")
        for content in (b"first", b"second", b"third" * 2000):
            writer.write(content)
        assert read_slots(file, "pair") == (3, b"third" * 2000)
        newest = file["pair/1"]
        raw = newest[...]
        for place in range(60):
            damaged = raw.copy()
            damaged[place] ^= 1
            newest[...] = damaged
            assert read_slots(file, "pair") == (2, b"second")


def test_damaged_files_say_so(tmp_path):
    path = tmp_path / "run.h5"
    with ResultWriter.create(path, CHANNELS, META) as writer:
        writer.append(*records(0, 50))
    with h5py.File(path, "r+") as file:
        for which in "01":
            file[f"journal/{which}"][20] ^= 1
    with pytest.raises(ff.ReadError, match="journal"):
        ff.io.read(path)
    cut = tmp_path / "cut.h5"
    cut.write_bytes(path.read_bytes()[:3000])
    with pytest.raises(ff.ReadError, match="cut"):
        ff.io.read(cut)


def test_description(tmp_path):
    path = tmp_path / "run.h5"
    with ResultWriter.create(path, CHANNELS, META) as writer:
        writer.append(*records(0, 50))
        writer.checkpoint({})
    found = ff.io.describe(ff.io.read(path))
    assert found["record_count"] == 50
    assert (found["first_time_s"], found["last_time_s"]) == (0.0, 0.049)
    assert (found["status"], found["message"]) == ("finished", "finished at t = 0.049 s")
    assert found["checkpoint_record"] == 50
    assert found["channels"][0] == {"channel": "A.force", "unit": "N", "components": ["x", "y", "z"]}


def test_parameters_are_described_as_the_run_had_them(tmp_path):
    path = tmp_path / "run.h5"
    meta = replace(META, model="[parameters]\nmass = 2.0\nspeed = 3.0\n", settings={"parameters": {"speed": 5.0}})
    with ResultWriter.create(path, CHANNELS, meta) as writer:
        writer.append(*records(0, 5, meta=meta))
    assert ff.io.describe(ff.io.read(path))["settings"]["parameters"] == {"mass": 2.0, "speed": 5.0}


def test_a_damaged_file_that_was_being_written_does_not_hang(tmp_path):
    """As a careless copy of a running file: marked as being written, and cut short."""
    path = tmp_path / "run.h5"
    writer = ResultWriter.create(path, CHANNELS, META)
    writer.append(*records(0, 500))
    writer.flush()
    copy = tmp_path / "copy.h5"
    copy.write_bytes(path.read_bytes())
    writer.finish()
    assert_records_right(ff.io.read(copy))
    for length in (150_000, 20_000, 3000, 40, 0):  # the journal counts records that are cut off
        copy.write_bytes(copy.read_bytes()[:length])
        with pytest.raises(ff.ReadError, match=r"copy\.h5"):
            assert_records_right(ff.io.read(copy))
