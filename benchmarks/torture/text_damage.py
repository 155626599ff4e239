"""Damage by people and machines: other types, names that are markup, exchanged files, lost ends."""

from __future__ import annotations

import random
import re
from pathlib import Path

VALUES = (
    *("true", "-1", "0", "1e200", "1e308", "-1e-320", "nan", "inf", "9223372036854775807", "18446744073709551616"),
    *("1979-05-27", "07:32:00", "[]", "{}", "[[]]", "[1, [2, 'x']]", "{ a = 1 }", "''", "'\\u001b[31m'", "[1, 2]"),
    *("[0, 0, 0]", "[1e200, 0, 0]", "[nan, 0, 0]", "'1/0'", "'sqrt(-1)'", "'t^1e9'", "'1e200*t'", "'log(0)'"),
    *("'(t+1)^(t+1)^(t+1)'", "'@DATA@'", "'$x_{$'", "'[/bold]'", "'</script>'", "'..'", "'a.b'", "' '", "'ground'"),
    *("1000000", "100000000000", "1e-12", "'nan'", "'exp(exp(exp(9)))'", "'*'", "'/etc/passwd'", "'.'", "['*']"),
    *('"' + "*".join(["(1+0.1*sin(t))"] * 1000) + '"', '"' + "sin(" * 900 + "t" + ")" * 900 + '"'),
)
NAMES = (
    *(
        "$\\\\frac{$",
        "$x$",
        "$",
        "[red]x[/red]",
        "[/]",
        "@DATA@",
        "</script><b>",
        "é",
        "a b",
        "_",
        "nan",
        "t",
        "x" * 3000,
    ),
    *("%s", "{0}", "\\u202e", "\\u0007", "a/b", "..", "#", "'", "\\\\", "\\n", "ground", "\U0001f600"),
)


def text_damage(chance: random.Random, content: bytes, others: list[Path]) -> bytes:
    """Damage to a file of which text_damage makes another one that might well be meant."""
    kind = chance.randrange(8)
    if kind <= 2:
        return _other_value(chance, content)
    if kind == 3:
        return _other_name(chance, content)
    if kind == 4:
        return chance.choice(others).read_bytes()
    if kind == 5:  # what a machine that loses its power may leave: the length is right, the blocks are not
        start = chance.randrange(len(content) + 1)
        size = chance.choice((512, 4096, len(content)))
        return (content[:start] + b"\0" * min(size, len(content) - start) + content[start + size :])[: len(content)]
    if kind == 6:
        return _repeated(chance, content)
    return _exponent(chance, content)


def _other_value(chance: random.Random, content: bytes) -> bytes:
    """A value of TOML of another type, or another number where there are none."""
    found = list(re.finditer(rb"(?<== )[^\n#]+|(?<=[\[, ])[-+.\deE]+(?=[\],])", content))
    if not found:
        return _exponent(chance, content)
    for one in sorted(chance.sample(found, min(len(found), chance.choice((1, 1, 1, 2)))), key=lambda m: -m.start()):
        content = content[: one.start()] + chance.choice(VALUES).encode() + content[one.end() :]
    return content


def _other_name(chance: random.Random, content: bytes) -> bytes:
    """One name that is given in quotation marks is another one wherever it occurs."""
    names = sorted(
        set(re.findall(rb'(?<=name = ")[^"\n]+(?=")', content)) or set(re.findall(rb"[A-Za-z_]{3,}", content))
    )
    if not names:
        return content[::-1]
    return content.replace(chance.choice(names), chance.choice(NAMES).encode())


def _repeated(chance: random.Random, content: bytes) -> bytes:
    """A part of the file comes again and again."""
    first, second = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    times = chance.choice((2, 50, 2000))
    return content[:second] + content[first:second][:20_000] * times + content[second:]


def _exponent(chance: random.Random, content: bytes) -> bytes:
    """Some or all numbers of a text become very large, very small or integers beyond 64 bits."""
    found = list(re.finditer(rb"(?<![\w.])[-+]?\d+\.?\d*(?:[eEdD][-+]?\d+)?(?![\w.])", content[:100_000]))
    if not found:
        return content + b"\xff" * 100
    put = chance.choice(
        (b"1e200", b"-1e200", b"1e-200", b"18446744073709551616", b"9223372036854775807", b"-2147483649")
    )
    several = chance.sample(found, min(len(found), chance.choice((1, 1, 3, len(found)))))
    for one in sorted(several, key=lambda m: -m.start()):
        content = content[: one.start()] + put + content[one.end() :]
    return content
