"""The room modal/lanczos."""
