"""The colour bar of a picture: its name above, round numbers below, nothing over anything else at any size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from floatframe.viewer.rendering.captions import TITLE, plain, rgb

if TYPE_CHECKING:
    from floatframe.viewer.scales import Scale

_LEFT, _WIDTH = 0.32, 0.36  # of the picture's width: beside the axes in the corner
_COLOURS = 256
_TICK = 4  # pixels of the line at a number


class ColourBar:
    """A flat bar at the bottom of a plotter's scene of a size in pixels, drawn `finer` times as large."""

    def __init__(self, plotter: Any, colours: Any, scale: Scale, size: tuple[int, int], finer: int) -> None:
        self._renderer = plotter.renderer
        self._width, self._height = size
        letter = max(11 * finer, self._height // 46)  # pixels
        low = 0.6 * letter + 1.3 * letter + _TICK * finer
        high = low + max(9 * finer, 0.9 * letter)
        middle = _LEFT + _WIDTH / 2
        self._actors = [
            self._strip(colours, low, high),
            self._words(scale.name, middle, high + 0.35 * letter, letter + finer, "bottom"),
        ]
        for share, text in scale.ticks:
            x = _LEFT + share * _WIDTH
            self._actors.append(self._line(x, low - _TICK * finer, low, finer))
            self._actors.append(self._words(text, x, low - (_TICK + 1) * finer, letter, "top"))
        for actor in self._actors:
            self._renderer.AddViewProp(actor)

    def remove(self) -> None:
        """Take the bar away."""
        for actor in self._actors:
            self._renderer.RemoveViewProp(actor)

    def _strip(self, colours: Any, low: float, high: float) -> Any:
        """Return a row of quads between two heights in pixels, in colours (256, 4) from 0 to 255."""
        import numpy as np
        import pyvista

        x = np.repeat(np.linspace(_LEFT, _LEFT + _WIDTH, _COLOURS + 1), 2)
        y = np.tile([low / self._height, high / self._height], _COLOURS + 1)
        first = 2 * np.arange(_COLOURS)[:, None]
        faces = np.hstack([np.full_like(first, 4), first, first + 2, first + 3, first + 1])
        strip: Any = pyvista.PolyData(np.column_stack([x, y, 0.0 * x]), faces=faces.ravel())
        strip.cell_data.set_scalars(np.asarray(colours, dtype=np.uint8), "colour")
        return _flat(strip)

    def _line(self, x: float, low: float, high: float, width: int) -> Any:
        import pyvista

        ends = [[x, low / self._height, 0.0], [x, high / self._height, 0.0]]
        actor = _flat(pyvista.PolyData(ends, lines=[2, 0, 1]))
        actor.GetProperty().SetColor(rgb(TITLE))
        actor.GetProperty().SetLineWidth(width)
        return actor

    def _words(self, text: str, x: float, y: float, letter: int, at: str) -> Any:
        """Return words whose top or bottom is at a height in pixels, centred at a share of the width."""
        from vtkmodules.vtkRenderingCore import vtkTextActor

        actor = vtkTextActor()
        actor.SetInput(plain(text))
        look = actor.GetTextProperty()
        look.SetFontSize(letter)
        look.SetColor(rgb(TITLE))
        look.SetJustificationToCentered()
        if at == "top":
            look.SetVerticalJustificationToTop()
        else:
            look.SetVerticalJustificationToBottom()
        actor.GetPositionCoordinate().SetCoordinateSystemToNormalizedViewport()
        actor.SetPosition(x, y / self._height)
        return actor


def _flat(mesh: Any) -> Any:
    """Return an actor that draws a mesh on the picture, its points in shares of width and height."""
    from vtkmodules.vtkRenderingCore import vtkActor2D, vtkCoordinate, vtkPolyDataMapper2D

    place, mapper, actor = vtkCoordinate(), vtkPolyDataMapper2D(), vtkActor2D()
    place.SetCoordinateSystemToNormalizedViewport()
    mapper.SetInputData(mesh)
    mapper.SetTransformCoordinate(place)
    actor.SetMapper(mapper)
    return actor
