"""The room io/ansys/binary."""
