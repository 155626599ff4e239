"""Slider-crank with a connecting rod that is rigid, a chain of eleven links, or flexible."""

from samples.beam import build

__all__ = ["build"]  # the finite element model of the rod
