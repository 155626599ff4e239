"""Runs that are interrupted, killed and resumed end with the same bits as one that was left alone."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid
from floatframe.errors import ModelError, ReadError
from floatframe.hybrid.kernels import STEPPING
from floatframe.hybrid.simulation import run as running
from floatframe.io import ResultWriter
from tests.hybrid.interrupted import StopAfter, same_bits
from tests.hybrid.rigid_slider_crank import slider_crank

SETTINGS = {
    "fixed": {"step": 1e-3},
    "controlled": {"method": "generalised-alpha", "rtol": 1e-5},
    "controlled, every step": {"method": "generalised-alpha", "rtol": 1e-6, "record": hybrid.Record()},
    "bdf2": {"method": "bdf2", "step": 1e-3},
    "rk4": {"method": "rk4", "step": 1e-3},
    "rk45": {"method": "rk45"},
    "radau5": {"method": "radau5"},
    "auto": {"method": "auto"},
}


@pytest.fixture(scope="module")
def system():
    return slider_crank().compile()


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
@pytest.mark.parametrize("kind", SETTINGS)
def test_resumed_run_has_the_same_bits(system, tmp_path, monkeypatch, kind, error):
    monkeypatch.setattr(running, "BLOCK_SECONDS", 0.25)  # blocks grow, however busy the machine is
    settings = {"t_end": 1.0, "record": hybrid.Record(every=2e-3), **SETTINGS[kind]}
    whole = system.simulate(**settings)
    assert whole.status.reason == "finished"
    assert whole["A.angle"][-1] > 2 * np.pi  # the counted turns matter
    path = tmp_path / "run.h5"
    broken = None
    later = 2 if kind == "controlled" else 0  # its first steps, from rest, are short
    for blocks in (1, 2):
        stop = StopAfter(blocks + later, error)
        try:
            broken = system.simulate(**settings, path=path, resume=blocks > 1, progress=stop)
        except ValueError:
            broken = hybrid.Results.open(path)
        assert broken.status.reason == ("interrupted" if error is KeyboardInterrupt else "failed")
        assert 0 < broken.status.t < 1.0
        assert broken.t[-1] == broken.status.t
    same_bits(system.simulate(**settings, path=path, resume=True), whole)


def test_interrupted_run_says_how_to_go_on(system, tmp_path):
    broken = system.simulate(t_end=1.0, step=1e-3, path=tmp_path / "r.h5", progress=StopAfter(1, KeyboardInterrupt))
    assert not broken.status.ok
    assert (
        str(broken.status)
        == f"interrupted at t = {broken.t[-1]:.6g} s: all records up to there are saved. Resume to continue."
    )


def test_longer_run_goes_on_from_the_end(system, tmp_path):
    path = tmp_path / "run.h5"
    record = hybrid.Record(every=0.01)
    system.simulate(t_end=0.107, step=1e-3, path=path, record=record)
    longer = system.simulate(t_end=0.2, step=1e-3, path=path, record=record, resume=True)
    assert longer.status.t == 0.2
    assert longer.t.tolist() == pytest.approx([*np.arange(11) * 0.01, 0.107, *np.arange(11, 21) * 0.01])
    again = system.simulate(t_end=0.2, step=1e-3, path=path, record=record, resume=True)
    same_bits(again, longer)


@pytest.mark.parametrize("every", [None, 0.01])
def test_a_run_interrupted_at_its_end_is_finished(system, tmp_path, every):
    settings = {"t_end": 0.1, "step": 1e-3, "record": hybrid.Record(every=every), "path": tmp_path / "run.h5"}

    def stop(now: hybrid.run.Progress) -> None:
        if now.t >= now.t_end:
            raise KeyboardInterrupt

    whole = system.simulate(**settings, progress=stop)
    assert whole.status.reason == "finished"
    t = whole.t.copy()
    assert np.array_equal(system.simulate(**settings, resume=True).t, t)


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_end_that_a_run_has_passed_changes_nothing(system, tmp_path, error):
    path = tmp_path / "run.h5"
    settings = {"step": 1e-3, "record": hybrid.Record(every=2e-3)}
    try:
        system.simulate(t_end=1.0, **settings, path=path, progress=StopAfter(2, error))
    except ValueError:
        assert error is ValueError
    begun = hybrid.Results.open(path)
    t = begun.t.copy()
    assert 0.05 < t[-1] < 1.0
    assert np.array_equal(system.simulate(t_end=0.0513, **settings, path=path, resume=True).t, t)
    same_bits(system.simulate(t_end=1.0, **settings, path=path, resume=True), system.simulate(t_end=1.0, **settings))


def test_other_runs_are_not_resumed(system, tmp_path):
    path = tmp_path / "run.h5"
    with pytest.raises(ReadError, match="does not exist; start the run without resume"):
        system.simulate(t_end=0.1, path=path, resume=True)
    system.simulate(t_end=0.1, step=1e-3, path=path, progress=StopAfter(1, KeyboardInterrupt))
    with pytest.raises(ModelError, match=r"begun with step 0.001, found 0.002"):
        system.simulate(t_end=0.1, step=2e-3, path=path, resume=True)
    with pytest.raises(ModelError, match="records other channels"):
        system.simulate(t_end=0.1, step=1e-3, path=path, resume=True, record=hybrid.Record(channels=("energy",)))
    model = slider_crank()
    model.add(hybrid.point_force("push", model.items["rod"].at(), ("1", "0", "0")))
    with pytest.raises(ModelError, match="the model is not the one"):
        model.compile().simulate(t_end=0.1, step=1e-3, path=path, resume=True)
    before = path.read_bytes()
    assert hybrid.Results.open(path).status.reason == "interrupted"
    assert path.read_bytes() == before


def test_flexible_bodies_resume_too(tmp_path, beam):
    model = hybrid.Model(gravity=(0, 0, -9.81))
    rod = model.add(hybrid.FlexibleBody("rod", ff.modal.reduce(beam, interface=[1, 21], n_modes=4), damping=0.01))
    model.add(hybrid.spherical("A", rod.node(1), model.ground.at()))
    system = model.compile()
    record = hybrid.Record(every=1e-3, channels=("rod.node[21].displacement", "A.force", "energy"))
    whole = system.simulate(t_end=0.3, step=1e-3, record=record)
    path = tmp_path / "run.h5"
    settings = {"t_end": 0.3, "step": 1e-3, "record": record, "path": path}
    system.simulate(**settings, progress=StopAfter(1, KeyboardInterrupt))
    same_bits(system.simulate(**settings, resume=True), whole)


ROOT = Path(__file__).parents[3]
KILLED = """
    import sys
    sys.path.insert(0, {root!r})
    from floatframe import hybrid
    from tests.hybrid.rigid_slider_crank import slider_crank

    record = hybrid.Record(every=1e-3, checkpoint_every=0.02)
    resume = sys.argv[1] == "resume"
    system = slider_crank().compile()
    print("compiled", flush=True)
    system.simulate(t_end=60.0, step=1e-3, record=record, path={path!r}, resume=resume)
    print("finished", flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
def test_killed_run_opens_and_resumes(system, tmp_path):
    path = tmp_path / "run.h5"
    script = textwrap.dedent(KILLED.format(root=str(ROOT), path=str(path)))
    chance = random.Random(7)
    for _ in range(3):
        kind = "resume" if path.exists() else "new"
        process = subprocess.Popen([sys.executable, "-c", script, kind], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "compiled\n"
        while not path.exists() and process.poll() is None:  # a busy machine takes long until the run begins
            time.sleep(0.01)
        time.sleep(chance.uniform(0.05, 0.5))
        process.kill()
        if process.communicate()[0]:
            break
        if path.exists():
            left = hybrid.Results.open(path)
            assert left.status.reason == "running"
            assert np.array_equal(left.t, np.arange(len(left)) * 1e-3)
            assert np.isfinite(left.q).all()
    record = hybrid.Record(every=1e-3, checkpoint_every=0.02)
    settings = {"t_end": 60.0, "step": 1e-3, "record": record}
    same_bits(system.simulate(**settings, path=path, resume=True), system.simulate(**settings))


def test_checkpoints_of_another_version_are_refused(system, tmp_path, monkeypatch):
    from floatframe.hybrid.simulation import integrators

    path = tmp_path / "run.h5"
    with monkeypatch.context() as other:
        other.setattr(integrators, "CARRIED", integrators.CARRIED[:-1])
        system.simulate(t_end=0.01, step=1e-3, path=path)
    with pytest.raises(ModelError, match="another version of Floatframe; start a new run"):
        system.simulate(t_end=0.02, step=1e-3, path=path, resume=True)


@pytest.mark.parametrize(
    ("name", "damage", "words"),
    [
        ("settings", lambda x: np.where(np.arange(len(x)) == STEPPING.names.index("time"), np.nan, x), "time"),
        ("settings", lambda x: np.where(np.arange(len(x)) == STEPPING.names.index("kind"), 7.0, x), "method"),
        ("settings", lambda x: np.where(np.arange(len(x)) == STEPPING.names.index("h"), 0.0, x), "length"),
        ("settings", lambda x: x[:-1], "settings"),
        ("work.dofs", lambda x: np.full_like(x, np.array(10**9).view(np.float64)), "lead"),  # an index, 8 GB further on
        ("work.rows", lambda x: np.full_like(x, np.array(-1).view(np.float64)), "outside of the model"),
        ("work.q", lambda x: x.astype(np.float32), "float32"),
        ("memory", lambda x: "text", "memory"),
        ("rows", lambda x: x + 1000, "constraint rows"),
        ("run", lambda x: np.full_like(x, np.inf), "its time"),
        ("counted", lambda x: x[:2], "counted"),
        ("start", lambda x: -1e300, "too long ago"),
        ("start", lambda x: None, "start"),
    ],
)
def test_a_checkpoint_with_contents_of_others_does_not_reach_the_kernels(system, tmp_path, name, damage, words):
    """With sound checksums, as somebody may have made it up."""
    path = tmp_path / "run.h5"
    system.simulate(t_end=0.01, step=1e-3, path=path)
    writer = ResultWriter.resume(path)
    content = dict(writer.resumed_from.content)
    writer.checkpoint({**content, name: damage(content[name])})
    writer.finish("interrupted")
    with pytest.raises(ModelError, match=f"start a new run \\(.*{words}"):
        system.simulate(t_end=0.02, step=1e-3, path=path, resume=True)
