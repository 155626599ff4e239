"""Mesh files: finite element models as text, made by the builders of this package.

In: TOML of materials, sections, mesh lines, parts and features. Out: an `FEModel`, or all mistakes with their lines.
Open `parts` and `features` first, then `reading`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.fem.meshfile.reading import is_mesh_file as is_mesh_file, read_mesh as read_mesh
    from floatframe.fem.meshfile.tables import MESH_FORMAT as MESH_FORMAT
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
