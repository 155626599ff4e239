"""Materials of a deck, or those the user gives in their place."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.fem import Material
from floatframe.io.abaqus.deck import Card
from floatframe.io.abaqus.properties.laws import (
    ELASTIC_CONSTANTS,
    elastic_matrix,
    hyperelastic,
    hyperfoam,
    user_material,
)
from floatframe.io.deck import GivenMaterials, cure, given_material
from floatframe.io.import_log import ImportLog

_ISOTROPIC = ("", "ISO", "ISOTROPIC")
_PER_LINE = 8
_LAWS = ("HYPERELASTIC", "HYPERFOAM", "DEFORMATIONPLASTICITY", "USERMATERIAL")  # with elastic constants of their own


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
        self.initial = 0.0  # temperature of the model where the deck gives none
        self.given = given
        self.cards: dict[str, MaterialCards] = {}
        self._made: dict[str, Material] = {}

    def open(self, card: Card) -> MaterialCards:
        """*MATERIAL: begin a material."""
        cards = MaterialCards(card, card.required("NAME"))
        self.cards[cards.name.upper()] = cards
        self.log.took(card.name)
        return cards

    def get(self, name: str, card: Card, directed: bool = False) -> Material:
        """Return a material named by a section card; directed: one that is not isotropic is used as it is."""
        key = name.upper()
        if key not in self._made:
            given = given_material(self.given, name)
            self._made[key] = self._make(self._cards_of(name, card)) if given is None else given
        material = self._made[key]
        if material.matrix is not None and not directed:
            reason = (
                f"beams and trusses of material '{name}' are isotropic, with its means over all directions: "
                f"E = {material.E:.6g}, nu = {material.nu:.4g}"
            )
            self.log.skip(f"{card.name}, direction of the material", reason, line=card.line)
            return replace(material, matrix=None)
        return material

    def _cards_of(self, name: str, card: Card) -> MaterialCards:
        if name.upper() not in self.cards:
            known = ", ".join(cards.name for cards in self.cards.values()) or "none"
            raise card.error(
                f"{card.name}: material '{name}' is unknown; materials here: {known}; {cure(self.log.path, name)}."
            )
        return self.cards[name.upper()]

    def _make(self, cards: MaterialCards) -> Material:
        density = cards.inner.get("DENSITY")
        rho = 0.0 if density is None else self._at_temperature(density, 1)[0]
        if not rho:
            self.log.warn(f"material '{cards.name}' has no density: its elements have no mass.")
        elastic = cards.inner.get("ELASTIC")
        if elastic is not None:
            return self._elastic(elastic, rho, cards.name)
        for key, law in cards.inner.items():
            found = self._law_at_rest(law, cards.name) if key in _LAWS else None
            if found is not None:
                self.log.warn(f"material '{cards.name}': its elastic constants are those of {law.name} at rest.")
                return _made(law, found, rho, cards.name)
        given = ", ".join(card.name for card in cards.inner.values()) or "nothing"
        raise cards.card.error(
            f"material '{cards.name}' has no *ELASTIC but {given}, which do not give elastic constants; "
            f"{cure(self.log.path, cards.name)}."
        )

    def _elastic(self, card: Card, rho: float, name: str) -> Material:
        kind = "".join(card.option("TYPE").upper().split())
        if kind in _ISOTROPIC:
            E, nu = self._at_temperature(card, 2)
            return _made(card, (E, nu), rho, name)
        count = next((n for start, n in ELASTIC_CONSTANTS.items() if kind.startswith(start)), 0)
        if not count:
            known = "ISOTROPIC, ORTHOTROPIC, ENGINEERING CONSTANTS, ANISOTROPIC and LAMINA"
            raise card.error(f"*ELASTIC, TYPE={kind} of material '{name}' cannot be read; {known} can.")
        constants = self._at_temperature(card, count)
        try:
            matrix = elastic_matrix(kind, constants)
        except ModelError as error:
            raise card.error(f"*ELASTIC, TYPE={kind} of material '{name}': {error}.") from error
        return _made(card, matrix, rho, name)

    def _law_at_rest(self, card: Card, name: str) -> tuple[float, float] | Array | None:
        """Return the elastic constants of a law that is not linear, None where they are not in the deck."""
        constants = [value for line, words in card.fields() for value in card.numbers(words[:_PER_LINE], line)]
        if card.key == "HYPERELASTIC":
            return hyperelastic(card.options, constants)
        if card.key == "HYPERFOAM":
            return hyperfoam(card.options, constants)
        if card.key == "DEFORMATIONPLASTICITY":
            return (constants[0], constants[1]) if len(constants) > 1 else None
        return user_material(name, constants)

    def _at_temperature(self, card: Card, count: int) -> list[float]:
        """Return the first `count` columns of a table over temperature, at the chosen one or that of the model."""
        lines = [card.numbers(words, line) for line, words in card.fields()]
        if not lines:
            raise card.error(f"{card.name} has no data.")
        # many constants go over several lines of eight
        depth = -(-count // _PER_LINE)
        rows = [
            [
                value
                for k, line in enumerate(lines[at : at + depth], 1)
                for value in (line[:_PER_LINE] if k < depth else line)
            ]
            for at in range(0, len(lines), depth)
        ]
        table = np.array([(values + [0.0] * (count + 1))[: count + 1] for values in rows])
        if len(table) == 1:
            return table[0, :count].tolist()
        at = self.initial if self.temperature is None else self.temperature
        if self.temperature is None:
            self.log.warn(
                f"{card.name} in line {card.line} depends on temperature; it is taken at {at:g} degrees, "
                "--option temperature=… chooses another."
            )
        order = np.argsort(table[:, count], kind="stable")
        return [float(np.interp(at, table[order, count], table[order, k])) for k in range(count)]


def _made(card: Card, constants: tuple[float, float] | Array, rho: float, name: str) -> Material:
    """Return the material of E and nu or of a matrix (6, 6); invalid values are an error of the card."""
    try:
        if isinstance(constants, tuple):
            return Material(*constants, rho, name=name)
        return Material.anisotropic(constants, rho, name)
    except ModelError as error:
        raise card.error(str(error)) from error
