"""The railcar on rolling wheels over speed: linear analysis about steady rolling, and runs."""

from __future__ import annotations

import json

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.cli.main import run
from floatframe.samples.railcar import study
from floatframe.samples.railcar.cases import SMOOTH, Case
from floatframe.samples.railcar.rolling import rolling_vehicle

KICK = "if(t < 0.2, 20*sin(pi*t/0.2), 0)"


@pytest.mark.slow
def test_the_body_hunts_at_low_speed_as_linear_analysis_says():
    """At 36 km/h the wheelsets' wave meets the body swaying on its springs, which no damper holds sideways."""
    body = study.prepare()
    for speed, count in ((36.0, 1), (72.0, 0)):
        model = rolling_vehicle(body, Case(6, speed, rough=SMOOTH, seconds=30.0), "saturated")
        system = model.compile()
        roots = system.linearise(system.steady_motion()).eigenvalues
        growing = roots[(roots.imag > 1.0) & (roots.real > 1e-3)]
        assert len(growing) == count
        model.add(h.point_force("kick", model["front.box"].at(), (0, KICK, 0)))
        record = h.Record(every=0.02, channels=("front.box.position",))
        result = model.compile().simulate(t_end=30.0, step=1e-3, method="generalised-alpha", record=record)
        y = result["front.box.position"][:, 1]
        early, late = (np.abs(y[(result.t > at) & (result.t < at + 2.0)]).max() for at in (14.0, 28.0))
        if count:
            # beside it others still die out, and creep forces grow less than creepages: 2 % found
            assert np.log(late / early) / 14.0 == pytest.approx(growing[0].real, rel=0.04)
            assert 1.0 < growing[0].imag / (2 * np.pi) < 1.2
        else:
            assert late < 0.5 * early


@pytest.mark.slow
def test_critical_speeds_from_the_command_line(tmp_path, capsys):
    path = tmp_path / "railcar.toml"
    h.write_model(path, rolling_vehicle(study.prepare(), Case(6, 36.0, rough=SMOOTH), "saturated"))
    assert run(["linear", str(path), "-n", "16", "--vary", "speed=5:25:5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [point["stable"] for point in found["points"]] == [True, False, False, True, True]
    assert [one["is_unstable_above"] for one in found["crossings"]] == [True, False]
