"""What a click does, as a command line and as Python: the page shows both, and jobs run the first."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Action:
    """A command by its words, without the program, and the Python that does the same."""

    words: tuple[str, ...]
    python: str

    @property
    def command(self) -> str:
        """The line to type."""
        return shlex.join(("floatframe", *self.words))


def _left_out(value: object) -> bool:
    return value is None or value is False or value in ("", [])  # the number 0 is a value


def file_word(file: str) -> str:
    """Return a name of a file that no command takes for an option."""
    return f"./{file}" if file.startswith("-") else file


def _options(given: Mapping[str, Any]) -> list[str]:
    """Return options that have a value: True for a flag, a list for one that is repeated."""
    words = []
    for option, value in given.items():
        if value is True:
            words.append(option)
        elif isinstance(value, list | tuple):
            words += [word for one in value for word in (option, str(one))]
        elif not _left_out(value):
            words += [option, str(value)]
    return words


def _script(*lines: str) -> str:
    return "\n".join(["import floatframe as ff", "", *lines])


def _arguments(**given: Any) -> str:
    """Return arguments of a call, those that are left out not among them."""
    return ", ".join(f"{name}={value!r}" for name, value in given.items() if not _left_out(value))


def copy_sample(name: str, folder: str) -> Action:
    """Copy a sample into a folder of the project."""
    lines = ["from pathlib import Path", "from floatframe.samples import find_sample", ""]
    lines.append(f"find_sample({name!r}).copy(Path({folder!r}))")
    return Action(("samples", name, "-o", file_word(folder)), "\n".join(lines))


def show_model(file: str, units: str = "") -> Action:
    """Read a finite element model or a body and show it."""
    reading = _arguments(units=units)
    call = f"ff.io.read({file!r}{', ' if reading else ''}{reading})"
    lines = [f"model = {call}", f"ff.viewer.page(model, {page_of(file)!r})"]
    return Action(
        ("view", file_word(file), *_options({"--units": units}), "--save", file_word(page_of(file))), _script(*lines)
    )


def show_machine(file: str) -> Action:
    """Show a machine."""
    lines = [f"file = ff.hybrid.read_model({file!r})", f"ff.viewer.page(file, {page_of(file)!r})"]
    return Action(("view", file_word(file), "--save", file_word(page_of(file))), _script(*lines))


def modes(file: str, output: str, n: int = 10, fixed: str = "", units: str = "") -> Action:
    """Find the lowest eigenmodes of a finite element model."""
    items = [int(word) if word.isdigit() else word for word in fixed.split(",") if word]
    reading, wanted = _arguments(units=units), _arguments(n=n, fixed=items)
    lines = [f"fe = ff.io.read({file!r}{', ' if reading else ''}{reading})"]
    lines += [f"modes = ff.modal.eigenmodes(fe, {wanted})", "print(modes.frequency)"]
    options = _options({"-n": n, "--fixed": fixed, "--units": units, "--write": file_word(output)})
    return Action(("modes", file_word(file), *options), _script(*lines))


def page_of(file: str) -> str:
    """Return the name of the page that shows a file."""
    return f"{file.rpartition('.')[0] or file}.html"


@dataclass(frozen=True)
class Reduction:
    """What the page Reduce asks for; interface as on the command line: nodes, sets, with dofs."""

    file: str
    output: str
    interface: str = ""
    method: str = "craig-bampton"
    n: int | None = 20
    up_to: float | None = None  # Hz
    units: str = ""
    couple: tuple[str, ...] = ()
    stress: str = ""
    quality: bool = False

    def action(self) -> Action:
        """Return the command."""
        options = {
            "--interface": self.interface,
            "-n": self.n if self.up_to is None else None,
            "--up-to": None if self.up_to is None else f"{self.up_to:g}Hz",
            "--method": "" if self.method == "craig-bampton" else self.method,
            "--units": self.units,
            "--couple": list(self.couple),
            "--stress": self.stress,
            "--quality": self.quality,
            "-o": file_word(self.output),
        }
        reading = _arguments(units=self.units, couple=list(self.couple))
        items = [int(word) if word.isdigit() else word for word in self.interface.split(",") if word]
        wanted = _arguments(
            interface=items,
            n_modes=self.n if self.up_to is None else None,
            up_to=self.up_to,
            method="" if self.method == "craig-bampton" else self.method,
        )
        lines = [f"fe = ff.io.read({self.file!r}{', ' if reading else ''}{reading})"]
        lines.append(f"body = ff.modal.reduce(fe, {wanted})")
        if self.stress:
            lines.append("body = ff.modal.with_stress(body, fe)")
        if self.quality:
            lines.append("print(ff.modal.quality_report(body, fe))")
        lines.append(f"ff.io.write({self.output!r}, body)")
        return Action(("reduce", file_word(self.file), *_options(options)), _script(*lines))


def simulate(
    file: str, output: str, values: Sequence[str] = (), t_end: float | None = None, resume: bool = False
) -> Action:
    """Run a machine, or go on with a run."""
    options = {"--set": list(values), "--t-end": t_end, "--resume": resume}
    lines = [
        f"file = ff.hybrid.read_model({file!r}{_parameters(values)})",
        "system = file.model.compile()",
        f"settings = {{**file.simulate, 't_end': {t_end!r}}}" if t_end is not None else "settings = file.simulate",
        f"result = system.simulate(record=file.record, path={output!r}, resume={resume}, **settings)",
    ]
    return Action(("simulate", file_word(file), "-o", file_word(output), *_options(options)), _script(*lines))


def equilibrium(file: str, values: Sequence[str] = ()) -> Action:
    """Find where a machine rests."""
    lines = [
        f"system = ff.hybrid.read_model({file!r}{_parameters(values)}).model.compile()",
        "found = ff.hybrid.find_equilibrium(system)",
        "print(ff.hybrid.describe_equilibrium(system, found))",
    ]
    return Action(("equilibrium", file_word(file), *_options({"--set": list(values)})), _script(*lines))


def linear(file: str, values: Sequence[str] = (), n: int = 20, at: str = "") -> Action:
    """Find frequencies and damping of a machine about a state."""
    lines = [f"system = ff.hybrid.read_model({file!r}{_parameters(values)}).model.compile()"]
    state = {"start": "system.initial_state()", "steady": "system.steady_motion()"}
    lines.append(f"state = {state.get(at, 'ff.hybrid.find_equilibrium(system).state')}")
    lines += [f"linear = system.linearise(state, n={n})", "print(linear.frequency, linear.damping)"]
    return Action(
        ("linear", file_word(file), "-n", str(n), *_options({"--at": at, "--set": list(values)})), _script(*lines)
    )


def plot(runs: Sequence[str], channels: Sequence[str], output: str, spectrum: bool = False) -> Action:
    """Draw channels of runs as a picture."""
    drawn = "plot_spectra" if spectrum else "plot_histories"
    lines = [f"result = ff.hybrid.Results.open({runs[0]!r})"]
    lines.append(f"ff.viewer.{drawn}(result, {list(channels)!r}, {output!r})")
    flag = ["--spectrum"] if spectrum else []
    return Action(("plot", *map(file_word, runs), *channels, *flag, "-o", file_word(output)), _script(*lines))


def report(file: str, output: str) -> Action:
    """Write a report of a run."""
    lines = [f"result = ff.hybrid.Results.open({file!r})", f"ff.viewer.report(result, {output!r})"]
    return Action(("report", file_word(file), "-o", file_word(output)), _script(*lines))


def to_csv(file: str, output: str, channels: Sequence[str]) -> Action:
    """Write channels of a run as a table."""
    lines = [f"result = ff.hybrid.Results.open({file!r})", f"result.to_csv({output!r}, {list(channels)!r})"]
    return Action(("plot", file_word(file), *channels, "--csv", file_word(output)), _script(*lines))


def movie(file: str, output: str) -> Action:
    """Write a movie of a run."""
    lines = [f"result = ff.hybrid.Results.open({file!r})", f"ff.viewer.movie(result, {output!r})"]
    return Action(("view", file_word(file), "--save", file_word(output)), _script(*lines))


def _parameters(values: Sequence[str]) -> str:
    """Return the second argument of `read_model` for NAME=VALUE words."""
    if not values:
        return ""
    pairs = []
    for word in values:
        name, _, value = word.partition("=")
        try:
            pairs.append(f"{name!r}: {float(value)!r}")
        except ValueError:
            pairs.append(f"{name!r}: {value!r}")
    return f", {{{', '.join(pairs)}}}"
