"""How commands read and compile model files: values of parameters, warnings in one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from floatframe.cli.common.terminal import complain, progress
from floatframe.listening import listening

if TYPE_CHECKING:
    from floatframe.hybrid import ModelFile, System

ModelPath = Annotated[Path, typer.Argument(metavar="MODEL.toml", exists=True, dir_okay=False, help="A model file.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Another value for a parameter: torque=50, front.mass=2*900 …"),
]


def read_model_file(file: Path, values: list[str] | None, option: str = "--set") -> ModelFile:
    """Return a model file with parameters as the command line sets them; option: the one that errors name."""
    from floatframe.errors import ModelError
    from floatframe.hybrid import ModelFileError, read_model

    given = given_parameters(values)
    try:
        with printed_warnings(file):
            return read_model(file, given)
    except ModelFileError:
        raise
    except ModelError as error:
        raise typer.BadParameter(f"{option}: {str(error).splitlines()[0]}") from error


def given_parameters(values: list[str] | None) -> dict[str, float | str]:
    """Return the parameters that --set gives other values."""
    given: dict[str, float | str] = {}
    for text in values or []:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise typer.BadParameter(f"--set: '{text}' must have the form NAME=VALUE, e.g. torque=50")
        given[name] = value
    return given


def compiled(file: ModelFile, parts: Sequence[str] = ()) -> System:
    """Return the compiled system, and have these parts of the kernels ready; what it warns of goes to stderr."""
    what = f"compiling {file.path.name}"
    with printed_warnings(file.path), progress(what) as update:
        if parts:
            from floatframe.hybrid import warm_up

            warm_up(parts, update)
            update(None, None, what)
        return file.model.compile()


@contextmanager
def printed_warnings(file: Path) -> Iterator[None]:
    """Print each warning on stderr as one line with the name of the file."""
    with listening() as said:
        yield
    for sentence in said:
        complain(f"{file.name}: {sentence}")
