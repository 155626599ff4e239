"""Seeing models and their motion: pictures, movies, a window, and pages for the browser.

Names load on first use: drawing libraries are heavy.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "Carrier": "scene",
    "Curve": "curves",
    "Diagram": "curves",
    "Harmonic": "scene",
    "History": "scene",
    "Label": "scene",
    "Part": "scene",
    "Scene": "scene",
    "body_picture": "rendering.render",
    "channel_diagrams": "curves",
    "display": "pages.notebook",
    "load_ipython_extension": "pages.notebook",
    "mode_picture": "rendering.render",
    "movie": "rendering.movies",
    "page": "pages.html",
    "picture": "rendering.render",
    "plot_campbell": "plots.plots_modes",
    "plot_contributions": "plots.plots_modes",
    "plot_errors": "plots.plots_modes",
    "plot_histories": "plots.plots",
    "plot_mac": "plots.plots_modes",
    "plot_psd": "plots.plots",
    "plot_sparsity": "plots.plots_matrix",
    "plot_spectra": "plots.plots",
    "plot_spectrogram": "plots.plots",
    "plot_sweep": "plots.plots_sweep",
    "plot_sweep_frequencies": "plots.plots_sweep",
    "plot_sweep_map": "plots.plots_sweep",
    "plot_tree": "plots.plots_matrix",
    "plot_waterfall": "plots.plots",
    "rendering_problem": "rendering.probe",
    "report": "pages.reports",
    "require_rendering": "rendering.probe",
    "save": "saving",
    "scene_maker": "drawing.scenes",
    "scene_of": "drawing.scenes",
    "screen_problem": "rendering.window",
    "show": "rendering.window",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"floatframe.viewer.{_HOME[name]}"), name)
    raise AttributeError(f"module 'floatframe.viewer' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
