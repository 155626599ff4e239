"""Files that appear complete or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from floatframe.errors import WriteError


@contextmanager
def complete_file(path: Path) -> Iterator[Path]:
    """Yield a temporary name beside `path`; it takes the final name only if the block ends well."""
    if not path.parent.is_dir():
        raise WriteError(f"'{path}' cannot be written: folder '{path.parent}' does not exist; create it first.")
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        raise WriteError(f"'{path}' cannot be written: {error.strerror or error}.") from error
    finally:
        temporary.unlink(missing_ok=True)
