"""The room viewer/drawing."""
