"""Railway: the track, wheels and rails, where they touch and which forces they exchange, assessment.

In: profiles of wheels and rails, places and speeds of a wheel. Out: contact patches with forces, conicity; kernels for
the steps of a simulation. Lengths are in m; x points forward, y outward from the middle of the track, z down, so
that a left wheel is the mirror image of a right one. Open `profiles` first, then `contact`. The frame of the track has
y to the left and z up; see `track`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.railway.assessment import (
        RATIO_LIMIT as RATIO_LIMIT,
        WEIGHTINGS as WEIGHTINGS,
        Assessment as Assessment,
        AxleForces as AxleForces,
        Crossing as Crossing,
        Finding as Finding,
        Instability as Instability,
        LimitCycles as LimitCycles,
        Limits as Limits,
        MeanComfort as MeanComfort,
        RideAcceleration as RideAcceleration,
        RootLocus as RootLocus,
        Settled as Settled,
        SlidingMean as SlidingMean,
        Sperling as Sperling,
        Weighting as Weighting,
        WheelForces as WheelForces,
        WheelHistory as WheelHistory,
        assess_run as assess_run,
        axle_findings as axle_findings,
        axle_forces as axle_forces,
        axle_limit as axle_limit,
        axle_pairs as axle_pairs,
        below as below,
        between as between,
        comfort_findings as comfort_findings,
        critical_speed as critical_speed,
        estimated_maximum as estimated_maximum,
        felt_acceleration as felt_acceleration,
        instability as instability,
        limit_cycles as limit_cycles,
        mean_comfort as mean_comfort,
        nadal_limit as nadal_limit,
        percentile_peak as percentile_peak,
        ride_acceleration as ride_acceleration,
        ride_density as ride_density,
        ride_findings as ride_findings,
        root_locus as root_locus,
        settled as settled,
        sliding_mean as sliding_mean,
        sperling as sperling,
        sperling_of_density as sperling_of_density,
        sperling_weight as sperling_weight,
        vertical_limit as vertical_limit,
        wear_findings as wear_findings,
        wear_number as wear_number,
        weighted as weighted,
        wheel_findings as wheel_findings,
        wheel_forces as wheel_forces,
        window_rms as window_rms,
    )
    from floatframe.railway.conicity import (
        Conicity as Conicity,
        ContactGeometry as ContactGeometry,
        contact_geometry as contact_geometry,
        equivalent_conicity as equivalent_conicity,
    )
    from floatframe.railway.contact import (
        KERNEL_FOLDER as KERNEL_FOLDER,
        ContactSettings as ContactSettings,
        HertzContact as HertzContact,
        Kalker as Kalker,
        Loaded as Loaded,
        Patch as Patch,
        Pose as Pose,
        Resting as Resting,
        Touch as Touch,
        WheelOnRail as WheelOnRail,
        hertz_contact as hertz_contact,
        kalker_coefficients as kalker_coefficients,
        kalker_table as kalker_table,
        linear_creep as linear_creep,
        polach_creep as polach_creep,
        rest as rest,
        saturated_creep as saturated_creep,
        touch as touch,
        under_load as under_load,
    )
    from floatframe.railway.profiles import (
        Profile as Profile,
        circular_rail as circular_rail,
        conical_wheel as conical_wheel,
        profile as profile,
        read_profile as read_profile,
    )
    from floatframe.railway.running import (
        BELOW_THE_RAIL as BELOW_THE_RAIL,
        FIELDS as FIELDS,
        OFF_THE_RAIL as OFF_THE_RAIL,
        OFF_THE_TRACK as OFF_THE_TRACK,
        REPORTS as REPORTS,
        RUNNING_FOLDER as RUNNING_FOLDER,
        VISIT_SIZE as VISIT_SIZE,
        Report as Report,
        RunningWheel as RunningWheel,
        Seat as Seat,
        on_track as on_track,
        seat as seat,
    )
    from floatframe.railway.track import (
        CANT_ABOUT as CANT_ABOUT,
        CLASSES as CLASSES,
        FAULT_KINDS as FAULT_KINDS,
        GAUGE as GAUGE,
        QUANTITIES as QUANTITIES,
        RAMPS as RAMPS,
        TRANSITIONS as TRANSITIONS,
        WHERE_SHORT as WHERE_SHORT,
        Curve as Curve,
        Fault as Fault,
        Gradient as Gradient,
        Irregularity as Irregularity,
        Kilometres as Kilometres,
        Layout as Layout,
        Measured as Measured,
        RailSpectrum as RailSpectrum,
        RailTable as RailTable,
        Spectrum as Spectrum,
        SpectrumTable as SpectrumTable,
        Straight as Straight,
        Track as Track,
        TrackFrame as TrackFrame,
        Transition as Transition,
        largest_values as largest_values,
        rail_spectra as rail_spectra,
        read_kilometres as read_kilometres,
        read_measured as read_measured,
        read_spectrum as read_spectrum,
        section_list as section_list,
        target_density as target_density,
        write_places as write_places,
    )
    from floatframe.railway.warmup import warm_up as warm_up
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
