"""Damaged Nastran decks of laminates, panels, bends, scalar points, rigid elements, glue and replication."""

from __future__ import annotations

import random

import pytest

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran import reader
from tests.io.nastran.mutilation import mutilated

DECK = """SOL 103
CEND
SPC = 1
MPC = 8
BGSET = 5
K2GG = KAA
SUBCASE 1
METHOD = 1
BEGIN BULK
DEQATN  10      F(A,B)=A+B
        +2.*A
SPOINT,901,THRU,903
GRID,1,,0.,0.,0.
=,*1,,*1.,==
=2
GRID,11,,0.,1.,0.,,6
GRID,12,,1.,1.,0.
GRID,13,,2.,1.,0.
GRID,14,,3.,1.,0.
GRID,21,,0.,0.,.1
GRID,22,,1.,0.,.1
GRID,23,,1.,1.,.1
GRID,24,,0.,1.,.1
MAT1,1,2.1+11,,.3,7850.
MAT8,2,1.4+11,1.+10,.3,5.+9,5.+9,4.+9,1600.
MAT2,3,9.+10,2.+10,1.+9,5.+10,2.+9,3.+10,1600.
MAT2,5,1.+8,,,1.+8,,1.+8
MAT9,4,3.+10,,,,,,2.+10
,,,,,1.+10
,5.+9,,,5.+9,,5.+9,1000.
CQUAD4,1,1,1,2,12,11,30.,.01
,,,.01,.02,.03,.01
CQUAD4,2,2,2,3,13,12,0
CTRIA3,3,3,3,4,14
CQUADR,4,4,21,22,23,24
PSHELL,1,1,.02,1,,1,,3.
PCOMP,2,-.01,5.,,,,,SYM
,2,1.-3,0.,,,,45.
,1,3.-3
PCOMPG,3
,101,2,1.-3,0.,YES
,102,,,45.
PSHELL,4,3,2.-3,2,2.,3,.5,3.
,,,5
CSHEAR,5,5,3,4,14,13
PSHEAR,5,1,.002,,1.,20.
CBEND,6,6,1,12,1.,0.,0.,1
PBEND,6,1,1.-2,2.-8,1.-8,3.-8
CBEAM,7,7,1,4,0.,0.,1.
PBEAM,7,1,4.-4,2.-8,2.-8,,4.-8
,,,,,,,,
,YES,1.,1.-4,1.25-9,1.25-9,,2.5-9
CBAR,8,8,2,13,0.,0.,1.
PBARL,8,1,,HAT
,.08,.01,.06,.03
CROD,9,9,3,12
PROD,9,1,0.,2.-8
CELAS3,10,10,901,902
PELAS,10,14.
CELAS2,11,17.,4,1,901,0
CDAMP4,12,15.,902
CMASS4,13,3.,902
CVISC,14,14,2,14
PVISC,14,1.,2.
CBUSH1D,15,15,1,14
PBUSH1D,15,60.,2.,1.
CBUSH,16,16,1,12,,,,0
,,0,0.,.3,0.
PBUSH,16,K,1.,2.,3.,4.,5.,6.
CHEXA,17,17,1,2,12,11,21,22
,23,24
PSOLID,17,4,0
CONM1,18,14,,2.,0.,8.,0.,0.
,4.
RBAR,31,14,4,123,456
RBE1,32,2,123456
,UM,21,123
RTRPLT,33,1,2,22,123456
MPC,8,903,0,1.,4,2,-.5
SPC1,1,123456,1
SPCADD,9,1
BGSET,5,1,2,.5
BSURF,1,4
BSURFS,2,,,,17,21,22,23
BCPROP,3,1
DMIG,KAA,0,6,1
DMIG,KAA,4,1,,4,1,1.+3
,14,1,-5.+2
ENDDATA
"""


def test_damaged_decks_give_a_model_or_one_sentence(tmp_path):
    path = tmp_path / "deck.bdf"
    path.write_text(DECK)
    log = ImportLog(path)
    assert reader.load(path, log).nelement == 42
    assert not log.report().lost
    rng = random.Random(16)
    lines = DECK.encode().split(b"\n")
    outcomes = []
    for _ in range(60):
        path.write_bytes(mutilated(lines, rng))
        try:
            reader.load(path, ImportLog(path))
        except (ReadError, ff.errors.ModelError) as error:
            outcomes.append(str(error))
        else:
            outcomes.append("")
    assert not any("\n" in sentence for sentence in outcomes)
    assert 8 < sum(not sentence for sentence in outcomes) < 52  # both outcomes were tried


def test_counts_in_a_deck_allocate_nothing(tmp_path):
    """Ranges and repetitions of a billion are read without writing them out, or refused."""
    path = tmp_path / "deck.bdf"
    text = "SPOINT,1,THRU,999999999\nGRID,1000000001\nCONM2,5,1000000001,,1.\nSPC1,1,123,1,THRU,999999999\n"
    path.write_text(text + "SET1,7,1,THRU,999999999\nASET1,123,1,THRU,999999999\n")
    assert reader.load(path, ImportLog(path)).nnode == 1
    path.write_text("GRID,1\n=,*1\n=9999999\nCONM2,5,1,,1.\n")
    with pytest.raises(ReadError, match="repeats a card more than"):
        reader.load(path, ImportLog(path))
