"""The room hybrid/assembly."""
