"""From a flat model to a compiled system: records for the kernels, then bodies assembled at the start."""

from __future__ import annotations

from typing import TypeVar

from floatframe.hybrid.assembly.compiled_system import CompiledSystem
from floatframe.hybrid.assembly.consistent import initial_state
from floatframe.hybrid.assembly.holding import body_poses, with_damping_as_held
from floatframe.hybrid.assembly.redundancy import kept_rows
from floatframe.hybrid.assembly.start_checks import check_start
from floatframe.hybrid.assembly.switching import independent_tables
from floatframe.hybrid.compile import compiled, with_damping
from floatframe.hybrid.description import Description
from floatframe.hybrid.flat import FlatModel

Kind = TypeVar("Kind", bound=CompiledSystem)


def assemble(model: FlatModel, kind: type[Kind], description: Description | None = None) -> Kind:
    """Compile a model, assemble its bodies, leave out the constraint rows that follow from others.

    kind: the class of the system; description: what the model was flattened from.
    """
    index, tables = compiled(model)
    holding = index.rows.holding
    everything, _ = kept_rows(index, tables, holding)
    start = initial_state(index, everything, row_names=[index.rows.names[k] for k in holding])
    check_start(index, everything, start)
    if any(body.held_ratios is not None for body in model.bodies):
        # ratios of modes as joints hold them in the start pose, which is known by now
        damped = with_damping_as_held(model, body_poses(index, everything, start))
        index, tables = with_damping(index, tables, damped)
    tables, numbers, redundant = independent_tables(index, tables, start)
    return kind(index, tables, numbers, redundant, start, description)
