"""Builders: finite element models from a few numbers, and models from models."""

from floatframe.fem.builders.lines import beam_line, frame
from floatframe.fem.builders.plates import plate_grid, shell_mesh

__all__ = ["beam_line", "frame", "plate_grid", "shell_mesh"]
