"""The laws of elements that are not linear, one element at a time: the twins of those in `floatframe.network.laws`."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.network.kernels.layout import LAWS
from floatframe.network.kernels.options import inner
from floatframe.network.laws import STEEPEST, STEFAN_BOLTZMANN

QUADRATIC_DAMPER, FRICTION, STOP = LAWS["quadratic_damper"], LAWS["friction"], LAWS["stop"]
DIODE, SWITCH, RADIATION = LAWS["diode"], LAWS["switch"], LAWS["radiation"]
ORIFICE, VALVE, CHECK_VALVE = LAWS["orifice"], LAWS["valve"], LAWS["check_valve"]
SINE_FORCE, CYLINDER = LAWS["sine_force"], LAWS["cylinder"]


@inner
def through_orifice(drop, conductance, laminar):
    """Flow and slope."""
    square = drop * drop + laminar * laminar
    root = 1.0 / math.sqrt(math.sqrt(square))
    return conductance * drop * root, conductance * root * (1.0 - 0.5 * drop * drop / square)


@inner
def _through_diode(u, saturation, voltage, leakage):
    exponent = u / voltage
    grown = math.exp(min(exponent, STEEPEST))
    beyond = exponent - STEEPEST if exponent > STEEPEST else 0.0
    return (
        saturation * (grown * (1.0 + beyond) - 1.0) + leakage * u,
        saturation / voltage * grown + leakage,
    )


@inner
def diode_reach(p, at, u, wish):
    """The share of a change of the voltage that one iteration may go."""
    saturation, voltage = p[at], p[at + 1]
    knee = max(voltage * math.log(voltage / (math.sqrt(2.0) * saturation)), voltage)
    if not (u + wish > knee and wish > 2.0 * voltage and u < STEEPEST * voltage):
        return 1.0
    if u > 0.0:
        return voltage * math.log(1.0 + wish / voltage) / wish
    return (voltage * math.log((u + wish) / voltage) - u) / wish


@inner
def _through_check_valve(drop, conductance, laminar, cracking, leakage):
    share = min(max(drop / cracking, 0.0), 1.0)
    inside = share > 0.0 and share < 1.0
    opened, by_share = share * share * (3.0 - 2.0 * share), 6.0 * share * (1.0 - share)
    flow, slope = through_orifice(drop, conductance, laminar)
    more = by_share / cracking * flow if inside else 0.0
    return opened * flow + leakage * drop, opened * slope + more + leakage


@inner
def _through_stop(gap, speed, k, damping, clearance):
    """Force, slopes by displacement and by velocity."""
    side = -1.0 if gap < 0.0 else 1.0
    deep = side * gap - clearance
    rise = 1.0 + damping * side * speed
    if deep > 0.0 and rise > 0.0:
        return side * k * deep * rise, k * rise, k * deep * damping
    return 0.0, 0.0, 0.0


@inner
def branch(law, p, at, s, x_a, x_b, v_a, v_b, t):
    """What flows through an element with two ends, and its slopes by x_a - x_b, v_a, v_b, and by its input s.

    Its parameters begin at p[at].
    """
    v = v_a - v_b
    if law == DIODE:
        flow, slope = _through_diode(v, p[at], p[at + 1], p[at + 2])
        return flow, 0.0, slope, -slope, 0.0
    if law == SWITCH:
        shut, open_ = 1.0 / p[at], 1.0 / p[at + 1]
        share = min(max(s, 0.0), 1.0)
        g = open_ + (shut - open_) * share
        return g * v, 0.0, g, -g, (shut - open_) * v if s > 0.0 and s < 1.0 else 0.0
    if law == QUADRATIC_DAMPER:
        slope = 2.0 * p[at] * abs(v)
        return p[at] * v * abs(v), 0.0, slope, -slope, 0.0
    if law == FRICTION:
        ratio = math.tanh(v / p[at + 1])
        slope = p[at] / p[at + 1] * (1.0 - ratio * ratio)
        return p[at] * ratio, 0.0, slope, -slope, 0.0
    if law == STOP:
        flow, by_x, slope = _through_stop(x_a - x_b, v, p[at], p[at + 1], p[at + 2])
        return flow, by_x, slope, -slope, 0.0
    if law == RADIATION:
        factor = STEFAN_BOLTZMANN * p[at] * p[at + 1]
        flow = factor * (v_a * v_a * v_a * v_a - v_b * v_b * v_b * v_b)
        return flow, 0.0, 4.0 * factor * v_a * v_a * v_a, -4.0 * factor * v_b * v_b * v_b, 0.0
    if law == SINE_FORCE:
        return -p[at] * math.sin(2.0 * math.pi / p[at + 1] * t + p[at + 2]), 0.0, 0.0, 0.0, 0.0
    conductance = p[at + 1] * p[at] * math.sqrt(2.0 / p[at + 2])
    if law == CHECK_VALVE:
        flow, slope = _through_check_valve(v, conductance, p[at + 3], p[at + 4], p[at + 5])
        return flow, 0.0, slope, -slope, 0.0
    flow, slope = through_orifice(v, conductance, p[at + 3])
    if law == VALVE:
        opening = max(s, 0.0)
        return opening * flow, 0.0, opening * slope, -opening * slope, flow if s > 0.0 else 0.0
    if law == ORIFICE:
        return flow, 0.0, slope, -slope, 0.0
    return math.nan, 0.0, 0.0, 0.0, 0.0  # of a law that has no branch here


@inner
def add_cylinder(p, at, dofs, y, cx, ca, residual, J):
    """Flows and Jacobian of a cylinder between chambers a, b and rod, body."""
    area_a, area_b, dead_a, dead_b = p[at], p[at + 1], p[at + 2], p[at + 3]
    stroke, bulk, leakage = p[at + 4], p[at + 5], p[at + 6]
    a, b, rod, body = dofs[0], dofs[1], dofs[2], dofs[3]
    p_a, p_b = y[1, a], y[1, b]
    out_by, speed = y[0, rod] - y[0, body], y[1, rod] - y[1, body]
    room_a, room_b = dead_a + area_a * out_by, dead_b + area_b * (stroke - out_by)
    slope_a, slope_b = area_a / bulk * y[2, a] * cx, area_b / bulk * y[2, b] * cx
    if not room_a > dead_a:
        room_a, slope_a = dead_a, 0.0
    if not room_b > dead_b:
        room_b, slope_b = dead_b, 0.0
    leak, push = leakage * (p_a - p_b), area_a * p_a - area_b * p_b
    residual[a] += leak + area_a * speed + room_a / bulk * y[2, a]
    residual[b] += -leak - area_b * speed + room_b / bulk * y[2, b]
    residual[rod] -= push
    residual[body] += push
    J[a, a] += leakage + ca * room_a / bulk
    J[b, b] += leakage + ca * room_b / bulk
    J[a, b] -= leakage
    J[b, a] -= leakage
    J[a, rod] += area_a + slope_a
    J[a, body] -= area_a + slope_a
    J[b, rod] -= area_b + slope_b
    J[b, body] += area_b + slope_b
    J[rod, a] -= area_a
    J[rod, b] += area_b
    J[body, a] += area_a
    J[body, b] -= area_b
