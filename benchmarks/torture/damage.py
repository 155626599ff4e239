"""Damage: at random, where formats are weak, and by somebody who knows the format (sound checksums, wrong content)."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import h5py
import numpy as np

NASTY = (
    *(b"", b"\0", b"-1", b"1e308", b"1e999", b"-1e308", b"nan", b"inf", b"99999999999999999999999", b"9" * 400, b"0"),
    *(
        b"1e200",
        b"\xff\xfe",
        b"\x1b[31mred",
        b"[bold]markup[/bold]",
        b"$\\alpha$",
        b"@DATA@",
        b"%s%n",
        b"../../etc/passwd",
    ),
    *(b"/dev/zero", b"*INCLUDE, INPUT=/etc/passwd", b"'", b'"', b"[[", b"]]", b"{", b"\n" * 50, b"(" * 300, b"," * 300),
)
LARGE = (-1, 0, 2**31 - 1, 2**31, 2**40, 2**62, 2**63 - 1)
NUMBERS = (float("nan"), float("inf"), -float("inf"), 1e200, -1e308, 5e-324, 0.0, -1.0)


def random_damage(chance: random.Random, content: bytes) -> bytes:
    """Bytes flipped, cut out, put in, exchanged; numbers and words replaced in text."""
    data = bytearray(content)
    kind = chance.randrange(9)
    if kind >= 7:
        return _text_damage(chance, content)
    if kind == 0:
        for _ in range(chance.choice((1, 1, 2, 8, 64))):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif kind == 1:
        del data[chance.randrange(len(data)) :]
    elif kind == 2:
        first = chance.randrange(len(data))
        del data[first : first + chance.choice((1, 7, 100, 4096))]
    elif kind == 3:
        place = chance.randrange(len(data))
        data[place:place] = chance.choice(NASTY)
    elif kind == 4:
        first, second = sorted(chance.randrange(len(data)) for _ in range(2))
        size = chance.choice((8, 64, 512))
        data[first : first + size] = data[second : second + size]
    else:
        words = [*_words(bytes(data))]
        if not words:
            return bytes(data[: len(data) // 2])
        first, stop = chance.choice(words)
        data[first:stop] = chance.choice(NASTY)
    return bytes(data)


def _text_damage(chance: random.Random, content: bytes) -> bytes:
    """What editors, transfers and other systems do to text, and lines that stand elsewhere, twice or nowhere."""
    kind = chance.randrange(10)
    if kind == 0:
        return chance.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\0")) + content
    if kind == 1:
        return content.decode("latin-1").encode(chance.choice(("utf-16", "utf-16-be", "utf-32")))
    if kind == 2:
        return content.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\0", b"\x0c\n", b"\n\n" * 99)))
    if kind == 3:
        return content[: 1024 * chance.randrange(1 + len(content) // 1024)]
    lines = content.split(b"\n")
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    if kind == 4:
        lines[first], lines[second] = lines[second], lines[first]
    elif kind == 5:
        lines.insert(second, lines[first])
    elif kind == 6:
        del lines[first]
    elif kind == 7:
        lines.insert(first, b"x = " + b"[" * chance.choice((50, 5000, 100_000)))
    elif kind == 8:
        lines[first] += b",1" * chance.choice((100, 100_000))
    else:
        lines[first] = lines[first].upper() if chance.random() < 0.5 else lines[first].replace(b" ", b"\t")
    return b"\n".join(lines)


def _words(text: bytes) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(rb"[\w.+-]+", text[:200_000])]


def forge(chance: random.Random, path: Path) -> str:
    """Change an HDF5 file through HDF5 itself, so that all checksums are sound; returns what was done."""
    with h5py.File(path, "r+") as file:
        names: list[str] = []
        file.visit(names.append)
        arrays = [name for name in names if isinstance(file[name], h5py.Dataset)]
        name = chance.choice(arrays)
        kind = chance.choice(
            (
                "values",
                "values",
                "values",
                "shape",
                "type",
                "huge",
                "external link",
                "soft link",
                "virtual",
                "outside",
                "group",
                "attribute",
                "text",
                "references",
                "gone",
                "loop",
                "kind",
                "scalar",
                "nothing",
                "everywhere",
            )
        )
        old = file[name]
        values = np.asarray(old[...])
        if kind == "values":
            flat = values.reshape(-1).copy()
            if flat.size and flat.dtype.kind in "fiub":
                for _ in range(chance.choice((1, 1, flat.size))):
                    with np.errstate(all="ignore"):
                        flat[chance.randrange(flat.size)] = nasty(chance, flat.dtype)
                old[...] = flat.reshape(values.shape)
            return kind
        if kind == "everywhere":
            put = chance.choice(NUMBERS)
            for one in (file[name] for name in arrays):
                if one.dtype.kind == "f" and one.size:
                    one[...] = np.full(one.shape, put)
            return kind
        if kind == "attribute":
            _forge_attribute(chance, file[chance.choice(["/", *names])])
            return kind
        del file[name]
        if kind == "shape":
            file[name] = values.reshape(-1)[: chance.randrange(values.size + 1)]
        elif kind == "type":
            file[name] = np.zeros(values.shape, chance.choice(("S3", "i1", "u8", "f2", "c16", "?")))
        elif kind == "huge":
            size = chance.choice((10**7, 10**10, 2**40))
            file.create_dataset(
                name, shape=(size, *values.shape[1:]), dtype=values.dtype, chunks=True, compression="gzip"
            )
        elif kind == "external link":
            file[name] = h5py.ExternalLink("/etc/passwd", "/x")
        elif kind == "soft link":
            file[name] = h5py.SoftLink(chance.choice(("/", "/nowhere", f"/{name}")))
        elif kind == "virtual":
            layout = h5py.VirtualLayout(shape=(10,), dtype="f8")
            layout[:] = h5py.VirtualSource(str(path.with_name("plate.h5")), "nodes", shape=(10,))
            file.create_virtual_dataset(name, layout)
        elif kind == "outside":
            file.create_dataset(name, shape=(20,), dtype="u1", external=[("/etc/passwd", 0, 20)])
        elif kind == "group":
            file.create_group(name)
        elif kind == "text":
            file[name] = chance.choice(("text", b"\xff", "\x1b[31m"))
        elif kind == "kind":
            file.create_dataset(name, shape=values.shape, dtype=chance.choice(_other_kinds()))
        elif kind == "references":
            file.create_dataset(name, shape=(3,), dtype=h5py.ref_dtype)
        elif kind == "scalar":
            file[name] = np.ones((), values.dtype)
        elif kind == "nothing":
            file[name] = h5py.Empty(values.dtype)
        elif kind == "loop":
            file[name] = file["/"]
        return kind


def _other_kinds() -> tuple[Any, ...]:
    """Kinds of values that HDF5 has and we do not use."""
    return (
        np.dtype([("a", "f8"), ("b", "S4")]),
        np.dtype("(3,)f8"),
        h5py.string_dtype(),
        h5py.vlen_dtype("f8"),
        h5py.enum_dtype({"a": 1, "b": 2}),
        h5py.regionref_dtype,
        np.dtype(">f8"),
        np.dtype("f4"),
    )


def nasty(chance: random.Random, dtype: Any) -> Any:
    """A number of a kind that nobody expects."""
    if dtype.kind == "f":
        return chance.choice(NUMBERS)
    if dtype.kind == "b":
        return True
    limits = np.iinfo(dtype)
    return min(max(chance.choice(LARGE), limits.min), limits.max)


def _forge_attribute(chance: random.Random, place: Any) -> None:
    names = list(place.attrs)
    if names:
        place.attrs[chance.choice(names)] = chance.choice(
            (
                -1,
                2**62,
                1e300,
                "text",
                b"\xff",
                np.arange(5),
                np.bytes_(b"x" * 200),
                np.nan,
                np.uint64(2**64 - 1),
                h5py.Empty("f8"),
            )
        )
