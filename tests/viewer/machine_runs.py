"""A slider-crank with a flexible rod: its model file, and a short run of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import floatframe as ff

MODEL = """
format = "floatframe-model/1"
name = "crank_and_rod"
parameters = { torque = 100.0 }

[[body]]
name = "crank"
mass = 7.4
inertia = [0.001, 1.333, 1.333]
com = [0.5, 0, 0]

[[flexible]]
name = "rod"
file = "rod.h5"
position = [1, 0, 0]

[[body]]
name = "slider"
mass = 9.4
inertia = [0.01, 0.01, 0.01]
position = [3, 0, 0]

[[joint]]
name = "A"
type = "revolute"
place = { body = "crank" }
against = { body = "ground" }

[[joint]]
name = "B"
type = "revolute"
place = { body = "rod", node = 1 }
against = { body = "crank", point = [1, 0, 0] }

[[joint]]
name = "C"
type = "revolute"
place = { body = "rod", node = 21 }
against = { body = "slider" }

[[joint]]
name = "guide"
type = "prismatic"
place = { body = "slider" }
against = { body = "ground", point = [3, 0, 0] }
axis = [1, 0, 0]

[[force]]
name = "drive"
type = "joint_torque"
joint = "A"
torque = "torque - 10*rate"

[[force]]
name = "buffer"
type = "spring"
place = { body = "slider" }
against = { body = "ground", point = [4, 0, 0] }
stiffness = 100.0

[record]
every = 0.01
channels = ["crank.com_position", "slider.position", "rod.node[11].position", "A.force", "energy"]

[simulate]
t_end = 0.5
step = 1e-3
"""


def write_machine(folder: Path, body: Any) -> Path:
    """Write rod.h5 and model.toml into a folder; returns the model file."""
    ff.io.write(folder / "rod.h5", body)
    path = folder / "model.toml"
    path.write_text(MODEL, encoding="utf-8")
    return path


def run_machine(model: Path) -> Path:
    """Simulate a model file into run.h5 beside it."""
    file = ff.hybrid.read_model(model)
    path = model.with_name("run.h5")
    file.model.compile().simulate(record=file.record, path=path, **file.simulate)
    return path
