"""The blocks of an ANSYS archive: NBLOCK, EBLOCK, CMBLOCK, RLBLOCK, ETBLOCK.

Every block opens with a command and a Fortran format that fixes the columns; -1 or an announced count closes it. A
block that ends early, or has invalid rows, is refused with its line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.io.ansys.apdl.text import Command, Text

_FORMAT = re.compile(r"\(([^()]*)\)")
_PIECE = re.compile(r"(?:1p)?(\d*)([iegfd])(\d+)(?:\.\d+(?:e\d+)?)?", re.IGNORECASE)
_REALS = re.compile(r"\(\s*(\d+)[eg](\d+)\.\d+(?:e\d+)?\s*\)", re.IGNORECASE)
_WIDEST, _MOST_FIELDS = 40, 40  # what a Fortran format of these blocks can sensibly hold


class Layout(NamedTuple):
    """Columns of a row: numbers of whole and real fields and their widths."""

    n_int: int
    int_width: int
    n_real: int
    real_width: int


@dataclass(frozen=True)
class Nodes:
    """Numbers (n,), places (n, 3) and rotation angles THXY, THYZ, THZX (n, 3) [degrees], None if all are zero."""

    ids: IntArray
    xyz: Array
    angles: Array | None


@dataclass(frozen=True)
class Elements:
    """Elements with the same number of nodes.

    ids (n,); attributes (n, 5) material, type, real constants, section, element system; nodes (n, k), 0 for none.
    """

    ids: IntArray
    attributes: IntArray
    nodes: IntArray


def read_nodes(text: Text, command: Command) -> Nodes:
    """Read the rows of NBLOCK,NUMFIELD,Solkey,NDMAX,NDSEL."""
    layout = _layout(text, "NBLOCK")
    if layout.n_real < 3 or layout.n_int < 1:
        raise text.error(f"the format of NBLOCK has {layout.n_real} real fields, expected at least three.")
    first = text.line + 1
    ints, reals, _ = _rows(text, layout, "NBLOCK", _announced(text, command, 3))
    ids = ints[:, 0].copy()
    if (ids < 1).any():
        raise text.error("a node number is not positive.", first + int(np.argmax(ids < 1)))
    angles = reals[:, 3:6]
    padded = np.zeros((len(ids), 3))
    padded[:, : angles.shape[1]] = angles
    return Nodes(ids, reals[:, :3].copy(), padded if padded.any() else None)


def read_elements(text: Text, command: Command, attributes: tuple[int, ...]) -> list[Elements]:
    """Read the rows of EBLOCK,NUM_NODES,Solkey,,count; compact ones hold no attributes but have those given here."""
    layout = _layout(text, "EBLOCK")
    if layout.n_real or layout.n_int < 6:
        raise text.error(f"the format of EBLOCK has {layout.n_int} whole fields, expected 15 or 19.")
    if command.word(1) == "SOLID":
        return _solid_rows(text, layout, _announced(text, command, 3))
    ints, _, filled = _rows(text, layout, "EBLOCK", _announced(text, command, 3))
    parts = []
    if command.word(1) == "COMPACT":
        for count in np.unique(filled):
            rows = ints[filled == count]
            if count < 2:
                raise text.error("a row of EBLOCK has no node.")
            parts.append(Elements(rows[:, 0].copy(), np.tile(attributes, (len(rows), 1)), rows[:, 1:count].copy()))
        return parts
    # without SOLID: number, type (also section), real constants, material, element system, nodes
    for count in np.unique(filled):
        rows = ints[filled == count]
        if count < 6:
            raise text.error(f"a row of EBLOCK has {count} numbers, expected five and at least one node.")
        parts.append(Elements(rows[:, 0].copy(), rows[:, [3, 1, 2, 1, 4]], rows[:, 5:count].copy()))
    return parts


def _solid_rows(text: Text, layout: Layout, count: int) -> list[Elements]:
    """Rows of material, type, real, section, system, …, node count, …, number, nodes; long ones go on in new lines."""
    from floatframe.io.ansys.apdl import _kernels as kernels  # the compiler behind it is slow to import

    first = text.line + 1
    if layout.n_int < 12:
        raise text.error(f"the format of EBLOCK has {layout.n_int} whole fields, expected 19.")
    ints, _, filled = _rows(text, layout, "EBLOCK", None if count else 0)
    starts = np.empty(len(ints), dtype=np.int64)
    found, bad = kernels.element_starts(ints, layout.n_int - 11, layout.n_int, starts)
    if bad >= 0:
        raise text.error(
            f"an element claims {ints[bad, 8]} nodes, and the lines that follow do not hold them; "
            "the file is broken or truncated here.",
            first + bad,
        )
    if count and found != count:
        raise text.error(f"EBLOCK announces {count} elements, but {found} were found; the file is broken or truncated.")
    starts = starts[:found]
    sizes = ints[starts, 8]
    parts = []
    for size in np.unique(sizes) if np.ptp(sizes) else sizes[:1]:
        rows = starts[sizes == size]
        here = min(int(size), layout.n_int - 11)
        nodes = np.zeros((rows.size, size), dtype=np.int64)
        nodes[:, :here] = ints[rows, 11 : 11 + here]
        place, line = here, 0
        while place < size:
            line += 1
            more = min(int(size) - place, layout.n_int)
            nodes[:, place : place + more] = ints[rows + line, :more]
            place += more
        short = filled[rows] < 12
        if short.any():
            raise text.error("an element has no nodes.", first + int(rows[short][0]))
        parts.append(Elements(ints[rows, 10].copy(), ints[rows[:, None], np.arange(5)], nodes))
    return parts


def read_component(text: Text, command: Command) -> IntArray:
    """Read the numbers of CMBLOCK,Cname,Entity,NUMITEMS; a negative one closes a range."""
    count = text.integer(command.field(2).split("!")[0].strip(), "number of items")
    layout = _layout(text, "CMBLOCK")
    first = text.line + 1
    values = _values(text, layout.n_int, layout.int_width, count, "CMBLOCK").astype(np.int64)
    negative = np.flatnonzero(values < 0)
    if negative.size and (negative[0] == 0 or (np.diff(negative) == 1).any()):
        raise text.error(f"CMBLOCK '{command.field(0)}' has a range without a start.", first)
    ends = -values[negative]
    begins = values[negative - 1]
    if ((ends < begins) | (ends - begins > 10**8)).any():
        raise text.error(f"CMBLOCK '{command.field(0)}' has a range that runs backwards.", first)
    ranges = [np.arange(a + 1, b + 1) for a, b in zip(begins, ends, strict=True)]
    return np.unique(np.concatenate([values[values > 0], *ranges]))


def read_real_constants(text: Text, command: Command) -> dict[int, list[float]]:
    """Read the sets of RLBLOCK,NUMSETS,MAXSET,MAXITEMS,NPERLINE."""
    count = text.integer(command.field(0), "number of sets")
    layout = _layout(text, "RLBLOCK")
    line = text.next_line() or ""
    match = _REALS.search(line)
    if match is None or layout.n_int < 2 or not layout.n_real:
        raise text.error("RLBLOCK needs two formats such as (2i8,6g16.9) and (7g16.9).")
    more, width = int(match[1]), int(match[2])
    sets: dict[int, list[float]] = {}
    for _ in range(min(count, len(text.data))):
        line = text.next_line() or ""
        numbers = [_field(text, line, k * layout.int_width, layout.int_width) for k in range(2)]
        number, size = int(numbers[0]), int(numbers[1])
        if number < 1 or not 0 <= size <= 10_000:
            raise text.error(f"a set of RLBLOCK has number {number} and {size} items; the file is broken here.")
        start = 2 * layout.int_width
        values = [_field(text, line, start + k * layout.real_width, layout.real_width) for k in range(layout.n_real)]
        while len(values) < size:
            if text.position >= len(text.data):
                raise text.error("RLBLOCK ends before its last set is complete; the file is truncated.")
            line = text.next_line() or ""
            values += [_field(text, line, k * width, width) for k in range(more)]
        sets[number] = values[:size]
    return sets


def read_types(text: Text, command: Command) -> dict[int, tuple[int, dict[int, int]]]:
    """Read the rows of ETBLOCK: number -> (ANSYS element number, key options by their number)."""
    count = text.integer(command.field(0), "number of types")
    text.next_line()  # its format says 19a9, yet the fields are whole numbers between blanks
    types = {}
    for _ in range(min(count, len(text.data))):
        line = text.next_line() or ""
        numbers = [text.integer(word, "entry of ETBLOCK") for word in line.split()]
        if len(numbers) < 2 or numbers[0] < 1:
            raise text.error(f"ETBLOCK announces {count} types, but here is '{line.strip()[:40]}'.")
        keys = {k: value for k, value in enumerate(numbers[2:], start=1) if value and k <= 18}
        types[numbers[0]] = (numbers[1], keys)
    if text.peek_line().strip() == "-1":
        text.next_line()
    return types


# rows


def _announced(text: Text, command: Command, index: int) -> int:
    """Return how many rows a block says it has, 0 if it does not say."""
    return max(0, text.integer(command.field(index), "number of rows"))


def _layout(text: Text, block: str) -> Layout:
    line = text.next_line() or ""
    layout = _columns(line)
    if layout is None:
        raise text.error(
            f"{block} needs a format such as (3i9,6e21.13e3) in its second line, found '{line.strip()[:40]}'."
        )
    if not (0 < layout.int_width <= _WIDEST and layout.real_width <= _WIDEST):
        raise text.error(f"the format of {block} has columns of impossible width.")
    if not (0 < layout.n_int <= _MOST_FIELDS and layout.n_real <= _MOST_FIELDS):
        raise text.error(f"the format of {block} has an impossible number of columns.")
    return layout


def _columns(line: str) -> Layout | None:
    """Return the columns of a Fortran format: whole fields of one width, then real fields of one width."""
    match = _FORMAT.search(line)
    if match is None:
        return None
    whole: list[int] = []
    real: list[int] = []
    for piece in match[1].split(","):
        if piece.strip().lower() == "1p":
            continue  # a scale of written numbers
        found = _PIECE.fullmatch(piece.strip())
        if found is None or (found[2] in "iI" and real) or len(found[1]) > 6 or len(found[3]) > 6:
            return None
        (whole if found[2] in "iI" else real).extend([int(found[3])] * min(int(found[1] or 1), _MOST_FIELDS + 1))
    if len({*whole}) != 1 or len({*real}) > 1:
        return None
    return Layout(len(whole), whole[0], len(real), real[0] if real else 0)


def _rows(text: Text, layout: Layout, block: str, count: int | None) -> tuple[IntArray, Array, IntArray]:
    """Return whole fields (n, n_int), real fields (n, n_real) and filled whole fields (n,) of all rows of a block.

    count: rows announced, 0 if none were (then -1 must close the block), None if the caller counts by himself.
    """
    from floatframe.io.ansys.apdl import _kernels as kernels

    data, first = text.bytes_view, text.line + 1
    rows, end = kernels.count_rows(data, text.position)
    ints = np.empty((rows, layout.n_int), dtype=np.int64)
    reals = np.empty((rows, layout.n_real))
    filled, starts = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int64)
    bad = kernels.read_rows(data, text.position, *layout, ints, reals, filled, starts)
    if bad >= 0:
        raise text.error(f"a row of {block} does not hold whole numbers in columns of {layout.int_width}.", first + bad)
    start = layout.n_int * layout.int_width
    for row, column in np.argwhere(np.isnan(reals)):
        place = int(starts[row]) + start + int(column) * layout.real_width
        stop = min(place + layout.real_width, int(starts[row + 1]) if row + 1 < rows else end)
        reals[row, column] = _real(text, text.data[place:stop], first + int(row), block)
    text.skip_to(end, rows)
    closing = text.peek_line().strip()
    closed = closing.startswith("-1") or closing.upper().startswith(("N,", "EN,"))
    if count and rows != count:
        raise text.error(
            f"{block} announces {count} rows, but {rows} were found; the file is broken or truncated here."
        )
    if not closed and count == 0 and (text.position >= len(text.data) or not _is_command(closing)):
        raise text.error(f"{block} is not closed by -1; the file is broken or truncated here.")
    if closed:
        text.next_line()
    return ints, reals, filled


def _is_command(line: str) -> bool:
    return not line or line[0].isalpha() or line[0] in "/*!_"


def _values(text: Text, per_line: int, width: int, count: int, block: str) -> Array:
    """Return `count` whole numbers laid out in lines of fixed columns."""
    if not 0 <= count <= len(text.data):
        raise text.error(f"{block} announces {count} items, more than the file can hold.")
    values: list[float] = []
    while len(values) < count:
        if text.position >= len(text.data):
            raise text.error(f"{block} announces {count} items, but the file ends after {len(values)}.")
        line = text.next_line() or ""
        here = min(per_line, count - len(values))
        values += [text.integer(line[k * width : (k + 1) * width].strip(), f"item of {block}") for k in range(here)]
    return np.array(values, dtype=np.int64)


def _field(text: Text, line: str, start: int, width: int) -> float:
    piece = line[start : start + width].strip()
    return _real(text, piece.encode("latin-1"), text.line, "RLBLOCK") if piece else 0.0


def _real(text: Text, raw: bytes, line: int, block: str) -> float:
    piece = raw.decode("latin-1").strip()
    try:
        value = float(piece.upper().replace("D", "E"))
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        shown = piece.replace("\x00", "").strip()[:30]
        raise text.error(f"{block} needs a number here, found '{shown}'; the file is broken here.", line)
    return value
