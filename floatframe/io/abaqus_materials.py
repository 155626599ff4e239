"""Materials of a deck, or those the user gives in their place."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from floatframe.errors import ModelError
from floatframe.fem import Material
from floatframe.io.abaqus_deck import Card
from floatframe.io.given_materials import GivenMaterials, cure, given_material
from floatframe.io.import_log import ImportLog

_ISOTROPIC = ("", "ISO", "ISOTROPIC")


@dataclass
class MaterialCards:
    """A *MATERIAL and the cards under it."""

    card: Card
    name: str
    inner: dict[str, Card] = field(default_factory=dict)


class Materials:
    """Materials by name; made when an element uses them, so that unused odd ones do no harm."""

    def __init__(self, log: ImportLog, temperature: float | None, given: GivenMaterials = None) -> None:
        self.log = log
        self.temperature = temperature
        self.given = given
        self.cards: dict[str, MaterialCards] = {}
        self._made: dict[str, Material] = {}

    def open(self, card: Card) -> MaterialCards:
        """*MATERIAL: begin a material."""
        cards = MaterialCards(card, card.required("NAME"))
        self.cards[cards.name.upper()] = cards
        self.log.took(card.name)
        return cards

    def get(self, name: str, card: Card) -> Material:
        """Return a material asked for by a section card."""
        key = name.upper()
        if key not in self._made:
            given = given_material(self.given, name)
            self._made[key] = self._make(self._cards_of(name, card)) if given is None else given
        return self._made[key]

    def _cards_of(self, name: str, card: Card) -> MaterialCards:
        if name.upper() not in self.cards:
            known = ", ".join(cards.name for cards in self.cards.values()) or "none"
            raise card.error(
                f"{card.name}: material '{name}' is unknown; materials here: {known}; {cure(self.log.path, name)}."
            )
        return self.cards[name.upper()]

    def _make(self, cards: MaterialCards) -> Material:
        elastic = cards.inner.get("ELASTIC")
        if elastic is None:
            found = ", ".join(f"*{key}" for key in cards.inner) or "nothing"
            raise cards.card.error(
                f"material '{cards.name}' has no *ELASTIC but {found}; only linear isotropic materials can be read: "
                f"{cure(self.log.path, cards.name)}."
            )
        kind = elastic.option("TYPE").upper()
        if kind not in _ISOTROPIC:
            raise elastic.error(f"*ELASTIC, TYPE={kind} of material '{cards.name}' cannot be read; only ISO can.")
        E, nu = self._at_temperature(elastic, 2)
        density = cards.inner.get("DENSITY")
        rho = 0.0 if density is None else self._at_temperature(density, 1)[0]
        if not rho:
            self.log.warn(f"material '{cards.name}' has no density: its elements have no mass.")
        try:
            return Material(E, nu, rho, name=cards.name)
        except ModelError as error:
            raise elastic.error(str(error)) from error

    def _at_temperature(self, card: Card, count: int) -> list[float]:
        """Return the first `count` columns of a table over temperature: its first line or the chosen temperature."""
        lines = [card.numbers(words, line) for line, words in card.fields()]
        if not lines:
            raise card.error(f"{card.name} has no data.")
        table = np.array([(values + [0.0] * (count + 1))[: count + 1] for values in lines])
        if len(table) > 1 and self.temperature is None:
            self.log.warn(
                f"{card.name} in line {card.line} depends on temperature; the first line ({table[0, count]:g} degrees) "
                "is taken, --option temperature=… chooses another."
            )
        if len(table) == 1 or self.temperature is None:
            return table[0, :count].tolist()
        order = np.argsort(table[:, count], kind="stable")
        return [float(np.interp(self.temperature, table[order, count], table[order, k])) for k in range(count)]
