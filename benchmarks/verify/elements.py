"""Our elements beside published ones on the same meshes: the page docs/reference/elements.md.

The page is written again when numbers of it have changed; the one row then fails once, so that the change is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from benchmarks.verify import laminates, shells, solids
from benchmarks.verify._quadrilaterals import quoted
from benchmarks.verify._triangles import PUBLISHED, solved
from benchmarks.verify.rows import Row

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "elements.md"
LAST_DIGIT = 1.1e-3  # numbers are printed with three decimals; one step of the last is round-off
SHELLS = ("shell3", *PUBLISHED, "shell4", "shell6", "shell8")

# ratios to the targets of their day, and those targets (MacNeal and Harder 1985)
QUAD4 = {
    ("A14 straight beam", "extension", "6x1"): (0.995, 3.0e-5),
    ("A14 straight beam", "in-plane", "6x1"): (0.904, 0.1081),
    ("A14 straight beam", "out-of-plane", "6x1"): (0.986, 0.4321),
    ("A14 straight beam", "twist", "6x1"): (0.941, 0.03208),
    ("A15 curved beam", "in-plane", "6x1"): (0.833, 0.08734),
    ("A15 curved beam", "out-of-plane", "6x1"): (0.951, 0.5022),
    ("A16 twisted beam t=0.32", "in-plane", "12x2"): (0.993, 0.005424),
    ("A16 twisted beam t=0.32", "out-of-plane", "12x2"): (0.985, 0.001754),
    ("A17 simple plate 1:1", "centre, pressure", "8x8 quarter"): (1.002, 4.062),
    ("A17 simple plate 1:5", "centre, pressure", "8x8 quarter"): (0.998, 12.97),
    ("A17 clamped plate 1:1", "centre, point", "8x8 quarter"): (1.010, 5.60),
    ("A17 clamped plate 1:5", "centre, point", "8x8 quarter"): (0.972, 7.23),
    ("A18 Scordelis-Lo roof", "free edge", "4x4 quarter"): (1.050, 0.3024),
    ("A18 Scordelis-Lo roof", "free edge", "8x8 quarter"): (1.008, 0.3024),
    ("A20 hemisphere with hole", "under load", "4x4 quarter"): (1.024, 0.0940),
    ("A20 hemisphere with hole", "under load", "8x8 quarter"): (1.005, 0.0940),
}
# the same for solids, by our element
SOLIDS = {
    ("hex8: extension", "6x1x1"): ("HEXA(8)", 0.988),
    ("hex8: in-plane shear", "6x1x1"): ("HEXA(8)", 0.978),
    ("hex8: out-of-plane shear", "6x1x1"): ("HEXA(8)", 0.973),
    ("hex20: extension", "6x1x1"): ("HEX20", 0.994),
    ("hex20: in-plane shear", "6x1x1"): ("HEX20", 0.970),
    ("hex20: out-of-plane shear", "6x1x1"): ("HEX20", 0.961),
    ("hex8: t = 0.32, along z", "12x2x1"): ("HEXA(8)", 0.983),
    ("hex8: t = 0.32, along y", "12x2x1"): ("HEXA(8)", 0.977),
    ("hex20_reduced: t = 0.32, along z", "12x2x1"): ("HEX20(R)", 0.993),
    ("hex20_reduced: t = 0.32, along y", "12x2x1"): ("HEX20(R)", 0.999),
}

HEAD = """# Elements beside published ones

MacNeal and Harder's standard problems (1985), the classical shells and a few thin cases. Each number is a displacement
over its target: 1 is right, less is too stiff. `make verify` makes this page; the problems are in
`benchmarks/verify/shells.py` and `solids.py`, where the targets and their sources stand. Triangles have the meshes of
quadrilaterals, each cut in two.

## Shells

Computed here on the same meshes, as flat facets: ANDES is the optimal membrane triangle with drilling rotations of
Felippa (2003), CST constant strain, DKMT the discrete Kirchhoff-Mindlin plate of Katili (1993), MITC3+ that of Lee, Lee
and Bathe (2014), whose membrane is constant strain. QUAD4 is quoted from MacNeal and Harder (1985), related to the same
targets; in the last column stand the four-node shell of OptiStruct (verification problems OS-V:0710 and 0720) and, in
the plane, GCMQ, a membrane with drilling rotations (Chang and others 2019). shell6 and shell8 have as many elements as
the others, but for the pinched cylinder, where they have as many nodes (16x16).
"""


def problems() -> Iterator[Row]:
    """Compare the page with numbers of now, and write it where they differ."""
    fresh = page()
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    changed = differences(old, fresh)
    if changed:
        PAGE.write_text(fresh, encoding="utf-8")
    what = "cells that were out of date (the page is new now)"
    yield Row("docs/reference/elements.md", what, 0.0, float(changed), 0.0)


def page() -> str:
    """Return the text of the page."""
    text = [HEAD, *_table(("problem", "quantity", "mesh", *SHELLS, "QUAD4", "another"), _shell_cells())]
    text += [
        "",
        "## Laminates",
        "",
        "Deflections, frequencies, stresses over their targets: NAFEMS R0031, first-order theory by Navier's series.",
        "",
    ]
    text += _table(("problem", "quantity", "mesh", "shell3", "shell4"), _laminate_cells())
    text += [
        "",
        "## Solids",
        "",
        "HEXA(8), HEX20 and HEX20(R), with reduced integration, are quoted from MacNeal and Harder (1985).",
        "",
    ]
    text += _table(("problem", "quantity", "mesh", "ours", "published", ""), _solid_cells())
    return "\n".join(text) + "\n"


def differences(old: str, new: str) -> int:
    """Count cells that differ by more than a step of the last digit printed."""
    cells = [[cell.strip() for line in text.splitlines() for cell in line.split("|")] for text in (old, new)]
    return sum(not _same(a, b) for a, b in zip_longest(*cells, fillvalue=""))


def _same(a: str, b: str) -> bool:
    try:
        return abs(float(a) - float(b)) <= LAST_DIGIT
    except ValueError:
        return a == b


def _shell_cells() -> Iterator[tuple[str, ...]]:
    for problem in shells.MACNEAL:
        for rows in zip(*(solved(problem, element) for element in SHELLS), strict=True):
            row = rows[0]
            mesh = row.mesh.split(" ", 1)[1]
            ratio, target = QUAD4.get((row.problem, row.quantity, mesh), (None, row.target))
            quad4 = "" if ratio is None else f"{ratio * target / row.target:.3f}"
            other = quoted(row.problem, row.quantity, mesh)
            another = "" if other is None else f"{other[1] / row.target:.3f} {other[0]}"
            ours = (f"{found.ours / found.target:.3f}" for found in rows)
            yield (_title(row), row.quantity, mesh, *ours, quad4, another)


def _laminate_cells() -> Iterator[tuple[str, ...]]:
    kinds = (laminates.published("", triangles) for triangles in (True, False))
    for third, fourth in zip(*kinds, strict=True):
        ratios = (f"{row.ours / row.target:.3f}" for row in (third, fourth))
        quantity = re.sub(r" \[.*", "", third.quantity.removeprefix(": "))
        yield (third.problem, quantity, third.mesh, *ratios)


def _solid_cells() -> Iterator[tuple[str, ...]]:
    for problem in (solids.straight_beam, solids.twisted_beam, solids.scordelis_lo_roof, solids.pinched_hemisphere):
        for row in problem():
            name, ratio = SOLIDS.get((row.quantity, row.mesh), ("", None))
            other = "" if ratio is None else f"{ratio:.3f}"
            yield (_title(row), row.quantity, row.mesh, f"{row.ours / row.target:.3f}", name, other)


def _title(row: Row) -> str:
    """Return the name of the problem without its place in our list."""
    first, _, rest = row.problem.partition(" ")
    return rest if first[1:].isdigit() else row.problem


def _table(heads: tuple[str, ...], cells: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "|".join("---" if k < 3 else "---:" for k in range(len(heads))) + "|"
    for row in cells:
        yield "| " + " | ".join(row) + " |"
