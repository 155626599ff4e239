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
    "body_picture": "render",
    "channel_diagrams": "curves",
    "display": "notebook",
    "load_ipython_extension": "notebook",
    "mode_picture": "render",
    "movie": "movies",
    "page": "html",
    "picture": "render",
    "plot_campbell": "plots_modes",
    "plot_contributions": "plots_modes",
    "plot_errors": "plots_modes",
    "plot_histories": "plots",
    "plot_mac": "plots_modes",
    "plot_psd": "plots",
    "plot_sparsity": "plots_matrix",
    "plot_spectra": "plots",
    "plot_spectrogram": "plots",
    "plot_sweep": "plots_sweep",
    "plot_sweep_frequencies": "plots_sweep",
    "plot_sweep_map": "plots_sweep",
    "plot_tree": "plots_matrix",
    "plot_waterfall": "plots",
    "rendering_problem": "probe",
    "report": "reports",
    "require_rendering": "probe",
    "save": "saving",
    "scene_maker": "scenes",
    "scene_of": "scenes",
    "screen_problem": "window",
    "show": "window",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"floatframe.viewer.{_HOME[name]}"), name)
    raise AttributeError(f"module 'floatframe.viewer' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
