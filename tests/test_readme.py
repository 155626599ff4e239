"""The front page: short, and what it shows works as printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


@pytest.mark.usefixtures("rendering")
def test_python_example_runs_and_prints_what_it_says(tmp_path):
    (code,) = blocks("python")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == re.findall(r"^print\(.*\)  # (.*)$", code, flags=re.MULTILINE)
    assert (tmp_path / "rod.png").exists()


@pytest.mark.usefixtures("rendering")
def test_commands_run_as_printed_in_a_shell(tmp_path):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    commands = re.findall(r"^\$ (.*)$", "\n".join(blocks("console")), flags=re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        options = {"cwd": tmp_path, "env": {**os.environ, "PATH": path}, "capture_output": True, "text": True}
        done = subprocess.run(command, shell=True, check=False, **options)
        assert done.returncode == 0, f"{command}\n{done.stderr}"
    assert {file.name for file in tmp_path.iterdir()} == {"pendulum", "run.h5", "run.html"}


def test_it_is_short_and_its_picture_moves_and_is_small():
    assert len(README.encode()) <= 6000
    (picture,) = re.findall(r"!\[.*?\]\((\S+\.gif)\)", README)
    assert (ROOT / picture).stat().st_size < 400_000


def test_the_figures_beside_peers_are_those_of_the_last_measurement():
    measured = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    # as they stand there, and as they are quoted
    quoted = {
        "10.8 / 10.8 µs": "10.8 / 10.8 µs",
        "153, 101 / 48, 35 times faster": "153 / 101 times as long as delivered, 48 / 35 times tuned",
        "5.6, 7.5, 17, 19, 26 times faster": "5.6 to 26 times",
        "2.98 s / 24.5 s = 0.12 (with proof 0.16)": "3.0 s, 3.9 s with the Sturm proof",
        "2.98 s / 14.0 s": "PARDISO 14.0 s",
        "2.56 s / 5.57 s": "CHOLMOD 5.6 s where ours took 2.6 s",
        "0.72 / 1.60 / 1.19 s": "CHOLMOD 1.60 s, 1.19 s in our order",
    }
    assert not [figure for figure in quoted if figure not in measured]
    assert not [words for words in quoted.values() if words not in README]


def test_the_targets_it_names_are_in_the_makefile():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert set(re.findall(r"(?:`|^    )make ([a-z]+)", README, flags=re.MULTILINE)) <= targets
    for only in re.findall(r"make bench ONLY=([a-z]+)", README):
        assert (ROOT / "benchmarks" / f"bench_{only}.py").exists()
