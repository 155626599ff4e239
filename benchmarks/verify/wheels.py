"""Wheels on rails: equivalent conicity of EN 15302 and the Manchester contact benchmark against CONTACT.

Tolerances are those of the standard, min(0.05, half of the value), and for the benchmark what the railway study asks
for: 0.5 mm, 5 % of the limit of friction where there is one patch.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.verify.rows import Row
from floatframe import railway
from tests.railway.contact_reference import FILES, manchester

# right and left wheel, diameter of the left one [m], amplitude [mm] and conicity
EXAMPLES = {
    "E1": ("A", "A", 0.920, {1: 0.125, 3: 0.188, 6: 0.303, 7: 0.505}),
    "E2": ("B", "B", 0.920, {1: 0.025, 2.9: 0.025, 3: 0.058, 6: 0.302, 7: 0.485}),
    "E3": ("H", "H", 0.920, {1: 0.025, 2.5: 0.025, 2.6: 0.075, 3: 0.245, 7: 0.437}),
    "E4": ("I", "I", 0.920, {1.8: 0.084, 3: 0.489, 6: 0.447, 7: 0.486}),
    "E5": ("A", "A", 0.918, {1: 0.280, 3: 0.261, 6: 0.395, 7: 0.492}),
    "E6": ("B", "B", 0.918, {1: 0.660, 3: 0.278, 6: 0.409, 7: 0.478}),
    "E7": ("H", "H", 0.918, {1: 0.712, 3: 0.270, 6: 0.421, 7: 0.443}),
    "E8": ("I", "I", 0.918, {1: 0.780, 3: 0.449, 6: 0.497, 7: 0.564}),
    "E9": ("A", "B", 0.920, {1: 0.137, 3: 0.132, 6: 0.307, 7: 0.493}),
}
TWO_PATCHES = 11  # case that CONTACT sums up


def problems() -> Iterator[Row]:
    """Yield all problems of this module."""
    yield from conicity()
    yield from contact()


def conicity() -> Iterator[Row]:
    """Examples of annex E."""
    rail = railway.profile("EN15302-A", "rail")
    for name, (right, left, diameter, expected) in EXAMPLES.items():
        pair, other = (
            railway.WheelOnRail(railway.profile(f"EN15302-{wheel}", "wheel"), rail, radius, 1.43516)
            for wheel, radius in ((right, 0.46), (left, 0.5 * diameter))
        )
        found = railway.equivalent_conicity(pair, other, amplitudes=[1e-3 * amplitude for amplitude in expected])
        for (amplitude, target), ours in zip(expected.items(), found.conicity.tolist(), strict=True):
            tolerance = min(0.05, 0.5 * target) / target
            yield Row(f"EN 15302, example {name}", f"conicity at {amplitude:g} mm", target, ours, tolerance)


def contact() -> Iterator[Row]:
    """Manchester A-2.2, right wheel: how far from CONTACT."""
    pair = railway.WheelOnRail(
        railway.read_profile(FILES / "MBench_S1002_v3.prw"), railway.read_profile(FILES / "MBench_UIC60_v3.prr")
    )
    for case in manchester():
        pose = railway.Pose(case.lateral, case.height, case.yaw, case.roll, 2.0, case.rotation)
        patches = railway.under_load(pair, 1e4, pose).patches
        name = f"Manchester A-2.2, {1e3 * case.lateral:g} mm"
        if case.number == TWO_PATCHES:
            yield Row(name, "patches", 2.0, float(len(patches)), 0.0)
            continue
        (patch,) = patches
        limit = 0.3 * case.normal
        yield Row(name, "place less CONTACT's [mm]", 0.0, 1e3 * (patch.y - case.place), 0.5)
        yield Row(name, "force along less CONTACT's, over μN", 0.0, (patch.along - case.along) / limit, 0.05)
        yield Row(name, "force across less CONTACT's, over μN", 0.0, (patch.across - case.across) / limit, 0.05)
