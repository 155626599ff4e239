"""States that steps lead to: accepted as the next start, kept as records."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.coordinates import remember_angles
from floatframe.hybrid.kernels.forces import remember_forces
from floatframe.hybrid.kernels.held import read_delays
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.steps.states import accept_states, start_states


@inner
def start_again(tables, data, w):
    """Try the state accepted last."""
    start_states(tables, data, w)
    for i in range(len(w.q)):
        w.q[i] = w.coordinates[i].q0
    for i in range(len(w.v)):
        w.v[i] = w.dofs[i].v0
    for k in range(len(w.lam)):
        w.lam[k] = w.multipliers[k].lam0


@inner
def accept_events(w):
    """Steps go on from the values of events and switches, and from their rates."""
    for k in range(len(w.events)):
        event = w.events[k]
        event.before = event.now
        event.rate_before = event.rate
    for k in range(len(w.held)):
        held = w.held[k]
        held.before = held.now
        held.rate_before = held.rate


@inner
def keep_memory(tables, data, w):
    """Keep what friction with stick has remembered in the step that is done, for values inside it."""
    for k in range(len(w.sticking)):
        m = tables.forces[w.sticking[k].element].memory
        for i in range(3):
            w.sticking[k].before[i] = data.memory[m + i]


@inner
def exchange_memory(tables, data, w):
    """Exchange what friction with stick remembers now and what it remembered in the last step."""
    for k in range(len(w.sticking)):
        m, before = tables.forces[w.sticking[k].element].memory, w.sticking[k].before
        for i in range(3):
            before[i], data.memory[m + i] = data.memory[m + i], before[i]


@inner
def accept_state(tables, data, w, s, h):
    """Make the end of a step of length h the state that the next one starts from."""
    for i in range(len(w.x)):
        dof = w.dofs[i]
        dof.x1 = dof.x0
        dof.x0 = w.x[i]
        dof.v0 = w.v[i]
    for i in range(len(w.q)):
        w.coordinates[i].q0 = w.q[i]
    for k in range(len(w.lam)):
        multiplier = w.multipliers[k]
        multiplier.lam1 = multiplier.lam0
        multiplier.lam0 = w.lam[k]
    accept_events(w)
    accept_states(tables, data, w)
    remember_angles(tables.coordinates, data.coordinates, data.memory)
    keep_memory(tables, data, w)
    remember_forces(tables, data)
    s.steps += 1.0
    s.last_h = h
    s.usual_h = max(h, 0.9 * s.usual_h)


@inner
def keep(tables, data, w, s, kept, m):
    """The accepted state as record m."""
    kept.t[m] = s.time
    for i in range(len(w.coordinates)):
        kept.q[m, i] = w.coordinates[i].q0
    for i in range(len(w.dofs)):
        kept.v[m, i] = w.dofs[i].v0
        kept.x[m, i] = w.dofs[i].x0
    for i in range(len(w.multipliers)):
        kept.lam[m, i] = w.multipliers[i].lam0
    counters = kept.counters[m]
    counters.steps = s.steps
    counters.iterations = s.iterations
    counters.evaluations = s.evaluations
    counters.refreshes = s.refreshes
    counters.rejected = s.rejected
    counters.last_step = s.last_h
    counters.work = s.work
    counters.local_gap = s.local_gap
    counters.local_gap_rate = s.local_gap_rate
    counters.shortest_h = s.shortest_h
    counters.longest_h = s.longest_h
    if w.traits.delays == 1:
        read_delays(tables, data, w, s.time)
    for i in range(len(data.memory)):
        kept.memory[m, i] = data.memory[i]
    for k in range(len(w.states)):
        kept.memory[m, tables.states[k].memory] = w.states[k].z0
