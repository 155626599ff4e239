"""Kernels that only other kernels call: not optimised on their own, but as a part of the kernel that Python calls.

Numba optimises every kernel together with all kernels inside it, makes machine code of it and keeps it on disk: at the
end of a chain of five calls the innermost has gone through that five times. Those here go through it once, in the
kernel at the end of the chain, which alone is kept on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


def linked(**options: Any) -> Callable[[Any], Any]:
    """Return a decorator for functions that only kernels call; options as for `njit`."""
    return njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=_Linked, **options)


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """Code of a kernel as it was written, to be linked into others."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        """The code is complete; no machine code is made of it."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> _Library:
        return self

    def set_env(self, name: str, env: Any) -> None:
        """Environments hold objects of Python, which there are none of."""


class _Linked(Compiler):  # type: ignore[misc]
    """Numba's compiler, which writes into the library above."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        super().__init__(typingctx, targetctx, library or _Library(targetctx.codegen(), "linked"), *rest)
