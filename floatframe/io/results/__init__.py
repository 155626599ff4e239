"""The room io/results."""
