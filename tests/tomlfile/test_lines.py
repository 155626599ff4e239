"""Lines of paths in TOML texts, against texts written so that every key tells its own line."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import pytest

from floatframe.tomlfile.lines import toml_lines

SAMPLES = sorted((Path(__file__).parents[3] / "samples").rglob("*.toml"))


def paths(value, path=()):
    """Yield the paths of all tables, keys and entries."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from paths(inner, (*path, number))


TRICKY = '''\
k1 = 1 # [[no]] = "
"k 2".'k3' = """
k9 = "no"
[no]
\\""" still text"""" # two more quotation marks above
k7 = [ # comment ]
  "a, ] }", 'b # c',

  { k9 = 1, "k9 b" = [1,
    2] }, [[1], []],
]
[k12]
k13 = 1979-05-27 07:32:00
[k14.k14]
k15 = \'\'\'
# no
\'\'\'
[[k18]]
[k18.sub]
k20 = {}
[[k18.list]]
k22 = -inf
  [[ k18 . "list" ]]
  k24 = [{ k24 = { k24 = 0x1F } }]
[[k18]]
k26 = 'last\''''


def test_every_kind_of_writing():
    content, lines = tomllib.loads(TRICKY), toml_lines(TRICKY)
    assert set(paths(content)) == set(lines)
    rows = TRICKY.split("\n")
    for path, line in lines.items():
        named = [part for part in path if isinstance(part, str)]
        assert named[-1] in rows[line - 1] or isinstance(path[-1], int)
        if named[-1].startswith("k") and named[-1][1:].isdigit() and path[-1] == named[-1] and len(path) > 1:
            # keys are called after their lines
            assert line == int(named[-1][1:]) or named[-1] in ("k3",)
    assert lines["k7", 2] == lines["k7", 2, "k9"] == 9
    assert lines["k7", 2, "k9 b", 1] == 10
    assert lines["k18", 1] == 25
    assert lines["k18", 0, "list", 1] == 23


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_have_a_line_for_everything(path):
    text = path.read_text(encoding="utf-8")
    assert set(paths(tomllib.loads(text))) == set(toml_lines(text))


@pytest.mark.parametrize("seed", range(40))
def test_random_texts(seed):
    """Keys carry the number of the line they are written on."""
    rng = random.Random(seed)
    rows: list[str] = []

    def value(depth: int) -> str:
        kind = rng.randrange(7 if depth else 4)
        if kind == 0:
            return rng.choice(["1", "-2.5e3", "true", "nan", "2020-01-01"])
        if kind == 1:
            return rng.choice(['"a # ] } = b"', "'[x]'", r'"\"\\"', "''"])
        if kind == 2:
            return '"""x\n[y]\n"""' if depth == 3 else '"""one"""'
        if kind == 3:
            return "[]"
        if kind in (4, 5):
            return "[" + ", ".join(value(depth - 1) for _ in range(3)) + "]"
        return "{ " + ", ".join(f"i{n} = {value(0)}" for n in range(2)) + " }"

    for _ in range(30):
        number = sum(row.count("\n") + 1 for row in rows) + 1
        kind = rng.randrange(6)
        if kind == 0:
            rows.append(rng.choice(["", "# = [", "   \t"]))
        elif kind == 1:
            rows.append(
                rng.choice([f"[t{number}]", f"[t{number}.u]", "[[list]]", "[[list]] # x", f'[list2."t{number}"]'])
            )
        else:
            rows.append(f"{rng.choice(['', '  '])}k{number} = {value(3)}{rng.choice(['', ' # c'])}")
    text = "\n".join(rows)
    content, lines = tomllib.loads(text), toml_lines(text)
    assert set(paths(content)) == set(lines)
    for path, line in lines.items():
        if isinstance(path[-1], str) and path[-1][0] in "kt" and path[-1][1:].isdigit():
            assert line == int(path[-1][1:])
