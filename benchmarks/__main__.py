"""Run every benchmark one after another: `python -m benchmarks [NAME ...]`."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks


def main(wanted: list[str]) -> int:
    names = [m.name for m in pkgutil.iter_modules(benchmarks.__path__) if m.name.startswith("bench_")]
    chosen = [name for name in names if not wanted or any(word in name for word in wanted)]
    if not chosen:
        known = ", ".join(name.removeprefix("bench_") for name in names) or "none"
        sys.stderr.write(f"no benchmark matches {' '.join(wanted)!r}; known: {known}\n")
        return 2
    missed = [name.removeprefix("bench_") for name in chosen if not run(name)]
    if missed:
        sys.stderr.write(f"targets missed in: {', '.join(missed)}\n")
    return 1 if missed else 0


def run(name: str) -> bool:
    """Run one benchmark; whether it kept its targets. One that gives up does not keep the others from running."""
    try:
        outcome = importlib.import_module(f"benchmarks.{name}").main()
    except SystemExit as reason:
        if isinstance(reason.code, str):
            sys.stderr.write(f"{name}: {reason.code}\n")
        outcome = reason.code
    return outcome is None or isinstance(outcome, dict) or outcome == 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
