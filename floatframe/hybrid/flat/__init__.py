"""The room hybrid/flat."""
