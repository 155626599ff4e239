"""Signals: histories of numbers filtered, resampled and taken apart into frequencies.

In: times and values as arrays, or channels of a run. Out: histories, spectra, densities and statistics as values.
Open `histories` first, then `spectra`; `chain` reads filters and measures from texts. `shock` and `roads` have what
comes in at the supports of a machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.signals.chain import (
        FILTERS as FILTERS,
        NUMBERS as NUMBERS,
        Chain as Chain,
        read_chain as read_chain,
    )
    from floatframe.signals.histories import (
        Peak as Peak,
        Signal as Signal,
        bandpass as bandpass,
        checked as checked,
        detrend as detrend,
        highpass as highpass,
        lowpass as lowpass,
        peak as peak,
        period as period,
        resample as resample,
        rms as rms,
        uniform as uniform,
    )
    from floatframe.signals.roads import (
        ROAD_CLASSES as ROAD_CLASSES,
        ROAD_WAVES as ROAD_WAVES,
        road_density as road_density,
        road_density_at_speed as road_density_at_speed,
        road_profile as road_profile,
    )
    from floatframe.signals.shock import (
        SHAKING as SHAKING,
        ResponseSpectrum as ResponseSpectrum,
        displacement_of as displacement_of,
        drift_of as drift_of,
        response_spectrum as response_spectrum,
        shock_spectrum as shock_spectrum,
    )
    from floatframe.signals.spectra import (
        PowerDensity as PowerDensity,
        Spectrogram as Spectrogram,
        Spectrum as Spectrum,
        TransferFunction as TransferFunction,
        psd as psd,
        spectrogram as spectrogram,
        spectrum as spectrum,
        transfer_function as transfer_function,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
