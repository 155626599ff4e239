"""What pages show of sweeps: curves, maps with rising axes, choices among more parameters, gaps for failed points."""

from __future__ import annotations

import json

import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run
from floatframe.errors import ModelError
from floatframe.io import Channel, SweepResult
from floatframe.studio.studies import plot_sweep
from floatframe.studio.sweeps import axes_of, columns_of, held, point_table, sweep_chart, values_between


def swept(shape: dict[str, tuple[float, ...]], function, study: str = "simulate") -> SweepResult:
    """A sweep whose second column is a function of the parameters, its first one the same everywhere."""
    grid = np.meshgrid(*shape.values(), indexing="ij")
    values = function(*grid).ravel()
    count = len(values)
    columns = (Channel("same:rms", "N"), Channel("force:peak", "N"))
    return SweepResult(
        parameters=shape,
        columns=columns,
        values=np.column_stack([np.ones(count), values]),
        states=("done",) * count,
        sentences=("",) * count,
        seconds=np.zeros(count),
        settings={"study": study},
    )


def test_columns_that_differ_come_first():
    assert columns_of(swept({"a": (1.0, 2.0)}, lambda a: a)) == ["force:peak", "same:rms"]


def test_one_parameter_is_a_curve_over_rising_values():
    shown = sweep_chart(swept({"a": (3.0, 1.0, 2.0)}, lambda a: a**2), "force:peak", {})
    assert shown["data"][0]["x"] == [1.0, 2.0, 3.0]
    assert shown["data"][0]["y"] == [1.0, 4.0, 9.0]
    assert shown["layout"]["yaxis"]["title"]["text"] == "force:peak [N]"


def test_two_parameters_are_a_map_with_gaps():
    result = swept({"a": (2.0, 1.0), "b": (5.0, 3.0, 4.0)}, lambda a, b: np.where(b == 4.0, np.nan, 10 * a + b))
    shown = sweep_chart(result, "force:peak", {})
    assert shown["data"][0]["x"] == [3.0, 4.0, 5.0]
    assert shown["data"][0]["y"] == [1.0, 2.0]
    assert shown["data"][0]["z"] == [[13.0, None, 15.0], [23.0, None, 25.0]]
    json.dumps(shown, allow_nan=False)


def test_more_parameters_stand_at_chosen_values():
    result = swept({"c": (0.0, 100.0), "a": (1.0, 2.0), "b": (3.0, 4.0)}, lambda c, a, b: c + 10 * a + b)
    words = [axis.values for axis in axes_of(result)]
    shown = sweep_chart(result, "force:peak", {"c": words[0][1]})
    assert shown["data"][0]["z"] == [[113.0, 114.0], [123.0, 124.0]]
    with pytest.raises(ModelError, match="has no value 7"):
        sweep_chart(result, "force:peak", {"c": "7"})


def test_points_are_rows_with_keys_that_no_table_takes_for_paths():
    headers, rows = point_table(swept({"a.b": (1.0, 2.0)}, lambda a: a), ["force:peak"])
    assert [one["title"] for one in headers] == ["a.b", "force:peak"]
    assert [row[headers[1]["key"]] for row in rows] == ["1", "2"]
    assert not any("." in one["key"] for one in headers)


def test_values_between_keep_their_digits_and_are_not_cut():
    assert values_between(2000000.0, 2000003.0, 4) == "2000000,2000001,2000002,2000003"
    assert values_between(0.0, 1.0, 11).split(",")[3] == "0.3"
    assert axes_of(swept({"a": (2000000.0, 2000001.0)}, lambda a: a))[0].values == ("2000000", "2000001")
    with pytest.raises(ModelError, match="1001 values are more than the 1000 that are listed"):
        values_between(0.0, 1.0, 1001)


def test_the_picture_of_three_parameters_holds_what_the_chart_holds(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = swept({"c": (0.0, 100.0), "a": (1.0, 2.0), "b": (3.0, 4.0)}, lambda c, a, b: c + 10 * a + b)
    ff.io.write("sweep.h5", result)
    where = held(result, "force:peak", {"c": "100"})
    action = plot_sweep("sweep.h5", "force:peak", "a.png", wide=True, where=where)
    assert action.words == ("plot", "sweep.h5", "force:peak", "--where", "c=100.0", "-o", "a.png")
    assert run(list(action.words)) == 0
    written = (tmp_path / "a.png").read_bytes()
    exec(action.python, {})
    assert (tmp_path / "a.png").read_bytes() == written
