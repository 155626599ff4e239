"""The parts of reports about stresses and life of flexible bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from floatframe.errors import FloatframeError
from floatframe.viewer.drawing import scene_of
from floatframe.viewer.pages.report_page import Page, Section, drawn
from floatframe.viewer.rendering import picture

if TYPE_CHECKING:
    from floatframe.arrays import Array
    from floatframe.durability import SNCurve
    from floatframe.hybrid import Recovered, Results

_PICTURE = (960, 540)
_SPOTS = 10  # rows of a table
_DECADES = 8  # of damage that have colours


def damage_colours(damage: Array) -> tuple[Array, str]:
    """Return damages (k,) as powers of ten above the least that has a colour of its own, and what to call them."""
    highest = damage.max(initial=0.0)
    if not highest > 0.0:
        return np.zeros_like(damage), "no damage"
    first = int(np.ceil(np.log10(highest))) - _DECADES
    return np.log10(np.maximum(damage, 10.0**first)) - first, f"log10(damage / 1e{first}), most damage {highest:.2g}"


def stress_sections(page: Page, result: Results, curve: SNCurve | None, drawing: bool) -> None:
    """Add hot spots, the map of the largest stresses and, with an S–N curve, life of all bodies that keep stresses."""
    from floatframe.hybrid import system_of

    try:
        bodies = [body for body in system_of(result).model.bodies if body.reduced is not None]
    except FloatframeError:
        return  # what cannot be rebuilt is said of the motion
    for body in bodies:
        if body.reduced is None or body.reduced.stress is None:
            continue
        section = page.section(f"Stresses of '{body.name}'")
        try:
            found = result.stress(body.name)
            _stresses(section, found, drawing)
            if curve is not None:
                _life(page.section(f"Life of '{body.name}'"), found, curve, drawing)
        except FloatframeError as error:
            section.note(str(error), "warning")


def _stresses(section: Section, found: Recovered, drawing: bool) -> None:
    from floatframe.durability import hot_spots, peak_hold

    section.note(
        "With static correction: stresses under inertia and gravity are those of full statics."
        if found.corrected
        else "Elastic: stresses of the shapes alone, without static correction."
    )
    rows = [
        {"node": s.node, "von Mises [MPa]": s.value / 1e6, "at t [s]": s.time, "place [m]": list(s.position)}
        for s in hot_spots(found, _SPOTS)
    ]
    section.table("Nodes with the largest von Mises stresses of the run", rows)
    peaks = peak_hold(found)
    if drawing:
        scene = scene_of(found.body, values=(peaks.node, peaks.value), legend="von Mises stress [Pa]")
        figure = drawn(lambda path: picture(scene, path, mode=1, size=_PICTURE))
        section.figures([("largest von Mises stress of every node in the run", figure)])


def _life(section: Section, found: Recovered, curve: SNCurve, drawing: bool) -> None:
    from floatframe.durability import life_table

    table = life_table(found, curve)
    rows = [
        {
            "node": int(table.node[k]),
            "place": table.place[k] or "-",
            "damage": float(table.damage[k]),
            "life [h]": float(table.life[k] / 3600.0),
            "amplitude [MPa]": float(table.amplitude[k] / 1e6),
        }
        for k in range(min(_SPOTS, len(table.node)))
    ]
    section.lines({"S–N curve": curve.name, "run [s]": table.duration, "counted": "rainflow, critical plane, Miner"})
    if not table.damage.any():
        section.note("No damage: no amplitude reaches what the curve counts.")
        return
    section.table("Places with the most damage", rows)
    if drawing:
        nodes, damage = table.nodal_damage()
        powers, legend = damage_colours(damage)
        scene = scene_of(found.body, values=(nodes, powers), legend=legend)
        section.figures([("damage", drawn(lambda path: picture(scene, path, mode=1, size=_PICTURE)))])
