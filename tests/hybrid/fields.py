"""Arguments of kernels for their functions in Python."""

from __future__ import annotations

import numpy as np


def with_fields(arrays):
    """Arrays whose records have fields by name in Python too."""
    return type(arrays)(*(one.view(np.recarray) if one.dtype.names and one.ndim else one for one in arrays))
