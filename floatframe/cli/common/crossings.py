"""Where the damping of motions passes zero over a parameter, for commands that follow roots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from floatframe.cli.common.terminal import console, table

if TYPE_CHECKING:
    from floatframe.arrays import AnyArray, Array
    from floatframe.railway import RootLocus


def roots_of(frequency: Array, damping: Array) -> AnyArray:
    """Return roots [1/s], imaginary parts not negative, of natural frequencies [Hz] and damping ratios."""
    import numpy as np

    beside = np.sqrt(np.maximum(1.0 - damping**2, 0.0))
    return np.asarray(2.0 * np.pi * frequency * (-damping + 1j * beside))


def crossings_as_json(found: RootLocus) -> dict[str, Any]:
    """Return what `--json` says of them."""
    crossings = [
        {"speed": one.speed, "frequency_hz": one.frequency, "is_unstable_above": one.unstable_above}
        for one in found.crossings
    ]
    return {"critical_speed": found.critical_speed, "crossings": crossings}


def show_crossings(found: RootLocus, over: str, name: str) -> None:
    """Print them, or that there is none; over: the parameter."""
    if not found.crossings:
        first, last = found.speed[0], found.speed[-1]
        console().print(f"{name}: damping passes zero nowhere from {first:g} to {last:g}", markup=False)
        return
    columns = {
        over: [f"{one.speed:.5g}" for one in found.crossings],
        "frequency [Hz]": [f"{one.frequency:.4g}" for one in found.crossings],
        "above": ["unstable" if one.unstable_above else "stable" for one in found.crossings],
    }
    console().print(table(f"{name}: damping passes zero", columns))
