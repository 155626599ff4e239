"""Scenes for other programs: glTF for Blender and presentations, VTU series for ParaView.

In: `Scene`s. Out: files. Open `gltf` or `paraview`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.viewer.exports.gltf import gltf as gltf
    from floatframe.viewer.exports.paraview import paraview as paraview
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
