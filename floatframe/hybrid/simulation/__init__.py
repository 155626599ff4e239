"""The room hybrid/simulation."""
