"""List the samples, or write the model of one into a file: `python -m samples beam -o beam.h5`."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from pathlib import Path

import samples
from floatframe import io
from samples.summary import summary


def main(arguments: list[str] | None = None) -> int:
    names = [module.name for module in pkgutil.iter_modules(samples.__path__) if module.ispkg]
    parser = argparse.ArgumentParser(prog="python -m samples", description=__doc__)
    parser.add_argument("name", nargs="?", choices=names, help="the sample")
    parser.add_argument("-o", "--output", type=Path, help="model file to write, e.g. beam.h5")
    chosen = parser.parse_args(arguments)
    if chosen.name is None:
        sys.stdout.write("\n".join(names) + "\n")
        return 0
    fe = importlib.import_module(f"samples.{chosen.name}").build()
    sys.stdout.write(summary(fe) + "\n")
    if chosen.output is not None:
        io.write(chosen.output, fe)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
