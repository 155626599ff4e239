"""Numbers that both twins of the steps share: those of Python, `floatframe.network.stepping`, and the kernels."""

from __future__ import annotations

SAFETY = 0.8  # c of the step rules
MOST_GROWTH = 10.0  # of a step; only errors of nearly nothing ask for more
FIRST = 1e-6  # share of the run that the first of controlled steps takes at most unless one is given
SETTLING_SHARE = 1e-3  # of the first step that each of two starting steps takes
SHORTEST = 1e-14  # share of the run
LEAP = 1e-12  # share of the run: what changes by more than the tolerance in a step so short has jumped
MOST_LEAPS = 20  # in a row: beyond, nothing has jumped but grows without end
PATIENT = 100  # iterations where something jumps, which shorter steps do not help
LEFT_BEHIND = 100.0  # leaps: a step longer than that ends the row
CALM = 1e-2  # share of the last step that the first after a jump takes at most
FALLS = 0.7  # of an error that a rejection leaves at least, if it follows the length of the step
SILENT = 10  # steps for which what stores nothing has no say once its error does not fall
NEWTON_SHARE = 1e-3  # of the tolerance of a step that iterations may leave
FIXED_NEWTON = 1e-9  # relative, where steps are fixed
MOST_ROUNDING = 1e3  # times what ends the iterations: changes of that size may be rounding
ROUNDING = 2.0**-52  # of a time, relative
LAST_SHARE = 1e-12  # of the run or of a step that is nothing
OFF_GRID = 1e-3  # of a fixed step: what a time may be beside a multiple of it
SLIVER = 1.000001  # what is left beyond a step by less than that is taken with it
LOOKS = 4  # inside a step, for waves that come back to what they were
HALVES = 60  # of a step, to find where a wave jumps
