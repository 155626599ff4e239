"""The room hybrid/kernels/steps."""
