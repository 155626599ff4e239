"""Stresses in runs, states and modes of machines: beam theory, colours of pages, one sentence where there are none."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run
from floatframe.errors import ModelError
from floatframe.fem import BeamSection, Material
from tests.viewer.opened_page import Opened

STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0)
SIDE, LENGTH, FORCE = 0.02, 1.0, 10.0
BENDING = 6.0 * FORCE * LENGTH / SIDE**3  # M c / I at the root of a square cantilever with a force at its tip [Pa]


@pytest.fixture(scope="module")
def fe():
    return ff.fem.beam_line((0, 0, 0), (LENGTH, 0, 0), n=10, section=BeamSection.rectangle(SIDE, SIDE), material=STEEL)


@pytest.fixture(scope="module")
def cantilever(fe):
    """Two cantilevers of one finite element model, the second one with twice the force."""
    reduced = ff.modal.reduce(fe, interface=[1, 11], n_modes=2)
    model = ff.hybrid.Model(name="cantilevers")
    for k, name in enumerate(("one", "two")):
        beam = model.add(ff.hybrid.FlexibleBody(name, reduced, damping=0.02, position=(0, k, 0)))
        model.add(ff.hybrid.fixed(f"root_{name}", beam.node(1), model.ground.at((0, k, 0))))
        pull = (0, 0, -FORCE * (k + 1))
        model.add(ff.hybrid.point_force(f"pull_{name}", beam.node(11), force=pull))
    return model.compile()


def stresses_of(scene, clip, state) -> dict[str, np.ndarray]:
    """Return the numbers that colour the bodies by name."""
    values = scene.values(clip, state)
    return {part.name: v for part, v in zip(scene.parts, values, strict=True) if not part.color}


def test_stress_of_a_state_is_that_of_beam_theory(cantilever, fe):
    scene = ff.viewer.scene_of(cantilever, state=cantilever.equilibrium(), fe=fe, stress=True)
    found = stresses_of(scene, scene.clips[0], scene.state(scene.clips[0], 0.0))
    assert scene.clips[0].legend == "von Mises stress [Pa]"
    # geometric stiffening and the turned force of a deflection of 1 mm change them by its square
    assert found["one"].max() == pytest.approx(BENDING, rel=1e-3)
    assert found["two"].max() == pytest.approx(2 * BENDING, rel=1e-3)


def test_stress_of_a_run_follows_its_coordinates_however_it_is_magnified(cantilever, fe):
    result = cantilever.simulate(t_end=0.05, step=1e-3, record=ff.hybrid.Record(every=5e-3))
    scene = ff.viewer.scene_of(result, fe=fe, stress=True)
    clip = scene.clips[0]
    one, two = (stresses_of(scene, clip, scene.state(clip, 0.7))[name] for name in ("one", "two"))
    assert two == pytest.approx(2 * one, rel=0.02, abs=1e-3 * two.max())  # linear but for terms of second order
    # the same from the modal coordinates of that record
    first, reduced = int(cantilever.tables.flexible[0]["iq"]), cantilever.model.bodies[0].reduced
    u = reduced.expand(result.q[clip.frame(0.7), first : first + reduced.nmode])
    assert ff.fem.stresses(fe, u).nodal_von_mises().max() == pytest.approx(one.max(), rel=1e-9)


def test_stress_of_modes_shares_one_scale(cantilever, fe):
    state = cantilever.equilibrium()
    scene = ff.viewer.scene_of(cantilever, state=state, linear=cantilever.linearise(state, n=2), fe=fe, stress=True)
    for clip in scene.clips:
        found = stresses_of(scene, clip, scene.rest)
        assert max(values.max() for values in found.values()) == pytest.approx(1.0)
        assert clip.legend == "relative von Mises stress [-]"


def test_body_without_its_model_stays_plain(cantilever, fe):
    other = replace(fe, nodes=fe.nodes + np.array([0.1, 0, 0]), name="other")
    with pytest.raises(ff.ModelError, match="'one', 'two' have other nodes"):
        ff.viewer.scene_of(cantilever, fe=[fe, other], stress=True)
    with pytest.raises(ff.ModelError, match=r"bodies 'one', 'two' keep no stresses; give the finite element model"):
        ff.viewer.scene_of(cantilever, stress=True)
    with pytest.raises(ff.ModelError, match="no flexible body is deformed"):
        ff.viewer.scene_of(cantilever, state=cantilever.initial_state(), fe=fe, stress=True)


def test_page_of_a_run_shows_stresses_of_the_moment(browser, cantilever, fe, tmp_path):
    result = cantilever.simulate(t_end=0.05, step=1e-3, record=ff.hybrid.Record(every=5e-3))
    shown = Opened(browser, ff.viewer.page(result, tmp_path / "run.html", fe=fe, stress=True, amplitude=20))
    assert shown.page.inner_text("#amplitude-number") == "× 20"
    scene = ff.viewer.scene_of(result, fe=fe, stress=True)
    clip = scene.clips[0]
    shown.slide("moment", 0.7)
    number = [carrier.name for carrier in scene.carriers].index("two")
    drawn = shown.page.evaluate(f"Array.from(floatframe.viewer.carriers[{number}].data).filter((_, k) => k % 8 === 3)")
    expected = clip.values[number](clip.modal[number][clip.frame(0.7)])
    step = shown.page.evaluate("floatframe.viewer.scene.clips[0].top") / 254
    assert drawn == pytest.approx(expected, abs=0.51 * step)  # one byte each
    # nodes are drawn twenty times as far from where they would be
    moved = shown.page.evaluate(f"floatframe.viewer.carriers[{number}].factor")
    assert moved == 20
    assert not shown.errors


def test_bodies_reduced_by_the_command_line_know_their_model(fe, tmp_path, capsys):
    ff.io.write(tmp_path / "beam.h5", fe)
    body = tmp_path / "body.h5"
    assert run(["reduce", str(tmp_path / "beam.h5"), "--interface", "1,11", "-n", "2", "-o", str(body)]) == 0
    (tmp_path / "model.toml").write_text(
        'format = "floatframe-model/1"\ngravity = [0, 0, -9.81]\n'
        '[[flexible]]\nname = "beam"\nfile = "body.h5"\n'
        '[[joint]]\nname = "root"\ntype = "fixed"\nplace = {body = "beam", node = 1}\nagainst = {body = "ground"}\n'
    )
    where = ["--at", "equilibrium", "--stress", "--save", str(tmp_path / "a.html")]
    assert run(["view", str(tmp_path / "model.toml"), *where]) == 0, capsys.readouterr().err
    (tmp_path / "beam.h5").write_bytes(b"changed")
    assert run(["view", str(tmp_path / "model.toml"), *where]) == 1
    assert "--model FE" in capsys.readouterr().err


KINDS = ("rod.h5", "rodfe.h5", "rodfe-modes.h5", "rod.fum", "model.toml", "run.h5", "sweep.h5", "matrices.nodes")
OPTIONS = {
    "mode": ["--mode", "1"],
    "time": ["--time", "0.1"],
    "amplitude": ["--amplitude", "2"],
    "trace": ["--trace", "rod.node[3]"],
    "channel": ["--channel", "A.force"],
    "set": ["--set", "torque=5"],
    "at": ["--at", "start"],
    "fixed": ["--fixed", "1"],
    "fe": ["--model", "rodfe.h5"],
    "file": ["--model", "model.toml"],
    "thick": ["--shells-thick"],
    "stress": ["--stress"],
    "units": ["--units", "mm-t-s"],
    "couple": ["--couple", "start=rbe2"],
}


@pytest.fixture(scope="module")
def every_kind(machine_folder):
    """The slider-crank's folder with all kinds of files that can be looked at."""
    folder = machine_folder
    rod = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=20, section=BeamSection.rectangle(SIDE, SIDE), material=STEEL)
    ff.io.write(folder / "rodfe.h5", rod)
    modes = ff.modal.eigenmodes(rod, n=2, fixed=["start"])
    ff.io.write(folder / "rodfe-modes.h5", ff.io.NodalModes.of(rod, modes))
    ff.io.write(folder / "rod.fum", ff.io.read(folder / "rod.h5"))
    ff.hybrid.sweep(
        folder / "model.toml", {"torque": [10.0]}, "linear", path=folder / "sweep.h5", workers=1, at="start"
    )
    ff.io.write(folder / "matrices.nodes", ff.fem.MatrixModel.of(rod))
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_options_fit_a_file_or_say_why_not(every_kind, tmp_path, monkeypatch, capsys, kind):
    """Every option alone and with --mode or --stress, on every kind of file."""
    monkeypatch.chdir(every_kind)
    monkeypatch.setattr("floatframe.viewer.save", lambda scene, path, **options: path.touch())
    done = []
    for name, more in itertools.product(OPTIONS, ((), ("mode", "stress"), ("fe", "stress"))):
        words = dict.fromkeys((name, *more))
        options = [word for key in words for word in OPTIONS[key]]
        code = run(["view", kind, *options, "--save", str(tmp_path / "a.html")])
        said = capsys.readouterr().err
        assert "should not happen" not in said, (words, said)
        assert code in (0, 1, 2)
        assert code == 0 or said.count("\n") == 1, said
        done += [tuple(words)] if code == 0 else []
    for words in WORKS[kind]:
        assert words in done
    assert all("stress" not in words or SHOWS_STRESS[kind] & {*words} for words in done)


WORKS = {
    "rod.h5": [("mode",), ("fe", "stress"), ("amplitude",), ("thick", "fe", "stress")],
    "rod.fum": [("mode",), ("fe", "stress"), ("amplitude",)],
    "rodfe.h5": [("mode",), ("mode", "stress"), ("fixed", "mode", "stress"), ("thick", "mode", "stress")],
    "rodfe-modes.h5": [("mode",), ("stress",), ("fe", "stress"), ("thick", "fe", "stress")],
    "model.toml": [("at",), ("set",), ("thick",), ("fe",)],
    "run.h5": [("trace",), ("channel",), ("thick",), ("fe", "stress"), ("file", "fe", "stress")],
    "sweep.h5": [],
    "matrices.nodes": [],
}
# one of these must be there for stresses
SHOWS_STRESS = {
    **{kind: {"fe"} for kind in ("rod.h5", "rod.fum", "run.h5", "model.toml")},
    "rodfe.h5": {"mode"},
    "rodfe-modes.h5": {"stress"},
    **{kind: set() for kind in ("sweep.h5", "matrices.nodes")},
}


def test_a_body_takes_the_colours_of_numbers_at_its_nodes(cantilever):
    body = cantilever.model.bodies[0].reduced
    scene = ff.viewer.scene_of(body, values=(body.node_ids[1:3], np.array([2.0, 3.0])), legend="damage")
    [clip] = scene.clips
    assert clip.legend == "damage"
    assert np.isnan(clip.values[0][0])
    assert clip.values[0][1:3].tolist() == [2.0, 3.0]
    assert not scene.carriers[0].shapes.any()  # at rest
    with pytest.raises(ModelError, match="none of the values to be drawn is a number"):
        ff.viewer.scene_of(body, values=(body.node_ids[:1], np.array([np.nan])))
