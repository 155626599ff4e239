"""From measurement to model: parameters found from measured histories, frequencies or mode shapes.

In: a model file, a table of what was measured, names of parameters. Out: their values with confidence intervals, the
curves before and after, the model file with the values in it. Open `fit` first, then `predicted`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.fitting.fit import Fit as Fit, Found as Found, fit as fit
    from floatframe.hybrid.fitting.measured import (
        Measured as Measured,
        MeasuredModes as MeasuredModes,
        read_measured as read_measured,
    )
    from floatframe.hybrid.fitting.written import fitted_text as fitted_text, write_fitted as write_fitted
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
