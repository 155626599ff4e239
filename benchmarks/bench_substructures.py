"""Table 2.1 of Mikheev (2004) on our locomotive body: memory and time with and without substructures and renumbering.

Each division is judged twice: as the source stores it, in profiles of the interiors C_i and of the boundary system G,
with the nodes as they are numbered and after wave renumbering; and as our solver stores it, in fronts of a tree,
ordered by dissection or by waves. Cuts are planes across the length: where they leave interiors of equal numbers of
dofs, for the last row at equal distances. Frequencies are compared before anything is printed. Processor time of the
whole does not depend on what else the machine does; the other times are those of the clock.
`python -m benchmarks.bench_substructures [--refine 1.0] [--rows 1 10 "16(1)"]`
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass

import numpy as np

from floatframe.fem import FEModel
from floatframe.modal import LanczosOptions, Modes, Profiles, by_planes, eigenmodes, profiles
from floatframe.samples.locomotive_body import build

N_MODES = 10
AGREEMENT = 1e-8  # of the frequencies of all divisions
MB = 1e-6
# parts of Mikheev's table: memory of the profiles of C_i and of G [MB], rows of G
SOURCE = {
    "1": "> 2000 | – | –",
    "3": "1820 | – | –",
    "5": "1308 | – | –",
    "7": "884 | – | –",
    "10": "686 | 46 | 6144",
    "16(1)": "407 | 103 | 11972",
    "16(2)": "360 | 188 | 14732",
}


@dataclass(frozen=True)
class Row:
    """One division of the body."""

    name: str
    stored: Profiles
    modes: dict[str, Modes]  # by ordering
    processor: dict[str, float]  # time of it [s]

    def profile_cells(self) -> str:
        before, after = (8 * MB * sum(entries) for entries in (self.stored.before, self.stored.after))
        boundary = f"{8 * MB * self.stored.boundary:.0f} | {self.stored.boundary_size}" if self.name != "1" else "– | –"
        return f"{before:.0f} | {after:.0f} | {boundary}"

    def tree_cells(self, ordering: str) -> str:
        spent = self.modes[ordering].statistics
        report = spent.report
        if report is None or report.solve_seconds is None:
            raise SystemExit("the body is too small for substructures; use a finer one")
        memory = f"{MB * report.interior_memory:.0f} + {MB * report.boundary_memory:.0f}"
        step = spent.solve_seconds / spent.steps
        times = f"{spent.factor_seconds:.1f} | {step:.2f} | {spent.total_seconds:.1f} | {self.processor[ordering]:.1f}"
        return f"{memory} | {report.boundary_size} | {times}"


def planes(x: np.ndarray, name: str) -> list[float]:
    """Where to cut: at equal shares of the dofs, or at equal distances."""
    parts = int(name.partition("(")[0])
    if name.endswith("(2)"):
        return np.linspace(x.min(), x.max(), parts + 1)[1:-1].tolist()
    return np.unique(np.quantile(x, np.arange(1, parts) / parts)).tolist()


def measured(fe: FEModel, name: str) -> Row:
    place = fe.nodes[fe.node_index(fe.dofs[:, 0])]
    division = None if name == "1" else by_planes(place, planes(place[:, 0], name), 0, fe.ndof)
    ways = [LanczosOptions(division=division, ordering=ordering) for ordering in ("metis", "wave")]
    modes, processor = {}, {}
    for way in ways:
        begun = time.process_time()
        modes[way.ordering] = eigenmodes(fe, N_MODES, fixed=["pivots"], options=way)
        processor[way.ordering] = time.process_time() - begun
    free = fe.free_rows(["pivots"])
    K = fe.stiffness()[free][:, free]
    return Row(name, profiles(K, None if division is None else division[free]), modes, processor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--refine", type=float, default=1.0, help="of the mesh of the body")
    parser.add_argument("--rows", nargs="+", choices=SOURCE, default=list(SOURCE), help="of the table (default: all)")
    asked = parser.parse_args()
    fe = build(asked.refine)
    eigenmodes(build(0.2), 2, options=LanczosOptions(ordering="wave"))  # compiles
    rows = [measured(fe, name) for name in asked.rows]
    first = rows[0].modes["metis"].frequency
    worst = max(float(np.abs(modes.frequency / first - 1.0).max()) for row in rows for modes in row.modes.values())
    if worst > AGREEMENT:
        raise SystemExit(f"frequencies of two divisions differ by {worst:.1e}, more than {AGREEMENT:g}")
    out = sys.stdout.write
    out(f"{fe.ndof} dofs, {N_MODES} modes, frequencies agree to {worst:.0e}\n")
    out("\nProfiles as the source stores them, MB\n\n")
    out("| parts | C source | G source | rows | C ours | C renumbered | G ours | rows |\n|" + "---|" * 8 + "\n")
    for row in rows:
        out(f"| {row.name} | {SOURCE[row.name]} | {row.profile_cells()} |\n")
    for ordering, words in (("metis", "dissection"), ("wave", "wave fronts")):
        out(f"\nTree of fronts, {words} inside the parts: MB of interiors + boundary, seconds\n\n")
        heads = "| parts | memory | rows of G | factor | step of the recurrence | whole | processor |"
        out(f"{heads}\n|" + "---|" * 7 + "\n")
        for row in rows:
            out(f"| {row.name} | {row.tree_cells(ordering)} |\n")


if __name__ == "__main__":
    main()
