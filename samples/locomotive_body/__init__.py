"""Body of a passenger diesel locomotive of the size of the TEP70: the benchmark of assembly and eigen solver."""

from samples.locomotive_body.model import build

__all__ = ["build"]
