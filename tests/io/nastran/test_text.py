"""Nastran decks as programs write them: continuations, replication, sections, INCLUDE, equations of design."""

from pathlib import Path

import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.io.nastran.cards.cards import NastranDeck
from floatframe.io.nastran.cards.text import read_bulk

PBEAM = ("PBEAM", "1", "2", "3.", "4.", "5.", "", "", "", "", "", "", "", "", "", "", "", "0.5", "0.6")


def deck(folder: Path, text: str) -> NastranDeck:
    path = folder / "deck.bdf"
    path.write_text(text, encoding="utf-8")
    return read_bulk(path)


@pytest.mark.parametrize(
    "lines",
    [
        "PBEAM,1,2,3.,4.,5.,,,,+A\n+A\n,0.5,0.6\n",
        "PBEAM,1,2,3.,4.,5.,+\n+,,,,,,,,\n+,.5,.6\n",
        "PBEAM,1,2,3.,4.,5.,,,,\n,,,,,,,,,\n,.5,.6,\n",
        "PBEAM   1       2       3.      4.      5.                              XPB1\n"
        "+PB1                                                                    YPB2\n+PB2    .5      .6\n",
        "PBEAM*  1               2               3.              4.              *1\n*1      5.\n"
        "+\n*       5.-1            6.-1                                            *2\n*2\n",
        # continuations apart from their card, in any order
        "PBEAM,1,2,3.,4.,5.,,,,+P1\nGRID,5\n+P2,.5,.6\n+P1,,,,,,,,,+P2\nGRID,6\n",
        # columns 73 to 80 may hold anything, if no continuation has a name
        "PBEAM   1       2       3.      4.      5.                              00001000\n"
        "+                                                                       00001001\n"
        "        .5      .6                                                      00001002\n",
        "pbeam,1,2,3.,4.,5. $ free text, with commas\n\n$ a comment between\n,\n+,.5,.6\n",
    ],
)
def test_one_card_in_every_way(tmp_path, lines):
    (card,) = deck(tmp_path, lines).cards["PBEAM"]
    assert len(card.fields) == len(PBEAM)
    assert card.equals(type(card)("PBEAM", PBEAM, 0, tmp_path))


def test_a_comma_at_the_end_goes_on_in_the_next_line(tmp_path):
    (card,) = deck(tmp_path, "SPC1,1,123,1,2,3,4,5,6,\n7,8\n").cards["SPC1"]
    assert [card.integer(k) for k in range(3, 11)] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_continuation_of_an_unknown_name_stays_where_it_is(tmp_path):
    found = deck(tmp_path, "PSHELL,1,2,.1,2,,2,,5.,+B\n+C,.05,-.05\n")
    assert found.cards["PSHELL"][0].real(9) == 0.05
    assert "'C'" in found.remarks[0]


def test_replication_counts_fields_up(tmp_path):
    found = deck(
        tmp_path,
        "GRID,1,,0.,2.,300.\n=,*1,,*30.5,==\n=3\nGRID    10      7       .5-3\n=       *(5)    =       *(-1.5)\n=(1)\n"
        "CHEXA,1,5,1,2,3,4,11,12\n,13,14\n=,*1,=,*1,*1,*1,*1,*10,*10\n,*10,*10\n=1\n"
        "PBAR,1,2,.1,.2,.3,.4\nPBAR,2,3,==\n",
    )
    grids = {card.integer(1): card for card in found.cards["GRID"]}
    assert list(grids) == [1, 2, 3, 4, 5, 10, 15, 20]
    assert_allclose([grids[k].real(3) for k in range(1, 6)], [0.0, 30.5, 61.0, 91.5, 122.0])
    assert all(grids[k].real(5) == 300.0 and grids[k].real(4) == 2.0 for k in range(1, 6))
    assert_allclose([grids[k].real(3) for k in (10, 15, 20)], [0.5e-3, 0.5e-3 - 1.5, 0.5e-3 - 3.0])
    assert [grids[k].integer(2) for k in (10, 15, 20)] == [7, 7, 7]
    solids = [[card.integer(k) for k in range(1, 11)] for card in found.cards["CHEXA"]]
    assert solids == [[1, 5, 1, 2, 3, 4, 11, 12, 13, 14], [2, 5, 2, 3, 4, 5, 21, 22, 23, 24],
                      [3, 5, 3, 4, 5, 6, 31, 32, 33, 34]]  # fmt: skip
    assert [card.fields[3:] for card in found.cards["PBAR"]] == [(".1", ".2", ".3", ".4")] * 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("=,*1\n", "line 1: a line of replication"),
        ("GRID,1\n=3\n", "line 2: '=3' has no line of replication before it"),
        ("GRID,1\n=,*1\n=9999999\n", "more than 1000000 times"),
        ("GRID,1,A\n=,*1,*1\n", "needs a number in field 2, found 'A'"),
    ],
)
def test_replication_of_nothing_is_refused(tmp_path, text, message):
    with pytest.raises(ReadError, match=message):
        deck(tmp_path, text)


def test_equations_of_design_are_passed_over(tmp_path):
    found = deck(
        tmp_path,
        "DEQATN  10      F(A,B,C,D,E,G,H,I,J,K)=A+B*MAX(C,D,E,G,H)\n        +I*J-K;\n+       F1=2.*F\n"
        "DEQATN,11,F(X,Y)=X**2+Y\nGRID,1\nENDDATA\nwhatever, stands = here\n",
    )
    assert [card.line for card in found.cards["DEQATN"]] == [1, 4]
    assert len(found.cards["GRID"]) == 1
    assert found.complete


def test_sections_of_a_deck(tmp_path):
    (tmp_path / "Supports.INC").write_text("SPC1,3,123,1\n")
    found = deck(
        tmp_path,
        "NASTRAN BUFFSIZE=65537\nID A,B\nSOL 103\nINCLUDE 'alter.v9'\nCEND\nTITLE = SPC = 9\nSPC = 3\n"
        "K2GG = KAA, 2.0*KBB\nSET 5 = 1,2,\n 3 THRU 9\nSUBCASE 1\n METHOD = 1\n MPC = 4\n"
        "SUBCASE 2\n SPC = 7\nbegin bulk\nGRID,1\nINCLUDE 'supports.inc'\nBEGIN SUPER=20\nGRID,1,,5.\nENDDATA\n",
    )
    assert found.selected == {"SPC": 3, "MPC": 4}
    assert found.chosen == {"K2GG": ["KAA", "2.0*KBB"]}
    assert [number for number, _ in found.case_sets] == [5]
    assert len(found.cards["GRID"]) == len(found.cards["SPC1"]) == 1
    assert found.parts["SUPER=20"]["GRID"][0].real(3) == 5.0
    assert any("alter.v9" in remark for remark in found.remarks)
    assert any("different SPC sets" in remark for remark in found.remarks)
    with pytest.raises(ReadError, match=r"line 2: INCLUDE: file 'grids.inc' does not exist"):
        deck(tmp_path, "GRID,1\nINCLUDE 'grids.inc'\n")


def test_decks_without_begin_bulk(tmp_path):
    assert len(deck(tmp_path, "SOL 101\nCEND\nSPC = 1\nGRID,1,,0.,0.,0.\nGRID,2\n").cards["GRID"]) == 2
    assert len(deck(tmp_path, "GRID,1\nGRID,2\n").cards["GRID"]) == 2


@pytest.mark.parametrize(
    ("control", "number", "remark"),
    [
        ("SPC=1\nSUBCASE 1\nSPC=2\nSUBCASE 2\nSPC=2\n", 2, ""),
        ("SPC=1\nSUBCASE 1\nLOAD=5\nSUBCASE 2\nSPC=2\n", 1, "different SPC sets; the first, 1"),
        ("SUBCASE 1\nLOAD=5\nSUBCASE 2\nSPC=2\n", 2, "some subcases choose no SPC set; 2"),
    ],
)
def test_a_subcase_overrules_what_stands_above_it(tmp_path, control, number, remark):
    found = deck(tmp_path, f"SOL 101\nCEND\n{control}BEGIN BULK\nGRID,1\nENDDATA\n")
    assert found.selected == {"SPC": number}
    assert remark in "".join(found.remarks) if remark else not found.remarks


def test_parameters_of_case_control_count_before_those_below(tmp_path):
    path = tmp_path / "deck.bdf"
    path.write_text("SOL 103\nCEND\n param,wtmass,.5\nBEGIN BULK\nPARAM,WTMASS,3.\nGRID,1\nCONM2,2,1,,8.\nENDDATA\n")
    assert_allclose(ff.io.read(path).mass_properties().mass, 4.0)


def test_included_folders_in_other_letters_are_found(tmp_path):
    (tmp_path / "Parts" / "left").mkdir(parents=True)
    (tmp_path / "Parts" / "left" / "grids.dat").write_text("GRID,7\n")
    assert len(deck(tmp_path, "INCLUDE 'PARTS\\LEFT\\GRIDS.DAT'\n").cards["GRID"]) == 1
