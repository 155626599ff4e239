"""What a run or a sweep remembers of its system, to see whether the model was changed since."""

from __future__ import annotations

import hashlib

from floatframe.hybrid.assembly.compiled_system import CompiledSystem


def fingerprint(system: CompiledSystem) -> str:
    """A number for everything that decides the motion of a system: all its tables but addresses of functions."""
    digest = hashlib.sha256()
    for stage in system.model.stages:
        model = stage.model
        digest.update(repr((str(stage.when), stage.lock, sorted(model.idle), sorted(model.off))).encode())
        digest.update(repr(sorted(model.parameters.items())).encode())
    for name, table in zip(system.tables._fields, system.tables, strict=True):
        for field in table.dtype.names or ("",):
            if (name, field) not in (("forces", "user"), ("forces", "setup")):
                digest.update((table[field] if field else table).tobytes())
    for wheel in system.index.wheels:
        digest.update(wheel.digest.encode())
    return digest.hexdigest()[:16]
