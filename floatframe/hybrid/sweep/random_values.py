"""Random values of parameters: distributions written as "normal(1000, 50)", and samples that a seed repeats.

Every parameter has a stream of its own, made of the seed and its name: samples depend neither on the other parameters
nor on who computes them, and the first samples stay the same when more are asked for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.wording import did_you_mean

MOST_SAMPLES = 1_000_000
_TEXT = re.compile(r"\s*([A-Za-z]+)\s*\(([^)]*)(.*)", re.DOTALL)


def _uniform(u: Array, low: float, high: float) -> Array:
    return low + (high - low) * u


def _normal(u: Array, mean: float, deviation: float) -> Array:
    from scipy.special import ndtri

    return np.asarray(mean + deviation * ndtri(u))


def _lognormal(u: Array, mean: float, deviation: float) -> Array:
    spread = math.log1p((deviation / mean) ** 2)  # variance of the logarithm
    return np.exp(_normal(u, math.log(mean) - spread / 2.0, math.sqrt(spread)))


def _triangular(u: Array, low: float, peak: float, high: float) -> Array:
    below = (peak - low) / (high - low)
    rising = low + np.sqrt(u * (high - low) * (peak - low))
    return np.where(u < below, rising, high - np.sqrt((1.0 - u) * (high - low) * (high - peak)))


@dataclass(frozen=True)
class _Kind:
    """A kind of distribution: its numbers, what they must be, and the value below which a share u (n,) of all lies."""

    numbers: str
    sound: Callable[..., bool]
    condition: str
    quantile: Callable[..., Array]


KINDS = {
    "uniform": _Kind("low, high", lambda low, high: low < high, "low < high", _uniform),
    "normal": _Kind("mean, standard deviation", lambda _, s: s > 0, "a positive standard deviation", _normal),
    "lognormal": _Kind(
        "mean, standard deviation", lambda m, s: m > 0 and s > 0, "a positive mean and standard deviation", _lognormal
    ),
    "triangular": _Kind(
        "low, peak, high", lambda a, b, c: a <= b <= c and a < c, "low <= peak <= high and low < high", _triangular
    ),
}


@dataclass(frozen=True)
class Distribution:
    """How a parameter is distributed.

    uniform(low, high), triangular(low, peak, high), normal and lognormal(mean, standard deviation) of the parameter
    itself, not of its logarithm.
    """

    kind: str
    numbers: tuple[float, ...]

    def __str__(self) -> str:
        return f"{self.kind}({', '.join(repr(number).removesuffix('.0') for number in self.numbers)})"

    def draw(self, name: str, seed: int, count: int) -> Array:
        """Return the first samples (count,) of the parameter of this name."""
        stream = np.random.PCG64(np.random.SeedSequence([seed, *name.encode()]))
        # 53 random bits each, between zero and one but never at them
        u = (np.asarray(stream.random_raw(count), dtype=np.uint64) >> np.uint64(11)) * 2.0**-53 + 2.0**-54
        return np.asarray(KINDS[self.kind].quantile(u, *self.numbers))


def distribution(name: str, text: str) -> Distribution | None:
    """Return the distribution of a parameter that a text such as "normal(1000, 50)" names; None if it names values."""
    match = _TEXT.fullmatch(text)
    if match is None:
        return None
    word, inside, closed = match.groups()
    if word not in KINDS:
        raise ModelError(f"'{name}': distribution '{word}' does not exist{did_you_mean(word, KINDS)}")
    kind = KINDS[word]
    if closed.strip() != ")":
        raise ModelError(f"'{name}': found '{text.strip()}', expected {word}({kind.numbers}) with one ')' at its end")
    try:
        numbers = tuple(float(part) for part in inside.split(","))
    except ValueError:
        numbers = ()
    if len(numbers) != len(kind.numbers.split(",")) or not all(map(math.isfinite, numbers)):
        raise ModelError(f"'{name}': found '{text.strip()}', expected the numbers {word}({kind.numbers})")
    if not kind.sound(*numbers):
        raise ModelError(f"'{name}': found '{text.strip()}', expected {kind.condition}")
    return Distribution(word, numbers)


@dataclass(frozen=True)
class Samples:
    """How many samples random parameters have, and the seed that decides which."""

    count: int
    seed: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST_SAMPLES:
            raise ModelError(f"sweep: samples is {self.count}, expected 1 to {MOST_SAMPLES}")
        if self.seed < 0:
            raise ModelError(f"sweep: seed is {self.seed}, expected 0 or more")

    def of(self, found: Mapping[str, Distribution]) -> dict[str, Array]:
        """Return the samples of all random parameters, by name."""
        if not found:
            words = f"sweep: {self.count} samples of nothing; give a parameter a distribution such as normal(1000, 50)"
            raise ModelError(words)
        return {name: one.draw(name, self.seed, self.count) for name, one in found.items()}
