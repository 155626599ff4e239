"""Steady motion: the state in which a system driven at constant speeds keeps its shape while it turns or travels.

A rotor in its frame has constant deformations and speeds, a wheelset rolls on: only positions along the motion grow.
Newton's method looks for the positions that balance the forces of the motion and, along motions that no stiffness
resists, for the speeds; its tangent is that of the linear analysis. If the direct way fails, it begins from the
positions at rest; then the forces of the motion are put on in steps, and then the speed grows in steps. What is found
must stay: the forces must not change as the motion goes on. Systems with wheels on a track have a search of their own,
`rolling`.
"""

from __future__ import annotations

from floatframe.errors import NotConverged
from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.description import Start
from floatframe.hybrid.studies.equilibrium import find_equilibrium
from floatframe.hybrid.studies.load_limits import warn_of_vibration
from floatframe.hybrid.studies.rolling import Settled, rolling_state
from floatframe.hybrid.studies.rolling_axes import has_wheels
from floatframe.hybrid.studies.steady_axes import possible_axes
from floatframe.hybrid.studies.steady_checks import require_constant_drives, require_steady
from floatframe.hybrid.studies.steady_search import Search


def usual_start(system: CompiledSystem) -> Start:
    """The state about which a system is linearised if no other is asked for."""
    return Start.steady if has_wheels(system) else Start.equilibrium


def usual_state(system: CompiledSystem) -> State:
    """That state: the equilibrium; with wheels on a track, steady rolling."""
    return steady_state(system) if has_wheels(system) else find_equilibrium(system).state


def steady_state(system: CompiledSystem, state: State | None = None, settled: Settled | None = None) -> State:
    """The steady motion reached from a state (default: the start), with the speeds that motions in time ask for.

    Speeds along motions that nothing resists are those of the state; where forces depend on them, as on the spin of a
    rolling wheel, they follow from the forces. What is held by nothing keeps its spin and the velocity of its centre of
    mass. A motion in time must be one of constant speed near the time of the state. Where there is no steady motion,
    the error says what keeps changing. What rolls on a track keeps its speed along it; settled: see `rolling_state`.
    """
    start = system.start if state is None else state
    if system.nz or system.model.held:
        names = ", ".join(one.name for one in system.model.kept)
        raise NotConverged(
            f"steady motion is not found for models with state variables ({names}); simulate until the motion is "
            "steady, and begin from the state at its end"
        )
    if has_wheels(system):
        found = rolling_state(system, start, settled)
        warn_of_vibration(system, found.t, found.q)
        return found
    search = Search(system)
    require_constant_drives(search, start)
    failures: list[NotConverged] = []
    for axes in possible_axes(system, search.tables, start, search.closed):
        search.axes = axes
        try:
            found = _found(search, start)
            require_steady(search, found)
        except NotConverged as failure:
            failures.append(failure)
            continue
        warn_of_vibration(system, found.t, found.q)
        return found
    raise failures[0]


def _found(search: Search, start: State) -> State:
    """The balance of forces reached from a start."""
    try:
        return search.run(start, search.closed(start))
    except NotConverged as direct:
        # contacts that just touch and other far starts: the positions at rest are a better place to begin
        try:
            rest = find_equilibrium(search.system, start).state
            start = State(start.t, rest.q, start.v, start.memory)
        except NotConverged:
            pass
        try:
            return search.run(start, search.closed(start))
        except NotConverged:
            try:
                return search.in_parts(start)
            except NotConverged:
                raise direct from None
