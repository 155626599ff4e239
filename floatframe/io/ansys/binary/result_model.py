"""The finite element model inside an ANSYS results file (.rst): read into the same tables as an input file.

Nodes, elements, element types, real constants, sections, materials, coordinate systems, components and the supports of
the first set of results are in the file. Constraint equations (CE, CP, RBE3) and material laws by TB never are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from floatframe.arrays import AnyArray, IntArray
from floatframe.fem import FEModel, ShellSection
from floatframe.io.ansys.apdl import Elements, Nodes, System, Text
from floatframe.io.ansys.binary.records import pointer
from floatframe.io.ansys.binary.results import ResultFile, read_geometry, read_modes, result_parts
from floatframe.io.ansys.commands import Deck, Property, SectionData, TypeData
from floatframe.io.ansys.model import build
from floatframe.io.deck import GivenMaterials
from floatframe.io.import_log import ImportLog
from floatframe.io.native import NodalModes

# places in the header of the geometry: low words of pointers, counts
_TYPES, _REALS, _SYSTEMS, _ELEMENTS, _SECTIONS, _MATERIALS, _COMPONENTS = 20, 22, 24, 28, 32, 34, 50
_OLD = {_TYPES: 6, _REALS: 7, _SYSTEMS: 9, _ELEMENTS: 10}  # one-word pointers of older files
_NELEMENT, _NMATERIAL, _NCOMPONENT, _PER_MATERIAL, _MAPPED = 4, 13, 48, 52, 64
_LABELS = {
    **dict(enumerate(("EX", "EY", "EZ", "NUXY", "NUYZ", "NUXZ", "GXY", "GYZ", "GXZ"), start=1)),
    **{13: "DENS", 15: "DAMP", 28: "PRXY", 29: "PRYZ", 30: "PRXZ", 47: "DMPS", 67: "DMPR", 69: "BETD", 70: "ALPD"},
}
_PROPERTIES, _OLD_PROPERTIES = 80, 158  # of a material: MP labels, and these with TB labels in older files
_TABLE = 100  # temperatures come first in the record of a property, then as many values as there are
_UNITS = {1: "SI", 2: "cm-g-s", 3: "ft-lbf-s", 4: "in-lbf-s", 5: "SI", 6: "mm-t-s"}
_SHELL, _BEAM, _LINK = 2, 1, 16  # types of sections
_LAYERS = 30  # where the layers of a shell begin: thickness, material, angle, points of each
_PILOT = 99  # shape of a target that is one node
_CONTACT_NODES = {171: 2, 172: 3, 173: 4, 174: 8, 175: 1, 176: 3, 177: 3}
_LOCATION = {0: "USER", 1: "MID", 2: "TOP", 3: "BOT"}


def load(
    path: Path,
    log: ImportLog,
    temperature: float | None = None,
    materials: GivenMaterials = None,
    sections: Mapping[str, ShellSection] | None = None,
    content: str = "model",
) -> FEModel | NodalModes:
    """Return the model of a results file, or with content="modes", and where it has no elements, its mode shapes.

    temperature, materials and sections as in `model.load`.
    """
    if content not in ("model", "modes"):
        raise log.error(f"content={content} is unknown; use model or modes.")
    parts = result_parts(path)
    if content == "modes" or not any(part.geometry[_NELEMENT] for part in parts):
        return read_modes(path, log)
    log.warn(
        "a results file holds no constraint equations (CE, CP, CERIG, RBE3); if there are any, read the CDWRITE file."
    )
    return build(read_deck(path, parts, log), temperature, materials, sections)


def read_deck(path: Path, parts: list[ResultFile], log: ImportLog) -> Deck:
    """Return what the parts of a results file say of the model."""
    deck = Deck(Text(path, b"", log))
    nodes = read_geometry(path)
    deck.nodes.append(Nodes(nodes.ids, nodes.xyz, nodes.angles if nodes.angles.any() else None))
    deck.declared_units = _UNITS.get(parts[0].value(19), "")
    for part in parts:
        _types(part, deck)
        deck.reals.update({number: values.tolist() for number, values in _entries(part, _REALS)})
        _systems(part, deck)
        for number, values in _entries(part, _SECTIONS):
            deck.sections[number] = _section(part, number, values, log)
        _materials(part, deck)
        _elements(part, deck)
        _components(part, deck)
        _supports(part, deck)
    log.took("nodes", nodes.ids.size)
    modes = len(parts[0].sets) if parts[0].head[7] == 2 else 0
    if modes:
        log.took("modes, shown with --option content=modes", modes)
    return deck


def _entries(part: ResultFile, which: int) -> Iterator[tuple[int, AnyArray]]:
    """Yield numbers and records of a table of types, real constants, systems or sections."""
    start = part.pointer_to(which, _OLD.get(which))
    if not start:
        return
    file = part.file
    table = file.integers(start)
    if part.geometry.size > _MAPPED and part.geometry[_MAPPED]:
        numbers, places = table, file.integers(file.end(start))
    else:
        numbers, places = np.arange(1, table.size + 1), table
    if places.size < numbers.size:
        raise file.broken(start, "a table of properties has fewer places than numbers")
    for number, place in zip(numbers.tolist(), places.tolist(), strict=False):
        if place:
            values = file.record(start + place)
            if values.dtype.kind == "f" and not np.isfinite(values).all():
                raise file.broken(start + place, "a property is not finite")
            yield number, values


def _types(part: ResultFile, deck: Deck) -> None:
    for _, values in _entries(part, _TYPES):
        if values.size < 14 or values.dtype.kind != "i":
            raise part.file.broken(part.start, "the record of an element type is too short")
        keys = {k + 1: int(key) for k, key in enumerate(values[2:14]) if key}
        deck.types[int(values[0])] = TypeData(int(values[1]), keys)


def _systems(part: ResultFile, deck: Deck) -> None:
    """A system: nine numbers of its axes (rows), its origin, two ratios, …, its kind and number at the end."""
    for number, values in _entries(part, _SYSTEMS):
        if values.size < 22:
            raise part.file.broken(part.start, "the record of a coordinate system is too short")
        kind = int(values[20]) if values[20] in (0, 1, 2) else 0
        deck.systems[number] = System(kind, values[9:12], values[:9].reshape(3, 3).T)


def _section(part: ResultFile, number: int, values: AnyArray, log: ImportLog) -> SectionData:
    """Return a section; of profiles ANSYS keeps what it computed of them."""
    if values.size < _LAYERS:
        raise part.file.broken(part.start, f"the record of section {number} is too short")
    kind = int(values[1])
    if kind == _SHELL:
        count = int(values[5]) if 0 <= values[5] <= values.size else 0
        layers = values[_LAYERS : _LAYERS + 4 * count]
        if layers.size < 4 * count or abs(layers[::4].sum() - values[4]) > 1e-6 * abs(values[4]):
            log.lose("SECDATA", "stiffness", f"section {number}: its layers are not understood")
            layers = np.array([values[4], 0.0, 0.0, 3.0])
        if _LOCATION.get(int(values[7])) == "USER" and values[10]:
            log.warn(f"section {number} is shifted by {values[10]:g} from its nodes according to the file.")
        rows = layers.reshape(-1, 4).tolist()
        return SectionData("SHEL", rows=rows, location=_LOCATION.get(int(values[7]), ""), offset=(values[10], 0.0))
    if kind == _BEAM:
        if values[10] or values[11]:
            log.lose("SECOFFSET", "stiffness", f"section {number} is shifted from its nodes, which is not read")
        A, cy, cz, Iyy, Iyz, Izz, J, Iw, sy, sz = values[[7, 8, 9, 12, 13, 14, 15, 20, 21, 22]].tolist()
        row = [A, Iyy, Iyz, Izz, Iw, J, cy, cz, sy, sz, 0.0, 0.0, values[25], values[23]]
        return SectionData("BEAM", "ASEC", rows=[row])
    if kind == _LINK:
        return SectionData("LINK", rows=[values[5:6].tolist()])
    return SectionData(f"number {kind}")


def _materials(part: ResultFile, deck: Deck) -> None:
    """Rows of pointers, one for each property of each material, after their number; older files have no numbers."""
    file, start = part.file, part.pointer_to(_MATERIALS)
    if not start:
        return
    table, count = file.integers(start), int(part.geometry[_NMATERIAL])
    old = not table.size or table[0] != -101
    size = (int(part.geometry[_PER_MATERIAL]) if part.geometry.size > _PER_MATERIAL else 0) or _OLD_PROPERTIES
    head, step = (0, _OLD_PROPERTIES) if old else (3, size + 1)
    if size < _PROPERTIES or count * step + head > table.size:
        raise file.broken(start, f"the table of {count} materials does not fit its size")
    tables = 0
    for k in range(count):
        row = table[head + k * step : head + (k + 1) * step]
        number, places = (k + 1, row) if old else (int(row[0]), row[1:])
        found = {
            label: _property(part, start + int(places[place - 1]))
            for place, label in _LABELS.items()
            if places[place - 1]
        }
        if "PRXY" in found:
            # ANSYS writes both; the major ratios are those that were given
            found = {label: entry for label, entry in found.items() if not label.startswith("NU")}
        tables += int(places[_PROPERTIES:].any())
        if found:
            deck.materials.properties[number] = found
            if any(label in found and any(found[label].values) for label in ("DAMP", "DMPR", "DMPS", "BETD", "ALPD")):
                deck.materials.damped.add(number)
    if tables:
        deck.text.log.skip("TB", "material laws by tables are not read from results files", False, count=tables)
    sets = part.sets
    if sets:
        after = file.reals(file.end(sets[0]))
        deck.materials.reference = float(after[4]) if after.size > 4 else None


def _property(part: ResultFile, start: int) -> Property:
    values = part.file.reals(start)
    count = values.size - _TABLE
    if not 0 < count <= _TABLE or not np.isfinite(values).all():
        raise part.file.broken(start, f"a property of a material has {values.size} numbers")
    return Property(tuple(values[_TABLE:].tolist()), tuple(values[:count].tolist()))


def _elements(part: ResultFile, deck: Deck) -> None:
    """Records of material, type, real constants, section, system, dead, line, shape, number, 0, then the nodes."""
    file, start, count = part.file, part.pointer_to(_ELEMENTS, _OLD[_ELEMENTS]), int(part.geometry[_NELEMENT])
    if not count:
        return
    table = file.integers(start)
    if not 0 < count <= table.size:
        raise file.broken(start, f"the file claims {count} elements")
    places = (
        (table[: 2 * count : 2] & 0xFFFFFFFF) + (table[1 : 2 * count : 2] << 32)
        if table.size >= 2 * count
        else (table[:count])
    )
    found = []
    for _, rows in file.batches(start + places):
        if rows.dtype.kind != "i" or rows.shape[1] < 11 or (rows[:, 8] < 1).any():
            raise file.broken(start, "the record of an element is not as expected")
        if (rows[:, 5] < 0).any():
            deck.text.log.warn("elements that were killed (EKILL) count as alive.")
        nodes = np.where(rows[:, 10:] > 0, rows[:, 10:], 0)
        for count in np.unique(counts := _own_nodes(deck, rows)).tolist():
            which = counts == count
            found.append(Elements(rows[which, 8], rows[which, :5], nodes[which, :count]))
    deck.elements.append(found)


def _own_nodes(deck: Deck, rows: IntArray) -> IntArray:
    """Return how many nodes (n,) elements have; those of contact have internal ones of the solution behind them."""
    counts = np.full(len(rows), rows.shape[1] - 10)
    for number, kind in deck.types.items():
        counts[rows[:, 1] == number] = min(_CONTACT_NODES.get(kind.number, counts[0]), counts[0])
    counts[rows[:, 7] == _PILOT] = 1
    return counts


def _components(part: ResultFile, deck: Deck) -> None:
    """Records of kind (1 nodes, 2 elements), eight words of name, then numbers; a negative one closes a range."""
    start = part.pointer_to(_COMPONENTS)
    if not start:
        return
    file = part.file
    for place in file.chain(start, int(part.geometry[_NCOMPONENT])).tolist():
        row = file.integers(place)
        if row.size < 10 or row[0] not in (1, 2):
            continue
        name = row[1:9].astype(">i4").tobytes().decode("latin-1").replace("\x00", " ").strip().upper()
        members = _ranges(row[9:])
        if members is None:
            raise file.broken(place, f"component '{name}' has an invalid range")
        kind = "NODE" if row[0] == 1 else "ELEM"
        if name and members.size:
            known = deck.components.get(name, (kind, members))[1]
            deck.components[name] = (kind, np.union1d(known, members))


def _ranges(row: IntArray, most: int = 10_000_000) -> IntArray | None:
    """Return the numbers of a component, None if its ranges are invalid."""
    row = row[row != 0]
    closes = np.flatnonzero(row < 0)
    if closes.size and (closes[0] == 0 or (row[closes - 1] < 0).any()):
        return None
    first, last = row[closes - 1] + 1, -row[closes]
    if (last < first - 1).any() or (last - first + 1).sum() > most:
        return None
    runs = [np.arange(a, b + 1) for a, b in zip(first.tolist(), last.tolist(), strict=True)]
    return np.unique(np.concatenate([row[row > 0], *runs]))


def _supports(part: ResultFile, deck: Deck) -> None:
    """Hold what the first set of results has as constraints: nodes, then their dofs, or both in one number."""
    sets = part.sets
    if not sets:
        return
    file, head = part.file, part.file.integers(sets[0])
    if head.size < 112:
        return
    place = sets[0] + (pointer(head, 110, 111) or pointer(head, 14))
    table = file.integers(place) if place > sets[0] else np.zeros(1, dtype=np.int64)
    if table.size < 7 or not table[0]:
        return
    start = place + int(table[1])
    nodes = file.integers(start)
    if table[6]:
        labels = file.integers(file.end(start))
    else:
        nodes, labels = nodes // 32, nodes % 32
    values = file.reals(place + int(table[2]))
    count = int(table[0])
    if not 0 <= count <= min(nodes.size, labels.size, values.size):
        raise file.broken(place, f"the file claims {count} supports")
    steps = values.size // count
    for k in range(count):
        if 1 <= labels[k] <= 6:
            deck.held[int(nodes[k]), int(labels[k]) - 1] = float(values[k * steps])
    if values[: count * steps : steps].any():
        deck.text.log.warn("displacements that were prescribed and are not zero are held at zero.")
    deck.text.log.took("supports of the first set", count)
