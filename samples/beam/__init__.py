"""Steel beam, 2 m long, 2 cm square; also the connecting rod of the slider-crank.

floatframe modes beam.h5 --fixed start
floatframe mesh beam.toml --set length=1 -o short.h5
floatframe reduce beam.h5 --interface 1,201 -n 20 -o input.fum
floatframe view beam.h5 --mode 9
"""

from floatframe.samples.beam.model import build

__all__ = ["build"]
