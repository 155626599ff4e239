"""The snowboarder on the slalom: the programme is held, energy is kept, and its forces alone give the same run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.equations import forces_instead

FILE = Path(__file__).parents[2] / "samples" / "snowboarder" / "snowboarder.toml"
PROGRAMME = ["slalom", "ankle_twist", "hip_twist", "upright"]


def test_the_programme_is_held_and_its_forces_are_a_control():
    model = h.read_model(FILE).model
    system = model.compile()
    held = system.simulate(t_end=0.8, rtol=1e-10, record=h.Record(every=0.002))
    x, y, heading, twist, lean, other, bend = held.q.T
    assert x[-1] > 4.0
    assert_allclose(y, 2.0 * np.sin(0.35 * x), atol=1e-9)  # the edge and its direction make the path
    assert_allclose(np.tan(heading), 0.7 * np.cos(0.35 * x), atol=1e-12)
    assert_allclose(lean**2 + (lean + bend) ** 2, 0.15**2, atol=1e-12)
    assert_allclose((twist, other), 0.0, atol=1e-12)
    # nothing depends on time: neither edge nor programme does work
    assert_allclose(held["energy.total"], held["energy.total"][0], atol=1e-7 * np.ptp(held["energy.kinetic"]))

    free = forces_instead(model, held, PROGRAMME).compile()
    start = h.State(0.0, system.start.q, system.start.v, free.start.memory)
    found = free.simulate(start, t_end=0.8, rtol=1e-10, record=h.Record(every=0.002))
    assert (system.ndof, free.ndof) == (2, 6)
    # without being watched the upright links fall: errors grow by e^17 per second
    early = found.t <= 0.5
    assert_allclose(found.q[early], held.q[early], atol=1e-8)
    assert_allclose(found.q, held.q, atol=1e-5)
