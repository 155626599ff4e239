"""Builders: finite element models from a few numbers, and models from models."""

from floatframe.fem.builders.interfaces import with_reference_node
from floatframe.fem.builders.joining import array, join, merge_nodes, remove_unused_nodes, renumber
from floatframe.fem.builders.lines import beam_line, frame
from floatframe.fem.builders.panels import box, stiffened_panel
from floatframe.fem.builders.picks import in_box, in_cylinder, in_ellipse, in_sphere, nearest, on_plane
from floatframe.fem.builders.plates import plate_grid, shell_grid, shell_mesh
from floatframe.fem.builders.regions import (
    boundary_edges,
    connected_parts,
    cut_openings,
    pick_elements,
    remove_elements,
    shell_edges,
)
from floatframe.fem.builders.ribs import nodes_between, with_beams, with_ribs
from floatframe.fem.builders.surfaces import arc, extrusion, mapped_patch, quad_patch, revolution, segment
from floatframe.fem.builders.transforms import mirror, rotate, translate

__all__ = [
    "arc",
    "array",
    "beam_line",
    "boundary_edges",
    "box",
    "connected_parts",
    "cut_openings",
    "extrusion",
    "frame",
    "in_box",
    "in_cylinder",
    "in_ellipse",
    "in_sphere",
    "join",
    "mapped_patch",
    "merge_nodes",
    "mirror",
    "nearest",
    "nodes_between",
    "on_plane",
    "pick_elements",
    "plate_grid",
    "quad_patch",
    "remove_elements",
    "remove_unused_nodes",
    "renumber",
    "revolution",
    "rotate",
    "segment",
    "shell_edges",
    "shell_grid",
    "shell_mesh",
    "stiffened_panel",
    "translate",
    "with_beams",
    "with_reference_node",
    "with_ribs",
]
