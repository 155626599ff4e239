"""The flat model: subsystems opened, parameters put in, mistakes reported all at once.

In: an assembly with its parameters. Out: `FlatModel`.
Open `model` first, then `flatten`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.flat.body_frames import framed as framed
    from floatframe.hybrid.flat.checks import bracketed as bracketed, node_number as node_number
    from floatframe.hybrid.flat.control import RATE as RATE, VALUE as VALUE
    from floatframe.hybrid.flat.flatten import flatten as flatten, mistakes_in as mistakes_in
    from floatframe.hybrid.flat.model import (
        FlatBody as FlatBody,
        FlatConstraint as FlatConstraint,
        FlatForce as FlatForce,
        FlatHeld as FlatHeld,
        FlatJoint as FlatJoint,
        FlatModel as FlatModel,
        FlatPlace as FlatPlace,
        FlatRelation as FlatRelation,
        FlatRow as FlatRow,
        FlatSignal as FlatSignal,
        FlatStage as FlatStage,
        FlatState as FlatState,
        FlatStep as FlatStep,
    )
    from floatframe.hybrid.flat.parts import given_parameters as given_parameters, model_scope as model_scope
    from floatframe.hybrid.flat.turned_terms import rigid_mass as rigid_mass
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
