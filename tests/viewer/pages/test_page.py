"""Pages open offline in a real browser: no error, something to see, and the controls move it."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

import floatframe as ff
from floatframe.viewer.pages.html import scene_html
from floatframe.viewer.pages.notebook import load_ipython_extension
from floatframe.viewer.pages.report_page import Page
from floatframe.viewer.scene import Carrier, Harmonic, Label, Part, Scene
from tests.viewer.looking import difference, drawn, span
from tests.viewer.moving_scene import crank_and_spring
from tests.viewer.opened_page import MOVED, SIZE, Opened


@pytest.fixture(scope="module")
def opened(chromium, machine, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "scene.html"
    ff.viewer.page(machine, path, modes=ff.modal.eigenmodes(machine, n=4), mode=2)
    shown = Opened(chromium, path)
    yield shown
    shown.page.context.close()


def test_page_shows_the_model_without_errors_and_asks_for_nothing(opened):
    opened.run("floatframe.go(0)")
    ink = drawn(opened.shot())
    # the colour bar stands beside the model, which fills what it leaves
    left = opened.page.evaluate("1 - floatframe.viewer.beside / canvas.clientWidth")
    assert span(ink, 1) > 0.8 * left
    assert ink.mean() > 0.1
    assert not opened.errors
    assert [url for url in opened.asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert opened.page.inner_text("#title").startswith("machine, mode 2: ")


def test_page_shows_the_same_shape_as_the_picture(opened, machine, tmp_path, rendering):
    # both look from the same place: the silhouettes must agree but for edges, marks and their smoothing
    modes = ff.modal.eigenmodes(machine, n=4)
    height = opened.page.locator("#canvas").bounding_box()["height"]
    picture = ff.viewer.picture(machine, tmp_path / "a.png", modes=modes, mode=2, size=(640, round(height)))
    opened.run("floatframe.choose(1); floatframe.go(0)")
    found = opened.shot()[: round(height)]
    assert found.shape[:2] == (round(height), 640)
    ours, theirs = drawn(picture), drawn(found)
    # the same view at another aspect of the frame differs in scale alone
    for axis in (0, 1):
        assert span(theirs, axis) / span(theirs, 1) == pytest.approx(span(ours, axis) / span(ours, 1), rel=0.06)


def test_sliders_move_the_shape(opened):
    opened.run("floatframe.choose(1); floatframe.go(0)")
    before = opened.shot()
    opened.slide("clip", 3)
    other = opened.shot()
    assert difference(before, other) > MOVED
    assert opened.page.inner_text("#title").startswith("machine, mode 3: ")
    opened.slide("clip", 2)
    assert difference(before, opened.shot()) < 1e-6
    opened.slide("amplitude", 2.0)
    assert difference(before, opened.shot()) > MOVED
    opened.slide("amplitude", 1.0)


def test_playing_moves_and_a_period_later_all_is_where_it_was(opened):
    opened.run("floatframe.choose(1); floatframe.go(0)")
    before = opened.shot()
    opened.run("floatframe.go(0.5)")
    assert difference(before, opened.shot()) > MOVED
    opened.run("floatframe.go(1)")
    assert difference(before, opened.shot()) < 1e-6
    opened.page.click("#play")
    count = opened.page.evaluate("floatframe.state.frames")
    opened.page.wait_for_function(f"floatframe.state.frames > {count + 2}")
    opened.page.click("#play")
    assert opened.page.evaluate("floatframe.viewer.moment") != 1


def test_a_number_at_the_colour_bar_that_touches_the_largest_is_left_out(opened):
    ticks = [[0, "0"], [0.5, "15"], [0.99, "29"], [1, "29.2"]]
    opened.run(f"floatframe.viewer.scene.clips[2].ticks = {ticks}; floatframe.choose(2)")
    seen = "[...document.querySelectorAll('#ticks span')].map((tick) => getComputedStyle(tick).visibility)"
    try:
        for width in (640, 300):  # beside the scene, below it
            opened.page.set_viewport_size({"width": width, "height": 480})
            opened.page.wait_for_function(
                f"document.querySelector('#legend').matches('.upright') === {str(width > 400).lower()}"
            )
            assert opened.page.evaluate(seen) == ["visible", "visible", "hidden", "visible"]
    finally:
        opened.page.set_viewport_size(SIZE)


def test_mouse_turns_zooms_and_fit_brings_back(opened):
    opened.run("floatframe.choose(1); floatframe.go(0); floatframe.viewer.fit(); floatframe.state.dirty = true")
    before = opened.shot()
    mouse = opened.page.mouse
    mouse.move(320, 200)
    mouse.down()
    mouse.move(400, 230, steps=3)
    mouse.up()
    opened.run("0")
    turned = opened.shot()
    assert difference(before, turned) > MOVED
    mouse.wheel(0, 400)
    opened.run("0")
    assert drawn(opened.shot()).sum() < 0.7 * drawn(turned).sum()
    opened.page.click("#fit")
    opened.run("0")
    assert difference(before, opened.shot()) < 1e-6


def test_marks_and_the_ghost_can_be_hidden(opened):
    opened.run("floatframe.choose(1); floatframe.go(0)")
    before = opened.shot()
    for name in ("marks", "ghost", "edges"):
        opened.page.uncheck(f"#{name}")
        opened.run("0")
        assert difference(before, opened.shot()) > 1e-5, name
        opened.page.check(f"#{name}")
    opened.run("0")
    assert difference(before, opened.shot()) < 1e-6


def test_the_ghost_is_seen_on_the_page(opened):
    """What the browser shows, not what the canvas holds: a canvas with holes mixes with the white behind it."""

    def grey() -> int:
        image = np.array(Image.open(io.BytesIO(opened.page.screenshot())).convert("RGB")).astype(int)
        stage = image[60:340]  # between title and colour bar
        return int(((np.ptp(stage, axis=2) < 35) & (stage.mean(axis=2) > 130) & (stage.mean(axis=2) < 235)).sum())

    opened.run("floatframe.choose(1); floatframe.go(0)")
    with_ghost = grey()
    opened.page.uncheck("#ghost")
    opened.run("0")
    without = grey()
    opened.page.check("#ghost")
    assert with_ghost > without + 100  # its contours are several hundred pixels long


def test_axes_turn_with_the_view(opened):
    def ends() -> np.ndarray:
        line = "document.querySelector(`#axes .${k} line`)"
        return np.array(opened.run(f"['x', 'y', 'z'].map((k) => ['x2', 'y2'].map((a) => +{line}.getAttribute(a)))"))

    opened.run("floatframe.viewer.fit(); floatframe.go(0)")
    right = np.cross(opened.run("floatframe.viewer.up"), opened.run("floatframe.viewer.away"))
    np.testing.assert_allclose(ends()[:, 0], 28 * right, atol=1e-9)
    before = ends()
    opened.run("(() => { floatframe.viewer.rotate(0.5, 0); floatframe.go(0.01); })()")
    assert np.abs(ends()[0] - before[0]).max() > 5
    # z stands upright however the turntable turns
    np.testing.assert_allclose(ends()[2], before[2], atol=1e-9)
    opened.run("floatframe.viewer.fit(); floatframe.go(0)")


def test_labels_follow_their_nodes(browser, body, tmp_path):
    static = body.kind.index("static") + 3  # a displacement of the first interface node along z
    shown = Opened(browser, ff.viewer.page(body, tmp_path / "body.html", mode=static))
    shown.run("floatframe.go(0)")
    first, second = shown.page.locator("#labels span").all()
    assert (first.inner_text(), second.inner_text()) == ("1 start", "21 end")
    up = first.bounding_box()["y"]
    still = second.bounding_box()["y"]
    shown.run("floatframe.go(0.5)")
    assert abs(first.bounding_box()["y"] - up) > 20
    assert abs(second.bounding_box()["y"] - still) < 1
    assert not shown.errors


def test_runs_and_complex_modes_play(browser, tmp_path):
    shown = Opened(browser, ff.viewer.page(crank_and_spring(), tmp_path / "run.html"))
    assert shown.page.is_visible("#moment")
    shown.slide("moment", 0.0)
    start = shown.shot()
    shown.slide("moment", 0.5)
    assert difference(start, shown.shot()) > MOVED
    assert shown.page.inner_text("#moment-number") == "1.000 s"
    # the deformation of the rod is 0.1 m at its far end at t = 1 s
    assert shown.page.evaluate("Array.from(floatframe.viewer.carriers[2].data.slice(8, 11))") == pytest.approx(
        [0, 0.1, 0], rel=1e-4
    )
    assert not shown.errors


@pytest.mark.parametrize("moment", [0.0, 0.25])
def test_colours_of_a_mode_show_how_far_bodies_swing_at_any_moment(browser, tmp_path, moment):
    # a plate that swings up and down, and one at rest: the last and the first colour, however large it is drawn
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]])
    parts = [
        Part(f"plate {k}", corners + np.array([2.0 * k, 0, 0]), (np.array([[0, 1, 2, 3]]),), carrier=k) for k in (0, 1)
    ]
    change = np.zeros((2, 3, 4), dtype=complex)
    change[0, 2, 3] = 1.0
    mode = Harmonic("mode 1", (np.empty(0), np.empty(0)), 1.0, change)
    scene = Scene(tuple(parts), (Carrier("a"), Carrier("b")), (mode,), look=(0.0, -1.0, 0.0))
    shown = Opened(browser, ff.viewer.page(scene, tmp_path / "plates.html"))
    shown.run(f"floatframe.go({moment})")
    pixels = shown.shot().reshape(-1, 3).astype(int)
    yellow = (pixels[:, 0] > 150) & (pixels[:, 1] > 140) & (pixels[:, 2] < 90)
    purple = (pixels[:, 0] < 90) & (pixels[:, 1] < 30) & (pixels[:, 2] > 40)
    # both plates are of one size; edges and smoothing take some of it
    assert yellow.sum() > 2000
    assert yellow.sum() == pytest.approx(purple.sum(), rel=0.2)
    assert not shown.errors


def test_text_in_names_cannot_become_script(browser, beam, tmp_path):

    wild = replace(beam, name="</script><script>window.bad = 1</script>")
    path = ff.viewer.page(wild, tmp_path / "wild.html", modes=ff.modal.eigenmodes(beam, n=1, fixed=["start"]))
    shown = Opened(browser, path)
    assert shown.page.evaluate("window.bad") is None
    assert "</script>" in shown.page.inner_text("#title")
    assert not shown.errors


def test_marks_of_the_page_in_a_title_are_text(beam):
    title = "@DATA@ @SCRIPT@ @STYLE@"
    assert f"<title>{title}</title>" in scene_html(replace(ff.viewer.scene_of(beam), title=title))


def test_signs_that_are_not_seen_are_text(beam):
    title = "a\u202eb\x1b[31m"
    page = scene_html(replace(ff.viewer.scene_of(beam), title=title))
    assert r"<title>a\u202eb\x1b[31m</title>" in page
    report = Page(title)
    report.section("s").note(title)
    assert report.html().count(r"a\u202eb\x1b[31m") == 3  # title, heading, note
    assert title not in report.html()


def test_positions_that_are_not_finite_are_refused_with_a_sentence(beam):
    label = Label("a", (float("nan"), 0.0, 0.0))
    with pytest.raises(ff.ModelError, match="not finite numbers and cannot be drawn"):
        scene_html(replace(ff.viewer.scene_of(beam), labels=(label,)))


def test_pages_are_self_contained_and_small(body, tmp_path):
    text = ff.viewer.page(body, tmp_path / "a.html").read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=[\"'](?!data:)", text)
    assert len(text) < 100_000
    assert not re.search(r"@[A-Z]+@", text)


def test_large_bodies_take_fewer_modes_along_but_the_wanted_one(body, monkeypatch):
    scene = ff.viewer.scene_of(body)
    from floatframe.viewer.pages import html

    less, first = html._affordable(scene, 9, 4)
    assert [clip.title for clip in less.clips] == [scene.clips[k].title for k in (0, 1, 2, 9)]
    assert first == 3
    state, whole = less.state(less.clips[3], 0.0), scene.state(scene.clips[9], 0.0)
    for a, b in zip(less.positions(state), scene.positions(whole), strict=True):
        np.testing.assert_array_equal(a, b)
    monkeypatch.setattr(html, "_LARGEST", 2 * 6 * body.nnode * 2)
    assert len(html._affordable(scene, 0, None)[0].clips) == 2


def test_notebooks_show_everything(body, beam, machine_folder):
    text = ff.viewer.display(body, mode=2)._repr_html_()
    assert text.startswith("<iframe srcdoc=")
    assert "&lt;canvas" in text
    known: dict[tuple[str, str], Any] = {}

    class Formatter:
        def for_type_by_name(self, module: str, name: str, function: Any) -> None:
            known[module, name] = function

    class Shell:
        class display_formatter:  # noqa: N801  (the name IPython gives it)
            formatters = {"text/html": Formatter()}  # noqa: RUF012

    load_ipython_extension(Shell())
    file = ff.hybrid.read_model(machine_folder / "model.toml")
    system = file.model.compile()
    run = ff.hybrid.Results.open(machine_folder / "run.h5")

    def shown(thing: Any) -> str:
        # as IPython does: the nearest of the classes that is known
        kinds = ((kind.__module__, kind.__name__) for kind in type(thing).__mro__)
        return next(known[kind] for kind in kinds if kind in known)(thing)

    for thing in (beam, body, ff.viewer.scene_of(body), file, file.model, system, run):
        assert "<iframe" in shown(thing), type(thing)
    modes = ff.modal.eigenmodes(beam, n=2, fixed=["start"])
    linear = system.linearise(system.initial_state(), n=3)
    for thing in (modes, ff.io.NodalModes.of(beam, modes), linear):
        table = shown(thing)
        assert f"<td>{thing.frequency[1]:.6g}</td>" in table
        assert table.count("<tr>") == 1 + len(thing.frequency)


def test_page_of_a_model_at_rest_has_no_clips(beam):
    assert "scene.clips" in scene_html(ff.viewer.scene_of(beam))
    scene = ff.viewer.scene_of(beam, modes=ff.modal.eigenmodes(beam, n=1, fixed=["start"]))
    with pytest.raises(ff.ModelError, match="mode 3 does not exist"):
        scene_html(scene, mode=3)


def test_importing_the_package_in_a_notebook_is_enough():
    # a stand-in for IPython; nothing heavy may be loaded by that
    code = """
import sys, types
known = []
formatter = types.SimpleNamespace(for_type_by_name=lambda module, name, function: known.append(name))
shell = types.SimpleNamespace(display_formatter=types.SimpleNamespace(formatters={"text/html": formatter}))
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: shell)
import floatframe
drawn = ["FEModel", "Model", "ModelFile", "ReducedBody", "Results", "Scene", "System"]
assert sorted(known) == sorted([*drawn, "Linear", "Modes", "NodalModes"]), known
assert not {"numpy", "pyvista", "scipy"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
