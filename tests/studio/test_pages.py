"""Pages by clicks that the tutorial does not have: responses, sweeps, stresses, networks; one server for all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import floatframe as ff
from floatframe.samples.beam import build
from tests.studio.conftest import Tab, served
from tests.studio.filter_network import FILTER

SAMPLES = Path(__file__).parents[2] / "samples" / "slider_crank"
STRESSED = ("rod.acceleration", "rod.angular_acceleration", "rod.modal_acceleration", "C.force")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A machine, a network, and a short run of a body that keeps its stresses."""
    folder = tmp_path_factory.mktemp("pages")
    shutil.copy(SAMPLES / "rigid.toml", folder / "rigid.toml")
    (folder / "filter.toml").write_text(FILTER, encoding="utf-8")
    fe = build(n=8)
    ff.io.write(folder / "rod.h5", ff.modal.with_stress(ff.modal.reduce(fe, interface=[1, 9], n_modes=2), fe))
    text = (SAMPLES / "flexible.toml").read_text(encoding="utf-8")
    text = text.replace("input.fum", "rod.h5").replace("node = 201", "node = 9")
    (folder / "flexible.toml").write_text(text, encoding="utf-8")
    file = ff.hybrid.read_model(folder / "flexible.toml")
    record = ff.hybrid.Record(every=2e-3, channels=STRESSED)
    settings = {**file.simulate, "t_end": 0.02}
    file.model.compile().simulate(record=record, path=folder / "stressed.h5", **settings)
    return folder


@pytest.fixture(scope="module")
def tab(chromium: Any, folder: Path) -> Iterator[Tab]:
    with served(folder) as (_, address):
        tab = Tab(chromium, address)
        tab.page.wait_for_selector("[data-files]")
        yield tab
        tab.page.context.close()
        assert (tab.errors, tab.outside) == ([], [])


def choose(tab: Tab, field: str, *words: str) -> None:
    """Type into a field of several things."""
    entry = tab.page.locator(f'[data-field="{field}"]:visible input').first
    for word in words:
        entry.fill(word)
        entry.press("Enter")
        tab.wait(f"state('{field}').includes('{word}')")
    entry.press("Escape")


def test_the_text_of_a_machine_is_shown_and_taken(tab):
    tab.click("go=project")
    tab.click("open=rigid.toml")
    tab.view("machine")
    tab.click("tab=text")
    source = tab.page.locator("[data-source] textarea:visible").first
    text = source.input_value()
    assert text.startswith("#")
    assert "torque = 100.0  # N m" in text
    source.fill(text.replace("torque = 100.0", "torque = 90.0"))
    tab.click("do=machine_take")
    tab.wait("state('machine_parameters').find((p) => p.name === 'torque').value === '90.0'")
    # what the user turned stays turned when an edit draws the machine again
    tab.page.get_by_role("tab", name="Properties").click()
    view, shown = tab.view("machine"), tab.state("machine_view")
    view.evaluate("floatframe.viewer.rotate(0.5, 0); canvas.dispatchEvent(new Event('pointerup'))")
    away = view.evaluate("floatframe.viewer.away")
    tab.click("do=machine_undo")
    tab.wait(f"!state('machine_changed') && state('machine_view') !== '{shown}'")
    assert tab.view("machine").evaluate("floatframe.viewer.away") == away


def test_a_response_is_drawn_and_written(tab, folder):
    tab.click("go=project")
    tab.click("open=rigid.toml")
    tab.wait("state('machine_file') === 'rigid.toml' && !state('working')")
    tab.click("do=machine_analyse")
    tab.click("tab=response")
    tab.wait("state('response_known').includes('drive')")
    choose(tab, "response_inputs", "drive")
    choose(tab, "response_outputs", "slider.acceleration.x")
    tab.page.evaluate("trame.state.set('response_at', 'start')")
    tab.click("do=response_run")
    tab.wait("state('response_size').data.length === 1 && state('response_phase').data.length === 1")
    tab.page.wait_for_selector('[data-chart="response_size"] .scatterlayer path.js-line')
    assert "--input drive --output slider.acceleration.x" in tab.state("command")
    tab.click("do=response_csv")
    tab.wait("state('files').some((f) => f.name === 'rigid-response.csv') && !state('job')")


def test_a_sweep_is_computed_shown_as_a_map_and_opened_again(tab, folder):
    tab.click("go=sweep")
    tab.wait("state('sweep_known').includes('torque') && !state('working')")
    for name, low, high in (("torque", "60", "80"), ("drag", "8", "10")):
        tab.page.evaluate("name => trame.state.set('sweep_parameter', name)", name)
        tab.fill("sweep_from", low)
        tab.fill("sweep_to", high)
        tab.fill("sweep_steps", "2")
        tab.wait(f"state('sweep_to') === '{high}' && state('sweep_steps') === '2'")
        tab.click("do=sweep_add")
        tab.wait(f"state('sweep_vary').some((one) => one.startsWith('{name}='))")
    tab.fill("sweep_t_end", "0.02")
    tab.click("do=sweep")
    tab.wait("state('sweep_rows').length === 4 && !state('sweep_running')")
    assert tab.state("sweep_chart")["data"][0]["type"] == "heatmap"
    tab.page.wait_for_selector("[data-map] .heatmaplayer image")
    assert "--vary torque=60,80 --vary drag=8,10" in tab.state("command")
    found = ff.io.read(folder / "rigid-sweep.h5")
    assert found.nfailed == found.nwaiting == 0
    assert not tab.state("sweep_resumable")
    tab.click("go=project")
    tab.click("open=rigid-sweep.h5")
    tab.wait("state('page') === 'sweep' && state('sweep_file') === 'rigid-sweep.h5'")


def test_stresses_colour_the_machine_that_moves(tab, folder):
    tab.click("go=project")
    tab.click("open=stressed.h5")
    plain = tab.view("results").evaluate("floatframe.viewer.scene.clips[0].legend")
    tab.wait("state('results_bodies').includes('rod') && !state('working')")
    tab.page.click("[data-stress] input")
    tab.wait("state('command').includes('--stress') && !state('working')")
    shown = tab.view("results")
    shown.wait_for_function("floatframe.viewer.scene.clips[0].legend === 'von Mises stress [MPa]'")
    assert "stress" not in plain
    tab.click("do=hot_spots")
    tab.wait("state('results_spots').length > 0")
    spots = ff.durability.hot_spots(ff.hybrid.Results.open(folder / "stressed.h5").stress("rod"))
    first = tab.state("results_spots")[0]
    assert (first["node"], first["size"]) == (spots[0].node, f"{spots[0].value / 1e6:.4g}")
    # the largest of the run is the end of its colours
    top = shown.evaluate("floatframe.viewer.scene.clips[0].top")
    assert top == pytest.approx(spots[0].value, rel=0.05)  # colours are looked up at some moments of the run


def test_a_network_has_a_graph_forms_and_runs(tab, folder):
    tab.click("go=project")
    tab.click("open=filter.toml")
    tab.page.wait_for_selector("[data-graph] img")
    tab.click("thing=R")
    tab.wait("state('machine_fields').some((f) => f.key === 'resistance' && f.unit === 'Ohm')")
    tab.click("do=machine_analyse")
    tab.wait("state('page') === 'analyse' && state('analyse_file') === 'filter.toml'")
    tab.click("tab=simulate")
    tab.click("do=simulate")
    tab.wait("state('analyse_status') && state('analyse_plot').data.length > 0")
    assert tab.state("problems") == []
    tab.click("do=see_results")
    tab.wait("state('page') === 'results' && state('results_shown').length > 0 && !state('working')")
    assert tab.state("problems") == []
    result = ff.hybrid.Results.open(folder / "filter-run.h5")
    assert result.t[-1] == pytest.approx(0.02)


def test_nodes_of_a_box_are_coupled_for_the_reduction(tab, folder):
    ff.io.write(folder / "beam.h5", build(n=8))
    tab.click("go=project")
    tab.page.evaluate("trame.state.set('search', '')")
    tab.page.get_by_role("button", name="Look again").click()
    tab.click("open=beam.h5")
    tab.wait("state('fe_sets').length > 0 && !state('working')")
    tab.fill("fe_box", "x 1.5 2")
    tab.click("do=fe_box")
    tab.wait("state('fe_picked').length === 3")
    tab.page.evaluate(
        "trame.state.set('fe_couple_kind', 'rbe2')"
    )  # nodes on a line do not say how they turn on average
    tab.wait("state('fe_couple_kind') === 'rbe2'")
    tab.click("do=fe_couple")
    tab.wait("state('fe_couplings').length === 1 && state('fe_picked').length === 0")
    tab.page.wait_for_selector('[data-coupling="hub1"]')
    tab.click_in("fe", (0.0, 0.0, 0.0))
    tab.wait("state('fe_picked').length === 1")
    tab.click("do=fe_reduce")
    tab.wait("state('page') === 'reduce' && state('reduce_interface') === '1,hub1'")
    tab.fill("reduce_n", "3")
    tab.fill("reduce_output", "coupled.h5")
    tab.wait("state('reduce_output') === 'coupled.h5'")
    tab.click("do=reduce")
    tab.wait("state('body_file') === 'coupled.h5' && state('body_modes').length > 0 && !state('working')")
    assert "--couple hub1=rbe2:7,8,9" in tab.state("command")
    body = ff.io.read(folder / "coupled.h5")
    assert set(body.interface_nodes.tolist()) == {1, 10}  # the reference node has the next free number


def test_elements_surfaces_and_faults_are_picked_and_highlighted(tab, folder):
    nodes = "1,0,0,0\n2,1,0,0\n3,2,0,0\n4,0,1,0\n5,1,1,0\n6,2,1,0\n7,3,3,0\n"
    deck = f"*NODE\n{nodes}*ELEMENT, TYPE=S4, ELSET=plate\n1,1,2,5,4\n2,2,3,6,5\n3,2,3,6,5\n"
    deck += "*MATERIAL, NAME=steel\n*ELASTIC\n2.1e11,0.3\n*DENSITY\n7850\n"
    deck += "*SHELL SECTION, ELSET=plate, MATERIAL=steel\n0.01\n"
    (folder / "plate.inp").write_text(deck)
    tab.click("go=project")
    tab.page.get_by_role("button", name="Look again").click()
    tab.click("open=plate.inp")
    tab.wait("state('fe_problems').length === 2 && !state('working')")
    # the element that is there twice is drawn in the view; the node without elements has no place in it
    view = tab.view("fe")
    view.wait_for_function("document.querySelector('#lines .wrong').getAttribute('d').split('M').length === 5")
    tab.click("problem=0")
    view.wait_for_function("document.querySelector('#lines .wrong').getAttribute('d') === ''")
    tab.click("pick=element")
    tab.wait("state('fe_pick') === 'element'")
    tab.click_in("fe", (0.5, 0.5, 0.0))
    tab.wait("state('fe_elements').join() === '1'")
    view.wait_for_function("document.querySelector('#lines .picked').getAttribute('d').split('M').length === 5")
    tab.click("do=fe_set")
    tab.wait("state('fe_own_sets').length === 1 && state('fe_elements').length === 0")
    tab.click("pick=surface")
    tab.wait("state('fe_pick') === 'surface'")
    tab.click_in("fe", (0.5, 0.5, 0.0))
    tab.wait("state('fe_picked').length > 0")
    assert sorted(one["node"] for one in tab.state("fe_picked")) == [1, 2, 4, 5]  # to the edge where three shells meet
    tab.click("do=fe_fix")
    tab.wait("state('fe_fixed') === '1,2,4,5'")
    tab.click("set=plate")
    tab.wait("state('fe_elements').length === 3")
    tab.click("pick=node")


def test_pictures_of_files_are_drawn_beside(tab, folder, rendering):
    tab.click("go=project")
    tab.page.click("[data-pictures] input")
    tab.wait("Object.values(state('thumbnails')).filter((one) => one).length >= 3")
    tab.page.wait_for_selector('[data-thumbnail="rigid.toml"]')


def test_a_run_is_paused_resumed_and_stopped_in_the_tab_that_began_it(tab, folder):
    """Of 1e6 s of motion, which take minutes: the server hears a tab while a command of it runs."""
    text = (folder / "rigid.toml").read_text(encoding="utf-8")
    (folder / "lasting.toml").write_text(text.replace("every = 1e-3", "every = 1.0"), encoding="utf-8")
    tab.click("go=project")
    tab.page.get_by_role("button", name="Look again").click()
    tab.click("open=lasting.toml")
    tab.wait("state('machine_file') === 'lasting.toml' && !state('working')")
    tab.click("do=machine_analyse")
    tab.wait("state('page') === 'analyse' && state('analyse_file') === 'lasting.toml'")
    tab.click("tab=simulate")
    tab.fill("analyse_t_end", "1000000")
    tab.fill("analyse_output", "long.h5")
    ends = []
    for begin, end in (("simulate", "[data-do=pause]"), ("resume", "[data-stop]")):
        tab.wait(f"state('analyse_resumable') === {'true' if ends else 'false'}")
        tab.click(f"do={begin}")
        tab.wait("state('job') && state('job').share > 0")
        tab.page.click(end)
        tab.wait("!state('job') && state('analyse_status').includes('stopped')")
        ends.append(float(ff.hybrid.Results.open(folder / "long.h5").t[-1]))
    assert 0.0 < ends[0] <= ends[1] < 1e6
    assert tab.state("problems") == []
    # what goes wrong where nobody waits is said
    tab.fill("analyse_output", "../out.h5")
    tab.wait("state('analyse_output') === '../out.h5'")
    tab.click("do=simulate")
    tab.wait("state('problems').length === 1 && state('problems')[0].includes('not in the project folder')")
    assert not tab.state("analyse_running")


def test_files_are_opened_and_buttons_named_without_a_mouse(tab):
    tab.click("go=project")
    tab.page.locator('[data-open="rigid.toml"]').focus()
    tab.page.keyboard.press("Enter")
    tab.wait("state('page') === 'machine' && state('machine_file') === 'rigid.toml'")
    assert not tab.page.url.endswith("#")
    unnamed = "(all) => all.filter((b) => !b.innerText.trim() && !b.ariaLabel && b.offsetParent).length"
    assert tab.page.locator("header button").count() >= 2
    assert tab.page.locator("header button, footer button").evaluate_all(unnamed) == 0


def test_a_machine_is_changed_saved_and_its_run_plotted_by_keys(tab, folder):
    shutil.copy(SAMPLES / "rigid.toml", folder / "keys.toml")
    keys = tab.page.keyboard

    def press_on(selector: str, key: str = "Enter") -> None:
        tab.page.locator(f"{selector}:visible").first.focus()
        keys.press(key)

    keys.press("Alt+1")
    tab.page.get_by_role("button", name="Look again").press("Enter")
    press_on('[data-open="keys.toml"]')
    tab.wait("state('machine_file') === 'keys.toml' && state('machine_view') && !state('working')")
    tab.page.get_by_role("tab", name="Properties").press("Enter")
    for thing in ("crank", "rod"):
        press_on('.v-list:has([data-thing="crank"])' if thing == "crank" else '[data-thing="crank"]', "ArrowDown")
        tab.page.wait_for_function(f"document.activeElement.dataset.thing === '{thing}'")
    keys.press("Enter")
    tab.wait("state('machine_chosen') && state('machine_chosen').name === 'rod'")
    tab.page.wait_for_function("document.querySelector('[data-key=mass] input').value === '6.28'")
    press_on('[data-key="mass"] input', "Control+a")
    keys.type("8")
    keys.press("Control+s")  # what is typed belongs to what is saved
    tab.wait("state('machine_text').includes('mass = 8\\n') && !state('machine_changed')")
    assert "mass = 8\n" in (folder / "keys.toml").read_text(encoding="utf-8")
    press_on('[data-page="machine"] [role=tab]', "ArrowRight")
    keys.press("Enter")
    tab.wait("state('machine_tab') === 'parameters'")
    # from within a view too
    tab.view("machine").evaluate("canvas.tabIndex = 0; canvas.focus()")
    keys.press("Alt+7")
    tab.wait("state('page') === 'results' && state('results_found').length > 0 && !state('working')")
    channel = tab.page.locator("[data-channel]:visible").first.get_attribute("data-channel")
    shown = channel in tab.state("results_shown")
    press_on(".v-list:has([data-channel])", "ArrowDown")
    tab.page.wait_for_function("document.activeElement.dataset.channel")
    keys.press("Enter")
    tab.wait(f"state('results_shown').includes('{channel}') === {'false' if shown else 'true'}")


def test_what_is_typed_while_an_answer_is_awaited_arrives_before_the_click(tab, folder):
    tab.click("go=project")
    tab.page.evaluate("trame.client.beginBusy()")  # as while any other call is under way
    try:
        tab.fill("sample_folder", "typed")
        tab.wait("state('sample_folder') === 'typed'")
        tab.click("do=copy_sample")
        tab.wait("state('command') === 'floatframe samples slider-crank -o typed'")
    finally:
        tab.page.evaluate("trame.client.endBusy()")
    tab.wait("!state('job') && state('files').some((f) => f.name === 'typed/flexible.toml')")
