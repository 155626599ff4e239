"""The room fem/properties."""
