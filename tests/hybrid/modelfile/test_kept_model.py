"""Runs made in Python keep their model: what was simulated is rebuilt from the file alone."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import floatframe as ff
from floatframe.hybrid.assembly import fingerprint


@pytest.fixture(scope="module")
def reduced(beam):
    return ff.modal.reduce(beam, interface=[1, 21], n_modes=2)


def swing(reduced, **parameters) -> ff.hybrid.Model:
    """Two flexible bars of one reduced body in a part used twice, hinged to the ground, one with a spring."""
    model = ff.hybrid.Model(gravity=(0, 0, -9.81), parameters={"k": 100.0, **parameters}, name="swings")
    part = ff.hybrid.Subsystem("swing", {"damping": 0.01})
    bar = part.add(ff.hybrid.FlexibleBody("bar", reduced, damping="damping"))
    part.add(ff.hybrid.revolute("hinge", bar.node(1), part.ground.at(), axis=(0, 1, 0)))
    model.add(part.instance("left"))
    model.add(part.instance("right", position=(0, 1, 0), parameters={"damping": 0.02}))
    model.add(ff.hybrid.spring("rope", model["left.bar"].node(21), model["right.bar"].node(21), stiffness="k"))
    return model


def test_the_file_alone_gives_the_same_system(reduced, tmp_path):
    system = swing(reduced).compile({"k": 250.0, "right.damping": 0.05})
    settings = {"t_end": 0.02, "step": 1e-3, "record": ff.hybrid.Record(every=2e-3)}
    result = system.simulate(path=tmp_path / "run.h5", **settings)
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    (tmp_path / "run.h5").rename(moved / "other.h5")
    alone = ff.hybrid.Results.open(moved / "other.h5")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # none that the model was changed since
        again = ff.hybrid.system_of(alone)
    assert fingerprint(again) == fingerprint(system)
    assert again.model.parameters == system.model.parameters
    # one reduced body serves both bars
    assert len(alone.source.files) == 1
    # nodes that were not recorded are recovered as from the system itself
    np.testing.assert_array_equal(
        alone["left.bar.node[7].displacement"], system.simulate(**settings)["left.bar.node[7].displacement"]
    )
    assert ff.viewer.scene_of(alone).title == "swings"
    del result


def test_a_model_that_grows_later_does_not_change_the_run(reduced, tmp_path):
    model = swing(reduced)
    system = model.compile()
    model.add(ff.hybrid.RigidBody("late", mass=1.0))
    model.items["left"].subsystem.add(ff.hybrid.RigidBody("later", mass=1.0))
    model.parameters["k"] = 7.0
    run = system.simulate(t_end=2e-3, step=1e-3, path=tmp_path / "run.h5")
    assert fingerprint(ff.hybrid.system_of(ff.hybrid.Results.open(tmp_path / "run.h5"))) == fingerprint(run.system)


def test_resumed_runs_keep_their_files(reduced, tmp_path):
    system = swing(reduced).compile()
    path = tmp_path / "run.h5"
    system.simulate(t_end=2e-3, step=1e-3, path=path)
    system.simulate(t_end=4e-3, step=1e-3, path=path, resume=True)
    alone = ff.hybrid.Results.open(path)
    assert alone.t[-1] == pytest.approx(4e-3)
    assert fingerprint(ff.hybrid.system_of(alone)) == fingerprint(system)


def test_nothing_is_kept_if_that_is_asked_for(reduced, tmp_path):
    swing(reduced).compile().simulate(
        t_end=1e-3, step=1e-3, path=tmp_path / "run.h5", record=ff.hybrid.Record(model=False)
    )
    alone = ff.hybrid.Results.open(tmp_path / "run.h5")
    assert not alone.source.files
    with pytest.raises(ff.ModelError, match="has no model text"):
        ff.hybrid.system_of(alone)


def test_python_functions_are_left_out_and_named(tmp_path):
    model = ff.hybrid.Model(name="pushed")
    ball = model.add(ff.hybrid.RigidBody("ball", mass=1.0, inertia=(1, 1, 1)))
    model.add(ff.hybrid.user_force("push", ball.at(), model.ground.at(), lambda *_: ((0.0, 0.0, 1.0), (0.0, 0.0, 0.0))))
    model.compile().simulate(t_end=0.1, step=0.01, path=tmp_path / "run.h5")
    alone = ff.hybrid.Results.open(tmp_path / "run.h5")
    assert "left out, since a model file cannot name Python functions: " in alone.meta.model
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ff.viewer.scene_of(alone).title == "pushed"
