"""Pages and reports of runs in a real browser: no error, something to see, the time slider moves the machine."""

from __future__ import annotations

import base64
import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

import floatframe as ff
from tests.viewer.looking import difference, drawn, span
from tests.viewer.opened_page import MOVED, SIZE, Opened


def test_page_of_a_run_plays(browser, machine_folder, tmp_path):
    run = ff.hybrid.Results.open(machine_folder / "run.h5")
    shown = Opened(browser, ff.viewer.page(run, tmp_path / "run.html", trace=["rod.node[11]"]))
    shown.slide("moment", 0.0)
    start = shown.shot()
    assert span(drawn(start), 1) > 0.4
    shown.slide("moment", 1.0)
    assert difference(start, shown.shot()) > MOVED
    assert shown.page.inner_text("#moment-number") == "0.500 s"
    # the slider stands where the last record says
    names = [carrier.name for carrier in ff.viewer.scene_of(run).carriers]
    pose = shown.page.evaluate(f"Array.from(floatframe.viewer.carriers[{names.index('slider')}].pose)")
    assert pose[12:15] == pytest.approx(run["slider.position"][-1], abs=1e-6)  # single precision
    shown.slide("moment", 0.0)
    assert difference(start, shown.shot()) < 1e-6
    assert not shown.errors


def test_channels_are_plotted_beside_a_run(browser, machine_folder, tmp_path):
    run = ff.hybrid.Results.open(machine_folder / "run.h5")
    path = ff.viewer.page(run, tmp_path / "run.html", channels=["A.force", "slider.position"])
    shown = Opened(browser, path)
    first = "floatframe.charts[0]"
    shown.slide("moment", 0.4)
    # the cursor stands at the time shown: 0.2 s of 0.5 s
    place = "(c => (c.mark.getAttribute('x1') - c.area.left) / (c.area.right - c.area.left))"
    assert shown.page.evaluate(f"{place}({first})") == pytest.approx(0.4, abs=1e-3)
    # a curve goes through the numbers of the run
    drawn_y = shown.page.evaluate(f"Array.from({first}.diagram.curves[1].y)")
    assert drawn_y == pytest.approx(run["A.force"][:, 1], rel=1e-6, abs=1e-4)  # single precision
    # a click picks a time, and the machine goes there
    start = shown.shot()
    box = shown.page.locator("#charts svg").first.bounding_box()
    area = shown.page.evaluate(f"{first}.area")
    x = box["x"] + area["left"] + 0.9 * (area["right"] - area["left"])
    shown.page.mouse.click(x, box["y"] + 40)
    shown.run("0")
    assert shown.page.inner_text("#moment-number") == "0.450 s"
    assert difference(start, shown.shot()) > MOVED
    shown.page.uncheck("#plots")
    shown.run("0")
    assert not shown.page.is_visible("#charts")
    assert not shown.errors


def test_page_without_channels_has_no_place_for_them(browser, machine_folder, tmp_path):
    run = ff.hybrid.Results.open(machine_folder / "run.h5")
    shown = Opened(browser, ff.viewer.page(run, tmp_path / "run.html"))
    assert not shown.page.is_visible("#charts")
    assert not shown.page.is_visible("#plots")


def test_page_of_a_model_file_shows_its_modes(browser, machine_folder, tmp_path):
    system = ff.hybrid.read_model(machine_folder / "model.toml").model.compile()
    state = system.initial_state()
    path = ff.viewer.page(system, tmp_path / "model.html", mode=2, state=state, linear=system.linearise(state, n=4))
    shown = Opened(browser, path)
    shown.run("floatframe.go(0)")
    before = shown.shot()
    assert span(drawn(before), 1) > 0.4
    shown.slide("clip", 4)
    assert difference(before, shown.shot()) > MOVED
    assert " mode 4: " in shown.page.inner_text("#title")
    shown.slide("clip", 2)
    assert difference(before, shown.shot()) < 1e-6
    assert not shown.errors


def opened_report(browser, path) -> tuple[Any, list[str]]:
    """Open a report, and return it when its first scene is drawn, with what went wrong or was asked for outside."""
    page = browser.new_page(viewport=SIZE)
    bad: list[str] = []
    page.on("console", lambda said: bad.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: bad.append(str(error)))
    inside = ("file:", "data:", "blob:", "about:")
    page.on("request", lambda request: None if request.url.startswith(inside) else bad.append(request.url))
    page.goto(path.as_uri())
    page.frames[1].wait_for_function("window.floatframe && floatframe.state.frames > 0", timeout=30000)
    return page, bad


def test_report_of_a_run_opens(browser, machine_folder, tmp_path):
    path = ff.viewer.report(machine_folder / "run.h5", tmp_path / "report.html", channels=["A.force"])
    page, bad = opened_report(browser, path)
    assert page.inner_text("h1") == "crank_and_rod"
    assert "finished at t = 0.5 s" in page.inner_text(".good")
    _try_chart(page, machine_folder)
    assert not bad


@pytest.mark.parametrize("name", ["rod.h5", "model.toml"])
def test_reports_of_bodies_and_models_open(browser, machine_folder, tmp_path, name):
    path = ff.viewer.report(machine_folder / name, tmp_path / "report.html", modes=1)
    page, bad = opened_report(browser, path)
    # the scene in the report is drawn, and a mode of it moves
    scene = page.frames[-1]
    scene.wait_for_function("window.floatframe && floatframe.state.frames > 0", timeout=30000)

    def shot(code: str) -> np.ndarray:
        scene.evaluate(code)
        scene.wait_for_function("!floatframe.state.dirty")
        coded = scene.evaluate("canvas.toDataURL('image/png')").partition(",")[2]
        return np.array(Image.open(io.BytesIO(base64.b64decode(coded))).convert("RGB"))

    start = shot("floatframe.go(0)")
    assert span(drawn(start), 1) > 0.4
    assert difference(start, shot("floatframe.go(0.5)")) > MOVED
    assert not bad


def _try_chart(page, machine_folder) -> None:
    """The chart of a report tells values, zooms, and shows frequencies."""
    force = ff.hybrid.Results.open(machine_folder / "run.h5")["A.force"]
    chart = page.locator("[data-charts] .chart").first
    chart.scroll_into_view_if_needed()
    box = chart.locator("svg").bounding_box()
    area = page.evaluate("document.querySelector('[data-charts] .chart').chart.area")

    def at(share: float) -> tuple[float, float]:
        return box["x"] + area["left"] + share * (area["right"] - area["left"]), box["y"] + 50

    page.mouse.move(*at(0.4))
    values = [f"{value:.4g} at 0.2" for value in force[20, :2]]
    assert chart.locator(".chart-readout div").all_inner_texts()[:2] == values
    before = chart.locator("path").first.get_attribute("d")
    page.mouse.move(*at(0.25))
    page.mouse.down()
    page.mouse.move(*at(0.75), steps=3)
    page.mouse.up()
    assert chart.locator("path").first.get_attribute("d") != before
    low, high = page.evaluate("document.querySelector('[data-charts] .chart').chart.range")
    assert (low, high) == pytest.approx((0.125, 0.375), abs=2e-3)  # a pixel is about a thousandth of the axis
    page.mouse.dblclick(*at(0.5))
    assert chart.locator("path").first.get_attribute("d") == before
    page.get_by_role("button", name="over frequency").click()
    assert not chart.is_visible()
    assert page.locator("[data-charts] .chart").nth(1).locator("path").first.is_visible()
