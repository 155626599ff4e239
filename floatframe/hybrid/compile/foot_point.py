"""The foot of the perpendicular from a place (x, y, z) on a surface z = h(X, Y): Newton's steps to it, and its rates.

g_X = x - X + (z - h) h_X = 0,  g_Y = y - Y + (z - h) h_Y = 0,      J = dg / d(X, Y), symmetric
steps:  J d = -g       rates:  J (X', Y') = -(vx + vz h_X, vy + vz h_Y)
"""

from __future__ import annotations

from typing import TypeAlias

from floatframe.expressions import Expression, parse

FOOT = ("ground.foot_x", "ground.foot_y")
Pair: TypeAlias = tuple[Expression, Expression]
_SOLVED = "-(jyy*px - jxy*py)/(jxx*jyy - jxy^2)", "-(jxx*py - jxy*px)/(jxx*jyy - jxy^2)"


def foot_point(height: Expression) -> tuple[Pair, Pair, Pair]:
    """Where the search for a foot starts, Newton's steps, and the rates of the foot, along x and y."""
    slopes = [height.derivative(name) for name in FOOT]
    known: dict[str, float | Expression] = {"h": height, "hx": slopes[0], "hy": slopes[1]}
    known |= {"hxx": slopes[0].derivative(FOOT[0]), "hxy": slopes[0].derivative(FOOT[1])}
    known["hyy"] = slopes[1].derivative(FOOT[1])
    J: dict[str, float | Expression] = {
        "jxx": parse("(ground.z - h)*hxx - 1 - hx^2").substitute(known),
        "jxy": parse("(ground.z - h)*hxy - hx*hy").substitute(known),
        "jyy": parse("(ground.z - h)*hyy - 1 - hy^2").substitute(known),
    }

    def solved(x: str, y: str) -> Pair:
        right: dict[str, float | Expression] = {"px": parse(x).substitute(known), "py": parse(y).substitute(known)}
        along, across = (parse(text).substitute({**J, **right}).simplified() for text in _SOLVED)
        return along, across

    steps = solved(
        "ground.x - ground.foot_x + (ground.z - h)*hx",
        "ground.y - ground.foot_y + (ground.z - h)*hy",
    )
    rates = solved("ground.vx + ground.vz*hx", "ground.vy + ground.vz*hy")
    return (parse("ground.x"), parse("ground.y")), steps, rates
