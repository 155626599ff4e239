"""Seeing models and their motion: pictures, movies, a window, pages for the browser, plots, reports.

In: models, bodies, modes, runs, sweeps. Out: scenes, and files or windows made of them.
Open `scene` first: `drawing` makes scenes, `rendering`, `pages` and `plots` show them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.viewer.curves import (
        Curve as Curve,
        Diagram as Diagram,
        acceleration_curves as acceleration_curves,
        channel_diagrams as channel_diagrams,
        in_units as in_units,
        measured as measured,
        moving_channels as moving_channels,
        seen_best as seen_best,
        span_curves as span_curves,
        unit_factor as unit_factor,
    )
    from floatframe.viewer.drawing import (
        belongs as belongs,
        scene_maker as scene_maker,
        scene_of as scene_of,
        smooth_patches as smooth_patches,
    )
    from floatframe.viewer.exports import gltf as gltf, paraview as paraview
    from floatframe.viewer.headings import (
        for_people as for_people,
        heading as heading,
        says_nothing as says_nothing,
        word_of as word_of,
    )
    from floatframe.viewer.pages import (
        LociWanted as LociWanted,
        RandomWanted as RandomWanted,
        ResponseWanted as ResponseWanted,
        ShockWanted as ShockWanted,
        Study as Study,
        damage_colours as damage_colours,
        display as display,
        drawn as drawn,
        load_ipython_extension as load_ipython_extension,
        page as page,
        register_in_notebooks as register_in_notebooks,
        report as report,
        scene_html as scene_html,
    )
    from floatframe.viewer.plots import (
        PLOT_SUFFIXES as PLOT_SUFFIXES,
        Frame as Frame,
        plot_assessment as plot_assessment,
        plot_campbell as plot_campbell,
        plot_choices as plot_choices,
        plot_conicity as plot_conicity,
        plot_contact as plot_contact,
        plot_contributions as plot_contributions,
        plot_drift as plot_drift,
        plot_errors as plot_errors,
        plot_fit as plot_fit,
        plot_histories as plot_histories,
        plot_limit_cycles as plot_limit_cycles,
        plot_loci_over as plot_loci_over,
        plot_mac as plot_mac,
        plot_mode_loci as plot_mode_loci,
        plot_network as plot_network,
        plot_nyquist as plot_nyquist,
        plot_psd as plot_psd,
        plot_random_response as plot_random_response,
        plot_response as plot_response,
        plot_response_spectra as plot_response_spectra,
        plot_root_locus as plot_root_locus,
        plot_sparsity as plot_sparsity,
        plot_spectra as plot_spectra,
        plot_spectrogram as plot_spectrogram,
        plot_sweep as plot_sweep,
        plot_sweep_frequencies as plot_sweep_frequencies,
        plot_sweep_map as plot_sweep_map,
        plot_track as plot_track,
        plot_tree as plot_tree,
        plot_waterfall as plot_waterfall,
    )
    from floatframe.viewer.rendering import (
        body_picture as body_picture,
        follow as follow,
        mode_picture as mode_picture,
        movie as movie,
        picture as picture,
        rendering_problem as rendering_problem,
        require_rendering as require_rendering,
        require_screen as require_screen,
        screen_problem as screen_problem,
        show as show,
    )
    from floatframe.viewer.saving import save as save
    from floatframe.viewer.scene import (
        Carrier as Carrier,
        Harmonic as Harmonic,
        History as History,
        Label as Label,
        Part as Part,
        Scene as Scene,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
