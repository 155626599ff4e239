"""Service railcar of the kind of the AC4: an elastic body on two wheelsets, over irregular track.

floatframe info railcar.h5
floatframe modes railcar.h5 -n 20
floatframe view railcar.h5 --mode 7
"""

from floatframe.samples.railcar.design import Design
from floatframe.samples.railcar.model import build, on_springs

__all__ = ["Design", "build", "on_springs"]
