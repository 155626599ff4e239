"""The room cli/common."""
