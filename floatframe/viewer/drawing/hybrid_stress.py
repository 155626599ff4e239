"""Stresses of the flexible bodies of a hybrid system, from their modal coordinates and finite element models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.viewer.drawing.body_models import BodyModel, StressField, kept_stress
from floatframe.viewer.drawing.relative import relative_values

if TYPE_CHECKING:
    from floatframe.arrays import AnyArray
    from floatframe.hybrid import CompiledSystem
    from floatframe.modal import ReducedBody
    from floatframe.viewer.drawing.hybrid_motion import Flexible
    from floatframe.viewer.scene import Harmonic, History, Values

STRESS = "von Mises stress [Pa]"
_PHASES = 12  # of half a period, in which a complex mode is looked at


def stress_fields(system: CompiledSystem, models: Mapping[int, BodyModel]) -> dict[int, StressField]:
    """Return how bodies are coloured, by number: by their finite element models, else by stresses they keep."""
    found: dict[int, StressField] = {}
    for number, body in enumerate(system.model.bodies):
        if body.reduced is None:
            continue
        if number in models:
            found[number] = _of_model(body.reduced, models[number])
        elif body.reduced.stress is not None:
            found[number] = kept_stress(body.reduced)
    _require_fields(system, found)
    return found


def _of_model(body: ReducedBody, model: BodyModel) -> StressField:
    shapes = np.ascontiguousarray(body.shapes.T.reshape(body.nmode, body.nnode, 6))
    return lambda w: model.von_mises(np.tensordot(w[: body.nmode], shapes, axes=1))


def _require_fields(system: CompiledSystem, fields: Mapping[int, StressField]) -> None:
    """Refuse stresses where no body can have any."""
    names = [body.name for body in system.model.bodies if body.reduced is not None]
    if not names:
        raise ModelError(
            f"model '{system.model.name}' has rigid bodies only, which have no stress; leave --stress (stress=) out."
        )
    if not fields:
        which = f"body '{names[0]}' keeps" if len(names) == 1 else f"bodies {', '.join(map(repr, names))} keep"
        raise ModelError(
            f"flexible {which} no stresses; give the finite element model that was reduced (--model FE on the command "
            "line, fe= in Python), or reduce it with them (floatframe reduce --stress all)."
        )


def stressed_run(
    run: History, modal: tuple[Array, ...], flexible: Mapping[int, Flexible], fields: Mapping[int, StressField]
) -> History:
    """Return a run whose bodies are coloured by the stresses of the moment.

    modal (nframe, n or c): modal coordinates, or all drives of stresses, by carrier; what is drawn has second-order
    motion besides, which strains nothing.
    """
    values: list[Values] = [None] * len(run.amplitude)
    for number, body in flexible.items():
        values[number + 1] = fields.get(number) or _unknown(body)
    return replace(run, legend=STRESS, values=tuple(values), modal=modal)


def stressed_mode(
    mode: Harmonic,
    modal: Mapping[int, AnyArray],
    flexible: Mapping[int, Flexible],
    fields: Mapping[int, StressField],
) -> Harmonic:
    """Return a mode coloured by the largest stresses of a period, relative to those of all bodies.

    modal (n,): its modal coordinates by body.
    """

    @cache
    def found() -> dict[int, Array]:
        own = {number: fields.get(number) or _unknown(body) for number, body in flexible.items()}
        return relative_values({number: _over_period(own[number], modal[number]) for number in own})

    values: list[Values] = [None] * len(mode.amplitude)
    for number in flexible:
        values[number + 1] = lambda number=number: found()[number]
    return replace(mode, legend="relative von Mises stress [-]", values=tuple(values))


def _unknown(body: Flexible) -> StressField:
    return lambda w: np.full(body.shapes.shape[1], np.nan)


def _over_period(stress: Callable[[Array], Array], amplitude: AnyArray) -> Array:
    """Return the largest stress (nnode,) while a complex mode goes round; half a period has all of it."""
    turned = 0.0 if np.isrealobj(amplitude) else float(np.abs(amplitude.imag).max(initial=0.0))
    phases = np.arange(_PHASES) * np.pi / _PHASES if turned else np.zeros(1)
    return np.max([stress(np.real(amplitude * np.exp(1j * phase))) for phase in phases], axis=0)
