"""The short form of `make torture`: some trials of each kind that needs no time, with fixed damage."""

from __future__ import annotations

import os
import random
import shutil
import sys

import pytest

from benchmarks.torture import files, kills, options, seeds, writers
from benchmarks.torture.trials import FAULTS, command, tried
from benchmarks.torture.uses import OTHERS, OWN, Use, uses
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


REDUCE = ("reduce", "@beam.h5", "--interface", "1,7", "-n", "2", "-o", "@out.h5")


@pytest.mark.parametrize("way", ["", "link", "hard link", "detour"])
def test_an_input_stays_as_it_is_by_whatever_name_it_is_the_output(sound, tmp_path, way):
    assert writers.written_over(sound, REDUCE, "beam.h5", way, tmp_path / "outputs")[1] in ("refused", "accepted")


@pytest.mark.parametrize("attempt", [writers.killed, writers.without_space])
def test_an_output_stays_until_the_new_one_is_complete(sound, tmp_path, attempt):
    place = tmp_path / "outputs"
    with kills.small_disk(place, writers.SIZE):
        shutil.copytree(sound, place, dirs_exist_ok=True)
        assert tried(command(Use("", REDUCE).command(place)), place / "log").code == 0
        for seed in range(2):
            assert attempt(random.Random(seed), REDUCE, place)[1] in ("whole", "fitted", "refused")


def test_every_command_is_tortured(tmp_path):
    assert options.sound_words(uses(OWN + OTHERS), tmp_path).keys() == set(COMMANDS) - set(options.UNTRIED)


def test_a_killed_run_goes_on_to_the_same_bits(sound, tmp_path):
    place = tmp_path / "expected"
    kills.prepare(sound, place)
    assert tried(command(kills.simulate(place)), place / "log").code == 0
    expected = {"simulate": kills.numbers(place / "out.h5")}
    for attempt in (kills.two_writers, kills.fill_disk_by_a_run):
        assert attempt(random.Random(3), sound, tmp_path / "work", expected)[0] in ("whole", "fitted")
