"""What the README shows works as printed."""

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
    promised = re.findall(r"\d+\.\d+", code.split("print(modes.frequency)")[1])
    found = re.findall(r"\d+\.\d+", done.stdout)
    # the README shows three decimals
    assert [f"{float(number):.3f}" for number in found] == promised
    assert (tmp_path / "mode.png").exists()


@pytest.mark.usefixtures("rendering")
def test_commands_run_as_printed(tmp_path):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    # a model file that is shown says in its first line how it is called
    for text in blocks("toml"):
        if name := re.match(r"# (\w+\.toml)\n", text):
            (tmp_path / name[1]).write_text(text, encoding="utf-8")
    for command in re.findall(r"^\$ (.*)$", "\n".join(blocks("console")), flags=re.MULTILINE):
        options = {"cwd": tmp_path, "env": {**os.environ, "PATH": path}, "capture_output": True, "text": True}
        done = subprocess.run(command, shell=True, check=False, **options)
        assert done.returncode == 0, f"{command}\n{done.stderr}"
    pictures = {"beam.png", "body.png", "rod.png", "crank.png", "crank-mode.png", "run.gif", "run.png"}
    bodies = {"input.fum", "body.h5", "small.fum", "copy.h5", "from_deck.fum", "rod.h5"}
    machine = {"crank.toml", "run.h5", "report.html", "run.html"}
    found = {file.name for file in tmp_path.iterdir()}
    assert found == pictures | bodies | machine | {"beam.h5", "model.py", "shapes.h5", "beam.inp"}
