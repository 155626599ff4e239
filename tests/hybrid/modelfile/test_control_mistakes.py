"""Mistakes in states, signals and blocks of model files: each in one sentence, with its line and the cure."""

from __future__ import annotations

import pytest

from floatframe import hybrid as h

HEAD = """\
format = "floatframe-model/1"

[parameters]
T = 0.1

[[body]]
name = "rotor"
mass = 1.0
inertia = [1, 1, 1]

[[joint]]
name = "shaft"
type = "revolute"
place = { body = "rotor" }
against = { body = "ground" }

[[signal]]
name = "error"
value = "1 - shaft.angle"

[[block]]
name = "b"
"""
LINE = HEAD.count("\n")  # after which the tables below begin


MISTAKES = {
    'type = "pdi"\ninput = "error"\nkp = 1': (1, "block 'b': unknown type \"pdi\"; did you mean pid"),
    'type = "pid"\ninput = "eror"\nkp = 1': (2, "unknown name 'eror' in 'eror'; did you mean error"),
    'type = "pid"\ninput = "error"': (0, "block 'b': 'kp' is missing"),
    'type = "pid"\ninput = "error"\nkp = 1\nkd = 1': (
        0,
        "pid 'b': filter is missing, since a derivative is taken behind a filter; give its time constant [s]",
    ),
    'type = "pid"\ninput = "error"\nkp = 1\nkd = 1\nfilter = 0': (
        5,
        "found 0, expected a positive number: the time constant [s]",
    ),
    'type = "pid"\ninput = "error"\nkp = 1\nlow = 2\nhigh = 1': (
        5,
        "found limits from 2 to 1, expected low below high",
    ),
    'type = "pid"\ninput = "error"\nkp = 0\nki = 1\nhigh = 1': (0, "anti_windup is missing"),
    'type = "pid"\ninput = "2*b"\nkp = 1': (
        2,
        "needs itself at the same instant, b.input -> b -> b.input; put a state between them",
    ),
    'type = "transfer_function"\ninput = "error"\nnumerator = [1, 0, 0]\ndenominator = ["T", 1]': (
        3,
        "its degree is 2 and that of the denominator 1, which makes an improper transfer function",
    ),
    'type = "transfer_function"\ninput = "error"\nnumerator = [1]\ndenominator = [0, 0]': (
        4,
        "all coefficients are zero",
    ),
    'type = "transfer_function"\ninput = "error"\nnumerator = 1\ndenominator = [1, 2]': (
        3,
        "expected a list of numbers",
    ),
    'type = "transfer_function"\ninput = "error"\nnumerator = [1]\ndenominator = [1, "Tau"]': (
        4,
        "unknown name 'Tau' in 'Tau'; known here: T",
    ),
    'type = "state_space"\ninputs = ["error"]\nA = [[0, 1], [1, 1]]\nB = [[1, 2]]\nC = [[1, 0]]': (
        4,
        "found a 1x2 matrix, expected 2x1: there are 2 states (rows of A), 1 inputs and 1 outputs (rows of C)",
    ),
    'type = "delay"\ninput = "error"\ntime = -0.1': (3, "found a delay of -0.1 s, expected a positive time"),
    'type = "sampled"\ninput = "error"\nperiod = 0': (
        3,
        "found a period of 0 s, expected a positive time between samples",
    ),
    'type = "switch"\ninput = "error"\non = 1\noff = 1': (
        4,
        "found on and off at the same input 1, expected a hysteresis",
    ),
    'type = "switch"\ninput = "error"\non = 1': (0, "'off' is missing"),
    'type = "state_space"\ninputs = ["error"]\nA = [0, 1]\nB = [[1]]\nC = [[1]]': (
        3,
        "expected a matrix: a list of rows",
    ),
    'type = "state_space"\ninputs = ["error"]\nA = [[1]]\nB = [[1]]\nC = [[1]]\nstart = [1, 2]': (
        6,
        "found 2 values, expected 1: one for each state",
    ),
}


@pytest.mark.parametrize("text", MISTAKES, ids=range(len(MISTAKES)))
def test_mistakes_have_line_and_cure(tmp_path, text):
    line, words = MISTAKES[text]
    path = tmp_path / "m.toml"
    path.write_text(HEAD + text + "\n")
    with pytest.raises(h.ModelFileError) as caught:
        h.read_model(path).model.flatten()
    sentence = str(caught.value)
    assert words in sentence
    assert "\n" not in sentence
    if line:
        assert f"m.toml:{LINE + line}:" in sentence
