"""Trying to break floatframe: damaged files, kills, full disks, damaged caches, two writers.

`make torture` runs it for ten minutes, `make torture MINUTES=120` for longer; `SEED=7` repeats a run. Every trial ends
in a verdict; those of `FAULTS` must not occur. `tests/test_torture.py` runs a short form.
"""
