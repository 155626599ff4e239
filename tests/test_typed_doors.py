"""Names of the doors have their types: a type checker finds a wrong argument in a user's script."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

SCRIPT = """\
import floatframe as ff

steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
section = ff.fem.BeamSection.rectangle(0.02, 0.02)
fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=20, section=section, material=steel)
body = ff.modal.reduce(fe, interface=[1, 21], n_modes=4)
model = ff.hybrid.Model(gravity=(0, 0, -9.81))
rod = model.add(ff.hybrid.FlexibleBody("rod", body))
model.add(ff.hybrid.revolute("A", rod.node(1), model.ground.at((0, 0, 0)), axis=(0, 1, 0)))
system = model.compile()
result = system.simulate(system.initial_state(), t_end=1.0)
ff.io.write("rod.fum", body)

ff.fem.Material(E="stiff", nu=0.3, rho=7850.0)
ff.modal.reduce(fe, interface=[1, 21], n_modes="four")
ff.modal.reduce(fe, interface=[1, 21], method="craig")
ff.hybrid.FlexibleBody("rod", fe)
ff.hybrid.spherical("B", rod.node(21), model.ground.at((2, 0, 0)), cutt=True)
system.initial_state(t="1 s")
system.simulate(t_end="1 s")
ff.hybrid.no_such_name
"""


def test_mypy_finds_wrong_arguments(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    # the cache of `make lint` holds what is known of the package
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", str(script)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    complaints = [line for line in run.stdout.splitlines() if "script.py:" in line and "error:" in line]
    lines = {int(re.search(r"script\.py:(\d+)", line)[1]) for line in complaints}
    first_wrong = SCRIPT.splitlines().index('ff.fem.Material(E="stiff", nu=0.3, rho=7850.0)') + 1
    assert lines == set(range(first_wrong, len(SCRIPT.splitlines()) + 1)), run.stdout
