"""The language of model files: tables and keys, places of mistakes, models written as text.

In: TOML text. Out: a model whose things know their lines, settings; and the text of a model.
Open `schema` first, then `parts` and `reading`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.modelfile.addresses import split_addresses as split_addresses
    from floatframe.hybrid.modelfile.kept_model import (
        NOT_KEPT as NOT_KEPT,
        KeptModel as KeptModel,
        kept_model as kept_model,
        unpacked as unpacked,
    )
    from floatframe.hybrid.modelfile.parts import PartReader as PartReader
    from floatframe.hybrid.modelfile.reading import (
        SETTINGS as SETTINGS,
        PlacedModel as PlacedModel,
        opened as opened,
        opened_text as opened_text,
        read_settings as read_settings,
        read_whole as read_whole,
        settings_vary as settings_vary,
    )
    from floatframe.hybrid.modelfile.tables import TableRule as TableRule, model_tables as model_tables
    from floatframe.hybrid.modelfile.track import read_track as read_track
    from floatframe.hybrid.modelfile.values import Key as Key
    from floatframe.hybrid.modelfile.writer import LEFT_OUT as LEFT_OUT, write_model as write_model
    from floatframe.tomlfile import ModelFileError as ModelFileError, Source as Source
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
