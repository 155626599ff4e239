"""The room hybrid/kernels/linear."""
