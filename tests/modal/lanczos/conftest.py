"""Searches here run on the factorisation by substructures, whatever the size; test_small.py compares SuperLU's."""

from __future__ import annotations

import pytest

from floatframe.modal.factor import products


@pytest.fixture(autouse=True)
def _no_matrix_is_small(monkeypatch):
    monkeypatch.setattr(products, "SMALL", 0)
