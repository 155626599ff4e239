"""Reading a mesh of half a million nodes: our readers of ANSYS .cdb and Abaqus .inp files beside other readers.

Every reader runs in fresh processes, best of three, and must find the same nodes before a time is printed. Times are
processor times, which a busy machine does not change; all readers use one thread. Memory is the peak of the process
above what its imports take. mapdl-archive finds nodes and elements only; ours gives the model.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

SPEED_LIMIT = 40.0  # MB/s, or
RATIO_LIMIT = 0.5  # of the speed of mapdl-archive
MEMORY_LIMIT = 4.0  # times the size of the file


def mesh(n: int) -> tuple[Any, Any]:
    """Return node places (n³, 3) and hexahedra ((n-1)³, 8), numbered from 1, of a cube with awkward numbers."""
    ticks = np.linspace(0.0, 1.0 / 3.0, n)
    xyz = np.stack(np.meshgrid(ticks, ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 3)
    number = 1 + np.arange(n**3).reshape(n, n, n)
    low, high = slice(None, -1), slice(1, None)
    places = ((low, low), (high, low), (high, high), (low, high))
    corners = [number[x, y, z].ravel() for z in (low, high) for x, y in places]
    return xyz, np.stack(corners, axis=1)


def write_cdb(path: Path, xyz: Any, cells: Any) -> None:
    """Write an archive as CDWRITE does."""
    with path.open("w", encoding="ascii") as file:
        file.write("/PREP7\nET,1,185\nMP,EX,1,2.1e11\nMP,NUXY,1,0.3\nMP,DENS,1,7850\n")
        file.write(f"NBLOCK,6,SOLID,{len(xyz):10d},{len(xyz):10d}\n(3i9,6e21.13e3)\n")
        for number, (x, y, z) in enumerate(xyz.tolist(), start=1):
            file.write(f"{number:9d}        0        0{_real(x)}{_real(y)}{_real(z)}\n")
        file.write(f"N,R5.3,LOC,       -1,\nEBLOCK,19,SOLID,{len(cells):10d},{len(cells):10d}\n(19i9)\n")
        head = f"{1:9d}{1:9d}{1:9d}{1:9d}{0:9d}{0:9d}{0:9d}{0:9d}{8:9d}{0:9d}"
        for number, row in enumerate(cells.tolist(), start=1):
            file.write(head + f"{number:9d}" + "".join(f"{node:9d}" for node in row) + "\n")
        file.write("       -1\nFINISH\n")


def _real(value: float) -> str:
    mantissa, power = f"{value:.13E}".split("E")
    return f"{mantissa}E{int(power):+04d}".rjust(21)


def write_inp(path: Path, xyz: Any, cells: Any) -> None:
    """Write a deck for Abaqus or CalculiX."""
    with path.open("w", encoding="ascii") as file:
        file.write("*NODE\n")
        file.writelines(f"{number}, {x!r}, {y!r}, {z!r}\n" for number, (x, y, z) in enumerate(xyz.tolist(), start=1))
        file.write("*ELEMENT, TYPE=C3D8, ELSET=ALL\n")
        file.writelines(f"{number}, " + ", ".join(map(str, row)) + "\n" for number, row in enumerate(cells.tolist(), 1))
        file.write("*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850.0\n")
        file.write("*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n")


def floatframe_reader(path: Path) -> Any:
    import floatframe as ff

    fe = ff.io.read(path)
    return fe.nodes


def mapdl_reader(path: Path) -> Any:
    import mapdl_archive

    return mapdl_archive.Archive(path, parse_vtk=False).nodes


def meshio_reader(path: Path) -> Any:
    import meshio

    return meshio.abaqus.read(path).points


READERS = {"floatframe": floatframe_reader, "mapdl-archive": mapdl_reader, "meshio": meshio_reader}


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _measure(name: str, path: Path, warm: Path, answer: Any) -> None:
    """Read a small file first, so that imports and compiled code are there, then the large one."""
    READERS[name](warm)
    before = _peak()
    start = time.process_time()
    nodes = READERS[name](path)
    answer.send((time.process_time() - start, _peak() - before, float(np.abs(nodes).sum())))


def measure(name: str, path: Path, warm: Path, repeat: int = 3) -> tuple[float, int, float]:
    """Return the shortest time [s], the least memory [bytes] and a sum over the coordinates."""
    found = []
    for _ in range(repeat):
        receive, send = multiprocessing.Pipe(duplex=False)
        child = multiprocessing.get_context("spawn").Process(target=_measure, args=(name, path, warm, send))
        child.start()
        child.join()
        found.append(receive.recv())
    return min(f[0] for f in found), min(f[1] for f in found), found[0][2]


def table(n: int) -> dict[str, float]:
    """Print the table and return speeds [MB/s] and memory over file size by reader and format."""
    numbers: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        xyz, cells = mesh(n)
        total = float(np.abs(xyz).sum())
        small = mesh(14)  # long enough for the compiled readers
        print(f"Import of {len(xyz)} nodes and {len(cells)} hexahedra")
        for suffix, write, readers in (
            (".cdb", write_cdb, ("floatframe", "mapdl-archive")),
            (".inp", write_inp, ("floatframe", "meshio")),
        ):
            path, warm = Path(folder) / f"large{suffix}", Path(folder) / f"small{suffix}"
            write(path, xyz, cells)
            write(warm, *small)
            size = path.stat().st_size
            for name in readers:
                seconds, memory, found = measure(name, path, warm)
                if abs(found / total - 1.0) > 1e-9:
                    raise SystemExit(f"{name} reads other coordinates from {path.name}: its time means nothing")
                numbers[f"{name}{suffix}"] = size / seconds / 1e6
                numbers[f"{name}{suffix} memory"] = memory / size
                print(
                    f"  {suffix} {size / 1e6:6.1f} MB  {name:14s} {seconds:6.2f} s  {size / seconds / 1e6:7.1f} MB/s  "
                    f"memory {memory / size:5.2f} x file"
                )
    return numbers


def main(argv: list[str] | None = None) -> int:
    """Return 1 if our readers miss a limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench_import", description=__doc__)
    parser.add_argument("--side", type=int, default=80, help="nodes along an edge of the cube")
    numbers = table(parser.parse_args(argv if argv is not None else []).side)
    slow = [
        suffix
        for suffix in (".cdb", ".inp")
        if numbers[f"floatframe{suffix}"] < min(SPEED_LIMIT, RATIO_LIMIT * numbers["mapdl-archive.cdb"])
    ]
    large = [suffix for suffix in (".cdb", ".inp") if numbers[f"floatframe{suffix} memory"] > MEMORY_LIMIT]
    limits = f"{SPEED_LIMIT:g} MB/s or {RATIO_LIMIT:g} x mapdl-archive, memory {MEMORY_LIMIT:g} x file"
    missed = [f"{suffix} is too slow" for suffix in slow] + [f"{suffix} takes too much memory" for suffix in large]
    print(f"  limits: {limits}: {', '.join(missed) or 'kept'}")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
