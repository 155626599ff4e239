"""Our own formats: models, bodies and modes as HDF5, the binary input.fum, matrices as text.

In: files, or objects to write. Out: the same objects, exact in every number; what `info` says about them.
Open `fum_binary` and `fum_hdf5` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.native import fum_binary as fum_binary
    from floatframe.io.native._guard import (
        array_in as array_in,
        attribute as attribute,
        require_own as require_own,
        require_own_hdf5 as require_own_hdf5,
    )
    from floatframe.io.native._hdf5 import (
        Column as Column,
        Fields as Fields,
        has_mark as has_mark,
        mark_of as mark_of,
        put as put,
        put_table as put_table,
        put_text as put_text,
        reading as reading,
        take_table as take_table,
        writing as writing,
    )
    from floatframe.io.native._sink import sound_hdf5 as sound_hdf5
    from floatframe.io.native.describe import describe as describe
    from floatframe.io.native.formats import formats_of as formats_of, text_formats as text_formats
    from floatframe.io.native.modes_hdf5 import NodalModes as NodalModes
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
