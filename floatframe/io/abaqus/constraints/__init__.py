"""The room io/abaqus/constraints."""
