"""`view --follow`: a window on a run that may not have begun yet."""

from __future__ import annotations

from floatframe.cli.common import Reading
from floatframe.cli.view import follow_run
from floatframe.cli.view_things import Look, OfModelFile, OfRun, Wanted


def test_a_run_that_has_not_begun_is_waited_for(tmp_path, capsys):
    asked = []

    def ended() -> bool:
        asked.append(1)
        return len(asked) > 2

    follow_run(Wanted(tmp_path / "run.h5", Look(), OfRun(), OfModelFile(), [], Reading()), ended)
    assert len(asked) == 3
    said = capsys.readouterr().err
    assert "run.h5', which does not exist yet; Ctrl-C ends the waiting" in said
