"""The room io/abaqus."""
