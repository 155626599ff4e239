"""Builders: finite element models from a few numbers, and models from models.

In: lengths, counts, materials and sections, or models. Out: `FEModel`s.
Open `lines` or `plates` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.fem.builders.equipment import (
        node_near as node_near,
        with_machine as with_machine,
        with_node as with_node,
        with_places as with_places,
    )
    from floatframe.fem.builders.interfaces import with_reference_node as with_reference_node
    from floatframe.fem.builders.joining import (
        array as array,
        join as join,
        merge_nodes as merge_nodes,
        remove_unused_nodes as remove_unused_nodes,
        renumber as renumber,
        tie_nodes as tie_nodes,
    )
    from floatframe.fem.builders.lines import beam_line as beam_line, frame as frame
    from floatframe.fem.builders.panels import (
        BeamRib as BeamRib,
        ShellRib as ShellRib,
        box as box,
        stiffened_panel as stiffened_panel,
    )
    from floatframe.fem.builders.picks import (
        in_box as in_box,
        in_cylinder as in_cylinder,
        in_ellipse as in_ellipse,
        in_sphere as in_sphere,
        nearest as nearest,
        on_plane as on_plane,
    )
    from floatframe.fem.builders.plates import (
        plate_grid as plate_grid,
        shell_grid as shell_grid,
        shell_mesh as shell_mesh,
    )
    from floatframe.fem.builders.regions import (
        boundary_edges as boundary_edges,
        connected_parts as connected_parts,
        cut_openings as cut_openings,
        pick_elements as pick_elements,
        remove_elements as remove_elements,
        shell_edges as shell_edges,
    )
    from floatframe.fem.builders.ribs import (
        nodes_between as nodes_between,
        with_beams as with_beams,
        with_ribs as with_ribs,
    )
    from floatframe.fem.builders.sheets import (
        lines_between as lines_between,
        mesh_lines as mesh_lines,
        sheet as sheet,
    )
    from floatframe.fem.builders.solids import solid_box as solid_box
    from floatframe.fem.builders.surfaces import (
        arc as arc,
        extrusion as extrusion,
        mapped_patch as mapped_patch,
        quad_patch as quad_patch,
        revolution as revolution,
        segment as segment,
    )
    from floatframe.fem.builders.transforms import mirror as mirror, rotate as rotate, translate as translate
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
