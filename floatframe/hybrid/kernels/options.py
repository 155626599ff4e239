"""How kernels are compiled: nothing is allocated inside, so no reference counts; kept on disk; IEEE arithmetic.

Numba names every kernel after the types of its arguments. Those of our tuples of records list all their fields, several
pages, and would be most of what is compiled and kept: they get short names.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from numba import types
from numba.extending import models, register_model, typeof_impl

from floatframe.compiled import kernel
from floatframe.hybrid.kernels.layout import Data, Tables
from floatframe.hybrid.kernels.stepping import Kept, Work
from floatframe.linked import linked

#: a kernel that Python calls, which lets other threads run meanwhile
entry = kernel(error_model="numpy", _nrt=False, nogil=True)
#: a kernel that only other kernels call, which spares the wrappers for Python
inner = linked(error_model="numpy", _nrt=False)


class ShortNamedTuple(types.NamedTuple):  # type: ignore[misc]
    """The type of a named tuple, with a digest of its fields in the names of kernels."""

    @property
    def mangling_args(self) -> tuple[str, tuple[()]]:
        return f"{self.instance_class.__name__}{sha256(self.name.encode()).hexdigest()[:16]}", ()


register_model(ShortNamedTuple)(models.TupleModel)


@typeof_impl.register(Tables)
@typeof_impl.register(Data)
@typeof_impl.register(Work)
@typeof_impl.register(Kept)
def _(value: Any, context: Any) -> ShortNamedTuple:
    return ShortNamedTuple([typeof_impl(part, context) for part in value], type(value))
