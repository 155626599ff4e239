"""The language of ANSYS input: text, parameters, flow of commands, blocks, names.

In: the text of an input file. Out: commands with their values, one after another.
Open `text` first, then `flow`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.ansys.apdl import (
        _kernels as _kernels,
        blocks as blocks,
        elements as elements,
        names as names,
        vocabulary as vocabulary,
    )
    from floatframe.io.ansys.apdl.blocks import (
        Elements as Elements,
        Nodes as Nodes,
        read_component as read_component,
        read_real_constants as read_real_constants,
    )
    from floatframe.io.ansys.apdl.elements import (
        BEAM_REAL as BEAM_REAL,
        BEAM_SECTION as BEAM_SECTION,
        BRICK8 as BRICK8,
        BRICK20 as BRICK20,
        CURVED_PIPE as CURVED_PIPE,
        PIPE_REAL as PIPE_REAL,
        PIPE_SECTION as PIPE_SECTION,
        PLANE_BEAM as PLANE_BEAM,
        PRETENSION as PRETENSION,
        SHELL8 as SHELL8,
        SOLID_SHELL as SOLID_SHELL,
        TET4 as TET4,
        TET10 as TET10,
        brick_shapes as brick_shapes,
        element_name as element_name,
        element_number as element_number,
        padded as padded,
        shell_shapes as shell_shapes,
        tet_shapes as tet_shapes,
    )
    from floatframe.io.ansys.apdl.flow import commands as commands
    from floatframe.io.ansys.apdl.names import (
        LOST_COMMANDS as LOST_COMMANDS,
        WITHOUT_STRUCTURE as WITHOUT_STRUCTURE,
        element_loss as element_loss,
    )
    from floatframe.io.ansys.apdl.rows import held_rows as held_rows, pass_over as pass_over
    from floatframe.io.ansys.apdl.systems import (
        GLOBAL as GLOBAL,
        System as System,
        angles_of as angles_of,
        rotation as rotation,
    )
    from floatframe.io.ansys.apdl.text import (
        Command as Command,
        Text as Text,
        beside as beside,
        place_in_array as place_in_array,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
