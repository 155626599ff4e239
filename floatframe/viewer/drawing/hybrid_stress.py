"""Stresses of the flexible bodies of a hybrid system, from their modal coordinates and finite element models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from floatframe.errors import ModelError
from floatframe.viewer.drawing.body_models import BodyModel
from floatframe.viewer.drawing.relative import relative_values

if TYPE_CHECKING:
    from floatframe.arrays import AnyArray, Array
    from floatframe.hybrid import CompiledSystem
    from floatframe.viewer.drawing.hybrid_motion import Flexible
    from floatframe.viewer.scene import Harmonic, History, Values

STRESS = "von Mises stress [Pa]"
_PHASES = 12  # of half a period, in which a complex mode is looked at


def require_models(system: CompiledSystem, models: Mapping[int, BodyModel]) -> None:
    """Refuse stresses where no body can have any."""
    names = [body.name for body in system.model.bodies if body.reduced is not None]
    if not names:
        raise ModelError(
            f"model '{system.model.name}' has rigid bodies only, which have no stress; leave --stress (stress=) out."
        )
    if not models:
        which = f"body '{names[0]}' keeps" if len(names) == 1 else f"bodies {', '.join(map(repr, names))} keep"
        raise ModelError(
            f"flexible {which} no stresses; give the finite element model that was reduced (--model FE on the command "
            "line, fe= in Python)."
        )


def stressed_run(
    run: History, modal: tuple[Array, ...], flexible: Mapping[int, Flexible], models: Mapping[int, BodyModel]
) -> History:
    """Return a run whose bodies are coloured by the stresses of the moment.

    modal (nframe, n): modal coordinates by carrier; what is drawn has second-order motion besides, which strains
    nothing.
    """
    values: list[Values] = [None] * len(run.amplitude)
    for number, body in flexible.items():
        values[number + 1] = _of_amplitude(body, models.get(number))
    return replace(run, legend=STRESS, values=tuple(values), modal=modal)


def stressed_mode(
    mode: Harmonic,
    modal: Mapping[int, AnyArray],
    flexible: Mapping[int, Flexible],
    models: Mapping[int, BodyModel],
) -> Harmonic:
    """Return a mode coloured by the largest stresses of a period, relative to those of all bodies.

    modal (n,): its modal coordinates by body.
    """

    @cache
    def found() -> dict[int, Array]:
        own = {number: _of_amplitude(body, models.get(number)) for number, body in flexible.items()}
        return relative_values({number: _over_period(own[number], modal[number]) for number in own})

    values: list[Values] = [None] * len(mode.amplitude)
    for number in flexible:
        values[number + 1] = lambda number=number: found()[number]
    return replace(mode, legend="relative von Mises stress", values=tuple(values))


def _of_amplitude(body: Flexible, model: BodyModel | None) -> Callable[[Array], Array]:
    """Return the function from modal coordinates (n,) to stresses (nnode,) [Pa]; NaN without a model."""
    if model is None:
        return lambda w: np.full(body.shapes.shape[1], np.nan)
    return lambda w: model.von_mises(np.tensordot(w, body.shapes, axes=1))


def _over_period(stress: Callable[[Array], Array], amplitude: AnyArray) -> Array:
    """Return the largest stress (nnode,) while a complex mode goes round; half a period has all of it."""
    turned = 0.0 if np.isrealobj(amplitude) else float(np.abs(amplitude.imag).max(initial=0.0))
    phases = np.arange(_PHASES) * np.pi / _PHASES if turned else np.zeros(1)
    return np.max([stress(np.real(amplitude * np.exp(1j * phase))) for phase in phases], axis=0)
