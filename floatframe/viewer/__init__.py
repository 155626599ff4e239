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
    "body_picture": "rendering.pictures",
    "channel_diagrams": "curves",
    "display": "pages.notebook",
    "load_ipython_extension": "pages.notebook",
    "mode_picture": "rendering.pictures",
    "movie": "rendering.movies",
    "page": "pages.html",
    "picture": "rendering.pictures",
    "plot_campbell": "plots.modes",
    "plot_contributions": "plots.modes",
    "plot_errors": "plots.modes",
    "plot_histories": "plots.histories",
    "plot_mac": "plots.modes",
    "plot_psd": "plots.histories",
    "plot_sparsity": "plots.matrices",
    "plot_spectra": "plots.histories",
    "plot_spectrogram": "plots.histories",
    "plot_sweep": "plots.sweeps",
    "plot_sweep_frequencies": "plots.sweeps",
    "plot_sweep_map": "plots.sweeps",
    "plot_tree": "plots.matrices",
    "plot_waterfall": "plots.histories",
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
