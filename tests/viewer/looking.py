"""Looking at pictures: which pixels belong to the object, and how much two pictures differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.image import imread

REFERENCE = Path(__file__).parent / "reference"


def pixels(source: Any) -> np.ndarray:
    """Return the pixels (height, width, 3) of a file or array, 0 to 1."""
    image = imread(source) if isinstance(source, str | Path) else np.asarray(source) / 255.0
    return image[..., :3]


def drawn(source: Any) -> np.ndarray:
    """Return which pixels (height, width) belong to the object: not white, below the title and above the colour bar."""
    ink = (np.abs(pixels(source) - 1.0) > 0.02).any(axis=2)
    height = len(ink)
    ink[: height // 8], ink[-height // 6 :] = False, False
    return ink


def span(ink: np.ndarray, axis: int) -> float:
    """Return which part of the frame the object takes along an axis."""
    places = np.flatnonzero(ink.any(axis=1 - axis))
    return (places[-1] - places[0]) / ink.shape[axis]


def difference(a: Any, b: Any) -> float:
    """Return the mean difference of two pictures, 0 to 1, after blurring away the shift of an edge by a pixel."""
    return float(np.abs(_blurred(pixels(a)) - _blurred(pixels(b))).mean())


def _blurred(image: np.ndarray, block: int = 4) -> np.ndarray:
    height, width = (side // block * block for side in image.shape[:2])
    return image[:height, :width].reshape(height // block, block, width // block, block, 3).mean(axis=(1, 3))
