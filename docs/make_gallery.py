"""Draw the pictures of the gallery and of the README, small ones, into docs/images: `make gallery`.

Each is what a command of `docs/gallery/README.md` shows, or its call in Python.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import floatframe as ff
from floatframe.samples import ballast_cleaner, beam, locomotive_body, railcar

ROOT = Path(__file__).parents[1]
IMAGES = Path(__file__).parent / "images"
SIZE = (640, 400)


def structure(name: str, fe: ff.fem.FEModel, mode: int) -> None:
    """Draw the first elastic modes of a free structure: `mode` counts them from 1."""
    modes = ff.modal.eigenmodes(fe, n=6 + mode)
    ff.viewer.picture(fe, IMAGES / f"gallery-{name}.png", modes=modes, mode=6 + mode, size=SIZE)


def machine(name: str, file: str, mode: int | None = None) -> None:
    """Draw an assembled machine, or a mode of it at its equilibrium."""
    system = ff.hybrid.read_model(ROOT / "samples" / file).model.compile()
    output = IMAGES / f"gallery-{name}.png"
    if mode is None:
        ff.viewer.picture(system, output, size=SIZE)
        return
    state = system.equilibrium()
    ff.viewer.picture(system, output, state=state, linear=system.linearise(state, n=mode), mode=mode, size=SIZE)


def five_beams(output: Path) -> None:
    """Draw the third bending mode of the hinged beam among the five."""
    from floatframe.samples.five_beams import study

    with TemporaryDirectory() as folder:
        study.run(Path(folder))
        system = ff.hybrid.read_model(Path(folder) / "five_beams.toml").model.compile()
        modes = system.linearise(up_to=200.0)
        own = modes.kinetic[modes.bodies.index("hinged_hinged")] > study.WHOLE
        mode = int(np.flatnonzero(own & (modes.frequency > 100.0))[0]) + 1
        ff.viewer.picture(system, output, linear=modes, mode=mode, size=SIZE)


def moving_crank(folder: Path) -> ff.hybrid.System:
    """The slider-crank with a flexible rod that stiffens under load, its body in a folder."""
    fe = beam.build()
    ff.io.write(folder / "rod.h5", ff.modal.reduce(fe, interface=[1, fe.nnode], n_modes=10))
    text = (ROOT / "samples/slider_crank/flexible.toml").read_text(encoding="utf-8")
    text = text.replace('"input.fum"', '"rod.h5"').replace('stiffening = "off"', 'stiffening = "full"')
    (folder / "model.toml").write_text(text, encoding="utf-8")
    return ff.hybrid.read_model(folder / "model.toml").model.compile()


def rolling(name: str, file: str, body: str, t_end: float) -> None:
    """Draw the end of a run with the path of a body."""
    system = ff.hybrid.read_model(ROOT / "samples" / file).model.compile()
    result = system.simulate(t_end=t_end, record=ff.hybrid.Record(every=t_end / 200))
    ff.viewer.picture(result, IMAGES / f"gallery-{name}.png", trace=[body], moment=t_end, size=SIZE)


def slider_crank(output: Path) -> None:
    """Draw a moment of a run, with the path of the middle of the rod."""
    with TemporaryDirectory() as folder:
        system = moving_crank(Path(folder))
        result = system.simulate(t_end=1.0, step=1e-3, record=ff.hybrid.Record(every=5e-3))
        ff.viewer.picture(result, output, trace=["rod.node[101]"], mode=1, moment=0.6, size=SIZE)


def histories(name: str, result: ff.hybrid.Results, channels: list[str]) -> None:
    """Draw channels of a run over time."""
    diagrams = ff.viewer.channel_diagrams(result, channels)
    curves = [curve for diagram in diagrams for curve in diagram.curves]
    ff.viewer.plot_histories(curves, IMAGES / f"gallery-{name}.png")


def snowboarder() -> None:
    """Draw a moment on the slalom with the paths of board and hip, and the forces of the programme."""
    system = ff.hybrid.read_model(ROOT / "samples/snowboarder/snowboarder.toml").model.compile()
    result = system.simulate(t_end=3.0, rtol=1e-9, record=ff.hybrid.Record(every=0.01))
    histories("snowboarder-forces", result, ["slalom.force", "upright.force", "edge.lateral_force"])
    output, gate = IMAGES / "gallery-snowboarder.png", system.simulate(t_end=1.5, record=ff.hybrid.Record(every=0.02))
    ff.viewer.picture(gate, output, trace=["torso", "board"], moment=0.6, size=SIZE)


def rocket() -> None:
    """Draw how the deviations of the first integrals decay."""
    system = ff.hybrid.read_model(ROOT / "samples/rocket/rocket.toml").model.compile()
    result = system.simulate(t_end=2.0, rtol=1e-9, record=ff.hybrid.Record(every=0.01))
    histories("rocket", result, ["first.value", "second.value"])


def front(output: Path) -> None:
    """Draw one turn of the crank as a movie that repeats itself, with stresses and magnified deformations."""
    with TemporaryDirectory() as folder:
        system = moving_crank(Path(folder))
        whole = system.simulate(t_end=3.0, step=1e-3, record=ff.hybrid.Record(every=1e-3))
        angle, begin = np.unwrap(np.ravel(whole["A.angle"])), 1.5
        end = float(np.interp(np.interp(begin, whole.t, angle) + 2.0 * np.pi, angle, whole.t))
        turn = system.simulate(t_end=end, step=1e-3, record=ff.hybrid.Record(every=4e-3, start=begin))
        ff.viewer.movie(turn, output, amplitude=6, size=(640, 340), fps=20, fe=beam.build(), stress=True)


def robot_arm(output: Path) -> None:
    """Draw the arm on its way, with the path of its load."""
    samples = ROOT / "samples/robot_arm"
    with TemporaryDirectory() as folder:
        for name in ("forearm", "arm"):
            shutil.copy(samples / f"{name}.toml", folder)
        fe = ff.io.read(Path(folder) / "forearm.toml")
        ff.io.write(Path(folder) / "forearm.fum", ff.modal.reduce(fe, interface=[1, fe.nnode], n_modes=4))
        file = ff.hybrid.read_model(Path(folder) / "arm.toml")
        system = file.model.compile()
        result = system.simulate(system.equilibrium(), t_end=1.5, record=ff.hybrid.Record(every=0.01))
        ff.viewer.picture(result, output, trace=["load"], moment=0.6, size=SIZE)


def active_suspension(output: Path) -> None:
    """Draw the acceleration of the car over a bump, with and without skyhook damping."""
    model = ff.hybrid.read_model(ROOT / "samples/active_suspension/quarter_car.toml").model
    curves = []
    for name, skyhook in (("passive", 0.0), ("active", 2500.0)):
        system = model.compile({"skyhook": skyhook})
        result = system.simulate(system.equilibrium(), t_end=3.0, record=ff.hybrid.Record(every=5e-3))
        curves.append(ff.viewer.Curve(name, "m/s2", result.t, result["body.acceleration.z"]))
    ff.viewer.plot_histories(curves, output, "body.acceleration.z")


def networks() -> None:
    """Draw channels of the two networks that drive machines."""
    with TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "samples/motor_crank", folder, dirs_exist_ok=True)
        fe = beam.build()
        ff.io.write(Path(folder) / "input.fum", ff.modal.reduce(fe, interface=[1, fe.nnode], n_modes=20))
        shown = {
            "motor-crank": (
                Path(folder) / "drive.toml",
                ["shaft.angular_velocity", "motor.current", "rod.node[101].displacement.y"],
            ),
            "crane-boom": (
                ROOT / "samples/crane_boom/lift.toml",
                ["rod.displacement", "supply.pressure", "bottom.pressure", "relief.flow"],
            ),
        }
        for name, (path, channels) in shown.items():
            file = ff.network.read_network(path)
            histories(name, file.compile().simulate(settings=file.settings(), record=file.record()), channels)


PICTURES = {
    "networks": networks,
    "beam": lambda: structure("beam", beam.build(), 3),
    "locomotive-body": lambda: structure("locomotive-body", locomotive_body.build(), 1),
    "railcar": lambda: structure("railcar", railcar.build(), 1),
    "ballast-cleaner": lambda: structure("ballast-cleaner", ballast_cleaner.build(), 1),
    "slider-crank": lambda: slider_crank(IMAGES / "gallery-slider-crank.png"),
    "front": lambda: front(IMAGES / "front.gif"),
    "sleigh": lambda: rolling("sleigh", "sleigh/sleigh.toml", "sledge", 4.0),
    "rolling-disc": lambda: rolling("rolling-disc", "rolling_disc/disc.toml", "disc", 2.0),
    "two-wheeled-cart": lambda: rolling("two-wheeled-cart", "two_wheeled_cart/cart.toml", "cart", 4.0),
    "vibrating-screen": lambda: machine("vibrating-screen", "vibrating_screen/screen.toml"),
    "five-beams": lambda: five_beams(IMAGES / "gallery-five-beams.png"),
    "manchester": lambda: machine("manchester", "manchester/vehicle.toml"),
    "bogie": lambda: machine("bogie", "bogie/bogie.toml", 3),
    "snowboarder": snowboarder,
    "rocket": rocket,
    "robot-arm": lambda: robot_arm(IMAGES / "gallery-robot-arm.png"),
    "active-suspension": lambda: active_suspension(IMAGES / "gallery-active-suspension.png"),
    "double-pendulum": lambda: machine("double-pendulum", "pendulum/double_pendulum.toml", 2),
}


def main() -> None:
    ff.viewer.require_rendering()
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name]()
        sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main()
