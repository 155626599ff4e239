"""How kernels are compiled: nothing is allocated inside, so no reference counts; kept on disk; IEEE arithmetic."""

from __future__ import annotations

from numba import njit

#: a kernel that Python calls
entry = njit(cache=True, error_model="numpy", _nrt=False)
#: a kernel that only other kernels call, which spares the wrappers for Python
inner = njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
