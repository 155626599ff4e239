"""The slider-crank study meets the independent reference values, for every model of its rod."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import floatframe as ff
from floatframe.samples.slider_crank import study

# the study shows what becomes of a rod without them
pytestmark = pytest.mark.filterwarnings("ignore:body 'rod' has no geometric terms")


@pytest.fixture(scope="module")
def done(tmp_path_factory) -> study.Study:
    return study.run(tmp_path_factory.mktemp("slider_crank"))


@pytest.fixture(scope="module")
def folder(done):
    return done.files[0].parent


def crank_speed(result: ff.hybrid.Results) -> float:
    return float(result["crank.angular_velocity.z"][-1])


def flexible(folder, frame: str, modes: int = 20, **settings: float | None) -> ff.hybrid.Results:
    """The linear floating frame in another frame, with some of its eigenmodes."""
    text = (folder / "flexible.toml").read_text(encoding="utf-8")
    file = folder / f"{frame}.toml"
    lines = f'stiffening = "off"\nframe = "{frame}"\nmodes = {modes}'
    file.write_text(text.replace('stiffening = "off"', lines), encoding="utf-8")
    return study.simulate(file, **settings)


def test_rigid_rod(done):
    assert done.speed("rigid") == pytest.approx(6.8606, rel=1e-4)


def test_chain_of_eleven(done):
    assert done.speed("chain") == pytest.approx(6.9176, rel=1e-4)


def test_linear_floating_frame(done):
    assert done.speed("linear") == pytest.approx(7.0530, rel=1e-3)
    assert done.largest_reaction("linear") == pytest.approx(2567.0, rel=2e-3)


def test_frames_agree(done, folder):
    chord = crank_speed(flexible(folder, "chord"))
    assert chord == pytest.approx(7.0533, rel=1e-3)
    assert chord == pytest.approx(done.speed("linear"), rel=1e-3)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:body 'rod'. its frame is clamped")
def test_frame_clamped_to_a_node_is_visibly_wrong(folder):
    # turns of the rod against its clamped end shake its stiff axial modes, which take 120 000 controlled steps;
    # rk45 with rtol 1e-7 gives 7.4305 rad/s and 11 518 N. Fixed steps that leave those modes out do not converge: the
    # 7.119 rad/s and 5870 N of others, like our 6.6 and 6370 at 0.5 ms without spectral radius, are of that kind.
    # These values are of 19 modes, which end with a whole pair; 18 end inside it and are taken as 19
    result = flexible(folder, "node", modes=18, step=None, rtol=1e-5)
    assert result.status.ok
    assert crank_speed(result) == pytest.approx(7.4305, rel=2e-3)
    assert np.linalg.norm(result["A.force"], axis=1).max() == pytest.approx(11518, rel=1e-2)


@pytest.mark.filterwarnings("ignore:body 'rod'. its frame is clamped")
def test_fixed_steps_pass_where_newton_fails(folder):
    """The same with steps of 1 ms and little damping: the status tells what became of those that were too long."""
    result = flexible(folder, "node", step=1e-3, spectral_radius=0.6)
    assert result.status.reason == "finished"
    assert "with steps of 0.001 s, which were halved there" in result.status.message
    assert result.statistics["steps"][-1] > 2000
    # the last of them ends on the grid, to the rounding of time
    assert result.statistics["step"][1:].min() >= (1 - 1e-6) * 1e-3 / 64
    assert len(result) == 2001
    assert result.statistics["constraint_drift"].max() < 1e-8


def test_geometric_stiffness_closes_the_gap_to_the_chain(done):
    # the 2 % between linear floating frame and chain are geometric stiffness; geometrically exact beams give this range
    assert 6.916 < done.speed("stiffened") < 6.921
    assert done.speed("stiffened") == pytest.approx(done.speed("chain"), rel=5e-4)


def test_runs_are_sound(done):
    for run in done.runs.values():
        assert run.status.reason == "finished"
        assert run.statistics["constraint_drift"].max() < 1e-8
        # trapezoidal rule over records of 1 ms, and the method's damping of axial vibrations of the rod
        assert np.abs(run.statistics["energy_balance"]).max() < 1e-3 * run["energy.total"].max()


def test_the_tutorial_shows_this_table(done):
    page = (Path(__file__).parents[2] / "docs" / "tutorials" / "first-machine.md").read_text(encoding="utf-8")
    for line in study.table(done).splitlines():
        assert line in page


def test_smaller_steps_meet_the_reference_of_smaller_steps(folder):
    # ours is 7.0568 and stays within 3e-4 of it for 0.2 and 0.05 ms, a tighter Newton tolerance and more damping: 4e-4
    # above the reference for a reason that is not known; 1e-3 is the agreement asked of this model
    assert crank_speed(flexible(folder, "mean", step=1e-4)) == pytest.approx(7.0540, rel=1e-3)


def test_files_and_table(done):
    assert {"input.fum", "reactions.png", "crank.png", "differences.png"} <= {path.name for path in done.files}
    assert all(path.stat().st_size > 1000 for path in done.files)
    lines = study.table(done).splitlines()
    assert [line.split()[0] for line in lines] == ["rod", *study.MODELS]
