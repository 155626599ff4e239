"""Bodies compared number by number."""

from __future__ import annotations

from numpy.testing import assert_array_equal


def assert_same_body(a, b):
    for name in ("nodes", "node_ids", "shapes", "frequency", "mass", "stiffness", "nodal_mass", "nodal_inertia"):
        assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)
    for name in ("interface", "supports"):
        assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)
    for name in ("kind", "origin", "orthonormal", "name"):
        assert getattr(a, name) == getattr(b, name), name
    for name in ("element_ids", "element_type", "connectivity"):
        assert_array_equal(getattr(a.mesh, name), getattr(b.mesh, name), err_msg=name)
    drawn = [[(t.number, t.nnode, t.polygons) for t in body.mesh.types] for body in (a, b)]
    assert drawn[0] == drawn[1]
