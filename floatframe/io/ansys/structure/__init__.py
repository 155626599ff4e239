"""The room io/ansys/structure."""
