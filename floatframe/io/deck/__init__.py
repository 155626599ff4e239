"""What readers and writers of decks share: numbers in text, constraints, ties, profiles, side-cars.

In: pieces of decks of any program. Out: couplings, sections and numbers in the terms of `fem`.
Open `text_numbers` and `linear_constraints` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.deck import mass_rules as mass_rules, profiles as profiles, write_common as write_common
    from floatframe.io.deck.elimination import Dof as Dof
    from floatframe.io.deck.embedding import embedded as embedded
    from floatframe.io.deck.fortran_records import FortranRecords as FortranRecords
    from floatframe.io.deck.given_materials import (
        Asked as Asked,
        AskedWalls as AskedWalls,
        GivenMaterials as GivenMaterials,
        cure as cure,
        given_material as given_material,
    )
    from floatframe.io.deck.given_sections import (
        Family as Family,
        GivenSection as GivenSection,
        GivenSections as GivenSections,
        beam_section as beam_section,
    )
    from floatframe.io.deck.linear_constraints import LinearConstraints as LinearConstraints
    from floatframe.io.deck.mesh_data import DIMENSION as DIMENSION, Cells as Cells, Mesh as Mesh
    from floatframe.io.deck.node_table import NodeTable as NodeTable
    from floatframe.io.deck.profiles import Drawn as Drawn, Walls as Walls
    from floatframe.io.deck.props_toml import (
        Props as Props,
        beside as beside,
        deck_template as deck_template,
        mesh_template as mesh_template,
        read_props as read_props,
    )
    from floatframe.io.deck.reduced_matrices import INTERFACE as INTERFACE, reduced_model as reduced_model
    from floatframe.io.deck.shear_panels import shear_panel as shear_panel
    from floatframe.io.deck.shell_shapes import ShellShape as ShellShape, quadratic_shapes as quadratic_shapes
    from floatframe.io.deck.single_rows import with_full_rows as with_full_rows
    from floatframe.io.deck.surface_ties import (
        Bond as Bond,
        bond as bond,
        follow_faces as follow_faces,
        nodal_areas as nodal_areas,
        tied_nodes as tied_nodes,
    )
    from floatframe.io.deck.text_numbers import (
        BadNumber as BadNumber,
        Rows as Rows,
        free_block as free_block,
        keyword_lines as keyword_lines,
        line_at as line_at,
        load_text as load_text,
        parse_number as parse_number,
        row_position as row_position,
    )
    from floatframe.io.deck.write_common import (
        Numbers as Numbers,
        batch_of as batch_of,
        beam_frames as beam_frames,
        isotropic as isotropic,
        next_element as next_element,
        refuse as refuse,
        spring_law as spring_law,
    )
    from floatframe.io.deck.write_walls import (
        WrittenWall as WrittenWall,
        corner_thickness as corner_thickness,
        directed_walls as directed_walls,
        ply_constants as ply_constants,
        require_standard_shear as require_standard_shear,
        side_angles as side_angles,
        turned as turned,
        walls as walls,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
