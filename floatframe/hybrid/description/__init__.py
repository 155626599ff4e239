"""What users write: bodies, places, joints, forces, stages, subsystems.

In: numbers and expressions of users. Out: an assembly of frozen parts.
Open `subsystems` first, then `bodies` and `joints`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.description import (
        blocks as blocks,
        constraints as constraints,
        forces as forces,
        joints as joints,
        rail as rail,
        track_wheel as track_wheel,
    )
    from floatframe.hybrid.description.blocks import (
        Block as Block,
        delay as delay,
        pid as pid,
        sampled as sampled,
        state_space as state_space,
        switch as switch,
        transfer_function as transfer_function,
    )
    from floatframe.hybrid.description.bodies import (
        BODY_LIMITS as BODY_LIMITS,
        FlexibleBody as FlexibleBody,
        RigidBody as RigidBody,
    )
    from floatframe.hybrid.description.constraints import (
        HOLDING_UNITS as HOLDING_UNITS,
        Constraint as Constraint,
        Rolling as Rolling,
        blade as blade,
        rolling as rolling,
        velocity_constraint as velocity_constraint,
        wheel as wheel,
    )
    from floatframe.hybrid.description.control import Signal as Signal, StateVariable as StateVariable
    from floatframe.hybrid.description.damping import (
        ModalDamping as ModalDamping,
        Ratios as Ratios,
        Rayleigh as Rayleigh,
        damping_matrix as damping_matrix,
        describe_damping as describe_damping,
        doubtful_damping as doubtful_damping,
        ratios_as_held as ratios_as_held,
    )
    from floatframe.hybrid.description.forces import (
        LAW_LIMITS as LAW_LIMITS,
        VARIABLES as VARIABLES,
        Force as Force,
        bump_stop as bump_stop,
        bushing as bushing,
        contact_plane as contact_plane,
        friction as friction,
        joint_force as joint_force,
        joint_friction as joint_friction,
        joint_torque as joint_torque,
        point_force as point_force,
        point_torque as point_torque,
        spring as spring,
        user_force as user_force,
    )
    from floatframe.hybrid.description.joints import (
        COORDINATES as COORDINATES,
        POINT_JOINTS as POINT_JOINTS,
        Joint as Joint,
        Relation as Relation,
        Step as Step,
        cylindrical as cylindrical,
        distance as distance,
        fixed as fixed,
        free as free,
        gear as gear,
        general as general,
        motion as motion,
        planar as planar,
        point_on_line as point_on_line,
        point_on_plane as point_on_plane,
        prismatic as prismatic,
        rack as rack,
        relation as relation,
        revolute as revolute,
        rotate as rotate,
        screw as screw,
        spherical as spherical,
        translate as translate,
        universal as universal,
    )
    from floatframe.hybrid.description.kept import Description as Description
    from floatframe.hybrid.description.on_track import OnTrack as OnTrack, Wheels as Wheels
    from floatframe.hybrid.description.places import (
        GROUND as GROUND,
        Ground as Ground,
        Place as Place,
        checked_name as checked_name,
    )
    from floatframe.hybrid.description.rail import (
        Creep as Creep,
        Rail as Rail,
        RailContact as RailContact,
        wheel_rail as wheel_rail,
    )
    from floatframe.hybrid.description.rotations import (
        about as about,
        frame_along as frame_along,
        matrix_to_quaternion as matrix_to_quaternion,
        orthonormal as orthonormal,
        quaternion_to_matrix as quaternion_to_matrix,
        rotation_matrix as rotation_matrix,
        rotation_vector as rotation_vector,
        unit as unit,
    )
    from floatframe.hybrid.description.second_order import SecondOrder as SecondOrder, rigid_rows as rigid_rows
    from floatframe.hybrid.description.stages import Stage as Stage
    from floatframe.hybrid.description.starts import Start as Start
    from floatframe.hybrid.description.subsystems import (
        Assembly as Assembly,
        Instance as Instance,
        Item as Item,
        Subsystem as Subsystem,
        kept_gravity as kept_gravity,
    )
    from floatframe.hybrid.description.track_wheel import WheelContact as WheelContact, wheel_on_track as wheel_on_track
    from floatframe.hybrid.description.units import (
        COORDINATE_UNITS as COORDINATE_UNITS,
        kind_in_words as kind_in_words,
        relation_unit as relation_unit,
        report_units as report_units,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
