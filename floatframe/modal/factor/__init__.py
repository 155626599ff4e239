"""The room modal/factor."""
