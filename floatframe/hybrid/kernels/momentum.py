"""Momentum of a system, linear and angular."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.flexible import symmetric_times
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import cross, turn, turn_back


@inner
def system_momentum(tables, data, v, angular, out, k):
    """Linear momentum (N s), or angular momentum about the world's origin (N m s)."""
    for c in range(3):
        out[k + c] = 0.0
    for i in range(1, len(tables.links)):
        link, here = tables.links[i], data.links[i]
        mass = link.mass
        local = (link.moment[0], link.moment[1], link.moment[2])
        w = turn_back(here.R, here.w)
        u = turn_back(here.R, here.v)
        spin = turn(link.inertia, w)
        extra0 = extra1 = extra2 = 0.0
        if link.flexible >= 0:
            body = tables.flexible[link.flexible]
            n, o, iv = body.n, body.work, body.iv
            mass = body.mass
            local = (data.pool[o + 12 * n], data.pool[o + 12 * n + 1], data.pool[o + 12 * n + 2])
            spin = symmetric_times(data.pool, o + 12 * n + 3, w)
            turning0 = turning1 = turning2 = 0.0
            H = body.constants + 3
            for j in range(n):
                extra0 += tables.pool[H + j] * v[iv + j]
                extra1 += tables.pool[H + n + j] * v[iv + j]
                extra2 += tables.pool[H + 2 * n + j] * v[iv + j]
                turning0 += data.pool[o + 6 * n + j] * v[iv + j]
                turning1 += data.pool[o + 7 * n + j] * v[iv + j]
                turning2 += data.pool[o + 8 * n + j] * v[iv + j]
            spin = (spin[0] + turning0, spin[1] + turning1, spin[2] + turning2)
        if mass == 0.0:
            continue
        swing = cross(w, local)
        P = (mass * u[0] + swing[0] + extra0, mass * u[1] + swing[1] + extra1, mass * u[2] + swing[2] + extra2)
        world = turn(here.R, P)
        if angular:
            lever = cross(local, u)
            own = turn(here.R, (lever[0] + spin[0], lever[1] + spin[1], lever[2] + spin[2]))
            world = cross(here.p, world)
            world = (world[0] + own[0], world[1] + own[1], world[2] + own[2])
        out[k] += world[0]
        out[k + 1] += world[1]
        out[k + 2] += world[2]
