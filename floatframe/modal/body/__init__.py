"""The room modal/body."""
