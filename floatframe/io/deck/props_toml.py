"""NAME.props.toml beside a file NAME.*: what the file lacks.

A bare mesh gets materials and sections by its groups; the decks of other programs, which have elements of their own,
get materials by the number or name the deck uses for them. Supports, masses, springs and couplings are added to either.

format = "floatframe-props/1"
units = "SI"                                  # of the file beside it and of the numbers here

[material.steel]
E = 2.1e11
nu = 0.3
rho = 7850.0

[material.1]                                  # decks: instead of material 1 of the file
E = 7.0e10
nu = 0.33
rho = 2700.0

[material.ply]                                # orthotropic, for plane stress; also E3, nu13, nu23 for solids
E1 = 1.4e11
E2 = 1.0e10
nu12 = 0.3
G12 = 5.0e9
G13 = 5.0e9                                   # without G13, G23 the layer does not shear across its thickness
G23 = 3.0e9
rho = 1600.0

[section.1]                                   # decks of ANSYS: the wall of shells whose section 1 is not in the file
thickness = 0.01                              # also offset

[section.2]                                   # layers from the bottom up, angles in degrees
layers = [{ material = "ply", thickness = 0.001, angle = 45.0 }, { material = "ply", thickness = 0.001, angle = -45.0 }]

[section.WALL]                                # decks that hold only a mesh: by element set or number of the property
material = "steel"
thickness = 0.01                              # shells; beam = {…} and n1 for beams, area for bars, nothing for solids

[group.PLATE]                                 # meshes only
material = "steel"
thickness = 0.01                              # surfaces: shells; also offset

[group.SKIN]                                  # layers as above; direction: where their angles count from
layers = [{ material = "ply", thickness = 0.002 }]
direction = [1.0, 0.0, 0.0]

[group.RIB]
material = "steel"
beam = { shape = "rectangle", width = 0.02, height = 0.05 }
orientation = [0.0, 0.0, 1.0]                 # lines: beams, local z; truss = true makes bars

[group.BLOCK]
material = "steel"                            # volumes: solids

[[support]]
set = "CLAMP"
components = "all"                            # or "u", "ux,uz" …

[[mass]]
set = "TIP"                                   # every node of it
mass = 10.0
inertia = [0.1, 0.1, 0.2]

[[spring]]
from = "TIP"                                  # one node, by its number or by a set of one
to = 7                                        # ground without this
stiffness = [1e6, 1e6, 1e7, 0.0, 0.0, 0.0]    # or one number along the line; also damping

[[coupling]]
set = "HUB"                                   # gets the reference node HUB_ref
kind = "rbe2"                                 # or "rbe3"
at = [0.0, 0.0, 0.0]                          # its centroid without this
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from floatframe.errors import ModelError, ReadError
from floatframe.fem import (
    FEModel,
    Layer,
    LayeredSection,
    Material,
    MatrixModel,
    ShellSection,
    WallSection,
    with_reference_node,
)
from floatframe.io.deck.mesh_data import Mesh
from floatframe.userfiles import file_text

SUFFIX = ".props.toml"
VERSION = "floatframe-props/1"

_KINDS = {
    "units": str,
    "material": dict,
    "section": dict,
    "group": dict,
    "support": list,
    "mass": list,
    "spring": list,
    "coupling": list,
}
_DIMENSIONS = {1: "line", 2: "surface", 3: "volume"}


@dataclass(frozen=True)
class Props:
    """The content of a side-car; units: None if it says nothing of them."""

    path: Path
    units: str | None = None
    material: dict[str, Any] = field(default_factory=dict)
    section: dict[str, Any] = field(default_factory=dict)
    group: dict[str, Any] = field(default_factory=dict)
    support: list[Any] = field(default_factory=list)
    mass: list[Any] = field(default_factory=list)
    spring: list[Any] = field(default_factory=list)
    coupling: list[Any] = field(default_factory=list)

    def error(self, text: str) -> ReadError:
        return ReadError(f"'{self.path}': {text}")

    def wrong(self, error: Exception) -> ReadError:
        """Return what is wrong with a value as a sentence about the side-car."""
        if isinstance(error, ReadError):
            return error
        text = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) else str(error).rstrip(".")
        return self.error(f"{text}.")

    def materials(self) -> dict[str, Material]:
        """Return the materials by name."""
        try:
            return {key: self._material(key, values) for key, values in self.material.items()}
        except (ModelError, TypeError) as error:
            raise self.wrong(error) from error

    def sections(self) -> dict[str, WallSection]:
        """Return the walls of shells by the number of their section."""
        materials = self.materials()
        try:
            return {key: self.wall(dict(values), f"section {key}", materials) for key, values in self.section.items()}
        except (ModelError, TypeError, ValueError, KeyError) as error:
            raise self.wrong(error) from error

    def wall(self, values: dict[str, Any], name: str, materials: dict[str, Material]) -> WallSection:
        """Return a wall by its thickness or its layers."""
        if "layers" not in values:
            if "thickness" not in values:
                raise KeyError("thickness")
            return ShellSection(**values, name=name)
        layers = []
        for entry in values.pop("layers"):
            entry = dict(entry)
            wanted = entry.pop("material", None)
            if wanted not in materials:
                known = ", ".join(materials) or "none"
                raise self.error(f"{name}: material '{wanted}' of a layer is unknown; materials here: {known}.")
            layers.append(Layer(materials[wanted], **entry))
        return LayeredSection(tuple(layers), **values, name=name)

    def _material(self, key: str, values: Any) -> Material:
        if not isinstance(values, dict) or not all(isinstance(v, int | float) for v in values.values()):
            raise self.error(f"[material.{key}] must give E, nu and rho as numbers, or E1, E2, nu12, G12 and so on.")
        if "E1" not in values:
            return Material(**values, name=key)
        return (Material.orthotropic if "E3" in values else Material.ply)(**values, name=key)

    def added_to(self, model: FEModel | MatrixModel) -> FEModel | MatrixModel:
        """Return a model with the supports, masses, springs and couplings given here, in the units of the two files."""
        try:
            for entry in self.support:
                model = model.with_support([(entry["set"], entry.get("components", "all"))])
            if (self.mass or self.spring or self.coupling) and not isinstance(model, FEModel):
                raise self.error("a model given by its matrices takes supports, but no masses, springs or couplings.")
            for entry in self.mass:
                for node in model.pick_nodes(entry["set"]).tolist():
                    more = {key: entry[key] for key in ("inertia", "offset") if key in entry}
                    model = model.with_point_mass(node, entry["mass"], **more)  # type: ignore[union-attr]
            for entry in self.spring:
                law = {key: entry[key] for key in ("stiffness", "damping") if key in entry}
                model = model.with_spring(entry["from"], entry.get("to"), **law)  # type: ignore[union-attr]
            for entry in self.coupling:
                at = entry.get("at", "centroid")
                model = with_reference_node(model, entry["set"], entry.get("kind", "rbe2"), at)  # type: ignore[arg-type]
        except (ModelError, TypeError, ValueError, KeyError) as error:
            raise self.wrong(error) from error
        return model


def beside(path: Path) -> Path:
    """Return where the side-car of a file stands."""
    return path.with_name(f"{path.stem}{SUFFIX}")


def read_props(path: Path) -> Props:
    """Return the content of a side-car."""
    try:
        content = tomllib.loads(file_text(path))
    except OSError as error:
        raise ReadError(f"'{path}' cannot be read: {error.strerror or error}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ReadError(f"'{path}' is not a TOML file: {error}.") from error
    found = content.pop("format", None)
    if found != VERSION:
        raise ReadError(f"'{path}': format is {found!r}, expected '{VERSION}'.")
    for key, value in content.items():
        if key not in _KINDS:
            raise ReadError(f"'{path}': '{key}' is unknown; use {', '.join(_KINDS)}.")
        if not isinstance(value, _KINDS[key]):
            kind = {str: "word", dict: "table", list: "list"}[_KINDS[key]]
            raise ReadError(f"'{path}': '{key}' must be a {kind}.")
    return Props(path, **content)


# templates

_UNITS = 'units = "SI"  # of the file and of the numbers here'
_HOLD = ["", "# [[support]]", '# set = "NAME"', '# components = "all"']


def _steel(name: str) -> list[str]:
    return ["", f"[material.{_quoted(name)}]", "E = 2.1e11", "nu = 0.3", "rho = 7850.0"]


_FAMILIES = {
    "solid": (),
    "shell": ("thickness = 0.01",),
    "beam": ('beam = { shape = "rectangle", width = 0.02, height = 0.02 }',),
    "truss": ("area = 1e-4",),
}


def deck_template(
    materials: Iterable[str],
    name: str,
    sections: Iterable[str] = (),
    families: Mapping[str, str] | None = None,
) -> str:
    """Return a side-car for the materials a deck uses and the sections it lacks, to be filled in."""
    lines = [
        f"# properties for {name}; materials here take the place of its own: delete those it has itself",
        f'format = "{VERSION}"',
        _UNITS,
    ]
    for material in materials:
        lines += _steel(material)
    for section in sections:
        lines += ["", f"[section.{_quoted(section)}]  # shells", "thickness = 0.01"]
    for section, family in (families or {}).items():
        lines += ["", f"[section.{_quoted(section)}]  # {family}s", 'material = "steel"', *_FAMILIES[family]]
    return "\n".join([*lines, *_HOLD]) + "\n"


def mesh_template(mesh: Mesh, name: str) -> str:
    """Return a side-car for the groups of a mesh, to be filled in."""
    groups = dict(mesh.groups)
    top = max((cells.dimension for cells in mesh.cells), default=3)
    if any(cells.dimension == top and cells.ungrouped.any() for cells in mesh.cells):
        groups["*"] = top  # what is in no group
    lines = [
        f"# properties for {name}; groups without a [group] table serve as node sets only",
        f'format = "{VERSION}"',
        _UNITS,
        *_steel("steel"),
    ]
    points = [group for group, dimension in groups.items() if dimension == 0]
    for group, dimension in groups.items():
        if dimension == 0:
            continue  # points are not elements
        table = [f"[group.{_quoted(group)}]  # {_DIMENSIONS.get(dimension, 'cell')}s", 'material = "steel"']
        if dimension == 2:
            table.append("thickness = 0.01")
        if dimension == 1:
            table += ['beam = { shape = "rectangle", width = 0.02, height = 0.02 }', "orientation = [0.0, 0.0, 1.0]"]
        reason = mesh.why_no_elements(group, dimension, top)
        lines += ["", *(f"# {line}" for line in (f"{reason}:", *table))] if reason else ["", *table]
    lines += _HOLD
    if points or mesh.point_sets:
        lines += ["", f"# node sets in the mesh: {', '.join([*points, *mesh.point_sets])}"]
    return "\n".join(lines) + "\n"


def _quoted(name: str) -> str:
    return (
        name
        if name.replace("_", "").replace("-", "").isalnum() and name.isascii()
        else '"' + name.replace('"', "'") + '"'
    )
