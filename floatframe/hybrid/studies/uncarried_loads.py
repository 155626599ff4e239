"""Where loads act on flexible bodies whose shapes cannot take them up.

A body knows the static flexibility of its finite element model at each node, if it was reduced here and kept in HDF5;
see `ReducedBody.missing_flexibility`. Whether what is missing matters depends on what it is in series with: a soft
spring hides it, a stiff one does not.
"""

from __future__ import annotations

import warnings

from floatframe.hybrid.flat import FlatBody, FlatForce, FlatModel

MOSTLY = 0.5  # missing share of the static displacement under a load from which on it is warned of
SHOWN = 3  # places that a warning names

_WORDS = (("force", "m/N"), ("moment", "rad/(N m)"))


def warn_of_uncarried_loads(model: FlatModel) -> None:
    """Warn of forces at nodes where the shapes of a body miss most of the static displacement.

    Joints are at interface nodes, which miss nothing.
    """
    loaded: dict[int, dict[tuple[int, int], str]] = {}  # per body: what loads a node by what, the first one is named
    for force in model.forces:
        for place in (force.a, force.b):
            if place is not None and place.body >= 0 and place.node is not None:
                for kind in _kinds(force):
                    loaded.setdefault(place.body, {}).setdefault((place.node, kind), str(force))
    for number, places in loaded.items():
        if sentence := _sentence(model.bodies[number], places):
            warnings.warn(sentence, stacklevel=3)


def _kinds(force: FlatForce) -> tuple[int, ...]:
    """What a force element loads its places by: 0 a force, 1 a moment."""
    if force.kind == "bushing":
        return (0, 1) if force.numbers["stiffness"][3:].any() else (0,)
    return (1,) if force.kind == "point_load" and "tx" in force.expressions else (0,)


def _sentence(body: FlatBody, places: dict[tuple[int, int], str]) -> str:
    """What to say of the loads on a body, nothing if its shapes carry them or nobody knows."""
    if body.reduced is None or body.reduced.flexibility is None:
        return ""
    held = set(body.reduced.interface_nodes.tolist())
    nodes = sorted({node for node, _ in places} - held)
    found = body.reduced.missing_flexibility(nodes) if nodes else None
    if found is None:
        return ""
    at = {node: k for k, node in enumerate(nodes)}
    rows = [
        (float(found.share[at[node], kind]), float(found.missing[at[node], kind]), node, kind, who)
        for (node, kind), who in places.items()
        if node in at and found.share[at[node], kind] > MOSTLY
    ]
    if not rows:
        return ""
    rows.sort(key=lambda row: -row[0])
    named = [
        f"{who} loads node {node} by a {_WORDS[kind][0]}, {100 * share:.0f} % missing (up to {missing:.2g} "
        f"{_WORDS[kind][1]})"
        for share, missing, node, kind, who in rows[:SHOWN]
    ]
    more = f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
    numbers = ",".join(str(node) for node in sorted({row[2] for row in rows}))
    return (
        f"body '{body.name}' gives way too little where loads act, its shapes lack most of the static displacement: "
        f"{'; '.join(named)}{more}. Make these nodes interface nodes, or add their static shapes: "
        f"reduce --loads {numbers}."
    )
