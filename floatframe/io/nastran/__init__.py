"""The room io/nastran."""
