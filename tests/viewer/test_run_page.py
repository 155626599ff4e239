"""Pages and reports of runs in a real browser: no error, something to see, the time slider moves the machine."""

from __future__ import annotations

import pytest

import floatframe as ff
from tests.viewer.looking import difference, drawn, span
from tests.viewer.test_page import MOVED, SIZE, Opened


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


def test_report_of_a_run_opens(browser, machine_folder, tmp_path):
    path = ff.viewer.report(machine_folder / "run.h5", tmp_path / "report.html", channels=["A.force"])
    page = browser.new_page(viewport=SIZE)
    errors: list[str] = []
    asked: list[str] = []
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    frame = page.frames[1]
    frame.wait_for_function("window.floatframe && floatframe.state.frames > 0", timeout=30000)
    assert page.inner_text("h1") == "crank_and_rod"
    assert "finished at t = 0.5 s" in page.inner_text(".good")
    assert not errors
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:", "about:"))] == []
