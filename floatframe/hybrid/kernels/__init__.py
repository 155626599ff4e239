"""All compiled loops of the dynamics, the records they work on, and their cache on disk.

In: the tables of a system, a workspace. Out: forces, accelerations, steps, channels.
Open `layout` first, then `system` (one evaluation); `steps` holds the integrators, `linear` the small solvers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.kernels import expression as expression, probes as probes
    from floatframe.hybrid.kernels.collocation import Collocation as Collocation, new_collocation as new_collocation
    from floatframe.hybrid.kernels.entry import (
        do as do,
        kernel_of as kernel_of,
    )
    from floatframe.hybrid.kernels.layout import (
        ANGLE as ANGLE,
        BUMP_STOP as BUMP_STOP,
        BUSHING as BUSHING,
        COINCIDE as COINCIDE,
        CONTACT_PLANE as CONTACT_PLANE,
        COORDINATE as COORDINATE,
        COORDINATE_DATA as COORDINATE_DATA,
        COORDINATE_FORCE as COORDINATE_FORCE,
        DISPLACEMENT as DISPLACEMENT,
        DISTANCE as DISTANCE,
        DOF as DOF,
        DOF_DATA as DOF_DATA,
        EXPRESSION as EXPRESSION,
        FIRST_SENSOR as FIRST_SENSOR,
        FIXED as FIXED,
        FLEXIBLE as FLEXIBLE,
        FORCE as FORCE,
        FORCE_DATA as FORCE_DATA,
        FREE as FREE,
        FRESH as FRESH,
        FRICTION as FRICTION,
        IN_PLANE as IN_PLANE,
        JOINT_NV as JOINT_NV,
        LENGTHS as LENGTHS,
        LINEAR_CREEP as LINEAR_CREEP,
        LINK as LINK,
        LINK_DATA as LINK_DATA,
        MARKER as MARKER,
        MARKER_DATA as MARKER_DATA,
        OFF as OFF,
        PERPENDICULAR as PERPENDICULAR,
        PLACES as PLACES,
        POINT_LOAD as POINT_LOAD,
        POLACH_CREEP as POLACH_CREEP,
        PRISMATIC as PRISMATIC,
        RELATION as RELATION,
        REVOLUTE as REVOLUTE,
        ROW as ROW,
        ROW_DATA as ROW_DATA,
        SATURATED_CREEP as SATURATED_CREEP,
        SCREW as SCREW,
        SENSE_ANGULAR_VELOCITY as SENSE_ANGULAR_VELOCITY,
        SENSE_COORDINATE as SENSE_COORDINATE,
        SENSE_MEMORY as SENSE_MEMORY,
        SENSE_MODAL as SENSE_MODAL,
        SENSE_MODAL_RATE as SENSE_MODAL_RATE,
        SENSE_POSITION as SENSE_POSITION,
        SENSE_PROGRAM as SENSE_PROGRAM,
        SENSE_RATE as SENSE_RATE,
        SENSE_VELOCITY as SENSE_VELOCITY,
        SENSOR as SENSOR,
        SLOT_COORDINATE as SLOT_COORDINATE,
        SLOT_LENGTH as SLOT_LENGTH,
        SLOT_RATE as SLOT_RATE,
        SLOT_TIME as SLOT_TIME,
        SPEEDS as SPEEDS,
        SPHERICAL as SPHERICAL,
        SPRING as SPRING,
        STATE as STATE,
        TERM as TERM,
        TREE_COORDINATE as TREE_COORDINATE,
        USER_FORCE as USER_FORCE,
        USER_VALUES as USER_VALUES,
        WHEEL_ON_TRACK as WHEEL_ON_TRACK,
        WHEEL_RAIL as WHEEL_RAIL,
        Data as Data,
        Tables as Tables,
        sealed as sealed,
    )
    from floatframe.hybrid.kernels.stepping import (
        CARRIED as CARRIED,
        CHANGE_OVER as CHANGE_OVER,
        COUNTERS as COUNTERS,
        CREEPING as CREEPING,
        EVENT as EVENT,
        FAILED as FAILED,
        MULTI_STEP as MULTI_STEP,
        MULTI_STEP_FORMULAS as MULTI_STEP_FORMULAS,
        NOT_A_NUMBER as NOT_A_NUMBER,
        NOT_CLOSED as NOT_CLOSED,
        ONE_STEP as ONE_STEP,
        OPENED as OPENED,
        PAUSED as PAUSED,
        RADAU as RADAU,
        REACHED as REACHED,
        RUNGE_KUTTA as RUNGE_KUTTA,
        RUNGE_KUTTA_STAGES as RUNGE_KUTTA_STAGES,
        SINGULAR as SINGULAR,
        STEPPING as STEPPING,
        TASK_ACCELERATE as TASK_ACCELERATE,
        TASK_EVALUATE as TASK_EVALUATE,
        TASK_EXPLICIT as TASK_EXPLICIT,
        TASK_IMPLICIT as TASK_IMPLICIT,
        TASK_MOVE as TASK_MOVE,
        TASK_OBSERVE as TASK_OBSERVE,
        TASK_RADAU as TASK_RADAU,
        TASK_SETTLE as TASK_SETTLE,
        TOO_SMALL as TOO_SMALL,
        Kept as Kept,
        Work as Work,
        new_kept as new_kept,
        new_stepping as new_stepping,
        new_work as new_work,
        one_step_formula as one_step_formula,
    )
    from floatframe.hybrid.kernels.steps import NEXT as NEXT
    from floatframe.hybrid.kernels.system import (
        ALL_FORCES as ALL_FORCES,
        APPLIED as APPLIED,
        CONVECTIVE as CONVECTIVE,
        ELASTIC as ELASTIC,
        INERTIA as INERTIA,
        JACOBIAN as JACOBIAN,
        MASS as MASS,
        VELOCITY as VELOCITY,
    )
    from floatframe.hybrid.kernels.user_functions import UserFunction as UserFunction, raise_failures as raise_failures
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
