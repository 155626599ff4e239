"""What is in a reduced body: counts, mass, the table of its modes with kind and origin, the interface."""

from __future__ import annotations

import math
from typing import Any

from floatframe.fem import DOF_NAMES
from floatframe.io.native.describe import describe as describe  # for bodies too
from floatframe.modal import ReducedBody, critical_loads

__all__ = ["describe"]

_AXES = ("x [m]", "y [m]", "z [m]")


@describe.register
def _(body: ReducedBody) -> dict[str, Any]:
    J, source = body.inertia, body.provenance
    freedoms: dict[int, list[str]] = {}
    for node, part in body.interface:
        freedoms.setdefault(int(node), []).append(DOF_NAMES[part])
    positions = body.nodes[body.node_index(body.interface_nodes)]

    def named(node: int) -> dict[str, str]:
        return {"name": body.name_of(node)} if body.node_names else {}

    words = {
        "made by": " ".join(part for part in (source.program, source.created) if part),
        "made from": source.source,
        "comment": source.comment,
    }
    return {
        "what": "reduced flexible body",
        "name": body.name,
        "nodes": body.nnode,
        "elements": len(body.mesh),
        "eigenmodes": body.n_eigen,
        "static shapes": body.n_static,
        "attachment shapes": body.kind.count("attachment"),
        "orthonormalised": body.orthonormal,
        "supported freedoms": len(body.supports),
        "mass [kg]": J.m,
        "centre of mass [m]": J.com.tolist(),
        "inertia constants": "of the consistent mass" if body.constants is not None else "sums over nodes",
        "their largest difference from the generalised mass": body.mass_difference,
        "inertia about it [kg m2]": J.inertia_about_com.tolist(),
        "geometric terms": _geometric(body),
        "buckling loads": _buckling(body),
        "interface": [
            {"node": node, **named(node), **dict(zip(_AXES, place, strict=True)), "freedoms": " ".join(names)}
            for (node, names), place in zip(freedoms.items(), positions.tolist(), strict=True)
        ],
        "modes": [
            {"mode": k + 1, "kind": body.kind[k], "frequency [Hz]": _known(body.frequency[k]), "origin": body.origin[k]}
            for k in range(body.nmode)
        ],
        "notes": list(body.notes),
        **{heading: word for heading, word in words.items() if word},
        "settings": dict(source.settings),
    }


def _geometric(body: ReducedBody) -> str:
    if body.geometric is None:
        return "none: no stiffening under load"
    return f"of {len(body.interface)} interface loads, accelerations and rotation"


def _buckling(body: ReducedBody) -> list[dict[str, Any]]:
    def number(load: float) -> float | None:
        return load if math.isfinite(load) else None

    return [
        {
            "load": row.load,
            "held": row.held,
            "critical": number(row.forward),
            "reversed": number(row.backward),
            "unit": row.unit,
        }
        for row in critical_loads(body)
    ]


def _known(frequency: float) -> float | None:
    return None if math.isnan(frequency) else float(frequency)
