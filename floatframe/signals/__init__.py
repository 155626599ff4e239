"""The room signals."""
