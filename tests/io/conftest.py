"""What tests of several readers share."""

from __future__ import annotations

import pytest

import floatframe as ff


@pytest.fixture
def read(tmp_path):
    """Read an ANSYS deck given as text; other tests have a `read` of their own."""

    def reader(text: str | bytes, **options):
        path = tmp_path / "deck.cdb"
        path.write_bytes(text if isinstance(text, bytes) else text.encode("latin-1"))
        return ff.io.read(path, **options)

    return reader
