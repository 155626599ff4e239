"""Meshes without properties: gmsh, MED, universal files and what meshio reads.

In: a mesh file and the side-car with its properties. Out: an `FEModel`.
Open `bridge` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.meshes import gmsh as gmsh, unv as unv
    from floatframe.io.meshes.bridge import NAME as NAME, read_mesh as read_mesh
    from floatframe.io.meshes.formats import FORMATS as FORMATS
    from floatframe.io.meshes.med import TYPES as TYPES
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
