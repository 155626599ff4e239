"""The room io/nastran/properties."""
