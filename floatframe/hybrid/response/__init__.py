"""Response of an assembled model near a state: what comes out of it for what goes in.

In: a `CompiledSystem`, a state, names of inputs and outputs. Out: linear equations with inputs and outputs, frequency
responses, state spaces, responses to random inputs.
Open `equations` first, then `frequency`; `inputs` says what may be an input, `outputs` what may be an output.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.response.at_rest import seen_at_rest as seen_at_rest
    from floatframe.hybrid.response.densities import (
        RandomResponse as RandomResponse,
        input_densities as input_densities,
        random_response as random_response,
    )
    from floatframe.hybrid.response.equations import LinearSystem as LinearSystem, linear_system as linear_system
    from floatframe.hybrid.response.frequency import (
        Deflection as Deflection,
        FrequencyResponse as FrequencyResponse,
        frequencies_of as frequencies_of,
        frequency_response as frequency_response,
    )
    from floatframe.hybrid.response.inputs import input_names as input_names
    from floatframe.hybrid.response.loci import (
        ROTATION as ROTATION,
        ModeLoci as ModeLoci,
        Resonance as Resonance,
        StabilityLimit as StabilityLimit,
        mode_loci as mode_loci,
        stability_limit as stability_limit,
        stability_limits as stability_limits,
    )
    from floatframe.hybrid.response.modes import ModalParts as ModalParts
    from floatframe.hybrid.response.peaks import ResponsePeak as ResponsePeak
    from floatframe.hybrid.response.ports import Port as Port
    from floatframe.hybrid.response.state_space import (
        StateSpace as StateSpace,
        as_state_space as as_state_space,
        state_space_of as state_space_of,
    )
    from floatframe.hybrid.response.states import state_at as state_at
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
