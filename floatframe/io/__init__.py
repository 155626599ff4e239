"""Files: `read` and `write` choose the format by suffix, content and the object given; one module per format."""

from floatframe.io import fe_hdf5
from floatframe.io.describe import describe
from floatframe.io.registry import Format, formats, read, register, write

__all__ = ["Format", "describe", "formats", "read", "register", "write"]

register(fe_hdf5.FORMAT)
