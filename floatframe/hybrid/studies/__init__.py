"""The room hybrid/studies."""
