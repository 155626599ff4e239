"""`floatframe wheel-rail`: contact patches and forces of one wheel on one rail."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import Json, Picture, Verbose, console, finite, positive, show_json, show_written, table
from floatframe.cli.railway.pair_options import PairOptions

if TYPE_CHECKING:
    from floatframe.railway import ContactSettings, Loaded, Patch, Pose, WheelOnRail

EXAMPLES = """
floatframe wheel-rail --wheel S1002 --rail 60E1 --lateral 3e-3 --yaw 7.2e-3 --load 1e4
floatframe wheel-rail --wheel worn.whl --rail rail.prr --lateral 5e-3 --load 6e4 --law polach -o contact.png
"""


class Law(StrEnum):
    """Laws of creep."""

    LINEAR = "linear"
    SATURATED = "saturated"
    POLACH = "polach"
    FASTSIM = "fastsim"


class PatchKind(StrEnum):
    """Ways to find a contact patch."""

    HERTZ = "hertz"
    STRIPS = "strips"
    SOLVED = "solved"


@dataclass(frozen=True)
class MotionOptions:
    """Where the wheel is and how it runs."""

    lateral: Annotated[float, typer.Option(callback=finite, help="Shift of the wheelset toward this rail [m].")] = 0.0
    yaw: Annotated[
        float, typer.Option(callback=finite, help="Angle of the axle, positive if this wheel trails [rad].")
    ] = 0.0
    roll: Annotated[
        float | None,
        typer.Option(
            callback=finite, help="Of the axle, positive if this wheel is lower [rad] (default: both wheels touch)."
        ),
    ] = None
    speed: Annotated[float, typer.Option(callback=positive, help="Of travel [m/s].")] = 1.0
    rotation: Annotated[
        float | None,
        typer.Option(
            callback=finite, help="Of the wheel [rad/s] (default: it rolls on the mean of both wheels' radii)."
        ),
    ] = None

    def pose(self, pair: WheelOnRail) -> Pose:
        """Return the place and motion of a wheel, on both rails where nothing else is given."""
        from floatframe import railway

        roll, rotation = self.roll, self.rotation
        if roll is None or rotation is None:
            resting = railway.rest(pair, lateral=self.lateral, yaw=self.yaw)
            mean = 0.5 * (resting.right.radius + resting.left.radius)
            roll = resting.roll if roll is None else roll
            rotation = self.speed / mean if rotation is None else rotation
        return railway.Pose(self.lateral, 0.0, self.yaw, roll, self.speed, rotation)


@dataclass(frozen=True)
class LawOptions:
    """How forces are computed."""

    friction: Annotated[float, typer.Option(min=0.0, help="Its coefficient.")] = 0.3
    law: Annotated[Law, typer.Option(help="Of creep.")] = Law.FASTSIM
    patch: Annotated[PatchKind, typer.Option(help="An ellipse, strips, or strips that fit each other.")] = (
        PatchKind.SOLVED
    )

    @property
    def settings(self) -> ContactSettings:
        """The same as the library has it."""
        from floatframe import railway

        return railway.ContactSettings(friction=self.friction, law=self.law.value, patch=self.patch.value)


def run_command(
    *,
    load: Annotated[float, typer.Option(callback=positive, help="Vertical force of the wheel on the rail [N].")],
    given: PairOptions,
    motion: MotionOptions,
    laws: LawOptions,
    output: Picture = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Find where one wheel of a wheelset touches its rail under a load, and which forces it exerts on the rail.

    Places and forces are those of a right wheel: x forward, y outward from the middle of the track, z down.
    """
    from floatframe import railway, viewer

    pair = given.pair(laws.settings)
    found = railway.under_load(pair, load, motion.pose(pair))
    if output is not None:
        viewer.plot_contact(pair, found, output)
    written = [] if output is None else [str(output)]
    if as_json:
        about = {"wheel": given.wheel, "rail": given.rail, "load_n": load, "law": laws.law, "patch": laws.patch}
        show_json("floatframe-wheel-rail/1", {**about, **_content(found), "written": written})
        return
    _show(found, f"{pair.wheel.name} on {pair.rail.name}")
    show_written(written)


def _content(found: Loaded) -> dict[str, Any]:
    """Return a wheel and its patches as JSON can hold them."""
    pose = found.pose
    return {
        "lateral_m": pose.lateral,
        "yaw_rad": pose.yaw,
        "roll_rad": pose.roll,
        "height_m": pose.height,
        "speed_m_per_s": pose.speed,
        "rotation_rad_per_s": pose.rotation,
        "lateral_force_n": sum(one.lateral_force for one in found.patches),
        "vertical_force_n": sum(one.vertical_force for one in found.patches),
        "patches": [_patch(one) for one in found.patches],
    }


def _patch(one: Patch) -> dict[str, float]:
    """Return a patch as JSON can hold it."""
    return {
        "x_m": one.x,
        "rail_y_m": one.y,
        "rail_z_m": one.z,
        "wheel_y_m": one.on_wheel,
        "rolling_radius_m": one.radius,
        "angle_rad": one.angle,
        "penetration_m": one.penetration,
        "semi_axis_along_m": one.a,
        "semi_axis_across_m": one.b,
        "largest_pressure_pa": one.pressure,
        "friction": one.friction,
        "creep_along": one.creep_along,
        "creep_across": one.creep_across,
        "spin_per_m": one.spin,
        "normal_force_n": one.normal,
        "force_along_n": one.along,
        "force_across_n": one.across,
        "spin_moment_n_m": one.moment,
    }


def _show(found: Loaded, title: str) -> None:
    """Print the patches."""
    import math

    patches = found.patches
    columns = {
        "y on rail [mm]": [f"{1e3 * one.y:.2f}" for one in patches],
        "y on wheel": [f"{1e3 * one.on_wheel:.2f}" for one in patches],
        "angle [°]": [f"{math.degrees(one.angle):.2f}" for one in patches],
        "a, b [mm]": [f"{1e3 * one.a:.2f}, {1e3 * one.b:.2f}" for one in patches],
        "pressure [MPa]": [f"{1e-6 * one.pressure:.0f}" for one in patches],
        "normal [N]": [f"{one.normal:.0f}" for one in patches],
        "along [N]": [f"{one.along:.1f}" for one in patches],
        "across [N]": [f"{one.across:.1f}" for one in patches],
    }
    console().print(table(title, columns))
    lateral = sum(one.lateral_force for one in patches)
    vertical = sum(one.vertical_force for one in patches)
    console().print(f"on the rail: lateral {lateral:.0f} N, vertical {vertical:.0f} N", markup=False)
