"""A compiled system and its studies: equilibrium, steady motion, linear analysis, simulation.

Each study is loaded when it is first asked for: to compile a model takes less time than to load them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from floatframe.hybrid.assembly import CompiledSystem, State, assemble
from floatframe.hybrid.description import Description, Start
from floatframe.hybrid.flat import FlatModel
from floatframe.hybrid.settings import RareOptions, Record, Settings, SolverOptions, require_settings

if TYPE_CHECKING:
    from floatframe.hybrid.results import Results
    from floatframe.hybrid.simulation import Progress
    from floatframe.hybrid.studies import Linear


@dataclass(frozen=True, repr=False)
class System(CompiledSystem):
    """What `Model.compile()` returns."""

    def equilibrium(self, state: State | None = None, t: float | None = None, hold_states: bool = False) -> State:
        """Return the static equilibrium reached from a state; `find_equilibrium` reports more about it.

        Parameters
        ----------
        state
            Where the search begins (default: the start).
        t
            Time [s] at which motions in time are held (default: that of the state).
        hold_states
            Whether state variables keep their values; else those are found at which their rates vanish.
        """
        from floatframe.hybrid.studies import equilibrium_state

        return equilibrium_state(self, state, t, hold_states)

    def steady_motion(self, state: State | None = None) -> State:
        """The motion that a system driven at constant speed keeps: deformed by the forces of its own rotation.

        Linearised there a rotor has its rotating frequencies; see `steady.steady_state`. What has wheels on a track
        rolls on at its speed, along a straight or a curve of constant radius and cant.
        """
        from floatframe.hybrid.simulation import steady_motion

        return steady_motion(self, state)

    def linearise(self, state: State | None = None, n: int | None = None, up_to: float | None = None) -> Linear:
        """Return frequencies, damping and shapes of the system near a state.

        Parameters
        ----------
        state
            The state looked at (default: the equilibrium; with wheels on a track, steady rolling); it may move.
        n
            How many modes, from the lowest up, rigid-body motions included (default: all).
        up_to
            Highest frequency [Hz].
        """
        from floatframe.hybrid.studies import linearise, usual_start, usual_state

        if state is None:
            state = self.steady_motion() if usual_start(self) == Start.steady else usual_state(self)
        return linearise(self, state, n, up_to)

    def simulate(
        self,
        state: State | str | None = None,
        t_end: float = 1.0,
        *,
        record: Record | None = None,
        method: str = "auto",
        step: float | None = None,
        rtol: float | None = None,
        spectral_radius: float = 0.8,
        events: Sequence[str] = (),
        options: SolverOptions | None = None,
        path: str | Path | None = None,
        resume: bool = False,
        progress: Callable[[Progress], None] | None = None,
        **rare: Unpack[RareOptions],
    ) -> Results:
        """Integrate from a state to t_end and return the records.

        Stages of the model (see `Stage`) follow each other on the way; the records of all are in one result, with two
        at the time of a change, the state before it and the one after it.

        Parameters
        ----------
        state
            A state, or "start" (default), "equilibrium" or "steady" for the one that is found from the start. A resumed
            run keeps the one it began from.
        t_end
            End of the run [s].
        record
            What to keep, by default all channels of every step; with controlled steps of auto 1000 times in the run.
        method
            "auto" for dop853 or radau5, as it turns out (with a step: generalised-alpha); "generalised-alpha", "hht",
            "newmark", "park", "bdf1", "bdf2", "radau5"; "euler", "rk4", "rk45", "dop853" for what is not stiff;
            "scipy:RK23", "scipy:RK45", "scipy:DOP853", "scipy:Radau", "scipy:BDF", "scipy:LSODA", "sundials:cvode",
            "sundials:ida" for external solvers.
        step
            A fixed step [s]; it is shortened so that it fits the times of records.
        rtol
            Relative error at the end of a smooth motion, by controlled steps instead of fixed ones (default 1e-5); for
            auto, generalised-alpha, hht, newmark, radau5, rk45, dop853 and external solvers.
        spectral_radius
            Damping of the highest frequencies: 1 none, 0 most.
        events
            Expressions of t and sensors; the run stops where one crosses zero.
        options
            What is rarely changed: tolerances, limits of steps, the solver of accelerations, how constraints and energy
            are kept.
        path
            HDF5 file, written while running. The model is written into it too, so that pictures and reports can be made
            of it later, with those reduced bodies that are in no file of their own.
        resume
            Continue the file from its last checkpoint, to bit-equal results (external solvers: within their
            tolerance). Only t_end may then be another; with rtol the step that met the first end was shortened, so
            that a run made in one go differs within the tolerance.
        progress
            Called from time to time with the state of the run.
        rare
            Single options by their names, in place of those in `options`: `solver="dec"`, `step_max=0.01`.
        """
        from floatframe.hybrid.simulation import simulate

        require_settings(rare)
        settings = Settings(
            **{**vars(options or SolverOptions()), **rare},
            t_end=t_end,
            method=method,
            step=step,
            rtol=rtol,
            spectral_radius=spectral_radius,
            events=events,
        )
        return simulate(self, state, settings, record, path, resume, progress)


def compile_model(
    model: FlatModel, description: Description | None = None, like: CompiledSystem | None = None
) -> System:
    """Compile: tree, rows, forces; assemble the bodies; leave out the rows that follow from others.

    like: the system of the model at other parameters, from which all is taken over that stays the same.
    """
    return assemble(model, System, description, like)
