"""The room hybrid/expressions."""
