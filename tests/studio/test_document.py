"""Model files edited in Studio: forms from the schema, changes that keep comments, mistakes at their fields."""

from __future__ import annotations

from pathlib import Path

import pytest

from floatframe.errors import ModelError, WriteError
from floatframe.studio.document import Document
from floatframe.studio.forms import unit_of, value_of
from tests.studio.filter_network import FILTER

RIGID = Path(__file__).parents[2] / "samples" / "slider_crank" / "rigid.toml"


@pytest.fixture
def document(tmp_path: Path) -> Document:
    path = tmp_path / "rigid.toml"
    path.write_text(RIGID.read_text(encoding="utf-8"), encoding="utf-8")
    return Document(path)


def test_things_and_parameters_are_listed(document):
    assert document.things() == {
        "body": ["crank", "rod", "slider"],
        "joint": ["A", "B", "C", "guide"],
        "force": ["drive"],
    }
    assert document.parameters() == {"torque": 100.0, "drag": 10.0}


def test_a_form_has_every_key_of_the_type(document):
    fields = {field.key: field for field in document.fields("joint", 0)}
    assert fields["axis"].shown == "[0, 0, 1]"
    assert fields["axis"].default == "[0, 0, 1]"
    assert fields["type"].widget == "choice"
    assert "revolute" in fields["type"].choices
    assert fields["place"].required
    assert not fields["start"].given
    mass = next(field for field in document.fields("body", 0) if field.key == "mass")
    assert (mass.unit, mass.widget, mass.shown) == ("kg", "number", "7.403")


def test_units_are_those_of_whole_values(document):
    joint = {field.key: field.unit for field in document.fields("joint", 0)}
    assert (joint["place"], joint["start"]) == ("", "m, rad")
    assert unit_of("sliding friction [N, N m]; a table is over the sliding speed") == "N, N m"
    assert unit_of("damping constant [N m/(rad/s)2]") == "N m/(rad/s)2"
    for meaning in (
        "ratio of critical damping; a table of ratios over [Hz]; or { alpha [1/s], beta [s] }",
        '"mean", "chord", ["chord", 1, 201], "node"',
        "where it starts on the [track], see below",
        "quaternion w x y z, matrix, or { axis, angle [rad] }",
        "what is large for its output: see [[state]]",
    ):
        assert unit_of(meaning) == ""


def test_a_change_touches_its_line_only_and_is_undone(document):
    before = document.text
    document.set("parameters", 0, "torque", "120")
    assert document.text == before.replace("torque = 100.0", "torque = 120")
    document.set("joint", 0, "cut", "true")
    assert document.undo()
    assert document.undo()
    assert not document.undo()
    assert document.text == before
    assert document.redo()
    assert "torque = 120" in document.text


def test_nothing_takes_a_key_out(document):
    document.set("body", 0, "com", "")
    assert "com" not in document.values("body", 0)


def test_a_mistake_stands_at_its_field(document):
    document.set("joint", 0, "axis", "[0, 0, 0]")
    mistakes = document.mistakes()
    assert [(m.table, m.name, m.key) for m in mistakes] == [("joint", "A", "axis")]


def test_an_unknown_body_is_marked_at_the_place(document):
    document.set("joint", 1, "place", '{ body = "rodd", point = [0, 0, 0] }')
    assert {(m.table, m.name, m.key) for m in document.mistakes()} == {("joint", "B", "place")}


def test_a_new_thing_is_asked_for_what_it_needs(document):
    index = document.add("force", "spring")
    assert document.values("force", index) == {"name": "spring_1", "type": "spring"}
    assert {m.key for m in document.mistakes() if m.name == "spring_1"} >= {"place"}
    document.remove("force", index)
    assert not document.mistakes()


def test_nothing_is_written_before_it_is_saved(document):
    text = document.path.read_text(encoding="utf-8")
    document.set("parameters", 0, "drag", "11")
    assert document.path.read_text(encoding="utf-8") == text
    document.save()
    assert document.path.read_text(encoding="utf-8") == document.text != text


def test_what_another_program_wrote_is_written_over_only_when_it_is_saved_again(document):
    document.set("parameters", 0, "drag", "11")
    other = document.path.read_text(encoding="utf-8").replace("torque = 100.0", "torque = 777.0")
    document.path.write_text(other, encoding="utf-8")
    with pytest.raises(WriteError, match="was changed by another program"):
        document.save()
    assert document.path.read_text(encoding="utf-8") == other
    assert document.changed
    assert document.save()
    document.set("parameters", 0, "drag", "12")
    assert document.save()
    assert document.path.read_text(encoding="utf-8") == document.text
    document.path.unlink()
    document.set("parameters", 0, "drag", "13")
    assert document.save()


def test_text_that_is_not_toml_is_refused_and_nothing_changes(document):
    text = document.text
    with pytest.raises(ModelError, match="not TOML"):
        document.replace_text("[[body]\n")
    assert document.text == text


@pytest.mark.parametrize(
    ("words", "widget", "value"),
    [
        ("1e-3", "number", 1e-3),
        ("2*mass", "number", "2*mass"),
        ("revolute", "choice", "revolute"),
        ("true", "truth", True),
        ("[0, 1]", "value", [0, 1]),
        ("0.5", "value", 0.5),
        ("", "number", None),
        ("1\nx = 2", "number", "1\nx = 2"),
    ],
)
def test_what_is_typed_becomes_a_value(words, widget, value):
    assert value_of(words, widget) == value


def test_half_a_list_is_refused():
    with pytest.raises(ModelError, match="not complete"):
        value_of("[0, 1", "value")


@pytest.mark.parametrize("text", ["[body]\nname = 'a'\n", "body = 5\n", "body = [1, 2]\n", "parameters = 3\n"])
def test_a_table_of_the_wrong_kind_has_no_things_and_is_a_mistake(tmp_path, text):
    document = Document(tmp_path / "odd.toml", text)
    assert document.things() == {}
    assert document.parameters() == {}
    assert document.mistakes()


def test_brackets_without_end_are_a_sentence(tmp_path):
    with pytest.raises(ModelError, match="flatter"):
        Document(tmp_path / "deep.toml", f"a = {'[' * 100_000}{']' * 100_000}")


def test_a_network_has_forms_of_the_kinds_of_its_elements(tmp_path):
    path = tmp_path / "filter.toml"
    path.write_text(FILTER, encoding="utf-8")
    document = Document(path)
    assert document.things() == {"element": ["source", "R", "C"]}
    fields = {field.key: field for field in document.fields("element", 1)}
    assert fields["kind"].widget == "choice"
    assert "capacitor" in fields["kind"].choices
    assert fields["resistance"].unit == "Ohm"
    document.set("element", 2, "capacitance", "2e-5")
    added = document.add("element", "inductor", "L")
    assert document.type_of("element", added) == "inductor"
    assert "# V" in document.text
    (mistake,) = document.mistakes()[:1]
    assert (mistake.table, mistake.name) == ("element", "L")
    document.remove("element", added)
    assert document.mistakes() == []


def test_saving_without_changes_leaves_the_file_as_old_as_it_is(document):
    before = document.path.stat()
    assert document.save()
    assert document.path.stat().st_mtime_ns == before.st_mtime_ns
    assert document.path.stat().st_ino == before.st_ino
