"""Programmed constraints as control: forces of a run, applied instead of the constraints, give the same motion."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.equations import forces_instead
from floatframe.errors import ModelError

EVERY = 0.002  # of the records: splines through them are exact to 1e-10 of the forces


def arm() -> h.Model:
    """Two links, the first driven, the second coupled to it by gears."""
    model = h.Model(gravity=(0, 0, -9.81), parameters={"ratio": -0.5})
    above = model.ground.at((0, 0, 0))
    for k in (1, 2):
        link = model.add(h.RigidBody(f"link{k}", mass=1.0, inertia=(0.05, 0.05, 0.01), com=(0, 0, -0.3)))
        model.add(h.revolute(f"hinge{k}", link.at((0, 0, 0)), above, axis=(0, 1, 0)))
        above = link.at((0, 0, -0.6))
    model.add(h.motion("drive", "hinge1", "0.5*sin(3*t)"))
    model.add(h.gear("gear", "hinge2", "hinge1", "ratio"))
    return model


def bead(kind: str) -> h.Model:
    """A bead in a plane that is held to a wave, by its place or by its direction."""
    model = h.Model(gravity=(1.0, 0, -9.81), parameters={"a": 0.4, "k": 2.0})
    body = model.add(h.RigidBody("bead", mass=1.5, inertia=(0.1, 0.1, 0.1), velocity=(1.0, 0.8, 0.0)))
    model.add(h.planar("plane", body.at((0, 0, 0)), model.ground.at((0, 0, 0))))
    if kind == "relation":
        model.add(h.relation("wave", expression="bead.position.y - a*sin(k*bead.position.x)", unit="m"))
    else:
        slope = "bead.velocity.y - a*k*cos(k*bead.position.x)*bead.velocity.x"
        model.add(h.velocity_constraint("wave", slope, unit="m/s"))
    return model


CASES = {"drive and gear": (arm, ["drive", "gear"]), "gear": (arm, ["gear"])}
CASES |= {kind: (lambda kind=kind: bead(kind), ["wave"]) for kind in ("relation", "velocity constraint")}


@pytest.mark.parametrize("case", CASES)
def test_the_forces_give_the_motion(case):
    make, names = CASES[case]
    model = make()
    system = model.compile()
    held = system.simulate(t_end=1.0, rtol=1e-10, record=h.Record(every=EVERY))
    driven = forces_instead(model, held, names)
    free = driven.compile()
    assert free.ndof == system.ndof + len(names)
    start = h.State(0.0, system.start.q, system.start.v, free.start.memory)
    found = free.simulate(start, t_end=1.0, rtol=1e-10, record=h.Record(every=EVERY))
    # errors of steps and splines, which grow by less than ten in this second
    assert_allclose(found.q, held.q, atol=1e-7)
    assert_allclose(found.v, held.v, atol=1e-6)
    assert not set(names) & set(driven.items)
    assert set(names) <= set(model.items)
    still = h.State(0.0, start.q, start.v, free.start.memory)
    without = make()
    for name in names:
        del without.items[name]
    lost = without.compile().simulate(still, t_end=1.0, rtol=1e-8, record=h.Record(every=EVERY))
    assert np.abs(lost.q[-1] - held.q[-1]).max() > 1e-2  # the forces are what does it


def test_what_is_refused():
    model = bead("relation")
    result = model.compile().simulate(t_end=0.01, rtol=1e-6)
    with pytest.raises(ModelError, match="constraint 'wafe' does not exist; did you mean wave"):
        forces_instead(model, result, ["wafe"])
    with pytest.raises(ModelError, match="'plane' is a planar; expected a relation or velocity constraint"):
        forces_instead(model, result, ["plane"])
    turned = bead("relation")
    turned.items.pop("wave")
    turned.add(h.relation("wave", expression="bead.axis_x.y - 0"))
    with pytest.raises(ModelError, match=r"no drive acts along 'bead.axis_x.y'"):
        forces_instead(turned, result, ["wave"])
