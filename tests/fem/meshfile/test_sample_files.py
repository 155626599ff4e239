"""The frames of the samples as mesh files: the same models as their builders make, bit by bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from floatframe.fem import read_mesh
from floatframe.samples import ballast_cleaner, beam, locomotive_body, railcar

SAMPLES = Path(__file__).parents[3] / "samples"
FRAMES = {
    "beam": ("beam/beam.toml", {}, beam.build),
    "short beam": ("beam/beam.toml", {"n": 7, "length": 0.3}, lambda: beam.build(7, 0.3)),
    "ballast cleaner": ("ballast_cleaner/frame.toml", {}, ballast_cleaner.build),
    "railcar": ("railcar/body.toml", {}, railcar.build),
    "locomotive": ("locomotive_body/body.toml", {"refine": 0.2}, lambda: locomotive_body.build(0.2)),
    "finer locomotive": ("locomotive_body/body.toml", {"refine": 0.45}, lambda: locomotive_body.build(0.45)),
}


@pytest.mark.parametrize("name", FRAMES)
def test_a_file_gives_what_its_builder_makes(name):
    path, parameters, build = FRAMES[name]
    read, built = read_mesh(SAMPLES / path, parameters), build()
    assert read.name == built.name
    assert np.array_equal(read.nodes, built.nodes)
    assert np.array_equal(read.node_ids, built.node_ids)
    for ours, theirs in ((read.node_sets, built.node_sets), (read.element_sets, built.element_sets)):
        assert all(np.array_equal(ours[key], theirs[key]) for key in theirs)
    for a, b in ((read.stiffness(), built.stiffness()), (read.mass(), built.mass())):
        assert np.array_equal(a.indptr, b.indptr)
        assert np.array_equal(a.indices, b.indices)
        assert np.array_equal(a.data, b.data)
