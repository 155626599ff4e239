"""Damage and life as rows, for people and for machines, and as pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from floatframe.cli.common.terminal import console, table

if TYPE_CHECKING:
    from floatframe.durability import LifeTable
    from floatframe.modal import ReducedBody


def life_places(found: LifeTable, top: int) -> list[dict[str, Any]]:
    """Return the worst places of a life table, as JSON has them."""
    return [
        {
            "node": int(found.node[k]),
            "place": found.place[k] or None,
            "damage": float(found.damage[k]),
            "life_s": float(found.life[k]),
            "amplitude_pa": float(found.amplitude[k]),
        }
        for k in range(min(top, len(found.node)))
    ]


def show_life(found: LifeTable, top: int, title: str) -> None:
    """Print the worst places of a life table, as far as they are damaged."""
    if len(found.node) and not found.damage.any():
        most, k = float(found.amplitude.max()), int(found.amplitude.argmax())
        words = f"no damage; the largest amplitude, {most / 1e6:.4g} MPa, is at node {found.node[k]}"
        console().print(f"{title}\n{words}", markup=False)
        return
    rows = range(min(top, int((found.damage > 0.0).sum())))  # worst first
    columns = {
        "node": [str(found.node[k]) for k in rows],
        "place": [found.place[k] or "-" for k in rows],
        "damage": [f"{found.damage[k]:.4g}" for k in rows],
        "repetitions": [f"{found.repetitions[k]:.4g}" for k in rows],
        "life [h]": [f"{found.life[k] / 3600.0:.4g}" for k in rows],
        "amplitude [MPa]": [f"{found.amplitude[k] / 1e6:.4g}" for k in rows],
    }
    console().print(table(title, columns))


def draw_life(found: LifeTable, body: ReducedBody, path: Path, title: str) -> None:
    """Draw the damage of a body in powers of ten; what is not damaged, or hardly, has the darkest colour."""
    from floatframe import viewer

    nodes, damage = found.nodal_damage()
    powers, legend = viewer.damage_colours(damage)
    viewer.save(viewer.scene_of(body, values=(nodes, powers), legend=legend, title=title), path, mode=1)
