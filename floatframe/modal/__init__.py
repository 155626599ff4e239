"""Modal reduction: renumbering, factorisation by substructures, eigenmodes, statics, reduced bodies.

Names load on first use: the compiled kernels behind them cost a moment to import.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "Buckling": "buckling_loads",
    "CriticalLoad": "interface_loads",
    "GeometricTerms": "geometric_terms",
    "QualityReport": "quality",
    "body_buckling": "interface_loads",
    "buckling": "buckling_loads",
    "critical_loads": "interface_loads",
    "ErrorCurve": "dropping",
    "effect_of_dropping": "dropping",
    "errors_of_fewer_modes": "dropping",
    "mac": "assurance",
    "quality_report": "quality",
    "nodal_inertia_constants": "inertia",
    "exact_inertia_constants": "inertia",
    "reduce": "reduction",
    "Provenance": "reduced_body",
    "InertiaConstants": "inertia",
    "ReducedBody": "reduced_body",
    "Factorization": "substructures",
    "Mechanism": "mechanisms",
    "Modes": "modes",
    "StaticSolution": "statics",
    "find_mechanisms": "mechanisms",
    "idle_note": "idle",
    "idle_of_model": "idle",
    "solve_static": "statics",
    "static_solution": "statics",
    "Symbolic": "substructures",
    "analyse": "substructures",
    "eigenmodes": "model_modes",
    "factorize": "substructures",
    "lanczos": "lanczos_modes",
    "profile": "renumber",
    "wave_order": "renumber",
    "wave_report": "renumber",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"floatframe.modal.{_HOME[name]}"), name)
    raise AttributeError(f"module 'floatframe.modal' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
