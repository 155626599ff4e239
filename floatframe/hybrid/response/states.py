"""The state about which motions are small."""

from __future__ import annotations

from floatframe.errors import ModelError
from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.description import Start
from floatframe.hybrid.simulation import steady_motion
from floatframe.hybrid.studies import equilibrium_state, usual_start


def state_at(system: CompiledSystem, at: State | str | None = None) -> State:
    """A state itself, or the start, the equilibrium or the steady motion.

    By default the equilibrium, for wheels on a track steady rolling.
    """
    if isinstance(at, State):
        return at
    if at is not None and at not in set(Start):
        raise ModelError(f"response: the state is '{at}', expected {', '.join(Start)} or a State")
    start = usual_start(system) if at is None else Start(at)
    if start is Start.start:
        return system.initial_state()
    return steady_motion(system) if start is Start.steady else equilibrium_state(system)
