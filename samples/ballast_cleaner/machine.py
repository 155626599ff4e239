"""The machine as files in a folder: the reduced frame, the screen as a part, the whole; and its modes that matter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shutil import copyfile

import floatframe as ff
from floatframe.samples.ballast_cleaner.model import Design, build

HERE = Path(__file__).parent
MODELS = ("screen.toml", "machine.toml")
N_MODES = 25  # of the frame, those of Mikheev
#: Mikheev (2004, §3.4): frequencies of the modes that carry the vertical vibration [Hz], and where to look for ours
#: (at the first bending the hopper bounces on its carrier and has most of the kinetic energy, see the report)
PUBLISHED = {"suspension": 2.62, "first bending": 9.53, "second bending": 13.00}
BANDS = {"suspension": (2.0, 3.2), "first bending": (8.0, 11.3), "second bending": (11.3, 16.0)}
POINT = "frame.node[point 4].position.z"


def prepare(folder: Path, design: Design | None = None) -> Path:
    """Write the reduced frame and copy the model files into a folder; return the file of the machine."""
    folder.mkdir(parents=True, exist_ok=True)
    ff.io.write(folder / "frame.h5", ff.modal.reduce(build(design), n_modes=N_MODES, method="eigenmodes"))
    return [Path(copyfile(HERE / name, folder / name)) for name in MODELS][-1]


def simulated(
    machine: Path, parameters: Mapping[str, float] | None = None, path: Path | None = None
) -> ff.hybrid.Results:
    """Run the machine at other values of its parameters."""
    file = ff.hybrid.read_model(machine, parameters)
    return file.model.compile().simulate(record=file.record, path=path, **file.simulate)


def named_modes(parts: ff.hybrid.Contributions) -> dict[str, int]:
    """Return the numbers, from 0, of the modes of the machine that the source names: the largest part in each band."""
    frequency, rms = parts.frequency, parts.numbers.rms
    return {
        name: max((k for k, f in enumerate(frequency) if low <= f <= high), key=lambda k: float(rms[k]))
        for name, (low, high) in BANDS.items()
    }
