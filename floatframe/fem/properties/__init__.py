"""What elements are made of: materials, beam profiles, walls of one or more layers.

In: moduli, densities, dimensions. Out: sections and the laws that elements integrate.
Open `materials` first, then `sections` and `wall_law`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.fem.properties import profiles as profiles
    from floatframe.fem.properties.cells import filled_section as filled_section, quadrilateral as quadrilateral
    from floatframe.fem.properties.laminates import (
        GeneralShellSection as GeneralShellSection,
        Layer as Layer,
        LayeredSection as LayeredSection,
    )
    from floatframe.fem.properties.library import LIBRARY as LIBRARY, standard_material as standard_material
    from floatframe.fem.properties.materials import RIGID as RIGID, Material as Material
    from floatframe.fem.properties.profiles import Point as Point, Rectangle as Rectangle, ThinWall as ThinWall
    from floatframe.fem.properties.sections import (
        BeamSection as BeamSection,
        Section as Section,
        ShellSection as ShellSection,
        WallSection as WallSection,
    )
    from floatframe.fem.properties.standard import (
        profile_patterns as profile_patterns,
        standard_section as standard_section,
    )
    from floatframe.fem.properties.wall_law import (
        WallLaw as WallLaw,
        is_isotropic as is_isotropic,
        layer_law as layer_law,
        material_angle as material_angle,
        plane_stress as plane_stress,
        section_law as section_law,
        shear_between_layers as shear_between_layers,
        shear_turn as shear_turn,
        strain_turn as strain_turn,
        turns as turns,
        wall_law as wall_law,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
