"""The room hybrid/results."""
