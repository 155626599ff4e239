"""The room fem/elements/shells."""
