"""Models to look at."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import floatframe as ff
from floatframe.fem import RBE2, BeamSection, FEModel, Material, nearest
from tests.viewer.machine_runs import run_machine, write_machine

STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0, name="steel")


@pytest.fixture(scope="session")
def machine() -> FEModel:
    """A plate on four springs to ground, with a mass on a spider, a mass on a spring, a mast and a support."""
    plate = ff.fem.plate_grid(1.0, 0.6, nx=10, ny=6, thickness=0.02, material=STEEL)
    n = plate.nnode
    places = [[0.5, 0.3, 0.35], [0.2, 0.1, 0.3]]
    fe = replace(plate, nodes=np.vstack([plate.nodes, places]), node_ids=np.arange(1, n + 3), name="machine")

    def node(x: float, y: float) -> int:
        return int(fe.pick_nodes(nearest((x, y, 0.0)))[0])

    for corner in ((0, 0), (1, 0), (0, 0.6), (1, 0.6)):
        fe = fe.with_spring(node(*corner), stiffness=[1e4, 1e4, 1e5, 0, 0, 0])
    feet = [node(x, y) for x in (0.4, 0.6) for y in (0.2, 0.4)]
    fe = fe.with_coupling(RBE2(n + 1, feet)).with_point_mass(n + 1, 40.0, (1, 1, 1))
    fe = fe.with_spring(n + 2, node(0.2, 0.1), stiffness=[1e5, 1e5, 1e5, 1e3, 1e3, 1e3])
    fe = fe.with_point_mass(n + 2, 10.0, (0.1, 0.1, 0.1))
    fe = ff.fem.with_beams(fe, [node(0.9, 0.5), n + 1], BeamSection.box(0.04, 0.04, 0.005), STEEL)
    return fe.with_support([(node(0, 0), ["ux"])])


@pytest.fixture(scope="session")
def body(beam: FEModel) -> Any:
    """The beam of the tests, reduced at both ends."""
    return ff.modal.reduce(beam, interface=[1, 21], n_modes=3)


@pytest.fixture(scope="session")
def machine_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with rod.h5, model.toml and run.h5 of a slider-crank with a flexible rod 2 m long."""
    return make_machine(tmp_path_factory.mktemp("machine"))


def make_machine(folder: Path) -> Path:
    """Write the files of the slider-crank and simulate it."""
    section = BeamSection.rectangle(0.02, 0.02)
    rod = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=20, section=section, material=STEEL)
    run_machine(write_machine(folder, ff.modal.reduce(rod, interface=[1, 21], n_modes=4)))
    return folder
