"""Assessment of vehicles: forces on the rails, ride, comfort, critical speed.

In: histories of forces and accelerations, roots by speed, as arrays. Out: filtered histories, percentiles, indices and
limits as values. Open `forces` first, then `ride` and `comfort`; `stability` stands alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.railway.assessment.axes import felt_acceleration as felt_acceleration
    from floatframe.railway.assessment.comfort import (
        WEIGHTINGS as WEIGHTINGS,
        MeanComfort as MeanComfort,
        Weighting as Weighting,
        mean_comfort as mean_comfort,
        weighted as weighted,
        window_rms as window_rms,
    )
    from floatframe.railway.assessment.filters import (
        SlidingMean as SlidingMean,
        below as below,
        between as between,
        percentile_peak as percentile_peak,
        sliding_mean as sliding_mean,
    )
    from floatframe.railway.assessment.findings import (
        Finding as Finding,
        Limits as Limits,
        axle_findings as axle_findings,
        comfort_findings as comfort_findings,
        ride_findings as ride_findings,
        wear_findings as wear_findings,
        wheel_findings as wheel_findings,
    )
    from floatframe.railway.assessment.forces import (
        RATIO_LIMIT as RATIO_LIMIT,
        AxleForces as AxleForces,
        Instability as Instability,
        WheelForces as WheelForces,
        axle_forces as axle_forces,
        axle_limit as axle_limit,
        estimated_maximum as estimated_maximum,
        instability as instability,
        nadal_limit as nadal_limit,
        vertical_limit as vertical_limit,
        wear_number as wear_number,
        wheel_forces as wheel_forces,
    )
    from floatframe.railway.assessment.ride import (
        RideAcceleration as RideAcceleration,
        Sperling as Sperling,
        ride_acceleration as ride_acceleration,
        ride_density as ride_density,
        sperling as sperling,
        sperling_of_density as sperling_of_density,
        sperling_weight as sperling_weight,
    )
    from floatframe.railway.assessment.run import (
        Assessment as Assessment,
        WheelHistory as WheelHistory,
        assess_run as assess_run,
        axle_pairs as axle_pairs,
    )
    from floatframe.railway.assessment.stability import (
        Crossing as Crossing,
        LimitCycles as LimitCycles,
        RootLocus as RootLocus,
        Settled as Settled,
        critical_speed as critical_speed,
        limit_cycles as limit_cycles,
        root_locus as root_locus,
        settled as settled,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
