"""A few lines about a model, printed by every sample."""

from __future__ import annotations

from collections import Counter

from floatframe.fem import FEModel


def summary(fe: FEModel) -> str:
    """Return size, element kinds, mass, centre of mass and node sets of a model."""
    kinds: Counter[str] = Counter()
    for block in fe.blocks:
        kinds[block.kind] += len(block)
    mass = fe.mass_properties()
    lines = [
        f"{fe.name}: {fe.nnode} nodes, {fe.nelement} elements, {fe.ndof} degrees of freedom",
        "elements  " + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())),
        f"mass      {mass.mass:.1f} kg, centre of mass at ({', '.join(f'{x:.3f}' for x in mass.com)}) m",
        "node sets " + ", ".join(f"{name} ({members.size})" for name, members in fe.node_sets.items()),
    ]
    return "\n".join(lines)
