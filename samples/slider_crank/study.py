"""The same mechanism with four models of its rod: reactions, motion of the crank, and what the models differ in.

rigid      one body with the beam's inertia
chain      eleven rigid links with elastic hinges
linear     the flexible body in input.fum: modes in a floating frame
stiffened  the same with its geometric terms (rod.h5): the axial force makes the rod stiffer or softer in bending

Mechanism and first three models are those of Mikheev (2004, §3.2.2).
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import floatframe as ff
from floatframe.samples.slider_crank import build
from floatframe.samples.slider_crank.figures import draw

HERE = Path(__file__).parent
MODELS = ("rigid", "chain", "linear", "stiffened")
JOINTS = ("A", "B", "C")
#: crank speed at 2 s [rad/s] from independent calculations; for `stiffened` those of geometrically exact beams
REFERENCE = {"rigid": 6.8606, "chain": 6.9176, "linear": 7.0530, "stiffened": 6.918}


@dataclass(frozen=True)
class Study:
    """Runs by the name of the model, the seconds each took, and the files written."""

    runs: dict[str, ff.hybrid.Results]
    seconds: dict[str, float]
    files: tuple[Path, ...]

    def speed(self, model: str) -> float:
        """Crank speed at the end, rad/s."""
        return float(self.runs[model]["crank.angular_velocity.z"][-1])

    def largest_reaction(self, model: str, joint: str = "A") -> float:
        """Largest force in a joint, N."""
        return float(np.linalg.norm(self.runs[model][f"{joint}.force"], axis=1).max())


def prepare(folder: Path) -> dict[str, Path]:
    """Write the rod and the model files into a folder; return the model files by name."""
    folder.mkdir(parents=True, exist_ok=True)
    fe = build()
    rod = ff.modal.reduce(fe, interface=[1, 201], n_modes=20)
    ff.io.write(folder / "beam.h5", fe)
    ff.io.write(folder / "input.fum", rod)
    ff.io.write(folder / "rod.h5", rod)
    files = {}
    for model, source in (("rigid", "rigid"), ("chain", "chain"), ("linear", "flexible")):
        files[model] = Path(shutil.copy(HERE / f"{source}.toml", folder / f"{source}.toml"))
    files["stiffened"] = folder / "stiffened.toml"
    text = files["linear"].read_text(encoding="utf-8").replace('"input.fum"', '"rod.h5"')
    text = text.replace('stiffening = "off"', 'stiffening = "full"').replace("step = 1e-3", "step = 2e-4")
    files["stiffened"].write_text(text.replace("slider_crank_flexible", "slider_crank_stiffened"), encoding="utf-8")
    return files


def simulate(file: Path, **changes: float | str) -> ff.hybrid.Results:
    """Simulate a model file into NAME-run.h5 beside it, with the settings in it but for `changes`."""
    model = ff.hybrid.read_model(file)
    output = file.with_name(f"{file.stem}-run.h5")
    settings = {**model.simulate, **changes}
    return model.model.compile().simulate(record=model.record, path=output, **settings)


def run(folder: Path, say: Callable[[str], None] = lambda text: None) -> Study:
    """Reduce the rod, simulate all models for 2 s, draw the figures; `say` hears what is being done."""
    say("reducing the rod")
    files, runs, seconds = prepare(folder), {}, {}
    for model in MODELS:
        say(f"simulating the {model} rod")
        began = time.perf_counter()
        runs[model] = simulate(files[model])
        seconds[model] = time.perf_counter() - began
    say("drawing")
    figures = draw(folder, runs, JOINTS)
    bodies = [folder / name for name in ("beam.h5", "input.fum", "rod.h5")]
    results = [file.with_name(f"{file.stem}-run.h5") for file in files.values()]
    return Study(runs, seconds, (*bodies, *files.values(), *results, *figures))


def table(study: Study) -> str:
    """Crank speed at the end and largest reactions, one line for each model."""
    lines = [
        f"{'rod':<11}{'crank speed [rad/s]':>20}{'reference':>11}" + "".join(f"{f'max |{j}| [N]':>14}" for j in JOINTS)
    ]
    for model in study.runs:
        reactions = "".join(f"{study.largest_reaction(model, joint):14.0f}" for joint in JOINTS)
        lines.append(f"{model:<11}{study.speed(model):20.4f}{REFERENCE[model]:11.4f}{reactions}")
    return "\n".join(lines)
