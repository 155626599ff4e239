"""The room viewer/pages."""
