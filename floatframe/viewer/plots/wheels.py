"""Pictures of wheels on rails: contact patches of one wheel, conicity of a wheelset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from floatframe.railway import Conicity, Loaded, WheelOnRail
from floatframe.viewer.plots.style import COLOURS, PathLike, label, saved_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from floatframe.railway import Pose

_POINTS = 801
_CONNECTED = 0.5e-3  # m of lateral shift between two lines that join places of contact


def plot_conicity(found: Conicity, pair: WheelOnRail, path: PathLike, title: str = "") -> Path:
    """Draw the right wheel on its rail with the places of contact, rolling radii, contact angles and conicity."""
    geometry = found.geometry
    y = 1e3 * geometry.lateral
    with saved_figure(path, 10.0, 7.0, title or _name(pair)) as figure:
        axes = figure.subplot_mosaic([["profiles", "radii"], ["angles", "conicity"]])
        _draw_places(axes["profiles"], found, pair)
        axes["radii"].plot(y, 1e3 * geometry.radius_difference)
        axes["radii"].set(xlabel=label("lateral shift", "mm"), ylabel=label("difference of rolling radii", "mm"))
        for name, touches in (("right", geometry.right), ("left", geometry.left)):
            axes["angles"].plot(y, -np.degrees(touches[:, 3]), label=name)
        axes["angles"].set(xlabel=label("lateral shift", "mm"), ylabel=label("contact angle", "°"))
        axes["angles"].legend()
        axes["conicity"].plot(1e3 * found.amplitude, found.conicity)
        axes["conicity"].set(xlabel=label("amplitude", "mm"), ylabel="equivalent conicity", ylim=(0.0, None))
        axes["conicity"].margins(x=0)
    return Path(path)


def plot_contact(pair: WheelOnRail, found: Loaded, path: PathLike, title: str = "") -> Path:
    """Draw a wheel on its rail, and its contact patches as they lie in their planes, with the creep forces."""
    with saved_figure(path, 10.0, 4.6, title or _name(pair)) as figure:
        profiles, patches = figure.subplots(1, 2, width_ratios=[1.3, 1.0])
        _draw_profiles(profiles, pair, found.pose)
        for k, one in enumerate(found.patches):
            profiles.plot(1e3 * one.y, 1e3 * one.z, "o", color=COLOURS[k + 2], markersize=5)
        _draw_patches(patches, pair, found)
    return Path(path)


def _name(pair: WheelOnRail) -> str:
    return f"{pair.wheel.name} on {pair.rail.name}"


def _draw_profiles(axes: Axes, pair: WheelOnRail, pose: Pose) -> None:
    """Both profiles in the plane across the rail, the wheel as one sees it along the rail."""
    rail = np.linspace(pair.rail.y[0], pair.rail.y[-1], _POINTS)
    axes.fill_between(1e3 * rail, 1e3 * pair.rail.spline(rail), 1e3 * pair.rail.z.max(), color="#e4e8ec")
    axes.plot(1e3 * rail, 1e3 * pair.rail.spline(rail), color=COLOURS[1], label=f"rail {pair.rail.name}")
    y, z = pair.outline(pose)
    axes.plot(1e3 * y, 1e3 * z, color=COLOURS[0], label=f"wheel {pair.wheel.name}")
    axes.set_aspect("equal", adjustable="datalim")
    axes.invert_yaxis()
    axes.set(xlabel=label("y, outward", "mm"), ylabel=label("z, down", "mm"))
    axes.legend(loc="upper right")


def _draw_places(axes: Axes, found: Conicity, pair: WheelOnRail) -> None:
    """Profiles apart, with lines from places of the wheel to those of the rail that they touch, marked by the shift."""
    apart = 12.0  # mm
    geometry = found.geometry
    rail = np.linspace(pair.rail.y[0], pair.rail.y[-1], _POINTS)
    wheel = np.linspace(pair.wheel.y[0], pair.wheel.y[-1], _POINTS)
    axes.plot(1e3 * wheel, 1e3 * pair.wheel.spline(wheel) - apart, color=COLOURS[0])
    axes.plot(1e3 * rail, 1e3 * pair.rail.spline(rail), color=COLOURS[1])
    every = max(1, round(_CONNECTED / (geometry.lateral[1] - geometry.lateral[0])))
    for k in range(len(geometry.lateral) % every // 2, len(geometry.lateral), every):
        _, on_wheel, on_rail, _ = geometry.right[k]
        ends = (1e3 * pair.wheel.spline(on_wheel) - apart, 1e3 * pair.rail.spline(on_rail))
        axes.plot([1e3 * on_wheel, 1e3 * on_rail], ends, color="#6b6f76", linewidth=0.7)
    axes.set_aspect("equal", adjustable="datalim")
    axes.invert_yaxis()
    axes.set(xlabel=label("y, outward", "mm"), title="right wheel: contact every 0.5 mm of shift", yticks=[])


def _draw_patches(axes: Axes, pair: WheelOnRail, found: Loaded) -> None:
    """Patches in their tangent planes, side by side, with their creep forces."""
    largest = max(np.hypot(one.along, one.across) for one in found.patches)
    for k, one in enumerate(found.patches):
        place, width, half = pair.strips(found.pose, k)
        across = 1e3 * (place + one.y)
        edges = np.concatenate((across - 5e2 * width, across[-1:] + 5e2 * width[-1:]))
        for side in (1.0, -1.0):
            axes.stairs(side * 1e3 * half, edges, color=COLOURS[k + 2], fill=True, alpha=0.35)
        name = f"{one.normal / 1e3:.1f} kN, {one.pressure / 1e6:.0f} MPa"
        axes.plot([], [], color=COLOURS[k + 2], linewidth=5.0, alpha=0.5, label=name)
        if largest > 0.0:
            way = 3.0 / largest
            end = (1e3 * one.y + way * one.across, way * one.along)
            axes.annotate("", end, (1e3 * one.y, 0.0), arrowprops={"arrowstyle": "->", "color": COLOURS[k + 2]})
            axes.plot(*end)  # arrows do not widen the picture by themselves
    axes.set_aspect("equal", adjustable="datalim")
    axes.set(
        xlabel=label("across", "mm"),
        ylabel=label("along the rail", "mm"),
        title="patches, arrows: creep forces on the rail",
    )
    axes.legend(loc="upper right")
