"""Files: `read` and `write` choose the format by suffix, content and the object given; one module per format."""

from floatframe.io import fe_hdf5, modes_hdf5
from floatframe.io.describe import describe
from floatframe.io.modes_hdf5 import NodalModes
from floatframe.io.registry import Format, formats, read, register, write

__all__ = ["Format", "NodalModes", "describe", "formats", "read", "register", "write"]

for _module in (fe_hdf5, modes_hdf5):
    register(_module.FORMAT)
