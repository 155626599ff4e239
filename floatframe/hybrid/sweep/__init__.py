"""The room hybrid/sweep."""
