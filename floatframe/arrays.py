"""Array aliases shared by all packages; shapes stand in comments and docstrings."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
SparseMatrix = csc_array
AnyArray = NDArray[Any]
