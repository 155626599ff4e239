"""Text files in TOML that users write: what stands on which line, tables of keys, mistakes with their places.

In: TOML text and descriptions of the keys it may have. Out: values, and errors that name file, line, key and cure.
Open `source` first, then `keys`; `editing` changes a text and keeps what is around.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.tomlfile.editing import (
        literal as literal,
        with_table as with_table,
        with_value as with_value,
        without_table as without_table,
        without_value as without_value,
    )
    from floatframe.tomlfile.keys import (
        Choice as Choice,
        Key as Key,
        choice as choice,
        integer as integer,
        named_numbers as named_numbers,
        number as number,
        numbers as numbers,
        path as path,
        read_keys as read_keys,
        text as text,
        texts as texts,
        truth as truth,
    )
    from floatframe.tomlfile.lines import toml_lines as toml_lines
    from floatframe.tomlfile.locate import found_at as found_at, located as located
    from floatframe.tomlfile.source import (
        ModelFileError as ModelFileError,
        Source as Source,
        Spot as Spot,
        files_in as files_in,
        format_in as format_in,
        gathered as gathered,
        parsed_source as parsed_source,
        read_source as read_source,
        shown as shown,
        stated_format as stated_format,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
