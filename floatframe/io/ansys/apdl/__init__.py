"""The room io/ansys/apdl."""
