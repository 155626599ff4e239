"""Every option of every command with values that make no sense, and inputs that are not files with an end."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

from benchmarks.torture.trials import command, tried

VALUES = (
    *(
        "nan",
        "inf",
        "-inf",
        "-1",
        "0",
        "",
        "1e999",
        "1e308",
        "1e-320",
        "9" * 30,
        "2147483648",
        " ",
        "-",
        "=",
        "a=b",
        ":",
    ),
    *(
        "push=",
        "push=nan",
        "push=1:0:1",
        "push=0:1:1e-300",
        "push=0:1e300:1",
        "push=normal(0,inf)",
        "push=uniform(2,1)",
    ),
    *("1,,2", "1:", "[1,2", "hinge.angle/0", "hinge.angle:lowpass(nan)", "hinge.angle:line(1e300)", "rod.rod.rod"),
    *("body[rod].mass=nan", "body[rod]=1", "simulate.step=0", "simulate.t_end=inf", "\x1b[31mred", "[bold]x[/bold]"),
    *("$\\frac{$", "@DATA@", "<script>", "é" * 300, "(" * 5000, "1" + "+1" * 5000, "x" * 100_000, "\udcff", "%s"),
    *("/dev/zero", "/dev/full", "/", "/etc/passwd", "/proc/self/mem", "/nonexistent/x.h5"),
)


def sound_words(seeds: Path, folder: Path) -> dict[str, list[str]]:
    """One sound use of every command that is tried."""
    model, run, body, beam = (str(seeds / name) for name in ("model.toml", "run.h5", "body.h5", "beam.h5"))
    out = {name: str(folder / f"out.{name}") for name in ("h5", "png", "html", "inp", "npz", "c")}
    ports = ["--input", "drive", "--output", "hinge.angle"]
    return {
        "info": [model],
        "convert": [beam, out["inp"]],
        "modes": [beam, "-n", "2"],
        "buckling": [beam, "--gravity", "0,0,-9.81"],
        "reduce": [beam, "--interface", "1,7", "-n", "2", "-o", out["h5"]],
        "drop": [body, "--modes", "1", "-o", out["h5"]],
        "equilibrium": [model],
        "linear": [model],
        "response": [model, *ports, "--band", "0.1:20"],
        "random": [model, "--psd", "drive=0.1", *ports[2:], "--band", "0.1:20"],
        "statespace": [model, *ports, "-o", out["npz"]],
        "fit": [model, "--measured", str(seeds / "swing.csv"), "--vary", "push"],
        "export-code": [model, "-o", out["c"]],
        "stress": [run],
        "life": [run, "--curve", "eurocode:71"],
        "simulate": [model, "--t-end", "0.01", "-o", out["h5"]],
        "drift": [model],
        "sweep": [model, "--vary", "push=1,2", "--study", "linear", "-o", out["h5"]],
        "plot": [run, "hinge.angle", "-o", out["png"]],
        "contributions": [run, "hinge.angle"],
        "report": [run, "-o", out["html"]],
        "assess": [run],
        "track": [model],
        "import-check": [str(folder)],
        "cards": ["abaqus"],
        "mesh": [model],
        "conicity": [],
        "wheel-rail": [],
    }


def trial(chance: random.Random, seeds: Path, folder: Path) -> tuple[str, str, str]:
    """Use one option of one command in a way that makes no sense; returns the words, the verdict and what was said."""
    folder.mkdir(parents=True, exist_ok=True)
    pipe = folder / "pipe.toml"
    if not pipe.exists():
        os.mkfifo(pipe)
    words = _words(chance, sound_words(seeds, folder), str(pipe))
    ended = tried(command(words), folder / "log")
    verdict = ended.fault or ("accepted" if ended.code == 0 else "refused")
    if verdict == "refused" and not ended.said.strip():
        verdict = "traceback"  # a refusal without a word
    return repr(words)[:300], verdict, ended.said.decode(errors="replace")


def _words(chance: random.Random, sound: dict[str, list[str]], pipe: str) -> list[str]:
    name = chance.choice(list(sound))
    options = [one for one in _options(name) if one.name not in ("help", "verbose")]
    one = chance.choice(options)
    value = chance.choice((*VALUES, pipe))
    if one.param_type_name != "option":
        return [name, value, *sound[name][1:]]
    if getattr(one, "is_flag", False):
        return [name, *sound[name], one.opts[0]]
    return [name, *sound[name], one.opts[0], value]


def _options(name: str) -> list[Any]:
    from typer.main import get_command

    from floatframe.cli.main import application

    found: Any = get_command(application([name]))
    return list(getattr(found, "commands", {name: found})[name].params)
