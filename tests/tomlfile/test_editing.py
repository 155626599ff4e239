"""Changes of TOML texts: the content has the change and nothing else, and what is around stays as it was written."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from floatframe.errors import WriteError
from floatframe.tomlfile import literal, with_table, with_value, without_table, without_value

SAMPLES = sorted((Path(__file__).parents[2] / "samples").rglob("*.toml"))
TEXT = """# a machine
format = "x"

[parameters]
torque = 100.0  # N m
"odd name" = 2

# the first body
[[body]]
name = "a"  # its name
mass = 1.0
[body.place]
point = [0, 0, 0]

[[joint]]
name = "j"

# the second body
[[body]]
name = "b"
inertia = [
  1,  # about x
  2, 3,
]

[simulate]
t_end = 2.0
"""


def test_a_value_is_replaced_where_it_stands():
    changed = with_value(TEXT, ("parameters",), "torque", 120.0)
    assert changed == TEXT.replace("torque = 100.0  # N m", "torque = 120.0  # N m")


def test_a_list_over_several_lines_is_replaced():
    changed = with_value(TEXT, ("body", 1), "inertia", [3, 4, 5])
    assert "inertia = [3, 4, 5]\n\n[simulate]" in changed


def test_a_new_key_comes_behind_the_others():
    assert with_value(TEXT, ("simulate",), "step", 1e-3) == TEXT + "step = 0.001\n"
    assert 'name = "j"\ntype = "fixed"\n' in with_value(TEXT, ("joint", 0), "type", "fixed")


def test_a_table_that_is_not_there_is_made():
    assert with_value(TEXT, ("record",), "every", 1e-2).endswith("t_end = 2.0\n\n[record]\nevery = 0.01\n")


def test_a_table_of_its_own_becomes_one_line():
    changed = with_value(TEXT, ("body", 0), "place", {"point": [1, 0, 0]})
    assert "[body.place]" not in changed
    assert tomllib.loads(changed)["body"][0]["place"] == {"point": [1, 0, 0]}


def test_a_key_goes_with_its_line():
    assert without_value(TEXT, ("body", 0), "mass") == TEXT.replace("mass = 1.0\n", "")
    assert "place" not in tomllib.loads(without_value(TEXT, ("body", 0), "place"))["body"][0]


def test_a_thing_comes_behind_the_last_of_its_kind():
    changed = with_table(TEXT, "body", {"name": "c"})
    assert '  2, 3,\n]\n\n[[body]]\nname = "c"\n\n[simulate]' in changed


def test_a_thing_of_a_new_kind_comes_behind_the_tables_before_it():
    changed = with_table(TEXT, "force", {"name": "f"}, ["body", "joint"])
    assert ']\n\n[[force]]\nname = "f"\n\n[simulate]' in changed


def test_a_thing_goes_with_its_tables_and_comments_of_the_next_stay():
    changed = without_table(TEXT, "body", 0)
    assert '"odd name" = 2\n\n# the first body\n[[joint]]' in changed
    assert "# the second body\n[[body]]" in changed


@pytest.mark.parametrize("value", [True, 3, -0.5, 1e300, 'a "b" \\ \n\t\x07 ü', [1, [2.5, "x"]], {"a": {"b c": [1]}}])
def test_every_value_is_read_back(value):
    assert tomllib.loads(f"x = {literal(value)}")["x"] == value


@pytest.mark.parametrize(
    "text", ['body = [{ name = "a" }]\n', 'body = [{ name = "a" }]\n[c]\nd = 1\n', '[[joint]]\nname = "a"\n']
)
def test_what_cannot_be_put_in_is_refused(text):
    with pytest.raises(WriteError, match=r"body\.0\.mass could not be put"):
        with_value(text, ("body", 0), "mass", 1.0)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_keys_of_the_samples_can_be_changed_and_changed_back(path):
    text = path.read_text(encoding="utf-8")
    content = tomllib.loads(text)
    for table, things in content.items():
        if not isinstance(things, list):
            continue
        place, thing = (table, len(things) - 1), things[-1]
        for key, value in thing.items() if isinstance(thing, dict) else ():
            changed = with_value(text, place, key, "changed")
            back = with_value(changed, place, key, value)
            assert repr(tomllib.loads(back)[table][-1][key]) == repr(value)  # nan is written alike
