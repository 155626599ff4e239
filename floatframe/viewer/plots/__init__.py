"""Plots drawn by Matplotlib into files.

In: histories, spectra, modes, matrices, sweeps. Out: image files.
Open `style` first, then `histories`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.viewer.plots.assessments import (
        plot_assessment as plot_assessment,
        plot_limit_cycles as plot_limit_cycles,
        plot_root_locus as plot_root_locus,
    )
    from floatframe.viewer.plots.choices import plot_choices as plot_choices
    from floatframe.viewer.plots.fits import plot_fit as plot_fit
    from floatframe.viewer.plots.histories import (
        plot_drift as plot_drift,
        plot_histories as plot_histories,
        plot_psd as plot_psd,
        plot_spectra as plot_spectra,
        plot_spectrogram as plot_spectrogram,
        plot_waterfall as plot_waterfall,
    )
    from floatframe.viewer.plots.matrices import plot_sparsity as plot_sparsity, plot_tree as plot_tree
    from floatframe.viewer.plots.modes import (
        plot_campbell as plot_campbell,
        plot_contributions as plot_contributions,
        plot_errors as plot_errors,
        plot_loci_over as plot_loci_over,
        plot_mac as plot_mac,
        plot_mode_loci as plot_mode_loci,
    )
    from floatframe.viewer.plots.networks import plot_network as plot_network
    from floatframe.viewer.plots.responses import (
        plot_nyquist as plot_nyquist,
        plot_random_response as plot_random_response,
        plot_response as plot_response,
        plot_response_spectra as plot_response_spectra,
    )
    from floatframe.viewer.plots.style import (
        COLOURS as COLOURS,
        PLOT_SUFFIXES as PLOT_SUFFIXES,
        Frame as Frame,
        folded as folded,
    )
    from floatframe.viewer.plots.sweeps import (
        plot_sweep as plot_sweep,
        plot_sweep_frequencies as plot_sweep_frequencies,
        plot_sweep_map as plot_sweep_map,
    )
    from floatframe.viewer.plots.tracks import plot_track as plot_track
    from floatframe.viewer.plots.wheels import plot_conicity as plot_conicity, plot_contact as plot_contact
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
