"""The room io/nastran/matrices."""
