"""The room io/nastran/cards."""
