"""Published and analytic problems; every module here that has `problems() -> Iterator[Row]` joins `make verify`."""

from benchmarks.verify.rows import Row

__all__ = ["Row"]
