"""Results: which channels there are, what is recorded, what can be recovered from it.

In: records of a run. Out: `Results` with channels by name.
Open `channels` first, then `results`; `formula` makes histories of channels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.results.channels import (
        Observed as Observed,
        Observer as Observer,
        available as available,
        node_channel as node_channel,
    )
    from floatframe.hybrid.results.formula import (
        MAGNITUDE as MAGNITUDE,
        Formula as Formula,
        read_formula as read_formula,
        split_numbers as split_numbers,
    )
    from floatframe.hybrid.results.impulses import stage_impulses as stage_impulses
    from floatframe.hybrid.results.memory import MemoryWriter as MemoryWriter
    from floatframe.hybrid.results.recovery import (
        column_of as column_of,
        observed as observed,
        with_sources as with_sources,
    )
    from floatframe.hybrid.results.results import (
        AMBIGUOUS as AMBIGUOUS,
        GRAVITY as GRAVITY,
        Results as Results,
        system_of as system_of,
    )
    from floatframe.hybrid.results.stresses import (
        Recovered as Recovered,
        StressRows as StressRows,
        inertia_channels as inertia_channels,
        inertia_drives as inertia_drives,
        recover_stress as recover_stress,
        stress_at as stress_at,
        stress_rows as stress_rows,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
