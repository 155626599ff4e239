"""Nastran decks (.bdf, .dat, .nas) as finite element models, and matrices on DMIG cards.

Formulations differ where programs differ: linear hexahedra have incompatible modes here, CBEAM is an exact beam,
CQUAD4 a mixed flat shell. Loads, output requests and analysis settings are not part of a model and only reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from floatframe.arrays import IntArray
from floatframe.fem import ElementBlock, FEModel, MatrixModel
from floatframe.io.deck import GivenMaterials, GivenSections, NodeTable, mass_rules
from floatframe.io.format import Format
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran.bends import Bends
from floatframe.io.nastran.blocks import Blocks
from floatframe.io.nastran.cards import BulkCard, Grids, NastranDeck, account, read_bulk
from floatframe.io.nastran.constraints import Constraints
from floatframe.io.nastran.direct import add_direct_matrices
from floatframe.io.nastran.glue import Glue
from floatframe.io.nastran.lines import Lines
from floatframe.io.nastran.matrices import REDUCED, whole_deck
from floatframe.io.nastran.mesh import SHELLS, SOLIDS, Surfaces
from floatframe.io.nastran.nsm import NonStructuralMass
from floatframe.io.nastran.panels import Panels
from floatframe.io.nastran.properties import READERS, Properties
from floatframe.io.nastran.rigid import RIGID, RigidElements
from floatframe.io.nastran.scalars import SCALAR, Scalars
from floatframe.io.nastran.writer import write

# read by other cards that ask for them, or elsewhere in this module
# fmt: off
_KNOWN = {
    "GRID", "GRDSET", "SPOINT", "CORD1R", "CORD1C", "CORD1S", "CORD2R", "CORD2C", "CORD2S", "BAROR", "BEAMOR",
    "PARAM", "SET1", "SET3",
    "PSHELL", "PCOMP", "PCOMPG", "PCOMPP", "STACK", "PLY",
    "PSOLID", "PSHEAR", "PROD", "PTUBE", "PBAR", "PBARL", "PBEAM", "PBEAML", "PBEND",
    "PELAS", "PDAMP", "PMASS", "PVISC", "PBUSH", "PBUSH1D", "SPC", "SPC1", "SPCADD", "MPC", "MPCADD",
    "ASET", "ASET1", "BSET", "BSET1", "CSET", "CSET1", "BGSET", "BGADD", "BSURF", "BSURFS", "BCPROP",
    "NSM", "NSM1", "NSML", "NSML1", "NSMADD", "BCPROPS", "BCRPARA", "BGPARM",
    *READERS, *RIGID,
}
# fmt: on
_ELEMENT = re.compile(r"C(?!ORD|SET|SUP)")


def load(
    path: Path,
    log: ImportLog,
    spc: int | None = None,
    mpc: int | None = None,
    nodes: Path | str | None = None,
    stiffness: str | None = None,
    mass: str | None = None,
    materials: GivenMaterials = None,
    geometry: Path | str | None = None,
    section_tables: GivenSections | None = None,
) -> FEModel | MatrixModel:
    """Return the model of a deck, of its DMIG matrices if it has no elements, or of the reduced body it belongs to.

    spc, mpc: sets of supports and constraints to use instead of those that case control selects; nodes: a deck with
    the grids of matrices that come without them (also called geometry); stiffness, mass: names of the matrices;
    materials: what to use instead of the deck's, by number or one for all; section_tables: properties that the deck
    lacks, by number.
    """
    deck = whole_deck(read_bulk(path))
    for remark in deck.remarks:
        log.warn(remark)
    if not deck.cards:
        raise log.error("there are no bulk data cards in the deck.")
    if not deck.complete and path.suffix.lower() not in (".pch", ".asm"):
        log.warn("the deck has no ENDDATA; it may be truncated.")
    main = (*SOLIDS, *SHELLS, "CBAR", "CBEAM", "CROD")
    has_elements = any(_ELEMENT.match(name) if deck.chosen or deck.has_cases else name in main for name in deck.cards)
    if "DMIG" in deck.cards and not has_elements:
        from floatframe.io.nastran.matrices import direct_matrices

        return direct_matrices(deck, log, nodes or geometry, stiffness, mass)
    if any(name in deck.cards for name in REDUCED) and not any(_ELEMENT.match(name) for name in deck.cards):
        from floatframe.io.nastran.matrices import reduced_body

        return reduced_body(deck, log, stiffness, mass)
    return _Model(deck, log, materials, section_tables).build(path.stem, spc, mpc)


def handled_cards() -> frozenset[str]:
    """Return the names of cards that go into a model."""
    return frozenset(_Model(NastranDeck(Path()), ImportLog(""), None, None).handlers) | _KNOWN


class _Model:
    """Hands every card to the part of the model that wants it."""

    def __init__(
        self, deck: NastranDeck, log: ImportLog, materials: GivenMaterials, section_tables: GivenSections | None
    ) -> None:
        self.deck, self.log = deck, log
        self.grids = Grids(deck, log)
        self.blocks = Blocks(deck, self.grids, log)
        self.properties = properties = Properties(deck, log, materials, section_tables)
        self.surfaces = surfaces = Surfaces(self.blocks, properties)
        self.lines = lines = Lines(deck, self.blocks, properties)
        self.scalars = scalars = Scalars(self.blocks, properties)
        self.handlers: dict[str, Callable[[BulkCard], None]] = {
            **dict.fromkeys(SOLIDS, surfaces.solid),
            **dict.fromkeys(SHELLS, surfaces.shell),
            **dict.fromkeys(("CROD", "CTUBE", "CONROD"), surfaces.rod),
            **dict.fromkeys(("CBAR", "CBEAM"), lines.bar),
            **dict.fromkeys(SCALAR, scalars.scalar),
            "CBEND": Bends(lines, properties).bend,
            "CSHEAR": Panels(self.blocks, properties).shear,
            "CVISC": scalars.viscous,
            "CBUSH1D": scalars.bush,
            "CBUSH": lines.bush,
            "CONM2": lines.mass,
            "CONM1": lines.mass_matrix,
        }

    def build(self, name: str, spc: int | None, mpc: int | None) -> FEModel:
        """Return the model."""
        log = self.log
        if not self.grids.ids.size:
            raise log.error("there are no grids (GRID) in the deck.")
        for part, inside in self.deck.parts.items():
            count, name = sum(map(len, inside.values())), part.split()[0].split("=")[0]
            if name in ("SUPER", "AUXMODEL", "MODULE"):
                reason = "a part with numbers of its own cannot be joined to the rest"
                log.lose(f"BEGIN {name}", "stiffness", reason, count=count)
            else:
                log.skip(f"BEGIN {name}", "it concerns the analysis or the output", False, count=count)
        for card_name, cards in self.deck.cards.items():
            if card_name in self.handlers:
                for card in cards:
                    self.handlers[card_name](card)
            elif card_name not in _KNOWN:
                account(log, card_name, cards)
        add_direct_matrices(self.deck, self.blocks, log, self.properties.mass_factor)
        blocks = self.blocks.blocks()
        masses = (*self.lines.masses, *self.scalars.masses)
        if not blocks and not masses and not self.surfaces.torsions:
            raise log.error("there are no elements in the deck that can be read.")
        ids, xyz = self.blocks.ids, self.blocks.xyz
        if any(name.startswith("NSM") for name in self.deck.cards):
            extra = NonStructuralMass(self.deck, log, blocks, ids, xyz, self.blocks.children)
            masses = (*masses, *extra.masses(self.properties.mass_factor))
        present = FEModel(xyz, blocks, ids, point_masses=masses, name=name).dof_table.present
        table = NodeTable(ids, xyz)
        constraints = Constraints(self.deck, self.grids, log, table, present, spc, mpc)
        RigidElements(constraints, present)
        if self.surfaces.torsions:
            self.surfaces.twist(present, constraints.found.held)
            blocks = self.blocks.blocks()
        if "BGSET" in self.deck.cards:
            constraints.found.blocks = blocks
            Glue(self.deck, log, blocks, ids).join(constraints.found)
        constraints.tie_middles(self.blocks.middles, self.blocks.turning)
        constraints.tie_ends(self.lines.releases)
        solved = constraints.found.solved(present)
        for block in solved.springs(table):
            numbers = np.array([self.blocks.next_number() for _ in block.connectivity])
            blocks += (replace(block, element_ids=numbers),)
        node_sets, element_sets = self._sets(blocks)
        fe = FEModel(xyz, blocks, ids, node_sets, element_sets, masses, solved.couplings, solved.supports, name=name)
        beams = np.array([card.number(1) for card in self.deck.of("CBEAM")], dtype=np.int64)
        return mass_rules.nastran(fe, self.properties.coupled_mass, beams, log)

    def _sets(self, blocks: tuple[ElementBlock, ...]) -> tuple[dict[str, IntArray], dict[str, IntArray]]:
        """Return node and element sets: SET of case control, SET1, SET3, and the ASET as a node set."""
        elements = np.sort(np.concatenate([np.empty(0, np.int64), *(block.element_ids for block in blocks)]))
        node_sets: dict[str, IntArray] = {}
        element_sets: dict[str, IntArray] = {}
        listed: list[tuple[int, BulkCard, int, str]] = [(n, card, 1, "") for n, card in self.deck.case_sets]
        listed += [(card.number(1), card, 2, "") for card in self.deck.of("SET1")]
        listed += [(card.number(1), card, 3, card.text(2)) for card in self.deck.of("SET3")]
        for number, card, first, of in listed:
            words = [card.text(k) for k in range(first, len(card.fields))]
            if not all(re.fullmatch(r"\d+|THRU|BY|", word) for word in words) or of not in ("", "GRID", "ELEM"):
                self.log.skip(card.name, "sets of anything but grids and elements are not kept", False, card.line)
                continue
            nodes = card.members(words, self.grids.ids)
            if of != "ELEM" and np.isin(nodes, self.grids.ids).all():
                node_sets[self._set_name(number, card, True, node_sets)] = nodes
            else:
                members = card.members(words, elements)
                parts = [part for member in members.tolist() for part in self.blocks.children.get(member, ())]
                kept = members[np.isin(members, elements)]
                if kept.size < members.size:
                    self.log.warn(f"{card.name} {number} names numbers that are not elements; they are left out.")
                name = self._set_name(number, card, False, element_sets)
                element_sets[name] = np.union1d(kept, np.array(parts, dtype=np.int64))
            self.log.took(card.name)
        master = self._analysis_set()
        if master.size:
            node_sets.setdefault("ASET", master)
        return node_sets, element_sets

    def _set_name(self, number: int, card: BulkCard, of_nodes: bool, taken: dict[str, IntArray]) -> str:
        name = self.deck.set_names.get((number, of_nodes), f"SET {number}")
        return name if name not in taken else f"{card.name} {number}"

    def _analysis_set(self) -> IntArray:
        found = [np.empty(0, dtype=np.int64)]
        for card in self.deck.of("ASET1", "BSET1", "CSET1"):
            found.append(card.members([card.text(k) for k in range(2, len(card.fields))], self.grids.ids))
            self.log.took(card.name)
        for card in self.deck.of("ASET", "BSET", "CSET"):
            found.append(card.members([card.text(k) for k in range(1, len(card.fields), 2)], self.grids.ids))
            self.log.took(card.name)
        nodes = np.unique(np.concatenate(found))
        return nodes[np.isin(nodes, self.grids.ids)]


_OPENING = 1 << 18  # bytes looked at
_MARKS = re.compile(
    rb"^(?:[ \t]*BEGIN[ \t,]+(?:BULK|SUPER)|[ \t]*INCLUDE[ \t]*['\"]|[ \t]*CEND[ \t]*$|"
    rb"(?:GRID|SPOINT|CHEXA|CPENTA|CTETRA|CPYRAM?|CQUAD[48R]|CTRIA[36R]|CBAR|CBEAM|CROD|CONROD|CTUBE|CBUSH|CSHEAR|"
    rb"C(?:ELAS|MASS|DAMP)\d|CONM[12]|CORD[12][RCS]|RBE2|MAT[189]|PSHELL|PCOMPG?|PSOLID|PBARL?|PBEAML?|SPC1|EIGRL|DMIG)"
    rb"\*?[ \t,]+[\w+\-.]+)",
    re.IGNORECASE | re.MULTILINE,
)


def recognises(path: Path) -> bool:
    """Whether the opening of a file holds BEGIN BULK or bulk data cards."""
    with path.open("rb") as file:
        opening = file.read(_OPENING)
    return b"\x00" not in opening[:1024] and _MARKS.search(opening.replace(b"\r", b"\n")) is not None


FORMAT: Format = Format(
    "Nastran deck",
    (".bdf", ".dat", ".nas", ".pch", ".asm"),
    (FEModel,),
    write=write,
    recognises=recognises,
    load=load,
    options=("spc", "mpc", "nodes", "stiffness", "mass", "materials", "section_tables", "geometry"),
)
