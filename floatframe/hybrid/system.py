"""A compiled system and its studies: equilibrium, steady motion, linear analysis, simulation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from floatframe.hybrid.assembly import CompiledSystem, State, assemble
from floatframe.hybrid.description import Description
from floatframe.hybrid.flat import FlatModel
from floatframe.hybrid.results import Results
from floatframe.hybrid.simulation import simulate
from floatframe.hybrid.studies import Linear, equilibrium_state, linearise, steady_state


@dataclass(frozen=True)
class System(CompiledSystem):
    """What `Model.compile()` returns."""

    def equilibrium(self, state: State | None = None, t: float | None = None) -> State:
        """The static equilibrium reached from a state (default: the start); `find_equilibrium` tells more about it."""
        return equilibrium_state(self, state, t)

    def steady_motion(self, state: State | None = None) -> State:
        """The motion that a system driven at constant speed keeps: deformed by the forces of its own rotation.

        Linearised there a rotor has its rotating frequencies; see `steady.steady_state`.
        """
        return steady_state(self, state)

    def linearise(self, state: State | None = None, n: int | None = None, up_to: float | None = None) -> Linear:
        """Frequencies, damping and shapes near a state (default: the equilibrium): n of them, or up to a frequency."""
        return linearise(self, state, n, up_to)

    def simulate(self, state: State | str | None = None, t_end: float = 1.0, **settings: Any) -> Results:
        """Integrate from a state (default: the start) to t_end [s]; settings are those of `simulate.simulate`.

        The state may be a name, "start", "equilibrium" or "steady"; "from" among the settings, as in a model file,
        holds where no state is given.
        """
        begin = settings.pop("from", None)
        return simulate(self, begin if state is None else state, t_end, **settings)


def compile_model(model: FlatModel, description: Description | None = None) -> System:
    """Compile: tree, rows, forces; put the bodies together; leave out the rows that follow from others."""
    return assemble(model, System, description)
