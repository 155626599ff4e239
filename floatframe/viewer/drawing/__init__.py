"""From models and results to scenes.

In: finite element models, bodies, systems, runs. Out: `Scene`s of NumPy arrays.
Open `scenes` first, then `fe_models` and `hybrid`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.viewer.drawing.body_models import belongs as belongs
    from floatframe.viewer.drawing.makers import scene_maker as scene_maker
    from floatframe.viewer.drawing.polygons import smooth_patches as smooth_patches, triangles as triangles
    from floatframe.viewer.drawing.scenes import scene_of as scene_of
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
