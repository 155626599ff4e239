"""Reports: what is in a model, a body, a run or a sweep, with tables, plots, pictures and where it all comes from."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.errors import FloatframeError, MissingDependency, ModelError, NotConverged
from floatframe.io import complete_file
from floatframe.listening import listening
from floatframe.viewer.drawing import scene_of
from floatframe.viewer.headings import for_people, heading, word_of
from floatframe.viewer.pages.html import scene_html
from floatframe.viewer.pages.report_network import network_page, network_section
from floatframe.viewer.pages.report_page import Page, Section, drawn
from floatframe.viewer.pages.report_response import (
    LociWanted,
    RandomWanted,
    ResponseWanted,
    ShockWanted,
    shock_section,
)
from floatframe.viewer.pages.report_stress import stress_sections
from floatframe.viewer.pages.report_sweep import sweep_page
from floatframe.viewer.rendering import picture, require_rendering, writable

if TYPE_CHECKING:
    from floatframe.durability import SNCurve
    from floatframe.fem import FEModel
    from floatframe.hybrid import ModelFile, Results, State, System
    from floatframe.modal import Modes
    from floatframe.viewer.scene import Scene

_PICTURE = (960, 540)
_MOST_PLOTS = 16
_SCENE_MODES = 12  # modes that a scene in a report takes along
_UNITS = {"t_end": "end [s]", "step": "step [s]", "record_every": "record every [s]"}  # settings of a run that have one
_MOMENTS = (0.0, 1 / 3, 2 / 3, 1.0)
_STABILITY = {True: ("stable", "good"), False: ("unstable", "bad"), None: ("stability not known", "warning")}

Progress = Callable[[int, int], None]
Study = ResponseWanted | RandomWanted | LociWanted | ShockWanted


def report(
    source: str | os.PathLike[str],
    path: str | os.PathLike[str],
    modes: int = 6,
    channels: Sequence[str] = (),
    parameters: dict[str, Any] | None = None,
    thing: Any = None,
    progress: Progress | None = None,
    model: str | os.PathLike[str] | None = None,
    fe: FEModel | Sequence[FEModel] = (),
    curve: SNCurve | None = None,
    studies: Sequence[Study] = (),
) -> Path:
    """Write report.html about a file: a finite element model, a reduced body, a model file, a run or a sweep.

    modes: how many to draw; channels: of a run, or columns of a sweep, to plot, all by default; parameters: other
    values for those of a model file; thing: what the file holds, if it was read already; model: the model file of a
    run that does not keep its own; fe: finite element models of flexible bodies, to draw their sections and masses;
    curve: S–N curve for the life of bodies in a run that keep stresses; studies: responses and modes over a parameter
    of a model file, response spectra of a run.
    """
    path, source = writable(path, ".html", ".htm"), Path(source)
    about = None if model is None else Path(model)
    writer = _Writer(source, modes, tuple(channels), parameters or {}, progress, about, fe)
    writer.curve, writer.studies = curve, tuple(studies)
    text = writer.page(thing).html()
    with complete_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return path


class _Writer:
    """Collects the sections of one report."""

    def __init__(
        self,
        source: Path,
        modes: int,
        channels: tuple[str, ...],
        parameters: dict[str, Any],
        progress: Progress | None,
        model: Path | None,
        fe: FEModel | Sequence[FEModel],
    ) -> None:
        self.source, self.modes, self.channels, self.parameters = source, modes, channels, parameters
        self.progress = progress
        self.model, self.fe = model, fe  # of a run, of flexible bodies
        self.curve: SNCurve | None = None
        self.studies: tuple[Study, ...] = ()
        self.warnings: list[str] = []
        self._can_draw: bool | None = None

    def page(self, thing: Any = None) -> Page:
        """Return the report about what the file holds."""
        from floatframe import fem, hybrid, io, modal
        from floatframe.network import is_network_file, read_network

        with self._listening():
            if is_network_file(self.source):
                page = network_page(read_network(self.source, self.parameters) if thing is None else thing)
            elif hybrid.is_model_file(self.source):
                page = self._of_model(hybrid.read_model(self.source, self.parameters) if thing is None else thing)
            else:
                found = io.read(self.source) if thing is None else thing
                if isinstance(found, io.ResultFile):
                    page = self._of_run(hybrid.Results(found))
                elif isinstance(found, io.SweepResult):
                    page = sweep_page(found, self.source.stem, self.source.name, self.channels, self._tell)
                elif isinstance(found, modal.ReducedBody):
                    page = self._of_description(found, found.name, "reduced flexible body")
                elif isinstance(found, fem.FEModel):
                    page = self._of_description(found, found.name, "finite element model")
                else:
                    raise ModelError(
                        f"'{self.source}' holds {io.in_words(found)}, which cannot be reported; give a finite "
                        "element model, a reduced body, a model file, a run or a sweep."
                    )
        if self.warnings:
            warned = Section("Warnings")
            for sentence in dict.fromkeys(self.warnings):
                warned.note(sentence, "warning")
            page.sections.insert(1, warned)
        self._provenance(page.section("Where this comes from"))
        return page

    @contextmanager
    def _listening(self) -> Iterator[None]:
        with listening() as said:
            yield
        self.warnings += said

    # kinds of things

    def _of_description(self, thing: Any, name: str, what: str) -> Page:
        """A finite element model or a body: what is in it, and how it looks and moves."""
        from floatframe import io

        page = Page(name or self.source.stem, f"{what}, {self.source.name}")
        description = io.describe(thing)
        summary = page.section("Summary")
        tables = {key: value for key, value in description.items() if _is_table(value)}
        notes = description.pop("notes", [])
        problems = description.get("problems")
        summary.lines(
            for_people({key: value for key, value in description.items() if key not in ("content", "name", *tables)})
        )
        if problems == []:
            summary.note("The model check finds no problem.", "good")
        for sentence in notes:
            summary.note(sentence)
        modes = self._modes_of(thing)
        scene = scene_of(thing, **self._more(thing)) if modes is None else scene_of(thing, modes=modes)
        look = page.section("Shapes" if scene.clips else "Picture")
        self._scene(look, scene, "turn it with the mouse, choose and play its modes" if scene.clips else "the model")
        if scene.clips:
            if modes is not None:
                tables["modes"] = _mode_table(modes)
            rows = tables.get("modes", [])
            elastic = [k for k, row in enumerate(rows, start=1) if row.get("kind") in ("eigen", "elastic")]
            self._mode_pictures(look, scene, (elastic or list(range(1, len(scene.clips) + 1)))[: self.modes])
        elif self._drawing():
            look.figures([("the model", drawn(lambda path: picture(scene, path, size=_PICTURE)))])
        for key, records in tables.items():
            page.section(heading(key).capitalize()).table("", for_people(records))
        return page

    def _more(self, thing: Any) -> dict[str, Any]:
        """Return the finite element model of a body, if it is given."""
        from floatframe import fem, modal

        models = [self.fe] if isinstance(self.fe, fem.FEModel) else list(self.fe)
        if not models:
            return {}
        if not isinstance(thing, modal.ReducedBody) or len(models) > 1:
            raise ModelError(f"'{self.source}' takes {'one' if len(models) > 1 else 'no'} finite element model.")
        return {"fe": models[0]}

    def _modes_of(self, thing: Any) -> Modes | None:
        """Return the modes of a finite element model that a report shows; None with a warning if it has none."""
        from floatframe import fem, modal

        if not isinstance(thing, fem.FEModel) or not self.modes:
            return None
        rigid = 0 if len(thing.supports) else 6
        try:
            return modal.eigenmodes(thing, n=min(self.modes + rigid, thing.ndof))
        except FloatframeError as error:
            self.warnings.append(f"No modes: {error}")
            return None

    def _of_model(self, file: ModelFile) -> Page:
        """A hybrid model: what it consists of, where it rests, how it vibrates."""
        from floatframe.hybrid import describe_model_file, describe_state, find_equilibrium

        system = file.model.compile()
        page = Page(system.model.name, f"hybrid model, {self.source.name}")
        description = describe_model_file(file, system)
        tables = {key: value for key, value in description.items() if _is_table(value)}
        page.section("Summary").lines(
            for_people(
                {key: value for key, value in description.items() if key not in ("content", "name", "sha256", *tables)}
            )
        )
        look = page.section("The assembled model")
        start = scene_of(system, fe=self.fe)
        self._scene(look, start, "the model at the start; turn it with the mouse")
        if self._drawing():
            look.figures([("at the start", drawn(lambda path: picture(start, path, size=_PICTURE)))])
        rest = page.section("Equilibrium")
        state = system.initial_state()
        try:
            found = find_equilibrium(system)
            state = found.state
            rest.note(*_STABILITY[found.stable])
            rest.lines(for_people({"unstable_motions": list(found.unstable), "free_motions": list(found.free)}))
            for key, value in describe_state(system, state).items():
                if _is_table(value):
                    rest.table(heading(key), for_people(value))
        except NotConverged as error:
            rest.note(f"{error} The modes below are those of the start.", "warning")
        self._vibration(page.section("Vibration"), system, state)
        for study in self.studies:
            if not isinstance(study, ShockWanted):
                study.add(page, system, state, self._system_at)
        for key, records in tables.items():
            page.section(heading(key).capitalize()).table("", for_people(records))
        return page

    def _system_at(self, parameter: str, value: float) -> System:
        """The machine of the model file with one parameter at another value."""
        from floatframe.hybrid import read_model

        return read_model(self.source, {**self.parameters, parameter: value}).model.compile()

    def _vibration(self, section: Section, system: System, state: State) -> None:
        """The modes of a model near a state, or why it has none."""
        from floatframe.hybrid import describe_linear

        try:
            linear = system.linearise(state, n=max(20, self.modes))
        except ModelError as error:
            section.note(str(error), "warning")
            return
        section.table("Modes of the assembled model", [_mode_row(mode) for mode in describe_linear(linear, 20)])
        if len(linear.frequency):
            scene = scene_of(system, state=state, linear=linear, fe=self.fe)
            oscillating = [k + 1 for k in range(len(linear.frequency)) if linear.eigenvalues[k].imag > 0]
            self._scene(section, scene, "modes of the assembled model", oscillating[0] if oscillating else 1)
            self._mode_pictures(section, scene, oscillating[: self.modes])

    def _of_run(self, result: Results) -> Page:
        """A run: how it went, what it recorded, how it looks."""
        page = Page(self.source.stem, f"simulation, {self.source.name}")
        status = page.section("Summary")
        warned = result.status.reason == "finished" and bool(result.status.message)
        status.note(str(result.status), "bad" if not result.status.ok else "warning" if warned else "good")
        t = result.t
        status.lines({"records": len(result), **({"from [s]": float(t[0]), "to [s]": float(t[-1])} if len(t) else {})})
        if not result.status.ok:
            self.warnings.append(f"the run did not reach its end: {result.status}")
        if len(result):
            if not network_section(page, result, self.source, self.model):
                self._motion(page, result)
            stress_sections(page, result, self.curve, self._drawing())
            for study in self.studies:
                if isinstance(study, ShockWanted):
                    shock_section(page, result, study)
            self._plots(page.section("Channels"), result)
        self._computed(page.section("How it was computed"), result)
        page.section("Model").text("the model as it was simulated", result.meta.model)
        return page

    # pieces

    def _computed(self, section: Section, result: Results) -> None:
        """Show settings of a run, and what its steps cost."""
        settings = {key: value for key, value in result.meta.settings.items() if key != "system"}
        section.lines({_UNITS.get(key, key.replace("_", " ")): value for key, value in settings.items()})
        if not len(result):
            return
        statistics = result.statistics
        units = {channel.name: channel.unit for channel in result.meta.statistics}
        rows = [
            {
                "quantity": name.replace("_", " "),
                "unit": units[name],
                "least": float(np.min(values)),
                "greatest": float(np.max(values)),
                "at the end": float(values[-1]),
            }
            for name, values in statistics.items()
            if values.ndim == 1
        ]
        section.table("", rows)

    def _motion(self, page: Page, result: Results) -> None:
        """Scene and pictures of a run, if its bodies can be rebuilt."""
        section = page.section("Motion")
        try:
            scene = scene_of(result, model=self.model, fe=self.fe)
        except FloatframeError as error:
            if self.model is not None or self.fe:
                raise  # what was asked for must work
            section.note(f"No pictures: {error}", "warning")
            return
        page.title = scene.title or page.title
        self._scene(section, scene, "the run; turn it with the mouse, move the time")
        if self._drawing():
            shown = [
                (
                    scene.clips[0].caption(moment),
                    drawn(lambda path, m=moment: picture(scene, path, mode=1, moment=m, size=_PICTURE)),  # type: ignore[misc]
                )
                for moment in _MOMENTS
            ]
            section.figures(shown)

    def _plots(self, section: Section, result: Results) -> None:
        from floatframe.hybrid import split_numbers
        from floatframe.signals import peak, rms
        from floatframe.viewer.curves import channel_diagrams, measured, moving_channels
        from floatframe.viewer.pages.charts import amplitudes

        names = tuple(split_numbers(text)[0] for text in self.channels) or tuple(moving_channels(result))
        if lost := [] if self.channels else [c.name for c in result.channels if c.name not in names]:
            self.warnings.append(f"Not plotted, since they contain NaN: {', '.join(lost)}.")
        diagrams = channel_diagrams(result, names)
        section.charts([[d, *filter(None, [amplitudes(d)])] for d in diagrams[:_MOST_PLOTS]])
        if len(diagrams) > _MOST_PLOTS:
            section.note(f"{_MOST_PLOTS} of {len(diagrams)} channels are plotted; choose others with --channel.")
        rows = []
        for curve in (curve for diagram in diagrams for curve in diagram.curves):
            largest = peak(curve.t, curve.y)
            numbers = {"rms": float(rms(curve.t, curve.y)), "largest": float(largest.value)}
            rows.append({"signal": curve.name, "unit": curve.unit, **numbers, "at t [s]": float(largest.t)})
        section.table("RMS and peak values", rows)
        section.table("Measures", measured(result, self.channels, None, None))

    def _scene(self, section: Section, scene: Scene, caption: str, first: int | None = None) -> None:
        """Add a scene in motion; first: the mode shown at first, counted from 1, the first that bends by default."""
        if first is None:
            first = next((k for k, clip in enumerate(scene.clips, start=1) if "rigid" not in clip.title), 1)
        section.scene(caption, scene_html(scene, first, most=_SCENE_MODES))

    def _mode_pictures(self, section: Section, scene: Scene, numbers: Sequence[int]) -> None:
        if not self._drawing():
            return
        shown = []
        for done, k in enumerate(numbers, start=1):
            caption = scene.clips[k - 1].title
            shown.append((caption, drawn(lambda path, k=k: picture(scene, path, mode=k, size=_PICTURE))))  # type: ignore[misc]
            self._tell(done, len(numbers))
        section.figures(shown)

    def _drawing(self) -> bool:
        """Whether pictures can be drawn here; if not, the report says so once and does without."""
        if self._can_draw is None:
            try:
                require_rendering()
                self._can_draw = True
            except MissingDependency as error:
                self._can_draw = False
                self.warnings.append(str(error))
        return self._can_draw

    def _provenance(self, section: Section) -> None:
        from floatframe.version import __version__

        content = self.source.read_bytes()
        section.lines(
            {
                "file": str(self.source),
                "size [bytes]": len(content),
                "SHA-256": hashlib.sha256(content).hexdigest(),
                "written by": f"floatframe {__version__}, Python {platform.python_version()}, NumPy {np.__version__}",
                "on": datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
            }
        )

    def _tell(self, done: int, wanted: int) -> None:
        if self.progress is not None:
            self.progress(done, wanted)


def _mode_row(mode: dict[str, Any]) -> dict[str, Any]:
    """Return a mode as a row of a table, shares in per cent."""
    moving = mode["participants"] | mode["states"]
    shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in moving.items() if share > 0.005)
    return {
        "mode": mode["mode"],
        "frequency [Hz]": mode["frequency_hz"],
        "damping [%]": round(100 * mode["damping_ratio"], 4),
        "kind": word_of("kind", mode["kind"]),
        # a share of the energy of a vibration; what does not swing has none
        "strain energy [%]": round(100 * mode["strain_energy_share"], 1) if mode["kind"] == "oscillation" else None,
        "moving most": shares,
    }


def _mode_table(modes: Modes) -> list[dict[str, Any]]:
    """Return the modes of a finite element model as rows of a table."""
    rows = zip(modes.frequency.tolist(), modes.kind, strict=True)
    return [{"mode": k, "frequency_hz": hertz, "kind": kind} for k, (hertz, kind) in enumerate(rows, start=1)]


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)
