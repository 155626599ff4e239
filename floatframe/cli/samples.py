"""`floatframe samples [NAME]`: what comes with the program, ready to be copied and run."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import Json, Verbose, asked, console, progress, show_json, table

if TYPE_CHECKING:
    from floatframe.samples import Sample

EXAMPLES = """
floatframe samples
floatframe samples bogie -o my-bogie
floatframe samples slider-crank --run -o slider-crank
"""


def run_command(
    name: Annotated[str | None, typer.Argument(help="Name of a sample; without it all are listed.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FOLDER", file_okay=False, help="Where to copy its files.")
    ] = None,
    run: Annotated[bool, typer.Option("--run", help="Run its study into the folder instead.")] = False,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """List the samples, show what one holds, copy its files or run its study.

    Nothing is overwritten. A sample with a builder of a structure (model.py) is copied with the finite element model
    that it builds, NAME.h5.
    """
    from floatframe import samples

    if name is None:
        if output is not None or run:
            raise typer.BadParameter("-o and --run need the name of a sample")
        _list(samples.samples(), as_json)
        return
    with asked("NAME"):
        sample = samples.find_sample(name)
    if run:
        _run(sample, output, as_json)
    elif output is not None:
        _copy(sample, output, as_json)
    else:
        _show(sample, as_json)


def _list(found: list[Sample], as_json: bool) -> None:
    if as_json:
        show_json("floatframe-samples/1", {"samples": [_entry(sample) for sample in found]})
        return
    console().print(table("samples", {"name": [s.name for s in found], "about": [s.about for s in found]}))
    console().print("\nfloatframe samples NAME -o FOLDER copies one", markup=False)


def _show(sample: Sample, as_json: bool) -> None:
    if as_json:
        show_json("floatframe-samples/1", {"samples": [_entry(sample)]})
        return
    _say(sample.about, f"files: {', '.join(sample.files)}", f"copy: floatframe samples {sample.name} -o FOLDER")
    _say_next(sample, Path("FOLDER"))


def _copy(sample: Sample, folder: Path, as_json: bool) -> None:
    written = sample.copy(folder)
    if as_json:
        _show_written(sample, written)
        return
    _say(*(f"wrote {path}" for path in written))
    _say_next(sample, folder)


def _run(sample: Sample, folder: Path | None, as_json: bool) -> None:
    if folder is None:
        raise typer.BadParameter("--run needs -o FOLDER for its results")
    if folder.is_dir() and any(folder.iterdir()):
        raise typer.BadParameter(f"-o: '{folder}' is not empty, and its files could be overwritten; name a new folder")
    with asked("--run"):
        study = sample.study()
    with progress(sample.name) as show:
        outcome = study.run(folder, lambda text, done=0, wanted=None: show(done, wanted, text))
    if as_json:
        _show_written(sample, outcome.files)
        return
    _say(study.table(outcome), *(f"wrote {path}" for path in outcome.files))


def _show_written(sample: Sample, files: Iterable[Path]) -> None:
    content = {"samples": [_entry(sample)], "written": [str(path) for path in files]}
    show_json("floatframe-samples/1", content)


def _entry(sample: Sample) -> dict[str, Any]:
    return {
        "name": sample.name,
        "about": sample.about,
        "files": list(sample.files),
        "commands": list(sample.commands),
        "has_study": sample.has_study,
    }


def _say_next(sample: Sample, folder: Path) -> None:
    """Print the commands to try in the folder."""
    enter = [] if folder.resolve() == Path.cwd() else [f"cd {folder}"]
    study = [f"floatframe samples {sample.name} --run -o FOLDER"] if sample.has_study else []
    _say("next:", *(f"  {command}" for command in (*enter, *sample.commands, *study)))


def _say(*lines: str) -> None:
    out = console()
    for line in lines:
        out.print(line, markup=False, soft_wrap=True)
