"""Networks in reports: the drawing of the graph, elements and nodes of a file, the network that a run was made with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from floatframe.errors import FloatframeError
from floatframe.viewer.headings import for_people, heading
from floatframe.viewer.pages.report_page import Page, Section, drawn
from floatframe.viewer.plots import plot_network

if TYPE_CHECKING:
    from floatframe.hybrid import Results
    from floatframe.network import Network, NetworkFile


def network_page(file: NetworkFile) -> Page:
    """A network file: what it consists of, and its graph."""
    from floatframe.network import describe_network_file

    page = Page(file.network.name, f"network, {file.path.name}")
    description = describe_network_file(file, file.compile())
    tables = {name: description.pop(name) for name in ("elements", "channels")}
    page.section("Summary").lines(for_people({k: v for k, v in description.items() if k not in ("content", "name")}))
    _draw(page.section("Network"), file.network)
    for name, records in tables.items():
        page.section(heading(name).capitalize()).table("", for_people(records))
    return page


def network_section(page: Page, result: Results, run: Path, model: Path | None) -> bool:
    """Add the graph of the network that a run was made with; False for a run without one.

    Files of machines are beside the run, or beside the network file `model`.
    """
    from floatframe.network import is_network_file, is_network_text, network_of, read_network

    text = result.meta.model
    if not (is_network_file(model) if model else is_network_text(text)):
        return False
    section = page.section("Network")
    try:
        network = (read_network(model) if model else network_of(text.encode(), run)).network
    except FloatframeError as error:
        if model is not None:
            raise  # what was asked for must work
        section.note(f"No drawing: {error} Name the network file with --model.", "warning")
        return True
    page.title = network.name
    _draw(section, network)
    return True


def _draw(section: Section, network: Network) -> None:
    try:
        picture = drawn(lambda path: plot_network(network, path))
    except FloatframeError as error:
        section.note(f"No drawing: {error}", "warning")
        return
    section.figures([("elements and nodes; dashed: what inputs read", picture)], wide=True)
