"""OUTPUT4 files of Nastran (.op4), ASCII and binary.

They do not name their rows: `geometry` finds which dofs of which deck they are.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.fem import MatrixModel
from floatframe.io.deck import load_text
from floatframe.io.format import Format
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran.matrices.dmig import REAL_TYPES, NamedMatrix, has_both, ordered_model
from floatframe.io.nastran.matrices.geometry import find_geometry
from floatframe.io.nastran.matrices.op4_binary import read_binary, word_layout

_HEADER = re.compile(r"(?:[ \d]{7}\d)(?:[ \d-]{7}\d)(?:[ \d]{7}\d){2}([A-Za-z]\w{0,7}) *(?:1P,)?\d+E(\d+)\.\d+")
_LARGEST = 10**7  # rows of a matrix that is believed


def load(
    path: Path,
    log: ImportLog,
    nodes: Path | str | None = None,
    stiffness: str | None = None,
    mass: str | None = None,
    geometry: Path | str | None = None,
) -> MatrixModel:
    """Return the model of an OUTPUT4 file.

    nodes (or geometry): the deck with the grids, by default the .pch, .asm or deck of its name; stiffness, mass: names
    of the matrices if it is not clear which they are.
    """
    matrices = read_matrices(path, log)
    if not has_both(matrices, stiffness, mass):
        raise log.error(f"it holds no stiffness and mass matrices (matrices here: {', '.join(matrices) or 'none'}).")
    return ordered_model(matrices, find_geometry(None, log, nodes or geometry), log, stiffness, mass)


def read_matrices(path: Path, log: ImportLog) -> dict[str, NamedMatrix]:
    """Return the square real matrices of a file by name."""
    with path.open("rb") as file:
        opening = file.read(64)
    found: dict[str, NamedMatrix] = {}
    if word_layout(opening) is None:
        return _text_matrices(path, log)
    for matrix in read_binary(path, log):
        if matrix.ncol == matrix.nrow:
            found[matrix.name] = NamedMatrix.of_pieces(matrix.pieces, matrix.nrow, matrix.form == 6)
            if matrix.pieces:
                log.took(f"OUTPUT4 {matrix.name}")
        else:
            log.skip(f"OUTPUT4 {matrix.name}", "it is not square", physical=False)
    return found


def _text_matrices(path: Path, log: ImportLog) -> dict[str, NamedMatrix]:
    lines = load_text(path).tobytes().decode("latin-1").replace("\r", "").split("\n")
    found: dict[str, NamedMatrix] = {}
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        reader = _Op4Matrix(log, lines, at)
        at = reader.read()
        if reader.ncol == reader.nrow:
            found[reader.name] = reader.matrix()
            log.took(f"OUTPUT4 {reader.name}")
        else:
            log.skip(f"OUTPUT4 {reader.name}", "it is not square", physical=False, line=reader.start)
    return found


class _Op4Matrix:
    """One matrix: a header, then columns, each dense or in strings of consecutive rows."""

    def __init__(self, log: ImportLog, lines: list[str], at: int) -> None:
        self.log, self.lines, self.at, self.start = log, lines, at, at + 1
        header = lines[at]
        match = _HEADER.match(header)
        if match is None:
            raise log.error("this is not the header of an ASCII OUTPUT4 matrix.", self.start)
        self.ncol, nrow, self.form, type = (int(header[8 * k : 8 * k + 8]) for k in range(4))
        self.nrow = abs(nrow)
        self.name, self.width = match[1].upper(), int(match[2])
        if type not in REAL_TYPES:
            raise log.error(f"matrix {self.name} is complex; only real ones can be read.", self.start)
        if not (0 < self.ncol <= _LARGEST and 0 < self.nrow <= _LARGEST and 1 < self.width <= 40):
            raise log.error(f"matrix {self.name} has {self.nrow} rows and {self.ncol} columns.", self.start)
        self._entries: list[tuple[IntArray, int, Array]] = []

    def read(self) -> int:
        """Read all columns and return the line after the last one."""
        column, row, announced = 0, 0, 0
        values: list[float] = []
        self.at += 1
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if "." in line:
                values += self._numbers(line)
                self.at += 1
                continue
            self._store(column, row, announced, values)
            values, announced = [], 0
            words = self._whole(line)
            if len(words) == 3:
                column, row, announced = words
                if column > self.ncol:
                    # a last column beyond the matrix ends it, with one number that means nothing
                    return self.at + 2
            elif len(words) == 2:
                announced, row = words[0] - 1, words[1]
            else:
                length = words[0] // 65536 - 1
                announced, row = length, words[0] - 65536 * (length + 1)
            self.at += 1
        raise self.log.error(f"matrix {self.name} ends early; the file is truncated.", len(self.lines))

    def _store(self, column: int, row: int, announced: int, values: list[float]) -> None:
        if not values and (row == 0 or not announced):
            return
        # numbers count as one word or two, depending on precision and writer
        if row < 1 or not 1 <= column <= self.ncol or announced not in (len(values), 2 * len(values)):
            raise self.log.error(
                f"column {column} of matrix {self.name} announces {announced} words, but {len(values)} numbers follow.",
                self.at,
            )
        rows = np.arange(row - 1, row - 1 + len(values))
        if rows[-1] >= self.nrow:
            raise self.log.error(f"matrix {self.name} has entries beyond its {self.nrow} rows.", self.at)
        self._entries.append((rows, column - 1, np.array(values)))

    def _whole(self, line: str) -> list[int]:
        pieces = [line[k : k + 8].strip() for k in range(0, len(line.rstrip()), 8)]
        if not 1 <= len(pieces) <= 3 or not all(re.fullmatch(r"-?\d+", piece) for piece in pieces):
            raise self.log.error(f"matrix {self.name} needs one to three whole numbers here.", self.at + 1)
        return [int(piece) for piece in pieces]

    def _numbers(self, line: str) -> list[float]:
        pieces = [line[k : k + self.width].strip() for k in range(0, len(line.rstrip()), self.width)]
        try:
            values = [float(piece.upper().replace("D", "E")) for piece in pieces]
        except ValueError:
            raise self.log.error(f"matrix {self.name} holds text that is not a number.", self.at + 1) from None
        if not np.isfinite(values).all():
            raise self.log.error(f"matrix {self.name} holds numbers that are not finite.", self.at + 1)
        return values

    def matrix(self) -> NamedMatrix:
        return NamedMatrix.of_pieces(self._entries, self.nrow, self.form == 6, self.start)


def recognises(path: Path) -> bool:
    """Whether a file begins with the header of an OUTPUT4 matrix."""
    with path.open("rb") as file:
        opening = file.read(200)
    if word_layout(opening) is not None:
        return True
    return _HEADER.match(opening.split(b"\n")[0].decode("latin-1")) is not None


FORMAT: Format = Format(
    "Nastran OUTPUT4",
    (".op4",),
    (),
    recognises=recognises,
    load=load,
    options=("nodes", "stiffness", "mass", "geometry"),
)
