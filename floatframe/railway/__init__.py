"""Railway: the track, wheels and rails, where they touch and which forces they exchange.

In: profiles of wheels and rails, places and speeds of a wheel. Out: contact patches with forces, conicity; kernels for
the steps of a simulation. Lengths are in m; x points forward, y outward from the middle of the track, z down, so
that a left wheel is the mirror image of a right one. Open `profiles` first, then `contact`. The frame of the track has
y to the left and z up; see `track`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
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
