"""Angles past a singular attitude by skipping an interval; quaternions, as our bodies have, need none of it."""

from __future__ import annotations

import math

from floatframe.errors import ModelError


def least_jump(rate: float, step: float, half_width: float) -> float:
    """The jump [rad] that a passage must exceed: 2 ε + |β̇| τ.

    The angle before the step may be as far as |β̇| τ in front of the interval of 2 ε, which has to be crossed as well.
    """
    return 2.0 * half_width + abs(rate) * step


def pass_singular(
    angle: float, rate: float, step: float, half_width: float, jump: float, singular: float = 0.5 * math.pi
) -> float:
    """The angle [rad] after a step of Euler's method, carried over the interval around a singular attitude.

    Parameters
    ----------
    angle, rate
        β [rad] and β̇ [rad/s] before the step.
    step
        τ [s].
    half_width
        ε [rad]: the angle never ends between singular − ε and singular + ε.
    jump
        δ [rad], by which the angle goes on in the direction of its rate instead; larger than `least_jump`.
    singular
        The singular angle [rad].
    """
    least = least_jump(rate, step, half_width)
    if jump <= least:
        raise ModelError(
            f"singular attitude: found a jump of {jump:g} rad, expected more than 2 ε + |β̇| τ = {least:g} rad; a "
            "shorter one may end inside the interval"
        )
    following = angle + rate * step
    if abs(following - singular) >= half_width:
        return following
    return angle + math.copysign(jump, rate)
