"""The room fem/elements/lines."""
