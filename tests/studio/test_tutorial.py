"""The whole way by clicks: a deck, its interface, a body, a machine, its motion, plots, a report."""

from __future__ import annotations

import base64
import os
import re
import shlex
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run
from floatframe.samples.beam import build
from tests.studio.conftest import Tab, served

OWN = ("created", "sha256", "sums", "journal", "checkpoint")  # moments, and sums over them


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def drop(tab: Tab, path: Path) -> None:
    """Drop a file on the page."""
    coded = base64.b64encode(path.read_bytes()).decode()
    tab.page.evaluate(
        """([name, coded]) => {
            const bytes = Uint8Array.from(atob(coded), (c) => c.charCodeAt(0)), data = new DataTransfer();
            data.items.add(new File([bytes], name));
            document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true, bubbles: true }));
        }""",
        [path.name, coded],
    )
    tab.wait(f"state('files').some((f) => f.name === '{path.name}')")


def content(path: Path) -> dict[str, Any]:
    """Return what is in an HDF5 file, without the moments at which it was written."""
    found: dict[str, Any] = {}

    def visit(name: str, thing: Any) -> None:
        if any(part in OWN for part in name.split("/")):
            return
        found.update({f"{name}@{key}": value for key, value in thing.attrs.items() if key not in OWN})
        if isinstance(thing, h5py.Dataset):
            found[name] = thing[()]
            if thing.dtype.kind == "S":  # how long a part of the reduction took
                found[name] = [re.sub(rb" in [0-9.]+ s", b"", text) for text in np.ravel(found[name])]

    with h5py.File(path) as file:
        file.visititems(visit)
    return found


def test_from_a_deck_to_a_report(browser, folder, tmp_path):
    ff.io.write(tmp_path / "rod.inp", build(n=8))
    said: list[str] = []
    with served(folder) as (_, address):
        tab = Tab(browser, address)
        # a sample, and a deck that is dropped in
        tab.page.wait_for_selector("[data-do=copy_sample]")
        tab.fill("sample_folder", "machine")
        tab.wait("state('sample_folder') === 'machine'")
        tab.click("do=copy_sample")
        tab.wait("state('files').some((f) => f.name === 'machine/flexible.toml') && !state('job')")
        said.append(tab.state("command"))
        drop(tab, tmp_path / "rod.inp")
        # the deck, and both of its ends picked in the view
        tab.click("open=rod.inp")
        tab.view("fe")
        for x in (0.0, 2.0):
            before = len(tab.state("fe_picked"))
            tab.click_in("fe", (x, 0.0, 0.0))
            tab.wait(f"state('fe_picked').length === {before + 1}")
        assert [one["node"] for one in tab.state("fe_picked")] == [1, 9]
        tab.click("do=fe_reduce")
        # the body
        tab.wait("state('page') === 'reduce' && state('reduce_interface') === '1,9'")
        tab.fill("reduce_n", "4")
        tab.fill("reduce_output", "machine/rod.h5")
        tab.click("do=reduce")
        tab.wait("state('body_modes').length > 0")
        tab.view("reduce")
        said.append(tab.state("command"))
        # the machine gets this body, its other end, and another torque
        tab.click("go=project")
        tab.click("open=machine/flexible.toml")
        tab.view("machine") if tab.state("machine_view") else tab.wait("state('machine_mistakes').length > 0")
        tab.click("thing=rod")
        enter(tab, "file", "rod.h5")
        enter(tab, "stiffening", None)
        tab.click("thing=C")
        enter(tab, "place", '{ body = "rod", node = 9 }')
        tab.wait("state('machine_mistakes').length === 0")
        tab.view("machine")
        tab.click("do=machine_save")
        tab.wait("!state('machine_changed')")
        text = (folder / "machine" / "flexible.toml").read_text(encoding="utf-8")
        assert 'place = { body = "rod", node = 9 }' in text
        assert "torque = 100.0  # N m" in text  # comments stay
        # the run, seen while it is computed
        tab.click("do=machine_analyse")
        tab.wait("state('page') === 'analyse'")
        tab.fill("analyse_t_end", "0.2")
        tab.fill("analyse_output", "machine/run.h5")
        tab.click("do=simulate")
        tab.wait("state('analyse_status')")
        said.append(tab.state("command"))
        live = tab.view("analyse")
        live.wait_for_function("floatframe.viewer.history.t.at(-1) > 0.199")
        assert tab.state("analyse_plot")["data"]
        # plots that stand at the moment of the animation, and a report
        tab.click("do=see_results")
        shown = tab.view("results")
        tab.fill("results_search", "acceleration crank")
        first = "document.querySelector('[data-channel]').dataset.channel"
        tab.page.wait_for_function(f"{first} === 'crank.angular_acceleration'")
        tab.wait("!state('working')")
        tab.click("channel=crank.angular_acceleration")
        tab.wait("state('results_shown').includes('crank.angular_acceleration')")
        tab.page.evaluate("studio.goTo(0.1)")
        shown.wait_for_function("Math.abs(floatframe.viewer.time - 0.1) < 1e-3")
        tab.page.wait_for_function(
            "(() => { const m = document.querySelector('[data-plot=\"0\"] .moment');"
            " return m && Math.abs(m.dataset.time - 0.1) < 1e-3; })()"
        )
        # a spectrum has no moment
        for display in ("none", "block"):
            tab.page.click("[data-results-frequency]")
            tab.page.wait_for_function(
                f"getComputedStyle(document.querySelector('[data-plot=\"0\"] .moment')).display === '{display}'"
            )
        tab.click("do=export_report")
        tab.wait("state('files').some((f) => f.name === 'machine/run.html') && !state('job')")
        said.append(tab.state("command"))
        # a reload and a second tab show the same work
        tab.page.reload()
        tab.page.wait_for_selector('iframe[data-view="results"]')
        other = Tab(browser, address)
        assert other.state("page") == "results"
        assert other.state("results_shown") == tab.state("results_shown")
        other.click("go=analyse")
        tab.wait("state('page') === 'analyse'")
        assert (tab.errors, tab.outside, other.errors, other.outside) == ([], [], [], [])
    compare(folder, tmp_path / "by-commands", said)


def enter(tab: Tab, key: str, words: str | None) -> None:
    """Enter a value into the form of the machine; None takes it out."""
    entry = tab.page.locator(f'[data-key="{key}"]:visible')
    if words is None:
        entry.locator(".v-field__clearable i").click(force=True)
        tab.wait(f"!state('machine_fields').find((f) => f.key === '{key}').given")
        return
    field = entry.locator("input").first
    field.fill(words)
    field.press("Tab")
    tab.wait(f"state('machine_fields').find((f) => f.key === '{key}').given && !state('working')")


def compare(folder: Path, other: Path, said: list[str]) -> None:
    """Run what Studio said in another folder: the files have the same content."""
    other.mkdir()
    (other / "rod.inp").write_bytes((folder / "rod.inp").read_bytes())
    here = os.getcwd()
    try:
        os.chdir(other)
        for k, command in enumerate(said):
            assert run(shlex.split(command)[1:]) == 0, command
            if k == 0:
                edited = (folder / "machine" / "flexible.toml").read_bytes()
                (other / "machine" / "flexible.toml").write_bytes(edited)
    finally:
        os.chdir(here)
    for name in ("machine/rod.h5", "machine/run.h5"):
        mine, theirs = content(folder / name), content(other / name)
        assert mine.keys() == theirs.keys()
        for key, value in mine.items():
            np.testing.assert_array_equal(value, theirs[key], err_msg=f"{name}: {key}")
    assert (folder / "machine/run.html").stat().st_size > 10_000
