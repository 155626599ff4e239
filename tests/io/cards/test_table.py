"""The table of cards says what the readers do, because it asks them."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import floatframe as ff
from floatframe.cli.main import application
from floatframe.io.abaqus import reader as abaqus
from floatframe.io.abaqus.deck.elements import ELEMENT_TYPES
from floatframe.io.ansys import model
from floatframe.io.ansys.apdl import elements
from floatframe.io.ansys.commands import reader as ansys
from floatframe.io.cards.table import CARD_PROGRAMS, MEANING, as_markdown, card_table
from floatframe.io.nastran import reader as nastran


def names(program, *statuses):
    return {entry.name for entry in card_table(program) if not statuses or entry.status in statuses}


def taken(program):
    return names(program, "read", "read with a note")


def test_every_handler_stands_in_the_table():
    assert nastran.handled_cards() <= taken("nastran")
    assert {name.replace(" ", "").lstrip("*") for name in taken("abaqus")} >= set(abaqus.handled_keywords())
    assert set(ELEMENT_TYPES) <= taken("abaqus")
    assert {elements.element_name(number) for number in model.READ_ELEMENTS} <= taken("ansys")
    short = {name[:4] if name[0].isalpha() else name for name in taken("ansys")}
    assert set(ansys.HANDLERS) <= short


@pytest.mark.parametrize(
    ("program", "name", "status"),
    [
        ("nastran", "CHEXA", "read"),
        ("nastran", "CGAP", "lost"),
        ("nastran", "FORCE", "left out"),
        ("nastran", "PBUSH", "read with a note"),
        ("abaqus", "*SOLID SECTION", "read"),
        ("abaqus", "C3D20R", "read"),
        ("abaqus", "*NODE PRINT", "left out"),
        ("abaqus", "*NONSTRUCTURAL MASS", "read"),
        ("abaqus", "*EL FILE", "left out"),
        ("abaqus", "*PLASTIC", "ignored"),
        ("abaqus", "*CYCLIC SYMMETRY MODEL", "lost"),
        ("abaqus", "CAX…", "lost"),
        ("ansys", "NBLOCK", "read"),
        ("ansys", "SOLID186", "read with a note"),
        ("ansys", "SOLID70", "left out"),
        ("ansys", "CNCHECK", "left out"),
        ("ansys", "PSTRES", "ignored"),
        ("ansys", "CECYC", "lost"),
        ("ansys", "VMESH", "refused"),
        ("meshes", "H20", "read with a note"),
    ],
)
def test_samples_of_the_table(program, name, status):
    (found,) = [entry.status for entry in card_table(program) if entry.name == name]
    if status.startswith("read"):
        assert found.startswith("read")
    else:
        assert found == status


def test_what_the_table_calls_lost_ends_the_reading(tmp_path):
    deck = "BEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCONM2,9,1,,1.\n{card},7,1,1,2\nENDDATA\n"
    path = tmp_path / "deck.bdf"
    for card in sorted(names("nastran", "lost")):
        path.write_text(deck.format(card=card))
        with pytest.raises(ff.ReadError, match=rf"\b{card} .*--drop {card} "):
            ff.io.read(path)
        assert ff.io.read(path, drop=card).nnode == 2


@pytest.mark.parametrize("program", CARD_PROGRAMS)
def test_the_table_as_a_page_and_by_command(program):
    text = as_markdown(card_table(program))
    assert text.count("\n### ") + 1 == len({entry.kind for entry in card_table(program)})
    said = CliRunner().invoke(application(), ["cards", program, "--json"])
    cards = json.loads(said.stdout)["cards"]
    assert {entry["status"] for entry in cards} <= {status.replace(" ", "_") for status in MEANING}
    assert len(cards) == len(card_table(program))


def test_names_are_found_without_their_blanks():
    said = CliRunner().invoke(application(), ["cards", "abaqus", "--find", "nonstructuralmass", "--json"])
    assert [entry["name"] for entry in json.loads(said.stdout)["cards"]] == ["*NONSTRUCTURAL MASS"]
    assert "no name contains 'XYZ'" in CliRunner().invoke(application(), ["cards", "abaqus", "--find", "XYZ"]).stdout
