"""The room io/ansys."""
