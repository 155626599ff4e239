"""Values that hold arrays show themselves on a console in a few lines."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Iterator

import numpy as np
import pytest

import floatframe as ff

LONGEST = 400
DOORS = ("fem", "modal", "io", "signals", "hybrid", "equations", "network", "durability", "viewer")
HOLDING = ("Array", "SparseMatrix")


OWN = {"FEModel", "MatrixModel", "Modes", "ReducedBody", "SweepResult", "Part", "Carrier", "Harmonic", "History"} | {
    "Kind",  # of elements of networks: functions of arrays, no arrays
}


def classes() -> Iterator[type]:
    """Yield the public dataclasses with arrays in them."""
    for door in DOORS:
        package = importlib.import_module(f"floatframe.{door}")
        named = [getattr(package, name) for name in dir(package) if name[0].isupper()]
        for found in filter(dataclasses.is_dataclass, named):
            if any(word in str(field.type) for field in dataclasses.fields(found) for word in HOLDING):
                yield found


@pytest.mark.parametrize("kind", [kind for kind in dict.fromkeys(classes()) if kind.__name__ not in OWN])
def test_a_value_of_long_arrays_has_a_short_repr(kind):
    value = object.__new__(kind)
    for field in dataclasses.fields(kind):
        object.__setattr__(value, field.name, np.zeros((300, 3)))
    assert len(repr(value)) <= LONGEST
    assert "0." not in repr(value)


def test_models_bodies_and_modes_tell_counts_mass_and_frequencies():
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=8000.0)
    fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), 20, ff.fem.BeamSection.rectangle(0.01, 0.01), steel)
    assert repr(fe) == "FEModel('beam': 21 nodes, 20 elements, 2 node sets; 20 beam)"
    assert repr(fe.blocks[0]).startswith("ElementBlock(kind='beam', connectivity=int64 (20, 2), material=Material(")
    modes = ff.modal.eigenmodes(fe, n=8)
    assert repr(modes).startswith("Modes(8 of 126 dofs, 0 … ")
    body = ff.modal.reduce(fe, interface=[1], n_modes=2, geometric=False)
    assert repr(body).startswith("ReducedBody('beam': 21 nodes, 1.6 kg; shapes: 2 eigen, 6 static, ")
    assert repr(body).endswith(" Hz; 1 interface nodes)")


def test_a_machine_tells_its_parts():
    model = ff.hybrid.Model(gravity=(0, 0, -9.81), name="swing")
    bob = model.add(ff.hybrid.RigidBody("bob", mass=1.0, inertia=(1, 1, 1)))
    model.add(ff.hybrid.revolute("A", bob.at((0, 0, 1)), model.ground.at(), axis=(0, 1, 0)))
    assert repr(model) == "Model('swing': 1 RigidBody, 1 Joint)"
    system = model.compile()
    assert repr(system) == "System('swing': 1 bodies, 1 joints; nq=1, nv=1, nlambda=0)"
    assert repr(system.initial_state()).startswith("State(t=0, q=[0], v=[0]")
