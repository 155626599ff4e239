"""Work-precision diagrams: problems, methods, references, measurement, picture; `bench_precision` runs them."""
