"""Models read from decks stiffen like those they were written from: the same geometric terms."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe.modal.body.geometric_terms import names

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0, name="steel")


def model(kind: str) -> tuple[ff.fem.FEModel, list[int]]:
    """A rod of one kind of element and its interface: an end, for shells and solids two corners of it each."""
    if kind == "beam":
        section = ff.fem.BeamSection.rectangle(0.02, 0.03)
        fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=6, section=section, material=STEEL)
    elif kind == "shell":
        fe = ff.fem.plate_grid(1.0, 0.2, nx=5, ny=2, thickness=0.01, material=STEEL)
    else:
        fe = ff.fem.solid_box((1.0, 0.1, 0.1), (5, 1, 1), "hex8", material=STEEL)
    x = fe.nodes[:, 0]
    ends = [int(fe.node_ids[np.flatnonzero(np.isclose(x, end))[k]]) for end in (x.min(), x.max()) for k in (0, -1)]
    return fe, sorted(set(ends))


@pytest.mark.parametrize("suffix", [".cdb", ".inp", ".bdf"])
@pytest.mark.parametrize("kind", ["beam", "shell", "solid"])
def test_terms_survive_a_deck(kind, suffix, tmp_path):
    fe, interface = model(kind)
    ff.io.write(tmp_path / f"rod{suffix}", fe)
    again = ff.io.read(tmp_path / f"rod{suffix}")
    own, read = (ff.modal.reduce(m, interface=interface, n_modes=3) for m in (fe, again))
    # eigenmodes may come with the other sign: the static shapes are compared, which have none
    static = [slice(body.n_eigen, None) for body in (own, read)]
    assert own.geometric is not None
    assert read.geometric is not None
    for name in names():
        a, b = (getattr(body.geometric, name)[:, s, s] for body, s in zip((own, read), static, strict=True))
        # digits of the deck, and section constants that a deck computes from the sides
        np.testing.assert_allclose(b, a, atol=1e-6 * max(np.abs(a).max(), 1e-9))
    both = [np.linalg.eigvalsh(body.geometric.interface[0]) for body in (own, read)]
    np.testing.assert_allclose(both[1], both[0], atol=1e-6 * np.abs(both[0]).max())
