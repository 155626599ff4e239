"""Targets of the benchmarks: each is printed with its verdict, and a missed one shows in the exit code."""

from __future__ import annotations


def met(what: str, value: float, limit: float, unit: str = "") -> bool:
    """Print a measured value beside the most it may be; whether it is kept."""
    kept = value <= limit
    print(f"  {'met   ' if kept else 'MISSED'}  {what}: {value:.2f}{unit}, at most {limit:.2f}{unit}")
    return kept
