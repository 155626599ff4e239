"""Modal reduction: renumbering, factorisation by substructures, eigenmodes, statics, reduced bodies.

Names load on first use: the compiled kernels behind them cost a moment to import.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "Buckling": "analysis.buckling",
    "CriticalLoad": "body.buckling",
    "GeometricTerms": "body.geometric_terms",
    "QualityReport": "reduction.quality",
    "body_buckling": "body.buckling",
    "buckling": "analysis.buckling",
    "critical_loads": "body.buckling",
    "ErrorCurve": "reduction.dropping",
    "effect_of_dropping": "reduction.dropping",
    "errors_of_fewer_modes": "reduction.dropping",
    "mac": "analysis.assurance",
    "quality_report": "reduction.quality",
    "nodal_inertia_constants": "body.inertia",
    "exact_inertia_constants": "body.inertia",
    "reduce": "reduction.reduce",
    "Provenance": "body.reduced_body",
    "InertiaConstants": "body.inertia",
    "ReducedBody": "body.reduced_body",
    "Factorization": "factor.substructures",
    "Mechanism": "analysis.mechanisms",
    "Modes": "lanczos.modes",
    "StaticSolution": "analysis.statics",
    "find_mechanisms": "analysis.mechanisms",
    "idle_note": "analysis.idle",
    "idle_of_model": "analysis.idle",
    "solve_static": "analysis.statics",
    "static_solution": "analysis.statics",
    "Symbolic": "factor.substructures",
    "analyse": "factor.substructures",
    "eigenmodes": "analysis.eigenmodes",
    "factorize": "factor.substructures",
    "lanczos": "lanczos.solver",
    "profile": "factor.renumber",
    "wave_order": "factor.renumber",
    "wave_report": "factor.renumber",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"floatframe.modal.{_HOME[name]}"), name)
    raise AttributeError(f"module 'floatframe.modal' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
