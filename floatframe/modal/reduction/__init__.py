"""The room modal/reduction."""
