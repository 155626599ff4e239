"""What the page Analyse is about: the machine or network that all of its parts study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.hybrid import Observer, Record, System, read_model
from floatframe.studio.studies import Studied

if TYPE_CHECKING:
    from floatframe.studio.app import Studio

MOST_CHANNELS = 2000  # in a list to choose from; others are typed


class Analysed:
    """A machine or network with values of its parameters, as the page has them in its fields."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        studio.state.update({"analyse_file": "", "analyse_values": "", "analyse_view": ""})

    def studied(self) -> Studied:
        """Return what is analysed; a file outside the project is refused."""
        state = self.studio.state
        file = str(state.analyse_file)
        self.studio.path(file)
        values = str(state.analyse_values or "").replace(";", ",").split(",")
        given = tuple(one.strip() for one in values if one.strip())
        return Studied(file, given, self.studio.project.kind(file) == "network")

    def machine(self) -> System:
        """Return the machine with the values of its parameters."""
        of = self.studied()
        pairs = (one.split("=", 1) for one in of.values if "=" in one)
        return read_model(self.studio.path(of.file), {name: _value(words) for name, words in pairs}).model.compile()

    def channels(self, system: System) -> list[str]:
        """Return what can be measured: the components of all channels, as far as a list can hold them."""
        known = Observer(system, Record(channels=("*",))).channels
        return [name for channel in known for name in channel.columns][:MOST_CHANNELS]


def _value(words: str) -> float | str:
    try:
        return float(words)
    except ValueError:
        return words
