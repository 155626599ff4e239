"""From models and results to scenes: one function for everything that can be seen (see `makers`)."""

from __future__ import annotations

from typing import Any

from floatframe.viewer.drawing.makers import scene_maker
from floatframe.viewer.scene import Scene


def scene_of(thing: Any, **options: Any) -> Scene:
    """Return the scene of a model, a body or anything else that can be drawn.

    Options of a finite element model: modes (`Modes` of it or `NodalModes`), displacement (nnode, 3 or 6) for one
    static shape, stress=True for colours by von Mises stress, sections=False for beams as lines, thick_shells=True. Of
    a reduced body: fe, the model it was made from, whose sections, masses and couplings are drawn then, and with it,
    or if it keeps stresses, stress=True; thick_shells; values (node numbers and a number at each) with a legend, to
    colour it by. Of a hybrid model: state, linear (modes of that state), labels. Of a run: system or model (a model
    file) if it does not know its own, trace (points whose paths are drawn), channels (plotted beside it). Of both: fe,
    one or more finite element models of flexible bodies, and with them, or with stresses that bodies keep,
    stress=True; thick_shells. A scene stays as it is.
    """
    if _is_hybrid(thing):
        # it brings makers of its own, and compiled kernels that take a moment to load
        import floatframe.viewer.drawing.hybrid  # noqa: F401
    return scene_maker(thing, **options)


def _is_hybrid(thing: Any) -> bool:
    return any(kind.__module__.startswith("floatframe.hybrid.") for kind in type(thing).__mro__)
