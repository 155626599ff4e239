"""The room fem/stress."""
