"""A compiled network and its studies: simulation, linear analysis. Each is loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from floatframe.arrays import Array
from floatframe.network.compiled import CompiledNetwork
from floatframe.network.settings import NetworkSettings

if TYPE_CHECKING:
    from floatframe.hybrid import Progress, Record, Results
    from floatframe.network.linear import NetworkModes
    from floatframe.network.operating import OperatingPoint


@dataclass(frozen=True, eq=False, repr=False)
class NetworkSystem(CompiledNetwork):
    """What `Network.compile()` returns."""

    def simulate(
        self,
        t_end: float = 1.0,
        *,
        settings: NetworkSettings | None = None,
        record: Record | None = None,
        path: str | Path | None = None,
        resume: bool = False,
        progress: Callable[[Progress], None] | None = None,
        **more: Any,
    ) -> Results:
        """Integrate the network and return the records, as `System.simulate` does for machines.

        Parameters
        ----------
        t_end
            End of the run [s], unless settings are given.
        settings
            How to integrate.
        record
            What to keep.
        path
            The result file; without one the records stay in memory.
        resume
            Whether a run in that file goes on.
        progress
            Called with the time reached, now and then.
        more
            Fields of `NetworkSettings` one by one: method="bdf2", step=1e-3, events=["out.voltage - 5"].
        """
        from floatframe.network.simulate import simulate

        NetworkSettings.require_known(more)
        chosen = NetworkSettings(t_end=t_end, **more) if settings is None else settings
        return simulate(self, chosen, record, path, resume, progress)

    def operating_point(self, t: float = 0.0) -> OperatingPoint:
        """Return the steady state that the network comes to from its start with all inputs as at time t [s]."""
        from floatframe.network.operating import operating_point

        return operating_point(self, t)

    def linearise(self, about: OperatingPoint | Array | None = None, t: float = 0.0) -> NetworkModes:
        """Return eigenvalues and shapes of small motions about an operating point or unknowns y (3, n + 1).

        By default about the start.
        """
        from floatframe.network.linear import linearise
        from floatframe.network.operating import OperatingPoint

        if isinstance(about, OperatingPoint):
            return linearise(self, about.y, about.t, about.carried)
        return linearise(self, self.start if about is None else about, t)
