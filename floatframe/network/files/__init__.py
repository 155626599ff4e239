"""Networks as text: TOML, and the fragments of PRADIS; read with the lines of mistakes, and written.

In: files. Out: a `NetworkFile`, the network and how to simulate it; texts.
Open `network_file` first, then `toml_form` and `fragment`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.network.files.describe import describe_network_file as describe_network_file
    from floatframe.network.files.doubts import doubtful_connections as doubtful_connections
    from floatframe.network.files.network_file import (
        NetworkFile as NetworkFile,
        network_of as network_of,
        read_network as read_network,
        write_network as write_network,
    )
    from floatframe.network.files.recognised import (
        is_network_file as is_network_file,
        is_network_text as is_network_text,
    )
    from floatframe.network.files.reference import reference as reference
    from floatframe.network.files.tables import network_tables as network_tables
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
