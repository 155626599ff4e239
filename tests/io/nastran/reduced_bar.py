"""A bar reduced to its ends."""

from __future__ import annotations

import numpy as np

import floatframe as ff

STEEL = ff.fem.Material(2.1e11, 0.3, 7850.0)
ENDS = (1, 13)


def reduced_bar(modes: int):
    """A bent bar of twelve beams, the body of its ends and some modes, and its matrices with the ends first."""
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    fe = ff.fem.beam_line((0, 0, 0), (2, 0.3, 0.1), n=12, section=section, material=STEEL)
    body = ff.modal.reduce(fe, interface=list(ENDS), n_modes=modes, geometric=False)
    order = [*range(modes, modes + 12), *range(modes)]
    return fe, body, *(matrix[np.ix_(order, order)] for matrix in (body.stiffness, body.mass))
