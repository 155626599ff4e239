"""The room io/cards."""
