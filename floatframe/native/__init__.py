"""Kernels: functions of a small part of Python as machine code.

In: functions of numbers, records, arrays and tuples with loops and branches, and the kinds of their arguments. Out:
machine code by LLVM, kept on disk. Everything has a kind that follows from the arguments, nothing is allocated, no
object of Python is touched; so the translation takes a hundredth of the time that a general compiler needs, and kernels
run without the interpreter's lock. Open `kernel` first, then `unit`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.native.functions import call_at as call_at, call_with as call_with
    from floatframe.native.kernel import (
        Entry as Entry,
        Piece as Piece,
        Room as Room,
        placed as placed,
        say_compiling as say_compiling,
    )
    from floatframe.native.kinds import (
        FLOAT as FLOAT,
        TRUTH as TRUTH,
        WHOLE as WHOLE,
        KernelError as KernelError,
        Record as Record,
        array as array,
        bundle as bundle,
    )
    from floatframe.native.machine import say_not_kept as say_not_kept
    from floatframe.native.places import cache_folder as cache_folder, cache_is_writable as cache_is_writable
    from floatframe.native.unit import source as source
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
