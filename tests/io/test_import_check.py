"""`import-check` reads a whole archive: what reads, what is lost, what is refused, and nothing stops it."""

from __future__ import annotations

import gzip
import json
import os

import pytest
from typer.testing import CliRunner

import floatframe as ff
from floatframe.cli.main import application
from floatframe.io.import_check import check_file, files_to_check, refusal_reasons

GOOD = """/PREP7
ET,1,LINK8
R,1,1e-4
MP,EX,1,2.1e11
MP,DENS,1,7850
N,1
N,2,5
E,1,2
"""
LOSSY = GOOD + "ET,2,300\nTYPE,2\nE,1,2\n"  # USER300
DECK = "*NODE\n1,0,0,0\n2,1,0,0\n*INCLUDE, INPUT=rest.inp\n*MATERIAL,NAME=S\n*ELASTIC\n2e11,.3\n*DENSITY\n7850\n"
REST = "*ELEMENT,TYPE=T3D2,ELSET=E\n1,1,2\n*SOLID SECTION,ELSET=E,MATERIAL=S\n1e-4\n"


@pytest.fixture
def archive(tmp_path):
    inner = tmp_path / "archive" / "inner"
    inner.mkdir(parents=True)
    (inner / "good.cdb").write_text(GOOD)
    (inner / "lossy.cdb").write_text(LOSSY)
    (inner / "broken.cdb").write_text(GOOD.replace("N,2,5", "N,2,5*/"))
    (inner / "deck.inp").write_text(DECK)
    (inner / "rest.inp").write_text(REST)
    (inner / "packed.cdb.gz").write_bytes(gzip.compress(GOOD.encode()))
    (inner / "cut.cdb.gz").write_bytes(gzip.compress(GOOD.encode())[:40])
    (inner / "notes.md").write_text("nothing")
    return tmp_path / "archive"


def test_files_that_others_include_are_not_read_alone(archive):
    files, included = files_to_check(archive)
    assert [path.name for path in files] == [
        *("broken.cdb", "cut.cdb.gz", "deck.inp", "good.cdb", "lossy.cdb", "packed.cdb.gz")
    ]
    assert {path.name: by.name for path, by in included.items()} == {"rest.inp": "deck.inp"}


def test_macros_are_read_unless_a_deck_uses_them(tmp_path):
    (tmp_path / "whole.mac").write_text(GOOD)
    (tmp_path / "part.mac").write_text("N,3,6\n")
    (tmp_path / "deck.dat").write_text(GOOD + "*USE,part\n")
    files, included = files_to_check(tmp_path)
    assert [path.name for path in files] == ["deck.dat", "whole.mac"]
    assert [path.name for path in included] == ["part.mac"]
    assert {check_file(path).state for path in files} == {"read"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_pipes_are_passed_over(archive):
    os.mkfifo(archive / "pipe.inp")  # opening it would wait for ever
    assert all(path.name != "pipe.inp" for path in files_to_check(archive)[0])


def test_the_account_of_single_files(archive):
    good, lossy, cut = (check_file(archive / "inner" / name) for name in ("good.cdb", "lossy.cdb", "cut.cdb.gz"))
    assert (good.state, good.elements, good.nodes, good.dofs, good.why) == ("read", 1, 2, 6, "")
    assert (lossy.state, lossy.drop) == ("lossy", "USER300")
    assert (cut.state, cut.why[:31]) == ("unclaimed", "it cannot be opened: it cannot ")
    dropped = check_file(archive / "inner" / "lossy.cdb", drop=("USER300",))
    assert (dropped.state, dropped.why) == ("read", "left out: USER300")
    assert refusal_reasons([lossy, lossy]) == {"USER300 carries stiffness: this element is not supported": 2}


def test_a_mesh_without_properties_is_no_failure(tmp_path):
    (tmp_path / "plate.off").write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    found = check_file(tmp_path / "plate.off")
    assert (found.state, found.elements, found.nodes) == ("mesh", 1, 3)
    assert "--template" in found.why


def test_an_archive_is_read_in_processes_of_its_own(archive):
    table = archive.parent / "table.csv"
    said = CliRunner().invoke(application(), ["import-check", str(archive), "--jobs", "1", "--json", "-o", str(table)])
    assert said.exit_code == 0
    found = json.loads(said.stdout)
    states = {entry["file"].rpartition("/")[2].rpartition(os.sep)[2]: entry["state"] for entry in found["files"]}
    assert states == {
        **dict.fromkeys(("good.cdb", "deck.inp", "packed.cdb.gz"), "read"),
        **{"broken.cdb": "refused", "cut.cdb.gz": "unclaimed", "lossy.cdb": "lossy", "rest.inp": "included"},
    }
    assert found["states"] == {"read": 3, "lossy": 1, "mesh": 0, "refused": 1, "unclaimed": 1}
    assert table.read_text().startswith("file,format,state,elements,nodes,dofs,s,why,opens with,warnings\n")
    assert "--drop USER300" in table.read_text()


def test_a_file_that_takes_too_long_is_given_up(tmp_path):
    # as many elements as take well over the time that is allowed
    rows = "".join(f"N,{k},{k}\nE,{k - 1},{k}\n" for k in range(3, 4000))
    (tmp_path / "long.cdb").write_text(GOOD + rows)
    (found,) = ff.io.check_imports(tmp_path, timeout=1e-3)
    assert (found.state, found.why) == ("refused", "it was not read within 0.001 s; --timeout allows more")


def test_tables_show_warnings_and_whole_names(tmp_path, monkeypatch):
    monkeypatch.setattr(ff.io, "check_files", lambda files, *_: map(check_file, files))  # no processes: faster
    name = f"{'a' * 60}_{'b' * 60}.cdb"
    (tmp_path / name).write_text(GOOD.replace("2.1e11", "2.1e5").replace("7850", "7.85e-9"))
    (tmp_path / "lossy.cdb").write_text(LOSSY)
    page = tmp_path / "table.html"
    said = CliRunner().invoke(application(), ["import-check", str(tmp_path), "-o", str(page)]).stdout
    assert "…" not in said  # no name is cut
    assert "files with warnings: 1" in said
    assert "read the file with --units mm-t-s" in page.read_text()
    assert "<p>read 1, with losses 1, " in page.read_text()
    assert "<td>1</td><td>USER300 carries stiffness" in page.read_text()


def test_packed_files_without_measure_or_with_damage_are_refused(tmp_path, monkeypatch):
    """A deck that is cut where it becomes too large would be read as if it were whole."""
    monkeypatch.setattr("floatframe.io.import_check._LARGEST_UNPACKED", 1 << 20)
    (tmp_path / "bomb.cdb.gz").write_bytes(gzip.compress(GOOD.encode() + b"!\n" * (1 << 20)))
    damaged = bytearray(gzip.compress(GOOD.encode()))
    damaged[12] ^= 0xFF  # inside the stream, which zlib refuses before the sum is compared
    (tmp_path / "damaged.cdb.gz").write_bytes(damaged)
    assert "more than" in check_file(tmp_path / "bomb.cdb.gz").why
    assert "cannot be unpacked" in check_file(tmp_path / "damaged.cdb.gz").why
