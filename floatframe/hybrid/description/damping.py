"""Damping of the modes of a flexible body, all forms as one generalised matrix.

For modes of unit generalised mass, frequency ω and ratio γ of critical damping the diagonal entry is d = 2 γ ω. Ratios
belong to the modes of the free body, or to those of the body as the joints of the assembled model hold it
(`holding.py`): the same free body, clamped at one end, has lower frequencies and less damping in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError, Where
from floatframe.expressions import Scalar, Scope, Table, kept, kept_list

Support = Literal["free", "assembled"]
_DOUBTFUL = 0.5  # ratio from which per cent may have been meant; steel structures have 0.001 to 0.05


@dataclass(frozen=True)
class Rayleigh:
    """Damping alpha M + beta K: alpha [1/s] goes with the mass, beta [s] with the stiffness."""

    alpha: Scalar = 0.0
    beta: Scalar = 0.0

    def __post_init__(self) -> None:
        for name in ("alpha", "beta"):
            object.__setattr__(self, name, kept(getattr(self, name), Where("Rayleigh damping").key(name), ()))


@dataclass(frozen=True, eq=False)
class ModalDamping:
    """Ratios of critical damping of the modes of a body that is free, or held as the assembled model holds it.

    ratio: one for all modes; one per mode in the order of frequency, the last for all further ones; pairs (frequency
    [Hz], ratio), or a `Table` of them. of="assembled": every joint of the body holds it against a neighbour that stands
    still, in the start pose; driven coordinates are held, springs and other force elements are not.
    """

    ratio: Scalar | Sequence[Any] | Table
    of: Support = "free"

    def __post_init__(self) -> None:
        where = Where("damping")
        if self.of not in get_args(Support):
            raise where.at("of").error(f"found of = {self.of!r}, expected one of {', '.join(get_args(Support))}")
        object.__setattr__(self, "ratio", _kept_ratio(self.ratio, where.key("ratio")))


# nothing, one ratio for all modes, one per mode, Rayleigh, or a table of ratios over the frequency [Hz]
Damping: TypeAlias = Scalar | Sequence[Scalar] | Rayleigh | Table | ModalDamping | None


@dataclass(frozen=True, eq=False)
class Ratios:
    """Ratios of critical damping as numbers: values (k,) in the order of frequency, or a table over [Hz]."""

    values: Array | Table

    def at(self, omega: Array) -> Array:
        """Return the ratios of modes with frequencies omega (n,) [rad/s]."""
        if isinstance(self.values, Table):
            return np.array([self.values.value(frequency) for frequency in omega / (2.0 * np.pi)])
        return np.asarray(self.values[np.minimum(np.arange(omega.size), self.values.size - 1)])


def kept_damping(raw: Any, where: Where) -> Any:
    """Return the damping as the user wrote it, its form checked."""
    if raw is None or isinstance(raw, Rayleigh | Table | ModalDamping):
        return raw
    return kept(raw, where, ()) if np.ndim(raw) == 0 else kept_list(raw, where)


def _kept_ratio(raw: Any, where: Where) -> Any:
    listed = isinstance(raw, list | tuple | np.ndarray)
    if not (listed and any(np.ndim(part) for part in raw)):
        return raw if isinstance(raw, Table) else kept_damping(raw, where)
    try:
        frequency, ratio = np.array([[float(number) for number in pair] for pair in raw]).T
    except (TypeError, ValueError):
        raise where.error(f"found {raw!r}, expected pairs [frequency in Hz, ratio] of numbers") from None
    return Table(frequency, ratio, name="of damping ratios")


def damping_matrix(damping: Any, omega: Array, scope: Scope, where: Where) -> Array:
    """Return the generalised damping (n, n) of modes with unit mass and frequencies omega (n,) [rad/s].

    Nothing for ratios of the body as it is held, which need the assembled model: see `ratios_as_held`.
    """
    if isinstance(damping, Rayleigh):
        alpha = scope.number(damping.alpha, where.key("alpha"))
        beta = scope.number(damping.beta, where.key("beta"))
        return np.diag(
            _not_negative(alpha + beta * omega**2, Where(f"{where}, alpha + beta ω²", where.subject, where.field))
        )
    if damping is None or (isinstance(damping, ModalDamping) and damping.of == "assembled"):
        return np.zeros((omega.size, omega.size))
    given = damping.ratio if isinstance(damping, ModalDamping) else damping
    ratios = _ratios(given, scope, where)
    if isinstance(ratios.values, np.ndarray):
        count = ratios.values.size
        if count > omega.size or (count not in (1, omega.size) and not isinstance(damping, ModalDamping)):
            raise _wrong_count(count, omega.size, where)
    return np.diag(2.0 * ratios.at(omega) * omega)


def ratios_as_held(damping: Any, count: int, scope: Scope, where: Where) -> Ratios | None:
    """Return the ratios of a body of `count` modes as the assembled model holds it, None if they are not meant."""
    if not isinstance(damping, ModalDamping) or damping.of != "assembled":
        return None
    ratios = _ratios(damping.ratio, scope, where)
    if isinstance(ratios.values, np.ndarray) and ratios.values.size > count:
        raise _wrong_count(ratios.values.size, count, where)
    return ratios


def _ratios(raw: Any, scope: Scope, where: Where) -> Ratios:
    """Return the ratios of all modes as numbers, checked."""
    values = raw if isinstance(raw, Table) else np.atleast_1d(scope.array(raw, where))
    numbers = np.asarray(values.y if isinstance(values, Table) else values)
    _not_negative(numbers, where)
    return Ratios(values)


def doubtful_damping(described: Mapping[str, Any], where: Where) -> list[str]:
    """Return what to warn of about a damping that `describe_damping` describes."""
    largest = described.get("largest_ratio", 0.0)
    if largest < _DOUBTFUL:
        return []
    return [f"{where}: found a ratio of {largest:g}, which is {100 * largest:g} % of critical damping; 1 % is 0.01"]


def describe_damping(damping: Any, scope: Scope, where: Where) -> dict[str, Any]:
    """Return what a damping gives, as plain data: ratios of critical damping, or the factors of both matrices."""
    if damping is None:
        return {"kind": "none"}
    if isinstance(damping, Rayleigh):
        alpha, beta = (scope.number(value, where) for value in (damping.alpha, damping.beta))
        return {"kind": "rayleigh", "alpha_per_s": float(alpha), "beta_s": float(beta)}
    modal = damping if isinstance(damping, ModalDamping) else ModalDamping(damping)
    y = np.atleast_1d(modal.ratio.y if isinstance(modal.ratio, Table) else scope.array(modal.ratio, where))
    smallest, largest = float(y.min()), float(y.max())
    return {"kind": "ratio", "smallest_ratio": smallest, "largest_ratio": largest, "modes_of": modal.of}


def _wrong_count(found: int, modes: int, where: Where) -> ModelError:
    return where.error(
        f"found {found} ratios, expected one for each of the {modes} modes "
        "that are left when rigid motions are taken out, or one for all"
    )


def _not_negative(values: Array, where: Where) -> Array:
    if (values < 0).any():
        raise where.error(f"found {values.min():g}, expected zero or more; it would add energy")
    return values
