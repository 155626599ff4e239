"""The room io/abaqus/properties."""
