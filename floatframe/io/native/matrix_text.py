"""A structure handed over as plain text by any program: nodes, stiffness and mass in three files of one name.

NAME.nodes holds one node per line, `number x y z [components]`, with components such as 123 or 123456 (the default),
and optionally lines `set HUB 1 2 3` and `fix 1 123456`. NAME.mg (stiffness) and NAME.mm (mass) hold `row column value`
with rows counted from 1 in the order of the nodes file, or are Matrix Market files. One triangle is enough. A # or %
begins a comment. A mass file with one number per line is a diagonal.
"""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import numpy as np
from scipy.sparse import coo_array, csc_array, triu

from floatframe.arrays import IntArray, SparseMatrix
from floatframe.errors import ReadError
from floatframe.fem import MatrixModel
from floatframe.io.atomic import complete_file
from floatframe.io.format import Format
from floatframe.io.import_log import ImportLog

NAME = "matrices as text"
_STIFFNESS, _MASS = ".mg", ".mm"


def load(path: Path, log: ImportLog) -> MatrixModel:
    """Return the model whose node file this is."""
    node_ids, xyz, dofs = [], [], []
    sets: dict[str, list[int]] = {}
    supports: list[tuple[int, int]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        words = line.split("#")[0].split("%")[0].replace(",", " ").split()
        if not words:
            continue
        try:
            if words[0].lower() == "set":
                sets.setdefault(words[1], []).extend(int(word) for word in words[2:])
            elif words[0].lower() == "fix":
                supports += [(int(words[1]), k) for k in _components(words[2] if len(words) > 2 else "123456")]
            else:
                node = int(words[0])
                node_ids.append(node)
                xyz.append([float(word.lower().replace("d", "e")) for word in words[1:4]])
                if len(words) not in (4, 5):
                    raise ValueError
                dofs += [(node, k) for k in _components(words[4] if len(words) > 4 else "123456")]
        except (ValueError, IndexError):
            raise log.error(
                f"'{line.strip()[:60]}' is not a node; expected: number x y z [components such as 123].", number
            ) from None
    if not node_ids:
        raise log.error("there are no nodes in the file.")
    n = len(dofs)
    K, M = (_matrix(path.with_suffix(suffix), n) for suffix in (_STIFFNESS, _MASS))
    log.took("nodes", len(node_ids))
    log.took("dofs", n)
    return MatrixModel(
        np.array(xyz),
        np.array(node_ids, dtype=np.int64),
        np.array(dofs, dtype=np.int64),
        K,
        M,
        {name: np.array(members, dtype=np.int64) for name, members in sets.items()},
        np.array(supports, dtype=np.int64).reshape(-1, 2),
        name=path.stem,
    )


def write(path: Path, model: MatrixModel) -> None:
    """Write the three files; the node file, by which they are read, comes last."""
    for suffix, matrix in ((_STIFFNESS, model.K), (_MASS, model.M)):
        half = triu(matrix).tocoo()
        table = np.column_stack([half.coords[0] + 1, half.coords[1] + 1, half.data])
        with complete_file(path.with_suffix(suffix)) as temporary:
            np.savetxt(temporary, table, fmt=("%d", "%d", "%.17g"), header="row column value, upper triangle")
    lines = ["# number x y z components"]
    for node, place in zip(model.node_ids.tolist(), model.nodes.tolist(), strict=True):
        held = "".join(str(k + 1) for k in model.dofs[model.dofs[:, 0] == node, 1])
        lines.append(f"{node} {' '.join(f'{x:.17g}' for x in place)} {held or 0}")
    lines += [f"set {name} {' '.join(map(str, members))}" for name, members in model.node_sets.items()]
    lines += [f"fix {node} {component + 1}" for node, component in model.supports.tolist()]
    with complete_file(path) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")


FORMAT: Format = Format(NAME, (".nodes",), MatrixModel, None, write, load=load)


def _components(word: str) -> list[int]:
    """Return components 0..5 of a word of digits; 0 is none."""
    found = sorted({int(letter) - 1 for letter in word if letter != "0"})
    if not word.isdigit() or (found and not 0 <= found[0] <= found[-1] < 6):
        raise ValueError
    return found


def _matrix(path: Path, n: int) -> SparseMatrix:
    if not path.is_file():
        raise ReadError(f"'{path}': the file does not exist; it must hold the matrix for these nodes.")
    data = path.read_bytes()
    if data.startswith(b"%%MatrixMarket"):
        return _matrix_market(path, data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an empty file is answered below
            table = np.loadtxt(io.BytesIO(data.replace(b"D", b"e").replace(b",", b" ")), comments=("#", "%"), ndmin=2)
    except ValueError as error:
        text = str(error).split(";")[0]
        raise ReadError(f"'{path}' must hold lines `row column value`: {text}.") from None
    if table.shape[1] == 1 and len(table) == n:
        return csc_array(coo_array((table[:, 0], (np.arange(n), np.arange(n))), shape=(n, n)))
    if table.size == 0 or table.shape[1] != 3:
        raise ReadError(f"'{path}' must hold lines `row column value`; found {table.shape[1]} numbers per line.")
    return _symmetric(path, _index(path, table[:, 0], n), _index(path, table[:, 1], n), table[:, 2], n)


def _index(path: Path, column: np.ndarray, n: int) -> IntArray:
    whole = (column == np.floor(column)) & (column >= 1) & (column <= n)
    if not whole.all():
        raise ReadError(f"'{path}' names row or column {column[~whole][0]:g}; the nodes have rows 1 to {n}.")
    return column.astype(np.int64) - 1


def _symmetric(path: Path, row: IntArray, column: IntArray, values: np.ndarray, n: int) -> SparseMatrix:
    """Return the matrix; where only one triangle is given the other one follows."""
    if not ((row > column).any() and (row < column).any()):
        off = row != column
        row, column, values = np.r_[row, column[off]], np.r_[column, row[off]], np.r_[values, values[off]]
    return csc_array(coo_array((values, (row, column)), shape=(n, n)))


def _matrix_market(path: Path, data: bytes) -> SparseMatrix:
    from scipy.io import mmread

    try:
        return csc_array(mmread(io.BytesIO(data)))
    except (ValueError, TypeError, OverflowError) as error:
        raise ReadError(f"'{path}' is a broken Matrix Market file: {error}.") from error
