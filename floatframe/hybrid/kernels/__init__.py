"""The room hybrid/kernels."""
