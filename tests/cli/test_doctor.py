"""What `floatframe doctor` finds, on a machine that has all and on one that lacks something."""

from __future__ import annotations

import json

import pytest

from floatframe.cli import doctor
from floatframe.cli.main import run
from tests.cli.json_page import undocumented


def findings(capsys) -> dict[str, dict[str, str]]:
    content = json.loads(capsys.readouterr().out)
    assert undocumented(content) == []
    return {finding["what"]: finding for finding in content["findings"]}


def test_a_machine_that_works(capsys):
    assert run(["doctor", "--json"]) == 0
    found = findings(capsys)
    assert {found[name]["state"] for name in ("floatframe", "numpy", "h5py", "simulation", "disk here")} == {"ok"}
    assert "leads to 1 m" in found["simulation"]["found"]
    assert run(["doctor"]) == 0
    assert "cache of kernels" in capsys.readouterr().out


def test_what_lacks_is_named_with_its_cure(capsys, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setattr("floatframe.native.cache_folder", lambda: tmp_path / "file")
    monkeypatch.setattr(doctor, "_BROWSERS", ())
    assert run(["doctor", "--json"]) == 1
    found = findings(capsys)
    assert found["cache of kernels"]["state"] == "broken"
    assert "FLOATFRAME_CACHE_DIR" in found["cache of kernels"]["cure"]
    assert found["browser for pages"]["state"] == "missing"


def test_what_nobody_foresaw_is_a_finding(capsys, monkeypatch):
    def _rendering():
        raise PermissionError("no way to start python")
        yield

    monkeypatch.setattr(doctor, "_LOOKS", (_rendering, doctor._disk))
    assert run(["doctor", "--json"]) == 1
    found = findings(capsys)
    assert found["rendering"]["state"] == "broken"
    assert "no way to start python" in found["rendering"]["found"]
    assert "disk here" in found


@pytest.fixture(autouse=True)
def no_trial_of_rendering(monkeypatch):
    """It takes seconds and has tests of its own."""
    monkeypatch.setattr("floatframe.viewer.require_rendering", lambda: None)
