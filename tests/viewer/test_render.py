"""Pictures show something: the object fills the frame, colours span the range, and a missing driver is explained."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.image import imread

import floatframe as ff
from floatframe.viewer import probe

BACKGROUND = np.ones(3)


def drawn(path) -> np.ndarray:
    """Return the pixels (height, width) of the object: not white, below the title and above the colour bar."""
    image = imread(path)[..., :3]
    ink = (np.abs(image - BACKGROUND) > 0.02).any(axis=2)
    height = len(ink)
    ink[: height // 8], ink[-height // 6 :] = False, False
    return ink


def span(ink: np.ndarray, axis: int) -> float:
    """Return which part of the frame the object takes along an axis."""
    places = np.flatnonzero(ink.any(axis=1 - axis))
    return (places[-1] - places[0]) / ink.shape[axis]


def bent(fe: ff.fem.FEModel) -> np.ndarray:
    u = np.zeros((fe.nnode, 6))
    x = fe.nodes[:, 0] / np.ptp(fe.nodes[:, 0])
    u[:, 2], u[:, 4] = x**2, -2 * x / np.ptp(fe.nodes[:, 0])
    return u


@pytest.mark.usefixtures("rendering")
def test_deformed_beam_fills_the_frame_with_all_colours(beam, tmp_path):
    path = ff.viewer.picture(beam, tmp_path / "beam.png", bent(beam), title="beam", size=(640, 360))
    image, ink = imread(path)[..., :3], drawn(path)
    assert image.shape == (360, 640, 3)
    assert span(ink, 1) > 0.85
    assert span(ink, 0) > 0.2
    # the colour map runs from dark violet to yellow
    red, green, blue = np.moveaxis(image[ink], -1, 0)
    assert ((red > 0.6) & (green > 0.6) & (blue < 0.4)).any()
    assert ((green < 0.2) & (blue > green)).any()


@pytest.mark.usefixtures("rendering")
def test_ghost_stays_where_the_model_was(beam, tmp_path):
    still = drawn(ff.viewer.picture(beam, tmp_path / "a.png", np.full((beam.nnode, 6), 1e-12), scale=1.0))
    moved = drawn(ff.viewer.picture(beam, tmp_path / "b.png", bent(beam)))
    assert moved.sum() > 1.5 * still.sum()


@pytest.mark.usefixtures("rendering")
def test_tall_and_flat_models_fill_the_frame(tmp_path):
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    mast = ff.fem.beam_line((5, 5, 0), (5, 5, 3), 4, ff.fem.BeamSection.rectangle(0.1, 0.1), steel)
    plate = ff.fem.plate_grid(1.0, 1.5, nx=4, ny=6, thickness=0.01, material=steel)
    assert span(drawn(ff.viewer.picture(mast, tmp_path / "mast.png")), 0) > 0.6
    assert span(drawn(ff.viewer.picture(plate, tmp_path / "plate.png")), 1) > 0.6


@pytest.mark.usefixtures("rendering")
def test_mode_picture_takes_the_first_elastic_mode(beam, tmp_path, monkeypatch):
    titles = []
    monkeypatch.setattr("floatframe.viewer.render.picture", lambda *args, title, **rest: titles.append(title))
    modes = SimpleNamespace(
        omega=np.array([0.0, 20 * np.pi]),
        frequency=np.array([0.0, 10.0]),
        kind=("rigid", "elastic"),
        shapes=np.ones((beam.ndof, 2)),
    )
    ff.viewer.mode_picture(beam, modes, tmp_path / "mode.png")
    assert titles == ["beam, mode 2: 10 Hz"]
    with pytest.raises(ff.ModelError, match="mode 3 does not exist; there are 2"):
        ff.viewer.mode_picture(beam, modes, tmp_path / "mode.png", 3)


def test_wrong_requests_are_refused_before_drawing(beam, tmp_path):
    with pytest.raises(ff.ModelError, match=r"shape \(3, 6\), expected \(21, 6\)"):
        ff.viewer.picture(beam, tmp_path / "a.png", np.zeros((3, 6)))
    with pytest.raises(ff.ModelError, match="not finite"):
        ff.viewer.picture(beam, tmp_path / "a.png", np.full((21, 6), np.nan))
    with pytest.raises(ff.WriteError, match=r"as \.png, not '\.gif'"):
        ff.viewer.picture(beam, tmp_path / "a.gif")
    with pytest.raises(ff.WriteError, match="no folder"):
        ff.viewer.picture(beam, tmp_path / "nowhere" / "a.png")


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (subprocess.CompletedProcess([], -11, "", ""), "signal 11"),
        (subprocess.CompletedProcess([], 1, "", "Traceback\nImportError: libGL.so.1"), "libGL.so.1"),
        (subprocess.TimeoutExpired([], 120), "more than 120 s"),
    ],
)
def test_missing_driver_is_answered_with_the_line_to_run(beam, tmp_path, monkeypatch, outcome, reason):
    def no_driver(*args, **kwargs):
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    monkeypatch.setattr(probe.subprocess, "run", no_driver)
    probe.rendering_problem.cache_clear()
    try:
        with pytest.raises(ff.MissingDependency, match=rf"{reason}.*apt-get install .*libegl1 libgl1-mesa-dri"):
            ff.viewer.picture(beam, tmp_path / "beam.png")
    finally:
        probe.rendering_problem.cache_clear()
    assert not (tmp_path / "beam.png").exists()
