"""Quadratic shells and lines as several of our straight-sided elements, on their own nodes.

Each part is a tuple of node positions; corners come first in the numbering, then the middles of the edges round.
"""

from __future__ import annotations

Split = tuple[tuple[int, ...], ...]

TRIANGLE6: Split = ((0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5))
QUAD8: Split = ((4, 5, 6, 7), (0, 4, 7), (4, 1, 5), (5, 2, 6), (7, 6, 3))
QUAD9: Split = ((0, 4, 8, 7), (4, 1, 5, 8), (8, 5, 2, 6), (7, 8, 6, 3))
