"""What the commands share: the terminal, reading and writing of files, picks of nodes and modes.

In: words of the command line. Out: models, bodies and runs for the commands; tables, progress and errors for people.
Open `terminal` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.cli.common.crossings import (
        crossings_as_json as crossings_as_json,
        roots_of as roots_of,
        show_crossings as show_crossings,
    )
    from floatframe.cli.common.eigen_solver import EigenSolver as EigenSolver, ModesWanted as ModesWanted
    from floatframe.cli.common.groups import flattened as flattened
    from floatframe.cli.common.hybrid_models import (
        ModelPath as ModelPath,
        Set as Set,
        compiled as compiled,
        given_parameters as given_parameters,
        printed_warnings as printed_warnings,
        read_model_file as read_model_file,
    )
    from floatframe.cli.common.life_tables import (
        draw_life as draw_life,
        life_places as life_places,
        show_life as show_life,
    )
    from floatframe.cli.common.once import OnceCommand as OnceCommand
    from floatframe.cli.common.picks import (
        hertz as hertz,
        numbers as numbers,
        picked_dofs as picked_dofs,
        place_list as place_list,
        span_of as span_of,
        values_of as values_of,
    )
    from floatframe.cli.common.plot_wanted import (
        Picture as Picture,
        Wanted as Wanted,
        show_written as show_written,
    )
    from floatframe.cli.common.random_inputs import RandomInputs as RandomInputs
    from floatframe.cli.common.reading import (
        Drop as Drop,
        Mass as Mass,
        MassChoice as MassChoice,
        Reading as Reading,
        ReadingSupports as ReadingSupports,
        Units as Units,
        at_reference_nodes as at_reference_nodes,
        kind_of_mass as kind_of_mass,
        read_file as read_file,
        read_model as read_model,
        require_plain_reading as require_plain_reading,
    )
    from floatframe.cli.common.terminal import (
        INTERRUPTED as INTERRUPTED,
        Json as Json,
        Verbose as Verbose,
        asked as asked,
        complain as complain,
        console as console,
        finite as finite,
        positive as positive,
        problem_list as problem_list,
        progress as progress,
        settings as settings,
        show_json as show_json,
        shows_progress as shows_progress,
        table as table,
        with_suffix as with_suffix,
    )
    from floatframe.cli.common.view_models import (
        known_models as known_models,
        model_beside as model_beside,
        one_fe as one_fe,
        read_fe as read_fe,
    )
    from floatframe.cli.common.writing import (
        NETWORK_SUFFIXES as NETWORK_SUFFIXES,
        convertible as convertible,
        require_texts as require_texts,
        writable as writable,
        write as write,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
