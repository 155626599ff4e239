"""Actions on machines, networks, runs and sweeps: the page shows them, and jobs run their commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from floatframe.studio.actions import Action, file_word, options_of, page_of, parameters_of, script_of


@dataclass(frozen=True)
class Studied:
    """What is studied: a machine or a network by its file, with other values for parameters, NAME=VALUE."""

    file: str
    values: tuple[str, ...] = ()
    network: bool = False

    @property
    def options(self) -> list[str]:
        """The options that set the values."""
        return options_of({"--set": self.values})

    @property
    def lines(self) -> list[str]:
        """The Python that reads and compiles it."""
        reading, compiling = ("network.read_network", "file") if self.network else ("hybrid.read_model", "file.model")
        read = f"file = ff.{reading}({self.file!r}{parameters_of(self.values)})"
        return [read, f"system = {compiling}.compile()"]


def simulate(of: Studied, output: str, t_end: float | None = None, resume: bool = False) -> Action:
    """Run a machine or network, or go on with a run."""
    options = options_of({"--t-end": t_end, "--resume": resume})
    how = f"path={output!r}, resume={resume}"
    if of.network:
        settings = "" if t_end is None else f"t_end={t_end!r}"
        run = f"system.simulate(settings=file.settings({settings}), record=file.record(), {how})"
        lines = [*of.lines, f"result = {run}"]
    else:
        settings = "file.simulate" if t_end is None else f"{{**file.simulate, 't_end': {t_end!r}}}"
        lines = [*of.lines, f"settings = {settings}"]
        lines.append(f"result = system.simulate(record=file.record, {how}, **settings)")
    words = ("simulate", file_word(of.file), "-o", file_word(output), *of.options, *options)
    return Action(words, script_of(*lines))


def equilibrium(of: Studied) -> Action:
    """Find where a machine rests, or the operating point of a network."""
    if of.network:
        lines = [*of.lines, "found = system.operating_point()", "print(found.values())"]
    else:
        lines = [*of.lines, "found = ff.hybrid.find_equilibrium(system)"]
        lines.append("print(ff.hybrid.describe_equilibrium(system, found))")
    return Action(("equilibrium", file_word(of.file), *of.options), script_of(*lines))


def linear(of: Studied, n: int = 20, at: str = "") -> Action:
    """Find frequencies and damping about a state."""
    if of.network:
        state = "" if at == "start" else "system.operating_point()"
        lines = [*of.lines, f"linear = system.linearise({state})", f"print(linear.described({n}))"]
    else:
        states = {"start": "system.initial_state()", "steady": "system.steady_motion()"}
        lines = [*of.lines, f"state = {states.get(at, 'ff.hybrid.find_equilibrium(system).state')}"]
        lines += [f"linear = system.linearise(state, n={n})", "print(linear.frequency, linear.damping)"]
    words = ("linear", file_word(of.file), "-n", str(n), *options_of({"--at": at}), *of.options)
    return Action(words, script_of(*lines))


@dataclass(frozen=True)
class Response:
    """A response to harmonic inputs, as the page asks for it; band [Hz]."""

    of: Studied
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    band: tuple[float, float]
    at: str = ""

    def action(self, picture: str = "", table: str = "") -> Action:
        """Compute it; picture, table: files to write, "" for none."""
        low, high = self.band
        options = {"--input": self.inputs, "--output": self.outputs, "--band": f"{low:g}:{high:g}", "--at": self.at}
        files = {"--save": picture and file_word(picture), "--csv": table and file_word(table)}
        state = f", state={self.at!r}" if self.at else ""
        given = f"{list(self.inputs)!r}, {list(self.outputs)!r}, ({low:g}, {high:g}){state}"
        lines = [*self.of.lines, f"found = ff.hybrid.frequency_response(system, {given})"]
        if picture:
            lines.append(f"ff.viewer.plot_response(found, {picture!r}, {f'{self.of.file}: frequency response'!r})")
        elif table:
            lines.append(f"found.to_csv({table!r})")
        else:
            lines.append(f"print(found.maxima({self.outputs[0]!r}, {self.inputs[0]!r}))")
        words = ("response", file_word(self.of.file), *self.of.options, *options_of({**options, **files}))
        return Action(words, script_of(*lines))


@dataclass(frozen=True)
class Sweep:
    """A sweep as the page asks for it; vary: NAME=VALUES, measures: as on the command line."""

    of: Studied
    vary: tuple[str, ...]
    output: str
    study: str = "simulate"
    measures: tuple[str, ...] = ()
    t_end: float | None = None
    n: int | None = None
    at: str = ""

    def action(self, resume: bool = False) -> Action:
        """Compute it, or only the points that are missing."""
        options = {
            "--vary": self.vary,
            "--study": "" if self.study == "simulate" else self.study,
            "--measure": self.measures,
            "--t-end": self.t_end if self.study == "simulate" else None,
            "-n": self.n if self.study == "linear" else None,
            "--at": self.at if self.study == "linear" else "",
            "--resume": resume,
        }
        axes = dict(word.split("=", 1) for word in self.vary if "=" in word)
        given = [f"study={self.study!r}", f"measure={list(self.measures)!r}", f"path={self.output!r}"]
        given += [f"parameters={parameters_of(self.of.values).removeprefix(', ')}"] if self.of.values else []
        given += [f"{name}={options[key]!r}" for name, key in _SETTINGS.items() if options[key] not in (None, "")]
        given += ["resume=True"] if resume else []
        call = "ff.network.sweep_network" if self.of.network else "ff.hybrid.sweep"
        line = f"result = {call}({self.of.file!r}, {axes!r}, {', '.join(given)})"
        words = ("sweep", file_word(self.of.file), "-o", file_word(self.output), *self.of.options, *options_of(options))
        return Action(words, script_of(line, "print(result.status)"))


_SETTINGS = {"t_end": "--t-end", "n": "-n", "at": "--at"}  # of a sweep, in Python and on the command line


def show_run(file: str, stress: bool = False) -> Action:
    """Show the motion of a run beside what changes first, coloured by its stresses if they are wanted."""
    page, more = page_of(file), ", stress=True" if stress else ""
    lines = ["from itertools import islice", "", f"result = ff.hybrid.Results.open({file!r})"]
    lines.append("moving = islice(ff.viewer.moving_channels(result), 3)")
    lines.append("channels = [ff.viewer.seen_best(result, name) for name in moving]")
    lines.append(f"ff.viewer.page(result, {page!r}, channels=channels{more})")
    words = ("view", file_word(file), *options_of({"--stress": stress}), "--save", file_word(page))
    return Action(words, script_of(*lines))


def hot_spots(file: str, body: str) -> Action:
    """List where the stresses of a body are largest in a run."""
    lines = [f"found = ff.hybrid.Results.open({file!r}).stress({body!r})", "print(ff.durability.hot_spots(found))"]
    return Action(("stress", file_word(file), "--body", body), script_of(*lines))


def plot(runs: Sequence[str], channels: Sequence[str], output: str, spectrum: bool = False) -> Action:
    """Draw channels of runs as a picture."""
    drawn = "plot_spectra" if spectrum else "plot_histories"
    if len(runs) == 1:
        lines = [f"curves = ff.viewer.span_curves(ff.hybrid.Results.open({runs[0]!r}), {list(channels)!r})"]
    else:
        names = [PurePosixPath(run).stem for run in runs]
        named = dict(zip(names if len(set(names)) == len(runs) else runs, runs, strict=True))
        lines = [
            "from dataclasses import replace",
            "",
            "curves = []",
            f"for name, file in {named!r}.items():",
            f"    found = ff.viewer.span_curves(ff.hybrid.Results.open(file), {list(channels)!r})",
            "    curves += [replace(curve, name=f'{name}: {curve.name}') for curve in found]",
        ]
    lines.append(f"ff.viewer.{drawn}(curves, {output!r})")
    flag = ["--spectrum"] if spectrum else []
    return Action(("plot", *map(file_word, runs), *channels, *flag, "-o", file_word(output)), script_of(*lines))


def plot_sweep(
    file: str,
    column: str,
    output: str,
    over: str = "",
    wide: bool = False,
    where: Mapping[str, float | str] | None = None,
) -> Action:
    """Draw a column of a sweep: over one parameter, or as a map if wide; frequencies without a column.

    where: values of parameters that are held.
    """
    part = f".where({dict(where)!r})" if where else ""
    lines, title = [f"result = ff.io.read({file!r}){part}"], f"title={PurePosixPath(file).name!r}"
    if not column:
        lines.append(f"ff.viewer.plot_sweep_frequencies(result, {output!r}, {title})")
    elif wide:
        lines.append(f"ff.viewer.plot_sweep_map(result, {column!r}, {output!r}, {title})")
    else:
        lines.append(f"ff.viewer.plot_sweep(result, [{column!r}], {output!r}, {over!r}, {title})")
    options = options_of({"--over": over, "--where": [f"{name}={value}" for name, value in (where or {}).items()]})
    words = ("plot", file_word(file), *([column] if column else []), *options, "-o")
    return Action((*words, file_word(output)), script_of(*lines))


def report(file: str, output: str) -> Action:
    """Write a report of a run or sweep."""
    return Action(
        ("report", file_word(file), "-o", file_word(output)), script_of(f"ff.viewer.report({file!r}, {output!r})")
    )


def to_csv(file: str, output: str, channels: Sequence[str]) -> Action:
    """Write channels of a run as a table."""
    lines = [f"result = ff.hybrid.Results.open({file!r})", f"result.to_csv({output!r}, {list(channels)!r})"]
    return Action(("plot", file_word(file), *channels, "--csv", file_word(output)), script_of(*lines))


def sweep_to_csv(file: str, output: str) -> Action:
    """Write all points of a sweep as a table."""
    lines = [f"result = ff.io.read({file!r})", f"result.to_csv({output!r})"]
    return Action(("plot", file_word(file), "--csv", file_word(output)), script_of(*lines))


def movie(file: str, output: str, stress: bool = False) -> Action:
    """Write a movie of a run."""
    more = ", stress=True" if stress else ""
    lines = [f"result = ff.hybrid.Results.open({file!r})", f"ff.viewer.movie(result, {output!r}{more})"]
    words = ("view", file_word(file), *options_of({"--stress": stress}), "--save", file_word(output))
    return Action(words, script_of(*lines))
