"""What is in a reduced body: counts, mass, the table of its modes with kind and origin, the interface."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from floatframe.fem import DOF_NAMES
from floatframe.io.native.describe import describe
from floatframe.modal import ReducedBody, critical_loads

MOSTLY = 0.5  # share of a static displacement whose lack is counted
_AXES = ("x_m", "y_m", "z_m")


@describe.register
def _(body: ReducedBody) -> dict[str, Any]:
    J, source = body.inertia, body.provenance
    dofs: dict[int, list[str]] = {}
    for node, part in body.interface:
        dofs.setdefault(int(node), []).append(DOF_NAMES[part])
    positions = body.nodes[body.node_index(body.interface_nodes)]

    return {
        "content": "reduced_flexible_body",
        "name": body.name,
        "node_count": body.nnode,
        "element_count": len(body.mesh),
        "eigenmode_count": body.n_eigen,
        "static_shape_count": body.n_static,
        "attachment_shape_count": body.kind.count("attachment"),
        "orthonormalised": body.orthonormal,
        "supported_dof_count": len(body.supports),
        "mass_kg": J.m,
        "centre_of_mass_m": J.com.tolist(),
        "inertia_constants": "consistent_mass" if body.constants is not None else "nodal",
        "mass_difference": body.mass_difference,
        "inertia_about_centre_of_mass_kg_m2": J.inertia_about_com.tolist(),
        "geometric_load_count": 0 if body.geometric is None else len(body.interface),
        "buckling_loads": _buckling(body),
        "uncarried_loads": _uncarried(body),
        "stress_point_count": 0 if body.stress is None else len(body.stress),
        "stress_correction": body.stress is not None and body.stress.corrected,
        "interface": [
            {"node": node, "name": body.name_of(node) or None, **dict(zip(_AXES, place, strict=True)), "dofs": names}
            for (node, names), place in zip(dofs.items(), positions.tolist(), strict=True)
        ],
        "modes": [
            {"mode": k + 1, "kind": body.kind[k], "frequency_hz": _known(body.frequency[k]), "origin": body.origin[k]}
            for k in range(body.nmode)
        ],
        "notes": list(body.notes),
        "program": source.program or None,
        "created": source.created or None,
        "source": source.source or None,
        "comment": source.comment or None,
        "settings": dict(source.settings),
    }


def _buckling(body: ReducedBody) -> list[dict[str, Any]]:
    def number(load: float) -> float | None:
        return load if math.isfinite(load) else None

    return [
        {
            "nodes": list(row.nodes),
            "component": row.component or None,
            "held_node": row.held_node,
            "critical": number(row.forward),
            "reversed": number(row.backward),
            "unit": row.unit,
        }
        for row in critical_loads(body)
    ]


def _uncarried(body: ReducedBody) -> list[dict[str, Any]]:
    """Return what the shapes miss of static displacements under loads at single nodes, over all nodes."""
    found = body.missing_flexibility()
    if found is None:
        return []
    rows = []
    for column, load in enumerate(("force", "moment")):
        share = found.share[:, column]
        loaded = np.flatnonzero(np.isfinite(share) & (found.model[:, column] > 0.0))
        if loaded.size:
            worst = loaded[np.argmax(found.missing[loaded, column])]
            rows.append(
                {
                    "load": load,
                    "node_count": int(loaded.size),
                    "mostly_missing_count": int(np.count_nonzero(share[loaded] > MOSTLY)),
                    "median_share": float(np.median(share[loaded])),
                    "worst_node": int(found.nodes[worst]),
                    "worst_share": float(share[worst]),
                    "worst_missing": float(found.missing[worst, column]),
                    "unit": ("m/N", "rad/(N m)")[column],
                }
            )
    return rows


def _known(frequency: float) -> float | None:
    return None if math.isnan(frequency) else float(frequency)
