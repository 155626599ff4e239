"""The room viewer/plots."""
