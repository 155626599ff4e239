"""The short form of `make torture`: some trials of each kind that needs no time, with fixed damage."""

from __future__ import annotations

import os
import random
import sys

import pytest

from benchmarks.torture import files, kills, options, seeds
from benchmarks.torture.trials import FAULTS, command, tried
from benchmarks.torture.uses import OTHERS, OWN, uses
from floatframe.cli.main import COMMANDS

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork") or sys.platform == "darwin", reason="trials run in copies of this process, with its limits"
)
CASES = 25


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seeds")
    # the model begins from a pose that has to be closed, and says so
    with pytest.warns(UserWarning, match="start"):
        seeds.make(folder)
    return folder


def test_damaged_files_are_refused_in_a_sentence_or_harm_nothing(sound, tmp_path):
    chance, known = random.Random(24), uses(OWN)
    verdicts = [files.trial(chance, sound, known, tmp_path / "trial") for _ in range(CASES)]
    assert [found for found in verdicts if found[1] in FAULTS] == []
    assert {verdict for _, verdict, _ in verdicts} == {"refused", "accepted"}


def test_options_without_sense_are_refused_in_a_sentence(sound, tmp_path):
    chance, known = random.Random(7), uses(OWN)
    verdicts = [options.trial(chance, sound, known, tmp_path / "options") for _ in range(12)]
    assert [found for found in verdicts if found[1] in FAULTS] == []


def test_every_command_is_tortured(tmp_path):
    assert options.sound_words(uses(OWN + OTHERS), tmp_path).keys() == set(COMMANDS) - set(options.UNTRIED)


def test_a_killed_run_goes_on_to_the_same_bits(sound, tmp_path):
    place = tmp_path / "expected"
    kills.prepare(sound, place)
    assert tried(command(kills.simulate(place)), place / "log").code == 0
    expected = {"simulate": kills.numbers(place / "out.h5")}
    for writers in (kills.two_writers, kills.fill_disk_by_a_run):
        assert writers(random.Random(3), sound, tmp_path / "work", expected)[0] in ("whole", "fitted")
