"""Descriptions as rows and tables."""

from __future__ import annotations

from floatframe.studio.facts import facts_and_tables, words


def test_lists_of_records_are_tables_and_all_else_rows():
    modes = [{"mode": 1, "model_hz": 158.951, "estimate": None}, {"mode": 2, "model_hz": 394.0, "estimate": None}]
    rows, tables = facts_and_tables({"model_mass_kg": 0.0972, "free": modes, "loads": []})
    assert rows == [{"name": "mass of the model [kg]", "text": "0.0972"}]
    # a column without any value is left out
    assert [(one["headers"], one["rows"]) for one in tables] == [
        (["mode", "model [Hz]"], [["1", "158.95"], ["2", "394"]])
    ]


def test_what_rounding_leaves_of_zero_is_zero():
    # products of inertia of a body of 1e-4 kg m2, whose sums are rounded to 16 digits
    assert words([[9.774e-05, -1.084e-19], [-1.084e-19, 5.1948e-04]]) == "9.774e-05  0; 0  0.00051948"
    assert words([1e-19, 2e-19]) == "1e-19  2e-19"
    assert words([1e-9, 1.0, "a"]) == "1e-09; 1; a"
    assert words([1, 2]) == "1  2"
    assert words([[1.0], [2.0, 3.0]]) == "1; 2  3"
