"""Ready-to-run samples, one folder each: model files, builders of structures, studies.

In: the name of a sample. Out: its files in a folder of the user (`Sample.copy`), or the results of its study
(`Sample.study`). The first line of a sample's docstring says what it is, its lines that begin with `floatframe` what to
run next.

The repository keeps the folders in `samples/` at its top, the wheel carries them inside this package.
"""

from __future__ import annotations

import ast
import importlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from floatframe.errors import ModelError, WriteError

_HERE = Path(__file__).parent
_FOLDER = _HERE if (_HERE / "beam").is_dir() else _HERE.parents[1] / "samples"
__path__ = [str(_FOLDER)]  # modules of samples are found in both places as floatframe.samples.beam.model

__all__ = ["Sample", "find_sample", "samples"]


@dataclass(frozen=True)
class Sample:
    """A sample as users see it: its name, one line about it, and commands worth running on its files."""

    name: str
    about: str
    commands: tuple[str, ...]
    folder: Path

    @property
    def has_model(self) -> bool:
        """Whether it builds a finite element model, which a copy holds as NAME.h5."""
        return (self.folder / "model.py").exists()

    @property
    def has_study(self) -> bool:
        """Whether it can be run as a whole."""
        return (self.folder / "study.py").exists()

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files in a copy."""
        kept = [path.name for path in self.folder.iterdir() if path.is_file() and not path.name.startswith(("_", "."))]
        return tuple(sorted([*kept, f"{self.name}.h5"] if self.has_model else kept))

    def copy(self, folder: Path) -> tuple[Path, ...]:
        """Write its files into a folder, which is made if need be, and return them; nothing is overwritten."""
        written = tuple(folder / name for name in self.files)
        if there := [path.name for path in written if path.exists()]:
            raise WriteError(
                f"sample '{self.name}': '{folder}' already has {', '.join(there)}, which would be overwritten; "
                "remove it or name another folder"
            )
        folder.mkdir(parents=True, exist_ok=True)
        for path in written:
            if path.name == f"{self.name}.h5" and self.has_model:
                from floatframe import io

                io.write(path, self._module().build())
            else:
                shutil.copyfile(self.folder / path.name, path)
        return written

    def study(self) -> ModuleType:
        """Return the module of its study: `run(folder, say)` gives an outcome with `files`, `table` shows it.

        say: called with a sentence, or with a sentence, what is done and what is wanted, for a bar.
        """
        if not self.has_study:
            able = ", ".join(sample.name for sample in samples() if sample.has_study)
            raise ModelError(f"sample '{self.name}' has no study that runs as a whole; studies: {able}")
        return self._module(".study")

    def _module(self, inside: str = "") -> ModuleType:
        return importlib.import_module(f"{__name__}.{self.folder.name}{inside}")


def samples() -> list[Sample]:
    """Return all samples, ordered by name, without loading what they are made of."""
    return [_read(path.parent) for path in sorted(_FOLDER.glob("*/__init__.py"))]


def find_sample(name: str) -> Sample:
    """Return a sample by its name; hyphens and underscores are the same."""
    known = {sample.name: sample for sample in samples()}
    if (wanted := name.lower().replace("_", "-")) not in known:
        raise ModelError(f"sample '{name}' is unknown; expected one of {', '.join(known)}")
    return known[wanted]


def _read(folder: Path) -> Sample:
    """Return the sample that a folder holds, from the docstring of its package."""
    tree = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    text = ast.get_docstring(tree, clean=False) or ""
    return Sample(folder.name.replace("_", "-"), text.split("\n")[0], tuple(_commands(text)), folder)


def _commands(text: str) -> Iterator[str]:
    """Yield the lines of a docstring that are commands."""
    for line in text.split("\n"):
        if line.strip().startswith("floatframe "):
            yield line.strip()
