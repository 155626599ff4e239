"""How commands write bodies: what cannot be written is refused before anything is computed, what is lost is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from floatframe.cli.common.outputs import output as marked_output
from floatframe.cli.common.terminal import complain, with_suffix

NETWORK_SUFFIXES = (".toml", ".pradis")


def _writable(path: Path | None) -> Path | None:
    """Refuse what no format is called before the file is read."""
    from floatframe import io

    if path is None:
        return None
    suffixes = dict.fromkeys(suffix for known in io.formats() if known.write is not None for suffix in known.suffixes)
    return with_suffix(*suffixes)(path)


def _convertible(path: Path | None) -> Path | None:
    """Refuse what neither networks nor other formats are called."""
    return path if path is not None and path.suffix.lower() in NETWORK_SUFFIXES else _writable(path)


_MARKS = "floatframe-fe-model", "input.fum-hdf5"
writable, convertible = marked_output(_writable, *_MARKS), marked_output(_convertible, *_MARKS)


def require_texts(output: Path, **texts: str) -> None:
    """Refuse texts that an input.fum cannot store."""
    from floatframe.errors import WriteError
    from floatframe.io import fum_binary

    if output.suffix.lower() in fum_binary.FORMAT.suffixes:
        try:
            fum_binary.require_texts(output, **texts)
        except WriteError as error:
            raise typer.BadParameter(str(error)) from error


def write(output: Path, thing: Any) -> None:
    """Write something; sets with other names and what an input.fum cannot store go to stderr."""
    from floatframe import io, modal
    from floatframe.io import fum_binary

    io.write(output, thing)
    renamed = io.renamed_sets(output, thing)
    if renamed:
        complain(f"'{output}' calls {', '.join(f'{old} {new}' for old, new in renamed.items())}")
    if isinstance(thing, modal.ReducedBody) and output.suffix.lower() in fum_binary.FORMAT.suffixes:
        missing = fum_binary.lost(thing)
        if missing:
            complain(f"'{output}' cannot store {', '.join(missing)}; write .h5 to keep them")
