"""Body of a passenger diesel locomotive of the size of the TEP70, shells and beams.

floatframe info locomotive-body.h5
floatframe mesh body.toml --set refine=0.2 -o coarse.h5
floatframe modes locomotive-body.h5 -n 20
floatframe view locomotive-body.h5 --mode 7
"""

from floatframe.samples.locomotive_body.model import build

__all__ = ["build"]
