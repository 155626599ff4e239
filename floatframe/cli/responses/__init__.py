"""Commands about what comes out of a machine for what goes in, and about its modes over a parameter.

In: a model file, names of inputs and outputs. Out: tables, pictures, files of numbers.
Open `response` first; `asked` has what the commands share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.cli.responses.over_parameter import (
        linearised as linearised,
        show_over_parameter as show_over_parameter,
        systems_over_parameter as systems_over_parameter,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
