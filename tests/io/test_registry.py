"""Formats are found by suffix, content and object; wrong ones are answered with the list of right ones."""

from __future__ import annotations

import pytest

import floatframe as ff
from floatframe.io import registry


class Note:
    """Something to keep in a file."""

    def __init__(self, text):
        self.text = text


@pytest.fixture
def note_formats(monkeypatch):
    """Two formats that share a suffix and differ by their first letter."""
    known: dict[str, registry.Format] = {}
    monkeypatch.setattr(registry, "_known", lambda: known)
    for mark in "ab":
        registry.register(
            registry.Format(
                f"note-{mark}",
                (".note",),
                Note if mark == "a" else str,
                read=lambda path, mark=mark: (mark, path.read_text()[1:]),
                write=lambda path, thing, mark=mark: path.write_text(mark + getattr(thing, "text", "")) and None,
                recognises=lambda path, mark=mark: path.read_text().startswith(mark),
            )
        )


@pytest.mark.usefixtures("note_formats")
def test_content_decides_between_formats_of_one_suffix(tmp_path):
    for mark in "ba":
        (tmp_path / "x.note").write_text(mark + "hello")
        assert ff.io.read(tmp_path / "x.note") == (mark, "hello")


@pytest.mark.usefixtures("note_formats")
def test_content_is_recognised_under_a_strange_suffix(tmp_path):
    (tmp_path / "x.odd").write_text("bhello")
    assert ff.io.read(tmp_path / "x.odd") == ("b", "hello")


@pytest.mark.usefixtures("note_formats")
def test_object_decides_what_is_written(tmp_path):
    ff.io.write(tmp_path / "x.note", Note("hello"))
    assert (tmp_path / "x.note").read_text() == "ahello"


@pytest.mark.usefixtures("note_formats")
def test_unknown_content_names_file_and_formats(tmp_path):
    (tmp_path / "x.note").write_text("zzz")
    with pytest.raises(ff.ReadError, match=r"x\.note.*means here \(note-a, note-b\).*damaged"):
        ff.io.read(tmp_path / "x.note")
    (tmp_path / "x.other").write_text("zzz")
    with pytest.raises(ff.ReadError, match=r"x\.other.*note-a \(\.note\), note-b \(\.note\)"):
        ff.io.read(tmp_path / "x.other")


@pytest.mark.usefixtures("note_formats")
def test_unknown_suffix_names_the_right_ones(tmp_path):
    with pytest.raises(ff.WriteError, match=r"suffix '\.txt' is unknown for a Note; use one of: note-a \(\.note\)"):
        ff.io.write(tmp_path / "x.txt", Note("hello"))


def test_unknown_object_is_refused(tmp_path):
    with pytest.raises(ff.WriteError, match="a Note cannot be written; known formats: floatframe-fe-model"):
        ff.io.write(tmp_path / "x.h5", Note("hello"))


def test_missing_file_and_folder_are_named(tmp_path):
    with pytest.raises(ff.ReadError, match=r"nothing\.h5': the file does not exist"):
        ff.io.read(tmp_path / "nothing.h5")
    with pytest.raises(ff.ReadError, match="is a folder"):
        ff.io.read(tmp_path)


def test_a_compressed_file_says_so(tmp_path):
    (tmp_path / "deck.inp.gz").write_bytes(b"\x1f\x8b\x08")
    with pytest.raises(ff.ReadError, match=r"deck.inp.gz' is compressed; unpack it first"):
        ff.io.read(tmp_path / "deck.inp.gz")


def test_suffixes_of_our_own_formats_are_known_before_they_load():
    """A format whose module is not asked for its suffix would never be found."""
    from floatframe.io.native import formats as native
    from floatframe.io.results import formats as results

    for room in (native, results):
        suffixes = [format.suffixes for format in room.formats_of()]
        assert suffixes == list(room._MODULES.values())
