"""Sound files of every format to begin with."""

from __future__ import annotations

from pathlib import Path

import floatframe as ff

MODEL = """\
format = "floatframe-model/1"
gravity = [0, 0, -9.81]

[parameters]
length = 1.0
push = 2.0

[[body]]
name = "rod"
mass = 2.0
com = [0, 0, "-length/2"]
inertia = [0.17, 0.17, 0.001]

[[flexible]]
name = "beam"
file = "body.fum"
position = [0, 0, "-length"]

[[joint]]
name = "hinge"
type = "revolute"
place = { body = "rod" }
against = { body = "ground" }
axis = [0, 1, 0]
start = 0.3

[[joint]]
name = "weld"
type = "fixed"
place = { body = "beam", node = 1 }
against = { body = "rod", point = [0, 0, "-length"] }

[[force]]
name = "drive"
type = "joint_torque"
joint = "hinge"
torque = "push*sin(3*t) - 0.1*rate"

[record]
every = 0.002
channels = ["rod", "hinge", "energy"]

[simulate]
t_end = 2.0
step = 1e-3
"""
MESH = """\
$MeshFormat
4.1 0 8
$EndMeshFormat
$Nodes
1 4 1 4
2 1 0 4
1
2
3
4
0 0 0
1 0 0
1 1 0
0 1 0
$EndNodes
$Elements
1 2 1 2
2 1 2 2
1 1 2 3
2 1 3 4
$EndElements
"""
PROPERTIES = """\
format = "floatframe-props/1"

[material.steel]
E = 2.1e11
nu = 0.3
rho = 7850.0

[group."*"]
material = "steel"
thickness = 0.01
"""
VTK = """\
# vtk DataFile Version 3.0
a square
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 4 double
0 0 0 1 0 0 1 1 0 0 1 0
CELLS 2 8
3 0 1 2
3 0 2 3
CELL_TYPES 2
5
5
"""
TRACK = """\
format = "floatframe-track/1"

[track]

[[track.section]]
type = "straight"
length = 50.0

[[track.section]]
type = "transition"
length = 50.0

[[track.section]]
type = "curve"
length = 100.0
radius = 300.0
cant = 0.1
"""


NETWORK = """\
format = "floatframe-network/1"

[[element]]
name = "source"
kind = "voltage_source"
nodes = ["in"]
voltage = "10*sin(300*t)"

[[element]]
name = "R1"
kind = "resistor"
nodes = ["in", "out"]
resistance = 100

[[element]]
name = "C1"
kind = "capacitor"
nodes = ["out", "ground"]
capacitance = 1e-5

[simulate]
t_end = 5e-3
step = 1e-4
"""
PSD = "frequency,value\n0.1,1\n1,2\n10,0.5\n"
SWING = "t,hinge.angle\n0,0.3\n0.05,0.29\n0.1,0.26\n"


def make(folder: Path) -> None:
    """Write sound files into a folder."""
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    beam = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=6, section=section, material=steel)
    plate = ff.fem.plate_grid(1.0, 2.0, nx=3, ny=4, thickness=0.01, material=steel)
    body = ff.modal.reduce(beam, interface=[1, 7], n_modes=3)
    for name in ("beam.h5", "beam.inp", "beam.cdb", "beam.bdf"):
        ff.io.write(folder / name, beam)
    ff.io.write(folder / "plate.h5", plate)
    ff.io.write(folder / "plate.inp", plate)
    for name in ("body.h5", "body.fum"):
        ff.io.write(folder / name, body)
    ff.io.write(folder / "stress.h5", ff.modal.with_stress(body, beam))
    (folder / "model.toml").write_text(MODEL)
    (folder / "mesh.msh").write_text(MESH)
    (folder / "mesh.props.toml").write_text(PROPERTIES)
    (folder / "mesh.vtk").write_text(VTK)
    (folder / "track.toml").write_text(TRACK)
    (folder / "network.toml").write_text(NETWORK)
    (folder / "swing.csv").write_text(SWING)
    (folder / "psd.csv").write_text(PSD)
    file = ff.hybrid.read_model(folder / "model.toml")
    system = file.model.compile()
    system.simulate(t_end=0.3, step=1e-3, record=file.record, path=folder / "run.h5")
    system.simulate(t_end=0.3, step=1e-3, record=file.record, path=folder / "moving.h5")
    network = ff.network.read_network(folder / "network.toml")
    network.compile().simulate(settings=network.settings(), record=network.record(), path=folder / "network.h5")
    ff.hybrid.sweep(folder / "model.toml", {"push": "1,2"}, "linear", workers=1, path=folder / "sweep.h5")
