"""Materials that the user gives for those of a deck: from Python, or from the side-car NAME.props.toml."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from floatframe.fem import Material, ShellSection
from floatframe.io.deck.props_toml import beside

GivenMaterials = Mapping[Any, Material] | Material | None


def given_material(given: GivenMaterials, name: int | str) -> Material | None:
    """Return what the user gives for a material of the deck: one for all, or that of its number or name."""
    if given is None or isinstance(given, Material):
        return given
    found = given.get(name)
    return given.get(str(name)) if found is None else found


def cure(path: Path, name: int | str, what: str = "material") -> str:
    """Return what to do about a material, or the section of a shell, that the file does not give."""
    return (
        f"give it as [{what}.{name}] in '{beside(path).name}' (`floatframe info {path.name} --template` writes one) "
        "or with --props FILE"
    )


class AskedWalls(Mapping[str, ShellSection]):
    """Stands in for all sections of shells and records the numbers that are looked up."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}

    def get(self, key: str, default: Any = None) -> ShellSection:
        """Return a stand-in for any name."""
        self.names[key] = None
        return ShellSection(0.01)

    def __getitem__(self, key: str) -> ShellSection:
        return self.get(key)

    def __bool__(self) -> bool:
        return True  # there is an answer to any question

    def __iter__(self) -> Any:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


class Asked(Mapping[Any, Material]):
    """Stands in for all materials and records the names that are looked up."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}

    def get(self, key: Any, default: Any = None) -> Material:
        """Return a stand-in for any name."""
        self.names[str(key)] = None
        return Material(2.1e11, 0.3, 7850.0)

    def __getitem__(self, key: Any) -> Material:
        return self.get(key)

    def __iter__(self) -> Any:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)
