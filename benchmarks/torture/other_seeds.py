"""More sound files: meshes and shapes of other programs, railway, networks with machines, stresses, samples."""

from __future__ import annotations

import shutil
import struct
import warnings
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np

import floatframe as ff
from floatframe.cli.main import run

REPOSITORY = Path(__file__).parents[2]
SAMPLES = (
    *("bogie/bogie.toml", "bogie/wheelset.toml", "active_suspension/quarter_car.toml", "rolling_disc/disc.toml"),
    *("two_wheeled_cart/cart.toml", "rocket/rocket.toml", "snowboarder/snowboarder.toml"),
)
REFERENCES = (
    "reference/extseout/outboard.op4",
    "reference/extseout/outboard.pch",
    "reference/wheel_rail/MBench_S1002_v3.prw",
    "io/shapes/cylinder.step",
)
FRAME = """\
format = "floatframe-mesh/1"

[parameters]
n = 4
side = 0.02

[points]
A = [0, 0, 0]
B = [1, 0, 0]

[materials]
steel = { E = 2.1e11, nu = 0.3, rho = 7850 }

[sections]
square = { type = "rectangle", width = "side", height = "side" }

[[part]]
type = "beam"
name = "beam"
a = "A"
b = "B"
n = "n"
section = "square"
material = "steel"
"""
BLOCK = """\
format = "floatframe-props/1"

[material.steel]
E = 2.1e11
nu = 0.3
rho = 7850.0

[group."*"]
material = "steel"
"""
STRAIN = """\
format = "floatframe-model/1"
gravity = [0, 0, 0]

[[flexible]]
name = "beam"
file = "stress.h5"
damping = 0.1

[[joint]]
name = "root"
type = "fixed"
place = { body = "beam", node = 1 }
against = { body = "ground" }

[[force]]
name = "push"
type = "point_force"
place = { body = "beam", node = 7 }
force = [0, 0, "-10*sin(pi*t)^2"]

[record]
every = 0.01

[simulate]
t_end = 0.2
step = 5e-3
"""
SHAPED = """\
format = "floatframe-model/1"

[[body]]
name = "part"
shape = "PART"
density = 7850
"""
CRANK = """\
format = "floatframe-model/1"
gravity = [0, 0, 0]

[[body]]
name = "wheel"
mass = 1.0
inertia = [0.01, 0.01, 0.02]

[[joint]]
name = "shaft"
type = "revolute"
place = { body = "wheel" }
against = { body = "ground" }
axis = [0, 0, 1]
"""
DRIVE = """\
format = "floatframe-network/1"

[[element]]
name = "supply"
kind = "voltage_source"
nodes = ["armature"]
voltage = 24

[[element]]
name = "motor"
kind = "dc_motor"
nodes = ["armature", "ground", "rotor"]
resistance = 0.8
inductance = 4e-3
constant = 1.2

[[machine]]
name = "crank"
file = "machine.toml"
ports = ["shaft"]
nodes = ["rotor"]

[simulate]
t_end = 0.1
step = 1e-3
"""
LINE = """\
km,   radius [m], cant [mm], gradient
0.00,         0,         0,            0
0.10,         0,         0,            0
0.16,      -400,       -60,            5
0.30,      -400,       -60,            5
"""
MEASURED = """\
format = "floatframe-track/1"

[track]

[[track.section]]
type = "straight"
length = 20.0

[[track.irregularity]]
type = "measured"
file = "measured.csv"
"""
VEHICLE = """\
format = "floatframe-model/1"
gravity = [0, 0, -9.81]

[parameters]
speed = 10.0

[track]
rail = "60E1"
inclination = 0.025
kilometres = "line.csv"

[[body]]
name = "axle"
mass = 1813.0
inertia = [1120, 112, 1120]
position = [5, 0.003, 0.46]
velocity = ["speed", 0, 0]
angular_velocity = [0, "speed/0.46", 0]

[[force]]
name = "left"
type = "wheel_on_track"
place = { body = "axle", point = [0, 0.75, 0] }
side = "left"
radius = 0.46
profile = "wheel.csv"
law = "polach"

[[force]]
name = "right"
type = "wheel_on_track"
place = { body = "axle", point = [0, -0.75, 0] }
side = "right"
radius = 0.46
profile = "wheel.csv"
law = "polach"

[record]
every = 2e-3

[simulate]
t_end = 0.02
step = 1e-3
"""
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
PLY = (
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n"
)
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype="<f4")
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], dtype="<u2")
MEASURED_ROWS = "".join(f"{0.5 * k},{0.001 * (k % 3)},{0.001 * (k % 2)}\n" for k in range(60))
FREQUENCIES = "frequency [Hz],damping\n0.7,0.01\n"


def make(folder: Path) -> None:
    """Write these files beside those of `seeds.make`."""
    _texts(folder)
    _meshes(folder)
    _runs(folder)
    for name in SAMPLES:
        shutil.copyfile(REPOSITORY / "samples" / name, folder / Path(name).name)
    for name in REFERENCES:
        shutil.copyfile(REPOSITORY / "tests" / name, folder / Path(name).name)
    (folder / "MBench_S1002_v3.prw").rename(folder / "wheel.prw")


def _texts(folder: Path) -> None:
    texts = {
        **{"frame.toml": FRAME, "strain.toml": STRAIN, "machine.toml": CRANK, "drive.toml": DRIVE, "line.csv": LINE},
        **{
            "measured.toml": MEASURED,
            "measured.csv": "s,vertical,lateral\n" + MEASURED_ROWS,
            "shapes.csv": FREQUENCIES,
        },
        **{"vehicle.toml": VEHICLE, "part.obj": OBJ, "part.ply": PLY},
        "shaped.toml": SHAPED.replace("PART", "part.stl"),
        **{f"{kind}.toml": SHAPED.replace("PART", f"part.{kind}") for kind in ("obj", "ply", "glb")},
        "step.toml": SHAPED.replace("PART", "cylinder.step"),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    for name in ("part.stl", "skin.stl"):
        (folder / name).write_bytes(_stl())
    (folder / "part.glb").write_bytes(_glb())
    wheel = ff.railway.profile("S1002", "wheel")
    (folder / "wheel.csv").write_text("y,z\n" + "".join(f"{y},{z}\n" for y, z in zip(wheel.y, wheel.z, strict=True)))


def _stl() -> bytes:
    """A tetrahedron as binary STL."""
    triangles = CORNERS[FACES]
    rows = [struct.pack("<3f", 0, 0, 0) + triangle.tobytes() + b"\0\0" for triangle in triangles]
    return b" " * 80 + struct.pack("<I", len(rows)) + b"".join(rows)


def _glb() -> bytes:
    """The same as glTF with its numbers inside."""
    import json

    numbers = CORNERS.tobytes() + FACES.tobytes()
    views = [{"buffer": 0, "byteOffset": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}]
    limits = {"min": [0, 0, 0], "max": [1, 1, 1]}
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", **limits},
        {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
    ]
    text = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(numbers)}],
    }
    said = json.dumps(text).encode()
    said += b" " * (-len(said) % 4)
    chunks = struct.pack("<I4s", len(said), b"JSON") + said + struct.pack("<I4s", len(numbers), b"BIN\0") + numbers
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _meshes(folder: Path) -> None:
    """A cube of eight bricks in formats of meshio, with its skin for STL, and a structure as matrices."""
    import meshio

    grid = np.array([[x, y, z] for z in range(3) for y in range(3) for x in range(3)], dtype=float) / 2
    at = np.arange(27).reshape(3, 3, 3)
    around = ((0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0), (1, 0, 0), (1, 0, 1), (1, 1, 1), (1, 1, 0))
    bricks = [[at[k + a, j + b, i + c] for a, b, c in around] for k in range(2) for j in range(2) for i in range(2)]
    mesh = meshio.Mesh(grid, [("hexahedron", np.array(bricks))])
    for suffix in ("vtu", "xdmf", "med", "mesh", "su2"):
        mesh.write(folder / f"block.{suffix}")
    mesh.write(folder / "block.msh", file_format="gmsh", binary=True)
    (folder / "block.unv").write_text(_unv(grid, bricks))
    (folder / "block.props.toml").write_text(BLOCK)
    (folder / "skin.props.toml").write_text(BLOCK + "thickness = 0.01\n")
    (folder / "block.nodes").write_text("1 0 0 0 123\n2 1 0 0 123\nset tip 2\nfix 1 123\n")
    stiff = np.kron([[1, -1], [-1, 1]], np.eye(3)) * 1e6
    for suffix, matrix in (("mg", stiff), ("mm", np.eye(6))):
        rows = (f"{i + 1} {j + 1} {matrix[i, j]}\n" for i, j in zip(*np.nonzero(matrix), strict=True) if i <= j)
        (folder / f"block.{suffix}").write_text("".join(rows))


def _unv(grid: np.ndarray, bricks: list[list[int]]) -> str:
    """A mesh as universal file of I-deas."""
    lines = ["    -1", "  2411"]
    for number, place in enumerate(grid, 1):
        lines += [f"{number:10d}{1:10d}{1:10d}{11:10d}", "".join(f"{x:25.16E}" for x in place).replace("E", "D")]
    lines += ["    -1", "    -1", "  2412"]
    for number, nodes in enumerate(bricks, 1):
        lines.append("".join(f"{word:10d}" for word in (number, 115, 3, 1, 7, 8)))
        lines.append("".join(f"{node + 1:10d}" for node in nodes))
    return "\n".join([*lines, "    -1", ""])


def _runs(folder: Path) -> None:
    """A run with stresses, one on a track, a sweep of runs, shapes of modes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        file = ff.hybrid.read_model(folder / "strain.toml")
        file.model.compile().simulate(t_end=0.2, step=5e-3, record=file.record, path=folder / "strain.h5")
        file = ff.hybrid.read_model(folder / "vehicle.toml")
        file.model.compile().simulate(t_end=0.3, step=1e-3, record=file.record, path=folder / "wheels.h5")
        ff.hybrid.sweep(
            *(folder / "model.toml", {"push": "1,2,3"}),
            t_end=0.1,
            measure=["hinge.angle:std"],
            workers=1,
            path=folder / "runs.h5",
        )
    with redirect_stdout(StringIO()):
        run(["modes", str(folder / "beam.h5"), "-n", "3", "--write", str(folder / "modes.h5")])
