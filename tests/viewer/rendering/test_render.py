"""Pictures show something: the object fills the frame, colours span the range, and a missing driver is explained."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace

import numpy as np
import pytest

import floatframe as ff
from floatframe.viewer.rendering import probe
from tests.viewer.looking import REFERENCE, difference, drawn, pixels, span


def bent(fe: ff.fem.FEModel) -> np.ndarray:
    u = np.zeros((fe.nnode, 6))
    x = fe.nodes[:, 0] / np.ptp(fe.nodes[:, 0])
    u[:, 2], u[:, 4] = x**2, -2 * x / np.ptp(fe.nodes[:, 0])
    return u


def has_all_colours(path, ink) -> bool:
    """Whether both ends of the colour map are there: dark violet and yellow."""
    red, green, blue = np.moveaxis(pixels(path)[ink], -1, 0)
    yellow, violet = (red > 0.6) & (green > 0.6) & (blue < 0.4), (green < 0.2) & (blue > green)
    return bool(yellow.any() and violet.any())


@pytest.mark.usefixtures("rendering")
def test_deformed_beam_fills_the_frame_with_all_colours(beam, tmp_path):
    path = ff.viewer.picture(beam, tmp_path / "beam.png", bent(beam), title="beam", size=(640, 360))
    ink = drawn(path)
    assert pixels(path).shape == (360, 640, 3)
    assert span(ink, 1) > 0.85
    assert span(ink, 0) > 0.2
    assert has_all_colours(path, ink)


@pytest.mark.usefixtures("rendering")
def test_a_small_picture_has_no_words(beam, tmp_path):
    """Title, colour bar, arrows of the axes: the frame is white where they stand else."""
    for words in (True, False):
        path = ff.viewer.picture(beam, tmp_path / "small.png", bent(beam), title="b", size=(256, 160), words=words)
        image = pixels(path)
        blank = [bool((part == 1.0).all()) for part in (image[:12], image[-20:])]
        assert blank == [not words, not words]
        assert has_all_colours(path, drawn(path))


@pytest.mark.usefixtures("rendering")
def test_ghost_stays_where_the_model_was(beam, tmp_path):
    # the ghost is light grey: what the picture without motion does not have
    def ghost(path) -> int:
        image = pixels(path)
        grey = (np.ptp(image, axis=2) < 0.1) & (image.mean(axis=2) > 0.6) & (image.mean(axis=2) < 0.97)
        return int((grey & drawn(path)).sum())

    still = ghost(ff.viewer.picture(beam, tmp_path / "a.png"))
    moved = ghost(ff.viewer.picture(beam, tmp_path / "b.png", bent(beam)))
    assert moved > still + 300


@pytest.mark.usefixtures("rendering")
def test_axes_stand_in_the_corner(beam, tmp_path):
    image = pixels(ff.viewer.picture(beam, tmp_path / "a.png"))
    height, width = image.shape[:2]
    corner = image[-height // 5 :, : width // 8]
    red, green, blue = np.moveaxis(corner, -1, 0)
    for strong, others in ((red, (green, blue)), (green, (red, blue)), (blue, (red, green))):
        assert ((strong > others[0] + 0.15) & (strong > others[1] + 0.15)).sum() > 20


@pytest.mark.usefixtures("rendering")
def test_a_name_without_end_leaves_a_title_that_can_be_read(beam, tmp_path):
    image = pixels(ff.viewer.picture(beam, tmp_path / "a.png", title="x" * 100_000))
    ink = (image[: len(image) // 10] < 0.5).all(axis=2)
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    assert len(rows) > 5  # letters, not a line
    assert columns[-1] < 0.99 * image.shape[1]


@pytest.mark.usefixtures("rendering")
def test_tall_and_flat_models_fill_the_frame(tmp_path):
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    mast = ff.fem.beam_line((5, 5, 0), (5, 5, 3), 4, ff.fem.BeamSection.rectangle(0.1, 0.1), steel)
    plate = ff.fem.plate_grid(1.0, 1.5, nx=4, ny=6, thickness=0.01, material=steel)
    assert span(drawn(ff.viewer.picture(mast, tmp_path / "mast.png")), 0) > 0.6
    assert span(drawn(ff.viewer.picture(plate, tmp_path / "plate.png")), 1) > 0.6


@pytest.mark.usefixtures("rendering")
def test_mode_picture_takes_the_first_elastic_mode(beam, tmp_path, monkeypatch):
    chosen = []
    monkeypatch.setattr("floatframe.viewer.rendering.pictures.picture", lambda *args, mode, **rest: chosen.append(mode))
    modes = SimpleNamespace(kind=("rigid", "elastic"))
    ff.viewer.mode_picture(beam, modes, tmp_path / "mode.png")
    ff.viewer.mode_picture(beam, modes, tmp_path / "mode.png", 1)
    assert chosen == [2, 1]


@pytest.mark.usefixtures("rendering")
def test_pictures_look_as_they_did(machine, body, machine_folder, tmp_path):
    """Compare with stored pictures; `python -m tests.viewer.reference_pictures` draws them again."""
    from tests.viewer.reference_pictures import draw_all, draw_run

    run = ff.hybrid.Results.open(machine_folder / "run.h5")
    for path in (*draw_all(tmp_path, machine, body), *draw_run(tmp_path, run)):
        stored = REFERENCE / path.name
        assert stored.is_file(), f"no stored picture {path.name}"
        # other drivers shade and smooth edges a little differently; a missing part or a turned view gives over 0.02
        assert difference(path, stored) < 0.006, path.name


@pytest.mark.usefixtures("rendering")
def test_difference_of_pictures_sees_a_missing_spring(machine, tmp_path):
    from dataclasses import replace

    scene = ff.viewer.scene_of(machine)
    less = replace(scene, parts=tuple(part for part in scene.parts if part.name != "masses"))
    size = {"size": (480, 300)}
    whole = ff.viewer.picture(scene, tmp_path / "a.png", **size)
    assert difference(whole, ff.viewer.picture(less, tmp_path / "b.png", **size)) > 0.006


def test_wrong_requests_are_refused_before_drawing(beam, body, tmp_path):
    with pytest.raises(ff.ModelError, match=r"shape \(3, 6\), expected \(21, 6\)"):
        ff.viewer.picture(beam, tmp_path / "a.png", np.zeros((3, 6)))
    with pytest.raises(ff.ModelError, match="not finite"):
        ff.viewer.picture(beam, tmp_path / "a.png", np.full((21, 6), np.nan))
    with pytest.raises(ff.WriteError, match=r"as \.png, not '\.gif'"):
        ff.viewer.picture(beam, tmp_path / "a.gif")
    with pytest.raises(ff.WriteError, match="does not exist; create it first"):
        ff.viewer.picture(beam, tmp_path / "nowhere" / "a.png")
    with pytest.raises(ff.ModelError, match="mode 99 does not exist; 'beam' has 16"):
        ff.viewer.picture(body, tmp_path / "a.png", mode=99)
    with pytest.raises(ff.ModelError, match="'beam' has no modes"):
        ff.viewer.picture(beam, tmp_path / "a.png", mode=1)
    with pytest.raises(ff.ModelError, match="has no stresses"):
        ff.viewer.picture(body, tmp_path / "a.png", mode=1, stress=True)
    with pytest.raises(ff.ModelError, match="a str cannot be drawn"):
        ff.viewer.picture("beam", tmp_path / "a.png")
    assert not list(tmp_path.iterdir())


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
