"""A wheel on the track of the model: its motion is handed to the kernel of `floatframe.railway`, by its address.

So that kernel is compiled for models that have such wheels alone.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.options import inner
from floatframe.native import call_with
from floatframe.railway import FIELDS

_P, _R, _V, _W = (FIELDS[name] for name in ("p", "R", "v", "w"))
_FORCE, _TORQUE = FIELDS["force"], FIELDS["torque"]
_PUSH, _PENETRATION, _RATE = FIELDS["push"], FIELDS["penetration"], FIELDS["rate"]
_STORED, _STORING, _TRAVEL = FIELDS["stored"], FIELDS["storing"], FIELDS["travel"]
_CREEP = 1e-5  # that forces are linear over: a hundredth of what makes wheels slide


@inner
def wheel_on_track(data, element, here):
    """Force and torque on the wheel, marker a; elongation is the deepest penetration, value the sum of the pushes.

    A wheel that moves as it did when it was looked at last is not looked at again: most dofs do not move it.
    """
    a, work, k = data.markers[element.a], data.pool, element.work
    moved = False
    for r in range(3):
        moved = note(work, k + _P + r, a.p[r]) or moved
        moved = note(work, k + _V + r, a.v[r]) or moved
        moved = note(work, k + _W + r, a.w[r]) or moved
        for c in range(3):
            moved = note(work, k + _R + 3 * r + c, a.R[r, c]) or moved
    if moved:
        call_with(element.user, element.setup, work, k)
    for r in range(3):
        here.force[r] = work[k + _FORCE + r]
        here.torque[r] = work[k + _TORQUE + r]
    here.value, here.elongation, here.rate = work[k + _PUSH], work[k + _PENETRATION], work[k + _RATE]


@inner
def note(work, place, value):
    """Write a value; whether another one was there."""
    other = work[place] != value
    work[place] = value
    return other


@inner
def gripping_speed(data, element):
    """Change of speed [m/s, rad/s] for differences that leaves a wheel gripping, also where it stands."""
    return _CREEP * data.pool[element.work + _TRAVEL]


@inner
def stored_in_wheel(data, element):
    """J, elastic energy of contact and rail at the last evaluation."""
    return data.pool[element.work + _STORED]


@inner
def storing_in_wheel(data, element):
    """W, the rate of the elastic energy of the contact."""
    return data.pool[element.work + _STORING]
