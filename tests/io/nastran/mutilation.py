"""Damage to the lines of a deck."""

from __future__ import annotations

import random

_WORDS = [
    *(b"0", b"-1", b"1.0", b"9" * 23, b"THRU", b"", b"1.E+400", b"NaN", b"*", b"+", b",", b"'", b"123456", b"1.5+3"),
    *(b"\xff\xfe", b"=", b"ABC", b"\x00", b"UM", b"YES"),
]


def mutilated(lines: list[bytes], rng: random.Random) -> bytes:
    """Drop, repeat, swap, cut or change a few lines."""
    lines = list(lines)
    for _ in range(rng.randint(1, 3)):
        k, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        line = lines[k]
        at = rng.randrange(len(line) + 1)
        choice = rng.randrange(8)
        if choice == 0:
            del lines[k]
        elif choice == 1:
            lines.insert(k, lines[other])
        elif choice == 2:
            lines[k], lines[other] = lines[other], line
        elif choice == 3:
            lines[k] = line[:at]
        elif choice == 4:
            lines[k] = line[:at] + bytes([rng.randrange(256)]) + line[at + 1 :]
        elif choice == 5:
            fields = line.split(b",")
            fields[rng.randrange(len(fields))] = rng.choice(_WORDS)
            lines[k] = b",".join(fields)
        elif choice == 6:
            lines[k] = line[:at] + rng.choice(_WORDS) + line[at:]
        elif rng.random() < 0.2:
            lines = lines[: k + 1]
        lines = lines or [b""]
    return b"\n".join(lines)
