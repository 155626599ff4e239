"""Warnings of runs without stiffening: loads near buckling, deflections and rotations that are not small."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h
from floatframe.errors import ModelError, Where
from floatframe.hybrid.flat.body_frames import in_mean_axes
from floatframe.hybrid.studies.load_limits import BucklingShare, LoadLimits
from tests.hybrid.stiffened_models import LENGTH, SQUARE, STEEL, beam

EULER = np.pi**2 * STEEL.E * SQUARE.Iz / LENGTH**2  # N, hinged at both ends


@pytest.fixture(scope="module")
def rod():
    return beam(n=10, modes=6)


def pressed(body, share: float, **options) -> h.Model:
    """A column on hinges under a part of its buckling load, put on within the first 0.1 s."""
    model = h.Model()
    column = model.add(h.FlexibleBody("column", body, damping=0.05, **options))
    block = model.add(h.RigidBody("block", 1.0, (0.1, 0.1, 0.1), position=(LENGTH, 0, 0)))
    model.add(h.revolute("first", column.node(1), model.ground.at()))
    model.add(h.prismatic("guide", block.at(), model.ground.at((LENGTH, 0, 0)), axis=(1, 0, 0)))
    model.add(h.revolute("last", column.node(11), block.at()))
    model.add(h.point_force("load", block.at(), (f"-{share * EULER!r}*min(10*t, 1)", 0, 0)))
    return model


def run(model: h.Model) -> h.Results:
    return model.compile().simulate(t_end=0.3, step=1e-3, record=h.Record(every=0.01, channels=("first.force",)))


def test_the_share_of_the_buckling_load_is_euler_s(rod):
    reduced = rod.orthonormalised()
    found = BucklingShare(reduced)
    loads = np.zeros(len(reduced.interface))
    for node, force in ((1, EULER), (11, -EULER)):
        loads[(reduced.interface == [node, 0]).all(axis=1)] = force
    assert found.share(loads) == pytest.approx(1.0, rel=0.01)
    assert found.share(-loads) == pytest.approx(0.0, abs=1e-6)  # tension
    # the deformation under these loads tells them
    H = reduced.shapes[6 * reduced.node_index(reduced.interface[:, 0]) + reduced.interface[:, 1]]
    w = np.linalg.solve(reduced.stiffness, H.T @ loads)
    np.testing.assert_allclose(found.loads @ w, loads, atol=1e-6 * EULER)


def test_a_pressed_column_without_stiffening_warns(rod):
    with pytest.warns(UserWarning, match=r"body 'column' has its stiffening switched off: its load reached 5\d %"):
        result = run(pressed(rod, 0.5, stiffening="off"))
    assert "of its buckling load at t = " in result.status.message
    assert "N, moment" in result.status.message


@pytest.mark.parametrize(("share", "stiffening"), [(0.5, "full"), (0.03, "off")])
def test_no_warning_with_stiffening_or_under_small_loads(rod, share, stiffening):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run(pressed(rod, share, stiffening=stiffening)).status.message == ""


class TestLimitsAreSettings:
    def test_of_the_load(self, rod):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert run(pressed(rod, 0.5, stiffening="off", load_limit=0.6)).status.message == ""
        with pytest.warns(UserWarning, match=r"reached 5 % of its buckling load at t = .* force 34\d N"):
            run(pressed(rod, 0.05, stiffening="off", load_limit=0.02))

    @pytest.mark.parametrize(("limit", "words"), [("deflection_limit", "moved by"), ("rotation_limit", "turned by")])
    def test_of_deflections(self, rod, limit, words):
        """A cantilever pushed at its tip: alone the limit that is not out of reach warns, naming what was met."""
        off = dict.fromkeys(("load_limit", "deflection_limit", "rotation_limit"), 1e3)
        for value, expected in ((1e-3, words), (1e3, "")):
            model = h.Model()
            arm = model.add(h.FlexibleBody("arm", rod, stiffening="off", **{**off, limit: value}))
            model.add(h.fixed("root", arm.node(1), model.ground.at()))
            model.add(h.point_force("push", arm.node(11), (0, 10, 0)))
            system = model.compile()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                status = system.simulate(t_end=0.2, step=1e-3, record=h.Record(every=0.01)).status
            assert ("an interface node" in status.message) == bool(expected)
            assert expected in status.message

    @pytest.mark.parametrize("limit", ["load_limit", "deflection_limit", "rotation_limit"])
    def test_must_be_positive(self, rod, limit):
        model = h.Model()
        model.add(h.FlexibleBody("rod", rod, **{limit: 0.0}))
        with pytest.raises(ModelError, match=f"body 'rod', {limit}: found 0, expected a positive number"):
            model.compile()


def test_large_deflections_of_a_body_without_terms_warn(rod):
    model = h.Model()
    bare = model.add(h.FlexibleBody("rod", replace(rod, geometric=None)))
    model.add(h.fixed("root", bare.node(1), model.ground.at()))
    model.add(h.point_force("push", bare.node(11), (0, 400, 0)))
    with pytest.warns(UserWarning, match=r"'rod' has no geometric terms: .* turned by .* geometric=True"):
        model.compile().simulate(t_end=0.2, step=1e-3, record=h.Record(every=0.01, channels=("root.force",)))


class TestBodiesWithoutTerms:
    """They count as slender struts: Euler's load from how far a pair of moments turns the ends."""

    @pytest.mark.parametrize("kind", ["beam", "shell", "solid"])
    def test_the_load_is_euler_s(self, kind):
        side = 0.02
        if kind == "beam":  # along an odd line, the weak axis anywhere
            end = tuple(LENGTH * np.array([2.0, -1.0, 2.0]) / 3.0)
            section = ff.fem.BeamSection.rectangle(side, 2 * side)
            fe = ff.fem.beam_line((0, 0, 0), end, n=10, section=section, material=STEEL)
            nodes: list = [1, 11]
        else:
            if kind == "shell":
                fe = ff.fem.plate_grid(LENGTH, 2 * side, nx=20, ny=2, thickness=side, material=STEEL)
            else:
                fe = ff.fem.solid_box((LENGTH, side, 2 * side), (20, 1, 1), "hex20", material=STEEL)
            for name, x in (("left", 0.0), ("right", LENGTH)):
                fe = fe.with_node_set(name, lambda p, x=x: np.isclose(p[:, 0], x))
                fe = ff.fem.with_reference_node(fe, name, "rbe2")
            nodes = ["left_ref", "right_ref"]
        body = replace(ff.modal.reduce(fe, interface=nodes, n_modes=4), geometric=None)
        reduced = in_mean_axes(body.orthonormalised(), Where("rod"))
        first, last = reduced.nodes[reduced.node_index(reduced.interface_nodes)]
        loads = np.zeros(len(reduced.interface))
        loads[:3] = 2 * EULER * (last - first) / LENGTH  # twice as wide as the square one
        loads[6:9] = -loads[:3]
        found = BucklingShare(reduced)
        assert found.share(loads) == pytest.approx(1.0, rel=0.02)  # stiff ends of walls, Poisson's ratio
        assert found.share(-loads) == 0.0

    def test_a_run_names_load_and_share(self, rod, tmp_path):
        """Also from an input.fum, which cannot hold the terms."""
        ff.io.write(tmp_path / "input.fum", rod)
        match = (
            r"'column' has no geometric terms: its load reached 5\d % of the buckling load of a slender strut .*\.h5"
        )
        for body in (replace(rod, geometric=None), str(tmp_path / "input.fum")):
            with pytest.warns(UserWarning, match=match):
                run(pressed(body, 0.5))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert run(pressed(replace(rod, geometric=None), 0.03)).status.message == ""

    def test_points_without_rotations_are_not_judged(self):
        fe = ff.fem.beam_line((0, 0, 0), (LENGTH, 0, 0), n=10, section=SQUARE, material=STEEL)
        body = ff.modal.reduce(fe, interface=[(1, "ux,uy,uz"), (11, "ux,uy,uz")], n_modes=4, geometric=False)
        reduced = in_mean_axes(body.orthonormalised(), Where("rod"))
        assert BucklingShare(reduced).share(np.ones(len(reduced.interface))) == 0.0


def test_what_is_found_does_not_depend_on_how_the_records_come(rod):
    """Blocks of records are as long as the clock has it; what a run says of its loads is the same in each."""
    system = pressed(rod, 0.5, stiffening="off").compile()
    number = system.index.flexible_of[0]
    first, n = (int(system.tables.flexible[number][name]) for name in ("iq", "n"))
    rng, m = np.random.default_rng(1), 5000
    t, q, v = np.linspace(0, 1, m), np.tile(system.start.q, (m, 1)), np.zeros((m, system.nv))
    q[:, first : first + n] = 2e-3 * rng.normal(size=(m, n))  # loads of all kinds, few of which press
    found = set()
    for size in (1, 7, 1000, m):
        limits = LoadLimits(system)
        for k in range(0, m, size):
            limits.watch(t[k : k + size], q[k : k + size], v[k : k + size])
        with pytest.warns(UserWarning, match="its load reached"):
            found.add(limits.words())
    assert len(found) == 1
