"""Actions on samples, finite element models and bodies: the page shows them, and jobs run their commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from floatframe.studio.actions import Action, arguments_of, file_word, options_of, page_of, script_of


def copy_sample(name: str, folder: str) -> Action:
    """Copy a sample into a folder of the project."""
    lines = ["from pathlib import Path", "from floatframe.samples import find_sample", ""]
    lines.append(f"find_sample({name!r}).copy(Path({folder!r}))")
    return Action(("samples", name, "-o", file_word(folder)), "\n".join(lines))


def show_model(file: str, units: str = "") -> Action:
    """Read a finite element model or a body and show it."""
    reading = arguments_of(units=units)
    call = f"ff.io.read({file!r}{', ' if reading else ''}{reading})"
    lines = [f"model = {call}", f"ff.viewer.page(model, {page_of(file)!r})"]
    words = ("view", file_word(file), *options_of({"--units": units}), "--save", file_word(page_of(file)))
    return Action(words, script_of(*lines))


def show_machine(file: str) -> Action:
    """Show a machine."""
    lines = [f"file = ff.hybrid.read_model({file!r})", f"ff.viewer.page(file, {page_of(file)!r})"]
    return Action(("view", file_word(file), "--save", file_word(page_of(file))), script_of(*lines))


def show_network(file: str) -> Action:
    """Draw the graph of a network."""
    picture = page_of(file).removesuffix(".html") + ".png"
    lines = [f"file = ff.network.read_network({file!r})", f"ff.viewer.plot_network(file.network, {picture!r})"]
    return Action(("view", file_word(file), "--save", file_word(picture)), script_of(*lines))


def errors_of_modes(body: str, file: str, output: str) -> Action:
    """Draw the errors of a body's frequencies against its model over the number of modes."""
    lines = [
        f"body, fe = ff.io.read({body!r}), ff.io.read({file!r})",
        "found = ff.modal.errors_of_fewer_modes(body, fe)",
    ]
    lines.append("names = [f'mode {k}: {f:.4g} Hz' for k, f in enumerate(found.frequency, start=1)]")
    lines.append("curves = {name: abs(error) for name, error in zip(names, found.error.T)}")
    title = f"{PurePosixPath(body).name}: free frequencies against {PurePosixPath(file).name}"
    lines.append(f"ff.viewer.plot_errors(found.count, curves, {output!r}, {title!r})")
    return Action(("plot", file_word(body), "--errors", file_word(file), "-o", file_word(output)), script_of(*lines))


@dataclass(frozen=True)
class OwnSet:
    """A set that a click made: its name, numbers of nodes or of elements."""

    name: str
    numbers: tuple[int, ...]
    nodes: bool = True

    @property
    def line(self) -> str:
        """The Python that makes it."""
        return f"fe = fe.with_{'node' if self.nodes else 'element'}_set({self.name!r}, {list(self.numbers)!r})"


def sets_of(entries: Sequence[Mapping[str, Any]]) -> list[OwnSet]:
    """Return sets as the pages list them."""
    return [OwnSet(str(one["name"]), tuple(map(int, one["numbers"])), bool(one["nodes"])) for one in entries]


def _of_sets(sets: Sequence[OwnSet]) -> dict[str, list[str]]:
    """Return the options that make sets."""
    words = {True: list[str](), False: list[str]()}
    for one in sets:
        words[one.nodes].append(f"{one.name}={','.join(map(str, one.numbers))}")
    return {"--node-set": words[True], "--element-set": words[False]}


def _items(words: str) -> list[int | str]:
    """Return numbers and names of sets between commas."""
    return [int(word) if word.isdigit() else word for word in words.split(",") if word]


def modes(file: str, output: str, n: int = 10, fixed: str = "", units: str = "", sets: Sequence[OwnSet] = ()) -> Action:
    """Find the lowest eigenmodes of a finite element model."""
    reading, wanted = arguments_of(units=units), arguments_of(n=n, fixed=_items(fixed))
    lines = [f"fe = ff.io.read({file!r}{', ' if reading else ''}{reading})"]
    lines += [one.line for one in sets]
    lines += [f"modes = ff.modal.eigenmodes(fe, {wanted})", "print(modes.frequency)"]
    lines.append(f"ff.io.write({output!r}, ff.io.NodalModes.of(fe, modes))")
    options = options_of({"-n": n, "--fixed": fixed, "--units": units, **_of_sets(sets), "--write": file_word(output)})
    return Action(("modes", file_word(file), *options), script_of(*lines))


@dataclass(frozen=True)
class Coupled:
    """Nodes coupled to a new reference node: those of a set of the model, or these, which make it; kind: rbe2, rbe3."""

    name: str
    kind: str
    nodes: tuple[int, ...] = ()

    @property
    def option(self) -> str:
        """What stands behind --couple."""
        return f"{self.name}={self.kind}" + (f":{','.join(map(str, self.nodes))}" if self.nodes else "")

    @property
    def lines(self) -> list[str]:
        """The Python that does it."""
        made = [f"fe = fe.with_node_set({self.name!r}, {list(self.nodes)!r})"] if self.nodes else []
        return [*made, f"fe = ff.fem.with_reference_node(fe, {self.name!r}, {self.kind!r})"]


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
    sets: tuple[OwnSet, ...] = ()
    couple: tuple[Coupled, ...] = ()
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
            **_of_sets(self.sets),
            "--couple": [one.option for one in self.couple],
            "--stress": self.stress,
            "--quality": self.quality,
            "-o": file_word(self.output),
        }
        reading, coupled = arguments_of(units=self.units), {one.name for one in self.couple}
        items = [f"{one}_ref" if one in coupled else one for one in _items(self.interface)]
        wanted = arguments_of(
            interface=items,
            n_modes=self.n if self.up_to is None else None,
            up_to=self.up_to,
            method="" if self.method == "craig-bampton" else self.method,
        )
        lines = [f"fe = ff.io.read({self.file!r}{', ' if reading else ''}{reading})"]
        lines += [one.line for one in self.sets]
        lines += [line for one in self.couple for line in one.lines]
        lines.append(f"body = ff.modal.reduce(fe, {wanted})")
        if self.stress:
            wanted = "" if self.stress == "all" else f", {_items(self.stress)!r}"
            lines.append(f"body = ff.modal.with_stress(body, fe{wanted})")
        if self.quality:
            lines.append("print(ff.modal.quality_report(body, fe))")
        lines.append(f"ff.io.write({self.output!r}, body)")
        return Action(("reduce", file_word(self.file), *options_of(options)), script_of(*lines))
