"""Every option of every command with values that make no sense, and inputs that are not files with an end."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path
from typing import Any

from benchmarks.torture.files import LONG, left_behind
from benchmarks.torture.trials import command, tried
from benchmarks.torture.uses import Use, uses

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


# what reads no file of the seeds
NO_FILES = """\
.: cards abaqus
.: doctor
.: import-check @
.: samples
.: umexport flexmodel -o @out.h5
"""
UNTRIED_OPTIONS = ("help", "verbose", "follow")  # the last goes on as long as the run that it shows
UNTRIED = ("studio", "warmup", "demo")  # the first runs until it is ended, the others take no values


def sound_words(known: list[Use], folder: Path) -> dict[str, list[list[str]]]:
    """Sound words behind the name of every command that is tried, about the files in a folder."""
    found: dict[str, list[list[str]]] = {}
    for use in dict.fromkeys(Use("", use.words) for use in [*known, *uses(NO_FILES)]):
        name, *words = use.command(folder)
        found.setdefault(name, []).append(words)
    return found


def trial(chance: random.Random, seeds: Path, known: list[Use], folder: Path) -> tuple[str, str, str]:
    """Use one option of one command in a way that makes no sense; returns the words, the verdict and what was said."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(seeds, folder)
    pipe = folder / "pipe.toml"
    os.mkfifo(pipe)
    words = _words(chance, sound_words(known, folder), str(pipe))
    ended = tried(command(words), folder / "log", patient=words[0] in LONG)
    verdict = ended.fault or ("accepted" if ended.code == 0 else "refused")
    if verdict == "refused" and not ended.said.strip():
        verdict = "traceback"  # a refusal without a word
    if not ended.fault and left_behind(folder):
        verdict = "left behind"
    return repr(words)[:300], verdict, ended.said.decode(errors="replace")


def _words(chance: random.Random, sound: dict[str, list[list[str]]], pipe: str) -> list[str]:
    name = chance.choice(list(sound))
    given = chance.choice(sound[name])
    one = chance.choice([one for one in _options(name) if one.name not in UNTRIED_OPTIONS])
    value = chance.choice((*VALUES, pipe))
    if one.param_type_name != "option":
        return [name, value, *given[1:]]
    if getattr(one, "is_flag", False):
        return [name, *given, one.opts[0]]
    return [name, *given, one.opts[0], value]


def _options(name: str) -> list[Any]:
    from typer.main import get_command

    from floatframe.cli.main import application

    found: Any = get_command(application([name]))
    return list(getattr(found, "commands", {name: found})[name].params)
