"""Time integration of a network: a place for the records, a fresh or a resumed run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from floatframe.errors import ModelError, WriteError
from floatframe.hybrid import MemoryWriter, Progress, Record, Results, nothing_left, same_run
from floatframe.io import ResultMeta, ResultWriter
from floatframe.network.channels import Observer
from floatframe.network.compiled import CompiledNetwork
from floatframe.network.description import Structure
from floatframe.network.equations import Equations
from floatframe.network.operating import operating_point
from floatframe.network.run import STATISTICS, Run
from floatframe.network.settings import NetworkSettings
from floatframe.network.stepping import Stepper
from floatframe.network.writing import network_text


def simulate(
    network: CompiledNetwork,
    settings: NetworkSettings,
    record: Record | None = None,
    path: str | Path | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Results:
    """Integrate a network and return the records; what the arguments mean is said at `NetworkSystem.simulate`."""
    if resume and path is None:
        raise ModelError("simulate: resume needs the file of the run to continue; give path=")
    record = Record() if record is None else record
    record.require_before(settings.t_end)
    equations = Equations(network)
    observer = Observer(equations, record)
    size = network.n if record.coordinates else 0
    kept = {
        **settings.plain(),
        "record_every": record.every,
        "parameters": dict(network.parameters),
        "system": fingerprint(network),
    }
    meta = ResultMeta(size, size, _text(network.network) if record.model and path is not None else "", kept, STATISTICS)
    writer: MemoryWriter | ResultWriter
    if path is None:
        writer = MemoryWriter(observer.channels, meta)
    else:
        begun = same_run(path, meta, observer.channels) if resume else None
        if begun is not None and nothing_left(begun, settings.t_end):
            return Results(begun)
        # a run that was killed before its first checkpoint has nothing to go on from
        fresh = begun is None or begun.checkpoint is None
        writer = ResultWriter.create(path, observer.channels, meta) if fresh else ResultWriter.resume(path)
    try:
        begin = None
        if settings.state == "equilibrium":
            point = operating_point(network)
            begin = point.y, point.carried
        run = Run(Stepper.begun(equations, settings, begin), observer, record, writer, progress)
        if isinstance(writer, ResultWriter) and writer.resumed_from is not None:
            run.restore(writer.resumed_from.content)
        else:
            run.keep_start()
    except BaseException as error:
        writer.finish("failed", str(error) or type(error).__name__)
        raise
    run.go()
    return Results(writer) if isinstance(writer, MemoryWriter) else Results.open(writer.path)


def _text(network: Structure) -> str:
    """The text of a network: that of its file, or one that is written; none with elements of Python in it."""
    try:
        return network.text or network_text(network)
    except WriteError:
        return ""


def fingerprint(network: CompiledNetwork) -> str:
    """Digest of all that the motion of a network depends on."""
    digest = hashlib.sha256()
    for batch in network.batches:
        digest.update(batch.kind.name.encode())
        for element in batch.elements:
            digest.update(repr((element.name, element.nodes, sorted(element.values.items()))).encode())
        digest.update(batch.p.tobytes() + batch.s.tobytes())
    digest.update(network.start.tobytes())
    digest.update(repr(sorted(network.parameters.items())).encode())
    return digest.hexdigest()
