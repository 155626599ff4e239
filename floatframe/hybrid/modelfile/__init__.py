"""The language of model files: tables and keys, places of mistakes, models written as text.

In: TOML text. Out: parts of an assembly, each with its line; and the text of a model.
Open `schema` first, then `parts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.modelfile.kept_model import (
        NOT_KEPT as NOT_KEPT,
        KeptModel as KeptModel,
        kept_model as kept_model,
        unpacked as unpacked,
    )
    from floatframe.hybrid.modelfile.locate import found_at as found_at, located as located
    from floatframe.hybrid.modelfile.parts import Origin as Origin, PartReader as PartReader, model_name as model_name
    from floatframe.hybrid.modelfile.schema import RECORD as RECORD, SIMULATE as SIMULATE
    from floatframe.hybrid.modelfile.source import (
        ModelFileError as ModelFileError,
        Source as Source,
        Spot as Spot,
        gathered as gathered,
        parsed_source as parsed_source,
    )
    from floatframe.hybrid.modelfile.values import Key as Key, number as number, read_keys as read_keys
    from floatframe.hybrid.modelfile.writer import (
        LEFT_OUT as LEFT_OUT,
        Files as Files,
        model_text as model_text,
        write_model as write_model,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
