"""HDF5 made by others: what lies elsewhere, or would be larger than its file can hold, is refused before it is read."""

from __future__ import annotations

import zlib

import h5py
import numpy as np
import pytest

import floatframe as ff
from floatframe.errors import ReadError

NAME = "nodes"


@pytest.fixture
def plate(tmp_path):
    path = tmp_path / "plate.h5"
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    ff.io.write(path, ff.fem.plate_grid(1.0, 1.0, nx=2, ny=2, thickness=0.01, material=steel))
    return path


def _virtual(file: h5py.File) -> None:
    layout = h5py.VirtualLayout(shape=(9, 3), dtype="f8")
    layout[:] = h5py.VirtualSource("other.h5", "x", shape=(9, 3))
    file.create_virtual_dataset(NAME, layout)


def _outside(file: h5py.File) -> None:
    file.create_dataset(NAME, shape=(9, 3), dtype="f8", external=[("/etc/hostname", 0, 216)])


def _external_link(file: h5py.File) -> None:
    file[NAME] = h5py.ExternalLink("other.h5", "x")


def _soft_link(file: h5py.File) -> None:
    file[NAME] = h5py.SoftLink("/node_ids")


def _huge(file: h5py.File) -> None:
    file.create_dataset(NAME, shape=(10**9, 3), dtype="f8", chunks=(1000, 3), compression="gzip")


def _huge_pieces(file: h5py.File) -> None:
    """216 bytes in a piece that unpacks to 128 MiB."""
    packer, zeros = zlib.compressobj(1), bytes(1 << 24)
    piece = b"".join([*(packer.compress(zeros) for _ in range(8)), packer.flush()])
    shape = {"shape": (9, 3), "maxshape": (None, 3), "chunks": ((1 << 27) // 24, 3)}
    file.create_dataset(NAME, dtype="f8", compression="gzip", **shape).id.write_direct_chunk((0, 0), piece)


def _other_filter(file: h5py.File) -> None:
    file.create_dataset(NAME, data=np.zeros((9, 3)), chunks=(9, 3), compression="lzf")


def _group(file: h5py.File) -> None:
    file.create_group(NAME)


def _references(file: h5py.File) -> None:
    file.create_dataset(NAME, shape=(9, 3), dtype=h5py.ref_dtype)


def _loop(file: h5py.File) -> None:
    file[NAME] = file["/"]


@pytest.mark.parametrize(
    ("forge", "said"),
    [
        (_virtual, "other files, which are not read"),
        (_outside, "other files, which are not read"),
        (_external_link, "a link to another place, which is not followed"),
        (_soft_link, "a link to another place, which is not followed"),
        (_huge, "would have 24000000000 bytes, more than a file of"),
        (_huge_pieces, "kept in pieces of 134217720 bytes"),
        (_other_filter, "packed in a way that floatframe does not use"),
        (_group, "it is not an array"),
        (_references, "expected numbers or text"),
        (_loop, "it is not an array"),
    ],
)
def test_forged_arrays_are_refused_by_their_field(plate, forge, said):
    with h5py.File(plate, "r+") as file:
        del file[NAME]
        forge(file)
    with pytest.raises(ReadError, match=rf"plate.h5': field '{NAME}' is missing or damaged .*{said}"):
        ff.io.read(plate)
