"""The room io/abaqus/deck."""
