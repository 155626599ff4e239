"""The room hybrid/compile."""
