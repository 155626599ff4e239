"""The track: layout in plan and elevation, irregularities of both rails, the moving frame along it.

In: sections or a table of kilometres, spectra, measured records. Out: `Track`, with frames and rails at any distance,
and tables of it for kernels (`kernels`). Open `track` first, then `sections` and `irregularities`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.railway.track.frame import TrackFrame as TrackFrame
    from floatframe.railway.track.irregularities import (
        FAULT_KINDS as FAULT_KINDS,
        WHERE_SHORT as WHERE_SHORT,
        Fault as Fault,
        Irregularity as Irregularity,
        Measured as Measured,
        read_measured as read_measured,
    )
    from floatframe.railway.track.kernels import (
        FRAME as FRAME,
        STATION as STATION,
        TRACK_FOLDER as TRACK_FOLDER,
        frame_at as frame_at,
        rails_at as rails_at,
    )
    from floatframe.railway.track.kilometres import Kilometres as Kilometres, read_kilometres as read_kilometres
    from floatframe.railway.track.layout import Layout as Layout
    from floatframe.railway.track.listing import (
        largest_values as largest_values,
        section_list as section_list,
        write_places as write_places,
    )
    from floatframe.railway.track.rail_spectra import (
        RailSpectrum as RailSpectrum,
        rail_spectra as rail_spectra,
        target_density as target_density,
    )
    from floatframe.railway.track.rails import RailTable as RailTable
    from floatframe.railway.track.sections import (
        GAUGE as GAUGE,
        RAMPS as RAMPS,
        TRANSITIONS as TRANSITIONS,
        Curve as Curve,
        Gradient as Gradient,
        Straight as Straight,
        Transition as Transition,
    )
    from floatframe.railway.track.spectra import (
        CLASSES as CLASSES,
        QUANTITIES as QUANTITIES,
        Spectrum as Spectrum,
        SpectrumTable as SpectrumTable,
        read_spectrum as read_spectrum,
    )
    from floatframe.railway.track.track import CANT_ABOUT as CANT_ABOUT, Track as Track
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
