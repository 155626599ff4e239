"""Machine code: made by LLVM from the text of a module, kept on disk, loaded into this process.

A file holds a line with its own digest and the object code. It is named after the digest of all that it was made from:
sources, compiler, processor. `places` says where they lie.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import RLock
from typing import Any

from floatframe.native.emitter import checks_indices
from floatframe.native.functions import LIBRARY
from floatframe.native.places import CURE, cache_folder, folders_to_look_in, say

_MAGIC = b"floatframe kernel 1"
_LOCK = RLock()
OLD = 30 * 86400.0  # s: other versions, processors and checks may still use what is younger
OLD_DRAFT = 3600.0  # s: whoever wrote it was killed


@cache
def compiler_digest() -> bytes:
    """A digest of the processor and of everything that translates."""
    import llvmlite
    from llvmlite import binding as llvm

    digest = sha256(f"{llvmlite.__version__} {llvm.get_host_cpu_name()} {checks_indices()}".encode())
    digest.update(llvm.get_host_cpu_features().flatten().encode())
    digest.update(sources_digest(Path(__file__).parent))
    return digest.digest()


@cache
def sources_digest(place: Path) -> bytes:
    """A digest of all sources in a folder."""
    digest = sha256()
    for path in sorted(place.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.digest()


def path_of(name: str, digest: str) -> Path:
    """The file that a piece of machine code is kept in, or will be."""
    named = f"{name}-{digest[:24]}.o"
    return next((place / named for place in folders_to_look_in() if (place / named).exists()), cache_folder() / named)


def kept(path: Path) -> tuple[str, bytes] | None:
    """What a file says of itself, and its object code; None if it is not there or damaged."""
    try:
        head, _, code = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    note, _, digest = head[len(_MAGIC) + 1 :].rpartition(b" ")
    if not head.startswith(_MAGIC) or sha256(note + code).hexdigest().encode() != digest:
        return None
    return note.decode(), code


def keep(path: Path, note: str, code: bytes) -> None:
    """Write a file whole or not at all; without a place it stays unwritten. Old ones of its name are deleted.

    So are drafts of those that were killed as they wrote. What takes the place of a damaged file in an installation
    that cannot be written to lies in the user's own folder, where it is looked for first.
    """
    import tempfile  # most commands find all machine code that they need

    draft, path = "", cache_folder() / path.name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stem = path.name.rpartition("-")[0]
        for old in path.parent.glob(f"{stem}-*.*"):
            longest = {".o": OLD, ".draft": OLD_DRAFT}.get(old.suffix, float("inf"))
            with suppress(FileNotFoundError):  # another process was faster
                if old.stat().st_mtime < time.time() - longest:
                    old.unlink()
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f"{stem}-", suffix=".draft")
        with os.fdopen(handle, "wb") as file:
            digest = sha256(note.encode() + code).hexdigest()
            file.write(b"%s %s %s\n" % (_MAGIC, note.encode(), digest.encode()))
            file.write(code)
        os.replace(draft, path)
    except OSError as error:
        if draft:
            with suppress(OSError):
                os.unlink(draft)
        say_not_kept(error)


def say_not_kept(error: OSError) -> None:
    """Say once that kernels will be compiled again next time, and what helps."""
    say(f"kernels cannot be kept in '{cache_folder()}': {error.strerror or error}; make space, or {CURE}")


@cache
def _target() -> Any:
    from llvmlite import binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_process_triple()
    if sys.platform == "win32":
        triple += "-elf"  # the form of object code that is loaded everywhere
        library = ctypes.cdll.LoadLibrary("ucrtbase")
        for name in LIBRARY:
            llvm.add_symbol(name, ctypes.cast(library[name], ctypes.c_void_p).value)
    features = llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=3, reloc="default", codemodel="jitdefault", jit=True
    )


@cache
def _engine() -> Any:
    from llvmlite import binding as llvm

    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target())


def object_code(text: str) -> bytes:
    """Optimise a module and make machine code of it."""
    from llvmlite import binding as llvm

    target = _target()
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = target.triple, str(target.target_data)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(target.emit_object(module))


def load(code: bytes) -> None:
    """Bring object code into this process; what it calls must have been loaded before."""
    from llvmlite import binding as llvm

    with _LOCK:
        _engine().add_object_file(llvm.ObjectFileRef.from_data(code))


def address(symbol: str) -> int:
    """Where a function begins that was loaded."""
    with _LOCK:
        _engine().finalize_object()
        return int(_engine().get_function_address(symbol))


def locked(work: Callable[[], Any]) -> Any:
    """Do something that only one thread may do at a time."""
    with _LOCK:
        return work()
