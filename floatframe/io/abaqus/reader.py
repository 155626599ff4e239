"""Input decks of Abaqus and CalculiX (.inp): the structure they describe, with materials, sections and constraints.

Supports are those in force in the first frequency step, or in the first step if there is none. Loads, output requests
and the way of analysis are not part of a model and are only reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from floatframe.fem import FEModel
from floatframe.io.abaqus.blocks import Properties
from floatframe.io.abaqus.constraints import Constraints
from floatframe.io.abaqus.deck import (
    EFFECTLESS,
    LOST,
    MATERIAL_CARDS,
    PHYSICS,
    REFUSED,
    Card,
    Generator,
    Mesh,
    Place,
    dialect_of,
    read_cards,
    why_refused,
)
from floatframe.io.abaqus.model import ModelBuilder
from floatframe.io.abaqus.properties import MaterialCards, Materials, SectionCard
from floatframe.io.abaqus.writer import set_names, write
from floatframe.io.deck import GivenMaterials, GivenSections, mass_rules
from floatframe.io.format import Format
from floatframe.io.import_log import ImportLog

NAME = "Abaqus/CalculiX deck"
_CONSTRAINTS = (
    *("EQUATION", "MPC", "RIGIDBODY", "COUPLING", "KINEMATIC", "DISTRIBUTING"),
    *("KINEMATICCOUPLING", "DISTRIBUTINGCOUPLING", "TIE", "CONTACTPAIR"),
    *("EMBEDDEDELEMENT", "SHELLTOSOLIDCOUPLING"),
)
_CONNECTOR_LAWS = ("CONNECTORBEHAVIOR", "CONNECTORELASTICITY", "CONNECTORDAMPING")
_CONTACT_LAWS = ("SURFACEINTERACTION", "SURFACEBEHAVIOR", "FRICTION", "COHESIVEBEHAVIOR")
_SECTIONS = (
    *("SOLIDSECTION", "SHELLSECTION", "SHELLGENERALSECTION", "MEMBRANESECTION", "BEAMSECTION", "BEAMGENERALSECTION"),
    *("SPRING", "DASHPOT", "MASS", "ROTARYINERTIA"),
)
_DETAILS = ("CENTROID", "SHEARCENTER", "TRANSVERSESHEARSTIFFNESS")


def load(
    path: Path,
    log: ImportLog,
    temperature: float | None = None,
    dialect: str | None = None,
    materials: GivenMaterials = None,
    section_tables: GivenSections | None = None,
) -> FEModel:
    """Return the model of a deck.

    temperature: at which tables of *ELASTIC and *DENSITY are read; materials: what to use instead of the deck's, by
    name or one for all; section_tables: sections for elements that have none, by set; dialect: "abaqus" or "calculix",
    for what the two programs understand differently: the one number of *BEAM SECTION, SECTION=CIRC is a radius or a
    diameter, and masses of linear elements are lumped or not. Without it numbers are those of Abaqus unless the deck
    has what only CalculiX knows, and masses too if the deck has parts or comes from Abaqus/CAE.
    """
    if dialect not in (None, "abaqus", "calculix"):
        raise log.error(f"dialect '{dialect}' is unknown; use 'abaqus' or 'calculix'.")
    cards = _without_later_steps(read_cards(path), log)
    reader = _Reader(log, temperature, materials)
    for card, place in _in_places(cards, reader.mesh):
        reader.take(card, place)
    if not reader.mesh.groups:
        found = ", ".join(f"{kind} ({why_refused(kind)})" for kind in reader.mesh.unread)
        found = found or "none at all; it may be truncated, or a part that other decks include"
        raise log.error(f"the deck has no elements (*ELEMENT) that can be read; it has {found}.")
    builder = ModelBuilder(
        reader.mesh, reader.properties, reader.constraints, dialect or dialect_of(cards), section_tables
    )
    from_abaqus = any(card.key in _OF_ABAQUS for card in cards) if dialect is None else dialect == "abaqus"
    if dialect is None and not from_abaqus and dialect_of(cards) == "abaqus" and any(map(_is_round, cards)):
        log.warn(
            "*BEAM SECTION, SECTION=CIRC: its one number is the radius, as in Abaqus; in CalculiX it is the diameter "
            "(option dialect=calculix)."
        )
    return mass_rules.abaqus(builder.build(path.stem), from_abaqus, log)


def _is_round(card: Card) -> bool:
    """Whether a card has one size of a round bar, in which the two programs differ."""
    if card.key != "BEAMSECTION" or card.option("SECTION").upper() != "CIRC":
        return False
    lines = card.fields()
    return bool(lines) and not any(lines[0][1][1:2])


def handled_keywords() -> tuple[str, ...]:
    """Return the keywords, without blanks, that go into a model."""
    return tuple(_Reader(ImportLog(""), None, None).handlers)


def recognises(path: Path) -> bool:
    """Whether the first keyword of the file is one of such decks."""
    with open(path, "rb") as file:
        head = file.read(1 << 16)
    for line in head.removeprefix(b"\xef\xbb\xbf").splitlines():
        bare = line.strip()
        if bare.startswith(b"*") and not bare.startswith(b"**"):
            word = b"".join(bare[1:].split(b",")[0].split()).upper().decode("latin-1")
            return word in _FIRST
    return False


_OF_ABAQUS = ("PART", "ASSEMBLY", "INSTANCE", "PREPRINT")  # CalculiX knows none of them
_FIRST = {
    *("HEADING", "NODE", "ELEMENT", "PART", "INCLUDE", "NSET", "ELSET", "PREPRINT", "MATERIAL", "PARAMETER", "SYSTEM"),
    *("ASSEMBLY", "RESTART", "AMPLITUDE", "SURFACE", "NGEN", "SUBMODEL", "USERELEMENT", "ORIENTATION", "STEP"),
}


def _without_later_steps(cards: list[Card], log: ImportLog) -> list[Card]:
    """Return the deck up to the end of its first frequency step, or of its first step if it has none."""
    ends, frequency = [], None
    for number, card in enumerate(cards):
        if card.key == "ENDSTEP":
            ends.append(number)
        elif card.key == "STEP" and "PERTURBATION" in card.options and ends and frequency is None:
            log.skip("*STEP, PERTURBATION", "loads of preceding steps do not stiffen the structure", line=card.line)
        elif card.key in ("FREQUENCY", "COMPLEXFREQUENCY") and frequency is None:
            frequency = len(ends)
    wanted = frequency or 0
    return cards[: ends[wanted] + 1] if wanted < len(ends) else cards


def _in_places(cards: list[Card], mesh: Mesh) -> Iterator[tuple[Card, Place]]:
    """Yield cards with the place they apply to; those of a part come once for each of its instances.

    Instances come before all else: the nodes of the assembly have a count of their own, which must not clash with them.
    """
    parts: dict[str, list[Card]] = {}
    part: list[Card] | None = None
    outer: list[Card] = []
    here: Place | None = None
    for card in cards:
        if card.key == "PART":
            part = parts.setdefault(card.required("NAME").upper(), [])
        elif card.key == "ENDPART":
            part = None
        elif part is not None:
            part.append(card)
        elif card.key == "INSTANCE":
            name = card.required("PART")
            if name.upper() not in parts:
                known = ", ".join(part_name for part_name in parts) or "none"
                raise card.error(f"*INSTANCE: part '{name}' is unknown; parts here: {known}.")
            here = mesh.new_place(card)
            for inner in parts[name.upper()]:
                yield inner, here
        elif card.key == "ENDINSTANCE":
            here = None
        elif here is not None:
            yield card, here
        elif card.key not in ("ASSEMBLY", "ENDASSEMBLY"):
            outer.append(card)
    if parts and not mesh.places:
        raise mesh.log.error("there are parts (*PART) but no *INSTANCE of them in the deck.")
    assembly = mesh.assembly_place(outer)
    for card in outer:
        yield card, assembly


class _Reader:
    """Hands every card to the part of the model that wants it."""

    def __init__(self, log: ImportLog, temperature: float | None, materials: GivenMaterials) -> None:
        self.log = log
        self.mesh = Mesh(log)
        self.properties = Properties(Materials(log, temperature, materials))
        self.constraints = Constraints(self.mesh, self.properties.orientations, log)
        self._material: MaterialCards | None = None
        self._in_step = False
        mesh, constraints, generate = self.mesh, self.constraints, Generator(self.mesh)
        self.handlers: dict[str, Callable[[Card, Place], None]] = {
            "NODE": mesh.node,
            "ELEMENT": mesh.element,
            "NGEN": generate.nodes_on_lines,
            "NFILL": generate.nodes_between_sets,
            "ELGEN": generate.elements_in_rows,
            "NSET": mesh.set,
            "ELSET": mesh.set,
            "SURFACE": mesh.surface,
            "SYSTEM": mesh.set_system,
            "BOUNDARY": constraints.boundary,
            "TRANSFORM": constraints.transform,
            "MATERIAL": self._open_material,
            "ORIENTATION": self._orientation,
            "DISTRIBUTION": self._distribution,
            "NODALTHICKNESS": self._thickness,
            "NONSTRUCTURALMASS": self._spread_mass,
            "INITIALCONDITIONS": self._initial,
            **dict.fromkeys(_CONSTRAINTS, constraints.constraint),
            **dict.fromkeys(_CONTACT_LAWS, constraints.contact_law),
            "CONNECTORSECTION": self.properties.connectors.section,
            **dict.fromkeys(_CONNECTOR_LAWS, self.properties.connectors.behaviour),
            **dict.fromkeys(_SECTIONS, self._section),
            **dict.fromkeys(_DETAILS, self._detail),
        }

    def take(self, card: Card, place: Place) -> None:
        """Use one card or say why it is not used."""
        if self._material is not None and card.key in MATERIAL_CARDS:
            self._material_card(card)
        elif card.key in self.handlers:
            self._material = None
            self.handlers[card.key](card, place)
        elif card.key in REFUSED:
            raise card.error(f"{card.name}: {REFUSED[card.key]}.")
        elif card.key in EFFECTLESS:
            self._in_step = card.key == "STEP" or (self._in_step and card.key != "ENDSTEP")
            self.log.skip(card.name, EFFECTLESS[card.key], physical=False, line=card.line)
        elif card.key in PHYSICS:
            self.log.skip(card.name, PHYSICS[card.key], line=card.line)
        elif card.key in LOST:
            self.log.lose(card.name, *LOST[card.key], card.line)
        elif card.key in MATERIAL_CARDS:
            self.log.skip(card.name, "it is not part of a *MATERIAL", line=card.line)
        elif self._in_step:
            self.log.skip(card.name, "it is not known here; steps hold loads and requests", False, card.line)
        else:
            self.log.lose(card.name, "unknown", "it is not known here", card.line)

    def _open_material(self, card: Card, place: Place) -> None:
        self._material = self.properties.materials.open(card)

    def _material_card(self, card: Card) -> None:
        if self._material is not None:
            self._material.inner.setdefault(card.key, card)
        if card.key in ("ELASTIC", "DENSITY"):
            self.log.took(card.name)
        elif MATERIAL_CARDS[card.key]:
            self.log.skip(card.name, "the material is taken as linear elastic", line=card.line)
        else:
            self.log.skip(card.name, "it does not act in mechanics", physical=False, line=card.line)

    def _section(self, card: Card, place: Place) -> None:
        self.properties.sections.append(SectionCard(card, place))
        self.log.took(card.name)

    def _detail(self, card: Card, place: Place) -> None:
        """Cards under the section of beams or shells."""
        section = self.properties.sections[-1].card if self.properties.sections else None
        if section is None or not section.key.startswith(("BEAM", "SHELL")):
            self.log.skip(card.name, "it is not needed here", physical=False, line=card.line)
            return
        self.properties.details.setdefault(id(section), {})[card.key] = card
        self.log.took(card.name)

    def _orientation(self, card: Card, place: Place) -> None:
        self.properties.orientations.orientation(card, place)
        self.log.took(card.name)

    def _distribution(self, card: Card, place: Place) -> None:
        self.properties.orientations.distribution(card, place)
        self.log.took(card.name)

    def _spread_mass(self, card: Card, place: Place) -> None:
        self.properties.spread_masses.append((card, place))

    def _initial(self, card: Card, place: Place) -> None:
        """*INITIAL CONDITIONS: only a temperature, the same everywhere, counts, for the tables of materials."""
        if card.option("TYPE").upper() != "TEMPERATURE":
            self.log.skip(card.name, "initial stresses and states are not read", line=card.line)
            return
        values = {card.numbers(words[1:2], line)[0] for line, words in card.fields() if len(words) > 1}
        if len(values) == 1:
            self.properties.materials.initial = values.pop()
            self.log.took(card.name)
        elif not card.option("FILE"):
            self.log.skip(card.name, "temperature fields are not read", line=card.line)

    def _thickness(self, card: Card, place: Place) -> None:
        self.properties.nodal_thickness.append(SectionCard(card, place))


FORMAT: Format = Format(
    NAME,
    (".inp",),
    FEModel,
    write=write,
    recognises=recognises,
    load=load,
    options=("temperature", "dialect", "materials", "section_tables"),
    set_names=set_names,
)
