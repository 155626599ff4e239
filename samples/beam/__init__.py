"""Steel beam, 2 m long, 2 cm square: the beam with five supports and the connecting rod of the slider-crank."""

from samples.beam.model import build

__all__ = ["build"]
