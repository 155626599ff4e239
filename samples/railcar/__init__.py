"""Service railcar of the kind of the AC4: an elastic body on four springs over two wheelsets."""

from samples.railcar.model import Design, build, on_springs

__all__ = ["Design", "build", "on_springs"]
