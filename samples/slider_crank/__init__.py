"""Slider-crank with a connecting rod that is rigid, a chain of eleven links, or flexible.

floatframe simulate rigid.toml -o rigid-run.h5
floatframe samples beam -o .
floatframe reduce beam.h5 --interface 1,201 -n 20 -o input.fum
floatframe simulate flexible.toml -o flexible-run.h5
floatframe view flexible-run.h5
"""

from floatframe.samples.beam import build

__all__ = ["build"]  # the finite element model of the rod
