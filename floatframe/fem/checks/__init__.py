"""The room fem/checks."""
