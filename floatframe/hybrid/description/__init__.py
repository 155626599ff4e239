"""The room hybrid/description."""
