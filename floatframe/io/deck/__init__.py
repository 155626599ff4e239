"""The room io/deck."""
