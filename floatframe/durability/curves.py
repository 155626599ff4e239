"""S–N curves: cycles to failure by the amplitude of a fully reversed stress.

Every curve is a chain of power laws N = N_i (S / S_i)^-k_i, each from its knee upwards; below the last knee a cycle
does no damage. Amplitudes above `highest` are outside the curve and refused.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.wording import did_you_mean

CATEGORIES = (36, 40, 45, 50, 56, 63, 71, 80, 90, 100, 112, 125, 140, 160)  # EN 1993-1-9, normal stresses
SHEAR_CATEGORIES = (80, 100)
_FEWEST = 1e4  # cycles from which on the curves of EN 1993-1-9 and the FKM guideline hold
# of the FKM guideline: endurance over tensile strength for reversed normal stress, a [1/GPa] and b of the mean-stress
# sensitivity a R_m + b, and the endurance for shear stress over that for normal stress
_FKM = {
    "steel": (0.45, 0.35, -0.10, 0.577),
    "stainless steel": (0.40, 0.35, -0.10, 0.577),
    "cast steel": (0.34, 0.35, 0.05, 0.577),
    "GJS": (0.34, 0.35, 0.08, 0.65),
    "GJM": (0.30, 0.35, 0.13, 0.75),
    "GJL": (0.30, 0.0, 0.50, 0.85),
    "wrought aluminium": (0.30, 1.0, -0.04, 0.577),
    "cast aluminium": (0.30, 1.0, 0.20, 0.75),
}
_TWO_SLOPES = ("wrought aluminium", "cast aluminium")


@dataclass(frozen=True)
class SNCurve:
    """Cycles to failure; knees (m,) stress amplitudes [Pa], falling, with cycles (m,) and slopes (m,) from there up.

    highest: the largest amplitude the curve is good for [Pa]; sensitivity: mean-stress sensitivity M of the material,
    if the curve knows it.
    """

    name: str
    knees: tuple[float, ...]
    cycles: tuple[float, ...]
    slopes: tuple[float, ...]
    highest: float = np.inf
    sensitivity: float | None = None

    def __post_init__(self) -> None:
        numbers = [self.knees, self.cycles, self.slopes]
        if not self.knees or len({len(each) for each in numbers}) != 1:
            raise ModelError(f"S–N curve '{self.name}': knees, cycles and slopes must be as many, at least one each")
        if not all(0.0 < x < np.inf for each in numbers for x in each):
            raise ModelError(f"S–N curve '{self.name}': knees, cycles and slopes must be positive")
        if list(self.knees) != sorted(self.knees, reverse=True) or list(self.cycles) != sorted(self.cycles):
            raise ModelError(f"S–N curve '{self.name}': knees must fall and their cycles rise")

    @property
    def arrays(self) -> tuple[Array, Array, Array]:
        """Knees, cycles and slopes as arrays."""
        return np.array(self.knees), np.array(self.cycles), np.array(self.slopes)

    def life(self, amplitude: float | Array) -> Array:
        """Return the cycles to failure of fully reversed amplitudes [Pa]; infinity below the last knee."""
        S = np.asarray(amplitude, dtype=float)
        self.require(float(S.max(initial=0.0)))
        N = np.full(S.shape, np.inf)
        for knee, cycles, slope in reversed(list(zip(self.knees, self.cycles, self.slopes, strict=True))):
            above = np.greater_equal(S, knee)
            N[above] = cycles * (S[above] / knee) ** -slope
        return N

    def require(self, amplitude: float, where: str = "") -> None:
        """Refuse an amplitude that is outside the curve, or infinite, where a mean stress reaches the strength."""
        if amplitude == np.inf:
            raise ModelError(
                f"S–N curve '{self.name}': the mean stress{where} reaches the tensile strength R_m of the mean-stress "
                "correction; lower the stress, or correct R_m, which is in Pa"
            )
        if amplitude > self.highest:
            fewest = self.cycles[0] * (self.highest / self.knees[0]) ** -self.slopes[0]
            raise ModelError(
                f"S–N curve '{self.name}': an amplitude of {amplitude / 1e6:.4g} MPa{where} is out of its range, which "
                f"ends at {self.highest / 1e6:.4g} MPa and {fewest:.4g} cycles; lower the stress, take a strain-life "
                "method, or give a curve that reaches further"
            )

    def scaled(self, factor: float) -> SNCurve:
        """Return the curve with all stresses multiplied, such as by 1 / safety factor."""
        if not 0.0 < factor < np.inf:
            raise ModelError(f"S–N curve '{self.name}': factor is {factor}; it must be positive")
        knees = tuple(factor * knee for knee in self.knees)
        return SNCurve(self.name, knees, self.cycles, self.slopes, factor * self.highest, self.sensitivity)


def eurocode(category: int, shear: bool = False, safety: float = 1.0) -> SNCurve:
    """Return the curve of a detail category of EN 1993-1-9 [N/mm2 at two million cycles]; safety: γ_Mf.

    The standard counts ranges whatever their mean; here they are amplitudes, half of them.
    """
    known = SHEAR_CATEGORIES if shear else CATEGORIES
    if not 0.0 < safety < np.inf:
        raise ModelError(f"Eurocode: the safety factor is {safety:g}; it must be positive, such as 1.35")
    if category not in known:
        raise ModelError(
            f"Eurocode detail category {category} does not exist; categories: {', '.join(map(str, known))}"
        )
    amplitude = category * 1e6 / 2.0 / safety
    name = f"EN 1993-1-9 {'shear ' if shear else ''}{category}"
    if shear:
        highest = amplitude * (2e6 / _FEWEST) ** (1 / 5)
        return SNCurve(name, (amplitude * (2e6 / 1e8) ** (1 / 5),), (1e8,), (5.0,), highest)
    knee = amplitude * (2.0 / 5.0) ** (1 / 3)
    knees = knee, knee * (5.0 / 100.0) ** (1 / 5)
    return SNCurve(name, knees, (5e6, 1e8), (3.0, 5.0), amplitude * (2e6 / _FEWEST) ** (1 / 3))


def fkm(strength: float, material: str = "steel", design: float = 1.0, shear: bool = False) -> SNCurve:
    """Return the curve of the FKM guideline for normal or shear stress of parts that are not welded.

    strength: tensile strength R_m [Pa]; design: its factor K_WK for notch support, roughness and the like. Endurance
    is that of R = -1 at a million cycles, slope 5, of shear 8; aluminium goes on with slope 15, of shear 25, to a
    hundred million. Curves of shear have no mean-stress sensitivity, see `stress_damages`.
    """
    if material not in _FKM:
        raise ModelError(f"FKM material '{material}' does not exist{did_you_mean(material, _FKM)}")
    if not 1e7 < strength < 1e10 or not design > 0.0:
        raise ModelError(
            f"FKM curve: R_m is {strength:g} Pa and the design factor {design:g}; expected R_m in Pa, such as 500e6, "
            "and a positive factor"
        )
    share, a, b, of_shear = _FKM[material]
    endurance = share * strength / design * (of_shear if shear else 1.0)
    sensitivity = None if shear else max(a * strength / 1e9 + b, 0.0)
    slope, flatter = (8.0, 25.0) if shear else (5.0, 15.0)
    highest = endurance * (1e6 / _FEWEST) ** (1 / slope)
    name = f"FKM {'shear ' if shear else ''}{material}, R_m {strength / 1e6:g} MPa"
    if material in _TWO_SLOPES:
        knees = endurance, endurance * (1e6 / 1e8) ** (1 / flatter)
        return SNCurve(name, knees, (1e6, 1e8), (slope, flatter), highest, sensitivity)
    return SNCurve(name, (endurance,), (1e6,), (slope,), highest, sensitivity)


def own_curve(
    knee: float, cycles: float, slope: float, second_slope: float | None = None, fewest: float = 1.0, name: str = "own"
) -> SNCurve:
    """Return N = cycles (S / knee)^-slope above the knee [Pa]; below, a second slope or no damage.

    fewest: cycles below which the curve does not hold.
    """
    if not all(x > 0.0 for x in (knee, cycles, slope, fewest)):
        raise ModelError(f"S–N curve '{name}': knee, cycles, slope and fewest must be positive")
    highest = knee * (cycles / fewest) ** (1.0 / slope)
    if second_slope is None:
        return SNCurve(name, (knee,), (cycles,), (slope,), highest)
    lowest = 1e-3 * knee  # where a power law of so steep a slope does nothing any more
    knees = knee, lowest
    return SNCurve(name, knees, (cycles, cycles * (lowest / knee) ** -second_slope), (slope, second_slope), highest)


def read_curve(text: str) -> SNCurve:
    """Return a curve by words: "eurocode:71", "eurocode:80:shear", "fkm:steel:500e6", "own:KNEE:CYCLES:SLOPE[:SLOPE2]".

    A number behind eurocode is the safety factor γ_Mf, behind the strength of fkm the design factor; stresses in Pa.
    """
    kind, *words = text.split(":")
    try:
        first = {"eurocode": 1, "fkm": 2}.get(kind, len(words))
        shear = words[first : first + 1] == ["shear"]
        factor = [float(word) for word in words[first + shear :]]
        if kind == "eurocode" and words and len(factor) < 2:
            return eurocode(int(words[0]), shear, *factor)
        if kind == "fkm" and len(words) > 1 and len(factor) < 2:
            return fkm(float(words[1]), words[0], factor[0] if factor else 1.0, shear)
        if kind == "own" and len(words) in (3, 4):
            knee, cycles, slope, *second = (float(word) for word in words)
            return own_curve(knee, cycles, slope, second[0] if second else None)
    except ValueError:
        pass
    raise ModelError(
        f"S–N curve '{text}' is unknown; write eurocode:71[:SAFETY], eurocode:80:shear[:SAFETY], "
        "fkm:steel:500e6[:shear][:FACTOR] or own:KNEE:CYCLES:SLOPE[:SLOPE2] with stresses in Pa"
    )
