"""The room io/ansys/commands."""
