"""Words in a picture: a title, and boxed labels that stay beside their places in space without covering each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.wording import printable

if TYPE_CHECKING:
    from floatframe.arrays import Array

LABEL, TITLE = "#8c1524", "#202428"
_APART = 0.45  # between a place and its words, in heights of these
_EDGE = "#c9ced4"


class Labels:
    """Boxed words beside places (n, 3) of a plotter's scene; an empty text shows nothing."""

    def __init__(self, plotter: Any, texts: Sequence[str], font: int) -> None:
        self._renderer = plotter.renderer
        self._actors = [_boxed(text, font) for text in texts]
        for actor, _ in self._actors:
            self._renderer.AddViewProp(actor)

    def write(self, number: int, text: str) -> None:
        """Change the words of one label."""
        actor, _ = self._actors[number]
        actor.SetVisibility(bool(text))
        actor.SetInput(plain(text))

    def place(self, points: Array) -> None:
        """Put the labels beside places (n, 3), each where it covers the others least."""
        taken: list[tuple[float, float, float, float]] = []
        width, height = self._renderer.GetSize()
        for (actor, place), point in zip(self._actors, points, strict=True):
            place.SetValue(*map(float, point))
            if not actor.GetVisibility():
                continue
            x, y = place.GetComputedViewportValue(self._renderer)
            size = [0.0, 0.0]
            actor.GetSize(self._renderer, size)
            w, h = size
            apart = _APART * h
            sides = (apart, -apart - w), (apart, -apart - h, apart + 1.4 * h, -apart - 2.4 * h)
            boxes = [(dx, dy, x + dx, y + dy) for dy, dx in product(sides[1], sides[0])]
            dx, dy, left, low = min(
                boxes, key=lambda box: _covered((*box[2:], box[2] + w, box[3] + h), taken, width, height)
            )
            actor.GetPositionCoordinate().SetValue(dx, dy)
            taken.append((left, low, left + w, low + h))


def _boxed(text: str, font: int) -> tuple[Any, Any]:
    """Return words in a light box, and the place in space beside which they are."""
    from vtkmodules.vtkRenderingCore import vtkCoordinate, vtkTextActor

    actor, place = vtkTextActor(), vtkCoordinate()
    actor.SetInput(plain(text))
    actor.SetVisibility(bool(text))
    look = actor.GetTextProperty()
    look.SetFontSize(font)
    look.SetColor(rgb(LABEL))
    look.SetBackgroundColor(1.0, 1.0, 1.0)
    look.SetBackgroundOpacity(0.82)
    look.FrameOn()
    look.SetFrameColor(rgb(_EDGE))
    place.SetCoordinateSystemToWorld()
    actor.GetPositionCoordinate().SetCoordinateSystemToViewport()
    actor.GetPositionCoordinate().SetReferenceCoordinate(place)
    return actor, place


def _covered(
    box: tuple[float, ...], taken: list[tuple[float, float, float, float]], width: float, height: float
) -> float:
    """Return how much of a box (left, low, right, high) lies on others or outside the picture."""
    left, low, right, high = box
    inside = max(0.0, min(right, width) - max(left, 0.0)) * max(0.0, min(high, height) - max(low, 0.0))
    lost = 4.0 * ((right - left) * (high - low) - inside)
    for a, b, c, d in taken:
        lost += max(0.0, min(right, c) - max(left, a)) * max(0.0, min(high, d) - max(low, b))
    return lost


class Title:
    """The line above a picture; only its words change from frame to frame."""

    def __init__(self, plotter: Any) -> None:
        self._actor = plotter.add_text(
            " ", position=(0.02, 0.94), viewport=True, font_size=10, color=TITLE, render=False
        )
        self._words = ""

    def write(self, words: str, font: int) -> None:
        """Show words in a font of so many points."""
        if words != self._words:
            self._words = words
            self._actor.SetInput(plain(words) or " ")
            self._actor.prop.font_size = 2 * font  # as pyvista draws text in viewports


def plain(text: str) -> str:
    """A text that is drawn as it stands: VTK takes what is between dollars for a formula."""
    return printable(text).replace("$", r"\$")


def rgb(color: str) -> tuple[float, ...]:
    """Return "#rrggbb" as three numbers from 0 to 1."""
    return tuple(float(x) for x in np.frombuffer(bytes.fromhex(color[1:]), np.uint8) / 255.0)
