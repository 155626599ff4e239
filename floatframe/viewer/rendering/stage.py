"""A scene in PyVista: builds it once, then moves its points; the base of pictures, movies and the window."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from floatframe.viewer.rendering.captions import LABEL, Labels, Title
from floatframe.viewer.rendering.colour_bar import ColourBar
from floatframe.viewer.rendering.diagram_panel import BESIDE, DiagramPanel
from floatframe.viewer.scales import scale_of
from floatframe.viewer.scene import Clip, History, Part, Scene

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray

BODY, GHOST, EDGE = "#8fb3d3", "#b9c1ca", "#55606b"
COLOURS = "viridis"
AXES = ("#b3261e", "#2e7d32", "#1f5fb0")  # x, y, z

_LONGEST_NAME = 60  # letters of a title, so that mode and time after it are seen

# where to look from, by the axis along which the scene is longest: across it, from above, and so that no motion along
# an axis is hidden
_VIEWS_FROM = ((0.45, -1.0, 0.6), (1.0, -0.45, 0.6), (0.9, -1.0, 0.4))

# beside the eye and above it
_LIGHTS = (((-0.5, 0.9, 1.0), 0.75), ((0.6, -0.2, 1.0), 0.45))
_LIGHT = {"ambient": 0.42, "diffuse": 0.66, "specular": 0.0}
_EVEN_LIGHT = {"ambient": 0.7, "diffuse": 0.3, "specular": 0.0}  # of what is coloured by numbers: as on the colour bar
_WIDE = 900  # pixels, with room for as many parts of the colour bar
_PARTS, _FEW_PARTS = 4, 2
_PEAK = 0.006  # radius of the mark at the largest number, in units of the scene's size
_FAINT = 1e-6  # of the largest number of a run: less is not marked
_UPRIGHT = 1e-6  # sine of the angle to the vertical below which the eye is right above or below


class Stage:
    """A plotter with a scene on it.

    `choose` takes a clip and its magnification, `move` a moment of it; `image` draws what is there.
    """

    def __init__(
        self,
        scene: Scene,
        size: tuple[int, int],
        off_screen: bool = True,
        quick: bool = False,
        axes_above: float = 0.0,
        words: bool = True,
    ) -> None:
        """Prepare a plotter of a size in pixels; axes_above: share of its height below the arrows of x, y and z.

        words: title, labels, colour bar and those arrows, which nobody can read in a small picture.
        quick: draw twice as large without smoothing, and take the mean of four pixels, for many pictures of one scene:
        a fifth of the time of VTK's own smoothing where the processor draws.
        """
        import pyvista

        scene = scene if words else replace(scene, labels=())
        self.finer, self.words = 2 if quick else 1, words
        size = size[0] * self.finer, size[1] * self.finer
        self.scene, self.size = scene, size
        diagrams = tuple(diagram for clip in scene.clips for diagram in getattr(clip, "diagrams", ()))
        beside: dict[str, Any] = {}
        if diagrams:
            self.size = (round(size[0] * (1.0 - BESIDE)), size[1])
            beside = {"shape": (1, 2), "col_weights": [1.0 - BESIDE, BESIDE], "border": False}
        self.clip: Clip | None = None
        self.scale = 1.0
        self.state = scene.rest
        # its decorated constructor confuses the type checker
        make: Any = pyvista.Plotter
        self.plotter: Any = make(off_screen=off_screen, window_size=list(size), lighting="none", **beside)
        for place, strength in _LIGHTS:
            self.plotter.add_light(pyvista.Light(position=place, light_type="camera light", intensity=strength))
        self.plotter.set_background("white")
        self.plotter.disable_anti_aliasing()
        if quick:
            self.plotter.render_window.SetMultiSamples(0)
        else:
            self.plotter.enable_anti_aliasing("ssaa" if off_screen else "msaa", multi_samples=4, all_renderers=False)
        if words:
            self._show_axes(axes_above)
        self._meshes: list[list[Any]] = []
        self._actors: list[list[Any]] = []
        self._ghosts: list[Any] = []
        font = max(11, self.size[1] // 42)
        self._labels = Labels(
            self.plotter, [*(label.text for label in scene.labels), ""], font
        )  # the last: the largest
        self._peak_ball = self._mark()
        self._bar: ColourBar | None = None
        self._scale = scale_of("", 0.0)
        self._title = Title(self.plotter)
        self.diagrams = DiagramPanel(self.plotter, diagrams, self.finer) if diagrams else None

    def _show_axes(self, above: float) -> None:
        """Show how x, y and z lie, in the corner where neither title nor colour bar is."""
        side = 0.17 * self.size[1]
        corner = (0.0, above, side / self.size[0], above + side / self.size[1])
        colours = dict(zip(("x_color", "y_color", "z_color"), AXES, strict=True))
        self.plotter.add_axes(interactive=False, line_width=2 * self.finer, color=EDGE, viewport=corner, **colours)

    # building

    def choose(self, clip: Clip | None, scale: float = 1.0) -> None:
        """Take a clip (None: the scene at rest), replacing what is drawn."""
        for actors in (*self._actors, self._ghosts):
            for actor in actors:
                self.plotter.remove_actor(actor, render=False)
        if self._bar:
            self._bar.remove()
        self.clip, self.scale, self._bar = clip, scale, None
        self._meshes, self._actors, self._ghosts = [], [], []
        self.state = self.scene.rest if clip is None else self.scene.state(clip, 0.0, scale)
        rest = self.scene.positions(self.scene.rest)
        # colours show deformations as they are, however much they are magnified
        values = None if clip is None else self.scene.values(clip, self.scene.state(clip, 0.0))
        limit = 0.0 if clip is None else self.scene.largest(clip)
        placed = [points.astype(np.float32) for points in self.scene.positions(self.state)]
        for k, (part, points) in enumerate(zip(self.scene.parts, placed, strict=True)):
            colours = values[k] if values is not None and limit and not part.color else None
            self._add(part, points, colours, limit)
            if clip is not None and clip.periodic:
                self._add_ghost(part, rest[k])
        coloured = any("value" in mesh.point_data for meshes in self._meshes for mesh in meshes)
        if self.words and limit and clip is not None and coloured:
            self._add_bar(clip, limit)
        self._limit, self._values = limit, values or []
        self._place_labels(self._values, placed)
        self._write_title(0.0)

    def _add(self, part: Part, points: Array, colours: Array | None, limit: float) -> None:
        import pyvista

        light = _LIGHT if colours is None else _EVEN_LIGHT
        look: dict[str, Any] = {"opacity": part.opacity, "show_scalar_bar": False, **light}
        if colours is None:
            look |= {"color": part.color or BODY}
        else:
            look |= {"scalars": "value", "cmap": COLOURS, "clim": (0.0, limit), "nan_color": BODY}
        edges = self.scene.contours(part)
        ink = {"color": EDGE, "opacity": part.opacity, "line_width": 1.0, "lighting": False}
        drawn: list[tuple[Any, dict[str, Any]]] = []
        if part.faces:
            culling = {"culling": "back"} if part.closed else {}
            drawn.append((pyvista.PolyData(points, faces=cells(part.faces)), {**look, **culling}))
        if len(part.lines):
            width = {"line_width": self.finer * (3 if part.color else 9)}
            drawn.append((pyvista.PolyData(points, lines=cells((part.lines,))), {**look, **width}))
        if len(edges):
            drawn.append((pyvista.PolyData(points, lines=cells((edges,))), ink))
        actors = []
        for mesh, given in drawn:
            # one array of places for all that is drawn of a part
            mesh.SetPoints(drawn[0][0].GetPoints())
            if "scalars" in given:
                mesh["value"] = colours
            actors.append(self.plotter.add_mesh(mesh, render=False, **given))
            # faces step back a little, so that the lines on them are seen
            actors[-1].mapper.SetResolveCoincidentTopologyToPolygonOffset()
            actors[-1].mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(1.0, 1.0)
        self._meshes.append([mesh for mesh, _ in drawn])
        self._actors.append(actors)

    def _add_ghost(self, part: Part, points: Array) -> None:
        """Add the contours of a part at rest."""
        import pyvista

        lines = self.scene.ghost(part)
        if len(lines):
            ghost = pyvista.PolyData(points, lines=cells((lines,)))
            look = {"color": GHOST, "line_width": 2.0 * self.finer, "lighting": False}
            self._ghosts.append(self.plotter.add_mesh(ghost, render=False, **look))

    def _add_bar(self, clip: Clip, limit: float) -> None:
        """Add the colour bar at the bottom, so that nothing collides with the title."""
        import pyvista

        # beyond a share of the points the last colour means "or more"
        share = self.scene.share
        beyond = "" if share == 1.0 else f", up to {100 * share:g} % of the points"
        self._scale = scale_of(clip.legend, limit, _PARTS if self.size[0] >= self.finer * _WIDE else _FEW_PARTS)
        shown = replace(self._scale, name=self._scale.name + beyond)
        self._bar = ColourBar(self.plotter, pyvista.LookupTable(COLOURS).values, shown, self.size, self.finer)

    def _mark(self) -> Any:
        """Return the hidden ball that marks the largest number."""
        import pyvista

        ball = pyvista.Sphere(radius=_PEAK * (self.scene.size or 1.0), theta_resolution=16, phi_resolution=16)
        actor = self.plotter.add_mesh(ball, color=LABEL, render=False, pickable=False, reset_camera=False, **_LIGHT)
        actor.SetVisibility(False)
        return actor

    def _write_title(self, moment: float) -> None:
        if not self.words:
            return
        name = self.scene.title
        said = [name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"]
        if self.clip is not None:
            said.append(self.clip.title)
        if self.clip is not None and not self.clip.periodic:
            said.append(self.clip.caption(moment))
            if self._bar and self.scale != 1.0:
                said.append(f"deformations × {self.scale:g}")
        words = ", ".join(filter(None, said))
        font = max(8, min(self.size[1] // 60, int(1.35 * self.size[0] / max(len(words), 1))))
        self._title.write(words, font)

    def _place_labels(self, values: list[Array], positions: list[Array]) -> None:
        """Put labels at their places, and mark where the largest number is, and say it."""
        peak = self.scene.peak(values) if self._bar else None
        place = np.zeros(3) if peak is None else positions[peak.part][peak.point]
        wanted = peak is not None and peak.value > _FAINT * self._limit
        words = ""
        if peak is not None and wanted and self.clip is not None:
            words = f"max {self._scale.text(peak.value)}" if self.clip.unit else "max"
        self._peak_ball.SetVisibility(wanted)
        self._peak_ball.SetPosition(*map(float, place))
        self._labels.write(-1, words)
        self._labels.place(np.vstack([self.scene.label_positions(self.state), place]))

    # moving

    def move(self, moment: float) -> None:
        """Go to a moment of the clip, 0 to 1."""
        if self.clip is None:
            return
        self.state = self.scene.state(self.clip, moment, self.scale)
        if not self.clip.periodic:
            self._values = self.scene.values(self.clip, self.scene.state(self.clip, moment))
        positions = self.scene.positions(self.state)
        for k, points in enumerate(positions):
            meshes = self._meshes[k]
            if not meshes:
                continue
            meshes[0].points[:] = points
            meshes[0].GetPoints().Modified()
            for mesh in meshes:
                mesh.Modified()
                if not self.clip.periodic and "value" in mesh.point_data:
                    mesh["value"] = self._values[k]
        self._place_labels(self._values, positions)
        if isinstance(self.clip, History):
            self._write_title(moment)
            if self.diagrams is not None:
                self.diagrams.mark(float(self.clip.t[self.clip.frame(moment)]))

    def show_ghost(self, wanted: bool) -> None:
        """Show or hide the undeformed shape."""
        for actor in self._ghosts:
            actor.SetVisibility(wanted)

    def show_part(self, name: str, wanted: bool) -> None:
        """Show or hide the parts of one name."""
        for part, actors in zip(self.scene.parts, self._actors, strict=True):
            if part.name == name:
                for actor in actors:
                    actor.SetVisibility(wanted)

    def aim(self, points: Array | None = None) -> None:
        """Look across the longest side with parallel rays, so near that points (k, 3) fill the frame.

        Without them all that the clip reaches does.
        """
        points = self.scene.extent(self.clip, self.scale) if points is None else points
        position, focus, up, span = view(points, self.size, self.scene.look)
        self.plotter.enable_parallel_projection()
        self.plotter.camera_position = [position, focus, up]
        self.plotter.camera.parallel_scale = span
        self.plotter.reset_camera_clipping_range()
        self.arrange()

    def arrange(self) -> None:
        """Put labels where this view has room for them."""
        self._place_labels(self._values, self.scene.positions(self.state))

    def travelling(self) -> Array | None:
        """Return the points (k, 3) of what moves, where it is now, if it has gone further than it is large."""
        if self.clip is None:
            return None
        begin, now = (
            self.scene.positions(state) for state in (self.scene.state(self.clip, 0.0, self.scale), self.state)
        )
        moving = [(a, b) for a, b in zip(begin, now, strict=True) if not np.array_equal(a, b)]
        if not moving:
            return None
        a, b = (np.concatenate(points) for points in zip(*moving, strict=True))
        gone = np.linalg.norm(b.mean(axis=0) - a.mean(axis=0))
        return b if gone > np.linalg.norm(np.ptp(b, axis=0)) else None

    def carry(self, way: Array) -> None:
        """Take the camera along a way (3,) without turning it."""
        position, focus, up = self.plotter.camera_position
        self.plotter.camera_position = [position + way, focus + way, up]
        self.plotter.reset_camera_clipping_range()
        self.arrange()

    def image(self) -> Array:
        """Return the pixels (height, width, 3) of what is there."""
        from PIL import Image
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

        window, pixels = self.plotter.render_window, vtkUnsignedCharArray()
        window.Render()
        width, height = window.GetSize()
        window.GetPixelData(0, 0, width - 1, height - 1, 0, pixels, 0)
        rows: Array = vtk_to_numpy(pixels).reshape(height, width, 3)[::-1]  # type: ignore[no-untyped-call]
        # a copy, since VTK frees its own
        return rows.copy() if self.finer == 1 else np.asarray(Image.fromarray(rows).reduce(self.finer))

    def close(self) -> None:
        self.plotter.close()


def cells(groups: tuple[IntArray, ...]) -> IntArray:
    """Return polygons as VTK wants them: the number of corners before each."""
    return np.concatenate([np.insert(group, 0, group.shape[1], axis=1).ravel() for group in groups])


def view(
    points: Array, size: tuple[int, int], look: tuple[float, float, float] | None = None
) -> tuple[Array, Array, Array, float]:
    """Return eye, focus, upward direction and half the height of a view in which points (k, 3) fill the frame.

    look: from where to look instead of across the longest side.
    """
    if not len(points):
        points = np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]])
    away = np.array(look or _VIEWS_FROM[int(np.argmax(np.ptp(points, axis=0)))])
    away = away / np.linalg.norm(away)
    right = np.cross((0.0, 0.0, 1.0), away)
    # from right above x points to the right
    right = right / np.linalg.norm(right) if np.linalg.norm(right) > _UPRIGHT else np.array([1.0, 0.0, 0.0])
    up = np.cross(away, right)
    across, upward, deep = points @ right, points @ up, points @ away
    # a twentieth is left free at the sides, more above and below for title and colour bar
    half_width, half_height = np.ptp(across) / 2 / 0.92, np.ptp(upward) / 2 / 0.76
    span = max(half_height, half_width * size[1] / size[0], 1e-9)
    middle = [(side.min() + side.max()) / 2 for side in (across, upward, deep)]
    focus = middle[0] * right + (middle[1] - 0.05 * half_height) * up + middle[2] * away
    distance = np.ptp(deep) + 4 * span
    return focus + distance * away, focus, up, float(span)


Amplitude = float | Literal["auto"]
