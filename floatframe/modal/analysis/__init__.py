"""The room modal/analysis."""
