"""Measurements: published problems (`verify`) and side-by-side timings (`bench_*`)."""
