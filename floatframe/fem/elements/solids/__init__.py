"""The room fem/elements/solids."""
