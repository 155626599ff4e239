"""Hybrid multibody models: rigid and flexible bodies, joints, forces, equilibrium, simulation.

In: descriptions by Python or model files, `ReducedBody`s. Out: `System`s, equilibria, linear analyses, runs.
The rooms in the order of the data: `description`, `flat`, `compile`, `assembly`, `studies`, `results`, `simulation`;
`kernels` serve them, `modelfile` is for models as text, `sweep` stands above. Open `model` and
`system` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.expressions import (
        Expression as Expression,
        Table as Table,
        parse as parse,
        read_table as read_table,
    )
    from floatframe.hybrid.assembly import (
        CompiledSystem as CompiledSystem,
        HeldModes as HeldModes,
        State as State,
        flexible_body as flexible_body,
        held_modes as held_modes,
    )
    from floatframe.hybrid.compile import compile_program as compile_program, link as link
    from floatframe.hybrid.contributions import (
        Contributions as Contributions,
        ModeContributions as ModeContributions,
        contributions as contributions,
        mode_contributions as mode_contributions,
        system_modes as system_modes,
    )
    from floatframe.hybrid.coupling import Coupling as Coupling, Slopes as Slopes
    from floatframe.hybrid.deformations import deformation as deformation
    from floatframe.hybrid.describe import (
        describe_equilibrium as describe_equilibrium,
        describe_linear as describe_linear,
        describe_model_file as describe_model_file,
        describe_state as describe_state,
    )
    from floatframe.hybrid.description import (
        Block as Block,
        Constraint as Constraint,
        Creep as Creep,
        FlexibleBody as FlexibleBody,
        Force as Force,
        Ground as Ground,
        Instance as Instance,
        Joint as Joint,
        ModalDamping as ModalDamping,
        OnTrack as OnTrack,
        Place as Place,
        Rail as Rail,
        RailContact as RailContact,
        Rayleigh as Rayleigh,
        Relation as Relation,
        RigidBody as RigidBody,
        Rolling as Rolling,
        SecondOrder as SecondOrder,
        Signal as Signal,
        Stage as Stage,
        Start as Start,
        StateVariable as StateVariable,
        Step as Step,
        Subsystem as Subsystem,
        WheelContact as WheelContact,
        Wheels as Wheels,
        blade as blade,
        bump_stop as bump_stop,
        bushing as bushing,
        contact_plane as contact_plane,
        cylindrical as cylindrical,
        delay as delay,
        distance as distance,
        fixed as fixed,
        free as free,
        friction as friction,
        gear as gear,
        general as general,
        joint_force as joint_force,
        joint_friction as joint_friction,
        joint_torque as joint_torque,
        motion as motion,
        pid as pid,
        planar as planar,
        point_force as point_force,
        point_on_line as point_on_line,
        point_on_plane as point_on_plane,
        point_torque as point_torque,
        prismatic as prismatic,
        rack as rack,
        relation as relation,
        revolute as revolute,
        rolling as rolling,
        rotate as rotate,
        sampled as sampled,
        screw as screw,
        spherical as spherical,
        spring as spring,
        state_space as state_space,
        switch as switch,
        transfer_function as transfer_function,
        translate as translate,
        universal as universal,
        user_force as user_force,
        velocity_constraint as velocity_constraint,
        wheel as wheel,
        wheel_on_track as wheel_on_track,
        wheel_rail as wheel_rail,
    )
    from floatframe.hybrid.export import Exported as Exported, export_code as export_code
    from floatframe.hybrid.fitting import (
        Fit as Fit,
        Found as Found,
        Measured as Measured,
        MeasuredModes as MeasuredModes,
        fit as fit,
        fitted_text as fitted_text,
        read_measured as read_measured,
        write_fitted as write_fitted,
    )
    from floatframe.hybrid.flat import (
        FlatBody as FlatBody,
        FlatConstraint as FlatConstraint,
        FlatForce as FlatForce,
        FlatHeld as FlatHeld,
        FlatJoint as FlatJoint,
        FlatModel as FlatModel,
        FlatPlace as FlatPlace,
        FlatRelation as FlatRelation,
        FlatSignal as FlatSignal,
        FlatStage as FlatStage,
        FlatState as FlatState,
        FlatStep as FlatStep,
        bracketed as bracketed,
        node_number as node_number,
    )
    from floatframe.hybrid.kernels import Structure as Structure, run_inside as run_inside, tree_flops as tree_flops
    from floatframe.hybrid.model import Model as Model
    from floatframe.hybrid.model_file import (
        ModelFile as ModelFile,
        is_model_file as is_model_file,
        read_model as read_model,
        read_model_text as read_model_text,
    )
    from floatframe.hybrid.modelfile import (
        Key as Key,
        ModelFileError as ModelFileError,
        TableRule as TableRule,
        model_tables as model_tables,
        read_track as read_track,
        write_model as write_model,
    )
    from floatframe.hybrid.response import (
        ROTATION as ROTATION,
        Deflection as Deflection,
        FrequencyResponse as FrequencyResponse,
        LinearSystem as LinearSystem,
        ModalParts as ModalParts,
        ModeLoci as ModeLoci,
        Port as Port,
        RandomResponse as RandomResponse,
        Resonance as Resonance,
        ResponsePeak as ResponsePeak,
        StabilityLimit as StabilityLimit,
        StateSpace as StateSpace,
        frequency_response as frequency_response,
        input_densities as input_densities,
        input_names as input_names,
        linear_system as linear_system,
        mode_loci as mode_loci,
        random_response as random_response,
        seen_at_rest as seen_at_rest,
        stability_limit as stability_limit,
        stability_limits as stability_limits,
        state_at as state_at,
        state_space_of as state_space_of,
    )
    from floatframe.hybrid.results import (
        MemoryWriter as MemoryWriter,
        Observer as Observer,
        Recovered as Recovered,
        Results as Results,
        split_numbers as split_numbers,
        stress_at as stress_at,
        system_of as system_of,
    )
    from floatframe.hybrid.settings import (
        Record as Record,
        SolverOptions as SolverOptions,
        overridden as overridden,
        require_resolved as require_resolved,
    )
    from floatframe.hybrid.simulation import (
        EXPLICIT_METHODS as EXPLICIT_METHODS,
        OF_LOOPS as OF_LOOPS,
        OF_TREES as OF_TREES,
        DriftRun as DriftRun,
        Progress as Progress,
        SolverFactors as SolverFactors,
        SolverTime as SolverTime,
        accelerations_in as accelerations_in,
        checked_settings as checked_settings,
        chosen_solver as chosen_solver,
        compare_drift as compare_drift,
        fitted as fitted,
        known_factors as known_factors,
        nothing_left as nothing_left,
        own_factors as own_factors,
        same_run as same_run,
        solver_flops as solver_flops,
        solver_times as solver_times,
        solvers_for as solvers_for,
        stable_factors as stable_factors,
        tree_features as tree_features,
        unusable_solvers as unusable_solvers,
        usable_solvers as usable_solvers,
    )
    from floatframe.hybrid.studies import (
        Equilibrium as Equilibrium,
        Linear as Linear,
        corner_words as corner_words,
        find_equilibrium as find_equilibrium,
        usual_start as usual_start,
    )
    from floatframe.hybrid.sweep import (
        LINEAR_MODES as LINEAR_MODES,
        Choices as Choices,
        Distribution as Distribution,
        Measure as Measure,
        MeasureNames as MeasureNames,
        Points as Points,
        Samples as Samples,
        Study as Study,
        SweepProgress as SweepProgress,
        Workers as Workers,
        measured_run as measured_run,
        measures_among as measures_among,
        name_and_unit as name_and_unit,
        named_numbers as named_numbers,
        numbers_at as numbers_at,
        parse_vary as parse_vary,
        sweep as sweep,
    )
    from floatframe.hybrid.system import System as System
    from floatframe.hybrid.vehicles import (
        Bogie as Bogie,
        BogieParts as BogieParts,
        Run as Run,
        Springs as Springs,
        Wheelset as Wheelset,
        WheelsetParts as WheelsetParts,
        add_bogie as add_bogie,
        add_track_frame as add_track_frame,
        add_wheelset as add_wheelset,
        carried as carried,
    )
    from floatframe.hybrid.warmup import parts_for as parts_for, warm_up as warm_up
    from floatframe.io import Status as Status, SweepResult as SweepResult
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
