"""Finite element models: materials, sections, elements, builders, assembly, couplings, loads, stresses, checks.

In: numbers of a user or of an imported file. Out: `FEModel` with its sparse matrices, loads and stresses.
Open `model` first; `elements` and `builders` are libraries, `properties` what elements are made of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.fem.blocks import ElementBlock as ElementBlock
    from floatframe.fem.builders import (
        BeamRib as BeamRib,
        ShellRib as ShellRib,
        arc as arc,
        array as array,
        beam_line as beam_line,
        boundary_edges as boundary_edges,
        box as box,
        connected_parts as connected_parts,
        cut_openings as cut_openings,
        extrusion as extrusion,
        frame as frame,
        in_box as in_box,
        in_cylinder as in_cylinder,
        in_ellipse as in_ellipse,
        in_sphere as in_sphere,
        join as join,
        lines_between as lines_between,
        mapped_patch as mapped_patch,
        merge_nodes as merge_nodes,
        mesh_lines as mesh_lines,
        mirror as mirror,
        nearest as nearest,
        node_near as node_near,
        nodes_between as nodes_between,
        on_plane as on_plane,
        pick_elements as pick_elements,
        plate_grid as plate_grid,
        quad_patch as quad_patch,
        remove_elements as remove_elements,
        remove_unused_nodes as remove_unused_nodes,
        renumber as renumber,
        revolution as revolution,
        rotate as rotate,
        segment as segment,
        sheet as sheet,
        shell_edges as shell_edges,
        shell_grid as shell_grid,
        shell_mesh as shell_mesh,
        solid_box as solid_box,
        stiffened_panel as stiffened_panel,
        tie_nodes as tie_nodes,
        translate as translate,
        with_beams as with_beams,
        with_machine as with_machine,
        with_node as with_node,
        with_places as with_places,
        with_reference_node as with_reference_node,
        with_ribs as with_ribs,
    )
    from floatframe.fem.checks import CheckReport as CheckReport, Problem as Problem, check_model as check_model
    from floatframe.fem.coats import displacements_alone as displacements_alone
    from floatframe.fem.connection import spider_lines as spider_lines
    from floatframe.fem.couplings import MPC as MPC, RBE2 as RBE2, RBE3 as RBE3, Coupling as Coupling
    from floatframe.fem.dofs import DOF_NAMES as DOF_NAMES, components as components
    from floatframe.fem.elements import (
        Batch as Batch,
        Element as Element,
        SecondOrder as SecondOrder,
        direction_of as direction_of,
        element_kind as element_kind,
        element_kinds as element_kinds,
        register as register,
    )
    from floatframe.fem.faces import outer_faces as outer_faces
    from floatframe.fem.geometric import RigidArms as RigidArms
    from floatframe.fem.loads import (
        NodalValues as NodalValues,
        load_vector as load_vector,
        nodal_values as nodal_values,
    )
    from floatframe.fem.mass_properties import MassProperties as MassProperties, mass_properties as mass_properties
    from floatframe.fem.masses import PointMass as PointMass
    from floatframe.fem.matrix_model import AnyModel as AnyModel, MatrixModel as MatrixModel
    from floatframe.fem.meshfile import is_mesh_file as is_mesh_file, read_mesh as read_mesh
    from floatframe.fem.model import FEModel as FEModel
    from floatframe.fem.nodal import (
        DofSpec as DofSpec,
        FileSource as FileSource,
        MassKind as MassKind,
        NodalModel as NodalModel,
        as_items as as_items,
        mass_quantity as mass_quantity,
        rigid_motion as rigid_motion,
    )
    from floatframe.fem.properties import (
        RIGID as RIGID,
        BeamSection as BeamSection,
        GeneralShellSection as GeneralShellSection,
        Layer as Layer,
        LayeredSection as LayeredSection,
        Material as Material,
        Point as Point,
        Rectangle as Rectangle,
        Section as Section,
        ShellSection as ShellSection,
        ThinWall as ThinWall,
        WallLaw as WallLaw,
        WallSection as WallSection,
        filled_section as filled_section,
        is_isotropic as is_isotropic,
        material_angle as material_angle,
        plane_stress as plane_stress,
        profiles as profiles,
        quadrilateral as quadrilateral,
        section_law as section_law,
        standard_material as standard_material,
        standard_section as standard_section,
        wall_law as wall_law,
    )
    from floatframe.fem.stress import (
        BOTTOM as BOTTOM,
        SOLID as SOLID,
        TOP as TOP,
        Pull as Pull,
        Stresses as Stresses,
        StressRows as StressRows,
        joined_shear as joined_shear,
        stress_rows as stress_rows,
        stresses as stresses,
        von_mises as von_mises,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
