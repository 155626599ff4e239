"""Diagrams of responses: curves and axes by unit, marks, numbers."""

from __future__ import annotations

from contextlib import contextmanager

import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h, viewer
from floatframe.viewer.plots import responses, style


@pytest.fixture
def figures(monkeypatch):
    """Every figure that is drawn, so that its contents can be looked at."""
    drawn = []

    @contextmanager
    def remembering(*arguments, **options):
        with style.saved_figure(*arguments, **options) as figure:
            drawn.append(figure)
            yield figure

    monkeypatch.setattr(responses, "saved_figure", remembering)
    return drawn


@pytest.fixture(scope="module")
def found() -> h.FrequencyResponse:
    """Two masses on springs: a height, an acceleration and a speed for one force."""
    model = h.Model()
    below = None
    for k in range(2):
        mass = model.add(h.RigidBody(f"m{k}", mass=1.0, inertia=(1, 1, 1)))
        model.add(h.prismatic(f"g{k}", mass.at(), model.ground.at() if below is None else below.at()))
        model.add(h.joint_force(f"f{k}", f"g{k}", "-400*displacement - 0.8*rate"))
        below = mass
    outputs = ["m1.position.z", "m0.acceleration.z", "m0.position.z"]
    return h.frequency_response(model.compile(), "f0", outputs, (0.5, 20.0), points=50)


def test_each_unit_has_axes_of_its_own(found, figures, tmp_path):
    viewer.plot_response(found, tmp_path / "bode.png")
    first, second, phase = figures[0].axes
    assert [line.get_label() for line in first.lines] == ["m1.position.z per f0", "m0.position.z per f0"]
    assert (first.get_ylabel(), second.get_ylabel()) == ("magnitude [m/N]", "magnitude [m/s2/N]")
    assert second.get_title(loc="left") == "m0.acceleration.z per f0"
    assert_allclose(second.lines[0].get_ydata(), found.magnitude[:, 1, 0])
    # colours show which phase belongs to which magnitude
    assert [line.get_color() for line in phase.lines] == [
        first.lines[0].get_color(),
        first.lines[1].get_color(),
        second.lines[0].get_color(),
    ]
    assert_allclose(phase.get_xlim(), [0.5, 20.0])
    viewer.plot_nyquist(found, tmp_path / "nyquist.png")
    assert [axes.get_xlabel() for axes in figures[1].axes] == ["real part [m/N]", "real part [m/s2/N]"]
    noise = h.random_response(found, h.input_densities(found, {"f0": 2.0}))
    viewer.plot_random_response(noise, tmp_path / "density.png")
    assert [axes.get_ylabel() for axes in figures[2].axes] == ["density [m²/Hz]", "density [(m/s2)²/Hz]"]
    assert_allclose(figures[2].axes[0].lines[1].get_ydata(), noise.of("m0.position.z"))


def test_curves_of_zeros_have_no_decades(figures, tmp_path):
    """Across the axis of the guides nothing moves."""
    model = h.Model()
    mass = model.add(h.RigidBody("m", mass=1.0, inertia=(1, 1, 1)))
    model.add(h.prismatic("g", mass.at(), model.ground.at()))
    model.add(h.joint_force("f", "g", "-400*displacement - 0.8*rate"))
    still = h.frequency_response(model.compile(), "f", ["m.position.x"], (0.5, 20.0), points=5)
    viewer.plot_response(still, tmp_path / "still.png")
    assert figures[0].axes[0].get_yscale() == "linear"
